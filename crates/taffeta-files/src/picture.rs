//! Files of pictures and films: the only list of their endings. `taffeta-render` writes them.

use crate::format::ending;
use std::path::Path;

/// A kind of file that holds pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureFile {
    /// A picture; a film of these is numbered files.
    Png,
    /// A film of 256 colours.
    Gif,
    /// A film in H.264.
    Mp4,
    /// Raw video.
    Y4m,
}

impl PictureFile {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Png, Self::Gif, Self::Mp4, Self::Y4m];
    /// Their endings.
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

    /// The kind of a file by the ending of its name.
    pub fn of(path: &Path) -> Option<Self> {
        let ending = ending(path);
        Self::ALL.into_iter().find(|kind| kind.ending() == ending)
    }

    /// Whether one file holds a film.
    pub const fn is_film(self) -> bool {
        !matches!(self, Self::Png)
    }
}
