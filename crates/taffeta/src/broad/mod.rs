//! Broad phase of triangle meshes that move: the pairs of a vertex and a triangle, and of two edges, that can come near
//! each other in a step.
//!
//! Every vertex and every edge belongs to one of its triangles, its representative (S. Curtis, R. Tamstorf and D.
//! Manocha, Fast collision detection for deformable models using representative-triangles, I3D 2008). Two triangles
//! whose boxes overlap ask for what they own, so that each pair comes up once and no list has to be searched for
//! doubles.

mod cones;

use crate::Vec3;
use crate::hierarchy::{Bounds, MovingBounds, Tree, Volume};
use crate::narrow::{Points, closest};
use cones::Cones;
use rayon::prelude::*;

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
    ignored: Ignored,
    trees: [Tree<MovingBounds>; 2],
    /// Which parts of the cloth stay apart from themselves.
    cones: Cones,
    /// Whether points of bodies rest, and the distance that the boxes of bodies were made for while they did.
    bodies_rest: bool,
    resting: Option<f64>,
    /// Pairs of nodes, below which tasks search.
    stack: Vec<[u32; 2]>,
    tasks: Vec<Task>,
}

/// A part of a search.
#[derive(Default)]
struct Task {
    pairs: Pairs,
    stack: Vec<[u32; 2]>,
}

/// Parts of a search, at least, if there are so many.
const TASKS: usize = 64;

/// Meshes with fewer triangles are searched by one thread.
const ALONE: usize = 2000;

/// What a triangle represents.
#[derive(Clone, Copy, Default)]
struct Owned {
    /// Whether it represents each of its vertices.
    vertices: [bool; 3],
    /// Edges that it represents, or [`NOBODY`].
    edges: [u32; 3],
}

/// Groups of triangles that do not collide.
#[derive(Clone, Debug, Default)]
struct Ignored {
    /// The group of each triangle; empty if all collide.
    groups: Vec<u32>,
    pairs: Vec<[u32; 2]>,
}

