//! The rows of the table.

use crate::ic::Incomplete;
use crate::multigrid::{Kind, Multigrid};
use crate::pcg::{self, Inverse, MOST, dot};
use crate::product::{Half, Single};
use crate::scene::Sample;
use crate::ssor::Ssor;
use crate::system::System;
use cpu_time::ProcessTime;
use taffeta::equations::{Equations, Gradient, Tiles, Whole};
use taffeta::glam::DMat3;
use taffeta::{Vec3, World};

/// Iterations after which an old factor is given up: a residual above 1 says so.
const OLD: u32 = 100;

/// A sample and what is known of it.
pub struct Case<'a> {
    pub world: &'a World,
    pub sample: &'a Sample,
    pub system: System<'a>,
    exact: Vec<Vec3>,
}

/// What a candidate took, s, and how good it is.
pub struct Taken {
    pub setup: f64,
    pub solve: f64,
    pub iterations: u32,
    pub residual: f64,
    pub error: f64,
}

impl Taken {
    pub fn sum(&self) -> f64 {
        self.setup + self.solve
    }
}

/// Seconds of setup and of the solution, and iterations.
pub type Times = (f64, f64, u32);

/// Solves from the guess in `x`.
pub type Solve = fn(&Case, &mut [Vec3]) -> Times;

