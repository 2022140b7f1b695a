//! The interface between the loop of a run and the simulation.

use super::{Ended, Failure};
use crate::Surface;
use serde_json::{Map, Value};
use std::sync::{Arc, OnceLock};
use std::time::Instant;
use taffeta::{Body, FrameReport, Halt, ImpossibleState, Measures, Simulation, State, Times, World};

/// Produces frames one after the other: a [`Simulation`], a [`Draper`](super::Draper), or a fake in tests.
///
/// Equal states must have equal futures, so that a resumed run equals one that was never stopped.
pub trait FrameSource {
    /// The data that stays the same in all frames.
    fn surface(&self) -> Surface;
    /// Frames per second.
    fn fps(&self) -> f64;
    /// Names of the pins, in the order of [`FrameReport::pins`].
    fn pin_names(&self) -> &[String];
    /// Names of the bodies, in the order of [`FrameReport::bodies`].
    fn body_names(&self) -> Vec<String> {
        Vec::new()
    }
    /// The bodies as they move now.
    fn bodies(&self) -> &[Body] {
        &[]
    }
    /// What cloth collides with, for the words about what crosses at the end.
    fn collides(&self) -> Collides {
        Collides::default()
    }
    /// Whether anything can touch; if so, the run has contact forces.
    fn can_touch(&self) -> bool {
        false
    }
    /// The current state: initially that at time 0.
    fn state(&self) -> &State;
    /// Checks whether this source can reach a state at the end of a frame.
    fn check(&self, state: &State) -> Result<(), ImpossibleState> {
        let _ = state;
        Ok(())
    }
    /// Moves to a state at the end of a frame that [`check`](Self::check) accepts.
    fn go_to(&mut self, state: State) -> Result<(), ImpossibleState>;
    /// Produces the next frame. A long one occasionally passes its state to `stop`; `None`: it was stopped.
    fn frame(&mut self, stop: &mut (dyn FnMut(&State) -> bool + Send)) -> Result<Option<FrameReport>, Failure>;
    /// How the time of the last frame was spent, as far as known.
    fn take_times(&mut self) -> Times {
        Times::default()
    }
    /// Measures the current state.
    fn measure(&self) -> Measures;
    /// Additional entries of the report at the end of the run.
    fn extra(&self) -> Map<String, Value> {
        Map::new()
    }
    /// How a run with all its frames ended, if they are not what was asked for.
    fn shortcoming(&self) -> Option<Ended> {
        None
    }
}

/// What cloth collides with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Collides {
    /// Itself and other cloths.
    pub cloth: bool,
    /// Bodies that are meshes.
    pub meshes: bool,
    /// Whether some pairs of cloths and bodies are left out.
    pub but_some: bool,
    /// Whether bodies that leave no room give way.
    pub bodies_yield: bool,
}

/// A simulation that measures where its time is spent and stops within a step when `halt` says so.
pub fn timed(world: Arc<World>, halt: Halt) -> Simulation {
    let mut simulation = Simulation::of(world);
    simulation.time_by(seconds);
    simulation.stop_when(halt);
    simulation
}

/// Seconds since the first call.
fn seconds() -> f64 {
    static BEGIN: OnceLock<Instant> = OnceLock::new();
    BEGIN.get_or_init(Instant::now).elapsed().as_secs_f64()
}

impl FrameSource for Simulation {
    fn surface(&self) -> Surface {
        Surface::of(self.world())
    }

    fn fps(&self) -> f64 {
        self.world().fps
    }

    fn pin_names(&self) -> &[String] {
        &self.world().pin_names
    }

    fn body_names(&self) -> Vec<String> {
        self.world().bodies.iter().map(|body| body.name.clone()).collect()
    }

    fn bodies(&self) -> &[Body] {
        &self.world().bodies
    }

    fn collides(&self) -> Collides {
        let world = self.world();
        Collides {
            cloth: world.cloth_collides(),
            meshes: world.meshes_collide(),
            but_some: world.ignores_pairs(),
            bodies_yield: world.bodies_yield(),
        }
    }

    fn can_touch(&self) -> bool {
        self.world().can_touch()
    }

    fn state(&self) -> &State {
        self.state()
    }

    fn check(&self, state: &State) -> Result<(), ImpossibleState> {
        self.check(state)
    }

    fn go_to(&mut self, state: State) -> Result<(), ImpossibleState> {
        self.go_to(state)
    }

    fn frame(&mut self, stop: &mut (dyn FnMut(&State) -> bool + Send)) -> Result<Option<FrameReport>, Failure> {
        Ok(self.frame_unless(stop)?)
    }

    fn take_times(&mut self) -> Times {
        self.take_times()
    }

    fn measure(&self) -> Measures {
        self.measure()
    }
}
