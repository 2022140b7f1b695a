//! What an experiment is, and what comes of it.

use crate::table::Table;
use std::fmt;
use taffeta_render::plot::Plot;

/// Something that is compared or measured.
#[derive(Clone, Copy, Debug)]
pub struct Experiment {
    /// As it is typed.
    pub name: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// About how long it takes on two cores.
    pub takes: &'static str,
    /// How long its quick part takes, if there is one.
    pub quick: Option<&'static str>,
    /// What its parts are, if single ones can be chosen.
    pub parts: Option<&'static str>,
    /// Whether there is such a part.
    pub has_part: fn(&str) -> bool,
    /// Does it.
    pub run: fn(&Context) -> Outcome,
}

/// What was asked for.
pub struct Context {
    /// The quick part only.
    pub quick: bool,
    /// These parts only; all if there are none.
    pub parts: Vec<String>,
    /// Hears how far it is.
    pub listener: Box<dyn Fn(&str) + Send + Sync>,
}

impl Context {
    /// Tells how far it is.
    pub fn say(&self, line: &str) {
        (self.listener)(line);
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context").field("quick", &self.quick).field("parts", &self.parts).finish()
    }
}

/// What comes of an experiment.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// In the order in which they are shown.
    pub tables: Vec<Table>,
    /// Likewise.
    pub plots: Vec<Plot>,
    /// What there is to know about the figures, a paragraph each.
    pub notes: Vec<String>,
}

impl Outcome {
    /// How many rows are judged, and how many of these do not hold.
    pub fn judged(&self) -> [usize; 2] {
        let verdicts: Vec<bool> =
            self.tables.iter().flat_map(|table| &table.rows).filter_map(|row| row.verdict).collect();
        [verdicts.len(), verdicts.iter().filter(|holds| !**holds).count()]
    }
}
