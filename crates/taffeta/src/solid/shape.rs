//! Exact signed distances of the shapes of bodies, in the body's own coordinates.
//!
//! Solids of revolution about y are seen in their half plane (ρ, y), ρ ≥ 0.

use crate::Vec3;
use crate::setup::Shape;
use glam::DVec2;

/// The surface of a body next to a point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Nearest {
    /// Distance, m; negative inside.
    pub distance: f64,
    /// Gradient of the distance: outwards, length 1.
    pub normal: Vec3,
}

/// A shape whose distance is known in closed form; lengths in m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Exact {
    Plane,
    Sphere { radius: f64 },
    Box { half: Vec3 },
    Capsule { radius: f64, half: f64 },
    Cylinder { radius: f64, half: f64 },
    Cone { radius: f64, half: f64 },
    Torus { radius: f64, tube: f64 },
}

impl Exact {
    /// `None` for meshes.
    pub fn new(shape: &Shape, scale: f64) -> Option<Self> {
        Some(match *shape {
            Shape::Plane => Self::Plane,
            Shape::Sphere { radius } => Self::Sphere { radius: radius * scale },
            Shape::Box { size } => Self::Box { half: Vec3::from_array(size) * (0.5 * scale) },
            Shape::Capsule { radius, height } => Self::Capsule { radius: radius * scale, half: 0.5 * height * scale },
            Shape::Cylinder { radius, height } => Self::Cylinder { radius: radius * scale, half: 0.5 * height * scale },
            Shape::Cone { radius, height } => Self::Cone { radius: radius * scale, half: 0.5 * height * scale },
            Shape::Torus { radius, tube } => Self::Torus { radius: radius * scale, tube: tube * scale },
            Shape::Mesh(_) => return None,
        })
    }

    /// The surface next to a point.
    pub fn nearest(&self, p: Vec3) -> Nearest {
        #[cfg(test)]
        tests::LOOKS.set(tests::LOOKS.get() + 1);
        match *self {
            Self::Plane => Nearest { distance: p.y, normal: Vec3::Y },
            Self::Sphere { radius } => from_centre(p, radius),
            Self::Capsule { radius, half } => from_centre(p - Vec3::Y * p.y.clamp(-half, half), radius),
            Self::Box { half } => cuboid(p, half),
            Self::Cylinder { radius, half } => revolved(p, |q| {
                let d = DVec2::new(q.x - radius, q.y.abs() - half);
                let up = if q.y < 0.0 { -1.0 } else { 1.0 };
                if d.x > 0.0 && d.y > 0.0 {
                    let distance = d.length();
                    (distance, DVec2::new(d.x, d.y * up) / distance)
                } else if d.x > d.y {
                    (d.x, DVec2::X)
                } else {
                    (d.y, DVec2::Y * up)
                }
            }),
            Self::Cone { radius, half } => revolved(p, |q| cone(q, radius, half)),
            Self::Torus { radius, tube } => revolved(p, |q| {
                let d = q - DVec2::new(radius, 0.0);
                let length = d.length();
                (length - tube, if length > 0.0 { d / length } else { DVec2::X })
            }),
        }
    }

    /// Distance, m; negative inside.
    pub fn distance(&self, p: Vec3) -> f64 {
        self.nearest(p).distance
    }

    /// The least distance of a triangle, m: its distance is convex along any line outside a convex body. A torus is looked at in
    /// points a sixteenth of the triangle apart.
    pub fn least_distance(&self, x: [Vec3; 3]) -> f64 {
        let longest = x[0].distance(x[1]).max(x[1].distance(x[2])).max(x[2].distance(x[0]));
        let nearest = x.iter().map(|p| self.distance(*p)).fold(f64::INFINITY, f64::min);
        if nearest > longest {
            return nearest - longest; // far away: a bound is enough
        }
        if matches!(self, Self::Torus { .. }) {
            let grid = (0..=16).flat_map(|i| (0..=16 - i).map(move |j| (f64::from(i) / 16.0, f64::from(j) / 16.0)));
            return grid
                .map(|(a, b)| self.distance(x[0] + (x[1] - x[0]) * a + (x[2] - x[0]) * b))
                .fold(f64::INFINITY, f64::min);
        }
        let along = |a: Vec3, b: Vec3| {
            least(|t| self.distance(a.lerp(b, t))) // between two sides
        };
        least(|t| along(x[0].lerp(x[1], t), x[0].lerp(x[2], t)))
    }

