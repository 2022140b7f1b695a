//! Static equilibrium: the minimum of the energy.
//!
//! ```text
//! Π(x) = E(x) - weight·x - loads·x        (K + μ M) p = -∂Π/∂x        x += α p
//! ```
//! This is Newton's method with a direct factorisation (J. Nocedal and S. Wright, Numerical Optimization, 2006, Ch. 3
//! and 4). K is the exact Hessian where K + μ M is positive definite, and the definite part of the elements elsewhere.
//! μ acts like a time step (1/Δt² of backward Euler without velocity). It decreases as long as the energy falls as the
//! quadratic model predicts, and increases otherwise. The line search for α ensures that the energy falls. Damping and
//! air do not change an equilibrium and are left out.
//!
//! Contact by the barrier is in [`settle`] and [`balance`], contact by constraints in [`relax`] and [`touching`]. Cloth
//! that hangs free is searched for without contact. If it comes near itself by the barrier's measure, the search begins
//! again with contact.
//!
//! Moving pins are followed in stages, so that the cloth goes where it would go if it were moved slowly.
//!
//! Once the residual is small enough, the exact K must be positive definite, or the equilibrium is a saddle: the cloth
//! is then pushed slightly and the search continues.

mod balance;
mod relax;
mod settle;
mod touching;

use crate::Vec3;
use crate::barrier::Barrier;
use crate::boundary::{self, Boundary};
use crate::control;
use crate::force::assemble::{self, Point, Sums};
use crate::halt::Halt;
use crate::linear::Matrix;
use crate::linear::cholesky::{Factor, Symbolic};
use crate::linear::filter::FREE;
use crate::model::element::Curvature;
use crate::model::elements::Layout;
use crate::parallel;
use crate::report::StepError;
use crate::state::State;
use crate::world::World;
use touching::Touching;

/// When an equilibrium is good enough.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drape {
    /// Largest net force on a particle as a share of its weight (at 9.81 m/s² if there is no gravity).
    pub residual: f64,
    /// Largest number of iterations over all stages.
    pub iterations: u32,
}

impl Default for Drape {
    fn default() -> Self {
        Self { residual: 1e-4, iterations: 2000 }
    }
}

/// Progress of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrapeProgress {
    /// Iterations so far.
    pub iteration: u32,
    /// Largest net force as a share of a particle's weight.
    pub share: f64,
    /// The current stage, counted from 1.
    pub stage: u32,
    /// Stages in all.
    pub stages: u32,
}

/// Result of a search for equilibrium.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DrapeReport {
    /// Whether the residual is small enough.
    pub converged: bool,
    /// Largest net force on a particle in its free directions, N.
    pub residual: f64,
    /// The largest net force on a particle as a share of its weight.
    pub share: f64,
    /// Iterations of Newton's method.
    pub iterations: u32,
    /// Whether the equilibrium is a minimum of the energy. False if the search did not converge, since it is not
    /// checked then.
    pub stable: bool,
    /// A cloth that no pin holds at the end of the planned time: it has no equilibrium.
    pub loose: Option<String>,
    /// Stages in which moving pins were followed.
    pub stages: u32,
    /// Force of each pin on the cloth, N.
    pub pins: Vec<Vec3>,
    /// Force of each body on the cloth, N, if it converged; empty if the cloth can touch no body.
    pub bodies: Vec<Vec3>,
    /// Forces of bodies on edges and triangles of the cloth: the particles that share them, and the force on each, N.
    pub pushes: Vec<(u32, Vec3)>,
    /// Why pins and bodies did not reach the end of their motion.
    pub failure: Option<StepError>,
    /// The last stage, counted from 1.
    pub stage: u32,
    /// Whether the caller stopped the search. The state is then the best one found so far. Its pins and loads are those
    /// of the end of the planned time only if `stage` is the last.
    pub stopped: bool,
}

/// Finds the equilibrium near a state, with pins and loads as they are at the end of the planned time. Sets the state
/// to that time, with zero velocity, and advances its frame by one.
///
/// Calls `observe` in every iteration and stops the search if it returns `false`.
pub fn drape(
    world: &World,
    state: &mut State,
    settings: &Drape,
    observe: &mut dyn FnMut(&DrapeProgress) -> bool,
) -> DrapeReport {
    drape_unless(world, state, settings, &Halt::default(), observe)
}