impl Ignored {
    #[inline]
    fn contains(&self, triangles: [u32; 2]) -> bool {
        !self.pairs.is_empty() && {
            let [a, b] = triangles.map(|t| self.groups[t as usize]);
            self.pairs.contains(&[a.min(b), a.max(b)])
        }
    }
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
        let mut side_edges = vec![[NOBODY; 3]; triangles.len()];
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
            side_edges[t as usize][k as usize] = edges.len() as u32 - 1;
        }
        let mut pairs: Vec<[u32; 2]> = edges.iter().flat_map(|&[a, b]| [[a, b], [b, a]]).collect();
        pairs.sort_unstable();
        let first_neighbour =
            (0..=x.len()).map(|v| pairs.partition_point(|pair| (pair[0] as usize) < v) as u32).collect();
        let boxes = Bounds::of_triangles(x, triangles);
        let trees = [&boxes[..cloth], &boxes[cloth..]].map(|boxes| Tree::new(boxes).moving());
        let cones = Cones::new(&trees[0], triangles, &side_edges, x.len());
        Self {
            triangles: triangles.to_vec(),
            cloth,
            edges,
            owned,
            opposite,
            neighbours: pairs.into_iter().map(|pair| pair[1]).collect(),
            first_neighbour,
            trees,
            cones,
            bodies_rest: false,
            ignored: Ignored::default(),
            resting: None,
            stack: Vec::new(),
            tasks: Vec::new(),
        }
    }

    /// Leaves out all pairs of some groups of triangles; the group of each triangle is given.
    pub(crate) fn ignore(&mut self, groups: Vec<u32>, pairs: &[[usize; 2]]) {
        self.ignored = Ignored { groups, pairs: pairs.iter().map(|pair| pair.map(|group| group as u32)).collect() };
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

    /// Finds all pairs that come nearer than `near` (m) while all points go straight and evenly from `x` along their
    /// `way`. The list may have some pairs too that stay farther away.
    pub fn find(&mut self, x: &[Vec3], way: &[Vec3], near: f64, pairs: &mut Pairs) {
        self.search(x, way, [near; 2], true, pairs);
        pairs.sort();
    }

    /// As [`Surface::find`], in any order; without `among`, pairs of cloth and cloth are left out. The first distance
    /// is that of boxes, the second is that of closest points at the start: see [`meets`].
    pub(crate) fn search(&mut self, x: &[Vec3], way: &[Vec3], near: [f64; 2], among: bool, pairs: &mut Pairs) {
        pairs.clear();
        self.refit(x, way, near[0]);
        let Self { triangles, cloth, edges, owned, ignored, trees: [own, bodies], cones, tasks, stack, .. } = self;
        if among {
            cones.mark(own, triangles, x, way, near[0]);
        }
        let mesh = Compared { triangles, edges, owned, ignored, x, way, near };
        stack.clear();
        if among {
            own.split(TASKS, stack);
        }
        let between = stack.len();
        own.split_with(bodies, TASKS, stack);
        if tasks.len() < stack.len() {
            tasks.resize_with(stack.len(), Task::default);
        }
        let first_body = *cloth as u32;
        let run = |(number, (task, nodes)): (usize, (&mut Task, &[u32; 2]))| {
            let Task { pairs, stack } = task;
            pairs.clear();
            let (other, first) = if number < between { (&*own, 0) } else { (&*bodies, first_body) };
            let mut found = |a: u32, b: u32, one: &MovingBounds, its: &MovingBounds| {
                mesh.compare([a, first + b], [one, its], pairs);
            };
            if number < between {
                own.each_pair_below(*nodes, stack, &mut found);
            } else {
                own.each_pair_with_below(other, *nodes, stack, &mut found);
            }
        };
        if triangles.len() > ALONE {
            tasks.par_iter_mut().zip(&*stack).enumerate().for_each(run);
        } else {
            tasks.iter_mut().zip(&*stack).enumerate().for_each(run);
        }
        for task in &tasks[..stack.len()] {
            pairs.vertex_face.extend_from_slice(&task.pairs.vertex_face);
            pairs.edge_edge.extend_from_slice(&task.pairs.edge_edge);
        }
    }

    /// Adds the pairs of some triangles to a list, as [`Surface::search`] would find them, while the other triangles
    /// move as in the last search or [`Surface::refit`]. Some pairs may be there already.
    pub(crate) fn add_pairs(
        &mut self,
        x: &[Vec3],
        way: &[Vec3],
        near: [f64; 2],
        among: bool,
        chosen: &[u32],
        pairs: &mut Pairs,
    ) {
        let Self { triangles, cloth, edges, owned, ignored, trees, .. } = self;
        let mesh = Compared { triangles, edges, owned, ignored, x, way, near };
        let first_body = *cloth as u32;
        for &a in chosen.iter().filter(|a| **a < first_body) {
            trees[0].replace(a, bounds(triangles[a as usize], x, way, near[0]));
        }
        for &a in chosen {
            let own = bounds(triangles[a as usize], x, way, near[0]);
            let mut with = |b: u32, its: &MovingBounds| {
                if a != b {
                    mesh.compare([a, b], [&own, its], pairs);
                }
            };
            if among || a >= first_body {
                trees[0].each_overlap(&own, &mut with);
            }
            if a < first_body {
                trees[1].each_overlap(&own, |b, its| with(first_body + b, its));
            }
        }
    }

    /// Makes the boxes about all triangles while points go from `x` along their `way`.
    pub(crate) fn refit(&mut self, x: &[Vec3], way: &[Vec3], near: f64) {
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
    fn clear(&mut self) {
        self.vertex_face.clear();
        self.edge_edge.clear();
    }

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

/// A mesh in motion, whose triangles are compared.
struct Compared<'a> {
    triangles: &'a [[u32; 3]],
    edges: &'a [[u32; 2]],
    owned: &'a [Owned],
    ignored: &'a Ignored,
    x: &'a [Vec3],
    way: &'a [Vec3],
    near: [f64; 2],
}

impl Compared<'_> {
    /// Adds the pairs that two triangles represent, from the boxes about both.
    fn compare(&self, [a, b]: [u32; 2], [one, other]: [&MovingBounds; 2], pairs: &mut Pairs) {
        if self.ignored.contains([a, b]) {
            return;
        }
        // what a triangle owns and is in the other's box
        for ([a, b], its) in [([a, b], other), ([b, a], one)] {
            let face = self.triangles[b as usize];
            let owned = &self.owned[a as usize].vertices;
            for (k, &vertex) in self.triangles[a as usize].iter().enumerate() {
                let v = vertex as usize;
                let near = || its.may_hold(&[self.x[v]], &[self.x[v] + self.way[v]], 0.5 * self.near[0]);
                if owned[k] && !face.contains(&vertex) && near() {
                    let [p, q, r] = face;
                    if self.comes_near::<1>([vertex, p, q, r]) {
                        pairs.vertex_face.push([vertex, b]);
                    }
                }
            }
        }
        let near = |t: u32, its: &MovingBounds| {
            self.owned[t as usize].edges.map(|edge| {
                if edge == NOBODY {
                    return NOBODY;
                }
                let at = self.edges[edge as usize].map(|v| v as usize);
                let ends = at.map(|v| self.x[v] + self.way[v]);
                if its.may_hold(&at.map(|v| self.x[v]), &ends, 0.5 * self.near[0]) { edge } else { NOBODY }
            })
        };
        let (first, second) = (near(a, other), near(b, one));
        for one in first.into_iter().filter(|edge| *edge != NOBODY) {
            for other in second.into_iter().filter(|edge| *edge != NOBODY) {
                let ([p, q], [r, s]) = (self.edges[one as usize], self.edges[other as usize]);
                let disjoint = p != r && p != s && q != r && q != s;
                if disjoint && self.comes_near::<2>([p, q, r, s]) {
                    pairs.edge_edge.push([one.min(other), one.max(other)]);
                }
            }
        }
    }

    fn comes_near<const A: usize>(&self, at: [u32; 4]) -> bool {
        may_meet::<A>(&at.map(|v| self.x[v as usize]), &at.map(|v| self.way[v as usize]), self.near)
    }
}

