//! Placement and prescribed motion of cloths and bodies.

use crate::Vec3;
use glam::{DMat3, DQuat};

/// A placement: scale, then rotate about the fixed x, y, z axes in that order, then move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// Factor on all lengths.
    pub scale: f64,
    /// Degrees about the fixed x, y and z axes, in that order.
    pub rotate: Vec3,
    /// Position of the origin, m.
    pub at: Vec3,
}

impl Default for Place {
    fn default() -> Self {
        Self { scale: 1.0, rotate: Vec3::ZERO, at: Vec3::ZERO }
    }
}

fn radians(degrees: Vec3) -> Vec3 {
    Vec3::new(degrees.x.to_radians(), degrees.y.to_radians(), degrees.z.to_radians())
}

/// Rotation by degrees about the fixed x, y, z axes in that order.
fn rotation(degrees: Vec3) -> DMat3 {
    let r = radians(degrees);
    DMat3::from_rotation_z(r.z) * DMat3::from_rotation_y(r.y) * DMat3::from_rotation_x(r.x)
}

impl Place {
    /// The rotation alone.
    pub fn rotation(&self) -> DMat3 {
        rotation(self.rotate)
    }

    /// Position of a point after the placement.
    pub fn apply(&self, p: Vec3) -> Vec3 {
        self.rotation() * (p * self.scale) + self.at
    }
}

/// A key of a [`Motion`], relative to the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key {
    /// Time, s.
    pub t: f64,
    /// Shift from the start, m.
    pub shift: Vec3,
    /// Turn in degrees about the fixed x, y, z axes, in that order, about the origin of the moving object.
    pub turn: Vec3,
}

/// Motion by keys: turn about the origin of the moving object, then shift. Between keys it is linear, or smooth (cubic
/// with zero speed at the keys). The first and the last key hold before and after. Without keys there is no motion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Motion {
    /// Keys in the order of time.
    pub keys: Vec<Key>,
    /// Whether the motion is smooth, with zero speed at each key.
    pub smooth: bool,
}

impl Motion {
    /// Position at time `t` of a point that starts at `p`, turning about `origin`.
    pub fn apply(&self, t: f64, origin: Vec3, p: Vec3) -> Vec3 {
        let Some((shift, turn)) = self.at(t) else { return p };
        if turn == DQuat::IDENTITY { p + shift } else { origin + turn * (p - origin) + shift }
    }

    /// Velocity of the shift, m/s, and angular velocity of the turn, rad/s, just before `t`, or just after it if
    /// `leaving`. At a key the two may differ.
    pub(crate) fn rates(&self, t: f64, leaving: bool) -> (Vec3, Vec3) {
        let next = self.keys.partition_point(|key| if leaving { key.t <= t } else { key.t < t });
        if next == 0 || next == self.keys.len() {
            return (Vec3::ZERO, Vec3::ZERO);
        }
        let (a, b) = (&self.keys[next - 1], &self.keys[next]);
        let s = (t - a.t) / (b.t - a.t);
        let (share, rate) = if self.smooth { (s * s * (3.0 - 2.0 * s), 6.0 * s * (1.0 - s)) } else { (s, 1.0) };
        let rate = rate / (b.t - a.t);
        let [angle, turning] = [a.turn.lerp(b.turn, share), (b.turn - a.turn) * rate].map(radians);
        let (z, y) = (DMat3::from_rotation_z(angle.z), DMat3::from_rotation_y(angle.y));
        let spin = Vec3::Z * turning.z + z * (Vec3::Y * turning.y + y * (Vec3::X * turning.x));
        ((b.shift - a.shift) * rate, spin)
    }

    /// Shift, m, and turn, degrees, at time `t`; zero without keys.
    pub(crate) fn value_at(&self, t: f64) -> (Vec3, Vec3) {
        let next = self.keys.partition_point(|key| key.t <= t);
        match (next.checked_sub(1).map(|i| &self.keys[i]), self.keys.get(next)) {
            (None, None) => (Vec3::ZERO, Vec3::ZERO),
            (Some(key), None) | (None, Some(key)) => (key.shift, key.turn),
            (Some(a), Some(b)) => {
                let s = (t - a.t) / (b.t - a.t);
                let s = if self.smooth { s * s * (3.0 - 2.0 * s) } else { s };
                (a.shift.lerp(b.shift, s), a.turn.lerp(b.turn, s))
            }
        }
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
        // angles are interpolated, and not quaternions, so that a key of 720 degrees turns twice
        let degrees = a.turn.lerp(b.turn, s);
        let turn = if degrees == Vec3::ZERO { DQuat::IDENTITY } else { DQuat::from_mat3(&rotation(degrees)) };
        Some((a.shift.lerp(b.shift, s), turn))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_those_of_the_places() {
        let key = |t: f64, shift: Vec3, turn: Vec3| Key { t, shift, turn };
        let keys = vec![
            key(0.0, Vec3::ZERO, Vec3::ZERO),
            key(1.0, Vec3::new(0.1, 0.2, -0.3), Vec3::new(50.0, 70.0, -200.0)),
            key(3.0, Vec3::X, Vec3::new(0.0, 360.0, 10.0)),
        ];
        let (origin, p, e) = (Vec3::new(0.3, 0.1, 0.2), Vec3::new(1.0, -2.0, 0.5), 1e-6);
        for smooth in [false, true] {
            let motion = Motion { keys: keys.clone(), smooth };
            for t in [-0.5, 0.25, 0.8, 1.3, 2.9, 3.5] {
                let at = |t: f64| motion.apply(t, origin, p);
                let (speed, spin) = motion.rates(t, false);
                let got = speed + spin.cross(motion.at(t).unwrap().1 * (p - origin));
                let want = (at(t + e) - at(t - e)) / (2.0 * e);
                assert!((got - want).length() < 1e-8, "smooth {smooth}, t = {t}: {got} and {want}");
            }
            let (comes, leaves) = (motion.rates(0.0, false).0, motion.rates(0.0, true).0);
            assert!(comes == Vec3::ZERO && (leaves == Vec3::ZERO) == smooth);
        }
    }
}
