//! Writing zip archives without compression in one pass: sizes are known beforehand, checksums are filled in later
//! (PKWARE, APPNOTE 6.3: 4.3.7 local header, 4.3.12 central directory, 4.3.14 to 4.3.16 ends, 4.5.3 zip64).

use crate::bytes::PutBytes;
use std::io::{self, Seek, SeekFrom, Write};

/// Sizes and offsets from here on do not fit 32 bits.
const LIMIT: u64 = 0xffff_ffff;

/// An archive being written.
pub(crate) struct Zip<W> {
    out: W,
    entries: Vec<Entry>,
    at: u64,
    limit: u64,
}

struct Entry {
    name: String,
    size: u64,
    crc: u32,
    offset: u64,
}

impl<W: Write + Seek> Zip<W> {
    pub fn new(out: W) -> Self {
        Self { out, entries: Vec::new(), at: 0, limit: LIMIT }
    }

    /// Adds a file of `size` bytes that `write` writes in any number of pieces; `io` converts our errors to its own.
    pub fn add<E, F: From<E>>(
        &mut self,
        name: &str,
        size: u64,
        io: impl Fn(io::Error) -> E,
        write: impl FnOnce(&mut dyn FnMut(&[u8]) -> io::Result<()>) -> Result<(), F>,
    ) -> Result<(), F> {
        let entry = Entry { name: name.to_string(), size, crc: 0, offset: self.at };
        let header = self.local_header(&entry);
        self.put(&header).map_err(&io)?;

        let mut crc = crc32fast::Hasher::new();
        let begin = self.at;
        write(&mut |bytes| {
            crc.update(bytes);
            self.put(bytes)
        })?;
        assert_eq!(self.at - begin, size, "the size of {name} was announced");

        let entry = Entry { crc: crc.finalize(), ..entry };
        let header = self.local_header(&entry);
        let mut fill_in = || {
            self.out.seek(SeekFrom::Start(entry.offset))?;
            self.out.write_all(&header)?;
            self.out.seek(SeekFrom::Start(self.at))
        };
        fill_in().map_err(&io)?;
        self.entries.push(entry);
        Ok(())
    }

    /// Adds a file that is in memory.
    pub fn add_bytes(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.add(name, bytes.len() as u64, |error| error, |write| write(bytes))
    }

    /// Writes the directory, without which the archive is invalid.
    pub fn finish(mut self) -> io::Result<W> {
        let begin = self.at;
        let entries = std::mem::take(&mut self.entries);
        for entry in &entries {
            let record = self.central_header(entry);
            self.put(&record)?;
        }
        let (count, size) = (entries.len() as u64, self.at - begin);
        let mut end = Vec::new();
        if begin >= self.limit || size >= self.limit {
            let zip64_end = self.at;
            end.extend_from_slice(b"PK\x06\x06");
            end.put_u64(44); // bytes that follow in this record
            put_u16(&mut end, 45);
            put_u16(&mut end, 45);
            end.put_u32(0);
            end.put_u32(0);
            end.put_u64(count);
            end.put_u64(count);
            end.put_u64(size);
            end.put_u64(begin);
            end.extend_from_slice(b"PK\x06\x07");
            end.put_u32(0);
            end.put_u64(zip64_end);
            end.put_u32(1);
        }
        end.extend_from_slice(b"PK\x05\x06");
        end.put_u32(0); // disk numbers
        put_u16(&mut end, count as u16);
        put_u16(&mut end, count as u16);
        end.put_u32(self.short(size));
        end.put_u32(self.short(begin));
        put_u16(&mut end, 0);
        self.put(&end)?;
        self.out.flush()?;
        Ok(self.out)
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)?;
        self.at += bytes.len() as u64;
        Ok(())
    }

    /// The value of a 32-bit field, or the mark that the value is in the zip64 field.
    fn short(&self, value: u64) -> u32 {
        if value >= self.limit { u32::MAX } else { value as u32 }
    }

    fn local_header(&self, entry: &Entry) -> Vec<u8> {
        let mut bytes = b"PK\x03\x04".to_vec();
        let mut extra = Vec::new();
        if entry.size >= self.limit {
            extra.put_u64(entry.size);
            extra.put_u64(entry.size);
        }
        self.common_fields(&mut bytes, entry, &extra);
        bytes.extend_from_slice(entry.name.as_bytes());
        put_zip64(&mut bytes, &extra);
        bytes
    }

    fn central_header(&self, entry: &Entry) -> Vec<u8> {
        let mut bytes = b"PK\x01\x02".to_vec();
        put_u16(&mut bytes, 45); // made by version 4.5
        let mut extra = Vec::new();
        if entry.size >= self.limit {
            extra.put_u64(entry.size);
            extra.put_u64(entry.size);
        }
        if entry.offset >= self.limit {
            extra.put_u64(entry.offset);
        }
        self.common_fields(&mut bytes, entry, &extra);
        put_u16(&mut bytes, 0); // comment
        put_u16(&mut bytes, 0); // disk
        put_u16(&mut bytes, 0); // internal attributes
        bytes.put_u32(0); // external attributes
        bytes.put_u32(self.short(entry.offset));
        bytes.extend_from_slice(entry.name.as_bytes());
        put_zip64(&mut bytes, &extra);
        bytes
    }

    /// The common fields of both headers, from the version needed to the length of the extra field.
    fn common_fields(&self, bytes: &mut Vec<u8>, entry: &Entry, extra: &[u8]) {
        put_u16(bytes, if extra.is_empty() { 20 } else { 45 });
        put_u16(bytes, 0); // flags
        put_u16(bytes, 0); // stored
        put_u16(bytes, 0); // 00:00:00, always the same so that equal runs give equal files
        put_u16(bytes, 0x21); // 1980-01-01
        bytes.put_u32(entry.crc);
        bytes.put_u32(self.short(entry.size));
        bytes.put_u32(self.short(entry.size));
        put_u16(bytes, entry.name.len() as u16);
        put_u16(bytes, if extra.is_empty() { 0 } else { extra.len() as u16 + 4 });
    }
}

