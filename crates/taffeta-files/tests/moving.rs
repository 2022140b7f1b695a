//! Meshes that move: sequences of files and point caches.

mod common;

use std::fs;
use std::path::Path;
use taffeta::Vec3;
use taffeta_files::mesh::{ReadOptions, Up};
use taffeta_files::moving::{MovingMesh, find_sequence};
use taffeta_files::points::Points;
use taffeta_files::{ReadError, Wrong};

fn obj(height: f64) -> String {
    format!("v 0 {height} 0\nv 1 {height} 0\nv 0 {height} 1\nf 1 2 3\n")
}

fn heights(mesh: &MovingMesh, times: &[f64]) -> Vec<f64> {
    let mut x = Vec::new();
    let at = |&time: &f64| {
        mesh.sample(time, &mut x).unwrap();
        x[1].y
    };
    times.iter().map(at).collect()
}

fn read(path: &Path, options: &ReadOptions) -> Result<MovingMesh, ReadError> {
    MovingMesh::read(path, None, options)
}

/// PC2 of three points that rise by one each sample.
fn pc2(samples: u32, points: u32, start: f32, rate: f32) -> Vec<u8> {
    let mut file = b"POINTCACHE2\0".to_vec();
    file.extend([1, points].map(u32::to_le_bytes).concat());
    file.extend([start, rate].map(f32::to_le_bytes).concat());
    file.extend(samples.to_le_bytes());
    for k in 0..samples {
        for i in 0..points {
            file.extend([(i % 2) as f32, k as f32, (i / 2) as f32].map(f32::to_le_bytes).concat());
        }
    }
    file
}

fn mdd(times: &[f32]) -> Vec<u8> {
    let mut file = [times.len() as u32, 3].map(u32::to_be_bytes).concat();
    times.iter().for_each(|t| file.extend(t.to_be_bytes()));
    for k in 0..times.len() {
        for i in 0..3 {
            file.extend([(i % 2) as f32, k as f32, (i / 2) as f32].map(f32::to_be_bytes).concat());
        }
    }
    file
}

#[test]
fn a_folder_or_pattern_of_files_is_a_motion() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for (k, height) in [(8, 0.0), (9, 1.0), (10, 2.0), (12, 4.0)] {
        fs::write(at(&format!("body.{k:04}.obj")), obj(height)).unwrap();
    }
    fs::write(at("notes.txt"), "no mesh").unwrap();
    let options = ReadOptions { fps: 10.0, ..ReadOptions::default() };
    for path in [folder.path().to_path_buf(), at("body.####.obj")] {
        let mesh = read(&path, &options).unwrap();
        assert_eq!(mesh.span(), (0.0, 0.4));
        // frame 11 is missing: half way between its neighbours
        assert_eq!(heights(&mesh, &[-1.0, 0.0, 0.05, 0.1, 0.3, 9.0]), [0.0, 0.0, 0.5, 1.0, 3.0, 4.0]);
    }
    let numbers: Vec<u64> = find_sequence(folder.path()).unwrap().into_iter().map(|(number, _)| number).collect();
    assert_eq!(numbers, [8, 9, 10, 12]);

    assert!(matches!(read(&at("other.####.obj"), &options), Err(ReadError::Sequence { .. })));
    fs::write(at("tail.0001.obj"), obj(0.0)).unwrap();
    let error = read(folder.path(), &options).unwrap_err();
    assert!(error.to_string().contains("two sequences, `tail.#.obj` and `body.#.obj`"), "{error}");
    fs::write(at("body.0012.obj"), "v 0 0 0\n").unwrap();
    let error = read(&at("body.####.obj"), &options).unwrap_err();
    assert!(error.to_string().contains("body.0012.obj") && error.to_string().contains("1 vertices"), "{error}");
}

