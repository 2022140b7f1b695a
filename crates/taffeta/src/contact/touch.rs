//! Particles that are held to bodies by the filter of the implicit methods.
//!
//! D. Baraff and A. Witkin, Large Steps in Cloth Simulation, SIGGRAPH 1998, Sec. 5 and 6: a particle in contact is constrained
//! along the normal, and along the surface as well while it sticks. It is brought to the surface by an alteration of its position
//! (the paper's y), sticks while the force of the constraint lies within the cone of friction, slips with the friction of Coulomb
//! otherwise, and is released when the force pulls.
//!
//! The paper looks once a step. Here the step is solved again, from the last solution on, until every particle is in one of
//! the states that its force and its motion allow:
//! ```text
//! free     does not get nearer than its offset
//! sticks   moves with the surface, N ≥ 0, |T| ≤ μ N
//! slips    stays at its offset,    N ≥ 0, T = -μ N u/|u|, u its velocity along the surface
//! ```

use super::solid::Moving;
use super::{Contact, Reach, Scratch, shape::Nearest};
use crate::boundary::{Boundary, FREE, Held};
use crate::model::blocks;
use crate::{State, Vec3, World};
use glam::DMat3;

/// A particle in contact with one body, or two.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch {
    pub vertex: u32,
    pub first: Plane,
    pub second: Option<Plane>,
    pub grip: Grip,
    /// Where it would stick in this step, in the first body's coordinates: where the step began, or where it hit.
    pub stay: Vec3,
    /// Speed along the normal with which it is thrown back, m/s, and how far it gets in the step, m.
    pub rebound: Option<(f64, f64)>,
    /// Friction while it slips: what is the same for every velocity, N, and what grows with it, N s/m.
    pub friction: Vec3,
    pub drag: DMat3,
    /// Changes between stick and slip in this step.
    pub flips: u8,
    /// What the bodies do to it, N, by the last solution.
    pub force: Vec3,
    /// How often it was released in this step.
    pub released: u8,
    pub state: Phase,
}

/// How a particle moves along the surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grip {
    Stick,
    /// Friction against the last velocity, with its derivative: it turns with the velocity and is else constant.
    Slip,
    /// Friction as a drag μ N/|u| of the last velocity u: cannot overshoot, but comes to its goal slowly. For particles that
    /// changed between stick and slip already.
    Drag,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    Holds,
    Released,
}

/// Where a particle is held to a body: on the plane through `point` with `normal`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plane {
    /// Place in [`World::solids`].
    pub solid: u32,
    /// In the body's coordinates: where the particle sticks, or a point of the plane.
    pub point: Vec3,
    /// In space, at the end of the step.
    pub normal: Vec3,
}

/// What a look at a particle found.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Found {
    plane: Option<Plane>,
    /// Share of the step before it.
    when: f64,
    /// How deep, m.
    depth: f64,
}

/// Rounds at most; after [`KEEP`] of them no particle is released any more, and friction that still changes is taken as it is.
const ROUNDS: u32 = 16;
const KEEP: u32 = 8;

/// Change of friction from round to round that does not matter, as a share of μ N.
const STEADY: f64 = 0.01;

/// Share of μ N by which the force on a particle that sticks may leave the cone.
const CONE: f64 = 0.005;

/// Changes between stick and slip in a step before friction becomes a drag.
const FLIPS: u8 = 2;

/// Slower particles stick, m/s.
const CREEP: f64 = 1e-5;

/// Guess of the speed of a particle that leaves its place as a drag, m/s.
const ESCAPE: f64 = 1e-3;

/// Depth that does not matter, as a share of the thickness.
const SLACK: f64 = 1e-3;

/// What a review of the solution says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Settled,
    Again,
}

impl Scratch {
    /// Starts with what touched at the end of the last step.
    pub fn begin(&mut self, world: &World, state: &State, boundary: &Boundary) {
        for touch in &self.touches {
            self.slot[touch.vertex as usize] = FREE;
        }
        self.touches.clear();
        for contact in &state.contacts {
            let i = contact.vertex as usize;
            let known = world.solids.iter().position(|solid| solid.body == contact.body);
            let Some(solid) = known.filter(|_| boundary.slot[i] == FREE) else { continue };
            let (exact, moving) = (&world.solids[solid].exact, &self.moving[solid]);
            let point = if contact.sticks {
                contact.point
            } else {
                onto(&world.reach[i], exact, moving.start.to_body(state.x[i]))
            };
            let stay = point;
            let normal = moving.end.turn * exact.nearest(point).normal;
            let along = contact.force - normal * normal.dot(contact.force);
            self.touches.push(Touch {
                vertex: contact.vertex,
                first: Plane { solid: solid as u32, point, normal },
                second: None,
                grip: if contact.sticks { Grip::Stick } else { Grip::Slip },
                stay,
                rebound: None,
                friction: if contact.sticks { Vec3::ZERO } else { along },
                drag: DMat3::ZERO,
                flips: 0,
                force: contact.force,
                released: 0,
                state: Phase::Holds,
            });
        }
        self.index();
    }

