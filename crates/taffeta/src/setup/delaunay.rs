//! Delaunay triangulation of points in a rectangle.
//!
//! A. Bowyer, Computing Dirichlet tessellations, and D. Watson, Computing the n-dimensional Delaunay tessellation, both
//! The Computer Journal 24(2), 1981. Each point removes the triangles whose circumcircles hold it and is joined to the
//! border of the hole. Points come in the order of a Hilbert curve, so the triangle that holds the next one is near,
//! and the walk to it short.
//!
//! Coordinates are whole numbers of at most [`SIDE`], so every test is exact. The rectangle is the first pair of
//! triangles: no triangle outside is needed, and points on its sides stay on them.

use super::topology::NONE;

/// Largest coordinate. The circle test adds three products below 2^122, which an i128 holds.
pub(crate) const SIDE: i64 = 1 << 30;

/// A point of the rectangle from (0, 0) to a corner of at most (SIDE, SIDE).
pub(crate) type Point = [i64; 2];

/// Counter-clockwise triangles of different points, in the order given by [`hilbert`] or any other; `corners` are the
/// numbers of the rectangle's corners, counter-clockwise.
pub(crate) fn triangulate(points: &[Point], corners: [u32; 4]) -> Vec<[u32; 3]> {
    let [a, b, c, d] = corners;
    let mut mesh = Triangulation {
        points,
        v: vec![[a, b, c], [a, c, d]],
        n: vec![[NONE, 1, NONE], [NONE, NONE, 0]],
        hole: Vec::new(),
        border: Vec::new(),
        in_hole: vec![false; 2],
        from: vec![NONE; points.len()],
        to: vec![NONE; points.len()],
        last: 0,
    };
    for i in (0..points.len() as u32).filter(|i| !corners.contains(i)) {
        mesh.insert(i);
    }
    // rotating and sorting the triangles makes neighbours in the cloth neighbours in memory
    let mut triangles = mesh.v;
    for t in &mut triangles {
        let least = (0..3).min_by_key(|&c| t[c]).unwrap_or(0);
        t.rotate_left(least);
    }
    triangles.sort_unstable();
    triangles
}

/// Position of a point along a Hilbert curve through the square of side [`SIDE`].
pub(crate) fn hilbert(p: Point) -> u64 {
    // 2^16 by 2^16 cells are finer than any mesh
    let [mut x, mut y] = p.map(|c| ((c >> 14) as u32).min(0xffff));
    let mut distance = 0u64;
    for level in (0..16).rev() {
        let [rx, ry] = [(x >> level) & 1, (y >> level) & 1];
        distance = distance << 2 | u64::from((3 * rx) ^ ry);
        if ry == 0 {
            if rx == 1 {
                x = !x & 0xffff;
                y = !y & 0xffff;
            }
            std::mem::swap(&mut x, &mut y);
        }
    }
    distance
}

/// Twice the area of a triangle, positive if it runs counter-clockwise.
fn orient(a: Point, b: Point, c: Point) -> i64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// Whether p lies inside the circle through a, b, c, which run counter-clockwise.
fn in_circle([a, b, c]: [Point; 3], p: Point) -> bool {
    let [a, b, c] = [a, b, c].map(|q| [q[0] - p[0], q[1] - p[1]]);
    let lift = |q: [i64; 2]| i128::from(q[0] * q[0] + q[1] * q[1]);
    let cross = |q: [i64; 2], r: [i64; 2]| i128::from(q[0] * r[1] - q[1] * r[0]);
    lift(a) * cross(b, c) + lift(b) * cross(c, a) + lift(c) * cross(a, b) > 0
}

struct Triangulation<'a> {
    points: &'a [Point],
    /// Corners, counter-clockwise.
    v: Vec<[u32; 3]>,
    /// The neighbour opposite each corner; [`NONE`] on the border.
    n: Vec<[u32; 3]>,
    /// Triangles whose circumcircles hold the new point.
    hole: Vec<u32>,
    /// Edges around the hole, each with the triangle outside.
    border: Vec<([u32; 2], u32)>,
    in_hole: Vec<bool>,
    /// New triangle whose border edge starts, or ends, at each point.
    from: Vec<u32>,
    to: Vec<u32>,
    /// Triangle where the next walk starts.
    last: u32,
}

