//! Broad phase of triangle meshes that move: the pairs of a vertex and a triangle, and of two edges, that can come near
//! each other in a step.
//!
//! Every vertex and every edge belongs to one of its triangles, its representative (S. Curtis, R. Tamstorf and D.
//! Manocha, Fast collision detection for deformable models using representative-triangles, I3D 2008). Two triangles
//! whose boxes overlap ask for what they own, so that each pair comes up once and no list has to be searched for
//! doubles.

use crate::Vec3;
use crate::hierarchy::{Bounds, MovingBounds, Tree, Volume};
use crate::narrow::{Points, closest};

/// A mesh with its bounding volume hierarchies: triangles of cloth, which can touch all others, and triangles of
/// bodies, which can touch cloth only.
pub struct Surface {
    triangles: Vec<[u32; 3]>,
    /// Number of triangles that are cloth; those of bodies follow.
    cloth: usize,
    edges: Vec<[u32; 2]>,
    owned: Vec<Owned>,
    /// The two vertices opposite to each edge, or [`NOBODY`].
    opposite: Vec<[u32; 2]>,
    /// The vertices next to each vertex, and where those of each begin.
    neighbours: Vec<u32>,
    first_neighbour: Vec<u32>,
    trees: [Tree<MovingBounds>; 2],
    /// Whether points of bodies rest, and the distance that the boxes of bodies were made for while they did.
    bodies_rest: bool,
    resting: Option<f64>,
    stack: Vec<[u32; 2]>,
}

/// What a triangle represents.
#[derive(Clone, Copy, Default)]
struct Owned {
    /// Whether it represents each of its vertices.
    vertices: [bool; 3],
    /// Edges that it represents, or [`NOBODY`].
    edges: [u32; 3],
}

/// Instead of a number, where there is none.
pub(crate) const NOBODY: u32 = u32::MAX;

/// Distances are rounded: pairs are kept if they might be this share of their size nearer.
const ROUNDING: f64 = 1e-12;

/// Pairs of primitives, in rising order. Primitives that share a vertex are no pairs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairs {
    /// Vertex and triangle.
    pub vertex_face: Vec<[u32; 2]>,
    /// Two edges, numbered as in [`Surface::edges`], the smaller number first.
    pub edge_edge: Vec<[u32; 2]>,
}

impl Surface {
    /// Builds the hierarchy about triangles at positions `x`.
    ///
    /// # Panics
    /// Panics if a triangle refers to a vertex that does not exist.
    pub fn new(x: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        Self::with_bodies(x, triangles, triangles.len())
    }

    /// Builds the hierarchies of cloth, which has the first triangles, and of bodies, which have the others.
    ///
    /// # Panics
    /// Panics if a triangle refers to a vertex that does not exist.
    pub fn with_bodies(x: &[Vec3], triangles: &[[u32; 3]], cloth: usize) -> Self {
        let mut sides: Vec<([u32; 2], u32, u8)> = Vec::with_capacity(3 * triangles.len());
        let mut owned = vec![Owned { vertices: [false; 3], edges: [NOBODY; 3] }; triangles.len()];
        let mut known = vec![false; x.len()];
        for (t, v) in triangles.iter().enumerate() {
            for k in 0..3 {
                owned[t].vertices[k] = !std::mem::replace(&mut known[v[k] as usize], true);
                let (a, b) = (v[k], v[(k + 1) % 3]);
                sides.push(([a.min(b), a.max(b)], t as u32, k as u8));
            }
        }
        sides.sort_unstable();
        let mut edges: Vec<[u32; 2]> = Vec::new();
        let mut opposite: Vec<[u32; 2]> = Vec::new();
        for (edge, t, k) in sides {
            let beyond = triangles[t as usize][(k as usize + 2) % 3];
            if edges.last() == Some(&edge) {
                if let Some(last) = opposite.last_mut() {
                    last[1] = beyond;
                }
            } else {
                owned[t as usize].edges[k as usize] = edges.len() as u32;
                edges.push(edge);
                opposite.push([beyond, NOBODY]);
            }
        }
        let mut pairs: Vec<[u32; 2]> = edges.iter().flat_map(|&[a, b]| [[a, b], [b, a]]).collect();
        pairs.sort_unstable();
        let first_neighbour =
            (0..=x.len()).map(|v| pairs.partition_point(|pair| (pair[0] as usize) < v) as u32).collect();
        let boxes = Bounds::of_triangles(x, triangles);
        let trees = [&boxes[..cloth], &boxes[cloth..]].map(|boxes| Tree::new(boxes).moving());
        Self {
            triangles: triangles.to_vec(),
            cloth,
            edges,
            owned,
            opposite,
            neighbours: pairs.into_iter().map(|pair| pair[1]).collect(),
            first_neighbour,
            trees,
            bodies_rest: false,
            resting: None,
            stack: Vec::new(),
        }
    }

