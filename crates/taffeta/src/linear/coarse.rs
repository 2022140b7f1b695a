//! The coarse level of a preconditioner, for motion of many particles in common: the inverse blocks on the diagonal,
//! which are the fine level, correct each particle by its own residual only.
//!
//! Hat functions on a lattice in the rest shape, about five edges apart, interpolate displacements P y of few nodes.
//! The matrix between them is A₀ = Pᵀ A P, with the terms of contacts, and the preconditioner adds P A₀⁻¹ Pᵀ. Hats can
//! follow any affine motion, so long waves, falls and turns of whole cloths and of layers that lie on each other
//! converge in few iterations.

use super::envelope::Envelope;
use super::terms::Terms;
use super::{Matrix, Pattern};
use crate::Vec3;
use crate::linear::filter::Held;
use crate::parallel::{self, Block};
use glam::DMat3;
use rayon::prelude::*;
use std::ops::Range;

/// Distance of the nodes, in edges.
const SPACING: f64 = 5.0;

/// Largest number of nodes. They are farther apart in larger meshes.
const MOST: usize = 2048;

/// The distance of nodes grows by this factor until there are few enough, up to this many times as much: many cloths
/// have many nodes at any distance.
const FARTHER: f64 = 1.1;
const FARTHEST: f64 = 1e3;

/// Nodes of a term: four particles in cells with eight corners.
const OF_TERM: usize = 4 * 8;

/// Nodes that a task sums up at least: fewer are not worth the thread.
const TOGETHER: usize = 16;

/// Bits in a word of [`Links`].
const WORD: usize = u64::BITS as usize;

/// A cloth for the coarse level.
pub(crate) struct Part {
    pub particles: Range<usize>,
    /// Mean length of an edge in the rest shape.
    pub edge: f64,
}

/// The coarse level of a matrix.
#[derive(Default)]
pub(crate) struct Coarse {
    /// Number of nodes.
    count: usize,
    /// Nodes of each particle with their shares, and where those of each start.
    shares: Vec<(u32, f64)>,
    start: Vec<u32>,
    /// Particles of each node with their shares, and where those of each start.
    members: Vec<(u32, f64)>,
    first_member: Vec<u32>,
    /// The nodes that the row of each particle touches, and where those of each start.
    row_nodes: Vec<u32>,
    row_start: Vec<u32>,
    /// For each block of the matrix and each node of its column: which of `row_nodes` that is.
    places: Vec<u16>,
    /// Which nodes the matrix couples, a bit for each pair.
    coupled: Links,
    /// The same with contacts.
    links: Links,
    /// The position of each node in the envelope.
    position: Vec<u32>,
    envelope: Envelope,
    /// Whether particles are held.
    held: Vec<bool>,
    values: Vec<f64>,
    sums: Vec<Vec3>,
    /// Sums of a row over the nodes that it touches.
    row: Vec<DMat3>,
    /// Buffers of the ordering.
    queue: Vec<u32>,
    near: Vec<u32>,
    ready: bool,
}

/// A symmetric relation of nodes.
#[derive(Clone, Default)]
struct Links {
    words: usize,
    bits: Vec<u64>,
}

impl Links {
    fn new(count: usize) -> Self {
        let words = count.div_ceil(WORD);
        Self { words, bits: vec![0; words * count] }
    }

    fn add(&mut self, a: u32, b: u32) {
        for (a, b) in [(a, b), (b, a)] {
            self.bits[a as usize * self.words + b as usize / WORD] |= 1 << (b as usize % WORD);
        }
    }

    /// The nodes that are linked with a node, rising.
    fn of(&self, a: u32) -> impl Iterator<Item = u32> + '_ {
        let words = &self.bits[a as usize * self.words..(a as usize + 1) * self.words];
        words.iter().enumerate().flat_map(|(k, word)| {
            let mut left = *word;
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros())?;
                left &= left - 1;
                Some((WORD * k) as u32 + bit)
            })
        })
    }

    fn degree(&self, a: u32) -> u32 {
        let words = &self.bits[a as usize * self.words..(a as usize + 1) * self.words];
        words.iter().map(|word| word.count_ones()).sum()
    }
}

