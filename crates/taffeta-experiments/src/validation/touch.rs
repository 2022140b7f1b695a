//! Sections 9.6, 9.7 and 10.2 to 10.8: cloth on cloth and on bodies, by both laws of contact.

use super::contact::meshes;
use super::scene::{Run, euler};
use crate::comparison::{Judge, Row};
use rayon::prelude::*;
use taffeta::intersect::crossings;
use taffeta::*;

const G: f64 = 9.81;

/// The laws of contact, with their names.
const LAWS: [(&str, ContactLaw); 2] = [("barrier", ContactLaw::Barrier), ("constraint", ContactLaw::Constraint)];

/// What carries a sheet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum On {
    Body,
    /// Cloth that pins hold.
    Cloth,
}

fn mean(values: &[Vec3]) -> Vec3 {
    values.iter().sum::<Vec3>() / values.len() as f64
}

/// Flat cloth in xz, turned about z.
fn flat(name: &str, mesh: Mesh, fabric: Fabric, turn: f64, at: Vec3) -> Cloth {
    let start = Some(mesh.rest.iter().map(|p| Vec3::new(p.x, 0.0, -p.y)).collect());
    let place = Place { rotate: turn * Vec3::Z, at, ..Place::default() };
    Cloth { start, place, material: Material::Fabric(fabric), ..Cloth::new(name, mesh) }
}

fn touching(law: ContactLaw, cloths: Vec<Cloth>, bodies: Vec<Body>) -> Setup {
    let contact = ContactSettings { law, ..ContactSettings::default() };
    Setup { cloths, bodies, contact, ..Setup::default() }
}

/// A sheet that has come to rest on level ground, with friction 0.3, after which gravity has turned as
/// if that fell towards +x.
fn on_slope(law: ContactLaw, on: On, mesh: Mesh, slope: f64, step: StepSize) -> Simulation {
    let fabric = Fabric::default();
    let (mut bodies, mut below, mut height) = (Vec::new(), None, 0.5 * fabric.thickness);
    match on {
        On::Body => bodies.push(Body { name: "ground".into(), ..Body::default() }),
        On::Cloth => {
            let mesh = Mesh::grid([1.2, 0.4], [48, 16], Pattern::Alternating).expect("a grid");
            let mut held = flat("held", mesh, fabric, 0.0, Vec3::ZERO);
            held.pins = vec![Pin::fixed(Select::All)];
            below = Some(held);
            height = fabric.thickness;
        }
    }
    let sheet = flat("sheet", mesh, fabric, 0.0, height * Vec3::Y);
    let mut setup = touching(law, std::iter::once(sheet).chain(below).collect(), bodies);
    setup.method = Some(Method::BackwardEuler(Implicit::default()));
    setup.time.step = step;
    let mut simulation = Simulation::new(setup).expect("a setup");
    until(&mut simulation, 0.5);
    // slowly: friction is elastic at first, and a sudden load would swing beyond its limit
    while simulation.time() < SETTLED - 1e-9 {
        let share = ((simulation.time() - 0.5) / 0.4).min(1.0);
        let (sin, cos) = (share * slope.atan()).sin_cos();
        simulation.act(Action::Gravity(G * Vec3::new(sin, -cos, 0.0))).expect("gravity may change");
        simulation.frame().expect("steps are stable");
    }
    simulation
}

/// The longest that cloth near bodies takes by itself.
pub const STEP: StepSize = StepSize::AtMost(1.0 / 360.0);

/// When gravity has turned, s.
const SETTLED: f64 = 1.0;

fn until(simulation: &mut Simulation, time: f64) {
    while simulation.time() < time - 1e-9 {
        simulation.frame().expect("steps are stable");
    }
}

/// Acceleration on a slope, m/s².
pub fn acceleration(law: ContactLaw, on: On, mesh: Mesh, slope: f64, step: StepSize) -> f64 {
    let mut run = on_slope(law, on, mesh, slope, step);
    let sheet = run.world().cloths[0].vertices.clone();
    until(&mut run, SETTLED + 0.1);
    let early = mean(&run.velocities()[sheet.clone()]);
    until(&mut run, SETTLED + 0.5);
    mean(&run.velocities()[sheet]).distance(early) / 0.4
}

