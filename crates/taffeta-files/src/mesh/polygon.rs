//! Faces with more than three corners. Readers split them into fans around their first corner. Faces that are not
//! convex, or have three collinear corners, are cut again here by ear clipping (G. H. Meisters, Polygons have ears,
//! American Mathematical Monthly 82, 1975), so that no triangle lies outside its face or has no area.

use super::Note;
use taffeta::Vec3;

/// A face with more than three corners: `corners - 2` triangles from `first` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Polygon {
    /// Its first triangle.
    pub first: usize,
    /// Its number of corners.
    pub corners: usize,
}

/// Ear clipping takes up to cubic time: faces with more corners stay fans, so that no small file takes for ever.
const MOST_CORNERS: usize = 100;
/// Sine of an angle that is treated as straight.
const STRAIGHT: f64 = 1e-9;

/// Cuts the fans of faces that are not strictly convex again. The first face too large to be cut is noted.
pub(crate) fn cut(
    x: &[Vec3],
    triangles: &mut [[u32; 3]],
    mut uv: Option<&mut [[[f64; 2]; 3]]>,
    polygons: &[Polygon],
    notes: &mut Vec<Note>,
) {
    let mut extra = 0;
    for polygon in polygons {
        let range = polygon.first..polygon.first + polygon.corners - 2;
        let ring = Ring::of(x, &triangles[range.clone()]);
        let face = polygon.first - extra;
        extra += polygon.corners - 3;
        if ring.strictly_convex() {
            continue;
        }
        if polygon.corners > MOST_CORNERS {
            if !notes.iter().any(|note| matches!(note, Note::Fan { .. })) {
                notes.push(Note::Fan { face, corners: polygon.corners });
            }
            continue;
        }
        let Some(ears) = ring.ears() else { continue };
        // corners 0 and 1 of the face are in the first triangle of the fan, every other is the last of its triangle
        let old = triangles[range.clone()].to_vec();
        let pick = |i: usize| if i < 2 { (0, i) } else { (i - 2, 2) };
        for (t, ear) in triangles[range.clone()].iter_mut().zip(&ears) {
            *t = ear.map(|i| old[pick(i).0][pick(i).1]);
        }
        if let Some(uv) = uv.as_deref_mut() {
            let old = uv[range.clone()].to_vec();
            for (t, ear) in uv[range].iter_mut().zip(&ears) {
                *t = ear.map(|i| old[pick(i).0][pick(i).1]);
            }
        }
    }
}

/// The corners of a face, projected along its normal so that they are in counter-clockwise order.
struct Ring(Vec<[f64; 2]>);

impl Ring {
    fn of(x: &[Vec3], fan: &[[u32; 3]]) -> Self {
        let corners = fan.iter().take(1).flat_map(|t| [t[0], t[1]]).chain(fan.iter().map(|t| t[2]));
        let points: Vec<Vec3> = corners.map(|v| x[v as usize] - x[fan[0][0] as usize]).collect();
        let next = |i: usize| points[(i + 1) % points.len()];
        let normal: Vec3 = points.iter().enumerate().map(|(i, p)| p.cross(next(i))).sum();
        let [nx, ny, nz] = normal.to_array().map(f64::abs);
        let flat = |p: &Vec3| match (nx >= ny && nx >= nz, ny >= nz) {
            (true, _) => [p.y, p.z * normal.x.signum()],
            (_, true) => [p.z, p.x * normal.y.signum()],
            _ => [p.x, p.y * normal.z.signum()],
        };
        Self(points.iter().map(flat).collect())
    }