    fn index(&mut self) {
        for (place, touch) in self.touches.iter().enumerate() {
            self.slot[touch.vertex as usize] = place as u32;
        }
    }

    /// Puts the held directions of all touching particles behind those of the pins.
    pub fn hold(&self, world: &World, x: &[Vec3], pins: usize, boundary: &mut Boundary) {
        for held in &boundary.held[pins..] {
            boundary.slot[held.vertex as usize] = FREE;
        }
        boundary.held.truncate(pins);
        for touch in self.holding() {
            let i = touch.vertex as usize;
            let (free, end, speed) = touch.held(&self.moving, x[i]);
            boundary.slot[i] = boundary.held.len() as u32;
            boundary.held.push(Held {
                vertex: touch.vertex,
                pin: world.pins.len() as u32,
                free,
                middle: end,
                end,
                speed,
                start_speed: speed,
                middle_speed: speed,
                end_speed: speed,
            });
        }
    }

    /// Looks at the end of a solved step: new contacts, releases, stick and slip. `reaction` has the force of the filter on a
    /// held particle, N.
    pub fn review(&mut self, at: &Look, reaction: impl Fn(&Held) -> Vec3) -> Verdict {
        self.rounds += 1;
        let last = self.rounds >= ROUNDS;
        let keep = self.rounds >= KEEP;
        let mut again = false;
        let Look { world, boundary, .. } = *at;

        // who comes too near, in parallel
        let (slot, touches, moving) = (&self.slot, &self.touches, &self.moving);
        blocks::fill(&world.blocks.list, &mut self.found, &mut self.none, |i| {
            let pinned = boundary.slot[i] != FREE && slot[i] == FREE;
            if pinned { Found::default() } else { at.find(i, touches.get(slot[i] as usize), moving) }
        });

        for touch in &mut self.touches {
            let i = touch.vertex as usize;
            if touch.state == Phase::Released {
                continue;
            }
            let held = &boundary.held[boundary.slot[i] as usize];
            again |= touch.update(at, &self.moving, reaction(held), keep);
            // a second body, or another place on the first
            if let Some(plane) = self.found[i].plane.filter(|_| touch.state == Phase::Holds) {
                // between three bodies the third has to wait for the last word
                if touch.second.is_none() {
                    touch.second = Some(plane);
                    again = true;
                }
            }
        }

        // merge the new ones, rising
        let old = &mut self.touches;
        self.next.clear();
        let mut from = old.iter().peekable();
        for (i, found) in self.found.iter().enumerate() {
            let mine = from.next_if(|touch| touch.vertex as usize == i).copied();
            match (mine, found.plane) {
                (Some(touch), Some(plane)) if touch.state == Phase::Released => {
                    again = true;
                    self.next.push(Touch { state: Phase::Holds, ..at.new_touch(i, plane, found, touch.released, &self.moving) });
                }
                (Some(touch), _) => self.next.push(touch),
                (None, Some(plane)) => {
                    again = true;
                    self.next.push(at.new_touch(i, plane, found, 0, &self.moving));
                }
                (None, None) => {}
            }
        }
        std::mem::swap(&mut self.touches, &mut self.next);
        for touch in &self.next {
            self.slot[touch.vertex as usize] = FREE;
        }
        self.index();
        again |= self.review_crossings(world, at.x, at.v);
        if again && !last { Verdict::Again } else { Verdict::Settled }
    }

    /// How fast the surface moves under a particle, m/s.
    pub fn surface_speed(&self, touch: &Touch, x: Vec3) -> Vec3 {
        self.moving[touch.first.solid as usize].speed_at(x)
    }

    /// Particles that are held.
    pub fn holding(&self) -> impl Iterator<Item = &Touch> {
        self.touches.iter().filter(|touch| touch.state == Phase::Holds)
    }

