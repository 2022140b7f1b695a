//! The shadow of a draped round cloth in light from above.

use taffeta::Vec3;

/// The union of projected triangles and the support, on a raster.
pub struct Shadow {
    /// Side of a cell, m.
    cell: f64,
    /// Cells from the centre to each side.
    half: i64,
    covered: Vec<bool>,
    /// Of the support, m.
    support: f64,
}

/// Folds that stand out by less than this share of the support's radius are not counted: 3 mm of 9 cm.
const PROMINENCE: f64 = 1.0 / 30.0;
/// Directions in which the outline is looked at.
const DIRECTIONS: u32 = 1440;

impl Shadow {
    /// Of a cloth that reaches as far as `reach` from the axis x = z = 0, with 360 cells over the radius of the
    /// support: 0.25 mm for 9 cm.
    pub fn new(support: f64, reach: f64, x: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        let cell = support / 360.0;
        let half = (reach / cell).ceil() as i64 + 2;
        let mut shadow = Self { cell, half, covered: vec![false; (4 * half * half) as usize], support };
        let inside = |i: i64| (i as f64 + 0.5) * cell;
        for j in -half..half {
            for i in -half..half {
                if inside(i).hypot(inside(j)) <= support {
                    shadow.cover(i, j);
                }
            }
        }
        triangles.iter().for_each(|t| shadow.add(t.map(|v| [x[v as usize].x, x[v as usize].z])));
        shadow
    }

    /// m².
    pub fn area(&self) -> f64 {
        self.covered.iter().filter(|&&covered| covered).count() as f64 * self.cell * self.cell
    }

    /// Maxima of the outline's radius that stand out.
    pub fn folds(&self) -> u32 {
        let outline: Vec<f64> = (0..DIRECTIONS).map(|k| self.radius(k)).collect();
        let lowest = (0..outline.len()).min_by(|&i, &j| outline[i].total_cmp(&outline[j])).unwrap_or(0);
        let least = PROMINENCE * self.support;
        // from the lowest place once around: up by enough, then down by enough
        let (mut folds, mut rises, mut extreme) = (0, true, outline[lowest]);
        let mut from = extreme;
        for k in 0..=outline.len() {
            let r = outline[(lowest + k) % outline.len()];
            if rises {
                extreme = extreme.max(r);
                if extreme - from > least && extreme - r > least {
                    (folds, rises, extreme) = (folds + 1, false, r);
                } else if r < from {
                    (from, extreme) = (r, r);
                }
            } else {
                extreme = extreme.min(r);
                if r - extreme > least {
                    (rises, from, extreme) = (true, extreme, r);
                }
            }
        }
        folds
    }

    /// Of the outline in a direction: the farthest covered cell.
    fn radius(&self, direction: u32) -> f64 {
        let (sin, cos) = (std::f64::consts::TAU * f64::from(direction) / f64::from(DIRECTIONS)).sin_cos();
        let cells = (1..self.half).rev().find(|&k| {
            let at = |way: f64| (k as f64 * way).floor() as i64;
            self.covered[self.index(at(cos), at(sin))]
        });
        cells.unwrap_or(0) as f64 * self.cell
    }

    fn index(&self, i: i64, j: i64) -> usize {
        ((j + self.half) * 2 * self.half + i + self.half) as usize
    }

    fn cover(&mut self, i: i64, j: i64) {
        let index = self.index(i, j);
        self.covered[index] = true;
    }

    /// Covers the cells whose middles are in a triangle.
    fn add(&mut self, p: [[f64; 2]; 3]) {
        let half = self.half;
        let p = p.map(|p| p.map(|x| x / self.cell - 0.5));
        let range = |axis: usize| {
            let [low, high] = [f64::min, f64::max].map(|of| p.iter().map(|p| p[axis]).reduce(of).unwrap_or(0.0));
            (low.ceil() as i64).max(-half)..(high.floor() as i64 + 1).min(half)
        };
        let side =
            |a: [f64; 2], b: [f64; 2], q: [f64; 2]| (b[0] - a[0]) * (q[1] - a[1]) - (b[1] - a[1]) * (q[0] - a[0]);
        let turn = side(p[0], p[1], p[2]).signum();
        for j in range(1) {
            for i in range(0) {
                let q = [i as f64, j as f64];
                if (0..3).all(|k| turn * side(p[k], p[(k + 1) % 3], q) >= 0.0) {
                    self.cover(i, j);
                }
            }
        }
    }
}
