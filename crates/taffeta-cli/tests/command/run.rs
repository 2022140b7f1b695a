//! Running, looking at the result, exporting it.

use crate::common::{MESH, Place, SMALL, UNTOUCHED};
use serde_json::Value;
use std::collections::HashMap;
use std::fs;

#[test]
fn a_built_in_scene_runs_in_an_empty_folder() {
    let place = Place::new();
    let small = ["--set", "cloth.grid.cells=[12,12]", "--duration", "0.05", "--export", "npz"];
    let ended = place.done(&[&["run", "hang"], &small[..]].concat());
    let last: Vec<&str> = ended.stdout.lines().collect();
    assert!(last.contains(&"result: runs/hang") || cfg!(windows), "{ended:?}");
    for word in ["3 frames", "ms each", "2 steps of", "iterations", "largest stretch", "%", "kinetic energy"] {
        assert!(last[last.len() - 2].contains(word), "{word}: {ended:?}");
    }
    for word in ["time: forces ", " %, solving ", " %, contact ", " %, limit 0 %, rest "] {
        assert!(last.last().unwrap().contains(word), "{word}: {ended:?}");
    }
    assert!(ended.stderr.contains("frame 0 of 3") && ended.stderr.contains("frame 3 of 3"), "{ended:?}");

    let report = place.report("runs/hang");
    assert_eq!((report["status"].as_str(), report["frames"].as_u64()), (Some("finished"), Some(3)));
    for name in ["ms_per_frame", "max_stretch"] {
        assert!(report[name].is_number(), "{name}: {report}");
    }
    assert!(report.get("cpu_ms_per_frame").is_some(), "{report}");

    let lines = place.lines("runs/hang");
    assert_eq!(lines.len(), 4, "frame 0 is the start");
    for name in ["time", "kinetic", "gravity", "stretch", "shear", "bend", "com_height", "max_stretch"] {
        assert!(lines.iter().all(|line| line[name].is_number()), "{name}: {lines:?}");
    }
    assert_eq!(lines[1]["pins"].as_array().map(Vec::len), report["pins"].as_array().map(Vec::len));
    assert!(lines[1]["pins"][0].as_array().is_some_and(|force| force.len() == 3), "a force for each pin");

    // the archive, as NumPy would open it
    let archive = unzip(&fs::read(place.path("runs/hang/hang.npz")).unwrap());
    let shape = |name: &str| shape(&archive[&format!("{name}.npy")]);
    assert_eq!(shape("positions"), "(4, 169, 3)");
    assert_eq!((shape("triangles"), shape("rest")), ("(288, 3)".into(), "(169, 3)".into()));
    assert_eq!((shape("times"), shape("cloth_offsets")), ("(4,)".into(), "(2,)".into()));
    let start = numbers(&archive["positions.npy"]);
    assert!(start.iter().all(|x| x.is_finite()) && start.iter().any(|x| *x != 0.0));
}

#[test]
fn figures_for_programs_are_those_of_the_report() {
    let place = Place::new();
    place.write("small.toml", SMALL);
    let object = place.done(&["run", "small.toml", "--json", "--out", "here/it is"]).json();
    assert_eq!(object["folder"], "here/it is");
    let report = place.report("here/it is");
    for name in ["status", "frames", "ms_per_frame", "cpu_ms_per_frame", "max_stretch"] {
        assert_eq!(object[name], report[name], "{name}");
    }
}

#[test]
fn a_run_is_exported_and_nothing_is_overwritten() {
    let place = Place::new();
    place.write("small.toml", SMALL);
    place.done(&["run", "small.toml", "--duration", "0.05"]);
    place.done(&["convert", "runs/small", "--to", "obj", "--out", "frames"]);
    assert_eq!(fs::read_dir(place.path("frames")).unwrap().count(), 4);
    let before = place.snapshot("frames");
    let ended = place.refused(&["convert", "runs/small", "--to", "obj", "--out", "frames"], 2);
    assert!(ended.stderr.contains("--force"), "{ended:?}");
    assert_eq!(before, place.snapshot("frames"));
    place.done(&["convert", "runs/small", "--to", "obj", "--out", "frames", "--force"]);
    let object = place.done(&["convert", "runs/small", "--to", "npz", "--json"]).json();
    assert_eq!((object["frames"].as_u64(), object["format"].as_str()), (Some(4), Some("npz")));
    assert!(place.path("runs/small/small.npz").is_file());
    place.refused(&["convert", "nowhere", "--to", "npz"], 2);
}

