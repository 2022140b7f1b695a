//! Estimate of the size of an export, before it is written.

use super::Format;
use crate::Surface;
use crate::format::{FrameWriter, Writer};
use crate::obj;
use std::io::{self, Write};
use taffeta::Vec3;

/// Estimated bytes of an export of this many frames similar to `x`.
pub(crate) fn estimate(format: Format, surface: &Surface, x: &[Vec3], frames: u64) -> u64 {
    // the size depends on the values: write one frame and count its bytes
    let frame = |writer: FrameWriter| counted(|out| writer(out, x));
    let [once, each] = match format.info().writer {
        Writer::File { size, .. } => size(surface, x),
        Writer::Sequence(writer) => [0, frame(writer(surface))],
        Writer::Caches(_) => [frame(obj::frames(surface)), 12 * x.len() as u64 + 4],
    };
    frames.saturating_mul(each).saturating_add(once)
}

/// Number of bytes that `write` writes.
fn counted(write: impl FnOnce(&mut Counter) -> io::Result<()>) -> u64 {
    let mut counter = Counter(0);
    // a counter cannot fail
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
