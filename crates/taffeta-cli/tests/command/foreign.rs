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
    place.write("body.toml", format!("{SMALL}\n[[body]]\nmesh = \"in/a.gltf\"\nplace = {{ at = [9, 0, 0] }}\n"));
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
    let place = Place::with_stills();
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

/// A triangle in a NumPy archive, its frames at these times.
fn npz(place: &Place, name: &str, times: &[f64]) {
    let array = |kind: &str, shape: &str, data: Vec<u8>| {
        let mut header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}");
        header += &" ".repeat(63 - (10 + header.len()) % 64);
        header += "\n";
        [&b"\x93NUMPY\x01\x00"[..], &(header.len() as u16).to_le_bytes(), header.as_bytes(), &data].concat()
    };
    let floats = |values: &[f64]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    let triangle = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let members = [
        ("positions.npy", array("<f8", &format!("({}, 3, 3)", times.len()), floats(&triangle.repeat(times.len())))),
        ("times.npy", array("<f8", &format!("({},)", times.len()), floats(times))),
        ("triangles.npy", array("<i4", "(1, 3)", [0i32, 1, 2].iter().flat_map(|v| v.to_le_bytes()).collect())),
    ];
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for (name, data) in &members {
        let (sum, size) = (crc(data).to_le_bytes(), (data.len() as u32).to_le_bytes());
        let common =
            [&[20u8, 0, 0, 0, 0, 0, 0, 0, 0x21, 0][..], &sum, &size, &size, &[name.len() as u8, 0, 0, 0]].concat();
        let offset = (bytes.len() as u32).to_le_bytes();
        directory.extend([b"PK\x01\x02\x14\0", &common[..], &[0; 10], &offset, name.as_bytes()].concat());
        bytes.extend([b"PK\x03\x04", &common[..], name.as_bytes(), data].concat());
    }
    let (size, at) = ((directory.len() as u32).to_le_bytes(), (bytes.len() as u32).to_le_bytes());
    bytes.extend(directory);
    bytes.extend([&b"PK\x05\x06\0\0\0\0\x03\0\x03\0"[..], &size, &at, &[0, 0]].concat());
    place.write(name, bytes);
}

/// CRC-32 of zip, bit by bit.
fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |sum, &byte| {
        (0..8).fold(sum ^ u32::from(byte), |sum, _| (sum >> 1) ^ (0xedb8_8320 & 0u32.wrapping_sub(sum & 1)))
    })
}

/// The triangle goes on for `seconds`.
fn glb(place: &Place, name: &str, seconds: f32, node: &str) {
    let mut data = buffer();
    data.extend([0.0, seconds].iter().flat_map(|time: &f32| time.to_le_bytes()));
    data.extend([0.0f32, 0.0, 0.0, 1.0, 0.0, 0.0].iter().flat_map(|value| value.to_le_bytes()));
    let mut json = format!(
        r#"{{"asset":{{"version":"2.0"}},"scenes":[{{"nodes":[0]}}],"scene":0,"nodes":[{{"mesh":0,"name":"{node}"}}],
"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],
"animations":[{{"name":"{node}","channels":[{{"sampler":0,"target":{{"node":0,"path":"translation"}}}}],
"samplers":[{{"input":1,"output":2}}]}},{{"name":"other {node}","channels":[],"samplers":[]}}],
"accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}},
{{"bufferView":1,"componentType":5126,"count":2,"type":"SCALAR","min":[0],"max":[{seconds}]}},
{{"bufferView":2,"componentType":5126,"count":2,"type":"VEC3"}}],
"bufferViews":[{{"buffer":0,"byteLength":36}},{{"buffer":0,"byteOffset":36,"byteLength":8}},
{{"buffer":0,"byteOffset":44,"byteLength":24}}],"buffers":[{{"byteLength":68}}]}}"#
    );
    json += &" ".repeat((4 - json.len() % 4) % 4);
    let word = |value: usize| (value as u32).to_le_bytes();
    let total = 12 + 8 + json.len() + 8 + data.len();
    let parts = [&b"glTF"[..], &word(2), &word(total), &word(json.len()), b"JSON", json.as_bytes(), &word(data.len())];
    place.write(name, [&parts.concat()[..], b"BIN\0", &data].concat());
}

