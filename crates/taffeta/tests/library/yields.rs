//! Bodies that leave cloth no room give way, and only they.

use crate::common::*;
use std::sync::Arc;
use taffeta::intersect::{crossings, crossings_between};
use taffeta::*;

/// Triangles that keep their shape.
#[derive(Debug)]
struct Rigid {
    x: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

impl BodyMesh for Rigid {
    fn vertices(&self) -> usize {
        self.x.len()
    }
    fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }
    fn positions(&self, _: f64, x: &mut Vec<Vec3>) -> Result<(), PoseError> {
        x.clone_from(&self.x);
        Ok(())
    }
    fn span(&self) -> (f64, f64) {
        (0.0, 0.0)
    }
}

fn mesh_of(shape: Shape) -> Shape {
    let (x, triangles) = shape.triangulate(16).unwrap();
    Shape::Mesh(Arc::new(Rigid { x, triangles }))
}

fn cloth(name: &str, size: f64, cells: u32, place: Place) -> Cloth {
    let fabric =
        Fabric { density: 0.2, thickness: 0.002, stretch: [2000.0; 2], shear: 1000.0, bend: [1e-4; 2], ..fabric() };
    Cloth { name: name.into(), place, ..grid([size; 2], [cells; 2], Pattern::Alternating, fabric) }
}

const FLAT: Vec3 = Vec3::new(90.0, 0.0, 0.0);

/// Bodies come by a way within 0.3 s and go back.
fn closes(name: &str, shape: Shape, at: Vec3, way: Vec3) -> Body {
    let motion = keys(&[(0.0, Vec3::ZERO, Vec3::ZERO), (0.3, way, Vec3::ZERO), (0.6, Vec3::ZERO, Vec3::ZERO)]);
    Body { motion, friction: Some(0.3), ..body(name, shape, at) }
}

fn setup(cloths: Vec<Cloth>, bodies: Vec<Body>) -> Setup {
    let contact = ContactSettings {
        cloth: Some(true),
        law: ContactLaw::Barrier,
        impossible: ContactImpossible::Yield,
        ..Default::default()
    };
    Setup { cloths, bodies, contact, time: Time { duration: 1.0, ..Time::default() }, ..Setup::default() }
}

/// A sheet on a box that rests, and a box that comes 2 cm into it.
fn boxes(layers: u32, shape: impl Fn(Shape) -> Shape) -> Setup {
    let size = Shape::Box { size: [0.2, 0.06, 0.2] };
    let sheet = |k: u32| {
        let place =
            Place { at: Vec3::new(0.003, 0.003 + 0.003 * f64::from(k), 0.001), rotate: FLAT, ..Place::default() };
        cloth(&format!("sheet {k}"), 0.3, 20, place)
    };
    let lower = Body { friction: Some(0.3), ..body("lower", shape(size.clone()), Vec3::new(0.0, -0.03, 0.0)) };
    let upper = closes("upper", shape(size), Vec3::new(0.01, 0.08, 0.02), Vec3::new(0.0, -0.07, 0.0));
    setup((0..layers).map(sheet).collect(), vec![upper, lower])
}

/// A sheet that hangs between two bodies that come 2 cm into each other.
fn limbs(shape: Shape) -> Setup {
    let mut sheet = cloth("sheet", 0.3, 20, Place::default());
    sheet.pins = vec![Pin::fixed(Select::Edge(vec![Side::Top]))];
    let limb = |name: &str, side: f64| {
        let motion = closes(name, shape.clone(), Vec3::new(0.001, 0.0, 0.07 * side), Vec3::new(0.0, 0.0, -0.03 * side));
        Body { place: Place { rotate: Vec3::new(0.0, 0.0, 80.0), ..motion.place }, ..motion }
    };
    setup(vec![sheet], vec![limb("one", 1.0), limb("other", -1.0)])
}

fn capsule() -> Shape {
    Shape::Capsule { radius: 0.05, height: 0.4 }
}

/// Pairs of triangles that cross: of cloth with cloth, and of cloth with meshes, numbered as in a state.
fn crossing(world: &World, state: &State) -> [Vec<[u32; 2]>; 2] {
    let triangles = &world.triangles;
    let among = crossings(&state.x, triangles);
    let mut x = state.x.clone();
    let (mut with_bodies, mut first) = (Vec::new(), triangles.len() as u32);
    for body in &world.bodies {
        let Shape::Mesh(mesh) = &body.shape else { continue };
        let n = x.len() as u32;
        let mut points = Vec::new();
        mesh.positions(0.0, &mut points).unwrap();
        body.put(state.time, &mut points);
        x.extend(points);
        let own: Vec<[u32; 3]> = mesh.triangles().iter().map(|v| v.map(|v| v + n)).collect();
        with_bodies.extend(crossings_between(&x, triangles, &own).into_iter().map(|[a, b]| [a, first + b]));
        first += own.len() as u32;
    }
    with_bodies.sort_unstable();
    [among, with_bodies]
}