    /// What friction and crossings add to the potential of the step, without a constant, J.
    pub fn potential(&self, from: &[Vec3], x: &[Vec3]) -> f64 {
        let friction: f64 = self
            .holding()
            .map(|touch| {
                let way = x[touch.vertex as usize] - from[touch.vertex as usize];
                way.dot(touch.friction)
            })
            .sum();
        let crossings: f64 = self.crossings.iter().map(|crossing| 0.5 * crossing.push(x).powi(2) / crossing.stiffness).sum();
        crossings - friction
    }

    /// Puts slipping particles of the solution exactly on their surface, and writes down who touches.
    pub fn finish(&mut self, world: &World, x: &mut [Vec3], v: &[Vec3]) {
        for touch in self.touches.iter().filter(|touch| touch.state == Phase::Holds) {
            let i = touch.vertex as usize;
            let solid = touch.first.solid as usize;
            let (exact, moving) = (&world.solids[solid].exact, &self.moving[solid]);
            if touch.rebound.is_some() {
                self.bounced = true;
                continue;
            }
            let mut point = moving.end.to_body(x[i]);
            let sticks = touch.grip == Grip::Stick;
            if !sticks && touch.second.is_none() {
                point = onto(&world.reach[i], exact, point);
                x[i] = moving.end.to_space(point);
            }
            let body = world.solids[solid].body;
            let point = if sticks && touch.second.is_none() { touch.first.point } else { point };
            let slow = touch.grip == Grip::Drag && touch.slip(moving, x[i], v[i]).length() < CREEP;
            self.kept.push(Contact { vertex: touch.vertex, body, sticks: sticks || slow, point, force: touch.force });
        }
    }
}

/// The point at the particle's offset next to a point, in the body's coordinates.
pub(super) fn onto(reach: &Reach, exact: &super::shape::Exact, p: Vec3) -> Vec3 {
    let mut p = p;
    // the offset may change along the way, on cones; twice is near enough
    for _ in 0..2 {
        let Nearest { distance, normal } = exact.nearest(p);
        p += normal * (reach.offset(exact, p) - distance);
    }
    p
}

/// Where a review looks.
#[derive(Clone, Copy)]
pub(crate) struct Look<'a> {
    pub world: &'a World,
    pub state: &'a State,
    pub boundary: &'a Boundary,
    pub h: f64,
    /// End of the step by the last solution.
    pub x: &'a [Vec3],
    pub v: &'a [Vec3],
}

impl Look<'_> {
    /// The body that a particle comes too near to, the deepest first.
    fn find(&self, i: usize, touch: Option<&Touch>, moving: &[Moving]) -> Found {
        let (start, end, reach) = (self.state.x[i], self.x[i], &self.world.reach[i]);
        let mut worst = Found::default();
        let holds = touch.filter(|touch| touch.state == Phase::Holds);
        for (s, (solid, moving)) in self.world.solids.iter().zip(moving).enumerate() {
            if holds.is_some_and(|touch| touch.first.solid as usize == s || touch.second.is_some_and(|p| p.solid as usize == s)) {
                continue;
            }
            let exact = &solid.exact;
            let [p0, p1] = [moving.start.to_body(start), moving.end.to_body(end)];
            let (near, offset) = (exact.nearest(p1), reach.offset(exact, p1));
            let gap = near.distance - offset;
            let tunnels = || {
                // straight ways that cannot reach the surface need no look
                let before = exact.nearest(p0);
                let room = before.distance + near.distance;
                let far = p0.distance(p1) > room.max(0.0) || !moving.between.is_empty();
                far && before.distance > 0.0 && before.normal.dot(near.normal) < 0.5
            };
            if gap >= -SLACK * reach.thickness && !tunnels() {
                continue;
            }
            let hit = moving.first_hit(exact, start, end, |p| reach.offset(exact, p));
            if gap >= -SLACK * reach.thickness {
                let Some((_, hit)) = hit else { continue };
                // a way that only grazes an edge goes on
                if moving.end.to_space(hit).distance(end) < reach.thickness {
                    continue;
                }
            }
            let depth = (-gap).max(0.0);
            let (when, at) = hit.unwrap_or((0.0, p1));
            let at = onto(reach, exact, at);
            if worst.plane.is_none() || depth > worst.depth {
                let normal = moving.end.turn * exact.nearest(at).normal;
                worst = Found { plane: Some(Plane { solid: s as u32, point: at, normal }), when, depth };
            }
        }
        worst
    }

    /// A particle that comes into contact sticks where it hits, or is thrown back.
    fn new_touch(&self, i: usize, plane: Plane, found: &Found, released: u8, moving: &[Moving]) -> Touch {
        let solid = &self.world.solids[plane.solid as usize];
        let mut touch = Touch {
            vertex: i as u32,
            first: plane,
            second: None,
            grip: Grip::Stick,
            stay: plane.point,
            rebound: None,
            friction: Vec3::ZERO,
            drag: DMat3::ZERO,
            flips: 0,
            force: Vec3::ZERO,
            released,
            state: Phase::Holds,
        };
        if solid.restitution > 0.0 && !self.was_touching(i) {
            let surface = moving[plane.solid as usize].speed_at(self.x[i]);
            let gravity = if self.world.components.gravity { self.world.gravity } else { Vec3::ZERO };
            let falls = plane.normal.dot(gravity);
            let arrives = plane.normal.dot(self.state.v[i] - surface) + falls * found.when * self.h;
            // slower than what gravity gives it in two steps it would tremble
            if arrives < -2.0 * falls.abs() * self.h {
                let (left, leaves) = ((1.0 - found.when) * self.h, -solid.restitution * arrives);
                touch.rebound = Some((leaves + falls * left, (leaves + 0.5 * falls * left).max(0.0) * left));
                touch.grip = Grip::Slip;
            }
        }
        touch
    }

    fn was_touching(&self, i: usize) -> bool {
        self.state.contacts.binary_search_by_key(&(i as u32), |contact| contact.vertex).is_ok()
    }
}

