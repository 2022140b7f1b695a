//! The main loop of a run, in the order of its steps.

use super::line::{self, FrameLog, Lines};
use super::{
    Attachment, FrameLine, FrameSource, Kind, Manifest, Maxima, Milliseconds, Report, ReportWarning, RunError,
    RunFolder,
};
use super::{Status, Totals, names};
use crate::cache::{CacheError, CacheReader, CacheWriter};
use crate::checkpoint::{self, Checkpoint};
use crate::disk::Durable;
use crate::{DiskError, Hash, Surface};
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use taffeta::{ActionError, FrameReport, Measures, SimulationError, State, StepError, Vec3, Warning};

/// Time between syncs. A power cut loses about this much work; more syncs would slow down a run on a hard disk.
const SYNC_EVERY: Duration = if cfg!(test) { Duration::ZERO } else { Duration::from_secs(1) };

/// A frame may take this long to finish after a stop is requested; then it is abandoned.
pub const GRACE: Duration = Duration::from_secs(1);

/// A new run.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a> {
    /// Text of the scene as run, with overrides applied and paths into `files/`.
    pub scene: &'a str,
    /// Files that the scene refers to.
    pub attachments: &'a [Attachment],
    /// Number of frames to simulate, without the start.
    pub frames: u64,
    /// What the frames are.
    pub kind: Kind,
}

/// Data for the report besides the run itself.
#[derive(Clone, Copy, Debug)]
pub struct Settings<'a> {
    /// Number of threads of the pool in which the caller runs this.
    pub threads: usize,
    /// Remarks for the user; nothing is wrong.
    pub warnings: &'a [Warning],
}

/// Callbacks of the caller. The first two are called between frames, on the thread of the loop.
pub struct Hooks<'a> {
    /// Whether to stop now.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Called with every frame once it is safe, and with the state that the loop begins with.
    pub observe: &'a mut (dyn FnMut(&Progress) + Send),
    /// Called with the progress of the current frame, before each of its steps.
    pub within: &'a mut (dyn FnMut(&Within) + Send),
}

/// A finished frame.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// Its number.
    pub frame: u64,
    /// Total number of frames.
    pub total: u64,
    /// Number of frames simulated by this call, including this one.
    pub simulated: u64,
    /// Time since the loop began.
    pub elapsed: Duration,
    /// Statistics of the frame; `None` for the state that the loop begins with.
    pub report: Option<&'a FrameReport>,
    /// Measurements of the frame; `None` when a run is resumed and has no new frame yet.
    pub measures: Option<&'a Measures>,
    /// Positions, m.
    pub x: &'a [Vec3],
}

/// A frame in progress.
#[derive(Clone, Copy, Debug)]
pub struct Within {
    /// Number of finished frames.
    pub done: u64,
    /// Total number of frames.
    pub total: u64,
    /// Steps of this frame so far.
    pub steps: u32,
    /// Fraction of the frame's time that they cover.
    pub share: f64,
}

/// How a run ended. In any case, all finished frames are in the folder.
#[derive(Clone, Debug, PartialEq)]
pub enum Ended {
    /// All frames are there.
    Finished,
    /// [`Hooks::stop`] requested it; the run can be resumed.
    Interrupted,
    /// The simulation cannot continue.
    Failed(Failure),
}

