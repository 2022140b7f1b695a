//! What scenes say of contact: pairs, thickness of bodies, restitution; and what is measured of it.

use crate::common::*;
use std::sync::Arc;
use taffeta::intersect::crossings;
use taffeta::*;

const THICK: f64 = 0.001;

/// Density, kg/m², stiffness, N/m, and edge, m, of the sheets here.
const DENSITY: f64 = 0.2;
const STIFFNESS: f64 = 5000.0;
const EDGE: f64 = 0.02;

fn sheet(name: &str, cells: u32, at: Vec3, rotate: Vec3) -> Cloth {
    let fabric = Fabric {
        density: DENSITY,
        thickness: THICK,
        stretch: [STIFFNESS; 2],
        shear: 0.5 * STIFFNESS,
        bend: [5e-6; 2],
        friction: Friction { cloth: 0.3, solid: 0.3 },
        ..Fabric::default()
    };
    let size = EDGE * f64::from(cells);
    let place = Place { at, rotate, ..Place::default() };
    Cloth { name: name.into(), place, ..grid([size; 2], [cells; 2], Pattern::Alternating, fabric) }
}

const FLAT: Vec3 = Vec3::new(90.0, 0.0, 0.0);

fn setup(cloths: Vec<Cloth>, bodies: Vec<Body>, pairs: Vec<ContactPair>) -> Setup {
    let contact = ContactSettings { cloth: Some(true), law: ContactLaw::Barrier, pairs, ..Default::default() };
    Setup { cloths, bodies, contact, ..Setup::default() }
}

fn pair(names: [&str; 2], friction: Option<f64>, ignore: bool) -> ContactPair {
    ContactPair { names: names.map(str::to_owned), friction, ignore }
}

fn mean(values: &[Vec3]) -> Vec3 {
    values[..49].iter().sum::<Vec3>() / 49.0
}

/// The acceleration of a sheet on a slope, on a body or on a sheet that is pinned, m/s².
fn acceleration(slope: f64, on_cloth: bool, of_body: Option<f64>, pairs: Vec<ContactPair>) -> f64 {
    let angle = slope.atan();
    let up = Vec3::new(-angle.sin(), angle.cos(), 0.0);
    let rotate = Vec3::new(90.0, 0.0, angle.to_degrees());
    let top = sheet("top", 6, up * THICK * if on_cloth { 0.9965 } else { 0.495 }, rotate);
    let (mut cloths, mut bodies) = (vec![top], Vec::new());
    if on_cloth {
        cloths.push(Cloth { pins: vec![Pin::fixed(Select::All)], ..sheet("below", 30, Vec3::ZERO, rotate) });
    } else {
        let place = Place { rotate: Vec3::new(0.0, 0.0, angle.to_degrees()), ..Place::default() };
        bodies.push(Body { name: "below".into(), friction: of_body, place, ..Body::default() });
    }
    let mut run = Run::new(setup(cloths, bodies, pairs));
    run.frames(12);
    let early = mean(&run.state.v);
    run.frames(18);
    mean(&run.state.v).distance(early) / 0.3
}

fn coulomb(slope: f64, friction: f64) -> f64 {
    let angle = slope.atan();
    9.81 * (angle.sin() - friction * angle.cos())
}

#[test]
fn the_friction_of_a_pair_replaces_that_of_fabrics_and_bodies() {
    let names = ["below", "top"];
    for on_cloth in [false, true] {
        // own friction 0.3 would hold it
        let slides = acceleration(0.28, on_cloth, None, vec![pair(names, Some(0.1), false)]);
        // edges that slide over edges cost a little more
        let least = if on_cloth { coulomb(0.28, 0.15) } else { 0.97 * coulomb(0.28, 0.1) };
        assert!(slides > least && slides < 1.03 * coulomb(0.28, 0.1), "{on_cloth}: {slides}");
        // and would let it slide
        let holds = acceleration(0.39, on_cloth, None, vec![pair(names, Some(0.5), false)]);
        assert!(holds < 0.01, "{on_cloth}: {holds}");
    }
    // of the two own values that of the body counts, and that of the pair more
    let of_body = acceleration(0.28, false, Some(0.1), Vec::new());
    assert!((of_body / coulomb(0.28, 0.1) - 1.0).abs() < 0.03, "{of_body}");
    let of_pair = acceleration(0.28, false, Some(0.1), vec![pair(names, Some(0.5), false)]);
    assert!(of_pair < 0.01, "{of_pair}");
}

