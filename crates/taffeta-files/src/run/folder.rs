//! The folder of a run, and its lock.

use super::{Manifest, RunError, names};
use crate::disk::{self, InTheWay, Naming};
use crate::format::Format;
use crate::whole::{Aside, PICTURES};
use std::ffi::OsStr;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Where a new run goes.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// `PARENT/NAME`, or `PARENT/NAME-2` and so on if that exists.
    Named {
        /// Usually `runs`.
        parent: PathBuf,
        /// Usually the scene's file name without ending.
        name: String,
    },
    /// This folder itself.
    Exactly(PathBuf),
}

/// The locked folder of a run: no other process works in it while this value exists.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    lock: File,
    replaces: Option<PathBuf>,
}

impl RunFolder {
    /// Creates and locks the folder of a new run.
    ///
    /// With `force` an existing run is replaced after success. Until then the new one is `NAME.new`; a `NAME.new` that
    /// an earlier attempt left is emptied. A folder that is not a run is never replaced.
    pub fn create(target: &Target, force: bool) -> Result<Self, RunError> {
        match target {
            Target::Exactly(path) => Self::create_exactly(path, force),
            Target::Named { parent, name } => {
                let path = parent.join(name);
                if force {
                    return Self::create_exactly(&path, true);
                }
                fs::create_dir_all(parent).naming("create", parent)?;
                let mut number = 1u64;
                loop {
                    let path = if number == 1 { path.clone() } else { disk::beside(&path, &format!("-{number}")) };
                    // creating the folder is the test: two processes cannot both succeed
                    match fs::create_dir(&path) {
                        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => number += 1,
                        result => {
                            result.naming("create", &path)?;
                            return Ok(Self { lock: lock(&path)?, path, replaces: None });
                        }
                    }
                }
            }
        }
    }

    fn create_exactly(path: &Path, force: bool) -> Result<Self, RunError> {
        fs::create_dir_all(path).naming("create", path)?;
        if is_empty(path)? {
            let lock = lock(path)?;
            // another process may have written here in between
            if is_empty(path)? {
                return Ok(Self { path: path.to_path_buf(), lock, replaces: None });
            }
        }
        if !force {
            return Err(RunError::Exists { folder: path.to_path_buf() });
        }
        // `.` has no name to which `.new` could be appended
        let old = fs::canonicalize(path).naming("open", path)?;
        if !is_ours(&old)? {
            return Err(RunError::NotReplaceable { folder: path.to_path_buf() });
        }
        refuse_more(&old)?;
        drop(lock(&old)?);

        let path = disk::beside(if path.file_name().is_some() && !path.is_symlink() { path } else { &old }, ".new");
        if path.is_symlink() {
            return Err(RunError::InTheWay { path, what: InTheWay::Link });
        }
        if path.exists() && !is_ours(&path)? {
            return Err(RunError::NotReplaceable { folder: path });
        }
        // a run that was to replace this very run is an earlier attempt; any other run has this name by chance
        if let Ok(manifest) = Manifest::read(&path)
            && manifest.replaces.as_deref().map(OsStr::new) != old.file_name()
        {
            return Err(RunError::NameTaken { folder: path });
        }
        fs::create_dir_all(&path).naming("create", &path)?;
        let lock = lock(&path)?;
        clear(&path)?;
        Ok(Self { path, lock, replaces: Some(old) })
    }

