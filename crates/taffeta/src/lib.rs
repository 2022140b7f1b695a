//! Taffeta simulates cloth: SI units, mesh-independent, the same bits on any number of threads.
//!
//! The library opens no file and prints nothing; it reads the clock only to tell where time goes. Three types carry a simulation:
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

mod boundary;
mod clock;
pub mod contact;
mod control;
mod drape;
mod halt;
pub mod intersect;
pub mod limit;
mod linear;
pub mod measure;
pub mod method;
pub mod model;
mod parallel;
mod possible;
mod random;
mod state;
mod step;
mod wide;
pub mod world;

pub use clock::Times;
pub use contact::{Contact, Nearest, TooDeep};
pub use control::{Adaptive, Control};
pub use drape::{Drape, DrapeProgress, DrapeReport, drape, drape_unless};
pub use glam;
pub use glam::DVec3 as Vec3;
pub use halt::Halt;
pub use limit::{Limiter, Order, Overlong, Rule};
#[doc(hidden)]
pub use linear::equations;
pub use measure::{Depth, Measures, deepest, measure};
pub use method::{Imex, ImexOrder, Implicit, Method};
pub use model::spring::SpringKind;
pub use model::{Tangent, forces};
pub use possible::ImpossibleState;
pub use state::{Past, State, Workspace};
pub use step::{FrameReport, StepError, StepReport, advance_frame, advance_frame_unless, step};
pub use world::*;
