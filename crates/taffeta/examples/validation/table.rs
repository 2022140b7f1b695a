//! A row for each comparison with a reference.

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
    /// Shown, not judged.
    Reported,
}

/// A comparison.
#[derive(Clone, Debug)]
pub struct Row {
    /// Section of docs/validation.md.
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

    /// Whether it is as it should be.
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

    /// As a line of a Markdown table.
    pub fn line(&self) -> String {
        let rule = match self.judge {
            Judge::Within(most) => format!("± {most:.1e}"),
            Judge::Relative(most) if most < 1e-4 => format!("± {most:.0e} of it"),
            Judge::Relative(most) => format!("± {:.1} %", 100.0 * most),
            Judge::Between(low, high) => format!("{low:.5} to {high:.5}"),
            Judge::AtMost => "at most".into(),
            Judge::Reported => "reported".into(),
        };
        let verdict = match (self.judge, self.holds()) {
            (Judge::Reported, _) => "",
            (_, true) => "ok",
            (_, false) => "**no**",
        };
        format!(
            "| {} | {} | {:.7e} | {:.7e} | {rule} | {verdict} |",
            self.section, self.what, self.reference, self.found
        )
    }
}
