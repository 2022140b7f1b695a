//! Mistakes in an input: where, why, and what would be right.

use crate::json::Json;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use std::{fmt, ops::Range};
use taffeta_files::printable;

/// Most mistakes that are kept; further ones are only counted, because each would cost a search through the text.
pub(crate) const KEPT: usize = 100;
/// Longer lines are shortened for display, characters.
const LINE: usize = 2000;

/// Everything that is wrong with an input; never empty.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostics {
    /// The mistakes in the order of the text, a hundred at most.
    pub list: Vec<Diagnostic>,
    /// How many further mistakes there are.
    pub more: usize,
    /// What was not checked because of them, if anything.
    pub unseen: Option<String>,
}

/// One mistake.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// What is wrong.
    pub message: String,
    /// What would be right; never empty.
    pub help: String,
    /// The key it is about, such as `cloth.0.pin.1.select`; empty if there is none.
    pub key: String,
    /// The place of the mistake; `None` if nothing could be opened.
    pub at: Option<Location>,
    /// Related places, each with a note on its relation.
    pub related: Vec<(Location, String)>,
}

/// A place in a file or in an argument of the command.
#[derive(Clone, Debug, PartialEq)]
pub struct Location {
    /// The file's name as the user wrote it, the name of a built-in scene, or `--set`.
    pub file: String,
    /// Line number, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// The line, or the part of it around the place.
    pub excerpt: String,
    /// The marked bytes of the excerpt.
    pub span: Range<usize>,
}

impl Location {
    /// The place of a span of bytes in a text; of a span over several lines, the first line.
    pub(crate) fn new(file: &str, text: &str, span: Range<usize>) -> Self {
        let inside = |mut i: usize| {
            i = i.min(text.len());
            while !text.is_char_boundary(i) {
                i -= 1;
            }
            i
        };
        let (mut start, end) = (inside(span.start), inside(span.end));
        // the end of the file is shown after its last line
        if start == text.len() && start > 0 {
            start = text.trim_end_matches(['\n', '\r']).len();
        }
        let line_start = text[..start].rfind('\n').map_or(0, |i| i + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |i| start + i);
        let line = text[line_start..line_end].trim_end_matches('\r');
        let first = (start - line_start).min(line.len());
        let last = (end.max(start) - line_start).clamp(first, line.len());
        Self {
            file: file.to_string(),
            line: text[..line_start].matches('\n').count() + 1,
            column: line[..first].chars().count() + 1,
            ..Self::cut(line, first..last)
        }
    }

    /// A whole line of a file.
    pub(crate) fn line(file: &str, text: &str, line: usize) -> Self {
        let content = text.lines().nth(line.saturating_sub(1)).unwrap_or("");
        let used = content.len() - content.trim_start().len()..content.trim_end().len();
        let used = used.start.min(used.end)..used.end;
        let column = content[..used.start].chars().count() + 1;
        Self { file: file.to_string(), line, column, ..Self::cut(content, used) }
    }

    /// The excerpt of a line that may be very long.
    fn cut(line: &str, span: Range<usize>) -> Self {
        let from = line[..span.start].char_indices().rev().nth(LINE / 2).map_or(0, |(i, _)| i);
        let to = line[from..].char_indices().nth(LINE).map_or(line.len(), |(i, _)| from + i);
        let span = span.start - from..span.end.min(to) - from;
        Self { file: String::new(), line: 1, column: 1, excerpt: line[from..to].to_string(), span }
    }

    fn snippet<'a>(
        &'a self,
        kind: AnnotationKind,
        label: Option<&'a str>,
    ) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
        Snippet::source(self.excerpt.as_str())
            .path(printable(&self.file))
            .line_start(self.line)
            .annotation(kind.span(self.span.clone()).label(label))
    }

    /// Corrects the column in the rendered text: the renderer counts it in the excerpt, not in the whole line.
    fn correct(&self, rendered: String) -> String {
        let counted = self.excerpt[..self.span.start].chars().count() + 1;
        let [wrong, right] =
            [counted, self.column].map(|column| format!("{}:{}:{column}", printable(&self.file), self.line));
        rendered.replacen(&wrong, &right, 1)
    }

    fn json(&self) -> Vec<(&'static str, Json)> {
        let width = self.excerpt[self.span.clone()].chars().count();
        vec![
            ("file", Json::text(&self.file)),
            ("line", Json::Number(self.line as f64)),
            ("column", Json::Number(self.column as f64)),
            ("end_column", Json::Number((self.column + width) as f64)),
            ("excerpt", Json::text(&self.excerpt)),
        ]
    }
}