impl Triangulation<'_> {
    fn corners(&self, t: u32) -> [Point; 3] {
        self.v[t as usize].map(|v| self.points[v as usize])
    }

    /// The triangle that holds a point, found by walking towards it from the last triangle. In a Delaunay triangulation
    /// the walk cannot go in circles.
    fn locate(&self, p: Point) -> u32 {
        let mut t = self.last;
        'walk: loop {
            let corners = self.corners(t);
            for i in 0..3 {
                let next = self.n[t as usize][i];
                if next != NONE && orient(corners[(i + 1) % 3], corners[(i + 2) % 3], p) < 0 {
                    t = next;
                    continue 'walk;
                }
            }
            return t;
        }
    }

    fn insert(&mut self, number: u32) {
        let p = self.points[number as usize];

        // collects the hole, from triangle to triangle, and its border
        self.hole.clear();
        self.border.clear();
        let start = self.locate(p);
        self.hole.push(start);
        self.in_hole[start as usize] = true;
        let mut next = 0;
        while let Some(&t) = self.hole.get(next) {
            next += 1;
            for i in 0..3 {
                let beyond = self.n[t as usize][i];
                if beyond != NONE && self.in_hole[beyond as usize] {
                    continue;
                }
                if beyond != NONE && in_circle(self.corners(beyond), p) {
                    self.in_hole[beyond as usize] = true;
                    self.hole.push(beyond);
                    continue;
                }
                let edge = [self.v[t as usize][(i + 1) % 3], self.v[t as usize][(i + 2) % 3]];
                // an edge that holds the point is a side of the rectangle and is split
                let [a, b] = edge.map(|v| self.points[v as usize]);
                if orient(a, b, p) != 0 {
                    self.border.push((edge, beyond));
                }
            }
        }

        // every edge of the border gets a triangle, in the place of a removed one or at the end of the list
        for &t in &self.hole {
            self.in_hole[t as usize] = false;
        }
        for &([a, b], _) in &self.border {
            (self.from[b as usize], self.to[a as usize]) = (NONE, NONE);
        }
        for k in 0..self.border.len() {
            let ([a, b], beyond) = self.border[k];
            let t = match self.hole.get(k) {
                Some(&place) => place,
                None => {
                    self.v.push([0; 3]);
                    self.n.push([NONE; 3]);
                    self.in_hole.push(false);
                    self.v.len() as u32 - 1
                }
            };
            self.v[t as usize] = [a, b, number];
            self.n[t as usize] = [NONE, NONE, beyond];
            (self.from[a as usize], self.to[b as usize]) = (t, t);
            if let Some(across) = self.v.get(beyond as usize)
                && let Some(side) = across.iter().position(|v| *v != a && *v != b)
            {
                self.n[beyond as usize][side] = t;
            }
            self.last = t;
        }
        for &([a, b], _) in &self.border {
            let t = self.from[a as usize] as usize;
            self.n[t][0] = self.from[b as usize];
            self.n[t][1] = self.to[a as usize];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points of a lattice lie on common circles and lines everywhere: the hardest case for a test that is not exact.
    #[test]
    fn lattices_of_points_on_common_circles_are_filled_without_gaps() {
        let n = 12;
        let unit = SIDE / n;
        let mut points: Vec<Point> = (0..=n).flat_map(|y| (0..=n).map(move |x| [x * unit, y * unit])).collect();
        points.sort_by_key(|&p| hilbert(p));
        let find = |p: Point| points.iter().position(|q| *q == p).unwrap() as u32;
        let far = n * unit;
        let corners = [[0, 0], [far, 0], [far, far], [0, far]].map(find);
        let triangles = triangulate(&points, corners);
        assert_eq!(triangles.len() as i64, 2 * n * n);
        let areas = triangles.iter().map(|t| {
            let [a, b, c] = t.map(|v| points[v as usize]);
            orient(a, b, c)
        });
        assert!(areas.clone().all(|area| area == unit * unit), "every triangle is half a cell");
    }

    #[test]
    fn the_circle_test_is_exact_at_the_largest_coordinates() {
        let square = [[0, 0], [SIDE, 0], [SIDE, SIDE]];
        assert!(!in_circle(square, [0, SIDE]), "on the circle");
        assert!(in_circle(square, [1, SIDE - 1]) && in_circle(square, [1, SIDE]) && in_circle(square, [0, SIDE - 1]));
        assert!(!in_circle([[0, 0], [SIDE - 1, 0], [SIDE - 1, SIDE - 1]], [0, SIDE]));
    }

    /// Neighbouring cells of the curve are neighbours in the plane.
    #[test]
    fn the_curve_goes_from_cell_to_neighbouring_cell() {
        let cell = 1 << 24; // the square has 64 x 64 cells
        let mut cells: Vec<Point> = (0..64).flat_map(|y| (0..64).map(move |x| [x * cell, y * cell])).collect();
        cells.sort_by_key(|&p| hilbert(p));
        let far = |pair: &[Point]| (pair[0][0] - pair[1][0]).abs() + (pair[0][1] - pair[1][1]).abs();
        assert!(cells.windows(2).all(|pair| far(pair) == cell));
    }
}
