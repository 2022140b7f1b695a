//! Films: frame by frame into a file, whose ending says what it is.
//!
//! | ending | what | needs |
//! |---|---|---|
//! | `.gif` | plays everywhere; 256 colours, chosen for the film | nothing |
//! | `.mp4` | H.264, small and sharp | the program `ffmpeg` |
//! | `.y4m` | raw video for any encoder; large | nothing |
//! | `.png` | numbered pictures: `name-0000.png`, … | nothing |

mod encoder;
mod gif;
mod palette;
mod y4m;

use crate::{Image, RenderError};
use std::ffi::OsString;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

/// A film in the making. Dropped before [`finish`](Self::finish), it leaves an incomplete file.
#[derive(Debug)]
pub struct Film {
    path: PathBuf,
    size: Option<[u32; 2]>,
    fps: f64,
    kind: Kind,
    frames: u32,
}

#[derive(Debug)]
enum Kind {
    Gif(Box<gif::GifFilm>),
    Mp4(encoder::Encoder),
    Y4m(y4m::Y4m),
    Pictures,
}

impl Film {
    /// Begins a film; nothing is written before the first frame.
    pub fn create(path: &Path, fps: f64) -> Result<Self, RenderError> {
        Self::create_with(path, fps, OsString::from("ffmpeg"))
    }

    /// As [`create`](Self::create), with a program that takes the arguments of ffmpeg.
    pub fn create_with(path: &Path, fps: f64, ffmpeg: OsString) -> Result<Self, RenderError> {
        if !(fps.is_finite() && fps > 0.0) {
            return Err(RenderError::Frames("a film needs a number of frames per second above 0"));
        }
        let ending = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
        let kind = match ending.as_deref() {
            Some("gif") => Kind::Gif(Box::new(gif::GifFilm::new(fps))),
            Some("mp4") => Kind::Mp4(encoder::Encoder::find(ffmpeg)?),
            Some("y4m") => Kind::Y4m(y4m::Y4m::default()),
            Some("png") => Kind::Pictures,
            _ => return Err(RenderError::UnknownFilm { path: path.to_path_buf() }),
        };
        Ok(Self { path: path.to_path_buf(), size: None, fps, kind, frames: 0 })
    }

    /// Adds a frame. All frames have one size.
    pub fn add(&mut self, image: Image) -> Result<(), RenderError> {
        let size = [image.width(), image.height()];
        if *self.size.get_or_insert(size) != size {
            return Err(RenderError::Frames("the frames of a film need one size"));
        }
        let first = self.frames == 0;
        let path = &self.path;
        let disk = |source| RenderError::Disk { action: "write", path: path.clone(), source };
        match &mut self.kind {
            Kind::Gif(film) => film.add(image, path)?,
            Kind::Mp4(encoder) => encoder.add(&image, path, self.fps)?,
            Kind::Y4m(film) => {
                if first {
                    film.begin(BufWriter::new(File::create(path).map_err(disk)?), size, self.fps).map_err(disk)?;
                }
                film.add(&image).map_err(disk)?;
            }
            Kind::Pictures => image.save_png(&numbered(path, self.frames))?,
        }
        self.frames += 1;
        Ok(())
    }

    /// Completes the film and gives the number of its frames.
    pub fn finish(self) -> Result<u32, RenderError> {
        if self.frames == 0 {
            return Err(RenderError::Frames("a film needs at least one frame"));
        }
        let disk = |source| RenderError::Disk { action: "write", path: self.path.clone(), source };
        match self.kind {
            Kind::Gif(film) => film.finish(&self.path)?,
            Kind::Mp4(encoder) => encoder.finish()?,
            Kind::Y4m(film) => film.finish().map_err(disk)?,
            Kind::Pictures => {}
        }
        Ok(self.frames)
    }
}

/// `name-0007.png`.
fn numbered(path: &Path, frame: u32) -> PathBuf {
    let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    path.with_file_name(format!("{stem}-{frame:04}.png"))
}
