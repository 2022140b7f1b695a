//! Changes one value in a TOML text and nothing else: comments, order and spaces stay.

use crate::{
    document::Path,
    tree::{Node, TableForm, quote},
};

/// Sets the value at a path, given in TOML, and creates the tables that it needs.
pub(crate) fn set(text: &str, root: &Node, path: &Path, value: &str) -> Result<String, String> {
    let get = |n: usize| path[..n].iter().try_fold(root, |node, key| node.get(key));
    let mut out = text.to_string();
    match get(path.len()) {
        None => {}
        Some(node) if has_header(node, text) => {
            if !node.is_table() {
                return Err("it is written as several tables".into());
            }
            // a table with its own lines is removed before the line that replaces it is added
            let region = region(text, root, node);
            out.replace_range(region, "");
            let (root, _) = crate::tree::parse(&out);
            return set(&out, &root, path, value);
        }
        Some(node) if node.is_table() && node.form(text) == TableForm::Implied => {
            return Err("it is written as several lines with points in their keys".into());
        }
        Some(node) => {
            out.replace_range(node.span.clone(), value);
            return Ok(out);
        }
    }

    // the innermost table that is written out in the text takes the line
    let holds =
        |n: &usize| get(*n).is_some_and(|node| *n == 0 || node.is_table() && node.form(text) != TableForm::Implied);
    let depth = (0..path.len()).rev().find(holds).unwrap_or(0);
    let Some(table) = get(depth) else { return Err("there is no such table".into()) };
    let key: Vec<String> = path[depth..].iter().map(|part| bare(part)).collect();
    let line = format!("{} = {value}", key.join("."));
    if depth > 0 && table.form(text) == TableForm::Inline {
        let (at, inserted) = match table.entries().iter().map(|entry| last_byte(&entry.node)).max() {
            Some(end) => (end, format!(", {line}")),
            None => (table.span.start + 1, format!(" {line} ")),
        };
        out.insert_str(at, &inserted);
        return Ok(out);
    }

    // after the last line of the table, before the next header
    let start = if depth == 0 { 0 } else { table.span.end };
    let end = headers(root, text).into_iter().find(|&at| at >= start).unwrap_or(text.len());
    let new_line = if text.contains("\r\n") { "\r\n" } else { "\n" };
    match ends(table).into_iter().filter(|&at| at > start && at <= end).max() {
        None if depth == 0 => {
            out.insert_str(text.len() - text.trim_start_matches('\u{feff}').len(), &(line + new_line))
        }
        last => {
            let from = last.unwrap_or(start);
            let at = text[from..].find(['\r', '\n']).map_or(text.len(), |i| from + i);
            out.insert_str(at, &format!("{new_line}{line}"));
        }
    }
    Ok(out)
}

fn bare(part: &str) -> String {
    let plain = !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    if plain { part.to_string() } else { quote(part) }
}

/// Whether a table, or the tables of an array, have headers.
fn has_header(node: &Node, text: &str) -> bool {
    let is = |node: &Node| node.is_table() && node.form(text) == TableForm::Header;
    is(node) || node.items().first().is_some_and(is)
}

/// Where headers begin, in the order of the text.
fn headers(root: &Node, text: &str) -> Vec<usize> {
    fn collect(node: &Node, text: &str, found: &mut Vec<usize>) {
        for child in node.entries().iter().map(|entry| &entry.node).chain(node.items()) {
            if child.is_table() && child.form(text) == TableForm::Header {
                found.push(child.span.start);
            }
            collect(child, text, found);
        }
    }
    let mut found = Vec::new();
    collect(root, text, &mut found);
    found.sort_unstable();
    found
}

