//! A limit on stretch that is kept together with contact.

use crate::common::*;
use taffeta::*;

fn keep(limit: f64) -> Option<Limiter> {
    Some(Limiter { limit, rule: Some(Rule::Keep), ..Limiter::default() })
}

/// A soft sheet of triangles that lies at a height.
fn sheet(size: f64, cells: u32, height: f64) -> Cloth {
    let fabric = Fabric { stretch: [500.0; 2], shear: 25.0, ..fabric() };
    let mut cloth = grid([size, size], [cells, cells], Pattern::Alternating, fabric);
    cloth.place = Place { rotate: Vec3::new(-90.0, 0.0, 0.0), at: Vec3::new(0.0, height, 0.0), ..Place::default() };
    cloth
}

fn on(cloth: Cloth, bodies: Vec<Body>) -> Setup {
    Setup { bodies, limiter: keep(0.01), ..Setup::with_cloth(cloth) }
}

fn on_sphere(cells: u32) -> Setup {
    on(sheet(0.5, cells, 0.122), vec![body("ball", Shape::Sphere { radius: 0.12 }, Vec3::ZERO)])
}

fn on_cylinder(cells: u32) -> Setup {
    let mut roll = body("roll", Shape::Cylinder { radius: 0.08, height: 0.8 }, Vec3::ZERO);
    roll.place.rotate = Vec3::new(0.0, 0.0, 90.0);
    on(sheet(0.5, cells, 0.082), vec![roll])
}

fn on_box(cells: u32) -> Setup {
    on(sheet(0.5, cells, 0.052), vec![body("table", Shape::Box { size: [0.3, 0.1, 0.3] }, Vec3::ZERO)])
}

fn on_round_table(cells: u32) -> Setup {
    on(sheet(0.5, cells, 0.052), vec![body("table", Shape::Cylinder { radius: 0.16, height: 0.1 }, Vec3::ZERO)])
}

/// A curtain on two corners, and a ball that goes through where it hangs.
fn ball_through(cells: u32) -> Setup {
    let mut cloth = sheet(0.5, cells, 0.0);
    cloth.place.rotate = Vec3::ZERO;
    cloth.pins = vec![Pin::fixed(Select::Corners(vec![Corner::LeftTop, Corner::RightTop]))];
    let mut ball = body("ball", Shape::Sphere { radius: 0.1 }, Vec3::new(0.02, -0.05, 0.3));
    ball.motion = keys(&[(0.1, Vec3::ZERO, Vec3::ZERO), (0.7, Vec3::Z * -0.6, Vec3::ZERO)]);
    on(cloth, vec![ball])
}

/// A sheet held at all its edges, and a ball that goes on: no cloth could.
fn ball_into_drum(cells: u32) -> Setup {
    let mut cloth = sheet(0.5, cells, 0.0);
    cloth.pins = vec![Pin::fixed(Select::Edge(vec![Side::Left, Side::Right, Side::Top, Side::Bottom]))];
    let mut ball = body("ball", Shape::Sphere { radius: 0.1 }, Vec3::new(0.05, 0.12, 0.0));
    ball.motion = keys(&[(0.1, Vec3::ZERO, Vec3::ZERO), (0.4, Vec3::Y * -0.15, Vec3::ZERO)]);
    on(cloth, vec![ball])
}

fn turning_box(cells: u32) -> Setup {
    let mut block = body("box", Shape::Box { size: [0.2, 0.2, 0.2] }, Vec3::ZERO);
    block.friction = Some(0.8);
    block.motion = keys(&[(0.2, Vec3::ZERO, Vec3::ZERO), (1.2, Vec3::ZERO, Vec3::Y * 360.0)]);
    on(sheet(0.4, cells, 0.102), vec![block])
}

/// Drawn over a roll by one edge.
fn dragged(cells: u32) -> Setup {
    let mut setup = on_cylinder(cells);
    let mut pin = Pin::fixed(Select::Edge(vec![Side::Top]));
    pin.motion = keys(&[(0.0, Vec3::ZERO, Vec3::ZERO), (0.6, Vec3::new(0.0, -0.1, -0.3), Vec3::ZERO)]);
    setup.cloths[0].pins = vec![pin];
    setup
}

/// Largest elongation of all edges.
fn longest(run: &Run) -> f64 {
    let x = &run.state.x;
    let elongation = |edge: &MeshEdge| x[edge.v[0] as usize].distance(x[edge.v[1] as usize]) / edge.rest - 1.0;
    run.world.edges.iter().map(elongation).fold(0.0, f64::max)
}

