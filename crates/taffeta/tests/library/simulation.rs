//! [`Simulation`]: the same as its parts, actions, snapshots, replays.

use crate::common::*;
use std::sync::Arc;
use taffeta::*;

fn hanging(cells: u32) -> Setup {
    let mut cloth = grid([0.4, 0.4], [cells, cells], Pattern::Alternating, fabric());
    cloth.pins = vec![Pin::fixed(Select::Corners(vec![Corner::LeftTop, Corner::RightTop]))];
    let mut setup = Setup::with_cloth(cloth);
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
    for method in
        [Method::default(), Method::Bdf2(Implicit { newton: 4, ..Implicit::default() }), Method::SymplecticEuler]
    {
        let setup = Setup { method, ..hanging(8) };
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

        simulation.restore(&begin);
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
    for method in
        [Method::default(), Method::Bdf2(Implicit { newton: 6, ..Implicit::default() }), Method::SymplecticEuler]
    {
        let mut setup = hanging(2);
        setup.bodies.clear();
        setup.cloths[0].pins.clear();
        if let Material::Fabric(fabric) = &mut setup.cloths[0].material {
            fabric.damping.air = 2.0;
        }
        setup.method = method;
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
