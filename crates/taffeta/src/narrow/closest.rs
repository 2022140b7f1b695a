//! Closest points of a vertex and a triangle, and of two edges.

use super::Points;
use crate::Vec3;

/// The weights of the closest points of a vertex (first) and a triangle: w₀ = 1, those of the corners add to 1.
pub fn vertex_face([p, a, b, c]: Points) -> [f64; 4] {
    // C. Ericson, Real-Time Collision Detection, 2005, Sec. 5.1.5
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return [1.0, 1.0, 0.0, 0.0];
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return [1.0, 0.0, 1.0, 0.0];
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let v = share(d1, d1 - d3);
        return [1.0, 1.0 - v, v, 0.0];
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return [1.0, 0.0, 0.0, 1.0];
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let w = share(d2, d2 - d6);
        return [1.0, 1.0 - w, 0.0, w];
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        let w = share(d4 - d3, (d4 - d3) + (d5 - d6));
        return [1.0, 0.0, 1.0 - w, w];
    }
    let sum = va + vb + vc;
    let (v, w) = (share(vb, sum), share(vc, sum));
    [1.0, 1.0 - v - w, v, w]
}

/// The weights of the closest points of two edges; those of each add to 1.
pub fn edge_edge([a, b, c, d]: Points) -> [f64; 4] {
    // the same, Sec. 5.1.9
    let (u, v, r) = (b - a, d - c, a - c);
    let (uu, vv, vr) = (u.dot(u), v.dot(v), v.dot(r));
    let (mut s, t);
    if uu <= 0.0 {
        s = 0.0;
        t = share(vr, vv).clamp(0.0, 1.0);
    } else {
        let ur = u.dot(r);
        if vv <= 0.0 {
            t = 0.0;
            s = share(-ur, uu).clamp(0.0, 1.0);
        } else {
            let uv = u.dot(v);
            let whole = uu * vv - uv * uv;
            s = if whole > 0.0 { ((uv * vr - ur * vv) / whole).clamp(0.0, 1.0) } else { 0.0 };
            let on = (uv * s + vr) / vv;
            t = on.clamp(0.0, 1.0);
            if on != t {
                s = ((uv * t - ur) / uu).clamp(0.0, 1.0);
            }
        }
    }
    [1.0 - s, s, 1.0 - t, t]
}

fn share(part: f64, whole: f64) -> f64 {
    if whole != 0.0 { part / whole } else { 0.0 }
}

/// From the second primitive to the first, by the weights of their closest points.
pub fn difference<const A: usize>(x: &Points, w: [f64; 4]) -> Vec3 {
    // from differences to one point: the weights of each side add to 1
    let mut sum = Vec3::ZERO;
    for i in 0..4 {
        sum += (x[i] - x[0]) * if i < A { w[i] } else { -w[i] };
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::signed;

    fn points(seed: u64) -> Points {
        let r = |i: u64| signed(seed, i);
        std::array::from_fn(|k| Vec3::new(r(3 * k as u64), r(3 * k as u64 + 1), r(3 * k as u64 + 2)))
    }

    /// The least distance among all points of a fine lattice on both primitives.
    fn by_search<const A: usize>(x: &Points) -> f64 {
        let n = 60;
        let share = |i: u32| f64::from(i) / f64::from(n);
        let mut least = f64::INFINITY;
        for i in 0..=n {
            for j in 0..=n {
                let weights = match A {
                    1 if i + j <= n => [1.0, 1.0 - share(i) - share(j), share(i), share(j)],
                    1 => continue,
                    _ => [1.0 - share(i), share(i), 1.0 - share(j), share(j)],
                };
                least = least.min(difference::<A>(x, weights).length());
            }
        }
        least
    }

    #[test]
    fn closest_points_are_as_close_as_any() {
        for seed in 0..400 {
            let x = points(seed);
            let found = difference::<1>(&x, vertex_face(x)).length();
            let searched = by_search::<1>(&x);
            assert!(found <= searched + 1e-12 && searched < found + 0.05, "{seed}: {found} and {searched}");
            let found = difference::<2>(&x, edge_edge(x)).length();
            let searched = by_search::<2>(&x);
            assert!(found <= searched + 1e-12 && searched < found + 0.05, "{seed}: {found} and {searched}");
        }
    }
}
