//! Choosing vertices of a cloth.

use super::Mesh;
use crate::Vec3;

/// Vertices of a cloth.
#[derive(Clone, Debug, PartialEq)]
pub enum Select {
    /// All of them.
    All,
    /// Corners of the rest shape's bounding box (nearest vertices): `left-top` and so on.
    Corners(Vec<Corner>),
    /// Sides of a grid, or for other meshes the vertices on that side of the rest shape's bounding box.
    Edge(Vec<Side>),
    /// By number, from 0.
    Vertices(Vec<u32>),
    /// Inside a box in space, at the start, after `place`.
    Box {
        /// Smallest corner, m.
        min: Vec3,
        /// Largest corner, m.
        max: Vec3,
    },
    /// Inside a sphere in space, at the start, after `place`.
    Sphere {
        /// m.
        centre: Vec3,
        /// m.
        radius: f64,
    },
    /// Inside a box in uv.
    Uv {
        /// Smallest u and v, m.
        min: [f64; 2],
        /// Largest u and v, m.
        max: [f64; 2],
    },
}

/// Sides, named before `place`: left/right are -x/+x, bottom/top are -y/+y.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Side {
    Left,
    Right,
    Bottom,
    Top,
}

/// Two neighbouring sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Corner {
    LeftBottom,
    RightBottom,
    LeftTop,
    RightTop,
}

impl Select {
    /// Numbers of the selected vertices in rising order, counted from the cloth's first; `start` are its first
    /// positions after `place`. Vertices that do not exist are left out.
    pub fn vertices(&self, mesh: &Mesh, start: &[Vec3]) -> Vec<u32> {
        let n = mesh.rest.len();
        let by = |test: &dyn Fn(usize) -> bool| (0..n).filter(|&i| test(i)).map(|i| i as u32).collect::<Vec<_>>();
        // grids have rounding only; meshes from files seldom more digits than six
        let (min, max) = bounds(&mesh.rest);
        let near = 1e-6 * (max - min).max_element();
        // what lies on the border of a box or sphere is inside, whatever `place` makes of the last digits
        let (first, last) = bounds(start);
        let rounding = 1e-12 * first.abs().max(last.abs()).max_element() + 1e-9 * (last - first).max_element();
        let side = |side: Side, p: Vec3| match side {
            Side::Left => p.x <= min.x + near,
            Side::Right => p.x >= max.x - near,
            Side::Bottom => p.y <= min.y + near,
            Side::Top => p.y >= max.y - near,
        };
        match self {
            Select::All => by(&|_| true),
            Select::Corners(corners) => {
                let mut found: Vec<u32> = corners.iter().filter_map(|c| nearest(&mesh.rest, c.of(min, max))).collect();
                found.sort_unstable();
                found.dedup();
                found
            }
            Select::Edge(sides) => by(&|i| sides.iter().any(|&s| side(s, mesh.rest[i]))),
            Select::Vertices(list) => {
                let mut list: Vec<u32> = list.iter().copied().filter(|&v| (v as usize) < n).collect();
                list.sort_unstable();
                list.dedup();
                list
            }
            Select::Box { min, max } => {
                by(&|i| start[i].cmpge(*min - rounding).all() && start[i].cmple(*max + rounding).all())
            }
            Select::Sphere { centre, radius } => by(&|i| start[i].distance(*centre) <= *radius + rounding),
            Select::Uv { min, max } => {
                let mut inside = vec![false; n];
                for (triangle, uv) in mesh.triangles.iter().zip(&mesh.uv) {
                    for (&v, uv) in triangle.iter().zip(uv) {
                        inside[v as usize] |= (0..2).all(|d| uv[d] >= min[d] - rounding && uv[d] <= max[d] + rounding);
                    }
                }
                by(&|i| inside[i])
            }
        }
    }
}

impl Corner {
    fn of(self, min: Vec3, max: Vec3) -> Vec3 {
        let z = 0.5 * (min.z + max.z);
        match self {
            Corner::LeftBottom => Vec3::new(min.x, min.y, z),
            Corner::RightBottom => Vec3::new(max.x, min.y, z),
            Corner::LeftTop => Vec3::new(min.x, max.y, z),
            Corner::RightTop => Vec3::new(max.x, max.y, z),
        }
    }
}

fn nearest(points: &[Vec3], to: Vec3) -> Option<u32> {
    let distance = |i: &usize| points[*i].distance_squared(to);
    (0..points.len()).min_by(|a, b| distance(a).total_cmp(&distance(b))).map(|i| i as u32)
}

/// Smallest and largest coordinates.
pub(crate) fn bounds(points: &[Vec3]) -> (Vec3, Vec3) {
    points.iter().fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(min, max), p| (min.min(*p), max.max(*p)))
}
