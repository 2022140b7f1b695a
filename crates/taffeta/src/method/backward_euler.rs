//! Backward Euler: D. Baraff and A. Witkin, Large Steps in Cloth Simulation, SIGGRAPH 1998, Sec. 3. See
//! [`super::implicit`].

use super::{Proposal, implicit};
use crate::force::assemble::Past;
use crate::report::{Rejection, Solution};
use crate::setup::Implicit;
use crate::state::State;
use crate::world::World;

pub(crate) fn advance(
    world: &World,
    state: &State,
    h: f64,
    settings: &Implicit,
    work: &mut Proposal,
) -> Result<Solution, Rejection> {
    work.implicit.base_x.copy_from_slice(&state.x);
    work.implicit.base_v.copy_from_slice(&state.v);
    let past = Past { now: (&state.x, 1.0), before: None };
    implicit::solve(world, state, h, h, past, settings, work)
}
