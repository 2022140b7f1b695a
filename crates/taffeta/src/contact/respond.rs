//! The contact response after a step.
//!
//! L. H. D. Vo, Investigations into the Simulation of Cloth, 2006, Eq. 4.16, after Provot 1997: the velocity relative
//! to the body is split into v_N and v_T, and becomes
//! ```text
//! v' = v_T - k_f |v_N| v_T/|v_T| - k_d v_N     if |v_T| ≥ k_f |v_N|,    else  -k_d v_N
//! ```
//! with k_f the coefficient of friction and k_d that of restitution. The explicit methods have no other contact: under
//! gravity v_N is what one step adds, so that the rule is Coulomb's law. With the implicit methods the response comes
//! last and moves out what their own contact, the limiter or a pin left inside.

use super::{CALM, Contact, Contacts, FAR_INSIDE, FREE_ENOUGH, SLACK, crossing::Crossing, keep, room::OPPOSED};
use crate::Vec3;
use crate::boundary::Boundary;
use crate::friction;
use crate::solid::{Moving, Solid};
use crate::state::State;
use crate::world::World;
use glam::DMat3;

/// The state on which the response acts.
pub(crate) struct Respond<'a> {
    pub world: &'a World,
    pub state: &'a State,
    pub boundary: &'a Boundary,
    pub h: f64,
    pub x: &'a mut [Vec3],
    pub v: &'a mut [Vec3],
    /// Whether this is the only contact: after explicit methods.
    pub whole: bool,
}

/// Largest number of sweeps over crossings.
const SWEEPS: usize = 40;

/// Remaining penetration depth of vertices, and of edges and triangles, as shares of the thickness.
const VERTEX: f64 = 1e-6;
const CROSSING: f64 = 0.15;

/// Largest number of bodies that push a particle together.
const CORNER: usize = 4;

/// Iterations over bodies that push together. Each reduces the error by the square of the cosine between their normals.
const TURNS: usize = 40;

/// Slip below this share of the push counts as sticking.
const STILL: f64 = 1e-9;

/// One of the bodies that contain a particle in a corner.
#[derive(Clone, Copy, Default)]
struct Side {
    solid: usize,
    /// Surface point at the particle's offset, in the body's coordinates.
    point: Vec3,
    normal: Vec3,
    /// Velocity of the body there, and the rebound speed of the particle, m/s.
    surface: Vec3,
    back: f64,
    /// Change of velocity so far, along the normal and along the surface, m/s.
    push: f64,
    drag: Vec3,
}

impl Side {
    /// Changes its push and drag so that a particle of velocity `v` leaves with `back` and slips by Coulomb's law.
    /// Returns the change of velocity.
    fn answer(&mut self, v: Vec3, mu: f64) -> Vec3 {
        let (push, drag) = (self.push, self.drag);
        let relative = v - self.surface;
        let out = self.normal.dot(relative);
        self.push = (push + self.back - out).max(0.0);
        let grip = friction::grip(mu, self.push);
        self.drag = friction::project(drag - (relative - self.normal * out), grip);
        self.normal * (self.push - push) + (self.drag - drag)
    }
}

