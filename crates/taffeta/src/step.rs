//! One time step, in the order it happens.
//!
//! 1. boundary: where pins and bodies are at the end of the step
//! 2. contact candidates: particles are few enough to look at all; between pieces of cloth there is no contact yet
//! 3. forces, and 4. the method proposes new positions and velocities from them; implicit methods hold particles to bodies
//! 5. limits on stretch, with contact in the same equations after implicit methods
//! 6. contact response: the last word; 5 and 6 alternate
//! 7. accept, or reject and try a shorter step: the state is untouched until then
//! 8. measure: by the caller, at the end of a frame

use crate::clock::Phase;
use crate::limit::Overlong;
use crate::method::implicit::Solution;
use crate::parallel;
use crate::{State, Vec3, Workspace, World, boundary, contact, control, limit, method};

/// Advances the state by one step. On `Err` the state is the one that came in.
///
/// Large worlds are stepped in parallel by the current rayon pool. Inside a pool (`pool.install`) a step after the first
/// allocates nothing; from outside rayon itself allocates now and then to hand the work over.
pub fn step(world: &World, state: &mut State, work: &mut Workspace) -> Result<StepReport, StepError> {
    parallel::in_pool(&world.blocks, || {
        let report = attempt(world, state, work);
        work.clock.stop();
        report
    })
}

fn attempt(world: &World, state: &mut State, work: &mut Workspace) -> Result<StepReport, StepError> {
    work.halt.forget();
    let mut plan = control::plan(world, state);
    let mut report = StepReport::default();
    loop {
        match propose(world, state, work, plan.h) {
            Ok(proposed) => {
                let again = proposed.overlong.filter(|_| too_fast_for_limits(world, state, work));
                if let Some(shorter) = again.and_then(|_| control::shorter(world, state, plan)) {
                    report.rejected += 1;
                    plan = shorter;
                    continue;
                }
                report.add(&proposed);
                break;
            }
            Err(Rejection::Stopped) => return Err(StepError::Stopped { time: state.time }),
            Err(reason) => {
                report.rejected += 1;
                plan = control::reject(world, state, plan, reason)?;
            }
        }
    }
    report.h = plan.h;
    accept(world, state, work, plan); // the only line that changes the state
    Ok(report)
}

/// Whether a limit that was broken in a step might be kept in shorter ones: cloth and bodies moved too far for their planes.
fn too_fast_for_limits(world: &World, state: &State, work: &Workspace) -> bool {
    world.adaptive.is_some() && work.contact.moved_far(world, &state.x, &work.x) && !limit::is_broken(world, &state.x)
}

/// Leaves x and v at t + h in `work`.
fn propose(world: &World, state: &State, work: &mut Workspace, h: f64) -> Result<StepReport, Rejection> {
    if work.halt.asked() {
        return Err(Rejection::Stopped);
    }
    work.clock.enter(Phase::Rest);
    work.impulse.fill(Vec3::ZERO);

    // what moves by itself
    work.boundary.advance(world, state, h);
    work.contact.advance(world, state, h);

    // forces, new velocities and positions
    let mut solution = Solution::default();
    if world.components.integration {
        solution = method::advance(world, state, h, work)?;
    } else {
        work.x.copy_from_slice(&state.x);
        work.v.copy_from_slice(&state.v);
    }

    // what is too long, and whatever is inside a body: each may undo the other, and contact has the last word
    let implicit = world.method.holds_contact();
    let (mut limited, mut limiter_rounds) = (0, 0);
    let mut pushed = if implicit { respond(world, state, h, work) } else { 0 };
    let mut outcome = limit::Outcome::default();
    for turn in 1..=ALTERNATE {
        work.clock.enter(Phase::Limit);
        outcome = limits(world, state, h, work);
        if work.halt.asked() {
            return Err(Rejection::Stopped);
        }
        limited += outcome.limited;
        limiter_rounds += outcome.rounds;
        if implicit && outcome.limited == 0 {
            break;
        }
        let more = respond(world, state, h, work);
        pushed += more;
        let done = more == 0 || outcome.limited == 0 || turn == ALTERNATE;
        // where planes left no room the next turn has others, and these forces are none to go on from
        if (done || outcome.longest.is_none()) && !outcome.undone && !work.contact.bounds.is_empty() {
            work.contact.take_bounds(world, &work.x);
        }
        if done {
            break;
        }
    }
    work.clock.enter(Phase::Limit);
    if pushed > 0 {
        outcome.look_again(world, &work.x);
    }
    let overlong = outcome.overlong(world, &work.x, state.time + h);

    work.clock.enter(Phase::Rest);
    work.contact.sum(h);
    check(world, state, work)?;
    control::check(world, state, work)?;
    let Solution { iterations, factorisations, newton, rounds, residual } = solution;
    let contacts = work.contact.kept.len() as u32;
    Ok(StepReport {
        h,
        limited,
        limiter_rounds,
        overlong,
        iterations,
        factorisations,
        newton,
        residual,
        contacts,
        pushed,
        rounds,
        rejected: 0,
    })
}

