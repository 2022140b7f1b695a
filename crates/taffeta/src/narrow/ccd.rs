//! Continuous collision detection without false negatives.
//!
//! Points move in straight lines. While a plane has all points of one primitive on one side and all points of the other
//! on the other side, at the beginning and at the end of a piece of time, the primitives are apart during all of it.
//! Closest points propose planes. Only the sign tests that confirm a plane count, and these allow for all rounding: so
//! "apart" is certain, and what cannot be confirmed is a contact.
//!
//! Conservative advancement with a directional bound. The step of one plane is the time until the first two points are
//! level along its normal: pairs that slide past each other take one plane.

use super::{Points, closest};
use crate::Vec3;

/// Relative rounding error of a double.
const ROUNDING: f64 = 0.5 * f64::EPSILON;

/// Roundings in the difference of two distances from a plane, in units of the largest coordinate, for a normal whose
/// parts add to 1 in size: six for the place of each point, four for each product, and as many again to be sure.
const ROUNDINGS: f64 = 40.0;

/// Planes that are tried for one piece of time.
const PROBES: u32 = 256;

/// A piece of time that is too short to go on with: what cannot be confirmed beyond it is a contact.
const SHORTEST: f64 = 1e-12;

/// When a vertex (first) and a triangle come to `gap` (m) or closer while all move from `start` to `end` in a unit of
/// time: `None` if certainly never, else a time until which they certainly do not. No contact is ever missed; a pair
/// that stays apart by less than about 1e-14 of its size may be taken for one, and so may a few, fast and close, that
/// some hundred planes do not tell apart.
///
/// ```
/// use taffeta::{Vec3, narrow::ccd};
/// let triangle = [Vec3::ZERO, Vec3::X, Vec3::Y];
/// let pair = |z: f64| [Vec3::new(0.2, 0.2, z), triangle[0], triangle[1], triangle[2]];
/// let time = ccd::vertex_face(&pair(1.0), &pair(-1.0), 0.0).unwrap();
/// assert!(time <= 0.5 && time > 0.499);
/// assert_eq!(ccd::vertex_face(&pair(1.0), &pair(1e-9), 0.0), None);
/// ```
pub fn vertex_face(start: &Points, end: &Points, gap: f64) -> Option<f64> {
    contact::<1>(start, end, gap)
}

/// As [`vertex_face`] for two edges, the first two points and the others.
pub fn edge_edge(start: &Points, end: &Points, gap: f64) -> Option<f64> {
    contact::<2>(start, end, gap)
}

fn contact<const A: usize>(start: &Points, end: &Points, gap: f64) -> Option<f64> {
    let largest = start.iter().chain(end).map(|p| p.abs().max_element()).fold(0.0, f64::max);
    // comparisons with NaN are false
    if !(largest > 0.0 && start.iter().chain(end).all(|p| p.is_finite()) && gap >= 0.0) {
        return Some(0.0);
    }
    let Some(pair) = Pair::<A>::new(start, end, gap, largest) else { return Some(0.0) };
    let mut t = 0.0;
    for _ in 0..PROBES {
        match pair.apart_until(t) {
            Some(next) if next >= 1.0 => return None,
            Some(next) if next > t + SHORTEST => t = next,
            _ => return Some(t),
        }
    }
    Some(t)
}

/// The points in coordinates of their own: from the first one, and of size 1.
struct Pair<const A: usize> {
    start: Points,
    way: Points,
    /// What separates, at least.
    gap: f64,
    /// The largest coordinate, m.
    size: f64,
}

impl<const A: usize> Pair<A> {
    fn new(start: &Points, end: &Points, gap: f64, largest: f64) -> Option<Self> {
        // powers of two scale without rounding
        let scale = power_of_two_below(1.0 / largest);
        let origin = start[0] * scale;
        let local = |p: Vec3| p * scale - origin;
        let (start, end) = (start.map(local), end.map(local));
        let size = start.iter().chain(&end).map(|p| p.abs().max_element()).fold(0.0, f64::max);
        if size == 0.0 {
            return None;
        }
        let way = std::array::from_fn(|i| end[i] - start[i]);
        Some(Self { start, way, gap: gap * scale, size })
    }

    fn at(&self, t: f64) -> Points {
        std::array::from_fn(|i| self.start[i] + self.way[i] * t)
    }