/// Like [`drape`], but `halt` also stops the search, even within an iteration.
pub fn drape_unless(
    world: &World,
    state: &mut State,
    settings: &Drape,
    halt: &Halt,
    observe: &mut dyn FnMut(&DrapeProgress) -> bool,
) -> DrapeReport {
    halt.forget();
    if world.barrier.is_some() {
        let over;
        let guarded = if world.goes_over() {
            over = world.with_contact();
            &over
        } else {
            world
        };
        let start = state.clone();
        let touches = world.can_touch() || !state.touching.list.is_empty() || !state.exempt.list.is_empty();
        if !touches && let Some(report) = hang(world, state, settings, halt, observe) {
            return report;
        }
        state.clone_from(&start);
        let report = settle::settle(guarded, state, settings, halt, observe);
        state.past = start.past;
        return report;
    }
    if !world.solids.is_empty() {
        return relax::relax(world, state, settings, halt, observe);
    }
    hang(world, state, settings, halt, observe).unwrap_or_default()
}

/// Finds the equilibrium of a cloth that touches nothing. `None` where it comes near itself, and contact is by the
/// barrier.
fn hang(
    world: &World,
    state: &mut State,
    settings: &Drape,
    halt: &Halt,
    observe: &mut dyn FnMut(&DrapeProgress) -> bool,
) -> Option<DrapeReport> {
    let layout = Layout::new(world.mass.len(), &world.elements);
    let symbolic = Symbolic::new(&layout.pattern, &world.rest);
    let mut search = Search::new(world, &layout, &symbolic, halt);
    let mut watch = world.barrier.is_some().then(|| Watch::new(world, state));
    let mut report = DrapeReport { stages: stages(world, state), ..DrapeReport::default() };
    let begin = state.time;
    let length = (world.duration - begin).max(0.0);
    state.v.fill(Vec3::ZERO);
    for stage in 1..=report.stages {
        let last = stage == report.stages;
        report.stage = stage;
        // only pins that hold at the end of the planned time count, not those that let go before
        let end = begin + length * f64::from(stage) / f64::from(report.stages) * (1.0 - BEFORE_END);
        if last {
            state.time = end;
        }
        search.boundary.advance(world, state, (end - state.time).max(INSTANT));
        boundary::remember(world, state);
        state.time = end;
        search.hold(&mut state.x);
        let loose = search.loose();
        if last && loose.is_some() && world.cloth_collides() && !search.boundary.held.is_empty() {
            return None; // it may lie on a cloth that is held
        }
        if loose.is_some() && last {
            report.loose = loose;
            break;
        }
        if loose.is_some() {
            continue; // between two pins it would fall for ever
        }
        let target = if last { settings.residual } else { settings.residual.max(ON_THE_WAY) };
        let goal = Goal { target, last, stage, iterations: settings.iterations };
        let goes_on = search.descend(&goal, state, &mut report, observe);
        if watch.as_mut().is_some_and(|watch| watch.meets(world, state)) {
            return None;
        }
        if !goes_on {
            break;
        }
    }
    report.pins = search.reactions();
    control::begin_frame(world, state, state.frame + 1);
    Some(report)
}

/// Looks whether cloth comes near itself. The iterates of a stage are no motion: what counts is the straight way from
/// its start to its end.
struct Watch {
    barrier: Barrier,
    before: State,
}

impl Watch {
    fn new(world: &World, state: &State) -> Self {
        let mut barrier = Barrier::new(world);
        barrier.stand(state.time);
        Self { barrier, before: state.clone() }
    }

    /// Whether cloth has come near itself on the way to a state.
    fn meets(&mut self, world: &World, state: &State) -> bool {
        let met = !matches!(self.barrier.meets(world, &self.before, 1.0, &state.x), Ok(None));
        self.barrier.pass(1.0);
        self.before.x.copy_from_slice(&state.x);
        met
    }
}

/// Pins are moved by at most this share of the cloth's size in a stage.
const STAGE: f64 = 0.02;

/// Largest number of stages, and of samples of the pins' motion.
const STAGES: u32 = 400;
const FRAMES: u32 = 10_000;

/// A stage ends early by this share of its time: a pin that lets go at the end of the planned time still holds.
const BEFORE_END: f64 = 1e-8;

/// Length of a step in which nothing moves, s.
const INSTANT: f64 = 1e-9;

/// Net force as a share of the weight that is small enough in all stages but the last.
const ON_THE_WAY: f64 = 5e-3;

/// A pin carries no weight if its held directions have less than this share of gravity.
const CARRIES: f64 = 1e-6;

