//! A body with legs and horns: smooth capsules, cut into triangles by marching tetrahedra.

use super::forms::shape;
use std::collections::BTreeMap;
use taffeta::{Shape, Vec3};

/// Height of its highest points, m.
pub const HEIGHT: f64 = 0.42;

/// Capsules: two ends and a radius, m. x is right, y up, z to the front.
const CAPSULES: [([f64; 3], [f64; 3], f64); 9] = [
    // body, neck, head
    ([0.0, 0.22, -0.16], [0.0, 0.22, 0.12], 0.07),
    ([0.0, 0.24, 0.12], [0.0, 0.31, 0.19], 0.04),
    ([0.0, 0.32, 0.18], [0.0, 0.30, 0.25], 0.042),
    // horns
    ([0.02, 0.34, 0.18], [0.06, 0.40, 0.17], 0.018),
    ([-0.02, 0.34, 0.18], [-0.06, 0.40, 0.17], 0.018),
    // legs
    ([0.05, 0.20, 0.11], [0.08, 0.02, 0.13], 0.025),
    ([-0.05, 0.20, 0.11], [-0.08, 0.02, 0.13], 0.025),
    ([0.05, 0.20, -0.15], [0.08, 0.02, -0.17], 0.025),
    ([-0.05, 0.20, -0.15], [-0.08, 0.02, -0.17], 0.025),
];

/// How far capsules flow into each other, m.
const SMOOTH: f64 = 0.02;

/// The distance to the capsules, m, negative inside, smoothed where they meet.
fn field(p: Vec3) -> f64 {
    let to = |&(a, b, radius): &([f64; 3], [f64; 3], f64)| {
        let (a, b) = (Vec3::from(a), Vec3::from(b));
        let along = ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
        p.distance(a + along * (b - a)) - radius
    };
    CAPSULES.iter().map(to).fold(f64::INFINITY, |a, b| {
        let near = (SMOOTH - (a - b).abs()).max(0.0);
        a.min(b) - 0.25 * near * near / SMOOTH
    })
}

/// The corners of a cube, by bits: x, y, z.
fn corner(cube: [i32; 3], bits: usize) -> [i32; 3] {
    [0, 1, 2].map(|axis| cube[axis] + (bits >> axis & 1) as i32)
}

/// Six tetrahedra around the diagonal of a cube. They fit to those of its neighbours.
const TETRAHEDRA: [[usize; 4]; 6] =
    [[0, 1, 3, 7], [0, 3, 2, 7], [0, 2, 6, 7], [0, 6, 4, 7], [0, 4, 5, 7], [0, 5, 1, 7]];

/// The figure in cells of a size, m. It is closed, with fronts outside.
pub fn figure(cell: f64) -> Shape {
    let place = |g: [i32; 3]| cell * Vec3::from(g.map(f64::from));
    let (mut x, mut triangles) = (Vec::new(), Vec::new());
    let mut numbers: BTreeMap<[[i32; 3]; 2], u32> = BTreeMap::new();
    // an edge of the grid from inside to outside, and where the surface cuts it, not too near to its ends: triangles
    // keep some width
    let mut cut = |inside: [i32; 3], outside: [i32; 3]| {
        *numbers.entry([inside, outside]).or_insert_with(|| {
            let [a, b] = [inside, outside].map(|g| field(place(g)));
            x.push(place(inside).lerp(place(outside), (a / (a - b)).clamp(0.15, 0.85)));
            x.len() as u32 - 1
        })
    };
    let range = |least: f64, most: f64| (least / cell).floor() as i32 - 1..=(most / cell).ceil() as i32;
    for i in range(-0.12, 0.12) {
        for j in range(-0.02, HEIGHT + 0.02) {
            for k in range(-0.26, 0.32) {
                for tetrahedron in TETRAHEDRA {
                    let corners = tetrahedron.map(|bits| corner([i, j, k], bits));
                    let (ins, outs): (Vec<_>, Vec<_>) = corners.into_iter().partition(|g| field(place(*g)) < 0.0);
                    let found: Vec<[([i32; 3], [i32; 3]); 3]> = match (&ins[..], &outs[..]) {
                        (&[a], &[b, c, d]) => vec![[(a, b), (a, c), (a, d)]],
                        (&[a, b, c], &[d]) => vec![[(a, d), (b, d), (c, d)]],
                        (&[a, b], &[c, d]) => vec![[(a, c), (a, d), (b, d)], [(a, c), (b, d), (b, c)]],
                        _ => continue,
                    };
                    // from the middle of what is inside to the middle of what is outside
                    let middle = |all: &[[i32; 3]]| all.iter().map(|g| place(*g)).sum::<Vec3>() / all.len() as f64;
                    let out = middle(&outs) - middle(&ins);
                    for edges in found {
                        triangles.push((edges.map(|(a, b)| cut(a, b)), out));
                    }
                }
            }
        }
    }
    let turned = triangles.into_iter().map(|([a, b, c], out)| {
        let [p, q, r] = [a, b, c].map(|v| x[v as usize]);
        if (q - p).cross(r - p).dot(out) > 0.0 { [a, b, c] } else { [a, c, b] }
    });
    let turned = turned.collect();
    shape(x, turned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::forms::tests::volume;

    #[test]
    fn the_figure_is_closed_and_has_its_volume() {
        let Shape::Mesh(mesh) = &figure(0.027) else { panic!("a mesh") };
        assert!((1_500..2_500).contains(&mesh.vertices()), "{} vertices", mesh.vertices());
        // points of a fine grid inside
        let h = 0.005;
        let inside = (-30..30).flat_map(|i| (-10..95).flat_map(move |j| (-60..70).map(move |k| [i, j, k])));
        let count = inside.filter(|g| field(h * Vec3::from(g.map(f64::from))) < 0.0).count();
        let exact = count as f64 * h * h * h;
        for cell in [0.02, 0.027] {
            let found = volume(&figure(cell));
            assert!((found / exact - 1.0).abs() < 0.15, "{found} m³ instead of {exact} m³ in cells of {cell} m");
        }
    }
}
