//! A whole frame: where its time goes, what a second thread brings, how it grows with the vertices.

use crate::scene::Sheet;
use cpu_time::ProcessTime;
use std::time::Instant;
use taffeta::{State, Times, Workspace, World, advance_frame};

/// Vertices a side: 500 to 100,000 vertices.
pub const SIDES: [u32; 5] = [22, 41, 101, 183, 317];
/// Frames from level that come before those that are measured, and these.
const FRAMES: [u64; 2] = [10, 3];

/// Frames from a state.
struct Taken {
    /// s for each.
    wall: f64,
    cpu: f64,
    split: Times,
    end: State,
}

fn frames(world: &World, state: &State, threads: usize) -> Taken {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    let (mut state, mut work) = (state.clone(), Workspace::new(world));
    let end = state.frame + FRAMES[1];
    let (begin, cpu) = (Instant::now(), ProcessTime::now());
    pool.install(|| {
        while state.frame < end {
            advance_frame(world, &mut state, &mut work).expect("the sheet falls");
        }
    });
    let [wall, cpu] = [begin.elapsed(), cpu.elapsed()].map(|time| time.as_secs_f64() / FRAMES[1] as f64);
    Taken { wall, cpu, split: work.take_times(), end: state }
}

/// Prints the table of a method.
pub fn growth(name: &str, set: &[&str], stretches: &[u32], sides: &[u32]) {
    println!(
        "\n{name}: frames {0} to {1}, CPU ms of one thread for each and its split in %; how much faster with two; least of three",
        FRAMES[0] + 1,
        FRAMES[0] + FRAMES[1]
    );
    println!(
        "{:>8} {:>9} {:>9} {:>8} {:>7} {:>6} {:>10} {:>7}",
        "N/m", "vertices", "ms", "forces", "solve", "rest", "2 threads", "growth"
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
            let turns = [(); 3].map(|()| [1, 2].map(|threads| frames(&world, &state, threads)));
            assert!(turns.iter().flatten().all(|taken| taken.end == turns[0][0].end), "the same bits on all threads");
            let wall = |threads: usize| turns.iter().map(|turn| turn[threads - 1].wall).fold(f64::INFINITY, f64::min);
            let ratio = wall(1) / wall(2);
            let best = turns.iter().map(|turn| &turn[0]).min_by(|a, b| a.wall.total_cmp(&b.wall));
            let split = best.expect("three turns").split;
            let one = turns.iter().map(|turn| turn[0].cpu).fold(f64::INFINITY, f64::min);
            let share = |part: f64| 100.0 * part / split.total();
            let n = world.mass.len() as f64;
            let exponent = all.last().map(|last| format!("{:.2}", (one / last.1).ln() / (n / last.0).ln()));
            println!(
                "{stretch:>8} {n:>9} {:>9.2} {:>8.1} {:>7.1} {:>6.1} {:>10.2} {:>7}",
                1e3 * one,
                share(split.forces),
                share(split.solve),
                share(split.total() - split.forces - split.solve),
                ratio,
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
