//! Reports of steps and frames, and why a step failed.

use crate::Vec3;
use crate::state::State;

/// Report of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepReport {
    /// Length of the step, s.
    pub h: f64,
    /// Number of springs that the limiter found too long, over all passes.
    pub limited: u64,
    /// Number of factorisations of the limiter that keeps its limit.
    pub limiter_rounds: u32,
    /// The longest edge, if that limiter could not keep its limit.
    pub overlong: Option<Overlong>,
    /// Number of longer steps that were tried and rejected.
    pub rejected: u32,
    /// Number of iterations of the conjugate gradient, without those of rejected steps.
    pub iterations: u64,
    /// Number of factorisations that replaced the conjugate gradient.
    pub factorisations: u32,
    /// Number of linearisations.
    pub newton: u32,
    /// Largest residual of the nonlinear equations as an acceleration, m/s²; `None` unless Newton's iterations are on.
    pub residual: Option<f64>,
    /// Number of particles in contact at the end.
    pub contacts: u32,
    /// How often a particle was pushed out of a body after the step.
    pub pushed: u64,
    /// How often the step was solved until stick, slip and release agreed with its forces.
    pub rounds: u32,
    /// What the barrier and its guard did.
    pub guard: GuardReport,
}

/// What contact by the barrier and its guard did in a step or frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GuardReport {
    /// Number of searches for pairs.
    pub detections: u32,
    /// Number of pairs that could come near, the largest of all steps.
    pub pairs: u64,
    /// Number of contacts with a force, the largest of all steps.
    pub contacts: u64,
    /// Lengths of all ways, m.
    pub wanted: f64,
    /// Lengths that the guard cut off, m.
    pub lost: f64,
    /// The largest number of rounds of the guard.
    pub rounds: u32,
    /// Smallest distance of middle surfaces of cloth from each other and from bodies that are meshes at the end of a
    /// step, m; `None` if all are farther apart than contact reaches.
    pub gap: Option<f64>,
    /// How far contacts are pressed together at the end of a step: the largest share of the distance at which they
    /// begin to push, 0 to 1.
    pub compression: f64,
}

impl GuardReport {
    fn add(&mut self, other: &Self) {
        self.detections += other.detections;
        self.pairs = self.pairs.max(other.pairs);
        self.contacts = self.contacts.max(other.contacts);
        self.wanted += other.wanted;
        self.lost += other.lost;
        self.rounds = self.rounds.max(other.rounds);
        self.gap = self.gap.into_iter().chain(other.gap).reduce(f64::min);
        self.compression = self.compression.max(other.compression);
    }
}

impl From<Solution> for StepReport {
    fn from(solution: Solution) -> Self {
        let Solution { iterations, factorisations, newton, rounds, residual, guard } = solution;
        Self { iterations, factorisations, newton, rounds, residual, guard, ..Self::default() }
    }
}

/// Report of a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameReport {
    /// Number of steps taken.
    pub steps: u32,
    /// Length of the longest step, s.
    pub h: f64,
    /// Length of the shortest step, s.
    pub shortest: f64,
    /// Number of longer steps that were tried and rejected.
    pub rejected: u32,
    /// Number of successes, at the end of the frame, that the control waits for before it tries a longer step.
    pub wait: u32,
    /// Number of iterations of the conjugate gradient.
    pub iterations: u64,
    /// Number of factorisations that replaced the conjugate gradient.
    pub factorisations: u32,
    /// Number of linearisations.
    pub newton: u32,
    /// Largest residual of the nonlinear equations as an acceleration, m/s²; `None` unless Newton's iterations are on.
    pub residual: Option<f64>,
    /// Number of springs that the limiter found too long, over all steps and passes.
    pub limited: u64,
    /// Number of particles in contact at the end.
    pub contacts: u32,
    /// How often a particle was pushed out of a body after a step.
    pub pushed: u64,
    /// How often steps were solved until stick, slip and release agreed with their forces.
    pub rounds: u32,
    /// What the barrier and its guard did.
    pub guard: GuardReport,
    /// Number of factorisations of the limiter that keeps its limit.
    pub limiter_rounds: u32,
    /// The longest edge of all steps in which that limiter could not keep its limit.
    pub overlong: Option<Overlong>,
    /// Mean force of each pin on the cloth over the frame, N, in the order of
    /// [`World::pin_names`](crate::World::pin_names).
    pub pins: Vec<Vec3>,
    /// Mean force of each of [`World::bodies`](crate::World::bodies) on the cloth over the frame, N.
    pub bodies: Vec<Vec3>,
    /// The largest number of triangles of cloth that each of [`World::bodies`](crate::World::bodies) gave way to in a
    /// step.
    pub gave_way: Vec<u32>,
    /// Particles and the mean forces of bodies on them in the last step, N, besides those of [`State::contacts`]:
    /// forces on edges and triangles over sharp edges, by their weights, and on what was left inside. Both together sum
    /// to the forces of bodies.
    pub pushes: Vec<(u32, Vec3)>,
}

