//! Typed access to a checked table: the given value, or the default from the table of keys.
//!
//! A wrong value has been reported before and reads as the default, so that building can continue and find more
//! mistakes.

use crate::{
    document::{Path, below},
    keys::{Fallback, Kind, LENGTH, Table},
    tree::{Node, Value, parse_value},
    words::fits,
};
use taffeta::{Setting, SettingKind, SettingValue, Vec3};

/// The dimensions of a body's shape: one length, or several.
pub(crate) trait Size {
    const KIND: Kind;

    fn read(view: &View<'_>, key: &str) -> Self;
}

impl Size for f64 {
    const KIND: Kind = Kind::Number(LENGTH);

    fn read(view: &View<'_>, key: &str) -> Self {
        view.number(key)
    }
}

impl Size for [f64; 3] {
    const KIND: Kind = Kind::Vector(LENGTH, 3);

    fn read(view: &View<'_>, key: &str) -> Self {
        view.vec3(key).to_array()
    }
}

#[cfg(test)]
thread_local! {
    /// The table and key of every value that this thread has read.
    pub(crate) static READ: std::cell::RefCell<std::collections::BTreeSet<(&'static str, String)>> = Default::default();
}

/// A table of a scene, which may be absent.
#[derive(Clone, Debug)]
pub(crate) struct View<'a> {
    pub node: Option<&'a Node>,
    pub table: &'static Table,
    pub path: Path,
}

impl<'a> View<'a> {
    /// The path of a key.
    pub fn at(&self, key: &str) -> Path {
        below(&self.path, key)
    }

    /// The value of a key, if given.
    pub fn given(&self, key: &str) -> Option<&'a Node> {
        #[cfg(test)]
        READ.with_borrow_mut(|read| read.insert((self.table.name, key.to_string())));
        self.node?.get(key)
    }

    /// Whether a key is given. This does not read its value.
    pub fn has(&self, key: &str) -> bool {
        self.node.is_some_and(|node| node.get(key).is_some())
    }

    /// The value or the default, read by a function that returns `None` for wrong values.
    fn read<T>(&self, key: &str, read: impl Fn(&Node, &Kind) -> Option<T>) -> Option<T> {
        let known = self.table.key(key).unwrap_or_else(|| panic!("`{key}` is no key of `{}`", self.table.name));
        if let Some(value) = self.given(key).and_then(|node| read(node, alternative(node, &known.kind))) {
            return Some(value);
        }
        let Fallback::Value(default) = known.default else { return None };
        let node = parse_value(default).unwrap_or_else(|e| panic!("default of `{key}`: {}", e.message));
        read(&node, alternative(&node, &known.kind))
    }

    /// A number; a required one that is missing or wrong reads as 1.
    pub fn number(&self, key: &str) -> f64 {
        self.optional_number(key).unwrap_or(1.0)
    }

    pub fn optional_number(&self, key: &str) -> Option<f64> {
        self.read(key, |node, kind| match kind {
            Kind::Number(range) => node.number().filter(|x| range.holds(*x)),
            _ => None,
        })
    }

    pub fn integer(&self, key: &str) -> i64 {
        let read = |node: &Node, kind: &Kind| match (&node.value, kind) {
            (Value::Integer(Some(i)), Kind::Integer { min, max }) => Some((*i).clamp(*min, *max)),
            _ => None,
        };
        self.read(key, read).unwrap_or(1)
    }

    /// The value of a setting of the simulator; `None` leaves its default.
    pub fn setting(&self, setting: &Setting) -> Option<SettingValue> {
        let value = self.read(setting.key, |node, _| match (setting.kind, &node.value) {
            (SettingKind::Number(_), _) => node.number().map(SettingValue::Number),
            (SettingKind::Whole(..), Value::Integer(i)) => {
                i.and_then(|i| u32::try_from(i).ok()).map(SettingValue::Whole)
            }
            (SettingKind::Flag, Value::Bool(on)) => Some(SettingValue::Flag(*on)),
            (SettingKind::Word(words, _), Value::Text(text)) => {
                words.iter().find(|(word, _)| word == text).map(|(word, _)| SettingValue::Word(word))
            }
            _ => None,
        });
        value.filter(|value| setting.kind.holds(*value))
    }

