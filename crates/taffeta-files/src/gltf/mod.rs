//! glTF 2.0 (Khronos Group, glTF 2.0 Specification, 2021): reads meshes and moving bodies, writes meshes and runs.
//!
//! ```text
//! container   GLB or text; buffers inside, as base64, or in files beside it
//! document    the JSON
//! accessor    numbers from buffers: all types, normalized, sparse
//! shape       primitives: positions, morph targets, joints, uv, triangles
//! animation   keys of nodes and weights: step, linear, cubic
//! scene       nodes, skins; positions at any time
//! write       GLB, still or with a morph target for each frame
//! ```
//!
//! The reader takes the triangles of the default scene, with the transforms of their nodes. Compressed meshes (Draco,
//! meshopt) are refused. The v axis of uv points down in glTF and up here.

mod accessor;
mod animation;
mod container;
mod document;
mod scene;
mod shape;
pub(crate) mod write;

pub use container::references;
pub use scene::{Scene, parse};

pub(crate) use container::{beside, nothing_beside};

use crate::export::in_file;
use crate::format::{BodiesIn, FormatInfo, Reader, Writer};
use crate::wrong::Wrong;
use std::fmt::Display;

/// Number of morph targets that viewers and importers accept.
const MOST_TARGETS: u64 = 256;

pub(crate) const FORMAT: FormatInfo = FormatInfo {
    name: "glb",
    aliases: &["gltf"],
    line: "one glTF file with a morph target for each frame, for viewers, the web and games",
    written: &["glb"],
    read: &["glb", "gltf"],
    reader: Reader::Scene,
    writer: Writer::File {
        write: |path, stage, frames| in_file(path, |out| write::write(out, path, stage, frames)),
        // positions and normals
        size: |surface, x| {
            let (vertices, triangles) = (x.len() as u64, surface.triangles.len() as u64);
            [12 * triangles + 8 * vertices, 24 * vertices + 8]
        },
    },
    most_frames: MOST_TARGETS,
    even: false,
    bodies: BodiesIn::Transforms,
};

/// An error at a place in the document.
fn bad(place: impl Display, what: impl Display) -> Wrong {
    Wrong::Gltf { place: place.to_string(), what: what.to_string() }
}

/// An entry of a list that another place refers to.
fn get<'a, T>(list: &'a [T], name: &str, index: usize, place: impl Display) -> Result<&'a T, Wrong> {
    list.get(index).ok_or_else(|| bad(place, format!("{name} {index} does not exist: there are {}", list.len())))
}
