//! The border of a mesh: closed loops of vertices, the longest first.

use super::Mesh;
use std::collections::HashMap;

/// A choice of border loops.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Border {
    /// All loops.
    All,
    /// One loop by number, from 0; the longest comes first.
    Loop(u32),
    /// The loop with the vertex nearest to a point in space, m, at the start and after `place`.
    Near(crate::Vec3),
}

/// The loops of a mesh, the longest first. Each follows the direction of its triangles and begins at its smallest
/// vertex.
pub(crate) fn loops(mesh: &Mesh) -> Vec<Vec<u32>> {
    let mut sides: HashMap<[u32; 2], bool> = HashMap::new();
    for t in &mesh.triangles {
        for (a, b) in [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])] {
            // a side that another triangle has in the opposite direction is not on the border
            match sides.get_mut(&[b, a]) {
                Some(alone) => *alone = false,
                None => drop(sides.insert([a, b], true)),
            }
        }
    }
    let mut border: Vec<[u32; 2]> = sides.into_iter().filter(|(_, alone)| *alone).map(|(side, _)| side).collect();
    border.sort_unstable();
    let mut taken = vec![false; border.len()];
    let mut found: Vec<Vec<u32>> = Vec::new();
    for begin in 0..border.len() {
        let mut points = Vec::new();
        let mut side = begin;
        // as many sides begin at a vertex as end there, so the path comes back to its start
        while !taken[side] {
            taken[side] = true;
            points.push(border[side][0]);
            let end = border[side][1];
            let first = border.partition_point(|other| other[0] < end);
            let next = (first..border.len()).take_while(|&i| border[i][0] == end).find(|&i| !taken[i]);
            side = next.unwrap_or(begin);
        }
        if !points.is_empty() {
            found.push(points);
        }
    }
    let mut found: Vec<(f64, Vec<u32>)> = found.into_iter().map(|points| (length(mesh, &points), points)).collect();
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    found.into_iter().map(|(_, points)| points).collect()
}

/// Length of a loop at the rest positions of the mesh, m.
pub(crate) fn length(mesh: &Mesh, points: &[u32]) -> f64 {
    let next = points.iter().cycle().skip(1);
    points.iter().zip(next).map(|(&a, &b)| mesh.rest[a as usize].distance(mesh.rest[b as usize])).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Vec3;
    use crate::setup::Pattern;

    #[test]
    fn a_grid_has_one_loop_and_a_ring_has_two_the_longest_first() {
        let grid = Mesh::grid([3.0, 2.0], [3, 2], Pattern::Alternating).unwrap();
        let found = loops(&grid);
        assert_eq!(found, [vec![0, 1, 2, 3, 7, 11, 10, 9, 8, 4]]);
        assert!((length(&grid, &found[0]) - 10.0).abs() < 1e-12);

        // the mesh is a square with a square hole, whose vertices come first
        let square = |side: f64| {
            [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[x, y]| Vec3::new(side * x, side * y, 0.0))
        };
        let rest = [square(0.5), square(1.0)].concat();
        let triangles = (0..4u32).flat_map(|i| {
            let j = (i + 1) % 4;
            [[i, 4 + i, 4 + j], [i, 4 + j, j]]
        });
        let ring = Mesh::new(rest, triangles.collect(), None).unwrap();
        let found = loops(&ring);
        assert_eq!(found.iter().map(|points| length(&ring, points)).collect::<Vec<_>>(), [8.0, 4.0]);
        assert_eq!((found[0][0], found[1][0]), (4, 0));
    }

    #[test]
    fn a_closed_mesh_has_none_and_loops_may_touch() {
        let corner = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z].to_vec();
        let closed = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
        assert!(loops(&Mesh::new(corner, closed, None).unwrap()).is_empty());
        // the two triangles share one corner
        let x =
            [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [-1.0, 0.0], [-1.0, -1.0]].map(|[x, y]| Vec3::new(x, y, 0.0)).to_vec();
        let bow = Mesh::new(x, vec![[0, 1, 2], [0, 3, 4]], None).unwrap();
        let mut all: Vec<u32> = loops(&bow).concat();
        all.sort_unstable();
        assert_eq!(all, [0, 0, 1, 2, 3, 4]);
    }
}
