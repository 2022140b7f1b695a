//! The container of the JSON, GLB or text, and its buffers.

use super::document::Document;
use super::{bad, get};
use crate::beside::{Outside, is_plain};
use crate::bytes::TakeBytes;
use crate::problem::{Collector, Problems};
use crate::text::shown;
use crate::wrong::Wrong;
use std::borrow::Cow;
use std::cell::Cell;
use std::io;
use std::path::Path;

/// Numbers that each byte of the file may expand to: a small file cannot fill the memory by reusing its data.
const FACTOR: usize = 16;
/// Numbers that any file may expand to.
const SMALL: usize = 1_000_000;

/// A file with all its buffers.
pub(super) struct Contents<'a> {
    pub document: Document,
    pub buffers: Vec<Cow<'a, [u8]>>,
    /// Numbers that may still be created.
    budget: Cell<usize>,
}

/// Returns the bytes of a file, given its relative name.
pub(super) type Load<'l> = &'l mut dyn FnMut(&str) -> io::Result<Vec<u8>>;

/// Loads files beside a file.
pub(crate) fn beside(path: &Path) -> impl FnMut(&str) -> io::Result<Vec<u8>> {
    let file = path.to_path_buf();
    move |name| {
        let path = crate::file_beside(&file, name)?;
        if !std::fs::metadata(&path)?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a file"));
        }
        std::fs::read(path)
    }
}

/// Refuses to load: for files that must be self-contained.
pub(crate) fn nothing_beside(_: &str) -> io::Result<Vec<u8>> {
    Err(io::Error::new(io::ErrorKind::NotFound, "the buffer is in another file"))
}

/// Names of the files that a glTF file needs beside it.
pub fn references(bytes: &[u8]) -> Result<Vec<String>, Problems> {
    let (document, _) = open(bytes)?;
    let names = document.buffers.iter().filter_map(|buffer| buffer.uri.as_deref());
    Ok(names.filter(|uri| !uri.starts_with("data:")).filter_map(|uri| relative(uri).ok()).collect())
}

impl<'a> Contents<'a> {
    pub fn parse(bytes: &'a [u8], load: Load) -> Result<Self, Problems> {
        let (document, binary) = open(bytes)?;
        let mut buffers = Vec::with_capacity(document.buffers.len());
        let mut total = bytes.len();
        for (i, buffer) in document.buffers.iter().enumerate() {
            let place = format!("buffers[{i}]");
            let bad = |what: String| bad(&place, what);
            let data = match &buffer.uri {
                None if i == 0 && binary.is_some() => Ok(Cow::Borrowed(binary.unwrap_or_default())),
                None => Err(bad("it has no data".into())),
                Some(uri) => match uri.strip_prefix("data:") {
                    Some(data) => base64(data).map(Cow::Owned).map_err(bad),
                    None => relative(uri).and_then(|name| {
                        let data = load(&name).map_err(|error| match Outside::is(&error) {
                            true => Wrong::OutsideFile { name: shown(name.as_bytes()) },
                            false => bad(format!("cannot read `{name}`: {error}")),
                        })?;
                        total = total.saturating_add(data.len());
                        Ok(Cow::Owned(data))
                    }),
                },
            };
            let data = match data {
                Ok(data) if data.len() < buffer.byte_length => {
                    Err(bad(format!("it has {} bytes and should have {}", data.len(), buffer.byte_length)))
                }
                data => data,
            };
            match data {
                Ok(data) => buffers.push(data),
                Err(wrong) => return Collector::one(None, wrong),
            }
        }
        let budget = Cell::new(total.saturating_mul(FACTOR).saturating_add(SMALL));
        Ok(Self { document, buffers, budget })
    }

    /// Subtracts this many numbers from the budget of the file.
    pub fn charge(&self, numbers: usize) -> Result<(), Wrong> {
        let left = self.budget.get().checked_sub(numbers).ok_or(Wrong::Amplified { factor: FACTOR })?;
        self.budget.set(left);
        Ok(())
    }

    /// The bytes of a buffer view.
    pub fn view(&self, index: usize, place: &str) -> Result<&[u8], Wrong> {
        let view = get(&self.document.buffer_views, "buffer view", index, place)?;
        let place = format!("bufferViews[{index}]");
        let buffer = get(&self.buffers, "buffer", view.buffer, &place)?;
        let end = view.byte_offset.checked_add(view.byte_length);
        end.and_then(|end| buffer.get(view.byte_offset..end)).ok_or_else(|| {
            let (offset, length) = (view.byte_offset, view.byte_length);
            bad(place, format!("{length} bytes from {offset} on are not in a buffer of {} bytes", buffer.len()))
        })
    }
}

