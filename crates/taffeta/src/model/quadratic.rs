//! Bending that is quadratic in the positions: M. Bergou, M. Wardetzky, D. Harmon, D. Zorin and E. Grinspun, A
//! Quadratic Bending Model for Inextensible Surfaces, SGP 2006.
//!
//! ```text
//!        x2              C = Kx = Σ_i w_i x_i, m       E = B/(2 (A0 + A1)) |Kx|²        B in N m
//!       /  \             w_0 = c03 + c04    w_1 = c01 + c02    w_2 = -c01 - c03    w_3 = -c02 - c04
//!     x0 -- x1           c01, c03: rest cotangents at x0, x1 in the triangle with x2
//!       \  /             c02, c04: at x0, x1 in that with x3
//!        x3
//! ```
//! Each triangle adds |e|/h (foot of its height - apex), so Kx is zero where both are stretched alike and flat, and
//! |Kx| = 2|e| sin(θ/2) where lengths are kept: for small angles the energy of a hinge with k = B |e|²/(A0 + A1). The
//! rest state is flat. Two triangles that are stretched differently push each other in their plane, which matters
//! little as long as stretch is far stiffer than bending.
//!
//! Differences. The paper has 3/(A0 + A1), which is right for spheres and three times too stiff for cylinders; as with
//! the hinge the factor here is 1, because cloth bends to cylinders. Across a seam the edge may have two lengths; both
//! triangles get the mean one, or the flat state would not be at rest.
//!
//! The derivative of the force is constant and positive semidefinite, so nothing is ever left out. Kx turns with the
//! cloth, and its damping therefore slows the rigid rotation of bent cloth as well: it has a torque.

use super::element::{Curvature, Element};
use crate::Vec3;
use glam::DMat3;

/// Bending of two triangles about their common edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quadratic {
    /// Vertices x0, x1, x2, x3 of the drawing.
    pub v: [u32; 4],
    /// Weights w; their sum is 0.
    pub weights: [f64; 4],
    /// Stiffness B/(A0 + A1), N/m.
    pub k: f64,
}

impl Quadratic {
    /// Makes an element from two triangles in the material plane, (x0, x1, x2) and (x0, x1, x3), m, each in its own
    /// place and in either winding, and the bending stiffness, N m.
    pub fn new(v: [u32; 4], uv: &[[[f64; 2]; 3]; 2], bend: f64) -> Self {
        // each side has the length of the edge, the double area, and the place of the apex's foot along the edge
        let sides = uv.map(|[p, q, r]| {
            let (e, d) = ([q[0] - p[0], q[1] - p[1]], [r[0] - p[0], r[1] - p[1]]);
            let squared = e[0] * e[0] + e[1] * e[1];
            (squared.sqrt(), (e[0] * d[1] - e[1] * d[0]).abs(), (e[0] * d[0] + e[1] * d[1]) / squared)
        });
        let edge = 0.5 * (sides[0].0 + sides[1].0);
        // this is |e|/h of each side
        let slope = sides.map(|(length, double_area, _)| edge * length / double_area);
        let part = |i: usize| [slope[i] * (1.0 - sides[i].2), slope[i] * sides[i].2];
        let (first, second) = (part(0), part(1));
        Self {
            v,
            weights: [first[0] + second[0], first[1] + second[1], -slope[0], -slope[1]],
            k: bend / (0.5 * (sides[0].1 + sides[1].1)),
        }
    }
}

impl Element<4, 3> for Quadratic {
    fn vertices(&self) -> [u32; 4] {
        self.v
    }

    #[inline]
    fn conditions(&self, x: &[Vec3; 4]) -> [f64; 3] {
        // differences keep the digits of a cloth that is far from the origin
        (1..4).map(|i| (x[i] - x[0]) * self.weights[i]).sum::<Vec3>().into()
    }

    #[inline]
    fn gradients(&self, x: &[Vec3; 4]) -> Option<([f64; 3], [[Vec3; 4]; 3])> {
        Some((self.conditions(x), Vec3::AXES.map(|axis| self.weights.map(|w| axis * w))))
    }

    #[inline]
    fn law_energy(&self, c: &[f64; 3]) -> f64 {
        0.5 * self.k * Vec3::from(*c).length_squared()
    }

