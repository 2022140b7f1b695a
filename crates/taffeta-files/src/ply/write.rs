//! Writing PLY, little-endian.

use crate::Surface;
use std::io::{self, Write};
use taffeta::Vec3;

/// Writes frames of the same surface. Constant parts are encoded once.
///
/// Vertices keep their number and order. If each has one uv, these are written as `s t` of the vertices, as most
/// programs expect; a surface with seams has lists `texcoord` of the faces instead, so that it is not cut open.
pub struct PlyWriter {
    header: String,
    uv: Option<Vec<[f64; 2]>>,
    faces: Vec<u8>,
}

impl PlyWriter {
    /// Encodes the parts that are the same in all frames.
    pub fn new(surface: &Surface) -> Self {
        let uv = surface.vertex_uv();
        let listed = uv.is_none() && !surface.uv.is_empty();
        let mut header = String::from("ply\nformat binary_little_endian 1.0\ncomment Taffeta; metres, y up\n");
        header += &format!("element vertex {}\n", surface.rest.len());
        header += "property float x\nproperty float y\nproperty float z\n";
        if uv.is_some() {
            header += "property float s\nproperty float t\n";
        }
        header += &format!("element face {}\n", surface.triangles.len());
        header += "property list uchar int vertex_indices\n";
        if listed {
            header += "property list uchar float texcoord\n";
        }
        header += "end_header\n";

        let mut faces = Vec::with_capacity(surface.triangles.len() * if listed { 38 } else { 13 });
        for (i, triangle) in surface.triangles.iter().enumerate() {
            faces.push(3);
            triangle.iter().for_each(|&v| faces.extend_from_slice(&v.to_le_bytes()));
            if listed {
                faces.push(6);
                let values = surface.uv[i].as_flattened().iter();
                values.for_each(|&value| faces.extend_from_slice(&(value as f32).to_le_bytes()));
            }
        }
        Self { header, uv, faces }
    }

    /// Writes one frame.
    ///
    /// # Panics
    /// If there are fewer positions than vertices.
    pub fn write(&self, mut out: impl Write, x: &[Vec3]) -> io::Result<()> {
        out.write_all(self.header.as_bytes())?;
        for (i, p) in x.iter().enumerate() {
            for value in p.to_array() {
                out.write_all(&(value as f32).to_le_bytes())?;
            }
            for value in self.uv.iter().flat_map(|uv| uv[i]) {
                out.write_all(&(value as f32).to_le_bytes())?;
            }
        }
        out.write_all(&self.faces)
    }
}
