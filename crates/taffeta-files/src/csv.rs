//! Motions from CSV: `t,x,y,z` in seconds and metres, one key per row.

use crate::problem::{Collector, Problems, ReadError};
use crate::text::{self, hopeless, number};
use crate::wrong::Wrong;
use std::path::Path;
use taffeta::{Key, Vec3};

/// Reads the keys of a motion from a file.
pub fn read_motion(path: &Path) -> Result<Vec<Key>, ReadError> {
    text::read_with(path, parse_motion)
}

/// Reads the keys of a motion. The first row may be a header; empty rows and rows that begin with `#` are skipped.
///
/// ```
/// let keys = taffeta_files::csv::parse_motion(b"t,x,y,z\n0,0,0,0\n0.5,0,0.1,0\n")?;
/// assert_eq!(keys[1].shift.y, 0.1);
/// # Ok::<(), taffeta_files::Problems>(())
/// ```
pub fn parse_motion(bytes: &[u8]) -> Result<Vec<Key>, Problems> {
    let mut problems = Collector::default();
    if let Some(wrong) = hopeless(bytes) {
        problems.add(None, wrong);
        return problems.finish(Vec::new());
    }
    let mut keys: Vec<Key> = Vec::new();
    let mut first_row = true;
    for (line, text) in text::lines(bytes) {
        let text = text.trim_ascii();
        if text.is_empty() || text.starts_with(b"#") {
            continue;
        }
        let values: Vec<&[u8]> = text.split(|&b| b == b',').take(6).map(|v| unquoted(v.trim_ascii())).collect();
        let is_header = first_row && values.iter().all(|v| v.first().is_some_and(u8::is_ascii_alphabetic));
        // `nan` and `inf` are letters too, but not names of columns
        let is_header = is_header && !values.iter().any(|v| matches!(number(v), Err(Wrong::NotFinite { .. })));
        first_row = false;
        if is_header {
            continue;
        }
        if values.len() != 4 {
            problems.add(line, Wrong::ValueCount { found: text.split(|&b| b == b',').count() });
            continue;
        }
        let mut row = [0.0; 4];
        let mut whole = true;
        for (slot, value) in row.iter_mut().zip(&values) {
            match number(value) {
                Ok(number) => *slot = number,
                Err(wrong) => {
                    problems.add(line, wrong);
                    whole = false;
                }
            }
        }
        if !whole {
            continue;
        }
        let [t, x, y, z] = row;
        if let Some(previous) = keys.last().map(|key| key.t).filter(|&previous| t <= previous) {
            problems.add(line, Wrong::TimeNotRising { time: t, previous });
            continue;
        }
        keys.push(Key { t, shift: Vec3::new(x, y, z), turn: Vec3::ZERO });
    }
    if keys.is_empty() && problems.is_empty() {
        problems.add(None, Wrong::NoRows);
    }
    problems.finish(keys)
}

/// Removes the quotes that spreadsheets put around cells.
fn unquoted(value: &[u8]) -> &[u8] {
    value.strip_prefix(b"\"").and_then(|v| v.strip_suffix(b"\"")).unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(text: &str) -> Vec<(Option<usize>, Wrong)> {
        let problems = parse_motion(text.as_bytes()).expect_err(text);
        assert!(problems.list.iter().all(|p| !p.help().is_empty()));
        problems.list.into_iter().map(|p| (p.line, p.wrong)).collect()
    }

    #[test]
    fn header_comments_quotes_spaces_and_crlf_are_understood() {
        let keys = parse_motion(b"\"t\",x,y,z\r\n# lift\r\n0, 0, 0, 0\r\n\r\n\"1.5\",1e-1,-2,3\r\n").unwrap();
        assert_eq!(keys.len(), 2);
        assert_eq!((keys[1].t, keys[1].shift, keys[1].turn), (1.5, Vec3::new(0.1, -2.0, 3.0), Vec3::ZERO));
        assert_eq!(parse_motion(b"0,0,0,0").unwrap().len(), 1, "no header, no last line end");
    }

    #[test]
    fn every_mistake_is_named_with_its_line() {
        let found = problems("t,x,y,z\n0,0,0,0\n0,1,1,1\n1,2,3\n2,a,nan,1e300\n3,1,2,3,4\n-1,0,0,0\n");
        let expected = vec![
            (Some(3), Wrong::TimeNotRising { time: 0.0, previous: 0.0 }),
            (Some(4), Wrong::ValueCount { found: 3 }),
            (Some(5), Wrong::NotANumber { text: "a".into() }),
            (Some(5), Wrong::NotFinite { text: "nan".into() }),
            (Some(5), Wrong::TooFar { text: "1e300".into() }),
            (Some(6), Wrong::ValueCount { found: 5 }),
            (Some(7), Wrong::TimeNotRising { time: -1.0, previous: 0.0 }),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn files_without_a_row_say_so() {
        assert_eq!(problems(""), [(None, Wrong::Empty)]);
        assert_eq!(problems("t,x,y,z\n"), [(None, Wrong::NoRows)]);
        assert_eq!(problems("a\0b"), [(None, Wrong::Binary)]);
        assert_eq!(problems("nan,nan,nan,nan")[0].1, Wrong::NotFinite { text: "nan".into() });
    }
}
