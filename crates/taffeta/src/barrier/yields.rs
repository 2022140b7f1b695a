//! Bodies that leave cloth no room give way: cloth and bodies pass through each other until they have come apart.
//!
//! A point of cloth gives way to a body on one side of it, and then none of its primitives collides with the body on
//! that side in the step. Which body, if there are two, is found in two ways:
//!
//! - A point that bodies on opposite sides will have pressed to less than half of the distance that they keep is
//!   squeezed, and so are points on both sides of layers of cloth. It stays on the slower one, or if both are as
//!   fast, on the one that it touched alone before.
//! - Where the guard finds no room, all bodies ask that pushed a point which could not give way, or one behind it. The
//!   fastest of them passes, and the guard tries again. In its last attempt all pass that still find no room.
//!
//! Cloth with cloth is always divided. What has come inside stays exempt until it is out: triangles that cross a mesh
//! and points inside a closed one are listed in the state, and those in an exact shape are found from their places.
//! Nothing depends on the order of contacts or pairs.

use super::stencil::{NO_BODY, Stencil};
use crate::Vec3;
use crate::broad::Surface;
use crate::guard::LetsPass;
use crate::narrow::closest;
use crate::state::{ContactKind, State};
use crate::world::{BarrierConstants, Fan, World};
use std::cmp::Ordering;

use super::exempt::Crossed;
use super::within::Within;

/// Steps are divided at least into so many parts of the longest before bodies give way where the guard finds no room,
/// unless something has given way already.
const PARTS: f64 = 8.0;

/// Attempts of the guard. In the last one all pairs of cloth and bodies without room are let be.
pub(super) const ATTEMPTS: u32 = 8;

/// A point is squeezed if its gaps on opposite sides sum to less than this share of the distances to keep.
const SQUEEZED: f64 = 0.5;

/// Cloths press each other if their gap is less than this share of the distance that they keep. With half of the gap a
/// body has the same force, since it keeps half of the distance.
const PRESSED: f64 = 0.75;

/// The cosine between opposite normals is at most this.
const OPPOSED: f64 = -0.5;

/// Bodies squeeze a point if the cosine between their normals there is at most this: they face each other.
const FACING: f64 = -0.1;

/// A contact presses those of its points that carry at least this share of it: at least one.
const PRESSES: f64 = 0.3;

/// Bodies that move no slower than this share of the fastest count as equally fast: the first of them gives way.
const FAST: f64 = 0.9;

/// A body on one side of a point of cloth.
#[derive(Clone, Copy, Debug)]
struct Side {
    point: u32,
    /// By its index in the world.
    body: u32,
    /// From the body to the point; zero if the body is a convex shape, which has one side.
    normal: Vec3,
    /// How far the body moves there in the step, m.
    moves: f64,
    /// The gap at the end of the step, and that to keep, m.
    gap: f64,
    radius: f64,
}

impl Side {
    fn is_opposite(&self, normal: Vec3) -> bool {
        is_opposite(self.normal, normal)
    }

    /// By point, body and speed, the fastest first.
    fn order(&self, other: &Self) -> Ordering {
        let bits = |v: Vec3| v.to_array().map(f64::to_bits);
        (self.point, self.body)
            .cmp(&(other.point, other.body))
            .then(other.moves.total_cmp(&self.moves))
            .then(self.gap.total_cmp(&other.gap))
            .then(bits(self.normal).cmp(&bits(other.normal)))
    }
}

fn is_opposite(a: Vec3, b: Vec3) -> bool {
    a.dot(b) <= OPPOSED * a.length() * b.length() && a != Vec3::ZERO && b != Vec3::ZERO
}

/// What gives way in a step.
#[derive(Default)]
pub(super) struct Yields {
    /// Whether bodies give way in this world.
    on: bool,
    /// Whether bodies may give way in this step where the guard finds no room.
    pub allowed: bool,
    last: bool,
    /// Points of cloth that give way to a body, by point and body.
    ways: Vec<Side>,
    /// Bodies that found no room in the current attempt, points that pushed each other, and points without room.
    asks: Vec<Side>,
    links: Vec<[u32; 2]>,
    blocked: Vec<u32>,
    /// Points and the bodies that they touched before the step.
    touched: Vec<[u32; 2]>,
    touched_known: bool,
    /// Pairs of triangles that may pass through each other in the step.
    pub passing: Vec<[u32; 2]>,
    /// Exact shapes, by their number among the solids, with triangles that are or come inside.
    pub inside: Vec<[u32; 2]>,
    /// Bodies, by their index in the world, and triangles of cloth that they gave way to in the step.
    given: Vec<[u32; 2]>,
}