    /// Locks the folder of a run to be resumed.
    pub fn open(path: &Path) -> Result<Self, RunError> {
        if !path.join(names::MANIFEST).is_file() {
            let folder = path.to_path_buf();
            return Err(if path.join(names::POSITIONS).is_file() {
                RunError::Missing { path: path.join(names::MANIFEST) }
            } else if path.join(names::LOCK).exists() {
                RunError::NotBegun { folder }
            } else {
                RunError::NotARun { folder }
            });
        }
        refuse_links(path)?;
        let lock = lock(path)?;
        Ok(Self { path: path.to_path_buf(), lock, replaces: None })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The run that this one replaces after success.
    pub fn replaces(&self) -> Option<&Path> {
        self.replaces.as_deref()
    }

    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Releases the folder; if it is `NAME.new`, it replaces the run with this name.
    pub(super) fn finish(self, replaces: Option<&str>) -> Result<PathBuf, RunError> {
        let Self { path, lock, .. } = self;
        // Windows does not move folders that have open files
        drop(lock);
        let Some(name) = replaces else { return Ok(path) };
        let absolute = fs::canonicalize(&path).naming("open", &path)?;
        if absolute.file_name() != Some(format!("{name}.new").as_ref()) {
            return Ok(path);
        }
        let path = if path.file_name().is_some() { path } else { absolute };
        let old = path.with_file_name(name);
        match replace(&path, &old) {
            Ok(()) => Ok(old),
            Err(error) => Err(RunError::NotReplaced { new: path, old, error: Box::new(error) }),
        }
    }
}

/// Replaces `old` with `new`. Both results stay on the disk until the new one is in its place.
fn replace(new: &Path, old: &Path) -> Result<(), RunError> {
    let mut aside = None;
    if old.exists() {
        if !is_ours(old)? {
            return Err(RunError::NotReplaceable { folder: old.to_path_buf() });
        }
        refuse_more(old)?;
        drop(lock(old)?);
        aside = Some(Aside::new(old, &disk::beside(old, ".replaced"))?);
    }
    if let Err(error) = disk::rename(new, old) {
        aside.into_iter().for_each(Aside::put_back);
        return Err(error.into());
    }
    disk::sync_folder_of(old)?;
    Ok(aside.map_or(Ok(()), Aside::remove)?)
}

/// Files that a run writes into its folder.
const WRITTEN: [&str; 9] = [
    names::LOCK,
    names::MANIFEST,
    names::POSITIONS,
    names::CONTACT,
    names::FRAMES,
    names::FRAME_SUMS,
    names::CHECKPOINT,
    names::CHECKPOINT_SYNCED,
    names::REPORT,
];

/// Refuses a folder with anything other than a plain file where a run writes: a link may lead anywhere.
fn refuse_links(folder: &Path) -> Result<(), RunError> {
    let places = WRITTEN.iter().map(|name| folder.join(name));
    for path in places.flat_map(|path| [disk::temporary(&path), path]) {
        if let Some(what) = disk::in_the_way(&path) {
            return Err(RunError::InTheWay { path, what });
        }
    }
    Ok(())
}

/// Whether a folder is certainly one of our runs.
pub(super) fn is_run(folder: &Path) -> bool {
    folder.join(names::MANIFEST).is_file() && folder.join(names::SCENE).is_file()
}

/// Whether a folder may be removed: it is a run, the remains of a run that was stopped during setup, or empty.
fn is_ours(folder: &Path) -> Result<bool, RunError> {
    const SET_UP: [&str; 4] = [names::LOCK, names::SCENE, names::FILES, "manifest.json.tmp"];
    let mut only_set_up = true;
    for entry in fs::read_dir(folder).naming("open", folder)? {
        let name = entry.naming("read", folder)?.file_name();
        only_set_up &= SET_UP.iter().any(|known| name == *known);
    }
    // other programs have files called manifest.json, too
    let is_run = is_run(folder) && Manifest::read(folder).is_ok();
    Ok(is_run || is_empty(folder)? || (only_set_up && folder.join(names::LOCK).exists()))
}

/// Refuses a run whose folder holds more than runs, exports and pictures: that would be removed with the run.
fn refuse_more(folder: &Path) -> Result<(), RunError> {
    let exports = Format::file_endings().chain(Format::ALL.into_iter().flat_map(Format::folder_endings));
    let kinds: Vec<&str> = PICTURES.into_iter().chain(exports).chain(["tmp"]).collect();
    let is_export = |path: &Path| path.extension().is_some_and(|ending| kinds.iter().any(|kind| ending == *kind));
    let ours = [&WRITTEN[..], &[names::SCENE, names::FILES]].concat();
    for entry in fs::read_dir(folder).naming("open", folder)? {
        let path = entry.naming("read", folder)?.path();
        if ours.iter().any(|name| path.file_name() == Some(OsStr::new(name))) {
            continue;
        }
        // exports with many files have a folder of their own
        let known = match path.is_dir() {
            true => {
                fs::read_dir(&path).naming("open", &path)?.all(|file| file.is_ok_and(|file| is_export(&file.path())))
            }
            false => is_export(&path),
        };
        if !known {
            return Err(RunError::HoldsMore { folder: folder.to_path_buf(), path });
        }
    }
    Ok(())
}

/// Whether a process currently works in a folder.
pub(super) fn is_locked(folder: &Path) -> bool {
    let Ok(file) = File::open(folder.join(names::LOCK)) else { return false };
    matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
}

fn is_empty(folder: &Path) -> Result<bool, RunError> {
    for entry in fs::read_dir(folder).naming("open", folder)? {
        if entry.naming("read", folder)?.file_name() != names::LOCK {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Removes everything except the lock.
fn clear(folder: &Path) -> Result<(), RunError> {
    for entry in fs::read_dir(folder).naming("open", folder)? {
        let entry = entry.naming("read", folder)?;
        let path = entry.path();
        if entry.file_name() == names::LOCK {
            continue;
        }
        let is_folder = entry.file_type().naming("read", &path)?.is_dir();
        if is_folder { fs::remove_dir_all(&path) } else { fs::remove_file(&path) }.naming("remove", &path)?;
    }
    Ok(())
}

fn lock(folder: &Path) -> Result<File, RunError> {
    let path = folder.join(names::LOCK);
    let file = disk::open_plain(File::options().read(true).write(true).create(true).truncate(false), &path);
    let file = file.naming("create", &path)?;
    // a process that only checks whether a run is in progress holds the lock briefly: try again before giving up
    for attempt in 0..5 {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            // some file systems have no locks; run without one there
            Err(TryLockError::Error(error)) if error.kind() == std::io::ErrorKind::Unsupported => return Ok(file),
            Err(TryLockError::Error(error)) => return Err(disk::DiskError::new("lock", &path, error).into()),
            Err(TryLockError::WouldBlock) if attempt < 4 => std::thread::sleep(Duration::from_millis(20)),
            Err(TryLockError::WouldBlock) => {}
        }
    }
    Err(RunError::InUse { folder: folder.to_path_buf() })
}
