//! Meshes that are made here: discs and random triangles.

use std::collections::BTreeMap;
use taffeta::*;

/// How many triangles each edge has, by its vertices in rising order.
fn edges(mesh: &Mesh) -> BTreeMap<(u32, u32), u32> {
    let mut edges = BTreeMap::new();
    for t in &mesh.triangles {
        for c in 0..3 {
            let (a, b) = (t[c], t[(c + 1) % 3]);
            *edges.entry((a.min(b), a.max(b))).or_insert(0) += 1;
        }
    }
    edges
}

fn lengths(mesh: &Mesh) -> Vec<f64> {
    edges(mesh).keys().map(|&(a, b)| mesh.rest[a as usize].distance(mesh.rest[b as usize])).collect()
}

fn areas(mesh: &Mesh) -> impl Iterator<Item = f64> {
    mesh.triangles.iter().map(|t| {
        let [a, b, c] = t.map(|v| mesh.rest[v as usize]);
        0.5 * (b - a).cross(c - a).z
    })
}

/// Smallest and largest angle of all triangles, degrees.
fn angles(mesh: &Mesh) -> (f64, f64) {
    let corners = mesh.triangles.iter().flat_map(|t| {
        let p = t.map(|v| mesh.rest[v as usize]);
        [0, 1, 2].map(|c| (p[(c + 1) % 3] - p[c]).angle_between(p[(c + 2) % 3] - p[c]).to_degrees())
    });
    corners.fold((180.0, 0.0), |(least, most), angle| (angle.min(least), angle.max(most)))
}

/// Counter-clockwise, one piece without holes, no edge with more than two triangles, and accepted by the check of
/// meshes.
fn assert_sound(mesh: &Mesh, name: &str) {
    assert!(areas(mesh).all(|area| area > 0.0), "{name}: a triangle is not counter-clockwise");
    let edges = edges(mesh);
    assert!(edges.values().all(|&count| count <= 2), "{name}");
    let euler = mesh.rest.len() as i64 - edges.len() as i64 + mesh.triangles.len() as i64;
    assert_eq!(euler, 1, "{name}: a sheet without holes has the Euler characteristic 1");
    let again = Mesh::new(mesh.rest.clone(), mesh.triangles.clone(), Some(mesh.uv.clone()));
    assert!(again.is_ok(), "{name}: {:?}", again.err());
}

#[test]
fn random_meshes_fill_their_rectangle() {
    for (size, edge) in
        [([1.0, 1.0], 0.1), ([2.0, 0.5], 0.05), ([0.3, 1.7], 0.08), ([1.0, 0.01], 0.1), ([0.1, 0.1], 1.0)]
    {
        for seed in [0, 1, u64::MAX] {
            let name = format!("{size:?} {edge} {seed}");
            let mesh = Mesh::random(size, edge, seed).unwrap();
            assert_sound(&mesh, &name);
            let area: f64 = areas(&mesh).sum();
            assert!((area / (size[0] * size[1]) - 1.0).abs() < 1e-12, "{name}: {area}");
            // the corners are vertices, uv starts in the one left-bottom
            for corner in [[0.0, 0.0], [size[0], 0.0], size, [0.0, size[1]]] {
                let found = mesh.uv.iter().flatten().any(|uv| uv[0] == corner[0] && uv[1] == corner[1]);
                assert!(found, "{name}: no vertex at {corner:?}");
            }
            // border edges are equal along each side
            let outer = edges(&mesh).into_iter().filter(|edge| edge.1 == 1);
            for ((a, b), _) in outer {
                let d = (mesh.rest[a as usize] - mesh.rest[b as usize]).abs();
                let along = if d.x > d.y { 0 } else { 1 };
                let want = size[along] / (size[along] / edge).round().max(1.0);
                assert!((d.max_element() - want).abs() < 1e-12 && d.min_element() == 0.0, "{name}: {d}");
            }
        }
    }
}

