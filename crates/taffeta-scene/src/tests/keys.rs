//! Every key in the table is read. Otherwise it would be accepted and do nothing.

use crate::keys::{FABRIC, SCENE};
use crate::schema::collect;
use std::{fs, path::Path};

/// Keys for human readers of a fabric file only.
const FOR_READERS: [&str; 2] = ["description", "source"];

/// Searches the code for the names. A macro reads all shapes of bodies and their lengths.
#[test]
fn every_key_is_read_by_what_builds_a_scene() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/build");
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let mut code: String = files.map(|path| fs::read_to_string(path).unwrap()).collect();
    code += include_str!("../scene.rs");
    let mut tables = Vec::new();
    collect(&SCENE, &mut tables);
    collect(&FABRIC, &mut tables);
    let shapes = tables.iter().find(|table| table.name == "body").unwrap().one_of;
    for table in tables.iter().filter(|table| !shapes.contains(&table.name)) {
        for name in table.names().filter(|name| !FOR_READERS.contains(name) && !shapes.contains(name)) {
            assert!(code.contains(&format!("\"{name}\"")), "nobody reads `{name}` of `{}`", table.name);
        }
    }
}
