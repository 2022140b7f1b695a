//! Appending frames.

use super::{CacheError, CacheReader, HEADER, Header, record_size};
use crate::bytes::{PutBytes, checksum};
use crate::disk::Appender;
use crate::{DiskError, Surface};
use std::path::Path;
use taffeta::Vec3;

/// Appends frames to a cache. After an error the file ends with its last complete frame.
#[derive(Debug)]
pub struct CacheWriter {
    file: Appender,
    vertices: usize,
    next: u64,
    record: Vec<u8>,
}

impl CacheWriter {
    /// Creates a cache without frames; an existing file is overwritten.
    pub fn create(path: &Path, surface: &Surface, fps: f64) -> Result<Self, CacheError> {
        let block = surface.to_bytes();
        let header = Header {
            cloths: surface.cloths.len() as u32,
            vertices: surface.rest.len() as u64,
            triangles: surface.triangles.len() as u64,
            fps,
            first_record: (HEADER + block.len() + 4) as u64,
        };
        let mut front = header.to_bytes();
        front.extend_from_slice(&block);
        front.put_u32(checksum(&block));
        let mut file = Appender::create(path)?;
        file.append(&front)?;
        Ok(Self { file, vertices: surface.rest.len(), next: 0, record: Vec::new() })
    }

    /// Continues after frame `last`: checks everything up to it and removes everything after it.
    pub fn resume(path: &Path, last: u64) -> Result<Self, CacheError> {
        let mut reader = CacheReader::open(path)?;
        reader.verify(last)?;
        Ok(Self::after(reader, last)?)
    }

    /// Continues after frame `last` of a cache that was verified up to there.
    pub(crate) fn after(reader: CacheReader, last: u64) -> Result<Self, DiskError> {
        let vertices = reader.surface().rest.len();
        let end = reader.first_record() + (last + 1) * record_size(vertices as u64);
        let file = Appender::open_at(reader.path(), end)?;
        Ok(Self { file, vertices, next: last + 1, record: Vec::new() })
    }

    /// Size in bytes of a cache with this many frames, including the start.
    pub fn size(surface: &Surface, frames: u64) -> u64 {
        (HEADER + surface.to_bytes().len() + 4) as u64 + frames * record_size(surface.rest.len() as u64)
    }

    /// Appends the next frame.
    ///
    /// # Panics
    /// If the frame is not the next one, or the number of positions is not that of the surface.
    pub fn append(&mut self, frame: u64, time: f64, x: &[Vec3]) -> Result<(), CacheError> {
        assert_eq!((frame, x.len()), (self.next, self.vertices), "frames are appended in order, all vertices each");
        if let Some(vertex) = x.iter().position(|p| !p.is_finite()) {
            return Err(CacheError::NotFinite { frame, vertex });
        }
        self.record.clear();
        self.record.put_u64(frame);
        self.record.put_f64(time);
        self.record.put_points(x);
        self.record.put_u32(checksum(&self.record));
        // one write per record: readers see it complete early, and a full disk causes only one error
        self.file.append(&self.record)?;
        self.next += 1;
        Ok(())
    }

    /// Waits until all frames would survive a power cut.
    pub fn sync(&self) -> Result<(), DiskError> {
        self.file.sync()
    }
}
