//! Conversion of a still or moving mesh from one format to another.

use crate::Surface;
use crate::export::{
    ExportError, Format, Frames, Observe, Options, Pick, Source, Stage, check_place, estimate, replace_whole,
};
use crate::format::{Holds, ending, or};
use crate::mesh::{Note, ReadOptions};
use crate::moving::{FrameTimes, MovingMesh};
use crate::problem::ReadError;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// The result of a conversion.
#[derive(Clone, Debug, PartialEq)]
pub struct Converted {
    /// The file or folder that was written.
    pub path: PathBuf,
    /// Number of vertices, before seams are split for glTF.
    pub vertices: usize,
    /// Number of triangles.
    pub triangles: usize,
    /// Number of parts.
    pub parts: usize,
    /// Number of frames written.
    pub frames: u64,
    /// Number of frames in the input.
    pub of: u64,
    /// Remarks for the user about the input file.
    pub notes: Vec<Note>,
}

/// Options of a conversion.
#[derive(Clone, Debug, Default)]
pub struct ConvertOptions {
    /// How the file is read. Its `fps` is used if neither the file nor the field `fps` here gives a rate.
    pub read: ReadOptions,
    /// Frames per second; the rate of the file if absent.
    pub fps: Option<f64>,
    /// The OBJ file of a point cache; the file of the same name if absent.
    pub topology: Option<PathBuf>,
    /// Which frames are converted.
    pub frames: Pick,
    /// Maximum number of frames to write; [`MOST_FRAMES`] if absent.
    pub most_frames: Option<u64>,
    /// Replace an existing output.
    pub force: bool,
}

/// Default for the maximum number of frames to write: a small file can last for years.
pub const MOST_FRAMES: u64 = 10_000;

/// Why nothing was converted.
#[derive(Debug, thiserror::Error)]
pub enum ConvertError {
    /// The mesh cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The input has no format that can be read.
    #[error("{} is of no format that can be read", path.display())]
    UnknownInput {
        /// The input.
        path: PathBuf,
    },
    /// The ending of the output does not belong to any format.
    #[error("{} has no ending of a format that can be written", path.display())]
    UnknownEnding {
        /// The output.
        path: PathBuf,
    },
    /// The frame does not exist.
    #[error("there is no such frame: {}", match count {
        1 => "the mesh does not move".to_string(),
        _ => format!("frames are numbered from {first} to {last}"),
    })]
    NoFrame {
        /// Number of the first frame.
        first: u64,
        /// Number of the last frame.
        last: u64,
        /// Number of frames.
        count: u64,
    },
    /// There are more frames than allowed. Nothing was written.
    #[error("this would write {frames} frames, about {} MB: more than {allowed}", bytes.div_ceil(1_000_000))]
    TooManyFrames {
        /// Number of frames in the input.
        frames: u64,
        /// Estimated size in bytes.
        bytes: u64,
        /// Maximum number of frames.
        allowed: u64,
    },
    /// `topology` or `animation` was given, but does not apply to this file.
    #[error("{option} belongs to {what}, and {} is none", path.display())]
    NoUse {
        /// The option.
        option: &'static str,
        /// The files to which it applies.
        what: &'static str,
        /// The input.
        path: PathBuf,
    },
    /// The mesh cannot be written.
    #[error(transparent)]
    Write(#[from] ExportError),
}

impl ConvertError {
    /// Suggests what to do.
    pub fn help(&self) -> String {
        match self {
            Self::Read(error) => error.help(),
            Self::UnknownInput { path } if is_usd(path) => {
                "USD is read as text: `usdcat FILE -o NEW.usda` makes it, from the tools of usd-core".into()
            }
            Self::UnknownInput { .. } => {
                let files = Format::endings_of(|holds| holds != Holds::Nothing);
                let sequences = or(&Format::endings_of(|holds| holds == Holds::Mesh));
                format!("give a run, {}, or a folder or pattern of {sequences} files", or(&files))
            }
            Self::UnknownEnding { .. } => {
                format!("give a name that ends in {}", or(&Format::file_endings().collect::<Vec<_>>()))
            }
            Self::NoFrame { .. } => "leave --frames and --every out to take all there is".into(),
            Self::TooManyFrames { frames, .. } => {
                format!("take fewer with --frames, --every or --fps, or allow them with --max-frames {frames}")
            }
            Self::NoUse { option, .. } => format!("leave {option} out"),
            Self::Write(error) => error.help(),
        }
    }
}

fn is_usd(path: &Path) -> bool {
    ending(path).starts_with("usd")
}

/// Reads a mesh and writes it in another format, with all its frames if it moves. Endings determine both formats.
///
/// The numbers and the order of vertices are kept, except that glTF splits vertices on seams.
pub fn convert(input: &Path, output: &Path, options: &ReadOptions, force: bool) -> Result<Converted, ConvertError> {
    let format = Format::of(output).ok_or_else(|| ConvertError::UnknownEnding { path: output.to_path_buf() })?;
    let options = ConvertOptions { read: options.clone(), force, ..ConvertOptions::default() };
    convert_with(input, format, Some(output), &options, &mut |_, _| ControlFlow::Continue(()))
}

