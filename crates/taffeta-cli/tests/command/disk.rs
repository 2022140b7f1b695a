//! A disk that takes no more: here a limit on the size of files, which every Unix shell can set.
#![cfg(target_os = "linux")]

use crate::common::{LARGE, Place, ended};
use std::process::Command;

#[test]
fn run_on_a_full_disk_keeps_its_frames_and_resumes_to_the_same_bits() {
    let place = Place::new();
    place.write("large.toml", LARGE);
    place.done(&["run", "large.toml", "--out", "whole", "--duration", "0.2", "--quiet"]);
    // ignoring the signal makes writing fail as on a full disk; blocks have 512 or 1024 bytes
    let script = "trap '' XFSZ; ulimit -f 4000; exec \"$0\" run large.toml --out parts --duration 0.2";
    let mut shell = Command::new("sh");
    shell.args(["-c", script, env!("CARGO_BIN_EXE_taffeta")]).current_dir(place.path("."));
    let full = ended(&mut shell);
    assert_eq!(full.status, Some(1), "{full:?}");
    for part in ["positions.bin", "frames are safe in parts", "taffeta resume parts"] {
        assert!(full.stderr.contains(part), "{part}: {full:?}");
    }
    let frames = place.frames_seen("parts");
    assert!((2..48).contains(&frames), "{frames}");
    let object = place.done(&["convert", "parts", "--to", "npz", "--out", "so-far.npz", "--json"]).json();
    assert_eq!(object["frames"].as_u64(), Some(frames as u64), "all of them can be read");
    place.done(&["resume", "parts"]);
    assert!(place.result("whole") == place.result("parts"), "other bits");
}

/// Room for the scene and the report, and for no frame: the report says how it ended.
#[test]
fn a_disk_that_is_full_before_the_first_frame_leaves_no_report_of_a_run_that_goes_on() {
    let place = Place::new();
    place.write("large.toml", LARGE);
    let script = "trap '' XFSZ; ulimit -f 16; exec \"$0\" run large.toml --out full --duration 0.2";
    let mut shell = Command::new("sh");
    shell.args(["-c", script, env!("CARGO_BIN_EXE_taffeta")]).current_dir(place.path("."));
    let full = ended(&mut shell);
    assert_eq!(full.status, Some(1), "{full:?}");
    assert!(full.stderr.contains("the run had not begun"), "{full:?}");
    let report = place.report("full");
    assert_eq!(report["status"], "failed", "{report}");
    assert!(report["error"].as_str().is_some_and(|error| error.contains("positions.bin")), "{report}");
}
