//! Names, endings and messages of formats.

use super::{Format, Writer};
use crate::similar::nearest;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// Endings of other formats that are never those of folders.
const FOREIGN: [&str; 8] = ["usdc", "usdz", "npy", "fbx", "abc", "stl", "png", "gif"];

/// Whether an ending certainly belongs to a file.
pub(super) fn is_of_a_file(ending: &str) -> bool {
    let own = |format: &Format| format.info().written.contains(&ending) || format.info().read.contains(&ending);
    FOREIGN.contains(&ending) || Format::ALL.iter().any(own)
}

/// The ending of a path in lower case, empty if there is none.
pub(crate) fn ending(path: &Path) -> String {
    path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase()).unwrap_or_default()
}

/// `.a, .b or .c`.
pub(crate) fn or(endings: &[&str]) -> String {
    match endings {
        [] => String::new(),
        [one] => format!(".{one}"),
        [most @ .., last] => format!(".{} or .{last}", most.join(", .")),
    }
}

impl Format {
    /// What an export is on disk, for messages.
    pub(crate) fn place(self) -> String {
        let ending = self.ending();
        match self.info().writer {
            Writer::Sequence(_) => format!("{self} is a folder with a file for each frame, or one .{ending} file"),
            Writer::Caches(_) => format!("{self} is a folder with a cache and an OBJ file for each cloth"),
            Writer::File { .. } => format!("{self} is one .{ending} file"),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that does not belong to any format.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("`{name}` is not a format: {}", match self.meant() {
    Some(format) => format!("did you mean `{format}`?"),
    None => format!("there are {}", Format::ALL.map(Format::name).join(", ")),
})]
pub struct UnknownFormat {
    /// The given name.
    pub name: String,
}

impl UnknownFormat {
    /// The format that was probably meant.
    pub fn meant(&self) -> Option<Format> {
        nearest(&self.name, Format::ALL.map(Format::name)).and_then(|name| name.parse().ok())
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        let is_meant = |format: &Format| {
            let words = format.info().aliases.iter().copied().chain([format.name()]);
            words.into_iter().any(|word| word.eq_ignore_ascii_case(name))
        };
        Self::ALL.into_iter().find(is_meant).ok_or_else(|| UnknownFormat { name: name.into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If two formats had the same word, one of them would be hidden.
    #[test]
    fn words_and_endings_belong_to_one_format() {
        let infos = || Format::ALL.into_iter().map(Format::info);
        let words = infos().flat_map(|info| [info.name].into_iter().chain(info.aliases.iter().copied()));
        let read = infos().flat_map(|info| info.read.iter().copied());
        for mut list in [words.collect::<Vec<_>>(), read.collect()] {
            list.sort_unstable();
            assert!(list.windows(2).all(|pair| pair[0] != pair[1]), "{list:?}");
        }
        for info in infos() {
            assert!(!info.written.is_empty() && !info.line.is_empty(), "{}", info.name);
            assert!(info.written.iter().chain(info.read).all(|ending| *ending == ending.to_ascii_lowercase()));
        }
    }
}
