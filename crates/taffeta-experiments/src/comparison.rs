//! Comparisons with a reference: rows, how they are judged, and their table and plot.

use crate::table::{Cell, Table};
use taffeta_render::plot::{Axis, Plot, Series, Style};

/// How a value is judged.
#[derive(Clone, Copy, Debug)]
pub enum Judge {
    /// |found - reference| at most this.
    Within(f64),
    /// |found/reference - 1| at most this.
    Relative(f64),
    /// Between two values.
    Between(f64, f64),
    /// At most the reference.
    AtMost,
    /// The row is shown and not judged.
    Reported,
}

/// A comparison.
#[derive(Clone, Debug)]
pub struct Row {
    /// Section of docs/validation.md, or test of the thesis.
    pub section: &'static str,
    /// What is compared, with mesh, model and method.
    pub what: String,
    pub reference: f64,
    pub found: f64,
    pub judge: Judge,
}

impl Row {
    pub fn new(section: &'static str, what: impl Into<String>, reference: f64, found: f64, judge: Judge) -> Self {
        Self { section, what: what.into(), reference, found, judge }
    }

    /// Whether the row holds.
    pub fn holds(&self) -> bool {
        let (found, reference) = (self.found, self.reference);
        found.is_finite()
            && match self.judge {
                Judge::Within(most) => (found - reference).abs() <= most,
                Judge::Relative(most) => (found / reference - 1.0).abs() <= most,
                Judge::Between(low, high) => (low..=high).contains(&found),
                Judge::AtMost => found <= reference,
                Judge::Reported => true,
            }
    }

    /// What is allowed, in words.
    fn rule(&self) -> String {
        match self.judge {
            Judge::Within(most) => format!("± {most:.1e}"),
            Judge::Relative(most) if most < 1e-4 => format!("± {most:.0e} of it"),
            Judge::Relative(most) => format!("± {:.1} %", 100.0 * most),
            Judge::Between(low, f64::INFINITY) => format!("at least {}", short(low)),
            Judge::Between(f64::NEG_INFINITY, high) => format!("at most {}", short(high)),
            Judge::Between(low, high) => format!("{low:.5} to {high:.5}"),
            Judge::AtMost => "at most".into(),
            Judge::Reported => "reported".into(),
        }
    }

    /// The error as a share of what is allowed, where both are known.
    fn share(&self) -> Option<f64> {
        let error = (self.found - self.reference).abs();
        match self.judge {
            Judge::Within(most) => Some(error / most),
            Judge::Relative(most) => Some(error / (most * self.reference).abs()),
            _ => None,
        }
    }
}

/// A bound with three digits after the point, or a power of ten.
fn short(value: f64) -> String {
    if value != 0.0 && value.abs() < 1e-3 {
        return format!("{value:e}");
    }
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

/// The table of comparisons. `number` says how numbers are shown; a reference that is not a number is left out.
pub fn table(name: &str, title: &str, section: &str, rows: &[Row], number: fn(f64) -> Cell) -> Table {
    let columns = [(section, ""), ("what", ""), ("reference", ""), ("found", ""), ("allowed", "")];
    let mut table = Table::new(name, title, &columns);
    for row in rows {
        let cells = vec![
            Cell::text(row.section),
            Cell::text(&row.what),
            if row.reference.is_nan() { Cell::empty() } else { number(row.reference) },
            number(row.found),
            Cell::text(row.rule()),
        ];
        match row.judge {
            Judge::Reported => table.push(cells),
            _ => table.judge(cells, row.holds()),
        }
    }
    table
}

/// Smaller errors are shown as this share of what is allowed.
const LEAST: f64 = 1e-6;

/// Errors as shares of what is allowed, over the number of their section.
pub fn plot(name: &str, title: &str, rows: &[Row]) -> Plot {
    let chapter =
        |row: &Row| -> f64 { row.section.split('.').next().and_then(|word| word.parse().ok()).unwrap_or(0.0) };
    let mut points: Vec<[f64; 2]> = Vec::new();
    for (i, row) in rows.iter().enumerate() {
        // rows of a section stand beside each other, between its number and the next
        let of = || rows.iter().enumerate().filter(|(_, other)| chapter(other) == chapter(row));
        let (before, all) = (of().filter(|(k, _)| *k < i).count(), of().count());
        let x = chapter(row) + 0.9 * (before as f64 + 0.5) / all as f64;
        points.extend(row.share().map(|share| [x, share.max(LEAST)]));
    }
    let ends = points.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[l, h], p| [l.min(p[0]), h.max(p[0])]);
    Plot {
        name: name.into(),
        title: title.into(),
        x: Axis::linear("section"),
        y: Axis::log(format!("error / allowed; {LEAST:e} stands for less")),
        series: vec![
            Series::new("a row", points, Style::Dots),
            Series::new("all that is allowed", ends.map(|x| [x, 1.0]).to_vec(), Style::Dashed),
        ],
    }
}

#[cfg(test)]
/// Fails with the rows that do not hold.
pub fn assert_all_hold(rows: &[Row]) {
    assert!(!rows.is_empty());
    let failed: Vec<Row> = rows.iter().filter(|row| !row.holds()).cloned().collect();
    assert!(failed.is_empty(), "\n{}", table("", "", "section", &failed, |x| Cell::power(x, 7)).markdown());
}
