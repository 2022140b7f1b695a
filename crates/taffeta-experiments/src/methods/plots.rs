//! Quality over time: a dot for each row, a colour for each family of methods, a dashed line for the reference.

use super::rows::family;
use super::run::Figures;
use super::scene::TIMES;
use taffeta_render::plot::{Axis, Plot, Series, Style};

type Rows = [(&'static str, Figures)];

/// Index of the time whose heights are shown, if it was reached: 1 s. Methods differ there, and references agree.
const SHOWN: usize = 2;

/// Heights of the centre of mass.
pub fn heights(name: &str, title: &str, rows: &Rows, reference: &[f64]) -> Plot {
    let reached = rows.iter().map(|(_, figures)| figures.heights.len()).max().unwrap_or(0);
    let i = SHOWN.min(reached.saturating_sub(1));
    let label = format!("height of the centre of mass at {} s, m", TIMES[i]);
    let value = |figures: &Figures| figures.heights.get(i).copied();
    plot(format!("{name}-height"), title, label, rows, value, reference.get(i).copied())
}

/// Energies at the end.
pub fn energies(name: &str, title: &str, rows: &Rows, reference: f64) -> Plot {
    let label = "kinetic and gravity energy at 3 s, J".into();
    plot(format!("{name}-energy"), title, label, rows, |figures| figures.energy, Some(reference))
}

fn plot(
    name: String,
    title: &str,
    label: String,
    rows: &Rows,
    value: impl Fn(&Figures) -> Option<f64>,
    reference: Option<f64>,
) -> Plot {
    let mut series: Vec<Series> = Vec::new();
    for (name, figures) in rows {
        let Some(value) = value(figures) else { continue };
        let point = [figures.ms(), value];
        match series.iter_mut().find(|series| series.name == family(name)) {
            Some(series) => series.points.push(point),
            None => series.push(Series::new(family(name), vec![point], Style::Dots)),
        }
    }
    let times = || series.iter().flat_map(|series| &series.points).map(|point| point[0]);
    let ends = [times().fold(f64::INFINITY, f64::min), times().fold(0.0, f64::max)];
    if let Some(reference) = reference {
        series.push(Series::new("reference", ends.map(|x| [x, reference]).to_vec(), Style::Dashed));
    }
    Plot { name, title: title.into(), x: Axis::log("CPU ms a frame"), y: Axis::linear(label), series }
}
