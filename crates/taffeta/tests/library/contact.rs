//! Contact with bodies: nothing inside, rest, forces, hard cases.

use crate::common::*;
use rayon::prelude::*;
use taffeta::*;

/// A sheet that lies flat above the origin.
fn flat(size: f64, cells: u32, height: f64) -> Cloth {
    let mut cloth = grid([size, size], [cells, cells], Pattern::Alternating, fabric());
    cloth.place = Place { rotate: Vec3::new(-90.0, 0.0, 0.0), at: Vec3::new(0.0, height, 0.0), ..Place::default() };
    cloth
}

/// Advances frame by frame; the deepest point over all of them, in thicknesses.
fn deepest_of(run: &mut Run, frames: u32) -> f64 {
    let mut worst = f64::NEG_INFINITY;
    for _ in 0..frames {
        run.frame();
        let found = deepest(&run.world, &run.state).expect("there are bodies");
        worst = worst.max(found.depth / fabric().thickness);
    }
    worst
}

#[test]
fn no_point_of_a_draped_cloth_is_deeper_than_its_thickness() {
    let shapes = [
        ("ball", Shape::Sphere { radius: 0.12 }),
        ("box", Shape::Box { size: [0.2, 0.2, 0.2] }),
        ("cylinder", Shape::Cylinder { radius: 0.1, height: 0.2 }),
        ("capsule", Shape::Capsule { radius: 0.1, height: 0.1 }),
        ("cone", Shape::Cone { radius: 0.15, height: 0.2 }),
        ("torus", Shape::Torus { radius: 0.12, tube: 0.05 }),
    ];
    for (name, shape) in shapes {
        // edges of a torus with so thin a tube must be shorter
        let cells = if name == "torus" { 50 } else { 24 };
        let mut setup = Setup::with_cloth(flat(0.5, cells, 0.16));
        setup.bodies = vec![body(name, shape.clone(), Vec3::ZERO)];
        let mut run = Run::new(setup);
        let worst = deepest_of(&mut run, 40);
        println!("{name} {cells}: deepest {worst:.3} thicknesses, stretch {:.3}", run.measure().max_stretch);
        assert!(worst <= 1.0, "{name}: {worst}");
    }
}

/// A damped fabric: real cloth comes to rest in seconds.
fn damped() -> Fabric {
    let damping = FabricDamping { stretch: 0.01, shear: 0.01, bend: 0.01, air: 0.1 };
    Fabric { damping, ..fabric() }
}

#[test]
fn cloth_comes_to_rest_and_its_weight_is_carried() {
    let table = ("table", Shape::Box { size: [0.6, 0.1, 0.6] }, 0.06);
    comes_to_rest([table, ("ball", Shape::Sphere { radius: 0.12 }, 0.13)]);
}

#[test]
#[ignore = "slow: 20 s"]
fn cloth_comes_to_rest_on_sharp_bodies_and_its_weight_is_carried() {
    let cylinder = ("cylinder", Shape::Cylinder { radius: 0.1, height: 0.2 }, 0.11);
    comes_to_rest([cylinder, ("box", Shape::Box { size: [0.2, 0.2, 0.2] }, 0.11)]);
}

fn comes_to_rest(cases: [(&str, Shape, f64); 2]) {
    const SECONDS: u32 = 40;
    cases.into_par_iter().for_each(|(name, shape, height)| {
        // rims need edges that are not too coarse for the radius
        let mut cloth = flat(0.4, if name == "cylinder" { 16 } else { 10 }, height);
        cloth.material = Material::Fabric(damped());
        let mut setup = Setup { contact: CONSTRAINT, ..Setup::with_cloth(cloth) };
        setup.bodies = vec![body(name, shape, Vec3::ZERO)];
        let mut run = Run::new(setup);
        let clock = std::time::Instant::now();
        run.frames(SECONDS / 2 * 60);
        let at_half = run.state.x.clone();
        let mut fastest: f64 = 0.0;
        let mut frame = FrameReport::default();
        for _ in 0..SECONDS / 2 * 60 {
            frame = run.frame();
            fastest = fastest.max(run.measure().max_speed);
        }
        let drift = run.state.x.iter().zip(&at_half).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
        let weight = 9.81 * run.world.mass.iter().sum::<f64>();
        let lacks = (frame.bodies[0] - Vec3::Y * weight).length() / weight;
        println!(
            "{name}: fastest {fastest:.2e} m/s, drift {drift:.2e} m, force off by {lacks:.2e} of the weight, {:.1} \
             ms a frame, {} contacts",
            1e3 * clock.elapsed().as_secs_f64() / f64::from(SECONDS * 60),
            frame.contacts,
        );
        assert!(fastest < 1e-4 && drift < 1e-4 && lacks < 1e-3, "{name}");
    });
}