    /// A time until which the primitives are certainly apart from `t` on; `None` if that is not certain at `t` itself.
    fn apart_until(&self, t: f64) -> Option<f64> {
        let x = self.at(t);
        let mut best: Option<f64> = None;
        for normal in self.normals(&x) {
            if let Some(until) = self.confirmed(t, &x, normal) {
                if until >= 1.0 {
                    return Some(until);
                }
                best = Some(best.map_or(until, |known| known.max(until)));
                // the first plane is usually enough; the others are for cases that it cannot decide
                if until > t + SHORTEST {
                    break;
                }
            }
        }
        best
    }

    /// Normals of planes that may separate, from the second primitive to the first, the best one first.
    fn normals(&self, x: &Points) -> impl Iterator<Item = Vec3> {
        let [p, q, r, s] = *x;
        let weights = if A == 1 { closest::vertex_face(*x) } else { closest::edge_edge(*x) };
        let nearest = closest::difference::<A>(x, weights);
        let across = if A == 1 { (r - q).cross(s - q) } else { (q - p).cross(s - r) };
        let others = match A {
            1 => [across, -across, p - q, p - r, p - s, Vec3::ZERO],
            _ => [across, -across, p - r, p - s, q - r, q - s],
        };
        std::iter::once(nearest).chain(others).filter_map(|n| {
            let sum = n.abs().element_sum();
            (sum > 0.0 && sum.is_finite()).then(|| n / sum)
        })
    }

    /// How far the primitives are certainly on their sides of a plane with this normal, from `t` to a later time.
    fn confirmed(&self, t: f64, x: &Points, normal: Vec3) -> Option<f64> {
        let margin = self.gap * normal.length() * (1.0 + 8.0 * ROUNDING) + ROUNDINGS * ROUNDING * self.size;
        let now = x.map(|p| normal.dot(p));
        if least::<A>(&now) <= margin {
            return None;
        }
        // the first time when two points are as close along the normal as is allowed
        let rates = self.way.map(|w| normal.dot(w));
        let mut until = 1.0f64;
        for i in 0..A {
            for j in A..4 {
                let (distance, rate) = (now[i] - now[j], rates[i] - rates[j]);
                if rate < 0.0 {
                    until = until.min(t + (distance - margin) / -rate);
                }
            }
        }
        // that time is rounded: points at it must pass the test themselves
        for _ in 0..8 {
            let later = self.at(until).map(|p| normal.dot(p));
            if least::<A>(&later) > margin {
                return Some(until);
            }
            until = t + (until - t) * (1.0 - 1e-3);
        }
        Some(t)
    }
}

/// How far the values of the first primitive are above those of the second.
fn least<const A: usize>(values: &[f64; 4]) -> f64 {
    let low = values[..A].iter().copied().fold(f64::INFINITY, f64::min);
    let high = values[A..].iter().copied().fold(f64::NEG_INFINITY, f64::max);
    low - high
}

