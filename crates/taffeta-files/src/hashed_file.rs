//! Files with the hash that they had when they were read.

use crate::problem::ReadError;
use crate::{Hash, text};
use std::io;
use std::path::{Path, PathBuf};

/// A file that was read, with its hash, so that later changes can be detected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HashedFile {
    /// Where it is.
    pub path: PathBuf,
    /// Its size.
    pub bytes: u64,
    /// Hash of its contents.
    pub hash: Hash,
}

impl HashedFile {
    /// Describes a file with these contents.
    pub fn of(path: &Path, contents: &[u8]) -> Self {
        Self { path: path.to_path_buf(), bytes: contents.len() as u64, hash: Hash::of(contents) }
    }

    /// Reads a file.
    pub(crate) fn read(path: &Path) -> Result<(Self, Vec<u8>), ReadError> {
        let contents = text::read(path)?;
        Ok((Self::of(path, &contents), contents))
    }

    /// Reads the file again; changed contents are an error.
    pub(crate) fn read_again(&self) -> io::Result<Vec<u8>> {
        let contents = std::fs::read(&self.path)?;
        if Hash::of(&contents) != self.hash {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "it was changed since it was read first"));
        }
        Ok(contents)
    }
}
