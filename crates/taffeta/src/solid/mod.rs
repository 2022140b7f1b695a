//! Bodies during a step: their poses, the velocity of their surface, and where a particle's path meets it.

pub(crate) mod mesh;
pub(crate) mod reach;

pub(crate) use crate::shape::{self, Nearest};

use crate::Vec3;
use crate::setup::Body;
use glam::DQuat;
use shape::Exact;

/// A body that cloth collides with.
#[derive(Clone, Debug)]
pub(crate) struct Solid {
    /// Index of the body in [`World::bodies`](crate::World::bodies).
    pub body: u32,
    pub exact: Exact,
    /// Friction coefficient with each cloth.
    pub friction: Vec<f64>,
    /// Whether each cloth collides with it.
    pub collides: Vec<bool>,
    /// How far cloth stays away beside half of its own thickness, m.
    pub thickness: f64,
    pub restitution: f64,
}

/// Pose of a body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Pose {
    pub at: Vec3,
    pub turn: DQuat,
}

impl Pose {
    pub fn of(body: &Body, time: f64) -> Self {
        let (at, turn) = body.pose(time);
        Self { at, turn }
    }

    /// Transforms a point of space to the body's coordinates.
    pub fn to_body(self, p: Vec3) -> Vec3 {
        self.turn.inverse() * (p - self.at)
    }

    /// Transforms a point of the body to space.
    pub fn to_space(self, p: Vec3) -> Vec3 {
        self.at + self.turn * p
    }
}

/// A body in the current step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Moving {
    pub start: Pose,
    pub end: Pose,
    /// Poses at equal times within the step, where the body turns too far for a straight path; empty otherwise.
    pub between: Vec<Pose>,
    /// Velocity, m/s, and angular velocity, rad/s, at the end of the step.
    pub speed: Vec3,
    pub spin: Vec3,
    pub moves: bool,
}

/// Turn of the body below which a path counts as straight in its coordinates, rad.
const TURN: f64 = 0.1;

/// Largest number of poses of a body within a step.
const SAMPLES: usize = 64;

/// Smallest number of poses in a step within which the motion has a key: there the body may change its course.
const SAMPLES_AT_KEY: usize = 8;

impl Moving {
    /// Moves the body from `t` to `t + h`.
    pub fn advance(&mut self, body: &Body, t: f64, h: f64) {
        self.between.clear();
        self.moves = body.moves();
        self.start = Pose::of(body, t);
        if !self.moves {
            self.end = self.start;
            (self.speed, self.spin) = (Vec3::ZERO, Vec3::ZERO);
            return;
        }
        self.end = Pose::of(body, t + h);
        (self.speed, self.spin) = body.motion.rates(t + h, false);
        // the faster rate of both ends decides how finely to sample
        let spin = self.spin.length().max(body.motion.rates(t, true).1.length());
        let has_key = body.motion.keys.iter().any(|key| key.t > t && key.t < t + h);
        let samples = (spin * h / TURN).ceil().min(SAMPLES as f64) as usize;
        let samples = samples.max(if has_key { SAMPLES_AT_KEY } else { 1 });
        self.between.extend((1..samples).map(|i| Pose::of(body, t + h * i as f64 / samples as f64)));
    }

    /// Keeps the body still at its pose at the start of the step.
    pub fn stop(&mut self) {
        self.between.clear();
        self.end = self.start;
        (self.speed, self.spin) = (Vec3::ZERO, Vec3::ZERO);
    }

    /// Reserves room for the poses within a step.
    pub fn new() -> Self {
        Self { between: Vec::with_capacity(SAMPLES), ..Self::default() }
    }

    /// Velocity at the end of the step of a point of space that is fixed to the body, m/s.
    pub fn speed_at(&self, p: Vec3) -> Vec3 {
        self.speed + self.spin.cross(p - self.end.at)
    }

    /// Whether the path of a particle from `a` to `b` leads through the body although both ends are outside. Around an
    /// edge it may cut a corner by less than the cloth's thickness.
    pub fn passes(&self, exact: &Exact, a: Vec3, b: Vec3, thickness: f64) -> bool {
        let [p, q] = [self.start.to_body(a), self.end.to_body(b)];
        let [before, after] = [p, q].map(|p| exact.nearest(p));
        // a path that is shorter than the distances of its ends cannot enter the body
        let room = before.distance + after.distance;
        let far = p.distance(q) > room || !self.between.is_empty();
        // points whose normals agree are on one side of a convex body; a ring may be between them
        let beside = before.normal.dot(after.normal) > 0.5 && exact.is_convex();
        if before.distance < 0.0 || !far || beside {
            return false;
        }
        // a path from one side of a thin rim or tip to the other may have no depth at all
        let through = before.normal.dot(after.normal) < -0.5;
        let allowed = if through { NEAR } else { thickness.min(0.5 * exact.thinnest()) };
        let pieces = self.between.len() + 1;
        let mut from = p;
        (0..pieces).any(|piece| {
            let share = (piece + 1) as f64 / pieces as f64;
            let to = self.between.get(piece).unwrap_or(&self.end).to_body(a.lerp(b, share));
            let deep = exact.is_deeper_on_way(from, to, allowed);
            from = to;
            deep
        })
    }

