//! Bending of two triangles about their common edge.
//!
//! E. Grinspun, A. Hirani, M. Desbrun and P. Schröder, Discrete Shells, SCA 2003; angle and gradient after R. Bridson,
//! S. Marino and R. Fedkiw, Simulation of Clothing with Folds and Wrinkles, SCA 2003.
//!
//! ```text
//!        x2              triangles (x0, x1, x2) and (x1, x0, x3), normals n0 and n1
//!       /  \             θ = angle from n0 to n1 about x1 - x0, 0 when flat
//!     x0 -- x1           E = k/2 (θ - rest)²         k = B |e|²/(A0 + A1) in N m
//!       \  /             f_i = -k (θ - rest + τ dθ/dt) ∂θ/∂x_i
//!        x3
//! ```
//! The factor 1 (not 3) before |e|²/(A0 + A1) gives a cylinder the energy B κ²/2 per area on equilateral meshes, in
//! every direction: averaging θ² over the three edge directions of the lattice (also H. Seung and D. Nelson, Phys. Rev.
//! A 38, 1988). Where a triangle has no area the angle is not defined and the force is zero. θ - rest is taken as it
//! is: a hinge folded beyond ±π snaps to the other side.
//!
//! Second derivative (in the spirit of R. Tamstorf and E. Grinspun, Discrete bending forces and their Jacobians,
//! Graphical Models 75, 2013; derived anew). ∂θ/∂x is a sum over the two triangles of q_i g, g = -n/h, with
//! ```text
//! e unit vector of the edge   n unit normal   c unit vector from the edge to the apex   h height   t place of its foot
//! q = (t - 1, -t, 1)           s = (-1, 1, 0)/|edge|           for x0, x1 and the apex
//! r = Σ q_j δx_j    D = Σ s_j δx_j      δg = (e (n·D) + c (n·r)/h)/h + n (c·r)/h²      δq_i = -s_i (e·r + h c·D)
//! ∂²θ/∂x_i∂x_j = Σ (q_i q_j/h² + s_i s_j/2) (c nᵀ + n cᵀ) + (q_i s_j e nᵀ + s_i q_j n eᵀ)/h
//! ```
//! The differentials give s_i s_j n cᵀ; what is not symmetric in it turns about the edge, and the other triangle takes
//! it away. Every diagonal block has trace 0, since c and e are normal to n: the matrix is indefinite for either sign
//! of the stress, and [`Curvature::Definite`] leaves all of it out.

use super::element::{Curvature, Element};
use super::triangle::symmetric;
use crate::Vec3;
use crate::algebra::outer;
use glam::DMat3;
use std::f64::consts::PI;

/// A hinge on an inner edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hinge {
    /// Vertices x0, x1, x2, x3 of the drawing.
    pub v: [u32; 4],
    /// Stiffness, N m.
    pub k: f64,
    /// Rest angle, rad.
    pub rest: f64,
}

/// Angle between two triangles, and how it changes with each vertex; `None` where a triangle has no area.
#[inline(always)] // otherwise the result would go through memory
pub fn angle_and_gradient(x: &[Vec3; 4]) -> Option<(f64, [Vec3; 4])> {
    let e = x[1] - x[0];
    let (d2, d3) = (x[2] - x[0], x[3] - x[0]);
    let n0 = e.cross(d2);
    let n1 = d3.cross(e);
    let squared = e.length_squared();
    let (a0, a1) = (n0.length_squared(), n1.length_squared());
    if a0 * a1 == 0.0 {
        return None;
    }
    let length = squared.sqrt();
    // |n0||n1| sin θ = (n0 × n1)·e/|e| = -|e| n0·d3, because n0 × (d3 × e) = -e (n0·d3)
    let theta = angle_of(-length * n0.dot(d3), n0.dot(n1), (a0 * a1).sqrt());
    let g2 = n0 * (-length / a0);
    let g3 = n1 * (-length / a1);
    let shrink = squared.recip();
    let (t2, t3) = (d2.dot(e) * shrink, d3.dot(e) * shrink);
    let g1 = -(g2 * t2 + g3 * t3);
    let g0 = -(g1 + g2 + g3);
    Some((theta, [g0, g1, g2, g3]))
}

