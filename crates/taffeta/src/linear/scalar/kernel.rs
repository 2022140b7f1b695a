//! The arithmetic of a solution: products of dense tiles with x, y and z at once.
//!
//! A tile is [`TILE`] × [`TILE`] numbers of the factor, by columns. x, y and z of a particle are one vector of four floats: a number of the
//! factor is read once and multiplied by all of it, and what is gathered and scattered by index is a whole vector.

use super::Front;
use crate::wide::Kernel;

/// What the factor and the right-hand sides are kept in.
pub(super) type Real = f32;

/// x, y and z of a particle, and nothing.
pub(super) type Quad = [Real; 4];

/// Rows and columns of a tile.
pub(super) const TILE: usize = 4;

/// Fronts with their numbers and rows.
#[derive(Clone, Copy)]
pub(super) struct Fronts<'a> {
    pub list: &'a [Front],
    pub below: &'a [u32],
    pub numbers: &'a [Real],
}

impl<'a> Fronts<'a> {
    /// Slots of the rows below a front, W and S.
    #[inline(always)]
    fn of(&self, front: &Front) -> (&'a [u32], &'a [Real], &'a [Real]) {
        let rows = &self.below[front.below..front.below + front.rows];
        let (w, s) = self.numbers[front.number..][..front.numbers()].split_at(front.rows * front.wide());
        (rows, w, s)
    }
}

/// b_below -= W b_own, front by front.
pub(super) struct Forward<'a> {
    pub fronts: Fronts<'a>,
    pub b: &'a mut [Quad],
}

impl Kernel for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { fronts, b } = self;
        for front in fronts.list {
            let (rows, w, _) = fronts.of(front);
            let (own, later) = b[front.first..].split_at_mut(front.wide());
            for (rows, w) in rows.chunks_exact(TILE).zip(w.chunks_exact(TILE * front.wide())) {
                let sum = times(w, &own[..front.own]);
                for (&row, sum) in rows.iter().zip(sum) {
                    let to = &mut later[row as usize - front.wide() - front.first];
                    (0..4).for_each(|c| to[c] -= sum[c]);
                }
            }
        }
    }
}

/// x_own = S b_own - Wᵀ x_below, last front first.
pub(super) struct Backward<'a> {
    pub fronts: Fronts<'a>,
    pub b: &'a [Quad],
    pub x: &'a mut [Quad],
    /// Scratch for the rows below a front.
    pub known: &'a mut [Quad],
}

impl Kernel for Backward<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { fronts, b, x, known } = self;
        for front in fronts.list.iter().rev() {
            let (rows, w, s) = fronts.of(front);
            let wide = front.wide();
            let known = &mut known[..rows.len()];
            known.iter_mut().zip(rows).for_each(|(known, &row)| *known = x[row as usize]);
            let own = x[front.first..front.first + wide].chunks_exact_mut(TILE);
            for (t, (own, s)) in own.zip(s.chunks_exact(TILE * wide)).enumerate() {
                let mut sum = times(s, &b[front.first..front.first + front.own]);
                for (known, w) in known.chunks_exact(TILE).zip(w.chunks_exact(TILE * wide)) {
                    let w: &[Real] = &w[t * TILE * TILE..(t + 1) * TILE * TILE];
                    for (sum, w) in sum.iter_mut().zip(w.chunks_exact(TILE)) {
                        for (known, w) in known.iter().zip(w) {
                            (0..4).for_each(|c| sum[c] -= w * known[c]);
                        }
                    }
                }
                own.copy_from_slice(&sum);
            }
        }
    }
}

/// The product of tiles that lie side by side with a vector.
#[inline(always)]
fn times(tiles: &[Real], x: &[Quad]) -> [Quad; TILE] {
    let mut sum = [[0.0; 4]; TILE];
    for (column, x) in tiles.chunks_exact(TILE).zip(x) {
        for (sum, number) in sum.iter_mut().zip(column) {
            (0..4).for_each(|c| sum[c] += number * x[c]);
        }
    }
    sum
}
