//! The hard limit on stretch: all edges at once, by an interior point method.
//!
//! Positions that keep the limit are a convex set, and the nearest of them to the proposed x̂, in the norm of the
//! masses, is
//! ```text
//! min ½ |x - x̂|²_M      f(x) <= 0 for every edge,  f = (|x_b - x_a|²/L - L)/2
//! ```
//! with held directions fixed. R. Goldenthal, D. Harmon, R. Fattal, M. Bercovier and E. Grinspun (Efficient Simulation
//! of Inextensible Cloth, SIGGRAPH 2007) project on equations |x_b - x_a| = L by Newton's method; inequalities leave
//! the cloth free to fold, but the active set is not known. So slacks s and tensions t, both positive, are solved for
//! together:
//! ```text
//! M (x - x̂) + Jᵀ t = 0      f + s - ε t = 0      s t = μ → 0
//! (M + Σ t/L + Jᵀ W J) p = right side,  W = 1/(s/t + ε)
//! ```
//! by S. Mehrotra's predictor and corrector (On the Implementation of a Primal-Dual Interior Point Method, SIAM J.
//! Optim. 2, 1992; J. Nocedal and S. Wright, Numerical Optimization, 2006, Ch. 19), where the curvature of f takes part
//! in the corrector. Each round is one factorisation. The rounds start where the step started: that is inside, or
//! nearly.
//!
//! A projection on a convex set moves nothing farther from any point of the set. The positions at the start of the step
//! are in it while pins rest: the displacement of the step can only become smaller, and with it the kinetic energy.
//!
//! Planes of bodies add rows of the same kind, with friction: see [`bound`](super::bound). They change blocks of
//! vertices and edges only. Bodies may have moved so far that the start of the step is deep inside them: then the
//! rounds start from x̂.
//!
//! Pins may ask for more than the limit allows, which no projection could satisfy. So a tight edge is not rigid: it has
//! the compliance ε = L/(EA h²) with a large EA ([`STIFF`]). Where the limit cannot be kept with that, the search is
//! repeated with the EA of a strong cloth ([`YIELDING`]), so that the excess is spread and forces stay moderate. An
//! edge that was too long when the step started need not be within the limit at its end, only nearer to it
//! ([`RECOVERY`]): the start stays feasible, and edges that pins have drawn out do not snap back.

use super::{Bound, Limits, Outcome};
use crate::Vec3;
use crate::algebra::outer;
use crate::boundary::Boundary;
use crate::linear::cholesky::{Factor, Symbolic};
use crate::linear::filter::FREE;
use crate::linear::matrix::Rows;
use crate::linear::{Matrix, Pattern};
use crate::parallel::{self, Block, Cut};
use crate::world::{STANDARD_GRAVITY, World};
use glam::DMat3;

/// EA of a tight edge over the weight of its cloth. An edge that carries a thousand times the weight is 1e-6 too long.
const STIFF: f64 = 1e9;

/// The same where pins ask for more than the limit allows: a cloth of 0.15 kg and 1 m across yields by 1 % to 150 N.
const YIELDING: f64 = 1e4;

/// Pins ask for too much if an edge is too long by this share when the step starts.
const BEYOND: f64 = 1e-3;

/// An edge that is too long when the step starts loses this share of the excess in a second, plus this share of its
/// length, 1/s.
const RECOVERY: (f64, f64) = (2.0, 0.05);

/// Edges are shortened beyond the limit by this share of it, so that the remaining μ and rounding do not break the
/// limit.
const MARGIN: f64 = 0.01;

/// Lower and upper bound of that margin, as shares of the length.
const MARGINS: (f64, f64) = (1e-5, 1e-3);

/// An excess below this share of the length counts as kept.
pub(super) const KEPT: f64 = 1e-6;

/// A search ends when Σ s t is this share of the distance ½ |x - x̂|²_M: less makes no visible difference.
const GAP: f64 = 0.1;

/// A search also requires that the squared error of the displacement is this share of its square.
const OFF: f64 = 1e-3;

/// Where bodies take up the tensions and little moves, the squared error is compared with this share of the squared
/// tensions.
const LOST: f64 = 1e-3;

/// Lower bound of the initial slack, as a share of the largest excess, and initial s t as a multiple of its square.
/// Between 0.005 and 0.05, and 1 and 30, the number of rounds hardly changes.
const FIRST: (f64, f64) = (0.02, 3.0);

/// Lower bound of σ in the corrector: centring keeps s t of all rows of similar size.
const CENTRE: f64 = 1e-3;

/// A round goes this share of the way to where the first slack or tension is zero, so that they stay positive.
const SHORT_OF_ZERO: f64 = 0.99;

/// A search continues until the largest residual of a constraint is this share of [`KEPT`].
const MET: f64 = 0.1;

/// Largest number of rounds: more than any search has needed that could keep the limit.
const ROUNDS: u32 = 40;