/// atan2(sin, cos) where both are given times `size`: θ = 2 atan t, t = sin/(size + cos).
///
/// Most hinges are nearly flat, and there the series of atan to t¹⁵ is exact in double precision: the next term is
/// below half a unit in the last place for t < 1/8, θ < 14 degrees. It costs a tenth of a call of atan2.
#[inline]
fn angle_of(sin: f64, cos: f64, size: f64) -> f64 {
    let t = sin / (size + cos);
    if is_flat(t) { series(t) } else { sin.atan2(cos) }
}

/// Angle that damping adds at a rate in rad/s: at most that of a full fold. The gradient, and with it the rate, grows
/// without bound as a triangle collapses; a step that keeps it constant would throw the particles away.
#[inline(always)]
pub(super) fn viscous(tau: f64, rate: f64) -> f64 {
    (tau * rate).clamp(-PI, PI)
}

/// Whether [`series`] is exact for the tangent of half an angle.
#[inline(always)]
pub(super) fn is_flat(t: f64) -> bool {
    t * t < 1.0 / 64.0
}

/// 2 atan t for small t.
#[inline(always)]
pub(super) fn series(t: f64) -> f64 {
    let s = t * t;
    // the terms are written out because a loop would keep the compiler from vectorising over the angles
    let sum = 1.0 / 13.0 - s * (1.0 / 15.0);
    let sum = 1.0 / 11.0 - s * sum;
    let sum = 1.0 / 9.0 - s * sum;
    let sum = 1.0 / 7.0 - s * sum;
    let sum = 1.0 / 5.0 - s * sum;
    let sum = 1.0 / 3.0 - s * sum;
    2.0 * t * (1.0 - s * sum)
}

/// Angle between two triangles; 0 where one has no area.
pub fn angle(x: &[Vec3; 4]) -> f64 {
    angle_and_gradient(x).map_or(0.0, |(theta, _)| theta)
}

/// ∂²θ/∂x_i∂x_j times `sigma`; zero where a triangle has no area.
fn angle_second(x: &[Vec3; 4], sigma: f64) -> [[DMat3; 4]; 4] {
    let edge = x[1] - x[0];
    let length = edge.length();
    let (d2, d3) = (x[2] - x[0], x[3] - x[0]);
    let (n0, n1) = (edge.cross(d2), d3.cross(edge));
    let (a0, a1) = (n0.length(), n1.length());
    if sigma == 0.0 || a0 * a1 == 0.0 {
        return [[DMat3::ZERO; 4]; 4];
    }
    let e = edge / length;
    let s = [-1.0 / length, 1.0 / length, 0.0, 0.0];
    let side = |n: Vec3, c: Vec3, double_area: f64, d: Vec3, apex: usize| {
        let inverse = length / double_area; // 1/h
        let t = d.dot(e) / length;
        let mut q = [t - 1.0, -t, 0.0, 0.0];
        q[apex] = 1.0;
        let q = q.map(|q| q * inverse);
        let (cn, en, ne) = (outer(c, n) + outer(n, c), outer(e, n), outer(n, e));
        move |i: usize, j: usize| cn * (q[i] * q[j] + 0.5 * s[i] * s[j]) + (en * (q[i] * s[j]) + ne * (s[i] * q[j]))
    };
    let (n0, n1) = (n0 / a0, n1 / a1);
    let first = side(n0, n0.cross(e), a0, d2, 2);
    let second = side(n1, e.cross(n1), a1, d3, 3);
    symmetric(|i, j| (first(i, j) + second(i, j)) * sigma)
}

impl Element<4, 1> for Hinge {
    fn vertices(&self) -> [u32; 4] {
        self.v
    }

    #[inline]
    fn conditions(&self, x: &[Vec3; 4]) -> [f64; 1] {
        [angle(x)]
    }

    /// The angle jumps by a whole turn where it is folded beyond π. No cloth turns that far in a step.
    #[inline]
    fn near(&self, [c]: [f64; 1], [to]: &[f64; 1]) -> [f64; 1] {
        [c + std::f64::consts::TAU * ((to - c) / std::f64::consts::TAU).round()]
    }

