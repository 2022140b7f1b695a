//! Edges and triangles of the cloth that lie across a sharp edge, corner or tip of a body, in between vertices.
//!
//! If one end of an edge lies on the top of a box and the other at its side, the offsets of the two vertices do not
//! keep the edge out of the box. Such an edge, or a triangle over a corner, gets a contact at its deepest point p = Σ
//! wᵢ xᵢ. The body reaches h(n) along the normal n, the cloth comes down to minᵢ n·xᵢ, and
//! ```text
//! gap = min n·xᵢ - h(n)     E = k/2 (t/5 - gap)²  while gap < t/5
//! ```
//! These are forces and derivatives of the implicit step. k is the stretch stiffness of the cloth, and is raised where
//! it is not enough. Any n gives a gap that is not larger than the true one; the n with the largest gap is used. Over a
//! box n is perpendicular to the edge of the cloth and to an edge of the box. Over rims and tips n is perpendicular to
//! the edge of the cloth and is turned about it until the gap is largest. It starts from the direction of the shortest
//! path to a smaller body inside (the core), which does not jump from face to face, and at the side of a cone from the
//! normal of the cone. Where the normal of a vertex alone keeps the edge out, the contact of that vertex is enough and
//! there is no crossing.

use super::Contacts;
use super::search::Spot;
use crate::Vec3;
use crate::algebra::outer;
use crate::friction;
use crate::linear::Matrix;
use crate::parallel;
use crate::solid::Moving;
use crate::solid::shape::{Edges, Exact, Nearest};
use crate::world::World;
use glam::DMat3;

/// An edge or a triangle of the cloth across a sharp part of a body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Crossing {
    pub solid: u32,
    pub vertices: [u32; 3],
    /// Weights of the deepest point; the third is zero for edges.
    pub weights: [f64; 3],
    /// Normal in world coordinates.
    pub normal: Vec3,
    /// Gap, m.
    pub gap: f64,
    /// Thickness of the cloth, m.
    pub thickness: f64,
    /// Stiffness of the contact, N/m.
    pub stiffness: f64,
    /// Coefficient of friction.
    pub friction: f64,
    /// Velocity of the body at the deepest point, m/s.
    pub speed: Vec3,
    /// μ times the normal force of the last solution, N.
    grip: f64,
    /// Height Σ n·wᵢ xᵢ where the crossing was found, m.
    height: f64,
}

/// Slip at a crossing that is slower than this has viscous friction, m/s.
const CREEP: f64 = 1e-5;

/// Shares of the thickness: crossings whose gap exceeds the wanted one by up to `MARGIN` are watched. A crossing more
/// than `DEEP` below the wanted gap is solved again with a higher stiffness.
const MARGIN: f64 = 2.0;
const DEEP: f64 = 0.2;

/// Wanted gap as a share of the thickness: less than what lifted vertices leave to the middle of their triangles.
pub(super) const NEAR: f64 = 0.2;

/// An element has no crossing if its vertices are farther from a body than its length plus this many thicknesses, which
/// is more than `NEAR` and `MARGIN` together.
const AWAY: f64 = 3.0;

/// A crossing that is too deep multiplies the stiffness of all crossings by this.
const HARDER: f64 = 4.0;

/// Bisections for the point of an edge that is nearest to the core: 1e-9 of its length.
const BISECTIONS: u32 = 30;

/// An edge that passes the axis of a cone at more than this share of the radius there is over the side, not over the
/// tip.
const BESIDE: f64 = 0.5;

/// A triangle that is deeper than this share of the body's smallest half thickness is on its other side.
const THROUGH: f64 = 0.5;

/// Sine of the angle below which two edges are parallel and have no common perpendicular.
const PARALLEL: f64 = 1e-6;

/// For angles below 30 degrees, whose sine is the first value, the tangent is less than the second value times the
/// sine.
const TANGENT: (f64, f64) = (0.5, 1.2);

/// Rounding of lengths is far below this share of them.
const ROUNDING: f64 = 1e-9;

/// How far a normal is turned from its first guess, rad.
const TURN: f64 = 1.0;

/// The core is this share of the body's smallest half thickness inside.
const CORE: f64 = 0.5;

