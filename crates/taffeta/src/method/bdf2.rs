//! The second backward differentiation formula, for steps of changing length.
//!
//! K.-J. Choi and H.-S. Ko, Stable but Responsive Cloth, SIGGRAPH 2002. The formula for r = h/h- follows from
//! interpolation through the last three states (E. Hairer, S. Nørsett and G. Wanner, Solving Ordinary Differential
//! Equations I, Sec. III.5). Backward Euler takes the first step, a step after a jump of what is held, and a step more
//! than twice as long as the last.

use super::{Proposal, backward_euler, implicit};
use crate::Vec3;
use crate::barrier::Barrier;
use crate::boundary::Boundary;
use crate::force::assemble::Past;
use crate::parallel;
use crate::report::{Rejection, Solution};
use crate::setup::Implicit;
use crate::state::{Contact, State};
use crate::world::World;

/// Largest ratio of a step to the one before, with room for rounding: doubled steps are allowed, and the formula is
/// zero-stable below 1 + √2 (Hairer, Nørsett and Wanner, Sec. III.5).
const LARGEST_RATIO: f64 = 2.001;

/// A particle was stopped if its velocity changed by more than gravity adds in this many steps.
const STOPPED: f64 = 0.5;

pub(super) fn advance(
    world: &World,
    state: &State,
    h: f64,
    settings: &Implicit,
    work: &mut Proposal,
) -> Result<Solution, Rejection> {
    let before = &state.past;
    let Some(r) = ratio(state, h, &work.boundary) else {
        return backward_euler::advance(world, state, h, settings, work);
    };
    let whole = 1.0 + 2.0 * r;
    let (a, b) = ((1.0 + r) * (1.0 + r) / whole, -r * r / whole);
    let implicit::ImplicitBuffers { base_x, base_v, none, .. } = &mut work.implicit;
    parallel::fill(&world.blocks, base_x, none, |i| state.x[i] * a + before.x[i] * b);
    parallel::fill(&world.blocks, base_v, none, |i| state.v[i] * a + before.v[i] * b);
    let past = Past { now: (&state.x, a), before: Some((&before.x, b)) };
    implicit::solve(world, state, h, effective_step(r, h), past, settings, work)
}

/// r, or `None` where the step is backward Euler's.
pub(super) fn ratio(state: &State, h: f64, boundary: &Boundary) -> Option<f64> {
    let before = state.past.h;
    (before != 0.0 && !boundary.jump && h <= LARGEST_RATIO * before).then(|| h / before)
}

/// s, the effective step: x+ = X + s v+.
pub(super) fn effective_step(r: f64, h: f64) -> f64 {
    (1.0 + r) / (1.0 + 2.0 * r) * h
}

/// Makes the state before the last step, which `before` has, the past.
pub(super) fn remember(world: &World, state: &mut State, before: &mut Proposal, h: f64) {
    std::mem::swap(&mut state.past.x, &mut before.x);
    std::mem::swap(&mut state.past.v, &mut before.v);
    // after a rebound the past does not predict the future
    state.past.h = if before.contact.bounced { 0.0 } else { h };
    let State { past, x, v, .. } = &mut *state;
    each_stopped(world, &before.barrier, h, |i, along| {
        let stopped = along(v[i] - past.v[i]);
        if stopped {
            (past.v[i], past.x[i]) = (v[i], x[i] - v[i] * h);
        }
    });
    forget(world, state, &before.contact.kept, h);
}

/// Calls a function for all particles of contacts by the barrier, with a function that says whether a change of
/// velocity means that the contact has just stopped or pushed the particle. Its past would throw it back then.
pub(super) fn each_stopped(world: &World, barrier: &Barrier, h: f64, mut f: impl FnMut(usize, &dyn Fn(Vec3) -> bool)) {
    let calm = STOPPED * world.gravity.length() * h;
    for stencil in barrier.stencils.iter().filter(|stencil| stencil.force > 0.0) {
        for (i, weight) in stencil.used() {
            f(i as usize, &|change| stencil.normal.dot(change) * weight.signum() > calm);
        }
    }
}

/// Forgets the past of particles that a body has just stopped or pushed: it would throw them off the surface.
fn forget(world: &World, state: &mut State, before: &[Contact], h: f64) {
    let calm = STOPPED * world.gravity.length() * h;
    for contact in &state.contacts {
        if before.binary_search_by_key(&contact.vertex, |contact| contact.vertex).is_ok() {
            continue;
        }
        let i = contact.vertex as usize;
        let Some(near) = world.bodies[contact.body as usize].nearest(state.time + h).map(|near| near(state.x[i]))
        else {
            continue;
        };
        if near.normal.dot(state.v[i] - state.past.v[i]) > calm {
            state.past.v[i] = state.v[i];
            state.past.x[i] = state.x[i] - state.v[i] * h;
        }
    }
}
