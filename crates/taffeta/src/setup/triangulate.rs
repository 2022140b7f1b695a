//! Shapes of bodies as triangles, their fronts outside.

use super::Shape;
use crate::Vec3;
use std::f64::consts::{PI, TAU};

impl Shape {
    /// Vertices and triangles of a closed surface, before [`Body::place`](super::Body::place), with so many corners
    /// around a circle: 32 are within 0.5 % of the radius. `None` for a plane, which has no end, and a mesh, which moves.
    pub fn triangulate(&self, around: u32) -> Option<(Vec<Vec3>, Vec<[u32; 3]>)> {
        let around = around.max(4);
        Some(match *self {
            Shape::Plane | Shape::Mesh(_) => return None,
            Shape::Box { size } => boxed(Vec3::from_array(size) * 0.5),
            Shape::Sphere { radius } => turned(&arc(radius, 0.0, around / 4), around),
            Shape::Capsule { radius, height } => turned(&arc(radius, 0.5 * height, around / 4), around),
            Shape::Cylinder { radius, height } => {
                let h = 0.5 * height;
                turned(&[[0.0, -h], [radius, -h], [radius, h], [0.0, h]], around)
            }
            Shape::Cone { radius, height } => {
                let h = 0.5 * height;
                turned(&[[0.0, -h], [radius, -h], [0.0, h]], around)
            }
            Shape::Torus { radius, tube } => torus(radius, tube, around),
        })
    }
}

fn boxed(h: Vec3) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let corner = |i: u32| Vec3::new(sign(i & 1), sign(i & 2), sign(i & 4)) * h;
    // seen from outside: -x, +x, -y, +y, -z, +z
    let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    ((0..8).map(corner).collect(), triangles)
}

fn sign(bit: u32) -> f64 {
    if bit == 0 { -1.0 } else { 1.0 }
}

/// Profile (distance from the axis, y) of a sphere that is pulled apart by `h` up and down.
fn arc(radius: f64, h: f64, rings: u32) -> Vec<[f64; 2]> {
    let half = |from: f64, shift: f64| {
        (0..=rings).map(move |i| {
            let angle = from + 0.5 * PI * f64::from(i) / f64::from(rings);
            [radius * angle.cos(), radius * angle.sin() + shift]
        })
    };
    let mut profile: Vec<_> = half(-0.5 * PI, -h).chain(half(0.0, h).skip(usize::from(h == 0.0))).collect();
    let last = profile.len() - 1;
    (profile[0][0], profile[last][0]) = (0.0, 0.0);
    profile
}

/// A profile from below to above, turned around y. Points on the axis are one vertex each.
fn turned(profile: &[[f64; 2]], around: u32) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let (mut x, mut triangles) = (Vec::new(), Vec::new());
    let mut rings: Vec<(u32, u32)> = Vec::new();
    for &[r, y] in profile {
        let count = if r == 0.0 { 1 } else { around };
        rings.push((x.len() as u32, count));
        x.extend((0..count).map(|i| {
            let angle = TAU * f64::from(i) / f64::from(around);
            Vec3::new(r * angle.cos(), y, -r * angle.sin())
        }));
    }
    for pair in rings.windows(2) {
        let ((low, n), (high, m)) = (pair[0], pair[1]);
        for i in 0..around {
            let (a, b) = (low + i % n, low + (i + 1) % n);
            let (d, c) = (high + i % m, high + (i + 1) % m);
            triangles.extend((n > 1).then_some([a, b, c]));
            triangles.extend((m > 1).then_some([a, c, d]));
        }
    }
    (x, triangles)
}

fn torus(radius: f64, tube: f64, n: u32) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let point = |i: u32, j: u32| {
        let (a, b) = (TAU * f64::from(i) / f64::from(n), TAU * f64::from(j) / f64::from(n));
        let r = radius + tube * b.cos();
        Vec3::new(r * a.cos(), tube * b.sin(), -r * a.sin())
    };
    let x = (0..n).flat_map(|i| (0..n).map(move |j| point(i, j))).collect();
    let at = |i: u32, j: u32| (i % n) * n + j % n;
    let cells = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
    let triangles = cells.flat_map(|(i, j)| {
        let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
        [[a, b, c], [a, c, d]]
    });
    (x, triangles.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Signed volume of a closed mesh: positive if its triangles are seen from outside.
    fn volume((x, triangles): &(Vec<Vec3>, Vec<[u32; 3]>)) -> f64 {
        triangles.iter().map(|t| t.map(|v| x[v as usize])).map(|[a, b, c]| a.dot(b.cross(c)) / 6.0).sum()
    }

    #[test]
    fn shapes_are_closed_face_outwards_and_have_nearly_their_volume() {
        for (shape, expected) in [
            (Shape::Box { size: [1.0, 2.0, 3.0] }, 6.0),
            (Shape::Sphere { radius: 1.0 }, 4.0 / 3.0 * PI),
            (Shape::Capsule { radius: 1.0, height: 2.0 }, 4.0 / 3.0 * PI + 2.0 * PI),
            (Shape::Cylinder { radius: 1.0, height: 2.0 }, 2.0 * PI),
            (Shape::Cone { radius: 1.0, height: 3.0 }, PI),
            (Shape::Torus { radius: 1.0, tube: 0.25 }, 2.0 * PI * PI * 0.0625),
        ] {
            let mesh = shape.triangulate(32).unwrap();
            let ratio = volume(&mesh) / expected;
            assert!(ratio > 0.97 && ratio <= 1.0 + 1e-12, "{shape:?}: {ratio}");
            // every edge once in each direction
            let mut edges: Vec<[u32; 2]> = mesh.1.iter().flat_map(|[a, b, c]| [[*a, *b], [*b, *c], [*c, *a]]).collect();
            edges.sort_unstable();
            assert!(edges.windows(2).all(|pair| pair[0] != pair[1]), "{shape:?}");
            assert!(edges.iter().all(|[a, b]| edges.binary_search(&[*b, *a]).is_ok()), "{shape:?}");
        }
        assert!(Shape::Plane.triangulate(32).is_none());
    }
}
