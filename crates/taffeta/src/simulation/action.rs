//! What can be done to a simulation from outside while it runs.

use crate::Vec3;

/// Something that is done between two steps.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// A pin goes to a new target in a straight line.
    MovePin {
        /// Its name, as in [`World::pin_names`](crate::World::pin_names).
        pin: String,
        /// m from where it took hold.
        shift: Vec3,
        /// Degrees about x, y and z in that order, about the middle of its vertices.
        turn: Vec3,
        /// s that it takes; 0: one step.
        over: f64,
    },
    /// A body goes to a new pose in a straight line; its velocity follows.
    MoveBody {
        /// Its name.
        body: String,
        /// m from its place.
        shift: Vec3,
        /// Degrees about x, y and z in that order, about its origin.
        turn: Vec3,
        /// s that it takes; 0: one step.
        over: f64,
    },
    /// A spring takes hold of a point of the cloth.
    Grab {
        /// A number to call it by.
        grab: u32,
        /// Particles of the point, numbered over all cloths, and their weights, which add to 1.
        point: [(u32, f64); 3],
        /// Where it is pulled to, m.
        to: Vec3,
        /// N/m.
        stiffness: f64,
        /// The spring never pulls harder, N.
        limit: f64,
    },
    /// The place that a grab pulls to goes elsewhere in a straight line.
    Drag {
        /// Its number.
        grab: u32,
        /// m.
        to: Vec3,
        /// s that it takes; 0: one step.
        over: f64,
    },
    /// A grab ends.
    LetGo {
        /// Its number.
        grab: u32,
    },
    /// A force acts on particles, shared equally, until another one takes its place. Zero ends it.
    Push {
        /// A number to call it by.
        push: u32,
        /// Numbered over all cloths.
        vertices: Vec<u32>,
        /// In all, N.
        force: Vec3,
    },
    /// Acceleration of gravity, m/s².
    Gravity(Vec3),
    /// Wind, m/s.
    Wind(Vec3),
    /// The longest step, s, from the next frame on.
    Step(f64),
}

/// An action and when it was done.
#[derive(Clone, Debug, PartialEq)]
pub struct TimedAction {
    /// Finished frames.
    pub frame: u64,
    /// Finished steps of the frame in work.
    pub step: u32,
    /// s; says the same as the two numbers, and shows that a replay is true.
    pub time: f64,
    /// What was done.
    pub action: Action,
}

/// Why an action cannot be done.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ActionError {
    /// No pin or body has the name.
    #[error("there is no {what} `{name}`{}", nearest(list))]
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
    /// The points of a grab do not lie on one triangle.
    #[error("vertices {vertices:?} are not those of one triangle: a grab holds a point of the cloth")]
    NoTriangle {
        /// The vertices.
        vertices: [u32; 3],
    },
    /// A recorded action comes at another time than it was recorded at.
    #[error(
        "an action was recorded at {recorded} s, and here it would be done at {here} s: the recording is of another scene"
    )]
    OtherTime {
        /// s.
        recorded: f64,
        /// s.
        here: f64,
    },
}

fn nearest(list: &[String]) -> String {
    match list {
        [] => ": there are none".into(),
        list => format!("; there are {}", list.join(", ")),
    }
}
