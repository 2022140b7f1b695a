//! The modified preconditioned conjugate gradient method.
//!
//! D. Baraff and A. Witkin, Large Steps in Cloth Simulation, SIGGRAPH 1998, Sec. 5.2, in the corrected form of U. Ascher
//! and E. Boxerman, On the modified conjugate gradient method in cloth simulation, The Visual Computer 19, 2003:
//!
//! ```text
//! x = S g + (I-S) z;  b̂ = S (b - A o);  δ0 = b̂·P⁻¹ b̂;  r = S (b - A x);  c = S P⁻¹ r;  δ = r·c
//! while δ > ε² δ0:    q = S A c;  α = δ/(c·q);  x += α c;  r -= α q;  s = P⁻¹ r;  δ' = δ;  δ = r·s;  c = S (s + δ/δ' c)
//! ```
//! S keeps the free directions of each particle and z has the wanted values of the held ones. They are never touched by
//! an iteration, so the constraints hold to rounding however early it stops. The guess g may be anything: ε counts from
//! the origin o, not from the guess, so that a good guess saves iterations (the paper's own rule depends on units). The
//! origin has the held values z and in free directions what the solution would be if no forces acted, 0 for a change of
//! velocities: counted from 0 where the unknown is a velocity, ε would allow a fast cloth larger errors than a slow one.
//!
//! P is the block diagonal of S A S + (I - S): inverted within the free directions of each particle.

use super::{Matrix, Pattern};
use crate::Vec3;
use crate::boundary::Held;
use crate::model::blocks::{self, Block};
use glam::DMat3;

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stop {
    /// ε.
    pub tolerance: f64,
    pub iterations: u32,
}

/// How it went.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Solved {
    pub iterations: u32,
    pub converged: bool,
}

/// What the sums of a row of A leave of zero, in units of its diagonal: some ten blocks, each rounded. A cloth in free fall
/// would lose its shape to iterations on less.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Scratch.
#[derive(Default)]
pub(crate) struct Scratch {
    residual: Vec<Vec3>,
    direction: Vec<Vec3>,
    product: Vec<Vec3>,
    inverse: Vec<DMat3>,
    none: Vec<()>,
    sums: Vec<f64>,
}

impl Scratch {
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
    /// The blocks that work is cut into.
    pub blocks: &'a [Block],
    /// Particles with held directions.
    pub held: &'a [Held],
}

impl System<'_> {
    /// Solves A x = b. On entry the held directions of `x` have the wanted values z, and the free ones a guess; `origin` is
    /// what the tolerance counts from, with the same z.
    pub fn solve(&self, b: &[Vec3], origin: &[Vec3], x: &mut [Vec3], stop: Stop, work: &mut Scratch) -> Solved {
        self.precondition(work);
        let Scratch { residual, direction, product, inverse, none, sums } = work;
        let (inverse, pattern, matrix) = (&*inverse, self.pattern, self.matrix);

        // δ0 from the origin
        matrix.multiply(pattern, self.blocks, origin, product, none);
        blocks::fill(self.blocks, residual, none, |i| b[i] - product[i]);
        self.filter(residual);
        let whole = blocks::sum(self.blocks, sums, |i| residual[i].dot(inverse[i] * residual[i]));
        if whole == 0.0 {
            x.copy_from_slice(origin); // nothing pulls at the free directions
            return Solved { iterations: 0, converged: true };
        }

        // what rounding leaves of A o is not worth an iteration
        let rounding =
            blocks::sum(self.blocks, sums, |i| origin[i].dot(matrix.blocks[pattern.diagonal[i] as usize] * origin[i]));

        matrix.multiply(pattern, self.blocks, x, product, none);
        blocks::fill(self.blocks, residual, none, |i| b[i] - product[i]);
        self.filter(residual);
        blocks::fill(self.blocks, direction, none, |i| inverse[i] * residual[i]);
        let mut delta = blocks::sum(self.blocks, sums, |i| residual[i].dot(direction[i]));
        let enough = (stop.tolerance * stop.tolerance * whole).max(ROUNDING * ROUNDING * rounding);
        let mut iterations = 0;
        while delta > enough && iterations < stop.iterations {
            // q = S A c, and c·q on the way
            blocks::each(self.blocks, &mut product[..], sums, &|block, out, sum| {
                matrix.times(pattern, block.particles.clone(), direction, out);
                *sum = block.particles.clone().zip(&*out).map(|(i, q)| direction[i].dot(*q)).sum();
            });
            let curvature: f64 = sums.iter().sum();
            if curvature <= 0.0 || curvature.is_nan() {
                break; // not positive definite, or not a number: the caller must know
            }
            self.filter(product);
            let alpha = delta / curvature;
            let before = delta;
            let (c, q) = (&*direction, &*product);
            blocks::each(self.blocks, (&mut x[..], &mut residual[..]), sums, &|block, (x, r), sum| {
                *sum = 0.0;
                for (i, (x, r)) in block.particles.clone().zip(x.iter_mut().zip(r)) {
                    *x += c[i] * alpha;
                    *r -= q[i] * alpha;
                    *sum += r.dot(inverse[i] * *r);
                }
            });
            delta = sums.iter().sum();
            let beta = delta / before;
            let r = &*residual;
            blocks::each(self.blocks, &mut direction[..], none, &|block, c, _| {
                for (i, c) in block.particles.clone().zip(c.iter_mut()) {
                    *c = inverse[i] * r[i] + *c * beta;
                }
            });
            iterations += 1;
        }
        Solved { iterations, converged: delta <= enough }
    }

    /// What the equation of a held particle lacks: A x - b in its held directions.
    pub fn lack(&self, held: &Held, b: &[Vec3], x: &[Vec3]) -> Vec3 {
        let i = held.vertex as usize;
        let mut product = [Vec3::ZERO];
        self.matrix.times(self.pattern, i..i + 1, x, &mut product);
        let lacks = product[0] - b[i];
        lacks - held.free * lacks
    }

    /// Keeps the free directions only.
    fn filter(&self, v: &mut [Vec3]) {
        for held in self.held {
            let v = &mut v[held.vertex as usize];
            *v = held.free * *v;
        }
    }

    /// Inverts the diagonal blocks, within the free directions.
    fn precondition(&self, work: &mut Scratch) {
        let (pattern, matrix) = (self.pattern, self.matrix);
        let Scratch { inverse, none, .. } = work;
        blocks::each(self.blocks, &mut inverse[..], none, &|block, inverse, _| {
            for (i, inverse) in block.particles.clone().zip(inverse.iter_mut()) {
                *inverse = matrix.blocks[pattern.diagonal[i] as usize];
            }
        });
        for (i, _, a) in matrix.apart.iter().filter(|entry| entry.0 == entry.1) {
            inverse[*i as usize] += *a;
        }
        for held in self.held {
            let a = &mut inverse[held.vertex as usize];
            *a = held.free * *a * held.free + (DMat3::IDENTITY - held.free) * a.x_axis.x;
        }
        blocks::each(self.blocks, &mut inverse[..], none, &|_, inverse, _| {
            inverse.iter_mut().for_each(|a| *a = invert(*a));
        });
        for held in self.held {
            let a = &mut inverse[held.vertex as usize];
            *a = held.free * *a * held.free;
        }
    }
}

/// A diagonal block that cannot be inverted is left alone: the method converges without.
fn invert(a: DMat3) -> DMat3 {
    let inverse = a.inverse();
    if inverse.is_finite() { inverse } else { DMat3::IDENTITY }
}
