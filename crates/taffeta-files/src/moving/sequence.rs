//! Sequences with a file for each frame.

use crate::beside::{Outside, inside};
use crate::format::{Format, Holds, Parse, ParseVertices, Reader, or};
use crate::hashed_file::HashedFile;
use crate::mesh::{FileMesh, ReadOptions};
use crate::problem::{Collector, Problems, ReadError};
use crate::wrong::Wrong;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use taffeta::Vec3;

/// Number of frames in memory: a step between two frames may need both neighbours of either.
const KEPT: usize = 4;

#[derive(Debug)]
pub(super) struct Sequence {
    /// Times, s; the first file is at 0.
    pub times: Vec<f64>,
    /// One file for each time.
    pub files: Vec<HashedFile>,
    vertices: usize,
    parse: Parse,
    parse_vertices: Option<ParseVertices>,
    /// The most recently used frames, the newest at the end.
    recent: Mutex<Vec<(usize, Arc<Vec<Vec3>>)>>,
}

impl Sequence {
    /// Positions of a frame as in its file. The error says what is wrong with the file.
    pub fn frame(&self, k: usize) -> Result<Arc<Vec<Vec3>>, String> {
        // a panic here leaves no inconsistent state
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, x)) = recent.iter().find(|(frame, _)| *frame == k) {
            return Ok(x.clone());
        }
        let file = &self.files[k];
        let failed = |why: &dyn std::fmt::Display| format!("{} cannot be read: {why}", file.path.display());
        let bytes = file.read_again().map_err(|error| failed(&error))?;
        let x = match self.parse_vertices {
            Some(parse) => parse(&bytes, self.vertices),
            None => (self.parse)(&bytes).map(|mesh| mesh.positions),
        };
        let x = Arc::new(x.map_err(|problems| failed(&problems))?);
        if recent.len() == KEPT {
            recent.remove(0);
        }
        recent.push((k, x.clone()));
        Ok(x)
    }
}

/// Whether the last component of a path contains `#`.
pub(super) fn is_pattern(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().contains('#'))
}

/// The OBJ or PLY files of a folder or of a pattern `NAME.####.obj`, with their frame numbers, ascending.
pub fn find(path: &Path) -> Result<Vec<(u64, PathBuf)>, ReadError> {
    let wrong = |what: String| ReadError::Sequence { path: path.to_path_buf(), what };
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let (folder, pattern) = if is_pattern(path) && !path.is_dir() {
        (path.parent().filter(|p| *p != Path::new("")).unwrap_or(Path::new(".")), Some(name))
    } else {
        (path, None)
    };
    let mut found: Vec<(u64, String, PathBuf)> = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|source| ReadError::io(folder, source))? {
        let path = entry.map_err(|source| ReadError::io(folder, source))?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let split = match &pattern {
            Some(pattern) => by_pattern(&name, pattern).map(|number| (number, String::new())),
            None => numbered(&name),
        };
        if let Some((number, stem)) = split {
            // the target of a link that leads out of the folder would be copied into the run
            match inside(folder, &name) {
                Err(Outside::Outside) => return Err(wrong(format!("`{name}` leads out of the folder"))),
                Err(Outside::Io(source)) => return Err(ReadError::io(&path, source)),
                Ok(_) => {}
            }
            found.push((number, stem, path));
        }
    }
    found.sort();
    if found.is_empty() {
        return Err(wrong("there are no files of a sequence".into()));
    }
    if let Some(other) = found.iter().find(|(_, stem, _)| *stem != found[0].1) {
        return Err(wrong(format!("there are files of two sequences, `{}` and `{}`", found[0].1, other.1)));
    }
    if let Some(pair) = found.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        return Err(wrong(format!("frame {} is there twice", pair[0].0)));
    }
    Ok(found.into_iter().map(|(number, _, path)| (number, path)).collect())
}

/// The number in place of the `#` of the pattern; each `#` stands for at least one digit.
fn by_pattern(name: &str, pattern: &str) -> Option<u64> {
    let (front, rest) = pattern.split_once('#')?;
    let back = rest.trim_start_matches('#');
    let least = 1 + rest.len() - back.len();
    let digits = name.strip_prefix(front)?.strip_suffix(back)?;
    let whole = digits.len() >= least && digits.bytes().all(|b| b.is_ascii_digit());
    digits.parse().ok().filter(|_| whole)
}

/// The number at the end of the name of an OBJ or PLY file, and the rest of its name.
fn numbered(name: &str) -> Option<(u64, String)> {
    let (stem, ending) = name.rsplit_once('.')?;
    if !Format::endings_of(|holds| holds == Holds::Mesh).iter().any(|known| ending.eq_ignore_ascii_case(known)) {
        return None;
    }
    let front = stem.trim_end_matches(|c: char| c.is_ascii_digit());
    let rest = format!("{front}#.{}", ending.to_ascii_lowercase());
    Some((stem[front.len()..].parse().ok()?, rest))
}

