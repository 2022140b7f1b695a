//! Contact by a barrier: cloth with cloth, with bodies that are meshes and with exact shapes.
//!
//! ```text
//! law        the normal force over the gap
//! stencil    one contact: points with weights, normal, gap; its linearised normal force and friction
//! mesh       narrow phase: contacts of vertices and triangles, and of edges
//! shape      narrow phase: contacts with exact shapes, and their part in the guard
//! ```
//! The broad phase is [`crate::broad`], the guard [`crate::guard`]. A step finds all pairs that can come near on its
//! way, and then, in turns: contacts at the iterate, a linear solve with them, the way there as far as the guard lets
//! it.

pub(crate) mod law;
mod mesh;
mod shape;
pub(crate) mod stencil;

use crate::Vec3;
use crate::boundary::Boundary;
use crate::broad::{Pairs, Surface};
use crate::contact::Contacts;
use crate::guard::{Blocked, Cuts, Guarded};
use crate::linear::filter::FREE;
use crate::linear::terms::Terms;
use crate::report::GuardReport;
use crate::solid::Moving;
use crate::state::{Anchor, Contact, ContactKey, ContactKind, State};
use crate::world::World;
use glam::DMat3;
use law::Law;
use mesh::Near;
use shape::Shapes;
use stencil::{ELASTIC, Meeting, NO_BODY, Stencil};

/// The stiffness of a contact as a multiple of the cloth's own.
const STIFFER: f64 = 2.0;

/// How far points may leave their expected ways before pairs are searched again, as a share of a mean edge.
const SLACK: f64 = 0.02;

/// The gap, as a share of the largest radius, below which the guard lets nothing come nearer, and below which forces
/// grow no further. At half of the radius a contact carries k r/4; here it carries 600 times as much.
const CLOSEST: f64 = 0.02;

/// Sides that move against each other by more than this share of the radius are looked at where they will be, too.
const TURNS: f64 = 0.02;

/// All pairs are searched for again if more than one in so many points leaves its expected way.
const MANY: usize = 10;

/// Contact in a step, with its buffers.
#[derive(Default)]
pub(crate) struct Barrier {
    surface: Option<Surface>,
    /// Where points start in the step, where they are in this iterate, and their ways: particles, then points of
    /// bodies, m.
    start: Vec<Vec3>,
    at: Vec<Vec3>,
    ways: Vec<Vec3>,
    /// Ways that the list of pairs was made for, and where they begin, m.
    path: Vec<Vec3>,
    path_start: Vec<Vec3>,
    pairs: Pairs,
    slack: f64,
    /// Largest radius of a contact, m.
    widest: f64,
    shapes: Shapes,
    pub stencils: Vec<Stencil>,
    /// What the next state keeps of contacts.
    pub anchors: Vec<Anchor>,
    cuts: Cuts,
    /// How far particles would go in the step without a change of forces, m.
    expected: Vec<Vec3>,
    /// Normal forces of the last linearisation, N.
    last: Vec<(ContactKey, f64)>,
    /// Searches for pairs in this step.
    pub detections: u32,
    /// What the guard did in the last pass of the step.
    pub guarded: Guarded,
    first: bool,
}

impl Barrier {
    pub fn new(world: &World) -> Self {
        let Some(settings) = &world.barrier else { return Self::default() };
        let n = world.mass.len();
        let surface = Surface::with_bodies(&world.start, &world.triangles, world.triangles.len());
        let mean = world.edges.iter().map(|edge| edge.rest).sum::<f64>() / world.edges.len().max(1) as f64;
        let widest = settings.radius.iter().copied().fold(0.0, f64::max);
        Self {
            surface: Some(surface),
            start: vec![Vec3::ZERO; n],
            at: vec![Vec3::ZERO; n],
            ways: vec![Vec3::ZERO; n],
            path: vec![Vec3::ZERO; n],
            path_start: vec![Vec3::ZERO; n],
            expected: vec![Vec3::ZERO; n],
            slack: SLACK * mean,
            widest: 2.0 * widest,
            shapes: Shapes::new(world),
            ..Self::default()
        }
    }

    /// Begins a step of length `h` from a state, in which velocities become displacements over the time `s`.
    pub fn begin(&mut self, world: &World, state: &State, s: f64, moving: &[Moving], boundary: &Boundary) {
        self.detections = 0;
        self.guarded = Guarded::default();
        self.first = true;
        self.start.copy_from_slice(&state.x);
        self.at.copy_from_slice(&state.x);
        for (i, expected) in self.expected.iter_mut().enumerate() {
            *expected = match boundary.slot[i] {
                FREE => state.v[i] * s,
                slot => {
                    let held = &boundary.held[slot as usize];
                    held.mix(state.v[i] * s, held.end - state.x[i])
                }
            };
        }
        self.shapes.begin(world, moving);
        for i in 0..self.path.len() {
            self.path[i] =
                self.expected[i] + if boundary.slot[i] == FREE { world.gravity * (s * s) } else { Vec3::ZERO };
        }
        self.detect(world);
    }