/// The way in so many seconds on a slope, m, of the mean of all particles.
pub fn way(law: ContactLaw, on: On, mesh: Mesh, slope: f64, time: f64) -> f64 {
    let mut run = on_slope(law, on, mesh, slope, STEP);
    let sheet = run.world().cloths[0].vertices.clone();
    let start = mean(&run.positions()[sheet.clone()]);
    until(&mut run, SETTLED + time);
    mean(&run.positions()[sheet]).distance(start)
}

/// tan of the angle at 1.3 times the threshold, and g (sin - μ cos) there.
pub fn steep() -> (f64, f64) {
    let slope = 1.3 * 0.3f64;
    let (sin, cos) = slope.atan().sin_cos();
    (slope, G * (sin - 0.3 * cos))
}

/// 9.6: 1 % below the threshold nothing moves for a minute; at 1.3 times it slides.
pub fn threshold() -> Vec<Row> {
    let mut cases = Vec::new();
    for (mesh_name, mesh) in meshes([0.2, 0.2], 0.025) {
        for (name, law) in LAWS {
            cases.push((format!("{name}, on a body, {mesh_name}"), law, On::Body, mesh.clone()));
        }
        cases.push((format!("barrier, on cloth, {mesh_name}"), ContactLaw::Barrier, On::Cloth, mesh));
    }
    let rows = cases.into_par_iter().flat_map_iter(|(what, law, on, mesh)| {
        let rests = way(law, on, mesh.clone(), 0.297, 60.0);
        let (slope, expected) = steep();
        let slides = |step: StepSize| acceleration(law, on, mesh.clone(), slope, step);
        let row = |step: &str, found: f64| {
            let what = format!("{what}, tan = 1.3 μ, {step}: m/s²");
            Row::new("9.6", what, expected, found, Judge::Relative(0.03))
        };
        [
            Row::new("9.6", format!("{what}, tan 1 % below μ: way in 60 s, m"), 1e-4, rests, Judge::AtMost),
            row("steps of 1/360 s", slides(STEP)),
            row("steps by themselves", slides(StepSize::Auto)),
        ]
    });
    rows.collect()
}

/// 9.7: the way of a push on a level body after it has settled, by both laws with equal steps.
pub fn stopping() -> Vec<Row> {
    let mut rows = Vec::new();
    for (name, law) in LAWS {
        for (mesh_name, mesh) in meshes([0.2, 0.2], 0.025) {
            let fabric = Fabric::default();
            let sheet = flat("sheet", mesh, fabric, 0.0, 0.5 * fabric.thickness * Vec3::Y);
            let mut setup = touching(law, vec![sheet], vec![Body { name: "floor".into(), ..Body::default() }]);
            setup.time.step = StepSize::AtMost(1.0 / 720.0);
            let mut run = Run::new(setup);
            run.until(SETTLED);
            run.state.v.iter_mut().for_each(|v| *v += Vec3::X);
            let start = mean(&run.state.x);
            let mut back = 0.0f64;
            while run.state.time < SETTLED + 0.6 {
                run.step();
                back = back.max(-mean(&run.state.v).x);
            }
            let found = (mean(&run.state.x) - start).x;
            let what = format!("{name}, {mesh_name}: way of 1 m/s with μ = 0.3, m");
            rows.push(Row::new("9.7", what, 1.0 / (0.6 * G), found, Judge::Relative(0.01)));
            let what = format!("{name}, {mesh_name}: fastest way back, m/s");
            rows.push(Row::new("9.7", what, f64::NAN, back, Judge::Reported));
        }
    }
    rows
}

/// What has become of a stack.
pub struct Stack {
    /// Largest difference of a gap of middle surfaces from the thickness, over the thickness.
    pub gap: f64,
    pub crossings: usize,
    /// In the last second: fastest particle, m/s; kinetic energy, J; how far a particle moves, m.
    pub fastest: f64,
    pub kinetic: f64,
    pub drift: f64,
}

