//! A factor of a scalar matrix that is the same for x, y and z: one number where [`super::cholesky`] has nine.
//!
//! The factorisation is multifrontal too, but on one thread, because it is rare: the speed of the solution counts. With
//! the columns of a front in two pieces, L_own and L_below, the factor stores
//! ```text
//! W = L_below L_own⁻¹        S = (L_own L_ownᵀ)⁻¹
//! b_below -= W b_own         x_own = S b_own - Wᵀ x_below
//! ```
//! so that no triangular system has to be solved: all operations are products of dense matrices with vectors.
//!
//! W and S are stored in single precision, which halves the memory to read and the time. Both halves use the same W, so
//! the applied operator is symmetric, and positive definite as long as every S is.

mod kernel;
mod part;

use super::Pattern;
use super::cholesky::{NotDefinite, Symbolic, factor_columns};
use crate::Vec3;
use crate::halt::Halt;
use kernel::{Column, Fronts, Quad, Real, STRIP};
use part::{Maker, Part};

/// Largest number of particles at the leaves of the tree: more would be faster per number, but need more numbers.
const LEAF: usize = 32;

/// The order of elimination, and where all numbers of a factor will be: what there is before it has memory.
pub(crate) struct Plan {
    symbolic: Symbolic,
    fronts: Vec<Front>,
    part: Part,
    /// Slots of the rows below each front's own in its part.
    below: Vec<u32>,
    /// Slot of each particle.
    slot: Vec<u32>,
    size: Size,
}

/// Sizes of the lists of a factor.
#[derive(Clone, Copy)]
struct Size {
    down: usize,
    back: usize,
    dense: usize,
    triangle: usize,
    stack: usize,
}

/// A factor.
pub(crate) struct Scalar {
    plan: Plan,
    /// W of all fronts, in strips.
    down: Vec<Column>,
    /// S beside -Wᵀ of all fronts, in strips.
    back: Vec<Column>,
    /// The current front.
    dense: Vec<f64>,
    /// The triangle of the current front.
    triangle: Vec<f64>,
    /// A stack of the remainders that fronts leave to their parents.
    stack: Vec<f64>,
    b: Vec<Quad>,
    x: Vec<Quad>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Front {
    own: usize,
    /// Rows below its own.
    rows: usize,
    /// Slot of its first own particle in its part; slots up to a whole strip belong to the front.
    first: usize,
    /// Where the slots of its rows below start.
    below: usize,
    /// Where the columns of its W start.
    down: usize,
    /// Where those of S and -Wᵀ start.
    back: usize,
}

impl Front {
    /// Number of own rows, rounded up to a whole strip.
    #[inline(always)]
    fn wide(&self) -> usize {
        self.strips() * STRIP
    }

    /// Strips of its own rows.
    #[inline(always)]
    fn strips(&self) -> usize {
        self.own.div_ceil(STRIP)
    }

    /// Strips of the rows below.
    #[inline(always)]
    fn strips_down(&self) -> usize {
        self.rows.div_ceil(STRIP)
    }

    /// Columns of W, and of S beside -Wᵀ.
    fn columns(&self) -> [usize; 2] {
        [self.strips_down() * self.own, self.strips() * (self.own + self.rows)]
    }
}

impl Plan {
    /// Finds an order of elimination; `place` are the particles' positions in the rest shape.
    pub fn new(pattern: &Pattern, place: &[Vec3]) -> Self {
        let symbolic = Symbolic::with_leaves(pattern, place, LEAF);
        let list = &symbolic.fronts;
        let mut fronts: Vec<Front> = Vec::with_capacity(list.len());
        let (mut first, mut columns) = (Vec::with_capacity(list.len()), Vec::with_capacity(list.len()));
        let (mut down, mut back, mut largest, mut most, mut depth, mut deepest) = (0, 0, 0, 0, 0, 0);
        for (k, front) in list.iter().enumerate() {
            let (all, own) = (front.particles.len(), front.own);
            let mut here = Front { own, rows: all - own, down, ..Front::default() };
            let [own_down, own_back] = here.columns();
            down += own_down;
            back += own_back;
            // counted from the end until the total is known
            here.back = back;
            (largest, most) = (largest.max(all), most.max(own));
            depth -= front.children.iter().map(|&child| left(&list[child])).sum::<usize>();
            depth += left(front);
            deepest = deepest.max(depth);
            first.push(front.children.first().map_or(k, |&child| first[child]));
            columns.push(own_down + own_back + front.children.iter().map(|&child| columns[child]).sum::<usize>());
            fronts.push(here);
        }
        fronts.iter_mut().for_each(|front| front.back = back - front.back);
        let mut maker =
            Maker { symbolic: &symbolic, first, columns, fronts, below: Vec::new(), slot: vec![0; place.len()] };
        let part = maker.all();
        let Maker { fronts, below, mut slot, .. } = maker;
        part.each_slot(0, &mut |i, to| slot[i as usize] = to as u32);
        let size = Size { down, back, dense: largest * largest, triangle: most * most, stack: deepest };
        Self { symbolic, fronts, part, below, slot, size }
    }

