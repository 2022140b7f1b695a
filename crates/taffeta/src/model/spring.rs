//! A spring between two particles.
//!
//! X. Provot, Deformation Constraints in a Mass-Spring Model to Describe Rigid Cloth Behavior, Graphics Interface 1995;
//! [Vo 2006] L. H. D. Vo, Investigations into the Simulation of Cloth, thesis 2006, Sec. 4.1 (which prints the force
//! with the wrong sign for its own L).
//!
//! ```text
//! d = x_b - x_a     E = k/2 (|d| - rest)²     f_a = k (|d| - rest) d/|d| + k τ (d·(v_b - v_a)) d/|d|²     f_b = -f_a
//! ```
//! k in N/m; τ in s: the damping force is τ times the rate of the elastic one. Where |d| = 0 the direction is not
//! defined and the force is zero.
//!
//! ```text
//! C = |d|     ∂C/∂x_b = n = d/|d|     ∂²C/∂x_b∂x_b = (1 - n nᵀ)/|d|
//! ```
//! A compressed spring would rather turn aside, so that its second term is negative: [`Curvature::Definite`] leaves it
//! out.

use super::element::{Curvature, Element};
use crate::Vec3;
use crate::algebra::outer;
use glam::DMat3;

/// A spring between the particles `a` and `b`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// One end.
    pub a: u32,
    /// The other end.
    pub b: u32,
    /// Stiffness, N/m.
    pub k: f64,
    /// Rest length, m.
    pub rest: f64,
}

impl Spring {
    /// Energy, J.
    #[inline]
    pub fn energy(&self, xa: Vec3, xb: Vec3) -> f64 {
        let stretch = (xb - xa).length() - self.rest;
        0.5 * self.k * stretch * stretch
    }

    /// Force on `a`, N; that on `b` is its opposite.
    #[inline]
    pub fn force(&self, xa: Vec3, xb: Vec3) -> Vec3 {
        let d = xb - xa;
        let length = d.length();
        if length > 0.0 { d * (self.k - self.k * self.rest / length) } else { Vec3::ZERO }
    }

    /// Elastic and damping force on `a`, N; that on `b` is its opposite. `tau` is the damping time, s.
    #[inline]
    pub fn damped_force(&self, xa: Vec3, xb: Vec3, va: Vec3, vb: Vec3, tau: f64) -> Vec3 {
        let d = xb - xa;
        let squared = d.length_squared();
        if squared > 0.0 {
            let rate = d.dot(vb - va) / squared;
            d * (self.k - self.k * self.rest / squared.sqrt() + self.k * tau * rate)
        } else {
            Vec3::ZERO
        }
    }
}

/// Length and its gradient; `None` where the ends coincide.
#[inline]
pub(super) fn length_gradient(x: &[Vec3; 2]) -> Option<([f64; 1], [[Vec3; 2]; 1])> {
    let d = x[1] - x[0];
    let length = d.length();
    (length > 0.0).then(|| ([length], [[-d / length, d / length]]))
}

/// σ ∂²|d|/∂x∂x, of which a definite matrix keeps only a pull; zero where the ends coincide.
#[inline]
pub(super) fn length_second(x: &[Vec3; 2], sigma: f64, curvature: Curvature) -> [[DMat3; 2]; 2] {
    let sigma = if curvature == Curvature::Definite { sigma.max(0.0) } else { sigma };
    let d = x[1] - x[0];
    let length = d.length();
    if length == 0.0 || sigma == 0.0 {
        return [[DMat3::ZERO; 2]; 2];
    }
    let n = d / length;
    let across = (DMat3::IDENTITY - outer(n, n)) * (sigma / length);
    [[across, -across], [-across, across]]
}

