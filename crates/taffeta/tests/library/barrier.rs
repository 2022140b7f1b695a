//! Contact by the barrier: cloth with cloth, with itself and with bodies; never through, with friction.

use std::sync::Arc;
use taffeta::intersect::crossings;
use taffeta::*;

fn sheet(name: &str, cells: u32, size: f64, thickness: f64, at: Vec3, rotate: Vec3) -> Cloth {
    let mesh = Mesh::grid([size; 2], [cells; 2], Pattern::Alternating).unwrap();
    let fabric = Fabric {
        density: 0.2,
        thickness,
        stretch: [5000.0; 2],
        shear: 2500.0,
        bend: [5e-6; 2],
        friction: Friction { cloth: 0.3, solid: 0.3 },
        ..Fabric::default()
    };
    let place = Place { at, rotate, ..Place::default() };
    Cloth { place, material: Material::Fabric(fabric), ..Cloth::new(name, mesh) }
}

const FLAT: Vec3 = Vec3::new(90.0, 0.0, 0.0);

fn setup(cloths: Vec<Cloth>, bodies: Vec<Body>) -> Setup {
    let contact = ContactSettings { cloth: Some(true), law: ContactLaw::Barrier, ..Default::default() };
    Setup { cloths, bodies, contact, ..Setup::default() }
}

fn ball(radius: f64) -> Body {
    Body { name: "ball".into(), shape: Shape::Sphere { radius }, ..Body::default() }
}

fn layers(count: u32, thickness: f64) -> Setup {
    let layer = |k: u32| {
        let at = Vec3::new(0.0, 0.13 + 0.003 * f64::from(k), 0.002 * f64::from(k));
        sheet(&format!("sheet {k}"), 14, 0.4, thickness, at, FLAT)
    };
    setup((0..count).map(layer).collect(), vec![ball(0.1)])
}

/// Runs frames and asserts after each that no triangles cross, and that no vertex is inside a body.
fn run_without_crossing(simulation: &mut Simulation, frames: u32) {
    for frame in 0..frames {
        simulation.frame().unwrap();
        let found = crossings(simulation.positions(), &simulation.world().triangles);
        assert!(found.is_empty(), "frame {frame}: {found:?}");
        for body in &simulation.world().bodies {
            let near = body.nearest(simulation.time()).unwrap();
            let least = simulation.positions().iter().map(|p| near(*p).distance).fold(f64::INFINITY, f64::min);
            assert!(least > 0.0, "frame {frame}: a vertex is {least} m inside {}", body.name);
        }
    }
}

#[test]
fn layers_on_a_ball_never_cross() {
    for thickness in [0.002, 0.0003] {
        let mut simulation = Simulation::new(layers(3, thickness)).unwrap();
        run_without_crossing(&mut simulation, 24);
        // it fell, and hangs over the ball
        let lowest = simulation.positions().iter().map(|p| p.y).fold(f64::INFINITY, f64::min);
        assert!(lowest < 0.0 && simulation.contacts().len() > 5, "{lowest} m");
    }
}

/// A mesh that neither moves nor deforms by itself.
#[derive(Debug)]
struct Still(Mesh);

impl BodyMesh for Still {
    fn vertices(&self) -> usize {
        self.0.rest.len()
    }
    fn triangles(&self) -> &[[u32; 3]] {
        &self.0.triangles
    }
    fn positions(&self, _: f64, x: &mut Vec<Vec3>) -> Result<(), PoseError> {
        x.clear();
        x.extend(&self.0.rest);
        Ok(())
    }
    fn span(&self) -> (f64, f64) {
        (0.0, 0.0)
    }
}

/// A tetrahedron whose tip points up.
fn spike() -> Mesh {
    let foot = |turn: f64| Vec3::new(0.05 * turn.to_radians().cos(), -0.2, 0.05 * turn.to_radians().sin());
    let triangles = vec![[0, 2, 1], [0, 3, 2], [0, 1, 3], [1, 2, 3]];
    Mesh::new(vec![Vec3::ZERO, foot(0.0), foot(120.0), foot(240.0)], triangles, None).unwrap()
}

