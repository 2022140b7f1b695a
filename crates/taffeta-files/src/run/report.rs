//! `report.json`: status and totals of a run, also while it is in progress.

use super::line::{GaveWayLine, OverlongLine, TooDeepLine};
use super::manifest::json;
use super::{FrameLine, RunError, names};
use crate::disk::{self, Durable, Naming};
use crate::{DiskError, Hash, Surface, cache, checkpoint};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::fs;
use std::path::Path;
use taffeta::Warning;

/// The status of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Status {
    Running,
    Finished,
    Interrupted,
    Failed,
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Status::Running => "running",
            Status::Finished => "finished",
            Status::Interrupted => "interrupted",
            Status::Failed => "failed",
        })
    }
}

/// `report.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Status of the run. A process that was killed leaves `running`.
    pub status: Status,
    /// Why it failed.
    pub error: Option<String>,
    /// Number of simulated frames, without the start.
    pub frames: u64,
    /// Number of planned frames.
    pub frames_planned: u64,
    /// Mean wall time of the simulation alone per frame, ms.
    pub ms_per_frame: f64,
    /// Mean CPU time of all threads in the simulation per frame, ms; `None` if the system does not report it.
    pub cpu_ms_per_frame: Option<f64>,
    /// Largest relative elongation of an edge over all frames.
    pub max_stretch: f64,
    /// Number of pairs of cloth triangles that cross in the last frame, counted up to a million; `None` until the run
    /// is finished.
    #[serde(default)]
    pub crossings: Option<u64>,
    /// Number of pairs of a triangle of the cloth and one of a body that is a mesh that cross in the last frame,
    /// counted up to a million; `None` until the run is finished.
    #[serde(default)]
    pub crossings_with_bodies: Option<u64>,
    /// When cloth came near itself and the run went over to the method with contact, s; `None` if it did not.
    #[serde(default)]
    pub went_over: Option<f64>,
    /// Simulated time, s.
    pub time: f64,
    /// Frames per second.
    pub fps: f64,
    /// Sums and maxima over all frames.
    pub totals: Totals,
    /// Number of vertices of all cloths.
    pub vertices: usize,
    /// Number of triangles of all cloths.
    pub triangles: usize,
    /// Names of the cloths.
    pub cloths: Vec<String>,
    /// Names of the pins, in the order of `pins` in `frames.jsonl`.
    pub pins: Vec<String>,
    /// Names of the bodies, in the order of `bodies` in `frames.jsonl`.
    #[serde(default)]
    pub bodies: Vec<String>,
    /// Hash (XXH3, 128 bits) of the scene and all its files.
    pub scene_hash: Hash,
    /// Versions of the program and of its files.
    pub versions: Versions,
    /// The machine that it ran on last.
    pub machine: Machine,
    /// Remarks for the user; nothing is wrong.
    pub warnings: Vec<ReportWarning>,
    /// Additional entries of a command.
    #[serde(flatten)]
    pub extra: serde_json::Map<String, serde_json::Value>,
}

