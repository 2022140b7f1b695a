//! Continuous collision detection on queries with known answers: how many are missed, and how many are false alarms.
//!
//!     cargo run --release -p taffeta --example ccd_queries -- FOLDER
//!
//! Reads the CSV files of the benchmark of B. Wang et al., A Large Scale Benchmark and an Inclusion-Based Algorithm for
//! Continuous Collision Detection, TOG 40(5), 2021, in a folder and those below it. Eight rows are a query: the four
//! vertices at the start, then at the end; x, y and z each as numerator and denominator, and 1 if they meet. The name
//! of a file ends in `edge-edge.csv` or `vertex-face.csv`.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;
use taffeta::Vec3;
use taffeta::narrow::{Points, ccd};

#[derive(Default)]
struct Tally {
    queries: u64,
    meet: u64,
    missed: u64,
    false_alarms: u64,
    seconds: f64,
}

impl Tally {
    fn print(&self, name: &str) {
        let &Self { queries, meet, missed, false_alarms, seconds } = self;
        let each = 1e6 * seconds / queries.max(1) as f64;
        println!("{name:48} {queries:7} {meet:7} {missed:7} {false_alarms:7} {each:8.2}");
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("give the folder with the queries")?;
    let mut files = Vec::new();
    find(Path::new(&folder), &mut files)?;
    files.sort();
    println!("{:48} {:>7} {:>7} {:>7} {:>7} {:>8}", "file", "queries", "meet", "missed", "alarms", "us each");
    let mut all = Tally::default();
    for path in files {
        let name = path.strip_prefix(&folder)?.display().to_string();
        let tally = run(&path).map_err(|error| format!("{name}: {error}"))?;
        tally.print(&name);
        all.queries += tally.queries;
        all.meet += tally.meet;
        all.missed += tally.missed;
        all.false_alarms += tally.false_alarms;
        all.seconds += tally.seconds;
    }
    all.print("all");
    if all.missed == 0 { Ok(()) } else { Err(format!("{} are missed", all.missed).into()) }
}

fn find(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.to_string_lossy();
        if path.is_dir() {
            find(&path, found)?;
        } else if name.ends_with("edge-edge.csv") || name.ends_with("vertex-face.csv") {
            found.push(path);
        }
    }
    Ok(())
}

fn run(path: &Path) -> Result<Tally, Box<dyn Error>> {
    let mut rows: Vec<(Vec3, bool)> = Vec::new();
    for line in fs::read_to_string(path)?.lines().filter(|line| !line.trim().is_empty()) {
        // each number is a double times a power of two, and the quotient is exact
        let values = line.split(',').map(|value| value.trim().parse::<f64>()).collect::<Result<Vec<_>, _>>()?;
        let [x, over_x, y, over_y, z, over_z, meets] = values[..] else { return Err("a row needs 7 values".into()) };
        rows.push((Vec3::new(x / over_x, y / over_y, z / over_z), meets != 0.0));
    }
    let test = match path.to_string_lossy().ends_with("edge-edge.csv") {
        true => ccd::edge_edge,
        false => ccd::vertex_face,
    };
    let mut tally = Tally::default();
    for query in rows.chunks_exact(8) {
        let points = |first: usize| -> Points { std::array::from_fn(|i| query[first + i].0) };
        let (start, end, clock) = (points(0), points(4), Instant::now());
        let found = test(&start, &end, 0.0).is_some();
        tally.seconds += clock.elapsed().as_secs_f64();
        tally.queries += 1;
        match (query[0].1, found) {
            (true, true) => tally.meet += 1,
            (true, false) => (tally.meet, tally.missed) = (tally.meet + 1, tally.missed + 1),
            (false, true) => tally.false_alarms += 1,
            (false, false) => {}
        }
    }
    Ok(tally)
}