/// Sheets of 10 cm, 1 mm thick, fall from gaps of 2 mm on each other and on the floor, and lie for some seconds.
pub fn stack(count: u32, seconds: f64) -> Stack {
    let fabric = Fabric { thickness: 1e-3, ..Fabric::default() };
    let sheet = |k: u32| {
        // no vertex lies over another
        let mesh = Mesh::random([0.1; 2], 0.0125, 1 + u64::from(k)).expect("a square");
        let height = (f64::from(k) + 0.5) * fabric.thickness + 0.002 * f64::from(k + 1);
        flat(&format!("sheet {k}"), mesh, fabric, 0.0, height * Vec3::Y)
    };
    let floor = Body { name: "floor".into(), ..Body::default() };
    let mut run = Run::new(touching(ContactLaw::Barrier, (0..count).map(sheet).collect(), vec![floor]));
    run.until(seconds - 1.0);
    let before = run.state.x.clone();
    let (mut fastest, mut kinetic) = (0.0f64, 0.0f64);
    while run.state.time < seconds - 1e-9 {
        run.frame();
        let measures = measure(&run.world, &run.state);
        (fastest, kinetic) = (fastest.max(measures.max_speed), kinetic.max(measures.kinetic));
    }
    let height = |k: usize| mean(&run.state.x[run.world.cloths[k].vertices.clone()]).y / fabric.thickness;
    let heights: Vec<f64> = std::iter::once(-0.5).chain((0..count as usize).map(height)).collect();
    Stack {
        gap: heights.windows(2).map(|pair| (pair[1] - pair[0] - 1.0).abs()).fold(0.0, f64::max),
        crossings: crossings(&run.state.x, &run.world.triangles).len(),
        fastest,
        kinetic,
        drift: run.state.x.iter().zip(&before).map(|(x, y)| x.distance(*y)).fold(0.0, f64::max),
    }
}

pub fn stack_rows(count: u32, seconds: f64) -> Vec<Row> {
    let found = stack(count, seconds);
    let row = |what: &str, reference: f64, value: f64| {
        Row::new("10.2", format!("stack of {count}, {seconds} s: {what}"), reference, value, Judge::AtMost)
    };
    vec![
        row("largest error of a gap over the thickness", 0.05, found.gap),
        row("triangles that cross", 0.0, found.crossings as f64),
        row("fastest particle in the last second, m/s", 1e-4, found.fastest),
        row("kinetic energy in the last second, J", 1e-9, found.kinetic),
        row("farthest way of a particle in the last second, m", 2e-5, found.drift),
    ]
}

/// 10.2: stacks.
pub fn stacks() -> Vec<Row> {
    [5, 10, 20].into_par_iter().flat_map_iter(|count| stack_rows(count, 6.0)).collect()
}

/// 10.3: two free sheets meet at 1 m/s, without gravity, with equations solved to rounding: changes of the linear and
/// angular momentum over the sums of the sizes of their parts, and what the guard took, m.
pub fn collision(turn: f64) -> [f64; 3] {
    let fabric = Fabric { thickness: 1e-3, ..Fabric::default() };
    let sheet = |name: &str, seed: u64, turn: f64, height: f64| {
        let mesh = Mesh::random([0.1; 2], 0.0125, seed).expect("a square");
        let velocity = -height.signum() * Vec3::Y * 0.5;
        Cloth { velocity, ..flat(name, mesh, fabric, turn, Vec3::new(0.02 * height.signum(), height, 0.01)) }
    };
    let cloths = vec![sheet("above", 1, turn, 0.006), sheet("below", 2, 0.0, -0.006)];
    let method = Some(Method::BackwardEuler(Implicit { tolerance: 1e-14, ..Implicit::default() }));
    let mut setup = Setup { gravity: Vec3::ZERO, method, ..touching(ContactLaw::Barrier, cloths, Vec::new()) };
    // each comes by a quarter of the thickness in a step
    setup.time.step = StepSize::AtMost(5e-4);
    let mut run = Run::new(setup);
    // around the centre, so that the size of the angular momentum means something
    let momentum = |run: &Run| {
        let all = || run.world.mass.iter().zip(&run.state.v).zip(&run.state.x);
        [
            all().map(|((m, v), _)| *m * *v).sum::<Vec3>(),
            all().map(|((m, v), x)| *m * x.cross(*v)).sum::<Vec3>(),
            Vec3::new(all().map(|((m, v), _)| m * v.length()).sum(), 0.0, 0.0),
            Vec3::new(all().map(|((m, v), x)| m * x.length() * v.length()).sum(), 0.0, 0.0),
        ]
    };
    let before = momentum(&run);
    let (mut lost, mut touched) = (0.0, 0);
    while run.state.time < 0.1 {
        let frame = run.frame();
        lost += frame.guard.lost;
        touched += frame.guard.contacts;
    }
    assert!(touched > 0, "the sheets do not meet");
    let after = momentum(&run);
    let change = |k: usize| (after[k] - before[k]).length() / before[k + 2].x;
    [change(0), change(1), lost]
}