/// An edge with a limit.
#[derive(Clone, Copy, Debug)]
struct Tie {
    a: u32,
    b: u32,
    /// Longest length allowed, m.
    longest: f64,
    /// Length over the weight of its cloth, m/N.
    give: f64,
    /// Indices of the blocks (a, b) and (b, a) in the pattern.
    places: [u32; 2],
}

/// Variables of an edge in a step and in a round.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    /// L: target length, m.
    target: f64,
    /// Length allowed at the end of the step, m.
    allowed: f64,
    /// ε, 1/kg.
    compliance: f64,
    /// Row of J, at b; at a it is the negative.
    j: Vec3,
    slack: f64,
    tension: f64,
    change_slack: f64,
    change_tension: f64,
    /// f + s - ε t, with the curvature of f in the corrector.
    unmet: f64,
    /// W.
    weight: f64,
    /// s t + Δs Δt - σ μ: wanted decrease of s t.
    lose: f64,
    /// Tension in the right-hand side.
    pull: f64,
    /// Whether one of its ends can move.
    on: bool,
}

/// Edges and buffers.
#[derive(Default)]
pub(crate) struct KeepBuffers {
    /// Edges, ordered by their first vertex, which has the lower index.
    ties: Vec<Tie>,
    /// Where the edges of each particle start.
    start: Vec<u32>,
    /// The edges that end at each particle, and where these lists start.
    ends: Vec<u32>,
    ends_start: Vec<u32>,
    pattern: Pattern,
    symbolic: Symbolic,
    /// Mean of reduced mass times squared length, kg m².
    scale: f64,
    /// Mean of the longest lengths allowed, m.
    length: f64,
    /// Compliance of a bound, 1/kg.
    compliance: f64,
    margin: f64,
    /// [`GAP`] and [`OFF`].
    enough: [f64; 2],

    rows: Vec<Row>,
    matrix: Matrix,    // kg
    factor: Factor,    //
    part: Vec<f64>,    // of Symbolic::solve_with
    wanted: Vec<Vec3>, // m   x̂
    p: Vec<Vec3>,      // m   right side, then solution
    sums: Vec<Sums>,   // one for each block
    none: Vec<()>,
}

/// Sums, maxima and minima of a block.
#[derive(Clone, Copy, Debug)]
struct Sums {
    sum: f64,
    count: f64,
    worst: f64,
    pulled: f64,
    /// How far slacks and tensions can go while they stay positive.
    steps: [f64; 2],
}

const NOTHING: Sums = Sums { sum: 0.0, count: 0.0, worst: 0.0, pulled: 0.0, steps: [1.0; 2] };

impl Sums {
    fn total(all: &[Sums]) -> Sums {
        all.iter().fold(NOTHING, |all, part| Sums {
            sum: all.sum + part.sum,
            count: all.count + part.count,
            worst: all.worst.max(part.worst),
            pulled: all.pulled + part.pulled,
            steps: [0, 1].map(|k| all.steps[k].min(part.steps[k])),
        })
    }
}

/// Values of edges, split at the same places as the blocks of particles.
struct OfTies<'a, T> {
    start: &'a [u32],
    first: usize,
    part: &'a mut [T],
}

impl<T: Send> Cut for OfTies<'_, T> {
    fn cut(self, at: usize) -> (Self, Self) {
        let OfTies { start, first, part } = self;
        let (low, high) = part.split_at_mut((start[first + at] - start[first]) as usize);
        (OfTies { start, first, part: low }, OfTies { start, first: first + at, part: high })
    }
}

/// The edges that start in a block.
fn range(start: &[u32], block: &Block) -> std::ops::Range<usize> {
    start[block.particles.start] as usize..start[block.particles.end] as usize
}

impl Tie {
    fn length(&self, x: &[Vec3]) -> f64 {
        x[self.a as usize].distance(x[self.b as usize])
    }

    /// The excess over the longest length allowed, as a share.
    fn excess(&self, x: &[Vec3]) -> f64 {
        self.length(x) / self.longest - 1.0
    }
}

impl Row {
    /// The value of f for a length.
    fn f(&self, length: f64) -> f64 {
        0.5 * (length * length / self.target - self.target)
    }

    /// Finds the changes of tension and slack for a change of f by J p, and limits the step lengths so that both stay
    /// positive.
    fn answer(&mut self, jp: f64, steps: &mut [f64; 2]) {
        self.change_tension = self.weight * (self.unmet + jp - self.lose / self.tension);
        self.change_slack = -(self.lose + self.slack * self.change_tension) / self.tension;
        if self.change_slack < 0.0 {
            steps[0] = steps[0].min(-self.slack / self.change_slack);
        }
        if self.change_tension < 0.0 {
            steps[1] = steps[1].min(-self.tension / self.change_tension);
        }
    }
}

