//! Bodies and cloths from mesh files of every kind.

use super::referred::Folder;
use super::walker;
use crate::{Scene, load};
use taffeta::{Shape, Vec3};

const CLOTH: &str = "[[cloth]]\ngrid = { size = [1.0, 1.0], cells = [1, 1] }\n";
const PLY: &str = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
    element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";

fn obj(height: f64) -> Vec<u8> {
    format!("v 0 {height} 0\nv 1 {height} 0\nv 0 {height} 1\nf 1 2 3\n").into_bytes()
}

/// Three points that rise by one each sample.
fn pc2(samples: u32) -> Vec<u8> {
    let mut file = b"POINTCACHE2\0".to_vec();
    file.extend([1, 3].map(u32::to_le_bytes).concat());
    file.extend([0.0, 1.0].map(f32::to_le_bytes).concat());
    file.extend(samples.to_le_bytes());
    for k in 0..samples {
        for i in 0..3 {
            file.extend([(i % 2) as f32, k as f32, (i / 2) as f32].map(f32::to_le_bytes).concat());
        }
    }
    file
}

fn folder(name: &str, bodies: &str, files: &[(&str, Vec<u8>)]) -> Folder {
    let mut all = vec![("scene.toml", format!("{CLOTH}{bodies}").into_bytes())];
    all.extend_from_slice(files);
    Folder::new(name, &all)
}

/// The positions of a body's vertices.
fn at(scene: &Scene, body: usize, time: f64) -> Vec<Vec3> {
    let body = &scene.setup.bodies[body];
    let Shape::Mesh(mesh) = &body.shape else { panic!("{body:?} is no mesh") };
    let mut x = Vec::new();
    mesh.at(time, &mut x).unwrap();
    body.put(time, &mut x);
    x
}

fn loaded(folder: &Folder) -> Scene {
    load(&folder.source(), &[]).unwrap_or_else(|e| panic!("{}", e.render(false)))
}

fn mistakes(folder: &Folder) -> String {
    load(&folder.source(), &[]).unwrap_err().render(false)
}

/// The knee is at (0, 1, 0). Bending by an angle φ about z moves (0, 2, 0) to (-sin φ, 1 + cos φ, 0). The last vertex,
/// (1, 2, 0), is skinned half to the hip, which rests, and half to the knee, which moves it to (-1, 2, 0) when φ is a
/// right angle.
#[test]
fn a_skinned_animation_is_where_its_joints_take_it_later_by_the_delay() {
    let bodies = "[[body]]\nmesh = { file = \"a.glb\", animation = \"bend\", unit = 0.5, delay = 1.0 }\n\
        place = { scale = 2.0, at = [0.0, 0.0, 3.0] }\n[[body]]\nmesh = { file = \"a.glb\", animation = \"walk\" }\n\
        motion = [{ t = 0.0 }, { t = 1.0, move = [0.0, 7.0, 0.0] }]\n[[body]]\nmesh = \"a.glb\"\n";
    let folder = folder("skinned", bodies, &[("a.glb", walker::glb())]);
    let scene = loaded(&folder);
    let half = std::f64::consts::FRAC_1_SQRT_2;
    for (time, third, last) in [
        (0.3, [0.0, 2.0], [1.0, 2.0]),
        (1.0, [0.0, 2.0], [1.0, 2.0]),
        (1.5, [-half, 1.0 + half], [0.5, 0.5 * (2.0 + 1.0 + 2.0 * half)]),
        (2.0, [-1.0, 1.0], [0.0, 2.0]),
        (9.0, [-1.0, 1.0], [0.0, 2.0]),
    ] {
        let x = at(&scene, 0, time);
        let expected = [[0.0, 0.0], [1.0, 0.0], third, last].map(|[x, y]| Vec3::new(x, y, 3.0));
        assert!(x.iter().zip(expected).all(|(a, b)| a.distance(b) < 1e-6), "{time} s: {x:?}");
    }
    let x = at(&scene, 1, 1.0);
    assert!(x[0].distance(Vec3::new(2.0, 7.0, 0.0)) < 1e-6, "{x:?}");
    // without a name the first animation is played, and a note says so
    assert!(at(&scene, 2, 1.0)[3].x.abs() < 1e-6);
    assert!(scene.notes.iter().any(|note| note.contains("animation `bend` is played")), "{:?}", scene.notes);
    let Shape::Mesh(mesh) = &scene.setup.bodies[0].shape else { panic!("a mesh") };
    assert_eq!(mesh.span(), (1.0, 2.0));
}

