//! Parts of a mesh as meshes of their own.

use super::{FileMesh, Part, Polygon};
use crate::similar::nearest;
use crate::wrong::Wrong;
use std::collections::BTreeSet;

impl FileMesh {
    /// Returns one part as a mesh of its own, with the vertices that it uses, in the same order.
    ///
    /// # Panics
    /// If there is no such part.
    pub fn part(&self, index: usize) -> FileMesh {
        self.only(&self.parts[index..index + 1]).0
    }

    /// All parts of a name as one mesh, and the vertices that it uses, in ascending order.
    pub(crate) fn named(&self, name: &str) -> Result<(FileMesh, Vec<u32>), Wrong> {
        let parts: Vec<Part> = self.parts.iter().filter(|part| part.name == name).cloned().collect();
        if parts.is_empty() {
            let names = self.parts.iter().map(|part| part.name.as_str()).filter(|name| !name.is_empty());
            let known: BTreeSet<&str> = names.collect();
            let meant = nearest(name, known.iter().copied()).map(str::to_string);
            let names = known.into_iter().map(str::to_string).collect();
            return Err(Wrong::NoPart { name: name.to_string(), meant, names });
        }
        let (mesh, used) = self.only(&parts);
        Ok((FileMesh { notes: self.notes.clone(), ..mesh }, used))
    }

    fn only(&self, parts: &[Part]) -> (FileMesh, Vec<u32>) {
        let mut numbers = vec![u32::MAX; self.positions.len()];
        for part in parts {
            self.triangles[part.triangles.clone()].as_flattened().iter().for_each(|&v| numbers[v as usize] = 0);
        }
        let mut used = Vec::new();
        for (v, number) in numbers.iter_mut().enumerate().filter(|(_, number)| **number == 0) {
            *number = used.len() as u32;
            used.push(v as u32);
        }
        let mut mesh = FileMesh {
            positions: used.iter().map(|&v| self.positions[v as usize]).collect(),
            uv: self.uv.as_ref().map(|_| Vec::new()),
            ..FileMesh::default()
        };
        for part in parts {
            let (from, to) = (part.triangles.start, mesh.triangles.len());
            let triangles = self.triangles[part.triangles.clone()].iter();
            mesh.triangles.extend(triangles.map(|t| t.map(|v| numbers[v as usize])));
            if let (Some(uv), Some(all)) = (&mut mesh.uv, &self.uv) {
                uv.extend_from_slice(&all[part.triangles.clone()]);
            }
            let polygons = self.polygons.iter().filter(|p| part.triangles.contains(&p.first));
            mesh.polygons.extend(polygons.map(|p| Polygon { first: p.first - from + to, ..*p }));
            mesh.parts.push(Part { name: part.name.clone(), triangles: to..mesh.triangles.len() });
            for group in &self.groups {
                let begin = group.triangles.start.max(part.triangles.start);
                let end = group.triangles.end.min(part.triangles.end);
                if begin < end {
                    let triangles = begin - from + to..end - from + to;
                    mesh.groups.push(Part { name: group.name.clone(), triangles });
                }
            }
        }
        (mesh, used)
    }
}

#[cfg(test)]
mod tests {
    use taffeta::Vec3;

    #[test]
    fn a_part_has_the_vertices_that_it_uses() {
        let part = crate::mesh::tests::two_parts().part(1);
        assert_eq!(part.positions, [Vec3::Z, Vec3::new(1.0, 0.0, 1.0), Vec3::new(0.0, 1.0, 1.0)]);
        assert_eq!((part.triangles, part.parts[0].name.as_str()), (vec![[0, 1, 2]], "b"));
    }

    #[test]
    fn parts_of_one_name_are_taken_together_and_others_are_listed() {
        let text = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\ng a\nf 1 2 3\ng b\nf 1 3 4\ng a\nf 1 4 2\n";
        let mesh = crate::obj::parse(text).unwrap();
        let (both, used) = mesh.named("a").unwrap();
        assert_eq!((both.triangles, used), (vec![[0, 1, 2], [0, 3, 1]], vec![0, 1, 2, 3]));
        let (one, used) = mesh.named("b").unwrap();
        assert_eq!((one.triangles, used), (vec![[0, 1, 2]], vec![0, 2, 3]));
        assert_eq!(mesh.named("c").unwrap_err().to_string(), "there is no part `c`: the file has `a`, `b`");
    }
}
