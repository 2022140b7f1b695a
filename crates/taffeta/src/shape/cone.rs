//! A cone along y, tip up, centred half way up.

use super::turned::{outwards, revolved, turned};
use super::{Edges, Geometry, Nearest, Triangles};
use crate::Vec3;
use glam::DVec2;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cone {
    pub radius: f64,
    pub half: f64,
}

impl Cone {
    pub fn new(radius: f64, height: f64, scale: f64) -> Self {
        Self { radius: radius * scale, half: 0.5 * height * scale }
    }

    /// Radius of the inscribed ball.
    fn inscribed(&self) -> f64 {
        let slant = self.radius.hypot(2.0 * self.half);
        2.0 * self.half * self.radius / (self.radius + slant)
    }
}

impl Geometry for Cone {
    fn nearest(&self, p: Vec3) -> Nearest {
        revolved(p, |q| profile(q, self.radius, self.half))
    }

    fn edges(&self) -> Edges {
        Edges::Cone { radius: self.radius, half: self.half }
    }

    fn radius_at(&self, p: Vec3) -> f64 {
        let Self { radius, half } = *self;
        if p.y <= -half {
            return f64::INFINITY;
        }
        // this is the circle about the axis that touches the slant from inside
        let slant = radius.hypot(2.0 * half);
        let across = radius * ((half - p.y) / (2.0 * half)).clamp(0.0, 1.0);
        across * slant / (2.0 * half)
    }

    fn roundest(&self) -> f64 {
        let Self { radius, half } = *self;
        radius * radius.hypot(2.0 * half) / (2.0 * half)
    }

    /// The curvature radius is zero at the tip, which is treated like an edge instead.
    fn bend(&self) -> f64 {
        f64::INFINITY
    }

    fn thinnest(&self) -> f64 {
        self.inscribed()
    }

    fn width(&self) -> f64 {
        2.0 * self.radius
    }

    fn farthest(&self, n: Vec3) -> Option<Vec3> {
        let (tip, rim) = (Vec3::Y * self.half, outwards(n, self.radius) - Vec3::Y * self.half);
        Some(if n.dot(tip) > n.dot(rim) { tip } else { rim })
    }

    /// A similar cone about the centre of the inscribed ball.
    fn shrunk(&self, by: f64) -> Self {
        let share = 1.0 - by / self.inscribed();
        Self { radius: self.radius * share, half: self.half * share }
    }

    fn core_shift(&self, by: f64) -> Vec3 {
        let ball = self.inscribed();
        // the centre of the inscribed ball stays: it is at y = -half + ball, and at the same share of the smaller cone
        Vec3::Y * ((by / ball) * (ball - self.half))
    }

    fn extents(&self) -> Option<Vec3> {
        Some(2.0 * Vec3::new(self.radius, self.half, self.radius))
    }

    fn triangles(&self, around: u32) -> Option<Triangles> {
        let (r, h) = (self.radius, self.half);
        Some(turned(&[[0.0, -h], [r, -h], [0.0, h]], around))
    }

    #[cfg(test)]
    fn samples() -> Vec<Self> {
        vec![Self { radius: 0.2, half: 0.3 }, Self { radius: 0.4, half: 0.1 }]
    }

    #[cfg(test)]
    fn surface(&self) -> Vec<Vec3> {
        use super::turned::tests::line_points;
        let [r, h] = [self.radius, self.half];
        let p = DVec2::new;
        [[p(0.0, h), p(r, -h)], [p(0.0, -h), p(r, -h)]].map(|[a, b]| line_points(a, b)).concat()
    }
}

/// The triangle (0, half), (radius, -half), (0, -half); its third side is the axis and no border.
fn profile(q: DVec2, radius: f64, half: f64) -> (f64, DVec2) {
    let (tip, rim) = (DVec2::new(0.0, half), DVec2::new(radius, -half));
    let outwards = DVec2::new(2.0 * half, radius).normalize();
    let along = (rim - tip) / (rim - tip).length_squared();
    let slant = outwards.dot(q - tip);
    let base = -half - q.y;
    if slant <= 0.0 && base <= 0.0 {
        return if slant > base { (slant, outwards) } else { (base, DVec2::NEG_Y) };
    }
    // outside, the nearest point is on the slant or on the base
    let on_slant = tip + (rim - tip) * along.dot(q - tip).clamp(0.0, 1.0);
    let on_base = DVec2::new(q.x.clamp(0.0, radius), -half);
    let [a, b] = [on_slant, on_base].map(|r| (q - r).length());
    let (distance, foot) = if a <= b { (a, on_slant) } else { (b, on_base) };
    let normal = if distance > 0.0 {
        (q - foot) / distance
    } else if base > slant {
        DVec2::NEG_Y
    } else {
        outwards
    };
    (distance, normal)
}
