//! Contact by a barrier: cloth with cloth, with bodies that are meshes and with exact shapes.
//!
//! ```text
//! after      contact after a step whose method does not know of it
//! law        the normal force over the gap
//! stencil    one contact: points with weights, normal, gap; its linearised normal force and friction
//! mesh       narrow phase: contacts of vertices and triangles, and of edges
//! meshes     points of bodies that are meshes
//! pairs      pairs that are kept over several steps
//! rebound    restitution
//! shape      narrow phase: contacts with exact shapes, and their part in the guard
//! still      contact at rest
//! exempt     triangles that cross at the start
//! yields     bodies that leave no room give way
//! within     cloth inside closed meshes that gave way
//! ```
//! The broad phase is [`crate::broad`], the guard [`crate::guard`]. A step finds all pairs that can come near on its
//! way, and then, in turns: contacts at the iterate, a linear solve with them, the way there as far as the guard lets
//! it.

pub(crate) mod after;
mod exempt;
pub(crate) mod law;
mod mesh;
mod meshes;
mod pairs;
mod rebound;
mod shape;
pub(crate) mod stencil;
mod still;
mod within;
mod yields;

use after::AfterBuffers;

use crate::Vec3;
use crate::boundary::Boundary;
use crate::broad::{Pairs, Surface, meets};
use crate::contact::Contacts;
use crate::friction;
use crate::guard::{Blocked, Cuts, Guarded};
use crate::linear::filter::FREE;
use crate::linear::terms::Terms;
use crate::parallel;
use crate::report::{Driver, GuardReport, Rejection};
use crate::solid::{Moving, Pose};
use crate::state::{Anchor, Contact, ContactKey, State};
use crate::world::{BarrierConstants, World};
use exempt::Crossed;
use glam::DMat3;
use law::Law;
use mesh::{Near, Places};
use meshes::Meshes;
use pairs::{KeptPairs, Passage};
use shape::Shapes;
use stencil::{Meeting, NO_BODY, Stencil};
use within::Within;
use yields::{ATTEMPTS, Passes, Yields};

/// The stiffness of a contact as a multiple of the cloth's own.
const STIFFER: f64 = 2.0;

/// The gap, as a share of the largest radius, below which the guard lets nothing come nearer, and below which forces
/// grow no further. At half of the radius a contact carries k r/4; here it carries 600 times as much.
const CLOSEST: f64 = 0.02;

/// Sides that move against each other by more than this share of the radius have the contact of where they will be.
const TURNS: f64 = 0.02;

/// Contact in a step, with its buffers.
#[derive(Default)]
pub(crate) struct Barrier {
    surface: Option<Surface>,
    /// Where points start in the step, where they are in this iterate, and where they want to be at its end: particles,
    /// then points of bodies, m.
    start: Vec<Vec3>,
    at: Vec<Vec3>,
    goal: Vec<Vec3>,
    /// Where they are expected at the end of the step, m.
    end: Vec<Vec3>,
    /// Start and end of the step, s.
    times: [f64; 2],
    kept: KeptPairs,
    /// Buffers: which pairs count, and those that do.
    flags: Vec<bool>,
    chosen: Vec<[u32; 2]>,
    /// Largest radius of a contact, m.
    widest: f64,
    shapes: Shapes,
    meshes: Meshes,
    /// Triangles that do not collide.
    pub crossed: Crossed,
    pub within: Within,
    yields: Yields,
    pub stencils: Vec<Stencil>,
    /// What the next state keeps of contacts.
    pub anchors: Vec<Anchor>,
    cuts: Cuts,
    /// Smallest distance of triangles in contact at the end of the step, m.
    gap: Option<f64>,
    /// How far contacts are pressed together there, as a share of their radius.
    compression: f64,
    /// How far particles would go in the step without a change of forces, m.
    expected: Vec<Vec3>,
    /// Normal forces of the last linearisation, N.
    last: Vec<(ContactKey, f64)>,
    /// What the guard did in the last pass of the step.
    pub guarded: Guarded,
    after: AfterBuffers,
    first: bool,
    /// In a search for equilibrium: the time at which bodies stand still, and how long it has taken, s.
    still: Option<[f64; 2]>,
}

