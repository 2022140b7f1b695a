//! Files that a scene refers to.

use super::Builder;
use crate::{
    diagnostic::{Diagnostic, Location},
    document::Part,
    files::{self, FileProblem},
    scene::Reference,
    source::neighbour,
    tree::shorten,
};
use std::sync::Arc;

/// A file that was read.
pub(super) struct Referred {
    /// How messages call it.
    pub file: String,
    pub bytes: Arc<Vec<u8>>,
}

/// More mistakes in one file are counted, not shown.
const SHOWN: usize = 10;

impl Builder<'_> {
    /// Reads the file that the text at `path` names; `None` after a mistake. `endings` are those that the file may have.
    pub(super) fn file(&mut self, path: &[String], text: &str, endings: &[&str]) -> Option<Referred> {
        if !self.out.clean(path) {
            return None;
        }
        let full = self.folder.join(text);
        let ending = full.extension().map_or(String::new(), |e| e.to_string_lossy().to_ascii_lowercase());
        if !endings.contains(&ending.as_str()) {
            let wanted = endings.join(" or .");
            let message = format!("`{}` does not end in .{wanted}", shorten(text));
            self.out.value(path, message, format!("export it as .{wanted} and give that file"));
            return None;
        }
        match files::read(&full, None) {
            Ok(bytes) => {
                let copy_name = self.copy_name(&full);
                // a file that two keys name is read once, so that both see the same
                let same = self.files.iter().find(|file| file.path == full);
                let bytes = same.map_or_else(|| Arc::new(bytes), |file| file.bytes.clone());
                let reference = Reference { key: path.join("."), path: full.clone(), copy_name, bytes: bytes.clone() };
                self.files.push(reference);
                let file = full.strip_prefix(".").unwrap_or(&full).display().to_string();
                Some(Referred { file, bytes })
            }
            Err(why) => {
                let help = match neighbour(&full) {
                    Some(near) => format!("did you mean `{near}`? Paths are relative to the scene file"),
                    None => format!("paths are relative to the scene file; this one leads to `{}`", full.display()),
                };
                self.out.value(path, format!("cannot read `{}`: {why}", shorten(text)), help);
                None
            }
        }
    }

    /// A name that no other file in the run's folder has, in capital or small letters.
    fn copy_name(&self, path: &std::path::Path) -> String {
        if let Some(same) = self.files.iter().find(|file| file.path == path) {
            return same.copy_name.clone();
        }
        let part = |part: Option<&std::ffi::OsStr>| part.map_or(String::new(), |p| p.to_string_lossy().into_owned());
        let (stem, ending) = (part(path.file_stem()), part(path.extension()));
        let taken = |name: &str| self.files.iter().any(|file| file.copy_name.to_lowercase() == name.to_lowercase());
        let mut name = format!("{stem}.{ending}");
        for number in 2.. {
            if !taken(&name) {
                break;
            }
            name = format!("{stem}-{number}.{ending}");
        }
        name
    }

    /// Mistakes inside a file, each with its line there and with the line of the scene that refers to it.
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
