//! The filter of the conjugate gradient: directions in which particles are held.
//!
//! D. Baraff and A. Witkin, Large Steps in Cloth Simulation, SIGGRAPH 1998, Sec. 5: a particle has three, two, one or
//! no degrees of freedom, and its position and velocity in the others are prescribed.

use crate::Vec3;
use glam::DMat3;

/// A vertex that is held during a step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Held {
    pub vertex: u32,
    pub pin: u32,
    /// Free directions.
    pub free: DMat3,
    /// Where it is held at the middle of the step, m.
    pub middle: Vec3,
    /// Where it is held at the end of the step, m.
    pub end: Vec3,
    /// Mean velocity of the held point over the step, m/s.
    pub speed: Vec3,
    /// Velocity of the held point at the start of the step, m/s.
    pub start_speed: Vec3,
    /// Velocity of the held point at the middle of the step, m/s.
    pub middle_speed: Vec3,
    /// Velocity of the held point at the end of the step, m/s. With the mean instead, damped cloth would lose the
    /// method's order.
    pub end_speed: Vec3,
}

/// A time within a step at which a method evaluates forces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Moment {
    Middle,
    End,
}

impl Held {
    /// Sets the held directions of position and velocity to those of the pin.
    pub fn hold(&self, moment: Moment, x: &mut Vec3, v: &mut Vec3) {
        let place = if moment == Moment::End { self.end } else { self.middle };
        *x = self.mix(*x, place);
        *v = self.mix(*v, self.speed_at(moment));
    }

    /// Velocity of the held point, m/s.
    pub fn speed_at(&self, moment: Moment) -> Vec3 {
        if moment == Moment::End { self.end_speed } else { self.middle_speed }
    }

    /// Combines the free directions of `free` with the held ones of `held`; exact if all are held.
    pub fn mix(&self, free: Vec3, held: Vec3) -> Vec3 {
        if self.free == DMat3::ZERO { held } else { held + self.free * (free - held) }
    }
}

/// Slots of vertices that no pin holds.
pub(crate) const FREE: u32 = u32::MAX;
