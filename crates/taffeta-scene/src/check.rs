//! Checks every value against the table of keys: unknown, missing, of the wrong kind or out of range.

use crate::{
    document::{below, shown},
    keys::{Choice, Fallback, Kind, SCENE, Table},
    mistakes::Mistakes,
    sample::Sample,
    tree::{Node, Value, quote, shorten},
    words::list,
    words::{expected, fits},
};
use taffeta::Bounds;
use taffeta_files::nearest;

/// Checks a table and everything in it.
pub(crate) fn table(out: &mut Mistakes<'_>, node: &Node, table: &'static Table, path: &[String]) {
    for entry in node.entries() {
        let here = below(path, &entry.key);
        match table.key(&entry.key) {
            Some(key) => value(out, &entry.node, &key.kind, &here, &Sample::of(table, key)),
            None => unknown(out, table, &entry.key, path),
        }
    }
    let given = |name: &str| node.entry(name).is_some();
    let name = if path.is_empty() { "the scene".to_string() } else { format!("`{}`", shown(path)) };

    for key in table.keys {
        if matches!(key.default, Fallback::Required) && !given(key.name) {
            let help = match key.kind {
                Kind::Tables(t) => format!("add {}", t.example),
                _ => format!("add {} = {}", key.name, Sample::of(table, key).text(&key.kind)),
            };
            out.key(&below(path, key.name), format!("{name} needs `{}`", key.name), help);
        }
    }
    let chosen: Vec<&str> = table.one_of.iter().copied().filter(|name| given(name)).collect();
    match chosen.as_slice() {
        [] if !table.one_of.is_empty() => {
            let message = format!("{name} needs one of {}", list(table.one_of.iter().copied(), "and"));
            out.key(path, message, format!("such as {}", table.example));
        }
        [first, second, ..] => {
            let message = format!("{name} has both `{first}` and `{second}`: it can have only one of them");
            out.key(&below(path, second), message, format!("leave out `{first}` or `{second}`"));
        }
        _ => {}
    }
    if let Some((unless, needed)) = table.needs.filter(|(unless, _)| !given(unless)) {
        let missing: Vec<&str> = needed.iter().copied().filter(|name| !given(name)).collect();
        if !missing.is_empty() {
            let values: Vec<String> = missing
                .iter()
                .filter_map(|name| table.key(name))
                .map(|key| format!("{} = {}", key.name, Sample::of(table, key).text(&key.kind)))
                .collect();
            let help = format!("add {}; or take them from another fabric with `{unless}`", values.join(", "));
            out.key(path, format!("{name} needs {}", list(missing, "and")), help);
        }
    }
}

fn unknown(out: &mut Mistakes<'_>, table: &'static Table, name: &str, path: &[String]) {
    let here = below(path, name);
    if out.is_full() {
        return out.count(&here);
    }
    let shown_name = shorten(name);
    if let Some((_, instead)) = table.later.iter().find(|(later, _)| *later == name) {
        return out.key(&here, format!("`{name}` does not exist yet"), *instead);
    }
    let place = if path.is_empty() { String::new() } else { format!(" in `{}`", shown(path)) };
    let help = match (nearest(name, table.names()), owner(name)) {
        (Some(near), _) => format!("did you mean `{near}`?"),
        (None, Some((owner, header))) if !path.iter().any(|part| part == owner) => {
            format!("`{name}` belongs into {header}")
        }
        (None, _) if table.keys.is_empty() => "leave it out".into(),
        (None, _) => format!("there are {}", list(table.names(), "and")),
    };
    out.key(&here, format!("unknown key `{shown_name}`{place}"), help);
}

/// The outermost table that knows a key, and its header.
fn owner(name: &str) -> Option<(&'static str, String)> {
    SCENE.keys.iter().find_map(|key| match key.kind {
        Kind::Table(t) if t.key(name).is_some() => Some((key.name, format!("[{}]", key.name))),
        Kind::Tables(t) if t.key(name).is_some() => Some((key.name, format!("[[{}]]", key.name))),
        _ => None,
    })
}

