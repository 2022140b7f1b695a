//! A direct multifrontal factorisation A = L Lᵀ.
//!
//! I. Duff and J. Reid, The multifrontal solution of indefinite sparse symmetric linear equations, ACM TOMS 9, 1983.
//! Each node of the dissection has a dense front: its own particles and those that are eliminated later and touch it.
//! Its own columns are factored, and the remainder is added to the front of its parent. All arithmetic is dense. The
//! two halves of the tree are independent, and every front is summed in a fixed order, which gives the same bits on any
//! number of threads.
//!
//! With held directions the equations are those of S A S + (I - S), which is positive definite if A is.

use super::dissection::{Node, dissect};
use super::{Matrix, Pattern};
use crate::Vec3;
use crate::halt::Halt;
use crate::linear::filter::Held;
use glam::DMat3;
use std::ops::Range;

/// The order of elimination of a pattern: the part that does not change with the values.
#[derive(Debug, Default)]
pub(crate) struct Symbolic {
    pub(super) fronts: Vec<Front>,
    pub(super) roots: Vec<usize>,
    particles: usize,
}

#[derive(Debug)]
pub(super) struct Front {
    /// Own particles, then those of later nodes that the front touches, in the order of elimination.
    pub particles: Vec<u32>,
    pub own: usize,
    pub children: Vec<usize>,
    /// For each child the indices of its remaining particles in this front.
    pub places: Vec<Vec<u32>>,
    /// Blocks of the matrix that belong to this front: their indices in the pattern, rows and columns in the front.
    pub entries: Vec<[u32; 3]>,
    /// Number of fronts in the subtree, including this one.
    subtree: usize,
    /// Numbers of storage that the subtree needs while it is factored.
    needs: usize,
}

/// The columns of L, front by front.
#[derive(Default)]
pub(crate) struct Factor {
    /// Columns of each front: rows for all particles, columns for its own, three numbers each; stored by columns.
    columns: Vec<Vec<f64>>,
    /// A stack of the fronts being factored and of the remainders for their parents.
    stack: Vec<f64>,
    /// The index of each particle in the list of held ones.
    slot: Vec<u32>,
}

#[cfg(test)]
impl Factor {
    /// Bytes of allocated memory.
    pub fn allocated(&self) -> usize {
        let numbers: usize = self.columns.iter().map(Vec::capacity).sum::<usize>() + self.stack.capacity();
        numbers * size_of::<f64>() + self.columns.len() * size_of::<Vec<f64>>() + size_of_val(&self.slot[..])
    }
}

/// A pivot is not positive, so the matrix is not positive definite; or the caller stopped the factorisation. The
/// caller's halt tells which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NotDefinite;

/// Largest number of particles that are eliminated at once at the leaves of the tree.
const LEAF: usize = 24;

/// Subtrees of more fronts than this are worth a thread.
const WORTH_A_THREAD: usize = 16;

impl Front {
    /// Rows of the dense front.
    fn rows(&self) -> usize {
        3 * self.particles.len()
    }

    /// Numbers of its columns in the factor.
    fn numbers(&self) -> usize {
        self.rows() * 3 * self.own
    }

    /// Size of the remainder for its parent, in numbers.
    fn leaves(&self) -> usize {
        (self.rows() - 3 * self.own).pow(2)
    }

    /// Whether its two children are factored at the same time.
    fn forks(&self) -> bool {
        self.children.len() == 2 && self.subtree > WORTH_A_THREAD
    }
}

impl Symbolic {
    /// Finds an order of elimination; `place` are the particles' positions in the rest shape.
    pub fn new(pattern: &Pattern, place: &[Vec3]) -> Self {
        Self::with_leaves(pattern, place, LEAF)
    }

