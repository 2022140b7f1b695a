//! [`Simulation`]: a world with its state and actions, the type that programs use.

use crate::Vec3;
use crate::clock::Times;
use crate::frame::Tally;
use crate::halt::Halt;
use crate::measure::{Measures, measure};
use crate::parallel;
use crate::possible::ImpossibleState;
use crate::report::{FrameReport, StepError, StepReport};
use crate::setup::{Action, Problem, Setup, TimedAction};
use crate::state::{Contact, State};
use crate::step::step;
use crate::workspace::Workspace;
use crate::world::{ActionError, World};
use std::borrow::Borrow;
use std::sync::Arc;

/// A world, its state, and the actions on it.
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
/// simulation.restore(&before)?;
/// assert_eq!(simulation.time(), 1.0 / 60.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Several simulations may share a world; one that an action changes gets its own copy. Stepping uses the current rayon
/// pool, so many simulations can run side by side in one pool.
pub struct Simulation {
    /// The world as it was made, before any action.
    first: Arc<World>,
    /// The same for the method that the run went over to, if it did.
    over: Option<Arc<World>>,
    /// The world with the changes of actions.
    world: Arc<World>,
    state: State,
    work: Workspace,
    /// Actions done so far, in order.
    done: Vec<TimedAction>,
    /// Actions still to be done, in order.
    due: Vec<TimedAction>,
    /// Forces of the last step.
    forces: Forces,
}

/// Mean forces on the cloth over a step, N; empty before the first step.
#[derive(Clone, Debug, Default, PartialEq)]
struct Forces {
    pins: Vec<Vec3>,
    bodies: Vec<Vec3>,
}

/// A simulation at a point in time: its state, and the actions done until then.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    state: State,
    done: Vec<TimedAction>,
    due: Vec<TimedAction>,
    forces: Forces,
}

impl Snapshot {
    /// Positions, velocities, time and everything else that the future depends on, except for actions.
    pub fn state(&self) -> &State {
        &self.state
    }
}

impl Clone for Simulation {
    /// An independent simulation with the same future.
    fn clone(&self) -> Self {
        let mut work = Workspace::new(&self.world);
        work.take_hooks(&self.work);
        Self {
            first: self.first.clone(),
            over: self.over.clone(),
            world: self.world.clone(),
            state: self.state.clone(),
            work,
            done: self.done.clone(),
            due: self.due.clone(),
            forces: self.forces.clone(),
        }
    }
}

impl Simulation {
    /// Checks a setup and builds a simulation of it.
    pub fn new(setup: impl Borrow<Setup>) -> Result<Self, Vec<Problem>> {
        Ok(Self::of(Arc::new(World::new(setup)?)))
    }

    /// Starts a simulation of a world, which others may share.
    pub fn of(world: Arc<World>) -> Self {
        let (state, work) = (world.start(), Workspace::new(&world));
        let due = world.actions.to_vec();
        Self { first: world.clone(), over: None, world, state, work, done: Vec::new(), due, forces: Forces::default() }
    }

    /// Takes one step, after the actions that are due. On `Err` the state is that before the step.
    pub fn step(&mut self) -> Result<StepReport, SimulationError> {
        self.do_due()?;
        let report = match step(&self.world, &mut self.state, &mut self.work) {
            Err(StepError::Meets { .. }) if self.world.goes_over() => {
                let control = self.state.control;
                self.state.go_over();
                self.redo();
                let stepped = step(&self.world, &mut self.state, &mut self.work);
                if stepped.is_err() {
                    (self.state.went_over, self.state.control) = (None, control);
                    self.redo();
                }
                stepped?
            }
            stepped => stepped?,
        };
        let proposal = &self.work.proposal;
        let Forces { pins, bodies } = &mut self.forces;
        for (forces, impulses) in [(pins, &proposal.impulse), (bodies, &proposal.contact.impulse)] {
            forces.clear();
            forces.extend(impulses.iter().map(|impulse| *impulse / report.h));
        }
        Ok(report)
    }

    /// Takes all steps up to the end of the current frame.
    pub fn frame(&mut self) -> Result<FrameReport, SimulationError> {
        let report = self.frame_unless(|_| false)?;
        report.ok_or(SimulationError::Step(StepError::Stopped { time: self.state.time }))
    }

