//! Order, amplification and stability of the methods, against the formulas of the linear oscillator x'' = -ω² x.

use crate::common::*;

use taffeta::*;

/// Errors √(Δx² + (Δv/ω)²) at t = 0.3 for ω = 2π, x(0) = 1, v(0) = 0 in 50, 100, 200, 400 steps, computed independently
/// in Python. (At a whole period symplectic Euler would look like a second-order method.)
#[test]
fn errors_at_0_3_s_are_those_of_the_formulas() {
    #[rustfmt::skip]
    let table = [
        (Method::ForwardEuler, [3.615460e-2, 1.792223e-2, 8.921990e-3, 4.451172e-3], 1.0),
        (Method::SymplecticEuler, [1.803620e-2, 8.990417e-3, 4.488431e-3, 2.242539e-3], 1.0),
        (Method::Verlet { damping: 0.0 }, [2.295075e-4, 5.737218e-5, 1.434275e-5, 3.585670e-6], 2.0),
        (Method::Midpoint, [4.464812e-4, 1.116219e-4, 2.790561e-5, 6.976409e-6], 2.0),
        (Method::Rk4, [3.172767e-8, 1.983000e-9, 1.239377e-10, 7.745827e-12], 4.0),
    ];
    let omega = 2.0 * std::f64::consts::PI;
    let amplitude = 0.5; // the spring must not turn over
    for (method, errors, order) in table {
        let mut found = Vec::new();
        for (i, n) in [50, 100, 200, 400].into_iter().enumerate() {
            let mut run = oscillator(omega, method, 0.3 / f64::from(n));
            run.state.x[1].x = 1.0 + amplitude;
            run.steps(n);
            let (x, v) = ((run.state.x[1].x - 1.0) / amplitude, run.state.v[1].x / amplitude);
            let (sin, cos) = (omega * 0.3).sin_cos();
            let error = (x - cos).hypot(v / omega + sin);
            // six digits, down to the rounding of some hundred steps
            assert!(
                (error - errors[i]).abs() < 1e-6 * errors[i] + 1e-14,
                "{method:?}, {n} steps: {error:e} instead of {:e}",
                errors[i]
            );
            found.push(error);
        }
        let measured = (found[0] / found[2]).log2() / 2.0;
        assert!((measured - order).abs() < 0.05, "{method:?} has order {measured}");
    }
}

/// The matrix of one step on (x, v/ω), from two starts.
fn step_matrix(method: Method, z: f64) -> [[f64; 2]; 2] {
    let a = 0.25;
    let column = |x: f64, v: f64| {
        let mut run = oscillator(1.0, method, z);
        run.state.x[1].x = 1.0 + a * x;
        run.state.v[1].x = a * v;
        run.step();
        [(run.state.x[1].x - 1.0) / a, run.state.v[1].x / a]
    };
    let (first, second) = (column(1.0, 0.0), column(0.0, 1.0));
    [[first[0], second[0]], [first[1], second[1]]]
}

#[test]
fn amplification_and_phase_per_step_are_those_of_the_formulas() {
    for z in [0.05f64, 0.1, 0.5, 1.0] {
        let rk4_phase = (z - z * z * z / 6.0).atan2(1.0 - z * z / 2.0 + z.powi(4) / 24.0);
        let table = [
            (Method::ForwardEuler, (1.0 + z * z).sqrt(), z.atan()),
            (Method::SymplecticEuler, 1.0, (1.0 - z * z / 2.0).acos()),
            (Method::Verlet { damping: 0.0 }, 1.0, (1.0 - z * z / 2.0).acos()),
            (Method::Midpoint, (1.0 + z.powi(4) / 4.0).sqrt(), z.atan2(1.0 - z * z / 2.0)),
            (Method::Rk4, (1.0 - z.powi(6) / 72.0 + z.powi(8) / 576.0).sqrt(), rk4_phase),
        ];
        for (method, amplification, phase) in table {
            let m = step_matrix(method, z);
            let size = (m[0][0] * m[1][1] - m[0][1] * m[1][0]).sqrt();
            let angle = (0.5 * (m[0][0] + m[1][1]) / size).acos();
            assert!((size - amplification).abs() < 1e-13, "{method:?} z = {z}: |A| = {size}, {amplification}");
            assert!((angle - phase).abs() < 1e-12, "{method:?} z = {z}: phase {angle}, {phase}");
        }
    }
}

