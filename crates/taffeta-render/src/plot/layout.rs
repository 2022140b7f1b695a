//! Layout of a plot: the positions of its lines, dots and texts.

use super::scale::Scale;
use super::{PLOT_SIZE, Plot, Style};

/// Something to draw, in pixels from the upper left corner.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    Line { points: Vec<[f64; 2]>, width: f64, colour: [u8; 3], dashed: bool },
    Dot { at: [f64; 2], radius: f64, colour: [u8; 3] },
    Text { at: [f64; 2], anchor: Anchor, text: String, colour: [u8; 3] },
}

/// Which part of a text is at its position, which lies on the baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// Width of a letter, pixels.
const ADVANCE: f64 = 8.0;
const INK: [u8; 3] = [40, 40, 40];
const GRID: [u8; 3] = [224, 224, 224];
/// After P. Tol's bright scheme, which suits colour-blind readers too.
const COLOURS: [[u8; 3]; 6] =
    [[68, 119, 170], [238, 102, 119], [34, 136, 51], [204, 153, 34], [102, 204, 238], [170, 51, 119]];

/// All shapes of a plot, from back to front.
pub(super) fn shapes(plot: &Plot) -> Vec<Shape> {
    let [width, height] = PLOT_SIZE.map(f64::from);
    let names: Vec<&str> = plot.series.iter().map(|series| series.name.as_str()).collect();
    let rows = legend_rows(&names, width - 60.0);
    let (left, right) = (80.0, width - 30.0);
    let (top, bottom) = (76.0 + 22.0 * rows.len() as f64, height - 56.0);
    let all = || plot.series.iter().flat_map(|series| &series.points);
    let x = Scale::new(&plot.x, all().map(|point| point[0]), [left, right]);
    let y = Scale::new(&plot.y, all().map(|point| point[1]), [bottom, top]);

    let mut shapes = Vec::new();
    let mut text = |at: [f64; 2], anchor: Anchor, text: &str| {
        shapes.push(Shape::Text { at, anchor, text: text.into(), colour: INK });
    };
    text([20.0, 26.0], Anchor::Start, &plot.title);
    text([20.0, top - 16.0], Anchor::Start, &plot.y.label);
    text([0.5 * (left + right), height - 12.0], Anchor::Middle, &plot.x.label);
    let line = |points: Vec<[f64; 2]>, colour: [u8; 3]| Shape::Line { points, width: 1.0, colour, dashed: false };
    for (value, number) in x.numbers() {
        let Some(at) = x.place(value) else { continue };
        shapes.push(line(vec![[at, top], [at, bottom]], GRID));
        shapes.push(Shape::Text { at: [at, bottom + 20.0], anchor: Anchor::Middle, text: number, colour: INK });
    }
    for (value, number) in y.numbers() {
        let Some(at) = y.place(value) else { continue };
        shapes.push(line(vec![[left, at], [right, at]], GRID));
        shapes.push(Shape::Text { at: [left - 8.0, at + 5.0], anchor: Anchor::End, text: number, colour: INK });
    }
    shapes.push(line(vec![[left, top], [left, bottom], [right, bottom]], INK));
    for (i, series) in plot.series.iter().enumerate() {
        let place = |point: &[f64; 2]| Some([x.place(point[0])?, y.place(point[1])?]);
        let points: Vec<[f64; 2]> = series.points.iter().filter_map(place).collect();
        shapes.extend(marks(points, series.style, colour(i)));
    }
    for (row, names) in rows.iter().enumerate() {
        let at = 50.0 + 22.0 * row as f64;
        for &(i, begin) in names {
            let key = match plot.series[i].style {
                Style::Dots => vec![[begin + 14.0, at - 5.0]],
                _ => vec![[begin, at - 5.0], [begin + 28.0, at - 5.0]],
            };
            shapes.extend(marks(key, plot.series[i].style, colour(i)));
            let text = plot.series[i].name.clone();
            shapes.push(Shape::Text { at: [begin + 36.0, at], anchor: Anchor::Start, text, colour: INK });
        }
    }
    shapes
}

fn colour(series: usize) -> [u8; 3] {
    COLOURS[series % COLOURS.len()]
}

/// The shapes of one series.
fn marks(points: Vec<[f64; 2]>, style: Style, colour: [u8; 3]) -> Vec<Shape> {
    let dot = |&at: &[f64; 2]| Shape::Dot { at, radius: if style == Style::Dots { 2.5 } else { 4.0 }, colour };
    let dots: Vec<Shape> = if style == Style::Dashed { Vec::new() } else { points.iter().map(dot).collect() };
    let line = (style != Style::Dots && points.len() > 1).then(|| Shape::Line {
        points,
        width: 2.0,
        colour,
        dashed: style == Style::Dashed,
    });
    line.into_iter().chain(dots).collect()
}

/// Which names are in each row of the legend, and where they begin.
fn legend_rows(names: &[&str], room: f64) -> Vec<Vec<(usize, f64)>> {
    let mut rows: Vec<Vec<(usize, f64)>> = Vec::new();
    let mut next = f64::INFINITY;
    for (i, name) in names.iter().enumerate() {
        let width = 60.0 + ADVANCE * name.chars().count() as f64;
        if next + width > room {
            next = 20.0;
            rows.push(Vec::new());
        }
        if let Some(row) = rows.last_mut() {
            row.push((i, next));
        }
        next += width;
    }
    rows
}