    /// Whether a straight way leads deeper into the shape than `depth`, m.
    pub fn is_deeper_on_way(&self, a: Vec3, b: Vec3, depth: f64) -> bool {
        // a torus can be passed twice: pieces no longer than its tube, and not many for ways to nowhere
        let pieces = match *self {
            Self::Torus { tube, .. } => (a.distance(b) / tube).ceil().clamp(8.0, 1000.0) as u32,
            _ => 1,
        };
        // most ways are far away as a whole
        if self.stays_above(a, b, -depth) {
            return false;
        }
        let point = |i: u32| a.lerp(b, f64::from(i) / f64::from(pieces));
        (0..pieces)
            .map(|i| (point(i), point(i + 1)))
            .any(|(a, b)| !self.stays_above(a, b, -depth) && least(|t| self.distance(a.lerp(b, t))) < -depth)
    }

    /// Whether the distance on a straight way is above a level for sure, by its ends alone: it changes by no more than
    /// the way that is gone.
    fn stays_above(&self, a: Vec3, b: Vec3, level: f64) -> bool {
        let (ends, way) = (self.distance(a) + self.distance(b), a.distance(b));
        // the rest is for rounding
        ends - way > 2.0 * level + 1e-9 * (ends.abs() + way)
    }

    /// Whether a straight way between two of its points never leaves it.
    pub fn is_convex(&self) -> bool {
        !matches!(self, Self::Torus { .. })
    }

    /// The smallest radius of curvature of its smooth faces near a point, m: infinite where they are flat.
    pub fn radius_at(&self, p: Vec3) -> f64 {
        match *self {
            Self::Plane | Self::Box { .. } => f64::INFINITY,
            Self::Sphere { radius } | Self::Capsule { radius, .. } => radius,
            Self::Cylinder { radius, half } => {
                if p.y.abs() >= half {
                    f64::INFINITY
                } else {
                    radius
                }
            }
            Self::Cone { radius, half } => {
                if p.y <= -half {
                    return f64::INFINITY;
                }
                // of the circle about the axis that touches the slant from inside
                let slant = radius.hypot(2.0 * half);
                let across = radius * ((half - p.y) / (2.0 * half)).clamp(0.0, 1.0);
                across * slant / (2.0 * half)
            }
            Self::Torus { tube, .. } => tube,
        }
    }

    /// The largest [`radius_at`](Self::radius_at) of its round faces, m; 0 if it has none.
    pub fn roundest(&self) -> f64 {
        match *self {
            Self::Plane | Self::Box { .. } => 0.0,
            Self::Sphere { radius } | Self::Capsule { radius, .. } | Self::Cylinder { radius, .. } => radius,
            Self::Cone { radius, half } => radius * radius.hypot(2.0 * half) / (2.0 * half),
            Self::Torus { tube, .. } => tube,
        }
    }

    /// Whether it has edges or corners that a coarse cloth could be cut by, between vertices.
    pub fn is_sharp(&self) -> bool {
        matches!(self, Self::Box { .. } | Self::Cylinder { .. } | Self::Cone { .. })
    }

    /// Size of what can be missed between two looks at a moving body, m: half of its smallest thickness.
    pub fn thinnest(&self) -> f64 {
        match *self {
            Self::Plane => f64::INFINITY,
            Self::Sphere { radius } | Self::Capsule { radius, .. } => radius,
            Self::Box { half } => half.min_element(),
            Self::Cylinder { radius, half } => radius.min(half),
            Self::Cone { radius, half } => inscribed(radius, half),
            Self::Torus { tube, .. } => tube,
        }
    }

    /// How far a convex body reaches along a direction of length 1, and where: h(n) = max n·p.
    pub fn support(&self, n: Vec3) -> Option<(f64, Vec3)> {
        let across = DVec2::new(n.x, n.z);
        let outwards = |radius: f64| {
            let length = across.length();
            let u = if length > 0.0 { across / length } else { DVec2::X };
            Vec3::new(u.x, 0.0, u.y) * radius
        };
        let up = if n.y < 0.0 { -1.0 } else { 1.0 };
        let p = match *self {
            Self::Plane | Self::Torus { .. } => return None,
            Self::Sphere { radius } => n * radius,
            Self::Capsule { radius, half } => n * radius + Vec3::Y * (up * half),
            Self::Box { half } => half * Vec3::new(n.x.signum(), n.y.signum(), n.z.signum()),
            Self::Cylinder { radius, half } => outwards(radius) + Vec3::Y * (up * half),
            Self::Cone { radius, half } => {
                let (tip, rim) = (Vec3::Y * half, outwards(radius) - Vec3::Y * half);
                if n.dot(tip) > n.dot(rim) { tip } else { rim }
            }
        };
        Some((n.dot(p), p))
    }

