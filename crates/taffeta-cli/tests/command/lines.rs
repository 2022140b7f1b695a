//! A rule for all files of the repository: no line of code, scene or tool has more than 120 characters, nor has one of
//! a document outside of tables and code.

use std::fs;
use std::path::{Path, PathBuf};

const MOST: usize = 120;
const ENDINGS: [&str; 4] = ["rs", "py", "toml", "md"];
/// Documents that a program writes, with a line for each paragraph.
const WRITTEN: [&str; 1] = ["docs/scene.md"];
/// Folders of what is built and of results.
const RESULTS: [&str; 4] = ["target", "runs", "experiments", "node_modules"];

/// The lines that the rule is for, with their numbers from 1: in documents those of prose.
fn lines<'a>(name: &str, text: &'a str) -> Vec<(usize, &'a str)> {
    let document = name.ends_with(".md");
    let mut code = false;
    let counts = |(_, line): &(usize, &str)| {
        let fence = line.trim_start().starts_with("```");
        code ^= document && fence;
        !document || !code && !fence && !line.trim_start().starts_with('|')
    };
    (1..).zip(text.lines()).filter(counts).collect()
}

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
        if WRITTEN.contains(&&*shown) {
            continue;
        }
        for (number, line) in lines(&shown, &fs::read_to_string(&path).unwrap()) {
            let length = line.chars().count();
            if length > MOST {
                long += &format!("{shown}:{number}: {length} characters\n");
            }
        }
    }
    assert!(long.is_empty(), "\n{long}");
}

#[test]
fn tables_and_code_of_documents_are_left_out() {
    let text = "prose\n```toml\ncode\n```\n- item\n| row |\n  ```\n  code\n  ```\nlast";
    let found: Vec<_> = lines("a.md", text).into_iter().map(|(_, line)| line).collect();
    assert_eq!(found, ["prose", "- item", "last"]);
    assert_eq!(lines("a.rs", text).len(), 10);
}
