//! Particles that are held to bodies by the filter of the implicit methods.
//!
//! D. Baraff and A. Witkin, Large Steps in Cloth Simulation, SIGGRAPH 1998, Sec. 5 and 6: a particle in contact is
//! constrained along the normal, and along the surface as well while it sticks. An alteration of its position (the
//! paper's y) moves it to the surface. It sticks while the constraint force lies in the friction cone, slips with
//! Coulomb friction otherwise, and is released when the force pulls.
//!
//! The paper changes these states once a step, for each particle alone; neighbours that take over each other's load
//! then alternate for ever. Here [`active_set`](super::active_set) finds the states together. Afterwards a review
//! updates normal forces, planes and new contacts.

use super::{CALM, Contacts, FAR_INSIDE, SLACK};
use crate::Vec3;
use crate::algebra::{outer, shares};
use crate::boundary::Boundary;
use crate::friction::{self, Decision};
use crate::linear::filter::{FREE, Held};
use crate::parallel;
use crate::solid::reach::Reach;
use crate::solid::shape::Exact;
use crate::solid::{Moving, Nearest};
use crate::state::{Contact, State};
use crate::world::World;
use glam::DMat3;

/// A particle that touches a body, or may touch it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch {
    pub vertex: u32,
    pub first: Plane,
    pub second: Option<Plane>,
    /// Whether the particle sticks to the surface.
    pub sticks: bool,
    /// Where the particle sticks, in the first body's coordinates: where the step began, or where it hit.
    pub stay: Vec3,
    /// Rebound speed along the normal, m/s, and the distance it covers in the step, m.
    pub rebound: Option<(f64, f64)>,
    /// c: the grip of the step as an impulse, N s.
    pub grip: f64,
    /// ŵ: the w at which u is zero, m/s.
    rest: Vec3,
    /// Force of the bodies on the particle in the last solution, N.
    pub force: Vec3,
}

/// A plane that a particle must not cross.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plane {
    /// Index in [`World::solids`].
    pub solid: u32,
    /// A point of the plane in the body's coordinates.
    pub point: Vec3,
    /// Normal in world coordinates, at the end of the step.
    pub normal: Vec3,
    /// Whether the particle is held to it.
    pub on: bool,
    /// Lower bound of n·w, m/s.
    least: f64,
}

/// Result of the narrow phase for a particle.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Found {
    plane: Option<Plane>,
    /// Share of the step before the hit.
    when: f64,
    /// Penetration depth, m.
    depth: f64,
}

/// A change of the grip between reviews below this share of the largest grip is ignored.
const STEADY: f64 = 0.02;

/// Share by which the force on a particle that sticks may exceed the friction cone.
const CONE: f64 = 0.005;

/// Slip slower than this has the curvature of this speed, m/s: the curvature of c |u| is infinite at rest.
const CREEP: f64 = 1e-6;

/// Number of projections of a point on the surface: on cones the offset changes on the way there, and the second
/// projection is near enough.
const ONTO: u32 = 2;

/// A plane does not follow its particle where the normal would turn by more than 60 degrees. This is the cosine.
const TURNED: f64 = 0.5;

/// The step is solved again if a plane moved by more than this share of the thickness.
const MOVED: f64 = 0.1;

/// Result of a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Settled,
    Again,
}

impl Contacts {
    /// Starts with the contacts from the end of the last step.
    pub fn begin(&mut self, world: &World, state: &State, boundary: &Boundary, s: f64) {
        for touch in &self.touches {
            self.slot[touch.vertex as usize] = FREE;
        }
        self.touches.clear();
        for contact in &state.contacts {
            let i = contact.vertex as usize;
            let known = world.solids.iter().position(|solid| solid.body == contact.body);
            let Some(solid) = known.filter(|_| boundary.slot[i] == FREE) else { continue };
            let (exact, moving) = (&world.solids[solid].exact, &self.moving[solid]);
            let (reach, p) = (&self.reach[i], contact.point);
            // between bodies that leave no room the particle may stick inside
            let inside = || exact.distance(p) < reach.offset(exact, p) - SLACK * reach.thickness;
            let stay = match contact.sticks {
                true if inside() => onto(reach, exact, p),
                true => p,
                false => onto(reach, exact, moving.start.to_body(state.x[i])),
            };
            let normal = moving.end.turn * exact.nearest(stay).normal;
            let mu = world.friction(solid, i);
            self.touches.push(Touch {
                vertex: contact.vertex,
                first: Plane { solid: solid as u32, point: stay, normal, on: true, least: 0.0 },
                second: None,
                sticks: contact.sticks,
                stay,
                rebound: None,
                grip: friction::grip(mu * s, normal.dot(contact.force).max(0.0)),
                rest: Vec3::ZERO,
                force: contact.force,
            });
        }
        self.index();
    }

