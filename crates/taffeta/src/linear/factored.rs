//! The conjugate gradient with a factor in single precision as preconditioner, used where that takes less time.
//!
//! Without the factor it needs about (κ n)^¼ iterations for each digit: an iteration carries information by one edge, a
//! wave passes √κ edges in a step, and a side has √n. κ is the mean stiffness on the diagonal, as a share of the mass.
//! With the factor a few iterations are enough, at any size. Both costs are counted, not timed, so that results have
//! the same bits everywhere.

use super::Pattern;
use super::cg::{CgBuffers, Course, Solved, Stop, System};
use super::tiled::{Plan, Tiled};
use crate::Vec3;
use crate::parallel;

/// A factor and its memory.
pub(crate) struct Factored {
    tiled: Tiled,
    z: Vec<Vec3>,
    /// Iterations of the plain conjugate gradient that cost as much as a factor.
    worth: f64,
}

/// The kind of system to solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task<'a> {
    /// Without contact: the guess is exact in free fall, and far off where pins hold.
    Free,
    /// From a guess, with a flag for each cloth that touches bodies when the step starts.
    Lying(&'a [bool]),
    /// From a solution with other contacts: few iterations remain, and their number is not known.
    Near,
}

/// Operations of the factor in the time that a plain iteration takes for a block of the matrix: 50 to 60 on sheets of
/// 441 to 10,201 vertices, and a little more, since iterations may be twice as many as expected and a factor costs what
/// it costs.
const FASTER: f64 = 62.0;

/// Upper bound of the iterations that a factor is worth: large matrices are read from memory, and their factor is not.
const MOST: f64 = 200.0;

/// Iterations for (κ n)^¼ and each digit, measured on sheets of 1,681 and 10,201 vertices.
const EACH: f64 = 0.75;

/// Share of these iterations that is expected for a cloth on bodies: on a ball it took 0.6 at 10,201 and 0.9 at 100,489
/// vertices.
const LYING: f64 = 0.5;

/// Iterations that a factor has to save for a cloth on bodies. With fewer it may save time too, but cloth of 17 × 17
/// vertices on a cylinder then took longer to come to rest.
const LEAST_LYING: f64 = 250.0;

/// Bytes of the largest factor, including the memory to compute it.
const LARGEST: usize = 1 << 30;

impl Factored {
    /// What a factor needs, before it has memory; `None` if it would be too large. `place` are the particles' positions
    /// in the rest shape.
    pub fn plan(pattern: &Pattern, place: &[Vec3]) -> Option<Plan> {
        Plan::new(pattern, place, LARGEST)
    }

    /// Bytes of memory with the factor of a plan.
    pub fn bytes_of(plan: &Plan) -> usize {
        plan.bytes() + plan.particles() * size_of::<Vec3>()
    }

    /// Allocates what a plan for a pattern needs.
    pub fn new(plan: Plan, pattern: &Pattern) -> Self {
        let worth = (plan.operations() / (FASTER * pattern.column.len() as f64)).min(MOST);
        Self { z: vec![Vec3::ZERO; plan.particles()], tiled: Tiled::new(plan), worth }
    }

    /// Bytes of allocated memory.
    #[cfg(test)]
    pub fn allocated(&self) -> usize {
        self.tiled.allocated() + size_of_val(&self.z[..])
    }

    /// Solves like [`System::solve`]; returns the number of factorisations.
    #[allow(clippy::too_many_arguments)]
    pub fn solve(
        &mut self,
        system: &System,
        task: Task,
        mass: &[f64],
        b: &[Vec3],
        origin: &[Vec3],
        x: &mut [Vec3],
        stop: Stop,
        work: &mut CgBuffers,
    ) -> (Solved, u32) {
        let mut course = system.begin(b, origin, x, stop.tolerance, work);
        if !course.goes_on(stop.iterations) {
            return (course.solved(), 0);
        }
        let pays = task != Task::Near && self.pays(system, task, mass, &course, stop.tolerance, work);
        if pays && self.tiled.factor(system) {
            self.iterate(system, &mut course, stop.iterations, x, work);
        } else {
            system.iterate(&mut course, stop.iterations, x, work);
        }
        (course.solved(), u32::from(pays))
    }

    /// Whether a cloth is expected to take more iterations, at the start of a solution, than a factor is worth.
    fn pays(
        &self,
        system: &System,
        task: Task,
        mass: &[f64],
        course: &Course,
        tolerance: f64,
        work: &mut CgBuffers,
    ) -> bool {
        let System { pattern, matrix, blocks, .. } = *system;
        let CgBuffers { residual, direction, sums, .. } = work;
        let stiffness = |i: usize| {
            let a = matrix.blocks[pattern.diagonal[i] as usize];
            (a.x_axis.x + a.y_axis.y + a.z_axis.z) / (3.0 * mass[i])
        };
        let lies = |cloth: usize| matches!(task, Task::Lying(which) if which[cloth]);
        blocks.chunk_by(|a, b| a.cloth == b.cloth).any(|cloth| {
            let sums = &mut sums[..cloth.len()];
            let each = EACH * parallel::sum(cloth, sums, stiffness).sqrt().sqrt();
            if lies(cloth[0].cloth) {
                return LYING * each * -tolerance.log10() >= self.worth.max(LEAST_LYING);
            }
            let delta = parallel::sum(cloth, sums, |i| residual[i].dot(direction[i]));
            each * 0.5 * (delta / course.enough).log10() >= self.worth
        })
    }

