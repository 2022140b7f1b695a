//! The modified preconditioned conjugate gradient method.
//!
//! D. Baraff and A. Witkin, Large Steps in Cloth Simulation, SIGGRAPH 1998, Sec. 5.2, in the corrected form of U.
//! Ascher and E. Boxerman, On the modified conjugate gradient method in cloth simulation, The Visual Computer 19, 2003:
//!
//! ```text
//! x = S g + (I-S) z;  b̂ = S (b - A o);  δ0 = b̂·P⁻¹ b̂;  r = S (b - A x);  c = S P⁻¹ r;  δ = r·c
//! while δ > ε² δ0:   q = S A c;  α = δ/(c·q);  x += α c;  r -= α q;  s = P⁻¹ r;  δ' = δ;  δ = r·s;  c = S (s + δ/δ' c)
//! ```
//! S keeps the free directions of each particle and z has the wanted values of the held ones. No iteration changes the
//! held directions, so the constraints hold to rounding however early it stops. The guess g is arbitrary: ε is relative
//! to the origin o, not to the guess, so that a good guess saves iterations (the paper's own rule depends on units).
//! The origin has the held values z, and in free directions the solution without forces, which is 0 for a change of
//! velocities. Relative to 0, where the unknown is a velocity, ε would allow a fast cloth larger errors than a slow
//! one.
//!
//! The preconditioner P is the block diagonal of S A S + (I - S), inverted within the free directions of each particle.

use super::{Matrix, Pattern};
use crate::Vec3;
use crate::halt::Halt;
use crate::linear::filter::Held;
use crate::parallel::{self, Block};
use glam::DMat3;

/// Stopping criterion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stop {
    /// ε.
    pub tolerance: f64,
    pub iterations: u32,
}

/// Result of a solution.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Solved {
    pub iterations: u32,
    pub converged: bool,
}

/// State of an iteration.
pub(crate) struct Course {
    /// Whether the matrix is positive definite as far as the iteration can tell.
    pub definite: bool,
    pub delta: f64,
    /// The δ at which the iteration stops.
    pub enough: f64,
    pub iterations: u32,
}

impl Course {
    /// Whether the iteration continues, with at most `most` iterations.
    pub fn goes_on(&self, most: u32) -> bool {
        self.definite && self.delta > self.enough && self.iterations < most
    }

    pub fn solved(&self) -> Solved {
        Solved { iterations: self.iterations, converged: self.delta <= self.enough && self.delta.is_finite() }
    }
}

/// Rounding error of a row of A o, in units of its diagonal: about ten blocks, each rounded. Iterations on smaller
/// residuals would distort a cloth in free fall.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Buffers.
#[derive(Default)]
pub(crate) struct CgBuffers {
    pub(super) residual: Vec<Vec3>,
    pub(super) direction: Vec<Vec3>,
    pub(super) product: Vec<Vec3>,
    inverse: Vec<DMat3>,
    pub(super) none: Vec<()>,
    pub(super) sums: Vec<f64>,
}

impl CgBuffers {
    pub fn new(particles: usize, blocks: usize) -> Self {
        let zeros = || vec![Vec3::ZERO; particles];
        Self {
            residual: zeros(),
            direction: zeros(),
            product: zeros(),
            inverse: vec![DMat3::ZERO; particles],
            none: vec![(); blocks],
            sums: vec![0.0; blocks],
        }
    }
}

/// A system of equations.
pub(crate) struct System<'a> {
    pub pattern: &'a Pattern,
    pub matrix: &'a Matrix,
    /// The blocks into which the work is split.
    pub blocks: &'a [Block],
    /// Particles with held directions.
    pub held: &'a [Held],
    pub halt: &'a Halt,
}

