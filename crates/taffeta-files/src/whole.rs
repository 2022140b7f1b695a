//! Files and folders that appear under their name only when they are complete: exports, pictures, films.
//!
//! Until then they are beside their final place, as `NAME.tmp-PID.ENDING`. This name is unique: it is always created,
//! never opened. Its owner holds a lock on it while it exists. The remains of a killed process are removed by the next
//! process that writes in the same folder.

use crate::disk::{self, Naming};
use crate::format::{Format, ending};
use crate::{DiskError, PictureFile};
use std::collections::HashSet;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// A file or folder being written, beside its final place; removed unless it is finished.
#[derive(Debug)]
pub struct Whole {
    temporary: PathBuf,
    path: PathBuf,
    /// A lock, which shows that the owner is alive. `None` where folders cannot be opened.
    lock: Option<File>,
    /// Whether there is anything to remove.
    open: bool,
}

impl Whole {
    /// Creates an empty file. Creates its folder if that is missing.
    pub fn file(path: &Path) -> Result<Self, DiskError> {
        let temporary = prepare(path, true)?;
        let options = &mut File::options();
        let file = disk::open_plain(options.read(true).write(true).create_new(true), &temporary);
        let file = file.naming("create", path)?;
        Ok(Self { temporary, path: path.to_path_buf(), lock: locked(file), open: true })
    }

    /// Creates an empty folder.
    pub fn folder(path: &Path) -> Result<Self, DiskError> {
        let temporary = prepare(path, false)?;
        fs::create_dir(&temporary).naming("create", path)?;
        let lock = File::open(&temporary).ok().and_then(locked);
        Ok(Self { temporary, path: path.to_path_buf(), lock, open: true })
    }

    /// The temporary path to write to.
    pub fn temporary(&self) -> &Path {
        &self.temporary
    }

    /// Opens the file for writing from its beginning.
    pub fn open(&self) -> Result<File, DiskError> {
        disk::open_plain(File::options().write(true).truncate(true), &self.temporary).naming("write", &self.path)
    }

    /// Moves it to its final name; a file or folder of that name is replaced.
    pub fn finish(mut self) -> Result<(), DiskError> {
        if let Some(what) = disk::in_the_way(&self.path).filter(|what| *what == disk::InTheWay::Link) {
            return Err(DiskError::new("replace", &self.path, what.into()));
        }
        if self.temporary.is_file() {
            // delayed writes to the disk may still fail
            let file = disk::open_plain(File::options().write(true), &self.temporary);
            file.and_then(|file| if cfg!(test) { Ok(()) } else { file.sync_data() }).naming("write", &self.path)?;
        }
        // Windows does not move open files
        self.lock = None;
        // a folder cannot be renamed over another: the old one is moved aside first
        let aside = if self.path.is_dir() { Some(Aside::new(&self.path, &marked(&self.path, "old"))?) } else { None };
        if let Err(error) = disk::rename(&self.temporary, &self.path) {
            if let Some(aside) = aside {
                aside.put_back();
            }
            return Err(error);
        }
        self.open = false;
        if let Some(aside) = aside {
            // the new one is in place: leftovers that cannot be removed do no harm
            let _ = aside.remove();
        }
        Ok(())
    }
}

impl Drop for Whole {
    fn drop(&mut self) {
        if !self.open {
            return;
        }
        self.lock = None;
        // neither call follows a link
        let _ = if self.temporary.is_dir() {
            fs::remove_dir_all(&self.temporary)
        } else {
            fs::remove_file(&self.temporary)
        };
    }
}

/// Writes a small file that appears only when complete; a file of that name is replaced.
pub fn write(path: &Path, contents: &[u8]) -> Result<(), DiskError> {
    let whole = Whole::file(path)?;
    let written = whole.open().and_then(|mut file| io::Write::write_all(&mut file, contents).naming("write", path));
    written.and_then(|()| whole.finish())
}

/// A folder that was moved aside, into a new folder created for it.
#[derive(Debug)]
pub(crate) struct Aside {
    place: PathBuf,
    folder: PathBuf,
    inside: PathBuf,
}

impl Aside {
    /// Moves a folder aside, into `folder`, or into `folder` with a number if that exists.
    pub fn new(place: &Path, folder: &Path) -> Result<Self, DiskError> {
        let mut made = folder.to_path_buf();
        for number in 2u64.. {
            // creating it is the test: an existing folder is not ours
            match fs::create_dir(&made) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    made = disk::beside(folder, &format!("-{number}"));
                }
                result => {
                    result.naming("create", &made)?;
                    break;
                }
            }
        }
        let inside = made.join(place.file_name().unwrap_or_default());
        let aside = Self { place: place.to_path_buf(), folder: made, inside };
        if let Err(error) = disk::rename(&aside.place, &aside.inside) {
            let _ = fs::remove_dir(&aside.folder);
            return Err(error);
        }
        Ok(aside)
    }

    /// Moves the folder back.
    pub fn put_back(self) {
        let _ = disk::rename(&self.inside, &self.place);
        let _ = fs::remove_dir(&self.folder);
    }

    /// Removes the folder that was moved aside.
    pub fn remove(self) -> Result<(), DiskError> {
        fs::remove_dir_all(&self.folder).naming("remove", &self.folder)
    }
}

