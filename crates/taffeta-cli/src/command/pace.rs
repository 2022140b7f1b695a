//! Estimates the time of a run from its first steps.

use super::scene::Ready;
use crate::words;
use rayon::ThreadPool;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use taffeta::{Halt, Simulation, SimulationError, StepError};

/// Most time to spend on the measurement. A step that takes longer is abandoned.
const LONGEST: Duration = Duration::from_secs(2);
/// Time and frames after which the estimate is good enough.
const ENOUGH: (Duration, u64) = (Duration::from_millis(300), 3);

/// The estimate from a few steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// Time of the whole run, s; a lower bound if no step has finished.
    pub seconds: f64,
    /// Number of steps measured.
    pub steps: u64,
    /// Simulated time of these steps, s.
    pub simulated: f64,
    pub threads: usize,
}

/// A finished step: its wall time, s, and its simulated time, s.
type Mark = (f64, f64);

/// Runs the first steps of a scene; `None` if it has no steps.
pub fn measure(ready: &Ready, pool: &ThreadPool) -> Result<Option<Pace>, SimulationError> {
    let (world, frames, begin) = (&ready.world, ready.frames(), Instant::now());
    if frames == 0 {
        return Ok(None);
    }
    let mut marks: Vec<Mark> = Vec::new();
    pool.install(|| {
        let mut simulation = Simulation::of(world.clone());
        simulation.stop_when(Halt::when(move || begin.elapsed() > LONGEST));
        let goes_on = |frame: u64| frame < frames.min(ENOUGH.1) || (frame < frames && begin.elapsed() < ENOUGH.0);
        while goes_on(simulation.state().frame) {
            match simulation.step() {
                Err(SimulationError::Step(StepError::Stopped { .. })) => break,
                stepped => stepped?,
            };
            marks.push((begin.elapsed().as_secs_f64(), simulation.time()));
        }
        Ok::<(), SimulationError>(())
    })?;
    let end = frames as f64 / world.fps;
    let threads = pool.current_num_threads();
    Ok(Some(Pace { threads, ..pace(&marks, begin.elapsed().as_secs_f64(), end, ready) }))
}

/// Extrapolates the marks of the first `waited` seconds to the end of the run.
fn pace(marks: &[Mark], waited: f64, end: f64, ready: &Ready) -> Pace {
    let steps = marks.len() as u64;
    let seconds = match marks {
        [] => waited * end / ready.world.h,
        [(seconds, time)] => seconds * (end / time).max(1.0),
        // the first step includes allocations
        [first, .., last] => first.0 + (last.0 - first.0) / (last.1 - first.1) * (end - first.1).max(0.0),
    };
    Pace { seconds, steps, simulated: marks.last().map_or(0.0, |last| last.1), threads: 1 }
}

impl Pace {
    /// One line for people.
    pub fn line(&self, touches: bool) -> String {
        let on = words::count(self.threads as u64, "thread");
        if self.steps == 0 {
            let longer = words::number(LONGEST.as_secs_f64());
            return format!(
                "more than {} on {on}: the first step alone takes more than {longer} s",
                words::wait(self.seconds)
            );
        }
        let total = if self.seconds < 9.5 { format!("{:.1} s", self.seconds) } else { words::wait(self.seconds) };
        let about = if touches { "at least" } else { "about" };
        let later = if touches { "contact that comes later costs more" } else { "wild motion costs more" };
        format!("{about} {total} on {on}, an estimate from the first {} s; {later}", words::number(self.simulated))
    }

    /// The estimate for programs.
    pub fn json(&self) -> Value {
        json!({
            "seconds": self.seconds,
            "is_least": self.steps == 0,
            "measured_steps": self.steps,
            "measured_time": self.simulated,
            "threads": self.threads,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taffeta_scene::Source;

    fn ready() -> Ready {
        Ready::new(&Source::find("hang").unwrap(), &[]).unwrap()
    }

    #[test]
    fn the_first_step_is_not_taken_for_all() {
        let ready = ready();
        let of = |marks: &[Mark]| pace(marks, 2.0, 3.0, &ready).seconds;
        // 1 s for the first step, then 0.1 s for each 0.01 s
        assert!((of(&[(1.0, 0.01), (1.1, 0.02), (1.2, 0.03)]) - (1.0 + 29.9)).abs() < 1e-9);
        assert!((of(&[(0.5, 0.01)]) - 150.0).abs() < 1e-9);
        assert!((of(&[]) - 2.0 * 3.0 / ready.world.h).abs() < 1e-9);
    }
}
