//! A run of a method, and what the table says of it.

use super::quasi_newton::{self, QuasiNewton};
use super::scene::{FPS, FRAMES, TIMES};
use crate::measured::on_threads;
use crate::table::{Cell, Column, Table};
use cpu_time::ProcessTime;
use taffeta::{State, Workspace, World, advance_frame, measure};

/// What is measured.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    pub frames: u64,
    /// Steps, with those that were tried and given up.
    pub steps: u32,
    /// Iterations of the conjugate gradient, or of L-BFGS.
    pub iterations: u64,
    /// CPU time of all threads, s.
    pub cpu: f64,
    /// Largest elongation of an edge in any frame.
    pub elongation: f64,
    /// Kinetic and gravity energy at the end of the scene, J, if that was reached.
    pub energy: Option<f64>,
    /// Heights of the centre of mass, m, as far as they were reached.
    pub heights: Vec<f64>,
    /// Why it ended early.
    pub failure: Option<String>,
}

/// When a row ends.
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

/// Runs some frames on one thread, by the library or by a method of its own.
pub fn run(world: &World, own: Option<QuasiNewton>, until: Until) -> Figures {
    on_threads(1, || run_here(world, own, until))
}

fn run_here(world: &World, own: Option<QuasiNewton>, until: Until) -> Figures {
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

/// Runs frames. `advance` does one, and tells its steps and iterations.
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

impl Figures {
    fn each(&self, sum: f64) -> f64 {
        sum / self.frames.max(1) as f64
    }

    /// CPU ms a frame.
    pub fn ms(&self) -> f64 {
        1e3 * self.each(self.cpu)
    }
}

/// The table of methods, beside heights of a reference. Times and energies that no row reached have no column.
pub fn table(name: &str, title: &str, rows: &[(&'static str, Figures)], reference: &[f64]) -> Table {
    let reached = rows.iter().map(|(_, figures)| figures.heights.len()).max().unwrap_or(0);
    let [ended, failed] = [|figures: &Figures| figures.energy.is_some(), |figures: &Figures| figures.failure.is_some()]
        .map(|is: fn(&Figures) -> bool| rows.iter().any(|(_, figures)| is(figures)));
    let columns =
        [("method", ""), ("time a frame", "ms"), ("frames", ""), ("steps", ""), ("iterations", ""), ("longest", "%")];
    let mut table = Table::new(name, title, &columns);
    let mut column = |name: String, unit| table.columns.push(Column { name, unit });
    TIMES[..reached].iter().for_each(|time| column(format!("off at {time} s"), "cm"));
    if ended {
        column("energy".into(), "J");
    }
    if failed {
        column("failure".into(), "");
    }
    for (name, figures) in rows {
        let mut cells = vec![
            Cell::text(*name),
            Cell::fixed(figures.ms(), 1),
            Cell::count(figures.frames),
            Cell::fixed(figures.each(f64::from(figures.steps)), 1),
            Cell::fixed(figures.each(figures.iterations as f64), 0),
            Cell::fixed(100.0 * figures.elongation, 2),
        ];
        for i in 0..reached {
            let both = figures.heights.get(i).zip(reference.get(i));
            cells.push(both.map_or(Cell::empty(), |(height, wanted)| Cell::fixed(100.0 * (height - wanted), 1)));
        }
        if ended {
            cells.push(figures.energy.map_or(Cell::empty(), |energy| Cell::fixed(energy, 3)));
        }
        if failed {
            let line = |failure: &String| format!("frame {}: {failure}", figures.frames + 1);
            cells.push(figures.failure.as_ref().map(line).map_or(Cell::empty(), Cell::text));
        }
        table.push(cells);
    }
    table
}
