//! Vertex normals that are smooth over gentle bends and sharp at edges.

use crate::body::Solid;
use std::collections::HashMap;
use std::f64::consts::PI;
use taffeta::Vec3;

/// Triangles meet at a sharp edge if their normals differ by more, rad: a coarse ball is smooth, a box is not.
const CREASE: f64 = 50.0 * PI / 180.0;
/// At a vertex with more triangles than this, comparing all of them would take too long: they stay flat there.
const MANY: usize = 512;

/// A corner of a triangle.
struct Corner {
    triangle: usize,
    corner: usize,
    /// Interior angle, rad.
    angle: f64,
}

/// Splits vertices on sharp edges. A normal is the mean over the triangles around its vertex that bend away gently,
/// weighted by their angle there. Vertices at the same place count as one, because many programs cut meshes open at
/// seams.
pub(crate) fn creased(points: &[Vec3], triangles: &[[u32; 3]]) -> Solid {
    let mut solid = Solid { triangles: triangles.to_vec(), ..Solid::default() };
    let face = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| points[v as usize]);
        (b - a).cross(c - a).normalize_or_zero()
    };
    let faces: Vec<Vec3> = triangles.iter().map(face).collect();
    let smooth = CREASE.cos();
    let mut made: Vec<(Vec3, u32)> = Vec::new();
    for (place, corners) in around(points, triangles) {
        made.clear();
        for own in &corners {
            let n = faces[own.triangle];
            let mean = match corners.len() {
                1..=MANY => {
                    let gentle = corners.iter().filter(|other| faces[other.triangle].dot(n) > smooth);
                    gentle.map(|other| faces[other.triangle] * other.angle).sum::<Vec3>()
                }
                _ => n,
            };
            // the same triangles are added in the same order, so equal means have equal bits
            let known = made.iter().find(|(normal, _)| *normal == mean).map(|(_, vertex)| *vertex);
            let vertex = known.unwrap_or_else(|| {
                let vertex = solid.points.len() as u32;
                solid.points.push(points[place as usize]);
                solid.normals.push(mean.normalize_or(n));
                made.push((mean, vertex));
                vertex
            });
            solid.triangles[own.triangle][own.corner] = vertex;
        }
    }
    solid
}

/// The corners at each place, in the order of their triangles, with one vertex of that place.
fn around(points: &[Vec3], triangles: &[[u32; 3]]) -> Vec<(u32, Vec<Corner>)> {
    // used for lookup only, never iterated
    let mut places: HashMap<[u64; 3], usize> = HashMap::with_capacity(points.len());
    let mut found: Vec<(u32, Vec<Corner>)> = Vec::new();
    for (triangle, t) in triangles.iter().enumerate() {
        for corner in 0..3 {
            let p = points[t[corner] as usize];
            let [a, b] = [1, 2].map(|k| points[t[(corner + k) % 3] as usize] - p);
            let angle = if a == Vec3::ZERO || b == Vec3::ZERO { 0.0 } else { a.angle_between(b) };
            // adding 0 turns -0 into 0
            let place = *places.entry(p.to_array().map(|value| (value + 0.0).to_bits())).or_insert_with(|| {
                found.push((t[corner], Vec::new()));
                found.len() - 1
            });
            found[place].1.push(Corner { triangle, corner, angle });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use taffeta::Shape;

    #[test]
    fn a_ball_is_smooth_and_a_box_has_edges_also_where_it_is_cut_open() {
        let (points, triangles) = Shape::Sphere { radius: 2.0 }.triangulate(32).unwrap();
        let ball = creased(&points, &triangles);
        assert_eq!(ball.points.len(), points.len());
        let worst = ball.points.iter().zip(&ball.normals).map(|(p, n)| p.normalize().dot(*n)).fold(1.0, f64::min);
        assert!(worst > 0.9999, "{worst}");

        // give every triangle its own vertices
        let loose: Vec<Vec3> = triangles.as_flattened().iter().map(|&v| points[v as usize]).collect();
        let torn: Vec<[u32; 3]> = (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        assert_eq!(creased(&loose, &torn).normals, ball.normals);

        let (points, triangles) = Shape::Box { size: [1.0, 2.0, 3.0] }.triangulate(32).unwrap();
        let cube = creased(&points, &triangles);
        assert_eq!(cube.points.len(), 24);
        assert!(cube.normals.iter().all(|n| n.abs().max_element() > 1.0 - 1e-12), "{:?}", cube.normals);
    }

    #[test]
    fn triangles_without_area_and_crowded_vertices_do_no_harm() {
        let fan: Vec<Vec3> = (0..2000).map(|i| Vec3::new((f64::from(i) * 0.003).cos(), 0.0, f64::from(i))).collect();
        let triangles: Vec<[u32; 3]> = (1..1999).map(|i| [0, i, i + 1]).chain([[5, 5, 6], [7, 7, 7]]).collect();
        let solid = creased(&fan, &triangles);
        assert!(solid.normals.iter().all(|n| n.is_finite()));
        assert!(solid.triangles.as_flattened().iter().all(|&v| (v as usize) < solid.points.len()));
    }
}
