//! Multigrid by aggregation: translations of aggregates as coarse unknowns, plain, with a K-cycle (Y. Notay, An
//! aggregation-based algebraic multigrid method, ETNA 37, 2010), or smoothed, with a V-cycle (P. Vaněk, J. Mandel and
//! M. Brezina, Computing 56, 1996). Symmetric Gauss-Seidel by blocks smooths.

use crate::pcg::{Inverse, dot};
use crate::system::System;
use taffeta::Vec3;
use taffeta::glam::DMat3;

/// Rows of blocks.
#[derive(Default)]
struct Sparse {
    start: Vec<usize>,
    column: Vec<u32>,
    blocks: Vec<DMat3>,
}

impl Sparse {
    fn rows(&self) -> usize {
        self.start.len() - 1
    }

    fn row(&self, i: usize) -> impl Iterator<Item = (usize, DMat3)> {
        let range = self.start[i]..self.start[i + 1];
        self.column[range.clone()].iter().zip(&self.blocks[range]).map(|(&j, a)| (j as usize, *a))
    }

    fn times(&self, x: &[Vec3], out: &mut [Vec3]) {
        out.iter_mut().enumerate().for_each(|(i, out)| *out = self.row(i).map(|(j, a)| a * x[j]).sum());
    }

    /// Rows from entries that may come more than once.
    fn collect(rows: usize, mut row: impl FnMut(usize, &mut dyn FnMut(usize, DMat3))) -> Self {
        let mut out = Self { start: vec![0], ..Self::default() };
        let mut place = vec![usize::MAX; 0];
        for i in 0..rows {
            let first = out.blocks.len();
            row(i, &mut |j, a| {
                if place.len() <= j {
                    place.resize(j + 1, usize::MAX);
                }
                if place[j] == usize::MAX || place[j] < first {
                    place[j] = out.blocks.len();
                    out.column.push(j as u32);
                    out.blocks.push(a);
                } else {
                    out.blocks[place[j]] += a;
                }
            });
            out.column[first..].iter().for_each(|&j| place[j as usize] = usize::MAX);
            out.start.push(out.blocks.len());
        }
        out
    }

    fn turned(&self, rows: usize) -> Self {
        let mut lists: Vec<Vec<(usize, DMat3)>> = vec![Vec::new(); rows];
        for i in 0..self.rows() {
            self.row(i).for_each(|(j, a)| lists[j].push((i, a.transpose())));
        }
        Self::collect(rows, |i, put| lists[i].iter().for_each(|&(j, a)| put(j, a)))
    }

    /// A B.
    fn product(&self, other: &Self) -> Self {
        Self::collect(self.rows(), |i, put| {
            self.row(i).for_each(|(k, a)| other.row(k).for_each(|(j, b)| put(j, a * b)));
        })
    }
}

/// How an aggregate's values are carried to its particles.
#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    Plain,
    Smoothed,
}

struct Level {
    a: Sparse,
    inverse: Vec<DMat3>,
    /// To this level from the one below it, and back.
    down: Sparse,
    up: Sparse,
}

pub struct Multigrid {
    kind: Kind,
    levels: Vec<Level>,
}

/// Unknown blocks of the coarsest level, which Gauss-Seidel solves.
const COARSEST: usize = 60;

/// Neighbours whose block is weaker than this share of the diagonal's are not gathered: E-08 of Vaněk and others.
const STRONG: f64 = 0.02;

impl Multigrid {
    /// With aggregates of an earlier setup, if there are any.
    pub fn new(system: &System, kind: Kind, aggregates: &mut Vec<Vec<u32>>) -> Self {
        let free = system.free();
        let n = system.b.len();
        let mut a = Sparse::collect(n, |i, put| {
            system.row(i).for_each(|k| put(system.column[k] as usize, system.filtered(&free, i, k)));
        });
        let mut levels = Vec::new();
        loop {
            let inverse: Vec<DMat3> = (0..a.rows()).map(|i| diagonal(&a, i).inverse()).collect();
            if a.rows() <= COARSEST || levels.len() == 12 {
                levels.push(Level { a, inverse, down: Sparse::default(), up: Sparse::default() });
                return Self { kind, levels };
            }
            if aggregates.len() == levels.len() {
                aggregates.push(gather(&a));
            }
            let of = &aggregates[levels.len()];
            let count = of.iter().max().map_or(0, |&most| most as usize + 1);
            // held directions belong to no aggregate
            let plain = Sparse::collect(a.rows(), |i, put| {
                put(of[i] as usize, if levels.is_empty() { free[i] } else { DMat3::IDENTITY });
            });
            let down = if kind == Kind::Smoothed { smoothed(&a, &inverse, &plain) } else { plain };
            let up = down.turned(count);
            let mut coarse = up.product(&a.product(&down));
            // aggregates of held particles alone
            for i in 0..coarse.rows() {
                let range = coarse.start[i]..coarse.start[i + 1];
                let own = range.clone().find(|&k| coarse.column[k] as usize == i);
                let own = own.expect("it has a diagonal");
                for c in 0..3 {
                    if coarse.blocks[own].col(c)[c] <= 0.0 {
                        coarse.blocks[own].col_mut(c)[c] = 1.0;
                    }
                }
            }
            levels.push(Level { a, inverse, down, up });
            a = coarse;
        }
    }

