//! [`Simulation`]: what programs hold.

mod action;
mod apply;

pub use action::{Action, ActionError, TimedAction};

use crate::Vec3;
use crate::frame::Tally;
use crate::halt::Halt;
use crate::measure::{Measures, measure};
use crate::parallel;
use crate::report::{FrameReport, StepError, StepReport};
use crate::setup::{Method, Problem, Setup};
use crate::state::{Contact, State};
use crate::step::step;
use crate::workspace::Workspace;
use crate::world::World;
use std::borrow::Borrow;
use std::sync::Arc;

/// A world, its state, and all that is done to it while it runs.
///
/// ```
/// use taffeta::{Action, Cloth, Mesh, Pattern, Pin, Select, Setup, Simulation, Vec3};
/// let mut sheet = Cloth::new("sheet", Mesh::grid([1.0, 1.0], [8, 8], Pattern::Alternating)?);
/// sheet.pins.push(Pin::fixed(Select::Vertices(vec![0])));
/// let mut simulation = Simulation::new(Setup::with_cloth(sheet)).map_err(|problems| problems[0].clone())?;
/// simulation.frame()?;
/// let before = simulation.snapshot();
/// simulation.act(Action::Wind(Vec3::X * 5.0))?;
/// simulation.frame()?;
/// simulation.restore(&before);
/// assert_eq!(simulation.time(), 1.0 / 60.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Several simulations may share a world: one that an action changes gets a copy of its own. Stepping uses the current rayon
/// pool, so that many simulations run side by side on one.
pub struct Simulation {
    /// As it was made, before any action.
    base: Arc<World>,
    /// With what actions have changed.
    world: Arc<World>,
    state: State,
    work: Workspace,
    /// All that was done so far, in order.
    done: Vec<TimedAction>,
    /// What is still to be done, in order.
    due: Vec<TimedAction>,
}

/// A simulation as it was at a time: its state, and what had been done to it until then.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    state: State,
    done: Vec<TimedAction>,
    due: Vec<TimedAction>,
}

impl Snapshot {
    /// Positions, velocities, time and everything else that the future depends on, besides actions.
    pub fn state(&self) -> &State {
        &self.state
    }
}

impl Clone for Simulation {
    /// An independent simulation with the same future.
    fn clone(&self) -> Self {
        Self {
            base: self.base.clone(),
            world: self.world.clone(),
            state: self.state.clone(),
            work: Workspace::new(&self.world),
            done: self.done.clone(),
            due: self.due.clone(),
        }
    }
}

impl Simulation {
    /// Checks a setup and makes everything ready. The method is the setup's.
    pub fn new(setup: impl Borrow<Setup>) -> Result<Self, Vec<Problem>> {
        Ok(Self::of(Arc::new(World::new(setup)?)))
    }

    /// As [`Simulation::new`], with the method that suits the setup best, as scenes have it.
    pub fn with_best_method(setup: &Setup) -> Result<Self, Vec<Problem>> {
        Self::new(Setup { method: Method::best(setup), ..setup.clone() })
    }

    /// From the start of a world, which others may share.
    pub fn of(world: Arc<World>) -> Self {
        let (state, work) = (world.start(), Workspace::new(&world));
        Self { base: world.clone(), world, state, work, done: Vec::new(), due: Vec::new() }
    }

    /// One step, after the actions that are due. On `Err` the state is that before it.
    pub fn step(&mut self) -> Result<StepReport, SimulationError> {
        self.do_due()?;
        Ok(step(&self.world, &mut self.state, &mut self.work)?)
    }

    /// All steps up to the end of the frame in work.
    pub fn frame(&mut self) -> Result<FrameReport, SimulationError> {
        let report = self.frame_unless(|_| false)?;
        report.ok_or(SimulationError::Step(StepError::Stopped { time: self.state.time }))
    }

