//! Fixed sequences of well-distributed points: no randomness, the same picture every time.
//!
//! The pixels of a 4 × 4 square share one set of points, of which each pixel uses its own part. Every window of 4 × 4
//! pixels, wherever it lies, holds the whole set. A filter of that size is then free of noise on smooth surfaces. A.
//! Keller and W. Heidrich, Interleaved Sampling, EGWR 2001.

use crate::vector::{V3, v3};

/// Side of the square of pixels that share a set of points.
pub(crate) const TILE: usize = 4;
/// Weights of a filter as wide as the square: its two ends have the same position in two neighbouring squares.
pub(crate) const FILTER: [f32; 5] = [0.5, 1.0, 1.0, 1.0, 0.5];
/// An order in which neighbouring pixels have distant numbers (Bayer).
const ORDER: [usize; 16] = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5];

/// The i-th point of the (0, 2)-sequence of Sobol, in [0, 1)².
pub(crate) fn sobol(i: u32) -> [f32; 2] {
    let mut second = 0u32;
    let (mut column, mut rest) = (1u32 << 31, i);
    while rest != 0 {
        if rest & 1 == 1 {
            second ^= column;
        }
        rest >>= 1;
        column ^= column >> 1;
    }
    [i.reverse_bits(), second].map(unit)
}

fn unit(bits: u32) -> f32 {
    (bits >> 8) as f32 / (1u32 << 24) as f32
}

/// Number of extra points per sample where the lamp is partly visible.
pub(crate) const EXTRA: usize = 3;

/// Points on a disc of radius 1 and cosine-weighted directions about z, by pixel and sample.
pub(crate) struct Points {
    samples: usize,
    disc: Vec<[f32; 2]>,
    hemisphere: Vec<V3>,
}

impl Points {
    pub fn new(samples: usize) -> Self {
        let count = samples * (1 + EXTRA) * TILE * TILE;
        let disc = (0..count as u32).map(|i| on_disc(sobol(i)));
        // another order for the hemisphere, so that lamp and sky samples are not correlated
        let hemisphere = (0..count as u32).map(|i| {
            let [a, b] = sobol(i);
            let [x, y] = on_disc([b, (a + 0.5) % 1.0]);
            v3(x, y, (1.0 - x * x - y * y).max(0.0).sqrt())
        });
        Self { samples, disc: disc.collect(), hemisphere: hemisphere.collect() }
    }

    /// Index of a pixel's first point.
    pub fn first(&self, x: i64, y: i64) -> usize {
        let place = (x.rem_euclid(TILE as i64) + TILE as i64 * y.rem_euclid(TILE as i64)) as usize;
        ORDER[place] * self.samples
    }

    /// Index of the first of the [`EXTRA`] points of the sample whose own index is `point`.
    pub fn extra(&self, point: usize) -> usize {
        TILE * TILE * self.samples + EXTRA * point
    }

    pub fn disc(&self, i: usize) -> [f32; 2] {
        self.disc[i]
    }

    pub fn hemisphere(&self, i: usize) -> V3 {
        self.hemisphere[i]
    }
}

/// Area-preserving map from the square to the disc: P. Shirley and K. Chiu, A Low Distortion Map, 1997.
fn on_disc([a, b]: [f32; 2]) -> [f32; 2] {
    let (x, y) = (2.0 * a - 1.0, 2.0 * b - 1.0);
    if x == 0.0 && y == 0.0 {
        return [0.0; 2];
    }
    let (r, angle) = if x.abs() > y.abs() {
        (x, std::f32::consts::FRAC_PI_4 * (y / x))
    } else {
        (y, std::f32::consts::FRAC_PI_2 - std::f32::consts::FRAC_PI_4 * (x / y))
    };
    let (s, c) = angle.sin_cos();
    [r * c, r * s]
}

/// A number in [0, 1) for each pixel, evenly distributed among neighbours: M. Roberts' R2 sequence as a dither.
pub(crate) fn dither(x: u32, y: u32) -> f32 {
    let (a, b) = (0.754_877_666_246_692_7, 0.569_840_290_998_053_3);
    ((f64::from(x) * a + f64::from(y) * b).fract()) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_block_of_16_points_has_one_in_each_small_square_and_strip() {
        for block in 0..8 {
            for (columns, rows) in [(16, 1), (8, 2), (4, 4), (2, 8), (1, 16)] {
                let mut seen = [false; 16];
                for i in 0..16 {
                    let [x, y] = sobol(16 * block + i);
                    let cell = (x * columns as f32) as usize * rows + (y * rows as f32) as usize;
                    assert!(!seen[cell], "{columns} x {rows}: cell {cell} twice");
                    seen[cell] = true;
                }
            }
        }
    }

    #[test]
    fn filter_window_holds_every_point_with_the_same_weight() {
        let points = Points::new(3);
        for (x0, y0) in [(0, 0), (5, -3), (17, 2)] {
            let mut weight = vec![0.0; 16];
            for (j, wy) in FILTER.iter().enumerate() {
                for (i, wx) in FILTER.iter().enumerate() {
                    weight[points.first(x0 + i as i64, y0 + j as i64) / 3] += wx * wy;
                }
            }
            assert_eq!(weight, vec![1.0; 16]);
        }
    }
}
