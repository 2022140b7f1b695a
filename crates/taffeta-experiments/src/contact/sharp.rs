//! Bodies that are meshes: points, edges, holes, and a figure.

use super::parts::{FLAT, body, setup, shifts};
use super::{Version, figure, forms};
use taffeta::*;

/// A thin needle stands under a falling sheet, between its vertices.
pub fn needle(version: Version) -> Setup {
    let at = Vec3::new(0.003, 0.0, 0.004);
    let needle = body("needle", forms::pyramid(3, 0.01, 0.3), at, Vec3::ZERO);
    setup(vec![version.square(0.4, version.of(40, 10), 0.03)], vec![needle], version.of(1.0, 0.3))
}

/// A sheet falls across the edge of a knife, which is not parallel to its own edges.
pub fn knife(version: Version) -> Setup {
    let knife = body("knife", forms::wedge(0.6, 0.02, 0.3), Vec3::X * 0.02, Vec3::Y * 20.0);
    setup(vec![version.square(0.4, version.of(40, 10), 0.03)], vec![knife], version.of(1.0, 0.3))
}

/// A sheet falls on a bed of spikes.
pub fn spikes(version: Version) -> Setup {
    let bed = body("spikes", forms::spikes(version.of(8, 3), 0.06, 0.015, 0.12), Vec3::ZERO, Vec3::Y * 7.0);
    setup(vec![version.square(0.5, version.of(50, 12), 0.03)], vec![bed], version.of(0.8, 0.3))
}

/// A sheet falls into a funnel and slides down.
pub fn funnel(version: Version) -> Setup {
    let funnel = body("funnel", forms::funnel(32, [0.07, 0.3], 0.3), Vec3::ZERO, Vec3::ZERO);
    setup(vec![version.square(0.5, version.of(40, 10), 0.31)], vec![funnel], version.of(1.2, 0.3))
}

/// A sheet falls on a figure with legs and horns.
pub fn on_figure(version: Version) -> Setup {
    let figure = body("figure", figure::figure(version.of(0.027, 0.04)), Vec3::ZERO, Vec3::ZERO);
    let sheet = version.square(0.8, version.of(50, 12), figure::HEIGHT + 0.02);
    setup(vec![sheet], vec![figure], version.of(1.2, 0.25))
}

/// A pin pulls a sheet by its middle through a ring.
pub fn ring(version: Version) -> Setup {
    let ring = body("ring", forms::ring([32, 16], 0.075, 0.015), Vec3::ZERO, Vec3::ZERO);
    let mut sheet = version.sheet([0.3; 2], version.of([30; 2], [10; 2]), 0.03 * Vec3::Y, FLAT);
    let (seconds, way) = version.of((1.0, 0.3), (0.2, 0.08));
    let motion = shifts(&[(0.0, Vec3::ZERO), (seconds, -way * Vec3::Y)]);
    let middle = Select::Sphere { centre: 0.03 * Vec3::Y, radius: 0.016 };
    sheet.pins = vec![Pin { motion, ..Pin::fixed(middle) }];
    setup(vec![sheet], vec![ring], seconds)
}
