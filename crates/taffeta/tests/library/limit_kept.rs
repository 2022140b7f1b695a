//! A limit on stretch that is kept in every step.

use crate::common::*;
use taffeta::*;

const METHODS_KEPT: [Method; 3] = [
    Method::BackwardEuler(Implicit { tolerance: 1e-3, iterations: 10_000, newton: 1, residual: 1e-3 }),
    Method::Bdf2(Implicit { tolerance: 1e-3, iterations: 10_000, newton: 1, residual: 1e-3 }),
    Method::SymplecticEuler,
];

fn keep(limit: f64) -> Option<Limiter> {
    Some(Limiter { limit, rule: Some(Rule::Keep), ..Limiter::default() })
}

/// A sheet of triangles, 1 m by 1 m.
fn sheet(cells: u32, stretch: f64) -> Cloth {
    let fabric = Fabric { stretch: [stretch; 2], shear: 0.05 * stretch, ..fabric() };
    grid([1.0, 1.0], [cells, cells], Pattern::Alternating, fabric)
}

fn two_corners() -> Pin {
    Pin::fixed(Select::Corners(vec![Corner::LeftTop, Corner::RightTop]))
}

/// Largest elongation of all edges.
fn longest(run: &Run) -> f64 {
    let x = &run.state.x;
    let elongation = |edge: &MeshEdge| x[edge.v[0] as usize].distance(x[edge.v[1] as usize]) / edge.rest - 1.0;
    run.world.edges.iter().map(elongation).fold(0.0, f64::max)
}

#[test]
fn sheet_swung_from_horizontal_keeps_one_percent_in_every_step() {
    METHODS_KEPT.into_iter().for_each(|method| swings(method, if method.is_implicit() { 30 } else { 16 }));
}

#[test]
#[ignore = "slow: 6 s"]
fn fine_sheet_swung_from_horizontal_keeps_one_percent_in_every_step() {
    METHODS_KEPT.into_iter().filter(Method::is_implicit).for_each(|method| swings(method, 50));
}

/// The sheet falls from horizontal on two corners.
fn swings(method: Method, cells: u32) {
    let mut cloth = sheet(cells, 500.0);
    cloth.pins = vec![two_corners()];
    cloth.place.rotate = Vec3::new(90.0, 0.0, 0.0);
    let mut setup = Setup { method: Some(method), limiter: keep(0.01), ..Setup::with_cloth(cloth.clone()) };
    let mut run = Run::new(setup.clone());
    let (mut worst, mut rounds, mut steps) = (0.0f64, 0, 0);
    while run.state.time < if method.is_implicit() { 0.7 } else { 0.45 } {
        let report = run.step();
        assert_eq!(report.overlong, None, "{}", method.name());
        rounds += report.limiter_rounds;
        steps += u32::from(report.limiter_rounds > 0);
        worst = worst.max(longest(&run));
    }
    setup.limiter = None;
    let mut free = Run::new(setup);
    free.until(run.state.time);
    println!(
        "{}: {:.4} % instead of {:.1} %, {:.1} rounds in {steps} steps",
        method.name(),
        100.0 * worst,
        100.0 * longest(&free),
        f64::from(rounds) / f64::from(steps)
    );
    assert!(worst <= 0.01 + 1e-6, "{}: {worst}", method.name());
    assert!(longest(&free) > 0.05, "{}", longest(&free));
}

/// A sheet that hangs from one corner, which is pulled away by a metre in a frame: all of it can follow.
#[test]
#[ignore = "slow: 12 s"]
fn sheet_on_a_corner_that_is_pulled_away_keeps_one_percent() {
    for method in METHODS_KEPT {
        let mut cloth = sheet(if method.is_implicit() { 20 } else { 10 }, 500.0);
        let mut pin = Pin::fixed(Select::Corners(vec![Corner::LeftTop]));
        pin.motion = pulled(Vec3::new(-0.6, 0.0, 0.8));
        cloth.pins = vec![pin];
        let mut run = Run::new(Setup { method: Some(method), limiter: keep(0.01), ..Setup::with_cloth(cloth) });
        let mut worst = 0.0f64;
        while run.state.time < if method.is_implicit() { 0.4 } else { 0.16 } {
            let report = run.step();
            assert_eq!(report.overlong, None, "{} at {}", method.name(), run.state.time);
            worst = worst.max(longest(&run));
        }
        let speed = run.measure().max_speed;
        println!("{}: {:.4} %, {speed:.1} m/s", method.name(), 100.0 * worst);
        assert!(worst <= 0.01 + 1e-6, "{}: {worst}", method.name());
    }
}

