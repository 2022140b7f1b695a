//! Checks actions and applies them to a world.

use super::{CompiledLoad, Grab, HeldSet, World};
use crate::Vec3;
use crate::setup::{Action, Body, Key, Motion, TimedAction};
use glam::{DQuat, EulerRot};
use std::collections::BTreeSet;

/// Why an action cannot be done.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ActionError {
    /// No pin or body has the name.
    #[error("there is no {what} `{name}`{}", known(list))]
    NoName {
        /// Kind of thing that was named.
        what: &'static str,
        /// Name that was given.
        name: String,
        /// Existing names.
        list: Vec<String>,
    },
    /// No grab has the number.
    #[error("there is no grab {grab}: it was never taken, or let go")]
    NoGrab {
        /// Number of the grab.
        grab: u32,
    },
    /// A vertex does not exist.
    #[error("there is no vertex {vertex}: there are {count}, numbered from 0 over all cloths")]
    NoVertex {
        /// Number of the vertex.
        vertex: u32,
        /// Number of vertices.
        count: usize,
    },
    /// A number makes no sense.
    #[error("{what} cannot be {value:?}: {help}")]
    Value {
        /// Name of the quantity.
        what: &'static str,
        /// Value that was given.
        value: f64,
        /// What the value should be.
        help: &'static str,
    },
    /// A push has no vertices.
    #[error("a push needs vertices")]
    NoVertices,
    /// A pin is moved before it takes hold.
    #[error("pin `{pin}` takes hold at {from} s only")]
    NotHeld {
        /// Name of the pin.
        pin: String,
        /// Time at which the pin takes hold, s.
        from: f64,
    },
    /// The vertices of a grab do not belong to one triangle.
    #[error("vertices {vertices:?} are not those of one triangle: a grab holds a point of the cloth")]
    NoTriangle {
        /// Vertices of the grab.
        vertices: [u32; 3],
    },
    /// The recorded time is not that of the recorded frame and step.
    #[error("it is recorded at {recorded} s, but after frame {frame} and step {step} the time is {here} s")]
    OtherTime {
        /// Number of finished frames.
        frame: u64,
        /// Number of finished steps of the current frame.
        step: u32,
        /// Recorded time, s.
        recorded: f64,
        /// Time that belongs to the frame and step, s.
        here: f64,
    },
    /// A change of the step is recorded within a frame.
    #[error("a step of another length begins with a frame, and this one is recorded after {step} steps of it")]
    WithinFrame {
        /// Number of finished steps of the current frame.
        step: u32,
    },
}

impl ActionError {
    /// How to solve the problem.
    pub fn help(&self) -> &'static str {
        match self {
            ActionError::NoName { .. } => "correct the name",
            ActionError::NoGrab { .. } => "grab a point before it is dragged or let go, and use the same number",
            ActionError::NoVertex { .. } => "give a vertex that there is",
            ActionError::NoVertices => "give the vertices that it acts on; a force of zero ends it",
            ActionError::NotHeld { .. } => "move it later, or let it take hold earlier (`from`)",
            ActionError::Value { .. } => "correct the number",
            ActionError::NoTriangle { .. } => "give the three vertices of a triangle, or one vertex",
            ActionError::OtherTime { .. } => {
                "replay it with the scene, the method and the time step that it was recorded with"
            }
            ActionError::WithinFrame { .. } => "record it with `step` 0",
        }
    }
}

/// Number of names that are shown; more are counted.
const SHOWN: usize = 8;

fn known(list: &[String]) -> String {
    match list {
        [] => ": there are none".into(),
        list if list.len() > SHOWN => {
            format!("; there are {} and {} more", list[..SHOWN].join(", "), list.len() - SHOWN)
        }
        list => format!("; there are {}", list.join(", ")),
    }
}

/// Largest stiffness of a grab, as a share of m/h² of its point, in methods that treat it explicitly. They are stable
/// up to 4 m/h², cloth included.
const GRAB_SHARE: f64 = 0.2;

/// Largest number of mistakes in a recording that are reported.
const MOST_WRONG: usize = 20;

/// How far the sum of weights may be from 1: weights are read with a few digits.
const WEIGHTS: f64 = 1e-6;

/// Largest size of positions (m), forces (N) and other values. Their squares are far from overflow.
const LARGEST: f64 = 1e12;

/// Largest number of frames at which a smooth motion is sampled, for pictures and exports.
const MOST_SAMPLES: u32 = 1_000_000;

