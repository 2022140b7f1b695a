//! Looking at a run, also while it goes on.

use super::{FrameLine, Manifest, Report, RunError, Status, folder, line, names};
use crate::cache::CacheReader;
use std::path::{Path, PathBuf};

/// A run to look at. Nothing is locked and nothing is changed.
#[derive(Clone, Debug)]
pub struct RunView {
    path: PathBuf,
}

impl RunView {
    /// The run in a folder; its frames alone are enough to look at.
    pub fn open(path: &Path) -> Result<Self, RunError> {
        if !folder::is_run(path) && !path.join(names::POSITIONS).is_file() {
            return Err(RunError::NotARun { folder: path.to_path_buf() });
        }
        Ok(Self { path: path.to_path_buf() })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Name of the folder.
    pub fn name(&self) -> String {
        let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
        // `.` and `..` have no name of their own
        name(&self.path).or_else(|| name(&self.path.canonicalize().ok()?)).unwrap_or_else(|| "run".into())
    }

    /// What the run began with.
    pub fn manifest(&self) -> Result<Manifest, RunError> {
        Manifest::read(&self.path)
    }

    /// Text of the scene, after checking it and the files that it refers to.
    pub fn scene(&self) -> Result<String, RunError> {
        self.manifest()?.verify(&self.path)
    }

    /// How it went. `running` may be from a process that was killed: see [`status`](Self::status).
    pub fn report(&self) -> Result<Report, RunError> {
        Report::read(&self.path)
    }

    /// Whether a process works in the folder now.
    pub fn is_running(&self) -> bool {
        folder::is_locked(&self.path)
    }

    /// How the run stands; one that was killed is interrupted.
    pub fn status(&self) -> Result<Status, RunError> {
        Ok(match self.report()?.status {
            Status::Running if !self.is_running() => Status::Interrupted,
            status => status,
        })
    }

    /// The lines of `frames.jsonl` so far.
    pub fn lines(&self) -> Result<Vec<FrameLine>, RunError> {
        let mut lines = Vec::new();
        line::for_each_line(&self.path.join(names::FRAMES), |line, _| {
            lines.push(line);
            true
        })?;
        Ok(lines)
    }

    /// Forces of contact on the vertices so far, N in the place of positions; `None` if nothing can touch in this run.
    pub fn contact(&self) -> Result<Option<CacheReader>, RunError> {
        let path = self.path.join(names::CONTACT);
        Ok(if path.exists() { Some(CacheReader::open(&path)?) } else { None })
    }

    /// The positions so far.
    pub fn positions(&self) -> Result<CacheReader, RunError> {
        Ok(CacheReader::open(&self.path.join(names::POSITIONS))?)
    }
}