/// The number of stages for the motion of the pins.
fn stages(world: &World, state: &State) -> u32 {
    let frames = (world.duration * world.fps).ceil().clamp(1.0, f64::from(FRAMES)) as u32;
    let h = world.duration / f64::from(frames);
    let mut moved: f64 = 0.0;
    let mut at = State { v: Vec::new(), ..state.clone() };
    let mut boundary = Boundary::new(world);
    let size = world.fabrics.iter().map(|fabric| fabric.size).fold(f64::INFINITY, f64::min);
    if h == 0.0 || world.pins.iter().all(|pin| pin.motion.keys.len() < 2 && pin.from <= 0.0) {
        return 1;
    }
    for frame in 0..frames {
        at.time = state.time + h * f64::from(frame);
        boundary.advance(world, &at, h);
        moved += boundary.held.iter().map(|held| held.speed.length() * h).fold(0.0, f64::max);
    }
    1 + ((moved / (STAGE * size)).ceil() as u32).min(STAGES)
}

/// The goal of a stage.
struct Goal {
    target: f64,
    last: bool,
    stage: u32,
    /// Total number of iterations after which the search stops.
    iterations: u32,
}

struct Search<'a> {
    world: &'a World,
    layout: &'a Layout,
    symbolic: &'a Symbolic,
    boundary: Boundary,
    matrix: Matrix,
    factor: Factor,
    force: Vec<Vec3>,
    outside: Vec<Vec3>,
    drift: Vec<Vec3>,
    zeros: Vec<Vec3>,
    trial: Vec<Vec3>,
    none: Vec<()>,
    sums: Vec<f64>,
    /// μ, 1/s².
    mu: f64,
    /// Iterations before the exact matrix is tried again.
    wait: u32,
    touching: Option<Touching<'a>>,
    halt: &'a Halt,
}

/// Initial μ: that of a step of 50 ms.
const FIRST: f64 = 400.0;

/// Iterations before the exact matrix is tried again after it was not positive definite, where the cloth touches
/// bodies.
const PATIENCE: u32 = 4;

/// Modes slower than ten minutes count as neutral: a sheet on one pin may rotate.
const LEAST: f64 = 1e-4;

/// Largest μ, 1/s²: a step of a microsecond.
const MOST: f64 = 1e12;

/// μ rises by this factor if rounding prevents the factorisation of even the definite matrix.
const NOT_DEFINITE: f64 = 16.0;

/// Largest displacement of a particle in an iteration as a share of the cloth's size, without contact and with it: the
/// quadratic model is not valid beyond it.
const FARTHEST: (f64, f64) = (0.1, 0.02);

/// Line search: the energy falls by at least this share of what the slope predicts (Armijo's rule). The step is halved
/// until it does, or until it is shorter than `SHORTEST` times the first.
const ARMIJO: f64 = 1e-4;
const SHORTEST: f64 = 1e-6;

/// Rounding error of a difference of energies, as a share of them.
const ENERGY_ROUNDING: f64 = 1e-14;

/// The model is good if the energy falls by at least this share of the prediction. It is poor if the energy falls by
/// less than the second share, or if the line search took less than `SHORT` of the step.
const GOOD: f64 = 0.5;
const POOR: f64 = 0.1;
const SHORT: f64 = 0.25;

/// Factors of μ: after a good full step, after a good shorter one, after a poor one.
const MU_FALLS_FAST: f64 = 0.1;
const MU_FALLS: f64 = 0.5;
const MU_RISES: f64 = 4.0;

/// Largest number of pushes off saddles, and their size as a share of a mean edge.
const PUSHES: u32 = 3;
const PUSH: f64 = 1e-3;

/// A residual below this share of the best so far is progress. The search has stalled after this many iterations
/// without any.
const BETTER: f64 = 0.9;
const STALLED: u32 = 30;

/// Residuals below this share that no longer fall are rounding error.
const ROUNDING: f64 = 1e-6;

impl<'a> Search<'a> {
    fn new(world: &'a World, layout: &'a Layout, symbolic: &'a Symbolic, halt: &'a Halt) -> Self {
        let n = world.mass.len();
        let zeros = || vec![Vec3::ZERO; n];
        let blocks = world.blocks.len();
        Self {
            world,
            layout,
            symbolic,
            boundary: Boundary::new(world),
            matrix: Matrix::new(&layout.pattern),
            factor: Factor::default(),
            force: zeros(),
            outside: zeros(),
            drift: zeros(),
            zeros: zeros(),
            trial: zeros(),
            none: vec![(); blocks],
            sums: vec![0.0; blocks],
            mu: FIRST,
            wait: 0,
            touching: None,
            halt,
        }
    }

    /// Puts held particles where their pins and bodies are.
    fn hold(&mut self, x: &mut [Vec3]) {
        for held in &self.boundary.held {
            let x = &mut x[held.vertex as usize];
            *x = held.mix(*x, held.end);
        }
        if let Some(touching) = &mut self.touching {
            touching.follow(x, &mut self.boundary);
        }
    }

