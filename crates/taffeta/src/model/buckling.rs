//! A spring that bends out of the way when it is compressed: K.-J. Choi and H.-S. Ko, Stable but Responsive Cloth,
//! SIGGRAPH 2002, between next-nearest neighbours.
//!
//! A beam of length L and stiffness k_b (N m²: bending stiffness times the width it stands for), bent to an arc of
//! curvature κ with its ends |x| < L apart, s = κL/2, u = s²:
//! ```text
//! |x| = L sinc s      E = k_b L κ²/2 = 2 k_b u/L      f_b = ∂E/∂|x| = k_b κ²/(cos s - sinc s) = -4 k_b/(L² h)
//! h(u) = (sinc s - cos s)/u      ∂f_b/∂|x| = -8 k_b h'/(L³ h³)      h' = (sinc s - 3h)/(2u)
//! ```
//! f_b is -12 k_b/L² when nearly straight (slope 7.2 k_b/L³) and -4π² k_b/L² when the ends meet: finite and monotone.
//! Between 0 and the load of buckling the paper takes f_b* = max(f_b, c_b (|x| - L)), c_b in N/m: the larger, the
//! nearer to a beam. For |x| ≥ L it is slack.
//!
//! Differences. The energy is the integral of f_b*, so the arc's energy counts from the length at which the two forces
//! are equal. Near the straight state the line holds down to the first such length and the arc below; for c_b < 4π²
//! k_b/L³ the paper's maximum could change back to the line near |x| = 0. For c_b below 31.47 k_b/L³ they are never
//! equal, and the line holds throughout. u is found by Newton's method in u, where sinc is smooth and convex, and
//! series replace what would cancel.
//!
//! The damping is proportional to c_b, slack or not. [`Curvature::Definite`] leaves out the second term where it
//! pushes, as the paper does. Where |x| = 0 the direction is not defined and the force is zero.

use super::element::{Curvature, Element};
use super::spring::{length_gradient, length_second};
use crate::Vec3;
use glam::DMat3;

/// A beam between `a` and `b`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Buckling {
    /// One end.
    pub a: u32,
    /// The other end.
    pub b: u32,
    /// Bending stiffness, N m².
    bend: f64,
    /// Stiffness of the straight state, N/m.
    straight: f64,
    /// Length, m.
    rest: f64,
    /// Distance of the ends below which the beam is an arc, m; 0 if it never is.
    crossing: f64,
    /// Energy at the crossing less that of the arc, J.
    offset: f64,
}

/// Below this u the closed forms lose digits, and eight terms of the series are exact.
const SERIES: f64 = 1.0;

/// Σ_k (-u)^k c_k
fn series(u: f64, c: &[f64]) -> f64 {
    c.iter().rev().fold(0.0, |sum, c| c - u * sum)
}

/// n!
const fn factorial(n: usize) -> f64 {
    let (mut product, mut i) = (1.0, 1);
    while i <= n {
        product *= i as f64;
        i += 1;
    }
    product
}

/// Coefficients f(k)/(2k + 1)! from k = `first` on.
const fn terms(first: usize, order: usize) -> [f64; 9] {
    let (mut c, mut i) = ([0.0; 9], 0);
    while i < 9 {
        let k = first + i;
        let factor = match order {
            0 => 1,
            1 => 2 * k,
            _ => 2 * k * (k - 1),
        };
        c[i] = factor as f64 / factorial(2 * k + 1);
        i += 1;
    }
    c
}

/// 1 - sinc √u, h(u) and -h'(u).
fn shape(u: f64) -> [f64; 3] {
    const MISSING: [f64; 9] = terms(1, 0);
    const H: [f64; 9] = terms(1, 1);
    const FALL: [f64; 9] = terms(2, 2);
    if u < SERIES {
        [u * series(u, &MISSING), series(u, &H), series(u, &FALL)]
    } else {
        let s = u.sqrt();
        let (sin, cos) = s.sin_cos();
        let sinc = sin / s;
        let h = (sinc - cos) / u;
        [1.0 - sinc, h, (3.0 * h - sinc) / (2.0 * u)]
    }
}

/// The u in [0, π²] with 1 - sinc √u = `missing`.
fn arc(missing: f64) -> f64 {
    // sinc √u is convex in u; the reverted series starts below the root, and Newton's iterations approach it from there
    let mut u = missing * (6.0 + missing * (1.8 + missing * (144.0 / 175.0)));
    for _ in 0..8 {
        let [here, h, _] = shape(u);
        let more = 2.0 * (missing - here) / h;
        u += more;
        if more.abs() < 1e-15 * u {
            break;
        }
    }
    u
}

