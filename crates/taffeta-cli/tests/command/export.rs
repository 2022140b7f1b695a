//! Parts of runs in other formats, and runs that still go on.

use crate::common::{LARGE, Place, SMALL, wait_until};
use std::fs;
use std::process::Stdio;

fn files(place: &Place, folder: &str) -> Vec<String> {
    let entries = fs::read_dir(place.path(folder)).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_part_of_a_run_is_exported_when_it_ends_and_afterwards() {
    let place = Place::new();
    place.write("small.toml", SMALL);
    let run = ["run", "small.toml", "--out", "it", "--export", "obj", "--frames", "3..9", "--every", "3", "--no-still"];
    place.done(&run);
    assert_eq!(files(&place, "it/obj"), ["it.0003.obj", "it.0006.obj", "it.0009.obj"]);
    // a run that goes on knows what was asked for
    place.done(&["resume", "it", "--duration", "0.25", "--no-still"]);
    assert_eq!(files(&place, "it/obj").len(), 3);

    let convert = |out: &str, more: &[&str]| {
        place.done(&[&["convert", "it", "--to", "ply", "--out", out], more].concat());
        files(&place, out)
    };
    assert_eq!(
        convert("a", &["--frames", "0.1s..0.15s"]),
        ["it.0006.ply", "it.0007.ply", "it.0008.ply", "it.0009.ply"]
    );
    assert_eq!(convert("b", &["--frames", "12..99"]).len(), 4);
    assert_eq!(convert("c", &["--frames", "..5", "--every", "5"]), ["it.0000.ply", "it.0005.ply"]);
    assert_eq!(convert("d", &["--last"]), ["it.0015.ply"]);
}

#[test]
fn wrong_parts_are_refused_before_anything_is_run_or_written() {
    let place = Place::new();
    place.write("small.toml", SMALL);
    let wrong: &[&[&str]] = &[
        &["--export", "obj", "--frames", "9..3"],
        &["--export", "obj", "--frames", "100..200"], // the run has 12
        &["--export", "obj", "--every", "0"],
        &["--frames", "1..2"],
        &["--set", "output.frames=\"x\""],
        &["--set", "output.every=0"],
    ];
    for args in wrong {
        let ended = place.taffeta(&[&["run", "small.toml", "--out", "it"], *args].concat());
        assert_eq!(ended.status, Some(2), "{args:?}: {ended:?}");
        assert!(!place.path("it").exists(), "{args:?}");
    }
    place.done(&["run", "small.toml", "--out", "it", "--no-still"]);
    place.refused(&["convert", "it", "--to", "obj", "--frames", "13.."], 2);
    assert_eq!(place.taffeta(&["convert", "it", "--to", "obj", "--frames", "1..", "--last"]).status, Some(2));
    assert!(!place.path("it/obj").exists());
}

#[test]
fn a_run_is_exported_while_another_process_works_on_it() {
    let place = Place::new();
    place.write("large.toml", LARGE);
    let args = ["run", "large.toml", "--out", "it", "--no-still", "--duration", "60"];
    let mut run = place.command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_until("some frames are there", || place.frames_seen("it") > 5);
    let part = place.done(&["convert", "it", "--to", "npz", "--frames", "2..4", "--json"]).json();
    let all = place.done(&["convert", "it", "--to", "usd", "--every", "2", "--json"]).json();
    let picture = place.taffeta(&["render", "it", "--size", "48x32", "--samples", "1", "--out", "now.png"]);
    let going_on = run.try_wait().unwrap().is_none();
    run.kill().unwrap();
    run.wait().unwrap();
    assert!(going_on, "the run had not ended by then");
    assert_eq!(part["frames"], 3);
    assert!(all["frames"].as_u64().unwrap() >= 3, "{all}");
    assert_eq!(picture.status, Some(0), "{picture:?}");
    assert!(fs::read(place.path("it/it.usda")).unwrap().starts_with(b"#usda 1.0"));
}

#[test]
fn runs_go_through_files_to_every_format_and_options_that_do_nothing_are_refused() {
    let place = Place::new();
    place.write("small.toml", SMALL);
    place.done(&["run", "small.toml", "--out", "it", "--no-still"]);
    let note = place.done(&["convert", "it", "--to", "npz", "--bodies", "--out", "a.npz"]);
    assert!(note.stderr.contains("bodies are not part"), "{note:?}");
    for (args, path) in [
        (&["convert", "a.npz", "--to", "usd"][..], "a.usda"),
        (&["convert", "a.usda", "--to", "glb"], "a.glb"),
        (&["convert", "a.glb", "--to", "ply"], "a-ply"),
        (&["convert", "a-ply", "--to", "obj", "--fps", "60"], "a-ply-obj"),
        (&["convert", "a-ply-obj/a-ply.####.obj", "--to", "mdd", "--fps", "60", "--out", "mdd"], "mdd"),
    ] {
        let object = place.done(&[args, &["--json"]].concat()).json();
        assert_eq!((object["path"].as_str(), object["frames"].as_u64()), (Some(path), Some(13)), "{args:?}");
    }
    for (args, part) in [
        (&["convert", "it", "--to", "usd", "--z-up"][..], "--z-up"),
        (&["convert", "it", "--to", "usd", "--unit", "1"], "--unit"),
        (&["convert", "a.npz", "--to", "obj", "--bodies"], "--bodies"),
        (&["convert", "a-ply/a.0000.ply", "--to", "obj", "--frames", "0..3"], "does not move"),
        (&["convert", "it", "--to", "usd", "--out", "q.usdc"], "q.usda"),
        (&["convert", "it", "--to", "obj", "--out", "q.glb"], "--out q"),
        (&["convert", "x.usdc", "--to", "obj"], "usdcat"),
        (&["convert", "missing.obj", "--to", "ply"], "missing.obj"),
    ] {
        let refused = place.refused(args, 2);
        assert!(refused.stderr.contains(part), "{args:?}: {refused:?}");
    }
}
