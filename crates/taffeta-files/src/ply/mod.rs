//! Stanford PLY (G. Turk, The PLY Polygon File Format, 1994): reads text and both binary kinds, writes little-endian.
//!
//! The reader uses `vertex` with `x y z` and `s t` (or `u v`, `texture_u texture_v`), and `face` with `vertex_indices`
//! (or `vertex_index`) and `texcoord`. It skips all other elements and properties. PLY has no parts.

mod header;
mod read;
mod values;
mod write;

pub use read::parse;
pub use write::PlyWriter;

use crate::format::{BodiesIn, FormatInfo, Reader, Writer};

pub(crate) const FORMAT: FormatInfo = FormatInfo {
    name: "ply",
    aliases: &[],
    line: "a binary PLY file for each frame, with uv",
    written: &["ply"],
    read: &["ply"],
    reader: Reader::Still { mesh: parse, vertices: None },
    writer: Writer::Sequence(|surface| {
        let writer = PlyWriter::new(surface);
        Box::new(move |out, x| writer.write(out, x))
    }),
    most_frames: u64::MAX,
    even: false,
    bodies: BodiesIn::Vertices,
};
