//! Shortens a motion so that a mesh that does not cross itself stays so.
//!
//! Points go straight from x to x + s w at the same time, each with a share s of its way. For every pair that can come
//! near, two planes of one normal n, that of its closest points, divide the room: one at the start, one at the end of
//! the motion. Where each primitive is on its side of both, it is so at every moment, since heights above a plane that
//! moves evenly change evenly: the primitives never meet.
//! ```text
//! gap       min n·x of the first - max n·x of the second primitive, at the start
//! end       the same at x + s w
//! keep      what must be left of the gap; where `end` is less, the sides that approach are shortened, by as much as
//!           each contributes
//! ```
//! Common motion is not shortened. Where a pair turns in common, the normal turns too: see `turns`. A point that is
//! shortened may be in the way of others, which are then shortened in the next round, until nothing changes. A share is
//! a minimum, so no order matters.
//!
//! The division of room by planes is after Planar-DAT, the successor of A. H. Chen et al., Offset Geometric Contact,
//! ACM Trans. Graph. 44, 2025. There, planes rest and all points move independently, so that common motion is cut and
//! has to be repeated in passes.
//!
//! Driven points, of pins and bodies, go their whole way. Where they leave no room, they push what is free out of their
//! way, and that pushes what is behind it; where nothing gives way, the motion is blocked.

use crate::Vec3;
use crate::broad::{Pairs, Surface, meets};
use crate::narrow::{Points, closest, gjk};
use crate::parallel;

/// The part of a gap that has to be left at the end of a motion.
const LEAST: f64 = 0.05;

/// The part of a gap that is left where a motion has to be shortened.
const KEPT: f64 = 0.1;

/// A gap below this share of the pair's size is not used up any more: what separates has to be larger than rounding.
pub(crate) const FLOOR: f64 = 1e-9;

/// Coordinates count as this share of them in the size of a pair: a floor is then ten times their rounding.
const FAR: f64 = 1e-6;

/// Floors that are left where a motion is shortened, so that one is left whatever the rounding.
const FLOORS: f64 = 2.0;

/// The normal of closest points of edges is taken where the gap along it has this share of their distance.
const GOOD: f64 = 0.9;

/// The least cosine between the normals at the start and at the end of a common turn. With half a turn the sides would
/// have changed.
pub(crate) const COMMON: f64 = 0.5;

/// t² is below the straight line between its values at 0 and 1 by no more than this.
pub(crate) const SAG: f64 = 0.25;

/// Share of what must be left at the end that a plane which turns must leave at the start too.
const AT_START: f64 = 0.5;

/// How many times as much as needed ways are shortened, up to a round. The first rounds take no more than needed. Later
/// ones take more, so that there are few of them, and those after the last stop points.
const HARDER: [(u32, f64); 3] = [(3, 1.0), (8, 2.0), (16, 8.0)];

fn harder(round: u32) -> f64 {
    HARDER.iter().find(|(last, _)| round <= *last).map_or(f64::INFINITY, |(_, times)| *times)
}

/// The guard of a mesh, with its buffers.
pub struct Guard {
    surface: Surface,
    pairs: Pairs,
    tight: Vec<bool>,
    cuts: Cuts,
}

/// Shares and buffers of the rounds.
#[derive(Default)]
pub(crate) struct Cuts {
    /// The share of its way that each point goes.
    pub share: Vec<f64>,
    next: Vec<f64>,
    /// Ways, shortened, m.
    pub way: Vec<Vec3>,
    whole: Vec<Vec3>,
    changed: Vec<bool>,
    pushes: Pushes,
    /// Number of points that count in what is reported.
    free: usize,
}

/// Points that have no room.
#[derive(Default)]
struct Pushes {
    allowed: bool,
    /// Points that are pushed in this round, and how far, m.
    list: Vec<(u32, Vec3)>,
    /// Whether each point was pushed in any round: it pushes others.
    any: Vec<bool>,
    /// How far each point was pushed in all rounds, m.
    sum: Vec<Vec3>,
}

/// Rounds in which points may be pushed.
const PUSHED: u32 = 32;

