//! Files that belong to another file: buffers of glTF, frames of a sequence, copies in the folder of a run. They must
//! be in the folder of that file or below it: a file from elsewhere must not make us read arbitrary files.

use std::io;
use std::path::{Path, PathBuf};

/// Why a file that another file names is not read.
#[derive(Debug, thiserror::Error)]
pub enum Outside {
    /// The name, or a link, leads out of the folder.
    #[error("it is not in the folder of the file or below it")]
    Outside,
    /// The system reported an error.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl Outside {
    /// Whether an I/O error was caused by such a name or link.
    pub(crate) fn is(error: &io::Error) -> bool {
        error.get_ref().is_some_and(|inner| inner.is::<Outside>())
    }
}

impl From<Outside> for io::Error {
    fn from(error: Outside) -> Self {
        match error {
            Outside::Io(error) => error,
            outside => io::Error::new(io::ErrorKind::InvalidInput, outside),
        }
    }
}

/// Finds the file that `file` refers to as `name`. The name must be relative, with `/` between its parts and no `..`,
/// and no link may lead out of the folder of `file`.
pub fn file_beside(file: &Path, name: &str) -> Result<PathBuf, Outside> {
    let folder = file.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    inside(folder, name)
}

/// As [`file_beside`], relative to a folder.
pub(crate) fn inside(folder: &Path, name: &str) -> Result<PathBuf, Outside> {
    if !is_plain(name) {
        return Err(Outside::Outside);
    }
    let found = folder.join(name).canonicalize()?;
    // links are resolved now: only their target counts
    if found.starts_with(folder.canonicalize()?) { Ok(found) } else { Err(Outside::Outside) }
}

/// Whether a name only leads down into subfolders, on any system.
pub(crate) fn is_plain(name: &str) -> bool {
    let plain = |part: &str| !matches!(part, "" | "." | "..") && !part.contains(['\\', ':', '\0']);
    name.split('/').all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn only_what_is_in_the_folder_or_below_is_found() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("mesh");
        fs::create_dir_all(folder.join("below")).unwrap();
        for file in [place.path().join("secret"), folder.join("a.bin"), folder.join("below/b.bin")] {
            fs::write(file, b"x").unwrap();
        }
        let mesh = folder.join("a.gltf");
        for name in ["a.bin", "below/b.bin"] {
            assert!(file_beside(&mesh, name).is_ok(), "{name}");
        }
        let absolute = place.path().join("secret").display().to_string();
        for name in ["../secret", "below/../../secret", &absolute, "", "./a.bin", "..", "a\\b", "c:a"] {
            assert!(matches!(file_beside(&mesh, name), Err(Outside::Outside)), "{name}");
        }
        assert!(matches!(file_beside(&mesh, "missing"), Err(Outside::Io(_))));
    }

    #[cfg(unix)]
    #[test]
    fn links_count_by_where_they_end() {
        use std::os::unix::fs::symlink;
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("mesh");
        fs::create_dir_all(&folder).unwrap();
        fs::write(place.path().join("secret"), b"x").unwrap();
        fs::write(folder.join("a.bin"), b"x").unwrap();
        symlink("a.bin", folder.join("same")).unwrap();
        symlink("../secret", folder.join("out")).unwrap();
        symlink("..", folder.join("up")).unwrap();
        // the folder itself may be reached through a link
        symlink(&folder, place.path().join("link")).unwrap();
        for folder in [folder, place.path().join("link")] {
            let mesh = folder.join("a.gltf");
            assert!(file_beside(&mesh, "same").is_ok());
            assert!(matches!(file_beside(&mesh, "out"), Err(Outside::Outside)));
            assert!(matches!(file_beside(&mesh, "up/secret"), Err(Outside::Outside)));
        }
    }
}
