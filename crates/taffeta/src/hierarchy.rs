//! A bounding volume hierarchy of axis-parallel boxes.
//!
//! A tree is built once and refitted where its items move: its halves stay, its boxes follow.

use crate::Vec3;
use rayon::prelude::*;

/// An axis-parallel box, borders included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bounds {
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

    /// The box, larger by the same length on all sides.
    pub fn grown(self, by: f64) -> Self {
        Self { low: self.low - by, high: self.high + by }
    }
}

/// What a tree is made of.
pub(crate) trait Volume: Copy {
    /// A volume that holds both.
    fn with(&self, other: &Self) -> Self;

    fn overlaps(&self, other: &Self) -> bool;
}

impl Volume for Bounds {
    fn with(&self, other: &Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    fn overlaps(&self, other: &Self) -> bool {
        self.low.cmple(other.high).all() && other.low.cmple(self.high).all()
    }
}

/// A box that moves: at a time t from 0 to 1 it lies within (1 - t) of the one and t of the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MovingBounds {
    pub start: Bounds,
    pub end: Bounds,
}

impl MovingBounds {
    /// Whether points that move from `start` to `end` may come into the box, grown by `by`.
    #[inline]
    pub fn may_hold<const N: usize>(&self, start: &[Vec3; N], end: &[Vec3; N], by: f64) -> bool {
        // rounding of the box itself is far smaller than a millionth
        let by = by * (1.0 + 1e-6) + 1e-300;
        self.overlaps(&Self { start: Bounds::of(start).grown(by), end: Bounds::of(end).grown(by) })
    }
}

impl Volume for MovingBounds {
    fn with(&self, other: &Self) -> Self {
        Self { start: self.start.with(&other.start), end: self.end.with(&other.end) }
    }

    /// Boxes that are apart along the same axis on the same side at both ends never meet.
    fn overlaps(&self, other: &Self) -> bool {
        let above = self.start.low.cmpgt(other.start.high) & self.end.low.cmpgt(other.end.high);
        let below = other.start.low.cmpgt(self.start.high) & other.end.low.cmpgt(self.end.high);
        !(above | below).any()
    }
}

/// A tree of boxes, halved repeatedly along the longest axis. The same items give the same tree.
pub(crate) struct Tree<B = Bounds> {
    nodes: Vec<Node<B>>,
    items: Vec<u32>,
    /// Where each item stands among `items`.
    slots: Vec<u32>,
    bounds: Vec<B>,
    /// Whether the items below each node are known not to come near each other.
    skipped: Vec<bool>,
}

struct Node<B> {
    bounds: B,
    /// Items of a leaf; the first child follows its parent, the second is at `second`.
    items: std::ops::Range<u32>,
    second: u32,
}

/// More items than these are refitted in parallel, and so many of them by a thread at once.
const MANY: usize = 4096;
const CHUNK: usize = 1024;

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
        let mut slots = vec![0; items.len()];
        items.iter().zip(0..).for_each(|(item, slot)| slots[*item as usize] = slot);
        Self { skipped: vec![false; nodes.len()], nodes, items, slots, bounds }
    }

    /// The same tree of boxes that move.
    pub fn moving(self) -> Tree<MovingBounds> {
        let moving = |bounds: Bounds| MovingBounds { start: bounds, end: bounds };
        let node = |node: Node<Bounds>| Node { bounds: moving(node.bounds), items: node.items, second: node.second };
        Tree {
            nodes: self.nodes.into_iter().map(node).collect(),
            items: self.items,
            slots: self.slots,
            bounds: self.bounds.into_iter().map(moving).collect(),
            skipped: self.skipped,
        }
    }
}

impl<B: Volume + Send + Sync> Tree<B> {
    /// Number of nodes. Node 0 is the root, and children come after their parents.
    pub fn len(&self) -> u32 {
        self.nodes.len() as u32
    }

    /// The children of a node; `None` of a leaf.
    pub fn children(&self, node: u32) -> Option<[u32; 2]> {
        let second = self.nodes[node as usize].second;
        (second != 0).then_some([node + 1, second])
    }

    /// The items below a node.
    pub fn items_below(&self, node: u32) -> &[u32] {
        &self.items[range(&self.nodes[node as usize].items)]
    }

