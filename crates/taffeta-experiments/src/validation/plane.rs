//! Section 6.1: pulled along, across and between warp and weft.

use super::cloth::{self, BARAFF_WITKIN, CONTINUA, MEMBRANE, Rest, SPRINGS, fabric, judged};
use crate::comparison::{Judge, Row};
use taffeta::*;

/// Stretch (warp, weft), shear, N/m, and Poisson's ratio.
#[derive(Clone, Copy)]
struct Plane {
    stretch: [f64; 2],
    shear: f64,
    poisson: f64,
}

impl Plane {
    /// Strains xx, yy and 2 xy under a unit force per width along x, the warp at some degrees from x. 1/xx is
    /// 1/E = cos⁴/E1 + sin⁴/E2 + (1/G - 2 ν12/E1) sin² cos².
    fn strains(&self, degrees: f64) -> [f64; 3] {
        let (s, c) = degrees.to_radians().sin_cos();
        let [e1, e2] = self.stretch;
        let warp = c * c / e1 - self.poisson * s * s / e1;
        let weft = s * s / e2 - self.poisson * c * c / e1;
        let angle = -s * c / self.shear;
        [
            c * c * warp + s * s * weft - s * c * angle,
            s * s * warp + c * c * weft + s * c * angle,
            2.0 * s * c * (warp - weft) + (c * c - s * s) * angle,
        ]
    }
}

/// All border vertices of a square are put where homogeneous strain puts them, those inside are free: force per width
/// and strain on the pulled side, and the largest on the others.
fn patch(model: Model, plane: Plane, degrees: f64) -> [f64; 2] {
    let size = 0.1;
    let e = 1e-4;
    let [xx, yy, xy] = plane.strains(degrees);
    let (lateral, shear) = (e * yy / xx, 0.5 * e * xy / xx);
    let mesh = Mesh::random([size; 2], 0.1 * size, 1).unwrap();
    let side = |p: &Vec3| match 0.5 * size - 1e-9 {
        // corners belong to the pulled sides
        edge if p.x.abs() > edge => Some(usize::from(p.x > 0.0)),
        edge if p.y.abs() > edge => Some(2 + usize::from(p.y > 0.0)),
        _ => None,
    };
    let fabric = Fabric { stretch: plane.stretch, shear: plane.shear, poisson: plane.poisson, ..fabric() };
    let mut made = cloth::sheet(mesh, fabric, model);
    made.grain = degrees;
    let strained = |p: &Vec3| Vec3::new(p.x * (1.0 + e) + shear * p.y, p.y * (1.0 + lateral) + shear * p.x, 0.0);
    made.start = Some(made.mesh.rest.iter().map(strained).collect());
    made.noise = Some(Noise { size: 1e-5, seed: 1 });
    let rest = &made.mesh.rest;
    let of_side = |s: usize| (0..rest.len() as u32).filter(|&i| side(&rest[i as usize]) == Some(s)).collect();
    made.pins = (0..4).map(|s| Pin::fixed(Select::Vertices(of_side(s)))).collect();
    let rest = Rest::new(Setup { gravity: Vec3::ZERO, ..Setup::with_cloth(made) }, 1e-7);
    let pull = |s: usize| rest.report.pins[s] / (size * e);
    let others = [pull(2).length(), pull(3).length(), pull(1).y.abs()].into_iter().fold(0.0, f64::max);
    [rest.value(pull(1).x), rest.value(others)]
}

/// 6.1: homogeneous patches.
pub fn patches() -> Vec<Row> {
    let plane = Plane { stretch: [1000.0, 500.0], shear: 50.0, poisson: 0.2 };
    let straight = Plane { poisson: 0.0, ..plane };
    let mut rows = Vec::new();
    for (model, plane) in [(MEMBRANE, plane), (BARAFF_WITKIN, straight), (SPRINGS, straight)] {
        for degrees in [0.0, 22.5, 30.0, 45.0, 60.0, 90.0] {
            let exact = 1.0 / plane.strains(degrees)[0];
            let [along, others] = patch(model, plane, degrees);
            let what = format!("patch, warp at {degrees}°, ν = {}, {}", plane.poisson, model.name());
            let judge = judged(model, Judge::Relative(1e-3));
            rows.push(Row::new("6.1", format!("{what}: E, N/m"), exact, along, judge));
            let judge = judged(model, Judge::AtMost);
            rows.push(Row::new("6.1", format!("{what}: force on free sides over E e"), 1e-3, others / exact, judge));
        }
    }
    rows
}

/// 6.1: strips four times as long as wide, pulled by clamps.
pub fn clamped() -> Vec<Row> {
    let plane = Plane { stretch: [1000.0, 500.0], shear: 50.0, poisson: 0.0 };
    let mut rows = Vec::new();
    for model in cloth::ALL {
        for degrees in [0.0, 45.0, 90.0] {
            let e = 1e-3;
            let fabric = Fabric { stretch: plane.stretch, shear: plane.shear, ..fabric() };
            let mut made = cloth::sheet(cloth::grid([0.4, 0.1], [40, 10], Pattern::Alternating), fabric, model);
            // springs follow the lines of the grid
            if degrees != 0.0 && !CONTINUA.contains(&model) {
                continue;
            }
            made.grain = degrees;
            made.start = Some(made.mesh.rest.iter().map(|p| Vec3::new(p.x * (1.0 + e), p.y, 0.0)).collect());
            made.pins = [Side::Left, Side::Right].map(|side| Pin::fixed(Select::Edge(vec![side]))).into();
            let rest = Rest::new(Setup { gravity: Vec3::ZERO, ..Setup::with_cloth(made) }, 1e-6);
            let found = rest.value(rest.report.pins[1].x / (0.1 * e));
            // on the bias the clamps hinder the shear
            let judge = if degrees == 45.0 { Judge::Reported } else { judged(model, Judge::Relative(0.02)) };
            let what = format!("clamped strip 4:1, warp at {degrees}°, {}: N/e, N/m", model.name());
            rows.push(Row::new("6.1", what, 1.0 / plane.strains(degrees)[0], found, judge));
        }
    }
    rows
}
