//! Checks whether a cloth's edges are short enough for the shapes of bodies.
//!
//! Contact holds vertices, and edges and triangles over sharp parts of a body. The cloth between them follows a body
//! only if edges are short. Up to these bounds no point was deeper than one thickness, with bodies at rest and fast
//! ones.

use crate::setup::Warning;
use crate::solid::shape::Exact;
use crate::world::World;

/// Longest edge as a share of the smallest radius of curvature. It is the diagonal of a grid whose cells are a fifth of
/// the radius.
const ROUND: f64 = 0.3;

/// Longest edge in thicknesses of a plate or a blade.
const THIN: f64 = 4.0;

/// Effects that long edges may have on a cloth on a body, the worst last.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
enum Coarse {
    /// The edge is longer than [`ROUND`] of this radius, m.
    Round(f64),
    /// The edge is longer than [`THIN`] times this thickness, m.
    Thin(f64),
    /// The edge is longer than this width, m: the body fits through a triangle.
    Small(f64),
}

impl Coarse {
    /// The effect of edges of this length, if there is one.
    fn of(exact: &Exact, longest: f64) -> Option<Self> {
        let thick = 2.0 * exact.thinnest();
        // the width of a ring or a rod is its thickness: a thin one fits through a triangle, however long it is
        let (width, round) = (exact.width(), exact.bend());
        if longest > width {
            Some(Self::Small(width))
        } else if longest > THIN * thick {
            Some(Self::Thin(thick))
        } else {
            (longest > ROUND * round).then_some(Self::Round(round))
        }
    }
}

/// The longest edge that a body allows, m.
fn allowed(exact: &Exact) -> f64 {
    let mut longest = f64::INFINITY;
    while let Some(coarse) = Coarse::of(exact, longest) {
        longest = match coarse {
            Coarse::Round(radius) => ROUND * radius,
            Coarse::Thin(thick) => THIN * thick,
            Coarse::Small(width) => width,
        };
    }
    longest
}

impl World {
    /// Warns of edges that are too long for a body, once for all bodies of the same shape.
    pub(super) fn warn_of_long_edges(&mut self) {
        let length = |vertices: &std::ops::Range<usize>| {
            let own = self.edges.iter().filter(|edge| vertices.contains(&(edge.v[0] as usize)));
            own.map(|edge| edge.rest).fold(0.0, f64::max)
        };
        let longest = self.cloths.iter().map(|cloth| (length(&cloth.vertices), &cloth.name));
        let Some((longest, cloth)) = longest.max_by(|a, b| a.0.total_cmp(&b.0)) else { return };
        for (s, solid) in self.solids.iter().enumerate() {
            let Some(coarse) = Coarse::of(&solid.exact, longest) else { continue };
            let same = |list: &[crate::solid::Solid]| list.iter().filter(|o| o.exact == solid.exact).count();
            if same(&self.solids[..s]) > 0 {
                continue;
            }
            let body = &self.bodies[solid.body as usize].name;
            let like = match same(&self.solids[s + 1..]) {
                0 => String::new(),
                more => format!(" and {more} more like it"),
            };
            let (why, what) = match coarse {
                Coarse::Round(radius) => (
                    format!("for the radius of `{body}`{like} ({})", millimetres(radius, f64::round)),
                    "between its vertices it may be deeper inside than it is thick",
                ),
                Coarse::Thin(thick) => (
                    format!("for the thickness of `{body}`{like} ({})", millimetres(thick, f64::round)),
                    "it may be cut between its vertices",
                ),
                Coarse::Small(width) => (
                    format!("for `{body}`{like}, which is only {} wide", millimetres(width, f64::round)),
                    "it may slip through between vertices",
                ),
            };
            self.warnings.push(Warning {
                path: format!("body.{}", solid.body),
                message: format!(
                    "edges of `{cloth}` are too long, up to {}, {why}: {what}; use edges of at most {}, or a \
                     larger body",
                    millimetres(longest, f64::round),
                    millimetres(allowed(&solid.exact), f64::floor),
                ),
            });
        }
    }
}

