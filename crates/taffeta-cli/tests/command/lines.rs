//! A rule for all files of the repository: no line of code, scene or tool has more than 120 characters.

use std::fs;
use std::path::{Path, PathBuf};

const MOST: usize = 120;
const ENDINGS: [&str; 3] = ["rs", "py", "toml"];
/// Folders of what is built and of results.
const RESULTS: [&str; 4] = ["target", "runs", "experiments", "node_modules"];

/// Files below a folder, without hidden ones.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        if name.starts_with('.') || RESULTS.contains(&name.as_str()) {
            continue;
        }
        if entry.file_type().unwrap().is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|ending| ENDINGS.iter().any(|known| ending == *known)) {
            found.push(path);
        }
    }
}

#[test]
fn no_line_has_more_than_120_characters() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let mut all = Vec::new();
    files(&root, &mut all);
    assert!(all.len() > 400, "only {} files were found", all.len());
    let mut long = String::new();
    for path in all {
        let shown = path.strip_prefix(&root).unwrap().display().to_string().replace('\\', "/");
        for (i, line) in fs::read_to_string(&path).unwrap().lines().enumerate() {
            let length = line.chars().count();
            if length > MOST {
                long += &format!("{shown}:{}: {length} characters\n", i + 1);
            }
        }
    }
    assert!(long.is_empty(), "\n{long}");
}
