//! Kernels of the tiled factor.

use crate::wide::Kernel;

/// Rows of a tile: eight particles, three vectors of 256 bits.
pub(super) const TILE: usize = 24;

/// A column of a tile.
pub(super) type Column = [f32; TILE];

/// Columns of a product that are summed at once: all sums are in registers, with room for a column and two numbers.
const AT_ONCE: usize = 3;

/// Numbers below this are flushed to zero, relative to a mean diagonal of about 1: the product of two larger ones is
/// still a normal number (a difference of such products may be smaller, which is rare). Numbers decay exponentially
/// away from the diagonal, and many CPUs take a hundred times as long for subnormal numbers.
pub(super) const NOTHING: f32 = 1.0 / (1u64 << 60) as f32;

#[inline(always)]
fn flush(column: &mut Column) {
    column.iter_mut().for_each(|x| *x = if x.abs() < NOTHING { 0.0 } else { *x });
}

/// The dense elimination of a front: its own columns, and the remainder for its parent.
pub(super) struct Eliminate<'a> {
    /// Own columns of all rows: tiles in rows, columns of a row of tiles one after the other.
    pub own: &'a mut [Column],
    /// Rows and columns below its own, likewise.
    pub rest: &'a mut [Column],
    /// Number of own columns, whole tiles.
    pub columns: usize,
    /// Number of rows below, whole tiles.
    pub below: usize,
}

impl Kernel for Eliminate<'_> {
    /// Whether all pivots are positive.
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let Self { own, rest, columns, below } = self;
        for first in (0..columns).step_by(TILE) {
            let (head, tail) = own[first / TILE * columns..].split_at_mut(columns);
            let (earlier, later) = head.split_at_mut(first);
            let pivot = &mut later[..TILE];
            subtract(earlier, earlier, pivot);
            if !invert(pivot) {
                return false;
            }
            for row in tail.chunks_exact_mut(columns) {
                let (before, after) = row.split_at_mut(first);
                let target = &mut after[..TILE];
                subtract(before, earlier, target);
                divide(target, pivot);
            }
        }
        let rows = &own[columns / TILE * columns..];
        if below == 0 {
            return true;
        }
        for (r, out) in rest.chunks_exact_mut(below).enumerate() {
            let row = &rows[r * columns..(r + 1) * columns];
            for (other, out) in rows.chunks_exact(columns).zip(out.chunks_exact_mut(TILE)).take(r + 1) {
                subtract(row, other, out);
            }
        }
        true
    }
}

/// Computes out -= A Bᵀ for a tile. Tiny numbers stay for now: they are flushed before anything is multiplied by them.
#[inline(always)]
fn subtract(a: &[Column], b: &[Column], out: &mut [Column]) {
    for (part, out) in out.chunks_exact_mut(AT_ONCE).enumerate() {
        let product = product(a, b, part);
        for (out, product) in out.iter_mut().zip(&product) {
            out.iter_mut().zip(product).for_each(|(x, p)| *x -= p);
        }
    }
}

/// Computes some columns of A Bᵀ. Each sum is a separate variable so that it stays in a register.
#[inline(always)]
fn product(a: &[Column], b: &[Column], part: usize) -> [Column; AT_ONCE] {
    let (mut s0, mut s1, mut s2) = ([0.0; TILE], [0.0; TILE], [0.0; TILE]);
    for (a, b) in a.iter().zip(b) {
        let [b0, b1, b2] = b.as_chunks::<AT_ONCE>().0[part];
        for k in 0..TILE {
            s0[k] += a[k] * b0;
        }
        for k in 0..TILE {
            s1[k] += a[k] * b1;
        }
        for k in 0..TILE {
            s2[k] += a[k] * b2;
        }
    }
    [s0, s1, s2]
}

/// A becomes A L⁻ᵀ; `inverse` is L⁻¹.
#[inline(always)]
fn divide(a: &mut [Column], inverse: &[Column]) {
    let mut before = [[0.0; TILE]; TILE];
    before.copy_from_slice(a);
    before.iter_mut().for_each(flush);
    for (part, out) in a.chunks_exact_mut(AT_ONCE).enumerate() {
        // L⁻¹ is zero above its diagonal
        out.copy_from_slice(&product(&before[..AT_ONCE * (part + 1)], inverse, part));
        out.iter_mut().for_each(flush);
    }
}

/// Replaces the lower half of a tile by the inverse of its factor, and the upper by zero; returns whether all pivots
/// are positive.
#[inline(always)]
fn invert(tile: &mut [Column]) -> bool {
    let mut scale = [0.0; TILE];
    for j in 0..TILE {
        let mut column = tile[j];
        for l in &tile[..j] {
            let value = l[j];
            for k in 0..TILE {
                column[k] -= l[k] * value;
            }
        }
        let pivot = column[j];
        if pivot.is_nan() || pivot <= 0.0 {
            return false;
        }
        scale[j] = pivot.sqrt().recip();
        column.iter_mut().for_each(|x| *x *= scale[j]);
        flush(&mut column);
        tile[j] = column;
    }
    // L⁻¹ by columns, from the last: L⁻¹ e_j = (e_j - Σ_k>j L_kj L⁻¹ e_k) / L_jj
    for j in (0..TILE).rev() {
        let l = tile[j];
        let mut column = [0.0; TILE];
        column[j] = 1.0;
        for (later, value) in tile.iter().zip(l).skip(j + 1) {
            for k in 0..TILE {
                column[k] -= later[k] * value;
            }
        }
        column.iter_mut().for_each(|x| *x *= scale[j]);
        flush(&mut column);
        tile[j] = column;
    }
    true
}

