//! `--set a.b=value`: finds the key that is meant and changes the text.

use crate::{
    diagnostic::{Diagnostic, Location},
    document::{Applied, Document, Path, below, shown},
    edit,
    keys::{Fallback, Kind, SCENE, Table},
    tree::{self, Node, Value, parse_value, quote, shorten},
    words::fits,
    words::list,
};
use std::ops::Range;
use taffeta_files::nearest;

/// Applies overrides one after the other. The comments of the text stay.
pub(crate) fn apply(mut document: Document, arguments: &[String]) -> Result<Document, Vec<Diagnostic>> {
    let mut mistakes = Vec::new();
    for argument in arguments {
        match one(&document, argument) {
            Ok((text, root, applied)) => {
                let before = (std::mem::replace(&mut document.text, text), std::mem::replace(&mut document.root, root));
                document.original.get_or_insert(before);
                document.overrides.push(applied);
            }
            Err(mistake) => mistakes.push(*mistake),
        }
    }
    if mistakes.is_empty() { Ok(document) } else { Err(mistakes) }
}

/// Applies one override; returns the new text, its tree, and what was set.
fn one(document: &Document, argument: &str) -> Result<(String, Node, Applied), Box<Diagnostic>> {
    let wrong = |span: Range<usize>, message: String, help: String| {
        Box::new(Diagnostic::new(message, help).at(Location::new("--set", argument, span)))
    };
    let example = "write it as key=value, for example time.fps=30 or cloth.fabric=\"silk.toml\"";
    let Some((left, right)) = argument.split_once('=') else {
        return Err(wrong(0..argument.len(), "an override needs a `=`".into(), example.into()));
    };
    let place = left.len() + 1..argument.len();
    let Some(typed) = segments(left) else {
        return Err(wrong(0..left.len(), format!("`{}` is not a key", shorten(left)), example.into()));
    };
    let value = value_text(right).map_err(|message| {
        wrong(
            place.clone(),
            message,
            "a list is written as [1.0, 2.0], a table as { size = 1.0 }, a text in quotes".into(),
        )
    })?;
    let Meant { path, expand } =
        resolve(&document.root, &typed).map_err(|(message, help)| wrong(0..left.len(), message, help))?;

    // `fabric = "silk"` becomes `fabric = { base = "silk" }` before one of its values is set; `adaptive = true` becomes
    // `{}`
    let mut text = document.text.clone();
    if let Some((at, key)) = expand
        && let Some(node) = document.get(&at)
    {
        let inner = match key {
            "" => "{}".to_string(),
            key => format!("{{ {key} = {} }}", &document.text[node.span.clone()]),
        };
        text.replace_range(node.span.clone(), &inner);
    }
    let impossible = |why: String| {
        let plain = |n: &usize| {
            let node = document.get(&path[..*n]);
            node.is_some_and(|node| !matches!(node.value, Value::Table(_) | Value::Array(_)))
        };
        let help = match (1..path.len()).find(plain) {
            Some(n) => format!("`{0}` has to be a table: set its keys one by one", path[..n].join(".")),
            None => "change the scene file itself".into(),
        };
        wrong(0..left.len(), format!("`{}` cannot be set: {why}", shorten(left)), help)
    };
    let (root, _) = tree::parse(&text);
    let text = edit::set(&text, &root, &path, &value).map_err(impossible)?;
    let (root, errors) = tree::parse(&text);
    match errors.first() {
        None => Ok((text, root, Applied { argument: argument.to_string(), value: place, path })),
        Some(error) => Err(impossible(error.message.clone())),
    }
}

/// Splits `cloth."my sheet".fabric` into its parts by TOML's rules.
fn segments(left: &str) -> Option<Path> {
    let (root, errors) = tree::parse(&format!("{left} = 0"));
    if left.contains(['\n', '=']) || !errors.is_empty() {
        return None;
    }
    let (mut node, mut path) = (&root, Vec::new());
    while let [entry] = node.entries() {
        path.push(entry.key.clone());
        node = &entry.node;
    }
    matches!(node.value, Value::Integer(_)).then_some(path)
}

/// The value in TOML; anything that is not TOML and looks like words is a text.
fn value_text(right: &str) -> Result<String, String> {
    let right = right.trim();
    match parse_value(right) {
        _ if right.is_empty() => Err("the value is missing".into()),
        Ok(_) => Ok(right.to_string()),
        Err(error) if right.starts_with(['[', '{', '"', '\'']) => Err(error.message),
        Err(_) => Ok(quote(right)),
    }
}

