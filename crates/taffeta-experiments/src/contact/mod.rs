//! Hard scenes of contact by the barrier: nothing may cross, whatever happens.
//!
//! ```text
//! parts    sheets, bodies, keys        falls    sheets that fall on smooth bodies, and heaps
//! run      a scene, frame by frame     driven   cloth between bodies and pins that move
//! forms    meshes made in code         sharp    points, edges and holes of meshes
//! figure   a body with legs and horns  public   scenes of others with their parameters
//! linking  whether a wound sheet keeps its turns
//! ```

mod driven;
mod falls;
mod figure;
mod forms;
mod linking;
mod parts;
mod public;
mod run;
mod sharp;

use crate::table::{Cell, Table};
use crate::{Context, Experiment, Outcome};
use linking::Twist;
use run::{Ran, run as run_scene};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use taffeta::{Implicit, Material, Method, Setup, StepSize};

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "contact",
    about: "hard scenes of contact by the barrier: whether anything crosses, and what it takes",
    takes: "2 h",
    quick: Some("1 min"),
    parts: Some("groups (falls, driven, sharp, public) and scenes by name, such as needle or twist"),
    has_part: |part| SCENES.iter().any(|scene| scene.is_in(part)),
    run,
};

/// Which version of a scene is asked for.
#[derive(Clone, Copy)]
struct Version {
    /// Small meshes, and a short time.
    quick: bool,
    /// Of the cloth, m. Scenes of others have their own.
    thickness: f64,
    /// Cells along a length, as a multiple of what the scene has.
    finer: f64,
}

impl Version {
    /// One of two values: that of the full scene, and that of the quick one.
    fn of<T>(self, full: T, quick: T) -> T {
        if self.quick { quick } else { full }
    }

    fn cells(self, count: u32) -> u32 {
        (f64::from(count) * self.finer).round() as u32
    }
}

/// What is not as the scene has it.
#[derive(Clone, Copy, PartialEq)]
enum Change {
    Nothing,
    /// Cloth of 0.3 mm instead of 2 mm.
    Thin,
    /// 1.3 times as many cells along each length.
    Finer,
    /// 0.7 times as many.
    Coarser,
    /// Steps of half the length.
    Step,
    /// BDF2 instead of backward Euler.
    Method,
}

impl Change {
    fn text(self) -> &'static str {
        match self {
            Self::Nothing => "",
            Self::Thin => "thin cloth",
            Self::Finer => "finer",
            Self::Coarser => "coarser",
            Self::Step => "half the step",
            Self::Method => "bdf2",
        }
    }

    fn setup(self, scene: &Scene, quick: bool) -> Setup {
        let finer = match self {
            Self::Finer => 1.3,
            Self::Coarser => 0.7,
            _ => 1.0,
        };
        let thickness = if self == Self::Thin { 0.0003 } else { 0.002 };
        let mut setup = (scene.make)(Version { quick, thickness, finer });
        match self {
            Self::Step => setup.time.step = StepSize::AtMost(1.0 / 720.0),
            Self::Method => setup.method = Some(Method::Bdf2(Implicit::default())),
            _ => {}
        }
        setup
    }
}

/// A scene; its name is also its part of the experiment.
struct Scene {
    name: &'static str,
    group: &'static str,
    make: fn(Version) -> Setup,
    /// Rows beside that of the scene as it is.
    changes: &'static [Change],
    /// Whether it must end because there is no room.
    blocked: bool,
    /// Whether its first cloth is wound and must keep its turns.
    wound: bool,
}

impl Scene {
    fn is_in(&self, part: &str) -> bool {
        part == self.name || part == self.group
    }
}

const fn scene(
    group: &'static str,
    name: &'static str,
    make: fn(Version) -> Setup,
    changes: &'static [Change],
) -> Scene {
    Scene { name, group, make, changes, blocked: false, wound: false }
}

const FINER: &[Change] = &[Change::Thin, Change::Finer];
const STEP: &[Change] = &[Change::Thin, Change::Step];
const METHOD: &[Change] = &[Change::Thin, Change::Method];

