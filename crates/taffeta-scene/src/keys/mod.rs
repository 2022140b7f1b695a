//! Every key of a scene and of a fabric, in one table: its allowed values, its default, and a line about it.
//!
//! Checking, defaults, the JSON schema and the reference all come from here, so they cannot disagree.

mod body;
mod cloth;
mod fabric;
mod mesh;
mod pin;
mod scene;

pub(crate) use fabric::{FABRIC, NEEDED_VALUES};
pub(crate) use mesh::can_be_a_body;
pub(crate) use pin::MOTION_KEYS;
pub(crate) use scene::SCENE;

use crate::words::list;
use taffeta::{Bounds, HUGE, Setting, SettingKind};

/// A table of a scene.
#[derive(Debug)]
pub(crate) struct Table {
    /// Its name in the schema and in the reference.
    pub name: &'static str,
    pub doc: &'static str,
    pub keys: &'static [Key],
    /// Exactly one of these must be given.
    pub one_of: &'static [&'static str],
    /// If the first is absent, the others are required.
    pub needs: Option<(&'static str, &'static [&'static str])>,
    /// Planned keys, with what to do until they exist.
    pub later: &'static [(&'static str, &'static str)],
    /// The key that a bare text in place of the table sets.
    pub shorthand: Option<&'static str>,
    /// An example of the table in TOML.
    pub example: &'static str,
    /// For keys that belong to some words of another key only: these words, each with the default of the key.
    pub owners: fn(&str) -> Vec<(&'static str, &'static str)>,
}

impl Table {
    /// The base for `..Table::EMPTY`.
    pub const EMPTY: Table = Table {
        name: "",
        doc: "",
        keys: &[],
        one_of: &[],
        needs: None,
        later: &[],
        shorthand: None,
        example: "{}",
        owners: |_| Vec::new(),
    };

    pub fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys.iter().find(|key| key.name == name)
    }

    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.keys.iter().map(|key| key.name)
    }

    /// The line about a key, with the words that it belongs to.
    pub fn about(&self, key: &Key) -> String {
        let owners = (self.owners)(key.name);
        if owners.is_empty() {
            return key.doc.into();
        }
        format!("{} For {}.", key.doc, list(owners.iter().map(|(word, _)| *word), "and"))
    }

    /// The defaults of a key that has one for each of its words: "0.001; 1e-6 for `imex`".
    pub fn defaults(&self, key: &Key) -> String {
        let owners = (self.owners)(key.name);
        let mut values: Vec<&str> = owners.iter().map(|(_, value)| *value).collect();
        values.dedup();
        let of = |value: &str| list(owners.iter().filter(|(_, own)| *own == value).map(|(word, _)| *word), "and");
        let texts = values.iter().enumerate().map(|(i, value)| match i {
            0 => value.to_string(),
            _ => format!("{value} for {}", of(value)),
        });
        texts.collect::<Vec<_>>().join("; ")
    }
}

/// A key of a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    pub name: &'static str,
    pub kind: Kind,
    pub default: Fallback,
    pub doc: &'static str,
    /// A plausible value in TOML for proposals. If empty, the value in the table's example or the default is proposed.
    pub like: &'static str,
}

impl Key {
    /// Sets the value for proposals.
    const fn like(self, value: &'static str) -> Self {
        Self { like: value, ..self }
    }
}

