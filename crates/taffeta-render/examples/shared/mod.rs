//! Cloth without a simulation: a sheet laid over a ball, as fine as wanted.

use taffeta::{Body, ClothRange, Mesh, Pattern, Place, Shape, SpringKind, Vec3};
use taffeta_render::{Segment, Subject};

/// A square sheet of `cells` × `cells` cells over a ball that stands on the floor, and its positions.
pub fn draped(cells: u32, size: f64) -> (Subject, Vec<Vec3>) {
    let mesh = Mesh::grid([size, size], [cells, cells], Pattern::Alternating).expect("a sheet");
    let radius = 0.28 * size;
    let over = |p: &Vec3| {
        let (r, angle) = (p.x.hypot(p.y), (-p.y).atan2(p.x));
        // along the ball down to its side, then straight down in folds that get deeper
        let bend = 1.45 * radius;
        let (out, down) = if r < bend {
            let (s, c) = (r / radius).sin_cos();
            (radius * s, radius * (1.0 - c))
        } else {
            let (s, c) = (1.45f64).sin_cos();
            (radius * s + (r - bend) * c, radius * (1.0 - c) + (r - bend) * s)
        };
        let deep = ((r - 0.7 * bend) / (0.7 * size)).max(0.0);
        let folds = 1.0 + deep * (0.45 + 0.42 * (8.0 * angle).sin() + 0.10 * (3.0 * angle + 1.0).sin());
        let flare = 0.02 * size * deep;
        Vec3::new(
            (out * folds + flare) * angle.cos(),
            2.0 * radius * 1.015 - 0.92 * down,
            (out * folds + flare) * angle.sin(),
        )
    };
    let x: Vec<Vec3> = mesh.rest.iter().map(over).collect();
    let lowest = x.iter().fold(f64::INFINITY, |low, p| low.min(p.y)) - 0.01 * size;
    let x = x.iter().map(|p| *p - Vec3::new(0.0, lowest, 0.0)).collect();
    let ball = body("ball", Shape::Sphere { radius }, Vec3::new(0.0, radius - lowest, 0.0));
    let mut subject = Subject {
        cloths: vec![ClothRange {
            name: "sheet".into(),
            vertices: 0..mesh.rest.len(),
            triangles: 0..mesh.triangles.len(),
        }],
        triangles: mesh.triangles,
        uv: mesh.uv,
        vertices: mesh.rest.len(),
        bodies: vec![ball],
        springs: Vec::new(),
    };
    subject.springs = springs(cells);
    (subject, x)
}

/// A body at a place.
pub fn body(name: &str, shape: Shape, at: Vec3) -> Body {
    let place = Place { at, ..Place::default() };
    Body { name: name.into(), shape, place, ..Body::default() }
}

/// Provot's springs of a grid.
fn springs(cells: u32) -> Vec<Segment> {
    let n = cells + 1;
    let mut list = Vec::new();
    let mut add = |i: u32, j: u32, di: i64, dj: i64, kind| {
        let (k, l) = (i64::from(i) + di, i64::from(j) + dj);
        if (0..i64::from(n)).contains(&k) && (0..i64::from(n)).contains(&l) {
            list.push(Segment { ends: [j * n + i, l as u32 * n + k as u32], kind });
        }
    };
    for j in 0..n {
        for i in 0..n {
            for (di, dj) in [(1, 0), (0, 1)] {
                add(i, j, di, dj, SpringKind::Structural);
                add(i, j, 2 * di, 2 * dj, SpringKind::Flexion);
            }
            add(i, j, 1, 1, SpringKind::Shear);
            add(i, j, -1, 1, SpringKind::Shear);
        }
    }
    list
}
