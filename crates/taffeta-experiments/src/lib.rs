//! Experiments: each compares or measures something, and one command makes its table: `taffeta experiment NAME`.
//!
//! Use this crate to reproduce the tables of the documents, or to make a table of your own as text, CSV and Markdown.
//! **A new experiment is one file and one line in the list**; `docs/extending.md` has an example.
//!
//! ```
//! use taffeta_experiments::{Cell, Table, find};
//!
//! let experiment = find("thesis").unwrap();
//! println!("{}: {}, takes {}", experiment.name, experiment.about, experiment.takes);
//!
//! let mut table = Table::new("sag", "Sag of a sheet", &[("cells", ""), ("sag", "m")]);
//! table.judge(vec![Cell::count(20), Cell::fixed(0.1234, 3)], true);
//! assert_eq!(table.csv().lines().count(), 2);
//! ```
//!
//! ```text
//! EXPERIMENTS   the list                                        validation   closed forms and published values
//! experiment    what an experiment is, and its result           thesis       the tests of Vo's thesis
//! table         columns with units, rows, verdicts: text, CSV   phases       where the time of a step goes
//! comparison    rows that are judged by a reference             scaling      time over the number of particles
//! page          an outcome as files                             stiffness    time over the bending stiffness
//! measured      frames with their CPU time                      methods      time and quality of the methods
//!                                                                 contact      hard scenes of contact by the barrier
//! ```

mod comparison;
mod contact;
mod experiment;
mod measured;
mod methods;
mod page;
mod phases;
mod scaling;
mod stiffness;
mod table;
mod thesis;
mod validation;

pub use experiment::{Context, Experiment, Outcome};
pub use page::files;
pub use table::{Cell, Column, Row, Table};

/// All experiments, in the order in which `taffeta experiment` lists them.
pub const EXPERIMENTS: &[Experiment] = &[
    validation::EXPERIMENT,
    thesis::EXPERIMENT,
    methods::EXPERIMENT,
    phases::EXPERIMENT,
    scaling::EXPERIMENT,
    stiffness::EXPERIMENT,
    contact::EXPERIMENT,
];

/// The experiment with a name.
pub fn find(name: &str) -> Option<&'static Experiment> {
    EXPERIMENTS.iter().find(|experiment| experiment.name == name)
}

/// The code of the page about extending Taffeta is compiled here: this crate sees all that it uses.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/extending.md")]
struct Extending;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_fit_folders() {
        for (i, experiment) in EXPERIMENTS.iter().enumerate() {
            let good = |c: char| c.is_ascii_lowercase() || c == '-';
            assert!(!experiment.name.is_empty() && experiment.name.chars().all(good), "{}", experiment.name);
            assert!(EXPERIMENTS[..i].iter().all(|other| other.name != experiment.name), "{}", experiment.name);
        }
    }
}
