//! Solid bodies as triangles with smooth normals.
//!
//! Round bodies are bands of a profile turned about y; 96 segments round look round in any picture.

use taffeta::{Body, Shape, Vec3};

const AROUND: usize = 96;
const ALONG: usize = 48;

/// Triangles with a normal at each vertex.
#[derive(Debug, Default)]
pub(crate) struct Solid {
    pub points: Vec<Vec3>,
    pub normals: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
}

/// The body at a time. A plane has no triangles: see [`plane`].
pub(crate) fn solid(body: &Body, time: f64) -> Solid {
    let mut solid = Solid::default();
    for profile in profiles(&body.shape) {
        solid.turn(&profile);
    }
    if let Shape::Box { size } = body.shape {
        solid.cuboid(Vec3::from_array(size) * 0.5);
    }
    let (points, normals) = (std::mem::take(&mut solid.points), std::mem::take(&mut solid.normals));
    solid.points = points.into_iter().map(|p| place(body, time, p)).collect();
    let origin = place(body, time, Vec3::ZERO);
    let direction = |n: Vec3| (place(body, time, n) - origin).normalize_or_zero();
    solid.normals = normals.into_iter().map(direction).collect();
    solid
}

/// Points that a picture must hold to hold the body.
pub(crate) fn outline(body: &Body, time: f64) -> Vec<Vec3> {
    solid(body, time).points
}

/// A point and the normal of a plane at a time.
pub(crate) fn plane(body: &Body, time: f64) -> Option<(Vec3, Vec3)> {
    let origin = place(body, time, Vec3::ZERO);
    let normal = (place(body, time, Vec3::Y) - origin).normalize_or_zero();
    (body.shape == Shape::Plane && normal != Vec3::ZERO).then_some((origin, normal))
}

fn place(body: &Body, time: f64, p: Vec3) -> Vec3 {
    body.motion.apply(time, body.place.at, body.place.apply(p))
}

/// Radius, height and their normal along a line that is turned about y; from the bottom to the top.
type Profile = Vec<([f64; 2], [f64; 2])>;

fn profiles(shape: &Shape) -> Vec<Profile> {
    let arc = |centre: [f64; 2], radius: f64, from: f64, to: f64, parts: usize| -> Profile {
        let point = |i: usize| {
            let (s, c) = (from + (to - from) * i as f64 / parts as f64).to_radians().sin_cos();
            ([centre[0] + radius * c, centre[1] + radius * s], [c, s])
        };
        (0..=parts).map(point).collect()
    };
    // level, from the axis to the rim or back
    let disc = |radius: f64, y: f64, up: f64| -> Profile {
        let ends = if up < 0.0 { [0.0, radius] } else { [radius, 0.0] };
        ends.map(|r| ([r, y], [0.0, up])).to_vec()
    };
    match *shape {
        Shape::Plane | Shape::Box { .. } => Vec::new(),
        Shape::Sphere { radius } => vec![arc([0.0, 0.0], radius, -90.0, 90.0, ALONG)],
        Shape::Capsule { radius, height } => {
            let mut profile = arc([0.0, -0.5 * height], radius, -90.0, 0.0, ALONG / 2);
            profile.extend(arc([0.0, 0.5 * height], radius, 0.0, 90.0, ALONG / 2));
            vec![profile]
        }
        Shape::Cylinder { radius, height } => {
            let wall = vec![([radius, -0.5 * height], [1.0, 0.0]), ([radius, 0.5 * height], [1.0, 0.0])];
            vec![disc(radius, -0.5 * height, -1.0), wall, disc(radius, 0.5 * height, 1.0)]
        }
        Shape::Cone { radius, height } => {
            let slope = radius.hypot(height).max(f64::MIN_POSITIVE);
            let normal = [height / slope, radius / slope];
            // many bands: near the tip the normals of wide triangles would be wrong
            let wall = (0..=16).map(|i| {
                let s = i as f64 / 16.0;
                ([radius * (1.0 - s), height * (s - 0.5)], normal)
            });
            vec![disc(radius, -0.5 * height, -1.0), wall.collect()]
        }
        Shape::Torus { radius, tube } => vec![arc([radius, 0.0], tube, -180.0, 180.0, ALONG)],
    }
}

