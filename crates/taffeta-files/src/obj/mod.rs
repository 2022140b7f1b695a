//! Wavefront OBJ: cloth meshes in, one file a frame out.
//!
//! The reader is our own because a mistake in a mesh must be shown with its line. It knows `v`, `vt`, `f`, `o`
//! and `g`; several objects and groups are read as one mesh with several parts.

mod read;
mod write;

pub use crate::mesh::Note;
pub use read::{parse, parse_positions, parse_vertices, read, read_positions};
pub use write::ObjWriter;