/// How often limits and contact take turns in a step at most.
const ALTERNATE: u32 = 4;

/// Limits on stretch. The implicit methods know what touches: the limiter finds
/// contact anew together with the tensions. With the others contact comes after it.
fn limits(world: &World, state: &State, h: f64, work: &mut Workspace) -> limit::Outcome {
    let lag = method::lag(world, state, h, &work.boundary);
    let Workspace { boundary, x, v, impulse, contact, halt, .. } = work;
    let together = world.method.holds_contact() && !world.solids.is_empty() && limit::is_over(world, x);
    contact.bounds.clear();
    if together {
        boundary.leave_pins(world);
        contact.find_bounds(world, state, boundary, h, x);
    }
    let bounds = &mut contact.bounds;
    let limits = limit::Limits { boundary, start: &state.x, lag, x, v, impulse, bounds, halt };
    limit::apply(world, h, limits, &mut work.limit)
}

/// The last word of contact.
fn respond(world: &World, state: &State, h: f64, work: &mut Workspace) -> u64 {
    if world.solids.is_empty() {
        return 0;
    }
    let Workspace { boundary, contact, x, v, clock, .. } = work;
    clock.enter(Phase::Contact);
    let whole = !world.method.holds_contact();
    contact::respond::Respond { world, state, boundary, h, x, v, whole }.apply(contact)
}

/// Advances the state to the end of the frame in work. On `Err` the state is that before the failed step.
///
/// From outside a rayon pool the whole frame is handed to the current one: worlds that share a pool of few threads wait for each other's
/// frames.
pub fn advance_frame(world: &World, state: &mut State, work: &mut Workspace) -> Result<FrameReport, StepError> {
    let report = advance_frame_unless(world, state, work, |_| false)?;
    report.ok_or(StepError::Stopped { time: state.time })
}

/// As [`advance_frame`], but shows the state before every step, and asks whether to stop; [`Workspace::stop_when`] asks within steps too.
/// `None`: it was stopped, and the state is within a frame.
///
/// `stop` may be called on a thread of the pool, and must not wait for others that need it.
pub fn advance_frame_unless(
    world: &World,
    state: &mut State,
    work: &mut Workspace,
    stop: impl FnMut(&State) -> bool + Send,
) -> Result<Option<FrameReport>, StepError> {
    // handing over takes as long as a step of small cloth: once is enough
    parallel::in_pool(&world.blocks, || whole_frame(world, state, work, stop))
}

fn whole_frame(
    world: &World,
    state: &mut State,
    work: &mut Workspace,
    mut stop: impl FnMut(&State) -> bool,
) -> Result<Option<FrameReport>, StepError> {
    let zeros = |count| vec![Vec3::ZERO; count];
    let mut report =
        FrameReport { pins: zeros(world.pins.len()), bodies: zeros(world.bodies.len()), ..FrameReport::default() };
    let begun = state.elapsed;
    let frame = state.frame;
    while state.frame == frame {
        if stop(state) {
            return Ok(None);
        }
        let step = match step(world, state, work) {
            Err(StepError::Stopped { .. }) => return Ok(None),
            step => step?,
        };
        report.add(&step, state);
        report.pins.iter_mut().zip(&work.impulse).for_each(|(pin, impulse)| *pin += *impulse);
        report.bodies.iter_mut().zip(&work.contact.impulse).for_each(|(body, impulse)| *body += *impulse);
    }
    let time = 1.0 / world.fps - begun;
    report.pins.iter_mut().chain(&mut report.bodies).for_each(|force| *force /= time);
    report.pushes = work.contact.pushes.list();
    Ok(Some(report))
}