/// Why a simulation cannot continue.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Failure {
    /// A step failed.
    #[error(transparent)]
    Step(#[from] StepError),
    /// A recorded action cannot be applied.
    #[error("a recorded action cannot be done: {0}")]
    Action(#[from] ActionError),
    /// A value of the frame is infinite or NaN.
    #[error("`{what}` is not a finite number in frame {frame}: the simulation diverged")]
    NotFinite {
        /// The frame; it is not written.
        frame: u64,
        /// Name in `frames.jsonl`, or `positions`, `velocities` or `contacts`.
        what: &'static str,
    },
    /// The search for an equilibrium ended without one.
    #[error("{}", no_equilibrium(*.iterations, *.residual, *.share, .loose.as_deref()))]
    NoEquilibrium {
        /// Number of Newton iterations.
        iterations: u32,
        /// Largest net force on a particle, N.
        residual: f64,
        /// The largest net force relative to the particle's weight.
        share: f64,
        /// A cloth that nothing holds.
        loose: Option<String>,
    },
}

impl From<SimulationError> for Failure {
    fn from(error: SimulationError) -> Self {
        match error {
            SimulationError::Step(error) => error.into(),
            SimulationError::Action(error) => error.into(),
        }
    }
}

fn no_equilibrium(iterations: u32, residual: f64, share: f64, loose: Option<&str>) -> String {
    match loose {
        // no search took place
        Some(name) if iterations == 0 => format!("there is no equilibrium: nothing holds `{name}`"),
        _ => format!(
            "no equilibrium was reached in {iterations} iterations: the largest net force is {residual:.3e} N, {:.3} % \
             of the weight of its particle",
            100.0 * share
        ),
    }
}

/// A run that has ended.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Its final folder.
    pub folder: PathBuf,
    /// The report, as in `report.json`.
    pub report: Report,
    /// How it ended.
    pub ended: Ended,
    /// Number of frames that this call simulated.
    pub simulated: u64,
}

/// Sets up the folder and simulates all frames.
pub fn start(
    folder: RunFolder,
    plan: &Plan,
    source: &mut dyn FrameSource,
    settings: &Settings,
    hooks: &mut Hooks,
) -> Result<Outcome, RunError> {
    let manifest = Manifest::set_up(folder.path(), plan, folder.replaces())?;
    let surface = source.surface();
    let run = Run::begin(folder, manifest, surface, source, settings)?;
    run.go_on(source, hooks)
}

/// Continues a run that was interrupted, killed or has failed, or extends a finished one to `frames`.
///
/// The source must be that of the scene in the folder, in its initial state: [`Manifest::verify`] returns the text of
/// the scene. A run that has all its frames is not changed.
pub fn resume(
    folder: RunFolder,
    frames: Option<u64>,
    source: &mut dyn FrameSource,
    settings: &Settings,
    hooks: &mut Hooks,
) -> Result<Outcome, RunError> {
    let mut manifest = Manifest::read(folder.path())?;
    if manifest.kind == Kind::Drape {
        return Err(RunError::NotResumable { folder: folder.path().to_path_buf() });
    }
    manifest.verify(folder.path())?;
    let surface = source.surface();
    let found = match pick_up(&folder, &manifest, &surface, source) {
        Ok(found) => Some(found),
        // the folder held only the start, which the scene can recreate
        Err(_) if holds_no_frames(&folder, &surface, manifest.scene_hash, source.state()) => None,
        Err(error) => return Err(error),
    };
    let done = found.as_ref().map_or(0, |found| found.state.frame);
    if let Some(asked) = frames.filter(|&asked| asked != manifest.frames) {
        if asked < done {
            return Err(RunError::Shorter { done, asked });
        }
        manifest.frames = asked;
        manifest.write(folder.path())?;
    }
    let run = match found {
        Some(found) => Run::pick_up(folder, manifest, found, surface, source, settings)?,
        None => Run::begin(folder, manifest, surface, source, settings)?,
    };
    run.go_on(source, hooks)
}

/// A state from which a run can continue; everything before it is checked.
struct Found {
    state: State,
    cache: CacheReader,
    contact: Option<CacheReader>,
    lines: Lines,
}

/// Finds the newest checkpoint whose frames all exist.
fn pick_up(
    folder: &RunFolder,
    manifest: &Manifest,
    surface: &Surface,
    source: &dyn FrameSource,
) -> Result<Found, RunError> {
    let open = |name: &str| -> Result<CacheReader, RunError> {
        let cache = CacheReader::open(&folder.file(name))?;
        if cache.surface() != surface {
            return Err(RunError::OtherMesh { folder: folder.path().to_path_buf() });
        }
        Ok(cache)
    };
    let attempt = |name: &str| -> Result<Found, RunError> {
        let mut cache = open(names::POSITIONS)?;
        let mut contact = if source.can_touch() { Some(open(names::CONTACT)?) } else { None };
        let file = folder.file(name);
        let state = checkpoint::read(&file, manifest.scene_hash, source.state())?;
        // a checksum only detects accidents; impossible states are refused whatever their origin
        let damaged = |what: String| RunError::Damaged { path: file.clone(), what };
        if state.frame > manifest.frames {
            return Err(damaged(format!("it is at frame {} of {}", state.frame, manifest.frames)));
        }
        source.check(&state).map_err(|problem| damaged(problem.to_string()))?;
        cache.verify(state.frame)?;
        let mut x = Vec::new();
        if cache.read(state.frame, &mut x)? != state.time || x != state.x {
            return Err(damaged(format!(
                "its positions are not those of frame {} in {}",
                state.frame,
                names::POSITIONS
            )));
        }
        contact.as_mut().map_or(Ok(()), |contact| contact.verify(state.frame))?;
        let lines = line::scan(folder.path(), state.frame)?;
        Ok(Found { state, cache, contact, lines })
    };
    // report the first error: the second checkpoint exists only while a run is in progress
    attempt(names::CHECKPOINT).or_else(|error| attempt(names::CHECKPOINT_SYNCED).map_err(|_| error))
}

