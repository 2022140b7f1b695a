//! Sections 3 and 4: rods and strips that buckle under their own weight or between two ends.

use super::cantilever;
use super::cloth::{self, CONTINUA, Rest, fabric};
use super::rod::{End, Rod, Spec};
use super::roots::bisect;
use crate::comparison::{Judge, Row};
use std::f64::consts::PI;
use taffeta::*;

const WEIGHT: f64 = 0.15 * 9.81; // N/m²
const LENGTH: f64 = 0.1; // m
/// A. Greenhill 1881: 9/4 j², j = 1.8663508589 the first zero of the Bessel function J of order -1/3.
const CRITICAL: f64 = 7.837_347_438_9;

/// A rod that stands on its clamp: up is +x.
fn standing(model: Model, gamma: f64, n: u32) -> Rod {
    let gravity = Vec3::new(-9.81, 0.0, 0.0);
    Rod::new(Spec { gravity, ..cantilever::spec(model, WEIGHT * LENGTH.powi(3) / gamma, LENGTH, n) })
}

/// Displaced by a thousandth of its length at the tip and let go: where the tip rests over L.
fn displaced(model: Model, gamma: f64) -> Vec3 {
    let mut rod = standing(model, gamma, 40);
    let bend = |s: f64| if s > 0.0 { 1e-3 * LENGTH * (1.0 - (0.5 * PI * s / LENGTH).cos()) } else { 0.0 };
    rod.place(|p| p + Vec3::Y * bend(p.x));
    if rod.settle() { rod.tip() / LENGTH } else { Vec3::NAN }
}

/// 3: under its own weight. Whether the straight rod is stable is read from its stiffness matrix: positive definite or
/// not.
pub fn own_weight() -> Vec<Row> {
    let mut rows = Vec::new();
    for model in CONTINUA {
        let mut add = |what: &str, reference: f64, found: f64, judge: Judge| {
            rows.push(Row::new("3", format!("{what}, n = 40, {}", model.name()), reference, found, judge));
        };
        let buckles = |gamma: f64| {
            let mut rod = standing(model, gamma, 40);
            !(rod.settle() && rod.is_stable())
        };
        add("standing rod: critical Γ", CRITICAL, bisect(7.0, 9.0, buckles), Judge::Relative(0.02));
        add("displaced at Γ = 7.4: tip offset/L", 1e-4, displaced(model, 7.4).y.abs(), Judge::AtMost);
        add("displaced at Γ = 8.3: tip offset/L", 0.2, displaced(model, 8.3).y.abs(), Judge::Between(0.2, 1.0));
        for (gamma, offset, height) in [(10.0, 0.792968, 0.456023), (15.0, 0.812154, -0.102196)] {
            let tip = displaced(model, gamma);
            add(&format!("buckled rod, Γ = {gamma}: tip offset/L"), offset, tip.y.abs(), Judge::Within(0.02));
            add(&format!("buckled rod, Γ = {gamma}: tip height/L"), height, tip.x, Judge::Within(0.02));
        }
        let mut straight = standing(model, 8.3, 40);
        straight.settle();
        add("straight rod at Γ = 8.3: tip offset/L", 0.0, straight.tip().y / LENGTH, Judge::Within(1e-9));
    }
    rows.extend(standing_sheets());
    rows
}

/// Sheets find out by themselves: the static drape leaves a saddle.
fn standing_sheets() -> Vec<Row> {
    let rows = CONTINUA.map(|model| {
        let offset = |gamma: f64| {
            let (n, cell) = (20, LENGTH / 20.0);
            let bend = WEIGHT * LENGTH.powi(3) / gamma;
            let fabric = Fabric { shear: 1000.0, bend: [bend; 2], ..fabric() };
            let mesh = cloth::grid([LENGTH + cell, 6.0 * cell], [n + 1, 6], Pattern::Alternating);
            let mut made = cloth::sheet(mesh, fabric, model);
            made.pins = vec![Pin::clamped(Select::Uv { min: [0.0; 2], max: [cell, LENGTH] })];
            let rest = Rest::new(Setup { gravity: Vec3::new(-9.81, 0.0, 0.0), ..Setup::with_cloth(made) }, 1e-6);
            rest.value(rest.state.x[n as usize + 1].z.abs() / LENGTH)
        };
        // less than 0.05 L is 0.05 % above the critical value
        let found = bisect(7.0, 9.0, |gamma| offset(gamma) > 0.05);
        let judge = Judge::Between(0.96 * CRITICAL * 0.98, CRITICAL * 1.02);
        Row::new(
            "3",
            format!("standing strip, alternating, n = 20, {}: critical Γ", model.name()),
            CRITICAL,
            found,
            judge,
        )
    });
    rows.into()
}

/// Shortening, angle in degrees at the ends (pinned) or quarters (clamped), mid deflection/L, P L²/B if pinned; clamped
/// it is four times as much. With 2E(k)/K(k) - 1 = 1 - shortening: α = 2 asin k, deflection k/K, P = 4K².
const POST_BUCKLING: [(f64, f64, f64, f64); 4] = [
    (0.05, 25.758609, 0.140111, 10.123493),
    (0.10, 36.624281, 0.194924, 10.392564),
    (0.20, 52.371639, 0.266319, 10.982291),
    (0.30, 64.888291, 0.314313, 11.653030),
];
const SPAN: f64 = 0.2; // m
const BEND: f64 = 1e-5; // N m
const CELLS: u32 = 40;

