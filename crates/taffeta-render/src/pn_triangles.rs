//! Coarse cloth, smoothed between its vertices by curved PN triangles.
//!
//! Each triangle becomes a cubic patch through its vertices, perpendicular to their normals there. Neighbours share the
//! curve along their edge. A. Vlachos et al., Curved PN Triangles, I3D 2001, Sec. 3.1. Where a patch would enter a body
//! it is moved towards its flat triangle, and kept slightly outside.

use crate::vector::V3;

/// Subdivision stops at this many triangles, so that films stay fast.
const ENOUGH: usize = 30_000;
const FINEST: usize = 5;

/// How many parts each edge is divided into.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rounding(usize);

/// Points, normals and triangles.
pub(crate) type Mesh = (Vec<V3>, Vec<V3>, Vec<[u32; 3]>);

impl Rounding {
    pub fn new(parts: usize) -> Self {
        Rounding(parts)
    }

    /// Coarser meshes get finer subdivision.
    pub fn for_triangles(count: usize) -> Self {
        let parts = (1..=FINEST).rev().find(|parts| count * parts * parts <= ENOUGH);
        Rounding(parts.unwrap_or(1))
    }

    /// Number of small triangles in each large one.
    pub fn count(self) -> usize {
        self.0 * self.0
    }

    /// Row, position in the row, and whether a small triangle points down; rows are counted from the first corner.
    fn place(self, small: usize) -> (usize, usize, bool) {
        let row = small.isqrt();
        let at = small - row * row;
        (row, at / 2, at % 2 == 1)
    }

    /// Rows and positions of a small triangle's corners.
    fn corners(self, small: usize) -> [[usize; 2]; 3] {
        let (row, at, down) = self.place(small);
        if down { [[row, at], [row + 1, at + 1], [row, at + 1]] } else { [[row, at], [row + 1, at], [row + 1, at + 1]] }
    }

    /// Weights of the large triangle's corners at a row and position.
    fn weights(self, [row, at]: [usize; 2]) -> [f32; 3] {
        let part = 1.0 / self.0 as f32;
        [(self.0 - row) as f32 * part, (row - at) as f32 * part, at as f32 * part]
    }

    /// The large triangle of a small one, and the weights of its corners at a place in the small one.
    pub fn source(self, triangle: usize, weights: [f32; 3]) -> (usize, [f32; 3]) {
        if self.0 == 1 {
            return (triangle, weights);
        }
        let corners = self.corners(triangle % self.count()).map(|c| self.weights(c));
        let mixed = std::array::from_fn(|i| (0..3).map(|k| weights[k] * corners[k][i]).sum());
        (triangle / self.count(), mixed)
    }
}

/// The bodies that patches must not enter.
#[derive(Clone, Copy)]
pub(crate) struct Bodies<'a> {
    /// Signed distance, negative inside, and the direction out of the body.
    pub nearest: &'a dyn Fn(V3) -> (f32, V3),
    /// Vertices where patches stay flat: they are near sharp edges, and curved patches would cut through these.
    pub flat: &'a [bool],
}

/// Least distance from bodies in pictures: closer cloth would let them show through.
const LEAST: f32 = 1e-3;

/// Small triangles on the curved surface, grouped by large triangle; `None` if no subdivision is needed.
pub(crate) fn subdivide(
    rounding: Rounding,
    points: &[V3],
    normals: &[V3],
    triangles: &[[u32; 3]],
    bodies: Option<Bodies>,
) -> Option<Mesh> {
    let parts = rounding.0;
    if parts <= 1 {
        return None;
    }
    let (mut p, mut n, mut t) = Mesh::default();
    for triangle in triangles {
        let flat = triangle.map(|v| bodies.is_some_and(|bodies| bodies.flat[v as usize]));
        let patch = Patch::new(triangle.map(|v| points[v as usize]), triangle.map(|v| normals[v as usize]), flat);
        let first = p.len() as u32;
        for row in 0..=parts {
            for at in 0..=row {
                let w = rounding.weights([row, at]);
                let point = patch.point(w);
                p.push(bodies.map_or(point, |bodies| outside(bodies.nearest, point, patch.flat(w))));
                n.push(patch.normal(w));
            }
        }
        let number = |[row, at]: [usize; 2]| first + (row * (row + 1) / 2 + at) as u32;
        t.extend((0..rounding.count()).map(|small| rounding.corners(small).map(number)));
    }
    Some((p, n, t))
}

/// A point of a patch, outside bodies if the same point of its flat triangle is. Neighbours agree on their common edge.
fn outside(nearest: &dyn Fn(V3) -> (f32, V3), point: V3, flat: V3) -> V3 {
    let (round, even) = (nearest(point).0, nearest(flat).0);
    // keep at least half the distance that the flat triangle has
    let share = if round >= 0.5 * even { 1.0 } else { (0.5 * even / (even - round)).clamp(0.0, 1.0) };
    let point = flat + (point - flat) * share;
    let (distance, out) = nearest(point);
    // a point deep inside was simulated so, or the body is from a file: do not hide it
    if (-LEAST..LEAST).contains(&distance) { point + out * (LEAST - distance) } else { point }
}

