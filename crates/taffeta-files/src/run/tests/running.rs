//! Runs in which nothing breaks.

use super::*;
use crate::cache::CacheError;

#[test]
fn a_finished_run_has_its_files_and_their_fixed_names() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fake");
    let outcome = run(create(&path), fake(), 4, u64::MAX).unwrap();
    assert_eq!((outcome.ended, outcome.simulated, &outcome.folder), (Ended::Finished, 4, &path));

    let report: serde_json::Value = serde_json::from_slice(&fs::read(path.join(names::REPORT)).unwrap()).unwrap();
    assert_eq!(report["status"], "finished");
    assert_eq!(report["frames"], 4);
    assert_eq!(report["totals"]["steps"], 8);
    assert!(report["ms_per_frame"].is_f64() && report["cpu_ms_per_frame"].is_f64() && report["max_stretch"].is_f64());
    assert_eq!(report["error"], serde_json::Value::Null);

    let text = fs::read_to_string(path.join(names::FRAMES)).unwrap();
    assert_eq!(text.lines().count(), 5);
    for (number, line) in text.lines().enumerate() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        for name in ["time", "kinetic", "gravity", "stretch", "shear", "bend", "com_height", "max_stretch"] {
            assert!(line[name].is_f64(), "{name} in {line}");
        }
        for name in ["steps", "step", "rejected", "iterations", "contacts", "mean_stretch"] {
            assert!(line[name].is_number(), "{name} in {line}");
        }
        assert_eq!(line["frame"], number);
        assert_eq!(line["smallest_gap"], serde_json::Value::Null);
        assert_eq!(line["pins"][1].as_array().unwrap().len(), 3);
        for name in ["simulate", "forces", "solve", "contact", "limit", "measure", "write"] {
            assert!(line["ms"][name].is_f64(), "{name} in {line}");
        }
    }

    let view = RunView::open(&path).unwrap();
    assert_eq!(view.scene().unwrap(), SCENE);
    assert_eq!(fs::read(path.join("files/m.obj")).unwrap(), ATTACHED);
    assert_eq!((view.name().as_str(), view.status().unwrap()), ("fake", Status::Finished));
    let mut positions = view.positions().unwrap();
    assert_eq!((positions.frames().unwrap(), positions.fps()), (5, 25.0));
    let mut x = Vec::new();
    positions.read(0, &mut x).unwrap();
    assert_eq!(x, fake().state().x);
    let mut names: Vec<_> = fs::read_dir(&path).unwrap().map(|e| e.unwrap().file_name()).collect();
    names.sort();
    let expected = [".lock", "checkpoint.bin", "contact.bin", "files", "frames.crc", "frames.jsonl", "manifest.json"];
    let expected = [&expected[..], &["positions.bin", "report.json", "scene.toml"]].concat();
    assert_eq!(names, expected, "nothing temporary is left");

    let mut forces = view.contact().unwrap().unwrap();
    assert_eq!(forces.surface(), positions.surface());
    for touching in [0, 4, 3, 2, 1].into_iter().enumerate() {
        let mut f = Vec::new();
        forces.read(touching.0 as u64, &mut f).unwrap();
        assert_eq!((f.len(), f.iter().filter(|f| **f != Vec3::ZERO).count()), (6, touching.1));
    }
}

#[test]
fn a_run_in_which_nothing_can_touch_has_no_forces_of_contact() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("free");
    run(create(&path), Fake { free: true, ..fake() }, 4, 2).unwrap();
    go_on(&path, Fake { free: true, ..fake() }, None, u64::MAX).unwrap();
    assert!(RunView::open(&path).unwrap().contact().unwrap().is_none());
    assert!(!path.join(names::CONTACT).exists());
}

#[test]
fn resumed_run_equals_uninterrupted_run() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole");
    run(create(&whole), fake(), 6, u64::MAX).unwrap();
    for stop in 0..=6 {
        let path = folder.path().join(format!("stop{stop}"));
        let outcome = run(create(&path), fake(), 6, stop).unwrap();
        if stop < 6 {
            assert_eq!((outcome.ended, outcome.report.status), (Ended::Interrupted, Status::Interrupted));
            assert_eq!(outcome.report.frames, stop);
            // stopped a second time
            assert_eq!(go_on(&path, fake(), None, stop + 1).unwrap().simulated, 1);
        }
        let outcome = go_on(&path, fake(), None, u64::MAX).unwrap();
        assert_eq!(outcome.ended, Ended::Finished);
        assert_eq!(results(&path), results(&whole), "stopped after {stop}");
    }
}

#[test]
fn a_lengthened_run_equals_a_long_one() {
    let folder = tempfile::tempdir().unwrap();
    let (long, short) = (folder.path().join("long"), folder.path().join("short"));
    run(create(&long), fake(), 7, u64::MAX).unwrap();
    run(create(&short), fake(), 3, u64::MAX).unwrap();
    // interrupted while being extended: the new length is kept
    assert_eq!(go_on(&short, fake(), Some(7), 5).unwrap().ended, Ended::Interrupted);
    assert_eq!(go_on(&short, fake(), None, u64::MAX).unwrap().report.frames, 7);
    assert_eq!(results(&short), results(&long));
    assert!(matches!(go_on(&short, fake(), Some(6), 9), Err(RunError::Shorter { done: 7, asked: 6 })));
    assert_eq!(results(&short), results(&long));
}

