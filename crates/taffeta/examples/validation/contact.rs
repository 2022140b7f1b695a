//! Section 9: friction with bodies, and 10.1: bounce.

use crate::scene::{Run, fixed_step};
use crate::table::{Judge, Row};
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
fn on_slope(mesh: Mesh, angle: f64, mu: f64, method: Method) -> Setup {
    let turn = Vec3::new(0.0, 0.0, -angle);
    let normal = Place { rotate: turn, ..Place::default() }.apply(Vec3::Y);
    let mut cloth = Cloth::new("sheet", mesh);
    cloth.start = Some(cloth.mesh.rest.iter().map(|p| Vec3::new(p.x, 0.0, -p.y)).collect());
    let half = 0.5 * Fabric::default().thickness;
    cloth.place = Place { rotate: turn, at: normal * half, ..Place::default() };
    let place = Place { rotate: turn, ..Place::default() };
    let plane = Body { name: "plane".into(), place, friction: Some(mu), ..Body::default() };
    let mut setup = Setup { bodies: vec![plane], method, ..Setup::with_cloth(cloth) };
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
    let on_all = |angle: f64, mu: f64, method: Method, time: f64| {
        meshes.each_ref().map(|(_, mesh)| slid(on_slope(mesh.clone(), angle, mu, method), time))
    };
    for (name, method) in methods() {
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
        for (name, method) in methods() {
            let mut setup = on_slope(mesh.clone(), 0.0, 0.3, method);
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

/// Radius of the cylinder and free length at its sides, m; tension of the slack side, N/m; width and edges of the strip, m.
const RADIUS: f64 = 0.05;
const ENDS: f64 = 0.03;
const SLACK: f64 = 10.0;
const WIDTH: f64 = 0.01;
const EDGE: f64 = 0.005;

/// A strip around a cylinder along z, without weight and bending stiffness, its ends pulled apart.
pub fn around_cylinder(mesh: Mesh, wrap: f64, mu: f64, pull: Vec<(f64, f64)>, method: Method) -> Setup {
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
    let towards = |side: f64| Vec3::new(side * cos, -sin, 0.0) * (SLACK * WIDTH);
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
    let mut setup = Setup { bodies: vec![cylinder], method, gravity: Vec3::ZERO, ..Setup::with_cloth(cloth) };
    setup.time = fixed_step(2e-3);
    setup
}

/// The ratio of tensions at which the slack end begins to run, where it grows by 1 % of `expected` a second.
pub fn slip_ratio(mesh: Mesh, wrap: f64, mu: f64, method: Method) -> f64 {
    let expected = (mu * wrap).exp();
    let (low, high, begin) = (0.96, 1.04, 0.5);
    let ratio = |t: f64| expected * (low + 0.01 * (t - begin)).min(high);
    let end = begin + 100.0 * (high - low);
    let pull = vec![(0.0, 1.0), (begin, ratio(begin)), (end, ratio(end))];
    let ends = Select::Edge(vec![Side::Left]).vertices(&mesh, &[]);
    let mut run = Run::new(around_cylinder(mesh, wrap, mu, pull, method));
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

pub fn strip_around(wrap: f64) -> [(&'static str, Mesh); 3] {
    meshes([wrap * RADIUS + 2.0 * ENDS, WIDTH], EDGE)
}

/// 9.3: Euler's and Eytelwein's rope.
pub fn capstan() -> Vec<Row> {
    let mut rows = Vec::new();
    let [euler, bdf2, _] = methods();
    for (mu, known) in [
        (0.2, [1.369108, 1.874456, 3.513586]),
        (0.3, [1.601978, 2.566332, 6.586062]),
        (0.5, [2.193280, 4.810477, 23.140693]),
    ] {
        for (turns, ratio) in [0.25, 0.5, 1.0].into_iter().zip(known) {
            for (mesh_name, mesh) in strip_around(2.0 * PI * turns) {
                let found = slip_ratio(mesh, 2.0 * PI * turns, mu, euler.1);
                let what = format!("{}, {mesh_name}, μ = {mu}, {turns} turns: T2/T1", euler.0);
                rows.push(Row::new("9.3", what, ratio, found, Judge::Relative(0.03)));
            }
        }
    }
    for (mesh_name, mesh) in strip_around(PI) {
        let found = slip_ratio(mesh, PI, 0.3, bdf2.1);
        let what = format!("{}, {mesh_name}, μ = 0.3, 0.5 turns: T2/T1", bdf2.0);
        rows.push(Row::new("9.3", what, 2.566332, found, Judge::Relative(0.03)));
    }
    rows
}

/// Length of the strip that hangs over an edge, and its width, m.
const LENGTH: f64 = 0.4;
const NARROW: f64 = 0.02;

/// A strip without bending stiffness on a table, the share `over` of it beyond the edge at x = 0. It starts a little above, and
/// its far end is held until what hangs has come to rest.
pub fn over_edge(mesh: Mesh, over: f64, mu: f64, method: Method) -> Setup {
    let mut cloth = Cloth::new("strip", mesh);
    cloth.model = Model::BaraffWitkin { bending: Bending::None };
    let half = 0.5 * Fabric::default().thickness;
    // no triangle of the bend reaches into the table
    let r = 0.8 * EDGE;
    let quarter = 0.5 * PI * r;
    let bent = |p: &Vec3| {
        let s = p.x - (0.5 - over) * LENGTH;
        let (x, y) = if s < 0.0 {
            (s, r)
        } else if s < quarter {
            (r * (s / r).sin(), r * (s / r).cos())
        } else {
            (r, quarter - s)
        };
        Vec3::new(x, y, -p.y)
    };
    cloth.start = Some(cloth.mesh.rest.iter().map(bent).collect());
    let key = |t: f64, y: f64| Key { t, shift: Vec3::Y * y, turn: Vec3::ZERO };
    let motion = Motion { keys: vec![key(0.0, 0.0), key(0.2 * HELD, half - r)], smooth: true };
    cloth.pins = vec![Pin { motion, until: HELD, ..Pin::fixed(Select::Edge(vec![Side::Left])) }];
    let table = Body {
        name: "table".into(),
        shape: Shape::Box { size: [0.6, 0.6, 0.2] },
        place: Place { at: Vec3::new(-0.3, -0.3, 0.0), ..Place::default() },
        friction: Some(mu),
        ..Body::default()
    };
    let mut setup = Setup { bodies: vec![table], method, ..Setup::with_cloth(cloth) };
    setup.time = fixed_step(2e-3);
    setup
}

const HELD: f64 = 0.5;

/// How far the strip slides in the second after it is let go, m; 2 cm are enough.
pub fn slides_over_edge(mesh: &Mesh, over: f64, mu: f64, method: Method) -> f64 {
    let mut run = Run::new(over_edge(mesh.clone(), over, mu, method));
    let ends = Select::Edge(vec![Side::Left]).vertices(mesh, &[]);
    let place = |run: &Run| ends.iter().map(|&i| run.state.x[i as usize].x).sum::<f64>() / ends.len() as f64;
    run.until(HELD);
    let from = place(&run);
    while run.state.time < HELD + 1.0 && place(&run) - from < 0.02 {
        run.step();
    }
    place(&run) - from
}

/// 9.4: between an edge without friction and a rounded one with it.
pub fn table_edge() -> Vec<Row> {
    let mut rows = Vec::new();
    let (name, euler) = methods()[0];
    for (mu, low, high) in
        [(0.1, 0.090909, 0.104752), (0.2, 0.166667, 0.214961), (0.3, 0.230769, 0.324595), (0.5, 0.333333, 0.523046)]
    {
        for (mesh_name, mesh) in meshes([LENGTH, NARROW], EDGE) {
            let slides = |over: f64| slides_over_edge(&mesh, over, mu, euler) >= 0.02;
            // outside the bracket it is not looked for
            let (mut rests, mut runs) = (0.95 * low, 1.05 * high);
            while runs - rests > 0.01 * low {
                let middle = 0.5 * (rests + runs);
                if slides(middle) { runs = middle } else { rests = middle }
            }
            let what = format!("{name}, {mesh_name}, μ = {mu}: least overhang that slides, a/L");
            rows.push(Row::new("9.4", what, low, 0.5 * (rests + runs), Judge::Between(low, high)));
        }
    }
    rows
}

/// Mean and largest pulling force as shares of the friction of what lies on the table.
pub fn pulling_force(mesh: Mesh, mu: f64, method: Method) -> (f64, f64) {
    let mut setup = on_slope(mesh, 0.0, mu, method);
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

/// 9.5: the force that pulls a sheet over a table.
pub fn pulled() -> Vec<Row> {
    let mut rows = Vec::new();
    for (mesh_name, mesh) in meshes([0.2, 0.2], 0.025) {
        for (name, method) in methods() {
            for mu in [0.1, 0.3, 0.5] {
                let (mean, most) = pulling_force(mesh.clone(), mu, method);
                let what = |what: &str| format!("{name}, {mesh_name}, μ = {mu}: {what} force / (μ ρ g area)");
                rows.push(Row::new("9.5", what("mean"), 1.0, mean, Judge::Relative(0.02)));
                rows.push(Row::new("9.5", what("largest"), 1.0, most, Judge::Relative(0.02)));
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

pub fn bounce_of(mesh: Mesh, restitution: f64, method: Method) -> Bounce {
    let mut setup = on_slope(mesh, 0.0, 0.3, method);
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
    let (mut lowest, mut highest, mut rises) = (1.0f64, 0.0f64, false);
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
        lowest = lowest.min(height);
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

/// 10.1: bounce with restitution.
pub fn bounce() -> Vec<Row> {
    let mut rows = Vec::new();
    for (mesh_name, mesh) in meshes([0.2, 0.2], 0.025) {
        for (name, method) in methods() {
            let found = bounce_of(mesh.clone(), 0.5, method);
            let what = |what: &str| format!("{name}, {mesh_name}, e = 0.5: {what}");
            rows.push(Row::new("10.1", what("first contact, s"), 0.451524, found.first, Judge::Within(1.5e-3)));
            for (k, height) in [0.25, 0.0625, 0.015625].into_iter().enumerate() {
                let peak = found.peaks.get(k).copied().unwrap_or(f64::NAN);
                rows.push(Row::new("10.1", what(&format!("peak {}, m", k + 1)), height, peak, Judge::Relative(0.02)));
            }
            rows.push(Row::new("10.1", what("time to rest, s"), 1.354571, found.rests, Judge::Relative(0.01)));
            let dead = bounce_of(mesh.clone(), 0.0, method);
            let back = dead.peaks.iter().copied().fold(0.0, f64::max);
            let what = format!("{name}, {mesh_name}, e = 0: rebound, m");
            rows.push(Row::new("10.1", what, 1e-4, back, Judge::AtMost));
        }
    }
    rows
}
