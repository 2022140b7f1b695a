//! Scenes with mistakes: each is refused with the right message, at a place, with a way out.

use crate::{Diagnostics, Source, load};
use std::collections::BTreeSet;

const GRID: &str = "grid = { size = [1.0, 1.0], cells = [2, 2] }\n";

fn mistakes(text: &str) -> Diagnostics {
    load(&Source::text("bad.toml", text, "."), &[]).err().unwrap_or_else(|| panic!("accepted:\n{text}"))
}

/// Puts lines at the top of an otherwise good scene; the next functions put them into other tables.
fn top(lines: &str) -> String {
    format!("{lines}\n[[cloth]]\n{GRID}")
}
fn cloth(lines: &str) -> String {
    format!("[[cloth]]\n{GRID}{lines}\n")
}
fn pin(lines: &str) -> String {
    format!("[[cloth]]\n{GRID}[[cloth.pin]]\n{lines}\n")
}
fn region(lines: &str) -> String {
    format!("[[cloth]]\n{GRID}[[cloth.region]]\n{lines}\n")
}
fn body(lines: &str) -> String {
    format!("[[cloth]]\n{GRID}[[body]]\n{lines}\n")
}
const SELECT: &str = "select = { all = true }";

/// The scene, a part of the message, a part of the help.
fn table() -> Vec<(String, &'static str, &'static str)> {
    let huge = "x".repeat(5000);
    vec![
        // syntax
        ("title =\n".into(), "`title` has no value", "write a value"),
        ("title = hello\n".into(), "`hello` is not a value", "in quotes"),
        ("title = \"a\n".into(), "string", "quote"),
        ("[time\nfps = 3\n".into(), "unclosed table", "[time]"),
        ("gravity = [0, 1\n".into(), "unclosed array", "[1.0, 2.0, 3.0]"),
        ("fps = 0.5 m\n".into(), "is not a value", "without its unit"),
        (top("title = \"a\"\ntitle = \"b\""), "duplicate key", "leave one"),
        ("= 3\n".into(), "key", "key = value"),
        // unknown keys
        (top("gravty = [0, 0, 0]"), "unknown key `gravty`", "did you mean `gravity`?"),
        (top("fps = 30"), "unknown key `fps`", "belongs into [time]"),
        (top("pin = 3"), "unknown key `pin`", "belongs into [[cloth]]"),
        (top("elephant = 3"), "unknown key `elephant`", "there are `title`"),
        (top("[time]\nfsp = 30"), "unknown key `fsp` in `time`", "did you mean `fps`?"),
        (top("[camera]\nx = 1"), "unknown key `x`", "`at`"),
        (top("[camera]\nat = [0, 0, 0]"), "nowhere to look", "move `at`"),
        (cloth("disc = { radius = 1, edge = 0.1 }"), "both `grid` and `disc`", "leave out"),
        (cloth("[[cloth.region]]\nstretch_rest = [1, 1]"), "`region[0]` needs `select`", "add select"),
        (region(SELECT), "`region[0]` changes nothing", "stretch_rest = [1.1, 0.9]"),
        (region(&format!("{SELECT}\nstretch_rest = 1.1")), "`stretch_rest` must be a list of 2 numbers", "such as"),
        (region(&format!("{SELECT}\nstretch_rest = [0.0, 1.0]")), "`stretch_rest[0]` is out of range", "at least 0.1"),
        (region(&format!("{SELECT}\ndensity = -1")), "`density` is out of range", "at least"),
        (region(&format!("{SELECT}\nfriction = 0.3")), "`friction` does not exist yet", "of the whole cloth"),
        (region("select = { vertices = [99] }\nshear = 1"), "vertex 99 does not exist", "the last is 8"),
        (cloth("region = { stretch_rest = [1, 1] }"), "`region` must be an array of tables", "[[cloth.region]]"),
        (pin("select = { all = true }\nclamp = \"true\""), "`clamp` must be true or false", "without the quotes"),
        (body("plane = { size = 3 }"), "unknown key `size` in `plane`", "leave it out"),
        (cloth("\"\" = 3"), "unknown key ``", "there are"),
        // missing
        (String::new(), "the scene needs `cloth`", "[[cloth]]"),
        (
            "[[cloth]]\n".into(),
            "`cloth[0]` needs one of `grid`, `equilateral`, `disc`, `random` and `mesh`",
            "with grid =",
        ),
        ("[[cloth]]\ngrid = { size = [1, 1] }\n".into(), "`grid` needs `cells`", "add cells = [20, 20]"),
        (pin("hold = \"all\""), "`pin[0]` needs `select`", "corners"),
        (pin("select = {}"), "`select` needs one of", "corners"),
        (cloth("noise = { seed = 1 }"), "`noise` needs `size`", "add size"),
        (cloth("fabric = { density = 0.1 }"), "`fabric` needs `stretch`, `shear` and `bend`", "`base`"),
        (cloth("raw = { mass = 0.1 }"), "`raw` needs `structural`", "add structural"),
        (top("[air]\ngust = {}"), "`gust` needs `strength`", "add strength"),
        (body("name = \"a\""), "`body[0]` needs one of", "sphere"),
        (body("torus = { radius = 0.3 }"), "`torus` needs `tube`", "add tube"),
        (pin(&format!("{SELECT}\nmotion = [{{ move = [0, 0, 0] }}]")), "needs `t`", "add t"),
        // too many
        (cloth("mesh = \"a.obj\""), "both `grid` and `mesh`", "leave out"),
        (pin("select = { all = true, edge = \"top\" }"), "both `all` and `edge`", "leave out"),
        (body("sphere = { radius = 1 }\nplane = true"), "both `plane` and `sphere`", "leave out"),
        (cloth("fabric = \"silk\"\nraw = { mass = 1, structural = 1 }"), "both `fabric` and `raw`", "in place of"),
        // wrong kinds
        (
            top("[time]\nfps = \"60\""),
            "`fps` must be a number in 1/s, not the text \"60\"",
            "without the quotes: fps = 60",
        ),
        (top("[time]\nduration = \"3 s\""), "`duration` must be a number in s", "the number alone"),
        (top("[time]\nstep = true"), "`step` must be \"auto\", or a number in s, not `true`", "such as step"),
        (top("gravity = -9.81"), "`gravity` must be a list of 3 numbers in m/s²", "such as gravity = ["),
        (top("gravity = [0, -9.81]"), "`gravity` must have 3 numbers, not 2", "such as [0.0, -9.81, 0.0]"),
        (top("gravity = [0, {}, 0]"), "`gravity[1]` must be a number", "such as gravity[1] = -9.81"),
        (
            cloth("fabric = { density = 0.1 }"),
            "`fabric` needs `stretch`",
            "add stretch = 400.0, shear = 20.0, bend = 1e-5;",
        ),
        (cloth("fabric = { base = \"silk\", bend = \"soft\" }"), "`bend` must be a number", "such as bend = 1e-5"),
        (cloth("noise = { size = \"small\" }"), "`size` must be a number in m", "such as 1e-4"),
        (top("[air]\nwind = [1]"), "`wind` must have 3 numbers", "such as [2.0, 0.0, 0.5]"),
        (top("gravity = [0, \"a\", 0]"), "`gravity[1]` must be a number", "the number alone"),
        (top("gravity = { y = -9.81 }"), "not a table", "such as gravity"),
        (top("time = 3"), "`time` must be a table, not the number 3", "such as time = {"),
        (top("method = \"verlet\""), "`method` must be a table, not the text", "write method = { name = \"verlet\" }"),
        (top("method = \"bdf3\""), "`method` must be a table", "did you mean method = { name = \"bdf2\" }?"),
        (
            top("method = \"quickest\""),
            "`method` must be a table",
            "such as method = { name = \"auto\" }; there are \"auto\",",
        ),
        (top("[[time]]\nfps = 3"), "`time` must be a table, not a list of tables", "single brackets, [time]"),
        (
            "[cloth]\ngrid = { size = [1, 1], cells = [2, 2] }\n".into(),
            "`cloth` must be an array of tables",
            "[[cloth]]",
        ),
        ("cloth = []\n".into(), "`cloth` is an empty list", "write [[cloth]]"),
        ("cloth = [1, 2]\n".into(), "`cloth` must be an array of tables", "[[cloth]]"),
        (cloth("[cloth.pin]\nselect = { all = true }"), "`pin` must be an array of tables", "[[cloth.pin]]"),
        (cloth("velocity = 1979-05-27"), "not a date", "such as"),
        (
            top("[components]\ngravity = \"false\""),
            "`gravity` must be true or false",
            "without the quotes: gravity = false",
        ),
        (top("[components]\nwind = 0"), "`wind` must be true or false, not the number 0", "such as wind = true"),
        (top("title = 3"), "`title` must be a text, not the number 3", "such as title"),
        (pin("select = { corners = \"left-top\" }"), "`corners` must be a list", "put it in brackets"),
        (pin("select = { corners = [] }"), "`corners` must have 1 to 4 elements, not 0", "such as ["),
        (pin("select = { box = [[0, 0, 0]] }"), "`box` must have 2 elements, not 1", "such as [["),
        (pin("select = \"top\""), "`select` must be a table", "such as select = {"),
        (pin(&format!("{SELECT}\nmotion = []")), "`motion` must have 1 to 1000000 elements, not 0", "such as"),
        (pin(&format!("{SELECT}\nmotion = 3")), "`motion` must be the path of a CSV motion file, or a list", "such as"),
        (
            "[[cloth]]\ngrid = { size = [1, 1], cells = [2.0, 2] }\n".into(),
            "`cells[0]` must be a whole number",
            "without the point: 2",
        ),
        (
            "[[cloth]]\ngrid = { size = [1, 1], cells = [2.5, 2] }\n".into(),
            "`cells[0]` must be a whole number",
            "such as 20",
        ),
        (cloth("fabric = 3"), "`fabric` must be the name of a fabric", "such as"),
        (
            cloth("fabric = { density = 1, stretch = 1, shear = 1, bend = 1, source = { bend = 1 } }"),
            "`bend` must be a text",
            "estimated:",
        ),
        // words
        (
            top("[method]\nname = \"implicit-euler\""),
            "\"implicit-euler\" does not exist yet",
            "there are \"auto\", \"forward-euler\"",
        ),
        (top("[method]\nname = \"vertlet\""), "`name` cannot be \"vertlet\"", "did you mean \"verlet\"?"),
        (cloth("model = \"stvk\""), "\"stvk\" does not exist yet", "there are \"baraff-witkin\""),
        (cloth("model = { name = \"spring\" }"), "`name` cannot be \"spring\"", "\"mass-spring\""),
        (pin("select = { edge = \"upper\" }"), "`edge` cannot be \"upper\"", "\"top\""),
        (pin("select = { edge = [\"top\", \"lefft\"] }"), "`edge[1]` cannot be \"lefft\"", "\"left\"?"),
        (
            pin("select = { corners = [\"top-left\"] }"),
            "`corners[0]` cannot be \"top-left\"",
            "did you mean \"left-top\"?",
        ),
        (pin(&format!("{SELECT}\nhold = \"zx\"")), "`hold` cannot be \"zx\"", "\"xz\""),
        (top("[output]\nframes = \"5..2\""), "`5..2` is no range of frames", "30..60"),
        (top("[output]\nframes = \"1000000..\""), "no frame of the run lies in 1000000..", "from 0 to"),
        (top("[output]\nevery = 0"), "out of range", "between 1"),
        (top("[output]\nformats = [\"abc\"]"), "\"abc\" does not exist yet", "\"npz\""),
        (top("[limiter]\norder = \"random\""), "`order` cannot be \"random\"", "\"stored\""),
        (cloth("fabric = \"slik\""), "there is no fabric `slik`", "did you mean \"silk\"?"),
        (cloth("fabric = { base = \"steel\" }"), "there is no fabric `steel`", "there are"),
        // ranges
        (top("[time]\nfps = 0"), "`fps` is out of range: the number 0", "at least 0.001"),
        (top("[time]\nduration = -1"), "`duration` is out of range: the number -1", "at least 0"),
        (top("[time]\nfps = 1e-300"), "`fps` is out of range: the number 1e-300", "at least 0.001"),
        (top("[time]\nduration = nan"), "`duration` is NaN", "leave it out"),
        (top("gravity = [0, inf, 0]"), "`gravity[1]` is inf", "a number at least"),
        (top("[time]\nduration = 1e6\nfps = 1000"), "1000000000 frames", "make `duration` or `fps` smaller"),
        (top("[time]\nfps = 999999999999999999999999"), "too many digits", "at most"),
        (cloth("fabric = { density = 0, stretch = 1, shear = 1, bend = 1 }"), "`density` is out of range", "at least"),
        (cloth("fabric = { density = 1, stretch = 0.0, shear = 1, bend = 1 }"), "`stretch` is out of range", "above 0"),
        ("[[cloth]]\ngrid = { size = [0.0, 1.0], cells = [2, 2] }\n".into(), "`size[0]` is out of range", "at least"),
        (
            "[[cloth]]\ngrid = { size = [1.0, 1.0], cells = [0, 2] }\n".into(),
            "`cells[0]` is out of range: the number 0",
            "between 1",
        ),
        (
            "[[cloth]]\ngrid = { size = [1.0, 1.0], cells = [-3, 2] }\n".into(),
            "`cells[0]` is out of range: the number -3",
            "between",
        ),
        (
            "[[cloth]]\ngrid = { size = [1.0, 1.0], cells = [100000, 100000] }\n".into(),
            "10000200001 vertices",
            "use fewer cells",
        ),
        (
            "[[cloth]]\nequilateral = { size = [1000.0, 1000.0], edge = 1e-5 }\n".into(),
            "vertices, and there is room for",
            "fewer",
        ),
        (
            "[[cloth]]\nrandom = { size = [1000.0, 1000.0], edge = 1e-5, seed = 3 }\n".into(),
            "vertices, and there is room for",
            "fewer",
        ),
        ("[[cloth]]\nrandom = { size = [1.0, 1.0], edge = 0.0 }\n".into(), "`edge` is out of range", "at least"),
        (
            "[[cloth]]\nrandom = { size = [1.0, 1.0], edge = 0.1, seed = 0.5 }\n".into(),
            "`seed` must be a whole number",
            "such as",
        ),
        ("[[cloth]]\ndisc = { radius = 1e5, edge = 1e-4 }\n".into(), "vertices, and there is room for", "fewer"),
        ("[[cloth]]\ndisc = { edge = 0.1 }\n".into(), "`disc` needs `radius`", "add radius"),
        (
            "[[cloth]]\ndisc = { radius = 1.0, edge = 0.1, rings = [0.5, 1.0] }\n".into(),
            "a ring at 1 m does not lie inside",
            "between the centre and the border",
        ),
        (
            "[[cloth]]\ndisc = { radius = 1.0, edge = 0.1, rings = [0.5, 0.501] }\n".into(),
            "rings at 0.5 m and 0.501 m are too close",
            "apart",
        ),
        (
            "[[cloth]]\ndisc = { radius = 1.0, edge = 0.1, rings = 0.5 }\n".into(),
            "`rings` must be a list",
            "in brackets",
        ),
        (cloth("name = \"\""), "`name` is empty", "leave the key out"),
        (cloth("name = \"a\\nb\""), "control character", "one line"),
        (cloth(&format!("name = \"{huge}\"")), "`name` has 5000 characters", "at most 100"),
        (cloth(&format!("mesh = \"{huge}\"")), "`mesh` has 5000 characters", "at most 4096"),
        (cloth("noise = { size = 1e-4, seed = -1 }"), "`seed` is out of range", "at least 0"),
        (top("[limiter]\npasses = 0"), "`passes` is out of range", "between 1 and 10000"),
        (body("sphere = { radius = -1 }"), "`radius` is out of range", "at least"),
        (body("plane = true\nrestitution = 2"), "`restitution` is out of range", "at most 1"),
        // values that contradict each other
        (
            top("[method]\nname = \"rk4\"\ndamping = 0.1"),
            "`damping` belongs to `verlet`, not to `rk4`",
            "name = \"verlet\"",
        ),
        (
            cloth("model = { bending = \"hinge\", curvature = 3 }"),
            "`curvature` belongs to flexion springs",
            "bending = \"flexion\"",
        ),
        (
            cloth("raw = { mass = 1, structural = 1, hinge = 1, flexion = 1 }"),
            "both `hinge` and `flexion`",
            "bending =",
        ),
        (pin(&format!("{SELECT}\nmotion = [{{ t = 1 }}, {{ t = 1 }}]")), "`motion[1]` is at 1 s", "order of time"),
        (pin(&format!("{SELECT}\nfrom = 2\nuntil = 1")), "it would never act", "later than `from`"),
        (pin(&format!("{SELECT}\nease = \"smooth\"")), "`ease` has no motion", "add a `motion`"),
        (pin("select = { vertices = [0, 99] }"), "vertex 99 does not exist: the cloth has 9", "the last is 8"),
        (pin("select = { all = false }"), "`all = false` selects nothing", "all = true"),
        (
            pin("select = { box = [[1, 0, 0], [0, 1, 1]] }"),
            "not the smallest",
            "write box = [[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]]",
        ),
        (pin(&format!("{SELECT}\nhold = {{ normal = [0, 0, 0] }}")), "`normal` has no length", "[0.0, 1.0, 0.0]"),
        (body("plane = false"), "`plane = false` is no shape", "plane = true"),
        (body("torus = { radius = 0.1, tube = 0.2 }"), "there is no hole", "smaller than `radius`"),
        (
            format!("[[cloth]]\nname = \"a\"\n{GRID}[[cloth]]\nname = \"a\"\n{GRID}"),
            "`a` is the name of `cloth[0]` already",
            "its own name",
        ),
        (
            cloth(
                "[[cloth.load]]\nselect = { all = true }\n\
                    force = [{ t = 1, force = [0, 0, 0] }, { t = 0, force = [0, 0, 0] }]",
            ),
            "`force[1]` is at 0 s",
            "order of time",
        ),
        (cloth("start = { pleat = 90, shear = 30 }"), "both `shear` and `pleat`", "leave out"),
        (cloth("start = { pleat = 180 }"), "`pleat` is out of range", "at most 179"),
        (
            "[[cloth]]\nequilateral = { size = [1, 1], edge = 0.2 }\nstart = { pleat = 90 }\n".into(),
            "only a grid has lines of cells",
            "use a `grid`",
        ),
        // files
        (
            "[[cloth]]\nmesh = \"no-such.obj\"\n".into(),
            "cannot read `no-such.obj`: there is no such file",
            "relative to the scene",
        ),
        ("[[cloth]]\nmesh = \"shirt.fbx\"\n".into(), "`shirt.fbx` does not end in .obj or .ply or .glb", "export it"),
        ("[[cloth]]\nmesh = \"\"\n".into(), "`mesh` is empty", "leave the key out"),
        (cloth("start = \"nowhere/x.obj\""), "cannot read `nowhere/x.obj`", "leads to"),
        (cloth("fabric = \"no-such.toml\""), "cannot read `no-such.toml`", "relative"),
        (pin(&format!("{SELECT}\nmotion = \"way.txt\"")), "`way.txt` does not end in .csv", "export it as .csv"),
    ]
}

