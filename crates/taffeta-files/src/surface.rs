//! The data that stays the same in all frames.

use crate::bytes::{PutBytes, TakeBytes};
use taffeta::{ClothRange, Vec3, World};

/// The triangles of all cloths. Together with the positions of a frame it can be drawn or exported.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// The pieces of cloth, in the order of their vertices.
    pub cloths: Vec<ClothRange>,
    /// Rest positions, m.
    pub rest: Vec<Vec3>,
    /// Triangles, whose vertices are numbered over all cloths.
    pub triangles: Vec<[u32; 3]>,
    /// Material coordinates of the triangles' corners, m; empty if there are none.
    pub uv: Vec<[[f64; 2]; 3]>,
}

impl Surface {
    /// The surface of a world.
    pub fn of(world: &World) -> Self {
        Self {
            cloths: world.cloths.clone(),
            rest: world.rest.clone(),
            triangles: world.triangles.clone(),
            uv: world.uv.clone(),
        }
    }

    /// Index of the first vertex of each cloth, followed by the number of all vertices.
    pub fn cloth_offsets(&self) -> Vec<usize> {
        self.cloths.iter().map(|cloth| cloth.vertices.start).chain([self.rest.len()]).collect()
    }

    /// One uv for each vertex; `None` if a vertex on a seam has several, or there are none.
    pub fn vertex_uv(&self) -> Option<Vec<[f64; 2]>> {
        if self.uv.is_empty() {
            return None;
        }
        let mut found: Vec<Option<[f64; 2]>> = vec![None; self.rest.len()];
        for (&v, uv) in self.triangles.as_flattened().iter().zip(self.uv.as_flattened()) {
            let known = *found[v as usize].get_or_insert(*uv);
            if known != *uv {
                return None;
            }
        }
        Some(found.into_iter().map(Option::unwrap_or_default).collect())
    }

    /// Encodes the surface for a cache: see [`crate::cache`].
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(24 * self.rest.len() + 60 * self.triangles.len() + 64 * self.cloths.len());
        for cloth in &self.cloths {
            bytes.put_u64(cloth.vertices.start as u64);
            bytes.put_u64(cloth.vertices.end as u64);
            bytes.put_u64(cloth.triangles.start as u64);
            bytes.put_u64(cloth.triangles.end as u64);
            bytes.put_u32(cloth.name.len() as u32);
            bytes.extend_from_slice(cloth.name.as_bytes());
        }
        bytes.put_points(&self.rest);
        for triangle in &self.triangles {
            triangle.iter().for_each(|&v| bytes.put_u32(v));
        }
        for corners in &self.uv {
            corners.as_flattened().iter().for_each(|&value| bytes.put_f64(value));
        }
        bytes
    }

    /// Decodes a surface; `None` if the bytes are invalid. Allocates no more than the bytes can fill.
    pub(crate) fn from_bytes(bytes: &[u8], cloths: usize, vertices: usize, triangles: usize) -> Option<Self> {
        let mut bytes = TakeBytes(bytes);
        let mut surface = Self::default();
        for _ in 0..cloths {
            let mut number = || bytes.u64().and_then(|value| usize::try_from(value).ok());
            let (v, t) = (number()?..number()?, number()?..number()?);
            let length = bytes.u32()? as usize;
            let name = std::str::from_utf8(bytes.take(length)?).ok()?.to_string();
            if v.start > v.end || v.end > vertices || t.start > t.end || t.end > triangles {
                return None;
            }
            surface.cloths.push(ClothRange { name, vertices: v, triangles: t });
        }
        bytes.points(vertices, &mut surface.rest)?;
        let mut block = TakeBytes(bytes.take(triangles.checked_mul(12)?)?);
        for _ in 0..triangles {
            let triangle = [block.u32()?, block.u32()?, block.u32()?];
            if triangle.iter().any(|&v| v as usize >= vertices) {
                return None;
            }
            surface.triangles.push(triangle);
        }
        let mut block = TakeBytes(bytes.take(triangles.checked_mul(48)?)?);
        for _ in 0..triangles {
            let mut corner = || Some([block.f64()?, block.f64()?]);
            surface.uv.push([corner()?, corner()?, corner()?]);
        }
        bytes.0.is_empty().then_some(surface)
    }
}