/// The pairs that have a flag and are not exempt, each once and in rising order.
fn choose(pairs: &[[u32; 2]], flags: &[bool], exempt: &[[u32; 2]], out: &mut Vec<[u32; 2]>) {
    out.clear();
    out.extend(pairs.iter().zip(flags).filter(|(_, flag)| **flag).map(|(pair, _)| *pair));
    out.sort_unstable();
    out.dedup();
    if !exempt.is_empty() {
        out.retain(|pair| exempt.binary_search(pair).is_err());
    }
}

/// The cloth of each triangle, or its body, counted after the cloths.
fn groups(world: &World, settings: &BarrierConstants, triangles: &[[u32; 3]]) -> Vec<u32> {
    let group = |v: &[u32; 3]| match (v[0] as usize).checked_sub(world.mass.len()) {
        None => world.cloth_of(v[0] as usize) as u32,
        Some(point) => world.cloths.len() as u32 + settings.mesh_of(point).body,
    };
    triangles.iter().map(group).collect()
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
            gap: near.gap.max(CLOSEST * (radius[0] + radius[1])),
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
        let mut surface = Surface::with_bodies(&start, &triangles, world.triangles.len());
        if !settings.ignored.is_empty() {
            surface.ignore(groups(world, settings, &triangles), &settings.ignored);
        }
        let mean = world.edges.iter().map(|edge| edge.rest).sum::<f64>() / world.edges.len().max(1) as f64;
        let cloth = settings.radius.iter().copied().fold(0.0, f64::max);
        let body = settings.meshes.iter().map(|mesh| mesh.thickness).fold(0.0, f64::max);
        Self {
            crossed: Crossed::new(world, &surface, n),
            within: Within::new(world, &start),
            surface: Some(surface),
            start,
            at: vec![Vec3::ZERO; n],
            goal: vec![Vec3::ZERO; n],
            end: vec![Vec3::ZERO; n],
            expected: vec![Vec3::ZERO; n],
            kept: KeptPairs::new(n, mean, cloth + cloth.max(body)),
            widest: cloth + cloth.max(body),
            shapes: Shapes::new(world),
            meshes,
            after: if world.settles_after() { AfterBuffers::new(world) } else { AfterBuffers::default() },
            ..Self::default()
        }
    }

    /// Whether nothing may come into contact in a step of length h: nothing touches at its start, and nothing comes
    /// near if all particles keep their velocities. With exact shapes the answer is no.
    pub fn may_stay_apart(&mut self, world: &World, state: &State, h: f64) -> Result<bool, Rejection> {
        if !world.solids.is_empty() || !state.touching.list.is_empty() || !state.exempt.is_empty() {
            return Ok(false);
        }
        self.begin_way(world, state, h)?;
        self.goal.iter_mut().zip(&state.x).zip(&state.v).for_each(|((goal, x), v)| *goal = *x + *v * h);
        Ok(self.nearest_on_way(world).is_none())
    }

    /// Whether nothing came into contact in a step that ends at `x`, after [`Barrier::may_stay_apart`].
    pub fn stays_apart(&mut self, world: &World, x: &[Vec3]) -> bool {
        self.goal[..x.len()].copy_from_slice(x);
        self.nearest_on_way(world).is_none()
    }

    /// A particle that comes near others in a step of length h that ends at `x`.
    pub fn meets(&mut self, world: &World, state: &State, h: f64, x: &[Vec3]) -> Result<Option<u32>, Rejection> {
        self.begin_way(world, state, h)?;
        self.goal[..x.len()].copy_from_slice(x);
        Ok(self.nearest_on_way(world))
    }

    /// A particle that comes near others on the way to the goal.
    fn nearest_on_way(&mut self, world: &World) -> Option<u32> {
        self.cover(world);
        let surface = self.surface.as_ref()?;
        let (at, goal, near) = (&self.at, &self.goal, self.widest);
        let place = |v: u32| at[v as usize];
        let way = |v: u32| goal[v as usize] - at[v as usize];
        let Pairs { vertex_face, edge_edge } = &self.kept.pairs;
        let faces = vertex_face.iter().map(|pair| surface.of_vertex_face(*pair));
        let face = faces.filter(|points| meets::<1>(&points.map(place), &points.map(way), near)).min();
        let edges = edge_edge.iter().map(|pair| surface.of_edge_edge(*pair));
        let edge = || edges.filter(|points| meets::<2>(&points.map(place), &points.map(way), near)).min();
        // points of bodies come last
        face.or_else(edge).and_then(|points| points.into_iter().min())
    }

    /// Begins the way of a step: bodies move, and nothing is known of contacts.
    fn begin_way(&mut self, world: &World, state: &State, h: f64) -> Result<(), Rejection> {
        let n = state.x.len();
        let (bodies, begun) = match self.still {
            None => ([state.time, state.time + h], state.time),
            Some([at, now]) => ([at; 2], now),
        };
        self.times = [begun, begun + h];
        self.first = true;
        self.gap = None;
        self.compression = 0.0;
        self.guarded = Guarded::default();
        self.stencils.clear();
        self.anchors.clear();
        self.yields.begin(world, state, h);
        self.kept.searches = 0;
        self.meshes.begin(world, bodies)?;
        self.start[..n].copy_from_slice(&state.x);
        self.start[n..].copy_from_slice(&self.meshes.start);
        self.at.copy_from_slice(&self.start);
        self.goal[n..].copy_from_slice(&self.meshes.end);
        if let Some(surface) = &mut self.surface {
            surface.set_bodies_rest(!self.meshes.moves);
        }
        Ok(())
    }

    /// Begins a step of length `h` from a state. Free particles are expected to go a `way` (m).
    pub fn begin(
        &mut self,
        world: &World,
        state: &State,
        h: f64,
        moving: &[Moving],
        boundary: &Boundary,
        way: impl Fn(usize) -> Vec3,
    ) -> Result<(), Rejection> {
        let n = state.x.len();
        self.begin_way(world, state, h)?;
        let of_bodies = self.meshes.start.iter().zip(&self.meshes.end).map(|(start, end)| *end - *start);
        self.expected[n..].iter_mut().zip(of_bodies).for_each(|(expected, way)| *expected = way);
        if let Some(surface) = &self.surface {
            self.crossed.begin(&state.exempt.list, surface);
        }
        self.within.begin(&state.exempt.inside);
        for (i, expected) in self.expected[..n].iter_mut().enumerate() {
            *expected = match boundary.slot[i] {
                FREE => way(i),
                slot => {
                    let held = &boundary.held[slot as usize];
                    held.mix(way(i), held.end - state.x[i])
                }
            };
        }
        self.shapes.begin(world, moving);
        // without gravity: what rests does not fall
        let ways = self.at.iter().zip(&self.expected);
        self.goal.iter_mut().zip(ways).for_each(|(goal, (at, way))| *goal = *at + *way);
        Ok(())
    }

    /// Makes sure that all pairs are known that come near between the iterate and the goal.
    fn cover(&mut self, world: &World) {
        let (Some(surface), Some(settings)) = (&mut self.surface, &world.barrier) else { return };
        let [start, end] = self.times;
        let times = [if self.first { start } else { end }, end];
        let motion = Passage { from: &self.at, to: &self.goal, times };
        self.kept.cover(surface, motion, world.mass.len(), settings.cloth);
    }

    /// Finds the contacts at positions `x`, in a step that started at `state`, and linearises them.
    pub fn find(&mut self, world: &World, state: &State, boundary: &Boundary, x: &[Vec3], s: f64, terms: &mut Terms) {
        let n = x.len();
        self.at[..n].copy_from_slice(x);
        if !self.first {
            self.at[n..].copy_from_slice(&self.meshes.end);
            let wanted = self.start.iter().zip(&self.expected).map(|(start, way)| *start + *way);
            self.goal.iter_mut().zip(wanted).for_each(|(goal, wanted)| *goal = wanted);
        }
        self.cover(world);
        self.collect(world, s);
        if let Some(surface) = &self.surface {
            self.yields.squeeze(world, surface, state, &self.stencils);
            let yields = &self.yields;
            self.stencils.retain(|stencil| !yields.lets_contact(stencil));
        }
        let (at, start, expected) = (&self.at, &self.start, &self.expected);
        let inverse = |i: usize| boundary.inverse_mass(world, i);
        let mut known = state.touching.list.iter().peekable();
        let (last, first) = (&self.last, self.first);
        let mut last = last.iter().peekable();
        self.stencils.retain_mut(|stencil| {
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
            stencil.linearise(&Meeting { way, moved, mass, s });
            stencil.force > 0.0 || stencil.start > 0.0
        });
        terms.list.clear();
        terms.list.extend(self.stencils.iter().map(|stencil| {
            let mut term = stencil.term();
            term.block *= s * s;
            term
        }));
        terms.index(n);
    }

    /// Lists the contacts at the iterate, where the pairs that count come near on the way to the goal. The time `s`
    /// turns velocities into displacements.
    fn collect(&mut self, world: &World, s: f64) {
        let n = world.mass.len();
        let (Some(surface), Some(settings)) = (&self.surface, &world.barrier) else { return };
        self.stencils.clear();
        let (at, stencils) = (&self.at, &mut self.stencils);
        let bodies = Driven { start: &self.start[n..], end: &self.meshes.end, at: &at[n..] };
        self.end
            .iter_mut()
            .zip(self.start.iter().zip(&self.expected))
            .for_each(|(end, (start, way))| *end = *start + *way);
        let places = Places { at, end: &self.end, slides: TURNS * self.widest };
        let (crossed, within) = (&self.crossed, &self.within);
        let mut put = |near: Near| {
            let stencil = bodies.stencil(world, settings, near);
            if stencil.body == NO_BODY || !within.holds_contact(settings, &stencil, (&crossed.fan, surface), (at, n)) {
                stencils.push(stencil);
            }
        };
        let (goal, near) = (&self.goal, self.widest);
        let ways = |v: u32| goal[v as usize] - at[v as usize];
        let Pairs { vertex_face, edge_edge } = &self.kept.pairs;
        parallel::flags(vertex_face, &mut self.flags, |pair| {
            let points = surface.of_vertex_face(*pair);
            meets::<1>(&points.map(|v| at[v as usize]), &points.map(ways), near)
        });
        choose(vertex_face, &self.flags, &self.crossed.pairs().vertex_face, &mut self.chosen);
        self.chosen.iter().filter_map(|pair| mesh::vertex_face(surface, *pair, &places)).for_each(&mut put);
        parallel::flags(edge_edge, &mut self.flags, |pair| {
            let points = surface.of_edge_edge(*pair);
            meets::<2>(&points.map(|v| at[v as usize]), &points.map(ways), near)
        });
        choose(edge_edge, &self.flags, &self.crossed.pairs().edge_edge, &mut self.chosen);
        self.chosen.iter().filter_map(|pair| mesh::edge_edge(surface, *pair, &places)).for_each(&mut put);
        self.shapes.find(
            world,
            surface,
            (&at[..n], self.first, s),
            &self.expected,
            (&mut self.yields, &self.within),
            stencils,
        );
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
        let Self { surface, kept, flags, cuts, shapes, crossed, within, yields, at, goal, first, times, .. } = self;
        let (widest, start) = (self.widest, &self.start[n..]);
        let (Some(surface), Some(settings)) = (surface, &world.barrier) else { return Ok(Guarded::default()) };
        let driven = |i: usize| match boundary.slot.get(i) {
            None => true, // a point of a body
            Some(&FREE) => false,
            Some(slot) => boundary.held[*slot as usize].free == DMat3::ZERO,
        };
        let blocked = |Blocked { point, by, shortfall }| {
            // messages name a point of cloth, and what is in its way
            let (point, by) = if point as usize >= n { (by, point) } else { (point, by) };
            let by = match by as usize {
                i if i >= n => Driver::Body(settings.mesh_of(i - n).body),
                _ => Driver::Particle(by),
            };
            Rejection::Blocked { point, by, shortfall }
        };
        let times = [if *first { times[0] } else { times[1] }, times[1]];
        let mut attempt = 1;
        let guarded = loop {
            let last = attempt == ATTEMPTS;
            yields.begin_attempt(last);
            goal[..n].copy_from_slice(end);
            cuts.begin(at, goal, n, !last);
            let found = cuts.run(at, |round| {
                (round.floor, round.near) = (CLOSEST * widest, widest);
                if round.number > 0 {
                    goal.iter_mut().zip(at.iter().zip(round.way)).for_each(|(goal, (at, way))| *goal = *at + *way);
                    kept.cover(surface, Passage { from: at, to: goal, times }, n, settings.cloth);
                }
                let end = &self.meshes.end[..];
                let (crossed, within) = (&*crossed, &*within);
                let mut passes = Passes { settings, surface, crossed, within, yields, at, start, end, count: n };
                let without = (crossed.pairs(), &mut passes);
                round.divide_pairs_or(surface, &kept.pairs, &driven, without, flags).map_err(blocked)?;
                shapes.divide(world, surface.triangles(), *first, &driven, round, (yields, within))
            });
            match found {
                Err(_) if !last && yields.allowed => {
                    attempt = if yields.learns(world) { attempt + 1 } else { ATTEMPTS };
                }
                found => break found?,
            }
        };
        cuts.go(&at[..n], end);
        self.first = false;
        self.guarded = Guarded { pairs: kept.count(), ..guarded };
        Ok(self.guarded)
    }

    /// The speed of the fastest point of bodies that are meshes in a step of length `h`, m/s.
    pub fn speed_of_meshes(&self, h: f64) -> f64 {
        let Meshes { start, end, moves, .. } = &self.meshes;
        let ways = start.iter().zip(end).filter(|_| *moves).map(|(start, end)| start.distance_squared(*end));
        ways.fold(0.0, f64::max).sqrt() / h
    }

    /// What was done in the step.
    pub fn report(&self) -> GuardReport {
        GuardReport {
            detections: self.kept.searches,
            pairs: self.guarded.pairs as u64,
            contacts: self.stencils.len() as u64,
            wanted: self.guarded.wanted,
            lost: self.guarded.lost,
            rounds: self.guarded.rounds,
            gap: self.gap,
            compression: self.compression,
        }
    }

    /// Keeps what the next step needs, from the positions at the end of the step, and the forces of bodies.
    pub fn finish(
        &mut self,
        world: &World,
        state: &State,
        x: &[Vec3],
        contact: &mut Contacts,
    ) -> Result<(), Rejection> {
        if let Some(surface) = &self.surface {
            self.yields.passing.sort_unstable();
            self.yields.passing.dedup();
            self.crossed.finish(surface, x, &self.meshes.end, &self.yields.passing, state.exempt.most)?;
        }
        if let Some(settings) = world.barrier.as_ref().filter(|_| self.yields.on()) {
            let Self { crossed, within, yields, shapes, meshes, .. } = &mut *self;
            let gap = |solid: usize, i: u32| shapes.gap_at_end(world, solid, i as usize, x[i as usize]);
            let mut of_shapes = std::mem::take(&mut within.of_shapes);
            yields.find_inside(world, within.list(), gap, &mut of_shapes);
            within.of_shapes = of_shapes;
            if crossed.x.is_empty() {
                crossed.x.extend(x.iter().chain(&meshes.end));
            }
            within.finish(
                world,
                settings,
                &crossed.x,
                [&crossed.list, &crossed.next, &yields.passing],
                state.exempt.most_inside,
            )?;
            yields.finish(world, &crossed.fan, &crossed.next, &within.next);
        }
        let most = state.touching.most;
        self.anchors.clear();
        let time = self.still.map_or(self.times[1], |[at, _]| at);
        let end = |i: usize| x.get(i).copied().unwrap_or_else(|| self.meshes.end[i - x.len()]);
        for stencil in &self.stencils {
            let u = stencil.sum(|i| x[i] - self.at[i]);
            let moved = stencil.sum(|i| x[i] - self.start[i]) + stencil.rode;
            let gap = stencil.gap + stencil.normal.dot(u + stencil.carried);
            let distance = stencil.difference(end).map(Vec3::length);
            self.gap = self.gap.into_iter().chain(distance).reduce(f64::min);
            if !stencil.leaves {
                let pressed = 1.0 - distance.unwrap_or(gap) / stencil.law.radius;
                self.compression = self.compression.max(pressed);
            }
            let normal = stencil.law.force(gap.max(CLOSEST * stencil.law.radius));
            let slip = stencil.slip_after(moved);
            if normal > 0.0 && !stencil.leaves && self.anchors.len() < most {
                let normal = if stencil.rebounded { 0.0 } else { normal };
                self.anchors.push(Anchor { key: stencil.key, slip, normal });
            }
            let (body, force) = (stencil.body, stencil.push(u));
            if body == NO_BODY {
                continue;
            }
            if let Some(vertex) = stencil.single() {
                let sticks = friction::sticks(slip);
                let pose = Pose::of(&world.bodies[body as usize], time);
                contact.add(Contact { vertex, body, sticks, point: pose.to_body(x[vertex as usize]), force });
                continue;
            }
            for (i, weight) in stencil.used() {
                contact.pushes.add(body, i as usize, force * weight);
            }
        }
        contact.join();
        Ok(())
    }

    /// Bodies that gave way in the last step, each with the number of triangles of cloth.
    pub fn given(&self) -> impl Iterator<Item = (u32, u32)> {
        self.yields.given()
    }
}
