//! Collects the mistakes that checking and building find.

use crate::{
    diagnostic::{Diagnostic, Diagnostics, KEPT, Location},
    document::{Document, Part, Path},
};
use std::collections::BTreeSet;

/// What was found in one document so far.
pub(crate) struct Mistakes<'a> {
    pub document: &'a Document,
    pub list: Vec<Diagnostic>,
    /// How many there are besides.
    pub more: usize,
    /// For a file that a scene refers to: where it does.
    pub referred: Option<Location>,
    /// Paths with mistakes.
    paths: BTreeSet<Path>,
}

impl<'a> Mistakes<'a> {
    pub fn new(document: &'a Document, referred: Option<Location>) -> Self {
        Self { document, list: Vec::new(), more: 0, referred, paths: BTreeSet::new() }
    }

    /// A mistake in the value of a key.
    pub fn value(&mut self, path: &[String], message: impl Into<String>, help: impl Into<String>) {
        self.push(path, Part::Value, message.into(), help.into());
    }

    /// A mistake in a key, or in what is missing there.
    pub fn key(&mut self, path: &[String], message: impl Into<String>, help: impl Into<String>) {
        self.push(path, Part::Key, message.into(), help.into());
    }

    /// Whether what comes now is only counted.
    pub fn is_full(&self) -> bool {
        self.list.len() >= KEPT
    }

    /// Counts a mistake without words for it.
    pub fn count(&mut self, path: &[String]) {
        self.paths.insert(path.to_vec());
        self.more += 1;
    }

    fn push(&mut self, path: &[String], part: Part, message: String, help: String) {
        if self.is_full() {
            return self.count(path);
        }
        let mut found = Diagnostic::new(message, help).at(self.document.locate(path, part));
        found.key = path.join(".");
        if let Some(at) = &self.referred {
            found = found.related(at.clone(), "the scene refers to this file here");
        }
        self.add(path, found);
    }

    /// A mistake with places of its own.
    pub fn add(&mut self, path: &[String], diagnostic: Diagnostic) {
        if self.is_full() {
            return self.count(path);
        }
        self.paths.insert(path.to_vec());
        self.list.push(diagnostic);
    }

    /// Whether nothing was found at a path or below it.
    pub fn clean(&self, path: &[String]) -> bool {
        // in their order, what lies below a path follows it
        !self.paths.range(path.to_vec()..).next().is_some_and(|found| found.starts_with(path))
    }

    /// In the order of the lines; those of other files stay where they came up.
    pub fn sorted(mut self) -> Diagnostics {
        let file = self.document.file.as_str();
        // a mistake in another file stands at the line that refers to it
        let line = |d: &Diagnostic| {
            let places = d.at.iter().chain(d.related.iter().map(|(at, _)| at));
            places.filter(|at| at.file == file).map(|at| (at.line, at.column)).next().unwrap_or((0, 0))
        };
        self.list.sort_by_key(line);
        Diagnostics { list: self.list, more: self.more, unseen: None }
    }
}