    /// Approximate bytes of the lists of a factor.
    pub fn bytes(&self) -> usize {
        let Size { down, back, dense, triangle, stack } = self.size;
        let numbers = (down + back) * size_of::<Column>() + (dense + triangle + stack) * size_of::<f64>();
        self.bytes_of_lists() + numbers + 2 * self.part.slots() * size_of::<Quad>()
    }

    fn bytes_of_lists(&self) -> usize {
        let lists = size_of_val(&self.slot[..]) + size_of_val(&self.below[..]) + size_of_val(&self.fronts[..]);
        self.symbolic.bytes() + self.part.bytes() + lists
    }
}

impl Scalar {
    /// Allocates the memory for factors.
    pub fn new(plan: Plan) -> Self {
        let sides = || vec![[0.0; 4]; plan.part.slots()];
        let Size { down, back, dense, triangle, stack } = plan.size;
        Self {
            down: vec![[0.0; STRIP]; down],
            back: vec![[0.0; STRIP]; back],
            dense: vec![0.0; dense],
            triangle: vec![0.0; triangle],
            stack: Vec::with_capacity(stack),
            b: sides(),
            x: sides(),
            plan,
        }
    }

    /// Bytes of allocated memory.
    #[cfg(test)]
    pub fn allocated(&self) -> usize {
        let doubles = self.dense.len() + self.triangle.len() + self.stack.capacity();
        let sides = size_of_val(&self.b[..]) + size_of_val(&self.x[..]);
        let numbers = size_of_val(&self.down[..]) + size_of_val(&self.back[..]) + doubles * size_of::<f64>();
        self.plan.bytes_of_lists() + numbers + sides
    }

    /// Factors the matrix whose entry (i, j) at a place of the pattern is `value(place, i, j)`; rows and columns of
    /// `held` particles are those of the identity. Allocates nothing.
    pub fn factor(
        &mut self,
        value: impl Fn(usize, usize, usize) -> f64,
        held: impl Fn(usize) -> bool,
        halt: &Halt,
    ) -> Result<(), NotDefinite> {
        self.stack.clear();
        let Plan { symbolic: Symbolic { fronts: list, .. }, fronts, .. } = &self.plan;
        for (front, here) in list.iter().zip(fronts) {
            let (rows, own) = (front.particles.len(), front.own);
            let dense = &mut self.dense[..rows * rows];
            dense.fill(0.0);
            for &[place, row, column] in &front.entries {
                let [i, j] = [row, column].map(|k| front.particles[k as usize] as usize);
                let entry =
                    if !held(i) && !held(j) { value(place as usize, i, j) } else { f64::from(u8::from(i == j)) };
                dense[column as usize * rows + row as usize] += entry;
            }
            // children lie on the stack in their order
            let total = front.children.iter().map(|&child| left(&list[child])).sum::<usize>();
            let mut from = self.stack.len() - total;
            let bottom = from;
            for (places, &child) in front.places.iter().zip(&front.children) {
                let n = places.len();
                for (p, &to) in places.iter().enumerate() {
                    let update = &self.stack[from + p * n..from + (p + 1) * n];
                    let target = &mut dense[to as usize * rows..(to as usize + 1) * rows];
                    places.iter().zip(update).skip(p).for_each(|(&row, u)| target[row as usize] += u);
                }
                from += left(&list[child]);
            }
            self.stack.truncate(bottom);
            factor_columns(dense, rows, own, halt)?;
            (own..rows).for_each(|j| self.stack.extend_from_slice(&dense[j * rows + own..(j + 1) * rows]));
            divide_by_triangle(dense, rows, own, &mut self.triangle);
            keep(dense, rows, here, &mut self.down[here.down..], &mut self.back[here.back..]);
        }
        Ok(())
    }

