//! Every write of this crate goes through here. Errors name the file, links are not followed, files are replaced
//! atomically, and tests can simulate a disk that is full after any number of bytes.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// An operation that the system refused, and the affected file.
#[derive(Debug, thiserror::Error)]
#[error("cannot {doing} {}: {source}", path.display())]
pub struct DiskError {
    /// The operation: `read`, `write`, ...
    pub doing: &'static str,
    /// The file or folder.
    pub path: PathBuf,
    /// The error of the system.
    pub source: io::Error,
}

impl DiskError {
    pub(crate) fn new(doing: &'static str, path: &Path, source: io::Error) -> Self {
        Self { doing, path: path.to_path_buf(), source }
    }

    /// Whether the disk is full, as far as the system reports it.
    pub fn is_full(&self) -> bool {
        matches!(self.source.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
    }

    /// Whether a link, a folder or a device is in the place of a file to be written.
    pub fn is_in_the_way(&self) -> bool {
        self.source.get_ref().is_some_and(|inner| inner.is::<InTheWay>())
    }
}

/// What is in the place of a file to be written. Nothing is ever written through a link: it may lead anywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InTheWay {
    /// A symbolic link.
    #[error("it is a link, and nothing is written through links")]
    Link,
    /// A folder, a pipe or a device.
    #[error("it is not a plain file")]
    NotAFile,
}

impl From<InTheWay> for io::Error {
    fn from(what: InTheWay) -> Self {
        io::Error::new(io::ErrorKind::InvalidInput, what)
    }
}

/// What is at a path, if it is neither a plain file nor absent.
pub(crate) fn in_the_way(path: &Path) -> Option<InTheWay> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => Some(InTheWay::Link),
        Ok(found) if !found.is_file() => Some(InTheWay::NotAFile),
        _ => None,
    }
}

/// Opens a plain file. A link in its place is an error, even if it appears at this very moment.
pub(crate) fn open_plain(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        // opening a pipe would block until it has a reader
        options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
    }
    // systems without such an option get only this check
    if let Some(what) = in_the_way(path) {
        return Err(what.into());
    }
    let file = match options.open(path) {
        Err(error) => return Err(in_the_way(path).map_or(error, io::Error::from)),
        Ok(file) => file,
    };
    if file.metadata()?.is_file() { Ok(file) } else { Err(InTheWay::NotAFile.into()) }
}

/// Turns an `io::Error` into one that names the file.
pub(crate) trait Naming<T> {
    fn naming(self, doing: &'static str, path: &Path) -> Result<T, DiskError>;
}

impl<T> Naming<T> for io::Result<T> {
    fn naming(self, doing: &'static str, path: &Path) -> Result<T, DiskError> {
        self.map_err(|source| DiskError::new(doing, path, source))
    }
}

/// An open file.
#[derive(Debug)]
pub(crate) struct DiskFile {
    file: File,
}

impl DiskFile {
    pub fn create(path: &Path) -> Result<Self, DiskError> {
        let file = open_plain(File::options().read(true).write(true).create(true).truncate(true), path);
        Ok(Self { file: file.naming("create", path)? })
    }

    /// Creates a file that must not exist.
    pub fn create_new(path: &Path) -> Result<Self, DiskError> {
        let file = open_plain(File::options().read(true).write(true).create_new(true), path);
        Ok(Self { file: file.naming("create", path)? })
    }

    /// Opens an existing file for reading and writing.
    pub fn open(path: &Path) -> Result<Self, DiskError> {
        Ok(Self { file: open_plain(File::options().read(true).write(true), path).naming("open", path)? })
    }

    pub fn set_len(&self, bytes: u64) -> io::Result<()> {
        self.file.set_len(bytes)
    }

    /// Waits until the contents would survive a power cut.
    pub fn sync(&self) -> io::Result<()> {
        // no test can tell the difference, but thousands of runs on a full disk would take minutes
        if cfg!(test) { Ok(()) } else { self.file.sync_data() }
    }
}

impl Write for DiskFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        #[cfg(test)]
        let bytes = {
            // overwriting needs no new space
            let free = self.file.metadata()?.len().saturating_sub(self.file.stream_position()?);
            full_disk::ration(bytes, free as usize)?
        };
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Read for DiskFile {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.file.read(bytes)
    }
}