/// A large stiff sheet on a ball takes hundreds of iterations from where a step starts, and a factor instead: on any
/// number of threads the same bits, and still nothing inside.
#[test]
fn a_factor_solves_what_lies_on_a_body() {
    let solved = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut cloth = flat(1.0, 100, 0.256);
            cloth.material = Material::Fabric(Fabric { stretch: [5e4; 2], shear: 2.5e4, ..fabric() });
            let mut setup = Setup { contact: CONSTRAINT, ..Setup::with_cloth(cloth) };
            setup.bodies = vec![body("ball", Shape::Sphere { radius: 0.25 }, Vec3::ZERO)];
            let mut run = Run::new(setup);
            let mut made = 0;
            for _ in 0..8 {
                let frame = run.frame();
                made += if run.state.contacts.is_empty() { 0 } else { frame.factorisations };
            }
            assert!(deepest(&run.world, &run.state).unwrap().depth <= fabric().thickness);
            (made, run.state)
        })
    };
    let (made, state) = solved(1);
    assert!(made > 0 && state.contacts.len() > 10, "{made} factors, {} contacts", state.contacts.len());
    assert!(solved(2) == (made, state));
}

/// What hangs is solved as if there were no bodies, with the same factors, until it touches one.
#[test]
fn a_floor_out_of_reach_changes_no_bit() {
    let hangs = |floor: bool, newton: u32, frames: u32| {
        let mut cloth = flat(1.0, 30, 0.0);
        cloth.material = Material::Fabric(Fabric { stretch: [5e5; 2], shear: 2.5e5, ..fabric() });
        cloth.pins = vec![Pin::fixed(Select::Corners(vec![Corner::LeftTop, Corner::RightTop]))];
        let mut setup = Setup { contact: CONSTRAINT, ..Setup::with_cloth(cloth) };
        setup.method = Some(Method::Bdf2(Implicit { newton, ..Implicit::default() }));
        if floor {
            setup.bodies = vec![body("floor", Shape::Plane, Vec3::new(0.0, -3.0, 0.0))];
        }
        let mut run = Run::new(setup);
        let made: u32 = (0..frames).map(|_| run.frame().factorisations).sum();
        (made, run.state)
    };
    for (newton, frames) in [(1, 6), (3, 2)] {
        let (made, state) = hangs(false, newton, frames);
        assert!(made >= frames, "{made} factors");
        assert!(hangs(true, newton, frames) == (made, state), "{newton} iterations");
    }
}

/// What lies on a body must not change how another cloth is solved.
#[test]
fn a_scrap_on_the_floor_does_not_slow_what_hangs() {
    let falls = |scrap: bool| {
        let mut cloth = flat(1.0, 40, 3.0);
        cloth.material = Material::Fabric(Fabric { stretch: [5e4; 2], shear: 2.5e4, ..fabric() });
        cloth.pins = vec![Pin::fixed(Select::Corners(vec![Corner::LeftTop, Corner::RightTop]))];
        let mut setup = Setup { contact: CONSTRAINT, ..Setup::with_cloth(cloth) };
        setup.method = Some(Method::Bdf2(Implicit::default()));
        setup.bodies = vec![body("floor", Shape::Plane, Vec3::ZERO)];
        if scrap {
            setup.cloths.push(Cloth { name: "scrap".into(), ..flat(0.02, 1, 1e-3) });
        }
        let mut run = Run::new(setup);
        run.frames(12);
        (run.state.contacts.len(), run.state.x[..1681].to_vec())
    };
    let ((_, alone), (touching, beside)) = (falls(false), falls(true));
    assert!(touching > 0, "the scrap lies on the floor");
    let off = alone.iter().zip(&beside).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
    // both are solved to single precision; to the default tolerance alone it is a centimetre
    assert!(off < 1e-3, "{off:e} m");
}

