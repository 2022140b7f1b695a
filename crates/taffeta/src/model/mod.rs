//! What cloth is: its elements, how they are made from a mesh and a fabric, and the sum of their forces.

pub(crate) mod assemble;
pub mod buckling;
#[cfg(test)]
mod check;
mod definite;
pub mod element;
pub(crate) mod elements;
pub(crate) mod forces;
pub(crate) mod fused;
pub mod hinge;
pub(crate) mod hinges;
mod lanes;
pub mod membrane;
pub(crate) mod network;
pub(crate) mod plate;
pub mod quadratic;
pub(crate) mod rest_stiffness;
pub mod shear;
pub(crate) mod sheet;
pub mod spring;
pub mod stretch;
mod tangent;
pub mod tension;
pub mod triangle;

pub use tangent::Tangent;

/// Forces on all particles in a state, N: everything but what pins and limits do.
pub fn forces<'a>(world: &crate::World, state: &crate::State, work: &'a mut crate::Workspace) -> &'a [crate::Vec3] {
    forces::evaluate(world, state.time, &state.x, &state.v, &mut work.force, &mut work.forces);
    forces::add_loads(world, state.time, &mut work.force);
    &work.force
}
