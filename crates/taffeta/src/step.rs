//! One time step, in the order it happens.
//!
//! 1. boundary: where pins and bodies are at the end of the step
//! 2. forces
//! 3. the method proposes new positions and velocities from them. Contact by constraints: implicit methods hold
//!    particles to bodies. Contact by the barrier: its forces are part of the equations of implicit methods, and the
//!    guard shortens the motion
//! 4. limits on stretch, with contact in the same equations after implicit methods
//! 5. contact after the step: the response to constraints, or the barrier after explicit methods and limits; 4 and 5
//!    alternate, and 5 comes last: `correct.rs`
//! 6. accept, or reject and try a shorter step: the state is untouched until then
//! 7. measure: by the caller, at the end of a frame

use crate::Vec3;
use crate::clock::Phase;
use crate::control::{self, Plan};
use crate::correct;
use crate::limit;
use crate::method::{self, Proposal};
use crate::parallel;
use crate::report::{Rejection, Solution, StepError, StepReport};
use crate::state::State;
use crate::workspace::Workspace;
use crate::world::World;

/// Advances the state by one step. On `Err` the state is unchanged.
///
/// The current rayon pool steps large worlds in parallel. Inside a pool (`pool.install`) a step after the first
/// allocates nothing. From outside, rayon itself sometimes allocates to hand the work over.
pub fn step(world: &World, state: &mut State, work: &mut Workspace) -> Result<StepReport, StepError> {
    parallel::in_pool(&world.blocks, || {
        work.proposal.halt.forget();
        let accepted = find(world, state, work);
        work.proposal.clock.stop();
        let (plan, report) = accepted?;
        accept(world, state, work, plan); // the only line that changes the state
        Ok(report)
    })
}

/// Finds a step that can be accepted, as long as planned or shorter.
fn find(world: &World, state: &State, work: &mut Workspace) -> Result<(Plan, StepReport), StepError> {
    let mut plan = control::plan(world, state);
    let mut rejected = 0;
    loop {
        match propose(world, state, work, plan.h) {
            Ok(report) => {
                let overlong = report.overlong.is_some() && too_fast_for_limits(world, state, &work.proposal);
                let Workspace { proposal, checks, .. } = &mut *work;
                let again =
                    overlong || control::is_too_lively(plan, control::unrest(world, state, proposal, plan.h, checks));
                match control::shorter(world, state, plan).filter(|_| again) {
                    Some(shorter) => plan = shorter,
                    None => return Ok((plan, StepReport { rejected, ..report })),
                }
            }
            Err(Rejection::Stopped) => return Err(StepError::Stopped { time: state.time }),
            // filtered Euler met cloth: a shorter step would only meet it later
            Err(reason @ Rejection::Meets { .. }) => return Err(reason.error(world, state, plan.h)),
            Err(reason) => plan = control::reject(world, state, plan, reason)?,
        }
        rejected += 1;
    }
}

/// Whether shorter steps might keep a limit that was broken in this step, because cloth or bodies moved too far for
/// their planes.
fn too_fast_for_limits(world: &World, state: &State, end: &Proposal) -> bool {
    world.adaptive.is_some() && end.contact.moved_far(world, &state.x, &end.x) && !limit::is_broken(world, &state.x)
}

/// Leaves x and v at t + h in the proposal.
fn propose(world: &World, state: &State, work: &mut Workspace, h: f64) -> Result<StepReport, Rejection> {
    let Workspace { proposal, limit, checks } = work;
    if proposal.halt.asked() {
        return Err(Rejection::Stopped);
    }
    proposal.clock.enter(Phase::Rest);
    proposal.impulse.fill(Vec3::ZERO);
    proposal.boundary.advance(world, state, h);
    proposal.contact.advance(world, state, h);

    let mut solution = Solution::default();
    if world.components.integration {
        solution = method::advance(world, state, h, proposal)?;
    } else {
        proposal.x.copy_from_slice(&state.x);
        proposal.v.copy_from_slice(&state.v);
    }
    if world.settles_after() {
        // where a step diverges, contact would be everywhere
        control::check(world, state, &proposal.x, &proposal.v, None, checks)?;
    }
    let mut report = StepReport { h, ..StepReport::from(solution) };
    correct::apply(world, state, h, proposal, limit, &mut report)?;

    proposal.clock.enter(Phase::Rest);
    proposal.contact.sum(h);
    report.contacts = proposal.contact.kept.len() as u32;
    let largest = control::largest_change(world, h);
    control::check(world, state, &proposal.x, &proposal.v, largest, checks)?;
    Ok(report)
}

fn accept(world: &World, state: &mut State, work: &mut Workspace, plan: Plan) {
    let Workspace { proposal, checks, .. } = work;
    let unrest = control::unrest(world, state, proposal, plan.h, checks);
    proposal.accept(world, state);
    if world.method.has_past() {
        method::remember(world, state, proposal, plan.h);
    }
    control::accept(world, state, plan, unrest);
}