/// Values at z = 0.1 and z = 1 as published with the formulas.
#[test]
fn amplification_at_0_1_and_1_has_the_known_digits() {
    let known = [
        (Method::ForwardEuler, 1.00498756, std::f64::consts::SQRT_2),
        (Method::SymplecticEuler, 1.0, 1.0),
        (Method::Midpoint, 1.00001250, 1.11803399),
        (Method::Rk4, 0.99999999, 0.99390504),
    ];
    for (method, at_tenth, at_one) in known {
        for (z, value) in [(0.1, at_tenth), (1.0, at_one)] {
            let m = step_matrix(method, z);
            let size = (m[0][0] * m[1][1] - m[0][1] * m[1][0]).sqrt();
            assert!((size - value).abs() < 6e-9, "{method:?} z = {z}: {size}, {value}");
        }
    }
}

/// Positions of a small sheet with a pin that moves smoothly, or with damping of every kind, at t = 0.04 s in n steps.
fn small_sheet(method: Method, moving: bool, damped: bool, n: u32) -> Vec<Vec3> {
    let time = 0.04;
    let damping = if damped {
        FabricDamping { stretch: 2e-3, shear: 2e-3, bend: 2e-3, air: 3.0 }
    } else {
        FabricDamping::default()
    };
    let fabric = Fabric { stretch: [30.0, 30.0], shear: 3.0, bend: [1e-4, 1e-4], damping, ..fabric() };
    let mut cloth = grid([0.2, 0.2], [3, 3], Pattern::Alternating, fabric);
    cloth.velocity = Vec3::new(0.0, 0.0, 0.2);
    let end = if moving { Vec3::new(0.02, 0.01, 0.03) } else { Vec3::ZERO };
    let key = |t: f64, shift: Vec3| Key { t, shift, turn: Vec3::ZERO };
    let motion = Motion { keys: vec![key(-0.01, Vec3::ZERO), key(0.06, end)], smooth: true };
    cloth.pins = vec![Pin { motion, ..Pin::fixed(Select::Edge(vec![Side::Top])) }];
    // at the start the pin's velocity is that of the motion: no jolt, which would hide the order
    let mut setup = springs(cloth);
    setup.method = Some(method);
    setup.time = fixed_step(time / f64::from(n));
    let mut run = Run::new(setup);
    run.steps(n);
    run.state.x
}

#[test]
fn methods_keep_their_order_with_damping_and_with_moving_pins() {
    for (method, order) in [
        (Method::SymplecticEuler, 1.0),
        (Method::Midpoint, 2.0),
        (Method::Verlet { damping: 0.0 }, 2.0),
        (Method::Rk4, 4.0),
    ] {
        for (moving, damped) in [(false, true), (true, false)] {
            let solve = |n: u32| small_sheet(method, moving, damped, n);
            let apart = |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).map(|(p, q)| p.distance(*q)).fold(0.0, f64::max);
            let (coarse, middle, fine) = (solve(80), solve(160), solve(320));
            let measured = (apart(&coarse, &middle) / apart(&middle, &fine)).log2();
            println!("{method:?}, moving pin {moving}, damping {damped}: order {measured:.2}");
            assert!((measured - order).abs() < 0.15, "{method:?}, moving {moving}, damped {damped}: order {measured}");
        }
    }
}

