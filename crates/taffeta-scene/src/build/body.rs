//! Solid bodies.

use super::{Builder, place};
use crate::{tree::Value, view::View};
use taffeta::{Body, Shape};

impl Builder<'_> {
    pub(super) fn bodies(&mut self, root: &View<'_>) -> Vec<Body> {
        let views = root.tables("body");
        let names = self.names(&views, "body");
        views.iter().zip(names).map(|(view, name)| self.body(view, name)).collect()
    }

    fn body(&mut self, view: &View<'_>, name: String) -> Body {
        Body {
            name,
            shape: self.shape(view),
            place: place(&view.table("place")),
            motion: self.motion(view),
            friction: view.optional_number("friction"),
            restitution: view.number("restitution"),
        }
    }

    fn shape(&mut self, view: &View<'_>) -> Shape {
        let Some(key) = view.table.one_of.iter().copied().find(|key| view.has(key)) else { return Shape::Plane };
        let shape = view.table(key);
        let size = |name: &str| shape.number(name);
        match key {
            "sphere" => Shape::Sphere { radius: size("radius") },
            "box" => Shape::Box { size: shape.vec3("size").to_array() },
            "capsule" => Shape::Capsule { radius: size("radius"), height: size("height") },
            "cylinder" => Shape::Cylinder { radius: size("radius"), height: size("height") },
            "cone" => Shape::Cone { radius: size("radius"), height: size("height") },
            "mesh" => self.body_mesh(view).unwrap_or(Shape::Plane),
            "torus" => {
                let (radius, tube) = (size("radius"), size("tube"));
                if tube >= radius && self.out.clean(&shape.path) {
                    let message =
                        format!("the tube ({tube} m) is not thinner than the ring ({radius} m): there is no hole");
                    self.out.value(&shape.at("tube"), message, "make `tube` smaller than `radius`, or use a sphere");
                }
                Shape::Torus { radius, tube }
            }
            _ => {
                if matches!(view.given("plane").map(|node| &node.value), Some(Value::Bool(false))) {
                    self.out.value(
                        &view.at("plane"),
                        "`plane = false` is no shape",
                        "write plane = true, or give another shape",
                    );
                }
                Shape::Plane
            }
        }
    }
}