    /// As [`Simulation::frame`], but shows the state before every step, and asks whether to stop. `None`: it was stopped.
    pub fn frame_unless(
        &mut self,
        mut stop: impl FnMut(&State) -> bool + Send,
    ) -> Result<Option<FrameReport>, SimulationError> {
        let mut tally = Tally::new(&self.world, &self.state);
        let frame = self.state.frame;
        let blocks = self.world.clone();
        parallel::in_pool(&blocks.blocks, || {
            while self.state.frame == frame {
                if stop(&self.state) {
                    return Ok(None);
                }
                match self.step() {
                    Err(SimulationError::Step(StepError::Stopped { .. })) => return Ok(None),
                    stepped => tally.add(&stepped?, &self.state, &self.work),
                }
            }
            Ok(Some(tally.finish(&self.world, &self.work)))
        })
    }

    /// What is simulated, with what actions have changed.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// What a checkpoint holds.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// s.
    pub fn time(&self) -> f64 {
        self.state.time
    }

    /// Of all particles, m.
    pub fn positions(&self) -> &[Vec3] {
        &self.state.x
    }

    /// Of all particles, m/s.
    pub fn velocities(&self) -> &[Vec3] {
        &self.state.v
    }

    /// Particles that touch bodies, with forces.
    pub fn contacts(&self) -> &[Contact] {
        &self.state.contacts
    }

    /// Energies, stretch and more.
    pub fn measure(&self) -> Measures {
        measure(&self.world, &self.state)
    }

    /// What a grab pulls with now, N; `None` if there is none of the number.
    pub fn pull(&self, grab: u32) -> Option<Vec3> {
        let grab = self.world.grabs.iter().find(|known| known.number == grab)?;
        Some(grab.pull(self.state.time, &self.state.x).force)
    }

    /// Steps end soon after `halt` says so, within them too.
    pub fn stop_when(&mut self, halt: Halt) {
        self.work.stop_when(halt);
    }

    /// The state and what was done so far.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot { state: self.state.clone(), done: self.done.clone(), due: self.due.clone() }
    }

    /// Goes back to a snapshot of this simulation, or of another one of the same world.
    pub fn restore(&mut self, to: &Snapshot) {
        self.state.clone_from(&to.state);
        self.done.clone_from(&to.done);
        self.due.clone_from(&to.due);
        self.world = self.base.clone();
        for timed in &to.done {
            // it was possible before
            let done = apply::apply(Arc::make_mut(&mut self.world), timed.time, &timed.action);
            debug_assert!(done.is_ok());
        }
        self.work = Workspace::new(&self.world);
    }

    /// Does something now, between two steps.
    pub fn act(&mut self, action: Action) -> Result<(), ActionError> {
        let State { frame, step, time, .. } = self.state;
        apply::check(&self.world, &action)?;
        if matches!(action, Action::Step(_)) && step > 0 {
            // frames are cut into equal steps
            let (frame, time) = (frame + 1, (frame + 1) as f64 / self.world.fps);
            self.due.insert(0, TimedAction { frame, step: 0, time, action });
            return Ok(());
        }
        apply::apply(Arc::make_mut(&mut self.world), time, &action)?;
        self.done.push(TimedAction { frame, step, time, action });
        Ok(())
    }

    /// All that was done, in order: [`Simulation::replay`] does it again.
    pub fn actions(&self) -> &[TimedAction] {
        &self.done
    }

    /// Actions to do again, each before the step that it was done before.
    pub fn replay(&mut self, actions: Vec<TimedAction>) {
        self.due = actions;
        self.due.sort_by_key(|timed| (timed.frame, timed.step));
    }

    fn do_due(&mut self) -> Result<(), ActionError> {
        let now = (self.state.frame, self.state.step);
        let ready = self.due.iter().take_while(|timed| (timed.frame, timed.step) <= now).count();
        for timed in self.due.drain(..ready).collect::<Vec<_>>() {
            if timed.time != self.state.time {
                return Err(ActionError::OtherTime { recorded: timed.time, here: self.state.time });
            }
            self.act(timed.action)?;
        }
        Ok(())
    }
}

/// Why a simulation cannot go on. Its state is the last good one.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SimulationError {
    /// The step failed.
    #[error(transparent)]
    Step(#[from] StepError),
    /// A recorded action cannot be done.
    #[error(transparent)]
    Action(#[from] ActionError),
}
