//! The input of a run: the scene, the files that it refers to, and their hashes.

use super::{Plan, RunError, names};
use crate::beside::{Outside, inside, is_plain};
use crate::disk::{self, DiskFile, Durable, Naming};
use crate::{DiskError, Hash, HashedFile, text};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file that the scene refers to, to be copied to `files/NAME`.
#[derive(Clone, Debug, PartialEq)]
pub struct Attachment {
    /// Its name in `files/`, possibly in a folder there: `shirt.obj`, `walk/walk.0001.obj`.
    pub name: String,
    /// The exact bytes that the scene was built from.
    pub contents: Contents,
}

/// The bytes of a file that a scene was built from.
#[derive(Clone, Debug, PartialEq)]
pub enum Contents {
    /// Kept in memory.
    Bytes(Arc<Vec<u8>>),
    /// Too large to keep: read again when copied, and checked against the hash.
    File(HashedFile),
}

impl Contents {
    /// Number of bytes.
    pub fn size(&self) -> u64 {
        match self {
            Contents::Bytes(bytes) => bytes.len() as u64,
            Contents::File(file) => file.bytes,
        }
    }

    fn entry(&self, name: &str) -> FileEntry {
        let hash = match self {
            Contents::Bytes(bytes) => Hash::of(bytes),
            Contents::File(file) => file.hash,
        };
        FileEntry { name: name.to_string(), bytes: self.size(), hash }
    }

    fn write(&self, path: &Path) -> Result<(), RunError> {
        let file = match self {
            Contents::Bytes(bytes) => return Ok(write_synced(path, bytes)?),
            Contents::File(file) => file,
        };
        let mut from = fs::File::open(&file.path).naming("open", &file.path)?;
        let mut to = DiskFile::create(path)?;
        let hash = Hash::copying(&mut from, &mut to).and_then(|hash| to.sync().map(|()| hash)).naming("write", path)?;
        if hash == file.hash { Ok(()) } else { Err(RunError::Unsteady { path: file.path.clone() }) }
    }
}

/// Whether a file can be copied under a name: it must not lead out of `files/`, on any system.
pub fn is_attachment_name(name: &str) -> bool {
    is_plain(name)
}

/// What the frames of a run are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A motion.
    #[default]
    Motion,
    /// The start and the static equilibrium.
    Drape,
}