impl Respond<'_> {
    /// Pushes everything out of bodies; returns the number of particles moved.
    pub fn apply(&mut self, work: &mut Contacts) -> u64 {
        let mut pushed = 0;
        let mut clear = std::mem::take(&mut work.clear);
        // a limiter may have moved the cloth since the last response, whose contacts stay in the list
        let mut before = 0;
        if self.whole {
            std::mem::swap(&mut work.kept, &mut work.spare);
            work.kept.clear();
        }
        for sweep in 0..SWEEPS {
            let mut moved = 0;
            for i in 0..self.x.len() {
                if self.whole
                    && sweep == 0
                    && work.spare.get(before).is_some_and(|contact| contact.vertex as usize == i)
                {
                    work.kept.push(work.spare[before]);
                    before += 1;
                }
                let way = [self.state.x[i], self.x[i]];
                if !clear.is_clear(i, way, self.world, &work.moving) {
                    moved += u64::from(self.vertex(i, work, sweep == 0));
                }
            }
            if self.world.has_sharp_bodies() {
                work.find_crossings(self.world, self.x);
                let list = std::mem::take(&mut work.crossings);
                for crossing in &list {
                    moved += u64::from(self.crossing(crossing, work));
                }
                work.crossings = list;
            }
            pushed += moved;
            if moved == 0 {
                break;
            }
        }
        work.clear = clear;
        pushed
    }

    /// The inverse mass of a particle, 1/kg.
    fn ease(&self, i: usize) -> f64 {
        let pinned = self.boundary.is_pinned(i);
        if pinned { 0.0 } else { 1.0 / self.world.mass[i] }
    }

    /// Moves a particle between bodies that leave no room to where it is equally deep in them. Returns whether it
    /// moved, or `None` if there is room.
    fn between(&mut self, i: usize, work: &mut Contacts) -> Option<bool> {
        let world = self.world;
        let (mut push, mut first, mut opposed) = (Vec3::ZERO, Vec3::ZERO, false);
        let (mut speed, mut count) = (Vec3::ZERO, 0.0);
        for (solid, moving) in world.solids.iter().zip(&work.moving) {
            let (exact, p) = (&solid.exact, moving.end.to_body(self.x[i]));
            let near = exact.nearest(p);
            let depth = work.reach[i].offset(exact, p) - near.distance;
            if depth > 0.0 {
                let n = moving.end.turn * near.normal;
                opposed |= first.dot(n) < OPPOSED;
                first = if first == Vec3::ZERO { n } else { first };
                push += n * depth;
                speed += moving.speed_at(self.x[i]);
                count += 1.0;
            }
        }
        if !opposed {
            return None;
        }
        self.x[i] += 0.5 * push;
        // the particle moves with them
        let change = speed / count - self.v[i];
        self.v[i] += change;
        self.press(i, change * (world.mass[i] / self.h), work);
        Some(push.length() > SLACK * world.reach[i].thickness)
    }

    /// For bodies that squeeze a particle only the sum of their forces is known. It is assigned to the body that it
    /// points away from.
    fn press(&self, i: usize, force: Vec3, work: &mut Contacts) {
        let push = |(solid, moving): (&Solid, &Moving)| {
            let near = solid.exact.nearest(moving.end.to_body(self.x[i]));
            let touches = near.distance < self.world.reach[i].thickness;
            (if touches { (moving.end.turn * near.normal).dot(force) } else { f64::NEG_INFINITY }, solid.body)
        };
        let pushes = self.world.solids.iter().zip(&work.moving).map(push);
        if let Some((_, body)) = pushes.max_by(|a, b| a.0.total_cmp(&b.0)) {
            work.pushes.add(body, i, force);
        }
    }

    /// Handles a particle that is inside two or more bodies, as in a corner: all of them push together, independent of
    /// their order. Returns whether the particle is in a corner.
    fn in_corner(&mut self, i: usize, work: &mut Contacts) -> bool {
        let (world, reach) = (self.world, work.reach[i]);
        let mut sides = [Side::default(); CORNER];
        let mut count = 0;
        for (s, (solid, moving)) in world.solids.iter().zip(&work.moving).enumerate() {
            let (exact, p) = (&solid.exact, moving.end.to_body(self.x[i]));
            let near = exact.nearest(p);
            let inside = near.distance - reach.offset(exact, p) < -VERTEX * reach.thickness;
            // deep inside a body the path decides
            if inside && count < CORNER && near.distance > -FAR_INSIDE * exact.thinnest() {
                let point = super::touch::onto(&reach, exact, p);
                let normal = moving.end.turn * exact.nearest(point).normal;
                let surface = moving.speed_at(moving.end.to_space(point));
                sides[count] = Side { solid: s, point, normal, surface, ..Side::default() };
                count += 1;
            }
        }
        if count < 2 {
            return false;
        }
        let sides = &mut sides[..count];
        let calm = CALM * world.gravity.length() * self.h;
        for side in sides.iter_mut() {
            let into = -side.normal.dot(self.v[i] - side.surface);
            side.back = if into > calm { world.solids[side.solid].restitution * into } else { 0.0 };
        }
        let mu = |side: &Side| world.friction(side.solid, i);
        let start = self.v[i];
        // where friction is not unique the order of the bodies matters: take the mean of both orders, which obeys every
        // law
        let mut other = [Side::default(); CORNER];
        let other = &mut other[..count];
        other.copy_from_slice(sides);
        let (mut v, mut w) = (start, start);
        for _ in 0..TURNS {
            sides.iter_mut().for_each(|side| v += side.answer(v, mu(side)));
            other.iter_mut().rev().for_each(|side| w += side.answer(w, mu(side)));
        }
        for (side, other) in sides.iter_mut().zip(other) {
            side.push = 0.5 * (side.push + other.push);
            side.drag = 0.5 * (side.drag + other.drag);
        }
        let v = 0.5 * (v + w);
        let per = world.mass[i] / self.h;
        for side in sides.iter().filter(|side| side.push > 0.0) {
            let along = v - side.surface;
            let sticks = (along - side.normal * side.normal.dot(along)).length() <= STILL * side.push;
            let body = world.solids[side.solid].body;
            let force = (side.normal * side.push + side.drag) * per;
            let contact = Contact { vertex: i as u32, body, sticks, point: side.point, force };
            keep(contact, &mut work.kept, &mut work.moved);
            // the displacement along the surface follows the velocity
            self.x[i] += side.drag * self.h;
        }
        self.v[i] = v;
        for side in sides.iter() {
            let (exact, moving) = (&world.solids[side.solid].exact, &work.moving[side.solid]);
            let p = moving.end.to_body(self.x[i]);
            if exact.distance(p) < reach.offset(exact, p) {
                self.x[i] = moving.end.to_space(super::touch::onto(&reach, exact, p));
            }
        }
        true
    }

    /// Moves a particle that a pin holds in part out along its free directions, without friction.
    fn slide_out(&mut self, i: usize, free: DMat3, work: &Contacts) -> bool {
        let world = self.world;
        let mut moved = false;
        for (solid, moving) in world.solids.iter().zip(&work.moving) {
            let (exact, p) = (&solid.exact, moving.end.to_body(self.x[i]));
            let near = exact.nearest(p);
            let depth = work.reach[i].offset(exact, p) - near.distance;
            let n = moving.end.turn * near.normal;
            let way = free * n;
            let ease = n.dot(way);
            if depth > VERTEX * world.reach[i].thickness && ease > FREE_ENOUGH {
                self.x[i] += way * (depth / ease);
                let into = n.dot(self.v[i] - moving.speed_at(self.x[i]));
                self.v[i] -= way * (into.min(0.0) / ease);
                moved = true;
            }
        }
        moved
    }

    fn vertex(&mut self, i: usize, work: &mut Contacts, first: bool) -> bool {
        let world = self.world;
        if self.ease(i) == 0.0 {
            let free = self.boundary.held[self.boundary.slot[i] as usize].free;
            return free != DMat3::ZERO && self.slide_out(i, free, work);
        }
        if world.solids.len() > 1
            && let Some(moved) = self.between(i, work)
        {
            return moved;
        }
        if world.solids.len() > 1 && self.whole && first && self.in_corner(i, work) {
            return true;
        }
        let (mut moved, reach) = (false, work.reach[i]);
        for (s, (solid, moving)) in world.solids.iter().zip(&work.moving).enumerate() {
            let (exact, reach) = (&solid.exact, &reach);
            let p = moving.end.to_body(self.x[i]);
            let near = exact.nearest(p);
            let gap = near.distance - reach.offset(exact, p);
            let inside = gap < -VERTEX * reach.thickness;
            let passes = first && !inside && moving.passes(exact, self.state.x[i], self.x[i], reach.thickness);
            if !inside && !passes {
                continue;
            }
            let deep = near.distance < -FAR_INSIDE * exact.thinnest();
            let hit = if passes || deep {
                moving.first_hit(exact, self.state.x[i], self.x[i], |p| reach.offset(exact, p))
            } else {
                None
            };
            if !inside && hit.is_none() {
                continue;
            }
            let foot = super::touch::onto(reach, exact, hit.map_or(p, |hit| hit.1));
            let n = moving.end.turn * exact.nearest(foot).normal;
            let place = moving.end.to_space(foot);
            let surface = moving.speed_at(place);
            let relative = self.v[i] - surface;
            let (into, along) = (n.dot(relative), relative - n * n.dot(relative));
            if into < 0.0 {
                let slip = friction::slip_after(along, friction::grip(world.friction(s, i), -into));
                let calm = CALM * world.gravity.length() * self.h;
                let back = if -into > calm { solid.restitution * -into } else { 0.0 };
                let after = surface + slip + n * back;
                let change = after - self.v[i];
                if self.whole && first {
                    // the displacement along the surface follows the velocity
                    self.x[i] += (slip - along) * self.h;
                    let force = change * (world.mass[i] / self.h);
                    let sticks = slip == Vec3::ZERO;
                    let contact = Contact { vertex: i as u32, body: solid.body, sticks, point: foot, force };
                    keep(contact, &mut work.kept, &mut work.moved);
                } else {
                    work.pushes.add(solid.body, i, change * (world.mass[i] / self.h));
                }
                self.v[i] = after;
            }
            if hit.is_some() {
                self.x[i] = place;
            } else {
                let foot = super::touch::onto(reach, exact, moving.end.to_body(self.x[i]));
                self.x[i] = moving.end.to_space(foot);
            }
            moved = true;
        }
        moved
    }

    /// Pushes the deepest point of an edge or a triangle out of the body and moves its vertices by their weights.
    fn crossing(&mut self, crossing: &Crossing, work: &mut Contacts) -> bool {
        let wanted = if self.whole { 0.0 } else { -CROSSING } * crossing.thickness;
        let shortfall = wanted - crossing.gap_at(self.x);
        if shortfall <= SLACK * crossing.thickness {
            return false;
        }
        let ease = crossing.vertices.map(|i| self.ease(i as usize));
        let whole: f64 = (0..3).map(|k| ease[k] * crossing.weights[k] * crossing.weights[k]).sum();
        if whole <= 0.0 {
            return false;
        }
        let n = crossing.normal;
        let relative = crossing.point(self.v) - crossing.speed;
        let into = n.dot(relative);
        let along = relative - n * into;
        let stop = (-into).max(0.0);
        let drag = friction::slip_change(along, friction::grip(crossing.friction, stop));
        let body = self.world.solids[crossing.solid as usize].body;
        work.pushes.add_between(body, crossing.vertices, crossing.weights, (n * stop + drag) / (whole * self.h));
        for (k, ease) in ease.into_iter().enumerate() {
            let i = crossing.vertices[k] as usize;
            let share = ease * crossing.weights[k] / whole;
            self.x[i] += n * (shortfall * share);
            self.v[i] += (n * stop + drag) * share;
        }
        true
    }
}
