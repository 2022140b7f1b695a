//! A square matrix of 3×3 blocks on a fixed pattern.
//!
//! Both halves of the symmetric matrix are stored: one thread sums a row in a fixed order, which gives the same bits on
//! any number of threads. Blocks of contacts change from step to step; they are stored separately and the pattern
//! stays.

use crate::Vec3;
use crate::parallel::{self, Block, Cut};
use glam::DMat3;

/// The sparsity pattern: which blocks are stored.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pattern {
    /// Where the blocks of each row start, and where the last ends.
    pub start: Vec<u32>,
    /// Columns of the blocks, ascending in each row.
    pub column: Vec<u32>,
    /// Index of the diagonal block of each row.
    pub diagonal: Vec<u32>,
}

impl Pattern {
    /// The pattern that couples the particles of each group, and every particle with itself.
    pub fn new<'a>(particles: usize, groups: impl Iterator<Item = &'a [u32]> + Clone) -> Self {
        // count with repetitions, fill, then sort each row and remove duplicates
        let mut start = vec![1usize; particles + 1];
        start[0] = 0;
        for group in groups.clone() {
            group.iter().for_each(|&i| start[i as usize + 1] += group.len());
        }
        for i in 0..particles {
            start[i + 1] += start[i];
        }
        let mut next = start.clone();
        let mut wide = vec![0u32; start[particles]];
        let mut put = |i: usize, j: u32| {
            wide[next[i]] = j;
            next[i] += 1;
        };
        (0..particles).for_each(|i| put(i, i as u32));
        for group in groups {
            for &i in group {
                group.iter().for_each(|&j| put(i as usize, j));
            }
        }
        let mut pattern = Self { start: vec![0], column: Vec::new(), diagonal: Vec::with_capacity(particles) };
        for i in 0..particles {
            let row = &mut wide[start[i]..start[i + 1]];
            row.sort_unstable();
            let first = pattern.column.len();
            for &j in row.iter() {
                if pattern.column.len() == first || pattern.column.last() != Some(&j) {
                    if j as usize == i {
                        pattern.diagonal.push(pattern.column.len() as u32);
                    }
                    pattern.column.push(j);
                }
            }
            pattern.start.push(pattern.column.len() as u32);
        }
        pattern
    }

    /// Indices of the blocks of a row.
    pub fn row(&self, i: usize) -> std::ops::Range<usize> {
        self.start[i] as usize..self.start[i + 1] as usize
    }

    /// Index of block (i, j).
    ///
    /// # Panics
    /// If it is not in the pattern.
    pub fn place(&self, i: u32, j: u32) -> u32 {
        self.find(i, j).expect("elements are part of the pattern")
    }

    /// Index of block (i, j), if it is in the pattern.
    pub fn find(&self, i: u32, j: u32) -> Option<u32> {
        let row = self.row(i as usize);
        let found = self.column[row.clone()].binary_search(&j).ok()?;
        Some((row.start + found) as u32)
    }
}

/// Values on a [`Pattern`].
#[derive(Clone, Debug, Default)]
pub(crate) struct Matrix {
    pub blocks: Vec<DMat3>,
    /// Row, column and value of blocks outside the pattern, ascending by row: contacts.
    pub extra: Vec<(u32, u32, DMat3)>,
}

impl Matrix {
    pub fn new(pattern: &Pattern) -> Self {
        Self::of(pattern.column.len())
    }

    /// With a number of blocks in the pattern.
    pub fn of(blocks: usize) -> Self {
        Self { blocks: vec![DMat3::ZERO; blocks], extra: Vec::new() }
    }

    /// Bytes of a number of blocks in the pattern.
    pub fn bytes_of(blocks: usize) -> usize {
        blocks * size_of::<DMat3>()
    }

    /// out = A x for a range of rows.
    pub fn times(&self, pattern: &Pattern, rows: std::ops::Range<usize>, x: &[Vec3], out: &mut [Vec3]) {
        let first = rows.start;
        debug_assert_eq!(out.len(), rows.len());
        Product { matrix: self, pattern, first, x, out }.widest();
        let from = self.extra.partition_point(|entry| (entry.0 as usize) < rows.start);
        for (i, j, a) in self.extra[from..].iter().take_while(|entry| (entry.0 as usize) < rows.end) {
            out[*i as usize - first] += *a * x[*j as usize];
        }
    }

    /// out = A x.
    pub fn multiply(&self, pattern: &Pattern, list: &[Block], x: &[Vec3], out: &mut [Vec3], none: &mut [()]) {
        parallel::each(list, out, none, &|block, out, _| self.times(pattern, block.particles.clone(), x, out));
    }
}

/// Computes out = A x for the rows from `first` on, without the blocks outside the pattern.
struct Product<'a> {
    matrix: &'a Matrix,
    pattern: &'a Pattern,
    first: usize,
    x: &'a [Vec3],
    out: &'a mut [Vec3],
}

