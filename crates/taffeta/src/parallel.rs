//! Parallel loops over particles that give the same bits on any number of threads.
//!
//! The particles are cut into blocks once. A loop hands whole blocks to the threads of the current rayon pool; no two
//! blocks write to the same place, and sums are added block by block in order. The size of a block depends on the
//! cloth, never on the number of threads.

use rayon::prelude::*;
use std::ops::Range;

/// A range of particles of one cloth.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Block {
    /// Index of the block in the list of all blocks.
    pub index: usize,
    /// Index of the cloth.
    pub cloth: usize,
    /// Particles of the block.
    pub particles: Range<usize>,
}

impl Block {
    /// The blocks of a cloth; `first` blocks exist already.
    pub fn cut(first: usize, cloth: usize, particles: Range<usize>) -> impl Iterator<Item = Self> {
        let size = block_size(particles.len());
        let count = particles.len().div_ceil(size);
        (0..count).map(move |b| {
            let start = particles.start + b * size;
            Self { index: first + b, cloth, particles: start..(start + size).min(particles.end) }
        })
    }

    /// Whether a block counts an element as its own. Every block that an element touches has a copy of it; the block
    /// with its smallest vertex counts it.
    pub fn owns<const N: usize>(&self, vertices: &[u32; N]) -> bool {
        vertices.iter().min().is_some_and(|&v| self.particles.contains(&(v as usize)))
    }
}

/// Particles in a block. Blocks are large enough that few elements lie on a border, small enough for many threads, and
/// all of one size, so that two threads share a few of them evenly.
fn block_size(particles: usize) -> usize {
    let most = (particles / 64).clamp(1024, 16384);
    particles.div_ceil(particles.div_ceil(most).max(1)).max(1)
}

/// Data that belongs to particles, or to parts of them, and is cut where they are cut.
pub(crate) trait Cut: Send + Sized {
    /// The first `at` particles, and the rest.
    fn cut(self, at: usize) -> (Self, Self);
}

impl Cut for () {
    fn cut(self, _: usize) -> (Self, Self) {
        ((), ())
    }
}

impl<T: Send> Cut for &mut [T] {
    fn cut(self, at: usize) -> (Self, Self) {
        self.split_at_mut(at)
    }
}

impl<T: Sync> Cut for &[T] {
    fn cut(self, at: usize) -> (Self, Self) {
        self.split_at(at)
    }
}

impl<A: Cut, B: Cut> Cut for (A, B) {
    fn cut(self, at: usize) -> (Self, Self) {
        let ((a, rest_a), (b, rest_b)) = (self.0.cut(at), self.1.cut(at));
        ((a, b), (rest_a, rest_b))
    }
}

/// Calls `f` for every block with its part of `data` and its own `result`, in parallel, without allocating.
pub(crate) fn each<D: Cut, R: Send>(
    blocks: &[Block],
    data: D,
    results: &mut [R],
    f: &(impl Fn(&Block, D, &mut R) + Sync),
) {
    match blocks {
        [] => {}
        [block] => f(block, data, &mut results[0]),
        _ => {
            let middle = blocks.len() / 2;
            let (low, high) = blocks.split_at(middle);
            let (data_low, data_high) = data.cut(high[0].particles.start - low[0].particles.start);
            let (results_low, results_high) = results.split_at_mut(middle);
            rayon::join(|| each(low, data_low, results_low, f), || each(high, data_high, results_high, f));
        }
    }
}

/// Runs `f` on a thread of the pool if there is work for several. Entering the pool for every sum would cost more than
/// the sum.
pub(crate) fn in_pool<R: Send>(list: &[Block], f: impl FnOnce() -> R + Send) -> R {
    if list.len() > 1 && rayon::current_thread_index().is_none() { rayon::scope(|_| f()) } else { f() }
}

/// out[i] = f(i) for every particle, in parallel.
pub(crate) fn fill<T: Send>(list: &[Block], out: &mut [T], none: &mut [()], f: impl Fn(usize) -> T + Sync) {
    each(list, out, none, &|block, out, _| {
        for (i, out) in block.particles.clone().zip(out.iter_mut()) {
            *out = f(i);
        }
    });
}

/// Entries that a thread handles at once.
const CHUNK: usize = 512;

/// Sets a flag for each entry of a list, in parallel.
pub(crate) fn flags<T: Sync>(list: &[T], out: &mut Vec<bool>, f: impl Fn(&T) -> bool + Sync) {
    out.clear();
    out.resize(list.len(), false);
    let set = |(out, list): (&mut [bool], &[T])| out.iter_mut().zip(list).for_each(|(out, entry)| *out = f(entry));
    if list.len() <= CHUNK {
        set((out, list));
    } else {
        out.par_chunks_mut(CHUNK).zip(list.par_chunks(CHUNK)).for_each(set);
    }
}

/// A sum over particles, first within each block, then over the blocks in order.
pub(crate) fn sum(list: &[Block], sums: &mut [f64], f: impl Fn(usize) -> f64 + Sync) -> f64 {
    each(list, (), sums, &|block, (), sum| *sum = block.particles.clone().map(&f).sum());
    sums.iter().sum()
}