/// Creates the folder of a path, tidies it up, and returns the temporary path for the output.
fn prepare(path: &Path, is_file: bool) -> Result<PathBuf, DiskError> {
    if let Some(what) = disk::in_the_way(path).filter(|what| *what == disk::InTheWay::Link) {
        return Err(DiskError::new("replace", path, what.into()));
    }
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    if let Some(folder) = folder {
        fs::create_dir_all(folder).naming("create", folder)?;
    }
    tidy_up_once(folder.unwrap_or(Path::new(".")));
    let temporary = if is_file { marked_before_ending(path) } else { marked(path, "tmp") };
    // left by a dead process that had our process id
    remove_if_left(&temporary);
    Ok(temporary)
}

fn marked(path: &Path, mark: &str) -> PathBuf {
    disk::beside(path, &format!(".{mark}-{}", std::process::id()))
}

/// The temporary path of a file. The ending stays: encoders depend on it.
fn marked_before_ending(path: &Path) -> PathBuf {
    let mut name = path.file_stem().map(OsString::from).unwrap_or_default();
    name.push(format!(".tmp-{}", std::process::id()));
    if let Some(ending) = path.extension() {
        name.push(".");
        name.push(ending);
    }
    path.with_file_name(name)
}

fn locked(file: File) -> Option<File> {
    // some file systems have no locks: there the process id must suffice
    let _ = file.try_lock();
    Some(file)
}

/// Endings of pictures and films.
pub(crate) const PICTURES: [&str; 4] = PictureFile::ENDINGS;

/// Whether files written by [`Whole`] have this ending: exports, pictures, scenes.
fn is_of_a_file(ending: &str) -> bool {
    PICTURES.contains(&ending) || ending == "toml" || Format::file_endings().any(|known| known == ending)
}

/// Whether files in folders written by [`Whole`] have this ending.
fn is_in_a_folder(ending: &str) -> bool {
    Format::ALL.into_iter().flat_map(Format::folder_endings).any(|known| known == ending)
}

/// Removes the remains of killed processes in a folder, once per process.
fn tidy_up_once(folder: &Path) {
    static DONE: Mutex<Option<HashSet<PathBuf>>> = Mutex::new(None);
    let Ok(folder) = folder.canonicalize() else { return };
    let mut done = DONE.lock().unwrap_or_else(PoisonError::into_inner);
    if done.get_or_insert_default().insert(folder.clone()) || cfg!(test) {
        tidy_up(&folder);
    }
}

/// Removes what is certainly left over in a folder. A failure to remove it is not an error.
fn tidy_up(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        if let Some(name) = name.to_str()
            && owner(name).is_some_and(|owner| owner != std::process::id() && !lives(owner))
        {
            remove_if_left(&entry.path());
        }
    }
}

/// The process id in a name, if the name has exactly our mark.
fn owner(name: &str) -> Option<u32> {
    let (front, rest) = name.rsplit_once(".tmp-")?;
    let (digits, ending) = rest.split_once('.').map_or((rest, None), |(digits, ending)| (digits, Some(ending)));
    let plain = !digits.starts_with('0') && digits.bytes().all(|byte| byte.is_ascii_digit());
    let known = ending.is_none_or(|ending| is_of_a_file(&ending.to_ascii_lowercase()));
    if front.is_empty() || !plain || !known { None } else { digits.parse().ok() }
}

/// Removes a file or folder with our mark if its lock is free and it is what we would have made there.
fn remove_if_left(path: &Path) {
    let Ok(found) = fs::symlink_metadata(path) else { return };
    if found.is_file() && is_of_a_file(&ending(path)) {
        if disk::open_plain(File::options().read(true), path).is_ok_and(|file| file.try_lock().is_ok()) {
            let _ = fs::remove_file(path);
        }
    } else if found.is_dir() {
        let ours = |entry: fs::DirEntry| {
            entry.file_type().is_ok_and(|kind| kind.is_file()) && is_in_a_folder(&ending(&entry.path()))
        };
        let all_ours = fs::read_dir(path).is_ok_and(|mut list| list.all(|entry| entry.is_ok_and(ours)));
        // where folders cannot be opened, their locks cannot be tested
        if all_ours && File::open(path).is_ok_and(|folder| folder.try_lock().is_ok()) {
            let _ = fs::remove_dir_all(path);
        }
    }
}

