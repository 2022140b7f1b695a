//! How good a run is: time and quality together.

use super::simulate::Ran;
use crate::words;
use serde_json::{Map, Value, json};

/// For people, a line.
pub fn line(ran: &Ran) -> String {
    let report = &ran.outcome.report;
    let mut parts = vec![format!(
        "{}, {} ms each in {} steps",
        words::count(report.frames, "frame"),
        words::number(report.ms_per_frame),
        words::number(steps_per_frame(ran)),
    )];
    parts.push(format!(
        "largest stretch {} % at {} s",
        words::number(100.0 * report.max_stretch),
        words::number(when(ran))
    ));
    parts.extend(ran.kinetic.map(|kinetic| format!("kinetic energy at the end {} J", words::number(kinetic))));
    parts.join("; ")
}

/// For programs.
pub fn json(ran: &Ran) -> Map<String, Value> {
    let report = &ran.outcome.report;
    let Value::Object(object) = json!({
        "folder": ran.outcome.folder.display().to_string(),
        "status": report.status.to_string(),
        "frames": report.frames,
        "frames_planned": report.frames_planned,
        "simulated": ran.outcome.simulated,
        "time": report.time,
        "ms_per_frame": report.ms_per_frame,
        "cpu_ms_per_frame": report.cpu_ms_per_frame,
        "steps_per_frame": steps_per_frame(ran),
        "max_stretch": report.max_stretch,
        "max_stretch_time": when(ran),
        "kinetic": ran.kinetic,
        "vertices": report.vertices,
        "triangles": report.triangles,
        "warnings": report.warnings,
    }) else {
        unreachable!("an object was written")
    };
    object
}

fn steps_per_frame(ran: &Ran) -> f64 {
    let report = &ran.outcome.report;
    report.totals.steps as f64 / report.frames.max(1) as f64
}

/// Time of the largest stretch, s.
fn when(ran: &Ran) -> f64 {
    let report = &ran.outcome.report;
    report.totals.maxima.max_stretch_frame as f64 / report.fps
}
