//! A run as a process that is killed again and again.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use taffeta::{ClothRange, Contact, FrameReport, ImpossibleState, Measures, State, Vec3};
use taffeta_files::Surface;
use taffeta_files::run::{
    Ended, Failure, FrameSource, Hooks, Plan, RunFolder, RunView, Settings, Status, Target, names,
};
use taffeta_files::run::{RunError, resume, start};

const FRAMES: u64 = 300;
const FOLDER: &str = "TAFFETA_TEST_FOLDER";

/// A thousand vertices on a chaotic course, a frame a millisecond.
struct Fake(State);

fn rest() -> Vec<Vec3> {
    (0..1000).map(|i| Vec3::splat(i as f64)).collect()
}

impl Fake {
    fn new() -> Self {
        Self(State {
            frame: 0,
            step: 0,
            elapsed: 0.0,
            time: 0.0,
            control: Default::default(),
            x: rest(),
            v: vec![Vec3::splat(0.3); 1000],
            anchors: Vec::new(),
            holds: Vec::new(),
            contacts: Vec::new(),
            touching: taffeta::Touching::default(),
            exempt: taffeta::Exempt::default(),
            past: Default::default(),
            went_over: None,
        })
    }
}

impl FrameSource for Fake {
    fn surface(&self) -> Surface {
        Surface {
            cloths: vec![ClothRange { name: "cloud".into(), vertices: 0..1000, triangles: 0..1 }],
            rest: rest(),
            triangles: vec![[0, 1, 2]],
            uv: vec![[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]],
        }
    }

    fn fps(&self) -> f64 {
        60.0
    }

    fn pin_names(&self) -> &[String] {
        &[]
    }

    fn can_touch(&self) -> bool {
        true
    }

    fn state(&self) -> &State {
        &self.0
    }

    fn go_to(&mut self, state: State) -> Result<(), ImpossibleState> {
        self.0 = state;
        Ok(())
    }

    fn frame(&mut self, _: &mut (dyn FnMut(&State) -> bool + Send)) -> Result<Option<FrameReport>, Failure> {
        let state = &mut self.0;
        std::thread::sleep(Duration::from_millis(1));
        for (x, v) in state.x.iter_mut().zip(&mut state.v) {
            *v = 3.9 * *v * (Vec3::ONE - *v);
            *x += *v;
        }
        // more and fewer of them
        let touching = (state.v[0].x * 1000.0) as u32;
        let contact = |vertex: u32| Contact {
            vertex,
            body: 0,
            sticks: vertex.is_multiple_of(2),
            point: state.x[vertex as usize],
            force: state.v[vertex as usize],
        };
        state.contacts = (0..touching).map(contact).collect();
        state.frame += 1;
        state.time = state.frame as f64 / 60.0;
        Ok(Some(FrameReport::default()))
    }

    fn measure(&self) -> Measures {
        Measures { kinetic: self.0.v[0].x, ..Measures::default() }
    }
}

fn go(folder: &Path) -> Result<Ended, RunError> {
    let mut hooks = Hooks { stop: &|| false, observe: &mut |_| {}, within: &mut |_| {} };
    let settings = Settings { threads: 1, warnings: &[] };
    let outcome = if folder.join(names::MANIFEST).exists() {
        resume(RunFolder::open(folder)?, None, &mut Fake::new(), &settings, &mut hooks)?
    } else {
        let plan = Plan { scene: "", attachments: &[], frames: FRAMES, kind: Default::default() };
        // a kill before the folder was set up leaves nothing of worth
        let folder = RunFolder::create(&Target::Exactly(folder.to_path_buf()), folder.exists())?;
        start(folder, &plan, &mut Fake::new(), &settings, &mut hooks)?
    };
    Ok(outcome.ended)
}

/// Not a test by itself: what the killed process does.
#[test]
fn child() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        assert_eq!(go(Path::new(&folder)).unwrap(), Ended::Finished);
    }
}

#[test]
fn run_killed_at_any_moment_resumes_and_equals_an_uninterrupted_run() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, killed) = (folder.path().join("whole"), folder.path().join("killed"));
    assert_eq!(go(&whole).unwrap(), Ended::Finished);

    let mut kills = 0;
    let mut last = 0;
    loop {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["child", "--exact"])
            .env(FOLDER, &killed)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        // times that have nothing to do with the length of a frame, and grow so that there is an end
        std::thread::sleep(Duration::from_micros(10_000 + 7_337 * kills));
        child.kill().unwrap();
        if child.wait().unwrap().success() {
            break;
        }
        kills += 1;
        let Ok(view) = RunView::open(&killed) else { continue };
        if let Ok(mut positions) = view.positions() {
            let frames = positions.sound_frames().unwrap();
            assert!(frames + 1 >= last, "{frames} frames are there, and {last} were before");
            last = frames;
        }
        if let Ok(status) = view.status() {
            assert!(matches!(status, Status::Interrupted | Status::Finished), "{status}");
        }
    }
    println!("{kills} kills");
    assert!(kills > 2, "killed only {kills} times");

    for name in [names::POSITIONS, names::CONTACT, names::CHECKPOINT] {
        let read = |folder: &Path| std::fs::read(folder.join(name)).unwrap();
        assert!(read(&whole) == read(&killed), "{name} differs");
    }
    let lines = |folder: &Path| {
        let mut lines = RunView::open(folder).unwrap().lines().unwrap();
        lines.iter_mut().for_each(|line| line.ms = Default::default());
        lines
    };
    assert_eq!(lines(&whole), lines(&killed));
}
