//! Why a run cannot start or continue.

use crate::cache::CacheError;
use crate::checkpoint::CheckpointError;
use crate::{DiskError, InTheWay};
use std::path::{Path, PathBuf};

/// Why a run cannot start or continue. A failed simulation is not a `RunError`: see [`Ended`](super::Ended).
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The system refused something before or after the run.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// A file of the run could not be written. Everything before it is safe.
    #[error("{error}; {}", safe_text(*.safe, .folder))]
    Write {
        /// The file and the error of the system.
        error: DiskError,
        /// Number of finished frames that a resume will find; `None` if there is nothing to resume.
        safe: Option<u64>,
        /// The run.
        folder: PathBuf,
    },
    /// Another process works in the folder.
    #[error("another process works in {}", folder.display())]
    InUse {
        /// The run.
        folder: PathBuf,
    },
    /// The folder exists. Results are not overwritten.
    #[error("{} exists and is not empty", folder.display())]
    Exists {
        /// The given folder.
        folder: PathBuf,
    },
    /// The folder is not a run. Only runs are replaced.
    #[error("{} is not a run and will not be replaced", folder.display())]
    NotReplaceable {
        /// The given folder.
        folder: PathBuf,
    },
    /// The folder holds other files, which would be removed with the run.
    #[error("{} is in {}, which would be removed with the run", path.display(), folder.display())]
    HoldsMore {
        /// The run.
        folder: PathBuf,
        /// A file or folder that does not belong to a run.
        path: PathBuf,
    },
    /// The folder has never held a run.
    #[error("{} is not the folder of a run", folder.display())]
    NotARun {
        /// The given folder.
        folder: PathBuf,
    },
    /// The run was stopped before its folder was set up.
    #[error("the run in {} was stopped before it began", folder.display())]
    NotBegun {
        /// The run.
        folder: PathBuf,
    },
    /// A file of the run is missing and cannot be recreated.
    #[error("{} is missing", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// The scene or a file that it refers to has changed since the run began.
    #[error("{} was changed since the run began", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// A copy of a file is not in the folder of the run, or a link leads out of it.
    #[error("{} leads out of the folder of the run", path.display())]
    OutsideCopy {
        /// The file.
        path: PathBuf,
    },
    /// Something is in a place where the run has to write.
    #[error("{}: {what}", path.display())]
    InTheWay {
        /// The place.
        path: PathBuf,
        /// What is there.
        what: InTheWay,
    },
    /// An unrelated run has the temporary name that a new one needs.
    #[error("{} is in the way: it is a run of its own", folder.display())]
    NameTaken {
        /// The run.
        folder: PathBuf,
    },
    /// A file that the scene refers to changed while the run was set up.
    #[error("{} was changed while the run was set up", path.display())]
    Unsteady {
        /// The file.
        path: PathBuf,
    },
    /// A file cannot be parsed.
    #[error("{} is damaged: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// The scene gives another mesh than before, because of another version of the program.
    #[error("the scene of {} gives another mesh than when the run began", folder.display())]
    OtherMesh {
        /// The run.
        folder: PathBuf,
    },
    /// The positions cannot be used.
    #[error(transparent)]
    Cache(#[from] CacheError),
    /// The checkpoint cannot be used.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The run has more frames than asked for. Finished frames are never removed.
    #[error("the run has {done} frames already and cannot be shortened to {asked}")]
    Shorter {
        /// Number of finished frames.
        done: u64,
        /// Number of frames asked for.
        asked: u64,
    },
    /// The run is a search for an equilibrium, which cannot be resumed.
    #[error("{} holds an equilibrium, which cannot be resumed", folder.display())]
    NotResumable {
        /// The run.
        folder: PathBuf,
    },
    /// A file to be copied has an invalid name.
    #[error("`{name}` cannot be the name of a copied file")]
    BadName {
        /// The name.
        name: String,
    },
    /// The run is finished, but could not replace the old one.
    #[error("the run is whole in {}, but could not replace {}: {error}", new.display(), old.display())]
    NotReplaced {
        /// The finished run.
        new: PathBuf,
        /// The old one.
        old: PathBuf,
        /// Why.
        error: Box<RunError>,
    },
}

fn safe_text(safe: Option<u64>, folder: &Path) -> String {
    match safe {
        Some(frames) => format!("{frames} frames are safe in {}", folder.display()),
        None => "the run had not begun".into(),
    }
}

impl RunError {
    /// Suggests what to do.
    pub fn help(&self) -> String {
        match self {
            RunError::Write { error, safe, folder } => {
                let space = if error.is_full() { "make space on the disk" } else { "see to the disk" };
                match safe {
                    Some(_) => format!("{space}, then go on with `taffeta resume {}`", folder.display()),
                    None => format!("{space}, then start again"),
                }
            }
            RunError::Disk(error) if error.is_full() => "make space on the disk".into(),
            RunError::InUse { .. } => "wait for it, or stop it, or give another folder with --out".into(),
            RunError::Exists { .. } => "give another folder, or --force to replace it after success".into(),
            RunError::HoldsMore { .. } => "move it elsewhere, or give another folder with --out".into(),
            RunError::NotReplaceable { .. } => "give another folder with --out".into(),
            RunError::NotARun { .. } => "give a folder that `taffeta run` made, such as runs/NAME".into(),
            RunError::NotBegun { .. } => "remove the folder and start again".into(),
            RunError::Missing { path } => {
                format!(
                    "put {} back from a copy, or run the scene again; frames can still be exported with `taffeta \
                     convert`",
                    path.display()
                )
            }
            RunError::Changed { .. } => "put the old contents back, or run the changed scene as a new run".into(),
            RunError::OutsideCopy { .. } => {
                "put the file itself in the place of the link, or run the scene again".into()
            }
            RunError::InTheWay { path, .. } => format!("remove {} if you do not need it", path.display()),
            RunError::NameTaken { .. } => "rename it, or give another folder with --out".into(),
            RunError::Disk(error) if error.is_in_the_way() => {
                format!("remove {} if you do not need it", error.path.display())
            }
            RunError::Disk(_) => "see that the path is right and may be read and written".into(),
            RunError::Unsteady { .. } => "wait until it is written, remove the folder and start again".into(),
            RunError::OtherMesh { .. } => "resume with the version of taffeta in report.json, or run it again".into(),
            RunError::Cache(CacheError::NotFinite { .. }) => {
                "see to the place, the mesh and the noise of the cloth in the scene".into()
            }
            RunError::Cache(CacheError::Version { .. }) | RunError::Checkpoint(CheckpointError::Version { .. }) => {
                "use the version of taffeta that is in report.json".into()
            }
            RunError::Cache(CacheError::Front { .. } | CacheError::NotACache { .. }) => {
                "no frame can be read without it: put the file back from a copy, or run the scene again".into()
            }
            RunError::Cache(_) | RunError::Checkpoint(_) | RunError::Damaged { .. } => {
                "put the file back from a copy, or run the scene again; what is whole can still be exported".into()
            }
            RunError::Shorter { .. } => "give a longer duration".into(),
            RunError::NotResumable { folder } => {
                format!("look for it again: taffeta drape {}", folder.join(super::names::SCENE).display())
            }
            RunError::BadName { .. } => "rename the file".into(),
            RunError::NotReplaced { new, .. } => {
                format!("once that is solved, `taffeta resume {}` puts it in its place", new.display())
            }
        }
    }
}
