//! Taffeta simulates cloth: SI units, mesh-independent, the same bits on any number of threads.
//!
//! The library opens no file, prints nothing and reads no clock. [`Simulation`] is what programs hold; it has three
//! parts:
//!
//! ```text
//! Setup ──World::new──▶ World      what is simulated, fixed during a run
//!                       State      x, v, time: exactly what a checkpoint holds
//!                       Workspace  scratch; dropping it changes no result
//!
//! step(&World, &mut State, &mut Workspace)      one step: read step.rs first
//! advance_frame(…)                              as many steps as a frame takes
//! drape(&World, &mut State, …)                  static equilibrium
//! measure(&World, &State)                       energies, stretch, momentum
//! ```

mod algebra;
mod boundary;
mod clock;
mod compile;
pub mod contact;
mod control;
mod drape;
mod force;
mod frame;
mod friction;
mod halt;
pub mod intersect;
mod limit;
mod linear;
pub mod measure;
mod memory;
mod method;
pub mod model;
mod parallel;
mod possible;
mod random;
mod report;
mod setup;
mod shape;
mod simulation;
mod solid;
mod state;
mod step;
mod wide;
mod workspace;
mod world;

pub use clock::Times;
pub use compile::critical_damping;
pub use contact::TooDeep;
pub use drape::{Drape, DrapeProgress, DrapeReport, drape, drape_unless};
pub use force::{Tangent, frequency_at};
pub use frame::{advance_frame, advance_frame_unless};
pub use glam;
pub use glam::DVec3 as Vec3;
pub use halt::Halt;
pub use measure::{Depth, Measures, deepest, measure};
#[doc(hidden)]
pub use method::equations;
pub use possible::ImpossibleState;
pub use report::{FrameReport, Overlong, StepError, StepReport};
pub use setup::*;
pub use shape::{Nearest, Triangles};
pub use simulation::{Action, ActionError, Simulation, SimulationError, Snapshot, TimedAction};
pub use state::{Contact, Control, Past, State};
pub use step::step;
pub use workspace::{Workspace, forces};
pub use world::*;

/// The example of the README is compiled.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// The code of the page about using it.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/how-to/library.md")]
struct Using;
