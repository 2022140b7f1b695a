//! Problems of a [`Setup`](super::Setup), and warnings about it.

use crate::Vec3;

/// A problem of a [`Setup`](super::Setup), and where it is.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{path}: {message}; {help}")]
pub struct Problem {
    /// The value in the setup, in the words of scene files: `cloth.0.pin.1.select`.
    pub path: String,
    /// What is wrong.
    pub message: String,
    /// How to solve it.
    pub help: String,
}

/// A warning: something the user should know although nothing is wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct Warning {
    /// As in [`Problem::path`].
    pub path: String,
    /// The warning.
    pub message: String,
}

/// Numbers that a value may be.
#[derive(Clone, Copy)]
pub(crate) enum Allowed {
    Positive,
    NotNegative,
    Any,
}

/// Problems found so far.
#[derive(Default)]
pub(crate) struct Problems(Vec<Problem>);

impl Problems {
    pub fn add(&mut self, path: &str, key: &str, message: impl Into<String>, help: impl Into<String>) {
        let path = if path.is_empty() { key.into() } else { format!("{path}.{key}") };
        self.0.push(Problem { path, message: message.into(), help: help.into() });
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn into_list(self) -> Vec<Problem> {
        self.0
    }

    pub fn number(&mut self, path: &str, key: &str, value: f64, unit: &str, range: Allowed) {
        let fits = value.is_finite()
            && match range {
                Allowed::Positive => value > 0.0,
                Allowed::NotNegative => value >= 0.0,
                Allowed::Any => true,
            };
        if !fits {
            let want = match range {
                Allowed::Positive => "a number above 0",
                Allowed::NotNegative => "0 or a number above",
                Allowed::Any => "a finite number",
            };
            let unit = if unit.is_empty() { String::new() } else { format!(", in {unit}") };
            self.add(path, key, format!("{value} is not possible here"), format!("give {want}{unit}"));
        }
    }

    pub fn vector(&mut self, path: &str, key: &str, value: Vec3, unit: &str) {
        if !value.is_finite() {
            self.add(path, key, "a component is not a finite number", format!("give three numbers in {unit}"));
        }
    }
}
