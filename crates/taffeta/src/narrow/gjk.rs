//! The point of a convex set that is nearest to the origin: E. G. Gilbert, D. W. Johnson, S. S. Keerthi, A fast
//! procedure for computing the distance between complex objects in three-dimensional space, IEEE J. Robotics and
//! Automation 4, 1988.
//!
//! A set is known by its support: its lowest point along any direction. The set of all differences of the points of two
//! convex bodies has as its nearest point to the origin the difference of their closest points.

use super::closest;
use crate::Vec3;

/// Iterations: polyhedra need fewer than ten, smooth bodies about twenty for nine digits.
const MOST: u32 = 64;

/// A plane between the origin and a convex set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Separation<T> {
    /// Away from the origin, length 1.
    pub normal: Vec3,
    /// Height of the whole set above the plane through the origin. It is certain, whether or not the search came to
    /// its end; not above zero where the set has the origin.
    pub gap: f64,
    /// The nearest point found, as points of the set with weights.
    pub points: [(T, f64); 4],
}

/// Finds the plane that is farthest from the origin. `lowest` gives the lowest point of the set along a direction of
/// length 1, with a mark. The search begins along `guess` and ends where the gap is less than the distance of the
/// nearest point by this share at most.
pub(crate) fn separate<T: Copy>(accuracy: f64, guess: Vec3, lowest: impl Fn(Vec3) -> (Vec3, T)) -> Separation<T> {
    let along = guess.try_normalize().unwrap_or(Vec3::Y);
    let (first, mark) = lowest(along);
    let mut simplex = [(first, mark); 4];
    let mut weights = [1.0, 0.0, 0.0, 0.0];
    let mut size = 1;
    let mut nearest = first;
    let mut best = (along, along.dot(first));
    for _ in 0..MOST {
        let square = nearest.length_squared();
        if square <= 0.0 {
            break;
        }
        let normal = nearest / square.sqrt();
        let (next, mark) = lowest(normal);
        let height = nearest.dot(next);
        if normal.dot(next) > best.1 {
            best = (normal, normal.dot(next));
        }
        if square - height <= accuracy * square || simplex[..size].iter().any(|(p, _)| *p == next) {
            break;
        }
        simplex[size] = (next, mark);
        size += 1;
        let Some(found) = nearest_of_simplex(&simplex, size) else {
            if best.1 > 0.0 {
                break; // rounding: the origin is outside
            }
            return Separation { normal: best.0, gap: best.1.min(0.0), points: mark_all(&simplex, [0.25; 4]) };
        };
        // keep what has a weight
        let mut kept = 0;
        for k in 0..size {
            if found[k] > 0.0 {
                (simplex[kept], weights[kept]) = (simplex[k], found[k]);
                kept += 1;
            }
        }
        weights[kept..].fill(0.0);
        size = kept;
        let before = square;
        nearest = (0..size).map(|k| simplex[k].0 * weights[k]).sum();
        if nearest.length_squared() >= before {
            break; // rounding
        }
    }
    Separation { normal: best.0, gap: best.1, points: mark_all(&simplex, weights) }
}

fn mark_all<T: Copy>(simplex: &[(Vec3, T); 4], weights: [f64; 4]) -> [(T, f64); 4] {
    std::array::from_fn(|k| (simplex[k].1, weights[k]))
}

