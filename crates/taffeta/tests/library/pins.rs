//! Held vertices: fixed, moving, sliding, for a time, and chosen in every way.

use crate::common::*;
use taffeta::*;

fn sheet() -> Cloth {
    let damping = FabricDamping { stretch: 1e-4, shear: 1e-4, bend: 1e-4, air: 0.5 };
    grid([0.4, 0.4], [8, 8], Pattern::Alternating, Fabric { damping, ..fabric() })
}

#[test]
fn moving_pins_are_where_their_keys_are_with_every_method() {
    let keys = vec![
        Key { t: 0.02, shift: Vec3::ZERO, turn: Vec3::ZERO },
        Key { t: 0.05, shift: Vec3::new(0.0, 0.05, 0.02), turn: Vec3::new(0.0, 0.0, 90.0) },
        Key { t: 0.08, shift: Vec3::new(0.1, 0.0, 0.0), turn: Vec3::new(0.0, 0.0, 720.0) },
    ];
    for smooth in [false, true] {
        for method in METHODS {
            let mut cloth = sheet();
            let motion = Motion { keys: keys.clone(), smooth };
            cloth.pins = vec![Pin { motion: motion.clone(), ..Pin::fixed(Select::Vertices(vec![0, 8])) }];
            let mut setup = springs(cloth);
            setup.method = Some(method);
            setup.time.step = StepSize::AtMost(2e-5);
            let mut run = Run::new(setup);
            let start = run.state.x.clone();
            let origin = 0.5 * (start[0] + start[8]);
            while run.state.time < 0.1 {
                run.step();
                for i in [0, 8] {
                    let place = motion.apply(run.state.time, origin, start[i]);
                    let apart = run.state.x[i].distance(place);
                    // the time t + h is rounded, and the pin turns at 400 rad/s
                    assert!(apart < 1e-14, "{method:?}: {apart:e} m off at {} s", run.state.time);
                }
            }
            // after two turns and a shift of 0.1 m
            assert!((run.state.x[0] - start[0] - Vec3::new(0.1, 0.0, 0.0)).length() < 1e-12);
        }
    }
}

#[test]
fn a_key_between_two_others_is_interpolated() {
    let key = |t: f64, x: f64| Key { t, shift: Vec3::new(x, 0.0, 0.0), turn: Vec3::ZERO };
    let linear = Motion { keys: vec![key(1.0, 0.0), key(3.0, 4.0)], smooth: false };
    let smooth = Motion { smooth: true, ..linear.clone() };
    let at = |motion: &Motion, t: f64| motion.apply(t, Vec3::ZERO, Vec3::ZERO).x;
    for (t, straight, eased) in [(0.0, 0.0, 0.0), (1.5, 1.0, 0.625), (2.0, 2.0, 2.0), (3.0, 4.0, 4.0), (9.0, 4.0, 4.0)]
    {
        assert!((at(&linear, t) - straight).abs() < 1e-15 && (at(&smooth, t) - eased).abs() < 1e-15, "t = {t}");
    }
}

#[test]
fn sliding_pins_keep_what_they_hold_and_let_go_of_the_rest() {
    let tilted = Vec3::new(1.0, 2.0, 0.5).normalize();
    for method in METHODS {
        for (hold, name) in [
            (Hold::Axes([false, true, false]), "y"),
            (Hold::Axes([true, false, true]), "xz"),
            (Hold::Normal(tilted), "plane"),
            (Hold::Along(tilted), "line"),
        ] {
            let mut cloth = sheet();
            cloth.pins = vec![Pin { hold, ..Pin::fixed(Select::Corners(vec![Corner::LeftTop])) }];
            cloth.velocity = Vec3::new(0.3, 0.1, 0.4);
            let mut setup = springs(cloth);
            setup.method = Some(method);
            setup.time.step = StepSize::AtMost(2e-5);
            let mut run = Run::new(setup);
            run.until(0.05);
            let moved = run.state.x[72] - run.world.start[72];
            let held = moved - hold.free() * moved;
            assert!(held.length() < 1e-13, "{name}: slipped by {held}");
            assert!((hold.free() * moved).length() > 1e-3, "{name}: does not slide, {moved}");
            let speed = run.state.v[72];
            assert!((speed - hold.free() * speed).length() < 1e-12, "{name}: {speed}");
        }
    }
}

#[test]
fn a_pin_holds_from_and_until_its_times_where_the_vertex_is() {
    let mut cloth = sheet();
    cloth.pins = vec![Pin { from: 0.1, until: 0.2, ..Pin::fixed(Select::Edge(vec![Side::Top])) }];
    let mut run = Run::new(springs(cloth));
    run.until(0.1);
    let fallen = run.state.x[72];
    assert!(fallen.y < run.world.start[72].y - 0.03, "falls freely before");
    run.until(0.19);
    assert_eq!(run.state.x[72], fallen, "is held where it was");
    run.until(0.3);
    assert!(run.state.x[72].y < fallen.y - 0.02, "falls again");
}

