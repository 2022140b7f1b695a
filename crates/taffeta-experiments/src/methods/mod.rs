//! Methods beside each other on one scene: time and quality.
//!
//! A sheet falls from two corners, or on a ball, without any loss. Every method runs on one thread, and its time is CPU
//! time.

mod chosen;
mod growth;
mod plots;
mod quasi_newton;
mod reference;
mod rows;
mod run;
mod scene;

use crate::{Context, Experiment, Outcome};
use chosen::{Chosen, Part};
use reference::Reference;
use rows::{METHODS, Method, WITH_CONTACT};
use run::{Figures, Until};
use scene::{FPS, FRAMES, QUICK_SIDE, Sheet};

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "methods",
    about: "time and quality of the methods, on a sheet that falls from two corners and one that falls on a ball",
    takes: "6 min",
    quick: Some("5 s"),
    parts: Some(chosen::HELP),
    has_part: chosen::is_part,
    run,
};

/// Frames of the sheet that falls on a ball: 1 s.
const CONTACT_FRAMES: u64 = FPS;
/// Frames of the quick part.
const QUICK_FRAMES: u64 = FPS / 2;

fn run(context: &Context) -> Outcome {
    let chosen = Chosen::new(&context.parts);
    let mut outcome = Outcome::default();
    if chosen.has(Part::Fall) || chosen.has(Part::Contact) {
        outcome.notes.push(NOTE.into());
    }
    if chosen.has(Part::Fall) {
        fall(context, &chosen, &mut outcome);
    }
    // the quick part leaves it out: a row of it takes longer than all that fall
    if chosen.has(Part::Contact) && (!context.quick || chosen.names(Part::Contact)) {
        contact(context, &chosen, &mut outcome);
    }
    if chosen.has(Part::Growth) {
        growth::growth(context, &chosen, &mut outcome);
    }
    if chosen.has(Part::Reference) {
        outcome.tables.push(reference::compute_all(context, &chosen));
        outcome.notes.push(reference::NOTE.into());
    }
    outcome
}

const NOTE: &str = "Time is CPU time of one thread. Steps and iterations (of the conjugate gradient, or of L-BFGS) are \
    those of a frame. Longest is the largest elongation of an edge in any frame. Energy is kinetic and gravity energy \
    at 3 s; a fall by half its length sets 0.98 J free. The last columns are heights of the centre of mass, less those \
    of the reference. A row ends after 300 s of CPU time, but not before 0.5 s of the scene.";

/// Sheets that fall from two corners.
fn fall(context: &Context, chosen: &Chosen, outcome: &mut Outcome) {
    let frames = if context.quick { QUICK_FRAMES } else { FRAMES };
    let mut references: Vec<Reference> = Vec::new();
    for sheet in sheets(context, chosen) {
        let Some(reference) = reference::of(sheet) else { continue };
        let rows = chosen.rows(METHODS, sheet.side);
        let title = format!("Falls from two corners: {sheet}");
        let all = figures(context, &title, &rows, frames, |row| sheet.world(row.set));
        let name = format!("fall-{}-{}", sheet.side, sheet.stretch);
        outcome.tables.push(run::table(&name, &title, &all, &reference.heights));
        outcome.plots.push(plots::heights(&name, &title, &all, &reference.heights));
        if !context.quick {
            outcome.plots.push(plots::energies(&name, &title, &all, reference.energy));
        }
        if !references.iter().any(|other| other.sheet == reference.sheet) {
            references.push(reference);
        }
    }
    outcome.tables.push(reference::table("references", "References", &references));
}

/// Sheets that fall on a ball. The first row is what the others are compared with.
fn contact(context: &Context, chosen: &Chosen, outcome: &mut Outcome) {
    let frames = if context.quick { QUICK_FRAMES } else { CONTACT_FRAMES };
    for sheet in sheets(context, chosen) {
        let mut rows = chosen.rows(WITH_CONTACT, sheet.side);
        if rows.iter().all(|row| row.name != WITH_CONTACT[0].name) {
            rows.insert(0, &WITH_CONTACT[0]);
        }
        let all = figures(context, &format!("on a ball, {sheet}"), &rows, frames, |row| sheet.on_ball(row.set));
        let heights = all[0].1.heights.clone();
        let shown: Vec<String> = heights.iter().map(|height| format!("{height:.3}")).collect();
        let title = format!("Falls on a ball: {sheet}, beside the first row, whose heights are {} m", shown.join(", "));
        let name = format!("contact-{}-{}", sheet.side, sheet.stretch);
        outcome.tables.push(run::table(&name, &title, &all, &heights));
        outcome.plots.push(plots::heights(&name, &format!("Falls on a ball: {sheet}"), &all, &heights));
    }
}

fn sheets(context: &Context, chosen: &Chosen) -> Vec<Sheet> {
    chosen.sheets(if context.quick { &[QUICK_SIDE] } else { &[41] })
}

/// Runs methods one after the other.
fn figures(
    context: &Context,
    title: &str,
    rows: &[&'static Method],
    frames: u64,
    world: impl Fn(&Method) -> taffeta::World,
) -> Vec<(&'static str, Figures)> {
    let until = Until { frames, seconds: 300.0 };
    let one = |row: &&'static Method| {
        context.say(&format!("{title}, {}", row.name));
        (row.name, run::run(&world(row), row.own, until))
    };
    rows.iter().map(one).collect()
}