/// A length in m as text in millimetres with two digits.
fn millimetres(length: f64, rounded: impl Fn(f64) -> f64) -> String {
    let value = 1000.0 * length;
    let size = 10f64.powf(value.log10().floor() - 1.0);
    // the small addend keeps rounding from changing a whole number
    let digits = rounded(value / size + 1e-9) * size;
    let places = if size < 1.0 { (-size.log10()).round() as usize } else { 0 };
    format!("{digits:.places$} mm")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Vec3;
    use crate::setup::{Body, Cloth, Mesh, Pattern, Place, Setup, Shape};

    /// Warnings of a sheet with square cells of 40 mm far above a body.
    fn warnings(shapes: &[Shape]) -> Vec<String> {
        let cloth = Cloth::new("sheet", Mesh::grid([0.4, 0.4], [10, 10], Pattern::Alternating).unwrap());
        let place = |i: usize| Place { at: Vec3::new(0.0, -9.0 * (1.0 + i as f64), 0.0), ..Place::default() };
        let body = |(i, shape): (usize, &Shape)| {
            let name = format!("body {i}");
            Body { name, shape: shape.clone(), place: place(i), ..Body::default() }
        };
        let bodies = shapes.iter().enumerate().map(body).collect();
        let world = World::new(Setup { bodies, ..Setup::with_cloth(cloth) }).unwrap();
        world.warnings.into_iter().map(|warning| format!("{}: {}", warning.path, warning.message)).collect()
    }

    /// Diagonals are 56.6 mm long.
    #[test]
    fn edges_are_compared_with_radius_thickness_and_width() {
        let cases = [
            (Shape::Plane, ""),
            (Shape::Sphere { radius: 0.2 }, ""),
            (Shape::Sphere { radius: 0.18 }, "up to 57 mm, for the radius of `body 0` (180 mm)"),
            (Shape::Sphere { radius: 0.18 }, "at most 54 mm"),
            (Shape::Sphere { radius: 0.02 }, "only 40 mm wide: it may slip through"),
            (Shape::Sphere { radius: 0.02 }, "at most 6.0 mm"),
            (Shape::Capsule { radius: 0.1, height: 1.0 }, "radius"),
            (Shape::Torus { radius: 0.5, tube: 0.1 }, "radius"),
            (Shape::Torus { radius: 0.5, tube: 0.02 }, "only 40 mm wide"),
            (Shape::Cylinder { radius: 0.1, height: 0.5 }, "radius"),
            (Shape::Cylinder { radius: 0.3, height: 0.01 }, "for the thickness of `body 0` (10 mm)"),
            (Shape::Cylinder { radius: 0.3, height: 0.01 }, "at most 40 mm"),
            (Shape::Box { size: [0.5, 0.02, 0.5] }, ""),
            (Shape::Box { size: [0.5, 0.3, 0.01] }, "thickness"),
            (Shape::Box { size: [0.05, 0.3, 0.02] }, "only 50 mm wide"),
            (Shape::Cone { radius: 0.1, height: 0.2 }, ""),
            (Shape::Cone { radius: 0.02, height: 0.2 }, "only 40 mm wide"),
        ];
        for (shape, part) in cases {
            let said = warnings(std::slice::from_ref(&shape));
            match part {
                "" => assert!(said.is_empty(), "{shape:?}: {said:?}"),
                part => assert!(said.len() == 1 && said[0].contains(part), "{shape:?}: {said:?}"),
            }
        }
    }

    #[test]
    fn bodies_of_the_same_shape_are_named_once() {
        let (ball, rod) = (Shape::Sphere { radius: 0.01 }, Shape::Capsule { radius: 0.01, height: 1.0 });
        let said = warnings(&[Shape::Plane, ball.clone(), rod, ball.clone(), ball]);
        assert_eq!(said.len(), 2, "{said:?}");
        assert!(said[0].starts_with("body.1: ") && said[0].contains("`body 1` and 2 more like it"), "{said:?}");
        assert!(said[1].starts_with("body.2: "), "{said:?}");
    }
}