/// x+ = x + (1 - ε)(x - x-) + h² a, written out.
#[test]
fn verlet_positions_are_those_of_position_verlet_with_damping() {
    let (z, epsilon) = (0.3, 0.05);
    let mut run = oscillator(1.0, Method::Verlet { damping: epsilon }, z);
    run.state.x[1].x = 1.4;
    let mut path = vec![0.4];
    for _ in 0..50 {
        run.step();
        path.push(run.state.x[1].x - 1.0);
    }
    for n in 1..50 {
        let next = path[n] + (1.0 - epsilon) * (path[n] - path[n - 1]) - z * z * path[n];
        assert!((next - path[n + 1]).abs() < 1e-14, "step {n}: {next} and {}", path[n + 1]);
    }
}

#[test]
fn symplectic_euler_keeps_its_own_energy_and_never_drifts() {
    let z = 0.1;
    let mut run = oscillator(1.0, Method::SymplecticEuler, z);
    run.state.x[1].x = 1.5;
    let invariant = |s: &State| {
        let (x, v) = (s.x[1].x - 1.0, s.v[1].x);
        v * v + x * x - z * x * v
    };
    let first = invariant(&run.state);
    for _ in 0..100_000 {
        run.step();
    }
    assert!(off(invariant(&run.state), first) < 1e-11, "{} and {first}", invariant(&run.state));
}

/// A strip of stretch springs only is a chain along x: ω = 2 √(k/ρ)/l, stable for h < l √(ρ/k) = 1.2247e-4 s.
fn chain(h: f64) -> Run {
    let fabric = Fabric { shear: 0.0, bend: [0.0, 0.0], ..fabric() };
    let mut setup = springs(grid([0.4, 0.01], [40, 1], Pattern::OneDiagonal, fabric));
    setup.cloths[0].pins = vec![Pin { hold: Hold::Along(Vec3::X), ..Pin::fixed(Select::All) }];
    setup.cloths[0].pins.insert(0, Pin::fixed(Select::Edge(vec![Side::Left, Side::Right])));
    setup.gravity = Vec3::ZERO;
    setup.time = fixed_step(h);
    let mut run = Run::new(setup);
    // a grid of one diagonal has no two equal masses in a row at its corners; these are held, all others are equal
    for i in 0..run.state.x.len() {
        run.state.x[i].x += 1e-6 * ((i * i % 17) as f64 / 17.0 - 0.5);
    }
    run
}

#[test]
fn a_chain_blows_up_at_the_step_of_the_formula() {
    let exact = 0.01 * (0.15f64 / 1000.0).sqrt();
    let explodes = |h: f64| {
        let mut run = chain(h);
        let before = run.measure().energy();
        (0..4000).any(|_| step(&run.world, &mut run.state, &mut run.work).is_err())
            || run.measure().energy() > 100.0 * before
    };
    let (mut low, mut high) = (0.5 * exact, 2.0 * exact);
    for _ in 0..12 {
        let middle = 0.5 * (low + high);
        if explodes(middle) { high = middle } else { low = middle }
    }
    assert!(off(high, exact) < 0.05, "blows up at {high:e}, formula {exact:e}");
    let run = chain(exact);
    let sharp = 2.0 / frequency_at(&run.world, &run.state.x);
    assert!(off(sharp, exact) < 0.05, "estimate {sharp:e}, formula {exact:e}");
}

/// The estimate for any shape is safe, and not wasteful: `auto` runs, and twice the estimate does not.
#[test]
fn the_stable_step_is_stable_and_twice_as_much_is_not() {
    for method in [Method::SymplecticEuler, Method::Rk4, Method::Verlet { damping: 0.0 }] {
        let make = |step: StepSize| {
            let mut setup = springs(grid([0.2, 0.2], [20, 20], Pattern::Alternating, fabric()));
            setup.cloths[0].pins = vec![Pin::fixed(Select::Corners(vec![Corner::LeftTop]))];
            setup.cloths[0].noise = Some(Noise { size: 1e-4, seed: 3 });
            setup.method = Some(method);
            setup.time = Time { fps: 60.0, step, duration: 1.0, adaptive: None };
            Run::new(setup)
        };
        let mut run = make(StepSize::Auto);
        let stable = run.world.stable_step().unwrap();
        run.frames(20);
        let mut run = make(StepSize::AtMost(2.0 * stable));
        assert!(run.world.warnings.iter().any(|w| w.path == "time.step"), "a warning is expected");
        let failed = (0..60).find_map(|_| advance_frame(&run.world, &mut run.state, &mut run.work).err());
        let Some(StepError::Diverged { time, vertex, h, stable: said, .. }) = failed else {
            panic!("{method:?} survived twice its stable step")
        };
        assert!(time < 1.0 && vertex < 441 && h > stable && said == Some(stable));
        assert!(run.state.x.iter().chain(&run.state.v).all(|p| p.is_finite()), "the last good state is kept");
    }
}

