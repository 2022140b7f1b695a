//! Selection of the frames of a run.

use crate::moving::FrameTimes;
use std::fmt;
use std::num::NonZeroU64;
use std::ops::{Range, RangeInclusive};
use std::str::FromStr;

/// Which frames are exported.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Pick {
    /// All frames; in glTF, as many as viewers play well.
    #[default]
    All,
    /// The start and every n-th frame after it.
    Every(NonZeroU64),
    /// The last frame.
    Last,
    /// This frame.
    Only(u64),
    /// The frames of a range: every n-th from its first on, or as with [`Pick::All`].
    Range(FrameRange, Option<NonZeroU64>),
}

impl Pick {
    /// A selection as commands and scenes specify it: a range, and every n-th frame of it.
    pub fn new(range: Option<FrameRange>, every: Option<NonZeroU64>) -> Self {
        match (range, every) {
            (Some(range), every) => Pick::Range(range, every),
            (None, Some(every)) => Pick::Every(every),
            (None, None) => Pick::All,
        }
    }

    /// Numbers of the selected frames of a run with `count` frames; `None` if it has none of them. If no interval is
    /// given, no more than `most` are taken.
    pub(super) fn numbers(self, count: u64, fps: f64, most: u64) -> Option<Vec<u64>> {
        let last = count.checked_sub(1)?;
        let (range, every) = match self {
            Pick::All => (0..=last, None),
            Pick::Every(every) => (0..=last, Some(every)),
            Pick::Last => (last..=last, None),
            Pick::Only(frame) => ((frame <= last).then_some(frame..=frame)?, None),
            Pick::Range(range, every) => (range.within(last, fps)?, every),
        };
        let every = every.map_or_else(|| (range.end() - range.start()).div_ceil(most).max(1), NonZeroU64::get);
        Some(range.step_by(usize::try_from(every).unwrap_or(usize::MAX)).collect())
    }

    /// As [`numbers`](Self::numbers), for the frames of a file, which are counted but not yet listed.
    pub(crate) fn of(self, all: &FrameTimes, most: u64) -> Option<Chosen> {
        let last = all.last();
        let (range, every) = match self {
            Pick::All => (0..=last, None),
            Pick::Every(every) => (0..=last, Some(every)),
            Pick::Last => (last..=last, None),
            Pick::Only(frame) => (frame..=frame, None),
            Pick::Range(range, every) => (range.within(last, all.fps)?, every),
        };
        let places = all.places(&range);
        let count = places.end.saturating_sub(places.start);
        let every = every.map_or_else(|| count.saturating_sub(1).div_ceil(most).max(1), NonZeroU64::get);
        (count > 0).then_some(Chosen { places, every })
    }
}

/// The selected frames of a file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Chosen {
    places: Range<u64>,
    every: u64,
}

impl Chosen {
    /// Number of frames.
    pub fn count(&self) -> u64 {
        (self.places.end - self.places.start).div_ceil(self.every)
    }

    /// Numbers of the frames.
    pub fn numbers(&self, all: &FrameTimes) -> Vec<u64> {
        let step = usize::try_from(self.every).unwrap_or(usize::MAX);
        self.places.clone().step_by(step).map(|place| all.number(place)).collect()
    }
}

/// A part of a run, both ends included: `30..60`, `30..`, `..60`, `30`, or in seconds `0.5s..1.2s`.
///
/// ```
/// use taffeta_files::export::FrameRange;
/// let range: FrameRange = "0.5s..1s".parse()?;
/// assert_eq!(range.within(180, 60.0), Some(30..=60));
/// # Ok::<(), taffeta_files::export::BadRange>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FrameRange {
    /// Where it begins; the start of the run if absent.
    pub from: Option<Moment>,
    /// Where it ends; the last frame if absent.
    pub to: Option<Moment>,
}

/// A frame by its number or its time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Moment {
    /// Counted from 0, the start.
    Frame(u64),
    /// Time, s.
    Time(f64),
}

/// Times of frames are rounded: a time within this fraction of a frame selects it.
const NEARLY: f64 = 1e-6;

impl FrameRange {
    /// Frames of the range in a run whose last frame is `last`; `None` if there are none. Frames beyond the last are
    /// left out.
    pub fn within(&self, last: u64, fps: f64) -> Option<RangeInclusive<u64>> {
        // casts from float saturate at the limits of the integer
        let from = match self.from {
            None => 0,
            Some(Moment::Frame(frame)) => frame,
            Some(Moment::Time(time)) => (time * fps - NEARLY).ceil() as u64,
        };
        let to = match self.to {
            None => last,
            Some(Moment::Frame(frame)) => frame,
            Some(Moment::Time(time)) => (time * fps + NEARLY).floor() as u64,
        };
        let to = to.min(last);
        (from <= to).then_some(from..=to)
    }
}