#[test]
fn every_mistake_is_named_with_its_place_and_a_way_out() {
    let table = table();
    let mut messages = BTreeSet::new();
    let mut misses = String::new();
    for (text, message, help) in &table {
        let found = mistakes(text);
        let fits = |d: &crate::Diagnostic| d.message.contains(message) && d.help.contains(help);
        if !found.list.iter().any(fits) {
            misses += &format!(
                "expected {message:?} with {help:?} for
{text}
found
{found}

"
            );
        }
        for d in &found.list {
            assert!(!d.message.is_empty() && !d.help.is_empty(), "{d:?}");
            let at = d.at.as_ref().unwrap_or_else(|| panic!("no place: {d:?}"));
            assert!(at.line >= 1 && at.column >= 1 && at.file == "bad.toml", "{d:?}");
        }
        assert!(found.render(false).contains("error") && found.render(true).contains("help"));
        messages.insert(
            message.split('`').next().unwrap_or_default().to_string()
                + message.split('`').next_back().unwrap_or_default(),
        );
    }
    assert!(misses.is_empty(), "{misses}");
    assert!(table.len() >= 70 && messages.len() >= 40, "{} scenes, {} messages", table.len(), messages.len());
}

/// A text in the place of the table `method`, right or wrong: the scene with the proposal loads.
#[test]
fn the_proposed_method_exists() {
    for word in ["bdf2", "bdf3", "verlett", "euler", "Symplectic-Euler", "quickest", ""] {
        let wrong = mistakes(&top(&format!("method = \"{word}\"")));
        let help = &wrong.list[0].help;
        let from = help.find("method = {").unwrap_or_else(|| panic!("{word}: {help}"));
        let to = from + help[from..].find('}').unwrap();
        let proposed = top(&help[from..=to]);
        assert!(load(&Source::text("good.toml", &proposed, "."), &[]).is_ok(), "{word}: {help}");
    }
}

