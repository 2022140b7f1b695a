//! Small vector algebra.

use crate::Vec3;
use glam::DMat3;

/// The outer product a bᵀ.
#[inline]
pub fn outer(a: Vec3, b: Vec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// Splits a force between two planes: their pushes add up to a force with the component `a` along the first normal and
/// `b` along the second. c is the cosine between the normals; `whole` is 1 - c², or more where they are nearly
/// parallel.
#[inline]
pub fn shares([a, b]: [f64; 2], c: f64, whole: f64) -> [f64; 2] {
    [(a - c * b) / whole, (b - c * a) / whole]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up_to_what_is_along_both_normals() {
        let (n, m) = (Vec3::new(0.6, 0.8, 0.0), Vec3::new(0.0, 0.28, 0.96));
        let (push, c) = (3.0 * n + 5.0 * m, n.dot(m));
        let [first, second] = shares([n.dot(push), m.dot(push)], c, 1.0 - c * c);
        assert!((first - 3.0).abs() < 1e-12 && (second - 5.0).abs() < 1e-12, "{first} {second}");
    }
}
