//! Contact by a barrier: cloth with cloth, with bodies that are meshes and with exact shapes.
//!
//! ```text
//! law        the normal force over the gap
//! stencil    one contact: points with weights, normal, gap; its linearised normal force and friction
//! mesh       narrow phase: contacts of vertices and triangles, and of edges
//! meshes     points of bodies that are meshes
//! shape      narrow phase: contacts with exact shapes, and their part in the guard
//! exempt     triangles that cross at the start
//! ```
//! The broad phase is [`crate::broad`], the guard [`crate::guard`]. A step finds all pairs that can come near on its
//! way, and then, in turns: contacts at the iterate, a linear solve with them, the way there as far as the guard lets
//! it.

mod exempt;
pub(crate) mod law;
mod mesh;
mod meshes;
mod shape;
pub(crate) mod stencil;

use crate::Vec3;
use crate::boundary::Boundary;
use crate::broad::{Pairs, Surface};
use crate::contact::Contacts;
use crate::guard::{Blocked, Cuts, Guarded};
use crate::linear::filter::FREE;
use crate::linear::terms::Terms;
use crate::report::{Driver, GuardReport, Rejection};
use crate::solid::Moving;
use crate::state::{Anchor, Contact, ContactKey, State};
use crate::world::{BarrierConstants, World};
use exempt::Crossed;
use glam::DMat3;
use law::Law;
use mesh::Near;
use meshes::Meshes;
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
    /// Where points start in the step, where they are in this iterate, where they want to be at its end, and their
    /// ways: particles, then points of bodies, m.
    start: Vec<Vec3>,
    at: Vec<Vec3>,
    goal: Vec<Vec3>,
    ways: Vec<Vec3>,
    /// Ways that the list of pairs was made for, and where they begin, m.
    path: Vec<Vec3>,
    path_start: Vec<Vec3>,
    pairs: Pairs,
    slack: f64,
    /// Largest radius of a contact, m.
    widest: f64,
    shapes: Shapes,
    meshes: Meshes,
    /// Triangles that do not collide.
    pub crossed: Crossed,
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

/// Points of bodies that are meshes, numbered after all particles.
struct Driven<'a> {
    start: &'a [Vec3],
    end: &'a [Vec3],
    /// Where they are in this iterate.
    at: &'a [Vec3],
}

impl Driven<'_> {
    /// The contact of two primitives, at least one of them cloth.
    fn stencil(&self, world: &World, settings: &BarrierConstants, near: Near) -> Stencil {
        let n = world.mass.len();
        // both sides by any of their points
        let sides = [near.points[0], near.points[3]].map(|p| match (p as usize).checked_sub(n) {
            None => Ok(world.cloth_of(p as usize)),
            Some(point) => Err(settings.mesh_of(point)),
        });
        let (friction, stiffness, body) = match sides {
            [Ok(a), Ok(b)] => {
                let stiffness = [a, b].map(|c| world.fabrics[c].stiffness).into_iter().fold(0.0, f64::max);
                (settings.friction([a, b]), stiffness, NO_BODY)
            }
            [Ok(cloth), Err(mesh)] | [Err(mesh), Ok(cloth)] => {
                (mesh.friction[cloth], world.fabrics[cloth].stiffness, mesh.body)
            }
            [Err(one), Err(_)] => (0.0, 0.0, one.body),
        };
        let radius = sides.map(|side| side.map_or_else(|mesh| mesh.thickness, |cloth| settings.radius[cloth]));
        let mut stencil = Stencil {
            key: near.key,
            points: near.points,
            particles: near.points,
            weights: near.weights,
            normal: near.normal,
            gap: near.gap,
            law: Law { radius: radius[0] + radius[1], stiffness: STIFFER * stiffness },
            friction,
            body,
            ..Stencil::default()
        };
        if body != NO_BODY {
            let own = near.points.into_iter().find(|p| (*p as usize) < n).unwrap_or(0);
            for k in 0..4 {
                let Some(point) = (near.points[k] as usize).checked_sub(n) else { continue };
                let weight = std::mem::take(&mut stencil.weights[k]);
                stencil.particles[k] = own;
                stencil.carried += (self.end[point] - self.at[point]) * weight;
                stencil.rode += (self.end[point] - self.start[point]) * weight;
            }
        }
        stencil
    }
}

