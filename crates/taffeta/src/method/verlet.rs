//! Verlet with damping: x+ = x + (1 - ε)(x - x-) + h² a, [Vo 2006, Sec. 7.2].
//!
//! Written with velocities, so that nothing but x and v has to be remembered and the step may start from any velocity:
//! ```text
//! v½ = v + h/2 a(x, v)     x+ = x + h v½     v+ = (1 - ε) v½ + h/2 a(x+, v½)
//! ```
//! The positions are those of the formula above.

use super::{each_particle, forces_at_start, hold_at_end};
use crate::model::forces;
use crate::{State, Workspace, World};

pub(super) fn advance(world: &World, state: &State, h: f64, damping: f64, work: &mut Workspace) {
    forces_at_start(world, state, work);
    let force = &work.force;
    each_particle(world, work.forces.none(), &mut work.x, &mut work.v, |i, x, v| {
        *v = state.v[i] + force[i] * (0.5 * h / world.mass[i]);
        *x = state.x[i] + *v * h;
    });
    hold_at_end(world, work);

    let t = state.time + h;
    forces::evaluate(world, t, &work.x, &work.v, &mut work.force, &mut work.forces);
    forces::add_loads(world, t, &mut work.force);
    let force = &work.force;
    each_particle(world, work.forces.none(), &mut work.x, &mut work.v, |i, _, v| {
        *v = *v * (1.0 - damping) + force[i] * (0.5 * h / world.mass[i]);
    });
    hold_at_end(world, work);
}
