//! What the documents say is what the command does.

use crate::common::{Place, SMALL};
use serde_json::Value;

const FORMATS: &str = include_str!("../../../../docs/formats.md");
const THEORY: &str = include_str!("../../../../docs/theory.md");

/// Keys of an object, and of the objects in it.
fn keys(object: &Value, found: &mut Vec<String>) {
    for (key, value) in object.as_object().into_iter().flatten() {
        found.push(key.clone());
        keys(value, found);
    }
}

#[test]
fn every_key_of_a_frame_is_documented() {
    let place = Place::new();
    let floor = "[limiter]\nlimit = 0.001\n[[body]]\nplane = {}\nplace = { at = [0.0, -0.8, 0.0] }\n";
    place.write("small.toml", format!("{SMALL}{floor}"));
    place.done(&["run", "small.toml", "--no-still"]);
    let log = std::fs::read_to_string(place.path("runs/small/frames.jsonl")).unwrap();
    let mut found = Vec::new();
    log.lines().for_each(|line| keys(&serde_json::from_str(line).unwrap(), &mut found));
    assert!(found.len() > 100);
    let unknown: Vec<_> = found.iter().filter(|key| !FORMATS.contains(&format!("`{key}`"))).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}

/// z = √8 is where |A|² = 1 - z⁶/72 + z⁸/576 is 1 again.
#[test]
fn the_limit_of_runge_kutta_is_the_same_everywhere() {
    let place = Place::new();
    let limit = format!("{:.2}", 8f64.sqrt());
    assert!(place.done(&["methods", "rk4"]).stdout.contains(&format!("without damping: {limit}")));
    let row = THEORY.lines().find(|line| line.starts_with("| `rk4`")).unwrap();
    assert!(row.contains(&format!("z < {limit}")), "{row}");
}
