//! Patterns of cloth from its material coordinates, blurred where a pixel covers much of them.

use crate::colour::{bytes, linear};
use crate::legend::round_up;
use crate::vector::{V3, smoothstep, v3};
use crate::{Colours, Fabric, Pattern, Subject};

/// Default colours of cloths in turn: muted dyes with backs of another hue.
const DYES: [[u32; 2]; 6] = [
    [0x35567c, 0xb99872], // indigo
    [0xb4523a, 0x8e9fa8], // terracotta
    [0x5c7f5f, 0xc7b48c], // sage
    [0xc9962f, 0x7f8d78], // ochre
    [0x7a4a6d, 0xbfa98a], // plum
    [0x3b7f82, 0xc2937a], // teal
];
/// Colours of cloths in turn on which red stands out.
const PALE: [[u32; 2]; 3] = [[0x9fb0c2, 0xc9c0b2], [0xb7bfa9, 0xa9b4ba], [0xc7bba0, 0xa4adb5]];
/// Approximate number of checks across a cloth.
const CHECKS: f64 = 10.0;
/// Number of threads across a cloth. Real cloth has more, but they would be invisible.
const THREADS: f64 = 300.0;
/// Least width of a thread in the weave pattern, pixels.
const SEEN: f64 = 6.0;

/// Meshes with fewer triangles always have their pattern.
const SMALL: usize = 32;

/// Colours of cloths in turn on which red stands out.
pub(crate) fn beside_red() -> Vec<Colours> {
    PALE.map(|[front, back]| Colours { front: bytes(front), back: bytes(back) }).to_vec()
}

/// The look of one cloth.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Texture {
    pattern: Pattern,
    front: V3,
    back: V3,
    /// Length of a check or stripe, m.
    check: f64,
    /// Distance between threads, m.
    thread: f64,
}

/// The textures of all cloths; one for all triangles if there are no cloths.
///
/// `pixel` is the size of a pixel in the middle of the picture, m.
pub(crate) fn textures(subject: &Subject, fabric: &Fabric, pixel: f64) -> Vec<Texture> {
    let count = subject.cloths.len().max(1);
    let each = (0..count).map(|i| {
        let range = subject.cloths.get(i).map_or(0..subject.uv.len(), |cloth| cloth.triangles.clone());
        let uv = subject.uv.get(range.clone()).unwrap_or(&[]);
        let torn = is_torn(subject.triangles.get(range).unwrap_or(&[]), uv);
        let pattern = if torn { Pattern::Plain } else { fabric.pattern };
        let mut low = [f64::INFINITY; 2];
        let mut high = [f64::NEG_INFINITY; 2];
        for corner in uv.as_flattened() {
            for k in 0..2 {
                (low[k], high[k]) = (low[k].min(corner[k]), high[k].max(corner[k]));
            }
        }
        let extent = ((high[0] - low[0]) * (high[1] - low[1])).sqrt();
        let extent = if extent.is_finite() && extent > 0.0 { extent } else { 1.0 };
        let asked = fabric.size.filter(|size| size.is_finite() && *size > 0.0);
        let check = asked.unwrap_or_else(|| round_up(extent / CHECKS));
        let dye = DYES[i % DYES.len()];
        let ours = Colours { front: bytes(dye[0]), back: bytes(dye[1]) };
        let colours = if fabric.colours.is_empty() { ours } else { fabric.colours[i % fabric.colours.len()] };
        // an even number of threads per check keeps both patterns aligned
        let per_check = ((check / (extent / THREADS)) / 2.0).round().max(1.0) * 2.0;
        let thread = if fabric.pattern == Pattern::Weave {
            asked.unwrap_or((extent / THREADS).max(SEEN * pixel))
        } else {
            check / per_check
        };
        Texture { pattern, front: linear(colours.front), back: linear(colours.back), check, thread }
    });
    each.collect()
}

/// Whether each triangle has separate uv, because the mesh had none: a pattern would look like confetti.
fn is_torn(triangles: &[[u32; 3]], uv: &[[[f64; 2]; 3]]) -> bool {
    let mut corners: Vec<(u32, [u64; 2])> =
        triangles.as_flattened().iter().zip(uv.as_flattened()).map(|(v, uv)| (*v, uv.map(f64::to_bits))).collect();
    corners.sort_unstable();
    let pairs = || corners.windows(2).filter(|pair| pair[0].0 == pair[1].0);
    let other = pairs().filter(|pair| pair[0].1 != pair[1].1).count();
    // a small mesh may have a seam anywhere
    triangles.len() >= SMALL && 2 * other > pairs().count()
}