    /// Continues the iteration with the factor as preconditioner. Each direction is made conjugate to the last,
    /// since single precision rounds differently in each: Y. Notay, Flexible conjugate gradients, SIAM J. Sci.
    /// Comput. 22, 2000.
    fn iterate(&mut self, system: &System, course: &mut Course, most: u32, x: &mut [Vec3], work: &mut CgBuffers) {
        let z = &mut self.z;
        let mut before = None;
        while course.goes_on(most) && !system.halt.asked() {
            self.tiled.solve(&work.residual, z);
            system.filter(z);
            let CgBuffers { residual, direction, product, none, sums, .. } = &mut *work;
            let z = &*z;
            let beta = match before {
                Some(curvature) => -parallel::sum(system.blocks, sums, |i| z[i].dot(product[i])) / curvature,
                None => 0.0,
            };
            parallel::each(system.blocks, &mut direction[..], none, &|block, c, _| {
                for (i, c) in block.particles.clone().zip(c.iter_mut()) {
                    *c = z[i] + *c * beta;
                }
            });
            let slope = parallel::sum(system.blocks, sums, |i| residual[i].dot(direction[i]));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linear::cg::tests::{N, Sample, distance, sample, vector};
    use glam::DMat3;

    /// Always with a factor.
    fn factored(sample: &Sample) -> Factored {
        let place: Vec<Vec3> = (0..N).map(|i| Vec3::X * i as f64).collect();
        let plan = Factored::plan(&sample.pattern, &place).unwrap();
        Factored { worth: 0.0, ..Factored::new(plan, &sample.pattern) }
    }

    fn solve(sample: &Sample, with: &mut Factored, guess: &[Vec3], tolerance: f64) -> (Vec<Vec3>, Solved, u32) {
        let stop = Stop { tolerance, iterations: 1000 };
        let mut factors = 0;
        let (x, solved) = sample.with(guess, |system, x, work| {
            let solved = with.solve(system, Task::Free, &[1.0; N], &sample.b, &sample.origin, x, stop, work);
            factors = solved.1;
            solved.0
        });
        (x, solved, factors)
    }

    /// Contacts: on the diagonal, and between neighbours, stiffer than anything else.
    fn touch(sample: &mut Sample, stiffness: f64) {
        let block = DMat3::from_diagonal(Vec3::new(1.0, 0.0, 2.0) * stiffness);
        sample.matrix.extra = vec![(1, 1, block), (1, 2, -block), (2, 1, -block), (2, 2, block), (2, 2, block)];
    }

    #[test]
    fn agrees_with_elimination_for_any_guess_and_keeps_what_is_held() {
        for seed in 0..20 {
            let mut sample = sample(100 * seed);
            if seed % 2 == 1 {
                touch(&mut sample, 1e4);
            }
            let exact = sample.dense();
            let size = distance(&exact, &[Vec3::ZERO; N]);
            for guess in [vec![Vec3::ZERO; N], (0..N).map(|i| vector(7, i)).collect(), exact.clone()] {
                let (x, solved, _) = solve(&sample, &mut factored(&sample), &guess, 1e-12);
                assert!(solved.converged && distance(&x, &exact) < 1e-9 * size, "{seed}: {:e}", distance(&x, &exact));
                // each iteration takes away all but the rounding of single precision times the condition number, 1e4
                assert!(solved.iterations <= 6, "{seed}: {solved:?}");
                // held directions are exact up to the last two bits, however early it stops
                for tolerance in [1e-12, 1e-1, 1e9] {
                    let (x, ..) = solve(&sample, &mut factored(&sample), &guess, tolerance);
                    for held in &sample.held {
                        let d = x[held.vertex as usize] - sample.origin[held.vertex as usize];
                        assert!((d - held.free * d).length() < 1e-15);
                    }
                }
            }
            assert_eq!(solve(&sample, &mut factored(&sample), &exact, 1e-6).1.iterations, 0);
        }
    }

    #[test]
    fn an_indefinite_matrix_is_noticed() {
        for seed in 0..5 {
            let mut sample = sample(seed);
            // the diagonal stays positive
            for (i, j) in [(4, 5), (5, 4)] {
                sample.matrix.blocks[sample.pattern.place(i, j) as usize] += DMat3::from_diagonal(Vec3::splat(1e4));
            }
            let (_, solved, factors) = solve(&sample, &mut factored(&sample), &[Vec3::ZERO; N], 1e-9);
            assert!(!solved.converged && factors == 1, "{solved:?}");
        }
    }
}