impl Buckling {
    /// Makes a beam from its bending stiffness, N m²; stiffness of the straight state, N/m; and length, m. All are
    /// positive.
    pub fn new(a: u32, b: u32, bend: f64, straight: f64, rest: f64) -> Self {
        let mut beam = Self { a, b, bend, straight, rest, crossing: 0.0, offset: 0.0 };
        // `missing` is the share of its length by which the beam is shortened where line and arc are equal. The arc's
        // force is convex in it, so that Newton's iterations approach the root from the straight state. They leave the
        // range if line and arc never meet.
        let mut missing = 0.0;
        for _ in 0..100 {
            let [_, force, slope] = beam.arc_law(missing);
            let steeper = (straight - slope) * rest;
            let more = (-force - straight * rest * missing) / steeper;
            missing += more;
            if steeper <= 0.0 || missing >= 1.0 {
                return beam;
            }
            if more <= 1e-15 * missing {
                break;
            }
        }
        beam.crossing = rest * (1.0 - missing);
        beam.offset = 0.5 * straight * rest * rest * missing * missing - beam.arc_law(missing)[0];
        beam
    }

    /// Energy, J, force, N, and slope, N/m, of an arc that is shortened by a share of its length.
    fn arc_law(&self, missing: f64) -> [f64; 3] {
        let l = self.rest;
        let u = arc(missing.clamp(0.0, 1.0));
        let [_, h, fall] = shape(u);
        let k = self.bend / l;
        [2.0 * k * u, -4.0 * k / (l * h), 8.0 * k * fall / (l * l * h * h * h)]
    }

    /// Energy, J, force, N (negative when it pushes), and slope, N/m, for ends at the distance `c`.
    fn law(&self, c: f64) -> [f64; 3] {
        let shorter = self.rest - c;
        if shorter <= 0.0 {
            [0.0; 3]
        } else if c >= self.crossing {
            let k = self.straight;
            [0.5 * k * shorter * shorter, -k * shorter, k]
        } else {
            let [energy, force, slope] = self.arc_law(shorter / self.rest);
            [energy + self.offset, force, slope]
        }
    }
}

impl Element<2, 1> for Buckling {
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

    fn law_energy(&self, c: &[f64; 1]) -> f64 {
        self.law(c[0])[0]
    }

    fn stress(&self, c: &[f64; 1]) -> [f64; 1] {
        [self.law(c[0])[1]]
    }

    fn stiffness(&self, c: &[f64; 1]) -> [[f64; 1]; 1] {
        [[self.law(c[0])[2]]]
    }

