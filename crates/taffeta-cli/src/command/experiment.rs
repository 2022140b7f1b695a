//! `taffeta experiment`: writes a table, its plots and a page with one command.

use super::simulate::pool;
use crate::args::ExperimentArgs;
use crate::console::Console;
use crate::failure::{BAD_INPUT, FAILED, Failure, INTERRUPTED};
use crate::progress::Progress;
use crate::{interrupt, words};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use taffeta_experiments::{Context, EXPERIMENTS, Experiment, Outcome, Table, files, find};
use taffeta_files::whole::{self, Whole};
use taffeta_files::{DiskError, nearest};

/// Interval between checks for Ctrl-C.
const POLL: Duration = Duration::from_millis(50);

/// The names of all experiments.
pub fn names() -> Vec<&'static str> {
    EXPERIMENTS.iter().map(|experiment| experiment.name).collect()
}

pub fn experiment(console: Console, threads: Option<usize>, args: &ExperimentArgs) -> Result<(), Failure> {
    let Some(name) = &args.name else { return list(console) };
    let experiment = find(name).ok_or_else(|| unknown(name))?;
    check_parts(experiment, &args.parts)?;
    if args.quick && experiment.quick.is_none() {
        let error = format!("{name} has no quick part: it takes {} as it is", experiment.takes);
        return Err(Failure::new(BAD_INPUT, error, "leave --quick out"));
    }
    let folder = args.out.clone().unwrap_or_else(|| Path::new("experiments").join(name));
    let place = Place::new(folder, args.force)?;
    let pool = pool(threads)?;
    // it stops at once: there is nothing to finish first
    interrupt::listen("this", true);
    let takes = experiment.quick.filter(|_| args.quick).unwrap_or(experiment.takes);
    console.remark(&format!("{name}: about {takes}, into {}", place.folder.display()));

    let begun = Instant::now();
    let (sender, heard) = channel();
    let (quick, parts) = (args.quick, args.parts.clone());
    let context = move |listener| Context { quick, parts: parts.clone(), listener };
    let asked = context(Box::new(|_: &str| ()));
    let work = std::thread::spawn(move || {
        let context = context(Box::new(move |line: &str| drop(sender.send(line.to_string()))));
        pool.install(|| (experiment.run)(&context))
    });
    let outcome = wait(console, work, &heard, name)?;
    let seconds = begun.elapsed().as_secs_f64();
    let files = files(experiment, &asked, &outcome)
        .map_err(|error| Failure::new(FAILED, format!("cannot make the plots: {error}"), "see that there is memory"))?;
    let folder = place.fill(&files)?;

    let texts: Vec<String> = outcome.tables.iter().map(Table::text).collect();
    console.print(&format!("{}\n", texts.join("\n")))?;
    outcome.notes.iter().try_for_each(|note| console.say(note))?;
    let [judged, failed] = outcome.judged();
    console.say(&format!("result: {}, after {}", words::typed(&folder), words::wait(seconds)))?;
    let object = json!({
        "name": name,
        "folder": folder.display().to_string(),
        "files": files.iter().map(|(name, _)| name).collect::<Vec<_>>(),
        "quick": args.quick,
        "seconds": seconds,
        "judged": judged,
        "failed": failed,
        "notes": outcome.notes,
        "tables": outcome.tables.iter().map(table_json).collect::<Vec<_>>(),
    });
    if failed > 0 {
        let help = format!("see the rows with **no** in {}", words::typed(&folder.join("report.md")));
        let mut failure = Failure::new(FAILED, format!("{failed} of {judged} rows do not hold"), help);
        failure.object = object.as_object().cloned().unwrap_or_default();
        return Err(failure);
    }
    if judged > 0 {
        console.say(&format!("{} judged, all hold", words::count(judged as u64, "row")))?;
    }
    console.json(&object)
}

/// Prints the list of experiments with the time that each takes.
fn list(console: Console) -> Result<(), Failure> {
    let takes = |experiment: &Experiment| match experiment.quick {
        Some(quick) => format!("{} (--quick {quick})", experiment.takes),
        None => experiment.takes.into(),
    };
    let widths = [
        EXPERIMENTS.iter().map(|experiment| experiment.name.len()).max().unwrap_or(0),
        EXPERIMENTS.iter().map(|experiment| takes(experiment).len()).max().unwrap_or(0),
    ];
    let mut text = String::new();
    for experiment in EXPERIMENTS {
        let (name, takes) = (experiment.name, takes(experiment));
        text += &format!("{name:0$}  {takes:1$}  {2}\n", widths[0], widths[1], experiment.about);
    }
    console.print(&text)?;
    let objects: Vec<Value> = EXPERIMENTS
        .iter()
        .map(|experiment| {
            json!({
                "name": experiment.name,
                "description": experiment.about,
                "takes": experiment.takes,
                "quick": experiment.quick,
                "parts": experiment.parts,
            })
        })
        .collect();
    console.json(&json!({ "experiments": objects }))
}