    /// The same shape made smaller: all points at least `by` inside. Its outer distance is smooth where that of the shape
    /// itself changes its direction at once, behind edges and corners.
    pub fn shrunk(&self, by: f64) -> Self {
        match *self {
            Self::Plane => Self::Plane,
            Self::Sphere { radius } => Self::Sphere { radius: radius - by },
            Self::Box { half } => Self::Box { half: half - Vec3::splat(by) },
            Self::Capsule { radius, half } => Self::Capsule { radius: radius - by, half },
            Self::Cylinder { radius, half } => Self::Cylinder { radius: radius - by, half: half - by },
            // similar, about the centre of the inscribed ball; see `core_shift`
            Self::Cone { radius, half } => {
                let share = 1.0 - by / inscribed(radius, half);
                Self::Cone { radius: radius * share, half: half * share }
            }
            Self::Torus { radius, tube } => Self::Torus { radius, tube: tube - by },
        }
    }

    /// Where the origin of [`shrunk`](Self::shrunk) is.
    pub fn core_shift(&self, by: f64) -> Vec3 {
        match *self {
            Self::Cone { radius, half } => {
                let ball = inscribed(radius, half);
                // the centre of the ball stays: y = -half + ball before, and at the same share of the smaller cone after
                Vec3::Y * ((by / ball) * (ball - half))
            }
            _ => Vec3::ZERO,
        }
    }
}

/// The least value of a convex function on [0, 1].
fn least(f: impl Fn(f64) -> f64) -> f64 {
    f(argument_of_least(0.0, 1.0, &f)).min(f(0.0)).min(f(1.0))
}

/// Where a convex function is least, by golden sections.
pub(crate) fn argument_of_least(low: f64, high: f64, f: impl Fn(f64) -> f64) -> f64 {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let (mut a, mut b) = (low, high);
    let (mut c, mut d) = (b - GOLDEN * (b - a), a + GOLDEN * (b - a));
    let (mut fc, mut fd) = (f(c), f(d));
    for _ in 0..28 {
        if fc < fd {
            (b, d, fd) = (d, c, fc);
            c = b - GOLDEN * (b - a);
            fc = f(c);
        } else {
            (a, c, fc) = (c, d, fd);
            d = a + GOLDEN * (b - a);
            fd = f(d);
        }
    }
    if fc < fd { c } else { d }
}

/// Radius of the ball in a cone.
fn inscribed(radius: f64, half: f64) -> f64 {
    let slant = radius.hypot(2.0 * half);
    2.0 * half * radius / (radius + slant)
}

fn from_centre(d: Vec3, radius: f64) -> Nearest {
    let length = d.length();
    Nearest { distance: length - radius, normal: if length > 0.0 { d / length } else { Vec3::Y } }
}