impl Diagnostic {
    /// A mistake without a place.
    pub(crate) fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { message: message.into(), help: help.into(), key: String::new(), at: None, related: Vec::new() }
    }

    pub(crate) fn at(mut self, at: Location) -> Self {
        self.at = Some(at);
        self
    }

    pub(crate) fn related(mut self, at: Location, message: impl Into<String>) -> Self {
        self.related.push((at, message.into()));
        self
    }

    fn render(&self, renderer: &Renderer) -> String {
        // text from others is escaped; the renderer itself escapes the lines of files
        let title = Level::ERROR.primary_title(printable(&self.message));
        let help = Level::HELP.message(printable(&self.help));
        let mut group = Group::with_title(title);
        if let Some(at) = &self.at {
            group = group.element(at.snippet(AnnotationKind::Primary, None));
        }
        for (at, label) in &self.related {
            group = group.element(at.snippet(AnnotationKind::Context, Some(label)));
        }
        let places = self.at.iter().chain(self.related.iter().map(|(at, _)| at));
        places.fold(renderer.render(&[group.element(help)]), |rendered, at| at.correct(rendered))
    }

    fn json(&self) -> Json {
        let mut fields = vec![
            ("message", Json::text(&self.message)),
            ("help", Json::text(&self.help)),
            ("key", if self.key.is_empty() { Json::Null } else { Json::text(&self.key) }),
        ];
        fields.extend(self.at.iter().flat_map(Location::json));
        let related = self.related.iter().map(|(at, message)| {
            let mut fields = at.json();
            fields.push(("message", Json::text(message)));
            Json::object(fields)
        });
        fields.push(("related", Json::List(related.collect())));
        Json::object(fields)
    }
}

impl Diagnostics {
    pub(crate) fn one(diagnostic: Diagnostic) -> Self {
        Self::new(vec![diagnostic])
    }

    pub(crate) fn new(list: Vec<Diagnostic>) -> Self {
        Self { list, more: 0, unseen: None }
    }

    /// How many mistakes there are.
    pub fn count(&self) -> usize {
        self.list.len() + self.more
    }

    /// Text for people, in the style of rustc, with or without colours.
    pub fn render(&self, colour: bool) -> String {
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
        let mut shown: Vec<String> = self.list.iter().map(|d| d.render(&renderer)).collect();
        if self.more > 0 {
            shown.push(format!("error: and {} more, which are not shown", self.more));
        }
        shown.extend(self.unseen.iter().map(|unseen| format!("note: {unseen}")));
        shown.join("\n\n")
    }

    /// Text for programs: a JSON list of objects with `message`, `help`, `key`, `file`, `line`, `column`, `end_column`,
    /// `excerpt` and `related`.
    pub fn json(&self) -> String {
        Json::List(self.list.iter().map(Diagnostic::json).collect()).to_string()
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl std::error::Error for Diagnostics {}

impl From<Diagnostic> for Diagnostics {
    fn from(diagnostic: Diagnostic) -> Self {
        Self::one(diagnostic)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_line_a_column_and_an_excerpt() {
        let text = "a = 1\r\nbé = 22\r\nc = [1,\n2]\n";
        let at = Location::new("s", text, 13..15);
        assert_eq!((at.line, at.column, at.excerpt.as_str(), &at.excerpt[at.span.clone()]), (2, 6, "bé = 22", "22"));
        let list = Location::new("s", text, 21..27);
        assert_eq!((list.line, &list.excerpt[list.span.clone()]), (3, "[1,"));
        let end = Location::new("s", text, text.len()..text.len());
        assert_eq!((end.line, end.excerpt.as_str()), (4, "2]"));
        assert_eq!(Location::new("s", "", 0..9).line, 1);
        let long = "x".repeat(100_000);
        let at = Location::new("s", &long, 50_000..50_010);
        assert!(at.excerpt.len() < 3000 && at.column == 50_001 && at.span.len() == 10);
    }

    #[test]
    fn a_mistake_is_shown_with_its_line_and_a_way_out() {
        let mistake = Diagnostic::new("unknown key `fsp`", "did you mean `fps`?").at(Location::new(
            "a.toml",
            "[time]\nfsp = 3\n",
            7..10,
        ));
        let shown = Diagnostics::one(mistake.clone()).render(false);
        for part in ["error: unknown key `fsp`", "a.toml:2:1", "fsp = 3", "^^^", "help: did you mean `fps`?"] {
            assert!(shown.contains(part), "{shown}");
        }
        assert!(Diagnostics::one(mistake.clone()).render(true).contains('\u{1b}'));
        assert!(Diagnostics::one(mistake).json().contains("\"line\": 2,"));
    }

    #[test]
    fn the_column_in_a_long_line_is_the_true_one() {
        let line = format!("{}here{}", "x".repeat(5000), "y".repeat(5000));
        let mistake = Diagnostic::new("a", "b").at(Location::new("a.toml", &line, 5000..5004));
        let shown = Diagnostics::one(mistake).render(false);
        assert!(shown.contains("a.toml:1:5001\n") && shown.contains("here"), "{shown}");
    }
}
