//! What is built in.

use crate::common::Place;

fn names(place: &Place, kind: &str) -> Vec<String> {
    let object = place.done(&[kind, "--json"]).json();
    object[kind].as_array().unwrap().iter().map(|item| item["name"].as_str().unwrap().to_string()).collect()
}

#[test]
fn every_built_in_scene_passes_its_check() {
    let place = Place::new();
    let scenes = names(&place, "scenes");
    assert!(scenes.contains(&"hang".to_string()));
    for scene in scenes {
        let object = place.done(&["check", &scene, "--no-time", "--json"]).json();
        for name in ["vertices", "triangles", "steps_per_frame", "frames", "memory_bytes", "disk_bytes"] {
            assert!(object[name].as_u64().is_some_and(|count| count > 0), "{scene}: {name}: {object}");
        }
        for name in ["mass", "step"] {
            assert!(object[name].as_f64().is_some_and(|value| value > 0.0), "{scene}: {name}: {object}");
        }
        let warned = object["warnings"].to_string();
        assert!(!warned.contains("too long"), "{scene}: edges should fit the bodies: {warned}");
        let springs = object["models"][0] == "mass-spring";
        let elements = if springs { "structural" } else { "triangle_elements" };
        assert!(object[elements].as_u64().is_some_and(|count| count > 0), "{scene}: {object}");
        let any = object["stable_at_any_step"].as_bool().unwrap();
        let filtered = object["method"] == "filtered-euler";
        assert!((any || filtered) != object["stable_step"].is_number(), "{scene}: {object}");
        let text = place.done(&["check", &scene, "--no-time"]).stdout;
        for part in ["vertices", "model", "elements", "kg", "memory", "disk", "no mistakes"] {
            assert!(text.contains(part), "{scene}: {text}");
        }
        let stable = match (any, filtered) {
            (true, _) => "stable at any step",
            (_, true) => "stable near rest lengths",
            _ => "stable up to",
        };
        assert!(text.contains(stable), "{scene}: {text}");
    }
}

#[test]
fn size_on_disk_is_as_check_says() {
    let place = Place::new();
    let args = ["hang", "--set", "cloth.grid.cells=[16,16]", "--set", "time.duration=0.2"];
    let said = place.done(&[&["check", "--json"], &args[..]].concat()).json()["disk_bytes"].as_f64().unwrap();
    place.done(&[&["run", "--no-still", "--out", "it"], &args[..]].concat());
    let is: usize = place.snapshot("it").iter().map(|(_, bytes)| bytes.len()).sum();
    assert!((said / is as f64 - 1.0).abs() < 0.15, "{said} bytes said, {is} bytes on disk");
}

#[test]
fn a_copy_runs_as_the_built_in_scene_does_and_is_never_overwritten() {
    let place = Place::new();
    for name in names(&place, "scenes") {
        let shown = place.done(&["scenes", &name]).stdout;
        let ended = place.done(&["scenes", &name, "--copy"]);
        let file = format!("{name}.toml");
        assert!(ended.stdout.contains(&format!("taffeta run {file}")), "{ended:?}");
        assert_eq!(shown, std::fs::read_to_string(place.path(&file)).unwrap());
        place.done(&["check", &file, "--no-time"]);
    }
    place.write("hang.toml", "mine");
    let ended = place.refused(&["scenes", "hang", "--copy"], 2);
    assert!(ended.stderr.contains("--force"), "{ended:?}");
    assert_eq!(std::fs::read(place.path("hang.toml")).unwrap(), b"mine");
    place.done(&["scenes", "hang", "--copy", "--force"]);
    place.done(&["check", "hang.toml"]);
    let ended = place.refused(&["scenes", "hnag"], 2);
    assert!(ended.stderr.contains("`hang`"), "{ended:?}");
}

#[test]
fn every_fabric_works_by_name_and_as_a_copy() {
    let place = Place::new();
    let set = ["--set", "cloth.grid.cells=[4,4]", "--set"];
    for name in names(&place, "fabrics") {
        assert!(place.done(&["fabrics", &name]).stdout.contains("density"));
        place.done(&["fabrics", &name, "--copy"]);
        place.done(&[&["check", "hang"], &set[..], &[&format!("cloth.fabric={name}")]].concat());
        place.done(&[&["check", "hang"], &set[..], &[&format!("cloth.fabric={name}.toml")]].concat());
    }
    place.done(&["fabrics"]);
}

#[test]
fn every_method_of_the_table_runs_every_model() {
    let place = Place::new();
    let methods = names(&place, "methods");
    let models = place.done(&["methods", "--json"]).json()["models"].clone();
    let models: Vec<&str> = models.as_array().unwrap().iter().map(|model| model["name"].as_str().unwrap()).collect();
    assert_eq!(methods, taffeta::Method::all().iter().map(|method| method.name()).collect::<Vec<_>>());
    assert!(!models.is_empty());
    let table = place.done(&["methods"]).stdout;
    assert_eq!(place.done(&["methods", "auto", "--json"]).json()["default"], true);
    for name in &methods {
        assert!(table.contains(name) && place.done(&["methods", name]).stdout.contains("order"));
        let method = format!("method.name={name}");
        for model in &models {
            let model = format!("cloth.model={model}");
            let sheet = [
                "--set",
                "cloth.grid.cells=[6,6]",
                "--set",
                "contact.cloth=false",
                "--duration",
                "0.05",
                "--quiet",
                "--no-still",
            ];
            place.done(&[&["run", "hang", "--set", &method, "--set", &model], &sheet[..]].concat());
        }
    }
    for model in models {
        assert!(table.contains(model) && place.done(&["methods", model]).stdout.contains("bdf2"));
    }
}

#[test]
fn schema_and_completions_are_printed() {
    let place = Place::new();
    let schema: serde_json::Value = serde_json::from_str(&place.done(&["schema"]).stdout).unwrap();
    assert!(schema["properties"]["cloth"].is_object());
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(place.done(&["completions", shell]).stdout.contains("taffeta"), "{shell}");
    }
}

/// As a user who presses tab: bash itself is asked.
#[test]
#[cfg(unix)]
fn bash_completes_names_of_scenes_fabrics_and_methods() {
    let place = Place::new();
    place.write("taffeta.bash", place.done(&["completions", "bash"]).stdout);
    let completed = |words: &[&str]| {
        let last = words.len() - 1;
        let script = format!(
            "source taffeta.bash; COMP_WORDS=({}); COMP_CWORD={last}; _taffeta taffeta '{}' '{}'; echo \
                \"${{COMPREPLY[@]}}\"",
            words.join(" "),
            words[last],
            words[last - 1]
        );
        let mut bash = std::process::Command::new("bash");
        let ended = crate::common::ended(bash.args(["-c", &script]).current_dir(place.path(".")));
        assert_eq!(ended.status, Some(0), "{ended:?}");
        ended.stdout.trim().to_string()
    };
    for command in ["run", "check", "drape", "render", "scenes"] {
        assert_eq!(completed(&["taffeta", command, "curt"]), "curtain", "{command}");
    }
    assert_eq!(completed(&["taffeta", "fabrics", "den"]), "denim");
    assert_eq!(completed(&["taffeta", "methods", "verl"]), "verlet");
    // files, by bash's own means, where no name fits
    assert_eq!(completed(&["taffeta", "run", "mine.to"]), "");
    assert!(place.done(&["completions", "bash"]).stdout.contains("-o default taffeta"));
}
