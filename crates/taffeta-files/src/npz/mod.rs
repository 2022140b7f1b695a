//! NumPy archives: `numpy.load` opens them without any other program. They do not contain bodies.
//!
//! | array | shape | what |
//! |---|---|---|
//! | `positions` | (frames + 1, vertices, 3) f64 | m, frame 0 is the start |
//! | `times` | (frames + 1) f64 | s |
//! | `triangles` | (triangles, 3) int32 | vertices, counted from 0 over all cloths |
//! | `uv` | (triangles, 3, 2) f64 | material coordinates of the corners, m; absent if there are none |
//! | `rest` | (vertices, 3) f64 | rest shape before `place`, m |
//! | `cloth_offsets` | (cloths + 1) int64 | first vertex of each cloth, then the number of vertices |

mod read;
mod unzip;
mod write;
mod zip;

use crate::bytes::PutBytes;
use crate::format::{BodiesIn, FormatInfo, Reader, Writer};
use zip::Zip;

pub(crate) const FORMAT: FormatInfo = FormatInfo {
    name: "npz",
    aliases: &["numpy"],
    line: "one NumPy archive with positions, times, triangles, uv and rest shape",
    written: &["npz"],
    read: &["npz"],
    reader: Reader::Recorded(read::parse),
    writer: Writer::File {
        write: |path, _, frames| write::write(path, frames),
        size: |surface, x| {
            let (vertices, triangles) = (x.len() as u64, surface.triangles.len() as u64);
            [60 * triangles + 24 * vertices, 24 * vertices + 8]
        },
    },
    most_frames: u64::MAX,
    even: false,
    bodies: BodiesIn::Nothing,
};

/// The header of an array in NumPy's format, version 1.0.
pub(crate) fn npy_header(kind: &str, shape: &[u64]) -> Vec<u8> {
    let sizes: String = shape.iter().map(|n| format!("{n}, ")).collect();
    // a tuple with one element needs its comma
    let sizes = if shape.len() == 1 { sizes.trim_end() } else { sizes.trim_end_matches(", ") };
    let mut text = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({sizes}), }}");
    // the data begins at a multiple of 64 bytes
    while !(10 + text.len() + 1).is_multiple_of(64) {
        text.push(' ');
    }
    text.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend_from_slice(&(text.len() as u16).to_le_bytes());
    bytes.extend_from_slice(text.as_bytes());
    bytes
}

/// The bytes of an array of integers or floats that fits in memory.
pub(crate) fn npy(kind: &str, shape: &[u64], values: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut bytes = npy_header(kind, shape);
    values(&mut bytes);
    bytes
}

/// The bytes of an array of int64 values.
pub(crate) fn npy_i64(values: &[usize]) -> Vec<u8> {
    npy("<i8", &[values.len() as u64], |bytes| values.iter().for_each(|&value| bytes.put_u64(value as u64)))
}
