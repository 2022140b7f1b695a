//! Contacts with exact shapes, and their part in the guard.
//!
//! A particle keeps the distance of [`Reach::offset`](crate::solid::reach::Reach::offset) from a shape, so that
//! triangles over round faces do not dip in. Triangles and edges over sharp edges and small bodies have contacts of
//! their own where they come nearer than their vertices.
//!
//! The guard separates every triangle from a convex shape by a plane. The direction of the plane comes from closest
//! points that need not be exact: how far the shape reaches along any direction is known exactly, so the gap along it
//! is certain.

use super::law::Law;
use super::stencil::Stencil;
use super::within::Within;
use super::yields::Yields;
use super::{CLOSEST, STIFFER};
use crate::Vec3;
use crate::broad::Surface;
use crate::guard::{COMMON, FLOOR, NEARLY, Round, SAG};
use crate::narrow::gjk;
use crate::report::{Driver, Rejection};
use crate::shape::{Exact, Nearest, Piece};
use crate::solid::{Moving, Pose, Solid};
use crate::state::{ContactKey, ContactKind};
use crate::world::World;

/// Exact shapes in a step.
#[derive(Default)]
pub(super) struct Shapes {
    solids: Vec<Gone>,
    /// The convex pieces of each solid that is not convex.
    pieces: Vec<Vec<Piece>>,
    /// The surface of each solid next to each particle at the iterate, in the coordinates of the solid.
    nearest: Vec<Vec<Nearest>>,
    /// Whether distances have all their digits, as an equilibrium needs them.
    pub exactly: bool,
}

/// A solid in a step.
#[derive(Clone, Copy, Default)]
struct Gone {
    start: Pose,
    end: Pose,
    /// Turn in the step, rad.
    turn: f64,
    /// How far any point of it that cloth may touch moves in the step, m.
    moves: f64,
    /// Half of its largest extent, m.
    radius: f64,
}

impl Gone {
    /// What contacts of a cloth with a solid have in common, at a point of the solid's coordinates at a pose.
    fn stencil(&self, world: &World, solid: &Solid, cloth: usize, radius: f64, pose: Pose, p: Vec3) -> Stencil {
        let goes = |from: Pose| from.to_space(p) - self.end.to_space(p);
        Stencil {
            law: Law { radius, stiffness: STIFFER * world.fabrics[cloth].stiffness },
            friction: solid.friction[cloth],
            body: solid.body,
            carried: goes(pose),
            rode: goes(self.start),
            ..Stencil::default()
        }
    }
}

/// Share of its thickness that the middle surface of a cloth keeps from a shape between its vertices.
const BETWEEN: f64 = 0.25;

/// Triangles come no nearer to a shape than half of the floor of the guard, unless it gave way to them. They have
/// left it
/// beyond this share of the floor: nearer, the guard would hold them.
const SEPARATE: f64 = 0.25;

/// A vertex inside a body that gave way is pushed out with so many times its weight, and no faster than this, m/s.
const PUSH: f64 = 10.0;
const SPEED: f64 = 0.1;

/// Convex pieces reach beyond a shape by no more than this share of the thickness of cloth.
const BEYOND: f64 = 0.05;

/// Shapes whose radius is this many times the size of the triangles are kept away by the vertices alone.
const ROUND: f64 = 1.0 / 0.3;

/// Normals on an even surface differ by no more than this many times the distance of their points over its radius, and
/// on a flat one by rounding.
const BENDS: f64 = 1.2;
const FLAT: f64 = 1e-9;

impl Shapes {
    pub fn new(world: &World) -> Self {
        let far = || vec![Nearest { distance: f64::INFINITY, normal: Vec3::Y }; world.mass.len()];
        let thinnest = world.fabrics.iter().map(|fabric| fabric.thickness).fold(f64::INFINITY, f64::min);
        Self {
            solids: vec![Gone::default(); world.solids.len()],
            pieces: world.solids.iter().map(|solid| solid.exact.pieces(BEYOND * thinnest)).collect(),
            nearest: world.solids.iter().map(|_| far()).collect(),
            exactly: false,
        }
    }

