//! Every mesh format to every other and back: positions, triangles, uv and parts stay.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::path::PathBuf;
use taffeta::Vec3;
use taffeta_files::export::ExportError;
use taffeta_files::export::{Format, Pick};
use taffeta_files::mesh::{self, FileMesh, Note, ReadOptions, Up};
use taffeta_files::moving::MovingMesh;
use taffeta_files::{ConvertError, ConvertOptions, Converted, convert, convert_with};

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
    for name in ["b.fbx", "b", "b.usdc"] {
        let error = convert(&at("a.obj"), &at(name), &plain, false).unwrap_err();
        assert!(matches!(error, ConvertError::UnknownEnding { .. }), "{name}: {error}");
    }
    for (name, right) in [("b.gltf", "b.glb"), ("b.pc2", "b"), ("b.mdd", "b")] {
        let error = convert(&at("a.obj"), &at(name), &plain, false).unwrap_err();
        assert!(matches!(&error, ConvertError::Write(ExportError::Ending { .. })), "{name}: {error}");
        assert!(error.help().ends_with(right), "{name}: {}", error.help());
    }
    for name in ["x.usdc", "x.fbx", "x"] {
        let error = convert(&at(name), &at("c.obj"), &plain, false).unwrap_err();
        assert!(
            matches!(error, ConvertError::UnknownInput { .. }) && error.help().contains(".usda"),
            "{name}: {error}"
        );
    }
    fs::write(at("bad.ply"), "ply\n").unwrap();
    assert!(matches!(convert(&at("bad.ply"), &at("c.obj"), &plain, false), Err(ConvertError::Read(_))));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3, "nothing is left behind");
}

fn to(input: &Path, format: Format, out: &Path, options: &ConvertOptions) -> Result<Converted, ConvertError> {
    convert_with(input, format, Some(out), options, &mut |_, _| ControlFlow::Continue(()))
}

/// Frames of a square with a seam that goes up and turns, as OBJ files from number 3 on.
fn sequence(folder: &Path) -> PathBuf {
    let folder = folder.join("frames");
    fs::create_dir(&folder).unwrap();
    for k in 0..4 {
        let h = 0.25 * f64::from(k);
        let text = format!(
            "o sheet\nv 0 {h} 0\nv 1 {h} {h}\nv 1 1 1\nv 0 0.5 1\nvt 0 0\nvt 1 0\nvt 1 1\nvt 5 0\nvt 6 1\nvt 5 1\n\
             f 1/1 2/2 3/3\nf 1/4 3/5 4/6\n"
        );
        fs::write(folder.join(format!("sheet.{:04}.obj", k + 3)), text).unwrap();
    }
    folder
}

/// The file or folder of an export that is read again.
fn again(out: &Path, format: Format) -> PathBuf {
    match format {
        Format::Pc2 | Format::Mdd => {
            let mut files = fs::read_dir(out).unwrap().map(|entry| entry.unwrap().path());
            files.find(|path| path.extension().unwrap() == format.name()).unwrap()
        }
        _ => out.to_path_buf(),
    }
}

/// Corners of all triangles in a frame of what moves, as f32.
fn moving_corners(mesh: &MovingMesh, time: f64) -> Vec<[f32; 3]> {
    let mut x = Vec::new();
    mesh.sample(time, &mut x).unwrap();
    let corners = mesh.mesh().triangles.as_flattened().iter();
    corners.map(|&v| x[v as usize].to_array().map(|value| value as f32)).collect()
}

#[test]
fn what_moves_goes_from_every_format_to_every_other_with_all_frames_and_uv() {
    let folder = tempfile::tempdir().unwrap();
    let source = sequence(folder.path());
    let options = ConvertOptions { fps: Some(10.0), ..ConvertOptions::default() };
    let plain = ReadOptions { fps: 10.0, ..ReadOptions::default() };
    let first = MovingMesh::read(&source, None, &plain).unwrap();
    let uv: Vec<[f32; 2]> =
        first.mesh().uv.as_ref().unwrap().as_flattened().iter().map(|c| c.map(|v| v as f32)).collect();
    for one in Format::ALL {
        let name = |what: &str, format: Format| match format.is_folder() {
            true => folder.path().join(what),
            false => folder.path().join(format!("{what}.{}", format.ending())),
        };
        let middle = name(&format!("one-{one}"), one);
        let done = to(&source, one, &middle, &options).unwrap_or_else(|error| panic!("{one}: {error}"));
        assert_eq!((done.frames, done.of), (4, 4), "{one}");
        for two in Format::ALL {
            let last = name(&format!("two-{one}-{two}"), two);
            // the rate of the file where it has one
            let untimed = matches!(one, Format::Obj | Format::Ply | Format::Pc2);
            let options = ConvertOptions { fps: untimed.then_some(10.0), ..ConvertOptions::default() };
            let done =
                to(&again(&middle, one), two, &last, &options).unwrap_or_else(|error| panic!("{one}, {two}: {error}"));
            assert_eq!(done.frames, 4, "{one}, {two}");
            let mesh = MovingMesh::read(&again(&last, two), None, &plain).unwrap();
            let frames = mesh.frames(None, false);
            assert_eq!((frames.fps, frames.count()), (10.0, 4), "{one}, {two}");
            assert_eq!((frames.first(), frames.last()), (0, 3), "{one}, {two}");
            for k in 0..4 {
                let [found, expected] = [&mesh, &first].map(|mesh| moving_corners(mesh, 0.1 * k as f64));
                let far = found.iter().flatten().zip(expected.iter().flatten()).map(|(a, b)| (a - b).abs());
                assert!(far.fold(0.0, f32::max) < 1e-6, "{one}, {two}, frame {k}");
            }
            let found = mesh.mesh().uv.as_ref().unwrap_or_else(|| panic!("{one}, {two}: no uv"));
            assert!(found.as_flattened().iter().zip(&uv).all(|(a, b)| a.map(|v| v as f32) == *b), "{one}, {two}");
        }
    }
}