/// Sums and maxima over all frames.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Totals {
    /// Number of steps.
    pub steps: u64,
    /// Number of steps that were repeated.
    pub rejected: u64,
    /// Number of linearisations of the implicit methods.
    #[serde(default)]
    pub newton: u64,
    /// Number of conjugate gradient iterations.
    pub iterations: u64,
    /// Number of factorisations instead of these.
    #[serde(default)]
    pub factorisations: u64,
    /// Number of springs that the limiter found too long.
    pub limited: u64,
    /// Number of factorisations of the limiter that enforces its limit.
    #[serde(default)]
    pub limiter_rounds: u64,
    /// Number of frames in which that limiter could not enforce its limit.
    #[serde(default)]
    pub overlong_frames: u64,
    /// Number of frames in which a point of the cloth is deeper inside a body than the cloth is thick.
    #[serde(default)]
    pub too_deep_frames: u64,
    /// Number of frames in which a body gave way because it left cloth no room.
    #[serde(default)]
    pub gave_way_frames: u64,
    /// Time of simulation, ms.
    pub simulate_ms: f64,
    /// CPU time of all threads during simulation, ms, as far as known.
    pub simulate_cpu_ms: f64,
    /// Number of frames whose CPU time is known.
    pub simulate_cpu_frames: u64,
    /// Time of forces and of assembling equations, ms. Like the next three, it is a part of `simulate_ms`.
    #[serde(default)]
    pub forces_ms: f64,
    /// Time of solving equations, ms.
    #[serde(default)]
    pub solve_ms: f64,
    /// Time of contact with bodies, ms.
    #[serde(default)]
    pub contact_ms: f64,
    /// Time of stretch limits, ms.
    #[serde(default)]
    pub limit_ms: f64,
    /// Number of searches for pairs that come near.
    #[serde(default)]
    pub searches: u64,
    /// Time of measuring, ms.
    pub measure_ms: f64,
    /// Time of writing, ms.
    pub write_ms: f64,
    /// Largest values.
    pub maxima: Maxima,
}

/// Extreme values over all frames: the smallest of `shortest_step` and `smallest_gap`, the largest of all others.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Maxima {
    /// Largest relative elongation of an edge.
    pub max_stretch: f64,
    /// The frame in which it occurred.
    pub max_stretch_frame: u64,
    /// Kinetic energy, J.
    pub kinetic: f64,
    /// Speed of the fastest vertex, m/s.
    pub max_speed: f64,
    /// Length of the longest step, s.
    #[serde(default)]
    pub step: f64,
    /// Length of the shortest step, s.
    #[serde(default)]
    pub shortest_step: f64,
    /// Number of steps that were repeated in a frame.
    #[serde(default)]
    pub rejected: u64,
    /// Number of successes before the step control tried a longer step.
    #[serde(default)]
    pub wait: u64,
    /// Number of linearisations in a frame.
    #[serde(default)]
    pub newton: u64,
    /// Number of conjugate gradient iterations in a frame.
    #[serde(default)]
    pub iterations: u64,
    /// Residual of the nonlinear equations as an acceleration, m/s²; `None` unless Newton iterations are enabled.
    #[serde(default)]
    pub residual: Option<f64>,
    /// The longest edge that the limiter could not keep within its limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overlong: Option<OverlongLine>,
    /// The point of the cloth that is deepest inside a body, in thicknesses, if deeper than one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub too_deep: Option<TooDeepLine>,
    /// Bodies that gave way, each with the largest number of triangles of cloth in a step.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gave_way: Vec<GaveWayLine>,
    /// Number of contacts by the barrier in a step.
    #[serde(default)]
    pub barrier_contacts: u64,
    /// Share of all motion that the guard took in a frame.
    #[serde(default)]
    pub cut: f64,
    /// How far contacts by the barrier are pressed together, a share of the distance at which they begin to push.
    #[serde(default)]
    pub compression: f64,
    /// Number of contacts at the end of a frame.
    pub contacts: u64,
    /// Smallest distance of middle surfaces from each other and from bodies, m; `None` if nothing can touch.
    pub smallest_gap: Option<f64>,
}

