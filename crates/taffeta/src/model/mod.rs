//! What cloth is: its elements, how they are made from a mesh and a fabric, and the sum of their forces.

pub(crate) mod blocks;
#[cfg(test)]
mod check;
pub(crate) mod forces;
pub mod hinge;
pub(crate) mod network;
pub mod spring;
