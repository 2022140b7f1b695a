//! Solid bodies.

use super::{Motion, Place};
use crate::Vec3;
use crate::shape::{PoseError, Shape};
use glam::DQuat;

/// A solid body.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Name in messages and files.
    pub name: String,
    /// Shape, centred at the origin. A mesh keeps the coordinates of its file.
    pub shape: Shape,
    /// Initial pose and scale.
    pub place: Place,
    /// Motion of the body as a whole.
    pub motion: Motion,
    /// Friction coefficient; the fabric's if absent.
    pub friction: Option<f64>,
    /// Restitution coefficient.
    pub restitution: f64,
    /// How much farther cloth stays away from it than half of its own thickness, m. With contact by the barrier.
    pub thickness: f64,
}

impl Body {
    /// Whether keys move the body as a whole.
    pub fn moves(&self) -> bool {
        self.motion.keys.len() > 1
    }

    /// Whether the body is a mesh. Cloth collides with meshes by the barrier alone.
    pub fn is_mesh(&self) -> bool {
        matches!(self.shape, Shape::Mesh(_))
    }

    /// The positions of its vertices at a time, m; `None` if it is no mesh.
    pub fn vertices_at(&self, time: f64) -> Option<Result<Vec<Vec3>, PoseError>> {
        let Shape::Mesh(mesh) = &self.shape else { return None };
        let mut x = Vec::new();
        Some(mesh.at(time, &mut x).map(|()| {
            self.put(time, &mut x);
            x
        }))
    }

    /// Whether its shape changes.
    pub fn deforms(&self) -> bool {
        matches!(&self.shape, Shape::Mesh(mesh) if mesh.span().0 < mesh.span().1)
    }

    /// Position of the origin and orientation of the body at a time; its scale is constant.
    pub fn pose(&self, time: f64) -> (Vec3, DQuat) {
        let turn = DQuat::from_mat3(&self.place.rotation());
        match self.motion.at(time) {
            Some((shift, more)) => (self.place.at + shift, (more * turn).normalize()),
            None => (self.place.at, turn.normalize()),
        }
    }

    /// Transforms points of the shape to their positions at a time: scales, turns and moves them.
    pub fn put(&self, time: f64, x: &mut [Vec3]) {
        let (at, turn) = self.pose(time);
        x.iter_mut().for_each(|p| *p = at + turn * (*p * self.place.scale));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::{BodyMesh, Cloth, ContactLaw, ContactSettings, Key, Mesh, Pattern, PoseError, Setup};
    use crate::world::World;
    use std::sync::Arc;

    #[derive(Debug)]
    struct Rising {
        vertices: usize,
        triangles: Vec<[u32; 3]>,
    }

    impl BodyMesh for Rising {
        fn vertices(&self) -> usize {
            self.vertices
        }

        fn triangles(&self) -> &[[u32; 3]] {
            &self.triangles
        }

        fn positions(&self, time: f64, x: &mut Vec<Vec3>) -> Result<(), PoseError> {
            x.clear();
            x.extend([Vec3::ZERO, Vec3::Z, Vec3::X].map(|p| p + time.clamp(0.0, 2.0) * Vec3::Y));
            Ok(())
        }

        fn span(&self) -> (f64, f64) {
            (0.0, 2.0)
        }
    }

    fn body(vertices: usize, triangle: [u32; 3]) -> Body {
        Body { shape: Shape::Mesh(Arc::new(Rising { vertices, triangles: vec![triangle] })), ..Body::default() }
    }

    /// At 1 s the vertex is at (0, 1, 1): doubled (0, 2, 2), about x to (0, -2, 2), about z to (2, 0, 2).
    #[test]
    fn a_mesh_moves_by_itself_then_is_placed_then_moved_by_keys() {
        let key = |t, turn| Key { t, shift: Vec3::new(0.0, 0.0, t), turn: Vec3::new(0.0, 0.0, turn) };
        let body = Body {
            place: Place { scale: 2.0, rotate: Vec3::new(90.0, 0.0, 0.0), at: Vec3::new(1.0, 0.0, 0.0) },
            motion: Motion { keys: vec![key(0.0, 0.0), key(2.0, 180.0)], smooth: false },
            ..body(3, [0, 1, 2])
        };
        let Shape::Mesh(mesh) = &body.shape else { panic!("a mesh") };
        let mut x = Vec::new();
        mesh.at(1.0, &mut x).unwrap();
        body.put(1.0, &mut x);
        assert!(x[1].distance(Vec3::new(1.0 + 2.0, 0.0, 2.0 + 1.0)) < 1e-12, "{x:?}");
        assert!(body.moves() && body.deforms() && body == body.clone());
    }

    #[test]
    fn a_mesh_that_contradicts_itself_is_refused_with_its_element() {
        let cloth = || Cloth::new("c", Mesh::grid([1.0, 1.0], [1, 1], Pattern::Alternating).unwrap());
        for (vertices, triangle, message) in
            [(3, [0, 1, 3], "triangle 0 has vertex 3"), (4, [0, 1, 2], "3 vertices, not 4")]
        {
            let setup = Setup { bodies: vec![body(vertices, triangle)], ..Setup::with_cloth(cloth()) };
            let problems = World::new(setup).unwrap_err();
            assert_eq!((problems.len(), problems[0].path.as_str()), (1, "body.0.mesh"));
            assert!(problems[0].message.contains(message), "{}", problems[0]);
        }
        let floor = Body { place: Place { at: Vec3::new(0.0, -1.0, 0.0), ..Place::default() }, ..Body::default() };
        let setup = Setup { bodies: vec![body(3, [0, 1, 2]), floor], ..Setup::with_cloth(cloth()) };
        let contact = ContactSettings { law: ContactLaw::Constraint, ..ContactSettings::default() };
        assert_eq!(World::new(Setup { contact, ..setup }).unwrap().warnings.len(), 1);
    }
}
