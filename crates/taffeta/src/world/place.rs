//! Where things are put, and how they move by themselves.

use crate::Vec3;
use glam::{DMat3, DQuat};

/// Scale, then rotate about the fixed x, y, z axes in that order, then move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// Factor on all lengths.
    pub scale: f64,
    /// Degrees about the fixed x, y and z axes, in that order.
    pub rotate: Vec3,
    /// m.
    pub at: Vec3,
}

impl Default for Place {
    fn default() -> Self {
        Self { scale: 1.0, rotate: Vec3::ZERO, at: Vec3::ZERO }
    }
}

/// Rotation by degrees about the fixed x, y, z axes in that order.
fn rotation(degrees: Vec3) -> DMat3 {
    let r = Vec3::new(degrees.x.to_radians(), degrees.y.to_radians(), degrees.z.to_radians());
    DMat3::from_rotation_z(r.z) * DMat3::from_rotation_y(r.y) * DMat3::from_rotation_x(r.x)
}

impl Place {
    /// The rotation alone.
    pub fn rotation(&self) -> DMat3 {
        rotation(self.rotate)
    }

    /// Where a point goes.
    pub fn apply(&self, p: Vec3) -> Vec3 {
        self.rotation() * (p * self.scale) + self.at
    }
}

/// A key of a [`Motion`], relative to the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key {
    /// s.
    pub t: f64,
    /// m from the start.
    pub shift: Vec3,
    /// Degrees about the fixed x, y, z axes in that order, about the origin of what moves.
    pub turn: Vec3,
}

/// Motion by keys: turn about the origin of what moves, then shift. Between keys linear, or smooth (cubic with zero
/// speed at the keys); held before the first and after the last key. No keys: no motion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Motion {
    /// In the order of time.
    pub keys: Vec<Key>,
    /// Zero speed at each key.
    pub smooth: bool,
}

impl Motion {
    /// Position at time `t` of a point that starts at `p`, turning about `origin`.
    pub fn apply(&self, t: f64, origin: Vec3, p: Vec3) -> Vec3 {
        let Some((shift, turn)) = self.at(t) else { return p };
        if turn == DQuat::IDENTITY { p + shift } else { origin + turn * (p - origin) + shift }
    }

    /// Shift and turn at time `t`; `None` without keys.
    pub fn at(&self, t: f64) -> Option<(Vec3, DQuat)> {
        let turn = |key: &Key| {
            if key.turn == Vec3::ZERO { DQuat::IDENTITY } else { DQuat::from_mat3(&rotation(key.turn)) }
        };
        let (first, last) = (self.keys.first()?, self.keys.last()?);
        if t <= first.t {
            return Some((first.shift, turn(first)));
        }
        if t >= last.t {
            return Some((last.shift, turn(last)));
        }
        let next = self.keys.partition_point(|key| key.t <= t);
        let (a, b) = (&self.keys[next - 1], &self.keys[next]);
        let mut s = (t - a.t) / (b.t - a.t);
        if self.smooth {
            s = s * s * (3.0 - 2.0 * s);
        }
        // angles, not quaternions, are interpolated: a key of 720 degrees turns twice
        let degrees = a.turn.lerp(b.turn, s);
        let turn = if degrees == Vec3::ZERO { DQuat::IDENTITY } else { DQuat::from_mat3(&rotation(degrees)) };
        Some((a.shift.lerp(b.shift, s), turn))
    }
}
