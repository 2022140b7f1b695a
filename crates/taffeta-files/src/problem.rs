//! What is wrong with a file, and where in it.

use crate::format::{Format, Holds, or};
use crate::wrong::Wrong;
use std::path::{Path, PathBuf};

/// Maximum number of problems in a list: further ones are mostly the same mistake again.
pub const MOST_PROBLEMS: usize = 20;

/// Why a file could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file does not exist or is not readable.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// The path is a folder, a pipe or a device.
    #[error("{} is not a file", path.display())]
    NotAFile {
        /// The given path.
        path: PathBuf,
    },
    /// The contents are wrong.
    #[error("{}: {problems}", path.display())]
    Wrong {
        /// The file.
        path: PathBuf,
        /// Everything that is wrong.
        problems: Problems,
    },
    /// The ending does not tell the format.
    #[error("{} has no ending of a mesh file", path.display())]
    UnknownEnding {
        /// The file.
        path: PathBuf,
    },
    /// A sequence has no files.
    #[error("{}: {what}", path.display())]
    Sequence {
        /// The folder or pattern.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// The options are invalid.
    #[error("{what}")]
    Options {
        /// Which option is invalid, and why.
        what: String,
    },
}

impl ReadError {
    pub(crate) fn io(path: &Path, source: std::io::Error) -> Self {
        Self::Io { path: path.to_path_buf(), source }
    }

    pub(crate) fn wrong(path: &Path, problems: Problems) -> Self {
        Self::Wrong { path: path.to_path_buf(), problems }
    }

    /// Suggests what to do.
    pub fn help(&self) -> String {
        match self {
            Self::Io { .. } | Self::NotAFile { .. } => "see that the path is right and may be read".into(),
            Self::Wrong { problems, .. } => problems.list.first().map(LineProblem::help).unwrap_or_default(),
            Self::UnknownEnding { .. } => {
                format!("give a file that ends in {}", or(&Format::endings_of(Holds::is_mesh)))
            }
            Self::Sequence { .. } => {
                let endings = or(&Format::endings_of(|holds| holds == Holds::Mesh));
                format!(
                    "give a folder with {endings} files, or a pattern such as body.####.obj, where each # is a digit"
                )
            }
            Self::Options { .. } => "change the option".into(),
        }
    }
}

/// Everything that is wrong with a file: the first [`MOST_PROBLEMS`], and how many more there are.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}{}", .list.iter().map(|p| p.to_string()).collect::<Vec<_>>().join("; "), if *.more > 0 { format!("; and {} \
    more", .more) } else { String::new() })]
pub struct Problems {
    /// The problems in the order of lines.
    pub list: Vec<LineProblem>,
    /// Number of further problems that are not listed.
    pub more: usize,
}

/// A problem and its place.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}{wrong}", match (.line, .byte) {
    (Some(line), _) => format!("line {line}: "),
    (None, Some(byte)) => format!("byte {byte}: "),
    (None, None) => String::new(),
})]
pub struct LineProblem {
    /// Line, counted from 1; `None` in a binary file, or if the problem concerns the file as a whole.
    pub line: Option<usize>,
    /// Offset from the start of a binary file, counted from 0.
    pub byte: Option<u64>,
    /// What is wrong.
    pub wrong: Wrong,
}

impl LineProblem {
    /// Suggests what would be right.
    pub fn help(&self) -> String {
        self.wrong.help()
    }
}

/// Collects problems while a file is read.
#[derive(Default)]
pub(crate) struct Collector {
    list: Vec<LineProblem>,
    more: usize,
}

impl Collector {
    pub fn add(&mut self, line: impl Into<Option<usize>>, wrong: Wrong) {
        if self.list.len() < MOST_PROBLEMS {
            self.list.push(LineProblem { line: line.into(), byte: None, wrong });
        } else {
            self.more += 1;
        }
    }

    /// Adds a problem on a line, or at a byte if there is no line.
    pub fn add_place(&mut self, (line, byte): (Option<usize>, usize), wrong: Wrong) {
        if self.list.len() < MOST_PROBLEMS {
            let byte = line.is_none().then_some(byte as u64);
            self.list.push(LineProblem { line, byte, wrong });
        } else {
            self.more += 1;
        }
    }

    /// Whether the list is full.
    pub fn is_full(&self) -> bool {
        self.list.len() >= MOST_PROBLEMS
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns a single problem.
    pub fn one<T>(byte: impl Into<Option<usize>>, wrong: Wrong) -> Result<T, Problems> {
        let byte = byte.into().map(|byte| byte as u64);
        Err(Problems { list: vec![LineProblem { line: None, byte, wrong }], more: 0 })
    }

    /// Returns the value if there were no problems.
    pub fn finish<T>(self, value: T) -> Result<T, Problems> {
        if self.list.is_empty() { Ok(value) } else { Err(Problems { list: self.list, more: self.more }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_list_of_problems_is_cut_and_counted() {
        let mut collector = Collector::default();
        for line in 1..=25 {
            collector.add(line, Wrong::NoFaces);
        }
        let problems = collector.finish(()).unwrap_err();
        assert_eq!((problems.list.len(), problems.more), (MOST_PROBLEMS, 5));
        assert!(problems.to_string().ends_with("; and 5 more"), "{problems}");
    }
}