/// What applies if a key is absent.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fallback {
    /// The key is required.
    Required,
    /// This value in TOML is the default.
    Value(&'static str),
    /// The key has no value; the text says what that means.
    Absent(&'static str),
    /// Each of the words that it belongs to has a default of its own.
    Own,
}

/// The kind of a value.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Number(Bounds),
    Integer {
        min: i64,
        max: i64,
    },
    Bool,
    /// A text of at most this many characters, without control characters.
    Text(usize),
    /// A file path relative to the scene, with a description of the contents.
    Path(fn() -> String),
    /// A list of exactly this many numbers.
    Vector(Bounds, usize),
    Choice(Choice),
    Table(&'static Table),
    /// An array of tables.
    Tables(&'static Table),
    /// A list with at least and at most this many elements.
    List(&'static Kind, usize, usize),
    /// Any of these kinds; they are distinguished by their form.
    OneOf(&'static [Kind]),
    /// A table with any keys and texts as values.
    Texts,
    /// The name of a built-in fabric or the path of a fabric file.
    FabricName,
}

/// A choice of words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    /// The words, each with a line about it.
    pub words: &'static [(&'static str, &'static str)],
    /// Planned words.
    pub later: &'static [&'static str],
}

impl Choice {
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.words.iter().map(|(word, _)| *word)
    }
}

const fn any(unit: &'static str) -> Bounds {
    Bounds { unit, min: -HUGE, above: false, max: HUGE }
}

const fn above_zero(unit: &'static str) -> Bounds {
    Bounds { unit, min: 0.0, above: true, max: HUGE }
}

const fn not_negative(unit: &'static str) -> Bounds {
    Bounds { unit, min: 0.0, above: false, max: HUGE }
}

const fn between(min: f64, max: f64, unit: &'static str) -> Bounds {
    Bounds { unit, min, above: false, max }
}

const fn key(name: &'static str, kind: Kind, default: Fallback, doc: &'static str) -> Key {
    Key { name, kind, default, doc, like: "" }
}

/// The key of a setting of the simulator.
const fn setting(setting: &Setting) -> Key {
    let kind = match setting.kind {
        SettingKind::Number(bounds) => Kind::Number(bounds),
        SettingKind::Whole(least, most) => Kind::Integer { min: least as i64, max: most as i64 },
        SettingKind::Flag => Kind::Bool,
        SettingKind::Word(words, _) => Kind::Choice(Choice { words, later: &[] }),
    };
    key(setting.key, kind, Fallback::Value(setting.default), setting.line)
}

/// The keys of settings of the simulator.
const fn settings<const N: usize>(list: &[Setting]) -> [Key; N] {
    let mut keys = [NO_KEY; N];
    let mut i = 0;
    while i < N {
        keys[i] = setting(&list[i]);
        i += 1;
    }
    keys
}

/// The keys of several lists, one after the other.
const fn join<const N: usize>(lists: &[&[Key]]) -> [Key; N] {
    let mut keys = [NO_KEY; N];
    let (mut count, mut list) = (0, 0);
    while list < lists.len() {
        let mut i = 0;
        while i < lists[list].len() {
            keys[count] = lists[list][i];
            (count, i) = (count + 1, i + 1);
        }
        list += 1;
    }
    assert!(count == N, "as many keys as the lists have");
    keys
}

const NO_KEY: Key = key("", Kind::Bool, Fallback::Required, "");

/// Whether a text is one of a list, at compile time.
const fn one_of(list: &[&str], text: &str) -> bool {
    let mut i = 0;
    while i < list.len() && !same(list[i], text) {
        i += 1;
    }
    i < list.len()
}

/// Whether two texts are the same, at compile time.
const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}

/// A length of a mesh or body, m: its square and cube stay far from the limits of f64.
pub(crate) const LENGTH: Bounds = Bounds { unit: "m", min: 1e-6, above: false, max: 1e6 };
const SEED: Kind = Kind::Integer { min: 0, max: i64::MAX };
const NAME: Kind = Kind::Text(100);
const VELOCITY: Kind = Kind::Vector(between(-1e5, 1e5, "m/s"), 3);
const POSITION: Kind = Kind::Vector(between(-1e6, 1e6, "m"), 3);
const DIRECTION: Kind = Kind::Vector(any(""), 3);

/// The placement of a cloth or a body.
static PLACE: Table = Table {
    name: "place",
    doc: "Where something is put: scaled, then turned about the fixed x, y and z axes in that order, then moved.",
    keys: &[
        key("at", POSITION, Fallback::Value("[0.0, 0.0, 0.0]"), "Where the origin goes."),
        key(
            "rotate",
            Kind::Vector(between(-1e6, 1e6, "degrees"), 3),
            Fallback::Value("[0.0, 0.0, 0.0]"),
            "Turns about the x, y and z axes.",
        ),
        key(
            "scale",
            Kind::Number(between(1e-6, 1e6, "")),
            Fallback::Value("1.0"),
            "Factor on all lengths, of the rest shape too.",
        ),
    ],
    example: "{ at = [0.0, 0.6, 0.0], rotate = [90.0, 0.0, 0.0] }",
    ..Table::EMPTY
};
