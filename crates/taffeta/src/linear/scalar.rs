//! A factor L Lᵀ of a scalar matrix that is the same for x, y and z: one number where [`super::cholesky`] has nine.
//!
//! Multifrontal as there, on one thread: it is made seldom. What counts is the solution. Particles lie in the order of
//! elimination, so that a front's own ones are neighbours; each number of L is read once for the three coordinates, which
//! lie in three arrays, and four columns are taken at a time, so that loops run along contiguous rows.
//!
//! L is kept in single precision. L Lᵀ is positive definite whatever its rounding, and a direction of descent is all that
//! is asked of it; half the memory is read in half the time.

use super::Pattern;
use super::cholesky::{NotDefinite, Symbolic, factor_columns};
use crate::Vec3;

/// What L and the right-hand sides are kept in.
type Real = f32;

/// Columns that are taken at a time.
const WIDE: usize = 4;

/// The order of elimination, and the factor.
pub(crate) struct Scalar {
    symbolic: Symbolic,
    /// Particles in the order of elimination.
    order: Vec<u32>,
    fronts: Vec<Front>,
    /// Indices in the order of elimination of the rows below each front's own.
    below: Vec<u32>,
    /// L, front by front, by columns of all rows; reciprocals on the diagonal.
    columns: Vec<Real>,
    /// The same by rows of the front's own columns, so that both halves of a solution run along what is contiguous.
    turned: Vec<Real>,
    /// A front in work.
    dense: Vec<f64>,
    /// What fronts leave to their parents, as a stack.
    stack: Vec<f64>,
    /// x, y and z of all particles in the order of elimination.
    sides: [Vec<Real>; 3],
    /// Those of a front.
    part: [Vec<Real>; 3],
}

#[derive(Clone, Copy)]
struct Front {
    rows: usize,
    own: usize,
    /// Where its own particles start in the order of elimination.
    first: usize,
    /// Where its list of rows below starts.
    below: usize,
    /// Where its columns start.
    column: usize,
}

impl Scalar {
    /// Finds an order of elimination, with all the memory that factors need; `place` are the particles of the rest shape.
    pub fn new(pattern: &Pattern, place: &[Vec3]) -> Self {
        let symbolic = Symbolic::new(pattern, place);
        let list = &symbolic.fronts;
        let order: Vec<u32> = list.iter().flat_map(|front| &front.particles[..front.own]).copied().collect();
        let mut index = vec![0u32; place.len()];
        order.iter().enumerate().for_each(|(k, &i)| index[i as usize] = k as u32);
        let (mut fronts, mut below, mut column, mut first) = (Vec::with_capacity(list.len()), Vec::new(), 0, 0);
        let (mut widest, mut depth, mut deepest) = (0, 0, 0);
        for front in list {
            let (rows, own) = (front.particles.len(), front.own);
            fronts.push(Front { rows, own, first, below: below.len(), column });
            below.extend(front.particles[own..].iter().map(|&i| index[i as usize]));
            (first, column, widest) = (first + own, column + rows * own, widest.max(rows));
            depth -= front.children.iter().map(|&child| left(&fronts[child])).sum::<usize>();
            depth += (rows - own) * (rows - own);
            deepest = deepest.max(depth);
        }
        Self {
            order,
            fronts,
            below,
            columns: vec![0.0; column],
            turned: vec![0.0; column],
            dense: vec![0.0; widest * widest],
            stack: Vec::with_capacity(deepest),
            sides: std::array::from_fn(|_| vec![0.0; place.len()]),
            part: std::array::from_fn(|_| vec![0.0; widest]),
            symbolic,
        }
    }

    /// Bytes of all its lists, about.
    pub fn bytes(&self) -> usize {
        let lists = size_of_val(&self.order[..]) + size_of_val(&self.below[..]) + size_of_val(&self.fronts[..]);
        let numbers = size_of_val(&self.dense[..]) + self.stack.capacity() * size_of::<f64>();
        let sides = 3 * size_of::<Real>() * (self.order.len() + self.part[0].len());
        self.symbolic.bytes() + lists + numbers + sides + 2 * size_of_val(&self.columns[..])
    }