/// Largest number of steps in a frame, which are counted in 32 bits.
const MOST_STEPS: f64 = u32::MAX as f64;

impl World {
    /// Checks recorded actions in order. Returns what is wrong, with the indices of the first actions that cannot be
    /// done.
    pub(crate) fn check_actions(&self, actions: &[TimedAction]) -> Vec<(usize, ActionError)> {
        let mut grabs: BTreeSet<u32> = self.grabs.iter().map(|grab| grab.number).collect();
        let mut wrong = Vec::new();
        for (i, timed) in actions.iter().enumerate() {
            if let Err(error) = self.check_recorded(timed, &grabs) {
                wrong.push((i, error));
                if wrong.len() == MOST_WRONG {
                    break;
                }
            }
            match timed.action {
                Action::Grab { grab, .. } => _ = grabs.insert(grab),
                Action::LetGo { grab } => _ = grabs.remove(&grab),
                _ => {}
            }
        }
        wrong
    }

    fn check_recorded(&self, timed: &TimedAction, grabs: &BTreeSet<u32>) -> Result<(), ActionError> {
        let &TimedAction { frame, step, time, ref action } = timed;
        let (begin, end) = (frame as f64 / self.fps, (frame as f64 + 1.0) / self.fps);
        let fits = if step == 0 { time == begin } else { time > begin && time < end };
        if !fits {
            return Err(ActionError::OtherTime { frame, step, recorded: time, here: begin });
        }
        if matches!(action, Action::Step(_)) && step > 0 {
            return Err(ActionError::WithinFrame { step });
        }
        self.check_action(time, action, |grab| grabs.contains(&grab))
    }

    /// Whether an action can be done at time `now`; `has_grab` says which grabs there are.
    pub(crate) fn check_action(
        &self,
        now: f64,
        action: &Action,
        has_grab: impl Fn(u32) -> bool,
    ) -> Result<(), ActionError> {
        let positive = |what, value: f64, help| match value > 0.0 && value.is_finite() {
            true => Ok(()),
            false => Err(ActionError::Value { what, value, help }),
        };
        let finite = |what, v: Vec3| match v.to_array().into_iter().find(|part| part.is_nan() || part.abs() > LARGEST) {
            None => Ok(()),
            Some(value) => Err(ActionError::Value { what, value, help: "give finite numbers up to 1e12" }),
        };
        let duration = |value: f64| match value >= 0.0 && value.is_finite() {
            true => Ok(()),
            false => Err(ActionError::Value { what: "the time that it takes", value, help: "give 0 s or more" }),
        };
        let vertex = |vertex: u32| match (vertex as usize) < self.mass.len() {
            true => Ok(()),
            false => Err(ActionError::NoVertex { vertex, count: self.mass.len() }),
        };
        let grabbed = |grab: u32| if has_grab(grab) { Ok(()) } else { Err(ActionError::NoGrab { grab }) };
        match action {
            Action::MovePin { shift, turn, over, .. } | Action::MoveBody { shift, turn, over, .. } => {
                match action {
                    Action::MovePin { pin, .. } => {
                        let from = self.pins[self.pin_number(pin)?].from;
                        if from > now {
                            return Err(ActionError::NotHeld { pin: pin.clone(), from });
                        }
                    }
                    Action::MoveBody { body, .. } => {
                        self.body_number(body)?;
                    }
                    _ => {}
                }
                finite("a shift", *shift)?;
                finite("a turn", *turn)?;
                duration(*over)
            }
            Action::Grab { point, to, stiffness, limit, .. } => {
                point.iter().try_for_each(|(v, _)| vertex(*v))?;
                self.check_point(point)?;
                finite("a place", *to)?;
                positive("the stiffness of a grab", *stiffness, "give a number above 0, in N/m")?;
                positive("the limit of a grab", *limit, "give a number above 0, in N")
            }
            Action::Drag { grab, to, over } => {
                grabbed(*grab)?;
                finite("a place", *to)?;
                duration(*over)
            }
            Action::LetGo { grab } => grabbed(*grab),
            Action::Push { vertices, force, .. } => {
                vertices.iter().try_for_each(|v| vertex(*v))?;
                if vertices.is_empty() && *force != Vec3::ZERO {
                    return Err(ActionError::NoVertices);
                }
                finite("a force", *force)
            }
            Action::Gravity(gravity) => finite("gravity", *gravity),
            Action::Wind(wind) => finite("the wind", *wind),
            Action::Step(step) => {
                positive("a step", *step, "give a number above 0, in s")?;
                match self.steps_of(*step) > MOST_STEPS {
                    false => Ok(()),
                    true => {
                        let help = "a frame would take more than 4 billion steps";
                        Err(ActionError::Value { what: "a step", value: *step, help })
                    }
                }
            }
        }
    }

