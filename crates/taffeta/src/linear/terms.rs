//! Terms of a matrix that couple any particles: wᵢ wⱼ B for the particles i, j of a contact, with one 3×3 block B.
//!
//! They change in every step and are not added to the pattern. A product takes two passes: first the push B Σ wⱼ xⱼ of
//! each term, then the sum of pushes for each particle, in the order of the terms: the same bits on any number of
//! threads.

use crate::Vec3;
use glam::DMat3;
use rayon::prelude::*;
use std::ops::Range;

/// A term. Particles that it does not use have the weight 0.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Term {
    pub particles: [u32; 4],
    pub weights: [f64; 4],
    /// Symmetric and not negative definite, kg.
    pub block: DMat3,
}

impl Term {
    /// The particles that it uses, with their weights.
    fn used(&self) -> impl Iterator<Item = (u32, f64)> {
        self.particles.into_iter().zip(self.weights).filter(|(_, weight)| *weight != 0.0)
    }

    /// Σ wⱼ xⱼ.
    #[inline]
    pub fn combine(&self, x: &[Vec3]) -> Vec3 {
        let [a, b, c, d] = self.particles.map(|i| x[i as usize]);
        let [i, j, k, l] = self.weights;
        (a * i + b * j) + (c * k + d * l)
    }
}

/// A list of terms, with an index by particle.
#[derive(Clone, Debug, Default)]
pub(crate) struct Terms {
    pub list: Vec<Term>,
    /// Where the entries of each particle start.
    start: Vec<u32>,
    /// Term and weight.
    entries: Vec<(u32, f64)>,
}

/// Terms that a thread handles at once.
const CHUNK: usize = 512;

impl Terms {
    /// Builds the index. It must be called after the list has changed.
    pub fn index(&mut self, particles: usize) {
        self.start.clear();
        self.start.resize(particles + 2, 0);
        // counts stand two places ahead, so that filling leaves the starts
        for term in &self.list {
            term.used().for_each(|(i, _)| self.start[i as usize + 2] += 1);
        }
        for i in 2..self.start.len() {
            self.start[i] += self.start[i - 1];
        }
        self.entries.clear();
        self.entries.resize(self.start.last().map_or(0, |last| *last as usize), (0, 0.0));
        for (t, term) in self.list.iter().enumerate() {
            for (i, weight) in term.used() {
                let next = &mut self.start[i as usize + 1];
                self.entries[*next as usize] = (t as u32, weight);
                *next += 1;
            }
        }
    }

    /// The terms of a particle, with its weight in each.
    pub fn of(&self, i: usize) -> &[(u32, f64)] {
        match self.list.is_empty() {
            true => &[],
            false => &self.entries[self.start[i] as usize..self.start[i + 1] as usize],
        }
    }

    /// The push B Σ wⱼ xⱼ of each term.
    pub fn pushes(&self, x: &[Vec3], out: &mut Vec<Vec3>) {
        out.resize(self.list.len(), Vec3::ZERO);
        let push = |(out, term): (&mut Vec3, &Term)| *out = term.block * term.combine(x);
        if self.list.len() <= CHUNK {
            out.iter_mut().zip(&self.list).for_each(push);
        } else {
            let chunks = out.par_chunks_mut(CHUNK).zip(self.list.par_chunks(CHUNK));
            chunks.for_each(|(out, terms)| out.iter_mut().zip(terms).for_each(push));
        }
    }

    /// Adds the pushes to the particles of a range.
    pub fn add(&self, particles: Range<usize>, pushes: &[Vec3], out: &mut [Vec3]) {
        if self.list.is_empty() {
            return;
        }
        for (i, out) in particles.zip(out) {
            for &(t, weight) in self.of(i) {
                *out += pushes[t as usize] * weight;
            }
        }
    }

    /// The diagonal block of a particle.
    pub fn diagonal(&self, i: usize) -> DMat3 {
        let sum = |sum: DMat3, (t, weight): &(u32, f64)| sum + self.list[*t as usize].block * (weight * weight);
        self.of(i).iter().fold(DMat3::ZERO, sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::outer;
    use crate::random::signed;

    fn vector(seed: u64, i: u64) -> Vec3 {
        Vec3::new(signed(seed, 3 * i), signed(seed, 3 * i + 1), signed(seed, 3 * i + 2))
    }

    /// Against blocks written out one by one.
    #[test]
    fn products_and_diagonals_are_those_of_the_written_out_matrix() {
        let n = 9usize;
        let mut terms = Terms::default();
        for t in 0..700u64 {
            let particles = std::array::from_fn(|k| ((t * 7 + 2 * k as u64) % n as u64) as u32);
            let mut weights: [f64; 4] = std::array::from_fn(|k| signed(t, k as u64));
            if t % 3 == 0 {
                weights[3] = 0.0;
            }
            terms.list.push(Term { particles, weights, block: outer(vector(1, t), vector(1, t)) });
        }
        terms.index(n);
        let x: Vec<Vec3> = (0..n as u64).map(|i| vector(2, i)).collect();
        let (mut pushes, mut out) = (Vec::new(), vec![Vec3::ZERO; n]);
        terms.pushes(&x, &mut pushes);
        terms.add(0..n, &pushes, &mut out);
        let mut expected = vec![Vec3::ZERO; n];
        let mut diagonal = vec![DMat3::ZERO; n];
        for term in &terms.list {
            for (i, w) in term.particles.iter().zip(term.weights) {
                for (j, other) in term.particles.iter().zip(term.weights) {
                    expected[*i as usize] += term.block * x[*j as usize] * (w * other);
                    if i == j {
                        diagonal[*i as usize] += term.block * (w * other);
                    }
                }
            }
        }
        for i in 0..n {
            assert!(out[i].distance(expected[i]) < 1e-12 * expected[i].length());
            assert!((terms.diagonal(i) - diagonal[i]).abs_diff_eq(DMat3::ZERO, 1e-10));
        }
        terms.list.clear();
        terms.index(n);
        assert!(terms.of(3).is_empty());
    }
}
