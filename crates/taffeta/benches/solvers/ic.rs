//! Incomplete Cholesky factor without fill, on 3×3 blocks: J. Meijerink and H. van der Vorst, Math. Comp. 31, 1977.
//!
//! A ≈ L D⁻¹ Lᵀ on the pattern of A, with L = D + its lower half. Where a pivot is not positive the whole begins again
//! with more on the diagonal (T. Manteuffel, Math. Comp. 34, 1980).

use crate::pcg::Inverse;
use crate::system::System;
use taffeta::Vec3;
use taffeta::glam::DMat3;

/// What L is kept as.
pub trait Kept: Copy {
    fn keep(a: DMat3) -> Self;
    /// L x.
    fn times(self, x: Vec3) -> Vec3;
    /// Lᵀ x.
    fn turned(self, x: Vec3) -> Vec3;
}

impl Kept for DMat3 {
    fn keep(a: DMat3) -> Self {
        a
    }
    fn times(self, x: Vec3) -> Vec3 {
        self * x
    }
    fn turned(self, x: Vec3) -> Vec3 {
        Vec3::new(self.x_axis.dot(x), self.y_axis.dot(x), self.z_axis.dot(x))
    }
}

impl Kept for [f32; 9] {
    fn keep(a: DMat3) -> Self {
        a.to_cols_array().map(|a| a as f32)
    }
    fn times(self, x: Vec3) -> Vec3 {
        DMat3::from_cols_array(&self.map(f64::from)) * x
    }
    fn turned(self, x: Vec3) -> Vec3 {
        DMat3::from_cols_array(&self.map(f64::from)).turned(x)
    }
}

pub struct Incomplete<K> {
    /// The lower half: where rows start, columns, values L D⁻¹.
    start: Vec<usize>,
    column: Vec<u32>,
    lower: Vec<K>,
    /// D⁻¹.
    inverse: Vec<K>,
}

impl<K: Kept> Incomplete<K> {
    pub fn new(system: &System) -> Self {
        let mut shift = 0.0;
        loop {
            match Self::shifted(system, shift) {
                Some(factor) => return factor,
                None => shift = if shift == 0.0 { 1e-3 } else { 2.0 * shift },
            }
        }
    }

    fn shifted(system: &System, shift: f64) -> Option<Self> {
        let n = system.b.len();
        let free = system.free();
        let (mut start, mut column, mut lower) = (vec![0], Vec::<u32>::new(), Vec::<DMat3>::new());
        let mut inverse: Vec<DMat3> = Vec::with_capacity(n);
        for i in 0..n {
            let first = start[i];
            for place in system.row(i) {
                let j = system.column[place] as usize;
                let mut a = system.filtered(&free, i, place);
                if j > i {
                    break;
                }
                if j == i {
                    a += DMat3::from_diagonal(a.diagonal() * shift);
                    for k in first..lower.len() {
                        a -= lower[k] * inverse[column[k] as usize] * lower[k].transpose();
                    }
                    let [m1, m2] = [a.x_axis.x, a.x_axis.x * a.y_axis.y - a.x_axis.y * a.y_axis.x];
                    if m1 <= 0.0 || m2 <= 0.0 || a.determinant() <= 0.0 {
                        return None;
                    }
                    inverse.push(a.inverse());
                    break;
                }
                // columns that rows i and j share
                let (mut p, mut q) = (first, start[j]);
                while p < lower.len() && q < start[j + 1] {
                    match column[p].cmp(&column[q]) {
                        std::cmp::Ordering::Less => p += 1,
                        std::cmp::Ordering::Greater => q += 1,
                        std::cmp::Ordering::Equal => {
                            a -= lower[p] * inverse[column[p] as usize] * lower[q].transpose();
                            (p, q) = (p + 1, q + 1);
                        }
                    }
                }
                column.push(j as u32);
                lower.push(a);
            }
            start.push(lower.len());
        }
        let lower = lower.iter().zip(&column).map(|(l, &j)| K::keep(*l * inverse[j as usize])).collect();
        Some(Self { start, column, lower, inverse: inverse.into_iter().map(K::keep).collect() })
    }
}

impl<K: Kept> Inverse for Incomplete<K> {
    fn apply(&mut self, _: &System, r: &[Vec3], z: &mut [Vec3]) {
        let row = |i: usize| self.start[i]..self.start[i + 1];
        for i in 0..r.len() {
            let mut y = r[i];
            for (l, &j) in self.lower[row(i)].iter().zip(&self.column[row(i)]) {
                y -= l.times(z[j as usize]);
            }
            z[i] = y;
        }
        z.iter_mut().zip(&self.inverse).for_each(|(z, inverse)| *z = inverse.times(*z));
        for i in (0..r.len()).rev() {
            let x = z[i];
            for (l, &j) in self.lower[row(i)].iter().zip(&self.column[row(i)]) {
                z[j as usize] -= l.turned(x);
            }
        }
    }
}