/// The weights of the point nearest to the origin; `None` if the origin is inside a tetrahedron.
fn nearest_of_simplex<T>(simplex: &[(Vec3, T); 4], size: usize) -> Option<[f64; 4]> {
    let [a, b, c, d] = [0, 1, 2, 3].map(|k: usize| simplex[k].0);
    match size {
        1 => Some([1.0, 0.0, 0.0, 0.0]),
        2 => {
            let t = (-a.dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
            Some([1.0 - t, t, 0.0, 0.0])
        }
        3 => {
            let [_, u, v, w] = closest::vertex_face([Vec3::ZERO, a, b, c]);
            Some([u, v, w, 0.0])
        }
        _ => {
            let mut least: Option<(f64, [f64; 4])> = None;
            for [i, j, k, other] in [[0, 1, 2, 3], [0, 1, 3, 2], [0, 2, 3, 1], [1, 2, 3, 0]] {
                let p = [a, b, c, d];
                let normal = (p[j] - p[i]).cross(p[k] - p[i]);
                let sides = [normal.dot(-p[i]), normal.dot(p[other] - p[i])];
                if sides[0] * sides[1] > 0.0 {
                    continue; // the origin is on the inner side of this face
                }
                let [_, u, v, w] = closest::vertex_face([Vec3::ZERO, p[i], p[j], p[k]]);
                let square = (p[i] * u + p[j] * v + p[k] * w).length_squared();
                if least.is_none_or(|least| square < least.0) {
                    let mut weights = [0.0; 4];
                    (weights[i], weights[j], weights[k]) = (u, v, w);
                    least = Some((square, weights));
                }
            }
            least.map(|least| least.1)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::signed;
    use crate::shape::Exact;

    fn point(seed: u64, k: u64) -> Vec3 {
        Vec3::new(signed(seed, 3 * k), signed(seed, 3 * k + 1), signed(seed, 3 * k + 2))
    }

    fn of_points(points: &[Vec3]) -> Separation<usize> {
        separate(1e-12, Vec3::ONE, |n| {
            let k = (0..points.len()).min_by(|a, b| n.dot(points[*a]).total_cmp(&n.dot(points[*b]))).unwrap();
            (points[k], k)
        })
    }

    /// Optimal if no point of the set is below the plane through the point that was found: that is the condition of
    /// Karush, Kuhn and Tucker, and needs no other program.
    #[test]
    fn the_nearest_point_of_a_hull_has_all_others_behind_it() {
        let (mut apart, mut around) = (0, 0);
        for seed in 0..3000 {
            let count = 1 + seed as usize % 12;
            let shift = point(seed, 99) * 0.6;
            // some of them flat, or on a line
            let flat = [Vec3::ONE, Vec3::new(1.0, 1.0, 0.0), Vec3::X][seed as usize % 3];
            let points: Vec<Vec3> = (0..count as u64).map(|k| point(seed, k) * flat + shift).collect();
            let found = of_points(&points);
            let nearest: Vec3 = found.points.iter().map(|(k, w)| points[*k] * *w).sum();
            if found.gap > 0.0 {
                apart += 1;
                let lowest = points.iter().map(|p| found.normal.dot(*p)).fold(f64::INFINITY, f64::min);
                assert!((lowest - found.gap).abs() < 1e-14, "{seed}");
                assert!((nearest.length() - found.gap).abs() < 1e-9, "{seed}: {nearest} {found:?}");
            } else {
                around += 1;
                // no direction among many has the whole set on its side
                for k in 0..200 {
                    let n = point(seed + 7777, k).normalize();
                    assert!(points.iter().any(|p| n.dot(*p) <= 1e-9), "{seed}: {n}");
                }
            }
        }
        assert!(apart > 1000 && around > 100, "{apart} {around}");
    }

    /// Points and shapes: the distance is the exact one of the shape.
    #[test]
    fn distances_of_points_from_shapes_are_exact() {
        for shape in Exact::samples() {
            for k in 0..200 {
                let p = point(3, k);
                let exact = shape.nearest(p);
                if exact.distance < 1e-3 || shape.support(Vec3::Y).is_none() || !shape.is_convex() {
                    continue;
                }
                let found = separate(1e-12, p, |n| (shape.support(n).map_or(p, |(_, q)| p - q), ()));
                assert!((found.gap - exact.distance).abs() < 1e-8, "{shape:?} {p}: {found:?} {exact:?}");
                assert!(found.normal.dot(exact.normal) > 1.0 - 1e-6, "{shape:?} {p}: {found:?} {exact:?}");
            }
        }
    }
}
