//! Time of a call, and what the memory allows.

use std::hint::black_box;
use std::time::Instant;

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

/// Least seconds of each of some calls, in turns over about four seconds: what disturbs one disturbs all.
pub fn in_turns<const N: usize>(mut calls: [&mut dyn FnMut(); N]) -> [f64; N] {
    let mut least = [f64::INFINITY; N];
    let begin = Instant::now();
    let mut turns = 0;
    while turns < 5 || (begin.elapsed().as_secs_f64() < 4.0 && turns < 10_000) {
        for (least, call) in least.iter_mut().zip(&mut calls) {
            // what the others left in the caches
            call();
            let t = Instant::now();
            call();
            *least = least.min(t.elapsed().as_secs_f64());
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
