//! Contact by constraints of a cloth that is nearly in equilibrium.
//!
//! Particles in contact are held to the surface, and friction is the slope of an energy:
//! ```text
//! E = ½ k u²  where k u < μ N,    μ N u - ½ (μ N)²/k  beyond
//! ```
//! with u the displacement along the surface from where the search began, k the stretch stiffness of the cloth, and N
//! that of the last review. Particles that stick yield by μ N/k, less than a micron, and those that slip have the
//! friction force μ N. So every iteration is one of Newton's method, without rounds over an active set. A review
//! releases particles that are pulled and updates N, until nothing changes.

use crate::Vec3;
use crate::algebra::{outer, shares};
use crate::boundary::Boundary;
use crate::contact::touch::onto;
use crate::contact::{Contacts, SLACK};
use crate::friction;
use crate::linear::filter::FREE;
use crate::linear::{Matrix, Pattern};
use crate::solid::Moving;
use crate::solid::reach::Reach;
use crate::state::{Contact, State};
use crate::world::World;
use glam::DMat3;

pub(super) struct Touching<'a> {
    world: &'a World,
    moving: &'a [Moving],
    reach: &'a [Reach],
    holds: Vec<Hold>,
    /// The point from which the slip of each particle is measured, m.
    from: Vec<Vec3>,
    /// For each particle, whether a body holds it.
    held: Vec<bool>,
    pinned: Vec<bool>,
}

/// A particle that touches one body, or two.
#[derive(Clone, Copy, Debug)]
struct Hold {
    vertex: u32,
    solids: [Option<u32>; 2],
    /// Normals of the bodies in world coordinates.
    normals: [Vec3; 2],
    /// The grip μ N, N.
    grip: f64,
}

/// Number of alternating projections of a particle on two surfaces.
const TURNS: u32 = 5;

/// Sine of the angle between the surfaces of two bodies below which only one of them holds.
const PARALLEL: f64 = 0.1;

impl Hold {
    /// Projects on the normals.
    fn across(&self) -> DMat3 {
        let n = self.normals[0];
        let Some(m) = self.second() else { return outer(n, n) };
        outer(n, n) + outer(m, m)
    }

    /// A unit vector perpendicular to the first normal in the plane of both.
    fn second(&self) -> Option<Vec3> {
        self.solids[1]?;
        let [n, m] = self.normals;
        let across = m - n * n.dot(m);
        (across.length() > PARALLEL).then(|| across.normalize_or_zero())
    }

    /// Normal forces of the two bodies that add up to a total force, N.
    fn parts(&self, push: Vec3) -> (f64, Option<f64>) {
        let [n, m] = self.normals;
        let [a, b] = [n.dot(push), m.dot(push)];
        let Some(_) = self.second() else { return (a, None) };
        let c = n.dot(m);
        let [first, second] = shares([a, b], c, 1.0 - c * c);
        (first, Some(second))
    }
}

impl<'a> Touching<'a> {
    /// Starts with the contacts of the state.
    pub fn new(world: &'a World, state: &State, boundary: &Boundary, contact: &'a Contacts) -> Self {
        let mut held = vec![false; state.x.len()];
        let mut holds = Vec::with_capacity(state.contacts.len());
        for contact in &state.contacts {
            let Some(s) = world.solids.iter().position(|solid| solid.body == contact.body) else { continue };
            let mu = world.friction(s, contact.vertex as usize);
            held[contact.vertex as usize] = true;
            holds.push(Hold {
                vertex: contact.vertex,
                solids: [Some(s as u32), None],
                normals: [Vec3::ZERO; 2],
                grip: friction::grip_of_whole(mu, contact.force.length()),
            });
        }
        Self {
            world,
            moving: &contact.moving,
            reach: &contact.reach,
            holds,
            from: state.x.clone(),
            held,
            pinned: boundary.slot.iter().map(|slot| *slot != FREE).collect(),
        }
    }

    /// Puts particles back on the surfaces, holds those that enter a body, and adds both to the boundary, which has the
    /// pins.
    pub fn follow(&mut self, x: &mut [Vec3], boundary: &mut Boundary) {
        boundary.drop_contacts();
        for (i, x) in x.iter_mut().enumerate() {
            if boundary.slot[i] != FREE {
                continue;
            }
            for s in 0..self.world.solids.len() as u32 {
                if self.depth(i, s, *x) > SLACK * self.reach[i].thickness {
                    self.catch(i, s, x);
                }
            }
        }
        for k in 0..self.holds.len() {
            let i = self.holds[k].vertex as usize;
            for _ in 0..if self.holds[k].solids[1].is_some() { TURNS } else { 1 } {
                for side in 0..2 {
                    if let Some(s) = self.holds[k].solids[side] {
                        (x[i], self.holds[k].normals[side]) = self.on(i, s, x[i]);
                    }
                }
            }
            let free = DMat3::IDENTITY - self.holds[k].across();
            boundary.hold_contact(i as u32, free, x[i], Vec3::ZERO);
        }
    }

    fn depth(&self, i: usize, s: u32, x: Vec3) -> f64 {
        let exact = &self.world.solids[s as usize].exact;
        let p = self.moving[s as usize].end.to_body(x);
        self.reach[i].offset(exact, p) - exact.distance(p)
    }