fn accept(world: &World, state: &mut State, work: &mut Workspace, plan: control::Plan) {
    boundary::remember(world, state);
    std::mem::swap(&mut state.x, &mut work.x);
    std::mem::swap(&mut state.v, &mut work.v);
    std::mem::swap(&mut state.contacts, &mut work.contact.kept);
    if world.method.has_past() {
        // what was the state is in the workspace now
        std::mem::swap(&mut state.past.x, &mut work.x);
        std::mem::swap(&mut state.past.v, &mut work.v);
        // nothing goes on smoothly from a rebound
        state.past.h = if work.contact.bounced { 0.0 } else { plan.h };
        forget(world, state, &work.contact.kept, plan.h);
    }
    control::accept(world, state, plan);
}

/// Particles that a body has just stopped or pushed go on from there: what they did before would throw them off.
fn forget(world: &World, state: &mut State, before: &[contact::Contact], h: f64) {
    let calm = 0.5 * world.gravity.length() * h;
    for contact in &state.contacts {
        if before.binary_search_by_key(&contact.vertex, |contact| contact.vertex).is_ok() {
            continue;
        }
        let i = contact.vertex as usize;
        let Some(near) = world.bodies[contact.body as usize].nearest(state.time + h).map(|near| near(state.x[i]))
        else {
            continue;
        };
        if near.normal.dot(state.v[i] - state.past.v[i]) > calm {
            state.past.v[i] = state.v[i];
            state.past.x[i] = state.x[i] - state.v[i] * h;
        }
    }
}

/// Displacements of a block in a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    low: [f64; 3],
    high: [f64; 3],
    finite: bool,
}

impl Default for Extent {
    fn default() -> Self {
        Self { low: [f64::INFINITY; 3], high: [f64::NEG_INFINITY; 3], finite: true }
    }
}

impl Extent {
    /// What is not a number vanishes in the comparisons of low and high, and is not finite. No branches: all particles go
    /// through here.
    #[inline]
    fn add(&mut self, low: [f64; 3], high: [f64; 3], finite: bool) {
        self.low = std::array::from_fn(|a| if low[a] < self.low[a] { low[a] } else { self.low[a] });
        self.high = std::array::from_fn(|a| if high[a] > self.high[a] { high[a] } else { self.high[a] });
        self.finite &= finite;
    }
}

/// The square of a displacement; infinite, too, where it or the velocity is not a number.
#[inline]
fn squared(moved: Vec3, v: Vec3) -> f64 {
    let size = (moved + v * 0.0).length_squared();
    if size.is_nan() { f64::INFINITY } else { size }
}

/// Divergence: within one step parts of a cloth move farther apart than the cloth is large, or to nowhere.
pub(crate) fn check(world: &World, state: &State, work: &mut Workspace) -> Result<(), Rejection> {
    let (x, v) = (&work.x, &work.v);
    parallel::each(&world.blocks, (), &mut work.extents, &|block, (), extent| {
        let mut all = Extent::default();
        let particles = block.particles.clone();
        for ((x, v), old) in x[particles.clone()].iter().zip(&v[particles.clone()]).zip(&state.x[particles]) {
            let moved = *x - *old;
            all.add(moved.to_array(), moved.to_array(), squared(moved, *v) < f64::INFINITY);
        }
        *extent = all;
    });
    for (cloth, range) in world.cloths.iter().enumerate() {
        let mut all = Extent::default();
        for (_, part) in world.blocks.iter().zip(&work.extents).filter(|(block, _)| block.cloth == cloth) {
            all.add(part.low, part.high, part.finite);
        }
        let spread = (Vec3::from(all.high) - Vec3::from(all.low)).length();
        if !all.finite || spread > world.fabrics[cloth].size {
            let mut farthest = (-1.0, 0);
            for (vertex, i) in range.vertices.clone().enumerate() {
                let size = squared(x[i] - state.x[i], v[i]);
                if size > farthest.0 {
                    farthest = (size, vertex as u32);
                }
            }
            return Err(Rejection::Moved { cloth, vertex: farthest.1, moved: farthest.0.sqrt() });
        }
    }
    Ok(())
}

/// Why a proposed step is not taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Rejection {
    /// Parts of a cloth move farther apart than it is large.
    Moved { cloth: usize, vertex: u32, moved: f64 },
    /// A triangle's stretch changes too much for one step.
    Stretched { cloth: usize, triangle: u32, change: f64 },
    /// The linear equations were not solved.
    Unsolved { iterations: u32 },
    /// Forces are not numbers any more.
    NotFinite,
    /// Someone wants to stop.
    Stopped,
}

