//! The scale beside a map: colours, round numbers, unit.

use crate::colour::{Scale, to_bytes};
use crate::text::Font;
use crate::{Image, Quantity, colour};
use taffeta::SpringKind;

/// Colour of letters on the light backdrop.
pub(crate) const INK: [u8; 3] = [0x2b, 0x2d, 0x33];

/// Round numbers in `[low, high]`: 1, 2 or 5 times a power of ten apart, at most `most` of them, or three if that is
/// more.
pub fn ticks(low: f64, high: f64, most: usize) -> Vec<f64> {
    let range = high - low;
    if !range.is_finite() || range <= 0.0 {
        return vec![low];
    }
    // from far too fine to just coarse enough
    let mut exponent = (range / most.max(3) as f64).log10().floor() as i32;
    loop {
        for factor in [1.0, 2.0, 5.0] {
            // powers below one by division: 0.1 is 1/10, and so is what people expect to read
            let scale = |n: f64| {
                if exponent < 0 { n * factor / 10f64.powi(-exponent) } else { n * factor * 10f64.powi(exponent) }
            };
            let step = scale(1.0);
            let (first, last) = ((low / step - 1e-9).ceil(), (high / step + 1e-9).floor());
            let count = last - first + 1.0;
            if count <= most.max(3) as f64 {
                return (0..count as usize).map(|i| scale(first + i as f64) + 0.0).collect();
            }
        }
        exponent += 1;
    }
}

/// A number near `value` that is not smaller and has one or two digits: 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8 times a power
/// of ten.
pub(crate) fn round_up(value: f64) -> f64 {
    if !value.is_finite() || value <= 0.0 {
        return 1.0;
    }
    let power = 10f64.powi(value.log10().floor() as i32);
    if power == 0.0 {
        return value;
    }
    let digits = [1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0];
    digits.into_iter().map(|d| d * power).find(|&d| d >= value * (1.0 - 1e-9)).unwrap_or(10.0 * power)
}

/// Numbers as text, all with the same number of decimals; very large and very small ones with one exponent for all.
pub(crate) fn labels(ticks: &[f64]) -> Vec<String> {
    let largest = ticks.iter().fold(0.0, |a: f64, t| a.max(t.abs()));
    let usual = largest == 0.0 || (1e-3..1e5).contains(&largest);
    let exponent = if usual { 0 } else { (largest * 1.000_001).log10().floor() as i32 };
    let unit = 10f64.powi(exponent);
    let step = ticks.windows(2).map(|w| w[1] - w[0]).fold(largest, f64::min) / unit;
    let decimals = if step > 0.0 { (-(step * 1.000_001).log10().floor()).clamp(0.0, 9.0) as usize } else { 0 };
    let label = |t: &f64| match (usual, *t == 0.0) {
        (true, _) => format!("{t:.decimals$}"),
        (false, true) => "0".to_string(),
        (false, false) => format!("{:.decimals$}e{exponent}", t / unit),
    };
    ticks.iter().map(label).collect()
}

/// Width of the strip at the right of a picture that the legend takes, pixels.
pub(crate) fn width(height: u32) -> u32 {
    let font = Font::for_height(height);
    (font.advance() * 10 + bar_width(font) + font.height()) as u32
}

fn bar_width(font: Font) -> i64 {
    font.height() * 3 / 4
}

