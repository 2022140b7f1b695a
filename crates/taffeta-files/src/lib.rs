//! Meshes in, caches and exports out, run folders that survive a crash.

mod bytes;
pub mod cache;
pub mod checkpoint;
pub mod csv;
mod disk;
pub mod export;
mod hash;
pub mod npz;
pub mod obj;
pub mod run;
mod surface;
mod text;

pub use disk::DiskError;
pub use hash::Hash;
pub use surface::Surface;
pub use text::{FARTHEST, LineProblem, MOST_PROBLEMS, Problems, ReadError, Wrong};
