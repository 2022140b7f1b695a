//! Bodies: in the way of cloth; those from mesh files copied into the run, shown, exported, and in nobody's way yet.

use crate::common::{Place, SMALL};
use std::fs;
use taffeta_files::cache::CacheReader;

/// A block that leans over, one file a frame at 10 frames a second.
fn place() -> Place {
    let place = Place::new();
    for k in 0..4 {
        let lean = 0.3 * f64::from(k);
        let corner = |i: i32| {
            let [x, y, z] = [i & 1, i >> 1 & 1, i >> 2].map(|bit| f64::from(bit) - 0.5);
            format!("v {} {y} {z}\n", x + lean * (y + 0.5))
        };
        let faces = "f 1 5 7 3\nf 2 4 8 6\nf 1 2 6 5\nf 3 7 8 4\nf 1 3 4 2\nf 5 6 8 7\n";
        let corners: String = (0..8).map(corner).collect();
        place.write(&format!("lean/block_{k}.obj"), corners + faces);
    }
    let bodies = "[[body]]\nname = \"block\"\nmesh = { file = \"lean\", fps = 10 }\n\
        place = { at = [0.8, -0.3, 0.0], scale = 0.5 }\n[[body]]\nname = \"ball\"\nsphere = { radius = 0.1 }\n\
        place = { at = [0.0, 0.0, 0.8] }\n";
    place.write("scene.toml", format!("{SMALL}{bodies}"));
    place
}

#[test]
fn check_tells_size_and_motion_of_a_mesh_and_warns_once_where_nothing_collides() {
    let place = place();
    let told = place.done(&["check", "scene.toml"]);
    assert!(!told.stderr.contains("nothing collides"), "{told:?}");
    let told = place.done(&["check", "scene.toml", "--set", "contact.law=constraint"]);
    assert!(told.stdout.contains("block, 8 vertices, 12 triangles, moves from 0 s to 0.3 s; 1 more"), "{told:?}");
    assert_eq!(told.stderr.matches("nothing collides with `block`").count(), 1, "{told:?}");
    assert_eq!(told.stderr.matches("nothing collides").count(), 1, "{told:?}");
    let json = place.done(&["check", "scene.toml", "--json"]).json();
    assert_eq!(json["bodies"], 2);
    assert_eq!(json["body_meshes"][0]["triangles"], 12);
    assert_eq!(json["body_meshes"][0]["moves"][1].as_f64().map(|end| (10.0 * end).round()), Some(3.0));
}

/// The files of the body are gone by then: the run has its own.
#[test]
fn a_resumed_run_with_a_mesh_has_the_bits_of_an_uninterrupted_one() {
    let place = place();
    place.done(&["run", "scene.toml", "--out", "whole", "--no-still"]);
    place.done(&["run", "scene.toml", "--out", "parts", "--no-still", "--duration", "0.1"]);
    fs::remove_dir_all(place.path("lean")).unwrap();
    place.done(&["resume", "parts", "--duration", "0.2"]);
    assert!(place.result("whole") == place.result("parts"), "other bits");
    assert!(place.path("parts/files/lean/block_3.obj").is_file());

    // a run of the saved scene is the same run
    place.done(&["run", "parts/scene.toml", "--out", "again", "--no-still", "--duration", "0.2"]);
    assert_eq!(place.result("again").0, place.result("whole").0);

    fs::write(place.path("parts/files/lean/block_2.obj"), "v 0 0 0\n").unwrap();
    let refused = place.refused(&["resume", "parts", "--duration", "0.3"], 2);
    assert!(refused.stderr.contains("block_2.obj was changed since the run began"), "{refused:?}");
}

#[test]
fn a_moving_mesh_is_seen_and_exported() {
    let place = place();
    // the cloth rests
    let still = ["--set", "components.gravity=false"];
    place.done(&[&["run", "scene.toml", "--out", "it", "--no-still"], &still[..]].concat());
    let small = ["--size", "96x64", "--samples", "1"];
    let picture = |frame: &str, out: &str| {
        place.done(&[&["render", "it", "--frame", frame, "--out", out], &small[..]].concat());
        fs::read(place.path(out)).unwrap()
    };
    assert_ne!(picture("0", "a.png"), picture("12", "b.png"));
    for format in ["usd", "glb", "obj", "ply", "pc2", "mdd"] {
        place.done(&["convert", "it", "--to", format, "--bodies"]);
    }
    let last = fs::read_to_string(place.path("it/obj/it.0012.obj")).unwrap();
    let vertices: Vec<&str> = last.lines().filter(|line| line.starts_with("v ")).collect();
    // the third corner of the block at 0.2 s leans by 0.6: 0.8 + 0.5 (-0.5 + 0.6)
    let corner: Vec<f64> = vertices[121 + 2].split(' ').skip(1).map(|v| v.parse().unwrap()).collect();
    assert!((corner[0] - 0.85).abs() < 1e-9 && (corner[1] + 0.05).abs() < 1e-9, "{corner:?}");
}

