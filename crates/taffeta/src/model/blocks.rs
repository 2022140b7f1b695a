//! Fixed parts of the particle array, so that results have the same bits on any number of threads.
//!
//! A block is a range of particles of one cloth. It holds a copy of every element that touches one of its particles and
//! adds that element's forces to its own particles only: no two blocks write to the same place, and each particle sums
//! its elements in the order of storage. Elements on the border of two blocks are evaluated once in each. The size of a
//! block depends on the cloth, never on the number of threads.

use super::buckling::Buckling;
use super::element::Element;
use super::fused::Fused;
use super::hinge::Hinge;
use super::membrane::Membrane;
use super::network::Network;
use super::plate::Plate;
use super::quadratic::Quadratic;
use super::shear::Shear;
use super::spring::{Spring, SpringKind};
use super::stretch::Stretch;
use super::tension::Tension;
use std::ops::Range;

/// A range of particles and the elements that touch them.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// Which cloth.
    pub cloth: usize,
    /// Its particles.
    pub particles: Range<usize>,
    /// Springs with both ends inside, by kind.
    pub inner: [Range<usize>; 3],
    /// Springs with `a` inside and `b` outside, by kind.
    pub border: [Range<usize>; 3],
    /// Hinges with at least one vertex inside.
    pub hinges: Range<usize>,
    /// Triangles with at least one vertex inside.
    pub triangles: Range<usize>,
    /// Other elements with at least one vertex inside.
    pub stretch: Range<usize>,
    pub shear: Range<usize>,
    /// Both of them in one, by lanes.
    pub fused: Range<usize>,
    pub membrane: Range<usize>,
    pub tension: [Range<usize>; 2],
    pub buckling: Range<usize>,
    pub quadratic: Range<usize>,
}

/// Elements sorted by block.
#[derive(Clone, Debug, Default)]
pub(crate) struct Blocks {
    pub list: Vec<Block>,
    pub springs: Vec<Spring>,
    pub hinges: Vec<Hinge>,
    /// Copies, as all elements here.
    pub triangles: Vec<[u32; 3]>,
    pub stretch: Vec<Stretch>,
    pub shear: Vec<Shear>,
    pub membrane: Vec<Membrane>,
    pub tension: Vec<Tension>,
    pub buckling: Vec<Buckling>,
    pub quadratic: Vec<Quadratic>,
    /// Stretch and shear of the same triangles, where both lists are of the same; empty otherwise.
    pub fused: Vec<Fused>,
    /// The quadratic elements summed up; of no use where stretch and shear are not fused.
    pub plate: Plate,
}

/// Large enough that few elements lie on a border, small enough for many threads, and all alike, for two threads that share few.
fn block_size(particles: usize) -> usize {
    let most = (particles / 64).clamp(1024, 16384);
    particles.div_ceil(particles.div_ceil(most).max(1)).max(1)
}

impl Blocks {
    /// Adds the blocks of a cloth whose elements are given in the order of evaluation.
    pub fn add(&mut self, cloth: usize, particles: Range<usize>, network: &Network, triangles: &[[u32; 3]]) {
        let size = block_size(particles.len());
        let cut = Cutting { first: particles.start, size, count: particles.len().div_ceil(size) };
        let count = cut.count;

        // sort elements into blocks with their order kept; a border spring goes to both, turned so that `a` is inside
        let mut inner = network.springs.each_ref().map(|s| vec![Vec::with_capacity(s.len() / count); count]);
        let mut border = network.springs.each_ref().map(|_| vec![Vec::new(); count]);
        for kind in 0..3 {
            for s in &network.springs[kind] {
                let (p, q) = (cut.block_of(s.a), cut.block_of(s.b));
                if p == q {
                    inner[kind][p].push(*s);
                } else {
                    border[kind][p].push(*s);
                    border[kind][q].push(Spring { a: s.b, b: s.a, ..*s });
                }
            }
        }
        let hinges = cut.sort(&network.hinges, |hinge| hinge.v);
        let triangles = cut.sort(triangles, |triangle| *triangle);
        let stretch = cut.sort(&network.stretch, Element::vertices);
        let shear = cut.sort(&network.shear, Element::vertices);
        let membrane = cut.sort(&network.membrane, Element::vertices);
        let tension = network.tension.each_ref().map(|list| cut.sort(list, Element::vertices));
        let buckling = cut.sort(&network.buckling, Element::vertices);
        let quadratic = cut.sort(&network.quadratic, Element::vertices);

        fn append<T: Copy>(all: &mut Vec<T>, more: &[T]) -> Range<usize> {
            let start = all.len();
            all.extend_from_slice(more);
            start..all.len()
        }
        for b in 0..count {
            let first = particles.start + b * size;
            self.list.push(Block {
                cloth,
                particles: first..(first + size).min(particles.end),
                inner: [0, 1, 2].map(|kind| append(&mut self.springs, &inner[kind][b])),
                border: [0, 1, 2].map(|kind| append(&mut self.springs, &border[kind][b])),
                hinges: append(&mut self.hinges, &hinges[b]),
                triangles: append(&mut self.triangles, &triangles[b]),
                stretch: append(&mut self.stretch, &stretch[b]),
                shear: append(&mut self.shear, &shear[b]),
                fused: 0..0,
                membrane: append(&mut self.membrane, &membrane[b]),
                tension: [0, 1].map(|kind| append(&mut self.tension, &tension[kind][b])),
                buckling: append(&mut self.buckling, &buckling[b]),
                quadratic: append(&mut self.quadratic, &quadratic[b]),
            });
        }
    }