/// Whether a pair can come nearer than `near` while its points go their ways: points that go straight at the same time
/// change their distance by no more than the difference of their ways, and boxes that are separate along an axis at
/// both ends are so always. The first distance is that of boxes, the second that of closest points.
#[inline]
fn may_meet<const A: usize>(points: &Points, ways: &Points, near: [f64; 2]) -> bool {
    !boxes_are_apart::<A>(points, ways, near[0]) && {
        let size = size(points);
        let distance = distance::<A>(points);
        // where the distance is NaN the pair counts as near
        distance * (1.0 - ROUNDING) <= near[1] + farthest::<A>(ways) + ROUNDING * size || distance.is_nan()
    }
}

/// How much nearer than asked for a pair may be left as it is, as a share of the distance.
const NEARLY: f64 = 0.01;

/// Whether a pair comes nearer than `near` while its points go their ways, or nearly so: the time goes on by as much as
/// the pair needs at least, until it is near or the way is over (conservative advancement). No pair that stays farther
/// apart counts, so that results do not depend on which pairs of these are looked at.
#[inline]
pub(crate) fn meets<const A: usize>(points: &Points, ways: &Points, near: f64) -> bool {
    if near <= 0.0 {
        return may_meet::<A>(points, ways, [near; 2]);
    }
    if boxes_are_apart::<A>(points, ways, near) {
        return false;
    }
    let most = farthest::<A>(ways);
    let (mut time, mut at) = (0.0, *points);
    loop {
        let room = distance::<A>(&at) - near;
        // NaN counts as near
        if room.is_nan() || room <= NEARLY * near {
            return true;
        }
        time += room / most;
        // without a motion this is infinite
        if time.is_nan() || time > 1.0 {
            return false;
        }
        at = std::array::from_fn(|i| points[i] + ways[i] * time);
    }
}

