//! `checkpoint.bin`: exactly the [`State`] after the last finished frame, replaced in one go.
//!
//! Little-endian: 8 bytes `TAFFCHK` and 0x1A; u32 version (1); u32 finished steps of the frame in work; u64 finished
//! frames; f64 time (s); 16 bytes hash of the scene; u64 vertices; positions (m), then velocities (m/s), three f64 a
//! vertex; u64 anchors; anchors (m), three f64 each; u32 CRC-32 of everything before.

use crate::DiskError;
use crate::bytes::{PutBytes, TakeBytes, checksum};
use crate::disk::{self, Durable, Naming};
use crate::hash::Hash;
use std::path::{Path, PathBuf};
use taffeta::State;

/// Version of the format that is written, and the only one that is read.
pub const VERSION: u32 = 1;

const MAGIC: &[u8; 8] = b"TAFFCHK\x1a";

/// Why a checkpoint cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The system refused.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// Some other file.
    #[error("{} is not a checkpoint", path.display())]
    NotACheckpoint {
        /// The file.
        path: PathBuf,
    },
    /// Written by another version of this program.
    #[error("{} has version {found} of the format, and this program reads version {VERSION}", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
    /// A part is cut off or changed.
    #[error("{} is damaged: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What does not fit.
        what: &'static str,
    },
    /// Of another scene.
    #[error("{} belongs to another scene", path.display())]
    OtherScene {
        /// The file.
        path: PathBuf,
    },
}

/// Writes checkpoints; keeps its buffer.
#[derive(Debug, Default)]
pub(crate) struct CheckpointWriter {
    bytes: Vec<u8>,
}

impl CheckpointWriter {
    pub fn write(&mut self, path: &Path, state: &State, scene: Hash, durable: Durable) -> Result<(), DiskError> {
        // named one by one: a new field of the state does not compile until it is saved
        let State { frame, step, time, x, v, anchors } = state;
        let bytes = &mut self.bytes;
        bytes.clear();
        bytes.extend_from_slice(MAGIC);
        bytes.put_u32(VERSION);
        bytes.put_u32(*step);
        bytes.put_u64(*frame);
        bytes.put_f64(*time);
        bytes.extend_from_slice(&scene.0.to_le_bytes());
        bytes.put_u64(x.len() as u64);
        bytes.put_points(x);
        bytes.put_points(v);
        bytes.put_u64(anchors.len() as u64);
        bytes.put_points(anchors);
        bytes.put_u32(checksum(bytes));
        disk::replace(path, bytes, durable)
    }
}

/// Writes a checkpoint that survives a power cut.
pub fn write(path: &Path, state: &State, scene: Hash) -> Result<(), DiskError> {
    CheckpointWriter::default().write(path, state, scene, Durable::Yes)
}

/// Reads a checkpoint of the scene and checks all of it.
pub fn read(path: &Path, scene: Hash) -> Result<State, CheckpointError> {
    let damaged = |what| CheckpointError::Damaged { path: path.to_path_buf(), what };
    let bytes = std::fs::read(path).naming("read", path)?;
    let mut rest = TakeBytes(&bytes);
    match rest.take(8) {
        Some(magic) if magic == MAGIC => {}
        Some(_) => return Err(CheckpointError::NotACheckpoint { path: path.to_path_buf() }),
        None => return Err(damaged("it is cut off")),
    }
    let found = rest.u32().ok_or_else(|| damaged("it is cut off"))?;
    if found != VERSION {
        return Err(CheckpointError::Version { path: path.to_path_buf(), found });
    }
    let (contents, sum) = bytes.split_at(bytes.len() - 4);
    if *sum != checksum(contents).to_le_bytes() {
        return Err(damaged("its checksum does not fit"));
    }
    let parse = || {
        let step = rest.u32()?;
        let frame = rest.u64()?;
        let time = rest.f64()?;
        let hash: [u8; 16] = rest.take(16)?.try_into().ok()?;
        let vertices = usize::try_from(rest.u64()?).ok()?;
        let (mut x, mut v) = (Vec::new(), Vec::new());
        rest.points(vertices, &mut x)?;
        rest.points(vertices, &mut v)?;
        let held = usize::try_from(rest.u64()?).ok()?;
        let mut anchors = Vec::new();
        rest.points(held, &mut anchors)?;
        (rest.0.len() == 4).then_some((Hash(u128::from_le_bytes(hash)), State { frame, step, time, x, v, anchors }))
    };
    let (hash, state) = { parse }().ok_or_else(|| damaged("its length does not fit"))?;
    if hash != scene {
        return Err(CheckpointError::OtherScene { path: path.to_path_buf() });
    }
    if !state.x.iter().chain(&state.v).chain(&state.anchors).all(|p| p.is_finite()) || !state.time.is_finite() {
        return Err(damaged("it holds values that are not finite"));
    }
    Ok(state)
}
