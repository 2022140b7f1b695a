//! Pictures of runs and scenes.

use crate::common::Place;
use serde_json::Value;
use std::fs;
use std::path::Path;
use taffeta::Vec3;
use taffeta_files::cache::{CacheReader, CacheWriter};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Small pictures, so that the tests do not wait for light and shadow.
const SMALL: [&str; 4] = ["--size", "96x64", "--samples", "1"];

fn place_with_run() -> Place {
    with_run(Place::new())
}

fn place_with_still() -> Place {
    with_run(Place::with_stills())
}

fn with_run(place: Place) -> Place {
    let small = ["--set", "cloth.grid.cells=[8,8]", "--set", "time.duration=0.1"];
    let args = [&["run", "hang", "--out", "it"], &small[..]].concat();
    place.done(&args);
    place
}

#[test]
fn a_run_ends_with_a_still_unless_asked_not_to() {
    let place = place_with_still();
    let still = || fs::read(place.path("it/still.png")).unwrap();
    let first = still();
    assert!(first.starts_with(PNG));
    let object = place.done(&["resume", "it", "--duration", "0.15", "--json"]).json();
    assert_eq!(object["still"].as_str(), Path::new("it").join("still.png").to_str());
    assert_ne!(still(), first, "a longer run has another end");
    let bare = ["run", "hang", "--out", "bare", "--no-still", "--set", "time.duration=0.0", "--json"];
    assert_eq!(place.done(&bare).json()["still"], Value::Null);
    assert!(!place.path("bare/still.png").exists());
}

/// A run in which nothing can touch shows no force, and says why; forces in the folder of a run are shown by area.
#[test]
fn contact_is_zero_without_collisions_and_shown_where_there_are_forces() {
    let place = place_with_run();
    let picture = |out: &str| place.done(&[&["render", "it", "--look", "contact", "--out", out], &SMALL[..]].concat());
    assert!(picture("none.png").stderr.contains("nothing collides in this run"));

    let mut positions = CacheReader::open(&place.path("it/positions.bin")).unwrap();
    let mut forces = CacheWriter::create(&place.path("it/contact.bin"), positions.surface(), positions.fps()).unwrap();
    let mut x = Vec::new();
    for frame in 0..positions.frames().unwrap() {
        let time = positions.read(frame, &mut x).unwrap();
        let force: Vec<Vec3> = x.iter().map(|p| Vec3::new(0.0, p.x.abs() * 0.01, 0.0)).collect();
        forces.append(frame, time, &force).unwrap();
    }
    drop(forces);
    assert!(!picture("some.png").stderr.contains("nothing collides"));
    let [none, some] = ["none.png", "some.png"].map(|name| fs::read(place.path(name)).unwrap());
    assert_ne!(none, some);

    // frames that are not there are an error, not zero
    let short = fs::read(place.path("it/contact.bin")).unwrap();
    place.write("it/contact.bin", &short[..short.len() - 1]);
    place.refused(&[&["render", "it", "--look", "contact", "--out", "a.png"], &SMALL[..]].concat(), 2);
}

#[test]
fn films_and_contact_sheets_show_a_part_of_a_run() {
    let place = place_with_run();
    let count =
        |args: &[&str]| place.done(&[&["render", "it", "--json"], args, &SMALL[..]].concat()).json()["frames"].clone();
    assert_eq!(count(&["--film", "a.gif", "--frames", "2..5"]), 4);
    assert_eq!(count(&["--film", "b.gif", "--frames", "2..", "--every", "2"]), 3);
    assert_eq!(count(&["--sheet", "9", "--frames", "0.05s..0.1s", "--out", "c.png"]), 4);
    for wrong in
        [&["--frames", "7..", "--film", "d.gif"][..], &["--frames", "1..2"], &["--frames", "b", "--film", "d.gif"]]
    {
        assert_eq!(place.taffeta(&[&["render", "it"], wrong].concat()).status, Some(2), "{wrong:?}");
    }
    assert!(!place.path("d.gif").exists());
}

#[test]
fn every_look_and_kind_of_picture_is_made() {
    let place = place_with_run();
    let looks = ["grid", "plain", "weave", "checker", "stripes", "stretch", "shear", "bending", "speed", "contact"];
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
    place.done(&[&["render", "thesis-6-bend", "--look", "springs", "--out", "springs.png"], &SMALL[..]].concat());
    assert!(fs::read(place.path("springs.png")).unwrap().starts_with(PNG));
    place.done(&[&["render", "flag", "--out", "start.png"], &SMALL[..]].concat());
    assert!(fs::read(place.path("start.png")).unwrap().starts_with(PNG));
}

