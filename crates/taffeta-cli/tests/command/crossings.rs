//! Cloth that passes through cloth is counted and told.

use crate::common::{Place, SMALL};

/// A sheet across another, pinned too.
const ACROSS: &str = r#"
[[cloth]]
name = "across"
grid = { size = [0.6, 0.6], cells = [6, 6] }
fabric = { density = 0.2, stretch = 100.0, shear = 5.0, bend = 1e-5, damping = { stretch = 0.001 } }
place = { at = [0.013, 0.1, 0.0], rotate = [0.0, 70.0, 0.0] }
[[cloth.pin]]
select = { edge = "top" }
"#;

#[test]
fn a_sheet_through_another_is_counted_and_warned_of() {
    let place = Place::new();
    place.write("one.toml", SMALL);
    place.write("two.toml", format!("{SMALL}{ACROSS}[contact]\ncloth = false\n"));
    let one = place.done(&["run", "one.toml", "--json"]).json();
    assert_eq!(one["crossings"], 0);
    assert_eq!(place.report("runs/one")["crossings"], 0);

    let two = place.done(&["run", "two.toml"]);
    let pairs = place.report("runs/two")["crossings"].as_u64().unwrap();
    // a line of six edges' length through both sheets
    assert!((6..60).contains(&pairs), "{pairs}");
    for part in ["triangles of the cloth cross others in the last frame", "`cloth-1` crosses `across`"] {
        assert!(two.stderr.contains(part), "{part}: {}", two.stderr);
    }
    let drape = place.done(&["drape", "two.toml", "--json"]).json();
    assert!(drape["crossings"].as_u64().unwrap() > 0, "{drape}");
}

/// A closed box of 0.1 m.
const BLOCK: &str = "v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nv 0.1 0.1 0\nv 0 0 0.1\nv 0.1 0 0.1\nv 0 0.1 0.1\nv 0.1 0.1 0.1\n\
                     f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";

const BARRIER: &str = "\n[contact]\nlaw = \"barrier\"\ncloth = true\n";

const BODY: &str = "\n[[body]]\nname = \"block\"\nmesh = \"block.obj\"\nplace = { at = [0.02, -0.03, -0.04] }\n";

/// Refused by `check` with the line of the cloth or body, shown by `render`, and run on request.
#[test]
fn a_start_that_crosses_is_refused_shown_and_run_on_request() {
    let place = Place::new();
    place.write("block.obj", BLOCK);
    place.write("two.toml", format!("{SMALL}{ACROSS}{BODY}{BARRIER}"));
    let refused = place.refused(&["check", "two.toml"], 2);
    for part in [
        "at the start `cloth-1` and `across` cross in ",
        "at the start `cloth-1` and `block` cross in ",
        "place = { at = [0.013, 0.1, 0.0]",
        "place = { at = [0.02, -0.03, -0.04] }",
        "contact.start = \"exempt\"",
    ] {
        assert!(refused.stderr.contains(part), "{part}: {}", refused.stderr);
    }
    place.done(&["render", "two.toml", "--look", "crossings", "--size", "96x54", "--samples", "1"]);
    assert!(place.path("two.png").is_file());
    place.refused(&["render", "two.toml", "--size", "96x54"], 2); // other looks need a good start

    let set = ["--set", "contact.start=exempt", "--set", "time.duration=0.05"];
    let ran = place.done(&[&["run", "two.toml", "--json"][..], &set].concat());
    let (cloth, bodies) = (ran.json()["crossings"].clone(), ran.json()["crossings_with_bodies"].clone());
    assert!(cloth.as_u64().unwrap() > 0 && bodies.as_u64().unwrap() > 0, "{ran:?}");
    assert_eq!(place.report("runs/two")["crossings_with_bodies"], bodies);
    for part in [
        "cross others in the last frame",
        "cross bodies in the last frame",
        "crosses `block`",
        "what crossed at the start does not collide until it has come apart",
    ] {
        assert!(ran.stderr.contains(part), "{part}: {}", ran.stderr);
    }
    place.done(&["render", "runs/two", "--look", "crossings", "--size", "96x54", "--samples", "1"]);
}

/// Vertices that a file has twice along a seam: the way out is in the message, and it works.
#[test]
fn a_seam_that_is_not_welded_is_refused_and_welding_mends_it() {
    let place = Place::new();
    let seam = "v 0 0 0\nv 0.1 0 0\nv 0.1 0 0.1\nv 0 0 0.1\nv 0.1 0 0\nv 0.2 0 0\nv 0.2 0 0.1\nv 0.1 0 0.1\n\
                f 1 2 3\nf 1 3 4\nf 5 6 7\nf 5 7 8\n";
    place.write("shirt.obj", seam);
    let fabric = "fabric = { density = 0.2, stretch = 100.0, shear = 5.0, bend = 1e-5 }\n";
    let scene = |mesh: &str| format!("[time]\nduration = 0.05\n[[cloth]]\nname = \"shirt\"\n{mesh}\n{fabric}{BARRIER}");
    place.write("split.toml", scene("mesh = \"shirt.obj\""));
    place.write("welded.toml", scene("mesh = { file = \"shirt.obj\", weld = 0.0 }"));
    let refused = place.refused(&["check", "split.toml"], 2);
    for part in ["`shirt` crosses itself in ", "weld = 0.0", "mesh = \"shirt.obj\""] {
        assert!(refused.stderr.contains(part), "{part}: {}", refused.stderr);
    }
    place.done(&["check", "welded.toml"]);
    place.done(&["render", "shirt.obj", "--look", "crossings", "--size", "96x54", "--samples", "1"]);
}