#[test]
fn still_meshes_become_one_frame_of_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("tent.obj"), TENT).unwrap();
    for (format, place) in [
        (Format::Usd, "tent.usda"),
        (Format::Glb, "tent.glb"),
        (Format::Ply, "tent.ply"),
        (Format::Pc2, "tent-pc2"),
        (Format::Mdd, "tent-mdd"),
        (Format::Npz, "tent.npz"),
    ] {
        let plain = ConvertOptions::default();
        let observe = &mut |_, _| ControlFlow::Continue(());
        let done = convert_with(&at("tent.obj"), format, None, &plain, observe).unwrap();
        assert_eq!((done.path, done.frames), (at(place), 1));
    }
    // npz and USD text are read: uv, and parts by their vertices
    for name in ["tent.npz", "tent.usda"] {
        let mesh = MovingMesh::read(&at(name), None, &ReadOptions::default()).unwrap();
        assert_eq!(corners(mesh.mesh()), corners(&read(&at("tent.obj"))), "{name}");
        assert_eq!((mesh.mesh().parts.len(), mesh.span()), (2, (0.0, 0.0)), "{name}");
    }
    let frames = Pick::new(Some("0..3".parse().unwrap()), None);
    let error = to(&at("tent.obj"), Format::Npz, &at("b.npz"), &ConvertOptions { frames, ..Default::default() });
    assert!(matches!(error, Err(ConvertError::NoFrame { count: 1, .. })));
}

#[test]
fn a_part_of_a_motion_and_another_rate_can_be_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let source = sequence(folder.path());
    let out = folder.path().join("out");
    let frames = Pick::new(Some("1..2".parse().unwrap()), None);
    let done = to(&source, Format::Ply, &out, &ConvertOptions { frames, ..Default::default() }).unwrap();
    assert_eq!((done.frames, done.of), (2, 4));
    assert!(out.join("frames.0001.ply").exists() && out.join("frames.0002.ply").exists());
    // ten frames a second of a file that has five: the ones between are halfway
    let mdd = folder.path().join("mdd");
    to(&source, Format::Mdd, &mdd, &ConvertOptions { fps: Some(5.0), ..Default::default() }).unwrap();
    let npz = folder.path().join("a.npz");
    let ten = ConvertOptions { fps: Some(10.0), ..Default::default() };
    assert_eq!(to(&again(&mdd, Format::Mdd), Format::Npz, &npz, &ten).unwrap().frames, 7);
    let mesh = MovingMesh::read(&npz, None, &ReadOptions::default()).unwrap();
    let mut x = Vec::new();
    mesh.sample(0.3, &mut x).unwrap();
    assert!((x[0].y - 0.375).abs() < 1e-6, "{}", x[0]);
    let beyond = Pick::new(Some("9..".parse().unwrap()), None);
    let error = to(&source, Format::Ply, &out.join("b"), &ConvertOptions { frames: beyond, ..Default::default() });
    assert!(matches!(error, Err(ConvertError::NoFrame { first: 0, last: 3, .. })));
    // one frame may be a file, several may not
    let one = ConvertOptions { frames: Pick::Last, ..Default::default() };
    to(&source, Format::Obj, &folder.path().join("last.obj"), &one).unwrap();
    assert_eq!(read(&folder.path().join("last.obj")).positions[0].y, 0.75);
    let error = to(&source, Format::Obj, &folder.path().join("all.obj"), &ConvertOptions::default()).unwrap_err();
    assert!(error.help().ends_with("all"), "{}", error.help());
}

#[test]
fn damaged_archives_and_stages_are_refused_or_read_but_never_panic() {
    let folder = tempfile::tempdir().unwrap();
    let source = sequence(folder.path());
    for format in [Format::Npz, Format::Usd] {
        let path = folder.path().join(format!("whole.{}", format.ending()));
        to(&source, format, &path, &ConvertOptions::default()).unwrap();
        let whole = fs::read(&path).unwrap();
        let mut state = 1u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % below
        };
        let broken = folder.path().join(format!("broken.{}", format.ending()));
        for round in 0..600 {
            let mut bytes = whole.clone();
            match round % 3 {
                0 => bytes.truncate(random(whole.len())),
                1 => (0..1 + random(4)).for_each(|_| bytes[random(whole.len())] = random(256) as u8),
                _ => {
                    let from = random(whole.len());
                    let end = (from + random(60)).min(whole.len());
                    bytes.drain(from..end);
                }
            }
            fs::write(&broken, bytes).unwrap();
            if let Err(error) = MovingMesh::read(&broken, None, &ReadOptions::default()) {
                assert!(!error.to_string().is_empty());
            }
        }
    }
}
