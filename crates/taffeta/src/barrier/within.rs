//! Points of cloth that bodies gave way to, until they are out: from an exact shape by half of the distance to keep,
//! from
//! a closed mesh as soon as they are outside. Inside a mesh they do not collide with what they are behind of.
//!
//! A point is inside a mesh if a ray from it leaves the mesh more often than it enters. Which triangles the ray meets
//! is
//! decided in the plane across it, for each edge in the same way for both of its triangles, so that no ray slips
//! through between two.

use super::stencil::Stencil;
use super::yields::triangles_of;
use crate::Vec3;
use crate::broad::Surface;
use crate::hierarchy::{Bounds, Tree};
use crate::intersect::side_of_plane;
use crate::report::Rejection;
use crate::state::{ContactKind, Exempt};
use crate::world::{BarrierConstants, Fan, World};
use rayon::prelude::*;
use std::cmp::Ordering;

/// Points that gave way, in a step.
#[derive(Default)]
pub(crate) struct Within {
    /// Points and bodies at the start of the step, in rising order, and at its end.
    list: Vec<[u32; 2]>,
    pub next: Vec<[u32; 2]>,
    /// Whether `next` is the list of a step that was not accepted yet.
    found: bool,
    /// Points that are inside exact shapes at its end, with their bodies.
    pub of_shapes: Vec<[u32; 2]>,
    /// Points that may have come into a mesh or out, after the numbers of meshes.
    asked: Vec<[u32; 2]>,
    /// The triangles of each mesh that is closed.
    trees: Vec<Option<Tree>>,
}

impl Within {
    pub fn new(world: &World, x: &[Vec3]) -> Self {
        let Some(settings) = world.barrier.as_ref().filter(|_| world.bodies_yield()) else { return Self::default() };
        let tree = |own: &[[u32; 3]]| Tree::new(&Bounds::of_triangles(x, own));
        let trees =
            settings.meshes.iter().map(|mesh| mesh.outward.map(|_| tree(&settings.triangles[mesh.triangles.clone()])));
        Self { trees: trees.collect(), ..Self::default() }
    }

    /// Begins a step from a state with a list.
    pub fn begin(&mut self, list: &[[u32; 2]]) {
        self.found = false;
        self.list.clear();
        self.list.extend_from_slice(list);
    }

    pub fn list(&self) -> &[[u32; 2]] {
        &self.list
    }

    /// Whether a point has given way to a body and is not out yet.
    pub fn lists(&self, point: u32, body: u32) -> bool {
        !self.list.is_empty() && self.list.binary_search(&[point, body]).is_ok()
    }

    /// Whether a primitive of cloth has a point inside a body that lies behind a primitive of this body.
    pub fn holds(
        &self,
        settings: &BarrierConstants,
        (own, its): (&[u32], &[u32]),
        (fan, surface): (&Fan, &Surface),
        (x, count): (&[Vec3], usize),
    ) -> bool {
        if self.list.is_empty() {
            return false;
        }
        let mesh = settings.mesh_of(its[0] as usize - count);
        let Some(outward) = mesh.outward else { return false };
        let mut inside = own.iter().filter(|point| self.list.binary_search(&[**point, mesh.body]).is_ok());
        inside.any(|point| {
            triangles_of(fan, surface, its).all(|t| {
                let [a, b, c] = surface.triangles()[t as usize].map(|v| x[v as usize]);
                outward * (b - a).cross(c - a).dot(x[*point as usize] - a) < 0.0
            })
        })
    }

    /// Whether the cloth of a contact has a point inside a body that lies behind what it touches there.
    pub fn holds_contact(
        &self,
        settings: &BarrierConstants,
        stencil: &Stencil,
        fan: (&Fan, &Surface),
        x: (&[Vec3], usize),
    ) -> bool {
        let first = if let ContactKind::VertexFace = stencil.key.kind { 1 } else { 2 };
        let (one, other) = stencil.points.split_at(first);
        let sides = if (one[0] as usize) < x.1 { (one, other) } else { (other, one) };
        self.holds(settings, sides, fan, x)
    }

