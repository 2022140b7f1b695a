//! The highest frequency of the cloth and its largest rate of damping, which bound the step.
//!
//! The highest frequency ω comes from a few Lanczos iterations on M^-½ K M^-½. For any shape of the cloth the stiffness
//! of a spring along its direction, k d dᵀ, is at most k: with every spring acting in all directions the estimate holds
//! whatever the cloth does, and is about √2 too high for a flat grid. Hinges count with their gradient at the start.
//! Vertices that are held for ever do not count. [`frequency_at`] takes the directions of a given shape instead and is
//! sharp there.
//!
//! The damping of elements is C = Σ τ K over their kinds. Its largest rate, the highest eigenvalue of M^-½ C M^-½, is
//! found in the same way, and viscous damping c/m is added: a mode has at most the damping ratio ζ = rate/(2 ω). See
//! [`Stiffest`] for what a method makes of both.
//!
//! Triangles count with their stiffness in the rest shape, which any rotation keeps.

use crate::Vec3;
use crate::model::element::{self, Curvature, Element};
use crate::model::elements::{Visited, Visitor, Which};
use crate::model::hinge;
use crate::parallel::Block;
use crate::setup::{SpringKind, Stiffest};
use crate::world::World;
use glam::DMat3;

/// Finds what bounds the step of a world, for any shape of its cloths.
pub(crate) fn stiffest(world: &World) -> Stiffest {
    let on = &world.components;
    let omega = largest(world, &world.start, Operator::AnyShape).sqrt();
    let (mut damping, mut least_tau, mut least_drag) = (0.0, 0.0, 0.0);
    if on.damping {
        let drags = || world.drag.iter().zip(&world.mass).map(|(c, m)| c / m);
        let viscous = drags().fold(0.0, f64::max);
        least_drag = drags().fold(f64::INFINITY, f64::min);
        least_tau = least_damping_time(world);
        let inside = world.fabrics.iter().any(|fabric| fabric.tau != [0.0; 3]);
        damping = viscous + if inside { largest(world, &world.start, Operator::Damping) } else { 0.0 };
    }
    if on.air && world.air.acts() {
        let lightest = (0..world.mass.len()).map(|i| world.mass[i] / world.area[i]).fold(f64::INFINITY, f64::min);
        let speed = if on.wind { world.air.top_speed() } else { 0.0 };
        // this is the derivative of ½ ρ C u² by u, at the wind's speed plus the cloth's own
        let pressure = world.air.density * world.air.drag * (speed + OWN_SPEED);
        let particle = world.mass.iter().copied().fold(f64::INFINITY, f64::min);
        damping += (pressure + world.air.fluid) / lightest + world.air.fluid_per_particle / particle;
    }
    Stiffest { omega, damping, least_tau, least_drag }
}

/// The smallest damping time of an element that exists and is switched on; 0 if there is none.
fn least_damping_time(world: &World) -> f64 {
    let acting = |block: &&Block, kind: SpringKind| world.is_on(kind) && world.elements.has(block, kind);
    let times = SpringKind::ALL.into_iter().flat_map(|kind| {
        let blocks = world.blocks.iter().filter(move |block| acting(block, kind));
        blocks.map(move |block| world.fabrics[block.cloth].tau[kind as usize])
    });
    let least = times.fold(f64::INFINITY, f64::min);
    if least.is_finite() && world.components.internal { least } else { 0.0 }
}

/// Highest frequency of the cloth in the shape `x`, rad/s: sharp for small motions about it.
pub fn frequency_at(world: &World, x: &[Vec3]) -> f64 {
    largest(world, x, Operator::Directed).sqrt()
}

/// The operator that is applied to a motion of the particles.
#[derive(Clone, Copy, PartialEq)]
enum Operator {
    /// Stiffness with springs acting in all directions.
    AnyShape,
    /// Stiffness with springs acting along their directions, and across if they are stretched.
    Directed,
    /// Damping with springs acting in all directions.
    Damping,
}

/// Lanczos iterations end where the next direction is this share of the image of the last: the rest is rounding.
const EXHAUSTED: f64 = 1e-12;

/// Speed that the cloth may have besides that of the wind, m/s.
const OWN_SPEED: f64 = 5.0;

/// Lanczos iterations: the top of the spectrum is found to about a percent.
const ITERATIONS: usize = 24;

/// Highest eigenvalue of M^-½ K M^-½, 1/s², or with C in place of K, 1/s.
fn largest(world: &World, x: &[Vec3], operator: Operator) -> f64 {
    let n = world.mass.len();
    let mut root: Vec<f64> = world.mass.iter().map(|m| m.sqrt().recip()).collect();
    // vertices that are always held do not oscillate
    for pin in world.pins.iter().filter(|pin| world.components.pins && pin.holds_for_ever()) {
        pin.vertices.iter().for_each(|&v| root[v as usize] = 0.0);
    }
    let random = |i: usize| {
        let r = |axis: u64| crate::random::signed(7, 3 * i as u64 + axis);
        Vec3::new(r(0), r(1), r(2))
    };
    let mut q: Vec<Vec3> = (0..n).map(random).collect();
    let size = dot(&q, &q).sqrt();
    scale(&mut q, size.recip());
    let mut before = vec![Vec3::ZERO; n];
    let mut next = vec![Vec3::ZERO; n];
    let (mut diagonal, mut beside) = (Vec::new(), Vec::new());
    let mut beta = 0.0;
    for _ in 0..ITERATIONS.min(3 * n) {
        apply(world, x, operator, &root, &q, &mut next);
        let alpha = dot(&q, &next);
        next.iter_mut().zip(&q).zip(&before).for_each(|((r, q), p)| *r -= *q * alpha + *p * beta);
        diagonal.push(alpha);
        beta = dot(&next, &next).sqrt();
        if beta <= EXHAUSTED * alpha.abs() || !beta.is_finite() {
            break;
        }
        beside.push(beta);
        std::mem::swap(&mut before, &mut q);
        std::mem::swap(&mut q, &mut next);
        scale(&mut q, beta.recip());
    }
    largest_eigenvalue(&diagonal, &beside).max(0.0)
}

