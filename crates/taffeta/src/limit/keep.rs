//! The limit that is kept: all edges at once, by an interior point method.
//!
//! Positions that keep the limit are a convex set, and the nearest of them to the proposed x̂, in the norm of the masses, is
//! ```text
//! min ½ |x - x̂|²_M      f(x) <= 0 for every edge,  f = (|x_b - x_a|²/L - L)/2
//! ```
//! with held directions fixed. R. Goldenthal, D. Harmon, R. Fattal, M. Bercovier and E. Grinspun (Efficient Simulation of
//! Inextensible Cloth, SIGGRAPH 2007) project on equations |x_b - x_a| = L by Newton's method; inequalities leave the cloth
//! free to fold, but which of them act is not known. So slacks s and tensions t, both positive, are driven together:
//! ```text
//! M (x - x̂) + Jᵀ t = 0      f + s - ε t = 0      s t = μ → 0
//! (M + Σ t/L + Jᵀ W J) p = right side,  W = 1/(s/t + ε)
//! ```
//! by S. Mehrotra's predictor and corrector (On the Implementation of a Primal-Dual Interior Point Method, SIAM J. Optim. 2,
//! 1992; J. Nocedal and S. Wright, Numerical Optimization, 2006, Ch. 19), where the curvature of f takes part in the
//! corrector. Each round is one factorisation. The rounds start where the step started: that is inside, or nearly.
//!
//! A projection on a convex set moves nothing farther from any point of the set. The positions at the start of the step are
//! in it while pins rest: the displacement of the step can only become smaller, and with it the kinetic energy.
//!
//! ε is a compliance. It is far too small to be seen in what can be kept; where pins ask for more than the limit allows, the
//! excess is spread as least squares would have it instead of growing without bound.

use super::{Limits, Outcome};
use crate::boundary::{Boundary, FREE};
use crate::linear::cholesky::{Factor, Symbolic};
use crate::linear::matrix::Rows;
use crate::linear::{Matrix, Pattern};
use crate::model::blocks::{self, Block, Cut};
use crate::{Vec3, World};
use glam::DMat3;

/// ε times the reduced mass of an edge. A thousand edges that hang on one are 1e-5 of its length too long by it.
const COMPLIANCE: f64 = 1e-9;

/// An edge is made shorter than it may be by this share of the limit, so that what is left of μ and of rounding keeps the limit.
const MARGIN: f64 = 0.01;

/// The least and the most of that, as shares of the length.
const MARGINS: (f64, f64) = (1e-5, 1e-3);

/// Excess that counts as kept, as a share of the length.
const KEPT: f64 = 1e-6;

/// It ends where Σ s t is this share of the distance ½ |x - x̂|²_M: less changes nothing that can be seen.
const GAP: f64 = 0.1;

/// And where the squared error of the displacement is this share of its square.
const OFF: f64 = 1e-3;

/// First slack at least, as a share of the largest excess, and first s t as a multiple of its square. Between 0.005 and 0.05, and
/// 1 and 30, rounds hardly change.
const FIRST: (f64, f64) = (0.02, 3.0);

/// More rounds than any step has needed that could keep the limit.
const ROUNDS: u32 = 40;

/// An edge.
#[derive(Clone, Copy, Debug)]
struct Tie {
    a: u32,
    b: u32,
    /// What it may have, m.
    longest: f64,
    /// L: what it is given, m.
    target: f64,
    /// ε, m/(kg m): per unit of t.
    compliance: f64,
    /// Places of the blocks (a, b) and (b, a) in the pattern.
    places: [u32; 2],
}

/// What is known of an edge in a round.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
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
    /// s t + Δs Δt - σ μ: what s t should lose.
    lose: f64,
    /// What acts on its ends.
    pull: f64,
    /// Whether one of its ends can move.
    on: bool,
}

/// Edges and scratch.
#[derive(Default)]
pub(crate) struct Scratch {
    /// By their first vertex, which is the lesser.
    ties: Vec<Tie>,
    /// Where those of each particle start.
    start: Vec<u32>,
    /// The edges that end at each particle, and where these lists start.
    ends: Vec<u32>,
    ends_start: Vec<u32>,
    pattern: Pattern,
    symbolic: Symbolic,
    /// Mean of reduced mass times squared length, kg m².
    scale: f64,
    margin: f64,

