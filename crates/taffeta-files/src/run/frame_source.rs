//! What the loop of a run asks of what it runs.

use super::{Ended, Failure};
use crate::Surface;
use serde_json::{Map, Value};
use std::sync::{Arc, OnceLock};
use std::time::Instant;
use taffeta::{FrameReport, Halt, ImpossibleState, Measures, Simulation, State, Times, World};

/// Something that makes frames one after the other: a [`Simulation`], a [`Draper`](super::Draper), or a stand-in for
/// them in tests.
///
/// Equal states must have equal futures: that is what makes a resumed run equal to one that was never stopped.
pub trait FrameSource {
    /// What stays the same in all frames.
    fn surface(&self) -> Surface;
    /// Frames in a second.
    fn fps(&self) -> f64;
    /// Names of the pins, in the order of [`FrameReport::pins`].
    fn pin_names(&self) -> &[String];
    /// Names of the bodies, in the order of [`FrameReport::bodies`].
    fn body_names(&self) -> Vec<String> {
        Vec::new()
    }
    /// Whether anything can touch: the run then has forces of contact.
    fn can_touch(&self) -> bool {
        false
    }
    /// The state now: that at time 0 until something is done.
    fn state(&self) -> &State;
    /// Whether a state can be one that this came to at the end of a frame.
    fn check(&self, state: &State) -> Result<(), ImpossibleState> {
        let _ = state;
        Ok(())
    }
    /// Goes to a state at the end of a frame that [`check`](Self::check) allows.
    fn go_to(&mut self, state: State) -> Result<(), ImpossibleState>;
    /// Makes the next frame. A long one shows its state now and then and asks whether to stop; `None`: it was stopped.
    fn frame(&mut self, stop: &mut (dyn FnMut(&State) -> bool + Send)) -> Result<Option<FrameReport>, Failure>;
    /// Where the time of the last frame went, as far as it is known.
    fn take_times(&mut self) -> Times {
        Times::default()
    }
    /// Measures the state.
    fn measure(&self) -> Measures;
    /// What the report of a run says besides at its end.
    fn extra(&self) -> Map<String, Value> {
        Map::new()
    }
    /// How a run that has all its frames ended, if they are not what was asked for.
    fn shortcoming(&self) -> Option<Ended> {
        None
    }
}

/// A simulation that counts where its time goes and stops within a step when `halt` says so.
pub fn timed(world: Arc<World>, halt: Halt) -> Simulation {
    let mut simulation = Simulation::of(world);
    simulation.time_by(seconds);
    simulation.stop_when(halt);
    simulation
}

/// s since it was first asked.
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

    fn can_touch(&self) -> bool {
        self.world().can_touch()
    }

    fn state(&self) -> &State {
        self.state()
    }

    fn check(&self, state: &State) -> Result<(), ImpossibleState> {
        state.check(self.world())
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
