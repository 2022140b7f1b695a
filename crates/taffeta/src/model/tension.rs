//! A spring that only pulls: K.-J. Choi and H.-S. Ko, Stable but Responsive Cloth, SIGGRAPH 2002, between nearest
//! neighbours.
//!
//! ```text
//! C = |x_b - x_a|     E = k/2 (C - rest)² where C ≥ rest, else 0        k in N/m
//! ```
//! Compression is left to [`Buckling`](super::buckling::Buckling). At rest its stiffness is k, not 0: a sheet at rest
//! has to resist from the first moment. The spring never pushes, so nothing is left out of the second derivative,
//! except where damping pushes.

use super::element::{Curvature, Element};
use super::spring::{length_gradient, length_second};
use crate::Vec3;
use glam::DMat3;

/// A spring between `a` and `b` that goes slack.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tension {
    /// One end.
    pub a: u32,
    /// The other end.
    pub b: u32,
    /// Stiffness, N/m.
    pub k: f64,
    /// Rest length, m.
    pub rest: f64,
}

impl Element<2, 1> for Tension {
    fn vertices(&self) -> [u32; 2] {
        [self.a, self.b]
    }

    #[inline]
    fn conditions(&self, x: &[Vec3; 2]) -> [f64; 1] {
        [x[0].distance(x[1])]
    }

    #[inline]
    fn gradients(&self, x: &[Vec3; 2]) -> Option<([f64; 1], [[Vec3; 2]; 1])> {
        length_gradient(x)
    }

    #[inline]
    fn law_energy(&self, c: &[f64; 1]) -> f64 {
        let longer = (c[0] - self.rest).max(0.0);
        0.5 * self.k * longer * longer
    }

    #[inline]
    fn stress(&self, c: &[f64; 1]) -> [f64; 1] {
        [self.k * (c[0] - self.rest).max(0.0)]
    }

    #[inline]
    fn stiffness(&self, c: &[f64; 1]) -> [[f64; 1]; 1] {
        [[if c[0] >= self.rest { self.k } else { 0.0 }]]
    }

    #[inline]
    fn viscosity(&self) -> [[f64; 1]; 1] {
        [[self.k]]
    }

    #[inline]
    fn second(&self, x: &[Vec3; 2], sigma: &[f64; 1], curvature: Curvature) -> [[DMat3; 2]; 2] {
        length_second(x, sigma[0], curvature)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::check::{self, Tally};
    use crate::model::element::{force, linearise};
    use crate::model::spring::Spring;

    #[test]
    fn derivatives_match_central_differences() {
        let mut tally = Tally::default();
        for scale in [1e-6, 1.0, 1e3] {
            let tension = Tension { a: 0, b: 1, k: 40.0, rest: scale };
            for ratio in [1.001, 1.01, 1.1, 2.0, 10.0] {
                for seed in 0..8 {
                    let x = check::placed([Vec3::ZERO, ratio * scale * Vec3::X], seed, seed % 2 == 1);
                    // differences must not reach over the length at which it goes slack
                    let reach = check::reach(&x).min((ratio - 1.0) * scale);
                    tally.state(&format!("{scale} m x{ratio} {seed}"), &tension, &x, reach);
                    check::covers("tension", &tension, &x);
                }
            }
        }
        tally.report("tension");
    }

    #[test]
    fn it_is_a_spring_where_it_pulls_and_nothing_where_it_would_push() {
        let tension = Tension { a: 0, b: 1, k: 40.0, rest: 1.0 };
        let spring = Spring { a: 0, b: 1, k: 40.0, rest: 1.0 };
        for length in [1.0, 1.2, 5.0] {
            let x = [Vec3::ZERO, length * Vec3::Y];
            let [a, b] =
                [linearise(&tension, &x, None, Curvature::Exact), linearise(&spring, &x, None, Curvature::Exact)];
            assert_eq!((a.force, a.stiffness), (b.force, b.stiffness));
        }
        for length in [0.0, 1e-9, 0.5, 0.999] {
            let x = [Vec3::ZERO, length * Vec3::Y];
            let slack = linearise(&tension, &x, None, Curvature::Exact);
            assert_eq!((slack.force, slack.stiffness), ([Vec3::ZERO; 2], [[DMat3::ZERO; 2]; 2]));
            assert_eq!(tension.law_energy(&[length]), 0.0);
            check::finite("slack", &tension, &x);
        }
        assert_eq!(force(&tension, &[Vec3::ONE; 2], &[Vec3::X, Vec3::Y], &[1.0]), [Vec3::ZERO; 2]);
    }
}