#[test]
fn wrong_pictures_are_refused_and_nothing_is_overwritten() {
    let place = place_with_still();
    let before = fs::read(place.path("it/still.png")).unwrap();
    let wrong: &[&[&str]] = &[
        &["render", "it", "--out", "it/still.png"],
        &["render", "it", "--frame", "99", "--out", "a.png"],
        &["render", "it", "--size", "0x5", "--out", "a.png"],
        &["render", "it", "--size", "big", "--out", "a.png"],
        &["render", "it", "--look", "shiny", "--out", "a.png"],
        &["render", "it", "--look", "springs", "--out", "a.png"],
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

/// Small pictures of a folder, in their order.
fn names(place: &Place, folder: &str) -> Vec<String> {
    let entries = fs::read_dir(place.path(folder)).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn films_make_their_folder_keep_the_numbers_of_frames_and_name_their_option() {
    let place = place_with_run();
    let film = [&["render", "it", "--film", "new/f.png", "--frames", "2..4", "--every", "2"], &SMALL[..]].concat();
    place.done(&film);
    assert_eq!(names(&place, "new"), ["f-0002.png", "f-0004.png"]);
    let refused = place.refused(&film, 2);
    assert!(refused.stderr.contains("f-0002.png exists") && refused.stderr.contains("--film"), "{refused:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn film_on_a_full_disk_leaves_nothing_under_its_name() {
    let place = place_with_run();
    let script = "trap '' XFSZ; ulimit -f 8; exec \"$0\" render it --film f.y4m --size 96x64 --samples 1";
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", script, env!("CARGO_BIN_EXE_taffeta")]).current_dir(place.path("."));
    let full = crate::common::ended(&mut shell);
    assert_eq!(full.status, Some(1), "{full:?}");
    assert!(full.stderr.contains("f.y4m") && full.stderr.contains("space"), "{full:?}");
    assert_eq!(names(&place, "."), ["it"], "nothing is left");
}

#[test]
fn scenes_that_were_not_run_have_no_films_and_pictures_are_png() {
    let place = place_with_run();
    for (args, way_out) in [
        (&["render", "hang", "--film", "x.gif"][..], "taffeta render runs/hang --film x.gif"),
        (&["render", "hang", "--sheet", "4"], "taffeta render runs/hang --sheet 4"),
        (&["render", "it", "--out", "x.jpg"], "--out x.png"),
        (&["render", "it", "--out", "x.gif"], "--film x.gif"),
        (&["render", "flag", "--look", "springs"], "--look springs --set cloth.model=mass-spring"),
        (&["render", "it", "--look", "springs", "--out", "x.png"], "scene.toml --set cloth.model=mass-spring"),
    ] {
        let refused = place.refused(args, 2);
        assert!(refused.stderr.contains(way_out), "{args:?}: {refused:?}");
    }
    assert!(place.refused(&["render", "flag", "--look", "springs"], 2).stderr.contains("baraff-witkin"));
    let springs = ["render", "flag", "--look", "springs", "--set", "cloth.model=mass-spring", "--out", "s.png"];
    place.done(&[&springs, &SMALL[..]].concat());
    assert_eq!(names(&place, "."), ["it", "s.png"]);
}

#[test]
fn a_mesh_file_is_shown_and_cloth_without_uv_is_told_of() {
    let place = Place::new();
    place.write("a.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n");
    let shown = place.done(&[&["render", "a.obj", "--look", "checker"], &SMALL[..]].concat());
    assert!(shown.stderr.contains("no uv"), "{shown:?}");
    assert!(fs::read(place.path("a.png")).unwrap().starts_with(PNG));
    place.refused(&["render", "a.obj", "--look", "stretch", "--out", "b.png"], 2);
    place.refused(&["render", "a.obj", "--film", "b.gif"], 2);
}

#[test]
fn a_picture_without_a_name_gets_a_free_one_and_replaces_only_by_force() {
    let place = place_with_still();
    let first = fs::read(place.path("it/still.png")).unwrap();
    for name in ["still-2.png", "still-3.png"] {
        let object = place.done(&[&["render", "it", "--json"], &SMALL[..]].concat()).json();
        assert_eq!(object["path"].as_str(), Path::new("it").join(name).to_str());
    }
    assert_eq!(fs::read(place.path("it/still.png")).unwrap(), first);
    place.done(&[&["render", "it", "--force"], &SMALL[..]].concat());
    assert_ne!(fs::read(place.path("it/still.png")).unwrap(), first);
}

#[test]
fn what_was_written_is_what_is_named() {
    let place = place_with_run();
    let ended = place.done(&[&["render", "it", "--film", "f/x.png", "--frames", "2..5"], &SMALL[..]].concat());
    assert!(ended.stdout.contains("x-0002.png to ") && ended.stdout.contains("x-0005.png, 4 frames"), "{ended:?}");
    let args = ["render", "it", "--film", "g/x.png", "--frames", "1..5", "--every", "3", "--json"];
    let object = place.done(&[&args, &SMALL[..]].concat()).json();
    for (key, name) in [("path", "x-0001.png"), ("last", "x-0004.png")] {
        let path = object[key].as_str().unwrap();
        assert!(path.ends_with(name) && place.path(path).is_file(), "{object}");
    }
    // a size is that of each picture in a sheet, and said so
    let ended = place.done(&[&["render", "it", "--sheet", "4", "--out", "s.png"], &SMALL[..]].concat());
    assert!(ended.stdout.contains("s.png, 4 frames of 96x64, in all "), "{ended:?}");
    let help = place.done(&["render", "--help"]).stdout;
    assert!(help.contains("of each picture in a contact sheet"), "{help}");
}

/// Camera and look after the run: each option makes another picture, and nothing else is changed.
#[test]
fn camera_colours_and_scale_are_set_after_the_run() {
    let place = place_with_run();
    let mut seen = Vec::new();
    let options: &[&[&str]] = &[
        &[],
        &["--azimuth", "-80"],
        &["--elevation", "60"],
        &["--distance", "9"],
        &["--zoom", "0.5"],
        &["--fov", "60", "--at", "0,0,3"],
        &["--at", "0,0,3"],
        &["--look-at", "-0.3,0,0"],
        &["--up", "1,0,0"],
        &["--colour", "c04030"],
        &["--colour", "c04030,00ff00", "--frame", "0"],
        &["--look", "stretch"],
        &["--look", "stretch", "--range", "0..50%"],
        &["--look", "shear", "--range", "-80..80"],
        &["--set", "camera.at=[0,0,3]", "--set", "camera.fov=50"],
    ];
    for (i, args) in options.iter().enumerate() {
        let out = format!("{i}.png");
        place.done(&[&["render", "it", "--out", &out], *args, &SMALL[..]].concat());
        let picture = fs::read(place.path(&out)).unwrap();
        assert!(!seen.contains(&picture), "{args:?} changes nothing");
        seen.push(picture);
    }
    // keys of a scene are the options
    let same: [&[&str]; 2] =
        [&["--set", "camera.at=[0,0,3]", "--set", "camera.look_at=[0,1,0]"], &["--at", "0,0,3", "--look-at", "0,1,0"]];
    let [a, b] = [0, 1].map(|i| {
        let out = format!("same-{i}.png");
        place.done(&[&["render", "it", "--out", &out], same[i], &SMALL[..]].concat());
        fs::read(place.path(&out)).unwrap()
    });
    assert!(a == b, "the same camera");
}

#[test]
fn keys_that_no_picture_depends_on_and_numbers_that_are_none_are_refused() {
    let place = place_with_run();
    for (set, help) in [
        ("time.fps=30", "taffeta run"),
        ("cloth.fabric=silk", "camera.at"),
        ("camra.fov=30", "did you mean `camera.fov`?"),
        ("camera.fvo=30", "did you mean `camera.fov`?"),
        ("nonsense", "camera.at"),
    ] {
        let ended = place.refused(&["render", "it", "--out", "a.png", "--set", set], 2);
        assert!(ended.stderr.contains(help), "{set}: {ended:?}");
    }
    let options = ["--azimuth", "--elevation", "--distance", "--zoom", "--fov", "--at", "--look-at", "--up", "--range"];
    for option in options {
        for value in ["inf", "nan", "-inf", "0,inf,0", "nan..1", "x"] {
            let argument = format!("{option}={value}");
            let ended = place.taffeta(&["render", "it", "--look", "stretch", "--out", "a.png", &argument]);
            assert_eq!(ended.status, Some(2), "{argument}: {ended:?}");
        }
    }
    for wrong in [
        &["--range", "0..5"][..],
        &["--look", "shear", "--range", "0..5%"],
        &["--look", "stretch", "--colour", "ff0000"],
        &["--at", "0,0,0", "--look-at", "0,0,0"],
        &["--zoom", "1000"],
        &["--at", "0,9,0", "--look-at", "0,0,0"],
    ] {
        place.refused(&[&["render", "it", "--out", "a.png"], wrong].concat(), 2);
    }
    assert!(!place.path("a.png").exists());
}

/// The bodies of a run come from its scene.
#[test]
fn bodies_that_are_left_out_are_said() {
    let place = Place::new();
    place.done(&["run", "ball", "--duration", "0.02", "--out", "it", "--no-still", "--set", "cloth.grid.cells=[8,8]"]);
    let args = [&["render", "it", "--json"], &SMALL[..]].concat();
    assert_eq!(place.done(&args).json()["warnings"].as_array().map(Vec::len), Some(0));
    let scene = fs::read_to_string(place.path("it/scene.toml")).unwrap();
    let said = |what: &str| {
        let ended = place.done(&args);
        let warning = ended.json()["warnings"][0].as_str().unwrap().to_string();
        assert!(warning.contains("`ball`") && warning.contains(what), "{warning}");
        assert!(ended.stderr.contains("warning") && ended.stderr.contains(&warning), "{ended:?}");
    };
    place.write("it/scene.toml", format!("{scene}# changed\n"));
    said("was changed");
    fs::remove_file(place.path("it/scene.toml")).unwrap();
    said("missing");
}
