//! What is wrong with a text file, and on which line; lines and numbers shared by the readers of OBJ and CSV.

use std::path::{Path, PathBuf};

/// Longer lists help nobody: what follows is mostly the same mistake again.
pub const MOST_PROBLEMS: usize = 20;

/// Farther away (m) an f64 resolves less than a fibre, and squares and areas start to overflow in other programs.
pub const FARTHEST: f64 = 1e9;

/// Why a text file could not be read.
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
}

/// Everything that is wrong with a file: the first [`MOST_PROBLEMS`], and how many more there are.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}{}", .list.iter().map(|p| p.to_string()).collect::<Vec<_>>().join("; "), if *.more > 0 { format!("; and {} more", .more) } else { String::new() })]
pub struct Problems {
    /// In the order of lines.
    pub list: Vec<LineProblem>,
    /// Problems that were found and left out.
    pub more: usize,
}

/// Something wrong, and where.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}{wrong}", .line.map_or(String::new(), |line| format!("line {line}: ")))]
pub struct LineProblem {
    /// Counted from 1; `None` if it concerns the file as a whole.
    pub line: Option<usize>,
    /// What is wrong.
    pub wrong: Wrong,
}

impl LineProblem {
    /// What would be right.
    pub fn help(&self) -> String {
        self.wrong.help()
    }
}

/// What can be wrong with a text file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)]
pub enum Wrong {
    #[error("the file is empty")]
    Empty,
    #[error("this is a binary file, not text")]
    Binary,
    #[error("`{text}` is not a number")]
    NotANumber { text: String },
    #[error("`{text}` is not finite")]
    NotFinite { text: String },
    #[error("`{text}` is farther away than {FARTHEST:e} m")]
    TooFar { text: String },
    #[error("`{keyword}` has {found} numbers and needs {needed}")]
    TooFewNumbers { keyword: String, found: usize, needed: usize },
    #[error("there are no vertices (lines that begin with `v`)")]
    NoVertices,
    #[error("there are no faces (lines that begin with `f`)")]
    NoFaces,
    #[error("{count} vertices are more than the {limit} that a mesh can have")]
    TooManyVertices { count: u64, limit: u64 },
    #[error("the file has {found} vertices, but the cloth has {needed}")]
    VertexCount { found: usize, needed: usize },
    #[error("a face has {found} corners and needs at least 3")]
    TooFewCorners { found: usize },
    #[error("`{text}` is not a corner of a face")]
    BadCorner { text: String },
    #[error("{of} number 0 does not exist: OBJ counts from 1")]
    ZeroIndex { of: &'static str },
    #[error("{of} {index} does not exist: the file has {count}")]
    IndexOutOfRange { of: &'static str, index: i64, count: usize },
    #[error("the face uses vertex {vertex} twice")]
    RepeatedVertex { vertex: usize },
    #[error("`{text}` is no line of an OBJ file")]
    NotObj { text: String },
    #[error("the line has {found} values and needs 4")]
    ValueCount { found: usize },
    #[error("time {time} s comes after {previous} s")]
    TimeNotRising { time: f64, previous: f64 },
    #[error("there are no rows")]
    NoRows,
}

impl Wrong {
    /// What would be right.
    pub fn help(&self) -> String {
        let text = match self {
            Wrong::Empty => "was it written to the end? Export it again",
            Wrong::Binary => "give a text file in UTF-8 or ASCII, not one that is packed or in UTF-16",
            Wrong::NotANumber { text } if text.contains(',') => "write a point before the decimals: 1.5",
            Wrong::NotANumber { .. } => "write a number such as 0.25, -3 or 1e-3",
            Wrong::NotFinite { .. } => "the program that wrote the file had no valid value here: repair it there",
            Wrong::TooFar { .. } => "lengths are in metres: scale the mesh",
            Wrong::TooFewNumbers { keyword, .. } if keyword == "v" => "write `v x y z`",
            Wrong::TooFewNumbers { .. } => "write `vt u v`",
            Wrong::NoVertices => "is this an OBJ file? A triangle is `v 0 0 0`, `v 1 0 0`, `v 0 1 0`, `f 1 2 3`",
            Wrong::NoFaces => "export the mesh with its faces, not as points or lines",
            Wrong::TooManyVertices { .. } => "use a coarser mesh",
            Wrong::VertexCount { .. } => {
                "the file must have the same vertices in the same order as the mesh: export it without merging or \
                 splitting vertices"
            }
            Wrong::TooFewCorners { .. } => "write `f 1 2 3`",
            Wrong::BadCorner { .. } => "write v, v/vt, v/vt/vn or v//vn, for example `f 1/1 2/2 3/3`",
            Wrong::ZeroIndex { .. } => "the first is 1, the last one before this line is -1",
            Wrong::IndexOutOfRange { count: 0, of, .. } => {
                return format!("the file has no lines that give a {of}: export them or leave the number out");
            }
            Wrong::IndexOutOfRange { count, .. } => {
                return format!("use 1 to {count}, or negative numbers counted back from this line");
            }
            Wrong::RepeatedVertex { .. } => "each corner of a face must be another vertex",
            Wrong::NotObj { .. } => "is this an OBJ file? Lines begin with a word such as v, vt, f or #",
            Wrong::ValueCount { .. } => "write `t,x,y,z`: seconds and metres",
            Wrong::TimeNotRising { .. } => "each row must be later than the one before",
            Wrong::NoRows => "write a row `t,x,y,z` for each key, for example `0,0,0,0`",
        };
        text.to_string()
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
            self.list.push(LineProblem { line: line.into(), wrong });
        } else {
            self.more += 1;
        }
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The value if nothing was wrong.
    pub fn finish<T>(self, value: T) -> Result<T, Problems> {
        if self.list.is_empty() { Ok(value) } else { Err(Problems { list: self.list, more: self.more }) }
    }
}

/// Reads a whole file; refuses what could be endless.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, ReadError> {
    let io = |source| ReadError::Io { path: path.to_path_buf(), source };
    if !std::fs::metadata(path).map_err(io)?.is_file() {
        return Err(ReadError::NotAFile { path: path.to_path_buf() });
    }
    std::fs::read(path).map_err(io)
}

/// Reads and parses a file.
pub(crate) fn read_with<T>(path: &Path, parse: impl FnOnce(&[u8]) -> Result<T, Problems>) -> Result<T, ReadError> {
    parse(&read(path)?).map_err(|problems| ReadError::Wrong { path: path.to_path_buf(), problems })
}

/// What makes any further look at a file pointless.
pub(crate) fn hopeless(bytes: &[u8]) -> Option<Wrong> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        Some(Wrong::Empty)
    } else if bytes.contains(&0) {
        Some(Wrong::Binary)
    } else {
        None
    }
}

