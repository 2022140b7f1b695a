//! What a cloth is made of: a table in a scene, or a file of its own.

use super::{Fallback::*, Kind, Kind::*, Table, above_zero, between, key, not_negative, pin::SELECT};

/// Keys that a fabric must have.
pub(crate) const NEEDED_VALUES: &[&str] = &["density", "stretch", "shear", "bend"];

const BASE: super::Fallback = Absent("from `base`; needed without it");

/// A fabric.
pub(crate) static FABRIC: Table = Table {
    name: "fabric",
    doc: "What a cloth is made of. Where a table has `warp` and `weft`, one number stands for both. As a file of its \
          own it needs a `name`; `base` takes all values that are not given from another fabric.",
    keys: &[
        key("name", Text(100), Absent("none"), "What it is called; a file needs it.").like(r#""Cotton poplin""#),
        key("description", Text(500), Absent("none"), "A line about it.").like(r#""A light plain weave""#),
        key("base", FabricName, Absent("no other fabric"), "The fabric that this one changes.")
            .like(r#""cotton-plain""#),
        key("density", DENSITY, BASE, "Mass for each area."),
        key("thickness", THICKNESS, Value("0.0005"), "Thickness."),
        key("stretch", STRETCHES, BASE, "Force for each width and strain, pulled along warp and weft."),
        key("shear", SHEAR, BASE, "Shear force for each width and radian."),
        key("poisson", POISSON, Value("0.0"), "Poisson's ratio; springs have their own.").like("0.2"),
        key("bend", BENDS, BASE, "Bending stiffness for each width against curvature along warp and weft."),
        key(
            "damping",
            Table(&DAMPING),
            Value("{}"),
            "Damping stress = this time × rate of the elastic stress; and drag of still air.",
        ),
        key("friction", OneOf(&[COEFFICIENT, Table(&FRICTION)]), Value("{}"), "Friction coefficients.").like("0.3"),
        key("source", Texts, Absent("nothing"), "Where each value comes from: `measured: ...`, `estimated: ...`."),
    ],
    needs: Some(("base", NEEDED_VALUES)),
    shorthand: Some("base"),
    example: "{ density = 0.12, stretch = 400.0, shear = 20.0, bend = 1e-5 }",
    ..Table::EMPTY
};

const DENSITY: Kind = Number(between(1e-6, 1e6, "kg/m²"));
const THICKNESS: Kind = Number(between(1e-7, 1.0, "m"));
const STRETCHES: Kind = OneOf(&[Number(above_zero("N/m")), Table(&STRETCH)]);
const SHEAR: Kind = Number(not_negative("N/m"));
const POISSON: Kind = Number(between(-0.99, 0.99, ""));
const BENDS: Kind = OneOf(&[Number(not_negative("N m")), Table(&BEND)]);

const CLOTH: super::Fallback = Absent("the cloth's");

/// A region of a cloth.
pub(super) static REGION: Table = Table {
    name: "region",
    doc: "Part of a cloth that is made of something else: the triangles all of whose corners are selected. Of several \
          regions the last counts. Springs share one fabric, so regions need another model than `mass-spring`.",
    keys: &[
        key("select", Table(&SELECT), Required, "Which vertices."),
        key(
            "stretch_rest",
            Vector(between(0.1, 10.0, ""), 2),
            Value("[1.0, 1.0]"),
            "Stretch along warp and weft at which the cloth is at rest: b_u and b_v of Baraff and Witkin; above 1 it \
             makes the cloth larger than its uv.",
        )
        .like("[1.1, 0.9]"),
        key("density", DENSITY, CLOTH, "Mass for each area.").like("0.12"),
        key("thickness", THICKNESS, CLOTH, "Thickness.").like("0.0005"),
        key("stretch", STRETCHES, CLOTH, "Force for each width and strain.").like("400.0"),
        key("shear", SHEAR, CLOTH, "Shear force for each width and radian.").like("20.0"),
        key("poisson", POISSON, CLOTH, "Poisson's ratio.").like("0.2"),
        key("bend", BENDS, CLOTH, "Bending stiffness for each width.").like("1e-5"),
        key(
            "damping",
            Table(&DAMPING),
            CLOTH,
            "Drag of still air, `air`; damping inside the cloth is the same everywhere.",
        ),
    ],
    later: &[("friction", "give it in the `fabric` of the whole cloth")],
    example: "[[cloth.region]] with select = { edge = \"left\" } and stretch_rest = [1.1, 0.9]",
    ..Table::EMPTY
};

const COEFFICIENT: Kind = Number(between(0.0, 100.0, ""));
const SECONDS: Kind = Number(between(0.0, 1e3, "s"));

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
    keys: &[
        key("stretch", SECONDS, Value("0.0"), "Of stretch."),
        key("shear", SECONDS, Value("0.0"), "Of shear."),
        key("bend", SECONDS, Value("0.0"), "Of bending.").like("0.001"),
        key(
            "air",
            Number(not_negative("N s/m³")),
            Value("0.0"),
            "Drag proportional to the velocity relative to the air.",
        ),
    ],
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
