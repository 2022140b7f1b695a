//! Building the tree.

use super::{BLOCK_BITS, BOX_MARGIN, BOX_ROUNDING, Block, Bounds, Bvh, EMPTY, F4, LEAF, MAX_DEPTH, Node};
use crate::vector::{V3, v3};

const BINS: usize = 16;
/// Triangles in a leaf: one block. Testing a block costs about as much as testing a node.
const LEAF_SIZE: usize = 4;
/// From this depth on, ranges are split in half: 40 + log2(2³²) stays within [`MAX_DEPTH`].
const HALVING_DEPTH: usize = MAX_DEPTH - 32;

/// A triangle to be put into the tree.
struct Item {
    bounds: Bounds,
    centre: V3,
    triangle: u32,
}

/// A node of the binary tree.
enum Binary {
    Leaf { bounds: Bounds, first: u32, count: u32 },
    Fork { bounds: Bounds, children: Box<[Binary; 2]> },
}

impl Binary {
    fn bounds(&self) -> Bounds {
        match self {
            Binary::Leaf { bounds, .. } | Binary::Fork { bounds, .. } => *bounds,
        }
    }
}

impl Bvh {
    /// Builds a tree over triangles. Triangles without area are left out: no ray hits them.
    pub fn new(points: &[V3], triangles: &[[u32; 3]]) -> Bvh {
        let mut items: Vec<Item> = triangles
            .iter()
            .enumerate()
            .filter_map(|(i, t)| {
                let p = t.map(|v| points[v as usize]);
                let tight = Bounds::of(&p);
                let margin = (tight.high - tight.low).largest() * BOX_MARGIN + BOX_ROUNDING;
                let margin = v3(margin, margin, margin);
                let bounds = Bounds { low: tight.low - margin, high: tight.high + margin };
                let finite = bounds.low.x.is_finite() && bounds.low.y.is_finite() && bounds.low.z.is_finite();
                let area = (p[1] - p[0]).cross(p[2] - p[0]);
                let usable = finite && area.dot(area) > 0.0;
                usable.then(|| Item { bounds, centre: (bounds.low + bounds.high) * 0.5, triangle: i as u32 })
            })
            .collect();
        if items.is_empty() {
            return Bvh { nodes: Vec::new(), blocks: Vec::new() };
        }
        let tree = split(&mut items, 0, 0);
        let mut bvh = Bvh { nodes: Vec::new(), blocks: Vec::new() };
        let leaf = |bvh: &mut Bvh, first: u32, count: u32| {
            let start = bvh.blocks.len() as u32;
            for part in items[first as usize..][..count as usize].chunks(4) {
                bvh.blocks.push(block(part, points, triangles));
            }
            LEAF | (bvh.blocks.len() as u32 - start) << BLOCK_BITS | start
        };
        flatten(&mut bvh, &tree, &leaf);
        bvh
    }
}

/// Splits a range of items where the expected cost of a ray is least.
fn split(items: &mut [Item], first: u32, depth: usize) -> Binary {
    let bounds = items.iter().fold(Bounds::NONE, |b, item| b.join(item.bounds));
    if items.len() <= LEAF_SIZE {
        return Binary::Leaf { bounds, first, count: items.len() as u32 };
    }
    let middle = (if depth < HALVING_DEPTH { cheapest_cut(items) } else { None }).unwrap_or_else(|| halve(items));
    let (a, b) = items.split_at_mut(middle);
    let (second, next) = (first + middle as u32, depth + 1);
    // the two halves do not depend on each other: the tree is the same on any number of threads
    let children = if a.len() + b.len() > 4096 {
        rayon::join(|| split(a, first, next), || split(b, second, next))
    } else {
        (split(a, first, next), split(b, second, next))
    };
    Binary::Fork { bounds, children: Box::new([children.0, children.1]) }
}