impl Contacts {
    /// Finds the crossings of the cloth at `x`, with the bodies at the end of the step.
    pub fn find_crossings(&mut self, world: &World, x: &[Vec3]) {
        self.crossings.clear();
        let sharp = world.solids.iter().enumerate().filter(|(_, solid)| solid.exact.is_sharp());
        for ((s, solid), search) in sharp.zip(&mut self.searches) {
            let moving = &self.moving[s];
            let exact = &solid.exact;
            // distances of all vertices, in parallel
            let near = &mut self.near;
            parallel::fill(&world.blocks, near, &mut self.none, |i| exact.nearest(moving.end.to_body(x[i])));
            let review = Review { world, exact, moving, near, x };
            let edge = |e: usize| {
                let [a, b] = world.edges[e].v.map(|v| v as usize);
                let length = x[a].distance(x[b]);
                let t = world.reach[a].thickness;
                if near[a].distance + near[b].distance > length + 2.0 * AWAY * t {
                    return None;
                }
                let (gap, normal, share) = review.edge(a, b)?;
                let vertices = [a as u32, b as u32, b as u32];
                Some(Spot { vertices, weights: [1.0 - share, share, 0.0], gap, normal })
            };
            let triangle = |t: usize| {
                let at = world.triangles[t].map(|v| v as usize);
                let longest =
                    x[at[0]].distance(x[at[1]]).max(x[at[1]].distance(x[at[2]])).max(x[at[2]].distance(x[at[0]]));
                if at.iter().any(|&i| near[i].distance > longest + AWAY * world.reach[i].thickness) {
                    return None;
                }
                let (gap, normal, weights) = review.triangle(at)?;
                Some(Spot { vertices: world.triangles[t], weights, gap, normal })
            };
            search.update(world, moving.end, x, &mut self.none, edge, triangle);
            self.crossings.extend(search.spots().map(|spot| review.crossing(s, spot)));
        }
    }
}

impl Contacts {
    /// Sums the forces of crossings, N, including the residuals at their vertices.
    fn impulse_of_crossings(&mut self, world: &World, x: &[Vec3], v: &[Vec3], left: impl Fn(usize) -> Vec3) {
        self.pushes.clear();
        for crossing in &self.crossings {
            let body = world.solids[crossing.solid as usize].body;
            self.pushes.add_between(body, crossing.vertices, crossing.weights, crossing.force(x, v));
            for i in crossing.vertices.map(|i| i as usize) {
                if !std::mem::replace(&mut self.marked[i], true) {
                    self.pushes.add(body, i, left(i));
                }
            }
        }
        for crossing in &self.crossings {
            crossing.vertices.iter().for_each(|i| self.marked[*i as usize] = false);
        }
    }

    /// Finds crossings at the start of a step. Their friction follows from the normal forces there.
    pub fn begin_crossings(&mut self, world: &World, state: &crate::state::State) {
        self.find_crossings(world, &state.x);
        self.crossings.iter_mut().for_each(|crossing| crossing.slide(&state.x));
    }

    /// Finds crossings at the end of a solution, and returns whether it must be solved again for them.
    pub fn review_crossings(&mut self, world: &World, x: &[Vec3], v: &[Vec3], left: impl Fn(usize) -> Vec3) -> bool {
        self.impulse_of_crossings(world, x, v, left);
        self.find_crossings(world, x);
        let deep = self.crossings.iter().any(|crossing| crossing.gap < (NEAR - DEEP) * crossing.thickness);
        if deep {
            self.harder *= HARDER;
        }
        for crossing in &mut self.crossings {
            crossing.stiffness *= self.harder;
            crossing.slide(x);
        }
        deep
    }
}

struct Review<'a> {
    world: &'a World,
    exact: &'a Exact,
    moving: &'a Moving,
    near: &'a [Nearest],
    x: &'a [Vec3],
}

