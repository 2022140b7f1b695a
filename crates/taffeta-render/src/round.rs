//! Coarse cloth, rounded between its vertices.
//!
//! Curved PN triangles: a cubic patch through the three vertices, upright on their normals there. Neighbours share the
//! curve along their edge. A. Vlachos et al., Curved PN Triangles, I3D 2001, Sec. 3.1.

use crate::vector::V3;

/// Meshes are made no finer than this many triangles, so that a film stays quick.
const ENOUGH: usize = 30_000;
const FINEST: usize = 5;

/// How many parts each edge is cut into.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rounding(usize);

/// Points, normals and triangles.
pub(crate) type Mesh = (Vec<V3>, Vec<V3>, Vec<[u32; 3]>);

impl Rounding {
    pub fn new(parts: usize) -> Self {
        Rounding(parts)
    }

    /// Finer for coarser meshes.
    pub fn for_triangles(count: usize) -> Self {
        let parts = (1..=FINEST).rev().find(|parts| count * parts * parts <= ENOUGH);
        Rounding(parts.unwrap_or(1))
    }

    /// Small triangles in each large one.
    pub fn count(self) -> usize {
        self.0 * self.0
    }

    /// Row, place in the row, and whether a small triangle points down; the rows go away from the first corner.
    fn place(self, small: usize) -> (usize, usize, bool) {
        let row = small.isqrt();
        let at = small - row * row;
        (row, at / 2, at % 2 == 1)
    }

    /// Rows and places of a small triangle's corners.
    fn corners(self, small: usize) -> [[usize; 2]; 3] {
        let (row, at, down) = self.place(small);
        if down { [[row, at], [row + 1, at + 1], [row, at + 1]] } else { [[row, at], [row + 1, at], [row + 1, at + 1]] }
    }

    /// Weights of the large triangle's corners at a row and place.
    fn weights(self, [row, at]: [usize; 2]) -> [f32; 3] {
        let part = 1.0 / self.0 as f32;
        [(self.0 - row) as f32 * part, (row - at) as f32 * part, at as f32 * part]
    }

    /// The large triangle, and weights of its corners, of a place in a small one.
    pub fn source(self, triangle: usize, weights: [f32; 3]) -> (usize, [f32; 3]) {
        if self.0 == 1 {
            return (triangle, weights);
        }
        let corners = self.corners(triangle % self.count()).map(|c| self.weights(c));
        let mixed = std::array::from_fn(|i| (0..3).map(|k| weights[k] * corners[k][i]).sum());
        (triangle / self.count(), mixed)
    }
}

/// Small triangles on the curved surface, those of one large triangle after the other; `None` if nothing is to do.
pub(crate) fn subdivide(rounding: Rounding, points: &[V3], normals: &[V3], triangles: &[[u32; 3]]) -> Option<Mesh> {
    let parts = rounding.0;
    if parts <= 1 {
        return None;
    }
    let (mut p, mut n, mut t) = Mesh::default();
    for triangle in triangles {
        let patch = Patch::new(triangle.map(|v| points[v as usize]), triangle.map(|v| normals[v as usize]));
        let first = p.len() as u32;
        for row in 0..=parts {
            for at in 0..=row {
                let w = rounding.weights([row, at]);
                p.push(patch.point(w));
                n.push(patch.normal(w));
            }
        }
        let number = |[row, at]: [usize; 2]| first + (row * (row + 1) / 2 + at) as u32;
        t.extend((0..rounding.count()).map(|small| rounding.corners(small).map(number)));
    }
    Some((p, n, t))
}

struct Patch {
    p: [V3; 3],
    n: [V3; 3],
    /// Control points next to corner i on the way to corner j: `edge[i][j]`.
    edge: [[V3; 3]; 3],
    middle: V3,
}

impl Patch {
    fn new(p: [V3; 3], n: [V3; 3]) -> Patch {
        let mut edge = [[V3::ZERO; 3]; 3];
        let mut sum = V3::ZERO;
        for i in 0..3 {
            for j in (0..3).filter(|&j| j != i) {
                let way = p[j] - p[i];
                edge[i][j] = p[i] + (way - n[i] * way.dot(n[i])) / 3.0;
                sum += edge[i][j];
            }
        }
        let (e, v) = (sum / 6.0, (p[0] + p[1] + p[2]) / 3.0);
        Patch { p, n, edge, middle: e + (e - v) * 0.5 }
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
            let (p, _, t) = subdivide(rounding, &corners, &[up; 3], &[[0, 1, 2]]).unwrap();
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
    fn triangle_with_the_normals_of_a_sphere_becomes_nearly_a_sphere() {
        let corners = [v3(1.0, 0.5, 0.5), v3(0.5, 1.0, 0.5), v3(0.5, 0.5, 1.0)].map(|p| p.unit_or(V3::ZERO));
        let (p, n, _) = subdivide(Rounding::new(5), &corners, &corners, &[[0, 1, 2]]).unwrap();
        for (p, n) in p.iter().zip(n) {
            // the flat triangle is at 0.94 in its middle
            assert!((p.length() - 1.0).abs() < 0.006, "{p:?} {}", p.length());
            assert!(p.unit_or(V3::ZERO).dot(n) > 0.999);
        }
    }
}
