//! `frames.jsonl`: one line per frame, including frame 0; and `frames.crc`, which detects changed lines.

use super::{RunError, Totals, names};
use crate::DiskError;
use crate::bytes::checksum;
use crate::disk::{self, Appender, Durable, Naming};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::Path;
use taffeta::{FrameReport, GuardReport, Measures, Overlong, State, Times, TooDeep};

/// A line of `frames.jsonl`. All values but `ms` are reproducible.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FrameLine {
    /// Number of the frame; 0 is the start.
    pub frame: u64,
    /// Time, s.
    pub time: f64,
    /// Number of steps of the frame.
    pub steps: u64,
    /// Length of the longest step, s.
    pub step: f64,
    /// Length of the shortest step, s.
    #[serde(default)]
    pub shortest_step: f64,
    /// Number of steps that were repeated.
    pub rejected: u64,
    /// Number of successes before the step control tries a longer step.
    #[serde(default)]
    pub wait: u64,
    /// Number of linearisations of the implicit methods.
    #[serde(default)]
    pub newton: u64,
    /// Largest residual of the nonlinear equations as an acceleration, m/s²; `None` unless Newton iterations are
    /// enabled.
    #[serde(default)]
    pub residual: Option<f64>,
    /// Number of conjugate gradient iterations.
    pub iterations: u64,
    /// Number of factorisations instead of these.
    #[serde(default)]
    pub factorisations: u64,
    /// Number of springs that the limiter found too long, over all steps.
    pub limited: u64,
    /// Number of factorisations of the limiter that enforces its limit.
    #[serde(default)]
    pub limiter_rounds: u64,
    /// The longest edge over all steps in which that limiter could not enforce its limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overlong: Option<OverlongLine>,
    /// Kinetic energy, J.
    pub kinetic: f64,
    /// Gravitational energy, J; 0 at frame 0.
    pub gravity: f64,
    /// Stretch energy, J.
    pub stretch: f64,
    /// Shear energy, J.
    pub shear: f64,
    /// Bending energy, J.
    pub bend: f64,
    /// Height of the centre of mass, m.
    pub com_height: f64,
    /// Largest relative elongation of an edge.
    pub max_stretch: f64,
    /// Mean relative elongation of the edges.
    pub mean_stretch: f64,
    /// Speed of the fastest vertex, m/s.
    pub max_speed: f64,
    /// Number of contacts at the end of the frame.
    pub contacts: u64,
    /// Smallest distance of middle surfaces of cloth from each other, where they are in contact, and from bodies, m: of
    /// cloth and meshes anywhere, in any step; of free vertices and exact shapes, at the end of the frame. `None` if
    /// nothing can touch.
    pub smallest_gap: Option<f64>,
    /// The point deepest inside a body, measured in thicknesses of the cloth, if it is deeper than one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub too_deep: Option<TooDeepLine>,
    /// Number of times that a particle was pushed out of a body after a step.
    #[serde(default)]
    pub pushed: u64,
    /// Number of solves until the contacts agreed with their forces.
    #[serde(default)]
    pub rounds: u64,
    /// What contact by the barrier did; `None` without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub barrier: Option<BarrierLine>,
    /// Bodies that gave way because they left cloth no room; absent if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gave_way: Vec<GaveWayLine>,
    /// Mean force of each pin on the cloth over the frame, N.
    pub pins: Vec<[f64; 3]>,
    /// Mean force of each body on the cloth over the frame, N.
    #[serde(default)]
    pub bodies: Vec<[f64; 3]>,
    /// Wall time by phase.
    pub ms: Milliseconds,
}

/// An edge that is longer than the limit of the limiter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OverlongLine {
    /// Its relative elongation.
    pub elongation: f64,
    /// Which cloth, counted from 0.
    pub cloth: usize,
    /// Its ends, counted from the first vertex of the cloth.
    pub vertices: [u32; 2],
    /// Its midpoint, m.
    pub at: [f64; 3],
    /// Time at the end of the step, s.
    pub time: f64,
}

/// A body that gave way in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GaveWayLine {
    /// Which body, counted from 0.
    pub body: usize,
    /// To how many triangles of cloth, the most of all steps.
    pub triangles: u64,
}

/// Contact by the barrier in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BarrierLine {
    /// Number of contacts with a force, the largest of all steps.
    pub contacts: u64,
    /// The share of all motion that the guard took.
    pub cut: f64,
    /// Largest number of rounds of the guard in a step.
    pub rounds: u64,
    /// How far contacts are pressed together, the most of all steps: a share of the distance at which they begin to
    /// push, half the thickness of the cloth on a body and the mean thickness of both between cloths.
    #[serde(default)]
    pub compression: f64,
}

impl BarrierLine {
    fn new(guard: &GuardReport) -> Self {
        let cut = if guard.wanted > 0.0 { guard.lost / guard.wanted } else { 0.0 };
        Self { contacts: guard.contacts, cut, rounds: guard.rounds.into(), compression: guard.compression }
    }
}