fn put_zip64(bytes: &mut Vec<u8>, extra: &[u8]) {
    if !extra.is_empty() {
        put_u16(bytes, 1);
        put_u16(bytes, extra.len() as u16);
        bytes.extend_from_slice(extra);
    }
}

fn put_u16(bytes: &mut Vec<u8>, value: u16) {
    bytes.extend_from_slice(&value.to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn u16_at(b: &[u8], at: usize) -> usize {
        u16::from_le_bytes(b[at..at + 2].try_into().unwrap()) as usize
    }

    fn u32_at(b: &[u8], at: usize) -> u64 {
        u32::from_le_bytes(b[at..at + 4].try_into().unwrap()) as u64
    }

    fn u64_at(b: &[u8], at: usize) -> u64 {
        u64::from_le_bytes(b[at..at + 8].try_into().unwrap())
    }

    /// A reader that follows the directory, zip64 or not, and checks every field that a reader uses.
    fn read(b: &[u8]) -> Vec<(String, Vec<u8>)> {
        let end = b.len() - 22;
        assert_eq!(&b[end..end + 4], b"PK\x05\x06");
        let (mut count, mut at) = (u16_at(b, end + 10) as u64, u32_at(b, end + 16));
        if at == LIMIT {
            assert_eq!(&b[end - 20..end - 16], b"PK\x06\x07");
            let zip64 = u64_at(b, end - 12) as usize;
            assert_eq!(&b[zip64..zip64 + 4], b"PK\x06\x06");
            (count, at) = (u64_at(b, zip64 + 32), u64_at(b, zip64 + 48));
        }
        let mut at = at as usize;
        let mut files = Vec::new();
        for _ in 0..count {
            assert_eq!(&b[at..at + 4], b"PK\x01\x02");
            let (crc, mut size, mut offset) = (u32_at(b, at + 16), u32_at(b, at + 24), u32_at(b, at + 42));
            let (name, extra) = (u16_at(b, at + 28), u16_at(b, at + 30));
            let mut field = at + 46 + name + 4;
            for value in [&mut size, &mut offset] {
                if *value == LIMIT {
                    *value = u64_at(b, field);
                    field += 16;
                }
            }
            let local = offset as usize;
            assert_eq!(&b[local..local + 4], b"PK\x03\x04");
            assert_eq!(u32_at(b, local + 14), crc);
            let data = local + 30 + u16_at(b, local + 26) + u16_at(b, local + 28);
            let contents = b[data..data + size as usize].to_vec();
            assert_eq!(crc32fast::hash(&contents) as u64, crc);
            files.push((String::from_utf8(b[at + 46..at + 46 + name].to_vec()).unwrap(), contents));
            at += 46 + name + extra;
        }
        files
    }

    /// The 4 GB limit of zip64 is lowered to a few bytes, so that each field crosses it.
    #[test]
    fn archives_are_read_back_on_both_sides_of_the_zip64_limit() {
        let files = [("a.npy", vec![1u8; 10]), ("b.npy", vec![2; 100]), ("c.npy", vec![])];
        for limit in [LIMIT, 1000, 200, 150, 100, 50, 10, 1] {
            let mut zip = Zip::new(Cursor::new(Vec::new()));
            zip.limit = limit;
            for (name, contents) in &files {
                zip.add_bytes(name, contents).unwrap();
            }
            let bytes = zip.finish().unwrap().into_inner();
            let expected: Vec<_> = files.iter().map(|(n, c)| (n.to_string(), c.clone())).collect();
            assert_eq!(read(&bytes), expected, "limit {limit}");
        }
    }
}