/// The largest depth of a vertex in an exact shape, m.
fn depth(world: &World, state: &State) -> f64 {
    let nearest = world.bodies.iter().filter_map(|body| body.nearest(state.time));
    nearest.flat_map(|nearest| state.x.iter().map(move |x| -nearest(*x).distance)).fold(f64::NEG_INFINITY, f64::max)
}

/// Runs to the end of the duration. Cloth never crosses cloth, and what crosses a mesh is listed.
fn run(setup: Setup) -> (Run, Vec<(FrameReport, Measures)>) {
    let frames = (setup.time.duration * setup.time.fps).round() as u32;
    let mut run = Run::new(setup);
    let reports = (0..frames).map(|frame| {
        let report = run.frame();
        let [among, with_bodies] = crossing(&run.world, &run.state);
        assert!(among.is_empty(), "frame {frame}: {among:?}");
        let list = &run.state.exempt.list;
        let other: Vec<_> = with_bodies.iter().filter(|pair| list.binary_search(pair).is_err()).collect();
        assert!(other.is_empty(), "frame {frame}: {other:?} are not listed, of {}", with_bodies.len());
        (report, measure(&run.world, &run.state))
    });
    let reports = reports.collect();
    (run, reports)
}

/// All that closes on cloth in these tests.
fn scenes() -> Vec<(&'static str, Setup)> {
    let shape = |shape| shape;
    let ball = Shape::Sphere { radius: 0.05 };
    vec![
        ("boxes", boxes(1, shape)),
        ("boxes, meshes", boxes(1, mesh_of)),
        ("boxes on two layers", boxes(2, shape)),
        ("boxes on two layers, meshes", boxes(2, mesh_of)),
        ("limbs", limbs(capsule())),
        ("limbs, meshes", limbs(mesh_of(capsule()))),
        ("balls", limbs(ball.clone())),
        ("balls, meshes", limbs(mesh_of(ball))),
    ]
}

/// Bodies overlap by 2 cm, 10 times the thickness: no cloth has room there.
#[test]
fn bodies_that_overlap_pass_the_cloth_between_them_calmly_and_let_it_go() {
    for (name, setup) in scenes() {
        let (run, reports) = run(setup);
        let gave_way = |report: &FrameReport| report.gave_way.iter().any(|count| *count > 0);
        let (last, _) = &reports[reports.len() - 1];
        assert!(reports.iter().any(|(report, _)| gave_way(report)), "{name}");
        // no step is a small part of the usual four; edges that snap halve some
        let steps = reports.iter().map(|(report, _)| report.steps).max().unwrap();
        assert!(steps <= 24, "{name}: {steps} steps");
        let stretch = reports.iter().map(|(_, measures)| measures.max_stretch).fold(0.0, f64::max);
        assert!(stretch < 0.06, "{name}: {stretch}");
        // afterwards nothing is left of it
        let [among, with_bodies] = crossing(&run.world, &run.state);
        assert!(among.is_empty() && with_bodies.is_empty() && !gave_way(last), "{name}: {last:?}");
        assert!(run.state.exempt.is_empty() && depth(&run.world, &run.state) < 0.0, "{name}");
        assert!(measure(&run.world, &run.state).max_stretch < 0.01, "{name}");
        // all gaps are distances
        assert!(reports.iter().all(|(_, measures)| measures.smallest_gap.is_none_or(|gap| gap > 0.0)), "{name}");
        assert!(reports.iter().all(|(_, measures)| measures.too_deep.is_none()), "{name}");
    }
}

/// The body that rests keeps the cloth.
#[test]
fn of_two_bodies_the_faster_one_gives_way() {
    for shape in [|shape| shape, mesh_of] {
        let (run, reports) = run(boxes(1, shape));
        let counts = |body: usize| reports.iter().map(|(report, _)| report.gave_way[body]).max().unwrap();
        assert_eq!(run.world.bodies[1].name, "lower");
        assert!(counts(0) > 300 && counts(1) == 0, "{} {}", counts(0), counts(1));
    }
}

#[test]
fn without_a_word_the_run_ends_with_both_names_and_the_last_good_state() {
    for shape in [|shape| shape, mesh_of] {
        let mut setup = boxes(1, shape);
        setup.contact.impossible = ContactImpossible::Stop;
        let mut run = Run::new(setup);
        let error = loop {
            match advance_frame(&run.world, &mut run.state, &mut run.work) {
                Ok(report) => assert!(report.gave_way.iter().all(|count| *count == 0)),
                Err(error) => break error,
            }
        };
        let text = error.to_string();
        assert!(text.contains("no room") && text.contains("`sheet 0`") && text.contains("er`"), "{text}");
        // the boxes meet after 0.21 s
        assert!(run.state.time > 0.19 && run.state.time < 0.23, "{text}");
        let [among, with_bodies] = crossing(&run.world, &run.state);
        assert!(among.is_empty() && with_bodies.is_empty() && depth(&run.world, &run.state) < 0.0);
    }
}

