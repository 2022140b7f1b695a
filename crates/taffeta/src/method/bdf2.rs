//! The second backward differentiation formula, for steps of changing length.
//!
//! K.-J. Choi and H.-S. Ko, Stable but Responsive Cloth, SIGGRAPH 2002; the formula for r = h/h- by interpolation through
//! the last three states (E. Hairer, S. Nørsett and G. Wanner, Solving Ordinary Differential Equations I, Sec. III.5).
//! The first step, one after a jump of what is held,
//! and one more than twice as long as the last is backward Euler's.

use super::implicit::{self, Solution};
use super::{Implicit, backward_euler};
use crate::boundary::Boundary;
use crate::model::assemble::Past;
use crate::parallel;
use crate::step::Rejection;
use crate::{State, Workspace, World};

pub(super) fn advance(
    world: &World,
    state: &State,
    h: f64,
    settings: &Implicit,
    work: &mut Workspace,
) -> Result<Solution, Rejection> {
    let before = &state.past;
    let Some(r) = ratio(state, h, &work.boundary) else {
        return backward_euler::advance(world, state, h, settings, work);
    };
    let whole = 1.0 + 2.0 * r;
    let (a, b) = ((1.0 + r) * (1.0 + r) / whole, -r * r / whole);
    let implicit::Scratch { base_x, base_v, none, .. } = &mut work.implicit;
    parallel::fill(&world.blocks, base_x, none, |i| state.x[i] * a + before.x[i] * b);
    parallel::fill(&world.blocks, base_v, none, |i| state.v[i] * a + before.v[i] * b);
    let past = Past { now: (&state.x, a), before: Some((&before.x, b)) };
    implicit::solve(world, state, h, lag(r, h), past, settings, work)
}

/// r, or `None` where the step is backward Euler's.
pub(super) fn ratio(state: &State, h: f64, boundary: &Boundary) -> Option<f64> {
    let before = state.past.h;
    // zero-stable for r < 1 + √2 only: Hairer, Nørsett and Wanner, Sec. III.5
    (before != 0.0 && !boundary.jump && h <= 2.001 * before).then(|| h / before)
}

/// s.
pub(super) fn lag(r: f64, h: f64) -> f64 {
    (1.0 + r) / (1.0 + 2.0 * r) * h
}