/// A header with its lines and the tables below it, without the comment above the next header.
fn region(text: &str, root: &Node, table: &Node) -> std::ops::Range<usize> {
    let own = headers(table, text);
    let next = headers(root, text).into_iter().find(|at| *at > table.span.start && !own.contains(at));
    let start = text[..table.span.start].rfind('\n').map_or(0, |i| i + 1);
    let Some(next) = next else { return start..text.len() };
    let mut end = text[..next].rfind('\n').map_or(0, |i| i + 1);
    while let Some(above) = text[..end.saturating_sub(1)].rfind('\n').map(|i| i + 1) {
        let line = text[above..end].trim();
        if above <= table.span.end || !(line.is_empty() || line.starts_with('#')) {
            break;
        }
        end = above;
    }
    start..end
}

/// Ends of all values of a table that are on its own lines, not below other headers.
fn ends(table: &Node) -> Vec<usize> {
    table.entries().iter().flat_map(|entry| std::iter::once(last_byte(&entry.node)).chain(ends(&entry.node))).collect()
}

/// The end of a node; a table made by a dotted key ends with its last value.
fn last_byte(node: &Node) -> usize {
    node.entries().iter().map(|entry| last_byte(&entry.node)).chain([node.span.end]).max().unwrap_or(node.span.end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{document::path, tree::parse};

    fn set_in(text: &str, key: &str, value: &str) -> String {
        let (root, errors) = parse(text);
        assert!(errors.is_empty());
        let out = set(text, &root, &path(key), value).unwrap();
        let (root, errors) = parse(&out);
        assert!(errors.is_empty(), "{out}");
        assert!(path(key).iter().try_fold(&root, |node, part| node.get(part)).is_some(), "{key}:\n{out}");
        out
    }

    #[test]
    fn values_change_and_comments_stay() {
        let text = "# head\ntitle = \"a\" # t\n\n[time] # frames\nfps = 60 # many\n# about cloth\n[[cloth]]\n\
            grid = { size = [1, 2] }\n";
        assert_eq!(set_in(text, "time.fps", "30"), text.replace("60", "30"));
        assert_eq!(set_in(text, "time.step", "0.1"), text.replace("# many\n", "# many\nstep = 0.1\n"));
        assert_eq!(set_in(text, "gravity", "[0, 0, 0]"), text.replace("# t\n", "# t\ngravity = [0, 0, 0]\n"));
        assert_eq!(set_in(text, "air.gust.seed", "1"), text.replace("# t\n", "# t\nair.gust.seed = 1\n"));
        assert_eq!(set_in(text, "cloth.0.grid.size.1", "3"), text.replace("[1, 2]", "[1, 3]"));
        assert_eq!(
            set_in(text, "cloth.0.grid.pattern", "\"x\""),
            text.replace("[1, 2] }", "[1, 2], pattern = \"x\" }")
        );
        assert_eq!(set_in(text, "cloth.0.noise.size", "1"), text.replace("[1, 2] }", "[1, 2] }\nnoise.size = 1"));
    }

    #[test]
    fn a_table_with_lines_of_its_own_can_be_replaced_by_a_line() {
        let text = "[[cloth]]\nmesh = \"a\"\n\n[cloth.fabric]\nbend = 1 # b\n[cloth.fabric.damping]\nair = 1\n\n\
            # pins\n[[cloth.pin]]\n";
        assert_eq!(
            set_in(text, "cloth.0.fabric", "\"silk\""),
            "[[cloth]]\nmesh = \"a\"\nfabric = \"silk\"\n\n\n# pins\n[[cloth.pin]]\n"
        );
    }

    #[test]
    fn later_values_join_earlier_ones_in_the_same_table() {
        let once = set_in("[[cloth]]\n", "air.wind", "[1, 0, 0]");
        let twice = set_in(&once, "air.drag", "1.0");
        assert_eq!(twice, "air.wind = [1, 0, 0]\nair.drag = 1.0\n[[cloth]]\n");
        assert_eq!(set_in("[a.b]\nc = 1\n", "a.d", "2"), "a.d = 2\n[a.b]\nc = 1\n");
        assert_eq!(set_in("[a]\r\nc = 1\r\n", "a.d", "2"), "[a]\r\nc = 1\r\nd = 2\r\n");
        assert_eq!(set_in("a = {}", "a.d", "2"), "a = { d = 2 }");
    }
}
