//! A limit on stretch, and bodies that move farther in a step than edges are long.

use crate::common::*;
use taffeta::*;

/// A soft sheet of 0.4 m across the way of the bodies, with edges of 0.04 m, in steps of at most 1/60 s.
fn hit(held: Option<Select>, shape: Shape, rotate: Vec3, friction: f64) -> Setup {
    let fabric = Fabric { stretch: [500.0; 2], shear: 25.0, ..fabric() };
    let mut cloth = grid([0.4; 2], [10; 2], Pattern::Alternating, fabric);
    cloth.pins = held.into_iter().map(Pin::fixed).collect();
    let mut hits = body("body", shape, Vec3::ZERO);
    hits.place.rotate = rotate;
    hits.friction = Some(friction);
    let limiter = Some(Limiter { limit: 0.01, rule: Some(Rule::Keep), ..Limiter::default() });
    let mut setup = Setup { bodies: vec![hits], limiter, ..Setup::with_cloth(cloth) };
    setup.time = Time { adaptive: setup.time.adaptive, ..fixed_step(1.0 / 60.0) };
    setup
}

/// The body comes from 0.3 m in front at this speed, and goes `beyond` m farther than the sheet.
fn at_speed(mut setup: Setup, speed: f64, beyond: f64) -> Setup {
    setup.bodies[0].place.at = Vec3::new(0.013, -0.03, 0.3);
    let way = Vec3::Z * -(0.3 + beyond);
    setup.bodies[0].motion = keys(&[(0.0, Vec3::ZERO, Vec3::ZERO), (way.length() / speed, way, Vec3::ZERO)]);
    setup
}

/// The sheet lies on the body, which makes so many turns a second.
fn turning(mut setup: Setup, axis: Vec3, turns: f64, height: f64) -> Setup {
    let Place { rotate, at, .. } = &mut setup.cloths[0].place;
    (*rotate, *at) = (Vec3::new(-90.0, 0.0, 0.0), Vec3::Y * height);
    setup.bodies[0].motion = keys(&[(0.0, Vec3::ZERO, Vec3::ZERO), (1.0, Vec3::ZERO, axis * (360.0 * turns))]);
    setup
}

fn corners() -> Option<Select> {
    Some(Select::Corners(vec![Corner::LeftTop, Corner::RightTop]))
}

/// What was seen in all steps.
#[derive(Debug, Default)]
struct Seen {
    /// Elongation over the limit.
    longest: f64,
    /// In thicknesses.
    deepest: f64,
    first: Option<Overlong>,
    broken: u32,
    steps: u32,
    rounds: u32,
}

/// Every step keeps the limit, or says with time and place that it does not.
fn watch(setup: Setup, until: f64) -> Seen {
    let mut run = Run::new(setup);
    let mut seen = Seen::default();
    while run.state.time < until {
        let report = run.step();
        let x = &run.state.x;
        let middle = |edge: &MeshEdge| 0.5 * (x[edge.v[0] as usize] + x[edge.v[1] as usize]);
        let elongation = |edge: &MeshEdge| x[edge.v[0] as usize].distance(x[edge.v[1] as usize]) / edge.rest - 1.0;
        let longest = run.world.edges.iter().max_by(|a, b| elongation(a).total_cmp(&elongation(b))).unwrap();
        let broken = elongation(longest) > 0.01 * (1.0 + 1e-4);
        assert_eq!(report.overlong.is_some(), broken, "{} at {} s", elongation(longest), run.state.time);
        if let Some(over) = report.overlong {
            assert!((over.elongation - elongation(longest)).abs() < 1e-9);
            assert!(over.at.distance(middle(longest)) < 1e-9 && (over.time - run.state.time).abs() < 1e-9);
            seen.first = seen.first.or(Some(over));
            seen.broken += 1;
        }
        assert!(run.state.x.iter().chain(&run.state.v).all(|p| p.is_finite()));
        seen.longest = seen.longest.max(elongation(longest) / 0.01);
        seen.deepest = seen.deepest.max(deepest(&run.world, &run.state).unwrap().depth / fabric().thickness);
        seen.steps += 1;
        seen.rounds += report.limiter_rounds;
    }
    seen
}

