//! Solid bodies.

use super::{
    Fallback::*,
    Kind::*,
    LENGTH, NAME, PLACE, Table, between, key,
    mesh::{A_BODY, BODY_MESH},
    pin::{EASE, MOTION},
};

pub(super) static BODY: Table = Table {
    name: "body",
    doc: "A solid body: one shape, centred at the origin before `place`; a mesh stays where its file has it.",
    keys: &[
        key("name", NAME, Absent("`body`, or `body-1` and so on if there are several"), "Shown in messages and files.")
            .like(r#""ball""#),
        key("plane", OneOf(&[Bool, Table(&PLANE)]), Absent("another shape"), "`true`: y = 0, normal +y."),
        key("sphere", Table(&SPHERE), Absent("another shape"), "A sphere."),
        key("box", Table(&BOX), Absent("another shape"), "A box."),
        key(
            "capsule",
            Table(&CAPSULE),
            Absent("another shape"),
            "Along y; its height lies between the centres of the caps.",
        ),
        key("cylinder", Table(&CYLINDER), Absent("another shape"), "Along y."),
        key("cone", Table(&CONE), Absent("another shape"), "Along y, tip up."),
        key("torus", Table(&TORUS), Absent("another shape"), "Around y."),
        key(
            "mesh",
            OneOf(&[A_BODY, Table(&BODY_MESH)]),
            Absent("another shape"),
            "A mesh from a file, still or moving by itself; `place` and `motion` come on top.",
        ),
        key("place", Table(&PLACE), Value("{}"), "Where the body is put."),
        key("friction", Number(between(0.0, 100.0, "")), Absent("the fabric's"), "Friction coefficient.").like("0.3"),
        key("restitution", Number(between(0.0, 1.0, "")), Value("0.0"), "Restitution coefficient.").like("0.2"),
        MOTION,
        EASE,
    ],
    one_of: &["plane", "sphere", "box", "capsule", "cylinder", "cone", "torus", "mesh"],
    example: "[[body]] with sphere = { radius = 0.25 }",
    ..Table::EMPTY
};

const RADIUS: super::Key = key("radius", Number(LENGTH), Required, "Radius.").like("0.25");
const HEIGHT: super::Key = key("height", Number(LENGTH), Required, "Height.").like("0.5");

static PLANE: Table = Table { name: "plane", doc: "A plane has no settings.", example: "true", ..Table::EMPTY };

static SPHERE: Table =
    Table { name: "sphere", doc: "A sphere.", keys: &[RADIUS], example: "{ radius = 0.25 }", ..Table::EMPTY };

static BOX: Table = Table {
    name: "box",
    doc: "A box.",
    keys: &[key("size", Vector(LENGTH, 3), Required, "Width, height and depth.")],
    example: "{ size = [1.0, 0.5, 1.0] }",
    ..Table::EMPTY
};

static CAPSULE: Table = Table {
    name: "capsule",
    doc: "A capsule along y; its height lies between the centres of the caps.",
    keys: &[RADIUS, HEIGHT],
    example: "{ radius = 0.1, height = 0.5 }",
    ..Table::EMPTY
};

static CYLINDER: Table = Table {
    name: "cylinder",
    doc: "A cylinder along y.",
    keys: &[RADIUS, HEIGHT],
    example: "{ radius = 0.1, height = 0.5 }",
    ..Table::EMPTY
};

static CONE: Table = Table {
    name: "cone",
    doc: "A cone along y, tip up.",
    keys: &[RADIUS, HEIGHT],
    example: "{ radius = 0.2, height = 0.5 }",
    ..Table::EMPTY
};

static TORUS: Table = Table {
    name: "torus",
    doc: "A torus around y.",
    keys: &[RADIUS, key("tube", Number(LENGTH), Required, "Radius of the tube.")],
    example: "{ radius = 0.3, tube = 0.05 }",
    ..Table::EMPTY
};
