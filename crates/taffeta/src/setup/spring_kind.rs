//! Kinds of springs, after Provot 1995.

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

impl SpringKind {
    /// In the order of storage.
    pub const ALL: [SpringKind; 3] = [SpringKind::Structural, SpringKind::Shear, SpringKind::Flexion];
}
