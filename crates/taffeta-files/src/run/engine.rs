//! The loop of a run, in the order it happens.

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

/// A power cut costs about this much work; more often would slow down a run on a hard disk.
const SYNC_EVERY: Duration = if cfg!(test) { Duration::ZERO } else { Duration::from_secs(1) };

/// A frame that is nearly done when someone says stop is finished; one that takes longer than this is given up.
pub const GRACE: Duration = Duration::from_secs(1);

/// A new run.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a> {
    /// Text of the scene as run, overrides applied, with paths into `files/`.
    pub scene: &'a str,
    /// Files that the scene refers to.
    pub attachments: &'a [Attachment],
    /// Frames to simulate, without the start.
    pub frames: u64,
    /// What the frames are.
    pub kind: Kind,
}

/// What goes into the report besides the run itself.
#[derive(Clone, Copy, Debug)]
pub struct Settings<'a> {
    /// Threads of the pool that the caller runs this in.
    pub threads: usize,
    /// What the user should know though nothing is wrong.
    pub warnings: &'a [Warning],
}

/// How the caller takes part. The first two are called between frames, on the thread of the loop.
pub struct Hooks<'a> {
    /// Whether to stop now.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Sees every frame once it is safe, and the state that the loop begins with.
    pub observe: &'a mut (dyn FnMut(&Progress) + Send),
    /// Sees how far the frame in work is, before each of its steps.
    pub within: &'a mut (dyn FnMut(&Within) + Send),
}

/// A finished frame.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// Its number.
    pub frame: u64,
    /// Frames when all is done.
    pub total: u64,
    /// Frames of this call, this one included.
    pub simulated: u64,
    /// Time since the loop began.
    pub elapsed: Duration,
    /// What happened in it; `None` for the state that the loop begins with.
    pub report: Option<&'a FrameReport>,
    /// What can be said of it; `None` when a run is resumed and nothing has happened yet.
    pub measures: Option<&'a Measures>,
    /// Positions, m.
    pub x: &'a [Vec3],
}

/// A frame in work.
#[derive(Clone, Copy, Debug)]
pub struct Within {
    /// Frames that are done.
    pub done: u64,
    /// Frames when all is done.
    pub total: u64,
    /// Steps of this one so far.
    pub steps: u32,
    /// Share of its time that they cover.
    pub share: f64,
}

/// How a run ended. Whatever it was, all finished frames are in the folder.
#[derive(Clone, Debug, PartialEq)]
pub enum Ended {
    /// All frames are there.
    Finished,
    /// [`Hooks::stop`] said so; can be resumed.
    Interrupted,
    /// The simulation cannot go on.
    Failed(Failure),
}