    /// Says whether the points of bodies stay where they are, from now on until they are said to move.
    pub(crate) fn set_bodies_rest(&mut self, rest: bool) {
        self.bodies_rest = rest;
        self.resting = self.resting.filter(|_| rest);
    }

    /// The vertices next to a vertex.
    pub(crate) fn neighbours(&self, vertex: u32) -> &[u32] {
        let v = vertex as usize;
        &self.neighbours[self.first_neighbour[v] as usize..self.first_neighbour[v + 1] as usize]
    }

    /// The vertices opposite to an edge, [`NOBODY`] beyond a border.
    pub(crate) fn opposite(&self, edge: u32) -> [u32; 2] {
        self.opposite[edge as usize]
    }

    /// The edge between corners k and k + 1 of a triangle, if the triangle represents it.
    pub(crate) fn owned_edge(&self, triangle: u32, k: usize) -> Option<u32> {
        Some(self.owned[triangle as usize].edges[k]).filter(|edge| *edge != NOBODY)
    }

    /// Whether a triangle represents its corner k.
    pub(crate) fn owns_vertex(&self, triangle: u32, k: usize) -> bool {
        self.owned[triangle as usize].vertices[k]
    }

    /// The vertices of each triangle.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The two vertices of each edge, the smaller number first, in rising order.
    pub fn edges(&self) -> &[[u32; 2]] {
        &self.edges
    }

    /// The four vertices of a pair of a vertex and a triangle.
    pub fn of_vertex_face(&self, [vertex, face]: [u32; 2]) -> [u32; 4] {
        let [a, b, c] = self.triangles[face as usize];
        [vertex, a, b, c]
    }

    /// The four vertices of a pair of edges.
    pub fn of_edge_edge(&self, [one, other]: [u32; 2]) -> [u32; 4] {
        let ([a, b], [c, d]) = (self.edges[one as usize], self.edges[other as usize]);
        [a, b, c, d]
    }

    /// Finds all pairs that come nearer than `near` (m) in a motion in which all points go straight from `x` along
    /// their
    /// `way` at the same time. No such pair is missing; some pairs that stay farther away are in the list.
    pub fn find(&mut self, x: &[Vec3], way: &[Vec3], near: f64, pairs: &mut Pairs) {
        self.find_among(x, way, near, true, pairs);
    }

    /// As [`Surface::find`]; without `among`, pairs of cloth and cloth are left out.
    pub(crate) fn find_among(&mut self, x: &[Vec3], way: &[Vec3], near: f64, among: bool, pairs: &mut Pairs) {
        pairs.vertex_face.clear();
        pairs.edge_edge.clear();
        self.refit(x, way, near);
        let Self { triangles, cloth, edges, owned, trees, stack, .. } = self;
        let mut compare = |a: u32, b: u32| compare(triangles, edges, owned, [a, b], x, way, near, pairs);
        let [own, bodies] = trees;
        if among {
            own.each_pair(stack, &mut compare);
        }
        let first_body = *cloth as u32;
        own.each_pair_with(bodies, stack, |a, b| compare(a, first_body + b));
        pairs.sort();
    }

    /// Adds the pairs of some triangles to a list, as [`Surface::find`] would find them.
    pub(crate) fn find_more(
        &mut self,
        x: &[Vec3],
        way: &[Vec3],
        near: f64,
        among: bool,
        chosen: &[u32],
        pairs: &mut Pairs,
    ) {
        self.refit(x, way, near);
        let Self { triangles, cloth, edges, owned, trees, .. } = self;
        let first_body = *cloth as u32;
        for &a in chosen {
            let bounds = bounds(triangles[a as usize], x, way, near);
            let mut with = |b: u32| {
                if a != b {
                    compare(triangles, edges, owned, [a, b], x, way, near, pairs);
                }
            };
            if among || a >= first_body {
                trees[0].each_overlap(&bounds, &mut with);
            }
            if a < first_body {
                trees[1].each_overlap(&bounds, |b| with(first_body + b));
            }
        }
        pairs.sort();
        pairs.vertex_face.dedup();
        pairs.edge_edge.dedup();
    }

