//! A cloth as a Mesh.

use super::Prim;
use super::text::{directions, list, points};
use crate::Surface;
use crate::disk::Naming;
use crate::export::{ExportError, Frames, Stage};
use crate::normals::normals;
use std::collections::HashMap;
use std::collections::VecDeque;
use std::io::{self, Write};
use std::path::Path;
use taffeta::{ClothRange, Vec3};

/// Writes one cloth, attribute after attribute.
pub(super) fn write(
    out: &mut impl Write,
    path: &Path,
    stage: &Stage,
    frames: &mut Frames,
    cloth: &ClothRange,
    prim: &Prim,
) -> Result<(), ExportError> {
    let moving = frames.count() > 1;
    prim.begin(out, "Mesh").and_then(|()| fixed(out, frames.surface(), cloth)).naming("write", path)?;

    let mut extents: Vec<(u64, [Vec3; 2])> = Vec::new();
    frames.for_each(|frame| {
        let x = &frame.x[cloth.vertices.clone()];
        let mut put = || {
            if frame.index == 0 {
                // programs that ask for no time use the first frame
                out.write_all(b"        point3f[] points = ")?;
                points(out, x.iter().copied())?;
                out.write_all(if moving { b"\n        point3f[] points.timeSamples = {\n" } else { b"\n" })?;
            }
            if moving {
                write!(out, "            {}: ", frame.number)?;
                points(out, x.iter().copied())?;
                out.write_all(b",\n")?;
            }
            Ok(())
        };
        put().naming("write", path)?;
        extents.push((frame.number, extent(x)));
        Ok(())
    })?;
    let mut end = || {
        if !moving {
            out.write_all(b"        float3[] extent = ")?;
            points(out, extents[0].1)?;
            return out.write_all(b"\n");
        }
        out.write_all(b"        }\n        float3[] extent.timeSamples = {\n")?;
        for (number, ends) in &extents {
            write!(out, "            {number}: ")?;
            points(out, *ends)?;
            out.write_all(b",\n")?;
        }
        out.write_all(b"        }\n")
    };
    end().naming("write", path)?;

    if stage.options.normals {
        write_normals(out, path, frames, cloth, moving)?;
    }
    if stage.options.velocities && moving {
        write_velocities(out, path, frames, cloth)?;
    }
    writeln!(out, "    }}").naming("write", path)?;
    Ok(())
}

/// Writes the parts that are the same in all frames.
fn fixed(out: &mut impl Write, surface: &Surface, cloth: &ClothRange) -> io::Result<()> {
    let first = cloth.vertices.start as u32;
    let triangles = &surface.triangles[cloth.triangles.clone()];
    writeln!(out, "        uniform token subdivisionScheme = \"none\"")?;
    writeln!(out, "        uniform token orientation = \"rightHanded\"")?;
    writeln!(out, "        uniform bool doubleSided = 1")?;
    out.write_all(b"        int[] faceVertexCounts = ")?;
    list(out, triangles, |out, _| out.write_all(b"3"))?;
    out.write_all(b"\n        int[] faceVertexIndices = ")?;
    list(out, triangles.as_flattened(), |out, v| write!(out, "{}", v - first))?;
    out.write_all(b"\n")?;

    let uv = surface.uv.get(cloth.triangles.clone()).unwrap_or_default().as_flattened();
    if !uv.is_empty() {
        // used for lookup only, never iterated: the order comes from the corners
        let mut numbers: HashMap<[u64; 2], usize> = HashMap::new();
        let mut values = Vec::new();
        let indices: Vec<usize> = uv
            .iter()
            .map(|uv| {
                *numbers.entry(uv.map(f64::to_bits)).or_insert_with(|| {
                    values.push(*uv);
                    values.len() - 1
                })
            })
            .collect();
        out.write_all(b"        texCoord2f[] primvars:st = ")?;
        list(out, values, |out, [u, v]| write!(out, "({:?}, {:?})", u as f32, v as f32))?;
        writeln!(out, " (\n            interpolation = \"faceVarying\"\n        )")?;
        out.write_all(b"        int[] primvars:st:indices = ")?;
        list(out, indices, |out, i| write!(out, "{i}"))?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

fn extent(x: &[Vec3]) -> [Vec3; 2] {
    let low = x.iter().fold(Vec3::INFINITY, |a, p| a.min(*p));
    let high = x.iter().fold(Vec3::NEG_INFINITY, |a, p| a.max(*p));
    if low.is_finite() { [low, high] } else { [Vec3::ZERO; 2] }
}

fn write_normals(
    out: &mut impl Write,
    path: &Path,
    frames: &mut Frames,
    cloth: &ClothRange,
    moving: bool,
) -> Result<(), ExportError> {
    let first = cloth.vertices.start as u32;
    let surface = frames.surface();
    let triangles: Vec<[u32; 3]> =
        surface.triangles[cloth.triangles.clone()].iter().map(|t| t.map(|v| v - first)).collect();
    let (begin, end) = match moving {
        true => (".timeSamples = {\n", "        }\n"),
        false => (" = ", ""),
    };
    let head =
        "        normal3f[] normals (\n            interpolation = \"vertex\"\n        )\n        normal3f[] normals";
    write!(out, "{head}{begin}").naming("write", path)?;
    let mut found = Vec::new();
    frames.for_each(|frame| {
        normals(&triangles, &frame.x[cloth.vertices.clone()], &mut found);
        let mut put = || {
            if moving {
                write!(out, "            {}: ", frame.number)?;
            }
            directions(out, found.iter().copied())?;
            out.write_all(if moving { b",\n" } else { b"\n" })
        };
        Ok(put().naming("write", path)?)
    })?;
    Ok(write!(out, "{end}").naming("write", path)?)
}

/// Writes velocities by central differences of the written frames; one-sided at both ends.
fn write_velocities(
    out: &mut impl Write,
    path: &Path,
    frames: &mut Frames,
    cloth: &ClothRange,
) -> Result<(), ExportError> {
    writeln!(out, "        vector3f[] velocities.timeSamples = {{").naming("write", path)?;
    let mut put = |number: u64, (ta, a): &(f64, Vec<Vec3>), (tb, b): &(f64, Vec<Vec3>)| {
        let h = if tb > ta { tb - ta } else { 1.0 };
        write!(out, "            {number}: ")?;
        points(out, a.iter().zip(b).map(|(a, b)| (*b - *a) / h))?;
        out.write_all(b",\n")
    };
    // the last three frames: when one is added, the one before it gets its velocity
    let mut recent: VecDeque<(f64, Vec<Vec3>)> = VecDeque::new();
    let mut previous = 0;
    frames.for_each(|frame| {
        recent.push_back((frame.time, frame.x[cloth.vertices.clone()].to_vec()));
        if recent.len() > 3 {
            recent.pop_front();
        }
        if frame.index > 0 {
            put(previous, &recent[0], &recent[recent.len() - 1]).naming("write", path)?;
        }
        previous = frame.number;
        Ok(())
    })?;
    if let [.., before, last] = recent.make_contiguous() {
        put(previous, before, last).naming("write", path)?;
    }
    Ok(writeln!(out, "        }}").naming("write", path)?)
}