    /// Like [`Simulation::frame`], but shows the state to the caller before every step and asks whether to stop. `None`
    /// means that it was stopped.
    pub fn frame_unless(
        &mut self,
        mut stop: impl FnMut(&State) -> bool + Send,
    ) -> Result<Option<FrameReport>, SimulationError> {
        let mut tally = Tally::new(&self.world, &self.state);
        let frame = self.state.frame;
        // the blocks are copied because an action within the frame may change the world
        let blocks = self.world.blocks.clone();
        parallel::in_pool(&blocks, || {
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

    /// The world with the changes of actions.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The state, which is what a checkpoint holds.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Simulated time, s.
    pub fn time(&self) -> f64 {
        self.state.time
    }

    /// Positions of all particles, m.
    pub fn positions(&self) -> &[Vec3] {
        &self.state.x
    }

    /// Velocities of all particles, m/s.
    pub fn velocities(&self) -> &[Vec3] {
        &self.state.v
    }

    /// Particles that touch bodies, with their contact forces.
    pub fn contacts(&self) -> &[Contact] {
        &self.state.contacts
    }

    /// Measures energies, stretch and more.
    pub fn measure(&self) -> Measures {
        measure(&self.world, &self.state)
    }

    /// Mean force of a pin on the cloth over the last step, N; `None` if no pin has the name, and before the first
    /// step.
    pub fn pin_force(&self, name: &str) -> Option<Vec3> {
        self.forces.pins.get(self.world.pin_number(name).ok()?).copied()
    }

    /// Mean force of a body on the cloth over the last step, N; `None` if no body has the name, and before the first
    /// step.
    pub fn body_force(&self, name: &str) -> Option<Vec3> {
        self.forces.bodies.get(self.world.body_number(name).ok()?).copied()
    }

    /// Current force of a grab, N; `None` if no grab has the number.
    pub fn pull(&self, grab: u32) -> Option<Vec3> {
        let grab = self.world.grabs.iter().find(|known| known.number == grab)?;
        Some(grab.pull(self.state.time, &self.state.x).force)
    }

    /// Makes steps end soon after `halt` says so, even while they are computed.
    pub fn stop_when(&mut self, halt: Halt) {
        self.work.stop_when(halt);
    }

    /// Makes steps measure where their time goes, by a clock that gives seconds since an arbitrary moment.
    pub fn time_by(&mut self, clock: fn() -> f64) {
        self.work.time_by(clock);
    }

    /// Times of the steps since the last call; all zero without [`Simulation::time_by`].
    pub fn take_times(&mut self) -> Times {
        self.work.take_times()
    }

    /// The state and the actions done so far.
    pub fn snapshot(&self) -> Snapshot {
        let Self { state, done, due, forces, .. } = self;
        Snapshot { state: state.clone(), done: done.clone(), due: due.clone(), forces: forces.clone() }
    }

    /// Returns to a snapshot of this simulation, or of another one of the same world. A snapshot of another world is
    /// refused.
    pub fn restore(&mut self, to: &Snapshot) -> Result<(), ImpossibleState> {
        let Snapshot { state, done, due, forces } = to;
        state.check_counts(&self.first)?;
        let over = self.state.went_over.is_some() != state.went_over.is_some();
        self.state.clone_from(state);
        self.due.clone_from(due);
        self.forces.clone_from(forces);
        if over || self.done != *done {
            self.done.clone_from(done);
            self.redo();
        }
        Ok(())
    }

    /// Checks whether this simulation can go to a state.
    pub fn check(&self, state: &State) -> Result<(), ImpossibleState> {
        state.check(&self.first)
    }

    /// Goes to a state at the end of a frame, such as one from a checkpoint. The actions done until then are taken from
    /// those of the world.
    pub fn go_to(&mut self, state: State) -> Result<(), ImpossibleState> {
        state.check(&self.first)?;
        let until = self.first.actions.partition_point(|timed| timed.place() < (state.frame, state.step));
        let (done, due) = self.first.actions.split_at(until);
        (self.done, self.due) = (done.to_vec(), due.to_vec());
        (self.state, self.forces) = (state, Forces::default());
        self.redo();
        Ok(())
    }

    /// The world of the method that a run goes over to.
    fn over(&mut self) -> &Arc<World> {
        self.over.get_or_insert_with(|| Arc::new(self.first.with_contact()))
    }

    /// Applies the actions done so far to a fresh copy of the world.
    fn redo(&mut self) {
        self.world = if self.state.went_over.is_some() { self.over().clone() } else { self.first.clone() };
        for timed in &self.done {
            Arc::make_mut(&mut self.world).apply(timed.time, &timed.action);
        }
        let old = std::mem::replace(&mut self.work, Workspace::new(&self.world));
        self.work.take_hooks(&old);
    }

    /// Does an action now, between two steps.
    pub fn act(&mut self, action: Action) -> Result<(), ActionError> {
        let State { frame, step, time, .. } = self.state;
        let grabs = &self.world.grabs;
        self.world.check_action(time, &action, |grab| grabs.iter().any(|known| known.number == grab))?;
        if matches!(action, Action::Step(_)) && step > 0 {
            // all steps of a frame have the same length, so the new one begins with the next frame
            let later = TimedAction::at_frame(frame + 1, self.world.fps, action);
            let place = self.due.partition_point(|known| known.place() <= later.place());
            self.due.insert(place, later);
            return Ok(());
        }
        Arc::make_mut(&mut self.world).apply(time, &action);
        self.done.push(TimedAction { frame, step, time, action });
        Ok(())
    }

    /// Actions done so far, in order. A change of the step that waits for the next frame is not yet among them.
    /// [`Simulation::replay`] repeats them, and so does a setup that has them as its [`actions`](Setup::actions).
    pub fn actions(&self) -> &[TimedAction] {
        &self.done
    }

    /// Schedules recorded actions, each before the step that it was done before. They replace all actions still to be
    /// done.
    pub fn replay(&mut self, actions: Vec<TimedAction>) {
        self.due = actions;
        self.due.sort_by_key(TimedAction::place);
    }

    fn do_due(&mut self) -> Result<(), ActionError> {
        let now = (self.state.frame, self.state.step);
        while let Some(timed) = self.due.first().filter(|timed| timed.place() <= now) {
            let (&TimedAction { frame, step, time, .. }, here) = (timed, self.state.time);
            if time != here || (frame, step) != now {
                return Err(ActionError::OtherTime { frame, step, recorded: time, here });
            }
            let action = timed.action.clone();
            self.act(action)?;
            self.due.remove(0);
        }
        Ok(())
    }
}

/// Why a simulation cannot continue. Its state is the last good one.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SimulationError {
    /// The step failed.
    #[error(transparent)]
    Step(#[from] StepError),
    /// A recorded action cannot be done.
    #[error(transparent)]
    Action(#[from] ActionError),
}
