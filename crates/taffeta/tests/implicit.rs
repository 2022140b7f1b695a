//! Implicit methods against closed forms.

mod common;
use common::*;
use taffeta::*;

fn tight() -> Implicit {
    Implicit { tolerance: 1e-12, ..Implicit::default() }
}

#[test]
fn quick() {
    let mut cloth = grid([1.0, 1.0], [40, 40], Pattern::Alternating, fabric());
    cloth.place.rotate.x = 90.0;
    cloth.pins = vec![Pin::fixed(Select::Corners(vec![Corner::LeftTop, Corner::RightTop]))];
    for model in [
        Model::BaraffWitkin { bending: Bending::Hinge },
        Model::BaraffWitkin { bending: Bending::Quadratic },
        Model::Membrane { bending: Bending::Hinge },
        Model::ChoiKo,
        Model::MassSpring { bending: Bending::Hinge },
    ] {
        for method in [
            Method::BackwardEuler(Implicit::default()),
            Method::Bdf2(Implicit::default()),
            Method::BackwardEuler(Implicit { newton: 30, ..Implicit::default() }),
        ] {
            cloth.model = model;
            let mut setup = Setup::with_cloth(cloth.clone());
            setup.method = method;
            let mut run = Run::new(setup);
            let begin = std::time::Instant::now();
            let (mut steps, mut rejected, mut iterations, mut newton) = (0, 0, 0, 0);
            for k in 0..120 {
                let world = &run.world;
                match advance_frame(world, &mut run.state, &mut run.work) {
                    Ok(r) => {
                        steps += r.steps;
                        rejected += r.rejected;
                        iterations += r.iterations;
                        newton += r.newton;
                        if k == 119 {
                            println!("pins {:?} {:?}", r.pins, r.residual);
                        }
                    }
                    Err(e) => {
                        println!("{e}");
                        break;
                    }
                }
            }
            let m = run.measure();
            println!(
                "{} {} t={:.2} {:.2}s steps {steps} rejected {rejected} newton {newton} cg {iterations} energy {:.4} kin {:.4} maxstretch {:.4} com {:.4}",
                model.name(),
                method.name(),
                run.state.time,
                begin.elapsed().as_secs_f64(),
                m.energy(),
                m.kinetic,
                m.max_stretch,
                m.com_height
            );
        }
    }
    let _ = tight();
}