#[test]
fn forward_euler_without_damping_has_no_automatic_step() {
    let mut setup = springs(grid([0.2, 0.2], [5, 5], Pattern::Alternating, fabric()));
    setup.method = Some(Method::ForwardEuler);
    let problems = World::new(setup.clone()).unwrap_err();
    assert_eq!(problems[0].path, "time.step");
    let Material::Fabric(fabric) = &mut setup.cloths[0].material else { unreachable!() };
    fabric.damping = FabricDamping { stretch: 1e-4, shear: 1e-4, bend: 1e-4, air: 1.0 };
    let mut run = Run::new(setup.clone());
    assert!(run.world.warnings.is_empty(), "{:?}", run.world.warnings);
    run.frames(30);

    // kinds of springs that are not there need no damping
    let mut raw = structural(1e-3, 10.0);
    raw.shear = 5.0;
    raw.along = 0.01;
    setup.cloths[0].material = Material::Raw(raw.clone());
    assert!(World::new(&setup).is_ok());
    // and a step given in seconds comes with a warning
    raw.along = 0.0;
    setup.cloths[0].material = Material::Raw(raw);
    setup.time.step = StepSize::AtMost(1e-4);
    let warnings = World::new(&setup).unwrap().warnings;
    assert!(warnings[0].message.contains("no step is stable"), "{warnings:?}");
}

/// The order in the list, from the error at half the step: also for a method that was added to the list just now.
#[test]
fn every_method_has_the_order_that_it_claims() {
    let omega = 2.0 * std::f64::consts::PI;
    for method in Method::all() {
        let error = |n: u32| {
            let mut run = oscillator(omega, method, 0.3 / f64::from(n));
            run.state.x[1].x = 1.5;
            run.steps(n);
            let (sin, cos) = (omega * 0.3).sin_cos();
            ((run.state.x[1].x - 1.0) / 0.5 - cos).hypot(run.state.v[1].x / (0.5 * omega) + sin)
        };
        let measured = (error(200) / error(400)).log2();
        let claimed = f64::from(method.info().order);
        println!("{}: order {measured:.3}", method.name());
        assert!((measured - claimed).abs() < 0.05, "{}: order {measured} instead of {claimed}", method.name());
    }
}

