//! Caches and checkpoints: what is whole is read, what is not is found out.

use std::fs;
use std::path::Path;
use taffeta::{ClothRange, Contact, Control, Past, State, Vec3};
use taffeta_files::cache::{CacheError, CacheReader, CacheWriter};
use taffeta_files::checkpoint::{self, CheckpointError};
use taffeta_files::{Hash, Surface};

fn surface() -> Surface {
    Surface {
        cloths: vec![ClothRange { name: "sheet".into(), vertices: 0..3, triangles: 0..1 }],
        rest: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
        triangles: vec![[0, 1, 2]],
        uv: vec![[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]],
    }
}

fn frame(k: u64) -> Vec<Vec3> {
    (0..3).map(|i| Vec3::new(k as f64, 1.0 / (1 + i) as f64, -0.0)).collect()
}

fn write(path: &Path, frames: u64) -> CacheWriter {
    let mut writer = CacheWriter::create(path, &surface(), 60.0).unwrap();
    (0..frames).for_each(|k| writer.append(k, k as f64 / 60.0, &frame(k)).unwrap());
    writer
}

#[test]
fn frames_are_read_in_any_order_while_the_run_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("positions.bin");
    let mut writer = write(&path, 2);
    let mut reader = CacheReader::open(&path).unwrap();
    assert_eq!((reader.surface(), reader.fps()), (&surface(), 60.0));
    assert_eq!(reader.frames().unwrap(), 2);
    writer.append(2, 2.0 / 60.0, &frame(2)).unwrap();
    assert_eq!(reader.frames().unwrap(), 3);
    let mut x = Vec::new();
    for k in [2, 0, 1, 1] {
        assert_eq!(reader.read(k, &mut x).unwrap(), k as f64 / 60.0);
        assert_eq!(x, frame(k));
    }
    assert!(matches!(reader.read(3, &mut x), Err(CacheError::NoFrame { frame: 3, frames: 3, .. })));
}

#[test]
fn a_cache_cut_at_any_byte_keeps_its_whole_frames_or_says_what_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("positions.bin");
    drop(write(&path, 3));
    let bytes = fs::read(&path).unwrap();
    let record = 20 + 24 * 3;
    let front = bytes.len() - 3 * record;
    for length in 0..bytes.len() {
        fs::write(&path, &bytes[..length]).unwrap();
        if length < front {
            assert!(matches!(CacheReader::open(&path), Err(CacheError::Front { .. })), "{length}");
            assert!(matches!(CacheWriter::resume(&path, 0), Err(CacheError::Front { .. })), "{length}");
            continue;
        }
        let whole = ((length - front) / record) as u64;
        let mut reader = CacheReader::open(&path).unwrap();
        assert_eq!((reader.frames().unwrap(), reader.sound_frames().unwrap()), (whole, whole), "{length}");
        drop(reader);
        assert!(matches!(CacheWriter::resume(&path, whole), Err(CacheError::NoFrame { .. })), "{length}");
        assert_eq!(fs::read(&path).unwrap(), bytes[..length], "a refused resume changes nothing");
        if whole > 0 {
            let mut writer = CacheWriter::resume(&path, whole - 1).unwrap();
            (whole..3).for_each(|k| writer.append(k, k as f64 / 60.0, &frame(k)).unwrap());
            assert_eq!(fs::read(&path).unwrap(), bytes, "{length}");
        }
    }
}

#[test]
fn resuming_earlier_cuts_off_what_comes_after() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("positions.bin");
    drop(write(&path, 4));
    drop(CacheWriter::resume(&path, 1).unwrap());
    let cut = fs::read(&path).unwrap();
    drop(write(&path, 2));
    assert_eq!(cut, fs::read(&path).unwrap());
}

#[test]
fn every_flipped_byte_of_a_cache_is_detected() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("positions.bin");
    drop(write(&path, 2));
    let bytes = fs::read(&path).unwrap();
    for i in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[i] ^= 0x10;
        fs::write(&path, &changed).unwrap();
        let found = CacheReader::open(&path).and_then(|mut reader| reader.verify(1));
        assert!(found.is_err(), "byte {i}");
        assert!(CacheWriter::resume(&path, 1).is_err(), "byte {i}");
        assert_eq!(fs::read(&path).unwrap(), changed, "a refused resume changes nothing");
    }
}

