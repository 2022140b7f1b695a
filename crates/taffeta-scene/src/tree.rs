//! A TOML text as a tree in which every key and value has its place in the text.

use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// A value and its place in the text, in bytes.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// The bytes of the value; of the first header for a table or array of tables; of the key for a dotted table.
    pub span: Range<usize>,
    pub value: Value,
}

#[derive(Clone, Debug)]
pub(crate) enum Value {
    Bool(bool),
    /// `None` if the number does not fit.
    Integer(Option<i64>),
    Float(f64),
    Text(String),
    Date,
    Array(Vec<Node>),
    Table(Vec<Entry>),
}

/// A key of a table with its value. Entries are in the order of the text.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub key: String,
    pub key_span: Range<usize>,
    pub node: Node,
}

/// A syntax error and its place.
#[derive(Clone, Debug)]
pub(crate) struct SyntaxError {
    pub span: Range<usize>,
    pub message: String,
}

/// How a table is written in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TableForm {
    /// `[time]`, `[[cloth]]`.
    Header,
    /// `{ size = 1 }`.
    Inline,
    /// `air.drag = 1`, or `[air.gust]` without `[air]`.
    Implied,
}

/// Parses a text. If there are syntax errors, the tree holds the parts that were understood.
pub(crate) fn parse(text: &str) -> (Node, Vec<SyntaxError>) {
    let (table, errors) = DeTable::parse_recoverable(text);
    let errors = errors
        .iter()
        .map(|e| SyntaxError { span: e.span().unwrap_or(0..0), message: e.message().to_string() })
        .collect();
    (Node { span: 0..0, value: Value::Table(entries(table.get_ref())) }, errors)
}

/// Parses a single value, such as `[1.0, 2.0]`.
pub(crate) fn parse_value(text: &str) -> Result<Node, SyntaxError> {
    match DeValue::parse(text) {
        Ok(value) => Ok(Node { span: value.span(), value: convert(value.get_ref()) }),
        Err(e) => Err(SyntaxError { span: e.span().unwrap_or(0..0), message: e.message().to_string() }),
    }
}

fn entries(table: &DeTable<'_>) -> Vec<Entry> {
    let mut entries: Vec<Entry> = table
        .iter()
        .map(|(key, value)| Entry {
            key: key.get_ref().to_string(),
            key_span: key.span(),
            node: Node { span: value.span(), value: convert(value.get_ref()) },
        })
        .collect();
    entries.sort_by_key(|entry| entry.key_span.start);
    entries
}

fn convert(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::Boolean(b) => Value::Bool(*b),
        DeValue::Integer(i) => Value::Integer(i64::from_str_radix(i.as_str(), i.radix()).ok()),
        DeValue::Float(f) => Value::Float(f.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::String(s) => Value::Text(s.to_string()),
        DeValue::Datetime(_) => Value::Date,
        DeValue::Array(array) => {
            Value::Array(array.iter().map(|v| Node { span: v.span(), value: convert(v.get_ref()) }).collect())
        }
        DeValue::Table(table) => Value::Table(entries(table)),
    }
}

impl Node {
    /// The value of a key of a table, or the element of an array with this number.
    pub fn get(&self, key: &str) -> Option<&Node> {
        match &self.value {
            Value::Table(_) => self.entry(key).map(|entry| &entry.node),
            Value::Array(items) => items.get(key.parse::<usize>().ok()?),
            _ => None,
        }
    }

    /// A key of a table with its value.
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries().iter().find(|entry| entry.key == key)
    }

    /// Keys and values; empty if this is not a table.
    pub fn entries(&self) -> &[Entry] {
        if let Value::Table(entries) = &self.value { entries } else { &[] }
    }

    /// Elements; empty if this is not an array.
    pub fn items(&self) -> &[Node] {
        if let Value::Array(items) = &self.value { items } else { &[] }
    }

    /// The value as a number; an integer counts too.
    pub fn number(&self) -> Option<f64> {
        match self.value {
            Value::Float(f) => Some(f),
            Value::Integer(i) => i.map(|i| i as f64),
            _ => None,
        }
    }

    pub fn text(&self) -> Option<&str> {
        if let Value::Text(text) = &self.value { Some(text) } else { None }
    }

    pub fn is_table(&self) -> bool {
        matches!(self.value, Value::Table(_))
    }

    /// How this table is written in `text`.
    pub fn form(&self, text: &str) -> TableForm {
        match text.as_bytes().get(self.span.start) {
            Some(b'[') => TableForm::Header,
            Some(b'{') => TableForm::Inline,
            _ => TableForm::Implied,
        }
    }

    /// A description of the value: "the text `abc`", "a table".
    pub fn describe(&self) -> String {
        match &self.value {
            Value::Bool(b) => format!("`{b}`"),
            Value::Integer(Some(i)) => format!("the number {i}"),
            Value::Integer(None) => "a whole number with too many digits".into(),
            // avoid hundreds of zeros
            Value::Float(f) if *f != 0.0 && f.is_finite() && !(1e-7..1e12).contains(&f.abs()) => {
                format!("the number {f:e}")
            }
            Value::Float(f) => format!("the number {f}"),
            Value::Text(text) => format!("the text \"{}\"", shorten(text)),
            Value::Date => "a date".into(),
            Value::Array(items) if items.iter().any(Node::is_table) => "a list of tables".into(),
            Value::Array(items) if items.is_empty() => "an empty list".into(),
            Value::Array(items) => format!("a list of {}", items.len()),
            Value::Table(_) => "a table".into(),
        }
    }
}

/// Shortens a text to forty characters, for messages.
pub(crate) fn shorten(text: &str) -> String {
    if text.chars().count() <= 40 { text.to_string() } else { text.chars().take(37).chain("...".chars()).collect() }
}

/// `text` as a TOML string.
pub(crate) fn quote(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => out.push_str(&format!("\\u{:04X}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_node_knows_its_place() {
        let text = "a = 1\nair.wind = 3\n[time]\nfps = 0x10\n[[cloth]]\ng = { size = [1, 2.0] }\n";
        let (root, errors) = parse(text);
        assert!(errors.is_empty());
        let at = |path: &[&str]| {
            let node = path.iter().fold(&root, |node, key| node.get(key).unwrap());
            &text[node.span.clone()]
        };
        assert_eq!(at(&["cloth", "0", "g", "size", "1"]), "2.0");
        assert_eq!(at(&["time"]), "[time]");
        assert_eq!(at(&["cloth", "0"]), "[[cloth]]");
        assert_eq!(root.get("time").unwrap().get("fps").unwrap().number(), Some(16.0));
        assert_eq!(root.get("air").unwrap().form(text), TableForm::Implied);
        assert_eq!(root.get("time").unwrap().form(text), TableForm::Header);
    }

    #[test]
    fn quoted_text_reads_back() {
        for text in ["a", "a \"b\" \\ c", "\u{1}\n\t\u{7f}é", ""] {
            assert_eq!(parse_value(&quote(text)).unwrap().text(), Some(text));
        }
    }
}
