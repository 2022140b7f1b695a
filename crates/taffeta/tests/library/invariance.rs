//! What must not change the result, and what must not change by itself.

use crate::common::*;
use taffeta::*;

/// A sheet in gravity and gusty wind with a moving corner, a sliding one, damping, a load and a limiter.
fn busy() -> Setup {
    let damping = FabricDamping { stretch: 1e-4, shear: 1e-4, bend: 1e-3, air: 0.1 };
    let mut cloth = grid([0.4, 0.3], [12, 9], Pattern::Alternating, Fabric { damping, ..fabric() });
    let key = |t: f64, shift: Vec3| Key { t, shift, turn: Vec3::ZERO };
    cloth.pins = vec![
        Pin {
            motion: Motion {
                keys: vec![key(0.0, Vec3::ZERO), key(0.2, Vec3::new(0.05, 0.0, 0.1))],
                ..Motion::default()
            },
            ..Pin::fixed(Select::Corners(vec![Corner::LeftTop]))
        },
        Pin { hold: Hold::Normal(Vec3::Y), ..Pin::fixed(Select::Corners(vec![Corner::RightTop])) },
    ];
    cloth.loads = vec![Load {
        select: Select::Corners(vec![Corner::LeftBottom]),
        force: vec![(0.0, Vec3::new(0.01, 0.0, 0.02))],
        from: 0.0,
        until: 1.0,
    }];
    let mut setup = springs(cloth);
    setup.air = Air {
        drag: 1.0,
        fluid: 0.1,
        wind: Vec3::new(1.0, 0.0, 2.0),
        gust: Some(Gust { strength: 0.5, period: 0.1, seed: 4 }),
        ..Air::default()
    };
    setup.limiter = Some(Limiter { limit: 0.001, passes: 2, ..Limiter::default() });
    setup
}

#[test]
fn rotating_and_moving_the_scene_rotates_and_moves_the_result() {
    let turn = Place { rotate: Vec3::new(25.0, -40.0, 70.0), at: Vec3::new(1.0, -2.0, 0.5), scale: 1.0 };
    let r = turn.rotation();
    for method in METHODS {
        let mut plain = busy();
        plain.method = Some(method);
        plain.time.step = StepSize::AtMost(2e-5);
        let mut turned = plain.clone();
        turned.gravity = r * turned.gravity;
        turned.air.wind = r * turned.air.wind;
        let cloth = &mut turned.cloths[0];
        cloth.place = turn;
        for pin in &mut cloth.pins {
            pin.motion.keys.iter_mut().for_each(|key| key.shift = r * key.shift);
            if let Hold::Normal(n) = &mut pin.hold {
                *n = r * *n;
            }
        }
        cloth.loads[0].force[0].1 = r * cloth.loads[0].force[0].1;
        let (mut a, mut b) = (Run::new(plain), Run::new(turned));
        a.until(0.05);
        b.until(0.05);
        let moved = a.state.x.iter().zip(&a.world.start).map(|(x, s)| x.distance(*s)).fold(0.0, f64::max);
        let apart = a.state.x.iter().zip(&b.state.x).map(|(p, q)| (r * *p + turn.at).distance(*q)).fold(0.0, f64::max);
        assert!(moved > 0.01, "{method:?}: hardly moved");
        // rounding, which the limiter divides by h when it sets velocities
        println!("{method:?}: {apart:e} m apart after moving {moved} m");
        assert!(apart < 1e-10, "{method:?}: {apart:e} m apart after moving {moved} m");
    }
}

#[test]
fn momentum_is_kept_without_outside_forces() {
    for method in METHODS {
        let damping = FabricDamping { stretch: 2e-4, shear: 2e-4, bend: 1e-3, air: 0.0 };
        let mut cloth = grid([0.3, 0.3], [8, 8], Pattern::Alternating, Fabric { damping, ..fabric() });
        cloth.noise = Some(Noise { size: 2e-3, seed: 9 });
        let mut setup = Setup { gravity: Vec3::ZERO, ..springs(cloth) };
        setup.method = Some(method);
        if !matches!(method, Method::SymplecticEuler | Method::Verlet { .. }) {
            setup.time.step = StepSize::AtMost(1e-5);
        }
        let mut run = Run::new(setup);
        for i in 0..run.state.x.len() {
            let x = run.state.x[i];
            run.state.v[i] = Vec3::new(0.1, 0.2, -0.1) + Vec3::new(1.0, 2.0, 3.0).cross(x) * 2.0;
        }
        let first = run.measure();
        run.until(0.2);
        let last = run.measure();
        let linear = (last.momentum - first.momentum).length() / first.momentum.length();
        let angular = (last.angular_momentum - first.angular_momentum).length() / first.angular_momentum.length();
        println!("{method:?}: linear {linear:.1e}, angular {angular:.1e}");
        assert!(linear < 1e-12, "{method:?}: linear momentum changed by {linear:e}");
        // forces act along the line between two particles at the positions of the kick: symplectic Euler and Verlet
        // keep angular momentum exactly, the others with the error of their order
        let tolerance = match method {
            Method::SymplecticEuler | Method::Verlet { .. } => 1e-12,
            Method::Rk4 => 1e-9,
            Method::Midpoint => 1e-6,
            _ => 1e-2,
        };
        assert!(angular < tolerance, "{method:?}: angular momentum changed by {angular:e}");
    }
}