impl System<'_> {
    /// Solves A x = b. On entry the held directions of `x` have the wanted values z, and the free ones a guess. The
    /// tolerance is relative to `origin`, which has the same z.
    pub fn solve(&self, b: &[Vec3], origin: &[Vec3], x: &mut [Vec3], stop: Stop, work: &mut CgBuffers) -> Solved {
        let mut course = self.begin(b, origin, x, stop.tolerance, work);
        self.iterate(&mut course, stop.iterations, x, work);
        course.solved()
    }

    /// Finds the initial residual and the δ at which the iteration stops.
    pub fn begin(&self, b: &[Vec3], origin: &[Vec3], x: &mut [Vec3], tolerance: f64, work: &mut CgBuffers) -> Course {
        if !self.precondition(work) {
            return Course { definite: false, delta: f64::INFINITY, enough: 0.0, iterations: 0 };
        }
        let CgBuffers { residual, direction, product, inverse, none, sums } = &mut *work;
        let (inverse, pattern, matrix) = (&*inverse, self.pattern, self.matrix);

        // δ0 from the origin
        matrix.multiply(pattern, self.blocks, origin, product, none);
        parallel::fill(self.blocks, residual, none, |i| b[i] - product[i]);
        self.filter(residual);
        let whole = parallel::sum(self.blocks, sums, |i| residual[i].dot(inverse[i] * residual[i]));
        if whole == 0.0 {
            x.copy_from_slice(origin); // nothing pulls at the free directions
            return Course { definite: true, delta: 0.0, enough: 0.0, iterations: 0 };
        }

        // the rounding error of A o is not worth an iteration
        let rounding = parallel::sum(self.blocks, sums, |i| {
            origin[i].dot(matrix.blocks[pattern.diagonal[i] as usize] * origin[i])
        });

        matrix.multiply(pattern, self.blocks, x, product, none);
        parallel::fill(self.blocks, residual, none, |i| b[i] - product[i]);
        self.filter(residual);
        parallel::fill(self.blocks, direction, none, |i| inverse[i] * residual[i]);
        let delta = parallel::sum(self.blocks, sums, |i| residual[i].dot(direction[i]));
        let enough = (tolerance * tolerance * whole).max(ROUNDING * ROUNDING * rounding);
        Course { definite: true, delta, enough, iterations: 0 }
    }

    /// Iterates to convergence, or for at most `most` iterations.
    pub fn iterate(&self, course: &mut Course, most: u32, x: &mut [Vec3], work: &mut CgBuffers) {
        while course.goes_on(most) && !self.halt.asked() {
            let Some(curvature) = self.along(work) else {
                course.definite = false;
                break;
            };
            let before = course.delta;
            course.delta = self.advance(before / curvature, x, work);
            let beta = course.delta / before;
            let CgBuffers { residual: r, direction, inverse, none, .. } = &mut *work;
            parallel::each(self.blocks, &mut direction[..], none, &|block, c, _| {
                for (i, c) in block.particles.clone().zip(c.iter_mut()) {
                    *c = inverse[i] * r[i] + *c * beta;
                }
            });
            course.iterations += 1;
        }
    }

    /// Computes q = S A c and c·q. `None` if A is not positive definite, or the product is NaN.
    pub(super) fn along(&self, work: &mut CgBuffers) -> Option<f64> {
        let CgBuffers { direction, product, sums, .. } = work;
        let (pattern, matrix) = (self.pattern, self.matrix);
        parallel::each(self.blocks, &mut product[..], sums, &|block, out, sum| {
            matrix.times(pattern, block.particles.clone(), direction, out);
            *sum = block.particles.clone().zip(&*out).map(|(i, q)| direction[i].dot(*q)).sum();
        });
        self.filter(product);
        let curvature: f64 = sums.iter().sum();
        (curvature > 0.0).then_some(curvature)
    }

    /// Computes x += α c and r -= α q; returns δ.
    pub(super) fn advance(&self, alpha: f64, x: &mut [Vec3], work: &mut CgBuffers) -> f64 {
        let CgBuffers { residual, direction: c, product: q, inverse, sums, .. } = work;
        parallel::each(self.blocks, (&mut x[..], &mut residual[..]), sums, &|block, (x, r), sum| {
            *sum = 0.0;
            for (i, (x, r)) in block.particles.clone().zip(x.iter_mut().zip(r)) {
                *x += c[i] * alpha;
                *r -= q[i] * alpha;
                *sum += r.dot(inverse[i] * *r);
            }
        });
        sums.iter().sum()
    }

    /// Reaction at a held particle: A x - b in its held directions.
    pub fn reaction(&self, held: &Held, b: &[Vec3], x: &[Vec3]) -> Vec3 {
        let residual = self.residual_of(held.vertex as usize, b, x);
        residual - held.free * residual
    }

    /// A x - b of a particle.
    pub fn residual_of(&self, i: usize, b: &[Vec3], x: &[Vec3]) -> Vec3 {
        let mut product = [Vec3::ZERO];
        self.matrix.times(self.pattern, i..i + 1, x, &mut product);
        product[0] - b[i]
    }

    /// Keeps only the free directions.
    pub fn filter(&self, v: &mut [Vec3]) {
        for held in self.held {
            let v = &mut v[held.vertex as usize];
            *v = held.free * *v;
        }
    }

    /// Inverts the diagonal blocks within the free directions. `false` if one is not positive definite, and so neither
    /// is A. (Its δ would be negative, as if the residual were small enough.)
    fn precondition(&self, work: &mut CgBuffers) -> bool {
        let (pattern, matrix) = (self.pattern, self.matrix);
        let CgBuffers { inverse, none, sums, .. } = work;
        parallel::each(self.blocks, &mut inverse[..], none, &|block, inverse, _| {
            for (i, inverse) in block.particles.clone().zip(inverse.iter_mut()) {
                *inverse = matrix.blocks[pattern.diagonal[i] as usize];
            }
        });
        for (i, _, a) in matrix.extra.iter().filter(|entry| entry.0 == entry.1) {
            inverse[*i as usize] += *a;
        }
        invert_blocks(self.blocks, self.held, inverse, sums)
    }
}