    /// Like `new`, with sets of up to `leaf` particles that are eliminated at once.
    pub fn with_leaves(pattern: &Pattern, place: &[Vec3], leaf: usize) -> Self {
        let nodes = dissect(pattern, place, leaf);
        let mut order = vec![0u32; place.len()];
        for (k, &i) in nodes.iter().flat_map(|node| &node.own).enumerate() {
            order[i as usize] = k as u32;
        }
        let mut fronts: Vec<Front> = Vec::with_capacity(nodes.len());
        let mut has_parent = vec![false; nodes.len()];
        let mut local = vec![u32::MAX; place.len()];
        for Node { own, children } in nodes {
            let last = own.iter().map(|&i| order[i as usize]).max().unwrap_or(0);
            // the remainders of the children, and the neighbours that come later
            let mut rest: Vec<u32> = Vec::new();
            for &child in &children {
                has_parent[child] = true;
                let front = &fronts[child];
                rest.extend(front.particles[front.own..].iter().filter(|&&i| order[i as usize] > last));
            }
            for &i in &own {
                let row = &pattern.column[pattern.row(i as usize)];
                rest.extend(row.iter().filter(|&&j| order[j as usize] > last));
            }
            rest.sort_unstable_by_key(|&i| order[i as usize]);
            rest.dedup();
            let count = own.len();
            let mut particles = own;
            particles.extend(rest);
            particles.iter().enumerate().for_each(|(k, &i)| local[i as usize] = k as u32);
            let places = children.iter().map(|&child| {
                let front = &fronts[child];
                front.particles[front.own..].iter().map(|&i| local[i as usize]).collect()
            });
            let places = places.collect();
            // rows of the pattern are columns by symmetry; earlier ones were added there
            let mut entries = Vec::new();
            for (column, &j) in particles[..count].iter().enumerate() {
                for k in pattern.row(j as usize) {
                    let row = local[pattern.column[k] as usize];
                    if row != u32::MAX && row as usize >= column {
                        entries.push([k as u32, row, column as u32]);
                    }
                }
            }
            particles.iter().for_each(|&i| local[i as usize] = u32::MAX);
            let subtree = 1 + children.iter().map(|&child| fronts[child].subtree).sum::<usize>();
            let mut front = Front { particles, own: count, children, places, entries, subtree, needs: 0 };
            front.needs = needs(&front, &fronts);
            fronts.push(front);
        }
        let roots = (0..fronts.len()).filter(|&k| !has_parent[k]).collect();
        Self { fronts, roots, particles: place.len() }
    }

    /// A factor with all the memory it needs.
    pub fn room(&self) -> Factor {
        let columns = self.fronts.iter().map(|front| Vec::with_capacity(front.numbers())).collect();
        Factor { columns, stack: vec![0.0; self.stack()], slot: vec![u32::MAX; self.particles] }
    }

    /// Bytes of a factor, without making one.
    pub fn bytes_of_room(&self) -> usize {
        let numbers = self.fronts.iter().map(Front::numbers).sum::<usize>() + self.stack();
        let lists = self.fronts.len() * size_of::<Vec<f64>>() + self.particles * size_of::<u32>();
        numbers * size_of::<f64>() + lists
    }

    /// Size of the stack of a factorisation, in numbers.
    fn stack(&self) -> usize {
        self.roots.iter().map(|&root| self.fronts[root].needs).max().unwrap_or(0)
    }

    /// Approximate bytes of its lists.
    pub fn bytes(&self) -> usize {
        let of = |front: &Front| {
            let places: usize = front.places.iter().map(|list| size_of::<Vec<u32>>() + size_of_val(&list[..])).sum();
            size_of::<Front>() + size_of_val(&front.particles[..]) + size_of_val(&front.entries[..]) + places
        };
        self.fronts.iter().map(of).sum()
    }

    /// Numbers in the factor, and operations of a factorisation.
    pub fn size(&self) -> (usize, f64) {
        self.fronts.iter().fold((0, 0.0), |(numbers, operations), front| {
            let rows = front.rows();
            let work: f64 = (0..3 * front.own).map(|j| ((rows - j) as f64).powi(2)).sum();
            (numbers + front.numbers(), operations + work)
        })
    }

    /// Rows of the largest front.
    pub fn widest(&self) -> usize {
        self.fronts.iter().map(Front::rows).max().unwrap_or(0)
    }