impl Barrier {
    pub fn new(world: &World) -> Self {
        let Some(settings) = &world.barrier else { return Self::default() };
        let meshes = Meshes::new(world);
        let n = world.mass.len() + meshes.start.len();
        let triangles = [&world.triangles[..], &settings.triangles].concat();
        let start: Vec<Vec3> = world.start.iter().chain(&meshes.start).copied().collect();
        let surface = Surface::with_bodies(&start, &triangles, world.triangles.len());
        let mean = world.edges.iter().map(|edge| edge.rest).sum::<f64>() / world.edges.len().max(1) as f64;
        let cloth = settings.radius.iter().copied().fold(0.0, f64::max);
        let body = settings.meshes.iter().map(|mesh| mesh.thickness).fold(0.0, f64::max);
        Self {
            crossed: Crossed::new(world, &surface, n),
            surface: Some(surface),
            start,
            at: vec![Vec3::ZERO; n],
            goal: vec![Vec3::ZERO; n],
            ways: vec![Vec3::ZERO; n],
            path: vec![Vec3::ZERO; n],
            path_start: vec![Vec3::ZERO; n],
            expected: vec![Vec3::ZERO; n],
            slack: SLACK * mean,
            widest: cloth + cloth.max(body),
            shapes: Shapes::new(world),
            meshes,
            ..Self::default()
        }
    }

    /// Begins a step of length `h` from a state, in which velocities become displacements over the time `s`.
    pub fn begin(
        &mut self,
        world: &World,
        state: &State,
        [h, s]: [f64; 2],
        moving: &[Moving],
        boundary: &Boundary,
    ) -> Result<(), Rejection> {
        self.detections = 0;
        self.guarded = Guarded::default();
        self.first = true;
        let n = state.x.len();
        self.meshes.begin(world, [state.time, state.time + h])?;
        self.start[..n].copy_from_slice(&state.x);
        self.start[n..].copy_from_slice(&self.meshes.start);
        self.at.copy_from_slice(&self.start);
        let of_bodies = self.meshes.start.iter().zip(&self.meshes.end).map(|(start, end)| *end - *start);
        self.expected[n..].iter_mut().zip(of_bodies).for_each(|(expected, way)| *expected = way);
        if let Some(surface) = &mut self.surface {
            surface.set_bodies_rest(!self.meshes.moves);
            self.crossed.begin(&state.exempt.list, surface);
        }
        for (i, expected) in self.expected[..n].iter_mut().enumerate() {
            *expected = match boundary.slot[i] {
                FREE => state.v[i] * s,
                slot => {
                    let held = &boundary.held[slot as usize];
                    held.mix(state.v[i] * s, held.end - state.x[i])
                }
            };
        }
        self.shapes.begin(world, moving);
        for (i, path) in self.path.iter_mut().enumerate() {
            let falls = i < n && boundary.slot[i] == FREE;
            *path = self.expected[i] + if falls { world.gravity * (s * s) } else { Vec3::ZERO };
        }
        self.detect(world);
        Ok(())
    }

    /// Finds all pairs that can come near on the paths, up to the slack.
    fn detect(&mut self, world: &World) {
        let (Some(surface), Some(settings)) = (&mut self.surface, &world.barrier) else { return };
        self.detections += 1;
        self.path_start.copy_from_slice(&self.at);
        let near = self.widest + 2.0 * self.slack;
        surface.find_among(&self.path_start, &self.path, near, settings.cloth, &mut self.pairs);
        self.crossed.take_out_of(&mut self.pairs);
    }

    /// Finds the contacts at positions `x`, in a step that started at `state`, and linearises them.
    pub fn find(&mut self, world: &World, state: &State, boundary: &Boundary, x: &[Vec3], s: f64, terms: &mut Terms) {
        let (Some(surface), Some(settings)) = (&self.surface, &world.barrier) else { return };
        self.stencils.clear();
        let n = x.len();
        self.at[..n].copy_from_slice(x);
        if !self.first {
            self.at[n..].copy_from_slice(&self.meshes.end);
        }
        // contacts may be as far away as they can approach
        let within =
            self.widest + 2.0 * self.slack + 2.0 * self.expected.iter().map(|w| w.length()).fold(0.0, f64::max);
        let (at, stencils) = (&self.at, &mut self.stencils);
        let bodies = Driven { start: &self.start[n..], end: &self.meshes.end, at: &at[n..] };
        let mut put = |near: Near| stencils.push(bodies.stencil(world, settings, near));
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
            if stencil.is_of_triangles() && way.length() > TURNS * stencil.law.radius {
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
            stencil.used().for_each(|(i, weight)| right[i as usize] += push * weight);
        }
    }

