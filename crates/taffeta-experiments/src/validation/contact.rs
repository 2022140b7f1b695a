//! Section 9: friction with bodies, and 10.1: bounce.

use super::scene::{Run, fixed_step};
use crate::comparison::{Judge, Row};
use std::f64::consts::PI;
use taffeta::*;

const G: f64 = 9.81;

/// A grid, a crossed grid and random triangles with about the same edges.
pub fn meshes(size: [f64; 2], edge: f64) -> [(&'static str, Mesh); 3] {
    let cells = |edge: f64| size.map(|length| (length / edge).round().max(1.0) as u32);
    [
        ("one diagonal", Mesh::grid(size, cells(edge), Pattern::OneDiagonal).unwrap()),
        ("crossed", Mesh::grid(size, cells(1.5 * edge), Pattern::Crossed).unwrap()),
        ("random", Mesh::random(size, edge, 3).unwrap()),
    ]
}

/// As the defaults have them.
pub fn methods() -> [(&'static str, Method); 3] {
    [
        ("backward Euler", Method::BackwardEuler(Implicit::default())),
        ("BDF2", Method::Bdf2(Implicit::default())),
        ("symplectic Euler", Method::SymplecticEuler),
    ]
}

/// The laws of contact.
pub const LAWS: [ContactLaw; 2] = [ContactLaw::Constraint, ContactLaw::Barrier];

pub fn law_name(law: ContactLaw) -> &'static str {
    ContactLaw::NAMES[law as usize]
}

/// With bodies alone: a strip that is wound whole turns around a cylinder lies in itself.
fn by_law(law: ContactLaw) -> ContactSettings {
    ContactSettings { law, cloth: Some(false), ..ContactSettings::default() }
}

/// All methods with all laws, and their names.
pub fn methods_and_laws() -> impl Iterator<Item = (String, Method, ContactLaw)> {
    let all = |law: ContactLaw| methods().map(|(name, method)| (format!("{name}, {}", law_name(law)), method, law));
    LAWS.into_iter().flat_map(all)
}

/// The value that is farthest from the reference.
fn farthest(reference: f64, values: &[f64]) -> f64 {
    let off = |value: f64| if value.is_nan() { f64::INFINITY } else { (value - reference).abs() };
    values.iter().copied().fold(reference, |most, value| if off(value) > off(most) { value } else { most })
}

fn spread(values: &[f64]) -> f64 {
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    (most - least) / most.abs()
}

/// Flat cloth on a plane that falls by `angle` degrees towards +x.
fn on_slope(mesh: Mesh, angle: f64, mu: f64, method: Method, law: ContactLaw) -> Setup {
    let turn = Vec3::new(0.0, 0.0, -angle);
    let normal = Place { rotate: turn, ..Place::default() }.apply(Vec3::Y);
    let mut cloth = Cloth::new("sheet", mesh);
    cloth.start = Some(cloth.mesh.rest.iter().map(|p| Vec3::new(p.x, 0.0, -p.y)).collect());
    let half = 0.5 * Fabric::default().thickness;
    cloth.place = Place { rotate: turn, at: normal * half, ..Place::default() };
    let place = Place { rotate: turn, ..Place::default() };
    let plane = Body { name: "plane".into(), place, friction: Some(mu), ..Body::default() };
    let mut setup =
        Setup { bodies: vec![plane], method: Some(method), contact: by_law(law), ..Setup::with_cloth(cloth) };
    setup.time = fixed_step(if method.is_implicit() { 2e-3 } else { 2e-4 });
    setup
}

/// Mean way of the particles, m.
fn way(run: &Run) -> f64 {
    let ways = run.state.x.iter().zip(&run.world.start).map(|(x, start)| x.distance(*start));
    ways.sum::<f64>() / run.state.x.len() as f64
}

fn slid(setup: Setup, time: f64) -> f64 {
    let mut run = Run::new(setup);
    run.until(time);
    way(&run)
}

/// 9.1: at rest below the angle of friction, sliding above it as Coulomb has it.
pub fn slope() -> Vec<Row> {
    let mut rows = Vec::new();
    let meshes = meshes([0.2, 0.2], 0.025);
    for (name, method, law) in methods_and_laws() {
        let on_all = |angle: f64, mu: f64, method: Method, time: f64| {
            meshes.each_ref().map(|(_, mesh)| slid(on_slope(mesh.clone(), angle, mu, method, law), time))
        };
        for mu in [0.1f64, 0.2, 0.3, 0.5] {
            let angle = mu.atan().to_degrees();
            let below = on_all(angle - 0.5, mu, method, 2.0);
            let what = format!("{name}, μ = {mu}, 0.5° below: way in 2 s, worst of 3 meshes, m");
            rows.push(Row::new("9.1", what, 1e-4, farthest(0.0, &below), Judge::AtMost));
            let (sin, cos) = (angle + 0.5).to_radians().sin_cos();
            let expected = 0.5 * G * (sin - mu * cos);
            let above = on_all(angle + 0.5, mu, method, 1.0);
            let what = format!("{name}, μ = {mu}, 0.5° above: way in 1 s, worst of 3 meshes, m");
            rows.push(Row::new("9.1", what, expected, farthest(expected, &above), Judge::Relative(0.01)));
        }
        let accelerations = [
            (20.0, [2.433379, 1.511541, 0.589702]),
            (30.0, [4.055429, 3.205858, 2.356287]),
            (45.0, [6.243046, 5.549374, 4.855702]),
        ];
        let mut differ = 0.0f64;
        for (angle, known) in accelerations {
            for (mu, a) in [0.1, 0.2, 0.3].into_iter().zip(known) {
                let found = on_all(angle, mu, method, 1.0);
                differ = differ.max(spread(&found));
                let what = format!("{name}, μ = {mu}, {angle}°: way in 1 s, worst of 3 meshes, m");
                rows.push(Row::new("9.1", what, 0.5 * a, farthest(0.5 * a, &found), Judge::Relative(0.01)));
            }
        }
        let what = format!("{name}: ways on the meshes differ by, as a share");
        rows.push(Row::new("9.1", what, 1e-3, differ, Judge::AtMost));
    }
    rows
}

/// 9.2: a push on a level plane.
pub fn stopping() -> Vec<Row> {
    let mut rows = Vec::new();
    for (mesh_name, mesh) in meshes([0.2, 0.2], 0.025) {
        for (name, method, law) in methods_and_laws() {
            let mut setup = on_slope(mesh.clone(), 0.0, 0.3, method, law);
            setup.cloths[0].velocity = Vec3::X;
            let mut run = Run::new(setup);
            let (mut stopped, mut back) = (f64::NAN, 0.0f64);
            while run.state.time < 0.6 {
                run.step();
                let speed = run.state.v.iter().map(|v| v.x).sum::<f64>() / run.state.v.len() as f64;
                back = back.max(-speed);
                if speed < 1e-9 && stopped.is_nan() {
                    stopped = run.state.time;
                }
            }
            let what = |what: &str| format!("{name}, {mesh_name}: {what}");
            rows.push(Row::new("9.2", what("way, m"), 0.169895, way(&run), Judge::Relative(0.01)));
            rows.push(Row::new("9.2", what("time, s"), 0.339789, stopped, Judge::Relative(0.01)));
            rows.push(Row::new("9.2", what("fastest way back, m/s"), 1e-9, back, Judge::AtMost));
        }
    }
    rows
}

/// Radius of the cylinder, free length at its sides and edges of the strip, m; force at the slack side, N.
const RADIUS: f64 = 0.05;
const ENDS: f64 = 0.03;
const EDGE: f64 = 0.0075;
const SLACK: f64 = 0.075;

/// A strip around a cylinder along z, without weight and bending stiffness, its ends pulled apart.
pub fn around_cylinder(
    mesh: Mesh,
    wrap: f64,
    mu: f64,
    pull: Vec<(f64, f64)>,
    method: Method,
    law: ContactLaw,
) -> Setup {
    let fabric = Fabric { stretch: [1e4, 1e4], shear: 500.0, bend: [0.0, 0.0], ..Fabric::default() };
    let mut cloth = Cloth::new("strip", mesh);
    cloth.material = Material::Fabric(fabric);
    cloth.model = Model::BaraffWitkin { bending: Bending::None };
    let r = RADIUS + 0.5 * fabric.thickness;
    let (sin, cos) = (0.5 * wrap).sin_cos();
    let wrapped = |p: &Vec3| {
        let (along, side) = (p.x.abs(), p.x.signum());
        let beyond = along - 0.5 * wrap * r;
        let q = if beyond > 0.0 {
            Vec3::new(r * sin + beyond * cos, r * cos - beyond * sin, -p.y)
        } else {
            Vec3::new(r * (along / r).sin(), r * (along / r).cos(), -p.y)
        };
        Vec3::new(side * q.x, q.y, q.z)
    };
    cloth.start = Some(cloth.mesh.rest.iter().map(wrapped).collect());
    let load = |side: Side, force: Vec<(f64, Vec3)>| Load {
        select: Select::Edge(vec![side]),
        force,
        from: 0.0,
        until: f64::INFINITY,
    };
    let towards = |side: f64| Vec3::new(side * cos, -sin, 0.0) * SLACK;
    cloth.loads = vec![
        load(Side::Left, vec![(0.0, towards(-1.0))]),
        load(Side::Right, pull.into_iter().map(|(t, ratio)| (t, towards(1.0) * ratio)).collect()),
    ];
    let cylinder = Body {
        name: "cylinder".into(),
        shape: Shape::Cylinder { radius: RADIUS, height: 0.1 },
        place: Place { rotate: Vec3::new(90.0, 0.0, 0.0), ..Place::default() },
        friction: Some(mu),
        ..Body::default()
    };
    let mut setup = Setup {
        bodies: vec![cylinder],
        method: Some(method),
        gravity: Vec3::ZERO,
        contact: by_law(law),
        ..Setup::with_cloth(cloth)
    };
    setup.time = fixed_step(5e-3); // nothing but a force is measured
    setup
}

/// The ratio of tensions at which the slack end begins to run, where it grows by 1 % of `expected` a second.
pub fn slip_ratio(mesh: Mesh, wrap: f64, mu: f64, method: Method, law: ContactLaw) -> f64 {
    let expected = (mu * wrap).exp();
    let (low, high, begin) = (0.965, 1.035, 0.3);
    let ratio = |t: f64| expected * (low + 0.01 * (t - begin)).min(high);
    let end = begin + 100.0 * (high - low);
    let pull = vec![(0.0, 1.0), (begin, ratio(begin)), (end, ratio(end))];
    let ends = Select::Edge(vec![Side::Left]).vertices(&mesh, &[]);
    let mut run = Run::new(around_cylinder(mesh, wrap, mu, pull, method, law));
    let place = |run: &Run| ends.iter().map(|&i| run.state.x[i as usize]).sum::<Vec3>() / ends.len() as f64;
    // the slack side takes its own strain at once
    run.until(0.1);
    let from = place(&run);
    while run.state.time < end {
        run.step();
        if place(&run).distance(from) > 1e-3 {
            let t = run.state.time;
            return if t < begin { 1.0 + (ratio(begin) - 1.0) * t / begin } else { ratio(t) };
        }
    }
    f64::INFINITY
}

/// Narrow strips; the one of random triangles is twice as wide, or it had no vertex inside.
fn strips(length: f64, edge: f64) -> [(&'static str, Mesh); 3] {
    let mut strips = meshes([length, edge], edge);
    strips[2].1 = Mesh::random([length, 2.0 * edge], edge, 3).unwrap();
    strips
}

pub fn strip_around(wrap: f64) -> [(&'static str, Mesh); 3] {
    strips(wrap * RADIUS + 2.0 * ENDS, EDGE)
}

/// T2/T1 where it slips, which is `ratio` for a rope.
pub fn capstan_on(mesh: (&str, Mesh), method: (&str, Method), law: ContactLaw, mu: f64, turns: f64, ratio: f64) -> Row {
    let found = slip_ratio(mesh.1, 2.0 * PI * turns, mu, method.1, law);
    let what = format!("{}, {}, {}, μ = {mu}, {turns} turns: T2/T1", method.0, law_name(law), mesh.0);
    Row::new("9.3", what, ratio, found, Judge::Relative(0.03))
}

/// 9.3: Euler's and Eytelwein's rope.
pub fn capstan() -> Vec<Row> {
    let mut rows = Vec::new();
    let [euler, bdf2, _] = methods();
    for law in LAWS {
        for (mu, known) in [
            (0.2, [1.369108, 1.874456, 3.513586]),
            (0.3, [1.601978, 2.566332, 6.586062]),
            (0.5, [2.193280, 4.810477, 23.140693]),
        ] {
            for (turns, ratio) in [0.25, 0.5, 1.0].into_iter().zip(known) {
                let strips = strip_around(2.0 * PI * turns);
                rows.extend(strips.map(|mesh| capstan_on(mesh, euler, law, mu, turns, ratio)));
            }
        }
        rows.extend(strip_around(PI).map(|mesh| capstan_on(mesh, bdf2, law, 0.3, 0.5, 2.566332)));
    }
    rows
}

/// Length of the strip that hangs over an edge, its edges, its thickness, and the radius of the edge of the table, m.
/// The cloth is so thick that its triangles are not lifted over the edge.
const LENGTH: f64 = 0.4;
const FINE: f64 = 0.005;
const THICK: f64 = 0.002;
const ROUND: f64 = 0.02;

/// A strip without bending stiffness on a table, the length `over` of it beyond the beginning of the edge at x = 0. Its
/// far end is held, and let towards the edge slowly. The edge is that of a cylinder with its own friction, or that of
/// the box that is the table; the strip is then so thick that its middle has the same radius.
///
/// An edge that is sharper than the mesh is fine is another matter: triangles tip over it row by row, each of which has
/// to be pulled over. Rows that lie along the edge take turns of up to half the hanging weight, whatever their size.
pub fn over_edge(mesh: Mesh, over: f64, mu: f64, edge: Option<f64>, method: Method, law: ContactLaw) -> Setup {
    let mut cloth = Cloth::new("strip", mesh);
    cloth.model = Model::BaraffWitkin { bending: Bending::None };
    let half = if edge.is_some() { 0.5 * THICK } else { ROUND + 0.5 * THICK };
    cloth.material = Material::Fabric(Fabric { thickness: 2.0 * half, ..Fabric::default() });
    // no triangle reaches into the table at the start, and none has to fall far
    let r = ROUND + 0.6 * THICK;
    let centre = if edge.is_some() { -ROUND } else { 0.0 };
    let quarter = 0.5 * PI * r;
    let bent = |p: &Vec3| {
        let s = p.x - 0.5 * LENGTH + over;
        let (x, y) = if s < 0.0 {
            (s, r)
        } else if s < quarter {
            (r * (s / r).sin(), r * (s / r).cos())
        } else {
            (r, quarter - s)
        };
        Vec3::new(x, centre + y, -p.y)
    };
    cloth.start = Some(cloth.mesh.rest.iter().map(bent).collect());
    let key = |t: f64, x: f64, y: f64| Key { t, shift: Vec3::new(x, y, 0.0), turn: Vec3::ZERO };
    let down = half - r - centre;
    let keys = vec![key(0.0, 0.0, 0.0), key(LOWERED, 0.0, down), key(LOWERED + 10.0, 10.0 * SPEED, down)];
    let motion = Motion { keys, smooth: false };
    cloth.pins = vec![Pin { motion, ..Pin::fixed(Select::Edge(vec![Side::Left])) }];
    let body = |name: &str, shape: Shape, place: Place, mu: f64| Body {
        name: name.into(),
        shape,
        place,
        friction: Some(mu),
        ..Body::default()
    };
    let place = Place { at: Vec3::new(-0.3, -0.3, 0.0), ..Place::default() };
    let mut bodies = vec![body("table", Shape::Box { size: [0.6, 0.6, 0.2] }, place, mu)];
    if let Some(edge) = edge {
        let place = Place { rotate: Vec3::X * 90.0, at: Vec3::Y * -ROUND, ..Place::default() };
        bodies.push(body("edge", Shape::Cylinder { radius: ROUND, height: 0.2 }, place, edge));
    }
    let mut setup = Setup { bodies, method: Some(method), contact: by_law(law), ..Setup::with_cloth(cloth) };
    setup.time = fixed_step(5e-3); // nothing but a force is measured
    setup
}

/// When the far end is let towards the edge, s, and how fast, m/s.
const LOWERED: f64 = 0.1;
const SPEED: f64 = 0.02;

/// The share of the strip that hangs over an edge with friction `edge` (none: the box's) when it slides by
/// itself, less what the roundness of the edge carries: where the force that holds it back while it is let down
/// vanishes.
///
/// On an edge of radius r the tension T (by weight per length) has dT/dφ = ν (T + r cos φ) - r sin φ, from μ (L - a) at
/// φ = 0 to a - π r/2 at π/2: a (1 + μ E) = μ E L + π r/2 + r (2 ν - E (1 - ν²))/(1 + ν²), E = exp(ν π/2).
pub fn sliding_overhang(mesh: Mesh, mu: f64, edge: Option<f64>, method: Method, law: ContactLaw) -> f64 {
    let r = ROUND + 0.5 * THICK;
    let nu = edge.unwrap_or(mu);
    let e = (nu * PI / 2.0).exp();
    let carried = (0.5 * PI * r + r * (2.0 * nu - e * (1.0 - nu * nu)) / (1.0 + nu * nu)) / (1.0 + mu * e);
    let expected = mu * e / (1.0 + mu * e) * LENGTH + carried;
    let begin = 1.02 * expected;
    let mut run = Run::new(over_edge(mesh, begin, mu, edge, method, law));
    // least squares over whole rows of the mesh
    let (from, until) = (LOWERED + 0.3, LOWERED + 0.3 + 3.0 * FINE / SPEED);
    let mut sums = [0.0; 5];
    while run.state.time < until - 1e-9 {
        let force = -run.frame().pins[0].x;
        if run.state.time > from + 1e-9 {
            let a = begin + SPEED * (run.state.time - LOWERED);
            for (sum, value) in sums.iter_mut().zip([1.0, a, force, a * a, a * force]) {
                *sum += value;
            }
        }
    }
    let [n, a, f, aa, af] = sums;
    let slope = (n * af - a * f) / (n * aa - a * a);
    let vanishes = (a - f / slope) / n;
    if slope > 0.0 { (vanishes - carried) / LENGTH } else { f64::NAN }
}

/// How far a strip slides over a smooth round edge in `time` after it was let go, as a share of what Coulomb's law
/// says.
///
/// What hangs pulls, what lies on the table rubs, and on an edge of radius r the weight along the surface is that of
/// the length r: a'' = (1+μ) g/L (a - a*) with a* = (μ L + r (π/2 - 1))/(1+μ), so that a - a* grows as cosh. Backward
/// Euler loses some of the velocity that turns: v h/r must be small.
pub fn sliding_way(mesh: Mesh, mu: f64, time: f64, method: Method, law: ContactLaw) -> f64 {
    let r = ROUND + 0.5 * THICK;
    let rests = (mu * LENGTH + r * (0.5 * PI - 1.0)) / (1.0 + mu);
    let begin = 1.5 * rests;
    let far = Select::Edge(vec![Side::Left]).vertices(&mesh, &[]);
    let mut setup = over_edge(mesh, begin, mu, Some(0.0), method, law);
    let pin = &mut setup.cloths[0].pins[0];
    pin.motion.keys.truncate(2);
    pin.until = LOWERED + 0.3; // swings no more
    let let_go = pin.until;
    setup.time = fixed_step(5e-4);
    let mut run = Run::new(setup);
    let place = |run: &Run| far.iter().map(|&i| run.state.x[i as usize].x).sum::<f64>() / far.len() as f64;
    run.until(let_go);
    let from = place(&run);
    run.until(let_go + time);
    let rate = ((1.0 + mu) * G / LENGTH).sqrt();
    (place(&run) - from) / ((begin - rests) * ((rate * time).cosh() - 1.0))
}

/// 9.4: between an edge without friction and a rounded one with it.
pub fn table_edge() -> Vec<Row> {
    let mut rows = Vec::new();
    let (name, euler) = methods()[0];
    // cloth that is four times as thick as its edges are long is nothing for the barrier
    let law = ContactLaw::Constraint;
    let name = format!("{name}, {}", law_name(law));
    for (mu, low, high) in
        [(0.1f64, 0.090909, 0.104752), (0.2, 0.166667, 0.214961), (0.3, 0.230769, 0.324595), (0.5, 0.333333, 0.523046)]
    {
        let ratio = mu * (mu * PI / 4.0).exp();
        for (mesh_name, mesh) in strips(LENGTH, FINE) {
            let mut add = |edge: &str, friction: Option<f64>, reference: f64, judge: Judge| {
                let found = sliding_overhang(mesh.clone(), mu, friction, euler, law);
                let what = format!("{name}, {mesh_name}, μ = {mu}, {edge}: overhang that slides, a/L");
                rows.push(Row::new("9.4", what, reference, found, judge));
            };
            add("round edge half as rough", Some(0.5 * mu), ratio / (1.0 + ratio), Judge::Between(low, high));
            if mu == 0.3 {
                let way = sliding_way(mesh.clone(), mu, 0.2, euler, law);
                add("smooth round edge", Some(0.0), low, Judge::Relative(0.02));
                add("round edge as rough", Some(mu), high, Judge::Relative(0.02));
                add("edge of the box", None, high, Judge::Relative(0.02));
                let what = format!("{name}, {mesh_name}, μ = {mu}, smooth round edge: way in 0.2 s / that of cosh");
                rows.push(Row::new("9.4", what, 1.0, way, Judge::Relative(0.02)));
            }
        }
    }
    rows
}

/// Mean and largest pulling force as shares of the friction of what lies on the table.
pub fn pulling_force(mesh: Mesh, mu: f64, method: Method, law: ContactLaw) -> (f64, f64) {
    let mut setup = on_slope(mesh, 0.0, mu, method, law);
    // it breaks loose at a speed whose wave, √(kρ) v, has 1 % of the friction; from then on inertia has 0.5 %
    let (slow, faster) = (2e-4 * mu, 0.005 * mu * G);
    let (loose, steady, time) = (0.5, 2.5, 3.5);
    let pulled = |t: f64| {
        let grows = (t - loose).clamp(0.0, steady - loose);
        slow * t + faster * grows * (0.5 * grows + (t - steady).max(0.0))
    };
    let key = |t: f64| Key { t, shift: Vec3::X * pulled(t), turn: Vec3::ZERO };
    // a key for each step: jumps of the speed would ring
    let h = 1.0 / setup.time.fps;
    let keys = (0..=(time / h).round() as u32).map(|k| key(h * f64::from(k))).collect();
    let motion = Motion { keys, smooth: false };
    setup.cloths[0].pins = vec![Pin { motion, ..Pin::fixed(Select::Edge(vec![Side::Right])) }];
    let edge = Select::Edge(vec![Side::Right]).vertices(&setup.cloths[0].mesh, &[]);
    let mut run = Run::new(setup);
    // the pin carries its own particles
    let held: f64 = edge.iter().map(|&i| run.world.mass[i as usize]).sum();
    let friction = mu * G * (run.world.mass.iter().sum::<f64>() - held);
    let (mut sum, mut count, mut most) = (0.0, 0u32, 0.0f64);
    while run.state.time < time - 1e-9 {
        let force = run.frame().pins[0].x / friction;
        most = most.max(force);
        if run.state.time > steady + 0.1 {
            (sum, count) = (sum + force, count + 1);
        }
    }
    (sum / f64::from(count), most)
}

pub fn pulled_on(mesh: (&str, Mesh), method: (&str, Method), law: ContactLaw, mu: f64) -> [Row; 2] {
    let (mean, most) = pulling_force(mesh.1, mu, method.1, law);
    let row = |what: &str, force: f64| {
        let what = format!("{}, {}, {}, μ = {mu}: {what} force / (μ ρ g area)", method.0, law_name(law), mesh.0);
        Row::new("9.5", what, 1.0, force, Judge::Relative(0.02))
    };
    [row("mean", mean), row("largest", most)]
}

/// 9.5: the force that pulls a sheet over a table.
pub fn pulled() -> Vec<Row> {
    let mut rows = Vec::new();
    for mesh in meshes([0.2, 0.2], 0.025) {
        for (law, method) in LAWS.into_iter().flat_map(|law| methods().map(|method| (law, method))) {
            for mu in [0.1, 0.3, 0.5] {
                rows.extend(pulled_on(mesh.clone(), method, law, mu));
            }
        }
    }
    rows
}

/// Heights of a sheet that falls flat from 1 m: first contact, peaks, and when it rests.
pub struct Bounce {
    pub first: f64,
    pub peaks: Vec<f64>,
    pub rests: f64,
}

pub fn bounce_of(mesh: Mesh, restitution: f64, method: Method, law: ContactLaw) -> Bounce {
    let mut setup = on_slope(mesh, 0.0, 0.3, method, law);
    setup.cloths[0].place.at.y += 1.0;
    setup.bodies[0].restitution = restitution;
    setup.time = fixed_step(1e-3);
    if !method.is_implicit() {
        setup.time.step = StepSize::AtMost(2e-4);
        setup.time.fps = 5e3;
    }
    let mut run = Run::new(setup);
    let half = 0.5 * Fabric::default().thickness;
    let mut found = Bounce { first: f64::NAN, peaks: Vec::new(), rests: 0.0 };
    let (mut highest, mut rises) = (0.0f64, false);
    while run.state.time < 2.0 {
        run.step();
        let n = run.state.x.len() as f64;
        let height = run.state.x.iter().map(|x| x.y).sum::<f64>() / n - half;
        let speed = run.state.v.iter().map(|v| v.y).sum::<f64>() / n;
        if speed > 1e-9 && !rises {
            rises = true;
            highest = height;
        }
        if found.first.is_nan() && (!run.state.contacts.is_empty() || rises) {
            found.first = run.state.time;
        }
        highest = highest.max(height);
        if rises && speed <= 0.0 {
            found.peaks.push(highest);
            rises = false;
        }
        if height > 1e-6 {
            found.rests = run.state.time;
        }
    }
    found
}

pub fn bounce_on(mesh: (&str, Mesh), method: (&str, Method), law: ContactLaw) -> Vec<Row> {
    let row = |what: &str, reference: f64, found: f64, judge: Judge| {
        Row::new("10.1", format!("{}, {}, {}, {what}", method.0, law_name(law), mesh.0), reference, found, judge)
    };
    let found = bounce_of(mesh.1.clone(), 0.5, method.1, law);
    let dead = bounce_of(mesh.1.clone(), 0.0, method.1, law);
    let mut rows = vec![
        row("e = 0.5: first contact, s", 0.451524, found.first, Judge::Within(1e-3)),
        row("e = 0.5: time to rest, s", 1.354571, found.rests, Judge::Relative(0.01)),
        row("e = 0: rebound, m", 1e-4, dead.peaks.into_iter().fold(0.0, f64::max), Judge::AtMost),
    ];
    for (k, height) in [0.25, 0.0625, 0.015625].into_iter().enumerate() {
        let peak = found.peaks.get(k).copied().unwrap_or(f64::NAN);
        rows.push(row(&format!("e = 0.5: peak {}, m", k + 1), height, peak, Judge::Relative(0.02)));
    }
    rows
}

/// 10.1: bounce with restitution.
pub fn bounce() -> Vec<Row> {
    let all = |mesh: (&'static str, Mesh)| {
        LAWS.into_iter().flat_map(move |law| methods().map(|method| bounce_on(mesh.clone(), method, law)))
    };
    meshes([0.2, 0.2], 0.025).into_iter().flat_map(all).flatten().collect()
}
