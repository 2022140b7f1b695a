//! Buffers of a step: no result depends on their contents.

use crate::Vec3;
use crate::clock::Times;
use crate::control::Checks;
use crate::force;
use crate::halt::Halt;
use crate::limit;
use crate::method::Proposal;
use crate::method::equations::Equations;
use crate::state::State;
use crate::world::World;

/// Buffers of a step. Dropping them between two steps costs time and changes nothing else.
#[derive(Default)]
pub struct Workspace {
    pub(crate) proposal: Proposal,
    pub(crate) limit: limit::LimitBuffers,
    pub(crate) checks: Checks,
}

impl Workspace {
    /// Makes buffers of the right size for a world.
    pub fn new(world: &World) -> Self {
        Self::with(world, Proposal::new(world))
    }

    /// Makes buffers for a static equilibrium.
    pub(crate) fn for_drape(world: &World) -> Self {
        Self::with(world, Proposal::for_backward_euler(world))
    }

    fn with(world: &World, proposal: Proposal) -> Self {
        Self { proposal, limit: limit::LimitBuffers::new(world), checks: Checks::new(world) }
    }

    /// The equations that a step solves, in order, for benchmarks.
    #[doc(hidden)]
    pub fn equations(&mut self, step: impl FnOnce(&mut Self)) -> Vec<Equations> {
        self.proposal.implicit.recorded = Some(Vec::new());
        step(self);
        self.proposal.implicit.recorded.take().unwrap_or_default()
    }

    /// Makes steps end with [`StepError::Stopped`](crate::StepError::Stopped) soon after `halt` says so, even while
    /// they are computed. The state is then that before the step. Without a stop results are the same to the last bit.
    pub fn stop_when(&mut self, halt: Halt) {
        self.proposal.halt = halt;
    }

    /// Makes steps measure where their time goes, by a clock that gives seconds since an arbitrary moment. The library
    /// has none of its own.
    pub fn time_by(&mut self, clock: fn() -> f64) {
        self.proposal.clock.now = Some(clock);
    }

    /// Takes over the clock and the halt of another workspace.
    pub(crate) fn take_hooks(&mut self, other: &Self) {
        self.proposal.halt = other.proposal.halt.clone();
        self.proposal.clock.now = other.proposal.clock.now;
    }

    /// Times of the steps since the last call; all zero without [`Workspace::time_by`].
    pub fn take_times(&mut self) -> Times {
        self.proposal.clock.take()
    }
}

/// Forces on all particles in a state, N, without those of pins and limits.
pub fn forces<'a>(world: &World, state: &State, work: &'a mut Workspace) -> &'a [Vec3] {
    let Proposal { force, forces, .. } = &mut work.proposal;
    force::evaluate(world, state.time, &state.x, &state.v, force, forces);
    force::add_outside(world, state.time, &state.x, force);
    force
}
