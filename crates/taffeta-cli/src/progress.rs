//! How far long work is: a bar on a terminal, now and then a line elsewhere.

use crate::console::{self, Console};
use crate::words;
use std::io::IsTerminal;
use std::time::{Duration, Instant};
use taffeta_files::run::Within;

/// A bar that changes more often only flickers.
const REDRAW: Duration = Duration::from_millis(100);
/// Plain lines: at least this long between two.
const SHORTEST: Duration = Duration::from_secs(2);
/// Within a frame: at least this long since anything else was shown, so that quick frames show nothing of it.
const WITHIN: Duration = Duration::from_secs(5);
/// The same for the bar.
const WITHIN_BAR: Duration = Duration::from_secs(1);
/// Plain lines: after this time there is one even if little was done.
const LONGEST: Duration = Duration::from_secs(30);
/// Characters of the bar; with its numbers a line fits 80 columns.
const WIDTH: usize = 24;

/// Shows how far work is.
pub struct Progress {
    style: Style,
    begun: Instant,
    shown: Option<Instant>,
    /// Frames when the last plain line was shown.
    shown_at: u64,
    /// Frames that were there before.
    first: Option<u64>,
    /// Characters of the bar as drawn, to be wiped.
    drawn: usize,
}

enum Style {
    Bar,
    Lines,
    /// Lines, but only if it takes long.
    LateLines,
    Nothing,
}

impl Progress {
    /// For a simulation.
    pub fn new(console: Console) -> Self {
        let style = if console.quiet() {
            Style::Nothing
        } else if std::io::stderr().is_terminal() {
            Style::Bar
        } else {
            Style::Lines
        };
        Self { style, begun: Instant::now(), shown: None, shown_at: 0, first: None, drawn: 0 }
    }

    /// For an export, which is mostly done before anyone wonders.
    pub fn late(console: Console) -> Self {
        let progress = Self::new(console);
        let style = if let Style::Lines = progress.style { Style::LateLines } else { progress.style };
        Self { style, shown: Some(Instant::now()), ..progress }
    }

    /// `done` frames of `total` are finished.
    pub fn update(&mut self, done: u64, total: u64) {
        let since = self.shown.map(|shown| shown.elapsed());
        let begins = self.first.is_none();
        if begins {
            self.begun = Instant::now();
        }
        let simulated = done - *self.first.get_or_insert(done);
        let elapsed = self.begun.elapsed();
        let due = match self.style {
            Style::Nothing => false,
            Style::Bar => since.is_none_or(|since| since >= REDRAW),
            Style::Lines | Style::LateLines => {
                let tenth = (done - self.shown_at.min(done)) * 10 >= total;
                let later = since.is_none_or(|since| since >= LONGEST || since >= SHORTEST && tenth);
                later || matches!(self.style, Style::Lines) && (begins || done == total)
            }
        };
        if !due {
            return;
        }
        (self.shown, self.shown_at) = (Some(Instant::now()), done);
        let pace = pace(simulated, total - done, elapsed);
        match self.style {
            Style::Bar => {
                self.draw(&format!("{} {done}/{total} frames{pace}", bar(done, total)));
            }
            _ => {
                let percent = (100 * done).checked_div(total).unwrap_or(100);
                console::stderr(&format!("frame {done} of {total}, {percent} %{pace}\n"));
            }
        }
    }

    /// How far the frame in work is, if it takes long.
    pub fn within(&mut self, now: &Within) {
        let wait = match self.style {
            Style::Nothing => return,
            Style::Bar => WITHIN_BAR,
            Style::Lines | Style::LateLines => WITHIN,
        };
        if now.steps == 0 || self.shown.is_some_and(|shown| shown.elapsed() < wait) {
            return;
        }
        self.shown = Some(Instant::now());
        match self.style {
            Style::Bar => self.draw(&format!("{} {}", bar(now.done, now.total), inside(now))),
            _ => console::stderr(&format!("{}\n", inside(now))),
        }
    }

    /// How far work is that is not counted in frames. `line` is made only when it is shown.
    pub fn say(&mut self, line: impl FnOnce() -> String) {
        let wait = match self.style {
            Style::Nothing => return,
            Style::Bar => REDRAW,
            Style::Lines | Style::LateLines => SHORTEST,
        };
        if self.shown.is_some_and(|shown| shown.elapsed() < wait) {
            return;
        }
        self.shown = Some(Instant::now());
        match self.style {
            Style::Bar => self.draw(&line()),
            _ => console::stderr(&format!("{}\n", line())),
        }
    }

    /// Leaves a clean line.
    pub fn end(&mut self) {
        self.draw("");
    }

    /// Over the line before: carriage return and blanks work on every terminal.
    fn draw(&mut self, line: &str) {
        if !matches!(self.style, Style::Bar) || line.is_empty() && self.drawn == 0 {
            return;
        }
        let blanks = " ".repeat(self.drawn.saturating_sub(line.len()));
        let back = if line.is_empty() { "\r" } else { "" };
        console::stderr(&format!("\r{line}{blanks}{back}"));
        self.drawn = line.len();
    }
}

fn bar(done: u64, total: u64) -> String {
    let full = (WIDTH as u64 * done).checked_div(total).unwrap_or(WIDTH as u64) as usize;
    format!("[{}{}]", "#".repeat(full), "-".repeat(WIDTH - full))
}

/// A frame in work.
fn inside(now: &Within) -> String {
    let Within { done, total, steps, share } = *now;
    let steps = words::count(steps.into(), "step");
    format!("frame {} of {total}: {steps}, {:.0} % of its time", done + 1, 100.0 * share)
}

/// Rate and time left, once there is something to tell from.
fn pace(simulated: u64, left: u64, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs_f64();
    if simulated == 0 || seconds <= 0.0 {
        return String::new();
    }
    let rate = simulated as f64 / seconds;
    let left = if left > 0 { format!(", {} left", words::wait(left as f64 / rate)) } else { String::new() };
    format!(", {} frames/s{left}", words::number(rate))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_in_work_tells_its_steps_and_share() {
        let now = Within { done: 3, total: 1_000_000, steps: 12_345, share: 0.376 };
        assert_eq!(inside(&now), "frame 4 of 1000000: 12345 steps, 38 % of its time");
        let line = format!("{} {}", bar(now.done, now.total), inside(&now));
        assert!(line.len() <= 80, "{line}");
    }

    #[test]
    fn pace_tells_rate_and_time_left() {
        assert_eq!(pace(20, 80, Duration::from_secs(2)), ", 10 frames/s, 8 s left");
        assert_eq!(pace(100, 0, Duration::from_secs(4)), ", 25 frames/s");
        assert_eq!(pace(0, 100, Duration::from_secs(4)), "");
    }
}
