//! What is printed where.

use crate::common::{MESH, Place, SMALL, UNTOUCHED, ended};
use std::process::Stdio;

#[test]
fn one_object_is_all_that_json_prints() {
    let place = Place::with_stills();
    place.write("small.toml", SMALL);
    let good: &[&[&str]] = &[
        &["run", "small.toml", "--out", "it"],
        &["check", "small.toml"],
        &["resume", "it"],
        &["drape", "small.toml"],
        &["convert", "it", "--to", "npz"],
        &["scenes"],
        &["scenes", "hang"],
        &["scenes", "hang", "--copy"],
        &["fabrics"],
        &["methods"],
        &["methods", "rk4"],
        &["methods", "membrane"],
        &["schema"],
        &["completions", "bash"],
    ];
    for args in good {
        let object = place.done(&[args, &["--json"][..]].concat()).json();
        assert!(object.is_object() && object.get("error").is_none(), "{args:?}: {object}");
    }
    let bad: &[&[&str]] = &[
        &["run", "nothing"],
        &["run", "small.toml", "--out", "it"],
        &["run", "small.toml", "--set", "time.fps=x", "--set", "time.duration=-1"],
        &["check", "small.toml", "--set", "nothing"],
        &["resume", "nothing"],
        &["convert", "it", "--to", "npz"],
        &["scenes", "nothing"],
        &["scenes", "hang", "--copy"],
        &["fabrics", "nothing"],
        &["methods", "nothing"],
        &["nothing"],
        &["run"],
        &["run", "small.toml", "--threads", "many"],
        &["convert", "it", "--to", "dxf"],
    ];
    for args in bad {
        let ended = place.taffeta(&[args, &["--json"][..]].concat());
        assert_eq!(ended.status, Some(2), "{args:?}: {ended:?}");
        let object = ended.json();
        let text = |name: &str| object[name].as_str().is_some_and(|text| !text.is_empty());
        assert!(text("error") && text("help") && object["mistakes"].is_array(), "{args:?}: {object}");
    }
}

#[test]
fn quiet_prints_nothing_but_errors() {
    let place = Place::with_stills();
    place.write("ball.obj", MESH);
    place.write("small.toml", format!("{SMALL}\n{UNTOUCHED}"));
    let commands: &[&[&str]] = &[
        &["run", "small.toml", "--out", "it"],
        &["check", "small.toml"],
        &["resume", "it"],
        &["convert", "it", "--to", "obj"],
        &["scenes", "hang", "--copy"],
    ];
    for args in commands {
        let ended = place.done(&[args, &["--quiet"][..]].concat());
        assert_eq!((ended.stdout.as_str(), ended.stderr.as_str()), ("", ""), "{args:?}");
    }
    place.refused(&["run", "small.toml", "--out", "it", "--quiet"], 2);
    assert!(!place.done(&["scenes", "--quiet"]).stdout.is_empty(), "what was asked for is printed");
}

#[test]
fn wrong_usage_is_status_2() {
    let place = Place::new();
    let commands: &[&[&str]] = &[
        &[],
        &["fly"],
        &["run"],
        &["run", "hang", "swing"],
        &["run", "hang", "--threads", "0"],
        &["run", "hang", "--duration", "long"],
        &["run", "hang", "--duration", "-1"],
        &["run", "hang", "--duration", "inf"],
        &["run", "hang", "--export", "dxf"],
        &["run", "hang", "--set"],
        &["convert"],
        &["scenes", "--copy"],
        &["completions", "tea"],
        &["schema", "more"],
    ];
    for args in commands {
        let ended = place.taffeta(args);
        assert_eq!((ended.status, ended.stdout.as_str()), (Some(2), ""), "{args:?}: {ended:?}");
        assert!(ended.stderr.contains("Usage") || ended.stderr.contains("--help"), "{args:?}: {ended:?}");
    }
    let ended = place.taffeta(&["hang"]);
    assert!(ended.stderr.contains("taffeta run hang"), "{ended:?}");
}

#[test]
fn every_command_has_help_with_examples() {
    let place = Place::new();
    assert!(place.done(&["--version"]).stdout.starts_with("taffeta "));
    let commands =
        ["run", "drape", "resume", "check", "convert", "scenes", "fabrics", "methods", "schema", "completions"];
    let help = place.done(&["--help"]).stdout;
    for command in commands {
        assert!(help.contains(&format!("  {command}")), "{command}: {help}");
        let own = place.done(&[command, "--help"]).stdout;
        for part in ["Examples:", &format!("taffeta {command}"), "--json", "--quiet", "--threads"] {
            assert!(own.contains(part), "{command}: {own}");
        }
    }
}

#[test]
fn closed_pipes_are_no_mistake() {
    let place = Place::with_stills();
    place.write("small.toml", SMALL);
    let commands: &[&[&str]] = &[
        &["scenes"],
        &["scenes", "hang"],
        &["schema"],
        &["completions", "zsh"],
        &["methods", "--json"],
        &["--help"],
        &["check", "small.toml"],
        &["run", "small.toml"],
        &["run", "small.toml", "--json"],
    ];
    let closed = || {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        writer
    };
    for args in commands {
        let no_stdout = ended_with_piped_stderr(place.command(args).stdout(closed()));
        assert_eq!(no_stdout.0, Some(0), "{args:?}: {no_stdout:?}");
        assert!(!no_stdout.1.contains("bug") && !no_stdout.1.contains("panic"), "{args:?}: {no_stdout:?}");
        let no_stderr = ended(place.command(args).stderr(closed()));
        assert_eq!(no_stderr.status, Some(0), "{args:?}: {no_stderr:?}");
    }
    let neither = ended(place.command(&["run", "nothing"]).stdout(closed()).stderr(closed()));
    assert_eq!(neither.status, Some(2));
}

fn ended_with_piped_stderr(command: &mut std::process::Command) -> (Option<i32>, String) {
    let child = command.stderr(Stdio::piped()).spawn().unwrap();
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
#[cfg(target_os = "linux")]
fn full_output_is_an_error() {
    let place = Place::new();
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let (status, stderr) = ended_with_piped_stderr(place.command(&["schema"]).stdout(full));
    assert_eq!(status, Some(1), "{stderr}");
    assert!(stderr.contains("cannot write to stdout"), "{stderr}");
}

#[test]
fn no_colour_away_from_a_terminal() {
    let place = Place::new();
    place.write("bad.toml", "[time]\nfsp = 3\n");
    place.write("small.toml", format!("{SMALL}\n[[body]]\nname = \"ball\"\nsphere = {{ radius = 0.1 }}\n"));
    for args in [&["check", "bad.toml"][..], &["run", "small.toml"], &["run", "nothing"], &["fly"], &["--help"]] {
        let ended = place.taffeta(args);
        assert!(!ended.stderr.contains('\u{1b}') && !ended.stdout.contains('\u{1b}'), "{args:?}: {ended:?}");
    }
}
