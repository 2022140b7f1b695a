//! Export of a file for each frame.

use super::{ExportError, Frames, write_new};
use crate::Surface;
use crate::disk::Naming;
use crate::format::FrameWriter;
use std::fs;
use std::path::Path;

/// Writes files into a folder.
pub(super) fn write(
    folder: &Path,
    name: &str,
    ending: &str,
    writer: fn(&Surface) -> FrameWriter,
    frames: &mut Frames,
) -> Result<(), ExportError> {
    fs::create_dir_all(folder).naming("create", folder)?;
    // all numbers have the same length, so that the names sort like the frames
    let digits = frames.numbers().last().map_or(0, |last| last.to_string().len()).max(4);
    let path = |number: u64| folder.join(format!("{name}.{number:0digits$}.{ending}"));
    let write = writer(frames.surface());
    frames.for_each(|frame| write_new(&path(frame.number), |out| write(out, frame.x)))
}

/// Writes one frame to a file.
pub(super) fn write_one(
    path: &Path,
    writer: fn(&Surface) -> FrameWriter,
    frames: &mut Frames,
) -> Result<(), ExportError> {
    let write = writer(frames.surface());
    frames.for_each(|frame| write_new(path, |out| write(out, frame.x)))
}
