//! Static equilibrium with contact by the barrier.
//!
//! Moving pins and bodies are first followed by the steps of a run, up to the planned time. After that everything
//! stands still. The cloth falls and comes to rest by guarded steps of backward Euler, as in a run, but in a vacuum,
//! with artificial damping and with little accuracy. Newton's method takes over when it hardly moves: see
//! [`super::balance`]. If it finds no equilibrium, the steps continue.
//!
//! With friction the equilibrium depends on the path. The result is that of a cloth which is laid down.

use super::balance::{Balance, Ended};
use super::relax::{Fall, follow, progress, still};
use super::{Drape, DrapeProgress, DrapeReport};
use crate::Vec3;
use crate::control;
use crate::halt::Halt;
use crate::method::{self, Proposal};
use crate::setup::Implicit;
use crate::state::State;
use crate::workspace::Workspace;
use crate::world::World;

/// First and longest step, s, factors on it after a success and after a failure, and the shortest.
const FIRST: f64 = 1.0 / 120.0;
const LONGEST: f64 = 1.0 / 60.0;
const GROWTH: f64 = 1.2;
const CUT: f64 = 0.5;
const SHORTEST: f64 = 1e-6;

/// Artificial damping, 1/s: a sheet of a metre that swings is stopped in its first swings.
const BRAKE: f64 = 4.0;

/// Tolerance of the conjugate gradient: with a larger one layers hop.
const TOLERANCE: f64 = 1e-3;

/// Mean speed below which Newton's method takes over, m/s, in the fall of a cloth of the size 1 m; it is proportional
/// to the root of the size. It also takes over after a time, s. Where it has found nothing, the cloth settles further,
/// for this time at least, s.
const CALM: f64 = 1e-3;
const PATIENCE: f64 = 8.0;
const WAIT: f64 = 0.25;

/// Largest change of a triangle's stretch in a step.
const STRETCH: f64 = 0.1;

pub(super) fn settle(
    world: &World,
    state: &mut State,
    settings: &Drape,
    halt: &Halt,
    observe: &mut dyn FnMut(&DrapeProgress) -> bool,
) -> DrapeReport {
    let mut report = DrapeReport { stages: 1, stage: 1, share: f64::INFINITY, ..DrapeReport::default() };
    let mut work = Workspace::for_drape(world);
    work.stop_when(halt.clone());
    let frame = state.frame + 1;
    let mut go_on = follow(world, state, &mut work, &mut report, observe);
    work.proposal.implicit.vacuum = true;
    work.proposal.barrier.stand(state.time);
    let fall = Fall::from(world, state);
    let calm = CALM * fall.size.sqrt();
    let (mut h, mut time, mut tried, mut calm_from) = (FIRST, 0.0, 0.0, 0.0);
    while go_on {
        if report.iterations >= settings.iterations || h < SHORTEST {
            search(world, state, &Drape { iterations: 0, ..*settings }, &mut work, &mut report, observe);
            break;
        }
        report.iterations += 1;
        state.v.iter_mut().for_each(|v| *v *= 1.0 - BRAKE * h);
        work.proposal.halt.forget();
        let stepped = step(world, state, h, &mut work);
        if work.proposal.halt.asked() {
            report.stopped = true;
            break;
        }
        if !stepped {
            h *= CUT;
            continue;
        }
        time += h;
        (report.residual, report.share) = super::relax::left(world, state, &work, h, world.gravity_scale());
        report.pins = work.proposal.impulse.iter().take(world.pins.len()).map(|impulse| *impulse / h).collect();
        work.proposal.accept(world, state);
        work.proposal.barrier.pass(h);
        go_on = observe(&progress(&report, report.share, report.stages));
        report.stopped = !go_on;
        let mean = state.v.iter().map(|v| v.length()).sum::<f64>() / state.v.len().max(1) as f64;
        if go_on && (mean < calm && time >= calm_from || time - tried > PATIENCE) {
            match search(world, state, settings, &mut work, &mut report, observe) {
                Ended::Stalled if report.iterations < settings.iterations => {
                    (h, tried, calm_from) = (FIRST, time, time + WAIT);
                }
                _ => break,
            }
        }
        report.loose = fall.loose(world, state);
        if report.loose.is_some() {
            break;
        }
        h = (GROWTH * h).min(LONGEST);
    }
    state.v.fill(Vec3::ZERO);
    control::begin_frame(world, state, frame);
    report
}

/// Takes a step in which pins and bodies stand still and leaves its end in `work`. False if it failed.
fn step(world: &World, state: &State, h: f64, work: &mut Workspace) -> bool {
    still(world, state, &mut work.proposal);
    let solver = Implicit { tolerance: TOLERANCE, ..Implicit::default() };
    if method::backward_euler::advance(world, state, h, &solver, &mut work.proposal).is_err() {
        return false;
    }
    control::check(world, state, &work.proposal.x, &work.proposal.v, Some(STRETCH), &mut work.checks).is_ok()
}

/// Runs Newton's method, and reports its end.
fn search(
    world: &World,
    state: &mut State,
    settings: &Drape,
    work: &mut Workspace,
    report: &mut DrapeReport,
    observe: &mut dyn FnMut(&DrapeProgress) -> bool,
) -> Ended {
    state.v.fill(Vec3::ZERO);
    still(world, state, &mut work.proposal);
    let Proposal { boundary, contact, barrier, halt, .. } = &mut work.proposal;
    let mut balance = Balance::new(world, boundary, barrier, halt);
    let ended = balance.find(state, contact, settings, report, observe);
    report.converged = ended == Ended::Found;
    report.stopped = ended == Ended::Stopped;
    report.pins = balance.reactions();
    balance.tell(state, contact);
    contact.sum(1.0);
    if report.converged {
        report.bodies.clone_from(&contact.impulse);
        report.pushes = contact.pushes.list();
    }
    state.contacts.clone_from(&contact.kept);
    ended
}