    rows: Vec<Row>,
    matrix: Matrix,     // kg
    factor: Factor,     //
    part: Vec<f64>,     // of Symbolic::solve_with
    wanted: Vec<Vec3>,  // m   x̂
    p: Vec<Vec3>,       // m   right side, then solution
    sums: Vec<Sums>,    // one for each block
    none: Vec<()>,
}

/// Sums, maxima and minima of a block.
#[derive(Clone, Copy, Debug)]
struct Sums {
    sum: f64,
    count: f64,
    worst: f64,
    /// How far slacks and tensions can go.
    steps: [f64; 2],
}

const NOTHING: Sums = Sums { sum: 0.0, count: 0.0, worst: 0.0, steps: [1.0; 2] };

impl Sums {
    fn total(all: &[Sums]) -> Sums {
        all.iter().fold(NOTHING, |all, part| Sums {
            sum: all.sum + part.sum,
            count: all.count + part.count,
            worst: all.worst.max(part.worst),
            steps: [0, 1].map(|k| all.steps[k].min(part.steps[k])),
        })
    }
}

/// Values of edges, cut where the blocks of particles are cut.
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
    /// f at x.
    fn f(&self, x: &[Vec3]) -> f64 {
        0.5 * (x[self.a as usize].distance_squared(x[self.b as usize]) / self.target - self.target)
    }

    /// How much longer than it may be, as a share.
    fn excess(&self, x: &[Vec3]) -> f64 {
        x[self.a as usize].distance(x[self.b as usize]) / self.longest - 1.0
    }
}

impl Row {
    /// Changes of tension and slack that go with a change of f by J p, and how far they can go.
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

impl Scratch {
    pub fn new(world: &World, limit: f64) -> Self {
        let n = world.mass.len();
        let margin = (MARGIN * limit).clamp(MARGINS.0, MARGINS.1);
        let mut pairs: Vec<([u32; 2], f64)> =
            world.limited.iter().map(|l| ([l.a.min(l.b), l.a.max(l.b)], l.longest)).collect();
        pairs.sort_by(|p, q| p.0.cmp(&q.0).then(p.1.total_cmp(&q.1)));
        // of two springs between the same particles the shorter limit counts
        pairs.dedup_by_key(|pair| pair.0);
        let pattern = Pattern::new(n, pairs.iter().map(|pair| &pair.0[..]));
        let mut scale = 0.0;
        let ties: Vec<Tie> = pairs
            .iter()
            .map(|&([a, b], longest)| {
                let reduced = 1.0 / (1.0 / world.mass[a as usize] + 1.0 / world.mass[b as usize]);
                scale += reduced * longest * longest / pairs.len() as f64;
                let places = [pattern.place(a, b), pattern.place(b, a)];
                Tie { a, b, longest, target: longest * (1.0 - margin), compliance: COMPLIANCE / reduced, places }
            })
            .collect();
        let start = (0..=n as u32).map(|v| ties.partition_point(|tie| tie.a < v) as u32).collect();
        let mut ends: Vec<u32> = (0..ties.len() as u32).collect();
        ends.sort_by_key(|&e| ties[e as usize].b);
        let ends_start = (0..=n as u32).map(|v| ends.partition_point(|&e| ties[e as usize].b < v) as u32).collect();
        Self {
            start,
            ends,
            ends_start,
            symbolic: Symbolic::new(&pattern, &world.rest),
            matrix: Matrix::new(&pattern),
            pattern,
            scale,
            margin,
            rows: vec![Row::default(); ties.len()],
            factor: Factor::default(),
            part: Vec::new(),
            wanted: vec![Vec3::ZERO; n],
            p: vec![Vec3::ZERO; n],
            sums: vec![NOTHING; world.blocks.list.len()],
            none: vec![(); world.blocks.list.len()],
            ties,
        }
    }

    /// The largest excess of an edge as a share of its length, and how many are too long.
    fn worst(&mut self, list: &[Block], x: &[Vec3]) -> Sums {
        let (ties, start) = (&self.ties, &self.start);
        blocks::each(list, (), &mut self.sums, &|block, (), sums| {
            *sums = NOTHING;
            for tie in &ties[range(start, block)] {
                let excess = tie.excess(x);
                // NaN must not vanish in a comparison
                if excess > 0.0 || excess.is_nan() {
                    sums.worst = if excess.is_nan() { f64::INFINITY } else { sums.worst.max(excess) };
                    sums.count += 1.0;
                }
            }
        });
        Sums::total(&self.sums)
    }

