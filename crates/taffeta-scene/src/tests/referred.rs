//! Files that scenes refer to: meshes, motions, fabrics.

use crate::{Scene, Source, load};
use std::path::PathBuf;
use taffeta::{Material, Vec3};

/// A folder that is removed at the end of a test.
pub(super) struct Folder(pub PathBuf);

impl Folder {
    pub fn new<B: AsRef<[u8]>>(name: &str, files: &[(&str, B)]) -> Self {
        let folder = std::env::temp_dir().join(format!("taffeta-scene-{name}-{}", std::process::id()));
        for (name, text) in files {
            let path = folder.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        Self(folder)
    }

    /// The folder that a run of the scene starts with.
    pub fn of_run(name: &str, scene: &Scene) -> Self {
        let run = Self::new(name, &[("scene.toml", scene.saved_text())]);
        for file in scene.files.iter().flat_map(|reference| &reference.files) {
            let path = run.0.join("files").join(&file.name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::copy(&file.path, path).unwrap();
        }
        run
    }

    pub fn source(&self) -> Source {
        Source::find(self.0.join("scene.toml").to_str().unwrap()).unwrap_or_else(|e| panic!("{e}"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const SQUARE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\n";
const BUMP: &str = "v 0 0 0\nv 1 0 1\nv 1 1 0\nv 0 1 1\nf 1 2 3\nf 1 3 4\n";
const FABRIC: &str = "name = \"Mine\"\ndensity = 0.5\nstretch = 10.0\nshear = 1.0\nbend = 1e-5\n";

/// Two triangles with separate vertices, in centimetres with z up.
const TORN: &str = "ply\nformat ascii 1.0\nelement vertex 6\nproperty float x\nproperty float y\nproperty float z\n\
    element face 2\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n100 0 0\n100 0 100\n0 0 0\n100 0 100\n\
    0 0 100\n3 0 1 2\n3 3 4 5\n";

#[test]
fn a_mesh_is_read_with_its_unit_and_up_axis_and_welded_if_asked() {
    let text = "[[cloth]]\nmesh = { file = \"torn.ply\", unit = 0.01, up = \"z\", weld = 0.0 }\n[[cloth]]\n\
        mesh = \"torn.ply\"\n";
    let folder = Folder::new("torn", &[("scene.toml", text), ("torn.ply", TORN)]);
    let scene = load(&folder.source(), &[]).unwrap_or_else(|e| panic!("{e}"));
    let [welded, plain] = [0, 1].map(|i| &scene.setup.cloths[i].mesh);
    assert_eq!((welded.rest.len(), plain.rest.len()), (4, 6));
    // z up becomes y up, centimetres become metres
    assert!(welded.rest.iter().any(|p| p.distance(Vec3::new(1.0, 1.0, 0.0)) < 1e-12), "{:?}", welded.rest);
    assert_eq!(plain.rest[2], Vec3::new(100.0, 0.0, 100.0));
    assert!(scene.saved_text().contains("{ file = \"files/torn.ply\", unit = 0.01"), "{}", scene.saved_text());
}

#[test]
fn meshes_motions_and_fabrics_are_read_and_saved_with_the_run() {
    let folder = Folder::new(
        "good",
        &[
            (
                "scene.toml",
                "[[cloth]] # one\nmesh = \"a/shirt.obj\"\nstart = \"b/shirt.obj\" # bump\nrest_shape = 'b/shirt.obj'\n\
                    fabric = { base = \"mine.toml\", shear = 2.0 }\n[[cloth.pin]]\nselect = { all = true }\n\
                    motion = \"way.csv\"\n[[cloth]]\nmesh = \"a/shirt.obj\"\nfabric = \"mine.toml\"\n",
            ),
            ("a/shirt.obj", SQUARE),
            ("b/shirt.obj", BUMP),
            ("mine.toml", FABRIC),
            ("way.csv", "t,x,y,z\n0,0,0,0\n1,0,2,0\n"),
        ],
    );
    let scene = load(&folder.source(), &[]).unwrap_or_else(|e| panic!("{e}"));
    let cloth = &scene.setup.cloths[0];
    assert_eq!((cloth.mesh.rest.len(), cloth.mesh.triangles.len()), (4, 2));
    assert_eq!(cloth.start.as_ref().unwrap()[1], Vec3::new(1.0, 0.0, 1.0));
    assert_eq!(cloth.rest_shape, cloth.start);
    let Material::Fabric(fabric) = &cloth.material else { panic!("a fabric") };
    assert_eq!((fabric.density, fabric.shear), (0.5, 2.0));
    assert_eq!(cloth.pins[0].motion.keys[1].shift, 2.0 * Vec3::Y);

    let files: Vec<(&str, &str)> = scene.files.iter().map(|f| (f.key.as_str(), f.copy_name.as_str())).collect();
    let expected = [
        ("cloth.0.mesh", "shirt.obj"),
        ("cloth.0.fabric.base", "mine.toml"),
        ("cloth.0.start", "shirt-2.obj"),
        ("cloth.0.rest_shape", "shirt-2.obj"),
        ("cloth.0.pin.0.motion", "way.csv"),
        ("cloth.1.mesh", "shirt.obj"),
        ("cloth.1.fabric", "mine.toml"),
    ];
    assert_eq!(files, expected);

    // the saved scene finds the copies, keeps its comments and gives the copies the same names again
    let run = Folder::of_run("run", &scene);
    let again = load(&run.source(), &[]).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(format!("{:?}", again.setup), format!("{:?}", scene.setup));
    assert_eq!(again.saved_text(), scene.saved_text());
    assert!(again.text.contains("start = \"files/shirt-2.obj\" # bump"), "{}", again.text);
}

#[test]
fn mistakes_in_files_show_their_line_and_the_line_of_the_scene() {
    let folder = Folder::new(
        "bad",
        &[
            (
                "scene.toml",
                "[[cloth]]\nmesh = \"short.obj\"\nfabric = \"half.toml\"\n[[cloth]]\nmesh = \"turned.obj\"\n\
                    fabric = \"broken.toml\"\n[[cloth]]\nmesh = \"square.obj\"\nstart = \"five.obj\"\n\
                    fabric = \"sqare.toml\"\n[[cloth.pin]]\nselect = { all = true }\nmotion = \"back.csv\"\n",
            ),
            ("short.obj", "v 0 0 0\nv 1 0\nv 0 1 0\nf 1 2 3\n"),
            ("turned.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 4 3\n"),
            ("square.obj", SQUARE),
            ("square.toml", FABRIC),
            ("five.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 2 2\nf 1 2 3\n"),
            ("half.toml", "density = -1 # heavy\nstretch = 1.0\nshear = 1.0\nbnd = 3\nbase = \"other.toml\"\n"),
            ("broken.toml", "name = \n"),
            ("back.csv", "0,0,0,0\n1,0,0,0\n0.5,0,0,0\n"),
        ],
    );
    let found = load(&folder.source(), &[]).unwrap_err();
    let shown = found.render(false);
    for (file, line, scene_line, message) in [
        ("short.obj", 2, 2, "numbers"),
        ("half.toml", 1, 3, "`density` is out of range"),
        ("half.toml", 1, 3, "a fabric file needs a `name`"),
        ("half.toml", 4, 3, "unknown key `bnd`"),
        ("half.toml", 5, 3, "can only change a built-in fabric"),
        ("turned.obj", 6, 5, "turned over"),
        ("broken.toml", 1, 6, "`name` has no value"),
        ("back.csv", 3, 13, "0.5 s"),
    ] {
        let hit = found.list.iter().find(|d| {
            let at = d.at.as_ref().unwrap();
            at.file.ends_with(file) && at.line == line && d.message.contains(message)
        });
        let hit = hit.unwrap_or_else(|| panic!("{file}:{line} {message}\n{shown}"));
        assert!(hit.related.iter().any(|(at, _)| at.file.ends_with("scene.toml") && at.line == scene_line), "{shown}");
        assert!(!hit.help.is_empty());
    }
    assert!(shown.contains("5 vertices, but the mesh has 4"), "{shown}");
    assert!(shown.contains("did you mean") && shown.contains("square.toml"), "{shown}");
    assert_eq!(found.list.len(), 10, "{shown}");
}

#[test]
fn scenes_are_found_by_name_and_by_path() {
    assert_eq!(Source::find("hang").unwrap().name, "hang");
    let folder = Folder::new("find", &[("my-scene.toml", "[[cloth]]\n"), ("bytes.toml", "a = 1\n")]);
    let path = |name: &str| folder.0.join(name).to_str().unwrap().to_string();
    std::fs::write(path("bytes.toml"), b"a = 1\nb = \"\xff\"\n").unwrap();
    assert_eq!(Source::find(&path("my-scene.toml")).unwrap().name, "my-scene");
    for (text, message, help) in [
        ("hnag".to_string(), "there is no scene `hnag`", "did you mean `hang`?"),
        ("elephant".to_string(), "there is no scene", "`hang`"),
        (path("my-scen.toml"), "there is no such file", "my-scene.toml"),
        (path("x/hang.toml"), "there is no such file", "`hang` is built in"),
        (path(""), "this is a folder", "path of a scene file"),
        (path("bytes.toml"), "not a text in UTF-8", "save it as UTF-8"),
        (String::new(), "there is no scene", "there are"),
    ] {
        let found = Source::find(&text).unwrap_err();
        let first = &found.list[0];
        assert!(first.message.contains(message) && first.help.contains(help), "{text}: {found}");
    }
}

#[test]
fn a_byte_order_mark_and_windows_line_ends_do_no_harm() {
    let text = "\u{feff}[time]\r\nfps = 30\r\n[[cloth]]\r\ngrid = { size = [1, 1], cells = [1, 1] }\r\n";
    let scene = load(&Source::text("s", text, "."), &["title=x".into(), "time.duration=1".into()]).unwrap();
    assert_eq!((scene.setup.time.fps, scene.title.as_str(), scene.duration), (30.0, "x", 1.0));
}
