//! Section 8.10: the sheet with two fixed particles of Baraff & Witkin 1998, Sec. 7.

use super::scene::{Run, grid};
use crate::comparison::{Judge, Row};
use taffeta::*;

/// Steps, iterations and processor time of 75 frames at 30 Hz, 51 × 51 vertices.
fn hung(bend: f64) -> (u32, u64, f64) {
    let mut cloth =
        grid([1.0, 1.0], [50, 50], Pattern::Alternating, Fabric { bend: [bend, bend], ..Fabric::default() });
    cloth.place.rotate.x = 90.0;
    cloth.pins = vec![Pin::fixed(Select::Corners(vec![Corner::LeftTop, Corner::RightTop]))];
    let mut setup = Setup::with_cloth(cloth);
    setup.time = Time { fps: 30.0, step: StepSize::AtMost(0.02), ..Time::default() };
    let mut run = Run::new(setup);
    let begun = std::time::Instant::now();
    let (mut steps, mut iterations) = (0, 0);
    for _ in 0..75 {
        let report = run.frame();
        steps += report.steps;
        iterations += report.iterations;
    }
    (steps, iterations, begun.elapsed().as_secs_f64())
}

pub fn rows() -> Vec<Row> {
    let (steps, iterations, seconds) = hung(1e-5);
    let mut rows = vec![
        Row::new("8.10", "steps a frame of 1/30 s, longest step 1/60 s", 2.0, f64::from(steps) / 75.0, Judge::Reported),
        Row::new("8.10", "iterations a step", 0.0, iterations as f64 / f64::from(steps), Judge::Reported),
        Row::new("8.10", "s a frame", 0.0, seconds / 75.0, Judge::Reported),
    ];
    for (name, factor) in [("ten times", 10.0), ("a tenth of", 0.1)] {
        let (_, others, time) = hung(1e-5 * factor);
        let share = others as f64 / iterations as f64;
        rows.push(Row::new("8.10", format!("products, {name} the bending stiffness"), 1.0, share, Judge::Within(0.3)));
        rows.push(Row::new(
            "8.10",
            format!("time, {name} the bending stiffness"),
            1.0,
            time / seconds,
            Judge::Reported,
        ));
    }
    rows
}
