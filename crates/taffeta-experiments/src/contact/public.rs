//! Scenes of others with the parameters that they published, on meshes of our own.
//!
//! Codimensional IPC [M. Li, D. Kaufman, C. Jiang, TOG 40(4), 2021] makes its cotton a hundred times softer and limits
//! its stretch to 6 %. Here it has its whole stiffness and no limit, which stretches less. Their contact distance is
//! the thickness here.

use super::Version;
use super::forms;
use super::parts::{FLAT, body, setup, shifts};
use std::f64::consts::TAU;
use taffeta::*;

/// Their cotton: 472.64 kg/m³, 0.318 mm, 0.821 MPa, Poisson's ratio 0.243; and a thickness for contact, m.
fn cotton(thickness: f64, cloth: f64, solid: f64) -> Fabric {
    let (own, young, poisson) = (0.318e-3, 0.821e6, 0.243);
    Fabric {
        density: 472.64 * own,
        thickness,
        stretch: [young * own; 2],
        shear: 0.5 * young * own / (1.0 + poisson),
        bend: [young * f64::powi(own, 3) / (12.0 * (1.0 - poisson * poisson)); 2],
        friction: Friction { cloth, solid },
        ..Fabric::default()
    }
}

impl Version {
    /// A level square of a metre of irregular triangles, with about so many vertices.
    fn irregular(self, name: &str, vertices: f64, height: f64, turn: f64, fabric: Fabric) -> Cloth {
        let edge = (2.0 / 3f64.sqrt() / vertices).sqrt() / self.finer;
        let mesh = Mesh::random([1.0; 2], edge, 1).expect("a square");
        // first around its own normal, then down
        let start = mesh.rest.iter().map(|p| {
            let (sin, cos) = turn.to_radians().sin_cos();
            Vec3::new(cos * p.x + sin * p.y, height, sin * p.x - cos * p.y)
        });
        let start = Some(start.collect());
        Cloth { start, material: Material::Fabric(fabric), ..Cloth::new(name, mesh) }
    }
}

/// Equal frames of some seconds each.
fn frames(mut setup: Setup, each: f64, count: u32) -> Setup {
    setup.time.fps = 1.0 / each;
    setup.time.duration = each * f64::from(count);
    setup
}

/// Codimensional IPC, cloth on a rotating sphere: half a turn a second from 1 s on.
fn rotating_sphere(version: Version, vertices: f64) -> Setup {
    let sheet = version.irregular("sheet", version.of(vertices, 300.0), 0.16, 0.0, cotton(1e-3, 0.1, 0.4));
    let (x, triangles) = forms::ball_mesh(0.15, version.of(3, 2));
    let (from, until) = version.of((1.0, 4.0), (0.1, 0.4));
    let key = |t: f64, turn: f64| Key { t, shift: Vec3::ZERO, turn: turn * Vec3::Y };
    let turns = vec![key(0.0, 0.0), key(from, 0.0), key(until, 180.0 * (until - from))];
    let ball = Body {
        motion: Motion { keys: turns, smooth: false },
        ..body("ball", forms::shape(x, triangles), Vec3::ZERO, Vec3::ZERO)
    };
    let floor = body("floor", Shape::Plane, -0.16 * Vec3::Y, Vec3::ZERO);
    frames(setup(vec![sheet], vec![ball, floor], until), 0.04, version.of(100, 10))
}

pub fn rotating_sphere_8k(version: Version) -> Setup {
    rotating_sphere(version, 8282.0)
}

pub fn rotating_sphere_26k(version: Version) -> Setup {
    rotating_sphere(version, 26_099.0)
}

