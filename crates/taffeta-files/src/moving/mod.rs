//! Meshes with their own motion: bodies that were animated elsewhere.
//!
//! | from | what moves |
//! |---|---|
//! | `.glb`, `.gltf` | nodes, skins and morph targets of one animation |
//! | a folder of OBJ or PLY files, or a pattern `NAME.####.obj` | one file per frame, numbered by frame |
//! | `.pc2`, `.mdd` | with the OBJ file of the same name beside it, or one that is named |
//! | `.npz`, `.usda` | as Taffeta writes them |
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
mod times;

pub use sequence::find as find_sequence;
pub use times::FrameTimes;

use times::LAST_NUMBER;

use crate::format::{Format, Reader};
use crate::hashed_file::HashedFile;
use crate::mesh::{self, Arranged, FileMesh, ReadOptions};
use crate::points::Points;
use crate::problem::{Collector, ReadError};
use crate::wrong::{FARTHEST, Wrong};
use crate::{Outside, file_beside, gltf, obj};
use std::path::{Path, PathBuf};
use taffeta::{BodyMesh, PoseError, Vec3};

/// A mesh whose positions change with time.
///
/// Only a few frames of a sequence are in memory; a frame is read again when it is needed, and its file must not have
/// changed. Point caches and glTF files are in memory as a whole.
#[derive(Debug)]
pub struct MovingMesh {
    mesh: FileMesh,
    source: Source,
    arranged: Arranged,
    delay: f64,
    files: Vec<HashedFile>,
}

#[derive(Debug)]
enum Source {
    Still,
    Scene(Box<gltf::Scene>, Option<usize>),
    Points(Points),
    Sequence(sequence::Sequence),
    Recorded(Recorded),
}

/// Frames that are all in memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recorded {
    /// Times, s, ascending.
    pub times: Vec<f64>,
    /// One frame for each time.
    pub frames: Vec<Vec<Vec3>>,
    /// Frames per second, if the file has a rate.
    pub fps: Option<f64>,
    /// Rest positions, if the file has them.
    pub rest: Option<Vec<Vec3>>,
}

impl MovingMesh {
    /// Reads a moving mesh. `topology` names the OBJ file of a point cache; the file of the same name if absent.
    pub fn read(path: &Path, topology: Option<&Path>, options: &ReadOptions) -> Result<Self, ReadError> {
        options.check()?;
        let mut files = Vec::new();
        let wrong = |problems| ReadError::wrong(path, problems);
        let reader = Format::reading(path).map_or(&Reader::Nothing, |format| &format.info().reader);
        let (mesh, source) = match *reader {
            _ if path.is_dir() || sequence::is_pattern(path) => {
                let (mesh, sequence) = sequence::read(path, options)?;
                files.extend_from_slice(&sequence.files);
                (mesh, Source::Sequence(sequence))
            }
            Reader::Still { mesh, .. } => (mesh(&keep(&mut files, path)?).map_err(wrong)?, Source::Still),
            Reader::Scene => read_scene(path, options, &mut files)?,
            Reader::Recorded(parse) => {
                let (mesh, recorded) = parse(&keep(&mut files, path)?, options.fps).map_err(wrong)?;
                (mesh, Source::Recorded(recorded))
            }
            Reader::Points { points, .. } => {
                let points = points(&keep(&mut files, path)?, options.fps).map_err(wrong)?;
                let mesh = read_topology(path, topology, &points, &mut files)?;
                (mesh, Source::Points(points))
            }
            Reader::Nothing => return Err(ReadError::UnknownEnding { path: path.to_path_buf() }),
        };
        let (mesh, arranged) = options.arrange(path, mesh)?;
        Ok(Self { mesh, source, arranged, delay: options.delay, files })
    }

    /// The mesh in its first pose.
    pub fn mesh(&self) -> &FileMesh {
        &self.mesh
    }

    /// The files that it was read from. If the given path is a file, it comes first.
    pub fn files(&self) -> &[HashedFile] {
        &self.files
    }

    /// Start and end of the motion, s; before and after it the mesh rests.
    pub fn span(&self) -> (f64, f64) {
        let ends = |times: &[f64]| (times[0], times[times.len() - 1]);
        let (begin, end) = match &self.source {
            Source::Still => (0.0, 0.0),
            Source::Scene(scene, animation) => (0.0, animation.map_or(0.0, |index| scene.animations()[index].1)),
            Source::Points(points) => ends(&points.times),
            Source::Sequence(sequence) => ends(&sequence.times),
            Source::Recorded(recorded) => ends(&recorded.times),
        };
        (begin + self.delay, end + self.delay)
    }

    /// Whether its frames come from an exported run.
    pub(crate) fn is_recorded(&self) -> bool {
        matches!(self.source, Source::Recorded(_))
    }

    /// Rest positions, if the file has them in addition to its frames.
    pub(crate) fn rest(&self) -> Option<Vec<Vec3>> {
        let Source::Recorded(Recorded { rest: Some(rest), .. }) = &self.source else { return None };
        let mut rest = rest.clone();
        self.arranged.apply(&mut rest);
        Some(rest)
    }

