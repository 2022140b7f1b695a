//! Springs between two particles.

/// What a spring is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SpringKind {
    /// Along warp and weft.
    Structural,
    /// Across.
    Shear,
    /// Over one particle or one edge.
    Flexion,
}
