//! The only door to files that a scene refers to: their bytes, and what their readers make of them.

use std::path::Path;
use taffeta::Vec3;

/// Something wrong with a file.
#[derive(Clone, Debug)]
pub(crate) struct FileProblem {
    /// From 1; `None`: the file as a whole.
    pub line: Option<usize>,
    pub message: String,
    pub help: String,
}

/// A mesh as a file gives it.
pub(crate) struct FileMesh {
    pub positions: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
    pub uv: Option<Vec<[[f64; 2]; 3]>>,
    /// What the user should know though nothing is wrong.
    pub notes: Vec<String>,
}

/// More bytes than any mesh within the limits needs.
const LARGEST: u64 = 16 << 30;

/// The bytes of a file; refuses what could be endless. The error is a message.
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

pub(crate) use standin::{mesh, motion, positions};

/// The line of a vertex of an OBJ text, both from 0 and 1 in this order.
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

/// Plain readers until `taffeta-files` has its own.
mod standin {
    use super::{FileMesh, FileProblem};
    use taffeta::{Key, Vec3};

    fn problem(line: usize, message: impl Into<String>, help: &str) -> FileProblem {
        FileProblem { line: Some(line), message: message.into(), help: help.into() }
    }

    fn numbers<const N: usize>(words: &[&str]) -> Option<[f64; N]> {
        let numbers: Vec<f64> =
            words.iter().take(N).map_while(|w| w.parse().ok().filter(|x: &f64| x.is_finite())).collect();
        numbers.try_into().ok()
    }

    pub(crate) fn mesh(bytes: &[u8]) -> Result<FileMesh, Vec<FileProblem>> {
        let text = String::from_utf8_lossy(bytes);
        let mut mesh = FileMesh { positions: Vec::new(), triangles: Vec::new(), uv: None, notes: Vec::new() };
        let (mut uv, mut corners, mut wrong) = (Vec::new(), Vec::new(), Vec::new());
        for (i, line) in text.lines().enumerate() {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.as_slice() {
                ["v", rest @ ..] => match numbers::<3>(rest) {
                    Some(p) => mesh.positions.push(Vec3::from_array(p)),
                    None => wrong.push(problem(i + 1, "a vertex needs three numbers", "write `v x y z`")),
                },
                ["vt", rest @ ..] => match numbers::<2>(rest) {
                    Some(p) => uv.push(p),
                    None => wrong.push(problem(i + 1, "a uv needs two numbers", "write `vt u v`")),
                },
                ["f", a, rest @ ..] if rest.len() >= 2 => {
                    for pair in rest.windows(2) {
                        corners.push((i + 1, [*a, pair[0], pair[1]]));
                    }
                }
                ["f", ..] => wrong.push(problem(i + 1, "a face needs three corners", "write `f 1 2 3`")),
                _ => {}
            }
        }
        let mut uvs = Vec::new();
        for (line, face) in corners {
            let index = |word: Option<&str>, count: usize| -> Option<u32> {
                let i: i64 = word?.parse().ok()?;
                let i = if i < 0 { count as i64 + i } else { i - 1 };
                (0 <= i && i < count as i64).then_some(i as u32)
            };
            let triangle = face.map(|corner| index(corner.split('/').next(), mesh.positions.len()));
            match triangle {
                [Some(a), Some(b), Some(c)] => mesh.triangles.push([a, b, c]),
                _ => wrong.push(problem(
                    line,
                    "the face refers to a vertex that does not exist",
                    "vertices count from 1",
                )),
            }
            let corner_uv = face.map(|corner| index(corner.split('/').nth(1), uv.len()));
            if let [Some(a), Some(b), Some(c)] = corner_uv {
                uvs.push([uv[a as usize], uv[b as usize], uv[c as usize]]);
            }
        }
        if wrong.is_empty() && mesh.triangles.is_empty() {
            wrong.push(FileProblem {
                line: None,
                message: "there are no faces".into(),
                help: "export the mesh with its faces".into(),
            });
        }
        mesh.uv = (uvs.len() == mesh.triangles.len()).then_some(uvs);
        if wrong.is_empty() { Ok(mesh) } else { Err(wrong) }
    }

    pub(crate) fn positions(bytes: &[u8], vertices: usize) -> Result<Vec<Vec3>, Vec<FileProblem>> {
        let mesh = mesh(bytes)?;
        if mesh.positions.len() == vertices {
            return Ok(mesh.positions);
        }
        let message = format!("the file has {} vertices, but the cloth has {vertices}", mesh.positions.len());
        Err(vec![FileProblem {
            line: None,
            message,
            help: "export the same mesh with its vertices in the same order".into(),
        }])
    }

    pub(crate) fn motion(bytes: &[u8]) -> Result<Vec<Key>, Vec<FileProblem>> {
        let text = String::from_utf8_lossy(bytes);
        let (mut keys, mut wrong): (Vec<Key>, Vec<FileProblem>) = (Vec::new(), Vec::new());
        for (i, line) in text.lines().enumerate() {
            let words: Vec<&str> = line.split(',').map(str::trim).collect();
            if line.trim().is_empty() || line.starts_with('#') || i == 0 && words[0].starts_with(char::is_alphabetic) {
                continue;
            }
            match numbers::<4>(&words) {
                Some([t, ..]) if keys.last().is_some_and(|key| t <= key.t) => {
                    wrong.push(problem(
                        i + 1,
                        format!("time {t} s does not come after the one before"),
                        "each row must be later",
                    ));
                }
                Some([t, x, y, z]) => keys.push(Key { t, shift: Vec3::new(x, y, z), turn: Vec3::ZERO }),
                None => wrong.push(problem(i + 1, "a row needs four numbers", "write `t,x,y,z`: seconds and metres")),
            }
        }
        if wrong.is_empty() { Ok(keys) } else { Err(wrong) }
    }
}
