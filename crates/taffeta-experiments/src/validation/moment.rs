//! Section 2.2: strips bent by their rest angles, and a flat strip bent to a ring.

use super::cloth::{self, CONTINUA, Rest, fabric};
use crate::comparison::{Judge, Row};
use std::f64::consts::PI;
use taffeta::*;

const LENGTH: f64 = 0.1; // m
const BEND: f64 = 1e-4; // N m
const CELLS: u32 = 40;

/// A flat strip with the rest angles of an arc closes to it and has no energy left.
pub fn rest_angles() -> Vec<Row> {
    let mut rows = Vec::new();
    for model in CONTINUA {
        for (turn, name) in [(0.5 * PI, "π/2"), (PI, "π"), (2.0 * PI, "2π")] {
            for pattern in [Pattern::OneDiagonal, Pattern::Alternating] {
                let what = format!("rest angles of an arc of {name}, {pattern:?}, {}", model.name());
                rows.extend(arc(&what, model, turn, pattern));
            }
        }
    }
    rows
}

fn arc(what: &str, model: Model, turn: f64, pattern: Pattern) -> [Row; 2] {
    let mesh = cloth::grid([LENGTH, 0.2 * LENGTH], [CELLS, 8], pattern);
    let mut made = cloth::sheet(mesh, Fabric { bend: [BEND; 2], ..fabric() }, model);
    let (side, angle) = (LENGTH / f64::from(CELLS), turn / f64::from(CELLS));
    let radius = 0.5 * side / (0.5 * angle).sin();
    let rolled = made.mesh.rest.iter().map(|p| {
        let phi = p.x / LENGTH * turn;
        Vec3::new(radius * phi.sin(), p.y, radius * (1.0 - phi.cos()))
    });
    made.rest_shape = Some(rolled.collect());
    made.pins = vec![Pin::fixed(Select::Uv { min: [0.0; 2], max: [side, LENGTH] })];
    let rest = Rest::new(Setup { gravity: Vec3::ZERO, ..Setup::with_cloth(made) }, 1e-6);
    let m = measure(&rest.world, &rest.state);
    let flat = 0.5 * BEND * turn * turn / LENGTH * 0.2 * LENGTH;
    let ends = rest.state.x[0].distance(rest.state.x[CELLS as usize]) / LENGTH;
    let left = rest.value(m.bend + m.stretch + m.shear) / flat;
    [
        Row::new("2.2", format!("{what}: energy over that of the flat strip"), 1e-9, left, Judge::AtMost),
        Row::new("2.2", format!("{what}: end to end/L"), (0.5 * turn).sin() / (0.5 * turn), ends, Judge::Within(2e-3)),
    ]
}

/// A ring one cell wide of a strip that is flat at rest: a regular polygon is in balance, with B/2 (2π)²/L per width.
pub fn ring() -> Vec<Row> {
    let n = CELLS;
    let side = LENGTH / f64::from(n);
    let radius = 0.5 * side / (PI / f64::from(n)).sin();
    let at = |i: u32, j: u32| {
        let phi = 2.0 * PI * f64::from(i) / f64::from(n);
        Vec3::new(radius * phi.cos(), radius * phi.sin(), f64::from(j) * side)
    };
    let rest = (0..2).flat_map(|j| (0..n).map(move |i| at(i, j))).collect();
    let (mut triangles, mut uv) = (Vec::new(), Vec::new());
    for i in 0..n {
        let next = (i + 1) % n;
        let [u, v] = [f64::from(i) * side, f64::from(i + 1) * side];
        triangles.extend([[i, next, n + next], [i, n + next, n + i]]);
        uv.extend([[[u, 0.0], [v, 0.0], [v, side]], [[u, 0.0], [v, side], [u, side]]]);
    }
    let mesh = Mesh::new(rest, triangles, Some(uv)).unwrap();
    let mut rows = Vec::new();
    for model in CONTINUA {
        let made = cloth::sheet(mesh.clone(), Fabric { bend: [BEND; 2], ..fabric() }, model);
        let world = cloth::world(Setup { gravity: Vec3::ZERO, ..Setup::with_cloth(made) });
        let state = world.start();
        let energy = measure(&world, &state).bend * LENGTH / (BEND * side);
        let what = format!("flat strip bent to a ring, n = 40, {}", model.name());
        rows.push(Row::new("2.2", format!("{what}: E L/(B b)"), 2.0 * PI * PI, energy, Judge::Relative(0.01)));
        let mut work = Workspace::new(&world);
        let f = forces(&world, &state, &mut work);
        let n = n as usize;
        let most = (0..n).map(|i| (f[i] + f[i + n]).length()).fold(0.0, f64::max);
        rows.push(Row::new("2.2", format!("{what}: largest net force on a row, N"), 1e-9, most, Judge::AtMost));
    }
    rows
}