    fn index(&mut self) {
        for (place, touch) in self.touches.iter().enumerate() {
            self.slot[touch.vertex as usize] = place as u32;
        }
    }

    /// Finds the bounds of w about positions x and moves w within them.
    pub fn bound(&mut self, s: f64, x: &[Vec3], w: &mut [Vec3]) {
        for touch in &mut self.touches {
            let i = touch.vertex as usize;
            let body = &self.moving[touch.first.solid as usize];
            touch.rest = (body.end.to_space(touch.stay) - x[i]) / s;
            for plane in [Some(&mut touch.first), touch.second.as_mut()].into_iter().flatten() {
                let point = self.moving[plane.solid as usize].end.to_space(plane.point);
                plane.least = plane.normal.dot(point - x[i]) / s;
            }
            if let Some((_, way)) = touch.rebound {
                touch.first.least += way / s;
            }
        }
        // held particles start at their bounds, others inside them
        for touch in &mut self.touches {
            let i = touch.vertex as usize;
            w[i] = touch.face(w[i]);
            w[i] = touch.project(w[i]);
        }
    }

    /// Adds the held directions of touching particles to the boundary, which has those of the pins.
    pub fn hold(&self, boundary: &mut Boundary) {
        boundary.drop_contacts();
        for touch in self.holding() {
            let (free, end, speed) = touch.held(&self.moving);
            boundary.hold_contact(touch.vertex, free, end, speed);
        }
    }

    /// Particles that are held.
    pub fn holding(&self) -> impl Iterator<Item = &Touch> {
        self.touches.iter().filter(|touch| touch.holds())
    }

    /// Dissipation of friction at w: Σ c |u|.
    pub fn friction(&self, w: &[Vec3]) -> f64 {
        let speed = |touch: &Touch| touch.slip(w[touch.vertex as usize]).length();
        self.touches.iter().map(|touch| friction::dissipation(speed(touch), touch.grip)).sum()
    }

    /// The potential of friction and crossings in the step at positions x, J.
    pub fn potential(&self, s: f64, x: &[Vec3]) -> f64 {
        let slips = self.touches.iter().map(|touch| {
            let stay = self.moving[touch.first.solid as usize].end.to_space(touch.stay);
            let slip = touch.slip(touch.rest + (x[touch.vertex as usize] - stay) / s);
            friction::dissipation(slip.length(), touch.grip)
        });
        let pushes = self.crossings.iter().map(|crossing| 0.5 * crossing.push(x).powi(2) / crossing.stiffness);
        slips.sum::<f64>() + pushes.sum::<f64>()
    }

    /// Friction of slipping particles about w: calls `each(particle, gradient, curvature)`.
    pub fn each_slip(&self, w: &[Vec3], mut each: impl FnMut(usize, Vec3, DMat3)) {
        for touch in self.touches.iter().filter(|touch| !touch.sticks && touch.grip > 0.0) {
            let i = touch.vertex as usize;
            let slip = touch.slip(w[i]);
            let speed = slip.length();
            if speed == 0.0 {
                continue;
            }
            let u = slip / speed;
            let along = DMat3::IDENTITY - touch.normals();
            let gradient = -friction::slip_force(u, touch.grip);
            each(i, gradient, friction::turn_of_slip(u, along, speed.max(CREEP), touch.grip));
        }
    }

    /// Projects `to` on the bounds, on the path from feasible velocities `from`. Particles whose slip reversed stick.
    pub fn project(&mut self, from: &[Vec3], to: &mut [Vec3]) {
        for touch in &mut self.touches {
            let i = touch.vertex as usize;
            touch.turn(from[i], &mut to[i]);
            to[i] = touch.project(to[i]);
        }
    }

    /// Releases particles that are pulled, and lets particles slip whose force leaves the friction cone, at w with the
    /// gradient g = A w - b. `ease` is the inverse of the diagonal of A. Returns the number of changes.
    pub fn release(&mut self, gradient: impl Fn(usize) -> Vec3, ease: impl Fn(usize) -> f64, w: &mut [Vec3]) -> u32 {
        let mut released = 0;
        for touch in self.touches.iter_mut().filter(|touch| touch.holds() && touch.rebound.is_none()) {
            let i = touch.vertex as usize;
            let g = gradient(i);
            released += u32::from(touch.release(g, ease(i), &mut w[i]));
        }
        released
    }

