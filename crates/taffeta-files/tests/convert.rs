//! Every mesh format to every other and back: positions, triangles, uv and parts stay.

use std::fs;
use std::path::Path;
use taffeta::Vec3;
use taffeta_files::export::ExportError;
use taffeta_files::mesh::{self, FileMesh, Note, ReadOptions, Up};
use taffeta_files::{ConvertError, convert};

/// Two parts; the first is a tent of two triangles with a seam along its ridge, the second a quad.
const TENT: &str = "o tent
v 0 0 0
v 1 0 0.1
v 1 0.33333333333 1
v 0 0.7 1
vt 0 0
vt 1 0
vt 1 1
vt 5 0
vt 6 1
vt 5 1
f 1/1 2/2 3/3
f 1/4 3/5 4/6
o floor
v -5 -1 -5
v -5 -1 5
v 5 -1 5
v 5 -1 -5
f 5/1 6/2 7/3 8/1
";

fn read(path: &Path) -> FileMesh {
    mesh::read(path, &ReadOptions::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// Corners of all triangles, with uv: what does not depend on how vertices are numbered.
fn corners(mesh: &FileMesh) -> Vec<([f32; 3], [f32; 2])> {
    let uv = mesh.uv.as_ref().expect("uv").as_flattened();
    let single = |p: Vec3| p.to_array().map(|value| value as f32);
    let places = mesh.triangles.as_flattened().iter().map(|&v| single(mesh.positions[v as usize]));
    places.zip(uv.iter().map(|uv| uv.map(|value| value as f32))).collect()
}

#[test]
fn meshes_survive_every_chain_of_formats() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("tent.obj"), TENT).unwrap();
    let tent = read(&at("tent.obj"));
    let plain = ReadOptions::default();
    for first in ["obj", "ply", "glb"] {
        let one = at(&format!("one.{first}"));
        convert(&at("tent.obj"), &one, &plain, true).unwrap();
        for second in ["obj", "ply", "glb"] {
            let two = at(&format!("two.{second}"));
            convert(&one, &two, &plain, true).unwrap();
            let mesh = read(&two);
            assert_eq!(corners(&mesh), corners(&tent), "{first}, {second}");
            // glTF splits the two vertices of the ridge
            let split = [first, second].contains(&"glb");
            assert_eq!(mesh.positions.len(), if split { 10 } else { 8 }, "{first}, {second}");
            assert_eq!(mesh.notes.contains(&Note::Duplicates { count: 2 }), split);
            let welded = mesh::read(&two, &ReadOptions { weld: Some(0.0), ..plain.clone() }).unwrap();
            assert_eq!(welded.positions.len(), 8);
            if !split {
                assert_eq!(mesh.triangles, tent.triangles, "{first}, {second}");
            }
            let names: Vec<_> = mesh.parts.iter().map(|part| part.name.as_str()).collect();
            match [first, second].contains(&"ply") {
                true => assert_eq!(names.len(), 1),
                false => assert_eq!(names, ["tent", "floor"]),
            }
        }
    }
    let done = convert(&at("tent.obj"), &at("tent.usda"), &plain, false).unwrap();
    assert_eq!((done.vertices, done.triangles, done.parts), (8, 4, 2));
    let text = fs::read_to_string(at("tent.usda")).unwrap();
    assert!(text.contains("def Mesh \"floor\"") && !text.contains("timeSamples"));
    assert!(
        text.contains("point3f[] points = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.1), (1.0, 0.33333334, 1.0), (0.0, 0.7, 1.0)]")
    );
}

#[test]
fn obj_keeps_every_bit() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("a.obj"), TENT).unwrap();
    convert(&at("a.obj"), &at("b.obj"), &ReadOptions::default(), false).unwrap();
    let (a, b) = (read(&at("a.obj")), read(&at("b.obj")));
    assert_eq!((a.positions, a.triangles, a.uv, a.parts), (b.positions, b.triangles, b.uv, b.parts));
}

#[test]
fn meshes_without_uv_stay_without() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("a.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    for ending in ["obj", "ply", "glb"] {
        let path = at(&format!("b.{ending}"));
        convert(&at("a.obj"), &path, &ReadOptions::default(), true).unwrap();
        let mesh = read(&path);
        assert_eq!((mesh.uv, mesh.triangles), (None, vec![[0, 1, 2]]), "{ending}");
    }
}

#[test]
fn units_axes_and_weld_are_applied_on_the_way() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("a.obj"), "v 0 0 0\nv 100 0 0\nv 0 100 0\nv 100 0 0.01\nv 0 100 0\nv 0 0 100\nf 1 2 3\nf 4 5 6\n")
        .unwrap();
    let options = ReadOptions { unit: 0.01, up: Up::Z, weld: Some(0.001), ..ReadOptions::default() };
    let done = convert(&at("a.obj"), &at("b.ply"), &options, false).unwrap();
    assert_eq!((done.vertices, done.notes), (4, vec![Note::Welded { joined: 2, dropped: 0 }]));
    let mesh = read(&at("b.ply"));
    assert_eq!(mesh.positions[2], Vec3::new(0.0, 0.0, -1.0));
    assert_eq!(mesh.positions[3], Vec3::new(0.0, 1.0, 0.0));
    assert_eq!(mesh.triangles, [[0, 1, 2], [1, 2, 3]]);
}

#[test]
fn nothing_is_overwritten_unless_asked_and_wrong_endings_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("a.obj"), TENT).unwrap();
    fs::write(at("b.ply"), "mine").unwrap();
    let plain = ReadOptions::default();
    let refused = convert(&at("a.obj"), &at("b.ply"), &plain, false).unwrap_err();
    assert!(matches!(refused, ConvertError::Write(ExportError::Exists { .. })) && !refused.help().is_empty());
    assert_eq!(fs::read(at("b.ply")).unwrap(), b"mine");
    for name in ["b.fbx", "b", "b.gltf", "b.npz", "b.pc2"] {
        let error = convert(&at("a.obj"), &at(name), &plain, false).unwrap_err();
        assert!(matches!(error, ConvertError::UnknownEnding { .. }), "{name}: {error}");
    }
    fs::write(at("bad.ply"), "ply\n").unwrap();
    assert!(matches!(convert(&at("bad.ply"), &at("c.obj"), &plain, false), Err(ConvertError::Read(_))));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3, "nothing is left behind");
}
