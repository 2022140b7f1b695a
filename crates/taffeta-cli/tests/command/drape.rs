//! Static equilibrium.

use crate::common::{LARGE, Place, SMALL};

#[test]
fn an_equilibrium_is_a_run_of_two_frames() {
    let place = Place::with_stills();
    place.write("small.toml", SMALL);
    let ended = place.done(&["drape", "small.toml", "--export", "npz,obj"]);
    assert!(ended.stdout.contains("result: runs/small-drape") || cfg!(windows), "{ended:?}");
    for part in ["iterations", "largest net force", "% of a particle's weight", "largest stretch"] {
        assert!(ended.stdout.lines().last().unwrap().contains(part), "{part}: {ended:?}");
    }
    let folder = "runs/small-drape";
    let report = place.report(folder);
    assert_eq!((report["status"].as_str(), report["converged"].as_bool()), (Some("finished"), Some(true)));
    assert_eq!((report["stable"].as_bool(), report["frames"].as_u64()), (Some(true), Some(1)));
    // 0.2 kg hang from an edge: the pins carry it
    let lines = place.lines(folder);
    assert_eq!(lines.len(), 2);
    let pull = lines[1]["pins"][0][1].as_f64().unwrap();
    assert!((pull / (0.2 * 9.81) - 1.0).abs() < 1e-3, "{pull} N");
    assert!(report["residual"].as_f64().unwrap() <= 1e-4 * 9.81 * 0.2 / 50.0, "{report}");
    // a hanging sheet stretches by its weight below: most at the top, by density g L / k
    let stretch = lines[1]["max_stretch"].as_f64().unwrap();
    assert!((stretch / (0.2 * 9.81 * 0.95 / 100.0) - 1.0).abs() < 0.1, "{stretch}");
    assert_eq!(lines[1]["kinetic"].as_f64(), Some(0.0));
    for file in ["scene.toml", "still.png", "small-drape.npz"] {
        assert!(place.path(folder).join(file).is_file(), "{file}");
    }
    let finer =
        place.done(&["drape", "small.toml", "--residual", "1e-7", "--out", "it", "--json", "--no-still"]).json();
    assert!(finer["residual_share"].as_f64().unwrap() <= 1e-7 && finer["converged"] == true, "{finer}");
    assert_eq!(finer["folder"], "it");
}

#[test]
fn the_result_of_a_long_motion_is_the_equilibrium() {
    let place = Place::new();
    let scene = SMALL.replace("damping = { stretch = 0.001 }", "damping = { stretch = 0.01, air = 1.0 }");
    place.write("small.toml", scene);
    place.done(&["run", "small.toml", "--duration", "4", "--out", "moved", "--no-still"]);
    place.done(&["drape", "small.toml", "--out", "rest", "--no-still"]);
    let height = |run: &str| place.lines(run).last().unwrap()["com_height"].as_f64().unwrap();
    assert!((height("moved") - height("rest")).abs() < 1e-5, "{} {}", height("moved"), height("rest"));
}

#[test]
fn what_is_not_reached_is_kept_and_said() {
    let place = Place::new();
    place.write("small.toml", SMALL);
    let ended = place.refused(&["drape", "small.toml", "--out", "it", "--iterations", "1", "--json"], 1);
    let object = ended.json();
    assert!(object["error"].as_str().unwrap().contains("no equilibrium was reached in 1 iteration"), "{object}");
    assert!(object["help"].as_str().unwrap().contains("taffeta drape small.toml --iterations 10000"), "{object}");
    let report = place.report("it");
    assert_eq!((report["status"].as_str(), report["converged"].as_bool()), (Some("failed"), Some(false)));
    assert_eq!(place.frames_seen("it"), 2, "the result is kept");

    place.write("free.toml", SMALL.split("[[cloth.pin]]").next().unwrap());
    let ended = place.refused(&["drape", "free.toml"], 1);
    assert!(ended.stderr.contains("there is no equilibrium: nothing holds `cloth`"), "{ended:?}");

    // a floor carries it
    let floor = "[[body]]\nplane = true\nplace = { at = [0.0, -0.6, 0.0] }\n";
    place.write("carried.toml", format!("{}{floor}", SMALL.split("[[cloth.pin]]").next().unwrap()));
    let ended = place.refused(&["drape", "carried.toml", "--iterations", "1"], 1);
    assert!(!ended.stderr.contains("nothing holds") && ended.stderr.contains("--iterations 10000"), "{ended:?}");
}

