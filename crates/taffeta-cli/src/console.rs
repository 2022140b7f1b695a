//! Output: results go to stdout; progress, warnings and errors go to stderr. With `--json`, stdout has one object and
//! nothing else.
//!
//! Names and messages may come from untrusted files, so terminal control characters are escaped. Lines are escaped
//! before they are coloured; all other output keeps only colours and line ends.
//!
//! A closed pipe is not an error: the reader of `taffeta scenes | head -1` has what it needs.

use crate::failure::{FAILED, Failure};
use anstyle::{AnsiColor, Style};
use serde_json::Value;
use std::borrow::Cow;
use std::io::{self, Write};
use taffeta_files::{is_steering, printable};

/// The output settings of a command.
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

    /// Prints the requested listing or text, even with `--quiet`.
    pub fn print(self, text: &str) -> Result<(), Failure> {
        if self.json { Ok(()) } else { stdout(text) }
    }

    /// Prints a line about the result on stdout.
    pub fn say(self, line: &str) -> Result<(), Failure> {
        if self.json || self.quiet { Ok(()) } else { stdout(&format!("{}\n", printable(line))) }
    }

    /// Prints the single object of `--json`.
    pub fn json(self, object: &Value) -> Result<(), Failure> {
        if self.json { stdout(&json_text(object)) } else { Ok(()) }
    }

    /// Prints a remark on stderr.
    pub fn remark(self, line: &str) {
        if !self.quiet {
            stderr(&format!("{}\n", printable(line)));
        }
    }

    pub fn warning(self, message: &str) {
        self.warning_at(message, "");
    }

    /// Prints a warning with a second line that gives the place.
    pub fn warning_at(self, message: &str, place: &str) {
        if !self.quiet {
            let place = if place.is_empty() { String::new() } else { format!("{}\n", printable(place)) };
            stderr(&format!("{}\n{place}", labelled("warning", AnsiColor::Yellow, message)));
        }
    }

    pub fn note(self, message: &str) {
        if !self.quiet {
            stderr(&format!("{}\n", labelled("note", AnsiColor::Cyan, message)));
        }
    }

    /// Reports a failure to people and programs.
    pub fn failure(self, failure: &Failure) {
        stderr(&failure.render());
        // if stdout is closed or full, stderr has the message
        let _ = self.json(&failure.json());
    }
}

/// `error: message`, with the label in colour if there is one.
pub fn labelled(label: &str, colour: AnsiColor, message: &str) -> String {
    let style = Style::new().fg_color(Some(colour.into())).bold();
    format!("{style}{label}{style:#}: {}", printable(message))
}

/// JSON with all terminal control characters escaped: they occur only inside strings.
fn json_text(object: &Value) -> String {
    let mut text = String::new();
    for c in format!("{object:#}\n").chars() {
        match c {
            '\n' => text.push(c),
            c if is_steering(c) => {
                c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| text += &format!("\\u{unit:04x}"))
            }
            c => text.push(c),
        }
    }
    text
}

/// Text that keeps its colours and line ends; all other terminal control characters are escaped.
fn harmless(text: &str) -> Cow<'_, str> {
    let ours = |c: char| matches!(c, '\n' | '\r' | '\t');
    if !text.contains(|c| is_steering(c) && !ours(c)) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let colour = rest.strip_prefix("\u{1b}[").and_then(|code| {
            let end = code.find(|c: char| !c.is_ascii_digit() && c != ';')?;
            code[end..].starts_with('m').then_some(end + 3)
        });
        let length = colour.unwrap_or(c.len_utf8());
        match colour.is_some() || ours(c) {
            true => shown.push_str(&rest[..length]),
            false => shown.push_str(&printable(&rest[..length])),
        }
        rest = &rest[length..];
    }
    Cow::Owned(shown)
}

/// Prints to stderr. Colours are removed if it is not a terminal, or with `NO_COLOR`.
pub fn stderr(text: &str) {
    // if nobody reads stderr, nothing can be done
    let _ = anstream::stderr().lock().write_all(harmless(text).as_bytes());
}

fn stdout(text: &str) -> Result<(), Failure> {
    let mut stdout = anstream::stdout().lock();
    match stdout.write_all(harmless(text).as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            let help = "see where the output goes: the disk may be full";
            Err(Failure::new(FAILED, format!("cannot write to stdout: {error}"), help))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_colours_and_line_ends_are_left() {
        assert_eq!(harmless("\u{1b}[1m\u{1b}[31merror\u{1b}[0m: a\r\n"), "\u{1b}[1m\u{1b}[31merror\u{1b}[0m: a\r\n");
        assert_eq!(
            harmless("\u{1b}[2J\u{1b}]0;title\u{7}\u{9b}2J\u{202e}é\u{1b}["),
            "\\u{1b}[2J\\u{1b}]0;title\\u{7}\\u{9b}2J\\u{202e}é\\u{1b}["
        );
    }

    #[test]
    fn names_in_lines_bring_no_colours_of_their_own() {
        let line = labelled("note", AnsiColor::Cyan, "`a\u{1b}[31m\nerror: b`");
        assert!(line.ends_with(": `a\\u{1b}[31m\\nerror: b`"), "{line:?}");
    }

    #[test]
    fn json_stays_json() {
        let object = serde_json::json!({ "name": "a\u{1b}\u{9b}\u{7f}\u{202e}é\n\"" });
        let text = json_text(&object);
        assert!(text.chars().all(|c| c == '\n' || !is_steering(c)), "{text:?}");
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), object);
    }
}
