//! Bodies that are meshes, made in code. Triangles are counter-clockwise seen from outside.

use std::collections::BTreeMap;
use std::f64::consts::TAU;
use std::sync::Arc;
use taffeta::{BodyMesh, PoseError, Shape, Vec3};

/// A mesh that keeps its shape.
#[derive(Debug)]
struct Still {
    x: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

impl BodyMesh for Still {
    fn vertices(&self) -> usize {
        self.x.len()
    }

    fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    fn positions(&self, _: f64, x: &mut Vec<Vec3>) -> Result<(), PoseError> {
        x.clone_from(&self.x);
        Ok(())
    }

    fn span(&self) -> (f64, f64) {
        (0.0, 0.0)
    }
}

pub fn shape(x: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Shape {
    Shape::Mesh(Arc::new(Still { x, triangles }))
}

/// A point of a circle around y, by its share of the whole turn.
fn around(share: f64, radius: f64, y: f64) -> Vec3 {
    // from above, counter-clockwise: x towards -z
    Vec3::new(radius * (TAU * share).cos(), y, -radius * (TAU * share).sin())
}

/// A pyramid whose tip is at the origin and points up.
pub fn pyramid(sides: u32, radius: f64, height: f64) -> Shape {
    let (x, triangles) = pyramid_at(sides, radius, height, Vec3::ZERO, 0);
    shape(x, triangles)
}

fn pyramid_at(sides: u32, radius: f64, height: f64, tip: Vec3, first: u32) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let foot = |k: u32| tip + around(f64::from(k) / f64::from(sides), radius, -height);
    let x = std::iter::once(tip).chain((0..sides).map(foot)).collect();
    let faces = (0..sides).map(|k| [0, 1 + k, 1 + (k + 1) % sides]);
    let base = (1..sides - 1).map(|k| [1, 2 + k, 1 + k]);
    (x, faces.chain(base).map(|t| t.map(|v| first + v)).collect())
}

/// A bed of pyramids with their tips at height 0.
pub fn spikes(count: u32, spacing: f64, radius: f64, height: f64) -> Shape {
    let (mut x, mut triangles) = (Vec::new(), Vec::new());
    let middle = 0.5 * f64::from(count - 1);
    for (i, j) in (0..count).flat_map(|i| (0..count).map(move |j| (i, j))) {
        let tip = spacing * Vec3::new(f64::from(i) - middle, 0.0, f64::from(j) - middle);
        let (more, faces) = pyramid_at(4, radius, height, tip, x.len() as u32);
        x.extend(more);
        triangles.extend(faces);
    }
    shape(x, triangles)
}

/// A wedge whose edge lies along z at height 0.
pub fn wedge(length: f64, width: f64, height: f64) -> Shape {
    let (l, w) = (0.5 * length, 0.5 * width);
    let end = |z: f64| [Vec3::new(0.0, 0.0, z), Vec3::new(-w, -height, z), Vec3::new(w, -height, z)];
    let x = [end(-l), end(l)].concat();
    // back, front, then left, right and bottom
    let triangles = vec![[0, 2, 1], [3, 4, 5], [0, 1, 4], [0, 4, 3], [0, 5, 2], [0, 3, 5], [1, 2, 5], [1, 5, 4]];
    shape(x, triangles)
}

/// An open cone, its narrow end at height 0: a ring of triangles, with their fronts inside.
pub fn funnel(sides: u32, radii: [f64; 2], height: f64) -> Shape {
    let turn = |k: u32| f64::from(k) / f64::from(sides);
    let rim = |level: usize| (0..sides).map(move |k| around(turn(k), radii[level], height * level as f64));
    let x = rim(0).chain(rim(1)).collect();
    let face = |k: u32| {
        let next = (k + 1) % sides;
        [[k, sides + k, next], [next, sides + k, sides + next]]
    };
    shape(x, (0..sides).flat_map(face).collect())
}

/// A torus around y.
pub fn ring(counts: [u32; 2], radius: f64, tube: f64) -> Shape {
    let [long, short] = counts;
    let point = |(i, j): (u32, u32)| {
        let turn = TAU * f64::from(j) / f64::from(short);
        around(f64::from(i) / f64::from(long), radius + tube * turn.cos(), tube * turn.sin())
    };
    let places = || (0..long).flat_map(move |i| (0..short).map(move |j| (i, j)));
    let number = |i: u32, j: u32| (i % long) * short + j % short;
    let faces = |(i, j): (u32, u32)| {
        let [a, b, c, d] = [number(i, j), number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)];
        [[a, b, c], [a, c, d]]
    };
    shape(places().map(point).collect(), places().flat_map(faces).collect())
}

