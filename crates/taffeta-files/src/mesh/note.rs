//! Remarks about a mesh file in which nothing is wrong.

/// A remark about a mesh file in which nothing is wrong.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Note {
    /// The texture coordinates are not used, because some faces have none.
    #[error(
        "{with} faces have texture coordinates and {without} have none (the first is on line {line}): they are not used"
    )]
    SomeUv {
        /// Number of faces that have them.
        with: usize,
        /// Number of faces that have none.
        without: usize,
        /// Line of the first face without.
        line: usize,
    },
    /// A keyword that is not part of a cloth mesh was skipped.
    #[error("line {line}: `{keyword}` is not read")]
    Skipped {
        /// Line of its first occurrence.
        line: usize,
        /// The keyword.
        keyword: String,
    },
    /// Something in a binary file that is not part of a cloth mesh was skipped.
    #[error("{what} is not read")]
    NotRead {
        /// What it is and where.
        what: String,
    },
    /// Only one animation is played at a time, and some programs write one for each object.
    #[error("animation `{played}` is played; there are {others} others, the next is `{next}`")]
    OtherAnimations {
        /// The first animation, because none was named.
        played: String,
        /// Number of the others.
        others: usize,
        /// The second animation.
        next: String,
    },
    /// A moving mesh is used where only its shape matters.
    #[error("its motion (`{name}`) is not used: the mesh is taken as it is before it moves")]
    Motion {
        /// The first animation.
        name: String,
    },
    /// The texture coordinates are not used, because some parts have none.
    #[error("`{part}` has no texture coordinates and others have: they are not used")]
    PartWithoutUv {
        /// The first part without.
        part: String,
    },
    /// Concave faces have too many corners to be cut by ear clipping.
    #[error("face {face} has {corners} corners and is not convex: it is cut into a fan")]
    Fan {
        /// The first of them, counted from 0.
        face: usize,
        /// Its number of corners.
        corners: usize,
    },
    /// Vertices coincide exactly: a seam that another program cut open, or a mesh of loose triangles.
    #[error(
        "{count} vertices are at the same place as another: weld them (`weld = 0.0` in a scene, --weld 0 in `convert`) \
         if the mesh should hold together there"
    )]
    Duplicates {
        /// Number of vertices that could be removed.
        count: usize,
    },
    /// Vertices were welded.
    #[error("{joined} vertices were welded to others; {dropped} triangles had no area left and were dropped")]
    Welded {
        /// Number of vertices removed.
        joined: usize,
        /// Number of triangles removed.
        dropped: usize,
    },
}
