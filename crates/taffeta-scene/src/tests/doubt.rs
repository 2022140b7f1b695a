//! Values that are allowed but implausible: each is questioned, with what was likely meant.

use super::referred::Folder;
use crate::{Source, builtin, load};

const GRID: &str = "[[cloth]]\ngrid = { size = [1.0, 1.0], cells = [10, 10] }\n";
const SILK: &str = "fabric = \"silk\"\n";

/// Key and message of every question.
fn asked(text: &str) -> Vec<(String, String)> {
    let apart = ["contact.cloth=false".into()];
    let scene = load(&Source::text("odd", text, "."), &apart).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let world = scene.world().unwrap_or_else(|e| panic!("{e}\n{text}"));
    // the world repeats the questions of the scene
    assert!(scene.warnings.iter().all(|warning| world.warnings.contains(warning)), "{text}");
    scene.warnings.into_iter().map(|warning| (warning.path, warning.message)).collect()
}

#[test]
fn built_in_scenes_and_fabrics_raise_no_question() {
    for scene in builtin::scenes() {
        let loaded = load(&Source::find(scene.name).unwrap(), &[]).unwrap();
        assert_eq!(loaded.warnings, [], "{}", scene.name);
    }
    for fabric in builtin::fabrics() {
        assert_eq!(asked(&format!("{GRID}fabric = \"{}\"\n", fabric.name)), [], "{}", fabric.name);
    }
    // raw constants from papers have units of their own
    assert_eq!(asked(&format!("{}raw = {{ mass = 1, structural = 100 }}\n", GRID.replace("1.0", "32.0"))), []);
}

#[test]
fn what_is_given_in_another_unit_is_asked_about_with_the_value_in_ours() {
    let fabric = |values: &str| format!("{GRID}fabric = {{ base = \"silk\", {values} }}\n");
    let shape = |shape: &str| format!("[[cloth]]\n{shape}\n{SILK}");
    let body = |body: &str| format!("{GRID}{SILK}[[body]]\n{body}\nplace = {{ at = [0.0, -500.0, 0.0] }}\n");
    let pin = |keys: &str| format!("{GRID}{SILK}[[cloth.pin]]\nselect = {{ edge = \"top\" }}\nmotion = [{keys}]\n");
    let cases = [
        (fabric("thickness = 0.42"), "cloth.0.fabric.thickness", "in mm it would be thickness = 0.00042"),
        (fabric("density = 15.0"), "cloth.0.fabric.density", "in mg/cm² it would be density = 0.15"),
        (fabric("density = 150.0"), "cloth.0.fabric.density", "in g/m² it would be density = 0.15"),
        (fabric("density = 0.0001"), "cloth.0.fabric.density", "in g/mm² it would be density = 0.1"),
        (fabric("bend = 0.118"), "cloth.0.fabric.bend", "in gf cm²/cm it would be bend = 1.16e-5"),
        (shape("grid = { size = [1000.0, 1000.0], cells = [9, 9] }"), "cloth.0.grid", "write size = [1.0, 1.0]"),
        (
            shape("grid = { size = [120.0, 90.0], cells = [9, 9] }"),
            "cloth.0.grid",
            "centimetres, write size = [1.2, 0.9]",
        ),
        (shape("random = { size = [70.0, 50.0], edge = 5.0 }"), "cloth.0.random", "size = [0.7, 0.5], edge = 0.05"),
        (shape("disc = { radius = 90.0, edge = 9.0 }"), "cloth.0.disc", "radius = 0.9, edge = 0.09"),
        (
            shape("grid = { size = [0.004, 0.004], cells = [9, 9] }"),
            "cloth.0.grid",
            "100 times larger it is size = [0.4, 0.4]",
        ),
        (
            body("capsule = { radius = 30.0, height = 120.0 }"),
            "body.0.capsule",
            "centimetres, write place = { scale = 0.01 }",
        ),
        (pin("{ t = 0.0 }, { t = 1.0, move = [0.0, 1e6, 0.0] }"), "cloth.0.pin.0.motion", "moves by 1e6 m"),
        (pin("{ t = 0.0 }, { t = 1.0, move = [0.0, 300.0, 0.0] }"), "cloth.0.pin.0.motion", "move = [0.0, 3.0, 0.0]"),
        (pin("{ t = 0.0 }, { t = 0.01, move = [0.0, 3.0, 0.0] }"), "cloth.0.pin.0.motion", "moves at 300 m/s"),
        (format!("{GRID}{SILK}noise = {{ size = 1000.0 }}\n"), "cloth.0.noise.size", "size = 0.000114 is enough"),
        (format!("gravity = [0.0, -981.0, 0.0]\n{GRID}{SILK}"), "gravity", "gravity = [0.0, -9.81, 0.0]"),
        (
            format!("{GRID}{SILK}[[cloth.region]]\nselect = {{ all = true }}\ndensity = 150.0\n"),
            "cloth.0.region.0.density",
            "density = 0.15",
        ),
    ];
    for (text, key, part) in cases {
        let asked = asked(&text);
        assert_eq!(asked.len(), 1, "{text}{asked:?}");
        assert!(asked[0].0 == key && asked[0].1.contains("is that meant?") && asked[0].1.contains(part), "{asked:?}");
    }
}