/// Checks a value against a kind; `like` is proposed where it is wrong.
fn value(out: &mut Mistakes<'_>, node: &Node, kind: &Kind, path: &[String], like: &Sample<'_>) {
    let name = shown(path);
    match (kind, &node.value) {
        (Kind::OneOf(kinds), _) => match kinds.iter().find(|kind| fits(node, kind)) {
            Some(kind) => value(out, node, kind, path, like),
            None => wrong_kind(out, node, kind, path, like),
        },
        (_, _) if !fits(node, kind) => wrong_kind(out, node, kind, path, like),
        (Kind::Number(range), _) => number(out, node, range, path),
        (Kind::Integer { min, max }, Value::Integer(i)) if i.is_some_and(|i| (*min..=*max).contains(&i)) => {}
        (Kind::Integer { min, max }, Value::Integer(_)) => {
            let help = if *max == i64::MAX { format!("at least {min}") } else { format!("between {min} and {max}") };
            out.value(path, format!("`{name}` is out of range: {}", node.describe()), help);
        }
        (Kind::Integer { .. }, _) => {
            let help = match node.number() {
                Some(x) if x.fract() == 0.0 && x.abs() < 1e15 => format!("write it without the point: {}", x as i64),
                _ => format!("such as {}", like.text(kind)),
            };
            out.value(path, format!("`{name}` must be a whole number, not {}", node.describe()), help);
        }
        (Kind::Text(longest), Value::Text(text)) => plain_text(out, text, *longest, path),
        (Kind::Path(_) | Kind::FabricName, Value::Text(text)) => plain_text(out, text, 4096, path),
        (Kind::Vector(range, count), Value::Array(items)) => {
            if items.len() == *count {
                for (i, item) in items.iter().enumerate() {
                    value(out, item, &Kind::Number(*range), &below(path, i), &like.item(i));
                }
            } else {
                let message = format!("`{name}` must have {count} numbers, not {}", items.len());
                out.value(path, message, format!("such as {}", like.text(kind)));
            }
        }
        (Kind::Choice(choice), Value::Text(word)) => one_word(out, choice, word, path),
        (Kind::Table(inner), _) => table(out, node, inner, path),
        (Kind::Tables(inner), Value::Array(items)) => {
            if items.is_empty() {
                let message = format!("`{name}` is an empty list");
                out.value(path, message, format!("leave it out, or write {}", inner.example));
            }
            for (i, item) in items.iter().enumerate() {
                let here = below(path, i);
                if item.is_table() {
                    table(out, item, inner, &here)
                } else {
                    wrong_kind(out, item, &Kind::Table(inner), &here, like)
                }
            }
        }
        (Kind::List(element, least, most), Value::Array(items)) => {
            if items.len() < *least || items.len() > *most {
                let count = if least == most { format!("{least}") } else { format!("{least} to {most}") };
                let message = format!("`{name}` must have {count} elements, not {}", items.len());
                return out.value(path, message, format!("such as {}", like.text(kind)));
            }
            for (i, item) in items.iter().enumerate() {
                value(out, item, element, &below(path, i), &like.item(i));
            }
        }
        (Kind::Texts, _) => {
            for entry in node.entries().iter().filter(|entry| entry.node.text().is_none()) {
                let message = format!("`{}` must be a text, not {}", shorten(&entry.key), entry.node.describe());
                out.value(&below(path, &entry.key), message, "such as \"estimated: from a similar fabric\"");
            }
        }
        _ => {}
    }
}

fn number(out: &mut Mistakes<'_>, node: &Node, range: &Bounds, path: &[String]) {
    let name = shown(path);
    match node.number() {
        Some(x) if range.holds(x) => {}
        Some(x) if !x.is_finite() => {
            let help = format!("a number {}; if it shall not act, leave it out", range);
            out.value(path, format!("`{name}` is {x}, which is not a number to reckon with"), help);
        }
        _ => {
            let message = format!("`{name}` is out of range: {}", node.describe());
            out.value(path, message, format!("it must be {}", range));
        }
    }
}

