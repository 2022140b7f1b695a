//! Reading a mesh of any format.

use super::{Arranged, FileMesh, Note, ReadOptions};
use crate::format::{Format, Reader};
use crate::problem::ReadError;
use crate::{gltf, text};
use std::io;
use std::path::Path;

/// Reads a mesh from a file; its ending determines the format. A moving mesh is read in its first pose.
pub fn read(path: &Path, options: &ReadOptions) -> Result<FileMesh, ReadError> {
    options.check()?;
    let format = Format::reading_mesh(path).ok_or_else(|| ReadError::UnknownEnding { path: path.to_path_buf() })?;
    let mesh = contents(format, path, &text::read(path)?, &mut gltf::beside(path))?;
    Ok(options.arrange(path, mesh)?.0)
}

/// Reads a mesh from memory. A glTF file must contain its buffers.
pub fn parse(format: Format, bytes: &[u8], options: &ReadOptions) -> Result<FileMesh, ReadError> {
    Ok(parse_beside(format, bytes, &mut gltf::nothing_beside, options)?.0)
}

/// As [`parse`]; `load` returns the files that a glTF file needs beside it. The second value applies the same changes
/// to other positions of the file's vertices.
pub fn parse_beside(
    format: Format,
    bytes: &[u8],
    load: &mut dyn FnMut(&str) -> io::Result<Vec<u8>>,
    options: &ReadOptions,
) -> Result<(FileMesh, Arranged), ReadError> {
    options.check()?;
    let path = Path::new(format.name());
    let mesh = contents(format, path, bytes, load)?;
    options.arrange(path, mesh)
}

/// The unchanged contents of a file. Point caches and recorded runs are not meshes by themselves.
fn contents(
    format: Format,
    path: &Path,
    bytes: &[u8],
    load: &mut dyn FnMut(&str) -> io::Result<Vec<u8>>,
) -> Result<FileMesh, ReadError> {
    let wrong = |problems| ReadError::wrong(path, problems);
    match format.info().reader {
        Reader::Still { mesh, .. } => mesh(bytes).map_err(wrong),
        Reader::Scene => {
            let scene = gltf::parse(bytes, load).map_err(wrong)?;
            let mut mesh = scene.mesh();
            if let Some((name, _)) = scene.animations().into_iter().next() {
                mesh.notes.push(Note::Motion { name });
            }
            Ok(mesh)
        }
        Reader::Points { .. } | Reader::Recorded(_) | Reader::Nothing => {
            Err(ReadError::UnknownEnding { path: path.to_path_buf() })
        }
    }
}