#[test]
fn a_run_has_copies_of_every_file_and_they_give_the_same_bodies() {
    let bodies = r#"
[[body]]
mesh = "still.obj"
[[body]]
mesh = { file = "still.ply", up = "z" }
[[body]]
mesh = "walk.gltf"
[[body]]
mesh = "walk"
[[body]]
mesh = { file = "steps/s_##.obj", fps = 10 }
[[body]]
mesh = "cache.pc2"
[[body]]
mesh = { file = "cache.pc2", topology = "other/still.obj", fps = 10 } # its own mesh
[[body]]
mesh = 'walk'
"#;
    let files = [
        ("still.obj", obj(0.5)),
        ("still.ply", PLY.into()),
        ("walk.gltf", walker::json(Some("data/my%20walk.bin")).into_bytes()),
        ("data/my walk.bin", walker::data()),
        ("walk/b1.obj", obj(0.0)),
        ("walk/b2.obj", obj(1.0)),
        ("walk/b10.obj", obj(2.0)),
        ("walk/read.me", b"no mesh".to_vec()),
        ("steps/s_08.obj", obj(0.0)),
        ("steps/s_09.obj", obj(1.0)),
        ("steps/s_10.obj", obj(2.0)),
        ("cache.pc2", pc2(3)),
        ("cache.obj", obj(9.0)),
        ("other/still.obj", obj(8.0)),
    ];
    let folder = folder("every", bodies, &files);
    let scene = loaded(&folder);
    // 24 frames a second by default: b1, b2 and b10 are frames 0, 1 and 9
    assert!((at(&scene, 3, 5.0 / 24.0)[0].y - 1.5).abs() < 1e-12);
    assert!((at(&scene, 4, 0.15)[0].y - 1.5).abs() < 1e-12);
    assert!((at(&scene, 6, 0.05)[0].y - 0.5).abs() < 1e-12);
    assert_eq!(at(&scene, 1, 0.0)[2], Vec3::new(0.0, 0.0, -1.0));

    let names: Vec<&str> = scene.files.iter().map(|reference| reference.copy_name.as_str()).collect();
    let expected = [
        "still.obj",
        "still.ply",
        "walk/walk.gltf",
        "walk-2",
        "s/s_##.obj",
        "cache/cache.pc2",
        "cache.pc2",
        "still-2.obj",
        "walk-2",
    ];
    assert_eq!(names, expected);
    let run = Folder::of_run("every-run", &scene);
    let count = |name: &str| std::fs::read_dir(run.0.join("files").join(name)).unwrap().count();
    assert_eq!((count("walk-2"), count("s"), count("walk"), count("cache")), (3, 3, 2, 2));
    let again = loaded(&run);
    for body in 0..8 {
        for time in [-1.0, 0.0, 0.1, 0.33, 5.0] {
            assert_eq!(at(&scene, body, time), at(&again, body, time), "body {body} at {time} s");
        }
    }
    // a run of that copy gives the same again
    let next = Folder::of_run("every-twice", &again);
    assert_eq!(at(&loaded(&next), 4, 0.15), at(&scene, 4, 0.15));
    assert!(again.text.contains("fps = 10 } # its own mesh"), "{}", again.text);
}