    /// Checks that weights add to 1 and that vertices belong to one triangle: the matrix has places only for these.
    fn check_point(&self, point: &[(u32, f64); 3]) -> Result<(), ActionError> {
        let sum: f64 = point.iter().map(|part| part.1).sum();
        if !point.iter().all(|part| part.1.is_finite()) || (sum - 1.0).abs() > WEIGHTS {
            return Err(ActionError::Value { what: "the sum of weights", value: sum, help: "it must be 1" });
        }
        let used = point.iter().filter(|part| part.1 != 0.0);
        let on = |triangle: &[u32; 3]| used.clone().all(|(v, _)| triangle.contains(v));
        match self.triangles.iter().any(on) {
            true => Ok(()),
            false => Err(ActionError::NoTriangle { vertices: point.map(|part| part.0) }),
        }
    }

    /// Index of a pin in [`World::pin_names`].
    pub(crate) fn pin_number(&self, name: &str) -> Result<usize, ActionError> {
        let number = self.pin_names.iter().position(|known| known == name);
        let missing = || ActionError::NoName { what: "pin", name: name.into(), list: self.pin_names.clone() };
        number.ok_or_else(missing)
    }

    /// Index of a body in [`World::bodies`].
    pub(crate) fn body_number(&self, name: &str) -> Result<usize, ActionError> {
        let number = self.bodies.iter().position(|known| known.name == name);
        let names = || self.bodies.iter().map(|body| body.name.clone()).collect();
        number.ok_or_else(|| ActionError::NoName { what: "body", name: name.into(), list: names() })
    }

    /// Number of steps in a frame if they may be no longer than `longest`, s. A step that divides the frame up to
    /// rounding counts as dividing it.
    pub(crate) fn steps_of(&self, longest: f64) -> f64 {
        (1.0 / self.fps / longest * (1.0 - 1e-9)).ceil().max(1.0)
    }

    /// Applies an action at time `now` to the world. An unchecked action may do nothing.
    pub(crate) fn apply(&mut self, now: f64, action: &Action) {
        let h = self.h;
        match action {
            Action::MovePin { pin, shift, turn, over } => {
                if let Ok(number) = self.pin_number(pin) {
                    move_pin(&mut self.pins[number], now, over.max(h), *shift, *turn);
                }
            }
            Action::MoveBody { body, shift, turn, over } => {
                if let Ok(number) = self.body_number(body) {
                    go(&mut self.bodies[number].motion, now, over.max(h), *shift, *turn);
                }
            }
            Action::Grab { grab, point, to, stiffness, limit } => {
                self.grabs.retain(|known| known.number != *grab);
                let target = Motion { keys: vec![Key { t: now, shift: *to, turn: Vec3::ZERO }], smooth: false };
                let (number, point, wanted, limit) = (*grab, *point, *stiffness, *limit);
                self.grabs.push(Grab { number, point, target, wanted, stiffness: wanted, limit });
                self.soften_grabs();
            }
            Action::Drag { grab, to, over } => {
                if let Some(known) = self.grabs.iter_mut().find(|known| known.number == *grab) {
                    go(&mut known.target, now, over.max(h), *to, Vec3::ZERO);
                }
            }
            Action::LetGo { grab } => self.grabs.retain(|known| known.number != *grab),
            Action::Push { push, vertices, force } => {
                self.loads.retain(|load| load.push != Some(*push));
                if *force != Vec3::ZERO && !vertices.is_empty() {
                    let share = 1.0 / vertices.len() as f64;
                    self.loads.push(CompiledLoad {
                        vertices: vertices.iter().map(|&v| (v, share)).collect(),
                        keys: vec![(now, *force)],
                        from: f64::NEG_INFINITY,
                        until: f64::INFINITY,
                        push: Some(*push),
                    });
                }
            }
            Action::Gravity(gravity) => self.gravity = *gravity,
            Action::Wind(wind) => self.air.wind = *wind,
            Action::Step(step) => {
                let steps = self.steps_of(*step).min(MOST_STEPS);
                self.steps_per_frame = steps as u32;
                self.h = 1.0 / self.fps / steps;
                self.longest = self.h;
                self.soften_grabs();
            }
        }
    }