impl Review<'_> {
    /// The gap of the points along a direction, both in the body's coordinates.
    fn gap(&self, n: Vec3, points: &[Vec3]) -> f64 {
        let Some((reaches, _)) = self.exact.support(n) else { return f64::INFINITY };
        points.iter().map(|p| n.dot(*p)).fold(f64::INFINITY, f64::min) - reaches
    }

    /// The gap of an edge, the normal in the body's coordinates, and the share of the edge at its deepest point.
    fn edge(&self, a: usize, b: usize) -> Option<(f64, Vec3, f64)> {
        let points = [a, b].map(|i| self.moving.end.to_body(self.x[i]));
        let thickness = self.world.reach[a].thickness;
        let wanted = NEAR * thickness;
        // whether the normal of one vertex is enough
        let normals = [a, b].map(|i| self.near[i].normal);
        let by_vertices = normals.map(|n| self.gap(n, &points)).into_iter().fold(f64::NEG_INFINITY, f64::max);
        let watched = wanted + MARGIN * thickness;
        if by_vertices >= watched {
            return None;
        }
        // most edges on flat and round faces are too far from the sharp parts of the body
        let counts = |gap: f64, share: f64| gap < watched && gap > by_vertices && share > 0.0 && share < 1.0;
        let possible = match self.exact.edges() {
            Edges::Box { half } => self.any_across_box(half, points, counts),
            Edges::Rims { radius, half } => rim_is_near(radius, half, points, by_vertices),
            Edges::Cone { .. } => true,
            Edges::Nothing => false,
        };
        if !possible {
            return None;
        }
        // the distance to a convex body is convex along the edge: bisect its slope
        let along = points[1] - points[0];
        let slope = |share: f64| self.core_direction(points[0] + along * share).dot(along);
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..BISECTIONS {
            let middle = 0.5 * (low + high);
            if slope(middle) < 0.0 { low = middle } else { high = middle }
        }
        let outwards = self.core_direction(points[0] + along * (0.5 * (low + high)));
        let outwards = self.side_direction(points).unwrap_or(outwards);
        let found = match self.exact.edges() {
            Edges::Box { half } => self.across_box(half, points, outwards),
            Edges::Rims { .. } | Edges::Cone { .. } => self.across_rim(points, outwards),
            Edges::Nothing => None,
        };
        found.filter(|(gap, _, share)| counts(*gap, *share))
    }

    /// The direction of the shortest path from the core to a point.
    fn core_direction(&self, p: Vec3) -> Vec3 {
        let by = CORE * self.exact.thinnest();
        self.exact.shrunk(by).nearest(p - self.exact.core_shift(by)).normal
    }

    /// The normal of a cone next to an edge that cuts its side, not its tip.
    fn side_direction(&self, points: [Vec3; 2]) -> Option<Vec3> {
        let Edges::Cone { radius, half } = self.exact.edges() else { return None };
        // where the edge is next to the axis, in the plan view
        let flat = |p: Vec3| Vec3::new(p.x, 0.0, p.z);
        let [a, along] = [flat(points[0]), flat(points[1] - points[0])];
        let share = (-a.dot(along) / along.length_squared()).clamp(0.0, 1.0);
        let p = points[0].lerp(points[1], share);
        let wide = radius * (half - p.y) / (2.0 * half);
        let normal = || (flat(p).normalize_or_zero() * (2.0 * half) + Vec3::Y * radius).normalize();
        (flat(p).length() > BESIDE * wide && p.y > -half).then(normal)
    }

    /// Finds the crossing over an edge of a box: two skew lines have one common perpendicular.
    fn across_box(&self, half: Vec3, points: [Vec3; 2], outwards: Vec3) -> Option<(f64, Vec3, f64)> {
        let along = points[1] - points[0];
        let mut best: Option<(f64, Vec3, f64)> = None;
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            let Some((n, share)) = over_box(half, points, axis, outwards.dot(along.cross(axis)).signum()) else {
                continue;
            };
            let gap = self.gap(n, &points);
            if best.is_none_or(|best| gap > best.0) {
                best = Some((gap, n, share));
            }
        }
        best
    }

    /// Whether [`across_box`](Self::across_box) can find a crossing that counts, for any outward direction.
    fn any_across_box(&self, half: Vec3, points: [Vec3; 2], counts: impl Fn(f64, f64) -> bool) -> bool {
        let ways = [Vec3::X, Vec3::Y, Vec3::Z].into_iter().flat_map(|axis| [(axis, 1.0), (axis, -1.0)]);
        ways.filter_map(|(axis, side)| over_box(half, points, axis, side))
            .any(|(n, share)| share > 0.0 && share < 1.0 && counts(self.gap(n, &points), share))
    }

    /// Finds the crossing over a rim or a tip: turns the normal about the edge to where the gap is largest.
    fn across_rim(&self, points: [Vec3; 2], outwards: Vec3) -> Option<(f64, Vec3, f64)> {
        let along = (points[1] - points[0]).normalize_or_zero();
        let n = (outwards - along * along.dot(outwards)).normalize_or_zero();
        if n == Vec3::ZERO {
            return None;
        }
        let m = along.cross(n);
        let turned = |angle: f64| n * angle.cos() + m * angle.sin();
        let angle = crate::solid::shape::argument_of_least(-TURN, TURN, |angle| -self.gap(turned(angle), &points));
        let n = turned(angle);
        let reached = match self.exact.edges() {
            Edges::Cone { radius, half } => on_slant(radius, half, n, points[0], along),
            Edges::Box { .. } | Edges::Rims { .. } | Edges::Nothing => self.exact.support(n)?.1,
        };
        let share = (reached - points[0]).dot(along) / points[0].distance(points[1]);
        Some((self.gap(n, &points), n, share))
    }

    /// Finds the crossing of a triangle that is deepest in its interior: over a corner or a tip.
    fn triangle(&self, at: [usize; 3]) -> Option<(f64, Vec3, [f64; 3])> {
        let points = at.map(|i| self.moving.end.to_body(self.x[i]));
        let thickness = self.world.reach[at[0]].thickness;
        let wanted = NEAR * thickness;
        let across = (points[1] - points[0]).cross(points[2] - points[0]);
        let double = across.length();
        if double == 0.0 {
            return None;
        }
        let by_vertices =
            at.map(|i| self.gap(self.near[i].normal, &points)).into_iter().fold(f64::NEG_INFINITY, f64::max);
        let watched = wanted + MARGIN * thickness;
        if by_vertices >= watched {
            return None;
        }
        if let Some(pierced) = self.pierced(points) {
            return Some(pierced);
        }
        let mut best: Option<(f64, Vec3, [f64; 3])> = None;
        for n in [across / double, -across / double] {
            let (reaches, q) = self.exact.support(n)?;
            let gap = n.dot(points[0]) - reaches;
            // the projection of the body's farthest point must lie inside the triangle
            let area = |i: usize, j: usize| (points[i] - q).cross(points[j] - q).dot(across) / (double * double);
            let weights = [area(1, 2), area(2, 0), area(0, 1)];
            if weights.iter().all(|w| *w > 0.0) && best.is_none_or(|best| gap > best.0) {
                best = Some((gap, n, weights));
            }
        }
        best.filter(|found| found.0 < watched && found.0 > by_vertices && found.0 > -THROUGH * self.exact.thinnest())
    }

    /// Finds where the tip of a cone pierces a triangle, which has to move back over the tip, not aside.
    fn pierced(&self, points: [Vec3; 3]) -> Option<(f64, Vec3, [f64; 3])> {
        let Edges::Cone { half, .. } = self.exact.edges() else { return None };
        let area = |i: usize, j: usize| points[i].x * points[j].z - points[i].z * points[j].x;
        let areas = [area(1, 2), area(2, 0), area(0, 1)];
        let whole: f64 = areas.iter().sum();
        let weights = areas.map(|area| area / whole);
        let y: f64 = (0..3).map(|k| points[k].y * weights[k]).sum();
        let through = weights.iter().all(|w| *w > 0.0) && y < half && y > self.exact.thinnest() - half;
        through.then_some((y - half, Vec3::Y, weights))
    }

    fn crossing(&self, solid: usize, spot: &Spot) -> Crossing {
        let Spot { vertices, weights, gap, normal } = *spot;
        let cloth = self.world.cloth_of(vertices[0] as usize);
        let normal = self.moving.end.turn * normal;
        let p: Vec3 = (0..3).map(|k| self.x[vertices[k] as usize] * weights[k]).sum();
        Crossing {
            solid: solid as u32,
            vertices,
            weights,
            normal,
            gap,
            thickness: self.world.reach[vertices[0] as usize].thickness,
            stiffness: self.world.fabrics[cloth].stiffness,
            friction: self.world.friction(solid, vertices[0] as usize),
            speed: self.moving.speed_at(p),
            grip: 0.0,
            height: normal.dot(p),
        }
    }
}

