//! Static equilibria: what they promise. Their shapes are compared with closed forms in tests/validation.rs.

use crate::common::*;
use taffeta::*;

fn draped(setup: Setup, settings: Drape) -> (Run, DrapeReport) {
    let mut run = Run::new(setup);
    let report = drape(&run.world, &mut run.state, &settings, &mut |_| true);
    (run, report)
}

/// A sheet that lies level and is held at two corners.
fn sheet(cells: u32) -> Cloth {
    let mut cloth = grid([1.0, 1.0], [cells, cells], Pattern::Alternating, fabric());
    cloth.place.rotate.x = 90.0;
    cloth.noise = Some(Noise { size: 1e-4, seed: 1 });
    cloth.pins = vec![Pin::fixed(Select::Corners(vec![Corner::LeftTop, Corner::RightTop]))];
    cloth
}

#[test]
fn sheet_on_two_corners_comes_to_rest_and_its_pins_carry_its_weight() {
    for model in [
        Model::default(),
        Model::Membrane { bending: Bending::Quadratic },
        Model::MassSpring { bending: Bending::Hinge },
    ] {
        let (run, report) = draped(Setup::with_cloth(Cloth { model, ..sheet(16) }), Drape::default());
        assert!(report.converged && report.stable && report.share <= 1e-4, "{}: {report:?}", model.name());
        let off = (report.pins[0] - Vec3::new(0.0, 0.15 * 9.81, 0.0)).length();
        assert!(off < 1e-3, "{}: the pins lack {off} N", model.name());
        assert_eq!((run.state.frame, run.measure().kinetic), (1, 0.0));
    }
}

/// Released at the equilibrium with any method, it stays.
#[test]
fn what_is_draped_does_not_move() {
    let settings = Drape { residual: 1e-8, ..Drape::default() };
    let (mut run, report) = draped(Setup::with_cloth(sheet(12)), settings);
    assert!(report.converged, "{report:?}");
    let before = run.state.x.clone();
    run.frames(30);
    let moved = before.iter().zip(&run.state.x).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
    assert!(moved < 1e-5, "moved by {moved} m");
}

#[test]
fn pins_are_followed_to_where_they_are_at_the_end() {
    let mut cloth = sheet(12);
    let keys = vec![
        Key { t: 0.0, shift: Vec3::ZERO, turn: Vec3::ZERO },
        Key { t: 1.0, shift: Vec3::new(0.2, 0.1, 0.0), turn: Vec3::ZERO },
    ];
    cloth.pins = vec![
        Pin { motion: Motion { keys, smooth: false }, ..Pin::fixed(Select::Corners(vec![Corner::LeftTop])) },
        Pin::fixed(Select::Corners(vec![Corner::RightTop])),
        // let go before the end
        Pin { until: 0.5, ..Pin::fixed(Select::Corners(vec![Corner::LeftBottom])) },
    ];
    let (run, report) = draped(Setup::with_cloth(cloth), Drape::default());
    assert!(report.converged && report.stages > 3, "{report:?}");
    let corner = run.state.x[12 * 13];
    assert!((corner - (run.world.start[12 * 13] + Vec3::new(0.2, 0.1, 0.0))).length() < 1e-12, "{corner}");
    assert_eq!(report.pins[2], Vec3::ZERO);
    assert!((report.pins[0] + report.pins[1]).y > 0.0);
}

#[test]
fn cloth_that_nothing_holds_has_no_equilibrium_and_an_early_stop_is_said() {
    let (_, report) = draped(Setup::with_cloth(Cloth { pins: Vec::new(), ..sheet(4) }), Drape::default());
    assert_eq!((report.converged, report.loose.as_deref()), (false, Some("sheet")));
    let (_, report) = draped(Setup::with_cloth(sheet(8)), Drape { iterations: 3, ..Drape::default() });
    assert!(!report.converged && report.iterations == 3 && report.share > 1e-4, "{report:?}");
    let mut run = Run::new(Setup::with_cloth(sheet(8)));
    let report = drape(&run.world, &mut run.state, &Drape::default(), &mut |progress| progress.iteration < 5);
    assert!(!report.converged && report.iterations == 5, "{report:?}");
}

/// A strip that stands on a clamp and is exactly straight is at rest, but not for long.
#[test]
fn a_saddle_is_left() {
    let b = 0.15 * 9.81 * 1e-3 / 12.0; // ρ g L³/B = 12, more than the critical 7.84
    let stiff = Fabric { stretch: [1e4, 1e4], shear: 1e3, bend: [b, b], ..fabric() };
    let mut cloth = grid([0.02, 0.11], [2, 11], Pattern::Alternating, stiff);
    cloth.pins = vec![Pin::clamped(Select::Uv { min: [0.0, 0.0], max: [0.02, 0.01] })];
    let (run, report) = draped(Setup::with_cloth(cloth), Drape::default());
    assert!(report.converged && report.stable, "{report:?}");
    let aside = run.state.x.iter().map(|x| x.z.abs()).fold(0.0, f64::max);
    assert!(aside > 0.05, "it still stands: {aside} m aside");
}