/// As [`convert`], to a given place or beside the input, with a choice of frames.
///
/// `observe` is called before each frame with the number of frames done and their total, and may stop the conversion.
pub fn convert_with(
    input: &Path,
    format: Format,
    output: Option<&Path>,
    options: &ConvertOptions,
    observe: Observe,
) -> Result<Converted, ConvertError> {
    Conversion::plan(input, format, output, options)?.write(observe)
}

/// A planned conversion: the input is read, its size is known and allowed, and nothing is written yet.
#[derive(Debug)]
pub struct Conversion {
    mesh: MovingMesh,
    times: FrameTimes,
    numbers: Vec<u64>,
    name: String,
    format: Format,
    path: PathBuf,
    single: bool,
    surface: Surface,
    /// Estimated number of bytes to write.
    pub bytes: u64,
}

impl Conversion {
    /// Reads the input and estimates the size of the output.
    pub fn plan(
        input: &Path,
        format: Format,
        output: Option<&Path>,
        options: &ConvertOptions,
    ) -> Result<Self, ConvertError> {
        let holds = Format::reading(input).map_or(Holds::Nothing, Format::holds);
        if !input.is_dir() && holds == Holds::Nothing {
            return Err(ConvertError::UnknownInput { path: input.to_path_buf() });
        }
        for (option, given, what, has_use) in [
            ("--topology", options.topology.is_some(), "point caches", holds.is_points()),
            ("--animation", options.read.animation.is_some(), "glTF files", holds == Holds::Scene),
        ] {
            if given && !has_use {
                return Err(ConvertError::NoUse { option, what, path: input.to_path_buf() });
            }
        }
        if let Some(output) = output {
            // check before reading anything large: at most a single frame may fit
            format.check_ending(output, format.is_file(output))?;
        }
        let read = ReadOptions { fps: options.fps.unwrap_or(options.read.fps), ..options.read.clone() };
        let mesh = MovingMesh::read(input, options.topology.as_deref(), &read)?;
        let times = mesh.frames(options.fps, format.info().even);
        let most = format.info().most_frames;
        let (first, last, count) = (times.first(), times.last(), times.count());
        let still = count == 1 && !matches!(options.frames, Pick::All | Pick::Last);
        let chosen =
            options.frames.of(&times, most).filter(|_| !still).ok_or(ConvertError::NoFrame { first, last, count })?;

        let name = name(input);
        let mut surface = mesh.mesh().surface(&name);
        if let Some(rest) = mesh.rest() {
            surface.rest = rest;
        }
        let frames = chosen.count();
        let bytes = estimate(format, &surface, &mesh.mesh().positions, frames);
        // a few bytes can last for years: do not write more than was asked for
        let allowed = options.most_frames.unwrap_or(MOST_FRAMES);
        if frames > allowed {
            return Err(ConvertError::TooManyFrames { frames, bytes, allowed });
        }
        let one = frames == 1 && format.is_sequence();
        let usual = || {
            let folder = input.parent().unwrap_or(Path::new(""));
            match format.is_folder() && !one {
                true => folder.join(format!("{name}-{format}")),
                false => folder.join(format!("{name}.{}", format.ending())),
            }
        };
        let path = output.map_or_else(usual, Path::to_path_buf);
        let single = one && format.is_file(&path);
        format.check_ending(&path, single)?;
        check_place(&path, format, single, options.force)?;
        let numbers = chosen.numbers(&times);
        Ok(Self { mesh, times, numbers, name, format, path, single, surface, bytes })
    }

    /// Number of frames to write.
    pub fn frames(&self) -> u64 {
        self.numbers.len() as u64
    }

    /// The file or folder that will be written.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the output.
    ///
    /// `observe` is called before each frame with the number of frames done and their total, and may stop it.
    pub fn write(self, observe: Observe) -> Result<Converted, ConvertError> {
        let Self { mesh, times, numbers, name, format, path, single, surface, .. } = self;
        let written = numbers.len() as u64;
        let mut frames = Frames::new(Source::Moving { mesh: &mesh, times: &times }, surface, numbers, observe);
        let stage = Stage { name: &name, fps: times.fps, options: &Options::default() };
        replace_whole(&path, single || !format.is_folder(), |temporary| {
            stage.write(temporary, format, single, &mut frames)
        })?;
        let shape = mesh.mesh();
        Ok(Converted {
            path,
            vertices: shape.positions.len(),
            triangles: shape.triangles.len(),
            parts: shape.parts.len(),
            frames: written,
            of: times.count(),
            notes: shape.notes.clone(),
        })
    }
}

/// The name of a file or folder without its ending, or of a pattern without its number.
fn name(input: &Path) -> String {
    let stem = if input.is_dir() { input.file_name() } else { input.file_stem() };
    let stem = stem.map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let stem = stem.split('#').next().unwrap_or_default().trim_end_matches(['.', '_', '-']);
    if stem.is_empty() { "mesh".into() } else { stem.to_string() }
}
