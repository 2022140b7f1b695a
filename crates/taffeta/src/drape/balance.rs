//! Newton's method for an equilibrium with contact by the barrier.
//!
//! The law of contact itself, friction and the cloth are in one matrix, which is factored as in [`super`]: contacts
//! couple particles that no element couples, so that the pattern follows them. Every step ends no farther than the
//! guard lets it, and where the energy falls.

use super::{ARMIJO, Drape, DrapeProgress, DrapeReport, FIRST, LEAST, MOST, PUSH, PUSHES, larger};
use crate::Vec3;
use crate::barrier::Barrier;
use crate::barrier::stencil::Stencil;
use crate::boundary::Boundary;
use crate::contact::Contacts;
use crate::force::assemble::{self, Point, Sums};
use crate::halt::Halt;
use crate::linear::cholesky::{Factor, NotDefinite, Symbolic};
use crate::linear::filter::FREE;
use crate::linear::{Matrix, Pattern};
use crate::model::element::Curvature;
use crate::parallel;
use crate::random;
use crate::state::State;
use crate::world::World;

/// A pattern with the contacts, and the order of its elimination.
#[derive(Default)]
struct Coupled {
    pattern: Pattern,
    symbolic: Symbolic,
    matrix: Matrix,
    /// Where the blocks of the cloth's own pattern are in this one.
    places: Vec<u32>,
}

impl Coupled {
    /// The pattern of the cloth and of contacts; `x` are the places of the particles.
    fn new(own: &Pattern, stencils: &[Stencil], x: &[Vec3]) -> Self {
        let n = own.diagonal.len();
        let pairs: Vec<[u32; 2]> = (0..n as u32)
            .flat_map(|i| own.column[own.row(i as usize)].iter().filter(move |j| **j > i).map(move |j| [i, *j]))
            .collect();
        let groups: Vec<Vec<u32>> = stencils.iter().map(|s| s.used().map(|(i, _)| i).collect()).collect();
        let all = pairs.iter().map(|pair| &pair[..]).chain(groups.iter().map(|group| &group[..]));
        let pattern = Pattern::new(n, all);
        let places = (0..n as u32)
            .flat_map(|i| own.column[own.row(i as usize)].iter().map(move |j| [i, *j]))
            .map(|[i, j]| pattern.place(i, j))
            .collect();
        let symbolic = Symbolic::new(&pattern, x);
        Self { matrix: Matrix::new(&pattern), pattern, symbolic, places }
    }

    /// Whether the pattern has all contacts.
    fn holds(&self, stencils: &[Stencil]) -> bool {
        !self.places.is_empty()
            && stencils.iter().all(|stencil| {
                let coupled = |i: u32| stencil.used().all(|(j, _)| self.pattern.find(i, j).is_some());
                stencil.used().all(|(i, _)| coupled(i))
            })
    }

    /// Sets the matrix to the cloth's own with the terms of contacts.
    fn fill(&mut self, own: &Matrix, stencils: &[Stencil]) {
        self.matrix.blocks.fill(glam::DMat3::ZERO);
        for (place, block) in self.places.iter().zip(&own.blocks) {
            self.matrix.blocks[*place as usize] = *block;
        }
        for stencil in stencils {
            let block = stencil.term().block;
            for (i, a) in stencil.used() {
                for (j, b) in stencil.used() {
                    self.matrix.blocks[self.pattern.place(i, j) as usize] += block * (a * b);
                }
            }
        }
    }
}

/// The search, with its buffers.
pub(super) struct Balance<'a> {
    world: &'a World,
    boundary: &'a Boundary,
    barrier: &'a mut Barrier,
    halt: &'a Halt,
    coupled: Coupled,
    factor: Factor,
    matrix: Matrix,
    force: Vec<Vec3>,
    outside: Vec<Vec3>,
    drift: Vec<Vec3>,
    zeros: Vec<Vec3>,
    trial: Vec<Vec3>,
    stencils: Vec<Stencil>,
    none: Vec<()>,
    sums: Vec<f64>,
    /// μ, 1/s².
    mu: f64,
    /// Iterations before the exact matrix is tried again.
    wait: u32,
}

/// Iterations before the cloth should settle further.
const TRIES: u32 = 400;

/// The way is halved so many times before the guard looks at a shorter one.
const HALVINGS: i32 = 4;

/// Error of the energy of contacts, as a share of it: distances from sharp edges are found by iterations.
const GAPS: f64 = 1e-9;

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// The residual is small enough.
    Found,
    /// By the caller.
    Stopped,
    /// It makes no progress, or has no more iterations.
    Stalled,
}