impl Yields {
    /// Begins a step of length `h`.
    pub fn begin(&mut self, world: &World, state: &State, h: f64) {
        self.on = world.bodies_yield();
        self.given.clear();
        if !self.on {
            return;
        }
        let shortest =
            world.adaptive.map_or(f64::INFINITY, |adaptive| (2.0 * adaptive.least).max(1.0 / PARTS) * world.h);
        let of_body = |pair: &[u32; 2]| pair[1] as usize >= world.triangles.len();
        self.allowed = h <= shortest || state.exempt.list.iter().any(of_body) || !state.exempt.inside.is_empty();
        self.last = false;
        self.touched_known = false;
        self.ways.clear();
        self.passing.clear();
        self.inside.clear();
    }

    /// Whether bodies give way in this world.
    pub fn on(&self) -> bool {
        self.on
    }

    /// Finds points that two bodies squeeze, from the contacts at the iterate, and lets one of the bodies pass.
    pub fn squeeze(&mut self, world: &World, surface: &Surface, state: &State, stencils: &[Stencil]) {
        if !self.on {
            return;
        }
        self.asks.clear();
        for stencil in stencils.iter().filter(|stencil| stencil.body != NO_BODY && !stencil.leaves) {
            for (point, weight) in stencil.used().filter(|(_, weight)| weight.abs() >= PRESSES) {
                self.asks.push(Side {
                    point,
                    body: stencil.body,
                    normal: stencil.normal * weight.signum(),
                    moves: stencil.rode.length(),
                    gap: stencil.gap + stencil.normal.dot(stencil.carried),
                    radius: stencil.law.radius,
                });
            }
        }
        self.asks.sort_unstable_by(Side::order);
        let mut asks = std::mem::take(&mut self.asks);
        let mut first = 0;
        while first < asks.len() {
            let end = first + asks[first..].partition_point(|side| side.point == asks[first].point);
            let mut sides = &mut asks[first..end];
            while let Some([a, b]) = squeezed(sides) {
                let loser = self.passes_first(world, surface, state, &sides[a], &sides[b]);
                let gone = if loser == Ordering::Greater { sides[b] } else { sides[a] };
                self.give_way(world, gone);
                let mut left = 0;
                for k in 0..sides.len() {
                    let stays = sides[k].body != gone.body || sides[k].is_opposite(gone.normal);
                    if stays {
                        sides.swap(left, k);
                        left += 1;
                    }
                }
                sides = &mut sides[..left];
                sides.sort_unstable_by(Side::order);
            }
            first = end;
        }
        asks.retain(|side| side.gap < SQUEEZED * side.radius);
        self.asks = asks;
        self.links.clear();
        for stencil in stencils.iter().filter(|stencil| stencil.body == NO_BODY) {
            if stencil.gap < PRESSED * stencil.law.radius {
                let first = stencil.particles[0];
                self.links.extend(stencil.used().map(|(point, _)| [first, point]));
            }
        }
        if !self.links.is_empty() {
            self.blocked.clear();
            self.blocked.extend(self.asks.iter().map(|side| side.point));
            let between_two = |group: &[(usize, Side)]| {
                let sides = group.iter().map(|side| side.1).enumerate();
                sides
                    .clone()
                    .any(|(k, a)| sides.clone().skip(k + 1).any(|(_, b)| a.body != b.body && a.is_opposite(b.normal)))
            };
            self.choose(world, between_two);
        }
        self.allowed |= !self.ways.is_empty();
    }

    /// Which of two bodies passes: less is the first.
    fn passes_first(&mut self, world: &World, surface: &Surface, state: &State, a: &Side, b: &Side) -> Ordering {
        if a.moves < FAST * b.moves {
            return Ordering::Greater;
        }
        if b.moves < FAST * a.moves {
            return Ordering::Less;
        }
        if !self.touched_known {
            self.touched_known = true;
            self.touched.clear();
            touched(world, surface, state, &mut self.touched);
        }
        let touches = |side: &Side| self.touched.binary_search(&[side.point, side.body]).is_ok();
        touches(a).cmp(&touches(b)).then(a.body.cmp(&b.body))
    }

