//! One contact: points with weights on both sides, a normal and a gap, whatever it is between.

use super::law::Law;
use crate::Vec3;
use crate::algebra::outer;
use crate::friction::{self, Linear};
use crate::linear::terms::Term;
use crate::narrow::{Points, closest};
use crate::state::{ContactKey, ContactKind};
use glam::DMat3;

/// The body of a contact between cloths.
pub(crate) const NO_BODY: u32 = u32::MAX;

/// A contact.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stencil {
    pub key: ContactKey,
    /// The points of both primitives, if they are triangles or parts of them.
    pub points: [u32; 4],
    /// Particles with weights, positive on the first side. Those that are not used have the weight 0.
    pub particles: [u32; 4],
    pub weights: [f64; 4],
    /// From the second side to the first.
    pub normal: Vec3,
    /// Distance of the sides, m.
    pub gap: f64,
    pub law: Law,
    /// Coefficient of friction.
    pub friction: f64,
    /// The body on the second side, by its index in the world, or [`NO_BODY`].
    pub body: u32,
    /// How far driven points will still bring the first side from the second until the end of the step, m.
    pub carried: Vec3,
    /// How far they bring it in the whole step, m.
    pub rode: Vec3,
    /// Whether it only helps a particle out of a body that gave way.
    pub leaves: bool,
    /// Whether the first side rebounded in this step: nothing balances the force any more.
    pub rebounded: bool,
    /// Elastic slip before the step, m.
    pub slip: Vec3,
    /// Normal force before the step, or in the last linearisation, N.
    pub before: f64,
    /// Normal force at the end of the step as it is expected, N, and what it changes by.
    pub force: f64,
    pub slope: f64,
    /// Normal force at the gap of the linearisation, N.
    pub start: f64,
    /// Friction.
    pub rub: Linear,
}

/// How the sides of a contact meet in a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meeting {
    /// How far the first side would still go from the second in this step without a change of forces, m.
    pub way: Vec3,
    /// How far it has gone already, m.
    pub moved: Vec3,
    /// Effective mass, kg.
    pub mass: f64,
    /// The time that turns velocities into displacements, s.
    pub s: f64,
}

/// Gaps that differ by less than this share are taken as equal: between them a secant would be rounding.
const EQUAL: f64 = 1e-6;

/// Damping of the normal motion: how much stiffer a contact is against motion within a step.
const DAMPING: f64 = 2.0;

impl Stencil {
    /// The particles that are used, with their weights.
    pub fn used(&self) -> impl Iterator<Item = (u32, f64)> {
        self.particles.into_iter().zip(self.weights).filter(|(_, weight)| *weight != 0.0)
    }

    /// The particle that alone touches a body.
    pub fn single(&self) -> Option<u32> {
        match self.key.kind {
            ContactKind::ShapeVertex => Some(self.particles[0]),
            ContactKind::VertexFace if self.weights[0] == 1.0 => Some(self.particles[0]),
            _ => None,
        }
    }

    /// Σ wᵢ f(i) over the particles that are used.
    #[inline]
    pub fn sum(&self, f: impl Fn(usize) -> Vec3) -> Vec3 {
        (0..4).filter(|k| self.weights[*k] != 0.0).map(|k| f(self.particles[k] as usize) * self.weights[k]).sum()
    }

    /// The effective mass 1/Σ(wᵢ²/mᵢ), kg, with the inverse masses of the particles.
    #[inline]
    pub fn mass(&self, inverse: impl Fn(usize) -> f64) -> f64 {
        let sum: f64 = (0..4).map(|k| self.weights[k] * self.weights[k] * inverse(self.particles[k] as usize)).sum();
        1.0 / sum
    }

    /// From the closest point of the second primitive to that of the first, with all points at other places; `None` for
    /// exact shapes.
    pub fn difference(&self, x: impl Fn(usize) -> Vec3) -> Option<Vec3> {
        let points = || -> Points { self.points.map(|i| x(i as usize)) };
        match self.key.kind {
            ContactKind::VertexFace => Some(closest::difference::<1>(&points(), closest::vertex_face(points()))),
            ContactKind::EdgeEdge => Some(closest::difference::<2>(&points(), closest::edge_edge(points()))),
            ContactKind::ShapeVertex | ContactKind::ShapeFace => None,
        }
    }

    /// Linearises normal force and friction for displacements from here.
    ///
    /// D is the gap at the end of a step of the two sides alone. Where they approach, the normal force is linear
    /// between the gap here and D: a tangent here would be without force where the sides do not touch yet, and a
    /// tangent at D would pull where others stop the sides before. Where they part, it is the tangent at D: the force
    /// here may be large only because the guard stopped the sides late.
    pub fn linearise(&mut self, at: &Meeting) {
        let Self { law, normal, gap, .. } = *self;
        let end = law.end(self.before, gap + normal.dot(at.way), at.mass, at.s);
        self.force = law.force(end);
        let from = gap.min(law.radius);
        if end >= from * (1.0 - EQUAL) {
            self.slope = law.slope(end);
            self.start = self.force + self.slope * (end - gap);
        } else {
            let there = law.force(from);
            self.slope = ((self.force - there) / (from - end)).max(0.0);
            self.start = there - self.slope * (gap - from);
        }
        self.damp(at);
        self.rub(at);
    }

    /// Damps the normal motion, so that light cloth does not hop: the force resists opening and closing as if the
    /// contact were stiffer, where it would still push at the end of the step.
    fn damp(&mut self, at: &Meeting) {
        let inertia = at.mass / (at.s * at.s);
        let stiff = self.slope * (1.0 + DAMPING);
        let u = (inertia * self.normal.dot(at.way) + self.start - self.before) / (inertia + stiff);
        let left = self.start - stiff * u;
        if inertia.is_finite() && left > 0.0 {
            self.slope = stiff;
            self.force = left;
        }
    }

    /// Friction on the slip from where the contact took hold.
    fn rub(&mut self, at: &Meeting) {
        let along = |v: Vec3| v - self.normal * self.normal.dot(v);
        let plane = DMat3::IDENTITY - outer(self.normal, self.normal);
        let inertia = at.mass / (at.s * at.s);
        let grip = friction::grip(self.friction, self.force);
        self.rub = friction::elastic(along(self.slip + at.moved), along(at.way), plane, inertia, grip);
    }

    /// The force on the first side after a displacement u of the sides against each other from here, N.
    pub fn push(&self, u: Vec3) -> Vec3 {
        let u = u + self.carried;
        self.normal * (self.start - self.slope * self.normal.dot(u)) + self.rub.force - self.rub.stiffness * u
    }

    /// The term of the matrix, per s².
    pub fn term(&self) -> Term {
        let block = outer(self.normal, self.normal) * self.slope + self.rub.stiffness;
        Term { particles: self.particles, weights: self.weights, block }
    }

    /// The slip to keep after the step, m, from the displacement of the sides in it.
    pub fn slip_after(&self, moved: Vec3) -> Vec3 {
        let slip = self.slip + moved;
        friction::elastic_part(slip - self.normal * self.normal.dot(slip))
    }
}
