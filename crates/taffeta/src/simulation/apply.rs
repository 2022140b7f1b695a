//! What an action changes in a world.

use super::{Action, ActionError};
use crate::Vec3;
use crate::setup::{Key, Motion};
use crate::world::{CompiledLoad, Grab, HeldSet, World};

/// Whether an action can be done.
pub(super) fn check(world: &World, action: &Action) -> Result<(), ActionError> {
    let positive = |what, value: f64, help| match value > 0.0 && value.is_finite() {
        true => Ok(()),
        false => Err(ActionError::Value { what, value, help }),
    };
    let finite = |what, v: Vec3| match v.to_array().into_iter().find(|part| !part.is_finite()) {
        None => Ok(()),
        Some(value) => Err(ActionError::Value { what, value, help: "give finite numbers" }),
    };
    let time = |value: f64| match value >= 0.0 && value.is_finite() {
        true => Ok(()),
        false => Err(ActionError::Value { what: "the time that it takes", value, help: "give 0 s or more" }),
    };
    let vertex = |vertex: u32| match (vertex as usize) < world.mass.len() {
        true => Ok(()),
        false => Err(ActionError::NoVertex { vertex, count: world.mass.len() }),
    };
    match action {
        Action::MovePin { shift, turn, over, .. } | Action::MoveBody { shift, turn, over, .. } => {
            finite("a shift", *shift)?;
            finite("a turn", *turn)?;
            time(*over)
        }
        Action::Grab { point, to, stiffness, limit, .. } => {
            point.iter().try_for_each(|(v, _)| vertex(*v))?;
            let sum: f64 = point.iter().map(|part| part.1).sum();
            if !point.iter().all(|part| part.1.is_finite()) || (sum - 1.0).abs() > 1e-6 {
                return Err(ActionError::Value { what: "the sum of weights", value: sum, help: "it must be 1" });
            }
            // the matrix has places for the vertices of a triangle
            let mut vertices = point.map(|part| part.0);
            let used = point.map(|part| part.1 != 0.0);
            for k in 0..3 {
                if !used[k] {
                    vertices[k] = vertices[used.iter().position(|used| *used).unwrap_or(0)];
                }
            }
            let on = |triangle: &[u32; 3]| vertices.iter().all(|v| triangle.contains(v));
            if !world.triangles.iter().any(on) {
                return Err(ActionError::NoTriangle { vertices: point.map(|part| part.0) });
            }
            finite("a place", *to)?;
            positive("the stiffness of a grab", *stiffness, "give a number above 0, in N/m")?;
            positive("the limit of a grab", *limit, "give a number above 0, in N")
        }
        Action::Drag { to, over, .. } => {
            finite("a place", *to)?;
            time(*over)
        }
        Action::Push { vertices, force, .. } => {
            vertices.iter().try_for_each(|v| vertex(*v))?;
            finite("a force", *force)
        }
        Action::Gravity(gravity) => finite("gravity", *gravity),
        Action::Wind(wind) => finite("the wind", *wind),
        Action::Step(step) => positive("a step", *step, "give a number above 0, in s"),
        Action::LetGo { .. } => Ok(()),
    }
}

/// Changes a world as an action at time `now` wants it.
pub(super) fn apply(world: &mut World, now: f64, action: &Action) -> Result<(), ActionError> {
    let (h, frame) = (world.h, 1.0 / world.fps);
    let missing = |what, name: &str, list: Vec<String>| ActionError::NoName { what, name: name.into(), list };
    match action {
        Action::MovePin { pin, shift, turn, over } => {
            let number = world.pin_names.iter().position(|name| name == pin);
            let number = number.ok_or_else(|| missing("pin", pin, world.pin_names.clone()))?;
            go_on(&mut world.pins[number], now, over.max(h), *shift, *turn);
        }
        Action::MoveBody { body, shift, turn, over } => {
            let names = || world.bodies.iter().map(|body| body.name.clone()).collect();
            let number = world.bodies.iter().position(|known| known.name == *body);
            let number = number.ok_or_else(|| missing("body", body, names()))?;
            go(&mut world.bodies[number].motion, now, over.max(h), *shift, *turn);
        }
        Action::Grab { grab, point, to, stiffness, limit } => {
            world.grabs.retain(|known| known.number != *grab);
            let target = Motion { keys: vec![Key { t: now, shift: *to, turn: Vec3::ZERO }], smooth: false };
            world.grabs.push(Grab { number: *grab, point: *point, target, stiffness: *stiffness, limit: *limit });
        }
        Action::Drag { grab, to, over } => {
            let known = world.grabs.iter_mut().find(|known| known.number == *grab);
            let known = known.ok_or(ActionError::NoGrab { grab: *grab })?;
            go(&mut known.target, now, over.max(h), *to, Vec3::ZERO);
        }
        Action::LetGo { grab } => {
            let place = world.grabs.iter().position(|known| known.number == *grab);
            world.grabs.remove(place.ok_or(ActionError::NoGrab { grab: *grab })?);
        }
        Action::Push { push, vertices, force } => {
            world.loads.retain(|load| load.push != Some(*push));
            if *force != Vec3::ZERO && !vertices.is_empty() {
                let share = 1.0 / vertices.len() as f64;
                world.loads.push(CompiledLoad {
                    vertices: vertices.iter().map(|&v| (v, share)).collect(),
                    keys: vec![(now, *force)],
                    from: f64::NEG_INFINITY,
                    until: f64::INFINITY,
                    push: Some(*push),
                });
            }
        }
        Action::Gravity(gravity) => world.gravity = *gravity,
        Action::Wind(wind) => world.air.wind = *wind,
        Action::Step(step) => {
            let steps = (frame / step * (1.0 - 1e-9)).ceil().max(1.0);
            if steps > f64::from(u32::MAX) {
                let help = "a frame would take more than 4 billion steps";
                return Err(ActionError::Value { what: "a step", value: *step, help });
            }
            world.steps_per_frame = steps as u32;
            world.h = frame / steps;
        }
    }
    Ok(())
}

/// From where it is `now` in a straight line to a shift and a turn.
fn go(motion: &mut Motion, now: f64, over: f64, shift: Vec3, turn: Vec3) {
    let (here, turned) = motion.value_at(now);
    let keys = [(now, here, turned), (now + over, shift, turn)];
    *motion = Motion { keys: keys.map(|(t, shift, turn)| Key { t, shift, turn }).to_vec(), smooth: false };
}

/// As [`go`], but keeps what the motion of a pin counts from.
fn go_on(pin: &mut HeldSet, now: f64, over: f64, shift: Vec3, turn: Vec3) {
    let begun = pin.from.max(0.0);
    let (first_shift, first_turn) = pin.motion.value_at(begun);
    // shifts are from where it took hold
    go(&mut pin.motion, now, over, first_shift + shift, first_turn + turn);
    if begun <= now {
        pin.motion.keys.insert(0, Key { t: begun, shift: first_shift, turn: first_turn });
    }
}