    #[inline]
    fn gradients(&self, x: &[Vec3; 4]) -> Option<([f64; 1], [[Vec3; 4]; 1])> {
        angle_and_gradient(x).map(|(theta, g)| ([theta], [g]))
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
    fn second(&self, x: &[Vec3; 4], sigma: &[f64; 1], curvature: Curvature) -> [[DMat3; 4]; 4] {
        match curvature {
            Curvature::Exact => angle_second(x, sigma[0]),
            Curvature::Definite => [[DMat3::ZERO; 4]; 4],
        }
    }
}

impl Hinge {
    /// Energy, J.
    pub fn energy(&self, x: &[Vec3; 4]) -> f64 {
        angle_and_gradient(x).map_or(0.0, |(theta, _)| 0.5 * self.k * (theta - self.rest) * (theta - self.rest))
    }

    /// Elastic and damping forces on the four vertices, N. `tau` is the damping time, s.
    #[inline(always)]
    pub fn force(&self, x: &[Vec3; 4], v: &[Vec3; 4], tau: f64) -> [Vec3; 4] {
        let Some((theta, g)) = angle_and_gradient(x) else { return [Vec3::ZERO; 4] };
        let mut moment = theta - self.rest;
        if tau != 0.0 {
            moment += viscous(tau, g[0].dot(v[0]) + g[1].dot(v[1]) + g[2].dot(v[2]) + g[3].dot(v[3]));
        }
        g.map(|g| g * (-self.k * moment))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::check::{self, Tally};
    use crate::model::element;

    const FLAT: [Vec3; 4] =
        [Vec3::new(0.0, 0.0, 0.0), Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.4, 0.8, 0.0), Vec3::new(0.5, -0.9, 0.0)];

    fn folded(angle: f64) -> [Vec3; 4] {
        let mut x = FLAT;
        let (s, c) = angle.sin_cos();
        x[3] = Vec3::new(x[3].x, x[3].y * c, x[3].y * s);
        x
    }

    #[test]
    fn angle_is_that_of_the_fold() {
        for degrees in [-170.0f64, -90.0, -1e-3, 0.0, 1e-7, 30.0, 120.0, 179.0] {
            let fold = degrees.to_radians();
            let found = angle(&folded(fold));
            assert!((found - fold).abs() < 1e-15 + 1e-14 * fold.abs(), "{degrees}: {found} instead of {fold}");
        }
    }

    #[test]
    fn force_is_the_negative_gradient_of_the_energy() {
        let hinge = Hinge { v: [0, 1, 2, 3], k: 1e-5, rest: 0.3 };
        let mut samples: Vec<(String, [Vec3; 4])> = Vec::new();
        for degrees in [-150.0f64, -90.0, 0.0, 1e-5, 45.0, 170.0] {
            samples.push((format!("fold {degrees}"), folded(degrees.to_radians())));
        }
        samples.extend((0..8).map(|seed| (format!("random {seed}"), check::points::<4>(seed, 0.01))));
        samples.push(("far".into(), folded(0.7).map(|p| p + Vec3::new(100.0, -50.0, 20.0))));
        let mut needle = folded(0.5);
        needle[2].y = 1e-3;
        samples.push(("needle".into(), needle));
        for (name, x) in &samples {
            // the samples keep away from ±π, where the angle jumps by 2π within the difference
            check::force(name, x, |x| hinge.energy(x), |x| hinge.force(x, &[Vec3::ZERO; 4], 0.0));
        }
    }

