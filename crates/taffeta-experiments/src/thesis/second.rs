//! The second simulator: Baraff & Witkin's conditions on triangles, explicit and implicit.

use super::course::run;
use super::{at_least, at_most, exactly, near, reported};
use crate::comparison::Row;

const NAN: f64 = f64::NAN;

/// k = 0.015 in place of 0.005, as the scene has it.
const STIFF: &str = "cloth.raw.structural=0.00464";

/// Conditions stretch more than springs and bounce less high.
pub fn stretch() -> Vec<Row> {
    let (second, first) = (run("thesis-s2-explicit", &[], 100.0), run("thesis-1-bounce", &[], 12.0));
    let (time, low) = second.lowest([0.0, 7.0], |m| m.com_height);
    let of_springs = first.lowest([0.0, 7.0], |m| m.com_height).1;
    let high = second.highest([6.0, 12.0], |m| m.com_height).1;
    let high_of_springs = first.highest([4.0, 9.0], |m| m.com_height).1;
    vec![
        exactly("s2.1", "stretch: stable for, s", 100.0, second.stable()),
        reported("s2.1", "stretch: lowest at, s", NAN, time),
        reported("s2.1", "stretch: lowest of springs, m", NAN, of_springs),
        at_most("s2.1", "stretch: lowest, m", 1.2 * of_springs, low),
        reported("s2.1", "stretch: springs come back to, m", NAN, high_of_springs),
        at_most("s2.1", "stretch: comes back to, m", high_of_springs - 0.5, high),
    ]
}

/// Damped conditions sink without a bounce.
pub fn damped() -> Vec<Row> {
    let damped = run("thesis-s2-explicit", &["cloth.raw.damping=0.001614"], 60.0);
    vec![
        exactly("s2", "damped: stable for, s", 60.0, damped.stable()),
        exactly("s2", "damped: bounces", 0.0, damped.lows(0.01).len() as f64),
        reported("s2", "damped: within 2 % of its rest from, s", NAN, damped.settled(0.02 * 24.7)),
        at_most("s2", "damped: speed at the end, m/s", 0.01, damped.at(60.0).max_speed),
    ]
}

/// The thesis: contracts along one axis for eleven seconds and expands along the other, then back.
pub fn shear() -> Vec<Row> {
    let free = ["gravity=[0.0,0.0,0.0]", "components.pins=false", "cloth.start={shear=30.0}"];
    let sheared = run("thesis-s2-explicit", &free, 20.0);
    vec![
        exactly("s2.1", "shear: stable for, s", 20.0, sheared.stable()),
        near("s2.1", "shear: the other side at, s", 11.0, sheared.highest([6.0, 16.0], |m| m.shear).0),
    ]
}

/// Right angles are flat after 14 s.
pub fn bend() -> Vec<Row> {
    let free = ["gravity=[0.0,0.0,0.0]", "components.pins=false", "cloth.start={pleat=90.0}"];
    let bent = run("thesis-s2-explicit", &free, 20.0);
    let (time, least) = bent.lowest(super::course::ALL, |m| m.bend);
    vec![
        exactly("s2.1", "bend: stable for, s", 20.0, bent.stable()),
        near("s2.1", "bend: flat at, s", 14.0, time),
        at_most("s2.1", "bend: energy that is left", 0.1, least / bent.course[0].1.bend),
    ]
}

/// The implicit method is stable where the explicit one diverges.
pub fn implicit() -> Vec<Row> {
    let explicit = run("thesis-s2-explicit", &[STIFF], 60.0);
    let implicit = run("thesis-s2-implicit", &[], 60.0);
    let energy = |t: f64| implicit.at(t).energy();
    // a hundred times as stiff, ten times the step
    let stiff = ["cloth.raw.structural=0.5", "time.step=1.0", "time.fps=1.0"];
    let stiff = run("thesis-s2-implicit", &stiff, 60.0);
    vec![
        at_most("s2.3", "k = 0.015: explicit diverges at, s", 10.0, explicit.diverged()),
        exactly("s2.3", "k = 0.015: implicit stable for, s", 60.0, implicit.stable()),
        at_most("s2.3", "k = 0.015: implicit, largest stretch", 3.0, implicit.stretch()),
        // it takes the energy that the thesis missed being taken
        at_most("s2.3", "k = 0.015: implicit, energy gained from 1 to 30 s, J", 0.0, energy(30.0) - energy(1.0)),
        at_most("s2.3", "k = 0.015: implicit, energy gained from 30 to 60 s, J", 0.0, energy(60.0) - energy(30.0)),
        exactly("s2.3", "k = 1.6, steps of 1 s: implicit stable for, s", 60.0, stiff.stable()),
    ]
}

/// With damping and limiter it is the flag of springs; without the limiter it overstretches; without damping it whips.
pub fn flag() -> Vec<Row> {
    let flag = run("thesis-s2-flag", &[], 60.0);
    let (springs, loose) =
        (run("thesis-5-flag", &[], 60.0), run("thesis-s2-flag", &["components.limiter=false"], 60.0));
    let undamped = run("thesis-s2-flag", &["cloth.raw.damping=0.0"], 60.0);
    let fastest = |run: &super::course::Run| run.highest(super::course::ALL, |m| m.max_speed).1;
    vec![
        exactly("s2.2", "flag: stable for, s", 60.0, flag.stable()),
        near("s2.2", "flag: downwind, beside the springs', m", springs.downwind(), flag.downwind()),
        at_least("s2.2", "flag: speed at the end, m/s", 0.01, flag.at(60.0).max_speed),
        at_most("s2.2", "flag: largest stretch", 0.6, flag.stretch()),
        at_least("s2.2", "flag without the limiter: largest stretch", 2.0 * flag.stretch(), loose.stretch()),
        reported("s2.2", "flag: fastest, m/s", NAN, fastest(&flag)),
        at_least("s2.2", "flag without damping: fastest, m/s", 1.5 * fastest(&flag), fastest(&undamped)),
    ]
}
