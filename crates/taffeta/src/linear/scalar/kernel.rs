//! Kernels of the solution: products of dense matrices with x, y and z at once.
//!
//! A matrix is split into strips of [`STRIP`] rows, each stored column by column. A column of a strip is one vector and
//! is multiplied by x, y and z of a particle in turn. Elsewhere x, y and z are stored together in a vector of four
//! floats, so that gather and scatter by index move a whole vector.

use super::Front;
use crate::wide::Kernel;

/// Number type of the factor and the right-hand sides.
pub(super) type Real = f32;

/// x, y and z of a particle, and one unused number.
pub(super) type Quad = [Real; 4];

/// Rows of a strip: a vector of 256 bits.
pub(super) const STRIP: usize = 8;

/// A column of a strip.
pub(super) type Column = [Real; STRIP];

/// Fronts with their numbers and rows.
#[derive(Clone, Copy)]
pub(super) struct Fronts<'a> {
    pub list: &'a [Front],
    pub below: &'a [u32],
    /// W of each front.
    pub down: &'a [Column],
    /// S beside -Wᵀ, the last front first: both halves of a solution read memory in order.
    pub back: &'a [Column],
}

impl<'a> Fronts<'a> {
    /// Slots of the rows below a front.
    #[inline(always)]
    fn rows(&self, front: &Front) -> &'a [u32] {
        &self.below[front.below..front.below + front.rows]
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
            let w = &fronts.down[front.down..][..front.strips_down() * front.own];
            let (own, later) = b[front.first..].split_at_mut(front.wide());
            for (rows, w) in fronts.rows(front).chunks(STRIP).zip(w.chunks_exact(front.own)) {
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
    /// Buffers for b_own and x_below.
    pub known: &'a mut [Quad],
}

impl Kernel for Backward<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { fronts, b, x, known } = self;
        for front in fronts.list.iter().rev() {
            let known = &mut known[..front.own + front.rows];
            let back = &fronts.back[front.back..][..front.strips() * known.len()];
            let (own, below) = known.split_at_mut(front.own);
            own.copy_from_slice(&b[front.first..][..front.own]);
            below.iter_mut().zip(fronts.rows(front)).for_each(|(known, &row)| *known = x[row as usize]);
            let own = x[front.first..][..front.wide()].chunks_exact_mut(STRIP);
            for (own, back) in own.zip(back.chunks_exact(known.len())) {
                own.copy_from_slice(&times(back, known));
            }
        }
    }
}

/// The product of a strip with a vector: x, y and z of its rows. Odd columns have sums of their own, so that no
/// addition waits for the one before. Each sum is a separate variable so that it stays in a register.
#[inline(always)]
fn times(strip: &[Column], x: &[Quad]) -> [Quad; STRIP] {
    let zero = [0.0; STRIP];
    let (mut x0, mut y0, mut z0) = (zero, zero, zero);
    let (mut x1, mut y1, mut z1) = (zero, zero, zero);
    let (pairs, last) = strip.as_chunks::<2>();
    let (sides, end) = x.as_chunks::<2>();
    for ([c0, c1], [p0, p1]) in pairs.iter().zip(sides) {
        add(&mut x0, c0, p0[0]);
        add(&mut y0, c0, p0[1]);
        add(&mut z0, c0, p0[2]);
        add(&mut x1, c1, p1[0]);
        add(&mut y1, c1, p1[1]);
        add(&mut z1, c1, p1[2]);
    }
    if let ([c], [p]) = (last, end) {
        add(&mut x0, c, p[0]);
        add(&mut y0, c, p[1]);
        add(&mut z0, c, p[2]);
    }
    let mut sums = [x0, y0, z0];
    add(&mut sums[0], &x1, 1.0);
    add(&mut sums[1], &y1, 1.0);
    add(&mut sums[2], &z1, 1.0);
    // otherwise the compiler would sum x and y of single rows, in the order they are written
    std::hint::black_box(&mut sums);
    std::array::from_fn(|r| [sums[0][r], sums[1][r], sums[2][r], 0.0])
}

#[inline(always)]
fn add(sum: &mut Column, column: &Column, x: Real) {
    for (sum, number) in sum.iter_mut().zip(column) {
        *sum += number * x;
    }
}