#[test]
fn a_small_file_that_lasts_for_years_is_refused_with_what_it_would_write() {
    let place = Place::new();
    glb(&place, "long.glb", 1e9, "a");
    npz(&place, "long.npz", &[0.0, 0.01, 1e9 + 0.003]);
    npz(&place, "endless.npz", &[0.0, 1e-300, 1e300]);
    let before = place.snapshot(".");
    for (input, formats) in [
        ("long.glb", &["obj", "ply", "usd", "npz", "pc2", "mdd"][..]),
        ("long.npz", &["obj", "ply", "usd", "pc2", "mdd"]),
        ("endless.npz", &["obj", "usd", "pc2"]),
    ] {
        for format in formats {
            let ended = place.refused(&["convert", input, "--to", format, "--out", "out"], 2);
            let ended = match ended.stderr.contains("does not fit") {
                true => place.refused(&["convert", input, "--to", format], 2),
                false => ended,
            };
            assert!(ended.stderr.contains(" frames, about "), "{input} to {format}: {ended:?}");
            assert!(ended.stderr.contains("--max-frames"), "{ended:?}");
        }
    }
    assert_eq!(before, place.snapshot("."));
    // a part of it is as good as any, and more can be allowed
    place.done(&["convert", "long.glb", "--to", "obj", "--frames", "5..9", "--out", "part"]);
    assert_eq!(fs::read_dir(place.path("part")).unwrap().count(), 5);
    glb(&place, "short.glb", 10.0, "a");
    let args = ["convert", "short.glb", "--to", "obj", "--out", "all", "--max-frames"];
    place.refused(&[&args[..], &["240"]].concat(), 2);
    let ended = place.done(&[&args[..], &["241"]].concat());
    assert!(ended.stderr.contains("241 frames, about "), "{ended:?}");
    assert_eq!(fs::read_dir(place.path("all")).unwrap().count(), 241);
}

#[test]
fn an_archive_with_a_changed_byte_is_refused() {
    let place = Place::new();
    npz(&place, "a.npz", &[0.0, 1.0]);
    place.done(&["convert", "a.npz", "--to", "usd", "--out", "a.usda"]);
    let mut bytes = fs::read(place.path("a.npz")).unwrap();
    // a digit of a position: 1.0 becomes another number
    let at = bytes.windows(8).position(|window| window == 1.0f64.to_le_bytes()).unwrap();
    bytes[at + 6] ^= 1;
    place.write("a.npz", bytes);
    let ended = place.refused(&["convert", "a.npz", "--to", "usd", "--out", "b.usda"], 2);
    assert!(ended.stderr.contains("`positions.npy` is damaged: its checksum"), "{ended:?}");
    assert!(!place.path("b.usda").exists());
}

#[test]
fn options_without_a_use_are_refused() {
    let place = Place::new();
    glb(&place, "a.glb", 1.0, "a");
    place.write("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    for args in [
        &["convert", "a.glb", "--to", "usd", "--topology", "nonsense"][..],
        &["convert", "a.glb", "--to", "usd", "--topology", "a.obj"],
        &["convert", "a.obj", "--to", "usd", "--topology", "nonsense"],
        &["convert", "a.obj", "--to", "usd", "--animation", "walk"],
        &["convert", "a.glb", "--to", "usd", "--animation", "nonsense"],
    ] {
        place.refused(args, 2);
    }
    assert!(!place.path("a.usda").exists());
}

/// Colours are forced, as on a terminal: elsewhere escape sequences are taken out.
fn on_a_terminal(place: &Place, args: &[&str]) -> crate::common::Ended {
    crate::common::ended(place.command(args).env("CLICOLOR_FORCE", "1").env_remove("NO_COLOR"))
}