    #[inline]
    fn viscosity(&self) -> [[f64; 1]; 1] {
        [[self.straight]]
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
    use crate::model::element::force;
    use std::f64::consts::PI;

    #[test]
    fn derivatives_match_central_differences() {
        let mut tally = Tally::default();
        for scale in [1e-6f64, 1.0, 1e3] {
            for hard in [5.0, 38.0, 100.0, 1e5] {
                // the bending stiffness has the unit L³ straight/hard
                let beam = Buckling::new(0, 1, 40.0 * scale.powi(3) / hard, 40.0, scale);
                for ratio in [1e-3, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 0.9995, 0.999999] {
                    for seed in 0..2 {
                        let x = check::placed([Vec3::ZERO, ratio * scale * Vec3::X], seed, seed % 2 == 1);
                        // differences must not reach over the lengths where the slope jumps
                        let c = beam.conditions(&x)[0];
                        let reach = c.min(scale - c).min((c - beam.crossing).abs());
                        tally.state(&format!("{scale} m x{ratio} hard {hard} {seed}"), &beam, &x, reach);
                        check::covers("buckling", &beam, &x);
                    }
                }
            }
        }
        tally.report("buckling");
    }

    #[test]
    fn arc_has_the_chord_it_was_asked_for() {
        for i in 0..=2000 {
            // the beam goes from nearly straight to a full circle, in even steps and in powers of two
            for missing in [f64::from(i) / 2000.0, 0.5f64.powi(i / 2)] {
                let u = arc(missing);
                assert!((0.0..=PI * PI * (1.0 + 1e-15)).contains(&u), "{missing}: {u}");
                let found = shape(u)[0];
                assert!((found - missing).abs() <= 1e-15 + 1e-14 * missing, "{missing}: {u} gives {found}");
                assert!(missing > 1e-12 || (found - missing).abs() <= 1e-15 * missing, "{missing}: {u} gives {found}");
            }
        }
        assert!((arc(1.0) - PI * PI).abs() < 1e-14);
        // the two formulas agree where the series ends
        let [below, above] = [SERIES - 1e-15, SERIES].map(shape);
        assert!((0..3).all(|i| (below[i] / above[i] - 1.0).abs() < 1e-13), "{below:?} {above:?}");
    }

    /// Quarter and half circles, and the limits.
    #[test]
    fn force_of_an_arc_is_that_of_the_closed_form() {
        let (k, l) = (3e-6, 0.02);
        let beam = Buckling::new(0, 1, k, 1e6, l);
        for s in [PI / 4.0, PI / 2.0, 3.0 * PI / 4.0, 3.0] {
            let kappa = 2.0 * s / l;
            let exact = k * kappa * kappa / (s.cos() - s.sin() / s);
            let [energy, force, _] = beam.law(l * s.sin() / s);
            assert!((force / exact - 1.0).abs() < 1e-13, "{s}: {force} instead of {exact}");
            // the straight state stores 12²/2 k²/(c L⁴), to which the energy of the arc is added
            let arc = 0.5 * k * l * kappa * kappa;
            assert!((energy / arc - 1.0).abs() < 1e-3, "{s}: {energy} instead of {arc}");
        }
        let [_, force, slope] = beam.arc_law(0.0);
        assert!((force / (-12.0 * k / (l * l)) - 1.0).abs() < 1e-14, "{force}");
        assert!((slope / (7.2 * k / l.powi(3)) - 1.0).abs() < 1e-14, "{slope}");
        let [_, force, slope] = beam.law(0.0);
        assert!((force / (-4.0 * PI * PI * k / (l * l)) - 1.0).abs() < 1e-14, "{force}");
        assert!((slope / (12.0 * PI * PI * k / l.powi(3)) - 1.0).abs() < 1e-13, "{slope}");
    }

    #[test]
    fn force_is_continuous_and_monotone_and_its_slope_positive() {
        for hard in [1.0, 31.471, 31.472, 38.0, 40.0, 1e2, 1e4, 1e8] {
            let beam = Buckling::new(0, 1, 1.0 / hard, 1.0, 1.0);
            assert_eq!(beam.crossing == 0.0, hard < 31.4715, "{hard}: {}", beam.crossing);
            let mut last = f64::NEG_INFINITY;
            for i in 0..=4000 {
                let [energy, force, slope] = beam.law(f64::from(i) / 4000.0);
                assert!(
                    energy >= 0.0 && force >= last && (slope > 0.0 || i == 4000),
                    "{hard} {i}: {energy} {force} {slope}"
                );
                last = force;
            }
            assert_eq!(last, 0.0);
            let edge = beam.crossing;
            if edge > 0.0 {
                let [arc, line] = [edge * (1.0 - f64::EPSILON), edge].map(|c| beam.law(c));
                assert!((arc[0] - line[0]).abs() < 1e-15 && (arc[1] - line[1]).abs() < 1e-14, "{arc:?} {line:?}");
            }
        }
        // if line and arc cross only once, the force is the paper's maximum of both
        let beam = Buckling::new(0, 1, 0.01, 1.0, 1.0);
        for i in 0..1000 {
            let c = f64::from(i) / 1000.0;
            let paper = beam.arc_law(1.0 - c)[1].max(c - 1.0);
            assert!((beam.law(c)[1] - paper).abs() < 1e-15, "{c}");
        }
    }

    #[test]
    fn stretched_it_is_slack_and_coincident_ends_give_no_nan() {
        let beam = Buckling::new(0, 1, 1e-3, 10.0, 1.0);
        for length in [1.0, 1.5, 1e6] {
            assert_eq!(force(&beam, &[Vec3::ZERO, length * Vec3::X], &[Vec3::X; 2], &[0.0]), [Vec3::ZERO; 2]);
        }
        assert_eq!(force(&beam, &[Vec3::ONE; 2], &[Vec3::X, Vec3::Y], &[1.0]), [Vec3::ZERO; 2]);
        for length in [0.0, 5e-324, 1e-170, 1e-160, 1e-15, 1.0 - 1e-16, 1.0, 2.0] {
            check::finite("limit", &beam, &[Vec3::ZERO, length * Vec3::X]);
        }
    }
}