struct Patch {
    p: [V3; 3],
    n: [V3; 3],
    /// Control points next to corner i towards corner j: `edge[i][j]`.
    edge: [[V3; 3]; 3],
    middle: V3,
}

impl Patch {
    fn new(p: [V3; 3], n: [V3; 3], flat: [bool; 3]) -> Patch {
        let mut edge = [[V3::ZERO; 3]; 3];
        let mut sum = V3::ZERO;
        for i in 0..3 {
            for j in (0..3).filter(|&j| j != i) {
                let way = p[j] - p[i];
                let off = if flat[i] { 0.0 } else { way.dot(n[i]) };
                edge[i][j] = p[i] + (way - n[i] * off) / 3.0;
                sum += edge[i][j];
            }
        }
        let (e, v) = (sum / 6.0, (p[0] + p[1] + p[2]) / 3.0);
        Patch { p, n, edge, middle: e + (e - v) * 0.5 }
    }

    fn flat(&self, w: [f32; 3]) -> V3 {
        self.p[0] * w[0] + self.p[1] * w[1] + self.p[2] * w[2]
    }

    fn point(&self, w: [f32; 3]) -> V3 {
        let mut sum = self.middle * (6.0 * w[0] * w[1] * w[2]);
        for i in 0..3 {
            sum += self.p[i] * (w[i] * w[i] * w[i]);
            for j in (0..3).filter(|&j| j != i) {
                sum += self.edge[i][j] * (3.0 * w[i] * w[i] * w[j]);
            }
        }
        sum
    }

    fn normal(&self, w: [f32; 3]) -> V3 {
        (self.n[0] * w[0] + self.n[1] * w[1] + self.n[2] * w[2]).unit_or(V3::ZERO)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::v3;

    #[test]
    fn small_triangles_tile_the_large_one_and_know_where_they_are() {
        let corners = [v3(0.0, 0.0, 0.0), v3(1.0, 0.0, 0.0), v3(0.0, 1.0, 0.0)];
        let up = v3(0.0, 0.0, 1.0);
        for parts in 2..=5 {
            let rounding = Rounding::new(parts);
            let (p, _, t) = subdivide(rounding, &corners, &[up; 3], &[[0, 1, 2]], None).unwrap();
            assert_eq!(t.len(), parts * parts);
            let mut area = 0.0;
            for (i, t) in t.iter().enumerate() {
                let [a, b, c] = t.map(|v| p[v as usize]);
                let face = (b - a).cross(c - a).z;
                assert!(face > 0.0, "turned round");
                area += 0.5 * face;
                let (source, w) = rounding.source(i, [0.2, 0.3, 0.5]);
                let expected = a * 0.2 + b * 0.3 + c * 0.5;
                assert_eq!(source, 0);
                assert!((v3(w[1], w[2], 0.0) - expected).length() < 1e-6, "{parts} {i}");
            }
            assert!((area - 0.5).abs() < 1e-6);
        }
    }

    #[test]
    fn rounding_does_not_dip_into_a_body() {
        let corners = [v3(0.0, 0.0, 0.001), v3(1.0, 0.0, 0.001), v3(0.0, 1.0, 0.2)];
        let normals = [v3(-0.6, 0.0, -0.8), v3(0.6, 0.0, -0.8), v3(0.0, 0.0, 1.0)];
        let dips = |bodies: Option<Bodies>| {
            let (p, _, _) = subdivide(Rounding::new(5), &corners, &normals, &[[0, 1, 2]], bodies).unwrap();
            p.iter().fold(f32::INFINITY, |least, p| least.min(p.z))
        };
        let floor = |p: V3| (p.z, v3(0.0, 0.0, 1.0));
        assert!(dips(None) < -0.05, "{}", dips(None));
        let on_floor = |flat| dips(Some(Bodies { nearest: &floor, flat }));
        assert!((on_floor(&[false; 3]) - LEAST).abs() < 1e-6);
        // flat, although no body is near
        let far = |_: V3| (9.0, V3::ZERO);
        assert!(dips(Some(Bodies { nearest: &far, flat: &[true; 3] })) > 0.0009);
    }

    #[test]
    fn triangle_with_the_normals_of_a_sphere_becomes_nearly_a_sphere() {
        let corners = [v3(1.0, 0.5, 0.5), v3(0.5, 1.0, 0.5), v3(0.5, 0.5, 1.0)].map(|p| p.unit_or(V3::ZERO));
        let (p, n, _) = subdivide(Rounding::new(5), &corners, &corners, &[[0, 1, 2]], None).unwrap();
        for (p, n) in p.iter().zip(n) {
            // the middle of the flat triangle is at 0.94
            assert!((p.length() - 1.0).abs() < 0.006, "{p:?} {}", p.length());
            assert!(p.unit_or(V3::ZERO).dot(n) > 0.999);
        }
    }
}
