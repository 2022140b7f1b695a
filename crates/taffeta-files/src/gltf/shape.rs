//! The primitives of a mesh.

use super::accessor::Few;
use super::container::Contents;
use super::document::{Attributes, Primitive};
use super::{bad, get};
use crate::mesh::Note;
use crate::wrong::Wrong;
use std::ops::Range;
use taffeta::Vec3;

/// Triangles with vertices of their own.
#[derive(Clone, Debug, Default)]
pub(super) struct Shape {
    pub positions: Vec<Vec3>,
    pub targets: Vec<Target>,
    pub influences: Vec<Influences>,
    pub largest_joint: u32,
    /// Texture coordinates, v up.
    pub uv: Option<Vec<[f64; 2]>>,
    pub triangles: Vec<[u32; 3]>,
    /// Triangles of each primitive, and its material.
    pub materials: Vec<(Range<usize>, usize)>,
}

/// Offsets of a morph target, for each vertex or for a few.
#[derive(Clone, Debug)]
pub(super) enum Target {
    All(Vec<[f64; 3]>),
    Few(Few<3>),
}

/// Four joints of each vertex and their weights.
#[derive(Clone, Debug)]
pub(super) struct Influences {
    pub joints: Vec<[u32; 4]>,
    pub weights: Vec<[f64; 4]>,
}

/// Loads the shapes of a mesh; primitives that share their vertices are merged.
pub(super) fn load(contents: &Contents, mesh: usize, notes: &mut Vec<Note>) -> Result<Vec<Shape>, Wrong> {
    let mesh_entry = get(&contents.document.meshes, "mesh", mesh, "nodes")?;
    let mut shapes: Vec<(&Attributes, &[Attributes], Shape)> = Vec::new();
    for (i, primitive) in mesh_entry.primitives.iter().enumerate() {
        let place = format!("meshes[{mesh}].primitives[{i}]");
        let mode = primitive.mode.unwrap_or(4);
        if mode < 4 {
            notes.push(Note::NotRead { what: format!("{place} (points or lines)") });
            continue;
        }
        let known = shapes.iter().position(|(a, t, _)| **a == primitive.attributes && **t == primitive.targets[..]);
        let index = match known {
            Some(index) => index,
            None => {
                let shape = vertices(contents, primitive, &place)?;
                shapes.push((&primitive.attributes, &primitive.targets, shape));
                shapes.len() - 1
            }
        };
        let shape = &mut shapes[index].2;
        let (triangles, dropped) = triangles(contents, primitive, mode, shape.positions.len(), &place)?;
        if dropped > 0 {
            notes.push(Note::NotRead { what: format!("{place}: {dropped} triangles that use a vertex twice: this") });
        }
        let begin = shape.triangles.len();
        shape.triangles.extend(triangles);
        shape.materials.extend(primitive.material.map(|material| (begin..shape.triangles.len(), material)));
    }
    Ok(shapes.into_iter().map(|(_, _, shape)| shape).filter(|shape| !shape.triangles.is_empty()).collect())
}

fn vertices(contents: &Contents, primitive: &Primitive, place: &str) -> Result<Shape, Wrong> {
    let attribute = |name: &str| primitive.attributes.get(name).copied();
    let position = attribute("POSITION").ok_or_else(|| bad(place, "it has no POSITION"))?;
    let positions = contents.elements::<3>(position, "VEC3", "POSITION")?;
    let count = positions.len();
    let same_count = |found: usize, name: &str| match found == count {
        true => Ok(()),
        false => Err(bad(place, format!("{name} has {found} elements, and POSITION has {count}"))),
    };
    let mut shape = Shape { positions: positions.into_iter().map(Vec3::from_array).collect(), ..Shape::default() };
    if let Some(index) = attribute("TEXCOORD_0") {
        let uv = contents.elements::<2>(index, "VEC2", "TEXCOORD_0")?;
        same_count(uv.len(), "TEXCOORD_0")?;
        shape.uv = Some(uv.into_iter().map(|[u, v]| [u, 1.0 - v]).collect());
    }
    for set in 0.. {
        let (joints, weights) = (format!("JOINTS_{set}"), format!("WEIGHTS_{set}"));
        let (Some(j), Some(w)) = (attribute(&joints), attribute(&weights)) else { break };
        let found = Influences {
            joints: contents.integers::<4>(j, "VEC4", &joints)?,
            weights: contents.elements::<4>(w, "VEC4", &weights)?,
        };
        same_count(found.joints.len(), &joints)?;
        same_count(found.weights.len(), &weights)?;
        let largest = found.joints.as_flattened().iter().max().copied().unwrap_or(0);
        shape.largest_joint = shape.largest_joint.max(largest);
        shape.influences.push(found);
    }
    for target in &primitive.targets {
        let Some(&index) = target.get("POSITION") else {
            shape.targets.push(Target::Few(Vec::new()));
            continue;
        };
        same_count(contents.count(index, "a morph target")?, "a morph target")?;
        shape.targets.push(match contents.few::<3>(index, "VEC3", "a morph target")? {
            Some(few) => Target::Few(few),
            None => Target::All(contents.elements::<3>(index, "VEC3", "a morph target")?),
        });
    }
    Ok(shape)
}

/// Triangles of a list (4), strip (5) or fan (6), and the number of degenerate ones.
fn triangles(
    contents: &Contents,
    primitive: &Primitive,
    mode: u32,
    count: usize,
    place: &str,
) -> Result<(Vec<[u32; 3]>, usize), Wrong> {
    let corners: Vec<u32> = match primitive.indices {
        Some(index) => contents.integers::<1>(index, "SCALAR", "indices")?.into_iter().flatten().collect(),
        None => {
            contents.charge(count)?;
            (0..count as u32).collect()
        }
    };
    if let Some(i) = corners.iter().position(|&v| v as usize >= count) {
        return Err(bad(place, format!("index {i} is vertex {}, which does not exist: there are {count}", corners[i])));
    }
    let strip = |(i, w): (usize, &[u32])| if i % 2 == 0 { [w[0], w[1], w[2]] } else { [w[1], w[0], w[2]] };
    let all: Vec<[u32; 3]> = match mode {
        4 if !corners.len().is_multiple_of(3) => {
            return Err(bad(place, format!("{} corners are no whole number of triangles", corners.len())));
        }
        4 => corners.as_chunks::<3>().0.to_vec(),
        5 => corners.windows(3).enumerate().map(strip).collect(),
        6 => corners.get(1..).unwrap_or_default().windows(2).map(|w| [corners[0], w[0], w[1]]).collect(),
        _ => return Err(bad(place, format!("mode {mode} is not known"))),
    };
    let before = all.len();
    let whole: Vec<[u32; 3]> = all.into_iter().filter(|[a, b, c]| a != b && b != c && c != a).collect();
    // strips are connected by triangles without area
    let dropped = if mode == 4 { before - whole.len() } else { 0 };
    Ok((whole, dropped))
}