fn cuboid(p: Vec3, half: Vec3) -> Nearest {
    let sign = Vec3::new(1f64.copysign(p.x), 1f64.copysign(p.y), 1f64.copysign(p.z));
    let d = p.abs() - half;
    let outside = d.max(Vec3::ZERO);
    if outside != Vec3::ZERO {
        let distance = outside.length();
        return Nearest { distance, normal: outside / distance * sign };
    }
    // inside: the nearest face
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

/// From the half plane back into space.
fn revolved(p: Vec3, profile: impl Fn(DVec2) -> (f64, DVec2)) -> Nearest {
    let across = p.x.hypot(p.z);
    let (distance, g) = profile(DVec2::new(across, p.y));
    let u = if across > 0.0 { Vec3::new(p.x / across, 0.0, p.z / across) } else { Vec3::X };
    Nearest { distance, normal: u * g.x + Vec3::Y * g.y }
}

/// The triangle (0, half), (radius, -half), (0, -half); its third side is the axis and no border.
fn cone(q: DVec2, radius: f64, half: f64) -> (f64, DVec2) {
    let (tip, rim) = (DVec2::new(0.0, half), DVec2::new(radius, -half));
    let outwards = DVec2::new(2.0 * half, radius).normalize();
    let along = (rim - tip) / (rim - tip).length_squared();
    let slant = outwards.dot(q - tip);
    let base = -half - q.y;
    if slant <= 0.0 && base <= 0.0 {
        return if slant > base { (slant, outwards) } else { (base, DVec2::NEG_Y) };
    }
    // outside: the nearest point of slant and base
    let on_slant = tip + (rim - tip) * along.dot(q - tip).clamp(0.0, 1.0);
    let on_base = DVec2::new(q.x.clamp(0.0, radius), -half);
    let [a, b] = [on_slant, on_base].map(|r| (q - r).length());
    let (distance, foot) = if a <= b { (a, on_slant) } else { (b, on_base) };
    let normal = if distance > 0.0 {
        (q - foot) / distance
    } else if base > slant {
        DVec2::NEG_Y
    } else {
        outwards
    };
    (distance, normal)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::random::signed;

    thread_local! {
        /// How often a distance was asked for.
        pub static LOOKS: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
    }

    pub fn shapes() -> Vec<Exact> {
        vec![
            Exact::Plane,
            Exact::Sphere { radius: 0.3 },
            Exact::Box { half: Vec3::new(0.2, 0.3, 0.1) },
            Exact::Capsule { radius: 0.15, half: 0.2 },
            Exact::Cylinder { radius: 0.2, half: 0.3 },
            Exact::Cylinder { radius: 0.4, half: 0.05 },
            Exact::Cone { radius: 0.2, half: 0.3 },
            Exact::Cone { radius: 0.4, half: 0.1 },
            Exact::Torus { radius: 0.3, tube: 0.1 },
        ]
    }

    fn point(k: u64, size: f64) -> Vec3 {
        Vec3::new(signed(5, 3 * k), signed(5, 3 * k + 1), signed(5, 3 * k + 2)) * size
    }

    /// Points on each surface, dense enough to be a rough distance by themselves.
    fn surface(shape: &Exact) -> Vec<Vec3> {
        let mut points = Vec::new();
        let steps = 160;
        let turn = |q: DVec2, points: &mut Vec<Vec3>| {
            for i in 0..2 * steps {
                let (sin, cos) = (f64::from(i) * std::f64::consts::PI / f64::from(steps)).sin_cos();
                points.push(Vec3::new(q.x * cos, q.y, q.x * sin));
            }
        };
        let line = |a: DVec2, b: DVec2, points: &mut Vec<Vec3>| {
            (0..=steps).for_each(|i| turn(a.lerp(b, f64::from(i) / f64::from(steps)), points));
        };
        let arc = |centre: DVec2, radius: f64, points: &mut Vec<Vec3>| {
            for i in 0..2 * steps {
                let (sin, cos) = (f64::from(i) * std::f64::consts::PI / f64::from(steps)).sin_cos();
                let q = centre + DVec2::new(cos, sin) * radius;
                if q.x >= 0.0 {
                    turn(q, points);
                }
            }
        };
        let p = DVec2::new;
        match *shape {
            Exact::Plane => {}
            Exact::Sphere { radius } => arc(DVec2::ZERO, radius, &mut points),
            Exact::Capsule { radius, half } => {
                line(p(radius, -half), p(radius, half), &mut points);
                arc(p(0.0, half), radius, &mut points);
                arc(p(0.0, -half), radius, &mut points);
                points.retain(|q| (q - Vec3::Y * q.y.clamp(-half, half)).length() > radius * (1.0 - 1e-9));
            }
            Exact::Cylinder { radius, half } => {
                line(p(radius, -half), p(radius, half), &mut points);
                line(p(0.0, half), p(radius, half), &mut points);
                line(p(0.0, -half), p(radius, -half), &mut points);
            }
            Exact::Cone { radius, half } => {
                line(p(0.0, half), p(radius, -half), &mut points);
                line(p(0.0, -half), p(radius, -half), &mut points);
            }
            Exact::Torus { radius, tube } => arc(p(radius, 0.0), tube, &mut points),
            Exact::Box { half } => {
                for i in 0..=steps {
                    for j in 0..=steps {
                        let [a, b] = [i, j].map(|i| 2.0 * f64::from(i) / f64::from(steps) - 1.0);
                        for side in [-1.0, 1.0] {
                            points.extend(
                                [Vec3::new(side, a, b), Vec3::new(a, side, b), Vec3::new(a, b, side)].map(|q| q * half),
                            );
                        }
                    }
                }
            }
        }
        points
    }

    /// Against the points of the surface: nowhere larger than the distance to them, and not smaller by more than their spacing.
    #[test]
    fn distances_are_those_to_the_surface() {
        for shape in shapes().into_iter().filter(|shape| *shape != Exact::Plane) {
            let points = surface(&shape);
            for k in 0..300 {
                let p = point(k, 0.7);
                let rough = points.iter().map(|q| q.distance(p)).fold(f64::INFINITY, f64::min);
                let exact = shape.distance(p).abs();
                assert!(exact <= rough + 1e-12 && rough - exact < 5e-3, "{shape:?} {p}: {exact} and {rough}");
            }
            assert!(points.iter().all(|q| shape.distance(*q).abs() < 1e-12), "{shape:?}");
        }
    }

    /// The foot of the normal lies on the surface, on both sides of it, and the gradient is that of the distance.
    #[test]
    fn normals_lead_to_the_surface() {
        for shape in shapes() {
            let mut checked = 0;
            for k in 0..2000 {
                let p = point(k, 0.6);
                let Nearest { distance, normal } = shape.nearest(p);
                assert!((normal.length() - 1.0).abs() < 1e-12, "{shape:?} {p}");
                assert!(shape.distance(p - normal * distance).abs() < 1e-12, "{shape:?} {p}");
                let e = 1e-6;
                let by_differences = Vec3::from_array(
                    [Vec3::X, Vec3::Y, Vec3::Z]
                        .map(|axis| (shape.distance(p + axis * e) - shape.distance(p - axis * e)) / (2.0 * e)),
                );
                checked += u32::from(by_differences.distance(normal) < 1e-5); // not on the medial surface
            }
            assert!(checked > 1990, "{shape:?}: {checked}");
        }
    }

    #[test]
    fn supports_and_cores_belong_to_the_shape() {
        for shape in shapes().into_iter().filter(|shape| *shape != Exact::Plane) {
            let by = 0.4 * shape.thinnest().min(1.0);
            let (core, shift) = (shape.shrunk(by), shape.core_shift(by));
            let points: Vec<Vec3> = surface(&shape).into_iter().step_by(97).collect();
            for k in 0..500 {
                let n = point(k, 1.0).normalize();
                if let Some((far, p)) = shape.support(n) {
                    assert!(shape.distance(p).abs() < 1e-12 && (far - n.dot(p)).abs() < 1e-12);
                    let inside = |q: &Vec3| n.dot(*q) <= far + 1e-12;
                    assert!(points.iter().all(inside), "{shape:?}");
                }
                // points of the core are `by` inside, those on its border exactly
                let q = point(k + 1000, 0.5);
                let near = core.nearest(q - shift);
                let foot = q - near.normal * near.distance;
                let depth = -shape.distance(foot);
                assert!(depth > by - 1e-12, "{shape:?} {q}: {depth} {by}");
            }
        }
    }

    /// Against points a thousandth of the way apart.
    #[test]
    fn ways_into_a_shape_are_seen() {
        for shape in shapes() {
            let mut deep = 0;
            for k in 0..2000 {
                let (a, b) = (point(2 * k, 0.6), point(2 * k + 1, 0.6));
                let least = (0..=1000).map(|i| shape.distance(a.lerp(b, f64::from(i) / 1000.0)));
                let depth = -least.fold(f64::INFINITY, f64::min);
                let spacing = a.distance(b) / 1000.0;
                assert!(shape.is_deeper_on_way(a, b, depth - spacing), "{shape:?} {a} {b}");
                // a torus is looked at in pieces, where its distance is nearly convex
                assert!(!shape.is_deeper_on_way(a, b, depth + spacing), "{shape:?} {a} {b}");
                deep += u32::from(depth > 0.0);
            }
            assert!(deep > 100, "{shape:?}: {deep}");
        }
    }

    /// A body that turns far away is passed by long ways in its own coordinates.
    #[test]
    fn ways_and_triangles_far_away_cost_a_few_looks() {
        for shape in [Exact::Torus { radius: 0.3, tube: 0.02 }, Exact::Box { half: Vec3::new(0.3, 0.05, 0.3) }] {
            LOOKS.set(0);
            let around = |k: u32| Vec3::new(2.0 * f64::from(k).cos(), 0.1, 2.0 * f64::from(k).sin());
            (0..100).for_each(|k| assert!(!shape.is_deeper_on_way(around(k), around(k + 1), 1e-3)));
            assert!(LOOKS.get() <= 200, "{shape:?}: {}", LOOKS.get());
            LOOKS.set(0);
            assert!(shape.least_distance([0.0, 0.1, 0.2].map(|x| Vec3::new(2.0, x, x * x))) > 1.0);
            assert!(LOOKS.get() <= 3, "{shape:?}: {}", LOOKS.get());
        }
    }

    #[test]
    fn nothing_is_undefined_on_axes_and_at_centres() {
        for shape in shapes() {
            for p in [Vec3::ZERO, Vec3::Y * 0.3, Vec3::Y * -0.3, Vec3::Y, Vec3::X * 0.3, -Vec3::Z * 0.3] {
                let Nearest { distance, normal } = shape.nearest(p);
                assert!(distance.is_finite() && (normal.length() - 1.0).abs() < 1e-12, "{shape:?} {p}");
            }
        }
    }
}
