//! Starts in which triangles cross: refused with words that help, or exempt until they have come apart.

use std::sync::Arc;
use taffeta::intersect::{crossings, crossings_between};
use taffeta::*;

fn sheet(name: &str, cells: u32, size: f64, at: Vec3, rotate: Vec3) -> Cloth {
    let mesh = Mesh::grid([size; 2], [cells; 2], Pattern::Alternating).unwrap();
    of(name, mesh, at, rotate)
}

fn of(name: &str, mesh: Mesh, at: Vec3, rotate: Vec3) -> Cloth {
    let fabric = Fabric {
        density: 0.2,
        thickness: 0.001,
        stretch: [2000.0; 2],
        shear: 1000.0,
        bend: [1e-4; 2],
        friction: Friction { cloth: 0.3, solid: 0.3 },
        ..Fabric::default()
    };
    let place = Place { at, rotate, ..Place::default() };
    Cloth { place, material: Material::Fabric(fabric), ..Cloth::new(name, mesh) }
}

const FLAT: Vec3 = Vec3::new(90.0, 0.0, 0.0);

fn setup(cloths: Vec<Cloth>, bodies: Vec<Body>, start: ContactStart) -> Setup {
    let contact = ContactSettings { cloth: Some(true), law: ContactLaw::Barrier, start, ..Default::default() };
    Setup { cloths, bodies, contact, ..Setup::default() }
}

/// A sheet that stands in a lying one, off the lines of both meshes.
fn crossed(start: ContactStart) -> Setup {
    let mut lying = sheet("lying", 8, 0.2, Vec3::ZERO, FLAT);
    lying.pins = vec![Pin::fixed(Select::Edge(vec![Side::Left, Side::Right]))];
    let standing = sheet("standing", 7, 0.14, Vec3::new(0.003, 0.013, 0.007), Vec3::new(0.0, 20.0, 10.0));
    setup(vec![lying, standing], Vec::new(), start)
}

/// A cube from -0.05 m to 0.05 m.
#[derive(Debug)]
struct Cube;

const SIDES: [[u32; 3]; 12] = [
    [0, 1, 3],
    [0, 3, 2],
    [4, 6, 7],
    [4, 7, 5],
    [0, 4, 5],
    [0, 5, 1],
    [2, 3, 7],
    [2, 7, 6],
    [0, 2, 6],
    [0, 6, 4],
    [1, 5, 7],
    [1, 7, 3],
];

impl BodyMesh for Cube {
    fn vertices(&self) -> usize {
        8
    }
    fn triangles(&self) -> &[[u32; 3]] {
        &SIDES
    }
    fn positions(&self, _: f64, x: &mut Vec<Vec3>) -> Result<(), PoseError> {
        let side = |on: u32| if on == 0 { -0.05 } else { 0.05 };
        x.clear();
        x.extend((0..8).map(|k: u32| Vec3::new(side(k & 1), side(k & 2), side(k & 4))));
        Ok(())
    }
    fn span(&self) -> (f64, f64) {
        (0.0, 0.0)
    }
}

fn cube(at: Vec3) -> Body {
    let place = Place { at, ..Place::default() };
    Body { name: "cube".into(), shape: Shape::Mesh(Arc::new(Cube)), place, ..Body::default() }
}

/// All pairs that cross, numbered as in a state.
fn crossing(simulation: &Simulation) -> Vec<[u32; 2]> {
    let world = simulation.world();
    let (mut x, triangles) = (simulation.positions().to_vec(), &world.triangles);
    let mut found = crossings(&x, triangles);
    for body in &world.bodies {
        let n = x.len() as u32;
        let mut points = Vec::new();
        Cube.positions(0.0, &mut points).unwrap();
        body.put(simulation.time(), &mut points);
        x.extend(points);
        let of_body = crossings_between(&x, triangles, &SIDES.map(|v| v.map(|v| v + n)));
        found.extend(of_body.into_iter().map(|[a, b]| [a, triangles.len() as u32 + b]));
    }
    found.sort_unstable();
    found
}

/// Runs frames and asserts after each that what crosses is exempt.
fn run_exempt(simulation: &mut Simulation, frames: u32) {
    for frame in 0..frames {
        simulation.frame().unwrap();
        let list = &simulation.state().exempt.list;
        let found = crossing(simulation);
        let other: Vec<_> = found.iter().filter(|pair| list.binary_search(pair).is_err()).collect();
        assert!(other.is_empty(), "frame {frame}: {other:?} cross and are not exempt, of {}", found.len());
        assert!(simulation.positions().iter().all(|p| p.is_finite()));
    }
}

fn refusal(setup: Setup) -> Vec<Problem> {
    World::new(setup).expect_err("it crosses")
}