pub fn momentum() -> Vec<Row> {
    let mut rows = Vec::new();
    for turn in [0.0, 3.0] {
        let [linear, angular, lost] = collision(turn);
        let what = |what: &str| format!("two sheets, {turn}° apart, meet at 1 m/s: {what}");
        let change = what("change of the momentum / Σ m v");
        rows.push(Row::new("10.3", change, 1e-12, linear, Judge::AtMost));
        rows.push(Row::new("10.3", what("taken by the guard, m"), f64::NAN, lost, Judge::Reported));
        let change = what("change of the angular momentum / Σ m x v");
        rows.push(Row::new("10.3", change, f64::NAN, angular, Judge::Reported));
    }
    rows
}

/// 10.4: cloth lies on a body for a minute. In the last half: fastest particle, m/s, farthest way, m, and what is
/// missing of the weight in the mean force on the body, over the weight.
pub fn rest(law: ContactLaw, shape: Shape, height: f64, seconds: f64) -> [f64; 3] {
    let damping = FabricDamping { stretch: 0.01, shear: 0.01, bend: 0.01, air: 0.1 };
    let fabric = Fabric { damping, ..Fabric::default() };
    let mesh = Mesh::grid([0.4; 2], [16; 2], Pattern::Alternating).expect("a grid");
    let sheet = flat("sheet", mesh, fabric, 0.0, height * Vec3::Y);
    let body = Body { name: "body".into(), shape, ..Body::default() };
    let mut run = Run::new(touching(law, vec![sheet], vec![body]));
    run.until(0.5 * seconds);
    let before = run.state.x.clone();
    let (mut fastest, mut force, mut frames) = (0.0f64, Vec3::ZERO, 0.0);
    while run.state.time < seconds - 1e-9 {
        force += run.frame().bodies[0];
        frames += 1.0;
        fastest = fastest.max(measure(&run.world, &run.state).max_speed);
    }
    let drift = run.state.x.iter().zip(&before).map(|(x, y)| x.distance(*y)).fold(0.0, f64::max);
    let weight = G * run.world.mass.iter().sum::<f64>();
    [fastest, drift, (force / frames - Vec3::Y * weight).length() / weight]
}

/// 10.4: rest on bodies.
pub fn resting() -> Vec<Row> {
    let bodies = [
        ("table", Shape::Box { size: [0.6, 0.1, 0.6] }, 0.06),
        ("ball", Shape::Sphere { radius: 0.12 }, 0.13),
        ("cylinder", Shape::Cylinder { radius: 0.1, height: 0.2 }, 0.11),
    ];
    let cases = LAWS.into_par_iter().flat_map_iter(|law| bodies.clone().map(|body| (law, body)));
    let rows = cases.flat_map_iter(|((name, law), (body, shape, height))| {
        let [fastest, drift, lacks] = rest(law, shape, height, 60.0);
        let row = |what: &str, reference: f64, value: f64| {
            let what = format!("{name}, sheet on a {body}, last 30 s of 60: {what}");
            Row::new("10.4", what, reference, value, Judge::AtMost)
        };
        [
            row("fastest particle, m/s", 1e-4, fastest),
            row("farthest way, m", 1e-4, drift),
            row("mean force lacks of the weight, as a share", 1e-3, lacks),
        ]
    });
    rows.collect()
}