/// Draws the legend at the right of a picture.
pub(crate) fn draw(image: &mut Image, quantity: &Quantity, scale: Scale, range: [f64; 2]) {
    let font = Font::for_height(image.height());
    let (w, h) = (i64::from(image.width()), i64::from(image.height()));
    let strip = i64::from(width(image.height()));
    let length = h * 56 / 100;
    if strip > w / 2 || length < 3 * font.height() {
        return; // too small to be read
    }
    let (left, top) = (w - strip + font.height() / 2, (h - length) / 2 + font.height() / 2);
    let right = left + bar_width(font);

    // colours, framed by a thin line
    image.fill([left - 1, top - 1], [right - left + 2, length + 2], INK, 150);
    for y in 0..length {
        let s = 1.0 - (y as f32 + 0.5) / length as f32;
        image.fill([left, top + y], [right - left, 1], to_bytes(scale.at(s)), 255);
    }

    // numbers
    let ticks = ticks(range[0], range[1], (length / (2 * font.height())).max(3) as usize);
    for (tick, label) in ticks.iter().zip(labels(&ticks)) {
        let s = (tick - range[0]) / (range[1] - range[0]);
        let y = top + ((1.0 - s) * (length - 1) as f64).round() as i64;
        image.fill([right + 1, y], [font.height() / 4, 1], INK, 255);
        font.write(image, [right + font.height() / 2, y - font.height() / 2], &label, INK);
    }

    // name and unit
    let (name, unit) = (quantity.name(), quantity.unit());
    font.write(image, [left, top - 5 * font.height() / 2], name, INK);
    font.write(image, [left, top - 3 * font.height() / 2], unit, INK);
}

/// Names the kinds of springs that are shown, in the upper right corner.
pub(crate) fn draw_kinds(image: &mut Image, kinds: &[SpringKind]) {
    let font = Font::for_height(image.height());
    let line = font.height() * 5 / 4;
    let left = i64::from(image.width()) - font.height() - 12 * font.advance();
    if left < i64::from(image.width()) / 2 || line * 5 > i64::from(image.height()) {
        return; // too small to be read
    }
    for (i, kind) in (0i64..).zip(kinds) {
        let (y, name) = (font.height() + i * line, format!("{kind:?}").to_lowercase());
        let swatch = [left, y + font.height() / 2 - font.height() / 10];
        image.fill(swatch, [font.advance() * 3 / 2, (font.height() / 5).max(2)], colour::of_spring(*kind), 255);
        font.write(image, [left + 2 * font.advance(), y], &name, INK);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_numbers_inside_the_range() {
        assert_eq!(ticks(0.0, 10.0, 6), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        assert_eq!(ticks(0.0, 1.2, 5), [0.0, 0.5, 1.0]);
        assert_eq!(ticks(-30.0, 30.0, 7), [-30.0, -20.0, -10.0, 0.0, 10.0, 20.0, 30.0]);
        assert_eq!(ticks(0.0, 0.3, 4), [0.0, 0.1, 0.2, 0.3]);
        assert_eq!(ticks(97.0, 103.0, 3), [98.0, 100.0, 102.0]);
        assert_eq!(ticks(2.0, 2.0, 5), [2.0]);
        assert_eq!(ticks(0.0, f64::INFINITY, 5), [0.0]);
        for range in [1e-12, 3.3e-4, 0.7, 12.0, 98765.0, 4e20] {
            let found = ticks(0.0, range, 6);
            assert!((2..=6).contains(&found.len()), "{range}: {found:?}");
        }
    }

    #[test]
    fn labels_have_as_many_decimals_as_needed() {
        assert_eq!(labels(&[0.0, 0.1, 0.2]), ["0.0", "0.1", "0.2"]);
        assert_eq!(labels(&[-20.0, 0.0, 20.0]), ["-20", "0", "20"]);
        assert_eq!(labels(&[0.0, 0.05, 0.1]), ["0.00", "0.05", "0.10"]);
        assert_eq!(labels(&[0.0, 2e-6, 4e-6]), ["0", "2e-6", "4e-6"]);
        assert_eq!(labels(&[0.0, 5e-6, 1e-5, 1.5e-5]), ["0", "0.5e-5", "1.0e-5", "1.5e-5"]);
        assert_eq!(labels(&[0.0, 1e6]), ["0", "1e6"]);
        assert_eq!(labels(&[0.0]), ["0"]);
    }

    #[test]
    fn ranges_end_at_round_numbers() {
        for (value, expected) in [(9.7, 10.0), (1.01, 1.2), (0.23, 0.25), (5.0, 5.0), (0.0, 1.0), (7e-5, 8e-5)] {
            assert!((round_up(value) - expected).abs() < 1e-12 * expected, "{value}: {}", round_up(value));
        }
    }
}
