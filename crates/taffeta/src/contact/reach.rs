//! How near particles come to bodies.
//!
//! On curved bodies a particle is lifted by as much as its triangles would otherwise dip into them. The size of the
//! triangles is measured at the start of every step, because cloth stretches.

use super::Contacts;
use crate::parallel;
use crate::solid::reach::circle;
use crate::solid::{Moving, Solid};
use crate::state::State;
use crate::world::World;

/// Factor by which triangles may grow within a step.
const GROWN: f64 = 1.03;

/// A particle moves at most this many times as far in a step as its speed predicts.
const FASTER: f64 = 2.0;

impl Contacts {
    /// Finds how near particles come to bodies in a step of length `h`. Cloth that is hardly stretched has the reach of
    /// its rest shape, which does not change from step to step.
    pub(super) fn find_reach(&mut self, world: &World, state: &State, h: f64) {
        if world.solids.is_empty() {
            return;
        }
        let Self { reach, clear, moving, none, .. } = self;
        let rests = !moving.iter().any(|body| body.moves);
        let x = &state.x;
        // stored distances only save a distance query: the answer depends on the state alone
        let far = |i: usize| {
            let way = FASTER * h * state.v[i].length();
            let room = |(solid, body): (&Solid, &Moving)| {
                solid.exact.distance(body.end.to_body(x[i])) - world.reach[i].farthest(&solid.exact)
            };
            rests && (clear.is_far(i, x[i], way) || world.solids.iter().zip(&*moving).all(|both| room(both) > way))
        };
        parallel::each(&world.blocks, &mut reach[..], none, &|block, reach, _| {
            let first = block.particles.start;
            // squares until all triangles are measured; 0 for particles that are far away
            for (i, reach) in block.particles.clone().zip(reach.iter_mut()) {
                reach.radius = if far(i) { 0.0 } else { world.reach[i].radius.powi(2) };
            }
            for triangle in world.elements.triangles.of(block) {
                let own = triangle.map(|v| (v as usize).wrapping_sub(first));
                if own.iter().all(|k| reach.get(*k).is_none_or(|reach| reach.radius == 0.0)) {
                    continue;
                }
                let [a, b, c] = triangle.map(|v| x[v as usize]);
                let square = GROWN * GROWN * circle([a, b, c].map(|p| p.to_array()));
                for k in own {
                    if let Some(reach) = reach.get_mut(k).filter(|reach| reach.radius > 0.0) {
                        reach.radius = reach.radius.max(square);
                    }
                }
            }
            for (i, reach) in block.particles.clone().zip(reach.iter_mut()) {
                let rest = world.reach[i].radius;
                // the root of a square may differ from the number that was squared
                reach.radius = if reach.radius <= rest.powi(2) { rest } else { reach.radius.sqrt() };
            }
        });
    }
}