#[test]
fn one_mistake_is_reported_once() {
    for (text, _, _) in table() {
        let found = mistakes(&text);
        let mut places: Vec<_> =
            found.list.iter().map(|d| (d.key.clone(), d.at.clone().map(|at| (at.line, at.column)))).collect();
        places.sort();
        let count = places.len();
        places.dedup();
        assert!(places.len() == count && count <= 3, "{text}\n{found}");
    }
}

#[test]
fn all_mistakes_come_at_once_in_the_order_of_lines() {
    let text = "title = 3\ngravty = 1\n[time]\nfps = -1\nstep = \"fast\"\n[method]\nname = \"euler\"\n[[cloth]]\n\
        grid = { size = [1], cells = [2, 2] }\nfabric = \"steel\"\n[[cloth.pin]]\nselect = { edge = \"up\" }\n\
        motion = [{ t = 1 }, { t = 0 }]\n";
    let found = mistakes(text);
    let lines: Vec<usize> = found.list.iter().map(|d| d.at.as_ref().unwrap().line).collect();
    assert_eq!(lines, [1, 2, 4, 5, 7, 9, 10, 12, 13], "{found}");
}

#[test]
fn an_unclosed_bracket_shows_three_errors_at_most() {
    let text = "a = [1,\n".to_string() + &"b = 2\n[c]\n".repeat(20);
    let found = mistakes(&text);
    assert!((1..=3).contains(&found.list.len()), "{found}");
}