/// Why a simulation cannot go on.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Failure {
    /// A step failed.
    #[error(transparent)]
    Step(#[from] StepError),
    /// A recorded action cannot be done.
    #[error("a recorded action cannot be done: {0}")]
    Action(#[from] ActionError),
    /// A value of the frame is infinite or no number.
    #[error("`{what}` is not a finite number in frame {frame}: the simulation diverged")]
    NotFinite {
        /// The frame, which is not written.
        frame: u64,
        /// Name in `frames.jsonl`, or `positions`, `velocities` or `contacts`.
        what: &'static str,
    },
    /// The search for an equilibrium ended before it.
    #[error("{}", no_equilibrium(*.iterations, *.residual, *.share, .loose.as_deref()))]
    NoEquilibrium {
        /// Newton's iterations.
        iterations: u32,
        /// Largest net force on a particle, N.
        residual: f64,
        /// The largest as a share of the particle's weight.
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
        // it was not looked for
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
    /// Where it is now.
    pub folder: PathBuf,
    /// As in `report.json`.
    pub report: Report,
    /// How it ended.
    pub ended: Ended,
    /// Frames that this call simulated.
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

/// Goes on with a run that was interrupted, killed or has failed, or lengthens a finished one to `frames`.
///
/// The source must be that of the scene in the folder, at its start: [`Manifest::verify`] returns the text of the
/// scene. A run that has all its frames is left as it is.
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
        // nothing but the start was there, and the scene gives that again
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

/// A state from which a run can go on, with everything before it checked.
struct Found {
    state: State,
    cache: CacheReader,
    contact: Option<CacheReader>,
    lines: Lines,
}

/// The newest checkpoint whose frames are all there.
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
        // a checksum finds accidents; what is impossible is refused whoever wrote it
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
    // the first error tells more: the second checkpoint exists only while a run goes on
    attempt(names::CHECKPOINT).or_else(|error| attempt(names::CHECKPOINT_SYNCED).map_err(|_| error))
}

/// Whether a run was stopped before its first frame was safe, so that nothing is lost by beginning again.
fn holds_no_frames(folder: &RunFolder, surface: &Surface, scene: Hash, start: &State) -> bool {
    let size = fs::metadata(folder.file(names::POSITIONS)).map_or(0, |file| file.len());
    let mut lines = 0;
    // a line that cannot be read was the last, and is counted by what comes before it
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
    /// Time that the last checkpoint and sync took, to be counted with the next frame.
    checkpoint_ms: f64,
}

/// A state that is safe, with the files that the next one goes to.
struct Begun {
    frame: u64,
    time: f64,
    cache: CacheWriter,
    contact: Option<Forces>,
    log: FrameLog,
    checkpoint: Checkpoint,
    totals: Totals,
}

/// `contact.bin`, and the forces of a frame.
struct Forces {
    cache: CacheWriter,
    forces: Vec<Vec3>,
}

impl Forces {
    fn new(cache: CacheWriter) -> Self {
        Self { cache, forces: Vec::new() }
    }

    /// Appends the force of contact on every vertex: of those that touch, and what else bodies do.
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
                // none at all is better than one that says that the run goes on
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

    /// Frame 0 in all files.
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

    /// Cuts off what is beyond the checkpoint.
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

    /// Simulates until all frames are there, someone says stop, or it cannot go on.
    fn go_on(mut self, source: &mut dyn FrameSource, hooks: &mut Hooks) -> Result<Outcome, RunError> {
        let clock = Instant::now();
        let total = self.manifest.frames;
        let first = source.state().frame;
        // frames that are safe: the state itself may be ahead when something goes wrong
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
        self.end(result, ended, safe, safe - first, hooks.stop)
    }

    /// Makes a frame and measures it. What is not finite is not let into any file. `None`: the frame was
    /// given up, because it took longer than [`GRACE`] after someone said stop.
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

    /// Makes a frame safe: positions, forces of contact, line, checkpoint, in this order.
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
        self.checkpoint_ms = milliseconds(clock);
        Ok(())
    }

    /// Now and then, makes everything so far survive a power cut.
    fn sync(&mut self, state: &State) -> Result<(), DiskError> {
        if Instant::now() < self.next_sync {
            return Ok(());
        }
        let clock = Instant::now();
        // frames first, then the state that counts on them
        self.sync_caches()?;
        self.log.sync()?;
        let file = self.folder.file(names::CHECKPOINT_SYNCED);
        checkpoint::write(&file, state, self.manifest.scene_hash)?;
        self.report.write_as(self.folder.path(), Durable::No)?;
        // on a slow disk seldom enough to cost no more than a tenth of the time
        self.next_sync = Instant::now() + SYNC_EVERY.max(10 * clock.elapsed());
        self.checkpoint_ms += milliseconds(clock);
        Ok(())
    }

    fn sync_caches(&self) -> Result<(), DiskError> {
        self.cache.sync()?;
        self.contact.as_ref().map_or(Ok(()), |contact| contact.cache.sync())
    }

    /// Forces everything to the disk, writes the report and lets go of the folder.
    fn end(
        mut self,
        result: Result<(), DiskError>,
        ended: Ended,
        safe: u64,
        simulated: u64,
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
        // on a full disk this may fail as well; then the report of the start or of the last second stays
        let written =
            self.report.write_as(&path, Durable::Yes).or_else(|error| self.report.overwrite(&path).map_err(|_| error));
        if let Err(error) = result.and(written) {
            return Err(RunError::Write { error, safe: Some(safe), folder: path });
        }
        // a cloth that has got out of hand crosses itself, and that is not the reason
        if ended == Ended::Finished {
            self.report.count_crossings(&path, safe, stop);
            // a disk that has become full keeps the report without the count
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

/// CPU time of this process so far, where the system tells.
fn cpu_time() -> Option<Duration> {
    cpu_time::ProcessTime::try_now().ok().map(|time| time.as_duration())
}

fn milliseconds(since: Instant) -> f64 {
    rounded(since.elapsed())
}

/// ms, to a microsecond.
fn rounded(time: Duration) -> f64 {
    time.as_micros() as f64 / 1e3
}
