//! What cloth is: its elements, how they are made from a mesh and a fabric, and the sum of their forces.

pub mod buckling;
#[cfg(test)]
mod check;
pub mod element;
pub(crate) mod elements;
pub(crate) mod fused;
pub mod hinge;
pub(crate) mod hinges;
mod lanes;
pub mod membrane;
pub(crate) mod network;
pub(crate) mod plate;
pub mod quadratic;
pub mod shear;
pub(crate) mod sheet;
pub mod spring;
pub mod stretch;
pub mod tension;
pub mod triangle;
