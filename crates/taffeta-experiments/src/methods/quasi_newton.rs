//! Backward Euler solved by L-BFGS, with the constant matrix of the filter as first Hessian: one scalar factor for x, y
//! and z.
//!
//! ```text
//! E(x) = ½ |x - x0 - h v|²_M + h² (W(x) - m g·x)      H0 = M + h² K
//! ```
//! T. Liu, S. Bouaziz and L. Kavan, Quasi-Newton methods for real-time simulation of hyperelastic materials, ACM Trans.
//! Graph. 36, 2017, with the matrix of M. Desbrun, P. Schröder and A. Barr, Interactive Animation of Structured
//! Deformable Objects, 1999.

use super::scene::FPS;
use taffeta::equations::{Constant, elastic};
use taffeta::{State, Vec3, Workspace, World, forces};

/// m/s².
const GRAVITY: Vec3 = Vec3::new(0.0, -9.81, 0.0);

/// Pairs of changes that are remembered.
const REMEMBERED: usize = 5;

/// Steps of a frame, and iterations of each.
#[derive(Clone, Copy)]
pub struct QuasiNewton {
    pub steps: u32,
    pub iterations: u32,
}

/// A run and its buffers.
pub struct Run<'a> {
    world: &'a World,
    how: QuasiNewton,
    h: f64,
    constant: Constant,
    work: Workspace,
    /// x0 + h v.
    aim: Vec<Vec3>,
    /// Where the iteration is, and its gradient.
    at: State,
    gradient: Vec<Vec3>,
    /// Where the line search starts, the gradient there, and its direction.
    start: Vec<Vec3>,
    before: Vec<Vec3>,
    direction: Vec<Vec3>,
    /// Changes of x and of the gradient, the newest last, and their product.
    pairs: Vec<(Vec<Vec3>, Vec<Vec3>, f64)>,
}

fn dot(a: &[Vec3], b: &[Vec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum()
}

/// a += b t.
fn add(a: &mut [Vec3], b: &[Vec3], t: f64) {
    a.iter_mut().zip(b).for_each(|(a, b)| *a += *b * t);
}

impl<'a> Run<'a> {
    pub fn new(world: &'a World, how: QuasiNewton) -> Self {
        let h = 1.0 / (FPS * u64::from(how.steps)) as f64;
        let zeros = || vec![Vec3::ZERO; world.mass.len()];
        Self {
            world,
            how,
            h,
            constant: Constant::new(world, h),
            work: Workspace::new(world),
            aim: zeros(),
            at: world.start(),
            gradient: zeros(),
            start: zeros(),
            before: zeros(),
            direction: zeros(),
            pairs: Vec::new(),
        }
    }

    /// A frame; its iterations.
    pub fn frame(&mut self, state: &mut State) -> u64 {
        let iterations = (0..self.how.steps).map(|_| self.step(state)).sum();
        state.frame += 1;
        iterations
    }

    fn step(&mut self, state: &mut State) -> u64 {
        let h = self.h;
        self.aim.copy_from_slice(&state.x);
        add(&mut self.aim, &state.v, h);
        self.at.x.copy_from_slice(&self.aim);
        self.at.x.iter_mut().for_each(|x| *x += GRAVITY * (h * h));
        self.hold(state);
        self.pairs.clear();
        self.slope();
        let mut value = self.value();
        let mut iterations = 0;
        for _ in 0..self.how.iterations {
            iterations += 1;
            match self.iterate(value) {
                Some(less) => value = less,
                None => break,
            }
        }
        for ((x, v), end) in state.x.iter_mut().zip(&mut state.v).zip(&self.at.x) {
            *v = (*end - *x) / h;
            *x = *end;
        }
        state.time += h;
        iterations
    }

    /// The pins of the scene do not move.
    fn hold(&mut self, state: &State) {
        self.constant.held.iter().for_each(|&i| self.at.x[i] = state.x[i]);
    }

    /// E.
    fn value(&self) -> f64 {
        let Self { world, h, .. } = self;
        let mut sum = h * h * elastic(world, &self.at.x);
        for ((x, aim), m) in self.at.x.iter().zip(&self.aim).zip(&world.mass) {
            sum += m * (0.5 * x.distance_squared(*aim) - h * h * GRAVITY.dot(*x - *aim));
        }
        sum
    }

    /// The gradient of E.
    fn slope(&mut self) {
        let Self { world, h, constant, work, at, aim, gradient, .. } = self;
        let force = forces(world, at, work);
        for (i, gradient) in gradient.iter_mut().enumerate() {
            *gradient = (at.x[i] - aim[i]) * world.mass[i] - force[i] * (*h * *h);
        }
        constant.held.iter().for_each(|&i| gradient[i] = Vec3::ZERO);
    }

    /// One iteration with a line search; the new E, or `None` if it does not fall.
    fn iterate(&mut self, value: f64) -> Option<f64> {
        let mut q = self.gradient.clone();
        let mut shares = Vec::new();
        for (s, y, product) in self.pairs.iter().rev() {
            let share = dot(s, &q) / product;
            add(&mut q, y, -share);
            shares.push(share);
        }
        self.constant.solve(&q, &mut self.direction);
        for ((s, y, product), share) in self.pairs.iter().zip(shares.iter().rev()) {
            let off = share - dot(y, &self.direction) / product;
            add(&mut self.direction, s, off);
        }
        let fall = dot(&self.gradient, &self.direction);
        self.start.copy_from_slice(&self.at.x);
        let mut share = 1.0;
        let less = loop {
            self.at.x.copy_from_slice(&self.start);
            add(&mut self.at.x, &self.direction, -share);
            let less = self.value();
            if less <= value - 1e-4 * share * fall {
                break less;
            }
            share *= 0.5;
            if share < 1e-3 {
                self.at.x.copy_from_slice(&self.start);
                return None;
            }
        };
        self.before.copy_from_slice(&self.gradient);
        self.slope();
        let s: Vec<Vec3> = self.at.x.iter().zip(&self.start).map(|(a, b)| *a - *b).collect();
        let y: Vec<Vec3> = self.gradient.iter().zip(&self.before).map(|(a, b)| *a - *b).collect();
        let product = dot(&s, &y);
        if product > 0.0 {
            if self.pairs.len() == REMEMBERED {
                self.pairs.remove(0);
            }
            self.pairs.push((s, y, product));
        }
        Some(less)
    }
}
