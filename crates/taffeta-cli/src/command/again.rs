//! The given command, for proposing it again with other values.

use crate::words;
use std::path::Path;

/// A command and the overrides that it sets.
pub struct Again {
    start: String,
    set: Vec<String>,
}

impl Again {
    /// `start` is the command with its scene, without its output folder and exports.
    pub fn new(start: String, set: Vec<String>) -> Self {
        Self { start, set }
    }

    /// The command with other values.
    pub fn with(&self, changes: &[String]) -> String {
        let mut command = self.start.clone();
        for set in changed(&self.set, changes) {
            command += &format!(" --set {}", words::typed(Path::new(&set)));
        }
        command
    }
}

/// Combines overrides with new ones; a new one replaces those of the same key or below it.
pub fn changed(set: &[String], changes: &[String]) -> Vec<String> {
    let key = |set: &str| set.split_once('=').map_or(set, |(key, _)| key).trim().to_string();
    let replaced = |old: &String| {
        let old = key(old);
        changes.iter().map(|new| key(new)).any(|new| old == new || old.starts_with(&format!("{new}.")))
    };
    set.iter().filter(|old| !replaced(old)).chain(changes).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_set_anew_is_not_said_twice() {
        let texts = |list: &[&str]| list.iter().map(|text| text.to_string()).collect::<Vec<_>>();
        let again = Again::new(
            "taffeta run a".into(),
            texts(&["time.step=0.1", "time.adaptive.least=0.5", "method={ name = 'imex' }", "time.stepping=1"]),
        );
        assert_eq!(
            again.with(&texts(&["time.adaptive=false", "time.step=0.01"])),
            "taffeta run a --set \"method={ name = 'imex' }\" --set time.stepping=1 --set time.adaptive=false --set \
                time.step=0.01"
        );
    }
}
