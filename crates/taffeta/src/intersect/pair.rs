//! Tests whether two triangles meet. They are closed sets, so touching counts.
//!
//! Two triangles meet if and only if an edge of one meets the other. Their common part is convex; if it does not end at
//! an edge of one, it is the whole of that triangle, edges included.

use super::predicate::{View, side_of_plane};
use crate::Vec3;
use std::cmp::Ordering::{self, Equal};

/// Whether two triangles have a point in common. Exact, for degenerate triangles too.
pub fn triangles_meet(a: [Vec3; 3], b: [Vec3; 3]) -> bool {
    let between = b.iter().sum::<Vec3>() - a.iter().sum::<Vec3>();
    if a.iter().all(|p| b.iter().all(|q| is_ahead(between, *p, *q))) {
        return false;
    }
    if separated(a, b) || separated(b, a) {
        return false;
    }
    edges(a).any(|edge| edge_meets(edge, b)) || edges(b).any(|edge| edge_meets(edge, a))
}

/// Whether two triangles of a mesh have a point in common besides the vertices and the edge that they share.
pub(crate) fn neighbours_meet(x: &[Vec3], a: [u32; 3], b: [u32; 3]) -> bool {
    let at = |t: [u32; 3]| t.map(|v| x[v as usize]);
    let turned = |t: [u32; 3], first: usize| [t[first], t[(first + 1) % 3], t[(first + 2) % 3]];
    // the corners are rotated so that the shared or the lone vertex comes first
    let shared_of = |t: [u32; 3], other: [u32; 3]| t.map(|v| other.contains(&v));
    let shared = shared_of(a, b);
    match shared.iter().filter(|shared| **shared).count() {
        0 => triangles_meet(at(a), at(b)),
        1 => {
            let first = |t: [u32; 3], other| turned(t, shared_of(t, other).iter().position(|s| *s).unwrap_or(0));
            let (p, q) = (at(first(a, b)), at(first(b, a)));
            // a plane through the shared vertex may separate the triangles
            let (a, ahead) = (p[0], (q[1] + q[2] - 2.0 * p[0]).normalize_or_zero());
            let across = ahead - (p[1] + p[2] - 2.0 * a).normalize_or_zero();
            if (1..3).all(|i| is_ahead(across, p[i], a) && is_ahead(across, a, q[i])) {
                return false;
            }
            // otherwise they meet along a line from the shared vertex, which ends at the opposite edge of one of them
            edge_meets([p[1], p[2]], q) || edge_meets([q[1], q[2]], p)
        }
        2 => {
            let lone = |t: [u32; 3], other| turned(t, shared_of(t, other).iter().position(|s| !*s).unwrap_or(0));
            let (p, q) = (at(lone(a, b)), at(lone(b, a)));
            folded_flat([p[1], p[2]], p[0], q[0])
        }
        _ => true,
    }
}

/// Whether q is certainly farther along a direction than p: by more than the rounding error. This separates most pairs,
/// also those on one plane, for which exact signs are slow.
fn is_ahead(direction: Vec3, p: Vec3, q: Vec3) -> bool {
    let way = q - p;
    // three products of differences and two sums have a rounding error of less than 8 units of 2^-53
    direction.dot(way) > 1e-14 * direction.abs().dot(way.abs())
}

/// Whether all corners of a triangle are on one side of the plane of another.
fn separated(a: [Vec3; 3], b: [Vec3; 3]) -> bool {
    let sides = a.map(|p| side_of_plane(b, p));
    sides[0] != Equal && sides[0] == sides[1] && sides[1] == sides[2]
}

/// Whether two triangles with a common edge lie on each other.
fn folded_flat([a, b]: [Vec3; 2], p: Vec3, q: Vec3) -> bool {
    let same_side = |view: View| {
        let side = view.side_of_line(a, b, p);
        side != Equal && side == view.side_of_line(a, b, q)
    };
    View::ALL.into_iter().any(same_side) && side_of_plane([a, b, p], q) == Equal
}

fn edges([a, b, c]: [Vec3; 3]) -> impl Iterator<Item = [Vec3; 2]> {
    [[a, b], [b, c], [c, a]].into_iter()
}

/// Whether an edge and a triangle have a point in common.
fn edge_meets([p, q]: [Vec3; 2], t: [Vec3; 3]) -> bool {
    let (first, second) = (side_of_plane(t, p), side_of_plane(t, q));
    if first == Equal && second == Equal {
        return edge_meets_in_plane([p, q], t);
    }
    // the edge's line meets the plane in one point, which is inside if the line passes all sides of the triangle alike
    first != second && all_alike(edges(t).map(|[a, b]| side_of_plane([p, q, a], b)))
}

/// Whether an edge and a triangle meet if all points are on one plane, or if the triangle is a line.
fn edge_meets_in_plane(edge: [Vec3; 2], t: [Vec3; 3]) -> bool {
    if edges(t).any(|side| segments_meet(edge, side)) {
        return true;
    }
    // an edge that meets no side is inside or outside as a whole
    let wide = View::ALL.into_iter().find(|view| view.side_of_line(t[0], t[1], t[2]) != Equal);
    wide.is_some_and(|view| all_alike(edges(t).map(|[a, b]| view.side_of_line(a, b, edge[0]))))
}

/// Whether two segments have a point in common.
fn segments_meet([a, b]: [Vec3; 2], [c, d]: [Vec3; 2]) -> bool {
    if side_of_plane([a, b, c], d) != Equal {
        return false;
    }
    let on_a_line = |view: View| {
        let line = |p, q, r| view.side_of_line(p, q, r) == Equal;
        line(a, b, c) && line(a, b, d) && line(c, d, a) && line(c, d, b)
    };
    match View::ALL.into_iter().find(|view| !on_a_line(*view)) {
        Some(view) => {
            let parted = |a, b, c, d| {
                let (first, second) = (view.side_of_line(a, b, c), view.side_of_line(a, b, d));
                first != Equal && first == second
            };
            !parted(a, b, c, d) && !parted(c, d, a, b)
        }
        // segments on one line, or points, meet if they overlap along every axis
        None => a.min(b).cmple(c.max(d)).all() && c.min(d).cmple(a.max(b)).all(),
    }
}

/// Whether no two of the signs are opposite.
fn all_alike(signs: impl Iterator<Item = Ordering>) -> bool {
    let (mut less, mut greater) = (false, false);
    for sign in signs {
        less |= sign == Ordering::Less;
        greater |= sign == Ordering::Greater;
    }
    !(less && greater)
}
