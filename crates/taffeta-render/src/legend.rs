//! The colour bar beside a map, with round numbers and the unit.

use crate::colour::{Scale, to_bytes};
use crate::text::Font;
use crate::{Image, Quantity, colour};
use taffeta::SpringKind;

/// Text colour on the light backdrop.
pub(crate) const INK: [u8; 3] = [0x2b, 0x2d, 0x33];

/// Round numbers in `[low, high]` at steps of 1, 2 or 5 times a power of ten: at most `most` of them, or three if that
/// is more.
pub fn ticks(low: f64, high: f64, most: usize) -> Vec<f64> {
    let range = high - low;
    if !range.is_finite() || range <= 0.0 {
        return vec![low];
    }
    // from a step that is far too fine to the first that is coarse enough
    let mut exponent = (range / most.max(3) as f64).log10().floor() as i32;
    loop {
        for factor in [1.0, 2.0, 5.0] {
            // divide for powers below one: 1/10 is exactly the number that prints as 0.1
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

/// The next number that is not smaller than `value` and has one or two digits: 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6 or 8
/// times a power of ten.
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

/// Numbers as text, all with the same number of decimals; very large and very small ones share one exponent.
pub(crate) fn labels(ticks: &[f64]) -> Vec<String> {
    let largest = ticks.iter().fold(0.0, |a: f64, t| a.max(t.abs()));
    let usual = largest == 0.0 || (1e-3..1e5).contains(&largest);
    let exponent = if usual { 0 } else { (largest * 1.000_001).log10().floor() as i32 };
    let unit = 10f64.powi(exponent);
    let whole = |x: f64| (x - x.round()).abs() <= 1e-6 * x.abs().max(1.0);
    let decimals = (0..9).find(|&d| ticks.iter().all(|t| whole(t / unit * 10f64.powi(d)))).unwrap_or(9) as usize;
    let label = |t: &f64| match (usual, *t == 0.0) {
        (true, _) => format!("{t:.decimals$}"),
        (false, true) => "0".to_string(),
        (false, false) => format!("{:.decimals$}e{exponent}", t / unit),
    };
    ticks.iter().map(label).collect()
}

/// Pixels that the legend takes at the right and at the bottom of a picture: vertical beside wide pictures, horizontal
/// below tall ones.
pub(crate) fn room(width: u32, height: u32) -> [u32; 2] {
    let font = Font::for_picture(width, height);
    let upright = (font.advance() * 10 + thickness(font) + font.height()) as u32;
    if width >= height { [upright, 0] } else { [0, (font.height() * 9 / 2) as u32] }
}

/// Thickness of the colour bar, pixels.
fn thickness(font: Font) -> i64 {
    font.height() * 3 / 4
}

/// The contents of a legend.
pub(crate) struct Legend<'a> {
    pub quantity: &'a Quantity,
    pub scale: Scale,
    pub range: [f64; 2],
    /// Whether values lie beyond each end: such an end is drawn as a point.
    pub beyond: [bool; 2],
}

impl Legend<'_> {
    /// Draws the legend, unless the picture is too small for it to be legible.
    pub fn draw(&self, image: &mut Image) {
        let font = Font::for_picture(image.width(), image.height());
        let (w, h) = (i64::from(image.width()), i64::from(image.height()));
        let [right, bottom] = room(image.width(), image.height()).map(i64::from);
        if bottom == 0 && right <= w / 2 && h * 56 / 100 >= 3 * font.height() {
            self.draw_upright(image, font, w - right + font.height() / 2);
        } else if bottom > 0 && bottom <= h / 2 && w >= 14 * font.advance() {
            self.draw_lying(image, font, h - bottom);
        }
    }

    fn draw_upright(&self, image: &mut Image, font: Font, left: i64) {
        let h = i64::from(image.height());
        let length = h * 56 / 100;
        let (top, thick) = ((h - length) / 2 + font.height() / 2, thickness(font));
        let right = left + thick;
        // colours, framed by a thin line
        let stripe = |image: &mut Image, along: i64, inset: i64, colour: [u8; 3]| {
            let y = top + length - 1 - along;
            stripe(image, [left + inset, y], [thick - 2 * inset, 1], [1, 0], colour);
        };
        self.draw_bar(image, length, thick, stripe);
        image.fill([left - 1, top - 1], [thick + 2, 1], INK, if self.beyond[1] { 0 } else { 150 });
        image.fill([left - 1, top + length], [thick + 2, 1], INK, if self.beyond[0] { 0 } else { 150 });

        for (tick, label) in self.ticks((length / (2 * font.height())).max(3) as usize) {
            let y = top + ((1.0 - self.place(tick)) * (length - 1) as f64).round() as i64;
            image.fill([right + 1, y], [font.height() / 4, 1], INK, 255);
            font.write(image, [right + font.height() / 2, y - font.height() / 2], &label, INK);
        }
        font.write(image, [left, top - 21 * font.height() / 8], self.quantity.name(), INK);
        font.write(image, [left, top - 13 * font.height() / 8], self.quantity.unit(), INK);
    }

    fn draw_lying(&self, image: &mut Image, font: Font, top: i64) {
        let w = i64::from(image.width());
        let (left, thick) = (3 * font.advance(), thickness(font));
        let length = w - 2 * left;
        let y = top + 3 * font.height() / 2;
        let stripe = |image: &mut Image, along: i64, inset: i64, colour: [u8; 3]| {
            stripe(image, [left + along, y + inset], [1, thick - 2 * inset], [0, 1], colour);
        };
        self.draw_bar(image, length, thick, stripe);
        image.fill([left - 1, y - 1], [1, thick + 2], INK, if self.beyond[0] { 0 } else { 150 });
        image.fill([left + length, y - 1], [1, thick + 2], INK, if self.beyond[1] { 0 } else { 150 });

        for (tick, label) in self.ticks((length / (7 * font.advance())).max(3) as usize) {
            let x = left + (self.place(tick) * (length - 1) as f64).round() as i64;
            image.fill([x, y + thick + 1], [1, font.height() / 4], INK, 255);
            let half = label.chars().count() as i64 * font.advance() / 2;
            font.write(image, [x - half, y + thick + font.height() / 3], &label, INK);
        }
        let title = format!("{}, {}", self.quantity.name(), self.quantity.unit());
        font.write(image, [left, top + font.height() / 4], &title, INK);
    }

    /// Draws the bar in stripes from low to high, given position, inset and colour; pointed ends lie outside.
    fn draw_bar(&self, image: &mut Image, length: i64, thick: i64, stripe: impl Fn(&mut Image, i64, i64, [u8; 3])) {
        let point = thick / 2;
        for along in -point..length + point {
            let outside = (-along).max(along - length + 1).max(0);
            let shown = outside == 0 || self.beyond[usize::from(along > 0)];
            let s = (along as f32 + 0.5) / length as f32;
            if shown {
                stripe(image, along, outside, to_bytes(self.scale.at(s)));
            }
        }
    }

    fn ticks(&self, most: usize) -> impl Iterator<Item = (f64, String)> {
        let [low, high] = self.range;
        let mut ticks = ticks(low, high, most);
        // where few fit, the ends are more useful than the values between
        if ticks.len() < 3 {
            ticks = [low, 0.0, high].into_iter().filter(|t| (low..=high).contains(t)).collect();
            ticks.dedup();
        }
        let labels = labels(&ticks);
        ticks.into_iter().zip(labels)
    }

    /// Position of a value on the bar, 0 to 1.
    fn place(&self, value: f64) -> f64 {
        (value - self.range[0]) / (self.range[1] - self.range[0])
    }
}

/// Draws a stripe with a dot of the frame at both ends; `across` is its direction.
fn stripe(image: &mut Image, at: [i64; 2], size: [i64; 2], across: [i64; 2], colour: [u8; 3]) {
    let [w, h] = size;
    image.fill(at, size, colour, 255);
    image.fill([at[0] - across[0], at[1] - across[1]], [1, 1], INK, 150);
    image.fill([at[0] + across[0] * w, at[1] + across[1] * h], [1, 1], INK, 150);
}

/// Pixels that the names of springs take at the right and at the top of a picture.
pub(crate) fn room_of_kinds(width: u32, height: u32) -> [u32; 2] {
    let font = Font::for_picture(width, height);
    let (across, down) = (font.height() + 12 * font.advance(), font.height() * 19 / 4);
    if width >= height { [across as u32, 0] } else { [0, down as u32] }
}

/// Names the kinds of springs that are shown, in the upper right corner.
pub(crate) fn draw_kinds(image: &mut Image, kinds: &[SpringKind]) {
    let font = Font::for_picture(image.width(), image.height());
    let line = font.height() * 5 / 4;
    let left = i64::from(image.width()) - font.height() - 12 * font.advance();
    if left < font.height() || line * 5 > i64::from(image.height()) {
        return; // too small to be read
    }
    for (i, kind) in (0i64..).zip(kinds) {
        let (y, name) = (font.height() + i * line, format!("{kind:?}").to_lowercase());
        let swatch = [left, y + font.height() / 2 - font.height() / 10];
        image.fill(swatch, [font.advance() * 3 / 2, (font.height() / 5).max(2)], colour::of_spring(*kind), 255);
        font.write(image, [left + 2 * font.advance(), y], &name, INK);
    }
}

/// Says in the upper right corner what is red, and how many triangles are.
pub(crate) fn draw_crossings(image: &mut Image, count: usize) {
    let font = Font::for_picture(image.width(), image.height());
    let line = font.height() * 5 / 4;
    let left = i64::from(image.width()) - font.height() - 12 * font.advance();
    if left < font.height() || line * 3 > i64::from(image.height()) {
        return; // too small to be read
    }
    let swatch = [left, font.height() + font.height() / 4];
    image.fill(swatch, [font.advance() * 3 / 2, font.height() / 2], colour::CROSSED, 255);
    font.write(image, [left + 2 * font.advance(), font.height()], "crossing", INK);
    font.write(image, [left + 2 * font.advance(), font.height() + line], &count.to_string(), INK);
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
        assert_eq!(labels(&[-2.5, 0.0, 2.5]), ["-2.5", "0.0", "2.5"]);
        assert_eq!(labels(&[0.0, 0.12]), ["0.00", "0.12"]);
    }

    #[test]
    fn every_legend_has_two_numbers_or_more() {
        let quantity = Quantity::Shear;
        for digits in [1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0] {
            for range in [[0.0, digits], [-digits, digits]] {
                let legend = Legend { quantity: &quantity, scale: Scale::Diverging, range, beyond: [true; 2] };
                for most in [3, 4, 9] {
                    let found: Vec<_> = legend.ticks(most).collect();
                    let shown = |(tick, label): &(f64, String)| label.parse::<f64>().unwrap() == *tick;
                    assert!(found.len() >= 2 && found.iter().all(shown), "{range:?}: {found:?}");
                }
            }
        }
    }

    #[test]
    fn ranges_end_at_round_numbers() {
        for (value, expected) in [(9.7, 10.0), (1.01, 1.2), (0.23, 0.25), (5.0, 5.0), (0.0, 1.0), (7e-5, 8e-5)] {
            assert!((round_up(value) - expected).abs() < 1e-12 * expected, "{value}: {}", round_up(value));
        }
    }
}
