//! The modules of the library have an order: each uses only those before it. ARCHITECTURE.md has the list.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The modules in the list of ARCHITECTURE.md, in their order.
fn layers() -> Vec<String> {
    let text = fs::read_to_string(root().join("../../ARCHITECTURE.md")).unwrap();
    let (_, list) = text.split_once("## Layers of the library").expect("the section has this name");
    let (_, list) = list.split_once("```text\n").expect("the list is fenced");
    let (list, _) = list.split_once("```").expect("the fence ends");
    // what goes on over several lines is indented
    let names = list.lines().filter(|line| !line.starts_with(char::is_whitespace));
    names.filter_map(|line| line.split_whitespace().next()).map(String::from).collect()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") && path.file_stem().unwrap() != "tests" {
            found.push(path);
        }
    }
}

/// The code of a file without comments and tests, which come last.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
    let text = text.split("#[cfg(test)]\npub(").next().unwrap();
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// What follows a prefix wherever it stands: the first name, or all first names in braces.
fn names_after<'a>(text: &'a str, prefix: &str) -> Vec<&'a str> {
    let name = |text: &'a str| text.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("");
    let mut found = Vec::new();
    for (at, _) in text.match_indices(prefix) {
        // not a part of another path or word
        if text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':') {
            continue;
        }
        let rest = &text[at + prefix.len()..];
        match rest.strip_prefix('{') {
            None => found.push(name(rest)),
            Some(list) => {
                let mut depth = 0;
                let mut start = true;
                for (i, c) in list.char_indices() {
                    match c {
                        '{' => depth += 1,
                        '}' if depth == 0 => break,
                        '}' => depth -= 1,
                        ',' if depth == 0 => start = true,
                        c if start && !c.is_whitespace() => {
                            start = false;
                            found.push(name(&list[i..]));
                        }
                        _ => {}
                    }
                }
            }
        }
    }
    found
}

#[test]
fn names_are_found_in_paths() {
    let text = "use crate::a::b; use crate::{c::{d, e}, f}; mycrate::g; crate::h";
    assert_eq!(names_after(text, "crate::"), ["a", "c", "f", "h"]);
}

#[test]
fn modules_use_only_those_before_them() {
    let layers = layers();
    let src = root().join("src");
    let mut files = Vec::new();
    sources(&src, &mut files);
    let mut wrong = Vec::new();
    let mut seen = BTreeMap::new();
    for path in files {
        let relative = path.strip_prefix(&src).unwrap();
        let first = relative.iter().next().unwrap().to_string_lossy();
        let module = first.trim_end_matches(".rs").to_string();
        if module == "lib" {
            continue;
        }
        let place = relative.display();
        let Some(own) = layers.iter().position(|layer| *layer == module) else {
            wrong.push(format!("{place}: `{module}` is not in the list of ARCHITECTURE.md"));
            continue;
        };
        seen.insert(module.clone(), true);
        let text = code(&path);
        // in the file of a module itself `super` is the crate
        let top = relative.iter().count() == 1 || (relative.iter().count() == 2 && relative.ends_with("mod.rs"));
        let outer = if top { names_after(&text, "super::") } else { Vec::new() };
        for name in names_after(&text, "crate::").into_iter().chain(outer).filter(|name| *name != module) {
            match layers.iter().position(|layer| layer == name) {
                _ if name == "Vec3" => {}
                None => wrong.push(format!("{place}: crate::{name} does not name the module")),
                Some(other) if other > own => wrong.push(format!("{place}: `{module}` is before `{name}`")),
                Some(_) => {}
            }
        }
    }
    wrong.extend(
        layers.iter().filter(|layer| !seen.contains_key(*layer)).map(|layer| format!("{layer}: no such module")),
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
