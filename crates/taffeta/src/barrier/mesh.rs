//! Contacts of a vertex and a triangle, and of two edges: of cloth with cloth and with bodies that are meshes.
//!
//! Every closest point belongs to one feature (face, edge or vertex) and is counted once, by the triangle that
//! represents the feature, and only where the other point lies in the feature's own part of space (A. H. Chen et al.,
//! Offset Geometric Contact, ACM Trans. Graph. 44, 2025, Sec. 3): forces are orthogonal to the surface.

use crate::Vec3;
use crate::broad::{NOBODY, Surface};
use crate::narrow::{Points, closest};
use crate::state::{ContactKey, ContactKind};

/// A pair of primitives whose closest points are a contact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Near {
    pub key: ContactKey,
    /// Points of both primitives.
    pub points: [u32; 4],
    /// Weights, positive on the first side.
    pub weights: [f64; 4],
    pub normal: Vec3,
    pub gap: f64,
}

/// The closest points of two primitives.
struct Closest {
    near: Near,
    /// Whether they are a contact: no other pair of primitives represents them.
    counts: bool,
}

/// Where points are, and where they are expected at the end of the step.
#[derive(Clone, Copy)]
pub(crate) struct Places<'a> {
    pub at: &'a [Vec3],
    pub end: &'a [Vec3],
    /// Primitives that move farther against each other than this, m, have the contact that they will have at the end.
    pub slides: f64,
}

/// The contact of a vertex and a triangle.
pub(crate) fn vertex_face(surface: &Surface, pair: [u32; 2], places: &Places) -> Option<Near> {
    let points = surface.of_vertex_face(pair);
    contact::<1>(points, places, |x| closest_of_vertex_face(surface, pair, x))
}

/// The contact of two edges: only between inner points, since the ends are vertices.
pub(crate) fn edge_edge(surface: &Surface, pair: [u32; 2], places: &Places) -> Option<Near> {
    let points = surface.of_edge_edge(pair);
    contact::<2>(points, places, |x| closest_of_edges(surface, pair, x))
}

/// The contact of two primitives that slide past each other is that at the end of the step, where the normals here
/// would make them collide with what they pass. If they would go through each other, it is the one here.
fn contact<const A: usize>(
    points: [u32; 4],
    places: &Places,
    closest: impl Fn(&[Vec3]) -> Option<Closest>,
) -> Option<Near> {
    let Places { at, end, slides } = *places;
    let way = |p: u32| end[p as usize] - at[p as usize];
    if points.iter().any(|p| (way(*p) - way(points[0])).length_squared() > slides * slides)
        && let Some(Closest { near, counts }) = closest(end)
    {
        let difference: Vec3 = (0..4).map(|k| at[points[k] as usize] * near.weights[k]).sum();
        let gap = near.normal.dot(difference);
        if gap > 0.0 {
            return counts.then_some(Near { gap, ..near });
        }
    }
    closest(at).filter(|found| found.counts).map(|found| found.near)
}

fn closest_of_vertex_face(surface: &Surface, pair: [u32; 2], x: &[Vec3]) -> Option<Closest> {
    let points = surface.of_vertex_face(pair);
    let at: Points = points.map(|p| x[p as usize]);
    let w = closest::vertex_face(at);
    let difference = closest::difference::<1>(&at, w);
    let gap = difference.length();
    if gap <= 0.0 {
        return None; // they touch: there is no normal, and the guard lets none of their points move
    }
    let [vertex, face] = pair;
    let corners = [points[1], points[2], points[3]];
    let touched = [w[1], w[2], w[3]].map(|w| w > 0.0);
    let counts = match touched.iter().filter(|used| **used).count() {
        3 => true,
        2 => {
            let owned = (0..3).find(|k| touched[*k] && touched[(k + 1) % 3]).and_then(|k| surface.owned_edge(face, k));
            // a vertex within a flat surface is no obstacle for the border of another one that slides over it
            let touching = at[0] - difference;
            owned.is_some_and(|edge| beyond_edge(surface, edge, at[0], x, 0.0))
                && beyond_vertex(surface, vertex, touching, x, ASIDE)
        }
        _ => {
            let k = touched.iter().position(|used| *used)?;
            let corner = corners[k];
            // two vertices: counted once
            let once = surface.owns_vertex(face, k) && vertex < corner;
            once && beyond_vertex(surface, corner, at[0], x, 0.0) && beyond_vertex(surface, vertex, at[k + 1], x, 0.0)
        }
    };
    let key = ContactKey { kind: ContactKind::VertexFace, pair };
    let near = Near { key, points, weights: [1.0, -w[1], -w[2], -w[3]], normal: difference / gap, gap };
    Some(Closest { near, counts })
}

fn closest_of_edges(surface: &Surface, pair: [u32; 2], x: &[Vec3]) -> Option<Closest> {
    let points = surface.of_edge_edge(pair);
    let at: Points = points.map(|p| x[p as usize]);
    let w = closest::edge_edge(at);
    let difference = closest::difference::<2>(&at, w);
    let gap = difference.length();
    if gap <= 0.0 {
        return None;
    }
    // edges that are nearly parallel have closest points far aside, which faces are nearer to
    let [one, other] = pair;
    let (first, second) = (at[0] * w[0] + at[1] * w[1], at[2] * w[2] + at[3] * w[3]);
    let counts = w.iter().all(|w| *w > 0.0)
        && beyond_edge(surface, one, second, x, ASIDE)
        && beyond_edge(surface, other, first, x, ASIDE);
    let key = ContactKey { kind: ContactKind::EdgeEdge, pair };
    let near = Near { key, points, weights: [w[0], w[1], -w[2], -w[3]], normal: difference / gap, gap };
    Some(Closest { near, counts })
}

/// Cosine of the angle to a face by which a point may lie on its side of an edge. Above a flat edge a point is exactly
/// on the border, up to rounding.
const ASIDE: f64 = 0.1;

/// Whether a point lies beyond an edge, for both of its triangles, up to the cosine `aside`.
fn beyond_edge(surface: &Surface, edge: u32, p: Vec3, x: &[Vec3], aside: f64) -> bool {
    let [a, b] = surface.edges()[edge as usize].map(|v| x[v as usize]);
    let along = b - a;
    surface.opposite(edge).into_iter().filter(|o| *o != NOBODY).all(|o| {
        let o = x[o as usize];
        let foot = a + along * ((o - a).dot(along) / along.length_squared());
        let (to, away) = (p - foot, foot - o);
        to.dot(away) >= -aside * (to - along * (to.dot(along) / along.length_squared())).length() * away.length()
    })
}

/// Whether a point lies in the normal cone of a vertex, up to the cosine `aside`.
fn beyond_vertex(surface: &Surface, vertex: u32, p: Vec3, x: &[Vec3], aside: f64) -> bool {
    let v = x[vertex as usize];
    surface.neighbours(vertex).iter().all(|next| {
        let (to, away) = (p - v, v - x[*next as usize]);
        to.dot(away) >= -aside * to.length() * away.length()
    })
}