/// Physical lines with their numbers; ends are LF, CR LF or CR. A byte order mark is skipped.
pub(crate) fn lines(bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut rest = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut number = 0;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        number += 1;
        let end = rest.iter().position(|b| matches!(b, b'\n' | b'\r')).unwrap_or(rest.len());
        let line = &rest[..end];
        let ending = if rest[end..].starts_with(b"\r\n") { 2 } else { 1 };
        rest = &rest[(end + ending).min(rest.len())..];
        Some((number, line))
    })
}

/// A finite number that is a place or a time.
pub(crate) fn number(token: &[u8]) -> Result<f64, Wrong> {
    let not_a_number = || Wrong::NotANumber { text: shown(token) };
    let value: f64 = std::str::from_utf8(token).map_err(|_| not_a_number())?.parse().map_err(|_| not_a_number())?;
    if !value.is_finite() {
        Err(Wrong::NotFinite { text: shown(token) })
    } else if value.abs() > FARTHEST {
        Err(Wrong::TooFar { text: shown(token) })
    } else {
        Ok(value)
    }
}

/// A piece of the file, short and printable.
pub(crate) fn shown(token: &[u8]) -> String {
    let short = &token[..token.len().min(40)];
    let text: String = String::from_utf8_lossy(short).chars().map(|c| if c.is_control() { '?' } else { c }).collect();
    if token.len() > short.len() { text + "..." } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_at_lf_crlf_or_cr_and_keep_their_numbers() {
        let found: Vec<_> = lines(b"\xef\xbb\xbfa\nb\r\nc\rd\n\n\r\ne").map(|(n, l)| (n, l.to_vec())).collect();
        let expected: Vec<(usize, Vec<u8>)> =
            [(1, "a"), (2, "b"), (3, "c"), (4, "d"), (5, ""), (6, ""), (7, "e")].map(|(n, l)| (n, l.into())).into();
        assert_eq!(found, expected);
    }

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
