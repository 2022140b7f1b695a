//! Control of the step size.
//!
//! D. Baraff and A. Witkin, Large Steps in Cloth Simulation, SIGGRAPH 1998, Sec. 6. A step that changes the stretch of
//! a triangle drastically is rejected and tried again at half the length. After two successes twice the length is
//! tried; if that fails, the next trial waits twice as long, up to 40 steps. The step of the world divides the frame
//! into equal parts; calm cloth may take it two, four or more times as long. Where halved steps do not fit, the last
//! step of a frame is shortened; it counts neither as a success nor as a trial.

use crate::Vec3;
use crate::contact;
use crate::method::Proposal;
use crate::model::triangle::slopes;
use crate::parallel::{self, Block};
use crate::report::{Driver, Rejection, StepError};
use crate::setup::Shape;
use crate::state::{Control, FIRST_WAIT, LONGEST_WAIT, State};
use crate::wide::{Kernel, widest};
use crate::world::World;
use glam::DVec2 as Vec2;
use std::ops::Range;

/// The step to try, and what to store if it is accepted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// Length of the step, s.
    pub h: f64,
    /// Whether the frame ends with this step.
    ends: bool,
    /// Whether the step is a trial, longer than the last ones.
    trial: bool,
    /// Whether the step has the length that the control wants, not cut by the end of the frame.
    whole: bool,
    control: Control,
}

/// Cloth is calm if its velocity changes by less in a step, m/s: the root of the mean square over its mass. Doubled
/// steps go on until it is lively. Backward Euler lags behind by half of the change, so that they cost at most 5 mm in
/// a second. A doubled step in which cloth is very lively, as in a free fall of 1/240 s, is taken again.
const CALM: f64 = 0.005;
const LIVELY: f64 = 0.01;
const VERY_LIVELY: f64 = 0.04;

/// Bodies and pins are calm if they move more slowly, m/s: what closes on cloth or pulls it has short steps.
const SLOW: f64 = 0.05;

/// Largest change of a triangle's stretch in a step with contact by the barrier: with 0.1, single edges that buckle are
/// stretched two or three times as far as in a converged motion. Steps shorter than a share of the usual one may change
/// it more: an edge that snaps would ask for ever shorter ones.
const BARRIER_CHANGE: f64 = 0.04;
const SHORT: f64 = 0.3;

/// A remainder of the frame shorter than this share of the step is rounding error, not a step.
const ROUNDING: f64 = 1e-9;

/// A step that failed is tried again at no more than this share of its length. One halving may not be enough, because
/// the last step of a frame may be much shorter than the one that the control wants.
const SHORTER: f64 = 0.75;

fn with(world: &World, state: &State, control: Control, trial: bool) -> Plan {
    if world.adaptive.is_none() {
        let ends = state.step + 1 >= world.steps_per_frame;
        return Plan { h: world.h, ends, trial, whole: true, control };
    }
    let (h, left) = (length(world, control), left(world, state));
    let ends = left <= h * (1.0 + ROUNDING);
    Plan { h: if ends { left } else { h }, ends, trial, whole: left >= h * (1.0 - ROUNDING), control }
}

/// The step length that the control wants, s.
fn length(world: &World, control: Control) -> f64 {
    world.h * f64::from(1u32 << control.doublings.min(31)) / f64::from(1u32 << control.halvings.min(31))
}

impl World {
    /// How often the step may be doubled while cloth is calm.
    pub(crate) fn most_doublings(&self) -> u32 {
        let times = (self.longest / self.h * (1.0 + ROUNDING)).max(1.0);
        if self.adaptive.is_some() { times.log2() as u32 } else { 0 }
    }
}

/// The remaining time of the frame, s.
fn left(world: &World, state: &State) -> f64 {
    1.0 / world.fps - state.elapsed
}

/// The step to try first.
pub(crate) fn plan(world: &World, state: &State) -> Plan {
    let mut control = state.control;
    let fits = left(world, state) >= 2.0 * length(world, control) * (1.0 - ROUNDING);
    let may_grow = control.halvings > 0 || control.doublings < world.most_doublings();
    let trial = may_grow && control.successes >= control.wait && fits;
    match (trial, control.halvings) {
        (false, _) => {}
        (true, 0) => control.doublings += 1,
        (true, _) => control.halvings -= 1,
    }
    with(world, state, control, trial)
}

