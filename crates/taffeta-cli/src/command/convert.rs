//! `taffeta convert`: a run to files that other programs open, or a mesh from one format to another.

use crate::args::Convert;
use crate::console::Console;
use crate::failure::{BAD_INPUT, Failure};
use crate::progress::Progress;
use crate::{interrupt, words};
use serde_json::json;
use std::num::NonZeroU64;
use std::ops::ControlFlow;
use taffeta::Body;
use taffeta_files::ConvertError;
use taffeta_files::export::{self, Format, Options, Pick};
use taffeta_files::mesh::{ReadOptions, Up};
use taffeta_files::run::RunView;
use taffeta_scene::{Source, load};

pub fn convert(console: Console, args: &Convert) -> Result<(), Failure> {
    if args.input.is_file() { convert_mesh(console, args) } else { convert_run(console, args) }
}

fn convert_run(console: Console, args: &Convert) -> Result<(), Failure> {
    let run = RunView::open(&args.input)?;
    let wanted = args.to.or_else(|| args.out.as_deref().and_then(Format::of));
    let format = wanted.ok_or_else(|| {
        let names = Format::ALL.map(|format| format.name()).join(", ");
        Failure::new(BAD_INPUT, "no format was given", format!("add --to with one of {names}"))
    })?;
    let every = args.every.and_then(NonZeroU64::new);
    let frames = if args.last { Pick::Last } else { Pick::new(args.frames, every) };
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
    // a run without a report is as far as its frames go
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
    Ok(scene.setup.bodies)
}

fn convert_mesh(console: Console, args: &Convert) -> Result<(), Failure> {
    let out = match (&args.out, args.to) {
        (Some(out), _) => out.clone(),
        (None, Some(format)) => args.input.with_extension(format.ending()),
        (None, None) => {
            return Err(Failure::new(BAD_INPUT, "no format was given", "add --to obj, ply, glb or usd, or --out FILE"));
        }
    };
    let up = if args.z_up { Up::Z } else { Up::Y };
    let options = ReadOptions { unit: args.unit, up, weld: args.weld, ..ReadOptions::default() };
    let converted = taffeta_files::convert(&args.input, &out, &options, args.force)?;
    converted.notes.iter().for_each(|note| console.note(&note.to_string()));
    console.say(&format!("mesh: {}", words::typed(&converted.path)))?;
    let (vertices, triangles) = (converted.vertices as u64, converted.triangles as u64);
    console.say(&format!("{vertices} vertices, {}", words::count(triangles, "triangle")))?;
    console.json(&json!({
        "path": converted.path.display().to_string(),
        "vertices": vertices,
        "triangles": triangles,
        "parts": converted.parts,
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