#[test]
fn a_body_inside_the_cloth_at_the_start_is_refused_at_its_line_with_a_way_out() {
    let place = Place::new();
    let ball = "[[body]]\nname = \"ball\"\nsphere = { radius = 0.15 }\nplace = { at = [0.1, 0.0, 0.0] }\n";
    place.write("scene.toml", format!("{SMALL}{ball}"));
    let line = (SMALL.lines().count() + 4).to_string();
    for command in ["check", "run"] {
        let refused = place.refused(&[command, "scene.toml"], 2);
        let wanted = ["vertices of `cloth` are inside `ball`", &format!("scene.toml:{line}:"), "apart"];
        assert!(wanted.iter().all(|part| refused.stderr.contains(part)), "{refused:?}");
    }
    assert!(!place.path("runs").exists());
    place.done(&["check", "scene.toml", "--set", "components.contact=false"]);
}

#[test]
fn edges_that_are_too_long_for_a_body_are_warned_of_with_a_length_that_will_do() {
    let place = Place::new();
    let ball = "[[body]]\nname = \"ball\"\nsphere = { radius = 0.2 }\nplace = { at = [0.0, 0.0, 0.8] }\n";
    place.write("scene.toml", format!("{SMALL}{ball}"));
    let line = (SMALL.lines().count() + 1).to_string();
    // diagonals of 141 mm
    for command in [&["check", "scene.toml"][..], &["run", "scene.toml", "--duration", "0.02", "--no-still"]] {
        let told = place.done(command);
        let wanted = ["edges of `cloth` are too long, up to 140 mm", "`ball` (200 mm)", "at most 60 mm"];
        assert!(wanted.iter().all(|part| told.stderr.contains(part)), "{told:?}");
        assert!(told.stderr.contains(&format!("scene.toml:{line}:")), "{told:?}");
    }
    let finer = place.done(&["check", "scene.toml", "--set", "cloth.grid.cells=[24,24]"]);
    assert!(!finer.stderr.contains("too long"), "{finer:?}");
}

/// A sheet over a box, in steps of a frame: edges over the sharp edges carry it, and their forces are in the file.
#[test]
fn forces_on_vertices_sum_to_those_of_bodies_over_sharp_edges() {
    let place = Place::new();
    let scene =
        RESTING.replace("plane = true", "box = { size = [0.21, 0.2, 0.21] }\nplace = { at = [0.0, -0.1, 0.0] }");
    place.write("scene.toml", scene + "[time.adaptive]\nleast = 1.0\nchange = 9.0\n");
    for method in ["backward-euler", "bdf2"] {
        let set = format!("method.name={method}");
        let more = ["--set", "time.step=0.034", "--set", "contact.law=\"constraint\""];
        place.done(&[&["run", "scene.toml", "--out", method, "--no-still", "--set", &set][..], &more].concat());
        let (lines, mut f) = (place.lines(method), Vec::new());
        let mut forces = CacheReader::open(&place.path(method).join("contact.bin")).unwrap();
        let mut shared = false;
        for (frame, line) in lines.iter().enumerate() {
            forces.read(frame as u64, &mut f).unwrap();
            assert!(line["steps"].as_u64().unwrap() <= 1, "{line}");
            let size: f64 = f.iter().map(|f| f.length()).sum();
            for (axis, sum) in [f.iter().map(|f| f.x).sum(), f.iter().map(|f| f.y).sum(), f.iter().map(|f| f.z).sum()]
                .into_iter()
                .enumerate()
            {
                let said = line["bodies"][0][axis].as_f64().unwrap();
                let sum: f64 = sum;
                // two sums of the same numbers
                assert!((sum - said).abs() <= 1e-12 * size, "{method}, frame {frame}: {sum} and {said}");
            }
            let pushed = f.iter().filter(|f| f.length() > 0.0).count() as u64;
            shared |= pushed > line["contacts"].as_u64().unwrap();
        }
        assert!(shared, "no edge was carried between vertices");
    }
}

/// A sheet that lies on a floor.
const RESTING: &str = r#"
[time]
duration = 1.0
fps = 30
[[cloth]]
grid = { size = [0.5, 0.5], cells = [8, 8] }
place = { at = [0.0, 0.001, 0.0], rotate = [-90.0, 0.0, 0.0] }
[[body]]
plane = true
"#;

