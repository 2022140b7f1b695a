//! Films: written frame by frame to a file whose ending selects the format.
//!
//! | ending | what | needs |
//! |---|---|---|
//! | `.gif` | plays everywhere; 256 colours, chosen for the film | nothing |
//! | `.mp4` | H.264, small and sharp | the program `ffmpeg` |
//! | `.y4m` | raw video for any encoder; large | nothing |
//! | `.png` | numbered pictures: `name-0000.png`, … | nothing |
//!
//! A film appears under its name only when it is complete.

mod encoder;
mod gif;
mod palette;
mod y4m;

use crate::{Image, RenderError};
use std::ffi::OsString;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use taffeta_files::PictureFile;
use taffeta_files::whole::Whole;

/// A film that is being written. It appears under its name when it is complete. If it is dropped before
/// [`finish`](Self::finish), only the pictures of a numbered sequence remain.
#[derive(Debug)]
pub struct Film {
    path: PathBuf,
    size: Option<[u32; 2]>,
    fps: f64,
    kind: Kind,
    frames: u32,
    /// The temporary file; numbered pictures have one each. It must be dropped after the writer.
    part: Option<Whole>,
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
        let unknown = || RenderError::UnknownFilm { path: path.to_path_buf() };
        let kind = match PictureFile::of(path).ok_or_else(unknown)? {
            PictureFile::Gif => Kind::Gif(Box::new(gif::GifFilm::new(fps))),
            PictureFile::Mp4 => Kind::Mp4(encoder::Encoder::find(ffmpeg)?),
            PictureFile::Y4m => Kind::Y4m(y4m::Y4m::default()),
            PictureFile::Png => Kind::Pictures,
        };
        Ok(Self { path: path.to_path_buf(), part: None, size: None, fps, kind, frames: 0 })
    }

    /// Adds a frame. All frames must have the same size.
    pub fn add(&mut self, image: Image) -> Result<(), RenderError> {
        self.add_numbered(image, u64::from(self.frames))
    }

    /// As [`add`](Self::add), with the number for the file name of a numbered picture.
    pub fn add_numbered(&mut self, image: Image, number: u64) -> Result<(), RenderError> {
        let size = [image.width(), image.height()];
        if *self.size.get_or_insert(size) != size {
            return Err(RenderError::Frames("the frames of a film need one size"));
        }
        if matches!(self.kind, Kind::Pictures) {
            image.save_png(&Self::picture(&self.path, number))?;
            self.frames += 1;
            return Ok(());
        }
        let part = match &mut self.part {
            Some(part) => part,
            part => part.insert(Whole::file(&self.path)?),
        };
        let path = part.temporary();
        let disk = |source| RenderError::Disk { action: "write", path: path.to_path_buf(), source };
        let first = self.frames == 0;
        let write = || match &mut self.kind {
            Kind::Gif(film) => film.add(image, part),
            Kind::Mp4(encoder) => encoder.add(&image, path, self.fps),
            Kind::Y4m(film) => {
                if first {
                    film.begin(BufWriter::new(part.open()?), size, self.fps).map_err(disk)?;
                }
                film.add(&image).map_err(disk)
            }
            Kind::Pictures => Ok(()),
        };
        write().map_err(|error| error.at(&self.path))?;
        self.frames += 1;
        Ok(())
    }

    /// Completes the film and returns its number of frames.
    pub fn finish(self) -> Result<u32, RenderError> {
        let Self { path, part, kind, frames, .. } = self;
        if frames == 0 {
            return Err(RenderError::Frames("a film needs at least one frame"));
        }
        let Some(part) = part else { return Ok(frames) };
        let disk = |source| RenderError::Disk { action: "write", path: path.clone(), source };
        match kind {
            Kind::Gif(film) => film.finish(&part).map_err(|error| error.at(&path))?,
            Kind::Mp4(encoder) => encoder.finish()?,
            Kind::Y4m(film) => film.finish().map_err(disk)?,
            Kind::Pictures => {}
        }
        part.finish()?;
        Ok(frames)
    }

    /// The file name of a numbered picture: `name-0007.png`.
    pub fn picture(path: &Path, number: u64) -> PathBuf {
        let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        path.with_file_name(format!("{stem}-{number:04}.png"))
    }
}