/// With inverse dynamics and masses that differ, corrections of lengths keep momentum too.
#[test]
fn limiter_keeps_momentum() {
    for order in [Order::Stored, Order::LongestFirst] {
        let mut cloth = grid([0.3, 0.3], [8, 8], Pattern::Alternating, fabric());
        cloth.noise = Some(Noise { size: 5e-3, seed: 2 });
        let mut setup = Setup { gravity: Vec3::ZERO, ..springs(cloth) };
        setup.limiter = Some(Limiter { limit: 0.0, passes: 3, order, ..Limiter::default() });
        let mut run = Run::new(setup);
        run.state.v.iter_mut().for_each(|v| *v = Vec3::new(0.3, 0.1, 0.2));
        let first = run.measure();
        let limited: u64 = (0..50).map(|_| run.step().limited).sum();
        let last = run.measure();
        assert!(limited > 100, "{order:?}: only {limited} springs shortened");
        let change = (last.momentum - first.momentum).length() / first.momentum.length();
        assert!(change < 1e-12, "{order:?}: {change:e}");
    }
}

/// The wind's gusts depend on the seed alone.
#[test]
fn gusts_are_the_same_for_the_same_seed_and_smooth() {
    let air = |seed| Air { wind: Vec3::X, gust: Some(Gust { strength: 0.4, period: 0.5, seed }), ..Air::default() };
    let course = |seed| (0..4000).map(|i| air(seed).wind_at(f64::from(i) * 1e-3).x).collect::<Vec<_>>();
    assert_eq!(course(1), course(1));
    assert_ne!(course(1), course(2));
    let (low, high) = course(1).iter().fold((9.0f64, 0.0f64), |(l, h), w| (l.min(*w), h.max(*w)));
    assert!((0.6..0.95).contains(&low) && (1.05..=1.4).contains(&high), "{low} to {high}");
    assert!(course(1).windows(2).all(|w| (w[1] - w[0]).abs() < 0.005), "jumps");
}

/// A finer grid is the same cloth: the drape of a corner-held sheet hardly moves.
#[test]
fn twice_the_cells_is_the_same_cloth() {
    let sag = |cells: u32| {
        let damping = FabricDamping { bend: 1e-3, air: 1.0, ..FabricDamping::default() };
        let mut cloth =
            grid([0.3, 0.3], [cells, cells], Pattern::Alternating, Fabric { bend: [2e-4, 2e-4], damping, ..fabric() });
        cloth.place.rotate = Vec3::new(90.0, 0.0, 0.0);
        cloth.pins = vec![Pin::fixed(Select::Edge(vec![Side::Left]))];
        let mut run = Run::new(springs(cloth));
        run.until(1.0);
        -run.measure().com_height
    };
    let (coarse, fine) = (sag(10), sag(20));
    println!("centre of mass sinks by {coarse:.5} and {fine:.5} m");
    assert!(off(coarse, fine) < 0.04, "{coarse} and {fine}");
}

/// A sheet of an even number of cells swings from its top edge for two seconds; how far it is from its mirror image.
fn asymmetry(pattern: Pattern, method: Method) -> f64 {
    let n = 8;
    let mut cloth = grid([0.4, 0.4], [n, n], pattern, fabric());
    cloth.place.rotate.x = 40.0;
    cloth.pins = vec![Pin::fixed(Select::Edge(vec![Side::Top]))];
    let rest = cloth.mesh.rest.clone();
    let mut setup = Setup { method: Some(method), ..Setup::with_cloth(cloth) };
    setup.time = fixed_step(5e-3);
    let mut run = Run::new(setup);
    run.until(2.0);
    let mirror = |p: Vec3| Vec3::new(-p.x, p.y, p.z);
    let partner = |p: Vec3| rest.iter().position(|q| q.distance(mirror(p)) < 1e-9).unwrap();
    (0..rest.len()).map(|i| run.state.x[i].distance(mirror(run.state.x[partner(rest[i])]))).fold(0.0, f64::max)
}

/// Diagonals of one direction cannot be symmetric; the others are, and no order of storage may spoil that.
#[test]
fn symmetric_meshes_stay_symmetric() {
    for method in [tight_euler(1), tight_bdf2(1)] {
        for pattern in [Pattern::Alternating, Pattern::Crossed] {
            let found = asymmetry(pattern, method);
            println!("{} {pattern:?}: {found:.1e} m", method.name());
            assert!(found < 1e-9, "{} {pattern:?}: {found:e} m", method.name());
        }
        let found = asymmetry(Pattern::OneDiagonal, method);
        println!("{} one diagonal: {found:.1e} m", method.name());
        assert!(found > 1e-6);
    }
}

/// The mass of a vertex is a third of its triangles', at the border too. (Their areas: a falling sheet's drag does not
/// depend on the mesh.)
#[test]
fn border_vertices_have_their_share_of_mass() {
    for pattern in [Pattern::OneDiagonal, Pattern::Alternating, Pattern::Crossed] {
        let run = Run::new(Setup::with_cloth(grid([0.4, 0.2], [4, 2], pattern, fabric())));
        let mut share = vec![0.0; run.state.x.len()];
        for t in &run.world.triangles {
            let [a, b, c] = t.map(|i| run.world.start[i as usize]);
            t.iter().for_each(|&i| share[i as usize] += 0.5 * (b - a).cross(c - a).length() / 3.0);
        }
        for (i, share) in share.into_iter().enumerate() {
            assert!(off(run.world.mass[i], 0.15 * share) < 1e-13, "{i}");
        }
    }
}