/// The largest change of a triangle's stretch in a step of length `h`; `None` if steps do not adapt.
pub(crate) fn largest_change(world: &World, h: f64) -> Option<f64> {
    let touches = world.barrier.is_some() && world.can_touch() && h > SHORT * world.h;
    let most = if touches { BARRIER_CHANGE } else { f64::INFINITY };
    world.adaptive.map(|adaptive| adaptive.change.min(most))
}

/// Whether a step is too long for what happens in it.
pub(crate) fn is_too_lively(plan: Plan, unrest: f64) -> bool {
    plan.control.doublings > 0 && unrest > VERY_LIVELY
}

/// The largest change of the velocity of a cloth in a step of length `h`, m/s: the root of the mean square over its
/// mass; infinite where bodies or pins are fast. None where it makes no difference.
pub(crate) fn unrest(world: &World, before: &State, end: &Proposal, h: f64, work: &mut Checks) -> f64 {
    if world.most_doublings() == 0 {
        return 0.0;
    }
    let of_solids = world.solids.iter().zip(&end.contact.moving).map(|(solid, moving)| {
        let radius = 0.5 * solid.exact.extents().map_or(0.0, Vec3::length);
        moving.speed.length() + moving.spin.length() * radius
    });
    let of_pins = end.boundary.held.iter().map(|held| held.speed.length());
    let fastest = of_solids.chain(of_pins).fold(end.barrier.speed_of_meshes(h), f64::max);
    if fastest > SLOW {
        return f64::INFINITY;
    }
    let (before, after) = (&before.v, &end.v);
    parallel::each(&world.blocks, (), &mut work.changes_of_velocity, &|block, (), sums| {
        let of = |i: usize| Vec2::new((after[i] - before[i]).length_squared(), 1.0) * world.mass[i];
        *sums = block.particles.clone().map(of).sum();
    });
    let of_cloth = |cloth: usize| {
        let own = world.blocks.iter().zip(&work.changes_of_velocity).filter(|(block, _)| block.cloth == cloth);
        let sum: Vec2 = own.map(|(_, sums)| *sums).sum();
        (sum.x / sum.y).sqrt()
    };
    (0..world.cloths.len()).map(of_cloth).fold(0.0, f64::max)
}

/// The step to try after one that failed.
pub(crate) fn reject(world: &World, state: &State, failed: Plan, reason: Rejection) -> Result<Plan, StepError> {
    shorter(world, state, failed).ok_or_else(|| reason.error(world, state, failed.h))
}

/// The step to try after one that was too long; `None` if no shorter one is allowed.
pub(crate) fn shorter(world: &World, state: &State, failed: Plan) -> Option<Plan> {
    let adaptive = world.adaptive.as_ref()?;
    let mut control = failed.control;
    control.successes = 0;
    if failed.trial {
        control.wait = (2 * control.wait).min(LONGEST_WAIT);
    }
    let mut next = failed;
    while next.h > SHORTER * failed.h {
        match control.doublings {
            0 => control.halvings += 1,
            _ => control.doublings -= 1,
        }
        if 0.5f64.powi(control.halvings as i32) < adaptive.least * (1.0 - ROUNDING) {
            return None;
        }
        next = with(world, state, control, false);
    }
    Some(next)
}

/// Records an accepted step and advances the time. `unrest` is the largest [`unrest`] of a cloth in it, m/s.
pub(crate) fn accept(world: &World, state: &mut State, plan: Plan, unrest: f64) {
    state.control = plan.control;
    if world.adaptive.is_some() {
        // calm comes before steps longer than those of the world
        let succeeds = plan.whole && (plan.control.halvings > 0 || unrest <= CALM);
        state.control.successes = if plan.trial { 0 } else { plan.control.successes + u32::from(succeeds) };
        if plan.trial {
            state.control.wait = FIRST_WAIT;
        }
        if plan.control.halvings == 0 && unrest > CALM {
            state.control.successes = 0;
        }
        if unrest > LIVELY {
            state.control.doublings = plan.control.doublings.saturating_sub(1);
        }
    }
    state.step += 1;
    state.elapsed = if world.adaptive.is_some() { state.elapsed + plan.h } else { f64::from(state.step) * world.h };
    if plan.ends {
        begin_frame(world, state, state.frame + 1);
        return;
    }
    // equal steps are counted in whole numbers: rounding does not accumulate, and a resumed run has the same time
    let within = match world.adaptive {
        Some(_) => state.elapsed * world.fps,
        None => f64::from(state.step) / f64::from(world.steps_per_frame),
    };
    state.time = (state.frame as f64 + within) / world.fps;
}