    /// Factors S A S + (I - S), without the blocks outside the pattern. Allocates only with the first factor.
    pub fn factor(
        &self,
        pattern: &Pattern,
        matrix: &Matrix,
        held: &[Held],
        factor: &mut Factor,
        halt: &Halt,
    ) -> Result<(), NotDefinite> {
        let Factor { columns, stack, slot } = factor;
        columns.resize_with(self.fronts.len(), Vec::new);
        slot.resize(pattern.diagonal.len(), u32::MAX);
        held.iter().enumerate().for_each(|(k, held)| slot[held.vertex as usize] = k as u32);
        stack.resize(self.stack().max(stack.len()), 0.0);
        let input = Input { symbolic: self, matrix, held, slot, halt };
        // fronts are stored children first: a subtree is a contiguous range that ends with its root
        let mut done: Result<(), NotDefinite> = Ok(());
        let mut start = 0;
        for &root in &self.roots {
            if done.is_ok() {
                done = input.subtree(start, root, &mut columns[start..=root], stack);
            }
            start = root + 1;
        }
        held.iter().for_each(|held| slot[held.vertex as usize] = u32::MAX);
        done
    }

    /// Solves with a factor; `x` is the right-hand side and becomes the solution. Its held directions must be zero.
    pub fn solve(&self, factor: &Factor, x: &mut [Vec3]) {
        self.solve_with(factor, x, &mut Vec::new());
    }

    /// Like [`Symbolic::solve`], with a buffer that is reused.
    pub fn solve_with(&self, factor: &Factor, x: &mut [Vec3], part: &mut Vec<f64>) {
        let gather = |part: &mut Vec<f64>, front: &Front, x: &[Vec3]| {
            part.clear();
            front.particles.iter().for_each(|&i| part.extend(x[i as usize].to_array()));
        };
        // L y = b
        for (front, l) in self.fronts.iter().zip(&factor.columns) {
            let (rows, columns) = (front.rows(), 3 * front.own);
            gather(part, front, x);
            for j in 0..columns {
                let column = &l[j * rows..(j + 1) * rows];
                let value = part[j] / column[j];
                part[j] = value;
                part[j + 1..].iter_mut().zip(&column[j + 1..]).for_each(|(p, l)| *p -= l * value);
            }
            scatter(part, &front.particles, x);
        }
        // Lᵀ x = y
        for (front, l) in self.fronts.iter().zip(&factor.columns).rev() {
            let (rows, columns) = (front.rows(), 3 * front.own);
            gather(part, front, x);
            for j in (0..columns).rev() {
                let column = &l[j * rows..(j + 1) * rows];
                let sum: f64 = part[j + 1..].iter().zip(&column[j + 1..]).map(|(p, l)| p * l).sum();
                part[j] = (part[j] - sum) / column[j];
            }
            scatter(&part[..columns], &front.particles[..front.own], x);
        }
    }
}

/// Storage that the subtree of a front needs, in numbers. The remainders of its children lie below its own front; two
/// children that are factored at the same time need space side by side.
fn needs(front: &Front, fronts: &[Front]) -> usize {
    let mut below = 0;
    let mut most = 0;
    for &child in &front.children {
        most = most.max(below + fronts[child].needs);
        below += if front.forks() { fronts[child].needs } else { fronts[child].leaves() };
    }
    let left: usize = front.children.iter().map(|&child| fronts[child].leaves()).sum();
    most.max(left + front.rows().pow(2))
}

fn scatter(part: &[f64], particles: &[u32], x: &mut [Vec3]) {
    for (&i, p) in particles.iter().zip(part.chunks_exact(3)) {
        x[i as usize] = Vec3::new(p[0], p[1], p[2]);
    }
}

struct Input<'a> {
    symbolic: &'a Symbolic,
    matrix: &'a Matrix,
    held: &'a [Held],
    slot: &'a [u32],
    halt: &'a Halt,
}

