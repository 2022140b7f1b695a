//! What pins hold under the implicit methods, and the forces it takes.

use crate::common::*;
use taffeta::*;

fn sheet() -> Cloth {
    let damping = FabricDamping { stretch: 1e-3, shear: 1e-3, bend: 1e-3, air: 0.5 };
    grid([0.4, 0.4], [8, 8], Pattern::Alternating, Fabric { damping, ..fabric() })
}

/// However early the conjugate gradient stops.
#[test]
fn held_directions_are_held_to_rounding_at_any_tolerance() {
    let tilted = Vec3::new(1.0, 2.0, 0.5).normalize();
    let keys = vec![
        Key { t: 0.0, shift: Vec3::ZERO, turn: Vec3::ZERO },
        Key { t: 0.3, shift: Vec3::new(0.05, 0.1, 0.02), turn: Vec3::new(0.0, 0.0, 20.0) },
    ];
    for smooth in [false, true] {
        let motion = Motion { keys: keys.clone(), smooth };
        for exponent in [1, 4, 8] {
            let settings = Implicit { tolerance: 10f64.powi(-exponent), ..Implicit::default() };
            for method in [
                Method::BackwardEuler(settings),
                Method::Bdf2(settings),
                Method::BackwardEuler(Implicit { newton: 5, ..settings }),
                Method::Imex(Imex { tolerance: settings.tolerance, ..Imex::default() }),
                Method::FilteredEuler,
            ] {
                for hold in [
                    Hold::All,
                    Hold::Axes([false, true, false]),
                    Hold::Axes([true, false, true]),
                    Hold::Normal(tilted),
                    Hold::Along(tilted),
                ] {
                    let mut cloth = sheet();
                    // one that moves, and one at rest in whole
                    cloth.pins = vec![
                        Pin { hold, motion: motion.clone(), ..Pin::fixed(Select::Vertices(vec![72, 73])) },
                        Pin::fixed(Select::Vertices(vec![80])),
                    ];
                    let h = if matches!(method, Method::Imex(_)) { 1e-4 } else { 5e-3 };
                    let mut setup = Setup { method: Some(method), contact: CONSTRAINT, ..Setup::with_cloth(cloth) };
                    setup.time = fixed_step(h);
                    let mut run = Run::new(setup);
                    let origin = 0.5 * (run.world.start[72] + run.world.start[73]);
                    for _ in 0..8 {
                        run.step();
                        let (t, e) = (run.state.time, 1e-6);
                        let held = |d: Vec3| (d - hold.free() * d).length();
                        for i in [72, 73] {
                            let place = |t: f64| motion.apply(t, origin, run.world.start[i]);
                            let slipped = held(run.state.x[i] - place(t));
                            assert!(slipped < 1e-15, "{hold:?} {}: slipped by {slipped:e} m", method.name());
                            let speed = (place(t + e) - place(t - e)) / (2.0 * e);
                            let slides = held(run.state.v[i] - speed);
                            assert!(slides < 1e-8, "{hold:?} {}: {slides:e} m/s off", method.name());
                        }
                        assert!(run.state.x[80] == run.world.start[80] && run.state.v[80] == Vec3::ZERO);
                    }
                }
            }
        }
    }
}

/// At rest the pins carry the weight, half each.
#[test]
fn two_pins_carry_the_weight_at_rest() {
    for model in MODELS {
        let settings = Implicit { tolerance: 1e-10, ..Implicit::default() };
        for method in [Method::BackwardEuler(settings), Method::Bdf2(settings)] {
            let damping = FabricDamping { stretch: 0.02, shear: 0.02, bend: 0.02, air: 3.0 };
            let mut cloth = grid([0.4, 0.4], [8, 8], Pattern::Crossed, Fabric { damping, ..fabric() });
            cloth.model = model;
            let corner = |c: Corner| Pin::fixed(Select::Corners(vec![c]));
            cloth.pins = vec![corner(Corner::LeftTop), corner(Corner::RightTop)];
            let mut run = Run::new(Setup { method: Some(method), ..Setup::with_cloth(cloth) });
            run.frames(400);
            let report = run.frame();
            let weight = 9.81 * run.world.mass.iter().sum::<f64>();
            let sum = report.pins[0] + report.pins[1];
            let name = (model.name(), method.name());
            println!("{name:?}: {sum} N of {weight} N, speed {:.1e} m/s", run.measure().max_speed);
            // beams that have buckled creep for a long time: the air carries its share then
            let drag = 3.0 * 0.16 * run.measure().max_speed;
            let lacks = (sum - Vec3::Y * weight).length();
            assert!(lacks < 1e-10 * weight + drag, "{name:?}: {sum} N instead of {weight} N");
            assert!(drag < 1e-10 * weight || model == Model::ChoiKo, "{name:?} is not at rest");
            let half = (report.pins[0].y - 0.5 * weight).abs();
            assert!(half < 1e-10 * weight + drag, "{name:?}: {:?}", report.pins);
        }
    }
}

/// The residual's pull is that of Newton's second law, m Δv/h - f, where the equations are solved.
#[test]
fn pins_pull_by_what_the_law_of_motion_lacks() {
    for model in MODELS {
        let mut cloth = sheet();
        cloth.model = model;
        let Material::Fabric(fabric) = &mut cloth.material else { unreachable!() };
        fabric.damping = FabricDamping::default(); // `forces` has another rate of the conditions than the step
        let key = |t: f64, shift: Vec3| Key { t, shift, turn: Vec3::ZERO };
        let motion = Motion { keys: vec![key(0.0, Vec3::ZERO), key(0.5, Vec3::new(0.1, 0.1, 0.2))], smooth: true };
        cloth.pins = vec![
            Pin { motion, ..Pin::fixed(Select::Edge(vec![Side::Top])) },
            Pin { hold: Hold::Normal(Vec3::Z), ..Pin::fixed(Select::Corners(vec![Corner::LeftBottom])) },
        ];
        let h = 5e-3;
        let mut setup = Setup { method: Some(tight_euler(60)), ..Setup::with_cloth(cloth) };
        setup.time = fixed_step(h);
        setup.air = Air { drag: 1.0, wind: Vec3::new(0.0, 0.0, 1.0), ..Air::default() };
        let mut run = Run::new(setup);
        for _ in 0..40 {
            let old = run.state.clone();
            let report = run.frame(); // of one step
            let Run { world, state, work } = &mut run;
            let force = forces(world, state, work);
            let lacks = |i: usize| (state.v[i] - old.v[i]) * (world.mass[i] / h) - force[i];
            let top: Vec3 = (72..81).map(lacks).sum();
            let corner = Vec3::Z * lacks(0).z;
            let apart = (top - report.pins[0]).length().max((corner - report.pins[1]).length());
            assert!(apart < 1e-8, "{}: {:?} instead of {top} and {corner}", model.name(), report.pins);
        }
    }
}
