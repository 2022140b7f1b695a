//! What a checkpoint holds, and the scratch beside it.

use crate::{Vec3, World};

/// What a checkpoint holds, and nothing else. Equal states have equal futures.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Finished frames.
    pub frame: u64,
    /// Finished steps of the frame in work.
    pub step: u32,
    /// s.
    pub time: f64,
    /// Positions, m.
    pub x: Vec<Vec3>,
    /// Velocities, m/s.
    pub v: Vec<Vec3>,
}

/// Scratch. Dropping it between two steps costs time and changes nothing else.
#[derive(Default)]
pub struct Workspace {}

impl Workspace {
    /// Scratch of the right size for a world.
    pub fn new(world: &World) -> Self {
        let _ = world;
        todo!()
    }
}
