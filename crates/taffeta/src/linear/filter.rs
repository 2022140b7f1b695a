//! Directions that particles are held in: the filter of the conjugate gradient.
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
    /// How fast the held place moves in the mean of the step, m/s.
    pub speed: Vec3,
    /// How fast it moves as the step starts, m/s.
    pub start_speed: Vec3,
    /// How fast it moves at the middle of the step, m/s.
    pub middle_speed: Vec3,
    /// How fast it moves at the end of the step, m/s: the mean instead would cost damped cloth the method's order.
    pub end_speed: Vec3,
}

/// A time within a step at which a method evaluates forces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Moment {
    Middle,
    End,
}

impl Held {
    /// Puts the held directions of position and velocity where the pin has them.
    pub fn hold(&self, moment: Moment, x: &mut Vec3, v: &mut Vec3) {
        let place = if moment == Moment::End { self.end } else { self.middle };
        *x = self.mix(*x, place);
        *v = self.mix(*v, self.speed_at(moment));
    }

    /// How fast the held place moves, m/s.
    pub fn speed_at(&self, moment: Moment) -> Vec3 {
        if moment == Moment::End { self.end_speed } else { self.middle_speed }
    }

    /// Free directions from `free`, held ones from `held`; exact where all are held.
    pub fn mix(&self, free: Vec3, held: Vec3) -> Vec3 {
        if self.free == DMat3::ZERO { held } else { held + self.free * (free - held) }
    }
}

/// Slots of vertices that no pin holds.
pub(crate) const FREE: u32 = u32::MAX;