/// Partitions items by the cheapest of the planes between bins; `None` if all centres coincide.
fn cheapest_cut(items: &mut [Item]) -> Option<usize> {
    let centres = items.iter().fold(Bounds::NONE, |b, item| b.with(item.centre));
    let extent = centres.high - centres.low;
    let mut best = (f32::INFINITY, 0, 0);
    for axis in 0..3 {
        if extent.axis(axis) <= 0.0 {
            continue;
        }
        let mut bins = [(Bounds::NONE, 0usize); BINS];
        for item in items.iter() {
            let bin = &mut bins[bin_of(item, centres.low.axis(axis), extent.axis(axis), axis)];
            *bin = (bin.0.join(item.bounds), bin.1 + 1);
        }
        // cost of everything right of each plane, then sweep from the left
        let mut right = [0.0; BINS];
        let (mut bounds, mut count) = (Bounds::NONE, 0);
        for i in (1..BINS).rev() {
            (bounds, count) = (bounds.join(bins[i].0), count + bins[i].1);
            right[i] = bounds.area() * count.div_ceil(4) as f32;
        }
        (bounds, count) = (Bounds::NONE, 0);
        for i in 1..BINS {
            (bounds, count) = (bounds.join(bins[i - 1].0), count + bins[i - 1].1);
            let cost = bounds.area() * count.div_ceil(4) as f32 + right[i];
            if count > 0 && count < items.len() && cost < best.0 {
                best = (cost, axis, i);
            }
        }
    }
    let (cost, axis, plane) = best;
    if !cost.is_finite() {
        return None;
    }
    let (low, extent) = (centres.low.axis(axis), extent.axis(axis));
    let mut middle = 0;
    for i in 0..items.len() {
        if bin_of(&items[i], low, extent, axis) < plane {
            items.swap(i, middle);
            middle += 1;
        }
    }
    (middle > 0 && middle < items.len()).then_some(middle)
}

fn bin_of(item: &Item, low: f32, extent: f32, axis: usize) -> usize {
    (((item.centre.axis(axis) - low) / extent * BINS as f32) as usize).min(BINS - 1)
}

/// Splits at the median along the longest axis.
fn halve(items: &mut [Item]) -> usize {
    let centres = items.iter().fold(Bounds::NONE, |b, item| b.with(item.centre));
    let extent = centres.high - centres.low;
    let axis = (0..3).fold(0, |best, axis| if extent.axis(axis) > extent.axis(best) { axis } else { best });
    let middle = items.len() / 2;
    let key = |item: &Item| item.centre.axis(axis);
    items.select_nth_unstable_by(middle, |a, b| key(a).total_cmp(&key(b)).then(a.triangle.cmp(&b.triangle)));
    middle
}

/// Appends a binary node to the nodes, with up to four of its descendants as children.
fn flatten(bvh: &mut Bvh, tree: &Binary, leaf: &impl Fn(&mut Bvh, u32, u32) -> u32) -> u32 {
    let mut children: Vec<&Binary> = match tree {
        Binary::Leaf { .. } => vec![tree],
        Binary::Fork { children, .. } => children.iter().collect(),
    };
    // open the largest inner child until there are four
    while children.len() < 4 {
        let forks = children.iter().enumerate().filter(|(_, child)| matches!(child, Binary::Fork { .. }));
        let Some((i, _)) = forks.max_by(|a, b| a.1.bounds().area().total_cmp(&b.1.bounds().area())) else { break };
        let Binary::Fork { children: opened, .. } = children[i] else { break };
        children[i] = &opened[0];
        children.push(&opened[1]);
    }

    let at = bvh.nodes.len();
    let boxes: [Bounds; 4] = std::array::from_fn(|i| match children.get(i) {
        Some(child) => child.bounds(),
        None => Bounds { low: V3::ZERO, high: V3::ZERO },
    });
    let side = |f: &dyn Fn(&Bounds) -> V3| -> [F4; 3] {
        std::array::from_fn(|axis| F4::new(std::array::from_fn(|i| f(&boxes[i]).axis(axis))))
    };
    bvh.nodes.push(Node {
        low: side(&|b| b.low),
        high: side(&|b| b.high),
        child: [EMPTY; 4],
        used: (1 << children.len()) - 1,
    });
    for (i, child) in children.iter().enumerate() {
        let number = match child {
            Binary::Leaf { first, count, .. } => leaf(bvh, *first, *count),
            Binary::Fork { .. } => flatten(bvh, child, leaf),
        };
        bvh.nodes[at].child[i] = number;
    }
    at as u32
}

fn block(items: &[Item], points: &[V3], triangles: &[[u32; 3]]) -> Block {
    let corners: [[V3; 3]; 4] = std::array::from_fn(|i| match items.get(i) {
        Some(item) => triangles[item.triangle as usize].map(|v| points[v as usize]),
        None => [V3::ZERO; 3],
    });
    let side = |f: &dyn Fn(&[V3; 3]) -> V3| -> [F4; 3] {
        std::array::from_fn(|axis| F4::new(std::array::from_fn(|i| f(&corners[i]).axis(axis))))
    };
    Block {
        a: side(&|p| p[0]),
        e1: side(&|p| p[1] - p[0]),
        e2: side(&|p| p[2] - p[0]),
        triangle: std::array::from_fn(|i| items.get(i).map_or(EMPTY, |item| item.triangle)),
    }
}
