//! Shapes as SVG.

use super::PLOT_SIZE;
use super::layout::{Anchor, Shape};

pub(super) fn document(shapes: &[Shape]) -> String {
    let [width, height] = PLOT_SIZE;
    let body: String = shapes.iter().map(element).collect();
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"monospace\" font-size=\"13.5\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n{body}</svg>\n"
    )
}

fn element(shape: &Shape) -> String {
    match shape {
        Shape::Line { points, width, colour, dashed } => {
            let points: Vec<String> = points.iter().map(|[x, y]| format!("{x:.1},{y:.1}")).collect();
            let dashes = if *dashed { " stroke-dasharray=\"8 6\"" } else { "" };
            let (points, colour) = (points.join(" "), hex(*colour));
            format!(
                "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"{dashes}/>\n"
            )
        }
        Shape::Dot { at: [x, y], radius, colour } => {
            format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"{}\"/>\n", hex(*colour))
        }
        Shape::Text { at: [x, y], anchor, text, colour } => {
            let anchor = match anchor {
                Anchor::Start => "start",
                Anchor::Middle => "middle",
                Anchor::End => "end",
            };
            let (colour, text) = (hex(*colour), escaped(text));
            format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"{colour}\">{text}</text>\n")
        }
    }
}

fn hex([r, g, b]: [u8; 3]) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

fn escaped(text: &str) -> String {
    let clean: String = text.chars().filter(|c| !c.is_control()).collect();
    clean.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