fn plain_text(out: &mut Mistakes<'_>, text: &str, longest: usize, path: &[String]) {
    let name = shown(path);
    if text.trim().is_empty() {
        out.value(path, format!("`{name}` is empty"), "write a text, or leave the key out");
    } else if text.chars().count() > longest {
        let message = format!("`{name}` has {} characters", text.chars().count());
        out.value(path, message, format!("at most {longest} are allowed"));
    } else if text.chars().any(char::is_control) {
        out.value(path, format!("`{name}` has a line break or control character in it"), "use one line of plain text");
    }
}

/// All words of a choice.
fn there_is(choice: &Choice) -> String {
    match choice.words {
        [(only, _)] => format!("there is {}", quote(only)),
        words => format!("there are {}", words.iter().map(|(w, _)| quote(w)).collect::<Vec<_>>().join(", ")),
    }
}

fn one_word(out: &mut Mistakes<'_>, choice: &Choice, word: &str, path: &[String]) {
    if choice.names().any(|name| name == word) {
        return;
    }
    let name = shown(path);
    let there_is = there_is(choice);
    if choice.later.contains(&word) {
        return out.value(path, format!("{} does not exist yet as `{name}`", quote(word)), there_is);
    }
    let help = match nearest(word, choice.names()) {
        Some(near) => format!("did you mean {}? {there_is}", quote(near)),
        None => there_is,
    };
    out.value(path, format!("`{name}` cannot be {}", quote(&shorten(word))), help);
}

fn wrong_kind(out: &mut Mistakes<'_>, node: &Node, kind: &Kind, path: &[String], like: &Sample<'_>) {
    let name = shown(path);
    let message = format!("`{name}` must be {}, not {}", expected(kind), node.describe());
    let help = match (kind, &node.value) {
        (Kind::Tables(_), Value::Table(_)) => format!("write it with two brackets: [[{}]]", header(path)),
        (Kind::Table(_), Value::Array(items)) if items.iter().any(Node::is_table) => {
            format!("there is only one: write it with single brackets, [{}]", header(path))
        }
        (Kind::Table(t @ Table { shorthand: Some(key), .. }), Value::Text(text)) => {
            let table = |word: &str| format!("{name} = {{ {key} = {} }}", quote(word));
            match t.key(key).map(|own| own.kind) {
                // a word that does not exist is not proposed
                Some(Kind::Choice(choice)) if !choice.names().any(|word| word == text) => {
                    let near = nearest(text, choice.names()).map(|near| format!("did you mean {}?", table(near)));
                    let first = || format!("such as {};", choice.names().next().map(table).unwrap_or_default());
                    format!("{} {}", near.unwrap_or_else(first), there_is(&choice))
                }
                _ => format!("write {}", table(&shorten(text))),
            }
        }
        (Kind::Number(_) | Kind::Integer { .. }, Value::Text(text)) => match text.trim().parse::<f64>() {
            Ok(_) => format!("write it without the quotes: {name} = {}", text.trim()),
            Err(_) => format!("write the number alone, such as {}", like.text(kind)),
        },
        (Kind::Bool, Value::Text(text)) if text == "true" || text == "false" => {
            format!("write it without the quotes: {name} = {text}")
        }
        (Kind::List(element, ..), _) if fits(node, element) => "put it in brackets: [ ]".into(),
        _ => format!("such as {name} = {}", like.text(kind)),
    };
    out.value(path, message, help);
}

/// The path of a table, written as its header.
fn header(path: &[String]) -> String {
    let names: Vec<&str> = path.iter().map(String::as_str).filter(|part| part.parse::<usize>().is_err()).collect();
    names.join(".")
}

/// Whether a key accepts a value.
#[cfg(test)]
pub(crate) fn accepts(node: &Node, table: &'static Table, key: &'static crate::keys::Key) -> bool {
    let Ok(document) = crate::document::Document::new("", String::new()) else { return false };
    let mut out = Mistakes::new(&document, None);
    value(&mut out, node, &key.kind, &[key.name.to_string()], &Sample::of(table, key));
    out.list.is_empty()
}