impl Touch {
    /// Free directions, a point of the held ones, and the velocity wanted there.
    fn held(&self, moving: &[Moving], x: Vec3) -> (DMat3, Vec3, Vec3) {
        let body = &moving[self.first.solid as usize];
        let n = self.first.normal;
        let mut end = body.end.to_space(self.first.point);
        let mut speed = body.speed_at(end);
        if let Some((rebound, gone)) = self.rebound {
            end += n * gone;
            speed += n * rebound;
        }
        let Some(second) = self.second else {
            let free = if self.grip == Grip::Stick { DMat3::ZERO } else { DMat3::IDENTITY - outer(n) };
            return (free, end, speed);
        };
        // on both planes: the point next to where it was, or between them where there is none
        let other = &moving[second.solid as usize];
        let m = second.normal;
        let place = other.end.to_space(second.point);
        let across = m - n * n.dot(m);
        let size = across.length();
        if size < 0.05 {
            let middle = if n.dot(m) < 0.0 { 0.5 * (end + place) } else { end };
            let free = if self.grip == Grip::Stick { DMat3::ZERO } else { DMat3::IDENTITY - outer(n) };
            return (free, middle, 0.5 * (speed + other.speed_at(place)));
        }
        let q = across / size;
        let solve = |along_n: f64, along_m: f64| n * along_n + q * ((along_m - n.dot(m) * along_n) / size);
        let free = DMat3::IDENTITY - outer(n) - outer(q);
        let here = solve(n.dot(end), m.dot(place));
        let there = solve(n.dot(speed), m.dot(other.speed_at(place)));
        if self.grip == Grip::Stick {
            // along the line of both planes it stays with the first body
            let line = |p: Vec3| free * p;
            let rests = if self.rebound.is_some() { x } else { end };
            return (DMat3::ZERO, here + line(rests), there + line(speed));
        }
        (free, here, there)
    }

