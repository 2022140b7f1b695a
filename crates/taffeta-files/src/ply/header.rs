//! The header of a PLY file.

use crate::problem::{Collector, Problems};
use crate::text::shown;
use crate::wrong::Wrong;

/// How the values after the header are encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Text,
    LittleEndian,
    BigEndian,
}

/// Type of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Number {
    pub fn size(self) -> usize {
        match self {
            Number::I8 | Number::U8 => 1,
            Number::I16 | Number::U16 => 2,
            Number::I32 | Number::U32 | Number::F32 => 4,
            Number::F64 => 8,
        }
    }

    fn named(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"char" | b"int8" => Number::I8,
            b"uchar" | b"uint8" => Number::U8,
            b"short" | b"int16" => Number::I16,
            b"ushort" | b"uint16" => Number::U16,
            b"int" | b"int32" => Number::I32,
            b"uint" | b"uint32" => Number::U32,
            b"float" | b"float32" => Number::F32,
            b"double" | b"float64" => Number::F64,
            _ => return None,
        })
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Property {
    pub name: String,
    /// Type of the number of values, for a list.
    pub count: Option<Number>,
    pub number: Number,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Element {
    pub name: String,
    pub count: u64,
    pub properties: Vec<Property>,
}

impl Element {
    /// Minimum size of an element in bytes.
    pub fn least_size(&self, encoding: Encoding) -> u64 {
        let size = |p: &Property| match encoding {
            // a digit and a separator
            Encoding::Text => 2,
            _ => p.count.unwrap_or(p.number).size() as u64,
        };
        self.properties.iter().map(size).sum()
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Header {
    pub encoding: Encoding,
    pub elements: Vec<Element>,
    /// Where the values begin.
    pub end: usize,
    /// Number of lines of the header.
    pub lines: usize,
}

impl Header {
    pub fn parse(bytes: &[u8]) -> Result<Self, Problems> {
        if !bytes.starts_with(b"ply") || !bytes.get(3).is_some_and(u8::is_ascii_whitespace) {
            return Collector::one(None, Wrong::NotThis { format: "PLY" });
        }
        let mut problems = Collector::default();
        let mut encoding = None;
        let mut elements: Vec<Element> = Vec::new();
        let (mut at, mut lines) = (0, 0);
        let mut ended = false;
        while !ended && at < bytes.len() {
            let length = bytes[at..].iter().position(|b| matches!(b, b'\n' | b'\r')).unwrap_or(bytes.len() - at);
            let line = &bytes[at..at + length];
            at += length + if bytes[at + length..].starts_with(b"\r\n") { 2 } else { 1 };
            lines += 1;
            let words: Vec<&[u8]> = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
            let result = match words.as_slice() {
                [] | [b"ply" | b"comment" | b"obj_info", ..] => Ok(()),
                [b"end_header"] => {
                    ended = true;
                    Ok(())
                }
                [b"format", name, version] => format(name, version).map(|found| encoding = Some(found)),
                [b"element", name, count] => element(name, count).map(|element| elements.push(element)),
                [b"property", words @ ..] => match elements.last_mut() {
                    Some(element) => property(words).map(|property| element.properties.push(property)),
                    None => Err("a property comes before the first element".into()),
                },
                _ => Err(format!("`{}` is no line of a PLY header", shown(line))),
            };
            if let Err(what) = result {
                problems.add(lines, Wrong::Header { what });
                // an invalid file may be arbitrarily long
                if problems.is_full() {
                    return problems.finish(Self::empty());
                }
            }
        }
        if !ended && problems.is_empty() {
            problems.add(None, Wrong::Header { what: "the header has no `end_header`".into() });
        }
        if encoding.is_none() && problems.is_empty() {
            problems.add(None, Wrong::Header { what: "the header has no line `format`".into() });
        }
        let encoding = encoding.unwrap_or(Encoding::Text);
        problems.finish(Self { encoding, elements, end: at.min(bytes.len()), lines })
    }

    fn empty() -> Self {
        Self { encoding: Encoding::Text, elements: Vec::new(), end: 0, lines: 0 }
    }
}

fn format(name: &[u8], version: &[u8]) -> Result<Encoding, String> {
    match (name, version) {
        (b"ascii", b"1.0") => Ok(Encoding::Text),
        (b"binary_little_endian", b"1.0") => Ok(Encoding::LittleEndian),
        (b"binary_big_endian", b"1.0") => Ok(Encoding::BigEndian),
        _ => Err(format!("the format `{} {}` is not known", shown(name), shown(version))),
    }
}

fn element(name: &[u8], count: &[u8]) -> Result<Element, String> {
    let number = std::str::from_utf8(count).ok().and_then(|text| text.parse().ok());
    let count = number.ok_or_else(|| format!("`{}` is not a number of elements", shown(count)))?;
    Ok(Element { name: shown(name), count, properties: Vec::new() })
}

fn property(words: &[&[u8]]) -> Result<Property, String> {
    let number = |name| Number::named(name).ok_or_else(|| format!("`{}` is not a type of numbers", shown(name)));
    match words {
        [b"list", count, values, name] => {
            let count = number(count)?;
            if matches!(count, Number::F32 | Number::F64) {
                return Err("the number of values in a list must be an integer".into());
            }
            Ok(Property { name: shown(name), count: Some(count), number: number(values)? })
        }
        [values, name] => Ok(Property { name: shown(name), count: None, number: number(values)? }),
        _ => Err("a property is `property TYPE NAME` or `property list TYPE TYPE NAME`".into()),
    }
}
