//! The conjugate gradient with a factor in single precision as preconditioner, where it takes less time than without.
//!
//! The plain one needs about √(κ n)^½ iterations: news goes on by an edge in each, and there are √κ edges that a wave passes in a
//! step and √n along a side. κ is the mean stiffness on the diagonal, as a share of the mass. Both costs are counted, not timed,
//! so that results have the same bits everywhere. With the factor a few iterations are enough, whatever size and stiffness.

use super::Pattern;
use super::cg::{Course, Scratch, Solved, Stop, System};
use super::tiled::Tiled;
use crate::Vec3;
use crate::model::blocks;

/// A factor and its memory.
pub(crate) struct Factored {
    tiled: Tiled,
    z: Vec<Vec3>,
    /// Iterations of the plain conjugate gradient that cost as much.
    worth: f64,
    /// Whether there is a factor of equations that differ in contacts only.
    pub made: bool,
}

/// Operations of the factor in the time that a plain iteration takes for a block of the matrix, measured on sheets of 1,681 and
/// 10,201 vertices.
const FASTER: f64 = 70.0;

/// A factor is worth no more iterations than these: large matrices come from memory, and their factor does not.
const MOST: f64 = 200.0;

/// Iterations for (κ n)^¼ and each digit of the tolerance, measured on the same sheets.
const EACH: f64 = 0.75;

/// Iterations with an old factor that cost as much as a new one.
const OLD: u32 = 10;

/// Bytes of the largest factor.
const LARGEST: usize = 1 << 30;

impl Factored {
    /// `None` if the factor would be too large. `place` are the particles of the rest shape.
    pub fn new(pattern: &Pattern, place: &[Vec3]) -> Option<Self> {
        let tiled = Tiled::new(pattern, place);
        let worth = (tiled.operations() / (FASTER * pattern.column.len() as f64)).min(MOST);
        let z = vec![Vec3::ZERO; place.len()];
        (tiled.bytes() <= LARGEST).then_some(Self { tiled, z, worth, made: false })
    }

    /// Bytes that it takes.
    pub fn bytes(&self) -> usize {
        self.tiled.bytes() + size_of_val(&self.z[..])
    }

    /// Solves as [`System::solve`]; how often it made a factor.
    #[allow(clippy::too_many_arguments)]
    pub fn solve(
        &mut self,
        system: &System,
        mass: &[f64],
        b: &[Vec3],
        origin: &[Vec3],
        x: &mut [Vec3],
        stop: Stop,
        work: &mut Scratch,
    ) -> (Solved, u32) {
        let mut course = system.begin(b, origin, x, stop.tolerance, work);
        let mut factors = 0;
        if self.made {
            self.iterate(system, &mut course, stop.iterations.min(OLD), x, work);
        } else if self.expected(system, mass, stop.tolerance, work) < self.worth {
            system.iterate(&mut course, stop.iterations.min(2 * self.worth as u32), x, work);
        }
        if course.goes_on(stop.iterations) {
            factors = 1;
            self.made = self.tiled.factor(system);
            if self.made {
                self.iterate(system, &mut course, stop.iterations, x, work);
            } else {
                system.restart(work);
                system.iterate(&mut course, stop.iterations, x, work);
            }
        }
        (course.solved(), factors)
    }

    /// Iterations that the plain conjugate gradient is expected to take.
    fn expected(&self, system: &System, mass: &[f64], tolerance: f64, work: &mut Scratch) -> f64 {
        let System { pattern, matrix, blocks, .. } = *system;
        let stiffness = |i: usize| {
            let a = matrix.blocks[pattern.diagonal[i] as usize];
            (a.x_axis.x + a.y_axis.y + a.z_axis.z) / (3.0 * mass[i])
        };
        let sum = blocks::sum(blocks, &mut work.sums, stiffness);
        EACH * sum.sqrt().sqrt() * -tolerance.log10()
    }

    /// Goes on with the factor. Each direction is made conjugate to the last: Y. Notay, Flexible conjugate gradients, SIAM J. Sci.
    /// Comput. 22, 2000, since single precision rounds differently in each.
    fn iterate(&mut self, system: &System, course: &mut Course, most: u32, x: &mut [Vec3], work: &mut Scratch) {
        let z = &mut self.z;
        let mut before = None;
        while course.goes_on(most) {
            self.tiled.solve(&work.residual, z);
            system.filter(z);
            let Scratch { residual, direction, product, none, sums, .. } = &mut *work;
            let z = &*z;
            let beta = match before {
                Some(curvature) => -blocks::sum(system.blocks, sums, |i| z[i].dot(product[i])) / curvature,
                None => 0.0,
            };
            blocks::each(system.blocks, &mut direction[..], none, &|block, c, _| {
                for (i, c) in block.particles.clone().zip(c.iter_mut()) {
                    *c = z[i] + *c * beta;
                }
            });
            let slope = blocks::sum(system.blocks, sums, |i| residual[i].dot(direction[i]));
            before = system.along(work);
            let Some(curvature) = before else {
                course.definite = false;
                break;
            };
            course.delta = system.advance(slope / curvature, x, work);
            course.iterations += 1;
        }
    }
}
