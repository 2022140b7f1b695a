//! Steps of a scene with their CPU time, on a chosen number of threads. On one thread the shares of the phases add up
//! to the CPU time.

use cpu_time::ProcessTime;
use taffeta::{State, Times, Workspace, World, step};
use taffeta_scene::{Source, load};

/// The world of a built-in scene with other values.
pub fn world(scene: &str, overrides: &[String]) -> World {
    let source = Source::find(scene).expect("a built-in scene");
    load(&source, overrides).and_then(|scene| scene.world()).expect("built-in scenes are right")
}

/// Counts and times of a number of steps.
#[derive(Clone, Debug, Default)]
pub struct Taken {
    pub frames: u64,
    pub steps: u32,
    pub rejected: u32,
    /// Iterations of the conjugate gradient.
    pub iterations: u64,
    pub rounds: u32,
    /// CPU time of all threads, s.
    pub cpu: f64,
    /// Wall time of the phases, s.
    pub times: Times,
}

impl Taken {
    /// A sum over all steps, divided by their number.
    pub fn each(&self, sum: f64) -> f64 {
        sum / f64::from(self.steps.max(1))
    }

    /// A time as a share of the wall time, %.
    pub fn share(&self, time: f64) -> f64 {
        100.0 * time / self.times.total()
    }

    /// CPU ms a frame.
    pub fn ms_a_frame(&self) -> f64 {
        1e3 * self.cpu / self.frames.max(1) as f64
    }

    /// CPU ms a step.
    pub fn ms_a_step(&self) -> f64 {
        1e3 * self.each(self.cpu)
    }
}

/// Seconds since the first call.
fn seconds() -> f64 {
    static BEGIN: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    BEGIN.get_or_init(std::time::Instant::now).elapsed().as_secs_f64()
}

/// Runs something in a pool of so many threads.
pub fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads").install(work)
}

/// Advances the state while `more` says so; it is told the state and the steps done.
pub fn go(world: &World, state: &mut State, threads: usize, more: impl Fn(&State, u32) -> bool + Sync) -> Taken {
    on_threads(threads, || {
        let mut work = Workspace::new(world);
        work.time_by(seconds);
        let mut taken = Taken::default();
        let (begin, first) = (ProcessTime::now(), state.frame);
        while more(state, taken.steps) {
            let report = step(world, state, &mut work).expect("built-in scenes run");
            taken.steps += 1;
            taken.rejected += report.rejected;
            taken.iterations += report.iterations;
            taken.rounds += report.rounds;
        }
        taken.cpu = begin.elapsed().as_secs_f64();
        taken.frames = state.frame - first;
        taken.times = work.take_times();
        taken
    })
}

/// Exponent p and factor c of the power law y = c xᵖ that fits best: least squares of the logarithms.
pub fn power_law(points: &[[f64; 2]]) -> [f64; 2] {
    let n = points.len() as f64;
    let logs: Vec<[f64; 2]> = points.iter().map(|point| point.map(f64::ln)).collect();
    let mean = [0, 1].map(|i| logs.iter().map(|log| log[i]).sum::<f64>() / n);
    let sum = |f: fn([f64; 2]) -> f64| logs.iter().map(|log| f([log[0] - mean[0], log[1] - mean[1]])).sum::<f64>();
    let exponent = sum(|[x, y]| x * y) / sum(|[x, _]| x * x);
    [exponent, (mean[1] - exponent * mean[0]).exp()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_power_law_is_found() {
        let points: Vec<[f64; 2]> = [500.0, 900.0, 2600.0].map(|x: f64| [x, 3.0 * x.powf(1.5)]).to_vec();
        let [exponent, factor] = power_law(&points);
        assert!((exponent - 1.5).abs() < 1e-12 && (factor - 3.0).abs() < 1e-9);
    }
}
