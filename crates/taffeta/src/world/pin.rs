//! Compiled pins.

use crate::Vec3;
use crate::setup::Motion;
use glam::DMat3;

/// A compiled pin.
#[derive(Clone, Debug)]
pub(crate) struct HeldSet {
    /// Vertices and the place of their anchors in [`State::anchors`].
    pub vertices: Vec<u32>,
    pub first_anchor: usize,
    pub free: DMat3,
    pub motion: Motion,
    pub from: f64,
    pub until: f64,
}

impl HeldSet {
    /// Where a vertex with this anchor is held at time `t`: the motion counts from the moment when the pin took hold.
    pub fn place(&self, t: f64, origin: Vec3, anchor: Vec3) -> Vec3 {
        let (Some((shift, turn)), Some((first_shift, first_turn))) =
            (self.motion.at(t), self.motion.at(self.from.max(0.0)))
        else {
            return anchor;
        };
        let shift = shift - first_shift;
        if turn == first_turn {
            anchor + shift
        } else {
            origin + turn * (first_turn.inverse() * (anchor - origin)) + shift
        }
    }

    /// Velocity of that place just before `t`, or just after it if `leaving`.
    pub fn velocity(&self, t: f64, origin: Vec3, anchor: Vec3, leaving: bool) -> Vec3 {
        let (shift, spin) = self.motion.rates(t, leaving);
        if spin == Vec3::ZERO {
            return shift;
        }
        // it turns about the origin, which moves with the shift
        shift + spin.cross(self.place(t, origin, anchor) - self.place(t, origin, origin))
    }

    /// Whether it holds during a step that starts at `t`.
    pub fn is_on(&self, t: f64) -> bool {
        within(t, self.from, self.until)
    }

    /// Whether its vertices never have a free direction.
    pub fn holds_for_ever(&self) -> bool {
        self.free == DMat3::ZERO && self.from <= 0.0 && self.until == f64::INFINITY
    }
}

/// Rounding of times, s: it does not delay by a step what acts from a time on.
const ROUNDING: f64 = 1e-9;

/// Whether something that acts between two times acts in a step that starts at `t`.
pub(crate) fn within(t: f64, from: f64, until: f64) -> bool {
    t >= from - ROUNDING && t < until - ROUNDING
}