    /// Compares the items below all nodes again.
    pub fn skip_none(&mut self) {
        self.skipped.fill(false);
    }

    /// Number of items below nodes that are skipped.
    #[cfg(test)]
    pub fn skipped(&self) -> usize {
        (0..self.len()).filter(|node| self.skipped[*node as usize]).map(|node| self.items_below(node).len()).sum()
    }

    /// Does not compare the items below a node with each other any more.
    pub fn skip(&mut self, node: u32) {
        self.skipped[node as usize] = true;
    }

    /// Calls `found` with every item whose box overlaps another box, in the tree's order.
    pub fn each_overlap(&self, other: &B, mut found: impl FnMut(u32, &B)) {
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
                let near = range(&node.items).filter(|i| self.bounds[*i].overlaps(other));
                near.for_each(|i| found(self.items[i], &self.bounds[i]));
            } else {
                stack[depth] = node.second;
                stack[depth + 1] = at + 1;
                depth += 2;
            }
        }
    }

    /// Gives every item a new box.
    pub fn refit(&mut self, bounds: impl Fn(u32) -> B + Sync) {
        let Self { bounds: all, items, .. } = self;
        if items.len() > MANY {
            all.par_chunks_mut(CHUNK).zip(items.par_chunks(CHUNK)).for_each(|(all, items)| {
                all.iter_mut().zip(items).for_each(|(new, item)| *new = bounds(*item));
            });
        } else {
            all.iter_mut().zip(&*items).for_each(|(new, item)| *new = bounds(*item));
        }
        // children come after their parents
        for at in (0..self.nodes.len()).rev() {
            let Node { items, second, .. } = &self.nodes[at];
            let all = match *second {
                0 => {
                    let first = self.bounds[items.start as usize];
                    self.bounds[range(items)].iter().fold(first, |all, b| all.with(b))
                }
                second => self.nodes[at + 1].bounds.with(&self.nodes[second as usize].bounds),
            };
            self.nodes[at].bounds = all;
        }
    }

    /// Gives one item a new box, and makes the boxes above large enough.
    pub fn replace(&mut self, item: u32, bounds: B) {
        let slot = self.slots[item as usize];
        self.bounds[slot as usize] = bounds;
        let mut at = 0;
        loop {
            self.nodes[at].bounds = self.nodes[at].bounds.with(&bounds);
            let second = self.nodes[at].second as usize;
            at = match second {
                0 => return,
                _ if slot < self.nodes[second].items.start => at + 1,
                _ => second,
            };
        }
    }

    /// Pairs of nodes of this tree, below which all pairs of items are whose boxes may overlap: at least `count` of
    /// them if there are so many.
    pub fn split(&self, count: usize, out: &mut Vec<[u32; 2]>) {
        let first = out.len();
        if !self.nodes.is_empty() {
            out.push([0, 0]);
        }
        self.split_further(first, count, out, |nodes, out| self.divide(nodes, out));
    }

    /// The same for pairs of an item of this tree and one of another tree.
    pub fn split_with(&self, other: &Self, count: usize, out: &mut Vec<[u32; 2]>) {
        let first = out.len();
        if !self.nodes.is_empty() && !other.nodes.is_empty() {
            out.push([0, 0]);
        }
        self.split_further(first, count, out, |nodes, out| self.divide_with(other, nodes, out));
    }

    /// Replaces each pair in turn by the pairs below it until there are enough.
    fn split_further(
        &self,
        first: usize,
        count: usize,
        out: &mut Vec<[u32; 2]>,
        divide: impl Fn([u32; 2], &mut Vec<[u32; 2]>) -> bool,
    ) {
        let mut whole = false;
        while !whole && out.len() > first && out.len() - first < count {
            whole = true;
            for k in first..out.len() {
                let nodes = out[k];
                let before = out.len();
                if !divide(nodes, out) {
                    continue; // two leaves
                }
                whole = false;
                // the first pair below takes its place
                match out.len() > before {
                    true => out[k] = out.swap_remove(before),
                    false => out[k] = NONE,
                }
            }
            let mut at = first;
            while at < out.len() {
                if out[at] == NONE {
                    out.remove(at);
                } else {
                    at += 1;
                }
            }
        }
    }

    /// Adds the pairs of nodes below a pair of this tree, which may be a node with itself. False for leaves.
    fn divide(&self, [a, b]: [u32; 2], out: &mut Vec<[u32; 2]>) -> bool {
        if a != b {
            return self.divide_with(self, [a, b], out);
        }
        if self.skipped[a as usize] {
            return true;
        }
        let second = self.nodes[a as usize].second;
        if second != 0 {
            out.extend([[a + 1, second], [a + 1, a + 1], [second, second]]);
        }
        second != 0
    }

    /// Adds the pairs of nodes below a pair of two trees, none if their boxes are apart. False for leaves.
    fn divide_with(&self, other: &Self, [a, b]: [u32; 2], out: &mut Vec<[u32; 2]>) -> bool {
        let (own, its) = (&self.nodes[a as usize], &other.nodes[b as usize]);
        if !own.bounds.overlaps(&its.bounds) {
            return true;
        }
        if own.second == 0 && its.second == 0 {
            return false;
        }
        if own.second != 0 && (its.second == 0 || own.items.len() >= its.items.len()) {
            out.extend([[a + 1, b], [own.second, b]]);
        } else {
            out.extend([[a, b + 1], [a, its.second]]);
        }
        true
    }

    /// Calls `found` with all pairs of different items below a pair of nodes whose boxes overlap, each pair once, and
    /// with their boxes. `stack` is a buffer.
    pub fn each_pair_below(
        &self,
        nodes: [u32; 2],
        stack: &mut Vec<[u32; 2]>,
        found: &mut impl FnMut(u32, u32, &B, &B),
    ) {
        let divide = |pair, stack: &mut Vec<[u32; 2]>| self.divide(pair, stack);
        descend(nodes, stack, divide, |[a, b]| {
            let items = range(&self.nodes[a as usize].items);
            if a == b {
                items.clone().for_each(|i| self.pairs_of(i, self, i + 1..items.end, found));
            } else {
                items.for_each(|i| self.pairs_of(i, self, range(&self.nodes[b as usize].items), found));
            }
        });
    }

    /// The same for pairs of an item of this tree and one of another tree.
    pub fn each_pair_with_below(
        &self,
        other: &Self,
        nodes: [u32; 2],
        stack: &mut Vec<[u32; 2]>,
        found: &mut impl FnMut(u32, u32, &B, &B),
    ) {
        let divide = |pair, stack: &mut Vec<[u32; 2]>| self.divide_with(other, pair, stack);
        descend(nodes, stack, divide, |[a, b]| {
            let items = range(&self.nodes[a as usize].items);
            items.for_each(|i| self.pairs_of(i, other, range(&other.nodes[b as usize].items), found));
        });
    }

    fn pairs_of(
        &self,
        i: usize,
        other: &Self,
        items: std::ops::Range<usize>,
        found: &mut impl FnMut(u32, u32, &B, &B),
    ) {
        for j in items {
            let (own, its) = (&self.bounds[i], &other.bounds[j]);
            if own.overlaps(its) {
                found(self.items[i], other.items[j], own, its);
            }
        }
    }
}

/// No pair of nodes.
const NONE: [u32; 2] = [u32::MAX; 2];

fn range(items: &std::ops::Range<u32>) -> std::ops::Range<usize> {
    items.start as usize..items.end as usize
}

/// Goes down from a pair of nodes to all pairs of leaves below it: `divide` adds the pairs below a pair, and is false
/// for leaves. `stack` is a buffer.
fn descend(
    nodes: [u32; 2],
    stack: &mut Vec<[u32; 2]>,
    divide: impl Fn([u32; 2], &mut Vec<[u32; 2]>) -> bool,
    mut leaves: impl FnMut([u32; 2]),
) {
    stack.clear();
    stack.push(nodes);
    while let Some(pair) = stack.pop() {
        if !divide(pair, stack) {
            leaves(pair);
        }
    }
}

/// Adds the node of some items, the first of which is number `first`, and the nodes below it.
fn build(nodes: &mut Vec<Node<Bounds>>, items: &mut [u32], first: u32, bounds: &[Bounds]) {
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
