//! [`Simulation`]: the same as its parts, actions, snapshots, replays.

use crate::common::*;
use std::sync::Arc;
use taffeta::*;

fn hanging(cells: u32) -> Setup {
    let mut cloth = grid([0.4, 0.4], [cells, cells], Pattern::Alternating, fabric());
    cloth.pins = vec![Pin::fixed(Select::Corners(vec![Corner::LeftTop, Corner::RightTop]))];
    let mut setup = Setup { method: Some(euler()), ..Setup::with_cloth(cloth) };
    setup.bodies = vec![body("ball", Shape::Sphere { radius: 0.08 }, Vec3::new(0.0, -0.05, -0.3))];
    setup
}

fn of(setup: &Setup) -> Simulation {
    Simulation::new(setup).unwrap()
}

fn point(vertex: u32) -> [(u32, f64); 3] {
    [(vertex, 1.0), (vertex, 0.0), (vertex, 0.0)]
}

#[test]
fn it_is_world_state_and_workspace_together() {
    let setup = hanging(8);
    let mut run = Run::new(setup.clone());
    let mut simulation = of(&setup);
    for _ in 0..4 {
        assert_eq!(run.frame(), simulation.frame().unwrap());
        assert!(run.state == *simulation.state());
    }
    run.step();
    simulation.step().unwrap();
    assert!(run.state == *simulation.state());
}

fn many_actions(simulation: &mut Simulation) {
    simulation.frame().unwrap();
    let to = simulation.positions()[4] + Vec3::new(0.05, 0.0, 0.1);
    simulation.act(Action::Grab { grab: 3, point: point(4), to, stiffness: 80.0, limit: 0.3 }).unwrap();
    simulation.frame().unwrap();
    simulation.step().unwrap();
    simulation.act(Action::Drag { grab: 3, to: to + Vec3::Z * 0.1, over: 0.05 }).unwrap();
    simulation.act(Action::Wind(Vec3::new(1.0, 0.0, 3.0))).unwrap();
    let shorter = 0.6 * simulation.world().h;
    simulation.act(Action::Step(shorter)).unwrap();
    simulation.frame().unwrap();
    simulation.act(Action::MoveBody { body: "ball".into(), shift: Vec3::Z * 0.2, turn: Vec3::X, over: 0.1 }).unwrap();
    let pin = simulation.world().pin_names[0].clone();
    simulation.act(Action::MovePin { pin, shift: Vec3::Y * 0.05, turn: Vec3::ZERO, over: 0.1 }).unwrap();
    simulation.act(Action::Push { push: 1, vertices: vec![7, 8], force: Vec3::X * 0.05 }).unwrap();
    simulation.act(Action::Gravity(Vec3::new(0.5, -9.0, 0.0))).unwrap();
    (0..4).for_each(|_| drop(simulation.frame().unwrap()));
    simulation.act(Action::LetGo { grab: 3 }).unwrap();
    (0..4).for_each(|_| drop(simulation.frame().unwrap()));
}

#[test]
fn a_recording_gives_the_same_bits_and_so_does_a_snapshot() {
    for method in [euler(), Method::Bdf2(Implicit { newton: 4, ..Implicit::default() }), Method::SymplecticEuler] {
        let setup = Setup { method: Some(method), ..hanging(8) };
        let mut simulation = of(&setup);
        simulation.frame().unwrap();
        let begin = simulation.snapshot();
        many_actions(&mut simulation);
        let end = simulation.state().clone();
        assert_eq!(simulation.actions().len(), 9);
        assert!(end.x != of(&setup).positions());

        let mut again = of(&setup);
        again.replay(simulation.actions().to_vec());
        while again.state().frame < end.frame {
            again.frame().unwrap();
        }
        assert!(*again.state() == end, "{}", method.name());
        assert_eq!(again.actions(), simulation.actions());

        simulation.restore(&begin).unwrap();
        assert_eq!(simulation.actions().len(), 0);
        many_actions(&mut simulation);
        assert!(*simulation.state() == end, "{}", method.name());

        let mut copy = simulation.clone();
        copy.frame().unwrap();
        simulation.frame().unwrap();
        assert!(copy.state() == simulation.state());
    }
}

#[test]
fn a_replay_on_another_scene_is_refused() {
    let mut simulation = of(&hanging(8));
    many_actions(&mut simulation);
    let mut other = hanging(8);
    other.time.fps = 50.0;
    let mut other = of(&other);
    other.replay(simulation.actions().to_vec());
    let refused = (0..10).find_map(|_| other.frame().err());
    assert!(matches!(refused, Some(SimulationError::Action(ActionError::OtherTime { .. }))), "{refused:?}");
}

