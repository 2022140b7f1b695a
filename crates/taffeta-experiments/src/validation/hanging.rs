//! Section 5: chains of cloth between two supports, and sheets that hang from their top row.

use super::cloth::{self, BARAFF_WITKIN, CONTINUA, MEMBRANE, Rest, SPRINGS, fabric};
use super::strip::Kind;
use crate::comparison::{Judge, Row};
use taffeta::*;

const WEIGHT: f64 = 0.15 * 9.81; // N/m²

/// Sag and horizontal tension over the weight of a chain of n rigid links of length 1 in all, with lumped weight,
/// between supports at a distance below 1: link i has the slope V/H, V what hangs below it.
fn chain(n: u32, span: f64) -> [f64; 2] {
    let link = 1.0 / f64::from(n);
    let slope = |i: u32, tension: f64| 0.5 * link * (f64::from(n) + 1.0 - 2.0 * f64::from(i)) / tension;
    let reach = |tension: f64| (1..=n).map(|i| link / slope(i, tension).hypot(1.0)).sum::<f64>();
    let (mut low, mut high) = (1e-3, 10.0);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if reach(middle) > span { high = middle } else { low = middle }
    }
    let drop = |i: u32| link * slope(i, low) / slope(i, low).hypot(1.0);
    [(1..=n).map(drop).filter(|drop| *drop > 0.0).sum(), low]
}

/// 5.1: a strip without bending stiffness hangs like the chain of as many links.
pub fn catenary() -> Vec<Row> {
    let mut rows = Vec::new();
    let cases = [(0.8, 10), (0.8, 20), (0.8, 40), (0.8, 80), (0.5, 40), (0.9, 40), (0.95, 40)];
    let models = [
        Model::BaraffWitkin { bending: Bending::None },
        Model::Membrane { bending: Bending::None },
        Model::MassSpring { bending: Bending::None },
    ];
    for model in models {
        let springs = matches!(model, Model::MassSpring { .. });
        for (span, n) in cases.into_iter().skip(if springs { 6 } else { 0 }) {
            let width = 0.2;
            let fabric = Fabric { stretch: [1e5; 2], shear: 1000.0, ..fabric() };
            let mesh = cloth::grid([1.0, width], [n, n / 5], Pattern::OneDiagonal);
            let mut made = cloth::sheet(mesh, fabric, model);
            // two straight halves
            let down = (1.0f64 - span * span).sqrt();
            let half = |p: &Vec3| Vec3::new(span * p.x, -down * (0.5 - p.x.abs()), -p.y);
            made.start = Some(made.mesh.rest.iter().map(half).collect());
            made.pins = [Side::Left, Side::Right].map(|side| Pin::fixed(Select::Edge(vec![side]))).into();
            let rest = Rest::new(Setup::with_cloth(made), 1e-6);
            let [sag, tension] = chain(n, span);
            let lowest = -rest.state.x.iter().map(|p| p.y).fold(f64::INFINITY, f64::min);
            let weight = WEIGHT * width;
            let pull = rest.report.pins[1] / weight;
            let what = format!("strip over a span of {span} L, n = {n}, {}", model.name());
            let mut add = |name: &str, reference: f64, found: f64, within: f64| {
                let gate = !springs;
                let judge = if gate { Judge::Relative(within) } else { Judge::Reported };
                rows.push(Row::new("5.1", format!("{what}: {name}"), reference, rest.value(found), judge));
            };
            add("sag/L", sag, lowest, 1e-3);
            add("H/(ρ g L)", tension, pull.x, 5e-3);
            add("V/(ρ g L)", 0.5, pull.y, 5e-3);
        }
    }
    rows
}

/// Mean height of the lowest row, by the trapezoidal rule: corners count half.
fn bottom(mesh: &Mesh, x: &[Vec3]) -> f64 {
    let low = mesh.rest.iter().map(|p| p.y).fold(f64::INFINITY, f64::min);
    let mut row: Vec<usize> = (0..x.len()).filter(|&i| mesh.rest[i].y < low + 1e-9).collect();
    row.sort_by(|&i, &j| mesh.rest[i].x.total_cmp(&mesh.rest[j].x));
    let parts = row.windows(2).map(|w| {
        let [a, b] = [w[0], w[1]];
        [(mesh.rest[b].x - mesh.rest[a].x), 0.5 * (x[a].y + x[b].y)]
    });
    let sums = parts.fold([0.0; 2], |sum, [l, y]| [sum[0] + l, sum[1] + l * y]);
    sums[1] / sums[0] - low
}

