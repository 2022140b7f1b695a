//! `taffeta convert`.

use crate::args::Convert;
use crate::console::Console;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::{interrupt, words};
use serde_json::json;
use std::ops::ControlFlow;
use taffeta_files::export;
use taffeta_files::run::RunView;

pub fn convert(console: Console, args: &Convert) -> Result<(), Failure> {
    let run = RunView::open(&args.folder)?;
    interrupt::listen("this frame", console.quiet());
    let mut progress = Progress::late(console);
    let mut observe = |done, total| {
        progress.update(done, total);
        if interrupt::asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let exported = export::export(&run, args.to, args.out.as_deref(), args.force, &mut observe);
    progress.end();
    let exported = exported?;
    // a run without a report is as far as its frames go
    let planned = run.report().map_or(0, |report| report.frames_planned);
    if exported.frames <= planned {
        console.note(&format!("the run has {} of {planned} frames so far", exported.frames - 1));
    }
    console.say(&format!("export: {}", words::typed(&exported.path)))?;
    console.say(&format!("{}, the start included", words::count(exported.frames, "frame")))?;
    console.json(&json!({
        "folder": args.folder.display().to_string(),
        "path": exported.path.display().to_string(),
        "format": args.to.name(),
        "frames": exported.frames,
    }))
}