/// What became of a motion.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Guarded {
    /// Number of pairs that could come near each other.
    pub pairs: usize,
    /// Number of rounds.
    pub rounds: u32,
    /// Number of points that do not go their whole way.
    pub cut: usize,
    /// Lengths of all ways, m.
    pub wanted: f64,
    /// Lengths of what was cut off, m.
    pub lost: f64,
}

/// Driven points leave no room.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("point {by} is driven and leaves no room for point {point}: {shortfall:.3e} m are missing")]
pub struct Blocked {
    /// A point that is in the way.
    pub point: u32,
    /// A driven point of the other primitive.
    pub by: u32,
    /// How much room is missing, m.
    pub shortfall: f64,
}

impl Guard {
    /// Makes the guard of triangles at positions `x`.
    ///
    /// # Panics
    /// Panics if a triangle refers to a vertex that does not exist.
    pub fn new(x: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        Self { surface: Surface::new(x, triangles), pairs: Pairs::default(), tight: Vec::new(), cuts: Cuts::default() }
    }

    /// Moves the points from `x`, where no triangles may cross, along their ways to `end`, as far as none will.
    /// `driven` points go their whole way. Positions must be finite; a way that is not counts as none.
    ///
    /// On [`Blocked`] `end` is unchanged.
    ///
    /// ```
    /// use taffeta::{Vec3, guard::Guard};
    /// // a triangle above another one that wants to fall through it
    /// let x = [[0., 0., 0.], [1., 0., 0.], [0., 0., 1.], [0., 1., 0.], [1., 1., 0.], [0., 1., 1.]];
    /// let x = x.map(Vec3::from_array);
    /// let mut guard = Guard::new(&x, &[[0, 1, 2], [3, 4, 5]]);
    /// let mut end = x.map(|p| if p.y > 0.5 { p - 3.0 * Vec3::Y } else { p });
    /// let guarded = guard.protect(&x, &mut end, |_| false).unwrap();
    /// assert!(guarded.cut == 3 && end[3].y > 0.05 && end[3].y < 0.15);
    /// ```
    ///
    /// # Panics
    /// Panics if the numbers of points differ from that of [`Guard::new`].
    pub fn protect(
        &mut self,
        x: &[Vec3],
        end: &mut [Vec3],
        driven: impl Fn(usize) -> bool + Sync,
    ) -> Result<Guarded, Blocked> {
        let Self { surface, pairs, tight, cuts } = self;
        cuts.begin(x, end, x.len(), false);
        surface.find(x, &cuts.way, 0.0, pairs);
        let guarded = cuts.run(x, |round| {
            if round.number > 0 {
                let changed = round.changed_triangles(surface.triangles());
                surface.refit(x, round.way, 0.0);
                surface.add_pairs(x, round.way, [0.0; 2], true, &changed, pairs);
            }
            round.divide_pairs(surface, pairs, &driven, tight)
        })?;
        cuts.go(x, end);
        Ok(Guarded { pairs: pairs.vertex_face.len() + pairs.edge_edge.len(), ..guarded })
    }
}

/// A round: the ways as they are, and the shares of them that are left.
pub(crate) struct Round<'a> {
    pub number: u32,
    pub x: &'a [Vec3],
    pub way: &'a [Vec3],
    /// Points whose ways were shortened in the last round.
    changed: &'a [bool],
    share: &'a mut [f64],
    pushes: &'a mut Pushes,
    /// Gap below which no pair is brought nearer, m.
    pub floor: f64,
    /// Pairs that stay farther from each other than this are left as they are, m.
    pub near: f64,
}