    /// The frames of the file, or frames at another rate if one is given. Unevenly spaced frames of a file are kept if
    /// `even` is false. Frames are not listed where a small file could make the list long.
    pub fn frames(&self, fps: Option<f64>, even: bool) -> FrameTimes {
        let (begin, end) = self.span();
        let times = match &self.source {
            Source::Still | Source::Scene(_, None) => {
                return FrameTimes::listed(fps.unwrap_or(USUAL_FPS), vec![(0, begin)]);
            }
            Source::Scene(scene, Some(animation)) => {
                let rate = fps.unwrap_or_else(|| scene.rate(*animation));
                return FrameTimes::regular(begin, end, rate);
            }
            Source::Points(points) => &points.times,
            Source::Sequence(sequence) => &sequence.times,
            Source::Recorded(recorded) => &recorded.times,
        };
        let own = match &self.source {
            Source::Recorded(Recorded { fps: Some(fps), .. }) => *fps,
            Source::Points(points) if points.timed => rate_of(times),
            Source::Recorded(_) => rate_of(times),
            _ => self.arranged.fps(),
        };
        let rate = fps.unwrap_or(own);
        let number = |time: f64| (time * rate).round();
        // beyond this, f64 cannot hold every whole frame number
        let fits = |time: &f64| {
            (time * rate - number(*time)).abs() < 0.01 && (0.0..=LAST_NUMBER as f64).contains(&number(*time))
        };
        let difference = |pair: &[f64]| number(pair[1]) - number(pair[0]);
        let gap = times.get(..2).map_or(1.0, difference);
        let rises = times.windows(2).all(|pair| difference(pair) >= 1.0 && (!even || difference(pair) == gap));
        // a file whose frames do not match those of another rate is sampled at that rate
        let whole = fps.is_none_or(|fps| (fps / own - 1.0).abs() < 1e-6);
        if whole && rises && times.iter().all(fits) {
            let list = times.iter().map(|&time| (number(time) as u64, time + self.delay));
            return FrameTimes::listed(rate, list.collect());
        }
        FrameTimes::regular(begin, end, rate)
    }

    /// Positions at a time in s, m with y up; linear between frames.
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
            Source::Recorded(recorded) => {
                let (k, s) = between(&recorded.times, own);
                x.clone_from(&recorded.frames[k]);
                if s > 0.0 {
                    x.iter_mut().zip(&recorded.frames[k + 1]).for_each(|(a, b)| *a = a.lerp(*b, s));
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

/// Default frames per second, as in films.
const USUAL_FPS: f64 = 24.0;
/// Frames per second of frames at these times. Nearly whole rates are rounded, since times are often rounded to f32.
pub(crate) fn rate_of(times: &[f64]) -> f64 {
    let gap = times.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::INFINITY, f64::min);
    // the mean over all frames has the smallest rounding error
    let span = times.last().unwrap_or(&0.0) - times.first().unwrap_or(&0.0);
    let steps = (span / gap).round();
    let rate = if steps >= 1.0 && steps.is_finite() { steps / span } else { 1.0 / gap };
    match rate.round() {
        whole if (rate - whole).abs() < 1e-3 * whole => whole,
        _ if rate > 0.0 && rate.is_finite() => rate,
        _ => USUAL_FPS,
    }
}

/// The frame at or before a time, and the fraction of the way to the next frame: 0 outside.
fn between(times: &[f64], time: f64) -> (usize, f64) {
    let next = times.partition_point(|&t| t <= time);
    match next {
        0 => (0, 0.0),
        _ if next == times.len() => (next - 1, 0.0),
        _ => (next - 1, (time - times[next - 1]) / (times[next] - times[next - 1])),
    }
}

/// Reads a file and adds it to `files`.
fn keep(files: &mut Vec<HashedFile>, path: &Path) -> Result<Vec<u8>, ReadError> {
    let (file, bytes) = HashedFile::read(path)?;
    files.push(file);
    Ok(bytes)
}

fn read_scene(
    path: &Path,
    options: &ReadOptions,
    files: &mut Vec<HashedFile>,
) -> Result<(FileMesh, Source), ReadError> {
    let wrong = |problems| ReadError::wrong(path, problems);
    let bytes = keep(files, path)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut open = gltf::beside(path);
    let mut load = |name: &str| {
        let bytes = open(name)?;
        files.push(HashedFile::of(&folder.join(name), &bytes));
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

/// The mesh of a point cache, in its first frame.
fn read_topology(
    path: &Path,
    topology: Option<&Path>,
    points: &Points,
    files: &mut Vec<HashedFile>,
) -> Result<FileMesh, ReadError> {
    let beside = path.with_extension("obj");
    if topology.is_none()
        && let Some(name) = beside.file_name().and_then(|name| name.to_str())
        && let Err(Outside::Outside) = file_beside(path, name)
    {
        return Err(ReadError::io(&beside, Outside::Outside.into()));
    }
    let topology: PathBuf = topology.map_or(beside, Path::to_path_buf);
    let mesh = obj::parse(&keep(files, &topology)?);
    let mut mesh = mesh.map_err(|problems| ReadError::wrong(&topology, problems))?;
    if mesh.positions.len() != points.points {
        let (found, needed) = (points.points, mesh.positions.len());
        let wrong = Collector::one::<()>(None, Wrong::VertexCount { found, needed });
        return Err(ReadError::wrong(path, wrong.expect_err("one problem")));
    }
    mesh.positions = points.frame(0).collect();
    Ok(mesh)
}
