//! Sheets that fall on smooth bodies, and a towel that falls into a heap.

use super::Version;
use super::parts::{body, setup};
use taffeta::*;

fn ball(radius: f64) -> Body {
    body("ball", Shape::Sphere { radius }, Vec3::ZERO, Vec3::ZERO)
}

/// A sheet falls on a ball and hangs over it.
pub fn sphere(version: Version) -> Setup {
    let sheet = version.square(1.0, version.of(50, 14), version.of(0.3, 0.26));
    setup(vec![sheet], vec![ball(0.25)], version.of(1.0, 0.2))
}

/// A sheet falls on a lying cylinder, as in Baraff & Witkin 1998, figure 1.
pub fn cylinder(version: Version) -> Setup {
    let sheet = version.square(1.0, version.of(50, 14), version.of(0.2, 0.16));
    let shape = Shape::Cylinder { radius: 0.15, height: 0.7 };
    let cylinder = body("cylinder", shape, Vec3::ZERO, Vec3::new(90.0, 0.0, 0.0));
    setup(vec![sheet], vec![cylinder], version.of(1.0, 0.2))
}

/// Close sheets, 3 mm apart, fall on a ball. Each is shifted a little, so that their vertices do not lie over each
/// other.
fn layers(version: Version, count: u32) -> Setup {
    let layer = |k: u32| {
        let mut sheet = version.square(0.6, version.of(40, 7), 0.154 + 0.003 * f64::from(k));
        sheet.place.at.z = 0.002 * f64::from(k);
        Cloth { name: format!("sheet {k}"), ..sheet }
    };
    setup((0..count).map(layer).collect(), vec![ball(0.15)], version.of(0.6, 0.1))
}

pub fn five_sheets(version: Version) -> Setup {
    layers(version, 5)
}

pub fn ten_sheets(version: Version) -> Setup {
    layers(version, version.of(10, 6))
}

pub fn three_sheets(version: Version) -> Setup {
    layers(version, 3)
}

/// A towel that hangs upright is let go above the floor and falls into a heap.
pub fn towel(version: Version) -> Setup {
    let (height, cells) = (version.of(0.9, 0.5), version.of([30, 90], [6, 20]));
    let mut towel = version.sheet([0.3, height], cells, (0.5 * height + 0.02) * Vec3::Y, Vec3::new(3.0, 0.0, 0.0));
    // what falls straight on its edge has no side to fold to
    towel.noise = Some(Noise { size: 1e-4, seed: 1 });
    setup(vec![towel], vec![body("floor", Shape::Plane, Vec3::ZERO, Vec3::ZERO)], version.of(1.0, 0.4))
}