/// Whether a run was stopped before its first frame was safe, so that nothing is lost by starting again.
fn holds_no_frames(folder: &RunFolder, surface: &Surface, scene: Hash, start: &State) -> bool {
    let size = fs::metadata(folder.file(names::POSITIONS)).map_or(0, |file| file.len());
    let mut lines = 0;
    // an unreadable line can only be the last; the lines before it are counted
    let _ = line::for_each_line(&folder.file(names::FRAMES), |_, _| {
        lines += 1;
        lines < 2
    });
    let later_state = [names::CHECKPOINT, names::CHECKPOINT_SYNCED]
        .map(|name| checkpoint::read(&folder.file(name), scene, start))
        .into_iter()
        .any(|state| state.is_ok_and(|state| state.frame > 0));
    size < CacheWriter::size(surface, 2) && lines < 2 && !later_state
}

/// A run in progress.
struct Run {
    folder: RunFolder,
    manifest: Manifest,
    cache: CacheWriter,
    contact: Option<Forces>,
    log: FrameLog,
    checkpoint: Checkpoint,
    totals: Totals,
    report: Report,
    first_measures: Option<Measures>,
    next_sync: Instant,
    /// Time of the last checkpoint and sync, which is added to the next frame.
    checkpoint_ms: f64,
}

/// A safe state, and the files for the next one.
struct Begun {
    frame: u64,
    time: f64,
    cache: CacheWriter,
    contact: Option<Forces>,
    log: FrameLog,
    checkpoint: Checkpoint,
    totals: Totals,
}

/// Writes `contact.bin`; holds the forces of a frame.
struct Forces {
    cache: CacheWriter,
    forces: Vec<Vec3>,
}

impl Forces {
    fn new(cache: CacheWriter) -> Self {
        Self { cache, forces: Vec::new() }
    }

    /// Appends the contact force on every vertex: forces of the contacts and other forces of bodies.
    fn append(&mut self, state: &State, pushes: &[(u32, Vec3)]) -> Result<(), CacheError> {
        self.forces.clear();
        self.forces.resize(state.x.len(), Vec3::ZERO);
        state.contacts.iter().for_each(|contact| self.forces[contact.vertex as usize] += contact.force);
        pushes.iter().for_each(|(vertex, force)| self.forces[*vertex as usize] += *force);
        self.cache.append(state.frame, state.time, &self.forces)
    }
}

impl Run {
    /// Writes the start as frame 0.
    fn begin(
        folder: RunFolder,
        manifest: Manifest,
        surface: Surface,
        source: &mut dyn FrameSource,
        settings: &Settings,
    ) -> Result<Self, RunError> {
        let path = folder.path().to_path_buf();
        let not_begun = |error| RunError::Write { error, safe: None, folder: path.clone() };
        let mut report = report(&manifest, &surface, source, settings);
        report.write_as(folder.path(), Durable::No).map_err(not_begun)?;
        match Self::write_start(&folder, &manifest, &surface, source) {
            Ok((begun, measures)) => {
                Ok(Self { first_measures: Some(measures), ..Self::new(folder, manifest, report, begun) })
            }
            Err(error) => {
                (report.status, report.error) = (Status::Failed, Some(error.to_string()));
                let path = folder.path();
                let written = report.write_as(path, Durable::Yes).or_else(|_| report.overwrite(path));
                // no report is better than one that says that the run is in progress
                if written.is_err() {
                    let _ = fs::remove_file(folder.file(names::REPORT));
                }
                Err(match error {
                    CacheError::Disk(error) => not_begun(error),
                    error => error.into(),
                })
            }
        }
    }

