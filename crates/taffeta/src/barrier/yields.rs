//! Bodies that leave cloth no room give way: triangles of cloth and of bodies pass through each other until they have
//! come apart.
//!
//! The guard tries to push cloth out of the way of bodies first. Points that it finds no room for are contested. In the
//! next attempt, pairs of a body and a primitive of cloth with a contested point are let be. Cloth with cloth is always
//! divided. Triangles that cross a mesh afterwards are listed in the state, as those that cross at the start. Triangles
//! that are inside an exact shape are found from their places.

use crate::broad::Surface;
use crate::world::World;

/// Steps are divided at least into so many parts of the longest before bodies give way.
const PARTS: f64 = 8.0;

/// Attempts of the guard. In the last one all pairs of cloth and bodies without room are let be.
pub(super) const ATTEMPTS: u32 = 8;

/// What gives way in a step.
#[derive(Default)]
pub(super) struct Yields {
    /// Whether bodies may give way in this step.
    pub allowed: bool,
    last: bool,
    /// Points without room, in rising order.
    contested: Vec<u32>,
    /// Points for which no room was found in the current attempt.
    blocked: Vec<u32>,
    /// Pairs of triangles that may pass through each other in the step.
    pub passing: Vec<[u32; 2]>,
    /// Exact shapes, by their number among the solids, with triangles that are or come inside.
    pub inside: Vec<[u32; 2]>,
}

impl Yields {
    /// Begins a step of length `h`.
    pub fn begin(&mut self, world: &World, h: f64) {
        let shortest =
            world.adaptive.map_or(f64::INFINITY, |adaptive| (2.0 * adaptive.least).max(1.0 / PARTS) * world.h);
        self.allowed = world.bodies_yield() && h <= shortest;
        self.last = false;
        self.contested.clear();
        self.passing.clear();
        self.inside.clear();
    }

    /// Begins an attempt of the guard.
    pub fn begin_attempt(&mut self, last: bool) {
        self.last = last;
        self.blocked.clear();
    }

    /// Whether another attempt may find more room, because points were blocked in the last one that were not contested.
    pub fn learns(&mut self) -> bool {
        let known = self.contested.len();
        self.contested.append(&mut self.blocked);
        self.contested.sort_unstable();
        self.contested.dedup();
        self.allowed && self.contested.len() > known
    }

    /// Whether a primitive of cloth gives way to a body. Remembers its points where there is no room.
    pub fn gives_way(&mut self, points: &[u32], can_push: bool) -> bool {
        if !self.allowed {
            return false;
        }
        if self.last || points.iter().any(|point| self.contested.binary_search(point).is_ok()) {
            return true;
        }
        if !can_push {
            self.block(points);
        }
        false
    }

    /// Remembers points without room.
    pub fn block(&mut self, points: &[u32]) {
        self.blocked.extend_from_slice(points);
    }

    /// Remembers that the triangles of two primitives may pass through each other.
    pub fn pass(&mut self, surface: &Surface, one: &[u32], other: &[u32]) {
        // a primitive is in few triangles, and this happens seldom
        let of = |points: &[u32]| -> Vec<u32> {
            let holds = |v: &[u32; 3]| points.iter().all(|p| v.contains(p));
            let triangles = surface.triangles().iter().enumerate();
            triangles.filter(|(_, v)| holds(v)).map(|(t, _)| t as u32).collect()
        };
        let (own, its) = (of(one), of(other));
        let both = own.iter().flat_map(|a| its.iter().map(move |b| [*a.min(b), *a.max(b)]));
        self.passing.extend(both);
    }

    /// Remembers that a triangle is or comes inside an exact shape.
    pub fn enter(&mut self, solid: usize, triangle: u32) {
        let pair = [solid as u32, triangle];
        if let Err(place) = self.inside.binary_search(&pair) {
            self.inside.insert(place, pair);
        }
    }

    /// Whether a triangle is known to be inside an exact shape.
    pub fn is_inside(&self, solid: usize, triangle: u32) -> bool {
        !self.inside.is_empty() && self.inside.binary_search(&[solid as u32, triangle]).is_ok()
    }
}