/// 10.5: heights of the centre of mass of a sheet of 51 x 51 vertices that falls 5 cm on a ball of radius 0.25 m, above
/// the centre of the ball after 0.25, 0.5 and 1 s, m.
fn heights(seed: u64, step: f64) -> [f64; 3] {
    let fabric = Fabric {
        density: 0.2,
        thickness: 0.002,
        stretch: [5000.0; 2],
        shear: 2500.0,
        bend: [5e-6; 2],
        ..Fabric::default()
    };
    let mesh = Mesh::grid([1.0; 2], [50; 2], Pattern::Alternating).expect("a grid");
    let mut sheet = flat("sheet", mesh, fabric, 0.0, 0.3 * Vec3::Y);
    sheet.noise = Some(Noise { size: 1e-4, seed });
    let ball = Body { name: "ball".into(), shape: Shape::Sphere { radius: 0.25 }, ..Body::default() };
    let mut setup = touching(ContactLaw::Barrier, vec![sheet], vec![ball]);
    setup.time.step = StepSize::AtMost(step);
    let mut run = Run::new(setup);
    [0.25, 0.5, 1.0].map(|time| {
        run.until(time);
        mean(&run.state.x).y
    })
}

/// 10.5: means of five seeds beside runs with 16 times as many steps.
pub fn falls() -> Vec<Row> {
    let (step, seeds) = (1.0 / 360.0, 5);
    let cases: Vec<(u64, f64)> = (1..=seeds).flat_map(|seed| [(seed, step), (seed, step / 16.0)]).collect();
    let found: Vec<[f64; 3]> = cases.par_iter().map(|&(seed, step)| heights(seed, step)).collect();
    let mean = |of: usize, k: usize| found.iter().skip(of).step_by(2).map(|h| h[k]).sum::<f64>() / seeds as f64;
    let rows = [(0.25, 0.01), (0.5, 0.01), (1.0, 0.03)].into_iter().enumerate().map(|(k, (time, within))| {
        let what = format!("sheet on a ball, mean height of 5 seeds after {time} s, 16 times as many steps, m");
        Row::new("10.5", what, mean(1, k), mean(0, k), Judge::Within(within))
    });
    rows.collect()
}

/// 10.6: two equal sheets that move together are not slowed by each other, nor by the guard: how far a stack has fallen
/// in 0.25 s, by its mean and by the particle that is farthest off, m.
pub fn stack_falls() -> Vec<Row> {
    let fabric = Fabric { thickness: 2e-3, ..Fabric::default() };
    let layer = |k: u32| {
        let mesh = Mesh::random([0.2; 2], 0.02, 1 + u64::from(k)).expect("a square");
        flat(&format!("sheet {k}"), mesh, fabric, 0.0, 0.0025 * f64::from(k) * Vec3::Y)
    };
    let setup = touching(ContactLaw::Barrier, (0..10).map(layer).collect(), Vec::new());
    let mut run = Run::new(Setup { method: Some(euler(1)), ..setup });
    run.until(0.25);
    let steps = (run.state.time / run.world.h).round();
    let fallen = 0.5 * G * run.world.h.powi(2) * steps * (steps + 1.0);
    let fell = run.world.start.iter().zip(&run.state.x).map(|(from, x)| from.y - x.y);
    let worst = fell.fold(fallen, |worst, way| if (way - fallen).abs() > (worst - fallen).abs() { way } else { worst });
    let what = "ten sheets 2.5 mm apart, 2 mm thick: way in 0.25 s, worst particle, m";
    vec![Row::new("10.6", what, fallen, worst, Judge::Within(1e-9))]
}

/// Energy of a sheet at rest after a row of its particles was moved by 1 mm in its plane, J: at once, and after a step
/// of 1/360 s. `solved`: the step itself moves them, as the term y of D. Baraff and A. Witkin, 1998, Sec. 6 does. Else
/// their positions are changed before the step, and the rest of the sheet knows of it only by its forces.
fn displaced(solved: bool) -> [f64; 2] {
    let (h, by) = (1.0 / 360.0, 1e-3 * Vec3::Y);
    let mesh = Mesh::grid([0.2; 2], [16; 2], Pattern::Alternating).expect("a grid");
    let row: Vec<u32> = (0..mesh.rest.len() as u32).filter(|v| mesh.rest[*v as usize].y.abs() < 1e-9).collect();
    let mut sheet = Cloth::new("sheet", mesh);
    if solved {
        let key = |t: f64, shift: Vec3| Key { t, shift, turn: Vec3::ZERO };
        let motion = Motion { keys: vec![key(0.0, Vec3::ZERO), key(h, by)], smooth: false };
        sheet.pins = vec![Pin { motion, until: h, ..Pin::fixed(Select::Vertices(row.clone())) }];
    }
    let mut setup = Setup { gravity: Vec3::ZERO, method: Some(euler(10)), ..Setup::with_cloth(sheet) };
    setup.time = Time { adaptive: None, ..super::scene::fixed_step(h) };
    let mut run = Run::new(setup);
    if !solved {
        row.iter().for_each(|v| run.state.x[*v as usize] += by);
    }
    let energy = |run: &Run| {
        let found = measure(&run.world, &run.state);
        found.kinetic + found.stretch + found.shear + found.bend
    };
    let at_once = energy(&run);
    run.step();
    [at_once, energy(&run)]
}