/// How the grip of friction is found.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Grip {
    /// Coulomb's law: μ times the normal force of the last round.
    Follows,
    /// Tresca's law: μ times the normal force in the step, which is constant.
    Given,
}

/// Result of a round.
struct Round {
    /// Largest f + s - ε t as a share of the length, to first order.
    unmet: f64,
    /// Σ s t.
    gap: f64,
    /// Largest excess over what is allowed, as a share.
    worst: f64,
}

impl KeepBuffers {
    pub fn new(world: &World, limit: f64) -> Self {
        let planned = Self::planned(world, limit);
        let part = Vec::with_capacity(planned.symbolic.widest());
        Self { factor: planned.symbolic.room(), part, ..planned }
    }

    /// Without memory for the factor.
    fn planned(world: &World, limit: f64) -> Self {
        let n = world.mass.len();
        let margin = (MARGIN * limit).clamp(MARGINS.0, MARGINS.1);
        let mut pairs: Vec<([u32; 2], f64)> =
            world.limited.iter().map(|l| ([l.a.min(l.b), l.a.max(l.b)], l.longest)).collect();
        pairs.sort_by(|p, q| p.0.cmp(&q.0).then(p.1.total_cmp(&q.1)));
        // if two springs connect the same particles, the shorter limit counts
        pairs.dedup_by_key(|pair| pair.0);
        // bodies with sharp edges may hold edges of the mesh that have no limit
        let sharp = world.has_sharp_bodies();
        let edges = if sharp { &world.edges[..] } else { &[] };
        let couples = pairs.iter().map(|pair| &pair.0[..]).chain(edges.iter().map(|edge| &edge.v[..]));
        let pattern = Pattern::new(n, couples);
        let mut scale = 0.0;
        let mut weight = vec![0.0; n];
        for cloth in &world.cloths {
            let mass: f64 = world.mass[cloth.vertices.clone()].iter().sum();
            weight[cloth.vertices.clone()].fill(mass * STANDARD_GRAVITY);
        }
        let ties: Vec<Tie> = pairs
            .iter()
            .map(|&([a, b], longest)| {
                let reduced = 1.0 / (1.0 / world.mass[a as usize] + 1.0 / world.mass[b as usize]);
                scale += reduced * longest * longest / pairs.len() as f64;
                let places = [pattern.place(a, b), pattern.place(b, a)];
                Tie { a, b, longest, give: longest / weight[a as usize], places }
            })
            .collect();
        let start = (0..=n as u32).map(|v| ties.partition_point(|tie| tie.a < v) as u32).collect();
        let mut ends: Vec<u32> = (0..ties.len() as u32).collect();
        ends.sort_by_key(|&e| ties[e as usize].b);
        let ends_start = (0..=n as u32).map(|v| ends.partition_point(|&e| ties[e as usize].b < v) as u32).collect();
        let symbolic = Symbolic::new(&pattern, &world.rest);
        Self {
            start,
            ends,
            ends_start,
            factor: Factor::default(),
            part: Vec::new(),
            symbolic,
            enough: [GAP, OFF],
            matrix: Matrix::new(&pattern),
            pattern,
            scale,
            length: ties.iter().map(|tie| tie.longest).sum::<f64>() / ties.len().max(1) as f64,
            compliance: 0.0,
            margin,
            rows: vec![Row::default(); ties.len()],
            wanted: vec![Vec3::ZERO; n],
            p: vec![Vec3::ZERO; n],
            sums: vec![NOTHING; world.blocks.len()],
            none: vec![(); world.blocks.len()],
            ties,
        }
    }

    /// Bytes of the buffers of a world, without memory for the factor.
    pub fn bytes_for(world: &World, limit: f64) -> usize {
        let planned = Self::planned(world, limit);
        planned.bytes_of_lists() + planned.symbolic.bytes_of_room()
    }

    /// Bytes of allocated memory.
    #[cfg(test)]
    pub fn allocated(&self) -> usize {
        self.bytes_of_lists() + self.factor.allocated()
    }

    fn bytes_of_lists(&self) -> usize {
        let edges = size_of_val(&self.ties[..]) + size_of_val(&self.rows[..]) + size_of_val(&self.ends[..]);
        let particles = size_of_val(&self.start[..]) + size_of_val(&self.ends_start[..]);
        let vectors = size_of_val(&self.wanted[..]) + size_of_val(&self.p[..]);
        let pattern = size_of_val(&self.pattern.start[..]) + size_of_val(&self.pattern.column[..]);
        let matrix = size_of_val(&self.pattern.diagonal[..]) + size_of_val(&self.matrix.blocks[..]);
        edges + particles + vectors + pattern + matrix + self.symbolic.bytes()
    }

    /// The extra shortening of a mean edge beyond the limit, m.
    fn fine(&self) -> f64 {
        self.margin * self.length
    }

