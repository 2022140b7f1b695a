//! Energies, stretch, momentum: what reports and tests ask.

use crate::{State, Vec3, World};

/// What can be said of a state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measures {
    /// J.
    pub kinetic: f64,
    /// J, 0 at the start.
    pub gravity: f64,
    /// J in structural springs.
    pub stretch: f64,
    /// J in shear springs.
    pub shear: f64,
    /// J in flexion springs and hinges.
    pub bend: f64,
    /// Height (y) of the centre of mass, m.
    pub com_height: f64,
    /// Largest relative elongation of a mesh edge.
    pub max_stretch: f64,
    /// Mean relative elongation of mesh edges (compression counts negative).
    pub mean_stretch: f64,
    /// Fastest vertex, m/s.
    pub max_speed: f64,
    /// kg m/s.
    pub momentum: Vec3,
    /// About the origin, kg m²/s.
    pub angular_momentum: Vec3,
}

/// Measures a state.
pub fn measure(world: &World, state: &State) -> Measures {
    let _ = (world, state);
    todo!()
}
