//! Explicit midpoint: the slope at the middle of the step, reached by half a step of forward Euler.

use super::{Proposal, each_particle, forces_at_stage, forces_at_start, hold_at_end};
use crate::linear::filter::Moment;
use crate::state::State;
use crate::world::World;

pub(super) fn advance(world: &World, state: &State, h: f64, work: &mut Proposal) {
    // to the middle
    forces_at_start(world, state, work);
    let force = &work.force;
    let [stage_x, stage_v] = &mut work.stage;
    each_particle(world, work.forces.none(), stage_x, stage_v, |i, x, v| {
        *x = state.x[i] + state.v[i] * (0.5 * h);
        *v = state.v[i] + force[i] * (0.5 * h / world.mass[i]);
    });

    // the whole step with the slope there
    forces_at_stage(world, state, h, Moment::Middle, work);
    let (force, stage_v) = (&work.force, &work.stage[1]);
    each_particle(world, work.forces.none(), &mut work.x, &mut work.v, |i, x, v| {
        *x = state.x[i] + stage_v[i] * h;
        *v = state.v[i] + force[i] * (h / world.mass[i]);
    });
    hold_at_end(world, work);
}
