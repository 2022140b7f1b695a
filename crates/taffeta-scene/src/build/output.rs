//! Output besides the frames.

use super::Builder;
use crate::{scene::Output, view::View};
use std::num::NonZeroU64;
use taffeta::Time;
use taffeta_files::export::{Format, FrameRange, Pick};

impl Builder<'_> {
    pub(super) fn output(&mut self, view: &View<'_>, time: &Time) -> Output {
        let mut formats: Vec<Format> = Vec::new();
        for word in view.words("formats") {
            let format = word.parse().expect("the words of the table are formats");
            if !formats.contains(&format) {
                formats.push(format);
            }
        }
        let every = view.has("every").then(|| view.integer("every"));
        let every = every.and_then(|every| NonZeroU64::new(every.unsigned_abs()));
        Output { formats, frames: Pick::new(self.range(view, time), every) }
    }

    /// Checks that the run has frames in this range, before it is simulated in vain.
    fn range(&mut self, view: &View<'_>, time: &Time) -> Option<FrameRange> {
        let path = view.at("frames");
        let text = view.text("frames").filter(|_| self.out.clean(&path))?;
        let last = (time.duration * time.fps).round() as u64;
        match text.parse::<FrameRange>() {
            Err(bad) => self.out.value(&path, bad.to_string(), "such as frames = \"30..60\""),
            Ok(range) if range.within(last, time.fps).is_none() => {
                let message = format!("no frame of the run lies in {range}");
                self.out.value(&path, message, format!("frames are numbered from 0 to {last}"));
            }
            Ok(range) => return Some(range),
        }
        None
    }
}