    /// The largest excess of an edge as a share of its length, and how many are too long.
    fn worst(&mut self, list: &[Block], x: &[Vec3]) -> Sums {
        let (ties, start) = (&self.ties, &self.start);
        parallel::each(list, (), &mut self.sums, &|block, (), sums| {
            *sums = NOTHING;
            for tie in &ties[range(start, block)] {
                let excess = tie.excess(x);
                // every comparison with NaN is false, so NaN is asked for
                if excess > 0.0 || excess.is_nan() {
                    sums.worst = if excess.is_nan() { f64::INFINITY } else { sums.worst.max(excess) };
                    sums.count += 1.0;
                }
            }
        });
        Sums::total(&self.sums)
    }

    /// The edge with this excess.
    fn longest(&self, x: &[Vec3], excess: f64) -> Option<[u32; 2]> {
        self.ties.iter().find(|tie| tie.excess(x) == excess).map(|tie| [tie.a, tie.b])
    }

    /// Calls `f(tie, row, sums)` for every edge that can move.
    fn each(&mut self, list: &[Block], f: impl Fn(&Tie, &mut Row, &mut Sums) + Sync) -> Sums {
        let KeepBuffers { ties, start, rows, sums, .. } = self;
        let rows = OfTies { start, first: 0, part: &mut rows[..] };
        parallel::each(list, rows, sums, &|block, rows, sums| {
            *sums = NOTHING;
            for (tie, row) in ties[range(start, block)].iter().zip(rows.part) {
                if row.on {
                    f(tie, row, sums);
                }
            }
        });
        Sums::total(sums)
    }

    /// Sums over the edges of a particle: edges that end there minus edges that start there.
    fn gather(&self, i: usize, of: impl Fn(&Row) -> f64) -> Vec3 {
        let mut sum = Vec3::ZERO;
        for &e in &self.ends[self.ends_start[i] as usize..self.ends_start[i + 1] as usize] {
            let row = &self.rows[e as usize];
            sum += row.j * of(row);
        }
        for row in &self.rows[self.start[i] as usize..self.start[i + 1] as usize] {
            sum -= row.j * of(row);
        }
        sum
    }

    /// Sets the target lengths of the step and initial slacks and tensions. Edges that cannot move are left out.
    fn begin(&mut self, list: &[Block], at: &mut Limits, stiffness: f64) {
        let Limits { boundary, start, tau, ref x, .. } = *at;
        let fixed = |i: u32| match boundary.slot[i as usize] {
            FREE => false,
            slot => boundary.held[slot as usize].free == DMat3::ZERO,
        };
        self.rows.iter_mut().zip(&self.ties).for_each(|(row, tie)| {
            *row = Row { on: !(fixed(tie.a) && fixed(tie.b)), ..Row::default() };
        });
        let (margin, scale) = (self.margin, self.scale);
        let wanted = std::mem::take(&mut self.wanted);
        let sums = self.each(list, |tie, row, sums| {
            let over = tie.length(start) - tie.longest;
            let left = over * (1.0 - (RECOVERY.0 * tau).min(1.0)) - RECOVERY.1 * tau * tie.longest;
            row.allowed = tie.longest + left.max(0.0);
            row.target = row.allowed * (1.0 - margin);
            row.compliance = tie.give / (stiffness * tau * tau);
            sums.worst = sums.worst.max(tie.length(&wanted) / row.allowed - 1.0);
        });
        self.wanted = wanted;
        let worst = sums.worst.clamp(margin, 1.0);
        let centre = FIRST.1 * scale * worst * worst;
        self.each(list, |tie, row, _| {
            row.slack = (-row.f(tie.length(x))).max(FIRST.0 * worst * row.target);
            row.tension = centre / row.slack;
        });
        // contact is as stiff as a tight edge, even where edges yield
        let mean = self.ties.iter().map(|tie| tie.give).sum::<f64>() / self.ties.len().max(1) as f64;
        self.compliance = mean / (STIFF * tau * tau);
        let least = FIRST.0 * worst * self.length;
        at.bounds.iter_mut().for_each(|bound| bound.begin(at.x, tau, least, centre));
    }

