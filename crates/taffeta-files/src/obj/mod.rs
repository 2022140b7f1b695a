//! Wavefront OBJ: cloth meshes in, one file a frame out.
//!
//! The reader is our own because a mistake in a mesh must be shown with its line. It knows `v`, `vt` and `f`; several
//! objects and groups are read as one mesh, faces with more than three corners become a fan around their first corner.

mod read;
mod write;

pub use read::{Note, ObjMesh, parse, parse_positions, read, read_positions};
pub use write::ObjWriter;
