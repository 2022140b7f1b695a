//! Symplectic Euler behind a constant filter.

use crate::common::*;
use taffeta::*;

/// As in the method.
const ALPHA: f64 = 0.1;
const THETA: f64 = 0.35;

/// c = z²/(1 + θ z²) and x+ = (2 - c (1 + α)) x - (1 - c α) x-, for any z.
#[test]
fn an_oscillator_follows_its_recurrence_at_any_step() {
    for z in [0.01f64, 0.3, 1.0, 5.0, 1000.0] {
        let mut run = oscillator(1.0 / z, Method::FilteredEuler, z * z);
        run.state.x[1].x += 0.01;
        // z = h ω with h = z², ω = 1/z
        let c = z * z / (1.0 + THETA * z * z);
        let (mut before, mut now) = (0.01, 0.01);
        let mut first = true;
        for _ in 0..20 {
            run.step();
            // without a velocity the first step looks nowhere ahead
            let next = if first { now - c * now } else { (2.0 - c * (1.0 + ALPHA)) * now - (1.0 - c * ALPHA) * before };
            first = false;
            (before, now) = (now, next);
            let off = (run.state.x[1].x - 1.0 - now).abs();
            // the factor is kept in single precision: 6e-8 of every change, 20 times
            assert!(off < 0.01 * 5e-6, "z = {z}: {off:e} m off at {now:e} m");
            // the first step may go to 1 - 1/θ = -1.86 times where it was, no later one farther
            assert!(now.abs() < 0.0187, "z = {z}: it grows to {now}");
        }
    }
}

/// The sum over all particles of K is zero, so the filter changes no momentum; free fall is exact.
#[test]
fn momentum_is_that_of_free_fall() {
    for model in MODELS {
        let mut cloth = grid([0.4, 0.3], [12, 9], Pattern::Alternating, fabric());
        cloth.model = model;
        cloth.noise = Some(Noise { size: 1e-3, seed: 4 });
        let mut setup = Setup { method: Some(Method::FilteredEuler), contact: CONSTRAINT, ..Setup::with_cloth(cloth) };
        setup.time = fixed_step(1e-3);
        let mut run = Run::new(setup);
        let mass: f64 = run.world.mass.iter().sum();
        run.steps(100);
        let momentum: Vec3 = run.state.v.iter().zip(&run.world.mass).map(|(v, m)| *v * *m).sum();
        let moving: f64 = run.state.v.iter().zip(&run.world.mass).map(|(v, m)| v.length() * m).sum();
        let off = (momentum + Vec3::Y * (9.81 * 0.1 * mass)).length();
        // single precision in each of 100 steps
        assert!(off < 1e-5 * moving, "{}: {off:e} of {moving:e} N s", model.name());
    }
}

/// A sheet at two corners, 21 × 21: the fall of its middle beside that of symplectic Euler, which keeps all energy.
#[test]
fn it_falls_as_fast_as_it_should_at_the_automatic_step() {
    let falling = |method: Method, bend: f64| {
        let damping = FabricDamping { stretch: 0.0, shear: 0.0, bend: 0.0, air: 0.0 };
        let fabric = Fabric { density: 0.2, stretch: [5000.0; 2], shear: 2500.0, bend: [bend; 2], damping, ..fabric() };
        let mut cloth = grid([1.0, 1.0], [20, 20], Pattern::Alternating, fabric);
        cloth.place.rotate = Vec3::new(90.0, 0.0, 0.0);
        cloth.pins = vec![Pin::fixed(Select::Corners(vec![Corner::LeftBottom, Corner::RightBottom]))];
        let mut setup = Setup { method: Some(method), contact: CONSTRAINT, ..Setup::with_cloth(cloth) };
        setup.time = Time { fps: 60.0, ..Time::default() };
        let mut run = Run::new(setup);
        let middle = |run: &Run| {
            let sum: f64 = run.state.x.iter().zip(&run.world.mass).map(|(x, m)| x.y * m).sum();
            sum / run.world.mass.iter().sum::<f64>()
        };
        let start = middle(&run);
        let energy = run.measure().energy();
        let falls = [15, 15, 30].map(|frames| {
            run.frames(frames);
            start - middle(&run)
        });
        (falls, run.measure().energy() - energy)
    };
    let (got, lost) = falling(Method::FilteredEuler, 5e-6);
    let (want, _) = falling(Method::SymplecticEuler, 5e-6);
    println!("{got:.3?} m beside {want:.3?} m, {lost:.3} J");
    // 5 cm of a sheet of 1 m
    assert!((0..3).all(|i| (got[i] - want[i]).abs() < 0.05), "{got:?} instead of {want:?}");
    // a sheet that hardly bends swings as a board: the filter must not slow it down
    let ((got, _), (want, _)) = (falling(Method::FilteredEuler, 10.0), falling(Method::SymplecticEuler, 10.0));
    println!("{got:.3?} m beside {want:.3?} m");
    assert!((0..2).all(|i| (got[i] - want[i]).abs() < 0.05), "stiff: {got:?} instead of {want:?}");
    // it has lost 1 J of weight at its lowest; a tenth of that, and none gained
    assert!(lost < 0.0 && lost > -0.1, "{lost} J");
}

