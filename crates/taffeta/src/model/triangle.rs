//! The map from a triangle of the material plane to its place in space.
//!
//! D. Baraff and A. Witkin, Large Steps in Cloth Simulation, SIGGRAPH 1998, Sec. 4.2.
//!
//! ```text
//! (w_u w_v) = (Δx1 Δx2) (Δu1 Δu2; Δv1 Δv2)⁻¹         w_u = Σ_m a_m x_m     w_v = Σ_m b_m x_m
//! ```
//! a_m = ∂w_u/∂x_m and b_m = ∂w_v/∂x_m in 1/m. The paper divides by twice the area; here by the signed determinant, so
//! that a panel may be wound clockwise or mirrored.

use crate::Vec3;
use glam::DMat3;

/// Slopes a and b and the rest area, m², of a triangle in the material plane. The triangle must have an area.
pub fn slopes(uv: &[[f64; 2]; 3]) -> ([f64; 3], [f64; 3], f64) {
    let [p, q, r] = uv;
    let (u1, v1) = (q[0] - p[0], q[1] - p[1]);
    let (u2, v2) = (r[0] - p[0], r[1] - p[1]);
    let d = u1 * v2 - u2 * v1;
    let a = [(v1 - v2) / d, v2 / d, -v1 / d];
    let b = [(u2 - u1) / d, -u2 / d, u1 / d];
    (a, b, 0.5 * d.abs())
}

/// Direction Σ_m a_m x_m, from differences: a_0 = -a_1 - a_2 only up to rounding, and cloth may be far from the origin.
#[inline]
pub fn direction(a: &[f64; 3], x: &[Vec3; 3]) -> Vec3 {
    (x[1] - x[0]) * a[1] + (x[2] - x[0]) * a[2]
}

/// Makes blocks from the upper half, so that the lower one is its transpose to the last bit.
#[inline]
pub(super) fn symmetric<const N: usize>(block: impl Fn(usize, usize) -> DMat3) -> [[DMat3; N]; N] {
    use std::array::from_fn;
    let upper: [[DMat3; N]; N] = from_fn(|i| from_fn(|j| if j < i { DMat3::ZERO } else { block(i, j) }));
    from_fn(|i| from_fn(|j| if j < i { upper[j][i].transpose() } else { upper[i][j] }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::check;

    /// Whatever the winding, w_u and w_v are the columns of the map that placed the triangle.
    #[test]
    fn directions_are_those_of_the_map() {
        let [wu, wv] = check::points::<2>(3, 1.0);
        for (name, uv) in check::rest_triangles(0.01) {
            let (a, b, area) = slopes(&uv);
            let x = uv.map(|[u, v]| wu * u + wv * v + Vec3::new(0.3, -0.2, 0.1));
            assert!(area > 0.0);
            // the needle loses some digits because it is thin
            assert!(direction(&a, &x).distance(wu) < 1e-11, "{name}: {} instead of {wu}", direction(&a, &x));
            assert!(direction(&b, &x).distance(wv) < 1e-11, "{name}: {} instead of {wv}", direction(&b, &x));
        }
    }
}
