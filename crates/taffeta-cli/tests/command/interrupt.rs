//! Ctrl-C. Only Unix can send one to a single process.
#![cfg(unix)]

use crate::common::{Ended, LARGE, Place, SMALL, hear, wait_until};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

fn send(signal: &str, child: &Child) {
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
}

fn wait(child: Child) -> Ended {
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ended { status: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

#[test]
fn interrupted_run_resumes_to_the_same_bits() {
    let place = Place::new();
    place.write("large.toml", LARGE);
    place.done(&["run", "large.toml", "--out", "whole", "--duration", "0.25", "--quiet"]);
    for (signal, args) in
        [("-INT", &["run", "large.toml", "--out", "parts", "--duration", "0.25"][..]), ("-TERM", &["resume", "parts"])]
    {
        let before = place.frames_seen("parts");
        let child = place.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        wait_until("some frames", || place.frames_seen("parts") >= before + 3);
        send(signal, &child);
        let ended = wait(child);
        assert_eq!(ended.status, Some(130), "{ended:?}");
        assert!(ended.stderr.contains("stopping after this frame; press again to stop now"), "{ended:?}");
        assert!(ended.stderr.contains("taffeta resume parts"), "{ended:?}");
        assert_eq!(place.report("parts")["status"], "interrupted");
    }
    place.done(&["resume", "parts"]);
    assert!(place.result("whole") == place.result("parts"), "other bits");
}

#[test]
fn interrupted_run_is_an_object_too() {
    let place = Place::new();
    place.write("large.toml", LARGE);
    let args = ["run", "large.toml", "--out", "it", "--json", "--quiet"];
    let child = place.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until("some frames", || place.frames_seen("it") >= 3);
    send("-INT", &child);
    let ended = wait(child);
    assert_eq!((ended.status, ended.json()["status"].as_str()), (Some(130), Some("interrupted")));
    assert_eq!(ended.json()["folder"], "it");
}

/// A picture is finished first, and this one takes minutes.
#[test]
fn second_ctrl_c_stops_at_once_and_one_within_a_second_is_the_first_again() {
    let place = Place::new();
    let args = ["render", "flag", "--size", "3000x3000", "--samples", "1024", "--out", "a.png", "--threads", "1"];
    let mut child = place.command(&args).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stderr = child.stderr.take().unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    // `timeout` signals the process and its group
    send("-TERM", &child);
    send("-TERM", &child);
    hear(&mut stderr, "press again to stop now");
    std::thread::sleep(Duration::from_millis(300));
    send("-TERM", &child);
    std::thread::sleep(Duration::from_millis(900));
    assert!(child.try_wait().unwrap().is_none(), "signals within a second count as one");
    send("-INT", &child);
    let mut status = None;
    wait_until("the end", || {
        status = child.try_wait().unwrap();
        status.is_some()
    });
    assert_eq!(status.unwrap().code(), Some(130));
    assert!(!place.path("a.png").exists());
}

/// A run that `timeout` ends is interrupted and not killed.
#[test]
fn two_signals_at_once_leave_a_run_that_can_be_resumed() {
    let place = Place::new();
    place.write("large.toml", LARGE);
    let args = ["run", "large.toml", "--out", "it", "--json", "--quiet"];
    let child = place.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until("some frames", || place.frames_seen("it") >= 3);
    send("-TERM", &child);
    send("-TERM", &child);
    let ended = wait(child);
    assert_eq!((ended.status, ended.json()["status"].as_str()), (Some(130), Some("interrupted")), "{ended:?}");
    assert_eq!(place.report("it")["status"], "interrupted");
}

/// A step of this cloth takes far longer than a second; the run is over soon after the second that a frame is given.
#[test]
fn ctrl_c_ends_a_long_step() {
    let place = Place::new();
    let slow = ["--set", "cloth.grid.cells=[150,150]", "--set", "method.name=bdf2", "--set", "method.tolerance=1e-10"];
    let args = [&["run", "hang", "--duration", "0.05", "--no-still", "--out", "it"], &slow[..]].concat();
    let child = place.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until("the start", || place.frames_seen("it") == 1);
    std::thread::sleep(Duration::from_millis(200));
    let begun = Instant::now();
    send("-INT", &child);
    let ended = wait(child);
    assert_eq!(ended.status, Some(130), "{ended:?}");
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
    assert_eq!(place.report("it")["status"], "interrupted");
}

#[test]
fn a_frame_that_takes_long_shows_how_far_it_is_and_one_ctrl_c_gives_it_up() {
    let place = Place::new();
    place.write("small.toml", SMALL);
    let slow = ["--set", "cloth.grid.cells=[40,40]", "--set", "time.step=1e-5", "--set", "time.fps=0.2"];
    let args = [&["run", "small.toml", "--out", "it", "--threads", "1"], &slow[..]].concat();
    let mut child = place.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until("the start", || place.frames_seen("it") == 1);
    hear(child.stderr.as_mut().unwrap(), "% of its time");
    send("-INT", &child);
    let ended = wait(child);
    assert_eq!(ended.status, Some(130), "{ended:?}");
    assert_eq!(place.report("it")["status"], "interrupted");
    assert_eq!(place.frames_seen("it"), 1);
}

#[test]
fn run_under_nohup_outlives_its_terminal() {
    let place = Place::new();
    place.write("large.toml", LARGE);
    let script = "trap '' HUP; exec \"$0\" run large.toml --out it --duration 0.2 --quiet";
    let mut shell = Command::new("sh");
    shell.args(["-c", script, env!("CARGO_BIN_EXE_taffeta")]).current_dir(place.path("."));
    let child = shell.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until("some frames", || place.frames_seen("it") >= 3);
    send("-HUP", &child);
    let ended = wait(child);
    assert_eq!(ended.status, Some(0), "{ended:?}");
}
