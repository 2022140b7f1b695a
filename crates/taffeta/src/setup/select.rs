//! Selection of vertices of a cloth.

use super::border::{Border, length, loops};
use super::{Cloth, Mesh, Warning};
use crate::Vec3;

/// A selection of vertices of a cloth.
#[derive(Clone, Debug, PartialEq)]
pub enum Select {
    /// All vertices.
    All,
    /// Corners of the rest shape's bounding box (nearest vertices): `left-top` and so on.
    Corners(Vec<Corner>),
    /// Sides of a grid, or for other meshes the vertices on that side of the rest shape's bounding box.
    Edge(Vec<Side>),
    /// Vertices by number, from 0.
    Vertices(Vec<u32>),
    /// Vertices inside a box in space, at the start and after `place`.
    Box {
        /// Smallest corner, m.
        min: Vec3,
        /// Largest corner, m.
        max: Vec3,
    },
    /// Vertices inside a sphere in space, at the start and after `place`.
    Sphere {
        /// Centre, m.
        centre: Vec3,
        /// Radius, m.
        radius: f64,
    },
    /// Vertices inside a box in uv.
    Uv {
        /// Smallest u and v, m.
        min: [f64; 2],
        /// Largest u and v, m.
        max: [f64; 2],
    },
    /// Vertices on the border of the mesh.
    Border(Border),
    /// Every n-th vertex of a side or a border, in order from the left or bottom end, or along each loop.
    Every {
        /// The sides or the border.
        of: Box<Select>,
        /// Interval; 1 selects all of them.
        n: u32,
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

/// Corners, each named by two neighbouring sides.
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
        let sorted = |mut list: Vec<u32>| {
            list.sort_unstable();
            list.dedup();
            list
        };
        match self {
            Select::Border(border) => return sorted(chosen(*border, mesh, start).concat()),
            Select::Every { of, n } => {
                let thin = |list: Vec<u32>| list.into_iter().step_by((*n).max(1) as usize);
                return sorted(of.in_order(mesh, start).into_iter().flat_map(thin).collect());
            }
            _ => {}
        }
        let n = mesh.rest.len();
        let by = |test: &dyn Fn(usize) -> bool| (0..n).filter(|&i| test(i)).map(|i| i as u32).collect::<Vec<_>>();
        // grids have only rounding errors; meshes from files seldom have more than six digits
        let (min, max) = bounds(&mesh.rest);
        let near = 1e-6 * (max - min).max_element();
        // points on the border of a box or sphere are inside, even if `place` changes their last digits
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
            Select::Border(_) | Select::Every { .. } => Vec::new(), // these two are answered above
        }
    }

    /// The vertices in the order in which they follow each other, each side and loop on its own.
    fn in_order(&self, mesh: &Mesh, start: &[Vec3]) -> Vec<Vec<u32>> {
        match self {
            Select::Border(border) => chosen(*border, mesh, start),
            Select::Edge(sides) => sides
                .iter()
                .map(|&side| {
                    let mut list = Select::Edge(vec![side]).vertices(mesh, start);
                    list.sort_by(|&a, &b| {
                        side.along(mesh.rest[a as usize]).total_cmp(&side.along(mesh.rest[b as usize]))
                    });
                    list
                })
                .collect(),
            other => vec![other.vertices(mesh, start)],
        }
    }

    /// Whether its vertices follow each other along lines, so that a load is shared by length.
    pub(crate) fn is_line(&self) -> bool {
        matches!(self, Select::Edge(_) | Select::Border(_))
    }

    /// Why the selection is empty, and how to solve it.
    pub(crate) fn why_empty(&self, mesh: &Mesh) -> (String, String) {
        let of = if let Select::Every { of, .. } = self { of } else { self };
        let Select::Border(border) = of else {
            return ("the selection is empty".into(), "select at least one vertex".into());
        };
        let found = loops(mesh);
        match (border, found.as_slice()) {
            (_, []) => {
                let help = "select by `box`, `sphere`, `group` or `vertices`";
                ("the mesh is closed and has no border".into(), help.into())
            }
            (Border::Loop(number), found) => {
                let shown = found.iter().take(10).enumerate();
                let lengths: Vec<String> =
                    shown.map(|(i, points)| format!("{i} ({:.3} m)", length(mesh, points))).collect();
                let more = if found.len() > 10 { format!(" and {} more", found.len() - 10) } else { String::new() };
                let message = format!("there is no loop {number} on the border");
                (message, format!("its loops are number {}{more}", lengths.join(", ")))
            }
            _ => ("the selection is empty".into(), "select at least one vertex".into()),
        }
    }

    /// Warns if sides of an irregular mesh have hardly any vertices on them.
    pub(crate) fn warn_of_few(&self, path: String, cloth: &Cloth, warnings: &mut Vec<Warning>) {
        let of = if let Select::Every { of, .. } = self { of } else { self };
        let (Select::Edge(sides), None) = (of, cloth.mesh.grid) else { return };
        let (min, max) = bounds(&cloth.mesh.rest);
        for &side in sides {
            // sides are those of the rest shape, wherever the cloth starts
            let on = Select::Edge(vec![side]).vertices(&cloth.mesh, &cloth.mesh.rest);
            let along = on.iter().map(|&v| side.along(cloth.mesh.rest[v as usize]));
            let (low, high) = along.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
            let whole = side.along(max) - side.along(min);
            if high - low < FEW * whole {
                let count = if on.len() == 1 { "1 vertex".into() } else { format!("{} vertices", on.len()) };
                warnings.push(Warning {
                    path: path.clone(),
                    message: format!(
                        "edge = \"{}\" has only {count}, at the very {} of the mesh; for more of it use a `box`, \
                         or `border = \"all\"` or `border = 0` for the whole border or its longest loop",
                        side.name(),
                        side.name(),
                    ),
                });
            }
        }
    }
}

/// Share of a side that its vertices must cover; below it the user is warned.
const FEW: f64 = 0.25;

/// Loops of a border.
fn chosen(border: Border, mesh: &Mesh, start: &[Vec3]) -> Vec<Vec<u32>> {
    let mut found = loops(mesh);
    match border {
        Border::All => found,
        Border::Loop(number) if (number as usize) < found.len() => vec![found.swap_remove(number as usize)],
        Border::Loop(_) => Vec::new(),
        Border::Near(point) => {
            let distance = |points: &Vec<u32>| {
                points.iter().map(|&v| start[v as usize].distance_squared(point)).fold(f64::INFINITY, f64::min)
            };
            found.into_iter().min_by(|a, b| distance(a).total_cmp(&distance(b))).into_iter().collect()
        }
    }
}

impl Side {
    /// The coordinate along the side.
    fn along(self, p: Vec3) -> f64 {
        if matches!(self, Side::Left | Side::Right) { p.y } else { p.x }
    }

    fn name(self) -> &'static str {
        match self {
            Side::Left => "left",
            Side::Right => "right",
            Side::Bottom => "bottom",
            Side::Top => "top",
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