/// A lattice about a cloth.
struct Lattice {
    low: Vec3,
    cells: [usize; 3],
    step: Vec3,
}

impl Lattice {
    fn new(place: &[Vec3], spacing: f64) -> Self {
        let low = place.iter().fold(Vec3::INFINITY, |low, p| low.min(*p));
        let high = place.iter().fold(Vec3::NEG_INFINITY, |high, p| high.max(*p));
        let size = high - low;
        let cells = size.to_array().map(|size| (size / spacing).round().max(0.0) as usize);
        let step = std::array::from_fn(|k| size.to_array()[k] / cells[k].max(1) as f64);
        Self { low, cells, step: Vec3::from_array(step) }
    }

    fn nodes(&self) -> usize {
        self.cells.map(|cells| cells + 1).into_iter().product()
    }

    /// The nodes about a point with their shares.
    fn shares(&self, p: Vec3, out: &mut Vec<(u32, f64)>) {
        let along: [[(usize, f64); 2]; 3] = std::array::from_fn(|k| {
            let cells = self.cells[k];
            if cells == 0 {
                return [(0, 1.0), (0, 0.0)];
            }
            let at = ((p - self.low).to_array()[k] / self.step.to_array()[k]).clamp(0.0, cells as f64);
            let cell = (at as usize).min(cells - 1);
            let part = at - cell as f64;
            [(cell, 1.0 - part), (cell + 1, part)]
        });
        for (i, a) in along[0] {
            for (j, b) in along[1] {
                for (k, c) in along[2] {
                    let node = (i * (self.cells[1] + 1) + j) * (self.cells[2] + 1) + k;
                    if a * b * c > 0.0 {
                        out.push((node as u32, a * b * c));
                    }
                }
            }
        }
    }
}

/// Where the entries of each of `count` numbers start in a sorted list.
fn starts(count: usize, mut numbers: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut start = vec![0; count + 1];
    numbers.by_ref().for_each(|number| start[number as usize + 1] += 1);
    for k in 0..count {
        start[k + 1] += start[k];
    }
    start
}

impl Coarse {
    /// Makes the coarse level of cloths, from the places of particles in the rest shape.
    pub fn new(pattern: &Pattern, place: &[Vec3], parts: &[Part]) -> Self {
        let spread = |factor: f64| -> Vec<Lattice> {
            let lattice = |part: &Part| Lattice::new(&place[part.particles.clone()], factor * SPACING * part.edge);
            parts.iter().map(lattice).collect()
        };
        let mut factor = 1.0;
        let mut lattices = spread(factor);
        while lattices.iter().map(Lattice::nodes).sum::<usize>() > MOST.max(2 * parts.len()) && factor < FARTHEST {
            factor *= FARTHER;
            lattices = spread(factor);
        }
        let (mut shares, mut start) = (Vec::new(), vec![0u32]);
        let (mut found, mut number) = (Vec::new(), Vec::new());
        let mut count = 0u32;
        for (part, lattice) in parts.iter().zip(&lattices) {
            number.clear();
            number.resize(lattice.nodes(), u32::MAX);
            for p in &place[part.particles.clone()] {
                found.clear();
                lattice.shares(*p, &mut found);
                for &(node, share) in &found {
                    let own = &mut number[node as usize];
                    if *own == u32::MAX {
                        *own = count;
                        count += 1;
                    }
                    shares.push((*own, share));
                }
                start.push(shares.len() as u32);
            }
        }
        let count = count as usize;
        let mut coarse = Self { count, shares, start, coupled: Links::new(count), ..Self::default() };
        coarse.add_members();
        coarse.add_rows(pattern);
        coarse.links = coarse.coupled.clone();
        coarse.position = vec![0; count];
        coarse.held = vec![false; place.len()];
        coarse.values = vec![0.0; 3 * count];
        coarse.sums = vec![Vec3::ZERO; count];
        coarse
    }