impl Cuts {
    /// Computes the ways from `x` to `end`. The first `free` points count in what is reported. Driven points may push
    /// others out of their way if that is allowed.
    pub fn begin(&mut self, x: &[Vec3], end: &[Vec3], free: usize, pushes_allowed: bool) {
        let n = x.len();
        self.free = free;
        let Self { share, next, way, whole, changed, pushes, .. } = self;
        pushes.allowed = pushes_allowed;
        pushes.list.clear();
        pushes.any.clear();
        pushes.any.resize(n, false);
        pushes.sum.clear();
        pushes.sum.resize(n, Vec3::ZERO);
        share.clear();
        share.resize(n, 1.0);
        next.resize(n, 1.0);
        changed.resize(n, false);
        whole.clear();
        whole.extend(end.iter().zip(x).map(|(end, x)| *end - *x).map(|w| if w.is_finite() { w } else { Vec3::ZERO }));
        way.clone_from(whole);
    }

    /// Shortens the ways in rounds until `divide` leaves them.
    pub fn run<E>(&mut self, x: &[Vec3], mut divide: impl FnMut(&mut Round) -> Result<(), E>) -> Result<Guarded, E> {
        let Self { share, next, way, whole, changed, pushes, free } = self;
        let mut number = 0;
        loop {
            next.fill(1.0);
            divide(&mut Round { number, x, way, changed, share: next, pushes, floor: 0.0, near: 0.0 })?;
            number += 1;
            let mut any = false;
            for (i, next) in next.iter().enumerate() {
                changed[i] = *next < 1.0 && share[i] > 0.0;
                if changed[i] {
                    any = true;
                    share[i] *= (1.0 - harder(number) * (1.0 - next)).max(0.0);
                    way[i] = whole[i] * share[i];
                }
            }
            // a point that several others push goes as far as the farthest asks it to
            // in an order of its own, whatever that of the pairs
            let size = |by: &Vec3| by.length_squared();
            let along = |by: &Vec3| by.to_array().map(f64::to_bits);
            pushes.list.sort_unstable_by(|(a, by), (b, other)| {
                a.cmp(b).then(size(other).total_cmp(&size(by))).then(along(by).cmp(&along(other)))
            });
            for of_point in pushes.list.chunk_by(|a, b| a.0 == b.0) {
                let i = of_point[0].0 as usize;
                let mut by = Vec3::ZERO;
                for (_, push) in of_point {
                    let square = push.length_squared();
                    by += *push * (1.0 - push.dot(by) / square).max(0.0);
                }
                (any, changed[i], pushes.any[i]) = (true, true, true);
                pushes.sum[i] += by;
                way[i] += by;
                (whole[i], share[i]) = (way[i], 1.0);
            }
            pushes.list.clear();
            if !any {
                break;
            }
        }
        let mut guarded = Guarded { rounds: number, ..Guarded::default() };
        for (i, (whole, way)) in whole.iter().zip(&*way).enumerate().take(*free) {
            let pushed = pushes.sum[i];
            guarded.wanted += (*whole - pushed).length();
            guarded.lost += (*whole - *way).length() + pushed.length();
            guarded.cut += usize::from(share[i] < 1.0 || pushes.any[i]);
        }
        Ok(guarded)
    }

    /// Goes the shortened ways. Points that are not shortened end where they want to, to the last bit.
    pub fn go(&self, x: &[Vec3], end: &mut [Vec3]) {
        for (i, end) in end.iter_mut().enumerate() {
            if self.share[i] < 1.0 || self.pushes.any[i] || !end.is_finite() {
                *end = x[i] + self.way[i];
            }
        }
    }
}

