//! Meshes that move by themselves: bodies that were animated elsewhere.
//!
//! | from | what moves |
//! |---|---|
//! | `.glb`, `.gltf` | nodes, skins and morph targets of one animation |
//! | a folder of OBJ files, or a pattern `NAME.####.obj` | one file a frame, the numbers are the frames |
//! | `.pc2`, `.mdd` | with the OBJ file of the same name beside it, or one that is named |
//! | any other mesh | nothing |
//!
//! ```no_run
//! use taffeta_files::mesh::ReadOptions;
//! use taffeta_files::moving::MovingMesh;
//! let body = MovingMesh::read("walk.glb".as_ref(), None, &ReadOptions::default())?;
//! let mut x = Vec::new();
//! body.sample(0.25, &mut x)?;
//! assert_eq!(x.len(), body.mesh().positions.len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod sequence;

pub use sequence::find as find_sequence;

use crate::mesh::{self, Arranged, FileMesh, MeshFormat, ReadOptions};
use crate::points::Points;
use crate::problem::{Collector, ReadError};
use crate::wrong::{FARTHEST, Wrong};
use crate::{gltf, obj, text};
use std::path::{Path, PathBuf};
use taffeta::Vec3;

/// A mesh whose positions change with time.
#[derive(Clone, Debug)]
pub struct MovingMesh {
    mesh: FileMesh,
    source: Source,
    arranged: Arranged,
}

#[derive(Clone, Debug)]
enum Source {
    Still,
    Scene(Box<gltf::Scene>, Option<usize>),
    Points(Points),
    Sequence(sequence::Sequence),
}

/// A pose that cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("at {time} s vertex {vertex} is not at a place: ({}, {}, {})", .position[0], .position[1], .position[2])]
pub struct SampleError {
    /// s.
    pub time: f64,
    /// Counted from 0.
    pub vertex: usize,
    /// What came out.
    pub position: [f64; 3],
}

impl MovingMesh {
    /// Reads what moves. `topology` names the OBJ file of a point cache; without it, the one of the same name.
    pub fn read(path: &Path, topology: Option<&Path>, options: &ReadOptions) -> Result<Self, ReadError> {
        options.check()?;
        let (mesh, source) = match MeshFormat::of(path) {
            _ if path.is_dir() || sequence::is_pattern(path) => {
                let (mesh, sequence) = sequence::read(path, options)?;
                (mesh, Source::Sequence(sequence))
            }
            Some(MeshFormat::Glb | MeshFormat::Gltf) => {
                let wrong = |problems| ReadError::wrong(path, problems);
                let scene = gltf::parse(&text::read(path)?, &mut gltf::beside(path)).map_err(wrong)?;
                let animation = scene.animation(options.animation.as_deref());
                let animation = animation.or_else(|w| Collector::one(None, w)).map_err(wrong)?;
                let mut mesh = scene.mesh();
                if let ([(played, _), (next, _), more @ ..], None) = (scene.animations().as_slice(), &options.animation)
                {
                    let (played, next) = (played.clone(), next.clone());
                    mesh.notes.push(mesh::Note::OtherAnimations { played, others: 1 + more.len(), next });
                }
                (mesh, Source::Scene(Box::new(scene), animation))
            }
            Some(_) => {
                let plain = ReadOptions { unit: 1.0, up: mesh::Up::Y, weld: None, ..options.clone() };
                let mut mesh = mesh::read(path, &plain)?;
                mesh.notes.retain(|note| !matches!(note, mesh::Note::Duplicates { .. }));
                (mesh, Source::Still)
            }
            None => {
                let (mesh, points) = read_points(path, topology, options)?;
                (mesh, Source::Points(points))
            }
        };
        let (mesh, arranged) = options.arrange(mesh)?;
        Ok(Self { mesh, source, arranged })
    }

    /// The mesh in its first pose.
    pub fn mesh(&self) -> &FileMesh {
        &self.mesh
    }

    /// When the motion begins and ends, s; before and after, the mesh rests.
    pub fn span(&self) -> (f64, f64) {
        let ends = |times: &[f64]| (times[0], times[times.len() - 1]);
        match &self.source {
            Source::Still => (0.0, 0.0),
            Source::Scene(scene, animation) => (0.0, animation.map_or(0.0, |index| scene.animations()[index].1)),
            Source::Points(points) => ends(&points.times),
            Source::Sequence(sequence) => ends(&sequence.times),
        }
    }

    /// Positions at a time in s, m with y up; between frames they go straight on.
    pub fn sample(&self, time: f64, x: &mut Vec<Vec3>) -> Result<(), SampleError> {
        match &self.source {
            Source::Still => {
                x.clone_from(&self.mesh.positions);
                return Ok(());
            }
            Source::Scene(scene, animation) => scene.sample(*animation, time, x),
            Source::Points(points) => {
                let (k, s) = between(&points.times, time);
                x.clear();
                match s {
                    0.0 => x.extend(points.frame(k)),
                    _ => x.extend(points.frame(k).zip(points.frame(k + 1)).map(|(a, b)| a.lerp(b, s))),
                }
            }
            Source::Sequence(sequence) => {
                let (k, s) = between(&sequence.times, time);
                x.clone_from(&sequence.frames[k]);
                if s > 0.0 {
                    x.iter_mut().zip(&sequence.frames[k + 1]).for_each(|(a, b)| *a = a.lerp(*b, s));
                }
            }
        }
        self.arranged.apply(x);
        match x.iter().position(|p| p.is_nan() || p.abs().max_element() > FARTHEST) {
            Some(vertex) => Err(SampleError { time, vertex, position: x[vertex].to_array() }),
            None => Ok(()),
        }
    }
}

/// The frame at or before a time, and how far the time is to the next: 0 outside.
fn between(times: &[f64], time: f64) -> (usize, f64) {
    let next = times.partition_point(|&t| t <= time);
    match next {
        0 => (0, 0.0),
        _ if next == times.len() => (next - 1, 0.0),
        _ => (next - 1, (time - times[next - 1]) / (times[next] - times[next - 1])),
    }
}

fn read_points(path: &Path, topology: Option<&Path>, options: &ReadOptions) -> Result<(FileMesh, Points), ReadError> {
    let ending = path.extension().unwrap_or_default();
    let points = match ending.to_str().map(str::to_ascii_lowercase).as_deref() {
        Some("pc2") => Points::parse_pc2(&text::read(path)?, options.fps),
        Some("mdd") => Points::parse_mdd(&text::read(path)?),
        _ => return Err(ReadError::UnknownEnding { path: path.to_path_buf() }),
    };
    let points = points.map_err(|problems| ReadError::wrong(path, problems))?;
    let topology: PathBuf = topology.map_or_else(|| path.with_extension("obj"), Path::to_path_buf);
    let mut mesh = obj::read(&topology)?;
    if mesh.positions.len() != points.points {
        let (found, needed) = (points.points, mesh.positions.len());
        let wrong = Collector::one::<()>(None, Wrong::VertexCount { found, needed });
        return Err(ReadError::wrong(path, wrong.expect_err("one problem")));
    }
    mesh.positions = points.frame(0).collect();
    Ok((mesh, points))
}
