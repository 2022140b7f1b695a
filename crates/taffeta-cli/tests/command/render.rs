//! Pictures of runs and scenes.

use crate::common::Place;
use std::fs;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Small pictures, so that the tests do not wait for light and shadow.
const SMALL: [&str; 4] = ["--size", "96x64", "--samples", "1"];

fn place_with_run() -> Place {
    let place = Place::new();
    let small = ["--set", "cloth.grid.cells=[8,8]", "--set", "time.duration=0.1"];
    let args = [&["run", "hang", "--out", "it"], &small[..]].concat();
    place.done(&args);
    place
}

#[test]
fn a_run_ends_with_a_still_unless_asked_not_to() {
    let place = place_with_run();
    assert!(fs::read(place.path("it/still.png")).unwrap().starts_with(PNG));
    place.done(&["run", "hang", "--out", "bare", "--no-still", "--set", "time.duration=0.0"]);
    assert!(!place.path("bare/still.png").exists());
}

#[test]
fn every_look_and_kind_of_picture_is_made() {
    let place = place_with_run();
    let looks = ["grid", "plain", "weave", "checker", "stripes", "stretch", "shear", "bending", "speed", "springs"];
    for look in looks {
        let out = format!("{look}.png");
        place.done(&[&["render", "it", "--look", look, "--out", &out], &SMALL[..]].concat());
        assert!(fs::read(place.path(&out)).unwrap().starts_with(PNG), "{look}");
    }
    place.done(&[&["render", "it", "--sheet", "3", "--wireframe", "--out", "sheet.png"], &SMALL[..]].concat());
    assert!(fs::read(place.path("sheet.png")).unwrap().starts_with(PNG));
    let film = place.done(&[&["render", "it", "--film", "film.gif", "--every", "2", "--json"], &SMALL[..]].concat());
    assert_eq!(film.json()["frames"], 4);
    assert!(fs::read(place.path("film.gif")).unwrap().starts_with(b"GIF89a"));
    place.done(&[&["render", "flag", "--out", "start.png"], &SMALL[..]].concat());
    assert!(fs::read(place.path("start.png")).unwrap().starts_with(PNG));
}

#[test]
fn wrong_pictures_are_refused_and_nothing_is_overwritten() {
    let place = place_with_run();
    let before = fs::read(place.path("it/still.png")).unwrap();
    let wrong: &[&[&str]] = &[
        &["render", "it"],
        &["render", "it", "--frame", "99", "--out", "a.png"],
        &["render", "it", "--size", "0x5", "--out", "a.png"],
        &["render", "it", "--size", "big", "--out", "a.png"],
        &["render", "it", "--look", "shiny", "--out", "a.png"],
        &["render", "it", "--film", "film.avi"],
        &["render", "nothing", "--out", "a.png"],
        &["render", "it", "--samples", "0", "--out", "a.png"],
    ];
    for args in wrong {
        let ended = place.taffeta(args);
        assert_eq!(ended.status, Some(2), "{args:?}: {ended:?}");
        assert!(ended.stderr.contains("help") || ended.stderr.contains("--help"), "{args:?}: {ended:?}");
    }
    assert_eq!(fs::read(place.path("it/still.png")).unwrap(), before);
    assert!(!place.path("a.png").exists());
}
