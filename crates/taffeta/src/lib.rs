//! The cloth simulator: SI units, the same cloth on any mesh, the same bits on any number of threads.
//!
//! Use this crate to simulate cloth inside another program. It opens no file, prints nothing and reads no clock. The
//! crates `taffeta-scene`, `taffeta-files` and `taffeta-render` add scene files, meshes and exports, and pictures.
//!
//! [`Setup`] is plain data: cloths, fabrics, pins, bodies, a method. [`Simulation`] is what a program holds: it checks
//! a setup, steps it frame by frame, takes [`Action`]s from outside, and goes back to [`Snapshot`]s.
//!
//! ```
//! use taffeta::{Body, Cloth, Mesh, Pattern, Place, Setup, Shape, Simulation, Vec3};
//!
//! // a sheet of half a metre falls on a ball below it
//! let mut sheet = Cloth::new("sheet", Mesh::grid([0.5, 0.5], [12, 12], Pattern::Alternating)?);
//! sheet.place = Place { rotate: Vec3::new(-90.0, 0.0, 0.0), ..Place::default() };
//! let mut setup = Setup::with_cloth(sheet);
//! setup.bodies.push(Body {
//!     name: "ball".into(),
//!     shape: Shape::Sphere { radius: 0.2 },
//!     place: Place { at: Vec3::new(0.0, -0.21, 0.0), ..Place::default() },
//!     ..Body::default()
//! });
//! let mut simulation = Simulation::new(&setup).map_err(|problems| problems[0].clone())?;
//! for _ in 0..10 {
//!     simulation.frame()?;
//! }
//! assert!(!simulation.contacts().is_empty());
//! let lowest = simulation.positions().iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
//! assert!(lowest < -0.03);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A simulation has three parts, which a program may also hold itself:
//!
//! ```text
//! Setup ──World::new──▶ World      what is simulated; only actions change it
//!                       State      x, v, time: exactly what a checkpoint holds
//!                       Workspace  buffers; dropping it changes no result
//!
//! step(&World, &mut State, &mut Workspace)      one step: read step.rs first
//! advance_frame(…)                              as many steps as a frame takes
//! drape(&World, &mut State, …)                  static equilibrium
//! measure(&World, &State)                       energies, stretch, momentum
//! ```

mod algebra;
mod barrier;
mod boundary;
pub mod broad;
mod clock;
mod compile;
pub mod contact;
mod control;
mod correct;
mod drape;
mod force;
mod frame;
mod friction;
pub mod guard;
mod halt;
mod hierarchy;
pub mod intersect;
mod limit;
mod linear;
pub mod measure;
mod memory;
mod method;
pub mod model;
pub mod narrow;
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
pub use report::{FrameReport, GuardReport, Overlong, StepError, StepReport};
pub use setup::*;
pub use shape::{Nearest, Triangles};
pub use simulation::{Simulation, SimulationError, Snapshot};
pub use state::{Anchor, Contact, ContactKey, ContactKind, Control, Exempt, Past, State, Touching};
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
