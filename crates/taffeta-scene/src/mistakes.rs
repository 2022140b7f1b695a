//! Collects the mistakes that checking and building find.

use crate::{
    diagnostic::{Diagnostic, Diagnostics, KEPT, Location},
    document::{Document, Part, Path},
};
use std::collections::BTreeSet;

/// The mistakes found in one document so far.
pub(crate) struct Mistakes<'a> {
    pub document: &'a Document,
    pub list: Vec<Diagnostic>,
    /// How many further mistakes there are.
    pub more: usize,
    /// For a file that a scene refers to, the place of the reference.
    pub referred: Option<Location>,
    /// Paths with mistakes.
    paths: BTreeSet<Path>,
}

impl<'a> Mistakes<'a> {
    pub fn new(document: &'a Document, referred: Option<Location>) -> Self {
        Self { document, list: Vec::new(), more: 0, referred, paths: BTreeSet::new() }
    }

    /// Reports a mistake in the value of a key.
    pub fn value(&mut self, path: &[String], message: impl Into<String>, help: impl Into<String>) {
        self.push(path, Part::Value, message.into(), help.into());
    }

    /// Reports a mistake in a key, or a missing one.
    pub fn key(&mut self, path: &[String], message: impl Into<String>, help: impl Into<String>) {
        self.push(path, Part::Key, message.into(), help.into());
    }

    /// Whether further mistakes are only counted.
    pub fn is_full(&self) -> bool {
        self.list.len() >= KEPT
    }

    /// Counts a mistake without describing it.
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

    /// Adds a mistake that has its own place.
    pub fn add(&mut self, path: &[String], diagnostic: Diagnostic) {
        if self.is_full() {
            return self.count(path);
        }
        self.paths.insert(path.to_vec());
        self.list.push(diagnostic);
    }

    /// Whether nothing was found at a path or below it.
    pub fn clean(&self, path: &[String]) -> bool {
        // in sorted order, the paths below a path follow it directly
        !self.paths.range(path.to_vec()..).next().is_some_and(|found| found.starts_with(path))
    }

    /// The mistakes in the order of the lines.
    pub fn sorted(mut self) -> Diagnostics {
        let file = self.document.file.as_str();
        // a mistake in another file is sorted by the line that refers to it
        let line = |d: &Diagnostic| {
            let places = d.at.iter().chain(d.related.iter().map(|(at, _)| at));
            places.filter(|at| at.file == file).map(|at| (at.line, at.column)).next().unwrap_or((0, 0))
        };
        self.list.sort_by_key(line);
        Diagnostics { list: self.list, more: self.more, unseen: None }
    }
}
