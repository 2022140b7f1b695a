//! How often two lines of a wound sheet go around each other. While nothing crosses, that cannot change: it tells what
//! passed through the sheet even if no frame shows a crossing.

use std::f64::consts::TAU;
use taffeta::{Motion, Setup, Vec3};

/// The linking number of two closed polygons, exact but for rounding: the Gauss integral of each pair of edges is the
/// solid angle of a tetrahedron's four sides, by the formula of A. Van Oosterom and J. Strackee, The Solid Angle of a
/// Plane Triangle, 1983.
pub fn linking(one: &[Vec3], other: &[Vec3]) -> f64 {
    let edges = |line: &[Vec3]| -> Vec<[Vec3; 2]> {
        line.iter().zip(line.iter().cycle().skip(1)).map(|(p, q)| [*p, *q]).collect()
    };
    let others = edges(other);
    let mut sum = 0.0;
    for [p, q] in edges(one) {
        for [r, s] in &others {
            let [a, b, c, d] = [*r - p, *r - q, *s - q, *s - p];
            let volume = a.dot(b.cross(c));
            let third = |b: Vec3| {
                let [la, lb, lc] = [a, b, c].map(Vec3::length);
                volume.atan2(la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb)
            };
            sum += third(b) + third(d);
        }
    }
    sum / TAU
}

/// Two lines along a sheet whose ends turn about x.
pub struct Twist {
    /// Turns of one end relative to the other, in the whole run.
    pub turns: f64,
    lines: [Vec<u32>; 2],
}

impl Twist {
    /// The long borders of a sheet in the xy plane, or opposite lines of a cylinder around x: where y is least and
    /// most. Its two pins turn its ends.
    pub fn of(setup: &Setup) -> Self {
        let cloth = &setup.cloths[0];
        let rest = &cloth.mesh.rest;
        let most = rest.iter().map(|p| p.y).fold(f64::NEG_INFINITY, f64::max);
        let line = |side: f64| {
            let on = |v: &u32| (rest[*v as usize].y - side * most).abs() < 1e-9;
            let mut line: Vec<u32> = (0..rest.len() as u32).filter(on).collect();
            line.sort_by(|a, b| rest[*a as usize].x.total_cmp(&rest[*b as usize].x));
            line
        };
        let turn = |motion: &Motion| motion.keys.last().map_or(0.0, |key| key.turn.x);
        let turns = (turn(&cloth.pins[1].motion) - turn(&cloth.pins[0].motion)) / 360.0;
        Self { turns, lines: [line(1.0), line(-1.0)] }
    }

    /// How often the lines go around each other. After whole turns both ends lie alike, and the lines are closed far
    /// outside, each on its side.
    pub fn found(&self, x: &[Vec3]) -> f64 {
        let [one, other] = self.lines.each_ref().map(|line| line.iter().map(|v| x[*v as usize]).collect::<Vec<_>>());
        let outwards = (one[0] - other[0]).normalize();
        let far = 10.0 * one[0].distance(one[one.len() - 1]).max(one[0].distance(other[0]));
        let closed = |mut line: Vec<Vec3>, by: Vec3| {
            line.extend([line[line.len() - 1] + by, line[0] + by]);
            line
        };
        linking(&closed(one, outwards * far), &closed(other, -outwards * far)).abs()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn circle(count: u32, centre: Vec3, u: Vec3, v: Vec3) -> Vec<Vec3> {
        let at = |k: u32| {
            let (sin, cos) = (TAU * f64::from(k) / f64::from(count)).sin_cos();
            centre + u * cos + v * sin
        };
        (0..count).map(at).collect()
    }

    #[test]
    fn linking_numbers_of_rings_are_known() {
        let ring = circle(12, Vec3::ZERO, Vec3::X, Vec3::Y);
        let linked = circle(7, Vec3::X, Vec3::X * 0.9, Vec3::Z);
        let apart = circle(7, Vec3::X * 3.0, Vec3::X * 0.9, Vec3::Z);
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} instead of {b}");
        near(linking(&ring, &linked).abs(), 1.0);
        near(linking(&linked, &ring), linking(&ring, &linked));
        near(linking(&ring, &apart), 0.0);
        let mirrored: Vec<Vec3> = linked.iter().map(|p| Vec3::new(p.x, p.y, -p.z)).collect();
        near(linking(&ring, &mirrored), -linking(&ring, &linked));
    }

    /// (2, 2 n) torus links: two strands that go n times around each other.
    #[test]
    fn strands_link_as_often_as_they_go_around_each_other() {
        for n in 0..6 {
            let strand = |phase: f64| -> Vec<Vec3> {
                let at = |k: u32| {
                    let t = TAU * f64::from(k) / 150.0;
                    let around = f64::from(n) * t + phase;
                    Vec3::new(
                        (1.0 + 0.3 * around.cos()) * t.cos(),
                        (1.0 + 0.3 * around.cos()) * t.sin(),
                        0.3 * around.sin(),
                    )
                };
                (0..150).map(at).collect()
            };
            let found = linking(&strand(0.0), &strand(0.5 * TAU)).abs();
            assert!((found - f64::from(n)).abs() < 1e-10, "{found} instead of {n}");
        }
    }
}
