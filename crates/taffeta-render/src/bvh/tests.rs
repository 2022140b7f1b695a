use super::*;

/// Pseudo-random numbers in [-1, 1], the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 40) as f32 / (1u64 << 23) as f32) - 1.0
    }

    fn point(&mut self) -> V3 {
        v3(self.next(), self.next(), self.next())
    }
}

/// Tests all triangles one by one, with the same arithmetic.
fn brute_force(points: &[V3], triangles: &[[u32; 3]], ray: &Ray, end: f32) -> Option<Hit> {
    let wide = Wide::new(ray);
    let mut best: Option<Hit> = None;
    for (i, t) in triangles.iter().enumerate() {
        let p = t.map(|v| points[v as usize]);
        let block = Block { a: splat(p[0]), e1: splat(p[1] - p[0]), e2: splat(p[2] - p[0]), triangle: [i as u32; 4] };
        let (lanes, t, u, v) = block.meet(&wide, end);
        if lanes != 0 && best.is_none_or(|b| t.to_array()[0] < b.t) {
            best = Some(Hit { triangle: i as u32, t: t.to_array()[0], u: u.to_array()[0], v: v.to_array()[0] });
        }
    }
    best
}

fn compare(points: &[V3], triangles: &[[u32; 3]], rays: usize) -> usize {
    let bvh = Bvh::new(points, triangles);
    let (mut random, mut stack, mut hits) = (Random(7), Stack::default(), 0);
    for i in 0..rays {
        let o = random.point() * 1.5;
        // some along the axes, some aimed at a corner
        let d = match i % 4 {
            0 => [v3(1.0, 0.0, 0.0), v3(0.0, -1.0, 0.0), v3(0.0, 0.0, 1.0)][i / 4 % 3],
            1 => points[i % points.len()] - o,
            _ => random.point(),
        };
        let ray = Ray::new(o, d);
        for end in [f32::INFINITY, 0.7] {
            let expected = brute_force(points, triangles, &ray, end);
            assert_eq!(bvh.first(&ray, end, &mut stack), expected, "ray {i}: {ray:?}");
            assert_eq!(bvh.any(&ray, end, &mut stack), expected.is_some(), "ray {i}: {ray:?}");
            hits += usize::from(expected.is_some());
        }
    }
    hits
}

#[test]
fn tree_finds_every_hit_that_brute_force_finds() {
    for (size, count) in [(0.05, 3000), (0.8, 200), (0.3, 1), (0.3, 5)] {
        let mut random = Random(count as u64);
        let mut points = Vec::new();
        for _ in 0..count {
            let centre = random.point();
            points.extend((0..3).map(|_| centre + random.point() * size));
        }
        let triangles: Vec<[u32; 3]> = (0..count).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let hits = compare(&points, &triangles, 2000);
        assert!(hits > 5, "only {hits} hits with {count} triangles");
    }
}

#[test]
fn degenerate_triangles_are_never_met_and_hide_nothing() {
    let mut random = Random(3);
    let mut points: Vec<V3> = (0..300).map(|_| random.point()).collect();
    points.extend([V3::ZERO; 3]);
    let mut triangles: Vec<[u32; 3]> = (0..100).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    // points, lines, needles, and the same triangle many times
    triangles.extend((0..50).map(|i| [i, i, i]));
    triangles.extend((0..50).map(|i| [i, i + 1, i]));
    triangles.extend([[300, 301, 302]; 20]);
    triangles.extend([[0, 1, 2]; 200]);
    points.push(points[0] + v3(1e-7, 0.0, 0.0));
    triangles.push([0, 303, 5]);
    assert!(compare(&points, &triangles, 2000) > 100);
}

#[test]
fn no_ray_slips_between_the_triangles_of_a_sheet() {
    let n = 40u32;
    let at = |i: u32, j: u32| {
        let (x, y) = (i as f32 / n as f32 - 0.5, j as f32 / n as f32 - 0.5);
        v3(x, y, 0.1 * (9.0 * x).sin() * (7.0 * y).cos())
    };
    let points: Vec<V3> = (0..=n).flat_map(|j| (0..=n).map(move |i| at(i, j))).collect();
    let mut triangles = Vec::new();
    for j in 0..n {
        for i in 0..n {
            let a = j * (n + 1) + i;
            triangles.extend([[a, a + 1, a + n + 2], [a, a + n + 2, a + n + 1]]);
        }
    }
    let bvh = Bvh::new(&points, &triangles);
    let (mut stack, mut random) = (Stack::default(), Random(1));
    let eye = v3(0.3, 0.2, 4.0);
    for i in 0..20_000 {
        // half of them exactly at vertices and edges
        let target = match i % 4 {
            0 => points[i % points.len()],
            1 => (points[i % points.len()] + points[(i + 1) % points.len()]) * 0.5,
            _ => v3(0.5 * random.next(), 0.5 * random.next(), 0.0),
        };
        let border = target.x.abs().max(target.y.abs()) > 0.47;
        let ray = Ray::new(eye, target - eye);
        assert!(border || bvh.first(&ray, f32::INFINITY, &mut stack).is_some(), "{target:?}");
    }
}

#[test]
fn empty_tree_is_met_by_nothing() {
    let bvh = Bvh::new(&[], &[]);
    let ray = Ray::new(V3::ZERO, v3(0.0, 0.0, 1.0));
    assert_eq!(bvh.first(&ray, f32::INFINITY, &mut Stack::default()), None);
    assert!(!bvh.any(&ray, f32::INFINITY, &mut Stack::default()));
}