/// No vertex lies inside the circumcircle of any triangle, by trying all.
#[test]
fn circumcircles_of_random_meshes_are_empty() {
    for seed in 0..4 {
        let mesh = Mesh::random([1.0, 0.8], 0.06, seed).unwrap();
        for t in &mesh.triangles {
            let [a, b, c] = t.map(|v| mesh.rest[v as usize]);
            // centre from a: |b|² and |c|² over twice the area
            let (b, c) = (b - a, c - a);
            let d = 2.0 * (b.x * c.y - b.y * c.x);
            let centre = Vec3::new(
                (c.y * b.length_squared() - b.y * c.length_squared()) / d,
                (b.x * c.length_squared() - c.x * b.length_squared()) / d,
                0.0,
            );
            let radius = centre.length();
            let nearest = mesh.rest.iter().map(|p| p.distance(a + centre)).fold(f64::INFINITY, f64::min);
            assert!(nearest > radius * (1.0 - 1e-7), "seed {seed}, triangle {t:?}: {nearest} within {radius}");
        }
    }
}

/// A maximal set of points that keep the distance r has angles of at least 30 degrees: no circumcircle is larger than
/// r, no edge shorter. On the border the points are regular and somewhat less good.
#[test]
fn random_meshes_have_good_triangles_of_the_asked_size_and_one_seed_one_mesh() {
    let begin = std::time::Instant::now();
    let mesh = Mesh::random([1.4, 1.0], 0.0093, 7).unwrap();
    let took = begin.elapsed().as_secs_f64();
    let lengths = lengths(&mesh);
    let mean = lengths.iter().sum::<f64>() / lengths.len() as f64;
    let (least, most) = angles(&mesh);
    println!("{} vertices in {took:.3} s, mean edge {mean:.5} m, angles {least:.1} to {most:.1}", mesh.rest.len());
    assert!((19_000..22_000).contains(&mesh.rest.len()), "{}", mesh.rest.len());
    assert!((mean / 0.0093 - 1.0).abs() < 0.01, "{mean}");
    assert!(least > 28.0 && most < 124.0, "{least} to {most} degrees");
    assert!(took < 5.0, "{took} s"); // a fifth of a second when nothing else runs
    assert_eq!(mesh, Mesh::random([1.4, 1.0], 0.0093, 7).unwrap());
    assert_ne!(mesh, Mesh::random([1.4, 1.0], 0.0093, 8).unwrap());
}

#[test]
fn discs_have_rings_where_asked_and_look_the_same_turned_by_60_degrees() {
    for (radius, edge, rings) in [
        (0.15, 0.004, vec![0.09]),
        (0.15, 0.008, vec![0.09]),
        (1.0, 0.13, vec![0.8, 0.35]),
        (0.1, 0.5, vec![]),
        (0.1, 0.02, vec![0.003]),
    ] {
        let name = format!("{radius} {edge} {rings:?}");
        let mesh = Mesh::disc(radius, edge, &rings).unwrap();
        assert_sound(&mesh, &name);
        for ring in rings.iter().chain([&radius]) {
            let on = mesh.rest.iter().filter(|p| (p.length() - ring).abs() < 1e-15 * (1.0 + ring)).count();
            let wanted = 6.0 * (std::f64::consts::TAU * ring / (6.0 * edge)).round().max(1.0);
            assert_eq!(on as f64, wanted, "{name}: vertices at {ring}");
        }
        // the border is a polygon inscribed in the circle
        let n = edges(&mesh).values().filter(|&&count| count == 1).count() as f64;
        let polygon = 0.5 * n * (std::f64::consts::TAU / n).sin() * radius * radius;
        let area: f64 = areas(&mesh).sum();
        assert!((area / polygon - 1.0).abs() < 1e-12, "{name}: {area}");
        // every triangle turned by 60 degrees is a triangle
        let (s, c) = 60f64.to_radians().sin_cos();
        let key = |p: Vec3| [p.x, p.y].map(|x| (x / radius * 1e9).round() as i64);
        let near = |p: Vec3| key(Vec3::new(c * p.x - s * p.y, s * p.x + c * p.y, 0.0));
        let number: BTreeMap<[i64; 2], u32> = mesh.rest.iter().zip(0..).map(|(p, i)| (key(*p), i)).collect();
        let turned = |v: u32| {
            let [x, y] = near(mesh.rest[v as usize]);
            let around = [[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1], [1, 1], [-1, -1], [1, -1], [-1, 1]];
            *around.iter().find_map(|d| number.get(&[x + d[0], y + d[1]])).unwrap_or_else(|| panic!("{name}: {v}"))
        };
        let sorted = |mut t: [u32; 3]| {
            t.sort();
            t
        };
        let all: std::collections::BTreeSet<[u32; 3]> = mesh.triangles.iter().map(|t| sorted(*t)).collect();
        assert!(mesh.triangles.iter().all(|t| all.contains(&sorted(t.map(turned)))), "{name}");
        // uv as x and y from the corner of the square around it
        for (t, uv) in mesh.triangles.iter().zip(&mesh.uv) {
            for (&v, uv) in t.iter().zip(uv) {
                let p = mesh.rest[v as usize];
                assert_eq!(*uv, [p.x + radius, p.y + radius]);
            }
        }
    }
}