impl Element<2, 1> for Spring {
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
        0.5 * self.k * (c[0] - self.rest) * (c[0] - self.rest)
    }

    #[inline]
    fn stress(&self, c: &[f64; 1]) -> [f64; 1] {
        [self.k * (c[0] - self.rest)]
    }

    #[inline]
    fn stiffness(&self, _: &[f64; 1]) -> [[f64; 1]; 1] {
        [[self.k]]
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
    use crate::model::element;

    #[test]
    fn derivatives_match_central_differences() {
        let mut tally = Tally::default();
        for scale in [1e-6, 1.0, 1e3] {
            let spring = Spring { a: 0, b: 1, k: 40.0, rest: scale };
            for ratio in [0.01, 0.1, 0.9, 0.999, 1.001, 1.1, 10.0] {
                for seed in 0..6 {
                    let x = [Vec3::ZERO, Vec3::new(ratio * scale, 0.0, 0.0)];
                    let x = check::placed(x, seed, seed % 2 == 1);
                    tally.state(&format!("{scale} m x{ratio} {seed}"), &spring, &x, check::reach(&x));
                    check::covers("spring", &spring, &x);
                }
            }
        }
        tally.report("spring");
    }

    #[test]
    fn element_and_explicit_code_agree() {
        let spring = Spring { a: 0, b: 1, k: 40.0, rest: 0.7 };
        for seed in 0..20 {
            let [xa, xb, va, vb] = check::points::<4>(seed, 1.0);
            let f = element::force(&spring, &[xa, xb], &[va, vb], &[0.01])[0];
            let fast = spring.damped_force(xa, xb, va, vb, 0.01);
            assert!(f.distance(fast) < 1e-13 * f.length(), "{f} {fast}");
            let energy = element::potential(&spring, &[xa, xb], None);
            assert_eq!(energy, spring.energy(xa, xb));
        }
    }

    #[test]
    fn force_is_the_negative_gradient_of_the_energy() {
        for (name, k, rest, scale) in
            [("slack", 40.0, 2.0, 1.0), ("tight", 40.0, 0.3, 1.0), ("tiny", 1e-3, 1e-6, 1e-6), ("huge", 1e6, 1e3, 5e3)]
        {
            let spring = Spring { a: 0, b: 1, k, rest };
            for seed in 0..8 {
                let x = check::points::<2>(seed, scale);
                check::force(
                    name,
                    &x,
                    |x| spring.energy(x[0], x[1]),
                    |x| {
                        let f = spring.force(x[0], x[1]);
                        [f, -f]
                    },
                );
            }
        }
    }

    #[test]
    fn damping_takes_energy_and_spares_rotation() {
        let spring = Spring { a: 0, b: 1, k: 10.0, rest: 1.0 };
        let (xa, xb) = (Vec3::ZERO, Vec3::new(1.2, 0.3, -0.4));
        let elastic = spring.force(xa, xb);
        let v = Vec3::new(0.5, -0.2, 0.1);
        let extra = spring.damped_force(xa, xb, Vec3::ZERO, v, 0.1) - elastic;
        assert!(extra.dot(-v) < 0.0, "power {}", extra.dot(-v));
        let turning = (xb - xa).cross(Vec3::new(0.0, 0.0, 3.0));
        let none = spring.damped_force(xa, xb, Vec3::ZERO, turning, 0.1) - elastic;
        assert!(none.length() < 1e-14 * elastic.length(), "{none}");
    }

    #[test]
    fn coincident_ends_give_no_force_and_no_nan() {
        let spring = Spring { a: 0, b: 1, k: 10.0, rest: 1.0 };
        assert_eq!(spring.force(Vec3::ONE, Vec3::ONE), Vec3::ZERO);
        assert_eq!(spring.damped_force(Vec3::ONE, Vec3::ONE, Vec3::X, Vec3::Y, 1.0), Vec3::ZERO);
        assert_eq!(element::force(&spring, &[Vec3::ONE; 2], &[Vec3::X, Vec3::Y], &[1.0]), [Vec3::ZERO; 2]);
        for tiny in [0.0, 1e-150, 1e-160, 1e-170, 1e-300, 5e-324] {
            check::finite("coincident", &spring, &[Vec3::ZERO, tiny * Vec3::X]);
        }
    }
}
