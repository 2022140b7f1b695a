//! Tries a changed scene before it is recommended.

use super::scene::Ready;
use crate::interrupt;
use rayon::ThreadPool;
use std::time::{Duration, Instant};
use taffeta::{Halt, Simulation};
use taffeta_files::fits;

/// How a changed scene went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tried {
    /// It gets past the place where the scene failed.
    Works,
    /// It fails as well, or is no scene.
    Fails,
    /// The time was too short to know, or it goes on with cloth that is stretched far too much.
    Unknown,
}

/// Wall time for one change, and for all.
const EACH: Duration = Duration::from_secs(4);
const ALL: Duration = Duration::from_secs(12);

/// Frames after the failure that have to work as well.
const AFTER: f64 = 3.0;

/// Largest stretch that still counts as cloth: 2 makes an edge three times as long as at rest.
const SENSELESS: f64 = 2.0;

/// Scenes that are tried one after the other.
pub struct Trial<'a> {
    ready: &'a Ready,
    pool: &'a ThreadPool,
    /// When the scene failed, s.
    failed_at: f64,
    ends: Instant,
}

impl<'a> Trial<'a> {
    pub fn new(ready: &'a Ready, pool: &'a ThreadPool, failed_at: f64) -> Self {
        Self { ready, pool, failed_at, ends: Instant::now() + ALL }
    }

    /// Simulates the scene with other values from its start.
    pub fn of(&self, changes: &[String]) -> Tried {
        let ends = self.ends.min(Instant::now() + EACH);
        let over = move || Instant::now() > ends || interrupt::asked();
        if over() {
            return Tried::Unknown;
        }
        self.pool.install(|| {
            let Ok(Ready { world, .. }) = self.ready.changed(changes) else { return Tried::Fails };
            // a second world beside the first
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
