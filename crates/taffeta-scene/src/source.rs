//! The source of a scene: a built-in one, or a file.

use crate::{
    builtin,
    diagnostic::{Diagnostic, Diagnostics, Location},
    files,
    tree::shorten,
    words::list,
};
use std::path::{Path, PathBuf};
use taffeta_files::nearest;

/// Largest scene file, bytes: people and small programs do not write larger ones.
const LARGEST: u64 = 64 << 20;

/// The text of a scene and where it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// The scene's name; for a file, its name without the ending.
    pub name: String,
    /// The name in messages: the path as given, or the name of a built-in scene.
    pub file: String,
    /// The TOML text.
    pub text: String,
    /// Paths in the scene are relative to this folder.
    pub folder: PathBuf,
}

impl Source {
    /// Finds a scene: the name of a built-in one, or the path of a file.
    pub fn find(text: &str) -> Result<Self, Diagnostics> {
        if let Some(scene) = builtin::scene(text) {
            return Ok(Self::text(scene.name, scene.text, "."));
        }
        let path = Path::new(text);
        if text.contains(['/', '\\']) || text.to_ascii_lowercase().ends_with(".toml") || path.exists() {
            return Self::file(path);
        }
        let names = || builtin::scenes().iter().map(|scene| scene.name);
        let help = match nearest(text, names()) {
            Some(near) => format!("did you mean `{near}`? `taffeta scenes` shows all; a scene file ends in .toml"),
            None => format!("there are {}; a scene file ends in .toml", list(names(), "and")),
        };
        Err(Diagnostic::new(format!("there is no scene `{}`", shorten(text)), help).into())
    }

    /// Reads a scene file.
    pub fn file(path: &Path) -> Result<Self, Diagnostics> {
        let file = path.display().to_string();
        let name = path.file_stem().map_or("scene".into(), |stem| stem.to_string_lossy().into_owned());
        let bytes = files::read(path, Some(LARGEST)).map_err(|message| {
            let help = match (builtin::scene(&name), neighbour(path)) {
                _ if path.join("scene.toml").is_file() => {
                    "it holds a run: go on with `taffeta resume`, or give its scene.toml".into()
                }
                (_, Some(near)) if !path.is_dir() => format!("did you mean `{near}`?"),
                (Some(scene), _) => format!("`{}` is built in: give the name without .toml", scene.name),
                _ => "give the path of a scene file, or a name that `taffeta scenes` shows".into(),
            };
            Diagnostic::new(format!("cannot read `{file}`: {message}"), help)
        })?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
            Diagnostic::new(format!("`{file}` is not a text in UTF-8"), "save it as UTF-8 in your editor")
                .at(Location::new(&file, &text, at..at + 1))
        })?;
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Ok(Self { name, file, text, folder: folder.to_path_buf() })
    }

    /// A scene from memory; paths in it are relative to `folder`.
    pub fn text(name: &str, text: &str, folder: impl Into<PathBuf>) -> Self {
        Self { name: name.into(), file: name.into(), text: text.into(), folder: folder.into() }
    }
}

/// A file in the same folder with a similar name and the same ending.
pub(crate) fn neighbour(path: &Path) -> Option<String> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // a folder with very many files is searched only in part
    let entries = std::fs::read_dir(folder).ok()?.take(10_000).filter_map(|entry| entry.ok());
    let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.retain(|name| Path::new(name).extension() == path.extension());
    names.sort_unstable();
    let near = nearest(path.file_name()?.to_str()?, names.iter().map(String::as_str))?;
    Some(path.with_file_name(near).display().to_string())
}
