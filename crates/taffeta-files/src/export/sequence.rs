//! A file for each frame.

use super::{ExportError, Format, Frames, write_new};
use crate::disk::Naming;
use crate::obj::ObjWriter;
use crate::ply::PlyWriter;
use std::fs;
use std::path::Path;

/// Writes OBJ or PLY files into a folder.
pub(super) fn write(folder: &Path, name: &str, format: Format, frames: &mut Frames) -> Result<(), ExportError> {
    fs::create_dir_all(folder).naming("create", folder)?;
    // all numbers equally long, so that the names sort as the frames do
    let digits = frames.numbers().last().map_or(0, |last| last.to_string().len()).max(4);
    let path = |number: u64| folder.join(format!("{name}.{number:0digits$}.{format}"));
    if format == Format::Ply {
        let writer = PlyWriter::new(frames.surface());
        return frames.for_each(|frame| write_new(&path(frame.number), |out| writer.write(out, frame.x)));
    }
    let writer = ObjWriter::new(frames.surface());
    frames.for_each(|frame| write_new(&path(frame.number), |out| writer.write(out, frame.x)))
}

/// Writes one frame to a file.
pub(super) fn write_one(path: &Path, format: Format, frames: &mut Frames) -> Result<(), ExportError> {
    if format == Format::Ply {
        let writer = PlyWriter::new(frames.surface());
        return frames.for_each(|frame| write_new(path, |out| writer.write(out, frame.x)));
    }
    let writer = ObjWriter::new(frames.surface());
    frames.for_each(|frame| write_new(path, |out| writer.write(out, frame.x)))
}
