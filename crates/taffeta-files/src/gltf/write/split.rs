//! Splitting of vertices that have several uv.

use crate::Surface;
use std::collections::HashMap;
use taffeta::ClothRange;

/// A cloth in the form that glTF needs.
pub(super) struct Split {
    /// The surface vertex of each vertex in the file.
    pub sources: Vec<u32>,
    /// One uv for each vertex, v down; empty if the surface has none.
    pub uv: Vec<[f32; 2]>,
    pub triangles: Vec<[u32; 3]>,
}

/// Meshes with fewer triangles may have seams anywhere.
const SMALL: usize = 32;

impl Split {
    /// As [`new`](Self::new), without uv that were generated per triangle because the mesh had none.
    pub fn of_run(surface: &Surface, cloth: &ClothRange) -> Self {
        let split = Self::new(surface, cloth);
        let corners = 3 * split.triangles.len();
        let more = |count: usize| count.saturating_sub(cloth.vertices.len());
        let torn = split.triangles.len() >= SMALL && 2 * more(split.sources.len()) > more(corners);
        if torn { Self::new(&Surface { uv: Vec::new(), ..surface.clone() }, cloth) } else { split }
    }

    /// Each vertex keeps its number; copies with another uv are appended.
    pub fn new(surface: &Surface, cloth: &ClothRange) -> Self {
        let first = cloth.vertices.start;
        let mut split = Self {
            sources: cloth.vertices.clone().map(|v| v as u32).collect(),
            uv: Vec::new(),
            triangles: Vec::with_capacity(cloth.triangles.len()),
        };
        let triangles = &surface.triangles[cloth.triangles.clone()];
        let Some(uv) = surface.uv.get(cloth.triangles.clone()).filter(|uv| !uv.is_empty()) else {
            split.triangles.extend(triangles.iter().map(|t| t.map(|v| v - first as u32)));
            return split;
        };
        split.uv = vec![[0.0, 1.0]; split.sources.len()];
        let mut known: Vec<Option<[u64; 2]>> = vec![None; split.sources.len()];
        // used for lookup only, never iterated
        let mut others: HashMap<(u32, [u64; 2]), u32> = HashMap::new();
        for (t, uv) in triangles.iter().zip(uv) {
            split.triangles.push(std::array::from_fn(|corner| {
                let v = t[corner] - first as u32;
                let bits = uv[corner].map(f64::to_bits);
                let value = [uv[corner][0] as f32, (1.0 - uv[corner][1]) as f32];
                match known[v as usize] {
                    None => {
                        known[v as usize] = Some(bits);
                        split.uv[v as usize] = value;
                        v
                    }
                    Some(other) if other == bits => v,
                    Some(_) => *others.entry((v, bits)).or_insert_with(|| {
                        split.sources.push(t[corner]);
                        split.uv.push(value);
                        split.sources.len() as u32 - 1
                    }),
                }
            }));
        }
        split
    }
}