/// The data of a front that the solution needs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    /// Own columns and rows below, whole tiles.
    pub columns: usize,
    pub below: usize,
    /// Index of its first column in the factor.
    pub kept: usize,
    /// Its first tile of the solution.
    pub first: usize,
    /// Index where the list of its rows below starts, and the number of particles in it.
    pub list: usize,
    pub particles: usize,
}

/// Solves L y = b.
pub(super) struct Forward<'a> {
    pub fronts: &'a [Place],
    pub kept: &'a [Column],
    pub list: &'a [u32],
    pub x: &'a mut [Column],
}

impl Kernel for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for front in self.fronts {
            let Place { columns, kept, first, list, particles, .. } = *front;
            let (own, later) = self.x[first..].split_at_mut(columns / TILE);
            let start = (first + own.len()) * TILE;
            let later = later.as_flattened_mut();
            let rows = &self.kept[kept..];
            for j in 0..own.len() {
                let at = j * TILE;
                let mut y = [0.0; TILE];
                flush(&mut own[j]);
                add_times(&mut y, &rows[j * columns + at..][..TILE], &own[j]);
                flush(&mut y);
                own[j] = y;
                for (i, b) in own.iter_mut().enumerate().skip(j + 1) {
                    let mut sum = [0.0; TILE];
                    add_times(&mut sum, &rows[i * columns + at..][..TILE], &y);
                    b.iter_mut().zip(&sum).for_each(|(b, s)| *b -= s);
                }
            }
            let rows = &rows[own.len() * columns..];
            for (r, slots) in self.list[list..list + particles].chunks(TILE / 3).enumerate() {
                let mut sum = [0.0; TILE];
                for (row, y) in rows[r * columns..(r + 1) * columns].as_chunks::<TILE>().0.iter().zip(own.iter()) {
                    add_times(&mut sum, row, y);
                }
                for (&slot, sum) in slots.iter().zip(sum.as_chunks::<3>().0) {
                    let to = &mut later[slot as usize - start..][..3];
                    to.iter_mut().zip(sum).for_each(|(b, s)| *b -= s);
                }
            }
        }
    }
}

/// Solves Lᵀ x = y.
pub(super) struct Backward<'a> {
    pub fronts: &'a [Place],
    pub kept: &'a [Column],
    pub list: &'a [u32],
    pub x: &'a mut [Column],
    /// Rows below a front.
    pub known: &'a mut [Column],
}

/// Partial sums of the products with each column of a tile.
type Sums = [[f32; 8]; TILE];

impl Kernel for Backward<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for front in self.fronts.iter().rev() {
            let Place { columns, kept, first, list, particles, below } = *front;
            let (own, later) = self.x[first..].split_at_mut(columns / TILE);
            let start = (first + own.len()) * TILE;
            let known = &mut self.known[..below / TILE];
            let flat = known.as_flattened_mut();
            for (to, &slot) in flat.as_chunks_mut::<3>().0.iter_mut().zip(&self.list[list..list + particles]) {
                to.copy_from_slice(&later.as_flattened()[slot as usize - start..][..3]);
            }
            flat[3 * particles..].fill(0.0);
            let rows = &self.kept[kept..];
            for j in (0..own.len()).rev() {
                let at = j * TILE;
                let (this, after) = own[j..].split_first_mut().expect("j is one of them");
                let mut sums: Sums = [[0.0; 8]; TILE];
                for (i, x) in (j + 1..).zip(after.iter().chain(known.iter())) {
                    add_dots(&mut sums, &rows[i * columns + at..][..TILE], x);
                }
                this.iter_mut().zip(&sums).for_each(|(y, sum)| *y -= total(sum));
                flush(this);
                let mut sums: Sums = [[0.0; 8]; TILE];
                add_dots(&mut sums, &rows[j * columns + at..][..TILE], this);
                this.iter_mut().zip(&sums).for_each(|(x, sum)| *x = total(sum));
                flush(this);
            }
        }
    }
}

/// sum += A y.
#[inline(always)]
fn add_times(sum: &mut Column, a: &[Column], y: &Column) {
    for (a, y) in a.iter().zip(y) {
        sum.iter_mut().zip(a).for_each(|(s, a)| *s += a * y);
    }
}

/// sums += Aᵀ x.
#[inline(always)]
fn add_dots(sums: &mut Sums, a: &[Column], x: &Column) {
    let [x0, x1, x2] = x.as_chunks::<8>().0 else { unreachable!("a tile is three vectors") };
    for (sum, a) in sums.iter_mut().zip(a) {
        let [a0, a1, a2] = a.as_chunks::<8>().0 else { unreachable!("a tile is three vectors") };
        for k in 0..8 {
            sum[k] += a0[k] * x0[k] + a1[k] * x1[k] + a2[k] * x2[k];
        }
    }
}

#[inline(always)]
fn total(sum: &[f32; 8]) -> f32 {
    ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]))
}
