//! Contact at rest: the law itself, for a static equilibrium.
//!
//! Friction is the slope of an energy of the slip, with the normal forces as they are where it is linearised:
//! [`friction::yielding`].

use super::Barrier;
use super::stencil::{NO_BODY, Stencil};
use crate::Vec3;
use crate::algebra::outer;
use crate::boundary::Boundary;
use crate::contact::Contacts;
use crate::friction;
use crate::report::Rejection;
use crate::solid::Pose;
use crate::state::{Anchor, Contact, ContactKind, State};
use crate::world::World;
use glam::DMat3;

impl Stencil {
    /// The law at the gap, and friction at the slip.
    fn rest(&mut self) {
        let Self { law, gap, .. } = *self;
        (self.force, self.slope) = (law.force(gap), law.slope(gap));
        self.start = self.force;
        let along = DMat3::IDENTITY - outer(self.normal, self.normal);
        self.slip = along * self.slip;
        let grip = friction::grip(self.friction, self.force);
        let rub = friction::at_rest(self.slip, along, grip);
        self.rub = friction::Linear { force: rub.force, stiffness: rub.stiffness };
    }

    /// Energy of friction after a displacement u of the sides from here, J.
    pub fn rubbed(&self, u: Vec3) -> f64 {
        let along = DMat3::IDENTITY - outer(self.normal, self.normal);
        friction::at_rest(self.slip + along * u, along, friction::grip(self.friction, self.force)).energy
    }
}

impl Barrier {
    /// Bodies stand still from now on as they are at a time, s.
    pub fn stand(&mut self, time: f64) {
        self.still = Some([time, time]);
        self.shapes.exactly = true;
    }

    /// A step of a search for equilibrium has been accepted.
    pub fn pass(&mut self, h: f64) {
        if let Some([_, now]) = &mut self.still {
            *now += h;
        }
    }

    /// Begins a step of length 1 from a state at rest, and finds its contacts.
    pub fn begin_rest(
        &mut self,
        world: &World,
        state: &State,
        contact: &Contacts,
        boundary: &Boundary,
    ) -> Result<(), Rejection> {
        self.begin(world, state, 1.0, &contact.moving, boundary, |_| Vec3::ZERO)?;
        self.goal.copy_from_slice(&self.at);
        self.rest_at(world, &state.x, 0.0);
        let list = &state.touching.list;
        let mut known = list.iter().peekable();
        let (mut gone, mut new) = (Vec::new(), Vec::new());
        for (number, stencil) in self.stencils.iter_mut().enumerate() {
            while let Some(anchor) = known.next_if(|anchor| anchor.key < stencil.key) {
                gone.push(*anchor);
            }
            match known.next_if(|anchor| anchor.key == stencil.key) {
                Some(anchor) => stencil.slip = anchor.slip,
                None => new.push(number),
            }
        }
        gone.extend(known);
        self.inherit(&gone, &new);
        self.stencils.retain_mut(|stencil| {
            stencil.rest();
            stencil.force > 0.0
        });
        Ok(())
    }

    /// A contact that slides from one triangle to the next keeps its slip: without it the cloth would lose its hold
    /// there, slide back, and so on.
    fn inherit(&mut self, gone: &[Anchor], new: &[usize]) {
        let Some(surface) = &self.surface else { return };
        let triangles = surface.triangles();
        let beside = |a: u32, b: u32| {
            let [a, b] = [a, b].map(|t| triangles[t as usize]);
            a.iter().filter(|v| b.contains(v)).count() == 2
        };
        for number in new {
            let key = self.stencils[*number].key;
            let follows = |anchor: &&Anchor| {
                let same_side = anchor.key.kind == key.kind && anchor.key.pair[0] == key.pair[0];
                let face = matches!(key.kind, ContactKind::ShapeFace | ContactKind::VertexFace);
                same_side && face && beside(anchor.key.pair[1], key.pair[1])
            };
            if let Some(anchor) = gone.iter().find(follows) {
                self.stencils[*number].slip = anchor.slip;
            }
        }
    }

    /// Lists the contacts at positions `x`, which are on the way of this step after a share of it.
    fn rest_at(&mut self, world: &World, x: &[Vec3], share: f64) {
        let n = x.len();
        self.at[..n].copy_from_slice(x);
        self.goal.copy_from_slice(&self.at);
        self.expected.fill(Vec3::ZERO);
        let [start, end] = self.times;
        let then = start + share * (end - start);
        self.times = [then; 2];
        self.cover(world);
        self.times = [start, end];
        self.start[..n].copy_from_slice(x);
        self.collect(world, world.h);
    }

    /// Energy of contact and friction at positions `x` after a share of the step, with the contacts `from` its start at
    /// the positions `start`, J.
    pub fn energy(&mut self, world: &World, from: &[Stencil], start: &[Vec3], x: &[Vec3], share: f64) -> f64 {
        self.rest_at(world, x, share);
        let pressed: f64 = self.stencils.iter().map(|stencil| stencil.law.energy(stencil.gap)).sum();
        pressed + from.iter().map(|stencil| stencil.rubbed(stencil.sum(|i| x[i] - start[i]))).sum::<f64>()
    }

    /// Takes a state from the contacts `from` its start to `x`, which the guard allows.
    pub fn go(&mut self, from: &[Stencil], x: &[Vec3], state: &mut State) -> Result<(), Rejection> {
        if let Some(surface) = &self.surface {
            self.yields.passing.sort_unstable();
            self.yields.passing.dedup();
            self.crossed.finish(surface, x, &self.meshes.end, &self.yields.passing, state.exempt.most)?;
            self.crossed.accept(&mut state.exempt);
        }
        let (most, start) = (state.touching.most, &state.x);
        let list = &mut state.touching.list;
        list.clear();
        list.extend(from.iter().take(most).map(|stencil| {
            let slip = stencil.slip_after(stencil.sum(|i| x[i] - start[i]));
            Anchor { key: stencil.key, slip, normal: stencil.force }
        }));
        state.x.copy_from_slice(x);
        Ok(())
    }
}

impl Barrier {
    /// Adds the contacts of this step to those of bodies, with their forces at its start, where particles are at `x`.
    pub fn tell(&self, world: &World, x: &[Vec3], contact: &mut Contacts) {
        for stencil in self.stencils.iter().filter(|stencil| stencil.body != NO_BODY) {
            let (body, force) = (stencil.body, stencil.push(Vec3::ZERO));
            let Some(vertex) = stencil.single() else {
                stencil.used().for_each(|(i, weight)| contact.pushes.add(body, i as usize, force * weight));
                continue;
            };
            let pose = Pose::of(&world.bodies[body as usize], self.still.map_or(0.0, |[at, _]| at));
            let (sticks, point) = (friction::sticks(stencil.slip), pose.to_body(x[vertex as usize]));
            contact.add(Contact { vertex, body, sticks, point, force });
        }
        contact.join();
    }
}