impl<'a> Balance<'a> {
    pub fn new(world: &'a World, boundary: &'a Boundary, barrier: &'a mut Barrier, halt: &'a Halt) -> Self {
        let zeros = || vec![Vec3::ZERO; world.mass.len()];
        let blocks = world.blocks.len();
        Self {
            world,
            boundary,
            barrier,
            halt,
            coupled: Coupled::default(),
            factor: Factor::default(),
            matrix: Matrix::new(&world.layout.pattern),
            force: zeros(),
            outside: zeros(),
            drift: zeros(),
            zeros: zeros(),
            trial: zeros(),
            stencils: Vec::new(),
            none: vec![(); blocks],
            sums: vec![0.0; blocks],
            mu: FIRST,
            wait: 0,
        }
    }

    /// Finds an equilibrium near the state.
    pub fn find(
        &mut self,
        state: &mut State,
        contact: &mut Contacts,
        settings: &Drape,
        report: &mut DrapeReport,
        observe: &mut dyn FnMut(&DrapeProgress) -> bool,
    ) -> Ended {
        let last = report.iterations + TRIES;
        let mut pushes = 0;
        loop {
            if self.barrier.begin_rest(self.world, state, contact, self.boundary).is_err() {
                return Ended::Stalled;
            }
            std::mem::swap(&mut self.stencils, &mut self.barrier.stencils);
            self.linearise(state, Curvature::Exact);
            (report.residual, report.share) = self.residual();
            let DrapeReport { iterations: iteration, share, stage, stages, .. } = *report;
            let go_on = observe(&DrapeProgress { iteration, share, stage, stages }) && !self.halt.asked();
            if share <= settings.residual {
                let mu = std::mem::replace(&mut self.mu, LEAST);
                self.linearise(state, Curvature::Exact);
                report.stable = self.factor(state).is_ok();
                self.mu = mu;
                if self.halt.asked() {
                    return Ended::Stopped; // then it is not known whether it is a minimum
                }
                if report.stable || pushes == PUSHES || !go_on {
                    return Ended::Found;
                }
                // a saddle: any push leaves it
                pushes += 1;
                self.push(pushes, state);
                self.mu = FIRST;
                continue;
            }
            if !go_on {
                return Ended::Stopped;
            }
            if report.iterations >= last.min(settings.iterations) || !share.is_finite() {
                return Ended::Stalled;
            }
            report.iterations += 1;
            let exact = self.wait == 0 && self.factor(state).is_ok();
            if !exact {
                self.wait = if self.wait == 0 { super::PATIENCE } else { self.wait - 1 };
                self.linearise(state, Curvature::Definite);
                if self.factor(state).is_err() {
                    self.mu *= super::NOT_DEFINITE;
                    continue;
                }
            }
            self.advance(state, contact);
        }
    }

    fn factor(&mut self, state: &State) -> Result<(), NotDefinite> {
        let Self { coupled, stencils, world, .. } = self;
        if !coupled.holds(stencils) {
            *coupled = Coupled::new(&world.layout.pattern, stencils, &state.x);
            self.factor = coupled.symbolic.room();
        }
        coupled.fill(&self.matrix, stencils);
        let Coupled { pattern, symbolic, matrix, .. } = coupled;
        symbolic.factor(pattern, matrix, &self.boundary.held, &mut self.factor, self.halt)
    }

    fn linearise(&mut self, state: &State, curvature: Curvature) {
        let at = Point {
            t: state.time,
            x: &state.x,
            v: &self.zeros,
            s: 1.0,
            mass: self.mu,
            past: None,
            curvature,
            air: false,
        };
        let sums = Sums {
            matrix: &mut self.matrix,
            force: &mut self.force,
            outside: &mut self.outside,
            drift: &mut self.drift,
        };
        assemble::assemble(self.world, &self.world.layout, &at, &self.zeros, sums, &mut self.none);
        for stencil in &self.stencils {
            let push = stencil.push(Vec3::ZERO);
            stencil.used().for_each(|(i, weight)| self.force[i as usize] += push * weight);
        }
    }

    /// Net force on a particle in its free directions, N.
    fn net(&self, i: usize) -> Vec3 {
        let net = self.force[i] + self.outside[i];
        match self.boundary.slot[i] {
            FREE => net,
            slot => self.boundary.held[slot as usize].free * net,
        }
    }

    /// Largest net force, N, and the largest net force as a share of the particle's weight.
    fn residual(&self) -> (f64, f64) {
        let gravity = self.world.gravity_scale();
        (0..self.force.len()).fold((0.0, 0.0), |(most, share), i| {
            let net = self.net(i).length();
            (larger(most, net), larger(share, net / (self.world.mass[i] * gravity)))
        })
    }

