//! `taffeta run`.

use super::again::Again;
use super::scene::Ready;
use super::simulate::{conclude, pool, simulate};
use crate::args::Run;
use crate::console::Console;
use crate::failure::Failure;
use crate::{interrupt, words};
use std::path::{Path, PathBuf};
use taffeta_files::run::{self, Kind, Plan, RunFolder, Target};
use taffeta_scene::Source;

pub fn run(console: Console, threads: Option<usize>, args: &Run) -> Result<(), Failure> {
    let source = Source::find(&args.scene.scene)?;
    let pool = pool(threads)?;
    let ready = pool.install(|| Ready::new(&source, &overrides(args)))?;
    let attachments = ready.attachments();
    ready.show_warnings(console);
    pool.install(|| ready.fits())?;

    // nothing is written so far: from here on the result grows
    interrupt::listen("this frame", console.quiet());
    let target = match &args.out {
        Some(folder) => Target::Exactly(folder.clone()),
        None => Target::Named { parent: PathBuf::from("runs"), name: ready.scene.name.clone() },
    };
    let folder = RunFolder::create(&target, args.force)?;
    let frames = ready.frames();
    console.remark(&format!(
        "{}: {} vertices, {} of {}, into {}",
        ready.scene.title,
        ready.world.mass.len(),
        words::count(frames, "frame"),
        plan_of_steps(&ready),
        folder.path().display(),
    ));
    let scene = ready.scene.saved_text();
    let plan = Plan { scene: &scene, attachments: &attachments, frames, kind: Kind::Motion };
    let warnings = ready.warnings();
    let mut ran = simulate(console, &pool, &ready, &warnings, |simulation, settings, hooks| {
        run::start(folder, &plan, simulation, settings, hooks)
    })?;
    conclude(console, &ready, &mut ran, &again(args), &pool, !args.no_still)
}

/// Steps per frame; only the minimum is known if steps may be halved.
fn plan_of_steps(ready: &Ready) -> String {
    let steps = words::count(ready.world.steps_per_frame.into(), "step");
    if ready.world.adaptive.is_some() { format!("{steps} or more") } else { steps }
}

fn again(args: &Run) -> Again {
    let mut set = args.scene.set.clone();
    set.extend(args.duration.map(|seconds| format!("time.duration={seconds:?}")));
    Again::new(format!("taffeta run {}", words::typed(Path::new(&args.scene.scene))), set)
}

/// All changes to the scene. Options are overrides too, so that the scene in the run's folder is the one that was run,
/// and `resume` uses it.
fn overrides(args: &Run) -> Vec<String> {
    let mut overrides = args.scene.set.clone();
    overrides.extend(args.duration.map(|seconds| format!("time.duration={seconds:?}")));
    if !args.export.is_empty() {
        let names: Vec<String> = args.export.iter().map(|format| format!("\"{format}\"")).collect();
        overrides.push(format!("output.formats=[{}]", names.join(", ")));
    }
    overrides.extend(args.frames.map(|range| format!("output.frames=\"{range}\"")));
    overrides.extend(args.every.map(|every| format!("output.every={every}")));
    overrides
}
