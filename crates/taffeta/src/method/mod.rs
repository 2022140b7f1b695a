//! How time goes on. One file a method; all explicit: the new state comes from forces at known ones.

mod forward_euler;
mod midpoint;
mod rk4;
pub mod stability;
mod symplectic_euler;
mod verlet;

use crate::boundary::Moment;
use crate::model::{blocks, forces};
use crate::{State, Vec3, Workspace, World};

/// A method of integration.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Method {
    /// x with the old velocity, v with the old force. First order, stable only with damping.
    ForwardEuler,
    /// v first, then x with the new velocity (what [Vo 2006] calls explicit Euler). First order, keeps energy in the mean.
    #[default]
    SymplecticEuler,
    /// Explicit midpoint. Second order, energy grows slowly without damping.
    Midpoint,
    /// Runge-Kutta. Fourth order, four evaluations of the forces.
    Rk4,
    /// Velocity Verlet, the same path as position Verlet. Second order, keeps energy in the mean.
    Verlet {
        /// Share ε of the velocity that is lost in each step ([Vo 2006, 7.2]).
        damping: f64,
    },
}

impl Method {
    /// Names, in the order of [`Method`].
    pub const NAMES: [&str; 5] = ["forward-euler", "symplectic-euler", "midpoint", "rk4", "verlet"];

    /// Whether it looks at forces away from the start of a step.
    pub(crate) fn has_stages(&self) -> bool {
        matches!(self, Method::Midpoint | Method::Rk4 | Method::Verlet { .. })
    }

    /// The name in scene files.
    pub fn name(&self) -> &'static str {
        match self {
            Method::ForwardEuler => Self::NAMES[0],
            Method::SymplecticEuler => Self::NAMES[1],
            Method::Midpoint => Self::NAMES[2],
            Method::Rk4 => Self::NAMES[3],
            Method::Verlet { .. } => Self::NAMES[4],
        }
    }
}

/// Leaves x and v at t + h in `work`, and the impulses of pins.
pub(crate) fn advance(world: &World, state: &State, h: f64, work: &mut Workspace) {
    match world.method {
        Method::ForwardEuler => forward_euler::advance(world, state, h, work),
        Method::SymplecticEuler => symplectic_euler::advance(world, state, h, work),
        Method::Midpoint => midpoint::advance(world, state, h, work),
        Method::Rk4 => rk4::advance(world, state, h, work),
        Method::Verlet { damping } => verlet::advance(world, state, h, damping, work),
    }
}

/// Forces at the start of the step.
fn forces_at_start(world: &World, state: &State, work: &mut Workspace) {
    forces::evaluate(world, state.time, &state.x, &state.v, &mut work.force, &mut work.forces);
    forces::add_loads(world, state.time, &mut work.force);
}

/// Forces at the positions and velocities in `work.stage`, at time `t`.
fn forces_at_stage(world: &World, t: f64, work: &mut Workspace) {
    forces::evaluate(world, t, &work.stage[0], &work.stage[1], &mut work.force, &mut work.forces);
    forces::add_loads(world, t, &mut work.force);
}

/// Calls `f(particle, x, v)` for every particle with its entries of two arrays, in parallel.
fn each_particle(
    world: &World,
    none: &mut [()],
    x: &mut [Vec3],
    v: &mut [Vec3],
    f: impl Fn(usize, &mut Vec3, &mut Vec3) + Sync,
) {
    blocks::each(&world.blocks.list, (x, v), none, &|block, (x, v), _| {
        for (i, (x, v)) in block.particles.clone().zip(x.iter_mut().zip(v)) {
            f(i, x, v);
        }
    });
}

/// Puts held particles of the proposed state where their pins are at the end of the step, and notes the impulses.
fn hold_at_end(world: &World, work: &mut Workspace) {
    for held in &work.boundary.held {
        let i = held.vertex as usize;
        let free = work.v[i];
        held.hold(Moment::End, &mut work.x[i], &mut work.v[i]);
        work.impulse[held.pin as usize] += (work.v[i] - free) * world.mass[i];
    }
}

/// Puts held particles of the stage where their pins are.
fn hold_at_stage(moment: Moment, work: &mut Workspace) {
    let [x, v] = &mut work.stage;
    for held in &work.boundary.held {
        let i = held.vertex as usize;
        held.hold(moment, &mut x[i], &mut v[i]);
    }
}
