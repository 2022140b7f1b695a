//! Plausible values that messages propose in place of wrong or missing ones.

use crate::{
    keys::{Fallback, Key, Kind, Table},
    tree::parse_value,
    words::{example, fits},
};

/// The value to propose for a key, or for an element of its list.
pub(crate) struct Sample<'a> {
    table: &'static Table,
    key: &'static Key,
    /// The sample of the list, and the number of the element.
    inside: Option<(&'a Sample<'a>, usize)>,
}

impl Sample<'_> {
    pub fn of(table: &'static Table, key: &'static Key) -> Self {
        Self { table, key, inside: None }
    }

    /// The sample of an element.
    pub fn item(&self, number: usize) -> Sample<'_> {
        Sample { table: self.table, key: self.key, inside: Some((self, number)) }
    }

    /// The proposal in TOML. If it does not have the form of the kind, an example of the kind replaces it.
    pub fn text(&self, kind: &Kind) -> String {
        let fitting = |text: &String| parse_value(text).is_ok_and(|node| fits(&node, kind));
        self.known().filter(fitting).unwrap_or_else(|| example(kind))
    }

    /// The value in the table of keys: that of the key, that in the table's example, or the default.
    pub fn known(&self) -> Option<String> {
        if let Some((list, number)) = self.inside {
            let text = list.known()?;
            let node = parse_value(&text).ok()?;
            let item = node.items().get(number).or(node.items().last())?;
            return Some(text[item.span.clone()].to_string());
        }
        if !self.key.like.is_empty() {
            return Some(self.key.like.into());
        }
        let example = parse_value(self.table.example).ok();
        if let Some(value) = example.as_ref().and_then(|table| table.get(self.key.name)) {
            return Some(self.table.example[value.span.clone()].to_string());
        }
        match (self.key.kind, self.key.default) {
            // empty ones are useless
            (_, Fallback::Value("{}" | "[]")) => None,
            (_, Fallback::Value(default)) => Some(default.into()),
            (_, Fallback::Own) => (self.table.owners)(self.key.name).first().map(|(_, default)| (*default).into()),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::SCENE;
    use crate::schema::collect;

    fn has_numbers(kind: &Kind) -> bool {
        match kind {
            Kind::Number(_) | Kind::Vector(..) | Kind::Integer { .. } => true,
            Kind::List(element, ..) => has_numbers(element),
            Kind::OneOf(kinds) => kinds.iter().any(has_numbers),
            _ => false,
        }
    }

    /// 0.1 everywhere is a useless proposal: with `bend = 0.1` cloth is a plank.
    #[test]
    fn every_number_of_a_scene_has_a_proposal_of_its_own_that_is_allowed() {
        let mut all = Vec::new();
        collect(&SCENE, &mut all);
        assert!(all.len() > 30, "{}", all.len());
        for table in all {
            for key in table.keys {
                let name = format!("{}.{}", table.name, key.name);
                let sample = Sample::of(table, key);
                assert!(sample.known().is_some() || !has_numbers(&key.kind), "{name} has none");
                if let Some(text) = sample.known() {
                    let node = parse_value(&text).unwrap_or_else(|e| panic!("{name}: {text}: {}", e.message));
                    assert!(crate::check::accepts(&node, table, key), "{name}: {text}");
                }
            }
        }
    }
}