/// Reads all frames once to check that each has the vertices and faces of the first, and keeps the first.
pub(super) fn read(path: &Path, options: &ReadOptions) -> Result<(FileMesh, Sequence), ReadError> {
    let files = find(path)?;
    let (number, first) = &files[0];
    let reader = Format::reading(first).map(|format| &format.info().reader);
    let Some(&Reader::Still { mesh: parse, vertices: parse_vertices }) = reader else {
        let endings = or(&Format::endings_of(|holds| holds == Holds::Mesh));
        let what = format!("the files of a sequence end in {endings}");
        return Err(ReadError::Sequence { path: path.to_path_buf(), what });
    };
    let (file, bytes) = HashedFile::read(first)?;
    let mesh = parse(&bytes).map_err(|problems| ReadError::wrong(first, problems))?;
    let mut sequence = Sequence {
        times: vec![0.0],
        files: vec![file],
        vertices: mesh.positions.len(),
        parse,
        parse_vertices,
        recent: Mutex::new(vec![(0, Arc::new(mesh.positions.clone()))]),
    };
    for (later, path) in &files[1..] {
        let (file, bytes) = HashedFile::read(path)?;
        let same = match (parse(&bytes), parse_vertices) {
            (Ok(other), _) => same_faces(&mesh, &other),
            // vertices without faces are enough
            (Err(Problems { list, .. }), Some(parse)) if list.iter().all(|p| p.wrong == Wrong::NoFaces) => {
                parse(&bytes, sequence.vertices).map(|_| ())
            }
            (Err(problems), _) => Err(problems),
        };
        same.map_err(|problems| ReadError::wrong(path, problems))?;
        sequence.files.push(file);
        sequence.times.push((later - number) as f64 / options.fps);
    }
    Ok((mesh, sequence))
}

/// Whether two frames are the same mesh. How a face is cut depends on its shape, so faces with more than three
/// corners are compared by their vertices.
fn same_faces(first: &FileMesh, other: &FileMesh) -> Result<(), Problems> {
    let (needed, found) = (first.positions.len(), other.positions.len());
    if needed != found {
        return Collector::one(None, Wrong::VertexCount { found, needed });
    }
    let faces = |mesh: &FileMesh| mesh.triangles.len() - mesh.polygons.iter().map(|p| p.corners - 3).sum::<usize>();
    let (needed, found) = (faces(first), faces(other));
    if needed != found {
        return Collector::one(None, Wrong::FaceCount { found, needed });
    }
    if first.triangles == other.triangles {
        return Ok(());
    }
    let [mut a, mut b] = [Corners::new(first), Corners::new(other)];
    for face in 0..needed {
        if a.next() != b.next() {
            return Collector::one(None, Wrong::OtherFace { face });
        }
    }
    Ok(())
}

/// Iterates over the vertices of each face, sorted if the face was cut.
struct Corners<'a> {
    mesh: &'a FileMesh,
    triangle: usize,
    polygon: usize,
}

impl<'a> Corners<'a> {
    fn new(mesh: &'a FileMesh) -> Self {
        Self { mesh, triangle: 0, polygon: 0 }
    }

    fn next(&mut self) -> Vec<u32> {
        let cut = self.mesh.polygons.get(self.polygon).filter(|polygon| polygon.first == self.triangle);
        let count = cut.map_or(1, |polygon| polygon.corners - 2);
        let mut corners = self.mesh.triangles[self.triangle..self.triangle + count].as_flattened().to_vec();
        if cut.is_some() {
            self.polygon += 1;
            corners.sort_unstable();
            corners.dedup();
        }
        self.triangle += count;
        corners
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_found_by_their_numbers() {
        for (name, pattern, number) in [
            ("a.0010.obj", "a.####.obj", Some(10)),
            ("a.12345.obj", "a.####.obj", Some(12345)),
            ("a.001.obj", "a.####.obj", None),
            ("b.0001.obj", "a.####.obj", None),
            ("a.x001.obj", "a.####.obj", None),
            ("a.obj", "a.#.obj", None),
            ("7.obj", "#.obj", Some(7)),
        ] {
            assert_eq!(by_pattern(name, pattern), number, "{name} {pattern}");
        }
        assert_eq!(numbered("walk_0012.obj"), Some((12, "walk_#.obj".into())));
        assert_eq!(numbered("walk_0012.PLY"), Some((12, "walk_#.ply".into())));
        assert_eq!(numbered("walk.obj"), None);
        assert_eq!(numbered("walk_1.mtl"), None);
        assert_eq!(numbered("99999999999999999999.obj"), None);
    }
}
