//! How much an export will write, before it does.

use super::Format;
use crate::Surface;
use crate::format::{FrameWriter, Writer};
use crate::obj;
use std::io::{self, Write};
use taffeta::Vec3;

/// About so many bytes for an export of this many frames that look like `x`.
pub(crate) fn estimate(format: Format, surface: &Surface, x: &[Vec3], frames: u64) -> u64 {
    // text, or as good as text: one is written to nowhere
    let frame = |writer: FrameWriter| counted(|out| writer(out, x));
    let [once, each] = match format.info().writer {
        Writer::File { size, .. } => size(surface, x),
        Writer::Sequence(writer) => [0, frame(writer(surface))],
        Writer::Caches(_) => [frame(obj::frames(surface)), 12 * x.len() as u64 + 4],
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
