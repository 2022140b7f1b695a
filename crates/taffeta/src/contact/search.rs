//! Broad phase of crossings, in parallel: tests only elements that moved relative to the body since the last search.
//!
//! Whether an edge or a triangle crosses depends only on the positions of its vertices and of the body. Cloth that
//! sticks to a resting body keeps its position to the last bit, from search to search and from step to step, so the
//! crossings found there stay valid.

use crate::Vec3;
use crate::parallel::{self, Block};
use crate::solid::Pose;
use crate::world::World;
use std::ops::Range;

/// Capacity for spots: the number of elements divided by the first value, plus the second. It grows if that is not
/// enough.
const CAPACITY: (usize, usize) = (4, 64);

/// Where an edge or a triangle crosses a body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub vertices: [u32; 3],
    /// Weights of the deepest point; the third is zero for edges.
    pub weights: [f64; 3],
    /// Gap, m.
    pub gap: f64,
    /// Normal in the body's coordinates.
    pub normal: Vec3,
}

/// The crossings of a body that the last search found.
#[derive(Default)]
pub(super) struct Search {
    pose: Pose,
    x: Vec<Vec3>,
    moved: Vec<bool>,
    parts: Vec<Part>,
}

/// Edges and triangles that one thread searches.
#[derive(Default)]
struct Part {
    edges: Known,
    triangles: Known,
}

/// Spots of a range of elements, each with its element, in ascending order.
#[derive(Default)]
struct Known {
    range: Range<usize>,
    spots: Vec<(u32, Spot)>,
    next: Vec<(u32, Spot)>,
}

impl Search {
    pub fn new(world: &World) -> Self {
        let (n, count) = (world.mass.len(), world.blocks.len());
        let known = |k: usize, of: usize| {
            let range = k * of / count..(k + 1) * of / count;
            let room = || Vec::with_capacity(range.len() / CAPACITY.0 + CAPACITY.1);
            Known { spots: room(), next: room(), range: range.clone() }
        };
        let part = |k| Part { edges: known(k, world.edges.len()), triangles: known(k, world.triangles.len()) };
        let parts = (0..count).map(part).collect();
        Self { pose: Pose::default(), x: vec![Vec3::NAN; n], moved: vec![true; n], parts }
    }

    /// Searches the cloth at `x` and the body at `pose`; `edge` and `triangle` test an element.
    pub fn update(
        &mut self,
        world: &World,
        pose: Pose,
        x: &[Vec3],
        none: &mut [()],
        edge: impl Fn(usize) -> Option<Spot> + Sync,
        triangle: impl Fn(usize) -> Option<Spot> + Sync,
    ) {
        let list: &[Block] = &world.blocks;
        let (rests, last) = (self.pose == pose, &self.x);
        let bits = |p: Vec3| p.to_array().map(f64::to_bits);
        parallel::fill(list, &mut self.moved, none, |i| !rests || bits(last[i]) != bits(x[i]));
        let moved = |i: u32| self.moved[i as usize];
        parallel::each(list, (), &mut self.parts, &|_, (), part| {
            part.edges.renew(|e| world.edges[e].v.into_iter().any(moved), &edge);
            part.triangles.renew(|t| world.triangles[t].into_iter().any(moved), &triangle);
        });
        self.pose = pose;
        self.x.copy_from_slice(x);
    }

    /// The crossings found: edges, then triangles, in their order.
    pub fn spots(&self) -> impl Iterator<Item = &Spot> {
        let edges = self.parts.iter().flat_map(|part| &part.edges.spots);
        edges.chain(self.parts.iter().flat_map(|part| &part.triangles.spots)).map(|(_, spot)| spot)
    }
}

impl Known {
    fn renew(&mut self, moved: impl Fn(usize) -> bool, find: impl Fn(usize) -> Option<Spot>) {
        self.next.clear();
        let mut known = self.spots.iter().peekable();
        for element in self.range.clone() {
            let before = known.next_if(|(other, _)| *other as usize == element).copied();
            let now = if moved(element) { find(element).map(|spot| (element as u32, spot)) } else { before };
            self.next.extend(now);
        }
        std::mem::swap(&mut self.spots, &mut self.next);
    }
}
