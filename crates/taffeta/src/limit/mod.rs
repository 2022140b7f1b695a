//! Limits on stretch, applied after the step.
//!
//! ```text
//! pull    springs are shortened one after the other, a number of times: Provot's, fast and rough
//! keep    no edge is longer than its limit when it is done: the nearest positions that keep it
//! bound   planes of bodies that the cloth stays above meanwhile
//! ```
//! Models without springs limit the edges of the mesh.

mod bound;
mod keep;
mod pull;

pub(crate) use bound::Bound;

use crate::Vec3;
use crate::boundary::Boundary;
use crate::halt::Halt;
use crate::report::Overlong;
use crate::setup::{Limiter, Rule};
use crate::world::{Limited, World};

/// Result of the limiter.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Outcome {
    /// Springs that were too long, over all passes.
    pub limited: u64,
    /// Factorisations of [`Rule::Keep`].
    pub rounds: u32,
    /// The longest edge if it is longer than it should be, numbered over all particles.
    pub longest: Option<[u32; 2]>,
    /// Whether the search found nothing better and was undone.
    pub undone: bool,
}

impl Outcome {
    /// Finds the longest edge again after contact moved vertices.
    pub fn recheck(&mut self, world: &World, x: &[Vec3]) {
        let kept = world.limiter.as_ref().is_some_and(|limiter| limiter.rule(&world.method) == Rule::Keep);
        let excess = |tie: &Limited| x[tie.a as usize].distance(x[tie.b as usize]) / tie.longest;
        let longest = world.limited.iter().map(|tie| (excess(tie), tie)).max_by(|a, b| a.0.total_cmp(&b.0));
        self.longest = longest.filter(|(excess, _)| kept && *excess > 1.0 + keep::KEPT).map(|(_, tie)| [tie.a, tie.b]);
    }

    /// The edge whose limit was not kept, at positions `x` and time `time`.
    pub fn overlong(&self, world: &World, x: &[Vec3], time: f64) -> Option<Overlong> {
        let [a, b] = self.longest?;
        let limit = world.limiter.as_ref()?.limit;
        let tie = world.limited.iter().find(|tie| (tie.a, tie.b) == (a, b) || (tie.a, tie.b) == (b, a))?;
        let cloth = world.cloths.iter().position(|cloth| cloth.vertices.contains(&(a as usize)))?;
        let first = world.cloths[cloth].vertices.start as u32;
        let (p, q) = (x[a as usize], x[b as usize]);
        let elongation = p.distance(q) / tie.longest * (1.0 + limit) - 1.0;
        Some(Overlong { elongation, cloth, vertices: [a - first, b - first], at: 0.5 * (p + q), time })
    }
}

/// Buffers of the limiter.
#[derive(Default)]
pub(crate) struct LimitBuffers {
    pull: pull::PullBuffers,
    keep: keep::KeepBuffers,
}

impl LimitBuffers {
    pub fn new(world: &World) -> Self {
        let mut buffers = Self::default();
        if let Some(limiter) = &world.limiter {
            match limiter.rule(&world.method) {
                Rule::Pull => buffers.pull = pull::PullBuffers::new(world, limiter),
                Rule::Keep => buffers.keep = keep::KeepBuffers::new(world, limiter.limit),
            }
        }
        buffers
    }

    /// Bytes that [`Rule::Keep`] needs for a world; the other rule needs few.
    pub fn bytes_for(world: &World) -> usize {
        let keep = |limiter: &&Limiter| limiter.rule(&world.method) == Rule::Keep;
        world.limiter.as_ref().filter(keep).map_or(0, |limiter| keep::KeepBuffers::bytes_for(world, limiter.limit))
    }

    /// Bytes of allocated memory of [`Rule::Keep`].
    #[cfg(test)]
    pub fn allocated(&self) -> usize {
        self.keep.allocated()
    }
}

/// The data of the limiter.
pub(crate) struct Limits<'a> {
    pub boundary: &'a Boundary,
    /// Positions at the start of the step, m.
    pub start: &'a [Vec3],
    /// τ, s: a displacement over τ is the change of velocity. It is the step, or the s of the implicit method.
    pub tau: f64,
    pub x: &'a mut [Vec3],
    pub v: &'a mut [Vec3],
    pub impulse: &'a mut [Vec3],
    /// Planes of bodies that the cloth stays above; for [`Rule::Keep`].
    pub bounds: &'a mut [Bound],
    pub halt: &'a Halt,
}

/// Shortens edges that are too long at the end of a step of length `h`.
pub(crate) fn apply(world: &World, h: f64, mut at: Limits, work: &mut LimitBuffers) -> Outcome {
    let Some(limiter) = &world.limiter else { return Outcome::default() };
    match limiter.rule(&world.method) {
        Rule::Pull => {
            let limited = pull::pull(world, h, limiter, &mut at, &mut work.pull);
            Outcome { limited, ..Outcome::default() }
        }
        Rule::Keep => keep::keep(world, h, limiter.inverse_dynamics, &mut at, &mut work.keep),
    }
}

/// Whether an edge is longer than [`Rule::Keep`] allows.
pub(crate) fn is_broken(world: &World, x: &[Vec3]) -> bool {
    let mut outcome = Outcome::default();
    outcome.recheck(world, x);
    outcome.longest.is_some()
}

/// Whether [`Rule::Keep`] has anything to do.
pub(crate) fn is_over(world: &World, x: &[Vec3]) -> bool {
    let kept = world.limiter.as_ref().is_some_and(|limiter| limiter.rule(&world.method) == Rule::Keep);
    kept && world.limited.iter().any(|tie| x[tie.a as usize].distance(x[tie.b as usize]) > tie.longest)
}
