//! How the time of a frame grows with the number of particles, at the sizes of Baraff & Witkin 1998.

use crate::measured::{go, power_law, world};
use crate::table::{Cell, Table};
use crate::{Context, Experiment, Outcome};
use taffeta_render::plot::{Axis, Plot, Series, Style};

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "scaling",
    about: "time over the number of particles, at the sizes of Baraff & Witkin 1998",
    takes: "2 min",
    quick: Some("1 s"),
    parts: None,
    has_part: |_| false,
    run,
};

/// The paper's numbers of particles, and the grids that come nearest with about square cells: vertices a side.
const SIZES: [(u32, [u32; 2]); 4] = [(500, [22, 23]), (899, [30, 30]), (2_602, [51, 51]), (7_943, [89, 89])];

/// What is simulated: a name, a built-in scene, and what is changed in it.
const ROWS: [(&str, &str, &[&str]); 4] = [
    ("two fixed particles, backward-euler", "two-points", &[]),
    ("two fixed particles, bdf2", "two-points", &["method={ name = \"bdf2\" }"]),
    (
        "two fixed particles, filtered-euler",
        "two-points",
        &["method={ name = \"filtered-euler\" }", "time.step=auto", "contact.cloth=false"],
    ),
    ("on a cylinder, backward-euler", "cylinder", &[]),
];

/// Frames of 1/30 s: the paper's 75, or what shows the growth.
fn frames(quick: bool) -> u64 {
    if quick { 10 } else { 75 }
}

fn run(context: &Context) -> Outcome {
    let columns = [
        ("scene and method", ""),
        ("paper's particles", ""),
        ("particles", ""),
        ("frames", ""),
        ("steps a frame", ""),
        ("CG iterations a step", ""),
        ("CPU time a step", "ms"),
        ("CPU time a frame", "ms"),
        ("exponent since the row above", ""),
    ];
    let title = "CPU time on one thread over the number of particles";
    let mut table = Table::new("scaling", title, &columns);
    let mut fits = Table::new(
        "exponents",
        "Fitted power laws: CPU time a frame = c n^p, least squares of the logarithms",
        &[("scene and method", ""), ("p", ""), ("time of 2,602 particles by the fit", "ms")],
    );
    let mut series = Vec::new();
    // the largest cylinder alone takes longer than all the rest
    let sizes = if context.quick { &SIZES[..3] } else { &SIZES };
    for (name, scene, set) in ROWS.iter().take(if context.quick { 3 } else { 4 }) {
        let mut points: Vec<[f64; 2]> = Vec::new();
        for (paper, [u, v]) in sizes {
            context.say(&format!("{name}: {} particles", u * v));
            let mut overrides: Vec<String> = set.iter().map(|set| set.to_string()).collect();
            overrides.push(format!("cloth.grid.cells=[{},{}]", u - 1, v - 1));
            let world = world(scene, &overrides);
            let last = frames(context.quick);
            let taken = go(&world, &mut world.start(), 1, |state, _| state.frame < last);
            let point = [world.mass.len() as f64, taken.ms_a_frame()];
            let exponent = points.last().map(|before| power_law(&[*before, point])[0]);
            table.push(vec![
                Cell::text(*name),
                Cell::count((*paper).into()),
                Cell::count(world.mass.len() as u64),
                Cell::count(taken.frames),
                Cell::fixed(f64::from(taken.steps) / taken.frames as f64, 2),
                Cell::fixed(taken.each(taken.iterations as f64), 1),
                Cell::fixed(taken.ms_a_step(), 2),
                Cell::fixed(taken.ms_a_frame(), 2),
                exponent.map_or(Cell::empty(), |exponent| Cell::fixed(exponent, 2)),
            ]);
            points.push(point);
        }
        let [p, c] = power_law(&points);
        fits.push(vec![Cell::text(*name), Cell::fixed(p, 2), Cell::fixed(c * 2602f64.powf(p), 1)]);
        series.push(Series::new(format!("{name}: n^{p:.2}"), points, Style::LineDots));
    }
    Outcome {
        tables: vec![table, fits],
        plots: vec![Plot {
            name: "scaling".into(),
            title: "CPU time a frame of 1/30 s over the number of particles, one thread".into(),
            x: Axis::log("particles"),
            y: Axis::log("CPU ms a frame"),
            series,
        }],
        notes: vec![
            "D. Baraff and A. Witkin, Large Steps in Cloth Simulation, SIGGRAPH 1998, simulate 500, 899, 2,602 and \
             7,943 particles, and find the time to grow slightly slower than n^1.5 (as remembered, not checked against \
             the print). They solve by the conjugate gradient alone. Here a factor of the matrix preconditions it, so \
             that there are few iterations, and the factor is what grows. `filtered-euler` has no iterations, and \
             chooses its steps itself."
                .into(),
            "Times are CPU times of one thread. Other programs on the machine make them longer: trust the exponents."
                .into(),
        ],
    }
}
