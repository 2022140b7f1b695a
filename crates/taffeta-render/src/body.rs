//! Solid bodies as triangles with normals, smooth except at sharp edges.

use crate::RenderError;
use crate::crease::creased;
use taffeta::{Body, Shape, Vec3};

/// Corners of the polygon that approximates a circle: enough to look round in any picture.
const AROUND: u32 = 96;

/// Triangles with a normal at each vertex.
#[derive(Debug, Default)]
pub(crate) struct Solid {
    pub points: Vec<Vec3>,
    pub normals: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
}

/// The body at a given time. A plane has no triangles: see [`plane`].
pub(crate) fn solid(body: &Body, time: f64) -> Result<Solid, RenderError> {
    let (points, triangles) = placed(body, time)?;
    let triangles = match &body.shape {
        Shape::Mesh(mesh) => mesh.triangles(),
        _ => &triangles,
    };
    Ok(creased(&points, triangles))
}

/// Points that must be in the picture for the whole body to be visible.
pub(crate) fn outline(body: &Body, time: f64) -> Result<Vec<Vec3>, RenderError> {
    Ok(placed(body, time)?.0)
}

/// Points at a given time, and the triangles unless the body is a mesh, which has its own.
fn placed(body: &Body, time: f64) -> Result<(Vec<Vec3>, Vec<[u32; 3]>), RenderError> {
    let (mut points, triangles) = body.shape.triangulate(AROUND).unwrap_or_default();
    if let Shape::Mesh(mesh) = &body.shape {
        let failed = |why: String| RenderError::Body { name: body.name.clone(), why };
        mesh.at(time, &mut points).map_err(|error| failed(error.to_string()))?;
        if let Some(v) = mesh.triangles().as_flattened().iter().find(|&&v| v as usize >= points.len()) {
            return Err(failed(format!("vertex {v} does not exist: there are {}", points.len())));
        }
    }
    body.put(time, &mut points);
    Ok((points, triangles))
}

/// A point on a plane and its normal at a given time.
pub(crate) fn plane(body: &Body, time: f64) -> Option<(Vec3, Vec3)> {
    let (at, turn) = body.pose(time);
    (body.shape == Shape::Plane).then(|| (at, turn * Vec3::Y))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;
    use taffeta::{Key, Motion, Place};

    fn body(shape: Shape) -> Body {
        let keys = vec![
            Key { t: 0.0, shift: Vec3::ZERO, turn: Vec3::ZERO },
            Key { t: 1.0, shift: Vec3::new(0.0, 3.0, 0.0), turn: Vec3::new(90.0, 0.0, 0.0) },
        ];
        Body {
            name: "b".into(),
            shape,
            place: Place { scale: 2.0, rotate: Vec3::new(0.0, 0.0, 90.0), at: Vec3::new(1.0, 0.0, 0.0) },
            motion: Motion { keys, smooth: false },
            ..Body::default()
        }
    }

    #[test]
    fn triangles_of_bodies_face_outwards_like_their_normals() {
        let shapes = [
            Shape::Sphere { radius: 1.0 },
            Shape::Box { size: [1.0, 2.0, 3.0] },
            Shape::Capsule { radius: 0.5, height: 2.0 },
            Shape::Cylinder { radius: 0.5, height: 2.0 },
            Shape::Cone { radius: 1.0, height: 2.0 },
            Shape::Torus { radius: 2.0, tube: 0.5 },
        ];
        for shape in shapes {
            let solid = solid(&body(shape.clone()), 0.3).unwrap();
            assert!(!solid.triangles.is_empty());
            for t in &solid.triangles {
                let [a, b, c] = t.map(|v| solid.points[v as usize]);
                let face = (b - a).cross(c - a);
                let normal = t.iter().map(|&v| solid.normals[v as usize]).sum::<Vec3>();
                // triangles at poles and tips have no area
                assert!(face.length() < 1e-9 || face.normalize().dot(normal.normalize()) > 0.9, "{shape:?} {t:?}");
            }
            // volume by the divergence theorem: it is right only if the surface is closed and all faces point outwards
            let volume = |t: &[u32; 3]| {
                let [a, b, c] = t.map(|v| solid.points[v as usize]);
                a.dot(b.cross(c)) / 6.0
            };
            let found: f64 = solid.triangles.iter().map(volume).sum();
            let expected = 8.0
                * match shape {
                    Shape::Sphere { .. } => 4.0 / 3.0 * PI,
                    Shape::Box { .. } => 6.0,
                    Shape::Capsule { .. } => PI * 0.25 * 2.0 + 4.0 / 3.0 * PI * 0.125,
                    Shape::Cylinder { .. } => PI * 0.25 * 2.0,
                    Shape::Cone { .. } => PI * 2.0 / 3.0,
                    _ => 2.0 * PI * 2.0 * PI * 0.25,
                };
            assert!((found / expected - 1.0).abs() < 0.01, "{shape:?}: {found}, not {expected}");
        }
    }

    #[test]
    fn plane_is_placed_and_moved() {
        let (point, normal) = plane(&body(Shape::Plane), 1.0).unwrap();
        assert!((point - Vec3::new(1.0, 3.0, 0.0)).length() < 1e-12);
        assert!((normal - Vec3::new(-1.0, 0.0, 0.0)).length() < 1e-12, "{normal}");
        assert!(plane(&body(Shape::Sphere { radius: 1.0 }), 0.0).is_none());
    }
}