impl Input<'_> {
    /// Factors the fronts `first..=root` and leaves the remainder for the parent of `root` at the start of the stack.
    fn subtree(&self, first: usize, root: usize, slots: &mut [Vec<f64>], stack: &mut [f64]) -> Result<(), NotDefinite> {
        let fronts = &self.symbolic.fronts;
        let front = &fronts[root];
        let mut left = 0;
        if front.forks() {
            // two independent halves
            let (a, b) = (front.children[0], front.children[1]);
            let (low, high) = slots.split_at_mut(a + 1 - first);
            let (stack_a, stack_b) = stack.split_at_mut(fronts[a].needs);
            let (done_a, done_b) = rayon::join(
                || self.subtree(first, a, low, stack_a),
                || self.subtree(a + 1, b, &mut high[..b - a], stack_b),
            );
            done_a?;
            done_b?;
            left = fronts[a].leaves() + fronts[b].leaves();
            let from = fronts[a].needs;
            stack.copy_within(from..from + fronts[b].leaves(), fronts[a].leaves());
        } else {
            let mut start = first;
            for &child in &front.children {
                self.subtree(start, child, &mut slots[start - first..=child - first], &mut stack[left..])?;
                left += fronts[child].leaves();
                start = child + 1;
            }
        }

        // assemble the lower half of the front, by columns
        let rows = front.rows();
        let (updates, dense) = stack.split_at_mut(left);
        let dense = &mut dense[..rows * rows];
        dense.fill(0.0);
        self.add_entries(front, rows, dense);
        let mut updates = &*updates;
        for (places, &child) in front.places.iter().zip(&front.children) {
            let (update, others) = updates.split_at(fronts[child].leaves());
            add_update(places, update, rows, dense);
            updates = others;
        }
        let columns = 3 * front.own;
        factor_columns(dense, rows, columns, self.halt)?;
        let kept = &mut slots[root - first];
        kept.clear();
        kept.extend_from_slice(&dense[..columns * rows]);
        let rest = rows - columns;
        for j in 0..rest {
            let from = left + (columns + j) * rows + columns;
            stack.copy_within(from..from + rest, j * rest);
        }
        Ok(())
    }

    fn add_entries(&self, front: &Front, rows: usize, dense: &mut [f64]) {
        let mut add = |row: usize, column: usize, a: DMat3| {
            for c in 0..3 {
                for r in 0..3 {
                    dense[(3 * column + c) * rows + 3 * row + r] += a.col(c)[r];
                }
            }
        };
        for &[place, row, column] in &front.entries {
            let (i, j) = (front.particles[row as usize], front.particles[column as usize]);
            let a = self.filtered(i, j, self.matrix.blocks[place as usize].transpose());
            add(row as usize, column as usize, a);
        }
        for (column, &j) in front.particles[..front.own].iter().enumerate() {
            if let Some(free) = self.free(j) {
                add(column, column, DMat3::IDENTITY - free);
            }
        }
    }

    fn free(&self, i: u32) -> Option<DMat3> {
        self.held.get(self.slot[i as usize] as usize).map(|held| held.free)
    }

    fn filtered(&self, i: u32, j: u32, mut a: DMat3) -> DMat3 {
        if let Some(free) = self.free(i) {
            a = free * a;
        }
        if let Some(free) = self.free(j) {
            a *= free;
        }
        a
    }
}

/// Adds the lower half of a child's remainder.
fn add_update(places: &[u32], update: &[f64], rows: usize, dense: &mut [f64]) {
    let n = 3 * places.len();
    for (p, &place) in places.iter().enumerate() {
        for c in 0..3 {
            let from = &update[(3 * p + c) * n..(3 * p + c + 1) * n];
            let to = &mut dense[(3 * place as usize + c) * rows..(3 * place as usize + c + 1) * rows];
            // indices ascend, so the lower half stays below; nothing above the diagonal is ever read
            for (q, &row) in places.iter().enumerate().skip(p) {
                let (from, to) = (&from[3 * q..3 * q + 3], &mut to[3 * row as usize..3 * row as usize + 3]);
                to[0] += from[0];
                to[1] += from[1];
                to[2] += from[2];
            }
        }
    }
}

/// Columns factored at once before the rest is updated.
const PANEL: usize = 24;

