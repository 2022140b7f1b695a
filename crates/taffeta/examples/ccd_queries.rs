//! Continuous collision detection on queries with known answers: how many are missed, and how many are false alarms.
//!
//!     cargo run --release -p taffeta --example ccd_queries -- FOLDER
//!
//! Reads the CSV files of the benchmark of B. Wang et al., A Large Scale Benchmark and an Inclusion-Based Algorithm for
//! Continuous Collision Detection, TOG 40(5), 2021, in a folder and those below it. Eight rows are a query: the four
//! vertices at the start, then at the end; x, y and z each as numerator and denominator, and 1 if they meet. The name
//! of a file, or else of the nearest folder, has `edge-edge` or `vertex-face` in it.
//!
//! The exit status is 0 if no contact is missed, 1 if one is, and 2 if the queries cannot be read.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;
use taffeta::Vec3;
use taffeta::narrow::{Points, ccd};

/// What came of some queries.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Number of queries.
    pub queries: u64,
    /// Queries whose answer is that they meet.
    pub meet: u64,
    /// Of these, queries that were answered otherwise.
    pub missed: u64,
    /// Queries that were answered that they meet and do not.
    pub false_alarms: u64,
    /// Time that the answers took, s.
    pub seconds: f64,
}

impl Tally {
    fn add(&mut self, other: Self) {
        self.queries += other.queries;
        self.meet += other.meet;
        self.missed += other.missed;
        self.false_alarms += other.false_alarms;
        self.seconds += other.seconds;
    }

    fn print(&self, name: &str) {
        let Self { queries, meet, missed, false_alarms, seconds } = *self;
        let each = 1e6 * seconds / queries.max(1) as f64;
        println!("{name:48} {queries:9} {meet:9} {missed:7} {false_alarms:7} {each:8.2}");
    }
}

