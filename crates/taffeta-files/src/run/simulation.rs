//! What the loop of a run asks of a simulation.

use super::Ended;
use crate::Surface;
use serde_json::{Map, Value};
use std::sync::OnceLock;
use std::time::Instant;
use taffeta::{FrameReport, Halt, ImpossibleState, Measures, State, StepError, Times, Workspace, World};

/// Something that can be run frame by frame: a world, or a stand-in for it in tests.
///
/// Equal states must have equal futures: that is what makes a resumed run equal to one that was never stopped.
pub trait Simulation {
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
    /// The state at time 0.
    fn start(&self) -> State;
    /// Advances the state by one frame. A long frame shows its state now and then and asks whether to stop; `None`: it was stopped.
    fn advance_frame(
        &mut self,
        state: &mut State,
        stop: &mut (dyn FnMut(&State) -> bool + Send),
    ) -> Result<Option<FrameReport>, StepError>;
    /// Where the time of the last frame went, as far as it is known.
    fn take_times(&mut self) -> Times {
        Times::default()
    }
    /// Measures a state.
    fn measure(&mut self, state: &State) -> Measures;
    /// Whether a state can be one that this simulation came to at the end of a frame.
    fn check(&self, state: &State) -> Result<(), ImpossibleState> {
        let _ = state;
        Ok(())
    }
    /// What the report of a run says besides at its end.
    fn extra(&self) -> Map<String, Value> {
        Map::new()
    }
    /// How a run that has all its frames ended, if they are not what was asked for.
    fn shortcoming(&self) -> Option<Ended> {
        None
    }
}

/// s since it was first asked.
fn seconds() -> f64 {
    static BEGIN: OnceLock<Instant> = OnceLock::new();
    BEGIN.get_or_init(Instant::now).elapsed().as_secs_f64()
}

/// A world with its buffers.
pub struct Simulator<'a> {
    world: &'a World,
    work: Workspace,
}

impl<'a> Simulator<'a> {
    /// Ready to run.
    pub fn new(world: &'a World) -> Self {
        let mut work = Workspace::new(world);
        work.time_by(seconds);
        Self { world, work }
    }

    /// Frames are also given up within a step when `halt` says so.
    pub fn stopping(mut self, halt: Halt) -> Self {
        self.work.stop_when(halt);
        self
    }
}

impl Simulation for Simulator<'_> {
    fn surface(&self) -> Surface {
        Surface::of(self.world)
    }

    fn fps(&self) -> f64 {
        self.world.fps
    }

    fn pin_names(&self) -> &[String] {
        &self.world.pin_names
    }

    fn body_names(&self) -> Vec<String> {
        self.world.bodies.iter().map(|body| body.name.clone()).collect()
    }

    fn can_touch(&self) -> bool {
        self.world.can_touch()
    }

    fn start(&self) -> State {
        self.world.start()
    }

    fn advance_frame(
        &mut self,
        state: &mut State,
        stop: &mut (dyn FnMut(&State) -> bool + Send),
    ) -> Result<Option<FrameReport>, StepError> {
        taffeta::advance_frame_unless(self.world, state, &mut self.work, stop)
    }

    fn check(&self, state: &State) -> Result<(), ImpossibleState> {
        state.check(self.world)
    }

    fn take_times(&mut self) -> Times {
        self.work.take_times()
    }

    fn measure(&mut self, state: &State) -> Measures {
        taffeta::measure(self.world, state)
    }
}
