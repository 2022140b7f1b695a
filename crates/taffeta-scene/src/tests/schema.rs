//! Checks the built-in scenes against the JSON schema, with a checker that does not use the table of keys; and tests
//! the reference.

use crate::{builtin, json::Json, reference, schema, tree};

/// A small JSON reader, written for this test alone.
struct Reader<'a>(&'a [u8], usize);

impl Reader<'_> {
    fn space(&mut self) {
        while self.0.get(self.1).is_some_and(u8::is_ascii_whitespace) {
            self.1 += 1;
        }
    }

    fn eat(&mut self, byte: u8) -> bool {
        self.space();
        let found = self.0.get(self.1) == Some(&byte);
        self.1 += usize::from(found);
        found
    }

    fn text(&mut self) -> String {
        assert!(self.eat(b'"'), "a text at byte {}", self.1);
        let mut bytes = Vec::new();
        loop {
            let byte = self.0[self.1];
            self.1 += 1;
            match byte {
                b'"' => return String::from_utf8(bytes).unwrap(),
                b'\\' => {
                    let escaped = self.0[self.1];
                    self.1 += 1;
                    match escaped {
                        b'n' => bytes.push(b'\n'),
                        b'"' | b'\\' => bytes.push(escaped),
                        other => panic!("escape {other}"),
                    }
                }
                byte => bytes.push(byte),
            }
        }
    }

    fn value(&mut self) -> Json {
        self.space();
        match self.0[self.1] {
            b'"' => Json::Text(self.text()),
            b'{' => {
                self.1 += 1;
                let mut fields = Vec::new();
                while !self.eat(b'}') {
                    assert!(fields.is_empty() || self.eat(b','));
                    let name = self.text();
                    assert!(self.eat(b':'));
                    fields.push((name, self.value()));
                }
                Json::Object(fields)
            }
            b'[' => {
                self.1 += 1;
                let mut items = Vec::new();
                while !self.eat(b']') {
                    assert!(items.is_empty() || self.eat(b','));
                    items.push(self.value());
                }
                Json::List(items)
            }
            _ => {
                let start = self.1;
                while self.0.get(self.1).is_some_and(|b| b.is_ascii_alphanumeric() || b"+-.".contains(b)) {
                    self.1 += 1;
                }
                match std::str::from_utf8(&self.0[start..self.1]).unwrap() {
                    "true" => Json::Bool(true),
                    "false" => Json::Bool(false),
                    "null" => Json::Null,
                    number => Json::Number(number.parse().unwrap_or_else(|_| panic!("{number:?} at byte {start}"))),
                }
            }
        }
    }
}

fn parse(text: &str) -> Json {
    let mut reader = Reader(text.as_bytes(), 0);
    let value = reader.value();
    reader.space();
    assert_eq!(reader.1, text.len());
    value
}

fn field<'a>(json: &'a Json, name: &str) -> Option<&'a Json> {
    let Json::Object(fields) = json else { return None };
    fields.iter().find(|(n, _)| n == name).map(|(_, value)| value)
}

fn list(json: Option<&Json>) -> &[Json] {
    if let Some(Json::List(items)) = json { items } else { &[] }
}

