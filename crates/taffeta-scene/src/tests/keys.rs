//! A key that is in the table and that nobody reads would be accepted and do nothing.

use crate::keys::{FABRIC, SCENE};
use crate::schema::collect;
use std::{fs, path::Path};

/// For the readers of a fabric file alone.
const FOR_READERS: [&str; 2] = ["description", "source"];

/// By their names in the code; shapes of bodies and their lengths are read by a macro, all of them.
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