    #[inline]
    fn stress(&self, c: &[f64; 3]) -> [f64; 3] {
        c.map(|c| self.k * c)
    }

    #[inline]
    fn stiffness(&self, _: &[f64; 3]) -> [[f64; 3]; 3] {
        self.viscosity()
    }

    #[inline]
    fn viscosity(&self) -> [[f64; 3]; 3] {
        [[self.k, 0.0, 0.0], [0.0, self.k, 0.0], [0.0, 0.0, self.k]]
    }

    #[inline]
    fn second(&self, _: &[Vec3; 4], _: &[f64; 3], _: Curvature) -> [[DMat3; 4]; 4] {
        [[DMat3::ZERO; 4]; 4]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::check::{self, Tally};
    use crate::model::element::{force, linearise, potential};
    use crate::model::hinge::{Hinge, angle};

    const UV: [[[f64; 2]; 3]; 2] = [[[0.1, 0.2], [1.1, 0.2], [0.5, 1.0]], [[0.1, 0.2], [1.1, 0.2], [0.6, -0.7]]];

    /// The rest state folded about its edge.
    fn folded(uv: &[[[f64; 2]; 3]; 2], fold: f64) -> [Vec3; 4] {
        let place = |p: [f64; 2]| {
            let [origin, end, _] = uv[0];
            let (e, d) = (Vec3::new(end[0] - origin[0], end[1] - origin[1], 0.0), [p[0] - origin[0], p[1] - origin[1]]);
            let along = e.normalize();
            let across = Vec3::new(-along.y, along.x, 0.0);
            let d = Vec3::new(d[0], d[1], 0.0);
            (along * d.dot(along), across * d.dot(across))
        };
        let flat = |p| {
            let (along, across) = place(p);
            along + across
        };
        let (along, across) = place(uv[1][2]);
        let (s, c) = fold.sin_cos();
        let up = Vec3::new(0.0, 0.0, across.length());
        [flat(uv[0][0]), flat(uv[0][1]), flat(uv[0][2]), along + across * c - up * s]
    }

    #[test]
    fn derivatives_match_central_differences() {
        let mut needle = UV;
        needle[0][2] = [0.7, 0.201];
        let mut tally = Tally { turning: true, ..Tally::default() };
        for scale in [1e-6, 1.0, 1e3] {
            for (shape, uv) in [("plain", UV), ("needle", needle), ("wound otherwise", [UV[1], UV[0]])] {
                let uv = uv.map(|t| t.map(|p| p.map(|p| p * scale)));
                let quadratic = Quadratic::new([0, 1, 2, 3], &uv, 1e-5);
                let mut states: Vec<(String, [Vec3; 4])> = [-3.0, -1.0, 1e-3, 0.5, 3.0]
                    .into_iter()
                    .map(|fold| (format!("fold {fold}"), folded(&uv, fold)))
                    .collect();
                states.push(("stretched x10".into(), folded(&uv, 0.4).map(|x| x * 10.0)));
                states.push(("compressed x0.1".into(), folded(&uv, 0.4).map(|x| x * 0.1)));
                states.extend((0..6).map(|seed| (format!("random {seed}"), check::points::<4>(seed, scale))));
                for (seed, (name, x)) in states.iter().enumerate() {
                    let x = check::placed(*x, seed as u64, seed % 2 == 1);
                    // the energy is quadratic, so differences may be as wide as the state
                    tally.state(&format!("{shape} of {scale} m {name}"), &quadratic, &x, scale);
                }
            }
        }
        tally.report("quadratic");
    }

    #[test]
    fn derivative_is_the_same_in_every_state() {
        let quadratic = Quadratic::new([0, 1, 2, 3], &UV, 1e-5);
        let [a, b] = [1, 2].map(|seed| check::points::<4>(seed, 3.0));
        let [a, b] = [a, b].map(|x| linearise(&quadratic, &x, None, Curvature::Exact).stiffness);
        assert_eq!(a, b);
        assert!(quadratic.weights.iter().sum::<f64>().abs() < 1e-15, "translation");
    }

    #[test]
    fn flat_sheets_are_at_rest_even_if_stretched() {
        let quadratic = Quadratic::new([0, 1, 2, 3], &UV, 1.0);
        for (stretch, shear) in [(1.0, 0.0), (1.3, 0.0), (0.7, 0.4)] {
            let x = folded(&UV, 0.0).map(|x| Vec3::new(x.x * stretch + x.y * shear, x.y, 0.0));
            let x = check::placed(x, 7, false);
            let f = force(&quadratic, &x, &x, &[0.0; 3]);
            assert!(f.iter().all(|f| f.length() < 1e-14), "{f:?}");
        }
    }

    #[test]
    fn folded_it_has_two_lengths_of_the_edge_times_the_sine_of_half_the_angle() {
        let quadratic = Quadratic::new([0, 1, 2, 3], &UV, 1.0);
        for fold in [-3.0, -0.5, 1e-3, 0.2, 2.0] {
            let x = check::placed(folded(&UV, fold), 3, false);
            let found = Vec3::from(quadratic.conditions(&x)).length();
            let exact = 2.0 * (0.5f64 * fold).sin().abs();
            assert!((found - exact).abs() < 1e-14, "{fold}: {found} instead of {exact}");
            assert!((angle(&x).abs() - f64::abs(fold)).abs() < 1e-14, "{fold}: {}", angle(&x));
        }
    }

    /// On the equilateral lattice all edges of a direction are alike, so three edges stand for the sheet.
    #[test]
    fn cylinder_has_the_energy_of_the_plate_in_every_direction() {
        let radius = 20.0;
        let height = 0.75f64.sqrt();
        let double_area = height; // A0 + A1, for edges of length 1
        for degrees in 0..=90 {
            let (s, c) = f64::from(degrees).to_radians().sin_cos();
            let [mut hinged, mut quadratic] = [0.0; 2];
            for turn in 0..3 {
                let (ts, tc) = (f64::from(turn) * std::f64::consts::PI / 3.0).sin_cos();
                let flat = [[0.0, 0.0], [1.0, 0.0], [0.5, height], [0.5, -height]];
                let flat = flat.map(|[u, v]| [u * tc - v * ts, u * ts + v * tc]);
                let x = flat.map(|[u, v]| {
                    let (along, across) = (u * c + v * s, v * c - u * s);
                    let (s, c) = (along / radius).sin_cos();
                    Vec3::new(radius * s, across, radius * c)
                });
                let uv = [[flat[0], flat[1], flat[2]], [flat[0], flat[1], flat[3]]];
                quadratic += potential(&Quadratic::new([0, 1, 2, 3], &uv, 1.0), &x, None);
                hinged += Hinge { v: [0, 1, 2, 3], k: 1.0 / double_area, rest: 0.0 }.energy(&x);
            }
            // every edge stands for a third of its two triangles
            let plate = 0.5 / (radius * radius) * double_area;
            let ratios = [hinged / plate, quadratic / plate];
            assert!(ratios.iter().all(|r| (r - 1.0).abs() < 2e-3), "{degrees} degrees: {ratios:?}");
        }
    }

    /// Panels sewn together need not have the same length there.
    #[test]
    fn seam_of_two_lengths_is_at_rest_when_flat() {
        let mut uv = UV;
        uv[1][1][0] = 1.3; // the edge is 1.2 long on this side, and 1 on the other
        let quadratic = Quadratic::new([0, 1, 2, 3], &uv, 1.0);
        // the seam has the mean length 1.1, and each apex is above the same share of it
        let foot = [0.4, 0.5 / 1.2];
        let x = [Vec3::ZERO, 1.1 * Vec3::X, Vec3::new(1.1 * foot[0], 0.8, 0.0), Vec3::new(1.1 * foot[1], -0.9, 0.0)];
        let c = Vec3::from(quadratic.conditions(&x));
        assert!(c.length() < 1e-15, "{c}");
    }

    #[test]
    fn collapsed_triangles_give_no_nan() {
        let quadratic = Quadratic::new([0, 1, 2, 3], &UV, 1.0);
        check::finite("point", &quadratic, &[Vec3::ONE; 4]);
        assert_eq!(force(&quadratic, &[Vec3::ONE; 4], &[Vec3::X; 4], &[0.0; 3]), [Vec3::ZERO; 4]);
        check::finite("edge without length", &quadratic, &[Vec3::ONE, Vec3::ONE, Vec3::X, Vec3::Y]);
    }
}