impl Round<'_> {
    /// The triangles with points whose ways were shortened in the last round.
    pub fn changed_triangles(&self, triangles: &[[u32; 3]]) -> Vec<u32> {
        let changed = |v: &[u32; 3]| v.iter().any(|v| self.changed[*v as usize]);
        triangles.iter().enumerate().filter(|(_, v)| changed(v)).map(|(t, _)| t as u32).collect()
    }

    /// Divides the rooms of all pairs that have changed. Pairs may stand in any order, also twice. `tight` is a buffer.
    pub fn divide_pairs(
        &mut self,
        surface: &Surface,
        pairs: &Pairs,
        driven: &(impl Fn(usize) -> bool + Sync),
        tight: &mut Vec<bool>,
    ) -> Result<(), Blocked> {
        self.divide_pairs_or(surface, pairs, driven, (&Pairs::default(), &mut Nothing), tight)
    }

    /// As [`Round::divide_pairs`], without the pairs of a sorted list and those that are let pass.
    pub fn divide_pairs_or(
        &mut self,
        surface: &Surface,
        pairs: &Pairs,
        driven: &(impl Fn(usize) -> bool + Sync),
        (without, lets): (&Pairs, &mut impl LetsPass),
        tight: &mut Vec<bool>,
    ) -> Result<(), Blocked> {
        let faces = |pair| surface.of_vertex_face(pair);
        let first = self.divide_list::<1>(&pairs.vertex_face, &faces, driven, (&without.vertex_face, lets), tight);
        let edges = |pair| surface.of_edge_edge(pair);
        // all pairs without room are known before the first of them fails
        let second = self.divide_list::<2>(&pairs.edge_edge, &edges, driven, (&without.edge_edge, lets), tight);
        first.and(second)
    }

    /// Divides the rooms of a list of pairs: few of them are tight, and these are found in parallel.
    fn divide_list<const A: usize>(
        &mut self,
        pairs: &[[u32; 2]],
        points: &(impl Fn([u32; 2]) -> [u32; 4] + Sync),
        driven: &(impl Fn(usize) -> bool + Sync),
        (without, lets): (&[[u32; 2]], &mut impl LetsPass),
        tight: &mut Vec<bool>,
    ) -> Result<(), Blocked> {
        let round = &*self;
        parallel::flags(pairs, tight, |pair| !matches!(round.shares_of::<A>(points(*pair), driven), Ok(None)));
        let mut first: Option<([u32; 2], Blocked)> = None;
        for (pair, _) in pairs.iter().zip(&*tight).filter(|(_, tight)| **tight) {
            if without.binary_search(pair).is_ok() {
                continue;
            }
            let at = points(*pair);
            if lets.passes(&at[..A], &at[A..]) {
                continue;
            }
            match self.shares_of::<A>(at, driven) {
                Ok(None) => {}
                Err(Lack { rises, normal, .. }) if lets.gives_way(&at[..A], &at[A..], normal, rises.is_some()) => {}
                Ok(Some(shares)) => at.iter().zip(shares).for_each(|(v, share)| self.cut(*v as usize, share)),
                Err(Lack { rises: Some(rises), normal, .. }) => {
                    for k in (0..4).filter(|k| rises[*k] != 0.0) {
                        self.push(at[k], normal * if k < A { rises[k] } else { -rises[k] });
                    }
                }
                Err(Lack { blocked, .. }) if first.is_none_or(|first| *pair < first.0) => {
                    first = Some((*pair, blocked))
                }
                Err(_) => {}
            }
        }
        first.map_or(Ok(()), |(_, blocked)| Err(blocked))
    }

    /// The shares of their ways that leave a pair its room; `None` if it has enough.
    fn shares_of<const A: usize>(
        &self,
        at: [u32; 4],
        driven: &impl Fn(usize) -> bool,
    ) -> Result<Option<[f64; 4]>, Lack> {
        if self.number > 0 && !at.iter().any(|v| self.changed[*v as usize]) {
            return Ok(None);
        }
        let points: Points = at.map(|v| self.x[v as usize]);
        let ways: Points = at.map(|v| self.way[v as usize]);
        if ways.iter().all(|w| *w == ways[0]) || !meets::<A>(&points, &ways, self.near) {
            return Ok(None);
        }
        let weights = if A == 1 { closest::vertex_face(points) } else { closest::edge_edge(points) };
        let normal = closest::difference::<A>(&points, weights).normalize_or_zero();
        let mut size = 0.0f64;
        for i in 0..4 {
            size = size.max((points[i] - points[0]).abs().max_element()).max((ways[i] - ways[0]).abs().max_element());
            size = size.max(FAR * points[i].abs().max_element());
        }
        let relative = points.map(|p| p - points[0]);
        let moves = ways.map(|w| w - ways[0]);
        let (normal, room) = certain::<A>(&relative, &ways, normal);
        let floor = self.floor.max(FLOOR * size);
        let least = room.keep(LEAST, floor);
        if least > 0.0 && room.shortfall(least) <= 0.0 {
            return Ok(None);
        }
        let there = normal_at_end::<A>(&relative, &moves);
        if passes::<A>(&relative, &ways, normal + there, floor) || turns::<A>(&relative, &moves, [normal, there], least)
        {
            return Ok(None);
        }
        let keep = room.keep(KEPT, FLOORS * floor);
        let fixed = at.map(|v| driven(v as usize));
        let firm: [bool; 4] = std::array::from_fn(|k| fixed[k] || self.pushes.any[at[k] as usize]);
        let shares = room.divide(keep, firm).map_err(|(k, shortfall)| {
            // the driven point, and one of the other side that gives way if there is any
            let other = if k < A { A..4 } else { 0..A };
            let of_other = |wanted: bool| other.clone().find(|i| fixed[*i] == wanted);
            let (point, by) = match fixed[k] {
                true => (of_other(false).unwrap_or(other.start), k),
                false => (k, of_other(true).unwrap_or(other.start)),
            };
            let rises = room.push(keep, fixed).filter(|_| self.may_push());
            Lack { blocked: Blocked { point: at[point], by: at[by], shortfall }, rises, normal }
        })?;
        Ok(Some(shares))
    }

    /// Whether points may be pushed in this round.
    pub fn may_push(&self) -> bool {
        self.number < PUSHED && self.pushes.allowed
    }

    /// Moves the end of a point.
    pub fn push(&mut self, point: u32, by: Vec3) {
        self.pushes.list.push((point, by));
    }

    /// Shortens the share of a point.
    pub fn cut(&mut self, point: usize, share: f64) {
        self.share[point] = self.share[point].min(share);
    }

    /// Whether a point was shortened in the last round.
    pub fn has_changed(&self, point: usize) -> bool {
        self.changed[point]
    }
}

