//! The same bits on any number of threads, after a resume, and for every repetition.

use crate::common::*;
use taffeta::*;

/// Several blocks, two cloths, every kind of force.
fn large(method: Method) -> Setup {
    let damping = FabricDamping { stretch: 1e-5, shear: 1e-4, bend: 1e-3, air: 0.1 };
    let fabric = Fabric { damping, ..fabric() };
    let mut first = grid([1.0, 1.0], [70, 70], Pattern::Alternating, fabric);
    first.pins = vec![Pin::fixed(Select::Corners(vec![Corner::LeftTop, Corner::RightTop]))];
    first.noise = Some(Noise { size: 1e-4, seed: 1 });
    let mut second = grid([0.8, 0.5], [40, 30], Pattern::Crossed, fabric);
    second.name = "second".into();
    second.place.at = Vec3::new(0.0, 0.0, 1.0);
    second.pins = vec![
        Pin { until: 0.002, ..Pin::fixed(Select::Edge(vec![Side::Left])) },
        Pin { from: 0.001, ..Pin::fixed(Select::Corners(vec![Corner::RightBottom])) },
    ];
    let mut setup = Setup { cloths: vec![first, second], ..Setup::default() };
    setup.method = Some(method);
    setup.air = Air { drag: 1.0, fluid: 0.2, wind: Vec3::new(3.0, 0.0, 4.0), ..Air::default() };
    setup.limiter = Some(Limiter { limit: 1e-5, order: Order::LongestFirst, ..Limiter::default() });
    setup.time = fixed_step(1e-4);
    setup
}

fn bits(state: &State) -> Vec<u64> {
    state.x.iter().chain(&state.v).flat_map(|p| p.to_array()).map(f64::to_bits).collect()
}

#[test]
fn results_have_the_same_bits_on_1_2_3_and_8_threads() {
    for method in [Method::SymplecticEuler, Method::Rk4, Method::Verlet { damping: 0.01 }] {
        let run_on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut run = Run::new(large(method));
                run.steps(30);
                let m = run.measure();
                (bits(&run.state), m.energy().to_bits(), m.angular_momentum.x.to_bits(), run.world.h.to_bits())
            })
        };
        let one = run_on(1);
        for threads in [2, 3, 8] {
            assert!(one == run_on(threads), "{method:?}: {threads} threads differ from one");
        }
    }
}

/// Several blocks of every model, every kind of force, a few steps.
fn implicit(model: Model, method: Method) -> Setup {
    let mut setup = large(method);
    setup.cloths.truncate(1);
    setup.cloths[0].mesh = Mesh::grid([1.0, 1.0], [55, 55], Pattern::Alternating).unwrap();
    setup.cloths[0].model = model;
    setup.limiter = None;
    if method == Method::FilteredEuler {
        setup.contact = CONSTRAINT;
    }
    let h = if method.is_implicit() { 5e-3 } else { 2e-5 };
    setup.time = Time { adaptive: Some(Adaptive { change: 0.01, ..Adaptive::default() }), ..fixed_step(h) };
    setup
}

fn implicit_methods() -> [Method; 5] {
    let settings = Implicit { newton: 3, ..Implicit::default() };
    [
        Method::BackwardEuler(Implicit::default()),
        Method::Bdf2(Implicit::default()),
        Method::BackwardEuler(settings),
        Method::Imex(Imex::default()),
        Method::FilteredEuler,
    ]
}

#[test]
fn implicit_results_have_the_same_bits_on_1_2_3_and_8_threads() {
    let pools = [1, 2, 3, 8].map(|n| rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap());
    for model in MODELS {
        for method in implicit_methods() {
            let run_on = |pool: &rayon::ThreadPool| {
                pool.install(|| {
                    let mut run = Run::new(implicit(model, method));
                    assert!(run.state.x.len() > 3000);
                    let reports: Vec<StepReport> = (0..2).map(|_| run.step()).collect();
                    (bits(&run.state), reports)
                })
            };
            let one = run_on(&pools[0]);
            for pool in &pools[1..] {
                let threads = pool.current_num_threads();
                assert!(one == run_on(pool), "{} {method:?}: {threads} threads differ from one", model.name());
            }
        }
    }
}

/// Nothing of a run is in its workspace.
#[test]
fn a_new_workspace_changes_no_implicit_step() {
    for method in implicit_methods() {
        let mut whole = Run::new(implicit(Model::default(), method));
        let mut parts = Run::new(implicit(Model::default(), method));
        for _ in 0..3 {
            whole.step();
            parts.work = Workspace::new(&parts.world);
            parts.step();
            assert!(whole.state == parts.state && bits(&whole.state) == bits(&parts.state), "{method:?}");
        }
    }
}

/// A new workspace at any step, and a state that went through its parts, change nothing.
#[test]
fn a_state_is_all_that_a_run_needs_to_go_on() {
    let mut whole = Run::new(large(Method::SymplecticEuler));
    whole.steps(12);

    let mut parts = Run::new(large(Method::SymplecticEuler));
    for _ in 0..12 {
        let kept = parts.state.clone();
        let of_contact = kept.clone();
        parts = Run::new(large(Method::SymplecticEuler));
        let State { frame, step, elapsed, time, control, x, v, anchors, holds, .. } = kept;
        let State { contacts, touching, exempt, past, went_over, .. } = of_contact;
        parts.state = State {
            frame,
            step,
            elapsed,
            time,
            control,
            x,
            v,
            anchors,
            holds,
            contacts,
            touching,
            exempt,
            past,
            went_over,
        };
        parts.step();
    }
    assert!(whole.state == parts.state);
    assert!(bits(&whole.state) == bits(&parts.state));
}

#[test]
fn a_failed_step_leaves_the_state_untouched() {
    let mut setup = large(Method::SymplecticEuler);
    setup.time = fixed_step(1e-2);
    let mut run = Run::new(setup);
    loop {
        let before = run.state.clone();
        match step(&run.world, &mut run.state, &mut run.work) {
            Ok(_) => assert!(run.state.step == 0 && run.state.frame < 1000),
            Err(error) => {
                assert!(before == run.state);
                assert!(before.x.iter().all(|x| x.is_finite()), "{error}");
                break;
            }
        }
    }
}
