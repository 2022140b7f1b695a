//! Files that a scene refers to.

use super::Builder;
use crate::{
    diagnostic::{Diagnostic, Location},
    document::Part,
    files::{self, FileProblem},
    scene::{FileCopy, Reference},
    source::neighbour,
    tree::shorten,
};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use taffeta_files::run::{Contents, is_attachment_name};
use taffeta_files::{Format, Holds, Outside, file_beside};

/// A file that was read.
pub(super) struct Referred {
    /// Its name in messages.
    pub file: String,
    pub bytes: Arc<Vec<u8>>,
    /// Files that a glTF file needs, by their names in it.
    pub beside: Vec<(String, Arc<Vec<u8>>)>,
}

impl Referred {
    /// Total bytes of its files.
    pub fn size(&self) -> u64 {
        (self.bytes.len() + self.beside.iter().map(|(_, bytes)| bytes.len()).sum::<usize>()) as u64
    }
}

/// Most mistakes that are shown of one file; further ones are only counted.
const SHOWN: usize = 10;
/// Help for a missing buffer of a glTF file.
const BESIDE: &str = "put it beside the file, or export the mesh as .glb with everything inside";

impl Builder<'_> {
    /// Reads the file that the text at `path` names; `None` after a mistake. `endings` are the file endings that are
    /// allowed.
    pub(super) fn file(&mut self, path: &[String], text: &str, endings: &[&str]) -> Option<Referred> {
        if !self.out.clean(path) {
            return None;
        }
        let full = self.folder.join(text);
        self.ending(path, text, endings)?;
        let bytes = match self.bytes(&full) {
            Ok(bytes) => bytes,
            Err(why) => {
                self.unreadable(path, text, &full, &why);
                return None;
            }
        };
        let mut beside: Vec<(String, Arc<Vec<u8>>)> = Vec::new();
        // a file that is not valid glTF is refused by its reader
        let is_gltf = Format::reading(&full).is_some_and(|format| format.holds() == Holds::Scene);
        let names = if is_gltf { taffeta_files::gltf::references(&bytes).ok() } else { None };
        for name in names.unwrap_or_default() {
            if beside.iter().all(|(known, _)| *known != name) {
                let bytes = self.buffer(path, &full, &name)?;
                beside.push((name, bytes));
            }
        }
        let folder = full.parent().unwrap_or(Path::new(""));
        let name = part(full.file_name());
        let copy = |(name, bytes): (String, &Arc<Vec<u8>>)| (folder.join(&name), name, Contents::Bytes(bytes.clone()));
        let all = [(name.clone(), &bytes)].into_iter().chain(beside.iter().map(|(name, bytes)| (name.clone(), bytes)));
        let copies: Vec<_> = all.map(copy).collect();
        self.refer(path, &full, &name, copies);
        Some(Referred { file: shown(&full), bytes, beside })
    }

    /// The ending of a file in lower case, if it is allowed.
    pub(super) fn ending(&mut self, path: &[String], text: &str, endings: &[&str]) -> Option<String> {
        let ending = part(Path::new(text).extension()).to_ascii_lowercase();
        if !endings.contains(&ending.as_str()) {
            let wanted = endings.join(" or .");
            let message = format!("`{}` does not end in .{wanted}", shorten(text));
            self.out.value(path, message, format!("export it as .{wanted} and give that file"));
            return None;
        }
        Some(ending)
    }

    /// The bytes of a file. A file that two keys name is read once, so that both see the same contents.
    fn bytes(&self, full: &Path) -> Result<Arc<Vec<u8>>, String> {
        let known = self.files.iter().flat_map(|file| &file.files).find_map(|file| match &file.contents {
            Contents::Bytes(bytes) if file.path == full => Some(bytes.clone()),
            _ => None,
        });
        known.map_or_else(|| files::read(full, None).map(Arc::new), Ok)
    }

    /// A file that a glTF file needs.
    fn buffer(&mut self, path: &[String], gltf: &Path, name: &str) -> Option<Arc<Vec<u8>>> {
        if let Err(Outside::Outside) = file_beside(gltf, name) {
            self.outside(path, gltf, name);
            return None;
        }
        let full = gltf.with_file_name(name);
        let bytes = self.bytes(&full);
        if let Err(why) = &bytes {
            let message = format!("`{}` needs `{}`, which cannot be read: {why}", shown(gltf), shorten(name));
            self.out.value(path, message, BESIDE);
        }
        bytes.ok()
    }

    /// Reports a buffer outside the folder of its glTF file: a run keeps its copies in one folder.
    pub(super) fn outside(&mut self, path: &[String], gltf: &Path, name: &str) {
        let message = format!("`{}` needs `{}`, which is not in its own folder", shown(gltf), shorten(name));
        self.out.value(path, message, BESIDE);
    }

    pub(super) fn unreadable(&mut self, path: &[String], text: &str, full: &Path, why: &str) {
        let help = match neighbour(full) {
            Some(near) => format!("did you mean `{near}`? Paths are relative to the scene file"),
            None => format!("paths are relative to the scene file; this one leads to `{}`", full.display()),
        };
        self.out.value(path, format!("cannot read `{}`: {why}", shorten(text)), help);
    }

    /// Records what a key names, with all files that belong to it: their paths, and their names relative to each other.
    /// `name` is what the key calls them there; it is empty for the folder itself.
    pub(super) fn refer(&mut self, path: &[String], full: &Path, name: &str, files: Vec<(PathBuf, String, Contents)>) {
        let key = path.join(".");
        let same = |known: &&Reference| {
            known.path == full && known.files.iter().map(|file| &file.path).eq(files.iter().map(|(path, ..)| path))
        };
        if let Some(known) = self.files.iter().find(same) {
            self.files.push(Reference { key, ..known.clone() });
            return;
        }
        let alone = files.len() == 1 && files[0].1 == name;
        let folder = if alone { String::new() } else { format!("{}/", self.free_name(&folder_name(full), "")) };
        let named = |name: String| match alone {
            true => self.free_name(&part(full.file_stem()), &part(full.extension())),
            false => format!("{folder}{name}"),
        };
        let copy_name = named(name.to_string()).trim_end_matches('/').to_string();
        let copy = |(path, name, contents)| FileCopy { path, name: named(name), contents };
        let files = files.into_iter().map(copy).collect();
        self.files.push(Reference { key, path: full.to_path_buf(), copy_name, files });
    }

    /// A name that is unique in the run's folder of files, whatever its case.
    fn free_name(&self, stem: &str, ending: &str) -> String {
        let ending = if ending.is_empty() { String::new() } else { format!(".{ending}") };
        let first = |name: &str| name.split('/').next().unwrap_or_default().to_lowercase();
        let taken = |name: &str| self.files.iter().any(|file| first(&file.copy_name) == name.to_lowercase());
        let mut name = format!("{stem}{ending}");
        for number in 2.. {
            if !taken(&name) {
                break;
            }
            name = format!("{stem}-{number}{ending}");
        }
        name
    }

    /// Reports mistakes inside a file, each with its line there and with the line of the scene that refers to it.
    pub(super) fn file_problems(&mut self, path: &[String], referred: &Referred, problems: Vec<FileProblem>) {
        let scene = self.out.document.locate(path, Part::Value);
        let text = String::from_utf8_lossy(&referred.bytes);
        let more = problems.len().saturating_sub(SHOWN);
        for (i, problem) in problems.into_iter().take(SHOWN).enumerate() {
            let message = match (problem.line, i + 1 == SHOWN && more > 0) {
                (_, true) => format!("{}; and {more} more mistakes in `{}`", problem.message, referred.file),
                (Some(_), _) => problem.message,
                (None, _) => format!("`{}`: {}", referred.file, problem.message),
            };
            let diagnostic = Diagnostic::new(message, problem.help);
            let mut diagnostic = match problem.line {
                Some(line) => diagnostic
                    .at(Location::line(&referred.file, &text, line))
                    .related(scene.clone(), "the scene refers to this file here"),
                None => diagnostic.at(scene.clone()),
            };
            diagnostic.key = path.join(".");
            self.out.add(path, diagnostic);
        }
    }
}

fn part(part: Option<&OsStr>) -> String {
    part.map_or(String::new(), |part| part.to_string_lossy().into_owned())
}

/// The name of a file in messages.
pub(crate) fn shown(full: &Path) -> String {
    full.strip_prefix(".").unwrap_or(full).display().to_string()
}

/// The folder for several files: `walk` for walk.gltf, walk.####.obj and the folder walk itself.
fn folder_name(full: &Path) -> String {
    let name = if full.is_dir() { part(full.file_name()) } else { part(full.file_stem()) };
    let plain = name.split('#').next().unwrap_or_default().trim_end_matches(['.', '_', '-', ' ']);
    if is_attachment_name(plain) { plain.to_string() } else { "sequence".into() }
}