/// Over sharp edges no particle may touch, and edges of the cloth carry its weight: that counts too.
#[test]
fn forces_over_sharp_edges_carry_the_weight() {
    for (method, allowed) in [(euler(), 1e-3), (Method::SymplecticEuler, 5e-3)] {
        let mut cloth = flat(0.3, 10, 0.101);
        // inner damping would make explicit steps short
        let damping = FabricDamping { stretch: 1e-4, shear: 1e-4, bend: 1e-4, air: 0.5 };
        cloth.material = Material::Fabric(Fabric { damping, ..fabric() });
        let mut setup = Setup { method: Some(method), contact: CONSTRAINT, ..Setup::with_cloth(cloth) };
        setup.bodies = vec![body("box", Shape::Box { size: [0.15, 0.2, 0.15] }, Vec3::ZERO)];
        let mut run = Run::new(setup);
        run.frames(150);
        let mean = (0..30).map(|_| run.frame().bodies[0]).sum::<Vec3>() / 30.0;
        let weight = 9.81 * run.world.mass.iter().sum::<f64>();
        println!("{}: {mean} of {weight}", method.name());
        assert!((mean - Vec3::Y * weight).length() < allowed * weight, "{}: {mean} of {weight}", method.name());
    }
}

/// A fold in the corner of two planes: the vertices of the fold touch both, and each has its half of the weight.
#[test]
fn two_bodies_that_a_vertex_touches_share_its_force() {
    let (slope, cells) = (30f64, 8);
    let mut cloth = grid([0.2, 0.2], [cells, cells], Pattern::Alternating, damped());
    let (sin, cos) = slope.to_radians().sin_cos();
    let lift = 0.5 * fabric().thickness / cos + 1e-4;
    let folded = |p: &Vec3| Vec3::new(p.x * cos, p.x.abs() * sin + lift, p.y);
    cloth.start = Some(cloth.mesh.rest.iter().map(folded).collect());
    let side = |name: &str, turn: f64| {
        let place = Place { rotate: Vec3::new(0.0, 0.0, turn), ..Place::default() };
        Body { place, friction: Some(0.0), ..body(name, Shape::Plane, Vec3::ZERO) }
    };
    let mut run =
        Run::new(Setup { bodies: vec![side("right", slope), side("left", -slope)], ..Setup::with_cloth(cloth) });
    run.frames(120);
    let forces = run.frame().bodies;
    let weight = 9.81 * run.world.mass.iter().sum::<f64>();
    println!("{forces:?} of {weight}");
    // without friction along the normals
    for (force, x) in forces.iter().zip([-sin, sin]) {
        let wanted = Vec3::new(x, cos, 0.0) * (0.5 * weight / cos);
        assert!(force.distance(wanted) < 1e-3 * weight, "{force} and not {wanted}");
    }
}

