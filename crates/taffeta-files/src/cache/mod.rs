//! `positions.bin`: the positions of every finished frame. It can be read while a run is in progress.
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
//! | 32 | f64 | frames per second |
//! | 40 | u64 | where the first record begins, in bytes from the start of the file |
//! | 48 | u32 | 0 |
//! | 52 | u32 | checksum of bytes 0 to 51 |
//!
//! Data that stays the same in all frames follows, from byte 56 on:
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
//! One record of 20 + 24 V bytes follows for each frame, starting with frame 0 (the start), without gaps:
//!
//! | type | what |
//! |---|---|
//! | u64 | number of the frame |
//! | f64 | time, s |
//! | V × 3 f64 | positions, m |
//! | u32 | checksum of the record up to here |
//!
//! Records are only ever appended. An incomplete last record is a frame in progress: readers ignore it.

mod read;
mod write;

pub use read::CacheReader;
pub use write::CacheWriter;

use crate::DiskError;
use crate::bytes::{PutBytes, TakeBytes, checksum};
use std::path::PathBuf;

/// Version of the format that is written. No other version is read.
pub const VERSION: u32 = 1;

const MAGIC: &[u8; 8] = b"TAFFETA\x1a";
const HEADER: usize = 56;

/// Why a cache cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CacheError {
    /// The system reported an error.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// The file is not a cache.
    #[error("{} is not a cache of positions", path.display())]
    NotACache {
        /// The file.
        path: PathBuf,
    },
    /// The file was written by another version of this program.
    #[error("{} has version {found} of the format, and this program reads version {VERSION}", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
    /// The data before the frames is damaged, so no frame can be read.
    #[error("the beginning of {} is damaged: {what}", path.display())]
    Front {
        /// The file.
        path: PathBuf,
        /// Which part is damaged.
        what: String,
    },
    /// The checksum of a frame does not match.
    #[error("{} is damaged: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Which part is damaged.
        what: String,
    },
    /// The frame does not exist.
    #[error("{} has no frame {frame}: {}", path.display(), match .frames { 0 => "it has \
        none".to_string(), n => format!("the last is {}", n - 1) })]
    NoFrame {
        /// The file.
        path: PathBuf,
        /// The requested frame.
        frame: u64,
        /// Number of complete frames, including the start.
        frames: u64,
    },
    /// A position is not finite. Such positions are never written.
    #[error("vertex {vertex} has no finite position in frame {frame}")]
    NotFinite {
        /// The frame.
        frame: u64,
        /// Number of the vertex, counted over all cloths.
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

    /// Decodes bytes whose magic and version were checked; `None` if they are damaged.
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

/// Size of a record in bytes.
fn record_size(vertices: u64) -> u64 {
    20 + 24 * vertices
}
