//! What an experiment is, and its result.

use crate::table::Table;
use std::fmt;
use taffeta_render::plot::Plot;

/// Something that is compared or measured.
#[derive(Clone, Copy, Debug)]
pub struct Experiment {
    /// Its name on the command line, and of its folder.
    pub name: &'static str,
    /// What it compares or measures, in one line.
    pub about: &'static str,
    /// About how long it takes on two cores.
    pub takes: &'static str,
    /// How long its quick part takes, if there is one.
    pub quick: Option<&'static str>,
    /// Which parts can be named on the command line, in words; `None` if it runs only as a whole.
    pub parts: Option<&'static str>,
    /// Whether a word names one of its parts.
    pub has_part: fn(&str) -> bool,
    /// Runs it.
    pub run: fn(&Context) -> Outcome,
}

/// What the user asked for.
pub struct Context {
    /// Run only the quick part.
    pub quick: bool,
    /// Run only these parts; if there are none, what is usual.
    pub parts: Vec<String>,
    /// Receives lines about the progress.
    pub listener: Box<dyn Fn(&str) + Send + Sync>,
}

impl Context {
    /// Reports progress.
    pub fn say(&self, line: &str) {
        (self.listener)(line);
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context").field("quick", &self.quick).field("parts", &self.parts).finish()
    }
}

/// The result of an experiment.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Tables, in the order in which they are shown.
    pub tables: Vec<Table>,
    /// Plots, in the order in which they are shown.
    pub plots: Vec<Plot>,
    /// What a reader must know about the figures, a paragraph each.
    pub notes: Vec<String>,
}

impl Outcome {
    /// Number of rows that are judged, and number of these that do not hold.
    pub fn judged(&self) -> [usize; 2] {
        let verdicts: Vec<bool> =
            self.tables.iter().flat_map(|table| &table.rows).filter_map(|row| row.verdict).collect();
        [verdicts.len(), verdicts.iter().filter(|holds| !**holds).count()]
    }
}
