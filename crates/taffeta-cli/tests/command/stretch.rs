//! Cloth that is stretched farther than fabric can be is told of, and what is advised helps.

use crate::common::Place;
use serde_json::Value;

fn warning(report: &Value) -> Option<String> {
    let list = report["warnings"].as_array().unwrap().iter().map(|warning| warning["message"].as_str().unwrap());
    list.into_iter().find(|message| message.contains("woven fabrics break or lock")).map(str::to_string)
}

#[test]
fn fabric_beyond_its_strength_is_warned_of_and_the_advice_works() {
    let place = Place::new();
    let ended = place.done(&["run", "corner-yank", "--no-still", "--out", "it"]);
    let said = warning(&place.report("it")).expect("the cloth is torn by a metre in one frame");
    assert!(said.starts_with("the cloth was stretched by 67") && ended.stderr.contains(&said), "{said}: {ended:?}");
    let (_, command) = said.split_once("limit it: taffeta ").unwrap();
    let args: Vec<&str> = command.split(' ').chain(["--no-still", "--out", "limited"]).collect();
    place.done(&args);
    let report = place.report("limited");
    assert!(report["max_stretch"].as_f64().unwrap() <= 0.1 && warning(&report).is_none(), "{report}");
}

/// Springs of papers stretch by hundreds of percent on purpose, and a sheet that hangs by little.
#[test]
fn raw_constants_and_cloth_that_holds_are_not_warned_of() {
    let place = Place::new();
    place.done(&["run", "thesis-1-bounce", "--no-still", "--out", "raw"]);
    assert!(place.report("raw")["max_stretch"].as_f64().unwrap() > 1.0);
    place.done(&["run", "corner-pull", "--no-still", "--out", "holds"]);
    for run in ["raw", "holds"] {
        assert_eq!(warning(&place.report(run)), None);
    }
}