/// What would steer a terminal, but for colours and line ends.
fn steers(text: &str) -> bool {
    let mut plain = text.to_string();
    for code in 0..=99 {
        plain = plain.replace(&format!("\u{1b}[{code}m"), "");
        plain = plain.replace(&format!("\u{1b}[38;5;{code}m"), "");
    }
    plain.chars().any(|c| c != '\n' && (c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c)))
}

#[test]
fn names_from_files_do_not_steer_the_terminal() {
    let place = Place::new();
    let evil = "\u{1b}[2J\u{1b}]0;x\u{7}\u{1b}[35mb\u{9b}2J\u{202e}";
    let escaped: String = evil
        .chars()
        .map(|c| if c.is_ascii_graphic() { c.to_string() } else { format!("\\u{:04x}", c as u32) })
        .collect();
    glb(&place, "a.glb", 1.0, &escaped);
    place.write("a.obj", format!("o {evil}\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 2 {evil}\n"));
    place.write("a.ply", format!("ply\nformat ascii 1.0\nelement {evil} x\nend_header\n"));
    place.write("a.usda", format!("#usda 1.0\ndef Mesh \"{evil}\" {{\nint[] faceVertexIndices = [{evil}]\n}}\n"));
    place.write("a.toml", format!("{SMALL}\n[[body]]\nname = \"{escaped}\"\nmesh = \"a.glb\"\n"));
    place.write("b.toml", format!("title = \"{escaped}\"\n\"{escaped}\" = 3\n{SMALL}"));
    place.write("c.toml", format!("title = \"{evil}\"\n{SMALL}"));
    place.write(
        "d.toml",
        SMALL.replace("[[cloth]]", &format!("title = \"{escaped}\"\n[[cloth]]\nname = \"{escaped}\"")),
    );
    place.write(
        "e.toml",
        format!("title = \"{escaped}\"\n{}", SMALL.replace("[[cloth]]", &format!("[[cloth]]\nname = \"{escaped}\""))),
    );
    place.write(&format!("{evil}.obj"), "v 0 0\n");
    for args in [
        &["convert", "a.glb", "--to", "usd", "--out", "x.usda"][..],
        &["convert", "a.glb", "--to", "usd", "--animation", evil],
        &["convert", "a.glb", "--to", "usd", "--animation", "nonsense"],
        &["convert", "a.obj", "--to", "usd"],
        &["convert", "a.ply", "--to", "usd"],
        &["convert", "a.usda", "--to", "obj"],
        &["convert", &format!("{evil}.obj"), "--to", "usd"],
        &["convert", evil, "--to", "usd"],
        &["check", "a.toml"],
        &["check", "b.toml"],
        &["check", "c.toml"],
        &["check", "d.toml"],
        &["check", "e.toml"],
        &["check", &format!("{evil}.toml")],
        &["run", "e.toml", "--duration", "0.05", "--out", "it", "--no-still"],
        &["render", "a.obj", "--out", "x.png"],
        &["run", evil],
        &[evil],
    ] {
        let ended = on_a_terminal(&place, args);
        assert!(ended.status.is_some_and(|status| status <= 2), "{args:?}: {ended:?}");
        assert!(!steers(&ended.stdout) && !steers(&ended.stderr), "{args:?}: {ended:?}");
        // nor have names colours of their own
        assert!(!ended.stderr.contains("\u{1b}[35mb"), "{args:?}: {ended:?}");
        let ended =
            on_a_terminal(&place, &[args, &["--json", "--force"][..if args[0] == "check" { 1 } else { 2 }]].concat());
        assert!(!steers(&ended.stdout), "{args:?}: {ended:?}");
        if ended.status == Some(0) {
            ended.json();
        }
    }
    let shown = on_a_terminal(&place, &["convert", "a.glb", "--to", "usd", "--out", "x.usda", "--force"]);
    assert!(shown.stderr.contains("\\u{1b}[2J"), "{shown:?}");
}
