//! Draws shapes as pixels, with smooth edges.

use super::PLOT_SIZE;
use super::layout::{Anchor, Shape};
use crate::Image;
use crate::text::Font;

/// Lengths of a dash and of the gap after it, pixels.
const DASH: [f64; 2] = [8.0, 6.0];

pub(super) fn image(shapes: &[Shape]) -> Image {
    let [width, height] = PLOT_SIZE;
    let mut image = Image::new(width, height, [255; 3]);
    // the smallest font
    let font = Font::for_picture(1, 1);
    for shape in shapes {
        match shape {
            Shape::Line { points, width, colour, dashed } => polyline(&mut image, points, *width, *colour, *dashed),
            Shape::Dot { at, radius, colour } => stroke(&mut image, *at, *at, 2.0 * radius, *colour),
            Shape::Text { at: [x, y], anchor, text, colour } => {
                let length = font.advance() * text.chars().count() as i64;
                let left = match anchor {
                    Anchor::Start => 0,
                    Anchor::Middle => length / 2,
                    Anchor::End => length,
                };
                // the baseline is a quarter of the height above the lower edge of a letter's box
                let up = 3 * font.height() / 4;
                font.write(&mut image, [x.round() as i64 - left, y.round() as i64 - up], text, *colour);
            }
        }
    }
    image
}

fn polyline(image: &mut Image, points: &[[f64; 2]], width: f64, colour: [u8; 3], dashed: bool) {
    let mut walked = 0.0;
    for (&a, &b) in points.iter().zip(points.iter().skip(1)) {
        if !dashed {
            stroke(image, a, b, width, colour);
            continue;
        }
        let length = (b[0] - a[0]).hypot(b[1] - a[1]);
        let at = |s: f64| [0, 1].map(|i| a[i] + (b[i] - a[i]) * (s / length).clamp(0.0, 1.0));
        let period = DASH[0] + DASH[1];
        let mut begin = -(walked % period);
        while begin < length {
            if begin + DASH[0] > 0.0 {
                stroke(image, at(begin), at(begin + DASH[0]), width, colour);
            }
            begin += period;
        }
        walked += length;
    }
}

/// Draws a line with round ends; a dot if both ends are the same.
fn stroke(image: &mut Image, a: [f64; 2], b: [f64; 2], width: f64, colour: [u8; 3]) {
    let reach = 0.5 * width + 1.0;
    let [columns, rows] = [0, 1].map(|i| {
        let (low, high) = (a[i].min(b[i]) - reach, a[i].max(b[i]) + reach);
        low.floor().max(0.0) as i64..high.ceil().min(f64::from(PLOT_SIZE[i])) as i64
    });
    let d = [b[0] - a[0], b[1] - a[1]];
    let square = d[0] * d[0] + d[1] * d[1];
    for y in rows {
        for x in columns.clone() {
            let p = [x as f64 + 0.5 - a[0], y as f64 + 0.5 - a[1]];
            let along = if square > 0.0 { ((p[0] * d[0] + p[1] * d[1]) / square).clamp(0.0, 1.0) } else { 0.0 };
            let distance = (p[0] - along * d[0]).hypot(p[1] - along * d[1]);
            let cover = (0.5 * width + 0.5 - distance).clamp(0.0, 1.0);
            image.blend(x, y, colour, (255.0 * cover).round() as u8);
        }
    }
}