#[test]
fn discs_have_near_equilateral_triangles_of_the_asked_size() {
    for (edge, rings) in [(0.004, vec![0.09]), (0.006, vec![0.09]), (0.008, vec![0.09]), (0.004, vec![])] {
        let mesh = Mesh::disc(0.15, edge, &rings).unwrap();
        let lengths = lengths(&mesh);
        let mean = lengths.iter().sum::<f64>() / lengths.len() as f64;
        let (least, most) = angles(&mesh);
        println!("{edge}: {} vertices, mean edge {mean:.5} m, angles {least:.1} to {most:.1}", mesh.rest.len());
        assert!((mean / edge - 1.0).abs() < 0.05, "{mean}");
        assert!(lengths.iter().all(|l| (0.8..1.4).contains(&(l / edge))), "edges of {edge}");
        assert!(least > 38.0 && most < 96.0, "{least} to {most} degrees");
    }
}

#[test]
fn a_disc_can_be_held_inside_one_of_its_rings() {
    let mesh = Mesh::disc(0.15, 0.01, &[0.09]).unwrap();
    let place = Place { at: Vec3::new(0.1, 0.7, -0.3), rotate: Vec3::new(90.0, 20.0, 0.0), scale: 1.0 };
    let start: Vec<Vec3> = mesh.rest.iter().map(|p| place.apply(*p)).collect();
    let held = Select::Sphere { centre: place.at, radius: 0.09 }.vertices(&mesh, &start);
    let inside = mesh.rest.iter().filter(|p| p.length() < 0.0901).count();
    assert_eq!(held.len(), inside, "rounding leaves no vertex of the ring out");
}

#[test]
fn absurd_discs_and_random_meshes_are_refused_before_anything_is_allocated() {
    let disc = |radius, edge, rings: &[f64]| Mesh::disc(radius, edge, rings).unwrap_err().0;
    assert!(matches!(disc(-1.0, f64::NAN, &[])[..], [MeshProblem::BadSize { .. }, MeshProblem::BadSize { .. }]));
    assert!(matches!(disc(1.0, 1e-9, &[])[..], [MeshProblem::TooLarge { .. }]));
    assert!(matches!(disc(1e300, 1e-300, &[])[..], [MeshProblem::TooLarge { .. }]));
    assert!(matches!(disc(1.0, 0.1, &[1.0])[..], [MeshProblem::BadRing { .. }]));
    assert!(matches!(
        disc(1.0, 0.1, &[-0.5, f64::NAN])[..],
        [MeshProblem::BadRing { .. }, MeshProblem::BadRing { .. }]
    ));
    assert!(matches!(disc(1.0, 0.1, &[0.5, 0.5])[..], [MeshProblem::RingsTooClose { .. }]));
    assert!(matches!(disc(1.0, 0.1, &[0.999])[..], [MeshProblem::RingsTooClose { .. }]));
    assert!(matches!(disc(1.0, 0.1, &[0.001])[..], [MeshProblem::RingsTooClose { .. }]));
    let random = |size, edge| Mesh::random(size, edge, 1).unwrap_err().0;
    assert!(matches!(
        random([0.0, f64::INFINITY], 1.0)[..],
        [MeshProblem::BadSize { .. }, MeshProblem::BadSize { .. }]
    ));
    assert!(matches!(random([1.0, 1.0], 1e-5)[..], [MeshProblem::TooLarge { .. }]));
    assert!(matches!(random([1e300, 1e300], 1e-300)[..], [MeshProblem::TooLarge { .. }]));
    assert!(Mesh::random([1e6, 1e-6], 1e6, 1).is_ok());
}