#[test]
fn what_is_wrong_with_a_body_is_shown_at_its_file_and_element() {
    let bad = String::from_utf8(walker::json(Some("../walk.bin")).into_bytes()).unwrap();
    let far = b"v 0 0 0\nv 1 0 0\nv 0 x 1\nf 1 2 3\n".to_vec();
    for (name, mesh, files, expected) in [
        ("missing", "\"bdoy.obj\"", vec![("body.obj", obj(0.0))], &["there is no such file", "body.obj`?"][..]),
        ("folder", "\"wlak\"", vec![("walk/a1.obj", obj(0.0))], &["there is no such folder", "walk`?"]),
        ("ending", "\"body.fbx\"", vec![("body.fbx", obj(0.0))], &["does not end in .obj or .ply"]),
        ("number", "\"body.obj\"", vec![("body.obj", far)], &["`x` is not a number", "body.obj:3"]),
        ("empty", "\"walk\"", vec![("walk/a.txt", vec![])], &["there are no files of a sequence"]),
        (
            "count",
            "\"walk/b.##.obj\"",
            vec![("walk/b.01.obj", obj(0.0)), ("walk/b.02.obj", b"v 0 0 0\n".to_vec())],
            &["b.02.obj", "1 vertices, but the mesh has 3"],
        ),
        ("alone", "\"a.pc2\"", vec![("a.pc2", pc2(2))], &["`a.pc2` needs", "a.obj", "name it with `topology`"]),
        (
            "topology",
            "{ file = \"a.pc2\", topology = \"b.obj\" }",
            vec![("a.pc2", pc2(2))],
            &["cannot read `b.obj`: there is no such file"],
        ),
        (
            "other",
            "{ file = \"a.pc2\", topology = \"b.obj\" }",
            vec![("a.pc2", pc2(2)), ("b.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\n".to_vec())],
            &["3 vertices, but the mesh has 4"],
        ),
        (
            "kinds",
            "{ file = \"a.obj\", topology = \"a.obj\", animation = \"run\", fps = 5, delay = 1 }",
            vec![("a.obj", obj(0.0))],
            &[
                "`topology` belongs to point caches",
                "`animation` belongs to glTF files",
                "`fps` belongs to sequences",
                "`delay` belongs to what moves",
            ],
        ),
        (
            "animation",
            "{ file = \"a.glb\", animation = \"wlak\" }",
            vec![("a.glb", walker::glb())],
            &["there is no animation `wlak`: the file has `bend`, `walk`", "did you mean `walk`?"],
        ),
        (
            "part",
            "{ file = \"a.glb\", part = \"hat\" }",
            vec![("a.glb", walker::glb())],
            &["there is no part `hat`: the file has `strip`"],
        ),
        (
            "buffer",
            "\"a.gltf\"",
            vec![("a.gltf", walker::json(Some("gone.bin")).into_bytes())],
            &["cannot read `gone.bin`"],
        ),
        (
            "outside",
            "\"x/a.gltf\"",
            vec![("x/a.gltf", bad.clone().into_bytes()), ("walk.bin", walker::data())],
            &["needs `../walk.bin`, which is not in its own folder", ".glb"],
        ),
        ("cut", "\"a.glb\"", vec![("a.glb", walker::glb()[..200].to_vec())], &["cut off"]),
        ("both", "\"a.obj\"\nplane = true", vec![("a.obj", obj(0.0))], &["has both `plane` and `mesh`"]),
    ] {
        let folder = folder(&format!("wrong-{name}"), &format!("[[body]]\nmesh = {mesh}\n"), &files);
        let shown = mistakes(&folder);
        for text in expected {
            assert!(shown.contains(text), "{name}: `{text}` is not in\n{shown}");
        }
    }
    // flaws that do not prevent the use of a body are reported with their element
    let flawed = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 2 0 0\nf 1 2 3\nf 1 2 4\n".to_vec();
    let scene = loaded(&folder("flawed", "[[body]]\nmesh = \"a.obj\"\n", &[("a.obj", flawed)]));
    assert!(scene.notes.iter().any(|note| note.contains("triangle 1")), "{:?}", scene.notes);
}