const SCENES: &[Scene] = &[
    scene("falls", "sphere", falls::sphere, FINER),
    scene("falls", "cylinder", falls::cylinder, STEP),
    scene("falls", "three-sheets", falls::three_sheets, METHOD),
    scene("falls", "five-sheets", falls::five_sheets, FINER),
    scene("falls", "ten-sheets", falls::ten_sheets, STEP),
    scene("falls", "towel", falls::towel, METHOD),
    Scene { wound: true, ..scene("driven", "twist", driven::twist, FINER) },
    Scene { wound: true, ..scene("driven", "eight-turns", driven::eight_turns, STEP) },
    scene("driven", "closing-box", driven::closing_box, METHOD),
    scene("driven", "fast-ball", driven::fast_ball, FINER),
    scene("driven", "tablecloth", driven::tablecloth, STEP),
    scene("driven", "limbs", driven::limbs, METHOD),
    Scene { blocked: true, ..scene("driven", "driven-pins", driven::pins, FINER) },
    scene("sharp", "needle", sharp::needle, STEP),
    scene("sharp", "knife", sharp::knife, METHOD),
    scene("sharp", "spikes", sharp::spikes, FINER),
    scene("sharp", "funnel", sharp::funnel, STEP),
    scene("sharp", "figure", sharp::on_figure, METHOD),
    scene("sharp", "ring", sharp::ring, METHOD),
    scene("public", "rotating-sphere-8k", public::rotating_sphere_8k, &[Change::Step]),
    scene("public", "rotating-sphere-26k", public::rotating_sphere_26k, &[Change::Method]),
    scene("public", "three-in-a-funnel", public::funnel, &[Change::Coarser]),
    Scene { wound: true, ..scene("public", "twisted-cylinder-7k", public::twisted_cylinder_7k, &[Change::Method]) },
    scene("public", "twisted-cylinder-88k", public::twisted_cylinder_88k, &[Change::Coarser]),
    scene("public", "ball-on-stack", public::ball_on_stack, &[Change::Coarser]),
    scene("public", "drape", public::drape, &[Change::Method]),
    scene("public", "fifty-layers", public::fifty_layers, &[Change::Coarser]),
];

/// CPU time that a row may take, s: in the quick version, of wound sheets and scenes of others, of all others. A row
/// that takes longer ends there and does not hold.
const LONGEST: [f64; 3] = [30.0, 600.0, 120.0];

/// Scenes with more vertices run for 60 frames.
#[cfg(test)]
const MANY: usize = 50_000;

fn run(context: &Context) -> Outcome {
    let columns = [
        ("scene", ""),
        ("changed", ""),
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
    let mut table = Table::new("contact", "Hard scenes of contact by the barrier, one thread each", &columns);
    let chosen = |scene: &&Scene| context.parts.is_empty() || context.parts.iter().any(|part| scene.is_in(part));
    let rows: Vec<(&Scene, Change)> = SCENES
        .iter()
        .filter(chosen)
        .flat_map(|scene| {
            std::iter::once(Change::Nothing).chain(scene.changes.iter().copied()).map(move |c| (scene, c))
        })
        .collect();
    for (cells, holds) in side_by_side(rows.len(), |k| row(context, rows[k].0, rows[k].1)) {
        table.judge(cells, holds);
    }
    Outcome {
        tables: vec![table],
        plots: Vec::new(),
        notes: vec![
            "After every frame, crossings of triangles are counted by exact arithmetic: cloth with cloth, cloth with \
             bodies that are meshes, and cloth with triangles inscribed in all other bodies. Vertices inside exact \
             shapes count too. Each must be 0 in all frames, and in the last good state if a run ends early. A wound \
             sheet must also keep its turns: the linking number of its long borders."
                .into(),
            format!(
                "A row that takes more than {} s of CPU time, of wound sheets and scenes of others {} s, ends there \
                 and does not hold; with --quick {} s.",
                LONGEST[2], LONGEST[1], LONGEST[0]
            ),
        ],
    }
}

/// Does `count` pieces of work on as many threads as there are for them, and returns what they give in their order.
fn side_by_side<T: Send>(count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(count)));
    std::thread::scope(|scope| {
        for _ in 0..rayon::current_num_threads().min(count) {
            scope.spawn(|| {
                loop {
                    let k = next.fetch_add(1, Ordering::Relaxed);
                    if k >= count {
                        break;
                    }
                    let result = work(k);
                    done.lock().expect("no thread panics with it").push((k, result));
                }
            });
        }
    });
    let mut done = done.into_inner().expect("no thread panics with it");
    done.sort_by_key(|(k, _)| *k);
    done.into_iter().map(|(_, result)| result).collect()
}

