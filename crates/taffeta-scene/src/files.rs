//! Reads all files that a scene refers to.

use std::io;
use std::path::Path;
use std::sync::Arc;
use taffeta::{Key, Vec3};
use taffeta_files::actions::Recorded;
use taffeta_files::mesh::{Arranged, FileMesh, Format, ReadOptions};
use taffeta_files::{LineProblem, Problems, ReadError};

/// A mistake in a file.
#[derive(Clone, Debug)]
pub(crate) struct FileProblem {
    /// Line number, from 1; `None` for the file as a whole.
    pub line: Option<usize>,
    pub message: String,
    pub help: String,
}

/// Largest file, bytes: more than any mesh within the limits needs.
const LARGEST: u64 = 16 << 30;

/// The bytes of a file; refuses a file that could be endless. The error is a message.
pub(crate) fn read(path: &Path, largest: Option<u64>) -> Result<Vec<u8>, String> {
    let meta = std::fs::metadata(path).map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".to_string(),
        _ => e.to_string(),
    })?;
    let largest = largest.unwrap_or(LARGEST);
    if meta.is_dir() {
        return Err("this is a folder, not a file".into());
    }
    if !meta.is_file() {
        return Err("this is not a file".into());
    }
    if meta.len() > largest {
        return Err(format!("the file has {} bytes, more than the {largest} that are allowed", meta.len()));
    }
    std::fs::read(path).map_err(|e| e.to_string())
}

/// Files that belong to a glTF file, by their names in it.
pub(crate) type Beside = [(String, Arc<Vec<u8>>)];

/// Reads a mesh; the ending of its name selects the format. The second value maps its vertices to those of the file.
pub(crate) fn mesh(
    name: &str,
    bytes: &[u8],
    beside: &Beside,
    options: &ReadOptions,
) -> Result<(FileMesh, Arranged), Vec<FileProblem>> {
    let mut load = |name: &str| {
        let found = beside.iter().find(|(known, _)| known == name);
        found.map(|(_, bytes)| bytes.to_vec()).ok_or_else(|| io::ErrorKind::NotFound.into())
    };
    taffeta_files::mesh::parse_beside(format(name), bytes, &mut load, options).map_err(|error| match error {
        ReadError::Wrong { problems: found, .. } => problems(found),
        other => vec![FileProblem { line: None, message: other.to_string(), help: other.help() }],
    })
}

/// The vertices of a mesh only, in metres with y up.
pub(crate) fn positions(
    name: &str,
    bytes: &[u8],
    beside: &Beside,
    options: &ReadOptions,
) -> Result<Vec<Vec3>, Vec<FileProblem>> {
    if format(name) != Format::Obj {
        return Ok(mesh(name, bytes, beside, options)?.0.positions);
    }
    // an OBJ file may lack faces: its vertices suffice
    let x = taffeta_files::obj::parse_vertices(bytes).map_err(problems)?;
    Ok(x.into_iter().map(|p| options.place(p)).collect())
}

fn format(name: &str) -> Format {
    Format::reading_mesh(Path::new(name)).unwrap_or(Format::Obj)
}

/// The keys of a motion from CSV.
pub(crate) fn motion(bytes: &[u8]) -> Result<Vec<Key>, Vec<FileProblem>> {
    taffeta_files::csv::parse_motion(bytes).map_err(problems)
}

/// The actions from outside, from a file.
pub(crate) fn actions(bytes: &[u8], fps: f64) -> Result<Vec<Recorded>, Vec<FileProblem>> {
    taffeta_files::actions::parse(bytes, fps).map_err(problems)
}

pub(crate) fn problems(found: Problems) -> Vec<FileProblem> {
    let more = FileProblem {
        line: None,
        message: format!("{} more mistakes in this file", found.more),
        help: "mend the first ones: the others are often the same".into(),
    };
    let message = |p: &LineProblem| match p.byte {
        Some(byte) => format!("{} (byte {byte})", p.wrong),
        None => p.wrong.to_string(),
    };
    let listed = found.list.iter().map(|p| FileProblem { line: p.line, message: message(p), help: p.help() });
    listed.chain((found.more > 0).then_some(more)).collect()
}

/// The line of a vertex of an OBJ text. Vertices count from 0, lines from 1.
pub(crate) fn vertex_line(text: &str, vertex: u32) -> Option<usize> {
    let mut vertices = text.lines().enumerate().filter(|(_, line)| line.split_whitespace().next() == Some("v"));
    vertices.nth(vertex as usize).map(|(i, _)| i + 1)
}

/// The line of the face that a triangle of an OBJ text comes from; a face with n corners makes n - 2 triangles.
pub(crate) fn triangle_line(text: &str, triangle: u32) -> Option<usize> {
    let mut before = 0;
    text.lines().enumerate().find_map(|(i, line)| {
        let mut words = line.split_whitespace();
        if words.next() != Some("f") {
            return None;
        }
        before += (words.count() as u64).saturating_sub(2);
        (u64::from(triangle) < before).then_some(i + 1)
    })
}
