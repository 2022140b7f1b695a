//! What is done to a simulation from outside while it runs.

use crate::Vec3;

/// Something that is done between two steps.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// A pin goes to a new target in a straight line.
    MovePin {
        /// Its name, as in [`World::pin_names`](crate::World::pin_names).
        pin: String,
        /// m from where it took hold.
        shift: Vec3,
        /// Degrees about x, y and z in that order, about the middle of its vertices.
        turn: Vec3,
        /// s that it takes; 0: one step.
        over: f64,
    },
    /// A body goes to a new pose in a straight line; its velocity follows.
    MoveBody {
        /// Its name.
        body: String,
        /// m from its place.
        shift: Vec3,
        /// Degrees about x, y and z in that order, about its origin.
        turn: Vec3,
        /// s that it takes; 0: one step.
        over: f64,
    },
    /// A spring takes hold of a point of the cloth.
    Grab {
        /// A number to call it by.
        grab: u32,
        /// Particles of the point, numbered over all cloths, and their weights, which add to 1.
        point: [(u32, f64); 3],
        /// Where it is pulled to, m.
        to: Vec3,
        /// N/m.
        stiffness: f64,
        /// The spring never pulls harder, N.
        limit: f64,
    },
    /// The place that a grab pulls to goes elsewhere in a straight line.
    Drag {
        /// Its number.
        grab: u32,
        /// m.
        to: Vec3,
        /// s that it takes; 0: one step.
        over: f64,
    },
    /// A grab ends.
    LetGo {
        /// Its number.
        grab: u32,
    },
    /// A force acts on particles, shared equally, until another one takes its place. Zero ends it.
    Push {
        /// A number to call it by.
        push: u32,
        /// Numbered over all cloths.
        vertices: Vec<u32>,
        /// In all, N.
        force: Vec3,
    },
    /// Acceleration of gravity, m/s².
    Gravity(Vec3),
    /// Wind, m/s.
    Wind(Vec3),
    /// The longest step, s, from the next frame on.
    Step(f64),
}

/// An action and when it was done.
#[derive(Clone, Debug, PartialEq)]
pub struct TimedAction {
    /// Finished frames.
    pub frame: u64,
    /// Finished steps of the frame in work.
    pub step: u32,
    /// s. It follows from the two numbers, and shows whether a recording fits.
    pub time: f64,
    /// What was done.
    pub action: Action,
}

impl TimedAction {
    /// Between two frames: `frame` of them are finished.
    pub fn at_frame(frame: u64, fps: f64, action: Action) -> Self {
        Self { frame, step: 0, time: frame as f64 / fps, action }
    }

    /// Finished frames and steps: actions are done in the order of these.
    pub(crate) fn place(&self) -> (u64, u32) {
        (self.frame, self.step)
    }
}
