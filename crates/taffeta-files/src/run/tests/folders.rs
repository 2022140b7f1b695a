//! The folder of a run, and its lock.

use super::*;
use std::path::PathBuf;

fn named(parent: &Path, force: bool) -> Result<RunFolder, RunError> {
    RunFolder::create(&Target::Named { parent: parent.join("runs"), name: "flag".into() }, force)
}

/// The number of frames of a run, to tell one from another.
fn frames(path: PathBuf) -> u64 {
    RunView::open(&path).unwrap().positions().unwrap().frames().unwrap() - 1
}

#[test]
fn runs_of_the_same_scene_get_numbers() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["flag", "flag-2", "flag-3"] {
        let outcome = run(named(folder.path(), false).unwrap(), fake(), 1, u64::MAX).unwrap();
        assert_eq!(outcome.folder, folder.path().join("runs").join(name));
    }
}

#[test]
fn two_processes_cannot_work_in_one_folder() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fake");
    run(create(&path), fake(), 2, 1).unwrap();
    let first = RunFolder::open(&path).unwrap();
    let view = RunView::open(&path).unwrap();
    assert!(view.is_running());
    assert!(matches!(RunFolder::open(&path), Err(RunError::InUse { .. })));
    assert!(matches!(RunFolder::create(&Target::Exactly(path.clone()), true), Err(RunError::InUse { .. })));
    drop(first);
    assert!(!view.is_running());
    go_on(&path, fake(), None, u64::MAX).unwrap();
}

#[test]
fn a_run_that_was_killed_counts_as_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fake");
    let mut report = run(create(&path), fake(), 2, 1).unwrap().report;
    report.status = Status::Running;
    report.write(&path).unwrap();
    let view = RunView::open(&path).unwrap();
    assert_eq!(view.status().unwrap(), Status::Interrupted);
    let _lock = RunFolder::open(&path).unwrap();
    assert_eq!(view.status().unwrap(), Status::Running);
}

#[test]
fn a_given_folder_must_be_empty_or_forced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a/b");
    let target = Target::Exactly(path.clone());
    fs::create_dir_all(&path).unwrap();
    run(RunFolder::create(&target, false).unwrap(), fake(), 1, u64::MAX).unwrap();
    assert!(matches!(RunFolder::create(&target, false), Err(RunError::Exists { .. })));
    assert_eq!(run(RunFolder::create(&target, true).unwrap(), fake(), 2, u64::MAX).unwrap().folder, path);
    assert_eq!(frames(path), 2);
    assert_eq!(fs::read_dir(folder.path().join("a")).unwrap().count(), 1, "nothing else is left");
}

#[test]
fn a_folder_that_is_no_run_is_never_replaced() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("thesis.tex"), "years of work").unwrap();
    let target = Target::Exactly(folder.path().to_path_buf());
    assert!(matches!(RunFolder::create(&target, true), Err(RunError::NotReplaceable { .. })));
    assert!(folder.path().join("thesis.tex").exists());
    // nor is a folder replaced that is called .new by chance
    let path = folder.path().join("fake");
    run(create(&path), fake(), 1, u64::MAX).unwrap();
    let new = folder.path().join("fake.new");
    fs::create_dir(&new).unwrap();
    fs::write(new.join("notes.txt"), "mine").unwrap();
    assert!(matches!(RunFolder::create(&Target::Exactly(path), true), Err(RunError::NotReplaceable { .. })));
    assert!(new.join("notes.txt").exists());
}

#[test]
fn a_folder_of_a_run_that_never_began_can_be_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fake");
    drop(create(&path));
    fs::write(path.join(names::SCENE), SCENE).unwrap();
    let target = Target::Exactly(path.clone());
    assert!(matches!(RunFolder::create(&target, false), Err(RunError::Exists { .. })));
    assert_eq!(run(RunFolder::create(&target, true).unwrap(), fake(), 1, u64::MAX).unwrap().folder, path);
}

#[test]
fn force_replaces_the_old_run_only_after_success() {
    let folder = tempfile::tempdir().unwrap();
    let (old, new) = (folder.path().join("runs/flag"), folder.path().join("runs/flag.new"));
    run(named(folder.path(), true).unwrap(), fake(), 1, u64::MAX).unwrap();
    assert_eq!(frames(old.clone()), 1, "without an old run there is nothing to wait for");

    // interrupted and failed runs stay beside the old one
    for (fake, stop) in [(fake(), 2), (Fake { fails_at: Some(3), ..fake() }, u64::MAX)] {
        let outcome = run(named(folder.path(), true).unwrap(), fake, 5, stop).unwrap();
        assert_eq!(outcome.folder, new);
        assert_eq!((frames(old.clone()), frames(new.clone())), (1, 2));
    }
    // resume then finishes them
    assert_eq!(go_on(&new, fake(), None, u64::MAX).unwrap().folder, old);
    assert_eq!(frames(old.clone()), 5);
    assert!(!new.exists());
    assert_eq!(fs::read_dir(folder.path().join("runs")).unwrap().count(), 1);

    // a run that has replaced another does not do so again
    fs::create_dir(&new).unwrap();
    copy(&old, &new);
    fs::rename(&new, folder.path().join("runs/other")).unwrap();
    let other = folder.path().join("runs/other");
    assert_eq!(go_on(&other, fake(), Some(6), u64::MAX).unwrap().folder, other);
    assert_eq!(frames(old), 5);
}

