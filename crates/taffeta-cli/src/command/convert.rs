//! `taffeta convert`: converts a run for other programs, or a mesh, still or moving, to another format.

use crate::args::Convert;
use crate::console::Console;
use crate::failure::{BAD_INPUT, Failure};
use crate::progress::Progress;
use crate::{interrupt, words};
use serde_json::json;
use std::num::NonZeroU64;
use std::ops::ControlFlow;
use std::path::Path;
use taffeta::Body;
use taffeta_files::export::{self, Format, Options, Pick};
use taffeta_files::mesh::{ReadOptions, Up};
use taffeta_files::run::RunView;
use taffeta_files::{Conversion, ConvertError, ConvertOptions, Holds};
use taffeta_scene::{Source, load};

pub fn convert(console: Console, args: &Convert) -> Result<(), Failure> {
    if is_run(&args.input) { convert_run(console, args) } else { convert_mesh(console, args) }
}

/// Whether a folder is a run: it is unless it holds a sequence and no file of a run.
fn is_run(input: &Path) -> bool {
    let file = input.is_file() || (!input.exists() && input.extension().is_some());
    if file || input.to_string_lossy().contains('#') {
        return false;
    }
    let of_a_run = ["positions.bin", "report.json", "scene.toml"].iter().any(|name| input.join(name).exists());
    let has_mesh = || {
        let entries = std::fs::read_dir(input).into_iter().flatten().flatten();
        let of_a_sequence = |format: Format| format.holds() == Holds::Mesh;
        entries.into_iter().any(|entry| Format::reading(&entry.path()).is_some_and(of_a_sequence))
    };
    of_a_run || !has_mesh()
}

/// Refuses options that would have no effect.
fn refuse(wrong: &[(&str, bool)], error: &str, help: &str) -> Result<(), Failure> {
    match wrong.iter().find(|(_, given)| *given) {
        Some((option, _)) => Err(Failure::new(BAD_INPUT, format!("{option} {error}"), help.replace("{}", option))),
        None => Ok(()),
    }
}

/// The requested format, by name or by the ending of the output.
fn format(args: &Convert) -> Result<Format, Failure> {
    let wanted = args.to.or_else(|| args.out.as_deref().and_then(Format::of));
    wanted.ok_or_else(|| {
        let names = Format::ALL.map(|format| format.name()).join(", ");
        Failure::new(BAD_INPUT, "no format was given", format!("add --to with one of {names}"))
    })
}

/// The requested frames.
fn pick(args: &Convert) -> Pick {
    let every = args.every.and_then(NonZeroU64::new);
    if args.last { Pick::Last } else { Pick::new(args.frames, every) }
}

fn convert_run(console: Console, args: &Convert) -> Result<(), Failure> {
    let run = RunView::open(&args.input)?;
    let format = format(args)?;
    let wrong = [
        ("--unit", args.unit.is_some()),
        ("--z-up", args.z_up),
        ("--weld", args.weld.is_some()),
        ("--fps", args.fps.is_some()),
        ("--max-frames", args.max_frames.is_some()),
        ("--topology", args.topology.is_some()),
        ("--animation", args.animation.is_some()),
    ];
    let help = "leave {} out; an export of the run can be converted once more with it";
    refuse(&wrong, "is for files: a run is in metres with y up, and has its own frames", help)?;
    let frames = pick(args);
    let bodies = if args.bodies { bodies(&run)? } else { Vec::new() };
    let options = Options { frames, bodies, ..Options::default() };
    interrupt::listen("this frame", console.quiet());
    let mut progress = Progress::late(console);
    let mut observe = |done, total| {
        progress.update(done, total);
        if interrupt::asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let exported = export::export_with(&run, format, args.out.as_deref(), args.force, &options, &mut observe);
    progress.end();
    let exported = exported?;
    if !format.has_bodies() && args.bodies {
        console.note(&format!("{format} has the cloth alone: bodies are not part of it"));
    }
    // a run without a report ends with its last frame
    let planned = run.report().map_or(0, |report| report.frames_planned);
    if exported.of <= planned {
        console.note(&format!("the run has {} of {planned} frames so far", exported.of - 1));
    }
    console.say(&format!("export: {}", words::typed(&exported.path)))?;
    let of = if exported.frames == exported.of { String::new() } else { format!(" of {}", exported.of) };
    let start = if frames == Pick::All { ", the start included" } else { "" };
    console.say(&format!("{}{of}{start}", words::count(exported.frames, "frame")))?;
    console.json(&json!({
        "folder": args.input.display().to_string(),
        "path": exported.path.display().to_string(),
        "format": format.name(),
        "frames": exported.frames,
    }))
}

/// The bodies of the scene in the run's folder.
fn bodies(run: &RunView) -> Result<Vec<Body>, Failure> {
    let text = run.scene()?;
    let scene = load(&Source::text(&run.name(), &text, run.path()), &[])?;
    Ok(scene.moved_bodies()?)
}

fn convert_mesh(console: Console, args: &Convert) -> Result<(), Failure> {
    let format = format(args)?;
    let help = "leave {} out, or give the folder of a run";
    refuse(&[("--bodies", args.bodies)], "is for runs: a file has no scene", help)?;
    let up = if args.z_up { Up::Z } else { Up::Y };
    let read = ReadOptions {
        unit: args.unit.unwrap_or(1.0),
        up,
        weld: args.weld,
        animation: args.animation.clone(),
        ..ReadOptions::default()
    };
    let options = ConvertOptions {
        read,
        fps: args.fps,
        topology: args.topology.clone(),
        frames: pick(args),
        most_frames: args.max_frames,
        force: args.force,
    };
    let conversion = Conversion::plan(&args.input, format, args.out.as_deref(), &options)?;
    if conversion.frames() > 1 {
        let (frames, size) = (words::count(conversion.frames(), "frame"), words::bytes(conversion.bytes));
        console.remark(&format!("{frames}, about {size}, into {}", words::typed(conversion.path())));
    }
    interrupt::listen("this frame", console.quiet());
    let mut progress = Progress::late(console);
    let mut observe = |done, total| {
        progress.update(done, total);
        if interrupt::asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let converted = conversion.write(&mut observe);
    progress.end();
    let converted = converted?;
    converted.notes.iter().for_each(|note| console.note(&note.to_string()));
    if converted.of == 1 && args.fps.is_some() {
        console.note("the mesh does not move: there is one frame");
    }
    console.say(&format!("mesh: {}", words::typed(&converted.path)))?;
    let (vertices, triangles) = (converted.vertices as u64, converted.triangles as u64);
    let frames = match (converted.frames, converted.of) {
        (1, 1) => String::new(),
        (frames, of) if frames == of => format!(", {}", words::count(frames, "frame")),
        (frames, of) => format!(", {} of {of}", words::count(frames, "frame")),
    };
    console.say(&format!("{vertices} vertices, {}{frames}", words::count(triangles, "triangle")))?;
    console.json(&json!({
        "path": converted.path.display().to_string(),
        "format": format.name(),
        "vertices": vertices,
        "triangles": triangles,
        "parts": converted.parts,
        "frames": converted.frames,
    }))
}

impl From<ConvertError> for Failure {
    fn from(error: ConvertError) -> Self {
        match error {
            ConvertError::Write(error) => error.into(),
            error => Self::new(BAD_INPUT, error.to_string(), error.help()),
        }
    }
}