/// A weight on a spring of 20 N/m hangs m g/k below; a limit below the weight lets it fall.
#[test]
fn a_grab_carries_what_it_can() {
    for method in [euler(), Method::Bdf2(Implicit { newton: 6, ..Implicit::default() }), Method::SymplecticEuler] {
        let mut setup = hanging(2);
        setup.bodies.clear();
        setup.cloths[0].pins.clear();
        if let Material::Fabric(fabric) = &mut setup.cloths[0].material {
            fabric.damping.air = 2.0;
        }
        setup.method = Some(method);
        let mut simulation = of(&setup);
        let weight = 9.81 * simulation.world().mass.iter().sum::<f64>();
        let to = simulation.positions()[4];
        let grab = |limit: f64| Action::Grab { grab: 1, point: point(4), to, stiffness: 20.0, limit };
        simulation.act(grab(10.0 * weight)).unwrap();
        (0..600).for_each(|_| drop(simulation.frame().unwrap()));
        let hangs = to.y - simulation.positions()[4].y;
        assert!((hangs / (weight / 20.0) - 1.0).abs() < 0.01, "{}: {hangs}", method.name());
        assert!((simulation.pull(1).unwrap().y / weight - 1.0).abs() < 0.01, "{}", method.name());
        simulation.act(grab(0.5 * weight)).unwrap();
        (0..120).for_each(|_| drop(simulation.frame().unwrap()));
        assert!(simulation.positions()[4].y < to.y - 0.2, "{}", method.name());
        assert!((simulation.pull(1).unwrap().length() / weight - 0.5).abs() < 1e-12, "{}", method.name());
    }
}

#[test]
fn pins_and_bodies_go_where_they_are_sent_and_their_velocity_follows() {
    let mut simulation = of(&hanging(8));
    simulation.frame().unwrap();
    let pin = simulation.world().pin_names[0].clone();
    let corner = simulation.positions().len() - 1;
    let start = simulation.positions()[corner];
    let shift = Vec3::new(0.0, 0.03, 0.06);
    simulation.act(Action::MovePin { pin: pin.clone(), shift, turn: Vec3::ZERO, over: 0.1 }).unwrap();
    simulation.act(Action::MoveBody { body: "ball".into(), shift, turn: Vec3::ZERO, over: 0.1 }).unwrap();
    (0..3).for_each(|_| drop(simulation.frame().unwrap()));
    assert!((simulation.velocities()[corner] - shift / 0.1).length() < 1e-9);
    assert!((simulation.positions()[corner] - start - shift * 0.5).length() < 1e-9);
    (0..6).for_each(|_| drop(simulation.frame().unwrap()));
    assert!((simulation.positions()[corner] - start - shift).length() < 1e-9);
    let (at, _) = simulation.world().bodies[0].pose(simulation.time());
    assert!((at - Vec3::new(0.0, -0.05, -0.3) - shift).length() < 1e-9);
    // and back
    simulation.act(Action::MovePin { pin, shift: Vec3::ZERO, turn: Vec3::ZERO, over: 0.0 }).unwrap();
    simulation.frame().unwrap();
    assert!((simulation.positions()[corner] - start).length() < 1e-9);
}

#[test]
fn what_cannot_be_done_is_refused_and_changes_nothing() {
    let mut simulation = of(&hanging(8));
    let bad = [
        (
            Action::MovePin { pin: "nobody".into(), shift: Vec3::ZERO, turn: Vec3::ZERO, over: 1.0 },
            "there is no pin `nobody`",
        ),
        (Action::MoveBody { body: "bal".into(), shift: Vec3::ZERO, turn: Vec3::ZERO, over: 1.0 }, "there are ball"),
        (Action::MoveBody { body: "ball".into(), shift: Vec3::NAN, turn: Vec3::ZERO, over: 1.0 }, "finite"),
        (Action::MoveBody { body: "ball".into(), shift: Vec3::X, turn: Vec3::ZERO, over: -1.0 }, "0 s or more"),
        (Action::Drag { grab: 9, to: Vec3::ZERO, over: 0.1 }, "no grab 9"),
        (Action::LetGo { grab: 9 }, "no grab 9"),
        (Action::Grab { grab: 1, point: point(81), to: Vec3::ZERO, stiffness: 1.0, limit: 1.0 }, "no vertex 81"),
        (Action::Grab { grab: 1, point: point(1), to: Vec3::ZERO, stiffness: -1.0, limit: 1.0 }, "above 0, in N/m"),
        (
            Action::Grab {
                grab: 1,
                point: [(0, 0.5), (40, 0.5), (0, 0.0)],
                to: Vec3::ZERO,
                stiffness: 1.0,
                limit: 1.0,
            },
            "one triangle",
        ),
        (Action::Push { push: 1, vertices: vec![1000], force: Vec3::X }, "no vertex 1000"),
        (Action::Wind(Vec3::INFINITY), "finite"),
        (Action::Step(0.0), "above 0, in s"),
    ];
    for (action, says) in bad {
        let error = simulation.act(action.clone()).unwrap_err().to_string();
        assert!(error.contains(says), "{action:?}: {error}");
    }
    assert!(simulation.actions().is_empty());
    let mut other = of(&hanging(8));
    assert_eq!(simulation.frame(), other.frame());
}

