//! A triangle of constant strain, orthotropic: the plane membrane of any textbook on finite elements, in Green's strain
//! (J. Bonet and R. Wood, Nonlinear Continuum Mechanics for Finite Element Analysis, 1997).
//!
//! ```text
//! C = (E_uu, E_vv, 2 E_uv) = ((w_u·w_u - 1)/2, (w_v·w_v - 1)/2, w_u·w_v)        W = A/2 Cᵀ D C       A in m²
//! D11 = E1/(1 - ν12 ν21)    D22 = E2/(1 - ν12 ν21)    D12 = ν12 D22    D33 = G   in N/m,    ν21 = ν12 E2/E1
//! ∂E_uu/∂x_m = a_m w_u      ∂E_vv/∂x_m = b_m w_v      ∂(2E_uv)/∂x_m = a_m w_v + b_m w_u
//! Σ σ ∂²C/∂x_m∂x_n = (σ_1 a_m a_n + σ_2 b_m b_n + σ_3 (a_m b_n + b_m a_n)) 1
//! ```
//! E1, E2 are forces per width and strain along u and v with free sides; G is the shear force per width and radian.
//!
//! A rest stretch (b_u, b_v) is the same as another material plane: u and v are multiplied by it, lengths and area
//! alike. So cloth that rests at b has there, counted per rest length and rest width, the stiffness of its fabric. (The
//! stretch of Baraff and Witkin counts both in the plane before.)
//!
//! The strain grows with the square of the stretch, so the membrane stiffens under tension. Far in compression, for |w|
//! below 1/√3, it softens. Nothing is undefined in a collapsed triangle.
//!
//! [`Curvature::Definite`]: S = (σ_1 σ_3; σ_3 σ_2) is the stress. Its positive part is kept: compressive principal
//! stresses give no geometric stiffness.

use super::element::{Curvature, Element};
use super::triangle::{direction, slopes, symmetric};
use crate::Vec3;
use glam::DMat3;

/// Material of a membrane. Pairs are (warp, weft).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Orthotropic {
    /// E1, E2: force per width and strain with free sides, N/m.
    pub stretch: [f64; 2],
    /// G: shear force per width and radian, N/m.
    pub shear: f64,
    /// ν12: contraction along v when pulled along u; ν12² < E1/E2, or the energy has no minimum.
    pub poisson: f64,
}

/// A triangle's resistance to stretch and shear.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Membrane {
    /// Its particles.
    pub v: [u32; 3],
    /// Slopes ∂w_u/∂x_m, 1/m.
    pub a: [f64; 3],
    /// Slopes ∂w_v/∂x_m, 1/m.
    pub b: [f64; 3],
    /// Moduli D11, D22, D12, D33 times rest area, J.
    pub d: [f64; 4],
}

impl Membrane {
    /// Makes a membrane from its corners in the material plane, m, in either winding; the fabric; and the rest stretch
    /// along u and v, usually 1.
    pub fn new(v: [u32; 3], uv: &[[f64; 2]; 3], fabric: &Orthotropic, rest: [f64; 2]) -> Self {
        let (a, b, area) = slopes(&uv.map(|[u, v]| [u * rest[0], v * rest[1]]));
        let Orthotropic { stretch: [e1, e2], shear, poisson } = *fabric;
        let coupled = 1.0 - poisson * poisson * e2 / e1;
        let d22 = e2 / coupled;
        Self { v, a, b, d: [e1 / coupled, d22, poisson * d22, shear].map(|d| d * area) }
    }

    fn w(&self, x: &[Vec3; 3]) -> [Vec3; 2] {
        [direction(&self.a, x), direction(&self.b, x)]
    }
}

fn strain([wu, wv]: [Vec3; 2]) -> [f64; 3] {
    [0.5 * (wu.length_squared() - 1.0), 0.5 * (wv.length_squared() - 1.0), wu.dot(wv)]
}

/// Positive part of (p r; r q): the matrix without its negative eigenvalues, as p, q, r.
#[inline]
fn positive_part([p, q, r]: [f64; 3]) -> [f64; 3] {
    let (mean, half) = (0.5 * (p + q), 0.5 * (p - q));
    let radius = (half * half + r * r).sqrt();
    if mean >= radius {
        [p, q, r]
    } else if mean <= -radius {
        [0.0; 3]
    } else {
        // the positive part is λ (S - λ' 1)/(λ - λ') with λ = mean + radius and λ' = mean - radius
        let share = 0.5 * (mean + radius) / radius;
        [share * (radius + half), share * (radius - half), share * r]
    }
}

