//! Over-long springs are pulled back.

use crate::common::*;
use taffeta::*;

fn soft_sheet(limiter: Limiter) -> Run {
    let fabric = Fabric { stretch: [2.0, 2.0], shear: 0.5, ..fabric() };
    let mut cloth = grid([0.5, 0.5], [10, 10], Pattern::Alternating, fabric);
    cloth.pins = vec![Pin::fixed(Select::Edge(vec![Side::Top]))];
    let mut setup = springs(cloth);
    setup.components.bend = false;
    setup.limiter = Some(limiter);
    Run::new(setup)
}

fn longest(run: &Run) -> f64 {
    let springs = [SpringKind::Structural, SpringKind::Shear].into_iter().flat_map(|kind| run.world.springs(kind));
    let elongation = |a: u32, b: u32, rest: f64| run.state.x[a as usize].distance(run.state.x[b as usize]) / rest - 1.0;
    springs.map(|s| elongation(s.a, s.b, s.rest)).fold(0.0, f64::max)
}

/// One spring between a held and a free vertex, and one between two free ones of different mass.
#[test]
fn a_spring_is_pulled_back_to_its_limit() {
    // vertex 1 on a spring of 1 m along x from the held vertex 0; the other springs are shear and not there
    let mut run = oscillator(1.0, Method::SymplecticEuler, 1e-3);
    run.state.x[1] = Vec3::new(1.5, 0.0, 0.0);
    let make = |limit: f64| {
        let mesh = Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]], None).unwrap();
        let mut cloth = Cloth::new("pair", mesh);
        cloth.material = Material::Raw(structural(1.0, 1e-9));
        cloth.pins = vec![Pin::fixed(Select::Vertices(vec![0, 2]))];
        let mut setup = Setup { gravity: Vec3::ZERO, ..springs(cloth) };
        setup.limiter = Some(Limiter { limit, ..Limiter::default() });
        setup.time = fixed_step(1e-3);
        let mut limited = Run::new(setup);
        limited.state = run.state.clone();
        limited
    };
    let mut limited = make(0.1);
    assert_eq!(limited.step().limited, 1);
    assert!((limited.state.x[1] - Vec3::new(1.1, 0.0, 0.0)).length() < 1e-12, "{}", limited.state.x[1]);
    // inverse dynamics: the velocity is that of the whole displacement
    assert!((limited.state.v[1] - Vec3::new(-400.0, 0.0, 0.0)).length() < 1e-8, "{}", limited.state.v[1]);
    assert_eq!(make(0.6).step().limited, 0);
}

#[test]
fn more_passes_keep_the_limit_better_in_either_order() {
    let stretched = |passes: u32, order: Order| {
        let mut run = soft_sheet(Limiter { limit: 0.02, passes, order, ..Limiter::default() });
        let mut worst = 0.0f64;
        while run.state.time < 0.5 {
            run.frame();
            worst = worst.max(longest(&run));
        }
        worst
    };
    let mut free = soft_sheet(Limiter { limit: 1e9, ..Limiter::default() });
    free.until(0.3);
    let unlimited = longest(&free);
    for order in [Order::Stored, Order::LongestFirst] {
        let (one, ten) = (stretched(1, order), stretched(10, order));
        println!(
            "{order:?}: {:.1} % free, {:.2} % with 1 pass, {:.2} % with 10",
            100.0 * unlimited,
            100.0 * one,
            100.0 * ten
        );
        assert!(unlimited > 0.2 && one < 0.5 * unlimited, "{order:?}: {one} of {unlimited}");
        assert!(ten < 0.5 * one && ten < 0.06, "{order:?}: ten passes leave {ten}");
    }
}

