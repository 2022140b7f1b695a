//! A piece of cloth: its shape, place and model.

use super::{
    Choice, FABRIC,
    Fallback::*,
    HUGE,
    Kind::*,
    LENGTH, NAME, PLACE, SEED, Table, VELOCITY, between,
    fabric::REGION,
    key,
    mesh::{A_MESH, MESH, REST_SHAPE, UNIT, UP},
    not_negative,
    pin::{LOAD, PIN},
};

/// A piece of cloth.
pub(crate) static CLOTH: Table = Table {
    name: "cloth",
    doc: "A piece of cloth: one shape, what it is made of, where it is, and what holds it.",
    keys: &[
        key(
            "name",
            NAME,
            Absent("`cloth`, or `cloth-1` and so on if there are several"),
            "Shown in messages and files.",
        )
        .like(r#""sheet""#),
        key(
            "grid",
            Table(&GRID),
            Absent("another shape"),
            "A flat rectangle of cells in the xy plane, centred at the origin.",
        ),
        key("equilateral", Table(&EQUILATERAL), Absent("another shape"), "A flat sheet of equilateral triangles."),
        key("disc", Table(&DISC), Absent("another shape"), "A flat disc of near-equilateral triangles."),
        key("random", Table(&RANDOM), Absent("another shape"), "A flat rectangle of irregular triangles."),
        key(
            "mesh",
            OneOf(&[A_MESH, Table(&MESH)]),
            Absent("another shape"),
            "A mesh of any shape; its uv, if any, are lengths in metres and give the rest shape, unless `uv` says \
                otherwise.",
        ),
        key("grain", Number(between(-360.0, 360.0, "degrees")), Value("0.0"), "From x to the warp: turns uv only.")
            .like("45.0"),
        key(
            "start",
            OneOf(&[A_MESH, Table(&START)]),
            Absent("the shape above"),
            "First positions, placed likewise: a mesh with the vertices of the cloth, or with those of the file of \
             `mesh` before `part` and `weld`; or a flat shape sheared or pleated.",
        )
        .like(r#""start.obj""#),
        key(
            "rest_shape",
            OneOf(&[A_MESH, Table(&REST_SHAPE)]),
            Absent("flat"),
            "Shape from which the rest angles of hinges are taken; a mesh as for `start`.",
        )
        .like(r#""roll.obj""#),
        key("place", Table(&PLACE), Value("{}"), "Where the cloth is put."),
        key(
            "fabric",
            OneOf(&[FabricName, Table(&FABRIC)]),
            Absent("a light cloth of round numbers"),
            "What it is made of: a name, a file, or a table; `{ base = \"NAME\", density = 0.2 }` overrides single \
                values.",
        )
        .like(r#""cotton-plain""#),
        key("raw", Table(&RAW), Absent("the fabric"), "Raw constants of the papers in place of a fabric."),
        key(
            "model",
            OneOf(&[Choice(MODELS), Table(&MODEL)]),
            Absent("`baraff-witkin`; `mass-spring` with raw constants"),
            "How it is modelled.",
        ),
        key("region", Tables(&REGION), Absent("the same everywhere"), "Parts that are made of something else."),
        key("velocity", VELOCITY, Value("[0.0, 0.0, 0.0]"), "Initial velocity.").like("[1.0, 0.0, 0.0]"),
        key(
            "noise",
            Table(&NOISE),
            Absent("none"),
            "Moves the first positions of free vertices a little, the same in every run.",
        ),
        key("pin", Tables(&PIN), Absent("held nowhere"), "Held vertices."),
        key("load", Tables(&LOAD), Absent("no loads"), "Outside forces."),
    ],
    one_of: &["grid", "equilateral", "disc", "random", "mesh"],
    example: "[[cloth]] with grid = { size = [1.0, 1.0], cells = [20, 20] }",
    ..Table::EMPTY
};

static GRID: Table = Table {
    name: "grid",
    doc: "A flat rectangle of cells in the xy plane, centred at the origin: u = +x = warp, v = +y = weft, front = +z.",
    keys: &[
        key("size", Vector(LENGTH, 2), Required, "Width and height."),
        key(
            "cells",
            List(&Integer { min: 1, max: u32::MAX as i64 }, 2, 2),
            Required,
            "Cells along x and y; there is one vertex more than cells.",
        ),
        key("pattern", Choice(PATTERNS), Value("\"alternating\""), "How cells are cut into triangles."),
    ],
    example: "{ size = [1.0, 1.0], cells = [20, 20] }",
    ..Table::EMPTY
};

const PATTERNS: Choice = Choice {
    words: &[
        ("alternating", "two triangles, diagonals like a chess board"),
        ("one-diagonal", "two triangles, the diagonal from left-bottom to right-top"),
        ("crossed", "four triangles around a vertex in the middle"),
    ],
    later: &[],
};

static EQUILATERAL: Table = Table {
    name: "equilateral",
    doc: "A flat sheet of equilateral triangles, centred at the origin.",
    keys: &[
        key("size", Vector(LENGTH, 2), Required, "Width and height."),
        key("edge", Number(LENGTH), Required, "Length of the edges, about."),
    ],
    example: "{ size = [1.0, 1.0], edge = 0.05 }",
    ..Table::EMPTY
};

static DISC: Table = Table {
    name: "disc",
    doc: "A flat disc in the xy plane, centred at the origin, of near-equilateral triangles whose vertices lie on \
          circles; (u, v) is (x, y) from the corner of the square around it.",
    keys: &[
        key("radius", Number(LENGTH), Required, "Its radius."),
        key("edge", Number(LENGTH), Required, "Length of the edges, about."),
        key(
            "rings",
            List(&Number(LENGTH), 0, 1000),
            Value("[]"),
            "Radii at which there is a circle of vertices exactly, e.g. to hold the disc up to there.",
        ),
    ],
    example: "{ radius = 0.15, edge = 0.004, rings = [0.09] }",
    ..Table::EMPTY
};

static RANDOM: Table = Table {
    name: "random",
    doc: "A flat rectangle of irregular triangles without preferred directions, centred at the origin: random points \
          that keep their distance, and their Delaunay triangulation.",
    keys: &[
        key("size", Vector(LENGTH, 2), Required, "Width and height."),
        key("edge", Number(LENGTH), Required, "Mean length of the edges, about."),
        key("seed", SEED, Value("1"), "Another seed, another mesh."),
    ],
    example: "{ size = [1.0, 1.0], edge = 0.02, seed = 1 }",
    ..Table::EMPTY
};

static START: Table = Table {
    name: "start",
    doc: "First positions from a file, or such as strain a flat cloth in one way only.",
    keys: &[
        key("file", A_MESH, Absent("a shape"), "The file."),
        UNIT,
        UP,
        key(
            "shear",
            Number(between(-89.0, 89.0, "degrees")),
            Absent("not sheared"),
            "Lines along x and y keep their lengths, the angle between them changes by this.",
        ),
        key(
            "pleat",
            Number(between(-179.0, 179.0, "degrees")),
            Absent("not pleated"),
            "A grid is folded by this along each line of cells parallel to y, to and fro.",
        )
        .like("60.0"),
    ],
    one_of: &["file", "shear", "pleat"],
    example: "{ shear = 30.0 }",
    ..Table::EMPTY
};

static RAW: Table = Table {
    name: "raw",
    doc: "Raw constants of the papers, the same for every particle or spring: another resolution is another cloth.",
    keys: &[
        key(
            "mass",
            Number(taffeta::Bounds { unit: "kg", min: 1e-12, above: false, max: HUGE }),
            Required,
            "Of each particle.",
        ),
        key("structural", Number(not_negative("N/m")), Required, "Structural springs."),
        key("shear", Number(not_negative("N/m")), Value("0.0"), "Shear springs."),
        key("flexion", Number(not_negative("N/m")), Value("0.0"), "Flexion springs.").like("10.0"),
        key("hinge", Number(not_negative("N m")), Value("0.0"), "Hinges, the factor before θ²/2.").like("1e-5"),
        key(
            "damping",
            OneOf(&[Number(not_negative("N s/m")), Choice(CRITICAL)]),
            Value("0.0"),
            "Viscous damping of each particle.",
        )
        .like("0.001"),
        key("along", Number(not_negative("N s/m")), Value("0.0"), "Damping along each spring.").like("0.001"),
    ],
    example: "{ mass = 0.001, structural = 100.0, shear = 100.0 }",
    ..Table::EMPTY
};

const CRITICAL: Choice = Choice { words: &[("critical", "√(4 m k) with the largest spring constant")], later: &[] };

const MODELS: Choice = Choice {
    words: &[
        ("baraff-witkin", "stretch, shear and bend conditions on triangles (Baraff & Witkin 1998)"),
        ("membrane", "orthotropic triangles of constant strain, with Poisson's ratio"),
        ("choi-ko", "springs that pull and beams that buckle (Choi & Ko 2002)"),
        ("mass-spring", "Provot's springs: structural, shear, and hinges or flexion springs for bending"),
    ],
    later: &["stvk", "neo-hookean"],
};

static MODEL: Table = Table {
    name: "model",
    doc: "How a cloth is modelled, with settings.",
    keys: &[
        key("name", Choice(MODELS), Absent("`baraff-witkin`; `mass-spring` with raw constants"), "The model."),
        key(
            "bending",
            Choice(BENDINGS),
            Absent("`hinge`; with raw constants whichever of `hinge` and `flexion` they give"),
            "What resists bending.",
        ),
        key(
            "curvature",
            Number(between(1e-6, 1e6, "1/m")),
            Value("20.0"),
            "Where flexion springs have the bending energy of the fabric; `bending = \"flexion\"` only.",
        ),
    ],
    shorthand: Some("name"),
    example: "{ name = \"baraff-witkin\", bending = \"hinge\" }",
    ..Table::EMPTY
};

const BENDINGS: Choice = Choice {
    words: &[
        ("hinge", "a hinge on every inner edge: a true N m"),
        ("quadratic", "the energy of Bergou et al. 2006, with a constant matrix; rests flat; not with `mass-spring`"),
        ("flexion", "springs over one vertex, as in the papers; `mass-spring` only"),
        ("none", "nothing"),
    ],
    later: &[],
};

static NOISE: Table = Table {
    name: "noise",
    doc: "A seeded random displacement of the first positions.",
    keys: &[
        key("size", Number(between(0.0, 1e3, "m")), Required, "Largest displacement along each axis."),
        key("seed", SEED, Value("1"), "Another seed, other numbers."),
    ],
    example: "{ size = 1e-4, seed = 1 }",
    ..Table::EMPTY
};