impl Totals {
    pub(super) fn add(&mut self, line: &FrameLine) {
        self.steps += line.steps;
        self.rejected += line.rejected;
        self.newton += line.newton;
        self.iterations += line.iterations;
        self.factorisations += line.factorisations;
        self.limited += line.limited;
        self.limiter_rounds += line.limiter_rounds;
        self.overlong_frames += u64::from(line.overlong.is_some());
        self.too_deep_frames += u64::from(line.too_deep.is_some());
        self.gave_way_frames += u64::from(!line.gave_way.is_empty());
        self.measure_ms += line.ms.measure;
        self.write_ms += line.ms.write;
        if line.frame > 0 {
            self.simulate_ms += line.ms.simulate;
            self.simulate_cpu_ms += line.ms.simulate_cpu.unwrap_or(0.0);
            self.simulate_cpu_frames += line.ms.simulate_cpu.is_some() as u64;
            self.forces_ms += line.ms.forces;
            self.solve_ms += line.ms.solve;
            self.contact_ms += line.ms.contact;
            self.limit_ms += line.ms.limit;
            self.searches += line.ms.searches;
        }
        let maxima = &mut self.maxima;
        if line.frame == 0 || line.max_stretch > maxima.max_stretch {
            maxima.max_stretch = line.max_stretch;
            maxima.max_stretch_frame = line.frame;
        }
        maxima.kinetic = maxima.kinetic.max(line.kinetic);
        maxima.max_speed = maxima.max_speed.max(line.max_speed);
        maxima.step = maxima.step.max(line.step);
        // the start has no steps
        if line.steps > 0 {
            let first = maxima.shortest_step == 0.0;
            maxima.shortest_step =
                if first { line.shortest_step } else { maxima.shortest_step.min(line.shortest_step) };
        }
        maxima.rejected = maxima.rejected.max(line.rejected);
        maxima.wait = maxima.wait.max(line.wait);
        maxima.newton = maxima.newton.max(line.newton);
        maxima.iterations = maxima.iterations.max(line.iterations);
        maxima.residual = either(maxima.residual, line.residual, f64::max);
        let longer = |a: &OverlongLine| line.overlong.is_none_or(|b| a.elongation >= b.elongation);
        maxima.overlong = maxima.overlong.filter(longer).or(line.overlong);
        let deeper = |a: &TooDeepLine| line.too_deep.is_none_or(|b| a.thicknesses >= b.thicknesses);
        maxima.too_deep = maxima.too_deep.filter(deeper).or(line.too_deep);
        for own in &line.gave_way {
            match maxima.gave_way.binary_search_by_key(&own.body, |known| known.body) {
                Ok(place) => maxima.gave_way[place].triangles = maxima.gave_way[place].triangles.max(own.triangles),
                Err(place) => maxima.gave_way.insert(place, *own),
            }
        }
        maxima.contacts = maxima.contacts.max(line.contacts);
        if let Some(barrier) = line.barrier {
            maxima.barrier_contacts = maxima.barrier_contacts.max(barrier.contacts);
            maxima.cut = maxima.cut.max(barrier.cut);
            maxima.compression = maxima.compression.max(barrier.compression);
        }
        maxima.smallest_gap = either(maxima.smallest_gap, line.smallest_gap, f64::min);
    }
}

/// Combines two values with `of`, or returns the one that is present.
fn either(a: Option<f64>, b: Option<f64>, of: fn(f64, f64) -> f64) -> Option<f64> {
    a.zip(b).map(|(a, b)| of(a, b)).or(a).or(b)
}

/// Versions of the program and of its files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Versions {
    /// The program.
    pub taffeta: String,
    /// Format of `positions.bin`.
    pub positions: u32,
    /// Format of `checkpoint.bin`.
    pub checkpoint: u32,
}

impl Default for Versions {
    fn default() -> Self {
        let taffeta = env!("CARGO_PKG_VERSION").to_string();
        Self { taffeta, positions: cache::VERSION, checkpoint: checkpoint::VERSION }
    }
}

/// A computer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// `linux`, `macos`, `windows`, ...
    pub os: String,
    /// `x86_64`, `aarch64`, ...
    pub arch: String,
    /// Number of processors that the system offers.
    pub cpus: usize,
    /// Number of threads used.
    pub threads: usize,
}

impl Machine {
    pub(super) fn here(threads: usize) -> Self {
        Self {
            os: std::env::consts::OS.into(),
            arch: std::env::consts::ARCH.into(),
            cpus: std::thread::available_parallelism().map_or(1, |n| n.get()),
            threads,
        }
    }
}

/// A remark for the user; nothing is wrong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReportWarning {
    /// The value in the scene that it concerns; may be empty.
    pub path: String,
    /// The text of the remark.
    pub message: String,
}

