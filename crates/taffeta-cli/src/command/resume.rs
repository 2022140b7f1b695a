//! `taffeta resume`.

use super::scene::{Ready, frames};
use super::simulate::{conclude, pool, simulate};
use crate::args::Resume;
use crate::console::Console;
use crate::failure::{BAD_INPUT, Failure};
use crate::{interrupt, words};
use std::path::Path;
use taffeta_files::run::{self, Ended, Manifest, RunError, RunFolder, names};
use taffeta_scene::{MOST_FRAMES, Source};

pub fn resume(console: Console, threads: Option<usize>, args: &Resume) -> Result<(), Failure> {
    let scene_file = args.folder.join(names::SCENE);
    let again = format!("taffeta run {}", words::typed(&scene_file));
    if let Some(set) = args.set.first() {
        let help = format!("a changed scene is a new run: {again} --set {set}");
        return Err(Failure::new(BAD_INPUT, "the scene of a run cannot be changed while resuming", help));
    }
    let folder = RunFolder::open(&args.folder).map_err(|error| not_opened(error, &args.folder))?;
    let text = Manifest::read(folder.path())?.verify(folder.path())?;
    let file = scene_file.display().to_string();
    let source = Source { file, ..Source::text("scene", &text, &args.folder) };
    let pool = pool(threads)?;
    let ready = pool.install(|| Ready::new(&source, &[]))?;
    let planned = args.duration.map(|seconds| frames(seconds, ready.world.fps));
    if let Some(many) = planned.filter(|&frames| frames > MOST_FRAMES) {
        let help = format!("at most {MOST_FRAMES} can be written: make --duration smaller");
        return Err(Failure::new(BAD_INPUT, format!("this duration has {many} frames"), help));
    }
    ready.show_warnings(console);

    interrupt::listen("this frame", console.quiet());
    let warnings = ready.warnings();
    let ran = simulate(console, &pool, &ready, &warnings, |simulator, settings, hooks| {
        run::resume(folder, planned, simulator, settings, hooks)
    })?;
    if ran.outcome.ended == Ended::Finished && ran.outcome.simulated == 0 {
        console.note("all frames were there already; --duration SECONDS would add more");
    }
    conclude(console, &ready, &ran, &again, (!args.no_still).then_some(&pool))
}

/// A run is often called by its name alone.
fn not_opened(error: RunError, folder: &Path) -> Failure {
    let failure = Failure::from(error);
    let guess = Path::new("runs").join(folder);
    if folder.exists() || !guess.join(names::MANIFEST).is_file() {
        return failure;
    }
    Failure { help: format!("did you mean {}?", words::typed(&guess)), ..failure }
}
