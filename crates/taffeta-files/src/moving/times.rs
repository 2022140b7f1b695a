//! Numbers and times of frames. A file of a few bytes may last for years, so its frames are counted, never listed.

use std::ops::RangeInclusive;

/// The largest frame number: above it, f64 cannot represent every whole number.
pub(crate) const LAST_NUMBER: u64 = 1 << 53;

/// The frames of a moving mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameTimes {
    /// Frames per second.
    pub fps: f64,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    /// Numbers, ascending, and times in s.
    Listed(Vec<(u64, f64)>),
    /// Consecutive frames from a number and a time on.
    Regular { first: u64, begin: f64, count: u64 },
}

impl FrameTimes {
    pub(super) fn listed(fps: f64, list: Vec<(u64, f64)>) -> Self {
        Self { fps, kind: Kind::Listed(list) }
    }

    /// Frames at a fixed rate from the beginning of a motion to its end.
    pub(super) fn regular(begin: f64, end: f64, fps: f64) -> Self {
        // casts from float saturate at the limits of the integer
        let first = ((begin * fps).round().max(0.0) as u64).min(LAST_NUMBER);
        let count = (((end - begin) * fps + 1e-6).floor().max(0.0) as u64).min(LAST_NUMBER) + 1;
        Self { fps, kind: Kind::Regular { first, begin, count } }
    }

    /// Number of frames, at least one.
    pub fn count(&self) -> u64 {
        match &self.kind {
            Kind::Listed(list) => list.len() as u64,
            Kind::Regular { count, .. } => *count,
        }
    }

    /// Number of the first frame.
    pub fn first(&self) -> u64 {
        self.number(0)
    }

    /// Number of the last frame.
    pub fn last(&self) -> u64 {
        self.number(self.count() - 1)
    }

    /// Number of the frame at a place in the list.
    pub(crate) fn number(&self, place: u64) -> u64 {
        match &self.kind {
            Kind::Listed(list) => list.get(place as usize).map_or(0, |(number, _)| *number),
            Kind::Regular { first, .. } => first + place,
        }
    }

    /// Places in the list of the frames whose numbers are in a range.
    pub(crate) fn places(&self, numbers: &RangeInclusive<u64>) -> std::ops::Range<u64> {
        let (from, to) = (*numbers.start(), *numbers.end());
        match &self.kind {
            Kind::Listed(list) => {
                let place = |below: &dyn Fn(u64) -> bool| list.partition_point(|(number, _)| below(*number)) as u64;
                place(&|number| number < from)..place(&|number| number <= to)
            }
            Kind::Regular { first, count, .. } => {
                let place = |number: u64| number.saturating_sub(*first).min(*count);
                place(from)..if to < *first { 0 } else { place(to.saturating_add(1)) }
            }
        }
    }

    /// Time of the frame with a number, s.
    pub fn time(&self, number: u64) -> f64 {
        match &self.kind {
            Kind::Listed(list) => {
                let place = list.partition_point(|(other, _)| *other < number);
                list.get(place).map_or(0.0, |(_, time)| *time)
            }
            Kind::Regular { first, begin, .. } => begin + number.saturating_sub(*first) as f64 / self.fps,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regular_frames_are_as_if_they_were_listed() {
        let regular = FrameTimes::regular(0.5, 2.0, 4.0);
        let list = (2..=8).map(|number| (number, number as f64 / 4.0)).collect();
        let listed = FrameTimes::listed(4.0, list);
        assert_eq!((regular.count(), regular.first(), regular.last()), (7, 2, 8));
        assert_eq!((listed.count(), listed.first(), listed.last()), (7, 2, 8));
        for from in 0..12 {
            assert_eq!(regular.time(from.clamp(2, 8)), listed.time(from.clamp(2, 8)));
            for to in from..12 {
                let [a, b] = [&regular, &listed].map(|times| times.places(&(from..=to)));
                assert!(a == b || a.is_empty() && b.is_empty(), "{from}..={to}: {a:?} {b:?}");
            }
        }
        let endless = FrameTimes::regular(0.0, f64::MAX, 1e4);
        assert_eq!(endless.count(), LAST_NUMBER + 1);
    }
}
