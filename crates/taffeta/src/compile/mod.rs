//! Compiles a [`Setup`](crate::setup::Setup) into a [`World`](crate::world::World): checks it, then builds everything
//! that a step needs.

mod build;
mod check;
mod clamp;
mod coarse;
mod contact_pairs;
mod contacts;
mod crossings;
mod over;

pub use build::critical_damping;
