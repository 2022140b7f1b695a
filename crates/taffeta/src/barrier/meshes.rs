//! Bodies that are meshes in a step: where their points start and end.

use crate::Vec3;
use crate::report::Rejection;
use crate::world::World;

/// The points of all bodies that are meshes.
#[derive(Default)]
pub(super) struct Meshes {
    pub start: Vec<Vec3>,
    pub end: Vec<Vec3>,
    /// The times that both are for, s.
    times: [f64; 2],
    buffer: Vec<Vec3>,
    /// Whether any point moves in the step.
    pub moves: bool,
}

impl Meshes {
    pub fn new(world: &World) -> Self {
        let count = world.barrier.as_ref().map_or(0, |settings| settings.points());
        let zeros = || vec![Vec3::ZERO; count];
        Self { start: zeros(), end: zeros(), times: [f64::NAN; 2], ..Self::default() }
    }

    /// Begins a step from a time to another.
    pub fn begin(&mut self, world: &World, times: [f64; 2]) -> Result<(), Rejection> {
        if self.start.is_empty() || self.times == times {
            return Ok(());
        }
        let known = self.times;
        self.times = [f64::NAN; 2]; // until both are found
        if known[1] == times[0] {
            std::mem::swap(&mut self.start, &mut self.end);
        } else if known[0] != times[0] {
            find(world, times[0], known[0].is_nan(), &mut self.buffer, &mut self.start)?;
        }
        // what never moves is found once
        find(world, times[1], known[1].is_nan(), &mut self.buffer, &mut self.end)?;
        self.moves = self.start != self.end;
        self.times = times;
        Ok(())
    }
}

/// Finds the points of bodies at a time: of `all` bodies, or of those that move.
fn find(world: &World, time: f64, all: bool, buffer: &mut Vec<Vec3>, x: &mut [Vec3]) -> Result<(), Rejection> {
    let Some(settings) = &world.barrier else { return Ok(()) };
    for mesh in settings.meshes.iter().filter(|mesh| all || mesh.moves) {
        let found = mesh.at(&world.bodies[mesh.body as usize], time, buffer, &mut x[mesh.points.clone()]);
        found.map_err(|_| Rejection::NoPose { body: mesh.body })?;
    }
    Ok(())
}