impl FromStr for FrameRange {
    type Err = BadRange;

    fn from_str(text: &str) -> Result<Self, BadRange> {
        let bad = || BadRange(text.to_string());
        let moment = |text: &str| match text.trim() {
            "" => Ok(None),
            text => moment(text).map(Some).ok_or_else(bad),
        };
        let range = match text.split_once("..") {
            Some((from, to)) => Self { from: moment(from)?, to: moment(to)? },
            None => {
                let only = Some(moment(text)?.ok_or_else(bad)?);
                Self { from: only, to: only }
            }
        };
        let backwards = match (range.from, range.to) {
            (Some(Moment::Frame(from)), Some(Moment::Frame(to))) => from > to,
            (Some(Moment::Time(from)), Some(Moment::Time(to))) => from > to,
            _ => false,
        };
        if backwards { Err(bad()) } else { Ok(range) }
    }
}

fn moment(text: &str) -> Option<Moment> {
    let Some(seconds) = text.strip_suffix('s') else { return text.parse().ok().map(Moment::Frame) };
    let time: f64 = seconds.trim().parse().ok()?;
    (time.is_finite() && time >= 0.0).then_some(Moment::Time(time))
}

impl fmt::Display for FrameRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |moment: Option<Moment>| match moment {
            None => String::new(),
            Some(Moment::Frame(frame)) => frame.to_string(),
            Some(Moment::Time(time)) => format!("{time}s"),
        };
        write!(f, "{}..{}", text(self.from), text(self.to))
    }
}

/// A text that is not a range of frames.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no range of frames: write it as 30..60, 30.. or 0.5s..1.2s, both ends included")]
pub struct BadRange(String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_hold_both_their_ends_and_no_more_than_there_is() {
        for (text, expected) in [
            ("30..60", Some(30..=60)),
            (" 30 .. 60 ", Some(30..=60)),
            ("30..", Some(30..=180)),
            ("..60", Some(0..=60)),
            ("..", Some(0..=180)),
            ("7", Some(7..=7)),
            ("0.5s..1.2s", Some(30..=72)),
            ("0.501s..0.999s", Some(31..=59)),
            ("0.1s..0.7s", Some(6..=42)), // 0.7 * 60 is below 42
            ("2.5s..", Some(150..=180)),
            ("170..1e9s", Some(170..=180)),
            ("100..900", Some(100..=180)),
            ("181..900", None),
            ("0.5s", Some(30..=30)),
            ("0.51s", None), // between two frames
            ("4s..", None),
            ("100..1s", None),
        ] {
            let range: FrameRange = text.parse().unwrap();
            assert_eq!(range.within(180, 60.0), expected, "{text}");
            let again: FrameRange = range.to_string().parse().unwrap();
            assert_eq!(again, range, "{text} as {range}");
        }
        for text in ["", "a", "3-5", "5..3", "1s..0.5s", "-1..4", "1.5..4", "nans..", "infs", "..-1s", "1..2..3", "s"] {
            assert!(text.parse::<FrameRange>().is_err(), "{text}");
        }
    }

    #[test]
    fn every_so_many_count_from_the_first_of_a_range() {
        let three = NonZeroU64::new(3);
        let range = Some("2..9".parse().unwrap());
        let numbers = |pick: Pick| pick.numbers(8, 25.0, 256);
        assert_eq!(numbers(Pick::new(range, three)), Some(vec![2, 5]));
        assert_eq!(numbers(Pick::new(range, None)), Some(vec![2, 3, 4, 5, 6, 7]));
        assert_eq!(numbers(Pick::new(None, three)), Some(vec![0, 3, 6]));
        assert_eq!(numbers(Pick::new(None, None)).map(|list| list.len()), Some(8));
        assert_eq!(numbers(Pick::Last), Some(vec![7]));
        assert_eq!(numbers(Pick::Only(8)), None);
        assert_eq!(Pick::All.numbers(0, 25.0, 256), None);
        // at most two steps in what is not asked for by number
        assert_eq!(Pick::new(range, None).numbers(8, 25.0, 2), Some(vec![2, 5]));
        assert_eq!(Pick::All.numbers(601, 25.0, 256).map(|list| list.len()), Some(201));
    }
}
