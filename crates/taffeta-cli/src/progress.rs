//! Progress of long work: a bar on a terminal, occasional lines elsewhere.

use crate::console::{self, Console};
use crate::words;
use std::io::IsTerminal;
use std::time::{Duration, Instant};
use taffeta_files::run::Within;

/// Shortest time between updates of the bar: faster ones only flicker.
const REDRAW: Duration = Duration::from_millis(100);
/// Shortest time between two plain lines.
const SHORTEST: Duration = Duration::from_secs(2);
/// Progress within a frame is shown only this long after anything else, so that quick frames show none.
const WITHIN: Duration = Duration::from_secs(5);
/// The same for the bar.
const WITHIN_BAR: Duration = Duration::from_secs(1);
/// Longest time without a plain line, even if little was done.
const LONGEST: Duration = Duration::from_secs(30);
/// Characters of the bar; with its numbers it fits in 80 columns.
const WIDTH: usize = 24;

/// Shows the progress of work.
pub struct Progress {
    style: Style,
    begun: Instant,
    shown: Option<Instant>,
    /// Frames when the last plain line was shown.
    shown_at: u64,
    /// Number of frames that existed before.
    first: Option<u64>,
    /// Number of characters drawn, for clearing the line.
    drawn: usize,
}

enum Style {
    Bar,
    Lines,
    /// Plain lines, but only if the work takes long.
    LateLines,
    Nothing,
}

impl Progress {
    /// Progress of a simulation.
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

    /// Progress of an export, which is usually quick.
    pub fn late(console: Console) -> Self {
        let progress = Self::new(console);
        let style = if let Style::Lines = progress.style { Style::LateLines } else { progress.style };
        Self { style, shown: Some(Instant::now()), ..progress }
    }

    /// Shows that `done` frames of `total` are finished.
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

    /// Shows the progress of the current frame, if it takes long.
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

    /// Shows the progress of work that is not counted in frames. `line` is called only when it is shown.
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

    /// Clears the line.
    pub fn end(&mut self) {
        self.draw("");
    }

    /// Overwrites the previous line: carriage return and blanks work on every terminal.
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

/// The current frame as text.
fn inside(now: &Within) -> String {
    let Within { done, total, steps, share } = *now;
    let steps = words::count(steps.into(), "step");
    format!("frame {} of {total}: {steps}, {:.0} % of its time", done + 1, 100.0 * share)
}

/// Rate and remaining time, once they can be estimated.
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
