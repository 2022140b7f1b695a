//! Every format holds every frame, as checked by readers that are independent of the writers.

use super::usd_text::{self, Value};
use super::*;
use crate::mesh::{self, ReadOptions};
use crate::run::tests::Fake;
use std::num::NonZeroU64;
use std::sync::Arc;
use taffeta::{Key, Motion, Place, Shape};

fn with(path: &Path, format: Format, options: &Options) -> Exported {
    export_with(&RunView::open(path).unwrap(), format, None, true, options, &mut go).unwrap()
}

fn run_of(frames: u64) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fake");
    run(create(&path), fake(), frames, u64::MAX).unwrap();
    (folder, path)
}

/// The values rounded to 32-bit floats.
fn single(x: &[Vec3]) -> Vec<f64> {
    flat(x).into_iter().map(|value| f64::from(value as f32)).collect()
}

fn near(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    let worst = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(worst <= tolerance, "{worst:e} > {tolerance:e}");
}

#[test]
fn usd_holds_every_frame_of_every_cloth() {
    let (_folder, path) = run_of(3);
    let options = Options { velocities: true, ..Options::default() };
    let found = with(&path, Format::Usd, &options);
    assert_eq!((found.path.clone(), found.frames), (path.join("fake.usda"), 4));
    let layer = usd_text::parse(&fs::read_to_string(&found.path).unwrap());
    let word = |name: &str| layer.values[name].word();
    assert_eq!((word("defaultPrim"), word("upAxis"), word("metersPerUnit")), ("\"fake\"", "\"Y\"", "1"));
    assert_eq!((word("startTimeCode"), word("endTimeCode"), word("timeCodesPerSecond")), ("0", "3", "25"));
    let root = &layer.children["fake"];
    assert_eq!(root.kind, "Xform");

    let frames = frames(&path);
    for (name, range) in [("a", 0..3), ("b", 3..6)] {
        let prim = &root.children[name];
        let value = |name: &str| &prim.values[name];
        assert_eq!(prim.kind, "Mesh");
        assert_eq!(value("points.timeSamples").times(), [0, 1, 2, 3]);
        assert_eq!(value("points").singles(), single(&frames[0].1[range.clone()]));
        for (k, (_, x)) in frames.iter().enumerate() {
            let x = &x[range.clone()];
            assert_eq!(value("points.timeSamples").at(k as i64).singles(), single(x), "frame {k} of {name}");
            let low = x.iter().copied().reduce(Vec3::min).unwrap();
            let high = x.iter().copied().reduce(Vec3::max).unwrap();
            assert_eq!(value("extent.timeSamples").at(k as i64).singles(), single(&[low, high]));
            let normal = (x[1] - x[0]).cross(x[2] - x[0]).normalize();
            near(&value("normals.timeSamples").at(k as i64).numbers(), &flat(&[normal; 3]), 6e-5);
            // 25 frames a second; one-sided at the ends
            let (a, b) = (k.saturating_sub(1), (k + 1).min(3));
            let h = (b - a) as f64 / 25.0;
            let v: Vec<Vec3> = range.clone().map(|i| (frames[b].1[i] - frames[a].1[i]) / h).collect();
            near(&value("velocities.timeSamples").at(k as i64).numbers(), &flat(&v), 1e-4);
        }
        assert_eq!(value("faceVertexCounts").numbers(), [3.0]);
        assert_eq!(value("faceVertexIndices").numbers(), [0.0, 1.0, 2.0]);
        assert_eq!(value("primvars:st").numbers(), [0.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
        assert_eq!(value("primvars:st:indices").numbers(), [0.0, 1.0, 2.0]);
        assert_eq!(value("primvars:st interpolation").word(), "\"faceVarying\"");
        assert_eq!((value("doubleSided").word(), value("subdivisionScheme").word()), ("1", "\"none\""));
        assert_eq!(value("material:binding").word(), format!("</fake/Looks/{name}>"));
        let shader = &root.children["Looks"].children[name].children["Surface"];
        assert_eq!(shader.values["info:id"], Value::Word("\"UsdPreviewSurface\"".into()));
    }
}

#[test]
fn glb_plays_every_frame() {
    let (_folder, path) = run_of(3);
    let found = with(&path, Format::Glb, &Options::default());
    let bytes = fs::read(&found.path).unwrap();
    let scene = crate::gltf::parse(&bytes, &mut crate::gltf::nothing_beside).unwrap();
    let mesh = scene.mesh();
    assert_eq!(mesh.parts.iter().map(|part| part.name.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(mesh.triangles, fake().surface().triangles);
    assert_eq!(mesh.uv, Some(fake().surface().uv));
    assert_eq!(scene.animations(), [("run".to_string(), f64::from(0.12f32))]);
    let frames = frames(&path);
    let mut x = Vec::new();
    for (time, expected) in &frames {
        scene.sample(Some(0), f64::from(*time as f32), &mut x);
        // positions are up to 60 m here: the first frame is rounded once and the offset once
        near(&flat(&x), &flat(expected), 60.0 * f64::from(f32::EPSILON));
    }
    // weights fade: half way between two frames
    scene.sample(Some(0), 0.06, &mut x);
    let middle: Vec<Vec3> = frames[1].1.iter().zip(&frames[2].1).map(|(a, b)| a.lerp(*b, 0.5)).collect();
    near(&flat(&x), &flat(&middle), 1e-4);
}

#[test]
fn ply_sequence_has_a_file_for_each_frame() {
    let (_folder, path) = run_of(2);
    with(&path, Format::Ply, &Options::default());
    for (k, (_, x)) in frames(&path).iter().enumerate() {
        let bytes = fs::read(path.join(format!("ply/fake.{k:04}.ply"))).unwrap();
        let end = bytes.windows(11).position(|w| w == b"end_header\n").unwrap() + 11;
        let text = std::str::from_utf8(&bytes[..end]).unwrap();
        assert!(text.starts_with("ply\nformat binary_little_endian 1.0\n"));
        assert!(
            text.contains(
                "element vertex 6\nproperty float x\nproperty float y\nproperty float z\n\
            property float s\nproperty float t\nelement face 2\nproperty list uchar int vertex_indices\n\
            end_header"
            ),
            "{text}"
        );
        let vertices = &bytes[end..end + 6 * 20];
        let values: Vec<f64> =
            vertices.chunks(4).map(|b| f64::from(f32::from_le_bytes(b.try_into().unwrap()))).collect();
        let positions: Vec<f64> = values.chunks(5).flat_map(|row| row[..3].to_vec()).collect();
        assert_eq!(positions, single(x));
        assert_eq!(values[8..10], [1.0, 0.0], "uv of vertex 1");
        assert_eq!(bytes[end + 120..end + 133], [[3].as_slice(), &[0, 1, 2].map(u32::to_le_bytes).concat()].concat());
        assert_eq!(bytes.len(), end + 120 + 26);
    }
}

#[test]
fn point_caches_hold_every_frame_of_each_cloth_beside_its_obj() {
    let (_folder, path) = run_of(3);
    let all = frames(&path);
    let float = |b: &[u8], big: bool| {
        let b: [u8; 4] = b.try_into().unwrap();
        f64::from(if big { f32::from_be_bytes(b) } else { f32::from_le_bytes(b) })
    };
    for format in [Format::Pc2, Format::Mdd] {
        let big = format == Format::Mdd;
        with(&path, format, &Options::default());
        for (name, range) in [("a", 0..3), ("b", 3..6)] {
            let folder = path.join(format.name());
            let bytes = fs::read(folder.join(format!("{name}.{format}"))).unwrap();
            let front = if big {
                assert_eq!(bytes[..8], [4u32, 3].map(u32::to_be_bytes).concat());
                let times: Vec<f64> = bytes[8..24].chunks(4).map(|b| float(b, true)).collect();
                near(&times, &[0.0, 0.04, 0.08, 0.12], 1e-8);
                24
            } else {
                assert_eq!(&bytes[..12], b"POINTCACHE2\0");
                assert_eq!(bytes[12..20], [1u32, 3].map(u32::to_le_bytes).concat());
                assert_eq!((float(&bytes[20..24], false), float(&bytes[24..28], false)), (0.0, 1.0));
                assert_eq!(bytes[28..32], 4u32.to_le_bytes());
                32
            };
            let found: Vec<f64> = bytes[front..].chunks(4).map(|b| float(b, big)).collect();
            let expected: Vec<f64> = all.iter().flat_map(|(_, x)| single(&x[range.clone()])).collect();
            assert_eq!(found, expected, "{format} {name}");
            let mesh = obj::read(&folder.join(format!("{name}.obj"))).unwrap();
            assert_eq!((mesh.positions, mesh.triangles), (all[0].1[range].to_vec(), vec![[0, 1, 2]]));
        }
        assert_eq!(fs::read_dir(path.join(format.name())).unwrap().count(), 4);
    }
}

#[test]
fn some_frames_can_be_picked() {
    let (_folder, path) = run_of(7);
    let all = frames(&path);
    let pick = |frames| Options { frames, ..Options::default() };
    let every = Pick::Every(NonZeroU64::new(3).unwrap());
    let range = Pick::new(Some("0.09s..0.2s".parse().unwrap()), None); // 25 frames a second
    for (frames, numbers) in
        [(every, vec![0, 3, 6]), (Pick::Last, vec![7]), (Pick::Only(2), vec![2]), (range, vec![3, 4, 5])]
    {
        assert_eq!(with(&path, Format::Obj, &pick(frames)).frames, numbers.len() as u64);
        let names: Vec<_> = numbers.iter().map(|k| std::ffi::OsString::from(format!("fake.{k:04}.obj"))).collect();
        let mut found: Vec<_> = fs::read_dir(path.join("obj")).unwrap().map(|e| e.unwrap().file_name()).collect();
        found.sort();
        assert_eq!(found, names);

        let usd = with(&path, Format::Usd, &pick(frames));
        let layer = usd_text::parse(&fs::read_to_string(usd.path).unwrap());
        let prim = &layer.children["fake"].children["b"];
        assert_eq!(prim.values["points"].singles(), single(&all[numbers[0]].1[3..]));
        let times = prim.values.get("points.timeSamples").map(Value::times).unwrap_or_default();
        let expected: Vec<i64> = if numbers.len() > 1 { numbers.iter().map(|&k| k as i64).collect() } else { vec![] };
        assert_eq!(times, expected);

        let glb = with(&path, Format::Glb, &pick(frames));
        let moving = crate::moving::MovingMesh::read(&glb.path, None, &ReadOptions::default()).unwrap();
        assert_eq!(moving.span().1 > 0.0, numbers.len() > 1);
        near(&flat(&moving.mesh().positions), &flat(&all[numbers[0]].1), 1e-4);
        assert_eq!((glb.frames, glb.of), (numbers.len() as u64, 8));
    }
    let wrong = export_with(&RunView::open(&path).unwrap(), Format::Usd, None, true, &pick(Pick::Only(8)), &mut go);
    assert!(wrong.unwrap_err().to_string().ends_with("has no frame 8: the last is 7"));
    let beyond = pick(Pick::new(Some("8..".parse().unwrap()), None));
    let wrong = export_with(&RunView::open(&path).unwrap(), Format::Usd, None, true, &beyond, &mut go);
    assert!(wrong.unwrap_err().to_string().ends_with("has no frame in 8..: the last is 7"));
}

#[test]
fn a_long_run_has_no_more_morph_targets_than_viewers_play() {
    let (_folder, path) = run_of(600);
    let found = with(&path, Format::Glb, &Options::default());
    assert_eq!((found.frames, found.of), (201, 601));
    let all = Options { frames: Pick::Every(NonZeroU64::MIN), ..Options::default() };
    assert_eq!(with(&path, Format::Glb, &all).frames, 601);
}

/// A ball that is turned a quarter and lifted over the run stands in the same place in every format.
#[test]
fn bodies_go_along_and_move() {
    let (_folder, path) = run_of(2);
    let key = |t, y, turn| Key { t, shift: Vec3::new(0.0, y, 0.0), turn: Vec3::new(0.0, 0.0, turn) };
    let body = |name: &str, shape, keys: &[Key]| Body {
        name: name.into(),
        shape,
        place: Place { scale: 2.0, rotate: Vec3::new(0.0, 30.0, 0.0), at: Vec3::new(1.0, 2.0, 3.0) },
        motion: Motion { keys: keys.to_vec(), smooth: false },
        ..Body::default()
    };
    let keys = [key(0.0, 0.0, 0.0), key(0.08, 1.0, 90.0)];
    let bodies = vec![
        body("bar", Shape::Box { size: [1.0, 0.2, 0.4] }, &keys),
        body("pin", Shape::Capsule { radius: 0.1, height: 0.5 }, &[]),
    ];
    let expected = |k: f64| {
        let corner =
            Place { scale: 2.0, rotate: Vec3::new(0.0, 30.0, 0.0), at: Vec3::ZERO }.apply(Vec3::new(-0.5, -0.1, -0.2));
        let turned = taffeta::glam::DQuat::from_rotation_z((90.0 * k).to_radians()) * corner;
        turned + Vec3::new(1.0, 2.0 + k, 3.0)
    };
    let options = Options { bodies, ..Options::default() };
    with(&path, Format::Obj, &options);
    for k in 0..3 {
        let mesh = obj::read(&path.join(format!("obj/fake.{k:04}.obj"))).unwrap();
        assert_eq!(mesh.parts.iter().map(|part| part.name.as_str()).collect::<Vec<_>>(), ["a", "b", "bar", "pin"]);
        assert!(mesh.positions[6].distance(expected(k as f64 / 2.0)) < 1e-12, "{k}");
    }
    let glb = with(&path, Format::Glb, &options);
    let moving = crate::moving::MovingMesh::read(&glb.path, None, &ReadOptions::default()).unwrap();
    let mut x = Vec::new();
    for k in 0..3 {
        moving.sample(0.04 * f64::from(k), &mut x).unwrap();
        assert!(x[6].distance(expected(f64::from(k) / 2.0)) < 1e-5, "{k}");
    }
    let usd = with(&path, Format::Usd, &options);
    let layer = usd_text::parse(&fs::read_to_string(usd.path).unwrap());
    let bar = &layer.children["fake"].children["bar"];
    assert_eq!((bar.kind.as_str(), layer.children["fake"].children["pin"].kind.as_str()), ("Cube", "Capsule"));
    for k in 0..3 {
        let m = bar.values["xformOp:transform.timeSamples"].at(k).numbers();
        let p = [-0.5, -0.5, -0.5, 1.0];
        let at = |c: usize| (0..4).map(|r| p[r] * m[4 * r + c]).sum::<f64>();
        assert!(Vec3::new(at(0), at(1), at(2)).distance(expected(k as f64 / 2.0)) < 1e-12, "{k}");
    }
    assert_eq!(with(&path, Format::Pc2, &options).frames, 3);
    assert!(path.join("pc2/pin.obj").exists() && path.join("pc2/bar.pc2").exists());
    let ply = with(&path, Format::Ply, &options);
    let mesh = mesh::read(&ply.path.join("fake.0002.ply"), &ReadOptions::default()).unwrap();
    assert!(mesh.positions[6].distance(expected(1.0)) < 1e-5);
}

/// A fixed tetrahedron and one that rises by 1 m per frame are at the same place in every format, at half the size,
/// with a quarter turn about z (x to y) and 1 m to the right.
#[test]
fn mesh_bodies_go_along_and_change_their_shape() {
    let (folder, path) = run_of(2);
    let tetrahedron =
        |y: f64| format!("v 0 {y} 0\nv 2 {y} 0\nv 0 {} 0\nv 0 {y} 2\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n", y + 2.0);
    fs::create_dir(folder.path().join("rise")).unwrap();
    for k in 0..3 {
        fs::write(folder.path().join(format!("rise/a.{k}.obj")), tetrahedron(f64::from(k))).unwrap();
    }
    let place = Place { scale: 0.5, rotate: Vec3::new(0.0, 0.0, 90.0), at: Vec3::X };
    let body = |name: &str, file: &str| {
        let options = ReadOptions { fps: 25.0, ..ReadOptions::default() };
        let mesh = crate::moving::MovingMesh::read(&folder.path().join(file), None, &options).unwrap();
        Body { name: name.into(), shape: Shape::Mesh(Arc::new(mesh)), place, ..Body::default() }
    };
    let bodies = vec![body("still", "rise/a.0.obj"), body("rising", "rise")];
    assert!(!bodies[0].deforms() && bodies[1].deforms());
    let options = Options { bodies, ..Options::default() };
    // the second vertex, (2, k, 0)
    let expected = |k: usize| Vec3::new(1.0 - 0.5 * k as f64, 1.0, 0.0);

    with(&path, Format::Obj, &options);
    for k in 0..3 {
        let mesh = obj::read(&path.join(format!("obj/fake.{k:04}.obj"))).unwrap();
        assert_eq!(mesh.parts.iter().map(|part| part.name.as_str()).collect::<Vec<_>>(), ["a", "b", "still", "rising"]);
        assert!(mesh.positions[6 + 1].distance(expected(0)) < 1e-12, "{k}");
        assert!(mesh.positions[10 + 1].distance(expected(k)) < 1e-12, "{k}");
    }
    let glb = with(&path, Format::Glb, &options);
    let moving = crate::moving::MovingMesh::read(&glb.path, None, &ReadOptions::default()).unwrap();
    let part = |name: &str| moving.mesh().parts.iter().find(|part| part.name == name).unwrap().triangles.start;
    let corner = |name: &str| moving.mesh().triangles[part(name)][2] as usize;
    let mut x = Vec::new();
    for k in 0..3 {
        moving.sample(0.04 * k as f64, &mut x).unwrap();
        assert!(x[corner("still")].distance(expected(0)) < 1e-6 && x[corner("rising")].distance(expected(k)) < 1e-6);
    }
    let usd = with(&path, Format::Usd, &options);
    let layer = usd_text::parse(&fs::read_to_string(usd.path).unwrap());
    let root = &layer.children["fake"];
    let still = &root.children["still"];
    assert_eq!(still.values["points"].numbers()[3..6], [1.0, 0.0, 0.0]);
    near(&still.values["xformOp:transform"].numbers()[12..15], &[1.0, 0.0, 0.0], 1e-12);
    for k in 0..3 {
        let points = root.children["rising"].values["points.timeSamples"].at(k as i64).numbers();
        near(&points[3..6], &expected(k).to_array(), 1e-6);
    }
    let grey = |name: &str| {
        let shader = &root.children["Looks"].children[name].children["Surface"];
        shader.values["inputs:diffuseColor"].numbers() == [0.5; 3]
    };
    assert!(grey("rising") && grey("still") && !grey("a"));
    with(&path, Format::Mdd, &options);
    let cache = crate::points::Points::parse_mdd(&fs::read(path.join("mdd/rising.mdd")).unwrap()).unwrap();
    assert!(cache.frame(2).nth(1).unwrap().distance(expected(2)) < 1e-6);

    // a frame whose file has changed is not exported
    fs::write(folder.path().join("rise/a.1.obj"), tetrahedron(7.0)).unwrap();
    let fresh = Options { bodies: vec![body("rising", "rise")], ..Options::default() };
    fs::write(folder.path().join("rise/a.1.obj"), tetrahedron(8.0)).unwrap();
    let run = RunView::open(&path).unwrap();
    let error = export_with(&run, Format::Ply, None, true, &fresh, &mut go).unwrap_err();
    assert!(error.to_string().contains("a.1.obj cannot be read: it was changed"), "{error}");
}

/// There are more cloths than files that may be open at once.
#[test]
fn a_hundred_cloths_have_a_hundred_point_caches() {
    let (_folder, path) = run_of(2);
    let mut cache = RunView::open(&path).unwrap().positions().unwrap();
    let mut surface = Fake::default().surface();
    let cloth = |i: usize| taffeta::ClothRange { name: "same".into(), vertices: i % 4..i % 4 + 3, triangles: 0..0 };
    surface.cloths = (0..100).map(cloth).collect();
    let mut observe = go;
    let mut frames = Frames::new(Source::Cache(&mut cache), surface, vec![0, 1, 2], &mut observe);
    let stage = Stage { name: "many", fps: 25.0, options: &Options::default() };
    let out = path.join("many");
    stage.write(&out, Format::Mdd, false, &mut frames).unwrap();
    assert_eq!(fs::read_dir(&out).unwrap().count(), 200);
    assert!(fs::read_dir(&out).unwrap().all(|e| e.unwrap().metadata().unwrap().len() > 0));
}
