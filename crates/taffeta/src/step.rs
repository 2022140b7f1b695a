//! One time step, in the order it happens.
//!
//! 1. boundary: where pins are at the end of the step
//! 2. contact candidates: none yet
//! 3. forces, and 4. the method proposes new positions and velocities from them
//! 5. limits on stretch
//! 6. contact response: none yet
//! 7. accept, or fail with the state untouched
//! 8. measure: by the caller, at the end of a frame

use crate::model::blocks;
use crate::{State, Vec3, Workspace, World, boundary, limit, method};

/// Advances the state by one step. On `Err` the state is the one that came in.
///
/// Large worlds are stepped in parallel by the current rayon pool. Inside a pool (`pool.install`) a step after the first
/// allocates nothing; from outside rayon itself allocates now and then to hand the work over.
pub fn step(world: &World, state: &mut State, work: &mut Workspace) -> Result<StepReport, StepError> {
    let h = world.h;
    work.impulse.fill(Vec3::ZERO);

    // what moves by itself
    work.boundary.advance(world, state, h);

    // forces, new velocities and positions
    if world.components.integration {
        method::advance(world, state, h, work);
    } else {
        work.x.copy_from_slice(&state.x);
        work.v.copy_from_slice(&state.v);
    }

    // over-long springs
    let limits = limit::Limits { boundary: &work.boundary, x: &mut work.x, v: &mut work.v, impulse: &mut work.impulse };
    let limited = limit::apply(world, h, limits, &mut work.limit);

    check(world, state, work, h)?;
    accept(world, state, work, h); // the only line that changes the state
    Ok(StepReport { h, limited })
}

/// Advances the state to the end of the frame in work. On `Err` the state is that before the failed step.
pub fn advance_frame(world: &World, state: &mut State, work: &mut Workspace) -> Result<FrameReport, StepError> {
    let report = advance_frame_unless(world, state, work, || false)?;
    Ok(report.expect("nobody stopped it"))
}

/// As [`advance_frame`], but asks before every step whether to stop. `None`: it was stopped, and the state is within a frame.
pub fn advance_frame_unless(
    world: &World,
    state: &mut State,
    work: &mut Workspace,
    mut stop: impl FnMut() -> bool,
) -> Result<Option<FrameReport>, StepError> {
    let mut report = FrameReport { h: world.h, pins: vec![Vec3::ZERO; world.pins.len()], ..FrameReport::default() };
    let frame = state.frame;
    while state.frame == frame {
        if stop() {
            return Ok(None);
        }
        let step = step(world, state, work)?;
        report.steps += 1;
        report.limited += step.limited;
        report.pins.iter_mut().zip(&work.impulse).for_each(|(pin, impulse)| *pin += *impulse);
    }
    let time = f64::from(report.steps) * report.h;
    report.pins.iter_mut().for_each(|pin| *pin /= time);
    Ok(Some(report))
}

fn accept(world: &World, state: &mut State, work: &mut Workspace, h: f64) {
    boundary::remember_anchors(world, state, h);
    std::mem::swap(&mut state.x, &mut work.x);
    std::mem::swap(&mut state.v, &mut work.v);
    state.step += 1;
    if state.step == world.steps_per_frame {
        state.step = 0;
        state.frame += 1;
    }
    // from whole numbers: no rounding adds up, and a resumed run has the same time
    state.time = (state.frame as f64 + f64::from(state.step) / f64::from(world.steps_per_frame)) / world.fps;
}

/// Displacements of a block in a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    low: Vec3,
    high: Vec3,
    farthest: (f64, u32),
}

impl Default for Extent {
    fn default() -> Self {
        Self { low: Vec3::INFINITY, high: Vec3::NEG_INFINITY, farthest: (-1.0, 0) }
    }
}

impl Extent {
    fn add(&mut self, moved: Vec3, v: Vec3, vertex: usize) {
        self.low = self.low.min(moved);
        self.high = self.high.max(moved);
        // squared overflows count as infinite; NaN would vanish in the comparisons
        let size = (moved + v * 0.0).length_squared();
        let size = if size.is_nan() { f64::INFINITY } else { size };
        if size > self.farthest.0 {
            self.farthest = (size, vertex as u32);
        }
    }
}

/// Divergence: within one step parts of a cloth move farther apart than the cloth is large, or to nowhere.
fn check(world: &World, state: &State, work: &mut Workspace, h: f64) -> Result<(), StepError> {
    let (x, v) = (&work.x, &work.v);
    blocks::each(&world.blocks.list, (), &mut work.extents, &|block, (), extent| {
        *extent = Extent::default();
        for i in block.particles.clone() {
            extent.add(x[i] - state.x[i], v[i], i);
        }
    });
    for (cloth, range) in world.cloths.iter().enumerate() {
        let mut all = Extent::default();
        for (_, part) in world.blocks.list.iter().zip(&work.extents).filter(|(block, _)| block.cloth == cloth) {
            all.low = all.low.min(part.low);
            all.high = all.high.max(part.high);
            if part.farthest.0 > all.farthest.0 {
                all.farthest = part.farthest;
            }
        }
        let (squared, vertex) = all.farthest;
        let spread = (all.high - all.low).length();
        if !squared.is_finite() || spread > world.fabrics[cloth].size {
            return Err(StepError::Diverged {
                time: state.time,
                vertex: vertex - range.vertices.start as u32,
                cloth: range.name.clone(),
                moved: squared.sqrt(),
                h,
                stable: world.stable_step(),
            });
        }
    }
    Ok(())
}

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
    #[error("the simulation diverged at t = {time:.4} s: vertex {vertex} of `{cloth}` moved {moved:.3e} m in a step of {h:.3e} s; {}", stable_text(*.stable))]
    Diverged {
        /// Start of the failed step, s.
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

fn stable_text(stable: Option<f64>) -> String {
    match stable {
        Some(h) => format!("steps up to {h:.3e} s are stable"),
        None => "this method has no stable step without damping".into(),
    }
}