    /// Calls `f(tie, row, sums)` for every edge that can move.
    fn each(&mut self, list: &[Block], f: impl Fn(&Tie, &mut Row, &mut Sums) + Sync) -> Sums {
        let Scratch { ties, start, rows, sums, .. } = self;
        let rows = OfTies { start, first: 0, part: &mut rows[..] };
        blocks::each(list, rows, sums, &|block, rows, sums| {
            *sums = NOTHING;
            for (tie, row) in ties[range(start, block)].iter().zip(rows.part) {
                if row.on {
                    f(tie, row, sums);
                }
            }
        });
        Sums::total(sums)
    }

    /// Sum over the edges of a particle: those that end there, and the negative of those that start.
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

    /// Slacks and tensions to start with; what cannot move is left out.
    fn begin(&mut self, list: &[Block], boundary: &Boundary, x: &[Vec3], worst: f64) {
        let fixed = |i: u32| match boundary.slot[i as usize] {
            FREE => false,
            slot => boundary.held[slot as usize].free == DMat3::ZERO,
        };
        self.rows.iter_mut().zip(&self.ties).for_each(|(row, tie)| {
            *row = Row { on: !(fixed(tie.a) && fixed(tie.b)), ..Row::default() };
        });
        let worst = worst.clamp(self.margin, 1.0);
        let centre = FIRST.1 * self.scale * worst * worst;
        self.each(list, |tie, row, _| {
            row.slack = (-tie.f(x)).max(FIRST.0 * worst * tie.target);
            row.tension = centre / row.slack;
        });
    }

