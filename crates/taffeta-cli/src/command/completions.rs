//! `taffeta completions`: completions from clap, with the names of built-in scenes and fabrics.

use super::{experiment, methods};
use crate::args::Args;
use crate::console::Console;
use crate::failure::Failure;
use clap::builder::PossibleValuesParser;
use clap::{Command, CommandFactory};
use clap_complete::Shell;
use serde_json::json;
use taffeta_scene::{Builtin, builtin};

/// Commands that take a scene by its name or file, and their arguments.
const SCENES: [(&str, &str); 4] = [("run", "scene"), ("check", "scene"), ("drape", "scene"), ("render", "input")];

pub fn completions(console: Console, shell: Shell) -> Result<(), Failure> {
    let script = script(shell);
    console.print(&script)?;
    console.json(&json!({ "shell": shell.to_string(), "script": script }))
}

fn script(shell: Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command(shell), "taffeta", &mut script);
    let script = String::from_utf8_lossy(&script).into_owned();
    match shell {
        Shell::Zsh => with_scenes_for_zsh(script),
        Shell::Fish => script + &for_fish(),
        _ => script,
    }
}

fn names(list: &[Builtin]) -> Vec<&'static str> {
    list.iter().map(|item| item.name).collect()
}

/// The commands with the names that they take. Only the scripts use them: the commands themselves have better messages
/// for wrong names, and accept files.
fn command(shell: Shell) -> Command {
    let known = |command: Command, name: &str, argument: &'static str, values: Vec<&'static str>| {
        command.mut_subcommand(name, |sub| {
            sub.mut_arg(argument, |arg| arg.value_parser(PossibleValuesParser::new(values)).hide_possible_values(true))
        })
    };
    let mut command = known(Args::command(), "scenes", "name", names(builtin::scenes()));
    command = known(command, "fabrics", "name", names(builtin::fabrics()));
    command = known(command, "methods", "name", methods::names());
    command = known(command, "experiment", "name", experiment::names());
    // if nothing matches, bash completes files; zsh and fish would not
    if !matches!(shell, Shell::Zsh | Shell::Fish) {
        for (name, argument) in SCENES {
            command = known(command, name, argument, names(builtin::scenes()));
        }
    }
    command
}

/// Makes zsh complete files beside the names of scenes.
fn with_scenes_for_zsh(script: String) -> String {
    let list = names(builtin::scenes()).join(" ");
    let helper =
        format!("_taffeta_scenes() {{\n    _alternative 'scenes:built-in scene:({list})' 'files:file:_files'\n}}\n");
    let lines = script.lines().map(|line| {
        let scene = line.starts_with("':") && line.contains("built-in scene");
        match line.find(":_default'").or_else(|| line.find(":_files'")).filter(|_| scene) {
            Some(at) => {
                let end = line[at..].find('\'').map_or(line.len(), |quote| at + quote);
                format!("{}:_taffeta_scenes{}\n", &line[..at], &line[end..])
            }
            None => format!("{line}\n"),
        }
    });
    // the first line names the command that these completions are for
    let text: String = lines.collect();
    match text.split_once('\n') {
        Some((first, rest)) => format!("{first}\n\n{helper}{rest}"),
        None => text,
    }
}

/// Makes fish offer files beside these names.
fn for_fish() -> String {
    let line = |commands: &str, names: Vec<&str>| {
        format!("complete -c taffeta -n \"__fish_seen_subcommand_from {commands}\" -a \"{}\"\n", names.join(" "))
    };
    let scenes = SCENES.map(|(name, _)| name).join(" ");
    line(&format!("{scenes} scenes"), names(builtin::scenes()))
        + &line("fabrics", names(builtin::fabrics()))
        + &line("methods", methods::names())
        + &line("experiment", experiment::names())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shell_knows_scenes_fabrics_and_methods() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::PowerShell, Shell::Elvish] {
            let script = script(shell);
            // these two shells complete only options
            if !matches!(shell, Shell::PowerShell | Shell::Elvish) {
                for name in ["corner-pull", "wool-lycra", "symplectic-euler", "stiffness"] {
                    assert!(script.contains(name), "{shell}: {name}");
                }
            }
        }
        let zsh = script(Shell::Zsh);
        assert!(zsh.starts_with("#compdef taffeta\n"), "{}", &zsh[..200]);
        assert_eq!(zsh.matches(":_taffeta_scenes'").count(), SCENES.len(), "{zsh}");
    }
}
