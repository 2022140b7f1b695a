//! Springs as thin round rods. Flexion springs run over another spring, so they are bowed to the side and out of the
//! cloth.

use crate::Subject;
use crate::geometry::Geometry;
use crate::vector::V3;
use taffeta::SpringKind;

/// Radius of a rod, as a fraction of the mean length of a structural spring.
const RADIUS: f32 = 0.035;
/// Least radius, pixels: thinner rods would flicker.
const LEAST: f32 = 0.55;
/// Height of the bow, as a fraction of a spring's length.
const BOW: f32 = 0.08;
const SIDES: usize = 5;

/// Adds the springs of a kind as triangles.
pub(crate) fn add(
    geometry: &mut Geometry,
    points: &[V3],
    normals: &[V3],
    subject: &Subject,
    kind: SpringKind,
    pixel: f32,
) {
    let ends = |s: &crate::Segment| s.ends.map(|v| points[v as usize]);
    let length = |s: &crate::Segment| (ends(s)[1] - ends(s)[0]).length();
    let of = |kind| subject.springs.iter().filter(move |s| s.kind == kind);
    let structural: Vec<f32> = of(SpringKind::Structural).map(length).collect();
    let mean = if structural.is_empty() { 0.05 } else { structural.iter().sum::<f32>() / structural.len() as f32 };
    let thickness = if kind == SpringKind::Structural { 1.0 } else { 0.75 };
    let radius = (RADIUS * mean * thickness).max(LEAST * pixel);
    for spring in of(kind) {
        let [a, b] = ends(spring);
        let up = spring.ends.map(|v| normals[v as usize]);
        if kind == SpringKind::Flexion {
            let out = (up[0] + up[1]).unit_or(V3::ZERO);
            let lift = (out + (b - a).cross(out).unit_or(V3::ZERO)) * (BOW * (b - a).length());
            let bow = |s: f32| a.lerp(b, s) + lift * (4.0 * s * (1.0 - s));
            let line: Vec<V3> = (0..=6).map(|i| bow(i as f32 / 6.0)).collect();
            rod(geometry, &line, radius);
        } else {
            rod(geometry, &[a, b], radius);
        }
    }
}

/// A rod along a line.
fn rod(geometry: &mut Geometry, line: &[V3], radius: f32) {
    let whole = line[line.len() - 1] - line[0];
    let (u, v) = whole.unit_or(crate::vector::v3(0.0, 0.0, 1.0)).frame();
    let first = geometry.points.len() as u32;
    for p in line {
        for i in 0..SIDES {
            let (s, c) = (i as f32 / SIDES as f32 * std::f32::consts::TAU).sin_cos();
            let n = u * c + v * s;
            geometry.points.push(*p + n * radius);
            geometry.normals.push(n);
        }
    }
    let sides = SIDES as u32;
    for j in 0..line.len() as u32 - 1 {
        for i in 0..sides {
            let (a, b) = (first + j * sides + i, first + j * sides + (i + 1) % sides);
            geometry.triangles.extend([[a, b, b + sides], [a, b + sides, a + sides]]);
        }
    }
}
