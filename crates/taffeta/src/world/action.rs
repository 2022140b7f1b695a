//! What an action changes in a world, and whether it can be done.

use super::{CompiledLoad, Grab, HeldSet, World};
use crate::Vec3;
use crate::setup::{Action, Body, Key, Motion, TimedAction};

/// Why an action cannot be done.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ActionError {
    /// No pin or body has the name.
    #[error("there is no {what} `{name}`{}", known(list))]
    NoName {
        /// What was meant.
        what: &'static str,
        /// The name that was given.
        name: String,
        /// Names that there are.
        list: Vec<String>,
    },
    /// No grab has the number.
    #[error("there is no grab {grab}: it was never taken, or let go")]
    NoGrab {
        /// The number.
        grab: u32,
    },
    /// A vertex that is not there.
    #[error("there is no vertex {vertex}: there are {count}, numbered from 0 over all cloths")]
    NoVertex {
        /// The vertex.
        vertex: u32,
        /// How many there are.
        count: usize,
    },
    /// A number that makes no sense.
    #[error("{what} cannot be {value}: {help}")]
    Value {
        /// What it is.
        what: &'static str,
        /// The number.
        value: f64,
        /// What it should be.
        help: &'static str,
    },
    /// The vertices of a grab do not belong to one triangle.
    #[error("vertices {vertices:?} are not those of one triangle: a grab holds a point of the cloth")]
    NoTriangle {
        /// The vertices.
        vertices: [u32; 3],
    },
    /// The recorded time is not that of the recorded frame and step.
    #[error("it is recorded at {recorded} s, but step {step} of frame {frame} begins at {here} s")]
    OtherTime {
        /// Finished frames.
        frame: u64,
        /// Finished steps of the frame in work.
        step: u32,
        /// s.
        recorded: f64,
        /// s.
        here: f64,
    },
    /// A change of the step is recorded within a frame.
    #[error("a step of another length begins with a frame, and this one is recorded after {step} steps of it")]
    WithinFrame {
        /// Finished steps of the frame in work.
        step: u32,
    },
}

impl ActionError {
    /// A way out.
    pub fn help(&self) -> &'static str {
        match self {
            ActionError::NoName { .. } => "correct the name",
            ActionError::NoGrab { .. } => "grab a point before it is dragged or let go, and use the same number",
            ActionError::NoVertex { .. } => "give a vertex that there is",
            ActionError::Value { .. } => "correct the number",
            ActionError::NoTriangle { .. } => "give the three vertices of a triangle, or one vertex",
            ActionError::OtherTime { .. } => {
                "replay it with the scene, the method and the time step that it was recorded with"
            }
            ActionError::WithinFrame { .. } => "record it with `step` 0",
        }
    }
}

/// Names that are shown; more are counted.
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

/// Steps in a frame at most: they are counted by 32 bits.
const MOST_STEPS: f64 = u32::MAX as f64;

impl World {
    /// Checks recorded actions in their order. `Err` has the place of the first that cannot be done.
    pub(crate) fn check_actions(&self, actions: &[TimedAction]) -> Result<(), (usize, ActionError)> {
        let mut grabs: Vec<u32> = self.grabs.iter().map(|grab| grab.number).collect();
        for (i, timed) in actions.iter().enumerate() {
            self.check_recorded(timed, &grabs).map_err(|error| (i, error))?;
            match timed.action {
                Action::Grab { grab, .. } => grabs.push(grab),
                Action::LetGo { grab } => grabs.retain(|known| *known != grab),
                _ => {}
            }
        }
        Ok(())
    }

    fn check_recorded(&self, timed: &TimedAction, grabs: &[u32]) -> Result<(), ActionError> {
        let &TimedAction { frame, step, time, ref action } = timed;
        let (begin, end) = (frame as f64 / self.fps, (frame as f64 + 1.0) / self.fps);
        let fits = if step == 0 { time == begin } else { time > begin && time < end };
        if !fits {
            return Err(ActionError::OtherTime { frame, step, recorded: time, here: begin });
        }
        if matches!(action, Action::Step(_)) && step > 0 {
            return Err(ActionError::WithinFrame { step });
        }
        self.check_action(action, |grab| grabs.contains(&grab))
    }