    /// Computes the rows of J, the residuals of the constraints, and the matrix.
    fn linearise(&mut self, world: &World, x: &[Vec3], bounds: &mut [Bound]) -> Sums {
        let list = &world.blocks;
        let mut sums = self.each(list, |tie, row, sums| {
            row.j = (x[tie.b as usize] - x[tie.a as usize]) / row.target;
            row.unmet = row.f(tie.length(x)) + row.slack - row.compliance * row.tension;
            row.weight = 1.0 / (row.slack / row.tension + row.compliance);
            row.lose = row.slack * row.tension;
            sums.worst = sums.worst.max(row.unmet.abs() / row.target);
            sums.sum += row.lose;
            sums.count += 1.0;
        });
        let KeepBuffers { ties, start, ends, ends_start, pattern, rows, matrix, none, .. } = self;
        let block_of = |e: usize| {
            let (row, j) = (&rows[e], rows[e].j);
            outer(j, j) * row.weight + DMat3::IDENTITY * (row.tension / row.target)
        };
        parallel::each(list, Rows::all(pattern, matrix), none, &|block, out, ()| {
            let offset = pattern.start[block.particles.start] as usize;
            for i in block.particles.clone() {
                let mut diagonal = DMat3::IDENTITY * world.mass[i];
                let ended = ends[ends_start[i] as usize..ends_start[i + 1] as usize].iter().map(|&e| (e as usize, 1));
                let begun = (start[i] as usize..start[i + 1] as usize).map(|e| (e, 0));
                for (e, side) in ended.chain(begun) {
                    let block = if rows[e].on { block_of(e) } else { DMat3::ZERO };
                    diagonal += block;
                    out.blocks[ties[e].places[side] as usize - offset] = -block;
                }
                out.blocks[pattern.diagonal[i] as usize - offset] = diagonal;
            }
        });
        let fine = self.fine();
        sums.sum += bounds.iter().map(Bound::gap).sum::<f64>();
        sums.count += bounds.len() as f64;
        for bound in bounds {
            bound.linearise(x, self.compliance, sums.sum / sums.count, fine);
            sums.worst = sums.worst.max(bound.unmet() / self.length);
            bound.add(&self.pattern, &mut self.matrix);
        }
        sums
    }

    /// Solves for p, then finds the changes of slacks and tensions.
    fn solve(&mut self, world: &World, boundary: &Boundary, tau: f64, x: &[Vec3], bounds: &mut [Bound]) -> Sums {
        let list = &world.blocks;
        self.each(list, |_, row, _| {
            row.pull = row.tension + row.weight * (row.unmet - row.lose / row.tension);
        });
        let (mut p, mut none) = (std::mem::take(&mut self.p), std::mem::take(&mut self.none));
        let this = &*self;
        parallel::fill(list, &mut p, &mut none, |i| {
            (this.wanted[i] - x[i]) * world.mass[i] - this.gather(i, |row| row.pull)
        });
        bounds.iter().for_each(|bound| bound.ask(tau, &mut p));
        for held in &boundary.held {
            let p = &mut p[held.vertex as usize];
            *p = held.free * *p;
        }
        self.symbolic.solve_with(&self.factor, &mut p, &mut self.part);
        let mut sums = self.each(list, |tie, row, sums| {
            row.answer(row.j.dot(p[tie.b as usize] - p[tie.a as usize]), &mut sums.steps);
        });
        bounds.iter_mut().for_each(|bound| bound.answer(&p, &mut sums.steps));
        (self.p, self.none) = (p, none);
        sums
    }

    /// Runs one round; `None` if the matrix can no longer be factored.
    fn round(&mut self, world: &World, at: &mut Limits) -> Option<Round> {
        let Limits { boundary, tau, ref mut x, ref mut bounds, .. } = *at;
        let list = &world.blocks;
        let before = self.linearise(world, x, bounds);
        self.symbolic.factor(&self.pattern, &self.matrix, &boundary.held, &mut self.factor, at.halt).ok()?;

        // the predictor aims at s t = 0
        let [far, far_tension] = self.solve(world, boundary, tau, x, bounds).steps;
        let mut predicted = self.each(list, |_, row, sums| {
            sums.sum += (row.slack + far * row.change_slack) * (row.tension + far_tension * row.change_tension);
        });
        predicted.sum += bounds.iter().map(|bound| bound.predicted([far, far_tension])).sum::<f64>();
        let centre = (predicted.sum / before.sum).powi(3).clamp(CENTRE, 1.0) * before.sum / before.count;

        // the corrector adds the second-order terms of the predictor, for the part of it that was possible
        let p = std::mem::take(&mut self.p);
        self.each(list, |tie, row, _| {
            let bend = (p[tie.b as usize] - p[tie.a as usize]).length_squared() / row.target;
            row.unmet += 0.5 * far * far * bend;
            row.lose += far * far_tension * row.change_slack * row.change_tension - centre;
        });
        self.p = p;
        bounds.iter_mut().for_each(|bound| bound.correct([far, far_tension], centre));
        let [far, far_tension] =
            self.solve(world, boundary, tau, x, bounds).steps.map(|far| (SHORT_OF_ZERO * far).min(1.0));
        let p = &self.p;
        parallel::each(list, &mut x[..], &mut self.none, &|block, x, ()| {
            for (i, x) in block.particles.clone().zip(x.iter_mut()) {
                *x += p[i] * far;
            }
        });
        let bound_sum = bounds.iter_mut().map(|bound| bound.go(p, [far, far_tension])).sum::<f64>();
        let x = &**x;
        let after = self.each(list, |tie, row, sums| {
            row.slack += far * row.change_slack;
            row.tension += far_tension * row.change_tension;
            sums.sum += row.slack * row.tension;
            sums.worst = sums.worst.max(tie.length(x) / row.allowed - 1.0);
        });
        Some(Round { unmet: before.worst * (1.0 - far), gap: after.sum + bound_sum, worst: after.worst })
    }
}