    /// Finds the list at the end of the step, from the positions of all points there. Points come in or out where
    /// triangles cross, at the start or at the end of the step, or were let pass.
    pub fn finish(
        &mut self,
        world: &World,
        settings: &BarrierConstants,
        x: &[Vec3],
        crossing: [&[[u32; 2]]; 3],
        most: usize,
    ) -> Result<(), Rejection> {
        let Self { list, next, found, of_shapes, asked, trees } = self;
        next.clear();
        next.append(of_shapes);
        *found = true;
        let (n, cloth) = (world.mass.len(), world.triangles.len());
        asked.clear();
        let number = |body: u32| settings.meshes.binary_search_by_key(&body, |mesh| mesh.body).ok().map(|k| k as u32);
        asked.extend(list.iter().filter_map(|[point, body]| Some([number(*body)?, *point])));
        for [a, b] in crossing.into_iter().flatten().filter(|pair| pair[1] as usize >= cloth) {
            let mesh = settings.mesh_of(settings.triangles[*b as usize - cloth][0] as usize - n);
            if mesh.outward.is_some() {
                let points = world.triangles[*a as usize].into_iter();
                asked.extend(points.filter_map(|point| Some([number(mesh.body)?, point])));
            }
        }
        asked.sort_unstable();
        asked.dedup();
        for asked in asked.chunk_by(|a, b| a[0] == b[0]) {
            let mesh = &settings.meshes[asked[0][0] as usize];
            let Some(tree) = &mut trees[asked[0][0] as usize] else { continue };
            let triangles = &settings.triangles[mesh.triangles.clone()];
            tree.refit(|t| Bounds::of(&triangles[t as usize].map(|v| x[v as usize])));
            let tree = &*tree;
            let is_inside = |[_, point]: &&[u32; 2]| turns(tree, triangles, x, x[*point as usize]) != 0;
            next.par_extend(asked.par_iter().filter(is_inside).map(|[_, point]| [*point, mesh.body]));
        }
        next.sort_unstable();
        match next.len() {
            pairs if pairs > most => Err(Rejection::Spread { pairs, most }),
            _ => Ok(()),
        }
    }

    /// Leaves the list at the end of the step in the state, if a step was finished.
    pub fn accept(&mut self, exempt: &mut Exempt) {
        if std::mem::take(&mut self.found) {
            std::mem::swap(&mut exempt.inside, &mut self.next);
        }
    }
}

/// How often a closed mesh is wound around a point: how much more often a ray along x leaves it than it enters.
fn turns(tree: &Tree, triangles: &[[u32; 3]], x: &[Vec3], p: Vec3) -> i32 {
    let mut sum = 0;
    let ray = Bounds::of(&[p, Vec3 { x: f64::MAX, ..p }]);
    tree.each_overlap(&ray, |t, _| {
        let v = triangles[t as usize];
        let around = around(v, x, p);
        if around != 0 {
            let side = side_of_plane(v.map(|v| x[v as usize]), p);
            // `side_of_plane` is greater below a triangle that is seen counterclockwise
            let below = if around > 0 { Ordering::Greater } else { Ordering::Less };
            sum += if side == below { around } else { 0 };
        }
    });
    sum
}

/// How often a triangle goes around a point in the plane of y and z: 1 counterclockwise, -1 clockwise, 0 not.
fn around(v: [u32; 3], x: &[Vec3], p: Vec3) -> i32 {
    (0..3).map(|k| passes_right(v[k], v[(k + 1) % 3], x, p)).sum()
}

/// Whether an edge passes a point on the side of larger y: 1 to larger z, -1 back. Both directions see the same line.
fn passes_right(from: u32, to: u32, x: &[Vec3], p: Vec3) -> i32 {
    let (a, b) = (x[from.min(to) as usize], x[from.max(to) as usize]);
    let (above, next) = (a.z > p.z, b.z > p.z);
    if above == next || a.y + (b.y - a.y) * ((p.z - a.z) / (b.z - a.z)) <= p.y {
        return 0;
    }
    if next == (from < to) { 1 } else { -1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::Shape;

    /// Beside exact distances, also where rays meet edges and corners.
    #[test]
    fn points_inside_a_closed_mesh_are_those_inside_the_shape() {
        let (x, triangles) = Shape::Box { size: [1.0, 2.0, 3.0] }.triangulate(4).expect("a box has a surface");
        let tree = Tree::new(&Bounds::of_triangles(&x, &triangles));
        let mut inside = 0;
        for i in 0..1331i32 {
            let p = Vec3::new(f64::from(i % 11 - 5), f64::from(i / 11 % 11 - 5), f64::from(i / 121 - 5)) * 0.37;
            let expected = p.abs().cmplt(Vec3::new(0.5, 1.0, 1.5)).all();
            assert_eq!(turns(&tree, &triangles, &x, p), i32::from(expected), "{p}");
            inside += i32::from(expected);
        }
        assert!(inside > 50, "{inside}");
    }
}
