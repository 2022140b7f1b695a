//! Meshes of any shape, and what can be wrong with them.

use crate::common::springs;
use taffeta::*;

fn square() -> (Vec<Vec3>, Vec<[u32; 3]>) {
    (vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::new(1.0, 1.0, 0.0)], vec![[0, 1, 2], [1, 3, 2]])
}

#[test]
fn grids_have_the_asked_size_area_and_mass_whatever_the_pattern() {
    for pattern in [Pattern::OneDiagonal, Pattern::Alternating, Pattern::Crossed] {
        let mesh = Mesh::grid([0.7, 0.4], [5, 3], pattern).unwrap();
        let area: f64 = (mesh.uv.iter())
            .map(|[a, b, c]| 0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])))
            .inspect(|area| assert!(*area > 0.0, "counter-clockwise"))
            .sum();
        assert!((area - 0.28).abs() < 1e-15);
        let symmetric =
            mesh.rest.iter().map(|p| p.x).sum::<f64>().abs() + mesh.rest.iter().map(|p| p.y).sum::<f64>().abs();
        assert!(symmetric < 1e-15, "centred");
        let world = World::new(springs(Cloth::new("sheet", mesh))).unwrap();
        assert!((world.mass.iter().sum::<f64>() - 0.15 * 0.28).abs() < 1e-15);
    }
}

#[test]
fn equilateral_sheets_are_filled_without_gaps() {
    let mesh = Mesh::equilateral([1.0, 0.8], 0.1).unwrap();
    let world = World::new(springs(Cloth::new("sheet", mesh.clone()))).unwrap();
    let rows = (0.8f64 / (0.1 * 0.75f64.sqrt())).round();
    let area = rows * 0.1 * 0.75f64.sqrt();
    assert!((world.mass.iter().sum::<f64>() / 0.15 - area).abs() < 1e-12);
    let again = Mesh::new(mesh.rest, mesh.triangles, Some(mesh.uv));
    assert!(again.is_ok(), "{:?}", again.err());
}

/// The springs of a grid are Provot's, and the same from a file as from the generator, but for flexion.
#[test]
fn a_grid_has_provots_springs() {
    for pattern in [Pattern::OneDiagonal, Pattern::Alternating] {
        let (nx, ny) = (6usize, 4usize);
        let mesh = Mesh::grid([0.6, 0.4], [nx as u32, ny as u32], pattern).unwrap();
        let mut cloth = Cloth::new("sheet", mesh.clone());
        cloth.material = Material::Raw(Raw { shear: 1.0, flexion: 1.0, ..crate::common::structural(1.0, 1.0) });
        cloth.model = Model::MassSpring { bending: Bending::Flexion { curvature: 1.0 } };
        let counts = World::new(springs(cloth.clone())).unwrap().element_counts();
        assert_eq!(counts.structural, nx * (ny + 1) + ny * (nx + 1));
        assert_eq!(counts.shear, 2 * nx * ny);
        assert_eq!(counts.flexion, (nx - 1) * (ny + 1) + (ny - 1) * (nx + 1));
        assert_eq!(counts.hinges, 0);
        for bending in [Bending::None, Bending::Hinge] {
            let mut other = cloth.clone();
            other.model = Model::MassSpring { bending };
            let counts = World::new(springs(other)).unwrap().element_counts();
            assert_eq!(counts.flexion, 0, "{bending:?} has no flexion springs");
        }
        cloth.mesh = Mesh::new(mesh.rest, mesh.triangles, None).unwrap();
        let any = World::new(springs(cloth)).unwrap().element_counts();
        assert_eq!((any.structural, any.shear), (counts.structural, counts.shear));
    }
}

/// A tube with a seam in uv: its rest length across the seam comes from both sides.
#[test]
fn seams_in_uv_do_not_tear_or_stretch() {
    let (around, up, radius) = (24u32, 6u32, 0.1);
    let turn = std::f64::consts::TAU / f64::from(around);
    let side = 2.0 * radius * (0.5 * turn).sin();
    let position = |i: u32, j: u32| {
        let a = f64::from(i) * turn;
        Vec3::new(radius * a.cos(), 0.03 * f64::from(j), -radius * a.sin())
    };
    let rest: Vec<Vec3> = (0..=up).flat_map(|j| (0..around).map(move |i| position(i, j))).collect();
    let (mut triangles, mut uv) = (Vec::new(), Vec::new());
    for j in 0..up {
        for i in 0..around {
            let n = |i: u32, j: u32| j * around + i % around;
            let t = |i: u32, j: u32| [f64::from(i) * side, f64::from(j) * 0.03];
            triangles.extend([[n(i, j), n(i + 1, j), n(i + 1, j + 1)], [n(i, j), n(i + 1, j + 1), n(i, j + 1)]]);
            uv.extend([[t(i, j), t(i + 1, j), t(i + 1, j + 1)], [t(i, j), t(i + 1, j + 1), t(i, j + 1)]]);
        }
    }
    let mesh = Mesh::new(rest.clone(), triangles, Some(uv)).unwrap();
    let mut cloth = Cloth::new("tube", mesh);
    cloth.rest_shape = Some(rest.clone());
    let world = World::new(Setup { gravity: Vec3::ZERO, ..springs(cloth) }).unwrap();
    let m = measure(&world, &world.start());
    assert!(m.max_stretch.abs() < 1e-12, "{}", m.max_stretch);
    assert!(m.bend < 1e-20 && m.stretch < 1e-20, "{m:?}");
    assert_eq!(world.rest, rest, "with a seam the rest positions are the mesh's own");
}

