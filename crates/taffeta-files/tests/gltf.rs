//! glTF in: files made by hand, with answers known beforehand.

mod common;

use common::{Gltf, puppet};
use serde_json::json;
use taffeta::Vec3;
use taffeta_files::gltf::{self, Scene};
use taffeta_files::mesh::{self, FileMesh, Format, Note, ReadOptions};
use taffeta_files::{Problems, ReadError, Wrong};

fn nothing(_: &str) -> std::io::Result<Vec<u8>> {
    Err(std::io::ErrorKind::NotFound.into())
}

fn parse(bytes: &[u8]) -> Result<Scene, Problems> {
    gltf::parse(bytes, &mut nothing)
}

fn mesh_of(g: &Gltf) -> FileMesh {
    parse(&g.glb()).unwrap().mesh()
}

fn close(found: &[Vec3], expected: &[[f64; 3]]) {
    assert_eq!(found.len(), expected.len());
    for (a, b) in found.iter().zip(expected) {
        assert!(a.distance(Vec3::from_array(*b)) < 1e-6, "{found:?}\nexpected {expected:?}");
    }
}

/// A triangle in the plane z = 0.
fn triangle() -> Gltf {
    let mut g = Gltf::default();
    let position = g.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    g.primitive(json!({ "attributes": { "POSITION": position } }));
    g
}

#[test]
fn binary_text_and_external_buffers_are_the_same_mesh() {
    let g = puppet();
    let mesh = mesh_of(&g);
    assert_eq!(mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
    // v points down in the file
    assert_eq!(mesh.uv.as_ref().unwrap()[0], [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]);
    assert_eq!(parse(&g.text(None)).unwrap().mesh(), mesh);
    // as the shape of a cloth, with a note that its motion is not used
    let mut cloth = mesh::parse(Format::Glb, &g.glb(), &ReadOptions::default()).unwrap();
    assert!(matches!(cloth.notes.pop(), Some(mesh::Note::Motion { name }) if name == "bend"));
    assert_eq!(cloth, mesh);

    let text = g.text(Some("my%20data.bin"));
    let mut load = |name: &str| if name == "my data.bin" { Ok(g.data.clone()) } else { nothing(name) };
    assert_eq!(gltf::parse(&text, &mut load).unwrap().mesh(), mesh);
    assert_eq!(gltf::references(&text).unwrap(), ["my data.bin"]);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.gltf"), &text).unwrap();
    let missing = mesh::read(&folder.path().join("a.gltf"), &ReadOptions::default()).unwrap_err();
    assert!(missing.to_string().contains("my data.bin"), "{missing}");
    std::fs::write(folder.path().join("my data.bin"), &g.data).unwrap();
    let read = mesh::read(&folder.path().join("a.gltf"), &ReadOptions::default()).unwrap();
    assert_eq!((read.positions, read.uv), (mesh.positions, mesh.uv));
}

#[test]
fn node_transforms_are_applied_from_child_to_parent() {
    let mut g = triangle();
    // a quarter turn about z (x to y), then twice as large, then lifted, by three nodes
    let half = std::f64::consts::FRAC_1_SQRT_2;
    g.json["nodes"] = json!([
        { "translation": [0, 0, 5], "children": [1] },
        { "scale": [2, 2, 2], "children": [2] },
        { "rotation": [0, 0, half, half], "mesh": 0 },
    ]);
    close(&mesh_of(&g).positions, &[[0.0, 0.0, 5.0], [0.0, 2.0, 5.0], [-2.0, 0.0, 5.0]]);
    // a matrix, by columns; nodes outside the scene are not shown
    g.json["nodes"] = json!([
        { "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 7, 8, 9, 1], "mesh": 0 }, { "mesh": 0 }
    ]);
    close(&mesh_of(&g).positions, &[[7.0, 8.0, 9.0], [8.0, 8.0, 9.0], [7.0, 9.0, 9.0]]);
}

#[test]
fn mirrored_nodes_are_turned_over_and_every_node_is_a_part() {
    let mut g = triangle();
    g.json["nodes"] = json!([{ "mesh": 0, "name": "left" }, { "mesh": 0, "name": "right", "scale": [-1, 1, 1] }]);
    g.json["scenes"][0]["nodes"] = json!([0, 1]);
    let mesh = mesh_of(&g);
    assert_eq!(mesh.triangles, [[0, 1, 2], [3, 5, 4]]);
    assert_eq!(mesh.parts.iter().map(|p| p.name.as_str()).collect::<Vec<_>>(), ["left", "right"]);
    assert_eq!(mesh.part(1).positions[1], Vec3::new(-1.0, 0.0, 0.0));
}

#[test]
fn strips_fans_and_normalized_integers_are_read() {
    let corners = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0];
    for (mode, expected) in [(5, [[0, 1, 2], [2, 1, 3]]), (6, [[0, 1, 2], [0, 2, 3]])] {
        let mut g = Gltf::default();
        let position = g.floats("VEC3", &corners);
        g.primitive(json!({ "attributes": { "POSITION": position }, "mode": mode }));
        assert_eq!(mesh_of(&g).triangles, expected, "mode {mode}");
    }
    // KHR_mesh_quantization: 16-bit positions in rows of 8 bytes
    let mut g = Gltf::default();
    let rows: Vec<u8> =
        [[0i16, 0, 0, 9], [32767, 0, 0, 9], [0, -32768, 0, 9]].concat().iter().flat_map(|v| v.to_le_bytes()).collect();
    let view = g.view(&rows);
    g.json["bufferViews"][view]["byteStride"] = json!(8);
    let position = g.push(
        "accessors",
        json!({ "bufferView": view, "componentType": 5122, "normalized": true, "count": 3, "type": "VEC3" }),
    );
    g.primitive(json!({ "attributes": { "POSITION": position } }));
    g.json["extensionsRequired"] = json!(["KHR_mesh_quantization"]);
    close(&mesh_of(&g).positions, &[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, -1.0, 0.0]]);
}

