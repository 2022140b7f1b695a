//! Triangles that cross at the start: they do not collide until they have come apart.
//!
//! A pair of a vertex and a face, or of two edges, is exempt while a listed pair of triangles contains both: it has no
//! contact, and the guard leaves it out. The guard keeps all other pairs from crossing, with one exception: where
//! driven points leave a pair no room that shares a vertex with each of two listed triangles (see
//! [`Crossed::is_beside`]).
//!
//! So two triangles can come to cross in a step only if they share a vertex with each of two triangles that are listed
//! at its start. After a step it is enough to test such triangles to have a list of all that cross.

use crate::Vec3;
use crate::broad::{Pairs, Surface};
use crate::hierarchy::{Bounds, Volume};
use crate::intersect::neighbours_meet;
use crate::narrow::{Points, closest};
use crate::report::Rejection;
use crate::state::Exempt;
use crate::world::{Fan, World};
use rayon::prelude::*;

/// Triangles that have crossed collide again when their distance is more than this share of their size. Nearer than
/// that, planes between them are uncertain, and the guard would stop them for good.
const SEPARATE: f64 = 1e-6;

/// The triangles that cross, in a step.
#[derive(Default)]
pub(crate) struct Crossed {
    /// The list at the start of the step.
    pub list: Vec<[u32; 2]>,
    /// What is exempt in the step, in rising order.
    pairs: Pairs,
    /// The list at the end of the step.
    pub next: Vec<[u32; 2]>,
    /// Whether `next` is the list of a step that was not accepted yet.
    found: bool,
    /// The triangles of each point; empty if nothing crosses at the start.
    pub fan: Fan,
    /// Where all points are at the end of the step, m.
    pub x: Vec<Vec3>,
    near: Vec<[u32; 2]>,
}

impl Crossed {
    pub fn new(world: &World, surface: &Surface, points: usize) -> Self {
        match world.most_exempt() {
            0 => Self::default(),
            _ => Self { fan: Fan::new(points, surface.triangles()), ..Self::default() },
        }
    }

    /// Begins a step from a state with a list.
    pub fn begin(&mut self, list: &[[u32; 2]], surface: &Surface) {
        self.found = false;
        if self.list == list {
            return;
        }
        self.list.clear();
        self.list.extend_from_slice(list);
        let Pairs { vertex_face, edge_edge } = &mut self.pairs;
        vertex_face.clear();
        edge_edge.clear();
        let number = |a: u32, b: u32| surface.edges().binary_search(&[a.min(b), a.max(b)]).ok().map(|e| e as u32);
        for &[a, b] in list {
            let corners = [a, b].map(|t| surface.triangles()[t as usize]);
            vertex_face.extend(corners[0].map(|v| [v, b]));
            vertex_face.extend(corners[1].map(|v| [v, a]));
            let [own, its] = corners.map(|v| [number(v[0], v[1]), number(v[1], v[2]), number(v[2], v[0])]);
            let both = own.into_iter().flatten().flat_map(|e| its.into_iter().flatten().map(move |f| [e, f]));
            edge_edge.extend(both.map(|[e, f]| [e.min(f), e.max(f)]));
        }
        for list in [vertex_face, edge_edge] {
            list.sort_unstable();
            list.dedup();
        }
    }

    /// What is exempt in the step, in rising order.
    pub fn pairs(&self) -> &Pairs {
        &self.pairs
    }

    /// Whether two primitives, by their points, share a vertex with each of two triangles that cross. Around a crossing
    /// pins and bodies may leave no room, since contacts that would push the cloth away are exempt. Then the guard lets
    /// such a pair cross, and [`Crossed::finish`] lists its triangles.
    pub fn is_beside(&self, surface: &Surface, one: &[u32], other: &[u32]) -> bool {
        let touches = |points: &[u32], t: u32| surface.triangles()[t as usize].iter().any(|v| points.contains(v));
        let beside = |&[a, b]: &[u32; 2]| touches(one, a) && touches(other, b) || touches(one, b) && touches(other, a);
        self.list.iter().any(beside)
    }

    /// Finds the list at the end of the step, from the positions of particles and of points of bodies there, and the
    /// pairs of triangles that were let pass through each other.
    pub fn finish(
        &mut self,
        surface: &Surface,
        x: &[Vec3],
        of_bodies: &[Vec3],
        passing: &[[u32; 2]],
        most: usize,
    ) -> Result<(), Rejection> {
        let Self { list, next, found, fan, x: all, near, .. } = self;
        next.clear();
        *found = true;
        all.clear();
        if list.is_empty() && passing.is_empty() {
            return Ok(());
        }
        all.extend(x.iter().chain(of_bodies));
        let (x, triangles) = (&all[..], surface.triangles());
        next.par_extend(list.par_iter().filter(|pair| !are_separate(x, pair.map(|t| triangles[t as usize]))));
        let ring = |t: u32| {
            let mut ring: Vec<u32> = triangles[t as usize].iter().flat_map(|v| fan.of(*v as usize)).copied().collect();
            ring.sort_unstable();
            ring.dedup();
            let bounds = |t: u32| Bounds::of(&triangles[t as usize].map(|v| x[v as usize]));
            ring.into_iter().map(|t| (t, bounds(t))).collect::<Vec<_>>()
        };
        near.clear();
        near.par_extend(list.par_iter().chain(passing).flat_map_iter(|&[a, b]| {
            let (own, its) = (ring(a), ring(b));
            let mut found = Vec::new();
            for (a, bounds) in &own {
                let beside = its.iter().filter(|(b, other)| a != b && bounds.overlaps(other));
                found.extend(beside.map(|(b, _)| [*a.min(b), *a.max(b)]));
            }
            found
        }));
        near.sort_unstable();
        near.dedup();
        let crosses = |pair: &[u32; 2]| {
            let [a, b] = pair.map(|t| triangles[t as usize]);
            list.binary_search(pair).is_err() && neighbours_meet(x, a, b)
        };
        next.par_extend(near.par_iter().copied().filter(crosses));
        next.sort_unstable();
        match next.len() {
            pairs if pairs > most => Err(Rejection::Spread { pairs, most }),
            _ => Ok(()),
        }
    }