#[test]
fn resuming_a_finished_run_simulates_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fake");
    run(create(&path), fake(), 3, u64::MAX).unwrap();
    let before = results(&path);
    let log = fs::read(path.join(names::FRAMES)).unwrap();
    let outcome = go_on(&path, fake(), None, u64::MAX).unwrap();
    assert_eq!((outcome.ended, outcome.simulated, outcome.report.frames), (Ended::Finished, 0, 3));
    assert_eq!(results(&path), before);
    assert_eq!(fs::read(path.join(names::FRAMES)).unwrap(), log);
}

#[test]
fn a_failing_step_keeps_everything_before_it() {
    let folder = tempfile::tempdir().unwrap();
    let (path, whole) = (folder.path().join("fails"), folder.path().join("whole"));
    let outcome = run(create(&path), Fake { fails_at: Some(4), ..fake() }, 6, u64::MAX).unwrap();
    assert!(matches!(outcome.ended, Ended::Failed(Failure::Step(_))), "{:?}", outcome.ended);
    let report = Report::read(&path).unwrap();
    assert_eq!((report.status, report.frames), (Status::Failed, 3));
    assert!(report.error.unwrap().contains("diverged"));
    assert_eq!(RunView::open(&path).unwrap().positions().unwrap().frames().unwrap(), 4);

    // with a step that works (after a bug fix, say) it continues from the last good frame
    go_on(&path, fake(), None, u64::MAX).unwrap();
    run(create(&whole), fake(), 6, u64::MAX).unwrap();
    assert_eq!(results(&path), results(&whole));
}

#[test]
fn a_value_that_is_not_finite_ends_the_run_before_it_reaches_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("nan");
    let outcome = run(create(&path), Fake { nan_at: Some(3), ..fake() }, 6, u64::MAX).unwrap();
    assert_eq!(outcome.ended, Ended::Failed(Failure::NotFinite { frame: 3, what: "velocities" }));
    assert_eq!(outcome.report.frames, 2);
    go_on(&path, fake(), None, u64::MAX).unwrap();
}

#[test]
fn what_a_command_adds_to_the_report_survives_a_resume() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fake");
    let mut report = run(create(&path), fake(), 1, u64::MAX).unwrap().report;
    report.extra.insert("residual".into(), 0.25.into());
    report.write(&path).unwrap();
    go_on(&path, fake(), Some(2), u64::MAX).unwrap();
    let report: serde_json::Value = serde_json::from_slice(&fs::read(path.join(names::REPORT)).unwrap()).unwrap();
    assert_eq!((&report["residual"], &report["frames"]), (&0.25.into(), &2.into()));
}

#[test]
fn a_changed_scene_file_or_mesh_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fake");
    run(create(&path), fake(), 4, 2).unwrap();
    let try_it = |fake: Fake| go_on(&path, fake, None, u64::MAX).unwrap_err();

    let scene = path.join(names::SCENE);
    fs::write(&scene, "title = \"other\"\n").unwrap();
    assert!(matches!(try_it(fake()), RunError::Changed { path } if path == scene));
    fs::write(&scene, SCENE).unwrap();

    let file = path.join("files/m.obj");
    fs::write(&file, "v 0 0 1\n").unwrap();
    assert!(matches!(try_it(fake()), RunError::Changed { path } if path == file));
    fs::remove_file(&file).unwrap();
    assert!(matches!(try_it(fake()), RunError::Missing { path } if path == file));
    fs::write(&file, ATTACHED).unwrap();

    let error = try_it(Fake { other_mesh: true, ..fake() });
    assert!(matches!(error, RunError::OtherMesh { .. }), "{error}");
    go_on(&path, fake(), None, u64::MAX).unwrap();
}

#[test]
fn a_start_that_is_not_finite_is_an_error_and_not_a_file() {
    struct Bad(Fake);
    impl FrameSource for Bad {
        fn surface(&self) -> Surface {
            self.0.surface()
        }
        fn fps(&self) -> f64 {
            25.0
        }
        fn pin_names(&self) -> &[String] {
            &[]
        }
        fn state(&self) -> &State {
            self.0.state()
        }
        fn go_to(&mut self, state: State) -> Result<(), ImpossibleState> {
            self.0.go_to(state)
        }
        fn frame(&mut self, stop: &mut (dyn FnMut(&State) -> bool + Send)) -> Result<Option<FrameReport>, Failure> {
            self.0.frame(stop)
        }
        fn measure(&self) -> Measures {
            Measures::default()
        }
    }
    let mut bad = Bad(fake());
    let mut state = bad.state().clone();
    state.x[1].y = f64::INFINITY;
    bad.go_to(state).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let plan = Plan { scene: SCENE, attachments: &[], frames: 2, kind: Kind::Motion };
    let mut hooks = Hooks { stop: &|| false, observe: &mut |_| {}, within: &mut |_| {} };
    let result = start(create(&folder.path().join("bad")), &plan, &mut bad, &settings(), &mut hooks);
    assert!(matches!(result, Err(RunError::Cache(CacheError::NotFinite { frame: 0, vertex: 1 }))));
}
