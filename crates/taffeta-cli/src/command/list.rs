//! `taffeta scenes` and `taffeta fabrics`: lists of the built-in ones.

use crate::args::Named;
use crate::console::Console;
use crate::failure::{BAD_INPUT, FAILED, Failure};
use serde_json::json;
use std::path::Path;
use taffeta_files::nearest;
use taffeta_files::whole;
use taffeta_scene::Builtin;
use taffeta_scene::builtin;

/// A kind of built-in item.
pub struct Kind {
    one: &'static str,
    many: &'static str,
    all: fn() -> &'static [Builtin],
    /// How to use a copy; `{}` stands for its file.
    use_copy: &'static str,
}

pub const SCENES: Kind =
    Kind { one: "scene", many: "scenes", all: builtin::scenes, use_copy: "change it, then: taffeta run {}" };
pub const FABRICS: Kind = Kind {
    one: "fabric",
    many: "fabrics",
    all: builtin::fabrics,
    use_copy: "change it, then in a scene: fabric = \"{}\"",
};

pub fn list(console: Console, kind: &Kind, args: &Named) -> Result<(), Failure> {
    let all = (kind.all)();
    let Some(name) = &args.name else {
        let width = all.iter().map(|item| item.name.len()).max().unwrap_or(0);
        let line = |item: &Builtin| format!("{:width$}  {}\n", item.name, item.description);
        console.print(&all.iter().map(line).collect::<String>())?;
        let objects: Vec<_> =
            all.iter().map(|item| json!({ "name": item.name, "description": item.description })).collect();
        return console.json(&json!({ kind.many: objects }));
    };
    let item = all.iter().find(|item| item.name == name).ok_or_else(|| unknown(kind, name))?;
    if args.copy {
        let file = copy(item, args.force)?;
        console.say(&format!("{file}: {}", kind.use_copy.replace("{}", &file)))?;
        return console.json(&json!({ "name": item.name, "file": file }));
    }
    console.print(item.text)?;
    console.json(&json!({ "name": item.name, "description": item.description, "toml": item.text }))
}

fn unknown(kind: &Kind, name: &str) -> Failure {
    let names = || (kind.all)().iter().map(|item| item.name);
    let help = match nearest(name, names()) {
        Some(near) => format!("did you mean `{near}`? `taffeta {}` shows all", kind.many),
        None => format!("there are {}", names().collect::<Vec<_>>().join(", ")),
    };
    Failure::new(BAD_INPUT, format!("there is no built-in {} `{name}`", kind.one), help)
}

/// Writes the text of an item to a new file.
fn copy(item: &Builtin, force: bool) -> Result<String, Failure> {
    let file = format!("{}.toml", item.name);
    let path = Path::new(&file);
    if !force && (path.exists() || path.is_symlink()) {
        return Err(Failure::new(BAD_INPUT, format!("{file} exists"), "rename it, or give --force to replace it"));
    }
    whole::write(path, item.text.as_bytes()).map_err(|error| match error.is_in_the_way() {
        true => Failure::new(BAD_INPUT, error.to_string(), format!("remove {file} if you do not need it")),
        false => Failure::new(FAILED, error.to_string(), "see that this folder may be written"),
    })?;
    Ok(file)
}