#[test]
fn steps_of_slow_motion_are_warned_of() {
    let said = |step: StepSize| {
        let cloth = grid([1.0, 1.0], [20, 20], Pattern::Alternating, Fabric { stretch: [5000.0; 2], ..fabric() });
        let mut setup = Setup { method: Some(Method::FilteredEuler), contact: CONSTRAINT, ..Setup::with_cloth(cloth) };
        setup.time = Time { fps: 60.0, step, ..Time::default() };
        let warnings = World::new(setup).unwrap().warnings;
        warnings.into_iter().filter(|warning| warning.message.contains("slow motion")).count()
    };
    assert_eq!([StepSize::Auto, StepSize::AtMost(1e-3), StepSize::AtMost(1.0 / 60.0)].map(said), [0, 0, 1]);
}

/// Long steps make it slow, not wild.
#[test]
fn stiff_cloth_in_long_steps_gains_no_energy() {
    for model in MODELS {
        for h in [1.0 / 600.0, 1.0 / 60.0, 1.0 / 20.0] {
            let mut cloth = grid([1.0, 1.0], [12, 12], Pattern::Alternating, Fabric { stretch: [1e6; 2], ..fabric() });
            cloth.model = model;
            cloth.place.rotate = Vec3::new(80.0, 0.0, 10.0);
            cloth.pins = vec![Pin::fixed(Select::Corners(vec![Corner::LeftBottom, Corner::RightBottom]))];
            let mut setup =
                Setup { method: Some(Method::FilteredEuler), contact: CONSTRAINT, ..Setup::with_cloth(cloth) };
            setup.time = fixed_step(h);
            let mut run = Run::new(setup);
            let start = run.measure().energy();
            let most = (0..100).map(|_| {
                run.step();
                run.measure().energy()
            });
            let most = most.fold(f64::NEG_INFINITY, f64::max);
            // between two steps energy swings by about that of a step's fall: m g² h²/2
            let mass: f64 = run.world.mass.iter().sum();
            let swing = mass * 9.81 * 9.81 * h * h;
            assert!(most < start + swing + 1e-6, "{} at {h:.4} s: {most} J from {start} J", model.name());
        }
    }
}

/// What the pins report is what the momentum lacks.
#[test]
fn pins_carry_what_the_momentum_lacks() {
    for hold in [Hold::All, Hold::Axes([true, false, true])] {
        let mut cloth = grid([0.4, 0.4], [8, 8], Pattern::Alternating, fabric());
        let motion = keys(&[(0.0, Vec3::ZERO, Vec3::ZERO), (0.3, Vec3::new(0.05, 0.1, 0.02), Vec3::ZERO)]);
        cloth.pins = vec![Pin { hold, motion, ..Pin::fixed(Select::Vertices(vec![72, 73])) }];
        let mut setup = Setup { method: Some(Method::FilteredEuler), contact: CONSTRAINT, ..Setup::with_cloth(cloth) };
        setup.time = fixed_step(2e-3);
        let mut run = Run::new(setup);
        let mass: f64 = run.world.mass.iter().sum();
        let momentum = |run: &Run| -> Vec3 { run.state.v.iter().zip(&run.world.mass).map(|(v, m)| *v * *m).sum() };
        for _ in 0..50 {
            let before = momentum(&run);
            let report = run.frame();
            let lacks = (momentum(&run) - before) / 2e-3 + Vec3::Y * (9.81 * mass);
            let off = (report.pins[0] - lacks).length();
            let size = report.pins[0].length() + 9.81 * mass;
            // single precision, and the difference of two momenta
            assert!(off < 1e-4 * size, "{hold:?}: {off:e} of {size:e} N");
        }
    }
}

#[test]
fn bodies_to_touch_are_refused() {
    let cloth = grid([0.4, 0.3], [4, 3], Pattern::Alternating, fabric());
    let mut setup = Setup { method: Some(Method::FilteredEuler), ..Setup::with_cloth(cloth) };
    let (shape, place) = (Shape::Sphere { radius: 0.1 }, Place { at: Vec3::Y * -1.0, ..Place::default() });
    setup.bodies = vec![Body { name: "ball".into(), shape, place, ..Body::default() }];
    let problems = World::new(&setup).map(|_| ()).unwrap_err();
    assert!(matches!(&problems[..], [problem] if problem.message.contains("no contact")), "{problems:?}");
    setup.components.contact = false;
    assert!(World::new(&setup).is_ok());
}
