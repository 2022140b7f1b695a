//! Whether the time of a step depends on the bending stiffness.

use crate::measured::{go, world};
use crate::table::{Cell, Table};
use crate::{Context, Experiment, Outcome};
use taffeta_render::plot::{Axis, Plot, Series, Style};

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "stiffness",
    about: "time and iterations over the bending stiffness, which is changed by a factor of 10^4",
    takes: "3 min",
    quick: Some("1 s"),
    parts: None,
    has_part: |_| false,
    run,
};

/// Bending stiffness from 1e-7 to 1e-3 N m: from thin silk's to more than that of denim.
fn stiffnesses(quick: bool) -> Vec<f64> {
    let all = (0..=8).map(|i| 1e-7 * 10f64.powf(0.5 * f64::from(i)));
    all.step_by(if quick { 4 } else { 1 }).collect()
}

/// What is simulated: a name, a built-in scene, and what is changed in it. Only contact needs many iterations: without
/// it a factor of the matrix is the preconditioner.
const ROWS: [(&str, &str, &[&str]); 4] = [
    ("two points, backward-euler", "two-points", &[]),
    ("two points, bdf2", "two-points", &["method={ name = \"bdf2\" }"]),
    (
        "two points, filtered-euler",
        "two-points",
        &["method={ name = \"filtered-euler\" }", "time.step=auto", "contact.cloth=false"],
    ),
    ("cylinder, backward-euler", "cylinder", &[]),
];

fn run(context: &Context) -> Outcome {
    let columns = [
        ("scene and method", ""),
        ("bending stiffness", "N m"),
        ("steps", ""),
        ("rejected", ""),
        ("CG iterations a step", ""),
        ("CPU time a step", "ms"),
        ("beside 1e-5 N m", ""),
    ];
    let cells = if context.quick { 14 } else { 40 };
    let frames = if context.quick { 15 } else { 75 };
    let title = format!("{0} x {0} vertices, {frames} frames of 1/30 s, one thread", cells + 1);
    let mut table = Table::new("stiffness", &title, &columns);
    let (mut times, mut iterations) = (Vec::new(), Vec::new());
    for (name, scene, set) in ROWS {
        let mut taken = Vec::new();
        for bend in stiffnesses(context.quick) {
            context.say(&format!("{name}: {bend:.1e} N m"));
            let mut overrides: Vec<String> = set.iter().map(|set| set.to_string()).collect();
            overrides.push(format!("cloth.grid.cells=[{cells},{cells}]"));
            overrides.push(format!("cloth.fabric.bend={bend:e}"));
            let world = world(scene, &overrides);
            taken.push((bend, go(&world, &mut world.start(), 1, |state, _| state.frame < frames)));
        }
        let middle = taken[taken.len() / 2].1.ms_a_step();
        for (bend, taken) in &taken {
            let ratio = taken.ms_a_step() / middle;
            table.push(vec![
                Cell::text(name),
                Cell::power(*bend, 1),
                Cell::count(taken.steps.into()),
                Cell::count(taken.rejected.into()),
                Cell::fixed(taken.each(taken.iterations as f64), 2),
                Cell::fixed(taken.ms_a_step(), 2),
                Cell::fixed(ratio, 2),
            ]);
        }
        let points = |f: fn(&crate::measured::Taken) -> f64| taken.iter().map(|(bend, t)| [*bend, f(t)]).collect();
        times.push(Series::new(name, points(|t| t.ms_a_step()), Style::LineDots));
        // a method without iterations has no place in their plot
        if taken.iter().any(|(_, taken)| taken.iterations > 0) {
            let each = points(|t| t.each(t.iterations as f64));
            iterations.push(Series::new(name, each, Style::LineDots));
        }
    }
    let axis = || Axis::log("bending stiffness, N m");
    let plot = |name: &str, title: &str, label: &str, series| Plot {
        name: name.into(),
        title: title.into(),
        x: axis(),
        y: Axis::log(label),
        series,
    };
    Outcome {
        tables: vec![table],
        plots: vec![
            plot("time", "CPU time a step over the bending stiffness", "CPU ms a step", times),
            plot("iterations", "Conjugate gradient iterations a step", "iterations a step", iterations),
        ],
        notes: vec![
            "An implicit step should cost about the same for a soft fabric and for a stiff one. `two-points` is a \
             sheet that hangs from two corners: a factor of the matrix preconditions the conjugate gradient, and one \
             iteration is enough. `cylinder` is a sheet that falls on a body: each step is solved again until stick, \
             slip and release agree with the forces, and these solutions have many iterations. `filtered-euler` has \
             none, and chooses its steps, shorter ones, from the stiffness against stretch."
                .into(),
            "Times are CPU times of one thread. Other programs on the machine make them longer.".into(),
        ],
    }
}