    /// Reviews contact at the end of a solved step: which particles touch, with what force, and where. `reaction` is
    /// the force of the filter on a held particle, `left` the residual of any other, N.
    pub fn review(
        &mut self,
        at: &Review,
        s: f64,
        reaction: impl Fn(&Held) -> Vec3,
        left: impl Fn(usize) -> Vec3,
        w: &[Vec3],
    ) -> Verdict {
        self.rounds += 1;
        let Review { world, boundary, .. } = *at;
        let mut again = false;

        // particles that come too near, in parallel
        let (slot, touches, moving, reach) = (&self.slot, &self.touches, &self.moving, &self.reach);
        parallel::fill(&world.blocks, &mut self.found, &mut self.none, |i| {
            let pinned = boundary.slot[i] != FREE && slot[i] == FREE;
            if pinned { Found::default() } else { at.find(i, touches.get(slot[i] as usize), moving, &reach[i]) }
        });

        // their normal forces and planes
        let (mut most, mut change) = (0.0, 0.0);
        for touch in &mut self.touches {
            let i = touch.vertex as usize;
            let mu = world.friction(touch.first.solid as usize, i);
            let mut push = 0.0;
            if touch.holds() {
                let force = reaction(&boundary.held[boundary.slot[i] as usize]);
                push = (touch.normals() * force).length();
                let slips_along = touch.slip(w[i]).normalize_or_zero();
                let rubs = if touch.sticks { Vec3::ZERO } else { friction::slip_force(slips_along, touch.grip / s) };
                touch.force = force + rubs;
            } else {
                touch.force = Vec3::ZERO;
            }
            let grip = friction::grip(mu, push) * s;
            most = f64::max(most, grip);
            change = f64::max(change, (grip - touch.grip).abs());
            // take the mean, because N may alternate between two values from review to review
            touch.grip = if self.rounds > 1 { 0.5 * (touch.grip + grip) } else { grip };
            again |= touch.follow(at, &self.moving, &self.reach[i]);
            if let Some(plane) = self.found[i].plane {
                // a third body is left to the response after the step
                if touch.second.is_none_or(|second| !second.on) {
                    touch.second = Some(plane);
                    again = true;
                }
            }
        }
        again |= change > STEADY * most;

        // merge the new contacts in ascending order
        self.next.clear();
        let mut from = self.touches.iter().peekable();
        for (i, found) in self.found.iter().enumerate() {
            let mine = from.next_if(|touch| touch.vertex as usize == i).copied();
            match (mine, found.plane) {
                (Some(touch), _) => self.next.push(touch),
                (None, Some(plane)) => {
                    again = true;
                    self.next.push(at.new_touch(i, plane, found, &self.moving));
                }
                (None, None) => {}
            }
        }
        std::mem::swap(&mut self.touches, &mut self.next);
        self.index();
        again |=
            self.review_crossings(world, at.x, at.v, |i| if boundary.slot[i] == FREE { left(i) } else { Vec3::ZERO });
        if again && self.rounds < self.accuracy.reviews() { Verdict::Again } else { Verdict::Settled }
    }

    /// Puts slipping particles of the solution exactly on their surface and lists the contacts.
    pub fn finish(&mut self, world: &World, x: &mut [Vec3], v: &mut [Vec3]) {
        for t in 0..self.touches.len() {
            let touch = self.touches[t];
            if !touch.holds() {
                continue;
            }
            if touch.rebound.is_some() {
                self.bounced = true;
                continue;
            }
            let plane = if touch.first.on { touch.first } else { touch.second.expect("it is held by one of them") };
            let i = touch.vertex as usize;
            let solid = plane.solid as usize;
            let (exact, moving) = (&world.solids[solid].exact, &self.moving[solid]);
            let mut point = moving.end.to_body(x[i]);
            let both = touch.first.on && touch.second.is_some_and(|second| second.on);
            if !touch.sticks {
                // a multistep method may reverse the velocity before the displacement
                let normals = touch.normals();
                let way = x[i] - self.moving[touch.first.solid as usize].end.to_space(touch.stay);
                let slip = v[i] - moving.speed_at(x[i]);
                let (way, slip) = (way - normals * way, slip - normals * slip);
                if touch.grip > 0.0 && friction::turned_round(way, slip) {
                    v[i] -= slip;
                }
            }
            if !touch.sticks && !both {
                point = onto(&self.reach[i], exact, point);
                x[i] = moving.end.to_space(point);
            }
            let point = if touch.sticks && !both && touch.first.on { touch.stay } else { point };
            let body = world.solids[solid].body;
            if let (Some(_), Some(other)) = touch.planes() {
                self.move_force(body, world.solids[other.solid as usize].body, touch.force_of_second());
            }
            self.kept.push(Contact { vertex: touch.vertex, body, sticks: touch.sticks, point, force: touch.force });
        }
    }
}

