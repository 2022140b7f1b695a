//! Remarks about a mesh file in which nothing is wrong.

/// A remark about a mesh file in which nothing is wrong.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Note {
    /// The texture coordinates are not used, because some faces have none.
    #[error(
        "{with} faces have texture coordinates and {without} have none (the first is on line {line}): they are not used"
    )]
    SomeUv {
        /// Faces that have them.
        with: usize,
        /// Faces that have none.
        without: usize,
        /// The first face without.
        line: usize,
    },
    /// Something that is not part of a cloth mesh.
    #[error("line {line}: `{keyword}` is not read")]
    Skipped {
        /// Where it is found first.
        line: usize,
        /// Its first word.
        keyword: String,
    },
    /// Something in a binary file that is not part of a cloth mesh.
    #[error("{what} is not read")]
    NotRead {
        /// What and where.
        what: String,
    },
    /// Only one animation is played at a time, and some programs write one for each object.
    #[error("animation `{played}` is played; there are {others} others, the next is `{next}`")]
    OtherAnimations {
        /// The first, because none was named.
        played: String,
        /// How many there are besides.
        others: usize,
        /// The second.
        next: String,
    },
    /// A mesh that moves is used where only its shape counts.
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
    /// Concave faces with too many corners for a careful cut.
    #[error("face {face} has {corners} corners and is not convex: it is cut into a fan")]
    Fan {
        /// The first of them, counted from 0.
        face: usize,
        /// Its corners.
        corners: usize,
    },
    /// Vertices at the very same place: a seam that other programs cut open, or a mesh of loose triangles.
    #[error(
        "{count} vertices are at the same place as another: weld them (`weld = 0.0` in a scene, --weld 0 in `convert`) \
         if the mesh should hold together there"
    )]
    Duplicates {
        /// How many could be left out.
        count: usize,
    },
    /// What welding did.
    #[error("{joined} vertices were welded to others; {dropped} triangles had no area left and were dropped")]
    Welded {
        /// Vertices that are no more.
        joined: usize,
        /// Triangles that are no more.
        dropped: usize,
    },
}
