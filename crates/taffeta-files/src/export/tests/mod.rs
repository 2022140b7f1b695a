//! Exports of runs of a fake simulation, read back by readers written for the tests alone.

mod formats;
mod usd_text;

use super::*;
use crate::cache::CacheError;
use crate::disk::full_disk::with_space;
use crate::run::tests::{copy, create, fake, run};
use crate::run::{FrameSource, names};
use crate::{Surface, obj};
use std::ops::ControlFlow;
use taffeta::Vec3;

fn go(_: u64, _: u64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn exported(path: &Path, format: Format, force: bool) -> Result<Exported, ExportError> {
    export(&RunView::open(path)?, format, None, force, &mut go)
}

/// All frames of a run, straight from its cache.
fn frames(path: &Path) -> Vec<(f64, Vec<Vec3>)> {
    let mut cache = RunView::open(path).unwrap().positions().unwrap();
    let count = cache.frames().unwrap();
    let read = |k| {
        let mut x = Vec::new();
        (cache.read(k, &mut x).unwrap(), x)
    };
    (0..count).map(read).collect()
}

/// An array of an archive without compression: kind, shape and bytes.
fn array(zip: &[u8], name: &str) -> (String, Vec<u64>, Vec<u8>) {
    let find = |b: &[u8], what: &[u8]| b.windows(what.len()).position(|w| w == what).unwrap();
    // the directory follows the data: the last occurrence of this name belongs to it
    let name = format!("{name}.npy");
    let at = zip.windows(name.len()).rposition(|w| w == name.as_bytes()).unwrap() - 46;
    assert_eq!(&zip[at..at + 4], b"PK\x01\x02");
    let u32_at = |at: usize| u32::from_le_bytes(zip[at..at + 4].try_into().unwrap());
    let (size, local) = (u32_at(at + 24) as usize, u32_at(at + 42) as usize);
    let data = &zip[local + 30 + name.len()..][..size];
    assert_eq!(crc32fast::hash(data), u32_at(at + 16));

    assert_eq!(&data[..8], b"\x93NUMPY\x01\x00");
    let length = u16::from_le_bytes([data[8], data[9]]) as usize;
    assert_eq!((10 + length) % 64, 0);
    let text = std::str::from_utf8(&data[10..10 + length]).unwrap();
    let shape = &text[find(text.as_bytes(), b"(") + 1..find(text.as_bytes(), b")")];
    let shape = shape.split(',').filter(|n| !n.trim().is_empty()).map(|n| n.trim().parse().unwrap()).collect();
    (text[11..14].to_string(), shape, data[10 + length..].to_vec())
}

fn floats(bytes: &[u8]) -> Vec<f64> {
    bytes.chunks_exact(8).map(|b| f64::from_le_bytes(b.try_into().unwrap())).collect()
}

fn flat(x: &[Vec3]) -> Vec<f64> {
    x.iter().flat_map(|p| p.to_array()).collect()
}

#[test]
fn npz_holds_every_frame_bit_for_bit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fake");
    run(create(&path), fake(), 3, u64::MAX).unwrap();
    let found = exported(&path, Format::Npz, false).unwrap();
    assert_eq!((found.path.clone(), found.frames), (path.join("fake.npz"), 4));
    let zip = fs::read(&found.path).unwrap();
    let frames = frames(&path);
    let surface: Surface = fake().surface();

    let (kind, shape, bytes) = array(&zip, "positions");
    assert_eq!((kind.as_str(), shape), ("<f8", vec![4, 6, 3]));
    assert_eq!(floats(&bytes), frames.iter().flat_map(|(_, x)| flat(x)).collect::<Vec<_>>());
    let (kind, shape, bytes) = array(&zip, "times");
    assert_eq!((kind.as_str(), shape), ("<f8", vec![4]));
    assert_eq!(floats(&bytes), [0.0, 0.04, 0.08, 0.12]);
    let (kind, shape, bytes) = array(&zip, "triangles");
    assert_eq!((kind.as_str(), shape), ("<i4", vec![2, 3]));
    assert_eq!(bytes, [0, 1, 2, 3, 4, 5].map(i32::to_le_bytes).concat());
    let (kind, shape, bytes) = array(&zip, "rest");
    assert_eq!((kind.as_str(), shape), ("<f8", vec![6, 3]));
    assert_eq!(floats(&bytes), flat(&surface.rest));
    let (kind, shape, bytes) = array(&zip, "cloth_offsets");
    assert_eq!((kind.as_str(), shape), ("<i8", vec![3]));
    assert_eq!(bytes, [0i64, 3, 6].map(i64::to_le_bytes).concat());
}

#[test]
fn obj_sequence_has_a_file_for_each_frame() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fake");
    run(create(&path), fake(), 2, u64::MAX).unwrap();
    let found = exported(&path, Format::Obj, false).unwrap();
    assert_eq!((found.path, found.frames), (path.join("obj"), 3));
    for (k, (_, x)) in frames(&path).iter().enumerate() {
        let mesh = obj::read(&path.join(format!("obj/fake.{k:04}.obj"))).unwrap();
        let surface = fake().surface();
        assert_eq!((&mesh.positions, mesh.triangles, mesh.uv), (x, surface.triangles, Some(surface.uv)));
    }
    assert_eq!(fs::read_dir(path.join("obj")).unwrap().count(), 3);
}

