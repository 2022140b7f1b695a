//! Reading zip archives without compression, zip64 or not; every member is checked against its checksum (PKWARE,
//! APPNOTE 6.3: 4.3.7 local header, 4.3.12 central directory, 4.3.14 to 4.3.16 ends, 4.5.3 zip64).

use super::read::{number, wrong};
use crate::bytes::checksum;
use crate::wrong::Wrong;

/// Maximum number of files; archives of arrays have fewer.
const MOST: u64 = 1000;
/// Marks a field of 32 bits whose value is in the zip64 field.
const FULL: u64 = 0xffff_ffff;

/// Names and contents of the files in an archive.
pub(super) fn entries(b: &[u8]) -> Result<Vec<(String, &[u8])>, Wrong> {
    if !b.starts_with(b"PK") {
        return Err(Wrong::NotThis { format: "npz" });
    }
    let cut = || Wrong::CutOff { what: "the archive".into(), needed: 22, found: b.len() as u64 };
    // the end record may be followed by a comment
    let tail = b.len().saturating_sub(22 + 0xffff);
    let end = b[tail..].windows(4).rposition(|w| w == b"PK\x05\x06").ok_or_else(cut)? + tail;
    let (mut count, mut at) = (number::<2>(b, end + 10)?, number::<4>(b, end + 16)?);
    if at == FULL || count == 0xffff {
        let locator = end.checked_sub(20).ok_or_else(cut)?;
        let zip64 = usize::try_from(number::<8>(b, locator + 8)?).map_err(|_| cut())?;
        (count, at) = (number::<8>(b, zip64.saturating_add(32))?, number::<8>(b, zip64.saturating_add(48))?);
    }
    if count > MOST {
        return Err(wrong(format!("the archive has {count} files, and at most {MOST} are read")));
    }
    let mut at = usize::try_from(at).map_err(|_| cut())?;
    let mut files: Vec<(String, &[u8])> = Vec::new();
    for _ in 0..count {
        let entry = Entry::read(b, at)?;
        if files.iter().any(|(name, _)| *name == entry.name) {
            return Err(wrong(format!("`{}` is there twice", entry.name)));
        }
        files.push((entry.name.clone(), entry.contents(b)?));
        at = entry.end;
    }
    // otherwise the missing files would go unnoticed
    if !b[at.min(b.len())..].starts_with(b"PK\x05\x06") && !b[at.min(b.len())..].starts_with(b"PK\x06\x06") {
        return Err(wrong("the directory of the archive has more files than it says"));
    }
    Ok(files)
}

/// A file as listed in the directory.
struct Entry {
    name: String,
    sum: u64,
    size: u64,
    /// Where its local header begins.
    offset: u64,
    /// Where the next entry begins.
    end: usize,
}

impl Entry {
    fn read(b: &[u8], at: usize) -> Result<Self, Wrong> {
        let damaged = || wrong("the directory of the archive is damaged");
        if b.get(at..at.saturating_add(4)) != Some(b"PK\x01\x02") {
            return Err(damaged());
        }
        let short = |by: usize| number::<2>(b, at + by).map(|value| value as usize);
        let long = |by: usize| number::<4>(b, at + by);
        let (method, sum, [packed, size], offset) = (short(10)?, long(16)?, [long(20)?, long(24)?], long(42)?);
        let (name, extra, comment) = (short(28)?, short(30)?, short(32)?);
        let begin = at + 46 + name;
        let text = b.get(at + 46..begin).ok_or_else(damaged)?;
        let name = String::from_utf8_lossy(text).into_owned();
        let mut fields = b.get(begin..begin + extra).ok_or_else(damaged)?;
        // the field holds only the values that did not fit, in this order
        let mut zip64: &[u8] = &[];
        while fields.len() >= 4 {
            let (id, length) = (number::<2>(fields, 0)?, number::<2>(fields, 2)? as usize);
            let field = fields.get(4..4 + length).ok_or_else(damaged)?;
            if id == 1 {
                zip64 = field;
            }
            fields = &fields[4 + length..];
        }
        let mut whole = |value: u64| -> Result<u64, Wrong> {
            if value != FULL {
                return Ok(value);
            }
            let value = number::<8>(zip64, 0).map_err(|_| damaged())?;
            zip64 = &zip64[8..];
            Ok(value)
        };
        let (size, packed, offset) = (whole(size)?, whole(packed)?, whole(offset)?);
        if method != 0 {
            return Err(wrong(format!("`{name}` is compressed: write it with numpy.savez, not savez_compressed")));
        }
        if size != packed {
            return Err(wrong(format!("`{name}` is damaged: it is not compressed, and yet has two sizes")));
        }
        Ok(Self { name, sum, size, offset, end: begin + extra + comment })
    }

    /// Returns the bytes of the file if they match its checksum.
    fn contents<'a>(&self, b: &'a [u8]) -> Result<&'a [u8], Wrong> {
        let damaged = |what: &str| wrong(format!("`{}` is damaged: {what}", self.name));
        let cut = || Wrong::CutOff { what: format!("`{}`", self.name), needed: self.size, found: b.len() as u64 };
        let local = usize::try_from(self.offset).ok().filter(|&local| local < b.len()).ok_or_else(cut)?;
        if !b[local..].starts_with(b"PK\x03\x04") {
            return Err(damaged("it does not begin where the directory says"));
        }
        let (flags, sum, sizes) =
            (number::<2>(b, local + 6)?, number::<4>(b, local + 14)?, [18, 22].map(|by| number::<4>(b, local + by)));
        let (name, extra) = (number::<2>(b, local + 26)? as usize, number::<2>(b, local + 28)? as usize);
        let begin = local + 30;
        if b.get(begin..begin + name).map(String::from_utf8_lossy).as_deref() != Some(self.name.as_str()) {
            return Err(damaged("the directory has another name for it"));
        }
        // archives written in one pass have sizes and checksum after the data
        let behind = flags & 8 != 0;
        for size in sizes {
            let size = size?;
            if !behind && size != FULL && size != self.size {
                return Err(damaged("the directory has another size for it"));
            }
        }
        let data = begin + name + extra;
        let size = usize::try_from(self.size).map_err(|_| cut())?;
        let contents = data.checked_add(size).and_then(|end| b.get(data..end)).ok_or_else(cut)?;
        if (!behind && sum != self.sum) || u64::from(checksum(contents)) != self.sum {
            return Err(damaged("its checksum does not fit"));
        }
        Ok(contents)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Zip;
    use super::*;
    use std::io::Cursor;

    #[test]
    fn every_byte_that_counts_is_checked() {
        let files = [("a.npy", vec![1u8; 10]), ("b.npy", vec![2; 100]), ("c.npy", vec![])];
        let mut zip = Zip::new(Cursor::new(Vec::new()));
        files.iter().for_each(|(name, contents)| zip.add_bytes(name, contents).unwrap());
        let bytes = zip.finish().unwrap().into_inner();
        let expected: Vec<(String, &[u8])> = files.iter().map(|(n, c)| (n.to_string(), c.as_slice())).collect();
        assert_eq!(entries(&bytes).unwrap(), expected);
        for i in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[i] ^= 1;
            // the byte is a version, a flag or a date, which the reader ignores
            if let Ok(found) = entries(&changed) {
                assert_eq!(found, expected, "byte {i}");
            }
        }
        // the last two bytes are the length of a comment
        for length in 0..bytes.len() - 2 {
            assert!(entries(&bytes[..length]).is_err(), "cut to {length}");
        }
    }
}