    /// Takes a step along Newton's direction.
    fn advance(&mut self, state: &mut State, contact: &Contacts) {
        let n = state.x.len();
        let net: Vec<Vec3> = (0..n).map(|i| self.net(i)).collect();
        let mut p = net.clone();
        self.coupled.symbolic.solve(&self.factor, &mut p);
        let size = self.world.fabrics.iter().map(|fabric| fabric.size).fold(f64::INFINITY, f64::min);
        let longest = p.iter().map(|p| p.length()).fold(0.0, f64::max);
        let farthest = super::FARTHEST.1 * size;
        let first = if longest > farthest { farthest / longest } else { 1.0 };
        let predicted: f64 = (0..n).map(|i| p[i].dot(net[i])).sum();
        let pressed: f64 = self.stencils.iter().map(|stencil| stencil.law.energy(stencil.gap)).sum();
        let start = pressed
            + self.stencils.iter().map(|stencil| stencil.rubbed(Vec3::ZERO)).sum::<f64>()
            + assemble::potential(self.world, state.time, &state.x, None, &mut self.sums);
        let rounding = super::ENERGY_ROUNDING * start.abs() + GAPS * pressed;
        let mut reach = first;
        let (mut share, mut fall);
        let mut known = true;
        let mut end = vec![Vec3::ZERO; n];
        'search: loop {
            // the guard needs the surroundings of the start
            if !known && self.barrier.begin_rest(self.world, state, contact, self.boundary).is_err() {
                self.mu = (self.mu * super::MU_RISES).min(MOST);
                return;
            }
            (0..n).for_each(|i| end[i] = state.x[i] + p[i] * reach);
            if self.barrier.guard(self.world, self.boundary, &mut end).is_err() {
                self.mu = (self.mu * super::MU_RISES).min(MOST);
                return;
            }
            let slope: f64 = (0..n).map(|i| (end[i] - state.x[i]).dot(net[i])).sum();
            let mut part = 1.0;
            known = false;
            for _ in 0..HALVINGS {
                (0..n).for_each(|i| self.trial[i] = state.x[i] + (end[i] - state.x[i]) * part);
                let after = self.potential(state, reach * part);
                fall = start - after;
                share = reach * part;
                if fall >= ARMIJO * part * slope - rounding || share < super::SHORTEST * first {
                    break 'search;
                }
                part *= 0.5;
            }
            reach *= 0.5f64.powi(HALVINGS);
        }
        let foretold = share * predicted * (1.0 - 0.5 * share);
        if share == 1.0 && fall > super::GOOD * foretold - rounding {
            self.mu = (self.mu * super::MU_FALLS_FAST).max(LEAST);
        } else if share < super::SHORT * first || fall < super::POOR * foretold - rounding {
            self.mu = (self.mu * super::MU_RISES).min(MOST);
        } else if fall > super::GOOD * foretold {
            self.mu = (self.mu * super::MU_FALLS).max(LEAST);
        }
        self.go(state, share);
    }

    /// Moves free particles at random as far as nothing crosses, so that they leave a saddle.
    fn push(&mut self, seed: u32, state: &mut State) {
        let edges = &self.world.edges;
        let size = PUSH * edges.iter().map(|edge| edge.rest).sum::<f64>() / edges.len().max(1) as f64;
        for (i, (trial, x)) in self.trial.iter_mut().zip(&state.x).enumerate() {
            let r = |axis: u64| random::signed(u64::from(seed), 3 * i as u64 + axis) * size;
            let by = Vec3::new(r(0), r(1), r(2));
            *trial = *x
                + match self.boundary.slot[i] {
                    FREE => by,
                    slot => self.boundary.held[slot as usize].free * by,
                };
        }
        if self.barrier.guard(self.world, self.boundary, &mut self.trial).is_ok() {
            self.go(state, 1.0);
        }
    }

    /// Goes to the trial, which is a share of the way of this iteration.
    fn go(&mut self, state: &mut State, share: f64) {
        if self.barrier.go(&self.stencils, &self.trial, state).is_err() {
            self.mu = (self.mu * super::MU_RISES).min(MOST);
        }
        self.barrier.pass(share);
    }

    /// Energy at the trial, up to a constant, J.
    fn potential(&mut self, state: &State, share: f64) -> f64 {
        let contact = self.barrier.energy(self.world, &self.stencils, &state.x, &self.trial, share);
        let inside = assemble::potential(self.world, state.time, &self.trial, None, &mut self.sums);
        let (outside, trial) = (&self.outside, &self.trial);
        inside + contact - parallel::sum(&self.world.blocks, &mut self.sums, |i| outside[i].dot(trial[i] - state.x[i]))
    }

    /// Tells the contacts of the last iterate.
    pub fn tell(&mut self, state: &State, contact: &mut Contacts) {
        contact.forget();
        std::mem::swap(&mut self.stencils, &mut self.barrier.stencils);
        self.barrier.tell(self.world, &state.x, contact);
    }

    /// The forces of the pins: minus the net force in held directions.
    pub fn reactions(&self) -> Vec<Vec3> {
        let mut pins = vec![Vec3::ZERO; self.world.pins.len()];
        for held in self.boundary.held.iter().filter(|held| (held.pin as usize) < self.world.pins.len()) {
            let i = held.vertex as usize;
            let net = self.force[i] + self.outside[i];
            pins[held.pin as usize] -= net - held.free * net;
        }
        pins
    }
}
