//! Contact with bodies that have exact shapes, by constraints. The other law of contact is the `barrier`.
//!
//! ```text
//! clear        broad phase: particles that are far from all bodies
//! search       broad phase of edges and triangles: where something has moved
//! touch        narrow phase: particles against bodies, by continuous collision detection; held by the filter of the
//!              implicit methods: stick, slip, release
//! active_set   which particles stick, slip and are released
//! crossing     narrow phase: edges and triangles of the cloth over a sharp edge, corner or tip of a body
//! accuracy     how exactly the active set is found
//! reach        how near particles come to bodies, by the size of their triangles
//! bounds       planes that the limiter keeps the cloth above
//! pushes       forces of crossings and of the response
//! room         errors: bodies that leave the cloth no room, cloth inside a body
//! deep         penetration depth: where cloth is still deeper inside than it is thick
//! respond      the response after every method; the only contact of the explicit ones
//! ```
//! Friction is decided in `friction.rs`: the friction cone, and whether a contact sticks, slips or is released.
//!
//! The middle surface of resting cloth is half its thickness away from a body. On curved bodies a coarse cloth is
//! lifted a little more, as far as its triangles would otherwise dip into them.

mod accuracy;
pub(crate) mod active_set;
mod bounds;
mod clear;
pub(crate) mod crossing;
pub(crate) mod deep;
mod pushes;
mod reach;
pub(crate) mod respond;
pub(crate) mod room;
mod search;
pub(crate) mod touch;

pub use deep::TooDeep;

use crate::Vec3;
use crate::limit::Bound;
use crate::linear::filter::FREE;
use crate::solid::reach::Reach;
use crate::solid::{Moving, Nearest};
use crate::state::{Contact, State};
use crate::world::World;
pub(crate) use accuracy::Accuracy;
use pushes::Pushes;

/// Penetration depth that does not matter, as a share of the thickness.
pub(crate) const SLACK: f64 = 1e-3;

/// A particle deeper than this share of the body's smallest half thickness may have come from the far side. Its path
/// then decides where it entered, not the nearest surface.
const FAR_INSIDE: f64 = 0.25;

/// A hit is no impact if it is slower than what gravity adds in this many steps: the particle would bounce for ever.
pub(crate) const CALM: f64 = 2.0;

/// A pin holds the particle if it leaves less than this share of the normal free.
const FREE_ENOUGH: f64 = 0.01;

/// Capacity for crossings: the number of elements divided by the first value, plus the second. It grows if that is not
/// enough.
const CAPACITY: (usize, usize) = (8, 64);

/// Contacts of the current step, and buffers.
#[derive(Default)]
pub(crate) struct Contacts {
    /// The bodies in the current step, one for each of [`World::solids`].
    pub moving: Vec<Moving>,
    /// Particles in contact, in ascending order.
    pub touches: Vec<touch::Touch>,
    next: Vec<touch::Touch>,
    /// The index of each particle in `touches`, or [`FREE`].
    pub slot: Vec<u32>,
    found: Vec<touch::Found>,
    pub crossings: Vec<crossing::Crossing>,
    near: Vec<Nearest>,
    /// Marks vertices of crossings while forces are summed.
    marked: Vec<bool>,
    /// One for each of [`World::solids`] with sharp edges.
    searches: Vec<search::Search>,
    clear: clear::Clear,
    /// How near particles come to bodies in the current step.
    pub reach: Vec<Reach>,
    /// Planes that the limiter keeps the cloth above.
    pub bounds: Vec<Bound>,
    /// Factor on the stiffness of crossings in this step.
    harder: f64,
    /// Contacts at the end of the step.
    pub kept: Vec<Contact>,
    spare: Vec<Contact>,
    /// Corrections to the forces in `kept`, by body, N: a particle may touch two bodies, and `kept` names one.
    moved: Vec<Vec3>,
    /// The impulse of each of [`World::bodies`] on the cloth in the step, N s.
    pub impulse: Vec<Vec3>,
    /// Forces other than those in `kept`.
    pub pushes: Pushes,
    /// Whether a particle rebounded.
    pub bounced: bool,
    /// Rounds of the active set.
    pub rounds: u32,
    pub accuracy: Accuracy,
    none: Vec<()>,
}

