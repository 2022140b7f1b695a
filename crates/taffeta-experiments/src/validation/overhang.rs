//! Section 1.3: length at which the chord of what hangs over an edge is 41.5 degrees, over twice the bending length
//! (ASTM D1388).

use super::cantilever::spec;
use super::cloth::CONTINUA;
use super::elastica;
use super::rod::Rod;
use super::roots::{bisect, secant};
use super::strip::{Kind, Strip};
use crate::comparison::{Judge, Row};
use taffeta::*;

/// Cloth whose overhang is measured.
struct Overhang {
    model: Model,
    /// N m.
    bend: f64,
    /// kg/m².
    density: f64,
    /// m.
    length: f64,
}

/// Rows of all models and fabrics. `chord` is the angle of the chord below the horizontal, degrees.
fn rows(what: &str, judge: Judge, chord: impl Fn(Overhang) -> f64) -> Vec<Row> {
    let mut rows = Vec::new();
    for model in CONTINUA {
        for (bend, density) in [(2e-6, 0.1), (2e-6, 0.3), (1e-5, 0.1), (1e-5, 0.3), (1e-4, 0.1), (1e-4, 0.3)] {
            let c = (bend / (density * 9.81_f64)).cbrt();
            let chord = |share: f64| chord(Overhang { model, bend, density, length: share * 2.0 * c });
            let found = secant(0.98, 1.02, |share| chord(share) - 41.5);
            let what = format!("overhang/2c at 41.5°, {what}, B = {bend:.0e}, ρ = {density}, {}", model.name());
            rows.push(Row::new("1.3", what, 1.0, found, judge));
        }
    }
    rows
}

/// Rods.
pub fn rods() -> Vec<Row> {
    rows("rod", Judge::Relative(0.02), |Overhang { model, bend, density, length }| {
        let mut spec = spec(model, bend, length, 40);
        spec.fabric.density = density;
        let mut rod = Rod::new(spec);
        if rod.settle() { (-rod.tip().y).atan2(rod.tip().x).to_degrees() } else { f64::NAN }
    })
}

/// Strips. They are judged by where the chords of B and of 0.96 B are 41.5 ± 0.5 degrees.
pub fn strips() -> Vec<Row> {
    let low = bisect(0.9, 1.1, |share| elastica::tip(8.0 * share.powi(3) / 0.96, 0.0).chord > 41.0);
    let high = bisect(0.9, 1.1, |share| elastica::tip(8.0 * share.powi(3), 0.0).chord > 42.0);
    rows("strip", Judge::Between(low, high), |Overhang { model, bend, density, length }| {
        let strip = Strip::heavy(Kind::ALTERNATING, model, 8.0, 40);
        let fabric = Fabric { density, bend: [bend; 2], ..strip.fabric };
        Strip { length, width: 0.3 * length, fabric, ..strip }.rest().chord
    })
}
