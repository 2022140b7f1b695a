//! What a checkpoint holds, and the scratch beside it.

use crate::boundary::Boundary;
use crate::clock::{Clock, Times};
use crate::contact::{self, Contact};
use crate::control::{Change, Control};
use crate::halt::Halt;
use crate::limit;
use crate::method::{filtered_euler, implicit};
use crate::model::forces;
use crate::step::Extent;
use crate::{Vec3, World};

/// What a checkpoint holds, and nothing else. Equal states have equal futures.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Finished frames.
    pub frame: u64,
    /// Finished steps of the frame in work.
    pub step: u32,
    /// Time since the frame in work began, s.
    pub elapsed: f64,
    /// s.
    pub time: f64,
    /// How long the next step is to be.
    pub control: Control,
    /// Positions, m.
    pub x: Vec<Vec3>,
    /// Velocities, m/s.
    pub v: Vec<Vec3>,
    /// Where each pin took hold of each of its vertices, m: pins of all cloths in order.
    pub anchors: Vec<Vec3>,
    /// Whether each pin held its vertices in the last step.
    pub holds: Vec<bool>,
    /// Particles that touch bodies, rising.
    pub contacts: Vec<Contact>,
    /// What a method of several steps remembers.
    pub past: Past,
}

/// The state before the last step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Past {
    /// Length of the last step, s; 0 if there is none to go on from.
    pub h: f64,
    /// Positions before it, m; empty for methods of one step.
    pub x: Vec<Vec3>,
    /// Velocities before it, m/s.
    pub v: Vec<Vec3>,
}

/// Scratch. Dropping it between two steps costs time and changes nothing else.
#[derive(Default)]
pub struct Workspace {
    pub(crate) boundary: Boundary,      //      written by boundary::advance
    pub(crate) force: Vec<Vec3>,        // N    written by forces::evaluate
    pub(crate) forces: forces::Scratch, //
    pub(crate) x: Vec<Vec3>,            // m    written by method::advance, then by the limiter
    pub(crate) v: Vec<Vec3>,            // m/s  likewise
    pub(crate) stage: [Vec<Vec3>; 2],   // x, v written by the methods with several stages
    pub(crate) impulse: Vec<Vec3>, // N s  of each pin, and of all bodies, written by method::advance and the limiter
    pub(crate) limit: limit::Scratch, //
    pub(crate) implicit: implicit::Scratch,
    pub(crate) filtered: filtered_euler::Scratch,
    pub(crate) contact: contact::Scratch,
    pub(crate) extents: Vec<Extent>, // m    written by step::check, one for each block
    pub(crate) changes: Vec<Change>, //      written by control::check, one for each block
    pub(crate) clock: Clock,
    pub(crate) halt: Halt,
}

impl Workspace {
    /// Scratch for steps of backward Euler, whatever the world's own method is.
    pub(crate) fn for_drape(world: &World) -> Self {
        let mut work = Self::new(world);
        if !world.method.has_matrix() {
            work.implicit = implicit::Scratch::sized(world);
        }
        work
    }

    /// Scratch of the right size for a world.
    pub fn new(world: &World) -> Self {
        let n = world.mass.len();
        let zeros = || vec![Vec3::ZERO; n];
        let stages = world.method.has_stages();
        let stage = || if stages { vec![Vec3::ZERO; n] } else { Vec::new() };
        Self {
            boundary: Boundary::new(world),
            force: zeros(),
            forces: forces::Scratch::new(world),
            x: zeros(),
            v: zeros(),
            stage: [stage(), stage()],
            impulse: vec![Vec3::ZERO; world.pins.len() + 1],
            limit: limit::Scratch::new(world),
            implicit: implicit::Scratch::new(world),
            filtered: filtered_euler::Scratch::new(world),
            contact: contact::Scratch::new(world),
            extents: vec![Extent::default(); world.blocks.len()],
            changes: world.blocks.iter().map(|block| Change::none(world, block)).collect(),
            clock: Clock::default(),
            halt: Halt::default(),
        }
    }

    /// The equations that a step solves, in their order, for benches.
    #[doc(hidden)]
    pub fn equations(&mut self, step: impl FnOnce(&mut Self)) -> Vec<crate::equations::Equations> {
        self.implicit.seen = Some(Vec::new());
        step(self);
        self.implicit.seen.take().unwrap_or_default()
    }

    /// From now on steps end with [`StepError::Stopped`](crate::StepError::Stopped) soon after `halt` says so, within them too. The state is
    /// then that before the step, and without a stop results are the same to the last bit.
    pub fn stop_when(&mut self, halt: Halt) {
        self.halt = halt;
    }

    /// Where the time of the steps went since this was last asked.
    pub fn take_times(&mut self) -> Times {
        self.clock.take()
    }
}
