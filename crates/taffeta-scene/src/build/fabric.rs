//! What a cloth is made of: a built-in fabric, a file, a table, or a table that changes another fabric.

use super::Builder;
use crate::{
    builtin, check,
    document::{Document, Part},
    keys::{FABRIC, NEEDED_VALUES},
    mistakes::Mistakes,
    tree::shorten,
    view::View,
    words::list,
};
use taffeta::{Fabric, Friction, Settings};
use taffeta_files::nearest;

impl Builder<'_> {
    /// The fabric of a cloth; after mistakes the default.
    pub(super) fn fabric(&mut self, cloth: &View<'_>) -> Fabric {
        let path = cloth.at("fabric");
        if let Some(text) = cloth.text("fabric") {
            return self.named(&path, text).unwrap_or_default();
        }
        let view = cloth.table("fabric");
        if view.node.is_none() {
            self.notes.push(format!(
                "`{}` has no fabric: it is a light cloth of round numbers",
                cloth.text("name").unwrap_or("cloth")
            ));
            return Fabric::default();
        }
        let base = view.text("base").and_then(|text| self.named(&view.at("base"), text)).unwrap_or_default();
        read(&view, base)
    }

    /// A built-in fabric or a fabric file.
    fn named(&mut self, path: &[String], text: &str) -> Option<Fabric> {
        if let Some(fabric) = builtin::fabric(text) {
            return built_in(fabric);
        }
        if text.contains(['/', '\\']) || text.to_ascii_lowercase().ends_with(".toml") {
            return self.fabric_file(path, text);
        }
        if self.out.clean(path) {
            self.out.value(path, format!("there is no fabric `{}`", shorten(text)), there_are(text));
        }
        None
    }

    fn fabric_file(&mut self, path: &[String], text: &str) -> Option<Fabric> {
        let referred = self.file(path, text, &["toml"])?;
        let scene = self.out.document.locate(path, Part::Value);
        let Ok(text) = String::from_utf8(referred.bytes.to_vec()) else {
            self.out.value(
                path,
                format!("`{}` is not a text in UTF-8", referred.file),
                "save it as UTF-8 in your editor",
            );
            return None;
        };
        let document = match Document::new(&referred.file, text) {
            Ok(document) => document,
            Err(mistakes) => {
                for mistake in mistakes {
                    self.out.add(path, mistake.related(scene.clone(), "the scene refers to this file here"));
                }
                return None;
            }
        };

        let mut out = Mistakes::new(&document, Some(scene));
        check::table(&mut out, &document.root, &FABRIC, &[]);
        let view = View { node: Some(&document.root), table: &FABRIC, path: Vec::new() };
        if !view.has("name") {
            out.key(&[], "a fabric file needs a `name`", "add name = \"Cotton poplin\" at its top");
        }
        let mut base = None;
        if let Some(name) = view.text("base") {
            match builtin::fabric(name) {
                Some(fabric) => base = built_in(fabric),
                None => {
                    let message = format!("a fabric file can only change a built-in fabric, not `{}`", shorten(name));
                    out.value(&view.at("base"), message, there_are(name));
                }
            }
        }
        let fabric = read(&view, base.unwrap_or_default());
        let (found, more) = (out.list, out.more);
        let good = found.is_empty();
        for mistake in found {
            self.out.add(path, mistake);
        }
        self.out.more += more;
        good.then_some(fabric)
    }
}

fn there_are(name: &str) -> String {
    let names = || builtin::fabrics().iter().map(|fabric| fabric.name);
    let file = "a fabric file ends in .toml, and a table gives the values themselves";
    match (nearest(name, names()), names().next()) {
        (Some(near), _) => format!("did you mean \"{near}\"? there are {}", list(names(), "and")),
        (None, Some(_)) => format!("there are {}; {file}", list(names(), "and")),
        (None, None) => format!("none is built in; {file}, such as {{ {} = ... }}", NEEDED_VALUES.join(" = ..., ")),
    }
}

/// The values of a built-in fabric. A test reads all of them.
fn built_in(fabric: &builtin::Builtin) -> Option<Fabric> {
    let document = Document::new(fabric.name, fabric.text.to_string()).ok()?;
    let view = View { node: Some(&document.root), table: &FABRIC, path: Vec::new() };
    Some(read(&view, Fabric::default()))
}

/// The values of a table; those of `base` where the table has none.
fn read(view: &View<'_>, base: Fabric) -> Fabric {
    let friction = view.table("friction");
    let rubbed = view.optional_number("friction");
    let coefficient =
        |key: &str, base: f64| rubbed.unwrap_or(if friction.has(key) { friction.number(key) } else { base });
    let friction =
        Friction { cloth: coefficient("self", base.friction.cloth), solid: coefficient("solid", base.friction.solid) };
    Fabric { friction, ..values(view, base) }
}

/// The values that a region can have too.
pub(super) fn values(view: &View<'_>, base: Fabric) -> Fabric {
    let number = |view: &View<'_>, key: &str, base: f64| if view.has(key) { view.number(key) } else { base };
    let pair = |key: &str, base: [f64; 2]| {
        let both = view.table(key);
        match view.optional_number(key) {
            Some(one) => [one, one],
            None => [number(&both, "warp", base[0]), number(&both, "weft", base[1])],
        }
    };
    let damping = view.table("damping");
    let mut fabric = Fabric { stretch: pair("stretch", base.stretch), bend: pair("bend", base.bend), ..base };
    set(&mut fabric, view);
    set(&mut fabric.damping, &damping);
    fabric
}

/// Sets what a table gives.
fn set<T: Settings>(settings: &mut T, view: &View<'_>) {
    for setting in T::LIST.iter().filter(|setting| view.has(setting.key)) {
        view.setting(setting).into_iter().for_each(|value| settings.set(setting.key, value));
    }
}
