//! Solid bodies: a key for each shape of the library's list.

use super::{
    Fallback::*,
    Kind::*,
    NAME, PLACE, Table, between, key,
    mesh::{A_BODY, BODY_MESH},
    pin::{EASE, MOTION},
};
use crate::view::Size;

/// The kind of a shape's value; a shape without settings may be `true`.
macro_rules! kind {
    ($table:expr) => {
        OneOf(&[Bool, Table($table)])
    };
    ($table:expr, $fields:tt) => {
        Table($table)
    };
}

macro_rules! tables {
    ($($variant:ident $geometry:ident $name:literal $doc:literal $example:literal
        $({ $($field:ident: $type:ty = $about:literal),* })?;)*) => {
        pub(super) static BODY: Table = Table {
            name: "body",
            doc: "A solid body: one shape, centred at the origin before `place`; a mesh stays where its file has it.",
            keys: &[
                key(
                    "name",
                    NAME,
                    Absent("`body`, or `body-1` and so on if there are several"),
                    "Shown in messages and files.",
                )
                .like(r#""ball""#),
                $(key($name, kind!(&shape::$variant $(, { $($field)* })?), Absent("another shape"), $doc),)*
                key(
                    "mesh",
                    OneOf(&[A_BODY, Table(&BODY_MESH)]),
                    Absent("another shape"),
                    "A mesh from a file, still or moving by itself; `place` and `motion` come on top.",
                ),
                key("place", Table(&PLACE), Value("{}"), "Where the body is put."),
                key("friction", Number(between(0.0, 100.0, "")), Absent("the fabric's"), "Friction coefficient.")
                    .like("0.3"),
                key("restitution", Number(between(0.0, 1.0, "")), Value("0.0"), "Restitution coefficient.").like("0.2"),
                key(
                    "thickness",
                    Number(between(0.0, 1.0, "m")),
                    Value("0.0"),
                    "How much farther cloth stays away than half of its own thickness; with contact by the barrier.",
                )
                .like("0.002"),
                MOTION,
                EASE,
            ],
            one_of: &[$($name,)* "mesh"],
            example: "[[body]] with sphere = { radius = 0.25 }",
            ..Table::EMPTY
        };

        /// The table of each shape.
        #[allow(non_upper_case_globals)]
        mod shape {
            use super::*;

            $(pub static $variant: Table = Table {
                name: $name,
                doc: $doc,
                keys: &[$($(key(stringify!($field), <$type as Size>::KIND, Required, $about),)*)?],
                example: $example,
                ..Table::EMPTY
            };)*
        }
    };
}

taffeta::for_each_shape!(tables);
