//! Forward Euler: x+ = x + h v, v+ = v + h a(x, v).

use super::{Proposal, each_particle, forces_at_start, hold_at_end};
use crate::state::State;
use crate::world::World;

pub(super) fn advance(world: &World, state: &State, h: f64, work: &mut Proposal) {
    forces_at_start(world, state, work);
    let force = &work.force;
    each_particle(world, work.forces.none(), &mut work.x, &mut work.v, |i, x, v| {
        *x = state.x[i] + state.v[i] * h;
        *v = state.v[i] + force[i] * (h / world.mass[i]);
    });
    hold_at_end(world, work);
}
