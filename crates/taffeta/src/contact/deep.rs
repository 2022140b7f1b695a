//! Finds where a cloth is deeper inside a body, between its vertices, than it is thick.

use crate::Vec3;
use crate::solid::Pose;
use crate::solid::shape::Nearest;
use crate::state::State;
use crate::world::World;

/// A point of a cloth that is deeper inside a body than the cloth is thick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TooDeep {
    /// Penetration depth of the cloth's middle surface below the surface of the body, m.
    pub depth: f64,
    /// Penetration depth in thicknesses of the cloth.
    pub thicknesses: f64,
    /// The index of the body in [`World::bodies`].
    pub body: u32,
    /// The index of the cloth.
    pub cloth: usize,
    /// Position of the point, m.
    pub at: Vec3,
    /// The current length of the longest edge of the triangle there, m.
    pub edge: f64,
}

/// Triangles are sampled at points that are their sides divided by this number apart.
const PARTS: u32 = 6;

/// No point of a triangle is farther from its nearest corner than this share of its longest side, 1/√3.
const FARTHEST: f64 = 0.578;

/// Finds the point that is deepest in thicknesses, among triangles whose vertices are not pinned.
pub(crate) fn too_deep(world: &World, state: &State, pinned: &[bool]) -> Option<TooDeep> {
    let mut worst: Option<TooDeep> = None;
    for solid in &world.solids {
        let pose = Pose::of(&world.bodies[solid.body as usize], state.time);
        let exact = &solid.exact;
        let points: Vec<Vec3> = state.x.iter().map(|x| pose.to_body(*x)).collect();
        let near: Vec<Nearest> = points.iter().map(|p| exact.nearest(*p)).collect();
        for v in world.triangles.iter().map(|v| v.map(|v| v as usize)) {
            let [a, b, c] = v.map(|v| points[v]);
            let edge = a.distance_squared(b).max(b.distance_squared(c)).max(c.distance_squared(a)).sqrt();
            let least = v.iter().map(|v| near[*v].distance).fold(f64::INFINITY, f64::min);
            let thickness = world.reach[v[0]].thickness;
            if least - FARTHEST * edge > -thickness
                || v.iter().any(|v| pinned[*v])
                || !solid.collides[world.cloth_of(v[0])]
            {
                continue;
            }
            // the distance to a convex body is convex: it is nowhere below its tangent at a corner
            let above = |i: &usize| {
                let lowest = |p: Vec3| near[*i].distance + near[*i].normal.dot(p - points[*i]);
                lowest(a).min(lowest(b)).min(lowest(c)) > -thickness
            };
            if exact.is_convex() && v.iter().any(above) {
                continue;
            }
            for (i, j) in (0..=PARTS).flat_map(|i| (0..=PARTS - i).map(move |j| (i, j))) {
                let [i, j] = [i, j].map(|i| f64::from(i) / f64::from(PARTS));
                let at = a + (b - a) * i + (c - a) * j;
                let depth = -exact.distance(at);
                let thicknesses = depth / thickness;
                if thicknesses > worst.map_or(1.0, |worst| worst.thicknesses) {
                    let (cloth, at) = (world.cloth_of(v[0]), pose.to_space(at));
                    worst = Some(TooDeep { depth, thicknesses, body: solid.body, cloth, at, edge });
                }
            }
        }
    }
    worst
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure;
    use crate::setup::{Body, Cloth, Mesh, Pattern, Place, Setup, Shape};

    /// Puts a sheet a known distance below the top of bodies at rest.
    #[test]
    fn the_deepest_point_between_vertices_is_found() {
        let shapes = [
            (Shape::Sphere { radius: 0.2 }, 0.2),
            (Shape::Torus { radius: 0.1, tube: 0.06 }, 0.06),
            (Shape::Box { size: [0.2, 0.1, 0.2] }, 0.05),
            (Shape::Cylinder { radius: 0.1, height: 0.2 }, 0.1),
            (Shape::Plane, 0.0),
        ];
        let place = Place { rotate: Vec3::new(-90.0, 0.0, 0.0), at: Vec3::new(0.01, 3.0, 0.0), ..Place::default() };
        for (shape, top) in shapes {
            let mesh = Mesh::grid([0.4, 0.4], [8, 8], Pattern::Alternating).unwrap();
            let cloth = Cloth { place, ..Cloth::new("sheet", mesh) };
            let body = Body { name: "body".into(), shape: shape.clone(), ..Body::default() };
            let world = World::new(Setup { bodies: vec![body], ..Setup::with_cloth(cloth) }).unwrap();
            let thickness = world.reach[0].thickness;
            for depth in [0.9, 1.1, 6.0].map(|share| share * thickness) {
                let mut state = world.start();
                state.x.iter_mut().for_each(|x| x.y += top - depth - 3.0);
                let found = measure(&world, &state).too_deep;
                if depth < thickness {
                    assert_eq!(found, None, "{shape:?}");
                    continue;
                }
                let exact = measure::deepest(&world, &state).unwrap().depth - 0.5 * thickness;
                // between two samples, a sixth of an edge apart, a round body rises by less than this
                let missed = (0.07f64 / 6.0).powi(2) / (2.0 * 0.06);
                let deepest = found.map_or(0.0, |found| found.depth);
                assert!(deepest <= exact + 1e-12 && deepest > exact - missed, "{shape:?} {depth}: {deepest} {exact}");
            }
        }
    }
}