fn scale(q: &mut [Vec3], factor: f64) {
    q.iter_mut().for_each(|q| *q *= factor);
}

fn dot(a: &[Vec3], b: &[Vec3]) -> f64 {
    // fixed chunks are added in a fixed order, which gives the same bits on every machine
    a.chunks(4096).zip(b.chunks(4096)).map(|(a, b)| a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum::<f64>()).sum()
}

/// out = M^-½ K M^-½ q
fn apply(world: &World, x: &[Vec3], operator: Operator, root: &[f64], q: &[Vec3], out: &mut [Vec3]) {
    out.fill(Vec3::ZERO);
    if !world.components.internal {
        return;
    }
    for block in &world.blocks {
        let weight = match operator {
            Operator::Damping => world.fabrics[block.cloth].tau,
            _ => [1.0; 3],
        };
        for kind in SpringKind::ALL.into_iter().filter(|kind| world.is_on(*kind)) {
            for s in world.elements.own_springs(block, kind) {
                let (a, b) = (s.a as usize, s.b as usize);
                let mut difference = q[b] * root[b] - q[a] * root[a];
                if operator == Operator::Directed {
                    let d = x[b] - x[a];
                    let length = d.length();
                    let n = d / length;
                    let along = n * n.dot(difference);
                    difference = along + (difference - along) * (1.0 - s.rest / length).max(0.0);
                }
                let pull = difference * (s.k * weight[kind as usize]);
                out[a] -= pull * root[a];
                out[b] += pull * root[b];
            }
        }
        if world.components.bend {
            for h in world.elements.own_hinges(block) {
                let at = h.v.map(|v| v as usize);
                let Some((_, g)) = hinge::angle_and_gradient(&at.map(|i| x[i])) else { continue };
                let turn: f64 = (0..4).map(|i| g[i].dot(q[at[i]]) * root[at[i]]).sum();
                (0..4).for_each(|i| out[at[i]] += g[i] * (h.k * weight[2] * turn * root[at[i]]));
            }
        }
        let mut others = Others { world, block, operator, x, root, q, out };
        world.visit(block, &world.layout, Which::Others, &mut others);
    }
}

/// Applies the elements that are neither springs nor hinges.
struct Others<'a> {
    world: &'a World,
    block: &'a Block,
    operator: Operator,
    x: &'a [Vec3],
    root: &'a [f64],
    q: &'a [Vec3],
    out: &'a mut [Vec3],
}

impl Visitor for Others<'_> {
    fn visit<const N: usize, const M: usize, E: Element<N, M>>(&mut self, group: Visited<'_, E, N, M>) {
        let scale = self.world.fabrics[self.block.cloth].scale;
        for element in group.elements {
            let v = element.vertices();
            if !self.block.owns(&v) {
                continue;
            }
            let at = v.map(|i| i as usize);
            let x = match self.operator {
                Operator::Directed => at.map(|i| self.x[i]),
                _ => at.map(|i| self.world.rest[i] * scale),
            };
            let matrix = match self.operator {
                Operator::Damping => element::damping_matrix(element, &x, &group.tau),
                // a beam is stiffest where it starts to buckle, a spring where it is tight: `viscosity` is that
                // stiffness
                _ if N == 2 => {
                    let k = DMat3::from_diagonal(Vec3::splat(element.viscosity()[0][0]));
                    std::array::from_fn(|i| std::array::from_fn(|j| if i == j { k } else { -k }))
                }
                _ => element::linearise(element, &x, None, Curvature::Definite).stiffness,
            };
            for i in 0..N {
                let sum = (0..N).map(|j| matrix[i][j] * (self.q[at[j]] * self.root[at[j]])).sum::<Vec3>();
                self.out[at[i]] += sum * self.root[at[i]];
            }
        }
    }
}

/// Finds the largest eigenvalue of a symmetric tridiagonal matrix, by bisection on the sign changes of Sturm's
/// sequence.
fn largest_eigenvalue(diagonal: &[f64], beside: &[f64]) -> f64 {
    let n = diagonal.len();
    let radius = |i: usize| {
        let left = if i > 0 { beside[i - 1].abs() } else { 0.0 };
        left + beside.get(i).filter(|_| i + 1 < n).map_or(0.0, |b| b.abs())
    };
    let mut low = diagonal.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut high = (0..n).map(|i| diagonal[i] + radius(i)).fold(f64::NEG_INFINITY, f64::max);
    let all_below = |value: f64| {
        let mut pivot = diagonal[0] - value;
        (0..n).all(|i| {
            if i > 0 {
                pivot = diagonal[i] - value - beside[i - 1] * beside[i - 1] / pivot;
            }
            pivot < 0.0
        })
    };
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if all_below(middle) { high = middle } else { low = middle }
    }
    high
}
