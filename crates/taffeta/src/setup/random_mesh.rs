//! A rectangle of irregular triangles: random points that keep their distance, and their Delaunay triangulation.
//!
//! Darts are thrown until no room is left after M. Ebeida, S. Mitchell, A. Patney, A. Davidson and J. Owens, A Simple
//! Algorithm for Maximal Poisson-Disk Sampling in High Dimensions, Eurographics 2012: into squares that may have room;
//! squares that stay empty are cut in four, and those that a disc covers are dropped.

use super::delaunay::{self, SIDE};
use super::mesh::{flat_uv, usable};
use super::topology::NONE;
use super::{MAX_VERTICES, Mesh, MeshProblem, MeshProblems};
use crate::Vec3;

/// Ratio of the least distance of points to the mean length of the edges between them, measured.
const DISTANCE: f64 = 0.753;
/// Least distance to the border in edges. Closer points would make flat triangles on the border.
const MARGIN: f64 = 0.5;
/// How often squares are cut. Those left then are smaller than 1e-4 edges.
const LEVELS: u32 = 13;
/// Ratio of the bending stiffness of hinges on such a mesh to that of a plate: 1.095 ± 0.009 over meshes and
/// directions.
const BEND_FACTOR: f64 = 1.095;

impl Mesh {
    /// A flat rectangle in the xy plane, centred at the origin, of irregular triangles without preferred directions: u
    /// and v as in [`Mesh::grid`]. Vertices are regular on the border and random inside, the mean edge is about `edge`
    /// long. The same seed gives the same mesh.
    pub fn random(size: [f64; 2], edge: f64, seed: u64) -> Result<Self, MeshProblems> {
        let bad = [size[0], size[1], edge].into_iter().filter(|&s| !usable(s));
        let bad: Vec<_> = bad.map(|size| MeshProblem::BadSize { size }).collect();
        if !bad.is_empty() {
            return Err(MeshProblems(bad));
        }
        let [columns, rows] = size.map(|s| (s / edge).round().max(1.0));
        let count = 1.3 * (columns + 1.0) * (rows + 1.0);
        if count > MAX_VERTICES as f64 {
            return Err(MeshProblems(vec![MeshProblem::TooLarge { count: count as u64, limit: MAX_VERTICES }]));
        }

        // numbering the vertices along a curve makes neighbours in the cloth neighbours in memory
        let unit = size[0].max(size[1]) / SIDE as f64;
        let [width, height] = size.map(|s| ((s / unit).round() as i64).clamp(1, SIDE));
        let whole = |p: [f64; 2]| {
            let along = |x: f64, size: f64, end: i64| if x == size { end } else { ((x / unit) as i64).min(end) };
            [along(p[0], size[0], width), along(p[1], size[1], height)]
        };
        let mut points = throw_darts(on_border(size, [columns as u32, rows as u32]), size, edge, seed);
        points.sort_by_key(|&p| delaunay::hilbert(whole(p)));
        let exact: Vec<_> = points.iter().map(|&p| whole(p)).collect();
        let corner = |p: [f64; 2]| points.iter().position(|q| *q == p).unwrap_or(0) as u32;
        let corners = [[0.0, 0.0], [size[0], 0.0], size, [0.0, size[1]]].map(corner);
        let triangles = delaunay::triangulate(&exact, corners);

        let rest: Vec<Vec3> =
            points.iter().map(|p| Vec3::new(p[0] - 0.5 * size[0], p[1] - 0.5 * size[1], 0.0)).collect();
        let uv = flat_uv(&rest, &triangles, size);
        Ok(Self { rest, triangles, uv, has_uv: true, grid: None, bend_factor: BEND_FACTOR })
    }
}

/// Corners, and points at equal distances between them.
fn on_border(size: [f64; 2], cells: [u32; 2]) -> Vec<[f64; 2]> {
    let along = |d: usize, i: u32| if i == cells[d] { size[d] } else { size[d] * f64::from(i) / f64::from(cells[d]) };
    let mut points = Vec::new();
    for i in 0..=cells[0] {
        points.extend([0.0, size[1]].map(|y| [along(0, i), y]));
    }
    for j in 1..cells[1] {
        points.extend([0.0, size[0]].map(|x| [x, along(1, j)]));
    }
    points
}

