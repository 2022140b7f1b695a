//! What a cloth is made of: a table in a scene, or a file of its own.

use super::{
    Fallback::*, Key, Kind, Kind::*, Table, above_zero, between, join, key, not_negative, one_of, pin::SELECT, settings,
};
use taffeta::{Fabric, FabricDamping, Settings};

/// Keys that a fabric must have.
pub(crate) const NEEDED_VALUES: &[&str] = &["density", "stretch", "shear", "bend"];

const BASE: super::Fallback = Absent("from `base`; needed without it");

/// A fabric.
pub(crate) static FABRIC: Table = Table {
    name: "fabric",
    doc: "What a cloth is made of. Where a table has `warp` and `weft`, one number stands for both. As a file of its \
          own it needs a `name`; `base` takes all values that are not given from another fabric.",
    keys: &FABRIC_KEYS,
    needs: Some(("base", NEEDED_VALUES)),
    shorthand: Some("base"),
    example: "{ density = 0.12, stretch = 400.0, shear = 20.0, bend = 1e-5 }",
    ..Table::EMPTY
};

const FABRIC_KEYS: [Key; 8 + Fabric::LIST.len()] = join(&[
    &[
        key("name", Text(100), Absent("none"), "What it is called; a file needs it.").like(r#""Cotton poplin""#),
        key("description", Text(500), Absent("none"), "A line about it.").like(r#""A light plain weave""#),
        key("base", FabricName, Absent("no other fabric"), "The fabric that this one changes.")
            .like(r#""cotton-plain""#),
    ],
    &{
        let mut keys = values();
        let mut i = 0;
        while i < keys.len() {
            if one_of(NEEDED_VALUES, keys[i].name) {
                keys[i].default = BASE;
            }
            i += 1;
        }
        keys
    },
    &[
        key("stretch", STRETCHES, BASE, "Force for each width and strain, pulled along warp and weft."),
        key("bend", BENDS, BASE, "Bending stiffness for each width against curvature along warp and weft."),
        key(
            "damping",
            Table(&DAMPING),
            Value("{}"),
            "Damping stress = this time × rate of the elastic stress; and drag of still air.",
        ),
        key("friction", FRICTIONS, Value("{}"), "Friction coefficients.").like("0.3"),
        key("source", Texts, Absent("nothing"), "Where each value comes from: `measured: ...`, `estimated: ...`."),
    ],
]);

/// The keys of the values of a fabric that are one number.
const fn values() -> [Key; Fabric::LIST.len()] {
    settings(Fabric::LIST)
}

const STRETCHES: Kind = OneOf(&[Number(above_zero("N/m")), Table(&STRETCH)]);
const FRICTIONS: Kind = OneOf(&[COEFFICIENT, Table(&FRICTION)]);
const BENDS: Kind = OneOf(&[Number(not_negative("N m")), Table(&BEND)]);

const CLOTH: super::Fallback = Absent("the cloth's");

/// A region of a cloth.
pub(super) static REGION: Table = Table {
    name: "region",
    doc: "Part of a cloth that is made of something else: the triangles all of whose corners are selected. Of several \
          regions the last counts. Springs share one fabric, so regions need another model than `mass-spring`.",
    keys: &REGION_KEYS,
    later: &[("friction", "give it in the `fabric` of the whole cloth")],
    example: "[[cloth.region]] with select = { edge = \"left\" } and stretch_rest = [1.1, 0.9]",
    ..Table::EMPTY
};

const REGION_KEYS: [Key; 5 + Fabric::LIST.len()] = join(&[
    &[
        key("select", Table(&SELECT), Required, "Which vertices."),
        key(
            "stretch_rest",
            Vector(between(0.1, 10.0, ""), 2),
            Value("[1.0, 1.0]"),
            "Stretch along warp and weft at which the cloth is at rest: b_u and b_v of Baraff and Witkin; above 1 it \
             makes the cloth larger than its uv.",
        )
        .like("[1.1, 0.9]"),
    ],
    &{
        let mut keys = values();
        let mut i = 0;
        while i < keys.len() {
            keys[i] = keys[i].like(Fabric::LIST[i].default);
            keys[i].default = CLOTH;
            i += 1;
        }
        keys
    },
    &[
        key("stretch", STRETCHES, CLOTH, "Force for each width and strain.").like("400.0"),
        key("bend", BENDS, CLOTH, "Bending stiffness for each width.").like("1e-5"),
        key(
            "damping",
            Table(&DAMPING),
            CLOTH,
            "Drag of still air, `air`; damping inside the cloth is the same everywhere.",
        ),
    ],
]);

const COEFFICIENT: Kind = Number(between(0.0, 100.0, ""));

static STRETCH: Table = Table {
    name: "stretch",
    doc: "Stiffness along warp and weft.",
    keys: &[
        key("warp", Number(above_zero("N/m")), Required, "Along u."),
        key("weft", Number(above_zero("N/m")), Required, "Along v."),
    ],
    example: "{ warp = 2500.0, weft = 1800.0 }",
    ..Table::EMPTY
};

static BEND: Table = Table {
    name: "bend",
    doc: "Bending stiffness against curvature along warp and weft.",
    keys: &[
        key("warp", Number(not_negative("N m")), Required, "Along u."),
        key("weft", Number(not_negative("N m")), Required, "Along v."),
    ],
    example: "{ warp = 7e-6, weft = 5e-6 }",
    ..Table::EMPTY
};

static DAMPING: Table = Table {
    name: "damping",
    doc: "Damping inside the cloth, and drag of still air.",
    keys: &settings::<{ FabricDamping::LIST.len() }>(FabricDamping::LIST),
    example: "{ stretch = 0.001, shear = 0.001, bend = 0.0, air = 0.1 }",
    ..Table::EMPTY
};

static FRICTION: Table = Table {
    name: "friction",
    doc: "Friction coefficients.",
    keys: &[
        key("self", COEFFICIENT, Value("0.3"), "Cloth on cloth."),
        key("solid", COEFFICIENT, Value("0.3"), "Cloth on a body."),
    ],
    example: "{ self = 0.3, solid = 0.3 }",
    ..Table::EMPTY
};
