//! What a run began with: the scene, the files that it refers to, and their hashes.

use super::{RunError, names};
use crate::disk::{self, DiskFile, Durable, Naming};
use crate::{DiskError, Hash, text};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fs;
use std::io::Write;
use std::path::Path;

/// A file that the scene refers to, to be copied to `files/NAME`.
#[derive(Clone, Debug, PartialEq)]
pub struct Attachment {
    /// Its name in `files/`: see [`attachment_names`].
    pub name: String,
    /// The very bytes that the scene was built from.
    pub contents: Vec<u8>,
}

/// Names in `files/` for some paths: their own names, with a number added where two would be the same.
pub fn attachment_names<P: AsRef<Path>>(paths: &[P]) -> Vec<String> {
    let mut taken = HashSet::new();
    let name = |path: &P| {
        let path = path.as_ref();
        let part = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
        let (stem, ending) = (part(path.file_stem()), part(path.extension()));
        let ending = if ending.is_empty() { ending } else { format!(".{ending}") };
        // file systems may not tell upper from lower case
        (1u64..)
            .map(|n| if n == 1 { format!("{stem}{ending}") } else { format!("{stem}-{n}{ending}") })
            .find(|name| taken.insert(name.to_lowercase()))
            .unwrap_or_default()
    };
    paths.iter().map(name).collect()
}

/// `manifest.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of the program that began the run.
    pub taffeta: String,
    /// Frames that are planned, without the start.
    pub frames: u64,
    /// Hash (XXH3, 128 bits) of the scene and all its files.
    pub scene_hash: Hash,
    /// Copies of files that the scene refers to.
    pub files: Vec<FileEntry>,
    /// Name of the run beside this one that it replaces after success.
    pub replaces: Option<String>,
}

/// A copied file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FileEntry {
    /// Its name in `files/`.
    pub name: String,
    /// Its size.
    pub bytes: u64,
    /// Hash (XXH3, 128 bits) of its contents.
    pub hash: Hash,
}

impl Manifest {
    /// Writes the scene, its files and last the manifest.
    pub(super) fn set_up(
        folder: &Path,
        scene: &str,
        attachments: &[Attachment],
        frames: u64,
        replaces: Option<&Path>,
    ) -> Result<Self, RunError> {
        let mut entries = Vec::with_capacity(attachments.len());
        for Attachment { name, contents } in attachments {
            let plain = Path::new(name).components().count() == 1 && Path::new(name).file_name().is_some();
            if !plain || name.contains(['/', '\\', ':']) {
                return Err(RunError::BadName { name: name.clone() });
            }
            entries.push(FileEntry { name: name.clone(), bytes: contents.len() as u64, hash: Hash::of(contents) });
        }
        let manifest = Self {
            taffeta: env!("CARGO_PKG_VERSION").to_string(),
            frames,
            scene_hash: scene_hash(scene, &entries),
            files: entries,
            replaces: replaces.and_then(|path| path.file_name()).map(|name| name.to_string_lossy().into_owned()),
        };
        let write = || -> Result<(), DiskError> {
            write_synced(&folder.join(names::SCENE), scene.as_bytes())?;
            if !attachments.is_empty() {
                let files = folder.join(names::FILES);
                fs::create_dir_all(&files).naming("create", &files)?;
                for Attachment { name, contents } in attachments {
                    write_synced(&files.join(name), contents)?;
                }
                disk::sync_folder_of(&files.join(names::SCENE))?;
            }
            manifest.write(folder)
        };
        write().map_err(|error| RunError::Write { error, safe: None, folder: folder.to_path_buf() })?;
        Ok(manifest)
    }

    pub(super) fn write(&self, folder: &Path) -> Result<(), DiskError> {
        disk::replace(&folder.join(names::MANIFEST), &json(self), Durable::Yes)
    }

    /// Reads the manifest without looking at the files.
    pub fn read(folder: &Path) -> Result<Self, RunError> {
        let path = folder.join(names::MANIFEST);
        let bytes = fs::read(&path).naming("read", &path)?;
        serde_json::from_slice(&bytes).map_err(|error| RunError::Damaged { path, what: error.to_string() })
    }

    /// Checks that the scene and its files are what they were, and returns the scene.
    pub fn verify(&self, folder: &Path) -> Result<String, RunError> {
        let path = folder.join(names::SCENE);
        let scene = String::from_utf8(read(&path)?).map_err(|_| RunError::Changed { path: path.clone() })?;
        if scene_hash(&scene, &self.files) != self.scene_hash {
            return Err(RunError::Changed { path });
        }
        for entry in &self.files {
            let path = folder.join(names::FILES).join(&entry.name);
            if Hash::of(&read(&path)?) != entry.hash {
                return Err(RunError::Changed { path });
            }
        }
        Ok(scene)
    }
}

fn scene_hash(scene: &str, files: &[FileEntry]) -> Hash {
    Hash::of_scene(scene, files.iter().map(|entry| (entry.name.as_str(), entry.hash)))
}

fn read(path: &Path) -> Result<Vec<u8>, RunError> {
    text::read(path).map_err(|error| match error {
        crate::ReadError::Io { source, path } if source.kind() != std::io::ErrorKind::NotFound => {
            DiskError { doing: "read", path, source }.into()
        }
        _ => RunError::Missing { path: path.to_path_buf() },
    })
}

fn write_synced(path: &Path, contents: &[u8]) -> Result<(), DiskError> {
    let mut file = DiskFile::create(path)?;
    file.write_all(contents).and_then(|()| file.sync()).naming("write", path)
}

/// JSON for people: indented, with a line end.
pub(super) fn json(value: &impl Serialize) -> Vec<u8> {
    let mut bytes = serde_json::to_vec_pretty(value).expect("plain data has a JSON form");
    bytes.push(b'\n');
    bytes
}

#[cfg(test)]
mod tests {
    #[test]
    fn files_of_the_same_name_get_numbers() {
        let names = super::attachment_names(&["a/shirt.obj", "b/Shirt.obj", "c/shirt.obj", "motion", "x/motion"]);
        assert_eq!(names, ["shirt.obj", "Shirt-2.obj", "shirt-3.obj", "motion", "motion-2"]);
    }
}