/// What happened in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepReport {
    /// Length of the step, s.
    pub h: f64,
    /// Springs that the limiter found too long, over all passes.
    pub limited: u64,
    /// Factorisations of the limiter that keeps its limit.
    pub limiter_rounds: u32,
    /// The longest edge, if that limiter could not keep its limit.
    pub overlong: Option<Overlong>,
    /// Tries with longer steps that were given up.
    pub rejected: u32,
    /// Iterations of the conjugate gradient, those of rejected tries left out.
    pub iterations: u64,
    /// Factorisations in their place.
    pub factorisations: u32,
    /// Linearisations.
    pub newton: u32,
    /// Largest residual of the nonlinear equations as an acceleration, m/s²; `None` unless Newton's iterations are on.
    pub residual: Option<f64>,
    /// Particles in contact at the end.
    pub contacts: u32,
    /// How often a particle was pushed out of a body after the step.
    pub pushed: u64,
    /// How often the step was solved until stick, slip and release agreed with its forces.
    pub rounds: u32,
}

impl StepReport {
    fn add(&mut self, proposed: &StepReport) {
        *self = StepReport { rejected: self.rejected, ..*proposed };
    }
}

/// What happened in a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameReport {
    /// Steps taken.
    pub steps: u32,
    /// Length of the longest step, s.
    pub h: f64,
    /// Length of the shortest step, s.
    pub shortest: f64,
    /// Tries with longer steps that were given up.
    pub rejected: u32,
    /// Successes that the control waits for before it tries a longer step, at the end of the frame.
    pub wait: u32,
    /// Iterations of the conjugate gradient.
    pub iterations: u64,
    /// Factorisations in their place.
    pub factorisations: u32,
    /// Linearisations.
    pub newton: u32,
    /// Largest residual of the nonlinear equations as an acceleration, m/s²; `None` unless Newton's iterations are on.
    pub residual: Option<f64>,
    /// Springs that the limiter found too long, over all steps and passes.
    pub limited: u64,
    /// Particles in contact at the end.
    pub contacts: u32,
    /// How often a particle was pushed out of a body after a step.
    pub pushed: u64,
    /// How often steps were solved until stick, slip and release agreed with their forces.
    pub rounds: u32,
    /// Factorisations of the limiter that keeps its limit.
    pub limiter_rounds: u32,
    /// The longest edge of all steps in which that limiter could not keep its limit.
    pub overlong: Option<Overlong>,
    /// Mean force of each pin on the cloth over the frame, N: pins of all cloths in order, [`World::pin_names`].
    pub pins: Vec<Vec3>,
    /// Mean force of each of [`World::bodies`] on the cloth over the frame, N.
    pub bodies: Vec<Vec3>,
    /// Particles and forces of bodies on them besides those of [`State::contacts`], in the mean of the last step, N: of
    /// edges and triangles over sharp edges, by their weights, and of what was left inside. With those they sum to the
    /// forces of bodies.
    pub pushes: Vec<(u32, Vec3)>,
}

