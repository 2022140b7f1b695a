//! The conjugate gradient for a matrix with terms of contacts.
//!
//! As [`cg`](super::cg), with the terms added to every product, and with a coarse level beside the preconditioner's
//! blocks.

use super::cg::{Solved, Stop, invert_blocks};
use super::coarse::Coarse;
use super::terms::Terms;
use super::{Matrix, Pattern};
use crate::Vec3;
use crate::halt::Halt;
use crate::linear::filter::Held;
use crate::parallel::{self, Block};
use glam::DMat3;

/// A system of equations with terms of contacts.
pub(crate) struct ContactSystem<'a> {
    pub pattern: &'a Pattern,
    pub matrix: &'a Matrix,
    pub terms: &'a Terms,
    pub blocks: &'a [Block],
    pub held: &'a [Held],
    pub halt: &'a Halt,
}

/// Buffers.
#[derive(Default)]
pub(crate) struct ContactCgBuffers {
    residual: Vec<Vec3>,
    direction: Vec<Vec3>,
    product: Vec<Vec3>,
    better: Vec<Vec3>,
    inverse: Vec<DMat3>,
    pushes: Vec<Vec3>,
    none: Vec<()>,
    sums: Vec<f64>,
    coarse: Coarse,
}

impl ContactCgBuffers {
    pub fn new(particles: usize, blocks: usize, coarse: Coarse) -> Self {
        let zeros = || vec![Vec3::ZERO; particles];
        Self {
            residual: zeros(),
            direction: zeros(),
            product: zeros(),
            better: zeros(),
            inverse: vec![DMat3::ZERO; particles],
            pushes: Vec::new(),
            none: vec![(); blocks],
            sums: vec![0.0; blocks],
            coarse,
        }
    }
}

impl ContactSystem<'_> {
    /// Solves A x = b. On entry the held directions of `x` and `origin` have the wanted values, and the free ones of
    /// `x` a guess. The tolerance is relative to the residual of the origin, or to `least` if that is larger: at rest
    /// the origin is the solution. Iterations start from the guess or from the origin, whichever is nearer.
    pub fn solve(
        &self,
        b: &[Vec3],
        origin: &[Vec3],
        x: &mut [Vec3],
        least: impl Fn(usize) -> Vec3 + Sync,
        stop: Stop,
        work: &mut ContactCgBuffers,
    ) -> Solved {
        let ContactCgBuffers { residual, direction, product, better, inverse, pushes, none, sums, coarse } = work;
        let list = self.blocks;
        parallel::fill(list, inverse, none, |i| {
            self.matrix.blocks[self.pattern.diagonal[i] as usize] + self.terms.diagonal(i)
        });
        if !invert_blocks(list, self.held, inverse, sums) {
            return Solved { iterations: 0, converged: false };
        }
        let inverse = &*inverse;
        coarse.prepare(self.pattern, self.matrix, self.terms, self.held);
        let mut precondition = |residual: &[Vec3], better: &mut [Vec3], none: &mut [()]| {
            parallel::fill(list, better, none, |i| inverse[i] * residual[i]);
            coarse.add(residual, list, better, none);
            self.filter(better);
        };
        parallel::fill(list, residual, none, &least);
        self.filter(residual);
        precondition(residual, better, none);
        let least = parallel::sum(list, sums, |i| residual[i].dot(better[i]));
        self.product(origin, product, pushes, none);
        parallel::fill(list, residual, none, |i| b[i] - product[i]);
        self.filter(residual);
        precondition(residual, better, none);
        let whole = parallel::sum(list, sums, |i| residual[i].dot(better[i]));
        let enough = stop.tolerance * stop.tolerance * whole.max(least);

        self.product(x, product, pushes, none);
        parallel::fill(list, residual, none, |i| b[i] - product[i]);
        self.filter(residual);
        precondition(residual, better, none);
        let mut delta = parallel::sum(list, sums, |i| residual[i].dot(better[i]));
        if delta > whole {
            x.copy_from_slice(origin);
            self.product(x, product, pushes, none);
            parallel::fill(list, residual, none, |i| b[i] - product[i]);
            self.filter(residual);
            precondition(residual, better, none);
            delta = whole;
        }
        direction.copy_from_slice(better);
        let mut iterations = 0;
        while delta > enough && iterations < stop.iterations && !self.halt.asked() {
            self.product(direction, product, pushes, none);
            self.filter(product);
            let curvature = parallel::sum(list, sums, |i| direction[i].dot(product[i]));
            if curvature <= 0.0 || curvature.is_nan() {
                break;
            }
            let alpha = delta / curvature;
            parallel::each(list, (&mut x[..], &mut residual[..]), none, &|block, (x, r), _| {
                for (i, (x, r)) in block.particles.clone().zip(x.iter_mut().zip(r)) {
                    *x += direction[i] * alpha;
                    *r -= product[i] * alpha;
                }
            });
            precondition(residual, better, none);
            let next = parallel::sum(list, sums, |i| residual[i].dot(better[i]));
            let beta = next / delta;
            delta = next;
            parallel::each(list, &mut direction[..], none, &|block, c, _| {
                for (i, c) in block.particles.clone().zip(c.iter_mut()) {
                    *c = better[i] + *c * beta;
                }
            });
            iterations += 1;
        }
        // what is left has no part that the coarse level knows: whatever the tolerance, the forces on a cloth add up
        better.fill(Vec3::ZERO);
        coarse.add(residual, list, better, none);
        self.filter(better);
        let better = &*better;
        parallel::each(list, &mut x[..], none, &|block, x, _| {
            block.particles.clone().zip(x.iter_mut()).for_each(|(i, x)| *x += better[i]);
        });
        Solved { iterations, converged: delta <= enough && delta.is_finite() }
    }

    /// out = A x.
    fn product(&self, x: &[Vec3], out: &mut [Vec3], pushes: &mut Vec<Vec3>, none: &mut [()]) {
        self.terms.pushes(x, pushes);
        let pushes = &*pushes;
        parallel::each(self.blocks, out, none, &|block, out, _| {
            self.matrix.times(self.pattern, block.particles.clone(), x, out);
            self.terms.add(block.particles.clone(), pushes, out);
        });
    }

    /// Keeps only the free directions.
    fn filter(&self, v: &mut [Vec3]) {
        for held in self.held {
            let v = &mut v[held.vertex as usize];
            *v = held.free * *v;
        }
    }

    /// Reaction at a held particle: A x - b in its held directions.
    pub fn reaction(&self, held: &Held, b: &[Vec3], x: &[Vec3]) -> Vec3 {
        let i = held.vertex as usize;
        let mut product = [Vec3::ZERO];
        self.matrix.times(self.pattern, i..i + 1, x, &mut product);
        for &(t, weight) in self.terms.of(i) {
            let term = &self.terms.list[t as usize];
            product[0] += term.block * term.combine(x) * weight;
        }
        let residual = product[0] - b[i];
        residual - held.free * residual
    }
}