/// Normal and share of an edge of the cloth that passes an edge of a box along an axis, on one of its two sides.
fn over_box(half: Vec3, points: [Vec3; 2], axis: Vec3, side: f64) -> Option<(Vec3, f64)> {
    let along = points[1] - points[0];
    let across = along.cross(axis);
    let size = across.length();
    if size < PARALLEL * along.length() {
        return None;
    }
    let n = across * (side / size);
    // the edge of the box that is farthest out, and where the lines pass each other
    let corner = half * Vec3::new(n.x.signum(), n.y.signum(), n.z.signum());
    let m = n.cross(axis);
    let share = m.dot(corner - points[0]) / m.dot(along);
    let place = axis.dot(points[0] + along * share);
    // or beyond its end
    (place.abs() <= axis.dot(half)).then_some((n, share))
}

/// Whether an edge of the cloth can pass over a rim of a cylinder with a gap larger than `least`.
///
/// Let a be the direction of the edge and n a normal with n·a = 0 that is inclined by θ to the plane of the rims. The
/// body reaches farthest along n at a point q of a rim with q·a = ± a_y (half - radius tan θ), which must lie between
/// the ends of the edge. As every point of the edge is at most δ away from the side and at least D from the rim's
/// plane, the gap is at most δ - D |sin θ|: the edge is either near the rim, or θ is small and q·a is known.
fn rim_is_near(radius: f64, half: f64, points: [Vec3; 2], least: f64) -> bool {
    let length = points[0].distance(points[1]);
    let a = (points[1] - points[0]) / length;
    let begins = points[0].dot(a);
    let aside = points.map(|p| p.x.hypot(p.z) - radius).into_iter().fold(0.0, f64::max);
    [1.0, -1.0].into_iter().any(|up| {
        let below = points.map(|p| half - up * p.y).into_iter().fold(f64::INFINITY, f64::min);
        let sine = (aside - least) / below;
        if below <= 0.0 || sine > TANGENT.0 || !sine.is_finite() {
            return true;
        }
        let slack = ROUNDING * (radius + half + length);
        let ends = [half, half - TANGENT.1 * radius * sine.max(0.0)].map(|reach| up * a.y * reach - begins);
        ends[0].max(ends[1]) >= -slack && ends[0].min(ends[1]) <= length + slack
    })
}

