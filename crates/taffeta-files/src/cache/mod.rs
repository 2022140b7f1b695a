//! `positions.bin`: the positions of every finished frame, readable while a run goes on.
//!
//! All numbers are little-endian; all checksums are CRC-32 as in zlib, PNG and zip. The file begins with a header:
//!
//! | offset | type | what |
//! |---|---|---|
//! | 0 | 8 bytes | `TAFFETA` and a byte 0x1A |
//! | 8 | u32 | version of the format, 1 |
//! | 12 | u32 | number of cloths |
//! | 16 | u64 | number of vertices, V |
//! | 24 | u64 | number of triangles, M |
//! | 32 | f64 | frames in a second |
//! | 40 | u64 | where the first record begins, in bytes from the start of the file |
//! | 48 | u32 | 0 |
//! | 52 | u32 | checksum of bytes 0 to 51 |
//!
//! then what stays the same in all frames, from byte 56 on:
//!
//! | type | what |
//! |---|---|
//! | for each cloth | first vertex, last vertex + 1, first triangle, last triangle + 1 (u64 each) |
//! | | bytes of its name (u32), its name in UTF-8 |
//! | V × 3 f64 | rest positions, m |
//! | M × 3 u32 | vertices of the triangles, counted from 0 |
//! | M × 6 f64 | material coordinates u, v of the corners of the triangles, m |
//! | u32 | checksum of this block, from byte 56 on |
//!
//! then one record of 20 + 24 V bytes for each frame, frame 0 (the start) first, none left out:
//!
//! | type | what |
//! |---|---|
//! | u64 | number of the frame |
//! | f64 | time, s |
//! | V × 3 f64 | positions, m |
//! | u32 | checksum of the record up to here |
//!
//! Records are only ever appended. A last record that is cut off is a frame in work: readers ignore it.

mod read;
mod write;

pub use read::CacheReader;
pub use write::CacheWriter;

use crate::DiskError;
use crate::bytes::{PutBytes, TakeBytes, checksum};
use std::path::PathBuf;

/// Version of the format that is written, and the only one that is read.
pub const VERSION: u32 = 1;

const MAGIC: &[u8; 8] = b"TAFFETA\x1a";
const HEADER: usize = 56;

/// Why a cache cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CacheError {
    /// The system refused.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// Some other file.
    #[error("{} is not a cache of positions", path.display())]
    NotACache {
        /// The file.
        path: PathBuf,
    },
    /// Written by another version of this program.
    #[error("{} has version {found} of the format, and this program reads version {VERSION}", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
    /// What comes before the frames is damaged, so that none of them can be read.
    #[error("the beginning of {} is damaged: {what}", path.display())]
    Front {
        /// The file.
        path: PathBuf,
        /// Which part.
        what: String,
    },
    /// The checksum of a frame does not fit.
    #[error("{} is damaged: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Which part.
        what: String,
    },
    /// A frame that is not there.
    #[error("{} has no frame {frame}: {}", path.display(), match .frames { 0 => "it has \
        none".to_string(), n => format!("the last is {}", n - 1) })]
    NoFrame {
        /// The file.
        path: PathBuf,
        /// The frame asked for.
        frame: u64,
        /// Number of whole frames, the start included.
        frames: u64,
    },
    /// A position that is no place is never written.
    #[error("vertex {vertex} has no finite position in frame {frame}")]
    NotFinite {
        /// The frame.
        frame: u64,
        /// Counted over all cloths.
        vertex: usize,
    },
}

/// The numbers at the front of the file.
#[derive(Clone, Debug, PartialEq)]
struct Header {
    cloths: u32,
    vertices: u64,
    triangles: u64,
    fps: f64,
    first_record: u64,
}

impl Header {
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEADER);
        bytes.extend_from_slice(MAGIC);
        bytes.put_u32(VERSION);
        bytes.put_u32(self.cloths);
        bytes.put_u64(self.vertices);
        bytes.put_u64(self.triangles);
        bytes.put_f64(self.fps);
        bytes.put_u64(self.first_record);
        bytes.put_u32(0);
        bytes.put_u32(checksum(&bytes));
        bytes
    }

    /// Back from bytes whose magic and version were checked; `None` if they are damaged.
    fn from_bytes(bytes: &[u8; HEADER]) -> Option<Self> {
        let mut rest = TakeBytes(&bytes[12..]);
        let header = Self {
            cloths: rest.u32()?,
            vertices: rest.u64()?,
            triangles: rest.u64()?,
            fps: rest.f64()?,
            first_record: rest.u64()?,
        };
        (rest.u32()? == 0 && rest.u32()? == checksum(&bytes[..HEADER - 4])).then_some(header)
    }
}

/// Bytes of a record.
fn record_size(vertices: u64) -> u64 {
    20 + 24 * vertices
}
