//! The examples of every help, followed in their order in an empty folder.
#![cfg(unix)]

use crate::common::{Place, ended};
use std::path::Path;
use std::process::Command;

/// Pictures are made small, so that nobody waits for light and shadow.
const SMALL: &str = " --size 64x36 --samples 1";

/// Cloth is made coarse for the same reason, and its runs end without a picture.
const COARSE: &str = " --set cloth.grid.cells=[8,8]";
const NO_STILL: &str = " --no-still";

/// The commands after `Examples:`; two blanks separate them from what they are about.
fn examples(help: &str) -> Vec<String> {
    let after = help.split("Examples:\n").nth(1).unwrap_or_default();
    let lines = after.lines().filter_map(|line| line.strip_prefix("  ").filter(|line| line.starts_with("taffeta ")));
    lines.map(|line| line.split("  ").next().unwrap_or_default().trim().to_string()).collect()
}

fn follow(command: &str) {
    let place = Place::new();
    let help = place.done(&if command.is_empty() { vec!["--help"] } else { vec![command, "--help"] }).stdout;
    let lines = examples(&help);
    assert!(!lines.is_empty(), "{command}: {help}");
    let bin = Path::new(env!("CARGO_BIN_EXE_taffeta")).parent().unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
    for line in lines {
        let quick = match line.split(' ').nth(1) {
            Some("render") if !line.contains("--size") => format!("{line}{SMALL}"),
            Some("run" | "drape") if !line.contains(".cells") => format!("{line}{COARSE}{NO_STILL}"),
            Some("run" | "drape" | "resume") => format!("{line}{NO_STILL}"),
            _ => line.clone(),
        };
        let mut shell = Command::new("bash");
        shell.args(["-c", &quick]).env("PATH", &path).current_dir(place.path("."));
        let ended = ended(&mut shell);
        assert_eq!(ended.status, Some(0), "taffeta {command} --help: {line}\n{}{}", ended.stdout, ended.stderr);
    }
}

#[test]
fn examples_of_the_program_work_in_their_order() {
    follow("");
}

#[test]
fn examples_of_run_work_in_their_order() {
    follow("run");
}

#[test]
fn examples_of_drape_work_in_their_order() {
    follow("drape");
}

#[test]
fn examples_of_resume_work_in_their_order() {
    follow("resume");
}

#[test]
fn examples_of_check_work_in_their_order() {
    follow("check");
}

#[test]
fn examples_of_convert_work_in_their_order() {
    follow("convert");
}

#[test]
fn examples_of_render_work_in_their_order() {
    follow("render");
}

#[test]
fn examples_of_what_prints_work_in_their_order() {
    ["scenes", "fabrics", "methods", "experiment", "schema", "completions"].into_iter().for_each(follow);
}