impl Solid {
    /// Adds the surface that a profile makes when it is turned about y.
    fn turn(&mut self, profile: &Profile) {
        let first = self.points.len() as u32;
        for i in 0..=AROUND {
            let (s, c) = (i as f64 / AROUND as f64 * std::f64::consts::TAU).sin_cos();
            for ([r, y], [nr, ny]) in profile {
                self.points.push(Vec3::new(r * s, *y, r * c));
                self.normals.push(Vec3::new(nr * s, *ny, nr * c));
            }
        }
        let rows = profile.len() as u32;
        for i in 0..AROUND as u32 {
            for j in 0..rows - 1 {
                let a = first + i * rows + j;
                self.triangles.extend([[a, a + rows, a + rows + 1], [a, a + rows + 1, a + 1]]);
            }
        }
    }

    fn cuboid(&mut self, half: Vec3) {
        for axis in 0..3 {
            for side in [-1.0, 1.0] {
                let mut n = [0.0; 3];
                n[axis] = side;
                let n = Vec3::from_array(n);
                let u = Vec3::new(n.z, n.x, n.y);
                let v = n.cross(u);
                let first = self.points.len() as u32;
                for (a, b) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
                    self.points.push((n + u * a + v * b) * half);
                    self.normals.push(n);
                }
                self.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taffeta::{Key, Motion, Place};

    fn body(shape: Shape) -> Body {
        let keys = vec![
            Key { t: 0.0, shift: Vec3::ZERO, turn: Vec3::ZERO },
            Key { t: 1.0, shift: Vec3::new(0.0, 3.0, 0.0), turn: Vec3::new(90.0, 0.0, 0.0) },
        ];
        Body {
            name: "b".into(),
            shape,
            place: Place { scale: 2.0, rotate: Vec3::new(0.0, 0.0, 90.0), at: Vec3::new(1.0, 0.0, 0.0) },
            motion: Motion { keys, smooth: false },
            friction: None,
            restitution: 0.0,
        }
    }

    #[test]
    fn triangles_of_bodies_face_outwards_like_their_normals() {
        let shapes = [
            Shape::Sphere { radius: 1.0 },
            Shape::Box { size: [1.0, 2.0, 3.0] },
            Shape::Capsule { radius: 0.5, height: 2.0 },
            Shape::Cylinder { radius: 0.5, height: 2.0 },
            Shape::Cone { radius: 1.0, height: 2.0 },
            Shape::Torus { radius: 2.0, tube: 0.5 },
        ];
        for shape in shapes {
            let solid = solid(&body(shape), 0.3);
            assert!(!solid.triangles.is_empty());
            for t in &solid.triangles {
                let [a, b, c] = t.map(|v| solid.points[v as usize]);
                let face = (b - a).cross(c - a);
                let normal = t.iter().map(|&v| solid.normals[v as usize]).sum::<Vec3>();
                // at poles and tips triangles have no area
                assert!(face.length() < 1e-9 || face.normalize().dot(normal.normalize()) > 0.9, "{shape:?} {t:?}");
            }
            // volume by the divergence theorem: closed, and all faces outwards
            let volume = |t: &[u32; 3]| {
                let [a, b, c] = t.map(|v| solid.points[v as usize]);
                a.dot(b.cross(c)) / 6.0
            };
            let found: f64 = solid.triangles.iter().map(volume).sum();
            let pi = std::f64::consts::PI;
            let expected = 8.0
                * match shape {
                    Shape::Sphere { .. } => 4.0 / 3.0 * pi,
                    Shape::Box { .. } => 6.0,
                    Shape::Capsule { .. } => pi * 0.25 * 2.0 + 4.0 / 3.0 * pi * 0.125,
                    Shape::Cylinder { .. } => pi * 0.25 * 2.0,
                    Shape::Cone { .. } => pi * 2.0 / 3.0,
                    _ => 2.0 * pi * 2.0 * pi * 0.25,
                };
            assert!((found / expected - 1.0).abs() < 0.01, "{shape:?}: {found}, not {expected}");
        }
    }

    #[test]
    fn plane_is_placed_and_moved() {
        let (point, normal) = plane(&body(Shape::Plane), 1.0).unwrap();
        assert!((point - Vec3::new(1.0, 3.0, 0.0)).length() < 1e-12);
        assert!((normal - Vec3::new(-1.0, 0.0, 0.0)).length() < 1e-12, "{normal}");
        assert!(plane(&body(Shape::Sphere { radius: 1.0 }), 0.0).is_none());
    }
}
