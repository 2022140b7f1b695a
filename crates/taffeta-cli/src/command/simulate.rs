//! The common part of `run` and `resume`: the loop in a thread pool, and its conclusion.

use super::again::Again;
use super::scene::Ready;
use super::{figures, render, stretch, way_out};
use crate::console::Console;
use crate::failure::{BAD_INPUT, FAILED, Failure, INTERRUPTED};
use crate::interrupt;
use crate::progress::Progress;
use crate::words;
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde_json::{Map, Value, json};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use taffeta::{Halt, Simulation, Warning};
use taffeta_files::export::{self, ExportError, Format, Options, Pick};
use taffeta_files::run::{self, Ended, Hooks, Outcome, RunError, RunView, Settings};

/// The threads of a run; the default is `RAYON_NUM_THREADS`, or all cores.
pub fn pool(threads: Option<usize>) -> Result<ThreadPool, Failure> {
    let built = ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build();
    built.map_err(|error| {
        let count = threads.map_or(String::new(), |threads| format!("{threads} "));
        Failure::new(BAD_INPUT, format!("cannot start {count}threads: {error}"), "give fewer with --threads")
    })
}

/// A run that has ended.
pub struct Ran {
    pub outcome: Outcome,
    /// Kinetic energy of its last frame, if known, J.
    pub kinetic: Option<f64>,
    /// Whether `taffeta resume` can continue it.
    pub resumable: bool,
}

/// Calls `go` with everything that a run needs. Steps inside a pool do not allocate.
pub fn simulate(
    console: Console,
    pool: &ThreadPool,
    ready: &Ready,
    warnings: &[Warning],
    go: impl FnOnce(&mut Simulation, &Settings, &mut Hooks) -> Result<Outcome, RunError> + Send,
) -> Result<Ran, Failure> {
    let progress = Mutex::new(Progress::new(console));
    let shown = || progress.lock().unwrap_or_else(PoisonError::into_inner);
    let mut kinetic = None;
    let mut observe = |now: &run::Progress| {
        shown().update(now.frame, now.total);
        kinetic = now.measures.map(|measures| measures.kinetic).or(kinetic);
    };
    let mut within = |now: &run::Within| shown().within(now);
    let settings = Settings { threads: pool.current_num_threads(), warnings };
    let outcome = pool.install(|| {
        let mut hooks = Hooks { stop: &interrupt::asked, observe: &mut observe, within: &mut within };
        let mut simulation = run::timed(ready.world.clone(), Halt::when(interrupt::overdue));
        go(&mut simulation, &settings, &mut hooks)
    });
    shown().end();
    Ok(Ran { outcome: outcome?, kinetic, resumable: true })
}