/// A pair without room, and how far to push its points apart along the normal, if that may help, m.
struct Lack {
    blocked: Blocked,
    rises: Option<[f64; 4]>,
    /// From the second primitive to the first; zero if they touch.
    normal: Vec3,
}

/// What may pass through each other: two primitives, by their points.
pub(crate) trait LetsPass {
    /// Whether a pair is not divided.
    fn passes(&mut self, one: &[u32], other: &[u32]) -> bool;

    /// Whether a pair without room is not divided, with the normal from the second primitive to the first, and whether
    /// points can still be pushed to make room.
    fn gives_way(&mut self, one: &[u32], other: &[u32], normal: Vec3, can_push: bool) -> bool;
}

/// Nothing passes.
struct Nothing;

impl LetsPass for Nothing {
    fn passes(&mut self, _: &[u32], _: &[u32]) -> bool {
        false
    }

    fn gives_way(&mut self, _: &[u32], _: &[u32], _: Vec3, _: bool) -> bool {
        false
    }
}

/// Heights of the points of a pair along a normal, at the start and at the end; those of the second side count
/// downwards.
struct Room {
    start: [f64; 4],
    end: [f64; 4],
    /// Number of points of the first side.
    first: usize,
}

impl Room {
    /// Positions are relative to any point, ways are not: points are held back on their own ways.
    fn new<const A: usize>(x: &Points, way: &Points, normal: Vec3) -> Self {
        let side = |i: usize| if i < A { 1.0 } else { -1.0 };
        let start = std::array::from_fn(|i| side(i) * normal.dot(x[i]));
        let end = std::array::from_fn(|i| side(i) * normal.dot(x[i] + way[i]));
        Self { start, end, first: A }
    }

    /// The gap at the start, m; negative where the normal does not separate the pair.
    fn gap(&self) -> f64 {
        let [a, b] = self.least(&self.start);
        a + b
    }

    fn sides(&self) -> [std::ops::Range<usize>; 2] {
        [0..self.first, self.first..4]
    }

    fn least(&self, heights: &[f64; 4]) -> [f64; 2] {
        self.sides().map(|side| heights[side].iter().copied().fold(f64::INFINITY, f64::min))
    }