impl Seek for DiskFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// A file to which complete records are appended. After an error it ends with its last complete record.
#[derive(Debug)]
pub(crate) struct Appender {
    file: DiskFile,
    path: PathBuf,
    end: u64,
}

impl Appender {
    /// Creates a new, empty file.
    pub fn create(path: &Path) -> Result<Self, DiskError> {
        Ok(Self { file: DiskFile::create(path)?, path: path.to_path_buf(), end: 0 })
    }

    /// Opens an existing file and truncates it to `end` bytes.
    pub fn open_at(path: &Path, end: u64) -> Result<Self, DiskError> {
        let mut file = DiskFile::open(path)?;
        file.set_len(end).naming("shorten", path)?;
        file.seek(SeekFrom::Start(end)).naming("write", path)?;
        Ok(Self { file, path: path.to_path_buf(), end })
    }

    pub fn append(&mut self, record: &[u8]) -> Result<(), DiskError> {
        if let Err(source) = self.file.write_all(record) {
            // if this fails too, readers and resuming ignore the incomplete record
            let _ = self.file.set_len(self.end);
            let _ = self.file.seek(SeekFrom::Start(self.end));
            return Err(DiskError::new("write", &self.path, source));
        }
        self.end += record.len() as u64;
        Ok(())
    }

    pub fn sync(&self) -> Result<(), DiskError> {
        self.file.sync().naming("write", &self.path)
    }
}

/// Whether a replaced file must survive a power cut. A killed process loses nothing in either case.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Durable {
    Yes,
    No,
}

/// Writes a file under a temporary name and renames it, so that a complete file always exists.
pub(crate) fn replace(path: &Path, contents: &[u8], durable: Durable) -> Result<(), DiskError> {
    let temporary = temporary(path);
    if let Some(what) = in_the_way(path).or_else(|| in_the_way(&temporary)) {
        return Err(DiskError::new("replace", path, what.into()));
    }
    // a killed process may have left this file; the folder is locked, so no other process writes it now
    let _ = fs::remove_file(&temporary);
    let write = || -> Result<(), DiskError> {
        let mut file = DiskFile::create_new(&temporary)?;
        file.write_all(contents).naming("write", &temporary)?;
        if durable == Durable::Yes {
            file.sync().naming("write", &temporary)?;
        }
        drop(file);
        rename(&temporary, path)?;
        if durable == Durable::Yes {
            sync_folder_of(path)?;
        }
        Ok(())
    };
    write().inspect_err(|_| {
        let _ = fs::remove_file(&temporary);
    })
}

/// The temporary path that [`replace`] writes.
pub(crate) fn temporary(path: &Path) -> PathBuf {
    beside(path, ".tmp")
}

/// Overwrites a small file in place, for a disk without space for a second file. If that fails too, the old contents,
/// for which there is certainly space, are restored.
pub(crate) fn overwrite(path: &Path, contents: &[u8]) -> Result<(), DiskError> {
    let mut file = DiskFile::open(path)?;
    let mut old = Vec::new();
    file.read_to_end(&mut old).naming("read", path)?;
    let mut put = |bytes: &[u8]| {
        file.seek(SeekFrom::Start(0))?;
        file.write_all(bytes)?;
        file.set_len(bytes.len() as u64)
    };
    put(contents).naming("write", path).inspect_err(|_| {
        let _ = put(&old);
    })
}

/// The same path with `ending` appended to the last name.
pub(crate) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(ending);
    path.with_file_name(name)
}

/// Renames a file, replacing an existing one.
pub(crate) fn rename(from: &Path, to: &Path) -> Result<(), DiskError> {
    let mut result = fs::rename(from, to);
    // on Windows a virus scanner or an indexer may hold a fresh file for a moment
    if cfg!(windows) {
        for _ in 0..20 {
            match &result {
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                    std::thread::sleep(std::time::Duration::from_millis(10));
                    result = fs::rename(from, to);
                }
                _ => break,
            }
        }
    }
    result.naming("replace", to)
}

/// Makes new names in a folder survive a power cut. Only Unix has and needs this: elsewhere folders cannot be opened as
/// files, and the file system keeps its own journal.
pub(crate) fn sync_folder_of(path: &Path) -> Result<(), DiskError> {
    if cfg!(unix) && !cfg!(test) {
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        match File::open(folder).and_then(|folder| folder.sync_all()) {
            // some network file systems do not support it
            Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => {}
            result => result.naming("write", folder)?,
        }
    }
    Ok(())
}

