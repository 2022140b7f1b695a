//! Normal cones with the contour condition: parts of a surface that cannot come near themselves.
//!
//! P. Volino and N. Magnenat-Thalmann, Efficient self-collision detection on smoothly discretized surface animations
//! using geometrical shape regularity, Eurographics 1994: a part without holes does not cross itself if its normals are
//! all on one side of a plane, and its contour, projected on this plane, does not cross itself. Here the same holds for
//! a distance and for a motion. Let all points go straight, and be projected along a direction n. If at all times
//!
//! - every triangle faces n, and the projections of its altitudes are longer than the distance, and
//! - edges of the projected contour that share no vertex are farther apart than the distance, and of two that share one
//!   each is that far from the other end of the other,
//!
//! then the projection is a plane triangulation in which whatever shares no vertex is farther apart than the distance:
//! the straight way between two primitives either crosses a triangle beside one of them, from a corner to the opposite
//! side, or leaves the part and comes back.
//!
//! Twice the projected area of a triangle is a polynomial of second degree in time. It is never less than its smallest
//! Bernstein coefficient, which are the areas at both ends and their mixed form between.

use super::{NOBODY, ROUNDING};
use crate::Vec3;
use crate::hierarchy::{MovingBounds, Tree};
use std::ops::Range;

/// What is known of the parts below the nodes of a tree.
#[derive(Default)]
pub(super) struct Cones {
    /// The contour of each node's part in `contours`; empty where the part has holes or is in pieces.
    contour_of: Vec<Range<u32>>,
    contours: Vec<u32>,
    facing: Vec<Facing>,
    contour: Vec<Corner>,
    boxes: Vec<[Flat; 2]>,
    stack: Vec<u32>,
}

/// A box of unit normals, and the least of altitudes, m.
#[derive(Clone, Copy)]
struct Facing {
    low: Vec3,
    high: Vec3,
    height: f64,
}

/// A corner of a contour, projected, at the start and at the end.
type Corner = [[f64; 2]; 2];

/// A rectangle: its least and its largest coordinates.
type Flat = [[f64; 2]; 2];

/// Edges of a contour that are compared together at first.
const CHUNK: usize = 8;

/// Lengths are rounded: they have to be more than needed by this share.
const MORE: f64 = 1.0 + 1e-6;

impl Cones {
    /// Finds the contours of a tree's parts. `edges` has the numbers of the sides of each triangle.
    pub fn new(tree: &Tree<MovingBounds>, triangles: &[[u32; 3]], edges: &[[u32; 3]], points: usize) -> Self {
        let count = edges.iter().flatten().map(|edge| *edge as usize + 1).max().unwrap_or(0);
        let mut times = vec![0u8; count];
        let mut next = vec![NOBODY; points];
        let mut seen = vec![NOBODY; points];
        let mut cones = Self::default();
        for node in 0..tree.len() {
            let first = cones.contours.len();
            let items = tree.items_below(node);
            for t in items {
                edges[*t as usize].iter().for_each(|edge| times[*edge as usize] += 1);
            }
            let (mut vertices, mut sides, mut plain) = (0, 0, true);
            let mut border: Option<(u32, usize)> = None;
            for t in items {
                let v = triangles[*t as usize];
                for k in 0..3 {
                    if seen[v[k] as usize] != node {
                        seen[v[k] as usize] = node;
                        next[v[k] as usize] = NOBODY;
                        vertices += 1;
                    }
                }
            }
            for t in items {
                let v = triangles[*t as usize];
                for k in 0..3 {
                    match times[edges[*t as usize][k] as usize] {
                        1 => {
                            plain &= next[v[k] as usize] == NOBODY;
                            next[v[k] as usize] = v[(k + 1) % 3];
                            border = Some((v[k], border.map_or(1, |(_, count)| count + 1)));
                            sides += 2;
                        }
                        2 => sides += 1,
                        _ => plain = false,
                    }
                }
            }
            for t in items {
                edges[*t as usize].iter().for_each(|edge| times[*edge as usize] = 0);
            }
            // a disk: Euler's number is one, and the border is one loop
            let euler = vertices + items.len() as i64 - sides / 2;
            if let Some((begin, length)) = border.filter(|_| plain && euler == 1) {
                let mut at = begin;
                for _ in 0..length {
                    cones.contours.push(at);
                    at = next[at as usize];
                    if at == begin || at == NOBODY {
                        break;
                    }
                }
                if at != begin || cones.contours.len() - first != length {
                    cones.contours.truncate(first);
                }
            }
            cones.contour_of.push(first as u32..cones.contours.len() as u32);
        }
        cones
    }