/// A ball of equal triangles: an icosahedron, divided so many times.
pub fn ball_mesh(radius: f64, divided: u32) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let (a, b) = (1.0, 0.5 * (1.0 + 5f64.sqrt()));
    let mut x: Vec<Vec3> = Vec::new();
    // three rectangles in each other
    for turn in 0..3 {
        for (p, q) in [(a, b), (-a, b), (a, -b), (-a, -b)] {
            let mut at = [0.0; 3];
            (at[turn], at[(turn + 1) % 3]) = (p, q);
            x.push(Vec3::from(at));
        }
    }
    let edge = |p: u32, q: u32| (x[p as usize].distance(x[q as usize]) - 2.0 * a).abs() < 1e-9;
    let mut triangles = Vec::new();
    for (p, q, r) in (0..12).flat_map(|p| (p + 1..12).flat_map(move |q| (q + 1..12).map(move |r| (p, q, r)))) {
        if edge(p, q) && edge(q, r) && edge(r, p) {
            let [a, b, c] = [p, q, r].map(|v| x[v as usize]);
            triangles.push(if a.dot(b.cross(c)) > 0.0 { [p, q, r] } else { [p, r, q] });
        }
    }
    for _ in 0..divided {
        let mut middles: BTreeMap<[u32; 2], u32> = BTreeMap::new();
        let mut middle = |p: u32, q: u32| {
            *middles.entry([p.min(q), p.max(q)]).or_insert_with(|| {
                x.push(0.5 * (x[p as usize] + x[q as usize]));
                x.len() as u32 - 1
            })
        };
        let divide = |[p, q, r]: [u32; 3]| {
            let [pq, qr, rp] = [middle(p, q), middle(q, r), middle(r, p)];
            [[p, pq, rp], [q, qr, pq], [r, rp, qr], [pq, qr, rp]]
        };
        triangles = triangles.into_iter().flat_map(divide).collect();
    }
    (x.into_iter().map(|p| radius * p.normalize()).collect(), triangles)
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use taffeta::intersect::crossings;

    /// The volume of a closed mesh, after it has been found closed and free of crossings.
    pub fn volume(shape: &Shape) -> f64 {
        let Shape::Mesh(mesh) = shape else { panic!("a mesh") };
        let mut x = Vec::new();
        mesh.positions(0.0, &mut x).unwrap();
        let mut edges: BTreeMap<[u32; 2], i32> = BTreeMap::new();
        for [a, b, c] in mesh.triangles() {
            for [a, b] in [[*a, *b], [*b, *c], [*c, *a]] {
                assert!(edges.insert([a, b], 1).is_none(), "an edge is used twice in one direction");
            }
        }
        assert!(edges.keys().all(|[a, b]| edges.contains_key(&[*b, *a])), "an edge has one side only");
        assert!(crossings(&x, mesh.triangles()).is_empty());
        mesh.triangles().iter().map(|t| t.map(|v| x[v as usize])).map(|[a, b, c]| a.dot(b.cross(c)) / 6.0).sum()
    }

    #[test]
    fn forms_are_closed_with_their_fronts_outside() {
        let near = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-9, "{a} instead of {b}");
        near(volume(&pyramid(4, 0.1, 0.3)), 0.02 * 0.3 / 3.0);
        near(volume(&spikes(3, 0.5, 0.1, 0.3)), 9.0 * 0.02 * 0.3 / 3.0);
        near(volume(&wedge(0.6, 0.02, 0.3)), 0.6 * 0.01 * 0.3);
        let (x, triangles) = ball_mesh(0.15, 4);
        assert_eq!(x.len(), 2562);
        let found = volume(&shape(x, triangles)) / (2.0 / 3.0 * TAU * 0.15f64.powi(3));
        assert!((found - 1.0).abs() < 0.01, "{found} of a ball");
        let torus = 0.5 * TAU * TAU * 0.075 * 0.015f64.powi(2);
        let found = volume(&ring([64, 32], 0.075, 0.015));
        assert!((found / torus - 1.0).abs() < 0.02, "{found} instead of {torus}");
    }
}
