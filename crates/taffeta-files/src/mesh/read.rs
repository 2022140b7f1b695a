//! A mesh of any format.

use super::{Arranged, FileMesh, Note, ReadOptions};
use crate::problem::{Problems, ReadError};
use crate::{gltf, obj, ply, text};
use std::fmt;
use std::io;
use std::path::Path;

/// A format that a mesh can be read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeshFormat {
    /// Wavefront OBJ.
    Obj,
    /// Stanford PLY, as text or binary.
    Ply,
    /// glTF 2.0 in one file.
    Glb,
    /// glTF 2.0 as text, with or without files beside it.
    Gltf,
}

impl MeshFormat {
    /// All of them.
    pub const ALL: [MeshFormat; 4] = [MeshFormat::Obj, MeshFormat::Ply, MeshFormat::Glb, MeshFormat::Gltf];

    /// Its name, which is also the ending of its files.
    pub fn name(self) -> &'static str {
        match self {
            MeshFormat::Obj => "obj",
            MeshFormat::Ply => "ply",
            MeshFormat::Glb => "glb",
            MeshFormat::Gltf => "gltf",
        }
    }

    /// What it is, in a line.
    pub fn describe(self) -> &'static str {
        match self {
            MeshFormat::Obj => "Wavefront OBJ: positions, uv, objects and groups",
            MeshFormat::Ply => "Stanford PLY, text or binary: positions, uv",
            MeshFormat::Glb => "glTF 2.0 in one file: positions, uv, nodes, skins, morph targets, animation",
            MeshFormat::Gltf => "glTF 2.0 as text, with its buffers inside or beside it",
        }
    }

    /// By the ending of a file's name.
    pub fn of(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?;
        Self::ALL.into_iter().find(|format| format.name().eq_ignore_ascii_case(ending))
    }
}

impl fmt::Display for MeshFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The endings of mesh files, for messages.
pub(crate) fn endings() -> String {
    let names = MeshFormat::ALL.map(|format| format!(".{format}"));
    format!("{} or {}", names[..names.len() - 1].join(", "), names[names.len() - 1])
}

/// Reads a mesh from a file; its ending tells the format. What moves is read in its first pose.
pub fn read(path: &Path, options: &ReadOptions) -> Result<FileMesh, ReadError> {
    options.check()?;
    let format = MeshFormat::of(path).ok_or_else(|| ReadError::UnknownEnding { path: path.to_path_buf() })?;
    let mesh = contents(format, &text::read(path)?, &mut gltf::beside(path));
    Ok(options.arrange(path, mesh.map_err(|problems| ReadError::wrong(path, problems))?)?.0)
}

/// Reads a mesh from memory. A glTF file must have its buffers inside.
pub fn parse(format: MeshFormat, bytes: &[u8], options: &ReadOptions) -> Result<FileMesh, ReadError> {
    Ok(parse_beside(format, bytes, &mut gltf::nothing_beside, options)?.0)
}

/// As [`parse`]; `load` gives the files that a glTF file needs beside it. The second value does to other positions of
/// the file's vertices what was done to these.
pub fn parse_beside(
    format: MeshFormat,
    bytes: &[u8],
    load: &mut dyn FnMut(&str) -> io::Result<Vec<u8>>,
    options: &ReadOptions,
) -> Result<(FileMesh, Arranged), ReadError> {
    options.check()?;
    let path = Path::new(format.name());
    let mesh = contents(format, bytes, load).map_err(|problems| ReadError::wrong(path, problems))?;
    options.arrange(path, mesh)
}

/// What is in a file, as it is there.
pub(crate) fn contents(
    format: MeshFormat,
    bytes: &[u8],
    load: &mut dyn FnMut(&str) -> io::Result<Vec<u8>>,
) -> Result<FileMesh, Problems> {
    match format {
        MeshFormat::Obj => obj::parse(bytes),
        MeshFormat::Ply => ply::parse(bytes),
        MeshFormat::Glb | MeshFormat::Gltf => {
            let scene = gltf::parse(bytes, load)?;
            let mut mesh = scene.mesh();
            if let Some((name, _)) = scene.animations().into_iter().next() {
                mesh.notes.push(Note::Motion { name });
            }
            Ok(mesh)
        }
    }
}
