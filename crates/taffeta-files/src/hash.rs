//! Hashes of contents: XXH3 with 128 bits. They detect changes, not forgeries.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::io::{self, Read, Write};
use std::str::FromStr;
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

/// A hash of contents, shown as 32 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hash(pub u128);

impl Hash {
    /// Hash of bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(xxh3_128(bytes))
    }

    /// Copies everything from a reader to a writer and returns its hash. Takes little memory.
    pub(crate) fn copying(from: &mut impl Read, to: &mut impl Write) -> io::Result<Self> {
        let mut hasher = Xxh3::new();
        let mut part = vec![0; 1 << 18];
        loop {
            match from.read(&mut part) {
                Ok(0) => return Ok(Self(hasher.digest128())),
                Ok(count) => {
                    hasher.update(&part[..count]);
                    to.write_all(&part[..count])?;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Hash of a scene: its text, and the names and hashes of the files that it refers to.
    pub(crate) fn of_scene<'a>(text: &str, files: impl Iterator<Item = (&'a str, Hash)>) -> Self {
        let mut hasher = Xxh3::new();
        // lengths come first, so that different scenes never give the same bytes
        let mut part = |bytes: &[u8]| {
            hasher.update(&(bytes.len() as u64).to_le_bytes());
            hasher.update(bytes);
        };
        part(text.as_bytes());
        for (name, hash) in files {
            part(name.as_bytes());
            part(&hash.0.to_le_bytes());
        }
        Self(hasher.digest128())
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl FromStr for Hash {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        u128::from_str_radix(text, 16).map(Self)
    }
}

impl Serialize for Hash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Hash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}
