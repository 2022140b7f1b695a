//! Symplectic Euler behind a constant filter: internal forces move the cloth as if it had more mass where it is stiff.
//!
//! The filter of M. Desbrun, P. Schröder and A. Barr, Interactive Animation of Structured Deformable Objects, Graphics
//! Interface 1999, and of Y.-M. Kang, J.-H. Choi, H.-G. Cho and C.-J. Park, Fast and stable animation of cloth with an
//! approximated implicit method, CGI 2000, taken as selective mass scaling (L. Olovsson, K. Simonsson and M. Unosson,
//! Int. J. Numer. Methods Eng. 63, 2005):
//! ```text
//! v+ = v + h H⁻¹ f(x + α h v, v)      x+ = x + h v+      H = M + θ h² K + h D
//! ```
//! f are all forces. K and D are constant and the same for x, y and z (see
//! [`rest_stiffness`](crate::force::rest_stiffness)), so H is factored once, and again only where h or what is held
//! changes. A step costs one evaluation of the forces and one solution.
//!
//! A mode of frequency ω has c = z²/(1 + θ z²), z = h ω, and λ² - (2 - c (1 + α)) λ + 1 - c α = 0: stable for c (1 +
//! 2α) < 4, at any step if θ ≥ (1 + 2α)/4 and K is at least the stiffness of the cloth. α = 0 keeps all energy; a slow
//! mode loses α h ω²/2 of its amplitude in a second, α times what backward Euler takes.
//!
//! The drawback: motion that differs from its surroundings within about h √(θ k/ρ) has more inertia, so that shorter
//! waves and the cloth about a pin start late. Free fall, momentum and equilibria are exact, and since velocities are
//! not filtered, motion is not damped.

use super::Proposal;
use crate::Vec3;
use crate::boundary::Boundary;
use crate::clock::Phase;
use crate::force;
use crate::force::rest_stiffness::{self, RestStiffness};
use crate::halt::Halt;
use crate::linear::filter::FREE;
use crate::linear::scalar::{Plan, Scalar};
use crate::parallel;
use crate::report::{Rejection, Solution};
use crate::setup::Method;
use crate::state::State;
use crate::world::World;
use glam::DMat3;

/// How far ahead of x forces are evaluated, in steps.
const ALPHA: f64 = 0.1;

/// Share of the stiffness in the filter: (1 + 2α)/4, and a sixth more for what stretched cloth has beyond its rest
/// shape.
const THETA: f64 = 0.35;

/// Likewise for single particles that slide in a slanted direction, which no factor can hold: with A ≤ (1 + ε) A_rest +
/// (1 + 1/ε) A_single, 1 + ε = 0.35/0.3, and twice the diagonal for neighbours that slide too.
const SLIDING: f64 = 4.2;

/// A wave of the cloth's size is slowed by about this share.
const SLOWED: f64 = 0.15;

/// The longest step where the cloth is so soft or so large that it would not be slowed, s: where a curtain is drawn,
/// steps of 4 ms stretch denim by 6.3 instead of 3.7 %, and with 8 ms wool with lycra falls 1.9 instead of 0.4 cm off.
const LONGEST: f64 = 2e-3;

/// Buffers of the method.
#[derive(Default)]
pub(crate) struct FilterBuffers {
    stiffness: RestStiffness,
    /// One for all axes, or one for each where pins hold some axes only.
    factors: Vec<Scalar>,
    /// The key for which the factors were made.
    made_for: Key,
    wanted: Key,
    ahead: Vec<Vec3>,  // m    where forces are evaluated
    change: Vec<Vec3>, // m/s² H⁻¹ f
}

/// What the factors depend on.
#[derive(Clone, Debug, Default, PartialEq)]
struct Key {
    h: f64,
    /// Held particles, and whether each axis is held.
    held: Vec<(u32, [bool; 3])>,
}

impl FilterBuffers {
    pub fn new(world: &World) -> Self {
        if world.method != Method::FilteredEuler {
            return Self::default();
        }
        let stiffness = RestStiffness::new(world);
        let held: usize = world.pins.iter().map(|pin| pin.vertices.len()).sum();
        let key = || Key { h: 0.0, held: Vec::with_capacity(held) };
        let plan = || Plan::new(&stiffness.pattern, &world.rest);
        Self {
            factors: (0..count(world)).map(|_| Scalar::new(plan())).collect(),
            stiffness,
            made_for: key(),
            wanted: key(),
            ahead: vec![Vec3::ZERO; world.mass.len()],
            change: vec![Vec3::ZERO; world.mass.len()],
        }
    }

    /// Approximate bytes of the buffers of a world, without making them.
    pub fn bytes_for(world: &World) -> usize {
        if world.method != Method::FilteredEuler {
            return 0;
        }
        let stiffness = RestStiffness::new(world);
        let factors = count(world) * Plan::new(&stiffness.pattern, &world.rest).bytes();
        factors + stiffness.bytes() + 2 * world.mass.len() * size_of::<Vec3>()
    }

    /// Bytes of allocated memory.
    #[cfg(test)]
    pub fn allocated(&self) -> usize {
        let factors: usize = self.factors.iter().map(Scalar::allocated).sum();
        factors + self.stiffness.bytes() + size_of_val(&self.ahead[..]) + size_of_val(&self.change[..])
    }
}

/// Number of factors: one for all axes, or one for each where pins hold some axes only.
fn count(world: &World) -> usize {
    if world.pins.iter().any(|pin| axes(&pin.free) != [true; 3]) { 3 } else { 1 }
}

