//! The only list of endings of pictures and films. `taffeta-render` writes these files.

use crate::format::ending;
use std::path::Path;

/// A file type of pictures or films.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureFile {
    /// A picture; films are numbered files.
    Png,
    /// A film with 256 colours.
    Gif,
    /// A film in H.264.
    Mp4,
    /// Raw video.
    Y4m,
}

impl PictureFile {
    /// All file types.
    pub const ALL: [Self; 4] = [Self::Png, Self::Gif, Self::Mp4, Self::Y4m];
    /// The endings of all file types.
    pub(crate) const ENDINGS: [&'static str; 4] =
        [Self::Png.ending(), Self::Gif.ending(), Self::Mp4.ending(), Self::Y4m.ending()];

    /// The ending of its files.
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Gif => "gif",
            Self::Mp4 => "mp4",
            Self::Y4m => "y4m",
        }
    }

    /// The file type given by the ending of a name.
    pub fn of(path: &Path) -> Option<Self> {
        let ending = ending(path);
        Self::ALL.into_iter().find(|kind| kind.ending() == ending)
    }

    /// Whether one file holds a film.
    pub const fn is_film(self) -> bool {
        !matches!(self, Self::Png)
    }
}
