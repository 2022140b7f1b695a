//! Experiments: the list, the files, what is refused, and Ctrl-C.

use crate::common::Place;
use std::fs;

#[test]
fn the_list_tells_names_and_times() {
    let place = Place::new();
    let text = place.done(&["experiment"]).stdout;
    for word in ["validation", "scaling", "stiffness", "min", "--quick"] {
        assert!(text.contains(word), "{word}: {text}");
    }
    let list = place.done(&["experiment", "--json"]).json();
    assert!(list["experiments"].as_array().unwrap().iter().all(|one| one["takes"].is_string()));
    assert_eq!(place.snapshot("."), []);
}

#[test]
fn an_experiment_writes_its_page_tables_and_plots() {
    let place = Place::new();
    let ended = place.done(&["experiment", "validation", "6.3", "--quick"]);
    assert!(ended.stdout.contains("all hold") && ended.stdout.contains("experiments/validation"), "{ended:?}");
    let read = |name: &str| fs::read(place.path("experiments/validation").join(name)).unwrap();
    let [page, csv, svg] =
        ["report.md", "validation.csv", "margins.svg"].map(|name| String::from_utf8(read(name)).unwrap());
    assert!(page.contains("taffeta experiment validation 6.3 --quick") && page.contains("](margins.svg)"), "{page}");
    assert!(csv.starts_with("section,what,reference,found,allowed,verdict\n6.3,") && csv.contains(",ok\n"), "{csv}");
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert_eq!(&read("margins.png")[..4], b"\x89PNG");
    assert_eq!(fs::read_dir(place.path("experiments")).unwrap().count(), 1, "nothing else is left");
}

#[test]
fn json_has_the_rows() {
    let place = Place::new();
    let object = place.done(&["experiment", "stiffness", "--quick", "--json", "--out", "it"]).json();
    assert_eq!(object["folder"], "it");
    let table = &object["tables"][0];
    assert_eq!(table["columns"][1]["unit"], "N m");
    assert!(table["rows"].as_array().unwrap().len() > 6 && table["rows"][0]["cells"][1].is_number());
}

#[test]
fn wrong_names_and_parts_are_refused_with_the_nearest() {
    let place = Place::new();
    let ended = place.refused(&["experiment", "validaton"], 2);
    assert!(ended.stderr.contains("did you mean `validation`?"), "{ended:?}");
    assert!(place.refused(&["experiment", "zebra"], 2).stderr.contains("scaling"));
    assert!(place.refused(&["experiment", "validation", "99"], 2).stderr.contains("sections"));
    assert!(place.refused(&["experiment", "scaling", "2"], 2).stderr.contains("as a whole"));
    assert_eq!(place.snapshot("."), []);
}

#[test]
fn an_existing_folder_is_refused_and_letters_in_it_stay() {
    let place = Place::new();
    place.write("mine/letter.txt", "dear");
    place.write("mine/report.md", "old");
    place.write("file", "x");
    let before = place.snapshot(".");
    let args = ["experiment", "validation", "6.3", "--quick", "--out"];
    assert!(place.refused(&[&args[..], &["mine"]].concat(), 2).stderr.contains("--force"));
    place.refused(&[&args[..], &["file"]].concat(), 2);
    place.refused(&[&args[..], &["file", "--force"]].concat(), 2);
    assert_eq!(before, place.snapshot("."));
    place.done(&[&args[..], &["mine", "--force"]].concat());
    assert_eq!(fs::read(place.path("mine/letter.txt")).unwrap(), b"dear");
    assert_ne!(fs::read(place.path("mine/report.md")).unwrap(), b"old");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_it_at_once_and_leaves_nothing() {
    use std::process::{Command, Stdio};
    let place = Place::new();
    let mut command = place.command(&["experiment", "validation"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stderr = child.stderr.take().unwrap();
    crate::common::hear(&mut stderr, "section");
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let begun = std::time::Instant::now();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(begun.elapsed().as_secs() < 5);
    assert_eq!(place.snapshot("."), []);
}
