//! The common part of backward Euler and BDF2: forces at the end of the step, which is not known yet.
//!
//! ```text
//! x+ = X + s v+     M (v+ - V) = s f(x+, v+)
//!
//! backward Euler    X = x, V = v, s = h
//! BDF2              X = ((1+r)² x - r² x-)/(1+2r), V likewise, s = (1+r)/(1+2r) h, r = h/h-
//! ```
//! About an iterate (x, v), with the lead δ = X + s v - x (zero but where the iteration starts) and the unknown
//! w = (x+ - x)/s, the equations are to first order
//! ```text
//! (M + s D + s² K) w = M (V - v + δ/s) + s f + D δ
//! ```
//! which for backward Euler from the start of the step are Baraff & Witkin 1998, Eq. (6) and (16), written for the
//! displacement instead of Δv. Held directions of w are known. The paper's alteration y of a position is part of X: a
//! held particle has an X that brings it where its pin is, with the pin's velocity. The residual of a held particle's
//! equation is the force of its pin.
//!
//! Further iterations (Newton) continue from there with a line search on the potential ½ |v - V|²_M + E(x) + damping -
//! f·x, whose minimum solves the equations; f are the weight, the loads, and the air's forces at the last iterate. The
//! first iteration uses the definite derivative of the elements. Later ones try the exact one, and use the definite one
//! if the conjugate gradient finds that the exact one is not positive definite.

use super::{Proposal, each_particle, guarded};
use crate::Vec3;
use crate::boundary::Boundary;
use crate::clock::{Clock, Phase};
use crate::contact;
use crate::contact::active_set::{self, ActiveSet, Linear, Round};
use crate::contact::touch::{Review, Verdict};
use crate::force::assemble::{self, Past, Point};
use crate::halt::Halt;
use crate::linear::Matrix;
use crate::linear::cg::{self, Stop, System};
use crate::linear::contact::ContactCgBuffers;
use crate::linear::direct::Direct;
use crate::linear::factored::{Factored, Task};
use crate::linear::filter::{FREE, Held, Moment};
use crate::linear::terms::Terms;
use crate::method::equations::Equations;
use crate::model::element::Curvature;
use crate::parallel;
use crate::report::{Rejection, Solution};
use crate::setup::Implicit;
use crate::state::State;
use crate::world::World;

/// Buffers of the implicit methods.
#[derive(Default)]
pub(crate) struct ImplicitBuffers {
    pub base_x: Vec<Vec3>,  // m       X, written by the method
    pub base_v: Vec<Vec3>,  // m/s     V, written by the method
    pub matrix: Matrix,     // kg      written by assemble
    pub right: Vec<Vec3>,   // kg m/s  right-hand side without contact
    pub w: Vec<Vec3>,       // m/s     solution
    pub outside: Vec<Vec3>, // N       weight, air and loads, written by assemble
    pub drift: Vec<Vec3>,   // N m/m   D δ, written by assemble
    pub lead: Vec<Vec3>,    // m       δ
    pub origin: Vec<Vec3>,  // m/s     w without forces, what the tolerance counts from
    pub end_x: Vec<Vec3>,   // m       end of the step by the last solution
    pub end_v: Vec<Vec3>,   // m/s     likewise
    pub active: ActiveSet,
    pub cg: cg::CgBuffers,
    pub terms: Terms, // kg    written by the barrier
    pub contact_cg: ContactCgBuffers,
    pub factored: Option<Factored>,
    /// The direct solver, if there are bodies to touch.
    pub direct: Option<Direct>,
    /// Whether all systems are solved directly: steps are long, and iterations would be many.
    pub direct_only: bool,
    /// Whether there is no air.
    pub vacuum: bool,
    /// All systems that were solved, if the caller asks for them.
    pub recorded: Option<Vec<Equations>>,
    /// Whether each cloth touches bodies when the step starts.
    pub lying: Vec<bool>,
    pub none: Vec<()>,
    pub sums: Vec<f64>,
}