/// Away within a frame of 1/24 s.
fn pulled(shift: Vec3) -> Motion {
    let key = |t: f64, shift: Vec3| Key { t, shift, turn: Vec3::ZERO };
    Motion { keys: vec![key(0.1, Vec3::ZERO), key(0.1 + 1.0 / 24.0, shift)], smooth: false }
}

/// What the pins ask for cannot be: it is said where and when, and nothing explodes.
#[test]
fn corners_pulled_apart_are_reported_and_nothing_explodes() {
    for method in METHODS_KEPT {
        let mut cloth = sheet(10, 500.0);
        let mut pin = Pin::fixed(Select::Corners(vec![Corner::LeftTop]));
        pin.motion = pulled(Vec3::new(-0.6, 0.0, 0.8));
        cloth.pins = vec![pin, Pin::fixed(Select::Corners(vec![Corner::RightTop]))];
        let mut run = Run::new(Setup { method: Some(method), limiter: keep(0.01), ..Setup::with_cloth(cloth) });
        let corner =
            |u: f64| run.world.rest.iter().position(|p| p.distance(Vec3::new(u, 1.0, 0.0)) < 1e-9).expect("a corner");
        let [left, right] = [0.0, 1.0].map(corner);
        let mut most: Option<Overlong> = None;
        let mut kinetic = 0.0f64;
        while run.state.time < if method.is_implicit() { 0.6 } else { 0.2 } {
            let report = run.step();
            let apart = run.state.x[left].distance(run.state.x[right]);
            if most.is_none() && apart < 1.0 {
                assert!(report.overlong.is_none() && longest(&run) <= 0.01 + 1e-6, "{}", method.name());
            }
            if let Some(over) = report.overlong {
                let ends = over.vertices.map(|v| run.state.x[v as usize]);
                assert!((over.elongation - longest(&run)).abs() < 1e-9 && (over.time - run.state.time).abs() < 1e-9);
                assert!(over.at.distance(0.5 * (ends[0] + ends[1])) < 1e-12 && over.cloth == 0);
                if most.is_none_or(|most| over.elongation > most.elongation) {
                    most = Some(over);
                }
            }
            kinetic = kinetic.max(run.measure().kinetic);
        }
        let apart = run.state.x[left].distance(run.state.x[right]);
        println!("{}: {most:?}, {apart:.3} m apart, {kinetic:.1} J", method.name());
        let most = most.expect("what is impossible is reported");
        // a line of edges between the pins cannot be shorter
        assert!(most.time > 0.1 && most.elongation > apart - 1.0 && most.elongation < 3.0, "{most:?}");
        // the pin's own speed is 24 m/s, which all of the cloth would have with 43 J
        assert!(kinetic < 4.0 * 43.0, "{kinetic}");
        assert!(run.measure().kinetic < 0.5 * kinetic, "it calms down");
    }
}

