//! Backward Euler: D. Baraff and A. Witkin, Large Steps in Cloth Simulation, SIGGRAPH 1998, Sec. 3. See [`super::implicit`].

use super::Implicit;
use super::implicit::{self, Solution};
use crate::model::assemble::Past;
use crate::step::Rejection;
use crate::{State, Workspace, World};

pub(crate) fn advance(
    world: &World,
    state: &State,
    h: f64,
    settings: &Implicit,
    work: &mut Workspace,
) -> Result<Solution, Rejection> {
    work.implicit.base_x.copy_from_slice(&state.x);
    work.implicit.base_v.copy_from_slice(&state.v);
    let past = Past { now: (&state.x, 1.0), before: None };
    implicit::solve(world, state, h, h, past, settings, work)
}