    /// The gap that has to be left at the end: a part of that at the start, and no less than the floor unless there is
    /// less already.
    fn keep(&self, share: f64, floor: f64) -> f64 {
        let gap = self.gap().max(0.0);
        (gap * share).max(floor.min(gap))
    }

    /// How much is missing of the gap at the end, m.
    fn shortfall(&self, keep: f64) -> f64 {
        let [a, b] = self.least(&self.end);
        keep - (a + b)
    }

    /// The shares that leave the gap `keep` at the end. Fails with a point and the room that is missing for it if
    /// driven ones do not leave it.
    fn divide(&self, keep: f64, driven: [bool; 4]) -> Result<[f64; 4], (usize, f64)> {
        if keep <= 0.0 {
            // no plane is certain: none of the points moves
            return match (0..4).find(|i| driven[*i] && self.start[*i] != self.end[*i]) {
                Some(i) => Err((i, (self.end[i] - self.start[i]).abs())),
                None => Ok([0.0; 4]),
            };
        }
        let shortfall = self.shortfall(keep);
        let (before, after) = (self.least(&self.start), self.least(&self.end));
        // how far each side comes towards the other, and how far it could be held back
        let comes: [f64; 2] = std::array::from_fn(|k| (before[k] - after[k]).max(0.0));
        let whole = comes[0] + comes[1];
        // how low the points of each side may end
        let mut target: [f64; 2] = std::array::from_fn(|k| after[k] + shortfall * comes[k] / whole);
        let sides = self.sides();
        // how low driven points of each side end
        let fixed: [f64; 2] = std::array::from_fn(|k| {
            let driven = sides[k].clone().filter(|i| driven[*i]);
            driven.map(|i| self.end[i]).fold(f64::INFINITY, f64::min)
        });
        for k in 0..2 {
            if fixed[k] < target[k] {
                // the other side gives way
                target[1 - k] += target[k] - fixed[k];
                target[k] = fixed[k];
            }
        }
        let forced = fixed.iter().any(|fixed| fixed.is_finite());
        let mut shares = [1.0; 4];
        for (k, side) in sides.into_iter().enumerate() {
            for i in side {
                if self.end[i] >= target[k] {
                    continue;
                }
                let room = self.start[i] - target[k];
                if driven[i] || forced && room < 0.0 {
                    return Err((i, target[k] - self.end[i].max(self.start[i])));
                }
                if self.end[i] < self.start[i] {
                    shares[i] = (room / (self.start[i] - self.end[i])).clamp(0.0, 1.0);
                }
            }
        }
        Ok(shares)
    }
}

impl Room {
    /// How far the points that are not driven have to rise so that the gap `keep` is left at the end, m: those of both
    /// sides the same where none is driven. `None` where driven points leave no gap.
    fn push(&self, keep: f64, driven: [bool; 4]) -> Option<[f64; 4]> {
        let shortfall = self.shortfall(keep);
        let ends = self.least(&self.end);
        let lowest: [f64; 2] = std::array::from_fn(|k| {
            let driven = self.sides()[k].clone().filter(|i| driven[*i]);
            driven.map(|i| self.end[i]).fold(f64::INFINITY, f64::min)
        });
        let mut first = (ends[0] + 0.5 * shortfall).min(lowest[0]);
        let second = (keep - first).min(lowest[1]);
        first = keep - second;
        if keep <= 0.0 || shortfall <= 0.0 || first > lowest[0] {
            return None;
        }
        let target = [first, second];
        let mut rises = [0.0; 4];
        for (k, side) in self.sides().into_iter().enumerate() {
            for i in side.filter(|i| !driven[*i]) {
                rises[i] = (target[k] - self.end[i]).max(0.0);
            }
        }
        rises.iter().any(|rise| *rise > 0.0).then_some(rises)
    }
}