/// A damped particle on a spring whose other end a pin moves by D s² (3 - 2 s), s = t/T, against the closed form. The
/// damping makes the velocity of the pin count at every stage: a stage that does not hold it costs an order.
#[test]
fn every_method_keeps_its_order_where_a_pin_drives_a_damped_spring() {
    let (omega, c, end) = (2.0 * std::f64::consts::PI, 3.0, 0.3);
    let (size, duration) = (0.2, 0.4);
    // y = x - 1 - p has y'' = -ω² y - c y' - (a + b t)
    let (a, b) = (6.0 * size / (duration * duration), -12.0 * size / f64::powi(duration, 3));
    let beta = -b / (omega * omega);
    let alpha = -(a + c * beta) / (omega * omega);
    let damped = (omega * omega - 0.25 * c * c).sqrt();
    let (p, q) = (-alpha, (-0.5 * c * alpha - beta) / damped);
    let (sin, cos) = (damped * end).sin_cos();
    let decay = (-0.5 * c * end).exp();
    let s = end / duration;
    let x = 1.0 + size * s * s * (3.0 - 2.0 * s) + alpha + beta * end + decay * (p * cos + q * sin);
    let v = 6.0 * size * s * (1.0 - s) / duration
        + beta
        + decay * (damped * (q * cos - p * sin) - 0.5 * c * (p * cos + q * sin));
    for method in Method::all() {
        let error = |n: u32| {
            let mut setup = oscillator_setup(omega, method, end / f64::from(n));
            let Material::Raw(raw) = &mut setup.cloths[0].material else { unreachable!() };
            raw.along = c;
            let to = Vec3::X * size;
            let motion = keys(&[(0.0, Vec3::ZERO, Vec3::ZERO), (duration, to, Vec3::ZERO)]);
            setup.cloths[0].pins[0].motion = Motion { smooth: true, ..motion };
            let mut run = Run::new(setup);
            run.steps(n);
            (run.state.x[1].x - x).hypot((run.state.v[1].x - v) / omega)
        };
        let measured = (error(200) / error(400)).log2();
        let claimed = f64::from(method.info().order);
        println!("{}: order {measured:.3}", method.name());
        assert!((measured - claimed).abs() < 0.1, "{}: order {measured} instead of {claimed}", method.name());
    }
}

/// The longest stable step in the list keeps an undamped oscillator bounded for ten seconds, in every method that has
/// such a step. The midpoint method may grow by ten percent in that time, and by no more than half of it in five.
#[test]
fn every_method_is_stable_at_the_step_that_it_claims() {
    for method in Method::all() {
        let Some(stable) = oscillator(20.0, method, 1e-3).world.stable_step() else {
            assert_eq!(method, Method::ForwardEuler);
            continue;
        };
        let h = (0.8 * stable).min(0.1);
        let mut run = oscillator(20.0, method, h);
        run.state.x[1].x = 1.001;
        let mut largest = |seconds: f64| {
            let sizes = (0..(seconds / h) as u32).map(|_| {
                run.step();
                (run.state.x[1].x - 1.0).hypot(run.state.v[1].x / 20.0)
            });
            sizes.fold(0.0, f64::max)
        };
        let (early, late) = (largest(5.0), largest(5.0));
        println!("{}: steps of {h:.4} s, {early:.3e} then {late:.3e}", method.name());
        assert!(late < 1.05 * early && early < 0.01, "{}: {early:e} m grows to {late:e} m", method.name());
    }
}

/// What holds for every method of the list, also for one that was added to it just now.
#[test]
fn every_method_moves_cloth_follows_pins_and_falls_freely() {
    for method in Method::all() {
        let mut cloth = grid([0.2, 0.2], [6, 6], Pattern::Alternating, fabric());
        if let Material::Fabric(fabric) = &mut cloth.material {
            // forward Euler needs it
            fabric.damping = FabricDamping { stretch: 1e-4, shear: 1e-4, bend: 1e-4, air: 0.0 };
        }
        let to = Vec3::new(0.0, 0.02, 0.01);
        let motion = keys(&[(0.0, Vec3::ZERO, Vec3::ZERO), (0.1, to, Vec3::ZERO)]);
        cloth.pins = vec![Pin { motion, ..Pin::fixed(Select::Corners(vec![Corner::LeftTop])) }];
        let mut free = cloth.clone();
        free.pins.clear();

        let mut held = Run::new(Setup { method: Some(method), contact: CONSTRAINT, ..Setup::with_cloth(cloth) });
        held.frames(6);
        let corner = held.world.pin_vertices("sheet.pin[0]").unwrap()[0] as usize;
        let off = held.state.x[corner].distance(held.world.start[corner] + to);
        assert!(off < 1e-12, "{}: the pin is off by {off:e} m", method.name());

        let mut falls = Run::new(Setup { method: Some(method), contact: CONSTRAINT, ..Setup::with_cloth(free) });
        falls.frames(6);
        let (t, h) = (falls.state.time, falls.world.h);
        let mean = falls.state.x.iter().map(|p| p.y).sum::<f64>() / falls.state.x.len() as f64;
        // a method of first order is off by g t h / 2
        let off = (mean + 0.5 * 9.81 * t * t).abs();
        assert!(off < 0.51 * 9.81 * t * h + 1e-9, "{}: {off:e} m at steps of {h:e} s", method.name());
    }
}

