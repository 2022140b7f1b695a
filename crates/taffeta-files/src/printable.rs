//! Text from files on a terminal: what would steer it is shown, not obeyed.

use std::borrow::Cow;

/// Whether a character does something to a terminal instead of being seen: control characters, line ends among them,
/// and those that turn the direction of writing.
pub fn is_steering(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A text of one line as it can be shown: `\u{1b}` in place of an escape character, `\n` of a line end.
///
/// ```
/// assert_eq!(taffeta_files::printable("red \u{1b}[31m\n"), "red \\u{1b}[31m\\n");
/// ```
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(is_steering) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '\n' | '\r' | '\t' => shown.extend(c.escape_default()),
            c if is_steering(c) => shown.extend(c.escape_unicode()),
            c => shown.push(c),
        }
    }
    Cow::Owned(shown)
}