    /// Finds all pairs that can come near on the paths, up to the slack.
    fn detect(&mut self, world: &World) {
        let (Some(surface), Some(settings)) = (&mut self.surface, &world.barrier) else { return };
        self.detections += 1;
        self.path_start.copy_from_slice(&self.at);
        let near = self.widest + 2.0 * self.slack;
        surface.find_among(&self.path_start, &self.path, near, settings.cloth, &mut self.pairs);
    }

    /// Finds the contacts at positions `x`, in a step that started at `state`, and linearises them.
    pub fn find(&mut self, world: &World, state: &State, boundary: &Boundary, x: &[Vec3], s: f64, terms: &mut Terms) {
        let (Some(surface), Some(settings)) = (&self.surface, &world.barrier) else { return };
        self.stencils.clear();
        self.at.copy_from_slice(x);
        // contacts may be as far away as they can approach
        let within =
            self.widest + 2.0 * self.slack + 2.0 * self.expected.iter().map(|w| w.length()).fold(0.0, f64::max);
        let (at, stencils) = (&self.at, &mut self.stencils);
        let n = world.mass.len();
        let mut put = |near: Near| {
            let radius = |k: usize| settings.radius[world.cloth_of(near.points[k] as usize)];
            let (a, b) = (near.points[0], near.points[3]);
            let cloths = [a, b].map(|p| world.cloth_of(p as usize));
            let law = Law {
                radius: radius(0) + radius(3),
                stiffness: STIFFER * cloths.map(|c| world.fabrics[c].stiffness).into_iter().fold(0.0, f64::max),
            };
            stencils.push(Stencil {
                key: near.key,
                particles: near.points,
                weights: near.weights,
                normal: near.normal,
                gap: near.gap,
                law,
                friction: settings.friction(cloths),
                body: NO_BODY,
                ..Stencil::default()
            });
        };
        debug_assert!(at.len() == n);
        for &pair in &self.pairs.vertex_face {
            mesh::vertex_face(surface, pair, at, within).into_iter().for_each(&mut put);
        }
        for &pair in &self.pairs.edge_edge {
            mesh::edge_edge(surface, pair, at, within).into_iter().for_each(&mut put);
        }
        self.shapes.find(world, surface, at, self.first, &self.expected, stencils);
        let inverse = |i: usize| match boundary.slot[i] {
            FREE => 1.0 / world.mass[i],
            slot if boundary.held[slot as usize].free == DMat3::ZERO => 0.0,
            _ => 1.0 / world.mass[i],
        };
        let mut known = state.touching.list.iter().peekable();
        let (last, first) = (&self.last, self.first);
        let mut last = last.iter().peekable();
        let (start, expected) = (&self.start, &self.expected);
        stencils.retain_mut(|stencil| {
            // what is new but near already was carried by other contacts: cloth that slides over triangles
            stencil.before = stencil.law.force(stencil.gap);
            while known.next_if(|anchor| anchor.key < stencil.key).is_some() {}
            if let Some(anchor) = known.next_if(|anchor| anchor.key == stencil.key) {
                stencil.slip = anchor.slip;
                stencil.before = anchor.normal;
            }
            if !first {
                while last.next_if(|known| known.0 < stencil.key).is_some() {}
                stencil.before = last.next_if(|known| known.0 == stencil.key).map_or(0.0, |known| known.1);
            }
            let moved = stencil.sum(|i| at[i] - start[i]) + stencil.rode - stencil.carried;
            let way = stencil.sum(|i| expected[i]) + stencil.rode - moved;
            let mass = stencil.mass(inverse);
            if stencil.body == NO_BODY && way.length() > TURNS * stencil.law.radius {
                stencil.foresee(way, |i| start[i] + expected[i]);
            }
            stencil.linearise(&Meeting { way, moved, mass, s });
            stencil.force > 0.0 || stencil.start > 0.0
        });
        terms.list.clear();
        terms.list.extend(stencils.iter().map(|stencil| {
            let mut term = stencil.term();
            term.block *= s * s;
            term
        }));
        terms.index(n);
    }

    /// Adds the forces of contacts at the iterate, times s, to a right-hand side.
    pub fn load(&self, s: f64, right: &mut [Vec3]) {
        for stencil in &self.stencils {
            let push = stencil.push(Vec3::ZERO) * s;
            for (i, weight) in stencil.particles.iter().zip(stencil.weights).filter(|(_, weight)| *weight != 0.0) {
                right[*i as usize] += push * weight;
            }
        }
    }