/// The parts of the value that do not conform; a keyword that the checker does not know fails the test.
fn check(value: &Json, schema: &Json, root: &Json, at: &str) -> Vec<String> {
    let Json::Object(keywords) = schema else { return vec![format!("{at}: no schema")] };
    let mut wrong = Vec::new();
    let mut need = |holds: bool, what: &str| {
        if !holds {
            wrong.push(format!("{at}: {what}: {value}"));
        }
    };
    let number = if let Json::Number(n) = value { Some(*n) } else { None };
    let length = |json: &Json| if let Json::Number(n) = json { *n as usize } else { panic!("a number") };
    let limit = |json: &Json| if let Json::Number(n) = json { *n } else { panic!("a number") };
    let mut more = Vec::new();
    for (keyword, rule) in keywords {
        match keyword.as_str() {
            "$schema" | "$id" | "$defs" | "title" | "description" | "default" => {}
            "$ref" => {
                let Json::Text(target) = rule else { panic!("$ref") };
                let name = target.strip_prefix("#/$defs/").unwrap();
                let definition = field(field(root, "$defs").unwrap(), name).unwrap_or_else(|| panic!("no {name}"));
                more.extend(check(value, definition, root, at));
            }
            "type" => need(
                match rule {
                    Json::Text(t) if t == "object" => matches!(value, Json::Object(_)),
                    Json::Text(t) if t == "array" => matches!(value, Json::List(_)),
                    Json::Text(t) if t == "string" => matches!(value, Json::Text(_)),
                    Json::Text(t) if t == "boolean" => matches!(value, Json::Bool(_)),
                    Json::Text(t) if t == "number" => number.is_some(),
                    Json::Text(t) if t == "integer" => number.is_some_and(|n| n.fract() == 0.0),
                    other => panic!("type {other}"),
                },
                "type",
            ),
            "minimum" => need(number.is_none_or(|n| n >= limit(rule)), keyword),
            "exclusiveMinimum" => need(number.is_none_or(|n| n > limit(rule)), keyword),
            "maximum" => need(number.is_none_or(|n| n <= limit(rule)), keyword),
            "minItems" => need(!matches!(value, Json::List(items) if items.len() < length(rule)), keyword),
            "maxItems" => need(!matches!(value, Json::List(items) if items.len() > length(rule)), keyword),
            "minLength" => need(!matches!(value, Json::Text(t) if t.chars().count() < length(rule)), keyword),
            "maxLength" => need(!matches!(value, Json::Text(t) if t.chars().count() > length(rule)), keyword),
            "enum" => need(list(Some(rule)).contains(value), keyword),
            "items" => {
                for (i, item) in list(Some(value)).iter().enumerate() {
                    more.extend(check(item, rule, root, &format!("{at}[{i}]")));
                }
            }
            "required" => {
                for name in list(Some(rule)) {
                    let Json::Text(name) = name else { panic!("required") };
                    need(field(value, name).is_some(), &format!("needs {name}"));
                }
            }
            "properties" | "additionalProperties" => {
                let Json::Object(fields) = value else { continue };
                for (name, inner) in fields {
                    let property = field(schema, "properties").and_then(|p| field(p, name));
                    let here = format!("{at}.{name}");
                    match (keyword.as_str(), property, rule) {
                        ("properties", Some(property), _) => more.extend(check(inner, property, root, &here)),
                        ("additionalProperties", None, Json::Bool(false)) => need(false, &format!("unknown {name}")),
                        ("additionalProperties", None, other) => more.extend(check(inner, other, root, &here)),
                        _ => {}
                    }
                }
            }
            "anyOf" | "oneOf" => {
                let good = list(Some(rule)).iter().filter(|s| check(value, s, root, at).is_empty()).count();
                need(if keyword == "anyOf" { good > 0 } else { good == 1 }, keyword);
            }
            other => panic!("keyword {other}"),
        }
    }
    wrong.extend(more);
    wrong
}

fn toml(text: &str) -> Json {
    crate::schema::value(&tree::parse(text).0)
}

#[test]
fn built_in_scenes_and_fabrics_conform_to_the_schema() {
    let root = parse(&schema());
    for scene in builtin::scenes() {
        assert_eq!(check(&toml(scene.text), &root, &root, scene.name), Vec::<String>::new());
    }
    let fabric = field(field(&root, "$defs").unwrap(), "fabric").unwrap();
    for each in builtin::fabrics() {
        assert_eq!(check(&toml(each.text), fabric, &root, each.name), Vec::<String>::new());
    }
}

#[test]
fn the_schema_refuses_what_the_check_refuses() {
    let root = parse(&schema());
    let grid = "[[cloth]]\ngrid = { size = [1, 1], cells = [2, 2] }\n";
    assert!(check(&toml(grid), &root, &root, "").is_empty());
    for text in [
        "",
        "[[cloth]]\n",
        &format!("fps = 3\n{grid}"),
        &format!("{grid}mesh = \"a.obj\"\n"),
        &format!("{grid}[time]\nfps = 0\n"),
        &format!("{grid}[method]\nname = \"implicit-euler\"\n"),
        &format!("{grid}fabric = {{ density = 1 }}\n"),
        &format!("{grid}[[cloth.pin]]\nselect = {{ all = true, edge = \"top\" }}\n"),
        &format!("gravity = [1, 2]\n{grid}"),
        &format!("{grid}fabric = {{ density = 1, stretch = 0, shear = 0, bend = 0 }}\n"),
    ] {
        assert!(!check(&toml(text), &root, &root, "").is_empty(), "{text}");
        assert!(crate::load(&crate::Source::text("s", text, "."), &[]).is_err(), "{text}");
    }
}

#[test]
fn every_property_has_a_description() {
    fn walk(json: &Json, at: &str) {
        let Json::Object(fields) = json else { return };
        if let Some(Json::Object(properties)) = field(json, "properties") {
            for (name, property) in properties {
                let Some(Json::Text(text)) = field(property, "description") else { panic!("{at}.{name}") };
                assert!(text.ends_with('.') && text.len() > 5, "{at}.{name}: {text}");
            }
        }
        fields.iter().for_each(|(name, inner)| walk(inner, &format!("{at}.{name}")));
    }
    walk(&parse(&schema()), "");
}

/// With TAFFETA_WRITE_DOCS=1 the test writes the file instead.
#[test]
fn the_reference_in_docs_is_the_table_of_keys() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/scene.md");
    if std::env::var_os("TAFFETA_WRITE_DOCS").is_some() {
        std::fs::create_dir_all(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs")).unwrap();
        std::fs::write(path, reference()).unwrap();
    }
    let written = std::fs::read_to_string(path).unwrap_or_default().replace("\r\n", "\n");
    assert!(written == reference(), "docs/scene.md is old: run this test with TAFFETA_WRITE_DOCS=1");
}
