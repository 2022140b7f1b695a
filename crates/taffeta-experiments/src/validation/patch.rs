//! Sections 6.2 to 6.4: homogeneous deformations, area scaling, patch tests, rest stretch.

use super::cloth::{self, BARAFF_WITKIN, CONTINUA, MEMBRANE, Rest, SPRINGS, fabric, judged};
use crate::comparison::{Judge, Row};
use taffeta::glam::{DMat2, DVec2};
use taffeta::model::element::potential;
use taffeta::model::membrane::{Membrane, Orthotropic};
use taffeta::model::shear::Shear;
use taffeta::model::stretch::Stretch;
use taffeta::*;

const KU: f64 = 1000.0; // N/m
const KV: f64 = 500.0;
const KS: f64 = 50.0;

fn cloth_of(mesh: Mesh, model: Model) -> Cloth {
    cloth::sheet(mesh, Fabric { stretch: [KU, KV], shear: KS, ..fabric() }, model)
}

fn weightless(cloth: Cloth) -> World {
    cloth::world(Setup { gravity: Vec3::ZERO, ..Setup::with_cloth(cloth) })
}

/// Columns w_u and w_v.
fn columns(wu: [f64; 2], wv: [f64; 2]) -> DMat2 {
    DMat2::from_cols(wu.into(), wv.into())
}

fn deformed(mesh: &Mesh, f: DMat2) -> Vec<Vec3> {
    mesh.rest.iter().map(|p| (f * DVec2::new(p.x, p.y)).extend(0.0)).collect()
}

/// J/m² by the energy of Baraff and Witkin's conditions, or of the membrane (ν = 0).
fn psi(model: Model, f: DMat2) -> f64 {
    let [wu, wv] = [f.x_axis, f.y_axis];
    let strain = |w: DVec2| match model == MEMBRANE {
        true => 0.5 * (w.length_squared() - 1.0),
        false => w.length() - 1.0,
    };
    0.5 * (KU * strain(wu).powi(2) + KV * strain(wv).powi(2) + KS * wu.dot(wv).powi(2))
}

/// Energy per area, and forces per reference width on the right and the upper side, of a unit square in homogeneous
/// deformation.
fn homogeneous(model: Model, f: DMat2, grain: f64) -> (f64, [Vec3; 2]) {
    let mesh = Mesh::random([1.0; 2], 0.1, 1).unwrap();
    let mut made = cloth_of(mesh.clone(), model);
    made.grain = grain;
    let world = weightless(made);
    let state = State { x: deformed(&mesh, f), ..world.start() };
    let mut work = Workspace::new(&world);
    let force = forces(&world, &state, &mut work);
    let on = |axis: usize| -> Vec3 {
        let there = (0..force.len()).filter(|&i| mesh.rest[i][axis] > 0.5 - 1e-9);
        there.map(|i| -force[i]).sum()
    };
    let m = measure(&world, &state);
    (m.stretch + m.shear, [on(0), on(1)])
}

