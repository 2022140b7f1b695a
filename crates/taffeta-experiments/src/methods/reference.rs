//! The motion that all methods are compared with: velocity Verlet in stable steps, which loses no energy.
//!
//! Symplectic Euler computes it, since it takes one evaluation of the forces: its velocities are those of Verlet half a
//! step before. They start half a step early, and energies take them half a step later.

use super::chosen::Chosen;
use super::scene::{FPS, FRAMES, Sheet, TIMES};
use crate::Context;
use crate::measured::on_threads;
use crate::table::{Cell, Column, Table};
use taffeta::{State, Workspace, World, advance_frame, forces, measure};

/// References, as `taffeta experiment methods reference` writes them.
const KEPT: &str = include_str!("reference.csv");

/// About the table of references that are computed again.
pub const NOTE: &str = "References: noise is the seed of random displacements of at most 1e-6 m at the start, 0 for \
                        none. Their energy may drift by 1 % of the 0.98 J that the fall sets free. The methods are \
                        compared with what is in crates/taffeta-experiments/src/methods/reference.csv; replace it by \
                        the new reference.csv to compare them with that.";

/// What is kept of a motion.
#[derive(Clone, Copy, Debug)]
pub struct Reference {
    pub sheet: Sheet,
    /// Seed of the noise; 0: none.
    pub noise: u64,
    /// s.
    pub step: f64,
    /// Largest change of the whole energy over all frames, J.
    pub drift: f64,
    /// Largest elongation of an edge over all frames.
    pub elongation: f64,
    /// Kinetic and gravity energy at 3 s, J.
    pub energy: f64,
    /// Of the centre of mass, m.
    pub heights: [f64; TIMES.len()],
}

/// Energy that the fall of the sheet by half its length sets free, J.
const FALL: f64 = 0.2 * 9.81 * 0.5;
/// The share of it by which the energy of a reference may drift.
const MOST_DRIFT: f64 = 0.01;

impl Reference {
    fn loses_nothing(&self) -> bool {
        self.drift < MOST_DRIFT * FALL
    }

    fn parse(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.split(',').collect();
        let [stretch, side, noise, numbers @ .., _verdict] = &words[..] else { return None };
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
}

/// All that are kept, in the order of the file.
fn kept() -> Vec<Reference> {
    KEPT.lines().filter_map(Reference::parse).collect()
}

/// The one that a sheet is compared with: that of its own size, else the finest.
pub fn of(sheet: Sheet) -> Option<Reference> {
    let mut fitting: Vec<_> = kept().into_iter().filter(|r| r.sheet.stretch == sheet.stretch && r.noise == 0).collect();
    fitting.sort_by_key(|r| (r.sheet.side == sheet.side, r.sheet.side));
    fitting.pop()
}

/// The table of references.
pub fn table(name: &str, title: &str, references: &[Reference]) -> Table {
    let columns = [
        ("stretch", "N/m"),
        ("vertices a side", ""),
        ("noise", ""),
        ("step", "s"),
        ("energy drift", "J"),
        ("elongation", ""),
        ("energy", "J"),
    ];
    let mut table = Table::new(name, title, &columns);
    table.columns.extend(TIMES.map(|time| Column { name: format!("height at {time} s"), unit: "m" }));
    for reference in references {
        let &Reference { sheet, noise, step, drift, elongation, energy, heights } = reference;
        let mut cells = vec![
            Cell::count(sheet.stretch.into()),
            Cell::count(sheet.side.into()),
            Cell::count(noise),
            Cell::power(step, 2),
            Cell::power(drift, 1),
            Cell::fixed(elongation, 4),
            Cell::fixed(energy, 3),
        ];
        cells.extend(heights.map(|height| Cell::fixed(height, 4)));
        table.push(cells);
    }
    table
}

/// All references, with those of the sheets that are named, or all, computed again.
pub fn compute_all(context: &Context, chosen: &Chosen) -> Table {
    let mut all = kept();
    for reference in all.iter_mut().filter(|reference| chosen.has_sheet(reference.sheet)) {
        let Reference { sheet, noise, .. } = *reference;
        context.say(&format!("reference of {sheet}, noise {noise}"));
        *reference = on_threads(1, || compute(sheet, noise));
    }
    let mut table = table("reference", "References, computed again", &all);
    for (row, reference) in table.rows.iter_mut().zip(&all) {
        row.verdict = Some(reference.loses_nothing());
    }
    table
}

/// The motion of a sheet.
fn compute(sheet: Sheet, noise: u64) -> Reference {
    let seeded = format!("cloth.noise={{ size = 1e-6, seed = {noise} }}");
    let set = ["method.name=symplectic-euler", seeded.as_str()];
    let world = sheet.world(if noise == 0 { &set[..1] } else { &set });
    let mut work = Workspace::new(&world);
    let mut state = world.start();
    state.v = at(&world, sheet, &state, -0.5 * world.h, &mut work).v;
    let first = measure(&world, &world.start()).energy();
    let mut made =
        Reference { sheet, noise, step: world.h, drift: 0.0, elongation: 0.0, energy: 0.0, heights: [f64::NAN; _] };
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_file_is_a_reference_as_it_is_written() {
        let (head, rows) = KEPT.split_once('\n').unwrap();
        assert_eq!(kept().len(), rows.lines().count());
        assert_eq!(table("", "", &[]).csv().trim_end(), head);
        assert!(kept().iter().all(Reference::loses_nothing));
    }
}
