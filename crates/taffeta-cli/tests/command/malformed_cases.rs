//! Malformed scenes, meshes and overrides. To add one, add a line.

use crate::common::{Random, SMALL};

/// Something that must be refused.
pub struct Case {
    pub name: String,
    pub scene: Vec<u8>,
    pub files: Vec<(&'static str, Vec<u8>)>,
    pub set: Vec<String>,
}

const GRID: &str = "grid = { size = [1.0, 1.0], cells = [2, 2] }\n";
const FABRIC: &str = "density = 0.2, stretch = 100.0, shear = 5.0, bend = 1e-5";

fn case(name: impl Into<String>, scene: impl Into<Vec<u8>>) -> Case {
    Case { name: name.into(), scene: scene.into(), files: Vec::new(), set: Vec::new() }
}

/// Lines at the top of a good scene.
fn top(lines: &str) -> Case {
    case(lines, format!("{lines}\n[[cloth]]\n{GRID}"))
}

/// Lines in a good cloth.
fn cloth(lines: &str) -> Case {
    case(lines, format!("[[cloth]]\n{GRID}{lines}\n"))
}

/// The shape of a cloth.
fn shape(line: &str) -> Case {
    case(line, format!("[[cloth]]\n{line}\n"))
}

/// Lines in a pin of a good cloth.
fn pin(lines: &str) -> Case {
    cloth(&format!("[[cloth.pin]]\n{lines}"))
}

/// Lines in a pin that holds everything.
fn held(lines: &str) -> Case {
    pin(&format!("select = {{ all = true }}\n{lines}"))
}

/// Lines in a body beside a good cloth.
fn body(lines: &str) -> Case {
    cloth(&format!("[[body]]\n{lines}"))
}

/// A value in a table of a fabric that is good but for it.
fn fabric(value: &str) -> Case {
    let key = value.split(' ').next().unwrap_or_default();
    let rest: Vec<&str> = FABRIC.split(", ").filter(|other| !other.starts_with(key)).collect();
    cloth(&format!("fabric = {{ {}, {value} }}", rest.join(", ")))
}

/// A mesh file.
fn mesh(name: &str, contents: impl Into<Vec<u8>>) -> Case {
    let scene = "[[cloth]]\nmesh = \"mesh.obj\"\n";
    Case { files: vec![("mesh.obj", contents.into())], ..case(format!("mesh: {name}"), scene) }
}

/// A file for the mesh of a body.
fn body_mesh(name: &'static str, contents: impl Into<Vec<u8>>) -> Case {
    let scene = body(&format!("mesh = \"{name}\"")).scene;
    Case { files: vec![(name, contents.into())], ..case(format!("body: {name}"), scene) }
}

/// A file for the motion of a pin.
fn motion(name: &str, contents: impl Into<Vec<u8>>) -> Case {
    let scene = held("motion = \"way.csv\"").scene;
    Case { files: vec![("way.csv", contents.into())], ..case(format!("motion: {name}"), scene) }
}

/// Overrides of a good scene.
fn set(override_: &str) -> Case {
    Case { set: vec![override_.into()], ..case(format!("--set {override_}"), SMALL) }
}

pub fn all() -> Vec<Case> {
    let mut cases = syntax();
    cases.extend(keys());
    cases.extend(kinds());
    cases.extend(ranges());
    cases.extend(contradictions());
    cases.extend(files());
    cases.extend(overrides());
    cases.extend(wrong_values());
    cases.extend(rubbish());
    cases
}

fn syntax() -> Vec<Case> {
    let deep = format!("title = {}1{}", "[".repeat(50_000), "]".repeat(50_000));
    vec![
        case("empty", ""),
        case("blank", "\n\n  \n"),
        case("a comment", "# nothing"),
        case("byte order mark alone", "\u{feff}"),
        case("zero bytes", vec![0; 1000]),
        case("not UTF-8", b"title = \"\xff\xfe\"\n".to_vec()),
        case("UTF-16", "title = \"a\"\n".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>()),
        case("a picture", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec()),
        case("JSON", "{ \"cloth\": [] }"),
        case("YAML", "cloth:\n  - grid: 1\n"),
        case("prose", "a sheet of cotton falls on a ball"),
        top("title ="),
        top("title = hello"),
        top("title = \"a"),
        top("= 3"),
        top("[time\nfps = 3"),
        top("gravity = [0, 1"),
        top("gravity = [0,, 1]"),
        top("title = \"a\"\ntitle = \"b\""),
        top("[time]\nduration = 0.5 s"),
        top("[time]\n[time]"),
        top("time.fps = 3\n[time]"),
        top("title = \"\\q\""),
        top("a.b = 1\na = 2"),
        top(&deep),
    ]
}

fn keys() -> Vec<Case> {
    vec![
        top("gravty = [0, 0, 0]"),
        top("fps = 30"),
        top("[time]\nfsp = 30"),
        top("[camera]\nx = 1"),
        top("\"\" = 1"),
        cloth("[[cloth.region]]\nstretch_rest = [1, 1]"),
        cloth("model = \"mass-spring\"\n[[cloth.region]]\nselect = { all = true }\nstretch_rest = [1.1, 1]"),
        held("clamp = 1"),
        pin("select = { edge = \"top\" }\nclamp = true"),
        body("plane = { size = 3 }"),
        case("no cloth", "title = \"nothing\"\n"),
        case("cloth without a shape", "[[cloth]]\n"),
        case("cloth as a table", format!("[cloth]\n{GRID}")),
        case("cloth as a number", "cloth = 3\n"),
        case("no cloths", "cloth = []\n"),
        shape("grid = { size = [1, 1] }"),
        shape("grid = { cells = [1, 1] }"),
        shape("disc = { radius = 1 }"),
        shape("disc = { radius = 1, edge = 0.1, rings = [2] }"),
        shape("random = { size = [1, 1], edge = 0 }"),
        pin("hold = \"all\""),
        pin("select = {}"),
        held("motion = [{ move = [0, 0, 0] }]"),
        cloth("noise = { seed = 1 }"),
        cloth("fabric = { density = 0.1 }"),
        cloth("raw = { mass = 0.1 }"),
        top("[air]\ngust = {}"),
        body("name = \"a\""),
        body("torus = { radius = 0.3 }"),
    ]
}

fn kinds() -> Vec<Case> {
    vec![
        top("[time]\nfps = \"60\""),
        top("[time]\nstep = true"),
        top("gravity = -9.81"),
        top("gravity = [0, -9.81]"),
        top("gravity = [0, \"a\", 0]"),
        top("gravity = { y = -9.81 }"),
        top("time = 3"),
        top("method = \"verlet\""),
        top("[[time]]\nfps = 3"),
        top("title = 3"),
        top("[components]\ngravity = \"false\""),
        cloth("velocity = 1979-05-27"),
        cloth("[cloth.pin]\nselect = { all = true }"),
        pin("select = \"top\""),
        pin("select = { corners = \"left-top\" }"),
        pin("select = { corners = [] }"),
        pin("select = { box = [[0, 0, 0]] }"),
        held("motion = []"),
        held("motion = 3"),
        cloth("fabric = 3"),
        shape("grid = { size = [1, 1], cells = [2.5, 2] }"),
        // words
        top("[method]\nname = \"implicit-euler\""),
        top("[method]\nname = \"verlet\"\nnewton = 3"),
        top("[method]\nname = \"bdf2\"\norder = \"explicit-first\""),
        top("[method]\ntolerance = 0"),
        top("[time]\nadaptive = { least = 0 }"),
        top("[time]\nadaptive = 3"),
        top("[method]\nname = \"vertlet\""),
        cloth("model = \"stvk\""),
        cloth("model = { name = \"baraff-witkin\", bending = \"flexion\" }"),
        cloth("model = { name = \"choi-ko\", bending = \"hinge\" }"),
        cloth("model = { name = \"mass-spring\", bending = \"quadratic\" }"),
        pin("select = { edge = \"upper\" }"),
        pin("select = { corners = [\"top-left\"] }"),
        held("hold = \"zx\""),
        top("[output]\nformats = [\"abc\"]"),
        top("[limiter]\norder = \"random\""),
        cloth("fabric = \"steel\""),
        cloth("fabric = { base = \"steel\" }"),
    ]
}

fn ranges() -> Vec<Case> {
    let long = "x".repeat(5000);
    vec![
        top("[time]\nfps = 0"),
        top("[time]\nfps = -60"),
        top("[time]\nfps = inf"),
        top("[time]\nfps = 999999999999999999999999"),
        top("[time]\nduration = -1"),
        top("[time]\nduration = nan"),
        top("[time]\nduration = 1e300"),
        top("[time]\nduration = 1e6\nfps = 1000"),
        top("[time]\nstep = 0"),
        top("[time]\nstep = 1e-300"),
        top("[time]\nstep = 1e-9\nfps = 0.001"),
        top("gravity = [0, inf, 0]"),
        top("gravity = [0, -inf, nan]"),
        top("[air]\nwind = [nan, 0, 0]"),
        top("[air]\ndensity = -1.2"),
        top("[limiter]\npasses = 0"),
        fabric("density = 0.0"),
        fabric("density = -0.2"),
        fabric("stretch = 0.0"),
        fabric("stretch = { warp = -5.0, weft = 1.0 }"),
        fabric("bend = nan"),
        fabric("poisson = 3.0"),
        fabric("damping = { stretch = -1.0 }"),
        cloth("raw = { mass = -0.1, structural = 1.0 }"),
        shape("grid = { size = [0.0, 1.0], cells = [2, 2] }"),
        shape("grid = { size = [1e300, 1.0], cells = [2, 2] }"),
        shape("grid = { size = [1.0, 1.0], cells = [0, 2] }"),
        shape("grid = { size = [1.0, 1.0], cells = [-3, 2] }"),
        shape("grid = { size = [1.0, 1.0], cells = [1000000000, 1000000000] }"),
        shape("grid = { size = [1.0, 1.0], cells = [9223372036854775807, 1] }"),
        shape("equilateral = { size = [1000.0, 1000.0], edge = 1e-6 }"),
        cloth("name = \"\""),
        cloth("name = \"a\\nb\""),
        cloth(&format!("name = \"{long}\"")),
        cloth("place = { scale = 0.0 }"),
        cloth("place = { rotate = [0, nan, 0] }"),
        cloth("noise = { size = 1e-4, seed = -1 }"),
        cloth("grain = 1e9"),
        body("sphere = { radius = -1 }"),
        body("box = { size = [0, 1, 1] }"),
        body("plane = true\nrestitution = 2"),
    ]
}

fn contradictions() -> Vec<Case> {
    let two = format!("[[cloth]]\nname = \"a\"\n{GRID}[[cloth]]\nname = \"a\"\n{GRID}");
    let loads = "[[cloth.load]]\nselect = { all = true }\n";
    vec![
        cloth("mesh = \"a.obj\""),
        pin("select = { all = true, edge = \"top\" }"),
        pin("select = { all = false }"),
        pin("select = { vertices = [0, 99] }"),
        pin("select = { vertices = [-1] }"),
        pin("select = { box = [[1, 0, 0], [0, 1, 1]] }"),
        pin("select = { box = [[100, 100, 100], [101, 101, 101]] }"),
        pin("select = { sphere = { at = [0, 50, 0], radius = 0.1 } }"),
        body("sphere = { radius = 1 }\nplane = true"),
        body("plane = false"),
        body("torus = { radius = 0.1, tube = 0.2 }"),
        top("[method]\nname = \"rk4\"\ndamping = 0.1"),
        top("[method]\nname = \"forward-euler\""),
        cloth("model = { bending = \"hinge\", curvature = 3 }"),
        cloth("raw = { mass = 1, structural = 1, hinge = 1, flexion = 1 }"),
        // keys in time
        held("motion = [{ t = 1 }, { t = 1 }]"),
        held("motion = [{ t = 0 }, { t = 2 }, { t = 1 }]"),
        held("motion = [{ t = nan }]"),
        held("motion = [{ t = 0, move = [inf, 0, 0] }]"),
        held("motion = [{ t = 0, turn = [0, 0] }]"),
        held("from = 2\nuntil = 1"),
        held("ease = \"smooth\""),
        held("hold = { normal = [0, 0, 0] }"),
        held("hold = { along = [0, nan, 0] }"),
        cloth(&format!("{loads}force = [{{ t = 1, force = [0, 0, 0] }}, {{ t = 0, force = [0, 0, 0] }}]")),
        cloth(&format!("{loads}force = []")),
        case("two cloths of one name", two),
    ]
}

fn files() -> Vec<Case> {
    let quad = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";
    let mut many = String::from("v 0 0 0\nv 1 0 0\nv 0 1 0\n");
    (0..500).for_each(|i| many += &format!("f 1 2 {}\n", i + 4));
    let fabric_file = |name: &str, contents: &str| Case {
        files: vec![("mine.toml", contents.into())],
        ..case(format!("fabric file: {name}"), cloth("fabric = \"mine.toml\"").scene)
    };
    let start = |name: &str, contents: &str| Case {
        files: vec![("start.obj", contents.into())],
        ..case(format!("start: {name}"), cloth("start = \"start.obj\"").scene)
    };
    vec![
        shape("mesh = \"missing.obj\""),
        shape("mesh = \"shirt.fbx\""),
        shape("mesh = \"\""),
        shape("mesh = \".\""),
        shape("mesh = \"bad.toml/x.obj\""),
        shape("mesh = \"a\\u0000b.obj\""),
        cloth("start = \"nowhere/x.obj\""),
        cloth("fabric = \"missing.toml\""),
        held("motion = \"way.txt\""),
        held("motion = \"missing.csv\""),
        mesh("empty", ""),
        mesh("vertices alone", quad),
        mesh("faces alone", "f 1 2 3\n"),
        mesh("rubbish", (0..4000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect::<Vec<u8>>()),
        mesh("index too large", format!("{quad}f 1 2 9\n")),
        mesh("index zero", format!("{quad}f 0 1 2\n")),
        mesh("index far negative", format!("{quad}f -9 1 2\n")),
        mesh("index not a number", format!("{quad}f a b c\n")),
        mesh("index beyond counting", format!("{quad}f 1 2 99999999999999999999\n")),
        mesh("two corners", format!("{quad}f 1 2\n")),
        mesh("corner twice", format!("{quad}f 1 1 2\n")),
        mesh("NaN", "v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"),
        mesh("infinity", "v 0 0 inf\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"),
        mesh("overflow", "v 0 0 1e999\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"),
        mesh("two numbers", "v 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"),
        mesh("words", "v a b c\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"),
        mesh("triangle without area", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n"),
        mesh("all vertices in one place", "v 0 0 0\nv 0 0 0\nv 0 0 0\nf 1 2 3\n"),
        mesh("three triangles at an edge", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 -1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 2 5\n"),
        mesh("the same triangle three times", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 2 3\nf 1 2 3\n"),
        mesh("five hundred mistakes", many),
        body("mesh = \"missing.obj\""),
        body("mesh = \".\""),
        body("mesh = \"walk.####.obj\""),
        body("mesh = { unit = 0.01 }"),
        body("mesh = { file = \"a.glb\", fps = 30 }"),
        body("mesh = \"a.obj\"\nsphere = { radius = 1.0 }"),
        body_mesh("empty.obj", ""),
        body_mesh("empty.ply", ""),
        body_mesh("empty.glb", ""),
        body_mesh("empty.pc2", ""),
        body_mesh("empty.mdd", ""),
        body_mesh("points.obj", quad),
        body_mesh("corner.obj", format!("{quad}f 1 2 9\n")),
        body_mesh("nan.obj", "v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"),
        body_mesh("cut.glb", b"glTF\x02\0\0\0\xff\xff\0\0".to_vec()),
        body_mesh("old.gltf", "{ \"asset\": { \"version\": \"1.0\" } }"),
        body_mesh("nothing.gltf", "{ \"asset\": { \"version\": \"2.0\" } }"),
        body_mesh(
            "out.gltf",
            "{ \"asset\": { \"version\": \"2.0\" }, \"buffers\": [{ \"uri\": \"/etc/passwd\", \"byteLength\": 4 }] }",
        ),
        body_mesh("huge.pc2", b"POINTCACHE2\0\x01\0\0\0\xff\xff\xff\xff\0\0\0\0\0\0\x80\x3f\xff\xff\xff\xff".to_vec()),
        start("other vertices", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"),
        start("rubbish", "hello"),
        motion("empty", ""),
        motion("words", "once upon a time"),
        motion("back in time", "t,x,y,z\n0,0,0,0\n2,0,0,0\n1,0,0,0\n"),
        motion("a column short", "t,x,y,z\n0,0,0\n"),
        motion("NaN", "t,x,y,z\n0,0,nan,0\n"),
        fabric_file("rubbish", "not a fabric"),
        fabric_file("empty", ""),
        fabric_file("unknown key", &format!("{}\nweight = 3\n", FABRIC.replace(", ", "\n"))),
        fabric_file("negative", "density = -1\nstretch = 1\nshear = 1\nbend = 1\n"),
    ]
}

fn overrides() -> Vec<Case> {
    let list = [
        "",
        "=",
        "x",
        "time",
        "=3",
        "time.fps=",
        "time.fsp=30",
        "time.fps=abc",
        "time.fps=-1",
        "time.fps=nan",
        "time..fps=3",
        "cloth.7.name=a",
        "cloth.sheets.fabric.density=1",
        "gravity=[1,2",
        "gravity.7=1",
        "cloth=3",
        "cloth.pin.select.edge=upper",
        "title.x=1",
        "time.fps=1\nfps=2",
        "\u{1f9f5}=1",
        "body.0.name=a",
    ];
    list.map(set).into()
}

/// Every value of a good scene in turn becomes one that cannot be right.
fn wrong_values() -> Vec<Case> {
    const SCENE: &str = r#"gravity = [0.0, -9.81, 0.0]
[time]
duration = 0.2
fps = 60
[air]
drag = 1.0
wind = [1.0, 0.0, 0.0]
[[cloth]]
grid = { size = [1.0, 1.0], cells = [4, 4] }
place = { at = [0.0, 1.0, 0.0] }
velocity = [0.0, 0.0, 0.0]
noise = { size = 1e-4, seed = 1 }
[[cloth.pin]]
select = { edge = "top" }
until = 3.0
"#;
    let wrong = ["nan", "-1e999", "\"\"", "[]", "[[1.0]]", "{ a = 1 }", "1979-05-27", "2 m", "0x", "'"];
    let lines: Vec<&str> = SCENE.lines().collect();
    let values: Vec<usize> = (0..lines.len()).filter(|&i| lines[i].contains('=')).collect();
    let mut random = Random(7);
    let mut cases = Vec::new();
    for i in values {
        let (key, _) = lines[i].split_once('=').unwrap();
        // a few for each: all of them would say the same
        let first = random.below(wrong.len() as u64) as usize;
        for value in (0..3).map(|j| wrong[(first + 3 * j) % wrong.len()]) {
            let mut lines: Vec<String> = lines.iter().map(|line| line.to_string()).collect();
            lines[i] = format!("{key}= {value}");
            cases.push(case(format!("{key}= {value}"), lines.join("\n")));
        }
    }
    cases
}

/// A good scene with bytes of noise in it.
fn rubbish() -> Vec<Case> {
    let mut random = Random(3);
    let noisy = |i: u64, random: &mut Random| {
        let mut bytes = SMALL.as_bytes().to_vec();
        for _ in 0..20 {
            let at = random.below(bytes.len() as u64) as usize;
            bytes[at] = random.below(256) as u8;
        }
        case(format!("noise {i}"), bytes)
    };
    let cut = |i: u64, random: &mut Random| {
        // in the middle of a line, after the first of the cloth
        let from = SMALL.find("grid").unwrap() as u64;
        let at = from + random.below(SMALL.find("[[cloth.pin]]").unwrap() as u64 - from - 4);
        case(format!("cut {i}"), &SMALL.as_bytes()[..at as usize])
    };
    let mut cases: Vec<Case> = (0..12).map(|i| noisy(i, &mut random)).collect();
    cases.extend((0..8).map(|i| cut(i, &mut random)));
    cases
}
