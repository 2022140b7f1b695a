//! Reading archives written by Taffeta or by `numpy.savez`.

use super::unzip::entries;
use crate::mesh::{FileMesh, Part};
use crate::moving::Recorded;
use crate::problem::{Collector, Problems};
use crate::wrong::{FARTHEST, Wrong};
use taffeta::{MAX_VERTICES, Vec3};

/// An array whose numbers are not decoded yet.
struct Array<'a> {
    kind: String,
    shape: Vec<usize>,
    bytes: &'a [u8],
}

/// Reads `positions` and `triangles`, and `times`, `uv`, `rest` and `cloth_offsets` if present. `fps` gives the times
/// of an archive without them.
pub(crate) fn parse(bytes: &[u8], fps: f64) -> Result<(FileMesh, Recorded), Problems> {
    read(bytes, fps).or_else(|wrong| Collector::one(None, wrong))
}

pub(super) fn wrong(what: impl Into<String>) -> Wrong {
    Wrong::Header { what: what.into() }
}

fn read(bytes: &[u8], fps: f64) -> Result<(FileMesh, Recorded), Wrong> {
    let files = entries(bytes)?;
    let array = |name: &str| match files.iter().find(|(found, _)| found.strip_suffix(".npy") == Some(name)) {
        Some((_, bytes)) => npy(name, bytes).map(Some),
        None => Ok(None),
    };
    let needed = |name: &str| array(name)?.ok_or_else(|| wrong(format!("there is no array `{name}`")));

    let positions = needed("positions")?;
    let (frames, vertices) = match positions.shape.as_slice() {
        [frames, vertices, 3] if *frames > 0 && *vertices > 0 => (*frames, *vertices),
        shape => return Err(wrong(format!("`positions` has the shape {shape:?}, not (frames, vertices, 3)"))),
    };
    if vertices as u64 > MAX_VERTICES {
        return Err(Wrong::TooManyVertices { count: vertices as u64, limit: MAX_VERTICES });
    }
    let points = |array: &Array| -> Result<Vec<Vec3>, Wrong> {
        let values = array.floats()?;
        let points: Vec<Vec3> = values.as_chunks::<3>().0.iter().map(|p| Vec3::from_array(*p)).collect();
        match points.iter().position(|p| p.is_nan() || p.abs().max_element() > FARTHEST) {
            Some(i) => {
                let inner = Wrong::NotFinite { text: points[i].to_string() };
                Err(Wrong::In { of: "vertex", number: (i % vertices) as u64, wrong: Box::new(inner) })
            }
            None => Ok(points),
        }
    };
    let all = points(&positions)?;
    let times = match array("times")? {
        Some(times) => times.floats()?,
        None => (0..frames).map(|k| k as f64 / fps).collect(),
    };
    if times.len() != frames || times.iter().any(|time| !time.is_finite()) {
        return Err(wrong(format!("`times` has {} values for {frames} frames, or one that is no time", times.len())));
    }
    if let Some(pair) = times.windows(2).find(|pair| pair[1] <= pair[0]) {
        return Err(Wrong::TimeNotRising { time: pair[1], previous: pair[0] });
    }

    let triangles = needed("triangles")?;
    if triangles.shape.get(1) != Some(&3) || triangles.shape.len() != 2 || triangles.shape[0] == 0 {
        return Err(wrong(format!("`triangles` has the shape {:?}, not (triangles, 3)", triangles.shape)));
    }
    let corners = triangles.integers()?;
    if let Some(&index) = corners.iter().find(|&&v| v < 0 || v >= vertices as i64) {
        return Err(Wrong::NoSuch { of: "vertex", index, count: vertices });
    }
    let triangles: Vec<[u32; 3]> = corners.as_chunks::<3>().0.iter().map(|t| t.map(|v| v as u32)).collect();
    let uv = match array("uv")? {
        Some(uv) if uv.shape == [triangles.len(), 3, 2] => {
            let values = uv.floats()?;
            if values.iter().any(|value| !value.is_finite()) {
                return Err(wrong("`uv` has a value that is not finite"));
            }
            let corner = |c: &[f64; 6]| [[c[0], c[1]], [c[2], c[3]], [c[4], c[5]]];
            Some(values.as_chunks::<6>().0.iter().map(corner).collect())
        }
        Some(uv) => return Err(wrong(format!("`uv` has the shape {:?}, not (triangles, 3, 2)", uv.shape))),
        None => None,
    };
    let rest = match array("rest")? {
        Some(rest) if rest.shape == [vertices, 3] => Some(points(&rest)?),
        Some(rest) => return Err(wrong(format!("`rest` has the shape {:?}, not (vertices, 3)", rest.shape))),
        None => None,
    };
    let offsets = array("cloth_offsets")?.map(|array| array.integers()).transpose()?.unwrap_or_default();
    let mesh = FileMesh {
        positions: all[..vertices].to_vec(),
        parts: parts(&triangles, &offsets),
        triangles,
        uv,
        ..FileMesh::default()
    };
    let frames = all.chunks_exact(vertices).map(<[Vec3]>::to_vec).collect();
    Ok((mesh, Recorded { times, frames, fps: None, rest }))
}

