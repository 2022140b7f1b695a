//! Meshes from files: one type for all formats, and operations on it before it is used.
//!
//! ```text
//! read, parse         any format, recognised by its ending or its first bytes
//!   options           unit, up-axis, weld: applied only on request
//!   polygons          faces with more than three corners, cut into triangles
//!   part              one object or group of several
//!   weld              vertices at the same place become one
//! ```
//!
//! ```
//! use taffeta_files::mesh::{self, Format, ReadOptions, Up};
//! let text = b"o flag\nv 0 0 0\nv 100 0 0\nv 100 0 50\nv 0 0 50\nf 1 2 3 4\n";
//! let options = ReadOptions { unit: 0.01, up: Up::Z, ..ReadOptions::default() };
//! let mesh = mesh::parse(Format::Obj, text, &options)?;
//! assert_eq!(mesh.positions[2].to_array(), [1.0, 0.5, 0.0]);
//! assert_eq!(mesh.parts[0].name, "flag");
//! # Ok::<(), taffeta_files::ReadError>(())
//! ```

mod note;
mod options;
mod part;
mod polygon;
mod read;
mod weld;

pub use crate::format::Format;
pub use note::Note;
pub use options::{Arranged, ReadOptions, Up};
pub use polygon::Polygon;
pub use read::{parse, parse_beside, read};

pub(crate) use polygon::cut;
pub(crate) use weld::{Weld, duplicates};

use crate::Surface;
use std::collections::BTreeMap;
use std::ops::Range;
use taffeta::{ClothRange, Vec3};

/// A mesh as it is in a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FileMesh {
    /// Positions, m.
    pub positions: Vec<Vec3>,
    /// Three vertices each, counted from 0.
    pub triangles: Vec<[u32; 3]>,
    /// Texture coordinates of the corners of each triangle, v up, if every face has them.
    pub uv: Option<Vec<[[f64; 2]; 3]>>,
    /// The objects and groups of the file that have faces, in triangle order; together they cover all triangles.
    pub parts: Vec<Part>,
    /// Names inside the file and the triangles that have them. A name may appear several times, and a triangle may have
    /// several names: objects, groups and materials of OBJ; nodes, meshes and materials of glTF.
    pub groups: Vec<Part>,
    /// Faces that had more than three corners, in the order of their triangles.
    pub polygons: Vec<Polygon>,
    /// Remarks for the user; nothing is wrong.
    pub notes: Vec<Note>,
}

/// An object or group of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// Its name in the file; may be empty.
    pub name: String,
    /// Its triangles.
    pub triangles: Range<usize>,
}

impl FileMesh {
    /// The groups by name, each with its vertices in ascending order.
    pub fn grouped(&self) -> BTreeMap<String, Vec<u32>> {
        let mut all: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        for group in self.groups.iter().filter(|group| !group.name.is_empty()) {
            let used = self.triangles[group.triangles.clone()].as_flattened();
            all.entry(group.name.clone()).or_default().extend(used);
        }
        for vertices in all.values_mut() {
            vertices.sort_unstable();
            vertices.dedup();
        }
        all
    }

    /// Number of the face in the file that a triangle comes from, counted from 0.
    pub fn face_of(&self, triangle: usize) -> usize {
        let before = self.polygons.partition_point(|p| p.first <= triangle);
        let extra = |p: &Polygon| (p.corners - 2).min(triangle + 1 - p.first) - 1;
        triangle - self.polygons[..before].iter().map(extra).sum::<usize>()
    }

    /// The surface for the writers. Parts stay separate if each has its own range of vertices, one after the other;
    /// otherwise they are merged, because the vertex order must be kept. Without uv in the mesh the surface has none.
    pub fn surface(&self, name: &str) -> Surface {
        let cloths = self.separate_parts().unwrap_or_else(|| {
            let (vertices, triangles) = (0..self.positions.len(), 0..self.triangles.len());
            vec![ClothRange { name: name.to_string(), vertices, triangles }]
        });
        Surface {
            cloths,
            rest: self.positions.clone(),
            triangles: self.triangles.clone(),
            uv: self.uv.clone().unwrap_or_default(),
        }
    }

    fn separate_parts(&self) -> Option<Vec<ClothRange>> {
        if self.parts.len() < 2 {
            return None;
        }
        let mut cloths: Vec<ClothRange> = Vec::with_capacity(self.parts.len());
        let mut end = 0;
        for part in &self.parts {
            let used = self.triangles[part.triangles.clone()].as_flattened();
            let (first, last) = (*used.iter().min()? as usize, *used.iter().max()? as usize);
            if first < end {
                return None;
            }
            // vertices without a face belong to the part before them
            let start = if cloths.is_empty() { 0 } else { first };
            if let Some(before) = cloths.last_mut() {
                before.vertices.end = first;
            }
            end = last + 1;
            let (vertices, triangles) = (start..end, part.triangles.clone());
            cloths.push(ClothRange { name: part.name.clone(), vertices, triangles });
        }
        cloths.last_mut()?.vertices.end = self.positions.len();
        Some(cloths)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub fn two_parts() -> FileMesh {
        let text =
            b"o a\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\nf 1 2 4\no b\nv 0 0 1\nv 1 0 1\nv 0 1 1\nf 5 6 7\n";
        crate::obj::parse(text).unwrap()
    }

    #[test]
    fn triangles_know_their_face() {
        let mesh = two_parts();
        assert_eq!((0..4).map(|t| mesh.face_of(t)).collect::<Vec<_>>(), [0, 0, 1, 2]);
    }

    /// Objects, groups and materials each end with the next of their kind; parts and welding keep them.
    #[test]
    fn groups_go_by_every_name_of_a_face() {
        let text = b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 1 0 0\nv 2 0 0\nv 1 1 0\nv 2 0 0\nv 2 0 0\n\
            o a\ng left both\nusemtl red\nf 1 2 3\no b\ng both\nf 4 5 6\nusemtl blue\nf 5 7 8\nf 4 6 5\n";
        let mesh = crate::obj::parse(text).unwrap();
        let all = mesh.grouped();
        assert_eq!(all.keys().collect::<Vec<_>>(), ["a", "b", "blue", "both", "left", "red"]);
        assert_eq!((&all["red"][..], &all["left"][..]), (&[0, 1, 2, 3, 4, 5][..], &[0, 1, 2][..]));
        let (part, _) = mesh.named("both").unwrap();
        assert_eq!(part.grouped()["blue"], [0, 1, 2, 3, 4]);
        let mut welded = mesh;
        Weld::new(&welded.positions, 0.0).apply(&mut welded);
        assert_eq!((&welded.grouped()["a"][..], &welded.grouped()["b"][..]), (&[0, 1, 2][..], &[1, 2, 3][..]));
    }

    #[test]
    fn parts_with_vertices_of_their_own_stay_apart_and_others_do_not() {
        let surface = two_parts().surface("both");
        assert_eq!(
            surface.cloths.iter().map(|c| (c.name.as_str(), c.vertices.clone())).collect::<Vec<_>>(),
            [("a", 0..4), ("b", 4..7)]
        );
        let shared = crate::obj::parse(b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\ng a\nf 1 2 3\ng b\nf 1 3 4\n").unwrap();
        assert_eq!(shared.parts.len(), 2);
        assert_eq!(shared.surface("both").cloths.len(), 1);
    }
}
