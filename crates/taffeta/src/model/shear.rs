//! Shear of a triangle: D. Baraff and A. Witkin, Large Steps in Cloth Simulation, SIGGRAPH 1998, Sec. 4.3.
//!
//! ```text
//! C = w_u · w_v        E = kA/2 C²        k in N/m, A the rest area in m²
//! ∂C/∂x_m = a_m w_v + b_m w_u      ∂²C/∂x_m∂x_n = (a_m b_n + b_m a_n) 1
//! ```
//! | paper | ∂w_u/∂x_m | ∂w_v/∂x_m |
//! |-------|-----------|-----------|
//! | here  | `a[m]`    | `b[m]`    |
//!
//! One difference: the paper puts the area into C, so a finer mesh is a softer cloth. Here the area weighs the energy,
//! and k belongs to the fabric alone.
//!
//! In the space of (w_u, w_v) the second derivative is σ (0 1; 1 0) with the eigenvalues ±σ: indefinite in every
//! sheared state. [`Curvature::Definite`] keeps the positive half, |σ|/2 (1 ±1; ±1 1), ± the sign of σ.

use super::element::{Curvature, Element};
use super::triangle::{direction, slopes, symmetric};
use crate::Vec3;
use glam::DMat3;

/// A triangle's resistance to shear.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shear {
    /// Its particles.
    pub v: [u32; 3],
    /// Slopes ∂w_u/∂x_m, 1/m.
    pub a: [f64; 3],
    /// Slopes ∂w_v/∂x_m, 1/m.
    pub b: [f64; 3],
    /// Stiffness times rest area, J.
    pub k: f64,
}

impl Shear {
    /// Makes an element from its corners in the material plane, m, in either winding, and the stiffness, N/m.
    pub fn new(v: [u32; 3], uv: &[[f64; 2]; 3], k: f64) -> Self {
        let (a, b, area) = slopes(uv);
        Self { v, a, b, k: k * area }
    }
}

impl Element<3, 1> for Shear {
    fn vertices(&self) -> [u32; 3] {
        self.v
    }

    #[inline]
    fn conditions(&self, x: &[Vec3; 3]) -> [f64; 1] {
        [direction(&self.a, x).dot(direction(&self.b, x))]
    }

    #[inline]
    fn gradients(&self, x: &[Vec3; 3]) -> Option<([f64; 1], [[Vec3; 3]; 1])> {
        let (wu, wv) = (direction(&self.a, x), direction(&self.b, x));
        Some(([wu.dot(wv)], [std::array::from_fn(|m| wv * self.a[m] + wu * self.b[m])]))
    }

    #[inline]
    fn law_energy(&self, c: &[f64; 1]) -> f64 {
        0.5 * self.k * c[0] * c[0]
    }

