//! Tests of runs with a fake simulation: they test the files.

mod broken;
mod folders;
mod running;

use super::*;
use crate::{Hash, Surface};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use taffeta::{ClothRange, Contact, FrameReport, ImpossibleState, Measures, State, StepError, Vec3};

pub(crate) const SCENE: &str = "title = \"fake\"\n";

/// Three vertices on a chaotic path: a wrong bit in a resumed state would show in the next frame.
#[derive(Clone, Default)]
pub(crate) struct Fake {
    /// Diverges in this frame.
    pub fails_at: Option<u64>,
    /// Gives a value that is not finite in this frame.
    pub nan_at: Option<u64>,
    /// Moves the mesh.
    pub other_mesh: bool,
    /// Touches nothing.
    pub free: bool,
    pins: Vec<String>,
    /// The start until the first step.
    state: OnceCell<State>,
}

impl FrameSource for Fake {
    fn surface(&self) -> Surface {
        Surface {
            cloths: vec![
                ClothRange { name: "a".into(), vertices: 0..3, triangles: 0..1 },
                ClothRange { name: "b".into(), vertices: 3..6, triangles: 1..2 },
            ],
            rest: (0..6).map(|i| Vec3::new(i as f64, (i * i) as f64, self.other_mesh as u8 as f64)).collect(),
            triangles: vec![[0, 1, 2], [3, 4, 5]],
            uv: vec![[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]; 2],
        }
    }

    fn fps(&self) -> f64 {
        25.0
    }

    fn pin_names(&self) -> &[String] {
        &self.pins
    }

    fn can_touch(&self) -> bool {
        !self.free
    }

    fn state(&self) -> &State {
        self.state.get_or_init(|| {
            let x = self.surface().rest;
            State {
                frame: 0,
                step: 0,
                elapsed: 0.0,
                time: 0.0,
                control: Default::default(),
                v: vec![Vec3::splat(0.37); x.len()],
                anchors: vec![Vec3::ONE; 2],
                holds: vec![true],
                contacts: Vec::new(),
                touching: Default::default(),
                exempt: Default::default(),
                past: Default::default(),
                went_over: None,
                x,
            }
        })
    }

    fn go_to(&mut self, state: State) -> Result<(), ImpossibleState> {
        self.state = OnceCell::from(state);
        Ok(())
    }

    fn frame(&mut self, _: &mut (dyn FnMut(&State) -> bool + Send)) -> Result<Option<FrameReport>, Failure> {
        FrameSource::state(self);
        let state = self.state.get_mut().unwrap();
        let frame = state.frame + 1;
        for (i, (x, v)) in state.x.iter_mut().zip(&mut state.v).enumerate() {
            *v = 3.9 * *v * (Vec3::ONE - *v);
            *x += *v * (1.0 + i as f64);
        }
        if self.fails_at == Some(frame) {
            // a failing step leaves a state that belongs to no frame
            state.step = 1;
            let (time, cloth) = (state.time, "a".into());
            let error = StepError::Diverged { time, vertex: 1, cloth, moved: 9.0, h: 0.04, stable: Some(0.01) };
            return Err(error.into());
        }
        if self.nan_at == Some(frame) {
            state.v[2].z = f64::NAN;
        }
        // fewer contacts in each frame
        let touching = if self.free { 0 } else { 5 - (frame as u32).min(5) };
        let contact = |vertex: u32| {
            let (point, force) = (state.x[vertex as usize], state.v[vertex as usize]);
            Contact { vertex, body: 0, sticks: vertex.is_multiple_of(2), point, force }
        };
        state.contacts = (0..touching).map(contact).collect();
        state.frame = frame;
        state.time = frame as f64 / 25.0;
        Ok(Some(FrameReport {
            steps: 2,
            h: 0.02,
            limited: frame,
            pins: vec![Vec3::X; self.pins.len()],
            ..FrameReport::default()
        }))
    }

    fn measure(&self) -> Measures {
        let state = self.state();
        let sum: Vec3 = state.x.iter().sum();
        Measures { kinetic: sum.x / 3.0, max_stretch: state.v[0].x, com_height: sum.y / 6.0, ..Default::default() }
    }
}

pub(crate) fn fake() -> Fake {
    Fake { pins: vec!["a.pin[0]".into(), "b.pin[0]".into()], ..Default::default() }
}

/// Contents of the one file that the scene refers to.
pub(crate) const ATTACHED: &[u8] = b"v 0 0 0\n";

/// The file.
pub(crate) fn attachments() -> Vec<Attachment> {
    vec![Attachment { name: "m.obj".into(), contents: Contents::Bytes(ATTACHED.to_vec().into()) }]
}

pub(crate) fn settings() -> Settings<'static> {
    Settings { threads: 1, warnings: &[] }
}

/// Runs in a new folder; stops after `stop` frames.
pub(crate) fn run(folder: RunFolder, mut fake: Fake, frames: u64, stop: u64) -> Result<Outcome, RunError> {
    let attachments = attachments();
    let plan = Plan { scene: SCENE, attachments: &attachments, frames, kind: Kind::Motion };
    stopping(stop, |hooks| start(folder, &plan, &mut fake, &settings(), hooks))
}

/// Resumes; stops after `stop` frames altogether.
pub(crate) fn go_on(path: &Path, mut fake: Fake, frames: Option<u64>, stop: u64) -> Result<Outcome, RunError> {
    let folder = RunFolder::open(path)?;
    stopping(stop, |hooks| resume(folder, frames, &mut fake, &settings(), hooks))
}

fn stopping<T>(stop: u64, call: impl FnOnce(&mut Hooks) -> T) -> T {
    let seen = std::sync::atomic::AtomicU64::new(0);
    let mut observe = |progress: &Progress| seen.store(progress.frame, std::sync::atomic::Ordering::Relaxed);
    let stop = || seen.load(std::sync::atomic::Ordering::Relaxed) >= stop;
    call(&mut Hooks { stop: &stop, observe: &mut observe, within: &mut |_| {} })
}

pub(crate) fn create(path: &Path) -> RunFolder {
    RunFolder::create(&Target::Exactly(path.to_path_buf()), false).unwrap()
}

/// All files of a finished run whose bits must not depend on interruptions.
pub(crate) fn results(path: &Path) -> BTreeMap<&'static str, String> {
    let mut files = BTreeMap::new();
    for name in [names::SCENE, names::POSITIONS, names::CONTACT, names::CHECKPOINT] {
        files.insert(name, Hash::of(&fs::read(path.join(name)).unwrap()).to_string());
    }
    let mut lines = RunView::open(path).unwrap().lines().unwrap();
    lines.iter_mut().for_each(|line| line.ms = Milliseconds::default());
    files.insert(names::FRAMES, serde_json::to_string(&lines).unwrap());
    let mut report = Report::read(path).unwrap();
    report.update(report.frames, report.time, &Totals { maxima: report.totals.maxima.clone(), ..Default::default() });
    files.insert(names::REPORT, serde_json::to_string(&report).unwrap());
    files
}

/// A folder for tests that create thousands of files, in memory if the system allows it.
pub(crate) fn quick_folder() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}
