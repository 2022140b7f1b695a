//! What is simulated, fixed during a run.

mod air;
mod body;
mod fabric;
mod mesh;
mod pin;
mod place;
mod select;
mod setup;

pub use air::{Air, Gust};
pub use body::{Body, Shape};
pub use fabric::{Fabric, FabricDamping, Friction};
pub use mesh::{Grid, MAX_VERTICES, Mesh, MeshProblem, MeshProblems, Pattern};
pub use pin::{Hold, Pin};
pub use place::{Key, Motion, Place};
pub use select::{Corner, Select, Side};
pub use setup::{
    Bending, Cloth, Components, Load, MassSpring, Material, Model, Noise, Raw, Setup, StepSize, Time, ViscousDamping,
};

use crate::{State, Vec3};
use std::ops::Range;

/// What is simulated. Fixed during a run, shared by all threads.
#[derive(Debug)]
pub struct World {
    /// The pieces of cloth, in the order of their particles.
    pub cloths: Vec<ClothRange>,
    /// Rest positions before `place` ((u, v, 0) where uv has no seam, else the mesh's shape), m.
    pub rest: Vec<Vec3>,
    /// First positions, m.
    pub start: Vec<Vec3>,
    /// Triangles of all cloths, numbered over all particles.
    pub triangles: Vec<[u32; 3]>,
    /// Material coordinates of the triangles' corners, m.
    pub uv: Vec<[[f64; 2]; 3]>,
    /// kg, one per particle.
    pub mass: Vec<f64>,
    /// Bodies.
    pub bodies: Vec<Body>,
    /// Names of the pins of all cloths, in order, such as `sheet.pin[0]`.
    pub pin_names: Vec<String>,
    /// Steps that each frame is cut into.
    pub steps_per_frame: u32,
    /// Frames in a second.
    pub fps: f64,
    /// What the user should know though nothing is wrong, e.g. that nothing collides with a body.
    pub warnings: Vec<Warning>,
}

/// The particles and triangles of one piece of cloth.
#[derive(Clone, Debug, PartialEq)]
pub struct ClothRange {
    /// Its name.
    pub name: String,
    /// Its particles.
    pub vertices: Range<usize>,
    /// Its triangles.
    pub triangles: Range<usize>,
}

/// What is wrong with a [`Setup`], and where.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{path}: {message}")]
pub struct Problem {
    /// The value in the setup, in the words of scene files: `cloth.0.pin.1.select`.
    pub path: String,
    /// What is wrong.
    pub message: String,
    /// A way out.
    pub help: String,
}

/// What the user should know though nothing is wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct Warning {
    /// As in [`Problem::path`].
    pub path: String,
    /// What to know.
    pub message: String,
}

impl World {
    /// Checks a setup and builds everything a step needs. All that is wrong is reported at once.
    pub fn new(setup: Setup) -> Result<Self, Vec<Problem>> {
        let _ = setup;
        todo!()
    }

    /// The state at time 0.
    pub fn start(&self) -> State {
        todo!()
    }

    /// The longest stable step by the estimate, s; `None` if the method has none.
    pub fn stable_step(&self) -> Option<f64> {
        todo!()
    }

    /// Number of springs and hinges.
    pub fn element_counts(&self) -> ElementCounts {
        todo!()
    }

    /// Bytes that the world, a state and a workspace take together.
    pub fn memory(&self) -> u64 {
        todo!()
    }
}

/// How many elements of each kind there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct ElementCounts {
    pub structural: usize,
    pub shear: usize,
    pub flexion: usize,
    pub hinges: usize,
}