#[test]
fn many_share_a_world_and_one_that_acts_has_its_own() {
    let world = Arc::new(World::new(hanging(6)).unwrap());
    let mut calm = Simulation::of(world.clone());
    let mut windy = Simulation::of(world.clone());
    windy.act(Action::Gravity(Vec3::ZERO)).unwrap();
    let mut both = [&mut calm, &mut windy];
    both.iter_mut().for_each(|simulation| drop(simulation.frame().unwrap()));
    assert!(calm.velocities()[0].length() > 1e-3 && windy.velocities()[0].length() < 1e-6);
    assert!(std::ptr::eq(calm.world(), &*world) && !std::ptr::eq(windy.world(), &*world));
}

#[test]
fn a_setup_with_actions_gives_the_same_bits_from_any_frame_on() {
    for method in [euler(), Method::Bdf2(Implicit::default()), Method::SymplecticEuler] {
        let setup = Setup { method: Some(method), ..hanging(8) };
        let mut by_hand = of(&setup);
        many_actions(&mut by_hand);
        let end = by_hand.state().clone();
        let mut actions = by_hand.actions().to_vec();
        // those of one time keep their order, the others may have any
        actions.sort_by_key(|timed| std::cmp::Reverse((timed.frame, timed.step)));
        let recorded = Setup { actions, ..setup.clone() };

        let mut states = Vec::new();
        let mut replayed = of(&recorded);
        while replayed.state().frame < end.frame {
            states.push(replayed.state().clone());
            replayed.frame().unwrap();
        }
        assert!(*replayed.state() == end, "{}", method.name());
        assert_eq!(replayed.actions(), by_hand.actions());
        // as a checkpoint would
        for state in states {
            let frame = state.frame;
            let mut resumed = of(&recorded);
            resumed.go_to(state).unwrap();
            while resumed.state().frame < end.frame {
                resumed.frame().unwrap();
            }
            assert!(*resumed.state() == end, "{} from frame {frame}", method.name());
            assert_eq!(resumed.actions(), by_hand.actions());
        }
    }
}

#[test]
fn actions_of_a_setup_are_checked_with_it() {
    let at = |frame, action| TimedAction::at_frame(frame, 60.0, action);
    let drag = || Action::Drag { grab: 1, to: Vec3::ZERO, over: 0.0 };
    let grab = || Action::Grab { grab: 1, point: point(4), to: Vec3::ZERO, stiffness: 1.0, limit: 1.0 };
    let body = |name: &str| Action::MoveBody { body: name.into(), shift: Vec3::X, turn: Vec3::ZERO, over: 0.0 };
    let problem = |actions: Vec<TimedAction>| World::new(Setup { actions, ..hanging(4) }).map(|_| ()).unwrap_err();
    for (actions, place, message) in [
        (vec![at(1, drag())], "actions.0", "there is no grab 1"),
        // in the order of time
        (vec![at(5, drag()), at(1, grab()), at(3, Action::LetGo { grab: 1 })], "actions.0", "there is no grab 1"),
        (vec![at(1, grab()), at(2, body("bal"))], "actions.1", "there is no body `bal`; there are ball"),
        (vec![TimedAction { time: 0.02, ..at(1, grab()) }], "actions.0", "it is recorded at 0.02 s"),
        (vec![TimedAction { step: 1, time: 0.5, ..at(1, grab()) }], "actions.0", "it is recorded at 0.5 s"),
        (vec![TimedAction { step: 1, time: 0.02, ..at(1, Action::Step(0.01)) }], "actions.0", "after 1 steps"),
        (vec![at(1, Action::Wind(Vec3::splat(f64::NAN)))], "actions.0", "the wind cannot be NaN"),
        (vec![at(1, Action::Step(1e-13))], "actions.0", "4 billion"),
        (vec![at(u64::MAX, grab())], "actions.0", ""),
    ] {
        if message.is_empty() {
            // far beyond the end: it is never done
            let world = World::new(Setup { actions, ..hanging(4) }).unwrap();
            assert!(world.warnings.last().unwrap().message.contains("before 1 of the actions"), "{:?}", world.warnings);
            continue;
        }
        let problems = problem(actions);
        assert_eq!(problems[0].path, place, "{problems:?}");
        assert!(problems[0].message.contains(message), "{problems:?}");
    }
    let fine = vec![at(1, grab()), at(5, drag()), at(5, Action::LetGo { grab: 1 }), at(2, body("ball"))];
    assert!(World::new(Setup { actions: fine, ..hanging(4) }).is_ok());
}

