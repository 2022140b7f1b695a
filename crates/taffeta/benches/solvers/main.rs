//! Solvers of the equations of implicit steps beside each other, on equations from simulated frames. Prints; asserts
//! nothing.
//!
//! ```text
//! cargo bench -p taffeta --bench solvers             # 41 and 101 vertices a side, both fabrics, two steps, and a ball
//! cargo bench -p taffeta --bench solvers -- 101 50000     # sizes, fabrics and steps a second to keep to
//! cargo bench -p taffeta --bench solvers -- 317 60        # 100,000 vertices, steps of 1/60 s alone: many minutes
//! cargo bench -p taffeta --bench solvers -- 317 ball multigrid tiles  # the ball alone; rows by parts of their names
//! ```
//! CPU time of one thread, the least of some turns. All but over-relaxation stop where the library's conjugate gradient
//! does, measured with the matrix in double precision; the column "residual" is of all alike.

mod candidates;
mod ic;
mod multigrid;
mod pcg;
mod product;
mod scene;
mod ssor;
mod system;

use candidates::{CANDIDATES, Row, Taken};
use scene::{Sample, Scene};
use taffeta::World;

fn table(world: &World, sample: &Sample, turns: usize, names: &[String]) {
    let case = candidates::Case::new(world, sample);
    let named =
        |row: &&Row| row.0 == CANDIDATES[0].0 || names.is_empty() || names.iter().any(|name| row.0.contains(name));
    let rows: Vec<&Row> = CANDIDATES.iter().filter(named).collect();
    println!(
        "{:<44} {:>9} {:>9} {:>6} {:>9} {:>6} {:>9} {:>9}",
        "", "setup ms", "solve ms", "iter", "sum ms", "ratio", "residual", "error"
    );
    let mut least: Vec<Option<Taken>> = rows.iter().map(|_| None).collect();
    for _ in 0..turns {
        for (least, (_, solve)) in least.iter_mut().zip(&rows) {
            let taken = case.take(*solve);
            if least.as_ref().is_none_or(|least| taken.sum() < least.sum()) {
                *least = Some(taken);
            }
        }
    }
    let first = least[0].as_ref().map_or(0.0, Taken::sum);
    for ((name, _), taken) in rows.iter().zip(least.into_iter().flatten()) {
        let Taken { setup, solve, iterations, residual, error } = taken;
        println!(
            "{name:<44} {:>9.2} {:>9.2} {iterations:>6} {:>9.2} {:>6.2} {residual:>9.1e} {error:>9.1e}",
            1e3 * setup,
            1e3 * solve,
            1e3 * (setup + solve),
            first / (setup + solve)
        );
    }
}

fn all() {
    let given: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let words: Vec<u32> = given.iter().filter_map(|word| word.parse().ok()).collect();
    let names: Vec<String> = given.iter().filter(|w| w.parse::<u32>().is_err() && *w != "ball").cloned().collect();
    for name in names.iter().filter(|name| !CANDIDATES.iter().any(|row| row.0.contains(name.as_str()))) {
        println!("no row has \"{name}\" in its name");
    }
    let hangs = !given.iter().any(|word| word == "ball");
    let pick = |from: &[u32], unless: usize| {
        let named: Vec<u32> = from.iter().copied().filter(|n| words.contains(n)).collect();
        if named.is_empty() { from[..unless].to_vec() } else { named }
    };
    println!(
        "ratio: how much faster than the first row. residual: as a share of what is allowed. error: of the solution,"
    );
    println!("in the norm of the matrix, as a share of that of the origin.");
    let run = |scene: Scene| {
        let Scene { side, stretch, step, ball } = scene;
        let world = scene.world();
        let frames: &[u64] = if ball || side > 101 { &[12] } else { &[12, 30] };
        for sample in scene.samples(&world, frames) {
            let on = if ball {
                format!(", on a ball, {} contacts", sample.now.contact_blocks().len())
            } else {
                String::new()
            };
            println!(
                "\n{side} x {side} vertices, {stretch} N/m, step 1/{:.0} s, frame {}{on}",
                1.0 / step,
                sample.frame
            );
            table(&world, &sample, [5, 3, 1][[41, 101, 317].iter().position(|&s| s == side).unwrap_or(2)], &names);
        }
    };
    for side in pick(&[41, 101, 317], 2) {
        for stretch in pick(&[5_000, 50_000], 2) {
            if hangs {
                for steps in pick(&[60, 240], 2) {
                    run(Scene { side, stretch, step: 1.0 / f64::from(steps), ball: false });
                }
            }
            run(Scene { side, stretch, step: 1.0 / 60.0, ball: true });
        }
    }
}

fn main() {
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    one.install(all);
}