/// Codimensional IPC: three squares fall into a funnel, and a tetrahedron pushes them through.
pub fn funnel(version: Version) -> Setup {
    let square = |k: u32| {
        let height = 0.2 + 0.05 * f64::from(k);
        let vertices = version.of(26_099.0, 250.0);
        version.irregular(&format!("square {k}"), vertices, height, 45.0 * f64::from(k), cotton(1e-3, 0.4, 0.4))
    };
    let funnel = body("funnel", forms::funnel(64, [0.12, 0.5], 0.4), -0.25 * Vec3::Y, Vec3::ZERO);
    // of edges of 0.1 m
    let tetrahedron = forms::pyramid(3, 0.1 / 3f64.sqrt(), 0.1 * (2f64 / 3.0).sqrt());
    let count = version.of(60, 10);
    let seconds = 0.04 * f64::from(count);
    let tetrahedron = Body {
        motion: shifts(&[(0.0, Vec3::ZERO), (seconds, -0.3 * seconds * Vec3::Y)]),
        ..body("tetrahedron", tetrahedron, version.of(0.5, 0.4) * Vec3::Y, Vec3::X * 180.0)
    };
    frames(setup((0..3).map(square).collect(), vec![funnel, tetrahedron], seconds), 0.04, count)
}

/// Codimensional IPC: the ends of a cylinder of cloth turn by 72° a second against each other, and come together by
/// 5 mm/s each. No gravity, no friction.
fn twisted_cylinder(version: Version, around: u32, along: u32, count: u32) -> Setup {
    let (length, radius) = (1.0, 0.25);
    // opposite lines are vertices, and neighbours have different diagonals
    let around = 4 * version.cells(around / 4);
    let along = version.cells(along);
    let point = |(i, j): (u32, u32)| {
        let (sin, cos) = (TAU * f64::from(j) / f64::from(around)).sin_cos();
        Vec3::new(length * (f64::from(i) / f64::from(along) - 0.5), radius * cos, radius * sin)
    };
    let places = |rows: u32| (0..rows).flat_map(move |i| (0..around).map(move |j| (i, j)));
    let face = |(i, j): (u32, u32)| {
        let number = |i: u32, j: u32| i * around + j % around;
        let [a, b, c, d] = [number(i, j), number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)];
        if (i + j) % 2 == 0 { [[a, c, b], [a, d, c]] } else { [[a, d, b], [b, d, c]] }
    };
    let rest: Vec<Vec3> = places(along + 1).map(point).collect();
    let mesh = Mesh::new(rest.clone(), places(along).flat_map(face).collect(), None).expect("a cylinder");
    let cotton = cotton(1e-3, 0.0, 0.0);
    let seconds = 0.04 * f64::from(count);
    let pin = |row: u32, sign: f64| {
        let key = |t: f64| Key { t, shift: -sign * 0.005 * t * Vec3::X, turn: sign * 72.0 * t * Vec3::X };
        let motion = Motion { keys: vec![key(0.0), key(seconds)], smooth: false };
        Pin { motion, ..Pin::fixed(Select::Vertices((row * around..(row + 1) * around).collect())) }
    };
    let tube = Cloth {
        rest_shape: Some(rest),
        material: Material::Fabric(cotton),
        noise: Some(Noise { size: 1e-4, seed: 1 }),
        pins: vec![pin(0, -1.0), pin(along, 1.0)],
        ..Cloth::new("tube", mesh)
    };
    frames(Setup { gravity: Vec3::ZERO, ..setup(vec![tube], Vec::new(), seconds) }, 0.04, count)
}

/// Two turns of each end.
pub fn twisted_cylinder_7k(version: Version) -> Setup {
    let [around, along, count] = version.of([104, 67, 250], [24, 14, 12]);
    let mut setup = twisted_cylinder(version, around, along, count);
    if version.quick {
        // whole turns in less time
        for pin in &mut setup.cloths[0].pins {
            pin.motion.keys[1].turn.x = 180.0 * pin.motion.keys[1].turn.x.signum();
        }
    }
    setup
}

pub fn twisted_cylinder_88k(version: Version) -> Setup {
    let [around, along, count] = version.of([372, 237, 60], [28, 16, 8]);
    twisted_cylinder(version, around, along, count)
}

