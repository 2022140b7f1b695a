//! Tables: as text for terminals, as Markdown and as CSV.

/// A table with units and verdicts.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// A name for its file, without an ending.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// Columns from left to right.
    pub columns: Vec<Column>,
    /// Rows from the top down.
    pub rows: Vec<Row>,
}

/// A column.
#[derive(Clone, Debug, Default)]
pub struct Column {
    /// The name at its head.
    pub name: String,
    /// Its unit; empty if there is none.
    pub unit: &'static str,
}

/// A row.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// One cell for each column.
    pub cells: Vec<Cell>,
    /// Whether the row holds; `None` if it is not judged.
    pub verdict: Option<bool>,
}

/// A value of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    /// As it is shown.
    pub text: String,
    /// With all its digits, if it is a number.
    pub value: Option<f64>,
}

impl Cell {
    /// A cell with words.
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), value: None }
    }

    /// A number, shown with so many digits after the point.
    pub fn fixed(value: f64, digits: usize) -> Self {
        Self { text: format!("{value:.digits$}"), value: Some(value) }
    }

    /// A number, shown with a power of ten.
    pub fn power(value: f64, digits: usize) -> Self {
        Self { text: format!("{value:.digits$e}"), value: Some(value) }
    }

    /// A whole number.
    pub fn count(value: u64) -> Self {
        Self { text: value.to_string(), value: Some(value as f64) }
    }

    /// An empty cell.
    pub fn empty() -> Self {
        Self::default()
    }
}

impl Table {
    /// An empty table. Columns are names and units.
    pub fn new(name: &str, title: &str, columns: &[(&str, &'static str)]) -> Self {
        let columns = columns.iter().map(|&(name, unit)| Column { name: name.into(), unit }).collect();
        Self { name: name.into(), title: title.into(), columns, rows: Vec::new() }
    }

    /// Adds a row that is not judged.
    pub fn push(&mut self, cells: Vec<Cell>) {
        self.rows.push(Row { cells, verdict: None });
    }

    /// Adds a row that is judged.
    pub fn judge(&mut self, cells: Vec<Cell>, holds: bool) {
        self.rows.push(Row { cells, verdict: Some(holds) });
    }

    /// Heads and rows as they are shown, the verdict last where there is one.
    fn shown(&self) -> Vec<Vec<String>> {
        let judged = self.rows.iter().any(|row| row.verdict.is_some());
        let head = self.columns.iter().map(|column| match column.unit {
            "" => column.name.clone(),
            unit => format!("{}, {unit}", column.name),
        });
        let mut lines = vec![head.chain(judged.then(String::new)).collect::<Vec<_>>()];
        for row in &self.rows {
            let verdict = judged.then(|| verdict(row.verdict).to_string());
            lines.push(row.cells.iter().map(|cell| cell.text.clone()).chain(verdict).collect());
        }
        lines
    }

    /// Whether a column has numbers, which stand at the right.
    fn is_number(&self, column: usize) -> bool {
        self.rows.iter().any(|row| row.cells.get(column).is_some_and(|cell| cell.value.is_some()))
    }

    /// As text for a terminal.
    pub fn text(&self) -> String {
        let lines = self.shown();
        let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
        let length = |line: &[String], i: usize| line.get(i).map_or(0, |cell| cell.chars().count());
        let widths: Vec<usize> =
            (0..columns).map(|i| lines.iter().map(|line| length(line, i)).max().unwrap_or(0)).collect();
        let mut text = format!("{}\n", self.title);
        for line in &lines {
            let cells = line.iter().enumerate().map(|(i, cell)| match self.is_number(i) {
                true => format!("{cell:>0$}", widths[i]),
                false => format!("{cell:<0$}", widths[i]),
            });
            text += cells.collect::<Vec<_>>().join("  ").trim_end();
            text += "\n";
        }
        text
    }

    /// As Markdown.
    pub fn markdown(&self) -> String {
        let lines = self.shown();
        let escaped = |cell: &String| cell.replace('|', "\\|");
        let line = |cells: &[String]| format!("| {} |\n", cells.iter().map(escaped).collect::<Vec<_>>().join(" | "));
        let rule: String = (0..lines[0].len()).map(|i| if self.is_number(i) { "---:|" } else { "---|" }).collect();
        let rows: String = lines[1..].iter().map(|cells| line(cells)).collect();
        format!("{}|{rule}\n{rows}", line(&lines[0]))
    }

    /// As CSV: numbers with all their digits, units in the head, the verdict last.
    pub fn csv(&self) -> String {
        let head = self.columns.iter().map(|column| match column.unit {
            "" => column.name.clone(),
            unit => format!("{} [{unit}]", column.name),
        });
        let mut text = csv_line(head.chain(["verdict".into()]));
        for row in &self.rows {
            let cells = row.cells.iter().map(|cell| match cell.value {
                Some(value) => format!("{value}"),
                None => cell.text.clone(),
            });
            let verdict = match row.verdict {
                None => "",
                Some(true) => "ok",
                Some(false) => "no",
            };
            text += &csv_line(cells.chain([verdict.into()]));
        }
        text
    }
}

fn verdict(verdict: Option<bool>) -> &'static str {
    match verdict {
        None => "",
        Some(true) => "ok",
        Some(false) => "**no**",
    }
}

/// After RFC 4180: quotes where there are commas or quotes.
fn csv_line(cells: impl Iterator<Item = String>) -> String {
    let quoted = |cell: String| match cell.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell,
    };
    cells.map(quoted).collect::<Vec<_>>().join(",") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::new("a", "Title", &[("what", ""), ("time", "ms")]);
        table.judge(vec![Cell::text("x, \"y\" | z"), Cell::fixed(1.0 / 3.0, 2)], false);
        table.push(vec![Cell::text("w"), Cell::count(12)]);
        table
    }

    #[test]
    fn csv_keeps_all_digits_and_quotes_commas() {
        let csv = "what,time [ms],verdict\n\"x, \"\"y\"\" | z\",0.3333333333333333,no\nw,12,\n";
        assert_eq!(table().csv(), csv);
    }

    #[test]
    fn text_is_in_columns() {
        assert_eq!(
            table().text(),
            "Title\nwhat        time, ms\nx, \"y\" | z      0.33  **no**\nw                 12\n"
        );
    }

    #[test]
    fn markdown_escapes_bars() {
        let text = "| what | time, ms |  |\n|---|---:|---|\n| x, \"y\" \\| z | 0.33 | **no** |\n| w | 12 |  |\n";
        assert_eq!(table().markdown(), text);
    }
}
