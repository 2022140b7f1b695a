//! Triangles that cross at the start: refused, or exempt from contact until they have come apart.

use crate::Vec3;
use crate::intersect::{Count, MOST_PAIRS, count_crossings, count_crossings_between, crossings, crossings_between};
use crate::setup::{ContactStart, Problems, Shape};
use crate::world::World;
use std::collections::BTreeMap;

/// What to do about crossings.
const LET_BE: &str = "let what crosses be until it has come apart: `contact.start = \"exempt\"`";

impl World {
    /// Tests whether triangles cross at the start, by exact arithmetic: those of cloth with each other, if cloth
    /// collides with cloth, and with bodies that are meshes. Pairs that may cross become part of the world.
    pub(super) fn check_crossings(&mut self, start: ContactStart, problems: &mut Problems) {
        let Some(barrier) = &self.barrier else { return };
        let mut x = self.start.clone();
        let n = x.len();
        x.resize(n + barrier.points(), Vec3::ZERO);
        let pinned = self.held_at(0.0);
        let held = |t: u32| self.triangles[t as usize].map(|v| pinned[v as usize]);
        let mut allowed = Vec::new();
        // by the cloths, or the cloth and the body
        let mut refused: BTreeMap<(usize, Other), Vec<[u32; 2]>> = BTreeMap::new();
        let mut too_many = None;
        if barrier.cloth {
            match list(count_crossings(&x, &self.triangles, || false), || crossings(&x, &self.triangles)) {
                Err(first) => too_many = Some(first),
                Ok(pairs) => {
                    for pair in pairs {
                        if barrier.ignores(pair.map(|t| self.cloth_of_triangle(t))) {
                            continue;
                        }
                        // two triangles that pins hold cannot be moved by contact
                        if start == ContactStart::Exempt || pair.iter().all(|t| held(*t) == [true; 3]) {
                            allowed.push(pair);
                            continue;
                        }
                        let [a, b] = pair.map(|t| self.cloth_of_triangle(t));
                        refused.entry((a, Other::Cloth(b))).or_default().push(pair);
                    }
                }
            }
        }
        let (mut buffer, mut first) = (Vec::new(), 0);
        for mesh in &barrier.meshes {
            let body = &self.bodies[mesh.body as usize];
            let Shape::Mesh(shape) = &body.shape else { continue };
            let own = &barrier.triangles[first..first + shape.triangles().len()];
            let offset = (self.triangles.len() + first) as u32;
            first += own.len();
            let points = n + mesh.points.start..n + mesh.points.end;
            let placed = mesh.at(body, 0.0, &mut buffer, &mut x[points.clone()]);
            // a body without positions is reported by the first step
            if placed.is_err() || !x[points].iter().all(|p| p.is_finite()) {
                continue;
            }
            let count = count_crossings_between(&x, &self.triangles, own, || false);
            match list(count, || crossings_between(&x, &self.triangles, own)) {
                Err([a, b]) => too_many = too_many.or(Some([a, offset + b])),
                Ok(pairs) => {
                    for [a, b] in pairs {
                        if barrier.ignores([self.cloth_of_triangle(a), self.cloths.len() + mesh.body as usize]) {
                            continue;
                        }
                        let pair = [a, offset + b];
                        // pins may hold cloth inside a body
                        if start == ContactStart::Exempt || held(a).contains(&true) {
                            allowed.push(pair);
                            continue;
                        }
                        let key = (self.cloth_of_triangle(a), Other::Body(mesh.body, offset));
                        refused.entry(key).or_default().push(pair);
                    }
                }
            }
        }
        if let Some([a, b]) = too_many {
            let at = self.place_of(&x, [a, b]);
            let message = format!(
                "at the start more than {MOST_PAIRS} pairs of triangles cross, first triangle {} of `{}`, near {at}",
                a as usize - self.cloths[self.cloth_of_triangle(a)].triangles.start,
                self.cloths[self.cloth_of_triangle(a)].name
            );
            problems.add("contact", "start", message, "move the cloths or the bodies apart");
            return;
        }
        for ((cloth, other), pairs) in refused {
            self.refuse(&x, cloth, other, &pairs, problems);
        }
        allowed.sort_unstable();
        if let Some(barrier) = &mut self.barrier {
            barrier.crossing = allowed;
        }
    }

