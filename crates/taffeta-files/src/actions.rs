//! Actions applied to a simulation from outside, one JSON object per line: `actions.jsonl`.
//!
//! Every line has `frame` (finished frames), `step` (finished steps of the frame in progress; 0 if absent), `time` in s
//! (required unless `step` is 0) and `action`, with the keys of that action. Empty lines are skipped.

use crate::DiskError;
use crate::nearest;
use crate::problem::{Collector, Problems};
use crate::text::{self, shown};
use crate::whole;
use crate::wrong::Wrong;
use serde_json::{Map, Value, json};
use std::path::Path;
use taffeta::{Action, TimedAction, Vec3};

/// A recorded action and its line number, counted from 1.
pub type Recorded = (TimedAction, usize);

/// Reads recorded actions; `fps` is the frame rate of the scene.
///
/// ```
/// let text = br#"{ "frame": 30, "action": "wind", "wind": [3, 0, 0] }"#;
/// let (first, line) = &taffeta_files::actions::parse(text, 60.0)?[0];
/// assert_eq!((first.time, *line), (0.5, 1));
/// # Ok::<(), taffeta_files::Problems>(())
/// ```
pub fn parse(bytes: &[u8], fps: f64) -> Result<Vec<Recorded>, Problems> {
    let mut problems = Collector::default();
    let mut actions = Vec::new();
    if bytes.contains(&0) {
        problems.add(None, Wrong::Binary);
        return problems.finish(actions);
    }
    for (line, text) in text::lines(bytes) {
        if text.trim_ascii().is_empty() {
            continue;
        }
        match one(text, fps) {
            Ok(action) => actions.push((action, line)),
            Err(wrong) => problems.add(line, wrong),
        }
    }
    problems.finish(actions)
}

/// Formats recorded actions as lines. Numbers keep all their digits: [`parse`] gives the same bits.
pub fn to_jsonl(actions: &[TimedAction]) -> String {
    actions.iter().map(|timed| format!("{}\n", Value::Object(line(timed)))).collect()
}

/// Writes recorded actions to a file, which appears only when it is complete.
pub fn write(path: &Path, actions: &[TimedAction]) -> Result<(), DiskError> {
    whole::write(path, to_jsonl(actions).as_bytes())
}

/// The names of the actions in a file, each with its keys.
const ACTIONS: [(&str, &[&str]); 9] = [
    ("move-pin", &["pin", "shift", "turn", "over"]),
    ("move-body", &["body", "shift", "turn", "over"]),
    ("grab", &["grab", "vertices", "weights", "to", "stiffness", "limit"]),
    ("drag", &["grab", "to", "over"]),
    ("let-go", &["grab"]),
    ("push", &["push", "vertices", "force"]),
    ("gravity", &["gravity"]),
    ("wind", &["wind"]),
    ("time-step", &["seconds"]),
];

/// Keys that every line may have.
const COMMON: [&str; 4] = ["frame", "step", "time", "action"];

fn line(timed: &TimedAction) -> Map<String, Value> {
    let vector = |v: Vec3| json!(v.to_array());
    let (name, values): (&str, Value) = match &timed.action {
        Action::MovePin { pin, shift, turn, over } => {
            ("move-pin", json!({ "pin": pin, "shift": vector(*shift), "turn": vector(*turn), "over": over }))
        }
        Action::MoveBody { body, shift, turn, over } => {
            ("move-body", json!({ "body": body, "shift": vector(*shift), "turn": vector(*turn), "over": over }))
        }
        Action::Grab { grab, point, to, stiffness, limit } => {
            let (vertices, weights) = (point.map(|part| part.0), point.map(|part| part.1));
            let to = vector(*to);
            let values = json!({ "grab": grab, "vertices": vertices, "weights": weights, "to": to,
                "stiffness": stiffness, "limit": limit });
            ("grab", values)
        }
        Action::Drag { grab, to, over } => ("drag", json!({ "grab": grab, "to": vector(*to), "over": over })),
        Action::LetGo { grab } => ("let-go", json!({ "grab": grab })),
        Action::Push { push, vertices, force } => {
            ("push", json!({ "push": push, "vertices": vertices, "force": vector(*force) }))
        }
        Action::Gravity(gravity) => ("gravity", json!({ "gravity": vector(*gravity) })),
        Action::Wind(wind) => ("wind", json!({ "wind": vector(*wind) })),
        Action::Step(seconds) => ("time-step", json!({ "seconds": seconds })),
    };
    let place = json!({ "frame": timed.frame, "step": timed.step, "time": timed.time, "action": name });
    let objects = [place, values].into_iter().filter_map(|value| match value {
        Value::Object(object) => Some(object),
        _ => None,
    });
    objects.flatten().collect()
}

