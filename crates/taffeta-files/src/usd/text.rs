//! Formatting of values as USD text.

use std::io::{self, Write};
use taffeta::Vec3;

/// A string in quotes.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => quoted.push(' '),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// Writes `[a, b, c]`.
pub(super) fn list<T>(
    out: &mut impl Write,
    items: impl IntoIterator<Item = T>,
    mut each: impl FnMut(&mut dyn Write, T) -> io::Result<()>,
) -> io::Result<()> {
    out.write_all(b"[")?;
    for (i, item) in items.into_iter().enumerate() {
        if i > 0 {
            out.write_all(b", ")?;
        }
        each(out, item)?;
    }
    out.write_all(b"]")
}

/// Writes points as f32, with as many digits as needed to read the same bits back.
pub(super) fn points(out: &mut impl Write, x: impl IntoIterator<Item = Vec3>) -> io::Result<()> {
    list(out, x, |out, p| write!(out, "({:?}, {:?}, {:?})", p.x as f32, p.y as f32, p.z as f32))
}

/// Writes directions to four digits, which is finer than any screen.
pub(super) fn directions(out: &mut impl Write, x: impl IntoIterator<Item = Vec3>) -> io::Result<()> {
    list(out, x, |out, p| {
        let [x, y, z] = p.to_array().map(|value| (value * 1e4).round() / 1e4 + 0.0);
        write!(out, "({x}, {y}, {z})")
    })
}
