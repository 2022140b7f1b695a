//! Bodies made of triangles.

use crate::Vec3;
use std::fmt::Debug;

/// The triangles of a body from any source. The triangles are fixed; their vertices may move.
pub trait BodyMesh: Debug + Send + Sync {
    /// Number of vertices.
    fn vertices(&self) -> usize;

    /// Triangles of three vertices, counter-clockwise seen from outside.
    fn triangles(&self) -> &[[u32; 3]];

    /// Positions of all vertices, m, at any time in s, before [`Body::place`](crate::Body::place). Equal times give
    /// equal bits.
    fn positions(&self, time: f64, x: &mut Vec<Vec3>) -> Result<(), PoseError>;

    /// Begin and end of the mesh's own motion, s. It rests before and after. Both are the same if it never moves.
    fn span(&self) -> (f64, f64);
}

/// A mesh equals itself only.
impl PartialEq for dyn BodyMesh {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::addr_eq(self, other)
    }
}

/// Why a mesh has no positions at a time.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("at {time} s {why}")]
pub struct PoseError {
    /// Time, s.
    pub time: f64,
    /// What is wrong.
    pub why: String,
}

impl dyn BodyMesh + '_ {
    /// Like [`positions`](BodyMesh::positions), but checks that their number is right and that all are finite.
    pub fn at(&self, time: f64, x: &mut Vec<Vec3>) -> Result<(), PoseError> {
        self.positions(time, x)?;
        let (found, needed) = (x.len(), self.vertices());
        let why = if found != needed {
            format!("it has {found} vertices, not {needed}")
        } else if let Some(vertex) = x.iter().position(|p| !p.is_finite()) {
            format!("vertex {vertex} has no finite position")
        } else {
            return Ok(());
        };
        Err(PoseError { time, why })
    }
}
