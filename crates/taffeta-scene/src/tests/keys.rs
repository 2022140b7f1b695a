//! Every key in the table is read. Otherwise it would be accepted and do nothing.

use crate::keys::{FABRIC, Fallback, Key, Kind, SCENE, Table};
use crate::sample::Sample;
use crate::schema::collect;
use crate::tree::quote;
use crate::view::READ;
use crate::{Source, load};

/// Keys of a fabric for human readers of its file only.
const FOR_READERS: [(&str, &str); 3] = [("fabric", "name"), ("fabric", "description"), ("fabric", "source")];

/// A value of each kind that a key may have; all words of a choice; all of [`tables`].
fn values(table: &'static Table, key: &'static Key, kind: &Kind) -> Vec<String> {
    match kind {
        Kind::Table(inner) => tables(inner),
        Kind::Tables(inner) => tables(inner).into_iter().map(|text| format!("[{text}]")).collect(),
        Kind::OneOf(kinds) => kinds.iter().flat_map(|kind| values(table, key, kind)).collect(),
        Kind::Choice(choice) => choice.names().map(quote).collect(),
        Kind::Bool => vec!["true".into(), "false".into()],
        Kind::List(element, least, _) => {
            let list = |text: String| format!("[{}]", vec![text; (*least).max(1)].join(", "));
            values(table, key, element).into_iter().map(list).collect()
        }
        _ => vec![Sample::of(table, key).text(kind)],
    }
}

/// Inline tables: one that has what the table needs, and for each key one that has it besides, with each of its
/// [`values`].
fn tables(table: &'static Table) -> Vec<String> {
    let one_of = |key: &Key| table.one_of.contains(&key.name);
    let needed = |key: &&Key| {
        matches!(key.default, Fallback::Required)
            || table.one_of.first() == Some(&key.name)
            || table.needs.is_some_and(|(_, needed)| needed.contains(&key.name))
    };
    let item = |key: &'static Key, value: &str| format!("{} = {value}", key.name);
    let with = |key: &'static Key, value: &str| {
        let others = table.keys.iter().filter(needed).filter(|other| other.name != key.name);
        let others = others.filter(|other| !(one_of(other) && one_of(key)));
        let others = others.map(|other| item(other, &values(table, other, &other.kind)[0]));
        format!("{{ {} }}", others.chain([item(key, value)]).collect::<Vec<_>>().join(", "))
    };
    let (needed, more): (Vec<&Key>, Vec<&Key>) = table.keys.iter().partition(needed);
    let keys = needed.into_iter().chain(more);
    let texts: Vec<String> =
        keys.flat_map(|key| values(table, key, &key.kind).into_iter().map(|value| with(key, &value))).collect();
    if texts.is_empty() { vec!["{}".into()] } else { texts }
}

/// Builds a scene for every key of every table with every kind of value that it may have. Mistakes do no harm: building
/// goes on after them.
#[test]
fn every_key_is_read_by_what_builds_a_scene() {
    READ.take();
    for key in SCENE.keys {
        let cloth = if key.name == "cloth" { "" } else { "[[cloth]]\ngrid = { size = [1.0, 1.0], cells = [2, 2] }\n" };
        for value in values(&SCENE, key, &key.kind) {
            let text = format!("{} = {value}\n{cloth}", key.name);
            let _ = load(&Source::text("test", &text, "."), &[]);
        }
    }
    let read = READ.take();
    let mut all = Vec::new();
    collect(&SCENE, &mut all);
    collect(&FABRIC, &mut all);
    assert!(all.len() > 30, "{}", all.len());
    let keys = all.iter().flat_map(|table| table.names().map(|name| (table.name, name)));
    let unread: Vec<_> = keys
        .filter(|(table, name)| !FOR_READERS.contains(&(table, name)) && !read.contains(&(table, name.to_string())))
        .collect();
    assert!(unread.is_empty(), "nobody reads {unread:?}");
}
