//! Killed without warning, at any moment: nothing that was finished is lost.

use crate::common::{LARGE, Place, Random, wait_until};
use std::fs::{self, File};
use std::process::Stdio;
use std::time::Duration;

const KILLS: u32 = 30;

#[test]
fn run_killed_many_times_equals_uninterrupted_run() {
    let place = Place::new();
    place.write("large.toml", LARGE);
    place.done(&["run", "large.toml", "--out", "whole", "--quiet"]);
    let frames = place.frames_seen("whole");

    let mut random = Random(1);
    let (mut kills, mut kills_in_work) = (0, 0);
    let mut seen = 0;
    while kills < KILLS {
        // mostly in the middle of frames, now and then while it starts
        let more = random.below(4) as usize;
        let delay = Duration::from_micros(random.below(if more == 0 { 60_000 } else { 12_000 }));
        let begun = place.path("parts/manifest.json").exists();
        let args: &[&str] = if begun { &["resume", "parts"] } else { &["run", "large.toml", "--out", "parts"] };
        if !begun && place.path("parts").exists() {
            // killed before anything was there
            fs::remove_dir_all(place.path("parts")).unwrap();
        }
        let log = File::create(place.path("log")).unwrap();
        let mut child = place.command(args).stdout(Stdio::null()).stderr(log).spawn().unwrap();
        let mut over = false;
        if more > 0 {
            // what resuming has cut off does not count as new
            wait_until("a first line", || {
                over = child.try_wait().unwrap().is_some();
                over || first_frame(&place).is_some()
            });
            let from = place.frames_seen("parts");
            wait_until("more frames", || {
                over = child.try_wait().unwrap().is_some();
                over || place.frames_seen("parts") >= from + more
            });
        }
        std::thread::sleep(delay);
        let reported = place.frames_seen("parts");
        child.kill().unwrap();
        let status = child.wait().unwrap();
        assert!(!status.success() || over || place.frames_seen("parts") == frames, "{status}");

        // what was there before it was resumed was found again, but for one frame whose checkpoint was in work
        if let Some(first) = first_frame(&place) {
            assert!(first + 2 >= seen, "frame {first} after {seen} lines were seen");
        }
        let now = place.frames_seen("parts");
        assert!(now >= reported, "{now} lines after {reported} were seen");
        kills_in_work += u32::from(now > seen);
        seen = now;
        kills += 1;
        if seen == frames {
            break;
        }
    }
    assert!(kills >= 25 && kills_in_work >= 10, "{kills} kills, {kills_in_work} of them after new frames");
    place.done(&["resume", "parts"]);
    assert_eq!(place.report("parts")["status"], "finished");
    assert!(place.result("whole") == place.result("parts"), "other bits");
}

/// The frame that the command began with, once it said so: `frame 12 of 120, ...`.
fn first_frame(place: &Place) -> Option<usize> {
    let log = fs::read_to_string(place.path("log")).unwrap_or_default();
    let line = log.lines().find_map(|line| line.strip_prefix("frame "))?;
    line.split(' ').next()?.parse().ok()
}

/// What a killed export or film leaves is gone after the next one in the same folder.
#[test]
fn what_a_killed_export_left_is_removed_by_the_next() {
    let place = Place::new();
    place.write("large.toml", LARGE);
    place.done(&["run", "large.toml", "--out", "it", "--duration", "0.3", "--no-still", "--quiet"]);
    let temporary = || {
        let names = fs::read_dir(place.path("out")).into_iter().flatten().flatten().map(|entry| entry.file_name());
        names.filter(|name| name.to_string_lossy().contains(".tmp-")).count()
    };
    let kinds = [
        &["convert", "it", "--to", "usd", "--out", "out/a.usda"][..],
        &["convert", "it", "--to", "obj", "--out", "out/b"],
        &["render", "it", "--film", "out/c.y4m", "--size", "64x64"],
    ];
    for (before, args) in kinds.iter().enumerate() {
        let mut child = place.command(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        wait_until("a temporary file", || temporary() > 0 || child.try_wait().unwrap().is_some());
        // one in work is left alone by others in the same folder
        if before == 0 {
            place.done(&["convert", "it", "--to", "npz", "--out", "out/other.npz", "--last"]);
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let left = temporary();
        assert!(left <= 1, "{args:?}");
        place.done(&["convert", "it", "--to", "npz", "--out", "out/other.npz", "--last", "--force"]);
        assert_eq!(temporary(), 0, "{args:?}: {left} before");
    }
}
