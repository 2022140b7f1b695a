//! Exports of a run, finished or not: for every format one file or folder, which appears when it is whole.

use crate::bytes::PutBytes;
use crate::cache::{CacheError, CacheReader};
use crate::disk::{self, DiskFile, Naming};
use crate::npz::{self, Zip};
use crate::obj::ObjWriter;
use crate::run::{RunError, RunView, Status};
use crate::{DiskError, Surface};
use std::fmt;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use taffeta::Vec3;

/// A format that a run can be exported to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One NumPy archive: see [`crate::npz`].
    Npz,
    /// A folder with an OBJ file for each frame.
    Obj,
}

impl Format {
    /// All of them.
    pub const ALL: [Format; 2] = [Format::Npz, Format::Obj];

    /// Its name in commands and scenes.
    pub fn name(self) -> &'static str {
        match self {
            Format::Npz => "npz",
            Format::Obj => "obj",
        }
    }

    /// What it is, in a line.
    pub fn describe(self) -> &'static str {
        match self {
            Format::Npz => "one NumPy archive with positions, times, triangles and rest shape",
            Format::Obj => "a Wavefront OBJ file for each frame, with uv",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is no format.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("`{name}` is not a format: there are {}", Format::ALL.map(|format| format.name()).join(", "))]
pub struct UnknownFormat {
    /// What was given.
    pub name: String,
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        let found = Self::ALL.into_iter().find(|format| format.name().eq_ignore_ascii_case(name));
        found.ok_or_else(|| UnknownFormat { name: name.into() })
    }
}

/// Why there is no export. What was there before still is.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The run cannot be read.
    #[error(transparent)]
    Run(#[from] RunError),
    /// Its positions cannot be read.
    #[error(transparent)]
    Cache(#[from] CacheError),
    /// The export cannot be written.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// Nothing is overwritten unless asked.
    #[error("{} exists", path.display())]
    Exists {
        /// The file or folder.
        path: PathBuf,
    },
    /// Only folders of OBJ files are replaced by one.
    #[error("{} holds more than OBJ files and will not be replaced", path.display())]
    NotReplaceable {
        /// The folder.
        path: PathBuf,
    },
    /// No frame is finished, not even the start.
    #[error("{} has no frames yet", folder.display())]
    NoFrames {
        /// The run.
        folder: PathBuf,
    },
    /// A finished run lacks frames.
    #[error("{} has {found} frames and should have {expected}", folder.display())]
    FramesMissing {
        /// The run.
        folder: PathBuf,
        /// Frames in `positions.bin`, without the start.
        found: u64,
        /// Frames by `report.json`.
        expected: u64,
    },
    /// The caller said so.
    #[error("the export was stopped")]
    Stopped,
}

impl ExportError {
    /// A way out.
    pub fn help(&self) -> String {
        match self {
            ExportError::Run(error) => error.help(),
            ExportError::Cache(_) | ExportError::FramesMissing { .. } => "run the scene again".into(),
            ExportError::Disk(error) if error.is_full() => "make space on the disk, then export again".into(),
            ExportError::Disk(_) => "see that the path is right and may be written".into(),
            ExportError::Exists { .. } => "give another place with --out, or --force to replace it".into(),
            ExportError::NotReplaceable { .. } => "give another place with --out, or remove it yourself".into(),
            ExportError::NoFrames { .. } => "wait for the first frame, or resume the run".into(),
            ExportError::Stopped => "start it again when you like".into(),
        }
    }
}

/// What was written.
#[derive(Clone, Debug, PartialEq)]
pub struct Exported {
    /// The file, or the folder of a sequence.
    pub path: PathBuf,
    /// Frames in it, the start included.
    pub frames: u64,
}

/// Writes all frames that are finished now to `out`, or to `NAME.npz` or `obj/` in the folder of the run.
///
/// `observe` is called with the frames done and their total before each frame, and may stop the export.
pub fn export(
    run: &RunView,
    format: Format,
    out: Option<&Path>,
    force: bool,
    observe: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<Exported, ExportError> {
    let name = run.name();
    let path = match (out, format) {
        (Some(out), _) => out.to_path_buf(),
        (None, Format::Npz) => run.path().join(format!("{name}.npz")),
        (None, Format::Obj) => run.path().join("obj"),
    };
    check_place(&path, format, force)?;
    let mut cache = run.positions()?;
    let frames = whole_frames(run, &mut cache)?;
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).naming("create", parent)?;
    }

    // the number keeps two exports at the same time apart
    let temporary = Temporary(disk::beside(&path, &format!(".tmp-{}", std::process::id())));
    let mut frames = Frames { cache: &mut cache, count: frames, observe };
    match format {
        Format::Npz => write_npz(&temporary.0, &mut frames)?,
        Format::Obj => write_obj(&temporary.0, &name, &mut frames)?,
    }
    if format == Format::Obj && path.is_dir() {
        fs::remove_dir_all(&path).naming("remove", &path)?;
    }
    disk::rename(&temporary.0, &path)?;
    Ok(Exported { path, frames: frames.count })
}

