//! Tries a changed scene before it is recommended.

use super::scene::Ready;
use crate::interrupt;
use rayon::ThreadPool;
use std::time::{Duration, Instant};
use taffeta::{Halt, Simulation};
use taffeta_files::fits;

/// The result of trying a changed scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tried {
    /// It gets past the time at which the scene failed.
    Works,
    /// It fails as well, or is not a valid scene.
    Fails,
    /// There was not enough time to know, or it continues with cloth that is stretched far too much.
    Unknown,
}

/// Wall time for one change, and for all.
const EACH: Duration = Duration::from_secs(4);
const ALL: Duration = Duration::from_secs(12);

/// Number of frames after the failure that must succeed too.
const AFTER: f64 = 3.0;

/// Largest stretch that is still plausible: 2 makes an edge three times as long as at rest.
const SENSELESS: f64 = 2.0;

/// Tries scenes one after the other.
pub struct Trial<'a> {
    ready: &'a Ready,
    pool: &'a ThreadPool,
    /// The time at which the scene failed, s.
    failed_at: f64,
    ends: Instant,
}

impl<'a> Trial<'a> {
    pub fn new(ready: &'a Ready, pool: &'a ThreadPool, failed_at: f64) -> Self {
        Self { ready, pool, failed_at, ends: Instant::now() + ALL }
    }

    /// Simulates the scene from its start with other values.
    pub fn of(&self, changes: &[String]) -> Tried {
        let ends = self.ends.min(Instant::now() + EACH);
        let over = move || Instant::now() > ends || interrupt::asked();
        if over() {
            return Tried::Unknown;
        }
        self.pool.install(|| {
            let Ok(Ready { world, .. }) = self.ready.changed(changes) else { return Tried::Fails };
            // there must be memory for a second world beside the first
            if fits(world.memory()).is_err() {
                return Tried::Unknown;
            }
            let frames = (self.failed_at * world.fps + AFTER).min(world.fps * world.duration).ceil();
            let mut simulation = Simulation::of(world);
            simulation.stop_when(Halt::when(over));
            while (simulation.state().frame as f64) < frames {
                match simulation.frame_unless(|_| false) {
                    Ok(Some(_)) => {}
                    Ok(None) => return Tried::Unknown,
                    Err(_) => return Tried::Fails,
                }
                if !simulation.positions().iter().chain(simulation.velocities()).all(|value| value.is_finite()) {
                    return Tried::Fails;
                }
            }
            let stretch = simulation.measure().max_stretch;
            if stretch < SENSELESS { Tried::Works } else { Tried::Unknown }
        })
    }
}