impl Product<'_> {
    /// Uses the vector instructions that the CPU has, with the same bits. The compiler does not vectorise groups of
    /// three numbers, so this is done by hand.
    #[inline]
    fn widest(self) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the function is safe but for the CPU that it needs, which was asked for.
            return unsafe { self.with_avx2() };
        }
        self.plain();
    }

    fn plain(self) {
        let Self { matrix, pattern, first, x, out } = self;
        for (i, out) in (first..).zip(out) {
            *out = Vec3::ZERO;
            for (a, &j) in matrix.blocks[pattern.row(i)].iter().zip(&pattern.column[pattern.row(i)]) {
                *out += *a * x[j as usize];
            }
        }
    }

    /// Loads the columns of a block into vectors of four, whose last entry is unused.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn with_avx2(self) {
        use std::arch::x86_64::*;
        let Self { matrix, pattern, first, x, out } = self;
        for (i, out) in (first..).zip(out) {
            let mut sum = _mm256_setzero_pd();
            for (a, &j) in matrix.blocks[pattern.row(i)].iter().zip(&pattern.column[pattern.row(i)]) {
                let a: &[f64; 9] = a.as_ref();
                // SAFETY: four numbers each, from the first, the fourth and the sixth of nine.
                let [u, v, w] = unsafe { [0, 3, 5].map(|k| _mm256_loadu_pd(a.as_ptr().add(k))) };
                let w = _mm256_permute4x64_pd::<0b00_11_10_01>(w);
                let by = x[j as usize].to_array().map(|number| _mm256_set1_pd(number));
                let uv = _mm256_add_pd(_mm256_mul_pd(u, by[0]), _mm256_mul_pd(v, by[1]));
                sum = _mm256_add_pd(sum, _mm256_add_pd(uv, _mm256_mul_pd(w, by[2])));
            }
            let mut four = [0.0; 4];
            // SAFETY: it has room for four numbers.
            unsafe { _mm256_storeu_pd(four.as_mut_ptr(), sum) };
            *out = Vec3::new(four[0], four[1], four[2]);
        }
    }
}

/// The rows of a block of particles, to write to.
pub(crate) struct Rows<'a> {
    pub pattern: &'a Pattern,
    /// The first row.
    pub first: usize,
    /// Blocks from the first row's start on.
    pub blocks: &'a mut [DMat3],
}

impl<'a> Rows<'a> {
    pub fn all(pattern: &'a Pattern, matrix: &'a mut Matrix) -> Self {
        Self { pattern, first: 0, blocks: &mut matrix.blocks }
    }
}

impl Cut for Rows<'_> {
    fn cut(self, at: usize) -> (Self, Self) {
        let Rows { pattern, first, blocks } = self;
        let middle = (pattern.start[first + at] - pattern.start[first]) as usize;
        let (low, high) = blocks.split_at_mut(middle);
        (Rows { pattern, first, blocks: low }, Rows { pattern, first: first + at, blocks: high })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::signed;

    #[test]
    fn pattern_has_every_pair_once_and_the_diagonal() {
        let groups: [&[u32]; 3] = [&[0, 2, 3], &[2, 3], &[4, 0]];
        let pattern = Pattern::new(6, groups.into_iter());
        let row = |i: usize| &pattern.column[pattern.row(i)];
        assert_eq!(row(0), [0, 2, 3, 4]);
        assert_eq!(row(1), [1]);
        assert_eq!(row(2), [0, 2, 3]);
        assert_eq!(row(4), [0, 4]);
        assert_eq!(row(5), [5]);
        assert!((0..6).all(|i| pattern.column[pattern.diagonal[i] as usize] as usize == i));
        assert_eq!(pattern.place(2, 3), pattern.start[2] + 2);
    }

    #[test]
    fn products_have_the_same_bits_on_any_cpu() {
        let groups: Vec<[u32; 4]> = (0..40).map(|i| [i, i + 1, (i * i) % 43, 7]).collect();
        let pattern = Pattern::new(43, groups.iter().map(|g| &g[..]));
        let mut matrix = Matrix::new(&pattern);
        for (k, block) in matrix.blocks.iter_mut().enumerate() {
            *block = DMat3::from_cols_array(&std::array::from_fn(|c| signed(1, (9 * k + c) as u64)));
        }
        let x: Vec<Vec3> = (0..43).map(|i| Vec3::from_array([0, 1, 2].map(|c| signed(2, 3 * i + c)))).collect();
        let bits = |v: &[Vec3]| v.iter().map(|v| v.to_array().map(f64::to_bits)).collect::<Vec<_>>();
        for first in [0, 17] {
            let [mut wide, mut plain] = [(); 2].map(|()| vec![Vec3::ZERO; 43 - first]);
            Product { matrix: &matrix, pattern: &pattern, first, x: &x, out: &mut wide }.widest();
            Product { matrix: &matrix, pattern: &pattern, first, x: &x, out: &mut plain }.plain();
            assert_eq!(bits(&wide), bits(&plain));
            assert!(plain.iter().any(|v| v.length() > 0.1));
        }
    }

    #[test]
    fn blocks_outside_the_pattern_count_like_those_of_the_pattern() {
        let groups: [&[u32]; 1] = [&[0, 1]];
        let pattern = Pattern::new(3, groups.into_iter());
        let mut matrix = Matrix::new(&pattern);
        matrix.blocks.fill(DMat3::IDENTITY);
        matrix.extra = vec![(0, 2, DMat3::from_diagonal(Vec3::new(1.0, 2.0, 3.0))), (2, 0, DMat3::IDENTITY)];
        let x = [Vec3::X, Vec3::Y, Vec3::new(1.0, 1.0, 1.0)];
        let mut out = [Vec3::ZERO; 3];
        matrix.times(&pattern, 0..3, &x, &mut out);
        assert_eq!(out, [Vec3::new(2.0, 3.0, 3.0), Vec3::new(1.0, 1.0, 0.0), Vec3::new(2.0, 1.0, 1.0)]);
        let mut last = [Vec3::ZERO; 1];
        matrix.times(&pattern, 2..3, &x, &mut last);
        assert_eq!(last[0], out[2]);
    }
}