    /// Rows of J, what is unmet, and the matrix.
    fn linearise(&mut self, world: &World, x: &[Vec3]) -> Sums {
        let list = &world.blocks.list;
        let sums = self.each(list, |tie, row, sums| {
            row.j = (x[tie.b as usize] - x[tie.a as usize]) / tie.target;
            row.unmet = tie.f(x) + row.slack - tie.compliance * row.tension;
            row.weight = 1.0 / (row.slack / row.tension + tie.compliance);
            row.lose = row.slack * row.tension;
            sums.worst = sums.worst.max(row.unmet.abs() / tie.target);
            sums.sum += row.lose;
            sums.count += 1.0;
        });
        let Scratch { ties, start, ends, ends_start, pattern, rows, matrix, none, .. } = self;
        let block_of = |e: usize| {
            let (row, j) = (&rows[e], rows[e].j);
            DMat3::from_cols(j * j.x, j * j.y, j * j.z) * row.weight + DMat3::IDENTITY * (row.tension / ties[e].target)
        };
        blocks::each(list, Rows::all(pattern, matrix), none, &|block, out, ()| {
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
        sums
    }

    /// Solves for p with what the rows ask for, then finds the changes of slacks and tensions.
    fn solve(&mut self, world: &World, boundary: &Boundary, x: &[Vec3]) -> Sums {
        let list = &world.blocks.list;
        self.each(list, |_, row, _| {
            row.pull = row.tension + row.weight * (row.unmet - row.lose / row.tension);
        });
        let (mut p, mut none) = (std::mem::take(&mut self.p), std::mem::take(&mut self.none));
        let this = &*self;
        blocks::fill(list, &mut p, &mut none, |i| {
            (this.wanted[i] - x[i]) * world.mass[i] - this.gather(i, |row| row.pull)
        });
        for held in &boundary.held {
            let p = &mut p[held.vertex as usize];
            *p = held.free * *p;
        }
        self.symbolic.solve_with(&self.factor, &mut p, &mut self.part);
        let sums = self.each(list, |tie, row, sums| {
            row.answer(row.j.dot(p[tie.b as usize] - p[tie.a as usize]), &mut sums.steps);
        });
        (self.p, self.none) = (p, none);
        sums
    }

    /// One round; returns `None` where the matrix cannot be factored any more, else what was unmet and Σ s t after it.
    fn round(&mut self, world: &World, boundary: &Boundary, x: &mut [Vec3]) -> Option<(f64, f64)> {
        let list = &world.blocks.list;
        let before = self.linearise(world, x);
        self.symbolic.factor(&self.pattern, &self.matrix, &boundary.held, &mut self.factor).ok()?;

        // predictor: straight to s t = 0
        let [far, far_tension] = self.solve(world, boundary, x).steps;
        let predicted = self.each(list, |_, row, sums| {
            sums.sum += (row.slack + far * row.change_slack) * (row.tension + far_tension * row.change_tension);
        });
        let centre = (predicted.sum / before.sum).powi(3).clamp(1e-3, 1.0) * before.sum / before.count;

        // corrector: second order terms of what the predictor would do, as far as it would get
        let p = std::mem::take(&mut self.p);
        self.each(list, |tie, row, _| {
            let bend = (p[tie.b as usize] - p[tie.a as usize]).length_squared() / tie.target;
            row.unmet += 0.5 * far * far * bend;
            row.lose += far * far_tension * row.change_slack * row.change_tension - centre;
        });
        self.p = p;
        let [far, far_tension] = self.solve(world, boundary, x).steps.map(|far| (0.99 * far).min(1.0));
        let p = &self.p;
        blocks::each(list, &mut x[..], &mut self.none, &|block, x, ()| {
            for (i, x) in block.particles.clone().zip(x.iter_mut()) {
                *x += p[i] * far;
            }
        });
        let after = self.each(list, |_, row, sums| {
            row.slack += far * row.change_slack;
            row.tension += far_tension * row.change_tension;
            sums.sum += row.slack * row.tension;
        });
        Some((before.worst * (1.0 - far), after.sum))
    }
}

impl Scratch {
    /// ½ |x - x̂|²_M, and as much of M (x - x̂) + Jᵀ t in the same units.
    fn balance(&mut self, world: &World, boundary: &Boundary, x: &[Vec3]) -> (f64, f64) {
        let mut sums = std::mem::take(&mut self.sums);
        let this = &*self;
        blocks::each(&world.blocks.list, (), &mut sums, &|block, (), sums| {
            *sums = NOTHING;
            for i in block.particles.clone() {
                let moved = (x[i] - this.wanted[i]) * world.mass[i];
                let off = moved + this.gather(i, |row| row.tension);
                let off = match boundary.slot[i] {
                    FREE => off,
                    slot => boundary.held[slot as usize].free * off,
                };
                sums.sum += 0.5 * moved.length_squared() / world.mass[i];
                sums.count += 0.5 * off.length_squared() / world.mass[i];
            }
        });
        let total = Sums::total(&sums);
        self.sums = sums;
        (total.sum, total.count)
    }
}

/// Keeps the limit as well as pins allow.
pub(crate) fn keep(world: &World, h: f64, follow: bool, at: &mut Limits, work: &mut Scratch) -> Outcome {
    let list = &world.blocks.list;
    let mut outcome = Outcome::default();
    let first = work.worst(list, at.x);
    // what is not a number is found by the check of the step
    if first.worst <= 0.0 || !first.worst.is_finite() {
        return outcome;
    }
    outcome.limited = first.count as u64;
    let Limits { boundary, start, lag, x, v, impulse } = at;
    let boundary = *boundary;

    // from where the step started, with pins where they are at its end
    work.wanted.copy_from_slice(x);
    x.copy_from_slice(start);
    for held in &boundary.held {
        let i = held.vertex as usize;
        x[i] = held.mix(x[i], work.wanted[i]);
    }
    work.begin(list, boundary, x, first.worst);
    while outcome.rounds < ROUNDS {
        let Some((unmet, gap)) = work.round(world, boundary, x) else { break };
        outcome.rounds += 1;
        let worst = work.worst(list, x).worst;
        let (distance, off) = work.balance(world, boundary, x);
        let met = worst <= 0.0 || unmet <= 0.1 * KEPT;
        if met && gap <= GAP * distance && off <= OFF * distance {
            break;
        }
    }

    // what rounding moved of cloth that nothing holds
    for cloth in &world.cloths {
        let range = cloth.vertices.clone();
        if range.clone().all(|i| boundary.slot[i] == FREE) {
            let moment: Vec3 = range.clone().map(|i| (x[i] - work.wanted[i]) * world.mass[i]).sum();
            let shift = moment / world.mass[range.clone()].iter().sum::<f64>();
            x[range].iter_mut().for_each(|x| *x -= shift);
        }
    }
    if follow {
        let (lag, wanted) = (*lag, &work.wanted);
        for (i, v) in v.iter_mut().enumerate() {
            *v += (x[i] - wanted[i]) / lag;
        }
        for held in &boundary.held {
            let pull = work.gather(held.vertex as usize, |row| row.tension);
            impulse[held.pin as usize] += (pull - held.free * pull) * (h / (lag * lag));
        }
    }
    let left = work.worst(list, x).worst;
    if left > KEPT {
        outcome.longest = work.ties.iter().find(|tie| tie.excess(x) == left).map(|tie| [tie.a, tie.b]);
    }
    outcome
}
