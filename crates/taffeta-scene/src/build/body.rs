//! Solid bodies.

use super::{Builder, place};
use crate::{
    tree::Value,
    view::{Size, View},
};
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
            thickness: view.number("thickness"),
        }
    }

    fn shape(&mut self, view: &View<'_>) -> Shape {
        let Some(key) = view.table.one_of.iter().copied().find(|key| view.has(key)) else { return Shape::Plane };
        if key == "mesh" {
            return self.body_mesh(view).unwrap_or(Shape::Plane);
        }
        if matches!(view.given(key).map(|node| &node.value), Some(Value::Bool(false))) {
            let help = format!("write {key} = true, or give another shape");
            self.out.value(&view.at(key), format!("`{key} = false` is no shape"), help);
        }
        let table = view.table(key);
        let shape = exact(key, &table);
        if self.out.clean(&table.path)
            && let Some([length, message, help]) = shape.flaw()
        {
            self.out.value(&table.at(&length), message, help);
        }
        shape
    }
}

macro_rules! read {
    ($($variant:ident $geometry:ident $name:literal $doc:literal $example:literal
        $({ $($field:ident: $type:ty = $about:literal),* })?;)*) => {
        /// The shape that a key of the library's list names.
        fn exact(key: &str, table: &View<'_>) -> Shape {
            match key {
                $($name => Shape::$variant $({ $($field: <$type as Size>::read(table, stringify!($field))),* })?,)*
                _ => Shape::Plane,
            }
        }
    };
}

taffeta::for_each_shape!(read);
