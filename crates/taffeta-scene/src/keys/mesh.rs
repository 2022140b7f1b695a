//! Mesh files of cloths and bodies.

use super::{Choice, Fallback::*, Key, Kind, Kind::*, Table, between, key};
use taffeta_files::{Format, Holds};

/// Whether a file with these contents can be a body.
pub(crate) fn can_be_a_body(holds: Holds) -> bool {
    holds.is_mesh() || holds.is_points()
}

fn dotted(holds: fn(Holds) -> bool) -> String {
    format!(".{}", Format::endings_of(holds).join(", ."))
}

/// A mesh file for a cloth.
pub(super) const A_MESH: Kind = Path(|| format!("mesh ({})", dotted(Holds::is_mesh)));

const NAME_INSIDE: Kind = Text(1000);

const FILE: Key = key("file", A_MESH, Required, "The file.");
pub(super) const UNIT: Key =
    key("unit", Number(between(1e-6, 1e6, "m")), Value("1.0"), "Metres in a unit of the file: 0.01 for centimetres.")
        .like("0.01");
pub(super) const UP: Key = key("up", Choice(UPS), Value("\"y\""), "Which axis of the file points up.");
const WELD: Key = key(
    "weld",
    Number(between(0.0, 1.0, "m")),
    Absent("vertices are left alone"),
    "Makes vertices one that are no farther apart than this.",
)
.like("1e-5");
const PART: Key =
    key("part", NAME_INSIDE, Absent("the whole file"), "Only the objects or groups of this name.").like(r#""collar""#);

const UPS: Choice = Choice { words: &[("y", "as here"), ("z", "as in Blender and Unreal")], later: &[] };

const UV_KINDS: &[Kind] = &[Choice(UVS), Table(&UV_SCALE)];
const UV: Key = key(
    "uv",
    OneOf(UV_KINDS),
    Value("\"lengths\""),
    "What the uv of the file are; `unit` does not change them. A layout for a texture, in which all lie between 0 and \
     1, is no lengths: ignore it, or scale it.",
);

const UVS: Choice = Choice {
    words: &[
        ("lengths", "metres: they give the rest shape"),
        (
            "ignore",
            "not used: lengths and rest angles come from the shape of the mesh, warp is x in each triangle's plane",
        ),
    ],
    later: &[],
};

static UV_SCALE: Table = Table {
    name: "uv",
    doc: "Lengths in another unit.",
    keys: &[key(
        "scale",
        OneOf(&[Number(UV_FACTOR), Vector(UV_FACTOR, 2)]),
        Required,
        "Metres in one of uv, the same for u and v or one for each.",
    )
    .like("0.8")],
    example: "{ scale = [1.2, 0.8] }",
    ..Table::EMPTY
};

const UV_FACTOR: taffeta::Bounds = between(1e-6, 1e6, "m");

pub(super) static MESH: Table = Table {
    name: "mesh",
    doc: "A mesh from a file, with how it is to be understood.",
    keys: &[FILE, UNIT, UP, WELD, PART, UV],
    shorthand: Some("file"),
    example: "{ file = \"shirt.glb\", unit = 0.01, up = \"z\" }",
    ..Table::EMPTY
};

pub(super) static REST_SHAPE: Table = Table {
    name: "rest-shape",
    doc: "Positions from a file, with how it is to be understood.",
    keys: &[FILE, UNIT, UP],
    shorthand: Some("file"),
    example: "{ file = \"roll.obj\", unit = 0.01 }",
    ..Table::EMPTY
};

/// A mesh file for a body.
pub(super) const A_BODY: Kind = Path(|| format!("mesh ({}; a folder or NAME.####.obj)", dotted(can_be_a_body)));

pub(super) static BODY_MESH: Table = Table {
    name: "body-mesh",
    doc: "A mesh from a file, with how it is to be understood and how it moves by itself: by an animation of a glTF \
          file, a sequence of OBJ files with the same vertices (a folder, or a pattern where each # is a digit), or a \
          point cache with its OBJ file. Before and after its motion it rests; between frames it goes straight on.",
    keys: &[
        key("file", A_BODY, Required, "The file, folder or pattern."),
        UNIT,
        UP,
        WELD,
        PART,
        key("animation", NAME_INSIDE, Absent("the first"), "Which animation of a glTF file is played."),
        key(
            "fps",
            Number(between(0.001, 1e6, "1/s")),
            Value("24.0"),
            "Frames in a second of a sequence or a .pc2 file.",
        ),
        key("topology", Path(|| "OBJ mesh".into()), Absent("the one of the same name"), "The mesh of a point cache.")
            .like(r#""walk.obj""#),
        key(
            "delay",
            Number(between(-1e6, 1e6, "s")),
            Value("0.0"),
            "The motion begins so much later than in the file.",
        )
        .like("0.5"),
    ],
    shorthand: Some("file"),
    example: "{ file = \"walk.glb\", animation = \"walk\" }",
    ..Table::EMPTY
};