    /// Finds a cloth that nothing holds although a force pulls at it.
    fn loose(&self) -> Option<String> {
        let world = self.world;
        let weighs = world.components.gravity && world.gravity != Vec3::ZERO;
        let pulled = weighs || (world.components.loads && !world.loads.is_empty());
        // a vertex that slides along the weight carries nothing
        let carries = |held: &&crate::linear::filter::Held| {
            !weighs || (world.gravity - held.free * world.gravity).length() > CARRIES * world.gravity.length()
        };
        let held = |cloth: &&crate::world::ClothRange| {
            let mut held = self.boundary.held.iter().filter(carries);
            held.any(|held| cloth.vertices.contains(&(held.vertex as usize)))
        };
        world.cloths.iter().find(|cloth| pulled && !held(cloth)).map(|cloth| cloth.name.clone())
    }

    /// Minimises the energy down to the target residual; false if it was stopped or ran out of iterations.
    fn descend(
        &mut self,
        goal: &Goal,
        state: &mut State,
        report: &mut DrapeReport,
        observe: &mut dyn FnMut(&DrapeProgress) -> bool,
    ) -> bool {
        let mut pushes = 0;
        let (mut best, mut since) = (f64::INFINITY, 0);
        loop {
            self.linearise(state, Curvature::Exact);
            (report.residual, report.share) = self.residual();
            let share = report.share;
            let progress =
                DrapeProgress { iteration: report.iterations, share, stage: goal.stage, stages: report.stages };
            let go_on = observe(&progress) && !self.halt.asked();
            if share <= goal.target {
                report.converged = goal.last;
                if !goal.last {
                    return true;
                }
                let mu = std::mem::replace(&mut self.mu, LEAST);
                self.linearise(state, Curvature::Exact);
                report.stable = self.factor().is_ok();
                self.mu = mu;
                let halted = self.halt.asked(); // then it is not known whether it is a minimum
                if halted || report.stable || pushes == PUSHES || !go_on {
                    report.stopped = halted || !report.stable && pushes < PUSHES;
                    return true;
                }
                // a saddle: any push leaves it
                pushes += 1;
                report.converged = false;
                self.push(pushes, state);
                self.mu = FIRST;
                (best, since) = (f64::INFINITY, 0);
                continue;
            }
            if share < BETTER * best {
                (best, since) = (share, 0);
            }
            since += 1;
            let stalled = best < ROUNDING && since > STALLED;
            report.stopped = !go_on;
            if !go_on || stalled || report.iterations >= goal.iterations || !share.is_finite() {
                return false;
            }
            report.iterations += 1;
            let factored = self.factor_any(state);
            if self.halt.asked() {
                report.stopped = true;
                return false;
            }
            if !factored {
                self.mu *= NOT_DEFINITE;
                continue;
            }
            self.advance(state);
        }
    }

    /// Factors the exact matrix where it is positive definite, and the definite one elsewhere. The exact matrix is not
    /// tried in every iteration after it failed.
    fn factor_any(&mut self, state: &State) -> bool {
        if self.wait == 0 && self.factor().is_ok() {
            return true;
        }
        if self.halt.asked() {
            return false;
        }
        if self.touching.is_some() {
            self.wait = if self.wait == 0 { PATIENCE } else { self.wait - 1 };
        }
        self.linearise(state, Curvature::Definite);
        self.factor().is_ok()
    }

    fn factor(&mut self) -> Result<(), crate::linear::cholesky::NotDefinite> {
        self.symbolic.factor(&self.layout.pattern, &self.matrix, &self.boundary.held, &mut self.factor, self.halt)
    }

    fn linearise(&mut self, state: &State, curvature: Curvature) {
        let at = Point {
            t: state.time,
            x: &state.x,
            v: &self.zeros,
            s: 1.0,
            mass: self.mu,
            past: None,
            curvature,
            air: false,
        };
        let sums = Sums {
            matrix: &mut self.matrix,
            force: &mut self.force,
            outside: &mut self.outside,
            drift: &mut self.drift,
        };
        assemble::assemble(self.world, self.layout, &at, &self.zeros, sums, &mut self.none);
        if let Some(touching) = &self.touching {
            touching.add(&state.x, &mut self.force, &mut self.matrix, &self.layout.pattern);
        }
    }

    /// Net force on a particle in its free directions, N.
    fn net(&self, i: usize) -> Vec3 {
        let net = self.force[i] + self.outside[i];
        match self.boundary.slot[i] {
            FREE => net,
            slot => self.boundary.held[slot as usize].free * net,
        }
    }