#[test]
fn positions_that_are_not_finite_are_never_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("positions.bin");
    let mut writer = write(&path, 1);
    let mut x = frame(1);
    x[2].y = f64::NAN;
    assert!(matches!(writer.append(1, 0.1, &x), Err(CacheError::NotFinite { frame: 1, vertex: 2 })));
    writer.append(1, 0.1, &frame(1)).unwrap();
    assert_eq!(CacheReader::open(&path).unwrap().frames().unwrap(), 2);
}

/// A header that lies must not make the reader take memory that the file could never fill.
#[test]
fn a_small_file_cannot_ask_for_much_memory() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("positions.bin");
    drop(write(&path, 1));
    let bytes = fs::read(&path).unwrap();
    for field in [12, 16, 24, 40] {
        let mut changed = bytes.clone();
        changed[field..field + 4].copy_from_slice(&[0xff; 4]);
        let sum = crc32fast::hash(&changed[..52]);
        changed[52..56].copy_from_slice(&sum.to_le_bytes());
        fs::write(&path, &changed).unwrap();
        assert!(matches!(CacheReader::open(&path), Err(CacheError::Front { .. })), "{field}");
    }
}

#[test]
fn a_checkpoint_is_the_state_bit_for_bit_and_any_change_is_detected() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoint.bin");
    let scene = Hash::of(b"scene");
    let v = vec![Vec3::new(-0.0, 1e-300, f64::MIN_POSITIVE / 2.0); 3];
    let state = State {
        frame: 7,
        step: 3,
        elapsed: 0.01,
        time: 0.1 + 0.2,
        control: Control { halvings: 3, doublings: 0, successes: 1, wait: 8 },
        touching: taffeta::Touching {
            most: 1, // a full slot
            list: vec![taffeta::Anchor {
                key: taffeta::ContactKey { kind: taffeta::ContactKind::EdgeEdge, pair: [4, 70_000] },
                slip: Vec3::new(1e-6, -2e-6, 3e-7),
                normal: 0.25,
            }],
        },
        exempt: taffeta::Exempt { most: 2, list: vec![[0, 70_000], [3, 4]], most_inside: 1, inside: vec![[7, 1]] },
        past: Past { h: 1e-3, x: frame(5), v: frame(4) },
        went_over: None,
        x: frame(7),
        v,
        anchors: frame(3),
        holds: vec![true, false],
        contacts: (0..3)
            .map(|vertex| Contact { vertex, body: 1, sticks: vertex == 2, point: Vec3::X, force: Vec3::NEG_Y })
            .collect(),
    };
    checkpoint::write(&path, &state, scene).unwrap();
    let read = checkpoint::read(&path, scene, &state).unwrap();
    assert_eq!(read, state);
    assert!(read.v[0].x.is_sign_negative());
    assert!(matches!(checkpoint::read(&path, Hash::of(b""), &state), Err(CheckpointError::OtherScene { .. })));
    let mut other = state.clone();
    other.x.push(Vec3::ZERO);
    assert!(checkpoint::read(&path, scene, &other).is_err(), "another number of vertices");

    // two slots with the same state: both must be hit before it is lost
    let bytes = fs::read(&path).unwrap();
    let slot = bytes.len() / 2;
    for i in 0..slot {
        fs::write(&path, &bytes[..i]).unwrap();
        assert!(checkpoint::read(&path, scene, &state).is_err(), "cut to {i} bytes");
        let mut changed = bytes.clone();
        changed[i] ^= 1;
        fs::write(&path, &changed).unwrap();
        assert_eq!(checkpoint::read(&path, scene, &state).unwrap(), state, "byte {i}");
        changed[slot + i] ^= 1;
        fs::write(&path, changed).unwrap();
        assert!(checkpoint::read(&path, scene, &state).is_err(), "byte {i} of both slots");
    }
}