fn show(name: &str, seen: &Seen) {
    let Seen { longest, deepest, broken, steps, rounds, .. } = seen;
    println!("{name}: {longest:.4} of the limit, deepest {deepest:.3}, {broken} of {steps} steps, {rounds} rounds");
}

const BALL: Shape = Shape::Sphere { radius: 0.1 };
const BOX: Shape = Shape::Box { size: [0.2; 3] };
const CAPSULE: Shape = Shape::Capsule { radius: 0.08, height: 0.6 };
const TORUS: Shape = Shape::Torus { radius: 0.12, tube: 0.06 };
const CONE: Shape = Shape::Cone { radius: 0.1, height: 0.3 };
/// Tips to where it goes.
const FORWARDS: Vec3 = Vec3::new(-90.0, 0.0, 0.0);

#[test]
fn limit_is_kept_where_a_fast_body_leaves_room() {
    fast_body(&[0.3]);
}

#[test]
#[ignore = "slow: 6 s"]
fn limit_is_kept_where_a_fast_body_leaves_room_with_no_friction_and_a_lot() {
    fast_body(&[0.0, 1.0]);
}

/// Cloth that is free, or hangs on two corners below which the body goes through: all of it can get out of the way.
fn fast_body(frictions: &[f64]) {
    let level = Vec3::new(0.0, 0.0, 80.0);
    for &friction in frictions {
        let scenes = [
            ("ball at 50 m/s, free", at_speed(hit(None, BALL, Vec3::ZERO, friction), 50.0, 0.3), 0.02),
            ("ball at 10 m/s, corners", at_speed(hit(corners(), BALL, Vec3::ZERO, friction), 10.0, 0.15), 0.06),
            ("capsule at 20 m/s, corners", at_speed(hit(corners(), CAPSULE, level, friction), 20.0, 0.1), 0.04),
            ("torus at 20 m/s, corners", at_speed(hit(corners(), TORUS, FORWARDS, friction), 20.0, 0.1), 0.04),
            ("cone at 20 m/s, free", at_speed(hit(None, CONE, FORWARDS, friction), 20.0, 0.2), 0.03),
            ("box at 10 turns/s", turning(hit(None, BOX, Vec3::ZERO, friction), Vec3::Y, 10.0, 0.102), 0.06),
            ("tumbling box at 5 turns/s", turning(hit(None, BOX, Vec3::ZERO, friction), Vec3::X, 5.0, 0.15), 0.06),
        ];
        for (name, setup, until) in scenes {
            let seen = watch(setup, until);
            show(&format!("{name}, friction {friction}"), &seen);
            assert!(seen.longest <= 1.0 + 1e-4, "{name}, friction {friction}: {seen:?}");
        }
    }
}

/// Held at all its edges no sheet could let a ball through.
#[test]
fn what_fast_bodies_make_impossible_is_reported() {
    let edges = || Some(Select::Edge(vec![Side::Left, Side::Right, Side::Top, Side::Bottom]));
    for (name, shape, speed) in [("ball", BALL, 10.0), ("ball", BALL, 50.0), ("cone", CONE, 20.0)] {
        let reach = if shape == BALL { 0.1 } else { 0.15 };
        let seen = watch(at_speed(hit(edges(), shape, FORWARDS, 0.3), speed, 0.1), 0.4 / speed + 1.0 / 60.0);
        show(&format!("{name} at {speed} m/s, held"), &seen);
        let first = seen.first.expect("it is reported");
        // not before it gets there, and at the latest where the way over its front is 10 % longer than the sheet: at
        // an angle of 0.42, 0.09 m beyond
        let arrives = (0.3 - reach) / speed;
        assert!(first.time > arrives && first.time < arrives + 0.09 / speed + 1.0 / 60.0, "{first:?}");
        assert!(first.at.distance(Vec3::new(0.013, -0.03, 0.0)) < 0.25, "{first:?}");
    }
}

/// Steps that may not be shortened: whatever happens, it is said. [`watch`] compares.
#[test]
fn fixed_steps_report_what_they_break() {
    for friction in [0.0, 1.0] {
        for (speed, held) in [(10.0, None), (20.0, corners()), (10.0, corners())] {
            let mut setup = at_speed(hit(held, BALL, Vec3::ZERO, friction), speed, 0.2);
            setup.time.adaptive = None;
            show(&format!("fixed steps, {speed} m/s, friction {friction}"), &watch(setup, 0.15));
        }
    }
}
