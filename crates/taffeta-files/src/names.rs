//! Unique names of cloths and bodies where not every character is allowed.

use std::collections::HashSet;

/// Names in use. They are compared without case, as in some file systems.
#[derive(Default)]
pub(crate) struct Names(HashSet<String>);

impl Names {
    /// A file name: letters, digits, `-`, `_`, `.` and non-ASCII characters; not too long for file systems.
    pub fn file(&mut self, name: &str) -> String {
        let good = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c) || (!c.is_ascii() && !c.is_control());
        let clean: String = name.chars().map(|c| if good(c) { c } else { '_' }).take(50).collect();
        self.unique(clean.trim_start_matches('.'), "cloth", "-")
    }

    /// An identifier: ASCII letters, digits and `_`, not starting with a digit.
    pub fn identifier(&mut self, name: &str) -> String {
        let good = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let clean: String = name.chars().map(|c| if good(c) { c } else { '_' }).collect();
        let clean = if clean.starts_with(|c: char| c.is_ascii_digit()) { format!("_{clean}") } else { clean };
        let clean = if clean.bytes().all(|b| b == b'_') { String::new() } else { clean };
        self.unique(&clean, "cloth", "_")
    }

    fn unique(&mut self, name: &str, instead: &str, dash: &str) -> String {
        let name = if name.is_empty() { instead } else { name };
        let mut candidate = name.to_string();
        let mut number = 1;
        while !self.0.insert(candidate.to_lowercase()) {
            number += 1;
            candidate = format!("{name}{dash}{number}");
        }
        candidate
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_allowed_and_unique() {
        let mut names = Names::default();
        let found = ["shirt", "Shirt", "../a/b", "", "..", "Ärmel links"].map(|name| names.file(name));
        assert_eq!(found, ["shirt", "Shirt-2", "_a_b", "cloth", "cloth-2", "Ärmel_links"]);
        let mut names = Names::default();
        let found = ["shirt", "shirt", "2nd \"one\"", "Ä", "a.b"].map(|name| names.identifier(name));
        assert_eq!(found, ["shirt", "shirt_2", "_2nd__one_", "cloth", "a_b"]);
    }
}
