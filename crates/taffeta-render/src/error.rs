//! Errors of pictures and films.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use taffeta_files::DiskError;

/// Why a picture or film could not be made.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// The size of the picture is zero or too large.
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
        /// What the lists hold.
        what: &'static str,
        /// How many there should be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A triangle or a spring names a vertex that does not exist.
    #[error("vertex {vertex} does not exist: there are {vertices}")]
    NoVertex {
        /// Number of the vertex, from 0.
        vertex: u32,
        /// How many vertices there are.
        vertices: usize,
    },
    /// A position is not finite.
    #[error("vertex {vertex} has no finite position")]
    NotFinite {
        /// Number of the vertex, from 0.
        vertex: usize,
    },
    /// The mesh of a body is not usable.
    #[error("body `{name}`: {why}")]
    Body {
        /// Name of the body.
        name: String,
        /// What is wrong.
        why: String,
    },
    /// The camera has no valid direction or field of view.
    #[error("the camera cannot look: {why}")]
    Camera {
        /// What is wrong.
        why: &'static str,
    },
    /// A look needs data that is missing.
    #[error("{look} cannot be shown: {missing} are missing")]
    Missing {
        /// The look.
        look: String,
        /// What is missing.
        missing: &'static str,
    },
    /// A film or sheet has no frames, or frames of different sizes.
    #[error("{0}")]
    Frames(&'static str),
    /// The operating system reported an error.
    #[error("cannot {action} {}: {source}", path.display())]
    Disk {
        /// What was attempted.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// The output path is a symbolic link.
    #[error(transparent)]
    InTheWay(DiskError),
    /// The ending of the file is not supported.
    #[error("{} has an ending that is not known: use .gif, .mp4, .y4m, or .png for numbered pictures", path.display())]
    UnknownFilm {
        /// The file.
        path: PathBuf,
    },
    /// The program that encodes .mp4 was not found.
    #[error("an .mp4 film needs the program `{program}`, which was not found: install it, or write a .gif")]
    NoEncoder {
        /// Name of the program.
        program: String,
    },
    /// The program that encodes .mp4 failed.
    #[error("`{program}` failed: {message}")]
    Encoder {
        /// Name of the program.
        program: String,
        /// Its last line of output.
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
    /// The same error, with the path that the user gave.
    pub(crate) fn at(self, place: &Path) -> Self {
        match self {
            RenderError::Disk { action, source, .. } => RenderError::Disk { action, path: place.into(), source },
            other => other,
        }
    }

    /// One line on how to fix it.
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