#[test]
fn drape_finds_the_rest_of_a_cloth_on_bodies() {
    let cases = [
        ("table", Shape::Box { size: [0.3, 0.1, 0.3] }, 0.051),
        ("ball", Shape::Sphere { radius: 0.12 }, 0.121),
        ("cylinder", Shape::Cylinder { radius: 0.1, height: 0.2 }, 0.101),
        ("box", Shape::Box { size: [0.2, 0.2, 0.2] }, 0.101),
    ];
    for (name, shape, height) in cases {
        let cloth = flat(0.4, if name == "cylinder" { 16 } else { 10 }, height);
        let mut setup = Setup { contact: CONSTRAINT, ..Setup::with_cloth(cloth) };
        setup.bodies = vec![body(name, shape, Vec3::ZERO)];
        let world = World::new(setup).unwrap();
        let mut state = world.start();
        let clock = std::time::Instant::now();
        let report = drape(&world, &mut state, &Drape { residual: 1e-5, iterations: 800 }, &mut |_| true);
        let time = clock.elapsed().as_secs_f64();
        println!("{name}: {} iterations, share {:.2e}, {time:.1} s", report.iterations, report.share);
        assert!(report.converged && report.share <= 1e-5, "{name}: {report:?}");
        let (carried, weight) = (report.bodies[0], 9.81 * world.mass.iter().sum::<f64>());
        assert!((carried - Vec3::Y * weight).length() < 1e-3 * weight, "{name}: {carried} of {weight}");
        // a run from there stays there
        let before = state.x.clone();
        let mut work = Workspace::new(&world);
        (0..30).for_each(|_| _ = advance_frame(&world, &mut state, &mut work).unwrap());
        let moved = state.x.iter().zip(&before).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
        println!("{name}: moved {moved:.2e}");
        assert!(moved < 1e-4, "{name}: {moved}");
    }
}

/// It ends one frame on, whatever number of frames the motion takes.
#[test]
fn drape_follows_what_moves_and_then_lets_it_rest() {
    let shapes = [Shape::Sphere { radius: 0.12 }, Shape::Box { size: [0.2, 0.2, 0.2] }];
    for shape in shapes {
        let keys = [0.0, 0.2].map(|t| Key { t, shift: Vec3::Y * (0.5 * t), turn: Vec3::ZERO });
        let mut setup = Setup::with_cloth(flat(0.4, 10, 0.121));
        let motion = Motion { keys: keys.to_vec(), smooth: true };
        if matches!(shape, Shape::Box { .. }) {
            setup.contact = CONSTRAINT; // over the corners of a box the barrier finds no rest
        }
        setup.bodies = vec![Body { motion, ..body("lift", shape, Vec3::ZERO) }];
        setup.time.duration = 0.5;
        let world = World::new(setup).unwrap();
        let mut state = world.start();
        let report = drape(&world, &mut state, &Drape::default(), &mut |_| true);
        assert!(report.converged && report.stages == 2, "{report:?}");
        assert!(state.frame == 1 && state.x.iter().all(|x| x.is_finite()));
        let weight = 9.81 * world.mass.iter().sum::<f64>();
        assert!((report.bodies[0] - Vec3::Y * weight).length() < 1e-3 * weight, "{report:?}");
    }
}

/// Wherever the iterations run out: what is said to have converged has.
#[test]
fn drape_says_that_it_converged_only_where_it_did() {
    let mut setup = Setup::with_cloth(flat(0.4, 10, 0.121));
    setup.bodies = vec![body("ball", Shape::Sphere { radius: 0.12 }, Vec3::ZERO)];
    let world = World::new(setup).unwrap();
    let (mut all, mut short) = (0, 0);
    for iterations in (20..160).step_by(3) {
        let mut state = world.start();
        let settings = Drape { residual: 1e-7, iterations };
        let report = drape(&world, &mut state, &settings, &mut |_| true);
        assert_eq!(report.converged, report.share <= 1e-7 && !report.bodies.is_empty(), "{iterations}: {report:?}");
        assert!(report.converged || !report.stable, "{iterations}: {report:?}");
        if report.converged { all += 1 } else { short += 1 }
    }
    assert!(all > 0 && short > 0, "{all} and {short}");
}

