//! Cloth between bodies and pins that move and do not give way.

use super::Version;
use super::parts::{body, setup, shifts};
use std::f64::consts::{SQRT_2, TAU};
use taffeta::*;

/// How far apart the ends of a wound sheet are so that its long borders keep their lengths, m. First they are helices
/// of its half width. Then the sheet is a rope of radius [`ROPE`] between two cones of 45° that gather its width, and
/// the borders are helices around it.
fn ends([length, width]: [f64; 2], turns: f64) -> f64 {
    let angle = TAU * turns;
    let rise = |length: f64, radius: f64| (length * length - (angle * radius).powi(2)).max(0.0).sqrt();
    let in_rope = length - SQRT_2 * width;
    rise(length, 0.5 * width).max(width + rise(in_rope, ROPE))
}

/// m. A sheet of 20 cm that is 2 mm thick fills a third of it.
const ROPE: f64 = 0.02;

/// Both ends of a sheet turn against each other, and come together as it winds.
fn wound(version: Version, size: [f64; 2], cells: [u32; 2], turns: f64, seconds: f64) -> Setup {
    let mut sheet = version.sheet(size, cells, Vec3::ZERO, Vec3::ZERO);
    // what is exactly flat would not know where to fold to
    sheet.noise = Some(Noise { size: 1e-4, seed: 1 });
    let count = 64;
    let pin = |side: Side, sign: f64| {
        let key = |k: u32| {
            let share = f64::from(k) / f64::from(count);
            let nearer = 0.5 * (size[0] - ends(size, turns * share));
            Key { t: seconds * share, shift: -sign * nearer * Vec3::X, turn: sign * 180.0 * turns * share * Vec3::X }
        };
        let motion = Motion { keys: (0..=count).map(key).collect(), smooth: false };
        Pin { motion, ..Pin::fixed(Select::Edge(vec![side])) }
    };
    sheet.pins = vec![pin(Side::Left, -1.0), pin(Side::Right, 1.0)];
    Setup { gravity: Vec3::ZERO, ..setup(vec![sheet], Vec::new(), seconds) }
}

/// Four turns.
pub fn twist(version: Version) -> Setup {
    let (turns, seconds) = version.of((4.0, 2.0), (1.0, 0.4));
    wound(version, [0.9, 0.2], version.of([130, 28], [26, 6]), turns, seconds)
}

/// Eight turns of a longer sheet.
pub fn eight_turns(version: Version) -> Setup {
    let (turns, seconds) = version.of((8.0, 4.0), (2.0, 0.6));
    wound(version, [1.5, 0.2], version.of([272, 36], [36, 5]), turns, seconds)
}

/// Four walls and a lid close on a sheet, down to a cube with eight times the room that thick cloth fills.
pub fn closing_box(version: Version) -> Setup {
    let (seconds, least) = version.of((1.6, 0.07), (0.5, 0.13));
    let mut sheet = version.square(0.4, version.of(40, 10), 0.05);
    sheet.noise = Some(Noise { size: 1e-3, seed: 2 });
    let (half, thick) = (0.21, 0.5);
    let wall = |name: &str, from: Vec3, by: Vec3| Body {
        motion: shifts(&[(0.0, Vec3::ZERO), (seconds, by)]),
        ..body(name, Shape::Box { size: [1.0, thick, 1.0] }, from, Vec3::ZERO)
    };
    let side = |name: &str, direction: Vec3, turn: Vec3| {
        let mut wall = wall(name, direction * (half + 0.5 * thick), -direction * (half - least));
        wall.place.rotate = turn;
        wall
    };
    let (about_z, about_x) = (Vec3::Z * 90.0, Vec3::X * 90.0);
    let bodies = vec![
        wall("floor", -0.5 * thick * Vec3::Y, Vec3::ZERO),
        wall("lid", (0.2 + 0.5 * thick) * Vec3::Y, -(0.2 - 2.0 * least).max(0.0) * Vec3::Y),
        side("left", Vec3::NEG_X, about_z),
        side("right", Vec3::X, about_z),
        side("back", Vec3::NEG_Z, about_x),
        side("front", Vec3::Z, about_x),
    ];
    setup(vec![sheet], bodies, seconds + 0.1)
}

