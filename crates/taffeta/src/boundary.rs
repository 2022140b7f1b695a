//! The first part of a step: finds where pins hold the cloth.

use crate::Vec3;
use crate::linear::filter::{FREE, Held};
use crate::state::{Exempt, Past, State, Touching};
use crate::world::World;
use glam::DMat3;

/// Vertices held in the current step.
#[derive(Default)]
pub(crate) struct Boundary {
    pub held: Vec<Held>,
    /// The index of each particle in `held`, or [`FREE`].
    pub slot: Vec<u32>,
    /// Number of vertices that pins hold. Vertices held by bodies follow them in the list.
    pinned: usize,
    /// The value of [`Held::pin`] for bodies.
    bodies: u32,
    /// Whether a pin takes hold or lets go in this step.
    pub jump: bool,
}

impl Boundary {
    pub fn new(world: &World) -> Self {
        let pinned: usize = world.pins.iter().map(|pin| pin.vertices.len()).sum();
        // bodies may hold all other vertices
        let most = if world.solids.is_empty() { pinned } else { world.mass.len() };
        Self {
            held: Vec::with_capacity(most),
            slot: vec![FREE; world.mass.len()],
            pinned: 0,
            bodies: world.pins.len() as u32,
            jump: false,
        }
    }

    /// Removes the vertices that bodies hold.
    pub fn drop_contacts(&mut self) {
        for held in self.held.drain(self.pinned..) {
            self.slot[held.vertex as usize] = FREE;
        }
    }

    /// Lets a body hold a particle that no pin holds, at a given position and velocity at the end of the step.
    pub fn hold_contact(&mut self, vertex: u32, free: DMat3, end: Vec3, speed: Vec3) {
        self.slot[vertex as usize] = self.held.len() as u32;
        self.held.push(Held {
            vertex,
            pin: self.bodies,
            free,
            middle: end,
            end,
            speed,
            start_speed: speed,
            middle_speed: speed,
            end_speed: speed,
        });
    }

    /// Lets what is held rest at the end of the step.
    pub fn stop(&mut self) {
        self.held.iter_mut().for_each(|held| held.end_speed = Vec3::ZERO);
    }

    /// The inverse of the mass that a particle has in contacts, 1/kg: 0 where it is held in all directions.
    pub fn inverse_mass(&self, world: &World, i: usize) -> f64 {
        match self.slot[i] {
            FREE => 1.0 / world.mass[i],
            slot if self.held[slot as usize].free == DMat3::ZERO => 0.0,
            _ => 1.0 / world.mass[i],
        }
    }

    /// Whether a pin holds a particle.
    pub fn is_pinned(&self, i: usize) -> bool {
        self.slot[i] != FREE && (self.slot[i] as usize) < self.pinned
    }

    /// Finds the held vertices for the step of length `h` that starts at the state's time. If several pins hold a
    /// vertex, the first one counts.
    pub fn advance(&mut self, world: &World, state: &State, h: f64) {
        for held in &self.held {
            self.slot[held.vertex as usize] = FREE;
        }
        self.held.clear();
        self.pinned = 0;
        self.jump = world.pins.iter().zip(&state.holds).any(|(pin, holds)| pin.is_on(state.time) != *holds);
        if !world.components.pins {
            return;
        }
        let t = state.time;
        for (number, pin) in world.pins.iter().enumerate() {
            if !pin.is_on(t) {
                continue;
            }
            let takes_hold = !state.holds[number];
            let anchor = |i: usize| {
                if takes_hold { state.x[pin.vertices[i] as usize] } else { state.anchors[pin.first_anchor + i] }
            };
            let count = pin.vertices.len();
            let origin = (0..count).map(anchor).sum::<Vec3>() / count.max(1) as f64;
            for (i, &vertex) in pin.vertices.iter().enumerate() {
                if self.slot[vertex as usize] != FREE {
                    continue;
                }
                let [start, middle, end] = [t, t + 0.5 * h, t + h].map(|t| pin.place(t, origin, anchor(i)));
                self.slot[vertex as usize] = self.held.len() as u32;
                let speed = (end - start) / h;
                let [start_speed, middle_speed, end_speed] = [(t, true), (t + 0.5 * h, false), (t + h, false)]
                    .map(|(t, leaving)| pin.velocity(t, origin, anchor(i), leaving));
                self.held.push(Held {
                    vertex,
                    pin: number as u32,
                    free: pin.free,
                    middle,
                    end,
                    speed,
                    start_speed,
                    middle_speed,
                    end_speed,
                });
            }
        }
        self.pinned = self.held.len();
    }
}

/// Stores which pins hold, and where the vertices of each pin were when it took hold.
pub(crate) fn remember(world: &World, state: &mut State) {
    for (pin, holds) in world.pins.iter().zip(&mut state.holds) {
        let on = pin.is_on(state.time);
        if on && !*holds {
            for (i, &vertex) in pin.vertices.iter().enumerate() {
                state.anchors[pin.first_anchor + i] = state.x[vertex as usize];
            }
        }
        *holds = on;
    }
}

impl World {
    /// The state at time 0.
    pub fn start(&self) -> State {
        let anchors = self.pins.iter().flat_map(|pin| pin.vertices.iter().map(|&v| self.start[v as usize]));
        let mut state = State {
            frame: 0,
            step: 0,
            elapsed: 0.0,
            time: 0.0,
            control: Default::default(),
            x: self.start.clone(),
            v: self.velocity.clone(),
            anchors: anchors.collect(),
            // pins that hold from the start already have their anchors
            holds: self.pins.iter().map(|pin| pin.is_on(0.0)).collect(),
            touching: Touching { most: self.most_contacts(), list: Vec::new() },
            exempt: Exempt {
                most: self.most_exempt(),
                list: self.crossing_at_start().to_vec(),
                most_inside: self.most_inside(),
                inside: Vec::new(),
            },
            contacts: Vec::with_capacity(if self.can_touch() { self.start.len() } else { 0 }),
            past: match self.has_past() {
                true => Past { h: 0.0, x: self.start.clone(), v: self.velocity.clone() },
                false => Past::default(),
            },
            went_over: None,
        };
        // held vertices move with their pins from the start
        let mut boundary = Boundary::new(self);
        boundary.advance(self, &state, self.h);
        for held in &boundary.held {
            let i = held.vertex as usize;
            state.v[i] = held.mix(state.v[i], held.start_speed);
        }
        state
    }
}
