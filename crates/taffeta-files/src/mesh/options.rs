//! Options for reading a mesh: units, up-axis, welding, parts, animation.

use super::{FileMesh, Note, Weld, duplicates};
use crate::problem::Collector;
use crate::{FARTHEST, ReadError};
use std::path::Path;
use taffeta::Vec3;

/// Which axis of the file points up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Up {
    /// y is up, as in Taffeta.
    #[default]
    Y,
    /// z is up, as in Blender, 3ds Max and CAD: (x, y, z) becomes (x, z, -y).
    Z,
}

/// Options for reading a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadOptions {
    /// Metres per unit of the file: 0.01 for centimetres.
    pub unit: f64,
    /// Which axis of the file points up. A correct glTF file has y up.
    pub up: Up,
    /// Welds vertices that are no farther apart than this (m); 0 joins only coincident vertices. `None`: no welding.
    pub weld: Option<f64>,
    /// Frames per second of sequences and point caches that have no rate.
    pub fps: f64,
    /// Which animation of a glTF file is played; the first if absent.
    pub animation: Option<String>,
    /// Reads only the objects or groups of this name; all if absent.
    pub part: Option<String>,
    /// Seconds by which a motion starts later than in its file.
    pub delay: f64,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { unit: 1.0, up: Up::Y, weld: None, fps: 24.0, animation: None, part: None, delay: 0.0 }
    }
}

/// The smallest welding distance other than 0, m: with less, cell indices of the search would not fit 64 bits.
const LEAST_WELD: f64 = 1e-9;

impl ReadOptions {
    pub(crate) fn check(&self) -> Result<(), ReadError> {
        let wrong = |what: String| Err(ReadError::Options { what });
        if !(1e-9..=1e9).contains(&self.unit) {
            return wrong(format!("a unit of {} m is not between 1e-9 and 1e9", self.unit));
        }
        if !(self.fps > 0.0 && self.fps <= 1e6) {
            return wrong(format!("{} frames in a second are not between 0 and 1e6", self.fps));
        }
        if !(-1e9..=1e9).contains(&self.delay) {
            return wrong(format!("a delay of {} s makes no sense", self.delay));
        }
        match self.weld {
            Some(weld) if weld != 0.0 && !(LEAST_WELD..=1e9).contains(&weld) => {
                wrong(format!("a distance of {weld} m for welding is neither 0 nor at least {LEAST_WELD:e}"))
            }
            _ => Ok(()),
        }
    }

    /// Converts a point of the file to metres with y up.
    pub fn place(&self, p: Vec3) -> Vec3 {
        let p = if self.unit == 1.0 { p } else { p * self.unit };
        match self.up {
            Up::Y => p,
            Up::Z => Vec3::new(p.x, p.z, -p.y),
        }
    }

    /// Converts a mesh to metres with y up, takes the requested part and welds it. The second value applies the same
    /// selection to other positions of the mesh.
    pub(crate) fn arrange(&self, path: &Path, mut mesh: FileMesh) -> Result<(FileMesh, Arranged), ReadError> {
        let vertices = mesh.positions.len();
        mesh.positions.iter_mut().for_each(|p| *p = self.place(*p));
        if let Some(vertex) = mesh.positions.iter().position(|p| p.abs().max_element() > FARTHEST) {
            let what = format!("with a unit of {} m, vertex {vertex} is farther away than {FARTHEST:e} m", self.unit);
            return Err(ReadError::Options { what });
        }
        let mut part = None;
        if let Some(name) = &self.part {
            let found = mesh.named(name).or_else(|wrong| Collector::one(None, wrong));
            let (only, used) = found.map_err(|problems| ReadError::wrong(path, problems))?;
            (mesh, part) = (only, Some(used));
        }
        let weld = match self.weld {
            Some(distance) => {
                let weld = Weld::new(&mesh.positions, distance);
                weld.apply(&mut mesh);
                Some(weld)
            }
            None => {
                let count = duplicates(&mesh.positions);
                if count > 0 {
                    mesh.notes.push(Note::Duplicates { count });
                }
                None
            }
        };
        Ok((mesh, Arranged { options: self.clone(), vertices, part, weld }))
    }
}

/// The part and the welding of a mesh, to be applied to other positions of the same vertices.
#[derive(Clone, Debug)]
pub struct Arranged {
    options: ReadOptions,
    vertices: usize,
    /// The vertices of the part.
    part: Option<Vec<u32>>,
    weld: Option<Weld>,
}

impl Arranged {
    /// Number of vertices in the file.
    pub fn vertices(&self) -> usize {
        self.vertices
    }

    /// Reduces positions of the file's vertices, in metres with y up, to those of the mesh: selects the part and welds.
    pub fn select(&self, x: &mut Vec<Vec3>) {
        if let Some(part) = &self.part {
            // indices ascend: none is overwritten before it is read
            part.iter().enumerate().for_each(|(to, &from)| x[to] = x[from as usize]);
            x.truncate(part.len());
        }
        if let Some(weld) = &self.weld {
            weld.gather(x);
        }
    }

    /// Frames per second of files that have no rate.
    pub(crate) fn fps(&self) -> f64 {
        self.options.fps
    }

    pub(crate) fn apply(&self, x: &mut Vec<Vec3>) {
        x.iter_mut().for_each(|p| *p = self.options.place(*p));
        self.select(x);
    }
}