#[test]
fn uv_that_are_all_the_same_count_as_missing() {
    let (rest, triangles) = square();
    let mesh = Mesh::new(rest, triangles, Some(vec![[[0.5, 0.5]; 3]; 2])).unwrap();
    assert!(!mesh.has_uv);
    let world = World::new(springs(Cloth::new("square", mesh))).unwrap();
    assert!((world.mass.iter().sum::<f64>() - 0.15).abs() < 1e-15);
}

#[test]
fn every_mistake_in_a_mesh_is_named_with_its_numbers() {
    let (rest, triangles) = square();
    let wrong = |rest: Vec<Vec3>, triangles: Vec<[u32; 3]>, uv: Option<Vec<[[f64; 2]; 3]>>| {
        Mesh::new(rest, triangles, uv).unwrap_err().0
    };
    assert_eq!(wrong(rest.clone(), vec![], None), [MeshProblem::Empty]);
    let found = wrong(rest.clone(), vec![[0, 1, 2], [1, 9, 2], [3, 3, 1]], None);
    assert!(found.contains(&MeshProblem::OutOfRange { triangle: 1, vertex: 9, count: 4 }), "{found:?}");
    assert!(found.contains(&MeshProblem::Repeated { triangle: 2, vertex: 3 }), "{found:?}");
    let mut infinite = rest.clone();
    infinite[2].y = f64::NAN;
    assert!(matches!(wrong(infinite, triangles.clone(), None)[..], [MeshProblem::NotFinite { vertex: 2, .. }]));
    let mut flat = rest.clone();
    flat[3] = Vec3::new(0.5, 0.5, 0.0);
    assert!(matches!(wrong(flat, triangles.clone(), None)[..], [MeshProblem::NoArea { triangle: 1, .. }]));
    let found = wrong(rest.clone(), vec![[0, 1, 2], [1, 2, 3]], None);
    assert_eq!(found, [MeshProblem::Flipped { edge: [1, 2], triangles: [0, 1] }]);
    let mut more = rest.clone();
    more.push(Vec3::Z);
    let found = wrong(more.clone(), vec![[0, 1, 2], [1, 3, 2], [2, 1, 4]], None);
    assert!(matches!(found[..], [MeshProblem::NonManifold { count: 3, .. }]), "{found:?}");
    assert_eq!(wrong(more, triangles.clone(), None), [MeshProblem::Loose { vertex: 4 }]);
    let good = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
    let found = wrong(rest.clone(), triangles.clone(), Some(vec![good, [[0.0, 0.0]; 3]]));
    assert_eq!(found, [MeshProblem::NoUvArea { triangle: 1 }]);
    let found = wrong(rest.clone(), triangles.clone(), Some(vec![good, [[f64::NAN, 0.0]; 3]]));
    assert_eq!(found, [MeshProblem::UvNotFinite { triangle: 1 }]);
    assert_eq!(wrong(rest, triangles, Some(vec![good])), [MeshProblem::UvCount { given: 1, triangles: 2 }]);
}

#[test]
fn absurd_grids_are_refused_before_anything_is_allocated() {
    let refused = |size, cells| Mesh::grid(size, cells, Pattern::Crossed).unwrap_err().0;
    assert!(matches!(refused([1.0, 1.0], [1_000_000_000, 1_000_000_000])[..], [MeshProblem::TooLarge { .. }]));
    assert!(matches!(refused([1.0, 1.0], [0, 5])[..], [MeshProblem::NoCells([0, 5])]));
    assert!(matches!(
        refused([-1.0, f64::NAN], [1, 1])[..],
        [MeshProblem::BadSize { .. }, MeshProblem::BadSize { .. }]
    ));
    assert!(Mesh::equilateral([1.0, 1.0], 1e-9).is_err());
    assert!(Mesh::equilateral([1e300, 1e300], 1e-300).is_err());
}