/// The point at the particle's offset that is nearest to a given point, in the body's coordinates.
pub(crate) fn onto(reach: &Reach, exact: &Exact, p: Vec3) -> Vec3 {
    let mut p = p;
    for _ in 0..ONTO {
        let Nearest { distance, normal } = exact.nearest(p);
        p += normal * (reach.offset(exact, p) - distance);
    }
    p
}

/// The data of a review.
#[derive(Clone, Copy)]
pub(crate) struct Review<'a> {
    pub world: &'a World,
    pub state: &'a State,
    pub boundary: &'a Boundary,
    pub h: f64,
    /// How far the method's velocities lag behind its positions, s: half a step for backward Euler.
    pub velocity_lag: f64,
    /// Positions at the end of the step in the last solution.
    pub x: &'a [Vec3],
    pub v: &'a [Vec3],
}

impl Review<'_> {
    /// Finds the body that a particle comes too near to, or the deepest of several.
    fn find(&self, i: usize, touch: Option<&Touch>, moving: &[Moving], reach: &Reach) -> Found {
        let (start, end) = (self.state.x[i], self.x[i]);
        let mut worst = Found::default();
        for (s, (solid, moving)) in self.world.solids.iter().zip(moving).enumerate() {
            let watches = |plane: &Plane| plane.solid as usize == s;
            if touch.is_some_and(|touch| watches(&touch.first) || touch.second.as_ref().is_some_and(watches)) {
                continue;
            }
            let exact = &solid.exact;
            let p1 = moving.end.to_body(end);
            let gap = exact.distance(p1) - reach.offset(exact, p1);
            let near_enough = gap < -SLACK * reach.thickness;
            if !near_enough && !moving.passes(exact, start, end, reach.thickness) {
                continue;
            }
            let hit = moving.first_hit(exact, start, end, |p| reach.offset(exact, p));
            if !near_enough && hit.is_none() {
                continue;
            }
            let depth = (-gap).max(0.0);
            let (when, at) = hit.unwrap_or((0.0, p1));
            let at = onto(reach, exact, at);
            if worst.plane.is_none() || depth > worst.depth {
                let normal = moving.end.turn * exact.nearest(at).normal;
                let plane = Plane { solid: s as u32, point: at, normal, on: true, least: 0.0 };
                worst = Found { plane: Some(plane), when, depth };
            }
        }
        worst
    }

    /// Makes the contact of a particle that hits a body: it sticks where it hits, or rebounds.
    fn new_touch(&self, i: usize, plane: Plane, found: &Found, moving: &[Moving]) -> Touch {
        let solid = &self.world.solids[plane.solid as usize];
        let mut touch = Touch {
            vertex: i as u32,
            first: plane,
            second: None,
            sticks: true,
            stay: plane.point,
            rebound: None,
            grip: 0.0,
            rest: Vec3::ZERO,
            force: Vec3::ZERO,
        };
        if solid.restitution > 0.0 && !self.was_touching(i) {
            let surface = moving[plane.solid as usize].speed_at(self.x[i]);
            let gravity = if self.world.components.gravity { self.world.gravity } else { Vec3::ZERO };
            let falls = plane.normal.dot(gravity);
            let late = self.velocity_lag;
            let arrives = plane.normal.dot(self.state.v[i] - surface) + falls * (found.when * self.h + late);
            if arrives < -CALM * falls.abs() * self.h {
                let (left, leaves) = ((1.0 - found.when) * self.h, -solid.restitution * arrives);
                touch.rebound = Some((leaves + falls * (left - late), (leaves + 0.5 * falls * left).max(0.0) * left));
                touch.sticks = false;
            }
        }
        touch
    }

    fn was_touching(&self, i: usize) -> bool {
        self.state.contacts.binary_search_by_key(&(i as u32), |contact| contact.vertex).is_ok()
    }
}

