//! Small algebra.

use crate::Vec3;
use glam::DMat3;

/// Columns of a bᵀ.
#[inline]
pub fn outer(a: Vec3, b: Vec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}