/// How far rows of cells get longer in all if N(λ) = k (λ² - 1)/2 λ, the law of the membrane.
fn green(length: f64, rows: u32, k: f64) -> f64 {
    let row = length / f64::from(rows);
    let stretched = |i: u32| {
        let n = WEIGHT * (length - (f64::from(i) + 0.5) * row) / k;
        let mut lambda = 1.0;
        for _ in 0..50 {
            let force: f64 = 0.5 * (lambda * lambda - 1.0) * lambda;
            lambda -= (force - n) / (1.5 * lambda * lambda - 0.5);
        }
        row * (lambda - 1.0)
    };
    (0..rows).map(stretched).sum()
}

/// A sheet of 1 m from its top row: elongation, and what it should be.
fn hang(kind: Kind, cells: u32, model: Model, residual: f64) -> [f64; 2] {
    let edge = 1.0 / f64::from(cells);
    let mesh = match kind {
        Kind::Grid(pattern) => cloth::grid([1.0; 2], [cells; 2], pattern),
        Kind::Equilateral => Mesh::equilateral([1.0; 2], edge).unwrap(),
        Kind::Random(seed) => Mesh::random([1.0; 2], edge, seed).unwrap(),
    };
    let length = 2.0 * mesh.rest.iter().map(|p| p.y).fold(0.0, f64::max);
    let mut made = cloth::sheet(mesh.clone(), fabric(), model);
    made.pins = vec![Pin::fixed(Select::Edge(vec![Side::Top]))];
    let rest = Rest::new(Setup::with_cloth(made), residual);
    let row = if kind == Kind::Equilateral { edge * 0.75f64.sqrt() } else { edge };
    let exact = match model == MEMBRANE {
        true => green(length, (length / row).round() as u32, 1000.0),
        false => 0.5 * WEIGHT * length * length / 1000.0,
    };
    [exact, rest.value(-bottom(&mesh, &rest.state.x))]
}

/// 5.2: elongation of a hanging sheet, ρ g L²/2k for the linear law.
pub fn hanging_sheet() -> Vec<Row> {
    let patterns = [Pattern::OneDiagonal, Pattern::Alternating, Pattern::Crossed].map(Kind::Grid);
    let meshes = [patterns[0], patterns[1], patterns[2], Kind::Equilateral, Kind::Random(1)];
    let mut rows = Vec::new();
    let mut add = |kind: Kind, cells: u32, model: Model, residual: f64, judge: Judge| {
        let [exact, found] = hang(kind, cells, model, residual);
        let (n, kind) = (cells + 1, kind.name());
        let what = format!("hanging sheet, {kind}, {n} x {n} vertices, {}: elongation, m", model.name());
        rows.push(Row::new("5.2", what, exact, found, judge));
    };
    for model in CONTINUA {
        for cells in [9, 40, 100] {
            for kind in meshes {
                // with a law that is not linear the sum counts layers that stretch evenly; few cells of other meshes do
                // not
                let layered = kind == patterns[0] || model == BARAFF_WITKIN || cells > 9;
                add(kind, cells, model, 3e-8, if layered { Judge::Relative(1e-6) } else { Judge::Reported });
            }
        }
    }
    for kind in meshes {
        // only on grids do springs have the stretch of the fabric
        let judge = if patterns.contains(&kind) { Judge::Relative(0.01) } else { Judge::Reported };
        add(kind, 40, SPRINGS, 3e-8, judge);
    }
    // springs that only pull: fewer cells are softer across, so that the sheet gets narrower
    add(patterns[0], 40, Model::ChoiKo, 1e-6, Judge::Relative(0.01));
    patterns.into_iter().for_each(|kind| add(kind, 20, Model::ChoiKo, 1e-4, Judge::Reported));
    rows
}
