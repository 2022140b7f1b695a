//! A run of a built-in scene with everything that the tests of the thesis look at.

use taffeta::{Measures, State, StepError, Workspace, World, advance_frame, measure};
use taffeta_scene::{Source, load};

/// A run.
pub struct Run {
    pub world: World,
    pub state: State,
    /// Time and measures of every frame.
    pub course: Vec<(f64, Measures)>,
    /// Why it ended early.
    pub error: Option<StepError>,
}

/// Runs a scene with other values.
pub fn run(scene: &str, overrides: &[&str], seconds: f64) -> Run {
    let overrides: Vec<String> = overrides.iter().map(|s| s.to_string()).collect();
    let source = Source::find(scene).expect("a built-in scene");
    let world = load(&source, &overrides).and_then(|scene| scene.world()).unwrap_or_else(|e| panic!("{e}"));
    let mut state = world.start();
    let mut work = Workspace::new(&world);
    let (mut course, mut error) = (Vec::new(), None);
    while state.time < seconds - 1e-9 && error.is_none() {
        error = advance_frame(&world, &mut state, &mut work).err();
        course.push((state.time, measure(&world, &state)));
    }
    Run { world, state, course, error }
}

impl Run {
    /// Times at which the sheet is lowest, as long as it rises again by `visible` m before the next fall.
    pub fn lows(&self, visible: f64) -> Vec<f64> {
        let (mut lows, mut lowest, mut highest) = (Vec::new(), (0.0, f64::INFINITY), f64::NEG_INFINITY);
        let mut falling = true;
        for &(t, ref m) in &self.course {
            let y = m.com_height;
            if falling {
                if y < lowest.1 {
                    lowest = (t, y);
                }
                if y > lowest.1 + visible {
                    lows.push(lowest.0);
                    (falling, highest) = (false, y);
                }
            } else {
                highest = highest.max(y);
                if y < highest - visible {
                    (falling, lowest) = (true, (t, y));
                }
            }
        }
        lows
    }

    /// First time from which the sheet stays within `near` m of its last height.
    pub fn settled(&self, near: f64) -> f64 {
        let last = self.course[self.course.len() - 1].1.com_height;
        let moving = self.course.iter().rev().find(|(_, m)| (m.com_height - last).abs() > near);
        moving.map_or(0.0, |(t, _)| *t)
    }

    /// What was measured at a time; the last if the run ended before.
    pub fn at(&self, time: f64) -> &Measures {
        let found = self.course.iter().find(|(t, _)| *t >= time - 1e-9).or(self.course.last());
        &found.expect("a run has frames").1
    }

    /// Time and value of the largest in a part of the run.
    pub fn highest(&self, [from, to]: [f64; 2], value: impl Fn(&Measures) -> f64) -> (f64, f64) {
        let part = self.course.iter().filter(|(t, _)| (from..to).contains(t)).map(|(t, m)| (*t, value(m)));
        part.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((f64::NAN, f64::NAN))
    }

    /// Time and value of the smallest in a part of the run.
    pub fn lowest(&self, part: [f64; 2], value: impl Fn(&Measures) -> f64) -> (f64, f64) {
        let (time, negative) = self.highest(part, |m| -value(m));
        (time, -negative)
    }

    /// Largest stretch of any frame.
    pub fn stretch(&self) -> f64 {
        self.highest(ALL, |m| m.max_stretch).1
    }

    /// When it diverged; not a number if it did not.
    pub fn diverged(&self) -> f64 {
        match self.error {
            Some(StepError::Diverged { time, .. }) => time,
            _ => f64::NAN,
        }
    }

    /// How long it went on without an error, s; not a number if it had one.
    pub fn stable(&self) -> f64 {
        if self.error.is_none() { self.state.time } else { f64::NAN }
    }

    /// Mean place along the wind, m.
    pub fn downwind(&self) -> f64 {
        self.state.x.iter().map(|p| p.z).sum::<f64>() / self.state.x.len() as f64
    }

    /// Largest distance from the plane of the start, m.
    pub fn out_of_plane(&self) -> f64 {
        self.state.x.iter().map(|p| p.z.abs()).fold(0.0, f64::max)
    }
}

/// The whole run.
pub const ALL: [f64; 2] = [0.0, f64::INFINITY];
