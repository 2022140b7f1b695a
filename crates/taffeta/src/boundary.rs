//! Where pins are: step 1 of a step.

use crate::{Motion, State, Vec3, World};
use glam::DMat3;

/// A pin, compiled.
#[derive(Clone, Debug)]
pub(crate) struct HeldSet {
    /// Vertices and the place of their anchors in [`State::anchors`].
    pub vertices: Vec<u32>,
    pub first_anchor: usize,
    pub free: DMat3,
    pub motion: Motion,
    pub from: f64,
    pub until: f64,
}

/// A vertex that is held during a step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Held {
    pub vertex: u32,
    pub pin: u32,
    /// Free directions.
    pub free: DMat3,
    /// Where it is held at the middle of the step, m.
    pub middle: Vec3,
    /// Where it is held at the end of the step, m.
    pub end: Vec3,
    /// How fast the held place moves in the mean of the step, m/s.
    pub speed: Vec3,
    /// How fast it moves as the step starts, m/s.
    pub start_speed: Vec3,
    /// How fast it moves at the middle of the step, m/s.
    pub middle_speed: Vec3,
    /// How fast it moves at the end of the step, m/s: the mean instead would cost damped cloth the method's order.
    pub end_speed: Vec3,
}

/// A time within a step at which a method looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Moment {
    Middle,
    End,
}

impl Held {
    /// Puts the held directions of position and velocity where the pin has them.
    pub fn hold(&self, moment: Moment, x: &mut Vec3, v: &mut Vec3) {
        let place = if moment == Moment::End { self.end } else { self.middle };
        *x = self.mix(*x, place);
        *v = self.mix(*v, self.speed_at(moment));
    }

    /// How fast the held place moves, m/s.
    pub fn speed_at(&self, moment: Moment) -> Vec3 {
        if moment == Moment::End { self.end_speed } else { self.middle_speed }
    }

    /// Free directions from `free`, held ones from `held`; exact where all are held.
    pub fn mix(&self, free: Vec3, held: Vec3) -> Vec3 {
        if self.free == DMat3::ZERO { held } else { held + self.free * (free - held) }
    }
}

/// Slots of vertices that no pin holds.
pub(crate) const FREE: u32 = u32::MAX;

/// Held vertices of the step in work.
#[derive(Default)]
pub(crate) struct Boundary {
    pub held: Vec<Held>,
    /// For each particle its place in `held`, or [`FREE`].
    pub slot: Vec<u32>,
    /// Whether a pin takes hold or lets go with this step.
    pub jump: bool,
}

impl Boundary {
    pub fn new(world: &World) -> Self {
        let pinned: usize = world.pins.iter().map(|pin| pin.vertices.len()).sum();
        // bodies may hold all the others
        let most = if world.solids.is_empty() { pinned } else { world.mass.len() };
        Self { held: Vec::with_capacity(most), slot: vec![FREE; world.mass.len()], jump: false }
    }

    /// Forgets what bodies hold, which is behind the pins.
    pub fn leave_pins(&mut self, world: &World) {
        let pins = self.held.partition_point(|held| (held.pin as usize) < world.pins.len());
        for held in self.held.drain(pins..) {
            self.slot[held.vertex as usize] = FREE;
        }
    }

    /// Finds what is held in the step of length `h` from the state's time. Of several pins on a vertex the first counts.
    pub fn advance(&mut self, world: &World, state: &State, h: f64) {
        for held in &self.held {
            self.slot[held.vertex as usize] = FREE;
        }
        self.held.clear();
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
    }
}

impl HeldSet {
    /// Where a vertex with this anchor is held at time `t`: the motion counts from the moment when the pin took hold.
    fn place(&self, t: f64, origin: Vec3, anchor: Vec3) -> Vec3 {
        let (Some((shift, turn)), Some((first_shift, first_turn))) =
            (self.motion.at(t), self.motion.at(self.from.max(0.0)))
        else {
            return anchor;
        };
        let shift = shift - first_shift;
        if turn == first_turn {
            anchor + shift
        } else {
            origin + turn * (first_turn.inverse() * (anchor - origin)) + shift
        }
    }

    /// How fast that place moves, as time comes to `t` or leaves it.
    pub fn velocity(&self, t: f64, origin: Vec3, anchor: Vec3, leaving: bool) -> Vec3 {
        let (shift, spin) = self.motion.rates(t, leaving);
        if spin == Vec3::ZERO {
            return shift;
        }
        // it turns with what stands still during the shift
        shift + spin.cross(self.place(t, origin, anchor) - self.place(t, origin, origin))
    }

    /// Whether it holds during a step that starts at `t`.
    pub fn is_on(&self, t: f64) -> bool {
        within(t, self.from, self.until)
    }

    /// Whether its vertices never have a free direction.
    pub fn holds_for_ever(&self) -> bool {
        self.free == DMat3::ZERO && self.from <= 0.0 && self.until == f64::INFINITY
    }
}

/// Whether something that acts from one time until another acts in a step that starts at `t`; a nanosecond of rounding in `t`
/// does not make it a step late.
pub(crate) fn within(t: f64, from: f64, until: f64) -> bool {
    t >= from - 1e-9 && t < until - 1e-9
}

/// Remembers where the vertices of a pin were when it took hold, and which pins hold.
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
