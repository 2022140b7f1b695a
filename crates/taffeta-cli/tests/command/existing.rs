//! Results that exist are not overwritten.

use crate::common::{LARGE, Place, SMALL, wait_until};
use std::fs;
use std::process::Stdio;

/// Of a run that fails.
const DIVERGES: [&str; 4] = ["--set", "method.name=symplectic-euler", "--set", "time.step=0.02"];

#[test]
fn second_run_gets_a_number() {
    let place = Place::new();
    place.write("small.toml", SMALL);
    place.done(&["run", "small.toml", "--duration", "0.05"]);
    let first = place.snapshot("runs/small");
    let ended = place.done(&["run", "small.toml", "--duration", "0.05"]);
    assert!(ended.stdout.contains("small-2"), "{ended:?}");
    assert_eq!(place.done(&["run", "small.toml", "--duration", "0.05", "--json"]).json()["frames"], 3);
    assert!(place.path("runs/small-3").is_dir());
    assert_eq!(first, place.snapshot("runs/small"));
}

#[test]
fn existing_folder_is_refused() {
    let place = Place::new();
    place.write("small.toml", SMALL);
    place.write("mine/letter.txt", "dear");
    place.done(&["run", "small.toml", "--out", "it", "--duration", "0.05"]);
    let before = place.snapshot(".");
    let ended = place.refused(&["run", "small.toml", "--out", "it"], 2);
    assert!(ended.stderr.contains("--force"), "{ended:?}");
    place.refused(&["run", "small.toml", "--out", "mine"], 2);
    place.refused(&["run", "small.toml", "--out", "mine", "--force"], 2);
    place.refused(&["run", "small.toml", "--out", "small.toml"], 2);
    place.refused(&["run", "small.toml", "--out", "small.toml/below"], 2);
    assert_eq!(before, place.snapshot("."));
}

#[test]
fn forced_run_replaces_only_after_success() {
    let place = Place::with_stills();
    place.write("small.toml", SMALL);
    place.done(&["run", "small.toml", "--duration", "0.05", "--export", "npz"]);
    let before = place.snapshot("runs/small");
    place.refused(&[&["run", "small.toml", "--force"], &DIVERGES[..]].concat(), 1);
    assert_eq!(before, place.snapshot("runs/small"));
    assert!(place.path("runs/small.new/report.json").is_file(), "what failed can be looked at");

    let ended = place.done(&["run", "small.toml", "--force", "--duration", "0.1", "--export", "npz"]);
    assert!(ended.stdout.contains("small.npz") && !ended.stdout.contains(".new"), "{ended:?}");
    assert_eq!(place.report("runs/small")["frames"], 6);
    assert_eq!(fs::read_dir(place.path("runs")).unwrap().count(), 1, "nothing is left behind");
}

#[test]
fn forced_run_leaves_folders_of_others_alone() {
    let place = Place::new();
    place.write("small.toml", SMALL);
    let args = ["run", "small.toml", "--duration", "0.05", "--no-still"];
    place.done(&args);
    place.write("runs/small.replaced/letter.txt", "dear");
    place.done(&[&args[..], &["--force"]].concat());
    assert_eq!(fs::read(place.path("runs/small.replaced/letter.txt")).unwrap(), b"dear");
    assert_eq!(fs::read_dir(place.path("runs")).unwrap().count(), 2, "nothing else is left");
    // another run that only happens to have the name
    place.done(&[&args[..], &["--out", "runs/small.new"]].concat());
    let before = place.snapshot("runs");
    for command in [&args[..], &["drape", "small.toml", "--out", "runs/small"]] {
        let ended = place.refused(&[command, &["--force"]].concat(), 2);
        assert!(ended.stderr.contains("small.new"), "{ended:?}");
    }
    assert_eq!(before, place.snapshot("runs"));
}

#[test]
fn a_run_in_work_is_left_alone() {
    let place = Place::new();
    place.write("large.toml", LARGE);
    let args = ["run", "large.toml", "--out", "it", "--quiet"];
    let mut child = place.command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_until("some frames", || place.frames_seen("it") >= 3);
    for args in [&["resume", "it"][..], &["run", "large.toml", "--out", "it", "--force"]] {
        let ended = place.refused(args, 2);
        assert!(ended.stderr.contains("another process works in"), "{ended:?}");
    }
    // looking is allowed
    let object = place.done(&["convert", "it", "--to", "npz", "--out", "so-far.npz", "--json"]).json();
    assert!(object["frames"].as_u64().is_some_and(|frames| frames >= 3));
    child.kill().unwrap();
    child.wait().unwrap();
    place.done(&["resume", "it", "--quiet"]);
}

#[test]
fn forced_run_does_not_take_the_notes_of_its_user_along() {
    let place = Place::with_stills();
    place.write("small.toml", SMALL);
    place.done(&["run", "small.toml", "--out", "out", "--export", "obj", "--duration", "0.05"]);
    place.write("out/notes.txt", "years of work");
    let force = ["run", "small.toml", "--out", "out", "--duration", "0.05", "--force"];
    let refused = place.refused(&force, 2);
    assert!(refused.stderr.contains("notes.txt") && refused.stderr.contains("move it elsewhere"), "{refused:?}");
    assert!(place.path("out/notes.txt").exists() && !place.path("out.new").exists());
    std::fs::remove_file(place.path("out/notes.txt")).unwrap();
    place.done(&force);
}
