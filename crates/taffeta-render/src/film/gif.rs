//! Animated GIF: a palette is kept as long as it fits, and only the changes from frame to frame are written.

use super::palette::Palette;
use crate::{Image, RenderError};
use gif::{DisposalMethod, Encoder, EncodingError, Repeat};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use taffeta_files::whole::Whole;

/// Number of frames that the first palette is made from.
const STUDIED: usize = 8;
/// A new palette is made when the colour error is this many times that of a fresh one.
const STALE: f32 = 1.6;
/// Shortest frame, hundredths of a second: browsers slow down films with shorter ones.
const SHORTEST: u64 = 2;
/// Palette entry that means "unchanged".
const UNCHANGED: u8 = 255;

/// A GIF that is being written.
pub(super) struct GifFilm {
    fps: f64,
    waiting: Vec<Image>,
    open: Option<Open>,
}

struct Open {
    encoder: Encoder<BufWriter<File>>,
    size: [u16; 2],
    palette: Palette,
    fresh_error: f32,
    /// Colours currently on the screen.
    shown: Vec<[u8; 3]>,
    frame: u64,
    /// End time of the frames written so far, hundredths of a second.
    clock: u64,
}

impl std::fmt::Debug for GifFilm {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.debug_struct("GifFilm").field("fps", &self.fps).finish_non_exhaustive()
    }
}

impl GifFilm {
    pub fn new(fps: f64) -> Self {
        Self { fps, waiting: Vec::new(), open: None }
    }

    pub fn add(&mut self, image: Image, part: &Whole) -> Result<(), RenderError> {
        let path = part.temporary();
        match &mut self.open {
            Some(open) => open.write(&image, self.fps).map_err(|error| disk(path, error)),
            None => {
                self.waiting.push(image);
                if self.waiting.len() < STUDIED { Ok(()) } else { self.begin(part) }
            }
        }
    }

    /// Writes the frames that waited for the first palette.
    fn begin(&mut self, part: &Whole) -> Result<(), RenderError> {
        let path = part.temporary();
        let images = std::mem::take(&mut self.waiting);
        let Some(first) = images.first() else { return Ok(()) };
        // a picture's side never exceeds the limit of GIF
        let size = [first.width(), first.height()].map(|side| side.min(u32::from(u16::MAX)) as u16);
        let palette = Palette::new(&images);
        let fresh_error = images.iter().map(|image| palette.error(image)).fold(0.0, f32::max);
        let encoder =
            Encoder::new(BufWriter::new(part.open()?), size[0], size[1], &[]).map_err(|error| disk(path, error))?;
        let mut open = Open { encoder, size, palette, fresh_error, shown: Vec::new(), frame: 0, clock: 0 };
        open.encoder.set_repeat(Repeat::Infinite).map_err(|error| disk(path, error))?;
        for image in &images {
            open.write(image, self.fps).map_err(|error| disk(path, error))?;
        }
        self.open = Some(open);
        Ok(())
    }

    pub fn finish(mut self, part: &Whole) -> Result<(), RenderError> {
        self.begin(part)?;
        let path = part.temporary();
        if let Some(open) = self.open {
            let mut file = open.encoder.into_inner().map_err(|error| disk(path, error))?;
            file.flush().map_err(|source| disk(path, source.into()))?;
        }
        Ok(())
    }
}

impl Open {
    fn write(&mut self, image: &Image, fps: f64) -> Result<(), EncodingError> {
        // the running time is rounded, not each frame; a frame too short to be shown is left out
        self.frame += 1;
        let end = (self.frame as f64 * 100.0 / fps).round() as u64;
        let delay = end.saturating_sub(self.clock);
        if delay < SHORTEST {
            return Ok(());
        }
        self.clock = end;

        if self.palette.error(image) > STALE * self.fresh_error {
            self.palette = Palette::new(std::slice::from_ref(image));
            self.fresh_error = self.fresh_error.max(self.palette.error(image));
        }
        let indices = self.palette.apply(image);
        let colours: Vec<[u8; 3]> = indices.iter().map(|&i| self.palette.colours[usize::from(i)]).collect();

        // write only the rectangle that changed, and in it only the pixels that did
        let width = usize::from(self.size[0]);
        let all = self.shown.is_empty();
        let [left, top, right, bottom] =
            if all { [0, 0, width, usize::from(self.size[1])] } else { changed(&self.shown, &colours, width) };
        let mut buffer = Vec::with_capacity((right - left) * (bottom - top));
        for y in top..bottom {
            let row = y * width + left..y * width + right;
            let now = indices[row.clone()].iter().zip(&colours[row.clone()]);
            if all {
                buffer.extend(now.map(|(&i, _)| i));
            } else {
                buffer.extend(now.zip(&self.shown[row]).map(|((&i, now), old)| if now == old { UNCHANGED } else { i }));
            }
        }
        let mut table = self.palette.colours.as_flattened().to_vec();
        table.resize(3 * 256, 0);
        let frame = gif::Frame {
            delay: delay.min(u64::from(u16::MAX)) as u16,
            dispose: DisposalMethod::Keep,
            transparent: (!all).then_some(UNCHANGED),
            left: left as u16,
            top: top as u16,
            width: (right - left) as u16,
            height: (bottom - top) as u16,
            palette: Some(table),
            buffer: buffer.into(),
            ..gif::Frame::default()
        };
        self.encoder.write_frame(&frame)?;
        self.shown = colours;
        Ok(())
    }
}

/// Left, top, right and bottom of the region that differs; one pixel if nothing does.
fn changed(a: &[[u8; 3]], b: &[[u8; 3]], width: usize) -> [usize; 4] {
    let mut found = [usize::MAX, usize::MAX, 0, 0];
    for (i, _) in a.iter().zip(b).enumerate().filter(|(_, (a, b))| a != b) {
        let (x, y) = (i % width, i / width);
        found = [found[0].min(x), found[1].min(y), found[2].max(x + 1), found[3].max(y + 1)];
    }
    if found[2] == 0 { [0, 0, 1, 1] } else { found }
}

fn disk(path: &Path, error: EncodingError) -> RenderError {
    let source = match error {
        EncodingError::Io(source) => source,
        other => std::io::Error::other(other.to_string()),
    };
    RenderError::Disk { action: "write", path: path.to_path_buf(), source }
}