/// A simulated disk that accepts a number of bytes on this thread, then no more.
#[cfg(test)]
pub(crate) mod full_disk {
    use std::cell::Cell;
    use std::io;

    thread_local!(static LEFT: Cell<Option<usize>> = const { Cell::new(None) });

    /// Calls `run` with space for `bytes` bytes.
    pub fn with_space<T>(bytes: usize, run: impl FnOnce() -> T) -> T {
        LEFT.set(Some(bytes));
        let result = run();
        LEFT.set(None);
        result
    }

    /// The bytes that still fit on the disk; the first `free` take no space.
    pub(super) fn ration(bytes: &[u8], free: usize) -> io::Result<&[u8]> {
        let Some(left) = LEFT.get() else { return Ok(bytes) };
        let taken = bytes.len().min(free + left);
        if taken == 0 && !bytes.is_empty() {
            return Err(io::ErrorKind::StorageFull.into());
        }
        LEFT.set(Some(left - taken.saturating_sub(free)));
        Ok(&bytes[..taken])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_replaced_on_a_full_disk_stays_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report.json");
        replace(&path, b"old", Durable::Yes).unwrap();
        for space in 0..10 {
            let error = full_disk::with_space(space, || replace(&path, b"0123456789", Durable::No)).unwrap_err();
            assert!(error.is_full(), "{error}");
            assert_eq!(fs::read(&path).unwrap(), b"old");
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file is left");
        }
        full_disk::with_space(10, || replace(&path, b"0123456789", Durable::No)).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"0123456789");
    }

    #[cfg(unix)]
    #[test]
    fn nothing_is_written_through_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let [victim, nobody] = ["victim", "nobody"].map(|name| folder.path().join(name));
        fs::write(&victim, b"mine").unwrap();
        type Way = fn(&Path) -> Result<(), DiskError>;
        let ways: [(&str, Way); 6] = [
            ("create", |path| DiskFile::create(path).map(drop)),
            ("create_new", |path| DiskFile::create_new(path).map(drop)),
            ("open", |path| DiskFile::open(path)?.write_all(b"x").naming("write", path)),
            ("append", |path| Appender::create(path)?.append(b"x")),
            ("overwrite", |path| overwrite(path, b"x")),
            ("replace", |path| replace(path, b"x", Durable::No)),
        ];
        for (way, write) in ways {
            for target in [&victim, &nobody] {
                for name in ["file", "file.tmp"] {
                    let place = folder.path().join(way);
                    let link = if name == "file" { place.clone() } else { beside(&place, ".tmp") };
                    if name != "file" && way != "replace" {
                        continue;
                    }
                    std::os::unix::fs::symlink(target, &link).unwrap();
                    let error = write(&place).expect_err(way);
                    assert!(error.is_in_the_way() && error.to_string().contains("link"), "{way}: {error}");
                    assert_eq!(fs::read(&victim).unwrap(), b"mine", "{way}");
                    assert!(!nobody.exists(), "{way}");
                    fs::remove_file(&link).unwrap();
                }
            }
        }
    }

    #[test]
    fn a_file_written_over_on_a_full_disk_is_the_old_or_the_new() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report.json");
        for space in 0..4 {
            fs::write(&path, b"old").unwrap();
            let result = full_disk::with_space(space, || overwrite(&path, b"newer"));
            assert_eq!(result.is_ok(), space >= 2);
            assert_eq!(fs::read(&path).unwrap(), if space >= 2 { &b"newer"[..] } else { b"old" });
        }
        full_disk::with_space(0, || overwrite(&path, b"n")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"n");
    }

    #[test]
    fn an_append_that_fails_leaves_whole_records() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records");
        for space in 0..12 {
            let mut file = Appender::create(&path).unwrap();
            full_disk::with_space(space, || {
                for record in [b"aaaa", b"bbbb", b"cccc"] {
                    let _ = file.append(record);
                }
            });
            assert_eq!(fs::read(&path).unwrap().len(), space / 4 * 4);
            file.append(b"dddd").unwrap();
            assert!(fs::read(&path).unwrap().ends_with(b"dddd"), "the file can be used when there is space again");
        }
    }
}