fn unknown(name: &str) -> Failure {
    let help = match nearest(name, names()) {
        Some(near) => format!("did you mean `{near}`? `taffeta experiment` shows all"),
        None => format!("there are {}", names().join(", ")),
    };
    Failure::new(BAD_INPUT, format!("there is no experiment `{name}`"), help)
}

fn check_parts(experiment: &Experiment, parts: &[String]) -> Result<(), Failure> {
    let Some(wrong) = parts.iter().find(|part| !(experiment.has_part)(part)) else { return Ok(()) };
    let error = format!("{} has no part `{wrong}`", experiment.name);
    let help = match experiment.parts {
        Some(parts) => format!("parts are {parts}"),
        None => "leave it out: this experiment is done as a whole".into(),
    };
    Err(Failure::new(BAD_INPUT, error, help))
}

/// Shows the progress until the work is done. Ctrl-C returns at once: nothing is written yet.
fn wait(console: Console, work: JoinHandle<Outcome>, heard: &Receiver<String>, name: &str) -> Result<Outcome, Failure> {
    let mut progress = Progress::new(console);
    // the last line not shown yet: lines that come fast are delayed
    let mut latest: Option<String> = None;
    loop {
        match heard.recv_timeout(POLL) {
            Ok(line) => latest = Some(line),
            Err(RecvTimeoutError::Timeout) => (),
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if latest.is_some() {
            progress.say(|| latest.take().unwrap_or_default());
        }
        if interrupt::asked() {
            progress.end();
            let help = format!("begin again: taffeta experiment {name}");
            return Err(Failure::new(INTERRUPTED, "the experiment was interrupted, nothing was written", help));
        }
    }
    progress.end();
    work.join().map_err(|panic| std::panic::resume_unwind(panic))
}

/// The output folder.
struct Place {
    folder: PathBuf,
    /// A folder that appears when complete; `None` if it exists already: its files are then replaced one by one.
    new: Option<Whole>,
}

impl Place {
    /// Checks before the work that the files can be written.
    fn new(folder: PathBuf, force: bool) -> Result<Self, Failure> {
        let shown = words::typed(&folder);
        let there = folder.exists() || folder.is_symlink();
        if there && !folder.is_dir() {
            return Err(Failure::new(BAD_INPUT, format!("{shown} is no folder"), "give another folder with --out"));
        }
        if there && !force {
            let help = "give another folder with --out, or --force to replace the files of an experiment in it";
            return Err(Failure::new(BAD_INPUT, format!("{shown} exists"), help));
        }
        let new = if there { None } else { Some(Whole::folder(&folder).map_err(disk)?) };
        Ok(Self { folder, new })
    }

    /// Writes the files.
    fn fill(self, files: &[(String, Vec<u8>)]) -> Result<PathBuf, Failure> {
        let into = self.new.as_ref().map_or(self.folder.as_path(), Whole::temporary);
        for (name, contents) in files {
            whole::write(&into.join(name), contents).map_err(disk)?;
        }
        if let Some(new) = self.new {
            new.finish().map_err(disk)?;
        }
        Ok(self.folder)
    }
}

fn disk(error: DiskError) -> Failure {
    match error.is_in_the_way() {
        true => Failure::new(BAD_INPUT, error.to_string(), "remove it, or give another folder with --out"),
        false => Failure::new(FAILED, error.to_string(), "see that the folder may be written, or give --out"),
    }
}

/// The table as JSON: numbers as numbers, everything else as text.
fn table_json(table: &Table) -> Value {
    let columns: Vec<Value> =
        table.columns.iter().map(|column| json!({ "name": column.name, "unit": column.unit })).collect();
    let rows: Vec<Value> = table
        .rows
        .iter()
        .map(|row| {
            let cells: Vec<Value> =
                row.cells.iter().map(|cell| cell.value.map_or(json!(cell.text), |value| json!(value))).collect();
            json!({ "cells": cells, "holds": row.verdict })
        })
        .collect();
    json!({ "name": table.name, "title": table.title, "columns": columns, "rows": rows })
}