impl Touch {
    fn holds(&self) -> bool {
        self.first.on || self.second.is_some_and(|second| second.on)
    }

    /// Whether the particle is held in the same way as another.
    pub fn same_state(&self, other: &Touch) -> bool {
        let on = |touch: &Touch| (touch.sticks, touch.first.on, touch.second.is_some_and(|second| second.on));
        on(self) == on(other)
    }

    /// The planes that hold it.
    fn planes(&self) -> (Option<&Plane>, Option<&Plane>) {
        let first = Some(&self.first).filter(|plane| plane.on);
        let second = self.second.as_ref().filter(|plane| plane.on);
        if first.is_some() { (first, second) } else { (second, None) }
    }

    /// Projects on the normals of the planes that hold the particle.
    fn normals(&self) -> DMat3 {
        match self.planes() {
            (None, _) => DMat3::ZERO,
            (Some(plane), None) => outer(plane.normal, plane.normal),
            (Some(plane), Some(other)) => {
                let n = plane.normal;
                let across = (other.normal - n * n.dot(other.normal)).normalize_or_zero();
                outer(n, n) + outer(across, across)
            }
        }
    }

    /// The second plane's part of the force. Friction is split in proportion to the normal forces. Where two planes
    /// squeeze the particle only the difference of their normal forces is known, and the stronger one gets it.
    fn force_of_second(&self) -> Vec3 {
        let (Some(plane), Some(other)) = self.planes() else { return Vec3::ZERO };
        let (n, m) = (plane.normal, other.normal);
        let c = n.dot(m);
        let [a, b] = [n.dot(self.force), m.dot(self.force)];
        let whole = 1.0 - c * c;
        let [first, second] = if whole < PARALLEL * PARALLEL {
            [a.max(0.0), b.max(0.0)]
        } else {
            shares([a, b], c, whole).map(|push| push.max(0.0))
        };
        if second == 0.0 {
            return Vec3::ZERO;
        }
        let rest = self.force - n * first - m * second;
        m * second + rest * (second / (first + second))
    }

    /// u: slip velocity.
    fn slip(&self, w: Vec3) -> Vec3 {
        if !self.holds() || self.sticks {
            return Vec3::ZERO;
        }
        let d = w - self.rest;
        d - self.normals() * d
    }

    /// Projects w on the directions that the contact holds.
    fn face(&self, w: Vec3) -> Vec3 {
        if self.holds() && self.sticks {
            return self.fit(self.rest);
        }
        self.fit(w)
    }

    /// The point nearest to w on the planes that hold the particle.
    fn fit(&self, w: Vec3) -> Vec3 {
        match self.planes() {
            (None, _) => w,
            (Some(plane), None) => w + plane.normal * (plane.least - plane.normal.dot(w)),
            (Some(plane), Some(other)) => {
                let (n, m) = (plane.normal, other.normal);
                let across = m - n * n.dot(m);
                let size = across.length();
                let on_first = plane.least - n.dot(w);
                if size < PARALLEL {
                    // squeezed between two bodies: half way between them; on both of them: above the higher one
                    let on_second = other.least - m.dot(w);
                    let between = n.dot(m) < 0.0;
                    let above = w + n * on_first;
                    return if between {
                        w + 0.5 * (n * on_first + m * on_second)
                    } else {
                        above + m * (other.least - m.dot(above)).max(0.0)
                    };
                }
                let w = w + n * on_first;
                w + across * ((other.least - m.dot(w)) / (size * size))
            }
        }
    }

    /// Stops w at the bounds.
    fn project(&mut self, w: Vec3) -> Vec3 {
        let mut stopped = false;
        for plane in [Some(&mut self.first), self.second.as_mut()].into_iter().flatten() {
            if !plane.on && plane.normal.dot(w) < plane.least {
                plane.on = true;
                stopped = true;
            }
        }
        if stopped { self.face(w) } else { w }
    }

    /// Lets a particle stick whose slip would reverse: friction stops a particle and does not reverse it.
    fn turn(&mut self, from: Vec3, to: &mut Vec3) {
        if self.sticks || self.grip == 0.0 || self.rebound.is_some() {
            return;
        }
        if friction::turned_round(self.slip(from), self.slip(*to)) {
            self.sticks = true;
            *to = self.face(*to);
        }
    }

