//! State of a simulation, as a checkpoint holds it.

use crate::Vec3;
use std::ops::RangeInclusive;

/// The full state of a simulation, as a checkpoint holds it. Equal states of the same world have equal futures.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Number of finished frames.
    pub frame: u64,
    /// Number of finished steps of the current frame.
    pub step: u32,
    /// Time since the current frame began, s.
    pub elapsed: f64,
    /// Simulated time, s.
    pub time: f64,
    /// Step size control, which sets the length of the next step.
    pub control: Control,
    /// Positions, m.
    pub x: Vec<Vec3>,
    /// Velocities, m/s.
    pub v: Vec<Vec3>,
    /// Anchors, where each pin took hold of each of its vertices, m: pins of all cloths in order.
    pub anchors: Vec<Vec3>,
    /// Whether each pin held its vertices in the last step.
    pub holds: Vec<bool>,
    /// Particles that touch bodies, by rising number.
    pub contacts: Vec<Contact>,
    /// Contacts of the barrier.
    pub touching: Touching,
    /// Triangles that do not collide because they crossed at the start.
    pub exempt: Exempt,
    /// Earlier state for multistep methods.
    pub past: Past,
    /// When the run went over to the method with contact, s: see [`World::with_contact`](crate::World::with_contact).
    pub went_over: Option<f64>,
}

/// What a contact is between. Keys rise in the order in which contacts are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct ContactKey {
    /// The kind of contact.
    pub kind: ContactKind,
    /// The numbers of the two primitives.
    pub pair: [u32; 2],
}

/// Kinds of contact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum ContactKind {
    /// A vertex and a triangle, or an edge or corner of it.
    #[default]
    VertexFace,
    /// Two edges.
    EdgeEdge,
    /// A body with an exact shape, and a particle.
    ShapeVertex,
    /// A body with an exact shape, and a triangle or edge of the cloth.
    ShapeFace,
}

impl ContactKind {
    /// All kinds, in order.
    pub const ALL: [Self; 4] = [Self::VertexFace, Self::EdgeEdge, Self::ShapeVertex, Self::ShapeFace];
}

/// Contacts of the barrier.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Touching {
    /// Largest number of contacts that are kept; others begin anew in every step.
    pub most: usize,
    /// The contacts, by rising key.
    pub list: Vec<Anchor>,
}

/// What does not collide. Pairs of triangles that cross: those that crossed at the start, those that their crossings
/// have
/// wandered to, and those of bodies that gave way. A pair leaves the list when it has come apart, and collides from
/// then
/// on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Exempt {
    /// Largest number of pairs. A step with more is rejected.
    pub most: usize,
    /// The pairs, in rising order, each with the smaller number first: triangles of all cloths are counted first, then
    /// those of bodies that are meshes.
    pub list: Vec<[u32; 2]>,
    /// Largest number of vertices inside bodies. A step with more is rejected.
    pub most_inside: usize,
    /// Vertices that bodies gave way to and that are not out yet, each with the index of its body in
    /// [`World::bodies`](crate::World::bodies), in rising order: bodies with exact shapes and closed meshes.
    pub inside: Vec<[u32; 2]>,
}

impl Exempt {
    /// Whether everything collides.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty() && self.inside.is_empty()
    }
}

/// What a contact of the barrier keeps from step to step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor {
    /// What the contact is between.
    pub key: ContactKey,
    /// How far the first side has slipped elastically from where it sticks, m.
    pub slip: Vec3,
    /// Normal force, N.
    pub normal: f64,
}

/// The state before the last step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Past {
    /// Length of the last step, s; 0 if there is none to continue from.
    pub h: f64,
    /// Positions before the last step, m; empty for one-step methods.
    pub x: Vec<Vec3>,
    /// Velocities before the last step, m/s.
    pub v: Vec<Vec3>,
}

/// A particle that touches a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// The particle.
    pub vertex: u32,
    /// Index of the body in [`World::bodies`](crate::World::bodies).
    pub body: u32,
    /// Whether the particle moves with the body's surface rather than slipping along it.
    pub sticks: bool,
    /// Position of the particle in the body's coordinates, m.
    pub point: Vec3,
    /// Mean force of the body on the particle in the last step, friction included, N.
    pub force: Vec3,
}

/// State of the step size control.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Control {
    /// Number of halvings of the step.
    pub halvings: u32,
    /// Number of doublings of the step, where cloth is calm.
    pub doublings: u32,
    /// Number of successful steps since the last change.
    pub successes: u32,
    /// Number of successful steps before a longer step is tried.
    pub wait: u32,
}

impl Default for Control {
    fn default() -> Self {
        Self { halvings: 0, doublings: 0, successes: 0, wait: FIRST_WAIT }
    }
}

/// First wait: as in the paper, a larger step is tried after two successes.
pub(crate) const FIRST_WAIT: u32 = 2;

/// Longest wait: as in the paper, 40 steps.
pub(crate) const LONGEST_WAIT: u32 = 40;

/// Possible waits.
pub(crate) const WAITS: RangeInclusive<u32> = FIRST_WAIT..=LONGEST_WAIT;