    /// Stick, slip or release by the force of the filter; whether anything changed that matters.
    fn update(&mut self, at: &Look, moving: &[Moving], reaction: Vec3, keep: bool) -> bool {
        let Look { world, x, v, .. } = *at;
        let i = self.vertex as usize;
        let body = &moving[self.first.solid as usize];
        let solid = &world.solids[self.first.solid as usize];
        let mu = solid.friction[world.cloth_of(i)];
        let n = self.first.normal;
        let normals = self.normals();
        let slip = self.slip(body, x[i], v[i]);
        let speed = slip.length();
        let rubs = self.friction - self.drag * slip;
        self.force = reaction + rubs;
        let pull = -n.dot(reaction);
        if let Some(second) = self.second {
            // each of two planes must be pushed against
            let m = second.normal;
            let c = n.dot(m);
            let [a, b] = [n.dot(reaction), m.dot(reaction)];
            let whole = (1.0 - c * c).max(1e-6);
            let [on_first, on_second] = [(a - c * b) / whole, (b - c * a) / whole];
            if on_second < 0.0 && !keep {
                self.second = None;
                return true;
            }
            if on_first < 0.0 && !keep {
                self.first = second;
                self.stay = second.point;
                self.second = None;
                return true;
            }
        } else if pull > 0.0 {
            if !keep && self.released < 3 {
                self.released += 1;
                self.state = Phase::Released;
                self.force = Vec3::ZERO;
                self.rub(Vec3::ZERO, DMat3::ZERO);
                return true;
            }
            return self.rub(Vec3::ZERO, DMat3::ZERO);
        }
        let push = normals * reaction;
        let most = mu * push.length();
        match self.grip {
            Grip::Stick => {
                let along = reaction - push;
                let size = along.length();
                if size <= most * (1.0 + CONE) || keep {
                    return false;
                }
                self.flips += 1;
                if self.flips <= FLIPS {
                    self.grip = Grip::Slip;
                    self.rub(along * (most / size), DMat3::ZERO);
                } else {
                    self.grip = Grip::Drag;
                    self.rub(Vec3::ZERO, (DMat3::IDENTITY - normals) * (most / ESCAPE));
                }
                self.follow(at, moving);
                true
            }
            Grip::Slip if slip.dot(self.friction) > 0.0 && !keep && self.rebound.is_none() => {
                // friction stops it and does not turn it round
                self.flips += 1;
                if self.flips <= FLIPS {
                    self.grip = Grip::Stick;
                    self.rub(Vec3::ZERO, DMat3::ZERO);
                    self.first.point = self.stay;
                    self.first.normal = body.end.turn * solid.exact.nearest(self.stay).normal;
                } else {
                    self.grip = Grip::Drag;
                    self.rub(Vec3::ZERO, (DMat3::IDENTITY - normals) * (most / speed.max(CREEP)));
                }
                true
            }
            Grip::Slip => {
                let u = slip / speed.max(f64::MIN_POSITIVE);
                let wanted = if speed > 0.0 { u * -most } else { self.friction };
                let change = wanted.distance(rubs);
                let across = DMat3::IDENTITY - normals - outer(u);
                self.rub(wanted, across * (most / speed.max(CREEP)));
                let turned = self.follow(at, moving);
                (change > STEADY * most && !keep) || turned
            }
            Grip::Drag => {
                let drag = (DMat3::IDENTITY - normals) * (most / speed.max(CREEP));
                let change = (drag * slip + rubs).length();
                self.rub(Vec3::ZERO, drag);
                let turned = self.follow(at, moving);
                (change > STEADY * most && !keep) || turned
            }
        }
    }

    /// Velocity along the surface, m/s.
    fn slip(&self, body: &Moving, x: Vec3, v: Vec3) -> Vec3 {
        let relative = v - body.speed_at(x);
        relative - self.normals() * relative
    }

    /// Sets friction; whether it was another.
    fn rub(&mut self, friction: Vec3, drag: DMat3) -> bool {
        let changed = self.friction != friction || self.drag != drag;
        (self.friction, self.drag) = (friction, drag);
        changed
    }

    /// Keeps what is along the normals of its planes.
    fn normals(&self) -> DMat3 {
        let n = self.first.normal;
        match self.second {
            None => outer(n),
            Some(second) => {
                let q = (second.normal - n * n.dot(second.normal)).normalize_or_zero();
                outer(n) + outer(q)
            }
        }
    }

    /// Moves the plane of a slipping particle to where it is now; whether that turns it.
    fn follow(&mut self, at: &Look, moving: &[Moving]) -> bool {
        if self.second.is_some() || self.rebound.is_some() {
            return false;
        }
        let i = self.vertex as usize;
        let body = &moving[self.first.solid as usize];
        let exact = &at.world.solids[self.first.solid as usize].exact;
        let p = body.end.to_body(at.x[i]);
        // far inside the direction of the surface is not that of the way
        if exact.distance(p) < -0.25 * exact.thinnest() {
            return false;
        }
        let point = onto(&at.world.reach[i], exact, p);
        let normal = body.end.turn * exact.nearest(point).normal;
        let turned = normal.dot(self.first.normal) < 0.995;
        let moved = self.first.normal.dot(at.x[i] - body.end.to_space(point)).abs();
        if normal.dot(self.first.normal) < 0.5 {
            return false;
        }
        self.first.point = point;
        self.first.normal = normal;
        turned && moved > SLACK * at.world.reach[i].thickness
    }
}

fn outer(n: Vec3) -> DMat3 {
    DMat3::from_cols(n * n.x, n * n.y, n * n.z)
}