/// The tip of a spike between the vertices, and its edges, do not pass through a sheet, while it rests or moves.
#[test]
fn a_mesh_with_a_sharp_tip_never_pierces_cloth() {
    for rises in [false, true] {
        let key = |t: f64, by: f64, turn: f64| Key { t, shift: Vec3::Y * by, turn: Vec3::new(0.0, turn, 0.0) };
        let keys = if rises { vec![key(0.0, 0.0, 0.0), key(0.3, 0.5, 200.0)] } else { Vec::new() };
        let body = Body {
            name: "spike".into(),
            shape: Shape::Mesh(Arc::new(Still(spike()))),
            place: Place { at: Vec3::new(0.003, 0.0, 0.007), ..Place::default() },
            motion: Motion { keys, smooth: false },
            ..Body::default()
        };
        let cloth = sheet("sheet", 10, 0.4, 0.0005, Vec3::Y * 0.01, FLAT);
        // an exact shape beside it
        let floor =
            Body { name: "floor".into(), place: Place { at: Vec3::Y * -0.3, ..Place::default() }, ..Body::default() };
        let mut simulation = Simulation::new(setup(vec![cloth], vec![floor, body.clone()])).unwrap();
        let n = simulation.positions().len() as u32;
        let mut triangles = simulation.world().triangles.clone();
        triangles.extend(spike().triangles.iter().map(|v| v.map(|v| v + n)));
        for frame in 0..24 {
            simulation.frame().unwrap();
            let mut x = simulation.positions().to_vec();
            let mut of_body = spike().rest;
            body.put(simulation.time(), &mut of_body);
            x.extend(of_body);
            let found = crossings(&x, &triangles);
            assert!(found.is_empty(), "{rises}, frame {frame}: {found:?}");
        }
        let held = simulation.positions().iter().map(|p| p.y).fold(f64::NEG_INFINITY, f64::max);
        assert!(held > if rises { 0.3 } else { -0.05 }, "it hangs on the tip: {held} m");
        assert!(simulation.state().contacts.len() + simulation.state().touching.list.len() > 0);
    }
}

/// A guard that braked common motion would slow the fall.
#[test]
fn a_stack_of_close_sheets_falls_freely() {
    let mut stack = layers(4, 0.002);
    stack.bodies.clear();
    stack.method = Some(Method::BackwardEuler(Implicit::default()));
    let mut simulation = Simulation::new(stack).unwrap();
    let before: Vec<Vec3> = simulation.positions().to_vec();
    for _ in 0..15 {
        simulation.frame().unwrap();
    }
    // backward Euler: x = g h² n (n + 1)/2
    let steps = f64::from(15 * simulation.world().steps_per_frame);
    let fallen = 9.81 * simulation.world().h.powi(2) * steps * (steps + 1.0) / 2.0;
    for (x, before) in simulation.positions().iter().zip(&before) {
        assert!((before.y - x.y - fallen).abs() < 1e-9, "{} m instead of {fallen} m", before.y - x.y);
    }
}

#[test]
fn a_twisted_sheet_does_not_cross_itself() {
    let mut cloth = sheet("sheet", 20, 0.4, 0.002, Vec3::ZERO, Vec3::ZERO);
    let key = |k: u32| Key { t: 0.1 * f64::from(k), shift: Vec3::ZERO, turn: Vec3::new(45.0 * f64::from(k), 0.0, 0.0) };
    let motion = Motion { keys: (0..=12).map(key).collect(), smooth: false };
    cloth.pins =
        vec![Pin::fixed(Select::Edge(vec![Side::Left])), Pin { motion, ..Pin::fixed(Select::Edge(vec![Side::Right])) }];
    let mut simulation = Simulation::new(setup(vec![cloth], Vec::new())).unwrap();
    run_without_crossing(&mut simulation, 72);
    assert!(!simulation.state().touching.list.is_empty(), "it is wound up");
}

