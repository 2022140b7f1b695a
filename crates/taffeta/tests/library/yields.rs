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
        let report =
            advance_frame(&run.world, &mut run.state, &mut run.work).unwrap_or_else(|e| panic!("{frame}: {e}"));
        let [among, with_bodies] = crossing(&run.world, &run.state);
        let measures = measure(&run.world, &run.state);
        eprintln!(
            "{frame} {} {} {:.3} v {:.2} {:?} {:?} list {} inside {} depth {:.4} cut {:.4}",
            report.steps,
            report.rejected,
            measures.max_stretch,
            measures.max_speed,
            report.gave_way,
            measures.smallest_gap,
            run.state.exempt.list.len(),
            run.state.exempt.inside.len(),
            depth(&run.world, &run.state),
            report.guard.lost / report.guard.wanted
        );
        assert!(among.is_empty(), "frame {frame}: {among:?}");
        let list = &run.state.exempt.list;
        let other: Vec<_> = with_bodies.iter().filter(|pair| list.binary_search(pair).is_err()).collect();
        assert!(other.is_empty(), "frame {frame}: {other:?} are not listed, of {}", with_bodies.len());
        (report, measures)
    });
    let reports = reports.collect();
    (run, reports)
}

#[test]
fn t_boxes() {
    run(boxes(1, |shape| shape));
}
#[test]
fn t_boxes_mesh() {
    run(boxes(1, mesh_of));
}
#[test]
fn t_boxes2() {
    run(boxes(2, |shape| shape));
}
#[test]
fn t_boxes2_mesh() {
    run(boxes(2, mesh_of));
}
#[test]
fn t_limbs() {
    run(limbs(capsule()));
}
#[test]
fn t_limbs_mesh() {
    run(limbs(mesh_of(capsule())));
}
#[test]
fn t_balls() {
    run(limbs(Shape::Sphere { radius: 0.05 }));
}
#[test]
fn t_balls_mesh() {
    run(limbs(mesh_of(Shape::Sphere { radius: 0.05 })));
}
