//! Tests against another method, separating axes in exact whole-number arithmetic.

use super::*;
use crate::Vec3;
use crate::random::signed;

type Whole = [i128; 3];

fn minus(a: Whole, b: Whole) -> Whole {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn cross(a: Whole, b: Whole) -> Whole {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: Whole, b: Whole) -> i128 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Convex sets are separate if and only if an axis separates them; all that can be needed by triangles, segments and
/// points.
fn separated(a: [Whole; 3], b: [Whole; 3]) -> bool {
    let edges = |t: [Whole; 3]| [minus(t[1], t[0]), minus(t[2], t[1]), minus(t[0], t[2])];
    let separates = |axis: Whole| {
        let [p, q] = [a, b].map(|t| t.map(|p| dot(p, axis)));
        p.iter().max() < q.iter().min() || q.iter().max() < p.iter().min()
    };
    let (ours, theirs) = (edges(a), edges(b));
    let normals = [cross(ours[0], ours[1]), cross(theirs[0], theirs[1])];
    let between = a.into_iter().flat_map(|p| b.map(|q| minus(p, q)));
    let both = || ours.into_iter().chain(theirs);
    normals.into_iter().any(separates)
        || ours.into_iter().any(|e| theirs.into_iter().any(|f| separates(cross(e, f))))
        || both().any(|e| normals.into_iter().any(|n| separates(cross(n, e))))
        // degenerate triangles need the directions from point to point and from point to line
        || between.into_iter().any(|d| separates(d) || both().any(|e| separates(cross(e, cross(e, d)))))
        || ours.into_iter().any(|e| theirs.into_iter().any(|f| {
            let n = cross(e, f);
            separates(cross(e, n)) || separates(cross(f, n))
        }))
}

fn as_floats(t: [Whole; 3], unit: f64) -> [Vec3; 3] {
    t.map(|p| Vec3::from_array(p.map(|c| c as f64 * unit)))
}

fn random_triangle(seed: u64, size: f64) -> [Whole; 3] {
    let coordinate = |k: usize| (signed(seed, k as u64) * (size + 0.5)).round() as i128;
    [0, 1, 2].map(|corner| [0, 1, 2].map(|axis| coordinate(3 * corner + axis)))
}

/// Few whole numbers: about a third of the pairs touch, are coplanar or degenerate.
#[test]
fn pairs_on_a_coarse_lattice_agree_with_exact_arithmetic() {
    let mut met = 0;
    for k in 0..200_000u64 {
        let size = [1.0, 2.0, 4.0][k as usize % 3];
        let (a, b) = (random_triangle(2 * k, size), random_triangle(2 * k + 1, size));
        // a power of two as the unit keeps the coordinates exact
        let unit = 2f64.powi(((k / 3) % 80) as i32 - 40);
        let meet = triangles_meet(as_floats(a, unit), as_floats(b, unit));
        assert_eq!(meet, !separated(a, b), "{a:?} {b:?}");
        met += u32::from(meet);
    }
    assert!(met > 40_000 && met < 160_000, "{met}");
}

/// Corners that are off the other triangle, its edges or its corners by a few units of 2²⁶: rounding would decide
/// wrongly.
#[test]
fn pairs_that_nearly_touch_agree_with_exact_arithmetic() {
    let (mut met, mut missed) = (0, 0);
    for k in 0..100_000u64 {
        let a = random_triangle(3 * k, 6.0e7);
        let mut b = random_triangle(3 * k + 1, 6.0e7);
        // a corner of b is put on a's plane, edge or corner, and then moved beside it
        let share = |j: u64| signed(3 * k + 2, j).abs();
        let (s, t) = match k % 3 {
            0 => (share(0) * 0.5, share(1) * 0.5),
            1 => (share(0), 0.0),
            _ => (0.0, 0.0),
        };
        b[0] = [0, 1, 2].map(|axis| {
            let along = |corner: usize| (a[corner][axis] - a[0][axis]) as f64;
            a[0][axis] + (s * along(1) + t * along(2)).round() as i128 + (2.0 * signed(k, axis as u64)).round() as i128
        });
        let (fa, fb) = (as_floats(a, 1.0), as_floats(b, 1.0));
        let meet = triangles_meet(fa, fb);
        assert_eq!(meet, !separated(a, b), "{a:?} {b:?}");
        assert_eq!(meet, triangles_meet(fb, fa));
        met += u32::from(meet);
        missed += u32::from(!meet);
    }
    assert!(met > 10_000 && missed > 10_000, "{met} {missed}");
}

/// A random sheet folded over itself, neighbours included, beside every pair asked by separating axes.
#[test]
fn the_tree_finds_what_every_pair_asked_finds() {
    let cells = 12u32;
    let at = |i: u32, j: u32| j * (cells + 1) + i;
    let mut triangles = Vec::new();
    for (i, j) in (0..cells).flat_map(|j| (0..cells).map(move |i| (i, j))) {
        triangles.extend([[at(i, j), at(i + 1, j), at(i + 1, j + 1)], [at(i, j), at(i + 1, j + 1), at(i, j + 1)]]);
    }
    let whole: Vec<Whole> = (0..(cells + 1).pow(2))
        .map(|v| {
            let (i, j) = (v % (cells + 1), v / (cells + 1));
            let crumple = |axis: u64| (6.0 * signed(u64::from(v), axis)).round() as i128;
            // the sheet is folded in the middle, so that its two layers pass through each other
            let x = 4 * i128::from(i.min(cells - i));
            [x + crumple(0), 4 * i128::from(j) + crumple(1), crumple(2)]
        })
        .collect();
    let x: Vec<Vec3> = whole.iter().map(|p| Vec3::from_array(p.map(|c| c as f64))).collect();
    let found = crossings(&x, &triangles);
    let mut expected = Vec::new();
    for (a, t) in triangles.iter().enumerate() {
        for (b, u) in triangles.iter().enumerate().skip(a + 1) {
            let shares = t.iter().filter(|v| u.contains(v)).count();
            let meet = match shares {
                0 => !separated(t.map(|v| whole[v as usize]), u.map(|v| whole[v as usize])),
                _ => neighbours_meet(&x, *t, *u),
            };
            if meet {
                expected.push([a as u32, b as u32]);
            }
        }
    }
    assert!(expected.len() > 500, "{}", expected.len());
    assert_eq!(found, expected);
    let count = count_crossings(&x, &triangles, || false).expect("nobody stopped it");
    let mut crossed = expected.as_flattened().to_vec();
    crossed.sort_unstable();
    crossed.dedup();
    assert_eq!((count.pairs, count.first, count.more), (expected.len() as u64, Some(expected[0]), false));
    assert_eq!(count.triangles, crossed.len() as u64);
    assert_eq!(count_crossings(&x, &triangles, || true), None);
}

/// Triangles with a common vertex or edge, each with the answer known by drawing it.
#[test]
fn neighbours_count_only_where_they_meet_elsewhere() {
    let p = |x: f64, y: f64, z: f64| Vec3::new(x, y, z);
    let meets = |x: &[Vec3], a: [u32; 3], b: [u32; 3]| {
        let one = crossings(x, &[a, b]).len();
        assert_eq!(one, crossings(x, &[[b[1], b[2], b[0]], [a[2], a[0], a[1]]]).len());
        one == 1
    };
    let quad = [p(0., 0., 0.), p(1., 0., 0.), p(1., 1., 0.), p(0., 1., 0.)];
    assert!(!meets(&quad, [0, 1, 2], [0, 2, 3]), "a flat square");
    let folded = [p(0., 0., 0.), p(1., 0., 0.), p(0.5, 1., 0.), p(0.4, 0.7, 0.)];
    assert!(meets(&folded, [0, 1, 2], [1, 0, 3]), "folded onto each other");
    let ajar = [folded[0], folded[1], folded[2], p(0.4, 0.7, 1e-300)];
    assert!(!meets(&ajar, [0, 1, 2], [1, 0, 3]), "and opened by next to nothing");
    let bow = [p(0., 0., 0.), p(1., 0., 0.), p(0., 1., 0.), p(-1., 0., 0.), p(0., -1., 0.)];
    assert!(!meets(&bow, [0, 1, 2], [0, 3, 4]), "two that hang together at a corner");
    let through = [p(0., 0., 0.), p(1., 0., 0.), p(0., 1., 0.), p(0.5, 0.4, -1.), p(0.5, 0.4, 1.)];
    assert!(meets(&through, [0, 1, 2], [0, 3, 4]), "one through the other");
    let along = [p(0., 0., 0.), p(1., 0., 0.), p(0., 1., 0.), p(2., 0., 0.), p(1., -1., 1.)];
    assert!(meets(&along, [0, 1, 2], [0, 3, 4]), "an edge on an edge");
    assert!(crossings(&[], &[]).is_empty());
}

#[test]
fn a_flat_grid_does_not_cross_itself_and_two_in_one_place_do() {
    let mesh = crate::setup::Mesh::grid([1.0, 1.0], [20, 20], crate::setup::Pattern::Alternating).expect("a grid");
    assert!(crossings(&mesh.rest, &mesh.triangles).is_empty());
    let n = mesh.rest.len() as u32;
    let (mut x, mut triangles) = (mesh.rest.clone(), mesh.triangles.clone());
    x.extend(mesh.rest.iter().map(|p| *p + Vec3::new(0.01, 0.003, 0.0)));
    triangles.extend(mesh.triangles.iter().map(|t| t.map(|v| v + n)));
    assert!(crossings(&x, &triangles).len() > mesh.triangles.len());
}

/// Nine million pairs at three points of space: counting ends after the first ones.
#[test]
fn counting_ends_where_there_are_too_many() {
    let x: Vec<Vec3> = (0..9000).map(|v| Vec3::new(f64::from(v % 3), f64::from(v % 3 % 2), 0.0)).collect();
    let triangles: Vec<[u32; 3]> = (0..3000).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    let count = count_crossings(&x, &triangles, || false).expect("nobody stopped it");
    assert!(count.more && (MOST_PAIRS..MOST_PAIRS + 256 * 3000).contains(&count.pairs), "{count:?}");
}

/// Two random soups: every pair between them, and no other, by comparing all.
#[test]
fn pairs_between_two_lists_are_those_of_one_list_with_both() {
    for seed in 0..20u64 {
        let soup = |seed: u64| (0..60).flat_map(move |k| as_floats(random_triangle(1000 * seed + k, 6.0), 0.1));
        let x: Vec<Vec3> = soup(2 * seed).chain(soup(2 * seed + 1)).collect();
        let triangles: Vec<[u32; 3]> = (0..120).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        let (one, other) = triangles.split_at(60);
        let all = crossings(&x, &triangles);
        let expected: Vec<[u32; 2]> =
            all.iter().filter(|[a, b]| *a < 60 && *b >= 60).map(|[a, b]| [*a, b - 60]).collect();
        let found = crossings_between(&x, one, other);
        assert!(!found.is_empty() && found == expected, "{seed}");
        let count = count_crossings_between(&x, one, other, || false).expect("nobody stopped it");
        let which: Vec<bool> = (0..120).map(|t| all.iter().any(|pair| pair.contains(&t))).collect();
        assert_eq!(which_cross(&x, &triangles), which);
        let which: Vec<bool> = (0..60).map(|t| found.iter().any(|pair| pair[0] == t)).collect();
        assert_eq!(which_cross_between(&x, one, other), which);
        let triangles = which.iter().filter(|crosses| **crosses).count();
        assert_eq!((count.pairs, count.triangles), (found.len() as u64, triangles as u64));
        assert_eq!((count.first, count.more), (Some(found[0]), false));
    }
    assert!(crossings_between(&[], &[], &[]).is_empty());
    assert_eq!(count_crossings_between(&[Vec3::ZERO], &[[0; 3]], &[[0; 3]], || true), None);
}

/// Lists that share vertices: triangles that only meet there do not count.
#[test]
fn two_halves_of_a_flat_grid_do_not_cross() {
    let mesh = crate::setup::Mesh::grid([1.0, 1.0], [9, 9], crate::setup::Pattern::Alternating).expect("a grid");
    let (one, other) = mesh.triangles.split_at(71);
    assert!(crossings_between(&mesh.rest, one, other).is_empty());
}