/// A motion that is under way when the pin takes hold, or that does not begin at zero, moves nothing at once.
#[test]
fn motion_counts_from_the_moment_of_taking_hold() {
    for (from, first) in [(0.1, 0.0), (0.0, 0.3)] {
        let mut cloth = sheet();
        let key = |t: f64, x: f64, turn: f64| Key { t, shift: Vec3::X * x, turn: Vec3::Z * turn };
        let motion = Motion { keys: vec![key(0.0, first, 10.0), key(0.2, first + 0.2, 50.0)], smooth: false };
        cloth.pins = vec![Pin { from, motion, ..Pin::fixed(Select::Vertices(vec![72, 80])) }];
        let mut run = Run::new(springs(cloth));
        assert!(run.world.warnings[0].path.ends_with("pin.0.motion"), "{:?}", run.world.warnings);
        run.until(from);
        let (a, b) = (run.state.x[72], run.state.x[80]);
        run.step();
        let moved = (run.state.x[72] - a).length();
        assert!(moved < 2.5 * run.world.h, "jumped by {moved} m");
        run.until(0.2);
        // the middle moves by what is left of the shift, the line between turns by what is left of the turn
        let left = (0.2 - from) / 0.2;
        let middle = 0.5 * (run.state.x[72] + run.state.x[80]) - 0.5 * (a + b);
        assert!((middle - Vec3::X * 0.2 * left).length() < 1e-12, "{middle}");
        let turned = (b - a).angle_between(run.state.x[80] - run.state.x[72]).to_degrees();
        assert!((turned - 40.0 * left).abs() < 1e-9, "{turned}");
    }
}

#[test]
fn of_several_pins_on_a_vertex_the_first_counts() {
    let mut cloth = sheet();
    let lift = Motion {
        keys: [(0.0, 0.0), (0.1, 0.1)].map(|(t, y)| Key { t, shift: Vec3::Y * y, turn: Vec3::ZERO }).to_vec(),
        smooth: false,
    };
    cloth.pins = vec![
        Pin::fixed(Select::Corners(vec![Corner::LeftTop])),
        Pin { motion: lift, ..Pin::fixed(Select::Edge(vec![Side::Top])) },
    ];
    let mut run = Run::new(springs(cloth));
    assert!(run.world.warnings[0].message.contains("the first counts"), "{:?}", run.world.warnings);
    run.until(0.1);
    assert_eq!(run.state.x[72], run.world.start[72]);
    assert!((run.state.x[80].y - run.world.start[80].y - 0.1).abs() < 1e-12);
}

#[test]
fn vertices_are_chosen_in_every_way() {
    let cloth = sheet();
    let start: Vec<Vec3> = cloth.mesh.rest.iter().map(|p| *p + Vec3::new(1.0, 0.0, 0.0)).collect();
    let chosen = |select: Select| select.vertices(&cloth.mesh, &start);
    use Corner::*;
    assert_eq!(chosen(Select::Corners(vec![LeftBottom, RightBottom, LeftTop, RightTop])), [0, 8, 72, 80]);
    assert_eq!(chosen(Select::Edge(vec![Side::Bottom])), (0..9).collect::<Vec<_>>());
    assert_eq!(chosen(Select::Edge(vec![Side::Left, Side::Right])).len(), 18);
    assert_eq!(chosen(Select::Vertices(vec![5, 3, 5, 999])), [3, 5]);
    assert_eq!(chosen(Select::All).len(), 81);
    // space is after `place`, uv begins at the corner left-bottom
    let in_box = Select::Box { min: Vec3::new(0.75, -0.3, -1.0), max: Vec3::new(0.86, -0.14, 1.0) };
    assert_eq!(chosen(in_box), [0, 1, 9, 10]);
    assert_eq!(chosen(Select::Sphere { centre: Vec3::X, radius: 0.051 }), [31, 39, 40, 41, 49]);
    assert_eq!(chosen(Select::Uv { min: [0.0, 0.0], max: [0.06, 0.06] }), [0, 1, 9, 10]);
}

#[test]
fn a_selection_of_nothing_and_times_in_the_wrong_order_are_refused() {
    let mut cloth = sheet();
    cloth.pins = vec![Pin::fixed(Select::Sphere { centre: Vec3::splat(9.0), radius: 0.1 })];
    let problems = World::new(springs(cloth.clone())).unwrap_err();
    assert_eq!(problems[0].path, "cloth.0.pin.0.select");
    let key = |t: f64| Key { t, shift: Vec3::ZERO, turn: Vec3::ZERO };
    cloth.pins = vec![
        Pin { from: 2.0, until: 1.0, ..Pin::fixed(Select::All) },
        Pin { motion: Motion { keys: vec![key(1.0), key(0.5)], smooth: false }, ..Pin::fixed(Select::All) },
        Pin { hold: Hold::Normal(Vec3::ZERO), ..Pin::fixed(Select::Vertices(vec![1000])) },
    ];
    let problems = World::new(springs(cloth)).unwrap_err();
    let paths: Vec<&str> = problems.iter().map(|p| p.path.as_str()).collect();
    assert_eq!(paths, ["cloth.0.pin.0.until", "cloth.0.pin.1.motion", "cloth.0.pin.2.select", "cloth.0.pin.2.hold"]);
}