    /// Leaves the list at the end of the step in the state, if a step was finished.
    pub fn accept(&mut self, exempt: &mut Exempt) {
        if std::mem::take(&mut self.found) {
            std::mem::swap(&mut exempt.list, &mut self.next);
        }
    }
}

/// Whether two triangles do not meet, beside what they share, and their distance is more than rounding.
fn are_separate(x: &[Vec3], [a, b]: [[u32; 3]; 2]) -> bool {
    if neighbours_meet(x, a, b) {
        return false;
    }
    let origin = x[a[0] as usize];
    let size = a.iter().chain(&b).map(|v| (x[*v as usize] - origin).abs().max_element()).fold(0.0, f64::max);
    let at = |v: [u32; 4]| -> Points { v.map(|v| x[v as usize]) };
    let away = |distance: f64| distance > SEPARATE * size;
    let sides = |[a, b, c]: [u32; 3]| [[a, b], [b, c], [c, a]];
    let vertices = |one: [u32; 3], other: [u32; 3]| {
        one.into_iter().filter(|v| !other.contains(v)).all(|v| {
            let points = at([v, other[0], other[1], other[2]]);
            away(closest::difference::<1>(&points, closest::vertex_face(points)).length())
        })
    };
    vertices(a, b)
        && vertices(b, a)
        && sides(a).into_iter().all(|[p, q]| {
            let others = sides(b).into_iter().filter(|side| !side.contains(&p) && !side.contains(&q));
            others.into_iter().all(|[r, s]| {
                let points = at([p, q, r, s]);
                away(closest::difference::<2>(&points, closest::edge_edge(points)).length())
            })
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two triangles, one above the other by a height, with the vertex 0 of both shared or not.
    fn pair(height: f64) -> Vec<Vec3> {
        let p = Vec3::new;
        vec![
            p(0.0, 0.0, 0.0),
            p(1.0, 0.0, 0.0),
            p(0.0, 1.0, 0.0),
            p(0.2, 0.2, height),
            p(1.2, 0.2, height + 0.5),
            p(0.2, 1.2, height + 0.5),
        ]
    }

    #[test]
    fn triangles_are_separate_beyond_rounding() {
        for (height, expected) in [(-0.1, false), (0.0, false), (1e-9, false), (1e-5, true), (0.1, true)] {
            assert_eq!(are_separate(&pair(height), [[0, 1, 2], [3, 4, 5]]), expected, "{height}");
            assert_eq!(are_separate(&pair(height), [[4, 5, 3], [2, 0, 1]]), expected, "{height}");
        }
        // neighbours of a flat sheet are separate, and what is folded onto each other is not
        let x = [[0., 0., 0.], [1., 0., 0.], [1., 1., 0.], [0., 1., 0.], [0.9, 0.2, 0.]].map(Vec3::from_array);
        assert!(are_separate(&x, [[0, 1, 2], [0, 2, 3]]));
        assert!(!are_separate(&x, [[0, 1, 2], [0, 2, 4]]));
    }

    /// All that two triangles consist of, and nothing beside.
    #[test]
    fn what_is_exempt_is_part_of_both_triangles() {
        let triangles = [[0, 1, 2], [3, 4, 5], [1, 2, 6]];
        let x: Vec<Vec3> = pair(-0.1).into_iter().chain([Vec3::new(1.0, 1.0, 0.0)]).collect();
        let mut surface = Surface::new(&x, &triangles);
        let mut all = Pairs::default();
        surface.find(&x, &[Vec3::ZERO; 7], 100.0, &mut all);
        let mut crossed = Crossed::default();
        crossed.begin(&[[0, 1]], &surface);
        let before = all;
        let exempt = crossed.pairs();
        // driven points may only pass what touches both
        assert!(crossed.is_beside(&surface, &[3], &[1, 2, 6]) && crossed.is_beside(&surface, &[1, 6], &[4, 5]));
        assert!(!crossed.is_beside(&surface, &[6], &[3, 4, 5]));
        // three vertices with each triangle, and nine pairs of edges
        assert_eq!((exempt.vertex_face.len(), exempt.edge_edge.len()), (6, 9));
        assert!(exempt.vertex_face.iter().all(|pair| before.vertex_face.contains(pair)));
        assert!(!exempt.vertex_face.contains(&[6, 1]) && !exempt.vertex_face.contains(&[3, 2]));
        assert!(exempt.vertex_face.contains(&[3, 0]));
        crossed.begin(&[], &surface);
        assert_eq!(*crossed.pairs(), Pairs::default());
    }
}
