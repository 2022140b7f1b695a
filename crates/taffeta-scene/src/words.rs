//! Kinds of values in words: a description, an example, and whether a value has the right form.

use crate::{
    keys::Kind,
    tree::{Node, Value, quote},
};
use taffeta::Bounds;

/// Whether a value has the form of a kind, regardless of its content.
pub(crate) fn fits(node: &Node, kind: &Kind) -> bool {
    match kind {
        Kind::Number(_) | Kind::Integer { .. } => matches!(node.value, Value::Integer(_) | Value::Float(_)),
        Kind::Bool => matches!(node.value, Value::Bool(_)),
        Kind::Text(_) | Kind::Path(_) | Kind::Choice(_) | Kind::FabricName => matches!(node.value, Value::Text(_)),
        Kind::Table(_) | Kind::Texts => node.is_table(),
        Kind::Tables(_) => matches!(&node.value, Value::Array(items) if items.iter().all(Node::is_table)),
        // lists with different elements are distinguished by the first
        Kind::Vector(..) => {
            matches!(&node.value, Value::Array(items) if items.first().is_none_or(|item| item.number().is_some()))
        }
        Kind::List(element, ..) => {
            matches!(&node.value, Value::Array(items) if items.first().is_none_or(|item| fits(item, element)))
        }
        Kind::OneOf(kinds) => kinds.iter().any(|kind| fits(node, kind)),
    }
}

/// A description of a kind: "a number in m", "a list of 3 numbers".
pub(crate) fn expected(kind: &Kind) -> String {
    let unit = |number: &Bounds| if number.unit.is_empty() { String::new() } else { format!(" in {}", number.unit) };
    match kind {
        Kind::Number(number) => format!("a number{}", unit(number)),
        Kind::Integer { .. } => "a whole number".into(),
        Kind::Bool => "true or false".into(),
        Kind::Text(_) => "a text".into(),
        Kind::Path(what) => format!("the path of {} file", article(&what())),
        Kind::Vector(number, count) => format!("a list of {count} numbers{}", unit(number)),
        Kind::Choice(choice) => match choice.words {
            [(only, _)] => quote(only),
            _ => format!("one of {}", list(choice.names(), "and")),
        },
        Kind::Table(_) | Kind::Texts => "a table".into(),
        Kind::Tables(_) => "an array of tables".into(),
        Kind::List(element, 2, 2) => format!("a list of two, each {}", expected(element)),
        Kind::List(element, ..) => format!("a list, each {}", expected(element)),
        Kind::OneOf(kinds) => kinds.iter().map(expected).collect::<Vec<_>>().join(", or "),
        Kind::FabricName => "the name of a fabric or the path of a fabric file".into(),
    }
}

fn article(what: &str) -> String {
    let vowel = what.starts_with(['A', 'E', 'I', 'O', 'a', 'e', 'i', 'o']);
    format!("{} {what}", if vowel { "an" } else { "a" })
}

/// An example of a kind, in TOML.
pub(crate) fn example(kind: &Kind) -> String {
    match kind {
        Kind::Number(number) if number.holds(0.1) => "0.1".into(),
        Kind::Number(number) => format!("{:?}", number.max.min(number.min.max(1.0))),
        Kind::Integer { min, max } => format!("{}", 20.clamp(*min, *max)),
        Kind::Bool => "true".into(),
        Kind::Text(_) => "\"a text\"".into(),
        Kind::Path(what) if what().starts_with("CSV") => "\"motion.csv\"".into(),
        Kind::Path(_) => "\"shirt.obj\"".into(),
        Kind::Vector(number, count) => format!("[{}]", vec![example(&Kind::Number(*number)); *count].join(", ")),
        Kind::Choice(choice) => choice.words.first().map_or(String::new(), |(word, _)| quote(word)),
        Kind::Table(table) | Kind::Tables(table) => table.example.into(),
        Kind::Texts => "{ density = \"measured: ...\" }".into(),
        Kind::List(element, least, _) => format!("[{}]", vec![example(element); (*least).max(1)].join(", ")),
        Kind::OneOf(kinds) => kinds.iter().map(example).collect::<Vec<_>>().join(" or "),
        Kind::FabricName => {
            let first = crate::builtin::fabrics().first().map_or("fabric.toml", |fabric| fabric.name);
            quote(first)
        }
    }
}

/// Joins words: `a`, `b` and `c`.
pub(crate) fn list<'a>(words: impl IntoIterator<Item = &'a str>, last: &str) -> String {
    let words: Vec<String> = words.into_iter().map(|word| format!("`{word}`")).collect();
    match words.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., end] => format!("{} {last} {end}", most.join(", ")),
    }
}