impl Element<3, 3> for Membrane {
    fn vertices(&self) -> [u32; 3] {
        self.v
    }

    #[inline]
    fn conditions(&self, x: &[Vec3; 3]) -> [f64; 3] {
        strain(self.w(x))
    }

    #[inline]
    fn gradients(&self, x: &[Vec3; 3]) -> Option<([f64; 3], [[Vec3; 3]; 3])> {
        let [wu, wv] = self.w(x);
        let across = std::array::from_fn(|m| wv * self.a[m] + wu * self.b[m]);
        Some((strain([wu, wv]), [self.a.map(|a| wu * a), self.b.map(|b| wv * b), across]))
    }

    #[inline]
    fn law_energy(&self, c: &[f64; 3]) -> f64 {
        let s = self.stress(c);
        0.5 * (s[0] * c[0] + s[1] * c[1] + s[2] * c[2])
    }

    #[inline]
    fn stress(&self, c: &[f64; 3]) -> [f64; 3] {
        let [d11, d22, d12, d33] = self.d;
        [d11 * c[0] + d12 * c[1], d12 * c[0] + d22 * c[1], d33 * c[2]]
    }

    #[inline]
    fn stiffness(&self, _: &[f64; 3]) -> [[f64; 3]; 3] {
        self.viscosity()
    }

    #[inline]
    fn viscosity(&self) -> [[f64; 3]; 3] {
        let [d11, d22, d12, d33] = self.d;
        [[d11, d12, 0.0], [d12, d22, 0.0], [0.0, 0.0, d33]]
    }