    /// Limits the stiffness of grabs to what the step allows, for methods that do not solve for them.
    fn soften_grabs(&mut self) {
        if self.method.is_implicit() && self.method.has_matrix() {
            return;
        }
        for grab in &mut self.grabs {
            let inverse: f64 = grab.point.iter().map(|&(i, weight)| weight * weight / self.mass[i as usize]).sum();
            grab.stiffness = grab.wanted.min(GRAB_SHARE / (inverse * self.h * self.h));
        }
    }

    /// The shortest and the longest step, s, that the recorded actions ask for, before halving.
    pub(crate) fn step_lengths(&self) -> [f64; 2] {
        let lengths = self.actions.iter().filter_map(|timed| match timed.action {
            Action::Step(longest) => Some(1.0 / self.fps / self.steps_of(longest)),
            _ => None,
        });
        lengths.fold([self.h; 2], |[least, most], h| [least.min(h), most.max(h)])
    }

    /// The bodies as the recorded actions move them, for pictures and exports: exact at the ends of frames.
    pub fn moved_bodies(&self) -> Vec<Body> {
        let mut bodies = self.bodies.clone();
        let mut earlier: Vec<Vec<Key>> = vec![Vec::new(); bodies.len()];
        let mut h = self.h;
        for TimedAction { time, action, .. } in self.actions.iter() {
            match action {
                Action::Step(longest) => h = 1.0 / self.fps / self.steps_of(*longest),
                Action::MoveBody { body, shift, turn, over } => {
                    let Ok(number) = self.body_number(body) else { continue };
                    let motion = &mut bodies[number].motion;
                    keys_until(motion, *time, self.fps, &mut earlier[number]);
                    go(motion, *time, over.max(h), *shift, *turn);
                }
                _ => {}
            }
        }
        for (body, earlier) in bodies.iter_mut().zip(earlier) {
            body.motion.keys.splice(..0, earlier);
        }
        bodies
    }
}

/// The keys of a motion before `end`. A smooth one becomes a key at the end of each frame.
fn keys_until(motion: &Motion, end: f64, fps: f64, keys: &mut Vec<Key>) {
    if !motion.smooth {
        keys.extend(motion.keys.iter().filter(|key| key.t < end));
        return;
    }
    // a motion does not change after its last key
    let last = motion.keys.last().map_or(0.0, |key| key.t + 1.0 / fps);
    let times = (0..MOST_SAMPLES).map(|frame| f64::from(frame) / fps).take_while(|t| *t < end.min(last));
    keys.extend(times.map(|t| {
        let (shift, turn) = motion.value_at(t);
        Key { t, shift, turn }
    }));
}

/// Moves from the pose at `now` in a straight line to a shift and a turn.
fn go(motion: &mut Motion, now: f64, over: f64, shift: Vec3, turn: Vec3) {
    let (here, turned) = motion.value_at(now);
    let keys = [(now, here, turned), (now + over, shift, turn)];
    *motion = Motion { keys: keys.map(|(t, shift, turn)| Key { t, shift, turn }).to_vec(), smooth: false };
}

/// Like [`go`]. A pin counts shifts and turns from where it took hold, which becomes the first key.
fn move_pin(pin: &mut HeldSet, now: f64, over: f64, shift: Vec3, turn: Vec3) {
    let begun = pin.from.max(0.0);
    let (first_shift, first_turn) = pin.motion.value_at(begun);
    let (here, turned) = pin.motion.value_at(now);
    let relative = match (first_turn == Vec3::ZERO, pin.motion.at(begun), pin.motion.at(now)) {
        (false, Some((_, first)), Some((_, now))) => degrees(now * first.inverse()),
        _ => turned,
    };
    let mut keys =
        vec![(begun, Vec3::ZERO, Vec3::ZERO), (now, here - first_shift, relative), (now + over, shift, turn)];
    // a pin that is moved when it takes hold would have two keys at that time
    keys.dedup_by_key(|key| key.0);
    pin.motion =
        Motion { keys: keys.into_iter().map(|(t, shift, turn)| Key { t, shift, turn }).collect(), smooth: false };
}

/// The turns about the fixed x, y and z axes, in that order, that make a rotation.
fn degrees(turn: DQuat) -> Vec3 {
    let (z, y, x) = turn.to_euler(EulerRot::ZYX);
    Vec3::new(x.to_degrees(), y.to_degrees(), z.to_degrees())
}
