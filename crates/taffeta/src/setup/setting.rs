//! Settings: what a user sets, one row each with its kind and range, its default and a line about it.
//!
//! The fields of plain data, their checks, the keys of scenes with their schema and reference, and how scenes are
//! read come from these rows.

use std::fmt;

/// A row: a field that a user sets.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Its name, in scenes as in code.
    pub key: &'static str,
    /// What it may be.
    pub kind: SettingKind,
    /// Its default as scenes write it.
    pub default: &'static str,
    /// A line about it.
    pub line: &'static str,
}

/// What a setting may be.
#[derive(Clone, Copy, Debug)]
pub enum SettingKind {
    /// A number.
    Number(Bounds),
    /// A whole number, both ends included.
    Whole(u32, u32),
    /// `true` or `false`.
    Flag,
    /// One of these words, each with a line about it. The first is the default, and follows as scenes write it.
    Word(&'static [(&'static str, &'static str)], &'static str),
}

/// A range of numbers with their unit.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The unit; empty for a plain number.
    pub unit: &'static str,
    /// The least number.
    pub min: f64,
    /// Whether `min` itself is excluded.
    pub above: bool,
    /// The largest number.
    pub max: f64,
}

/// The value of a setting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SettingValue {
    /// Of [`SettingKind::Number`].
    Number(f64),
    /// Of [`SettingKind::Whole`].
    Whole(u32),
    /// Of [`SettingKind::Flag`].
    Flag(bool),
    /// Of [`SettingKind::Word`].
    Word(&'static str),
}

/// A struct made by `settings!`.
pub trait Settings {
    /// A row for each field.
    const LIST: &'static [Setting];

    /// The value of each row, in the order of the list.
    fn values(&self) -> Vec<SettingValue>;

    /// Sets the field of this name to a value of its kind; otherwise nothing happens.
    fn set(&mut self, key: &str, value: SettingValue);
}

impl Bounds {
    /// Whether a number is in the range.
    pub fn holds(&self, x: f64) -> bool {
        x.is_finite() && (if self.above { x > self.min } else { x >= self.min }) && x <= self.max
    }
}

impl fmt::Display for Bounds {
    /// "at least 0 and at most 1", "above 0 and at most 1000000 m".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let low = if self.above { "above" } else { "at least" };
        write!(f, "{low} {} and at most {}", figure(self.min), figure(self.max))?;
        if self.unit.is_empty() { Ok(()) } else { write!(f, " {}", self.unit) }
    }
}

/// Larger magnitudes are mistakes in any of our units. Squares and cubes of smaller ones stay finite.
pub const HUGE: f64 = 1e12;

/// A number as people write it: 0.001, 1e-6, 1e12.
pub fn figure(x: f64) -> String {
    if x != 0.0 && !(1e-3..1e6).contains(&x.abs()) { format!("{x:e}") } else { format!("{x}") }
}

/// Numbers from `min` to `max`, both included.
pub(super) const fn between(min: f64, max: f64, unit: &'static str) -> SettingKind {
    SettingKind::Number(Bounds { unit, min, above: false, max })
}

/// Numbers from 0.
pub(super) const fn not_negative(unit: &'static str) -> SettingKind {
    between(0.0, HUGE, unit)
}

/// Whole numbers from `min` to `max`, both included.
pub(super) const fn whole(min: u32, max: u32) -> SettingKind {
    SettingKind::Whole(min, max)
}

impl SettingKind {
    /// The default as scenes write it; `code` is how Rust does.
    pub(super) const fn default(self, code: &'static str) -> &'static str {
        if let Self::Word(_, first) = self { first } else { code }
    }

    /// Whether a value is of this kind and in its range.
    pub fn holds(&self, value: SettingValue) -> bool {
        match (self, value) {
            (Self::Number(bounds), SettingValue::Number(x)) => bounds.holds(x),
            (Self::Whole(least, most), SettingValue::Whole(n)) => (*least..=*most).contains(&n),
            (Self::Flag, SettingValue::Flag(_)) => true,
            (Self::Word(words, _), SettingValue::Word(word)) => words.iter().any(|(known, _)| *known == word),
            _ => false,
        }
    }
}

impl fmt::Display for SettingKind {
    /// What it may be, in words: "a number at least 0 and at most 1".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(Bounds { unit, min, above, max: HUGE.. }) => {
                let unit = if unit.is_empty() { String::new() } else { format!(", in {unit}") };
                write!(f, "a number {} {}{unit}", if *above { "above" } else { "at least" }, figure(*min))
            }
            Self::Number(bounds) => write!(f, "a number {bounds}"),
            Self::Whole(least, most) => write!(f, "a whole number from {least} to {most}"),
            Self::Flag => f.write_str("true or false"),
            Self::Word(words, _) => {
                let names: Vec<String> = words.iter().map(|(word, _)| format!("\"{word}\"")).collect();
                write!(f, "one of {}", names.join(", "))
            }
        }
    }
}