#[test]
fn point_caches_move_the_mesh_beside_them() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("a.obj"), obj(7.0)).unwrap();
    fs::write(at("a.pc2"), pc2(3, 3, 5.0, 2.0)).unwrap();
    fs::write(at("a.mdd"), mdd(&[0.0, 0.5, 2.0])).unwrap();
    let options = ReadOptions { fps: 10.0, ..ReadOptions::default() };
    let mesh = read(&at("a.pc2"), &options).unwrap();
    assert_eq!((mesh.span(), mesh.mesh().positions[0]), ((0.5, 0.9), Vec3::ZERO));
    let found = heights(&mesh, &[0.0, 0.5, 0.6, 0.7, 0.9]);
    found.iter().zip([0.0, 0.0, 0.5, 1.0, 2.0]).for_each(|(a, b)| assert!((a - b).abs() < 1e-12, "{found:?}"));
    let mesh = read(&at("a.mdd"), &options).unwrap();
    assert_eq!(heights(&mesh, &[0.25, 0.5, 1.25]), [0.5, 1.0, 1.5]);

    // with z up and centimetres
    let options = ReadOptions { unit: 0.01, up: Up::Z, ..options };
    let mesh = read(&at("a.mdd"), &options).unwrap();
    let mut x = Vec::new();
    mesh.sample(0.5, &mut x).unwrap();
    assert!(x[2].distance(Vec3::new(0.0, 0.01, -0.01)) < 1e-15, "{x:?}");

    // the topology can have another name, but must fit
    fs::rename(at("a.obj"), at("b.obj")).unwrap();
    assert!(matches!(read(&at("a.mdd"), &options), Err(ReadError::Io { .. })));
    assert!(MovingMesh::read(&at("a.mdd"), Some(&at("b.obj")), &options).is_ok());
    fs::write(at("b.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n").unwrap();
    let error = MovingMesh::read(&at("a.mdd"), Some(&at("b.obj")), &options).unwrap_err();
    assert!(error.to_string().contains("3 vertices, but the mesh has 4"), "{error}");
}

#[test]
fn still_meshes_and_animated_scenes_are_motions_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.obj");
    fs::write(&path, obj(3.0)).unwrap();
    let mesh = read(&path, &ReadOptions { unit: 2.0, ..ReadOptions::default() }).unwrap();
    assert_eq!(heights(&mesh, &[0.0, 5.0]), [6.0, 6.0]);
    assert!(matches!(
        read(&folder.path().join("a.fbx"), &ReadOptions::default()),
        Err(ReadError::UnknownEnding { .. })
    ));

    let path = folder.path().join("a.glb");
    fs::write(&path, common::puppet().glb()).unwrap();
    let first = read(&path, &ReadOptions::default()).unwrap();
    let note = "animation `bend` is played; there are 3 others, the next is `walk`";
    assert_eq!(first.mesh().notes[0].to_string(), note);
    let options = ReadOptions { animation: Some("walk".into()), up: Up::Z, unit: 0.5, ..ReadOptions::default() };
    let mesh = read(&path, &options).unwrap();
    let mut x = Vec::new();
    mesh.sample(2.0, &mut x).unwrap();
    // (2, 0, 4) moved, then halved, then z is up
    assert!(x[0].distance(Vec3::new(1.0, 2.0, 0.0)) < 1e-12, "{x:?}");
    let error = read(&path, &ReadOptions { animation: Some("run".into()), ..options }).unwrap_err();
    assert!(error.to_string().contains("no animation `run`"), "{error}");
}

#[test]
fn welded_meshes_move_as_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.obj");
    fs::write(&path, "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 4 5 6\n").unwrap();
    fs::write(folder.path().join("a.pc2"), pc2(1, 6, 0.0, 1.0)).unwrap();
    let options = ReadOptions { weld: Some(0.0), ..ReadOptions::default() };
    assert_eq!(read(&path, &options).unwrap().mesh().positions.len(), 4);
    let mut file = pc2(2, 6, 0.0, 1.0);
    // the first frame has the square, the second moves
    let square = [[0., 0., 0.], [1., 0., 0.], [1., 1., 0.], [0., 0., 0.], [1., 1., 0.], [0., 1., 0.]];
    let bytes: Vec<u8> = square.concat().iter().flat_map(|v: &f32| v.to_le_bytes()).collect();
    file[32..32 + 72].copy_from_slice(&bytes);
    fs::write(folder.path().join("a.pc2"), &file).unwrap();
    let mesh = read(&folder.path().join("a.pc2"), &options).unwrap();
    assert_eq!(mesh.mesh().triangles, [[0, 1, 2], [0, 2, 3]]);
    let mut x = Vec::new();
    mesh.sample(1.0, &mut x).unwrap();
    assert_eq!((x.len(), x[3]), (4, Vec3::new(1.0, 1.0, 2.0)));
}

