//! Pulls over-long springs back, one after the other.
//!
//! X. Provot, Graphics Interface 1995; [Vo 2006, Sec. 6.1]; order by Y.-M. Kang, J.-H. Choi, H.-G. Cho and C.-J. Park,
//! Fast and Stable Animation of Cloth with an Approximated Implicit Method, CGI 2000.
//!
//! A spring longer than (1 + limit) rest is shortened to that length. Its ends move in inverse proportion to their
//! masses (half each where these are equal, as in the papers) so that momentum is kept; a held end stays, and the other
//! moves all the way. Inverse dynamics adds displacement/h to the velocities. Springs are visited one after the other,
//! so the order is part of the result and the pass is not parallel.

use super::Limits;
use crate::Vec3;
use crate::linear::filter::FREE;
use crate::setup::{Limiter, Order};
use crate::world::{Limited, World};

/// Buffers of the limiter.
#[derive(Default)]
pub(crate) struct PullBuffers {
    elongation: Vec<f64>,
    order: Vec<u32>,
    buckets: Vec<u32>,
}

/// Elongations are sorted into this many classes.
const BUCKETS: usize = 1024;

impl PullBuffers {
    pub fn new(world: &World, limiter: &Limiter) -> Self {
        if limiter.order == Order::Stored {
            return Self::default();
        }
        let n = world.limited.len();
        Self { elongation: vec![0.0; n], order: vec![0; n], buckets: vec![0; BUCKETS + 1] }
    }
}

/// Shortens over-long springs; returns how many.
pub(crate) fn pull(world: &World, h: f64, limiter: &Limiter, at: &mut Limits, work: &mut PullBuffers) -> u64 {
    let mut shortened = 0;
    for _ in 0..limiter.passes {
        let before = shortened;
        match limiter.order {
            Order::Stored => {
                for spring in &world.limited {
                    shortened += u64::from(at.shorten(world, limiter, spring, h));
                }
            }
            Order::LongestFirst => {
                let over = longest_first(&world.limited, at.x, work);
                for &i in &work.order[..over] {
                    shortened += u64::from(at.shorten(world, limiter, &world.limited[i as usize], h));
                }
            }
        }
        if shortened == before {
            break;
        }
    }
    shortened
}

impl Limits<'_> {
    fn shorten(&mut self, world: &World, limiter: &Limiter, spring: &Limited, h: f64) -> bool {
        let (a, b) = (spring.a as usize, spring.b as usize);
        let d = self.x[b] - self.x[a];
        let squared = d.length_squared();
        if squared <= spring.longest * spring.longest {
            return false;
        }
        let length = squared.sqrt();
        let towards_b = d * ((length - spring.longest) / length);
        // a held end counts as infinitely heavy in its held directions
        let held = [a, b].map(|i| self.boundary.slot[i]);
        let ease = |i: usize, slot: u32| {
            if slot == FREE {
                1.0 / world.mass[i]
            } else {
                let free = self.boundary.held[slot as usize].free * d;
                free.length() / (length * world.mass[i])
            }
        };
        let (ease_a, ease_b) = (ease(a, held[0]), ease(b, held[1]));
        if ease_a + ease_b <= 0.0 {
            return false; // an edge that is held at both ends stays as it is
        }
        let by_a = self.shift(a, held[0], towards_b * (ease_a / (ease_a + ease_b)));
        let by_b = self.shift(b, held[1], -towards_b * (ease_b / (ease_a + ease_b)));
        if limiter.inverse_dynamics {
            self.v[a] += by_a / h;
            self.v[b] += by_b / h;
            // if the momentum does not sum to zero, the rest came from the pins
            let gained = (by_a * world.mass[a] + by_b * world.mass[b]) / h;
            let pins = held.map(|slot| self.boundary.held.get(slot as usize).map(|held| held.pin as usize));
            let share = 1.0 / pins.iter().flatten().count().max(1) as f64;
            pins.into_iter().flatten().for_each(|pin| self.impulse[pin] += gained * share);
        }
        true
    }

    /// Moves particle `i` along its free directions and returns how far.
    fn shift(&mut self, i: usize, slot: u32, by: Vec3) -> Vec3 {
        let by = if slot == FREE { by } else { self.boundary.held[slot as usize].free * by };
        self.x[i] += by;
        by
    }
}

/// Sorts the over-long springs into `work.order`, the most elongated first, and returns how many there are.
fn longest_first(springs: &[Limited], x: &[Vec3], work: &mut PullBuffers) -> usize {
    let (mut least, mut most) = (f64::INFINITY, 0.0f64);
    for (spring, elongation) in springs.iter().zip(&mut work.elongation) {
        *elongation = x[spring.a as usize].distance(x[spring.b as usize]) / spring.longest;
        if *elongation > 1.0 {
            least = least.min(*elongation);
            most = most.max(*elongation);
        }
    }
    let scale = if most > least { (BUCKETS - 1) as f64 / (most - least) } else { 0.0 };
    let bucket = |elongation: f64| BUCKETS - 1 - ((elongation - least) * scale) as usize;
    work.buckets.fill(0);
    for &elongation in work.elongation.iter().filter(|&&e| e > 1.0) {
        work.buckets[bucket(elongation) + 1] += 1;
    }
    for i in 0..BUCKETS {
        work.buckets[i + 1] += work.buckets[i];
    }
    for (i, &elongation) in work.elongation.iter().enumerate().filter(|(_, e)| **e > 1.0) {
        let place = &mut work.buckets[bucket(elongation)];
        work.order[*place as usize] = i as u32;
        *place += 1;
    }
    work.buckets[BUCKETS - 1] as usize
}
