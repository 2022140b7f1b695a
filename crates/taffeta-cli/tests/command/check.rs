//! `check`: what is held, what a run costs, and whether it can begin.

use crate::common::{Place, SMALL};
use std::time::{Duration, Instant};

#[test]
fn pins_and_loads_say_how_many_vertices_they_hold() {
    let place = Place::new();
    place.write(
        "scene.toml",
        format!("{SMALL}[[cloth.load]]\nselect = {{ edge = \"bottom\" }}\nforce = [0.0, -0.1, 0.0]\n"),
    );
    let told = place.done(&["check", "scene.toml"]);
    assert!(
        told.stdout.contains("pins     cloth.pin[0] (11 vertices)\nloads    cloth.load[0] (11 vertices)\n"),
        "{told:?}"
    );
    let json = place.done(&["check", "scene.toml", "--json"]).json();
    assert_eq!((&json["pins"][0]["vertices"], &json["pins"][0]["clamp"]), (&11.into(), &false.into()));
    assert_eq!((&json["loads"][0]["name"], &json["loads"][0]["vertices"]), (&"cloth.load[0]".into(), &11.into()));
}

#[test]
fn the_time_of_a_run_is_estimated_unless_it_is_not_wanted() {
    let place = Place::new();
    place.write("scene.toml", SMALL);
    let told = place.done(&["check", "scene.toml", "--threads", "1"]);
    assert!(told.stdout.contains("time     about 0.") && told.stdout.contains("on 1 thread, an estimate"), "{told:?}");
    let time = &place.done(&["check", "scene.toml", "--json"]).json()["time"];
    assert!(time["seconds"].as_f64().is_some_and(|seconds| seconds > 0.0), "{time}");
    assert!(time["measured_steps"].as_u64().is_some_and(|steps| steps > 3), "{time}");
    let quick = place.done(&["check", "scene.toml", "--no-time"]);
    assert!(!quick.stdout.contains("time  "), "{quick:?}");
    assert!(place.done(&["check", "scene.toml", "--no-time", "--json"]).json()["time"].is_null());
    // no frames, no time
    let none = place.done(&["check", "scene.toml", "--set", "time.duration=0.0"]);
    assert!(!none.stdout.contains("time  "), "{none:?}");
    assert!(!place.path("runs").exists());
}

/// A step of a quarter of a million vertices takes long: it is left behind.
#[test]
fn the_estimate_has_an_end() {
    let place = Place::new();
    let begin = Instant::now();
    let told = place.done(&["check", "hang", "--set", "cloth.grid.cells=[400,400]"]);
    let with = begin.elapsed();
    let begin = Instant::now();
    place.done(&["check", "hang", "--set", "cloth.grid.cells=[400,400]", "--no-time"]);
    assert!(with < 3 * begin.elapsed() + Duration::from_secs(5), "{with:?}");
    assert!(told.stdout.contains("time     "), "{told:?}");
}

#[test]
fn a_run_that_cannot_begin_is_said_to_fail() {
    let place = Place::new();
    place.write("scene.toml", SMALL);
    let set =
        ["--set", "method.name=symplectic-euler", "--set", "time.step=0.016", "--set", "cloth.noise={ size = 1e-3 }"];
    let args: Vec<&str> = ["check", "scene.toml"].into_iter().chain(set).collect();
    let told = place.taffeta(&args);
    assert_eq!(told.status, Some(1), "{told:?}");
    assert!(told.stderr.contains("a run of it fails") && told.stderr.contains("help"), "{told:?}");
    assert!(told.stdout.contains("vertices"), "what there is to know all the same: {told:?}");
    let json = place.taffeta(&[args.as_slice(), &["--json"]].concat()).json();
    assert!(json["vertices"] == 121 && json["error"].as_str().is_some_and(|error| error.contains("fails")), "{json}");
}

#[test]
fn cloth_that_passes_through_cloth_is_said_once_and_only_where_it_matters() {
    let place = Place::new();
    let cloth = SMALL.split_once("[[cloth]]").unwrap().1.split("[[cloth.pin]]").next().unwrap();
    let second = format!("[contact]\ncloth = false\n[[cloth]]\nname = \"a\"{cloth}[[cloth]]\nname = \"b\"{cloth}");
    place.write("one.toml", SMALL);
    place.write("two.toml", second);
    place.write("floor.toml", format!("{SMALL}[[body]]\nplane = true\nplace = {{ at = [0.0, -2.0, 0.0] }}\n"));
    let said = |scene: &str| {
        let told = place.done(&["check", scene, "--no-time"]);
        (told.stdout.matches("pass").count(), told.stderr.matches("pass through").count())
    };
    assert_eq!(said("one.toml"), (0, 0));
    assert_eq!(said("two.toml"), (1, 1));
    assert_eq!(said("floor.toml"), (0, 0), "cloth collides with itself where there are bodies");
}
