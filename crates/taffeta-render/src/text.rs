//! Text in pictures, in Noto Sans Mono (SIL Open Font License) at four sizes.

use crate::Image;
use noto_sans_mono_bitmap::{FontWeight, RasterHeight, get_raster, get_raster_width};

/// A font size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Font {
    size: RasterHeight,
    /// Each pixel of a letter becomes this many pixels of the picture in both directions.
    zoom: i64,
}

impl Font {
    /// The size that is legible in a picture of this size.
    pub fn for_picture(width: u32, height: u32) -> Font {
        let side = width.min(height);
        let (size, zoom) = match side {
            0..480 => (RasterHeight::Size16, 1),
            480..720 => (RasterHeight::Size20, 1),
            720..960 => (RasterHeight::Size24, 1),
            960..1600 => (RasterHeight::Size32, 1),
            _ => (RasterHeight::Size32, i64::from(side).div_euclid(1200).max(2)),
        };
        Font { size, zoom }
    }

    /// Height of a line, pixels.
    pub fn height(self) -> i64 {
        self.size.val() as i64 * self.zoom
    }

    /// Width of a letter, pixels.
    pub fn advance(self) -> i64 {
        get_raster_width(FontWeight::Regular, self.size) as i64 * self.zoom
    }

    /// Writes a text with its upper left corner at `at`. Characters that the font lacks become `?`.
    pub fn write(self, image: &mut Image, at: [i64; 2], text: &str, colour: [u8; 3]) {
        let letter = |c| get_raster(c, FontWeight::Regular, self.size);
        for (i, c) in text.chars().enumerate() {
            let Some(raster) = letter(c).or_else(|| letter('?')) else { continue };
            let left = at[0] + i as i64 * self.advance();
            for (y, row) in raster.rows().enumerate() {
                for (x, &opacity) in row.iter().enumerate().filter(|(_, opacity)| **opacity > 0) {
                    let place = [left + x as i64 * self.zoom, at[1] + y as i64 * self.zoom];
                    image.fill(place, [self.zoom; 2], colour, opacity);
                }
            }
        }
    }
}
