//! Why there is no picture.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use taffeta_files::DiskError;

/// Why there is no picture or film.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// A picture needs pixels, and not too many.
    #[error("a picture of {width} x {height} pixels cannot be made: each side is 1 to {most}", most = crate::MAX_SIDE)]
    Size {
        /// Pixels.
        width: u32,
        /// Pixels.
        height: u32,
    },
    /// Two lists that belong together differ in length.
    #[error("{found} {what}, and {expected} are needed")]
    Count {
        /// Of what.
        what: &'static str,
        /// How many there should be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A triangle or a spring names a vertex that does not exist.
    #[error("vertex {vertex} does not exist: there are {vertices}")]
    NoVertex {
        /// Counted from 0.
        vertex: u32,
        /// How many there are.
        vertices: usize,
    },
    /// A position that is no place.
    #[error("vertex {vertex} has no finite position")]
    NotFinite {
        /// Counted from 0.
        vertex: usize,
    },
    /// A body whose mesh cannot be had.
    #[error("body `{name}`: {why}")]
    Body {
        /// Its name.
        name: String,
        /// What is wrong.
        why: String,
    },
    /// A camera that looks nowhere.
    #[error("the camera cannot look: {why}")]
    Camera {
        /// What is wrong.
        why: &'static str,
    },
    /// A look needs data that is not there.
    #[error("{look} cannot be shown: {missing} are missing")]
    Missing {
        /// The look.
        look: String,
        /// What is missing.
        missing: &'static str,
    },
    /// A film or sheet without frames, or with frames of different sizes.
    #[error("{0}")]
    Frames(&'static str),
    /// The system refused.
    #[error("cannot {action} {}: {source}", path.display())]
    Disk {
        /// What was tried.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The system's word.
        source: std::io::Error,
    },
    /// A link is where the picture should go.
    #[error(transparent)]
    InTheWay(DiskError),
    /// A kind of file that is not written.
    #[error("{} has an ending that is not known: use .gif, .mp4, .y4m, or .png for numbered pictures", path.display())]
    UnknownFilm {
        /// The file.
        path: PathBuf,
    },
    /// The program that makes .mp4 is not there.
    #[error("an .mp4 film needs the program `{program}`, which was not found: install it, or write a .gif")]
    NoEncoder {
        /// Its name.
        program: String,
    },
    /// The program that makes .mp4 failed.
    #[error("`{program}` failed: {message}")]
    Encoder {
        /// Its name.
        program: String,
        /// What it said last.
        message: String,
    },
}

impl From<DiskError> for RenderError {
    fn from(error: DiskError) -> Self {
        match error.is_in_the_way() {
            true => RenderError::InTheWay(error),
            false => RenderError::Disk { action: error.doing, path: error.path, source: error.source },
        }
    }
}

impl RenderError {
    /// The same, with the name that the user gave.
    pub(crate) fn at(self, place: &Path) -> Self {
        match self {
            RenderError::Disk { action, source, .. } => RenderError::Disk { action, path: place.into(), source },
            other => other,
        }
    }

    /// What to do about it, in a line.
    pub fn help(&self) -> Option<&'static str> {
        Some(match self {
            RenderError::Size { .. } => "choose a size such as 1920 x 1080",
            RenderError::Camera { .. } => {
                "give `at` and `look_at` apart from each other, and a field of view of 1 to 170 degrees"
            }
            RenderError::NotFinite { .. } => "the run went wrong before this frame: choose an earlier one",
            RenderError::Body { .. } => "see that the files of its mesh are as they were when the run began",
            RenderError::InTheWay(_) => "remove the link if you do not need it, or give another place",
            RenderError::NoEncoder { .. } => "a .gif needs no other program",
            RenderError::UnknownFilm { .. } => "a .gif plays everywhere",
            RenderError::Disk { source, .. }
                if matches!(
                    source.kind(),
                    ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge
                ) =>
            {
                "make space on the disk, then start it again"
            }
            RenderError::Disk { .. } => "see that the path is right and may be written",
            RenderError::Encoder { .. } => "see that there is space on the disk, or write a .gif",
            _ => return None,
        })
    }
}
