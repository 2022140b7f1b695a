//! A direct solution for systems on which the conjugate gradient takes too long: stiff contacts, sharp edges of bodies,
//! long steps.
//!
//! Work is counted, not timed, so that results have the same bits everywhere: the conjugate gradient may do as much
//! work as a factorisation costs. Both together cost at most twice as much as the better choice.

use super::Pattern;
use super::cg::System;
use super::cholesky::{Factor, Symbolic};
use super::matrix::Matrix;
use crate::Vec3;

/// What a direct solution needs, before it has memory for numbers.
pub(crate) struct Plan {
    symbolic: Symbolic,
    /// Iterations of the conjugate gradient that cost as much as a factorisation.
    worth: u32,
    /// Number of particles, and of blocks of the matrix.
    particles: usize,
    blocks: usize,
}

/// A factorisation and its memory.
pub(crate) struct Direct {
    symbolic: Symbolic,
    factor: Factor,
    /// The matrix, including the blocks of contacts.
    matrix: Matrix,
    right: Vec<Vec3>,
    part: Vec<f64>,
    /// Iterations of the conjugate gradient that cost as much as a factorisation.
    pub worth: u32,
    /// Whether the direct solution is in use in this step.
    pub on: bool,
}

/// Operations of a factorisation, limited by arithmetic, in the time of one operation on a block of the matrix, limited
/// by memory.
const FASTER: f64 = 20.0;

/// Iterations that always come first: small fronts cost more than their operations.
const LEAST: u32 = 10;

/// Largest factor that is tried, in numbers: 256 MB.
const LARGEST: usize = 1 << 25;

impl Plan {
    /// Returns `None` if the factor would be too large. `place` are the particles' positions in the rest shape.
    pub fn new(pattern: &Pattern, place: &[Vec3]) -> Option<Self> {
        let symbolic = Symbolic::new(pattern, place);
        let (numbers, operations) = symbolic.size();
        if numbers > LARGEST {
            return None;
        }
        let worth = operations / (FASTER * pattern.column.len() as f64);
        let (particles, blocks) = (place.len(), pattern.column.len());
        Some(Self { symbolic, worth: (worth as u32).max(LEAST), particles, blocks })
    }

    /// Bytes of memory with the factor.
    pub fn bytes(&self) -> usize {
        let lists = Matrix::bytes_of(self.blocks) + self.particles * size_of::<Vec3>();
        self.symbolic.bytes() + self.symbolic.bytes_of_room() + lists + self.symbolic.widest() * size_of::<f64>()
    }
}

impl Direct {
    /// Allocates what a plan needs.
    pub fn new(plan: Plan) -> Self {
        let Plan { symbolic, worth, particles, blocks } = plan;
        Self {
            factor: symbolic.room(),
            part: Vec::with_capacity(symbolic.widest()),
            symbolic,
            matrix: Matrix::of(blocks),
            right: vec![Vec3::ZERO; particles],
            worth,
            on: false,
        }
    }

    /// Bytes of allocated memory.
    #[cfg(test)]
    pub fn allocated(&self) -> usize {
        let lists = size_of_val(&self.matrix.blocks[..]) + size_of_val(&self.right[..]);
        self.symbolic.bytes() + self.factor.allocated() + lists + self.part.capacity() * size_of::<f64>()
    }

    /// Solves A x = b. On entry the held directions of `x` have the wanted values. False if A is not positive definite,
    /// has blocks outside the pattern, or the caller wants to stop.
    pub fn solve(&mut self, system: &System, b: &[Vec3], x: &mut [Vec3]) -> bool {
        let System { pattern, matrix, held, halt, .. } = *system;
        self.matrix.blocks.copy_from_slice(&matrix.blocks);
        for (i, j, a) in &matrix.extra {
            let Some(place) = pattern.find(*i, *j) else { return false };
            self.matrix.blocks[place as usize] += *a;
        }
        if self.symbolic.factor(pattern, &self.matrix, held, &mut self.factor, halt).is_err() {
            return false;
        }
        // solve for the change of x, because its held directions already have their values
        self.matrix.times(pattern, 0..x.len(), x, &mut self.right);
        self.right.iter_mut().zip(b).for_each(|(right, b)| *right = *b - *right);
        system.filter(&mut self.right);
        self.symbolic.solve_with(&self.factor, &mut self.right, &mut self.part);
        system.filter(&mut self.right);
        x.iter_mut().zip(&self.right).for_each(|(x, p)| *x += *p);
        true
    }
}
