//! Exports of a run, finished or not. An export is one file or folder, which appears only when it is complete.
//!
//! Frames are read from the cache one at a time, as often as the format needs them. Memory is needed for a few frames
//! only, however many there are.

mod error;
mod frames;
mod pick;
mod points;
mod sequence;
mod size;

pub use crate::format::{Format, Holds, UnknownFormat};
pub use error::ExportError;
pub use frames::Observe;
pub use pick::{BadRange, FrameRange, Moment, Pick};

pub(crate) use frames::{Frames, Source};
pub(crate) use size::estimate;

use crate::cache::CacheReader;
use crate::disk::{DiskFile, InTheWay, Naming};
use crate::format::{BodiesIn, Writer};
use crate::run::{RunView, Status};
use crate::whole::Whole;
use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use taffeta::Body;

/// Options of an export.
#[derive(Clone, Debug)]
pub struct Options {
    /// Which frames are exported.
    pub frames: Pick,
    /// Whether normals of vertices are written, where the format has them. They double the size.
    pub normals: bool,
    /// Whether velocities are written, in USD.
    pub velocities: bool,
    /// Bodies that are included. A NumPy archive has none.
    pub bodies: Vec<Body>,
}

impl Default for Options {
    fn default() -> Self {
        Self { frames: Pick::All, normals: true, velocities: false, bodies: Vec::new() }
    }
}

/// The result of an export.
#[derive(Clone, Debug, PartialEq)]
pub struct Exported {
    /// The file, or the folder of a sequence.
    pub path: PathBuf,
    /// Number of frames in it, including the start.
    pub frames: u64,
    /// Number of frames of the run, including the start.
    pub of: u64,
}

/// Writes all frames that are finished now to `out`, or to the default place in the folder of the run.
///
/// `observe` is called before each frame with the number of frames done and their total, and may stop the export.
pub fn export(
    run: &RunView,
    format: Format,
    out: Option<&Path>,
    force: bool,
    observe: Observe,
) -> Result<Exported, ExportError> {
    export_with(run, format, out, force, &Options::default(), observe)
}

/// As [`export`], with options.
pub fn export_with(
    run: &RunView,
    format: Format,
    out: Option<&Path>,
    force: bool,
    options: &Options,
    observe: Observe,
) -> Result<Exported, ExportError> {
    let name = run.name();
    let path = out.map_or_else(|| usual_place(run, format), Path::to_path_buf);
    let mut cache = run.positions()?;
    let of = whole_frames(run, &mut cache)?;
    let fps = cache.fps();
    let Some(numbers) = options.frames.numbers(of, fps, format.info().most_frames) else {
        return Err(ExportError::NoFrame { folder: run.path().to_path_buf(), pick: options.frames, last: of - 1 });
    };

    let single = numbers.len() == 1 && format.is_file(&path);
    format.check_ending(&path, single)?;
    check_place(&path, format, single, force)?;
    let surface = cache.surface().clone();
    let mut frames = Frames::new(Source::Cache(&mut cache), surface, numbers, observe);
    match format.info().bodies {
        BodiesIn::Vertices => frames.add_bodies(&options.bodies, true)?,
        BodiesIn::Transforms => frames.add_bodies(&options.bodies, false)?,
        BodiesIn::Nothing => {}
    }
    let count = frames.count();
    let stage = Stage { name: &name, fps, options };
    replace_whole(&path, single || !format.is_folder(), |temporary| {
        stage.write(temporary, format, single, &mut frames)
    })?;
    Ok(Exported { path, frames: count, of })
}

/// The default place of an export of a run.
pub fn usual_place(run: &RunView, format: Format) -> PathBuf {
    match format.is_folder() {
        true => run.path().join(format.name()),
        false => run.path().join(format!("{}.{}", run.name(), format.ending())),
    }
}

/// Data for the writers besides the frames.
pub(crate) struct Stage<'a> {
    pub name: &'a str,
    pub fps: f64,
    pub options: &'a Options,
}

impl Stage<'_> {
    /// Writes a file, or a folder; a single frame of a sequence may be a file.
    pub fn write(&self, path: &Path, format: Format, single: bool, frames: &mut Frames) -> Result<(), ExportError> {
        match format.info().writer {
            Writer::File { write, .. } => write(path, self, frames),
            Writer::Sequence(writer) if single => sequence::write_one(path, writer, frames),
            Writer::Sequence(writer) => sequence::write(path, self.name, format.ending(), writer, frames),
            Writer::Caches(cache) => points::write(path, self, format.ending(), cache, frames),
        }
    }
}

/// Writes a file with all frames through a buffer, and syncs it to the disk.
pub(crate) fn in_file(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<DiskFile>) -> Result<(), ExportError>,
) -> Result<(), ExportError> {
    let mut file = BufWriter::with_capacity(1 << 20, DiskFile::create(path)?);
    write(&mut file)?;
    let file = file.into_inner().map_err(|error| error.into_error()).naming("write", path)?;
    Ok(file.sync().naming("write", path)?)
}

/// Writes a file or folder that appears under its name only when it is complete.
pub(crate) fn replace_whole<T, E: From<crate::DiskError>>(
    path: &Path,
    is_file: bool,
    write: impl FnOnce(&Path) -> Result<T, E>,
) -> Result<T, E> {
    let whole = if is_file { Whole::file(path)? } else { Whole::folder(path)? };
    let written = write(whole.temporary())?;
    whole.finish()?;
    Ok(written)
}

/// Refuses an existing output that must not be replaced.
pub(crate) fn check_place(path: &Path, format: Format, single: bool, force: bool) -> Result<(), ExportError> {
    if path.is_symlink() {
        return Err(crate::DiskError::new("replace", path, InTheWay::Link.into()).into());
    }
    if !path.exists() {
        return Ok(());
    }
    if !force {
        return Err(ExportError::Exists { path: path.to_path_buf() });
    }
    let not_replaceable = || ExportError::NotReplaceable { path: path.to_path_buf(), format };
    let folder = format.is_folder() && !single;
    if folder != path.is_dir() {
        return Err(not_replaceable());
    }
    if folder {
        for entry in fs::read_dir(path).naming("open", path)? {
            let entry = entry.naming("read", path)?.path();
            let ending = entry.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
            if !format.folder_endings().any(|known| known == ending) {
                return Err(not_replaceable());
            }
        }
    }
    Ok(())
}

/// Number of frames that can be exported, including the start. A finished run must have them all.
fn whole_frames(run: &RunView, cache: &mut CacheReader) -> Result<u64, ExportError> {
    let folder = run.path().to_path_buf();
    // without a report, use the number of positions
    let frames = match run.report() {
        Ok(report) if report.status == Status::Finished && !run.is_running() => {
            let found = cache.frames()?;
            if found < report.frames + 1 {
                let found = found.saturating_sub(1);
                return Err(ExportError::FramesMissing { folder, found, expected: report.frames });
            }
            found
        }
        _ => cache.sound_frames()?,
    };
    if frames == 0 { Err(ExportError::NoFrames { folder }) } else { Ok(frames) }
}

/// Creates a file, writes it through a buffer and closes it.
fn write_new<T>(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<DiskFile>) -> std::io::Result<T>,
) -> Result<T, ExportError> {
    let mut file = BufWriter::with_capacity(1 << 18, DiskFile::create(path)?);
    Ok(write(&mut file).and_then(|value| file.flush().map(|()| value)).naming("write", path)?)
}

#[cfg(test)]
mod tests;