/// Its name and what it does.
pub type Row = (&'static str, Solve);

/// **A new solver is one more line.**
pub const CANDIDATES: &[Row] = &[
    ("CG, block Jacobi: the library's", |case, x| case.library(x)),
    ("  guess 0", |case, x| case.from(x, |_| Vec3::ZERO)),
    ("  guess v", |case, x| case.from(x, |i| case.sample.now.origin[i])),
    ("  guess v + what v changed by before", |case, x| {
        let [now, before] = [&case.sample.now, &case.sample.before].map(|equations| &equations.origin);
        case.from(x, |i| now[i] + (now[i] - before[i]))
    }),
    ("CG, block Jacobi: this bench's", |case, x| case.run(x, || Jacobi, |inverse, x| case.whole(inverse, x))),
    ("  half of the symmetric matrix", |case, x| {
        let product = |half: &Half, x: &mut [Vec3]| {
            let system = &case.system;
            pcg::solve(system, &mut Jacobi, &mut |x, out| half.times(system, x, out), x, system.enough, MOST)
        };
        case.run(x, || Half::new(&case.system), |half, x| product(half, x))
    }),
    ("  matrix in f32, residual in f64", |case, x| {
        let system = &case.system;
        case.run(
            x,
            || Single::new(system),
            |single, x| {
                let (mut left, mut iterations) = (vec![Vec3::ZERO; x.len()], 0);
                loop {
                    iterations += pcg::solve(
                        system,
                        &mut Jacobi,
                        &mut |x, out| single.times(system, x, out),
                        x,
                        system.enough,
                        MOST,
                    );
                    system.residual(x, &mut left);
                    if system.measure(&left) <= system.enough || iterations >= MOST {
                        return iterations;
                    }
                }
            },
        )
    }),
    ("CG, IC(0)", |case, x| {
        case.run(x, || Incomplete::<DMat3>::new(&case.system), |inverse, x| case.whole(inverse, x))
    }),
    ("CG, IC(0) in f32", |case, x| {
        case.run(x, || Incomplete::<[f32; 9]>::new(&case.system), |inverse, x| case.whole(inverse, x))
    }),
    ("CG, SSOR", |case, x| case.ssor(x, usize::MAX)),
    ("CG, SSOR within 1,024 particles", |case, x| case.ssor(x, 1024)),
    ("CG, multigrid, plain aggregates, K-cycle", |case, x| case.multigrid(x, Kind::Plain)),
    ("CG, multigrid, smoothed aggregates, V-cycle", |case, x| case.multigrid(x, Kind::Smoothed)),
    ("Cholesky in f64, CG", |case, x| case.factor(Whole::new(case.world), None, x)),
    ("Cholesky in f32 and tiles, CG", |case, x| case.factor(Tiles::new(case.world), None, x)),
    ("  factor of the step before", |case, x| case.factor(Tiles::new(case.world), Some(&case.sample.before), x)),
    ("  factor of four frames before", |case, x| {
        case.factor(Tiles::new(case.world), Some(&case.sample.long_before), x)
    }),
];

impl<'a> Case<'a> {
    pub fn new(world: &'a World, sample: &'a Sample) -> Self {
        let system = System::new(world, &sample.now);
        let mut case = Self { world, sample, system, exact: sample.now.guess.clone() };
        let mut tiles = Tiles::new(world);
        assert!(tiles.factor(world, &sample.now));
        let mut exact = sample.now.guess.clone();
        let tight = 1e-10 * case.system.enough;
        let system = &case.system;
        pcg::solve(system, &mut tiles, &mut |x, out| system.product(x, out), &mut exact, tight, MOST);
        case.exact = exact;
        case
    }

    /// Runs a candidate.
    pub fn take(&self, solve: Solve) -> Taken {
        let Equations { origin, guess, .. } = &self.sample.now;
        let mut x = guess.clone();
        let (setup, solve, iterations) = solve(self, &mut x);
        let mut left = x.clone();
        self.system.residual(&x, &mut left);
        let residual = (self.system.measure(&left) / self.system.enough).sqrt();
        let error = self.error(&x) / self.error(origin);
        Taken { setup, solve, iterations, residual, error }
    }

    /// In the norm of A.
    fn error(&self, x: &[Vec3]) -> f64 {
        let off: Vec<Vec3> = x.iter().zip(&self.exact).map(|(x, exact)| *x - *exact).collect();
        let mut product = off.clone();
        self.system.product(&off, &mut product);
        dot(&off, &product).sqrt()
    }

    fn run<T>(
        &self,
        x: &mut [Vec3],
        setup: impl FnOnce() -> T,
        solve: impl FnOnce(&mut T, &mut [Vec3]) -> u32,
    ) -> Times {
        let begin = ProcessTime::now();
        let mut made = setup();
        let time = begin.elapsed().as_secs_f64();
        let begin = ProcessTime::now();
        let iterations = solve(&mut made, x);
        (time, begin.elapsed().as_secs_f64(), iterations)
    }

    fn whole(&self, inverse: &mut dyn Inverse, x: &mut [Vec3]) -> u32 {
        let system = &self.system;
        pcg::solve(system, inverse, &mut |x, out| system.product(x, out), x, system.enough, MOST)
    }

    fn library(&self, x: &mut [Vec3]) -> Times {
        let mut work = Gradient::new(self.world);
        self.run(x, || (), |(), x| self.sample.now.conjugate_gradient(self.world, x, &mut work))
    }

    /// From another guess; held directions stay.
    fn from(&self, x: &mut [Vec3], guess: impl Fn(usize) -> Vec3) -> Times {
        let wanted = x.to_vec();
        (0..x.len()).for_each(|i| x[i] = guess(i));
        self.system.held.iter().for_each(|&(i, free)| x[i] = wanted[i] + free * (x[i] - wanted[i]));
        self.library(x)
    }

    fn ssor(&self, x: &mut [Vec3], range: usize) -> Times {
        let Equations { origin, tolerance, .. } = &self.sample.now;
        self.run(x, || Ssor::new(&self.system, range), |ssor, x| ssor.solve(origin, x, *tolerance))
    }

    /// Aggregates are kept from step to step: they are no part of the setup.
    fn multigrid(&self, x: &mut [Vec3], kind: Kind) -> Times {
        let mut aggregates = Vec::new();
        Multigrid::new(&self.system, kind, &mut aggregates);
        self.run(x, || Multigrid::new(&self.system, kind, &mut aggregates), |grid, x| self.whole(grid, x))
    }

    /// A factor of earlier equations is there already.
    fn factor(&self, mut factor: impl Factor, of: Option<&Equations>, x: &mut [Vec3]) -> Times {
        factor.make(self.world, of.unwrap_or(&self.sample.before));
        let setup = || {
            if of.is_none() {
                factor.make(self.world, &self.sample.now);
            }
            factor
        };
        let system = &self.system;
        self.run(x, setup, |factor, x| {
            pcg::solve(system, factor, &mut |x, out| system.product(x, out), x, system.enough, OLD)
        })
    }
}

/// A factor of all equations.
trait Factor: Inverse {
    fn make(&mut self, world: &World, of: &Equations);
}

impl Factor for Tiles {
    fn make(&mut self, world: &World, of: &Equations) {
        assert!(self.factor(world, of));
    }
}

impl Factor for Whole {
    fn make(&mut self, world: &World, of: &Equations) {
        assert!(self.factor(world, of));
    }
}

struct Jacobi;

impl Inverse for Jacobi {
    fn apply(&mut self, system: &System, r: &[Vec3], z: &mut [Vec3]) {
        z.iter_mut().zip(r.iter().zip(&system.inverse)).for_each(|(z, (r, inverse))| *z = *inverse * *r);
    }
}

impl Inverse for Tiles {
    fn apply(&mut self, _: &System, r: &[Vec3], z: &mut [Vec3]) {
        self.solve(r, z);
    }
}

impl Inverse for Whole {
    fn apply(&mut self, _: &System, r: &[Vec3], z: &mut [Vec3]) {
        z.copy_from_slice(r);
        self.solve(z);
    }
}
