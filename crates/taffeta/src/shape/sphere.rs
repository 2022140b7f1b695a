//! A sphere.

use super::turned::{arc, turned};
use super::{Geometry, Nearest, Triangles, equally_round};
use crate::Vec3;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sphere {
    pub radius: f64,
}

impl Sphere {
    pub fn new(radius: f64, scale: f64) -> Self {
        Self { radius: radius * scale }
    }
}

impl Geometry for Sphere {
    fn nearest(&self, p: Vec3) -> Nearest {
        Nearest::from_centre(p, self.radius)
    }

    equally_round!(radius);

    fn farthest(&self, n: Vec3) -> Option<Vec3> {
        Some(n * self.radius)
    }

    fn shrunk(&self, by: f64) -> Self {
        Self { radius: self.radius - by }
    }

    fn extents(&self) -> Option<Vec3> {
        Some(Vec3::splat(2.0 * self.radius))
    }

    fn triangles(&self, around: u32) -> Option<Triangles> {
        Some(turned(&arc(self.radius, 0.0, around / 4), around))
    }

    #[cfg(test)]
    fn samples() -> Vec<Self> {
        vec![Self { radius: 0.3 }]
    }

    #[cfg(test)]
    fn surface(&self) -> Vec<Vec3> {
        super::turned::tests::arc_points(glam::DVec2::ZERO, self.radius)
    }
}
