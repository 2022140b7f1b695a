//! A bounding volume hierarchy of axis-parallel boxes.

use crate::Vec3;
use rayon::prelude::*;

/// An axis-parallel box, borders included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    low: Vec3,
    high: Vec3,
}

impl Bounds {
    const NOTHING: Self = Self { low: Vec3::INFINITY, high: Vec3::NEG_INFINITY };

    /// The box about points.
    pub fn of(points: &[Vec3]) -> Self {
        points.iter().fold(Self::NOTHING, |all, p| Self { low: all.low.min(*p), high: all.high.max(*p) })
    }

    /// The boxes about the triangles of a mesh.
    pub fn of_triangles(x: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Self> {
        triangles.par_iter().map(|t| Self::of(&t.map(|v| x[v as usize]))).collect()
    }

    fn with(self, other: &Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    fn overlaps(&self, other: &Self) -> bool {
        self.low.cmple(other.high).all() && other.low.cmple(self.high).all()
    }
}

/// A tree of boxes, halved repeatedly along the longest axis. The same items give the same tree.
pub struct Tree {
    nodes: Vec<Node>,
    items: Vec<u32>,
    bounds: Vec<Bounds>,
}

struct Node {
    bounds: Bounds,
    /// Items of a leaf; the first child follows its parent, the second is at `second`.
    items: std::ops::Range<u32>,
    second: u32,
}

/// Largest number of items in a leaf.
const LEAF: usize = 4;

impl Tree {
    /// Builds a tree with one item for each box.
    pub fn new(bounds: &[Bounds]) -> Self {
        let mut items: Vec<u32> = (0..bounds.len() as u32).collect();
        let mut nodes = Vec::with_capacity(bounds.len());
        if !items.is_empty() {
            build(&mut nodes, &mut items, 0, bounds);
        }
        let bounds = items.iter().map(|i| bounds[*i as usize]).collect();
        Self { nodes, items, bounds }
    }

    /// Calls `found` with every item whose box overlaps another box, in the tree's order.
    pub fn each_overlap(&self, other: &Bounds, mut found: impl FnMut(u32)) {
        // halves: no deeper than the digits of the number of items
        let mut stack = [0u32; 64];
        let mut depth = usize::from(!self.nodes.is_empty());
        while depth > 0 {
            depth -= 1;
            let at = stack[depth];
            let node = &self.nodes[at as usize];
            if !node.bounds.overlaps(other) {
                continue;
            }
            if node.second == 0 {
                let range = node.items.start as usize..node.items.end as usize;
                let near = range.filter(|i| self.bounds[*i].overlaps(other));
                near.for_each(|i| found(self.items[i]));
            } else {
                stack[depth] = node.second;
                stack[depth + 1] = at + 1;
                depth += 2;
            }
        }
    }
}

/// Adds the node of some items, the first of which is number `first`, and the nodes below it.
fn build(nodes: &mut Vec<Node>, items: &mut [u32], first: u32, bounds: &[Bounds]) {
    let of = |i: u32| &bounds[i as usize];
    let all = items.iter().fold(Bounds::NOTHING, |all, i| all.with(of(*i)));
    let at = nodes.len();
    nodes.push(Node { bounds: all, items: first..first + items.len() as u32, second: 0 });
    if items.len() <= LEAF {
        return;
    }
    let size = (all.high - all.low).to_array();
    let axis = if size[0] >= size[1] && size[0] >= size[2] {
        0
    } else if size[1] >= size[2] {
        1
    } else {
        2
    };
    let place = |i: u32| of(i).low[axis] + of(i).high[axis];
    let half = items.len() / 2;
    items.select_nth_unstable_by(half, |a, b| place(*a).total_cmp(&place(*b)).then(a.cmp(b)));
    let (left, right) = items.split_at_mut(half);
    build(nodes, left, first, bounds);
    nodes[at].second = nodes.len() as u32;
    build(nodes, right, first + half as u32, bounds);
}
