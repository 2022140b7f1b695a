//! Pictures in memory and as PNG.

use crate::RenderError;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use taffeta_files::whole::Whole;

/// A picture: sRGB, three bytes per pixel, row by row from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    width: u32,
    height: u32,
    pixels: Vec<u8>,
}

impl Image {
    /// A picture of one colour.
    pub fn new(width: u32, height: u32, colour: [u8; 3]) -> Self {
        Self { width, height, pixels: colour.repeat(width as usize * height as usize) }
    }

    /// A picture from three bytes per pixel, row by row from the top; `None` if the length does not match.
    pub fn from_pixels(width: u32, height: u32, pixels: Vec<u8>) -> Option<Self> {
        (pixels.len() == 3 * width as usize * height as usize).then_some(Self { width, height, pixels })
    }

    /// Pixels from left to right.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Pixels from top to bottom.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Three bytes per pixel, row by row from the top.
    pub fn pixels(&self) -> &[u8] {
        &self.pixels
    }

    pub(crate) fn pixels_mut(&mut self) -> &mut [u8] {
        &mut self.pixels
    }

    /// Red, green, blue of a pixel; `None` outside.
    pub fn pixel(&self, x: u32, y: u32) -> Option<[u8; 3]> {
        let i = self.index(i64::from(x), i64::from(y))?;
        Some([self.pixels[i], self.pixels[i + 1], self.pixels[i + 2]])
    }

    fn index(&self, x: i64, y: i64) -> Option<usize> {
        let inside = x >= 0 && y >= 0 && x < i64::from(self.width) && y < i64::from(self.height);
        inside.then(|| 3 * (y as usize * self.width as usize + x as usize))
    }

    /// Blends a colour over a pixel with an `opacity` of 0 to 255; does nothing outside the picture.
    pub(crate) fn blend(&mut self, x: i64, y: i64, colour: [u8; 3], opacity: u8) {
        let Some(i) = self.index(x, y) else { return };
        for (pixel, c) in self.pixels[i..i + 3].iter_mut().zip(colour) {
            let (old, new, a) = (u32::from(*pixel), u32::from(c), u32::from(opacity));
            *pixel = ((old * (255 - a) + new * a + 127) / 255) as u8;
        }
    }

    /// Fills a rectangle with a colour.
    pub(crate) fn fill(&mut self, at: [i64; 2], size: [i64; 2], colour: [u8; 3], opacity: u8) {
        for y in at[1]..at[1] + size[1] {
            for x in at[0]..at[0] + size[0] {
                self.blend(x, y, colour, opacity);
            }
        }
    }

    /// Copies another picture into this one.
    pub(crate) fn put(&mut self, at: [u32; 2], other: &Image) {
        let width = other.width.min(self.width.saturating_sub(at[0])) as usize;
        let height = other.height.min(self.height.saturating_sub(at[1])) as usize;
        for row in 0..height {
            let from = 3 * row * other.width as usize;
            let to = 3 * ((row + at[1] as usize) * self.width as usize + at[0] as usize);
            self.pixels[to..to + 3 * width].copy_from_slice(&other.pixels[from..from + 3 * width]);
        }
    }

    /// Writes PNG.
    pub fn write_png(&self, to: impl Write) -> io::Result<()> {
        let mut encoder = png::Encoder::new(to, self.width, self.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        encoder.set_compression(png::Compression::High);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.pixels)?;
        Ok(writer.finish()?)
    }

    /// Writes a PNG file. An existing file is replaced only when the new one is complete. A missing folder is created.
    pub fn save_png(&self, path: &Path) -> Result<(), RenderError> {
        let disk = |source| RenderError::Disk { action: "write", path: path.to_path_buf(), source };
        let whole = Whole::file(path)?;
        let mut file = BufWriter::new(whole.open()?);
        self.write_png(&mut file).and_then(|()| file.flush()).map_err(disk)?;
        drop(file);
        Ok(whole.finish()?)
    }
}
