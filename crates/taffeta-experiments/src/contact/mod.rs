//! Hard scenes of contact by the barrier: nothing may cross, whatever happens.
//!
//! ```text
//! parts    sheets, bodies, keys        falls    sheets that fall on smooth bodies, and heaps
//! run      a scene, frame by frame     driven   cloth between bodies and pins that move
//! forms    meshes made in code         sharp    points, edges and holes of meshes
//! figure   a body with legs and horns
//! ```

mod driven;
mod falls;
mod figure;
mod forms;
mod parts;
mod run;
mod sharp;

use crate::table::{Cell, Table};
use crate::{Context, Experiment, Outcome};
use run::{Ran, run as run_scene};
use taffeta::Setup;

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "contact",
    about: "hard scenes of contact by the barrier: whether anything crosses, and what it takes",
    takes: "20 min",
    quick: Some("30 s"),
    parts: Some("scenes by name, such as needle or twist"),
    has_part: |part| SCENES.iter().any(|scene| scene.name == part),
    run,
};

/// Which version of a scene is asked for.
#[derive(Clone, Copy)]
struct Version {
    /// Small meshes, and a short time.
    quick: bool,
    /// Of the cloth, m.
    thickness: f64,
}

impl Version {
    /// One of two values: that of the full scene, and that of the quick one.
    fn of<T>(self, full: T, quick: T) -> T {
        if self.quick { quick } else { full }
    }
}

/// A scene; its name is also its part of the experiment.
struct Scene {
    name: &'static str,
    make: fn(Version) -> Setup,
    /// Whether it must end because there is no room.
    blocked: bool,
}

const fn scene(name: &'static str, make: fn(Version) -> Setup) -> Scene {
    Scene { name, make, blocked: false }
}

const SCENES: &[Scene] = &[
    scene("sphere", falls::sphere),
    scene("cylinder", falls::cylinder),
    scene("twist", driven::twist),
    scene("five-sheets", falls::five_sheets),
    scene("three-sheets", falls::three_sheets),
    scene("closing-box", driven::closing_box),
    scene("fast-ball", driven::fast_ball),
    scene("needle", sharp::needle),
    scene("knife", sharp::knife),
    scene("spikes", sharp::spikes),
    scene("funnel", sharp::funnel),
    scene("figure", sharp::on_figure),
    scene("towel", falls::towel),
    scene("tablecloth", driven::tablecloth),
    scene("limbs", driven::limbs),
    scene("ring", sharp::ring),
    Scene { blocked: true, ..scene("driven-pins", driven::pins) },
];

/// Thick cloth, and thin cloth, m.
const THICKNESSES: [f64; 2] = [0.002, 0.0003];

/// CPU time that a row may take, full and quick, s. A row that takes longer ends there and does not hold.
const LONGEST: [f64; 2] = [60.0, 30.0];

fn run(context: &Context) -> Outcome {
    let columns = [
        ("scene", ""),
        ("vertices", ""),
        ("thickness", "mm"),
        ("frames", ""),
        ("CPU time a frame", "ms"),
        ("largest stretch", "%"),
        ("crossings", ""),
        ("cut by the guard", "%"),
        ("rounds", ""),
        ("searches a frame", ""),
        ("kinetic energy at the end", "mJ"),
        ("end", ""),
    ];
    let mut table = Table::new("contact", "Hard scenes of contact by the barrier, one thread", &columns);
    let longest = LONGEST[usize::from(context.quick)];
    let chosen = |scene: &&Scene| context.parts.is_empty() || context.parts.iter().any(|part| part == scene.name);
    for scene in SCENES.iter().filter(chosen) {
        for thickness in THICKNESSES {
            context.say(&format!("{}, {} mm", scene.name, 1e3 * thickness));
            let ran = run_scene(&(scene.make)(Version { quick: context.quick, thickness }), longest);
            let holds = ran.crossings == 0 && if scene.blocked { ran.blocked } else { ran.error.is_none() };
            let found = cells(scene, thickness, &ran);
            context.say(&found.iter().map(|cell| cell.text.as_str()).collect::<Vec<_>>().join("  "));
            table.judge(found, holds);
        }
    }
    Outcome {
        tables: vec![table],
        plots: Vec::new(),
        notes: vec![
            "After every frame, crossings of triangles are counted by exact arithmetic: cloth with cloth, cloth with \
             bodies that are meshes, and cloth with triangles inscribed in all other bodies. Vertices inside exact \
             shapes count too. Each must be 0 in all frames, and in the last good state if a run ends early."
                .into(),
            format!("A row that takes more than {longest} s of CPU time ends there, and does not hold."),
        ],
    }
}

fn cells(scene: &Scene, thickness: f64, ran: &Ran) -> Vec<Cell> {
    let frames = ran.frames.max(1) as f64;
    vec![
        Cell::text(scene.name),
        Cell::count(ran.vertices as u64),
        Cell::fixed(1e3 * thickness, 1),
        Cell::count(ran.frames),
        Cell::fixed(1e3 * ran.cpu / frames, 0),
        Cell::fixed(100.0 * ran.stretch, 1),
        Cell::count(ran.crossings),
        Cell::fixed(100.0 * ran.lost / ran.wanted.max(f64::MIN_POSITIVE), 3),
        Cell::count(ran.rounds.into()),
        Cell::fixed(ran.searches as f64 / frames, 1),
        Cell::fixed(1e3 * ran.kinetic, 3),
        Cell::text(ran.error.as_deref().unwrap_or("well")),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_crosses_in_the_quick_scenes() {
        let outcome = run(&Context { quick: true, parts: Vec::new(), listener: Box::new(|_| ()) });
        let table = &outcome.tables[0];
        assert_eq!(table.rows.len(), 2 * SCENES.len());
        assert!(table.rows.iter().all(|row| row.verdict == Some(true)), "{}", table.text());
    }
}
