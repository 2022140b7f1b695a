//! Initial positions that strain a flat mesh in one way only.

use super::{Grid, Mesh};
use crate::Vec3;

impl Mesh {
    /// A flat mesh sheared by some degrees: lines along x and along y keep their lengths, the angle between them
    /// changes.
    pub fn sheared(&self, degrees: f64) -> Vec<Vec3> {
        let (sin, cos) = degrees.to_radians().sin_cos();
        self.rest.iter().map(|p| Vec3::new(p.x + p.y * sin, p.y * cos, p.z)).collect()
    }

    /// A grid folded by some degrees along each line of cells parallel to y, to and fro: every cell stays flat and
    /// keeps its shape. `None` if the mesh is not a grid.
    pub fn pleated(&self, degrees: f64) -> Option<Vec<Vec3>> {
        let Grid { size, cells, .. } = self.grid?;
        let width = size[0] / f64::from(cells[0]);
        let (sin, cos) = (0.5 * degrees.to_radians()).sin_cos();
        let zigzag = |x: f64| {
            let column = (x + 0.5 * size[0]) / width;
            let pair = column - 2.0 * (0.5 * column).floor(); // from 0 to 2
            width * sin * (0.5 - (pair - 1.0).abs())
        };
        Some(self.rest.iter().map(|p| Vec3::new(p.x * cos, p.y, p.z + zigzag(p.x))).collect())
    }
}
