//! Limits of memory: what is too large is refused with figures, and nothing is ever aborted.
#![cfg(target_os = "linux")]

use crate::common::{Ended, Place, ended};
use std::process::Command;

/// The command with an address space of so many MB.
fn within(place: &Place, megabytes: u32, args: &[&str]) -> Ended {
    let mut shell = Command::new("bash");
    let script = format!("ulimit -v {}; exec \"$0\" \"$@\"", 1000 * megabytes);
    shell.args(["-c", &script, env!("CARGO_BIN_EXE_taffeta")]).args(args).current_dir(place.path("."));
    ended(&mut shell)
}

fn refused(place: &Place, megabytes: u32, args: &[&str], words: &[&str]) {
    let ended = within(place, megabytes, args);
    assert_eq!(ended.status, Some(2), "{args:?}: {ended:?}");
    for word in words.iter().chain(&["help"]) {
        assert!(ended.stderr.contains(word), "{args:?}, {word}: {ended:?}");
    }
}

#[test]
fn scenes_and_pictures_beyond_the_limit_of_the_process_are_refused_with_figures() {
    let place = Place::new();
    let figures = ["of memory are needed", "are left of", "ulimit -v"];
    for command in ["check", "run", "drape"] {
        let args = [command, "hang", "--set", "cloth.grid.cells=[3000,3000]", "--threads", "2"];
        refused(&place, 2000, &args, &figures);
        // the sheet itself has room, its factors have none
        let args = [command, "hang", "--set", "cloth.grid.cells=[300,300]", "--threads", "2"];
        refused(&place, 450, &args, &["memory"]);
    }
    let args = ["render", "flag", "--size", "16000x16000", "--out", "a.png", "--threads", "2"];
    refused(&place, 2000, &args, &figures);
    assert!(!place.path("a.png").exists() && !place.path("runs").exists());
}

/// What nobody foresaw is said too.
#[test]
fn a_mesh_beyond_the_limit_ends_with_a_message_and_no_abort() {
    let place = Place::new();
    let mut text = String::new();
    for i in 0..300_000 {
        text += &format!("v {} {} 0\n", i % 600, i / 600);
    }
    for i in 0..299_000 {
        text += &format!("f {} {} {}\n", i + 1, i + 2, i + 601);
    }
    place.write("large.obj", text);
    refused(&place, 50, &["convert", "large.obj", "--to", "ply"], &["out of memory"]);
    let args = ["render", "large.obj", "--size", "96x64", "--threads", "2", "--json"];
    let ended = within(&place, 80, &args);
    assert_eq!((ended.status, ended.json()["mistakes"].as_array().map(Vec::len)), (Some(2), Some(0)), "{ended:?}");
    assert!(!place.path("large.ply").exists() && !place.path("large.png").exists());
}