    /// Writes frame 0 to all files.
    fn write_start(
        folder: &RunFolder,
        manifest: &Manifest,
        surface: &Surface,
        source: &mut dyn FrameSource,
    ) -> Result<(Begun, Measures), CacheError> {
        let clock = Instant::now();
        let measures = source.measure();
        let state = source.state();
        let measure = milliseconds(clock);
        let clock = Instant::now();
        let mut cache = CacheWriter::create(&folder.file(names::POSITIONS), surface, source.fps())?;
        cache.append(0, state.time, &state.x)?;
        let mut contact = None;
        if source.can_touch() {
            let file = CacheWriter::create(&folder.file(names::CONTACT), surface, source.fps())?;
            contact.insert(Forces::new(file)).append(state, &[])?;
        }
        let ms = Milliseconds { measure, write: milliseconds(clock), ..Default::default() };
        let zeros = |count| vec![Vec3::ZERO; count];
        let (pins, bodies) = (zeros(source.pin_names().len()), zeros(source.body_names().len()));
        let nothing = FrameReport { pins, bodies, ..Default::default() };
        let line = FrameLine::new(state, &nothing, &measures, ms);
        let mut log = FrameLog::create(folder.path())?;
        log.append(&line)?;
        let checkpoint = Checkpoint::create(&folder.file(names::CHECKPOINT), state, manifest.scene_hash)?;
        let mut totals = Totals::default();
        totals.add(&line);
        Ok((Begun { frame: state.frame, time: state.time, cache, contact, log, checkpoint, totals }, measures))
    }

    /// Removes everything after the checkpoint.
    fn pick_up(
        folder: RunFolder,
        manifest: Manifest,
        found: Found,
        surface: Surface,
        source: &mut dyn FrameSource,
        settings: &Settings,
    ) -> Result<Self, RunError> {
        let Found { state, cache, contact, lines } = found;
        let cache = CacheWriter::after(cache, state.frame)?;
        let contact = match contact {
            Some(contact) => Some(Forces::new(CacheWriter::after(contact, state.frame)?)),
            None => None,
        };
        let log = FrameLog::resume(folder.path(), &lines)?;
        let totals = lines.totals;
        let checkpoint = Checkpoint::create(&folder.file(names::CHECKPOINT), &state, manifest.scene_hash)?;
        let mut report = report(&manifest, &surface, source, settings);
        let old = Report::read(folder.path()).ok();
        if let Some(old) = old {
            report.extra = old.extra;
        }
        if manifest.taffeta != report.versions.taffeta {
            let message = format!(
                "begun with taffeta {}, resumed with {}: the frames after may have other bits than without a break",
                manifest.taffeta, report.versions.taffeta
            );
            report.warnings.push(ReportWarning { path: String::new(), message });
        }
        let (frame, time) = (state.frame, state.time);
        source
            .go_to(state)
            .map_err(|problem| RunError::Damaged { path: folder.file(names::CHECKPOINT), what: problem.to_string() })?;
        Ok(Self::new(folder, manifest, report, Begun { frame, time, cache, contact, log, checkpoint, totals }))
    }

    fn new(folder: RunFolder, manifest: Manifest, mut report: Report, begun: Begun) -> Self {
        let Begun { frame, time, cache, contact, log, checkpoint, totals } = begun;
        report.update(frame, time, &totals);
        Self {
            folder,
            manifest,
            cache,
            contact,
            log,
            checkpoint,
            totals,
            report,
            first_measures: None,
            next_sync: Instant::now() + SYNC_EVERY,
            checkpoint_ms: 0.0,
        }
    }

