//! Triangle meshes of any shape, and grids.

use super::mesh_check as check;
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
    /// Triangles of three vertices, counter-clockwise seen from the front.
    pub triangles: Vec<[u32; 3]>,
    /// Material coordinates (u = warp, v = weft) of the corners of each triangle, m. Lengths and areas come from these.
    pub uv: Vec<[[f64; 2]; 3]>,
    /// Whether `uv` was given. If not, it was computed from the triangles' shapes in space, and rest angles come from
    /// there too.
    pub has_uv: bool,
    /// Parameters of the grid, for meshes made by [`Mesh::grid`].
    pub grid: Option<Grid>,
    /// Bending stiffness of the mesh with hinges of stiffness 1, bent to a cylinder and left to settle. Hinge
    /// stiffnesses are divided by it. It is 1 if not known, and not used for grids, which have formulas.
    pub bend_factor: f64,
}

/// Parameters of a grid.
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
    /// Two triangles, with diagonals that alternate like a chess board.
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
    #[error("a ring at {ring} m does not lie inside the disc of radius {radius} m")]
    BadRing { ring: f64, radius: f64 },
    #[error("rings at {} m and {} m are too close for edges of {edge} m", .rings[0], .rings[1])]
    RingsTooClose { rings: [f64; 2], edge: f64 },
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
    #[error(
        "{count} triangles (the first are {}, {}, {}) share the edge between vertices {} and {}; an edge can have two",
        .triangles[0], .triangles[1], .triangles[2], .edge[0], .edge[1]
    )]
    NonManifold { edge: [u32; 2], triangles: [u32; 3], count: u32 },
    #[error(
        "triangles {} and {} run along their edge between vertices {} and {} in the same direction: one of them is \
         turned over",
        .triangles[0], .triangles[1], .edge[0], .edge[1]
    )]
    Flipped { edge: [u32; 2], triangles: [u32; 2] },
    #[error("vertex {vertex} belongs to no triangle")]
    Loose { vertex: u32 },
    #[error("{given} uv triples were given for {triangles} triangles")]
    UvCount { given: usize, triangles: usize },
}

/// Largest number of vertices. More would take over 25 GB to build, which is usually a mistake.
pub const MAX_VERTICES: u64 = 20_000_000;

impl Mesh {
    /// Makes a mesh of any shape. Without `uv`, or if all of it is degenerate, lengths come from the positions and the
    /// warp is the direction of x in each triangle's plane.
    ///
    /// All problems are reported at once (the first ten of each kind).
    pub fn new(
        rest: Vec<Vec3>,
        triangles: Vec<[u32; 3]>,
        uv: Option<Vec<[[f64; 2]; 3]>>,
    ) -> Result<Self, MeshProblems> {
        let problems = check::shape(&rest, &triangles);
        if !problems.is_empty() {
            return Err(MeshProblems(problems));
        }
        let uv = uv.filter(|uv| uv.iter().any(check::has_uv_area));
        if let Some(uv) = &uv {
            let problems = check::uv(&triangles, uv);
            if !problems.is_empty() {
                return Err(MeshProblems(problems));
            }
        }
        let has_uv = uv.is_some();
        let uv = uv.unwrap_or_else(|| triangles.iter().map(|t| flatten(t.map(|v| rest[v as usize]))).collect());
        Ok(Self { rest, triangles, uv, has_uv, grid: None, bend_factor: 1.0 })
    }

    /// A flat grid in the xy plane, centred at the origin: u = +x = warp, v = +y = weft, front = +z; (u, v) starts at
    /// (0, 0) in the corner left-bottom. Vertices go row by row from there.
    pub fn grid(size: [f64; 2], cells: [u32; 2], pattern: Pattern) -> Result<Self, MeshProblems> {
        let mut problems: Vec<_> =
            size.iter().filter(|&&s| !usable(s)).map(|&size| MeshProblem::BadSize { size }).collect();
        if cells.contains(&0) {
            problems.push(MeshProblem::NoCells(cells));
        }
        let [nx, ny] = cells.map(u64::from);
        let centres = if pattern == Pattern::Crossed { nx * ny } else { 0 };
        let count = (nx + 1) * (ny + 1) + centres;
        if count > MAX_VERTICES {
            problems.push(MeshProblem::TooLarge { count, limit: MAX_VERTICES });
        }
        if !problems.is_empty() {
            return Err(MeshProblems(problems));
        }

        // the unit is half a cell: corners and centres have whole numbers, and the mesh is exactly symmetric
        let step = [size[0] / (2 * nx) as f64, size[1] / (2 * ny) as f64];
        let at = |i: u64, j: u64| {
            let centred = |i: u64, n: u64| i as f64 - n as f64;
            Vec3::new(centred(i, nx) * step[0], centred(j, ny) * step[1], 0.0)
        };
        let mut rest = Vec::with_capacity(count as usize);
        rest.extend((0..=ny).flat_map(|j| (0..=nx).map(move |i| (2 * i, 2 * j))).map(|(i, j)| at(i, j)));
        if pattern == Pattern::Crossed {
            rest.extend((0..ny).flat_map(|j| (0..nx).map(move |i| (2 * i + 1, 2 * j + 1))).map(|(i, j)| at(i, j)));
        }
        let mut triangles = Vec::with_capacity((2 * nx * ny) as usize);
        for j in 0..ny {
            for i in 0..nx {
                let corner = |di: u64, dj: u64| ((j + dj) * (nx + 1) + i + di) as u32;
                let [a, b, c, d] = [corner(0, 0), corner(1, 0), corner(0, 1), corner(1, 1)];
                match pattern {
                    Pattern::Crossed => {
                        let m = ((nx + 1) * (ny + 1) + j * nx + i) as u32;
                        triangles.extend([[a, b, m], [b, d, m], [d, c, m], [c, a, m]]);
                    }
                    Pattern::Alternating if (i + j) % 2 == 1 => triangles.extend([[a, b, c], [b, d, c]]),
                    _ => triangles.extend([[a, b, d], [a, d, c]]),
                }
            }
        }
        let uv = flat_uv(&rest, &triangles, size);
        Ok(Self { rest, triangles, uv, has_uv: true, grid: Some(Grid { size, cells, pattern }), bend_factor: 1.0 })
    }