impl From<&Warning> for ReportWarning {
    fn from(warning: &Warning) -> Self {
        Self { path: warning.path.clone(), message: warning.message.clone() }
    }
}

/// Path of the warning about a limit that could not be enforced.
pub const LIMIT: &str = "limiter.limit";

/// Path of the warning about cloth that has passed through cloth.
pub const CROSSINGS: &str = "cloth";

/// Path of the warning about cloth that was deeper inside a body than it is thick.
pub const DEPTH: &str = "body";

impl Report {
    /// The report of a run without frames.
    pub(super) fn new(surface: &Surface, fps: f64, pins: &[String], scene_hash: Hash, threads: usize) -> Self {
        Self {
            status: Status::Running,
            error: None,
            frames: 0,
            frames_planned: 0,
            ms_per_frame: 0.0,
            cpu_ms_per_frame: None,
            max_stretch: 0.0,
            crossings: None,
            crossings_with_bodies: None,
            went_over: None,
            time: 0.0,
            fps,
            totals: Totals::default(),
            vertices: surface.rest.len(),
            triangles: surface.triangles.len(),
            cloths: surface.cloths.iter().map(|cloth| cloth.name.clone()).collect(),
            pins: pins.to_vec(),
            bodies: Vec::new(),
            scene_hash,
            versions: Versions::default(),
            machine: Machine::here(threads),
            warnings: Vec::new(),
            extra: Default::default(),
        }
    }

    /// Updates everything that follows from the totals.
    pub(super) fn update(&mut self, frames: u64, time: f64, totals: &Totals) {
        self.frames = frames;
        self.time = time;
        self.ms_per_frame = totals.simulate_ms / frames.max(1) as f64;
        self.cpu_ms_per_frame =
            (totals.simulate_cpu_frames > 0).then(|| totals.simulate_cpu_ms / totals.simulate_cpu_frames as f64);
        self.max_stretch = totals.maxima.max_stretch;
        self.totals = totals.clone();
        // while the run is in progress, a worse value replaces the last
        self.warnings.retain(|warning| warning.path != LIMIT && warning.path != DEPTH);
        let limit = totals.maxima.overlong.map(|over| (LIMIT, self.limit_message(&over, totals)));
        let depth = totals.maxima.too_deep.map(|deep| (DEPTH, self.depth_message(&deep, totals.too_deep_frames)));
        let added = limit.into_iter().chain(depth);
        self.warnings.extend(added.map(|(path, message)| ReportWarning { path: path.into(), message }));
    }

    fn limit_message(&self, over: &OverlongLine, totals: &Totals) -> String {
        let ([x, y, z], [a, b]) = (over.at, over.vertices);
        // name only what can hold the cloth
        let holders = match (self.pins.is_empty(), totals.maxima.contacts == 0) {
            (false, true) => "pins",
            (true, _) => "bodies",
            (false, false) => "pins or bodies",
        };
        let cloth = if totals.maxima.barrier_contacts > 0 { " or other cloth" } else { "" };
        format!(
            "the limit could not be kept in {}: at t = {:.4} s the edge between vertices {a} and {b} of `{}`, at \
             ({x:.3}, {y:.3}, {z:.3}) m, was elongated by {:.2} %; {holders}{cloth} hold it apart, or move too \
             far in a step",
            frames(totals.overlong_frames),
            over.time,
            self.cloths.get(over.cloth).map_or("?", String::as_str),
            100.0 * over.elongation
        )
    }

    fn depth_message(&self, deep: &TooDeepLine, count: u64) -> String {
        let [x, y, z] = deep.at;
        format!(
            "`{}` was deeper inside `{}` than it is thick in {}: at t = {:.4} s by {:.3} mm, {:.1} times its \
             thickness, at ({x:.3}, {y:.3}, {z:.3}) m, where its edges are {:.3} mm long; use a finer mesh, cloth that \
             stretches less, or slower motion",
            self.cloths.get(deep.cloth).map_or("?", String::as_str),
            self.bodies.get(deep.body).map_or("?", String::as_str),
            frames(count),
            deep.time,
            1000.0 * deep.depth,
            deep.thicknesses,
            1000.0 * deep.edge,
        )
    }

