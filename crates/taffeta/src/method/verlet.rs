//! Verlet with damping: x+ = x + (1 - ε)(x - x-) + h² a, [Vo 2006, Sec. 7.2].
//!
//! It is written with velocities, so that only x and v have to be stored and the step may start from any velocity:
//! ```text
//! v½ = v + h/2 a(x, v)     x+ = x + h v½     v+ = (1 - ε) v½ + h/2 a(x+, 2 v½ - v)
//! ```
//! For forces that do not depend on the velocity the positions are those of the formula above. For others, 2 v½ - v
//! estimates the velocity at the end, which keeps the second order. ε is lost in every step, so the damping depends on
//! the step size.

use super::{Proposal, each_particle, forces_at_stage, forces_at_start, hold_at_end};
use crate::linear::filter::Moment;
use crate::state::State;
use crate::world::World;

pub(super) fn advance(world: &World, state: &State, h: f64, damping: f64, work: &mut Proposal) {
    forces_at_start(world, state, work);
    let force = &work.force;
    each_particle(world, work.forces.none(), &mut work.x, &mut work.v, |i, x, v| {
        *v = state.v[i] + force[i] * (0.5 * h / world.mass[i]);
        *x = state.x[i] + *v * h;
    });
    hold_at_end(world, work);

    let (x_end, v_half) = (&work.x, &work.v);
    let [stage_x, stage_v] = &mut work.stage;
    each_particle(world, work.forces.none(), stage_x, stage_v, |i, x, v| {
        *x = x_end[i];
        *v = v_half[i] * 2.0 - state.v[i];
    });
    forces_at_stage(world, state, h, Moment::End, work);
    let force = &work.force;
    each_particle(world, work.forces.none(), &mut work.x, &mut work.v, |i, _, v| {
        *v = *v * (1.0 - damping) + force[i] * (0.5 * h / world.mass[i]);
    });
    hold_at_end(world, work);
}