    /// Simulates until all frames exist, a stop is requested, or the simulation cannot continue.
    fn go_on(mut self, source: &mut dyn FrameSource, hooks: &mut Hooks) -> Result<Outcome, RunError> {
        let clock = Instant::now();
        let total = self.manifest.frames;
        let first = source.state().frame;
        // number of safe frames: the state itself may be ahead when an error occurs
        let mut safe = first;
        let mut result = self.report.write_as(self.folder.path(), Durable::No);
        let mut progress = Progress {
            frame: first,
            total,
            simulated: 0,
            elapsed: Duration::ZERO,
            report: None,
            measures: self.first_measures.as_ref(),
            x: &source.state().x,
        };
        (hooks.observe)(&progress);

        let mut ended = Ended::Finished;
        while result.is_ok() && safe < total {
            if (hooks.stop)() {
                ended = Ended::Interrupted;
                break;
            }
            let (report, measures, line) = match self.simulate(source, safe + 1, hooks) {
                Ok(Some(frame)) => frame,
                Ok(None) => {
                    ended = Ended::Interrupted;
                    break;
                }
                Err(failure) => {
                    ended = Ended::Failed(failure);
                    break;
                }
            };
            result = self.save(source.state(), line, &report.pushes);
            if result.is_ok() {
                safe += 1;
                progress = Progress {
                    frame: safe,
                    total,
                    simulated: safe - first,
                    elapsed: clock.elapsed(),
                    report: Some(&report),
                    measures: Some(&measures),
                    x: &source.state().x,
                };
                (hooks.observe)(&progress);
                result = self.sync(source.state());
            }
        }
        self.report.extra.extend(source.extra());
        if ended == Ended::Finished
            && let Some(other) = source.shortcoming()
        {
            ended = other;
        }
        self.end(result, ended, safe, safe - first, source, hooks.stop)
    }

    /// Simulates a frame and measures it. Values that are not finite are never written. `None`: the frame was
    /// abandoned, because it took longer than [`GRACE`] after a stop was requested.
    fn simulate(
        &mut self,
        source: &mut dyn FrameSource,
        frame: u64,
        hooks: &mut Hooks,
    ) -> Result<Option<(FrameReport, Measures, FrameLine)>, Failure> {
        let (clock, cpu) = (Instant::now(), cpu_time());
        let mut asked: Option<Instant> = None;
        let (fps, total) = (source.fps(), self.manifest.frames);
        let Hooks { stop, within, .. } = hooks;
        let mut give_up = |state: &State| {
            within(&Within { done: frame - 1, total, steps: state.step, share: (state.elapsed * fps).clamp(0.0, 1.0) });
            stop() && asked.get_or_insert_with(Instant::now).elapsed() > GRACE
        };
        let Some(report) = source.frame(&mut give_up)? else { return Ok(None) };
        let simulate = milliseconds(clock);
        let simulate_cpu = cpu.zip(cpu_time()).map(|(before, after)| rounded(after.saturating_sub(before)));
        let phases = Milliseconds::of_steps(&source.take_times());
        let source = &*source;
        let state = source.state();
        assert_eq!(state.frame, frame, "frames are made one at a time");

        for (what, values) in [("positions", &state.x), ("velocities", &state.v)] {
            if !values.iter().all(|value| value.is_finite()) {
                return Err(Failure::NotFinite { frame, what });
            }
        }
        let contacts = state.contacts.iter().all(|contact| contact.force.is_finite() && contact.point.is_finite());
        if !contacts || !report.pushes.iter().all(|(_, force)| force.is_finite()) {
            return Err(Failure::NotFinite { frame, what: "contacts" });
        }
        let clock = Instant::now();
        let measures = source.measure();
        let ms = Milliseconds { simulate, simulate_cpu, measure: milliseconds(clock), ..phases };
        let line = FrameLine::new(state, &report, &measures, ms);
        match line.not_finite() {
            Some(what) => Err(Failure::NotFinite { frame, what }),
            None => Ok(Some((report, measures, line))),
        }
    }

    /// Makes a frame safe: writes positions, contact forces, line and checkpoint, in this order.
    fn save(&mut self, state: &State, mut line: FrameLine, pushes: &[(u32, Vec3)]) -> Result<(), DiskError> {
        let clock = Instant::now();
        let positions = self.cache.append(state.frame, state.time, &state.x);
        let contact = |()| self.contact.as_mut().map_or(Ok(()), |contact| contact.append(state, pushes));
        match positions.and_then(contact) {
            Err(CacheError::Disk(error)) => return Err(error),
            result => result.expect("finite values are always accepted"),
        }
        line.ms.write = milliseconds(clock) + self.checkpoint_ms;
        self.log.append(&line)?;
        let clock = Instant::now();
        self.checkpoint.write(state)?;
        if self.manifest.kind == Kind::Drape {
            self.totals.maxima = Maxima::default(); // the start is no part of an equilibrium
        }
        self.totals.add(&line);
        self.report.update(state.frame, state.time, &self.totals);
        self.report.went_over = state.went_over;
        self.checkpoint_ms = milliseconds(clock);
        Ok(())
    }