    fn refit(&mut self, x: &[Vec3], way: &[Vec3], near: f64) {
        let Self { triangles, cloth, trees: [own, bodies], bodies_rest, resting, .. } = self;
        own.refit(|t| bounds(triangles[t as usize], x, way, near));
        if *resting != Some(near) {
            let first = *cloth as u32;
            bodies.refit(|t| bounds(triangles[(first + t) as usize], x, way, near));
            *resting = Some(near).filter(|_| *bodies_rest);
        }
    }
}

impl Pairs {
    fn sort(&mut self) {
        self.vertex_face.sort_unstable();
        self.edge_edge.sort_unstable();
    }
}

/// The box about a triangle that moves.
fn bounds(triangle: [u32; 3], x: &[Vec3], way: &[Vec3], near: f64) -> MovingBounds {
    let at = triangle.map(|v| v as usize);
    let half = 0.5 * near * (1.0 + ROUNDING);
    let start = Bounds::of(&at.map(|v| x[v])).grown(half);
    MovingBounds { start, end: Bounds::of(&at.map(|v| x[v] + way[v])).grown(half) }
}

/// Adds the pairs that two triangles represent.
#[allow(clippy::too_many_arguments)]
fn compare(
    triangles: &[[u32; 3]],
    edges: &[[u32; 2]],
    owned: &[Owned],
    [a, b]: [u32; 2],
    x: &[Vec3],
    way: &[Vec3],
    near: f64,
    pairs: &mut Pairs,
) {
    for (one, other) in [(a, b), (b, a)] {
        let face = triangles[other as usize];
        for (k, &vertex) in triangles[one as usize].iter().enumerate() {
            if owned[one as usize].vertices[k] && !face.contains(&vertex) {
                let [p, q, r] = face;
                if comes_near::<1>([vertex, p, q, r], x, way, near) {
                    pairs.vertex_face.push([vertex, other]);
                }
            }
        }
    }
    let of = |t: u32| owned[t as usize].edges.into_iter().filter(|edge| *edge != NOBODY);
    for one in of(a) {
        for other in of(b) {
            let ([p, q], [r, s]) = (edges[one as usize], edges[other as usize]);
            let apart = p != r && p != s && q != r && q != s;
            if apart && comes_near::<2>([p, q, r, s], x, way, near) {
                pairs.edge_edge.push([one.min(other), one.max(other)]);
            }
        }
    }
}

