//! Which triangles of the cloth cross others, or bodies that are meshes.

use crate::{Frame, RenderError, Subject, body};
use taffeta::{Shape, Vec3, intersect};

/// For each triangle of the cloth whether it crosses one of the cloth or of a body that is a mesh, by an exact test.
pub(crate) fn which(subject: &Subject, frame: &Frame) -> Result<Vec<bool>, RenderError> {
    let mut crossed = intersect::which_cross(frame.positions, &subject.triangles);
    for solid in &subject.bodies {
        let Shape::Mesh(mesh) = &solid.shape else { continue };
        let first = frame.positions.len() as u32;
        let of_body = body::outline(solid, frame.time)?;
        let x: Vec<Vec3> = frame.positions.iter().copied().chain(of_body).collect();
        let triangles: Vec<[u32; 3]> = mesh.triangles().iter().map(|v| v.map(|v| v + first)).collect();
        let with_body = intersect::which_cross_between(&x, &subject.triangles, &triangles);
        crossed.iter_mut().zip(with_body).for_each(|(crossed, also)| *crossed |= also);
    }
    Ok(crossed)
}
