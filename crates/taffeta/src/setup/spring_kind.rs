//! Kinds of springs, after Provot 1995.

/// Purpose of a spring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SpringKind {
    /// Resists stretch along warp and weft.
    Structural,
    /// Resists shear, across warp and weft.
    Shear,
    /// Resists bending, over one particle or one edge.
    Flexion,
}

impl SpringKind {
    /// All kinds, in the order of storage.
    pub const ALL: [SpringKind; 3] = [SpringKind::Structural, SpringKind::Shear, SpringKind::Flexion];
}
