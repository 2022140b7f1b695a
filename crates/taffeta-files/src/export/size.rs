//! How much an export will write, before it does.

use super::Format;
use crate::Surface;
use crate::obj::ObjWriter;
use crate::ply::PlyWriter;
use std::io::{self, Write};
use taffeta::Vec3;

/// About so many bytes for an export of this many frames that look like `x`.
pub(crate) fn estimate(format: Format, surface: &Surface, x: &[Vec3], frames: u64) -> u64 {
    let (vertices, triangles) = (x.len() as u64, surface.triangles.len() as u64);
    let (once, each) = match format {
        // text, or as good as text: one is written to nowhere
        Format::Obj => (0, counted(|out| ObjWriter::new(surface).write(out, x))),
        Format::Ply => (0, counted(|out| PlyWriter::new(surface).write(out, x))),
        Format::Pc2 | Format::Mdd => (counted(|out| ObjWriter::new(surface).write(out, x)), 12 * vertices + 4),
        Format::Npz => (60 * triangles + 24 * vertices, 24 * vertices + 8),
        // positions and normals
        Format::Glb => (12 * triangles + 8 * vertices, 24 * vertices + 8),
        // the same in about ten digits a number
        Format::Usd => (72 * triangles, 66 * vertices),
    };
    frames.saturating_mul(each).saturating_add(once)
}

/// Bytes that something writes.
fn counted(write: impl FnOnce(&mut Counter) -> io::Result<()>) -> u64 {
    let mut counter = Counter(0);
    // nothing can fail that goes nowhere
    let _ = write(&mut counter);
    counter.0
}

struct Counter(u64);

impl Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
