//! Equations of a step, recorded for benchmarks that solve them in other ways.

use crate::Vec3;
use crate::force::assemble;
use crate::force::rest_stiffness::RestStiffness;
use crate::halt::Halt;
use crate::linear::cg::{CgBuffers, Solved, Stop, System};
use crate::linear::cholesky::{Factor, Symbolic};
use crate::linear::filter::Held;
use crate::linear::scalar::{self, Scalar};
use crate::linear::tiled::{self, Tiled};
use crate::linear::{Matrix, Pattern};
use crate::world::World;
use glam::DMat3;

/// The system A x = b that the conjugate gradient gets.
#[derive(Clone)]
pub struct Equations {
    matrix: Matrix,
    held: Vec<Held>,
    /// b.
    pub right: Vec<Vec3>,
    /// The point to which the tolerance is relative.
    pub origin: Vec<Vec3>,
    /// The initial guess.
    pub guess: Vec<Vec3>,
    /// ε.
    pub tolerance: f64,
    halt: Halt,
}

impl Equations {
    pub(crate) fn new(system: &System, right: &[Vec3], origin: &[Vec3], guess: &[Vec3], tolerance: f64) -> Self {
        let (matrix, held, halt) = (system.matrix.clone(), system.held.to_vec(), Halt::default());
        Self { matrix, held, right: right.to_vec(), origin: origin.to_vec(), guess: guess.to_vec(), tolerance, halt }
    }

    /// Where the blocks of each row start, and the column of each block, ascending in a row.
    pub fn pattern(world: &World) -> (&[u32], &[u32]) {
        let Pattern { start, column, .. } = &world.layout.pattern;
        (start, column)
    }

    /// Values of the blocks.
    pub fn blocks(&self) -> &[DMat3] {
        &self.matrix.blocks
    }

    /// Row, column and value of blocks of contacts.
    pub fn contact_blocks(&self) -> &[(u32, u32, DMat3)] {
        &self.matrix.extra
    }

    /// Particles with held directions, and the free directions of each.
    pub fn held(&self) -> impl Iterator<Item = (usize, DMat3)> {
        self.held.iter().map(|held| (held.vertex as usize, held.free))
    }

    /// Solves by the conjugate gradient that steps use; returns the number of iterations.
    pub fn conjugate_gradient(&self, world: &World, x: &mut [Vec3], work: &mut Gradient) -> u32 {
        let stop = Stop { tolerance: self.tolerance, iterations: 100_000 };
        let Solved { iterations, converged } =
            self.system(world).solve(&self.right, &self.origin, x, stop, &mut work.0);
        assert!(converged, "the equations of a step are definite");
        iterations
    }

    fn system<'a>(&'a self, world: &'a World) -> System<'a> {
        let (pattern, blocks) = (&world.layout.pattern, &world.blocks);
        System { pattern, matrix: &self.matrix, blocks, held: &self.held, halt: &self.halt }
    }
}

/// Buffers of the conjugate gradient.
pub struct Gradient(CgBuffers);

impl Gradient {
    /// Allocates buffers for the equations of a world.
    pub fn new(world: &World) -> Self {
        Self(CgBuffers::new(world.mass.len(), world.blocks.len()))
    }
}

/// A complete factor in double precision.
pub struct Whole {
    symbolic: Symbolic,
    factor: Factor,
    part: Vec<f64>,
}

impl Whole {
    /// Finds the order of elimination.
    pub fn new(world: &World) -> Self {
        let symbolic = Symbolic::new(&world.layout.pattern, &world.rest);
        Self { factor: symbolic.room(), symbolic, part: Vec::new() }
    }

    /// Factors the matrix without the blocks outside the pattern.
    pub fn factor(&mut self, world: &World, equations: &Equations) -> bool {
        let Self { symbolic, factor, .. } = self;
        symbolic.factor(&world.layout.pattern, &equations.matrix, &equations.held, factor, &equations.halt).is_ok()
    }

    /// Solves in place; held directions must be zero.
    pub fn solve(&mut self, x: &mut [Vec3]) {
        self.symbolic.solve_with(&self.factor, x, &mut self.part);
    }
}

/// A factor in tiles, in single precision.
pub struct Tiles(Tiled);

impl Tiles {
    /// Finds the order of elimination.
    pub fn new(world: &World) -> Self {
        let plan = tiled::Plan::new(&world.layout.pattern, &world.rest, usize::MAX);
        Self(Tiled::new(plan.expect("there is no limit")))
    }

    /// Factors the matrix.
    pub fn factor(&mut self, world: &World, equations: &Equations) -> bool {
        self.0.factor(&equations.system(world))
    }

    /// Solves with the factor.
    pub fn solve(&mut self, b: &[Vec3], x: &mut [Vec3]) {
        self.0.solve(b, x);
    }
}

/// The constant matrix M + h² K with the filter's K, the same for x, y and z, and its factor.
pub struct Constant {
    factor: Scalar,
    /// Particles that pins hold at the start.
    pub held: Vec<usize>,
}

impl Constant {
    /// Factors the matrix for steps of h, s.
    pub fn new(world: &World, h: f64) -> Self {
        let stiffness = RestStiffness::new(world);
        let mut factor = Scalar::new(scalar::Plan::new(&stiffness.pattern, &world.rest));
        let mass = |i: usize, j: usize| if i == j { world.mass[i] } else { 0.0 };
        let held: Vec<usize> = world.pins.iter().flat_map(|pin| &pin.vertices).map(|&i| i as usize).collect();
        let value = |place: usize, i: usize, j: usize| mass(i, j) + h * h * stiffness.elastic[place];
        factor.factor(value, |i| held.contains(&i), &Halt::default()).expect("mass and stiffness are positive");
        Self { factor, held }
    }

    /// Solves with the factor.
    pub fn solve(&mut self, b: &[Vec3], x: &mut [Vec3]) {
        self.factor.solve(b);
        x.iter_mut().enumerate().for_each(|(i, x)| *x = self.factor.solution(i));
    }
}

/// Energy of all elements, J.
pub fn elastic(world: &World, x: &[Vec3]) -> f64 {
    assemble::potential(world, 0.0, x, None, &mut vec![0.0; world.blocks.len()])
}
