//! Quantities shown as colours: one value per vertex.
//!
//! Strains come from the deformation of each triangle, x = x₀ + w_u u + w_v v:
//! ```text
//! stretch    largest singular value of (w_u, w_v), less 1
//! shear      90° less the angle between w_u and w_v
//! curvature  κ₁ + κ₂ = Σ |e| θ / 2 over the edges e of a triangle, divided by its area; border edges count nothing
//! ```
//! θ is the angle between the normals on both sides of an edge. Vertices get area-weighted means of their triangles.

use crate::{Frame, Quantity, RenderError, Subject, Values};
use taffeta::Vec3;

/// Values of a quantity at the vertices, in its unit.
pub fn quantity(subject: &Subject, frame: &Frame, quantity: &Quantity) -> Result<Vec<f64>, RenderError> {
    subject.check(frame)?;
    let missing = |missing| RenderError::Missing { look: quantity.name().to_string(), missing };
    let x = frame.positions;
    Ok(match quantity {
        Quantity::Stretch => at_vertices(subject, &strains(subject, x, |wu, wv| 100.0 * (largest(wu, wv) - 1.0))),
        Quantity::Shear => at_vertices(subject, &strains(subject, x, |wu, wv| 90.0 - angle(wu, wv).to_degrees())),
        Quantity::Bending => curvature(subject, x),
        Quantity::Speed => {
            let (time, before) = frame.before.ok_or(missing("the positions of another frame"))?;
            let duration = (frame.time - time).abs();
            // both frames have the same time: nothing moved
            let per_second = if duration > 0.0 { 1.0 / duration } else { 0.0 };
            x.iter().zip(before).map(|(a, b)| a.distance(*b) * per_second).collect()
        }
        Quantity::Given { .. } => match frame.values.ok_or(missing("its values"))? {
            Values::Vertices(values) => values.to_vec(),
            Values::Triangles(values) => at_vertices(subject, values),
        },
    })
}

/// Magnitude of the force on each vertex (N) divided by the area of cloth around it, N/m². Unlike the force on a
/// vertex, it does not depend on the resolution. 0 where there is no area.
pub fn force_by_area(subject: &Subject, forces: &[Vec3]) -> Result<Vec<f64>, RenderError> {
    subject.check_surface()?;
    if forces.len() != subject.vertices {
        return Err(RenderError::Count { what: "forces", expected: subject.vertices, found: forces.len() });
    }
    let mut areas = vec![0.0; subject.vertices];
    for (t, uv) in subject.triangles.iter().zip(&subject.uv) {
        t.iter().for_each(|&v| areas[v as usize] += uv_area(uv) / 3.0);
    }
    let by_area = |(force, area): (&Vec3, f64)| {
        let value = force.length() / area;
        if value.is_finite() { value } else { 0.0 }
    };
    Ok(forces.iter().zip(areas).map(by_area).collect())
}

/// A strain of each triangle; 0 where the triangle or its uv have no area.
fn strains(subject: &Subject, x: &[Vec3], strain: impl Fn(Vec3, Vec3) -> f64) -> Vec<f64> {
    let of_triangle = |(t, uv): (&[u32; 3], &[[f64; 2]; 3])| {
        let [a, b, c] = t.map(|v| x[v as usize]);
        let (d1, d2) = (b - a, c - a);
        let (u1, v1) = (uv[1][0] - uv[0][0], uv[1][1] - uv[0][1]);
        let (u2, v2) = (uv[2][0] - uv[0][0], uv[2][1] - uv[0][1]);
        let det = u1 * v2 - u2 * v1;
        let value = strain((d1 * v2 - d2 * v1) / det, (d2 * u1 - d1 * u2) / det);
        if value.is_finite() { value } else { 0.0 }
    };
    subject.triangles.iter().zip(&subject.uv).map(of_triangle).collect()
}

/// Largest singular value of the matrix (wu, wv).
fn largest(wu: Vec3, wv: Vec3) -> f64 {
    let (a, b, c) = (wu.length_squared(), wv.length_squared(), wu.dot(wv));
    let half = 0.5 * (a - b);
    (0.5 * (a + b) + (half * half + c * c).sqrt()).sqrt()
}

fn angle(wu: Vec3, wv: Vec3) -> f64 {
    wu.cross(wv).length().atan2(wu.dot(wv))
}

