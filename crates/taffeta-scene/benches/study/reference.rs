//! The motion that all methods are compared with: velocity Verlet in stable steps, which loses no energy.
//!
//! Symplectic Euler computes it, since it takes one evaluation of the forces: its velocities are those of Verlet half a step
//! before. They start half a step early, and energies take them half a step later.

use crate::scene::{FPS, FRAMES, Sheet, TIMES};
use std::path::Path;
use taffeta::{State, Workspace, World, advance_frame, forces, measure};

/// Where the references are kept.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/study/reference.csv");

const HEAD: &str = "\
# A sheet falls from two corners: reference motions. Made by
#   cargo bench -p taffeta-scene --bench study -- reference
# stretch: N/m; side: vertices a side; noise: seed of random displacements of at most 1e-6 m at the start, 0 for none;
# step: s; drift: largest change of the whole energy over all frames, J; elongation: largest of an edge over all frames;
# energy: kinetic and gravity at 3 s, J; heights of the centre of mass at the given times, m
stretch,side,noise,step,drift,elongation,energy,0.25 s,0.5 s,1 s,2 s
";

/// What is kept of a motion.
#[derive(Clone, Copy)]
pub struct Reference {
    pub sheet: Sheet,
    /// Seed of the noise; 0: none.
    pub noise: u64,
    pub step: f64,
    pub drift: f64,
    pub elongation: f64,
    pub energy: f64,
    pub heights: [f64; 4],
}

/// Energy that the fall of the sheet by half its length sets free, J.
pub const FALL: f64 = 0.2 * 9.81 * 0.5;

impl Reference {
    fn line(&self) -> String {
        let Reference { sheet, noise, step, drift, elongation, energy, heights } = self;
        let Sheet { stretch, side } = sheet;
        let heights = heights.map(|y| format!("{y:.5}")).join(",");
        format!("{stretch},{side},{noise},{step:.3e},{drift:.2e},{elongation:.5},{energy:.4},{heights}")
    }

    /// Its row of the table.
    pub fn row(&self) -> String {
        let Reference { sheet, step, drift, elongation, energy, heights, .. } = self;
        let name = format!("reference at {0} x {0}", sheet.side);
        let heights = heights.map(|y| format!("{:>14}", format!("{y:.3}"))).concat();
        let (steps, drift) = (1.0 / FPS as f64 / step, 100.0 * drift / FALL);
        format!(
            "{name:<34} {:>9} {:>6} {steps:>6.0} {:>7} {:>6.2} % {energy:>8.3} {heights}  (energy drifts by {drift:.2} %)",
            "",
            FRAMES,
            "",
            100.0 * elongation
        )
    }

    fn parse(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.split(',').collect();
        let [stretch, side, noise, numbers @ ..] = &words[..] else { return None };
        let numbers: Vec<f64> = numbers.iter().map(|word| word.parse().ok()).collect::<Option<_>>()?;
        let &[step, drift, elongation, energy, ref heights @ ..] = &numbers[..] else { return None };
        Some(Self {
            sheet: Sheet { side: side.parse().ok()?, stretch: stretch.parse().ok()? },
            noise: noise.parse().ok()?,
            step,
            drift,
            elongation,
            energy,
            heights: heights.try_into().ok()?,
        })
    }

    fn is_of(&self, sheet: Sheet, noise: u64) -> bool {
        self.sheet == sheet && self.noise == noise
    }
}

/// All that are kept.
pub fn kept() -> Vec<Reference> {
    let text = std::fs::read_to_string(FILE).unwrap_or_default();
    text.lines().filter_map(Reference::parse).collect()
}

/// The one that a sheet is compared with: that of its own size, else the finest.
pub fn of(sheet: Sheet) -> Option<Reference> {
    let mut fitting: Vec<_> = kept().into_iter().filter(|r| r.sheet.stretch == sheet.stretch && r.noise == 0).collect();
    fitting.sort_by_key(|r| (r.sheet.side == sheet.side, r.sheet.side));
    fitting.pop()
}

/// Computes the references of these sheets anew, and keeps them beside the others.
pub fn make(sheets: &[Sheet], noises: &[u64]) {
    print!("{HEAD}");
    for &sheet in sheets {
        for &noise in noises {
            let made = compute(sheet, noise);
            println!("{}", made.line());
            let mut all = kept();
            all.retain(|kept| !kept.is_of(sheet, noise));
            all.push(made);
            all.sort_by_key(|r| (r.sheet.stretch, r.sheet.side, r.noise));
            let lines: String = all.iter().map(|r| r.line() + "\n").collect();
            std::fs::write(Path::new(FILE), HEAD.to_owned() + &lines).expect("the file of the references is writable");
            let share = 100.0 * made.drift / FALL;
            assert!(share < 1.0, "the energy drifts by {share:.2} % of {FALL} J: take shorter steps");
        }
    }
}

fn compute(sheet: Sheet, noise: u64) -> Reference {
    let seeded = format!("cloth.noise={{ size = 1e-6, seed = {noise} }}");
    let set = ["method.name=symplectic-euler", seeded.as_str()];
    let world = sheet.world(if noise == 0 { &set[..1] } else { &set });
    let mut work = Workspace::new(&world);
    let mut state = world.start();
    state.v = at(&world, sheet, &state, -0.5 * world.h, &mut work).v;
    let first = measure(&world, &world.start()).energy();
    let mut made =
        Reference { sheet, noise, step: world.h, drift: 0.0, elongation: 0.0, energy: 0.0, heights: [f64::NAN; 4] };
    for frame in 1..=FRAMES {
        advance_frame(&world, &mut state, &mut work).expect("steps are stable");
        let now = measure(&world, &at(&world, sheet, &state, 0.5 * world.h, &mut work));
        made.drift = made.drift.max((now.energy() - first).abs());
        made.elongation = made.elongation.max(now.max_stretch);
        made.energy = now.kinetic + now.gravity;
        if let Some(i) = TIMES.iter().position(|t| (t * FPS as f64) as u64 == frame) {
            made.heights[i] = now.com_height;
        }
    }
    made
}

/// The state with its velocities some time later.
fn at(world: &World, sheet: Sheet, state: &State, later: f64, work: &mut Workspace) -> State {
    let mut other = state.clone();
    let forces = forces(world, state, work);
    for i in (0..other.v.len()).filter(|i| !sheet.holds(*i)) {
        other.v[i] += forces[i] * (later / world.mass[i]);
    }
    other
}