fn gave_way(triangles: &[u32]) -> Vec<GaveWayLine> {
    let bodies = triangles.iter().enumerate().filter(|(_, triangles)| **triangles > 0);
    bodies.map(|(body, triangles)| GaveWayLine { body, triangles: (*triangles).into() }).collect()
}

impl From<Overlong> for OverlongLine {
    fn from(over: Overlong) -> Self {
        let Overlong { elongation, cloth, vertices, at, time } = over;
        Self { elongation, cloth, vertices, at: at.to_array(), time }
    }
}

/// A point of a cloth that is deeper inside a body than the cloth is thick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TooDeepLine {
    /// Depth of the cloth's middle surface below that of the body, m.
    pub depth: f64,
    /// Depth in thicknesses of the cloth.
    pub thicknesses: f64,
    /// Which body, counted from 0.
    pub body: usize,
    /// Which cloth, counted from 0.
    pub cloth: usize,
    /// Position, m.
    pub at: [f64; 3],
    /// Current length of the longest edge of the triangle there, m.
    pub edge: f64,
    /// Time, s.
    pub time: f64,
}

impl TooDeepLine {
    fn new(deep: &TooDeep, time: f64) -> Self {
        let TooDeep { depth, thicknesses, body, cloth, at, edge } = *deep;
        Self { depth, thicknesses, body: body as usize, cloth, at: at.to_array(), edge, time }
    }
}

/// Time by phase, ms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Milliseconds {
    /// Simulation of the frame.
    pub simulate: f64,
    /// CPU time of all threads during simulation; `None` if the system does not report it.
    pub simulate_cpu: Option<f64>,
    /// Forces and the assembly of the equations of implicit methods. Like the next three, it is a part of `simulate`,
    /// and 0 in the search for an equilibrium.
    #[serde(default)]
    pub forces: f64,
    /// Solution of the equations.
    #[serde(default)]
    pub solve: f64,
    /// Contact with bodies, except for solving the equations again.
    #[serde(default)]
    pub contact: f64,
    /// Stretch limits.
    #[serde(default)]
    pub limit: f64,
    /// Number of searches for pairs that come near. Like times, it differs where a run was resumed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub searches: u64,
    /// Measurement of the frame.
    pub measure: f64,
    /// Writing its positions, and making the previous frame safe.
    pub write: f64,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // as serde calls it
fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl Milliseconds {
    /// From the times of a frame's steps.
    pub(super) fn of_steps(times: &Times) -> Self {
        // rounded to a microsecond
        let ms = |seconds: f64| (1e6 * seconds).round() / 1e3;
        let [forces, solve, contact, limit] = [times.forces, times.solve, times.contact, times.limit].map(ms);
        Self { forces, solve, contact, limit, ..Self::default() }
    }
}

impl FrameLine {
    pub(super) fn new(state: &State, report: &FrameReport, measures: &Measures, ms: Milliseconds) -> Self {
        Self {
            frame: state.frame,
            time: state.time,
            steps: report.steps.into(),
            step: report.h,
            shortest_step: report.shortest,
            rejected: report.rejected.into(),
            wait: report.wait.into(),
            newton: report.newton.into(),
            residual: report.residual,
            iterations: report.iterations,
            factorisations: report.factorisations.into(),
            limited: report.limited,
            limiter_rounds: report.limiter_rounds.into(),
            overlong: report.overlong.map(OverlongLine::from),
            kinetic: measures.kinetic,
            gravity: measures.gravity,
            stretch: measures.stretch,
            shear: measures.shear,
            bend: measures.bend,
            com_height: measures.com_height,
            max_stretch: measures.max_stretch,
            mean_stretch: measures.mean_stretch,
            max_speed: measures.max_speed,
            contacts: report.contacts.into(),
            smallest_gap: measures.smallest_gap.into_iter().chain(report.guard.gap).reduce(f64::min),
            too_deep: measures.too_deep.map(|deep| TooDeepLine::new(&deep, state.time)),
            pushed: report.pushed,
            rounds: report.rounds.into(),
            barrier: (report.guard.rounds > 0).then(|| BarrierLine::new(&report.guard)),
            gave_way: gave_way(&report.gave_way),
            pins: report.pins.iter().map(|force| force.to_array()).collect(),
            bodies: report.bodies.iter().map(|force| force.to_array()).collect(),
            ms: Milliseconds { searches: report.guard.detections.into(), ..ms },
        }
    }

    /// The name of a value that is not finite. JSON has no such numbers, and they indicate an error.
    pub(super) fn not_finite(&self) -> Option<&'static str> {
        let values = [
            ("time", self.time),
            ("step", self.step),
            ("kinetic", self.kinetic),
            ("gravity", self.gravity),
            ("stretch", self.stretch),
            ("shear", self.shear),
            ("bend", self.bend),
            ("com_height", self.com_height),
            ("max_stretch", self.max_stretch),
            ("mean_stretch", self.mean_stretch),
            ("max_speed", self.max_speed),
            ("residual", self.residual.unwrap_or(0.0)),
        ];
        let pins = self.pins.as_flattened().iter().map(|&value| ("pins", value));
        let bodies = self.bodies.as_flattened().iter().map(|&value| ("bodies", value));
        values.into_iter().chain(pins).chain(bodies).find(|(_, value)| !value.is_finite()).map(|(name, _)| name)
    }
}