/// The process is killed between moving the old run aside and putting the new one in its place. The old one stays: no
/// living process made the folder that it is in.
#[test]
fn a_replacement_that_was_killed_is_finished_by_resume() {
    let folder = tempfile::tempdir().unwrap();
    let (old, new) = (folder.path().join("runs/flag"), folder.path().join("runs/flag.new"));
    let aside = folder.path().join("runs/flag.replaced");
    run(named(folder.path(), false).unwrap(), fake(), 1, u64::MAX).unwrap();
    run(named(folder.path(), true).unwrap(), fake(), 3, 2).unwrap();
    fs::create_dir(&aside).unwrap();
    fs::rename(&old, aside.join("flag")).unwrap();
    assert_eq!(go_on(&new, fake(), None, u64::MAX).unwrap().folder, old);
    assert_eq!((frames(old), frames(aside.join("flag"))), (3, 1));
    assert_eq!(fs::read_dir(folder.path().join("runs")).unwrap().count(), 2);
}

#[test]
fn force_removes_nothing_that_it_did_not_make() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs/flag");
    run(named(folder.path(), false).unwrap(), fake(), 1, u64::MAX).unwrap();
    // folders of others with the names that a replacement uses
    for name in ["runs/flag.replaced", "runs/flag.replaced-2"] {
        fs::create_dir(folder.path().join(name)).unwrap();
        fs::write(folder.path().join(name).join("letter.txt"), "mine").unwrap();
    }
    run(named(folder.path(), true).unwrap(), fake(), 2, u64::MAX).unwrap();
    assert_eq!(frames(path.clone()), 2);
    for name in ["runs/flag.replaced", "runs/flag.replaced-2"] {
        assert_eq!(fs::read(folder.path().join(name).join("letter.txt")).unwrap(), b"mine");
    }
    assert_eq!(fs::read_dir(folder.path().join("runs")).unwrap().count(), 3, "nothing else is left");
    // an unrelated run that is called NAME.new
    let new = folder.path().join("runs/flag.new");
    run(create(&new), fake(), 3, u64::MAX).unwrap();
    assert!(matches!(named(folder.path(), true), Err(RunError::NameTaken { .. })));
    assert_eq!((frames(path), frames(new)), (2, 3));
}

/// A folder in which someone else keeps a scene and a manifest of another kind.
#[test]
fn a_folder_with_another_manifest_is_no_run() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("manifest.json", "{\"name\": \"my site\"}"), ("scene.toml", SCENE), ("work.txt", "years")] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let target = Target::Exactly(folder.path().to_path_buf());
    assert!(matches!(RunFolder::create(&target, true), Err(RunError::NotReplaceable { .. })));
}

#[cfg(unix)]
#[test]
fn a_folder_with_a_link_where_a_run_writes_is_refused() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let [path, victim, scratch] = ["fake", "victim", "scratch"].map(|name| folder.path().join(name));
    run(create(&path), fake(), 3, 1).unwrap();
    fs::write(&victim, "mine").unwrap();
    let nobody = folder.path().join("nobody");
    let written: Vec<String> = fs::read_dir(&path)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != names::SCENE && name != names::FILES)
        .collect();
    assert!(written.len() >= 7, "{written:?}");
    let temporary = written.iter().map(|name| format!("{name}.tmp"));
    let synced = [names::CHECKPOINT_SYNCED.to_string(), format!("{}.tmp", names::CHECKPOINT_SYNCED)];
    for name in temporary.chain(synced).chain(written.clone()) {
        for target in [&victim, &nobody] {
            let _ = fs::remove_dir_all(&scratch);
            copy(&path, &scratch);
            let place = scratch.join(&name);
            // the target of the link is identical to the file, so that nothing else is wrong
            let genuine = place.exists() && target == &victim;
            if genuine {
                fs::rename(&place, folder.path().join("genuine")).unwrap();
            }
            let _ = fs::remove_file(&place);
            let target = if genuine { folder.path().join("genuine") } else { target.clone() };
            symlink(&target, &place).unwrap();
            let before = fs::read(&target).ok();
            let error = go_on(&scratch, fake(), None, u64::MAX).expect_err(&name);
            // without a manifest it is not a run at all
            let fits = matches!(&error, RunError::InTheWay { path, .. } if *path == place);
            assert!(fits || name == names::MANIFEST && !target.exists(), "{name}: {error}");
            assert_eq!(fs::read(&target).ok(), before, "{name}");
            assert!(!nobody.exists() && fs::read(&victim).unwrap() == b"mine", "{name}");
        }
    }
}

#[test]
fn folders_that_cannot_be_resumed_say_why() {
    let folder = tempfile::tempdir().unwrap();
    assert!(matches!(RunFolder::open(folder.path()), Err(RunError::NotARun { .. })));
    assert!(matches!(RunFolder::open(&folder.path().join("none")), Err(RunError::NotARun { .. })));
    let path = folder.path().join("killed-early");
    drop(create(&path));
    assert!(matches!(RunFolder::open(&path), Err(RunError::NotBegun { .. })));
    let mut fake = fake();
    let plan = Plan {
        scene: SCENE,
        attachments: &[Attachment { name: "../x".into(), contents: Contents::Bytes(vec![].into()) }],
        frames: 1,
        kind: Kind::Motion,
    };
    let mut hooks = Hooks { stop: &|| false, observe: &mut |_| {}, within: &mut |_| {} };
    let result = start(create(&path), &plan, &mut fake, &settings(), &mut hooks);
    assert!(matches!(result, Err(RunError::BadName { .. })));
    assert!(!folder.path().join("x").exists());
}
