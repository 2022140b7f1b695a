//! Narrow phase: pairs of a vertex and a triangle, and of two edges.
//!
//! ```text
//! closest   closest points, as weights of the four vertices
//! ccd       continuous collision detection without false negatives
//! gjk       separation of convex sets
//! ```

pub mod ccd;
pub mod closest;
pub(crate) mod gjk;

use crate::Vec3;

/// The vertices of a pair: a vertex and the corners of a triangle, or the ends of one edge and of another.
pub type Points = [Vec3; 4];
