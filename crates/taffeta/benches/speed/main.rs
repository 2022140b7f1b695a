//! Forces, products and steps per second, beside what the memory allows. Prints; asserts nothing.
//!
//! `cargo bench -p taffeta --bench speed`; with `-- kernels` or `-- limit` only these tables.
//!
//! Times are the least and the median of many repetitions on a machine that may be doing other things as well: compare
//! the ratios within one run.

mod kernels;
mod timing;

use std::hint::black_box;
use std::time::Instant;
use taffeta::{
    Bending, Cloth, Corner, Implicit, Limiter, Material, Mesh, Method, Model, Pattern, Pin, Raw, Select, Setup,
    SpringKind, State, Vec3, ViscousDamping, Workspace, World, forces, step,
};
use timing::{time, triad};

/// Provot's network, all springs elastic: what the literature counts.
fn provot(cells: u32) -> World {
    let mesh = Mesh::grid([1.0, 1.0], [cells, cells], Pattern::OneDiagonal).unwrap();
    let mut cloth = Cloth::new("sheet", mesh);
    let k = 100.0;
    cloth.material = Material::Raw(Raw {
        mass: 0.15 / f64::from(cells * cells),
        structural: k,
        shear: k,
        flexion: k,
        hinge: 0.0,
        damping: ViscousDamping::Constant(0.0),
        along: 0.0,
    });
    cloth.model = Model::MassSpring { bending: Bending::Flexion { curvature: 1.0 } };
    cloth.pins = vec![Pin::fixed(Select::Corners(vec![Corner::LeftTop, Corner::RightTop]))];
    World::new(springs(cloth)).unwrap()
}

/// Springs under an explicit method.
fn springs(cloth: Cloth) -> Setup {
    let cloth = match cloth.model {
        Model::MassSpring { .. } => cloth,
        _ => Cloth { model: Model::MassSpring { bending: Bending::Hinge }, ..cloth },
    };
    Setup { method: Some(Method::SymplecticEuler), ..Setup::with_cloth(cloth) }
}

/// A fabric with hinges and damping.
fn fabric(cells: u32) -> World {
    let mesh = Mesh::grid([1.0, 1.0], [cells, cells], Pattern::Alternating).unwrap();
    let mut cloth = Cloth::new("sheet", mesh);
    if let Material::Fabric(fabric) = &mut cloth.material {
        fabric.damping.stretch = 1e-5;
        fabric.damping.shear = 1e-4;
        fabric.damping.bend = 1e-3;
    }
    cloth.pins = vec![Pin::fixed(Select::Corners(vec![Corner::LeftTop, Corner::RightTop]))];
    World::new(springs(cloth)).unwrap()
}

/// A folded, moving state rather than a flat one at rest.
fn crumpled(world: &World) -> State {
    let mut state = world.start();
    for (x, v) in state.x.iter_mut().zip(&mut state.v) {
        x.z += 0.02 * (25.0 * x.x).sin() * (18.0 * x.y).cos();
        v.z = 0.3 * (9.0 * x.y).sin();
    }
    state
}

fn springs_of(world: &World) -> usize {
    SpringKind::ALL.into_iter().map(|kind| world.springs(kind).count()).sum()
}

/// Largest memory of this process so far, bytes, where the system tells (Linux).
fn peak_memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? * 1024.0)
}

/// Builds and steps a million vertices before anything else, so that the peak is theirs.
fn memory() {
    let before = peak_memory();
    let world = fabric(999);
    let built = peak_memory();
    let mut state = world.start();
    let mut work = Workspace::new(&world);
    step(&world, &mut state, &mut work).unwrap();
    let n = world.mass.len() as f64;
    println!("memory of 1,000,000 vertices with hinges, bytes a vertex:");
    println!("  world, state and workspace  {:>6.0}", world.memory() as f64 / n);
    if let (Some(before), Some(built), Some(after)) = (before, built, peak_memory()) {
        println!("  peak while building         {:>6.0}", (built - before) / n);
        println!("  peak with a step            {:>6.0}", (after - before) / n);
    }
    println!();
}

/// A soft sheet that swings down from two corners, backward Euler.
fn swinging(cells: u32, limit: Option<f64>) -> World {
    let mesh = Mesh::grid([1.0, 1.0], [cells, cells], Pattern::Alternating).unwrap();
    let mut cloth = Cloth::new("sheet", mesh);
    if let Material::Fabric(fabric) = &mut cloth.material {
        fabric.stretch = [500.0; 2];
        fabric.shear = 25.0;
    }
    cloth.pins = vec![Pin::fixed(Select::Corners(vec![Corner::LeftTop, Corner::RightTop]))];
    cloth.place.rotate = Vec3::new(90.0, 0.0, 0.0);
    let mut setup = Setup::with_cloth(cloth);
    setup.method = Some(Method::BackwardEuler(Implicit::default()));
    setup.limiter = limit.map(|limit| Limiter { limit, ..Limiter::default() });
    setup.time.adaptive = None;
    World::new(setup).unwrap()
}

