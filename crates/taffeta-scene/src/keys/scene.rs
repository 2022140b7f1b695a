//! The top-level keys, and the tables outside cloths and bodies.

use super::{
    Choice, DIRECTION, Fallback::*, Key, Kind::*, NAME, NO_KEY, POSITION, SEED, Table, VELOCITY, between, body::BODY,
    cloth::CLOTH, key, not_negative, same, setting,
};
use taffeta::{Method, MethodInfo};
use taffeta_files::Format;

/// A scene.
pub(crate) static SCENE: Table = Table {
    name: "scene",
    doc: "A scene: angles in degrees, everything else in SI units, y up. Every key has a default except the cloth.",
    keys: &[
        key("title", Text(500), Absent("the scene's name"), "A line about the scene.").like(r#""A sheet that hangs""#),
        key("gravity", Vector(between(-1e5, 1e5, "m/s²"), 3), Value("[0.0, -9.81, 0.0]"), "Acceleration of gravity."),
        key("time", Table(&TIME), Value("{}"), "Frames, and the steps they are cut into."),
        key("method", Table(&METHOD), Value("{}"), "How time goes on."),
        key("air", Table(&AIR), Value("{}"), "The air around the cloth."),
        key("cloth", Tables(&CLOTH), Required, "The pieces of cloth; all share one world."),
        key("body", Tables(&BODY), Absent("no bodies"), "Solid bodies."),
        key("limiter", Table(&LIMITER), Absent("no limiter"), "Limits stretch after each step."),
        key("contact", Table(&CONTACT), Value("{}"), "How cloth collides."),
        key("components", Table(&COMPONENTS), Value("{}"), "Parts of a step that are switched on."),
        key(
            "actions",
            Path(|| "recording of actions (.jsonl)".into()),
            Absent("nothing is done from outside"),
            "What is done from outside while it runs, one action a line: pins and bodies that move, grabs, forces, \
             wind. docs/formats.md has the lines.",
        )
        .like("\"actions.jsonl\""),
        key("output", Table(&OUTPUT), Value("{}"), "What is written besides the frames."),
        key(
            "camera",
            Table(&CAMERA),
            Absent("one that sees all cloth in all frames"),
            "Where pictures are taken from.",
        ),
    ],
    example: "a TOML file",
    ..Table::EMPTY
};

static CAMERA: Table = Table {
    name: "camera",
    doc: "Where pictures are taken from.",
    keys: &[
        key("at", POSITION, Required, "Where the camera is."),
        key("look_at", POSITION, Value("[0.0, 0.0, 0.0]"), "What is in the middle of the picture."),
        key("fov", Number(between(1.0, 150.0, "degrees")), Value("28.0"), "Vertical field of view."),
        key("up", DIRECTION, Value("[0.0, 1.0, 0.0]"), "Which way is up in the picture."),
    ],
    example: "{ at = [1.0, 1.0, 3.0], look_at = [0.0, 0.5, 0.0] }",
    ..Table::EMPTY
};

static TIME: Table = Table {
    name: "time",
    doc: "Frames, and the steps they are cut into.",
    keys: &[
        key("duration", Number(between(0.0, 1e7, "s")), Value("3.0"), "Simulated time."),
        key("fps", Number(between(0.001, 1e6, "1/s")), Value("60.0"), "Frames written for each second."),
        key(
            "step",
            OneOf(&[Choice(AUTO), Number(between(1e-9, 1e3, "s"))]),
            Value("\"auto\""),
            "Longest step: a frame is cut into equal steps no longer than this. `auto`: from the stable-step estimate \
             of explicit methods; a frame, but at most 20 ms, for `backward-euler`, at most 1/120 s for `bdf2`; for \
             `filtered-euler` one that slows no wave of the cloth's size much, at most 2 ms.",
        ),
        key(
            "adaptive",
            OneOf(&[Bool, Table(&ADAPTIVE)]),
            Value("true"),
            "Whether implicit methods halve a step that changes the stretch of a triangle drastically, and double it \
             again.",
        ),
    ],
    example: "{ duration = 3.0, fps = 60 }",
    ..Table::EMPTY
};

static ADAPTIVE: Table = Table {
    name: "adaptive",
    doc: "When a step is tried again half as long.",
    keys: &[
        key(
            "change",
            Number(between(1e-6, 1e6, "")),
            Value("0.1"),
            "Largest change of the stretch of a triangle, along warp or weft, in a step.",
        ),
        key(
            "least",
            Number(between(1e-9, 1.0, "")),
            Value("0.000244140625"),
            "Steps are not made shorter than this share of the longest; below it the run fails.",
        ),
    ],
    example: "{ change = 0.05 }",
    ..Table::EMPTY
};

const AUTO: Choice = Choice { words: &[("auto", "from the stable-step estimate of the method")], later: &[] };

static METHOD: Table = Table {
    name: "method",
    doc: "How time goes on.",
    keys: &METHOD_KEYS,
    shorthand: Some("name"),
    example: "{ name = \"bdf2\" }",
    owners: |key| {
        let of =
            |info: &MethodInfo| info.settings.iter().find(|own| own.key == key).map(|own| (info.name, own.default));
        Method::LIST.iter().filter_map(of).collect()
    },
    ..Table::EMPTY
};

/// The name of the method, then the settings of all methods.
const METHOD_KEYS: [Key; 1 + SETTINGS.1] = {
    let mut keys = [key("name", Choice(METHODS), Value("\"auto\""), "The method of integration."); 1 + SETTINGS.1];
    let mut i = 0;
    while i < SETTINGS.1 {
        keys[1 + i] = SETTINGS.0[i];
        i += 1;
    }
    keys
};

/// The settings of all methods, each key once, and their number.
const SETTINGS: ([Key; MOST_SETTINGS], usize) = {
    let mut keys = [NO_KEY; MOST_SETTINGS];
    let (mut count, mut method) = (0, 0);
    while method < Method::LIST.len() {
        let settings = Method::LIST[method].settings;
        let mut i = 0;
        while i < settings.len() {
            let mut at = 0;
            while at < count && !same(keys[at].name, settings[i].key) {
                at += 1;
            }
            if at == count {
                keys[at] = setting(&settings[i]);
                count += 1;
            } else if let Value(default) = keys[at].default
                && !same(default, settings[i].default)
            {
                keys[at].default = Own;
            }
            i += 1;
        }
        method += 1;
    }
    (keys, count)
};

/// The settings of all methods, those of the same name counted several times.
const MOST_SETTINGS: usize = {
    let (mut count, mut i) = (0, 0);
    while i < Method::LIST.len() {
        count += Method::LIST[i].settings.len();
        i += 1;
    }
    count
};

const METHODS: Choice = Choice {
    words: &METHOD_NAMES,
    later: &["implicit-euler", "kang", "filter", "strips", "projective-dynamics", "xpbd"],
};

static AIR: Table = Table {
    name: "air",
    doc: "The air around the cloth. Without `drag` and `fluid` it does not act.",
    keys: &[
        key("density", Number(between(0.0, 1e5, "kg/m³")), Value("1.2"), "Density."),
        key(
            "drag",
            Number(between(0.0, 1e5, "")),
            Value("0.0"),
            "Coefficient of the quadratic pressure drag on each triangle; 1 is a good start.",
        ),
        key("fluid", Number(not_negative("N s/m³")), Value("0.0"), "Provot's fluid force, for each area.").like("0.1"),
        key(
            "fluid_per_particle",
            Number(not_negative("N s/m")),
            Value("0.0"),
            "The same as the papers write it, for each particle.",
        )
        .like("0.001"),
        key("wind", VELOCITY, Value("[0.0, 0.0, 0.0]"), "Velocity of the air."),
        key("gust", Table(&GUST), Absent("a steady wind"), "Strengthens and weakens the wind."),
    ],
    example: "{ drag = 1.0, wind = [2.0, 0.0, 0.5] }",
    ..Table::EMPTY
};

static GUST: Table = Table {
    name: "gust",
    doc: "Multiplies the wind by 1 + strength × noise, noise smooth in time and between -1 and 1, the same in every \
    run.",
    keys: &[
        key(
            "strength",
            Number(between(0.0, 100.0, "")),
            Required,
            "Share of the wind; above 1 it turns round at times.",
        ),
        key("period", Number(between(1e-3, 1e6, "s")), Value("1.0"), "Time between two random values."),
        key("seed", SEED, Value("1"), "Another seed, another course."),
    ],
    example: "{ strength = 0.3, period = 1.5, seed = 1 }",
    ..Table::EMPTY
};

static LIMITER: Table = Table {
    name: "limiter",
    doc: "Limits stretch after each step: no edge is longer than it may be, or over-long springs are pulled back \
    (Provot 1995).",
    keys: &[
        key("limit", Number(between(0.0, 100.0, "")), Value("0.15"), "Largest allowed elongation, 0.15 for 15 %."),
        key(
            "rule",
            Choice(RULES),
            Absent("`\"keep\"` for backward-euler and bdf2, else `\"pull\"`"),
            "How it is limited.",
        ),
        key("passes", Integer { min: 1, max: 10_000 }, Value("1"), "Sweeps over all springs in a step, of `pull`."),
        key("order", Choice(ORDERS), Value("\"stored\""), "The order in which `pull` visits springs."),
        key("inverse_dynamics", Bool, Value("true"), "Whether velocities follow the corrected positions."),
        key(
            "springs",
            List(&Choice(SPRINGS), 1, 3),
            Value("[\"structural\", \"shear\"]"),
            "Kinds of springs, or of edges, that are limited.",
        ),
    ],
    example: "{ limit = 0.1 }",
    ..Table::EMPTY
};

static CONTACT: Table = Table {
    name: "contact",
    doc: "How cloth collides with bodies, with itself and with other cloths.",
    keys: &[
        key(
            "cloth",
            Bool,
            Absent("where contact is by the barrier"),
            "Whether cloth collides with itself and with other cloths.",
        ),
        key("law", Choice(LAWS), Value("\"auto\""), "The law of contact."),
        key(
            "start",
            Choice(STARTS),
            Value("\"refuse\""),
            "What becomes of triangles of cloth that cross cloth or bodies that are meshes at the start, with `law = \
             \"barrier\"`.",
        ),
        key(
            "impossible",
            Choice(IMPOSSIBLE),
            Value("\"stop\""),
            "What becomes of bodies that leave cloth no room, with `law = \"barrier\"`.",
        ),
        key("pair", Tables(&PAIR), Absent("all collide alike"), "What differs between two of them."),
    ],
    example: "{ cloth = true }",
    ..Table::EMPTY
};

static PAIR: Table = Table {
    name: "pair",
    doc: "What differs in the contact of two cloths, of a cloth with itself, or of a cloth and a body.",
    keys: &[
        key("names", List(&NAME, 2, 2), Required, "Both names; one cloth twice is the cloth with itself.")
            .like(r#"["lining", "shirt"]"#),
        key(
            "friction",
            Number(between(0.0, 100.0, "")),
            Absent("between cloths the mean of both fabrics', else the body's, else the fabric's"),
            "Friction coefficient.",
        )
        .like("0.2"),
        key("ignore", Bool, Value("false"), "Whether they do not collide, with `law = \"barrier\"`."),
    ],
    example: r#"[[contact.pair]] with names = ["lining", "shirt"] and friction = 0.2"#,
    ..Table::EMPTY
};

const IMPOSSIBLE: Choice = Choice {
    words: &[
        ("stop", "steps are divided, and at last the run ends with a message and its place"),
        (
            "yield",
            "triangles of cloth and of bodies that have no room pass through each other until they have come apart; \
             cloth never passes through cloth",
        ),
    ],
    later: &[],
};

const LAWS: Choice = Choice {
    words: &[
        ("auto", "the barrier; constraints where cloth with a limiter has bodies, unless `cloth` is true"),
        ("barrier", "forces that grow without bound as a gap closes, and a guard that lets nothing cross"),
        ("constraint", "particles are held on bodies by the solver's filter (Baraff & Witkin 1998)"),
    ],
    later: &[],
};

const STARTS: Choice = Choice {
    words: &[
        ("refuse", "the scene is refused, with their numbers and place; where pins hold cloth inside a body it is not"),
        ("exempt", "they do not collide until they have come apart; everything else does"),
    ],
    later: &[],
};

const RULES: Choice = Choice {
    words: &[
        ("keep", "no edge is too long after a step; the report says where pins or bodies make that impossible"),
        ("pull", "over-long springs are pulled back, one after the other"),
    ],
    later: &[],
};

const ORDERS: Choice = Choice {
    words: &[("stored", "as they are stored"), ("longest-first", "the most elongated first (Kang 2000)")],
    later: &[],
};

const SPRINGS: Choice = Choice {
    words: &[("structural", "along warp and weft"), ("shear", "across"), ("flexion", "over one particle or one edge")],
    later: &[],
};

macro_rules! switches {
    ($($name:literal: $doc:literal,)*) => {
        &[$(key($name, Bool, Value("true"), $doc)),*]
    };
}

static COMPONENTS: Table = Table {
    name: "components",
    doc: "Every part of a step can be switched off.",
    keys: switches! {
        "internal": "Forces inside the cloth: all of the next three.",
        "structural": "Structural springs, or the stretch of triangles.",
        "shear": "Shear springs, or the shear of triangles.",
        "bend": "Flexion springs, beams and hinges.",
        "gravity": "The weight of the cloth.",
        "air": "Drag, fluid force and wind.",
        "wind": "The wind; without it the air is at rest.",
        "loads": "Outside forces.",
        "damping": "Damping: viscous and inside the cloth.",
        "pins": "Pins; without it nothing is held.",
        "integration": "Integration; without it time passes and nothing moves.",
        "limiter": "The limiter after the step.",
        "contact": "Contact with bodies.",
    },
    example: "{ gravity = false }",
    ..Table::EMPTY
};

static OUTPUT: Table = Table {
    name: "output",
    doc: "What is written besides the frames.",
    keys: &[
        key("formats", List(&Choice(FORMATS), 0, 20), Value("[]"), "Files that a finished run exports."),
        key(
            "frames",
            Text(100),
            Absent("all frames"),
            "Frames that are exported, both ends included: \"30..60\", \"30..\", \"..60\", or in seconds \
             \"0.5s..1.2s\".",
        )
        .like(r#""30..60""#),
        key(
            "every",
            Integer { min: 1, max: 1_000_000_000 },
            Absent("all of them, in glTF at most 257"),
            "Exports every so many of them.",
        )
        .like("2"),
    ],
    example: "{ formats = [\"npz\"] }",
    ..Table::EMPTY
};

const FORMATS: Choice = Choice { words: &FORMAT_NAMES, later: &["abc"] };

const FORMAT_NAMES: [(&str, &str); Format::ALL.len()] = {
    let mut words = [("", ""); Format::ALL.len()];
    let mut i = 0;
    while i < words.len() {
        words[i] = (Format::ALL[i].name(), Format::ALL[i].describe());
        i += 1;
    }
    words
};

/// The names of the methods, with the automatic choice.
const METHOD_NAMES: [(&str, &str); 1 + Method::LIST.len()] = {
    let auto = "`filtered-euler` for cloth that resists shear by a tenth of stretch or more, bends easily, hangs in \
    still air and touches nothing; `backward-euler` where there are bodies; `bdf2` for all else, and in place \
    of `filtered-euler` where `tolerance`, `iterations`, `newton` or `residual` is given";
    let mut words = [("auto", auto); 1 + Method::LIST.len()];
    let mut i = 0;
    while i < Method::LIST.len() {
        words[i + 1] = (Method::LIST[i].name, Method::LIST[i].line);
        i += 1;
    }
    words
};