#[test]
fn moved_bodies_are_where_they_were_at_the_end_of_every_frame() {
    for smooth in [false, true] {
        let mut setup = hanging(4);
        let key = |t: f64, x: f64| Key { t, shift: Vec3::X * x, turn: Vec3::Y * (90.0 * x) };
        setup.bodies[0].motion = Motion { keys: vec![key(0.02, 0.0), key(0.1, 0.1), key(0.3, 0.4)], smooth };
        let to = |frame, x, over| {
            let (shift, turn) = (Vec3::Y * x, Vec3::ZERO);
            let action = Action::MoveBody { body: "ball".into(), shift, turn, over };
            TimedAction::at_frame(frame, setup.time.fps, action)
        };
        setup.actions = vec![to(9, 0.3, 0.2), to(14, -0.1, 0.0)];
        let mut simulation = of(&setup);
        let moved = simulation.world().moved_bodies();
        for _ in 0..20 {
            let time = simulation.time();
            let (here, shown) = (simulation.world().bodies[0].pose(time), moved[0].pose(time));
            assert!(here.0.distance(shown.0) < 1e-15 && here.1.angle_between(shown.1) < 1e-7, "{time} s");
            simulation.frame().unwrap();
        }
    }
}

#[test]
fn forces_have_the_names_of_pins_and_bodies() {
    let mut setup = hanging(6);
    setup.cloths[0].place.rotate.x = 90.0;
    setup.bodies[0].place.at = Vec3::new(0.0, -0.085, 0.0);
    let mut simulation = of(&setup);
    let pin = simulation.world().pin_names[0].clone();
    assert_eq!(simulation.pin_force(&pin), None);
    let mut balance = Vec3::ZERO;
    for _ in 0..240 {
        simulation.frame().unwrap();
    }
    for force in [simulation.pin_force(&pin), simulation.body_force("ball")] {
        balance += force.unwrap();
    }
    let weight = 9.81 * simulation.world().mass.iter().sum::<f64>();
    assert!((balance.y / weight - 1.0).abs() < 0.02, "{balance} carries {weight} N");
    assert!(simulation.body_force("ball").unwrap().y > 0.1 * weight);
    assert_eq!(simulation.pin_force("nobody"), None);
    assert_eq!(simulation.world().pin_vertices(&pin), Some(&[42, 48][..]));
    let corners = Select::Corners(vec![Corner::LeftTop, Corner::RightTop]);
    assert_eq!(setup.vertices("sheet", &corners), Some(vec![42, 48]));
    assert_eq!(setup.vertices("shirt", &corners), None);
}

/// What a body that rests is known to be away from must be forgotten when an action moves it.
#[test]
fn a_body_that_is_moved_after_a_long_rest_meets_the_cloth() {
    for method in Method::all().into_iter().filter(|method| *method != Method::FilteredEuler) {
        let mut setup = hanging(10);
        setup.method = Some(method);
        if let Material::Fabric(fabric) = &mut setup.cloths[0].material {
            fabric.stretch = [100.0; 2];
            fabric.damping = FabricDamping { stretch: 1e-3, shear: 1e-3, bend: 1e-3, air: 0.1 };
        }
        setup.bodies[0].place.at = Vec3::new(0.0, 0.0, -0.3);
        let mut simulation = of(&setup);
        (0..10).for_each(|_| drop(simulation.frame().unwrap()));
        let mut fresh = simulation.clone();
        for one in [&mut simulation, &mut fresh] {
            let (shift, turn) = (Vec3::Z * 0.3, Vec3::ZERO);
            one.act(Action::MoveBody { body: "ball".into(), shift, turn, over: 0.3 }).unwrap();
            (0..20).for_each(|_| drop(one.frame().unwrap()));
        }
        let centre = Vec3::ZERO;
        let nearest = simulation.positions().iter().map(|p| p.distance(centre)).fold(f64::INFINITY, f64::min);
        assert!(nearest > 0.079, "{}: {nearest} m from the middle of the ball", method.name());
        assert!(*simulation.state() == *fresh.state(), "{}: a fresh workspace has other bits", method.name());
    }
}