#[test]
fn cloth_falls_through_what_its_pair_ignores_and_others_do_not() {
    for mesh in [false, true] {
        let shape = Shape::Box { size: [0.4, 0.02, 0.4] };
        let shape = if mesh { mesh_of(&shape) } else { shape };
        let table = body("table", shape, Vec3::new(0.0, -0.02, 0.0));
        let cloths = vec![sheet("one", 6, Vec3::Y * 0.01, FLAT), sheet("other", 6, Vec3::Y * 0.05, FLAT)];
        let pairs = vec![pair(["table", "one"], None, true), pair(["one", "other"], None, true)];
        let mut run = Run::new(setup(cloths, vec![table], pairs));
        assert!(run.world.ignores_pairs());
        run.frames(24);
        let lowest =
            |range: std::ops::Range<usize>| run.state.x[range].iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
        // free fall over 0.4 s
        let fallen = 0.01 - 0.5 * 9.81 * 0.4 * 0.4;
        assert!((lowest(run.world.cloths[0].vertices.clone()) - fallen).abs() < 0.06, "{mesh}");
        let rests = lowest(run.world.cloths[1].vertices.clone()) + 0.01;
        assert!(rests > 0.4 * THICK && rests < 0.55 * THICK, "{mesh}: {rests}");
    }
}

/// A sheet that stands in another one, in a box and in a mesh.
#[test]
fn what_is_ignored_may_cross_at_the_start() {
    let shape = Shape::Box { size: [0.05; 3] };
    let cloths =
        || vec![sheet("lying", 8, Vec3::ZERO, FLAT), sheet("standing", 7, Vec3::new(0.003, 0.01, 0.007), Vec3::ZERO)];
    let bodies = || vec![body("box", shape.clone(), Vec3::ZERO), body("mesh", mesh_of(&shape), Vec3::X * 0.03)];
    let all = [["lying", "standing"], ["lying", "box"], ["standing", "box"], ["mesh", "lying"], ["mesh", "standing"]];
    let pairs: Vec<ContactPair> = all.map(|names| pair(names, None, true)).into();
    for (left_out, names) in all.iter().enumerate() {
        let mut fewer = pairs.clone();
        fewer.remove(left_out);
        let refused = World::new(setup(cloths(), bodies(), fewer));
        assert!(refused.is_err(), "without {names:?}");
    }
    let mut run = Run::new(setup(cloths(), bodies(), pairs));
    assert!(!crossings(&run.state.x, &run.world.triangles).is_empty());
    run.frames(3);
    // they fall freely
    let expected = -9.81 * 0.05;
    assert!(run.state.v.iter().all(|v| (v.y - expected).abs() < 0.2), "{:?}", run.state.v[0]);
}

#[derive(Debug)]
struct Rigid(Vec<Vec3>, Vec<[u32; 3]>);

impl BodyMesh for Rigid {
    fn vertices(&self) -> usize {
        self.0.len()
    }
    fn triangles(&self) -> &[[u32; 3]] {
        &self.1
    }
    fn positions(&self, _: f64, x: &mut Vec<Vec3>) -> Result<(), PoseError> {
        x.clone_from(&self.0);
        Ok(())
    }
    fn span(&self) -> (f64, f64) {
        (0.0, 0.0)
    }
}

fn mesh_of(shape: &Shape) -> Shape {
    let (x, triangles) = shape.triangulate(32).unwrap();
    Shape::Mesh(Arc::new(Rigid(x, triangles)))
}

/// What presses a vertex is its weight, so the law of contact says where it is: w = k (r - d)²/r, with twice the
/// stiffness of the fabric.
fn gap_at_rest(radius: f64, weight: f64) -> f64 {
    radius - (weight * radius / (2.0 * STIFFNESS)).sqrt()
}

/// Vertices within the border, at least two edges from it.
fn inner(cells: u32) -> impl Iterator<Item = usize> {
    let n = cells as usize + 1;
    (0..n * n).filter(move |i| (2..n - 2).contains(&(i / n)) && (2..n - 2).contains(&(i % n)))
}

