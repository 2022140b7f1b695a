//! What corrects the end of a step that a method proposes: edges that are too long are shortened, and cloth is pushed
//! out of bodies, in turns. Each may undo the other, and contact comes last.

use crate::barrier::after::End;
use crate::clock::Phase;
use crate::contact::respond::Respond;
use crate::limit;
use crate::method::{self, Proposal};
use crate::report::{Rejection, StepReport};
use crate::state::State;
use crate::world::World;

/// Largest number of times that limits and contact alternate in a step.
const ALTERNATE: u32 = 4;

/// Corrects the end of a step of length h, and reports it.
pub(crate) fn apply(
    world: &World,
    state: &State,
    h: f64,
    end: &mut Proposal,
    work: &mut limit::LimitBuffers,
    report: &mut StepReport,
) -> Result<(), Rejection> {
    if world.barrier.is_some() {
        return apply_with_barrier(world, state, h, end, work, report);
    }
    let implicit = world.method.holds_contact();
    let mut pushed = if implicit { respond(world, state, h, end) } else { 0 };
    let mut outcome = limit::Outcome::default();
    for turn in 1..=ALTERNATE {
        end.clock.enter(Phase::Limit);
        outcome = limits(world, state, h, end, work);
        if end.halt.asked() {
            return Err(Rejection::Stopped);
        }
        report.limited += outcome.limited;
        report.limiter_rounds += outcome.rounds;
        if implicit && outcome.limited == 0 {
            break;
        }
        let more = respond(world, state, h, end);
        pushed += more;
        let done = more == 0 || outcome.limited == 0 || turn == ALTERNATE;
        // where the limiter failed between its planes, the next pass has other planes and must not start from these
        // forces
        if (done || outcome.longest.is_none()) && !outcome.undone && !end.contact.bounds.is_empty() {
            end.contact.take_bounds(world, &end.x);
        }
        if done {
            break;
        }
    }
    end.clock.enter(Phase::Limit);
    if pushed > 0 {
        outcome.recheck(world, &end.x);
    }
    report.pushed = pushed;
    report.overlong = outcome.overlong(world, &end.x, state.time + h);
    Ok(())
}

/// The same with contact by the barrier, which comes last: where a limit and contact cannot both hold, the limit does
/// not.
fn apply_with_barrier(
    world: &World,
    state: &State,
    h: f64,
    end: &mut Proposal,
    work: &mut limit::LimitBuffers,
    report: &mut StepReport,
) -> Result<(), Rejection> {
    let mut known = world.method.holds_contact();
    let mut outcome = limit::Outcome::default();
    for _ in 0..ALTERNATE {
        end.clock.enter(Phase::Limit);
        outcome = limits(world, state, h, end, work);
        if end.halt.asked() {
            return Err(Rejection::Stopped);
        }
        report.limited += outcome.limited;
        report.limiter_rounds += outcome.rounds;
        if known && outcome.limited == 0 || !world.settles_after() {
            break;
        }
        known = true;
        end.clock.enter(Phase::Contact);
        let s = method::effective_step(world, state, h, &end.boundary);
        let Proposal { boundary, x, v, impulse, contact, barrier, halt, .. } = &mut *end;
        contact.forget();
        report.guard = barrier.settle(world, state, [h, s], End { boundary, x, v, impulse, contact, halt })?;
        outcome.recheck(world, &end.x);
    }
    end.clock.enter(Phase::Limit);
    report.overlong = outcome.overlong(world, &end.x, state.time + h);
    Ok(())
}

/// Applies the limits on stretch. With implicit methods, which know the contacts, the limiter solves for contact forces
/// together with the tensions. With the others, contact follows the limiter.
fn limits(world: &World, state: &State, h: f64, end: &mut Proposal, work: &mut limit::LimitBuffers) -> limit::Outcome {
    let tau = method::effective_step(world, state, h, &end.boundary);
    let Proposal { boundary, x, v, impulse, contact, halt, .. } = end;
    let by_constraints = world.method.holds_contact() && !world.solids.is_empty() && world.barrier.is_none();
    let together = by_constraints && limit::is_over(world, x);
    contact.bounds.clear();
    if together {
        boundary.drop_contacts();
        contact.find_bounds(world, state, boundary, h, x);
    }
    let bounds = &mut contact.bounds;
    let limits = limit::Limits { boundary, start: &state.x, tau, x, v, impulse, bounds, halt };
    limit::apply(world, h, limits, work)
}

/// Applies the contact response; returns how many particles it pushed.
fn respond(world: &World, state: &State, h: f64, end: &mut Proposal) -> u64 {
    if world.solids.is_empty() {
        return 0;
    }
    let Proposal { boundary, contact, x, v, clock, .. } = end;
    clock.enter(Phase::Contact);
    let whole = !world.method.holds_contact();
    Respond { world, state, boundary, h, x, v, whole }.apply(contact)
}