/// 10.7: a change of position inside the step and before it.
pub fn displacement() -> Vec<Row> {
    let ([naive, naive_after], [_, solved]) = (displaced(false), displaced(true));
    let row = |what: &str, reference: f64, found: f64, judge: Judge| {
        Row::new("10.7", format!("a row of particles is moved by 1 mm: {what}"), reference, found, judge)
    };
    vec![
        row("energy, before the step, at once, J", f64::NAN, naive, Judge::Reported),
        row("energy, before the step, after it, J", f64::NAN, naive_after, Judge::Reported),
        row("energy, by the step, after it, over that before it, at once", 0.1, solved / naive, Judge::AtMost),
    ]
}

/// Iterations of the conjugate gradient a step, and how far the held particles are from their places at most, m, while
/// a sheet hangs from its upper edge for half a second: held by the filter, or by springs of a stiffness, N/m.
fn held(spring: Option<f64>) -> [f64; 2] {
    let mesh = Mesh::grid([0.4; 2], [24; 2], Pattern::Alternating).expect("a grid");
    let top = Select::Edge(vec![Side::Top]);
    let edge = top.vertices(&mesh, &[]);
    let mut sheet = Cloth::new("sheet", mesh);
    if spring.is_none() {
        sheet.pins = vec![Pin::fixed(top)];
    }
    let method = Some(Method::BackwardEuler(Implicit { tolerance: 1e-6, ..Implicit::default() }));
    let contact = ContactSettings { law: ContactLaw::Constraint, ..ContactSettings::default() };
    let mut setup = Setup { method, contact, ..Setup::with_cloth(sheet) };
    setup.time.step = StepSize::AtMost(1.0 / 240.0);
    let mut simulation = Simulation::new(setup).expect("a setup");
    let places: Vec<Vec3> = edge.iter().map(|v| simulation.positions()[*v as usize]).collect();
    for (grab, (v, to)) in edge.iter().zip(&places).enumerate().filter(|_| spring.is_some()) {
        let (point, stiffness) = ([(*v, 1.0), (*v, 0.0), (*v, 0.0)], spring.unwrap_or_default());
        let action = Action::Grab { grab: grab as u32, point, to: *to, stiffness, limit: 1e6 };
        simulation.act(action).expect("particles of the sheet");
    }
    let (mut iterations, mut steps, mut off) = (0, 0, 0.0f64);
    for _ in 0..30 {
        let frame = simulation.frame().expect("steps are stable");
        (iterations, steps) = (iterations + frame.iterations, steps + frame.steps);
        let now = edge.iter().map(|v| simulation.positions()[*v as usize]);
        off = now.zip(&places).map(|(x, place)| x.distance(*place)).fold(off, f64::max);
    }
    [iterations as f64 / f64::from(steps), off]
}

/// 10.8: held by the filter and by springs.
pub fn penalty() -> Vec<Row> {
    let row = |what: String, found: f64| Row::new("10.8", what, f64::NAN, found, Judge::Reported);
    let [filter, off] = held(None);
    let mut rows = vec![
        row("held by the filter: iterations a step".into(), filter),
        Row::new("10.8", "held by the filter: farthest from its place, m", 1e-12, off, Judge::AtMost),
    ];
    for stiffness in [1e1, 1e3, 1e5, 1e7] {
        let [iterations, off] = held(Some(stiffness));
        rows.push(row(format!("held by springs of {stiffness:.0e} N/m: iterations a step"), iterations));
        rows.push(row(format!("held by springs of {stiffness:.0e} N/m: farthest from its place, m"), off));
    }
    rows
}
