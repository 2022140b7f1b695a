//! A bounding volume hierarchy over triangles. It finds the first triangle that a ray hits, or whether it hits any.
//!
//! The tree is built as a binary tree by a binned surface-area heuristic, then flattened to nodes of four children. A
//! node stores the boxes of its children side by side and a leaf stores four triangles side by side, so that four are
//! tested at once.
//!
//! ```text
//! Node { low xyz ×4, high xyz ×4, child ×4 }     child: node, or first block of four triangles and number of blocks
//! ```
//! I. Wald, On fast Construction of SAH-based Bounding Volume Hierarchies, RT 2007; H. Dammertz et al., Shallow
//! Bounding Volume Hierarchies for Fast SIMD Ray Tracing of Incoherent Rays, EGSR 2008; T. Möller and B. Trumbore,
//! Fast, Minimum Storage Ray/Triangle Intersection, 1997.
//!
//! This module knows nothing of cloth or pictures. Coordinates should be of the order of 1.

mod build;
mod lanes;
#[cfg(test)]
mod tests;

use crate::vector::{V3, v3};
use lanes::F4;

/// How far outside a triangle a hit still counts, in barycentric coordinates. This closes the hairline gaps that
/// rounding leaves between neighbours: their width is 6e-8 × distance / triangle size. The added border is far below a
/// pixel.
const EDGE_TOLERANCE: f32 = 2e-4;
/// Boxes are enlarged by this fraction of a triangle's size, so that they contain the border that the tolerance adds.
const BOX_MARGIN: f32 = 3e-4;
/// Boxes are also enlarged by this, in units of the scene, for the rounding of the box test.
const BOX_ROUNDING: f32 = 2e-6;
/// Greatest depth of the binary tree: it bounds the stack.
const MAX_DEPTH: usize = 72;
const STACK: usize = 3 * MAX_DEPTH + 4;

const EMPTY: u32 = u32::MAX;
const LEAF: u32 = 1 << 31;
const BLOCK_BITS: u32 = 27;

/// A ray; `d` need not be of unit length.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ray {
    pub o: V3,
    pub d: V3,
    inverse: V3,
}

impl Ray {
    pub fn new(o: V3, d: V3) -> Ray {
        // a component of zero would give 0 × ∞ on the face of a box
        let inverse = d.map(|d| 1.0 / if d.abs() < 1e-18 { 1e-18f32.copysign(d) } else { d });
        Ray { o, d, inverse }
    }

    pub fn at(&self, t: f32) -> V3 {
        self.o + self.d * t
    }
}

/// Where a ray hits a triangle: o + t d = (1 - u - v) a + u b + v c.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Hit {
    pub triangle: u32,
    pub t: f32,
    pub u: f32,
    pub v: f32,
}

/// A node: the boxes of its children side by side.
#[derive(Clone, Copy, Debug)]
struct Node {
    low: [F4; 3],
    high: [F4; 3],
    child: [u32; 4],
    /// One bit for each child that exists.
    used: u32,
}

/// Four triangles side by side: a corner and two edges each. Unused lanes have no area and are never hit.
#[derive(Clone, Copy, Debug)]
struct Block {
    a: [F4; 3],
    e1: [F4; 3],
    e2: [F4; 3],
    triangle: [u32; 4],
}

/// The tree.
#[derive(Debug)]
pub(crate) struct Bvh {
    nodes: Vec<Node>,
    blocks: Vec<Block>,
}

/// Nodes still to visit. The caller owns it, so that it need not be cleared for each ray.
pub(crate) struct Stack([(u32, f32); STACK]);

impl Default for Stack {
    fn default() -> Self {
        Stack([(0, 0.0); STACK])
    }
}

fn splat(v: V3) -> [F4; 3] {
    [F4::splat(v.x), F4::splat(v.y), F4::splat(v.z)]
}

