//! Methods beside each other on one scene: time and quality. Prints; asserts nothing but the energy of references.
//!
//! ```text
//! cargo bench -p taffeta-scene --bench study                        # 41 and 101 vertices a side, both fabrics
//! cargo bench -p taffeta-scene --bench study -- 41 5000 bdf2        # sizes, fabrics and parts of names to keep to
//! cargo bench -p taffeta-scene --bench study -- 41 101 317          # 100,000 vertices too: rows end after 300 s, but not before 0.5 s
//! cargo bench -p taffeta-scene --bench study -- 101 frames=30       # fewer frames; seconds= instead of 300
//! cargo bench -p taffeta-scene --bench study -- 41 method.name=bdf2 time.step=0.004
//! cargo bench -p taffeta-scene --bench study -- contact 41          # falls on a ball instead
//! cargo bench -p taffeta-scene --bench study -- growth              # 500 to 100,000 vertices, one thread and two
//! cargo bench -p taffeta-scene --bench study -- reference           # computes what all are compared with: an hour
//! cargo bench -p taffeta-scene --bench study -- reference 41 noise=0
//! ```
//! The sheet of `bench/peers/scene.toml` falls from level for 3 s without any loss. Threads are those of
//! `RAYON_NUM_THREADS`; the time is that of all of them.

mod growth;
mod methods;
mod quasi_newton;
mod reference;
mod run;
mod scene;
mod words;

use methods::{METHODS, WITH_CONTACT};
use scene::SIDES;
use words::Words;

fn columns() {
    println!(
        "CPU ms, steps and iterations (CG, or L-BFGS) for each of the frames; largest elongation of an edge in any"
    );
    println!(
        "frame; kinetic and gravity energy at the end, J; height of the centre of mass, m, and beside the reference, cm"
    );
}

fn table(words: &Words) {
    columns();
    for sheet in words.sheets(&SIDES) {
        let reference = reference::of(sheet);
        println!("\n{0} x {0} vertices, {1} N/m", sheet.side, sheet.stretch);
        println!("{}", run::head());
        for row in words.rows(METHODS, usize::MAX).iter().filter(|row| row.largest >= sheet.side) {
            let figures = run::run(&sheet.world(&row.set), row.own, words.until());
            println!("{}", figures.row(&row.name, reference.as_ref().map(|reference| &reference.heights[..])));
        }
        if let Some(reference) = &reference {
            println!("{}", reference.row());
        }
    }
}

/// The reference is the first row.
fn contact(words: &Words) {
    columns();
    for sheet in words.sheets(&SIDES) {
        println!("\n{0} x {0} vertices, {1} N/m, on a ball", sheet.side, sheet.stretch);
        println!("{}", run::head());
        let mut reference: Option<Vec<f64>> = None;
        for row in words.rows(WITH_CONTACT, usize::MAX).iter().filter(|row| row.largest >= sheet.side) {
            let figures = run::run(&sheet.on_ball(&row.set), None, words.until());
            println!("{}", figures.row(&row.name, reference.as_deref()));
            reference.get_or_insert(figures.heights);
        }
    }
}

fn main() {
    let mut words = Words::given();
    if words.take("reference") {
        reference::make(&words.sheets(&SIDES[..2]), &words.noises());
    } else if words.take("contact") {
        contact(&words);
    } else if words.take("growth") {
        let sides = words.pick(&growth::SIDES, growth::SIDES.len());
        for row in words.rows(METHODS, 1).into_iter().filter(|row| row.own.is_none()) {
            growth::growth(&row.name, &row.set, &words.stretches(), &sides);
        }
    } else {
        table(&words);
    }
}