impl FrameReport {
    pub(crate) fn add(&mut self, step: &StepReport, state: &State) {
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
        self.guard.add(&step.guard);
        self.limiter_rounds += step.limiter_rounds;
        let longer = |a: &Overlong| step.overlong.is_none_or(|b| a.elongation >= b.elongation);
        self.overlong = self.overlong.filter(longer).or(step.overlong);
    }
}

/// Why the run cannot continue. The state is still the last good one.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StepError {
    /// The step was too long for the stiffness.
    #[error(
        "the simulation diverged at t = {time:.4} s: vertex {vertex} of `{cloth}` moved {moved:.3e} m in a step of \
         {h:.3e} s; {}",
        stable_text(*.stable)
    )]
    Diverged {
        /// Start of the failed step, s.
        time: f64,
        /// Vertex, counted from the first of the cloth.
        vertex: u32,
        /// Name of the cloth.
        cloth: String,
        /// How far the vertex moved in the step, m.
        moved: f64,
        /// Length of the step, s.
        h: f64,
        /// The longest stable step by the estimate, s; `None` if the method has none.
        stable: Option<f64>,
    },
    /// The shortest allowed step still changes the stretch of a triangle too much.
    #[error(
        "no step at t = {time:.4} s works, down to {h:.3e} s: the stretch of triangle {triangle} of `{cloth}` \
         changes by {change:.3} in it"
    )]
    Stretched {
        /// Start of the failed step, s.
        time: f64,
        /// Triangle, counted from the first of the cloth.
        triangle: u32,
        /// Name of the cloth.
        cloth: String,
        /// Change of |w_u| or |w_v| in the step.
        change: f64,
        /// Length of the step, s.
        h: f64,
    },
    /// The equations of an implicit step were not solved.
    #[error(
        "the equations of the step at t = {time:.4} s were not solved in {iterations} iterations, with a step \
         of {h:.3e} s"
    )]
    Unsolved {
        /// Start of the failed step, s.
        time: f64,
        /// Number of iterations of the conjugate gradient.
        iterations: u32,
        /// Length of the step, s.
        h: f64,
    },
    /// Two bodies leave less room between them than the cloth is thick.
    #[error(
        "no room between `{}` and `{}` at t = {time:.4} s: they {} where `{cloth}`, {:.2} mm thick, is between them, \
         at \
         [{:.4}, {:.4}, {:.4}], vertex {vertex}",
        bodies[0], bodies[1], room_text(*.room), 1000.0 * thickness, at.x, at.y, at.z
    )]
    NoRoom {
        /// End of the failed step, s.
        time: f64,
        /// Names of the bodies.
        bodies: Box<[String; 2]>,
        /// Room between the bodies, m; negative where they overlap.
        room: f64,
        /// Name of the cloth.
        cloth: String,
        /// Thickness of the cloth, m.
        thickness: f64,
        /// Vertex, counted from the first of the cloth.
        vertex: u32,
        /// Position of the vertex, m.
        at: Vec3,
    },
    /// A vertex was so deep inside a body that it could not be moved out.
    #[error(
        "no step at t = {time:.4} s works, down to {h:.3e} s: vertex {vertex} of `{cloth}`, {:.2} mm thick, is \
         {:.2} mm inside \
         `{body}`, at [{:.4}, {:.4}, {:.4}]", 1000.0 * thickness, 1000.0 * depth, at.x, at.y, at.z
    )]
    Inside {
        /// Start of the failed step, s.
        time: f64,
        /// Length of the step, s.
        h: f64,
        /// Name of the body.
        body: String,
        /// Name of the cloth.
        cloth: String,
        /// Thickness of the cloth, m.
        thickness: f64,
        /// Vertex, counted from the first of the cloth.
        vertex: u32,
        /// Position of the vertex, m.
        at: Vec3,
        /// Depth of the vertex, m.
        depth: f64,
    },
    /// Pins or bodies are driven through cloth, and it cannot give way.
    #[error(
        "there is no room at t = {time:.4} s, with steps down to {h:.3e} s: {by} leaves vertex {vertex} of \
         `{cloth}`, at [{:.4}, {:.4}, {:.4}], {:.4} mm too little",
        at.x, at.y, at.z, 1000.0 * shortfall.abs()
    )]
    Blocked {
        /// Start of the failed step, s.
        time: f64,
        /// Length of the step, s.
        h: f64,
        /// What leaves no room: the name of a body in quotes, or the pins of a cloth.
        by: String,
        /// Name of the cloth.
        cloth: String,
        /// Vertex, counted from the first of the cloth.
        vertex: u32,
        /// Position of the vertex, m.
        at: Vec3,
        /// How much room is missing, m.
        shortfall: f64,
    },
    /// Crossings of the start have spread over too many triangles.
    #[error(
        "crossings of the start have spread to {pairs} pairs of triangles by t = {time:.4} s, more than the {most} \
         that there is room for"
    )]
    Spread {
        /// Start of the failed step, s.
        time: f64,
        /// Number of pairs of triangles that cross.
        pairs: usize,
        /// Largest number of them.
        most: usize,
    },
    /// Cloth comes near itself or other cloth, and the method has no contact.
    #[error(
        "vertex {vertex} of `{cloth}` comes near other cloth after t = {time:.4} s, at [{:.4}, {:.4}, {:.4}], and \
         the method has no contact",
        at.x, at.y, at.z
    )]
    Meets {
        /// Start of the failed step, s.
        time: f64,
        /// Vertex, counted from the first of the cloth.
        vertex: u32,
        /// Name of the cloth.
        cloth: String,
        /// Where the vertex is, m.
        at: Vec3,
    },
    /// A body that is a mesh has no positions.
    #[error("`{body}` has no place in the step from {time:.4} s: {why}")]
    NoPose {
        /// Start of the failed step, s.
        time: f64,
        /// Name of the body.
        body: String,
        /// Why.
        why: String,
    },
    /// The caller stopped the step: see [`Workspace::stop_when`](crate::Workspace::stop_when).
    #[error("stopped at t = {time:.4} s")]
    Stopped {
        /// Start of the stopped step, s.
        time: f64,
    },
    /// Forces are NaN or infinite.
    #[error("forces at t = {time:.4} s are not numbers any more, with a step of {h:.3e} s")]
    NotFinite {
        /// Start of the failed step, s.
        time: f64,
        /// Length of the step, s.
        h: f64,
    },
}