impl fmt::Display for SettingValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(x) => write!(f, "{x}"),
            Self::Whole(n) => write!(f, "{n}"),
            Self::Flag(on) => write!(f, "{on}"),
            Self::Word(word) => write!(f, "\"{word}\""),
        }
    }
}

/// The type of a field that is a setting.
pub(super) trait Field: Sized {
    fn value(&self) -> SettingValue;

    /// `None` if the value is of another kind.
    fn from_value(value: SettingValue) -> Option<Self>;
}

macro_rules! field {
    ($($type:ty: $variant:ident;)*) => {$(
        impl Field for $type {
            fn value(&self) -> SettingValue {
                SettingValue::$variant(*self)
            }

            fn from_value(value: SettingValue) -> Option<Self> {
                if let SettingValue::$variant(value) = value { Some(value) } else { None }
            }
        }
    )*};
}

field! {
    f64: Number;
    u32: Whole;
    bool: Flag;
}

/// Sets a field to a value of its type; another value changes nothing.
pub(super) fn assign<T: Field>(field: &mut T, value: SettingValue) {
    if let Some(value) = T::from_value(value) {
        *field = value;
    }
}

/// The row of a field: its documentation is the line, and its default in Rust is that of scenes.
macro_rules! setting {
    ($field:ident, $default:expr, $kind:expr, $($doc:literal)+) => {
        $crate::setup::setting::Setting {
            key: stringify!($field),
            kind: $kind,
            default: $kind.default(stringify!($default)),
            line: concat!($($doc),+).trim_ascii(),
        }
    };
}

/// Makes a struct of settings: a row for each field has its line, name, type, default and kind. After `and` come fields
/// that are no settings.
macro_rules! settings {
    ($(#[$about:meta])* pub struct $name:ident {
        $($(#[doc = $doc:literal])+ $field:ident: $type:ty = $default:expr, $kind:expr;)*
    } $(and { $($(#[doc = $more_doc:literal])+ $more:ident: $more_type:ty = $more_default:expr;)* })?) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $name {
            $($(#[doc = $doc])+ pub $field: $type,)*
            $($($(#[doc = $more_doc])+ pub $more: $more_type,)*)?
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default,)* $($($more: $more_default,)*)? }
            }
        }

        impl $crate::setup::setting::Settings for $name {
            const LIST: &'static [$crate::setup::setting::Setting] =
                &[$($crate::setup::setting::setting!($field, $default, $kind, $($doc)+),)*];

            fn values(&self) -> Vec<$crate::setup::setting::SettingValue> {
                vec![$($crate::setup::setting::Field::value(&self.$field),)*]
            }

            fn set(&mut self, key: &str, value: $crate::setup::setting::SettingValue) {
                match key {
                    $(stringify!($field) => $crate::setup::setting::assign(&mut self.$field, value),)*
                    _ => {}
                }
            }
        }
    };
}

/// Makes a choice of words: a row for each has its line, variant and word. The first is the default.
macro_rules! words {
    ($(#[$about:meta])* pub enum $name:ident {
        $(#[doc = $first_doc:literal])+ $first:ident = $first_word:literal,
        $($(#[doc = $doc:literal])+ $variant:ident = $word:literal,)*
    }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub enum $name {
            $(#[doc = $first_doc])+ #[default] $first,
            $($(#[doc = $doc])+ $variant,)*
        }

        impl $name {
            /// As a setting.
            pub const KIND: $crate::setup::setting::SettingKind = $crate::setup::setting::SettingKind::Word(
                &[
                    ($first_word, concat!($($first_doc),+).trim_ascii()),
                    $(($word, concat!($($doc),+).trim_ascii()),)*
                ],
                concat!("\"", $first_word, "\""),
            );
        }

        impl $crate::setup::setting::Field for $name {
            fn value(&self) -> $crate::setup::setting::SettingValue {
                $crate::setup::setting::SettingValue::Word(match self {
                    Self::$first => $first_word,
                    $(Self::$variant => $word,)*
                })
            }

            fn from_value(value: $crate::setup::setting::SettingValue) -> Option<Self> {
                match value {
                    $crate::setup::setting::SettingValue::Word($first_word) => Some(Self::$first),
                    $($crate::setup::setting::SettingValue::Word($word) => Some(Self::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

pub(super) use {setting, settings, words};
