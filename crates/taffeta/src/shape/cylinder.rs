//! A cylinder along y.

use super::turned::{outwards, revolved, turned, up};
use super::{Edges, Geometry, Nearest, Triangles};
use crate::Vec3;
use glam::DVec2;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cylinder {
    pub radius: f64,
    pub half: f64,
}

impl Cylinder {
    pub fn new(radius: f64, height: f64, scale: f64) -> Self {
        Self { radius: radius * scale, half: 0.5 * height * scale }
    }
}

impl Geometry for Cylinder {
    fn nearest(&self, p: Vec3) -> Nearest {
        revolved(p, |q| {
            let d = DVec2::new(q.x - self.radius, q.y.abs() - self.half);
            let up = if q.y < 0.0 { -1.0 } else { 1.0 };
            if d.x > 0.0 && d.y > 0.0 {
                let distance = d.length();
                (distance, DVec2::new(d.x, d.y * up) / distance)
            } else if d.x > d.y {
                (d.x, DVec2::X)
            } else {
                (d.y, DVec2::Y * up)
            }
        })
    }

    fn edges(&self) -> Edges {
        Edges::Rims { radius: self.radius, half: self.half }
    }

    fn radius_at(&self, p: Vec3) -> f64 {
        if p.y.abs() >= self.half { f64::INFINITY } else { self.radius }
    }

    fn roundest(&self) -> f64 {
        self.radius
    }

    fn bend(&self) -> f64 {
        self.radius
    }

    fn thinnest(&self) -> f64 {
        self.radius.min(self.half)
    }

    fn width(&self) -> f64 {
        2.0 * self.radius
    }

    fn farthest(&self, n: Vec3) -> Option<Vec3> {
        Some(outwards(n, self.radius) + Vec3::Y * (up(n) * self.half))
    }

    fn shrunk(&self, by: f64) -> Self {
        Self { radius: self.radius - by, half: self.half - by }
    }

    fn extents(&self) -> Option<Vec3> {
        Some(2.0 * Vec3::new(self.radius, self.half, self.radius))
    }

    fn triangles(&self, around: u32) -> Option<Triangles> {
        let (r, h) = (self.radius, self.half);
        Some(turned(&[[0.0, -h], [r, -h], [r, h], [0.0, h]], around))
    }

    #[cfg(test)]
    fn samples() -> Vec<Self> {
        vec![Self { radius: 0.2, half: 0.3 }, Self { radius: 0.4, half: 0.05 }]
    }

    #[cfg(test)]
    fn surface(&self) -> Vec<Vec3> {
        use super::turned::tests::line_points;
        let [r, h] = [self.radius, self.half];
        let p = DVec2::new;
        [[p(r, -h), p(r, h)], [p(0.0, h), p(r, h)], [p(0.0, -h), p(r, -h)]].map(|[a, b]| line_points(a, b)).concat()
    }
}