#[test]
fn what_is_wrong_with_a_point_cache_is_said() {
    let pc2_text = |bytes: &[u8]| Points::parse_pc2(bytes, 24.0).unwrap_err().to_string();
    let mdd_text = |bytes: &[u8]| Points::parse_mdd(bytes).unwrap_err().to_string();
    let whole = pc2(3, 3, 0.0, 1.0);
    assert_eq!(Points::parse_pc2(&whole, 24.0).unwrap().times.len(), 3);
    let changed = |at: usize, bytes: &[u8]| {
        let mut file = whole.clone();
        file[at..at + bytes.len()].copy_from_slice(bytes);
        file
    };
    assert_eq!(pc2_text(b"POINTCACHE3\0"), "byte 0: this is not a PC2 file");
    assert_eq!(
        pc2_text(&whole[..20]),
        "byte 0: the header needs 32 bytes, but 20 are left: the file is cut off, or its numbers are wrong"
    );
    assert_eq!(pc2_text(&changed(12, &[2])), "byte 12: version 2 is not read: version 1 is");
    assert!(
        pc2_text(&changed(24, &0f32.to_le_bytes())).starts_with("byte 20: samples from frame 0 on, one in 0 frames")
    );
    assert!(
        pc2_text(&changed(28, &[255; 4]))
            .starts_with("byte 32: 4294967295 frames of 3 points needs 154618822620 bytes, but 108")
    );
    assert!(pc2_text(&changed(28, &[0; 4])).starts_with("byte 32: there are 0 frames of 3 points"));
    assert!(pc2_text(&whole[..whole.len() - 1]).contains("3 frames of 3 points needs 108 bytes, but 107 are left"));
    assert_eq!(
        pc2_text(&changed(32 + 36 + 12, &f32::NAN.to_le_bytes())),
        "byte 80: frame 1: vertex 1: `NaN` is not finite"
    );
    assert_eq!(
        pc2_text(&changed(32, &1e12f32.to_le_bytes())),
        "byte 32: frame 0: vertex 0: `1000000000000` is farther away than 1e9 m"
    );

    assert!(mdd_text(&[0; 7]).starts_with("byte 0: the header needs 8 bytes"));
    assert!(mdd_text(&[255; 12]).starts_with("byte 8: 4294967295 frames of 4294967295 points"));
    let problems = Points::parse_mdd(&mdd(&[0.0, 1.0, 1.0])).unwrap_err();
    assert_eq!(problems.list[0].wrong, Wrong::TimeNotRising { time: 1.0, previous: 1.0 });
    assert_eq!(problems.list[0].byte, Some(16));
    assert!(mdd_text(&mdd(&[0.0, f32::NAN])).starts_with("byte 12: `NaN` is not finite"));
    let whole = mdd(&[0.0, 1.0]);
    assert!(mdd_text(&whole[..whole.len() - 1]).contains("the positions needs 72 bytes, but 71"));
}

/// The number of vertices says nothing about how they are joined.
#[test]
fn sequence_whose_faces_change_is_refused_with_file_and_face() {
    let square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";
    let dented = "v 0 0 0\nv 1 0 0\nv 0.2 0.2 0\nv 0 1 0\n";
    let cases = [
        ("f 1 2 3\nf 1 3 4\n", square, "f 1 2 3\nf 2 3 4\n", Some("face 1 has other vertices")),
        ("f 1 2 3\nf 1 3 4\n", square, "f 1 2 3\n", Some("there are 1 faces, and 2 in")),
        ("f 1 2 3 4\n", square, "f 1 2 3\n", Some("face 0 has other vertices")),
        // a dented face is cut another way and still the same; a file of vertices alone is as good
        ("f 1 2 3 4\n", dented, "f 1 2 3 4\n", None),
        ("f 1 2 3 4\n", square, "", None),
    ];
    for (first, vertices, later, message) in cases {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a1.obj"), format!("{square}{first}")).unwrap();
        std::fs::write(folder.path().join("a2.obj"), format!("{vertices}{later}")).unwrap();
        let read = MovingMesh::read(folder.path(), None, &ReadOptions::default());
        match (read, message) {
            (Ok(_), None) => {}
            (Err(error), Some(message)) => {
                let text = error.to_string();
                assert!(text.contains("a2.obj") && text.contains(message) && !error.help().is_empty(), "{text}");
            }
            (read, _) => panic!("{first:?}, {later:?}: {read:?}"),
        }
    }
}