/// Factors the first columns of a dense lower half in place and updates the rest.
pub(super) fn factor_columns(a: &mut [f64], rows: usize, columns: usize, halt: &Halt) -> Result<(), NotDefinite> {
    let mut first = 0;
    while first < columns {
        if halt.asked() {
            return Err(NotDefinite);
        }
        let end = (first + PANEL).min(columns);
        // the panel, column by column
        for j in first..end {
            for k in first..j {
                let (before, this) = a.split_at_mut(j * rows);
                let l = &before[k * rows + j..(k + 1) * rows];
                let value = l[0];
                if value != 0.0 {
                    this[j..rows].iter_mut().zip(l).for_each(|(x, l)| *x -= value * l);
                }
            }
            let column = &mut a[j * rows + j..(j + 1) * rows];
            let pivot = column[0];
            if pivot.is_nan() || pivot <= 0.0 {
                return Err(NotDefinite);
            }
            let root = pivot.sqrt();
            let scale = root.recip();
            column[0] = root;
            column[1..].iter_mut().for_each(|x| *x *= scale);
        }
        // the columns after it, four columns of the panel at a time
        let (panel, rest) = a.split_at_mut(end * rows);
        let mut j = end;
        while j < rows {
            if j + 4 <= rows {
                update_four(panel, rest, rows, first..end, j);
                j += 4;
            } else {
                update_one(panel, rest, rows, first..end, j);
                j += 1;
            }
        }
        first = end;
    }
    Ok(())
}

/// Subtracts the product of the panel's columns from column `j`.
fn update_one(panel: &[f64], rest: &mut [f64], rows: usize, columns: Range<usize>, j: usize) {
    let end = columns.end;
    let target = &mut rest[(j - end) * rows + j..(j - end + 1) * rows];
    let mut k = columns.start;
    while k + 4 <= end {
        let l: [&[f64]; 4] = std::array::from_fn(|q| &panel[(k + q) * rows + j..(k + q + 1) * rows]);
        let c: [f64; 4] = std::array::from_fn(|q| panel[(k + q) * rows + j]);
        let n = target.len();
        let (l0, l1, l2, l3) = (&l[0][..n], &l[1][..n], &l[2][..n], &l[3][..n]);
        for i in 0..n {
            target[i] -= c[0] * l0[i] + c[1] * l1[i] + c[2] * l2[i] + c[3] * l3[i];
        }
        k += 4;
    }
    for k in k..end {
        let l = &panel[k * rows + j..(k + 1) * rows];
        let c = panel[k * rows + j];
        target.iter_mut().zip(l).for_each(|(x, l)| *x -= c * l);
    }
}

