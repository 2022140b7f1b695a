//! Grabs: springs that pull at points of the cloth.

use crate::Vec3;
use crate::algebra::outer;
use crate::setup::Motion;
use glam::DMat3;

/// A spring from a point of the cloth to a place in space. It pulls with k d, but never with more than its limit.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Grab {
    /// Number of the grab.
    pub number: u32,
    /// The particles of the point and their weights, which add to 1.
    pub point: [(u32, f64); 3],
    /// Target, m, as the shifts of a motion from the origin.
    pub target: Motion,
    /// Requested stiffness, N/m.
    pub wanted: f64,
    /// Actual stiffness, N/m: lower where the method would be unstable.
    pub stiffness: f64,
    /// Largest pull, N.
    pub limit: f64,
}

/// Effect of a grab at given positions and time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pull {
    /// Force on the point, N.
    pub force: Vec3,
    /// Energy, J.
    pub energy: f64,
    /// Derivative -∂f/∂x of the point, N/m: positive semidefinite.
    pub stiffness: DMat3,
}

impl Grab {
    /// Position of the point, m.
    pub fn at(&self, x: &[Vec3]) -> Vec3 {
        self.point.iter().map(|&(i, weight)| x[i as usize] * weight).sum()
    }

    /// Target at time `t`, m.
    pub fn target_at(&self, t: f64) -> Vec3 {
        self.target.at(t).map_or(Vec3::ZERO, |(shift, _)| shift)
    }

    /// Effect on the point at positions `x` and time `t`.
    pub fn pull(&self, t: f64, x: &[Vec3]) -> Pull {
        let way = self.target_at(t) - self.at(x);
        let (k, length) = (self.stiffness, way.length());
        if k * length <= self.limit {
            let energy = 0.5 * k * length * length;
            return Pull { force: way * k, energy, stiffness: DMat3::from_diagonal(Vec3::splat(k)) };
        }
        let u = way / length;
        // beyond the limit of the force, only the stiffness across the pull is left
        let stiffness = (DMat3::IDENTITY - outer(u, u)) * (self.limit / length);
        Pull { force: u * self.limit, energy: self.limit * (length - 0.5 * self.limit / k), stiffness }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::Key;

    #[test]
    fn force_and_stiffness_are_derivatives_of_the_energy() {
        let target =
            Motion { keys: vec![Key { t: 0.0, shift: Vec3::new(0.1, 0.2, -0.1), turn: Vec3::ZERO }], smooth: false };
        let point = [(0, 1.0), (0, 0.0), (0, 0.0)];
        let grab = Grab { number: 1, point, target, wanted: 50.0, stiffness: 50.0, limit: 4.0 };
        for x in [Vec3::new(0.12, 0.19, -0.1), Vec3::new(0.5, -0.3, 0.2)] {
            let at = |p: Vec3| grab.pull(0.0, &[p]);
            let step = 1e-6;
            for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
                let (low, high) = (at(x - axis * step), at(x + axis * step));
                let slope = -(high.energy - low.energy) / (2.0 * step);
                assert!((at(x).force.dot(axis) - slope).abs() < 1e-7, "{x}");
                let change = -(high.force - low.force) / (2.0 * step);
                assert!((at(x).stiffness * axis - change).length() < 1e-6, "{x}");
            }
        }
    }
}