    #[inline]
    fn second(&self, _: &[Vec3; 3], sigma: &[f64; 3], curvature: Curvature) -> [[DMat3; 3]; 3] {
        let [p, q, r] = if curvature == Curvature::Definite { positive_part(*sigma) } else { *sigma };
        let (a, b) = (&self.a, &self.b);
        symmetric(|m, n| {
            let s = p * a[m] * a[n] + q * b[m] * b[n] + r * (a[m] * b[n] + b[m] * a[n]);
            DMat3::from_diagonal(Vec3::splat(s))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::check::{self, Tally};
    use crate::model::element::{force, potential};

    const FABRIC: Orthotropic = Orthotropic { stretch: [1000.0, 500.0], shear: 50.0, poisson: 0.2 };

    #[test]
    fn derivatives_match_central_differences() {
        let mut tally = Tally::default();
        for (name, uv, x) in check::triangles() {
            let membrane = Membrane::new([0, 1, 2], &uv, &FABRIC, [1.02, 0.95]);
            // the energy is of fourth degree, so differences are exact over any length
            tally.state(&name, &membrane, &x, check::reach(&uv.map(|[u, v]| Vec3::new(u, v, 0.0))));
            check::covers(&name, &membrane, &x);
        }
        tally.report("membrane");
    }

    #[test]
    fn positive_part_keeps_positive_eigenvalues_and_their_directions() {
        for seed in 0..200 {
            let [d, e] = check::points::<2>(seed, 1.0);
            let (big, small, (s, c)) = (d.x.abs(), -d.y.abs(), e.x.sin_cos());
            let of = |l: f64, m: f64| [l * c * c + m * s * s, l * s * s + m * c * c, (l - m) * c * s];
            let near = |got: [f64; 3], exact: [f64; 3]| (0..3).all(|i| (got[i] - exact[i]).abs() < 1e-15);
            assert!(near(positive_part(of(big, small)), of(big, 0.0)), "{seed}");
            assert!(near(positive_part(of(big, 0.5 * big)), of(big, 0.5 * big)), "{seed}");
            assert_eq!(positive_part(of(-big, small)), [0.0; 3], "{seed}");
        }
    }

    /// Forces on the sides of a square that is pulled at an angle to the warp: E(φ) of the orthotropic plane, free
    /// sides free.
    #[test]
    fn pulled_at_an_angle_it_has_the_stiffness_of_the_orthotropic_plane() {
        // the columns are degrees, E, and the lateral and the shear strain as shares of the longitudinal strain
        let table = [
            (0.0f64, 1000.0, -0.2, 0.0),
            (22.5, 310.419548, -0.706204, 1.397991),
            (30.0, 229.226361, -0.759312, 0.923099),
            (45.0, 176.991150, -0.769912, 0.088496),
            (60.0, 205.655527, -0.681234, -0.650076),
            (90.0, 500.0, -0.1, 0.0),
        ];
        let corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        let strain = 1e-4;
        for (degrees, stiffness, lateral, shear) in table {
            let (s, c) = degrees.to_radians().sin_cos();
            let mut sides = [Vec3::ZERO; 2];
            for t in [[0, 1, 2], [0, 2, 3]] {
                // the pull is along x; the warp lies `degrees` below it
                let uv =
                    t.map(|i: usize| [c * corners[i][0] - s * corners[i][1], s * corners[i][0] + c * corners[i][1]]);
                let x = t.map(|i: usize| {
                    let [x, y] = corners[i];
                    Vec3::new(x * (1.0 + strain) + y * shear * strain, y * (1.0 + lateral * strain), 0.0)
                });
                let f = force(&Membrane::new([0, 1, 2], &uv, &FABRIC, [1.0, 1.0]), &x, &x, &[0.0; 3]);
                for (side, corners) in sides.iter_mut().zip([[1, 2], [2, 3]]) {
                    (0..3).filter(|&i| corners.contains(&t[i])).for_each(|i| *side -= f[i]);
                }
            }
            let [right, top] = sides;
            let exact = stiffness * strain;
            // a strain of 1e-4 is finite and changes the forces by about as much
            assert!((right.x - exact).abs() < 1e-3 * exact, "{degrees}: {right} instead of {exact}");
            assert!(right.y.abs() < 1e-3 * exact && top.length() < 1e-3 * exact, "{degrees}: {right} {top}");
        }
    }

    #[test]
    fn at_its_rest_stretch_it_has_no_force_and_the_stiffness_of_the_fabric() {
        let uv = [[0.0, 0.0], [2.0, 0.0], [0.0, 1.0]];
        let rest = [1.25, 0.5];
        let membrane = Membrane::new([0, 1, 2], &uv, &Orthotropic { poisson: 0.0, ..FABRIC }, rest);
        let at = |e: f64| uv.map(|[u, v]| Vec3::new(1.25 * u * (1.0 + e), 0.5 * v, 0.0));
        assert_eq!(force(&membrane, &at(0.0), &at(0.0), &[0.0; 3]), [Vec3::ZERO; 3]);
        // the force is E1 per rest width of 0.5, and the corner takes half of it
        let found = -force(&membrane, &at(1e-6), &at(0.0), &[0.0; 3])[1].x;
        let exact = 0.5 * 0.5 * 1000.0 * 1e-6;
        assert!((found / exact - 1.0).abs() < 1e-5, "{found} instead of {exact}");
    }

    #[test]
    fn turned_and_moved_triangle_is_at_rest() {
        for (name, uv) in check::rest_triangles(1.0) {
            let membrane = Membrane::new([0, 1, 2], &uv, &FABRIC, [1.0, 1.0]);
            let x = check::placed(uv.map(|[u, v]| Vec3::new(u, v, 0.0)), 5, false);
            assert!(potential(&membrane, &x, None) < 1e-18, "{name}");
            let f = force(&membrane, &x, &x, &[0.0; 3]);
            assert!(f.iter().all(|f| f.length() < 1e-9), "{name}: {f:?}");
        }
    }

    #[test]
    fn collapsed_triangle_gives_no_nan() {
        let membrane = Membrane::new([0, 1, 2], &[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]], &FABRIC, [1.0, 1.0]);
        for x in [[Vec3::ONE; 3], [Vec3::ZERO, Vec3::ZERO, Vec3::Y], [Vec3::ZERO, Vec3::X, 3.0 * Vec3::X]] {
            check::finite("collapsed", &membrane, &x);
        }
        assert_eq!(force(&membrane, &[Vec3::ONE; 3], &[Vec3::X; 3], &[0.0; 3]), [Vec3::ZERO; 3]);
    }
}