/// An edge that is longer than the limiter should have left it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlong {
    /// Elongation of the edge, 0.15 for 15 %.
    pub elongation: f64,
    /// Index of the cloth.
    pub cloth: usize,
    /// Ends of the edge, counted from the first vertex of the cloth.
    pub vertices: [u32; 2],
    /// Midpoint of the edge, m.
    pub at: Vec3,
    /// Time at the end of the step, s.
    pub time: f64,
}

/// What moves as prescribed, whatever is in its way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Driver {
    /// A particle that pins hold.
    Particle(u32),
    /// A body, by its index in [`World::bodies`](crate::World::bodies).
    Body(u32),
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
    /// Forces are NaN or infinite.
    NotFinite,
    /// Pins or bodies leave a particle too little room.
    Blocked { point: u32, by: Driver, shortfall: f64 },
    /// Crossings of the start have spread over more triangles than a state has room for.
    Spread { pairs: usize, most: usize },
    /// A body that is a mesh has no positions.
    NoPose { body: u32 },
    /// The guard would take too much of the motion.
    Cut,
    /// Cloth comes near cloth or a body, and the method has no contact.
    Meets { point: u32 },
    /// The caller wants to stop.
    Stopped,
}

/// Statistics of the solution of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Solution {
    /// Number of iterations of the conjugate gradient.
    pub iterations: u64,
    /// Number of factorisations, made where those would be too many.
    pub factorisations: u32,
    /// Number of linearisations.
    pub newton: u32,
    /// Number of contact rounds.
    pub rounds: u32,
    /// What the barrier and its guard did.
    pub guard: GuardReport,
    /// Largest residual of the nonlinear equations as an acceleration, m/s²; `None` unless Newton's iterations are on.
    pub residual: Option<f64>,
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
