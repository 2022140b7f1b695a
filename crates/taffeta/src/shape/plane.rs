//! The plane y = 0 with normal +y.

use super::{Edges, Geometry, Nearest, Triangles, flat};
use crate::Vec3;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Plane;

impl Plane {
    pub fn new(_scale: f64) -> Self {
        Self
    }
}

impl Geometry for Plane {
    fn nearest(&self, p: Vec3) -> Nearest {
        Nearest { distance: p.y, normal: Vec3::Y }
    }

    fn edges(&self) -> Edges {
        Edges::Nothing
    }

    flat!();

    fn thinnest(&self) -> f64 {
        f64::INFINITY
    }

    fn width(&self) -> f64 {
        f64::INFINITY
    }

    fn farthest(&self, _: Vec3) -> Option<Vec3> {
        None
    }

    fn shrunk(&self, _: f64) -> Self {
        Self
    }

    fn extents(&self) -> Option<Vec3> {
        None
    }

    fn triangles(&self, _: u32) -> Option<Triangles> {
        None
    }

    #[cfg(test)]
    fn samples() -> Vec<Self> {
        vec![Self]
    }

    #[cfg(test)]
    fn surface(&self) -> Vec<Vec3> {
        Vec::new()
    }
}
