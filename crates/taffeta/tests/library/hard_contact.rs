//! Contact where it is hard: fast, turning and closing bodies, tips, no friction and a lot of it.

use crate::common::*;
use rayon::prelude::*;
use taffeta::*;

fn sheet(size: f64, cells: u32, height: f64) -> Cloth {
    let mut cloth = grid([size, size], [cells, cells], Pattern::Alternating, fabric());
    cloth.place = Place { rotate: Vec3::new(-90.0, 0.0, 0.0), at: Vec3::new(0.0, height, 0.0), ..Place::default() };
    cloth
}

/// A scene whose cloth has the given number of cells, the frames to simulate, and its name.
struct Case(&'static str, u32, fn(u32) -> Setup);

const CASES: [Case; 7] = [
    Case("fast ball", 30, fast_ball),
    Case("turning box", 60, turning_box),
    Case("cone", 45, cone),
    Case("torus", 24, torus),
    Case("no friction", 60, |cells| ball_and_floor(cells, 0.0)),
    Case("a lot of friction", 60, |cells| ball_and_floor(cells, 10.0)),
    Case("squeezed", 60, squeezed),
];

/// Runs with two steps of backward Euler, and for a third of the time with symplectic Euler in shares of the longest
/// stable step, at most half: the cloth stiffens where it is stretched. No point may ever be deeper than the cloth is
/// thick.
fn survive(cells: [u32; 2], shares: &[f64]) {
    CASES.par_iter().for_each(|&Case(name, frames, setup)| {
        for step in [1.0 / 240.0, 1.0 / 60.0] {
            stays_outside(name, frames, step, setup(cells[0]));
        }
        let setup = Setup { method: Some(Method::SymplecticEuler), ..setup(cells[1]) };
        let stable = World::new(setup.clone()).unwrap().stable_step().unwrap();
        for share in shares {
            stays_outside(&format!("{name}, explicit"), frames / 3, share * stable, setup.clone());
        }
    });
}

#[test]
fn hard_cases() {
    survive([14, 14], &[0.5]);
}

#[test]
#[ignore = "slow: half a minute"]
fn hard_cases_on_finer_meshes() {
    survive([24, 20], &[0.5, 0.25]);
}

fn stays_outside(name: &str, frames: u32, step: f64, mut setup: Setup) {
    setup.time.step = StepSize::AtMost(step * 1.0001);
    let mut run = Run::new(setup);
    let name = format!("{name}, {} vertices, {step:.1e} s", run.state.x.len());
    let (mut worst, mut fastest) = (f64::NEG_INFINITY, 0.0f64);
    let (mut steps, mut rejected) = (0, 0);
    for frame in 0..frames {
        let report = match advance_frame(&run.world, &mut run.state, &mut run.work) {
            Ok(report) => report,
            Err(error) => panic!("{name}, frame {frame}: {error}"),
        };
        (steps, rejected) = (steps + report.steps, rejected + report.rejected);
        assert!(run.state.x.iter().chain(&run.state.v).all(|p| p.is_finite()), "{name}");
        let found = deepest(&run.world, &run.state).unwrap();
        worst = worst.max(found.depth / fabric().thickness);
        fastest = fastest.max(run.measure().max_speed);
    }
    let stretch = run.measure().max_stretch;
    println!(
        "{name}: deepest {worst:.3}, {steps} steps, {rejected} rejected, fastest {fastest:.1}, stretch {stretch:.2}"
    );
    assert!(worst <= 1.0, "{name}: {worst}");
}

/// At 50 m/s into a sheet that is held.
fn fast_ball(cells: u32) -> Setup {
    let mut cloth = sheet(0.5, cells, 0.0);
    cloth.pins = vec![Pin::fixed(Select::Edge(vec![Side::Left])), Pin::fixed(Select::Edge(vec![Side::Right]))];
    let mut ball = body("ball", Shape::Sphere { radius: 0.2 }, Vec3::new(0.0, 0.7, 0.0));
    ball.motion = keys(&[(0.1, Vec3::ZERO, Vec3::ZERO), (0.113, Vec3::NEG_Y * 0.65, Vec3::ZERO)]);
    Setup { bodies: vec![ball], ..Setup::with_cloth(cloth) }
}

/// Drags the cloth by friction.
fn turning_box(cells: u32) -> Setup {
    let mut block = body("box", Shape::Box { size: [0.2, 0.2, 0.2] }, Vec3::ZERO);
    block.friction = Some(0.8);
    block.motion = keys(&[(0.2, Vec3::ZERO, Vec3::ZERO), (1.2, Vec3::ZERO, Vec3::Y * 720.0)]);
    Setup { bodies: vec![block], ..Setup::with_cloth(sheet(0.4, cells, 0.102)) }
}

fn cone(cells: u32) -> Setup {
    let cone = body("cone", Shape::Cone { radius: 0.05, height: 0.3 }, Vec3::ZERO);
    Setup { bodies: vec![cone], ..Setup::with_cloth(sheet(0.3, 3 * cells / 2, 0.17)) }
}

fn torus(cells: u32) -> Setup {
    let torus = body("torus", Shape::Torus { radius: 0.1, tube: 0.06 }, Vec3::ZERO);
    Setup { bodies: vec![torus], ..Setup::with_cloth(sheet(0.3, 2 * cells, 0.07)) }
}

fn ball_and_floor(cells: u32, friction: f64) -> Setup {
    let mut ball = body("ball", Shape::Sphere { radius: 0.12 }, Vec3::new(0.02, 0.0, 0.01));
    ball.friction = Some(friction);
    let mut floor = body("floor", Shape::Plane, Vec3::new(0.0, -0.1, 0.0));
    floor.friction = Some(friction);
    Setup { bodies: vec![ball, floor], ..Setup::with_cloth(sheet(0.4, cells, 0.13)) }
}

/// Between two balls that leave 2 mm at the end, four times the thickness.
fn squeezed(cells: u32) -> Setup {
    let mut left = body("left", Shape::Sphere { radius: 0.1 }, Vec3::new(-0.15, 0.0, 0.0));
    let mut right = body("right", Shape::Sphere { radius: 0.1 }, Vec3::new(0.15, 0.0, 0.0));
    left.motion = keys(&[(0.1, Vec3::ZERO, Vec3::ZERO), (0.5, Vec3::X * 0.049, Vec3::ZERO)]);
    right.motion = keys(&[(0.1, Vec3::ZERO, Vec3::ZERO), (0.5, Vec3::X * -0.049, Vec3::ZERO)]);
    let mut cloth = grid([0.3, 0.3], [cells, cells], Pattern::Alternating, fabric());
    cloth.place = Place { rotate: Vec3::new(0.0, 90.0, 0.0), at: Vec3::new(0.0, 0.0, 0.0), ..Place::default() };
    cloth.pins = vec![Pin::fixed(Select::Edge(vec![Side::Top]))];
    Setup { bodies: vec![left, right], ..Setup::with_cloth(cloth) }
}

#[test]
fn rims_as_sharp_as_blades() {
    rims(&[(0.01, 5.0), (0.08, 1.0)]);
}

#[test]
#[ignore = "slow: 8 s"]
fn more_rims_as_sharp_as_blades() {
    rims(&[(0.01, 0.0), (0.02, 1.0), (0.02, 5.0), (0.08, 5.0)]);
}

/// The rim of a flat cone is thinner than the cloth: vertices do not pass through it, nor edges over it.
fn rims(cases: &[(f64, f64)]) {
    for &(height, speed) in cases {
        let mut cloth = sheet(0.6, 16, 0.03);
        cloth.velocity = Vec3::NEG_Y * speed;
        let cone = body("cone", Shape::Cone { radius: 0.15, height }, Vec3::new(0.01, -0.5 * height, 0.012));
        let name = format!("cone of {height} m at {speed} m/s");
        stays_outside(&name, 36, 1.0 / 60.0, Setup { bodies: vec![cone], ..Setup::with_cloth(cloth) });
    }
}

#[test]
fn a_body_inside_the_cloth_at_the_start_is_refused() {
    let ball = |radius: f64| body("ball", Shape::Sphere { radius }, Vec3::ZERO);
    for (radius, message) in [(0.2, "inside `ball`"), (0.009, "reaches through triangle")] {
        let setup = Setup { bodies: vec![ball(radius)], ..Setup::with_cloth(sheet(0.4, 8, 0.0)) };
        let setup = if radius < 0.1 {
            // between the vertices
            let mut setup = setup;
            setup.cloths[0].place.at += Vec3::new(0.025, 0.0, 0.02);
            setup
        } else {
            setup
        };
        let Err(problems) = World::new(setup) else { panic!("{radius} m") };
        assert!(problems[0].message.contains(message), "{problems:?}");
        assert!(problems[0].path.starts_with("body.0"), "{problems:?}");
    }
}

/// Only a pin that holds a vertex in all directions as the run starts may hold it inside a body.
#[test]
fn pins_that_come_later_or_let_slide_do_not_allow_cloth_inside_a_body() {
    let whole = Pin::fixed(Select::All);
    let slides = Pin { hold: Hold::Axes([false, true, false]), ..whole.clone() };
    let cases = [
        (vec![whole.clone()], true, true),
        (vec![whole.clone()], false, false),
        (vec![Pin { from: 0.1, ..whole.clone() }], true, false),
        (vec![slides.clone()], true, false),
        // of two pins the first counts
        (vec![slides.clone(), whole.clone()], true, false),
        (vec![whole.clone(), slides], true, true),
        (vec![Pin { from: 0.1, ..whole.clone() }, whole], true, true),
    ];
    for (pins, on, allowed) in cases {
        let ball = body("ball", Shape::Sphere { radius: 0.2 }, Vec3::ZERO);
        let mut setup = Setup { bodies: vec![ball], ..Setup::with_cloth(sheet(0.4, 8, 0.0)) };
        setup.components.pins = on;
        setup.cloths[0].pins = pins.clone();
        match World::new(setup) {
            Ok(_) => assert!(allowed, "{pins:?}"),
            Err(problems) => assert!(!allowed && problems[0].message.contains("inside `ball`"), "{problems:?}"),
        }
    }
}

/// A ring sweeps over a sheet in its hole within a step or two, and must take it along.
#[test]
fn a_fast_ring_does_not_pass_through_a_sheet_in_its_hole() {
    for speed in [36.0, 42.0, 48.0] {
        let mut cloth = grid([0.14, 0.14], [8, 8], Pattern::Alternating, fabric());
        cloth.place.rotate = Vec3::Y * 90.0;
        let mut ring = body("ring", Shape::Torus { radius: 0.4, tube: 0.1 }, Vec3::X * 0.52);
        ring.motion = keys(&[(0.0, Vec3::ZERO, Vec3::ZERO), (0.7 / speed, Vec3::X * -0.7, Vec3::ZERO)]);
        let mut setup = Setup { bodies: vec![ring], ..Setup::with_cloth(cloth) };
        setup.gravity = Vec3::ZERO;
        let mut run = Run::new(setup);
        run.frames(6);
        // the tube that came from the right ends with its outer side at -0.68 m
        let centre = run.state.x.iter().sum::<Vec3>() / run.state.x.len() as f64;
        println!("{speed} m/s: {centre}");
        assert!(centre.x < -0.3, "{speed} m/s: {centre}");
    }
}

/// Two balls that close until no room is left: the cloth is equally deep in both and the gap tells; where they go on
/// until they overlap by many thicknesses the run ends with an error, and the state before it is whole.
#[test]
fn bodies_that_leave_no_room_break_nothing_and_are_reported() {
    let closing = |way: f64| {
        let mut left = body("left", Shape::Sphere { radius: 0.1 }, Vec3::new(-0.15, 0.0, 0.0));
        let mut right = body("right", Shape::Sphere { radius: 0.1 }, Vec3::new(0.15, 0.0, 0.0));
        left.motion = keys(&[(0.0, Vec3::ZERO, Vec3::ZERO), (0.4, Vec3::X * way, Vec3::ZERO)]);
        right.motion = keys(&[(0.0, Vec3::ZERO, Vec3::ZERO), (0.4, Vec3::X * -way, Vec3::ZERO)]);
        let mut cloth = grid([0.3, 0.3], [30, 30], Pattern::Alternating, fabric());
        cloth.place = Place { rotate: Vec3::new(0.0, 90.0, 0.0), ..Place::default() };
        cloth.pins = vec![Pin::fixed(Select::Edge(vec![Side::Top]))];
        Run::new(Setup { bodies: vec![left, right], contact: CONSTRAINT, ..Setup::with_cloth(cloth) })
    };
    // they touch each other at the end
    let mut run = closing(0.05);
    run.frames(36);
    let m = run.measure();
    println!("gap {:?}, speed {}, stretch {}", m.smallest_gap, m.max_speed, m.max_stretch);
    let gap = m.smallest_gap.unwrap() / fabric().thickness;
    // that of the middle surface: both balls end where it is
    assert!(gap.abs() < 0.3, "{gap}");
    assert!(m.max_speed < 0.1 && m.max_stretch < 0.05, "{m:?}");
    // they overlap by 1 cm
    let mut run = closing(0.055);
    let ended = (0..60).find_map(|_| advance_frame(&run.world, &mut run.state, &mut run.work).err());
    println!("{}", ended.as_ref().unwrap());
    let Some(StepError::NoRoom { time, bodies, room, cloth, at, .. }) = &ended else { panic!("{ended:?}") };
    assert_eq!((&**bodies, cloth.as_str()), (&["left".into(), "right".into()], "sheet"));
    // they touch at 0.4 s 0.05/0.055, and overlap by no more than they do at the end
    assert!(*time > 0.363 && *time < 0.4 && *room < 0.0 && *room > -0.01, "{ended:?}");
    // two balls of 0.1 m that overlap by 1 cm meet in a circle of 3.1 cm
    assert!(at.length() < 0.032, "{ended:?}");
    assert!(run.state.x.iter().chain(&run.state.v).all(|p| p.is_finite()));
    let before = run.state.clone();
    assert_eq!(advance_frame(&run.world, &mut run.state, &mut run.work).err(), ended);
    assert!(run.state == before);
}

/// A plate that presses a cloth on the floor, with less room than it is thick, and goes up again.
#[test]
fn a_squeezed_cloth_is_pushed_never_pulled_and_comes_out_again() {
    for method in [euler(), Method::Bdf2(Implicit::default()), Method::SymplecticEuler] {
        let mut cloth = sheet(0.6, 6, 0.001);
        cloth.material = Material::Fabric(Fabric { stretch: [50.0; 2], shear: 5.0, ..fabric() });
        let mut high = body("high", Shape::Box { size: [1.0, 0.1, 1.0] }, Vec3::Y * 0.15);
        let down = Vec3::Y * -0.0998;
        high.motion = keys(&[
            (0.1, Vec3::ZERO, Vec3::ZERO),
            (0.3, down, Vec3::ZERO),
            (0.6, down, Vec3::ZERO),
            (0.7, Vec3::ZERO, Vec3::ZERO),
        ]);
        let bodies = vec![body("low", Shape::Plane, Vec3::ZERO), high];
        let setup = Setup { method: Some(method), bodies, contact: CONSTRAINT, ..Setup::with_cloth(cloth) };
        let mut run = Run::new(setup);
        let weight = 9.81 * run.world.mass.iter().sum::<f64>();
        let mut pressed = 0.0f64;
        for frame in 0..72 {
            let report = run.frame();
            let [low, high] = [report.bodies[0].y, report.bodies[1].y];
            assert!(low > -1e-6 * weight && high < 1e-6 * weight, "{}, {frame}: {low} {high}", method.name());
            pressed = pressed.max(-high);
            // half of the 0.3 mm that lack
            let gap = run.measure().smallest_gap.unwrap();
            assert!(gap > -0.151e-3, "{}, {frame}: {gap}", method.name());
            if frame >= 66 {
                assert!((low / weight - 1.0).abs() < 1e-3 && high == 0.0, "{}: {low}", method.name());
                assert!(gap > -1e-9 && (report.pushed == 0 || !method.is_implicit()), "{}: {gap}", method.name());
            }
        }
        println!("{}: at most {pressed} N down, {weight} N weight", method.name());
    }
}

/// The same bits on any number of threads, also in several blocks of particles.
#[test]
fn contact_has_the_same_bits_on_1_2_and_3_threads() {
    let shapes = [
        Shape::Sphere { radius: 0.1 },
        Shape::Box { size: [0.2; 3] },
        Shape::Cylinder { radius: 0.1, height: 0.2 },
        Shape::Cone { radius: 0.1, height: 0.2 },
        Shape::Torus { radius: 0.1, tube: 0.1 },
    ];
    for shape in shapes {
        let run_on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let floor = body("floor", Shape::Plane, Vec3::new(0.0, -0.11, 0.0));
                let bodies = vec![body("body", shape.clone(), Vec3::ZERO), floor];
                let mut run = Run::new(Setup { bodies, ..Setup::with_cloth(sheet(0.5, 48, 0.102)) });
                run.frames(12);
                run.state
            })
        };
        let one = run_on(1);
        assert!(!one.contacts.is_empty());
        assert!(run_on(2) == one && run_on(3) == one, "{shape:?}");
    }
}

/// A pin that leaves directions free does not switch contact off.
#[test]
fn partly_pinned_vertices_stay_outside_too() {
    for method in [euler(), Method::SymplecticEuler] {
        let mut cloth = sheet(0.2, 8, 0.01);
        cloth.pins =
            vec![Pin { hold: Hold::Axes([true, false, false]), ..Pin::fixed(Select::Edge(vec![Side::Right])) }];
        let mut run = Run::new(Setup {
            bodies: vec![body("floor", Shape::Plane, Vec3::ZERO)],
            method: Some(method),
            ..Setup::with_cloth(cloth)
        });
        run.frames(30);
        let lowest = run.state.x.iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
        assert!(lowest > 0.2e-3, "{}: {lowest}", method.name());
    }
}