/// `manifest.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Version of the program that began the run.
    pub taffeta: String,
    /// Number of planned frames, without the start.
    pub frames: u64,
    /// What they are.
    #[serde(default)]
    pub kind: Kind,
    /// Hash (XXH3, 128 bits) of the scene and all its files.
    pub scene_hash: Hash,
    /// Copies of files that the scene refers to.
    pub files: Vec<FileEntry>,
    /// Name of the run beside this one that it replaces after success.
    pub replaces: Option<String>,
    /// Hash of all other fields. A run of an earlier version has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checksum: Option<Hash>,
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
    /// Writes the scene, then its files, and finally the manifest.
    pub(super) fn set_up(folder: &Path, plan: &Plan, replaces: Option<&Path>) -> Result<Self, RunError> {
        let Plan { scene, attachments, frames, kind } = *plan;
        let mut entries = Vec::with_capacity(attachments.len());
        for Attachment { name, contents } in attachments {
            if !is_attachment_name(name) {
                return Err(RunError::BadName { name: name.clone() });
            }
            entries.push(contents.entry(name));
        }
        let manifest = Self {
            taffeta: env!("CARGO_PKG_VERSION").to_string(),
            frames,
            kind,
            scene_hash: scene_hash(scene, &entries),
            files: entries,
            replaces: replaces.and_then(|path| path.file_name()).map(|name| name.to_string_lossy().into_owned()),
            checksum: None,
        };
        let write = || -> Result<(), RunError> {
            write_synced(&folder.join(names::SCENE), scene.as_bytes())?;
            let mut folders: BTreeSet<PathBuf> = BTreeSet::new();
            for Attachment { name, contents } in attachments {
                let path = folder.join(names::FILES).join(name);
                let above: Vec<&Path> = path.ancestors().skip(1).take(name.split('/').count()).collect();
                fs::create_dir_all(above[0]).naming("create", above[0])?;
                folders.extend(above.into_iter().map(Path::to_path_buf));
                contents.write(&path)?;
            }
            folders.iter().try_for_each(|folder| disk::sync_folder_of(&folder.join(names::SCENE)))?;
            Ok(manifest.write(folder)?)
        };
        write().map_err(|error| match error {
            RunError::Disk(error) => RunError::Write { error, safe: None, folder: folder.to_path_buf() },
            error => error,
        })?;
        Ok(manifest)
    }

    pub(super) fn write(&self, folder: &Path) -> Result<(), DiskError> {
        let summed = Self { checksum: Some(self.sum()), ..self.clone() };
        disk::replace(&folder.join(names::MANIFEST), &json(&summed), Durable::Yes)
    }

    /// Hash of all fields but the hash itself, independent of the JSON layout.
    fn sum(&self) -> Hash {
        Hash::of(&json(&Self { checksum: None, ..self.clone() }))
    }

    /// Reads the manifest without checking the files.
    pub fn read(folder: &Path) -> Result<Self, RunError> {
        let path = folder.join(names::MANIFEST);
        let bytes = fs::read(&path).naming("read", &path)?;
        let damaged = |what: String| RunError::Damaged { path: path.clone(), what };
        let manifest: Self = serde_json::from_slice(&bytes).map_err(|error| damaged(error.to_string()))?;
        match manifest.checksum {
            Some(sum) if sum != manifest.sum() => Err(damaged("it was changed: its checksum does not fit".into())),
            _ => Ok(manifest),
        }
    }

    /// Checks that the scene and its files are unchanged, and returns the scene.
    pub fn verify(&self, folder: &Path) -> Result<String, RunError> {
        let path = folder.join(names::SCENE);
        let scene = String::from_utf8(read(&path)?).map_err(|_| RunError::Changed { path: path.clone() })?;
        if scene_hash(&scene, &self.files) != self.scene_hash {
            return Err(RunError::Changed { path });
        }
        for entry in &self.files {
            let path = copied(folder, &entry.name)?;
            if hash_of(&path)? != entry.hash {
                return Err(RunError::Changed { path });
            }
        }
        Ok(scene)
    }
}

/// The path of a copied file; a folder from elsewhere must not lead out of itself.
fn copied(folder: &Path, name: &str) -> Result<PathBuf, RunError> {
    let path = folder.join(names::FILES).join(name);
    inside(folder, &format!("{}/{name}", names::FILES)).map_err(|error| match error {
        Outside::Outside => RunError::OutsideCopy { path },
        Outside::Io(error) if error.kind() != std::io::ErrorKind::NotFound => {
            DiskError::new("read", &path, error).into()
        }
        Outside::Io(_) => RunError::Missing { path },
    })
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

/// Hash of a copied file of any size.
fn hash_of(path: &Path) -> Result<Hash, RunError> {
    let missing = || RunError::Missing { path: path.to_path_buf() };
    if !fs::metadata(path).map_err(|_| missing())?.is_file() {
        return Err(missing());
    }
    let mut file = fs::File::open(path).naming("open", path)?;
    Ok(Hash::copying(&mut file, &mut std::io::sink()).naming("read", path)?)
}

fn write_synced(path: &Path, contents: &[u8]) -> Result<(), DiskError> {
    let mut file = DiskFile::create(path)?;
    file.write_all(contents).and_then(|()| file.sync()).naming("write", path)
}

/// Readable JSON: indented, with a line end.
pub(super) fn json(value: &impl Serialize) -> Vec<u8> {
    let mut bytes = serde_json::to_vec_pretty(value).expect("plain data has a JSON form");
    bytes.push(b'\n');
    bytes
}

#[cfg(test)]
mod tests {
    #[test]
    fn copies_stay_in_their_folder() {
        for name in ["shirt.obj", "walk/walk.0001.obj", "a/b/c.bin"] {
            assert!(super::is_attachment_name(name), "{name}");
        }
        for name in ["", "..", "../a", "a/../b", "/a", "a//b", "a/", "c:a", "a\\b", "./a"] {
            assert!(!super::is_attachment_name(name), "{name}");
        }
    }
}
