//! Cloth that meets a body leaves it with a share of the speed that it came with.

use super::Barrier;
use super::stencil::{NO_BODY, Stencil};
use crate::Vec3;
use crate::boundary::Boundary;
use crate::contact::CALM;
use crate::contact::Contacts;
use crate::state::State;
use crate::world::World;

impl Barrier {
    /// Changes the velocities `v` at the end of a step of length `h` where cloth has met a body with restitution: along
    /// the normal it leaves with the velocity -e v, where v is that of the meeting. What comes more slowly than gravity
    /// makes it fall in a few steps rests.
    pub fn rebound(
        &mut self,
        world: &World,
        state: &State,
        h: f64,
        boundary: &Boundary,
        v: &mut [Vec3],
        contact: &mut Contacts,
    ) {
        if self.still.is_some() || !world.bodies.iter().any(|body| body.restitution > 0.0) {
            return;
        }
        let gravity = if world.components.gravity { world.gravity } else { Vec3::ZERO };
        let calm = CALM * gravity.length() * h;
        for stencil in self.stencils.iter_mut().filter(|stencil| stencil.body != NO_BODY && stencil.force > 0.0) {
            let restitution = world.bodies[stencil.body as usize].restitution;
            // of the body's surface, from the cloth
            let ride = stencil.rode / h;
            let speed = |v: &[Vec3]| stencil.normal.dot(stencil.sum(|i| v[i]) + ride);
            let (came, leaves) = (speed(&state.v), speed(v));
            if restitution <= 0.0 || came >= -calm {
                continue;
            }
            let when = meets_after(stencil, came, h);
            let meets = came + stencil.normal.dot(gravity) * when;
            let change = -restitution * meets - leaves;
            let inverse = |i: usize| boundary.inverse_mass(world, i);
            let mass = stencil.mass(inverse);
            if change <= 0.0 || !mass.is_finite() {
                continue;
            }
            for (i, weight) in stencil.used() {
                let i = i as usize;
                v[i] += stencil.normal * (change * mass * weight * inverse(i));
            }
            (contact.bounced, stencil.rebounded) = (true, true);
        }
    }
}

/// The time after the start of the step at which a contact begins to push, s, at the speed that its sides have then.
fn meets_after(stencil: &Stencil, came: f64, h: f64) -> f64 {
    ((stencil.gap - stencil.law.radius) / -came).clamp(0.0, h)
}
