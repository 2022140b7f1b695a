//! Time of a call, and what the memory allows.

use cpu_time::ProcessTime;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Least and median seconds of a call, over about a second.
pub fn time(mut f: impl FnMut()) -> (f64, f64) {
    f();
    let begin = Instant::now();
    let mut times = Vec::new();
    while times.len() < 5 || (begin.elapsed().as_secs_f64() < 1.0 && times.len() < 10_000) {
        let t = Instant::now();
        f();
        times.push(t.elapsed().as_secs_f64());
    }
    times.sort_by(f64::total_cmp);
    (times[0], times[times.len() / 2])
}

/// STREAM triad a = b + s c over arrays of this many numbers, bytes per second.
pub fn triad(n: usize) -> f64 {
    let (mut a, b, c) = (vec![0.0f64; n], vec![1.0f64; n], vec![2.0f64; n]);
    let (least, _) = time(|| {
        a.iter_mut().zip(&b).zip(&c).for_each(|((a, b), c)| *a = b + 3.0 * c);
        black_box(&mut a);
    });
    24.0 * n as f64 / least
}

/// Least seconds of a call.
#[derive(Clone, Copy)]
pub struct Least {
    pub wall: f64,
    /// Of all threads: what a busy machine changes least.
    pub cpu: f64,
}

/// Calls something often enough to time it: 1 ms or more.
pub fn batch(mut f: impl FnMut()) -> Least {
    let warm = Instant::now();
    f();
    let times = (1e-3 / warm.elapsed().as_secs_f64()).ceil().clamp(1.0, 1e4) as u32;
    let (wall, cpu) = (Instant::now(), ProcessTime::now());
    (0..times).for_each(|_| f());
    let each = |time: Duration| time.as_secs_f64() / f64::from(times);
    Least { cpu: each(cpu.elapsed()), wall: each(wall.elapsed()) }
}

/// The least of each of some batches, in turns over about four seconds: what disturbs one disturbs all.
pub fn in_turns<const N: usize>(mut batches: [&mut dyn FnMut() -> Least; N]) -> [Least; N] {
    let mut least = [Least { wall: f64::INFINITY, cpu: f64::INFINITY }; N];
    let begin = Instant::now();
    let mut turns = 0;
    while turns < 5 || begin.elapsed().as_secs_f64() < 4.0 {
        for (least, batch) in least.iter_mut().zip(&mut batches) {
            let now = batch();
            *least = Least { wall: least.wall.min(now.wall), cpu: least.cpu.min(now.cpu) };
        }
        turns += 1;
    }
    least
}

/// An array whose sum is reading alone, as a matrix is read.
pub struct Stream(Vec<f64>);

/// Sums that do not wait for each other.
const LANES: usize = 32;

impl Stream {
    /// About as many bytes.
    pub fn new(bytes: usize) -> Self {
        Self(vec![1.0; bytes / 8 / LANES * LANES])
    }

    pub fn bytes(&self) -> usize {
        size_of_val(&self.0[..])
    }

    pub fn sum(&self) {
        let mut sums = [0.0; LANES];
        for chunk in black_box(&self.0).as_chunks::<LANES>().0 {
            sums.iter_mut().zip(chunk).for_each(|(sum, x)| *sum += x);
        }
        black_box(sums);
    }
}