#[inline(always)]
fn cross(a: [F4; 3], b: [F4; 3]) -> [F4; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[inline(always)]
fn dot(a: [F4; 3], b: [F4; 3]) -> F4 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// A ray repeated in four lanes.
struct Wide {
    o: [F4; 3],
    d: [F4; 3],
    inverse: [F4; 3],
}

impl Wide {
    fn new(ray: &Ray) -> Self {
        Wide { o: splat(ray.o), d: splat(ray.d), inverse: splat(ray.inverse) }
    }
}

impl Node {
    /// Which children the ray hits before `end`, and where it enters them.
    #[inline(always)]
    fn meet(&self, ray: &Wide, end: f32) -> (u32, F4) {
        let (mut near, mut far) = (F4::splat(0.0), F4::splat(end));
        for axis in 0..3 {
            let a = (self.low[axis] - ray.o[axis]) * ray.inverse[axis];
            let b = (self.high[axis] - ray.o[axis]) * ray.inverse[axis];
            near = a.min(b).max(near);
            far = a.max(b).min(far);
        }
        // rounding of the three products must not lose a box: T. Ize, Robust BVH Ray Traversal, 2013
        (self.used & near.at_most(far * F4::splat(1.000_001)), near)
    }
}

impl Block {
    /// The lanes hit in (0, end), with t, u and v.
    #[inline(always)]
    fn meet(&self, ray: &Wide, end: f32) -> (u32, F4, F4, F4) {
        let p = cross(ray.d, self.e2);
        let inverse = F4::splat(1.0) / dot(self.e1, p);
        let s = [ray.o[0] - self.a[0], ray.o[1] - self.a[1], ray.o[2] - self.a[2]];
        let u = dot(s, p) * inverse;
        let q = cross(s, self.e1);
        let v = dot(ray.d, q) * inverse;
        let t = dot(self.e2, q) * inverse;
        // no area: 1/0 makes u infinite or NaN, and no comparison holds
        let low = F4::splat(-EDGE_TOLERANCE);
        let inside = low.at_most(u) & low.at_most(v) & (u + v).at_most(F4::splat(1.0 + EDGE_TOLERANCE));
        (inside & F4::splat(f32::MIN_POSITIVE).at_most(t) & t.at_most(F4::splat(end)), t, u, v)
    }
}

impl Bvh {
    /// The first triangle that the ray hits before `end`; of two at the same distance, the one with the lower number.
    pub fn first(&self, ray: &Ray, end: f32, stack: &mut Stack) -> Option<Hit> {
        let wide = Wide::new(ray);
        let mut best = Hit { triangle: EMPTY, t: end, u: 0.0, v: 0.0 };
        let stack = &mut stack.0;
        if self.nodes.is_empty() {
            return None;
        }
        stack[0] = (0, 0.0);
        let mut top = 1;
        while top > 0 {
            top -= 1;
            let (child, enters) = stack[top];
            if enters > best.t {
                continue;
            }
            if child & LEAF != 0 {
                for block in self.leaf(child) {
                    let (lanes, t, u, v) = block.meet(&wide, best.t);
                    if lanes == 0 {
                        continue;
                    }
                    let (t, u, v) = (t.to_array(), u.to_array(), v.to_array());
                    for i in (0..4).filter(|i| lanes >> i & 1 == 1) {
                        let triangle = block.triangle[i];
                        if t[i] < best.t || (t[i] == best.t && triangle < best.triangle) {
                            best = Hit { triangle, t: t[i], u: u[i], v: v[i] };
                        }
                    }
                }
                continue;
            }
            let node = &self.nodes[child as usize];
            let (mut lanes, near) = node.meet(&wide, best.t);
            let near = near.to_array();
            // push the farthest first, so that the nearest is visited next
            let base = top;
            while lanes != 0 {
                let i = lanes.trailing_zeros() as usize;
                lanes &= lanes - 1;
                let mut at = top;
                while at > base && stack[at - 1].1 < near[i] {
                    stack[at] = stack[at - 1];
                    at -= 1;
                }
                stack[at] = (node.child[i], near[i]);
                top += 1;
            }
        }
        (best.triangle != EMPTY).then_some(best)
    }

    /// Whether the ray hits anything before `end`.
    pub fn any(&self, ray: &Ray, end: f32, stack: &mut Stack) -> bool {
        let wide = Wide::new(ray);
        let stack = &mut stack.0;
        if self.nodes.is_empty() {
            return false;
        }
        stack[0].0 = 0;
        let mut top = 1;
        while top > 0 {
            top -= 1;
            let child = stack[top].0;
            if child & LEAF != 0 {
                if self.leaf(child).iter().any(|block| block.meet(&wide, end).0 != 0) {
                    return true;
                }
                continue;
            }
            let node = &self.nodes[child as usize];
            let (mut lanes, _) = node.meet(&wide, end);
            while lanes != 0 {
                let i = lanes.trailing_zeros() as usize;
                lanes &= lanes - 1;
                stack[top].0 = node.child[i];
                top += 1;
            }
        }
        false
    }

    fn leaf(&self, child: u32) -> &[Block] {
        let first = (child & ((1 << BLOCK_BITS) - 1)) as usize;
        let count = (child >> BLOCK_BITS & 15) as usize;
        &self.blocks[first..first + count]
    }
}

/// An axis-aligned box.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    low: V3,
    high: V3,
}

impl Bounds {
    const NONE: Bounds = Bounds {
        low: v3(f32::INFINITY, f32::INFINITY, f32::INFINITY),
        high: v3(f32::NEG_INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY),
    };

    fn of(points: &[V3]) -> Bounds {
        points.iter().fold(Bounds::NONE, |b, &p| b.with(p))
    }

    fn with(self, p: V3) -> Bounds {
        Bounds { low: self.low.min(p), high: self.high.max(p) }
    }

    fn join(self, o: Bounds) -> Bounds {
        Bounds { low: self.low.min(o.low), high: self.high.max(o.high) }
    }

    /// Half the surface area.
    fn area(self) -> f32 {
        let d = self.high - self.low;
        if d.x < 0.0 { 0.0 } else { d.x * d.y + d.y * d.z + d.z * d.x }
    }
}
