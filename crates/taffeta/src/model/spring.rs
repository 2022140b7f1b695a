//! A spring between two particles.
//!
//! X. Provot, Deformation Constraints in a Mass-Spring Model to Describe Rigid Cloth Behavior, Graphics Interface 1995;
//! [Vo 2006] H. Vo, Investigations into the Simulation of Cloth, thesis 2006, Sec. 4.1 (which prints the force with the
//! wrong sign for its own L).
//!
//! ```text
//! d = x_b - x_a     E = k/2 (|d| - rest)²     f_a = k (|d| - rest) d/|d| + k τ (d·(v_b - v_a)) d/|d|²     f_b = -f_a
//! ```
//! k in N/m; τ in s: the damping force is τ times the rate of the elastic one. Where |d| = 0 the direction is not
//! defined and the force is zero.

use crate::Vec3;

/// What a spring is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SpringKind {
    /// Along warp and weft.
    Structural,
    /// Across.
    Shear,
    /// Over one particle or one edge.
    Flexion,
}

impl SpringKind {
    /// In the order of storage.
    pub const ALL: [SpringKind; 3] = [SpringKind::Structural, SpringKind::Shear, SpringKind::Flexion];
}

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
    /// J.
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

    /// Elastic and damping force on `a`, N; that on `b` is its opposite. `tau` in s.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::check;

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
    }
}