    pub fn flag(&self, key: &str) -> bool {
        self.read(key, |node, _| if let Value::Bool(b) = node.value { Some(b) } else { None }).unwrap_or(false)
    }

    pub fn text(&self, key: &str) -> Option<&'a str> {
        assert!(self.table.key(key).is_some(), "`{key}` is no key of `{}`", self.table.name);
        self.given(key)?.text()
    }

    /// The chosen word of a choice.
    pub fn word(&self, key: &str) -> Option<&'static str> {
        self.read(key, word)
    }

    /// The words of a list, or a single one.
    pub fn words(&self, key: &str) -> Vec<&'static str> {
        let read = |node: &Node, kind: &Kind| match kind {
            Kind::List(element, ..) => Some(node.items().iter().filter_map(|item| word(item, element)).collect()),
            _ => word(node, kind).map(|word| vec![word]),
        };
        self.read(key, read).unwrap_or_default()
    }

    /// The texts of a list.
    pub fn texts(&self, key: &str) -> Vec<&'a str> {
        self.given(key).map_or(&[][..], Node::items).iter().filter_map(Node::text).collect()
    }

    /// The numbers of a list of any length.
    pub fn numbers(&self, key: &str) -> Vec<f64> {
        self.read(key, |node, _| node.items().iter().map(Node::number).collect()).unwrap_or_default()
    }

    pub fn vec3(&self, key: &str) -> Vec3 {
        let read = |node: &Node, _: &Kind| vector(node).map(Vec3::from_array);
        self.read(key, read).unwrap_or(Vec3::ZERO)
    }

    pub fn vec2(&self, key: &str) -> [f64; 2] {
        self.read(key, |node, _| vector(node)).unwrap_or([1.0; 2])
    }

    /// A table below this one; empty if it is absent.
    pub fn table(&self, key: &str) -> View<'a> {
        let node = self.given(key).filter(|node| node.is_table());
        View { node, table: self.inner(key), path: self.at(key) }
    }

    /// The tables of an array.
    pub fn tables(&self, key: &str) -> Vec<View<'a>> {
        let (table, path) = (self.inner(key), self.at(key));
        let items = self.given(key).map_or(&[][..], Node::items).iter().enumerate();
        let tables = items.filter(|(_, item)| item.is_table());
        tables.map(|(i, item)| View { node: Some(item), table, path: below(&path, i) }).collect()
    }

    /// The keys of a table below this one.
    fn inner(&self, key: &str) -> &'static Table {
        fn find(kind: &Kind) -> Option<&'static Table> {
            match kind {
                Kind::Table(table) | Kind::Tables(table) => Some(table),
                Kind::List(element, ..) => find(element),
                Kind::OneOf(kinds) => kinds.iter().find_map(find),
                _ => None,
            }
        }
        let found = self.table.key(key).and_then(|key| find(&key.kind));
        found.unwrap_or_else(|| panic!("`{key}` is no table of `{}`", self.table.name))
    }
}

/// The kind, among several, whose form a value has.
fn alternative<'k>(node: &Node, kind: &'k Kind) -> &'k Kind {
    match kind {
        Kind::OneOf(kinds) => kinds.iter().find(|kind| fits(node, kind)).unwrap_or(kind),
        _ => kind,
    }
}

fn word(node: &Node, kind: &Kind) -> Option<&'static str> {
    let Kind::Choice(choice) = kind else { return None };
    choice.names().find(|name| node.text() == Some(name))
}

/// A list of numbers, all finite.
pub(crate) fn vector<const N: usize>(node: &Node) -> Option<[f64; N]> {
    let numbers: Vec<f64> = node.items().iter().map_while(|item| item.number().filter(|x| x.is_finite())).collect();
    numbers.try_into().ok()
}