/// Like `update_one`, for columns `j` to `j + 3` at once, so that the panel is read once for all four. The values that
/// it writes above the diagonal are never read.
fn update_four(panel: &[f64], rest: &mut [f64], rows: usize, columns: Range<usize>, j: usize) {
    let end = columns.end;
    let first = (j - end) * rows;
    let (one, others) = rest[first..first + 4 * rows].split_at_mut(rows);
    let (two, others) = others.split_at_mut(rows);
    let (three, four) = others.split_at_mut(rows);
    let n = rows - j;
    let (one, two, three, four) = (&mut one[j..][..n], &mut two[j..][..n], &mut three[j..][..n], &mut four[j..][..n]);
    let mut k = columns.start;
    while k + 4 <= end {
        let l: [&[f64]; 4] = std::array::from_fn(|q| &panel[(k + q) * rows + j..(k + q + 1) * rows]);
        let c: [[f64; 4]; 4] = std::array::from_fn(|to| l.map(|l| l[to]));
        let (l0, l1, l2, l3) = (&l[0][..n], &l[1][..n], &l[2][..n], &l[3][..n]);
        for i in 0..n {
            let (l0, l1, l2, l3) = (l0[i], l1[i], l2[i], l3[i]);
            one[i] -= c[0][0] * l0 + c[0][1] * l1 + c[0][2] * l2 + c[0][3] * l3;
            two[i] -= c[1][0] * l0 + c[1][1] * l1 + c[1][2] * l2 + c[1][3] * l3;
            three[i] -= c[2][0] * l0 + c[2][1] * l1 + c[2][2] * l2 + c[2][3] * l3;
            four[i] -= c[3][0] * l0 + c[3][1] * l1 + c[3][2] * l2 + c[3][3] * l3;
        }
        k += 4;
    }
    for k in k..end {
        let l = &panel[k * rows + j..(k + 1) * rows];
        for (to, target) in [&mut *one, &mut *two, &mut *three, &mut *four].into_iter().enumerate() {
            let c = l[to];
            target.iter_mut().zip(l).for_each(|(x, l)| *x -= c * l);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sheet of n by n particles coupled to all within two cells, diagonally dominant.
    fn sheet(n: u32, dominance: f64) -> (Pattern, Matrix, Vec<Vec3>) {
        let place: Vec<Vec3> = (0..n * n).map(|k| Vec3::new(f64::from(k % n), f64::from(k / n), 0.0)).collect();
        let mut pairs: Vec<[u32; 2]> = Vec::new();
        for i in 0..n * n {
            for j in 0..i {
                if place[i as usize].distance(place[j as usize]) < 2.1 {
                    pairs.push([i, j]);
                }
            }
        }
        let pattern = Pattern::new(place.len(), pairs.iter().map(|p| &p[..]));
        let mut matrix = Matrix::new(&pattern);
        let random = |seed: u32, k: u64| crate::random::signed(u64::from(seed), k);
        for (seed, &[i, j]) in pairs.iter().enumerate() {
            let a = DMat3::from_cols_array(&std::array::from_fn(|k| random(seed as u32, k as u64)));
            matrix.blocks[pattern.place(i, j) as usize] = a;
            matrix.blocks[pattern.place(j, i) as usize] = a.transpose();
        }
        for i in 0..place.len() {
            matrix.blocks[pattern.diagonal[i] as usize] = DMat3::IDENTITY * dominance;
        }
        (pattern, matrix, place)
    }

    fn held(vertex: u32, free: DMat3) -> Held {
        Held { vertex, free, ..Held::default() }
    }

    #[test]
    fn solves_what_it_factored_with_held_directions() {
        let (pattern, matrix, place) = sheet(13, 30.0);
        let holds = [
            held(5, DMat3::ZERO),
            held(80, DMat3::from_diagonal(Vec3::new(1.0, 0.0, 1.0))),
            held(
                81,
                DMat3::IDENTITY
                    - DMat3::from_cols(Vec3::splat(1.0 / 3.0), Vec3::splat(1.0 / 3.0), Vec3::splat(1.0 / 3.0)),
            ),
        ];
        let symbolic = Symbolic::new(&pattern, &place);
        let mut factor = Factor::default();
        symbolic.factor(&pattern, &matrix, &holds, &mut factor, &Halt::default()).unwrap();
        let mut b: Vec<Vec3> = (0..place.len()).map(|i| Vec3::new(i as f64, 1.0, -2.0)).collect();
        holds.iter().for_each(|h| b[h.vertex as usize] = h.free * b[h.vertex as usize]);
        let mut x = b.clone();
        symbolic.solve(&factor, &mut x);
        let mut product = vec![Vec3::ZERO; x.len()];
        matrix.times(&pattern, 0..x.len(), &x, &mut product);
        holds.iter().for_each(|h| product[h.vertex as usize] = h.free * product[h.vertex as usize]);
        for i in 0..x.len() {
            assert!((product[i] - b[i]).length() < 1e-10 * (1.0 + b[i].length()), "{i}: {} {}", product[i], b[i]);
        }
        for h in &holds {
            let x = x[h.vertex as usize];
            assert!((x - h.free * x).length() < 1e-12, "held directions stay zero");
        }
    }

    #[test]
    fn an_indefinite_matrix_is_found_out() {
        let (pattern, matrix, place) = sheet(8, 0.5);
        let symbolic = Symbolic::new(&pattern, &place);
        assert_eq!(symbolic.factor(&pattern, &matrix, &[], &mut Factor::default(), &Halt::default()), Err(NotDefinite));
    }
}
