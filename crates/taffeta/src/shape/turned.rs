//! Solids of revolution about y, described in their half plane (ρ, y), ρ ≥ 0.

use super::{Nearest, Triangles};
use crate::Vec3;
use glam::DVec2;
use std::f64::consts::{PI, TAU};

/// Maps a distance and normal from the half plane back to space.
pub(super) fn revolved(p: Vec3, profile: impl Fn(DVec2) -> (f64, DVec2)) -> Nearest {
    let across = p.x.hypot(p.z);
    let (distance, g) = profile(DVec2::new(across, p.y));
    let u = if across > 0.0 { Vec3::new(p.x / across, 0.0, p.z / across) } else { Vec3::X };
    Nearest { distance, normal: u * g.x + Vec3::Y * g.y }
}

/// The point of a circle about y that is farthest in a direction.
pub(super) fn outwards(n: Vec3, radius: f64) -> Vec3 {
    let across = DVec2::new(n.x, n.z);
    let length = across.length();
    let u = if length > 0.0 { across / length } else { DVec2::X };
    Vec3::new(u.x, 0.0, u.y) * radius
}

/// 1 for directions that go up, otherwise -1.
pub(super) fn up(n: Vec3) -> f64 {
    if n.y < 0.0 { -1.0 } else { 1.0 }
}

/// Profile (distance from the axis, y) of a sphere that is pulled apart by `h` up and down.
pub(super) fn arc(radius: f64, h: f64, rings: u32) -> Vec<[f64; 2]> {
    let half = |from: f64, shift: f64| {
        (0..=rings).map(move |i| {
            let angle = from + 0.5 * PI * f64::from(i) / f64::from(rings);
            [radius * angle.cos(), radius * angle.sin() + shift]
        })
    };
    let mut profile: Vec<_> = half(-0.5 * PI, -h).chain(half(0.0, h).skip(usize::from(h == 0.0))).collect();
    let last = profile.len() - 1;
    (profile[0][0], profile[last][0]) = (0.0, 0.0);
    profile
}

/// Turns a profile, given from bottom to top, around y. Points on the axis become one vertex each.
pub(super) fn turned(profile: &[[f64; 2]], around: u32) -> Triangles {
    let (mut x, mut triangles) = (Vec::new(), Vec::new());
    let mut rings: Vec<(u32, u32)> = Vec::new();
    for &[r, y] in profile {
        let count = if r == 0.0 { 1 } else { around };
        rings.push((x.len() as u32, count));
        x.extend((0..count).map(|i| {
            let angle = TAU * f64::from(i) / f64::from(around);
            Vec3::new(r * angle.cos(), y, -r * angle.sin())
        }));
    }
    for pair in rings.windows(2) {
        let ((low, n), (high, m)) = (pair[0], pair[1]);
        for i in 0..around {
            let (a, b) = (low + i % n, low + (i + 1) % n);
            let (d, c) = (high + i % m, high + (i + 1) % m);
            triangles.extend((n > 1).then_some([a, b, c]));
            triangles.extend((m > 1).then_some([a, c, d]));
        }
    }
    (x, triangles)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub const STEPS: u32 = 160;

    fn ring(q: DVec2) -> impl Iterator<Item = Vec3> {
        (0..2 * STEPS).map(move |i| {
            let (sin, cos) = (f64::from(i) * PI / f64::from(STEPS)).sin_cos();
            Vec3::new(q.x * cos, q.y, q.x * sin)
        })
    }

    /// Points of a line in the half plane that is turned.
    pub fn line_points(a: DVec2, b: DVec2) -> Vec<Vec3> {
        (0..=STEPS).flat_map(|i| ring(a.lerp(b, f64::from(i) / f64::from(STEPS)))).collect()
    }

    /// The same of a circle, where it is in the half plane.
    pub fn arc_points(centre: DVec2, radius: f64) -> Vec<Vec3> {
        let circle = (0..2 * STEPS).map(|i| {
            let (sin, cos) = (f64::from(i) * PI / f64::from(STEPS)).sin_cos();
            centre + DVec2::new(cos, sin) * radius
        });
        circle.filter(|q| q.x >= 0.0).flat_map(ring).collect()
    }
}
