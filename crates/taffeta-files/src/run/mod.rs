//! The folder of a run, and the loop that fills it.
//!
//! | file | what |
//! |---|---|
//! | `scene.toml` | the scene as run |
//! | `files/` | copies of the files that it refers to |
//! | `manifest.json` | hashes of both, number of planned frames; its presence means that the folder is set up |
//! | `positions.bin` | positions of every finished frame: [`crate::cache`] |
//! | `contact.bin` | force of bodies on every vertex in N, formatted as `positions.bin`; absent if nothing can touch |
//! | `frames.jsonl` | one line per frame: [`FrameLine`] |
//! | `frames.crc` | the CRC-32 of each of these lines, line end included; 4 bytes each, little-endian |
//! | `checkpoint.bin` | the state after the last finished frame: [`crate::checkpoint`] |
//! | `report.json` | status and totals: [`Report`] |
//! | `.lock` | locked while a process works in the folder; the system releases it when the process ends in any way |
//!
//! A frame is simulated, measured, appended to `positions.bin` and `contact.bin`, then to `frames.jsonl`, and finally
//! written to the checkpoint. A process killed in between leaves more frames than the checkpoint covers, never fewer:
//! resuming cuts these files back to the checkpoint and loses the frame in progress. A power cut may lose the last
//! seconds: about once a second everything is synced to the disk, then `checkpoint.synced.bin` stores a state whose
//! frames are certainly there.

mod crossings;
mod draper;
mod engine;
mod error;
mod folder;
mod frame_source;
mod line;
mod manifest;
mod report;
mod view;

#[cfg(test)]
pub(crate) mod tests;

pub use draper::Draper;
pub use engine::{Ended, Failure, GRACE, Hooks, Outcome, Plan, Progress, Settings, Within, resume, start};
pub use error::RunError;
pub use folder::{RunFolder, Target};
pub use frame_source::{Collides, FrameSource, timed};
pub use line::{FrameLine, Milliseconds, OverlongLine, TooDeepLine};
pub use manifest::{Attachment, Contents, FileEntry, Kind, Manifest, is_attachment_name};
pub use report::{CROSSINGS, DEPTH, LIMIT, Machine, Maxima, Report, ReportWarning, Status, Totals, Versions};
pub use view::RunView;

/// File names in the folder.
pub mod names {
    #![allow(missing_docs)]
    pub const SCENE: &str = "scene.toml";
    pub const FILES: &str = "files";
    pub const MANIFEST: &str = "manifest.json";
    pub const POSITIONS: &str = "positions.bin";
    pub const CONTACT: &str = "contact.bin";
    pub const FRAMES: &str = "frames.jsonl";
    pub const FRAME_SUMS: &str = "frames.crc";
    pub const CHECKPOINT: &str = "checkpoint.bin";
    pub const CHECKPOINT_SYNCED: &str = "checkpoint.synced.bin";
    pub const REPORT: &str = "report.json";
    pub const LOCK: &str = ".lock";
}
