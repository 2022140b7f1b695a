//! Exact signed distances, and quantities derived from them for any shape.

#[cfg(test)]
use super::Triangles;
use super::{Edges, Exact};
use crate::Vec3;

/// Parts of the sides of a triangle at which a body that is not convex is sampled.
const PARTS: u32 = 16;

/// Least and largest number of pieces of a path by a body that is not convex.
const PIECES: (f64, f64) = (8.0, 1000.0);

/// Rounding error of a difference of distances, as a share of them.
const ROUNDING: f64 = 1e-9;

/// The surface of a body next to a point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Nearest {
    /// Distance, m; negative inside.
    pub distance: f64,
    /// Gradient of the distance: outwards, length 1.
    pub normal: Vec3,
}

impl Nearest {
    /// The surface of a ball, by the vector from its centre.
    pub(super) fn from_centre(d: Vec3, radius: f64) -> Self {
        let length = d.length();
        Self { distance: length - radius, normal: if length > 0.0 { d / length } else { Vec3::Y } }
    }
}

impl Exact {
    /// Whether the shape has edges or corners that could cut a coarse cloth between its vertices.
    pub fn is_sharp(&self) -> bool {
        self.edges() != Edges::Nothing
    }

    /// Signed distance, m; negative inside.
    pub fn distance(&self, p: Vec3) -> f64 {
        self.nearest(p).distance
    }

    /// The least distance of a triangle, m. Outside a convex body the distance is convex along any line. Other bodies
    /// are sampled at points of a regular grid.
    pub fn least_distance(&self, x: [Vec3; 3]) -> f64 {
        let longest = x[0].distance(x[1]).max(x[1].distance(x[2])).max(x[2].distance(x[0]));
        let nearest = x.iter().map(|p| self.distance(*p)).fold(f64::INFINITY, f64::min);
        if nearest > longest {
            return nearest - longest; // a bound is enough for a triangle that is far away
        }
        if !self.is_convex() {
            let share = |i: u32| f64::from(i) / f64::from(PARTS);
            let grid = (0..=PARTS).flat_map(|i| (0..=PARTS - i).map(move |j| (share(i), share(j))));
            return grid
                .map(|(a, b)| self.distance(x[0] + (x[1] - x[0]) * a + (x[2] - x[0]) * b))
                .fold(f64::INFINITY, f64::min);
        }
        let along = |a: Vec3, b: Vec3| {
            least(|t| self.distance(a.lerp(b, t))) // the line goes from one side to another
        };
        least(|t| along(x[0].lerp(x[1], t), x[0].lerp(x[2], t)))
    }

    /// Whether a straight path leads deeper into the shape than `depth`, m.
    pub fn is_deeper_on_way(&self, a: Vec3, b: Vec3, depth: f64) -> bool {
        // a line can pass a torus twice, so it is cut into pieces no longer than the tube; very long lines have a limit
        let pieces = match self.is_convex() {
            true => 1,
            false => (a.distance(b) / self.thinnest()).ceil().clamp(PIECES.0, PIECES.1) as u32,
        };
        // most paths are far away as a whole
        if self.stays_above(a, b, -depth) {
            return false;
        }
        let point = |i: u32| a.lerp(b, f64::from(i) / f64::from(pieces));
        (0..pieces)
            .map(|i| (point(i), point(i + 1)))
            .any(|(a, b)| !self.stays_above(a, b, -depth) && least(|t| self.distance(a.lerp(b, t))) < -depth)
    }

