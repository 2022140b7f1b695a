//! Backward Euler, BDF2 and IMEX against the formulas of the linear oscillator, free fall and conserved quantities.

use crate::common::*;
use taffeta::*;

const OMEGA: f64 = 2.0 * std::f64::consts::PI;

/// Errors √(Δx² + (Δv/ω)²) at t = 0.3 as in `methods.rs`, here of the methods that solve equations.
#[test]
fn errors_at_0_3_s_are_those_of_the_formulas() {
    let verlet = [2.295075e-4, 5.737218e-5, 1.434275e-5, 3.585670e-6];
    #[rustfmt::skip]
    let table = [
        (Method::BackwardEuler(Implicit::default()), [3.489344e-2, 1.760671e-2, 8.843093e-3, 4.431447e-3]),
        (Method::Bdf2(Implicit::default()), [8.827391e-4, 2.220455e-4, 5.566651e-5, 1.393505e-5]),
        (imex(ImexOrder::ExplicitFirst), verlet),
        (imex(ImexOrder::ImplicitFirst), verlet),
    ];
    let a = 0.5; // the spring must not turn over
    for (method, errors) in table {
        for (n, wanted) in [50u32, 100, 200, 400].into_iter().zip(errors) {
            let h = 0.3 / f64::from(n);
            let mut run = oscillator(OMEGA, method, h);
            run.state.x[1].x = 1.0 + a;
            if matches!(method, Method::Bdf2(_)) {
                exact_past(&mut run, h, |t| (a * (OMEGA * t).cos(), -a * OMEGA * (OMEGA * t).sin()));
            }
            run.steps(n);
            let (x, v) = ((run.state.x[1].x - 1.0) / a, run.state.v[1].x / a);
            let (sin, cos) = (OMEGA * 0.3).sin_cos();
            let error = (x - cos).hypot(v / OMEGA + sin);
            assert!((error / wanted - 1.0).abs() < 1e-6, "{method:?}, {n} steps: {error:e} instead of {wanted:e}");
        }
    }
}

/// Gives the oscillator's particle a step before the start.
fn exact_past(run: &mut Run, h: f64, at: impl Fn(f64) -> (f64, f64)) {
    let past = &mut run.state.past;
    past.h = h;
    (past.x[1].x, past.v[1].x) = at(-h);
    past.x[1].x += 1.0;
}

/// Complex product and quotient.
fn times(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]]
}

fn over(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    let size = b[0] * b[0] + b[1] * b[1];
    times(a, [b[0] / size, -b[1] / size])
}

/// u = x - i v/ω turns with e^(iωt). Backward Euler multiplies it by A = 1/(1 - iz), BDF2 by (2 + √(1 + 2iz))/(3 -
/// 2iz).
#[test]
fn amplification_and_phase_per_step_are_those_of_the_formulas() {
    for (z, euler, bdf2) in
        [(0.1f64, 0.99503719, 0.99997561), (1.0, std::f64::consts::FRAC_1_SQRT_2, 0.93332106), (10.0, 0.0, 0.0)]
    {
        let root = {
            let size = (1.0 + 4.0 * z * z).sqrt();
            [(0.5 * (size + 1.0)).sqrt(), (0.5 * (size - 1.0)).sqrt()]
        };
        let table = [
            (Method::BackwardEuler(Implicit::default()), over([1.0, 0.0], [1.0, -z]), euler),
            (Method::Bdf2(Implicit::default()), over([2.0 + root[0], root[1]], [3.0, -2.0 * z]), bdf2),
        ];
        for (method, a, known) in table {
            let mut run = oscillator(1.0, method, z);
            let start = 0.05;
            run.state.x[1].x = 1.0 + start;
            if matches!(method, Method::Bdf2(_)) {
                let before = over([start, 0.0], a);
                exact_past(&mut run, z, |_| (before[0], -before[1]));
            }
            run.step();
            let u = [(run.state.x[1].x - 1.0) / start, -run.state.v[1].x / start];
            assert!((u[0] - a[0]).hypot(u[1] - a[1]) < 1e-13, "{method:?} z = {z}: {u:?} instead of {a:?}");
            assert!(known == 0.0 || (a[0].hypot(a[1]) - known).abs() < 6e-9, "{method:?} z = {z}: {known}");
        }
    }
}

/// The energy of backward Euler halves every ln 2/(2 ln(1/|A|)) = 69.7 steps at z = 0.1.
#[test]
fn backward_euler_halves_the_energy_in_69_7_steps() {
    let mut run = oscillator(1.0, Method::BackwardEuler(Implicit::default()), 0.1);
    run.state.x[1].x = 1.5;
    let energy = |s: &State| (s.x[1].x - 1.0).powi(2) + s.v[1].x.powi(2);
    let first = energy(&run.state);
    run.steps(697);
    assert!(off(energy(&run.state), first * 1.01f64.powi(-697)) < 1e-11, "{}", energy(&run.state) / first);
    assert!(off(energy(&run.state), first * 0.5f64.powi(10)) < 5e-3, "{}", energy(&run.state) / first);
}

/// Every model, method and the strongest damping inside the cloth: none may slow a fall or change the shape. (Stresses
/// of such a damping are uncertain by the rounding of positions times τ/h: tighter equations would be solved for
/// noise.)
#[test]
fn free_fall_is_exact_to_rounding() {
    let (h, n) = (1e-2, 20.0);
    let velocity = Vec3::new(0.5, 2.0, -0.25);
    let settings = |newton: u32| Implicit { tolerance: 1e-8, newton, residual: 1e-6, ..Implicit::default() };
    for model in MODELS {
        for (tau, newton) in [(0.0, 1), (0.0, 20), (1.0, 1), (1.0, 20)] {
            for method in [Method::BackwardEuler(settings(newton)), Method::Bdf2(settings(newton))] {
                let damping = FabricDamping { stretch: tau, shear: tau, bend: tau, air: 0.0 };
                let mut cloth = grid([0.3, 0.2], [6, 5], Pattern::Alternating, Fabric { damping, ..fabric() });
                cloth.model = model;
                cloth.place = Place { rotate: Vec3::new(20.0, 30.0, 40.0), ..Place::default() };
                cloth.velocity = velocity;
                let mut setup = Setup { method: Some(method), ..Setup::with_cloth(cloth) };
                setup.time = fixed_step(h);
                let mut run = Run::new(setup);
                run.steps(20);
                let fallen = match method {
                    Method::BackwardEuler(_) => 0.5 * 9.81 * h * h * n * (n + 1.0),
                    _ => bdf2_fall(h, 20),
                };
                let moved = velocity * (n * h) - Vec3::Y * fallen;
                for (x, start) in run.state.x.iter().zip(&run.world.start) {
                    let error = (*x - *start - moved).length();
                    let name = (model.name(), method.name());
                    assert!(error < 1e-12 * 0.04, "{name:?}, {newton} iterations, τ = {tau} s: off by {error:e} m");
                }
            }
        }
    }
}

/// The fall that BDF2's formula gives from rest, its first step backward Euler's.
fn bdf2_fall(h: f64, steps: u32) -> f64 {
    let (mut before, mut now) = ([0.0, 0.0], [9.81 * h * h, 9.81 * h]);
    for _ in 1..steps {
        let v = (4.0 * now[1] - before[1] + 2.0 * h * 9.81) / 3.0;
        let x = (4.0 * now[0] - before[0] + 2.0 * h * v) / 3.0;
        (before, now) = (now, [x, v]);
    }
    now[0]
}
