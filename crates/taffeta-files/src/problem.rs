//! What is wrong with a file, and where in it.

use crate::format::{Format, Holds, or};
use crate::wrong::Wrong;
use std::path::{Path, PathBuf};

/// Longer lists help nobody: what follows is mostly the same mistake again.
pub const MOST_PROBLEMS: usize = 20;

/// Why a file could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file is not there or not readable.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A folder, a pipe or a device.
    #[error("{} is not a file", path.display())]
    NotAFile {
        /// What was given.
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
    /// The name says nothing about the contents.
    #[error("{} has no ending of a mesh file", path.display())]
    UnknownEnding {
        /// The file.
        path: PathBuf,
    },
    /// A sequence without files.
    #[error("{}: {what}", path.display())]
    Sequence {
        /// The folder or pattern.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// The options make no sense.
    #[error("{what}")]
    Options {
        /// Which, and why.
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

    /// A way out.
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
    /// In the order of lines.
    pub list: Vec<LineProblem>,
    /// Problems that were found and left out.
    pub more: usize,
}

/// Something wrong, and where.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}{wrong}", match (.line, .byte) {
    (Some(line), _) => format!("line {line}: "),
    (None, Some(byte)) => format!("byte {byte}: "),
    (None, None) => String::new(),
})]
pub struct LineProblem {
    /// Counted from 1; `None` in a binary file, or if it concerns the file as a whole.
    pub line: Option<usize>,
    /// Counted from 0 from the start of a binary file.
    pub byte: Option<u64>,
    /// What is wrong.
    pub wrong: Wrong,
}

impl LineProblem {
    /// What would be right.
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

    /// Something wrong on a line, or without one at a byte.
    pub fn add_place(&mut self, (line, byte): (Option<usize>, usize), wrong: Wrong) {
        if self.list.len() < MOST_PROBLEMS {
            let byte = line.is_none().then_some(byte as u64);
            self.list.push(LineProblem { line, byte, wrong });
        } else {
            self.more += 1;
        }
    }

    /// Whether no more are listed.
    pub fn is_full(&self) -> bool {
        self.list.len() >= MOST_PROBLEMS
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Only this one thing is wrong.
    pub fn one<T>(byte: impl Into<Option<usize>>, wrong: Wrong) -> Result<T, Problems> {
        let byte = byte.into().map(|byte| byte as u64);
        Err(Problems { list: vec![LineProblem { line: None, byte, wrong }], more: 0 })
    }

    /// The value if nothing was wrong.
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