impl ImplicitBuffers {
    pub fn new(world: &World) -> Self {
        if world.method.has_matrix() { Self::sized(world) } else { Self::default() }
    }

    /// Allocates the buffers, for any method of the world.
    pub fn sized(world: &World) -> Self {
        let n = world.mass.len();
        let zeros = || vec![Vec3::ZERO; n];
        let blocks = world.blocks.len();
        let mut matrix = Matrix::new(&world.layout.pattern);
        if !world.solids.is_empty() {
            matrix.extra.reserve(n + 4 * contact::Contacts::room(world));
        }
        Self {
            base_x: zeros(),
            base_v: zeros(),
            matrix,
            right: zeros(),
            w: zeros(),
            outside: zeros(),
            drift: zeros(),
            lead: zeros(),
            origin: zeros(),
            end_x: zeros(),
            end_v: zeros(),
            active: ActiveSet::new(world),
            cg: cg::CgBuffers::new(n, blocks),
            terms: Terms::default(),
            contact_cg: match world.barrier {
                Some(_) => ContactCgBuffers::new(n, blocks, world.coarse()),
                None => ContactCgBuffers::default(),
            },
            direct_only: false,
            vacuum: false,
            factored: world.factored(),
            direct: world.direct(),
            recorded: None,
            lying: vec![false; world.cloths.len()],
            none: vec![(); blocks],
            sums: vec![0.0; blocks],
        }
    }
}

/// The solvers of linear equations.
struct Solvers<'a> {
    cg: &'a mut cg::CgBuffers,
    factored: &'a mut Option<Factored>,
    direct: &'a mut Option<Direct>,
    recorded: &'a mut Option<Vec<Equations>>,
    lying: &'a [bool],
}

impl ImplicitBuffers {
    /// The equations about (x, v), for contact.
    fn equations<'a>(
        &'a mut self,
        step: &Step<'a>,
        x: &'a [Vec3],
        v: &'a [Vec3],
    ) -> (active_set::Equations<'a>, &'a mut ActiveSet) {
        let Self { active, matrix, right, base_x, lead, origin, w, .. } = self;
        let (world, s, first) = (step.world, step.s, step.first);
        (active_set::Equations { world, s, x, v, first, right, base_x, lead, matrix, origin, w }, active)
    }
}

impl ImplicitBuffers {
    /// Sets the guess to zero, from which Newton's corrections start.
    pub fn start_from_zero(&mut self) {
        self.origin.fill(Vec3::ZERO);
        self.w.fill(Vec3::ZERO);
    }
}

/// With adaptive steps, Newton's iterations that miss their residual fail down to this share of the longest step.
/// Shorter steps are accepted and their residual is reported: a failure would cost more than it gains.
const SHORT_ENOUGH: f64 = 1.0 / 20.0;

/// Line search: the potential falls by at least this share of what the slope predicts (Armijo's rule). The way is
/// halved until it does, or until it is shorter than `SHORTEST` times the first.
const ARMIJO: f64 = 1e-4;
const SHORTEST: f64 = 1e-3;

/// Rounding error of a difference of potentials, as a share of them.
const ROUNDING: f64 = 1e-13;

/// Takes a step with given X, V and s; leaves x and v at its end in `work`.
pub(super) fn solve(
    world: &World,
    state: &State,
    h: f64,
    s: f64,
    past: Past,
    settings: &Implicit,
    work: &mut Proposal,
) -> Result<Solution, Rejection> {
    for held in &work.boundary.held {
        let base = &mut work.implicit.base_x[held.vertex as usize];
        *base = held.mix(*base, held.end - held.end_speed * s);
    }
    if world.barrier.is_none() {
        return solve_alone(world, state, [h, s], past, settings, work);
    }
    work.clock.enter(Phase::Contact);
    if work.barrier.may_stay_apart(world, state, h)? {
        let alone = solve_alone(world, state, [h, s], past, settings, work)?;
        let Proposal { barrier, x, clock, impulse, .. } = work;
        clock.enter(Phase::Contact);
        if barrier.stays_apart(world, x) {
            clock.enter(Phase::Rest);
            return Ok(Solution { guard: barrier.report(), ..alone });
        }
        impulse.fill(Vec3::ZERO);
    }
    let (t, touching) = (state.time + h, Phase::Contact);
    let system = |halt| StepSystem { world, t, s, past, settings, touching, lies: false, halt };
    guarded::solve(system, state, h, work)
}