/// A soft fabric that would stretch by several percent hangs still, and the pins carry it.
#[test]
fn hanging_sheet_comes_to_rest_and_pins_carry_it() {
    for method in [tight_euler(1), tight_bdf2(1)] {
        let mut cloth = sheet(16, 200.0);
        if let Material::Fabric(fabric) = &mut cloth.material {
            fabric.damping.air = 0.5;
        }
        cloth.pins = vec![two_corners()];
        let mut setup = Setup { method: Some(method), limiter: keep(0.01), ..Setup::with_cloth(cloth) };
        let mut run = Run::new(setup.clone());
        let mut worst = 0.0f64;
        while run.state.time < 5.0 {
            run.frame();
            worst = worst.max(longest(&run));
        }
        let report = run.frame();
        let speed = run.measure().max_speed;
        setup.limiter = None;
        let mut free = Run::new(setup);
        free.until(2.0);
        println!("{}: {speed:.1e} m/s, {:.1} % without a limit", method.name(), 100.0 * longest(&free));
        assert!(speed < 1e-3 && worst <= 0.01 + 1e-6 && report.limited > 0, "{}: {speed:e} {worst}", method.name());
        assert!(longest(&free) > 0.03);
        let weight = run.world.mass.iter().sum::<f64>() * 9.81;
        let carried = report.pins[0].y;
        // the method falls before the limiter holds, and the air of 0.5 N s/m³ carries 0.05 N of that fall
        assert!(off(carried, weight) < 0.05, "{}: {carried} of {weight}", method.name());
    }
}

#[test]
fn free_cloth_keeps_its_momentum() {
    let mut cloth = sheet(12, 50.0);
    cloth.velocity = Vec3::new(1.0, 2.0, -3.0);
    let mut setup = Setup { limiter: keep(0.01), gravity: Vec3::ZERO, ..Setup::with_cloth(cloth) };
    setup.method = Some(Method::SymplecticEuler);
    setup.time = fixed_step(1e-3);
    let mut run = Run::new(setup);
    // it flies apart
    for (i, v) in run.state.v.iter_mut().enumerate() {
        *v += 30.0 * (run.world.rest[i] - Vec3::new(0.5, 0.5, 0.0));
    }
    let before = run.measure().momentum;
    let limited: u64 = (0..40).map(|_| run.step().limited).sum();
    let after = run.measure().momentum;
    assert!(limited > 500, "{limited}");
    assert!((after - before).length() < 1e-12 * before.length(), "{before} {after}");
    assert!(longest(&run) <= 0.01 + 1e-6);
}

/// The nearest positions are never farther from where the step started.
#[test]
fn limiter_takes_energy_and_never_gives_any() {
    let mut cloth = sheet(12, 100.0);
    cloth.pins = vec![two_corners()];
    cloth.place.rotate = Vec3::new(90.0, 0.0, 0.0);
    let setup = |limiter: Option<Limiter>| {
        let mut setup = Setup { limiter, ..Setup::with_cloth(cloth.clone()) };
        setup.time.adaptive = None;
        setup
    };
    let (mut kept, mut free) = (Run::new(setup(keep(0.01))), Run::new(setup(None)));
    let mut limited = 0;
    for _ in 0..60 {
        free.state = kept.state.clone();
        limited += kept.step().limited;
        free.step();
        let [kept, free] = [&kept, &free].map(|run| run.measure().kinetic);
        assert!(kept <= free * 1.001 + 1e-12, "{kept} {free}");
    }
    assert!(limited > 1000, "{limited}");
}

#[test]
fn results_have_the_same_bits_on_1_2_and_3_threads() {
    let run_on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut cloth = sheet(60, 300.0);
            cloth.pins = vec![two_corners()];
            cloth.place.rotate = Vec3::new(90.0, 0.0, 0.0);
            let mut run = Run::new(Setup { limiter: keep(0.01), ..Setup::with_cloth(cloth) });
            let rounds: Vec<u32> = (0..8).map(|_| run.step().limiter_rounds).collect();
            assert!(rounds.iter().sum::<u32>() > 10);
            (run.state, rounds)
        })
    };
    let one = run_on(1);
    for threads in [2, 3] {
        assert!(one == run_on(threads), "{threads} threads differ from one");
    }
}

#[test]
fn implicit_methods_keep_and_explicit_ones_pull_unless_told() {
    let limiter = Limiter::default();
    for method in [Method::BackwardEuler(Implicit::default()), Method::Bdf2(Implicit::default())] {
        assert_eq!(limiter.rule(&method), Rule::Keep);
    }
    assert_eq!(limiter.rule(&Method::Rk4), Rule::Pull);
    assert_eq!(Limiter { rule: Some(Rule::Pull), ..limiter }.rule(&euler()), Rule::Pull);
}