#[test]
fn points_lines_and_triangles_without_area_are_noted() {
    let mut g = triangle();
    g.primitive(json!({ "attributes": { "POSITION": 0 }, "mode": 1 }));
    let indices = g.shorts("SCALAR", 6, &[0, 1, 2, 0, 0, 1]);
    g.json["meshes"][0]["primitives"][0]["indices"] = json!(indices);
    let mesh = mesh_of(&g);
    assert_eq!(mesh.triangles.len(), 1);
    assert_eq!(mesh.notes.len(), 2, "{:?}", mesh.notes);
    assert!(matches!(&mesh.notes[0], Note::NotRead { what } if what.contains("1 triangles")));
}

#[test]
fn a_skin_bends_and_the_node_itself_does_not_count() {
    let scene = parse(&puppet().glb()).unwrap();
    close(&scene.mesh().positions, &[[0., 0., 0.], [1., 0., 0.], [1., 1., 0.], [0., 1., 0.]]);
    assert_eq!(scene.animation(None), Ok(Some(0)));
    assert_eq!(scene.animation(Some("walk")), Ok(Some(1)));
    assert!(
        matches!(scene.animation(Some("wlak")), Err(Wrong::NoAnimation { meant: Some(name), .. }) if name == "walk")
    );
    let mut x = Vec::new();
    // the knee at (0, 1, 0) turned by 90 degrees takes vertex 2 from (1, 1) to (0, 2)
    scene.sample(Some(0), 1.0, &mut x);
    close(&x, &[[0., 0., 0.], [1., 0., 0.], [0., 2., 0.], [0., 1., 0.]]);
    // half way by 45 degrees, along the circle
    scene.sample(Some(0), 0.5, &mut x);
    let half = std::f64::consts::FRAC_1_SQRT_2;
    close(&x[2..3], &[[half, 1.0 + half, 0.0]]);
    // after the last key it rests
    scene.sample(Some(0), 9.0, &mut x);
    close(&x[2..3], &[[0., 2., 0.]]);
}

#[test]
fn keys_are_linear_stepped_or_cubic() {
    let scene = parse(&puppet().glb()).unwrap();
    let at = |animation, time| {
        let mut x = Vec::new();
        scene.sample(Some(animation), time, &mut x);
        x[0].to_array()
    };
    for (time, linear, step) in [
        (-1.0, [0., 0., 0.], [0., 0., 0.]),
        (0.5, [1., 0., 0.], [0., 0., 0.]),
        (1.0, [2., 0., 0.], [2., 0., 0.]),
        (1.75, [2., 0., 3.], [2., 0., 0.]),
        (3.0, [2., 0., 4.], [2., 0., 4.]),
    ] {
        assert_eq!((at(1, time), at(2, time)), (linear, step), "{time}");
    }
    // p(s) of Hermite with values 0 and 1, slopes 3 after the first and 0 before the second: 3 s (1 - s)^2 + 3 s^2 - 2
    // s^3
    let mut g = triangle();
    let times = g.floats("SCALAR", &[0.0, 2.0]);
    let zero = [0.0; 3];
    let keys = g.floats("VEC3", &[zero, zero, [1.5, 0.0, 0.0], zero, [1.0, 0.0, 0.0], zero].concat());
    g.json["animations"] = json!([{ "samplers": [{ "input": times, "output": keys, "interpolation": "CUBICSPLINE" }],
        "channels": [{ "sampler": 0, "target": { "node": 0, "path": "translation" } }] }]);
    let scene = parse(&g.glb()).unwrap();
    let mut x = Vec::new();
    for s in [0.0, 0.25, 0.5, 1.0] {
        scene.sample(Some(0), 2.0 * s, &mut x);
        close(&x[..1], &[[3.0 * s * (1.0 - s) * (1.0 - s) + 3.0 * s * s - 2.0 * s * s * s, 0.0, 0.0]]);
    }
}

