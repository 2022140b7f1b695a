//! A run of a method, and what the table says of it.

use crate::quasi_newton::{self, QuasiNewton};
use crate::scene::{FPS, FRAMES, TIMES};
use cpu_time::ProcessTime;
use std::fmt;
use taffeta::{State, Workspace, World, advance_frame, measure};

/// What is measured.
#[derive(Default)]
pub struct Figures {
    pub frames: u64,
    /// Steps, with those that were tried and given up.
    pub steps: u32,
    /// Iterations of the conjugate gradient, or of what a method of the study has.
    pub iterations: u64,
    /// CPU time of all threads, s.
    pub cpu: f64,
    /// Largest of an edge in any frame.
    pub elongation: f64,
    /// Kinetic and gravity at the end of the scene, J, if it was reached.
    pub energy: Option<f64>,
    /// Heights of the centre of mass, m, as far as they were reached.
    pub heights: Vec<f64>,
    /// Why it ended early.
    pub failure: Option<String>,
}

/// How far a row goes.
#[derive(Clone, Copy)]
pub struct Until {
    pub frames: u64,
    /// CPU time after which it ends early, s, but not before half a second of the scene: what must be right.
    pub seconds: f64,
}

impl Until {
    fn goes_on(&self, figures: &Figures) -> bool {
        let slow = figures.cpu > self.seconds && figures.frames >= FPS / 2;
        figures.frames < self.frames && !slow
    }
}

/// Runs some frames, by the library or by a method of the study.
pub fn run(world: &World, own: Option<QuasiNewton>, until: Until) -> Figures {
    let Some(how) = own else {
        let mut work = Workspace::new(world);
        return frames(world, until, |state| {
            let report = advance_frame(world, state, &mut work).map_err(|error| error.to_string())?;
            Ok((report.steps + report.rejected, report.iterations))
        });
    };
    let mut run = quasi_newton::Run::new(world, how);
    frames(world, until, |state| Ok((how.steps, run.frame(state))))
}

/// Runs frames that are advanced somehow, in so many steps and iterations.
fn frames(world: &World, until: Until, mut advance: impl FnMut(&mut State) -> Result<(u32, u64), String>) -> Figures {
    let mut state = world.start();
    let mut figures = Figures::default();
    while until.goes_on(&figures) {
        let begin = ProcessTime::now();
        let (steps, iterations) = match advance(&mut state) {
            Ok(counts) => counts,
            Err(failure) => {
                figures.failure = Some(failure);
                return figures;
            }
        };
        figures.cpu += begin.elapsed().as_secs_f64();
        figures.frames += 1;
        figures.steps += steps;
        figures.iterations += iterations;
        let now = measure(world, &state);
        figures.elongation = figures.elongation.max(now.max_stretch);
        if state.frame == FRAMES {
            figures.energy = Some(now.kinetic + now.gravity);
        }
        if TIMES.iter().any(|t| (t * FPS as f64) as u64 == state.frame) {
            figures.heights.push(now.com_height);
        }
    }
    figures
}

/// The head of the table.
pub fn head() -> String {
    let times = TIMES.map(|t| format!("{:>14}", format!("{t} s"))).concat();
    format!(
        "{:<34} {:>9} {:>6} {:>6} {:>7} {:>8} {:>8} {times}",
        "", "ms/frame", "frames", "steps", "CG", "longest", "energy"
    )
}

impl Figures {
    /// A row of the table.
    pub fn row<'a>(&'a self, name: &'a str, reference: Option<&'a [f64]>) -> impl fmt::Display {
        fmt::from_fn(move |f| self.write(f, name, reference))
    }

    fn write(&self, f: &mut fmt::Formatter, name: &str, reference: Option<&[f64]>) -> fmt::Result {
        let each = |sum: f64| sum / self.frames.max(1) as f64;
        write!(
            f,
            "{name:<34} {:>9.1} {:>6} {:>6.1} {:>7.0} {:>6.2} % {:>8} ",
            1e3 * each(self.cpu),
            self.frames,
            each(f64::from(self.steps)),
            each(self.iterations as f64),
            100.0 * self.elongation,
            self.energy.map_or(String::new(), |energy| format!("{energy:.3}"))
        )?;
        for (i, height) in self.heights.iter().enumerate() {
            let wanted = reference.and_then(|reference| reference.get(i));
            let apart = wanted.map_or(String::new(), |wanted| format!(" {:+.1}", 100.0 * (height - wanted)));
            write!(f, "{:>14}", format!("{height:.3}{apart}"))?;
        }
        match &self.failure {
            Some(failure) => write!(f, " failed in frame {}: {failure}", self.frames + 1),
            None => Ok(()),
        }
    }
}
