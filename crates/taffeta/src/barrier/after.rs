//! Contact by the barrier after a step whose method does not know of it, or after the limiter.
//!
//! The proposed end x* is changed by contact forces alone,
//! ```text
//! M (x+ - x*)/h = h f(x+)
//! ```
//! linearised and solved as in an implicit step, with the elastic forces as they were. The guard shortens the way from
//! the start of the step, and velocities change by (x+ - x*)/h. With BDF2 h is its effective step s.

use super::Barrier;
use crate::Vec3;
use crate::boundary::Boundary;
use crate::contact::Contacts;
use crate::halt::Halt;
use crate::linear::cg::Stop;
use crate::linear::contact::{ContactCgBuffers, ContactSystem};
use crate::linear::terms::Terms;
use crate::linear::{Matrix, Pattern};
use crate::parallel;
use crate::report::{GuardReport, Rejection};
use crate::state::State;
use crate::world::World;
use glam::DMat3;

/// Largest number of linearisations in a step.
const MOST: u32 = 4;

/// Share of the step's motion that the guard may cut off; where it cuts off more, another linearisation follows.
const CUT: f64 = 1e-3;

/// Tolerance of the conjugate gradient, and the share of the weight that it is relative to at rest.
const STOP: Stop = Stop { tolerance: 1e-3, iterations: 1000 };
const LEAST: f64 = 0.01;

/// Buffers.
#[derive(Default)]
pub(super) struct AfterBuffers {
    /// Couples no particles but those of contacts: the masses.
    pattern: Pattern,
    matrix: Matrix,
    terms: Terms,
    cg: ContactCgBuffers,
    /// The proposed end, where the particles are in this iterate, and where they go, m.
    wanted: Vec<Vec3>,
    at: Vec<Vec3>,
    end: Vec<Vec3>,
    right: Vec<Vec3>,  // kg m/s
    origin: Vec<Vec3>, // m/s
    w: Vec<Vec3>,      // m/s
    none: Vec<()>,
}

impl AfterBuffers {
    pub fn new(world: &World) -> Self {
        let n = world.mass.len();
        let zeros = || vec![Vec3::ZERO; n];
        let pattern = Pattern::new(n, std::iter::empty());
        let mut matrix = Matrix::new(&pattern);
        let blocks = pattern.diagonal.iter().zip(&world.mass);
        blocks.for_each(|(place, mass)| matrix.blocks[*place as usize] = DMat3::from_diagonal(Vec3::splat(*mass)));
        Self {
            cg: ContactCgBuffers::new(n, world.blocks.len(), world.coarse_on(&pattern)),
            pattern,
            matrix,
            terms: Terms::default(),
            wanted: zeros(),
            at: zeros(),
            end: zeros(),
            right: zeros(),
            origin: zeros(),
            w: zeros(),
            none: vec![(); world.blocks.len()],
        }
    }
}

/// The proposed end of a step, and what its contacts do.
pub(crate) struct End<'a> {
    pub boundary: &'a Boundary,
    pub x: &'a mut [Vec3],
    pub v: &'a mut [Vec3],
    pub impulse: &'a mut [Vec3],
    pub contact: &'a mut Contacts,
    pub halt: &'a Halt,
}

impl Barrier {
    /// Changes the proposed end of a step of length `h` by contact; `s` is the effective step.
    pub fn settle(
        &mut self,
        world: &World,
        state: &State,
        [h, s]: [f64; 2],
        end: End,
    ) -> Result<GuardReport, Rejection> {
        let touches = !world.solids.is_empty() || !state.touching.list.is_empty() || !state.exempt.is_empty();
        if !touches && self.meets(world, state, h, end.x)?.is_none() {
            return Ok(self.report());
        }
        let mut after = std::mem::take(&mut self.after);
        let settled = self.settle_with(world, state, [h, s], end, &mut after);
        self.after = after;
        settled.map(|()| self.report())
    }

    fn settle_with(
        &mut self,
        world: &World,
        state: &State,
        [h, s]: [f64; 2],
        end: End,
        after: &mut AfterBuffers,
    ) -> Result<(), Rejection> {
        let End { boundary, x, v, impulse, contact, halt } = end;
        let AfterBuffers { pattern, matrix, terms, cg, wanted, at, end, right, origin, w, none } = after;
        let blocks = &world.blocks[..];
        wanted.copy_from_slice(x);
        at.copy_from_slice(&state.x);
        // as in an implicit step: what the forces add is balanced by contact, as far as it was before
        self.begin(world, state, h, &contact.moving, boundary, |i| state.v[i] * s)?;
        let mut length = 0.0;
        for round in 1..=MOST {
            self.find(world, state, boundary, at, s, terms);
            parallel::fill(blocks, origin, none, |i| (wanted[i] - at[i]) / s);
            w.copy_from_slice(origin);
            let equations = ContactSystem { pattern, matrix, terms, blocks, held: &boundary.held, halt };
            if !terms.list.is_empty() {
                parallel::fill(blocks, right, none, |i| origin[i] * world.mass[i]);
                self.load(s, right);
                let least = |i: usize| world.gravity * (s * LEAST * world.mass[i]);
                let solved = equations.solve(right, origin, w, least, STOP, cg);
                if halt.asked() {
                    return Err(Rejection::Stopped);
                }
                if !solved.converged {
                    return Err(Rejection::Unsolved { iterations: solved.iterations });
                }
            }
            parallel::fill(blocks, end, none, |i| at[i] + w[i] * s);
            for held in &boundary.held {
                let i = held.vertex as usize;
                end[i] = held.mix(end[i], held.end);
            }
            let guarded = self.guard(world, boundary, end)?;
            length = f64::max(length, guarded.wanted);
            let last = guarded.lost <= CUT * length || round == MOST;
            if last && !terms.list.is_empty() {
                for held in &boundary.held {
                    impulse[held.pin as usize] += equations.reaction(held, right, w) * (h / s);
                }
            }
            at.copy_from_slice(end);
            if last {
                break;
            }
        }
        for (i, (x, v)) in x.iter_mut().zip(&mut *v).enumerate() {
            *v += (at[i] - *x) / s;
            *x = at[i];
        }
        self.rebound(world, state, h, boundary, v, contact);
        self.finish(world, state, x, contact)
    }
}
