//! From a [`Setup`](crate::setup::Setup) to a [`World`](crate::world::World): checks, then everything that a step
//! needs.

mod build;
mod check;
mod clamp;
mod coarse;
mod contacts;

pub use build::critical_damping;