fn one(text: &[u8], fps: f64) -> Result<TimedAction, Wrong> {
    let wrong = |error: serde_json::Error| {
        let (what, column) = (error.to_string(), error.column());
        // the line number is already known
        let what = what.split(" at line").next().unwrap_or_default();
        Wrong::Line { what: format!("{what} at column {column}"), help: LINE.into() }
    };
    let object = match serde_json::from_slice(text).map_err(wrong)? {
        Value::Object(object) => object,
        _ => return Err(Wrong::Line { what: "this is not a JSON object".into(), help: LINE.into() }),
    };
    let fields = Fields(object);
    let name = fields.text("action")?;
    let Some((_, keys)) = ACTIONS.iter().find(|(known, _)| *known == name) else {
        let names = || ACTIONS.iter().map(|action| action.0);
        let help = match nearest(&name, names()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are {}", names().collect::<Vec<_>>().join(", ")),
        };
        return Err(Wrong::Line { what: format!("there is no action `{}`", shown(name.as_bytes())), help });
    };
    fields.refuse_others(&name, keys)?;
    let zero = || Ok(Vec3::ZERO);
    let action = match name.as_str() {
        "move-pin" | "move-body" => {
            let shift = fields.vector("shift")?;
            let turn = if fields.has("turn") { fields.vector("turn") } else { zero() }?;
            let over = fields.number_or("over", 0.0)?;
            match name.as_str() {
                "move-pin" => Action::MovePin { pin: fields.text("pin")?, shift, turn, over },
                _ => Action::MoveBody { body: fields.text("body")?, shift, turn, over },
            }
        }
        "grab" => Action::Grab {
            grab: fields.count("grab")?,
            point: fields.point()?,
            to: fields.vector("to")?,
            stiffness: fields.number("stiffness")?,
            limit: fields.number("limit")?,
        },
        "drag" => {
            Action::Drag { grab: fields.count("grab")?, to: fields.vector("to")?, over: fields.number_or("over", 0.0)? }
        }
        "let-go" => Action::LetGo { grab: fields.count("grab")? },
        "push" => {
            Action::Push { push: fields.count("push")?, vertices: fields.vertices()?, force: fields.vector("force")? }
        }
        "gravity" => Action::Gravity(fields.vector("gravity")?),
        "wind" => Action::Wind(fields.vector("wind")?),
        _ => Action::Step(fields.number("seconds")?),
    };
    let frame = fields.whole("frame")?;
    let step = if fields.has("step") { fields.count("step")? } else { 0 };
    let time = match (fields.has("time"), step) {
        (true, _) => fields.number("time")?,
        (false, 0) => frame as f64 / fps,
        (false, _) => return Err(fields.missing("time", "within a frame the exact time in s is needed")),
    };
    Ok(TimedAction { frame, step, time, action })
}

const LINE: &str = "write one object a line: { \"frame\": 30, \"action\": \"wind\", \"wind\": [3, 0, 0] }";

/// The values of a line.
struct Fields(Map<String, Value>);

impl Fields {
    fn has(&self, key: &str) -> bool {
        self.0.contains_key(key)
    }

    fn missing(&self, key: &str, help: &str) -> Wrong {
        Wrong::Line { what: format!("`{key}` is missing"), help: help.into() }
    }

    fn get(&self, key: &str) -> Result<&Value, Wrong> {
        self.0.get(key).ok_or_else(|| self.missing(key, &format!("add `\"{key}\": …`")))
    }

