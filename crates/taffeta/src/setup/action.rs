//! Actions: changes made to a simulation from outside while it runs.

use crate::Vec3;

/// A change made between two steps.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Moves a pin to a new target in a straight line.
    MovePin {
        /// Name of the pin, as in [`World::pin_names`](crate::World::pin_names).
        pin: String,
        /// Shift from where the pin took hold, m.
        shift: Vec3,
        /// Turn in degrees about x, y and z, in that order, about the centre of the pin's vertices.
        turn: Vec3,
        /// Duration of the motion, s; 0 means one step.
        over: f64,
    },
    /// Moves a body to a new pose in a straight line; the body's velocity follows.
    MoveBody {
        /// Name of the body.
        body: String,
        /// Shift from the body's place, m.
        shift: Vec3,
        /// Turn in degrees about x, y and z, in that order, about the body's origin.
        turn: Vec3,
        /// Duration of the motion, s; 0 means one step.
        over: f64,
    },
    /// Attaches a spring to a point of the cloth.
    Grab {
        /// Number that identifies the grab.
        grab: u32,
        /// Particles of the point, numbered over all cloths, and their weights, which add to 1.
        point: [(u32, f64); 3],
        /// Position that the spring pulls towards, m.
        to: Vec3,
        /// Stiffness of the spring, N/m.
        stiffness: f64,
        /// Largest pull of the spring, N.
        limit: f64,
    },
    /// Moves the target of a grab in a straight line.
    Drag {
        /// Number of the grab.
        grab: u32,
        /// New target, m.
        to: Vec3,
        /// Duration of the motion, s; 0 means one step.
        over: f64,
    },
    /// Ends a grab.
    LetGo {
        /// Number of the grab.
        grab: u32,
    },
    /// Applies a force to particles, shared equally, until another push with the same number replaces it. Zero ends it.
    Push {
        /// Number that identifies the push.
        push: u32,
        /// Particles that are pushed, numbered over all cloths.
        vertices: Vec<u32>,
        /// Total force, N.
        force: Vec3,
    },
    /// Sets the acceleration of gravity, m/s².
    Gravity(Vec3),
    /// Sets the wind, m/s.
    Wind(Vec3),
    /// Sets the longest step, s, from the next frame on.
    Step(f64),
}

/// An action and the time at which it is done.
#[derive(Clone, Debug, PartialEq)]
pub struct TimedAction {
    /// Number of finished frames.
    pub frame: u64,
    /// Number of finished steps of the current frame.
    pub step: u32,
    /// Time, s. It follows from `frame` and `step`, and shows whether a recording matches the simulation.
    pub time: f64,
    /// The action.
    pub action: Action,
}

impl TimedAction {
    /// An action between two frames, when `frame` frames are finished.
    pub fn at_frame(frame: u64, fps: f64, action: Action) -> Self {
        Self { frame, step: 0, time: frame as f64 / fps, action }
    }

    /// Finished frames and steps. Actions are done in this order.
    pub(crate) fn place(&self) -> (u64, u32) {
        (self.frame, self.step)
    }
}
