//! The values after a PLY header, one element after the other.

use super::header::{Encoding, Header, Number};
use crate::text::shown;
use crate::wrong::{FARTHEST, Wrong};

/// A position in the values.
pub(super) struct Values<'a> {
    encoding: Encoding,
    /// The bytes that are left.
    rest: &'a [u8],
    /// Number of bytes before `rest`; in text, the line of the element.
    at: usize,
    /// Values of the current element, in text.
    words: Vec<&'a [u8]>,
    next: usize,
}

impl<'a> Values<'a> {
    pub fn new(header: &Header, bytes: &'a [u8]) -> Self {
        let at = if header.encoding == Encoding::Text { header.lines } else { header.end };
        Self { encoding: header.encoding, rest: &bytes[header.end..], at, words: Vec::new(), next: 0 }
    }

    /// Line (from 1) or byte (from 0) of the current element.
    pub fn place(&self) -> (Option<usize>, usize) {
        if self.encoding == Encoding::Text { (Some(self.at), 0) } else { (None, self.at) }
    }

    pub fn left(&self) -> usize {
        self.rest.len()
    }

    /// Begins the next element; in text it is a line.
    pub fn begin(&mut self) -> Result<(), Wrong> {
        if self.encoding != Encoding::Text {
            return Ok(());
        }
        self.next = 0;
        self.words.clear();
        while self.words.is_empty() {
            if self.rest.is_empty() {
                return Err(Wrong::CutOff { what: "the next line".into(), needed: 1, found: 0 });
            }
            self.at += 1;
            let end = self.rest.iter().position(|b| matches!(b, b'\n' | b'\r')).unwrap_or(self.rest.len());
            let line = &self.rest[..end];
            let ending = if self.rest[end..].starts_with(b"\r\n") { 2 } else { 1 };
            self.rest = &self.rest[(end + ending).min(self.rest.len())..];
            self.words.extend(line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()));
        }
        Ok(())
    }

    /// Reads the next number, which may not be finite.
    pub fn number(&mut self, kind: Number) -> Result<f64, Wrong> {
        match self.encoding {
            Encoding::Text => {
                let word = self.words.get(self.next).ok_or(Wrong::TooFewValues { found: self.words.len() })?;
                self.next += 1;
                let value = std::str::from_utf8(word).ok().and_then(|text| text.parse().ok());
                value.ok_or_else(|| Wrong::NotANumber { text: shown(word) })
            }
            Encoding::LittleEndian => Ok(binary(kind, self.take(kind.size())?, false)),
            Encoding::BigEndian => Ok(binary(kind, self.take(kind.size())?, true)),
        }
    }

    /// Reads the number of values of a list and checks that so many can follow.
    pub fn count(&mut self, kind: Number, values: Number) -> Result<usize, Wrong> {
        let count = self.number(kind)?;
        if count < 0.0 || count.fract() != 0.0 || !count.is_finite() {
            return Err(Wrong::Header { what: format!("a list has {count} values") });
        }
        let found = if self.encoding == Encoding::Text {
            self.words.len() - self.next
        } else {
            self.rest.len() / values.size()
        };
        if count > found as f64 {
            let size = if self.encoding == Encoding::Text { 1 } else { values.size() };
            let (needed, found) = ((count * size as f64) as u64, (found * size) as u64);
            return Err(match self.encoding {
                Encoding::Text => Wrong::TooFewValues { found: self.words.len() },
                _ => Wrong::CutOff { what: format!("a list of {count} values"), needed, found },
            });
        }
        Ok(count as usize)
    }

    pub fn skip(&mut self, kind: Number, count: usize) -> Result<(), Wrong> {
        match self.encoding {
            Encoding::Text => (0..count).try_for_each(|_| self.number(kind).map(|_| ())),
            _ => self.take(kind.size().saturating_mul(count)).map(|_| ()),
        }
    }

    /// Ends the element; in text nothing may be left on its line.
    pub fn end(&self) -> Result<(), Wrong> {
        let found = self.words.len();
        if self.next < found { Err(Wrong::TooManyValues { found, needed: self.next }) } else { Ok(()) }
    }

    fn take(&mut self, size: usize) -> Result<&'a [u8], Wrong> {
        let Some((front, rest)) = self.rest.split_at_checked(size) else {
            let (needed, found) = (size as u64, self.rest.len() as u64);
            return Err(Wrong::CutOff { what: "the next value".into(), needed, found });
        };
        self.rest = rest;
        self.at += size;
        Ok(front)
    }
}

/// Checks that a coordinate is finite and not too far away.
pub(super) fn place(value: f64) -> Result<f64, Wrong> {
    match value.abs() {
        size if size <= FARTHEST => Ok(value),
        size if size.is_finite() => Err(Wrong::TooFar { text: value.to_string() }),
        _ => Err(Wrong::NotFinite { text: value.to_string() }),
    }
}

fn binary(kind: Number, bytes: &[u8], big: bool) -> f64 {
    let mut b = [0; 8];
    b[..bytes.len()].copy_from_slice(bytes);
    if big {
        b[..bytes.len()].reverse();
    }
    match kind {
        Number::I8 => f64::from(b[0] as i8),
        Number::U8 => f64::from(b[0]),
        Number::I16 => f64::from(i16::from_le_bytes([b[0], b[1]])),
        Number::U16 => f64::from(u16::from_le_bytes([b[0], b[1]])),
        Number::I32 => f64::from(i32::from_le_bytes([b[0], b[1], b[2], b[3]])),
        Number::U32 => f64::from(u32::from_le_bytes([b[0], b[1], b[2], b[3]])),
        Number::F32 => f64::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]])),
        Number::F64 => f64::from_le_bytes(b),
    }
}