    /// Marks the nodes of a tree whose parts do not come nearer to themselves than `near` (m) while all points go
    /// straight from `x` along their `way`.
    pub fn mark(&mut self, tree: &mut Tree<MovingBounds>, triangles: &[[u32; 3]], x: &[Vec3], way: &[Vec3], near: f64) {
        self.face(tree, triangles, x, way);
        tree.skip_none();
        let mut stack = std::mem::take(&mut self.stack);
        stack.clear();
        stack.extend((tree.len() > 0).then_some(0));
        while let Some(node) = stack.pop() {
            if self.is_apart(node, x, way, near) {
                tree.skip(node);
            } else if let Some(children) = tree.children(node) {
                stack.extend(children);
            }
        }
        self.stack = stack;
    }

    /// Collects normals and altitudes, from the leaves to the root.
    fn face(&mut self, tree: &Tree<MovingBounds>, triangles: &[[u32; 3]], x: &[Vec3], way: &[Vec3]) {
        let nothing = Facing { low: Vec3::INFINITY, high: Vec3::NEG_INFINITY, height: f64::INFINITY };
        self.facing.clear();
        self.facing.resize(tree.len() as usize, nothing);
        // children come after their parents
        for node in (0..tree.len()).rev() {
            let parts = match tree.children(node) {
                Some(children) => children.map(|child| self.facing[child as usize]).into_iter().fold(nothing, with),
                None => {
                    tree.items_below(node).iter().map(|t| facing(triangles[*t as usize], x, way)).fold(nothing, with)
                }
            };
            self.facing[node as usize] = parts;
        }
    }

    /// Whether the part below a node stays apart from itself.
    fn is_apart(&mut self, node: u32, x: &[Vec3], way: &[Vec3], near: f64) -> bool {
        let Range { start, end } = self.contour_of[node as usize];
        let Facing { low, high, height } = self.facing[node as usize];
        let n = (low + high).normalize_or_zero();
        let least = (n * low).min(n * high).element_sum();
        // comparisons are such that NaN is not apart
        let faces = least > 0.0 && least * height > near * MORE;
        if start == end || !faces {
            return false;
        }
        let (e, f) = n.any_orthonormal_pair();
        let origin = x[self.contours[start as usize] as usize];
        let flat = |p: Vec3| [e.dot(p), f.dot(p)];
        let mut size = origin.abs().max_element();
        self.contour.clear();
        for v in &self.contours[start as usize..end as usize] {
            let (p, w) = (x[*v as usize] - origin, way[*v as usize]);
            size = size.max(p.abs().max_element()).max(w.abs().max_element());
            self.contour.push([flat(p), flat(p + w)]);
        }
        let near = near * MORE + ROUNDING * size;
        near.is_finite() && least * height > near && self.contour_is_apart(near)
    }

    /// Whether the projected contour stays farther apart from itself than `near`.
    fn contour_is_apart(&mut self, near: f64) -> bool {
        let Self { contour, boxes, .. } = self;
        let count = contour.len();
        let edge = |k: usize| [contour[k], contour[(k + 1) % count]];
        boxes.clear();
        boxes.extend((0..count).step_by(CHUNK).map(|first| {
            let corners = (first..(first + CHUNK).min(count)).flat_map(edge);
            corners.fold([[[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]]; 2], |mut all, corner| {
                for (all, p) in all.iter_mut().zip(corner) {
                    *all = std::array::from_fn(|side| {
                        std::array::from_fn(|k| if side == 0 { all[0][k].min(p[k]) } else { all[1][k].max(p[k]) })
                    });
                }
                all
            })
        }));
        for a in 0..boxes.len() {
            for b in a..boxes.len() {
                if a != b && boxes_are_apart(&boxes[a], &boxes[b], near) {
                    continue;
                }
                for i in a * CHUNK..((a + 1) * CHUNK).min(count) {
                    for j in (b * CHUNK).max(i + 1)..((b + 1) * CHUNK).min(count) {
                        let (one, other) = (edge(i), edge(j));
                        let apart = if j == i + 1 {
                            is_apart(&[one[0]], &other, near) && is_apart(&[other[1]], &one, near)
                        } else if i == 0 && j == count - 1 {
                            is_apart(&[one[1]], &other, near) && is_apart(&[other[0]], &one, near)
                        } else {
                            is_apart(&one, &other, near)
                        };
                        if !apart {
                            return false;
                        }
                    }
                }
            }
        }
        true
    }
}

