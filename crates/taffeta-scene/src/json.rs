//! A minimal JSON writer: numbers, texts, lists and objects that keep their order.

use std::fmt;

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    pub fn text(text: impl Into<String>) -> Self {
        Json::Text(text.into())
    }

    pub fn object(fields: impl IntoIterator<Item = (&'static str, Json)>) -> Self {
        Json::Object(fields.into_iter().map(|(name, value)| (name.to_string(), value)).collect())
    }

    /// The value as text with line breaks and two spaces of indentation per level.
    pub fn pretty(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, Some(0));
        out.push('\n');
        out
    }

    fn write(&self, out: &mut String, indent: Option<usize>) {
        let inner = indent.map(|level| level + 1);
        let new_line = |out: &mut String, level: Option<usize>| {
            if let Some(level) = level {
                out.push('\n');
                out.push_str(&"  ".repeat(level));
            }
        };
        match self {
            Json::Null => out.push_str("null"),
            Json::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
            Json::Number(n) if n.is_finite() => out.push_str(&format!("{n}")),
            Json::Number(_) => out.push_str("null"),
            Json::Text(text) => escape(text, out),
            Json::List(items) => {
                // lists of plain values stay on one line
                let plain = items.iter().all(|item| !matches!(item, Json::List(_) | Json::Object(_)));
                out.push('[');
                for (i, item) in items.iter().enumerate() {
                    if i > 0 {
                        out.push_str(if plain { ", " } else { "," });
                    }
                    if !plain {
                        new_line(out, inner);
                    }
                    item.write(out, inner);
                }
                if !plain {
                    new_line(out, indent);
                }
                out.push(']');
            }
            Json::Object(fields) => {
                out.push('{');
                for (i, (name, value)) in fields.iter().enumerate() {
                    if i > 0 {
                        out.push(',');
                    }
                    new_line(out, inner);
                    escape(name, out);
                    out.push_str(": ");
                    value.write(out, inner);
                }
                if !fields.is_empty() {
                    new_line(out, indent);
                }
                out.push('}');
            }
        }
    }
}

impl fmt::Display for Json {
    /// Writes the value on one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = String::new();
        self.write(&mut out, None);
        f.write_str(&out)
    }
}

fn escape(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
}