/// 6.2: what the conditions make of simple deformations.
pub fn conditions() -> Vec<Row> {
    let mut rows = Vec::new();
    let mut add = |what: &str, reference: f64, found: f64| {
        let judge = if reference == 0.0 { Judge::Within(1e-9) } else { Judge::Relative(1e-9) };
        rows.push(Row::new("6.2", format!("{what}, baraff-witkin"), reference, found, judge));
    };
    let (energy, [right, top]) = homogeneous(BARAFF_WITKIN, columns([1.1, 0.0], [0.0, 1.0]), 0.0);
    add("stretch of the warp by 1.1: ψ, J/m²", 0.5 * KU * 0.01, energy);
    add("stretch of the warp by 1.1: N, N/m", 0.1 * KU, right.x);
    add("stretch of the warp by 1.1: lateral force, N/m", 0.0, top.y);
    let (energy, [right, top]) = homogeneous(BARAFF_WITKIN, columns([1.1, 0.0], [0.0, 1.05]), 0.0);
    add("biaxial 1.1, 1.05: ψ", 0.5 * (KU * 0.01 + KV * 0.0025), energy);
    add("biaxial 1.1, 1.05: warp, N/m", 0.1 * KU, right.x);
    add("biaxial 1.1, 1.05: weft, N/m", 0.05 * KV, top.y);
    let (sin, cos) = 0.3f64.sin_cos();
    let (energy, [_, top]) = homogeneous(BARAFF_WITKIN, columns([1.0, 0.0], [sin, cos]), 0.0);
    add("trellis shear by 0.3: ψ", 0.5 * KS * sin * sin, energy);
    add("trellis shear by 0.3: dψ/dγ, N/m", KS * sin * cos, top.x * cos - top.y * sin);
    let s = 0.3;
    let (energy, [_, top]) = homogeneous(BARAFF_WITKIN, columns([1.0, 0.0], [s, 1.0]), 0.0);
    let long = 1.0f64.hypot(s);
    add("simple shear by 0.3: ψ", 0.5 * (KS * s * s + KV * (long - 1.0).powi(2)), energy);
    add("simple shear by 0.3: force, N/m", KS * s + KV * s * (1.0 - 1.0 / long), top.x);
    let lambda = 1.1f64;
    let across = (2.0 - lambda * lambda).sqrt();
    let (energy, [right, top]) = homogeneous(BARAFF_WITKIN, columns([lambda, 0.0], [0.0, across]), 45.0);
    let more = lambda * lambda - 1.0;
    add("bias pull by 1.1, yarns keep their length: ψ", 0.5 * KS * more * more, energy);
    add("bias pull by 1.1: dψ/dλ, N/m", 2.0 * KS * lambda * more, right.x - top.y * lambda / across);
    for (name, f) in FIELDS {
        let found = homogeneous(MEMBRANE, f, 0.0).0;
        rows.push(Row::new("6.2", format!("{name}, membrane: ψ"), psi(MEMBRANE, f), found, Judge::Relative(1e-9)));
    }
    rows
}

/// 6.2: the energy of a stretched square on finer and finer meshes.
pub fn area_scaling() -> Vec<Row> {
    let energy = |model: Model, cells: u32, raw: bool| {
        let mesh = cloth::grid([1.0; 2], [cells; 2], Pattern::OneDiagonal);
        let x = deformed(&mesh, columns([1.1, 0.0], [0.0, 1.1]));
        let mut made = cloth_of(mesh, model);
        if raw {
            let damping = ViscousDamping::Constant(0.0);
            let [structural, shear] = [KU, KS];
            made.material =
                Material::Raw(Raw { mass: 0.01, structural, shear, flexion: 0.0, hinge: 0.0, damping, along: 0.0 });
        }
        let world = weightless(made);
        let m = measure(&world, &State { x, ..world.start() });
        m.stretch + m.shear
    };
    let mut rows = Vec::new();
    for cells in [2, 4, 8] {
        let triangles = 2 * cells * cells;
        for model in CONTINUA {
            let ratio = energy(model, cells, false) / energy(model, 1, false);
            let what = format!("energy of {triangles} triangles over that of 2, {}", model.name());
            rows.push(Row::new("6.2", what, 1.0, ratio, Judge::Within(1e-12)));
        }
        let ratio = energy(BARAFF_WITKIN, cells / 2, true) / energy(BARAFF_WITKIN, cells, true);
        let what = format!("raw constants, as the paper prints them: energy falls to {triangles} triangles by");
        rows.push(Row::new("6.2", what, 4.0, ratio, Judge::Within(1e-12)));
    }
    rows
}

const FIELDS: [(&str, DMat2); 3] = [
    ("stretch by 1.1", DMat2::from_cols(DVec2::new(1.1, 0.0), DVec2::new(0.0, 1.0))),
    // sin and cos of 0.3
    (
        "shear by 0.3 rad",
        DMat2::from_cols(DVec2::new(1.0, 0.0), DVec2::new(0.295_520_206_661_339_6, 0.955_336_489_125_606)),
    ),
    ("general field", DMat2::from_cols(DVec2::new(1.2, -0.1), DVec2::new(0.15, 0.9))),
];

/// A pseudorandom number between -1 and 1.
fn noise(i: usize, axis: u32) -> f64 {
    2.0 * ((i as f64 * 127.1 + f64::from(axis) * 311.7).sin() * 43758.5453).fract().abs() - 1.0
}

