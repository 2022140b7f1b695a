//! Files and folders from elsewhere: what they say is read, and they get nowhere else.
#![cfg(unix)]

use crate::common::{Place, SMALL};
use std::fs;
use std::os::unix::fs::symlink;

/// Three vertices and a triangle in a buffer that is called `uri`.
fn gltf(uri: &str) -> String {
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scenes":[{{"nodes":[0]}}],"scene":0,"nodes":[{{"mesh":0,"name":"a"}}],
"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],
"accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}}],
"bufferViews":[{{"buffer":0,"byteLength":36}}],"buffers":[{{"uri":"{uri}","byteLength":36}}]}}"#
    )
}

fn buffer() -> Vec<u8> {
    [0.0f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0].iter().flat_map(|value| value.to_le_bytes()).collect()
}

#[test]
fn a_gltf_file_reads_nothing_outside_its_folder() {
    let place = Place::new();
    place.write("secret.bin", buffer());
    place.write("in/below/b.bin", buffer());
    symlink("../secret.bin", place.path("in/link.bin")).unwrap();
    symlink("below/b.bin", place.path("in/good.bin")).unwrap();
    let absolute = place.path("secret.bin").display().to_string();
    let uris = [
        "../secret.bin".to_string(),
        "below/../../secret.bin".into(),
        "%2e%2e/secret.bin".into(),
        "..%2fsecret.bin".into(),
        absolute.clone(),
        absolute.replace('/', "%2f"),
        absolute.replace('/', "%2F"),
        "link.bin".into(),
    ];
    place.write("body.toml", format!("{SMALL}\n[[body]]\nmesh = \"in/a.gltf\"\n"));
    for uri in uris {
        place.write("in/a.gltf", gltf(&uri));
        place.write(
            "cloth.toml",
            SMALL.replace("grid = { size = [1.0, 1.0], cells = [10, 10] }", "mesh = \"in/a.gltf\""),
        );
        for args in [
            &["convert", "in/a.gltf", "--to", "obj", "--out", "out.obj"][..],
            &["render", "in/a.gltf", "--out", "out.png"],
            &["check", "cloth.toml"],
            &["check", "body.toml"],
        ] {
            let ended = place.refused(args, 2);
            assert!(ended.stderr.contains("not in its own folder"), "{uri}: {ended:?}");
        }
        assert!(!place.path("out.obj").exists() && !place.path("out.png").exists(), "{uri}");
    }
    for uri in ["below/b.bin", "./below/b.bin", "below%2fb.bin", "good.bin"] {
        place.write("in/a.gltf", gltf(uri));
        place.done(&["convert", "in/a.gltf", "--to", "obj", "--out", "out.obj", "--force"]);
        place.done(&["check", "body.toml"]);
    }
}

#[test]
fn a_sequence_with_a_link_that_leads_out_is_refused() {
    let place = Place::new();
    let triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    place.write("secret.obj", triangle);
    place.write("walk/walk.0001.obj", triangle);
    symlink("../secret.obj", place.path("walk/walk.0002.obj")).unwrap();
    for input in ["walk", "walk/walk.####.obj"] {
        let ended = place.refused(&["convert", input, "--to", "usd", "--out", "walk.usda"], 2);
        assert!(ended.stderr.contains("walk.0002.obj` leads out"), "{ended:?}");
    }
}

#[test]
fn a_run_with_links_is_not_resumed_and_nothing_is_written_through_them() {
    let place = Place::new();
    place.write("small.toml", SMALL);
    place.done(&["run", "small.toml", "--duration", "0.05", "--out", "it", "--export", "npz,obj", "--no-still"]);
    place.write("victim", "mine");
    fs::remove_dir_all(place.path("it/obj")).unwrap();
    fs::remove_file(place.path("it/it.npz")).unwrap();
    let names = ["report.json.tmp", "manifest.json.tmp", "checkpoint.bin.tmp", "checkpoint.synced.bin", "contact.bin"];
    for name in names.into_iter().chain(["frames.crc.tmp", ".lock", "still.png", "it.npz", "obj"]) {
        for target in ["victim", "nobody"] {
            let link = place.path("it").join(name);
            let kept = fs::read(&link).ok();
            let _ = fs::remove_file(&link);
            symlink(place.path(target), &link).unwrap();
            let before = fs::read(place.path("it/positions.bin")).unwrap();
            let ended = place.refused(&["resume", "it", "--duration", "0.1"], 2);
            assert!(ended.stderr.contains(name) && ended.stderr.contains("link"), "{name}: {ended:?}");
            assert_eq!(fs::read(place.path("victim")).unwrap(), b"mine", "{name}");
            assert!(!place.path("nobody").exists(), "{name}");
            assert_eq!(fs::read(place.path("it/positions.bin")).unwrap(), before, "{name}");
            fs::remove_file(&link).unwrap();
            if let Some(kept) = kept {
                fs::write(&link, kept).unwrap();
            }
        }
    }
    // nor do exports and pictures follow links
    symlink(place.path("victim"), place.path("link.npz")).unwrap();
    symlink(place.path("victim"), place.path("link.png")).unwrap();
    symlink(place.path("victim"), place.path("hang.toml")).unwrap();
    for args in [
        &["convert", "it", "--to", "npz", "--out", "link.npz", "--force"][..],
        &["render", "it", "--out", "link.png", "--force", "--size", "32x32"],
        &["scenes", "hang", "--copy", "--force"],
    ] {
        let ended = place.refused(args, 2);
        assert!(ended.stderr.contains("link"), "{ended:?}");
        assert_eq!(fs::read(place.path("victim")).unwrap(), b"mine", "{args:?}");
    }
    place.done(&["resume", "it", "--duration", "0.1"]);
}

/// The files of a run may be copied with links, which must not lead out of it.
#[test]
fn copies_that_lead_out_of_a_run_are_refused() {
    let place = Place::new();
    place.write("body.obj", crate::common::MESH);
    place.write("small.toml", format!("{SMALL}\n[[body]]\nmesh = \"body.obj\"\n"));
    place.done(&["run", "small.toml", "--duration", "0.05", "--out", "it", "--no-still"]);
    fs::remove_file(place.path("it/files/body.obj")).unwrap();
    symlink(place.path("body.obj"), place.path("it/files/body.obj")).unwrap();
    let ended = place.refused(&["resume", "it", "--duration", "0.1"], 2);
    assert!(ended.stderr.contains("leads out of the folder"), "{ended:?}");
}