/// The normal that separates a pair by most at the start: that of its closest points, or for edges that are nearly
/// parallel, whose closest points are uncertain, one that is perpendicular to both or to one of them.
fn certain<const A: usize>(x: &Points, way: &Points, normal: Vec3) -> (Vec3, Room) {
    let mut best = (normal, Room::new::<A>(x, way, normal));
    if A == 1 {
        return best;
    }
    let (u, v, r) = (x[1] - x[0], x[3] - x[2], x[0] - x[2]);
    let distance = normal.dot(r).abs();
    if best.1.gap() > GOOD * distance && best.1.gap() > 0.0 {
        return best;
    }
    let across = |along: Vec3| r - along * (r.dot(along) / along.length_squared());
    for other in [u.cross(v), across(u), across(v)] {
        let other = other.normalize_or_zero();
        let other = if other.dot(r) < 0.0 { -other } else { other };
        let room = Room::new::<A>(x, way, other);
        if room.gap() > best.1.gap() {
            best = (other, room);
        }
    }
    best
}

/// The normal of the closest points at the end of a motion.
fn normal_at_end<const A: usize>(x: &Points, way: &Points) -> Vec3 {
    let end: Points = std::array::from_fn(|i| x[i] + way[i]);
    let weights = if A == 1 { closest::vertex_face(end) } else { closest::edge_edge(end) };
    closest::difference::<A>(&end, weights).normalize_or_zero()
}

/// How much less than the largest gap a plane may leave, as a share of it.
pub(crate) const NEARLY: f64 = 1e-3;

/// Whether any plane separates a pair by more than a floor at both ends: what slides over a surface passes neighbouring
/// faces and edges, whose closest points lie ahead at the start and behind at the end. The best plane is that of the
/// hull of all differences of points of both sides, at the start and at the end.
fn passes<const A: usize>(x: &Points, way: &Points, guess: Vec3, floor: f64) -> bool {
    let end: Points = std::array::from_fn(|i| x[i] + way[i]);
    let lowest = |n: Vec3| {
        let heights = |x: &Points| x.map(|p| n.dot(p));
        let difference = |x: &Points| {
            let h = heights(x);
            let least = |range: std::ops::Range<usize>, sign: f64| {
                range.reduce(|i, j| if sign * h[j] < sign * h[i] { j } else { i }).unwrap_or(0)
            };
            x[least(0..A, 1.0)] - x[least(A..4, -1.0)]
        };
        let (a, b) = (difference(x), difference(&end));
        (if n.dot(a) < n.dot(b) { a } else { b }, ())
    };
    let normal = gjk::separate(NEARLY, guess, lowest).normal;
    let room = Room::new::<A>(x, way, normal);
    room.gap() > floor && room.shortfall(room.keep(LEAST, floor)) <= 0.0
}