impl Texture {
    /// Colour at a point; `blur` is the size of a pixel there, m.
    pub fn colour(&self, uv: [f64; 2], blur: f64, front: bool) -> V3 {
        let base = if front { self.front } else { self.back };
        // the second colour of a pattern is lighter on dark fabric and darker on light
        let bright = base.x + base.y + base.z > 0.9;
        let other = if bright { base * 0.5 } else { base * 0.12 + v3(0.64, 0.60, 0.53) };
        let wave = |x: f64| square_wave(x / self.check, blur / self.check);
        let mixed = match self.pattern {
            Pattern::Plain => return base,
            Pattern::Weave => base,
            Pattern::Checker => base.lerp(other, (0.5 + 0.5 * wave(uv[0]) * wave(uv[1])) * 0.85),
            Pattern::Stripes => base.lerp(other, (0.5 + 0.5 * wave(uv[1])) * 0.85),
            Pattern::Grid => {
                let [a, b] = uv.map(|x| line(x / self.check, 0.055, blur / self.check));
                base.lerp(other, 0.6 * (a + b - a * b))
            }
        };
        mixed * self.weave(uv, blur)
    }

    /// Shading of threads that go over and under each other.
    fn weave(&self, uv: [f64; 2], blur: f64) -> f32 {
        let visible = 1.0 - smoothstep(0.25, 0.6, (blur / self.thread) as f32);
        if visible <= 0.0 {
            return 1.0;
        }
        let [x, y] = uv.map(|c| c / self.thread);
        let (i, j) = (x.floor(), y.floor());
        let (fx, fy) = ((x - i - 0.5) as f32, (y - j - 0.5) as f32);
        let warp_above = (i + j).rem_euclid(2.0) < 0.5;
        let (across, along) = if warp_above { (fy, fx) } else { (fx, fy) };
        // round across, dipping under the neighbours along
        let height = (1.0 - 3.2 * across * across) * (1.0 - 2.2 * along * along);
        let tint = if warp_above { 1.04 } else { 0.97 };
        1.0 + visible * ((0.62 + 0.50 * height.max(0.0)) * tint - 0.93)
    }
}

/// Mean, over a width, of a wave that is 1 in even and -1 in odd cells.
fn square_wave(x: f64, width: f64) -> f32 {
    let width = width.max(1e-6);
    if width > 8.0 {
        return 0.0;
    }
    // integral of the wave: a triangle wave between 0 and 1
    let integral = |x: f64| 1.0 - (x.rem_euclid(2.0) - 1.0).abs();
    ((integral(x + 0.5 * width) - integral(x - 0.5 * width)) / width) as f32
}

/// Fraction of a width that lines around integers cover; they are `thick` wide.
fn line(x: f64, thick: f64, width: f64) -> f32 {
    let width = width.max(1e-6);
    let integral = |x: f64| x.floor() * thick + (x - x.floor()).min(thick);
    let (a, b) = (x + 0.5 * thick - 0.5 * width, x + 0.5 * thick + 0.5 * width);
    ((integral(b) - integral(a)) / width) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uv_of_each_triangle_by_itself_have_no_pattern() {
        let mesh = taffeta::Mesh::grid([1.0, 1.0], [4, 4], taffeta::Pattern::Alternating).unwrap();
        assert!(!is_torn(&mesh.triangles, &mesh.uv));
        let alone = |i: u32| [[0.0, 0.0], [1.0 + f64::from(i), 0.0], [0.0, 1.0 + f64::from(i)]];
        let torn: Vec<_> = (0..32).map(alone).collect();
        assert!(is_torn(&mesh.triangles, &torn));
    }

    #[test]
    fn patterns_blur_to_their_mean_from_far_away() {
        assert!(square_wave(0.3, 1e-9) > 0.99 && square_wave(1.3, 1e-9) < -0.99);
        assert!(square_wave(0.37, 2.0).abs() < 1e-6 && square_wave(0.37, 1e9) == 0.0);
        assert!(line(4.0, 0.1, 1e-9) > 0.99 && line(4.2, 0.1, 1e-9) < 0.01);
        assert!((line(0.77, 0.1, 1.0) - 0.1).abs() < 1e-6);
    }
}