/// The largest power of two that is not above a positive number; what is too large or too small for it is clamped.
fn power_of_two_below(x: f64) -> f64 {
    let exponent = ((x.to_bits() >> 52) & 0x7ff) as i64 - 1023;
    f64::from_bits(((exponent.clamp(-1022, 1023) + 1023) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::signed;

    /// Whole numbers from a seed.
    struct Random(u64, u64);

    impl Random {
        /// From -most to most.
        fn whole(&mut self, most: i64) -> i64 {
            self.1 += 1;
            (signed(self.0, self.1) * (most as f64 + 0.999)) as i64
        }

        fn vector(&mut self, most: i64) -> [i64; 3] {
            std::array::from_fn(|_| self.whole(most))
        }
    }

    type Whole = [[i64; 3]; 4];

    /// What is special about a pair that meets.
    #[derive(Clone, Copy, PartialEq)]
    enum Kind {
        General,
        /// A triangle that is a line, or parallel edges.
        Parallel,
        /// A side of no length.
        Collapsed,
        /// Nearly a line, or nearly parallel.
        Sliver,
        /// All in one plane.
        Coplanar,
        /// Only the first primitive moves.
        OneStill,
        /// Nothing moves.
        Still,
        /// The first primitive slides in the plane of both: it touches and does not cross.
        Grazing,
        /// Ways a million times as long as the primitives.
        Fast,
        /// The first vertex is also one of the second primitive.
        Shared,
    }

    const KINDS: [Kind; 10] = [
        Kind::General,
        Kind::Parallel,
        Kind::Collapsed,
        Kind::Sliver,
        Kind::Coplanar,
        Kind::OneStill,
        Kind::Still,
        Kind::Grazing,
        Kind::Fast,
        Kind::Shared,
    ];

    /// A pair that meets at a known time in whole numbers, so that nothing is rounded: positions then, and ways in a
    /// unit of time, multiples of `parts`.
    fn meeting<const A: usize>(kind: Kind, random: &mut Random, parts: i64) -> (Whole, Whole) {
        let size = 1 << [3, 8, 20][random.whole(1).unsigned_abs() as usize + usize::from(random.whole(3) == 0)];
        let along = |from: [i64; 3], way: [i64; 3], k: i64| std::array::from_fn::<i64, 3, _>(|d| from[d] + k * way[d]);
        let [place, mut u, mut v] = std::array::from_fn(|_| random.vector(size));
        match kind {
            Kind::Parallel => v = u.map(|part| 2 * part),
            Kind::Collapsed if A == 1 => u = [0; 3],
            Kind::Collapsed => v = [0; 3],
            Kind::Sliver => v = along(random.vector(1), u, 2),
            _ => {}
        }
        let mut at: Whole = if A == 1 {
            // corners from which the vertex is a whole number of eighths away
            let i = random.whole(8).abs();
            let j = random.whole(8 - i).abs();
            [along(along(place, u, i), v, j), place, along(place, u, 8), along(place, v, 8)]
        } else {
            let (i, j) = (random.whole(8).abs(), random.whole(8).abs());
            [along(place, u, -i), along(place, u, 8 - i), along(place, v, -j), along(place, v, 8 - j)]
        };
        let fast = if kind == Kind::Fast { 1 << 20 } else { 1 };
        let mut way: Whole = std::array::from_fn(|_| random.vector(size).map(|part| part * parts * fast));
        match kind {
            Kind::Coplanar => at.iter_mut().chain(&mut way).for_each(|p| p[2] = 0),
            Kind::OneStill => way[A..].fill([0; 3]),
            Kind::Still => way.fill([0; 3]),
            Kind::Grazing => {
                let common = way[3];
                let slides = along(along(common, u, parts * random.whole(4)), v, parts * random.whole(4));
                way[..A].fill(slides);
                way[A..].fill(common);
            }
            Kind::Shared => (at[0], way[0]) = (at[3], way[3]),
            _ => {}
        }
        (at, way)
    }

    /// Whole numbers as doubles, far from the origin or not, and from the smallest doubles to nearly the largest.
    fn scaled(random: &mut Random) -> impl Fn([i64; 3]) -> Vec3 {
        let far = [0, 1 << 20, 1 << 40][random.whole(2).unsigned_abs() as usize];
        let offset = random.vector(far);
        let exponent = match random.whole(8) {
            8 => -1074,
            -8 => 970,
            _ => random.whole(400) as i32,
        };
        // powers below 2^-1022 are made in two parts
        let scale = 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2);
        move |p| Vec3::from_array(std::array::from_fn(|d| scale * (p[d] + offset[d]) as f64))
    }

    fn check<const A: usize>(seed: u64, count: u32) {
        let mut random = Random(seed, 0);
        for case in 0..count {
            let kind = KINDS[case as usize % KINDS.len()];
            let parts = 1 << random.whole(5).abs();
            let (at, way) = meeting::<A>(kind, &mut random, parts);
            let k = random.whole(parts).abs();
            // the time of the meeting is k / parts
            let point = scaled(&mut random);
            let then = |i: usize, t: i64| point(std::array::from_fn(|d| at[i][d] + way[i][d] / parts * t));
            let start: Points = std::array::from_fn(|i| then(i, -k));
            let end: Points = std::array::from_fn(|i| then(i, parts - k));
            let time = k as f64 / parts as f64;
            let found = contact::<A>(&start, &end, 0.0);
            assert!(found.is_some_and(|found| found <= time), "case {case}: {found:?}, at {time}\n{start:?}\n{end:?}");
        }
    }

    /// Pairs on both sides of a plane, in whole numbers, at the start and at the end: how many are taken for a contact.
    fn false_alarms<const A: usize>(seed: u64, count: u32) -> u32 {
        let mut random = Random(seed, 0);
        let mut alarms = 0;
        for case in 0..count {
            let normal = loop {
                let normal = random.vector(3);
                if normal != [0; 3] {
                    break normal;
                }
            };
            let size = [1 << 3, 1 << 10, 1 << 20][case as usize % 3];
            let side = |p: [i64; 3]| -> i64 { (0..3).map(|d| p[d] * normal[d]).sum() };
            let mut put = |i: usize| {
                let sign = if i < A { 1 } else { -1 };
                let mut p = random.vector(size);
                // as near to the plane as whole numbers are, half of the time
                if case % 2 == 0 {
                    let square = side(normal);
                    let over = side(p) / square;
                    p = std::array::from_fn(|d| p[d] - over * normal[d]);
                }
                while sign * side(p) <= 0 {
                    p = std::array::from_fn(|d| p[d] + sign * normal[d]);
                    if sign * side(p) < -side(normal) {
                        p = p.map(|part| -part);
                    }
                }
                p
            };
            let [start, end]: [Whole; 2] = std::array::from_fn(|_| std::array::from_fn(&mut put));
            let point = scaled(&mut random);
            alarms += u32::from(contact::<A>(&start.map(&point), &end.map(&point), 0.0).is_some());
        }
        alarms
    }

    #[test]
    fn false_alarms_are_fewer_than_one_in_ten_thousand() {
        let alarms = [false_alarms::<1>(3, 100_000), false_alarms::<2>(4, 100_000)];
        assert!(alarms.iter().all(|count| *count < 10), "{alarms:?}");
    }

    #[test]
    fn no_meeting_of_a_vertex_and_a_triangle_is_missed() {
        check::<1>(1, 500_000);
    }

    #[test]
    fn no_meeting_of_two_edges_is_missed() {
        check::<2>(2, 500_000);
    }

    /// Sampled distances: what stays well apart is told apart, and nothing is closer than the gap before the time.
    #[test]
    fn times_and_gaps_agree_with_samples() {
        fn all<const A: usize>(weights: fn(Points) -> [f64; 4]) {
            let mut contacts = 0;
            for seed in 0..3000 {
                let r = |i: usize| signed(seed, i as u64);
                let points = |first: usize| -> Points {
                    std::array::from_fn(|k| Vec3::new(r(first + 3 * k), r(first + 3 * k + 1), r(first + 3 * k + 2)))
                };
                let (start, end, gap) = (points(0), points(12), 0.1 * (1.0 + r(24)));
                let at = |t: f64| -> Points { std::array::from_fn(|i| start[i].lerp(end[i], t)) };
                let distance = |t: f64| closest::difference::<A>(&at(t), weights(at(t))).length();
                let found = contact::<A>(&start, &end, gap);
                contacts += u32::from(found.is_some());
                let until = found.unwrap_or(1.0);
                let times = (0..=500).map(|k| f64::from(k) / 500.0);
                for t in times.clone().filter(|t| *t < until) {
                    assert!(distance(t) >= gap - 1e-12, "{seed}: {} m at {t}", distance(t));
                }
                match found {
                    None => {}
                    Some(t) => assert!(distance(t) < gap + 1e-6, "{seed}: stopped at {t}, {} m apart", distance(t)),
                }
            }
            assert!((500..2500).contains(&contacts), "{contacts}");
        }
        all::<1>(closest::vertex_face);
        all::<2>(closest::edge_edge);
    }

    #[test]
    fn odd_numbers_are_contacts_and_nothing_panics() {
        let fine = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
        for odd in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let mut points = fine;
            points[2].y = odd;
            assert_eq!(vertex_face(&fine, &points, 0.0), Some(0.0));
            assert_eq!(edge_edge(&points, &fine, 0.0), Some(0.0));
            assert_eq!(edge_edge(&fine, &fine, odd), Some(0.0));
        }
        for size in [f64::MIN_POSITIVE / 1e10, 1e-300, 1e300, f64::MAX] {
            let away = fine.map(|p| p * (0.1 * size) + Vec3::X * (0.5 * size));
            let pair = [fine[0] * size, away[1], away[2], away[3]];
            assert_eq!(vertex_face(&pair, &pair, 0.0), None, "{size:e}");
        }
        assert_eq!(vertex_face(&[Vec3::ZERO; 4], &[Vec3::ZERO; 4], 0.0), Some(0.0));
    }
}
