//! Steps that shorten themselves.

use crate::common::*;
use taffeta::*;

/// A corner is pulled by 1 m within the third frame.
fn pulled(method: Method, adaptive: Adaptive) -> Setup {
    let mut cloth = grid([0.5, 0.5], [10, 10], Pattern::Alternating, fabric());
    let key = |t: f64, x: f64| Key { t, shift: Vec3::X * x, turn: Vec3::ZERO };
    let motion = Motion { keys: vec![key(2.0 / 60.0, 0.0), key(3.0 / 60.0, 1.0)], smooth: false };
    cloth.pins = vec![Pin { motion, ..Pin::fixed(Select::Corners(vec![Corner::RightTop])) }];
    let mut setup = Setup { method: Some(method), ..Setup::with_cloth(cloth) };
    setup.time = Time { adaptive: Some(adaptive), step: StepSize::AtMost(1.0 / 60.0), ..Time::default() };
    setup
}

const METHODS: [Method; 2] = [
    Method::BackwardEuler(Implicit { tolerance: 1e-3, iterations: 10_000, newton: 1, residual: 1e-3 }),
    Method::Bdf2(Implicit { tolerance: 1e-3, iterations: 10_000, newton: 1, residual: 1e-3 }),
];

#[test]
fn a_pulled_corner_shortens_the_steps_which_grow_again() {
    for method in METHODS {
        let mut run = Run::new(pulled(method, Adaptive::default()));
        let reports: Vec<FrameReport> = (1..=60)
            .map(|frame| {
                let report = run.frame();
                assert_eq!(run.state.time, f64::from(frame) / 60.0);
                assert!(report.h <= 1.0 / 60.0 * (1.0 + 1e-12), "{} s", report.h);
                report
            })
            .collect();
        let line = |r: &FrameReport| format!("{} steps from {:.1e} s, {} rejected", r.steps, r.shortest, r.rejected);
        reports.iter().take(20).for_each(|r| println!("{}", line(r)));
        assert!(reports[..2].iter().all(|r| r.steps == 1 && r.rejected == 0), "{}", line(&reports[0]));
        assert!(reports[2].rejected > 3 && reports[2].steps > 10, "{}", line(&reports[2]));
        assert!(reports[2].shortest < 0.1 / 60.0, "{}", line(&reports[2]));
        assert!(reports.iter().any(|r| r.wait > 2), "no growing wait");
        assert!(reports[20..].iter().any(|r| r.steps == 1), "never one step a frame again");
        // the paper's own promise: no triangle changed more than allowed
        assert!(run.measure().max_stretch < 0.5, "{}", run.measure().max_stretch);
    }
}

#[test]
fn where_the_shortest_step_is_too_long_the_state_is_kept() {
    let mut run = Run::new(pulled(METHODS[0], Adaptive { least: 0.25, ..Adaptive::default() }));
    run.frames(2);
    loop {
        let before = run.state.clone();
        match step(&run.world, &mut run.state, &mut run.work) {
            Ok(_) => assert!(run.state.frame < 4),
            Err(error) => {
                let StepError::Stretched { h, change, cloth, .. } = &error else { panic!("{error}") };
                assert!(*h <= 0.2501 / 60.0 && *change > 0.1 && cloth == "sheet", "{error}");
                assert!(before == run.state);
                break;
            }
        }
    }
    // and without shorter steps at all the first try is the last
    let mut setup = pulled(METHODS[0], Adaptive::default());
    setup.time.adaptive = None;
    let mut run = Run::new(setup);
    run.frames(2);
    let before = run.state.clone();
    assert!(
        matches!(step(&run.world, &mut run.state, &mut run.work), Err(StepError::Diverged { .. }))
            && before == run.state
    );
}

/// Steps that fail for want of iterations leave the state alone as well. One with a factor in single precision, 6e-8,
/// leaves more than this tolerance.
#[test]
fn unsolved_equations_leave_the_state_untouched() {
    let settings = Implicit { tolerance: 1e-12, iterations: 1, ..Implicit::default() };
    for method in [Method::BackwardEuler(settings), Method::Bdf2(settings)] {
        let mut run = Run::new(pulled(method, Adaptive { least: 0.5, ..Adaptive::default() }));
        run.state.v[3] = Vec3::new(1.0, 2.0, 3.0);
        let before = run.state.clone();
        let error = step(&run.world, &mut run.state, &mut run.work).unwrap_err();
        assert!(matches!(error, StepError::Unsolved { iterations: 1, .. }), "{error}");
        assert!(before == run.state);
    }
}

/// Resumed from a copy of the state with a new workspace, after every step.
#[test]
fn a_run_resumed_within_a_frame_equals_the_uninterrupted_one() {
    for method in METHODS {
        let mut whole = Run::new(pulled(method, Adaptive::default()));
        let mut parts = Run::new(pulled(method, Adaptive::default()));
        while whole.state.frame < 4 {
            whole.step();
            parts.state = parts.state.clone();
            parts.work = Workspace::new(&parts.world);
            parts.step();
            assert!(whole.state == parts.state, "at {} s", whole.state.time);
        }
    }
}