#[test]
fn sheets_that_cross_are_refused_with_their_triangles() {
    let problems = refusal(crossed(ContactStart::Refuse));
    assert_eq!(problems.len(), 1, "{problems:?}");
    let Problem { path, message, help } = &problems[0];
    assert_eq!(path, "cloth.1.place");
    let world = World::new(crossed(ContactStart::Exempt)).unwrap();
    let list = world.start().exempt.list;
    assert_eq!(list, crossings(&world.start, &world.triangles));
    let [a, b] = list[0];
    let (count, b) = (list.len(), b as usize - world.cloths[1].triangles.start);
    let expected = format!(
        "at the start `lying` and `standing` cross in {count} pairs of triangles, first triangle {a} of `lying` \
         and triangle {b} of `standing`, near ["
    );
    assert!(message.starts_with(&expected), "{message}");
    assert!(help.contains("move the cloths apart") && help.contains("`contact.start = \"exempt\"`"), "{help}");
    // cloth that does not collide with cloth may cross it
    let mut only_bodies = crossed(ContactStart::Refuse);
    (only_bodies.contact.cloth, only_bodies.bodies) = (Some(false), vec![cube(Vec3::Y)]);
    assert!(World::new(only_bodies).unwrap().start().exempt.list.is_empty());
}

/// Two halves with a seam of vertices at the same places: the most frequent mistake in files.
#[test]
fn cloth_with_a_seam_that_is_not_welded_is_refused_with_the_way_to_weld_it() {
    let half = Mesh::grid([0.1, 0.1], [4, 4], Pattern::Alternating).unwrap();
    let n = half.rest.len() as u32;
    let rest: Vec<Vec3> = half.rest.iter().copied().chain(half.rest.iter().map(|p| *p + Vec3::X * 0.1)).collect();
    let triangles: Vec<[u32; 3]> =
        half.triangles.iter().copied().chain(half.triangles.iter().map(|t| t.map(|v| v + n))).collect();
    let mesh = Mesh::new(rest, triangles, None).unwrap();
    let problems = refusal(setup(vec![of("shirt", mesh, Vec3::ZERO, FLAT)], Vec::new(), ContactStart::Refuse));
    assert_eq!(problems.len(), 1, "{problems:?}");
    let Problem { path, message, help } = &problems[0];
    assert_eq!(path, "cloth.0.mesh");
    assert!(message.contains("`shirt` crosses itself"), "{message}");
    assert!(help.contains("same place") && help.contains("weld = 0.0"), "{help}");
}

#[test]
fn cloth_through_a_mesh_is_refused_and_pins_may_hold_it_there() {
    let through = |pins: Vec<Pin>| {
        let mut cloth = sheet("sheet", 10, 0.3, Vec3::new(0.004, 0.01, 0.003), FLAT);
        cloth.pins = pins;
        setup(vec![cloth], vec![cube(Vec3::ZERO)], ContactStart::Refuse)
    };
    let problems = refusal(through(Vec::new()));
    assert_eq!(problems.len(), 1, "{problems:?}");
    let Problem { path, message, help } = &problems[0];
    assert_eq!(path, "body.0.place");
    assert!(message.starts_with("at the start `sheet` and `cube` cross in "), "{message}");
    assert!(message.contains(" of `cube`, near ["), "{message}");
    assert!(help.contains("pin the cloth there in all directions"), "{help}");
    // what is not held in all directions is refused, and what crosses it beside
    let all = Select::Sphere { centre: Vec3::ZERO, radius: 0.11 };
    let slides = Pin { hold: Hold::Axes([true, true, false]), ..Pin::fixed(all.clone()) };
    assert!(World::new(through(vec![slides])).is_err());
    let mut simulation = Simulation::new(through(vec![Pin::fixed(all)])).unwrap();
    assert!(!simulation.state().exempt.list.is_empty());
    run_exempt(&mut simulation, 20);
    assert!(!simulation.state().exempt.list.is_empty(), "pins hold it there");
}

#[test]
fn crossed_sheets_that_are_exempt_keep_all_other_pairs_apart() {
    let mut simulation = Simulation::new(crossed(ContactStart::Exempt)).unwrap();
    let first = simulation.state().exempt.list.clone();
    run_exempt(&mut simulation, 45);
    let list = &simulation.state().exempt.list;
    assert!(*list != first, "crossings have wandered");
    // everything else collides: nothing of the sheets is where it could not be
    assert!(simulation.state().exempt.most > list.len());
}