/// A grid with its inner vertices moved by up to 0.3 cells.
fn skewed() -> Mesh {
    let plain = cloth::grid([1.0; 2], [8; 2], Pattern::Alternating);
    let inner = |p: &Vec3| p.x.abs().max(p.y.abs()) < 0.499;
    let moved = |(i, p): (usize, &Vec3)| match inner(p) {
        true => *p + Vec3::new(noise(i, 0), noise(i, 1), 0.0) * (0.3 / 8.0),
        false => *p,
    };
    Mesh::new(plain.rest.iter().enumerate().map(moved).collect(), plain.triangles, None).unwrap()
}

/// Energy per area of each triangle by the elements themselves.
fn densities(mesh: &Mesh, model: Model, x: &[Vec3]) -> Vec<f64> {
    let density = |(t, uv): (&[u32; 3], &[[f64; 2]; 3])| {
        let at = t.map(|v| x[v as usize]);
        let [a, b, c] = uv.map(DVec2::from);
        let area = 0.5 * (b - a).perp_dot(c - a).abs();
        let energy = if model == MEMBRANE {
            let fabric = Orthotropic { stretch: [KU, KV], shear: KS, poisson: 0.0 };
            potential(&Membrane::new(*t, uv, &fabric, [1.0; 2]), &at, None)
        } else {
            let stretch = potential(&Stretch::new(*t, uv, [KU, KV], [1.0; 2]), &at, None);
            stretch + potential(&Shear::new(*t, uv, KS), &at, None)
        };
        energy / area
    };
    mesh.triangles.iter().zip(&mesh.uv).map(density).collect()
}

/// 6.3: irregular meshes in homogeneous deformation, turned in space.
pub fn patch_tests() -> Vec<Row> {
    let turn = Place { rotate: Vec3::new(30.0, 50.0, -70.0), at: Vec3::new(0.3, -0.2, 0.5), scale: 1.0 };
    let meshes = [("random", Mesh::random([1.0; 2], 0.12, 3).unwrap()), ("skewed grid", skewed())];
    let mut rows = Vec::new();
    for (kind, mesh) in &meshes {
        for model in [BARAFF_WITKIN, MEMBRANE, SPRINGS] {
            let world = weightless(cloth_of(mesh.clone(), model));
            let mut work = Workspace::new(&world);
            for (name, f) in FIELDS {
                let x: Vec<Vec3> = deformed(mesh, f).into_iter().map(|p| turn.apply(p)).collect();
                let what = format!("{name}, {kind}, {}", model.name());
                let state = State { x, ..world.start() };
                let exact = psi(model, f);
                if model == SPRINGS {
                    let m = measure(&world, &state);
                    let found = m.stretch + m.shear;
                    rows.push(Row::new("6.3", format!("{what}: ψ"), exact, found, Judge::Reported));
                } else {
                    let all = densities(mesh, model, &state.x);
                    let worst = all.iter().copied().max_by(|a, b| (a - exact).abs().total_cmp(&(b - exact).abs()));
                    let worst = worst.unwrap_or(f64::NAN);
                    rows.push(Row::new("6.3", format!("{what}: ψ, worst triangle"), exact, worst, Judge::Within(1e-8)));
                    let [low, high] = [f64::min, f64::max].map(|pick| all.iter().copied().fold(exact, pick));
                    rows.push(Row::new("6.3", format!("{what}: spread of ψ"), 1e-11, high - low, Judge::AtMost));
                }
                let force = forces(&world, &state, &mut work);
                let inner = (0..force.len()).filter(|&i| mesh.rest[i].abs().max_element() < 0.5 - 1e-9);
                let most = inner.map(|i| force[i].length()).fold(0.0, f64::max);
                let judge = judged(model, Judge::AtMost);
                rows.push(Row::new("6.3", format!("{what}: largest inner force, N"), 1e-10, most, judge));
            }
            rows.extend(rigid_motion(&world, mesh, &turn, &format!("{kind}, {}", model.name())));
            rows.extend(conservation(&world, &format!("{kind}, {}", model.name())));
        }
    }
    rows
}

fn rigid_motion(world: &World, mesh: &Mesh, turn: &Place, what: &str) -> [Row; 2] {
    let state = State { x: mesh.rest.iter().map(|p| turn.apply(*p)).collect(), ..world.start() };
    let mut work = Workspace::new(world);
    let most = forces(world, &state, &mut work).iter().map(|f| f.length()).fold(0.0, f64::max);
    [
        Row::new(
            "6.3",
            format!("rigid motion, {what}: energy, J"),
            1e-12,
            measure(world, &state).energy(),
            Judge::AtMost,
        ),
        Row::new("6.3", format!("rigid motion, {what}: largest force, N"), 1e-12, most, Judge::AtMost),
    ]
}

