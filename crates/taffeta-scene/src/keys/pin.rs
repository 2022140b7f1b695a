//! Pins and loads, which act on a selection of vertices; and motion by keys.

use super::{Choice, DIRECTION, Fallback::*, Kind, Kind::*, LENGTH, POSITION, Table, any, between, key};

/// Most keys of a motion: more are a mistake, and would need a file of a hundred megabytes.
pub(crate) const MOTION_KEYS: usize = 1_000_000;

const TIME: taffeta::Bounds = between(-1e7, 1e7, "s");
const FROM: super::Key = key("from", Number(TIME), Value("0.0"), "Acts from this time on.");
const UNTIL: super::Key = key("until", Number(TIME), Absent("for ever"), "Acts until this time.").like("2.0");
const SELECT_KEY: super::Key = key("select", Table(&SELECT), Required, "Which vertices.");

pub(super) static PIN: Table = Table {
    name: "pin",
    doc: "Holds the selected vertices, still or along a motion.",
    keys: &[
        SELECT_KEY,
        key("hold", OneOf(&[Choice(HOLDS), Table(&HOLD)]), Value("\"all\""), "Directions that are held."),
        MOTION,
        EASE,
        FROM,
        UNTIL,
        key(
            "clamp",
            Bool,
            Value("false"),
            "Keeps the cloth from turning too: the selection holds whole triangles (two rows of vertices; the free \
             length starts at the inner one), and hinges where it ends count double, because they bend on one side \
             only.",
        ),
    ],
    example: "[[cloth.pin]] with select = { corners = [\"left-top\", \"right-top\"] }",
    ..Table::EMPTY
};

static A_KEY: Kind = Table(&MOTION_KEY);
const MOTIONS: &[Kind] = &[Path(|| "CSV motion".into()), List(&A_KEY, 1, MOTION_KEYS)];

pub(super) const MOTION: super::Key = key(
    "motion",
    OneOf(MOTIONS),
    Absent("at rest"),
    "Keys in the order of time, or a CSV file with columns t, x, y, z. Relative to the start (of a pin: to the moment \
     when it takes hold): turned about the origin of what moves (the mean of a pin's vertices), then moved; held \
     before the first key and after the last. Of several pins on a vertex the first counts.",
)
.like("[{ t = 0.0 }, { t = 1.0, move = [0.0, 0.3, 0.0] }]");
pub(super) const EASE: super::Key = key("ease", Choice(EASES), Value("\"linear\""), "How it goes from key to key.");

const EASES: Choice =
    Choice { words: &[("linear", "at a steady speed"), ("smooth", "with zero speed at each key")], later: &[] };

static MOTION_KEY: Table = Table {
    name: "motion-key",
    doc: "A key of a motion.",
    keys: &[
        key("t", Number(TIME), Required, "When."),
        key("move", POSITION, Value("[0.0, 0.0, 0.0]"), "Away from the start."),
        key(
            "turn",
            Vector(between(-1e6, 1e6, "degrees"), 3),
            Value("[0.0, 0.0, 0.0]"),
            "About the fixed x, y and z axes in that order; 720 turns twice.",
        )
        .like("[0.0, 90.0, 0.0]"),
    ],
    example: "{ t = 1.0, move = [0.0, 0.3, 0.0] }",
    ..Table::EMPTY
};

const HOLDS: Choice = Choice {
    words: &[
        ("all", "every direction"),
        ("x", "x only: slides in yz"),
        ("y", "y only: slides in xz"),
        ("z", "z only: slides in xy"),
        ("xy", "slides along z"),
        ("xz", "slides along y"),
        ("yz", "slides along x"),
    ],
    later: &[],
};

static HOLD: Table = Table {
    name: "hold",
    doc: "Directions that are not axes.",
    keys: &[
        key(
            "normal",
            DIRECTION,
            Absent("`along`"),
            "Holds this direction only: the vertices slide in the plane normal to it.",
        ),
        key("along", DIRECTION, Absent("`normal`"), "Holds all but this direction: the vertices slide along it.")
            .like("[0.0, 1.0, 0.0]"),
    ],
    one_of: &["normal", "along"],
    example: "{ normal = [0.0, 1.0, 0.0] }",
    ..Table::EMPTY
};