    /// Begins a step in which solids move.
    pub fn begin(&mut self, world: &World, moving: &[Moving]) {
        for ((gone, moving), solid) in self.solids.iter_mut().zip(moving).zip(&world.solids) {
            gone.start = moving.start;
            gone.end = moving.end;
            gone.radius = 0.5 * solid.exact.extents().unwrap_or(Vec3::ZERO).length();
            gone.turn = gone.start.turn.angle_between(gone.end.turn);
            gone.moves = gone.start.at.distance(gone.end.at) + gone.turn * gone.radius;
        }
    }

    /// Finds the contacts of particles, triangles and edges at positions `x`.
    pub fn find(
        &mut self,
        world: &World,
        surface: &Surface,
        (x, first, s): (&[Vec3], bool, f64),
        expected: &[Vec3],
        (yields, within): (&mut Yields, &Within),
        out: &mut Vec<Stencil>,
    ) {
        let accuracy = if self.exactly { EXACT } else { ACCURACY };
        for (number, solid) in world.solids.iter().enumerate() {
            let pose = self.pose(number, first);
            let nearest = self.nearest[number].iter_mut().zip(x);
            nearest.for_each(|(nearest, x)| *nearest = solid.exact.nearest(pose.to_body(*x)));
        }
        let of_meshes = out.len();
        for (number, solid) in world.solids.iter().enumerate() {
            let gone = &self.solids[number];
            let pose = self.pose(number, first);
            for (i, at) in x.iter().enumerate() {
                let p = pose.to_body(*at);
                let nearest = self.nearest[number][i];
                let reach = &world.reach[i];
                let radius = reach.offset(&solid.exact, p) + solid.thickness;
                if nearest.distance > radius + expected[i].length() + gone.moves {
                    continue;
                }
                let cloth = world.cloth_of(i);
                if !solid.collides[cloth] {
                    continue;
                }
                let leaves = yields.on() && (nearest.distance <= 0.0 || within.lists(i as u32, solid.body));
                if leaves {
                    yields.allowed = true;
                    // what gave way is pushed out if nothing is in the way
                    let mut touches = out[..of_meshes].iter().filter(|near| near.gap < near.law.radius);
                    if touches.any(|near| near.used().any(|(point, _)| point as usize == i))
                        || self.is_near_another(world, number, i, *at, first)
                    {
                        continue;
                    }
                }
                let usual = gone.stencil(world, solid, cloth, radius, pose, p);
                let (gap, law, friction) = if leaves {
                    // at half of its radius a law has a quarter of k r, and stops what goes a twelfth of it in a step
                    let radius = 12.0 * SPEED * s;
                    let stiffness = 4.0 * PUSH * world.mass[i] * world.gravity_scale() / radius;
                    (0.5 * radius, Law { radius, stiffness }, 0.0)
                } else {
                    (nearest.distance.max(CLOSEST * radius), usual.law, usual.friction)
                };
                out.push(Stencil {
                    key: ContactKey { kind: ContactKind::ShapeVertex, pair: [number as u32, i as u32] },
                    particles: [i as u32; 4],
                    weights: [1.0, 0.0, 0.0, 0.0],
                    normal: pose.turn * nearest.normal,
                    gap,
                    law,
                    friction,
                    leaves,
                    ..usual
                });
            }
        }
        for (number, solid) in world.solids.iter().enumerate() {
            let gone = &self.solids[number];
            let pose = self.pose(number, first);
            let surface_at = &self.nearest[number];
            for (t, v) in world.triangles.iter().enumerate() {
                let at = v.map(|v| v as usize);
                let reach = &world.reach[at[0]];
                let radius = BETWEEN * reach.thickness + solid.thickness;
                let beside = at.map(|i| surface_at[i]);
                let nearest = beside.iter().map(|near| near.distance).fold(f64::INFINITY, f64::min);
                let way = at.iter().map(|i| expected[*i].length()).fold(0.0, f64::max) + gone.moves;
                // a point of the triangle is nearer than a corner by less than the diameter of its circumcircle
                if nearest > radius + way + 2.0 * reach.radius
                    || !(solid.exact.is_sharp() || is_small(&solid.exact, reach.radius))
                    || !self.exactly && is_smooth(&solid.exact, at.map(|i| pose.to_body(x[i])), beside, reach.radius)
                {
                    continue;
                }
                let corners = at.map(|i| x[i]);
                let nearest_of = |exact: &Exact, pose: Pose, beside: [Nearest; 3]| {
                    let far = separated(pose, corners, beside) > radius + way;
                    (!far).then(|| nearest_point(exact, pose, corners, accuracy))
                };
                let found = if solid.exact.is_convex() {
                    nearest_of(&solid.exact, pose, beside)
                } else {
                    let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
                    let reaches = 2.0 * reach.radius + radius + way;
                    let middle = pose.to_body(middle);
                    let near = |piece: &&Piece| piece.may_reach(middle, reaches);
                    let parts = self.pieces[number].iter().filter(near).filter_map(|piece| {
                        let part = piece.pose(pose);
                        nearest_of(&piece.exact, part, corners.map(|p| piece.exact.nearest(part.to_body(p))))
                    });
                    parts.reduce(|a, b| if b.distance < a.distance { b } else { a })
                };
                let Some(found) = found.filter(|found| {
                    found.distance <= radius + way
                        && !found.weights.contains(&1.0)
                        && counts(surface, t as u32, found, x, |v| {
                            yields.on() && surface_at[v as usize].distance <= 0.0
                        })
                }) else {
                    continue;
                };
                let cloth = world.cloth_of(at[0]);
                if !solid.collides[cloth] {
                    continue;
                }
                let c: Vec3 = (0..3).map(|k| corners[k] * found.weights[k]).sum();
                let p = pose.to_body(c);
                let [a, b, d] = found.weights;
                out.push(Stencil {
                    key: ContactKey { kind: ContactKind::ShapeFace, pair: [number as u32, t as u32] },
                    particles: [v[0], v[1], v[2], v[0]],
                    weights: [a, b, d, 0.0],
                    normal: found.normal,
                    gap: found.distance.max(CLOSEST * radius),
                    ..gone.stencil(world, solid, cloth, radius, pose, p)
                });
            }
        }
    }

