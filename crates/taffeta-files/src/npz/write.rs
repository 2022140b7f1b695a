//! Writing an archive.

use super::{Zip, npy, npy_header, npy_i64};
use crate::DiskError;
use crate::bytes::PutBytes;
use crate::disk::DiskFile;
use crate::export::{ExportError, Frames};
use std::io::{self, BufWriter};
use std::path::Path;

/// Writes all frames without rounding.
pub(super) fn write(path: &Path, frames: &mut Frames) -> Result<(), ExportError> {
    let io = |source: io::Error| DiskError::new("write", path, source);
    let (count, vertices) = (frames.count(), frames.surface().rest.len() as u64);
    let mut zip = Zip::new(BufWriter::with_capacity(1 << 20, DiskFile::create(path)?));

    let header = npy_header("<f8", &[count, vertices, 3]);
    let mut times = npy_header("<f8", &[count]);
    let mut bytes = Vec::new();
    zip.add("positions.npy", header.len() as u64 + count * vertices * 24, io, |put| {
        put(&header).map_err(io)?;
        frames.for_each(|frame| {
            times.put_f64(frame.time);
            bytes.clear();
            bytes.put_points(frame.x);
            Ok(put(&bytes).map_err(io)?)
        })
    })?;

    let surface = frames.surface();
    let triangles = npy("<i4", &[surface.triangles.len() as u64, 3], |bytes| {
        surface.triangles.as_flattened().iter().for_each(|&vertex| bytes.put_u32(vertex));
    });
    let rest = npy("<f8", &[vertices, 3], |bytes| bytes.put_points(&surface.rest));
    let offsets = npy_i64(&surface.cloth_offsets());
    let uv = npy("<f8", &[surface.uv.len() as u64, 3, 2], |bytes| {
        surface.uv.as_flattened().as_flattened().iter().for_each(|&value| bytes.put_f64(value));
    });
    for (name, bytes) in
        [("times.npy", times), ("triangles.npy", triangles), ("rest.npy", rest), ("cloth_offsets.npy", offsets)]
    {
        zip.add_bytes(name, &bytes).map_err(io)?;
    }
    if !surface.uv.is_empty() {
        zip.add_bytes("uv.npy", &uv).map_err(io)?;
    }
    let file = zip.finish().map_err(io)?.into_inner().map_err(|error| io(error.into_error()))?;
    Ok(file.sync().map_err(io)?)
}
