//! What a checkpoint holds.

use crate::Vec3;
use std::ops::RangeInclusive;

/// What a checkpoint holds, and nothing else. Equal states of the same world have equal futures.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Finished frames.
    pub frame: u64,
    /// Finished steps of the current frame.
    pub step: u32,
    /// Time since the current frame began, s.
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
    /// Particles that touch bodies, by rising number.
    pub contacts: Vec<Contact>,
    /// What a multistep method remembers.
    pub past: Past,
}

/// The state before the last step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Past {
    /// Length of the last step, s; 0 if there is no step before to continue from.
    pub h: f64,
    /// Positions before it, m; empty for one-step methods.
    pub x: Vec<Vec3>,
    /// Velocities before it, m/s.
    pub v: Vec<Vec3>,
}

/// A particle that touches a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// The particle.
    pub vertex: u32,
    /// Its place in [`World::bodies`](crate::World::bodies).
    pub body: u32,
    /// Whether it moves with the body's surface, or slips along it.
    pub sticks: bool,
    /// Where the particle is in the body's coordinates, m.
    pub point: Vec3,
    /// What the body does to it, friction included, in the mean of the last step, N.
    pub force: Vec3,
}

/// What the control of the step remembers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Control {
    /// Halvings of the longest step.
    pub halvings: u32,
    /// Steps that went well since the last change.
    pub successes: u32,
    /// How many of them it takes to try a longer step.
    pub wait: u32,
}

impl Default for Control {
    fn default() -> Self {
        Self { halvings: 0, successes: 0, wait: FIRST_WAIT }
    }
}

/// The paper: two successes, then the larger step is tried.
pub(crate) const FIRST_WAIT: u32 = 2;

/// The paper: up to 40 steps.
pub(crate) const LONGEST_WAIT: u32 = 40;

/// Waits that can occur.
pub(crate) const WAITS: RangeInclusive<u32> = FIRST_WAIT..=LONGEST_WAIT;
