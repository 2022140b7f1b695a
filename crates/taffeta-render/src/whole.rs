//! Files that appear under their name when they are whole.

use crate::RenderError;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// A file in the making, beside its place; removed unless it is finished.
#[derive(Debug)]
pub(crate) struct Whole {
    temporary: PathBuf,
    path: PathBuf,
}

impl Whole {
    /// Makes the folder, if it is missing.
    pub fn new(path: &Path) -> Result<Self, RenderError> {
        if let Some(folder) = path.parent().filter(|folder| *folder != Path::new("")) {
            let failed = |source| RenderError::Disk { action: "create", path: folder.to_path_buf(), source };
            fs::create_dir_all(folder).map_err(failed)?;
        }
        // the ending stays: encoders go by it
        let mut name = path.file_stem().map(OsString::from).unwrap_or_default();
        name.push(format!(".tmp-{}", std::process::id()));
        if let Some(ending) = path.extension() {
            name.push(".");
            name.push(ending);
        }
        Ok(Self { temporary: path.with_file_name(name), path: path.to_path_buf() })
    }

    /// Where to write.
    pub fn temporary(&self) -> &Path {
        &self.temporary
    }

    /// Gives it its name.
    pub fn finish(self) -> Result<(), RenderError> {
        let failed = |source| RenderError::Disk { action: "write", path: self.path.clone(), source };
        // what a disk takes later may still fail
        fs::File::options().write(true).open(&self.temporary).and_then(|file| file.sync_data()).map_err(failed)?;
        fs::rename(&self.temporary, &self.path).map_err(failed)
    }
}

impl Drop for Whole {
    fn drop(&mut self) {
        // after a rename there is nothing left to remove
        let _ = fs::remove_file(&self.temporary);
    }
}