#[test]
fn a_finished_run_is_lengthened_as_if_it_had_been_longer() {
    let place = Place::new();
    place.write("small.toml", SMALL);
    place.done(&["run", "small.toml", "--out", "whole", "--duration", "0.2", "--export", "npz"]);
    place.done(&["run", "small.toml", "--out", "parts", "--duration", "0.1", "--export", "npz"]);
    let ended = place.done(&["resume", "parts"]);
    assert!(ended.stderr.contains("--duration"), "{ended:?}");
    let ended = place.done(&["resume", "parts", "--duration", "0.2"]);
    assert!(ended.stdout.contains("12 frames"), "{ended:?}");
    assert_eq!(place.result("whole"), place.result("parts"));
    let positions = |name: &str| unzip(&fs::read(place.path(name)).unwrap()).remove("positions.npy");
    assert_eq!(positions("whole/whole.npz"), positions("parts/parts.npz"), "the export has grown too");
    place.refused(&["resume", "parts", "--duration", "0.1"], 2);
    place.refused(&["resume", "parts", "--duration", "1e9"], 2);
    place.refused(&["resume", "parts", "--set", "time.fps=30"], 2);
    let ended = place.refused(&["resume", "nowhere"], 2);
    assert!(ended.stderr.contains("runs/NAME"), "{ended:?}");
}

#[test]
fn a_run_takes_its_files_with_it() {
    let place = Place::new();
    place.write("in/quad.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\n");
    place.write("in/scene.toml", "[[cloth]]\nmesh = \"quad.obj\"\n[[cloth.pin]]\nselect = { vertices = [0] }\n");
    place.done(&["run", "in/scene.toml", "--out", "whole", "--duration", "0.2"]);
    place.done(&["run", "in/scene.toml", "--out", "parts", "--duration", "0.1"]);
    fs::remove_dir_all(place.path("in")).unwrap();
    place.done(&["resume", "parts", "--duration", "0.2"]);
    assert_eq!(place.result("whole"), place.result("parts"));
    place.done(&["run", "parts/scene.toml", "--out", "again", "--duration", "0.2"]);
    assert_eq!(place.result("whole"), place.result("again"));
    let mut obj = fs::read(place.path("parts/files/quad.obj")).unwrap();
    obj.push(b'\n');
    place.write("parts/files/quad.obj", obj);
    let ended = place.refused(&["resume", "parts", "--duration", "0.3"], 2);
    assert!(ended.stderr.contains("quad.obj was changed"), "{ended:?}");
}

#[test]
fn a_run_of_no_time_is_its_start() {
    let place = Place::new();
    place.write("small.toml", SMALL);
    let object = place.done(&["run", "small.toml", "--duration", "0", "--json", "--export", "npz,obj"]).json();
    assert_eq!((object["frames"].as_u64(), object["exports"].as_array().map(Vec::len)), (Some(0), Some(2)));
    assert_eq!(place.frames_seen("runs/small"), 1);
}

/// Files of an archive without compression.
fn unzip(bytes: &[u8]) -> HashMap<String, Vec<u8>> {
    let u16_at = |at: usize| usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
    let u32_at = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let end = bytes.windows(4).rposition(|window| window == b"PK\x05\x06").expect("an end");
    let mut at = u32_at(end + 16);
    let mut files = HashMap::new();
    for _ in 0..u16_at(end + 10) {
        assert_eq!(&bytes[at..at + 4], b"PK\x01\x02");
        let (size, name, local) = (u32_at(at + 24), u16_at(at + 28), u32_at(at + 42));
        let name_text = String::from_utf8(bytes[at + 46..at + 46 + name].to_vec()).unwrap();
        let data = local + 30 + u16_at(local + 26) + u16_at(local + 28);
        files.insert(name_text, bytes[data..data + size].to_vec());
        at += 46 + name + u16_at(at + 30) + u16_at(at + 32);
    }
    files
}

/// `(4, 169, 3)` from the header of an array.
fn shape(array: &[u8]) -> String {
    assert_eq!(&array[..6], b"\x93NUMPY");
    let header = String::from_utf8_lossy(&array[..array.len().min(128)]).into_owned();
    let from = header.find("'shape': ").expect("a shape") + 9;
    let to = from + header[from..].find(')').unwrap() + 1;
    header[from..to].to_string()
}

fn numbers(array: &[u8]) -> Vec<f64> {
    let header = 10 + usize::from(u16::from_le_bytes([array[8], array[9]]));
    array[header..].chunks_exact(8).map(|bytes| f64::from_le_bytes(bytes.try_into().unwrap())).collect()
}

#[test]
fn warnings_stand_before_the_run_and_in_the_report() {
    let place = Place::new();
    place.write("ball.obj", MESH);
    place.write("ball.toml", format!("{SMALL}\n{UNTOUCHED}"));
    let ended = place.done(&["run", "ball.toml"]);
    let (warning, run) = (ended.stderr.find("`ball`").unwrap(), ended.stderr.find("frame 0 of").unwrap());
    assert!(warning < run && ended.stderr.contains("ball.toml:10"), "{ended:?}");
    let warnings = place.report("runs/ball")["warnings"].clone();
    assert!(warnings[0]["message"].as_str().unwrap().contains("`ball`"), "{warnings}");
    assert_eq!(warnings[0]["path"], Value::from("body.0"));
}
