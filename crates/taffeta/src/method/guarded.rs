//! An implicit step with contact by the barrier. A round linearises the forces and the contacts, solves the equations,
//! and moves the cloth to the solution as far as the guard allows.
//!
//! Where the guard shortens the motion, the contact forces were too weak to stop the cloth in time, and another round
//! follows from where it is now. Elsewhere one round is enough, and more would do harm: without a line search they
//! overshoot in cloth that is stretched hard.

use super::implicit::{ImplicitBuffers, StepSystem};
use super::{Proposal, bdf2};
use crate::Vec3;
use crate::clock::Phase;
use crate::halt::Halt;
use crate::linear::cg::Stop;
use crate::linear::contact::ContactSystem;
use crate::linear::filter::Moment;
use crate::model::element::Curvature;
use crate::parallel;
use crate::report::{Rejection, Solution};
use crate::state::State;

/// Largest number of linearisations in a step.
const MOST: u32 = 4;

/// Share of the step's motion that the guard may cut off in a round; where it cuts off more, another round follows.
const CUT: f64 = 1e-3;

/// Share of the step's motion that the guard may cut off in the last round. Where it cuts off more, the step is
/// rejected and a shorter one is tried, unless it is already as short as `SHORTEST`, a share of the longest step.
const LOST: f64 = 0.02;
const SHORTEST: f64 = 1.0 / 16.0;

/// The tolerance of the conjugate gradient is this many times that of the settings, up to a limit, in a step of this
/// length, s: with a coarse level its residual counts long waves as much as short ones. With five times as much, layers
/// that lie on each other hop. A residual is a force, and moves the cloth by the square of the step, so that longer
/// steps need less, but for doubled ones, in which cloth is calm.
const LOOSER: f64 = 20.0;
const LOOSEST: f64 = 0.1;
const IN_STEP: f64 = 1.0 / 240.0;

/// Share of the weight to which the tolerance is relative where forces balance.
const LEAST: f64 = 0.01;

/// Takes the step; leaves x and v at its end in `work`.
pub(super) fn solve<'a>(
    system: impl FnOnce(&'a Halt) -> StepSystem<'a>,
    state: &State,
    h: f64,
    work: &'a mut Proposal,
) -> Result<Solution, Rejection> {
    let Proposal { boundary, x, v, force, implicit, impulse, contact, barrier, clock, halt, .. } = work;
    let system = system(halt);
    let (world, s) = (system.world, system.s);
    clock.enter(Phase::Contact);
    barrier.begin(world, state, h, &contact.moving, boundary, |i| state.v[i] * s)?;
    x.copy_from_slice(&state.x);
    v.copy_from_slice(&state.v);
    let mut solution = Solution::default();
    let mut wanted = 0.0;
    for round in 1..=MOST {
        let step = system.with(boundary, round == 1);
        clock.enter(Phase::Forces);
        if round == 1 {
            step.lead(x, v, implicit);
        } else {
            implicit.lead.fill(Vec3::ZERO);
        }
        step.linearise(x, v, Curvature::Definite, force, implicit);
        if round == 1 {
            step.guess(v, implicit);
        } else {
            implicit.start_from_zero();
        }
        for held in &boundary.held {
            let i = held.vertex as usize;
            let wanted = (held.end - x[i]) / s;
            implicit.origin[i] = held.mix(implicit.origin[i], wanted);
            implicit.w[i] = held.mix(implicit.w[i], wanted);
        }
        clock.enter(Phase::Contact);
        barrier.find(world, state, boundary, x, s, &mut implicit.terms);
        barrier.load(s, &mut implicit.right);
        clock.enter(Phase::Solve);
        let looser = LOOSER * (IN_STEP / h.min(world.h).max(IN_STEP)).powi(2);
        let tolerance = (looser * system.settings.tolerance).min(LOOSEST);
        let stop = Stop { tolerance, iterations: system.settings.iterations };
        let ImplicitBuffers { matrix, terms, right, origin, w, contact_cg, .. } = &mut *implicit;
        let equations = ContactSystem {
            pattern: &world.layout.pattern,
            matrix,
            terms,
            blocks: &world.blocks,
            held: &boundary.held,
            halt: system.halt,
        };
        let weight = if world.components.gravity { world.gravity * (s * LEAST) } else { Vec3::ZERO };
        let least = |i: usize| weight * world.mass[i];
        let solved = equations.solve(right, origin, w, least, stop, contact_cg);
        solution.iterations += u64::from(solved.iterations);
        solution.newton += 1;
        if system.halt.asked() {
            return Err(Rejection::Stopped);
        }
        if !solved.converged {
            return Err(Rejection::Unsolved { iterations: solved.iterations });
        }
        clock.enter(Phase::Contact);
        step.end(x, v, implicit);
        let guarded = barrier.guard(world, boundary, &mut implicit.end_x)?;
        wanted = f64::max(wanted, guarded.wanted);
        let good = guarded.lost <= CUT * wanted;
        let last = good || round == MOST;
        let shortest = world.adaptive.map_or(f64::INFINITY, |adaptive| SHORTEST.max(2.0 * adaptive.least) * world.h);
        if last && guarded.lost > LOST * wanted && h > shortest {
            return Err(Rejection::Cut);
        }
        if last {
            let ImplicitBuffers { matrix, terms, right, w, .. } = &*implicit;
            let equations = ContactSystem {
                pattern: &world.layout.pattern,
                matrix,
                terms,
                blocks: &world.blocks,
                held: &boundary.held,
                halt: system.halt,
            };
            for held in &boundary.held {
                impulse[held.pin as usize] += equations.reaction(held, right, w) * (h / s);
            }
        }
        x.copy_from_slice(&implicit.end_x);
        let base = &implicit.base_x;
        parallel::fill(&world.blocks, v, &mut implicit.none, |i| (x[i] - base[i]) / s);
        for held in &boundary.held {
            let i = held.vertex as usize;
            held.hold(Moment::End, &mut x[i], &mut v[i]);
        }
        if last {
            break;
        }
    }
    if s != h {
        bdf2::each_stopped(world, barrier, h, |i, stops| {
            if stops(v[i] - state.v[i]) {
                v[i] = (x[i] - state.x[i]) / h;
            }
        });
    }
    barrier.rebound(world, state, h, boundary, v, contact);
    barrier.finish(world, state, x, contact)?;
    solution.rounds = solution.newton;
    solution.guard = barrier.report();
    clock.enter(Phase::Rest);
    Ok(solution)
}