    /// Goes from the iterate towards `end` as far as nothing crosses.
    pub fn guard(&mut self, world: &World, boundary: &Boundary, end: &mut [Vec3]) -> Result<Guarded, Rejection> {
        let n = end.len();
        self.goal[..n].copy_from_slice(end);
        self.goal[n..].copy_from_slice(&self.meshes.end);
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
        self.cover(world);
        let near = self.near();
        let Self { surface, pairs, cuts, shapes, crossed, at, goal, first, .. } = self;
        let (Some(surface), Some(settings)) = (surface, &world.barrier) else { return Ok(Guarded::default()) };
        let driven = |i: usize| match boundary.slot.get(i) {
            None => true, // a point of a body
            Some(&FREE) => false,
            Some(slot) => boundary.held[*slot as usize].free == DMat3::ZERO,
        };
        let blocked = |Blocked { point, by, lacks }| {
            let by = match by as usize {
                i if i >= n => Driver::Body(settings.mesh_of(i - n).body),
                _ => Driver::Particle(by),
            };
            Rejection::Blocked { point, by, lacks }
        };
        cuts.begin(at, goal, n);
        let floor = CLOSEST * self.widest;
        let guarded = cuts.run(at, |round| {
            round.floor = floor;
            if round.number > 0 {
                let changed = round.changed_triangles(surface.triangles());
                surface.find_more(at, round.way, near, settings.cloth, &changed, pairs);
                crossed.take_out_of(pairs);
            }
            let let_be = |one: &[u32], other: &[u32]| crossed.is_beside(surface, one, other);
            round.divide_pairs_or(surface, pairs, &driven, &let_be).map_err(blocked)?;
            shapes.divide(world, surface.triangles(), *first, &driven, round)
        })?;
        cuts.go(at, goal);
        end.copy_from_slice(&goal[..n]);
        self.first = false;
        self.guarded = Guarded { pairs: pairs.vertex_face.len() + pairs.edge_edge.len(), ..guarded };
        Ok(self.guarded)
    }

    /// Pairs that come nearer than this are in the list, m.
    fn near(&self) -> f64 {
        self.widest + 2.0 * self.slack
    }

    /// Searches for the pairs of what leaves the ways that the list was made for.
    fn cover(&mut self, world: &World) {
        let (near, slack) = (self.near(), self.slack * self.slack);
        let (end, n) = (&self.goal, world.mass.len());
        let outside = |i: usize| {
            let left = (end[i] - self.path_start[i] - self.path[i]).length_squared();
            left > slack || left.is_nan()
        };
        let count = (0..n).filter(|i| outside(*i)).count();
        if count == 0 {
            return;
        }
        let (Some(surface), Some(settings)) = (&mut self.surface, &world.barrier) else { return };
        let way = |i: usize| Some(end[i] - self.at[i]).filter(|way| way.is_finite()).unwrap_or(Vec3::ZERO);
        if MANY * count > n {
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
        self.crossed.take_out_of(&mut self.pairs);
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
    pub fn finish(&mut self, state: &State, x: &[Vec3], contact: &mut Contacts) -> Result<(), Rejection> {
        if let Some(surface) = &self.surface {
            self.crossed.finish(surface, x, &self.meshes.end, state.exempt.most)?;
        }
        let most = state.touching.most;
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
            if let Some(vertex) = stencil.single() {
                let sticks = slip.length() < ELASTIC * (1.0 - 1e-9);
                contact.add(Contact { vertex, body, sticks, point: x[vertex as usize], force });
                continue;
            }
            for (i, weight) in stencil.used() {
                contact.pushes.add(body, i as usize, force * weight);
            }
        }
        contact.join();
        Ok(())
    }
}