    fn not<T>(&self, key: &str, wanted: &str) -> Result<T, Wrong> {
        let value = shown(self.0[key].to_string().as_bytes());
        let what = format!("`{key}` cannot be {value}");
        Err(Wrong::Line { what, help: format!("give {wanted}") })
    }

    /// Refuses keys that this action does not have.
    fn refuse_others(&self, action: &str, keys: &[&str]) -> Result<(), Wrong> {
        let known = || COMMON.iter().chain(keys).copied();
        let Some(other) = self.0.keys().find(|key| known().all(|known| known != key.as_str())) else { return Ok(()) };
        let help = match nearest(other, known()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("`{action}` has {}", keys.join(", ")),
        };
        Err(Wrong::Line { what: format!("`{action}` has no `{}`", shown(other.as_bytes())), help })
    }

    fn text(&self, key: &str) -> Result<String, Wrong> {
        match self.get(key)? {
            Value::String(text) => Ok(text.clone()),
            _ => self.not(key, "a name in quotation marks"),
        }
    }

    fn number(&self, key: &str) -> Result<f64, Wrong> {
        self.get(key)?.as_f64().map_or_else(|| self.not(key, "a number"), Ok)
    }

    fn number_or(&self, key: &str, other: f64) -> Result<f64, Wrong> {
        if self.has(key) { self.number(key) } else { Ok(other) }
    }

    /// A number of frames: no run has so many that f64 cannot count them.
    fn whole(&self, key: &str) -> Result<u64, Wrong> {
        let whole = self.get(key)?.as_u64().filter(|whole| *whole < 1 << 53);
        whole.map_or_else(|| self.not(key, "a whole number from 0 on"), Ok)
    }

    fn count(&self, key: &str) -> Result<u32, Wrong> {
        let count = self.get(key)?.as_u64().and_then(|count| u32::try_from(count).ok());
        count.map_or_else(|| self.not(key, "a whole number from 0 to 4294967295"), Ok)
    }

    fn numbers(&self, key: &str) -> Result<Vec<f64>, Wrong> {
        let list = self.get(key)?.as_array().and_then(|list| list.iter().map(Value::as_f64).collect());
        list.map_or_else(|| self.not(key, "a list of numbers"), Ok)
    }

    fn vector(&self, key: &str) -> Result<Vec3, Wrong> {
        match self.numbers(key)?[..] {
            [x, y, z] => Ok(Vec3::new(x, y, z)),
            _ => self.not(key, "three numbers"),
        }
    }

    fn vertices(&self) -> Result<Vec<u32>, Wrong> {
        let vertex = |value: &Value| u32::try_from(value.as_u64()?).ok();
        let list = self.get("vertices")?.as_array().and_then(|list| list.iter().map(vertex).collect());
        list.map_or_else(|| self.not("vertices", "a list of vertices, numbered from 0 over all cloths"), Ok)
    }