#[test]
fn without_inverse_dynamics_velocities_are_left_alone() {
    let mut run = soft_sheet(Limiter { limit: 0.0, inverse_dynamics: false, ..Limiter::default() });
    run.steps(3);
    let (x, v) = (run.state.x.clone(), run.state.v.clone());
    let mut off = soft_sheet(Limiter { limit: 1e9, ..Limiter::default() });
    off.state = run.state.clone();
    run.step();
    off.step();
    assert!(run.state.x != off.state.x, "positions are corrected");
    assert_eq!(run.state.v, off.state.v, "velocities are not");
    assert!(x != run.state.x && v != run.state.v);
}

#[test]
fn a_component_that_is_off_does_nothing() {
    let base = || {
        let damping = FabricDamping { stretch: 1e-4, shear: 1e-4, bend: 1e-4, air: 1.0 };
        let mut cloth = grid([0.4, 0.4], [6, 6], Pattern::Alternating, Fabric { damping, ..fabric() });
        cloth.pins = vec![Pin::fixed(Select::Corners(vec![Corner::LeftTop]))];
        cloth.noise = Some(Noise { size: 1e-3, seed: 1 });
        cloth.velocity = Vec3::new(0.1, 0.0, 0.3);
        cloth.loads = vec![Load {
            select: Select::Edge(vec![Side::Bottom]),
            force: vec![(0.0, Vec3::new(0.0, 0.0, 0.1))],
            from: 0.0,
            until: 9.0,
        }];
        let mut setup = springs(cloth);
        setup.air = Air { drag: 1.0, wind: Vec3::new(0.0, 1.0, 3.0), ..Air::default() };
        setup.limiter = Some(Limiter { limit: 1e-4, ..Limiter::default() });
        setup.time = fixed_step(5e-5);
        setup
    };
    let result = |setup: Setup| {
        let mut run = Run::new(setup);
        run.steps(20);
        run.state.x
    };
    let all = result(base());
    // switching a part off, and taking it out of the scene by other means, must be the same
    type Change = fn(&mut Setup);
    let pairs: [(&str, Change, Change); 9] = [
        ("gravity", |s| s.components.gravity = false, |s| s.gravity = Vec3::ZERO),
        ("air", |s| s.components.air = false, |s| s.air.drag = 0.0),
        ("loads", |s| s.components.loads = false, |s| s.cloths[0].loads.clear()),
        ("pins", |s| s.components.pins = false, |s| s.cloths[0].pins.clear()),
        ("limiter", |s| s.components.limiter = false, |s| s.limiter = None),
        ("bend", |s| s.components.bend = false, |s| s.cloths[0].model = Model::MassSpring { bending: Bending::None }),
        (
            "damping",
            |s| s.components.damping = false,
            |s| {
                let Material::Fabric(fabric) = &mut s.cloths[0].material else { unreachable!() };
                fabric.damping = FabricDamping::default();
            },
        ),
        (
            "internal",
            |s| s.components.internal = false,
            |s| {
                s.components.structural = false;
                s.components.shear = false;
                s.components.bend = false;
            },
        ),
        ("wind", |s| s.components.wind = false, |s| s.air.wind = Vec3::ZERO),
    ];
    for (name, off, removed) in pairs {
        let (mut a, mut b) = (base(), base());
        off(&mut a);
        removed(&mut b);
        if name == "pins" {
            // noise spares what is held
            b.cloths[0].pins =
                vec![Pin { from: 0.0, until: 1e-12, ..Pin::fixed(Select::Corners(vec![Corner::LeftTop])) }];
        }
        let (a, b) = (result(a), result(b));
        assert!(a == b, "{name} switched off is not {name} removed");
        assert!(a != all, "{name} makes no difference at all");
    }
    for part in [|s: &mut Setup| s.components.structural = false, |s: &mut Setup| s.components.shear = false] {
        let mut setup = base();
        part(&mut setup);
        assert!(result(setup) != all);
    }
    let mut still = base();
    still.components.integration = false;
    still.components.limiter = false;
    let start = Run::new(still.clone()).state.x;
    assert!(result(still) == start, "without integration nothing moves");
}