/// The document, and the binary chunk of a GLB file.
fn open(bytes: &[u8]) -> Result<(Document, Option<&[u8]>), Problems> {
    let (json, binary) = if bytes.starts_with(b"glTF") { chunks(bytes)? } else { (bytes, None) };
    let json = json.strip_prefix(b"\xef\xbb\xbf").unwrap_or(json);
    if json.trim_ascii_start().first() != Some(&b'{') {
        return Collector::one(None, Wrong::NotThis { format: "glTF" });
    }
    let document: Document = match serde_json::from_slice(json) {
        Ok(document) => document,
        Err(error) => {
            let what = error.to_string();
            return Collector::one(None, bad(format!("JSON, line {}", error.line()), what));
        }
    };
    if !document.asset.version.starts_with("2.") {
        let what = format!("version `{}` is not read: version 2 is", document.asset.version);
        return Collector::one(None, bad("asset", what));
    }
    // these change the meaning of the numbers; all others only affect the appearance
    let changing =
        ["KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_meshopt_compression", "EXT_mesh_gpu_instancing"];
    if let Some(extension) = document.extensions_required.iter().find(|name| changing.contains(&name.as_str())) {
        return Collector::one(None, Wrong::Extension { extension: extension.clone() });
    }
    Ok((document, binary))
}

/// JSON and binary chunk.
fn chunks(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), Problems> {
    let mut rest = TakeBytes(&bytes[4..]);
    let version = rest.u32().unwrap_or(0);
    if version != 2 {
        return Collector::one(4, bad("GLB", format!("version {version} is not read: version 2 is")));
    }
    let length = rest.u32().unwrap_or(0) as usize;
    if length > bytes.len() {
        let (needed, found) = (length as u64, bytes.len() as u64);
        return Collector::one(8, Wrong::CutOff { what: "GLB".into(), needed, found });
    }
    let (mut json, mut binary) = (None, None);
    while let (Some(size), Some(kind)) = (rest.u32(), rest.u32()) {
        let at = bytes.len() - rest.0.len();
        let Some(data) = rest.take(size as usize) else {
            let (needed, found) = (u64::from(size), rest.0.len() as u64);
            return Collector::one(at, Wrong::CutOff { what: "a chunk".into(), needed, found });
        };
        match &kind.to_le_bytes() {
            b"JSON" if json.is_none() => json = Some(data),
            b"BIN\0" if binary.is_none() => binary = Some(data),
            _ => {}
        }
    }
    match json {
        Some(json) => Ok((json, binary)),
        None => Collector::one(12, bad("GLB", "there is no JSON chunk")),
    }
}

/// A file name from a URI; refuses names that lead out of the folder, however they are encoded.
fn relative(uri: &str) -> Result<String, Wrong> {
    let outside = || Wrong::OutsideFile { name: shown(uri.as_bytes()) };
    let mut name = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let Some((&first, more)) = rest.split_first() {
        let code = more
            .get(..2)
            .and_then(|hex| std::str::from_utf8(hex).ok())
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match (first, code) {
            (b'%', Some(byte)) => {
                name.push(byte);
                rest = &more[2..];
            }
            _ => {
                name.push(first);
                rest = more;
            }
        }
    }
    let name = String::from_utf8(name).map_err(|_| outside())?;
    // a `.` stays in the same folder
    let name = name.split('/').filter(|part| *part != ".").collect::<Vec<_>>().join("/");
    // check after decoding: `%2f` and `%2e` mean the same as `/` and `.`
    if is_plain(&name) { Ok(name) } else { Err(outside()) }
}

/// Decodes the bytes of `...;base64,...`.
fn base64(data: &str) -> Result<Vec<u8>, String> {
    let (kind, data) = data.split_once(',').ok_or("a data URI has no comma")?;
    if !kind.ends_with(";base64") {
        return Err("a data URI is not base64".into());
    }
    let mut bytes = Vec::with_capacity(data.len() / 4 * 3);
    let (mut bits, mut count) = (0u32, 0);
    for (at, c) in data.trim_end_matches('=').bytes().enumerate() {
        let value = match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return Err(format!("character {at} of its base64 text is none")),
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_and_names_are_decoded() {
        // RFC 4648, section 10
        for (text, bytes) in [("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYmFy", "foobar")] {
            assert_eq!(base64(&format!("application/octet-stream;base64,{text}")), Ok(bytes.as_bytes().to_vec()));
        }
        assert!(base64("x;base64,Zm9?").is_err());
        assert_eq!(relative("a%20b%2fc.bin"), Ok("a b/c.bin".into()));
        assert_eq!(relative("100%"), Ok("100%".into()));
        assert_eq!(relative("./a/./b.bin"), Ok("a/b.bin".into()));
        for uri in ["/etc/passwd", "http://a/b", "C:\\a", "\\\\a", "../a", "a/../../b", "..", "", "a//b", "a/"] {
            assert!(relative(uri).is_err(), "{uri}");
            let hidden: String = uri.bytes().map(|byte| format!("%{byte:02x}")).collect();
            assert!(relative(&hidden).is_err(), "{hidden}");
        }
    }
}