    /// Whether an action can be done; `has_grab` says which grabs there are.
    pub(crate) fn check_action(&self, action: &Action, has_grab: impl Fn(u32) -> bool) -> Result<(), ActionError> {
        let positive = |what, value: f64, help| match value > 0.0 && value.is_finite() {
            true => Ok(()),
            false => Err(ActionError::Value { what, value, help }),
        };
        let finite = |what, v: Vec3| match v.to_array().into_iter().find(|part| !part.is_finite()) {
            None => Ok(()),
            Some(value) => Err(ActionError::Value { what, value, help: "give finite numbers" }),
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
                    Action::MovePin { pin, .. } => drop(self.pin_number(pin)?),
                    Action::MoveBody { body, .. } => drop(self.body_number(body)?),
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

    /// Whether weights add to 1 and vertices belong to one triangle: the matrix has places for these alone.
    fn check_point(&self, point: &[(u32, f64); 3]) -> Result<(), ActionError> {
        let sum: f64 = point.iter().map(|part| part.1).sum();
        if !point.iter().all(|part| part.1.is_finite()) || (sum - 1.0).abs() > 1e-6 {
            return Err(ActionError::Value { what: "the sum of weights", value: sum, help: "it must be 1" });
        }
        let used = point.iter().filter(|part| part.1 != 0.0);
        let on = |triangle: &[u32; 3]| used.clone().all(|(v, _)| triangle.contains(v));
        match self.triangles.iter().any(on) {
            true => Ok(()),
            false => Err(ActionError::NoTriangle { vertices: point.map(|part| part.0) }),
        }
    }

    /// The place of a pin in [`World::pin_names`].
    pub(crate) fn pin_number(&self, name: &str) -> Result<usize, ActionError> {
        let number = self.pin_names.iter().position(|known| known == name);
        let missing = || ActionError::NoName { what: "pin", name: name.into(), list: self.pin_names.clone() };
        number.ok_or_else(missing)
    }

    /// The place of a body in [`World::bodies`].
    pub(crate) fn body_number(&self, name: &str) -> Result<usize, ActionError> {
        let number = self.bodies.iter().position(|known| known.name == name);
        let names = || self.bodies.iter().map(|body| body.name.clone()).collect();
        number.ok_or_else(|| ActionError::NoName { what: "body", name: name.into(), list: names() })
    }

    /// Steps that a frame is cut into if they may be no longer than `longest`, s. A step that divides the frame but for
    /// rounding divides it.
    pub(crate) fn steps_of(&self, longest: f64) -> f64 {
        (1.0 / self.fps / longest * (1.0 - 1e-9)).ceil().max(1.0)
    }

    /// Changes the world as an action at time `now` wants it. One that was not checked may do nothing.
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
                self.grabs.push(Grab { number: *grab, point: *point, target, stiffness: *stiffness, limit: *limit });
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
            }
        }
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
    let times = (0..).map(|frame| f64::from(frame) / fps).take_while(|t| *t < end);
    keys.extend(times.map(|t| {
        let (shift, turn) = motion.value_at(t);
        Key { t, shift, turn }
    }));
}

/// From where it is `now` in a straight line to a shift and a turn.
fn go(motion: &mut Motion, now: f64, over: f64, shift: Vec3, turn: Vec3) {
    let (here, turned) = motion.value_at(now);
    let keys = [(now, here, turned), (now + over, shift, turn)];
    *motion = Motion { keys: keys.map(|(t, shift, turn)| Key { t, shift, turn }).to_vec(), smooth: false };
}

/// As [`go`]. A pin counts shifts from where it took hold, and keeps that key.
fn move_pin(pin: &mut HeldSet, now: f64, over: f64, shift: Vec3, turn: Vec3) {
    let begun = pin.from.max(0.0);
    let (first_shift, first_turn) = pin.motion.value_at(begun);
    go(&mut pin.motion, now, over, first_shift + shift, first_turn + turn);
    if begun <= now {
        pin.motion.keys.insert(0, Key { t: begun, shift: first_shift, turn: first_turn });
    }
}
