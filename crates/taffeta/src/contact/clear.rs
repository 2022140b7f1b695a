//! Broad phase of particles: those far from all bodies are not tested again until they have moved as far.
//!
//! Steps of the explicit methods are so short that a test of every particle would take as long as the forces.

use crate::Vec3;
use crate::solid::Moving;
use crate::world::World;

/// Where particles were last tested, and how far they can go from there without meeting a body.
#[derive(Default)]
pub(super) struct Clear {
    x: Vec<Vec3>,
    /// m; 0 for those near a body.
    room: Vec<f64>,
}

/// Share of the room that is used: the rest covers rounding.
const SURE: f64 = 0.999;

impl Clear {
    pub fn new(world: &World) -> Self {
        let n = world.mass.len();
        Self { x: vec![Vec3::ZERO; n], room: vec![0.0; n] }
    }

    /// Whether a particle at `x` is known to be away from all bodies, which rest, by more than `way`, m.
    pub fn is_far(&self, i: usize, x: Vec3, way: f64) -> bool {
        x.distance(self.x[i]) + way < self.room[i]
    }

    /// Whether the way of a particle is away from all bodies. Of bodies that move nothing is known.
    pub fn is_clear(&mut self, i: usize, [from, to]: [Vec3; 2], world: &World, moving: &[Moving]) -> bool {
        let seen = self.x[i];
        let within = |room: f64| {
            let square = room * room;
            from.distance_squared(seen) < square && to.distance_squared(seen) < square
        };
        // first: a body that rested until now may have come nearer
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