#[test]
fn a_limit_on_stretch_that_an_equilibrium_does_not_keep_is_told() {
    let place = Place::new();
    place.write("small.toml", format!("{SMALL}[limiter]\nlimit = 0.001\n"));
    let ended = place.done(&["drape", "small.toml", "--out", "it", "--no-still"]);
    assert!(ended.stderr.contains("does not keep the limit on stretch of 0.1 %"), "{ended:?}");
    assert!(ended.stderr.contains("taffeta run"), "{ended:?}");
    let report = place.report("it");
    assert_eq!(report["warnings"].as_array().unwrap().len(), 1, "{report}");
    assert!(place.lines("it")[1]["max_stretch"].as_f64().unwrap() > 0.001, "the limit does not act there");
}

#[test]
fn wrong_input_is_refused_and_nothing_is_overwritten_or_resumed() {
    let place = Place::new();
    place.write("small.toml", SMALL);
    place.done(&["drape", "small.toml", "--out", "it", "--no-still"]);
    let before = place.snapshot("it");
    for residual in ["0", "-1", "nan", "inf", "2", "much"] {
        assert_eq!(place.taffeta(&["drape", "small.toml", "--residual", residual]).status, Some(2), "{residual}");
    }
    place.refused(&["drape", "nothing"], 2);
    place.refused(&["drape", "small.toml", "--set", "time.fps=x"], 2);
    let ended = place.refused(&["drape", "small.toml", "--out", "it"], 2);
    assert!(ended.stderr.contains("--force"), "{ended:?}");
    for args in [&["resume", "it"][..], &["resume", "it", "--duration", "5"]] {
        let ended = place.refused(args, 2);
        assert!(ended.stderr.contains("taffeta drape"), "{ended:?}");
    }
    assert_eq!(before, place.snapshot("it"));
    place.done(&["drape", "small.toml", "--out", "it", "--force", "--no-still"]);
}

#[test]
#[cfg(unix)]
fn ctrl_c_ends_a_long_search() {
    use crate::common::hear;
    use std::process::{Command, Stdio};
    let place = Place::new();
    // crumpled, so that the search is long
    place.write("large.toml", LARGE.replace("size = 1e-3", "size = 5e-2"));
    let args = ["drape", "large.toml", "--out", "it", "--residual", "1e-15"];
    let mut child = place.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    hear(child.stderr.as_mut().unwrap(), "iteration");
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{stderr}");
    assert!(stderr.contains("begin again with `taffeta drape large.toml"), "{stderr}");
    assert!(stderr.contains("what was reached is kept in it"), "{stderr}");
    let report = place.report("it");
    assert_eq!((report["status"].as_str(), report["converged"].as_bool()), (Some("interrupted"), Some(false)));
    assert!(report["residual"].as_f64().unwrap() > 0.0, "{report}");
    assert_eq!(place.frames_seen("it"), 2, "what was reached is kept");
    place.done(&["render", "it", "--out", "a.png", "--size", "64x36", "--samples", "1"]);
}

/// The start is crumpled, and stretched by far more than its own weight does.
#[test]
fn figures_are_those_of_the_equilibrium_and_its_still_has_no_time() {
    let place = Place::with_stills();
    place.write("crumpled.toml", SMALL.replace("fabric =", "noise = { size = 5e-3, seed = 1 }\nfabric ="));
    let ended = place.done(&["drape", "crumpled.toml", "--out", "it"]);
    let lines = place.lines("it");
    let [start, rest] = [0, 1].map(|frame| lines[frame]["max_stretch"].as_f64().unwrap());
    assert!(start > 1.5 * rest, "{start} {rest}");
    let report = place.report("it");
    assert_eq!(report["max_stretch"].as_f64(), Some(rest));
    assert_eq!(report["totals"]["maxima"]["max_stretch_frame"], 1);
    let said = format!("largest stretch {:.2} %", 100.0 * rest);
    assert!(ended.stdout.contains(&said), "{said}: {ended:?}");

    // the same pixels as a picture without time
    place.done(&["render", "it", "--out", "plain.png"]);
    let read = |name: &str| std::fs::read(place.path(name)).unwrap();
    assert!(read("it/still.png") == read("plain.png"), "the still has a time");
    let json = place.done(&["drape", "crumpled.toml", "--out", "again", "--no-still", "--json"]).json();
    assert_eq!((json["max_stretch"].as_f64(), json["max_stretch_time"].as_f64()), (Some(rest), None));
    let timed = place.done(&["render", "it", "--time", "--out", "timed.png"]);
    assert!(timed.stderr.contains("an equilibrium has no time") && read("timed.png") == read("plain.png"));
}
