//! A torus around y.

use super::turned::revolved;
use super::{Capsule, Exact, Geometry, Nearest, Piece, Triangles, equally_round};
use crate::Vec3;
use glam::{DQuat, DVec2};
use std::f64::consts::TAU;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Torus {
    pub radius: f64,
    pub tube: f64,
}

/// Largest number of pieces.
const MOST_PIECES: f64 = 4096.0;

impl Torus {
    pub fn new(radius: f64, tube: f64, scale: f64) -> Self {
        Self { radius: radius * scale, tube: tube * scale }
    }
}

impl Geometry for Torus {
    fn nearest(&self, p: Vec3) -> Nearest {
        revolved(p, |q| {
            let d = q - DVec2::new(self.radius, 0.0);
            let length = d.length();
            (length - self.tube, if length > 0.0 { d / length } else { DVec2::X })
        })
    }

    fn is_convex(&self) -> bool {
        false
    }

    fn pieces(&self, beyond: f64) -> Vec<Piece> {
        let Self { radius, tube } = *self;
        // an arc of the ring is within `off` of a straight piece, as far inside its middle as outside its ends
        let least = 1.0 - (TAU / (2.0 * MOST_PIECES)).cos();
        let turn = 2.0 * (1.0 - (beyond / radius).clamp(least, 1.0)).acos();
        let count = (TAU / turn).ceil().max(3.0);
        let (half, off) = (radius * (0.5 * TAU / count).sin(), 0.5 * radius * (1.0 - (0.5 * TAU / count).cos()));
        let piece = |k: u32| {
            let azimuth = TAU * f64::from(k) / count;
            let at = Vec3::new(azimuth.cos(), 0.0, -azimuth.sin()) * (radius - off);
            let turn = DQuat::from_rotation_y(azimuth) * DQuat::from_rotation_x(0.25 * TAU);
            Piece::new(Exact::Capsule(Capsule { radius: tube + off, half }), at, turn)
        };
        (0..count as u32).map(piece).collect()
    }

    equally_round!(tube);

    fn farthest(&self, _: Vec3) -> Option<Vec3> {
        None
    }

    fn shrunk(&self, by: f64) -> Self {
        Self { radius: self.radius, tube: self.tube - by }
    }

    fn extents(&self) -> Option<Vec3> {
        let across = 2.0 * (self.radius + self.tube);
        Some(Vec3::new(across, 2.0 * self.tube, across))
    }

    fn triangles(&self, n: u32) -> Option<Triangles> {
        let Self { radius, tube } = *self;
        let point = |i: u32, j: u32| {
            let (a, b) = (TAU * f64::from(i) / f64::from(n), TAU * f64::from(j) / f64::from(n));
            let r = radius + tube * b.cos();
            Vec3::new(r * a.cos(), tube * b.sin(), -r * a.sin())
        };
        let x = (0..n).flat_map(|i| (0..n).map(move |j| point(i, j))).collect();
        let at = |i: u32, j: u32| (i % n) * n + j % n;
        let cells = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
        let triangles = cells.flat_map(|(i, j)| {
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            [[a, b, c], [a, c, d]]
        });
        Some((x, triangles.collect()))
    }

    fn flaw(&self) -> Option<[String; 3]> {
        let Self { radius, tube } = *self;
        let message = format!("the tube ({tube} m) is not thinner than the ring ({radius} m): there is no hole");
        let help = "make `tube` smaller than `radius`, or use a sphere";
        (tube >= radius).then(|| ["tube".into(), message, help.into()])
    }

    #[cfg(test)]
    fn samples() -> Vec<Self> {
        vec![Self { radius: 0.3, tube: 0.1 }]
    }

    #[cfg(test)]
    fn surface(&self) -> Vec<Vec3> {
        super::turned::tests::arc_points(DVec2::new(self.radius, 0.0), self.tube)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_cover_the_torus_and_reach_beyond_it_by_little() {
        let torus = Torus { radius: 0.3, tube: 0.1 };
        for beyond in [1e-5, 1e-3, 0.02] {
            let pieces = torus.pieces(beyond);
            let distance = |p: Vec3| {
                let of = |piece: &Piece| piece.exact.distance(piece.turn.inverse() * (p - piece.at));
                pieces.iter().map(of).fold(f64::INFINITY, f64::min)
            };
            let (x, _) = torus.triangles(90).unwrap();
            for p in x {
                let outside = p + torus.nearest(p).normal * beyond * (1.0 + 1e-9);
                assert!(distance(p) <= 1e-12 && distance(outside) > 0.0, "{beyond} {p}: {}", distance(outside));
            }
        }
    }
}