    /// Reads the report of a run.
    pub fn read(folder: &Path) -> Result<Self, RunError> {
        let path = folder.join(names::REPORT);
        let bytes = fs::read(&path).naming("read", &path)?;
        serde_json::from_slice(&bytes).map_err(|error| RunError::Damaged { path, what: error.to_string() })
    }

    /// Replaces the report of a run, for commands that extend it.
    pub fn write(&self, folder: &Path) -> Result<(), DiskError> {
        self.write_as(folder, Durable::Yes)
    }

    /// Writes in place, as a last resort on a full disk.
    pub(super) fn overwrite(&self, folder: &Path) -> Result<(), DiskError> {
        disk::overwrite(&folder.join(names::REPORT), &json(self))
    }

    pub(super) fn write_as(&self, folder: &Path, durable: Durable) -> Result<(), DiskError> {
        disk::replace(&folder.join(names::REPORT), &json(self), durable)
    }
}

fn frames(count: u64) -> String {
    format!("{count} frame{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_remember_the_longest_edge_beyond_the_limit_and_count_its_frames() {
        let mut totals = Totals::default();
        for (frame, elongation) in [(0, None), (1, Some(0.02)), (2, Some(0.3)), (3, None), (4, Some(0.1))] {
            let overlong =
                elongation.map(|elongation| OverlongLine { elongation, time: frame as f64, ..Default::default() });
            totals.add(&FrameLine { frame, overlong, ..FrameLine::default() });
        }
        let longest = totals.maxima.overlong.unwrap();
        assert_eq!((longest.elongation, longest.time, totals.overlong_frames), (0.3, 2.0, 3));
    }
    /// The warnings of a run with these pins and simultaneous contacts, a violated limit and a deep point.
    fn warnings(pins: &[String], contacts: u64) -> Vec<ReportWarning> {
        let mut report = Report::new(&Surface::default(), 30.0, pins, Hash(0), 1);
        (report.cloths, report.bodies) = (vec!["sheet".into()], vec!["floor".into(), "ball".into()]);
        let mut totals = Totals::default();
        for (frame, thicknesses) in [(0, None), (1, Some(1.5)), (2, Some(4.0)), (3, Some(2.0))] {
            let deep = |thicknesses: f64| TooDeepLine {
                depth: thicknesses * 5e-4,
                thicknesses,
                body: 1,
                edge: 0.04,
                time: frame as f64,
                ..Default::default()
            };
            let overlong = (frame == 2).then(OverlongLine::default);
            let too_deep = thicknesses.map(deep);
            totals.add(&FrameLine { frame, too_deep, overlong, contacts, ..FrameLine::default() });
            report.update(frame, frame as f64, &totals);
        }
        report.warnings
    }

    #[test]
    fn the_deepest_point_is_named_once_with_time_body_and_a_way_out() {
        let said = warnings(&[], 4);
        assert_eq!(said.len(), 2, "{said:?}");
        let text = &said[1].message;
        assert!(
            text.starts_with("`sheet` was deeper inside `ball` than it is thick in 3 frames: at t = 2.0000 s"),
            "{text}"
        );
        assert!(text.contains("by 2.000 mm, 4.0 times") && text.contains("use a finer mesh"), "{text}");
    }

    #[test]
    fn only_what_is_there_holds_edges_apart() {
        for (pins, contacts, holders) in
            [(0, 4, "; bodies hold"), (2, 0, "; pins hold"), (2, 4, "; pins or bodies hold")]
        {
            let text = &warnings(&vec!["pin".into(); pins], contacts)[0].message;
            assert!(text.contains(holders), "{text}");
        }
    }
}