    /// From time to time, makes everything so far survive a power cut.
    fn sync(&mut self, state: &State) -> Result<(), DiskError> {
        if Instant::now() < self.next_sync {
            return Ok(());
        }
        let clock = Instant::now();
        // frames first, then the state that depends on them
        self.sync_caches()?;
        self.log.sync()?;
        let file = self.folder.file(names::CHECKPOINT_SYNCED);
        checkpoint::write(&file, state, self.manifest.scene_hash)?;
        self.report.write_as(self.folder.path(), Durable::No)?;
        // on a slow disk, seldom enough to cost at most a tenth of the time
        self.next_sync = Instant::now() + SYNC_EVERY.max(10 * clock.elapsed());
        self.checkpoint_ms += milliseconds(clock);
        Ok(())
    }

    fn sync_caches(&self) -> Result<(), DiskError> {
        self.cache.sync()?;
        self.contact.as_ref().map_or(Ok(()), |contact| contact.cache.sync())
    }

    /// Syncs everything to the disk, writes the report and releases the folder.
    fn end(
        mut self,
        result: Result<(), DiskError>,
        ended: Ended,
        safe: u64,
        simulated: u64,
        source: &dyn FrameSource,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Outcome, RunError> {
        let path = self.folder.path().to_path_buf();
        let result = result.and_then(|()| {
            self.sync_caches()?;
            self.log.sync()?;
            self.checkpoint.settle()
        });
        (self.report.status, self.report.error) = match (&result, &ended) {
            (Err(error), _) => (Status::Failed, Some(error.to_string())),
            (Ok(()), Ended::Finished) => (Status::Finished, None),
            (Ok(()), Ended::Interrupted) => (Status::Interrupted, None),
            (Ok(()), Ended::Failed(failure)) => (Status::Failed, Some(failure.to_string())),
        };
        // on a full disk this may fail as well; then the report of the start or of the last second remains
        let written =
            self.report.write_as(&path, Durable::Yes).or_else(|error| self.report.overwrite(&path).map_err(|_| error));
        if let Err(error) = result.and(written) {
            return Err(RunError::Write { error, safe: Some(safe), folder: path });
        }
        // the cloth of a failed run may cross itself, but that is not why the run failed
        if ended == Ended::Finished {
            self.report.count_crossings(&path, safe, source, stop);
            // if the disk has become full, the report stays without the count
            let _ = self.report.write_as(&path, Durable::No);
        }
        // the checkpoint itself is on the disk now
        let _ = fs::remove_file(self.folder.file(names::CHECKPOINT_SYNCED));

        let Self { folder, manifest, cache, contact, log, checkpoint, report, .. } = self;
        drop((cache, contact, log, checkpoint));
        let replaces = manifest.replaces.as_deref().filter(|_| ended == Ended::Finished);
        Ok(Outcome { folder: folder.finish(replaces)?, report, ended, simulated })
    }
}

fn report(manifest: &Manifest, surface: &Surface, source: &dyn FrameSource, settings: &Settings) -> Report {
    let pins = source.pin_names();
    let mut report = Report::new(surface, source.fps(), pins, manifest.scene_hash, settings.threads);
    report.bodies = source.body_names();
    report.frames_planned = manifest.frames;
    report.warnings = settings.warnings.iter().map(ReportWarning::from).collect();
    report
}

/// CPU time of this process so far, if the system reports it.
fn cpu_time() -> Option<Duration> {
    cpu_time::ProcessTime::try_now().ok().map(|time| time.as_duration())
}

fn milliseconds(since: Instant) -> f64 {
    rounded(since.elapsed())
}

/// Time in ms, rounded to a microsecond.
fn rounded(time: Duration) -> f64 {
    time.as_micros() as f64 / 1e3
}