    /// Releases the plane that pulls, or lets the particle slip if the force leaves the friction cone. Returns whether
    /// anything changed. The particle moves slightly down the gradient g, so that it is free.
    fn release(&mut self, g: Vec3, ease: f64, w: &mut Vec3) -> bool {
        let (push, solid) = match self.planes() {
            (Some(plane), Some(other)) => {
                let c = plane.normal.dot(other.normal);
                let whole = (1.0 - c * c).max(LEAST_SQUARE);
                let [first, second] = shares([plane.normal.dot(g), other.normal.dot(g)], c, whole);
                if first < second { (first, plane.solid) } else { (second, other.solid) }
            }
            (Some(plane), None) => (plane.normal.dot(g), plane.solid),
            (None, _) => return false,
        };
        let along = g - self.normals() * g;
        let size = along.length();
        match friction::decide(push, size, self.grip * (1.0 + CONE)) {
            Decision::Release => {
                let planes = [Some(&mut self.first), self.second.as_mut()];
                for plane in planes.into_iter().flatten().filter(|plane| plane.on && plane.solid == solid) {
                    plane.on = false;
                    *w += plane.normal * (SHARE * ease * plane.normal.dot(g).abs());
                }
                self.sticks = false;
                true
            }
            Decision::Slip if self.sticks => {
                self.sticks = false;
                let left = friction::share_left(size, self.grip).unwrap_or(1.0);
                *w -= along * (SHARE * ease * (1.0 - left));
                true
            }
            Decision::Slip | Decision::Stick => false,
        }
    }

    /// The free directions, a point on the held ones, and the velocity wanted there.
    fn held(&self, moving: &[Moving]) -> (DMat3, Vec3, Vec3) {
        let (Some(plane), other) = self.planes() else { return (DMat3::IDENTITY, Vec3::ZERO, Vec3::ZERO) };
        let body = &moving[plane.solid as usize];
        let n = plane.normal;
        let mut end = body.end.to_space(plane.point);
        if self.sticks {
            let stay = moving[self.first.solid as usize].end.to_space(self.stay);
            if !(self.first.on && self.stay == plane.point) {
                end = stay + n * n.dot(end - stay);
            }
        }
        let mut speed = body.speed_at(end);
        if let Some((rebound, way)) = self.rebound {
            end += n * way;
            speed += n * rebound;
        }
        let free = if self.sticks { DMat3::ZERO } else { DMat3::IDENTITY - self.normals() };
        let Some(other) = other else { return (free, end, speed) };
        let m = other.normal;
        let second = &moving[other.solid as usize];
        let place = second.end.to_space(other.point);
        let across = m - n * n.dot(m);
        let size = across.length();
        if size < PARALLEL {
            let shortfall = m.dot(place - end);
            let shift = if n.dot(m) < 0.0 { 0.5 * shortfall } else { shortfall.max(0.0) };
            return (free, end + m * shift, speed + 0.5 * (second.speed_at(place) - speed));
        }
        let shift = across * (m.dot(place - end) / (size * size));
        let faster = across * (m.dot(second.speed_at(place) - speed) / (size * size));
        (free, end + shift, speed + faster)
    }

    /// Moves the plane of a slipping particle to its current position. Returns whether that changes much.
    fn follow(&mut self, at: &Review, moving: &[Moving], reach: &Reach) -> bool {
        if self.sticks || self.rebound.is_some() || !self.first.on || self.second.is_some_and(|second| second.on) {
            return false;
        }
        let i = self.vertex as usize;
        let body = &moving[self.first.solid as usize];
        let exact = &at.world.solids[self.first.solid as usize].exact;
        let p = body.end.to_body(at.x[i]);
        if exact.distance(p) < -FAR_INSIDE * exact.thinnest() {
            return false;
        }
        let point = onto(reach, exact, p);
        let normal = body.end.turn * exact.nearest(point).normal;
        if normal.dot(self.first.normal) < TURNED {
            return false;
        }
        let off = at.x[i].distance(body.end.to_space(point));
        self.first.point = point;
        self.first.normal = normal;
        off > MOVED * reach.thickness
    }
}

/// Sine of the angle between two planes below which their intersection is too far away.
const PARALLEL: f64 = 0.5;

/// Lower bound of the square of that sine where a force is split between two planes: it bounds the rounding error for
/// nearly parallel planes.
const LEAST_SQUARE: f64 = 1e-6;

/// Share of the distance to the minimum of its own equation by which a released particle moves. It is short, because
/// the neighbours move as well.
const SHARE: f64 = 0.25;
