//! Moving cloth against closed forms.

use crate::common::*;
use taffeta::*;

fn tumbling_sheet(method: Method, damping: FabricDamping) -> Setup {
    let mut cloth = grid([0.3, 0.2], [6, 5], Pattern::Alternating, Fabric { damping, ..fabric() });
    cloth.place = Place { rotate: Vec3::new(20.0, 30.0, 40.0), ..Place::default() };
    let mut setup = springs(cloth);
    setup.method = Some(method);
    setup.time = fixed_step(2e-5);
    setup
}

/// Every method, with the strongest damping inside the cloth: damping must not slow a fall.
#[test]
fn free_fall_is_exact_to_rounding() {
    for method in METHODS {
        for tau in [0.0, 1e-4] {
            if method == Method::ForwardEuler && tau == 0.0 {
                continue; // rounding grows without bounds
            }
            let damping = FabricDamping { stretch: tau, shear: tau, bend: tau, air: 0.0 };
            let mut setup = tumbling_sheet(method, damping);
            setup.cloths[0].velocity = Vec3::new(0.5, 2.0, -0.25);
            let h = 2e-5;
            let mut run = Run::new(setup);
            let n = 1000.0;
            run.steps(1000);
            // the methods' own sums of gravity
            let fallen = match method {
                Method::ForwardEuler => 0.5 * 9.81 * h * h * n * (n - 1.0),
                Method::SymplecticEuler => 0.5 * 9.81 * h * h * n * (n + 1.0),
                _ => 0.5 * 9.81 * (n * h) * (n * h),
            };
            let moved = Vec3::new(0.5, 2.0, -0.25) * (n * h) - Vec3::Y * fallen;
            for (x, start) in run.state.x.iter().zip(&run.world.start) {
                let error = (*x - *start - moved).length();
                assert!(error < 1e-12, "{method:?}, damping {tau} s: off by {error:e} m");
            }
        }
    }
}

/// Bessel function of order 0, by its series.
fn j0(x: f64) -> f64 {
    let (mut term, mut sum) = (1.0, 1.0);
    for k in 1..40 {
        term *= -x * x / 4.0 / f64::from(k * k);
        sum += term;
    }
    sum
}

/// A hanging strip swings with T = 5.2255 √(L/g); a chain of n links has its own, known value.
#[test]
fn hanging_strip_swings_with_the_period_of_a_chain() {
    for (n, chain) in [(10u32, 5.240963), (20, 5.229350)] {
        let fabric = Fabric { stretch: [1e4, 1e4], shear: 100.0, ..fabric() };
        let mut cloth = grid([0.1, 1.0], [2, n], Pattern::OneDiagonal, fabric);
        cloth.pins = vec![Pin::fixed(Select::Edge(vec![Side::Top]))];
        let swung = |p: &Vec3| Vec3::new(p.x, p.y, 0.01 * j0(2.404826 * (p.y + 0.5).sqrt()));
        cloth.start = Some(cloth.mesh.rest.iter().map(swung).collect());
        let mut setup = springs(cloth);
        setup.components.bend = false;
        setup.method = Some(Method::Verlet { damping: 0.0 });
        setup.time.fps = 300.0;
        let mut run = Run::new(setup);
        let (mut times, mut tips) = (Vec::new(), Vec::new());
        while run.state.time < 9.5 {
            run.frame();
            times.push(run.state.time);
            tips.push(run.state.x[1].z);
        }
        let found = period(&times, &tips) * 9.81f64.sqrt();
        println!("{n} links: T √(g/L) = {found:.6}, chain {chain}, continuum 5.225481");
        assert!(off(found, chain) < 3e-3, "{n} links: {found} instead of {chain}");
        assert!(off(found, 5.225481) < 0.02);
    }
}

/// A particle on a stiff spring: T/T0 = (2/π) K(sin(a/2)).
#[test]
fn pendulum_has_the_period_of_its_amplitude() {
    for (degrees, factor) in
        [(10.0f64, 1.001907), (30.0, 1.017409), (60.0, 1.073182), (90.0, 1.180341), (120.0, 1.372880)]
    {
        let mesh = Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]], None).unwrap();
        let mut cloth = Cloth::new("pendulum", mesh);
        cloth.material = Material::Raw(structural(1.0, 2e5));
        cloth.pins = vec![Pin::fixed(Select::Vertices(vec![0, 2]))];
        let (s, c) = degrees.to_radians().sin_cos();
        cloth.start = Some(vec![Vec3::ZERO, Vec3::new(s, -c, 0.0), Vec3::Y]);
        let mut setup = springs(cloth);
        setup.method = Some(Method::Verlet { damping: 0.0 });
        setup.time = Time { fps: 500.0, step: StepSize::Auto, duration: 20.0, adaptive: None };
        let mut run = Run::new(setup);
        let (mut times, mut angles) = (Vec::new(), Vec::new());
        while times.last().is_none_or(|t| *t < 3.3 * 2.006 * factor) {
            run.frame();
            times.push(run.state.time);
            angles.push(run.state.x[1].x);
            let strain = (run.state.x[1].length() - 1.0).abs();
            assert!(strain < 4e-4, "strain {strain}");
        }
        let found = period(&times, &angles) / (2.0 * std::f64::consts::PI / 9.81f64.sqrt());
        assert!(off(found, factor) < 1e-3, "{degrees} degrees: {found} instead of {factor}");
    }
}

