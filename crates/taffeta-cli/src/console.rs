//! What is printed where: results on stdout; progress, warnings and errors on stderr. With `--json` stdout has one
//! object and nothing else.
//!
//! A closed pipe is nobody's mistake: who reads `taffeta scenes | head -1` has what they wanted.

use crate::failure::{FAILED, Failure};
use anstyle::{AnsiColor, Style};
use serde_json::Value;
use std::io::{self, Write};

/// Where a command speaks.
#[derive(Clone, Copy, Debug)]
pub struct Console {
    json: bool,
    quiet: bool,
}

impl Console {
    pub fn new(json: bool, quiet: bool) -> Self {
        Self { json, quiet }
    }

    pub fn quiet(self) -> bool {
        self.quiet
    }

    /// What was asked for: a listing, a text. Also with `--quiet`.
    pub fn print(self, text: &str) -> Result<(), Failure> {
        if self.json { Ok(()) } else { stdout(text) }
    }

    /// How it went, a line on stdout.
    pub fn say(self, line: &str) -> Result<(), Failure> {
        if self.json || self.quiet { Ok(()) } else { stdout(&format!("{line}\n")) }
    }

    /// The one object of `--json`.
    pub fn json(self, object: &Value) -> Result<(), Failure> {
        if self.json { stdout(&format!("{object:#}\n")) } else { Ok(()) }
    }

    /// Something to know, a line on stderr.
    pub fn remark(self, line: &str) {
        if !self.quiet {
            stderr(&format!("{line}\n"));
        }
    }

    pub fn warning(self, message: &str) {
        self.remark(&labelled("warning", AnsiColor::Yellow, message));
    }

    pub fn note(self, message: &str) {
        self.remark(&labelled("note", AnsiColor::Cyan, message));
    }

    /// What went wrong, to people and programs.
    pub fn failure(self, failure: &Failure) {
        stderr(&failure.render());
        // where stdout is closed or full, stderr has said it all
        let _ = self.json(&failure.json());
    }
}

/// `error: message`, the first word in colour where there is one.
pub fn labelled(label: &str, colour: AnsiColor, message: &str) -> String {
    let style = Style::new().fg_color(Some(colour.into())).bold();
    format!("{style}{label}{style:#}: {message}")
}

/// Colours are taken out where they do not belong: not a terminal, `NO_COLOR`.
pub fn stderr(text: &str) {
    // nobody listens: nothing to be done
    let _ = anstream::stderr().lock().write_all(text.as_bytes());
}

fn stdout(text: &str) -> Result<(), Failure> {
    let mut stdout = anstream::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            let help = "see where the output goes: the disk may be full";
            Err(Failure::new(FAILED, format!("cannot write to stdout: {error}"), help))
        }
        _ => Ok(()),
    }
}