/// The ends of the range of a setting, or all its words.
fn extremes(setting: &Setting) -> Vec<SettingValue> {
    match setting.kind {
        SettingKind::Number(bounds) => [bounds.min, bounds.max].map(SettingValue::Number).to_vec(),
        SettingKind::Whole(least, most) => [least, most].map(SettingValue::Whole).to_vec(),
        SettingKind::Flag => [false, true].map(SettingValue::Flag).to_vec(),
        SettingKind::Word(words, _) => words.iter().map(|(word, _)| SettingValue::Word(word)).collect(),
    }
}

/// A setting that a method forgets would be silent. The other settings are at their defaults or at their largest: the
/// residual matters only where there are several linearisations.
#[test]
fn every_setting_of_every_method_changes_the_motion() {
    let end = |method: Method| {
        let mut cloth = grid([0.2, 0.2], [2, 2], Pattern::Alternating, fabric());
        if let Material::Fabric(fabric) = &mut cloth.material {
            fabric.damping = FabricDamping { stretch: 1e-2, shear: 1e-2, bend: 1e-2, air: 0.1 };
        }
        cloth.pins = vec![Pin::fixed(Select::Corners(vec![Corner::LeftTop]))];
        let mut run = Run::new(Setup {
            method: Some(method),
            contact: CONSTRAINT,
            time: fixed_step(1e-3),
            ..Setup::with_cloth(cloth)
        });
        let failed = (0..2).find_map(|_| step(&run.world, &mut run.state, &mut run.work).err());
        (run.state.x, run.state.v, failed.is_some())
    };
    for method in Method::all() {
        let mut largest = method;
        for setting in method.info().settings {
            largest.set(setting.key, *extremes(setting).last().unwrap());
        }
        for setting in method.info().settings {
            let differs = [method, largest].iter().any(|others| {
                let ends = extremes(setting).into_iter().map(|value| {
                    let mut method = *others;
                    method.set(setting.key, value);
                    end(method)
                });
                let ends: Vec<_> = ends.chain([end(*others)]).collect();
                ends.windows(2).any(|pair| pair[0] != pair[1])
            });
            assert!(differs, "`{}` of {} does nothing", setting.key, method.name());
        }
    }
}

/// Both ends of a range and the default are taken; what lies beyond is refused at its key.
#[test]
fn every_setting_of_every_method_has_a_range() {
    let world = |method: Method| {
        let cloth = grid([0.2, 0.2], [2, 2], Pattern::Alternating, fabric());
        World::new(Setup {
            method: Some(method),
            contact: CONSTRAINT,
            time: fixed_step(1e-4),
            ..Setup::with_cloth(cloth)
        })
    };
    for method in Method::all() {
        for setting in method.info().settings {
            for value in extremes(setting) {
                let mut set = method;
                set.set(setting.key, value);
                assert!(set.values().contains(&value) && world(set).is_ok(), "{set:?}");
            }
            let beyond = match setting.kind {
                SettingKind::Number(bounds) => {
                    [bounds.min - 1.0, 2.0 * bounds.max + 1.0, f64::NAN].map(SettingValue::Number).to_vec()
                }
                SettingKind::Whole(least, most) => {
                    [least.wrapping_sub(1), most.wrapping_add(1)].map(SettingValue::Whole).to_vec()
                }
                SettingKind::Flag | SettingKind::Word(..) => Vec::new(),
            };
            for value in beyond {
                let mut set = method;
                set.set(setting.key, value);
                let problems = world(set).unwrap_err();
                assert_eq!(problems[0].path, format!("method.{}", setting.key), "{set:?}");
            }
        }
    }
}
