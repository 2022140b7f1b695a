//! Static equilibrium with contact by constraints.
//!
//! On smooth bodies the search starts with steps of backward Euler from rest: each goes to the minimum of ½ |x -
//! x₀|²_M/h² + Π to first order. Contact and friction act as in any other step, but with less accuracy. h grows as long
//! as steps succeed. Near the equilibrium Newton's method takes over, which is not limited to first order: see
//! [`super::touching`]. If it finds no equilibrium, the steps continue until they are nearer.
//!
//! Rows of triangles that tip over a sharp edge have no smooth energy. On bodies with sharp edges the cloth falls and
//! comes to rest as in a run, but in a vacuum and with artificial damping, first with low accuracy, then in long steps.
//!
//! With friction the equilibrium depends on the path. The result is that of a cloth which is laid down.
//!
//! Moving pins and bodies are first followed by the steps of a run, up to the planned time. After that everything
//! stands still.

use super::touching::Touching;
use super::{Drape, DrapeProgress, DrapeReport, Goal, INSTANT, Search};
use crate::Vec3;
use crate::contact::Accuracy;
use crate::contact::respond::Respond;
use crate::control;
use crate::halt::Halt;
use crate::linear::cholesky::Symbolic;
use crate::linear::filter::FREE;
use crate::method::{self, Proposal};
use crate::report::StepError;
use crate::setup::Implicit;
use crate::solid::Moving;
use crate::state::State;
use crate::step;
use crate::workspace::Workspace;
use crate::world::World;

/// Factors on h after a success and after a failure.
const GROWTH: f64 = 1.5;
const CUT: f64 = 0.25;

/// Longest step, s: longer ones go farther, but cost proportionally more iterations of the conjugate gradient.
const LONGEST: f64 = 0.25;

/// First step, s, which is also the longest for a cloth that falls fast.
const FIRST: f64 = 1.0 / 60.0;

/// Artificial damping of a falling cloth, 1/s: less than twice the frequency of its slow modes, which would creep.
const BRAKE: f64 = 2.0;

/// Net force as a share of the weight above which a falling cloth is fast.
const SLOW: f64 = 0.03;

/// A cloth is at rest if the allowed net force could have given it its speed in this time, s, which is the time
/// constant of the damping.
const SOON: f64 = 1.0 / BRAKE;

/// Net force as a share of the weight below which Newton's method takes over.
const NEAR: f64 = 0.02;

/// Net force as a share of the weight that Newton's method reaches before contact is reviewed.
const ROUGHLY: f64 = 0.01;

/// Iterations of Newton's method before the steps continue.
const TRIES: u32 = 400;

/// If Newton's method fails, the steps continue to this share of the net force before it is tried again.
const NEARER: f64 = 0.2;

/// A cloth that has moved by this many times its size falls for ever.
const FALLEN: f64 = 50.0;

/// Tolerance of the conjugate gradient over the net force as a share of the weight, and its least and largest value.
const TOLERANCE: f64 = 1e-3;
const TOLERANCES: (f64, f64) = (1e-7, 1e-4);

/// Shortest step, s.
const SHORTEST: f64 = 1e-6;