/// Takes a step without contact, or with contact by constraints.
fn solve_alone(
    world: &World,
    state: &State,
    [h, s]: [f64; 2],
    past: Past,
    settings: &Implicit,
    work: &mut Proposal,
) -> Result<Solution, Rejection> {
    let Proposal { boundary, x, v, force, implicit, impulse, contact, clock, halt, .. } = work;
    if let Some(direct) = &mut implicit.direct {
        direct.on = implicit.direct_only;
    }
    // without bodies nothing of this is contact
    let touching = if world.solids.is_empty() { Phase::Rest } else { Phase::Contact };
    clock.enter(touching);
    contact.begin(world, state, boundary, s);
    contact.begin_crossings(world, state);
    clock.enter(Phase::Forces);
    x.copy_from_slice(&state.x);
    v.copy_from_slice(&state.v);
    let mut solution = Solution::default();
    let lies = !state.contacts.is_empty();
    implicit.lying.fill(false);
    state.contacts.iter().for_each(|contact| implicit.lying[world.cloth_of(contact.vertex as usize)] = true);
    let system = StepSystem { world, t: state.time + h, s, past, settings, touching, lies, halt };

    // the paper's step: linearised where the step starts
    let begun = system.with(boundary, true);
    begun.lead(x, v, implicit);
    begun.linearise(x, v, Curvature::Definite, force, implicit);
    clock.enter(Phase::Rest);
    begun.guess(v, implicit);
    loop {
        system.settle(x, v, true, &mut solution, boundary, implicit, contact, clock)?;
        let step = system.with(boundary, true);
        step.end(x, v, implicit);
        clock.enter(touching);
        let verdict = step.review(state, h, implicit, contact);
        clock.enter(Phase::Rest);
        if verdict == Verdict::Settled {
            step.reactions(implicit, h / s, impulse);
            break;
        }
    }
    solution.newton = 1;
    x.copy_from_slice(&implicit.end_x);
    v.copy_from_slice(&implicit.end_v);
    if settings.newton <= 1 {
        contact.finish(world, x, v);
        return Ok(solution);
    }
    implicit.lead.fill(Vec3::ZERO);

    // further iterations from its end, as many as requested
    loop {
        contact.hold(boundary);
        let step = system.with(boundary, false);
        clock.enter(Phase::Forces);
        step.linearise(x, v, Curvature::Exact, force, implicit);
        clock.enter(touching);
        implicit.start_from_zero();
        contact.bound(s, x, &mut implicit.w);
        let (mut at, active) = implicit.equations(&step, x, v);
        active.load(&mut at, boundary, contact);
        active.add_contact(&mut at, contact);
        let residual = step.residual(implicit);
        solution.residual = Some(residual);
        if !residual.is_finite() {
            return Err(Rejection::NotFinite);
        }
        let over = solution.newton >= settings.newton;
        if over && residual > settings.residual && world.adaptive.is_some() && h > SHORT_ENOUGH * world.h {
            return Err(Rejection::Unsolved { iterations: solution.newton });
        }
        if over || residual <= settings.residual {
            let (mut at, active) = implicit.equations(&step, x, v);
            at.matrix.extra.clear();
            active.add_crossings(&mut at, contact);
            step.end(x, v, implicit);
            if over || step.review(state, h, implicit, contact) == Verdict::Settled {
                impulse.fill(Vec3::ZERO);
                step.reactions(implicit, h / s, impulse);
                contact.finish(world, x, v);
                return Ok(solution);
            }
        }
        let settled = system.settle(x, v, false, &mut solution, boundary, implicit, contact, clock);
        if settled == Err(Rejection::Stopped) {
            return Err(Rejection::Stopped);
        }
        if settled.is_err() {
            let step = system.with(boundary, false);
            clock.enter(Phase::Forces);
            step.linearise(x, v, Curvature::Definite, force, implicit);
            implicit.start_from_zero();
            system.settle(x, v, false, &mut solution, boundary, implicit, contact, clock)?;
        }
        solution.newton += 1;
        let step = system.with(boundary, false);
        clock.enter(Phase::Forces);
        let share = step.search(x, v, implicit, contact);
        clock.enter(Phase::Rest);
        step.go(share, x, v, implicit);
    }
}

