//! Bodies that are meshes and move by themselves.

use std::sync::Arc;
use taffeta::{Body, BodyMesh, Mesh, Pattern, PoseError, Shape, Vec3};
use taffeta_render::*;

/// A box that goes 2 m to the right in a second, and has no place after 3 s.
#[derive(Debug)]
struct Going {
    points: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

impl BodyMesh for Going {
    fn vertices(&self) -> usize {
        self.points.len()
    }

    fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    fn positions(&self, time: f64, x: &mut Vec<Vec3>) -> Result<(), PoseError> {
        x.clear();
        x.extend(self.points.iter().map(|p| *p + 2.0 * time * Vec3::X));
        if time > 3.0 { Err(PoseError { time, why: "it is gone".into() }) } else { Ok(()) }
    }

    fn span(&self) -> (f64, f64) {
        (0.0, 3.0)
    }
}

fn subject() -> (Subject, Vec<Vec3>) {
    let mesh = Mesh::grid([1.0, 1.0], [4, 4], Pattern::Alternating).unwrap();
    let (points, triangles) = Shape::Box { size: [0.4; 3] }.triangulate(8).unwrap();
    let shape = Shape::Mesh(Arc::new(Going { points, triangles }));
    let bodies = vec![Body { name: "box".into(), shape, ..Body::default() }];
    let subject = Subject { vertices: 25, triangles: mesh.triangles, uv: mesh.uv, bodies, ..Subject::default() };
    (subject, mesh.rest)
}

#[test]
fn a_moving_mesh_is_in_the_picture_at_all_times_and_seen_where_it_is() {
    let (subject, x) = subject();
    let view = View { azimuth: 0.0, elevation: 0.0, fov: 30.0 };
    let picture = Picture { width: 160, height: 60, samples: 1, view, ..Picture::default() };
    let frame = |time: f64| Frame { time, positions: &x, ..Frame::default() };
    let mut survey = Survey::new(&subject, &picture).unwrap();
    [0.0, 1.0].iter().for_each(|&time| survey.add(&frame(time)).unwrap());
    let stage = survey.stage();
    let centre = stage.camera.project(Vec3::new(2.0, 0.0, 0.2), 160, 60).unwrap();
    assert!((0.0..160.0).contains(&centre[0]) && (0.0..60.0).contains(&centre[1]), "{centre:?}");
    let pixel = |time: f64| {
        let image = render(&subject, &frame(time), &stage, &picture).unwrap();
        image.pixel(centre[0] as u32, centre[1] as u32).unwrap()
    };
    let (before, there) = (pixel(0.0), pixel(1.0));
    let change: i32 = (0..3).map(|k| (i32::from(before[k]) - i32::from(there[k])).abs()).sum();
    assert!(change > 20, "{before:?} {there:?}");
}

#[test]
fn a_mesh_without_a_place_is_an_error_that_names_the_body() {
    let (subject, x) = subject();
    let picture = Picture { width: 32, height: 32, ..Picture::default() };
    let error = still(&subject, &Frame { time: 4.0, positions: &x, ..Frame::default() }, &picture).unwrap_err();
    assert_eq!(error.to_string(), "body `box`: at 4 s it is gone");
    assert!(error.help().is_some());
}