    /// Where the path of a particle from `a` to `b`, in space, first comes nearer to the surface than `offset`, in the
    /// body's coordinates, with the share of the step that has passed. The path must start outside.
    pub fn first_hit(&self, exact: &Exact, a: Vec3, b: Vec3, offset: impl Fn(Vec3) -> f64) -> Option<(f64, Vec3)> {
        let pieces = self.between.len() + 1;
        let mut from = self.start.to_body(a);
        for piece in 0..pieces {
            let share = (piece + 1) as f64 / pieces as f64;
            let pose = self.between.get(piece).unwrap_or(&self.end);
            let to = pose.to_body(if piece + 1 == pieces { b } else { a.lerp(b, share) });
            if let Some(within) = straight_hit(exact, from, to, &offset) {
                return Some(((piece as f64 + within) / pieces as f64, from.lerp(to, within)));
            }
            from = to;
        }
        None
    }
}

/// Distance below which a particle is in contact when its path is followed, m.
const NEAR: f64 = 1e-9;

/// Least advance along a path, as a share of its length: it bounds the number of iterations.
const ADVANCE: f64 = 1e-3;

/// The share of a straight path up to a given distance, found by steps that cannot pass through the surface.
fn straight_hit(exact: &Exact, a: Vec3, b: Vec3, offset: &impl Fn(Vec3) -> f64) -> Option<f64> {
    let length = a.distance(b);
    if length == 0.0 {
        return None;
    }
    let direction = (b - a) / length;
    let mut gone = 0.0;
    while gone < length {
        let p = a + direction * gone;
        let Nearest { distance, normal } = exact.nearest(p);
        let gap = distance - offset(p);
        if gap < NEAR && normal.dot(direction) < 0.0 {
            return Some(gone / length);
        }
        // along the surface, or away from it, the path advances at least by a little
        gone += gap.abs().max(ADVANCE * length).max(NEAR);
    }
    None
}

impl Body {
    /// The surface next to points of space at a time; `None` for meshes.
    pub fn nearest(&self, time: f64) -> Option<impl Fn(Vec3) -> Nearest + use<>> {
        let (exact, pose) = (Exact::new(&self.shape, self.place.scale)?, Pose::of(self, time));
        Some(move |p| {
            let Nearest { distance, normal } = exact.nearest(pose.to_body(p));
            Nearest { distance, normal: pose.turn * normal }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nearly along it: a quarter of the way takes 256 iterations.
    #[test]
    fn a_way_along_a_surface_is_followed_to_its_end() {
        let plane = Exact::Plane(shape::Plane);
        let (a, b) = (Vec3::new(0.0, 1e-6, 0.0), Vec3::new(1.0, -1e-7, 0.0));
        let share = straight_hit(&plane, a, b, &|_| 0.0).expect("it goes below");
        assert!((share - 10.0 / 11.0).abs() < 2e-3, "{share}");
    }

    /// From the hole of a ring through its tube to the outside.
    #[test]
    fn a_way_through_a_ring_is_seen_though_normals_agree() {
        let ring = Exact::Torus(shape::Torus { radius: 0.4, tube: 0.1 });
        let (a, b) = (Vec3::new(0.28, 0.0, 0.0), Vec3::new(-0.55, 0.0, 0.0));
        let moving = Moving { moves: true, ..Moving::default() };
        assert!(ring.nearest(a).normal.dot(ring.nearest(b).normal) > 0.9);
        assert!(moving.passes(&ring, a, b, 1e-3));
        let (share, at) = moving.first_hit(&ring, a, b, |_| 0.0).expect("the tube is in the way");
        assert!((at.x + 0.3).abs() < 1e-6 && (share - 0.58 / 0.83).abs() < 1e-6, "{share} {at}");
        // the path through the hole meets nothing
        assert!(!moving.passes(&ring, Vec3::Y * 0.5, Vec3::Y * -0.5, 1e-3));
        // a long path is sampled as finely as a short one
        assert!(moving.passes(&ring, Vec3::new(0.28, 0.0, 0.0), Vec3::new(-20.0, 0.0, 0.0), 1e-3));
    }
}