#[test]
fn a_run_can_be_exported_while_it_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fake");
    run(create(&path), fake(), 5, 2).unwrap();
    let _working = crate::run::RunFolder::open(&path).unwrap();
    // a frame in progress
    let mut positions = fs::read(path.join(names::POSITIONS)).unwrap();
    positions.extend_from_slice(&[0; 200]);
    fs::write(path.join(names::POSITIONS), positions).unwrap();
    for format in Format::ALL {
        assert_eq!(exported(&path, format, false).unwrap().frames, 3);
    }
}

#[test]
fn existing_exports_are_replaced_only_when_asked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fake");
    run(create(&path), fake(), 2, u64::MAX).unwrap();
    for format in Format::ALL {
        let first = exported(&path, format, false).unwrap();
        assert!(matches!(exported(&path, format, false), Err(ExportError::Exists { .. })));
        assert_eq!(exported(&path, format, true).unwrap(), first);
    }
    for format in Format::ALL.into_iter().filter(|format| format.is_folder()) {
        let notes = path.join(format.name()).join("notes.txt");
        fs::write(&notes, "mine").unwrap();
        assert!(matches!(exported(&path, format, true), Err(ExportError::NotReplaceable { .. })));
        assert!(notes.exists());
    }
    // a file is not a folder and a folder is not a file
    fs::write(folder.path().join("file"), "mine").unwrap();
    let out = |format, name: &str| {
        export(&RunView::open(&path).unwrap(), format, Some(&folder.path().join(name)), true, &mut go)
    };
    assert!(matches!(out(Format::Ply, "file"), Err(ExportError::NotReplaceable { .. })));
    fs::create_dir(folder.path().join("folder.usda")).unwrap();
    assert!(matches!(out(Format::Usd, "folder.usda"), Err(ExportError::NotReplaceable { .. })));
    // a wrong ending is refused, and the error suggests a right one
    for (format, name, right) in [
        (Format::Usd, "fake", "fake.usda"),
        (Format::Usd, "q.usdc", "q.usda"),
        (Format::Npz, "q.v2", "q.v2.npz"),
        (Format::Obj, "q.glb", "q"),
        (Format::Obj, "q.obj", "q"),
        (Format::Pc2, "q.pc2", "q"),
    ] {
        let error = out(format, name).unwrap_err();
        assert!(matches!(&error, ExportError::Ending { right: path, .. } if path.ends_with(right)), "{name}: {error}");
    }
    assert!(path.join("obj/fake.0000.obj").exists());
    let elsewhere = folder.path().join("new/place.npz");
    export(&RunView::open(&path).unwrap(), Format::Npz, Some(&elsewhere), false, &mut go).unwrap();
    assert_eq!(fs::read(elsewhere).unwrap(), fs::read(path.join("fake.npz")).unwrap());
}

#[test]
fn an_export_that_does_not_finish_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fake");
    run(create(&path), fake(), 2, u64::MAX).unwrap();
    let view = RunView::open(&path).unwrap();
    let entries = || fs::read_dir(&path).unwrap().count();
    let before = entries();
    for format in Format::ALL {
        for space in (0..).step_by(7) {
            match with_space(space, || exported(&path, format, false)) {
                Err(ExportError::Disk(error)) => assert!(error.is_full()),
                result => {
                    let path = result.unwrap().path;
                    if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }.unwrap();
                    break;
                }
            }
            assert_eq!(entries(), before, "{format}, {space} bytes");
        }
        let mut stop = |done, _| if done == 1 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        assert!(matches!(export(&view, format, None, false, &mut stop), Err(ExportError::Stopped)));
        assert_eq!(entries(), before);
    }
}

#[test]
fn a_finished_run_with_missing_or_damaged_frames_is_not_exported() {
    let folder = tempfile::tempdir().unwrap();
    let (path, broken) = (folder.path().join("fake"), folder.path().join("broken"));
    run(create(&path), fake(), 2, u64::MAX).unwrap();
    copy(&path, &broken);
    let positions = fs::read(path.join(names::POSITIONS)).unwrap();
    fs::write(broken.join(names::POSITIONS), &positions[..positions.len() - 1]).unwrap();
    let error = exported(&broken, Format::Npz, false).unwrap_err();
    assert!(matches!(error, ExportError::FramesMissing { found: 1, expected: 2, .. }), "{error}");
    let mut changed = positions.clone();
    changed[positions.len() - 10] ^= 1;
    fs::write(broken.join(names::POSITIONS), &changed).unwrap();
    let error = exported(&broken, Format::Npz, false).unwrap_err();
    assert!(matches!(error, ExportError::Cache(CacheError::Damaged { .. })), "{error}");
    // without the header no frame can be read, and the help must not promise that
    let mut changed = positions.clone();
    changed[20] ^= 1;
    fs::write(broken.join(names::POSITIONS), &changed).unwrap();
    let error = exported(&broken, Format::Npz, false).unwrap_err();
    assert!(error.to_string().contains("the beginning of") && error.help().contains("from a copy"), "{error}");
    assert!(!error.help().contains("export"), "{}", error.help());
    assert!(!broken.join("broken.npz").exists());
}

#[test]
fn formats_are_known_by_name() {
    for format in Format::ALL {
        assert_eq!(format.name().parse(), Ok(format));
        assert!(!format.describe().is_empty());
    }
    assert_eq!("USDA".parse(), Ok(Format::Usd));
    assert_eq!("gltf".parse(), Ok(Format::Glb));
    let text = |name: &str| name.parse::<Format>().unwrap_err().to_string();
    assert_eq!(text("ubj"), "`ubj` is not a format: did you mean `obj`?");
    let names = Format::ALL.map(|format| format.name()).join(", ");
    assert_eq!(text("alembic"), format!("`alembic` is not a format: there are {names}"));
}
