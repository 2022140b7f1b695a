//! Symplectic Euler: v+ = v + h a(x, v), x+ = x + h v+ ([Vo 2006, Sec. 5.1] calls it explicit Euler).

use super::{Proposal, each_particle, forces_at_start, hold_at_end};
use crate::state::State;
use crate::world::World;

pub(super) fn advance(world: &World, state: &State, h: f64, work: &mut Proposal) {
    forces_at_start(world, state, work);
    let force = &work.force;
    each_particle(world, work.forces.none(), &mut work.x, &mut work.v, |i, x, v| {
        *v = state.v[i] + force[i] * (h / world.mass[i]);
        *x = state.x[i] + *v * h;
    });
    hold_at_end(world, work);
}