pub(super) static LOAD: Table = Table {
    name: "load",
    doc: "An outside force on a selection, shared by length along an edge, by area otherwise.",
    keys: &[
        SELECT_KEY,
        key(
            "force",
            OneOf(&[Vector(any("N"), 3), List(&Table(&FORCE_KEY), 1, MOTION_KEYS)]),
            Required,
            "In total; or keys in the order of time, linear between them.",
        )
        .like("[0.0, -0.5, 0.0]"),
        FROM,
        UNTIL,
    ],
    example: "[[cloth.load]] with select = { edge = \"bottom\" } and force = [0.0, -0.5, 0.0]",
    ..Table::EMPTY
};

static FORCE_KEY: Table = Table {
    name: "force-key",
    doc: "A key of a force.",
    keys: &[key("t", Number(TIME), Required, "When."), key("force", Vector(any("N"), 3), Required, "In total.")],
    example: "{ t = 1.0, force = [0.0, -0.5, 0.0] }",
    ..Table::EMPTY
};

const POINT: Kind = POSITION;

pub(super) static SELECT: Table = Table {
    name: "select",
    doc: "Vertices of a cloth. Sides are named before `place`: left and right are -x and +x, bottom and top -y and +y.",
    keys: &[
        key("all", Bool, Absent("another way"), "`true`: all of them."),
        key("corners", List(&Choice(CORNERS), 1, 4), Absent("another way"), "Nearest to corners of the rest shape."),
        key(
            "edge",
            OneOf(&[Choice(SIDES), List(&Choice(SIDES), 1, 4)]),
            Absent("another way"),
            "On one side of the rest shape, or on several.",
        )
        .like(r#""top""#),
        key(
            "border",
            OneOf(&[Choice(BORDERS), Integer { min: 0, max: u32::MAX as i64 }, Table(&BORDER)]),
            Absent("another way"),
            "On the border of the mesh: all of it, or one of its closed loops by number, from 0, the longest first; or \
             the loop near a point.",
        )
        .like("0"),
        key(
            "group",
            OneOf(&[GROUP, List(&GROUP, 1, 1000)]),
            Absent("another way"),
            "By names inside the mesh file: objects, groups and materials of OBJ; nodes, meshes and materials of glTF.",
        )
        .like(r#""collar""#),
        key(
            "vertices",
            List(&Integer { min: 0, max: u32::MAX as i64 }, 1, 100_000_000),
            Absent("another way"),
            "By number, from 0.",
        )
        .like("[0, 20]"),
        key(
            "box",
            List(&POINT, 2, 2),
            Absent("another way"),
            "Inside a box in space, at the start: smallest and largest corner.",
        )
        .like("[[-0.1, 0.4, -0.1], [0.1, 0.6, 0.1]]"),
        key("sphere", Table(&BALL), Absent("another way"), "Inside a sphere in space, at the start."),
        key(
            "uv",
            List(&Vector(between(-1e6, 1e6, "m"), 2), 2, 2),
            Absent("another way"),
            "Inside a box in uv: smallest and largest corner.",
        )
        .like("[[0.0, 0.9], [1.0, 1.0]]"),
        key(
            "every",
            Integer { min: 1, max: u32::MAX as i64 },
            Absent("all of them"),
            "Only every so many of an `edge`, from its left or bottom end on, or of each loop of a `border`: the \
                rings of a curtain.",
        )
        .like("5"),
    ],
    one_of: &["all", "corners", "edge", "border", "group", "vertices", "box", "sphere", "uv"],
    example: "{ corners = [\"left-top\", \"right-top\"] }",
    ..Table::EMPTY
};

const GROUP: Kind = Text(1000);

const BORDERS: Choice = Choice { words: &[("all", "the whole border")], later: &[] };

static BORDER: Table = Table {
    name: "select-border",
    doc: "A loop of the border.",
    keys: &[key("near", POSITION, Required, "The loop with the vertex that is nearest to this point at the start.")],
    example: "{ near = [0.0, 1.4, 0.1] }",
    ..Table::EMPTY
};

const CORNERS: Choice =
    Choice { words: &[("left-bottom", ""), ("right-bottom", ""), ("left-top", ""), ("right-top", "")], later: &[] };

const SIDES: Choice = Choice { words: &[("left", "-x"), ("right", "+x"), ("bottom", "-y"), ("top", "+y")], later: &[] };

static BALL: Table = Table {
    name: "select-sphere",
    doc: "A sphere in space.",
    keys: &[key("centre", POSITION, Required, "Its centre."), key("radius", Number(LENGTH), Required, "Its radius.")],
    example: "{ centre = [0.0, 1.0, 0.0], radius = 0.1 }",
    ..Table::EMPTY
};