/// What is remembered of the last look must be what a new look finds.
#[test]
fn a_new_workspace_changes_no_step_on_sharp_bodies() {
    let turns = Motion {
        keys: [0.0, 1.0].map(|t| Key { t, shift: Vec3::ZERO, turn: Vec3::Y * 90.0 * t }).to_vec(),
        smooth: true,
    };
    let (block, round) = (Shape::Box { size: [0.2; 3] }, Shape::Cylinder { radius: 0.1, height: 0.2 });
    let cases = [(block.clone(), Motion::default(), 5e-3), (block, turns, 5e-3), (round, Motion::default(), 5e-5)];
    for (shape, motion, h) in cases {
        let mut setup = Setup::with_cloth(flat(0.4, 20, 0.1 + 0.51 * fabric().thickness));
        setup.bodies = vec![Body { motion, ..body("body", shape, Vec3::ZERO) }];
        setup.method = Some(if h < 1e-3 { Method::SymplecticEuler } else { euler() });
        setup.time = fixed_step(h);
        let (mut whole, mut parts) = (Run::new(setup.clone()), Run::new(setup));
        for _ in 0..40 {
            whole.step();
            parts.work = Workspace::new(&parts.world);
            parts.step();
            assert!(whole.state == parts.state);
        }
        assert!(!whole.state.contacts.is_empty());
    }
}

/// A ball pushes a held sheet out until its edges are more than 40 % longer: triangles are lifted as they are, not as
/// they were.
#[test]
fn no_point_of_stretched_cloth_is_deeper_than_its_thickness() {
    let sides = Select::Edge(vec![Side::Left, Side::Right, Side::Top, Side::Bottom]);
    for (cells, way) in [(20, 0.42), (40, 0.45)] {
        let mut cloth = flat(0.6, cells, 0.0);
        cloth.pins = vec![Pin::fixed(sides.clone())];
        let motion = keys(&[(0.0, Vec3::ZERO, Vec3::ZERO), (0.6, Vec3::Y * way, Vec3::ZERO)]);
        let mut setup = Setup::with_cloth(cloth);
        let ball = body("ball", Shape::Sphere { radius: 0.15 }, Vec3::Y * -0.16);
        setup.bodies = vec![Body { motion, ..ball }];
        let mut run = Run::new(setup);
        assert!(run.world.warnings.is_empty(), "{:?}", run.world.warnings);
        let worst = deepest_of(&mut run, 24);
        let stretch = run.measure().max_stretch;
        println!("{cells} cells, stretched by {stretch:.2}: deepest {worst:.3} thicknesses");
        assert!(stretch > 0.4 && worst <= 1.0, "{cells} cells: {worst} at {stretch}");
    }
}

/// Explicit methods answer to both sides of a trough together: each carries its half, and a vertex counts once.
#[test]
fn explicit_methods_share_a_vertex_between_two_bodies() {
    for friction in [0.0, 0.3] {
        let mut cloth = flat(0.4, 8, 0.14);
        cloth.material = Material::Fabric(Fabric { stretch: [300.0; 2], shear: 30.0, ..damped() });
        let side = |name: &str, turn: f64| {
            let place = Place { rotate: Vec3::new(0.0, 0.0, turn), ..Place::default() };
            Body { place, friction: Some(friction), ..body(name, Shape::Plane, Vec3::ZERO) }
        };
        let mut setup = Setup { contact: CONSTRAINT, ..Setup::with_cloth(cloth) };
        setup.bodies = vec![side("right", 35.0), side("left", -35.0)];
        setup.method = Some(Method::SymplecticEuler);
        let mut run = Run::new(setup);
        run.frames(60);
        let frame = run.frame();
        let (right, left) = (frame.bodies[0], frame.bodies[1]);
        let weight = 9.81 * run.world.mass.iter().sum::<f64>();
        let at = &run.state.contacts;
        println!("friction {friction}: {right} {left} of {weight}, {} contacts", frame.contacts);
        assert!(at.windows(2).all(|pair| pair[0].vertex < pair[1].vertex) && at.len() as u32 == frame.contacts);
        assert!((right + left - Vec3::Y * weight).length() < 1e-2 * weight, "{right} {left} of {weight}");
        assert!((right.y - left.y).abs() < 0.02 * weight, "{right} {left}");
    }
}