const METHODS_KEPT: [Method; 2] = [
    Method::BackwardEuler(Implicit { tolerance: 1e-3, iterations: 10_000, newton: 1, residual: 1e-3 }),
    Method::Bdf2(Implicit { tolerance: 1e-3, iterations: 10_000, newton: 1, residual: 1e-3 }),
];

type Scene = (&'static str, fn(u32) -> Setup, f64);

/// Every step keeps the limit, and no point is deeper than one thickness; returns how often the limiter acted.
fn keeps(name: &str, setup: Setup, until: f64) -> u32 {
    let mut run = Run::new(setup);
    let (mut worst, mut deep, mut rounds, mut acted) = (0.0f64, f64::NEG_INFINITY, 0, 0);
    while run.state.time < until {
        let report = run.step();
        assert_eq!(report.overlong, None, "{name} at {}", run.state.time);
        worst = worst.max(longest(&run));
        deep = deep.max(deepest(&run.world, &run.state).unwrap().depth / fabric().thickness);
        rounds += report.limiter_rounds;
        acted += u32::from(report.limiter_rounds > 0);
    }
    println!(
        "{name}: {:.4} %, deepest {deep:.3}, {:.1} rounds in {acted} steps",
        100.0 * worst,
        f64::from(rounds) / f64::from(acted.max(1))
    );
    assert!(worst <= 0.01 * (1.0 + 1e-4), "{name}: {worst}");
    assert!(deep <= 1.0, "{name}: {deep}");
    acted
}

fn all_keep(scenes: &[Scene]) {
    for &(name, scene, until) in scenes {
        for method in METHODS_KEPT {
            let mut setup = Setup { method: Some(method), ..scene(14) };
            setup.time = fixed_step(1.0 / 60.0);
            let acted = keeps(&format!("{name}, {}", method.name()), setup, until);
            assert!(acted > 2, "{name}: nothing to limit");
        }
    }
}

#[test]
fn one_percent_is_kept_on_bodies_at_rest() {
    all_keep(&[
        ("sphere", on_sphere, 0.5),
        ("cylinder", on_cylinder, 0.5),
        ("box", on_box, 0.5),
        ("round table", on_round_table, 0.5),
    ]);
}

#[test]
fn one_percent_is_kept_under_motion() {
    all_keep(&[("ball through", ball_through, 0.9), ("turning box", turning_box, 0.6), ("dragged", dragged, 0.6)]);
}

/// A shorter step and a finer cloth.
#[test]
fn one_percent_is_kept_with_other_steps_and_cells() {
    let mut setup = ball_through(24);
    setup.time = fixed_step(1.0 / 100.0);
    keeps("finer", setup, 0.5);
    let mut setup = on_sphere(14);
    setup.time = fixed_step(1.0 / 240.0);
    keeps("shorter", setup, 0.4);
}

#[test]
fn what_a_ball_makes_impossible_is_reported_with_time_and_place() {
    for method in METHODS_KEPT {
        let mut setup = Setup { method: Some(method), ..ball_into_drum(14) };
        setup.time = fixed_step(1.0 / 60.0);
        let mut run = Run::new(setup);
        let mut most: Option<Overlong> = None;
        let mut first = None;
        let mut kinetic = 0.0f64;
        while run.state.time < 0.6 {
            let report = run.step();
            assert!(run.state.x.iter().chain(&run.state.v).all(|p| p.is_finite()));
            assert_eq!(report.overlong.is_some(), longest(&run) > 0.01 * (1.0 + 1e-4), "{}", run.state.time);
            if let Some(over) = report.overlong {
                assert!((over.elongation - longest(&run)).abs() < 1e-9 && (over.time - run.state.time).abs() < 1e-9);
                first = first.or(Some(over.time));
                most = most.filter(|most| most.elongation >= over.elongation).or(Some(over));
            }
            kinetic = kinetic.max(run.measure().kinetic);
        }
        let (first, most) = (first.expect("it is reported"), most.unwrap());
        let gap = run.measure().smallest_gap.unwrap() / fabric().thickness;
        println!("{}: first at {first:.3} s, most {most:?}, {kinetic:.3} J, gap {gap:.3}", method.name());
        // the ball has 0.02 m to go until it reaches the sheet, at 0.5 m/s from 0.1 s; 1 % is used up 0.02 m later or
        // so
        assert!(first > 0.14 && first < 0.3, "{first}");
        // a straight way from the edge to the ball and over it is 0.2 to 0.3 longer than the sheet
        assert!(most.time > 0.35 && most.elongation > 0.1 && most.elongation < 0.3, "{most:?}");
        assert!(most.at.distance(Vec3::new(0.05, -0.1, 0.0)) < 0.25, "{most:?}");
        // all of the cloth at the speed of the ball has 0.005 J
        assert!(kinetic < 2.0 * 0.005 && run.measure().kinetic < 1e-4, "{kinetic} {}", run.measure().kinetic);
        // contact comes first
        assert!(gap > -0.01, "{gap}");
    }
}

/// A strip over a roll, drawn aside by `shift`. It is so soft that the limiter carries most of it.
fn strip_over_roll(friction: f64, shift: f64) -> Setup {
    let damping = FabricDamping { air: 0.2, ..FabricDamping::default() };
    let fabric = Fabric { stretch: [10.0; 2], shear: 0.5, damping, ..fabric() };
    let mut cloth = grid([0.08, 0.6], [4, 30], Pattern::Alternating, fabric);
    cloth.place = Place { rotate: Vec3::new(-90.0, 0.0, 0.0), at: Vec3::new(0.0, 0.0508, shift), ..Place::default() };
    let mut roll = body("roll", Shape::Cylinder { radius: 0.05, height: 0.4 }, Vec3::ZERO);
    roll.place.rotate = Vec3::new(0.0, 0.0, 90.0);
    roll.friction = Some(friction);
    let mut setup = on(cloth, vec![roll]);
    setup.time = fixed_step(1.0 / 60.0);
    setup
}

/// Euler's rope: over half a turn friction holds a ratio of exp(0.3 π) = 2.57. 0.08 m are on each side of the roll;
/// with 0.06 m drawn aside 0.28 m hang against 0.16 m, 1.75; with 0.12 m 0.34 m against 0.10 m, 3.4.
#[test]
fn friction_of_tight_cloth_holds_as_eulers_rope_does() {
    let height = |run: &Run| run.state.x.iter().map(|x| x.y).sum::<f64>() / run.state.x.len() as f64;
    let mut holds = Run::new(strip_over_roll(0.3, 0.06));
    let mut rounds = 0;
    (0..150).for_each(|_| rounds += holds.step().limiter_rounds);
    let before = height(&holds);
    (0..60).for_each(|_| rounds += holds.step().limiter_rounds);
    let carried: f64 = holds.state.contacts.iter().map(|contact| contact.force.y).sum();
    let weight = holds.world.mass.iter().sum::<f64>() * 9.81;
    println!("{:e} m in a second, {carried:.4} N of {weight:.4} N, {rounds} rounds", height(&holds) - before);
    assert!((height(&holds) - before).abs() < fabric().thickness && rounds > 210);
    // the air of 0.2 N s/m³ carries a little of each step's fall
    assert!(off(carried, weight) < 0.02, "{carried} {weight}");
    let mut slips = Run::new(strip_over_roll(0.3, 0.12));
    slips.steps(60);
    assert!(height(&slips) < -0.5, "{}", height(&slips));
}

/// The limiter acts in every step and does not let the cloth creep.
#[test]
fn resting_cloth_stays_where_it_is() {
    for (name, scene) in [("sphere", on_sphere as fn(u32) -> Setup), ("box", on_box)] {
        let mut setup = scene(14);
        if let Material::Fabric(fabric) = &mut setup.cloths[0].material {
            fabric.damping.air = 0.5;
        }
        setup.time = fixed_step(1.0 / 60.0);
        let mut run = Run::new(setup);
        run.until(3.0);
        let before = run.state.clone();
        let mut carried = 0.0;
        for _ in 0..60 {
            let report = run.frame();
            assert!(report.limiter_rounds > 0 && report.overlong.is_none());
            carried += report.bodies[0].y / 60.0;
        }
        let touching = before.contacts.iter().map(|contact| contact.vertex as usize);
        let crept = touching.map(|i| run.state.x[i].distance(before.x[i])).fold(0.0, f64::max);
        let weight = run.world.mass.iter().sum::<f64>() * 9.81;
        println!("{name}: {crept:e} m, {:e} m/s, {carried:.4} N of {weight:.4} N", run.measure().max_speed);
        assert!(crept < 0.5 * fabric().thickness, "{name}: {crept:e}");
        assert!(run.measure().max_speed < 0.02, "{name}");
        // the air of 0.5 N s/m³ carries a little of the fall that the limiter undoes
        assert!(off(carried, weight) < 0.05, "{name}: {carried} {weight}");
    }
}

#[test]
fn results_have_the_same_bits_on_1_and_2_threads() {
    let run_on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut setup = turning_box(40);
            setup.bodies.push(body("ball", Shape::Sphere { radius: 0.05 }, Vec3::new(0.0, 0.04, 0.13)));
            let mut run = Run::new(setup);
            let rounds: u32 = (0..8).map(|_| run.step().limiter_rounds).sum();
            assert!(rounds > 10 && !run.state.contacts.is_empty(), "{rounds}");
            run.state
        })
    };
    assert!(run_on(1) == run_on(2));
}