/// One closed mesh of two boxes, of which the first `count` points move.
#[derive(Debug)]
struct Figure {
    x: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    count: usize,
    motion: Motion,
}

impl BodyMesh for Figure {
    fn vertices(&self) -> usize {
        self.x.len()
    }
    fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }
    fn positions(&self, time: f64, x: &mut Vec<Vec3>) -> Result<(), PoseError> {
        x.clone_from(&self.x);
        let shift = self.motion.at(time).map_or(Vec3::ZERO, |(shift, _)| shift);
        x[..self.count].iter_mut().for_each(|p| *p += shift);
        Ok(())
    }
    fn span(&self) -> (f64, f64) {
        (0.0, 1.0)
    }
}

/// The upper part goes 2 cm into the lower one, which keeps the cloth.
#[test]
fn two_parts_of_one_mesh_close_on_cloth_and_the_one_that_rests_keeps_it() {
    let setup = boxes(1, |shape| shape);
    let parts = setup.bodies.iter().map(|body| {
        let (mut x, triangles) = body.shape.triangulate(4).unwrap();
        x.iter_mut().for_each(|p| *p += body.place.at);
        (x, triangles)
    });
    let (mut x, mut triangles, mut count) = (Vec::new(), Vec::new(), 0);
    for (own, its) in parts {
        let first = x.len() as u32;
        triangles.extend(its.into_iter().map(|v| v.map(|v| v + first)));
        x.extend(own);
        count = if first == 0 { x.len() } else { count };
    }
    let motion = setup.bodies[0].motion.clone();
    let figure = Shape::Mesh(Arc::new(Figure { x, triangles, count, motion }));
    let setup = Setup { bodies: vec![body("figure", figure, Vec3::ZERO)], ..setup };
    let mut run = Run::new(setup);
    let mut gave_way = 0;
    for frame in 0..60 {
        let report = run.frame();
        gave_way = gave_way.max(report.gave_way[0]);
        assert!(report.steps <= 12, "frame {frame}: {} steps", report.steps);
        let over = run.state.x.iter().filter(|x| x.x.abs() < 0.09 && x.z.abs() < 0.09);
        let lowest = over.map(|x| x.y).fold(f64::INFINITY, f64::min);
        assert!(lowest > 0.0, "frame {frame}: {lowest}");
    }
    assert!(gave_way > 300, "{gave_way}");
    assert!(run.state.exempt.is_empty() && run.measure().max_stretch < 0.01);
}

/// Neither the cloth nor the ball can give way to the other.
#[test]
fn a_body_goes_through_cloth_that_pins_hold_everywhere() {
    let ball = mesh_of(Shape::Sphere { radius: 0.04 });
    let made = |impossible| {
        let mut sheet = cloth("sheet", 0.2, 12, Place { rotate: FLAT, ..Place::default() });
        sheet.pins = vec![Pin::fixed(Select::All)];
        let motion = keys(&[(0.0, Vec3::ZERO, Vec3::ZERO), (0.5, Vec3::Y * 0.2, Vec3::ZERO)]);
        let ball = Body { motion, ..body("ball", ball.clone(), Vec3::new(0.003, -0.1, 0.002)) };
        let mut setup = setup(vec![sheet], vec![ball]);
        (setup.contact.impossible, setup.time.duration) = (impossible, 0.6);
        setup
    };
    let mut stopped = Run::new(made(ContactImpossible::Stop));
    let error = (0..60).find_map(|_| advance_frame(&stopped.world, &mut stopped.state, &mut stopped.work).err());
    assert!(matches!(&error, Some(StepError::Blocked { by, .. }) if by.contains("ball")), "{error:?}");
    let (run, reports) = run(made(ContactImpossible::Yield));
    assert!(reports.iter().any(|(report, _)| report.gave_way[0] > 20));
    assert!(run.state.exempt.is_empty() && reports.last().unwrap().0.gave_way == [0]);
    assert_eq!(run.state.x, run.world.start);
}

/// Of the state, and of what was reported.
#[test]
fn giving_way_has_the_same_bits_on_any_number_of_threads_and_with_new_workspaces() {
    let last = 20;
    for (name, setup) in [("shapes", boxes(2, |shape| shape)), ("meshes", boxes(2, mesh_of))] {
        let run_on = |threads: usize, anew: bool| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut run = Run::new(setup.clone());
                let mut gave_way = Vec::new();
                for _ in 0..last {
                    if anew {
                        run.work = Workspace::new(&run.world);
                    }
                    gave_way.push(run.frame().gave_way);
                }
                (run.state, gave_way)
            })
        };
        let one = run_on(1, false);
        assert!(one.1[last - 1].iter().any(|count| *count > 300), "{name}");
        assert!(!one.0.exempt.inside.is_empty(), "{name}");
        for (threads, anew) in [(2, false), (3, false), (1, true)] {
            assert!(one == run_on(threads, anew), "{name}: {threads} threads, new workspaces: {anew}");
        }
    }
}
