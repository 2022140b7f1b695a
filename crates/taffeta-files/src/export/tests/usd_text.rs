//! A small reader of USD text, for the tests alone. It is independent of the writer.

use std::collections::BTreeMap;

/// A prim: its kind, its values, and its children by name.
#[derive(Debug, Default)]
pub struct Prim {
    pub kind: String,
    pub values: BTreeMap<String, Value>,
    pub children: BTreeMap<String, Prim>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Word(String),
    List(Vec<Value>),
    Samples(BTreeMap<i64, Value>),
}

impl Value {
    /// All numbers in the value, in order.
    pub fn numbers(&self) -> Vec<f64> {
        match self {
            Value::Word(word) => vec![word.parse().unwrap_or_else(|_| panic!("{word} is not a number"))],
            Value::List(list) => list.iter().flat_map(Value::numbers).collect(),
            Value::Samples(_) => panic!("samples have times"),
        }
    }

    /// The same, read as 32-bit floats.
    pub fn singles(&self) -> Vec<f64> {
        self.numbers().into_iter().map(|value| f64::from(value as f32)).collect()
    }

    pub fn word(&self) -> &str {
        if let Value::Word(word) = self { word } else { panic!("{self:?} is not a word") }
    }

    pub fn at(&self, time: i64) -> &Value {
        if let Value::Samples(samples) = self { &samples[&time] } else { panic!("no samples") }
    }

    pub fn times(&self) -> Vec<i64> {
        if let Value::Samples(samples) = self { samples.keys().copied().collect() } else { Vec::new() }
    }
}

/// Reads a layer; its metadata become the values of the root.
pub fn parse(text: &str) -> Prim {
    let body = text.strip_prefix("#usda 1.0\n").expect("the first line");
    let mut reader = Reader { tokens: tokens(body), at: 0 };
    let mut root = Prim::default();
    reader.expect("(");
    reader.metadata(&mut root.values);
    while reader.at < reader.tokens.len() {
        reader.prim(&mut root);
    }
    root
}

fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = match c {
            c if c.is_whitespace() => c.len_utf8(),
            '"' => {
                let mut escaped = false;
                let end = rest[1..].find(|c| {
                    let ends = c == '"' && !escaped;
                    escaped = c == '\\' && !escaped;
                    ends
                });
                end.expect("a closing quote") + 2
            }
            '<' => rest.find('>').expect("a closing >") + 1,
            '(' | ')' | '{' | '}' | ',' | '=' => 1,
            '[' | ']' => 1,
            _ => rest.find(|c: char| c.is_whitespace() || "(){}[],=".contains(c)).unwrap_or(rest.len()),
        };
        if !c.is_whitespace() {
            tokens.push(rest[..length].to_string());
        }
        rest = &rest[length..];
    }
    tokens
}

struct Reader {
    tokens: Vec<String>,
    at: usize,
}

impl Reader {
    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", String::as_str)
    }

    fn next(&mut self) -> String {
        self.at += 1;
        self.tokens[self.at - 1].clone()
    }

    fn expect(&mut self, token: &str) {
        assert_eq!(self.next(), token, "token {}", self.at);
    }

    /// `name = value` up to the closing bracket; words before the name are dropped.
    fn metadata(&mut self, values: &mut BTreeMap<String, Value>) {
        while self.peek() != ")" {
            let mut name = self.next();
            while self.peek() != "=" {
                name = self.next();
            }
            self.expect("=");
            let value = if self.peek() == "{" { self.dictionary() } else { self.value() };
            values.insert(name, value);
        }
        self.expect(")");
    }

    fn dictionary(&mut self) -> Value {
        self.expect("{");
        while self.next() != "}" {}
        Value::Word("{}".into())
    }

    fn prim(&mut self, parent: &mut Prim) {
        self.expect("def");
        let mut prim = Prim { kind: self.next(), ..Prim::default() };
        let name = self.next().trim_matches('"').to_string();
        if self.peek() == "(" {
            self.next();
            self.metadata(&mut prim.values);
        }
        self.expect("{");
        while self.peek() != "}" {
            if self.peek() == "def" {
                self.prim(&mut prim);
                continue;
            }
            // [uniform] type[] name [= value] [(metadata)]
            if self.next() == "uniform" {
                self.next();
            }
            if self.peek() == "[" {
                self.expect("[");
                self.expect("]");
            }
            let name = self.next();
            if self.peek() == "=" {
                self.next();
                let value = if self.peek() == "{" { self.samples() } else { self.value() };
                assert!(prim.values.insert(name.clone(), value).is_none(), "{name} comes twice");
            }
            if self.peek() == "(" {
                self.next();
                let mut metadata = BTreeMap::new();
                self.metadata(&mut metadata);
                metadata.into_iter().for_each(|(key, value)| {
                    prim.values.insert(format!("{name} {key}"), value);
                });
            }
        }
        self.expect("}");
        assert!(parent.children.insert(name.clone(), prim).is_none(), "{name} comes twice");
    }

    fn samples(&mut self) -> Value {
        self.expect("{");
        let mut samples = BTreeMap::new();
        while self.peek() != "}" {
            let time = self.next();
            let time = time.strip_suffix(':').expect("a colon").parse().unwrap();
            assert!(samples.insert(time, self.value()).is_none(), "time {time} comes twice");
            self.expect(",");
        }
        self.expect("}");
        Value::Samples(samples)
    }

    fn value(&mut self) -> Value {
        let token = self.next();
        let end = match token.as_str() {
            "[" => "]",
            "(" => ")",
            _ => return Value::Word(token),
        };
        let mut list = Vec::new();
        while self.peek() != end {
            list.push(self.value());
            if self.peek() == "," {
                self.next();
            }
        }
        self.expect(end);
        Value::List(list)
    }
}
