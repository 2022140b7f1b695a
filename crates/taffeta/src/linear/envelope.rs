//! A small symmetric matrix in envelope storage, and its Cholesky factor in place.
//!
//! Each row holds everything from its first entry to the diagonal. What the factor adds stays within.

use crate::wide::{Kernel, widest};

/// A matrix, or its factor.
#[derive(Clone, Debug, Default)]
pub(crate) struct Envelope {
    /// The first column of each row.
    first: Vec<u32>,
    /// Where the values of each row start, and where the last ends.
    start: Vec<usize>,
    values: Vec<f64>,
}

impl Envelope {
    /// Makes all entries of rows from their first columns to the diagonal zero.
    pub fn reset(&mut self, first: impl Iterator<Item = u32>) {
        self.first.clear();
        self.first.extend(first);
        self.start.clear();
        let mut next = 0;
        for (row, first) in self.first.iter().enumerate() {
            self.start.push(next);
            next += row + 1 - *first as usize;
        }
        self.start.push(next);
        self.values.clear();
        self.values.resize(next, 0.0);
    }

    /// The values of a row from a column on. The column must not be before the first of the row.
    #[inline(always)]
    pub fn row_from(&mut self, row: usize, column: usize) -> &mut [f64] {
        let from = self.start[row] + column - self.first[row] as usize;
        &mut self.values[from..self.start[row + 1]]
    }

    /// Replaces the matrix by its factor L, A = L Lᵀ, with the inverse of the diagonal. False if it is not positive
    /// definite.
    pub fn factor(&mut self) -> bool {
        widest(Factor(self))
    }

    /// Solves L Lᵀ x = b in place.
    pub fn solve(&self, x: &mut [f64]) {
        widest(Solve(self, x))
    }
}

/// Sums that fill the widest vectors.
const SUMS: usize = 8;

/// Share of a diagonal entry that must be left of it in the factor: less is rounding.
const DEFINITE: f64 = 1e-12;

/// Σ aᵢ bᵢ by several sums at once.
#[inline(always)]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; SUMS];
    let (a8, a1) = a.as_chunks::<SUMS>();
    let (b8, b1) = b.as_chunks::<SUMS>();
    for (a, b) in a8.iter().zip(b8) {
        for k in 0..SUMS {
            sums[k] += a[k] * b[k];
        }
    }
    let mut sum = ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
    for (a, b) in a1.iter().zip(b1) {
        sum += a * b;
    }
    sum
}

struct Factor<'a>(&'a mut Envelope);

impl Kernel for Factor<'_> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let Envelope { first, start, values } = self.0;
        for row in 0..first.len() {
            let from = first[row] as usize;
            let (above, own) = values.split_at_mut(start[row]);
            let own = &mut own[..row + 1 - from];
            for column in from..row {
                let other = first[column] as usize;
                let begin = from.max(other);
                let its = &above[start[column]..start[column + 1]];
                let taken = dot(&own[begin - from..column - from], &its[begin - other..column - other]);
                own[column - from] = (own[column - from] - taken) * its[column - other];
            }
            let (sides, diagonal) = own.split_at_mut(row - from);
            let left = diagonal[0] - dot(sides, sides);
            if left <= DEFINITE * diagonal[0] || left.is_nan() {
                return false;
            }
            diagonal[0] = 1.0 / left.sqrt();
        }
        true
    }
}

struct Solve<'a>(&'a Envelope, &'a mut [f64]);

impl Kernel for Solve<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self(Envelope { first, start, values }, x) = self;
        for row in 0..first.len() {
            let from = first[row] as usize;
            let own = &values[start[row]..start[row + 1]];
            x[row] = (x[row] - dot(&own[..row - from], &x[from..row])) * own[row - from];
        }
        for row in (0..first.len()).rev() {
            let from = first[row] as usize;
            let own = &values[start[row]..start[row + 1]];
            let value = x[row] * own[row - from];
            x[row] = value;
            for (x, a) in x[from..row].iter_mut().zip(own) {
                *x -= a * value;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::signed;

    #[test]
    fn solutions_satisfy_their_equations() {
        let n = 40usize;
        let first = |row: usize| row.saturating_sub([3, 17, 40, 0][row % 4]) as u32;
        let mut matrix = Envelope::default();
        matrix.reset((0..n).map(first));
        let mut whole = vec![vec![0.0; n]; n];
        let entries = (0..n).flat_map(|row| (first(row) as usize..=row).map(move |column| (row, column)));
        for (row, column) in entries {
            let value = if row == column { 30.0 } else { signed(1, (row * n + column) as u64) };
            matrix.row_from(row, column)[0] = value;
            (whole[row][column], whole[column][row]) = (value, value);
        }
        let b: Vec<f64> = (0..n as u64).map(|i| signed(2, i)).collect();
        let mut x = b.clone();
        assert!(matrix.factor());
        matrix.solve(&mut x);
        for row in 0..n {
            let found: f64 = (0..n).map(|column| whole[row][column] * x[column]).sum();
            assert!((found - b[row]).abs() < 1e-13, "{row}: {found} {}", b[row]);
        }
    }

    #[test]
    fn an_indefinite_matrix_is_refused() {
        let mut matrix = Envelope::default();
        matrix.reset([0, 0].into_iter());
        matrix.row_from(0, 0)[0] = 1.0;
        matrix.row_from(1, 0).copy_from_slice(&[2.0, 1.0]);
        assert!(!matrix.factor());
    }
}