/// Averages values of triangles at vertices, weighted by rest area.
fn at_vertices(subject: &Subject, values: &[f64]) -> Vec<f64> {
    let mut sums = vec![(0.0, 0.0); subject.vertices];
    for ((t, uv), value) in subject.triangles.iter().zip(&subject.uv).zip(values) {
        let area = uv_area(uv);
        let weight = if area.is_finite() && area > 0.0 { area } else { f64::MIN_POSITIVE };
        for &v in t {
            let sum = &mut sums[v as usize];
            *sum = (sum.0 + weight * value, sum.1 + weight);
        }
    }
    sums.into_iter().map(|(sum, weight)| if weight > 0.0 { sum / weight } else { 0.0 }).collect()
}

fn uv_area(uv: &[[f64; 2]; 3]) -> f64 {
    0.5 * ((uv[1][0] - uv[0][0]) * (uv[2][1] - uv[0][1]) - (uv[2][0] - uv[0][0]) * (uv[1][1] - uv[0][1])).abs()
}

/// κ₁ + κ₂ at each vertex, 1/m.
fn curvature(subject: &Subject, x: &[Vec3]) -> Vec<f64> {
    // each edge once per adjacent triangle: (lower end, higher end, opposite vertex, triangle)
    let mut sides: Vec<[u32; 4]> = Vec::with_capacity(3 * subject.triangles.len());
    for (i, t) in subject.triangles.iter().enumerate() {
        for k in 0..3 {
            let (a, b, c) = (t[k], t[(k + 1) % 3], t[(k + 2) % 3]);
            sides.push([a.min(b), a.max(b), c, i as u32]);
        }
    }
    sides.sort_unstable();
    let normals: Vec<Vec3> = subject.triangles.iter().map(|t| normal(x, t)).collect();
    let mut sums = vec![0.0; subject.triangles.len()];
    for pair in sides.windows(2).filter(|pair| pair[0][..2] == pair[1][..2]) {
        let [a, b, _, first] = pair[0];
        let second = pair[1][3];
        let (n0, n1) = (normals[first as usize], normals[second as usize]);
        // concave at the front: the opposite vertex of one side lies in front of the other
        let sign = (x[pair[1][2] as usize] - x[a as usize]).dot(n0);
        let angle = n0.cross(n1).length().atan2(n0.dot(n1)).copysign(sign);
        let half = 0.5 * angle * x[a as usize].distance(x[b as usize]);
        sums[first as usize] += half;
        sums[second as usize] += half;
    }
    let each = sums.iter().zip(&normals).map(|(sum, normal)| sum / (0.5 * normal.length()));
    at_vertices(subject, &each.map(|value| if value.is_finite() { value } else { 0.0 }).collect::<Vec<_>>())
}

fn normal(x: &[Vec3], t: &[u32; 3]) -> Vec3 {
    let [a, b, c] = t.map(|v| x[v as usize]);
    (b - a).cross(c - a)
}

#[cfg(test)]
mod tests {
    use super::*;
    use taffeta::{ClothRange, Mesh};

    fn sheet(size: [f64; 2], cells: [u32; 2]) -> (Subject, Vec<Vec3>) {
        let mesh = Mesh::grid(size, cells, taffeta::Pattern::Alternating).unwrap();
        let cloths =
            vec![ClothRange { name: "sheet".into(), vertices: 0..mesh.rest.len(), triangles: 0..mesh.triangles.len() }];
        let vertices = mesh.rest.len();
        let subject = Subject { cloths, triangles: mesh.triangles, uv: mesh.uv, vertices, ..Subject::default() };
        (subject, mesh.rest)
    }

    fn values(subject: &Subject, frame: &Frame, what: &Quantity) -> Vec<f64> {
        quantity(subject, frame, what).unwrap()
    }

    fn all_near(values: &[f64], expected: f64) {
        assert!(!values.is_empty());
        for (i, value) in values.iter().enumerate() {
            assert!((value - expected).abs() < 1e-9, "vertex {i}: {value}, not {expected}");
        }
    }

    #[test]
    fn sheet_stretched_by_10_percent_shows_10_percent() {
        let (subject, mut x) = sheet([1.0, 0.6], [7, 5]);
        x.iter_mut().for_each(|p| *p = Vec3::new(0.3, p.y * 1.1, -p.x));
        let frame = Frame { positions: &x, ..Frame::default() };
        all_near(&values(&subject, &frame, &Quantity::Stretch), 10.0);
        all_near(&values(&subject, &frame, &Quantity::Shear), 0.0);
    }

