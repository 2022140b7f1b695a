//! Wavefront OBJ: reads cloth meshes, writes one file per frame.
//!
//! This crate has its own reader because an error in a mesh must be shown with its line. It reads `v`, `vt`, `f`, `o`
//! and `g`; several objects and groups are read as one mesh with several parts.

mod read;
mod write;

pub use crate::mesh::Note;
pub use read::{parse, parse_positions, parse_vertices, read, read_positions};
pub use write::ObjWriter;

use crate::Surface;
use crate::format::{BodiesIn, FormatInfo, FrameWriter, Reader, Writer};

pub(crate) const FORMAT: FormatInfo = FormatInfo {
    name: "obj",
    aliases: &[],
    line: "a Wavefront OBJ file for each frame, with uv",
    written: &["obj"],
    read: &["obj"],
    reader: Reader::Still { mesh: parse, vertices: Some(parse_positions) },
    writer: Writer::Sequence(frames),
    most_frames: u64::MAX,
    even: false,
    bodies: BodiesIn::Vertices,
};

pub(crate) fn frames(surface: &Surface) -> FrameWriter {
    let writer = ObjWriter::new(surface);
    Box::new(move |out, x| writer.write(out, x))
}
