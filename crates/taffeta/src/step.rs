//! One time step, in the order it happens.

use crate::{State, Vec3, Workspace, World};

/// What happened in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepReport {
    /// Length of the step, s.
    pub h: f64,
    /// Springs that the limiter pulled back, over all passes.
    pub limited: u64,
}

/// What happened in a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameReport {
    /// Steps taken.
    pub steps: u32,
    /// Length of a step, s.
    pub h: f64,
    /// Springs that the limiter pulled back, over all steps and passes.
    pub limited: u64,
    /// Mean force of each pin on the cloth over the frame, N: pins of all cloths in order, [`World::pin_names`].
    pub pins: Vec<Vec3>,
}

/// Why the run cannot go on. The state is still the last good one.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StepError {
    /// The step was too long for the stiffness.
    #[error("the simulation diverged at t = {time:.4} s: vertex {vertex} of `{cloth}` moved {moved:.3e} m in a step of {h:.3e} s; steps of {} s are stable", .stable.map_or("no".to_string(), |s| format!("{s:.3e}")))]
    Diverged {
        /// s.
        time: f64,
        /// Counted from the first vertex of the cloth.
        vertex: u32,
        /// Name of the cloth.
        cloth: String,
        /// How far it moved in the step, m.
        moved: f64,
        /// Length of the step, s.
        h: f64,
        /// The longest stable step by the estimate, s; `None` if the method has none.
        stable: Option<f64>,
    },
}

/// Advances the state by one step. On `Err` the state is the one that came in.
pub fn step(world: &World, state: &mut State, work: &mut Workspace) -> Result<StepReport, StepError> {
    let _ = (world, state, work);
    todo!()
}

/// Advances the state to the end of the frame in work. On `Err` the state is that before the failed step.
pub fn advance_frame(world: &World, state: &mut State, work: &mut Workspace) -> Result<FrameReport, StepError> {
    let _ = (world, state, work);
    todo!()
}