impl KeepBuffers {
    /// ½ |x - x̂|²_M, and the same of the residual M (x - x̂) + Jᵀ t + … and of Jᵀ t, in the same units.
    fn balance(&mut self, world: &World, at: &Limits) -> [f64; 3] {
        let Limits { boundary, tau, ref x, ref bounds, .. } = *at;
        self.p.fill(Vec3::ZERO);
        bounds.iter().for_each(|bound| bound.weigh(tau, &mut self.p));
        let mut sums = std::mem::take(&mut self.sums);
        let this = &*self;
        parallel::each(&world.blocks, (), &mut sums, &|block, (), sums| {
            *sums = NOTHING;
            for i in block.particles.clone() {
                let moved = (x[i] - this.wanted[i]) * world.mass[i];
                let pull = this.gather(i, |row| row.tension);
                let off = moved + this.p[i] + pull;
                let off = match boundary.slot[i] {
                    FREE => off,
                    slot => boundary.held[slot as usize].free * off,
                };
                sums.sum += 0.5 * moved.length_squared() / world.mass[i];
                sums.count += 0.5 * off.length_squared() / world.mass[i];
                sums.pulled += 0.5 * pull.length_squared() / world.mass[i];
            }
        });
        let total = Sums::total(&sums);
        self.sums = sums;
        [total.sum, total.count, total.pulled]
    }
}

impl KeepBuffers {
    /// Finds the nearest positions to those wanted; `false` if an edge is longer there than allowed.
    fn search(&mut self, world: &World, give: (f64, Grip), excess: f64, at: &mut Limits, rounds: &mut u32) -> bool {
        let (stiffness, grip) = give;
        // the search starts where the step started, with pins at their places at its end; if bodies moved too far, it
        // starts from the end of the step
        let inside = at.bounds.iter().map(|bound| bound.depth(at.start) / self.length).fold(0.0, f64::max);
        let from = if inside > excess { &self.wanted[..] } else { at.start };
        at.x.copy_from_slice(from);
        for held in &at.boundary.held {
            let i = held.vertex as usize;
            at.x[i] = held.mix(at.x[i], self.wanted[i]);
        }
        self.begin(&world.blocks, at, stiffness);
        let mut worst = f64::INFINITY;
        for _ in 0..ROUNDS {
            if grip == Grip::Follows {
                at.bounds.iter_mut().for_each(Bound::follow);
            }
            let Some(round) = self.round(world, at) else { break };
            *rounds += 1;
            worst = round.worst;
            let [distance, off, pulled] = self.balance(world, at);
            let met = worst <= 0.0 || round.unmet <= MET * KEPT;
            let [gap_enough, off_enough] = self.enough;
            if met && round.gap <= gap_enough * distance && off <= off_enough * distance.max(LOST * pulled) {
                break;
            }
        }
        worst <= KEPT
    }
}

