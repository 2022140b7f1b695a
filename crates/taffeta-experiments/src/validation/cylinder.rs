//! What hinges make of a mesh: energy of cylinders over B κ²/2 per area.
#![allow(dead_code)] // bending.rs of the library's tests uses another part than the table

use std::collections::BTreeMap;
use taffeta::model::hinge::Hinge;
use taffeta::*;

/// Hinges of stiffness |e|²/(A0 + A1) on all inner edges, each with a third of the area of its two triangles.
pub fn unit_hinges(mesh: &Mesh) -> Vec<(Hinge, f64)> {
    let mut third_by_edge = BTreeMap::new();
    let mut hinges = Vec::new();
    for t in &mesh.triangles {
        for c in 0..3 {
            let [v0, v1, v2] = [0, 1, 2].map(|i| t[(c + i) % 3]);
            // the neighbour runs along the edge the other way
            let Some(v3) = third_by_edge.get(&(v1, v0)).copied() else {
                third_by_edge.insert((v0, v1), v2);
                continue;
            };
            let v = [v0, v1, v2, v3];
            let p = v.map(|v| mesh.rest[v as usize]);
            let both = 0.5 * ((p[1] - p[0]).cross(p[2] - p[0]).length() + (p[1] - p[0]).cross(p[3] - p[0]).length());
            hinges.push((Hinge { v, k: p[0].distance_squared(p[1]) / both, rest: 0.0 }, both / 3.0));
        }
    }
    hinges
}

/// Energy of a bent mesh over κ²/2 per area, over the hinges in a circle that stays `margin` from the border.
pub fn energy_ratio(mesh: &Mesh, hinges: &[(Hinge, f64)], bent: &[Vec3], kappa: f64, margin: f64) -> f64 {
    ratio(mesh, hinges, kappa, margin, |hinge| hinge.energy(&hinge.v.map(|v| bent[v as usize])))
}

/// The same with any energy of a pair of triangles.
pub fn ratio(mesh: &Mesh, hinges: &[(Hinge, f64)], kappa: f64, margin: f64, energy_of: impl Fn(&Hinge) -> f64) -> f64 {
    let half = mesh.rest.iter().fold(Vec3::ZERO, |m, p| m.max(p.abs()));
    let (mut energy, mut area) = (0.0, 0.0);
    for (hinge, third) in hinges {
        let middle = 0.5 * (mesh.rest[hinge.v[0] as usize] + mesh.rest[hinge.v[1] as usize]);
        if middle.length() <= half.x.min(half.y) - margin {
            energy += energy_of(hinge);
            area += third;
        }
    }
    energy / (0.5 * kappa * kappa * area)
}

/// That of the vertices on a cylinder of radius `radius` whose curvature runs along `degrees` from x.
pub fn cylinder_ratio(mesh: &Mesh, degrees: f64, radius: f64, margin: f64) -> f64 {
    energy_ratio(mesh, &unit_hinges(mesh), &rolled(mesh, degrees, radius), 1.0 / radius, margin)
}

/// The vertices on that cylinder.
pub fn rolled(mesh: &Mesh, degrees: f64, radius: f64) -> Vec<Vec3> {
    let (s, c) = degrees.to_radians().sin_cos();
    let on_cylinder = |p: &Vec3| {
        let (along, across) = (c * p.x + s * p.y, c * p.y - s * p.x);
        Vec3::new(radius * (along / radius).sin(), across, radius * (1.0 - (along / radius).cos()))
    };
    mesh.rest.iter().map(on_cylinder).collect()
}

/// The same for a small curvature with the inner vertices moved up or down to where the energy is least: what a
/// simulation feels. Conjugate gradients; vertices nearer to the border than `held` stay on the cylinder.
pub fn relaxed_cylinder_ratio(mesh: &Mesh, degrees: f64, margin: f64, held: f64) -> f64 {
    let hinges = unit_hinges(mesh);
    let (s, c) = degrees.to_radians().sin_cos();
    let kappa = 1e-6;
    let half = mesh.rest.iter().fold(Vec3::ZERO, |m, p| m.max(p.abs()));
    let round = mesh.rest.len() > 1 && mesh.rest[0] == Vec3::ZERO; // a disc
    let free: Vec<f64> = (mesh.rest.iter())
        .map(|p| {
            let inside = if round { half.x - p.length() } else { (half.x - p.x.abs()).min(half.y - p.y.abs()) };
            f64::from(u8::from(inside > held))
        })
        .collect();
    let lifted = |z: &[f64]| -> Vec<Vec3> { mesh.rest.iter().zip(z).map(|(p, z)| Vec3::new(p.x, p.y, *z)).collect() };
    // near the flat sheet the force is -K z
    let pull = |z: &[f64]| -> Vec<f64> {
        let x = lifted(z);
        let mut f = vec![0.0; z.len()];
        for (hinge, _) in &hinges {
            let force = hinge.force(&hinge.v.map(|v| x[v as usize]), &[Vec3::ZERO; 4], 0.0);
            hinge.v.iter().zip(force).for_each(|(&v, force)| f[v as usize] += force.z);
        }
        f.iter().zip(&free).map(|(f, free)| f * free).collect()
    };
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let mut z: Vec<f64> = mesh.rest.iter().map(|p| 0.5 * kappa * (c * p.x + s * p.y).powi(2)).collect();
    let mut residual = pull(&z);
    let mut direction = residual.clone();
    let start = dot(&residual, &residual);
    let mut now = start;
    for _ in 0..20_000 {
        if now <= 1e-14 * start {
            break;
        }
        let back = pull(&direction);
        let step = -now / dot(&direction, &back);
        z.iter_mut().zip(&direction).for_each(|(z, d)| *z += step * d);
        residual.iter_mut().zip(&back).for_each(|(r, b)| *r += step * b);
        let next = dot(&residual, &residual);
        direction.iter_mut().zip(&residual).for_each(|(d, r)| *d = r + next / now * *d);
        now = next;
    }
    energy_ratio(mesh, &hinges, &lifted(&z), kappa, margin)
}