/// Whether the boxes about two primitives, grown by half of `near`, are apart along the same axis at both ends.
#[inline]
fn boxes_are_apart<const A: usize>(points: &Points, ways: &Points, near: f64) -> bool {
    let ends: Points = std::array::from_fn(|i| points[i] + ways[i]);
    let half = 0.5 * near * (1.0 + ROUNDING) + ROUNDING * size(points);
    let side = |range: std::ops::Range<usize>| MovingBounds {
        start: Bounds::of(&points[range.clone()]).grown(half),
        end: Bounds::of(&ends[range]).grown(half),
    };
    !side(0..A).overlaps(&side(A..4))
}

fn size(points: &Points) -> f64 {
    points.iter().map(|p| (*p - points[0]).abs().max_element()).fold(0.0, f64::max)
}

/// The distance of two primitives, m.
fn distance<const A: usize>(points: &Points) -> f64 {
    let weights = if A == 1 { closest::vertex_face(*points) } else { closest::edge_edge(*points) };
    closest::difference::<A>(points, weights).length()
}

/// The largest difference of the ways of two primitives, m.
fn farthest<const A: usize>(ways: &Points) -> f64 {
    let mut farthest = 0.0f64;
    for i in 0..A {
        for j in A..4 {
            farthest = farthest.max((ways[i] - ways[j]).length_squared());
        }
    }
    farthest.sqrt()
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

    fn near_by<const A: usize>(at: [u32; 4], x: &[Vec3], way: &[Vec3], near: f64) -> bool {
        may_meet::<A>(&at.map(|v| x[v as usize]), &at.map(|v| way[v as usize]), [near; 2])
    }

    /// Every vertex with every triangle, and every edge with every edge.
    fn brute_force(surface: &Surface, x: &[Vec3], way: &[Vec3], near: f64) -> Pairs {
        let mut pairs = Pairs::default();
        for vertex in 0..x.len() as u32 {
            for face in 0..surface.triangles.len() as u32 {
                let at = surface.of_vertex_face([vertex, face]);
                if !at[1..].contains(&vertex) && near_by::<1>(at, x, way, near) {
                    pairs.vertex_face.push([vertex, face]);
                }
            }
        }
        for other in 0..surface.edges.len() as u32 {
            for one in 0..other {
                let at = surface.of_edge_edge([one, other]);
                let disjoint = !at[2..].contains(&at[0]) && !at[2..].contains(&at[1]);
                if disjoint && near_by::<2>(at, x, way, near) {
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

    /// A sheet that waves, folds and moves, from flat to crumpled: whatever normal cones leave out stays far away, and
    /// they leave out much where it is smooth.
    #[test]
    fn what_normal_cones_leave_out_stays_away() {
        let mut skipped = [0usize; 3];
        for seed in 0..12u64 {
            let kind = seed as usize % 3;
            let (mut x, triangles) = stack(1, 12, 0.0);
            let mut surface = Surface::new(&x, &triangles);
            for (p, by) in x.iter_mut().zip(random(seed, 169, [0.0, 0.001, 0.006][kind])) {
                p.y += 0.01 * (60.0 * p.x + seed as f64).sin();
                if kind == 1 {
                    // nearly folded in two, one half above the other
                    let over = (p.x - 0.06).max(0.0);
                    (p.x, p.y) = (p.x - 1.9 * over, p.y + 0.05 * over);
                }
                *p += by;
            }
            let way = random(seed + 50, x.len(), 0.002);
            let near = 0.001;
            let mut found = Pairs::default();
            surface.find(&x, &way, near, &mut found);
            let all = brute_force(&surface, &x, &way, near);
            let lists = [(&found.vertex_face, &all.vertex_face), (&found.edge_edge, &all.edge_edge)];
            for (number, (found, all)) in lists.into_iter().enumerate() {
                for pair in all.iter().filter(|pair| found.binary_search(pair).is_err()) {
                    let at = if number == 0 { surface.of_vertex_face(*pair) } else { surface.of_edge_edge(*pair) };
                    let distance = least_distance(number, at, &x, &way);
                    assert!(distance > near, "{seed}: {pair:?} comes to {distance} m and was missed");
                }
            }
            skipped[kind] += surface.trees[0].skipped();
        }
        assert!(skipped[0] > 0 && skipped[2] < skipped[0], "{skipped:?}");
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
