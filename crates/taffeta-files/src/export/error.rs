//! Why there is no export.

use super::{Format, Pick};
use crate::DiskError;
use crate::cache::CacheError;
use crate::run::RunError;
use std::path::PathBuf;
use taffeta::PoseError;

/// Why there is no export. What was there before still is.
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
    /// Nothing is overwritten unless asked.
    #[error("{} exists", path.display())]
    Exists {
        /// The file or folder.
        path: PathBuf,
    },
    /// Only folders of the same kind of files are replaced by one.
    #[error("{} holds more than {format} files and will not be replaced", path.display())]
    NotReplaceable {
        /// The folder.
        path: PathBuf,
        /// What was to be written.
        format: Format,
    },
    /// No frame is finished, not even the start.
    #[error("{} has no frames yet", folder.display())]
    NoFrames {
        /// The run.
        folder: PathBuf,
    },
    /// A finished run lacks frames.
    #[error("{} has {found} frames and should have {expected}", folder.display())]
    FramesMissing {
        /// The run.
        folder: PathBuf,
        /// Frames in `positions.bin`, without the start.
        found: u64,
        /// Frames by `report.json`.
        expected: u64,
    },
    /// A frame that the run does not have.
    #[error("{} has no frame {}: the last is {last}", folder.display(), match .pick {
        Pick::Only(frame) => frame.to_string(),
        Pick::Range(range, _) => format!("in {range}"),
        _ => "that was asked for".to_string(),
    })]
    NoFrame {
        /// The run.
        folder: PathBuf,
        /// What was asked for.
        pick: Pick,
        /// The last that there is.
        last: u64,
    },
    /// More than the format can hold.
    #[error("{bytes} bytes are more than the {limit} that a file of this format can have")]
    TooLarge {
        /// What it would take.
        bytes: u64,
        /// What is possible.
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
    /// A mesh that is converted has no pose.
    #[error("{source}")]
    Input {
        /// What is wrong with it.
        source: PoseError,
    },
    /// The ending says that it is something else.
    #[error("{} does not fit: {}", path.display(), format.place())]
    Ending {
        /// What was given.
        path: PathBuf,
        /// What was to be written.
        format: Format,
        /// A path that fits.
        right: PathBuf,
    },
    /// The caller said so.
    #[error("the export was stopped")]
    Stopped,
}

impl ExportError {
    /// A way out.
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
