//! IMEX: elastic forces are explicit, damping is implicit.
//!
//! R. Bridson, S. Marino and R. Fedkiw, Simulation of Clothing with Folds and Wrinkles, SCA 2003; the two orders of
//! [Vo 2006, Algorithms 7.9 and 7.10]:
//! ```text
//! explicit first   v½ = v + h/2 a(x, v)      x+ = x + h v½     v+ = v½ + h/2 a(x+, v+)
//! implicit first   v½ = v + h/2 a(x, v½)     x+ = x + h v½     v+ = v½ + h/2 a(x+, v½)
//! ```
//! (the thesis prints v+ at the end of the second, which would be implicit again). Strain is limited at x+, as both
//! algorithms ask, by the limiter after the step. An implicit half is linear, except for the air: with D = -∂f/∂v
//! (M + h/2 D) (v' - v) = h/2 f(x, v). Without damping both are velocity Verlet.

use super::{Proposal, forces_at_held_stage};
use crate::Vec3;
use crate::clock::Phase;
use crate::force::assemble;
use crate::linear::cg::{Stop, System};
use crate::linear::filter::Moment;
use crate::parallel;
use crate::report::{Rejection, Solution};
use crate::setup::{Imex, ImexOrder};
use crate::state::State;
use crate::world::World;

pub(super) fn advance(
    world: &World,
    state: &State,
    h: f64,
    settings: &Imex,
    work: &mut Proposal,
) -> Result<Solution, Rejection> {
    let mut solution = Solution::default();
    work.stage[0].copy_from_slice(&state.x);
    work.stage[1].copy_from_slice(&state.v);
    match settings.order {
        ImexOrder::ExplicitFirst => explicit_half(world, state.time, h, Moment::Middle, work),
        ImexOrder::ImplicitFirst => implicit_half(world, state.time, h, Moment::Middle, settings, work, &mut solution)?,
    }
    // x+ with the velocity of the middle
    let (half, none) = (&work.stage[1], work.forces.none());
    parallel::fill(&world.blocks, &mut work.x, none, |i| state.x[i] + half[i] * h);
    for held in &work.boundary.held {
        let i = held.vertex as usize;
        let mut v = Vec3::ZERO;
        held.hold(Moment::End, &mut work.x[i], &mut v);
    }
    work.stage[0].copy_from_slice(&work.x);
    match settings.order {
        ImexOrder::ExplicitFirst => {
            implicit_half(world, state.time + h, h, Moment::End, settings, work, &mut solution)?
        }
        ImexOrder::ImplicitFirst => explicit_half(world, state.time + h, h, Moment::End, work),
    }
    work.v.copy_from_slice(&work.stage[1]);
    Ok(solution)
}

/// v += h/2 a(x, v) of the stage, then the velocity of `moment`.
fn explicit_half(world: &World, t: f64, h: f64, moment: Moment, work: &mut Proposal) {
    forces_at_held_stage(world, t, work);
    let (force, v) = (&work.force, &mut work.stage[1]);
    for (i, v) in v.iter_mut().enumerate() {
        *v += force[i] * (0.5 * h / world.mass[i]);
    }
    for held in &work.boundary.held {
        let i = held.vertex as usize;
        let v = &mut work.stage[1][i];
        let free = *v;
        *v = held.mix(free, held.speed_at(moment));
        work.impulse[held.pin as usize] += (*v - free) * world.mass[i];
    }
}

/// v' = v + h/2 a(x, v') of the stage, v' the velocity of `moment`.
fn implicit_half(
    world: &World,
    t: f64,
    h: f64,
    moment: Moment,
    settings: &Imex,
    work: &mut Proposal,
    solution: &mut Solution,
) -> Result<(), Rejection> {
    forces_at_held_stage(world, t, work);
    let Proposal { boundary, force, implicit, impulse, stage: [x, v], clock, halt, .. } = work;
    let s = 0.5 * h;
    clock.enter(Phase::Forces);
    assemble::assemble_damping(world, t, x, v, s, &mut implicit.matrix, &mut implicit.none);
    let force = &*force;
    parallel::fill(&world.blocks, &mut implicit.right, &mut implicit.none, |i| force[i] * s);
    parallel::fill(&world.blocks, &mut implicit.w, &mut implicit.none, |i| force[i] * (s / world.mass[i]));
    implicit.origin.fill(Vec3::ZERO);
    for held in &boundary.held {
        let i = held.vertex as usize;
        let wanted = held.speed_at(moment) - v[i];
        implicit.origin[i] = held.mix(Vec3::ZERO, wanted);
        implicit.w[i] = held.mix(implicit.w[i], wanted);
    }
    let system = System {
        pattern: &world.layout.pattern,
        matrix: &implicit.matrix,
        blocks: &world.blocks,
        held: &boundary.held,
        halt,
    };
    let stop = Stop { tolerance: settings.tolerance, iterations: settings.iterations };
    clock.enter(Phase::Solve);
    let solved = system.solve(&implicit.right, &implicit.origin, &mut implicit.w, stop, &mut implicit.cg);
    clock.enter(Phase::Rest);
    solution.iterations += u64::from(solved.iterations);
    solution.newton += 1;
    if halt.asked() {
        return Err(Rejection::Stopped);
    }
    if !solved.converged {
        return Err(Rejection::Unsolved { iterations: solved.iterations });
    }
    for held in &boundary.held {
        impulse[held.pin as usize] += system.reaction(held, &implicit.right, &implicit.w);
    }
    v.iter_mut().zip(&implicit.w).for_each(|(v, w)| *v += *w);
    for held in &boundary.held {
        let i = held.vertex as usize;
        v[i] = held.mix(v[i], held.speed_at(moment)); // to the last bit
    }
    Ok(())
}