/// The point nearest to a given line on the straight line of a cone, from tip to rim, that is farthest along n.
fn on_slant(radius: f64, half: f64, n: Vec3, p: Vec3, along: Vec3) -> Vec3 {
    let out = Vec3::new(n.x, 0.0, n.z).normalize_or_zero() * radius;
    let (tip, slant) = (Vec3::Y * half, out - Vec3::Y * (2.0 * half));
    // across the other line
    let across = slant - along * along.dot(slant);
    let from = p - tip;
    let share = from.dot(across) / across.length_squared().max(f64::MIN_POSITIVE);
    tip + slant * share.clamp(0.0, 1.0)
}

impl Crossing {
    pub fn point(&self, x: &[Vec3]) -> Vec3 {
        (0..3).map(|k| x[self.vertices[k] as usize] * self.weights[k]).sum()
    }

    /// The gap at other positions, to first order.
    pub fn gap_at(&self, x: &[Vec3]) -> f64 {
        self.gap + self.normal.dot(self.point(x)) - self.height
    }

    /// How far the gap at positions x + s w is below the wanted gap, m.
    fn shortfall(&self, x: &[Vec3], s: f64, w: &[Vec3]) -> f64 {
        NEAR * self.thickness - self.gap_at(x) - s * self.normal.dot(self.point(w))
    }

    /// Whether the crossing pushes at positions x + s w.
    pub fn pushes(&self, x: &[Vec3], s: f64, w: &[Vec3]) -> bool {
        self.shortfall(x, s, w) > 0.0
    }

    /// Normal force on the deepest point at positions x, N.
    pub fn push(&self, x: &[Vec3]) -> f64 {
        (self.stiffness * (NEAR * self.thickness - self.gap_at(x))).max(0.0)
    }

    /// Force on the cloth at positions x and velocities v, N.
    pub fn force(&self, x: &[Vec3], v: &[Vec3]) -> Vec3 {
        let push = self.push(x);
        if push > 0.0 { self.normal * push - self.rub(self.slip(self.point(v))) } else { Vec3::ZERO }
    }

    fn slip(&self, v: Vec3) -> Vec3 {
        let moves = v - self.speed;
        moves - self.normal * self.normal.dot(moves)
    }

    /// Friction as a damping coefficient, N s/m: Coulomb's law, and less for slow slip.
    fn drag(&self, slip: Vec3) -> f64 {
        friction::regular_damping(slip.length(), CREEP, self.grip)
    }

    fn rub(&self, slip: Vec3) -> Vec3 {
        slip * self.drag(slip)
    }

