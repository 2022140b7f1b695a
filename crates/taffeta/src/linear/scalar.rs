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

/// Numbers that are summed side by side: as many as the smallest registers have.
const LANES: usize = 16 / size_of::<Real>();

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
        self.symbolic.bytes() + lists + numbers + sides + size_of_val(&self.columns[..])
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
        let Self { order, fronts, below, columns, sides, part, .. } = self;
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
            backward(&columns[column..column + rows * own], rows, own, part);
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
fn forward(l: &[Real], rows: usize, own: usize, [px, py, pz]: &mut [Vec<Real>; 3]) {
    let mut j = 0;
    while j < own {
        let wide = WIDE.min(own - j);
        // the triangle, then all rows below it
        let mut value = [[0.0; 3]; WIDE];
        for q in 0..wide {
            let at = j + q;
            let column = &l[at * rows..(at + 1) * rows];
            value[q] = [px[at], py[at], pz[at]].map(|p| p * column[at]);
            [px[at], py[at], pz[at]] = value[q];
            for i in at + 1..j + wide {
                px[i] -= column[i] * value[q][0];
                py[i] -= column[i] * value[q][1];
                pz[i] -= column[i] * value[q][2];
            }
        }
        let from = j + wide;
        let n = rows - from;
        // missing columns count with a value of zero
        let column = |q: usize| &l[(j + q.min(wide - 1)) * rows + from..][..n];
        let [l0, l1, l2, l3]: [&[Real]; WIDE] = std::array::from_fn(column);
        let [v0, v1, v2, v3] = value;
        let (px, py, pz) = (&mut px[from..rows], &mut py[from..rows], &mut pz[from..rows]);
        for i in 0..n {
            let [a, b, c, d] = [l0[i], l1[i], l2[i], l3[i]];
            px[i] -= (a * v0[0] + b * v1[0]) + (c * v2[0] + d * v3[0]);
            py[i] -= (a * v0[1] + b * v1[1]) + (c * v2[1] + d * v3[1]);
            pz[i] -= (a * v0[2] + b * v1[2]) + (c * v2[2] + d * v3[2]);
        }
        j = from;
    }
}

/// Solves with the transposed columns of a front, the rows below being known.
fn backward(l: &[Real], rows: usize, own: usize, part: &mut [Vec<Real>; 3]) {
    let mut end = own;
    while end > 0 {
        let wide = if end % WIDE == 0 { WIDE } else { end % WIDE };
        let j = end - wide;
        let column = |q: usize| &l[(j + q.min(wide - 1)) * rows + end..][..rows - end];
        let sums = products(std::array::from_fn(column), part.each_ref().map(|p| &p[end..rows]));
        for q in (0..wide).rev() {
            let at = j + q;
            let column = &l[at * rows..(at + 1) * rows];
            for (k, p) in part.iter_mut().enumerate() {
                let inside: Real = (at + 1..end).map(|i| column[i] * p[i]).sum();
                p[at] = (p[at] - sums[q][k] - inside) * column[at];
            }
        }
        end = j;
    }
}

/// The products of four columns and three right-hand sides, summed in lanes.
fn products(l: [&[Real]; WIDE], p: [&[Real]; 3]) -> [[Real; 3]; WIDE] {
    let n = p[0].len();
    let mut lanes = [[[0.0 as Real; LANES]; 3]; WIDE];
    let whole = n - n % LANES;
    let mut i = 0;
    while i < whole {
        let x: [&[Real; LANES]; 3] = p.map(|p| p[i..i + LANES].try_into().expect("a whole lane"));
        for q in 0..WIDE {
            let l: &[Real; LANES] = l[q][i..i + LANES].try_into().expect("a whole lane");
            for k in 0..3 {
                for lane in 0..LANES {
                    lanes[q][k][lane] += l[lane] * x[k][lane];
                }
            }
        }
        i += LANES;
    }
    let mut sums = lanes.map(|sides| sides.map(|lanes| lanes.into_iter().sum::<Real>()));
    for i in whole..n {
        for q in 0..WIDE {
            (0..3).for_each(|k| sums[q][k] += l[q][i] * p[k][i]);
        }
    }
    sums
}