pub(super) fn relax(
    world: &World,
    state: &mut State,
    settings: &Drape,
    halt: &Halt,
    observe: &mut dyn FnMut(&DrapeProgress) -> bool,
) -> DrapeReport {
    let mut report = DrapeReport { stages: 1, stage: 1, ..DrapeReport::default() };
    let mut work = Workspace::for_drape(world);
    work.stop_when(halt.clone());
    let symbolic = Symbolic::new(&world.layout.pattern, &world.rest);
    let mut near = NEAR;
    let frame = state.frame + 1;
    let mut go_on = follow(world, state, &mut work, &mut report, observe);
    work.proposal.implicit.vacuum = true;
    // rows of triangles that tip over a sharp edge have no smooth energy
    let smooth = !world.has_sharp_bodies();
    work.proposal.implicit.direct_only = smooth;
    work.proposal.contact.accuracy = Accuracy::Little;
    let gravity = world.gravity_scale();
    let fall = Fall::from(world, state);
    let mut h = FIRST;
    report.share = f64::INFINITY;
    while go_on {
        if report.iterations >= settings.iterations || h < SHORTEST {
            break;
        }
        report.iterations += 1;
        if smooth {
            state.v.fill(Vec3::ZERO);
        } else {
            state.v.iter_mut().for_each(|v| *v *= 1.0 - BRAKE * h);
        }
        work.proposal.halt.forget();
        let stepped = still_step(world, state, h, &solver(report.share), &mut work);
        if work.proposal.halt.asked() {
            report.stopped = true;
            break;
        }
        if !stepped {
            h *= CUT;
            continue;
        }
        (report.residual, report.share) = left(world, state, &work, h, gravity);
        work.proposal.accept(world, state);
        report.pins = work.proposal.impulse.iter().take(world.pins.len()).map(|impulse| *impulse / h).collect();
        go_on = observe(&progress(&report, report.share, report.stages));
        report.stopped = !go_on;
        let rests = report.share <= settings.residual && fastest(state) <= settings.residual * gravity * SOON;
        let accuracy = work.proposal.contact.accuracy;
        work.proposal.contact.accuracy = match accuracy {
            Accuracy::Little if smooth || report.share > SLOW => Accuracy::Little,
            // the last step has no doubtful forces
            _ if rests => Accuracy::Full,
            _ => Accuracy::Some,
        };
        if rests && accuracy == Accuracy::Full {
            report.converged = true;
            report.stable = true; // it came to rest there
            report.stopped = false; // all is done
            work.proposal.contact.kept.clone_from(&state.contacts);
            work.proposal.contact.sum(1.0);
            report.bodies.clone_from(&work.proposal.contact.impulse);
            report.pushes = work.proposal.contact.pushes.list();
            break;
        }
        if go_on && smooth && report.share <= near {
            if balance(world, state, settings, &symbolic, &work, &mut report, observe) {
                break;
            }
            if report.stopped {
                break;
            }
            near = (NEARER * near).max(settings.residual);
            h = FIRST;
        }
        report.loose = fall.loose(world, state);
        if report.loose.is_some() {
            break;
        }
        let longest = if smooth || work.proposal.contact.accuracy != Accuracy::Little { LONGEST } else { FIRST };
        h = (GROWTH * h).min(longest);
    }
    state.v.fill(Vec3::ZERO);
    control::begin_frame(world, state, frame);
    report
}

/// Runs Newton's method from near the equilibrium. False if it does not converge.
fn balance(
    world: &World,
    state: &mut State,
    settings: &Drape,
    symbolic: &Symbolic,
    work: &Workspace,
    report: &mut DrapeReport,
    observe: &mut dyn FnMut(&DrapeProgress) -> bool,
) -> bool {
    let mut search = Search::new(world, &world.layout, symbolic, &work.proposal.halt);
    search.boundary.advance(world, state, INSTANT);
    search.touching = Some(Touching::new(world, state, &search.boundary, &work.proposal.contact));
    search.hold(&mut state.x);
    let mut goal = Goal {
        // the first reviews need no higher accuracy
        target: settings.residual.max(ROUGHLY),
        last: true,
        stage: report.stages,
        iterations: settings.iterations.min(report.iterations + TRIES),
    };
    let mut changed = true;
    loop {
        let before = report.iterations;
        let found = search.descend(&goal, state, report, observe);
        // converged only if a last review of contact agrees
        report.converged = false;
        if !found || report.stopped {
            report.stable = false;
            return false;
        }
        let Search { touching, force, outside, .. } = &mut search;
        let touching = touching.as_mut().expect("it was given");
        let net = |i: usize| force[i] + outside[i];
        if !changed && goal.target > settings.residual {
            goal.target = settings.residual;
            continue;
        }
        if !changed && report.iterations == before {
            let (contacts, bodies) = touching.finish(&state.x, net);
            state.contacts = contacts;
            report.bodies = bodies;
            report.pins = search.reactions();
            report.converged = true;
            return true;
        }
        changed = touching.review(net);
        search.hold(&mut state.x);
    }
}

/// The solver's tolerance follows the net force: far from rest few digits are enough.
fn solver(share: f64) -> Implicit {
    Implicit { tolerance: (TOLERANCE * share).clamp(TOLERANCES.0, TOLERANCES.1), ..Implicit::default() }
}