/// Two adjacent squares as two groups, each cut along its diagonal.
const TWO: &str = "g left\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 4 5 6\ng right\nv 2 0 0\n\
    v 3 0 0\nv 3 1 0\nf 7 8 9\n";

#[test]
fn a_cloth_takes_one_part_and_its_start_counts_as_the_cloth_or_as_the_file() {
    let raised = TWO.replace(" 0\n", " 5\n");
    let welded = "v 0 0 100\nv 100 0 100\nv 100 100 100\nv 0 100 100\n";
    let text = "[[cloth]]\nmesh = { file = \"two.obj\", part = \"left\", weld = 0.0 }\nstart = \"raised.obj\"\n\
        rest_shape = { file = \"welded.obj\", unit = 0.01 }\n";
    let files = [("scene.toml", text), ("two.obj", TWO), ("raised.obj", &raised), ("welded.obj", welded)];
    let found = Folder::new("parts", &files);
    let scene = loaded(&found);
    let cloth = &scene.setup.cloths[0];
    assert_eq!(cloth.mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
    let corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    assert_eq!(cloth.start.as_deref().unwrap(), corners.map(|[x, y]| Vec3::new(x, y, 5.0)));
    assert_eq!(cloth.rest_shape.as_deref().unwrap(), corners.map(|[x, y]| Vec3::new(x, y, 1.0)));
    assert_eq!(format!("{:?}", loaded(&Folder::of_run("parts-run", &scene)).setup), format!("{:?}", scene.setup));

    let wrong = text.replace("\"left\"", "\"lfet\"").replace("unit = 0.01", "unti = 1");
    let shown = mistakes(&Folder::new("parts-bad", &[files[1], files[2], files[3], ("scene.toml", &wrong)]));
    assert!(shown.contains("there is no part `lfet`: the file has `left`, `right`"), "{shown}");
    assert!(shown.contains("did you mean `left`?") && shown.contains("did you mean `unit`?"), "{shown}");
    let wrong = text.replace("raised.obj", "three.obj");
    let three = ("three.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\n");
    let shown = mistakes(&Folder::new("parts-three", &[files[1], three, files[3], ("scene.toml", &wrong)]));
    assert!(shown.contains("3 vertices, but the mesh has 4"), "{shown}");
}

#[test]
fn cloths_and_their_starts_may_be_gltf_with_buffers_outside() {
    let text = "[[cloth]]\nmesh = \"a.gltf\"\nstart = \"a.glb\"\nrest_shape = \"b/a.gltf\"\n";
    let json = walker::json(Some("a.bin")).into_bytes();
    let files = [
        ("scene.toml", text.as_bytes().to_vec()),
        ("a.gltf", json.clone()),
        ("a.bin", walker::data()),
        ("b/a.gltf", json),
        ("b/a.bin", walker::data()),
        ("a.glb", walker::glb()),
    ];
    let found = Folder::new("gltf-cloth", &files);
    let scene = loaded(&found);
    let cloth = &scene.setup.cloths[0];
    assert_eq!(cloth.mesh.rest.len(), 4);
    assert_eq!((cloth.start.as_ref(), cloth.rest_shape.as_ref()), (Some(&cloth.mesh.rest), Some(&cloth.mesh.rest)));
    let names: Vec<&str> = scene.files.iter().flat_map(|r| &r.files).map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["a/a.gltf", "a/a.bin", "a.glb", "a-2/a.gltf", "a-2/a.bin"]);
    assert_eq!(format!("{:?}", loaded(&Folder::of_run("gltf-run", &scene)).setup), format!("{:?}", scene.setup));

    std::fs::remove_file(found.0.join("a.bin")).unwrap();
    let shown = mistakes(&found);
    assert!(shown.contains("needs `a.bin`, which cannot be read: there is no such file"), "{shown}");
}