/// 4: ends brought together.
pub fn euler() -> Vec<Row> {
    let mut rows = Vec::new();
    for model in CONTINUA {
        for (end, name, factor) in [(End::Pinned, "pinned", 1.0), (End::Clamped, "clamped", 4.0)] {
            let mut rod = Rod::new(Spec {
                ends: [end; 2],
                gravity: Vec3::ZERO,
                fabric: Fabric { bend: [BEND; 2], ..fabric() },
                ..cantilever::spec(model, BEND, SPAN, CELLS)
            });
            // level where the ends are clamped
            rod.place(|p| p + Vec3::Y * 1e-3 * SPAN * (PI * (p.x / SPAN).clamp(0.0, 1.0)).sin().powi(2));
            let mut done = 0.0;
            for (shortening, angle, deflection, thrust) in POST_BUCKLING {
                let mut settled = true;
                while done < shortening - 1e-9 {
                    rod.move_end(true, Vec3::X * (-0.005 * SPAN));
                    done += 0.005;
                    settled = rod.settle();
                }
                let found = if settled { 1.0 } else { f64::NAN };
                let mut add = |what: &str, reference: f64, value: f64, judge: Judge| {
                    let percent = 100.0 * shortening;
                    let what = format!("{name} rod shortened by {percent:.0} %, n = 40, {}: {what}", model.name());
                    rows.push(Row::new("4", what, reference, value * found, judge));
                };
                add("mid deflection/L", deflection, rod.at(20).y.abs() / SPAN, Judge::Relative(0.01));
                add("angle, degrees", angle, steepest(&rod, end), Judge::Within(1.0));
                let force = rod.reaction(true).x.abs() / rod.cell() * SPAN * SPAN / BEND;
                add("P L²/B", factor * thrust, force, Judge::Relative(0.03));
            }
        }
        rows.extend(euler_sheets(model));
    }
    rows
}

/// Angle at the end, or at the quarter as the mean of the two cells beside it.
fn steepest(rod: &Rod, end: End) -> f64 {
    let angle = |i: usize| {
        let d = rod.at(i + 1) - rod.at(i);
        d.y.atan2(d.x).to_degrees()
    };
    let angle = if end == End::Pinned { angle(0) } else { 0.5 * (angle(9) + angle(10)) };
    angle.abs() // up or down is the same to it
}

/// Strips whose pins move; their thrust lies between those of the wide and the narrow strip.
fn euler_sheets(model: Model) -> Vec<Row> {
    let mut rows = Vec::new();
    for (clamped, name, factor) in [(false, "pinned", 1.0), (true, "clamped", 4.0)] {
        for (shortening, _, deflection, thrust) in [POST_BUCKLING[1], POST_BUCKLING[3]] {
            let cell = SPAN / f64::from(CELLS);
            let outside = u32::from(clamped);
            let cells = CELLS + 2 * outside;
            let length = SPAN + 2.0 * cell * f64::from(outside);
            let mesh = cloth::grid([length, 10.0 * cell], [cells, 10], Pattern::Alternating);
            let mut made = cloth::sheet(mesh, fabric(), model);
            let bump = |p: &Vec3| 1e-3 * SPAN * (PI * (p.x / SPAN).clamp(-0.5, 0.5)).cos().powi(2);
            made.start = Some(made.mesh.rest.iter().map(|p| Vec3::new(p.x, bump(p), -p.y)).collect());
            let wide = cell * f64::from(outside);
            let moved = |t: f64, by: f64| Key { t, shift: Vec3::X * by, turn: Vec3::ZERO };
            let pin = |from: f64, by: f64| Pin {
                clamp: clamped,
                motion: Motion { keys: vec![moved(0.0, 0.0), moved(1.0, by)], smooth: false },
                ..Pin::fixed(Select::Uv { min: [from, 0.0], max: [from + wide, 1.0] })
            };
            let by = 0.5 * shortening * SPAN;
            made.pins = vec![pin(0.0, by), pin(length - wide, -by)];
            let mut setup = Setup { gravity: Vec3::ZERO, ..Setup::with_cloth(made) };
            setup.time.duration = 1.0;
            let rest = Rest::new(setup, 1e-6);
            let middle = rest.state.x[5 * (cells as usize + 1) + cells as usize / 2].y / SPAN;
            let force = rest.report.pins[1].x.abs() / (10.0 * cell) * SPAN * SPAN / BEND;
            let percent = 100.0 * shortening;
            let what = format!("{name} strip shortened by {percent:.0} %, alternating, n = 40, {}", model.name());
            let found = rest.value(middle);
            rows.push(Row::new("4", format!("{what}: mid deflection/L"), deflection, found, Judge::Relative(0.01)));
            let judge = Judge::Between(0.96 * 0.97 * factor * thrust, 1.03 * factor * thrust);
            rows.push(Row::new("4", format!("{what}: P L²/B"), factor * thrust, rest.value(force), judge));
        }
    }
    rows
}
