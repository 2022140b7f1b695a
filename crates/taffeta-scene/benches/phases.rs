//! Where the time of a step goes, beside Baraff & Witkin 1998, Table 1, and what contact costs. Prints; asserts nothing.
//!
//! `cargo bench -p taffeta-scene --bench phases`, and with `-- large` up to 40,000 vertices. Other programs on the machine
//! make times longer: compare the shares, and ratios within one run.

use taffeta::{State, Times, Workspace, World, step};
use taffeta_scene::{Source, load};

/// Steps with their times.
#[derive(Default)]
struct Taken {
    steps: u32,
    rejected: u32,
    iterations: u64,
    rounds: u32,
    times: Times,
}

impl Taken {
    /// Mean over the steps.
    fn each(&self, sum: f64) -> f64 {
        sum / f64::from(self.steps)
    }

    fn share(&self, time: f64) -> f64 {
        100.0 * time / self.times.total()
    }
}

fn world(scene: &str, overrides: &[String]) -> World {
    let source = Source::find(scene).expect("a built-in scene");
    load(&source, overrides).and_then(|scene| scene.world()).expect("built-in scenes are right")
}

/// s since it was first asked.
fn seconds() -> f64 {
    static BEGIN: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    BEGIN.get_or_init(std::time::Instant::now).elapsed().as_secs_f64()
}

/// Goes on while `more` says so.
fn go(world: &World, state: &mut State, threads: usize, more: impl Fn(&State, u32) -> bool + Sync) -> Taken {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    pool.install(|| {
        let mut work = Workspace::new(world);
        work.time_by(seconds);
        let mut taken = Taken::default();
        while more(state, taken.steps) {
            let report = step(world, state, &mut work).expect("built-in scenes run");
            taken.steps += 1;
            taken.rejected += report.rejected;
            taken.iterations += report.iterations;
            taken.rounds += report.rounds;
        }
        taken.times = work.take_times();
        taken
    })
}

/// The paper's figures 1 and 2 as a whole, and its shares for the first.
fn table() {
    println!("2,601 vertices, 2.5 s in steps up to 1/30 s, one thread; share of the time in %");
    println!(
        "{:<38} {:>6} {:>8} {:>10} {:>7} {:>7} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6}",
        "", "steps", "ms/step", "iterations", "rounds", "EVAL", "CG", "C/C", "C/S", "limit", "rest", "tries"
    );
    for (name, scene) in [("cloth on a cylinder", "cylinder"), ("sheet with two fixed particles", "two-points")] {
        let world = world(scene, &[]);
        let taken = go(&world, &mut world.start(), 1, |state, _| state.frame < 75);
        let Times { forces, solve, contact, limit, rest } = taken.times;
        println!(
            "{name:<38} {:>6} {:>8.1} {:>10.0} {:>7.1} {:>7.1} {:>6.1} {:>6} {:>6.1} {:>6.1} {:>6.1} {:>6}",
            taken.steps,
            1e3 * taken.each(taken.times.total()),
            taken.each(taken.iterations as f64),
            taken.each(f64::from(taken.rounds)),
            taken.share(forces),
            taken.share(solve),
            "-",
            taken.share(contact),
            taken.share(limit),
            taken.share(rest),
            taken.steps + taken.rejected,
        );
    }
    // the first row of the paper's table; the same with cloth on cloth, which is not built yet, left out
    let [eval, cg, cloth, solid] = [25.7, 50.4, 18.3, 1.4];
    let rest = 100.0 - eval - cg - cloth - solid;
    let whole = 1.0 - cloth / 100.0;
    let paper = |name: &str, [eval, cg, solid, rest]: [f64; 4], cloth: &str| {
        println!(
            "{name:<38} {:>6} {:>8} {:>10} {:>7} {eval:>7.1} {cg:>6.1} {cloth:>6} {solid:>6.1} {:>6} {rest:>6.1}",
            "", "", "", "", "-"
        );
    };
    paper("Baraff & Witkin, cloth on a cylinder", [eval, cg, solid, rest], "18.3");
    paper("  of all but C/C", [eval, cg, solid, rest].map(|share| share / whole), "-");
}

/// Where cloth lies on the body and its sides fall, s.
const BEGIN: f64 = 0.2;

/// Steps that are measured at each size.
const STEPS: u32 = 5;

/// Contact on bodies with and without sharp edges.
fn growth(sizes: &[u32]) {
    println!(
        "\n{STEPS} steps of 1/60 s from t = {BEGIN} s; ms a step, and the exponent of its growth with the vertices"
    );
    println!(
        "{:<14} {:>8} {:>8} {:>10} {:>7} {:>10} {:>9} {:>6} {:>10} {:>9} {:>6} {:>7} {:>9} {:>9}",
        "scene",
        "vertices",
        "contacts",
        "iterations",
        "rounds",
        "1 thread:",
        "contact",
        "%",
        "2 threads:",
        "contact",
        "%",
        "growth:",
        "step",
        "contact"
    );
    for scene in ["ball", "tablecloth", "rotating-box", "cylinder"] {
        let mut before: Option<(f64, f64, f64)> = None;
        for &cells in sizes {
            let size = format!("cloth.grid.cells=[{cells},{cells}]");
            let world = world(scene, &[size, "time.fps=60".into(), "time.step=0.017".into()]);
            let n = world.mass.len();
            let mut state = world.start();
            go(&world, &mut state, 2, |state, _| state.time < BEGIN);
            let [one, two] = [1, 2].map(|threads| go(&world, &mut state.clone(), threads, |_, steps| steps < STEPS));
            print!(
                "{scene:<14} {n:>8} {:>8} {:>10.0} {:>7.1}",
                state.contacts.len(),
                one.each(one.iterations as f64),
                one.each(f64::from(one.rounds))
            );
            for taken in [&one, &two] {
                let (step, contact) = (taken.each(taken.times.total()), taken.each(taken.times.contact));
                print!(" {:>10.1} {:>9.2} {:>6.1}", 1e3 * step, 1e3 * contact, taken.share(taken.times.contact));
            }
            let now = (n as f64, one.times.total(), one.times.contact);
            match before.replace(now) {
                Some((n, step, contact)) => {
                    let exponent = |a: f64, b: f64| (b / a).ln() / (now.0 / n).ln();
                    println!(" {:>7} {:>9.2} {:>9.2}", "", exponent(step, now.1), exponent(contact, now.2));
                }
                None => println!(),
            }
        }
    }
}

fn main() {
    table();
    // the largest take minutes
    let large = std::env::args().any(|word| word == "large");
    growth(if large { &[22, 50, 99, 199] } else { &[22, 50, 99] });
}