fn falling_face_on(cells: u32, pattern: Pattern, method: Method, h: f64) -> Setup {
    let mut cloth = grid([0.2, 0.2], [cells, cells], pattern, Fabric { bend: [0.0, 0.0], ..fabric() });
    cloth.place.rotate = Vec3::new(90.0, 0.0, 0.0);
    let mut setup = springs(cloth);
    setup.method = Some(method);
    setup.time = fixed_step(h);
    // no springs: the sheet stays flat by itself, and the step may be as long as the check of the formula wants it
    setup.components.internal = false;
    setup
}

/// v = v_t tanh(g t/v_t), v_t = √(2 ρ g/(ρ_air C)); and v = v_t (1 - e^(-t/τ)) with v_t = ρ g/c for linear drag.
///
/// Symplectic Euler falls g h t/2 too far: 0.11 % at t = 0.1 s and h = 1e-4 s, so it gets half of that.
#[test]
fn falling_sheet_reaches_the_terminal_velocity_of_its_drag() {
    let mut first_fall = None;
    for (cells, pattern) in [(1, Pattern::OneDiagonal), (7, Pattern::Alternating), (10, Pattern::Crossed)] {
        for (method, h) in [(Method::Midpoint, 1e-3), (Method::Rk4, 1e-3), (Method::SymplecticEuler, 5e-5)] {
            let mut quadratic = falling_face_on(cells, pattern, method, h);
            quadratic.air = Air { density: 1.2, drag: 2.0, ..Air::default() };
            let mut run = Run::new(quadratic);
            for (t, v, fall) in [(0.1, 0.785515, 0.043721), (0.2, 1.045132, 0.138391), (0.5, 1.107047, 0.467055)] {
                run.until(t);
                assert!(off(-run.state.v[0].y, v) < 1e-3, "{method:?}: v({t}) = {} instead of {v}", -run.state.v[0].y);
                assert!(off(-run.measure().com_height, fall) < 1e-3, "{method:?}: fall {}", run.measure().com_height);
            }
            if method == Method::Midpoint {
                let fall = run.measure().com_height;
                assert!(off(fall, *first_fall.get_or_insert(fall)) < 1e-10, "depends on the mesh: {fall}");
            }

            let mut linear = falling_face_on(cells, pattern, method, h);
            let Material::Fabric(fabric) = &mut linear.cloths[0].material else { unreachable!() };
            fabric.damping.air = 1.0;
            let mut run = Run::new(linear);
            for (t, v, fall) in [(0.1, 0.716007, 0.039749), (0.3, 1.272354, 0.250597)] {
                run.until(t);
                assert!(off(-run.state.v[0].y, v) < 1e-3, "{method:?}: v({t}) = {} instead of {v}", -run.state.v[0].y);
                assert!(off(-run.measure().com_height, fall) < 1e-3, "{method:?}: fall {}", run.measure().com_height);
            }
        }
    }
}

#[test]
fn edge_on_there_is_no_normal_drag() {
    let mut setup = falling_face_on(3, Pattern::Alternating, Method::Midpoint, 1e-3);
    setup.cloths[0].place.rotate = Vec3::ZERO;
    setup.air = Air { density: 1.2, drag: 2.0, fluid: 1.0, ..Air::default() };
    let mut run = Run::new(setup);
    run.until(0.3);
    assert!(off(-run.state.v[0].y, 0.3 * 9.81) < 1e-12);
}

