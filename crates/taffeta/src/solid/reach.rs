//! Distance that particles keep from bodies, by the size of their triangles.

use crate::Vec3;
use crate::solid::shape::Exact;

/// Distance that a particle keeps from bodies.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reach {
    /// Thickness of the cloth, m.
    pub thickness: f64,
    /// Largest radius of the smallest circles about each of its triangles, m.
    pub radius: f64,
}

/// Share of the thickness by which triangles may dip below the middle surface before they are lifted.
const DIP: f64 = 0.25;

/// Share of the radius of curvature beyond which larger circles are lifted no farther.
const COARSE: f64 = 0.3;

impl Reach {
    /// Wanted distance between the particle and the surface near `p`, m.
    ///
    /// Three particles at the distance a from the centre of a ball of radius r, on a circle of radius ρ, have the
    /// middle of their triangle at √(a² - ρ²), which must not be less than r + t/2 - t/4.
    pub fn offset(&self, exact: &Exact, p: Vec3) -> f64 {
        let half = 0.5 * self.thickness;
        let r = exact.radius_at(p);
        if r == f64::INFINITY {
            return half;
        }
        let (circle, lowest) = (self.radius.min(COARSE * r), r + half - DIP * self.thickness);
        let lift = if lowest > 0.0 { lowest.hypot(circle) - (r + half) } else { 0.0 };
        half + lift.max(0.0)
    }

    /// Upper bound of the offset from a body, m, for triangles of any size: √(r² + ρ²) - r is not more than ρ²/2r.
    pub fn farthest(&self, exact: &Exact) -> f64 {
        0.5 * self.thickness + 0.5 * COARSE * COARSE * exact.roundest()
    }
}

/// Square of the radius of the smallest circle about a triangle, m².
pub(crate) fn circle<const N: usize>(corners: [[f64; N]; 3]) -> f64 {
    let square = |i: usize, j: usize| (0..N).map(|k| (corners[i][k] - corners[j][k]).powi(2)).sum::<f64>();
    let (a, b, c) = (square(0, 1), square(1, 2), square(2, 0));
    let longest = a.max(b).max(c);
    // if the angle opposite the longest side is not acute, that side is the diameter, and a quarter of its square the
    // square of the radius
    if a + b + c <= 2.0 * longest {
        return 0.25 * longest;
    }
    // this is Heron's 16 A²; in an acute triangle no side is long enough for cancellation
    let area = 2.0 * (a * b + b * c + c * a) - (a * a + b * b + c * c);
    a * b * c / area
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_circle_is_about_the_longest_side_or_all_corners() {
        let right = [[0.0, 0.0], [3.0, 0.0], [0.0, 4.0]];
        assert!((circle(right).sqrt() - 2.5).abs() < 1e-15);
        let equal = [[0.0, 0.0], [1.0, 0.0], [0.5, 0.75f64.sqrt()]];
        assert!((circle(equal).sqrt() - 1.0 / 3f64.sqrt()).abs() < 1e-12);
        let flat = [[0.0, 0.0], [10.0, 0.0], [5.0, 0.1]];
        assert_eq!(circle(flat).sqrt(), 5.0);
        // the triangle may lie anywhere in space
        let turned = [[0.0, 0.0, 1.0], [0.0, 3.0, 1.0], [4.0, 0.0, 1.0]];
        assert!((circle(turned).sqrt() - 2.5).abs() < 1e-15);
    }

    #[test]
    fn no_offset_is_larger_than_the_farthest() {
        for shape in Exact::samples() {
            for radius in [0.0, 0.01, 0.1, 1.0] {
                let reach = Reach { thickness: 1e-3, radius };
                for k in 0..=20 {
                    let p = Vec3::new(0.05, 0.03 * (f64::from(k) - 10.0), 0.05);
                    assert!(reach.offset(&shape, p) <= reach.farthest(&shape), "{shape:?} {radius} {p}");
                }
            }
        }
    }
}