#[test]
fn what_real_cloth_may_be_is_not_asked_about() {
    for text in [
        format!("{GRID}fabric = {{ base = \"silk\", density = 2.0, thickness = 0.008, bend = 1e-3 }}\n"),
        format!("{}{SILK}", GRID.replace("1.0", "15.0")),
        format!("{}{SILK}", GRID.replace("1.0", "0.05")),
        // a wide floor, a room
        format!("{GRID}{SILK}[[body]]\nbox = {{ size = [200.0, 1.0, 200.0] }}\nplace = {{ at = [0.0, -9.0, 0.0] }}\n"),
        format!("{GRID}{SILK}[[body]]\nsphere = {{ radius = 2.0 }}\nplace = {{ at = [0.0, -9.0, 0.0] }}\n"),
        format!("{GRID}{SILK}noise = {{ size = 1e-3 }}\n"),
        format!(
            "{GRID}{SILK}[[cloth.pin]]\nselect = {{ edge = \"top\" }}\n\
                motion = [{{ t = 0.0 }}, {{ t = 1.0, move = [9.0, 0.0, 0.0] }}]\n"
        ),
    ] {
        assert_eq!(asked(&text), [], "{text}");
    }
}

/// A sheet of 0.4 by 0.3 m in space; `uv` computes its texture coordinates from fractions of both sides.
fn sheet(unit: f64, uv: impl Fn(f64, f64) -> [f64; 2]) -> Vec<u8> {
    const N: usize = 8;
    let shares = || (0..=N).flat_map(|j| (0..=N).map(move |i| (i as f64 / N as f64, j as f64 / N as f64)));
    let mut text = String::new();
    shares().for_each(|(x, y)| text += &format!("v {} {} 0\n", unit * 0.4 * x, unit * 0.3 * y));
    shares().for_each(|(x, y)| text += &format!("vt {} {}\n", uv(x, y)[0], uv(x, y)[1]));
    for a in (0..N).flat_map(|j| (0..N).map(move |i| j * (N + 1) + i + 1)) {
        let [b, c, d] = [a + 1, a + N + 2, a + N + 1];
        text += &format!("f {a}/{a} {b}/{b} {c}/{c}\nf {a}/{a} {c}/{c} {d}/{d}\n");
    }
    text.into_bytes()
}

fn scene_of(name: &str, mesh: &str, file: Vec<u8>) -> crate::Scene {
    let text = format!("[[cloth]]\nmesh = {mesh}\n{SILK}");
    let folder = Folder::new(name, &[("scene.toml", text.into_bytes()), ("a.obj", file)]);
    load(&folder.source(), &[]).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn a_texture_layout_is_told_from_lengths_and_the_ways_out_work() {
    let texture = || sheet(1.0, |u, v| [u, v]);
    let said = scene_of("texture", "\"a.obj\"", texture());
    let message = &said.warnings[0].message;
    assert_eq!((said.warnings.len(), said.warnings[0].path.as_str()), (1, "cloth.0.mesh"));
    for part in
        ["look like a texture layout", "uv = \"ignore\" }", "uv = { scale = [0.4, 0.3] } }", "uv = \"lengths\" }"]
    {
        assert!(message.contains(part), "{message}");
    }
    assert_eq!(said.world().unwrap().warnings.iter().filter(|w| w.path.contains("mesh")).count(), 1);
    // uneven uv: no scale helps
    let uneven = scene_of("uneven", "\"a.obj\"", sheet(1.0, |u, v| [u * u, v]));
    let message = &uneven.warnings[0].message;
    assert!(message.contains("ignore") && !message.contains("scale ="), "{message}");
    // the uv are folded in both directions: parts overlap
    let twice = scene_of("twice", "\"a.obj\"", sheet(1.0, |u, v| [(2.0 * u - 1.0).abs(), (2.0 * v - 1.0).abs()]));
    assert!(twice.warnings[0].message.contains("parts lie on each other"), "{:?}", twice.warnings);

    // the proposed text raises no question, and both give the same lengths
    let expected = scene_of("right", "\"a.obj\"", sheet(1.0, |u, v| [0.4 * u, 0.3 * v]));
    assert_eq!(expected.warnings, []);
    let lengths = |scene: &crate::Scene| {
        scene.world().unwrap().edges.iter().map(|edge| (1e9 * edge.rest).round() as i64).collect::<Vec<_>>()
    };
    for (name, uv) in [("ignore", "\"ignore\""), ("scale", "{ scale = [0.4, 0.3] }")] {
        let scene = scene_of(name, &format!("{{ file = \"a.obj\", uv = {uv} }}"), texture());
        assert_eq!(scene.warnings, [], "{name}");
        assert_eq!(lengths(&scene), lengths(&expected), "{name}");
    }
    let scaled =
        scene_of("one", "{ file = \"a.obj\", uv = { scale = 0.01 } }", sheet(1.0, |u, v| [40.0 * u, 30.0 * v]));
    assert_eq!((lengths(&scaled), scaled.warnings.len()), (lengths(&expected), 0));
    // a scene that declares them lengths is believed, and the world warns about the resulting size
    let sure = scene_of("sure", "{ file = \"a.obj\", uv = \"lengths\" }", texture());
    assert_eq!(sure.warnings, []);
    assert!(sure.world().unwrap().warnings[0].message.contains("times as large"));
}

#[test]
fn a_shirt_in_centimetres_is_asked_about() {
    let shirt = scene_of("shirt", "\"a.obj\"", sheet(200.0, |u, v| [80.0 * u, 60.0 * v]));
    let message = &shirt.warnings[0].message;
    assert!(message.contains("80 m by 60 m") && message.contains("place = { scale = 0.01 }"), "{message}");
}