    /// The point of the surface nearest to x, and the normal there.
    fn on(&self, i: usize, s: u32, x: Vec3) -> (Vec3, Vec3) {
        let (exact, moving) = (&self.world.solids[s as usize].exact, &self.moving[s as usize]);
        let p = onto(&self.reach[i], exact, moving.end.to_body(x));
        (moving.end.to_space(p), moving.end.turn * exact.nearest(p).normal)
    }

    fn catch(&mut self, i: usize, s: u32, x: &mut Vec3) {
        if !std::mem::replace(&mut self.held[i], true) {
            (*x, _) = self.on(i, s, *x);
            self.from[i] = *x;
            let hold = Hold { vertex: i as u32, solids: [Some(s), None], normals: [Vec3::ZERO; 2], grip: 0.0 };
            self.holds.push(hold);
            return;
        }
        let hold = self.holds.iter_mut().find(|hold| hold.vertex as usize == i).expect("it is held");
        if hold.solids[0] != Some(s) && hold.solids[1].is_none() {
            hold.solids[1] = Some(s);
        }
    }

    /// Adds forces and derivatives at x.
    pub fn add(&self, x: &[Vec3], force: &mut [Vec3], matrix: &mut Matrix, pattern: &Pattern) {
        for hold in &self.holds {
            let i = hold.vertex as usize;
            let rub = self.rub_of(hold, x);
            force[i] += rub.force;
            matrix.blocks[pattern.diagonal[i] as usize] += rub.stiffness;
        }
    }

    fn rub_of(&self, hold: &Hold, x: &[Vec3]) -> friction::Slope {
        let i = hold.vertex as usize;
        let along = DMat3::IDENTITY - hold.across();
        let k = self.world.fabrics[self.world.cloth_of(i)].stiffness;
        friction::yielding(along * (x[i] - self.from[i]), along, hold.grip, k)
    }

    /// Projects the particles of a trial on the surfaces and returns the energy of friction, J.
    pub fn place(&self, x: &mut [Vec3]) -> f64 {
        for (i, x) in x.iter_mut().enumerate().filter(|(i, _)| !self.held[*i] && !self.pinned[*i]) {
            for s in 0..self.world.solids.len() as u32 {
                if self.depth(i, s, *x) > SLACK * self.reach[i].thickness {
                    (*x, _) = self.on(i, s, *x);
                }
            }
        }
        for hold in &self.holds {
            let i = hold.vertex as usize;
            for s in hold.solids.into_iter().flatten() {
                (x[i], _) = self.on(i, s, x[i]);
            }
        }
        self.holds.iter().map(|hold| self.rub_of(hold, x).energy).sum()
    }

    /// Reviews the normal forces of an equilibrium; `net` are the forces on particles without those of bodies. Returns
    /// whether a particle was released.
    pub fn review(&mut self, net: impl Fn(usize) -> Vec3) -> bool {
        let mut changed = false;
        let Self { holds, held, world, .. } = self;
        holds.retain_mut(|hold| {
            let i = hold.vertex as usize;
            let push = -net(i);
            let m = hold.normals[1];
            let (on_first, on_second) = hold.parts(push);
            let mu = world.friction(hold.solids[0].unwrap_or(0) as usize, i);
            hold.grip = friction::grip(mu, (hold.across() * push).length());
            match on_second {
                Some(second) if friction::pulls(second) => {
                    hold.solids[1] = None;
                    changed = true;
                }
                Some(_) if friction::pulls(on_first) => {
                    (hold.solids, hold.normals) = ([hold.solids[1], None], [m, Vec3::ZERO]);
                    changed = true;
                }
                None if friction::pulls(on_first) => {
                    held[i] = false;
                    changed = true;
                    return false;
                }
                _ => {}
            }
            true
        });
        changed
    }

    /// The final contacts, and the force of each body on the cloth, N.
    pub fn finish(&self, x: &[Vec3], net: impl Fn(usize) -> Vec3) -> (Vec<Contact>, Vec<Vec3>) {
        let mut bodies = vec![Vec3::ZERO; self.world.bodies.len()];
        let mut contacts = Vec::with_capacity(self.holds.len());
        for hold in &self.holds {
            let i = hold.vertex as usize;
            let solid = hold.solids[0].unwrap_or(0) as usize;
            let body = self.world.solids[solid].body;
            let rub = self.rub_of(hold, x).force;
            let force = rub - hold.across() * net(i);
            let of_second = match (hold.solids[1], hold.parts(-net(i)).1) {
                (Some(second), Some(size)) => {
                    let force = hold.normals[1] * size;
                    bodies[self.world.solids[second as usize].body as usize] += force;
                    force
                }
                _ => Vec3::ZERO,
            };
            bodies[body as usize] += force - of_second;
            let point = self.moving[solid].end.to_body(x[i]);
            let sticks = friction::inside_cone(rub.length(), hold.grip);
            contacts.push(Contact { vertex: hold.vertex, body, sticks, point, force });
        }
        contacts.sort_by_key(|contact| contact.vertex);
        (contacts, bodies)
    }
}