    /// Factors the matrix whose entry (i, j) at a place of the pattern is `value(place, i, j)`; rows and columns of `held` particles are
    /// those of the identity. Allocates nothing.
    pub fn factor(
        &mut self,
        value: impl Fn(usize, usize, usize) -> f64,
        held: impl Fn(usize) -> bool,
    ) -> Result<(), NotDefinite> {
        self.stack.clear();
        for (front, &Front { rows, own, column, .. }) in self.symbolic.fronts.iter().zip(&self.fronts) {
            let dense = &mut self.dense[..rows * rows];
            dense.fill(0.0);
            for &[place, row, column] in &front.entries {
                let [i, j] = [row, column].map(|k| front.particles[k as usize] as usize);
                let entry =
                    if !held(i) && !held(j) { value(place as usize, i, j) } else { f64::from(u8::from(i == j)) };
                dense[column as usize * rows + row as usize] += entry;
            }
            // children lie on the stack in their order
            let total = front.children.iter().map(|&child| left(&self.fronts[child])).sum::<usize>();
            let mut from = self.stack.len() - total;
            let bottom = from;
            for (places, &child) in front.places.iter().zip(&front.children) {
                let n = places.len();
                for (p, &to) in places.iter().enumerate() {
                    let update = &self.stack[from + p * n..from + (p + 1) * n];
                    let target = &mut dense[to as usize * rows..(to as usize + 1) * rows];
                    places.iter().zip(update).skip(p).for_each(|(&row, u)| target[row as usize] += u);
                }
                from += left(&self.fronts[child]);
            }
            self.stack.truncate(bottom);
            factor_columns(dense, rows, own)?;
            let kept = &mut self.columns[column..column + rows * own];
            kept.iter_mut().zip(&*dense).for_each(|(kept, l)| *kept = *l as Real);
            (0..own).for_each(|j| kept[j * rows + j] = dense[j * rows + j].recip() as Real);
            let turned = &mut self.turned[column..column + rows * own];
            (0..rows).for_each(|i| (0..own).for_each(|j| turned[i * own + j] = kept[j * rows + i]));
            (own..rows).for_each(|j| self.stack.extend_from_slice(&dense[j * rows + own..(j + 1) * rows]));
        }
        Ok(())
    }

    /// Writes the solution with the right-hand side `b` to `x`.
    pub fn solve(&mut self, b: &[Vec3], x: &mut [Vec3]) {
        self.solve_sides(b);
        for (k, &i) in self.order.iter().enumerate() {
            x[i as usize] = Vec3::from(self.sides.each_ref().map(|side| f64::from(side[k])));
        }
    }

    /// As [`Scalar::solve`], but writes one coordinate only.
    pub fn solve_axis(&mut self, axis: usize, b: &[Vec3], x: &mut [Vec3]) {
        self.solve_sides(b);
        self.order.iter().zip(&self.sides[axis]).for_each(|(&i, side)| x[i as usize][axis] = (*side).into());
    }

    fn solve_sides(&mut self, b: &[Vec3]) {
        let Self { order, fronts, below, columns, turned, sides, part, .. } = self;
        for (k, &i) in order.iter().enumerate() {
            let b = b[i as usize];
            sides.iter_mut().zip(b.to_array()).for_each(|(side, b)| side[k] = b as Real);
        }
        // L y = b
        for front in fronts.iter() {
            let &Front { rows, own, first, below: start, column } = front;
            for (part, side) in part.iter_mut().zip(&*sides) {
                part[..own].copy_from_slice(&side[first..first + own]);
                part[own..rows].fill(0.0);
            }
            forward(&columns[column..column + rows * own], rows, own, part);
            for (part, side) in part.iter().zip(&mut *sides) {
                side[first..first + own].copy_from_slice(&part[..own]);
                let list = &below[start..start + rows - own];
                list.iter().zip(&part[own..rows]).for_each(|(&k, p)| side[k as usize] += p);
            }
        }
        // Lᵀ x = y
        for front in fronts.iter().rev() {
            let &Front { rows, own, first, below: start, column } = front;
            for (part, side) in part.iter_mut().zip(&*sides) {
                part[..own].copy_from_slice(&side[first..first + own]);
                let list = &below[start..start + rows - own];
                part[own..rows].iter_mut().zip(list).for_each(|(p, &k)| *p = side[k as usize]);
            }
            backward(&turned[column..column + rows * own], rows, own, part);
            for (part, side) in part.iter().zip(&mut *sides) {
                side[first..first + own].copy_from_slice(&part[..own]);
            }
        }
    }
}

/// Numbers that a front leaves to its parent.
fn left(front: &Front) -> usize {
    (front.rows - front.own) * (front.rows - front.own)
}

/// Solves with the columns of a front; adds what they leave to the rows below.
fn forward(l: &[Real], rows: usize, own: usize, part: &mut [Vec<Real>; 3]) {
    let mut j = 0;
    while j < own {
        let wide = WIDE.min(own - j);
        // the triangle, then all rows below it
        let mut value = [[0.0; 3]; WIDE];
        for (q, value) in value.iter_mut().enumerate().take(wide) {
            let at = j + q;
            let column = &l[at * rows..(at + 1) * rows];
            for (p, value) in part.iter_mut().zip(value) {
                let v = p[at] * column[at];
                p[at] = v;
                *value = v;
                (at + 1..j + wide).for_each(|i| p[i] -= column[i] * v);
            }
        }
        let from = j + wide;
        // missing columns count with a value of zero
        let column = |q: usize| &l[(j + q.min(wide - 1)) * rows + from..][..rows - from];
        subtract(std::array::from_fn(column), &value, part, from);
        j = from;
    }
}

