//! How a file is to be understood.

use super::{FileMesh, Note, Weld, duplicates};
use crate::{FARTHEST, ReadError};
use taffeta::Vec3;

/// Which axis of the file points up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Up {
    /// As in Taffeta.
    #[default]
    Y,
    /// As in Blender, 3ds Max and CAD: (x, y, z) becomes (x, z, -y).
    Z,
}

/// How a file is to be understood.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadOptions {
    /// Metres in a unit of the file: 0.01 for centimetres.
    pub unit: f64,
    /// Which axis of the file points up. A glTF file has y up unless something went wrong on its way.
    pub up: Up,
    /// Makes vertices one that are no farther apart than this (m); 0 joins equal ones only. `None`: left alone.
    pub weld: Option<f64>,
    /// Frames in a second of sequences and point caches that do not say.
    pub fps: f64,
    /// Which animation of a glTF file is played; the first if absent.
    pub animation: Option<String>,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { unit: 1.0, up: Up::Y, weld: None, fps: 24.0, animation: None }
    }
}

/// The smallest distance for welding other than 0, m: below, cells of the search would not fit 64 bits.
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
        match self.weld {
            Some(weld) if weld != 0.0 && !(LEAST_WELD..=1e9).contains(&weld) => {
                wrong(format!("a distance of {weld} m for welding is neither 0 nor at least {LEAST_WELD:e}"))
            }
            _ => Ok(()),
        }
    }

    /// A point of the file in metres with y up.
    pub(crate) fn place(&self, p: Vec3) -> Vec3 {
        let p = if self.unit == 1.0 { p } else { p * self.unit };
        match self.up {
            Up::Y => p,
            Up::Z => Vec3::new(p.x, p.z, -p.y),
        }
    }

    /// Puts a mesh in metres with y up and welds it. The second value tells what to do with other positions of it.
    pub(crate) fn arrange(&self, mut mesh: FileMesh) -> Result<(FileMesh, Arranged), ReadError> {
        mesh.positions.iter_mut().for_each(|p| *p = self.place(*p));
        if let Some(vertex) = mesh.positions.iter().position(|p| p.abs().max_element() > FARTHEST) {
            let what = format!("with a unit of {} m, vertex {vertex} is farther away than {FARTHEST:e} m", self.unit);
            return Err(ReadError::Options { what });
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
        Ok((mesh, Arranged { options: self.clone(), weld }))
    }
}

/// What was done to a mesh, to be done to other positions of the same vertices.
#[derive(Clone, Debug)]
pub(crate) struct Arranged {
    options: ReadOptions,
    weld: Option<Weld>,
}

impl Arranged {
    pub fn apply(&self, x: &mut Vec<Vec3>) {
        x.iter_mut().for_each(|p| *p = self.options.place(*p));
        if let Some(weld) = &self.weld {
            weld.gather(x);
        }
    }
}