    #[test]
    fn derivatives_match_central_differences() {
        let mut shapes: Vec<(String, [Vec3; 4])> = Vec::new();
        for degrees in [-179.0f64, -170.0, -90.0, -10.0, 0.0, 1e-5, 5.0, 45.0, 135.0, 170.0, 179.0] {
            shapes.push((format!("fold {degrees}"), folded(degrees.to_radians())));
            // one side is a needle, or its apex is beyond the end of the edge
            for (height, foot) in [(1e-2, 0.5), (1e-4, 0.9), (0.5, 4.0)] {
                let mut needle = folded(degrees.to_radians());
                needle[2] = Vec3::new(foot, height, 0.0);
                shapes.push((format!("fold {degrees}, apex {foot} {height}"), needle));
            }
        }
        shapes.extend((0..12).map(|seed| (format!("random {seed}"), check::points::<4>(seed, 1.0))));
        let mut tally = Tally::default();
        for scale in [1e-6, 1.0, 1e3] {
            for (i, (name, x)) in shapes.iter().enumerate() {
                let x = check::placed(x.map(|x| x * scale), i as u64, i % 3 == 2);
                let hinge = Hinge { v: [0, 1, 2, 3], k: 1e-5, rest: 0.3 };
                // differences must not reach ±π, where the angle jumps by 2π
                let room = std::f64::consts::PI - angle(&x).abs();
                tally.state(&format!("{scale} m {name}"), &hinge, &x, check::reach(&x) * room.min(1.0));
            }
        }
        tally.report("hinge");
    }

    #[test]
    fn element_and_explicit_code_agree() {
        let hinge = Hinge { v: [0, 1, 2, 3], k: 1e-5, rest: 0.3 };
        for seed in 0..20 {
            let (x, v) = (check::points::<4>(seed, 0.1), check::points::<4>(seed + 50, 1.0));
            let f = element::force(&hinge, &x, &v, &[0.01]);
            let fast = hinge.force(&x, &v, 0.01);
            let size = f.iter().map(|f| f.length()).sum::<f64>();
            assert!((0..4).all(|i| f[i].distance(fast[i]) < 1e-13 * size), "{f:?} {fast:?}");
        }
    }

    #[test]
    fn forces_and_torques_of_a_hinge_add_to_zero() {
        let hinge = Hinge { v: [0, 1, 2, 3], k: 1.0, rest: 0.0 };
        for seed in 0..20 {
            let x = check::points::<4>(seed, 1.0);
            let f = hinge.force(&x, &check::points::<4>(seed + 100, 1.0), 0.1);
            let size = f.iter().map(|f| f.length()).sum::<f64>();
            let torque: Vec3 = (0..4).map(|i| x[i].cross(f[i])).sum();
            assert!(f.iter().sum::<Vec3>().length() < 1e-13 * size);
            assert!(torque.length() < 1e-12 * size, "{torque} of {size}");
        }
    }

    #[test]
    fn triangle_without_area_gives_no_force_and_no_nan() {
        let hinge = Hinge { v: [0, 1, 2, 3], k: 1.0, rest: 1.0 };
        let mut x = FLAT;
        x[2] = Vec3::new(0.3, 0.0, 0.0);
        assert_eq!(hinge.force(&x, &FLAT, 0.1), [Vec3::ZERO; 4]);
        assert_eq!(hinge.force(&[Vec3::ONE; 4], &FLAT, 0.1), [Vec3::ZERO; 4]);
        for x in [x, [Vec3::ONE; 4], [FLAT[0], FLAT[0], FLAT[2], FLAT[3]], FLAT, folded(std::f64::consts::PI)] {
            check::finite("without area", &hinge, &x);
        }
        for tiny in [1e-30, 1e-60, 1e-80, 1e-100, 1e-200] {
            check::finite("tiny", &hinge, &folded(1.0).map(|x| x * tiny));
            let mut x = folded(1.0);
            x[2].y = tiny;
            check::finite("thin", &hinge, &x);
        }
    }

    /// The height of a triangle goes to nothing while its apex moves: the rate grows as its inverse.
    #[test]
    fn damping_is_never_more_than_a_fold_all_the_way() {
        let hinge = Hinge { v: [0, 1, 2, 3], k: 2.0, rest: 0.0 };
        for height in [1.0, 1e-2, 1e-4, 1e-6] {
            let x = [Vec3::ZERO, Vec3::X, Vec3::new(0.4, height, 0.0), Vec3::new(0.5, -1.0, 0.0)];
            let v = [Vec3::ZERO, Vec3::ZERO, Vec3::Z, Vec3::ZERO];
            let force = hinge.force(&x, &v, 0.1)[2].length();
            let want = hinge.k * (0.1 / height).min(PI) / height;
            assert!((force / want - 1.0).abs() < 1e-9, "{height} m: {force} of {want} N");
        }
    }
}