/// Appends lines and their checksums. After an error the files end with their last complete line.
#[derive(Debug)]
pub(super) struct FrameLog {
    file: Appender,
    sums: Appender,
    line: Vec<u8>,
}

impl FrameLog {
    pub fn create(folder: &Path) -> Result<Self, DiskError> {
        let file = Appender::create(&folder.join(names::FRAMES))?;
        Ok(Self { file, sums: Appender::create(&folder.join(names::FRAME_SUMS))?, line: Vec::new() })
    }

    /// Continues after the lines that [`scan`] found.
    pub fn resume(folder: &Path, found: &Lines) -> Result<Self, DiskError> {
        // runs of earlier versions have no checksums: add them
        disk::replace(&folder.join(names::FRAME_SUMS), &found.sums, Durable::No)?;
        let sums = Appender::open_at(&folder.join(names::FRAME_SUMS), found.sums.len() as u64)?;
        Ok(Self { file: Appender::open_at(&folder.join(names::FRAMES), found.end)?, sums, line: Vec::new() })
    }

    pub fn append(&mut self, line: &FrameLine) -> Result<(), DiskError> {
        self.line.clear();
        serde_json::to_writer(&mut self.line, line).expect("plain data has a JSON form");
        self.line.push(b'\n');
        self.file.append(&self.line)?;
        self.sums.append(&checksum(&self.line).to_le_bytes())
    }

    pub fn sync(&self) -> Result<(), DiskError> {
        self.file.sync()?;
        self.sums.sync()
    }
}

/// The lines that a checkpoint depends on.
#[derive(Debug)]
pub(super) struct Lines {
    /// Where they end.
    end: u64,
    /// Their checksums, as in `frames.crc`.
    sums: Vec<u8>,
    /// Their totals.
    pub totals: Totals,
}

/// Checks the lines of frames 0 to `last`.
pub(super) fn scan(folder: &Path, last: u64) -> Result<Lines, RunError> {
    let path = folder.join(names::FRAMES);
    let damaged = |what| RunError::Damaged { path: path.clone(), what };
    let sums_path = folder.join(names::FRAME_SUMS);
    let known = match fs::read(&sums_path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        known => Some(known.naming("read", &sums_path)?),
    };
    let mut lines = Lines { end: 0, sums: Vec::new(), totals: Totals::default() };
    let mut next = 0;
    let mut changed = None;
    for_each_line(&path, |line, bytes| {
        let sum = checksum(bytes).to_le_bytes();
        let at = lines.sums.len();
        if known.as_ref().is_some_and(|known| known.get(at..at + 4) != Some(&sum)) {
            changed = Some((next + 1, known.as_ref().is_some_and(|known| known.len() < at + 4)));
            return false;
        }
        lines.totals.add(&line);
        lines.end += bytes.len() as u64;
        lines.sums.extend(sum);
        next += 1;
        next <= last
    })?;
    match changed {
        Some((number, false)) => {
            return Err(damaged(format!(
                "line {number} was changed: its checksum in {} is another",
                names::FRAME_SUMS
            )));
        }
        Some((number, true)) => {
            let what = format!(
                "it ends before the checksum of line {number}, as when an older version of taffeta went on with the \
                 run; without this file `resume` takes the lines as they are"
            );
            return Err(RunError::Damaged { path: sums_path, what });
        }
        None if next <= last => {
            return Err(damaged(format!("it has {next} whole lines, and the checkpoint is at frame {last}")));
        }
        None => {}
    }
    Ok(lines)
}

/// Calls `each` with every complete line and its bytes, until it returns false. An incomplete last line is ignored.
pub(super) fn for_each_line(path: &Path, mut each: impl FnMut(FrameLine, &[u8]) -> bool) -> Result<(), RunError> {
    let file = match File::open(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(RunError::Missing { path: path.to_path_buf() });
        }
        file => file.naming("open", path)?,
    };
    let mut file = BufReader::new(file);
    let mut bytes = Vec::new();
    for number in 0u64.. {
        bytes.clear();
        file.read_until(b'\n', &mut bytes).naming("read", path)?;
        if !bytes.ends_with(b"\n") {
            break;
        }
        let damaged = |what| RunError::Damaged { path: path.to_path_buf(), what };
        let line: FrameLine =
            serde_json::from_slice(&bytes).map_err(|error| damaged(format!("line {}: {error}", number + 1)))?;
        if line.frame != number {
            return Err(damaged(format!("line {} is of frame {} and should be {number}", number + 1, line.frame)));
        }
        if !each(line, &bytes) {
            break;
        }
    }
    Ok(())
}