/// The same bits on any number of threads, and from a copy of the state with new buffers.
#[test]
fn contact_has_the_same_bits_on_any_number_of_threads_and_after_a_break() {
    let world = Arc::new(World::new(layers(3, 0.0005)).unwrap());
    let run = |threads: usize, again: bool| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut simulation = Simulation::of(world.clone());
            for _ in 0..12 {
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
    assert!(!first.touching.list.is_empty());
    for (threads, again) in [(2, false), (3, true), (8, false)] {
        assert!(run(threads, again) == first, "{threads} threads");
    }
}

/// A square of cloth on a slope, which is a body or a cloth that is pinned.
fn on_slope(slope: f64, on_cloth: bool) -> Simulation {
    let angle = slope.atan();
    let thickness = 0.001;
    let up = Vec3::new(-angle.sin(), angle.cos(), 0.0);
    let rotate = Vec3::new(90.0, 0.0, angle.to_degrees());
    // compressed by its own weight, so that it neither falls nor springs up
    let distance = if on_cloth { 0.9965 * thickness } else { 0.495 * thickness };
    let top = sheet("top", 6, 0.12, thickness, up * distance, rotate);
    let mut all = vec![top];
    let mut bodies = Vec::new();
    if on_cloth {
        let mut below = sheet("below", 12, 0.6, thickness, Vec3::ZERO, rotate);
        below.pins = vec![Pin::fixed(Select::All)];
        all.push(below);
    } else {
        let place = Place { rotate: Vec3::new(0.0, 0.0, angle.to_degrees()), ..Place::default() };
        bodies.push(Body { name: "slope".into(), place, ..Body::default() });
    }
    Simulation::new(setup(all, bodies)).unwrap()
}

fn mean(values: &[Vec3]) -> Vec3 {
    values[..49].iter().sum::<Vec3>() / 49.0
}

fn run_until(simulation: &mut Simulation, time: f64) {
    while simulation.time() < time - 1e-9 {
        simulation.frame().unwrap();
    }
}

/// Friction of 0.3 holds a slope of 0.297: what moves is the elastic slip of 20 µm, at the start.
#[test]
fn cloth_sticks_below_the_friction_angle() {
    for on_cloth in [false, true] {
        let mut simulation = on_slope(0.297, on_cloth);
        // until it has settled
        run_until(&mut simulation, 0.5);
        let early = mean(simulation.positions());
        run_until(&mut simulation, 2.0);
        let creeps = mean(simulation.positions()).distance(early);
        assert!(creeps < 1e-6, "{on_cloth}: it creeps by {creeps} m");
    }
}

/// On a slope of 1.3 times the threshold the acceleration is g (sin - μ cos).
#[test]
fn cloth_slides_by_coulomb_above_the_friction_angle_of_a_body() {
    let mut simulation = on_slope(0.39, false);
    // until it has settled
    run_until(&mut simulation, 0.2);
    let early = mean(simulation.velocities());
    run_until(&mut simulation, 0.6);
    let found = mean(simulation.velocities()).distance(early) / 0.4;
    let angle = 0.39f64.atan();
    let expected = 9.81 * (angle.sin() - 0.3 * angle.cos());
    assert!((found / expected - 1.0).abs() < 0.03, "{found} m/s² instead of {expected} m/s²");
}

/// Two pinned sheets, one of them driven through the other: the run ends with the place, and the last good state stays.
#[test]
fn pins_that_are_driven_through_cloth_end_the_run() {
    let hold = |mut cloth: Cloth, by: f64| {
        let key = |t: f64, shift: Vec3| Key { t, shift, turn: Vec3::ZERO };
        let keys = vec![key(0.0, Vec3::ZERO), key(0.2, Vec3::Y * by)];
        cloth.pins = vec![Pin { motion: Motion { keys, smooth: false }, ..Pin::fixed(Select::All) }];
        cloth
    };
    let below = hold(sheet("below", 4, 0.1, 0.001, Vec3::ZERO, FLAT), 0.05);
    let above = hold(sheet("above", 4, 0.1, 0.001, Vec3::Y * 0.02, FLAT), 0.0);
    let mut simulation = Simulation::new(setup(vec![below, above], Vec::new())).unwrap();
    let error = loop {
        match simulation.frame() {
            Ok(_) => assert!(simulation.time() < 0.2, "there is no room"),
            Err(error) => break error.to_string(),
        }
    };
    assert!(error.contains("no room") && error.contains("of `"), "{error}");
    assert!(crossings(simulation.positions(), &simulation.world().triangles).is_empty());
    assert!(simulation.time() > 0.06, "it goes on until the sheets meet: {}", simulation.time());
}

#[test]
fn what_does_not_go_together_is_refused() {
    let contact = ContactSettings { cloth: Some(true), law: ContactLaw::Constraint, ..Default::default() };
    let problems = World::new(Setup { contact, ..layers(1, 0.001) }).unwrap_err();
    assert!(problems[0].to_string().contains("barrier"), "{problems:?}");
    let problems = World::new(Setup { method: Some(Method::FilteredEuler), ..layers(1, 0.001) }).unwrap_err();
    assert!(problems[0].to_string().contains("filtered-euler"), "{problems:?}");
}

/// A ball under resting cloth begins to move in any direction: nothing is in its way.
#[test]
fn an_exact_shape_that_begins_to_move_under_cloth_carries_it() {
    for shift in [Vec3::Y, Vec3::X, Vec3::ZERO] {
        let key = |t: f64, by: f64| Key { t, shift: shift * by, turn: Vec3::Y * (1000.0 * by) };
        let keys = vec![key(0.0, 0.0), key(0.05, 0.0), key(0.15, 0.02)];
        let ball = Body { motion: Motion { keys, smooth: false }, ..ball(0.25) };
        let cloth = sheet("sheet", 16, 0.8, 0.0005, Vec3::Y * 0.2505, FLAT);
        let mut simulation = Simulation::new(setup(vec![cloth], vec![ball])).unwrap();
        run_without_crossing(&mut simulation, 12);
    }
}

#[test]
fn cloth_slides_freely_over_a_fine_mesh_without_friction() {
    let slope = 0.3f64;
    let mut cloth = sheet("sheet", 8, 0.2, 0.001, Vec3::Y * 0.00049, FLAT);
    if let Material::Fabric(fabric) = &mut cloth.material {
        fabric.friction = Friction { cloth: 0.0, solid: 0.0 };
    }
    let floor = Body {
        name: "floor".into(),
        shape: Shape::Mesh(Arc::new(Still(Mesh::grid([3.0, 1.0], [60, 20], Pattern::Alternating).unwrap()))),
        place: Place { at: Vec3::X, rotate: FLAT, ..Place::default() },
        friction: Some(0.0),
        ..Body::default()
    };
    let gravity = Vec3::new(slope.sin(), -slope.cos(), 0.0) * 9.81;
    let mut simulation = Simulation::new(Setup { gravity, ..setup(vec![cloth], vec![floor]) }).unwrap();
    let before = mean(simulation.positions());
    run_until(&mut simulation, 0.6);
    let moved = mean(simulation.positions()) - before;
    let expected = 0.5 * 9.81 * slope.sin() * 0.36;
    assert!((moved.x / expected - 1.0).abs() < 0.05, "{moved} instead of {expected}");
}

/// A bar as a mesh that turns at ten turns a second, and one that comes at 50 m/s: steps are a few hundredths of its
/// length, so cloth is pushed out of its way, and never crossed.
#[test]
fn fast_meshes_push_cloth_out_of_their_way() {
    let corner =
        |k: usize, half: Vec3| half * Vec3::from_array([4, 2, 1].map(|bit| if k & bit == 0 { -1.0 } else { 1.0 }));
    let triangles = [
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
    let bar =
        Mesh::new((0..8).map(|k| corner(k, Vec3::new(0.4, 0.05, 0.05))).collect(), triangles.to_vec(), None).unwrap();
    let still = Key { t: 0.0, shift: Vec3::ZERO, turn: Vec3::ZERO };
    let turns = Key { t: 0.1, turn: Vec3::new(0.0, 360.0, 0.0), ..still };
    let rises = Key { t: 0.01, shift: Vec3::Y * 0.5, ..still };
    for (key, reaches) in [(turns, -0.2), (rises, 0.4)] {
        let body = Body {
            name: "bar".into(),
            shape: Shape::Mesh(Arc::new(Still(bar.clone()))),
            place: Place { at: Vec3::Y * -0.06, ..Place::default() },
            motion: Motion { keys: vec![still, key], smooth: false },
            ..Body::default()
        };
        let cloth = sheet("sheet", 20, 1.0, 0.001, Vec3::ZERO, FLAT);
        let mut simulation = Simulation::new(setup(vec![cloth], vec![body.clone()])).unwrap();
        let n = simulation.positions().len() as u32;
        let mut triangles = simulation.world().triangles.clone();
        triangles.extend(bar.triangles.iter().map(|v| v.map(|v| v + n)));
        for frame in 0..8 {
            simulation.frame().unwrap();
            let mut x = simulation.positions().to_vec();
            let mut of_body = bar.rest.clone();
            body.put(simulation.time(), &mut of_body);
            x.extend(of_body);
            let found = crossings(&x, &triangles);
            assert!(found.is_empty(), "{key:?}, frame {frame}: {found:?}");
        }
        let highest = simulation.positions().iter().map(|p| p.y).fold(f64::NEG_INFINITY, f64::max);
        assert!(highest > reaches, "{key:?}: {highest} m");
    }
}

/// A sheet that falls on a floor from a metre stays there, with both methods: their past must not throw it back.
#[test]
fn what_falls_on_a_body_stays_there() {
    for method in [Method::BackwardEuler(Implicit::default()), Method::Bdf2(Implicit::default())] {
        let floor = Body { name: "floor".into(), ..Body::default() };
        let cloth = sheet("sheet", 8, 0.3, 0.001, Vec3::Y, FLAT);
        let mut simulation =
            Simulation::new(Setup { method: Some(method), ..setup(vec![cloth], vec![floor]) }).unwrap();
        // it takes 0.452 s
        run_until(&mut simulation, 0.47);
        let weight = 9.81 * simulation.world().mass.iter().sum::<f64>();
        for _ in 0..30 {
            simulation.frame().unwrap();
            let highest = simulation.positions().iter().map(|p| p.y).fold(f64::NEG_INFINITY, f64::max);
            assert!(highest < 1e-3, "{}: {highest} m", method.name());
        }
        let force = simulation.body_force("floor").unwrap();
        assert!((force - Vec3::Y * weight).length() < 1e-3 * weight, "{}: {force} of {weight}", method.name());
    }
}

/// 1 m/s on a floor with friction 0.3 stops after v²/2μg and does not turn back by more than the elastic slip.
#[test]
fn a_sheet_stops_where_its_energy_is_spent() {
    for method in [Method::BackwardEuler(Implicit::default()), Method::Bdf2(Implicit::default())] {
        let floor = Body { name: "floor".into(), ..Body::default() };
        let mut cloth = sheet("sheet", 6, 0.12, 0.001, Vec3::Y * 0.000495, FLAT);
        cloth.velocity = Vec3::X;
        let mut simulation =
            Simulation::new(Setup { method: Some(method), ..setup(vec![cloth], vec![floor]) }).unwrap();
        let start = mean(simulation.positions());
        let mut farthest = 0.0f64;
        while simulation.time() < 0.6 {
            simulation.step().unwrap();
            farthest = farthest.max((mean(simulation.positions()) - start).x);
        }
        let way = (mean(simulation.positions()) - start).x;
        let expected = 1.0 / (2.0 * 0.3 * 9.81);
        assert!((way / expected - 1.0).abs() < 0.02, "{}: {way} m instead of {expected} m", method.name());
        assert!(farthest - way < 3e-5, "{}: back by {} m", method.name(), farthest - way);
    }
}

/// A sheet that swings from a corner folds onto itself, with every method that has contact.
#[test]
fn explicit_methods_let_nothing_cross() {
    for method in [Method::SymplecticEuler, Method::Verlet { damping: 0.0 }, Method::Imex(Imex::default())] {
        let mut stack = layers(2, 0.002);
        stack.bodies = vec![ball(0.12)];
        for cloth in &mut stack.cloths {
            if let Material::Fabric(fabric) = &mut cloth.material {
                (fabric.stretch, fabric.shear) = ([300.0; 2], 100.0);
            }
        }
        let mut simulation = Simulation::new(Setup { method: Some(method), ..stack }).unwrap();
        run_without_crossing(&mut simulation, 15);
        assert!(!simulation.state().touching.list.is_empty(), "{method:?}: nothing touches");
    }
}

/// A ring whose tube is as thin as the triangles are long.
#[test]
fn nothing_goes_through_a_ring() {
    let ring = Body { name: "ring".into(), shape: Shape::Torus { radius: 0.12, tube: 0.015 }, ..Body::default() };
    let cloth = sheet("sheet", 14, 0.4, 0.001, Vec3::Y * 0.03, FLAT);
    let mut simulation = Simulation::new(setup(vec![cloth], vec![ring])).unwrap();
    run_without_crossing(&mut simulation, 20);
    let (radius, tube) = (0.12, 0.015);
    let middles = simulation.world().triangles.iter().flat_map(|v| {
        let x = v.map(|v| simulation.positions()[v as usize]);
        [(x[0] + x[1] + x[2]) / 3.0, 0.5 * (x[0] + x[1]), 0.5 * (x[1] + x[2]), 0.5 * (x[2] + x[0]), x[0]]
    });
    let depth = middles.map(|p| tube - (p.x.hypot(p.z) - radius).hypot(p.y)).fold(f64::NEG_INFINITY, f64::max);
    assert!(depth < 0.0 && !simulation.state().touching.list.is_empty(), "{depth}");
}

/// Where cloth of the filter comes near itself, the run goes over to BDF2, which goes on from there; a snapshot on
/// either side of it has the same future.
#[test]
fn a_run_of_the_filter_goes_over_to_a_method_with_contact() {
    let mut cloth = sheet("sheet", 16, 0.5, 0.001, Vec3::ZERO, Vec3::ZERO);
    cloth.pins = vec![Pin::fixed(Select::Corners(vec![Corner::LeftTop]))];
    cloth.noise = Some(Noise { size: 1e-3, seed: 2 });
    if let Material::Fabric(fabric) = &mut cloth.material {
        (fabric.stretch, fabric.shear, fabric.bend) = ([1000.0; 2], 600.0, [1e-5; 2]);
    }
    let mut simulation = Simulation::new(Setup::with_cloth(cloth)).unwrap();
    assert_eq!(simulation.world().method.name(), "filtered-euler");
    let mut before = simulation.snapshot();
    while simulation.state().went_over.is_none() {
        assert!(simulation.time() < 3.0, "it never comes near itself");
        before = simulation.snapshot();
        simulation.frame().unwrap();
    }
    assert_eq!(simulation.world().method.name(), "bdf2");
    run_without_crossing(&mut simulation, 20);
    let after = simulation.snapshot();
    let end = |simulation: &mut Simulation| -> State {
        (0..5).for_each(|_| _ = simulation.frame().unwrap());
        simulation.state().clone()
    };
    let first = end(&mut simulation);
    simulation.restore(&after).unwrap();
    assert!(end(&mut simulation) == first, "from a state after it went over");
    simulation.restore(&before).unwrap();
    assert_eq!(simulation.world().method.name(), "filtered-euler");
    while simulation.state().frame < after.state().frame {
        simulation.frame().unwrap();
    }
    assert!(simulation.state() == after.state(), "from a state before");
    simulation.go_to(after.state().clone()).unwrap();
    assert!(end(&mut simulation) == first, "from a checkpoint");
    // no other world can have gone over
    let other = Simulation::new(layers(1, 0.001)).unwrap();
    assert!(other.check(after.state()).is_err());
}
