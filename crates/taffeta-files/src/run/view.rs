//! Read-only access to a run, also while it is in progress.

use super::{FrameLine, Manifest, Report, RunError, Status, folder, line, names};
use crate::cache::CacheReader;
use std::path::{Path, PathBuf};

/// Read-only access to a run. Nothing is locked or changed.
#[derive(Clone, Debug)]
pub struct RunView {
    path: PathBuf,
}

impl RunView {
    /// Opens the run in a folder; its frames alone are sufficient.
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

    /// The input of the run.
    pub fn manifest(&self) -> Result<Manifest, RunError> {
        Manifest::read(&self.path)
    }

    /// Text of the scene, after checking the scene and the files that it refers to.
    pub fn scene(&self) -> Result<String, RunError> {
        self.manifest()?.verify(&self.path)
    }

    /// The report. Its status `running` may be left from a killed process: see [`status`](Self::status).
    pub fn report(&self) -> Result<Report, RunError> {
        Report::read(&self.path)
    }

    /// Whether a process currently works in the folder.
    pub fn is_running(&self) -> bool {
        folder::is_locked(&self.path)
    }

    /// The status of the run; a killed run is interrupted.
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

    /// Contact forces on the vertices so far, N in place of positions; `None` if nothing can touch in this run.
    pub fn contact(&self) -> Result<Option<CacheReader>, RunError> {
        let path = self.path.join(names::CONTACT);
        Ok(if path.exists() { Some(CacheReader::open(&path)?) } else { None })
    }

    /// The positions so far.
    pub fn positions(&self) -> Result<CacheReader, RunError> {
        Ok(CacheReader::open(&self.path.join(names::POSITIONS))?)
    }
}
