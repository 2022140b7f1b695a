//! Stretch of a triangle along warp and weft: D. Baraff and A. Witkin, Large Steps in Cloth Simulation, SIGGRAPH 1998,
//! Sec. 4.2.
//!
//! ```text
//! C = (|w_u|, |w_v|)     E = A/2 (k_u (|w_u| - b_u)² + k_v (|w_v| - b_v)²)     k in N/m, A the rest area in m²
//! ∂|w_u|/∂x_m = a_m ŵ_u     ∂²|w_u|/∂x_m∂x_n = a_m a_n/|w_u| (1 - ŵ_u ŵ_uᵀ)
//! ```
//! | paper | ∂w_u/∂x_m | ∂w_v/∂x_m | b_u, b_v |
//! |-------|-----------|-----------|----------|
//! | here  | `a[m]`    | `b[m]`    | `rest`   |
//!
//! Two differences. The paper puts the area into C, so that its energy goes with the area squared and a finer mesh is a
//! softer cloth; here the area weighs the energy, and k belongs to the fabric alone. And b is counted in the law, not
//! in C.
//!
//! In compression the second derivative of |w| has the wrong sign: [`Curvature::Definite`] keeps it for each direction
//! under tension only. Where |w| = 0 there is no direction to push along; that direction exerts no force and has no
//! stiffness, and the other is unaffected.

use super::element::{Curvature, Element};
use super::triangle::{direction, slopes, symmetric};
use crate::Vec3;
use crate::algebra::outer;
use glam::DMat3;

/// A triangle's resistance to stretch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stretch {
    /// Its particles.
    pub v: [u32; 3],
    /// Slopes ∂w_u/∂x_m, 1/m.
    pub a: [f64; 3],
    /// Slopes ∂w_v/∂x_m, 1/m.
    pub b: [f64; 3],
    /// Stiffness along u and v times rest area, J.
    pub k: [f64; 2],
    /// Rest values of |w_u| and |w_v|.
    pub rest: [f64; 2],
}

impl Stretch {
    /// Makes an element from its corners in the material plane, m, in either winding; stiffness along u and v, N/m; and
    /// the rest stretch along u and v, usually 1.
    pub fn new(v: [u32; 3], uv: &[[f64; 2]; 3], k: [f64; 2], rest: [f64; 2]) -> Self {
        let (a, b, area) = slopes(uv);
        Self { v, a, b, k: k.map(|k| k * area), rest }
    }

    fn w(&self, x: &[Vec3; 3]) -> [Vec3; 2] {
        [direction(&self.a, x), direction(&self.b, x)]
    }
}

impl Element<3, 2> for Stretch {
    fn vertices(&self) -> [u32; 3] {
        self.v
    }

    #[inline]
    fn conditions(&self, x: &[Vec3; 3]) -> [f64; 2] {
        self.w(x).map(|w| w.length())
    }

    #[inline]
    fn gradients(&self, x: &[Vec3; 3]) -> Option<([f64; 2], [[Vec3; 3]; 2])> {
        let w = self.w(x);
        let c = w.map(|w| w.length());
        let along = |i: usize| if c[i] > 0.0 { w[i] / c[i] } else { Vec3::ZERO };
        Some((c, [self.a.map(|a| along(0) * a), self.b.map(|b| along(1) * b)]))
    }

    #[inline]
    fn law_energy(&self, c: &[f64; 2]) -> f64 {
        (0..2).map(|i| 0.5 * self.k[i] * (c[i] - self.rest[i]) * (c[i] - self.rest[i])).sum()
    }

    #[inline]
    fn stress(&self, c: &[f64; 2]) -> [f64; 2] {
        [self.k[0] * (c[0] - self.rest[0]), self.k[1] * (c[1] - self.rest[1])]
    }

    #[inline]
    fn stiffness(&self, _: &[f64; 2]) -> [[f64; 2]; 2] {
        self.viscosity()
    }

    #[inline]
    fn viscosity(&self) -> [[f64; 2]; 2] {
        [[self.k[0], 0.0], [0.0, self.k[1]]]
    }

