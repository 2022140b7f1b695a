//! GLB: the first frame is a mesh, every further frame a morph target, and weights fade from one to the next.
//!
//! ```text
//! JSON
//! BIN   triangles and uv of the cloths, then of each frame: positions and normals (of a target: moves from the first),
//!       then bodies, then the times and values of the animation
//! ```
//!
//! The first pass finds the bounds for the JSON, the second writes the data. Vertices on seams are split, since a
//! vertex has only one uv in glTF.

mod json;
mod layout;
mod split;

use crate::disk::Naming;
use crate::export::{ExportError, Frames, Stage};
use crate::normals::normals;
use layout::{Bounds, Layout};
use std::io::Write;
use std::path::Path;
use taffeta::Vec3;

/// A GLB file stores its length in 32 bits.
const LIMIT: u64 = u32::MAX as u64;

/// Writes all frames.
pub(crate) fn write(out: &mut impl Write, path: &Path, stage: &Stage, frames: &mut Frames) -> Result<(), ExportError> {
    let mut layout = Layout::new(frames, stage)?;
    frames.plan(2);

    // bounds of the first frame and of each target
    let mut first: Vec<[f32; 3]> = Vec::new();
    frames.for_each(|frame| {
        if frame.index == 0 {
            first = frame.x.iter().map(|p| p.to_array().map(|value| value as f32)).collect();
        }
        layout.times.push(frame.time as f32);
        for cloth in &layout.cloths {
            let values = cloth.split.sources.iter().map(|&v| moved(frame.index, &first, frame.x, v));
            layout.bounds.push(Bounds::of(values));
        }
        Ok(())
    })?;

    let json = layout.json(stage);
    let binary = layout.size();
    let total = 12 + 8 + json.len() as u64 + 8 + binary;
    if total > LIMIT {
        return Err(ExportError::TooLarge { bytes: total, limit: LIMIT });
    }
    let mut front = b"glTF".to_vec();
    for value in [2, total as u32, json.len() as u32] {
        front.extend_from_slice(&value.to_le_bytes());
    }
    front.extend_from_slice(b"JSON");
    front.extend_from_slice(json.as_bytes());
    front.extend_from_slice(&(binary as u32).to_le_bytes());
    front.extend_from_slice(b"BIN\0");
    out.write_all(&front).naming("write", path)?;

    // in the order of the layout
    out.write_all(&layout.fixed_bytes()).naming("write", path)?;
    let triangles = frames.surface().triangles.clone();
    let (mut n, mut n_first, mut bytes) = (Vec::new(), Vec::new(), Vec::new());
    frames.for_each(|frame| {
        bytes.clear();
        let mut put = |values: [f32; 3]| values.iter().for_each(|value| bytes.extend_from_slice(&value.to_le_bytes()));
        for cloth in &layout.cloths {
            cloth.split.sources.iter().for_each(|&v| put(moved(frame.index, &first, frame.x, v)));
        }
        if layout.normals {
            normals(&triangles, frame.x, &mut n);
            if frame.index == 0 {
                n_first.clone_from(&n);
            }
            for cloth in &layout.cloths {
                for &v in &cloth.split.sources {
                    let v = v as usize;
                    let value = if frame.index == 0 { n[v] } else { n[v] - n_first[v] };
                    put(value.to_array().map(|value| value as f32));
                }
            }
        }
        Ok(out.write_all(&bytes).naming("write", path)?)
    })?;
    out.write_all(&layout.last_bytes(stage)).naming("write", path)?;
    out.flush().naming("write", path)?;
    Ok(())
}

/// A position in the first frame, or the offset of the vertex from it. Their sum is as accurate as f32 allows.
fn moved(frame: usize, first: &[[f32; 3]], x: &[Vec3], v: u32) -> [f32; 3] {
    let (p, origin) = (x[v as usize].to_array(), first[v as usize]);
    if frame == 0 { origin } else { std::array::from_fn(|i| (p[i] - f64::from(origin[i])) as f32) }
}