#[test]
fn morph_targets_add_up_and_sparse_ones_move_a_few() {
    let scene = parse(&puppet().glb()).unwrap();
    let mut x = Vec::new();
    scene.sample(Some(3), 1.0, &mut x);
    close(&x, &[[0., 0., 1.], [1., 0., 1.], [1., 1., 0.], [0., 1., 0.]]);
    scene.sample(Some(3), 1.5, &mut x);
    close(&x, &[[0., 0., 0.5], [1., 0., 0.5], [1., 1., 0.], [0.5, 1., 0.]]);
}

type Change = Box<dyn Fn(&mut Gltf)>;

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let cases: Vec<(&str, Change, &str)> = vec![
        ("version", Box::new(|g| g.json["asset"]["version"] = json!("1.0")), "asset: version `1.0`"),
        (
            "draco",
            Box::new(|g| g.json["extensionsRequired"] = json!(["KHR_draco_mesh_compression"])),
            "`KHR_draco_mesh_compression` is needed",
        ),
        ("no mesh", Box::new(|g| g.json["nodes"] = json!([{}])), "scene: it shows no triangles"),
        (
            "mesh",
            Box::new(|g| g.json["nodes"] = json!([{ "mesh": 7 }])),
            "nodes[0]: mesh 7 does not exist: there are 1",
        ),
        ("node", Box::new(|g| g.json["scenes"][0]["nodes"] = json!([9])), "scenes: node 9 does not exist"),
        (
            "loop",
            Box::new(|g| g.json["nodes"] = json!([{ "mesh": 0 }, { "children": [2] }, { "children": [1] }])),
            "nodes[1]: it is its own ancestor",
        ),
        (
            "two parents",
            Box::new(|g| g.json["nodes"] = json!([{ "children": [2] }, { "children": [2] }, { "mesh": 0 }])),
            "node 2 is a child of node 0 already",
        ),
        (
            "no positions",
            Box::new(|g| g.json["meshes"][0]["primitives"][0]["attributes"] = json!({})),
            "meshes[0].primitives[0]: it has no POSITION",
        ),
        (
            "accessor",
            Box::new(|g| g.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = json!(5)),
            "POSITION: accessor 5 does not exist",
        ),
        (
            "type",
            Box::new(|g| g.json["accessors"][0]["type"] = json!("VEC2")),
            "accessors[0]: POSITION needs VEC3, not VEC2",
        ),
        (
            "component",
            Box::new(|g| g.json["accessors"][0]["componentType"] = json!(1)),
            "accessors[0]: component type 1 is not known",
        ),
        (
            "count",
            Box::new(|g| g.json["accessors"][0]["count"] = json!(4)),
            "4 elements of 12 bytes from 0 on are not in a view of 36 bytes",
        ),
        ("huge", Box::new(|g| g.json["accessors"][0]["count"] = json!(u64::MAX)), "18446744073709551615 elements"),
        (
            "zeros without end",
            Box::new(|g| {
                g.json["accessors"][0] = json!({ "componentType": 5126, "count": 1000000000, "type": "VEC3" })
            }),
            "uses its data more than 16 times over",
        ),
        (
            "view",
            Box::new(|g| g.json["bufferViews"][0]["byteLength"] = json!(99)),
            "bufferViews[0]: 99 bytes from 0 on are not in a buffer of 36 bytes",
        ),
        (
            "corners",
            Box::new(|g| g.json["accessors"][0]["count"] = json!(2)),
            "2 corners are no whole number of triangles",
        ),
        (
            "nan",
            Box::new(|g| g.data[..4].copy_from_slice(&f32::NAN.to_le_bytes())),
            "accessors[0]: element 0 is not finite",
        ),
        ("far", Box::new(|g| g.data[..4].copy_from_slice(&1e30f32.to_le_bytes())), "vertex 0: `[1"),
        (
            "index",
            Box::new(|g| {
                let i = g.shorts("SCALAR", 3, &[0, 1, 3]);
                g.json["meshes"][0]["primitives"][0]["indices"] = json!(i);
            }),
            "index 2 is vertex 3, which does not exist: there are 3",
        ),
        ("skin", Box::new(|g| g.json["skins"] = json!([{ "joints": [4] }])), "skins[0]: node 4 does not exist"),
        (
            "keys",
            Box::new(|g| {
                let (t, v) = (g.floats("SCALAR", &[1.0, 0.5]), g.floats("VEC3", &[0.0; 6]));
                let channel = json!({ "sampler": 0, "target": { "node": 0, "path": "scale" } });
                let sampler = json!({ "input": t, "output": v });
                g.json["animations"] = json!([{ "samplers": [sampler], "channels": [channel] }]);
            }),
            "animations[0].channels[0]: key 1 is not later than the one before",
        ),
    ];
    for (name, change, expected) in cases {
        let mut g = triangle();
        change(&mut g);
        let problems = parse(&g.glb()).expect_err(name);
        assert!(problems.to_string().contains(expected), "{name}: {problems}");
        assert!(!problems.list[0].help().is_empty());
    }
    let glb = triangle().glb();
    for (bytes, expected) in [
        (&b""[..], "this is not a glTF file"),
        (b"solid x", "this is not a glTF file"),
        (b"{\n\"asset\": 3}", "JSON, line 2"),
        (b"glTF\x01\0\0\0", "byte 4: GLB: version 1 is not read"),
        (&glb[..glb.len() - 1], "byte 8: GLB needs"),
        (&glb[..13], "byte 8: GLB needs"),
    ] {
        let problems = parse(bytes).unwrap_err();
        assert!(problems.to_string().starts_with(expected), "{problems}");
    }
}