/// The cells of a row, and whether it holds.
fn row(context: &Context, scene: &Scene, change: Change) -> (Vec<Cell>, bool) {
    let begin = [scene.name, change.text()].join(" ");
    context.say(begin.trim_end());
    let setup = change.setup(scene, context.quick);
    let twist = scene.wound.then(|| Twist::of(&setup));
    let longest = match context.quick {
        true => LONGEST[0],
        false if scene.wound || scene.group == "public" => LONGEST[1],
        false => LONGEST[2],
    };
    let ran = run_scene(&setup, twist.as_ref(), longest);
    let ended = if scene.blocked { ran.blocked } else { ran.error.is_none() };
    let kept = twist.is_none_or(|twist| (ran.turns - twist.turns).abs() < 1e-6);
    let found = cells(scene, change, &setup, &ran);
    context.say(&found.iter().map(|cell| cell.text.as_str()).collect::<Vec<_>>().join("  "));
    (found, ran.crossings == 0 && ended && kept)
}

fn cells(scene: &Scene, change: Change, setup: &Setup, ran: &Ran) -> Vec<Cell> {
    let frames = ran.frames.max(1) as f64;
    let thickness = match &setup.cloths[0].material {
        Material::Fabric(fabric) => fabric.thickness,
        Material::Raw(_) => 0.0,
    };
    let end = match &ran.error {
        None if scene.wound => format!("well, {:.4} turns", ran.turns),
        None => "well".into(),
        Some(error) => error.clone(),
    };
    vec![
        Cell::text(scene.name),
        Cell::text(change.text()),
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
        Cell::text(end),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measured::on_threads;
    use std::sync::Arc;
    use taffeta::{Simulation, State, World};

    #[test]
    fn nothing_crosses_in_the_quick_scenes() {
        let outcome = run(&Context { quick: true, parts: Vec::new(), listener: Box::new(|_| ()) });
        let table = &outcome.tables[0];
        assert!(table.rows.len() > 2 * SCENES.len());
        assert!(table.rows.iter().all(|row| row.verdict == Some(true)), "{}", table.text());
    }

    /// Between any two frames it may break off and go on with new buffers.
    #[test]
    fn hard_scenes_have_the_same_bits_on_any_number_of_threads_and_after_a_break() {
        for name in ["ten-sheets", "twist", "closing-box", "figure", "ring", "three-in-a-funnel", "fifty-layers"] {
            let scene = SCENES.iter().find(|scene| scene.name == name).unwrap();
            let world = Arc::new(World::new(Change::Nothing.setup(scene, true)).unwrap());
            let run = |threads: usize, breaks: bool| -> State {
                on_threads(threads, || {
                    let mut simulation = Simulation::of(world.clone());
                    for _ in 0..10 {
                        simulation.frame().unwrap();
                        if breaks {
                            let state = simulation.state().clone();
                            simulation = Simulation::of(world.clone());
                            simulation.go_to(state).unwrap();
                        }
                    }
                    simulation.state().clone()
                })
            };
            let first = run(1, false);
            for (threads, breaks) in [(2, false), (3, true), (8, false)] {
                assert!(run(threads, breaks) == first, "{name}: other bits on {threads} threads, breaks: {breaks}");
            }
        }
    }

    #[test]
    fn scenes_with_many_vertices_run_for_60_frames() {
        for scene in SCENES {
            let setup = Change::Nothing.setup(scene, false);
            let vertices: usize = setup.cloths.iter().map(|cloth| cloth.mesh.rest.len()).sum();
            let frames = (setup.time.duration * setup.time.fps).round();
            assert!(vertices <= MANY || frames == 60.0, "{}: {vertices} vertices, {frames} frames", scene.name);
        }
    }
}
