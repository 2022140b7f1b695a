//! The data that a picture shows.

use crate::RenderError;
use taffeta::{Body, ClothRange, SpringKind, Vec3, World};

/// Data that is the same in all frames of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Subject {
    /// The pieces of cloth, in the order of their vertices; each has its own colours.
    pub cloths: Vec<ClothRange>,
    /// Triangles as vertex numbers, counter-clockwise seen from the front.
    pub triangles: Vec<[u32; 3]>,
    /// Material coordinates of the triangles' corners, m, for textures and strains.
    pub uv: Vec<[[f64; 2]; 3]>,
    /// Number of vertices.
    pub vertices: usize,
    /// Solid bodies.
    pub bodies: Vec<Body>,
    /// Springs, for [`Look::Springs`](crate::Look::Springs); may be empty otherwise.
    pub springs: Vec<Segment>,
}

/// A spring to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Vertices at its ends.
    pub ends: [u32; 2],
    /// Structural is blue, shear green, flexion yellow.
    pub kind: SpringKind,
}

/// One frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Frame<'a> {
    /// Time, s.
    pub time: f64,
    /// Position of each vertex, m.
    pub positions: &'a [Vec3],
    /// Time and positions of a neighbouring frame, from which speeds are computed.
    pub before: Option<(f64, &'a [Vec3])>,
    /// Values for [`Quantity::Given`](crate::Quantity::Given).
    pub values: Option<Values<'a>>,
}

/// A value for each vertex or for each triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Values<'a> {
    /// One for each vertex.
    Vertices(&'a [f64]),
    /// One for each triangle.
    Triangles(&'a [f64]),
}

impl Subject {
    /// The cloths, bodies and springs of a world.
    pub fn of(world: &World) -> Self {
        let springs = SpringKind::ALL
            .into_iter()
            .flat_map(|kind| world.springs(kind).map(move |spring| Segment { ends: [spring.a, spring.b], kind }));
        Self {
            cloths: world.cloths.clone(),
            triangles: world.triangles.clone(),
            uv: world.uv.clone(),
            vertices: world.rest.len(),
            bodies: world.bodies.clone(),
            springs: springs.collect(),
        }
    }

    /// Checks that its parts fit each other.
    pub(crate) fn check_surface(&self) -> Result<(), RenderError> {
        let vertices = self.vertices;
        same("material coordinates", self.triangles.len(), self.uv.len())?;
        let numbers = self.triangles.as_flattened().iter().chain(self.springs.iter().flat_map(|s| &s.ends));
        match numbers.into_iter().find(|&&v| v as usize >= vertices) {
            Some(&vertex) => Err(RenderError::NoVertex { vertex, vertices }),
            None => Ok(()),
        }
    }

    /// Checks that a frame fits the subject.
    pub(crate) fn check(&self, frame: &Frame) -> Result<(), RenderError> {
        let vertices = self.vertices;
        same("positions", vertices, frame.positions.len())?;
        if let Some((_, before)) = frame.before {
            same("positions of the other frame", vertices, before.len())?;
        }
        match frame.values {
            Some(Values::Vertices(values)) => same("values", vertices, values.len())?,
            Some(Values::Triangles(values)) => same("values", self.triangles.len(), values.len())?,
            None => {}
        }
        self.check_surface()?;
        match frame.positions.iter().position(|p| !p.is_finite()) {
            Some(vertex) => Err(RenderError::NotFinite { vertex }),
            None => Ok(()),
        }
    }

    /// The number of each triangle's cloth; 0 for triangles without one.
    pub(crate) fn cloth_of_triangles(&self) -> Vec<u16> {
        let mut cloth = vec![0; self.triangles.len()];
        for (i, range) in self.cloths.iter().enumerate() {
            let end = range.triangles.end.min(cloth.len());
            cloth[range.triangles.start.min(end)..end].fill(i as u16);
        }
        cloth
    }
}

fn same(what: &'static str, expected: usize, found: usize) -> Result<(), RenderError> {
    if expected == found { Ok(()) } else { Err(RenderError::Count { what, expected, found }) }
}