/// Refuses to write where something is that was not asked to be replaced.
fn check_place(path: &Path, format: Format, force: bool) -> Result<(), ExportError> {
    if !path.exists() {
        return Ok(());
    }
    if !force {
        return Err(ExportError::Exists { path: path.to_path_buf() });
    }
    if format == Format::Obj {
        for entry in fs::read_dir(path).naming("open", path)? {
            if entry.naming("read", path)?.path().extension().is_none_or(|ending| ending != "obj") {
                return Err(ExportError::NotReplaceable { path: path.to_path_buf() });
            }
        }
    }
    Ok(())
}

/// Frames that can be exported, the start included. A finished run must have them all.
fn whole_frames(run: &RunView, cache: &mut CacheReader) -> Result<u64, ExportError> {
    let folder = run.path().to_path_buf();
    // without a report the positions must do
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

/// The frames of an export, one at a time.
struct Frames<'a> {
    cache: &'a mut CacheReader,
    count: u64,
    observe: &'a mut dyn FnMut(u64, u64) -> ControlFlow<()>,
}

impl Frames<'_> {
    fn surface(&self) -> &Surface {
        self.cache.surface()
    }

    fn for_each(
        &mut self,
        mut each: impl FnMut(u64, f64, &[Vec3]) -> Result<(), ExportError>,
    ) -> Result<(), ExportError> {
        let mut x = Vec::new();
        for frame in 0..self.count {
            if (self.observe)(frame, self.count).is_break() {
                return Err(ExportError::Stopped);
            }
            let time = self.cache.read(frame, &mut x)?;
            each(frame, time, &x)?;
        }
        let _ = (self.observe)(self.count, self.count);
        Ok(())
    }
}

fn write_npz(path: &Path, frames: &mut Frames) -> Result<(), ExportError> {
    let io = |source: io::Error| DiskError::new("write", path, source);
    let (count, vertices) = (frames.count, frames.surface().rest.len() as u64);
    let mut zip = Zip::new(BufWriter::with_capacity(1 << 20, DiskFile::create(path)?));

    let header = npz::npy_header("<f8", &[count, vertices, 3]);
    let mut times = npz::npy_header("<f8", &[count]);
    let mut bytes = Vec::new();
    zip.add("positions.npy", header.len() as u64 + count * vertices * 24, io, |put| {
        put(&header).map_err(io)?;
        frames.for_each(|_, time, x| {
            times.put_f64(time);
            bytes.clear();
            bytes.put_points(x);
            Ok(put(&bytes).map_err(io)?)
        })
    })?;

    let surface = frames.surface();
    let triangles = npz::npy("<i4", &[surface.triangles.len() as u64, 3], |bytes| {
        surface.triangles.as_flattened().iter().for_each(|&vertex| bytes.put_u32(vertex));
    });
    let rest = npz::npy("<f8", &[vertices, 3], |bytes| bytes.put_points(&surface.rest));
    let offsets = npz::npy_i64(&surface.cloth_offsets());
    for (name, bytes) in
        [("times.npy", times), ("triangles.npy", triangles), ("rest.npy", rest), ("cloth_offsets.npy", offsets)]
    {
        zip.add_bytes(name, &bytes).map_err(io)?;
    }
    let file = zip.finish().map_err(io)?.into_inner().map_err(|error| io(error.into_error()))?;
    Ok(file.sync().map_err(io)?)
}

fn write_obj(folder: &Path, name: &str, frames: &mut Frames) -> Result<(), ExportError> {
    fs::create_dir_all(folder).naming("create", folder)?;
    let writer = ObjWriter::new(frames.surface());
    // all numbers equally long, so that the names sort as the frames do
    let digits = (frames.count - 1).to_string().len().max(4);
    frames.for_each(|frame, _, x| {
        let path = folder.join(format!("{name}.{frame:0digits$}.obj"));
        let mut file = BufWriter::with_capacity(1 << 18, DiskFile::create(&path)?);
        writer.write(&mut file, x).and_then(|()| file.flush()).naming("write", &path)?;
        Ok(())
    })
}

/// Removes what is left under a temporary name, whatever happens.
struct Temporary(PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        if self.0.is_dir() {
            let _ = fs::remove_dir_all(&self.0);
        } else {
            let _ = fs::remove_file(&self.0);
        }
    }
}

#[cfg(test)]
mod tests;