    /// Sine of the turn at b, times both lengths: positive for a left turn.
    fn turn(&self, a: usize, b: usize, c: usize) -> f64 {
        let [a, b, c] = [a, b, c].map(|i| self.0[i]);
        (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])
    }

    fn bends_left(&self, a: usize, b: usize, c: usize) -> bool {
        let [p, q, r] = [a, b, c].map(|i| self.0[i]);
        let lengths = (q[0] - p[0]).hypot(q[1] - p[1]) * (r[0] - q[0]).hypot(r[1] - q[1]);
        self.turn(a, b, c) > STRAIGHT * lengths
    }

    fn strictly_convex(&self) -> bool {
        let n = self.0.len();
        (0..n).all(|i| self.bends_left(i, (i + 1) % n, (i + 2) % n))
    }

    /// Triangles that cover the face; `None` if its shape cannot be covered.
    fn ears(&self) -> Option<Vec<[usize; 3]>> {
        let mut left: Vec<usize> = (0..self.0.len()).collect();
        let mut ears = Vec::with_capacity(left.len() - 2);
        while left.len() > 3 {
            let n = left.len();
            let around = |k: usize| (left[(k + n - 1) % n], left[k], left[(k + 1) % n]);
            let ear = (0..n).find(|&k| {
                let (a, b, c) = around(k);
                self.bends_left(a, b, c) && !left.iter().any(|&p| self.inside(a, b, c, p))
            })?;
            let (a, b, c) = around(ear);
            ears.push([a, b, c]);
            left.remove(ear);
        }
        ears.push([left[0], left[1], left[2]]);
        Some(ears)
    }

    /// Whether corner p is inside the triangle or on its border, except its own corners and their duplicates.
    fn inside(&self, a: usize, b: usize, c: usize, p: usize) -> bool {
        let corner = [a, b, c].iter().any(|&i| self.0[i] == self.0[p]);
        !corner && self.turn(a, b, p) >= 0.0 && self.turn(b, c, p) >= 0.0 && self.turn(c, a, p) >= 0.0
    }
}

#[cfg(test)]
mod tests {
    use crate::obj;
    use taffeta::Vec3;

    fn area(x: &[Vec3], t: &[u32; 3]) -> Vec3 {
        let [a, b, c] = t.map(|v| x[v as usize]);
        (b - a).cross(c - a) * 0.5
    }

    /// Every triangle has the same orientation and a positive area, and the areas add up to that of the face.
    #[test]
    fn concave_faces_are_cut_into_triangles_inside_them() {
        let cases: [(&str, &[[i32; 2]], f64); 5] = [
            ("arrow", &[[0, 0], [4, 2], [0, 4], [1, 2]], 6.0),
            ("arrow from its notch", &[[1, 2], [0, 0], [4, 2], [0, 4]], 6.0),
            ("corner in a line", &[[0, 0], [1, 0], [2, 0], [2, 2], [0, 2]], 4.0),
            (
                "comb",
                &[[0, 0], [5, 0], [5, 3], [4, 3], [4, 1], [3, 1], [3, 3], [2, 3], [2, 1], [1, 1], [1, 3], [0, 3]],
                11.0,
            ),
            (
                "spiral",
                &[[0, 0], [5, 0], [5, 5], [1, 5], [1, 2], [3, 2], [3, 3], [2, 3], [2, 4], [4, 4], [4, 1], [0, 1]],
                15.0,
            ),
        ];
        for (name, corners, expected) in cases {
            for (ex, ey) in
                [(Vec3::X, Vec3::Y), (Vec3::Y, Vec3::X), (Vec3::new(0.6, 0.0, 0.8), Vec3::Y), (Vec3::Z, Vec3::X)]
            {
                let mut text = String::new();
                for c in corners {
                    let p = ex * f64::from(c[0]) + ey * f64::from(c[1]);
                    text += &format!("v {} {} {}\nvt {} {}\n", p.x, p.y, p.z, c[0], c[1]);
                }
                text += "f";
                (1..=corners.len()).for_each(|i| text += &format!(" {i}/{i}"));
                let mesh = obj::parse(text.as_bytes()).unwrap();
                let normal = ex.cross(ey).normalize();
                let areas: Vec<f64> = mesh.triangles.iter().map(|t| area(&mesh.positions, t).dot(normal)).collect();
                assert!(areas.iter().all(|a| *a > 1e-9), "{name}: {areas:?}");
                assert!((areas.iter().sum::<f64>() - expected).abs() < 1e-9, "{name}: {areas:?}");
                // uv moved with their corners
                for (t, uv) in mesh.triangles.iter().zip(mesh.uv.as_ref().unwrap()) {
                    for (v, uv) in t.iter().zip(uv) {
                        assert!((ex * uv[0] + ey * uv[1]).distance(mesh.positions[*v as usize]) < 1e-12, "{name}");
                    }
                }
            }
        }
    }

    #[test]
    fn faces_without_a_shape_stay_fans() {
        let mesh = obj::parse(b"v 0 0 0\nv 1 0 0\nv 2 0 0\nv 3 0 0\nf 1 2 3 4\n").unwrap();
        assert_eq!(mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
    }
}
