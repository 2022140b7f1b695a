//! Plots of a few series of points: as SVG, and as PNG with the letters of the legends.
//!
//! `layout` turns a plot into lines, dots and texts; `svg` and `draw` only draw them.

mod draw;
mod layout;
mod scale;
mod svg;

use crate::Image;

/// A plot of series over one axis.
#[derive(Clone, Debug, Default)]
pub struct Plot {
    /// A name for its file, without an ending.
    pub name: String,
    /// What it shows, in a line above it.
    pub title: String,
    /// From left to right.
    pub x: Axis,
    /// From the bottom up.
    pub y: Axis,
    /// In the order of the legend.
    pub series: Vec<Series>,
}

/// An axis.
#[derive(Clone, Debug, Default)]
pub struct Axis {
    /// What it measures, with the unit.
    pub label: String,
    /// Equal ratios have equal lengths; values that are not above zero are left out.
    pub log: bool,
}

/// Points that belong together.
#[derive(Clone, Debug, Default)]
pub struct Series {
    /// In the legend.
    pub name: String,
    /// x and y; what is not finite is left out.
    pub points: Vec<[f64; 2]>,
    /// How they are shown.
    pub style: Style,
}

/// How points are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Dots with lines between them.
    #[default]
    LineDots,
    /// Dots alone.
    Dots,
    /// A dashed line: a reference or a fit.
    Dashed,
}

/// Width and height of a plot, pixels.
pub const PLOT_SIZE: [u32; 2] = [900, 560];

impl Plot {
    /// As an SVG document.
    pub fn svg(&self) -> String {
        svg::document(&layout::shapes(self))
    }

    /// As pixels. Letters outside Latin-1 become `?`.
    pub fn image(&self) -> Image {
        draw::image(&layout::shapes(self))
    }
}

impl Axis {
    /// Equal differences have equal lengths.
    pub fn linear(label: impl Into<String>) -> Self {
        Self { label: label.into(), log: false }
    }

    /// Equal ratios have equal lengths.
    pub fn log(label: impl Into<String>) -> Self {
        Self { label: label.into(), log: true }
    }
}

impl Series {
    /// Points with a name.
    pub fn new(name: impl Into<String>, points: Vec<[f64; 2]>, style: Style) -> Self {
        Self { name: name.into(), points, style }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(points: Vec<[f64; 2]>, log: bool) -> Plot {
        let axis = |label: &str| Axis { label: label.into(), log };
        Plot {
            name: "a".into(),
            title: "time < size & more".into(),
            x: axis("vertices"),
            y: axis("ms"),
            series: vec![Series::new("one", points, Style::LineDots)],
        }
    }

    #[test]
    fn texts_are_escaped_in_svg() {
        let svg = plot(vec![[1.0, 2.0], [3.0, 4.0]], false).svg();
        assert!(svg.contains("time &lt; size &amp; more") && svg.contains("polyline"), "{svg}");
    }

    #[test]
    fn points_that_are_nowhere_are_left_out() {
        for log in [false, true] {
            for points in [
                vec![],
                vec![[f64::NAN, 1.0]],
                vec![[0.0, 0.0]],
                vec![[-1.0, f64::INFINITY], [5.0, 5.0]],
                vec![[1e300, 1e-300], [1e-300, 1e300]],
            ] {
                let plot = plot(points, log);
                let svg = plot.svg();
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
                assert_eq!(plot.image().width(), PLOT_SIZE[0]);
            }
        }
    }

    #[test]
    fn picture_and_svg_show_a_dot_at_the_same_place() {
        let plot = plot(vec![[0.0, 0.0], [1.0, 1.0]], false);
        let svg = plot.svg();
        let dot = svg.lines().find(|line| line.starts_with("<circle")).unwrap();
        let number = |key: &str| -> f64 {
            let rest = &dot[dot.find(key).unwrap() + key.len()..];
            rest[..rest.find('"').unwrap()].parse().unwrap()
        };
        let (x, y) = (number("cx=\"") as u32, number("cy=\"") as u32);
        assert_ne!(plot.image().pixel(x, y), Some([255; 3]));
    }
}