/// Whether a plane that turns with the pair separates it by more than `keep` at both ends and always: from the normal
/// at the start to that at the end. Heights are then quadratic in time, n(t)·(x + t w) with n(t) = n₀ + t (n₁ - n₀),
/// and below a straight line by a quarter of the quadratic part at most. Points and ways are relative to the first
/// point.
fn turns<const A: usize>(x: &Points, way: &Points, [normal, there]: [Vec3; 2], keep: f64) -> bool {
    if there.dot(normal) < COMMON {
        return false;
    }
    let end: Points = std::array::from_fn(|i| x[i] + way[i]);
    let [start, end] = [(x, normal), (&end, there)].map(|(x, n)| Room::new::<A>(x, &[Vec3::ZERO; 4], n));
    let bulge = (0..4).map(|i| (there - normal).dot(way[i]) * if i < A { 1.0 } else { -1.0 });
    let mut sag = [0.0f64; 2];
    for (i, bulge) in bulge.enumerate() {
        let side = usize::from(i >= A);
        sag[side] = sag[side].max(SAG * bulge);
    }
    let lost = sag[0] + sag[1];
    let gaps = [&start, &end].map(|room| room.least(&room.start)).map(|[a, b]| a + b);
    gaps[0] - lost > AT_START * keep && gaps[1] - lost >= keep
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::broad::tests::{random, stack};
    use crate::intersect::crossings;
    use crate::random::signed;

    /// Sheets that are packed by moves in all directions, inwards and into folds: no move makes a crossing, by exact
    /// arithmetic.
    #[test]
    fn no_attack_makes_a_crossing() {
        attack(10, 40);
    }

    /// The same for longer.
    #[test]
    #[ignore = "slow: 10,000 attacks, a minute"]
    fn no_attack_of_ten_thousand_makes_a_crossing() {
        attack(25, 400);
    }

    fn attack(states: u64, each: u64) {
        let (mut attacks, mut wanted, mut lost) = (0, 0.0, 0.0);
        for seed in 0..states {
            let (mut x, triangles) = stack(3, 4, [0.002, 0.0005, 0.004][seed as usize % 3]);
            let mut guard = Guard::new(&x, &triangles);
            for attack in 0..each {
                let size = 0.003 * (1.0 + signed(seed, attack));
                let mut end: Vec<Vec3> = random(1000 * seed + attack, x.len(), size);
                let middle = x.iter().sum::<Vec3>() / x.len() as f64;
                for (i, (end, x)) in end.iter_mut().zip(&x).enumerate() {
                    *end = match (seed + attack) % 4 {
                        0 => *x + *end,
                        1 => *x + (middle - *x) * 0.2 + *end * 0.1,
                        2 => Vec3::new(x.x, 0.8 * x.y, x.z) + *end * 0.2,
                        _ => *x + Vec3::Y * if i % 2 == 0 { size } else { -size },
                    };
                }
                let guarded = guard.protect(&x, &mut end, |_| false).unwrap();
                let found = crossings(&end, &triangles);
                assert!(found.is_empty(), "{seed}, {attack}: {found:?}, {guarded:?}");
                x = end;
                attacks += 1;
                // the first moves find room, the others press on what is packed
                if attack < 4 {
                    wanted += guarded.wanted;
                    lost += guarded.lost;
                }
            }
        }
        let passed = 1.0 - lost / wanted;
        assert!(attacks == states * each && passed > 0.5, "{attacks} attacks, {passed:.3} of the first motions passed");
    }

    /// A guard must not brake what moves and turns together.
    #[test]
    fn close_sheets_fall_and_turn_freely() {
        let (x, triangles) = stack(5, 6, 0.0005);
        let mut guard = Guard::new(&x, &triangles);
        for turn in [0.0, 0.05] {
            let turn = glam::DQuat::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), turn);
            let mut end: Vec<Vec3> = x.iter().map(|p| turn * *p + Vec3::new(0.001, -0.1, 0.0)).collect();
            let free = end.clone();
            let guarded = guard.protect(&x, &mut end, |_| false).unwrap();
            assert!(guarded.cut == 0 && end == free, "{guarded:?}");
        }
    }

    /// The lower sheet is driven upwards: the upper one stays above it, or there is no room.
    #[test]
    fn driven_points_go_their_way_or_say_that_there_is_no_room() {
        let (x, triangles) = stack(2, 3, 0.002);
        let half = x.len() / 2;
        let mut guard = Guard::new(&x, &triangles);
        let rising = |by: f64| -> Vec<Vec3> {
            x.iter().enumerate().map(|(i, p)| *p + Vec3::Y * if i < half { by } else { -0.001 }).collect()
        };
        let mut end = rising(0.0015);
        guard.protect(&x, &mut end, |i| i < half).unwrap();
        assert!((0..half).all(|i| (end[i].y - 0.0015).abs() < 1e-18));
        assert!(end[half..].iter().all(|p| p.y > 0.0015) && crossings(&end, &triangles).is_empty());
        let blocked = guard.protect(&x, &mut rising(0.0025), |i| i < half).unwrap_err();
        assert!((blocked.shortfall - 0.0007).abs() < 1e-9, "{blocked}");
    }

    #[test]
    fn ways_that_are_no_numbers_are_not_gone() {
        let (x, triangles) = stack(1, 2, 0.0);
        let mut end = x.clone();
        end[4].y = f64::NAN;
        let guarded = Guard::new(&x, &triangles).protect(&x, &mut end, |_| false).unwrap();
        assert!(guarded.cut == 0 && end == x);
    }
}