/// Sets the state's time to the start of a frame.
pub(crate) fn begin_frame(world: &World, state: &mut State, frame: u64) {
    state.frame = frame;
    state.step = 0;
    state.elapsed = 0.0;
    state.time = frame as f64 / world.fps;
}

/// Buffers of [`check`]: one entry per block.
#[derive(Default)]
pub(crate) struct Checks {
    extents: Vec<Extent>,
    changes: Vec<Change>,
    changes_of_velocity: Vec<Vec2>,
}

impl Checks {
    pub fn new(world: &World) -> Self {
        Self {
            extents: vec![Extent::default(); world.blocks.len()],
            changes: world.blocks.iter().map(|block| Change::none(world, block)).collect(),
            changes_of_velocity: vec![Vec2::ZERO; world.blocks.len()],
        }
    }
}

/// The largest change of stretch in a block.
#[derive(Clone, Copy, Debug, Default)]
struct Change {
    size: f64,
    triangle: u32,
    /// Largest change of |w_u| or |w_v| of its triangles when edge vectors change by 1 m, 1/m.
    steepest: f64,
}

impl Change {
    /// No change so far.
    fn none(world: &World, block: &Block) -> Self {
        let cloth = &world.cloths[block.cloth];
        let steep = |t: usize| {
            let (a, b, _) = slopes(&world.uv[cloth.triangles.start + t]);
            [a, b].map(|[_, a1, a2]| a1.abs() + a2.abs()).into_iter().fold(0.0, f64::max)
        };
        Self { steepest: share(world, block).map(steep).fold(0.0, f64::max), ..Self::default() }
    }
}

/// The triangles of its cloth that a block checks.
fn share(world: &World, block: &Block) -> Range<usize> {
    let cloth = &world.cloths[block.cloth];
    let of = |v: usize| cloth.triangles.len() * (v - cloth.vertices.start) / cloth.vertices.len();
    of(block.particles.start)..of(block.particles.end)
}

/// Rejects a proposed step to positions `x` and velocities `v` that diverges, or changes a triangle's stretch by more
/// than `largest`.
pub(crate) fn check(
    world: &World,
    state: &State,
    x: &[Vec3],
    v: &[Vec3],
    largest: Option<f64>,
    work: &mut Checks,
) -> Result<(), Rejection> {
    check_spread(world, state, x, v, &mut work.extents)?;
    largest.map_or(Ok(()), |largest| check_stretch(world, state, x, largest, &mut work.changes))
}

/// Rejects a proposed step in which a triangle's stretch changes by more than `largest`.
fn check_stretch(
    world: &World,
    state: &State,
    x: &[Vec3],
    largest: f64,
    changes: &mut [Change],
) -> Result<(), Rejection> {
    parallel::each(&world.blocks, (), changes, &|block, (), most| {
        (most.size, most.triangle) = (0.0, 0);
        let first = world.cloths[block.cloth].triangles.start;
        // |w| changes by at most the change of w: in most steps this bound from the edges is enough
        let triangles = &world.triangles[first..][share(world, block)];
        if widest(Farthest { triangles, old: &state.x, new: x }) * most.steepest <= largest {
            return;
        }
        for t in share(world, block) {
            let at = world.triangles[first + t].map(|v| v as usize);
            let [old, new] = [&state.x, x].map(|x| stretches(&world.uv[first + t], at.map(|i| x[i])));
            for d in 0..2 {
                let size = (new[d] - old[d]).abs();
                if size > most.size {
                    (most.size, most.triangle) = (size, t as u32);
                }
            }
        }
    });
    for (block, most) in world.blocks.iter().zip(&*changes) {
        if most.size > largest {
            let Change { size, triangle, .. } = *most;
            return Err(Rejection::Stretched { cloth: block.cloth, triangle, change: size });
        }
    }
    Ok(())
}

