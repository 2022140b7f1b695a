//! Order of convergence of the implicit methods on a small sheet with damping, air and moving pins.

use crate::common::*;
use taffeta::*;

/// What may disturb the order.
#[derive(Clone, Copy, Debug)]
struct Case {
    damped: bool,
    air: bool,
    moving: bool,
}

const TIME: f64 = 0.04;

fn small_sheet(model: Model, method: Method, case: Case, steps: u32) -> Setup {
    let tau = if case.damped { 2e-3 } else { 0.0 };
    let drag = if case.air { 3.0 } else { 0.0 };
    let damping = FabricDamping { stretch: tau, shear: tau, bend: tau, air: drag };
    let fabric = Fabric { stretch: [30.0, 30.0], shear: 3.0, bend: [1e-4, 1e-4], damping, ..fabric() };
    let mut cloth = grid([0.2, 0.2], [3, 3], Pattern::Alternating, fabric);
    cloth.model = model;
    cloth.velocity = Vec3::new(0.0, 0.0, 0.2);
    let end = if case.moving { Vec3::new(0.02, 0.01, 0.03) } else { Vec3::ZERO };
    let key = |t: f64, shift: Vec3| Key { t, shift, turn: Vec3::ZERO };
    // under way from the start: no jolt, which would hide the order
    let motion = Motion { keys: vec![key(-0.01, Vec3::ZERO), key(0.06, end)], smooth: true };
    cloth.pins = vec![Pin { motion, ..Pin::fixed(Select::Edge(vec![Side::Top])) }];
    let mut setup = Setup { method: Some(method), ..Setup::with_cloth(cloth) };
    if case.air {
        setup.air = Air { density: 1.2, drag: 2.0, wind: Vec3::new(1.0, 0.0, 2.0), ..Air::default() };
    }
    setup.time = fixed_step(TIME / f64::from(steps));
    setup
}

fn positions(model: Model, method: Method, case: Case, steps: u32) -> Vec<Vec3> {
    let mut run = Run::new(small_sheet(model, method, case, steps));
    run.steps(steps);
    run.state.x
}

fn order(model: Model, method: Method, case: Case, exact: &[Vec3], steps: [u32; 2]) -> f64 {
    let [coarse, fine] = steps.map(|n| apart(&positions(model, method, case, n), exact));
    let measured = (coarse / fine).log2();
    println!("{} {} {case:?}: {coarse:.2e}, {fine:.2e} m, order {measured:.2}", model.name(), method.name());
    measured
}

const CASES: [Case; 4] = [
    Case { damped: false, air: false, moving: false },
    Case { damped: true, air: true, moving: false },
    Case { damped: false, air: false, moving: true },
    Case { damped: true, air: true, moving: true },
];

#[test]
fn methods_keep_their_order_with_damping_air_and_moving_pins() {
    let table = [
        (Method::SymplecticEuler, 1.0),
        (Method::Midpoint, 2.0),
        (Method::Verlet { damping: 0.0 }, 2.0),
        (Method::Rk4, 4.0),
        (tight_bdf2(20), 2.0),
        (imex(ImexOrder::ExplicitFirst), 2.0),
        (imex(ImexOrder::ImplicitFirst), 2.0),
    ];
    for model in [MODELS[0], MODELS[2], MODELS[4]] {
        for case in CASES {
            let exact = positions(model, Method::Rk4, case, 4000);
            for (method, wanted) in table {
                // the errors of BDF2 are the largest: it needs shorter steps to show its order
                let steps = if method == tight_bdf2(20) { [320, 640] } else { [80, 160] };
                let measured = order(model, method, case, &exact, steps);
                // places that are given at the inner stages cost Runge-Kutta a little of its order
                let allowed = if method == Method::Rk4 && case.moving { 0.25 } else { 0.15 };
                assert!((measured - wanted).abs() < allowed, "{} {method:?} {case:?}: {measured}", model.name());
            }
            // a decaying error of opposite sign hides the order of long steps
            let measured = order(model, tight_euler(20), case, &exact, [1280, 2560]);
            assert!((measured - 1.0).abs() < 0.1, "{} backward Euler {case:?}: {measured}", model.name());
        }
    }
}

/// One linearisation leaves out what would make the matrix indefinite, and how the air turns with the cloth: an error
/// of first order, which Newton's iterations remove. Where nothing is left out BDF2 has its second order at once.
#[test]
fn one_linearisation_keeps_the_second_order_where_nothing_is_left_out() {
    let exact = positions(MODELS[0], Method::Rk4, CASES[0], 4000);
    let measured = order(MODELS[0], tight_bdf2(1), CASES[0], &exact, [80, 160]);
    assert!((measured - 2.0).abs() < 0.15, "{measured}");
    let exact = positions(MODELS[0], Method::Rk4, CASES[3], 4000);
    let measured = order(MODELS[0], tight_bdf2(1), CASES[3], &exact, [1280, 2560]);
    assert!((measured - 1.0).abs() < 0.2, "{measured}");
}

/// Steps of h, h/2, h/4 and back, given to the control by hand.
#[test]
fn bdf2_has_second_order_with_changing_steps() {
    for case in [CASES[0], CASES[3]] {
        let exact = positions(MODELS[0], Method::Rk4, case, 4000);
        let error = |steps: u32| {
            let mut setup = small_sheet(MODELS[0], tight_bdf2(20), case, steps);
            let h = TIME / f64::from(steps);
            setup.time = Time { fps: 0.25 / h, step: StepSize::AtMost(1.001 * h), ..Time::default() };
            setup.time.adaptive = Some(Adaptive { change: 1e9, ..Adaptive::default() });
            let mut run = Run::new(setup);
            let mut lengths = Vec::new();
            for _ in 0..steps / 4 {
                // four of the longest steps in all
                for halvings in [0, 1, 2, 2, 1, 1, 0] {
                    run.state.control = Control { halvings, successes: 0, wait: 1000, ..Control::default() };
                    lengths.push(run.step().h);
                }
            }
            assert!(off(run.state.time, TIME) < 1e-12);
            assert!(lengths.iter().any(|h| *h < 0.3 * lengths[0]));
            apart(&run.state.x, &exact)
        };
        let [coarse, fine] = [80, 160].map(error);
        let measured = (coarse / fine).log2();
        println!("{case:?}: {coarse:.2e}, {fine:.2e} m, order {measured:.2}");
        assert!((measured - 2.0).abs() < 0.15, "{case:?}: {measured}");
    }
}