/// The data that stay constant during a step.
#[derive(Clone, Copy)]
pub(super) struct StepSystem<'a> {
    pub world: &'a World,
    /// Time at the end of the step, s.
    t: f64,
    pub s: f64,
    past: Past<'a>,
    pub settings: &'a Implicit,
    /// The phase to which all time is counted except for forming and solving the equations.
    touching: Phase,
    /// Whether the cloth touches bodies when the step starts.
    lies: bool,
    pub halt: &'a Halt,
}

impl<'a> StepSystem<'a> {
    pub fn with(self, boundary: &'a Boundary, first: bool) -> Step<'a> {
        Step { system: self, boundary, first }
    }

    /// Solves by the conjugate gradient, or directly where that takes too long.
    fn solve(
        &self,
        linear: Linear,
        task: Task,
        solution: &mut Solution,
        solvers: &mut Solvers,
    ) -> Result<(), Rejection> {
        let Linear { matrix, held, right, origin, w } = linear;
        let Solvers { cg, factored, direct, recorded, .. } = solvers;
        let system = self.system(matrix, held);
        let mut stop = Stop { tolerance: self.settings.tolerance, iterations: self.settings.iterations };
        if let Some(recorded) = recorded {
            recorded.push(Equations::new(&system, right, origin, w, stop.tolerance));
        }
        let mut direct = direct.as_mut();
        if let Some(direct) = &mut direct {
            stop.iterations = stop.iterations.min(if direct.on { 0 } else { direct.worth });
        }
        let solved = match factored {
            Some(factored) => {
                let (solved, factors) = factored.solve(&system, task, &self.world.mass, right, origin, w, stop, cg);
                solution.factorisations += factors;
                solved
            }
            None => system.solve(right, origin, w, stop, cg),
        };
        solution.iterations += u64::from(solved.iterations);
        if solved.converged {
            return Ok(());
        }
        if self.halt.asked() {
            return Err(Rejection::Stopped);
        }
        // an iteration that ended earlier found a matrix that is not positive definite
        if let Some(direct) = direct.filter(|_| solved.iterations == stop.iterations) {
            direct.on = true; // for the rest of the step
            solution.factorisations += 1;
            if direct.solve(&system, right, w) {
                return Ok(());
            }
            if self.halt.asked() {
                return Err(Rejection::Stopped);
            }
        }
        Err(Rejection::Unsolved { iterations: solved.iterations })
    }

    fn system<'b>(&'b self, matrix: &'b Matrix, held: &'b [Held]) -> System<'b> {
        let world = self.world;
        System { pattern: &world.layout.pattern, matrix, blocks: &world.blocks, held, halt: self.halt }
    }

    /// Solves the equations about (x, v) with what contact adds to them: see [`ActiveSet`](crate::contact::active_set).
    #[allow(clippy::too_many_arguments)]
    fn settle(
        self,
        x: &[Vec3],
        v: &[Vec3],
        first: bool,
        solution: &mut Solution,
        boundary: &mut Boundary,
        work: &mut ImplicitBuffers,
        contact: &mut contact::Contacts,
        clock: &mut Clock,
    ) -> Result<(), Rejection> {
        let ImplicitBuffers {
            active,
            matrix,
            right,
            base_x,
            lead,
            origin,
            w,
            cg,
            factored,
            direct,
            recorded,
            lying,
            ..
        } = work;
        let mut solvers = Solvers { cg, factored, direct, recorded, lying };
        let mut rounds = solution.rounds;
        clock.enter(self.touching);
        let equations =
            active_set::Equations { world: self.world, s: self.s, x, v, first, right, base_x, lead, matrix, origin, w };
        let settled = active.settle(equations, boundary, contact, &mut rounds, |linear, round| {
            let task = match round {
                Round::Free => Task::Free,
                Round::First if self.lies => Task::Lying(solvers.lying),
                Round::First | Round::Later => Task::Near,
            };
            clock.enter(Phase::Solve);
            let solved = self.solve(linear, task, solution, &mut solvers);
            clock.enter(self.touching);
            solved
        });
        solution.rounds = rounds;
        clock.enter(Phase::Rest);
        settled
    }
}

