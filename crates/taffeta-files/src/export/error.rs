//! Why an export failed.

use super::{Format, Pick};
use crate::DiskError;
use crate::cache::CacheError;
use crate::run::RunError;
use std::path::PathBuf;
use taffeta::PoseError;

/// Why an export failed. Whatever was there before is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The run cannot be read.
    #[error(transparent)]
    Run(#[from] RunError),
    /// Its positions cannot be read.
    #[error(transparent)]
    Cache(#[from] CacheError),
    /// The export cannot be written.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// The output exists. Nothing is overwritten unless asked.
    #[error("{} exists", path.display())]
    Exists {
        /// The file or folder.
        path: PathBuf,
    },
    /// The folder holds other files. Only a folder of the same kind of files is replaced.
    #[error("{} holds more than {format} files and will not be replaced", path.display())]
    NotReplaceable {
        /// The folder.
        path: PathBuf,
        /// The format to be written.
        format: Format,
    },
    /// No frame is finished, not even the start.
    #[error("{} has no frames yet", folder.display())]
    NoFrames {
        /// The run.
        folder: PathBuf,
    },
    /// Frames of a finished run are missing.
    #[error("{} has {found} frames and should have {expected}", folder.display())]
    FramesMissing {
        /// The run.
        folder: PathBuf,
        /// Number of frames in `positions.bin`, without the start.
        found: u64,
        /// Number of frames according to `report.json`.
        expected: u64,
    },
    /// The run does not have the frame.
    #[error("{} has no frame {}: the last is {last}", folder.display(), match .pick {
        Pick::Only(frame) => frame.to_string(),
        Pick::Range(range, _) => format!("in {range}"),
        _ => "that was asked for".to_string(),
    })]
    NoFrame {
        /// The run.
        folder: PathBuf,
        /// The requested frames.
        pick: Pick,
        /// The last frame of the run.
        last: u64,
    },
    /// The export is larger than the format allows.
    #[error("{bytes} bytes are more than the {limit} that a file of this format can have")]
    TooLarge {
        /// Size of the export in bytes.
        bytes: u64,
        /// Limit of the format in bytes.
        limit: u64,
    },
    /// A body has no pose.
    #[error("body `{name}`: {source}")]
    Body {
        /// Its name.
        name: String,
        /// What is wrong with it.
        source: PoseError,
    },
    /// A mesh to be converted has no pose.
    #[error("{source}")]
    Input {
        /// What is wrong with it.
        source: PoseError,
    },
    /// The ending of the path belongs to something else.
    #[error("{} does not fit: {}", path.display(), format.place())]
    Ending {
        /// The given path.
        path: PathBuf,
        /// The format to be written.
        format: Format,
        /// A path with the right ending.
        right: PathBuf,
    },
    /// The caller stopped the export.
    #[error("the export was stopped")]
    Stopped,
}

impl ExportError {
    /// Suggests what to do.
    pub fn help(&self) -> String {
        match self {
            ExportError::Run(error) => error.help(),
            ExportError::Cache(_) | ExportError::FramesMissing { .. } => "run the scene again".into(),
            ExportError::Disk(error) if error.is_full() => "make space on the disk, then export again".into(),
            ExportError::Disk(error) if error.is_in_the_way() => {
                format!("remove {} if you do not need it, or give another place with --out", error.path.display())
            }
            ExportError::Disk(_) => "see that the path is right and may be written".into(),
            ExportError::Exists { .. } => "give another place with --out, or --force to replace it".into(),
            ExportError::NotReplaceable { .. } => "give another place with --out, or remove it yourself".into(),
            ExportError::NoFrames { .. } => "wait for the first frame, or resume the run".into(),
            ExportError::NoFrame { last, .. } => format!("frames are numbered from 0 to {last}"),
            ExportError::TooLarge { .. } => {
                "take every second frame or fewer, leave the normals out, or use usd".into()
            }
            ExportError::Body { .. } => "export without bodies, or repair the body's file".into(),
            ExportError::Input { .. } => "see to the motion in the program that made it and export it again".into(),
            ExportError::Ending { right, .. } => format!("give --out {}", right.display()),
            ExportError::Stopped => "start it again when you like".into(),
        }
    }
}