    #[inline]
    fn second(&self, x: &[Vec3; 3], sigma: &[f64; 2], curvature: Curvature) -> [[DMat3; 3]; 3] {
        let w = self.w(x);
        // returns σ/|w| (1 - ŵ ŵᵀ), or zero
        let across = |i: usize| {
            let length = w[i].length();
            let kept = if curvature == Curvature::Definite { sigma[i].max(0.0) } else { sigma[i] };
            if length > 0.0 && kept != 0.0 {
                let along = w[i] / length;
                (DMat3::IDENTITY - outer(along, along)) * (kept / length)
            } else {
                DMat3::ZERO
            }
        };
        let (u, v) = (across(0), across(1));
        symmetric(|m, n| u * (self.a[m] * self.a[n]) + v * (self.b[m] * self.b[n]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::check::{self, Tally};
    use crate::model::element::{force, linearise, potential};

    #[test]
    fn derivatives_match_central_differences() {
        let mut tally = Tally::default();
        for (name, uv, x) in check::triangles() {
            let stretch = Stretch::new([0, 1, 2], &uv, [40.0, 15.0], [1.02, 0.95]);
            tally.state(&name, &stretch, &x, check::reach(&x));
            check::covers(&name, &stretch, &x);
        }
        tally.report("stretch");
    }

    #[test]
    fn under_tension_nothing_is_left_out() {
        let stretch = Stretch::new([0, 1, 2], &[[0.0, 0.0], [1.0, 0.1], [0.2, 0.9]], [40.0, 15.0], [1.0, 1.0]);
        let x = check::placed([Vec3::ZERO, Vec3::new(1.3, 0.1, 0.0), Vec3::new(0.2, 1.5, 0.0)], 1, false);
        let exact = linearise(&stretch, &x, None, Curvature::Exact).stiffness;
        assert_eq!(exact, linearise(&stretch, &x, None, Curvature::Definite).stiffness);
    }

    #[test]
    fn turned_and_moved_triangle_is_at_rest() {
        for (name, uv) in check::rest_triangles(1.0) {
            let stretch = Stretch::new([0, 1, 2], &uv, [1000.0, 500.0], [1.0, 1.0]);
            let x = check::placed(uv.map(|[u, v]| Vec3::new(u, v, 0.0)), 5, false);
            assert!(potential(&stretch, &x, None) < 1e-18, "{name}");
            // the needle has slopes a hundred times as large as the others, and as much more rounding
            let f = force(&stretch, &x, &x, &[0.0; 2]);
            assert!(f.iter().all(|f| f.length() < 1e-9), "{name}: {f:?}");
        }
    }

    /// b makes the cloth longer without a force.
    #[test]
    fn cloth_rests_at_its_rest_stretch() {
        let uv = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
        let stretch = Stretch::new([0, 1, 2], &uv, [1000.0, 500.0], [1.25, 0.75]);
        let x = uv.map(|[u, v]| Vec3::new(1.25 * u, 0.0, 0.75 * v));
        assert_eq!(force(&stretch, &x, &x, &[0.0; 2]), [Vec3::ZERO; 3]);
    }

    #[test]
    fn collapsed_direction_exerts_no_force_and_no_nan() {
        let uv = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
        let stretch = Stretch::new([0, 1, 2], &uv, [10.0, 10.0], [1.0, 1.0]);
        check::finite("point", &stretch, &[Vec3::ONE; 3]);
        assert_eq!(force(&stretch, &[Vec3::ONE; 3], &[Vec3::X; 3], &[0.0; 2]), [Vec3::ZERO; 3]);
        // the triangle is collapsed along u and stretched to 2 along v: σ_v A = 10/2
        let line = [Vec3::ZERO, Vec3::ZERO, 2.0 * Vec3::Y];
        check::finite("line", &stretch, &line);
        assert_eq!(force(&stretch, &line, &line, &[0.0; 2]), [5.0 * Vec3::Y, Vec3::ZERO, -5.0 * Vec3::Y]);
        for tiny in [1e-150, 1e-160, 1e-170, 1e-300, 5e-324] {
            check::finite("nearly a point", &stretch, &[Vec3::ZERO, tiny * Vec3::X, tiny * Vec3::Y]);
        }
    }
}
