//! `taffeta completions`.

use crate::args::Args;
use crate::console::Console;
use crate::failure::Failure;
use clap::CommandFactory;
use clap_complete::Shell;
use serde_json::json;

pub fn completions(console: Console, shell: Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "taffeta", &mut script);
    let script = String::from_utf8_lossy(&script);
    console.print(&script)?;
    console.json(&json!({ "shell": shell.to_string(), "script": script }))
}
