//! Checkpoints whose checksums fit and whose values cannot be: `resume` refuses them all, and neither hangs nor panics.

use std::path::Path;
use std::sync::Arc;
use taffeta::{
    Body, Cloth, Corner, Implicit, Mesh, Method, Pattern, Pin, Place, Select, Setup, Shape, Simulation, State,
    StepSize, Time, Vec3, World,
};
use taffeta_files::checkpoint;
use taffeta_files::run::{
    Ended, Hooks, Kind, Manifest, Outcome, Plan, RunError, RunFolder, Settings, Target, names, resume, start,
};

/// A sheet that is pinned at a corner and falls on the floor: it has contacts, pins, a state before and a control of
/// the step.
fn world(method: Method, step: StepSize) -> World {
    let mut sheet = Cloth::new("sheet", Mesh::grid([0.4, 0.4], [4, 4], Pattern::Alternating).unwrap());
    sheet.place = Place { rotate: Vec3::new(90.0, 0.0, 0.0), ..Place::default() };
    sheet.pins = vec![Pin::fixed(Select::Corners(vec![Corner::LeftTop]))];
    let mut setup = Setup::with_cloth(sheet);
    setup.bodies = vec![Body {
        name: "floor".into(),
        shape: Shape::Plane,
        place: Place { at: Vec3::new(0.0, -0.01, 0.0), ..Place::default() },
        ..Body::default()
    }];
    setup.method = Some(method);
    setup.time = Time { fps: 30.0, step, ..Time::default() };
    World::new(setup).unwrap()
}

const SETTINGS: Settings = Settings { threads: 1, warnings: &[] };

fn run(path: &Path, world: &World, frames: u64, stop: u64) -> Outcome {
    let folder = RunFolder::create(&Target::Exactly(path.to_path_buf()), false).unwrap();
    let plan = Plan { scene: "", attachments: &[], frames, kind: Kind::Motion };
    let seen = std::sync::atomic::AtomicU64::new(0);
    let mut observe = |now: &taffeta_files::run::Progress| seen.store(now.frame, std::sync::atomic::Ordering::Relaxed);
    let stop = || seen.load(std::sync::atomic::Ordering::Relaxed) >= stop;
    let mut hooks = Hooks { stop: &stop, observe: &mut observe, within: &mut |_| () };
    start(folder, &plan, &mut Simulation::of(Arc::new(world.clone())), &SETTINGS, &mut hooks).unwrap()
}

fn go_on(path: &Path, world: &World) -> Result<Outcome, RunError> {
    let mut hooks = Hooks { stop: &|| false, observe: &mut |_| (), within: &mut |_| () };
    resume(RunFolder::open(path)?, None, &mut Simulation::of(Arc::new(world.clone())), &SETTINGS, &mut hooks)
}

type Change = (&'static str, fn(&mut State));

/// Every field, out of every range.
const CHANGES: [Change; 44] = [
    ("frame", |s| s.frame += 1),
    ("frame", |s| s.frame = 0),
    ("frame", |s| s.frame = u64::MAX),
    ("step", |s| s.step = 1),
    ("step", |s| s.step = u32::MAX),
    ("elapsed", |s| s.elapsed = 1e300),
    ("elapsed", |s| s.elapsed = -1e300),
    ("elapsed", |s| s.elapsed = 1e-3),
    ("elapsed", |s| s.elapsed = f64::NAN),
    ("time", |s| s.time = 1e300),
    ("time", |s| s.time = -1.0),
    ("time", |s| s.time = f64::INFINITY),
    ("time", |s| s.time += 1e-9),
    ("halvings", |s| s.control.halvings = 13),
    ("doublings", |s| s.control.doublings = 5),
    ("halvings", |s| s.control.halvings = 31),
    ("halvings", |s| s.control.halvings = u32::MAX),
    ("successes", |s| s.control.successes = u32::MAX),
    ("wait", |s| s.control.wait = 0),
    ("wait", |s| s.control.wait = 41),
    ("wait", |s| s.control.wait = u32::MAX),
    ("positions", |s| s.x[3].x += 1e-9),
    ("positions", |s| s.x[3].y = 1e300),
    ("positions", |s| s.x[3].z = f64::NAN),
    ("velocities", |s| s.v[0].x = f64::INFINITY),
    ("velocities", |s| s.v[7].y = f64::NAN),
    ("anchors", |s| s.anchors[0].x = f64::NAN),
    ("past.h", |s| s.past.h = 1e300),
    ("past.h", |s| s.past.h = -0.01),
    ("past.h", |s| s.past.h = f64::NAN),
    ("past.h", |s| s.past.h = 1e-300),
    ("past.x", |s| s.past.x[1].x = f64::NAN),
    ("past.v", |s| s.past.v[1].x = f64::INFINITY),
    ("contact vertex", |s| s.contacts[0].vertex = u32::MAX),
    ("contact vertex", |s| s.contacts[0].vertex = 25),
    ("contact order", |s| s.contacts.reverse()),
    ("contact twice", |s| s.contacts[1] = s.contacts[0]),
    ("contact body", |s| s.contacts[0].body = 1),
    ("contact body", |s| s.contacts[0].body = u32::MAX),
    ("contact point", |s| s.contacts[0].point.x = f64::NAN),
    ("contact force", |s| s.contacts[0].force.y = f64::INFINITY),
    ("contacts", |s| s.contacts.extend(vec![s.contacts[0]; 100])),
    ("holds", |s| s.holds.push(true)),
    ("anchors", |s| s.anchors.clear()),
];

#[test]
fn a_forged_checkpoint_is_refused_whatever_it_says() {
    let place = tempfile::tempdir().unwrap();
    let world = world(Method::Bdf2(Implicit::default()), StepSize::AtMost(1.0 / 60.0));
    let path = place.path().join("run");
    let outcome = run(&path, &world, 6, 4);
    assert_eq!((outcome.ended, outcome.report.frames), (Ended::Interrupted, 4));
    let file = path.join(names::CHECKPOINT);
    let hash = Manifest::read(&path).unwrap().scene_hash;
    let genuine = checkpoint::read(&file, hash, &world.start()).unwrap();
    assert!(genuine.contacts.len() > 1 && genuine.past.h > 0.0 && world.adaptive.is_some());
    let positions = std::fs::read(path.join(names::POSITIONS)).unwrap();
    for (what, change) in CHANGES {
        let mut state = genuine.clone();
        change(&mut state);
        checkpoint::write(&file, &state, hash).unwrap();
        let error = go_on(&path, &world).expect_err(what);
        assert!(error.to_string().contains("checkpoint.bin"), "{what}: {error}");
        assert!(!error.help().is_empty());
        assert!(std::fs::read(path.join(names::POSITIONS)).unwrap() == positions, "{what}: nothing is changed");
    }
    checkpoint::write(&file, &genuine, hash).unwrap();
    assert_eq!(go_on(&path, &world).unwrap().ended, Ended::Finished);
}

/// What a run itself writes is always accepted: after every frame, with steps that are halved, and without a control.
#[test]
fn every_state_that_a_run_comes_to_is_possible() {
    for (method, step) in
        [(Method::Bdf2(Implicit::default()), StepSize::AtMost(1.0 / 60.0)), (Method::SymplecticEuler, StepSize::Auto)]
    {
        let world = world(method, step);
        let mut state = world.start();
        let mut work = taffeta::Workspace::new(&world);
        state.check(&world).unwrap();
        for _ in 0..40 {
            taffeta::advance_frame(&world, &mut state, &mut work).unwrap();
            state.check(&world).unwrap();
        }
    }
}