    /// Puts stretch and shear together once all blocks are there.
    pub fn fuse(&mut self) {
        for k in 0..self.list.len() {
            let Block { stretch, shear, .. } = &self.list[k];
            let same = stretch.len() == shear.len();
            let all = || Fused::all(&self.stretch[stretch.clone()], &self.shear[shear.clone()]);
            let Some(fused) = same.then(all).flatten() else {
                (self.fused, self.plate) = Default::default();
                return;
            };
            let Block { particles, quadratic, .. } = &self.list[k];
            self.plate.add(particles.clone(), &self.quadratic[quadratic.clone()]);
            let start = self.fused.len();
            self.fused.extend(fused);
            self.list[k].fused = start..self.fused.len();
        }
    }

    /// Bytes of all elements.
    pub fn bytes(&self) -> usize {
        fn bytes<T>(list: &[T]) -> usize {
            std::mem::size_of_val(list)
        }
        let plain = bytes(&self.springs) + bytes(&self.hinges) + bytes(&self.triangles);
        let planes = bytes(&self.fused) + bytes(&self.stretch) + bytes(&self.shear) + bytes(&self.membrane);
        plain + planes + self.plate.bytes() + bytes(&self.tension) + bytes(&self.buckling) + bytes(&self.quadratic)
    }

    /// Springs of a kind, each once.
    pub fn each_spring(&self, kind: SpringKind) -> impl Iterator<Item = &Spring> {
        self.list.iter().flat_map(move |block| self.own_springs(block, kind))
    }

    /// Springs of a block that it counts as its own: those inside, and of those on the border the ones that start here.
    pub fn own_springs(&self, block: &Block, kind: SpringKind) -> impl Iterator<Item = &Spring> {
        let inner = &self.springs[block.inner[kind as usize].clone()];
        let border = &self.springs[block.border[kind as usize].clone()];
        inner.iter().chain(border.iter().filter(|s| s.a < s.b))
    }

    /// Hinges of a block that it counts as its own: each hinge belongs to the block of its first vertex.
    pub fn own_hinges(&self, block: &Block) -> impl Iterator<Item = &Hinge> {
        let particles = block.particles.clone();
        self.hinges[block.hinges.clone()].iter().filter(move |h| particles.contains(&(h.v[0] as usize)))
    }
}

/// How the particles of a cloth are cut into blocks.
struct Cutting {
    first: usize,
    size: usize,
    count: usize,
}

impl Cutting {
    fn block_of(&self, v: u32) -> usize {
        (v as usize - self.first) / self.size
    }

    /// Copies of elements for every block that has one of their vertices.
    fn sort<const N: usize, T: Copy>(&self, elements: &[T], vertices: impl Fn(&T) -> [u32; N]) -> Vec<Vec<T>> {
        let mut sorted = vec![Vec::new(); self.count];
        for element in elements {
            let mut owners = vertices(element).map(|v| self.block_of(v));
            owners.sort_unstable();
            for k in 0..N {
                if k == 0 || owners[k] != owners[k - 1] {
                    sorted[owners[k]].push(*element);
                }
            }
        }
        sorted
    }
}

/// Data that goes along with the particles, or parts of them, and is cut where these are cut.
pub(crate) trait Cut: Send + Sized {
    /// The first `at` particles, and the rest.
    fn cut(self, at: usize) -> (Self, Self);
}

impl Cut for () {
    fn cut(self, _: usize) -> (Self, Self) {
        ((), ())
    }
}

impl<T: Send> Cut for &mut [T] {
    fn cut(self, at: usize) -> (Self, Self) {
        self.split_at_mut(at)
    }
}

impl<T: Sync> Cut for &[T] {
    fn cut(self, at: usize) -> (Self, Self) {
        self.split_at(at)
    }
}

impl<A: Cut, B: Cut> Cut for (A, B) {
    fn cut(self, at: usize) -> (Self, Self) {
        let ((a, rest_a), (b, rest_b)) = (self.0.cut(at), self.1.cut(at));
        ((a, b), (rest_a, rest_b))
    }
}

/// Calls `f` for every block with its part of `data` and its own `result`, in parallel, without allocating.
pub(crate) fn each<D: Cut, R: Send>(
    blocks: &[Block],
    data: D,
    results: &mut [R],
    f: &(impl Fn(&Block, D, &mut R) + Sync),
) {
    match blocks {
        [] => {}
        [block] => f(block, data, &mut results[0]),
        _ => {
            let middle = blocks.len() / 2;
            let (low, high) = blocks.split_at(middle);
            let (data_low, data_high) = data.cut(high[0].particles.start - low[0].particles.start);
            let (results_low, results_high) = results.split_at_mut(middle);
            rayon::join(|| each(low, data_low, results_low, f), || each(high, data_high, results_high, f));
        }
    }
}

/// Runs `f` on a thread of the pool, if there is work for several: to hand over every sum from outside would cost more than
/// the sum.
pub(crate) fn in_pool<R: Send>(list: &[Block], f: impl FnOnce() -> R + Send) -> R {
    if list.len() > 1 && rayon::current_thread_index().is_none() { rayon::scope(|_| f()) } else { f() }
}

/// out[i] = f(i) for every particle, in parallel.
pub(crate) fn fill<T: Send>(list: &[Block], out: &mut [T], none: &mut [()], f: impl Fn(usize) -> T + Sync) {
    each(list, out, none, &|block, out, _| {
        for (i, out) in block.particles.clone().zip(out.iter_mut()) {
            *out = f(i);
        }
    });
}

/// A sum over particles: of each block, then over the blocks in their order.
pub(crate) fn sum(list: &[Block], sums: &mut [f64], f: impl Fn(usize) -> f64 + Sync) -> f64 {
    each(list, (), sums, &|block, (), sum| *sum = block.particles.clone().map(&f).sum());
    sums.iter().sum()
}
