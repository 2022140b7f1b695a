//! A simulation that cannot go on says where, when, why and what to change, and the way out works.

use crate::common::{Place, SMALL};

#[test]
fn the_way_out_of_a_divergence_works() {
    let place = Place::new();
    place.write("small.toml", SMALL);
    let args = ["run", "small.toml", "--set", "time.step=0.02", "--set", "cloth.fabric.density=0.1", "--json"];
    let ended = place.refused(&args, 1);
    let object = ended.json();
    let error = object["error"].as_str().unwrap();
    for part in ["diverged at t =", "vertex", "`cloth`", "stable", "kept in"] {
        assert!(error.contains(part), "{part}: {error}");
    }
    assert_eq!(object["status"], "failed");
    let folder = object["folder"].as_str().unwrap();
    assert_eq!(place.report(folder)["status"], "failed");
    assert_eq!(object["frames"].as_u64().unwrap() + 1, place.frames_seen(folder) as u64, "the result is kept");
    place.done(&["convert", folder, "--to", "npz"]);

    // the command in the help is one that works
    let help = object["help"].as_str().unwrap();
    let way_out = &help[help.find("taffeta run").unwrap() + 8..];
    let words: Vec<&str> = way_out.split(' ').collect();
    assert!(words.contains(&"cloth.fabric.density=0.1") && !words.contains(&"time.step=0.02"), "{help}");
    place.done(&words);
}

#[test]
fn a_method_without_a_stable_step_has_a_way_out() {
    let place = Place::new();
    place.write("small.toml", SMALL.replace(", damping = { stretch = 0.001 }", ""));
    let args = ["run", "small.toml", "--set", "method.name=forward-euler"];
    place.refused(&args, 2);
    let ended = place.refused(&[&args, &["--set", "time.step=0.005", "--duration", "3"][..]].concat(), 1);
    let way_out = &ended.stderr[ended.stderr.rfind("taffeta run").unwrap() + 8..];
    place.done(&way_out.split_whitespace().collect::<Vec<_>>());
}