    /// Whether the ends of a straight path alone prove that the distance stays above a level: it changes by no more
    /// than the length of the path.
    fn stays_above(&self, a: Vec3, b: Vec3, level: f64) -> bool {
        let (ends, way) = (self.distance(a) + self.distance(b), a.distance(b));
        ends - way > 2.0 * level + ROUNDING * (ends.abs() + way)
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

#[cfg(test)]
pub(crate) mod tests {
    use super::super::{Cuboid, Plane, Torus};
    use super::*;
    use crate::random::signed;

    thread_local! {
        /// Number of distances that were evaluated.
        pub static QUERIES: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
    }

    fn point(k: u64, size: f64) -> Vec3 {
        Vec3::new(signed(5, 3 * k), signed(5, 3 * k + 1), signed(5, 3 * k + 2)) * size
    }

    /// Against the points of the surface: nowhere larger than the distance to them, and not smaller by more than their
    /// spacing.
    #[test]
    fn distances_are_those_to_the_surface() {
        for shape in Exact::samples().into_iter().filter(|shape| *shape != Exact::Plane(Plane)) {
            let points = shape.surface();
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
        for shape in Exact::samples() {
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
                checked += u32::from(by_differences.distance(normal) < 1e-5); // fails near the medial surface
            }
            assert!(checked > 1990, "{shape:?}: {checked}");
        }
    }

    #[test]
    fn supports_and_cores_belong_to_the_shape() {
        for shape in Exact::samples().into_iter().filter(|shape| *shape != Exact::Plane(Plane)) {
            let by = 0.4 * shape.thinnest().min(1.0);
            let (core, shift) = (shape.shrunk(by), shape.core_shift(by));
            let points: Vec<Vec3> = shape.surface().into_iter().step_by(97).collect();
            for k in 0..500 {
                let n = point(k, 1.0).normalize();
                if let Some((far, p)) = shape.support(n) {
                    assert!(shape.distance(p).abs() < 1e-12 && (far - n.dot(p)).abs() < 1e-12);
                    let inside = |q: &Vec3| n.dot(*q) <= far + 1e-12;
                    assert!(points.iter().all(inside), "{shape:?}");
                }
                // every point of the core is at least `by` inside
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
        for shape in Exact::samples() {
            let mut deep = 0;
            for k in 0..2000 {
                let (a, b) = (point(2 * k, 0.6), point(2 * k + 1, 0.6));
                let least = (0..=1000).map(|i| shape.distance(a.lerp(b, f64::from(i) / 1000.0)));
                let depth = -least.fold(f64::INFINITY, f64::min);
                let spacing = a.distance(b) / 1000.0;
                assert!(shape.is_deeper_on_way(a, b, depth - spacing), "{shape:?} {a} {b}");
                // a torus is searched in pieces, in which its distance is nearly convex
                assert!(!shape.is_deeper_on_way(a, b, depth + spacing), "{shape:?} {a} {b}");
                deep += u32::from(depth > 0.0);
            }
            assert!(deep > 100, "{shape:?}: {deep}");
        }
    }

    /// A body that turns far away is passed by long ways in its own coordinates.
    #[test]
    fn ways_and_triangles_far_away_cost_a_few_looks() {
        let (ring, plate) = (Torus { radius: 0.3, tube: 0.02 }, Cuboid { half: Vec3::new(0.3, 0.05, 0.3) });
        for shape in [Exact::Torus(ring), Exact::Box(plate)] {
            QUERIES.set(0);
            let around = |k: u32| Vec3::new(2.0 * f64::from(k).cos(), 0.1, 2.0 * f64::from(k).sin());
            (0..100).for_each(|k| assert!(!shape.is_deeper_on_way(around(k), around(k + 1), 1e-3)));
            assert!(QUERIES.get() <= 200, "{shape:?}: {}", QUERIES.get());
            QUERIES.set(0);
            assert!(shape.least_distance([0.0, 0.1, 0.2].map(|x| Vec3::new(2.0, x, x * x))) > 1.0);
            assert!(QUERIES.get() <= 3, "{shape:?}: {}", QUERIES.get());
        }
    }

    #[test]
    fn nothing_is_undefined_on_axes_and_at_centres() {
        for shape in Exact::samples() {
            for p in [Vec3::ZERO, Vec3::Y * 0.3, Vec3::Y * -0.3, Vec3::Y, Vec3::X * 0.3, -Vec3::Z * 0.3] {
                let Nearest { distance, normal } = shape.nearest(p);
                assert!(distance.is_finite() && (normal.length() - 1.0).abs() < 1e-12, "{shape:?} {p}");
            }
        }
    }

    /// Signed volume of a closed mesh: positive if its triangles are seen from outside.
    fn volume((x, triangles): &Triangles) -> f64 {
        triangles.iter().map(|t| t.map(|v| x[v as usize])).map(|[a, b, c]| a.dot(b.cross(c)) / 6.0).sum()
    }

    /// The volume is compared with that of the points inside of a grid.
    #[test]
    fn triangles_are_on_the_surface_closed_and_face_outwards() {
        for shape in Exact::samples().into_iter().filter(|shape| *shape != Exact::Plane(Plane)) {
            let mesh = shape.triangles(64).expect("it has an end");
            assert!(mesh.0.iter().all(|p| shape.distance(*p).abs() < 1e-12), "{shape:?}");
            // every edge occurs once in each direction
            let mut edges: Vec<[u32; 2]> = mesh.1.iter().flat_map(|[a, b, c]| [[*a, *b], [*b, *c], [*c, *a]]).collect();
            edges.sort_unstable();
            assert!(edges.windows(2).all(|pair| pair[0] != pair[1]), "{shape:?}");
            assert!(edges.iter().all(|[a, b]| edges.binary_search(&[*b, *a]).is_ok()), "{shape:?}");
            let size = shape.extents().expect("it has an end");
            let n = 60;
            let share = |i: u32| (f64::from(i) + 0.5) / f64::from(n) - 0.5;
            let cells = (0..n * n * n).map(|i| Vec3::new(share(i % n), share(i / n % n), share(i / n / n)) * size);
            let inside = cells.filter(|p| shape.distance(*p) < 0.0).count();
            let expected = size.element_product() * inside as f64 / f64::from(n * n * n);
            let ratio = volume(&mesh) / expected;
            assert!((ratio - 1.0).abs() < 0.02, "{shape:?}: {ratio}");
            // the extents are those of the triangles
            let (low, high) = mesh.0.iter().fold((Vec3::MAX, Vec3::MIN), |(a, b), p| (a.min(*p), b.max(*p)));
            assert!((high - low - size).abs().max_element() < 1e-12, "{shape:?}: {low} {high}");
        }
    }

    /// Whether a point lies on what a shape says of its edges.
    fn is_on(edges: Edges, p: Vec3) -> bool {
        let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
        let (across, p) = (p.x.hypot(p.z), Vec3::new(p.x.abs(), p.y, p.z.abs()));
        match edges {
            Edges::Nothing => false,
            Edges::Box { half } => {
                [near(p.x, half.x), near(p.y.abs(), half.y), near(p.z, half.z)].map(u8::from).iter().sum::<u8>() >= 2
            }
            Edges::Rims { radius, half } => near(across, radius) && near(p.y.abs(), half),
            Edges::Cone { radius, half } => {
                near(across, 0.0) && near(p.y, half) || near(across, radius) && near(p.y, -half)
            }
        }
    }

    /// The radius of curvature of the surface below a point outside, by how fast the normal turns where the point moves
    /// across it: at a distance d from a radius R it turns by 1/(R + d) a metre. On an edge R is 0.
    fn measured_radius(shape: &Exact, p: Vec3) -> f64 {
        let Nearest { distance, normal } = shape.nearest(p);
        let (a, b) = normal.any_orthonormal_pair();
        let step = 1e-4 * distance;
        let turn = |to: Vec3| {
            let to = to * step;
            (shape.nearest(p + to).normal - shape.nearest(p - to).normal) / (2.0 * step)
        };
        // the larger eigenvalue of the derivative of the normal: a surface that is hollow has a negative one
        let (along, across) = (turn(a), turn(b));
        let mean = 0.5 * (a.dot(along) + b.dot(across));
        let spread = (0.5 * (a.dot(along) - b.dot(across))).hypot(0.5 * (a.dot(across) + b.dot(along)));
        1.0 / (mean + spread).max(0.0) - distance
    }

    /// Edges, roundness and thickness of every shape, from its distances alone. `radius_at` is compared at a thousand
    /// points; a few of them are beside an edge, where the normal turns as on neither side.
    #[test]
    fn shapes_are_as_sharp_as_round_and_as_thick_as_they_say() {
        for shape in Exact::samples() {
            let (mut sharp, mut radii, mut checked, mut wrong) = (0, vec![], 0, 0);
            for p in (0..4000).map(|k| point(k, 0.7)).filter(|p| shape.distance(*p) > 0.02) {
                let near = shape.nearest(p);
                let foot = p - near.normal * near.distance;
                let measured = measured_radius(&shape, p);
                checked += 1;
                if measured.abs() < 1e-6 {
                    assert!(is_on(shape.edges(), foot), "{shape:?} is sharp at {foot}, and says {:?}", shape.edges());
                    sharp += 1;
                    continue;
                }
                let said = shape.radius_at(foot + near.normal * 1e-9); // safely on its side of an edge
                let agree = if measured > 1e4 { said == f64::INFINITY } else { (said / measured - 1.0).abs() < 1e-3 };
                wrong += u32::from(!agree);
                if agree && said.is_finite() {
                    radii.push(said);
                }
            }
            assert!(
                checked > 1000 && 100 * wrong < checked,
                "{shape:?}: {wrong} of {checked} radii are not as it says"
            );
            assert_eq!(sharp > 0, shape.is_sharp(), "{shape:?}: {sharp} of {checked} points are next to an edge");
            let most = radii.iter().copied().fold(0.0, f64::max);
            let least = radii.iter().copied().fold(f64::INFINITY, f64::min);
            assert!(shape.roundest() >= most && shape.roundest() < 1.05 * most + 1e-12, "{shape:?}: roundest {most}");
            // the tip of a cone counts as an edge
            let bend = if least < 0.1 * most { f64::INFINITY } else { least };
            assert!(shape.bend() == bend, "{shape:?}: bend {bend}");

            let Some(size) = shape.extents() else {
                assert!(shape.thinnest() == f64::INFINITY && shape.width() == f64::INFINITY && shape.is_convex());
                continue;
            };
            // as thick as a ball inside
            let n = 41;
            let share = |i: u32| f64::from(i % n) / f64::from(n - 1) - 0.5;
            let grid: Vec<Vec3> =
                (0..n * n * n).map(|i| Vec3::new(share(i), share(i / n), share(i / n / n)) * size).collect();
            let depth = grid.iter().map(|p| -shape.distance(*p)).fold(0.0, f64::max);
            let spacing = size.length() / f64::from(n - 1);
            let thinnest = shape.thinnest();
            assert!(depth <= thinnest + 1e-12 && thinnest < depth + spacing, "{shape:?}: depth {depth}");
            let mut sizes = size.to_array();
            sizes.sort_by(f64::total_cmp);
            let width = if shape.is_convex() { sizes[1] } else { 2.0 * thinnest };
            assert!((shape.width() - width).abs() < 1e-12, "{shape:?}: width {width}");

            // between any two points of a convex shape there is nothing but the shape
            let inside: Vec<&Vec3> = grid.iter().filter(|p| shape.distance(**p) <= 0.0).collect();
            let pairs = (0..5000).map(|k| (inside[k * 7919 % inside.len()], inside[k * 104_729 % inside.len()]));
            let farthest = pairs.map(|(a, b)| shape.distance(a.midpoint(*b))).fold(f64::NEG_INFINITY, f64::max);
            assert_eq!(farthest < 1e-12, shape.is_convex(), "{shape:?}: {farthest}");
            assert_eq!(shape.support(Vec3::Y).is_some(), shape.is_convex(), "{shape:?}");
            assert_eq!(shape.pieces(1e-3).is_empty(), shape.is_convex(), "{shape:?}");
        }
    }
}