#[test]
fn a_longer_step_can_be_resumed_and_waits_behind_what_is_due() {
    let mut setup = hanging(5);
    setup.method = Some(Method::Bdf2(Implicit::default()));
    setup.time.step = StepSize::AtMost(0.002);
    setup.actions = vec![TimedAction::at_frame(2, 60.0, Action::Step(0.006))];
    let mut simulation = of(&setup);
    (0..4).for_each(|_| drop(simulation.frame().unwrap()));
    let mut resumed = of(&setup);
    resumed.go_to(simulation.state().clone()).unwrap();
    simulation.frame().unwrap();
    resumed.frame().unwrap();
    assert!(simulation.state() == resumed.state());

    // a change of the step waits for the next frame, behind the others, and the last of two counts
    setup.actions.clear();
    let mut simulation = of(&setup);
    simulation.step().unwrap();
    let mut wind = TimedAction { frame: 0, step: 3, time: 0.0, action: Action::Wind(Vec3::X) };
    wind.time = {
        let mut ahead = simulation.clone();
        (0..2).for_each(|_| _ = ahead.step().unwrap());
        ahead.time()
    };
    simulation.replay(vec![wind]);
    simulation.act(Action::Step(0.005)).unwrap();
    simulation.act(Action::Step(0.001)).unwrap();
    simulation.frame().unwrap();
    simulation.frame().unwrap();
    assert_eq!(simulation.actions().len(), 3);
    assert_eq!(simulation.world().steps_per_frame, 17);

    // what cannot be done stays to be done
    let mut wrong = of(&setup);
    wrong.replay(vec![TimedAction { frame: 0, step: 1, time: 1.0, action: Action::Wind(Vec3::X) }]);
    assert!(wrong.frame().is_err() && wrong.frame().is_err());
    assert!(wrong.restore(&of(&hanging(6)).snapshot()).is_err());
}

#[test]
fn stiff_grabs_are_held_by_every_method() {
    // forward Euler gains energy by any spring that nothing damps
    for method in Method::all().into_iter().filter(|method| *method != Method::ForwardEuler) {
        let mut setup = hanging(6);
        setup.bodies.clear();
        setup.contact = CONSTRAINT;
        setup.method = Some(method);
        if let Material::Fabric(fabric) = &mut setup.cloths[0].material {
            fabric.stretch = [100.0; 2];
            fabric.damping = FabricDamping { stretch: 1e-3, shear: 1e-3, bend: 1e-3, air: 0.5 };
        }
        for stiffness in [1e4, 1e9] {
            let mut simulation = of(&setup);
            let to = simulation.positions()[3];
            simulation.act(Action::Grab { grab: 1, point: point(3), to, stiffness, limit: 1.0 }).unwrap();
            (0..90).for_each(|_| drop(simulation.frame().unwrap()));
            let fastest = simulation.velocities().iter().map(|v| v.length()).fold(0.0, f64::max);
            assert!(fastest < 0.2, "{} with {stiffness:e} N/m: {fastest} m/s", method.name());
            assert!(simulation.pull(1).unwrap().length() < 0.9, "{}", method.name());
        }
    }
}

#[test]
fn a_pin_turns_from_where_it_took_hold() {
    let mut setup = hanging(2);
    setup.bodies.clear();
    setup.gravity = Vec3::ZERO;
    let turned = Vec3::new(0.0, 90.0, 0.0);
    setup.cloths[0].pins = vec![Pin { motion: keys(&[(0.0, Vec3::X, turned)]), ..Pin::fixed(Select::All) }];
    let mut simulation = of(&setup);
    let pin = simulation.world().pin_names[0].clone();
    let start = simulation.positions().to_vec();
    let turn = Vec3::new(90.0, 0.0, 0.0);
    simulation.act(Action::MovePin { pin: pin.clone(), shift: Vec3::Z, turn, over: 0.05 }).unwrap();
    (0..6).for_each(|_| drop(simulation.frame().unwrap()));
    for (x, start) in simulation.positions().iter().zip(&start) {
        let expected = Vec3::new(start.x, -start.z, start.y) + Vec3::Z;
        assert!(x.distance(expected) < 1e-9, "{x} and {expected}");
    }
    let mut late = hanging(2);
    late.cloths[0].pins[0].from = 0.5;
    let move_early = Action::MovePin { pin, shift: Vec3::Z, turn, over: 0.05 };
    assert!(of(&late).act(move_early).unwrap_err().to_string().contains("takes hold at 0.5 s"));
}