    /// Largest net force, N, and the largest net force as a share of the particle's weight.
    fn residual(&self) -> (f64, f64) {
        let gravity = self.world.gravity_scale();
        (0..self.force.len()).fold((0.0, 0.0), |(most, share), i| {
            let net = self.net(i).length();
            (larger(most, net), larger(share, net / (self.world.mass[i] * gravity)))
        })
    }

    /// Takes a step along Newton's direction.
    fn advance(&mut self, state: &mut State) {
        let mut p: Vec<Vec3> = (0..state.x.len()).map(|i| self.net(i)).collect();
        let slope_of = |p: &[Vec3], search: &Self| -> f64 { (0..p.len()).map(|i| p[i].dot(search.net(i))).sum() };
        self.symbolic.solve(&self.factor, &mut p);
        let size = self.world.fabrics.iter().map(|fabric| fabric.size).fold(f64::INFINITY, f64::min);
        let longest = p.iter().map(|p| p.length()).fold(0.0, f64::max);
        let farthest = if self.touching.is_some() { FARTHEST.1 } else { FARTHEST.0 } * size;
        let first = if longest > farthest { farthest / longest } else { 1.0 };
        let slope = slope_of(&p, self);
        let start = self.potential(state, &p, 0.0);
        let rounding = ENERGY_ROUNDING * self.scale(state);
        let mut share = first;
        let fall = loop {
            let fall = start - self.potential(state, &p, share);
            if fall >= ARMIJO * share * slope - rounding || share < SHORTEST * first {
                break fall;
            }
            share *= 0.5;
        };
        // the decrease that the quadratic model predicts
        let foretold = share * slope * (1.0 - 0.5 * share);
        if share == 1.0 && fall > GOOD * foretold - rounding {
            self.mu = (self.mu * MU_FALLS_FAST).max(LEAST);
        } else if share < SHORT * first || fall < POOR * foretold - rounding {
            self.mu = (self.mu * MU_RISES).min(MOST);
        } else if fall > GOOD * foretold {
            self.mu = (self.mu * MU_FALLS).max(LEAST);
        }
        let n = state.x.len();
        (0..n).for_each(|i| state.x[i] += p[i] * share);
        self.hold(&mut state.x);
    }

    /// Π after a share of p, up to a constant.
    fn potential(&mut self, state: &State, p: &[Vec3], share: f64) -> f64 {
        let list = &self.world.blocks;
        parallel::fill(list, &mut self.trial, &mut self.none, |i| state.x[i] + p[i] * share);
        let touching = self.touching.as_ref().map_or(0.0, |touching| touching.place(&mut self.trial));
        let inside = assemble::potential(self.world, state.time, &self.trial, None, &mut self.sums);
        let outside = &self.outside;
        let trial = &self.trial;
        inside + touching - parallel::sum(list, &mut self.sums, |i| outside[i].dot(trial[i] - state.x[i]))
    }

    /// Magnitude of the energies in the compared difference, J.
    fn scale(&mut self, state: &State) -> f64 {
        let inside = assemble::potential(self.world, state.time, &state.x, None, &mut self.sums);
        let outside = &self.outside;
        let size = self.world.fabrics.iter().map(|fabric| fabric.size).fold(0.0, f64::max);
        inside.abs() + size * parallel::sum(&self.world.blocks, &mut self.sums, |i| outside[i].length())
    }

    /// Moves free particles at random, so that they leave a saddle.
    fn push(&mut self, seed: u32, state: &mut State) {
        let edge = self.world.edges.iter().map(|edge| edge.rest).sum::<f64>() / self.world.edges.len() as f64;
        for (i, x) in state.x.iter_mut().enumerate() {
            let r = |axis: u64| crate::random::signed(u64::from(seed), 3 * i as u64 + axis);
            *x += Vec3::new(r(0), r(1), r(2)) * (PUSH * edge);
        }
        self.hold(&mut state.x);
    }

    /// The forces of the pins: minus the net force in held directions.
    fn reactions(&self) -> Vec<Vec3> {
        let mut pins = vec![Vec3::ZERO; self.world.pins.len()];
        for held in self.boundary.held.iter().filter(|held| (held.pin as usize) < self.world.pins.len()) {
            let i = held.vertex as usize;
            let net = self.force[i] + self.outside[i];
            pins[held.pin as usize] -= net - held.free * net;
        }
        pins
    }
}

/// The larger of two numbers; NaN is kept.
fn larger(a: f64, b: f64) -> f64 {
    if b > a || b.is_nan() { b } else { a }
}