fn fastest(state: &State) -> f64 {
    state.v.iter().map(|v| v.length()).fold(0.0, f64::max)
}

/// Largest net force, N, and the largest as a share of the particle's weight, from M Δv/h.
pub(super) fn left(world: &World, state: &State, work: &Workspace, h: f64, gravity: f64) -> (f64, f64) {
    let (mut most, mut share) = (0.0f64, 0.0f64);
    for (i, (v, before)) in work.proposal.v.iter().zip(&state.v).enumerate() {
        let net = free(work, i, *v - *before).length() / h;
        (most, share) = (most.max(net * world.mass[i]), share.max(net / gravity));
    }
    (most, share)
}

/// The part of a vector in directions that nothing holds.
fn free(work: &Workspace, i: usize, by: Vec3) -> Vec3 {
    match work.proposal.boundary.slot[i] {
        FREE => by,
        slot => work.proposal.boundary.held[slot as usize].free * by,
    }
}

pub(super) fn progress(report: &DrapeReport, share: f64, stage: u32) -> DrapeProgress {
    DrapeProgress { iteration: report.iterations, share, stage, stages: report.stages }
}

fn moves(world: &World) -> bool {
    let pins = world.pins.iter().any(|pin| pin.motion.keys.len() > 1 || pin.from > 0.0 || pin.until < world.duration);
    pins || world.bodies.iter().any(|body| body.moves())
}

/// Follows moving pins and bodies by the steps of a run, up to the planned time. False if that failed or was stopped.
pub(super) fn follow(
    world: &World,
    state: &mut State,
    work: &mut Workspace,
    report: &mut DrapeReport,
    observe: &mut dyn FnMut(&DrapeProgress) -> bool,
) -> bool {
    let mut go_on = true;
    if moves(world) {
        report.stages = 2;
        while go_on && state.time < world.duration - INSTANT {
            match step::step(world, state, work) {
                Err(StepError::Stopped { .. }) => report.stopped = true,
                stepped => report.failure = stepped.err(),
            }
            report.stopped |= !observe(&progress(report, f64::INFINITY, 1));
            go_on = report.failure.is_none() && !report.stopped;
        }
    }
    report.stage = if go_on { report.stages } else { 1 };
    go_on
}

/// Lets pins and bodies stand still as they are at the time of the state.
pub(super) fn still(world: &World, state: &State, end: &mut Proposal) {
    end.impulse.fill(Vec3::ZERO);
    end.boundary.advance(world, state, INSTANT);
    end.contact.advance(world, state, INSTANT);
    end.boundary.stop();
    end.contact.moving.iter_mut().for_each(Moving::stop);
}

/// A cloth that may fall for ever.
pub(super) struct Fall {
    from: Vec<Vec3>,
    /// Size of the largest cloth, m.
    pub size: f64,
}

impl Fall {
    pub fn from(world: &World, state: &State) -> Self {
        let size = world.fabrics.iter().map(|fabric| fabric.size).fold(0.0, f64::max);
        Self { from: state.x.clone(), size }
    }

    /// The name of a cloth that has fallen far.
    pub fn loose(&self, world: &World, state: &State) -> Option<String> {
        let far = |i: &usize| state.x[*i].distance(self.from[*i]) >= FALLEN * self.size;
        let fell = (0..self.from.len()).find(far)?;
        world.cloths.get(world.cloth_of(fell)).map(|cloth| cloth.name.clone())
    }
}

/// Takes a step in which pins and bodies stand still and leaves its end in `work`. False if it failed.
fn still_step(world: &World, state: &State, h: f64, solver: &Implicit, work: &mut Workspace) -> bool {
    still(world, state, &mut work.proposal);
    if method::backward_euler::advance(world, state, h, solver, &mut work.proposal).is_err() {
        return false;
    }
    let Proposal { boundary, contact, x, v, .. } = &mut work.proposal;
    Respond { world, state, boundary, h, x, v, whole: false }.apply(contact);
    control::check(world, state, x, v, Some(STRETCH), &mut work.checks).is_ok()
}

/// Largest change of a triangle's stretch in a step.
const STRETCH: f64 = 0.1;
