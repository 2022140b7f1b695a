//! Why a run cannot begin or go on.

use crate::cache::CacheError;
use crate::checkpoint::CheckpointError;
use crate::{DiskError, InTheWay};
use std::path::{Path, PathBuf};

/// Why a run cannot begin or go on. A simulation that fails is no error of the run: see [`Ended`](super::Ended).
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The system refused something before or after the run.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// A file of the run could not be written. Everything before is safe.
    #[error("{error}; {}", safe_text(*.safe, .folder))]
    Write {
        /// Which file, and what the system says.
        error: DiskError,
        /// Finished frames that a resume will find; `None` if there is nothing to resume.
        safe: Option<u64>,
        /// The run.
        folder: PathBuf,
    },
    /// Another process works there.
    #[error("another process works in {}", folder.display())]
    InUse {
        /// The run.
        folder: PathBuf,
    },
    /// Results are not overwritten.
    #[error("{} exists and is not empty", folder.display())]
    Exists {
        /// What was given.
        folder: PathBuf,
    },
    /// Only runs are replaced.
    #[error("{} is not a run and will not be replaced", folder.display())]
    NotReplaceable {
        /// What was given.
        folder: PathBuf,
    },
    /// A run is replaced whole, and there is more in its folder.
    #[error("{} is in {}, which would be removed with the run", path.display(), folder.display())]
    HoldsMore {
        /// The run.
        folder: PathBuf,
        /// What no run makes.
        path: PathBuf,
    },
    /// No run was ever here.
    #[error("{} is not the folder of a run", folder.display())]
    NotARun {
        /// What was given.
        folder: PathBuf,
    },
    /// Stopped before the folder was set up.
    #[error("the run in {} was stopped before it began", folder.display())]
    NotBegun {
        /// The run.
        folder: PathBuf,
    },
    /// A file of the run is missing that nothing can replace.
    #[error("{} is missing", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// The scene or a file that it refers to is not what it was when the run began.
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
    /// Something stands where the run has to write.
    #[error("{}: {what}", path.display())]
    InTheWay {
        /// The place.
        path: PathBuf,
        /// What is there.
        what: InTheWay,
    },
    /// A run of its own has the name that a new one needs until it is whole.
    #[error("{} is in the way: it is a run of its own", folder.display())]
    NameTaken {
        /// The run.
        folder: PathBuf,
    },
    /// A file that the scene refers to was written to while the run was set up.
    #[error("{} was changed while the run was set up", path.display())]
    Unsteady {
        /// The file.
        path: PathBuf,
    },
    /// A file cannot be understood.
    #[error("{} is damaged: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// The scene has become another cloth, through another version of the program.
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
    /// A finished frame is never given up.
    #[error("the run has {done} frames already and cannot be shortened to {asked}")]
    Shorter {
        /// Finished frames.
        done: u64,
        /// Frames asked for.
        asked: u64,
    },
    /// An equilibrium is found at once or not at all.
    #[error("{} holds an equilibrium, which cannot be resumed", folder.display())]
    NotResumable {
        /// The run.
        folder: PathBuf,
    },
    /// A file to be copied has a name that cannot be used.
    #[error("`{name}` cannot be the name of a copied file")]
    BadName {
        /// The name.
        name: String,
    },
    /// The run is finished, but the old one could not be replaced by it.
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
    /// A way out.
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
