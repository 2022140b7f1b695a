//! A limit on stretch that is kept in every step.

mod common;
use common::*;
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
    for method in METHODS_KEPT {
        let cells = if method.is_implicit() { 50 } else { 16 };
        let mut cloth = sheet(cells, 500.0);
        cloth.pins = vec![two_corners()];
        cloth.place.rotate = Vec3::new(90.0, 0.0, 0.0);
        let mut setup = Setup { method, limiter: keep(0.01), ..Setup::with_cloth(cloth.clone()) };
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
}

/// What the pins ask for cannot be: the excess is said, spread and bounded; what hangs on them follows.
#[test]
fn corner_pulled_away_by_a_metre_is_reported_and_nothing_explodes() {
    for method in METHODS_KEPT {
        let mut cloth = sheet(if method.is_implicit() { 50 } else { 16 }, 500.0);
        let mut pull = Pin::fixed(Select::Corners(vec![Corner::LeftTop]));
        let key = |t: f64, shift: Vec3| Key { t, shift, turn: Vec3::ZERO };
        let keys = vec![key(0.1, Vec3::ZERO), key(0.1 + 1.0 / 24.0, Vec3::new(-0.6, 0.0, 0.8))];
        pull.motion = Motion { keys, smooth: false };
        cloth.pins = vec![pull, Pin::fixed(Select::Corners(vec![Corner::RightTop]))];
        let mut setup = Setup { method, limiter: keep(0.01), ..Setup::with_cloth(cloth) };
        if method.is_implicit() {
            setup.time.step = StepSize::AtMost(0.01);
        }
        let mut run = Run::new(setup);
        let [left, right] = [0.0, 1.0]
            .map(|u| run.world.rest.iter().position(|p| p.distance(Vec3::new(u, 1.0, 0.0)) < 1e-9).expect("a corner"));
        let mut most: Option<Overlong> = None;
        let mut rounds = 0;
        while run.state.time < if method.is_implicit() { 0.5 } else { 0.18 } {
            let report = run.step();
            rounds = rounds.max(report.limiter_rounds);
            let apart = run.state.x[left].distance(run.state.x[right]);
            if apart < 1.0 {
                assert!(report.overlong.is_none() && longest(&run) <= 0.01 + 1e-6, "{}", method.name());
            }
            if let Some(over) = report.overlong {
                // nothing can be shorter than a straight line of edges between the pins
                assert!(over.elongation >= 0.01 && (over.time - run.state.time).abs() < 1e-9);
                assert!((over.elongation - longest(&run)).abs() < 1e-9);
                if most.is_none_or(|most| over.elongation > most.elongation) {
                    most = Some(over);
                }
            }
        }
        let apart = run.state.x[left].distance(run.state.x[right]);
        let speed = run.measure().max_speed;
        println!("{}: {most:?}, pins {apart:.3} m apart, {rounds} rounds, {speed:.2} m/s", method.name());
        let most = most.expect("what is impossible is reported");
        assert!(most.cloth == 0 && most.time > 0.1, "{most:?}");
        // the straight line between the corners bears it evenly
        assert!((longest(&run) - (apart - 1.0)).abs() < 0.1, "{} instead of {}", longest(&run), apart - 1.0);
        assert!(speed < 60.0, "{speed}");
    }
}