    #[test]
    fn sheet_leaning_by_12_degrees_shows_12_degrees_of_shear() {
        let (subject, mut x) = sheet([1.0, 0.6], [7, 5]);
        let (s, c) = 12f64.to_radians().sin_cos();
        x.iter_mut().for_each(|p| *p = Vec3::new(p.x + s * p.y, c * p.y, 0.0));
        let frame = Frame { positions: &x, ..Frame::default() };
        all_near(&values(&subject, &frame, &Quantity::Shear), 12.0);
        // stretch along the diagonal: sqrt(1 + sin)
        all_near(&values(&subject, &frame, &Quantity::Stretch), 100.0 * ((1.0 + s).sqrt() - 1.0));
    }

    #[test]
    fn sheet_rolled_to_a_radius_shows_one_over_the_radius() {
        let radius = 0.2;
        let (subject, flat) = sheet([0.6, 0.3], [60, 8]);
        for (front, sign) in [(1.0, 1.0), (-1.0, -1.0)] {
            let roll = |p: &Vec3| {
                let (s, c) = (p.x / radius).sin_cos();
                Vec3::new(radius * s, p.y, front * radius * (1.0 - c))
            };
            let x: Vec<Vec3> = flat.iter().map(roll).collect();
            let values = values(&subject, &Frame { positions: &x, ..Frame::default() }, &Quantity::Bending);
            for (p, value) in flat.iter().zip(values).filter(|(p, _)| p.x.abs() < 0.28) {
                assert!((value - sign / radius).abs() < 0.01 / radius, "{p}: {value}");
            }
        }
    }

    #[test]
    fn sheet_moved_by_3_cm_in_a_tenth_of_a_second_shows_30_cm_per_second() {
        let (subject, x) = sheet([1.0, 1.0], [3, 3]);
        let moved: Vec<Vec3> = x.iter().map(|p| *p + Vec3::new(0.0, 0.03, 0.0)).collect();
        let mut frame = Frame { time: 0.5, positions: &moved, before: Some((0.4, &x)), values: None };
        all_near(&values(&subject, &frame, &Quantity::Speed), 0.3);
        frame.before = Some((0.5, &x));
        all_near(&values(&subject, &frame, &Quantity::Speed), 0.0);
        frame.before = None;
        assert!(matches!(quantity(&subject, &frame, &Quantity::Speed), Err(RenderError::Missing { .. })));
    }

    #[test]
    fn values_of_triangles_are_averaged_at_vertices() {
        let (subject, x) = sheet([1.0, 1.0], [1, 1]);
        let what = Quantity::Given { name: "contact force".into(), unit: "N".into() };
        let frame = Frame { positions: &x, values: Some(Values::Triangles(&[1.0, 3.0])), ..Frame::default() };
        let mut found = values(&subject, &frame, &what);
        found.sort_by(f64::total_cmp);
        assert_eq!(found, [1.0, 2.0, 2.0, 3.0]);
    }

    /// A weight spread evenly over a sheet exerts the same pressure everywhere, in a corner as in the middle.
    #[test]
    fn even_weight_is_the_same_force_by_area_at_every_resolution() {
        let weight = 7.0;
        for cells in [[1, 1], [4, 3], [30, 20]] {
            let (subject, x) = sheet([2.0, 0.7], cells);
            let mut forces = vec![Vec3::ZERO; x.len()];
            for t in &subject.triangles {
                let share = weight / (3 * subject.triangles.len()) as f64;
                t.iter().for_each(|&v| forces[v as usize] += Vec3::new(0.0, 0.6, -0.8) * share);
            }
            all_near(&force_by_area(&subject, &forces).unwrap(), weight / (2.0 * 0.7));
        }
        let (mut subject, x) = sheet([1.0, 1.0], [1, 1]);
        subject.uv.fill([[0.0; 2]; 3]);
        all_near(&force_by_area(&subject, &vec![Vec3::ONE; x.len()]).unwrap(), 0.0);
        assert!(force_by_area(&subject, &[]).is_err());
    }

    #[test]
    fn triangles_without_area_show_zero() {
        let (mut subject, x) = sheet([1.0, 1.0], [2, 2]);
        subject.uv[0] = [[0.5, 0.5]; 3];
        let same = vec![Vec3::ONE; x.len()];
        for positions in [&x, &same] {
            for what in [Quantity::Stretch, Quantity::Shear, Quantity::Bending] {
                let frame = Frame { positions, ..Frame::default() };
                assert!(values(&subject, &frame, &what).iter().all(|value| value.is_finite()));
            }
        }
    }
}