    /// A vertex, or several with their weights.
    fn point(&self) -> Result<[(u32, f64); 3], Wrong> {
        let vertices = self.vertices()?;
        let weights = match (self.has("weights"), vertices.len()) {
            (true, _) => self.numbers("weights")?,
            (false, 1) => vec![1.0],
            (false, _) => return Err(self.missing("weights", "give as many weights as vertices, which add to 1")),
        };
        if vertices.is_empty() || vertices.len() > 3 {
            return self.not("vertices", "the three vertices of a triangle, or one vertex");
        }
        if weights.len() != vertices.len() {
            return self.not("weights", "as many weights as vertices");
        }
        Ok(std::array::from_fn(|i| match i < vertices.len() {
            true => (vertices[i], weights[i]),
            false => (vertices[0], 0.0),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every_kind() -> Vec<TimedAction> {
        let v = |x: f64| Vec3::new(x, -1.0 / 3.0, 1e-300);
        let point = [(0, 0.1), (7, 0.2), (4294967295, 0.7)];
        let actions = vec![
            Action::MovePin { pin: "a \"b\"\n.pin[0]".into(), shift: v(0.1), turn: v(-0.0), over: 0.3 },
            Action::MoveBody { body: "ball".into(), shift: v(1e300), turn: v(90.0), over: 0.0 },
            Action::Grab { grab: 3, point, to: v(0.7), stiffness: 1e-7, limit: 123456789.123456 },
            Action::Drag { grab: 3, to: v(std::f64::consts::PI), over: 1.0 / 60.0 },
            Action::LetGo { grab: 3 },
            Action::Push { push: 0, vertices: vec![1, 2, 3], force: v(5e-324) },
            Action::Gravity(v(9.81)),
            Action::Wind(v(3.0)),
            Action::Step(1.0 / 720.0),
        ];
        let timed = |(i, action)| TimedAction { frame: i as u64, step: 2, time: (i as f64 + 0.3) / 60.0, action };
        actions.into_iter().enumerate().map(timed).collect()
    }

    #[test]
    fn a_recording_is_read_to_the_same_bits() {
        let actions = every_kind();
        let text = to_jsonl(&actions);
        let read = parse(text.as_bytes(), 60.0).unwrap();
        assert_eq!(read.len(), ACTIONS.len());
        for ((action, line), (i, expected)) in read.iter().zip(actions.iter().enumerate()) {
            // `==` treats -0 as 0
            assert_eq!((format!("{action:?}"), *line), (format!("{expected:?}"), i + 1));
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("actions.jsonl");
        write(&path, &actions).unwrap();
        assert_eq!(std::fs::read_to_string(path).unwrap(), text);
    }

    #[test]
    fn what_is_left_out_has_a_default() {
        let text = "\n{\"frame\": 6, \"action\": \"grab\", \"grab\": 1, \"vertices\": [5], \"to\": [0,1,0], \
                    \"stiffness\": 50, \"limit\": 2}\n\n{\"frame\":7,\"action\":\"drag\",\"grab\":1,\"to\":[0,0,0]}";
        let read = parse(text.as_bytes(), 24.0).unwrap();
        assert_eq!(read.iter().map(|(_, line)| *line).collect::<Vec<_>>(), [2, 4]);
        assert_eq!(read[0].0.time, 0.25);
        let Action::Grab { point, .. } = &read[0].0.action else { panic!() };
        assert_eq!(*point, [(5, 1.0), (5, 0.0), (5, 0.0)]);
        assert!(parse(b"\n  \n", 60.0).unwrap().is_empty());
    }

    #[test]
    fn mistakes_are_named_with_their_lines() {
        let wrong = |text: &str| {
            let problems = parse(text.as_bytes(), 60.0).unwrap_err();
            format!("{}; {}", problems.list[0], problems.list[0].help())
        };
        for (text, expected) in [
            ("{", "line 1: EOF while parsing an object"),
            ("[1]", "line 1: this is not a JSON object"),
            ("{\"frame\":1,\"action\":\"wnd\",\"wind\":[0,0,0]}", "there is no action `wnd`; did you mean `wind`?"),
            ("{\"frame\":1,\"action\":\"wind\",\"wnid\":[0,0,0]}", "`wind` has no `wnid`; did you mean `wind`?"),
            ("{\"frame\":1,\"action\":\"wind\",\"wind\":[0,0]}", "`wind` cannot be [0,0]; give three numbers"),
            ("{\"frame\":1.5,\"action\":\"let-go\",\"grab\":1}", "`frame` cannot be 1.5; give a whole number"),
            ("{\"frame\":1,\"action\":\"let-go\",\"grab\":-1}", "`grab` cannot be -1"),
            ("{\"frame\":1,\"step\":2,\"action\":\"let-go\",\"grab\":1}", "`time` is missing; within a frame"),
            ("{\"action\":\"let-go\",\"grab\":1}", "`frame` is missing"),
            ("{\"frame\":0}", "`action` is missing"),
            (
                "{\"frame\":0,\"action\":\"grab\",\"grab\":1,\"vertices\":[1,2],\"to\":[0,0,0],\
                 \"stiffness\":1,\"limit\":1}",
                "`weights` is missing",
            ),
        ] {
            assert!(wrong(text).contains(expected), "{text}: {}", wrong(text));
        }
        assert_eq!(parse(b"{}\n{}\n", 60.0).unwrap_err().list.len(), 2);
        assert!(parse(b"\x00", 60.0).is_err());
    }
}
