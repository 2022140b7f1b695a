//! Reading frames.

use super::{CacheError, HEADER, Header, MAGIC, VERSION, record_size};
use crate::bytes::{TakeBytes, checksum};
use crate::disk::Naming;
use crate::{DiskError, Surface};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use taffeta::Vec3;

/// Reads frames in any order, even while the run is in progress. Keeps one frame in memory.
#[derive(Debug)]
pub struct CacheReader {
    file: File,
    path: PathBuf,
    header: Header,
    surface: Surface,
    record: Vec<u8>,
}

impl CacheReader {
    /// Opens a cache and checks the data before the frames.
    pub fn open(path: &Path) -> Result<Self, CacheError> {
        let mut file = File::open(path).naming("open", path)?;
        let damaged = |what: &str| CacheError::Front { path: path.to_path_buf(), what: what.to_string() };
        let length = file.metadata().naming("read", path)?.len();
        let mut front = [0; HEADER];
        match file.read_exact(&mut front) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                return Err(damaged("it ends before its header does"));
            }
            result => result.naming("read", path)?,
        }
        if !front.starts_with(MAGIC) {
            return Err(CacheError::NotACache { path: path.to_path_buf() });
        }
        let found = u32::from_le_bytes([front[8], front[9], front[10], front[11]]);
        if found != VERSION {
            return Err(CacheError::Version { path: path.to_path_buf(), found });
        }
        let header = Header::from_bytes(&front).ok_or_else(|| damaged("the checksum of its header does not fit"))?;

        // the lengths are compared with the file before anything is allocated
        let block = header.first_record.checked_sub(HEADER as u64 + 4).ok_or_else(|| damaged("its header is wrong"))?;
        if header.first_record > length {
            return Err(damaged("it ends before its first frame"));
        }
        let mut bytes = vec![0; block as usize + 4];
        file.read_exact(&mut bytes).naming("read", path)?;
        let (bytes, sum) = bytes.split_at(block as usize);
        if *sum != checksum(bytes).to_le_bytes() {
            return Err(damaged("the checksum of its triangles does not fit"));
        }
        let surface =
            Surface::from_bytes(bytes, header.cloths as usize, header.vertices as usize, header.triangles as usize);
        let surface = surface.ok_or_else(|| damaged("its triangles are wrong"))?;
        Ok(Self { file, path: path.to_path_buf(), header, surface, record: Vec::new() })
    }

    /// The data that stays the same in all frames.
    pub fn surface(&self) -> &Surface {
        &self.surface
    }

    /// Frames per second.
    pub fn fps(&self) -> f64 {
        self.header.fps
    }

    /// Current number of complete records, including the start; a run in progress adds more.
    pub fn frames(&self) -> Result<u64, DiskError> {
        let length = self.file.metadata().naming("read", &self.path)?.len();
        Ok(length.saturating_sub(self.first_record()) / record_size(self.header.vertices))
    }

    /// As [`frames`](Self::frames), without damaged frames at the end: after a power cut the last may be full of zeros.
    pub fn sound_frames(&mut self) -> Result<u64, CacheError> {
        let mut frames = self.frames()?;
        while frames > 0 {
            match self.load(frames - 1) {
                Err(CacheError::Damaged { .. } | CacheError::NoFrame { .. }) => frames -= 1,
                result => {
                    result?;
                    break;
                }
            }
        }
        Ok(frames)
    }

    /// Reads one frame into `x` and returns its time.
    pub fn read(&mut self, frame: u64, x: &mut Vec<Vec3>) -> Result<f64, CacheError> {
        self.load(frame)?;
        // the frame number comes first and was checked
        let mut bytes = TakeBytes(&self.record[8..]);
        let time = bytes.f64();
        let whole = bytes.points(self.surface.rest.len(), x);
        time.filter(|_| whole.is_some()).ok_or_else(|| self.damaged(frame))
    }

    /// Checks every frame from the start to `last`.
    pub fn verify(&mut self, last: u64) -> Result<(), CacheError> {
        let frames = self.frames()?;
        if last >= frames {
            return Err(CacheError::NoFrame { path: self.path.clone(), frame: last, frames });
        }
        (0..=last).try_for_each(|frame| self.load(frame))
    }

    /// Reads the record of a frame and checks it.
    fn load(&mut self, frame: u64) -> Result<(), CacheError> {
        let no_frame = |frames| CacheError::NoFrame { path: self.path.clone(), frame, frames };
        let frames = self.frames()?;
        if frame >= frames {
            return Err(no_frame(frames));
        }
        let size = record_size(self.header.vertices);
        self.record.resize(size as usize, 0);
        self.file.seek(SeekFrom::Start(self.first_record() + frame * size)).naming("read", &self.path)?;
        match self.file.read_exact(&mut self.record) {
            // a resumed run has just truncated the file
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Err(no_frame(frame)),
            result => result.naming("read", &self.path)?,
        }
        let (contents, sum) = self.record.split_at(self.record.len() - 4);
        if *sum != checksum(contents).to_le_bytes() || TakeBytes(contents).u64() != Some(frame) {
            return Err(self.damaged(frame));
        }
        Ok(())
    }

    fn damaged(&self, frame: u64) -> CacheError {
        CacheError::Damaged { path: self.path.clone(), what: format!("the checksum of frame {frame} does not fit") }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn first_record(&self) -> u64 {
        self.header.first_record
    }
}