/// Provot's force with normal n of the vertex: a flat sheet in a head wind reaches the speed of the wind with τ = ρ/C.
#[test]
fn fluid_force_drags_a_flat_sheet_along_with_the_wind() {
    for (fluid, per_particle) in [(2.0, 0.0), (0.0, 2.0 * 0.15 * 0.04 / 0.15 / 16.0)] {
        let mut cloth = grid([0.2, 0.2], [3, 3], Pattern::Crossed, Fabric { bend: [0.0, 0.0], ..fabric() });
        if per_particle > 0.0 {
            cloth.mesh = Mesh::grid([0.2, 0.2], [3, 3], Pattern::Alternating).unwrap();
            cloth.material = Material::Raw(structural(0.15 * 0.04 / 16.0, 0.0));
        }
        let mut setup = Setup { gravity: Vec3::ZERO, ..springs(cloth) };
        setup.air = Air { fluid, fluid_per_particle: per_particle, wind: Vec3::new(1.0, 0.0, 3.0), ..Air::default() };
        setup.method = Some(Method::Rk4);
        setup.components.internal = false;
        setup.time = fixed_step(1e-3);
        let mut run = Run::new(setup);
        run.until(0.1);
        let want = Vec3::new(0.0, 0.0, 3.0 * (1.0 - (-0.1f64 / (0.15 / 2.0)).exp()));
        assert!((run.state.v[5] - want).length() < 1e-6, "{} instead of {want}", run.state.v[5]);
    }
}

/// Standing waves of a strip held at both ends: f = c/2L with c = √(k/ρ) along it and √(T/ρ) across it.
#[test]
fn waves_run_with_the_speeds_of_the_stiffness_and_of_the_tension() {
    let (n, length) = (40u32, 0.4);
    let lumped = 1.0 - (std::f64::consts::PI / f64::from(n)).powi(2) / 24.0;
    for along in [true, false] {
        let fabric = Fabric { shear: 0.0, bend: [0.0, 0.0], ..fabric() };
        let mut cloth = grid([length, 0.01], [n, 1], Pattern::OneDiagonal, fabric);
        let strain = if along { 0.0 } else { 0.01 }; // T = 10 N/m
        let wave = move |p: &Vec3| {
            let shape = (std::f64::consts::PI * (p.x / length + 0.5)).sin() * 1e-5;
            let stretched = Vec3::new(p.x * (1.0 + strain), p.y, 0.0);
            stretched + if along { Vec3::X } else { Vec3::Z } * shape
        };
        cloth.start = Some(cloth.mesh.rest.iter().map(wave).collect());
        cloth.pins = vec![
            Pin::fixed(Select::Edge(vec![Side::Left, Side::Right])),
            Pin { hold: Hold::Normal(Vec3::Y), ..Pin::fixed(Select::All) },
        ];
        let mut setup = Setup { gravity: Vec3::ZERO, ..springs(cloth) };
        setup.method = Some(Method::Verlet { damping: 0.0 });
        setup.time = Time { fps: 5000.0, step: StepSize::AtMost(2e-5), duration: 1.0, adaptive: None };
        let mut run = Run::new(setup);
        let middle = n as usize / 2;
        let speed = if along { (1000.0f64 / 0.15).sqrt() } else { (10.0f64 / 0.15).sqrt() };
        // the pretension makes the strip longer, its waves lighter: ρ per stretched length
        let exact = speed / (2.0 * length) * lumped * if along { 1.0 } else { 1.0 / (1.0 + strain).sqrt() };
        let (mut times, mut values) = (Vec::new(), Vec::new());
        while times.last().is_none_or(|t| *t < 5.2 / exact) {
            run.frame();
            times.push(run.state.time);
            let x = run.state.x[middle];
            values.push(if along { x.x } else { x.z });
        }
        let found = 1.0 / period(&times, &values);
        assert!(off(found, exact) < 5e-3, "along {along}: {found} Hz instead of {exact} Hz");
    }
}

/// Symplectic methods, no damping: |E(t) - E(0)| below 1 % of the largest kinetic energy at h ω = 0.5.
#[test]
fn swinging_sheet_keeps_its_energy() {
    for method in [Method::SymplecticEuler, Method::Verlet { damping: 0.0 }] {
        let mut cloth = grid([0.3, 0.3], [8, 8], Pattern::Alternating, fabric());
        cloth.place.rotate = Vec3::new(60.0, 0.0, 0.0);
        cloth.pins = vec![Pin::fixed(Select::Edge(vec![Side::Top]))];
        let mut setup = springs(cloth);
        setup.method = Some(method);
        let probe = Run::new(setup.clone());
        let omega = frequency_at(&probe.world, &probe.state.x);
        setup.time = Time { fps: 60.0, step: StepSize::AtMost(0.5 / omega), duration: 10.0, adaptive: None };
        let mut run = Run::new(setup);
        let first = run.measure().energy();
        let (mut worst, mut kinetic) = (0.0f64, 0.0f64);
        for _ in 0..600 {
            run.frame();
            let m = run.measure();
            worst = worst.max((m.energy() - first).abs());
            kinetic = kinetic.max(m.kinetic);
        }
        println!("{method:?}: worst {worst:.3e} J of {kinetic:.3e} J");
        assert!(worst < 0.01 * kinetic, "{method:?}: {worst:e} J of {kinetic:e} J");
    }
}
