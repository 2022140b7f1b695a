//! Figures of a run: time and quality.

use super::simulate::Ran;
use crate::words;
use serde_json::{Map, Value, json};
use taffeta_files::run::Report;

/// Time and quality of a run in one line of text.
pub fn line(ran: &Ran) -> String {
    let report = &ran.outcome.report;
    if report.extra.contains_key("converged") {
        return equilibrium(report);
    }
    let mut parts = vec![format!(
        "{}, {} ms each in {}",
        words::count(report.frames, "frame"),
        words::number(report.ms_per_frame),
        steps(ran),
    )];
    parts.push(format!(
        "largest stretch {} % at {} s",
        words::number(100.0 * report.max_stretch),
        words::number(when(ran))
    ));
    parts.extend(ran.kinetic.map(|kinetic| format!("kinetic energy at the end {} J", words::number(kinetic))));
    parts.join("; ")
}

/// How the time of the simulation was spent, in one line for people; `None` if it was not measured.
pub fn time(report: &Report) -> Option<String> {
    let totals = &report.totals;
    let whole = totals.simulate_ms;
    let phases = [
        ("forces", totals.forces_ms),
        ("solving", totals.solve_ms),
        ("contact", totals.contact_ms),
        ("limit", totals.limit_ms),
    ];
    let known: f64 = phases.iter().map(|(_, ms)| ms).sum();
    if known == 0.0 || whole == 0.0 {
        return None;
    }
    let share = |(name, ms): (&str, f64)| format!("{name} {:.0} %", 100.0 * ms / whole);
    let parts: Vec<String> = phases.into_iter().chain([("rest", (whole - known).max(0.0))]).map(share).collect();
    Some(format!("time: {}", parts.join(", ")))
}

/// When the run went over to the method with contact, in one line for people.
pub fn went_over(report: &Report) -> Option<String> {
    let time = report.went_over?;
    Some(format!("method: bdf2 from {} s on, where cloth came near itself", words::number(time)))
}

/// What contact by the barrier did, in one line for people.
pub fn barrier(report: &Report) -> Option<String> {
    let maxima = &report.totals.maxima;
    let gap = maxima.smallest_gap.filter(|_| maxima.barrier_contacts > 0)?;
    Some(format!(
        "contact: up to {} at a time, pressed together by {} % at most, cloth at least {} mm from what it touches; the \
         guard took {} % of the motion of a frame at most",
        words::count(maxima.barrier_contacts, "contact"),
        words::number(100.0 * maxima.compression),
        words::number(1000.0 * gap),
        words::number(100.0 * maxima.cut),
    ))
}

/// Which bodies gave way, in one line for people; `None` if none did.
pub fn gave_way(report: &Report) -> Option<String> {
    let totals = &report.totals;
    let body = |body: usize| report.bodies.get(body).map_or("?", String::as_str);
    let own = totals.maxima.gave_way.iter();
    let names: Vec<String> =
        own.map(|own| format!("`{}` to up to {}", body(own.body), words::count(own.triangles, "triangle"))).collect();
    (!names.is_empty()).then(|| {
        format!("no room: in {} bodies gave way: {}", words::count(totals.gave_way_frames, "frame"), names.join(", "))
    })
}

/// An equilibrium in one line for people.
fn equilibrium(report: &Report) -> String {
    let value = |name: &str| report.extra.get(name).and_then(Value::as_f64);
    let mut parts = vec![
        format!(
            "{} in {} s",
            words::count(report.totals.newton, "iteration"),
            words::number(report.totals.simulate_ms / 1000.0)
        ),
        match value("residual").zip(value("residual_share")) {
            Some((residual, share)) => format!(
                "largest net force {} N, {} % of a particle's weight",
                words::number(residual),
                words::number(100.0 * share)
            ),
            None => "no net forces were computed".into(),
        },
        format!("largest stretch {} %", words::number(100.0 * report.max_stretch)),
    ];
    if report.extra.get("stable") == Some(&json!(false)) && report.extra.get("converged") == Some(&json!(true)) {
        parts.push("the energy has no minimum there".into());
    }
    parts.join("; ")
}

/// Time and quality of a run as JSON.
pub fn json(ran: &Ran) -> Map<String, Value> {
    let report = &ran.outcome.report;
    let Value::Object(mut object) = json!({
        "folder": ran.outcome.folder.display().to_string(),
        "status": report.status.to_string(),
        "frames": report.frames,
        "frames_planned": report.frames_planned,
        "simulated": ran.outcome.simulated,
        "time": report.time,
        "ms_per_frame": report.ms_per_frame,
        "cpu_ms_per_frame": report.cpu_ms_per_frame,
        "steps_per_frame": steps_per_frame(ran),
        "rejected": report.totals.rejected,
        "iterations": report.totals.iterations,
        "iterations_per_step": iterations_per_step(ran),
        "factorisations": report.totals.factorisations,
        "shortest_step": report.totals.maxima.shortest_step,
        "max_stretch": report.max_stretch,
        // an equilibrium has no time
        "max_stretch_time": (!report.extra.contains_key("converged")).then(|| when(ran)),
        "crossings": report.crossings,
        "crossings_with_bodies": report.crossings_with_bodies,
        "went_over": report.went_over,
        "kinetic": ran.kinetic,
        "vertices": report.vertices,
        "triangles": report.triangles,
        "warnings": report.warnings,
    }) else {
        unreachable!("an object was written")
    };
    // figures of an equilibrium
    for name in ["converged", "residual", "residual_share", "stable", "stages", "stage"] {
        object.extend(report.extra.get(name).map(|value| (name.to_string(), value.clone())));
    }
    object
}

/// Steps per frame, with iterations, factorisations and rejected steps where there are any.
fn steps(ran: &Ran) -> String {
    let totals = &ran.outcome.report.totals;
    let each = steps_per_frame(ran);
    let mut text = format!("{} step{}", words::number(each), if each == 1.0 { "" } else { "s" });
    if totals.iterations > 0 {
        text += &format!(" of {} iterations", words::number(iterations_per_step(ran)));
    }
    if totals.factorisations > 0 {
        let each = totals.factorisations as f64 / totals.steps.max(1) as f64;
        let word = if each == 1.0 { "factorisation" } else { "factorisations" };
        text += &format!(" and {} {word}", words::number(each));
    }
    if totals.rejected > 0 {
        text += &format!(
            ", {} rejected, the shortest {} s",
            words::count(totals.rejected, "step"),
            words::number(totals.maxima.shortest_step)
        );
    }
    text
}

fn iterations_per_step(ran: &Ran) -> f64 {
    let totals = &ran.outcome.report.totals;
    totals.iterations as f64 / totals.steps.max(1) as f64
}

fn steps_per_frame(ran: &Ran) -> f64 {
    let report = &ran.outcome.report;
    report.totals.steps as f64 / report.frames.max(1) as f64
}

/// The time of the largest stretch, s.
fn when(ran: &Ran) -> f64 {
    let report = &ran.outcome.report;
    report.totals.maxima.max_stretch_frame as f64 / report.fps
}
