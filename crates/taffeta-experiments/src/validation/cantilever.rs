//! Sections 1 and 2, rods: a clamped rod under its own weight and under a load at its tip.

use super::cloth::{BARAFF_WITKIN, CONTINUA, MEMBRANE, SPRINGS, WEIGHT, fabric, judged};
use super::elastica;
use super::rod::{End, Rod, Spec};
use crate::comparison::{Judge, Row};
use taffeta::*;

const LENGTH: f64 = 0.1; // m

/// A clamped rod; it cannot stretch: ρ g L/k = 1.5e-5.
pub fn spec(model: Model, bend: f64, length: f64, n: u32) -> Spec {
    Spec {
        model,
        length,
        n,
        ends: [End::Clamped, End::Free],
        fabric: Fabric { stretch: [1e4; 2], shear: 10.0, bend: [bend; 2], ..fabric() },
        gravity: Vec3::new(0.0, -9.81, 0.0),
        tip: Vec3::ZERO,
    }
}

fn heavy(model: Model, gamma: f64, n: u32) -> Rod {
    let mut rod = Rod::new(spec(model, WEIGHT * LENGTH.powi(3) / gamma, LENGTH, n));
    rod.settle();
    rod
}

/// Rows of a tip: x, y, chord.
fn tip_rows(section: &'static str, what: &str, model: Model, rod: &mut Rod, exact: &elastica::Tip) -> Vec<Row> {
    let settled = if rod.settle() { 1.0 } else { f64::NAN };
    let tip = rod.tip() / LENGTH * settled;
    let row = |name: &str, reference: f64, found: f64, within: f64| {
        let judge = judged(model, Judge::Within(within));
        Row::new(section, format!("{what}, {}: {name}", model.name()), reference, found, judge)
    };
    vec![
        row("x/L", exact.x, tip.x, 2e-3),
        row("y/L", exact.y, tip.y, 2e-3),
        row("chord, degrees", exact.chord, (-tip.y).atan2(tip.x).to_degrees(), 0.1),
    ]
}

/// 1.1: heavy rods.
pub fn heavy_rods() -> Vec<Row> {
    let mut rows = Vec::new();
    for model in [BARAFF_WITKIN, MEMBRANE, SPRINGS] {
        let all = [0.1, 0.5, 1.0, 2.0, 5.0, 8.0, 10.0, 20.0, 50.0, 100.0, 200.0];
        for gamma in if model == SPRINGS { vec![1.0, 8.0, 50.0] } else { all.to_vec() } {
            let exact = elastica::tip(gamma, 0.0);
            let mut rod = heavy(model, gamma, 40);
            let what = format!("heavy rod, Γ = {gamma}, n = 40");
            rows.extend(tip_rows("1.1", &what, model, &mut rod, &exact));
            let reference = exact.curvature * WEIGHT * LENGTH.powi(2) / gamma;
            let judge = judged(model, Judge::Relative(0.03));
            let what = format!("{what}, {}: root moment, N", model.name());
            rows.push(Row::new("1.1", what, reference, rod.root_moment(), judge));
            if gamma == 200.0 {
                let what = format!("heavy rod, Γ = 200, n = 40, {}: largest stretch", model.name());
                let stretch = measure(&rod.world, &rod.state).max_stretch;
                rows.push(Row::new("1.1", what, 1e-3, stretch, Judge::AtMost));
            }
        }
    }
    rows
}

/// 1.1: order of convergence.
pub fn order() -> Vec<Row> {
    let mut rows = Vec::new();
    for model in CONTINUA {
        for gamma in [1.0, 8.0, 50.0] {
            let exact = elastica::tip(gamma, 0.0);
            let errors = [10, 20, 40].map(|n| heavy(model, gamma, n).tip().y / LENGTH - exact.y);
            for (pair, name) in errors.windows(2).zip(["10 to 20", "20 to 40"]) {
                let what = format!("heavy rod, Γ = {gamma}, {}: ratio of errors, n = {name}", model.name());
                rows.push(Row::new("1.1", what, 4.0, pair[0] / pair[1], Judge::Between(3.6, 4.4)));
            }
        }
    }
    rows
}

/// 2.1: a force at the tip, no weight.
pub fn tip_loads() -> Vec<Row> {
    let mut rows = Vec::new();
    for model in CONTINUA {
        for p in [0.5, 1.0, 2.0, 5.0, 10.0] {
            let bend = 1e-4;
            let tip = Vec3::new(0.0, -p * bend / (LENGTH * LENGTH), 0.0);
            let mut rod = Rod::new(Spec { gravity: Vec3::ZERO, tip, ..spec(model, bend, LENGTH, 40) });
            let what = format!("rod with load P L²/B = {p}, n = 40");
            rows.extend(tip_rows("2.1", &what, model, &mut rod, &elastica::tip(0.0, p)));
        }
    }
    rows
}
