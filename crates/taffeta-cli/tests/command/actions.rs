//! What is done from outside while a scene runs: `actions = "actions.jsonl"`.

use crate::common::Place;
use std::fs;

const SCENE: &str = r#"
actions = "recorded/actions.jsonl"
[time]
duration = 0.4
[[cloth]]
name = "sheet"
grid = { size = [0.5, 0.5], cells = [12, 12] }
[[cloth.pin]]
select = { corners = ["left-top", "right-top"] }
[[body]]
name = "ball"
sphere = { radius = 0.15 }
place = { at = [0.0, 0.0, -0.2] }
[contact]
law = "constraint"
"#;

const ACTIONS: &str = r#"
{"frame":0,"action":"grab","grab":1,"vertices":[6],"to":[0.0,-0.25,0.0],"stiffness":100,"limit":0.5}
{"frame":2,"step":1,"time":0.041666666666666664,"action":"drag","grab":1,"to":[0.1,-0.15,0.2],"over":0.1}
{"frame":6,"action":"move-body","body":"ball","shift":[0,0,0.1],"over":0.2}
{"frame":15,"action":"let-go","grab":1}
"#;

fn place() -> Place {
    let place = Place::new();
    place.write("scene.toml", SCENE);
    place.write("recorded/actions.jsonl", ACTIONS);
    place
}

#[test]
fn actions_are_done_copied_hashed_and_done_again_after_a_break() {
    let place = place();
    place.done(&["run", "scene.toml", "--out", "whole", "--no-still"]);
    place.write("recorded/none.jsonl", "");
    place.done(&["run", "scene.toml", "--out", "still", "--no-still", "--set", "actions=\"recorded/none.jsonl\""]);
    let positions = |run: &str| fs::read(place.path(&format!("{run}/positions.bin"))).unwrap();
    assert_ne!(positions("whole"), positions("still"));
    assert_eq!(fs::read_to_string(place.path("whole/files/actions.jsonl")).unwrap(), ACTIONS);

    // stopped between two actions, and within the motion of the ball
    for (name, seconds) in [("early", "0.05"), ("late", "0.2")] {
        place.done(&["run", "scene.toml", "--out", name, "--no-still", "--duration", seconds]);
        place.done(&["resume", name, "--duration", "0.4", "--no-still"]);
        assert!(positions(name) == positions("whole"), "{name}");
        let lines = |run: &str| {
            let text = fs::read_to_string(place.path(&format!("{run}/frames.jsonl"))).unwrap();
            let plain = |line: &str| line.split("\"ms\"").next().unwrap().to_string();
            text.lines().map(plain).collect::<Vec<_>>()
        };
        assert_eq!(lines(name), lines("whole"));
    }

    // what was done is part of the run
    place.write("late/files/actions.jsonl", ACTIONS.replace("0.5", "0.6"));
    let refused = place.refused(&["resume", "late", "--duration", "0.5"], 2);
    assert!(refused.stderr.contains("was changed since the run began"), "{refused:?}");

    // the ball goes along, where it was
    place.done(&["convert", "whole", "--to", "ply", "--bodies", "--last", "--out", "moved"]);
    place.done(&["convert", "still", "--to", "ply", "--bodies", "--last", "--out", "resting"]);
    let last = |folder: &str| {
        let file = fs::read_dir(place.path(folder)).unwrap().next().unwrap().unwrap().path();
        let mesh = taffeta_files::mesh::read(&file, &Default::default()).unwrap();
        mesh.positions.iter().map(|p| p.z).fold(f64::INFINITY, f64::min)
    };
    assert!((last("resting") + 0.35).abs() < 1e-3 && last("moved") > last("resting") + 0.05);
}

#[test]
fn mistakes_in_a_recording_are_shown_at_their_lines() {
    let place = place();
    for (line, message) in [
        ("{\"frame\":3,\"action\":\"move-body\",\"body\":\"bal\",\"shift\":[0,0,1]}", "there is no body `bal`"),
        ("{\"frame\":3,\"action\":\"drag\",\"grab\":2,\"to\":[0,0,1]}", "there is no grab 2"),
        ("{\"frame\":3,\"action\":\"wnd\"}", "did you mean `wind`?"),
        ("{\"frame\":3,\"time\":0.1,\"action\":\"wind\",\"wind\":[0,0,1]}", "it is recorded at 0.1 s"),
        ("{\"frame\":", "EOF"),
    ] {
        place.write("recorded/actions.jsonl", format!("{}{line}\n", ACTIONS.trim_start()));
        let refused = place.refused(&["run", "scene.toml", "--out", "wrong"], 2);
        assert!(refused.stderr.contains("actions.jsonl:5:1") && refused.stderr.contains(message), "{refused:?}");
        assert!(!place.path("wrong").exists());
    }
    fs::remove_file(place.path("recorded/actions.jsonl")).unwrap();
    let refused = place.refused(&["check", "scene.toml"], 2);
    assert!(refused.stderr.contains("cannot read `recorded/actions.jsonl`"), "{refused:?}");

    // known only when it comes to that step: what is done so far is kept
    let other = ACTIONS.replace("0.041666666666666664", "0.04");
    place.write("recorded/actions.jsonl", other);
    let failed = place.taffeta(&["run", "scene.toml", "--out", "it", "--no-still"]);
    assert_eq!(failed.status, Some(1), "{failed:?}");
    assert!(failed.stderr.contains("it is recorded at 0.04 s, but after frame 2 and step 1 the time is"), "{failed:?}");
}