/// Whether a pair can come nearer than `near`: points that go straight at the same time change their distance by no
/// more than the difference of their ways.
fn comes_near<const A: usize>(at: [u32; 4], x: &[Vec3], way: &[Vec3], near: f64) -> bool {
    let points: Points = at.map(|v| x[v as usize]);
    let ways: Points = at.map(|v| way[v as usize]);
    let mut farthest = 0.0f64;
    for i in 0..A {
        for j in A..4 {
            farthest = farthest.max((ways[i] - ways[j]).length_squared());
        }
    }
    let reach = near + farthest.sqrt();
    // most pairs are apart along an axis
    let side = |range: std::ops::Range<usize>| Bounds::of(&points[range]);
    let size = points.iter().map(|p| (*p - points[0]).abs().max_element()).fold(0.0, f64::max);
    if !side(0..A).grown(reach + ROUNDING * size).overlaps(&side(A..4)) {
        return false;
    }
    let weights = if A == 1 { closest::vertex_face(points) } else { closest::edge_edge(points) };
    let distance = closest::difference::<A>(&points, weights).length();
    // what is no number is near
    distance * (1.0 - ROUNDING) <= reach + ROUNDING * size || distance.is_nan()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::random::signed;

    /// Layers of n × n cells one above the other, `gap` (m) apart, with edges of 1 cm.
    pub fn stack(layers: u32, n: u32, gap: f64) -> (Vec<Vec3>, Vec<[u32; 3]>) {
        let (mut x, mut triangles) = (Vec::new(), Vec::new());
        for layer in 0..layers {
            let first = x.len() as u32;
            for k in 0..(n + 1) * (n + 1) {
                x.push(Vec3::new(0.01 * f64::from(k % (n + 1)), gap * f64::from(layer), 0.01 * f64::from(k / (n + 1))));
            }
            for k in 0..n * n {
                let a = first + k % n + (k / n) * (n + 1);
                let b = a + n + 1;
                triangles.extend([[a, a + 1, b], [a + 1, b + 1, b]]);
            }
        }
        (x, triangles)
    }

    pub fn random(seed: u64, count: usize, size: f64) -> Vec<Vec3> {
        let r = |i: usize, d: usize| signed(seed, (3 * i + d) as u64) * size;
        (0..count).map(|i| Vec3::new(r(i, 0), r(i, 1), r(i, 2))).collect()
    }

    /// Every vertex with every triangle, and every edge with every edge.
    fn brute_force(surface: &Surface, x: &[Vec3], way: &[Vec3], near: f64) -> Pairs {
        let mut pairs = Pairs::default();
        for vertex in 0..x.len() as u32 {
            for face in 0..surface.triangles.len() as u32 {
                let at = surface.of_vertex_face([vertex, face]);
                if !at[1..].contains(&vertex) && comes_near::<1>(at, x, way, near) {
                    pairs.vertex_face.push([vertex, face]);
                }
            }
        }
        for other in 0..surface.edges.len() as u32 {
            for one in 0..other {
                let at = surface.of_edge_edge([one, other]);
                let apart = !at[2..].contains(&at[0]) && !at[2..].contains(&at[1]);
                if apart && comes_near::<2>(at, x, way, near) {
                    pairs.edge_edge.push([one, other]);
                }
            }
        }
        pairs.edge_edge.sort_unstable();
        pairs
    }

    /// Sheets that are flat, folded and crumpled, with ways of many sizes.
    #[test]
    fn the_hierarchy_finds_what_brute_force_finds() {
        for seed in 0..40u64 {
            let (mut x, triangles) = stack(2, 5, 0.003);
            let mut surface = Surface::new(&x, &triangles);
            let crumple = [0.0, 0.001, 0.01, 0.05][seed as usize % 4];
            for (p, by) in x.iter_mut().zip(random(seed, 72, crumple)) {
                if seed % 3 == 0 {
                    p.x = (p.x - 0.025).abs(); // a fold
                }
                *p += by;
            }
            let way = random(seed + 100, x.len(), [0.0, 0.002, 0.02][seed as usize % 3]);
            let near = [0.0, 0.002, 0.01][(seed / 3) as usize % 3];
            let mut found = Pairs::default();
            surface.find(&x, &way, near, &mut found);
            let all = brute_force(&surface, &x, &way, near);
            // boxes are finer than the bound on distances, so brute force may keep more, but never what comes near
            for (kind, (found, all)) in
                [(&found.vertex_face, &all.vertex_face), (&found.edge_edge, &all.edge_edge)].into_iter().enumerate()
            {
                assert!(found.windows(2).all(|w| w[0] < w[1]), "{seed}: a pair twice");
                assert!(found.iter().all(|pair| all.binary_search(pair).is_ok()), "{seed}: a pair too many");
                for pair in all.iter().filter(|pair| found.binary_search(pair).is_err()) {
                    let at = if kind == 0 { surface.of_vertex_face(*pair) } else { surface.of_edge_edge(*pair) };
                    let distance = least_distance(kind, at, &x, &way);
                    assert!(distance > near, "{seed}: {pair:?} comes to {distance} m and was missed");
                }
            }
            // without ways there are no two bounds: the lists are equal, but for pairs that touch up to rounding
            if near > 0.0 && way.iter().all(|w| *w == Vec3::ZERO) {
                assert!(found == all && !found.vertex_face.is_empty(), "{seed}");
            }
        }
    }

    /// The least distance at many moments.
    fn least_distance(kind: usize, at: [u32; 4], x: &[Vec3], way: &[Vec3]) -> f64 {
        let moments = 400;
        (0..=moments).fold(f64::INFINITY, |least, k| {
            let t = f64::from(k) / f64::from(moments);
            let points: Points = at.map(|i| x[i as usize] + way[i as usize] * t);
            let distance = match kind {
                0 => closest::difference::<1>(&points, closest::vertex_face(points)).length(),
                _ => closest::difference::<2>(&points, closest::edge_edge(points)).length(),
            };
            least.min(distance)
        })
    }
}
