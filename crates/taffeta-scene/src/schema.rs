//! The JSON schema of scene files, for editors: completion, checking and help while typing.

use crate::{
    json::Json,
    keys::{FABRIC, Fallback, Key, Kind, SCENE, Table},
    tree::{Node, Value, parse_value},
    words::expected,
};
use taffeta::Bounds;

/// The JSON schema (draft 2020-12) of scene files. That of fabric files is `#/$defs/fabric`.
pub fn schema() -> String {
    let mut definitions = Vec::new();
    collect(&SCENE, &mut definitions);
    collect(&FABRIC, &mut definitions);
    let mut fields = vec![
        ("$schema".to_string(), Json::text("https://json-schema.org/draft/2020-12/schema")),
        ("$id".to_string(), Json::text("https://taffeta.dev/scene.schema.json")),
        ("title".to_string(), Json::text("Taffeta scene")),
    ];
    let Json::Object(scene) = object(&SCENE) else { unreachable!("a table is an object") };
    fields.extend(scene);
    let definitions = definitions.into_iter().filter(|table| table.name != SCENE.name);
    let definitions = definitions.map(|table| (table.name.to_string(), object(table))).collect();
    fields.push(("$defs".to_string(), Json::Object(definitions)));
    Json::Object(fields).pretty()
}

/// Collects a table and all tables below it, each once.
pub(crate) fn collect(table: &'static Table, found: &mut Vec<&'static Table>) {
    fn inside(kind: &Kind, found: &mut Vec<&'static Table>) {
        match kind {
            Kind::Table(table) | Kind::Tables(table) => collect(table, found),
            Kind::List(element, ..) => inside(element, found),
            Kind::OneOf(kinds) => kinds.iter().for_each(|kind| inside(kind, found)),
            _ => {}
        }
    }
    if found.iter().any(|known| known.name == table.name) {
        return;
    }
    found.push(table);
    table.keys.iter().for_each(|key| inside(&key.kind, found));
}

fn object(table: &'static Table) -> Json {
    let names = |names: &[&str]| Json::List(names.iter().map(|name| Json::text(*name)).collect());
    let required: Vec<&str> =
        table.keys.iter().filter(|key| matches!(key.default, Fallback::Required)).map(|key| key.name).collect();
    let mut fields = vec![
        ("description", Json::text(table.doc)),
        ("type", Json::text("object")),
        (
            "properties",
            Json::Object(table.keys.iter().map(|key| (key.name.to_string(), property(table, key))).collect()),
        ),
        ("additionalProperties", Json::Bool(false)),
    ];
    if !required.is_empty() {
        fields.push(("required", names(&required)));
    }
    let only = |name: &&str| Json::object([("required", names(&[name]))]);
    if !table.one_of.is_empty() {
        fields.push(("oneOf", Json::List(table.one_of.iter().map(only).collect())));
    }
    if let Some((unless, needed)) = table.needs {
        let either = [only(&unless), Json::object([("required", names(needed))])];
        fields.push(("anyOf", Json::List(either.into())));
    }
    Json::object(fields)
}

fn property(table: &Table, key: &'static Key) -> Json {
    let Json::Object(mut fields) = kind(&key.kind) else { unreachable!("a kind is an object") };
    let mut doc = table.about(key);
    if let Some(unit) = unit(&key.kind) {
        doc.push_str(&format!(" In {unit}."));
    }
    if let Kind::Choice(choice) = key.kind {
        let lines = choice.words.iter().filter(|(_, about)| !about.is_empty());
        let words: Vec<String> = lines.map(|(word, about)| format!("`{word}`: {about}")).collect();
        if !words.is_empty() {
            doc.push_str(&format!(" {}.", words.join("; ")));
        }
    }
    match key.default {
        Fallback::Value(toml) => {
            if let Ok(node) = parse_value(toml) {
                fields.push(("default".into(), value(&node)));
            }
        }
        Fallback::Absent(meaning) => doc.push_str(&format!(" Without it: {meaning}.")),
        Fallback::Own => doc.push_str(&format!(" Without it: {}.", table.defaults(key))),
        Fallback::Required => {}
    }
    fields.insert(0, ("description".into(), Json::text(doc)));
    Json::Object(fields)
}

/// The unit of a number or of a list of numbers.
pub(crate) fn unit(kind: &Kind) -> Option<&'static str> {
    match kind {
        Kind::Number(number) | Kind::Vector(number, _) => Some(number.unit).filter(|unit| !unit.is_empty()),
        Kind::List(element, ..) => unit(element),
        Kind::OneOf(kinds) => kinds.iter().find_map(unit),
        _ => None,
    }
}

fn number(number: &Bounds) -> Json {
    let least = if number.above { "exclusiveMinimum" } else { "minimum" };
    Json::object([
        ("type", Json::text("number")),
        (least, Json::Number(number.min)),
        ("maximum", Json::Number(number.max)),
    ])
}

fn kind(kind_: &Kind) -> Json {
    let reference = |table: &Table| Json::object([("$ref", Json::text(format!("#/$defs/{}", table.name)))]);
    let array = |items: Json, least: usize, most: Option<usize>| {
        let mut fields =
            vec![("type", Json::text("array")), ("items", items), ("minItems", Json::Number(least as f64))];
        fields.extend(most.map(|most| ("maxItems", Json::Number(most as f64))));
        Json::object(fields)
    };
    let text = |longest: usize| {
        let length = ("maxLength", Json::Number(longest as f64));
        Json::object([("type", Json::text("string")), ("minLength", Json::Number(1.0)), length])
    };
    match kind_ {
        Kind::Number(range) => number(range),
        Kind::Integer { min, max } => {
            let mut fields = vec![("type", Json::text("integer")), ("minimum", Json::Number(*min as f64))];
            if *max < i64::MAX {
                fields.push(("maximum", Json::Number(*max as f64)));
            }
            Json::object(fields)
        }
        Kind::Bool => Json::object([("type", Json::text("boolean"))]),
        Kind::Text(longest) => text(*longest),
        Kind::Path(_) | Kind::FabricName => text(4096),
        Kind::Vector(range, count) => array(number(range), *count, Some(*count)),
        Kind::Choice(choice) => Json::object([("enum", Json::List(choice.names().map(Json::text).collect()))]),
        Kind::Table(table) => reference(table),
        Kind::Tables(table) => array(reference(table), 1, None),
        Kind::List(element, least, most) => array(kind(element), *least, Some(*most)),
        Kind::OneOf(kinds) => {
            // a description of each alternative helps where an editor lists them
            let alternatives = kinds.iter().map(|each| match kind(each) {
                Json::Object(mut fields) => {
                    fields.insert(0, ("title".into(), Json::text(expected(each))));
                    Json::Object(fields)
                }
                other => other,
            });
            Json::object([("anyOf", Json::List(alternatives.collect()))])
        }
        Kind::Texts => Json::object([
            ("type", Json::text("object")),
            ("additionalProperties", Json::object([("type", Json::text("string"))])),
        ]),
    }
}

/// A TOML value as JSON.
pub(crate) fn value(node: &Node) -> Json {
    match &node.value {
        Value::Bool(b) => Json::Bool(*b),
        Value::Integer(i) => i.map_or(Json::Null, |i| Json::Number(i as f64)),
        Value::Float(f) => Json::Number(*f),
        Value::Text(text) => Json::text(text),
        Value::Date => Json::Null,
        Value::Array(items) => Json::List(items.iter().map(value).collect()),
        Value::Table(entries) => {
            Json::Object(entries.iter().map(|entry| (entry.key.clone(), value(&entry.node))).collect())
        }
    }
}
