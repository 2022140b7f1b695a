//! A capsule along y.

use super::turned::{arc, turned, up};
use super::{Geometry, Nearest, Triangles, equally_round};
use crate::Vec3;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Capsule {
    pub radius: f64,
    /// Half the distance between the centres of the caps.
    pub half: f64,
}

impl Capsule {
    pub fn new(radius: f64, height: f64, scale: f64) -> Self {
        Self { radius: radius * scale, half: 0.5 * height * scale }
    }
}

impl Geometry for Capsule {
    fn nearest(&self, p: Vec3) -> Nearest {
        Nearest::from_centre(p - Vec3::Y * p.y.clamp(-self.half, self.half), self.radius)
    }

    equally_round!(radius);

    fn farthest(&self, n: Vec3) -> Option<Vec3> {
        Some(n * self.radius + Vec3::Y * (up(n) * self.half))
    }

    fn shrunk(&self, by: f64) -> Self {
        Self { radius: self.radius - by, half: self.half }
    }

    fn extents(&self) -> Option<Vec3> {
        let across = 2.0 * self.radius;
        Some(Vec3::new(across, 2.0 * self.half + across, across))
    }

    fn triangles(&self, around: u32) -> Option<Triangles> {
        Some(turned(&arc(self.radius, self.half, around / 4), around))
    }

    #[cfg(test)]
    fn samples() -> Vec<Self> {
        vec![Self { radius: 0.15, half: 0.2 }]
    }

    #[cfg(test)]
    fn surface(&self) -> Vec<Vec3> {
        use super::turned::tests::{arc_points, line_points};
        use glam::DVec2;
        let Self { radius, half } = *self;
        let mut points = line_points(DVec2::new(radius, -half), DVec2::new(radius, half));
        points.extend([half, -half].iter().flat_map(|y| arc_points(DVec2::new(0.0, *y), radius)));
        points.retain(|q| (q - Vec3::Y * q.y.clamp(-half, half)).length() > radius * (1.0 - 1e-9));
        points
    }
}
