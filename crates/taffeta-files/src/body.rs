//! Bodies that are included in an export.

use crate::export::ExportError;
use taffeta::{Body, Shape, Vec3};

/// Number of corners around a circle.
const AROUND: u32 = 32;
/// Length of the part of an infinite plane that is shown, m.
const SHOWN_PLANE: f64 = 10.0;

/// Vertices of a body at a time, and its triangles, before it is placed.
pub(crate) fn triangles(body: &Body, time: f64) -> Result<(Vec<Vec3>, Vec<[u32; 3]>), ExportError> {
    if let Shape::Mesh(mesh) = &body.shape {
        let mut x = Vec::new();
        positions(body, time, &mut x)?;
        return Ok((x, mesh.triangles().to_vec()));
    }
    Ok(body.shape.triangulate(AROUND).unwrap_or_else(|| {
        let h = 0.5 * SHOWN_PLANE;
        let corners = [[-h, h], [h, h], [h, -h], [-h, -h]].map(|[x, z]| Vec3::new(x, 0.0, z));
        (corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]])
    }))
}

/// Positions of a mesh body at a time, before it is placed.
pub(crate) fn positions(body: &Body, time: f64, x: &mut Vec<Vec3>) -> Result<(), ExportError> {
    let Shape::Mesh(mesh) = &body.shape else { return Ok(()) };
    mesh.at(time, x).map_err(|source| ExportError::Body { name: body.name.clone(), source })
}
