//! Bodies that go along with an export.

mod triangles;

use crate::mesh::FileMesh;
use crate::moving::MovingMesh;
use std::sync::Arc;
use taffeta::glam::DQuat;
use taffeta::{Motion, Place, Shape, Vec3};

/// A body to be shown beside the cloths.
#[derive(Clone, Debug)]
pub struct ExportBody {
    /// Its name.
    pub name: String,
    /// Its shape, centred at the origin.
    pub shape: BodyShape,
    /// Where it is put.
    pub place: Place,
    /// How it moves.
    pub motion: Motion,
}

/// Shapes of bodies; lengths in m, axes along y.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum BodyShape {
    /// y = 0, normal +y; shown as a square.
    Plane {
        size: f64,
    },
    Sphere {
        radius: f64,
    },
    Box {
        size: [f64; 3],
    },
    /// `height` between the centres of the caps.
    Capsule {
        radius: f64,
        height: f64,
    },
    Cylinder {
        radius: f64,
        height: f64,
    },
    /// Tip up, centred half way up.
    Cone {
        radius: f64,
        height: f64,
    },
    Torus {
        radius: f64,
        tube: f64,
    },
    Mesh(Arc<FileMesh>),
    /// A mesh that changes its shape.
    Moving(Arc<MovingMesh>),
}

/// A plane has no end; this much of it is shown, m.
const SHOWN_PLANE: f64 = 10.0;

impl From<&taffeta::Body> for ExportBody {
    fn from(body: &taffeta::Body) -> Self {
        let shape = match body.shape {
            Shape::Plane => BodyShape::Plane { size: SHOWN_PLANE },
            Shape::Sphere { radius } => BodyShape::Sphere { radius },
            Shape::Box { size } => BodyShape::Box { size },
            Shape::Capsule { radius, height } => BodyShape::Capsule { radius, height },
            Shape::Cylinder { radius, height } => BodyShape::Cylinder { radius, height },
            Shape::Cone { radius, height } => BodyShape::Cone { radius, height },
            Shape::Torus { radius, tube } => BodyShape::Torus { radius, tube },
        };
        Self { name: body.name.clone(), shape, place: body.place, motion: body.motion.clone() }
    }
}

impl ExportBody {
    /// Whether it moves as a whole.
    pub fn moves(&self) -> bool {
        self.motion.keys.len() > 1
    }

    /// Where its origin is and how it is turned at a time; its scale is constant.
    pub fn pose(&self, time: f64) -> (Vec3, DQuat) {
        let turn = DQuat::from_mat3(&self.place.rotation());
        match self.motion.at(time) {
            Some((shift, more)) => (self.place.at + shift, (more * turn).normalize()),
            None => (self.place.at, turn.normalize()),
        }
    }

    /// Its triangles, scaled but not yet placed; of a moving one those of its first pose.
    pub fn mesh(&self) -> (Vec<Vec3>, Vec<[u32; 3]>) {
        let (mut x, triangles) = triangles::of(&self.shape);
        x.iter_mut().for_each(|p| *p *= self.place.scale);
        (x, triangles)
    }

    /// Puts positions of [`mesh`](Self::mesh), or of its moving mesh, where they are at a time.
    pub(crate) fn put(&self, time: f64, x: &mut [Vec3]) {
        let (at, turn) = self.pose(time);
        x.iter_mut().for_each(|p| *p = at + turn * *p);
    }
}
