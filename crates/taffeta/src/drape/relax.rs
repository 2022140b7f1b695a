//! Static equilibrium with contact.
//!
//! Steps of backward Euler that start from rest: each goes to the minimum of ½ |x - x₀|²_M/h² + Π, so that energy falls whatever h
//! is, and contact and friction act as in any other step. h grows as long as steps succeed; in the end what is left of the
//! inertia is negligible. Friction makes equilibria depend on the way: this one is that of a cloth which is laid down slowly.
//!
//! What moves is followed first by the steps of a run, up to the planned time; then everything stands still.

use super::{Drape, DrapeProgress, DrapeReport};
use crate::boundary::{self, FREE};
use crate::contact::respond::Respond;
use crate::{Implicit, State, Vec3, Workspace, World, method, step};

/// h grows by this factor after a success, and is cut to a quarter after a failure.
const GROWTH: f64 = 1.5;

/// Longest step, s: longer ones go farther, and cost as much more in iterations of the conjugate gradient.
const LONGEST: f64 = 0.25;

/// A step too short for stiffness to hide what is out of balance, s.
const SHORT: f64 = 1e-4;

/// Shortest step, s.
const SHORTEST: f64 = 1e-6;

pub(super) fn relax(
    world: &World,
    state: &mut State,
    settings: &Drape,
    observe: &mut dyn FnMut(&DrapeProgress) -> bool,
) -> DrapeReport {
    let mut report = DrapeReport { stages: 1, ..DrapeReport::default() };
    let mut work = Workspace::for_drape(world);
    work.implicit.still = true;
    let mut go_on = true;
    if moves(world) {
        report.stages = 2;
        while go_on && state.time < world.duration - 1e-9 {
            if step::step(world, state, &mut work).is_err() {
                go_on = false;
            }
            report.iterations += 1;
            go_on &= observe(&progress(&report, f64::INFINITY, 1));
        }
    }
    let gravity = if world.components.gravity { world.gravity.length() } else { 0.0 };
    let gravity = if gravity > 0.0 { gravity } else { 9.81 };
    let from = state.x.clone();
    let size = world.fabrics.iter().map(|fabric| fabric.size).fold(0.0, f64::max);
    let mut h = 1.0 / 60.0;
    report.share = f64::INFINITY;
    while go_on {
        if report.iterations >= settings.iterations || h < SHORTEST {
            break;
        }
        report.iterations += 1;
        state.v.fill(Vec3::ZERO);
        // no more digits than the cloth is near its rest
        let mut solver = Implicit { tolerance: (1e-3 * report.share).clamp(1e-7, 1e-4), ..Implicit::default() };
        if !still_step(world, state, h, &solver, &mut work) {
            h *= 0.25;
            continue;
        }
        (report.residual, report.share) = left(world, state, &work, h, gravity);
        boundary::remember(world, state);
        std::mem::swap(&mut state.x, &mut work.x);
        std::mem::swap(&mut state.contacts, &mut work.contact.kept);
        report.pins = work.impulse.iter().take(world.pins.len()).map(|impulse| *impulse / h).collect();
        go_on = observe(&progress(&report, report.share, report.stages));
        // so far to first order; in a step that is short enough nothing but the net force counts
        solver.tolerance = 1e-7;
        if report.share <= settings.residual && still_step(world, state, SHORT, &solver, &mut work) {
            (report.residual, report.share) = left(world, state, &work, SHORT, gravity);
            if report.share <= settings.residual {
                report.converged = true;
                report.stable = true; // energy fell all the way down to it
                break;
            }
        }
        let fallen = state.x.iter().zip(&from).map(|(x, start)| x.distance(*start)).fold(0.0, f64::max);
        if fallen > 50.0 * size {
            report.loose = world.cloths.first().map(|cloth| cloth.name.clone());
            break;
        }
        h = (GROWTH * h).min(LONGEST);
    }
    state.v.fill(Vec3::ZERO);
    state.frame += 1;
    state.step = 0;
    state.elapsed = 0.0;
    state.time = state.frame as f64 / world.fps;
    report
}

/// Largest net force, N, and the largest as a share of the particle's weight: M Δx/h² of a step from rest.
fn left(world: &World, state: &State, work: &Workspace, h: f64, gravity: f64) -> (f64, f64) {
    let (mut most, mut share) = (0.0f64, 0.0f64);
    for (i, (x, before)) in work.x.iter().zip(&state.x).enumerate() {
        let net = free(work, i, *x - *before).length() / (h * h);
        (most, share) = (most.max(net * world.mass[i]), share.max(net / gravity));
    }
    (most, share)
}

/// The displacement in directions that nothing holds.
fn free(work: &Workspace, i: usize, by: Vec3) -> Vec3 {
    match work.boundary.slot[i] {
        FREE => by,
        slot => work.boundary.held[slot as usize].free * by,
    }
}

fn progress(report: &DrapeReport, share: f64, stage: u32) -> DrapeProgress {
    DrapeProgress { iteration: report.iterations, share, stage, stages: report.stages }
}

fn moves(world: &World) -> bool {
    let pins = world.pins.iter().any(|pin| pin.motion.keys.len() > 1 || pin.from > 0.0 || pin.until < world.duration);
    pins || world.bodies.iter().any(|body| body.moves())
}

/// A step in which pins and bodies stand still; leaves its end in `work`. False if it failed.
fn still_step(world: &World, state: &State, h: f64, solver: &Implicit, work: &mut Workspace) -> bool {
    work.impulse.fill(Vec3::ZERO);
    work.boundary.advance(world, state, 1e-9);
    work.contact.advance(world, state, 1e-9);
    for held in &mut work.boundary.held {
        held.end_speed = Vec3::ZERO;
    }
    for moving in &mut work.contact.moving {
        moving.stop();
    }
    if method::backward_euler::advance(world, state, h, solver, work).is_err() {
        return false;
    }
    let Workspace { boundary, contact, x, v, .. } = work;
    Respond { world, state, boundary, h, x, v, whole: false }.apply(contact);
    step::check(world, state, work).is_ok() && crate::control::changes(world, state, work, STRETCH).is_ok()
}

/// Largest change of a triangle's stretch in a step.
const STRETCH: f64 = 0.1;