impl FrameReport {
    fn add(&mut self, step: &StepReport, state: &State) {
        self.h = self.h.max(step.h);
        self.shortest = if self.steps == 0 { step.h } else { self.shortest.min(step.h) };
        self.steps += 1;
        self.rejected += step.rejected;
        self.wait = state.control.wait;
        self.iterations += step.iterations;
        self.factorisations += step.factorisations;
        self.newton += step.newton;
        self.residual = match (self.residual, step.residual) {
            (Some(a), Some(b)) => Some(f64::max(a, b)),
            (a, b) => a.or(b),
        };
        self.limited += step.limited;
        self.contacts = step.contacts;
        self.pushed += step.pushed;
        self.rounds += step.rounds;
        self.limiter_rounds += step.limiter_rounds;
        let longer = |a: &Overlong| step.overlong.is_none_or(|b| a.elongation >= b.elongation);
        self.overlong = self.overlong.filter(longer).or(step.overlong);
    }
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
    /// The shortest step that is allowed still changes the stretch of a triangle too much.
    #[error(
        "no step at t = {time:.4} s works, down to {h:.3e} s: the stretch of triangle {triangle} of `{cloth}` changes by {change:.3} in it"
    )]
    Stretched {
        /// Start of the failed step, s.
        time: f64,
        /// Counted from the first triangle of the cloth.
        triangle: u32,
        /// Name of the cloth.
        cloth: String,
        /// Change of |w_u| or |w_v|.
        change: f64,
        /// Length of the step, s.
        h: f64,
    },
    /// The equations of an implicit step were not solved.
    #[error(
        "the equations of the step at t = {time:.4} s were not solved in {iterations} iterations, with a step of {h:.3e} s"
    )]
    Unsolved {
        /// Start of the failed step, s.
        time: f64,
        /// Iterations of the conjugate gradient.
        iterations: u32,
        /// Length of the step, s.
        h: f64,
    },
    /// Two bodies leave less room to a cloth between them than it is thick.
    #[error(
        "no room between `{}` and `{}` at t = {time:.4} s: they {} where `{cloth}`, {:.2} mm thick, is between them, at \
         [{:.4}, {:.4}, {:.4}], vertex {vertex}",
        bodies[0], bodies[1], room_text(*.room), 1000.0 * thickness, at.x, at.y, at.z
    )]
    NoRoom {
        /// End of the failed step, s.
        time: f64,
        /// Their names.
        bodies: Box<[String; 2]>,
        /// What they leave, m; negative where they overlap.
        room: f64,
        /// Name of the cloth.
        cloth: String,
        /// Its thickness, m.
        thickness: f64,
        /// Counted from the first vertex of the cloth.
        vertex: u32,
        /// Where it is, m.
        at: Vec3,
    },
    /// A vertex was so deep inside a body that it could not be brought out.
    #[error(
        "no step at t = {time:.4} s works, down to {h:.3e} s: vertex {vertex} of `{cloth}`, {:.2} mm thick, is {:.2} mm inside \
         `{body}`, at [{:.4}, {:.4}, {:.4}]", 1000.0 * thickness, 1000.0 * depth, at.x, at.y, at.z
    )]
    Inside {
        /// Start of the failed step, s.
        time: f64,
        /// Its length, s.
        h: f64,
        /// Name of the body.
        body: String,
        /// Name of the cloth.
        cloth: String,
        /// Its thickness, m.
        thickness: f64,
        /// Counted from the first vertex of the cloth.
        vertex: u32,
        /// Where it is, m.
        at: Vec3,
        /// How deep, m.
        depth: f64,
    },
    /// Someone wanted it to stop: see [`Workspace::stop_when`].
    #[error("stopped at t = {time:.4} s")]
    Stopped {
        /// Start of the step that was given up, s.
        time: f64,
    },
    /// Forces that are not numbers.
    #[error("forces at t = {time:.4} s are not numbers any more, with a step of {h:.3e} s")]
    NotFinite {
        /// Start of the failed step, s.
        time: f64,
        /// Length of the step, s.
        h: f64,
    },
}

impl Rejection {
    /// The error if no shorter step may be tried.
    pub fn error(self, world: &World, state: &State, h: f64) -> StepError {
        let time = state.time;
        // bodies that close are the reason for whatever happens there
        let near: Option<&[u32]> = match &self {
            Rejection::Moved { cloth, vertex, .. } => Some(&[world.cloths[*cloth].vertices.start as u32 + vertex]),
            Rejection::Stretched { cloth, triangle, .. } => {
                Some(&world.triangles[world.cloths[*cloth].triangles.start + *triangle as usize])
            }
            Rejection::Unsolved { .. } | Rejection::NotFinite | Rejection::Stopped => None,
        };
        if let Some(error) = contact::room::no_room(world, &state.x, near, time + h) {
            return error;
        }
        if let Some(error) = contact::room::inside(world, state, h) {
            return error;
        }
        match self {
            Rejection::Moved { cloth, vertex, moved } => {
                let (cloth, stable) = (world.cloths[cloth].name.clone(), world.stable_step());
                StepError::Diverged { time, vertex, cloth, moved, h, stable }
            }
            Rejection::Stretched { cloth, triangle, change } => {
                StepError::Stretched { time, triangle, cloth: world.cloths[cloth].name.clone(), change, h }
            }
            Rejection::Unsolved { iterations } => StepError::Unsolved { time, iterations, h },
            Rejection::NotFinite => StepError::NotFinite { time, h },
            Rejection::Stopped => StepError::Stopped { time },
        }
    }
}

fn room_text(room: f64) -> String {
    let size = 1000.0 * room.abs();
    if room < 0.0 { format!("overlap by {size:.2} mm") } else { format!("leave {size:.2} mm") }
}

fn stable_text(stable: Option<f64>) -> String {
    match stable {
        Some(h) if h.is_infinite() => "a shorter step is needed".into(),
        Some(h) => format!("steps up to {h:.3e} s are stable"),
        None => "this method has no stable step without damping".into(),
    }
}
