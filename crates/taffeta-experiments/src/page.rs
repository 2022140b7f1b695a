//! An outcome as files: tables as CSV, plots as SVG and PNG, and a page that shows them together.

use crate::{Context, Experiment, Outcome};
use std::io;

/// Rows of a table that a page shows; the CSV has all.
const MOST_ROWS: usize = 200;

/// Names and contents of the files.
pub fn files(experiment: &Experiment, context: &Context, outcome: &Outcome) -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut files = vec![("report.md".to_string(), page(experiment, context, outcome).into_bytes())];
    for table in &outcome.tables {
        files.push((format!("{}.csv", table.name), table.csv().into_bytes()));
    }
    for plot in &outcome.plots {
        files.push((format!("{}.svg", plot.name), plot.svg().into_bytes()));
        let mut png = Vec::new();
        plot.image().write_png(&mut png)?;
        files.push((format!("{}.png", plot.name), png));
    }
    Ok(files)
}

/// The command that makes the same result.
pub(crate) fn command(experiment: &Experiment, context: &Context) -> String {
    let mut command = format!("taffeta experiment {}", experiment.name);
    context.parts.iter().for_each(|part| command += &format!(" {part}"));
    if context.quick { command + " --quick" } else { command }
}

fn page(experiment: &Experiment, context: &Context, outcome: &Outcome) -> String {
    let Experiment { name, about, .. } = experiment;
    let system = format!("{} {}", std::env::consts::OS, std::env::consts::ARCH);
    let mut page = format!(
        "# {name}\n{about}\n\nMade by `{}`, taffeta {}, {system}.\n",
        command(experiment, context),
        env!("CARGO_PKG_VERSION")
    );
    let [judged, failed] = outcome.judged();
    if judged > 0 {
        page += &format!("{judged} rows are judged, {failed} do not hold.\n");
    }
    outcome.notes.iter().for_each(|note| page += &format!("\n{note}\n"));
    for plot in &outcome.plots {
        page += &format!("\n![{}]({}.svg)\n", plot.title, plot.name);
    }
    for table in &outcome.tables {
        let file = format!("{}.csv", table.name);
        page += &format!("\n## {}\nAll digits: [{file}]({file})\n\n", table.title);
        let mut short = table.clone();
        // rows that do not hold are shown wherever they are
        let mut number = 0;
        short.rows.retain(|row| {
            number += 1;
            number <= MOST_ROWS || row.verdict == Some(false)
        });
        page += &short.markdown();
        if short.rows.len() < table.rows.len() {
            page += &format!("\n{} more rows that hold are in the CSV.\n", table.rows.len() - short.rows.len());
        }
    }
    page
}