/// The equations with the directions that are held at the moment.
pub(super) struct Step<'a> {
    system: StepSystem<'a>,
    boundary: &'a Boundary,
    /// Whether the iterate is the start of the step.
    first: bool,
}

impl<'a> std::ops::Deref for Step<'a> {
    type Target = StepSystem<'a>;

    fn deref(&self) -> &StepSystem<'a> {
        &self.system
    }
}

impl Step<'_> {
    /// δ = X + s v - x.
    pub fn lead(&self, x: &[Vec3], v: &[Vec3], work: &mut ImplicitBuffers) {
        let ImplicitBuffers { lead, base_x, none, .. } = work;
        let s = self.s;
        parallel::fill(&self.world.blocks, lead, none, |i| base_x[i] + v[i] * s - x[i]);
    }

    /// Matrix and right-hand side about (x, v).
    pub fn linearise(
        &self,
        x: &[Vec3],
        v: &[Vec3],
        curvature: Curvature,
        force: &mut [Vec3],
        work: &mut ImplicitBuffers,
    ) {
        let (world, s) = (self.world, self.s);
        let at = Point { t: self.t, x, v, s, mass: 1.0, past: Some(self.past), curvature, air: !work.vacuum };
        let ImplicitBuffers { matrix, right, outside, drift, lead, base_v, none, .. } = work;
        let sums = assemble::Sums { matrix, force, outside, drift };
        assemble::assemble(world, &world.layout, &at, lead, sums, none);
        let force = &*force;
        parallel::fill(&world.blocks, right, none, |i| {
            (base_v[i] - v[i] + lead[i] / s) * world.mass[i] + (force[i] + outside[i]) * s + drift[i]
        });
    }

    /// Sets the w without forces, and a first guess of w: with gravity alone, which is exact in free fall; where bodies
    /// hold a cloth, as if they carried it.
    pub fn guess(&self, v: &[Vec3], work: &mut ImplicitBuffers) {
        let ImplicitBuffers { w, origin, base_v, lead, lying, none, .. } = work;
        let (list, s) = (&self.world.blocks, self.s);
        parallel::fill(list, origin, none, |i| base_v[i] - v[i] + lead[i] / s);
        parallel::each(list, &mut w[..], none, &|block, w, _| {
            let falls = self.world.components.gravity && !lying[block.cloth];
            let fall = if falls { self.world.gravity * s } else { Vec3::ZERO };
            w.iter_mut().zip(block.particles.clone()).for_each(|(w, i)| *w = origin[i] + fall);
        });
    }

    /// Reviews contact at the end of the last solution; returns whether the step must be solved again.
    fn review(&self, state: &State, h: f64, work: &ImplicitBuffers, contact: &mut contact::Contacts) -> Verdict {
        if self.world.solids.is_empty() {
            return Verdict::Settled;
        }
        let velocity_lag = self.world.method.info().velocity_lag * h;
        let (world, boundary) = (self.world, self.boundary);
        let at = Review { world, state, boundary, h, velocity_lag, x: &work.end_x, v: &work.end_v };
        let system = self.system(&work.matrix, &self.boundary.held);
        let left = |i: usize| system.residual_of(i, &work.active.loaded, &work.w) / self.s;
        contact.review(&at, self.s, |held| system.reaction(held, &work.active.loaded, &work.w) / self.s, left, &work.w)
    }

    /// Computes the end of the displacement w.
    pub fn end(&self, x: &[Vec3], v: &[Vec3], work: &mut ImplicitBuffers) {
        let mut end = (std::mem::take(&mut work.end_x), std::mem::take(&mut work.end_v));
        end.0.copy_from_slice(x);
        end.1.copy_from_slice(v);
        self.go(1.0, &mut end.0, &mut end.1, work);
        (work.end_x, work.end_v) = end;
    }

    /// Moves by a share of the displacement w.
    fn go(&self, share: f64, x: &mut [Vec3], v: &mut [Vec3], work: &mut ImplicitBuffers) {
        let ImplicitBuffers { w, lead, none, .. } = work;
        let s = self.s;
        each_particle(self.world, none, x, v, |i, x, v| {
            *x += w[i] * (s * share);
            *v += w[i] * share - lead[i] / s;
        });
        // to the last bit
        for held in &self.boundary.held {
            let i = held.vertex as usize;
            held.hold(Moment::End, &mut x[i], &mut v[i]);
        }
    }

    /// Largest residual in free directions as an acceleration, m/s².
    fn residual(&self, work: &mut ImplicitBuffers) -> f64 {
        let ImplicitBuffers { active: ActiveSet { rubbed, .. }, sums, .. } = work;
        let (boundary, mass, s) = (self.boundary, &self.world.mass, self.s);
        parallel::each(&self.world.blocks, (), sums, &|block, (), most| {
            *most = 0.0;
            for i in block.particles.clone() {
                let left = match boundary.slot[i] {
                    FREE => rubbed[i],
                    slot => boundary.held[slot as usize].free * rubbed[i],
                };
                let size = left.length() / (s * mass[i]);
                // NaN must not vanish in a comparison
                *most = if size > *most || size.is_nan() { size } else { *most };
            }
        });
        sums.iter().copied().fold(0.0, |a, b| if b > a || b.is_nan() { b } else { a })
    }

    /// Finds how far to go along w so that the potential falls.
    fn search(&self, x: &[Vec3], v: &[Vec3], work: &mut ImplicitBuffers, contact: &contact::Contacts) -> f64 {
        let (world, s) = (self.world, self.s);
        let ImplicitBuffers { active: ActiveSet { loaded, trial, .. }, w, base_v, outside, none, sums, .. } = work;
        let list = &world.blocks;
        let slope = parallel::sum(list, sums, |i| loaded[i].dot(w[i]));
        let mut potential = |share: f64| {
            parallel::fill(list, trial, none, |i| x[i] + w[i] * (s * share));
            let inside = assemble::potential(world, self.t, trial, Some((self.past, s)), sums);
            let rest = parallel::sum(list, sums, |i| {
                let dv = v[i] + w[i] * share - base_v[i];
                0.5 * world.mass[i] * dv.length_squared() - outside[i].dot(w[i]) * (s * share)
            });
            inside + rest + contact.potential(s, trial)
        };
        let start = potential(0.0);
        let rounding = ROUNDING * start.abs();
        let mut share = 1.0;
        while share > SHORTEST && potential(share) > start - ARMIJO * share * slope + rounding {
            share *= 0.5;
        }
        share
    }

    /// Adds the forces of the pins, (A w - b) in held directions, to their impulses.
    fn reactions(&self, work: &ImplicitBuffers, share: f64, impulse: &mut [Vec3]) {
        let system = self.system(&work.matrix, &self.boundary.held);
        for held in &self.boundary.held {
            impulse[held.pin as usize] += system.reaction(held, &work.active.loaded, &work.w) * share;
        }
    }
}
