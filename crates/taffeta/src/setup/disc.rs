//! A round piece of cloth in rings of vertices.

use super::mesh::{flat_uv, usable};
use super::{MAX_VERTICES, Mesh, MeshProblem, MeshProblems};
use crate::Vec3;
use std::f64::consts::{FRAC_PI_3, TAU};

/// Least distance of two rings, in edges. Closer rings would have needles between them.
const CLOSEST: f64 = 0.1;
/// Ratio of the bending stiffness of hinges on discs to that of a plate, measured in `tests/library/bending.rs`: 1.067
/// to 1.084 for radii of 11 to 60 edges, the same in every direction.
const BEND_FACTOR: f64 = 1.077;

/// A circle of vertices in six equal sectors, so that the disc is symmetric under turns by 60 degrees.
#[derive(Clone, Copy)]
struct Ring {
    radius: f64,
    first: u32,
    /// Vertices in a sector.
    count: u32,
    /// 1 if the ring is turned by half the angle between its vertices.
    half: u32,
}

impl Ring {
    /// The vertex with number `i`, counted counter-clockwise; the first follows the last.
    fn vertex(&self, i: i64) -> u32 {
        self.first + i.rem_euclid(6 * i64::from(self.count)) as u32
    }
}

impl Mesh {
    /// A flat disc in the xy plane, centred at the origin, of near-equilateral triangles with edges about `edge` long:
    /// u = x + radius, v = y + radius. Its vertices lie on circles, one of them at each radius in `rings` and one on
    /// the border. The centre is vertex 0.
    pub fn disc(radius: f64, edge: f64, rings: &[f64]) -> Result<Self, MeshProblems> {
        let radii = radii(radius, edge, rings).map_err(MeshProblems)?;
        let mut circles: Vec<Ring> = Vec::with_capacity(radii.len());
        let mut first = 1;
        for radius in radii {
            let count = (TAU * radius / (6.0 * edge)).round().max(1.0) as u32;
            // if the circle inside has as many vertices, each vertex goes between two of those
            let half = circles.last().map_or(0, |inside| if inside.count == count { 1 - inside.half } else { 0 });
            circles.push(Ring { radius, first, count, half });
            first += 6 * count;
        }

        let mut rest = vec![Vec3::ZERO];
        for ring in &circles {
            rest.extend((0..6 * ring.count).map(|i| {
                let angle = FRAC_PI_3 * (f64::from(i) + 0.5 * f64::from(ring.half)) / f64::from(ring.count);
                Vec3::new(ring.radius * angle.cos(), ring.radius * angle.sin(), 0.0)
            }));
        }
        let mut triangles: Vec<[u32; 3]> = Vec::with_capacity(2 * rest.len());
        let fan = circles[0];
        triangles.extend((0..6 * i64::from(fan.count)).map(|i| [0, fan.vertex(i), fan.vertex(i + 1)]));
        circles.windows(2).for_each(|pair| stitch(pair[0], pair[1], &mut triangles));
        let uv = flat_uv(&rest, &triangles, [2.0 * radius; 2]);
        Ok(Self { rest, triangles, uv, has_uv: true, grid: None, bend_factor: BEND_FACTOR })
    }
}

/// Radii of all circles, the border last.
fn radii(radius: f64, edge: f64, rings: &[f64]) -> Result<Vec<f64>, Vec<MeshProblem>> {
    let mut problems: Vec<MeshProblem> =
        [radius, edge].into_iter().filter(|&s| !usable(s)).map(|size| MeshProblem::BadSize { size }).collect();
    problems.extend(
        rings.iter().filter(|&&ring| !(ring > 0.0 && ring < radius)).map(|&ring| MeshProblem::BadRing { ring, radius }),
    );
    if !problems.is_empty() {
        return Err(problems);
    }
    let mut wanted: Vec<f64> = rings.iter().copied().chain([radius]).collect();
    wanted.sort_by(f64::total_cmp);
    let from_centre: Vec<f64> = [0.0].into_iter().chain(wanted.iter().copied()).collect();
    // a disc smaller than an edge is a hexagon
    let close = from_centre.windows(2).filter(|pair| pair[1] - pair[0] < CLOSEST * edge.min(radius));
    problems.extend(close.map(|pair| MeshProblem::RingsTooClose { rings: [pair[0], pair[1]], edge }));
    // the estimate is that of a sheet of equilateral triangles, with at least six vertices on a circle
    let count = 3.7 * (radius / edge) * (radius / edge) + 8.0 * radius / edge + 6.0 * wanted.len() as f64;
    if count > MAX_VERTICES as f64 {
        problems.push(MeshProblem::TooLarge { count: count as u64, limit: MAX_VERTICES });
    }
    if !problems.is_empty() {
        return Err(problems);
    }

    let row = edge * 0.75f64.sqrt();
    let mut radii = Vec::new();
    let mut inside = 0.0;
    for ring in wanted {
        let rows = ((ring - inside) / row).round().max(1.0) as u32;
        let between = |k: u32| inside + (ring - inside) * f64::from(k) / f64::from(rows);
        radii.extend((1..rows).map(between).chain([ring])); // the last radius is exact
        inside = ring;
    }
    Ok(radii)
}

/// Adds the triangles between two circles. Of the two possible next diagonals it takes the shorter. Whole numbers, and
/// one sector copied to the five others, keep the symmetry exact.
fn stitch(inner: Ring, outer: Ring, triangles: &mut Vec<[u32; 3]>) {
    let [a, b] = [inner, outer].map(|ring| i64::from(ring.count));
    // angles have the unit 60 degrees / (2 a b)
    let angle_in = |i: i64| (2 * i + i64::from(inner.half)) * b;
    let angle_out = |j: i64| (2 * j + i64::from(outer.half)) * a;
    // this is the outer vertex at or just before the first inner one
    let start = (angle_in(0) - i64::from(outer.half) * a).div_euclid(2 * a);
    for sector in 0..6 {
        let (mut i, mut j) = (0, start);
        while i < a || j < start + b {
            let by_inner = (angle_in(i + 1) - angle_out(j)).abs();
            let by_outer = (angle_out(j + 1) - angle_in(i)).abs();
            let (from, to) = (inner.vertex(i + sector * a), outer.vertex(j + sector * b));
            if j == start + b || (i < a && by_inner < by_outer) {
                i += 1;
                triangles.push([from, to, inner.vertex(i + sector * a)]);
            } else {
                j += 1;
                triangles.push([from, to, outer.vertex(j + sector * b)]);
            }
        }
    }
}
