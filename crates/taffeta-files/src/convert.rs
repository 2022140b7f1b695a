//! A mesh from one format to another.

use crate::export::{ExportError, Format, Frames, Options, Source, Stage, replace_whole};
use crate::mesh::{FileMesh, MeshFormat, Note, ReadOptions};
use crate::moving::MovingMesh;
use crate::obj::ObjWriter;
use crate::ply::PlyWriter;
use crate::problem::ReadError;
use crate::{DiskError, disk::DiskFile, disk::Naming, mesh};
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// What was converted.
#[derive(Clone, Debug, PartialEq)]
pub struct Converted {
    /// The file that was written.
    pub path: PathBuf,
    /// Its vertices, before seams were split for glTF.
    pub vertices: usize,
    /// Its triangles.
    pub triangles: usize,
    /// Its parts.
    pub parts: usize,
    /// What the user should know about the file that was read.
    pub notes: Vec<Note>,
}

/// Why nothing was converted.
#[derive(Debug, thiserror::Error)]
pub enum ConvertError {
    /// The mesh cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The ending of the output says nothing.
    #[error("{} has no ending of a mesh format that can be written", path.display())]
    UnknownEnding {
        /// The output.
        path: PathBuf,
    },
    /// The mesh cannot be written.
    #[error(transparent)]
    Write(#[from] ExportError),
}

impl From<DiskError> for ConvertError {
    fn from(error: DiskError) -> Self {
        Self::Write(error.into())
    }
}

impl ConvertError {
    /// A way out.
    pub fn help(&self) -> String {
        match self {
            Self::Read(error) => error.help(),
            Self::UnknownEnding { .. } => "give a name that ends in .obj, .ply, .glb or .usda".into(),
            Self::Write(error) => error.help(),
        }
    }
}

/// Reads a mesh and writes it in another format, both told by their endings. What moves is written in its first pose.
///
/// The numbers and the order of vertices stay as they are, except that glTF splits vertices on seams.
pub fn convert(input: &Path, output: &Path, options: &ReadOptions, force: bool) -> Result<Converted, ConvertError> {
    let unknown = || ConvertError::UnknownEnding { path: output.to_path_buf() };
    let format = Format::of(output).filter(|format| format.is_mesh()).ok_or_else(unknown)?;
    if output.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gltf")) {
        return Err(unknown());
    }
    if output.is_dir() || (output.exists() && !force) {
        return Err(ExportError::Exists { path: output.to_path_buf() }.into());
    }
    let mesh = match MeshFormat::of(input) {
        Some(_) if !input.to_string_lossy().contains('#') => mesh::read(input, options)?,
        _ => MovingMesh::read(input, None, options)?.mesh().clone(),
    };
    let name = input.file_stem().map_or_else(|| "mesh".into(), |stem| stem.to_string_lossy().into_owned());
    replace_whole(output, |temporary| write(temporary, format, &name, &mesh))?;
    Ok(Converted {
        path: output.to_path_buf(),
        vertices: mesh.positions.len(),
        triangles: mesh.triangles.len(),
        parts: mesh.parts.len(),
        notes: mesh.notes,
    })
}

/// Writes a mesh to a file.
fn write(path: &Path, format: Format, name: &str, mesh: &FileMesh) -> Result<(), ExportError> {
    let surface = mesh.surface(name);
    let x = &mesh.positions;
    if let Format::Obj | Format::Ply = format {
        let mut out = BufWriter::with_capacity(1 << 18, DiskFile::create(path)?);
        let written = match format {
            Format::Obj => ObjWriter::new(&surface).write(&mut out, x),
            _ => PlyWriter::new(&surface).write(&mut out, x),
        };
        written.and_then(|()| out.flush()).naming("write", path)?;
        return Ok(out.get_ref().sync().naming("write", path)?);
    }
    let mut observe = |_, _| ControlFlow::Continue(());
    let mut frames = Frames::new(Source::Still(x), surface, vec![0], &mut observe);
    let stage = Stage { name, fps: 24.0, options: &Options::default() };
    stage.write_file(path, format, &mut frames)
}