/// Inverts diagonal blocks within the free directions. `false` if one is not positive definite.
pub(super) fn invert_blocks(list: &[Block], held: &[Held], inverse: &mut [DMat3], sums: &mut [f64]) -> bool {
    for held in held {
        let a = &mut inverse[held.vertex as usize];
        *a = held.free * *a * held.free + (DMat3::IDENTITY - held.free) * a.x_axis.x.abs();
    }
    parallel::each(list, &mut inverse[..], sums, &|_, inverse, wrong| {
        *wrong = 0.0;
        for a in inverse {
            *wrong += f64::from(u8::from(!is_positive(a)));
            *a = a.inverse();
        }
    });
    for held in held {
        let a = &mut inverse[held.vertex as usize];
        *a = held.free * *a * held.free;
    }
    sums.iter().all(|&wrong| wrong == 0.0)
}

/// Whether a symmetric matrix is positive definite, by its leading minors.
fn is_positive(a: &DMat3) -> bool {
    let two = a.x_axis.x * a.y_axis.y - a.x_axis.y * a.y_axis.x;
    a.x_axis.x > 0.0 && two > 0.0 && a.determinant() > 0.0
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::random::signed;
    use crate::setup::Hold;

    /// A random symmetric positive definite system on a ring of particles, some of them held in part.
    pub struct Sample {
        pub pattern: Pattern,
        pub matrix: Matrix,
        pub b: Vec<Vec3>,
        pub held: Vec<Held>,
        /// Wanted values in held directions, zero in the others.
        pub origin: Vec<Vec3>,
    }

    pub const N: usize = 12;

    pub fn vector(seed: u64, i: usize) -> Vec3 {
        Vec3::from_array(std::array::from_fn(|c| signed(seed, (3 * i + c) as u64)))
    }

    pub fn sample(seed: u64) -> Sample {
        let groups: Vec<[u32; 3]> = (0..N).map(|i| [i, (i + 1) % N, (i + 3) % N].map(|i| i as u32)).collect();
        let pattern = Pattern::new(N, groups.iter().map(|g| &g[..]));
        let mut matrix = Matrix::new(&pattern);
        for i in 0..N {
            let mass = 0.1 + 10.0 * signed(seed, 1000 + i as u64).abs();
            matrix.blocks[pattern.diagonal[i] as usize] += DMat3::from_diagonal(Vec3::splat(mass));
        }
        for (e, group) in groups.iter().enumerate() {
            for direction in 0..4 {
                // a stiff element g gᵀ
                let g: [Vec3; 3] = std::array::from_fn(|k| 10.0 * vector(seed + 1, 12 * e + 3 * direction + k));
                for (i, gi) in group.iter().zip(g) {
                    for (j, gj) in group.iter().zip(g) {
                        let block = DMat3::from_cols(gi * gj.x, gi * gj.y, gi * gj.z);
                        matrix.blocks[pattern.place(*i, *j) as usize] += block;
                    }
                }
            }
        }
        let tilted = vector(seed + 2, 0).normalize();
        let holds = [Hold::All, Hold::Normal(tilted), Hold::Along(tilted), Hold::Axes([true, false, false])];
        let mut origin = vec![Vec3::ZERO; N];
        let held = holds.iter().enumerate().map(|(k, hold)| {
            let vertex = (3 * k) as u32;
            let z = vector(seed + 3, k);
            origin[3 * k] = z - hold.free() * z;
            Held { vertex, free: hold.free(), ..Held::default() }
        });
        let held = held.collect();
        Sample { pattern, matrix, b: (0..N).map(|i| 5.0 * vector(seed + 4, i)).collect(), held, origin }
    }

    fn one_block() -> Vec<Block> {
        vec![Block { index: 0, cloth: 0, particles: 0..N }]
    }

    impl Sample {
        fn solve(&self, guess: &[Vec3], tolerance: f64) -> (Vec<Vec3>, Solved) {
            let stop = Stop { tolerance, iterations: 1000 };
            self.with(guess, |system, x, work| system.solve(&self.b, &self.origin, x, stop, work))
        }

        /// Solves from a guess with any solver.
        pub fn with(
            &self,
            guess: &[Vec3],
            solve: impl FnOnce(&System, &mut [Vec3], &mut CgBuffers) -> Solved,
        ) -> (Vec<Vec3>, Solved) {
            let list = one_block();
            let halt = &Halt::default();
            let system = System { pattern: &self.pattern, matrix: &self.matrix, blocks: &list, held: &self.held, halt };
            let mut x = guess.to_vec();
            for held in &self.held {
                let i = held.vertex as usize;
                x[i] = held.mix(x[i], self.origin[i]);
            }
            let solved = solve(&system, &mut x, &mut CgBuffers::new(N, 1));
            (x, solved)
        }

        /// S A S + (I - S) solved by elimination with pivots.
        pub fn dense(&self) -> Vec<Vec3> {
            let size = 3 * N;
            let mut free = vec![vec![0.0; size]; size];
            (0..size).for_each(|i| free[i][i] = 1.0);
            for held in &self.held {
                let at = 3 * held.vertex as usize;
                for r in 0..3 {
                    (0..3).for_each(|c| free[at + r][at + c] = held.free.col(c)[r]);
                }
            }
            let mut a = vec![vec![0.0; size]; size];
            for i in 0..N {
                for place in self.pattern.row(i) {
                    let j = self.pattern.column[place] as usize;
                    for r in 0..3 {
                        (0..3).for_each(|c| a[3 * i + r][3 * j + c] = self.matrix.blocks[place].col(c)[r]);
                    }
                }
            }
            for (i, j, block) in &self.matrix.extra {
                for r in 0..3 {
                    (0..3).for_each(|c| a[3 * *i as usize + r][3 * *j as usize + c] += block.col(c)[r]);
                }
            }
            let times = |p: &[Vec<f64>], q: &[Vec<f64>]| -> Vec<Vec<f64>> {
                (0..size).map(|r| (0..size).map(|c| (0..size).map(|k| p[r][k] * q[k][c]).sum()).collect()).collect()
            };
            let flat = |v: &[Vec3]| v.iter().flat_map(|v| v.to_array()).collect::<Vec<f64>>();
            let apply = |m: &[Vec<f64>], v: &[f64]| -> Vec<f64> {
                m.iter().map(|row| row.iter().zip(v).map(|(a, b)| a * b).sum()).collect()
            };
            let z = flat(&self.origin);
            let right: Vec<f64> = flat(&self.b).iter().zip(apply(&a, &z)).map(|(b, az)| b - az).collect();
            let right = apply(&free, &right);
            let mut system = times(&free, &times(&a, &free));
            for i in 0..size {
                (0..size).for_each(|j| system[i][j] += f64::from(u8::from(i == j)) - free[i][j]);
                system[i].push(right[i]);
            }
            for k in 0..size {
                let pivot = (k..size).max_by(|&p, &q| system[p][k].abs().total_cmp(&system[q][k].abs())).unwrap();
                system.swap(k, pivot);
                let row = system[k].clone();
                for other in (0..size).filter(|&i| i != k) {
                    let factor = system[other][k] / row[k];
                    (k..=size).for_each(|c| system[other][c] -= factor * row[c]);
                }
            }
            let x: Vec<f64> = (0..size).map(|i| system[i][size] / system[i][i] + z[i]).collect();
            x.chunks(3).map(Vec3::from_slice).collect()
        }
    }

    pub fn distance(a: &[Vec3], b: &[Vec3]) -> f64 {
        a.iter().zip(b).map(|(p, q)| p.distance(*q)).fold(0.0, f64::max)
    }

    #[test]
    fn agrees_with_elimination_for_any_guess() {
        for seed in 0..20 {
            let sample = sample(100 * seed);
            let exact = sample.dense();
            let size = distance(&exact, &[Vec3::ZERO; N]);
            for guess in [vec![Vec3::ZERO; N], (0..N).map(|i| vector(7, i)).collect(), exact.clone()] {
                let (x, solved) = sample.solve(&guess, 1e-12);
                assert!(solved.converged && distance(&x, &exact) < 1e-9 * size, "{seed}: {:e}", distance(&x, &exact));
                // held directions are exact up to the last two bits, however early it stops
                for tolerance in [1e-12, 1e-1, 1e9] {
                    let (x, _) = sample.solve(&guess, tolerance);
                    for held in &sample.held {
                        let d = x[held.vertex as usize] - sample.origin[held.vertex as usize];
                        assert!((d - held.free * d).length() < 1e-15);
                    }
                }
            }
            assert_eq!(sample.solve(&exact, 1e-6).1.iterations, 0, "a good guess saves the work");
        }
    }

    /// Other units of mass and of time scale A, b and x; the iterations stay the same.
    #[test]
    fn stops_at_the_same_iteration_in_any_units() {
        for seed in 0..10 {
            let plain = sample(100 * seed);
            let mut scaled = sample(100 * seed);
            // powers of two, so that rounding is the same
            let (mass, speed) = (2f64.powi(-20), 2f64.powi(13));
            scaled.matrix.blocks.iter_mut().for_each(|a| *a *= mass);
            scaled.b.iter_mut().for_each(|b| *b *= mass * speed);
            scaled.origin.iter_mut().for_each(|z| *z *= speed);
            let ((x, a), (y, b)) = (plain.solve(&[Vec3::ZERO; N], 1e-5), scaled.solve(&[Vec3::ZERO; N], 1e-5));
            assert_eq!(a, b);
            assert!(a.iterations > 5 && x.iter().zip(&y).all(|(x, y)| *x * speed == *y), "{a:?}");
        }
    }

    #[test]
    fn an_indefinite_matrix_is_noticed() {
        let mut sample = sample(5);
        let place = sample.pattern.diagonal[4] as usize;
        sample.matrix.blocks[place] -= DMat3::from_diagonal(Vec3::splat(1e5));
        assert!(!sample.solve(&[Vec3::ZERO; N], 1e-9).1.converged);
    }
}