    /// Lets a body pass a point.
    fn give_way(&mut self, world: &World, side: Side) {
        let convex = world.solids.iter().any(|solid| solid.body == side.body);
        let side = if convex { Side { normal: Vec3::ZERO, ..side } } else { side };
        let place = self.ways.partition_point(|known| known.order(&side) == Ordering::Less);
        self.ways.insert(place, side);
    }

    /// Whether a point gives way to a body that lies on the far side of a normal from the body to the point.
    pub fn lets(&self, point: u32, body: u32, normal: Vec3) -> bool {
        let first = self.ways.partition_point(|way| (way.point, way.body) < (point, body));
        let own = self.ways[first..].iter().take_while(|way| (way.point, way.body) == (point, body));
        own.into_iter().any(|way| !way.is_opposite(normal))
    }

    /// Whether a contact is none because a point of it gives way.
    pub fn lets_contact(&self, stencil: &Stencil) -> bool {
        !self.ways.is_empty()
            && stencil.body != NO_BODY
            && stencil.used().any(|(point, weight)| self.lets(point, stencil.body, stencil.normal * weight.signum()))
    }

    /// Begins an attempt of the guard.
    pub fn begin_attempt(&mut self, last: bool) {
        self.last = last;
        self.asks.clear();
        self.links.clear();
        self.blocked.clear();
    }

    /// Remembers that a body has no room at points of cloth, and that these have nowhere to go if they cannot be
    /// pushed.
    /// Returns whether it gives way at once.
    pub fn ask(&mut self, points: &[u32], body: u32, normal: Vec3, moves: f64, can_push: bool) -> bool {
        if !self.on || !self.allowed {
            return false;
        }
        let side = |point: &u32| Side { point: *point, body, normal, moves, gap: 0.0, radius: 0.0 };
        self.asks.extend(points.iter().map(side));
        if !can_push {
            self.blocked.extend_from_slice(points);
        }
        self.last
    }

    /// Remembers that points of cloth push each other, and that these have nowhere to go if they cannot be pushed.
    fn link(&mut self, one: &[u32], other: &[u32], can_push: bool) {
        if !self.on || !self.allowed {
            return;
        }
        self.links.extend(other.iter().chain(&one[1..]).map(|point| [one[0], *point]));
        if !can_push {
            self.blocked.extend(one.iter().chain(other));
        }
    }

    /// After an attempt that failed: lets bodies pass the points that had no room, and says whether another attempt may
    /// find more.
    pub fn learns(&mut self, world: &World) -> bool {
        self.on && self.allowed && self.choose(world, |_| true)
    }

    /// In each group of points that push each other and have no room: lets the fastest of the bodies pass that ask, if
    /// the group counts.
    fn choose(&mut self, world: &World, counts: impl Fn(&[(usize, Side)]) -> bool) -> bool {
        let Self { asks, links, blocked, .. } = self;
        asks.sort_unstable_by(Side::order);
        let mut points: Vec<u32> = asks.iter().map(|ask| ask.point).chain(blocked.iter().copied()).collect();
        points.extend(links.as_flattened());
        points.sort_unstable();
        points.dedup();
        let number = |point: u32| points.binary_search(&point).unwrap_or(0);
        let mut roots: Vec<usize> = (0..points.len()).collect();
        for [a, b] in &*links {
            let [a, b] = [*a, *b].map(|point| root(&roots, number(point)));
            roots[a.max(b)] = a.min(b);
        }
        let mut stuck: Vec<usize> = blocked.iter().map(|point| root(&roots, number(*point))).collect();
        stuck.sort_unstable();
        stuck.dedup();
        let new = |ask: &Side| {
            !self.ways.iter().any(|way| (way.point, way.body) == (ask.point, ask.body) && !way.is_opposite(ask.normal))
        };
        let mut asks: Vec<(usize, Side)> = asks.iter().map(|ask| (root(&roots, number(ask.point)), *ask)).collect();
        asks.retain(|(group, ask)| stuck.binary_search(group).is_ok() && new(ask));
        asks.sort_by_key(|ask| ask.0);
        let mut passing = Vec::new();
        for group in asks.chunk_by(|a, b| a.0 == b.0).filter(|group| counts(group)) {
            let fastest = group.iter().map(|(_, ask)| ask.moves).fold(0.0, f64::max);
            let fast = || group.iter().map(|(_, ask)| ask).filter(|ask| ask.moves >= FAST * fastest);
            let body = fast().map(|ask| ask.body).min();
            let chosen: Vec<Side> = fast().filter(|ask| Some(ask.body) == body).copied().collect();
            // of each point the side that moves most
            passing.extend(chosen.chunk_by(|a, b| a.point == b.point).map(|sides| sides[0]));
        }
        passing.iter().for_each(|side| self.give_way(world, *side));
        !passing.is_empty()
    }