    /// Goes from the iterate towards `end` as far as nothing crosses.
    pub fn guard(&mut self, world: &World, boundary: &Boundary, end: &mut [Vec3]) -> Result<Guarded, Blocked> {
        // the next linearisation expects what this one wants
        for (expected, (end, start)) in self.expected.iter_mut().zip(end.iter().zip(&self.start)) {
            *expected = *end - *start;
        }
        self.last.clear();
        let at = &self.at;
        self.last.extend(self.stencils.iter().map(|stencil| {
            let u = stencil.sum(|i| end[i] - at[i]) + stencil.carried;
            (stencil.key, (stencil.start - stencil.slope * stencil.normal.dot(u)).max(0.0))
        }));
        self.cover(world, end);
        let near = self.near();
        let Self { surface, pairs, cuts, shapes, at, first, .. } = self;
        let (Some(surface), Some(settings)) = (surface, &world.barrier) else { return Ok(Guarded::default()) };
        let driven = |i: usize| match boundary.slot[i] {
            FREE => false,
            slot => boundary.held[slot as usize].free == DMat3::ZERO,
        };
        cuts.begin(at, end);
        let floor = CLOSEST * self.widest;
        let guarded = cuts.run(at, |round| {
            round.floor = floor;
            if round.number > 0 {
                let changed = round.changed_triangles(surface.triangles());
                surface.find_more(at, round.way, near, settings.cloth, &changed, pairs);
            }
            round.divide_pairs(surface, pairs, &driven)?;
            shapes.divide(world, surface.triangles(), *first, &driven, round)
        })?;
        cuts.go(at, end);
        self.first = false;
        self.guarded = Guarded { pairs: pairs.vertex_face.len() + pairs.edge_edge.len(), ..guarded };
        Ok(self.guarded)
    }

    /// Pairs that come nearer than this are in the list, m.
    fn near(&self) -> f64 {
        self.widest + 2.0 * self.slack
    }

    /// Searches for the pairs of what leaves the ways that the list was made for.
    fn cover(&mut self, world: &World, end: &[Vec3]) {
        let (near, slack) = (self.near(), self.slack * self.slack);
        let outside = |i: usize| {
            let left = (end[i] - self.path_start[i] - self.path[i]).length_squared();
            left > slack || left.is_nan()
        };
        let count = (0..end.len()).filter(|i| outside(*i)).count();
        if count == 0 {
            return;
        }
        let (Some(surface), Some(settings)) = (&mut self.surface, &world.barrier) else { return };
        let way = |i: usize| Some(end[i] - self.at[i]).filter(|way| way.is_finite()).unwrap_or(Vec3::ZERO);
        if MANY * count > end.len() {
            for i in 0..end.len() {
                self.path[i] = way(i);
            }
            self.detect(world);
            return;
        }
        self.ways.clear();
        self.ways.extend((0..end.len()).map(way));
        let leaves = |v: &[u32; 3]| v.iter().any(|v| outside(*v as usize));
        let chosen: Vec<u32> =
            (0..world.triangles.len() as u32).filter(|t| leaves(&world.triangles[*t as usize])).collect();
        surface.find_more(&self.at, &self.ways, near, settings.cloth, &chosen, &mut self.pairs);
    }

    /// What was done in the step.
    pub fn report(&self) -> GuardReport {
        GuardReport {
            detections: self.detections,
            pairs: (self.pairs.vertex_face.len() + self.pairs.edge_edge.len()) as u64,
            contacts: self.stencils.len() as u64,
            wanted: self.guarded.wanted,
            lost: self.guarded.lost,
            rounds: self.guarded.rounds,
        }
    }

    /// Keeps what the next step needs, from the positions at the end of the step, and the forces of bodies.
    pub fn finish(&mut self, x: &[Vec3], most: usize, contact: &mut Contacts) {
        self.anchors.clear();
        for stencil in &self.stencils {
            let u = stencil.sum(|i| x[i] - self.at[i]);
            let moved = stencil.sum(|i| x[i] - self.start[i]) + stencil.rode;
            let gap = stencil.gap + stencil.normal.dot(u + stencil.carried);
            let normal = stencil.law.force(gap.max(CLOSEST * stencil.law.radius));
            let slip = stencil.slip_after(moved);
            if normal > 0.0 && self.anchors.len() < most {
                self.anchors.push(Anchor { key: stencil.key, slip, normal });
            }
            if stencil.body == NO_BODY {
                continue;
            }
            let (body, force) = (stencil.body, stencil.push(u));
            let [a, b, c, _] = stencil.weights;
            let [i, j, k, _] = stencil.particles;
            if stencil.key.kind == ContactKind::ShapeVertex {
                let sticks = slip.length() < ELASTIC * (1.0 - 1e-9);
                contact.add(Contact { vertex: i, body, sticks, point: x[i as usize], force });
            } else {
                contact.pushes.add_between(body, [i, j, k], [a, b, c], force);
            }
        }
        contact.join();
    }
}
