//! Methods beside each other on one scene: time and quality. Prints; asserts nothing but the energy of references.
//!
//! ```text
//! cargo bench -p taffeta-scene --bench study                        # 41 and 101 vertices a side, both fabrics
//! cargo bench -p taffeta-scene --bench study -- 41 5000 bdf2        # sizes, fabrics and parts of names to keep to
//! cargo bench -p taffeta-scene --bench study -- 317 frames=30       # 100,000 vertices, 0.5 s
//! cargo bench -p taffeta-scene --bench study -- 41 method.name=bdf2 time.step=0.004
//! cargo bench -p taffeta-scene --bench study -- reference           # computes what all are compared with, half an hour
//! ```
//! The sheet of `bench/peers/scene.toml` falls from level for 3 s without any loss. Threads are those of
//! `RAYON_NUM_THREADS`; the time is that of all of them.

mod methods;
mod reference;
mod run;
mod scene;

use methods::METHODS;
use scene::{FRAMES, Sheet};

/// Vertices a side: the last only if asked for.
const SIDES: [u32; 3] = [41, 101, 317];
/// N/m.
const STRETCHES: [u32; 2] = [5_000, 50_000];
/// Starts of the references: level, and with noise.
const NOISES: [u32; 3] = [0, 1, 2];

/// The words of the command line.
struct Words(Vec<String>);

impl Words {
    fn has(&self, word: &str) -> bool {
        self.0.iter().any(|w| w == word)
    }

    /// Those of the numbers that are named, or the first so many.
    fn pick(&self, from: &[u32], unless: usize) -> Vec<u32> {
        let named: Vec<u32> = from.iter().copied().filter(|n| self.has(&n.to_string())).collect();
        if named.is_empty() { from[..unless].to_vec() } else { named }
    }

    fn sheets(&self, sides: &[u32]) -> Vec<Sheet> {
        let stretches = self.pick(&STRETCHES, 2);
        let of = |side: u32| stretches.iter().map(move |&stretch| Sheet { side, stretch });
        self.pick(sides, 2).into_iter().flat_map(of).collect()
    }

    fn frames(&self) -> u64 {
        let given = self.0.iter().find_map(|word| word.strip_prefix("frames="));
        given.map_or(FRAMES, |n| n.parse().expect("frames= takes a number"))
    }

    /// Settings of a row that is not in the list.
    fn own(&self) -> Vec<&str> {
        self.0.iter().map(String::as_str).filter(|word| word.contains('=') && !word.starts_with("frames=")).collect()
    }

    /// Parts of names of methods.
    fn names(&self) -> Vec<&str> {
        let is_name = |word: &&str| word.starts_with(|c: char| c.is_ascii_alphabetic()) && !word.contains('=');
        self.0.iter().map(String::as_str).filter(is_name).collect()
    }
}

fn table(words: &Words) {
    let (own, names) = (words.own(), words.names());
    println!("CPU ms, steps and iterations of the conjugate gradient for each frame; largest elongation of an edge in any");
    println!("frame; kinetic and gravity energy at the end, J; height of the centre of mass, m, and beside the reference, cm");
    for sheet in words.sheets(&SIDES) {
        let reference = reference::of(sheet);
        println!("\n{0} x {0} vertices, {1} N/m, {2} frames", sheet.side, sheet.stretch, words.frames());
        println!("{}", run::head());
        let show = |name: &str, set: &[&str]| {
            let figures = run::run(sheet, set.iter().copied(), words.frames());
            println!("{}", figures.row(name, reference.as_ref().map(|reference| &reference.heights)));
        };
        if !own.is_empty() {
            show(&own.join(" "), &own);
            continue;
        }
        let chosen = |name: &str| names.is_empty() || names.iter().any(|part| name.contains(part));
        for method in METHODS.iter().filter(|m| m.largest >= sheet.side && chosen(m.name)) {
            show(method.name, method.set);
        }
        if let Some(reference) = &reference {
            println!("{}", reference.row());
        }
    }
}

fn main() {
    // cargo bench adds a word of its own
    let words = Words(std::env::args().skip(1).filter(|word| word != "--bench").collect());
    if words.has("reference") {
        let noises: Vec<u32> = if words.has("level") { vec![0] } else { NOISES.to_vec() };
        return reference::make(&words.sheets(&SIDES[..2]), &noises);
    }
    table(&words);
}
