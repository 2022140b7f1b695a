//! Bodies that are meshes.

use crate::Vec3;
use crate::setup::{Body, PoseError, Shape};
use std::ops::Range;

/// A body of triangles that cloth collides with.
#[derive(Clone, Debug)]
pub(crate) struct MeshSolid {
    /// Index of the body in [`World::bodies`](crate::World::bodies).
    pub body: u32,
    /// Its points, counted after all particles.
    pub points: Range<usize>,
    /// Its triangles among those of all such bodies.
    pub triangles: Range<usize>,
    /// If it is closed, 1 where its triangles are counterclockwise seen from outside, and -1 where they are clockwise.
    pub outward: Option<f64>,
    /// How far cloth stays away from its triangles beside half of its own thickness, m.
    pub thickness: f64,
    /// Friction coefficient with each cloth.
    pub friction: Vec<f64>,
    /// Whether it moves or changes its shape at any time.
    pub moves: bool,
}

impl MeshSolid {
    /// The positions of its points at a time. `buffer` may hold anything.
    pub fn at(&self, body: &Body, time: f64, buffer: &mut Vec<Vec3>, x: &mut [Vec3]) -> Result<(), PoseError> {
        if let Shape::Mesh(mesh) = &body.shape {
            mesh.at(time, buffer)?;
            body.put(time, buffer);
            x.copy_from_slice(buffer);
        }
        Ok(())
    }
}
