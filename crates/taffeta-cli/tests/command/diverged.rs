//! A simulation that cannot go on says where, when, why and what to change, and the way out works.

use crate::common::{Place, SMALL};
use serde_json::Value;

/// Expects a run of `small.toml` that fails, with all frames so far in its folder; returns what it says.
fn fails(place: &Place, args: &[&str]) -> Value {
    let object = place.refused(&[&["run", "small.toml", "--json"], args].concat(), 1).json();
    assert_eq!(object["status"], "failed");
    let folder = object["folder"].as_str().unwrap();
    assert_eq!(place.report(folder)["status"], "failed");
    assert_eq!(object["frames"].as_u64().unwrap() + 1, place.frames_seen(folder) as u64, "the result is kept");
    assert!(object["error"].as_str().unwrap().contains("kept in"), "{object}");
    object
}

/// The command at the end of a help, without the name of the program.
fn command(object: &Value) -> Vec<String> {
    let help = object["help"].as_str().unwrap();
    help[help.find("taffeta run").unwrap() + 8..].split(' ').map(|word| word.trim_matches('"').to_string()).collect()
}

fn works(place: &Place, object: &Value) -> Vec<String> {
    let words = command(object);
    place.done(&words.iter().map(String::as_str).collect::<Vec<_>>());
    words
}

#[test]
fn the_way_out_of_a_divergence_works() {
    let place = Place::new();
    place.write("small.toml", SMALL);
    let explicit = ["--set", "method.name=symplectic-euler", "--set", "time.step=0.02"];
    let object = fails(&place, &[&explicit[..], &["--set", "cloth.fabric.density=0.1"]].concat());
    let error = object["error"].as_str().unwrap();
    for part in ["diverged at t =", "vertex", "`cloth`", "stable"] {
        assert!(error.contains(part), "{part}: {error}");
    }
    place.done(&["convert", object["folder"].as_str().unwrap(), "--to", "npz"]);
    let words = works(&place, &object);
    assert!(words.iter().any(|word| word == "cloth.fabric.density=0.1"), "{words:?}");
    assert!(!words.iter().any(|word| word == "time.step=0.02"), "{words:?}");
}

#[test]
fn a_method_without_a_stable_step_has_a_way_out() {
    let place = Place::new();
    place.write("small.toml", SMALL.replace(", damping = { stretch = 0.001 }", ""));
    let args = ["--set", "method.name=forward-euler"];
    place.refused(&[&["run", "small.toml"], &args[..]].concat(), 2);
    works(&place, &fails(&place, &[&args[..], &["--set", "time.step=0.002", "--duration", "3"]].concat()));
}

#[test]
fn a_pin_that_moves_faster_than_the_shortest_step_is_named() {
    let place = Place::new();
    place.write("small.toml", format!("{SMALL}motion = [{{ t = 0.05 }}, {{ t = 0.06, move = [0.0, 0.3, 0.0] }}]\n"));
    let object = fails(&place, &["--set", "time.adaptive.least=0.5"]);
    let (error, help) = (object["error"].as_str().unwrap(), object["help"].as_str().unwrap());
    assert!(
        error.contains("triangle") && error.contains("`cloth`") && error.contains("no step at t = 0.05"),
        "{error}"
    );
    assert!(help.contains("slow the motion of pin `") && help.contains("m/s"), "{help}");
    works(&place, &object);
}

#[test]
fn bodies_that_close_on_a_cloth_are_named_with_place_and_time() {
    let place = Place::new();
    let floor =
        "[[body]]\nname = \"floor\"\nplane = true\nplace = { at = [0.0, 0.0, -0.02], rotate = [90.0, 0.0, 0.0] }\n";
    let ball = "[[body]]\nname = \"ball\"\nsphere = { radius = 0.6 }\nplace = { at = [0.0, 0.0, 0.65] }\n\
                motion = [{ t = 0.0 }, { t = 0.2, move = [0.0, 0.0, -0.2] }]\n";
    place.write("small.toml", format!("{SMALL}{floor}{ball}"));
    let object = fails(&place, &["--set", "contact.law=\"constraint\""]);
    let (error, help) = (object["error"].as_str().unwrap(), object["help"].as_str().unwrap());
    for part in ["no room between `floor` and `ball` at t = 0.0", "`cloth`", "vertex", "at ["] {
        assert!(error.contains(part), "{part}: {error}");
    }
    assert!(help.contains("keep `floor` and `ball`") && help.contains("mm apart"), "{help}");
}

#[test]
fn equations_that_are_not_solved_have_a_way_out() {
    let place = Place::new();
    place.write("small.toml", SMALL);
    let object = fails(&place, &["--set", "method.iterations=1", "--set", "time.adaptive=false"]);
    assert!(object["error"].as_str().unwrap().contains("not solved in 1 iterations"), "{object}");
    works(&place, &object);
}

/// Springs that are pulled back work against the method: no step is short enough, and the first advice must know.
#[test]
fn advice_on_a_limiter_that_pulls_does_not_lead_in_a_circle() {
    let place = Place::new();
    let scene = r#"
        time = { duration = 0.3 }
        method = { name = "backward-euler" }
        limiter = { limit = 0.01, rule = "pull" }
        contact = { cloth = false }
        [[cloth]]
        grid = { size = [1.0, 1.0], cells = [20, 20] }
        fabric = "cotton-plain"
        [[cloth.pin]]
        select = { corners = ["left-top", "right-top"] }
        motion = [{ t = 0.1 }, { t = 0.15, move = [0.0, 1.5, 0.0] }]
    "#;
    place.write("small.toml", scene);
    let object = fails(&place, &[]);
    let words = works(&place, &object);
    assert!(object["help"].as_str().unwrap().contains("tried"), "{object}");
    assert!(!words.iter().any(|word| word.starts_with("time.adaptive.least")), "{words:?}");
}
