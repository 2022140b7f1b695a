//! Triangle meshes of any shape, and grids.

use crate::Vec3;

/// A triangle mesh with material coordinates: the rest shape of a cloth.
///
/// ```
/// use taffeta::{Mesh, Pattern};
/// let mesh = Mesh::grid([1.0, 0.5], [20, 10], Pattern::Alternating)?;
/// assert_eq!(mesh.rest.len(), 21 * 11);
/// assert_eq!(mesh.triangles.len(), 2 * 20 * 10);
/// # Ok::<(), taffeta::MeshProblems>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// Rest positions, m.
    pub rest: Vec<Vec3>,
    /// Three vertices each, counter-clockwise seen from the front.
    pub triangles: Vec<[u32; 3]>,
    /// Material coordinates (u = warp, v = weft) of the corners of each triangle, m. Lengths and areas come from these.
    pub uv: Vec<[[f64; 2]; 3]>,
    /// Whether `uv` was given; if not it was made from the triangles' shapes in space, and rest angles come from there too.
    pub has_uv: bool,
    /// Set for meshes made by [`Mesh::grid`].
    pub grid: Option<Grid>,
}

/// How a grid was made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// Width and height, m.
    pub size: [f64; 2],
    /// Cells along x and y.
    pub cells: [u32; 2],
    /// How its cells are cut into triangles.
    pub pattern: Pattern,
}

/// How the cells of a grid are cut into triangles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pattern {
    /// Two triangles, the diagonal from left-bottom to right-top in every cell.
    OneDiagonal,
    /// Two triangles, the diagonals alternate like a chess board.
    #[default]
    Alternating,
    /// Four triangles around a vertex in the middle of each cell; these vertices come after those of the grid.
    Crossed,
}

/// Everything that is wrong with a mesh.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}", .0.iter().map(|p| p.to_string()).collect::<Vec<_>>().join("; "))]
pub struct MeshProblems(pub Vec<MeshProblem>);

/// What is wrong with a mesh; numbers count from 0.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)]
pub enum MeshProblem {
    #[error("the mesh has no triangles")]
    Empty,
    #[error("a grid needs at least one cell in each direction, not {} x {}", .0[0], .0[1])]
    NoCells([u32; 2]),
    #[error("{count} vertices are more than the {limit} that a mesh can have")]
    TooLarge { count: u64, limit: u64 },
    #[error("the size {size} m is not a positive number")]
    BadSize { size: f64 },
    #[error("vertex {vertex} is at ({}, {}, {}), which is not a place", .position[0], .position[1], .position[2])]
    NotFinite { vertex: u32, position: [f64; 3] },
    #[error("triangle {triangle} refers to vertex {vertex}, but there are only {count} vertices (the first is 0)")]
    OutOfRange { triangle: u32, vertex: u32, count: u32 },
    #[error("triangle {triangle} uses vertex {vertex} twice")]
    Repeated { triangle: u32, vertex: u32 },
    #[error("triangle {triangle} (vertices {}, {}, {}) has no area", .vertices[0], .vertices[1], .vertices[2])]
    NoArea { triangle: u32, vertices: [u32; 3] },
    #[error("triangle {triangle} has no area in uv")]
    NoUvArea { triangle: u32 },
    #[error("triangle {triangle} has a uv coordinate that is not a number")]
    UvNotFinite { triangle: u32 },
    #[error("{count} triangles (the first are {}, {}, {}) share the edge between vertices {} and {}; an edge can have two", .triangles[0], .triangles[1], .triangles[2], .edge[0], .edge[1])]
    NonManifold { edge: [u32; 2], triangles: [u32; 3], count: u32 },
    #[error("triangles {} and {} run along their edge between vertices {} and {} in the same direction: one of them is turned over", .triangles[0], .triangles[1], .edge[0], .edge[1])]
    Flipped { edge: [u32; 2], triangles: [u32; 2] },
    #[error("vertex {vertex} belongs to no triangle")]
    Loose { vertex: u32 },
    #[error("{given} uv triples were given for {triangles} triangles")]
    UvCount { given: usize, triangles: usize },
}

/// More vertices do not fit the 32-bit numbers of elements with room to spare.
pub const MAX_VERTICES: u64 = 200_000_000;

impl Mesh {
    /// A mesh of any shape. Without `uv` (or if they are degenerate everywhere) lengths come from the positions.
    ///
    /// All that is wrong is reported at once (the first ten of each kind).
    pub fn new(
        rest: Vec<Vec3>,
        triangles: Vec<[u32; 3]>,
        uv: Option<Vec<[[f64; 2]; 3]>>,
    ) -> Result<Self, MeshProblems> {
        let _ = (rest, triangles, uv);
        todo!()
    }

    /// A flat grid in the xy plane, centred at the origin: u = +x = warp, v = +y = weft, front = +z.
    pub fn grid(size: [f64; 2], cells: [u32; 2], pattern: Pattern) -> Result<Self, MeshProblems> {
        let _ = (size, cells, pattern);
        todo!()
    }

    /// A flat sheet of equilateral triangles with edges about `edge` long along x, centred at the origin.
    pub fn equilateral(size: [f64; 2], edge: f64) -> Result<Self, MeshProblems> {
        let _ = (size, edge);
        todo!()
    }
}