#[test]
fn cloth_rests_at_half_of_its_thickness_and_that_of_the_body() {
    let (thickness, cells) = (0.004, 6);
    let radius = 0.5 * THICK + thickness;
    let wide = Shape::Box { size: [0.3, 0.1, 0.3] };
    for (name, shape, at) in [
        ("plane", Shape::Plane, Vec3::ZERO),
        ("box", wide.clone(), Vec3::Y * -0.05),
        ("mesh", mesh_of(&wide), Vec3::Y * -0.05),
    ] {
        let table = Body { thickness, ..body("table", shape, at) };
        let mut run =
            Run::new(setup(vec![sheet("sheet", cells, Vec3::Y * 1.0001 * radius, FLAT)], vec![table], Vec::new()));
        run.frames(60);
        let expected = gap_at_rest(radius, DENSITY * EDGE * EDGE * 9.81);
        let mean = inner(cells).map(|i| run.state.x[i].y).sum::<f64>() / inner(cells).count() as f64;
        assert!((mean - expected).abs() < 0.01 * radius, "{name}: {mean} instead of {expected}");
    }
    // on a ball: the nearest vertex, which is lifted so that triangles about a circle of radius ρ do not dip in, by
    // less
    // than ρ²/2r
    let ball = Body { thickness: 0.01, friction: Some(1.0), ..body("ball", Shape::Sphere { radius: 0.1 }, Vec3::ZERO) };
    let mut run = Run::new(setup(vec![sheet("sheet", 12, Vec3::Y * 0.112, FLAT)], vec![ball], Vec::new()));
    run.frames(60);
    let nearest = run.state.x.iter().map(|x| x.length() - 0.1).fold(f64::INFINITY, f64::min);
    let (least, lift) = (0.5 * THICK + 0.01, 0.5 * EDGE * EDGE / (2.0 * 0.1));
    assert!(nearest > 0.99 * least && nearest < least + lift, "{nearest}");
}

/// Two sheets lie on a plane. The lower contact carries the weight of both.
#[test]
fn the_smallest_gap_and_the_compression_are_those_of_a_stack_at_rest() {
    let cells = 8;
    for layers in [1, 2] {
        let layer =
            |k: u32| sheet(&format!("sheet {k}"), cells, Vec3::Y * THICK * (0.499 + 0.999 * f64::from(k)), FLAT);
        let plane = body("plane", Shape::Plane, Vec3::ZERO);
        let mut run = Run::new(setup((0..layers).map(layer).collect(), vec![plane], Vec::new()));
        run.frames(90);
        let report = run.frame();
        let radius = 0.5 * THICK;
        let weight = f64::from(layers) * DENSITY * EDGE * EDGE * 9.81;
        let expected = gap_at_rest(radius, weight);
        let mean = inner(cells).map(|i| run.state.x[i].y).sum::<f64>() / inner(cells).count() as f64;
        assert!((mean - expected).abs() < 0.01 * radius, "{layers}: {mean} instead of {expected}");
        // the smallest of all vertices
        let gap = run.measure().smallest_gap.unwrap();
        let lowest = run.state.x.iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
        assert!(gap > 0.0 && (gap - lowest).abs() < 1e-12, "{layers}: {gap}");
        assert!((gap / expected - 1.0).abs() < 0.05, "{layers}: {gap} instead of {expected}");
        assert!((report.guard.compression - (1.0 - gap / radius)).abs() < 0.01, "{layers}: {:?}", report.guard);
        if layers == 2 {
            let between = report.guard.gap.unwrap();
            assert!(between > 0.9 * THICK && between < THICK, "{between}");
        }
    }
}