#[test]
fn a_small_file_cannot_fill_the_memory_with_copies() {
    // 60,000 nodes that all show the same 3,000 vertices: 180 million
    let mut g = Gltf::default();
    let position = g.floats("VEC3", &[0.5; 9000]);
    g.primitive(json!({ "attributes": { "POSITION": position } }));
    g.json["nodes"] = json!(vec![json!({ "mesh": 0 }); 60_000]);
    g.json["scenes"] = json!([]);
    assert!(parse(&g.glb()).unwrap_err().to_string().contains("times over"));
    // the same accessor over and over
    let mut g = Gltf::default();
    let position = g.floats("VEC3", &[0.5; 90_000]);
    for set in 0..20_000 {
        g.primitive(json!({ "attributes": { "POSITION": position, format!("_{set}"): 0 } }));
    }
    assert!(parse(&g.glb()).unwrap_err().to_string().contains("times over"));
}

#[test]
fn options_apply_to_gltf_too() {
    let options = ReadOptions { unit: 0.01, weld: Some(1.0), ..ReadOptions::default() };
    let ReadError::Options { .. } =
        mesh::parse(Format::Obj, b"", &ReadOptions { unit: 0.0, ..options.clone() }).unwrap_err()
    else {
        panic!()
    };
    let error = mesh::parse(Format::Glb, &triangle().glb(), &ReadOptions { weld: Some(1e-30), ..options.clone() });
    assert!(error.unwrap_err().to_string().contains("welding"));
    let mesh = mesh::parse(Format::Glb, &triangle().glb(), &ReadOptions { weld: None, ..options }).unwrap();
    assert_eq!(mesh.positions[1], Vec3::new(0.01, 0.0, 0.0));
}

/// A mesh of two materials at a node: every name finds its vertices.
#[test]
fn nodes_meshes_and_materials_are_groups() {
    let mut g = triangle();
    let other = g.floats("VEC3", &[5.0, 0.0, 0.0, 6.0, 0.0, 0.0, 5.0, 1.0, 0.0]);
    g.json["meshes"][0]["name"] = json!("shirt");
    g.json["meshes"][0]["primitives"][0]["material"] = json!(1);
    let second = json!({ "attributes": { "POSITION": other }, "material": 0 });
    g.json["meshes"][0]["primitives"].as_array_mut().unwrap().push(second);
    g.json["materials"] = json!([{ "name": "collar" }, { "name": "body" }]);
    g.json["nodes"][0]["name"] = json!("ann");
    let groups = mesh_of(&g).grouped();
    let found: Vec<(&str, &[u32])> = groups.iter().map(|(name, list)| (name.as_str(), list.as_slice())).collect();
    let all = &[0, 1, 2, 3, 4, 5][..];
    assert_eq!(found, [("ann", all), ("body", &[0, 1, 2]), ("collar", &[3, 4, 5]), ("shirt", all)]);
}