/// The axes that the factors hold: all three if the held directions are not axes.
fn axes(free: &DMat3) -> [bool; 3] {
    let diagonal = free.to_cols_array_2d();
    let diagonal = [diagonal[0][0], diagonal[1][1], diagonal[2][2]];
    let straight = DMat3::from_diagonal(diagonal.into()) == *free;
    diagonal.map(|free| !straight || free == 0.0)
}

/// A suitable step for the cloths, s.
pub(crate) fn good_step(world: &World) -> f64 {
    unslowed(world).min(LONGEST)
}

/// The longest step in which no wave as long as a cloth is slowed much, s.
pub(crate) fn unslowed(world: &World) -> f64 {
    let bending = rest_stiffness::of_bending(world);
    let of = |cloth: usize| {
        let (range, constants) = (world.cloths[cloth].vertices.clone(), &world.fabrics[cloth]);
        let stiffness = constants.stiffness + bending[cloth];
        let density = world.mass[range.clone()].iter().sum::<f64>() / world.area[range].iter().sum::<f64>();
        // 2π h √(θ k/ρ) = share of the size: the wave is slowed by half the square of it
        let share = (2.0 * SLOWED).sqrt() / std::f64::consts::TAU;
        share * constants.size * (density / (THETA * stiffness)).sqrt()
    };
    (0..world.cloths.len()).map(of).fold(f64::INFINITY, f64::min)
}

pub(super) fn advance(world: &World, state: &State, h: f64, work: &mut Proposal) -> Result<Solution, Rejection> {
    let Proposal { boundary, x, v, force, forces: none, impulse, clock, filtered: buffers, halt, .. } = work;
    let list = &world.blocks;
    clock.enter(Phase::Solve);
    factor(world, boundary, h, buffers, halt)?;
    clock.enter(Phase::Forces);
    let FilterBuffers { stiffness, factors, ahead, change, .. } = buffers;
    parallel::fill(list, ahead, none.none(), |i| state.x[i] + state.v[i] * (ALPHA * h));
    force::evaluate(world, state.time, ahead, &state.v, force, none);
    force::add_outside(world, state.time, ahead, force);
    clock.enter(Phase::Solve);
    factors.iter_mut().for_each(|factor| factor.solve(force));
    clock.enter(Phase::Rest);
    let factors = &factors[..];
    let solution = |i: usize| match factors {
        [factor] => factor.solution(i),
        _ => Vec3::from_array(std::array::from_fn(|axis| factors[axis].solution(i)[axis])),
    };
    let moved = |i: usize, change: Vec3| {
        let v = state.v[i] + change * h;
        (state.x[i] + v * h, v)
    };
    parallel::each(list, (&mut change[..], (&mut x[..], &mut v[..])), none.none(), &|block, (change, (x, v)), _| {
        for (((i, change), x), v) in block.particles.clone().zip(change).zip(x).zip(v) {
            *change = solution(i);
            (*x, *v) = moved(i, *change);
        }
    });
    for held in &boundary.held {
        let i = held.vertex as usize;
        if axes(&held.free) == [true; 3] {
            let stiff = SLIDING * h * h * stiffness.elastic[stiffness.pattern.diagonal[i] as usize];
            change[i] = held.free * force[i] / (world.mass[i] + stiff);
        } else {
            change[i] = held.free * change[i];
        }
        (x[i], v[i]) = moved(i, change[i]);
    }
    // the impulse of the pins: the v+ that they prescribe, less the effect of all other forces
    let pull = |i: usize| {
        let coupled = stiffness.pattern.row(i).map(|place| {
            let k = THETA * h * h * stiffness.elastic[place] + h * stiffness.viscous[place];
            change[stiffness.pattern.column[place] as usize] * k
        });
        coupled.sum::<Vec3>() + change[i] * world.mass[i] - force[i]
    };
    for held in &boundary.held {
        let i = held.vertex as usize;
        let needed = pull(i) * h;
        impulse[held.pin as usize] += needed - held.free * needed;
    }
    super::hold_at_end(world, work);
    let Proposal { barrier, x, clock, .. } = work;
    if world.barrier.is_none() {
        return Ok(Solution::default());
    }
    clock.enter(Phase::Contact);
    let met = barrier.meets(world, state, h, x)?;
    clock.enter(Phase::Rest);
    match met {
        Some(point) => Err(Rejection::Meets { point }),
        None => Ok(Solution { guard: barrier.report(), ..Solution::default() }),
    }
}

/// Makes the factors unless they already fit this step.
fn factor(world: &World, boundary: &Boundary, h: f64, work: &mut FilterBuffers, halt: &Halt) -> Result<(), Rejection> {
    let FilterBuffers { stiffness, factors, made_for, wanted, .. } = work;
    // steps that differ by rounding share a factor
    let h = f64::from_bits((h.to_bits() + (1 << 31)) & !((1 << 32) - 1));
    wanted.h = h;
    wanted.held.clear();
    wanted.held.extend(boundary.held.iter().map(|held| (held.vertex, axes(&held.free))));
    if wanted == made_for {
        return Ok(());
    }
    // a factor that failed half-way must not be used
    made_for.h = 0.0;
    for (axis, factor) in factors.iter_mut().enumerate() {
        let held = |i: usize| match boundary.slot[i] {
            FREE => false,
            slot => axes(&boundary.held[slot as usize].free)[axis],
        };
        let value = |place: usize, i: usize, j: usize| {
            let stiff = THETA * h * h * stiffness.elastic[place] + h * stiffness.viscous[place];
            if i != j {
                return stiff;
            }
            let drag = if world.components.damping { world.drag[i] } else { 0.0 };
            stiff + world.mass[i] + h * drag
        };
        let made = factor.factor(value, held, halt);
        made.map_err(|_| if halt.asked() { Rejection::Stopped } else { Rejection::NotFinite })?;
    }
    std::mem::swap(made_for, wanted);
    Ok(())
}