#[test]
fn forces_of_contact_at_rest_sum_to_the_weight_and_have_the_same_bits_after_a_resume() {
    let place = Place::new();
    place.write("scene.toml", RESTING);
    let mass = place.done(&["check", "scene.toml", "--json"]).json()["mass"].as_f64().unwrap();
    place.done(&["run", "scene.toml", "--out", "whole", "--no-still"]);
    let mut forces = CacheReader::open(&place.path("whole/contact.bin")).unwrap();
    let (mut f, last) = (Vec::new(), forces.frames().unwrap() - 1);
    assert_eq!(last, 30);
    forces.read(0, &mut f).unwrap();
    assert!(f.iter().all(|f| f.length() == 0.0));
    forces.read(last, &mut f).unwrap();
    let sum = f.iter().fold([0.0; 3], |sum, f| [sum[0] + f.x, sum[1] + f.y, sum[2] + f.z]);
    let weight = 9.81 * mass;
    // the equations are solved to about a millionth
    assert!((sum[1] / weight - 1.0).abs() < 1e-5 && sum[0].abs().max(sum[2].abs()) < 1e-5 * weight, "{sum:?} {weight}");
    assert!(f.iter().all(|f| f.y >= 0.0), "nothing is pulled down");
    let said = place.lines("whole")[30]["bodies"][0][1].as_f64().unwrap();
    assert!((said / weight - 1.0).abs() < 1e-5, "{said}");

    place.done(&["run", "scene.toml", "--out", "parts", "--no-still", "--duration", "0.4"]);
    place.done(&["resume", "parts", "--duration", "1.0"]);
    for name in ["contact.bin", "positions.bin"] {
        let read = |run: &str| fs::read(place.path(run).join(name)).unwrap();
        assert!(read("whole") == read("parts"), "{name} has other bits");
    }
    let small = ["--size", "96x64", "--samples", "1"];
    let shown = place.done(&[&["render", "whole", "--look", "contact", "--out", "map.png"], &small[..]].concat());
    assert!(!shown.stderr.contains("nothing collides"), "{shown:?}");
}

#[test]
fn a_body_that_jumps_into_a_cloth_is_named() {
    let place = Place::new();
    let cloth = "[time]\nduration = 0.1\nfps = 30\n[[cloth]]\nname = \"sheet\"\n\
        grid = { size = [0.6, 0.6], cells = [12, 12] }\nplace = { rotate = [-90.0, 0.0, 0.0] }\n";
    let ball = "[[body]]\nname = \"ball\"\nsphere = { radius = 0.2 }\nplace = { at = [5.0, 0.0, 0.0] }\n\
        motion = [{ t = 0.05 }, { t = 0.050001, move = [-5.0, 0.0, 0.0] }]\n";
    place.write("jump.toml", format!("{cloth}{ball}"));
    let ended = place.refused(&["run", "jump.toml", "--no-still"], 1);
    assert!(ended.stderr.contains("mm inside `ball`"), "{ended:?}");
    assert!(ended.stderr.contains("slow the `motion` of `ball` at 0.05 s"), "{ended:?}");
}

/// A ball at 50 m/s stretches a sheet on its corners to many times its length.
#[test]
fn edges_that_are_stretched_too_long_for_a_body_are_reported_with_time_and_place() {
    let place = Place::new();
    let cloth = "[time]\nduration = 0.2\nfps = 30\n[[cloth]]\nname = \"sheet\"\n\
        grid = { size = [0.6, 0.6], cells = [20, 20] }\nplace = { rotate = [-90.0, 20.0, 0.0] }\n\
        fabric = \"cotton-broadcloth\"\n[[cloth.pin]]\n\
        select = { corners = [\"left-top\", \"right-top\", \"left-bottom\", \"right-bottom\"] }\n";
    let ball = "[[body]]\nname = \"ball\"\nsphere = { radius = 0.15 }\nplace = { at = [0.0, -0.3, 0.0] }\n\
        motion = [{ t = 0.05 }, { t = 0.074, move = [0.0, 1.2, 0.0] }]\n";
    place.write("fast.toml", format!("{cloth}{ball}"));
    let done = place.done(&["run", "fast.toml", "--out", "fast", "--no-still", "--set", "contact.law=\"constraint\""]);
    assert_eq!(done.stderr.matches("`sheet` was deeper inside `ball` than it is thick").count(), 1, "{done:?}");
    let report = place.report("fast");
    let deepest = &report["totals"]["maxima"]["too_deep"];
    assert!(deepest["thicknesses"].as_f64().unwrap() > 1.0 && deepest["edge"].as_f64().unwrap() > 0.06, "{deepest}");
    assert_eq!(report["bodies"][0], "ball");
}
