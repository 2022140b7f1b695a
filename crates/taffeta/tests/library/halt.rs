//! A step that is stopped leaves nothing behind, wherever it was.

use crate::common::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use taffeta::*;

/// Says yes once, to the question of this number.
fn once(number: u64) -> (Halt, Arc<AtomicU64>) {
    let asked = Arc::new(AtomicU64::new(0));
    let count = asked.clone();
    (Halt::when(move || count.fetch_add(1, Relaxed) + 1 == number), asked)
}

/// A sheet that is drawn out, over a ball: iterations, factors, contact and a limit.
fn scenes() -> Vec<(&'static str, Setup)> {
    let cloth = |cells: u32| grid([0.4, 0.4], [cells, cells], Pattern::Alternating, fabric());
    let mut hung = cloth(20);
    hung.pins = vec![Pin::fixed(Select::Corners(vec![Corner::LeftTop, Corner::RightTop]))];
    let mut fallen = cloth(16);
    fallen.place = Place { rotate: Vec3::new(-90.0, 0.0, 0.0), at: Vec3::Y * 0.101, ..Place::default() };
    let ball = body("ball", Shape::Sphere { radius: 0.1 }, Vec3::ZERO);
    let implicit = Implicit { tolerance: 1e-6, ..Implicit::default() };
    let limiter = Some(Limiter { limit: 1e-3, ..Limiter::default() });
    let with =
        |cloth: &Cloth, method| Setup { method: Some(method), contact: CONSTRAINT, ..Setup::with_cloth(cloth.clone()) };
    vec![
        ("hung", with(&hung, Method::Bdf2(implicit))),
        ("hung, Newton", with(&hung, Method::BackwardEuler(Implicit { newton: 5, residual: 1e-6, ..implicit }))),
        ("hung, limited", Setup { limiter, ..with(&hung, Method::Bdf2(implicit)) }),
        ("hung, filtered", with(&hung, Method::FilteredEuler)),
        ("hung, IMEX", Setup { time: fixed_step(2e-4), ..with(&hung, Method::Imex(Imex::default())) }),
        ("fallen", Setup { bodies: vec![ball], ..with(&fallen, Method::Bdf2(implicit)) }),
    ]
}

#[test]
fn a_stopped_step_leaves_the_state_and_what_follows_has_the_same_bits() {
    for (name, setup) in scenes() {
        let mut whole = Run::new(setup.clone());
        let mut stopped = Run::new(setup);
        let mut most = 0;
        for k in 0..12 {
            // how often it asks
            let (never, asked) = once(u64::MAX);
            whole.work.stop_when(never);
            whole.step();
            let questions = asked.load(Relaxed);
            most = most.max(questions);
            for number in [1, 2, questions / 3, questions / 2, questions].into_iter().filter(|&number| number > 0) {
                let before = stopped.state.clone();
                stopped.work.stop_when(once(number).0);
                let result = step(&stopped.world, &mut stopped.state, &mut stopped.work);
                let time = before.time;
                // threads may ask a few times more or less than one does
                if let Err(error) = result {
                    assert_eq!(error, StepError::Stopped { time }, "{name}, step {k}");
                    assert!(stopped.state == before, "{name}, step {k}: the state has changed");
                } else {
                    assert!(
                        number > 1 && rayon::current_num_threads() > 1,
                        "{name}, step {k}: {number} of {questions}"
                    );
                    stopped.state = before;
                }
            }
            stopped.work.stop_when(Halt::default());
            stopped.step();
            assert!(stopped.state == whole.state, "{name}, step {k}: other bits");
        }
        assert!(most >= 3, "{name}: it asks {most} times in a step");
    }
}

#[test]
fn a_frame_is_stopped_within_a_step_and_goes_on_from_there() {
    let (_, setup) = scenes().remove(0);
    let mut whole = Run::new(setup.clone());
    whole.frame();
    let mut run = Run::new(setup);
    run.work.stop_when(once(7).0);
    let report = advance_frame_unless(&run.world, &mut run.state, &mut run.work, |_| false);
    assert_eq!(report, Ok(None));
    assert_eq!(run.state.frame, 0);
    run.frame();
    assert!(run.state == whole.state, "other bits");
}

#[test]
fn a_search_for_rest_is_stopped_within_an_iteration_and_keeps_what_it_has() {
    for name in ["hung", "fallen"] {
        let (_, setup) = scenes().into_iter().find(|scene| scene.0 == name).unwrap();
        let mut run = Run::new(setup);
        let start = run.state.clone();
        let (never, asked) = once(u64::MAX);
        let found = drape_unless(&run.world, &mut run.state, &Drape::default(), &never, &mut |_| true);
        assert!(found.converged && !found.stopped, "{name}: {found:?}");
        let questions = asked.load(Relaxed);
        for number in [1, questions / 4, questions / 2] {
            let mut state = start.clone();
            let (halt, asked) = once(number);
            let found = drape_unless(&run.world, &mut state, &Drape::default(), &halt, &mut |_| true);
            assert!(found.stopped && !found.converged, "{name}, {number} of {questions}: {found:?}");
            assert!(asked.load(Relaxed) <= number + 8, "{name}: it was asked on and on");
            assert!(state.x.iter().all(|x| x.is_finite()) && state.frame == 1, "{name}");
            assert!(found.share > 1e-4, "{name}: {found:?}");
        }
    }
}