    /// Adds the problem of pairs of a cloth and another one, itself or a body.
    fn refuse(&self, x: &[Vec3], cloth: usize, other: Other, pairs: &[[u32; 2]], problems: &mut Problems) {
        let [a, b] = pairs[0];
        let (own, place) = (&self.cloths[cloth], self.place_of(x, [a, b]));
        let name = &own.name;
        let a = a as usize - own.triangles.start;
        let count = match pairs.len() {
            1 => "1 pair of triangles".to_string(),
            count => format!("{count} pairs of triangles"),
        };
        match other {
            Other::Cloth(second) if second == cloth => {
                let b = b as usize - own.triangles.start;
                let message = format!(
                    "at the start `{name}` crosses itself in {count}, first its triangles {a} and {b}, near {place}"
                );
                let split = pairs.iter().filter(|pair| self.are_split(x, **pair)).count();
                let help = if split > 0 {
                    format!(
                        "in {split} of them vertices at the same place have different numbers: join them by `weld = \
                         0.0` in its mesh, such as `mesh = {{ file = \"shirt.obj\", weld = 0.0 }}`; or {LET_BE}"
                    )
                } else {
                    format!("give it a start that does not cross itself, or {LET_BE}")
                };
                problems.add(&format!("cloth.{cloth}"), "mesh", message, help);
            }
            Other::Cloth(second) => {
                let its = &self.cloths[second];
                let b = b as usize - its.triangles.start;
                let message = format!(
                    "at the start `{name}` and `{}` cross in {count}, first triangle {a} of `{name}` and triangle {b} \
                     of `{}`, near {place}",
                    its.name, its.name
                );
                problems.add(
                    &format!("cloth.{second}"),
                    "place",
                    message,
                    format!("move the cloths apart, or {LET_BE}"),
                );
            }
            Other::Body(body, first) => {
                let its = &self.bodies[body as usize].name;
                let message = format!(
                    "at the start `{name}` and `{its}` cross in {count}, first triangle {a} of `{name}` and triangle \
                     {} of `{its}`, near {place}",
                    b - first
                );
                let help = format!(
                    "move the body or the cloth apart, pin the cloth there in all directions from the start, or \
                     {LET_BE}"
                );
                problems.add(&format!("body.{body}"), "place", message, help);
            }
        }
    }

    /// The cloth of a triangle.
    fn cloth_of_triangle(&self, t: u32) -> usize {
        self.cloths.partition_point(|cloth| cloth.triangles.end <= t as usize)
    }

    /// The corners of a triangle of a cloth or of a body.
    fn corners(&self, t: u32) -> [u32; 3] {
        let of_bodies = self.barrier.as_ref().map_or(&[][..], |barrier| &barrier.triangles);
        let t = t as usize;
        self.triangles.get(t).copied().unwrap_or_else(|| of_bodies[t - self.triangles.len()])
    }

    /// Where two triangles cross, as text.
    fn place_of(&self, x: &[Vec3], pair: [u32; 2]) -> String {
        // of both, the smaller triangle has its centre nearer to the crossing
        let middle = pair.map(|t| {
            let corners = self.corners(t).map(|v| x[v as usize]);
            let middle = corners.iter().sum::<Vec3>() / 3.0;
            (corners.iter().map(|p| p.distance(middle)).fold(0.0, f64::max), middle)
        });
        let Vec3 { x, y, z } = if middle[0].0 <= middle[1].0 { middle[0].1 } else { middle[1].1 };
        format!("[{x:.4}, {y:.4}, {z:.4}] m")
    }

    /// Whether two triangles have vertices at the same place with different numbers.
    fn are_split(&self, x: &[Vec3], pair: [u32; 2]) -> bool {
        let [a, b] = pair.map(|t| self.corners(t));
        a.iter().any(|p| b.iter().any(|q| p != q && x[*p as usize] == x[*q as usize]))
    }
}

/// What a cloth crosses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Other {
    /// A cloth, maybe itself.
    Cloth(usize),
    /// A body, and its first triangle.
    Body(u32, u32),
}

/// The pairs that were counted, or the first one if they are too many for a list.
fn list(count: Option<Count>, find: impl Fn() -> Vec<[u32; 2]>) -> Result<Vec<[u32; 2]>, [u32; 2]> {
    match count {
        Some(Count { pairs, first: Some(first), .. }) if pairs > MOST_PAIRS => Err(first),
        Some(Count { pairs: 1.., .. }) => Ok(find()),
        _ => Ok(Vec::new()),
    }
}
