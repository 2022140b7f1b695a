//! Point caches: only the positions of all vertices in all frames. The mesh is in an OBJ file beside them.
//!
//! | format | numbers | header |
//! |---|---|---|
//! | PC2 | little-endian | `POINTCACHE2\0`; i32 version 1, points; f32 first frame, frames a sample; i32 samples |
//! | MDD | big-endian | i32 frames, i32 points, f32 time of each frame in s |
//!
//! Both continue with three f32 for each point of each frame.

use crate::bytes::TakeBytes;
use crate::format::{BodiesIn, CacheWriter, FormatInfo, Reader, Writer};
use crate::problem::{Collector, Problems};
use crate::wrong::{FARTHEST, Wrong};
use taffeta::Vec3;

pub(crate) const PC2: FormatInfo = FormatInfo {
    name: "pc2",
    aliases: &[],
    line: "a PC2 point cache and an OBJ file for each cloth",
    written: &["pc2"],
    read: &["pc2"],
    reader: Reader::Points { points: Points::parse_pc2, timed: false },
    writer: Writer::Caches(CacheWriter {
        front: |points, times, rate| pc2_front(points, times.len() as u32, rate),
        number: f32::to_le_bytes,
    }),
    most_frames: u64::MAX,
    even: true,
    bodies: BodiesIn::Vertices,
};

pub(crate) const MDD: FormatInfo = FormatInfo {
    name: "mdd",
    line: "an MDD point cache and an OBJ file for each cloth",
    written: &["mdd"],
    read: &["mdd"],
    reader: Reader::Points { points: |bytes, _| Points::parse_mdd(bytes), timed: true },
    writer: Writer::Caches(CacheWriter {
        front: |points, times, _| mdd_front(points, times),
        number: f32::to_be_bytes,
    }),
    even: false,
    ..PC2
};

/// Positions of the same points at several times.
#[derive(Clone, Debug, PartialEq)]
pub struct Points {
    /// Number of points in each frame.
    pub points: usize,
    /// Times, s, ascending.
    pub times: Vec<f64>,
    /// Positions, frame after frame.
    pub positions: Vec<[f32; 3]>,
    /// Whether the file has times instead of frames.
    pub timed: bool,
}

impl Points {
    /// Reads PC2. `fps` converts its frames to seconds.
    pub fn parse_pc2(bytes: &[u8], fps: f64) -> Result<Self, Problems> {
        let mut rest = TakeBytes(bytes);
        if rest.take(12) != Some(b"POINTCACHE2\0") {
            return Collector::one(0, Wrong::NotThis { format: "PC2" });
        }
        let mut word = || rest.u32();
        let (Some(version), Some(points), Some(start), Some(rate), Some(samples)) =
            (word(), word(), word(), word(), word())
        else {
            return cut_off("the header", 32, bytes.len());
        };
        if version != 1 {
            return Collector::one(12, Wrong::Header { what: format!("version {version} is not read: version 1 is") });
        }
        let (start, rate) = (f64::from(f32::from_bits(start)), f64::from(f32::from_bits(rate)));
        if !start.is_finite() || start.abs() > FARTHEST || !(1e-9..=1e9).contains(&rate) {
            let what = format!("samples from frame {start} on, one in {rate} frames, make no sense");
            return Collector::one(20, Wrong::Header { what });
        }
        let (frames, points) = counts(samples, points, 12, 32, rest.0.len())?;
        let times = (0..frames).map(|k| (start + k as f64 * rate) / fps).collect();
        Self { points, times, positions: Vec::new(), timed: false }.fill(rest.0, 32, f32::from_le_bytes)
    }

