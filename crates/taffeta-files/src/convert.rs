//! A mesh from one format to another, still or moving.

use crate::export::{
    ExportError, Format, Frames, MOST_TARGETS, Observe, Options, Pick, Source, Stage, check_place, replace_whole,
};
use crate::mesh::{Note, ReadOptions};
use crate::moving::MovingMesh;
use crate::problem::ReadError;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// What was converted.
#[derive(Clone, Debug, PartialEq)]
pub struct Converted {
    /// The file or folder that was written.
    pub path: PathBuf,
    /// Its vertices, before seams were split for glTF.
    pub vertices: usize,
    /// Its triangles.
    pub triangles: usize,
    /// Its parts.
    pub parts: usize,
    /// Frames that were written.
    pub frames: u64,
    /// Frames that there are.
    pub of: u64,
    /// What the user should know about the file that was read.
    pub notes: Vec<Note>,
}

/// How to convert.
#[derive(Clone, Debug, Default)]
pub struct ConvertOptions {
    /// How the file is to be understood. Its `fps` counts where neither the file nor the next says anything.
    pub read: ReadOptions,
    /// Frames in a second; those of the file if absent.
    pub fps: Option<f64>,
    /// The OBJ file of a point cache; the one of the same name if absent.
    pub topology: Option<PathBuf>,
    /// Which frames.
    pub frames: Pick,
    /// Replace what is there.
    pub force: bool,
}

/// Why nothing was converted.
#[derive(Debug, thiserror::Error)]
pub enum ConvertError {
    /// The mesh cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// No format that is read.
    #[error("{} is of no format that can be read", path.display())]
    UnknownInput {
        /// The input.
        path: PathBuf,
    },
    /// The ending of the output says nothing.
    #[error("{} has no ending of a format that can be written", path.display())]
    UnknownEnding {
        /// The output.
        path: PathBuf,
    },
    /// A frame that is not there.
    #[error("there is no such frame: {}", match count {
        1 => "the mesh does not move".to_string(),
        _ => format!("frames are numbered from {first} to {last}"),
    })]
    NoFrame {
        /// Number of the first frame.
        first: u64,
        /// Number of the last frame.
        last: u64,
        /// How many there are.
        count: u64,
    },
    /// The mesh cannot be written.
    #[error(transparent)]
    Write(#[from] ExportError),
}

impl ConvertError {
    /// A way out.
    pub fn help(&self) -> String {
        match self {
            Self::Read(error) => error.help(),
            Self::UnknownInput { path } if is_usd(path) => {
                "USD is read as text: `usdcat FILE -o NEW.usda` makes it, from the tools of usd-core".into()
            }
            Self::UnknownInput { .. } => {
                "give a run, or .obj, .ply, .glb, .gltf, .pc2, .mdd, .npz, .usda, or a folder or pattern of OBJ or PLY files"
                    .into()
            }
            Self::UnknownEnding { .. } => "give a name that ends in .obj, .ply, .glb, .usda or .npz".into(),
            Self::NoFrame { .. } => "leave --frames and --every out to take all there is".into(),
            Self::Write(error) => error.help(),
        }
    }
}

/// Endings of files that are read.
const READ: [&str; 9] = ["obj", "ply", "glb", "gltf", "pc2", "mdd", "npz", "usda", "usd"];

fn ending(path: &Path) -> String {
    path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase()).unwrap_or_default()
}

fn is_usd(path: &Path) -> bool {
    ending(path).starts_with("usd")
}

/// Reads a mesh and writes it in another format, both told by their endings, with all its frames if it moves.
///
/// The numbers and the order of vertices stay as they are, except that glTF splits vertices on seams.
pub fn convert(input: &Path, output: &Path, options: &ReadOptions, force: bool) -> Result<Converted, ConvertError> {
    let format = Format::of(output).ok_or_else(|| ConvertError::UnknownEnding { path: output.to_path_buf() })?;
    let options = ConvertOptions { read: options.clone(), force, ..ConvertOptions::default() };
    convert_with(input, format, Some(output), &options, &mut |_, _| ControlFlow::Continue(()))
}

/// As [`convert`], to a place or beside the input, with a choice of frames.
///
/// `observe` is called with the frames done and their total before each frame, and may stop it.
pub fn convert_with(
    input: &Path,
    format: Format,
    output: Option<&Path>,
    options: &ConvertOptions,
    observe: Observe,
) -> Result<Converted, ConvertError> {
    if !input.is_dir() && !READ.contains(&ending(input).as_str()) {
        return Err(ConvertError::UnknownInput { path: input.to_path_buf() });
    }
    if let Some(output) = output {
        // before anything large is read: one frame is the most that may fit
        format.check_ending(output, format.is_file(output))?;
    }
    let read = ReadOptions { fps: options.fps.unwrap_or(options.read.fps), ..options.read.clone() };
    let mesh = MovingMesh::read(input, options.topology.as_deref(), &read)?;
    // samples of a PC2 file are equally far apart
    let (fps, times) = mesh.frames(options.fps, format == Format::Pc2);
    let all: Vec<u64> = times.iter().map(|(number, _)| *number).collect();
    let most = if format == Format::Glb { MOST_TARGETS } else { u64::MAX };
    let (first, last, count) = (all[0], all[all.len() - 1], all.len() as u64);
    let still = count == 1 && !matches!(options.frames, Pick::All | Pick::Last);
    let numbers =
        options.frames.of(&all, fps, most).filter(|_| !still).ok_or(ConvertError::NoFrame { first, last, count })?;

    let name = name(input);
    let one = numbers.len() == 1 && matches!(format, Format::Obj | Format::Ply);
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

    let shape = mesh.mesh();
    let mut surface = shape.surface(&name);
    if let Some(rest) = mesh.rest() {
        surface.rest = rest;
    }
    let frames_written = numbers.len() as u64;
    let mut frames = Frames::new(Source::Moving { mesh: &mesh, times: &times, fps }, surface, numbers, observe);
    let stage = Stage { name: &name, fps, options: &Options::default() };
    replace_whole(&path, single || !format.is_folder(), |temporary| {
        stage.write(temporary, format, single, &mut frames)
    })?;
    Ok(Converted {
        path,
        vertices: shape.positions.len(),
        triangles: shape.triangles.len(),
        parts: shape.parts.len(),
        frames: frames_written,
        of: count,
        notes: shape.notes.clone(),
    })
}

/// The name of a file or folder without its ending, or of a pattern without its number.
fn name(input: &Path) -> String {
    let stem = if input.is_dir() { input.file_name() } else { input.file_stem() };
    let stem = stem.map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let stem = stem.split('#').next().unwrap_or_default().trim_end_matches(['.', '_', '-']);
    if stem.is_empty() { "mesh".into() } else { stem.to_string() }
}