/// A ball flies at 50 m/s into a sheet that two edges hold, goes on for 10 cm, and back.
pub fn fast_ball(version: Version) -> Setup {
    let mut sheet = version.sheet([0.6; 2], version.of([50; 2], [14; 2]), Vec3::ZERO, Vec3::ZERO);
    sheet.pins = vec![Pin::fixed(Select::Edge(vec![Side::Left, Side::Right]))];
    let (speed, before, after) = (50.0, 0.1, 0.1);
    let turns = (before + after) / speed;
    let way = (before + after) * Vec3::Z;
    let ball = Body {
        motion: shifts(&[(0.0, Vec3::ZERO), (turns, way), (turns + 0.1, way - 0.3 * Vec3::Z)]),
        ..body("ball", Shape::Sphere { radius: 0.05 }, -(0.051 + before) * Vec3::Z, Vec3::ZERO)
    };
    let mut setup = setup(vec![sheet], vec![ball], version.of(0.2, 0.03));
    setup.time.fps = 600.0;
    setup
}

/// A cloth that hangs over a table is pulled away by an edge at 3 m/s.
pub fn tablecloth(version: Version) -> Setup {
    let (from, seconds) = version.of((0.6, 1.2), (0.1, 0.2));
    let size = 0.3;
    let table = body("table", Shape::Box { size: [0.5, size, 0.5] }, -0.5 * size * Vec3::Y, Vec3::ZERO);
    let mut cloth = version.square(0.8, version.of(50, 14), version.thickness);
    let motion = shifts(&[(from, Vec3::ZERO), (from + 0.6, Vec3::new(1.8, 0.1, 0.0))]);
    cloth.pins = vec![Pin { from, motion, ..Pin::fixed(Select::Edge(vec![Side::Right])) }];
    setup(vec![cloth], vec![table], seconds)
}

/// Two limbs close on a hanging sheet and open again. At their closest they leave 1.3 times its thickness.
pub fn limbs(version: Version) -> Setup {
    let (closing, seconds) = version.of((0.4, 1.2), (0.1, 0.35));
    let mut sheet = version.sheet([0.4; 2], version.of([40; 2], [10; 2]), Vec3::ZERO, Vec3::ZERO);
    sheet.pins = vec![Pin::fixed(Select::Edge(vec![Side::Top]))];
    let radius = 0.05;
    let way = 0.06;
    let limb = |name: &str, direction: Vec3| {
        let shape = Shape::Capsule { radius, height: 0.5 };
        let at = direction * (radius + 0.65 * version.thickness + way);
        let closed = -way * direction;
        let motion = [(0.0, Vec3::ZERO), (closing, closed), (closing + 0.1, closed), (2.0 * closing + 0.1, Vec3::ZERO)];
        Body { motion: shifts(&motion), ..body(name, shape, at, Vec3::new(0.0, 0.0, 70.0)) }
    };
    setup(vec![sheet], vec![limb("one limb", Vec3::Z), limb("other limb", Vec3::NEG_Z)], seconds)
}

/// A sheet that pins hold everywhere is driven through another: the run must end, with no crossing.
pub fn pins(version: Version) -> Setup {
    let hold = |name: &str, height: f64, by: f64| {
        let sheet = version.square(0.2, version.of(10, 4), height);
        let motion = shifts(&[(0.0, Vec3::ZERO), (0.2, by * Vec3::Y)]);
        let pins = vec![Pin { motion, ..Pin::fixed(Select::All) }];
        Cloth { name: name.into(), pins, ..sheet }
    };
    setup(vec![hold("below", 0.0, 0.05), hold("above", 0.02, 0.0)], Vec::new(), 0.5)
}
