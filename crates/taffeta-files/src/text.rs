//! Lines and numbers, shared by the text readers.

use crate::problem::{Problems, ReadError};
use crate::wrong::{FARTHEST, Wrong};
use std::path::Path;

/// Reads a whole file; refuses files that could be endless.
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

/// An error that makes further parsing pointless.
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

/// Parses a coordinate or a time: finite and not too large.
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

/// A token of the file, short and printable.
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
}
