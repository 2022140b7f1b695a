//! A box.

use super::{Edges, Geometry, Nearest, Triangles, flat};
use crate::Vec3;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cuboid {
    pub half: Vec3,
}

impl Cuboid {
    pub fn new(size: [f64; 3], scale: f64) -> Self {
        Self { half: Vec3::from_array(size) * (0.5 * scale) }
    }
}

impl Geometry for Cuboid {
    fn nearest(&self, p: Vec3) -> Nearest {
        let sign = Vec3::new(1f64.copysign(p.x), 1f64.copysign(p.y), 1f64.copysign(p.z));
        let d = p.abs() - self.half;
        let outside = d.max(Vec3::ZERO);
        if outside != Vec3::ZERO {
            let distance = outside.length();
            return Nearest { distance, normal: outside / distance * sign };
        }
        // inside, the nearest face counts
        let distance = d.max_element();
        let axis = if d.x == distance {
            Vec3::X
        } else if d.y == distance {
            Vec3::Y
        } else {
            Vec3::Z
        };
        Nearest { distance, normal: axis * sign }
    }

    fn edges(&self) -> Edges {
        Edges::Box { half: self.half }
    }

    flat!();

    fn thinnest(&self) -> f64 {
        self.half.min_element()
    }

    fn width(&self) -> f64 {
        let thick = 2.0 * self.thinnest();
        2.0 * self.half.to_array().into_iter().sum::<f64>() - thick - 2.0 * self.half.max_element()
    }

    fn farthest(&self, n: Vec3) -> Option<Vec3> {
        Some(self.half * Vec3::new(n.x.signum(), n.y.signum(), n.z.signum()))
    }

    fn shrunk(&self, by: f64) -> Self {
        Self { half: self.half - Vec3::splat(by) }
    }

    fn extents(&self) -> Option<Vec3> {
        Some(2.0 * self.half)
    }

    fn triangles(&self, _: u32) -> Option<Triangles> {
        let corner = |i: u32| Vec3::new(sign(i & 1), sign(i & 2), sign(i & 4)) * self.half;
        // the faces are -x, +x, -y, +y, -z, +z, counterclockwise as seen from outside
        let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let triangles = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        Some(((0..8).map(corner).collect(), triangles))
    }

    #[cfg(test)]
    fn samples() -> Vec<Self> {
        vec![Self { half: Vec3::new(0.2, 0.3, 0.1) }]
    }

    #[cfg(test)]
    fn surface(&self) -> Vec<Vec3> {
        let steps = super::turned::tests::STEPS;
        let mut points = Vec::new();
        for i in 0..=steps {
            for j in 0..=steps {
                let [a, b] = [i, j].map(|i| 2.0 * f64::from(i) / f64::from(steps) - 1.0);
                for side in [-1.0, 1.0] {
                    let faces = [Vec3::new(side, a, b), Vec3::new(a, side, b), Vec3::new(a, b, side)];
                    points.extend(faces.map(|q| q * self.half));
                }
            }
        }
        points
    }
}

fn sign(bit: u32) -> f64 {
    if bit == 0 { -1.0 } else { 1.0 }
}