/// The heights of the first peaks of a sheet that falls flat from a height, m.
fn peaks(restitution: f64, method: Method, mesh: bool) -> Vec<f64> {
    let height = 0.3;
    let wide = Shape::Box { size: [0.4, 0.1, 0.4] };
    let shape = if mesh { mesh_of(&wide) } else { wide };
    let floor = Body { restitution, ..body("floor", shape, Vec3::Y * -0.05) };
    let mut setup = setup(vec![sheet("sheet", 6, Vec3::Y * (height + 0.5 * THICK), FLAT)], vec![floor], Vec::new());
    setup.method = Some(method);
    setup.time = Time { fps: 1000.0, step: StepSize::AtMost(1e-3), ..Time::default() };
    if !method.is_implicit() {
        setup.time.step = StepSize::AtMost(5e-5); // its longest stable step is 97 µs
    }
    let mut run = Run::new(setup);
    let (mut found, mut highest, mut rises) = (Vec::new(), 0.0f64, false);
    while run.state.time < 1.2 && found.len() < 2 {
        run.frame();
        let n = run.state.x.len() as f64;
        let at = run.state.x.iter().map(|x| x.y).sum::<f64>() / n - 0.5 * THICK;
        let speed = run.state.v.iter().map(|v| v.y).sum::<f64>() / n;
        if speed > 1e-3 && !rises {
            (rises, highest) = (true, at);
        }
        highest = highest.max(at);
        if rises && speed <= 0.0 {
            found.push(highest / height);
            rises = false;
        }
    }
    found
}

/// To e² of the height, within the 2 % of the validation.
#[test]
fn cloth_bounces_off_a_body_to_the_square_of_its_restitution() {
    let methods = [euler(), Method::Bdf2(Implicit::default()), Method::SymplecticEuler];
    for method in methods {
        for mesh in [false, true] {
            for restitution in [0.5, 0.8] {
                let found = peaks(restitution, method, mesh);
                let square: f64 = restitution * restitution;
                let expected = [square, square * square];
                // BDF2 meets what is 0.5 mm away up to a step late, and the second bounce is up to 9 % off
                let count = if let Method::Bdf2(_) = method { 1 } else { 2 };
                for (found, expected) in found.iter().zip(expected).take(count) {
                    assert!((found / expected - 1.0).abs() < 0.02, "{method:?} {mesh} {restitution}: {found}");
                }
                assert!(!found.is_empty(), "{method:?} {mesh} {restitution}");
            }
            // in the short steps of explicit methods contact itself gives back a few percent
            if !method.is_implicit() {
                continue;
            }
            let dead = peaks(0.0, method, mesh);
            assert!(dead.iter().all(|peak| *peak < 0.01), "{method:?} {mesh}: {dead:?}");
        }
    }
}

#[test]
fn pairs_that_make_no_sense_are_refused_with_a_way_out() {
    let problem = |pairs: Vec<ContactPair>, law: ContactLaw| {
        let cloths = vec![sheet("lining", 2, Vec3::ZERO, FLAT), sheet("shirt", 2, Vec3::Y, FLAT)];
        let bodies = vec![body("arm", Shape::Plane, Vec3::Y * -1.0), body("leg", Shape::Plane, Vec3::Y * -2.0)];
        let mut setup = setup(cloths, bodies, pairs);
        (setup.contact.law, setup.contact.cloth) = (law, None);
        World::new(setup)
            .err()
            .map(|problems| (problems[0].path.clone(), format!("{}: {}", problems[0].message, problems[0].help)))
    };
    let barrier = |pairs| problem(pairs, ContactLaw::Barrier);
    for (pairs, path, said) in [
        (
            vec![pair(["lining", "shrit"], None, true)],
            "contact.pair.0.names",
            "called `shrit`: there are the cloths `lining`",
        ),
        (vec![pair(["arm", "leg"], None, true)], "contact.pair.0.names", "are bodies"),
        (
            vec![pair(["arm", "shirt"], None, true), pair(["shirt", "arm"], Some(0.1), false)],
            "contact.pair.1.names",
            "there is a pair of `shirt` and `arm` already: write one table",
        ),
        (vec![pair(["shirt", "shirt"], Some(-1.0), false)], "contact.pair.0.friction", "give a number from 0 on"),
    ] {
        let (at, text) = barrier(pairs).expect(said);
        assert!(at == path && text.contains(said), "{at} {text}");
    }
    let (at, text) = problem(vec![pair(["shirt", "arm"], None, true)], ContactLaw::Constraint).unwrap();
    assert!(at == "contact.pair.0.ignore" && text.contains("take `law = \"barrier\"`"), "{at} {text}");
    assert_eq!(
        barrier(vec![pair(["shirt", "shirt"], Some(0.2), true), pair(["arm", "shirt"], Some(0.2), false)]),
        None
    );
}
