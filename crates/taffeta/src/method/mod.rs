//! Methods of time integration, one file each.
//!
//! Explicit methods compute the new state from forces at known states. Implicit ones solve for it: see `implicit.rs`.

pub(crate) mod backward_euler;
mod bdf2;
mod best;
#[doc(hidden)]
pub mod equations;
pub(crate) mod filtered_euler;
mod forward_euler;
mod guarded;
mod imex;
pub(crate) mod implicit;
mod midpoint;
mod rk4;
mod symplectic_euler;
mod verlet;

use crate::Vec3;
use crate::barrier::Barrier;
use crate::boundary::{self, Boundary};
use crate::clock::{Clock, Phase};
use crate::contact;
use crate::force;
use crate::halt::Halt;
use crate::linear::filter::Moment;
use crate::parallel;
use crate::report::{Rejection, Solution};
use crate::setup::Method;
use crate::state::State;

use crate::world::World;

/// The end of a step that a method proposes, and its buffers.
#[derive(Default)]
pub(crate) struct Proposal {
    pub boundary: Boundary,          //      written by boundary::advance
    pub force: Vec<Vec3>,            // N    written by force::evaluate
    pub forces: force::ForceBuffers, //
    pub x: Vec<Vec3>,                // m    written by method::advance, then by the limiter
    pub v: Vec<Vec3>,                // m/s  likewise
    pub stage: [Vec<Vec3>; 2],       // x, v written by the methods with several stages
    pub impulse: Vec<Vec3>,          // N s  of each pin, and of all bodies, written by method::advance and the limiter
    pub implicit: implicit::ImplicitBuffers,
    pub filtered: filtered_euler::FilterBuffers,
    pub contact: contact::Contacts,
    pub barrier: Barrier,
    pub clock: Clock,
    pub halt: Halt,
}

impl Proposal {
    /// Allocates for the size of a world.
    pub fn new(world: &World) -> Self {
        let n = world.mass.len();
        let zeros = || vec![Vec3::ZERO; n];
        let stages = world.method.has_stages();
        let stage = || if stages { vec![Vec3::ZERO; n] } else { Vec::new() };
        Self {
            boundary: Boundary::new(world),
            force: zeros(),
            forces: force::ForceBuffers::new(world),
            x: zeros(),
            v: zeros(),
            stage: [stage(), stage()],
            impulse: vec![Vec3::ZERO; world.pins.len() + 1],
            implicit: implicit::ImplicitBuffers::new(world),
            filtered: filtered_euler::FilterBuffers::new(world),
            contact: contact::Contacts::new(world),
            barrier: Barrier::new(world),
            clock: Clock::default(),
            halt: Halt::default(),
        }
    }

    /// Swaps the proposed end with the state.
    pub fn accept(&mut self, world: &World, state: &mut State) {
        boundary::remember(world, state);
        std::mem::swap(&mut state.x, &mut self.x);
        std::mem::swap(&mut state.v, &mut self.v);
        std::mem::swap(&mut state.contacts, &mut self.contact.kept);
        std::mem::swap(&mut state.touching.list, &mut self.barrier.anchors);
        self.barrier.crossed.accept(&mut state.exempt);
        self.barrier.within.accept(&mut state.exempt);
    }

    /// Allocates for steps of backward Euler, for any method of the world.
    pub fn for_backward_euler(world: &World) -> Self {
        let mut proposal = Self::new(world);
        if !world.method.has_matrix() {
            proposal.implicit = implicit::ImplicitBuffers::sized(world);
        }
        proposal
    }
}

/// Leaves x and v at t + h in `work`, and the impulses of pins.
pub(crate) fn advance(world: &World, state: &State, h: f64, work: &mut Proposal) -> Result<Solution, Rejection> {
    match &world.method {
        Method::ForwardEuler => forward_euler::advance(world, state, h, work),
        Method::SymplecticEuler => symplectic_euler::advance(world, state, h, work),
        Method::Midpoint => midpoint::advance(world, state, h, work),
        Method::Rk4 => rk4::advance(world, state, h, work),
        Method::Verlet { damping } => verlet::advance(world, state, h, *damping, work),
        Method::BackwardEuler(settings) => return backward_euler::advance(world, state, h, settings, work),
        Method::Bdf2(settings) => return bdf2::advance(world, state, h, settings, work),
        Method::FilteredEuler => return filtered_euler::advance(world, state, h, work),
        Method::Imex(settings) => return imex::advance(world, state, h, settings, work),
    }
    Ok(Solution::default())
}

/// Makes the state before an accepted step of length `h` the past of multistep methods.
pub(crate) fn remember(world: &World, state: &mut State, before: &mut Proposal, h: f64) {
    bdf2::remember(world, state, before, h);
}

/// The effective step, s: a displacement at the end of a step changes the velocity by itself over this time.
pub(crate) fn effective_step(world: &World, state: &State, h: f64, boundary: &Boundary) -> f64 {
    match world.method {
        Method::Bdf2(_) => bdf2::ratio(state, h, boundary).map_or(h, |r| bdf2::effective_step(r, h)),
        _ => h,
    }
}

/// Forces at the start of the step.
fn forces_at_start(world: &World, state: &State, work: &mut Proposal) {
    work.clock.enter(Phase::Forces);
    force::evaluate(world, state.time, &state.x, &state.v, &mut work.force, &mut work.forces);
    force::add_outside(world, state.time, &state.x, &mut work.force);
    work.clock.enter(Phase::Rest);
}

/// Holds the positions and velocities in `work.stage` where pins are at a moment of the step; the forces there. Only so
/// does a stage meet its pins.
fn forces_at_stage(world: &World, state: &State, h: f64, moment: Moment, work: &mut Proposal) {
    let [x, v] = &mut work.stage;
    for held in &work.boundary.held {
        let i = held.vertex as usize;
        held.hold(moment, &mut x[i], &mut v[i]);
    }
    forces_at_held_stage(world, state.time + if moment == Moment::End { h } else { 0.5 * h }, work);
}

/// Forces at the positions and velocities in `work.stage`, at time `t`, for a method that holds them by itself.
fn forces_at_held_stage(world: &World, t: f64, work: &mut Proposal) {
    work.clock.enter(Phase::Forces);
    force::evaluate(world, t, &work.stage[0], &work.stage[1], &mut work.force, &mut work.forces);
    force::add_outside(world, t, &work.stage[0], &mut work.force);
    work.clock.enter(Phase::Rest);
}

/// Calls `f(particle, x, v)` for every particle with its entries of two arrays, in parallel.
fn each_particle(
    world: &World,
    none: &mut [()],
    x: &mut [Vec3],
    v: &mut [Vec3],
    f: impl Fn(usize, &mut Vec3, &mut Vec3) + Sync,
) {
    parallel::each(&world.blocks, (x, v), none, &|block, (x, v), _| {
        for (i, (x, v)) in block.particles.clone().zip(x.iter_mut().zip(v)) {
            f(i, x, v);
        }
    });
}

/// Puts held particles of the proposed state where their pins are at the end of the step, and records the impulses.
fn hold_at_end(world: &World, work: &mut Proposal) {
    for held in &work.boundary.held {
        let i = held.vertex as usize;
        let free = work.v[i];
        held.hold(Moment::End, &mut work.x[i], &mut work.v[i]);
        work.impulse[held.pin as usize] += (work.v[i] - free) * world.mass[i];
    }
}
