//! Exact signs of determinants.
//!
//! J. R. Shewchuk, Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates, Discrete &
//! Computational Geometry 18, 1997.

use crate::Vec3;
use robust::{Coord, Coord3D};
use std::cmp::Ordering;

/// Side of the plane through a, b and c on which a point is; `Equal` if it is on the plane.
pub fn side_of_plane([a, b, c]: [Vec3; 3], p: Vec3) -> Ordering {
    let coord = |p: Vec3| Coord3D { x: p.x, y: p.y, z: p.z };
    sign(robust::orient3d(coord(a), coord(b), coord(c), coord(p)))
}

/// A projection of space to a plane by leaving out one coordinate, which does not round.
#[derive(Clone, Copy)]
pub struct View {
    left_out: usize,
}

impl View {
    /// All views. Points that are not on one line are not on one line in at least one view.
    pub const ALL: [View; 3] = [View { left_out: 0 }, View { left_out: 1 }, View { left_out: 2 }];

    /// Side of the line from a to b on which a point lies in the view; `Equal` if it is on the line.
    pub fn side_of_line(self, a: Vec3, b: Vec3, p: Vec3) -> Ordering {
        let project = |p: Vec3| {
            let p = p.to_array();
            Coord { x: p[(self.left_out + 1) % 3], y: p[(self.left_out + 2) % 3] }
        };
        sign(robust::orient2d(project(a), project(b), project(p)))
    }
}

fn sign(determinant: f64) -> Ordering {
    determinant.partial_cmp(&0.0).unwrap_or(Ordering::Equal)
}
