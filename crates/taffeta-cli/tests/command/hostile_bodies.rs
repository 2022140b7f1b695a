//! Bodies that are bad meshes: a message, or a run in which cloth crosses none of their triangles.

use crate::common::Place;

/// A sheet falls on what is in `body.obj`.
const SCENE: &str = r#"
[time]
duration = 0.2
[[cloth]]
grid = { size = [0.4, 0.4], cells = [12, 12] }
place = { at = [0.0, 0.02, 0.0], rotate = [-90.0, 0.0, 0.0] }
fabric = { density = 0.2, thickness = 0.001, stretch = 1000.0, shear = 300.0, bend = 1e-5 }
[[body]]
name = "thing"
mesh = "body.obj"
"#;

/// A tetrahedron with its tip up.
const CORNERS: &str = "v 0.003 0 0.004\nv 0.25 -0.3 0.004\nv -0.125 -0.3 0.22\nv -0.125 -0.3 -0.21\n";
const FACES: &str = "f 1 2 3\nf 1 3 4\nf 1 4 2\nf 2 4 3\n";

fn scene(mesh: &str) -> Place {
    let place = Place::new();
    place.write("scene.toml", SCENE);
    place.write("body.obj", mesh);
    place
}

#[test]
fn meshes_that_are_no_bodies_are_refused() {
    let with = |corner: &str, faces: &str| format!("{CORNERS}{corner}\n{FACES}{faces}");
    for (mesh, expected) in [
        (String::new(), "the file is empty"),
        (CORNERS.into(), "there are no faces"),
        (FACES.into(), "does not exist"),
        (with("", "f 1 2 9\n"), "vertex 9 does not exist"),
        (with("", "f 1 1 2\n"), "uses vertex 1 twice"),
        (with("v nan 0 0", "f 1 2 5\n"), "not finite"),
        (with("v 0 inf 0", ""), "not finite"),
        (with("v 0 0 1e999", "f 1 2 5\n"), "not finite"),
        (with("v 1e300 0 0", "f 1 2 5\n"), "farther away"),
        (with("v 1e30 0 0", "f 1 2 5\n"), "farther away"),
    ] {
        let place = scene(&mesh);
        for command in ["check", "run"] {
            let refused = place.refused(&[command, "scene.toml"], 2);
            assert!(refused.stderr.contains(expected), "{expected}: {refused:?}");
        }
        assert!(!place.path("runs").exists());
    }
}

#[test]
fn cloth_hangs_on_the_good_triangles_of_bad_meshes() {
    let plus = |corners: &str, faces: &str| format!("{CORNERS}{corners}{FACES}{faces}");
    let line = "v 0 -0.01 0.1\nv 0.1 -0.01 0.1\nv 0.2 -0.01 0.1\n";
    let point = "v 0 -0.01 0.1\nv 0 -0.01 0.1\nv 0 -0.01 0.1\n";
    let corner = |k: usize| CORNERS.lines().nth(k).unwrap();
    // every triangle has vertices of its own
    let apart: String = [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]]
        .iter()
        .enumerate()
        .map(|(k, t)| {
            let [a, b, c] = t.map(corner);
            format!("{a}\n{b}\n{c}\nf {} {} {}\n", 3 * k + 1, 3 * k + 2, 3 * k + 3)
        })
        .collect();
    let meshes = [
        ("as it should be", plus("", "")),
        ("a triangle that is a line", plus(line, "f 5 6 7\n")),
        ("a triangle that is a point", plus(point, "f 5 6 7\n")),
        ("a triangle a nanometre wide", plus("v 0.1 -0.05 0\nv 0.1 -0.05 1e-9\n", "f 1 5 6\n")),
        ("all triangles twice", plus("", FACES)),
        ("all triangles with both fronts", plus("", "f 3 2 1\nf 4 3 1\nf 2 4 1\nf 3 4 2\n")),
        ("edges of three triangles", plus("", "f 2 1 3\nf 1 2 4\n")),
        ("vertices of their own", apart),
        ("triangles that cross", plus("v 0.3 -0.2 0.2\nv -0.3 -0.1 -0.2\nv 0 -0.25 0\n", "f 5 6 7\n")),
        ("a corner a million kilometres away", plus("v 1e9 -1e9 0\n", "f 2 3 5\n")),
    ];
    for (what, mesh) in meshes {
        let place = scene(&mesh);
        let told = place.done(&["run", "scene.toml", "--out", "it"]);
        let report = place.report("it");
        assert_eq!([&report["crossings"], &report["crossings_with_bodies"]], [0, 0], "{what}: {told:?}");
        // without the tip it would have fallen by 19 cm, and stretched by nothing
        let held = report["totals"]["maxima"]["barrier_contacts"].as_u64();
        assert!(held > Some(0), "{what}: nothing touches, {told:?}");
    }
}

#[test]
fn meshes_without_area_harm_nothing() {
    for mesh in [
        "v 0 0 0\nv 0.1 0 0\nv 0.2 0 0\nf 1 2 3\n",
        "v 0 0 0\nv 0 0 0\nv 0 0 0\nf 1 2 3\n",
        "v 1e-300 0 0\nv 0 1e-300 0\nv 0 0 1e-300\nf 1 2 3\n",
        "v 1e-12 0 0\nv 0 1e-12 0\nv 0 0 1e-12\nf 1 2 3\n",
    ] {
        let place = scene(mesh);
        let told = place.done(&["run", "scene.toml", "--out", "it"]);
        let report = place.report("it");
        assert_eq!([&report["crossings"], &report["crossings_with_bodies"]], [0, 0], "{told:?}");
    }
}