    /// Remembers that the triangles of two primitives may pass through each other.
    fn pass(&mut self, fan: &Fan, surface: &Surface, one: &[u32], other: &[u32]) {
        let (own, its) = (triangles_of(fan, surface, one), triangles_of(fan, surface, other));
        for a in own {
            self.passing.extend(its.clone().map(|b| [a.min(b), a.max(b)]));
        }
    }

    /// Remembers that a triangle is or comes inside an exact shape.
    pub fn enter(&mut self, solid: usize, triangle: u32) {
        let pair = [solid as u32, triangle];
        if let Err(place) = self.inside.binary_search(&pair) {
            self.inside.insert(place, pair);
        }
    }

    /// Whether a triangle is known to be inside an exact shape.
    pub fn is_inside(&self, solid: usize, triangle: u32) -> bool {
        !self.inside.is_empty() && self.inside.binary_search(&[solid as u32, triangle]).is_ok()
    }

    /// Finds the points inside exact shapes at the end of the step, with their bodies: those that gave way before or in
    /// the step, and have not come apart, and those of triangles that came inside. Gaps are shares of the distance to
    /// keep, by solid and point.
    pub fn find_inside(
        &self,
        world: &World,
        list: &[[u32; 2]],
        gap: impl Fn(usize, u32) -> f64,
        out: &mut Vec<[u32; 2]>,
    ) {
        out.clear();
        let gave_way = list.iter().copied().chain(self.ways.iter().map(|way| [way.point, way.body]));
        for [point, body] in gave_way {
            let solid = world.solids.iter().position(|solid| solid.body == body);
            if solid.is_some_and(|solid| gap(solid, point) < SQUEEZED) {
                out.push([point, body]);
            }
        }
        for [solid, t] in &self.inside {
            let within = world.triangles[*t as usize].into_iter().filter(|v| gap(*solid as usize, *v) <= 0.0);
            out.extend(within.map(|v| [v, world.solids[*solid as usize].body]));
        }
        out.sort_unstable();
        out.dedup();
    }

    /// Ends a step: counts what gave way, with the lists of the next state.
    pub fn finish(&mut self, world: &World, fan: &Fan, crossed: &[[u32; 2]], within: &[[u32; 2]]) {
        self.given.clear();
        let Some(settings) = &world.barrier else { return };
        let of_shapes = self.inside.iter().map(|[solid, t]| [world.solids[*solid as usize].body, *t]);
        self.given.extend(of_shapes);
        let cloth = world.triangles.len();
        for [a, b] in crossed.iter().filter(|pair| pair[1] as usize >= cloth) {
            let point = settings.triangles[*b as usize - cloth][0] as usize - world.mass.len();
            self.given.push([settings.mesh_of(point).body, *a]);
        }
        for [point, body] in within {
            let of_point = fan.of(*point as usize).iter();
            self.given.extend(of_point.map(|t| [*body, *t]));
        }
        self.given.sort_unstable();
        self.given.dedup();
    }

    /// Bodies that gave way in the step, each with the number of triangles of cloth.
    pub fn given(&self) -> impl Iterator<Item = (u32, u32)> {
        self.given.chunk_by(|a, b| a[0] == b[0]).map(|own| (own[0][0], own.len() as u32))
    }
}

/// The first of a chain of points.
fn root(roots: &[usize], mut i: usize) -> usize {
    while roots[i] != i {
        i = roots[i];
    }
    i
}

/// Two bodies on opposite sides that leave a point too little room: those that leave the least.
fn squeezed(sides: &[Side]) -> Option<[usize; 2]> {
    let mut least: Option<(f64, [usize; 2])> = None;
    for (a, one) in sides.iter().enumerate() {
        for (b, other) in
            sides.iter().enumerate().skip(a + 1).filter(|(_, other)| one.normal.dot(other.normal) <= FACING)
        {
            let room = (one.gap + other.gap) / (one.radius + other.radius);
            if room < SQUEEZED && least.is_none_or(|least| room < least.0) {
                least = Some((room, [a, b]));
            }
        }
    }
    least.map(|least| least.1)
}

