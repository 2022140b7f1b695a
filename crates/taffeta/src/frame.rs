//! All steps of a frame.

use crate::Vec3;
use crate::parallel;
use crate::report::{FrameReport, StepError, StepReport};
use crate::state::State;
use crate::step::step;
use crate::workspace::Workspace;
use crate::world::World;

/// Advances the state to the end of the current frame. On `Err` the state is that before the failed step.
///
/// A call from outside a rayon pool runs the whole frame inside the current pool: worlds that share a pool of few
/// threads wait for each other's frames.
pub fn advance_frame(world: &World, state: &mut State, work: &mut Workspace) -> Result<FrameReport, StepError> {
    let report = advance_frame_unless(world, state, work, |_| false)?;
    report.ok_or(StepError::Stopped { time: state.time })
}

/// Like [`advance_frame`], but shows the state to `stop` before every step and ends if it says so;
/// [`Workspace::stop_when`] asks within steps too. `None` means that it was stopped, and the state is within a frame.
///
/// `stop` may be called on a thread of the pool, and must not wait for others that need it.
pub fn advance_frame_unless(
    world: &World,
    state: &mut State,
    work: &mut Workspace,
    stop: impl FnMut(&State) -> bool + Send,
) -> Result<Option<FrameReport>, StepError> {
    // entering the pool takes as long as a step of a small cloth, so it is done only once per frame
    parallel::in_pool(&world.blocks, || whole_frame(world, state, work, stop))
}

fn whole_frame(
    world: &World,
    state: &mut State,
    work: &mut Workspace,
    mut stop: impl FnMut(&State) -> bool,
) -> Result<Option<FrameReport>, StepError> {
    let mut tally = Tally::new(world, state);
    let frame = state.frame;
    while state.frame == frame {
        if stop(state) {
            return Ok(None);
        }
        match step(world, state, work) {
            Err(StepError::Stopped { .. }) => return Ok(None),
            stepped => tally.add(&stepped?, state, work),
        }
    }
    Ok(Some(tally.finish(world, work)))
}

/// The report of the current frame.
pub(crate) struct Tally {
    report: FrameReport,
    /// Time within the frame at which the report begins, s.
    begun: f64,
}

impl Tally {
    pub fn new(world: &World, state: &State) -> Self {
        let zeros = |count| vec![Vec3::ZERO; count];
        let (pins, bodies) = (zeros(world.pins.len()), zeros(world.bodies.len()));
        let gave_way = vec![0; world.bodies.len()];
        Self { report: FrameReport { pins, bodies, gave_way, ..FrameReport::default() }, begun: state.elapsed }
    }

    /// Adds a step that was taken.
    pub fn add(&mut self, step: &StepReport, state: &State, work: &Workspace) {
        let FrameReport { pins, bodies, .. } = &mut self.report;
        pins.iter_mut().zip(&work.proposal.impulse).for_each(|(pin, impulse)| *pin += *impulse);
        bodies.iter_mut().zip(&work.proposal.contact.impulse).for_each(|(body, impulse)| *body += *impulse);
        for (body, count) in work.proposal.barrier.given() {
            let most = &mut self.report.gave_way[body as usize];
            *most = count.max(*most);
        }
        self.report.add(step, state);
    }

    /// Completes the report at the end of the frame.
    pub fn finish(mut self, world: &World, work: &Workspace) -> FrameReport {
        let time = 1.0 / world.fps - self.begun;
        self.report.pins.iter_mut().chain(&mut self.report.bodies).for_each(|force| *force /= time);
        self.report.pushes = work.proposal.contact.pushes.list();
        self.report
    }
}
