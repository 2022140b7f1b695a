//! Where checking and building put what they find.

use crate::{
    diagnostic::{Diagnostic, Location},
    document::{Document, Part, Path},
};

/// What was found in one document so far.
pub(crate) struct Mistakes<'a> {
    pub document: &'a Document,
    pub list: Vec<Diagnostic>,
    /// For a file that a scene refers to: where it does.
    pub referred: Option<Location>,
    /// Paths with mistakes.
    paths: Vec<Path>,
}

impl<'a> Mistakes<'a> {
    pub fn new(document: &'a Document, referred: Option<Location>) -> Self {
        Self { document, list: Vec::new(), referred, paths: Vec::new() }
    }

    /// A mistake in the value of a key.
    pub fn value(&mut self, path: &[String], message: impl Into<String>, help: impl Into<String>) {
        self.push(path, Part::Value, message.into(), help.into());
    }

    /// A mistake in a key, or in what is missing there.
    pub fn key(&mut self, path: &[String], message: impl Into<String>, help: impl Into<String>) {
        self.push(path, Part::Key, message.into(), help.into());
    }

    fn push(&mut self, path: &[String], part: Part, message: String, help: String) {
        let mut found = Diagnostic::new(message, help).at(self.document.locate(path, part));
        found.key = path.join(".");
        if let Some(at) = &self.referred {
            found = found.related(at.clone(), "the scene refers to this file here");
        }
        self.add(path, found);
    }

    /// A mistake with places of its own.
    pub fn add(&mut self, path: &[String], diagnostic: Diagnostic) {
        self.paths.push(path.to_vec());
        self.list.push(diagnostic);
    }

    /// Whether nothing was found at a path or below it.
    pub fn clean(&self, path: &[String]) -> bool {
        !self.paths.iter().any(|found| found.starts_with(path))
    }

    /// In the order of the lines; those of other files stay where they came up.
    pub fn sorted(mut self) -> Vec<Diagnostic> {
        let file = self.document.file.as_str();
        // a mistake in another file stands at the line that refers to it
        let line = |d: &Diagnostic| {
            let places = d.at.iter().chain(d.related.iter().map(|(at, _)| at));
            places.filter(|at| at.file == file).map(|at| (at.line, at.column)).next().unwrap_or((0, 0))
        };
        self.list.sort_by_key(line);
        self.list
    }
}
