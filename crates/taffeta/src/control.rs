//! How long a step is.
//!
//! D. Baraff and A. Witkin, Large Steps in Cloth Simulation, SIGGRAPH 1998, Sec. 6. A step that changes the stretch of a
//! triangle drastically is given up and tried again half as long. After some successes twice the length is tried; if
//! that fails, the next try waits twice as long, up to 40 steps. The longest step cuts the frame into equal parts; where
//! halved steps do not fit, the last of a frame is shortened.

use crate::model::blocks;
use crate::step::Rejection;
use crate::{State, StepError, Vec3, Workspace, World};

/// Steps that are shortened where they have to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adaptive {
    /// Largest change of a triangle's stretch |w_u| or |w_v| in a step.
    pub change: f64,
    /// Steps are not made shorter than this share of the longest.
    pub least: f64,
}

impl Default for Adaptive {
    fn default() -> Self {
        Self { change: 0.1, least: 1.0 / 4096.0 }
    }
}

/// What the control of the step remembers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Control {
    /// Halvings of the longest step.
    pub halvings: u32,
    /// Steps that went well since the last change.
    pub successes: u32,
    /// How many of them it takes to try a longer step.
    pub wait: u32,
}

impl Default for Control {
    fn default() -> Self {
        Self { halvings: 0, successes: 0, wait: FIRST_WAIT }
    }
}

/// The paper: two successes, then the larger step is tried.
const FIRST_WAIT: u32 = 2;

/// The paper: up to 40 steps.
const LONGEST_WAIT: u32 = 40;

/// The step to try, and what to remember if it is taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// s.
    pub h: f64,
    /// Whether the frame ends with it.
    ends: bool,
    /// Whether it is longer than the last ones, on trial.
    trial: bool,
    control: Control,
}

/// A share of the step: what remains of a frame after rounding is not a step.
const ROUNDING: f64 = 1e-9;

fn with(world: &World, state: &State, control: Control, trial: bool) -> Plan {
    if world.adaptive.is_none() {
        let ends = state.step + 1 >= world.steps_per_frame;
        return Plan { h: world.h, ends, trial, control };
    }
    let h = world.h / f64::from(1u32 << control.halvings.min(31));
    let left = 1.0 / world.fps - state.elapsed;
    let ends = left <= h * (1.0 + ROUNDING);
    Plan { h: if ends { left } else { h }, ends, trial, control }
}

/// The step to try first.
pub(crate) fn plan(world: &World, state: &State) -> Plan {
    let mut control = state.control;
    let trial = control.halvings > 0 && control.successes >= control.wait;
    if trial {
        control.halvings -= 1;
    }
    with(world, state, control, trial)
}

/// The step to try after one that failed.
pub(crate) fn reject(world: &World, state: &State, failed: Plan, reason: Rejection) -> Result<Plan, StepError> {
    let Some(adaptive) = &world.adaptive else { return Err(reason.error(world, state, failed.h)) };
    let mut control = failed.control;
    control.successes = 0;
    if failed.trial {
        control.wait = (2 * control.wait).min(LONGEST_WAIT);
    }
    // the last of a frame may be shorter than the control's own
    let mut next = failed;
    while next.h > 0.75 * failed.h {
        control.halvings += 1;
        if 0.5f64.powi(control.halvings as i32) < adaptive.least * (1.0 - ROUNDING) {
            return Err(reason.error(world, state, failed.h));
        }
        next = with(world, state, control, false);
    }
    Ok(next)
}

/// Remembers a step that is taken, and lets time go on.
pub(crate) fn accept(world: &World, state: &mut State, plan: Plan) {
    state.control = plan.control;
    if world.adaptive.is_some() {
        state.control.successes = if plan.trial { 0 } else { plan.control.successes + 1 };
        if plan.trial {
            state.control.wait = FIRST_WAIT;
        }
    }
    state.step += 1;
    state.elapsed = if world.adaptive.is_some() { state.elapsed + plan.h } else { f64::from(state.step) * world.h };
    if plan.ends {
        state.step = 0;
        state.elapsed = 0.0;
        state.frame += 1;
    }
    // from whole numbers where steps are equal: no rounding adds up, and a resumed run has the same time
    let within = match world.adaptive {
        Some(_) => state.elapsed * world.fps,
        None => f64::from(state.step) / f64::from(world.steps_per_frame),
    };
    state.time = (state.frame as f64 + within) / world.fps;
}

/// The largest change of stretch in a block.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Change {
    size: f64,
    triangle: u32,
}

/// Rejects a proposed step that changes a triangle's stretch too much.
pub(crate) fn check(world: &World, state: &State, work: &mut Workspace) -> Result<(), Rejection> {
    let Some(adaptive) = &world.adaptive else { return Ok(()) };
    let x = &work.x;
    blocks::each(&world.blocks.list, (), &mut work.changes, &|block, (), most| {
        *most = Change::default();
        let cloth = &world.cloths[block.cloth];
        // each block looks at its share of the cloth's triangles
        let share = |v: usize| cloth.triangles.len() * (v - cloth.vertices.start) / cloth.vertices.len();
        for t in share(block.particles.start)..share(block.particles.end) {
            let index = cloth.triangles.start + t;
            let at = world.triangles[index].map(|v| v as usize);
            let [old, new] = [&state.x, x].map(|x| stretches(&world.uv[index], at.map(|i| x[i])));
            for d in 0..2 {
                let size = (new[d] - old[d]).abs();
                if size > most.size {
                    *most = Change { size, triangle: t as u32 };
                }
            }
        }
    });
    for (block, most) in world.blocks.list.iter().zip(&work.changes) {
        if most.size > adaptive.change {
            let Change { size, triangle } = *most;
            return Err(Rejection::Stretched { cloth: block.cloth, triangle, change: size });
        }
    }
    Ok(())
}

/// |w_u| and |w_v|.
fn stretches(uv: &[[f64; 2]; 3], x: [Vec3; 3]) -> [f64; 2] {
    let d = |i: usize, k: usize| uv[i][k] - uv[0][k];
    let determinant = d(1, 0) * d(2, 1) - d(2, 0) * d(1, 1);
    let (e1, e2) = (x[1] - x[0], x[2] - x[0]);
    let u = (e1 * d(2, 1) - e2 * d(1, 1)) / determinant;
    let v = (e2 * d(1, 0) - e1 * d(2, 0)) / determinant;
    [u.length(), v.length()]
}
