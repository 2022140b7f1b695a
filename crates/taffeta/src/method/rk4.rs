//! The classic Runge-Kutta method of fourth order.

use super::{Proposal, each_particle, forces_at_stage, forces_at_start, hold_at_end};
use crate::linear::filter::Moment;
use crate::state::State;
use crate::world::World;

pub(super) fn advance(world: &World, state: &State, h: f64, work: &mut Proposal) {
    // the sum of slopes gathers in work.x and work.v
    forces_at_start(world, state, work);
    let force = &work.force;
    each_particle(world, work.forces.none(), &mut work.x, &mut work.v, |i, x, v| {
        *x = state.x[i] + state.v[i] * (h / 6.0);
        *v = state.v[i] + force[i] * (h / (6.0 * world.mass[i]));
    });
    let [stage_x, stage_v] = &mut work.stage;
    each_particle(world, work.forces.none(), stage_x, stage_v, |i, x, v| {
        *x = state.x[i] + state.v[i] * (0.5 * h);
        *v = state.v[i] + force[i] * (0.5 * h / world.mass[i]);
    });

    // slopes 2, 3 and 4: where each is taken, its weight, and how far the next stage goes
    let (middle, end) = (Moment::Middle, Moment::End);
    for (at, weight, next) in [(middle, h / 3.0, 0.5 * h), (middle, h / 3.0, h), (end, h / 6.0, 0.0)] {
        forces_at_stage(world, state, h, at, work);
        let (force, stage_v) = (&work.force, &work.stage[1]);
        each_particle(world, work.forces.none(), &mut work.x, &mut work.v, |i, x, v| {
            *x += stage_v[i] * weight;
            *v += force[i] * (weight / world.mass[i]);
        });
        if next > 0.0 {
            let [stage_x, stage_v] = &mut work.stage;
            each_particle(world, work.forces.none(), stage_x, stage_v, |i, x, v| {
                *x = state.x[i] + *v * next;
                *v = state.v[i] + force[i] * (next / world.mass[i]);
            });
        }
    }
    hold_at_end(world, work);
}