/// Codimensional IPC: a ball falls on a stack of squares. Theirs is a soft solid; here it is a shell with its mass.
pub fn ball_on_stack(version: Version) -> Setup {
    let count = version.of(10, 3);
    let spacing = version.of(0.1, 0.03);
    let square = |k: u32| {
        let turn = f64::from(k + 1) * 90.0 / 11.0;
        let height = spacing * f64::from(k + 1);
        version.irregular(&format!("square {k}"), version.of(8282.0, 250.0), height, turn, cotton(1e-3, 0.1, 0.1))
    };
    let (radius, mass) = (0.15, 1000.0 * 2.0 / 3.0 * TAU * 0.15f64.powi(3));
    let shell = Fabric {
        density: mass / (2.0 * TAU * radius * radius),
        thickness: 1e-3,
        stretch: [2e4; 2],
        shear: 1e4,
        bend: [0.5; 2],
        friction: Friction { cloth: 0.1, solid: 0.1 },
        ..Fabric::default()
    };
    let (x, triangles) = forms::ball_mesh(radius, version.of(3, 2));
    let above = spacing * f64::from(count) + version.of(0.25, 0.01) + radius;
    let ball = Cloth {
        rest_shape: Some(x.clone()),
        place: Place { at: above * Vec3::Y, ..Place::default() },
        material: Material::Fabric(shell),
        ..Cloth::new("ball", Mesh::new(x, triangles, None).expect("a ball"))
    };
    let cloths = (0..count).map(square).chain([ball]).collect();
    let floor = body("floor", Shape::Plane, Vec3::ZERO, Vec3::ZERO);
    frames(setup(cloths, vec![floor], 1.0), 0.02, version.of(60, 12))
}

/// ppf-contact-solver, `drape`: five squares of 2 m hang from two corners each over a ball. Theirs are limited to a
/// stretch of 5 %; these are stiff enough to need no limit.
pub fn drape(version: Version) -> Setup {
    let fabric = Fabric {
        density: 1.0,
        thickness: 2e-3,
        stretch: [2e4; 2],
        shear: 1e4,
        bend: [1e-4; 2],
        friction: Friction { cloth: 0.0, solid: 0.0 },
        ..Fabric::default()
    };
    let square = |k: u32| {
        let cells = version.cells(version.of(127, 12));
        let place = Place { at: 0.05 * f64::from(k) * Vec3::Y, rotate: FLAT, ..Place::default() };
        let corners = Select::Corners(vec![Corner::LeftTop, Corner::RightTop]);
        Cloth {
            place,
            material: Material::Fabric(fabric),
            pins: vec![Pin::fixed(corners)],
            ..Cloth::new(format!("square {k}"), Mesh::grid([2.0; 2], [cells; 2], Pattern::Alternating).expect("a grid"))
        }
    };
    let (x, triangles) = forms::ball_mesh(0.5, version.of(4, 2));
    let ball = body("ball", forms::shape(x, triangles), -0.55 * Vec3::Y, Vec3::ZERO);
    frames(setup((0..version.of(5, 2)).map(square).collect(), vec![ball], 1.0), 1.0 / 60.0, version.of(60, 15))
}

/// Offset geometric contact [A. Chen et al., TOG 44(4), 2025]: fifty squares of 70 x 70 vertices fall on a lying
/// cylinder.
pub fn fifty_layers(version: Version) -> Setup {
    let fabric = Fabric {
        density: 0.2,
        thickness: 3e-3,
        // Lamé's constants are 10 N/m each
        stretch: [25.0; 2],
        shear: 10.0,
        bend: [1e-6; 2],
        friction: Friction { cloth: 0.2, solid: 0.2 },
        ..Fabric::default()
    };
    let layer = |k: u32| {
        let mesh = version.sheet([1.0; 2], version.of([69; 2], [10; 2]), Vec3::ZERO, FLAT);
        // theirs are shifted at random by as much
        let (sin, cos) = (2.4 * f64::from(k)).sin_cos();
        let at = Vec3::new(0.003 * cos, 0.3 + 0.003 * f64::from(k), 0.003 * sin);
        let place = Place { at, ..mesh.place };
        Cloth { name: format!("layer {k}"), place, material: Material::Fabric(fabric), ..mesh }
    };
    let shape = Shape::Cylinder { radius: 0.25, height: 0.5 };
    let cylinder = body("cylinder", shape, -0.18 * Vec3::X, Vec3::Z * 90.0);
    let floor = body("floor", Shape::Plane, -0.6 * Vec3::Y, Vec3::ZERO);
    let cloths = (0..version.of(50, 5)).map(layer).collect();
    frames(setup(cloths, vec![cylinder, floor], 1.0), 1.0 / 60.0, version.of(60, 10))
}