/// The meaning of an override.
struct Meant {
    /// The path of the key; array elements are numbers.
    path: Path,
    /// A text that must become a table first, and the key that the text then becomes; a switch has none.
    expand: Option<(Path, &'static str)>,
}

/// Follows the parts of a key through the table of keys and the scene in parallel.
fn resolve(root: &Node, typed: &[String]) -> Result<Meant, (String, String)> {
    let mut meant = Meant { path: Vec::new(), expand: None };
    let (mut kind, mut node) = (Kind::Table(&SCENE), Some(root));
    for part in typed {
        // of several kinds take the one with parts; a text may stand for a table
        if let Kind::OneOf(kinds) = kind {
            let table = kinds.iter().find(|k| matches!(k, Kind::Table(_) | Kind::List(..) | Kind::Vector(..)));
            match (node, table) {
                (Some(n), Some(Kind::Table(Table { shorthand: Some(key), .. }))) if n.text().is_some() => {
                    meant.expand = Some((meant.path.clone(), key));
                    node = None;
                }
                (Some(n), Some(Kind::Table(_))) if matches!(n.value, Value::Bool(_)) => {
                    meant.expand = Some((meant.path.clone(), ""));
                    node = None;
                }
                _ => {}
            }
            let fitting = node.and_then(|n| kinds.iter().find(|k| fits(n, k)));
            kind = *fitting.or(table).unwrap_or(&kinds[0]);
        }
        if let Kind::Tables(table) = kind {
            let (i, is_key) = element(node, table, part, &meant.path)?;
            meant.path = below(&meant.path, i);
            node = node.and_then(|n| n.items().get(i));
            kind = Kind::Table(table);
            if !is_key {
                continue;
            }
        }
        kind = match kind {
            Kind::Table(table) => known_key(table, part, &meant.path)?,
            Kind::Texts => Kind::Text(500),
            Kind::List(inner, ..) => in_range(node, part, &meant.path).map(|_| *inner)?,
            Kind::Vector(number, _) => in_range(node, part, &meant.path).map(|_| Kind::Number(number))?,
            _ => {
                let message = format!("`{}` has no parts, so there is no `{part}` in it", shown(&meant.path));
                return Err((message, format!("set it as a whole: {}=...", meant.path.join("."))));
            }
        };
        node = node.and_then(|n| n.get(part));
        meant.path = below(&meant.path, part);
    }
    Ok(meant)
}

fn known_key(table: &'static Table, part: &str, path: &[String]) -> Result<Kind, (String, String)> {
    if let Some(key) = table.key(part) {
        return Ok(key.kind);
    }
    let place = if path.is_empty() { "a scene".into() } else { format!("`{}`", shown(path)) };
    let help = match nearest(part, table.names()) {
        Some(near) => format!("did you mean `{}`?", below(path, near).join(".")),
        None => format!("there are {}", list(table.names(), "and")),
    };
    Err((format!("{place} has no key `{}`", shorten(part)), help))
}

/// The element that a number or name selects, and whether the part is instead a key of the only element.
fn element(node: Option<&Node>, table: &Table, part: &str, path: &[String]) -> Result<(usize, bool), (String, String)> {
    let items = node.map_or(&[][..], Node::items);
    let what = shown(path);
    let named = |name: &str| items.iter().position(|item| item.get("name").and_then(Node::text) == Some(name));
    if items.is_empty() {
        return Err((format!("the scene has no `{what}`"), format!("write {} into the scene file", table.example)));
    }
    if let Some(i) = named(part) {
        return Ok((i, false));
    }
    if let Ok(i) = part.parse::<usize>() {
        let help = format!("the last is {}.{}", path.join("."), items.len() - 1);
        return if i < items.len() { Ok((i, false)) } else { Err((format!("there is no `{what}` number {i}"), help)) };
    }
    if items.len() == 1 {
        return Ok((0, true));
    }
    let names: Vec<&str> = items.iter().filter_map(|item| item.get("name")?.text()).collect();
    let help = match nearest(part, names.iter().copied()) {
        Some(near) => format!("did you mean `{}.{near}`?", path.join(".")),
        None => {
            format!("say which of the {}: {}.0, or by its name: {}", items.len(), path.join("."), list(names, "or"))
        }
    };
    Err((format!("there is no `{what}` with the name `{}`", shorten(part)), help))
}

fn in_range(node: Option<&Node>, part: &str, path: &[String]) -> Result<usize, (String, String)> {
    let count = node.map_or(0, |n| n.items().len());
    let name = shown(path);
    match part.parse::<usize>() {
        Ok(i) if i < count => Ok(i),
        _ if count == 0 => {
            let default = SCENE.key(&path.join(".")).map(|key| key.default);
            let example = if let Some(Fallback::Value(value)) = default { value } else { "[...]" };
            Err((format!("`{name}` is not in the scene"), format!("set it as a whole: {}={example}", path.join("."))))
        }
        _ => Err((
            format!("`{name}` has no element `{}`", shorten(part)),
            format!("they are numbered from 0 to {}", count - 1),
        )),
    }
}