    fn of(&self, particle: usize) -> &[(u32, f64)] {
        &self.shares[self.start[particle] as usize..self.start[particle + 1] as usize]
    }

    fn add_members(&mut self) {
        let particles = self.start.len() - 1;
        let mut all: Vec<(u32, u32, f64)> =
            (0..particles).flat_map(|i| self.of(i).iter().map(move |&(node, share)| (node, i as u32, share))).collect();
        all.sort_unstable_by_key(|&(node, i, _)| (node, i));
        self.first_member = starts(self.count, all.iter().map(|entry| entry.0));
        self.members = all.into_iter().map(|(_, i, share)| (i, share)).collect();
    }

    fn add_rows(&mut self, pattern: &Pattern) {
        self.row_start.push(0);
        for i in 0..self.start.len() - 1 {
            let first = self.row_nodes.len();
            for &j in &pattern.column[pattern.row(i)] {
                for k in self.start[j as usize]..self.start[j as usize + 1] {
                    let node = self.shares[k as usize].0;
                    let known = self.row_nodes[first..].iter().position(|other| *other == node);
                    let place = known.unwrap_or(self.row_nodes.len() - first);
                    if known.is_none() {
                        self.row_nodes.push(node);
                    }
                    self.places.push(place as u16);
                }
            }
            for k in self.start[i]..self.start[i + 1] {
                for other in first..self.row_nodes.len() {
                    self.coupled.add(self.shares[k as usize].0, self.row_nodes[other]);
                }
            }
            self.row_start.push(self.row_nodes.len() as u32);
        }
    }

    /// Computes and factors the matrix between the nodes.
    pub fn prepare(&mut self, pattern: &Pattern, matrix: &Matrix, terms: &Terms, held: &[Held]) {
        self.held.fill(false);
        held.iter().for_each(|held| self.held[held.vertex as usize] = true);
        self.links.bits.copy_from_slice(&self.coupled.bits);
        for term in &terms.list {
            let (nodes, found) = self.nodes_of(term.particles, term.weights);
            for a in 0..found {
                (0..a).for_each(|b| self.links.add(nodes[a].0, nodes[b].0));
            }
        }
        self.order();
        let Self { links, position, envelope, queue, .. } = self;
        // the first column of each node's rows
        envelope.reset(queue.iter().flat_map(|&node| {
            let own = position[node as usize];
            let first = links.of(node).map(|other| position[other as usize]).min().unwrap_or(own).min(own);
            [3 * first; 3]
        }));
        self.add_matrix(pattern, matrix);
        self.add_terms(terms);
        // nodes whose particles are all held
        for row in 0..3 * self.count {
            let diagonal = &mut self.envelope.row_from(row, row)[0];
            if *diagonal == 0.0 {
                *diagonal = 1.0;
            }
        }
        self.ready = self.envelope.factor();
    }

    /// The nodes of a term, with the sums of their shares.
    fn nodes_of(&self, particles: [u32; 4], weights: [f64; 4]) -> ([(u32, f64); OF_TERM], usize) {
        let mut nodes = [(0, 0.0); OF_TERM];
        let mut count = 0;
        for (i, weight) in particles.into_iter().zip(weights) {
            if weight == 0.0 || self.held[i as usize] {
                continue;
            }
            for &(node, share) in self.of(i as usize) {
                match nodes[..count].iter_mut().find(|known| known.0 == node) {
                    Some(known) => known.1 += weight * share,
                    None => {
                        nodes[count] = (node, weight * share);
                        count += 1;
                    }
                }
            }
        }
        (nodes, count)
    }

