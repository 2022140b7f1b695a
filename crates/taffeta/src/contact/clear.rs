//! Broad phase of particles: a particle far from all bodies is not tested again until it has moved that far.
//!
//! Steps of the explicit methods are so short that a test of every particle would take as long as the forces.

use crate::Vec3;
use crate::solid::Moving;
use crate::world::World;

/// The positions at which particles were last tested, and how far they can move from there without meeting a body.
#[derive(Default)]
pub(super) struct Clear {
    x: Vec<Vec3>,
    /// Free distance, m; 0 for particles near a body.
    room: Vec<f64>,
}

/// Share of the free distance that is used: the rest covers rounding.
const SURE: f64 = 0.999;

impl Clear {
    pub fn new(world: &World) -> Self {
        let n = world.mass.len();
        Self { x: vec![Vec3::ZERO; n], room: vec![0.0; n] }
    }

    /// Whether a particle at `x` is known to be farther than `way`, m, from all bodies, which are at rest.
    pub fn is_far(&self, i: usize, x: Vec3, way: f64) -> bool {
        x.distance(self.x[i]) + way < self.room[i]
    }

    /// Whether the path of a particle is clear of all bodies. Nothing is known about bodies that move.
    pub fn is_clear(&mut self, i: usize, [from, to]: [Vec3; 2], world: &World, moving: &[Moving]) -> bool {
        let tested = self.x[i];
        let within = |room: f64| {
            let square = room * room;
            from.distance_squared(tested) < square && to.distance_squared(tested) < square
        };
        // this comes first, because a body that rested until now may have come nearer
        if moving.iter().any(|body| body.moves) {
            return false;
        }
        if within(self.room[i]) {
            return true;
        }
        let reach = &world.reach[i];
        let gaps = world
            .solids
            .iter()
            .zip(moving)
            .map(|(solid, body)| solid.exact.distance(body.end.to_body(to)) - reach.farthest(&solid.exact));
        let room = SURE * gaps.fold(f64::INFINITY, f64::min);
        (self.x[i], self.room[i]) = (to, room.max(0.0));
        room > 0.0 && from.distance_squared(to) < room * room
    }
}