/// Largest change of an edge vector from the first vertex of a triangle, m.
struct Farthest<'a> {
    triangles: &'a [[u32; 3]],
    old: &'a [Vec3],
    new: &'a [Vec3],
}

impl Kernel for Farthest<'_> {
    type Output = f64;

    #[inline(always)]
    fn run(self) -> f64 {
        let Self { triangles, old, new } = self;
        let mut farthest = 0.0f64;
        for &[p, q, r] in triangles {
            let moved = |v: u32| new[v as usize] - old[v as usize];
            let (p, q, r) = (moved(p), moved(q), moved(r));
            let (one, two) = ((q - p).length_squared(), (r - p).length_squared());
            let longer = if one > two { one } else { two };
            farthest = if longer > farthest { longer } else { farthest };
        }
        farthest.sqrt()
    }
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

impl Rejection {
    /// The error to report if no shorter step may be tried.
    pub fn error(self, world: &World, state: &State, h: f64) -> StepError {
        let time = state.time;
        // where bodies close in on the cloth they are the cause, whatever failed
        let near: Option<&[u32]> = match &self {
            Rejection::Moved { cloth, vertex, .. } => Some(&[world.cloths[*cloth].vertices.start as u32 + vertex]),
            Rejection::Stretched { cloth, triangle, .. } => {
                Some(&world.triangles[world.cloths[*cloth].triangles.start + *triangle as usize])
            }
            Rejection::Unsolved { .. }
            | Rejection::NotFinite
            | Rejection::Blocked { .. }
            | Rejection::Spread { .. }
            | Rejection::NoPose { .. }
            | Rejection::Meets { .. }
            | Rejection::Cut
            | Rejection::Stopped => None,
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
            // a step that may not be shorter is not cut
            Rejection::NotFinite | Rejection::Cut => StepError::NotFinite { time, h },
            Rejection::Blocked { point, by, shortfall } => {
                let by = match by {
                    Driver::Particle(i) => format!("a pin of `{}`", world.cloths[world.cloth_of(i as usize)].name),
                    Driver::Body(body) => format!("`{}`", world.bodies[body as usize].name),
                };
                let i = point as usize;
                let cloth = &world.cloths[world.cloth_of(i)];
                let (vertex, at) = ((i - cloth.vertices.start) as u32, state.x[i]);
                StepError::Blocked { time, h, by, cloth: cloth.name.clone(), vertex, at, shortfall }
            }
            Rejection::Spread { pairs, most } => StepError::Spread { time, pairs, most },
            Rejection::Meets { point } => {
                let i = point as usize;
                let cloth = &world.cloths[world.cloth_of(i)];
                let (vertex, at) = ((i - cloth.vertices.start) as u32, state.x[i]);
                StepError::Meets { time, vertex, cloth: cloth.name.clone(), at }
            }
            Rejection::NoPose { body } => {
                let body = &world.bodies[body as usize];
                let why = match &body.shape {
                    Shape::Mesh(mesh) => mesh.at(time, &mut Vec::new()).and(mesh.at(time + h, &mut Vec::new())).err(),
                    _ => None,
                };
                let why = why.map_or_else(|| "its mesh has no positions".into(), |why| why.to_string());
                StepError::NoPose { time, body: body.name.clone(), why }
            }
            Rejection::Stopped => StepError::Stopped { time },
        }
    }
}

/// Displacements of a block in a step.
#[derive(Clone, Copy, Debug)]
struct Extent {
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
    /// Comparisons of low and high lose NaN, so `finite` records it. There are no branches, because all particles pass
    /// through here.
    #[inline]
    fn add(&mut self, low: [f64; 3], high: [f64; 3], finite: bool) {
        self.low = std::array::from_fn(|a| if low[a] < self.low[a] { low[a] } else { self.low[a] });
        self.high = std::array::from_fn(|a| if high[a] > self.high[a] { high[a] } else { self.high[a] });
        self.finite &= finite;
    }
}

/// The square of a displacement; infinite where it or the velocity is NaN.
#[inline]
fn squared(moved: Vec3, v: Vec3) -> f64 {
    let size = (moved + v * 0.0).length_squared();
    if size.is_nan() { f64::INFINITY } else { size }
}