    /// The pose of a solid at the iterate.
    fn pose(&self, number: usize, first: bool) -> Pose {
        if first { self.solids[number].start } else { self.solids[number].end }
    }

    /// Whether a particle at `x` touches another solid than one.
    fn is_near_another(&self, world: &World, number: usize, i: usize, x: Vec3, first: bool) -> bool {
        let others = world.solids.iter().enumerate().filter(|(other, _)| *other != number);
        others.filter(|(_, solid)| solid.collides[world.cloth_of(i)]).any(|(other, solid)| {
            let p = self.pose(other, first).to_body(x);
            self.nearest[other][i].distance < world.reach[i].offset(&solid.exact, p) + solid.thickness
        })
    }

    /// The gap between a particle and a solid at the end of the step, as a share of the distance to keep.
    pub fn gap_at_end(&self, world: &World, number: usize, i: usize, x: Vec3) -> f64 {
        let solid = &world.solids[number];
        let p = self.solids[number].end.to_body(x);
        let radius = world.reach[i].offset(&solid.exact, p) + solid.thickness;
        solid.exact.nearest(p).distance / radius
    }

    /// Divides the rooms between triangles and solids. Solids go their whole way if this is the `first` motion of the
    /// step, and rest where they end in later ones.
    pub fn divide(
        &self,
        world: &World,
        triangles: &[[u32; 3]],
        first: bool,
        driven: &impl Fn(usize) -> bool,
        round: &mut Round,
        (yields, within): (&mut Yields, &Within),
    ) -> Result<(), Rejection> {
        for (number, solid) in world.solids.iter().enumerate() {
            let moves = self.solids[number].moves;
            let gone = match (first, self.solids[number]) {
                (true, gone) => gone,
                (false, gone) => Gone { start: gone.end, turn: 0.0, moves: 0.0, ..gone },
            };
            let surface_at = &self.nearest[number];
            for (t, v) in triangles.iter().enumerate().take(world.triangles.len()) {
                let at = v.map(|v| v as usize);
                if round.number > 0 && !at.iter().any(|i| round.has_changed(*i)) {
                    continue;
                }
                let x = at.map(|i| round.x[i]);
                let nearest = at.iter().map(|i| surface_at[*i].distance).fold(f64::INFINITY, f64::min);
                let goes = at.iter().map(|i| round.way[*i].length()).fold(0.0, f64::max);
                let size = x[0].distance(x[1]).max(x[0].distance(x[2]));
                // a point of the triangle is nearer than a corner by no more than its size
                let most = goes + gone.moves + round.floor;
                if nearest - size > most || !solid.collides[world.cloth_of(at[0])] {
                    continue;
                }
                if yields.is_inside(number, t as u32) {
                    continue;
                }
                let gave_way = |v: &u32| yields.lets(*v, solid.body, Vec3::ZERO) || within.lists(*v, solid.body);
                if yields.on() && v.iter().any(gave_way) {
                    yields.enter(number, t as u32);
                    continue;
                }
                let middle = gone.start.to_body((x[0] + x[1] + x[2]) / 3.0);
                let convex = solid.exact.is_convex();
                let whole = convex.then(|| (solid.exact, gone, at.map(|i| surface_at[i])));
                let near = |piece: &&Piece| piece.may_reach(middle, size + most);
                let pieces = self.pieces[number].iter().filter(near).map(|piece| {
                    let part = gone.part(piece);
                    let beside = x.map(|p| piece.exact.nearest(part.start.to_body(p)));
                    (piece.exact, part, beside)
                });
                for (exact, gone, beside) in whole.into_iter().chain(pieces) {
                    if (1.0 - LEFT) * separated(gone.start, x, beside) <= most {
                        let gives_way = yields.on()
                            && certain(&exact, gone.start, x).1 <= SEPARATE * round.floor
                            && !at.iter().all(|i| driven(*i));
                        if gives_way
                            || !divide_triangle(&exact, &gone, *v, beside, (solid.body, moves), driven, round, yields)?
                        {
                            yields.enter(number, t as u32);
                            break;
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

/// Divides the room between a triangle and a convex shape of a body, which moves by so much in the step, m; `false`
/// where the body gives way.
#[allow(clippy::too_many_arguments)]
fn divide_triangle(
    exact: &Exact,
    gone: &Gone,
    v: [u32; 3],
    beside: [Nearest; 3],
    (body, moves): (u32, f64),
    driven: &impl Fn(usize) -> bool,
    round: &mut Round,
    yields: &mut Yields,
) -> Result<bool, Rejection> {
    let at = v.map(|v| v as usize);
    let (x, way) = (at.map(|i| round.x[i]), at.map(|i| round.way[i]));
    let motion = [x, std::array::from_fn(|k| x[k] + way[k])];
    if is_beyond(exact, gone, motion, beside, round.floor) {
        return Ok(true);
    }
    let (shares, normal, rises) = divide(exact, gone, x, way, round.floor);
    for k in (0..3).filter(|k| shares[*k] < 0.0 && !driven(at[*k])) {
        if yields.ask(&v[k..=k], body, Vec3::ZERO, moves, round.may_push()) {
            return Ok(false);
        }
    }
    for k in 0..3 {
        if shares[k] < 1.0 && driven(at[k]) {
            continue; // pins may hold cloth inside a body
        }
        if shares[k] < 0.0 && round.may_push() {
            round.push(v[k], normal * rises[k]);
            continue;
        }
        if shares[k] < 0.0 {
            return Err(Rejection::Blocked { point: v[k], by: Driver::Body(body), shortfall: -shares[k] });
        }
        round.cut(at[k], shares[k]);
    }
    Ok(true)
}

impl Gone {
    /// A convex part of it.
    fn part(&self, piece: &Piece) -> Self {
        Self { start: piece.pose(self.start), end: piece.pose(self.end), radius: piece.radius, ..*self }
    }
}

impl Piece {
    /// Its pose in space, from that of the shape.
    fn pose(&self, shape: Pose) -> Pose {
        Pose { at: shape.to_space(self.at), turn: shape.turn * self.turn }
    }
}

/// Whether triangles of a size could reach around a shape.
fn is_small(exact: &Exact, size: f64) -> bool {
    exact.thinnest() < ROUND * size
}

/// A lower bound of the distance of a triangle from a convex shape, m: the shape is below the plane through the foot of
/// each corner.
fn separated(pose: Pose, x: [Vec3; 3], beside: [Nearest; 3]) -> f64 {
    let above = |k: usize| {
        let normal = pose.turn * beside[k].normal;
        let lowest = x.iter().map(|p| normal.dot(*p - x[k])).fold(f64::INFINITY, f64::min);
        beside[k].distance + lowest
    };
    above(0).max(above(1)).max(above(2))
}

/// Whether the normal at a corner or at the middle separates a triangle from a convex shape at the start and at the end
/// of a motion, which is so for most.
fn is_beyond(exact: &Exact, gone: &Gone, x: [[Vec3; 3]; 2], beside: [Nearest; 3], floor: f64) -> bool {
    let separates = |c: Vec3, nearest: Nearest| {
        let normal = gone.start.turn * nearest.normal;
        let lowest = |x: [Vec3; 3]| x.iter().map(|p| normal.dot(*p)).fold(f64::INFINITY, f64::min);
        let gap = nearest.distance + lowest(x[0]) - normal.dot(c);
        gap > floor && reaches(exact, gone.end, normal).is_some_and(|top| lowest(x[1]) - top >= left_of(gap, floor))
    };
    let middle = (x[0][0] + x[0][1] + x[0][2]) / 3.0;
    gone.turn == 0.0
        && ((0..3).any(|k| separates(x[0][k], beside[k]))
            || separates(middle, exact.nearest(gone.start.to_body(middle))))
}

/// Whether a shape is flat or evenly round below a triangle, so that the triangle is kept away by its corners: their
/// normals differ by no more than its curvature explains. Positions are those of the shape.
fn is_smooth(exact: &Exact, x: [Vec3; 3], beside: [Nearest; 3], size: f64) -> bool {
    let round = x.iter().map(|p| exact.radius_at(*p)).fold(f64::INFINITY, f64::min);
    let most = 2.0 * size / round * BENDS + FLAT;
    let differs = |a: usize, b: usize| beside[a].normal.distance(beside[b].normal);
    round > ROUND * size && [differs(0, 1), differs(1, 2), differs(2, 0)].into_iter().all(|by| by <= most)
}

/// Whether a point of an edge is nearer than all points next to it, and its triangle represents the edge. A point
/// inside a triangle always counts.
/// Triangles with a vertex that is inside do not count.
fn counts(surface: &Surface, triangle: u32, found: &Found, x: &[Vec3], inside: impl Fn(u32) -> bool) -> bool {
    let Some(k) = (0..3).find(|k| found.weights[*k] == 0.0) else { return true };
    let side = (k + 1) % 3;
    let v = surface.triangles()[triangle as usize];
    let ends = [v[side], v[(side + 1) % 3]];
    let of_another = || {
        let edge = surface.edges().binary_search(&[ends[0].min(ends[1]), ends[0].max(ends[1])]).ok()? as u32;
        surface.opposite(edge).into_iter().any(|o| o != v[k] && o != crate::broad::NOBODY && inside(o)).then_some(edge)
    };
    let Some(edge) = surface.owned_edge(triangle, side).or_else(of_another) else { return false };
    let c: Vec3 = (0..3).map(|k| x[v[k] as usize] * found.weights[k]).sum();
    let inner = surface.opposite(edge).into_iter().filter(|o| *o != crate::broad::NOBODY && !inside(*o));
    inner.map(|o| found.normal.dot(x[o as usize] - c)).all(|rise| rise >= 0.0)
}

/// The point of a triangle that is nearest to a shape.
#[derive(Clone, Copy, Debug)]
struct Found {
    weights: [f64; 3],
    normal: Vec3,
    distance: f64,
}

/// Accuracy of the distance of a contact, as a share of it.
const ACCURACY: f64 = 1e-3;
const EXACT: f64 = 1e-10;

/// The point of a triangle that is nearest to a convex shape; its nearest corner if they meet.
fn nearest_point(exact: &Exact, pose: Pose, corners: [Vec3; 3], accuracy: f64) -> Found {
    let x = corners.map(|p| pose.to_body(p));
    let middle = exact.nearest((x[0] + x[1] + x[2]) / 3.0);
    let lowest = |n: Vec3| {
        let heights = x.map(|p| n.dot(p));
        let k = (0..3).reduce(|i, j| if heights[j] < heights[i] { j } else { i }).unwrap_or(0);
        (x[k] - exact.support(n).map_or(x[k], |(_, q)| q), k)
    };
    let found = gjk::separate(accuracy, middle.normal, lowest);
    let mut weights = [0.0; 3];
    if found.gap > 0.0 {
        found.points.iter().for_each(|(k, weight)| weights[*k] += weight);
        return Found { weights, normal: pose.turn * found.normal, distance: found.gap };
    }
    let corners = x.map(|p| exact.nearest(p));
    let k = (0..3).reduce(|i, j| if corners[j].distance < corners[i].distance { j } else { i }).unwrap_or(0);
    weights[k] = 1.0;
    Found { weights, normal: pose.turn * corners[k].normal, distance: corners[k].distance }
}

/// A direction is the normal of a plane if the cosine between both is larger than this, which is 1 up to rounding.
/// Along all others a plane reaches without bound.
const UPRIGHT: f64 = 1.0 - 1e-12;

/// How far a shape reaches along a direction, m.
fn reaches(exact: &Exact, pose: Pose, n: Vec3) -> Option<f64> {
    let own = pose.turn.inverse() * n;
    match exact {
        Exact::Plane(_) => (own.y > UPRIGHT).then(|| n.dot(pose.at)),
        _ => exact.support(own).map(|(height, _)| n.dot(pose.at) + height),
    }
}

/// A point that turns by an angle φ at a distance r is never farther than φ² r/8 from the straight line between its
/// ends.
const BULGE: f64 = 0.125;

/// Corners that keep this share of what has to be left of a gap go their whole way: otherwise rounding would shorten
/// them a little in every round.
const ENOUGH: f64 = 0.5;

/// The shares of their ways that the corners of a triangle may go beside a shape. A negative one says how much room the
/// shape leaves too little, m. With them a normal, and how far the corners would have to rise along it, m.
fn divide(exact: &Exact, gone: &Gone, x: [Vec3; 3], way: [Vec3; 3], floor: f64) -> ([f64; 3], Vec3, [f64; 3]) {
    const WHOLE: ([f64; 3], Vec3, [f64; 3]) = ([1.0; 3], Vec3::ZERO, [0.0; 3]);
    let size = x[0].distance(x[1]).max(x[0].distance(x[2]));
    let floor = floor.max(FLOOR * (size + way.iter().map(|w| w.length()).fold(0.0, f64::max)));
    let end: [Vec3; 3] = std::array::from_fn(|k| x[k] + way[k]);
    let least = |heights: [f64; 3]| heights.into_iter().fold(f64::INFINITY, f64::min);
    if let Exact::Plane(_) = exact {
        let start = x.map(|p| gone.start.to_body(p).y);
        let end = end.map(|p| gone.end.to_body(p).y);
        let rise: [f64; 3] = std::array::from_fn(|k| gone.end.to_body(x[k]).y);
        let keep = left_of(least(start), floor);
        return (shorten(rise, end, keep), gone.end.turn * Vec3::Y, end.map(|end| (keep - end).max(0.0)));
    }
    let (normal, gap) = certain(exact, gone.start, x);
    let keep = left_of(gap, floor);
    let bulge = if let Exact::Sphere(_) = exact { 0.0 } else { BULGE * gone.turn * gone.turn * gone.radius };
    let Some(top) = reaches(exact, gone.end, normal).map(|top| top + bulge) else { return WHOLE };
    let heights = end.map(|p| normal.dot(p) - top);
    if least(heights) >= keep {
        return WHOLE;
    }
    // with a plane that turns from the normal here to that at the end: as `guard::turns`
    let (there, gap_there) = certain(exact, gone.end, end);
    let carried = gone.end.at - gone.start.at;
    let sag = way.iter().map(|w| SAG * (there - normal).dot(*w - carried)).fold(0.0, f64::max) + bulge;
    if there.dot(normal) > COMMON && gap - sag > ENOUGH * keep.min(gap) && gap_there - sag >= keep {
        return WHOLE;
    }
    if passes(exact, gone, [x, end], normal + there, bulge, floor) {
        return WHOLE;
    }
    (shorten(x.map(|p| normal.dot(p) - top), heights, keep), normal, heights.map(|end| (keep - end).max(0.0)))
}

/// Whether any plane separates a triangle from a shape at the start and at the end: as `guard::passes`.
fn passes(exact: &Exact, gone: &Gone, x: [[Vec3; 3]; 2], guess: Vec3, bulge: f64, floor: f64) -> bool {
    let poses = [gone.start, gone.end];
    // the lowest point of all differences at the start, and at the end
    let ends = |n: Vec3| -> [Vec3; 2] {
        std::array::from_fn(|k| {
            let lowest = x[k].into_iter().reduce(|a, b| if n.dot(b) < n.dot(a) { b } else { a }).unwrap_or_default();
            let own = poses[k].turn.inverse() * n;
            lowest - exact.support(own).map_or(lowest, |(_, q)| poses[k].to_space(q))
        })
    };
    let lowest = |n: Vec3| {
        let [a, b] = ends(n);
        (if n.dot(a) < n.dot(b) { a } else { b }, ())
    };
    let found = gjk::separate(NEARLY, guess, lowest);
    let [start, end] = ends(found.normal).map(|d| found.normal.dot(d) - bulge);
    start > floor && end >= left_of(start, floor)
}

/// The share of a gap that has to be left.
const LEFT: f64 = 0.1;

/// What has to be left of a gap, m. A gap that is not open must not become deeper.
fn left_of(gap: f64, floor: f64) -> f64 {
    if gap > 0.0 { (LEFT * gap).max(floor.min(gap)) } else { gap }
}

/// Shares that end at the height `keep` or above, from heights without and with the motion.
fn shorten(without: [f64; 3], with: [f64; 3], keep: f64) -> [f64; 3] {
    std::array::from_fn(|k| {
        if with[k] >= if keep > 0.0 { ENOUGH * keep } else { keep } {
            1.0
        } else if without[k] < keep {
            without[k] - keep
        } else {
            ((without[k] - keep) / (without[k] - with[k])).clamp(0.0, 1.0)
        }
    })
}

/// The normal at the middle of a triangle is taken where the gap along it has this share of the distance of the middle.
const GOOD: f64 = 0.7;

/// A normal along which a triangle is separated from a convex shape, and by how much, m.
fn certain(exact: &Exact, pose: Pose, x: [Vec3; 3]) -> (Vec3, f64) {
    let gap_along = |n: Vec3| {
        let least = x.iter().map(|p| n.dot(*p)).fold(f64::INFINITY, f64::min);
        reaches(exact, pose, n).map_or(f64::NEG_INFINITY, |height| least - height)
    };
    // the normal at the middle is good for small triangles
    let middle = exact.nearest(pose.to_body((x[0] + x[1] + x[2]) / 3.0));
    let normal = pose.turn * middle.normal;
    let gap = gap_along(normal);
    if gap >= GOOD * middle.distance && gap > 0.0 {
        return (normal, gap);
    }
    let found = nearest_point(exact, pose, x, ACCURACY);
    let better = gap_along(found.normal);
    if better > gap { (found.normal, better) } else { (normal, gap) }
}