/// Exports what was asked for, reports the paths and the quality, and renders a still if asked. `again` is the command
/// that would run the same scene once more.
pub fn conclude(
    console: Console,
    ready: &Ready,
    ran: &mut Ran,
    again: &Again,
    pool: &ThreadPool,
    still: bool,
) -> Result<(), Failure> {
    // cloth that has diverged has other causes
    let said = if matches!(ran.outcome.ended, Ended::Failed(_)) && ran.resumable {
        None
    } else {
        stretch::warning(&ran.outcome.report, ready, again, !ran.resumable)
    };
    let warns = said.is_some();
    ran.outcome.report.warnings.extend(said);
    let ran = &*ran;
    let outcome = &ran.outcome;
    let (folder, report) = (&outcome.folder, &outcome.report);
    if warns && let Err(error) = report.write(folder) {
        console.warning(&error.to_string());
    }
    let mut object = figures::json(ran);
    let mut exports = Vec::new();
    if outcome.ended == Ended::Finished {
        for &format in &ready.scene.output.formats {
            match export(console, folder, format, ready.scene.output.frames, outcome.simulated > 0) {
                Ok(path) => exports.extend(path),
                Err(error) => return Err(not_exported(error, folder, format, object)),
            }
        }
    }
    object.insert("exports".into(), json!(exports));

    let end = match outcome.ended {
        Ended::Finished => String::new(),
        _ => format!(" ({}, {} of {} frames)", report.status, report.frames, report.frames_planned),
    };
    exports.iter().try_for_each(|path| console.say(&format!("export: {path}")))?;
    console.say(&format!("result: {}{end}", words::typed(folder)))?;
    console.say(&figures::line(ran))?;
    figures::went_over(report).map_or(Ok(()), |line| console.say(&line))?;
    figures::barrier(report).map_or(Ok(()), |line| console.say(&line))?;
    figures::gave_way(report).map_or(Ok(()), |line| console.say(&line))?;
    figures::time(report).map_or(Ok(()), |line| console.say(&line))?;
    let told = [run::LIMIT, run::DEPTH, run::CROSSINGS, stretch::STRETCH];
    for warning in report.warnings.iter().filter(|warning| told.contains(&warning.path.as_str())) {
        console.warning(&warning.message);
    }

    match &outcome.ended {
        Ended::Finished => {
            let path = still.then(|| picture(console, pool, ran)).flatten();
            object.insert("still".into(), json!(path.map(|path| path.display().to_string())));
            console.json(&Value::Object(object))
        }
        Ended::Interrupted => {
            let kept = format!("what was reached is kept in {}", folder.display());
            let begin = format!("begin again with `{}`", again.with(&[]));
            let (error, help) = match ran.resumable {
                true => (
                    format!("{} of {} frames are done", report.frames, report.frames_planned),
                    format!("go on with `taffeta resume {}`", words::typed(folder)),
                ),
                false if report.frames > 0 => (
                    format!("the search for an equilibrium was stopped; {kept}"),
                    format!("{begin}; a larger --residual is reached sooner"),
                ),
                false => ("the search for an equilibrium had not begun".into(), begin),
            };
            Err(Failure { object, ..Failure::new(INTERRUPTED, error, help) })
        }
        Ended::Failed(failure) => {
            let kept = format!("{} of {} frames", report.frames, report.frames_planned);
            let error = format!("{failure}; the result so far, {kept}, is kept in {}", folder.display());
            // an equilibrium is not a motion that could be tried
            let help = match ran.resumable {
                true => way_out::tried(console, failure, ready, again, pool),
                false => way_out::untried(failure, ready, again),
            };
            Err(Failure { object, ..Failure::new(FAILED, error, help) })
        }
    }
}

/// The path of the still of a run.
pub fn still_place(folder: &Path) -> PathBuf {
    folder.join("still.png")
}

/// Renders a still of a finished run. The run has been reported already: a failed picture is not a failure of the run.
fn picture(console: Console, pool: &ThreadPool, ran: &Ran) -> Option<PathBuf> {
    let path = still_place(&ran.outcome.folder);
    if ran.outcome.simulated == 0 && path.exists() {
        return Some(path); // as new as the run
    }
    match pool.install(|| render::still(&ran.outcome.folder, &path)) {
        Ok(()) => console.remark(&format!("picture: {}", words::typed(&path))),
        Err(failure) => {
            console.warning(&format!("no still picture: {}", failure.error));
            return None;
        }
    }
    Some(path)
}

/// Exports a finished run into its folder; `None` if the export exists and is up to date.
fn export(
    console: Console,
    folder: &Path,
    format: Format,
    frames: Pick,
    changed: bool,
) -> Result<Option<String>, ExportError> {
    let view = RunView::open(folder)?;
    let mut progress = Progress::late(console);
    let mut observe = |done, total| {
        progress.update(done, total);
        if interrupt::asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    // an export that was made from fewer frames is out of date
    let options = Options { frames, ..Options::default() };
    let exported = export::export_with(&view, format, None, changed, &options, &mut observe);
    progress.end();
    match exported {
        Ok(exported) => Ok(Some(exported.path.display().to_string())),
        Err(ExportError::Exists { .. }) if !changed => Ok(None),
        Err(error) => Err(error),
    }
}

fn not_exported(error: ExportError, folder: &Path, format: Format, object: Map<String, Value>) -> Failure {
    let (message, way_out) = (error.to_string(), error.help());
    let failure = Failure::from(error);
    let help = format!("{way_out}: taffeta convert {} --to {format}", words::typed(folder));
    // the input was good and the run itself is done
    let status = if failure.status == BAD_INPUT { FAILED } else { failure.status };
    let error = format!("the run is finished in {}, but not exported: {message}", folder.display());
    Failure { object, ..Failure::new(status, error, help) }
}