    /// Orders the nodes for a small envelope: the reverse order of E. Cuthill and J. McKee, Reducing the bandwidth of
    /// sparse symmetric matrices, ACM '69.
    fn order(&mut self) {
        const NEW: u32 = u32::MAX;
        let Self { count, links, position, queue, near, .. } = self;
        let mut grow = |from: u32, queue: &mut Vec<u32>, position: &mut [u32]| {
            let begin = queue.len();
            position[from as usize] = 0;
            queue.push(from);
            let mut next = begin;
            while next < queue.len() {
                near.clear();
                near.extend(links.of(queue[next]).filter(|node| position[*node as usize] == NEW));
                near.sort_unstable_by_key(|node| (links.degree(*node), *node));
                near.iter().for_each(|node| position[*node as usize] = 0);
                queue.extend_from_slice(near);
                next += 1;
            }
            begin
        };
        queue.clear();
        position.fill(NEW);
        for start in 0..*count as u32 {
            if position[start as usize] != NEW {
                continue;
            }
            // from the node that is farthest from any
            let begin = grow(start, queue, position);
            let far = queue[queue.len() - 1];
            queue.drain(begin..).for_each(|node| position[node as usize] = NEW);
            grow(far, queue, position);
        }
        queue.reverse();
        queue.iter().enumerate().for_each(|(at, node)| position[*node as usize] = at as u32);
    }

    fn add_matrix(&mut self, pattern: &Pattern, matrix: &Matrix) {
        let Self { shares, start, row_nodes, row_start, places, position, envelope, held, row, .. } = self;
        let of = |i: usize| start[i] as usize..start[i + 1] as usize;
        let mut next = 0;
        for i in 0..held.len() {
            let nodes = &row_nodes[row_start[i] as usize..row_start[i + 1] as usize];
            let columns = &pattern.column[pattern.row(i)];
            if held[i] {
                next += columns.iter().map(|j| of(*j as usize).len()).sum::<usize>();
                continue;
            }
            row.clear();
            row.resize(nodes.len(), DMat3::ZERO);
            for (block, &j) in matrix.blocks[pattern.row(i)].iter().zip(columns) {
                let own = of(j as usize);
                let own_places = &places[next..next + own.len()];
                next += own.len();
                if held[j as usize] {
                    continue;
                }
                for (&(_, share), place) in shares[own].iter().zip(own_places) {
                    row[*place as usize] += *block * share;
                }
            }
            for &(node, share) in &shares[of(i)] {
                let at = position[node as usize] as usize;
                for (other, sum) in nodes.iter().zip(&*row) {
                    let column = position[*other as usize] as usize;
                    if column <= at {
                        add_block(envelope, at, column, &(*sum * share));
                    }
                }
            }
        }
    }

    fn add_terms(&mut self, terms: &Terms) {
        for term in &terms.list {
            let (nodes, count) = self.nodes_of(term.particles, term.weights);
            for a in 0..count {
                let row = self.position[nodes[a].0 as usize] as usize;
                for b in 0..count {
                    let column = self.position[nodes[b].0 as usize] as usize;
                    if column <= row {
                        add_block(&mut self.envelope, row, column, &(term.block * (nodes[a].1 * nodes[b].1)));
                    }
                }
            }
        }
    }

    /// Adds P A₀⁻¹ Pᵀ r to `out`.
    pub fn add(&mut self, r: &[Vec3], blocks: &[Block], out: &mut [Vec3], none: &mut [()]) {
        if !self.ready {
            return;
        }
        let Self { members, first_member, sums, position, envelope, values, shares, start, .. } = self;
        sums.par_iter_mut().with_min_len(TOGETHER).enumerate().for_each(|(node, sum)| {
            let own = &members[first_member[node] as usize..first_member[node + 1] as usize];
            *sum = own.iter().map(|(i, share)| r[*i as usize] * *share).sum();
        });
        for (sum, at) in sums.iter().zip(&*position) {
            values[3 * *at as usize..][..3].copy_from_slice(&sum.to_array());
        }
        envelope.solve(values);
        for (sum, at) in sums.iter_mut().zip(&*position) {
            *sum = Vec3::from_slice(&values[3 * *at as usize..]);
        }
        let sums = &*sums;
        parallel::each(blocks, out, none, &|block, out, _| {
            for (i, out) in block.particles.clone().zip(out.iter_mut()) {
                let own = &shares[start[i] as usize..start[i + 1] as usize];
                *out += own.iter().map(|(node, share)| sums[*node as usize] * *share).sum::<Vec3>();
            }
        });
    }
}

