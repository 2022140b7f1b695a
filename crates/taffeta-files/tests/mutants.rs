//! Damaged files: 20,000 for each reader, always the same ones. No reader panics, hangs or fills the memory.

mod common;

use common::{Random, puppet};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use taffeta_files::mesh::{FileMesh, ReadOptions};
use taffeta_files::points::Points;
use taffeta_files::{csv, gltf, mesh, obj, ply};

const COUNT: usize = 20_000;
/// The files have some hundred bytes; a million numbers are allowed to any glTF file.
const MOST_MEMORY: usize = 16 << 20;

/// Remembers the largest block that was asked for.
struct Largest;

static LARGEST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: everything is left to the system
unsafe impl GlobalAlloc for Largest {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LARGEST.fetch_max(layout.size(), Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        LARGEST.fetch_max(layout.size(), Ordering::Relaxed);
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        LARGEST.fetch_max(size, Ordering::Relaxed);
        unsafe { System.realloc(block, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Largest = Largest;

/// Damages a file in one to four places.
fn mutant(seed: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    let words: [&[u8]; 12] = [
        b"-1",
        b"0",
        b"1e999",
        b"nan",
        b"4294967295",
        b"18446744073709551615",
        b"null",
        b"[]",
        b"\\\n",
        b"\"",
        b"999999",
        b"0.5",
    ];
    // half of them in one place only, which goes deeper
    for _ in 0..1 + random.below(2) * random.below(4) {
        let at = random.below(bytes.len() + 1);
        let end = (at + 1 + random.below(8)).min(bytes.len());
        match random.below(8) {
            0 => bytes.truncate(at),
            1 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            2 if at < bytes.len() => bytes[at] = random.below(256) as u8,
            3 => drop(bytes.drain(at.min(end)..end)),
            4 => {
                let piece = bytes[at.min(end)..end].to_vec();
                let to = random.below(bytes.len() + 1);
                bytes.splice(to..to, piece);
            }
            5 => drop(bytes.splice(at.min(end)..end, words[random.below(words.len())].iter().copied())),
            6 if at + 4 <= bytes.len() => {
                let value = [0, 1, u32::MAX, 1 << 31, 1 << 24, 0x7f80_0000, 0x7fc0_0000][random.below(7)];
                bytes[at..at + 4].copy_from_slice(&u32::to_le_bytes(value));
            }
            // a number of a text by another
            _ => {
                let digits: Vec<usize> = (0..bytes.len()).filter(|&i| bytes[i].is_ascii_digit()).collect();
                if let Some(&i) = digits.get(random.below(digits.len())) {
                    let word = words[random.below(words.len())];
                    bytes.splice(i..i + 1, word.iter().copied());
                }
            }
        }
    }
    bytes
}

/// Reads damaged files and tells how many passed as whole.
fn try_all(name: &str, seeds: &[Vec<u8>], mut read: impl FnMut(&[u8]) -> bool) {
    let mut random = Random(1);
    seeds.iter().for_each(|seed| assert!(read(seed), "{name}: the whole file"));
    let (begin, mut passed, mut slowest) = (Instant::now(), 0, Duration::ZERO);
    LARGEST.store(0, Ordering::Relaxed);
    for i in 0..COUNT {
        let bytes = mutant(&seeds[i % seeds.len()], &mut random);
        let start = Instant::now();
        passed += usize::from(read(&bytes));
        slowest = slowest.max(start.elapsed());
    }
    let largest = LARGEST.load(Ordering::Relaxed);
    println!(
        "{name}: {COUNT} files, {passed} readable, {:.1?}, slowest {slowest:.1?}, {largest} bytes at once",
        begin.elapsed()
    );
    assert!(largest < MOST_MEMORY, "{name}: {largest} bytes at once");
    assert!(slowest < Duration::from_secs(5), "{name}: {slowest:?}");
    assert!(passed < COUNT, "{name}: damage was never noticed");
}

/// A mesh that was read can be used.
fn usable(mesh: &FileMesh) -> bool {
    assert!(mesh.triangles.as_flattened().iter().all(|&v| (v as usize) < mesh.positions.len()));
    assert!(mesh.positions.iter().all(|p| p.is_finite()));
    assert!(mesh.uv.as_ref().is_none_or(|uv| uv.len() == mesh.triangles.len()));
    let parts: usize = mesh.parts.iter().map(|part| part.triangles.len()).sum();
    assert_eq!(parts, mesh.triangles.len());
    (0..mesh.parts.len()).for_each(|i| assert!(!mesh.part(i).triangles.is_empty()));
    (0..mesh.triangles.len()).for_each(|t| assert!(mesh.face_of(t) <= t));
    mesh.surface("mesh");
    taffeta::Mesh::new(mesh.positions.clone(), mesh.triangles.clone(), mesh.uv.clone()).ok();
    true
}

const OBJ: &str = "o a\nv 0 0 0\nv 2 0 0\nv 2 2 0\nv 1 0.5 0\nv 0 2 0\nvt 0 0\nvt 1 1\nf 1/1 2/2 3/1 4/2 5/1\ng b\n\
    f -5 -4 -1\nf 1// 3//1 5//\n";

/// One test, so that nothing else allocates meanwhile.
#[test]
fn damaged_files_are_refused_or_read_and_nothing_worse() {
    let weld = ReadOptions { weld: Some(0.5), ..ReadOptions::default() };
    try_all("obj", &[OBJ.into()], |bytes| obj::parse(bytes).is_ok_and(|mesh| usable(&mesh)));
    try_all("obj, welded", &[OBJ.into()], |bytes| {
        mesh::parse(mesh::Format::Obj, bytes, &weld).is_ok_and(|mesh| usable(&mesh))
    });

    let header = |kind: &str| {
        format!(
            "ply\nformat {kind} 1.0\nelement vertex 4\nproperty float x\nproperty double y\nproperty float z\n\
                property short s\nproperty uchar t\nelement face 2\nproperty list uchar int vertex_indices\n\
                property list ushort float texcoord\nend_header\n"
        )
    };
    let text = header("ascii") + "0 0 0 1 2\n1 0 0 3 4\n1 1 0 5 6\n0 1 0 7 8\n4 0 1 2 3 0\n3 0 1 3 6 0 0 1 0 1 1\n";
    let binary = |big: bool| {
        let mut file = header(if big { "binary_big_endian" } else { "binary_little_endian" }).into_bytes();
        let mut put = |b: &[u8]| if big { file.extend(b.iter().rev()) } else { file.extend(b) };
        for i in 0..4 {
            put(&f32::from(i as u8 % 2).to_le_bytes());
            put(&f64::from(i / 2).to_le_bytes());
            put(&0f32.to_le_bytes());
            put(&7i16.to_le_bytes());
            put(&[i as u8]);
        }
        for face in [&[0u32, 1, 3, 2][..], &[0, 1, 2]] {
            put(&[face.len() as u8]);
            face.iter().for_each(|v| put(&v.to_le_bytes()));
            put(&1u16.to_le_bytes());
            put(&0.5f32.to_le_bytes());
        }
        file
    };
    try_all("ply", &[text.into(), binary(false), binary(true)], |bytes| {
        ply::parse(bytes).is_ok_and(|mesh| usable(&mesh))
    });

    let mut nothing = |_: &str| Err(std::io::ErrorKind::NotFound.into());
    let mut scene = |bytes: &[u8]| {
        let Ok(scene) = gltf::parse(bytes, &mut nothing) else { return false };
        let mut x = Vec::new();
        for animation in 0..scene.animations().len() {
            for time in [-1.0, 0.0, 0.3, 1.7, 1e9] {
                scene.sample(Some(animation), time, &mut x);
                assert_eq!(x.len(), scene.mesh().positions.len());
            }
        }
        usable(&scene.mesh())
    };
    let puppet = puppet();
    try_all("glb", &[puppet.glb()], &mut scene);
    try_all("gltf", &[puppet.text(None)], &mut scene);
    // the numbers of the document by others, in a container that is whole
    let json = serde_json::to_vec(&puppet.json).unwrap();
    try_all("glb, document", &[json], |bytes| match serde_json::from_slice::<serde_json::Value>(bytes) {
        Ok(json) if json.is_object() => scene(&common::Gltf { json, data: puppet.data.clone() }.glb()),
        _ => false,
    });

    let mut pc2 = b"POINTCACHE2\0".to_vec();
    pc2.extend([1u32, 3, 0, 1f32.to_bits(), 4].map(u32::to_le_bytes).concat());
    pc2.extend([0.5f32; 36].map(f32::to_le_bytes).concat());
    try_all("pc2", &[pc2], |bytes| Points::parse_pc2(bytes, 24.0).is_ok());
    let mut mdd = [4u32, 3, 0, 1f32.to_bits(), 2f32.to_bits(), 3f32.to_bits()].map(u32::to_be_bytes).concat();
    mdd.extend([0.5f32; 36].map(f32::to_be_bytes).concat());
    try_all("mdd", &[mdd], |bytes| Points::parse_mdd(bytes).is_ok());
    let motion = b"t,x,y,z\n0,0,0,0\n0.5,0,0.1,0\n1.5,1e-3,-7,0\n".to_vec();
    try_all("csv", &[motion], |bytes| csv::parse_motion(bytes).is_ok());
}