/// Runs of triangles whose vertices belong to the same cloth.
fn parts(triangles: &[[u32; 3]], offsets: &[i64]) -> Vec<Part> {
    let cloth = |t: &[u32; 3]| offsets.partition_point(|&first| first <= i64::from(t[0]));
    let mut parts: Vec<Part> = Vec::new();
    let mut before = None;
    for (i, t) in triangles.iter().enumerate() {
        let now = cloth(t);
        match parts.last_mut() {
            Some(part) if before == Some(now) => part.triangles.end = i + 1,
            _ => parts.push(Part { name: format!("cloth-{now}"), triangles: i..i + 1 }),
        }
        before = Some(now);
    }
    parts
}

/// Reads a little-endian number of N bytes.
pub(super) fn number<const N: usize>(bytes: &[u8], at: usize) -> Result<u64, Wrong> {
    let cut = || Wrong::CutOff { what: "the directory of the archive".into(), needed: N as u64, found: 0 };
    let taken = bytes.get(at..).and_then(|rest| rest.get(..N)).ok_or_else(cut)?;
    Ok(taken.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte)))
}

/// Reads the header and data of an array.
fn npy<'a>(name: &str, b: &'a [u8]) -> Result<Array<'a>, Wrong> {
    let bad = |what: &str| wrong(format!("`{name}`: {what}"));
    if !b.starts_with(b"\x93NUMPY") {
        return Err(bad("this is not an array of NumPy"));
    }
    let (begin, length) = match b.get(6) {
        Some(1) => (10, number::<2>(b, 8)? as usize),
        Some(2 | 3) => (12, number::<4>(b, 8)? as usize),
        _ => return Err(bad("this version of NumPy's format is not read")),
    };
    let header = begin_end(b, begin, length).ok_or_else(|| bad("its header is cut off"))?;
    let header = String::from_utf8_lossy(header);
    let after = |key: &str| header.split_once(key).map(|(_, rest)| rest.trim_start_matches([':', ' ']));
    let kind = after("'descr'").and_then(|rest| rest.strip_prefix('\'')?.split('\'').next());
    let kind = kind.ok_or_else(|| bad("its type is not plain numbers"))?.to_string();
    if !after("'fortran_order'").is_some_and(|rest| rest.starts_with("False")) {
        return Err(bad("it is stored column by column: use numpy.ascontiguousarray"));
    }
    let shape = after("'shape'").and_then(|rest| rest.strip_prefix('(')?.split(')').next());
    let sizes = shape.ok_or_else(|| bad("it has no shape"))?.split(',').map(str::trim).filter(|text| !text.is_empty());
    let shape: Vec<usize> = sizes.map(str::parse).collect::<Result<_, _>>().map_err(|_| bad("its shape is wrong"))?;
    let width: usize = kind.get(2..).and_then(|text| text.parse().ok()).ok_or_else(|| bad("its type is not known"))?;
    let needed = shape.iter().try_fold(width, |product, &side| product.checked_mul(side));
    let data = &b[begin + length..];
    match needed {
        Some(needed) if needed <= data.len() => Ok(Array { kind, shape, bytes: &data[..needed] }),
        needed => Err(Wrong::CutOff {
            what: format!("`{name}`"),
            needed: needed.map_or(u64::MAX, |needed| needed as u64),
            found: data.len() as u64,
        }),
    }
}

fn begin_end(b: &[u8], begin: usize, length: usize) -> Option<&[u8]> {
    b.get(begin..begin.checked_add(length)?)
}

impl Array<'_> {
    fn floats(&self) -> Result<Vec<f64>, Wrong> {
        Ok(match self.kind.as_str() {
            "<f8" => self.bytes.as_chunks().0.iter().map(|b| f64::from_le_bytes(*b)).collect(),
            "<f4" => self.bytes.as_chunks().0.iter().map(|b| f64::from(f32::from_le_bytes(*b))).collect(),
            kind => return Err(wrong(format!("numbers of the type `{kind}` are not read: use float64 or float32"))),
        })
    }

    fn integers(&self) -> Result<Vec<i64>, Wrong> {
        Ok(match self.kind.as_str() {
            "<i4" => self.bytes.as_chunks().0.iter().map(|b| i64::from(i32::from_le_bytes(*b))).collect(),
            "<u4" => self.bytes.as_chunks().0.iter().map(|b| i64::from(u32::from_le_bytes(*b))).collect(),
            "<i8" => self.bytes.as_chunks().0.iter().map(|b| i64::from_le_bytes(*b)).collect(),
            kind => return Err(wrong(format!("numbers of the type `{kind}` are not read: use int32 or int64"))),
        })
    }
}