    /// The crossing's part of Φ at w, J, about positions x; `v0` are the velocities at w = 0.
    pub fn value(&self, s: f64, x: &[Vec3], v0: impl Fn(usize) -> Vec3, w: &[Vec3]) -> f64 {
        let shortfall = self.shortfall(x, s, w);
        if shortfall <= 0.0 {
            return 0.0;
        }
        let slip = self.slip(self.mean(v0) + self.point(w));
        let rub = friction::regular_dissipation(slip.length(), CREEP, s * self.grip);
        0.5 * self.stiffness * shortfall * shortfall + rub
    }

    /// Adds minus the gradient of the crossing's part of Φ at w.
    pub fn pull(&self, s: f64, x: &[Vec3], v0: impl Fn(usize) -> Vec3, w: &[Vec3], out: &mut [Vec3]) {
        let shortfall = self.shortfall(x, s, w);
        if shortfall > 0.0 {
            let slip = self.slip(self.mean(v0) + self.point(w));
            let pull = (self.normal * (self.stiffness * shortfall) - self.rub(slip)) * s;
            (0..3).for_each(|k| out[self.vertices[k] as usize] += pull * self.weights[k]);
        }
    }

    fn mean(&self, v: impl Fn(usize) -> Vec3) -> Vec3 {
        (0..3).map(|k| v(self.vertices[k] as usize) * self.weights[k]).sum()
    }

    /// Adds the crossing to the equations about positions x if it pushes at w: s times the force, s² times its
    /// derivative, and friction as a damping.
    pub fn add(&self, s: f64, x: &[Vec3], v0: impl Fn(usize) -> Vec3, w: &[Vec3], b: &mut [Vec3], matrix: &mut Matrix) {
        if !self.pushes(x, s, w) {
            return;
        }
        let n = self.normal;
        let normal = outer(n, n);
        let along = DMat3::IDENTITY - normal;
        let force = n * (self.stiffness * (NEAR * self.thickness - self.gap_at(x)));
        let before = self.mean(v0);
        let factor = self.drag(self.slip(before + self.point(w)));
        let drag = self.slip(before) * -factor;
        let stiffness = normal * (s * s * self.stiffness) + along * (s * factor);
        let count = if self.weights[2] == 0.0 { 2 } else { 3 };
        for i in 0..count {
            b[self.vertices[i] as usize] += (force + drag) * (s * self.weights[i]);
            for j in 0..count {
                matrix.extra.push((
                    self.vertices[i],
                    self.vertices[j],
                    stiffness * (self.weights[i] * self.weights[j]),
                ));
            }
        }
    }

    /// Sets the grip from the normal force at x.
    pub fn slide(&mut self, x: &[Vec3]) {
        self.grip = friction::grip(self.friction, self.push(x));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::signed;

    #[test]
    fn what_is_ruled_out_passes_no_rim() {
        let (radius, half) = (0.2, 0.35);
        let exact = Exact::Cylinder(crate::solid::shape::Cylinder { radius, half });
        let mut ruled_out = 0;
        for k in 0..4000u64 {
            let random = |j: u64| signed(k, j);
            // an edge of a few centimetres near the side, at any height
            let (turn, height, out) = (3.0 * random(0), 1.1 * half * random(1), radius * (1.0 + 0.02 * random(2)));
            let middle = Vec3::new(out * turn.cos(), height, out * turn.sin());
            let along = Vec3::new(random(3), random(4), random(5)) * 0.03;
            let points = [middle - along, middle + along];
            let least = 0.004 * random(6);
            if rim_is_near(radius, half, points, least) {
                continue;
            }
            ruled_out += 1;
            let length = points[0].distance(points[1]);
            let a = (points[1] - points[0]) / length;
            let n = a.any_orthonormal_vector();
            let m = a.cross(n);
            for step in 0..2000 {
                let angle = f64::from(step) * std::f64::consts::TAU / 2000.0;
                let n = n * angle.cos() + m * angle.sin();
                let (reaches, q) = exact.support(n).unwrap();
                let gap = points.map(|p| n.dot(p)).into_iter().fold(f64::INFINITY, f64::min) - reaches;
                let share = (q - points[0]).dot(a) / length;
                assert!(!(gap > least && share > 0.0 && share < 1.0), "{points:?} {least}: {n}, {gap}, {share}");
            }
        }
        assert!(ruled_out > 1000, "{ruled_out}");
    }
}