#[test]
fn a_mistake_looks_like_this() {
    let shown = mistakes("[time]\nfsp = 30   # frames\n[[cloth]]\ngrid = { size = [1.0, 1.0], cells = [2, 2] }\n")
        .render(false);
    let expected = "\
error: unknown key `fsp` in `time`
 --> bad.toml:2:1
  |
2 | fsp = 30   # frames
  | ^^^
  |
  = help: did you mean `fps`?";
    assert_eq!(shown, expected, "\n{shown}");
}

/// A program can write thousands of mistakes: the time grows linearly, and those not shown are counted.
#[test]
fn many_mistakes_are_counted_and_take_no_longer_each() {
    let keys = |count: usize| (0..count).map(|i| format!("key{i} = 1\n")).collect::<String>();
    let begin = std::time::Instant::now();
    let found = mistakes(&top(&keys(100_000)));
    // quadratic time took 40 s
    assert!(begin.elapsed().as_secs_f64() < 5.0, "{:?}", begin.elapsed());
    assert_eq!((found.list.len(), found.more, found.count()), (100, 99_900, 100_000));
    assert!(found.render(false).ends_with("error: and 99900 more, which are not shown"));
    // all on one line, and in a list of wrong numbers
    let line = format!("time = {{ {} }}", keys(20_000).trim_end().replace('\n', ", "));
    assert_eq!(mistakes(&top(&line)).count(), 20_000);
    let numbers: Vec<String> = (0..50_000).map(|i| i.to_string()).collect();
    let begin = std::time::Instant::now();
    assert_eq!(mistakes(&pin(&format!("select = {{ vertices = [{}] }}", numbers.join(", ")))).count(), 49_991);
    assert!(begin.elapsed().as_secs_f64() < 2.0, "{:?}", begin.elapsed());
}

