//! `--set`: what overrides can and cannot change.

use crate::{Diagnostics, Scene, Source, load};
use taffeta::{Material, Method, Vec3};

const SCENE: &str = "\
# a scene
gravity = [0.0, -9.81, 0.0] # down

[time] # frames
fps = 60 # many

[[cloth]]
name = \"sheet\"
grid = { size = [1.0, 1.0], cells = [2, 2] } # small
fabric = \"FABRIC\"
[[cloth.pin]]
select = { edge = \"top\" }

[[cloth]]
name = \"my scarf\"
grid = { size = [1.0, 1.0], cells = [2, 2] }
[cloth.fabric]
density = 0.1
stretch = 100.0
shear = 10.0
bend = 1e-5
";

fn text() -> String {
    SCENE.replace("FABRIC", crate::builtin::fabrics()[0].name)
}

fn set(overrides: &[&str]) -> Result<Scene, Diagnostics> {
    let overrides: Vec<String> = overrides.iter().map(|s| s.to_string()).collect();
    load(&Source::text("s.toml", &text(), "."), &overrides)
}

fn good(overrides: &[&str]) -> Scene {
    set(overrides).unwrap_or_else(|e| panic!("{overrides:?}\n{e}"))
}

fn density(scene: &Scene, cloth: usize) -> f64 {
    let Material::Fabric(fabric) = &scene.setup.cloths[cloth].material else { panic!("a fabric") };
    fabric.density
}

#[test]
fn values_are_set_by_key_by_number_and_by_name() {
    let name = crate::builtin::fabrics()[0].name;
    assert_eq!(good(&["time.fps=30"]).setup.time.fps, 30.0);
    assert_eq!(good(&["time.duration = 1.5"]).duration, 1.5);
    assert_eq!(good(&["gravity.1=-1.62"]).setup.gravity, Vec3::new(0.0, -1.62, 0.0));
    assert_eq!(good(&["method.name=rk4"]).setup.method, Some(Method::Rk4));
    assert_eq!(good(&["title=two words"]).title, "two words");
    // a switch becomes a table
    let least = |overrides: &[&str]| good(overrides).setup.time.adaptive.map(|adaptive| adaptive.least);
    assert_eq!(least(&["time.adaptive.least=0.5"]), Some(0.5));
    assert_eq!(least(&["time.adaptive=false"]), None);
    assert_eq!(least(&["time.adaptive=false", "time.adaptive.least=0.25"]), Some(0.25));
    assert_eq!(good(&["cloth.0.grid.cells=[4, 4]"]).setup.cloths[0].mesh.rest.len(), 25);
    assert_eq!(good(&["cloth.sheet.grid.cells.0=4"]).setup.cloths[0].mesh.rest.len(), 15);
    assert_eq!(good(&["cloth.\"my scarf\".fabric.density=0.3"]).setup.cloths.len(), 2);
    assert_eq!(density(&good(&["cloth.1.fabric.density=0.3"]), 1), 0.3);
    // a name becomes a table with a base, a table becomes a name
    assert_eq!(density(&good(&["cloth.sheet.fabric.density=0.7"]), 0), 0.7);
    let named = good(&[&format!("cloth.1.fabric={name}")]);
    assert_eq!(named.setup.cloths[1].material, good(&[]).setup.cloths[0].material);
    // keys that the scene does not have yet
    assert_eq!(good(&["air.wind=[1, 0, 0]", "air.drag=1", "air.gust.strength=0.5"]).setup.air.wind, Vec3::X);
    assert_eq!(good(&["cloth.sheet.noise.size=1e-3"]).setup.cloths[0].noise.unwrap().size, 1e-3);
    assert!(good(&["cloth.0.model.bending=none"]).text.contains("model.bending = \"none\""));
    // the only pin needs no number, and later overrides win
    assert_eq!(good(&["cloth.0.pin.until=2", "cloth.0.pin.0.until=3"]).setup.cloths[0].pins[0].until, 3.0);
}

#[test]
fn comments_survive_and_the_text_is_what_was_run() {
    let scene = good(&["time.fps=30", "time.duration=1", "cloth.0.fabric.bend=1e-6"]);
    for part in ["# a scene", "# down", "# frames", "fps = 30 # many\nduration = 1\n", "# small"] {
        assert!(scene.text.contains(part), "{}", scene.text);
    }
    let again = load(&Source::text("s.toml", &scene.saved_text(), "."), &[]).unwrap();
    assert_eq!(format!("{:?}", again.setup), format!("{:?}", scene.setup));
}

#[test]
fn mistakes_in_overrides_have_a_way_out() {
    for (argument, message, help) in [
        ("time.fps", "needs a `=`", "key=value"),
        ("=3", "is not a key", "key=value"),
        ("a b=3", "is not a key", "key=value"),
        ("time.fps=", "the value is missing", "[1.0, 2.0]"),
        ("gravity=[1, 2", "unclosed array", "[1.0, 2.0]"),
        ("time.fsp=3", "`time` has no key `fsp`", "did you mean `time.fps`?"),
        ("tmie.fps=3", "a scene has no key `tmie`", "did you mean `time`?"),
        ("time.fps.x=3", "`fps` has no parts", "time.fps="),
        ("cloth.2.grain=3", "there is no `cloth` number 2", "cloth.1"),
        ("cloth.sheat.grain=3", "there is no `cloth` with the name `sheat`", "`cloth.sheet`"),
        ("cloth.grain=3", "with the name `grain`", "cloth.0"),
        ("body.0.friction=3", "the scene has no `body`", "[[body]]"),
        ("gravity.3=1", "`gravity` has no element `3`", "0 to 2"),
        ("air.wind.0=1", "`wind` is not in the scene", "as a whole"),
        ("cloth=[]", "it is written as several tables", "scene file"),
        ("cloth.0.pin=3", "it is written as several tables", "scene file"),
        // these reach the check of the scene, which points to the argument
        ("time.fps=-3", "`fps` is out of range", "at least"),
        ("cloth.0.fabric=silkk", "there is no fabric", "there are"),
        ("cloth.0.grid.cells=[1, 2, 3]", "2 elements", "such as"),
        ("cloth.0.noise.seed=3", "`noise` needs `size`", "add size"),
    ] {
        let found = set(&[argument]).err().unwrap_or_else(|| panic!("accepted: {argument}"));
        let first = &found.list[0];
        assert!(first.message.contains(message) && first.help.contains(help), "{argument}\n{found}");
        let at = first.at.as_ref().unwrap();
        assert_eq!((at.file.as_str(), at.excerpt.as_str()), ("--set", argument), "{found}");
    }
}

#[test]
fn keys_of_what_is_no_table_are_told_to_be_set_one_by_one() {
    let found = set(&["method=verlet", "method.newton=3"]).err().unwrap();
    assert!(found.list[0].help.contains("`method` has to be a table"), "{found}");
}

#[test]
fn lines_of_other_mistakes_are_those_of_the_file() {
    let text = text().replace("small\n", "small\ngrain = \"x\"\n");
    let source = Source::text("s.toml", &text, ".");
    let found = load(&source, &["title=new".into(), "air.drag=1".into(), "time.fps=0".into()]).unwrap_err();
    let places: Vec<(&str, usize)> =
        found.list.iter().filter_map(|d| d.at.as_ref()).map(|at| (at.file.as_str(), at.line)).collect();
    assert_eq!(places, [("--set", 1), ("s.toml", 10)], "{found}");
}
