//! The conjugate gradient with symmetric successive over-relaxation within ranges of particles, which can be swept at
//! the same time.
//!
//! P = B W⁻¹ Bᵀ with W = D/ω and B = W + L, where L is the part of A below the diagonal blocks D whose rows and columns
//! are in one range, and A = L + D + Lᵀ + E. S. Eisenstat, Efficient implementation of a class of preconditioned
//! conjugate gradient methods, SIAM J. Sci. Stat. Comput. 2, 1981: the iteration goes on with B⁻¹ A B⁻ᵀ and takes a
//! sweep up and a sweep down, each with half of A.
//! ```text
//! t = B⁻ᵀ p;  g = W t;  y = B⁻¹ (p - (2 - ω) g + E t);  e = W y;  α = δ/(p·(t + y))
//! x += α t;  r -= α (t + y);  z -= α (g + e);  δ' = δ;  δ = r·z;  p = z + δ/δ' p
//! ```
//! r is B⁻¹ of the residual and z = W r, so that δ is the residual in the norm of P⁻¹: what is measured to stop,
//! instead of that in the norm of the block diagonal.

use crate::pcg::{MOST, dot};
use crate::system::System;
use std::ops::Range;
use taffeta::Vec3;
use taffeta::glam::DMat3;

/// ω with the fewest iterations on sheets of 41 × 41 and 101 × 101.
const OMEGA: f64 = 1.4;

pub struct Ssor<'a> {
    system: &'a System<'a>,
    /// W⁻¹.
    inverse: Vec<DMat3>,
    ranges: Vec<Range<usize>>,
    /// Places of each row whose columns are in its range.
    inside: Vec<Range<usize>>,
}

impl<'a> Ssor<'a> {
    /// With so many particles in a range.
    pub fn new(system: &'a System, range: usize) -> Self {
        let n = system.b.len();
        let ranges: Vec<Range<usize>> =
            (0..n).step_by(range.min(n).max(1)).map(|first| first..n.min(first.saturating_add(range))).collect();
        let places = |i: usize, range: &Range<usize>| {
            let row = system.row(i);
            let before = |end: usize| row.start + system.column[row.clone()].partition_point(|&j| (j as usize) < end);
            before(range.start)..before(range.end)
        };
        let inside = ranges.iter().flat_map(|range| range.clone().map(|i| places(i, range))).collect();
        Self { system, inverse: system.inverse.iter().map(|a| *a * OMEGA).collect(), ranges, inside }
    }

    /// sum - A x over some places of a row.
    #[inline(always)]
    fn minus(&self, sum: Vec3, places: impl Iterator<Item = usize>, x: &[Vec3]) -> Vec3 {
        let System { blocks, column, .. } = self.system;
        places.fold(sum, |sum, place| sum - blocks[place] * x[column[place] as usize])
    }

    /// t and g.
    fn up(&self, p: &[Vec3], t: &mut [Vec3], g: &mut [Vec3]) {
        for range in &self.ranges {
            for i in range.clone().rev() {
                g[i] = self.minus(p[i], (self.system.diagonal[i] + 1..self.inside[i].end).rev(), t);
                t[i] = self.inverse[i] * g[i];
            }
        }
    }

    /// y and e where e is what comes in, with E t added where there is a t.
    fn down(&self, t: Option<&[Vec3]>, y: &mut [Vec3], e: &mut [Vec3]) {
        for range in &self.ranges {
            for i in range.clone() {
                let (row, inside) = (self.system.row(i), &self.inside[i]);
                if let Some(t) = t.filter(|_| row != *inside) {
                    let outside = (row.start..inside.start).chain(inside.end..row.end);
                    e[i] -= self.minus(Vec3::ZERO, outside, t);
                }
                e[i] = self.minus(e[i], inside.start..self.system.diagonal[i], y);
                y[i] = self.inverse[i] * e[i];
            }
        }
        self.system.filter(e);
    }

    /// Solves from `x`; `tolerance` counts from `origin`.
    pub fn solve(&self, origin: &[Vec3], x: &mut [Vec3], tolerance: f64) -> u32 {
        let n = x.len();
        let zeros = || vec![Vec3::ZERO; n];
        let (mut r, mut z, mut t, mut g, mut y, mut e) = (zeros(), zeros(), zeros(), zeros(), zeros(), zeros());
        self.system.residual(origin, &mut z);
        self.down(None, &mut r, &mut z);
        let enough = tolerance * tolerance * dot(&r, &z);
        self.system.residual(x, &mut z);
        self.down(None, &mut r, &mut z);
        let mut p = z.clone();
        let mut delta = dot(&r, &z);
        let mut iterations = 0;
        while delta > enough && iterations < MOST {
            self.up(&p, &mut t, &mut g);
            (0..n).for_each(|i| e[i] = p[i] - g[i] * (2.0 - OMEGA));
            self.down(Some(&t), &mut y, &mut e);
            let alpha = delta / (dot(&p, &t) + dot(&p, &y));
            let before = delta;
            delta = 0.0;
            for i in 0..n {
                x[i] += t[i] * alpha;
                r[i] -= (t[i] + y[i]) * alpha;
                z[i] -= (g[i] + e[i]) * alpha;
                delta += r[i].dot(z[i]);
            }
            self.system.filter(&mut z);
            let beta = delta / before;
            p.iter_mut().zip(&z).for_each(|(p, z)| *p = *z + *p * beta);
            iterations += 1;
        }
        iterations
    }
}
