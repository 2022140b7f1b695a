//! Cloth from files whose uv are a layout for a texture.

use crate::common::Place;

/// A sheet of 0.4 by 0.3 m whose uv fill the unit square.
fn sheet() -> String {
    const N: usize = 8;
    let points = || (0..=N).flat_map(|j| (0..=N).map(move |i| [i as f64 / N as f64, j as f64 / N as f64]));
    let mut text: String = points().map(|[x, y]| format!("v {} {} 0\nvt {x} {y}\n", 0.4 * x, 0.3 * y)).collect();
    for a in (0..N).flat_map(|j| (0..N).map(move |i| j * (N + 1) + i + 1)) {
        let [b, c, d] = [a + 1, a + N + 2, a + N + 1];
        text += &format!("f {a}/{a} {b}/{b} {c}/{c}\nf {a}/{a} {c}/{c} {d}/{d}\n");
    }
    text
}

#[test]
fn a_texture_layout_is_asked_about_in_every_format_and_runs_when_it_is_ignored_or_scaled() {
    let place = Place::new();
    place.write("a.obj", sheet());
    for format in ["ply", "glb"] {
        place.done(&["convert", "a.obj", "--to", format, "--out", &format!("a.{format}")]);
    }
    let scene = "[time]\nduration = 0.1\n[[cloth]]\nmesh = \"a.obj\"\nfabric = \"silk\"\n[[cloth.pin]]\n\
        select = { edge = \"top\" }\n";
    place.write("scene.toml", scene);
    for format in ["obj", "ply", "glb"] {
        let plain = format!("cloth.mesh=\"a.{format}\"");
        let asked = place.done(&["check", "scene.toml", "--set", &plain]);
        assert!(asked.stderr.contains("look like a texture layout"), "{asked:?}");
        for uv in ["\"ignore\"", "{ scale = [0.4, 0.3] }"] {
            let set = format!("cloth.mesh={{ file = \"a.{format}\", uv = {uv} }}");
            let ran =
                place.done(&["run", "scene.toml", "--set", &set, "--no-still", "--force", "--out", "r", "--json"]);
            assert!(!ran.stderr.contains("texture"), "{ran:?}");
            let stretch = ran.json()["max_stretch"].as_f64().unwrap_or_else(|| panic!("{}", ran.stdout));
            assert!(stretch < 0.01, "{format}, {uv}: {stretch}");
        }
    }
}