/// The triangles that have all points of a primitive.
pub(super) fn triangles_of<'a>(
    fan: &'a Fan,
    surface: &'a Surface,
    points: &'a [u32],
) -> impl Iterator<Item = u32> + Clone + 'a {
    let holds = |t: &u32| points.iter().all(|p| surface.triangles()[*t as usize].contains(p));
    fan.of(points[0] as usize).iter().copied().filter(holds)
}

/// Points and the bodies that they touch in a state, in rising order.
fn touched(world: &World, surface: &Surface, state: &State, out: &mut Vec<[u32; 2]>) {
    let Some(settings) = &world.barrier else { return };
    let n = world.mass.len();
    for anchor in &state.touching.list {
        let [a, b] = anchor.key.pair;
        let points = match anchor.key.kind {
            ContactKind::VertexFace => surface.of_vertex_face([a, b]),
            ContactKind::EdgeEdge => surface.of_edge_edge([a, b]),
            ContactKind::ShapeVertex => {
                out.push([b, world.solids[a as usize].body]);
                continue;
            }
            ContactKind::ShapeFace => {
                out.extend(world.triangles[b as usize].map(|v| [v, world.solids[a as usize].body]));
                continue;
            }
        };
        if let Some(point) = points.into_iter().find(|p| *p as usize >= n) {
            let body = settings.mesh_of(point as usize - n).body;
            out.extend(points.into_iter().filter(|p| (*p as usize) < n).map(|p| [p, body]));
        }
    }
    out.sort_unstable();
    out.dedup();
}

/// What the guard lets pass in a round.
pub(super) struct Passes<'a> {
    pub settings: &'a BarrierConstants,
    pub surface: &'a Surface,
    pub crossed: &'a Crossed,
    pub within: &'a Within,
    pub yields: &'a mut Yields,
    /// Positions of all points at the start of the motion, m, and of points of bodies at the start of the step and at
    /// its end.
    pub at: &'a [Vec3],
    pub start: &'a [Vec3],
    pub end: &'a [Vec3],
    /// Number of points of cloth.
    pub count: usize,
}

impl Passes<'_> {
    /// Of two primitives that of the cloth and that of a body, and the body; `None` if both are cloth.
    fn sides<'p>(&self, one: &'p [u32], other: &'p [u32]) -> Option<(&'p [u32], &'p [u32], u32)> {
        let first = |points: &[u32]| (points[0] as usize).checked_sub(self.count);
        let body = |point: usize| self.settings.mesh_of(point).body;
        match (first(one), first(other)) {
            (None, None) => None,
            (None, Some(point)) => Some((one, other, body(point))),
            (Some(point), _) => Some((other, one, body(point))),
        }
    }
}

impl LetsPass for Passes<'_> {
    fn passes(&mut self, one: &[u32], other: &[u32]) -> bool {
        if !self.yields.on {
            return false;
        }
        let Some((own, its, body)) = self.sides(one, other) else { return false };
        let fan = (&self.crossed.fan, self.surface);
        let within = self.within.holds(self.settings, (own, its), fan, (self.at, self.count));
        let gives_way = within
            || !self.yields.ways.is_empty() && {
                let points = std::array::from_fn(|k| self.at[*one.iter().chain(other).nth(k).unwrap_or(&0) as usize]);
                let difference = match one.len() {
                    1 => closest::difference::<1>(&points, closest::vertex_face(points)),
                    _ => closest::difference::<2>(&points, closest::edge_edge(points)),
                };
                let normal = if std::ptr::eq(own, one) { difference } else { -difference };
                own.iter().any(|point| self.yields.lets(*point, body, normal))
            };
        if gives_way {
            self.yields.pass(&self.crossed.fan, self.surface, own, its);
        }
        gives_way
    }

    fn gives_way(&mut self, one: &[u32], other: &[u32], normal: Vec3, can_push: bool) -> bool {
        if self.crossed.is_beside(self.surface, one, other) {
            return true;
        }
        let Some((own, its, body)) = self.sides(one, other) else {
            self.yields.link(one, other, can_push);
            return false;
        };
        let normal = if std::ptr::eq(own, one) { normal } else { -normal };
        let goes = |p: &u32| self.end[*p as usize - self.count].distance(self.start[*p as usize - self.count]);
        let moves = its.iter().map(goes).fold(0.0, f64::max);
        let gives_way = self.yields.ask(own, body, normal, moves, can_push);
        if gives_way {
            self.yields.pass(&self.crossed.fan, self.surface, own, its);
        }
        gives_way
    }
}