/// A corner that reaches through a sheet is pulled out: it heals, and the sheet then keeps it on its side.
#[test]
fn a_corner_that_is_pulled_out_collides_from_then_on() {
    let mut lying = sheet("lying", 8, 0.2, Vec3::ZERO, FLAT);
    lying.pins = vec![Pin::fixed(Select::All)];
    // a square that stands on its corner
    let mut standing = sheet("standing", 6, 0.1, Vec3::new(0.003, 0.06, 0.004), Vec3::new(0.0, 10.0, 45.0));
    let key = |t: f64, by: f64| Key { t, shift: Vec3::Y * by, turn: Vec3::ZERO };
    let motion = Motion { keys: vec![key(0.0, 0.0), key(0.2, 0.03), key(0.5, -0.02)], smooth: false };
    let top = Select::Sphere { centre: Vec3::new(0.003, 0.13, 0.004), radius: 0.03 };
    standing.pins = vec![Pin { motion, ..Pin::fixed(top) }];
    let mut simulation = Simulation::new(setup(vec![lying, standing], Vec::new(), ContactStart::Exempt)).unwrap();
    assert!(!simulation.state().exempt.list.is_empty());
    run_exempt(&mut simulation, 12);
    assert!(simulation.state().exempt.list.is_empty() && crossing(&simulation).is_empty(), "it came out");
    let lowest = |simulation: &Simulation| {
        let range = simulation.world().cloths[1].vertices.clone();
        simulation.positions()[range].iter().map(|p| p.y).fold(f64::INFINITY, f64::min)
    };
    assert!(lowest(&simulation) > 0.0);
    // and back, against the sheet
    run_exempt(&mut simulation, 18);
    assert!(simulation.state().exempt.list.is_empty() && lowest(&simulation) > 0.0, "{} m", lowest(&simulation));
}

#[test]
fn crossings_have_the_same_bits_on_any_number_of_threads_and_after_a_break() {
    let world = Arc::new(World::new(crossed(ContactStart::Exempt)).unwrap());
    let run = |threads: usize, again: bool| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut simulation = Simulation::of(world.clone());
            for _ in 0..4 {
                simulation.frame().unwrap();
                if again {
                    let state = simulation.state().clone();
                    simulation = Simulation::of(world.clone());
                    simulation.go_to(state).unwrap();
                }
            }
            simulation.state().clone()
        })
    };
    let first = run(1, false);
    assert!(!first.exempt.list.is_empty() && first.exempt.list != world.start().exempt.list);
    for (threads, again) in [(2, false), (3, true)] {
        assert!(run(threads, again) == first, "{threads} threads");
    }
}

#[test]
fn lists_that_cannot_be_are_refused() {
    let mut simulation = Simulation::new(crossed(ContactStart::Exempt)).unwrap();
    let good = simulation.state().clone();
    let all = simulation.world().triangles.len() as u32;
    for list in [vec![[0, all]], vec![[3, 3]], vec![[2, 1]], vec![[0, 1], [0, 1]], vec![[1, 2], [0, 3]]] {
        let mut bad = good.clone();
        bad.exempt.list = list;
        assert!(matches!(simulation.go_to(bad), Err(ImpossibleState::Crossing { .. })));
    }
    let mut bad = good.clone();
    bad.exempt.most = 1;
    assert!(simulation.go_to(bad).is_err());
    simulation.go_to(good).unwrap();
}

/// A sheet in the place of another one: more pairs than could ever come apart, and no panic.
#[test]
fn two_sheets_in_one_place_run_on() {
    let cloths = vec![sheet("one", 5, 0.1, Vec3::ZERO, FLAT), sheet("two", 5, 0.1, Vec3::ZERO, FLAT)];
    assert!(World::new(setup(cloths.clone(), Vec::new(), ContactStart::Refuse)).is_err());
    let mut simulation = Simulation::new(setup(cloths, Vec::new(), ContactStart::Exempt)).unwrap();
    run_exempt(&mut simulation, 5);
}

/// Crumpled sheets in each other and in a cube that rests or moves.
#[test]
#[ignore = "slow: 12 tangled starts, a minute"]
fn tangled_cloth_keeps_all_other_pairs_apart() {
    for seed in 0..12u64 {
        let mut one = sheet("one", 14, 0.2, Vec3::ZERO, FLAT);
        one.noise = Some(Noise { size: [0.004, 0.007, 0.01][seed as usize % 3], seed });
        one.pins = vec![Pin::fixed(Select::Edge(vec![Side::Left, Side::Right]))];
        let rotate = Vec3::new(10.0 * seed as f64, 20.0, 10.0);
        let other = sheet("other", 11, 0.15, Vec3::new(0.003, 0.02, 0.007), rotate);
        let mut body = cube(Vec3::new(0.02, -0.02, 0.01));
        if seed % 4 == 1 {
            let key = |t: f64, by: f64, turn: f64| Key { t, shift: Vec3::Y * by, turn: Vec3::new(0.0, turn, 0.0) };
            body.motion = Motion { keys: vec![key(0.0, 0.0, 0.0), key(0.8, -0.06, 60.0)], smooth: false };
        }
        let bodies = if seed % 4 < 2 { vec![body] } else { Vec::new() };
        let mut simulation = Simulation::new(setup(vec![one, other], bodies, ContactStart::Exempt)).unwrap();
        let first = simulation.state().exempt.list.len();
        run_exempt(&mut simulation, 60);
        let last = simulation.state().exempt.list.len();
        println!("seed {seed}: {first} pairs at the start, {last} after a second");
        assert!(first > 0);
    }
}
