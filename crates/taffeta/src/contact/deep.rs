//! Where a cloth is deeper inside a body than it is thick, between its vertices.

use super::solid::Pose;
use crate::{State, Vec3, World};

/// A point of a cloth that is deeper inside a body than the cloth is thick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TooDeep {
    /// Of the cloth's middle surface below that of the body, m.
    pub depth: f64,
    /// In thicknesses of the cloth.
    pub thicknesses: f64,
    /// The body's place in [`World::bodies`].
    pub body: u32,
    /// Which cloth.
    pub cloth: usize,
    /// Where, m.
    pub at: Vec3,
    /// The longest edge of the triangle there, as long as it is now, m.
    pub edge: f64,
}

/// Triangles are looked at in points this part of their sides apart.
const PARTS: u32 = 6;

/// No point of a triangle is farther from its next corner than this share of its longest side, 1/√3.
const FARTHEST: f64 = 0.578;

/// The point that is deepest in thicknesses, of triangles whose vertices are not pinned.
pub(crate) fn too_deep(world: &World, state: &State, pinned: &[bool]) -> Option<TooDeep> {
    let mut worst: Option<TooDeep> = None;
    for solid in &world.solids {
        let pose = Pose::of(&world.bodies[solid.body as usize], state.time);
        let near: Vec<f64> = state.x.iter().map(|x| solid.exact.distance(pose.to_body(*x))).collect();
        for v in world.triangles.iter().map(|v| v.map(|v| v as usize)) {
            let [a, b, c] = v.map(|v| state.x[v]);
            let edge = a.distance_squared(b).max(b.distance_squared(c)).max(c.distance_squared(a)).sqrt();
            let least = near[v[0]].min(near[v[1]]).min(near[v[2]]);
            let thickness = world.reach[v[0]].thickness;
            if least - FARTHEST * edge > -thickness || v.iter().any(|v| pinned[*v]) {
                continue;
            }
            for (i, j) in (0..=PARTS).flat_map(|i| (0..=PARTS - i).map(move |j| (i, j))) {
                let [i, j] = [i, j].map(|i| f64::from(i) / f64::from(PARTS));
                let at = a + (b - a) * i + (c - a) * j;
                let depth = -solid.exact.distance(pose.to_body(at));
                let thicknesses = depth / thickness;
                if thicknesses > worst.map_or(1.0, |worst| worst.thicknesses) {
                    let cloth = world.cloth_of(v[0]);
                    worst = Some(TooDeep { depth, thicknesses, body: solid.body, cloth, at, edge });
                }
            }
        }
    }
    worst
}