/// Keeps the limit as well as pins and bodies allow.
pub(crate) fn keep(world: &World, h: f64, follow: bool, at: &mut Limits, work: &mut KeepBuffers) -> Outcome {
    let list = &world.blocks;
    let mut outcome = Outcome::default();
    let first = work.worst(list, at.x);
    // NaN is left to the check of the step
    if first.worst <= 0.0 || !first.worst.is_finite() {
        return outcome;
    }
    outcome.limited = first.count as u64;
    work.wanted.copy_from_slice(at.x);
    let beyond = work.worst(list, at.start).worst > BEYOND;
    let rubs = at.bounds.iter().any(|bound| bound.friction > 0.0);
    let ways =
        [(STIFF, Grip::Follows, !beyond), (STIFF, Grip::Given, !beyond && rubs), (YIELDING, Grip::Follows, true)];
    let mut ways = ways.into_iter().filter(|way| way.2);
    ways.any(|(stiffness, grip, _)| work.search(world, (stiffness, grip), first.worst, at, &mut outcome.rounds));
    let Limits { boundary, tau, x, v, impulse, bounds, .. } = at;
    // a search that made the worst edge worse is undone
    if work.worst(list, x).worst > first.worst {
        x.copy_from_slice(&work.wanted);
        outcome.undone = true;
        outcome.longest = work.longest(x, first.worst);
        return outcome;
    }
    for bound in bounds.iter_mut() {
        bound.finish(*tau, world.mass[bound.vertices[0] as usize], work.fine(), x);
    }
    // returns the momentum that bodies add to a cloth, kg m, and the sum of its magnitudes
    let touched = |range: &std::ops::Range<usize>| {
        let mine = bounds.iter().filter(|bound| range.contains(&(bound.vertices[0] as usize)));
        mine.map(|bound| bound.added(*tau)).fold((Vec3::ZERO, 0.0), |sum, p| (sum.0 + p, sum.1 + p.length()))
    };

    // rounding moves a cloth that nothing holds; this motion is removed
    for cloth in &world.cloths {
        let range = cloth.vertices.clone();
        if range.clone().all(|i| boundary.slot[i] == FREE) && touched(&range).1 == 0.0 {
            let moment: Vec3 = range.clone().map(|i| (x[i] - work.wanted[i]) * world.mass[i]).sum();
            let shift = moment / world.mass[range.clone()].iter().sum::<f64>();
            x[range].iter_mut().for_each(|x| *x -= shift);
        }
    }
    if follow {
        let (tau, wanted) = (*tau, &work.wanted);
        for (i, v) in v.iter_mut().enumerate() {
            *v += (x[i] - wanted[i]) / tau;
        }
        // the impulses of pins are the tensions that end at held directions, and the rest of the momentum that the
        // cloth gained
        let (wanted, scale) = (&work.wanted, h / (tau * tau));
        for cloth in &world.cloths {
            let range = cloth.vertices.clone();
            let ends = || {
                let held = boundary.held.iter().filter(|held| range.contains(&(held.vertex as usize)));
                held.map(|held| {
                    let pull = work.gather(held.vertex as usize, |row| row.tension);
                    (held.pin as usize, pull - held.free * pull)
                })
            };
            let (carried, size) = ends().fold((Vec3::ZERO, 0.0), |sum, (_, p)| (sum.0 + p, sum.1 + p.length()));
            if size > 0.0 {
                let gained: Vec3 = range.clone().map(|i| (x[i] - wanted[i]) * world.mass[i]).sum();
                let gained = gained - touched(&range).0;
                for (pin, pull) in ends() {
                    impulse[pin] += (pull + (gained - carried) * (pull.length() / size)) * scale;
                }
            }
        }
    }
    let left = work.worst(list, x).worst;
    if left > KEPT {
        outcome.longest = work.longest(x, left);
    }
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::halt::Halt;
    use crate::linear::filter::Held;
    use crate::random::signed;
    use crate::setup::{Cloth, Limiter, Mesh, Rule, Setup};

    const LIMIT: f64 = 0.05;

    fn world(mesh: Mesh) -> World {
        let mut setup = Setup::with_cloth(Cloth::new("sheet", mesh));
        setup.limiter = Some(Limiter { limit: LIMIT, rule: Some(Rule::Keep), ..Limiter::default() });
        World::new(setup).unwrap()
    }

    /// An equilateral triangle with sides of 1 m.
    fn triangle() -> World {
        let corners = vec![Vec3::ZERO, Vec3::X, Vec3::new(0.5, 0.75f64.sqrt(), 0.0)];
        world(Mesh::new(corners, vec![[0, 1, 2]], None).unwrap())
    }

    /// The target length of a side of one metre.
    fn side() -> f64 {
        (1.0 + LIMIT) * (1.0 - MARGIN * LIMIT)
    }

    struct Kept {
        x: Vec<Vec3>,
        v: Vec<Vec3>,
        impulse: Vec3,
        outcome: Outcome,
    }

    /// Projects `wanted` from the rest shape, with some vertices held, as exactly as rounding allows.
    fn kept(world: &World, wanted: &[Vec3], held: &[(u32, DMat3)]) -> Kept {
        let mut boundary = Boundary::new(world);
        for &(vertex, free) in held {
            boundary.slot[vertex as usize] = boundary.held.len() as u32;
            boundary.held.push(Held { vertex, free, ..Held::default() });
        }
        let mut work = KeepBuffers::new(world, LIMIT);
        work.enough = [1e-9, 1e-12];
        let (mut x, mut v) = (wanted.to_vec(), vec![Vec3::ZERO; wanted.len()]);
        let mut impulse = [Vec3::ZERO];
        let start = &world.start;
        let (x_, v_, halt) = (&mut x, &mut v, &Halt::default());
        let mut at =
            Limits { boundary: &boundary, start, tau: 0.1, x: x_, v: v_, impulse: &mut impulse, bounds: &mut [], halt };
        let outcome = keep(world, 0.1, true, &mut at, &mut work);
        Kept { x, v, impulse: impulse[0], outcome }
    }

    fn farthest(a: &[Vec3], b: &[Vec3]) -> f64 {
        a.iter().zip(b).map(|(p, q)| p.distance(*q)).fold(0.0, f64::max)
    }

    /// The triangle is symmetric about its middle, and about the height on a side that is held.
    #[test]
    fn triangles_are_where_symmetry_has_them() {
        let world = triangle();
        let rest = &world.start;
        let middle = rest.iter().sum::<Vec3>() / 3.0;
        let scaled = |share: f64| rest.iter().map(|p| middle + (*p - middle) * share).collect::<Vec<_>>();
        let large = kept(&world, &scaled(1.4), &[]);
        assert!(farthest(&large.x, &scaled(side())) < 1e-6, "{:e}", farthest(&large.x, &scaled(side())));
        assert_eq!(large.outcome.limited, 3);

        let top = |height: f64| vec![rest[0], rest[1], Vec3::new(0.5, height, 0.0)];
        let pulled = kept(&world, &top(2.0), &[(0, DMat3::ZERO), (1, DMat3::ZERO)]);
        let exact = top((side() * side() - 0.25).sqrt());
        assert!(farthest(&pulled.x, &exact) < 1e-6, "{:e}", farthest(&pulled.x, &exact));
    }

    /// Two particles, with the third out of the way: each moves half the distance, or one moves all of it and the other
    /// gets the impulse.
    #[test]
    fn a_pair_meets_in_the_middle_and_a_held_end_takes_the_impulse() {
        let world = triangle();
        let mass = world.mass[0];
        let wanted = vec![Vec3::new(-0.2, 0.0, 0.0), Vec3::new(1.2, 0.0, 0.0), Vec3::new(0.5, 0.1, 0.0)];
        let half = 0.5 * side();
        let free = kept(&world, &wanted, &[]);
        let exact = vec![Vec3::new(0.5 - half, 0.0, 0.0), Vec3::new(0.5 + half, 0.0, 0.0), wanted[2]];
        assert!(farthest(&free.x, &exact) < 1e-6, "{:e}", farthest(&free.x, &exact));
        let momentum: Vec3 = free.v.iter().map(|v| *v * mass).sum();
        assert!(momentum.length() < 1e-15 * mass * free.v[0].length(), "{momentum}");

        let wanted = vec![Vec3::ZERO, Vec3::new(1.4, 0.0, 0.0), Vec3::new(0.5, 0.1, 0.0)];
        let one = kept(&world, &wanted, &[(0, DMat3::ZERO)]);
        let exact = vec![Vec3::ZERO, Vec3::new(side(), 0.0, 0.0), wanted[2]];
        assert!(farthest(&one.x, &exact) < 1e-6, "{:e}", farthest(&one.x, &exact));
        let gained = mass * (side() - 1.4) / 0.1;
        assert!((one.impulse - Vec3::X * gained).length() < 1e-5 * gained.abs(), "{} {gained}", one.impulse);
        assert!((one.v[1].x - (side() - 1.4) / 0.1).abs() < 1e-4);
    }

    /// The nearest point of a convex set is the one from which no other point of the set lies towards x̂: (x̂ - x)·M
    /// (y - x) <= 0 for all y of the set. This test is independent of the method.
    #[test]
    fn no_position_that_keeps_the_limit_is_nearer() {
        let world = world(Mesh::grid([1.0, 1.0], [7, 7], crate::setup::Pattern::Alternating).unwrap());
        let n = world.start.len();
        let noise = |seed: u64, i: usize| Vec3::from_array([0, 1, 2].map(|c| signed(seed, 3 * i as u64 + c)));
        let slide = DMat3::from_diagonal(Vec3::new(1.0, 0.0, 1.0));
        let held = [(0, DMat3::ZERO), (7, slide), (63, DMat3::ZERO)];
        for seed in 0..4 {
            let mut wanted: Vec<Vec3> =
                world.start.iter().enumerate().map(|(i, p)| *p * 1.1 + 0.05 * noise(seed, i)).collect();
            for &(i, free) in &held {
                let i = i as usize;
                wanted[i] = world.start[i] + free * (wanted[i] - world.start[i]);
            }
            let found = kept(&world, &wanted, &held);
            assert!(found.outcome.limited > 50 && found.outcome.longest.is_none());
            let dot = |a: &dyn Fn(usize) -> Vec3, b: &dyn Fn(usize) -> Vec3| -> f64 {
                (0..n).map(|i| world.mass[i] * a(i).dot(b(i))).sum()
            };
            let rest = |i: usize| wanted[i] - found.x[i];
            let size = dot(&rest, &rest);
            // projections of other positions are other points of the set; they are slightly off because projections are
            // not exact
            for other in 0..6 {
                let moved: Vec<Vec3> = (0..n)
                    .map(|i| {
                        let p = world.start[i] + 0.2 * noise(100 + other, i) + 0.3 * rest(i);
                        held.iter()
                            .find(|held| held.0 as usize == i)
                            .map_or(p, |&(_, free)| world.start[i] + free * (p - world.start[i]))
                    })
                    .collect();
                let y = kept(&world, &moved, &held).x;
                let towards = dot(&rest, &|i| y[i] - found.x[i]);
                let far = dot(&|i| y[i] - found.x[i], &|i| y[i] - found.x[i]);
                assert!(towards <= 1e-4 * (size * far).sqrt(), "{seed} {other}: {towards:e} of {size:e}, {far:e}");
            }
            // the positions wanted are outside the set, so that x is on its border
            assert!(size > 1e-6);
        }
    }
}