    /// Solves with the right-hand side `b`, in parallel.
    pub fn solve(&mut self, b: &[Vec3]) {
        let Plan { part, fronts, below, .. } = &self.plan;
        let fronts = Fronts { list: fronts, below, down: &self.down, back: &self.back };
        part.forward(fronts, b, &mut self.b);
        part.backward(fronts, &self.b, &mut self.x);
    }

    /// The solution for a particle.
    #[inline]
    pub fn solution(&self, i: usize) -> Vec3 {
        let [x, y, z, _] = self.x[self.plan.slot[i] as usize];
        Vec3::new(x.into(), y.into(), z.into())
    }
}

/// Size of the remainder that a front leaves to its parent, in numbers.
fn left(front: &super::cholesky::Front) -> usize {
    (front.particles.len() - front.own).pow(2)
}

/// Multiplies the columns of L by L_own⁻¹: the triangle becomes its inverse, and the rows below become W.
fn divide_by_triangle(dense: &mut [f64], rows: usize, own: usize, triangle: &mut [f64]) {
    for (column, kept) in dense.chunks_exact_mut(rows).zip(triangle.chunks_exact_mut(own)).take(own) {
        kept.copy_from_slice(&column[..own]);
        column[..own].fill(0.0);
    }
    for j in (0..own).rev() {
        let (before, after) = dense.split_at_mut((j + 1) * rows);
        let column = &mut before[j * rows..];
        let l = &triangle[j * own..(j + 1) * own];
        column[j] = 1.0;
        for (k, other) in (j + 1..own).zip(after.chunks_exact(rows)) {
            column[k..].iter_mut().zip(&other[k..]).for_each(|(c, o)| *c -= l[k] * o);
        }
        let scale = l[j].recip();
        column[j..].iter_mut().for_each(|c| *c *= scale);
    }
}

/// Stores W, and S = L_own⁻ᵀ L_own⁻¹ beside -Wᵀ, in strips.
fn keep(dense: &[f64], rows: usize, front: &Front, down: &mut [Column], back: &mut [Column]) {
    let mut set = |row: usize, column: usize, value: f64| {
        back[row / STRIP * rows + column][row % STRIP] = value as Real;
    };
    for (j, column) in dense.chunks_exact(rows).enumerate().take(front.own) {
        let (triangle, below) = column.split_at(front.own);
        for (i, &l) in below.iter().enumerate() {
            down[i / STRIP * front.own + j][i % STRIP] = l as Real;
            set(j, front.own + i, -l);
        }
        for (i, other) in dense.chunks_exact(rows).enumerate().take(j + 1) {
            let sum: f64 = triangle[j..].iter().zip(&other[j..]).map(|(a, b)| a * b).sum();
            set(i, j, sum);
            set(j, i, sum);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linear::Matrix;
    use crate::wide::{self, Level};
    use glam::DMat3;

    /// Two sheets that do not touch: the pattern and places of their particles.
    fn sheets(side: u32) -> (Pattern, Vec<Vec3>) {
        let mut groups: Vec<[u32; 3]> = Vec::new();
        for sheet in 0..2 {
            let number = |i: u32, j: u32| (sheet * side + j) * side + i;
            for j in 1..side {
                for i in 1..side {
                    groups.push([number(i - 1, j - 1), number(i, j - 1), number(i, j)]);
                    groups.push([number(i - 1, j - 1), number(i - 1, j), number(i, j)]);
                }
            }
        }
        let place = |k: u32| Vec3::new((k % side).into(), (k / side).into(), 0.0);
        (
            Pattern::new((2 * side * side) as usize, groups.iter().map(|g| &g[..])),
            (0..2 * side * side).map(place).collect(),
        )
    }

    /// An entry of a Laplacian with uneven weights and some mass: condition number below 1000.
    fn value(pattern: &Pattern, i: usize, j: usize) -> f64 {
        let weight = |i: usize, j: usize| 1.0 + ((i * j) % 7) as f64 + ((i + j) % 3) as f64;
        let row = pattern.column[pattern.row(i)].iter().map(|&k| k as usize).filter(|&k| k != i);
        if i == j { 0.5 + row.map(|k| weight(i, k)).sum::<f64>() } else { -weight(i, j) }
    }

    fn side_of(n: usize) -> Vec<Vec3> {
        (0..n).map(|i| Vec3::new(1.0, (i % 5) as f64, -((i % 3) as f64))).collect()
    }

    /// Compares with the factor in double precision of the same matrix as 3×3 blocks. The last case is solved in
    /// several parts.
    #[test]
    fn it_solves_what_the_factor_of_blocks_solves() {
        for side in [1u32, 2, 5, 13, 30, 60] {
            let (pattern, place) = sheets(side);
            let n = place.len();
            let held = |i: usize| i % 11 == 3;
            let mut scalar = Scalar::new(Plan::new(&pattern, &place));
            scalar.factor(|_, i, j| value(&pattern, i, j), held, &Halt::default()).unwrap();
            let mut matrix = Matrix::new(&pattern);
            for i in 0..n {
                for k in pattern.row(i) {
                    let j = pattern.column[k] as usize;
                    let entry = if held(i) || held(j) { f64::from(u8::from(i == j)) } else { value(&pattern, i, j) };
                    matrix.blocks[k] = DMat3::from_diagonal(Vec3::splat(entry));
                }
            }
            let b = side_of(n);
            let symbolic = Symbolic::new(&pattern, &place);
            let mut factor = symbolic.room();
            symbolic.factor(&pattern, &matrix, &[], &mut factor, &Halt::default()).unwrap();
            let mut want = b.clone();
            symbolic.solve(&factor, &mut want);
            scalar.solve(&b);
            let size = want.iter().map(|w| w.length()).fold(0.0, f64::max);
            let off = want.iter().enumerate().map(|(i, w)| scalar.solution(i).distance(*w)).fold(0.0, f64::max);
            // single precision, 6e-8, times the condition number
            assert!(off < 6e-5 * size, "{side}: {off:e} of {size:e}");
        }
    }

    #[test]
    fn parts_have_the_same_bits_on_any_number_of_threads() {
        let (pattern, place) = sheets(60);
        let mut scalar = Scalar::new(Plan::new(&pattern, &place));
        scalar.factor(|_, i, j| value(&pattern, i, j), |_| false, &Halt::default()).unwrap();
        let b = side_of(place.len());
        let mut solved = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| scalar.solve(&b));
            (0..b.len()).map(|i| scalar.solution(i)).collect::<Vec<_>>()
        };
        let one = solved(1);
        assert!([2, 3, 8].into_iter().all(|threads| solved(threads) == one));
    }

    /// Compares the kernels for any CPU with those for this one, on a sheet of one part.
    #[test]
    fn wide_vectors_have_the_same_bits() {
        let (pattern, place) = sheets(20);
        let mut scalar = Scalar::new(Plan::new(&pattern, &place));
        scalar.factor(|_, i, j| value(&pattern, i, j), |_| false, &Halt::default()).unwrap();
        let b = side_of(place.len());
        scalar.solve(&b);
        let solved = scalar.x.clone();
        let mut start = vec![[0.0; 4]; solved.len()];
        for (i, b) in b.iter().enumerate() {
            start[scalar.plan.slot[i] as usize] = [b.x as Real, b.y as Real, b.z as Real, 0.0];
        }
        let fronts =
            Fronts { list: &scalar.plan.fronts, below: &scalar.plan.below, down: &scalar.down, back: &scalar.back };
        for level in Level::all() {
            let mut b = start.clone();
            wide::at(level, kernel::Forward { fronts, b: &mut b });
            let (mut x, mut known) = (vec![[0.0; 4]; b.len()], vec![[0.0; 4]; b.len()]);
            wide::at(level, kernel::Backward { fronts, b: &b, x: &mut x, known: &mut known });
            for slot in scalar.plan.slot.iter().map(|&slot| slot as usize) {
                assert_eq!(x[slot].map(f32::to_bits), solved[slot].map(f32::to_bits), "{level:?}, slot {slot}");
            }
        }
    }
}