impl Contacts {
    pub fn new(world: &World) -> Self {
        if !world.can_touch() {
            return Self::default();
        }
        let n = world.mass.len();
        let sharp = || world.solids.iter().filter(|solid| solid.exact.is_sharp());
        let limited = world.limiter.is_some();
        Self {
            moving: world.solids.iter().map(|_| Moving::new()).collect(),
            touches: Vec::with_capacity(n),
            next: Vec::with_capacity(n),
            slot: vec![FREE; n],
            found: vec![Default::default(); n],
            crossings: Vec::with_capacity(Self::room(world)),
            near: vec![Nearest::default(); if sharp().next().is_some() { n } else { 0 }],
            marked: vec![false; n],
            searches: sharp().map(|_| search::Search::new(world)).collect(),
            clear: clear::Clear::new(world),
            reach: world.reach.clone(),
            harder: 1.0,
            kept: Vec::with_capacity(n),
            spare: Vec::with_capacity(n),
            bounds: Vec::with_capacity(if limited { n * world.solids.len() + Self::room(world) } else { 0 }),
            moved: vec![Vec3::ZERO; world.bodies.len()],
            impulse: vec![Vec3::ZERO; world.bodies.len()],
            pushes: Pushes::new(world.bodies.len(), n),
            bounced: false,
            rounds: 0,
            accuracy: Accuracy::default(),
            none: vec![(); world.blocks.len()],
        }
    }

    /// Capacity for crossings.
    pub fn room(world: &World) -> usize {
        if world.has_sharp_bodies() { world.edges.len() / CAPACITY.0 + CAPACITY.1 } else { 0 }
    }

    /// Sums the impulses of bodies in the step of length `h`.
    pub fn sum(&mut self, h: f64) {
        self.impulse.fill(Vec3::ZERO);
        for contact in &self.kept {
            self.impulse[contact.body as usize] += contact.force * h;
        }
        for (body, impulse) in self.impulse.iter_mut().enumerate() {
            *impulse += (self.pushes.of_body[body] + self.moved[body]) * h;
        }
    }

    /// Adds a contact of a particle, in any order; [`Contacts::join`] follows.
    pub fn add(&mut self, contact: Contact) {
        self.spare.push(contact);
    }

    /// Joins the contacts that were added: one entry for each particle.
    pub fn join(&mut self) {
        let mut spare = std::mem::take(&mut self.spare);
        spare.sort_unstable_by_key(|contact| (contact.vertex, contact.body));
        spare.drain(..).for_each(|contact| keep(contact, &mut self.kept, &mut self.moved));
        self.spare = spare;
    }

    /// Moves a part of the force on a particle from the body that `kept` names to another body.
    fn move_force(&mut self, from: u32, to: u32, force: Vec3) {
        move_force(&mut self.moved, from, to, force);
    }

    /// Forgets the contacts of this step and their forces.
    pub fn forget(&mut self) {
        self.kept.clear();
        self.pushes.clear();
        self.moved.fill(Vec3::ZERO);
    }

    /// Begins a step of length `h`: finds where bodies go, and how near particles come to them.
    pub fn advance(&mut self, world: &World, state: &State, h: f64) {
        self.bounced = false;
        self.rounds = 0;
        self.harder = 1.0;
        self.forget();
        for (moving, solid) in self.moving.iter_mut().zip(&world.solids) {
            moving.advance(&world.bodies[solid.body as usize], state.time, h);
        }
        self.find_reach(world, state, h);
    }
}

fn move_force(moved: &mut [Vec3], from: u32, to: u32, force: Vec3) {
    moved[from as usize] -= force;
    moved[to as usize] += force;
}

/// Adds a contact to the list, which has one entry for each particle. If two bodies touch a particle, the body that
/// presses harder gets the forces of both, and `moved` records the difference.
fn keep(contact: Contact, kept: &mut Vec<Contact>, moved: &mut [Vec3]) {
    let Some(last) = kept.last_mut().filter(|last| last.vertex == contact.vertex) else {
        kept.push(contact);
        return;
    };
    let presses_more = contact.force.length() > last.force.length();
    let (more, less) = if presses_more { (contact, *last) } else { (*last, contact) };
    *last = Contact { force: more.force + less.force, ..more };
    move_force(moved, more.body, less.body, less.force);
}

impl World {
    /// Whether cloth collides with itself and with other cloths.
    pub fn cloth_collides(&self) -> bool {
        self.barrier.as_ref().is_some_and(|barrier| barrier.cloth)
    }

    /// Whether cloth collides with bodies that are meshes.
    pub fn meshes_collide(&self) -> bool {
        self.barrier.as_ref().is_some_and(|barrier| !barrier.meshes.is_empty())
    }

    /// Whether there are bodies for the cloth to collide with.
    pub fn can_touch(&self) -> bool {
        !self.solids.is_empty() || self.barrier.as_ref().is_some_and(|barrier| !barrier.meshes.is_empty())
    }
}
