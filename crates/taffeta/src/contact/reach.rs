//! How near particles come to bodies.
//!
//! On curved bodies a particle is lifted as far as its triangles would otherwise dip into them. How large those are is looked
//! at as every step begins: cloth stretches.

use super::Scratch;
use super::shape::Exact;
use super::solid::{Moving, Solid};
use crate::parallel;
use crate::{State, Vec3, World};

/// How near a particle comes to bodies.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reach {
    /// Thickness of the cloth, m.
    pub thickness: f64,
    /// Radius of the smallest circle about each of its triangles, the largest of them, m.
    pub radius: f64,
}

/// Triangles dip deeper than the middle surface by at most this share of the thickness before they are lifted.
const DIP: f64 = 0.25;

/// Circles larger than this share of the radius of curvature are lifted no farther.
const COARSE: f64 = 0.3;

/// Triangles may grow so much within a step.
const GROWN: f64 = 1.03;

impl Reach {
    /// Wanted distance between the particle and the surface near `p`, m.
    ///
    /// Three particles at the distance a from the centre of a ball of radius r, on a circle of radius ρ, have the middle of
    /// their triangle at √(a² - ρ²), which must not be less than r + t/2 - t/4.
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

    /// No offset from a body is larger, m, however large triangles are: √(r² + ρ²) - r is not more than ρ²/2r.
    pub fn farthest(&self, exact: &Exact) -> f64 {
        0.5 * self.thickness + 0.5 * COARSE * COARSE * exact.roundest()
    }
}

impl Scratch {
    /// Finds how near particles come to bodies in a step of length `h`. Cloth that is hardly stretched has the reach of its
    /// rest shape, which does not change from step to step.
    pub(super) fn find_reach(&mut self, world: &World, state: &State, h: f64) {
        if world.solids.is_empty() {
            return;
        }
        let Self { reach, clear, moving, none, .. } = self;
        let rests = !moving.iter().any(|body| body.moves);
        let x = &state.x;
        // what is remembered only saves a look: the answer is that of the state alone
        let far = |i: usize| {
            let way = 2.0 * h * state.v[i].length();
            let room = |(solid, body): (&Solid, &Moving)| {
                solid.exact.distance(body.end.to_body(x[i])) - world.reach[i].farthest(&solid.exact)
            };
            rests && (clear.is_far(i, x[i], way) || world.solids.iter().zip(&*moving).all(|both| room(both) > way))
        };
        parallel::each(&world.blocks, &mut reach[..], none, &|block, reach, _| {
            let first = block.particles.start;
            // squares until all triangles are seen; 0 for those that need no look
            for (i, reach) in block.particles.clone().zip(reach.iter_mut()) {
                reach.radius = if far(i) { 0.0 } else { world.reach[i].radius.powi(2) };
            }
            for triangle in world.elements.triangles.of(block) {
                let own = triangle.map(|v| (v as usize).wrapping_sub(first));
                if own.iter().all(|k| reach.get(*k).is_none_or(|reach| reach.radius == 0.0)) {
                    continue;
                }
                let [a, b, c] = triangle.map(|v| x[v as usize]);
                let square = GROWN * GROWN * circle([a, b, c].map(|p| p.to_array()));
                for k in own {
                    if let Some(reach) = reach.get_mut(k).filter(|reach| reach.radius > 0.0) {
                        reach.radius = reach.radius.max(square);
                    }
                }
            }
            for (i, reach) in block.particles.clone().zip(reach.iter_mut()) {
                let rest = world.reach[i].radius;
                // the root of a square may differ from what was squared
                reach.radius = if reach.radius <= rest.powi(2) { rest } else { reach.radius.sqrt() };
            }
        });
    }
}

/// Square of the radius of the smallest circle about a triangle, m².
pub(crate) fn circle<const N: usize>(corners: [[f64; N]; 3]) -> f64 {
    let square = |i: usize, j: usize| (0..N).map(|k| (corners[i][k] - corners[j][k]).powi(2)).sum::<f64>();
    let (a, b, c) = (square(0, 1), square(1, 2), square(2, 0));
    let longest = a.max(b).max(c);
    // about the longest side if the angle across from it is not acute
    if a + b + c <= 2.0 * longest {
        return 0.25 * longest;
    }
    // Heron's 16 A²; no side of an acute triangle is so long that it could cancel
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
        // anywhere in space
        let turned = [[0.0, 0.0, 1.0], [0.0, 3.0, 1.0], [4.0, 0.0, 1.0]];
        assert!((circle(turned).sqrt() - 2.5).abs() < 1e-15);
    }

    #[test]
    fn no_offset_is_larger_than_the_farthest() {
        for shape in crate::contact::shape::tests::shapes() {
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