/// Adds a block below or on the diagonal; of one on it, the lower half.
#[inline(always)]
fn add_block(envelope: &mut Envelope, row: usize, column: usize, block: &DMat3) {
    for a in 0..3 {
        let count = if row == column { a + 1 } else { 3 };
        let own = envelope.row_from(3 * row + a, 3 * column);
        for (b, own) in own.iter_mut().enumerate().take(count) {
            *own += block.col(b)[a];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::outer;
    use crate::linear::terms::Term;
    use crate::random::signed;

    /// Against Pᵀ A P written out.
    #[test]
    fn the_matrix_between_nodes_is_that_of_the_interpolation() {
        let n = 60usize;
        let place: Vec<Vec3> =
            (0..n).map(|i| Vec3::new((i % 10) as f64 + 0.01 * i as f64, (i / 10) as f64, 0.0)).collect();
        let groups: Vec<[u32; 2]> = (0..n as u32 - 1).map(|i| [i, i + 1]).collect();
        let pattern = Pattern::new(n, groups.iter().map(|g| &g[..]));
        let mut matrix = Matrix::new(&pattern);
        let vector = |seed: u64, i: u64| Vec3::from_array([0, 1, 2].map(|c| signed(seed, 3 * i + c)));
        for i in 0..n as u32 {
            matrix.blocks[pattern.diagonal[i as usize] as usize] = DMat3::from_diagonal(Vec3::splat(4.0));
            if i + 1 < n as u32 {
                let block = outer(vector(1, i.into()), vector(1, i.into()));
                matrix.blocks[pattern.place(i, i + 1) as usize] = block;
                matrix.blocks[pattern.place(i + 1, i) as usize] = block;
            }
        }
        let mut terms = Terms::default();
        for t in 0..5u64 {
            let particles = [t as u32, 59 - t as u32, 30 + t as u32, 7];
            terms.list.push(Term {
                particles,
                weights: [1.0, -0.5, -0.3, -0.2],
                block: outer(vector(2, t), vector(2, t)),
            });
        }
        terms.index(n);
        let parts = [Part { particles: 0..30, edge: 0.3 }, Part { particles: 30..60, edge: 0.3 }];
        let mut coarse = Coarse::new(&pattern, &place, &parts);
        assert!(coarse.count > 8, "{}", coarse.count);
        for i in 0..n {
            let (sum, p) = coarse.of(i).iter().fold((0.0, 0), |(sum, k), (_, share)| (sum + share, k + 1));
            assert!(p > 0 && f64::abs(sum - 1.0) < 1e-12);
        }
        coarse.prepare(&pattern, &matrix, &terms, &[]);
        assert!(coarse.ready);
        // for any y: the solution of the equations with the right-hand side Pᵀ A P y is y
        let y: Vec<Vec3> = (0..coarse.count as u64).map(|k| vector(3, k)).collect();
        let fine: Vec<Vec3> = (0..n).map(|i| coarse.of(i).iter().map(|(k, s)| y[*k as usize] * *s).sum()).collect();
        let (mut product, mut pushes) = (vec![Vec3::ZERO; n], Vec::new());
        matrix.times(&pattern, 0..n, &fine, &mut product);
        terms.pushes(&fine, &mut pushes);
        terms.add(0..n, &pushes, &mut product);
        let blocks: Vec<Block> = Block::cut(0, 0, 0..n).collect();
        let mut found = vec![Vec3::ZERO; n];
        coarse.add(&product, &blocks, &mut found, &mut vec![(); blocks.len()]);
        for i in 0..n {
            assert!(found[i].distance(fine[i]) < 1e-10, "{i}: {} {}", found[i], fine[i]);
        }
    }
}
