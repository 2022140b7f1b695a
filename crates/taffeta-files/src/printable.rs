//! Text from files on a terminal: control characters are shown, not executed.

use std::borrow::Cow;

/// Whether a character controls a terminal instead of being displayed: control characters, including line ends, and
/// characters that change the direction of writing.
pub fn is_steering(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Text in a displayable form on one line: `\u{1b}` replaces an escape character and `\n` a line end.
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
