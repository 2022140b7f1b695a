//! Plots of a few series of points, as SVG and as PNG with the font of the legends.
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
    /// File name without an ending.
    pub name: String,
    /// Title above the plot.
    pub title: String,
    /// Horizontal axis, from left to right.
    pub x: Axis,
    /// Vertical axis, from bottom to top.
    pub y: Axis,
    /// The series, in the order of the legend.
    pub series: Vec<Series>,
}

/// An axis.
#[derive(Clone, Debug, Default)]
pub struct Axis {
    /// What the axis measures, with the unit.
    pub label: String,
    /// Whether the axis is logarithmic; values that are not positive are then left out.
    pub log: bool,
}

/// A named series of points.
#[derive(Clone, Debug, Default)]
pub struct Series {
    /// Name in the legend.
    pub name: String,
    /// x and y; points that are not finite are left out.
    pub points: Vec<[f64; 2]>,
    /// How the points are shown.
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
    /// The plot as an SVG document.
    pub fn svg(&self) -> String {
        svg::document(&layout::shapes(self))
    }

    /// The plot as pixels. Characters outside Latin-1 become `?`.
    pub fn image(&self) -> Image {
        draw::image(&layout::shapes(self))
    }
}

impl Axis {
    /// A linear axis.
    pub fn linear(label: impl Into<String>) -> Self {
        Self { label: label.into(), log: false }
    }

    /// A logarithmic axis.
    pub fn log(label: impl Into<String>) -> Self {
        Self { label: label.into(), log: true }
    }
}

impl Series {
    /// A series with a name.
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