/// Checks for divergence: within one step parts of a cloth move farther apart than the cloth is large, or are not
/// finite.
fn check_spread(world: &World, state: &State, x: &[Vec3], v: &[Vec3], extents: &mut [Extent]) -> Result<(), Rejection> {
    parallel::each(&world.blocks, (), extents, &|block, (), extent| {
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
        for (_, part) in world.blocks.iter().zip(&*extents).filter(|(block, _)| block.cloth == cloth) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::{Cloth, Mesh, Pattern, Setup, StepSize, Time};

    fn world(steps: u32) -> World {
        let cloth = Cloth::new("sheet", Mesh::grid([1.0, 1.0], [1, 1], Pattern::OneDiagonal).unwrap());
        let mut setup = Setup::with_cloth(cloth);
        // a frame of one second
        setup.time = Time { fps: 1.0, step: StepSize::AtMost(1.001 / f64::from(steps)), ..Time::default() };
        World::new(setup).unwrap()
    }

    const REASON: Rejection = Rejection::Stretched { cloth: 0, triangle: 0, change: 1.0 };

    /// The lengths of accepted steps and the failed tries, if steps longer than `longest` fail.
    fn course(world: &World, state: &mut State, longest: f64, steps: usize) -> Vec<(f64, u32, u32)> {
        (0..steps)
            .map(|_| {
                let (mut next, mut failed) = (plan(world, state), 0);
                while next.h > longest {
                    next = reject(world, state, next, REASON).unwrap();
                    failed += 1;
                }
                accept(world, state, next, 0.0);
                (next.h, failed, state.control.wait)
            })
            .collect()
    }

    #[test]
    fn failures_halve_the_step_and_double_the_wait() {
        let world = world(1);
        let mut state = world.start();
        // 1 and 1/2 fail; then 1/4 succeeds, and after 2, 4, 8, ... successes 1/2 is tried where it fits and fails
        let found = course(&world, &mut state, 0.3, 200);
        assert_eq!(found[0], (0.25, 2, 2));
        assert!(found.iter().all(|step| step.0 == 0.25));
        let tries: Vec<(usize, u32)> = (1..200).filter(|&i| found[i].1 > 0).map(|i| (i, found[i].2)).collect();
        // the failed try precedes a step that counts as the first success of the next wait
        assert_eq!(tries[..5], [(2, 4), (6, 8), (14, 16), (30, 32), (62, 40)], "{tries:?}");
        assert!(tries[4..].windows(2).all(|w| w[1].0 - w[0].0 == 40 && w[1].1 == 40), "{tries:?}");
        assert_eq!((state.frame, state.time), (50, 50.0));
    }

    #[test]
    fn the_step_grows_again_after_two_successes_and_never_above_the_longest() {
        let world = world(2);
        let mut state = world.start();
        state.control.halvings = 3;
        let lengths: Vec<f64> = course(&world, &mut state, 1.0, 12).iter().map(|step| step.0).collect();
        assert_eq!(lengths, [0.0625, 0.0625, 0.125, 0.125, 0.125, 0.25, 0.25, 0.25, 0.5, 0.25, 0.5, 0.5]);
        assert_eq!(state.frame, 3);
    }

    #[test]
    fn the_least_step_is_an_error_and_frames_end_at_whole_numbers() {
        let world = world(3);
        let mut state = world.start();
        let before = state.clone();
        let mut next = plan(&world, &state);
        let error = loop {
            match reject(&world, &state, next, REASON) {
                Ok(shorter) => next = shorter,
                Err(error) => break error,
            }
        };
        let StepError::Stretched { h, .. } = error else { panic!("{error}") };
        assert!((h * 3.0 * 4096.0 - 1.0).abs() < 1e-12 && state == before);
        // odd lengths: all frames end where they should
        for i in 0..500 {
            let longest = [0.4, 0.03, 0.2, 0.01, 0.09][i % 5];
            course(&world, &mut state, longest, 1);
            assert!(state.elapsed < 1.0 && state.time <= state.frame as f64 + 1.0);
            assert!(state.step > 0 || state.time == state.frame as f64);
        }
    }
}
