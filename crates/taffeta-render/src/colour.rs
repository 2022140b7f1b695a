//! Colours: sRGB, and two perceptually uniform colour scales.
//!
//! The sequential scale is viridis by S. van der Walt, N. Smith and E. Firing (matplotlib, released under CC0), sampled
//! at ten places. The diverging scale is our own: blue over light grey to red, straight lines in OKLab. Between samples
//! both are interpolated in OKLab (B. Ottosson, A perceptual color space for image processing, 2020; public domain).

use crate::vector::{V3, v3};
use taffeta::SpringKind;

const VIRIDIS: [u32; 10] =
    [0x440154, 0x482878, 0x3e4989, 0x31688e, 0x26828e, 0x1f9e89, 0x35b779, 0x6ece58, 0xb5de2b, 0xfde725];
/// Low end, middle and high end of the diverging scale.
const BLUE_GREY_RED: [u32; 3] = [0x1f56b4, 0xe4e2de, 0xb4232c];

/// Colour of a kind of spring.
pub(crate) fn of_spring(kind: SpringKind) -> [u8; 3] {
    bytes(match kind {
        SpringKind::Structural => 0x2a62c9,
        SpringKind::Shear => 0x2f9e4f,
        SpringKind::Flexion => 0xe3b020,
    })
}

/// Colour of triangles that cross, sRGB.
pub(crate) const CROSSED: [u8; 3] = bytes(0xe01818);

/// A colour scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scale {
    /// From low to high.
    Sequential,
    /// From negative over zero to positive.
    Diverging,
}

impl Scale {
    /// Linear colour at `s` from 0 to 1.
    pub fn at(self, s: f32) -> V3 {
        let samples: &[u32] = match self {
            Scale::Sequential => &VIRIDIS,
            Scale::Diverging => &BLUE_GREY_RED,
        };
        let place = s.clamp(0.0, 1.0) * (samples.len() - 1) as f32;
        let i = (place as usize).min(samples.len() - 2);
        let [a, b] = [samples[i], samples[i + 1]].map(|hex| to_oklab(linear(bytes(hex))));
        from_oklab(a.lerp(b, place - i as f32)).max(V3::ZERO).min(V3::ONE)
    }

    /// A lookup table of 256 linear colours.
    pub fn table(self) -> Vec<V3> {
        (0..256).map(|i| self.at(i as f32 / 255.0)).collect()
    }
}

/// The bytes of 0xrrggbb.
pub(crate) const fn bytes(hex: u32) -> [u8; 3] {
    [(hex >> 16) as u8, (hex >> 8) as u8, hex as u8]
}

/// Converts an sRGB colour to linear light.
pub(crate) fn linear(srgb: [u8; 3]) -> V3 {
    let channel = |c: u8| {
        let c = f32::from(c) / 255.0;
        if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    };
    v3(channel(srgb[0]), channel(srgb[1]), channel(srgb[2]))
}

/// Converts a linear channel from 0 to 1 to sRGB.
pub(crate) fn encode(c: f32) -> f32 {
    if c <= 0.003_130_8 { 12.92 * c } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 }
}

/// Converts a linear colour to sRGB bytes.
pub(crate) fn to_bytes(colour: V3) -> [u8; 3] {
    [colour.x, colour.y, colour.z].map(|c| (encode(c.clamp(0.0, 1.0)) * 255.0).round() as u8)
}

pub(crate) fn to_oklab(c: V3) -> V3 {
    let l = (0.412_221_46 * c.x + 0.536_332_55 * c.y + 0.051_445_995 * c.z).cbrt();
    let m = (0.211_903_5 * c.x + 0.680_699_5 * c.y + 0.107_396_96 * c.z).cbrt();
    let s = (0.088_302_46 * c.x + 0.281_718_85 * c.y + 0.629_978_7 * c.z).cbrt();
    v3(
        0.210_454_26 * l + 0.793_617_8 * m - 0.004_072_047 * s,
        1.977_998_5 * l - 2.428_592_2 * m + 0.450_593_7 * s,
        0.025_904_037 * l + 0.782_771_77 * m - 0.808_675_77 * s,
    )
}

pub(crate) fn from_oklab(c: V3) -> V3 {
    let l = (c.x + 0.396_337_78 * c.y + 0.215_803_76 * c.z).powi(3);
    let m = (c.x - 0.105_561_346 * c.y - 0.063_854_17 * c.z).powi(3);
    let s = (c.x - 0.089_484_18 * c.y - 1.291_485_5 * c.z).powi(3);
    v3(
        4.076_741_7 * l - 3.307_711_6 * m + 0.230_969_94 * s,
        -1.268_438 * l + 2.609_757_4 * m - 0.341_319_38 * s,
        -0.004_196_086_3 * l - 0.703_418_6 * m + 1.707_614_7 * s,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lightness(scale: Scale, s: f32) -> f32 {
        to_oklab(scale.at(s)).x
    }

    #[test]
    fn sequential_scale_gets_lighter_in_nearly_equal_steps() {
        let steps: Vec<f32> = (0..20)
            .map(|i| {
                let s = i as f32 / 20.0;
                lightness(Scale::Sequential, s + 0.05) - lightness(Scale::Sequential, s)
            })
            .collect();
        assert!(steps.iter().all(|step| (0.018..0.045).contains(step)), "{steps:?}");
    }

    #[test]
    fn diverging_scale_is_light_in_the_middle_and_equally_dark_at_both_ends() {
        let [low, middle, high] = [0.0, 0.5, 1.0].map(|s| lightness(Scale::Diverging, s));
        assert!((low - high).abs() < 0.03 && middle - low > 0.35, "{low} {middle} {high}");
        for i in 1..20 {
            let s = i as f32 / 40.0;
            let even = low + (middle - low) * 2.0 * s;
            assert!((lightness(Scale::Diverging, s) - even).abs() < 0.01, "at {s}");
        }
    }

    #[test]
    fn colours_survive_there_and_back() {
        for hex in VIRIDIS.into_iter().chain(BLUE_GREY_RED) {
            assert_eq!(to_bytes(linear(bytes(hex))), bytes(hex));
            assert_eq!(to_bytes(from_oklab(to_oklab(linear(bytes(hex))))), bytes(hex));
        }
    }
}
