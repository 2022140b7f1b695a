//! Section 11.1: a round cloth on a round support, cut into wedges beyond it.

use super::cloth::{self, CONTINUA, Rest, fabric};
use super::shadow::Shadow;
use super::strip::Kind;
use super::wedge::drape_coefficient;
use crate::comparison::{Judge, Row};
use std::collections::BTreeMap;
use std::f64::consts::{PI, TAU};
use taffeta::*;

/// Radius of the support, m.
const SUPPORT: f64 = 0.09;
/// Cuts in the cloth.
const CUTS: u32 = 64;
/// The bracket is widened by two points.
const MARGIN: f64 = 0.02;

/// A cloth with radial cuts, or one of its wedges.
struct CutSheet {
    kind: Kind,
    model: Model,
    /// m.
    radius: f64,
    /// Bending length, m.
    c: f64,
    /// Cells across a wedge.
    columns: u32,
    /// 1, or all of them.
    wedges: u32,
}

impl CutSheet {
    /// Wedges are images of strips by exp, which keeps angles: (x, y) goes to r = a exp(y) and the angle x.
    fn mesh(&self) -> Mesh {
        let angle = TAU / f64::from(CUTS);
        let cell = angle / f64::from(self.columns);
        let long = (self.radius / SUPPORT).ln();
        // one row inside the support makes the clamp
        let (strip, rows, bend_factor) = match self.kind {
            Kind::Equilateral => {
                let rows = (long / (cell * 0.75f64.sqrt())).round();
                (Mesh::equilateral([angle, (rows + 1.0) * cell * 0.75f64.sqrt()], cell).unwrap(), rows, 1.0)
            }
            // stiffness of square cells along their sides
            _ => {
                let rows = (long / cell).round();
                let cells = [self.columns, rows as u32 + 1];
                (cloth::grid([angle, (rows + 1.0) * cell], cells, Pattern::Alternating), rows, 5.0 / 6.0)
            }
        };
        let half = strip.rest.iter().map(|p| p.y).fold(0.0, f64::max);
        let level = |y: f64| ((y + half) / (2.0 * half) * (rows + 1.0) - 1.0) * long / rows;
        let (mut rest, mut triangles, mut inside) = (Vec::new(), Vec::new(), BTreeMap::new());
        for wedge in 0..self.wedges {
            let number: Vec<u32> = (strip.rest.iter())
                .map(|p| {
                    let (r, (sin, cos)) = (SUPPORT * level(p.y).exp(), (angle * f64::from(wedge) - p.x).sin_cos());
                    let at = Vec3::new(r * cos, r * sin, 0.0);
                    let new = rest.len() as u32;
                    // up to the support neighbours are one
                    let key = [at.x, at.y].map(|x| (1e9 * x).round() as i64);
                    let number = if on_support(at) { *inside.entry(key).or_insert(new) } else { new };
                    if number == new {
                        rest.push(at);
                    }
                    number
                })
                .collect();
            triangles.extend(strip.triangles.iter().map(|t| t.map(|v| number[v as usize])));
        }
        Mesh { bend_factor, ..Mesh::new(rest, triangles, None).unwrap() }
    }

    /// Drape coefficient at rest.
    fn coefficient(&self) -> f64 {
        let mesh = self.mesh();
        let held = (0..mesh.rest.len() as u32).filter(|&i| on_support(mesh.rest[i as usize])).collect();
        let weight = fabric().density * 9.81;
        // stiff in shear: the references bend only
        let fabric = Fabric { shear: 1000.0, bend: [weight * self.c.powi(3); 2], ..fabric() };
        let mut made = cloth::sheet(mesh, fabric, self.model);
        made.place.rotate.x = -90.0;
        made.pins = vec![Pin::clamped(Select::Vertices(held))];
        let rest = Rest::new(Setup::with_cloth(made), 1e-6);
        let [flat, draped] = [&rest.world.start().x, &rest.state.x].map(|x| self.shadow(x, &rest.world.triangles));
        let disc = PI * SUPPORT * SUPPORT;
        rest.value((draped - disc) / (flat - disc))
    }

    /// Area of the shadow of all wedges, m².
    fn shadow(&self, x: &[Vec3], triangles: &[[u32; 3]]) -> f64 {
        let (mut all, mut corners) = (Vec::new(), Vec::new());
        for turn in 0..CUTS / self.wedges {
            let first = all.len() as u32;
            let turn = glam::DQuat::from_rotation_y(TAU * f64::from(turn) / f64::from(CUTS));
            all.extend(x.iter().map(|x| turn * *x));
            corners.extend(triangles.iter().map(|t| t.map(|v| first + v)));
        }
        Shadow::new(SUPPORT, self.radius, &all, &corners).area()
    }
}

fn on_support(p: Vec3) -> bool {
    p.length() < (1.0 + 1e-9) * SUPPORT
}

/// Between the wedges of B and of B (1 - ν²), ν that of the mesh.
fn row(sheet: &CutSheet) -> Row {
    let narrow = if sheet.kind == Kind::Equilateral { 8.0 / 9.0 } else { 0.96 };
    let [wide, narrow] =
        [1.0, narrow].map(|share: f64| drape_coefficient(share.cbrt() * sheet.c, SUPPORT, sheet.radius));
    let what = format!(
        "{} wedge{} of {CUTS}, {:.0}/18, c = {} cm, {}, {} cells across, {}: DC",
        sheet.wedges,
        if sheet.wedges == 1 { "" } else { "s" },
        200.0 * sheet.radius,
        100.0 * sheet.c,
        sheet.kind.name(),
        sheet.columns,
        sheet.model.name(),
    );
    Row::new("11.1", what, wide, sheet.coefficient(), Judge::Between(narrow - MARGIN, wide + MARGIN))
}

/// One wedge stands for all. Eight cells across are fine enough for c ≥ 1 cm.
pub fn wedge(kind: Kind, model: Model, radius: f64, c: f64) -> Row {
    row(&CutSheet { kind, model, radius, c, columns: 8, wedges: 1 })
}

/// 11.1: wedges of cloths of 24, 30 and 36 cm.
pub fn wedges() -> Vec<Row> {
    let mut rows = Vec::new();
    for kind in [Kind::ALTERNATING, Kind::Equilateral] {
        for radius in [0.12, 0.15, 0.18] {
            rows.extend([0.01, 0.015, 0.02, 0.03, 0.04].map(|c| wedge(kind, CONTINUA[0], radius, c)));
        }
        rows.extend([0.01, 0.02, 0.04].map(|c| wedge(kind, CONTINUA[1], 0.15, c)));
    }
    rows
}

/// 11.1: all wedges, each with the warp in another direction.
pub fn whole_sheets() -> Vec<Row> {
    let sheet = |c: f64| {
        let (kind, model) = (Kind::Equilateral, CONTINUA[0]);
        row(&CutSheet { kind, model, radius: 0.15, c, columns: 4, wedges: CUTS })
    };
    [0.02, 0.04].map(sheet).into()
}
