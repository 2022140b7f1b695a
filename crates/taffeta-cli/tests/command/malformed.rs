//! Nothing that a user can write makes the command crash, run nonsense or touch what is there.

use crate::common::{Place, SMALL};
use crate::malformed_cases::{Case, all};
use std::collections::{BTreeMap, BTreeSet};

/// How many workers go through the cases: most of the time is starting processes.
const WORKERS: usize = 2;

#[test]
fn malformed_input_is_refused_with_a_way_out_and_touches_nothing() {
    let cases = &all();
    assert!(cases.len() >= 100, "{} cases", cases.len());
    let found: Vec<Result<BTreeSet<String>, String>> = std::thread::scope(|scope| {
        let part = |worker| cases.iter().skip(worker).step_by(WORKERS).collect::<Vec<&Case>>();
        let running: Vec<_> = (0..WORKERS).map(|worker| scope.spawn(move || go_through(&part(worker)))).collect();
        running.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    let misses: String = found.iter().filter_map(|found| found.as_ref().err().cloned()).collect();
    assert!(misses.is_empty(), "{misses}");

    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    found.into_iter().flatten().flatten().for_each(|kind| *kinds.entry(kind).or_default() += 1);
    let list: String = kinds.iter().map(|(kind, count)| format!("{count:4}  {kind}\n")).collect();
    println!("{} cases, {} distinct messages:\n{list}", cases.len(), kinds.len());
    assert!(kinds.len() >= 40, "{} distinct messages:\n{list}", kinds.len());
}

/// What is left of the memory changes from one process to the next.
fn without_digits(text: &str) -> String {
    text.chars().filter(|c| !c.is_ascii_digit()).collect()
}

/// The kinds of messages of each case, or what is wrong with how it was refused.
fn go_through(cases: &[&Case]) -> Vec<Result<BTreeSet<String>, String>> {
    let place = Place::new();
    place.write("good.toml", SMALL);
    place.done(&["run", "good.toml", "--out", "out", "--duration", "0.05", "--quiet"]);
    let before = place.snapshot("out");
    let each = |case: &&Case| {
        place.write("bad.toml", &case.scene);
        case.files.iter().for_each(|(name, contents)| place.write(name, contents));
        let set: Vec<&str> = case.set.iter().flat_map(|set| ["--set", set.as_str()]).collect();
        let check = place.taffeta(&[&["check", "bad.toml"], &set[..]].concat());
        if check.status != Some(2) {
            return Err(format!("{}: check: exit status is not 2\n{check:?}\n\n", shorten(&case.name)));
        }
        let run = place.taffeta(&[&["run", "bad.toml", "--out", "out", "--force"], &set[..]].concat());
        let untouched = before == place.snapshot("out") && !place.path("out.new").exists();
        case.files.iter().for_each(|(name, _)| std::fs::remove_file(place.path(name)).unwrap());

        let errors = run.stderr.lines().filter_map(|line| line.strip_prefix("error: "));
        let kinds: BTreeSet<String> = errors.map(kind).collect();
        let wrong = [
            ("run: exit status is not 2", run.status != Some(2)),
            ("check and run do not say the same", without_digits(&check.stderr) != without_digits(&run.stderr)),
            ("no message", kinds.is_empty()),
            ("no way out", !run.stderr.contains("help: ")),
            ("a bug", run.stderr.contains("bug in taffeta") || run.stderr.contains("panicked")),
            ("something on stdout", !run.stdout.is_empty() || !check.stdout.is_empty()),
            ("existing output was touched", !untouched),
        ];
        match wrong.iter().find(|(_, so)| *so) {
            Some((what, _)) => Err(format!("{}: {what}\n{check:?}\n{run:?}\n\n", shorten(&case.name))),
            None => Ok(kinds),
        }
    };
    cases.iter().map(each).collect()
}

fn shorten(name: &str) -> String {
    name.chars().take(200).collect()
}

/// A message without the names and numbers in it.
fn kind(message: &str) -> String {
    let mut kind = String::new();
    for (i, part) in message.split('`').enumerate() {
        kind += if i % 2 == 1 { "_" } else { part };
    }
    let mut quoted = String::new();
    for (i, part) in kind.split('"').enumerate() {
        quoted += if i % 2 == 1 { "_" } else { part };
    }
    let words =
        quoted.split_whitespace().map(|word| if word.contains(|c: char| c.is_ascii_digit()) { "#" } else { word });
    words.collect::<Vec<_>>().join(" ")
}