/// A crumpled state: force and torque add to nothing, and forces are minus the gradient of the energy.
fn conservation(world: &World, what: &str) -> [Row; 3] {
    let mut state = world.start();
    for (i, x) in state.x.iter_mut().enumerate() {
        *x += Vec3::new(noise(i, 3), noise(i, 4), noise(i, 5)) * 0.02;
    }
    let mut work = Workspace::new(world);
    let force = forces(world, &state, &mut work).to_vec();
    let most = force.iter().map(|f| f.length()).fold(0.0, f64::max);
    let sum = force.iter().copied().sum::<Vec3>().length();
    let torque = force.iter().zip(&state.x).map(|(f, x)| x.cross(*f)).sum::<Vec3>().length();
    let h = 1e-6;
    let mut worst: f64 = 0.0;
    for i in (0..state.x.len()).step_by(7) {
        let gradient = Vec3::AXES.map(|axis| {
            let mut at = |by: f64| {
                let kept = state.x[i];
                state.x[i] += axis * by;
                let energy = measure(world, &state).energy();
                state.x[i] = kept;
                energy
            };
            (at(h) - at(-h)) / (2.0 * h)
        });
        worst = worst.max((Vec3::from(gradient) + force[i]).length());
    }
    let row = |name: &str, limit: f64, found: f64| {
        Row::new("6.3", format!("crumpled, {what}: {name} over the largest"), limit, found / most, Judge::AtMost)
    };
    [
        row("sum of forces", 1e-12, sum),
        row("sum of torques (arms in m)", 1e-12, torque),
        row("force and difference of energies", 1e-6, worst),
    ]
}

/// 6.4: cloth at rest with rest stretches comes to those lengths.
pub fn rest_stretch() -> Vec<Row> {
    let mut rows = Vec::new();
    for model in CONTINUA {
        for (name, kind) in [("alternating", None), ("random", Some(1))] {
            let mesh = kind.map_or(cloth::grid([1.0; 2], [10; 2], Pattern::Alternating), |seed| {
                Mesh::random([1.0; 2], 0.1, seed).unwrap()
            });
            // the whole sheet, one corner held
            let mut made = cloth_of(mesh.clone(), model);
            made.regions = vec![Region { stretch_rest: [1.1, 0.9], ..Region::new(Select::All) }];
            made.pins = vec![Pin::fixed(Select::Corners(vec![Corner::LeftBottom]))];
            let rest = Rest::new(Setup { gravity: Vec3::ZERO, ..Setup::with_cloth(made) }, 1e-6);
            let corner = |c: Corner| rest.state.x[Select::Corners(vec![c]).vertices(&mesh, &mesh.rest)[0] as usize];
            let origin = corner(Corner::LeftBottom);
            let found = [corner(Corner::RightBottom), corner(Corner::LeftTop)].map(|p| rest.value(p.distance(origin)));
            let what = format!("rest stretch 1.1, 0.9, {name}, {}", model.name());
            rows.push(Row::new(
                "6.4",
                format!("{what}: length along the warp, m"),
                1.1,
                found[0],
                Judge::Relative(1e-6),
            ));
            rows.push(Row::new("6.4", format!("{what}: along the weft, m"), 0.9, found[1], Judge::Relative(1e-6)));
        }
        // the middle fifth of a strip
        let mesh = cloth::grid([1.0, 0.2], [20, 4], Pattern::Alternating);
        let mut made = cloth_of(mesh, model);
        let middle = Select::Uv { min: [0.4, 0.0], max: [0.6, 1.0] };
        made.regions = vec![Region { stretch_rest: [1.1, 1.0], ..Region::new(middle) }];
        made.pins = vec![Pin::fixed(Select::Corners(vec![Corner::LeftBottom]))];
        let rest = Rest::new(Setup { gravity: Vec3::ZERO, ..Setup::with_cloth(made) }, 1e-6);
        let length = rest.value(rest.state.x[12].distance(rest.state.x[8]));
        let what = format!("rest stretch 1.1 of a band 0.2 m long, {}: its length, m", model.name());
        rows.push(Row::new("6.4", what, 0.22, length, Judge::Relative(1e-6)));
    }
    rows
}