    fn cycle(&self, at: usize, b: &[Vec3]) -> Vec<Vec3> {
        let Level { a, inverse, down, up } = &self.levels[at];
        let n = a.rows();
        let mut x = vec![Vec3::ZERO; n];
        if at + 1 == self.levels.len() {
            for _ in 0..20 {
                sweep(a, inverse, b, &mut x, &mut (0..n));
                sweep(a, inverse, b, &mut x, &mut (0..n).rev());
            }
            return x;
        }
        sweep(a, inverse, b, &mut x, &mut (0..n));
        let mut left = vec![Vec3::ZERO; n];
        a.times(&x, &mut left);
        left.iter_mut().zip(b).for_each(|(left, b)| *left = *b - *left);
        let mut coarse = vec![Vec3::ZERO; up.rows()];
        up.times(&left, &mut coarse);
        let coarse = if self.kind == Kind::Plain { self.twice(at + 1, &coarse) } else { self.cycle(at + 1, &coarse) };
        down.times(&coarse, &mut left);
        x.iter_mut().zip(&left).for_each(|(x, left)| *x += *left);
        sweep(a, inverse, b, &mut x, &mut (0..n).rev());
        x
    }

    /// Two iterations of the conjugate gradient with the cycle, Notay's K-cycle; one where that is good.
    fn twice(&self, at: usize, b: &[Vec3]) -> Vec<Vec3> {
        let a = &self.levels[at].a;
        let c = self.cycle(at, b);
        let mut q = vec![Vec3::ZERO; b.len()];
        a.times(&c, &mut q);
        let (rho, alpha) = (dot(&c, &q), dot(&c, b));
        if rho <= 0.0 || at + 1 == self.levels.len() {
            return c;
        }
        let r: Vec<Vec3> = b.iter().zip(&q).map(|(b, q)| *b - *q * (alpha / rho)).collect();
        if dot(&r, &r) <= 0.0625 * dot(b, b) {
            return c.iter().map(|c| *c * (alpha / rho)).collect();
        }
        let d = self.cycle(at, &r);
        let mut w = vec![Vec3::ZERO; b.len()];
        a.times(&d, &mut w);
        let (gamma, beta, second) = (dot(&d, &q), dot(&d, &w), dot(&d, &r));
        let rest = beta - gamma * gamma / rho;
        if rest <= 0.0 {
            return c.iter().map(|c| *c * (alpha / rho)).collect();
        }
        let (of_c, of_d) = (alpha / rho - gamma * second / (rho * rest), second / rest);
        c.iter().zip(&d).map(|(c, d)| *c * of_c + *d * of_d).collect()
    }
}

impl Inverse for Multigrid {
    fn apply(&mut self, _: &System, r: &[Vec3], z: &mut [Vec3]) {
        z.copy_from_slice(&self.cycle(0, r));
    }
}

fn diagonal(a: &Sparse, i: usize) -> DMat3 {
    a.row(i).find(|entry| entry.0 == i).expect("it has a diagonal").1
}

/// A sweep of Gauss-Seidel.
fn sweep(a: &Sparse, inverse: &[DMat3], b: &[Vec3], x: &mut [Vec3], rows: &mut dyn Iterator<Item = usize>) {
    for i in rows {
        let left = a.row(i).fold(b[i], |left, (j, a)| left - a * x[j]);
        x[i] += inverse[i] * left;
    }
}

/// Aggregates of neighbours: each particle that has no gathered neighbour gathers its own, the others join.
fn gather(a: &Sparse) -> Vec<u32> {
    let size = |a: &DMat3| a.to_cols_array().iter().map(|x| x * x).sum::<f64>();
    let diagonals: Vec<f64> = (0..a.rows()).map(|i| size(&diagonal(a, i)).sqrt()).collect();
    let strong =
        |i: usize, j: usize, block: &DMat3| i != j && size(block) > STRONG * STRONG * diagonals[i] * diagonals[j];
    let mut of = vec![u32::MAX; a.rows()];
    let mut count = 0;
    for i in 0..a.rows() {
        let mut near = a.row(i).filter(|(j, block)| strong(i, *j, block)).map(|entry| entry.0);
        if of[i] == u32::MAX && near.all(|j| of[j] == u32::MAX) {
            a.row(i).filter(|(j, block)| *j == i || strong(i, *j, block)).for_each(|(j, _)| of[j] = count);
            count += 1;
        }
    }
    let first = of.clone();
    for (i, of) in of.iter_mut().enumerate() {
        if *of == u32::MAX {
            let near = a.row(i).filter(|(j, block)| first[*j] != u32::MAX && strong(i, *j, block));
            let best = near.max_by(|p, q| size(&p.1).total_cmp(&size(&q.1)));
            *of = best.map_or(count, |(j, _)| first[j]);
            count += u32::from(*of == count);
        }
    }
    of
}

/// (I - ω D⁻¹ A) P with ω = 4/3 of the largest eigenvalue of D⁻¹ A, by a few iterations of the power method.
fn smoothed(a: &Sparse, inverse: &[DMat3], plain: &Sparse) -> Sparse {
    let n = a.rows();
    let mut x: Vec<Vec3> = (0..n).map(|i| Vec3::new(1.0, (i % 3) as f64 - 1.0, (i % 5) as f64 - 2.0)).collect();
    let mut y = x.clone();
    let mut largest = 1.0;
    for _ in 0..10 {
        a.times(&x, &mut y);
        y.iter_mut().zip(inverse).for_each(|(y, inverse)| *y = *inverse * *y);
        largest = (dot(&y, &y) / dot(&x, &x)).sqrt();
        x.iter_mut().zip(&y).for_each(|(x, y)| *x = *y / largest);
    }
    let omega = 4.0 / (3.0 * 1.1 * largest);
    let ap = a.product(plain);
    Sparse::collect(n, |i, put| {
        plain.row(i).for_each(|(j, p)| put(j, p));
        ap.row(i).for_each(|(j, p)| put(j, inverse[i] * p * -omega));
    })
}