/// Whether two boxes are apart along the same axis on the same side at the start and at the end.
fn boxes_are_apart(a: &[Flat; 2], b: &[Flat; 2], near: f64) -> bool {
    let beyond = |a: &[Flat; 2], b: &[Flat; 2], k: usize| (0..2).all(|end| a[end][0][k] > b[end][1][k] + near);
    (0..2).any(|k| beyond(a, b, k) || beyond(b, a, k))
}

/// Whether a point or an edge, and an edge, stay farther apart than `near`.
fn is_apart<const N: usize>(one: &[Corner; N], other: &[Corner; 2], near: f64) -> bool {
    let at = |corner: &Corner| corner[0];
    let mut distance = f64::INFINITY;
    for p in one {
        distance = distance.min(from_edge(at(p), other.each_ref().map(at)));
    }
    if let [p, q] = &one[..] {
        for r in other {
            distance = distance.min(from_edge(at(r), [at(p), at(q)]));
        }
        if cross([at(p), at(q)], other.each_ref().map(at)) {
            return false;
        }
    }
    let way = |corner: &Corner| [corner[1][0] - corner[0][0], corner[1][1] - corner[0][1]];
    let mut goes = 0.0f64;
    for p in one {
        for r in other {
            let (v, w) = (way(p), way(r));
            goes = goes.max(length([v[0] - w[0], v[1] - w[1]]));
        }
    }
    distance - goes > near
}

/// Whether two edges in the plane may cross.
fn cross([p, q]: [[f64; 2]; 2], [r, s]: [[f64; 2]; 2]) -> bool {
    let side = |a: [f64; 2], b: [f64; 2], c: [f64; 2]| (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    side(p, q, r) * side(p, q, s) <= 0.0 && side(r, s, p) * side(r, s, q) <= 0.0
}

/// Distance of a point from an edge in the plane.
fn from_edge(p: [f64; 2], [r, s]: [[f64; 2]; 2]) -> f64 {
    let (u, d) = ([s[0] - r[0], s[1] - r[1]], [p[0] - r[0], p[1] - r[1]]);
    let squared = u[0] * u[0] + u[1] * u[1];
    let share = if squared > 0.0 { ((u[0] * d[0] + u[1] * d[1]) / squared).clamp(0.0, 1.0) } else { 0.0 };
    length([d[0] - share * u[0], d[1] - share * u[1]])
}

fn length(d: [f64; 2]) -> f64 {
    (d[0] * d[0] + d[1] * d[1]).sqrt()
}

fn with(a: Facing, b: Facing) -> Facing {
    Facing {
        low: a.low.min(b.low),
        high: a.high.max(b.high),
        height: if a.height < b.height { a.height } else { b.height },
    }
}

/// Unit normals of a triangle on its way, and its least altitude; no altitude where a normal is none.
fn facing(v: [u32; 3], x: &[Vec3], way: &[Vec3]) -> Facing {
    let at = v.map(|v| v as usize);
    let start = [x[at[1]] - x[at[0]], x[at[2]] - x[at[0]]];
    let moves = [way[at[1]] - way[at[0]], way[at[2]] - way[at[0]]];
    let end = [start[0] + moves[0], start[1] + moves[1]];
    let mixed = 0.5 * (start[0].cross(end[1]) + end[0].cross(start[1]));
    let longest = [start, end].map(|[a, b]| a.length_squared().max(b.length_squared()).max((b - a).length_squared()));
    let mut all = Facing { low: Vec3::INFINITY, high: Vec3::NEG_INFINITY, height: f64::INFINITY };
    for normal in [start[0].cross(start[1]), mixed, end[0].cross(end[1])] {
        let length = normal.length();
        let unit = if length > 0.0 { normal / length } else { Vec3::ZERO };
        all = with(all, Facing { low: unit, high: unit, height: length });
    }
    let height = all.height / longest[0].max(longest[1]).sqrt();
    Facing { height: if height > 0.0 { height } else { 0.0 }, ..all }
}
