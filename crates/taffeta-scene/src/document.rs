//! A parsed text with its overrides applied, and the mapping from keys to places in the text.

use crate::{
    diagnostic::{Diagnostic, Location},
    tree::{Node, SyntaxError, TableForm, parse},
};
use std::ops::Range;

/// Keys from the outermost to the innermost; array elements are numbers.
pub(crate) type Path = Vec<String>;

/// `cloth.0.pin.1.select` as a [`Path`].
pub(crate) fn path(dotted: &str) -> Path {
    dotted.split('.').filter(|part| !part.is_empty()).map(str::to_string).collect()
}

/// The path of a key below a path.
pub(crate) fn below(path: &[String], key: impl ToString) -> Path {
    let mut path = path.to_vec();
    path.push(key.to_string());
    path
}

/// A path as shown to people: `select`, `cells[1]`.
pub(crate) fn shown(path: &[String]) -> String {
    let is_number = |part: &String| part.parse::<usize>().is_ok();
    let name = path.iter().rposition(|part| !is_number(part)).unwrap_or(0);
    path.iter()
        .enumerate()
        .skip(name)
        .fold(String::new(), |text, (i, part)| if i == name { part.clone() } else { format!("{text}[{part}]") })
}

/// A scene or a fabric, as text and as a tree.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    /// Its name for the user.
    pub file: String,
    /// The text with the overrides applied.
    pub text: String,
    /// The tree of `text`.
    pub root: Node,
    /// Text and tree before the overrides, if there are any.
    pub original: Option<(String, Node)>,
    pub overrides: Vec<Applied>,
}

/// An override that took effect.
#[derive(Clone, Debug)]
pub(crate) struct Applied {
    /// The argument as given: `cloth.fabric=silk`.
    pub argument: String,
    /// The bytes of the value in the argument.
    pub value: Range<usize>,
    /// The key that it sets.
    pub path: Path,
}

/// Which part of `key = value` is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Key,
    Value,
}

impl Document {
    /// Parses a text. Of syntax errors, it returns the first of each line, three at most.
    pub fn new(file: &str, text: String) -> Result<Self, Vec<Diagnostic>> {
        let (root, errors) = parse(&text);
        if !errors.is_empty() {
            return Err(syntax(file, &text, errors));
        }
        Ok(Self { file: file.to_string(), text, root, original: None, overrides: Vec::new() })
    }

    /// The value at a path.
    pub fn get(&self, path: &[String]) -> Option<&Node> {
        path.iter().try_fold(&self.root, |node, key| node.get(key))
    }

    /// The place of a key or of its value; for one that does not exist, the place of its parent.
    pub fn locate(&self, path: &[String], part: Part) -> Location {
        let known = (0..=path.len()).rev().find(|&n| self.get(&path[..n]).is_some()).unwrap_or(0);
        let (text, root) = self.original.as_ref().map_or((&self.text, &self.root), |(text, root)| (text, root));

        // a value that an override has set is in the argument
        let set = |applied: &&Applied| path.starts_with(&applied.path);
        let made = |applied: &&Applied| {
            applied.path.starts_with(&path[..known]) && place(root, text, &path[..known], part).is_none()
        };
        if let Some(applied) = self.overrides.iter().rev().find(set).or_else(|| self.overrides.iter().find(made)) {
            return Location::new("--set", &applied.argument, applied.value.clone());
        }

        let span = (1..=known).rev().find_map(|n| {
            let part = if n == path.len() { part } else { Part::Key };
            place(root, text, &path[..n], part)
        });
        Location::new(&self.file, text, span.unwrap_or(0..0))
    }
}

/// The bytes of a key or value in a text.
fn place(root: &Node, text: &str, path: &[String], part: Part) -> Option<Range<usize>> {
    let (last, above) = path.split_last()?;
    let parent = above.iter().try_fold(root, |node, key| node.get(key))?;
    let node = parent.get(last)?;
    let header = node.is_table() && node.form(text) == TableForm::Header;
    match parent.entry(last) {
        Some(entry) if part == Part::Key && !header => Some(entry.key_span.clone()),
        _ => Some(node.span.clone()),
    }
}

/// Selects the syntax errors to show: one unclosed bracket can cause seventeen, and those after the first are noise.
fn syntax(file: &str, text: &str, mut errors: Vec<SyntaxError>) -> Vec<Diagnostic> {
    errors.sort_by_key(|error| error.span.start);
    let mut found: Vec<Diagnostic> = Vec::new();
    let mut line_end = 0;
    for error in errors {
        if found.len() == 3 {
            break;
        }
        let start = error.span.start.min(text.len());
        // one line can have as many errors as characters: do not locate each of them
        if found.is_empty() || start > line_end {
            let at = Location::new(file, text, error.span.clone());
            line_end = text.as_bytes()[start..].iter().position(|&b| b == b'\n').map_or(text.len(), |i| start + i);
            let (message, help) = explain(&error, &at);
            found.push(Diagnostic::new(message, help).at(at));
        }
    }
    found
}

/// The parser's message, and a way out of the most common mistakes.
fn explain(error: &SyntaxError, at: &Location) -> (String, String) {
    let line = at.excerpt.trim();
    let found = at.excerpt[at.span.clone()].trim();
    let (key, value) = line.split_once('=').map_or((line, ""), |(key, value)| (key.trim(), value.trim()));
    if error.message.starts_with("string values must be quoted") {
        return if value.is_empty() {
            let message =
                if line.contains('=') { format!("`{key}` has no value") } else { "a value is missing".into() };
            (message, "write a value behind the `=`, such as 1.0 or \"text\"".into())
        } else {
            let help = "a text stands in quotes: \"text\"; a number is written as 1.0 and without its unit";
            (format!("`{}` is not a value", crate::tree::shorten(found)), help.into())
        };
    }
    let help = match error.message.as_str() {
        "duplicate key" => "leave one of the two; a second cloth or pin begins with its own [[cloth]] or [[cloth.pin]]",
        m if m.contains("unclosed table") => "a table's name stands in brackets: [time], [[cloth]]",
        m if m.contains("unclosed array") || m.contains("array") => "a list is written as [1.0, 2.0, 3.0]",
        m if m.contains("inline table") => "a table in a line is written as { size = [1.0, 1.0], cells = [20, 20] }",
        m if m.contains("string") => "a text begins and ends with a quote on the same line: \"text\"",
        m if m.contains("key") => "a line of a scene is `key = value`, a table begins with [name] or [[name]]",
        _ => "a scene is written in TOML: `key = value`, texts in quotes, lists in [ ], tables as [name]; see toml.io",
    };
    (error.message.clone(), help.to_string())
}
