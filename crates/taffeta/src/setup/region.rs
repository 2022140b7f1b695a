//! Parts of a cloth with another material.

use super::{Cloth, Fabric, Material, Problems, Select};
use crate::Vec3;

/// A part of a cloth with other rest lengths or another fabric: the triangles whose corners are all selected. Where
/// regions overlap, the last counts.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    /// Vertices of the region.
    pub select: Select,
    /// Stretch along warp and weft at which the cloth is at rest: b_u and b_v of Baraff & Witkin 1998, Sec. 4.2. Values
    /// above 1 make the cloth larger than its uv.
    pub stretch_rest: [f64; 2],
    /// The fabric; that of the cloth if absent.
    pub fabric: Option<Fabric>,
}

impl Region {
    /// A region like the rest of its cloth.
    pub fn new(select: Select) -> Self {
        Self { select, stretch_rest: [1.0; 2], fabric: None }
    }
}

/// Material of each triangle of a cloth.
#[derive(Debug)]
pub(crate) struct Patches<'a> {
    /// Fabric and rest stretch of the cloth itself, then of its regions.
    kinds: Vec<(&'a Fabric, [f64; 2])>,
    /// Index into `kinds` of each triangle; empty without regions.
    kind: Vec<u32>,
}

impl<'a> Patches<'a> {
    /// `None` for raw constants, which belong to particles and springs instead of triangles.
    pub(crate) fn new(path: &str, cloth: &'a Cloth, start: &[Vec3], problems: &mut Problems) -> Option<Self> {
        let Material::Fabric(own) = &cloth.material else { return None };
        let mut kinds = vec![(own, [1.0; 2])];
        let mut kind = vec![0; if cloth.regions.is_empty() { 0 } else { cloth.mesh.triangles.len() }];
        for (number, region) in cloth.regions.iter().enumerate() {
            let mut inside = vec![false; start.len()];
            region.select.vertices(&cloth.mesh, start).into_iter().for_each(|v| inside[v as usize] = true);
            let triangles = cloth.mesh.triangles.iter().zip(&mut kind);
            let mut empty = true;
            for (_, kind) in triangles.filter(|(t, _)| t.iter().all(|&v| inside[v as usize])) {
                *kind = kinds.len() as u32;
                empty = false;
            }
            if empty {
                problems.add(
                    path,
                    &format!("region.{number}.select"),
                    "the selection holds no whole triangle: the region would change nothing",
                    "select all corners of at least one triangle, or leave the region out",
                );
            }
            kinds.push((region.fabric.as_ref().unwrap_or(own), region.stretch_rest));
        }
        Some(Self { kinds, kind })
    }

    /// Fabric and rest stretch of a triangle of the cloth.
    pub fn of(&self, triangle: usize) -> (&'a Fabric, [f64; 2]) {
        self.kinds[self.kind.get(triangle).map_or(0, |&kind| kind as usize)]
    }

    /// Whether the whole cloth is of one kind.
    pub fn is_plain(&self) -> bool {
        self.kind.is_empty()
    }

    /// Sums a value per area to one per vertex: each vertex gets a third of each of its triangles. `vertex_area` is the
    /// area alone.
    pub fn per_vertex(
        &self,
        triangles: &[[u32; 3]],
        area: &[f64],
        vertex_area: &[f64],
        value: impl Fn(&Fabric) -> f64,
    ) -> Vec<f64> {
        if self.is_plain() {
            let value = value(self.of(0).0);
            return vertex_area.iter().map(|a| a * value).collect();
        }
        let mut sums = vec![0.0; vertex_area.len()];
        for (i, (t, area)) in triangles.iter().zip(area).enumerate() {
            let third = area / 3.0 * value(self.of(i).0);
            t.iter().for_each(|&v| sums[v as usize] += third);
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::{Mesh, Pattern};

    fn sheet(regions: Vec<Region>) -> Cloth {
        let mesh = Mesh::grid([0.4, 0.1], [4, 1], Pattern::OneDiagonal).unwrap();
        Cloth { regions, ..Cloth::new("sheet", mesh) }
    }

    fn columns(from: f64, to: f64) -> Select {
        Select::Uv { min: [from, 0.0], max: [to, 1.0] }
    }

    #[test]
    fn of_several_regions_the_last_that_holds_all_corners_counts() {
        let heavy = Fabric { density: 1.0, ..Fabric::default() };
        let cloth = sheet(vec![
            Region { fabric: Some(heavy), ..Region::new(columns(0.1, 0.4)) },
            Region { stretch_rest: [1.1, 0.9], ..Region::new(columns(0.25, 1.0)) }, // vertex columns 3 and 4
        ]);
        let mut problems = Problems::default();
        let patches = Patches::new("cloth.0", &cloth, &cloth.mesh.rest, &mut problems).unwrap();
        assert!(problems.is_empty());
        let found: Vec<_> = (0..8).map(|t| (patches.of(t).0.density, patches.of(t).1)).collect();
        let cells = [(0.15, [1.0; 2]), (1.0, [1.0; 2]), (1.0, [1.0; 2]), (0.15, [1.1, 0.9])];
        let both: Vec<_> = cells.iter().flat_map(|cell| [*cell; 2]).collect();
        assert_eq!(found, both);
    }

    #[test]
    fn every_triangle_brings_its_own_mass() {
        let cloth = sheet(vec![Region {
            fabric: Some(Fabric { density: 1.0, ..Fabric::default() }),
            ..Region::new(columns(0.0, 0.2))
        }]);
        let patches = Patches::new("cloth.0", &cloth, &cloth.mesh.rest, &mut Problems::default()).unwrap();
        let (area, vertex_area) = (vec![0.005; 8], vec![0.0; 10]);
        let mass = patches.per_vertex(&cloth.mesh.triangles, &area, &vertex_area, |fabric| fabric.density);
        assert!((mass.iter().sum::<f64>() - (0.02 * 1.0 + 0.02 * 0.15)).abs() < 1e-15);
        // vertex 4, the corner right-bottom, has one light triangle; vertex 0 has two heavy ones, vertex 2 has both
        // kinds
        assert!((mass[4] - 0.005 / 3.0 * 0.15).abs() < 1e-18, "{mass:?}");
        assert!((mass[0] - 2.0 * 0.005 / 3.0).abs() < 1e-18, "{mass:?}");
        assert!((mass[2] - 0.005 / 3.0 * (1.0 + 2.0 * 0.15)).abs() < 1e-17, "{mass:?}");
    }

    #[test]
    fn regions_without_a_triangle_are_refused_and_raw_cloth_has_none() {
        let mut cloth = sheet(vec![Region::new(columns(0.05, 0.15)), Region::new(columns(0.0, 0.1))]);
        let mut problems = Problems::default();
        Patches::new("cloth.0", &cloth, &cloth.mesh.rest, &mut problems);
        let list = problems.into_list();
        assert_eq!((list.len(), list[0].path.as_str()), (1, "cloth.0.region.0.select"));
        cloth.regions.clear();
        assert!(Patches::new("cloth.0", &cloth, &cloth.mesh.rest, &mut Problems::default()).unwrap().is_plain());
        let raw = crate::setup::Raw {
            mass: 1.0,
            structural: 1.0,
            shear: 0.0,
            flexion: 0.0,
            hinge: 0.0,
            damping: crate::setup::ViscousDamping::Critical,
            along: 0.0,
        };
        cloth.material = Material::Raw(raw);
        assert!(Patches::new("cloth.0", &cloth, &cloth.mesh.rest, &mut Problems::default()).is_none());
    }
}
