//! Quadratic bending of a whole cloth: its force is a constant matrix times the positions.
//!
//! The matrix sums the elements of [`super::quadratic`]. A row sums one particle's force, so nothing is scattered:
//! ```text
//! f_i = -Σ_j Q_ij (y_j - y_i)        y = x + τ v        Q_ij = Σ k w_i w_j over all elements that have both
//! ```
//! The sum uses differences, because cloth may be far from the origin.

use super::quadratic::Quadratic;
use crate::Vec3;
use crate::wide::Kernel;
use std::ops::Range;

/// Rows of all particles, without the diagonal.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plate {
    /// Start of each row, and end of the last.
    start: Vec<u32>,
    column: Vec<u32>,
    value: Vec<f64>,
}

impl Plate {
    /// Adds the rows of the next particles, from all elements that have one of them.
    pub fn add(&mut self, particles: Range<usize>, elements: &[Quadratic]) {
        let mut entries: Vec<([u32; 2], f64)> = Vec::new();
        for Quadratic { v, weights, k } in elements {
            for a in (0..4).filter(|&a| particles.contains(&(v[a] as usize))) {
                entries.extend((0..4).filter(|&b| b != a).map(|b| ([v[a], v[b]], k * weights[a] * weights[b])));
            }
        }
        // the sort is stable, so entries with the same place are added in the order of storage on every machine
        entries.sort_by_key(|(place, _)| *place);
        entries.dedup_by(|next, sum| {
            let same = next.0 == sum.0;
            sum.1 += if same { next.1 } else { 0.0 };
            same
        });
        if self.start.is_empty() {
            self.start.push(0);
        }
        let mut entries = entries.into_iter().peekable();
        for i in particles {
            while let Some(([_, j], value)) = entries.next_if(|([row, _], _)| *row as usize == i) {
                self.column.push(j);
                self.value.push(value);
            }
            self.start.push(self.column.len() as u32);
        }
    }

    /// Size of its lists, bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.start[..]) + size_of_val(&self.column[..]) + size_of_val(&self.value[..])
    }
}

/// Adds the forces on the particles from `first` on.
pub(crate) struct Bending<'a> {
    pub plate: &'a Plate,
    pub x: &'a [Vec3],
    pub v: &'a [Vec3],
    /// Damping time, s.
    pub tau: f64,
    pub first: usize,
    pub f: &'a mut [Vec3],
}

impl Kernel for Bending<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { plate: Plate { start, column, value }, x, v, tau, first, f } = self;
        for ((i, f), ends) in (first..).zip(f).zip(start[first..].windows(2)) {
            let row = ends[0] as usize..ends[1] as usize;
            let row = || value[row.clone()].iter().zip(&column[row.clone()]);
            let mut sum = Vec3::ZERO;
            if tau == 0.0 {
                row().for_each(|(value, &j)| sum += (x[j as usize] - x[i]) * *value);
            } else {
                row().for_each(|(value, &j)| {
                    let j = j as usize;
                    sum += ((x[j] - x[i]) + (v[j] - v[i]) * tau) * *value;
                });
            }
            *f -= sum;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::check;
    use crate::model::element::force;
    use crate::wide::{self, Level};

    const UV: [[[f64; 2]; 3]; 2] = [[[0.1, 0.2], [1.1, 0.2], [0.5, 1.0]], [[0.1, 0.2], [1.1, 0.2], [0.6, -0.7]]];

    /// Elements that share particles, in two blocks of particles.
    #[test]
    fn its_forces_are_those_of_its_elements() {
        let elements: Vec<Quadratic> =
            (0..6).map(|i| Quadratic::new([i, i + 1, i + 2, 5 - i % 2 + i], &UV, 1e-5)).collect();
        let mut plate = Plate::default();
        for particles in [0..4, 4..12] {
            let touches = |q: &&Quadratic| q.v.iter().any(|&i| particles.contains(&(i as usize)));
            let own: Vec<Quadratic> = elements.iter().filter(touches).copied().collect();
            plate.add(particles.clone(), &own);
        }
        for (seed, tau) in [(0, 0.0), (1, 0.0), (2, 0.3), (3, 0.3)] {
            let (x, v) = (check::points::<12>(seed, 3.0), check::points::<12>(seed + 9, 3.0));
            let mut want = [Vec3::ZERO; 12];
            for element in &elements {
                let at = element.v.map(|i| i as usize);
                let parts = force(element, &at.map(|i| x[i]), &at.map(|i| v[i]), &[tau; 3]);
                at.into_iter().zip(parts).for_each(|(i, part)| want[i] += part);
            }
            let at = |level| {
                let mut f = [Vec3::ZERO; 12];
                for particles in [0..4, 4..12] {
                    let first = particles.start;
                    wide::at(level, Bending { plate: &plate, x: &x, v: &v, tau, first, f: &mut f[particles] });
                }
                f
            };
            let got = at(Level::Any);
            assert!(Level::all().into_iter().all(|level| at(level) == got), "the same bits on any CPU");
            let size = want.iter().map(|f| f.length()).fold(0.0, f64::max);
            // both are sums of a dozen terms, added in a different order
            assert!((0..12).all(|i| got[i].distance(want[i]) <= 1e-13 * size), "{got:?} {want:?}");
        }
    }
}
