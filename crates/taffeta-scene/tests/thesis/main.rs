//! The tests of Vo's thesis (L. H. D. Vo, Investigations into the Simulation of Cloth, 2006, Sec. 7.1.1), from the built-in scenes, with their
//! outcomes within 20 %.
//!
//! `cargo test --release -p taffeta-scene --test thesis -- --nocapture` prints what docs/thesis.md tells.

mod first;
mod second;

use taffeta::{Measures, State, StepError, Workspace, World, advance_frame, measure};
use taffeta_scene::{Source, load};

/// A run with everything that the tests look at.
pub(crate) struct Run {
    pub(crate) world: World,
    pub(crate) state: State,
    /// Time and measures of every frame.
    pub(crate) course: Vec<(f64, Measures)>,
    /// Why it ended early.
    pub(crate) error: Option<StepError>,
}

pub(crate) fn run(scene: &str, overrides: &[&str], seconds: f64) -> Run {
    let overrides: Vec<String> = overrides.iter().map(|s| s.to_string()).collect();
    let scene = load(&Source::find(scene).unwrap(), &overrides).unwrap_or_else(|e| panic!("{e}"));
    let world = scene.world().unwrap_or_else(|e| panic!("{e}"));
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
    pub(crate) fn lows(&self, visible: f64) -> Vec<f64> {
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
    pub(crate) fn settled(&self, near: f64) -> f64 {
        let last = self.course[self.course.len() - 1].1.com_height;
        let moving = self.course.iter().rev().find(|(_, m)| (m.com_height - last).abs() > near);
        moving.map_or(0.0, |(t, _)| *t)
    }

    pub(crate) fn at(&self, time: f64) -> &Measures {
        &self.course.iter().find(|(t, _)| *t >= time - 1e-9).expect("the run is long enough").1
    }
}

pub(crate) fn near(what: &str, got: f64, thesis: f64) {
    println!("{what}: {got:.1} (thesis {thesis})");
    assert!((got / thesis - 1.0).abs() <= 0.2, "{what}: {got} instead of {thesis}");
}