/// Whether a process is alive, as far as the system reports it; its lock is more reliable.
fn lives(process: u32) -> bool {
    #[cfg(unix)]
    {
        let Ok(process) = libc::pid_t::try_from(process) else { return false };
        // SAFETY: signal 0 only checks, nothing is sent; an id above 0 is a single process
        process > 0
            && (unsafe { libc::kill(process, 0) } == 0
                || io::Error::last_os_error().raw_os_error() != Some(libc::ESRCH))
    }
    #[cfg(not(unix))]
    {
        let _ = process;
        false
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// No process of any system has this number.
    const DEAD: u32 = 2_147_483_647;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn what_dead_processes_left_is_removed_and_nothing_else() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        let alive = std::os::unix::process::parent_id();
        let left = [format!("a.tmp-{DEAD}.npz"), format!("film.tmp-{DEAD}.mp4"), format!("B.tmp-{DEAD}.PNG")];
        let stays = [
            format!("mine.tmp-{DEAD}.txt"),
            format!("notes.tmp-{DEAD}"),
            format!("a.tmp-0{DEAD}.npz"),
            format!("a.tmp-{DEAD}x.npz"),
            format!(".tmp-{DEAD}.npz"),
            format!("b.tmp-{alive}.npz"),
            "a.tmp-.npz".to_string(),
            "a.npz".to_string(),
        ];
        left.iter().chain(&stays).for_each(|name| fs::write(path(name), b"x").unwrap());
        fs::create_dir(path(&format!("walk.tmp-{DEAD}"))).unwrap();
        fs::write(path(&format!("walk.tmp-{DEAD}/walk.0000.obj")), b"x").unwrap();
        // a folder with other contents is not ours
        fs::create_dir(path(&format!("work.tmp-{DEAD}"))).unwrap();
        fs::write(path(&format!("work.tmp-{DEAD}/letter.txt")), b"x").unwrap();
        std::os::unix::fs::symlink(path("a.npz"), path(&format!("link.tmp-{DEAD}.npz"))).unwrap();
        // a locked file belongs to a process elsewhere, whatever its id
        fs::write(path(&format!("held.tmp-{DEAD}.npz")), b"x").unwrap();
        let held = File::open(path(&format!("held.tmp-{DEAD}.npz"))).unwrap();
        held.lock().unwrap();

        write(&path("new.npz"), b"whole").unwrap();
        let mut expected = stays.to_vec();
        expected.extend(["new.npz".to_string(), format!("work.tmp-{DEAD}")]);
        expected.extend([format!("link.tmp-{DEAD}.npz"), format!("held.tmp-{DEAD}.npz")]);
        expected.sort();
        assert_eq!(names(place.path()), expected);
        assert_eq!(fs::read(path("new.npz")).unwrap(), b"whole");
    }

    #[test]
    fn what_is_not_finished_leaves_nothing() {
        let place = tempfile::tempdir().unwrap();
        let whole = Whole::file(&place.path().join("a.png")).unwrap();
        assert!(names(place.path())[0].starts_with("a.tmp-"), "the ending stays at the end");
        drop(whole);
        let whole = Whole::folder(&place.path().join("walk")).unwrap();
        fs::write(whole.temporary().join("a.obj"), b"x").unwrap();
        drop(whole);
        assert!(names(place.path()).is_empty());
    }

    #[test]
    fn a_folder_is_replaced_and_one_that_has_the_name_for_the_old_stays() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("walk");
        fs::create_dir(&path).unwrap();
        fs::write(path.join("old.obj"), b"x").unwrap();
        let foreign = marked(&path, "old");
        fs::create_dir(&foreign).unwrap();
        fs::write(foreign.join("letter.txt"), b"mine").unwrap();
        let whole = Whole::folder(&path).unwrap();
        fs::write(whole.temporary().join("new.obj"), b"x").unwrap();
        whole.finish().unwrap();
        assert_eq!(names(&path), ["new.obj"]);
        assert_eq!(names(&foreign), ["letter.txt"]);
        assert_eq!(names(place.path()).len(), 2);
    }

    #[test]
    fn a_link_in_its_place_is_refused() {
        let place = tempfile::tempdir().unwrap();
        let [victim, link] = ["victim", "still.png"].map(|name| place.path().join(name));
        fs::write(&victim, b"mine").unwrap();
        std::os::unix::fs::symlink(&victim, &link).unwrap();
        let error = write(&link, b"x").unwrap_err();
        assert!(error.is_in_the_way(), "{error}");
        // nor is a link with the temporary name followed
        let hidden = marked_before_ending(&place.path().join("b.png"));
        std::os::unix::fs::symlink(&victim, hidden).unwrap();
        assert!(write(&place.path().join("b.png"), b"x").unwrap_err().is_in_the_way());
        assert_eq!(fs::read(&victim).unwrap(), b"mine");
    }
}
