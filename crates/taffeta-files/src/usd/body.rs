//! A body that does not change its shape.

use super::Prim;
use super::text::{list, points};
use crate::body::triangles;
use crate::disk::Naming;
use crate::export::{ExportError, Frames, Stage};
use std::io::{self, Write};
use std::path::Path;
use taffeta::glam::DMat4;
use taffeta::{Body, Shape, Triangles, Vec3};

/// Writes a body with its transform in each frame.
pub(super) fn write(
    out: &mut impl Write,
    path: &Path,
    stage: &Stage,
    frames: &Frames,
    body: &Body,
    prim: &Prim,
) -> Result<(), ExportError> {
    let times = frames.times(stage.fps);
    let first = times.first().copied().unwrap_or(0.0);
    let mesh = || -> Result<Triangles, ExportError> {
        let (x, triangles) = triangles(body, first)?;
        Ok((x.iter().map(|p| *p * body.place.scale).collect(), triangles))
    };
    // shapes without a USD prim are written as triangles
    let mesh = if kind(&body.shape).is_none() { Some(mesh()?) } else { None };
    Ok(prim_of(out, &times, frames, body, prim, mesh.as_ref()).naming("write", path)?)
}

/// The USD prim of a shape, if there is one.
fn kind(shape: &Shape) -> Option<&'static str> {
    match shape {
        Shape::Sphere { .. } => Some("Sphere"),
        Shape::Box { .. } => Some("Cube"),
        Shape::Capsule { .. } => Some("Capsule"),
        Shape::Cylinder { .. } => Some("Cylinder"),
        Shape::Cone { .. } => Some("Cone"),
        _ => None,
    }
}

fn prim_of(
    out: &mut impl Write,
    times: &[f64],
    frames: &Frames,
    body: &Body,
    prim: &Prim,
    mesh: Option<&Triangles>,
) -> io::Result<()> {
    prim.begin(out, kind(&body.shape).unwrap_or("Mesh"))?;
    let scale = body.place.scale;
    let mut stretch = Vec3::ONE;
    let round = |out: &mut dyn Write, radius: f64, height: f64, half: f64| {
        let (r, h) = (scale * radius, scale * half);
        writeln!(out, "        uniform token axis = \"Y\"")?;
        writeln!(out, "        double height = {}\n        double radius = {r}", scale * height)?;
        writeln!(out, "        float3[] extent = [({}, {}, {}), ({r}, {h}, {r})]", -r, -h, -r)
    };
    match &body.shape {
        Shape::Sphere { radius } => {
            let r = scale * radius;
            writeln!(out, "        double radius = {r}")?;
            writeln!(out, "        float3[] extent = [({0}, {0}, {0}), ({r}, {r}, {r})]", -r)?;
        }
        Shape::Box { size } => {
            stretch = scale * Vec3::from_array(*size);
            writeln!(out, "        double size = 1")?;
            writeln!(out, "        float3[] extent = [(-0.5, -0.5, -0.5), (0.5, 0.5, 0.5)]")?;
        }
        Shape::Capsule { radius, height } => round(out, *radius, *height, 0.5 * height + radius)?,
        Shape::Cylinder { radius, height } => round(out, *radius, *height, 0.5 * height)?,
        Shape::Cone { radius, height } => round(out, *radius, *height, 0.5 * height)?,
        _ => mesh.map_or(Ok(()), |mesh| triangles_of(out, mesh))?,
    }

    let at = |out: &mut dyn Write, time: f64| {
        let (shift, turn) = body.pose(time);
        // rows in USD are columns here
        let columns = DMat4::from_scale_rotation_translation(stretch, turn, shift).to_cols_array_2d();
        let rows = columns.map(|c| format!("({}, {}, {}, {})", c[0], c[1], c[2], c[3]));
        write!(out, "({})", rows.join(", "))
    };
    if body.moves() && times.len() > 1 {
        writeln!(out, "        matrix4d xformOp:transform.timeSamples = {{")?;
        for (number, time) in frames.numbers().iter().zip(times) {
            write!(out, "            {number}: ")?;
            at(out, *time)?;
            writeln!(out, ",")?;
        }
        writeln!(out, "        }}")?;
    } else {
        write!(out, "        matrix4d xformOp:transform = ")?;
        at(out, times.first().copied().unwrap_or(0.0))?;
        writeln!(out)?;
    }
    writeln!(out, "        uniform token[] xformOpOrder = [\"xformOp:transform\"]\n    }}")
}

fn triangles_of(out: &mut impl Write, (x, triangles): &Triangles) -> io::Result<()> {
    writeln!(out, "        uniform token subdivisionScheme = \"none\"\n        uniform bool doubleSided = 1")?;
    out.write_all(b"        int[] faceVertexCounts = ")?;
    list(out, triangles, |out, _| out.write_all(b"3"))?;
    out.write_all(b"\n        int[] faceVertexIndices = ")?;
    list(out, triangles.as_flattened(), |out, v| write!(out, "{v}"))?;
    out.write_all(b"\n        point3f[] points = ")?;
    points(out, x.iter().copied())?;
    let low = x.iter().fold(Vec3::INFINITY, |a, p| a.min(*p));
    let high = x.iter().fold(Vec3::NEG_INFINITY, |a, p| a.max(*p));
    out.write_all(b"\n        float3[] extent = ")?;
    points(out, [low, high])?;
    out.write_all(b"\n")
}
