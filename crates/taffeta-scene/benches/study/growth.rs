//! A whole frame: where its time goes, what a second thread brings, how it grows with the vertices.

use crate::scene::Sheet;
use std::time::Instant;
use taffeta::{State, Times, Workspace, World, advance_frame};

/// Vertices a side: 500 to 100,000 vertices.
pub const SIDES: [u32; 5] = [22, 41, 101, 183, 317];
/// Frames from level that come before those that are measured, and these.
const FRAMES: [u64; 2] = [15, 5];

/// Wall time of frames from a state, s for each, and its split.
fn frames(world: &World, state: &State, threads: usize) -> (f64, Times, State) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    let (mut state, mut work) = (state.clone(), Workspace::new(world));
    let end = state.frame + FRAMES[1];
    let begin = Instant::now();
    pool.install(|| {
        while state.frame < end {
            advance_frame(world, &mut state, &mut work).expect("the sheet falls");
        }
    });
    (begin.elapsed().as_secs_f64() / FRAMES[1] as f64, work.take_times(), state)
}

/// Prints the table of a method.
pub fn growth(name: &str, set: &[&str], stretches: &[u32], sides: &[u32]) {
    println!(
        "\n{name}: frames {0} to {1}, wall ms for each, least of three; share in %",
        FRAMES[0] + 1,
        FRAMES[0] + FRAMES[1]
    );
    println!(
        "{:>8} {:>9} {:>9} {:>8} {:>7} {:>6} {:>10} {:>6} {:>7}",
        "N/m", "vertices", "1 thread", "forces", "solve", "rest", "2 threads", "ratio", "growth"
    );
    for &stretch in stretches {
        let mut all: Vec<(f64, f64)> = Vec::new();
        for &side in sides {
            let world = Sheet { side, stretch }.world(set);
            let (mut state, mut work) = (world.start(), Workspace::new(&world));
            while state.frame < FRAMES[0] {
                advance_frame(&world, &mut state, &mut work).expect("the sheet falls");
            }
            // in turns, so that what disturbs one disturbs both
            let (mut one, mut two, mut split) = (f64::INFINITY, f64::INFINITY, Times::default());
            for _ in 0..3 {
                let (time, times, end) = frames(&world, &state, 1);
                if time < one {
                    (one, split) = (time, times);
                }
                let (time, _, other) = frames(&world, &state, 2);
                two = two.min(time);
                assert!(end == other, "the same bits on any number of threads");
            }
            let share = |part: f64| 100.0 * part / split.total();
            let n = world.mass.len() as f64;
            let exponent = all.last().map(|last| format!("{:.2}", (one / last.1).ln() / (n / last.0).ln()));
            println!(
                "{stretch:>8} {n:>9} {:>9.2} {:>8.1} {:>7.1} {:>6.1} {:>10.2} {:>6.2} {:>7}",
                1e3 * one,
                share(split.forces),
                share(split.solve),
                share(split.total() - split.forces - split.solve),
                1e3 * two,
                one / two,
                exponent.unwrap_or_default()
            );
            all.push((n, one));
        }
        if let [first, .., last] = all[..] {
            let exponent = (last.1 / first.1).ln() / (last.0 / first.0).ln();
            println!("{stretch:>8} from {} to {} vertices: n^{exponent:.2}", first.0, last.0);
        }
    }
}
