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
use crate::seen::SeenFile;
use crate::wrong::{FARTHEST, Wrong};
use crate::{gltf, obj};
use std::path::{Path, PathBuf};
use taffeta::{BodyMesh, PoseError, Vec3};

/// A mesh whose positions change with time.
///
/// Of a sequence a few frames are in memory, however many there are; a frame is read again when it is needed, and must
/// be what it was. Point caches and glTF files are in memory as a whole.
#[derive(Debug)]
pub struct MovingMesh {
    mesh: FileMesh,
    source: Source,
    arranged: Arranged,
    delay: f64,
    files: Vec<SeenFile>,
}

#[derive(Debug)]
enum Source {
    Still,
    Scene(Box<gltf::Scene>, Option<usize>),
    Points(Points),
    Sequence(sequence::Sequence),
}

impl MovingMesh {
    /// Reads what moves. `topology` names the OBJ file of a point cache; without it, the one of the same name.
    pub fn read(path: &Path, topology: Option<&Path>, options: &ReadOptions) -> Result<Self, ReadError> {
        options.check()?;
        let mut files = Vec::new();
        let (mesh, source) = match MeshFormat::of(path) {
            _ if path.is_dir() || sequence::is_pattern(path) => {
                let (mesh, sequence) = sequence::read(path, options)?;
                files.extend_from_slice(&sequence.files);
                (mesh, Source::Sequence(sequence))
            }
            Some(format @ (MeshFormat::Obj | MeshFormat::Ply)) => {
                let bytes = keep(&mut files, path)?;
                let mesh = mesh::contents(format, &bytes, &mut gltf::nothing_beside);
                (mesh.map_err(|problems| ReadError::wrong(path, problems))?, Source::Still)
            }
            Some(MeshFormat::Glb | MeshFormat::Gltf) => read_scene(path, options, &mut files)?,
            None => {
                let (mesh, points) = read_points(path, topology, options, &mut files)?;
                (mesh, Source::Points(points))
            }
        };
        let (mesh, arranged) = options.arrange(path, mesh)?;
        Ok(Self { mesh, source, arranged, delay: options.delay, files })
    }

    /// The mesh in its first pose.
    pub fn mesh(&self) -> &FileMesh {
        &self.mesh
    }

    /// The files that it was made from; the one that was named, if it is a file, first.
    pub fn files(&self) -> &[SeenFile] {
        &self.files
    }

    /// When the motion begins and ends, s; before and after, the mesh rests.
    pub fn span(&self) -> (f64, f64) {
        let ends = |times: &[f64]| (times[0], times[times.len() - 1]);
        let (begin, end) = match &self.source {
            Source::Still => (0.0, 0.0),
            Source::Scene(scene, animation) => (0.0, animation.map_or(0.0, |index| scene.animations()[index].1)),
            Source::Points(points) => ends(&points.times),
            Source::Sequence(sequence) => ends(&sequence.times),
        };
        (begin + self.delay, end + self.delay)
    }

    /// Positions at a time in s, m with y up; between frames they go straight on.
    pub fn sample(&self, time: f64, x: &mut Vec<Vec3>) -> Result<(), PoseError> {
        let own = time - self.delay;
        match &self.source {
            Source::Still => {
                x.clone_from(&self.mesh.positions);
                return Ok(());
            }
            Source::Scene(scene, animation) => scene.sample(*animation, own, x),
            Source::Points(points) => {
                let (k, s) = between(&points.times, own);
                x.clear();
                match s {
                    0.0 => x.extend(points.frame(k)),
                    _ => x.extend(points.frame(k).zip(points.frame(k + 1)).map(|(a, b)| a.lerp(b, s))),
                }
            }
            Source::Sequence(sequence) => {
                let (k, s) = between(&sequence.times, own);
                let failed = |why| PoseError { time, why };
                x.clone_from(&*sequence.frame(k).map_err(failed)?);
                if s > 0.0 {
                    let next = sequence.frame(k + 1).map_err(failed)?;
                    x.iter_mut().zip(next.iter()).for_each(|(a, b)| *a = a.lerp(*b, s));
                }
            }
        }
        self.arranged.apply(x);
        match x.iter().position(|p| p.is_nan() || p.abs().max_element() > FARTHEST) {
            Some(vertex) => {
                let [a, b, c] = x[vertex].to_array();
                Err(PoseError { time, why: format!("vertex {vertex} is not at a place: ({a}, {b}, {c})") })
            }
            None => Ok(()),
        }
    }
}

impl BodyMesh for MovingMesh {
    fn vertices(&self) -> usize {
        self.mesh.positions.len()
    }

    fn triangles(&self) -> &[[u32; 3]] {
        &self.mesh.triangles
    }

    fn positions(&self, time: f64, x: &mut Vec<Vec3>) -> Result<(), PoseError> {
        self.sample(time, x)
    }

    fn span(&self) -> (f64, f64) {
        self.span()
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

/// Reads a file and remembers it.
fn keep(files: &mut Vec<SeenFile>, path: &Path) -> Result<Vec<u8>, ReadError> {
    let (seen, bytes) = SeenFile::read(path)?;
    files.push(seen);
    Ok(bytes)
}

fn read_scene(path: &Path, options: &ReadOptions, files: &mut Vec<SeenFile>) -> Result<(FileMesh, Source), ReadError> {
    let wrong = |problems| ReadError::wrong(path, problems);
    let bytes = keep(files, path)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut open = gltf::beside(path);
    let mut load = |name: &str| {
        let bytes = open(name)?;
        files.push(SeenFile::of(&folder.join(name), &bytes));
        Ok(bytes)
    };
    let scene = gltf::parse(&bytes, &mut load).map_err(wrong)?;
    let animation = scene.animation(options.animation.as_deref());
    let animation = animation.or_else(|w| Collector::one(None, w)).map_err(wrong)?;
    let mut mesh = scene.mesh();
    if let ([(played, _), (next, _), more @ ..], None) = (scene.animations().as_slice(), &options.animation) {
        let (played, next) = (played.clone(), next.clone());
        mesh.notes.push(mesh::Note::OtherAnimations { played, others: 1 + more.len(), next });
    }
    Ok((mesh, Source::Scene(Box::new(scene), animation)))
}

fn read_points(
    path: &Path,
    topology: Option<&Path>,
    options: &ReadOptions,
    files: &mut Vec<SeenFile>,
) -> Result<(FileMesh, Points), ReadError> {
    let ending = path.extension().unwrap_or_default();
    let points = match ending.to_str().map(str::to_ascii_lowercase).as_deref() {
        Some("pc2") => Points::parse_pc2(&keep(files, path)?, options.fps),
        Some("mdd") => Points::parse_mdd(&keep(files, path)?),
        _ => return Err(ReadError::UnknownEnding { path: path.to_path_buf() }),
    };
    let points = points.map_err(|problems| ReadError::wrong(path, problems))?;
    let topology: PathBuf = topology.map_or_else(|| path.with_extension("obj"), Path::to_path_buf);
    let mesh = obj::parse(&keep(files, &topology)?);
    let mut mesh = mesh.map_err(|problems| ReadError::wrong(&topology, problems))?;
    if mesh.positions.len() != points.points {
        let (found, needed) = (points.points, mesh.positions.len());
        let wrong = Collector::one::<()>(None, Wrong::VertexCount { found, needed });
        return Err(ReadError::wrong(path, wrong.expect_err("one problem")));
    }
    mesh.positions = points.frame(0).collect();
    Ok((mesh, points))
}