/// A random mesh of a million vertices takes minutes; a wrong title is reported without that wait.
#[test]
fn what_is_cheap_is_checked_before_large_meshes() {
    let text = "title = 3\n[[cloth]]\nrandom = { size = [1.0, 1.0], edge = 0.001 }\n\
                [[body]]\ntorus = { radius = 1.0, tube = 2.0 }\n";
    let begin = std::time::Instant::now();
    let found = mistakes(text);
    assert!(begin.elapsed().as_secs_f64() < 1.0, "{:?}", begin.elapsed());
    assert_eq!(found.list.len(), 2, "{found}");
    assert!(found.unseen.as_ref().is_some_and(|unseen| unseen.contains("`cloth.0.random`")), "{found}");
    // small meshes are built anyway, so that all mistakes are reported at once
    let small = "title = 3\n[[cloth]]\nrandom = { size = [1.0, 1.0], edge = 0.2 }\n\
                 [[cloth.pin]]\nselect = { vertices = [9999] }\n";
    let found = mistakes(small);
    assert_eq!((found.list.len(), &found.unseen), (2, &None), "{found}");
}

#[test]
fn mistakes_of_contact_pairs_have_their_line_and_a_way_out() {
    for (names, said, help) in [
        (
            "[\"arm\", \"shrit\"]",
            "no cloth or body is called `shrit`",
            "there are the cloths `shirt`, and the bodies `arm`",
        ),
        ("[\"arm\", \"arm\"]", "are bodies", "name two cloths"),
    ] {
        let text = format!(
            "[[cloth]]\nname = \"shirt\"\n{GRID}[[body]]\nname = \"arm\"\nplane = {{}}\nplace = {{ at = [0, -2, 0] }}\n\
             [[contact.pair]]\nnames = {names}\n"
        );
        let found = load(&Source::text("bad.toml", &text, "."), &[]).unwrap().world().unwrap_err().to_string();
        assert!(found.contains(said) && found.contains(help) && found.contains("bad.toml:9:"), "{found}");
    }
}