    #[inline]
    fn stress(&self, c: &[f64; 1]) -> [f64; 1] {
        [self.k * c[0]]
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
    fn second(&self, _: &[Vec3; 3], sigma: &[f64; 1], curvature: Curvature) -> [[DMat3; 3]; 3] {
        let (a, b, sigma) = (&self.a, &self.b, sigma[0]);
        match curvature {
            Curvature::Exact => {
                symmetric(|m, n| DMat3::from_diagonal(Vec3::splat(sigma * (a[m] * b[n] + b[m] * a[n]))))
            }
            Curvature::Definite => {
                let kept: [f64; 3] = std::array::from_fn(|m| a[m] + sigma.signum() * b[m]);
                symmetric(|m, n| DMat3::from_diagonal(Vec3::splat(0.5 * sigma.abs() * kept[m] * kept[n])))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::check::{self, Tally};
    use crate::model::element::{force, linearise, potential};
    use crate::model::stretch::Stretch;

    #[test]
    fn derivatives_match_central_differences() {
        let mut tally = Tally::default();
        for (name, uv, x) in check::triangles() {
            let shear = Shear::new([0, 1, 2], &uv, 40.0);
            // the energy is of fourth degree, so differences are exact over any length
            tally.state(&name, &shear, &x, check::reach(&uv.map(|[u, v]| Vec3::new(u, v, 0.0))));
            check::covers(&name, &shear, &x);
        }
        tally.report("shear");
    }

    /// A unit square leaning by φ has w_u · w_v = sin φ, whatever its triangulation.
    #[test]
    fn energy_of_a_leaning_square_is_half_k_sin_squared() {
        let corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        let lean = 0.3f64;
        for split in [[[0, 1, 2], [0, 2, 3]], [[0, 1, 3], [3, 1, 2]], [[2, 1, 0], [0, 3, 2]]] {
            let energy: f64 = split
                .iter()
                .map(|t| {
                    let uv = t.map(|i| corners[i]);
                    let x = uv.map(|[u, v]| Vec3::new(u + v * lean.sin(), v * lean.cos(), 0.0));
                    potential(&Shear::new([0, 1, 2], &uv, 50.0), &check::placed(x, 9, false), None)
                })
                .sum();
            let exact = 25.0 * lean.sin().powi(2);
            assert!((energy - exact).abs() < 1e-13, "{energy} instead of {exact}");
        }
    }

    /// Closed forms of a uniform deformation F: k_u/2 (|w_u| - 1)² + k_v/2 (|w_v| - 1)² + k_s/2 (w_u·w_v)² in J/m².
    #[test]
    fn energy_of_a_uniform_deformation_is_that_of_the_closed_form_in_every_triangle() {
        let (k, ks) = ([1000.0, 500.0], 50.0);
        let (s, c) = 0.3f64.sin_cos();
        let cases: [(&str, [[f64; 2]; 2], f64, f64); 6] = [
            ("warp stretched", [[1.1, 0.0], [0.0, 1.0]], 5.0, 1e-12),
            ("trellis shear", [[1.0, s], [0.0, c]], 2.18330481, 5e-9),
            ("general", [[1.2, 0.15], [-0.1, 0.9]], 22.96085235, 5e-9),
            ("biaxial", [[1.1, 0.0], [0.0, 0.8]], 15.0, 1e-11),
            // here w_v = (s, 1)
            ("simple shear", [[1.0, 0.75], [0.0, 1.0]], 25.0 * 0.75 * 0.75 + 250.0 * 0.25 * 0.25, 1e-11),
            // yarns turn towards the pull: sin γ = λ² - 1
            ("bias pull", bias(1.1), 25.0 * 0.21 * 0.21, 1e-11),
        ];
        for (name, f, exact, tolerance) in cases {
            for (shape, uv) in check::rest_triangles(0.02) {
                let x = uv.map(|[u, v]| Vec3::new(f[0][0] * u + f[0][1] * v, f[1][0] * u + f[1][1] * v, 0.0));
                let x = check::placed(x, 4, false);
                let stretch = Stretch::new([0, 1, 2], &uv, k, [1.0, 1.0]);
                let shear = Shear::new([0, 1, 2], &uv, ks);
                let area = stretch.k[0] / k[0];
                let psi = (potential(&stretch, &x, None) + potential(&shear, &x, None)) / area;
                // the needle loses two digits
                assert!((psi - exact).abs() < tolerance.max(1e-10), "{shape} {name}: {psi} instead of {exact}");
            }
        }
    }

    /// Both yarns keep their length, and the bisector between them is stretched by λ.
    fn bias(stretch: f64) -> [[f64; 2]; 2] {
        let half: f64 = (stretch / 2f64.sqrt()).acos();
        let (s, c) = half.sin_cos();
        [[c, c], [-s, s]]
    }

    /// Forces per width of the unit square: k (λ - 1) along the yarns; k_s s + k_v s (1 - 1/√(1 + s²)) in simple shear.
    #[test]
    fn forces_on_a_square_are_those_of_the_closed_form() {
        let on_side = |f: [[f64; 2]; 2], side: [usize; 2]| {
            side_force([Vec3::new(f[0][0], f[1][0], 0.0), Vec3::new(f[0][1], f[1][1], 0.0)], 0.0, side)
        };
        let (right, top) = ([1, 2], [2, 3]);
        let near = |found: Vec3, exact: Vec3| assert!(found.distance(exact) < 1e-11, "{found} instead of {exact}");
        near(on_side([[1.1, 0.0], [0.0, 1.0]], right), Vec3::new(100.0, 0.0, 0.0));
        near(on_side([[1.1, 0.0], [0.0, 1.0]], top), Vec3::ZERO);
        near(on_side([[1.1, 0.0], [0.0, 0.8]], right), Vec3::new(100.0, 0.0, 0.0));
        near(on_side([[1.1, 0.0], [0.0, 0.8]], top), Vec3::new(0.0, -100.0, 0.0));
        let s = 0.75;
        near(on_side([[1.0, s], [0.0, 1.0]], top) * Vec3::X, Vec3::new(50.0 * s + 500.0 * s * (1.0 - 0.8), 0.0, 0.0));
    }

    /// Lengths kept, leaning by γ: the side does the work k_s sin γ cos γ per radian.
    #[test]
    fn trellis_shear_resists_by_ks_sine_times_cosine() {
        let (s, c) = 0.3f64.sin_cos();
        let top = side_force([Vec3::X, Vec3::new(s, c, 0.0)], 0.0, [2, 3]);
        let found = top.dot(Vec3::new(c, -s, 0.0));
        assert!((found - 50.0 * s * c).abs() < 1e-12, "{found}");
    }

    /// E45 = 4/(1/k_u + 1/k_v + 1/k_s): a pull N along the bias is N/2 in both yarns and in shear.
    #[test]
    fn small_pull_along_the_bias_has_the_stiffness_of_all_three_in_series() {
        let pull = 0.01; // N/m
        let (eu, ev, gamma) = (0.5 * pull / 1000.0, 0.5 * pull / 500.0, 0.5 * pull / 50.0);
        let w = [Vec3::new(1.0 + eu, 0.5 * gamma, 0.0), Vec3::new(0.5 * gamma, 1.0 + ev, 0.0)];
        let strain = 0.5 * (eu + ev + gamma);
        let along = Vec3::new(0.5f64.sqrt(), 0.5f64.sqrt(), 0.0);
        let (right, top) = (side_force(w, 45.0, [1, 2]), side_force(w, 45.0, [2, 3]));
        let stiffness = right.dot(along) / strain;
        // the strain is 6e-5
        assert!((stiffness / 173.913 - 1.0).abs() < 1e-3, "{stiffness}");
        assert!((right - along * right.dot(along)).length() + top.length() < 1e-3 * pull, "{right} {top}");
    }

    /// Force on a side (two corners) of a unit square that is cut at an angle to the warp, N.
    fn side_force([wu, wv]: [Vec3; 2], degrees: f64, side: [usize; 2]) -> Vec3 {
        let (s, c) = degrees.to_radians().sin_cos();
        let corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(|[x, y]| [c * x - s * y, s * x + c * y]);
        let mut sum = Vec3::ZERO;
        for t in [[0, 1, 2], [0, 2, 3]] {
            let uv = t.map(|i: usize| corners[i]);
            let x = uv.map(|[u, v]| wu * u + wv * v);
            let stretch = force(&Stretch::new([0, 1, 2], &uv, [1000.0, 500.0], [1.0, 1.0]), &x, &x, &[0.0; 2]);
            let shear = force(&Shear::new([0, 1, 2], &uv, 50.0), &x, &x, &[0.0]);
            (0..3).filter(|&i| side.contains(&t[i])).for_each(|i| sum -= stretch[i] + shear[i]);
        }
        sum
    }

    /// Six irregular triangles, one wound the other way, about a vertex: under uniform deformation no force is left
    /// there.
    #[test]
    fn uniform_deformation_leaves_no_force_on_an_inner_vertex() {
        let ring = [[1.0, 0.1], [0.4, 0.9], [-0.5, 0.7], [-0.8, -0.2], [-0.3, -1.1], [0.7, -0.6]];
        let [wu, wv] = check::points::<2>(11, 1.2);
        let (mut sum, mut size) = (Vec3::ZERO, 0.0);
        for i in 0..6 {
            let mut uv = [[0.05, -0.03], ring[i], ring[(i + 1) % 6]];
            if i == 2 {
                uv.swap(1, 2);
            }
            let x = uv.map(|[u, v]| wu * u + wv * v);
            let stretch = Stretch::new([0, 1, 2], &uv, [1000.0, 500.0], [1.0, 1.0]);
            let f = force(&stretch, &x, &x, &[0.0; 2])[0] + force(&Shear::new([0, 1, 2], &uv, 50.0), &x, &x, &[0.0])[0];
            sum += f;
            size += f.length();
        }
        assert!(sum.length() < 1e-13 * size && size > 1.0, "{sum} of {size}");
    }

    /// Twice the cells, the same energy: the area weighs the energy and not the condition.
    #[test]
    fn energy_of_a_stretched_square_does_not_depend_on_its_mesh() {
        for cells in [1, 2, 4, 8] {
            let l = 1.0 / f64::from(cells);
            let mut energy = 0.0;
            for (i, j) in (0..cells).flat_map(|i| (0..cells).map(move |j| (f64::from(i), f64::from(j)))) {
                let [p, q, r, s] = [[i, j], [i + 1.0, j], [i + 1.0, j + 1.0], [i, j + 1.0]].map(|p| p.map(|p| p * l));
                for uv in [[p, q, r], [p, r, s]] {
                    let x = uv.map(|[u, v]| Vec3::new(1.1 * u, 1.1 * v, 0.0));
                    energy += potential(&Stretch::new([0, 1, 2], &uv, [1000.0, 500.0], [1.0, 1.0]), &x, None);
                }
            }
            assert!((energy - 7.5).abs() < 1e-12, "{cells}: {energy}");
        }
    }

    #[test]
    fn turned_and_moved_triangle_is_at_rest() {
        for (name, uv) in check::rest_triangles(1.0) {
            let shear = Shear::new([0, 1, 2], &uv, 50.0);
            let x = check::placed(uv.map(|[u, v]| Vec3::new(u, v, 0.0)), 5, false);
            let f = force(&shear, &x, &x, &[0.0]);
            assert!(f.iter().all(|f| f.length() < 1e-10), "{name}: {f:?}");
        }
    }

    #[test]
    fn collapsed_triangle_exerts_no_force_and_no_nan() {
        let shear = Shear::new([0, 1, 2], &[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]], 10.0);
        for x in [[Vec3::ONE; 3], [Vec3::ZERO, Vec3::ZERO, Vec3::Y], [Vec3::ZERO, Vec3::X, Vec3::X]] {
            check::finite("collapsed", &shear, &x);
        }
        assert_eq!(linearise(&shear, &[Vec3::ONE; 3], None, Curvature::Definite).force, [Vec3::ZERO; 3]);
    }
}
