//! The reference of scene files, generated from the table of keys.

use crate::{
    keys::{FABRIC, Fallback, Key, Kind, SCENE, Table},
    schema::{collect, unit},
    tree::quote,
};
use taffeta::{Bounds, figure};

const HEAD: &str = "\
# Scene files

<!-- Written by the tests of taffeta-scene from the table of keys: change the keys, not this file. -->

A scene is a TOML file: angles in degrees, everything else in SI units, y up. Every key has a default except the cloth.
Paths are relative to the scene file; there are no includes. `taffeta schema` prints a JSON schema for editors;
`taffeta check SCENE` shows every mistake at once; `--set time.fps=30` overrides a value, `--set cloth.fabric=silk`
or `--set cloth.sheet.fabric=silk` one of a cloth.

The smallest scene:

```toml
[[cloth]]
grid = { size = [1.0, 1.0], cells = [20, 20] }
```
";

/// The reference of scene files, in Markdown.
pub fn reference() -> String {
    let mut tables = Vec::new();
    collect(&SCENE, &mut tables);
    collect(&FABRIC, &mut tables);
    tables.retain(|table| !table.keys.is_empty());
    let mut out = HEAD.to_string();
    for table in tables {
        section(&mut out, table);
    }
    out
}

fn section(out: &mut String, table: &'static Table) {
    out.push_str(&format!("\n## {}\n\n{}\n", table.name, table.doc));
    if !table.one_of.is_empty() {
        let names: Vec<String> = table.one_of.iter().map(|name| format!("`{name}`")).collect();
        out.push_str(&format!("Exactly one of {}.\n", names.join(", ")));
    }
    if table.name != SCENE.name {
        out.push_str(&format!("\nFor example: `{}`\n", table.example));
    }
    out.push_str("\n| key | value | default | |\n|---|---|---|---|\n");
    for key in table.keys {
        let default = match key.default {
            Fallback::Required => "needed".to_string(),
            Fallback::Value(value) => format!("`{value}`"),
            Fallback::Absent(meaning) => meaning.to_string(),
            Fallback::Own => table.defaults(key),
        };
        out.push_str(&format!("| `{}` | {} | {default} | {} |\n", key.name, cell(key), table.about(key)));
    }
    let words = table.keys.iter().filter_map(|key| choice(&key.kind).map(|choice| (key, choice)));
    for (key, choice) in words.filter(|(_, choice)| choice.words.iter().any(|(_, about)| !about.is_empty())) {
        out.push_str(&format!("\nWords for `{}`:\n\n", key.name));
        for (word, about) in choice.words {
            out.push_str(&format!("- `{}`: {about}\n", quote(word)));
        }
    }
}

fn choice(kind: &Kind) -> Option<&crate::keys::Choice> {
    match kind {
        Kind::Choice(choice) if choice.words.len() > 1 => Some(choice),
        Kind::List(element, ..) => choice(element),
        Kind::OneOf(kinds) => kinds.iter().find_map(choice),
        _ => None,
    }
}

fn cell(key: &Key) -> String {
    let unit = unit(&key.kind).map_or(String::new(), |unit| format!(", {unit}"));
    format!("{}{unit}", form(&key.kind))
}

fn form(kind: &Kind) -> String {
    let link = |table: &Table| format!("[{0}](#{0})", table.name);
    match kind {
        Kind::Number(number) => format!("number{}", range(number)),
        Kind::Integer { min, max } if *max == i64::MAX || *max == i64::from(u32::MAX) => {
            format!("whole number ≥ {min}")
        }
        Kind::Integer { min, max } => format!("whole number, {min} to {max}"),
        Kind::Bool => "`true` or `false`".into(),
        Kind::Text(_) => "text".into(),
        Kind::Path(what) => format!("path of a file: {}", what()),
        Kind::Vector(_, count) => format!("{count} numbers"),
        Kind::Choice(choice) if choice.words.len() > 4 => "a word, see below".into(),
        Kind::Choice(choice) => choice.names().map(|name| format!("`{}`", quote(name))).collect::<Vec<_>>().join(", "),
        Kind::Table(table) if table.keys.is_empty() => "`{}`".into(),
        Kind::Table(table) => link(table),
        Kind::Tables(table) => format!("tables, {}", link(table)),
        Kind::List(element, least, most) if least == most => format!("list of {least}: {}", form(element)),
        Kind::List(element, ..) => format!("list of {}", form(element)),
        Kind::OneOf(kinds) => kinds.iter().map(form).collect::<Vec<_>>().join("; or "),
        Kind::Texts => "table of texts".into(),
        Kind::FabricName => "name of a fabric, or path of a fabric file".into(),
    }
}

fn range(number: &Bounds) -> String {
    let huge = taffeta::HUGE;
    let sign = if number.above { ">" } else { "≥" };
    match (number.min <= -huge, number.max >= huge) {
        (true, _) => String::new(),
        (false, true) => format!(" {sign} {}", figure(number.min)),
        (false, false) => format!(", {} to {}", figure(number.min), figure(number.max)),
    }
}
