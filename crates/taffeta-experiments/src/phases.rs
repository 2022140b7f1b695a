//! Where the time of a step goes, beside Baraff & Witkin 1998, Table 1, and what contact costs.

use crate::measured::{Taken, go, power_law, world};
use crate::table::{Cell, Table};
use crate::{Context, Experiment, Outcome};
use taffeta::Times;
use taffeta_render::plot::{Axis, Plot, Series, Style};

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "phases",
    about: "where the time of a step goes, beside the columns of Baraff & Witkin 1998, and what contact costs",
    takes: "5 min",
    quick: Some("2 s"),
    parts: Some("shares, growth, or large for growth up to 40,000 vertices (an hour)"),
    has_part: |part| ["shares", "growth", "large"].contains(&part),
    run,
};

/// When measuring begins, s: cloth lies on the body, and its sides fall.
const BEGIN: f64 = 0.2;
/// Steps that are measured at each size.
const STEPS: u32 = 5;

fn run(context: &Context) -> Outcome {
    let has = |part: &str| context.parts.iter().any(|given| given == part);
    let all = context.parts.is_empty();
    let mut outcome = Outcome {
        notes: vec![
            "EVAL forms the equations, CG solves them, C/C is contact of cloth with cloth, which these scenes do not \
             have, C/S that of cloth with solids. The paper's figures are quoted from memory and not checked against \
             its print: take them for their order of size."
                .into(),
            "Other programs on the machine make times longer: compare the shares, and ratios within one run.".into(),
        ],
        ..Outcome::default()
    };
    if all || has("shares") {
        outcome.tables.push(shares(context));
    }
    if all || has("growth") || has("large") {
        let sizes: &[u32] = match (context.quick, has("large")) {
            (true, _) => &[10, 22],
            (false, false) => &[22, 50, 99],
            (false, true) => &[22, 50, 99, 199],
        };
        let (table, plot) = growth(context, sizes);
        outcome.tables.push(table);
        outcome.plots.push(plot);
    }
    outcome
}

/// The scenes of the paper's figures 1 and 2, beside the shares that it gives for the first.
fn shares(context: &Context) -> Table {
    let (cells, frames) = if context.quick { (22, 25) } else { (50, 75) };
    let columns = [
        ("scene", ""),
        ("steps", ""),
        ("rejected", ""),
        ("time a step", "ms"),
        ("iterations a step", ""),
        ("rounds a step", ""),
        ("EVAL", "%"),
        ("CG", "%"),
        ("C/C", "%"),
        ("C/S", "%"),
        ("limit", "%"),
        ("rest", "%"),
    ];
    let vertices = (cells + 1) * (cells + 1);
    let title = format!("{vertices} vertices, {frames} frames of 1/30 s in steps up to that, one thread");
    let mut table = Table::new("shares", &title, &columns);
    for (name, scene) in [("cloth on a cylinder", "cylinder"), ("sheet with two fixed particles", "two-points")] {
        context.say(&format!("{name}: {vertices} vertices"));
        let world = world(scene, &[format!("cloth.grid.cells=[{cells},{cells}]")]);
        let taken = go(&world, &mut world.start(), 1, |state, _| state.frame < frames);
        let Times { forces, solve, contact, limit, rest } = taken.times;
        let share = |time: f64| Cell::fixed(taken.share(time), 1);
        table.push(vec![
            Cell::text(name),
            Cell::count(taken.steps.into()),
            Cell::count(taken.rejected.into()),
            Cell::fixed(1e3 * taken.each(taken.times.total()), 1),
            Cell::fixed(taken.each(taken.iterations as f64), 0),
            Cell::fixed(taken.each(f64::from(taken.rounds)), 1),
            share(forces),
            share(solve),
            Cell::empty(),
            share(contact),
            share(limit),
            share(rest),
        ]);
    }
    // the first row of the paper's table; the same with cloth on cloth left out
    let [eval, cg, cloth, solid] = [25.7, 50.4, 18.3, 1.4];
    let rest = 100.0 - eval - cg - cloth - solid;
    let mut paper = |name: &str, cloth: Option<f64>, whole: f64| {
        let [eval, cg, solid, rest] = [eval, cg, solid, rest].map(|share| Cell::fixed(share / whole, 1));
        let cloth = cloth.map_or(Cell::empty(), |share| Cell::fixed(share, 1));
        let none = Cell::empty;
        let shares = [eval, cg, cloth, solid, none(), rest];
        table.push([Cell::text(name), none(), none(), none(), none(), none()].into_iter().chain(shares).collect());
    };
    paper("Baraff & Witkin, cloth on a cylinder", Some(cloth), 1.0);
    paper("the same, of all but C/C", None, 1.0 - cloth / 100.0);
    table
}

/// Contact on bodies with and without sharp edges.
fn growth(context: &Context, sizes: &[u32]) -> (Table, Plot) {
    let columns = [
        ("scene", ""),
        ("vertices", ""),
        ("contacts", ""),
        ("iterations a step", ""),
        ("rounds a step", ""),
        ("time a step", "ms"),
        ("of it contact", "ms"),
        ("contact", "%"),
        ("with two threads", "ms"),
        ("growth of the step", ""),
        ("growth of contact", ""),
    ];
    let title = format!("{STEPS} steps of 1/60 s from t = {BEGIN} s; growth: exponent p of n^p since the row above");
    let mut table = Table::new("growth", &title, &columns);
    let mut series = Vec::new();
    for scene in ["ball", "tablecloth", "rotating-box", "cylinder"] {
        let mut before: Option<(f64, Taken)> = None;
        let mut points = Vec::new();
        for &cells in sizes {
            let size = format!("cloth.grid.cells=[{cells},{cells}]");
            let world = world(scene, &[size, "time.fps=60".into(), "time.step=0.017".into()]);
            let n = world.mass.len();
            context.say(&format!("{scene}: {n} vertices"));
            let mut state = world.start();
            go(&world, &mut state, 2, |state, _| state.time < BEGIN);
            let [one, two] = [1, 2].map(|threads| go(&world, &mut state.clone(), threads, |_, steps| steps < STEPS));
            let ms = |taken: &Taken, time: f64| 1e3 * taken.each(time);
            let exponent = |of: fn(&Times) -> f64| {
                let (last, taken) = before.as_ref()?;
                let p = power_law(&[[*last, of(&taken.times)], [n as f64, of(&one.times)]])[0];
                p.is_finite().then(|| Cell::fixed(p, 2))
            };
            table.push(vec![
                Cell::text(scene),
                Cell::count(n as u64),
                Cell::count(state.contacts.len() as u64),
                Cell::fixed(one.each(one.iterations as f64), 0),
                Cell::fixed(one.each(f64::from(one.rounds)), 1),
                Cell::fixed(ms(&one, one.times.total()), 1),
                Cell::fixed(ms(&one, one.times.contact), 2),
                Cell::fixed(one.share(one.times.contact), 1),
                Cell::fixed(ms(&two, two.times.total()), 1),
                exponent(Times::total).unwrap_or_default(),
                exponent(|times| times.contact).unwrap_or_default(),
            ]);
            points.push([n as f64, ms(&one, one.times.total())]);
            before = Some((n as f64, one));
        }
        series.push(Series::new(scene, points, Style::LineDots));
    }
    let plot = Plot {
        name: "growth".into(),
        title: "Time of a step with contact over the number of vertices, one thread".into(),
        x: Axis::log("vertices"),
        y: Axis::log("ms a step"),
        series,
    };
    (table, plot)
}