/// Solves with the transposed columns of a front, given by rows; what is below its own particles is known.
fn backward(l: &[Real], rows: usize, own: usize, part: &mut [Vec<Real>; 3]) {
    let mut end = rows;
    while end > 0 {
        // four of those below, then four of its own
        let wide = WIDE.min(if end > own { end - own } else { end });
        let start = end - wide;
        let mut value = [[0.0; 3]; WIDE];
        for q in (0..wide).rev() {
            let at = start + q;
            let row = &l[at * own..(at + 1) * own];
            for (k, p) in part.iter_mut().enumerate() {
                if at < own {
                    p[at] *= row[at];
                    let v = p[at];
                    (start..at).for_each(|i| p[i] -= row[i] * v);
                }
                value[q][k] = p[at];
            }
        }
        let row = |q: usize| &l[(start + q.min(wide - 1)) * own..][..start.min(own)];
        subtract(std::array::from_fn(row), &value, part, 0);
        end = start;
    }
}

/// Subtracts four lines of L times what is known, for x, y and z, from the numbers that start at `from`.
#[inline]
fn subtract(l: [&[Real]; WIDE], value: &[[Real; 3]; WIDE], [x, y, z]: &mut [Vec<Real>; 3], from: usize) {
    let n = l[0].len();
    let [l0, l1, l2, l3] = l.map(|l| &l[..n]);
    let [v0, v1, v2, v3] = *value;
    let (x, y, z) = (&mut x[from..from + n], &mut y[from..from + n], &mut z[from..from + n]);
    for i in 0..n {
        let [a, b, c, d] = [l0[i], l1[i], l2[i], l3[i]];
        x[i] -= (a * v0[0] + b * v1[0]) + (c * v2[0] + d * v3[0]);
        y[i] -= (a * v0[1] + b * v1[1]) + (c * v2[1] + d * v3[1]);
        z[i] -= (a * v0[2] + b * v1[2]) + (c * v2[2] + d * v3[2]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linear::Matrix;
    use glam::DMat3;

    /// Against the factor in double precision of the same matrix as 3×3 blocks.
    #[test]
    fn it_solves_what_the_factor_of_blocks_solves() {
        for side in [1u32, 2, 5, 13, 30] {
            let number = |i: u32, j: u32| j * side + i;
            let mut groups: Vec<[u32; 3]> = Vec::new();
            for j in 1..side {
                for i in 1..side {
                    groups.push([number(i - 1, j - 1), number(i, j - 1), number(i, j)]);
                    groups.push([number(i - 1, j - 1), number(i - 1, j), number(i, j)]);
                }
            }
            let n = (side * side) as usize;
            let place: Vec<Vec3> =
                (0..n as u32).map(|k| Vec3::new((k % side).into(), (k / side).into(), 0.0)).collect();
            let pattern = Pattern::new(n, groups.iter().map(|g| &g[..]));
            // a Laplacian with uneven weights and some mass: condition number below 1000
            let weight = |i: usize, j: usize| 1.0 + ((i * j) % 7) as f64 + ((i + j) % 3) as f64;
            let value = |i: usize, j: usize| {
                let row = pattern.column[pattern.row(i)].iter().map(|&k| k as usize).filter(|&k| k != i);
                if i == j { 0.5 + row.map(|k| weight(i, k)).sum::<f64>() } else { -weight(i, j) }
            };
            let held = |i: usize| i % 11 == 3;
            let mut scalar = Scalar::new(&pattern, &place);
            scalar.factor(|_, i, j| value(i, j), held).unwrap();
            let mut matrix = Matrix::new(&pattern);
            for i in 0..n {
                for k in pattern.row(i) {
                    let j = pattern.column[k] as usize;
                    let entry = if held(i) || held(j) { f64::from(u8::from(i == j)) } else { value(i, j) };
                    matrix.blocks[k] = DMat3::from_diagonal(Vec3::splat(entry));
                }
            }
            let b: Vec<Vec3> = (0..n).map(|i| Vec3::new(1.0, (i % 5) as f64, -((i % 3) as f64))).collect();
            let symbolic = Symbolic::new(&pattern, &place);
            let mut factor = symbolic.room();
            symbolic.factor(&pattern, &matrix, &[], &mut factor).unwrap();
            let mut want = b.clone();
            symbolic.solve(&factor, &mut want);
            let mut got = vec![Vec3::ZERO; n];
            scalar.solve(&b, &mut got);
            let size = want.iter().map(|w| w.length()).fold(0.0, f64::max);
            let off = got.iter().zip(&want).map(|(g, w)| g.distance(*w)).fold(0.0, f64::max);
            // single precision, 6e-8, times the condition number
            assert!(off < 6e-5 * size, "{side}: {off:e} of {size:e}");
            let mut axis = got.clone();
            axis.iter_mut().for_each(|x| x.y = 0.0);
            scalar.solve_axis(1, &b, &mut axis);
            assert_eq!(axis, got);
        }
    }
}