    /// Reads MDD.
    pub fn parse_mdd(bytes: &[u8]) -> Result<Self, Problems> {
        let mut rest = TakeBytes(bytes);
        let (Some(frames), Some(points)) = (rest.u32(), rest.u32()) else {
            return cut_off("the header", 8, bytes.len());
        };
        let (frames, points) = (frames.swap_bytes(), points.swap_bytes());
        let (frames, points) = counts(frames, points, 12, 8, rest.0.len())?;
        let Some(front) = rest.take(4 * frames) else { return cut_off("the times", 4 * frames as u64, rest.0.len()) };
        let times: Vec<f64> = front.as_chunks().0.iter().map(|b| f64::from(f32::from_be_bytes(*b))).collect();
        if let Some(k) = times.iter().position(|t| !t.is_finite()) {
            return Collector::one(8 + 4 * k, Wrong::NotFinite { text: times[k].to_string() });
        }
        if let Some(k) = times.windows(2).position(|pair| pair[1] <= pair[0]) {
            let wrong = Wrong::TimeNotRising { time: times[k + 1], previous: times[k] };
            return Collector::one(12 + 4 * k, wrong);
        }
        Self { points, times, positions: Vec::new(), timed: true }.fill(rest.0, 8 + 4 * frames, f32::from_be_bytes)
    }

    /// Reads the positions, which begin at byte `at`.
    fn fill(mut self, bytes: &[u8], at: usize, float: impl Fn([u8; 4]) -> f32) -> Result<Self, Problems> {
        // both counts were checked against the length of the file
        let needed = 12 * self.points * self.times.len();
        let Some(bytes) = bytes.get(..needed) else { return cut_off("the positions", needed as u64, bytes.len()) };
        let mut problems = Collector::default();
        self.positions.reserve_exact(needed / 12);
        for (i, chunk) in bytes.as_chunks::<12>().0.iter().enumerate() {
            let b = chunk.as_chunks::<4>().0;
            let p = [float(b[0]), float(b[1]), float(b[2])];
            if let Some(value) = p.iter().find(|value| value.is_nan() || f64::from(value.abs()) > FARTHEST) {
                let text = value.to_string();
                let wrong = if value.is_finite() { Wrong::TooFar { text } } else { Wrong::NotFinite { text } };
                let (frame, point) = (i / self.points, (i % self.points) as u64);
                let wrong = Wrong::In { of: "vertex", number: point, wrong: Box::new(wrong) };
                let wrong = Wrong::In { of: "frame", number: frame as u64, wrong: Box::new(wrong) };
                problems.add_place((None, at + 12 * i), wrong);
            }
            self.positions.push(p);
        }
        problems.finish(self)
    }

    /// One frame.
    pub fn frame(&self, frame: usize) -> impl Iterator<Item = Vec3> {
        let rows = &self.positions[frame * self.points..(frame + 1) * self.points];
        rows.iter().map(|p| Vec3::from_array(p.map(f64::from)))
    }
}

/// Numbers of frames and points, checked against the bytes available.
fn counts(frames: u32, points: u32, point: u64, at: usize, found: usize) -> Result<(usize, usize), Problems> {
    let needed = u128::from(frames) * u128::from(points) * u128::from(point);
    if needed > found as u128 {
        let what = format!("{frames} frames of {points} points");
        let needed = u64::try_from(needed).unwrap_or(u64::MAX);
        return Collector::one(at, Wrong::CutOff { what, needed, found: found as u64 });
    }
    if frames == 0 || points == 0 {
        return Collector::one(at, Wrong::Header { what: format!("there are {frames} frames of {points} points") });
    }
    Ok((frames as usize, points as usize))
}

fn cut_off<T>(what: &str, needed: u64, found: usize) -> Result<T, Problems> {
    Collector::one(0, Wrong::CutOff { what: what.into(), needed, found: found as u64 })
}

/// The header of a PC2 file whose samples are whole frames.
fn pc2_front(points: u32, samples: u32, rate: f32) -> Vec<u8> {
    let mut front = b"POINTCACHE2\0".to_vec();
    front.extend_from_slice(&1i32.to_le_bytes());
    front.extend_from_slice(&points.to_le_bytes());
    front.extend_from_slice(&0f32.to_le_bytes());
    front.extend_from_slice(&rate.to_le_bytes());
    front.extend_from_slice(&samples.to_le_bytes());
    front
}

/// The header of an MDD file.
fn mdd_front(points: u32, times: &[f64]) -> Vec<u8> {
    let mut front = (times.len() as u32).to_be_bytes().to_vec();
    front.extend_from_slice(&points.to_be_bytes());
    times.iter().for_each(|&time| front.extend_from_slice(&(time as f32).to_be_bytes()));
    front
}
