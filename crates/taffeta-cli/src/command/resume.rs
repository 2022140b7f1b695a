//! `taffeta resume`.

use super::again::Again;
use super::scene::{Ready, frames};
use super::simulate::{conclude, pool, simulate, still_place};
use crate::args::Resume;
use crate::console::Console;
use crate::failure::{BAD_INPUT, Failure};
use crate::{interrupt, words};
use std::path::Path;
use taffeta_files::InTheWay;
use taffeta_files::export;
use taffeta_files::run::{self, Ended, Manifest, RunError, RunFolder, RunView, names};
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
    refuse_links(&ready, args)?;
    ready.show_warnings(console);
    pool.install(|| ready.fits())?;

    interrupt::listen("this frame", console.quiet());
    let warnings = ready.warnings();
    let mut ran = simulate(console, &pool, &ready, &warnings, |simulation, settings, hooks| {
        run::resume(folder, planned, simulation, settings, hooks)
    })?;
    if ran.outcome.ended == Ended::Finished && ran.outcome.simulated == 0 {
        console.note("all frames were there already; --duration SECONDS would add more");
    }
    conclude(console, &ready, &mut ran, &Again::new(again, Vec::new()), &pool, !args.no_still)
}

/// Refuses links in the place of an export or the still before simulating: the folder may come from others.
fn refuse_links(ready: &Ready, args: &Resume) -> Result<(), Failure> {
    let run = RunView::open(&args.folder)?;
    let exports = ready.scene.output.formats.iter().map(|&format| export::usual_place(&run, format));
    let still = (!args.no_still).then(|| still_place(&args.folder));
    match exports.chain(still).find(|path| path.is_symlink()) {
        Some(path) => Err(RunError::InTheWay { path, what: InTheWay::Link }.into()),
        None => Ok(()),
    }
}

/// The failure if a run cannot be opened. Users often give only its name.
fn not_opened(error: RunError, folder: &Path) -> Failure {
    let failure = Failure::from(error);
    let guess = Path::new("runs").join(folder);
    if folder.exists() || !guess.join(names::MANIFEST).is_file() {
        return failure;
    }
    Failure { help: format!("did you mean {}?", words::typed(&guess)), ..failure }
}
