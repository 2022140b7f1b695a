//! Checks of meshes.

use super::topology::edges_of;
use super::{MAX_VERTICES, MeshProblem};
use crate::Vec3;

/// Number of problems of one kind that are listed; more would bury the others.
const LISTED: usize = 10;
/// Ratio of height to longest edge below which a triangle counts as having no area.
const FLAT: f64 = 1e-10;

/// Checks positions and triangles.
pub(crate) fn shape(rest: &[Vec3], triangles: &[[u32; 3]]) -> Vec<MeshProblem> {
    let count = rest.len() as u64;
    if count > MAX_VERTICES {
        return vec![MeshProblem::TooLarge { count, limit: MAX_VERTICES }];
    }
    if triangles.is_empty() {
        return vec![MeshProblem::Empty];
    }
    let mut found = Vec::new();
    let positions = rest.iter().enumerate().filter(|(_, p)| !p.is_finite());
    found.extend(
        positions.take(LISTED).map(|(i, p)| MeshProblem::NotFinite { vertex: i as u32, position: (*p).into() }),
    );

    let mut used = vec![false; rest.len()];
    let mut wrong = Vec::new();
    for (i, t) in triangles.iter().enumerate() {
        let triangle = i as u32;
        if let Some(&vertex) = t.iter().find(|&&v| v as u64 >= count) {
            wrong.push(MeshProblem::OutOfRange { triangle, vertex, count: count as u32 });
        } else if let Some(vertex) = repeated(t) {
            wrong.push(MeshProblem::Repeated { triangle, vertex });
        }
        t.iter().filter(|&&v| (v as u64) < count).for_each(|&v| used[v as usize] = true);
    }
    let whole = found.is_empty() && wrong.is_empty();
    wrong.truncate(LISTED);
    found.extend(wrong);
    let loose = used.iter().enumerate().filter(|(_, used)| !**used);
    found.extend(loose.take(LISTED).map(|(i, _)| MeshProblem::Loose { vertex: i as u32 }));
    if !whole {
        return found; // areas and edges need valid vertices
    }

    let flat = triangles.iter().enumerate().filter(|(_, t)| is_flat(t.map(|v| rest[v as usize])));
    found.extend(flat.take(LISTED).map(|(i, t)| MeshProblem::NoArea { triangle: i as u32, vertices: *t }));
    match edges_of(triangles) {
        Ok(_) => {}
        Err(bad) => found.extend(bad.into_iter().take(LISTED)),
    }
    found
}

/// Checks material coordinates.
pub(crate) fn uv(triangles: &[[u32; 3]], uv: &[[[f64; 2]; 3]]) -> Vec<MeshProblem> {
    if uv.len() != triangles.len() {
        return vec![MeshProblem::UvCount { given: uv.len(), triangles: triangles.len() }];
    }
    let numbered = || uv.iter().enumerate();
    let infinite = numbered().filter(|(_, t)| t.iter().flatten().any(|c| !c.is_finite()));
    let mut found: Vec<_> =
        infinite.take(LISTED).map(|(i, _)| MeshProblem::UvNotFinite { triangle: i as u32 }).collect();
    let flat = numbered().filter(|(_, t)| t.iter().flatten().all(|c| c.is_finite()) && !has_uv_area(t));
    found.extend(flat.take(LISTED).map(|(i, _)| MeshProblem::NoUvArea { triangle: i as u32 }));
    found
}

/// Whether a triangle has an area in uv.
pub(crate) fn has_uv_area(uv: &[[f64; 2]; 3]) -> bool {
    !is_flat(uv.map(|[u, v]| Vec3::new(u, v, 0.0)))
}

fn repeated(t: &[u32; 3]) -> Option<u32> {
    if t[0] == t[1] || t[0] == t[2] { Some(t[0]) } else { (t[1] == t[2]).then_some(t[1]) }
}

fn is_flat(p: [Vec3; 3]) -> bool {
    let longest = (0..3).map(|i| p[i].distance_squared(p[(i + 1) % 3])).fold(0.0, f64::max);
    let double_area = (p[1] - p[0]).cross(p[2] - p[0]).length();
    // with this form of the comparison, NaN counts as flat
    let has_area = double_area > FLAT * longest && double_area.is_finite();
    !has_area
}