    /// A flat sheet of equilateral triangles whose edges, about `edge` long, lie along x in rows; the sides left and
    /// right are cut straight by half triangles. `size[0]` is kept, `size[1]` is rounded to whole rows.
    pub fn equilateral(size: [f64; 2], edge: f64) -> Result<Self, MeshProblems> {
        let bad: Vec<_> = [size[0], size[1], edge]
            .into_iter()
            .filter(|&s| !usable(s))
            .map(|size| MeshProblem::BadSize { size })
            .collect();
        if !bad.is_empty() {
            return Err(MeshProblems(bad));
        }
        let columns = (size[0] / edge).round().max(1.0);
        let l = size[0] / columns;
        let row = l * 0.75f64.sqrt();
        let rows = (size[1] / row).round().max(1.0);
        if (columns + 2.0) * (rows + 1.0) > MAX_VERTICES as f64 {
            let count = ((columns + 2.0) * (rows + 1.0)) as u64;
            return Err(MeshProblems(vec![MeshProblem::TooLarge { count, limit: MAX_VERTICES }]));
        }
        let (columns, rows) = (columns as u32, rows as u32);

        // even rows have columns + 1 vertices; odd rows have columns + 2, which are both ends and the middles between
        let mut rest = Vec::new();
        let mut first = Vec::new();
        for j in 0..=rows {
            first.push(rest.len() as u32);
            let y = (f64::from(j) - 0.5 * f64::from(rows)) * row;
            let count = columns + 1 + j % 2;
            rest.extend((0..count).map(|i| {
                let shift = if j % 2 == 1 { -0.5 } else { 0.0 };
                let x = (f64::from(i) + shift).clamp(0.0, f64::from(columns));
                Vec3::new((x - 0.5 * f64::from(columns)) * l, y, 0.0)
            }));
        }
        let mut triangles = Vec::new();
        for j in 0..rows {
            let (low, high) = (first[j as usize], first[j as usize + 1]);
            for i in 0..columns {
                if j % 2 == 0 {
                    triangles.extend([[low + i, low + i + 1, high + i + 1], [low + i, high + i + 1, high + i]]);
                } else {
                    triangles.extend([[low + i, low + i + 1, high + i], [low + i + 1, high + i + 1, high + i]]);
                }
            }
            let (low, high) = (low + columns, high + columns);
            triangles.push(if j % 2 == 0 { [low, high + 1, high] } else { [low, low + 1, high] });
        }
        let uv = flat_uv(&rest, &triangles, [size[0], f64::from(rows) * row]);
        Ok(Self { rest, triangles, uv, has_uv: true, grid: None, bend_factor: 1.0 })
    }
}

pub(crate) fn usable(size: f64) -> bool {
    size.is_finite() && size > 0.0
}

/// uv of a flat mesh centred at the origin.
pub(crate) fn flat_uv(rest: &[Vec3], triangles: &[[u32; 3]], size: [f64; 2]) -> Vec<[[f64; 2]; 3]> {
    let uv = |v: u32| {
        let p = rest[v as usize];
        [p.x + 0.5 * size[0], p.y + 0.5 * size[1]]
    };
    triangles.iter().map(|t| t.map(uv)).collect()
}

/// uv of a triangle from its shape in space: u along x as seen in its plane, or along z where x stands upright on it.
fn flatten(p: [Vec3; 3]) -> [[f64; 2]; 3] {
    let n = (p[1] - p[0]).cross(p[2] - p[0]).normalize();
    let axis = if n.x.abs() < 0.999 { Vec3::X } else { Vec3::Z };
    let u = (axis - n * n.dot(axis)).normalize();
    let v = n.cross(u);
    p.map(|p| [p.dot(u), p.dot(v)])
}