/// From the command line.
pub fn main() -> ExitCode {
    let Some(folder) = std::env::args_os().nth(1) else {
        eprintln!("error: give the folder with the queries");
        return ExitCode::from(2);
    };
    match run(Path::new(&folder)) {
        Ok(Tally { missed: 0, .. }) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Runs all queries of a folder, and prints a line for each file and one for all of them.
pub fn run(folder: &Path) -> Result<Tally, String> {
    let mut files = Vec::new();
    find(folder, &mut files)?;
    files.sort();
    let kinds = files.iter().map(|path| Kind::of(folder, path)).collect::<Result<Vec<_>, _>>()?;
    if files.is_empty() {
        return Err(format!("no file in {} ends in .csv", folder.display()));
    }
    println!("{:48} {:>9} {:>9} {:>7} {:>7} {:>8}", "file", "queries", "true", "missed", "false", "µs each");
    let mut all = Tally::default();
    for (path, kind) in files.iter().zip(kinds) {
        let tally = run_file(path, kind)?;
        tally.print(&path.strip_prefix(folder).unwrap_or(path).display().to_string());
        all.add(tally);
    }
    all.print("all");
    Ok(all)
}

fn find(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), String> {
    let wrong = |error| format!("{}: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(wrong)? {
        let path = entry.map_err(wrong)?.path();
        if path.is_dir() {
            find(&path, found)?;
        } else if path.extension().is_some_and(|ending| ending == "csv") {
            found.push(path);
        }
    }
    Ok(())
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    EdgeEdge,
    VertexFace,
}

impl Kind {
    /// By the name that is nearest to the file's.
    fn of(folder: &Path, path: &Path) -> Result<Self, String> {
        for part in path.ancestors() {
            let name = part.file_name().unwrap_or_default().to_string_lossy();
            match [name.contains("edge-edge"), name.contains("vertex-face")] {
                [true, false] => return Ok(Self::EdgeEdge),
                [false, true] => return Ok(Self::VertexFace),
                _ if part == folder => break,
                _ => {}
            }
        }
        let path = path.display();
        Err(format!("{path}: of what kind? Its name or its folder's needs `edge-edge` or `vertex-face` in it"))
    }
}

/// Queries that are read before they are run: long enough for the clock, short enough for the memory.
const AT_ONCE: usize = 1000;

fn run_file(path: &Path, kind: Kind) -> Result<Tally, String> {
    let wrong = |line: usize, error: String| format!("{}, line {line}: {error}", path.display());
    let file = File::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let (mut tally, mut rows, mut lines) = (Tally::default(), Vec::with_capacity(8 * AT_ONCE), 0);
    for line in BufReader::new(file).lines() {
        lines += 1;
        let line = line.map_err(|error| wrong(lines, error.to_string()))?;
        if line.trim().is_empty() {
            continue;
        }
        let row = read_row(&line).map_err(|error| wrong(lines, error))?;
        // the first of its query
        let first: (Vec3, bool) = *rows.get(rows.len() / 8 * 8).unwrap_or(&row);
        if row.1 != first.1 {
            return Err(wrong(lines, "its result differs from that of the other rows of its query".into()));
        }
        rows.push(row);
        if rows.len() == 8 * AT_ONCE {
            tally.add(ask(&rows, kind));
            rows.clear();
        }
    }
    if rows.len() % 8 != 0 {
        return Err(wrong(lines, format!("the last query has {} rows instead of 8", rows.len() % 8)));
    }
    tally.add(ask(&rows, kind));
    Ok(tally)
}

/// A vertex, and whether its query meets.
fn read_row(line: &str) -> Result<(Vec3, bool), String> {
    let values: Vec<&str> = line.split(',').map(str::trim).collect();
    let [x, over_x, y, over_y, z, over_z, meets] = values[..] else {
        return Err(format!("7 values are needed, separated by commas: here are {}", values.len()));
    };
    let meets = match meets {
        "0" => false,
        "1" => true,
        other => return Err(format!("the result `{other}` is neither 0 nor 1")),
    };
    let coordinates = [[x, over_x], [y, over_y], [z, over_z]].map(|[over, under]| quotient(over, under));
    let [x, y, z] = coordinates;
    Ok((Vec3::new(x?, y?, z?), meets))
}

/// A coordinate. It must be exactly a double: the known answer of a rounded query may be another.
fn quotient(over: &str, under: &str) -> Result<f64, String> {
    let whole = |text: &str| {
        let value = text.parse::<f64>().ok().filter(|value| value.is_finite() && format!("{value:.0}") == text);
        value.ok_or_else(|| format!("`{text}` is not a whole number that a double can have"))
    };
    let (over, bottom) = (whole(over)?, whole(under)?);
    if bottom <= 0.0 || bottom.to_bits() << 12 != 0 {
        return Err(format!("the denominator {under} is not a power of two, so the coordinate is not a double"));
    }
    Ok(over / bottom)
}

fn ask(rows: &[(Vec3, bool)], kind: Kind) -> Tally {
    let test = match kind {
        Kind::EdgeEdge => ccd::edge_edge,
        Kind::VertexFace => ccd::vertex_face,
    };
    let points = |query: &[(Vec3, bool)], first: usize| -> Points { std::array::from_fn(|i| query[first + i].0) };
    let queries: Vec<(Points, Points)> = rows.chunks_exact(8).map(|q| (points(q, 0), points(q, 4))).collect();
    let clock = Instant::now();
    let found: Vec<bool> = queries.iter().map(|(start, end)| test(start, end, 0.0).is_some()).collect();
    let mut tally = Tally { queries: found.len() as u64, seconds: clock.elapsed().as_secs_f64(), ..Tally::default() };
    for (query, found) in rows.chunks_exact(8).zip(found) {
        let meets = query[0].1;
        tally.meet += u64::from(meets);
        tally.missed += u64::from(meets && !found);
        tally.false_alarms += u64::from(!meets && found);
    }
    tally
}
