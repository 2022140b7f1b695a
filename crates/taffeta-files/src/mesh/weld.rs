//! Welding: vertices at the same place are merged.

use super::{FileMesh, Note};
use std::collections::{HashMap, HashSet};
use taffeta::Vec3;

/// Which vertices are kept, and which are merged into them.
#[derive(Clone, Debug)]
pub(crate) struct Weld {
    /// The new number of each vertex.
    number: Vec<u32>,
    /// The vertices that are kept, in ascending order.
    kept: Vec<u32>,
}

impl Weld {
    /// Merges each vertex into the first kept one that is within `distance`, so that chains are not merged.
    pub fn new(x: &[Vec3], distance: f64) -> Self {
        let mut weld = Self { number: Vec::with_capacity(x.len()), kept: Vec::new() };
        // kept vertices by cell; they are more than `distance` apart, so a cell has few
        let mut cells: HashMap<[i64; 3], Vec<u32>> = HashMap::new();
        for (i, &p) in x.iter().enumerate() {
            let cell = cell_of(p, distance);
            let near = |other: &u32| x[weld.kept[*other as usize] as usize].distance_squared(p) <= distance * distance;
            let reach = if distance == 0.0 { 0 } else { 1 };
            let mut best: Option<u32> = None;
            for dx in -reach..=reach {
                for dy in -reach..=reach {
                    for dz in -reach..=reach {
                        let around = [cell[0] + dx, cell[1] + dy, cell[2] + dz];
                        let found = cells.get(&around).and_then(|list| list.iter().copied().filter(near).min());
                        best = best.into_iter().chain(found).min();
                    }
                }
            }
            let number = best.unwrap_or_else(|| {
                let number = weld.kept.len() as u32;
                weld.kept.push(i as u32);
                cells.entry(cell).or_default().push(number);
                number
            });
            weld.number.push(number);
        }
        weld
    }

    /// Reduces other positions of the same vertices to the vertices that are kept.
    pub fn gather(&self, x: &mut Vec<Vec3>) {
        // indices ascend: none is overwritten before it is read
        for (to, &from) in self.kept.iter().enumerate() {
            x[to] = x[from as usize];
        }
        x.truncate(self.kept.len());
    }

    /// Welds a mesh. Triangles that lose a corner are dropped, with a note.
    pub fn apply(&self, mesh: &mut FileMesh) {
        let joined = mesh.positions.len() - self.kept.len();
        if joined == 0 {
            return;
        }
        self.gather(&mut mesh.positions);
        mesh.triangles.as_flattened_mut().iter_mut().for_each(|v| *v = self.number[*v as usize]);
        let stays: Vec<bool> = mesh.triangles.iter().map(|[a, b, c]| a != b && b != c && c != a).collect();
        let dropped = stays.iter().filter(|stays| !**stays).count();
        if dropped > 0 {
            let mut before = Vec::with_capacity(stays.len() + 1);
            before.push(0);
            before.extend(stays.iter().scan(0, |sum, &stays| {
                *sum += usize::from(stays);
                Some(*sum)
            }));
            let mut each = stays.iter();
            mesh.triangles.retain(|_| *each.next().unwrap_or(&true));
            if let Some(uv) = &mut mesh.uv {
                let mut each = stays.iter();
                uv.retain(|_| *each.next().unwrap_or(&true));
            }
            for part in mesh.parts.iter_mut().chain(&mut mesh.groups) {
                part.triangles = before[part.triangles.start]..before[part.triangles.end];
            }
            mesh.parts.retain(|part| !part.triangles.is_empty());
            mesh.groups.retain(|group| !group.triangles.is_empty());
            // triangles can no longer be assigned to faces
            mesh.polygons.clear();
        }
        mesh.notes.push(Note::Welded { joined, dropped });
    }
}

/// Number of vertices that coincide exactly with another.
pub(crate) fn duplicates(x: &[Vec3]) -> usize {
    let places: HashSet<[i64; 3]> = x.iter().map(|&p| cell_of(p, 0.0)).collect();
    x.len() - places.len()
}

/// Cells are as large as the distance; for 0 every position is its own cell.
fn cell_of(p: Vec3, distance: f64) -> [i64; 3] {
    p.to_array().map(|value| match distance {
        // -0 and 0 are the same
        0.0 => (value + 0.0).to_bits() as i64,
        _ => (value / distance).floor() as i64,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_join_the_first_within_the_distance_and_no_chains_form() {
        let x: Vec<Vec3> = [0.0, 0.9, 1.8, 2.7, -0.0].map(|x| Vec3::X * x).to_vec();
        let weld = Weld::new(&x, 1.0);
        assert_eq!((weld.number, weld.kept), (vec![0, 0, 1, 1, 0], vec![0, 2]));
        assert_eq!(Weld::new(&x, 0.0).kept, [0, 1, 2, 3]);
        assert_eq!(duplicates(&x), 1);
    }

    #[test]
    fn welding_agrees_with_comparing_all_pairs() {
        let mut seed = 7u64;
        let mut random = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 40) as f64 / (1u64 << 24) as f64
        };
        let x: Vec<Vec3> = (0..600).map(|_| Vec3::new(random(), random(), random() * 0.1)).collect();
        for distance in [1e-9, 0.02, 0.1, 5.0] {
            let mut kept: Vec<u32> = Vec::new();
            let mut number = Vec::new();
            for (i, p) in x.iter().enumerate() {
                let found = kept.iter().position(|&k| x[k as usize].distance_squared(*p) <= distance * distance);
                number.push(found.unwrap_or(kept.len()) as u32);
                if found.is_none() {
                    kept.push(i as u32);
                }
            }
            let weld = Weld::new(&x, distance);
            assert_eq!((weld.number, weld.kept), (number, kept), "{distance}");
        }
    }

    #[test]
    fn a_cut_square_is_sewn_and_a_triangle_without_area_goes() {
        let text = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 0 0\nv 1 1 0\nv 0 1 0\ng a\nf 1 2 3\nf 1 4 2\ng b\nf 4 5 6\n";
        let mut mesh = crate::obj::parse(text.as_bytes()).unwrap();
        Weld::new(&mesh.positions, 0.0).apply(&mut mesh);
        assert_eq!(mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
        assert_eq!(mesh.parts.iter().map(|p| p.triangles.clone()).collect::<Vec<_>>(), [0..1, 1..2]);
        assert_eq!(mesh.notes, [Note::Welded { joined: 2, dropped: 1 }]);
    }
}
