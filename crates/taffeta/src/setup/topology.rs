//! Edges of a triangle mesh and the triangles on their two sides.

use super::MeshProblem;
use rayon::prelude::*;

/// Stands for a missing triangle or vertex.
pub(crate) const NONE: u32 = u32::MAX;

/// An edge with its one or two triangles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Edge {
    /// Ends, in the direction of the first triangle.
    pub v: [u32; 2],
    /// Triangles; on the border the second is [`NONE`].
    pub triangles: [u32; 2],
    /// The third vertex of each triangle.
    pub opposite: [u32; 2],
}

impl Edge {
    /// Whether it has two triangles.
    pub fn is_inner(&self) -> bool {
        self.triangles[1] != NONE
    }
}

/// Edges sorted by their smaller, then larger vertex. The triangles must refer to existing, different vertices.
pub(crate) fn edges_of(triangles: &[[u32; 3]]) -> Result<Vec<Edge>, Vec<MeshProblem>> {
    // a side is (smaller vertex, larger vertex, triangle, corner that the side starts from)
    let mut sides: Vec<(u32, u32, u32, u8)> = Vec::with_capacity(3 * triangles.len());
    for (i, t) in triangles.iter().enumerate() {
        for c in 0..3 {
            let (a, b) = (t[c], t[(c + 1) % 3]);
            sides.push((a.min(b), a.max(b), i as u32, c as u8));
        }
    }
    sides.par_sort_unstable();

    let mut edges = Vec::with_capacity(sides.len() / 2 + 1);
    let mut problems = Vec::new();
    for group in sides.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        let ends = |s: &(u32, u32, u32, u8)| {
            let t = triangles[s.2 as usize];
            let c = s.3 as usize;
            ([t[c], t[(c + 1) % 3]], t[(c + 2) % 3])
        };
        let (v, opposite) = ends(&group[0]);
        match group {
            [one] => edges.push(Edge { v, triangles: [one.2, NONE], opposite: [opposite, NONE] }),
            [one, two] => {
                let (other, across) = ends(two);
                if other == v {
                    problems.push(MeshProblem::Flipped { edge: v, triangles: [one.2, two.2] });
                }
                edges.push(Edge { v, triangles: [one.2, two.2], opposite: [opposite, across] });
            }
            more => problems.push(MeshProblem::NonManifold {
                edge: v,
                triangles: [more[0].2, more[1].2, more[2].2],
                count: more.len() as u32,
            }),
        }
    }
    if problems.is_empty() { Ok(edges) } else { Err(problems) }
}