/// What a limit of 1 % costs beside the step that it belongs to, from the same states.
fn kept_limit() {
    println!("\na limit of 1 % that is kept (backward Euler, 500 N/m, 2 threads), ms a step, mean of ten");
    println!(
        "{:>9} {:>12} {:>12} {:>10} {:>8} {:>14}",
        "vertices", "without", "with", "share", "rounds", "bytes/vertex"
    );
    for (cells, begin) in [(49, 0.3), (99, 0.2), (199, 0.1)] {
        let (world, free) = (swinging(cells, Some(0.01)), swinging(cells, None));
        let (mut work, mut free_work) = (Workspace::new(&world), Workspace::new(&free));
        let mut state = world.start();
        let (mut with, mut without, mut rounds) = (0.0, 0.0, 0);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        pool.install(|| {
            while state.time < begin {
                step(&world, &mut state, &mut work).unwrap();
            }
            for _ in 0..10 {
                let mut copy = state.clone();
                let t = Instant::now();
                step(&free, &mut copy, &mut free_work).unwrap();
                without += t.elapsed().as_secs_f64() * 100.0;
                let t = Instant::now();
                rounds += step(&world, &mut state, &mut work).unwrap().limiter_rounds;
                with += t.elapsed().as_secs_f64() * 100.0;
            }
        });
        println!(
            "{:>9} {without:>12.1} {with:>12.1} {:>8.0} % {:>8.1} {:>14.0}",
            world.mass.len(),
            100.0 * (1.0 - without / with),
            f64::from(rounds) / 10.0,
            world.memory() as f64 / world.mass.len() as f64
        );
    }
}

fn main() {
    let asked = |name: &str| std::env::args().any(|word| word == name);
    if asked("limit") {
        return kept_limit();
    }
    if asked("kernels") {
        return kernels::kernels();
    }
    memory();
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let one = pool(1);
    let dram = triad(4_000_000);
    println!("memory, one core: {:.1} GB/s in main memory (triad of 96 MB)\n", dram / 1e9);

    println!("spring forces, one core (Provot's network, elastic; sum of forces on all particles)");
    println!(
        "{:>9} {:>10} {:>12} {:>12} {:>11} {:>18}",
        "vertices", "springs", "Mspring/s", "median", "ns/spring", "of bandwidth"
    );
    for cells in [31, 99, 315, 999] {
        let world = provot(cells);
        let state = crumpled(&world);
        let mut work = Workspace::new(&world);
        let springs = springs_of(&world) as f64;
        let (least, median) = one.install(|| time(|| _ = black_box(forces(&world, &state, &mut work))));
        // what must go through memory at least once: springs, positions, masses, forces written (read for ownership
        // too)
        let bytes = springs * 24.0 + world.mass.len() as f64 * (24.0 + 8.0 + 48.0);
        println!(
            "{:>9} {:>10} {:>12.1} {:>12.1} {:>11.2} {:>17.0} %",
            world.mass.len(),
            springs,
            springs / least / 1e6,
            springs / median / 1e6,
            least / springs * 1e9,
            100.0 * bytes / least / dram,
        );
    }

    println!("\na step (symplectic Euler), ms: least and median");
    println!("{:>9} {:>24} {:>22} {:>22} {:>14}", "vertices", "cloth", "1 thread", "2 threads", "bytes/vertex");
    for cells in [99, 315, 999] {
        for (name, world) in [("Provot's springs", provot(cells)), ("fabric, hinges, damping", fabric(cells))] {
            let start = crumpled(&world);
            let mut cells = Vec::new();
            for threads in [1, 2] {
                let mut state = start.clone();
                let mut work = Workspace::new(&world);
                let (least, median) = pool(threads).install(|| {
                    time(|| {
                        if step(&world, &mut state, &mut work).is_err() {
                            state = start.clone();
                        }
                    })
                });
                cells.push(format!("{:.3} / {:.3}", least * 1e3, median * 1e3));
            }
            let per_vertex = world.memory() as f64 / world.mass.len() as f64;
            println!("{:>9} {:>24} {:>22} {:>22} {:>14.0}", world.mass.len(), name, cells[0], cells[1], per_vertex);
        }
    }
    kernels::kernels();
    kept_limit();
}