/// Adds random points, none nearer to each other or to existing points than the least distance, until there is no room
/// for more.
fn throw_darts(points: Vec<[f64; 2]>, size: [f64; 2], edge: f64, seed: u64) -> Vec<[f64; 2]> {
    let inside = [0, 1].map(|d| [MARGIN * edge, size[d] - MARGIN * edge]);
    if inside.iter().any(|[low, high]| low >= high) {
        return points;
    }
    let mut field = Field::new(points, size, DISTANCE * edge);
    let mut thrown = 0;
    let mut number = || {
        thrown += 1;
        0.5 + 0.5 * crate::random::signed(seed, thrown)
    };

    let [nx, ny] = field.cells;
    let mut squares: Vec<[u64; 2]> = (0..ny).flat_map(|j| (0..nx).map(move |i| [i, j])).collect();
    for level in 0..LEVELS {
        let side = field.cell / f64::from(1u32 << level);
        for _ in 0..squares.len() {
            if squares.is_empty() {
                return field.points;
            }
            let chosen = ((number() * squares.len() as f64) as usize).min(squares.len() - 1);
            let square = squares[chosen];
            let p = square.map(|i| (i as f64 + number()) * side);
            let taken = field.is_taken(square.map(|i| i >> level));
            let hit = !taken && (0..2).all(|d| inside[d][0] <= p[d] && p[d] <= inside[d][1]) && field.has_room(p);
            if hit {
                field.add(p);
            }
            if hit || taken {
                squares.swap_remove(chosen);
            }
        }
        // the squares are replaced by those of their quarters that may still have room
        let half = 0.5 * side;
        let quarters =
            |&[i, j]: &[u64; 2]| [[2 * i, 2 * j], [2 * i + 1, 2 * j], [2 * i, 2 * j + 1], [2 * i + 1, 2 * j + 1]];
        let open = |square: &[u64; 2]| {
            let low = square.map(|i| i as f64 * half);
            let reaches_inside = (0..2).all(|d| low[d] <= inside[d][1] && low[d] + half >= inside[d][0]);
            reaches_inside && !field.is_taken(square.map(|i| i >> (level + 1))) && !field.covers(low, half)
        };
        squares = squares.iter().flat_map(quarters).filter(open).collect();
    }
    field.points
}

/// Points sorted into square cells whose diagonal is the least distance: a cell with a point has no room for another.
struct Field {
    points: Vec<[f64; 2]>,
    distance: f64,
    cell: f64,
    cells: [u64; 2],
    /// First point of each cell, and from each point to the next of its cell: those of the border may share one.
    first: Vec<u32>,
    next: Vec<u32>,
}

impl Field {
    fn new(points: Vec<[f64; 2]>, size: [f64; 2], distance: f64) -> Self {
        let cell = distance * 0.5f64.sqrt();
        let cells = size.map(|s| (s / cell) as u64 + 1);
        let first = vec![NONE; (cells[0] * cells[1]) as usize];
        let mut field = Self { points: Vec::new(), distance, cell, cells, first, next: Vec::new() };
        points.into_iter().for_each(|p| field.add(p));
        field
    }

    fn number(&self, [i, j]: [u64; 2]) -> usize {
        (j * self.cells[0] + i) as usize
    }

    fn cell_of(&self, p: [f64; 2]) -> [u64; 2] {
        [0, 1].map(|d| ((p[d] / self.cell) as u64).min(self.cells[d] - 1))
    }

    fn add(&mut self, p: [f64; 2]) {
        let cell = self.number(self.cell_of(p));
        self.next.push(self.first[cell]);
        self.first[cell] = self.points.len() as u32;
        self.points.push(p);
    }

    fn is_taken(&self, cell: [u64; 2]) -> bool {
        self.first[self.number(cell)] != NONE
    }

    /// Points in the cell of `p` and in those that the least distance reaches.
    fn near(&self, p: [f64; 2]) -> impl Iterator<Item = [f64; 2]> {
        let [i, j] = self.cell_of(p);
        let span = |i: u64, d: usize| i.saturating_sub(2)..=(i + 2).min(self.cells[d] - 1);
        let cells = span(j, 1).flat_map(move |j| span(i, 0).map(move |i| [i, j]));
        cells.flat_map(move |cell| {
            let index = |i: u32| (i != NONE).then_some(i);
            let first = index(self.first[self.number(cell)]);
            std::iter::successors(first, move |&i| index(self.next[i as usize])).map(move |i| self.points[i as usize])
        })
    }

    /// Whether no point is nearer than the least distance.
    fn has_room(&self, p: [f64; 2]) -> bool {
        let squared = |q: [f64; 2]| (p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]);
        self.near(p).all(|q| squared(q) >= self.distance * self.distance)
    }

    /// Whether the disc of one point covers a square.
    fn covers(&self, low: [f64; 2], side: f64) -> bool {
        self.near(low).any(|q| {
            let far = [0, 1].map(|d| (q[d] - low[d]).abs().max((q[d] - low[d] - side).abs()));
            far[0] * far[0] + far[1] * far[1] < self.distance * self.distance
        })
    }
}
