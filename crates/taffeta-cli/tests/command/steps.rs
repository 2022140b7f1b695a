//! Steps that are shortened where they have to be, as `frames.jsonl` and the report tell of them.

use crate::common::Place;
use serde_json::Value;

#[test]
fn a_yanked_corner_halves_the_step_waits_longer_and_grows_back() {
    let place = Place::new();
    let ended = place.done(&["run", "corner-yank", "--out", "it", "--no-still"]);
    assert!(ended.stderr.contains("30 frames of 1 step or more"), "{ended:?}");
    for part in ["iterations", "steps rejected, the shortest"] {
        assert!(ended.stdout.contains(part), "{ended:?}");
    }
    let lines = place.lines("it");
    let values = |name: &str| lines[1..].iter().map(|line| line[name].as_f64().unwrap()).collect::<Vec<f64>>();
    let (steps, rejected, wait) = (values("steps"), values("rejected"), values("wait"));
    let (shortest, longest) = (values("shortest_step"), values("step"));
    // a step is a frame until the corner moves in the seventh
    assert!((0..6).all(|i| steps[i] == 1.0 && rejected[i] == 0.0), "{steps:?} {rejected:?}");
    assert!(rejected[6] >= 4.0 && shortest[6] < longest[0] / 16.0, "{rejected:?} {shortest:?}");
    // trials that fail double the wait, beginning with 2, up to 40
    let most = wait.iter().copied().fold(0.0, f64::max);
    assert!((4.0..=40.0).contains(&most), "{wait:?}");
    // and it grows back to whole frames, ten in a row; when the cloth whips about it may be halved once more, before or
    // after
    let whole = |i: usize| (steps[i], shortest[i], wait[i]) == (1.0, longest[0], 2.0);
    assert!((7..=lines.len() - 11).any(|i| (i..i + 10).all(whole)), "{steps:?} {shortest:?} {wait:?}");

    let report = place.report("it");
    let (totals, maxima) = (&report["totals"], &report["totals"]["maxima"]);
    assert_eq!(totals["rejected"].as_f64(), Some(rejected.iter().sum()));
    assert_eq!(totals["steps"].as_f64(), Some(steps.iter().sum()));
    assert_eq!(totals["newton"].as_f64(), Some(values("newton").iter().sum()));
    assert_eq!(totals["iterations"].as_f64(), Some(values("iterations").iter().sum()));
    assert_eq!(maxima["wait"].as_f64(), Some(most));
    assert_eq!(maxima["shortest_step"].as_f64(), shortest.iter().copied().reduce(f64::min));
    assert_eq!(maxima["step"].as_f64(), longest.iter().copied().reduce(f64::max));
    assert_eq!(maxima["residual"], Value::Null);
}

#[test]
fn newtons_iterations_and_their_residual_are_told() {
    let place = Place::new();
    let newton = ["--set", "method.newton=20", "--set", "method.residual=1e-3", "--set", "method.tolerance=1e-6"];
    let small = ["run", "hang", "--set", "cloth.grid.cells=[8,8]", "--duration", "0.2", "--out", "it", "--no-still"];
    place.done(&[&small[..], &newton[..]].concat());
    let totals = place.report("it")["totals"].clone();
    assert!(totals["newton"].as_u64() > totals["steps"].as_u64(), "{totals}");
    assert!(totals["maxima"]["residual"].as_f64().unwrap() <= 1e-3, "{totals}");
}
