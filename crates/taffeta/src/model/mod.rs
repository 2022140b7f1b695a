//! What cloth is.
pub mod spring;
