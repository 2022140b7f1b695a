//! Pictures.
mod bvh; mod vector;
