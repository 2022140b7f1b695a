//! A system of equations as the candidates see it: all blocks in one pattern.

use taffeta::equations::Equations;
use taffeta::glam::DMat3;
use taffeta::{Vec3, World};

/// A x = b with held directions.
pub struct System<'a> {
    pub start: &'a [u32],
    pub column: &'a [u32],
    /// With those of contacts.
    pub blocks: Vec<DMat3>,
    pub diagonal: Vec<usize>,
    pub held: Vec<(usize, DMat3)>,
    /// Inverse diagonal blocks within free directions: what the tolerance is measured with.
    pub inverse: Vec<DMat3>,
    pub b: &'a [Vec3],
    /// ε² δ0 of the library's conjugate gradient.
    pub enough: f64,
}

impl<'a> System<'a> {
    pub fn new(world: &'a World, equations: &'a Equations) -> Self {
        let (start, column) = Equations::pattern(world);
        let find = |i: usize, j: u32| {
            let row = start[i] as usize..start[i + 1] as usize;
            row.start + column[row].binary_search(&j).expect("contacts are between neighbours")
        };
        let mut blocks = equations.blocks().to_vec();
        for &(i, j, a) in equations.contact_blocks() {
            blocks[find(i as usize, j)] += a;
        }
        let diagonal: Vec<usize> = (0..world.mass.len()).map(|i| find(i, i as u32)).collect();
        let held: Vec<_> = equations.held().collect();
        let mut inverse: Vec<DMat3> = diagonal.iter().map(|&k| blocks[k]).collect();
        for &(i, free) in &held {
            inverse[i] = free * inverse[i] * free + (DMat3::IDENTITY - free);
        }
        inverse.iter_mut().for_each(|a| *a = a.inverse());
        for &(i, free) in &held {
            inverse[i] = free * inverse[i] * free;
        }
        let mut system = Self { start, column, blocks, diagonal, held, inverse, b: &equations.right, enough: 0.0 };
        let mut left = equations.right.clone();
        system.residual(&equations.origin, &mut left);
        system.enough = equations.tolerance.powi(2) * system.measure(&left);
        system
    }

    pub fn row(&self, i: usize) -> std::ops::Range<usize> {
        self.start[i] as usize..self.start[i + 1] as usize
    }

    /// out = S A x.
    pub fn product(&self, x: &[Vec3], out: &mut [Vec3]) {
        for (i, out) in out.iter_mut().enumerate() {
            let row = self.row(i);
            let blocks = self.blocks[row.clone()].iter().zip(&self.column[row]);
            *out = blocks.map(|(a, &j)| *a * x[j as usize]).sum();
        }
        self.filter(out);
    }

    /// out = S (b - A x).
    pub fn residual(&self, x: &[Vec3], out: &mut [Vec3]) {
        self.product(x, out);
        out.iter_mut().zip(self.b).for_each(|(out, b)| *out = *b - *out);
        self.filter(out);
    }

    /// Keeps free directions.
    pub fn filter(&self, v: &mut [Vec3]) {
        self.held.iter().for_each(|&(i, free)| v[i] = free * v[i]);
    }

    /// δ of a residual.
    pub fn measure(&self, r: &[Vec3]) -> f64 {
        r.iter().zip(&self.inverse).map(|(r, inverse)| r.dot(*inverse * *r)).sum()
    }

    /// S A S + (I - S) at a place of row i.
    pub fn filtered(&self, free: &[DMat3], i: usize, place: usize) -> DMat3 {
        let j = self.column[place] as usize;
        let a = free[i] * self.blocks[place] * free[j];
        if i == j { a + (DMat3::IDENTITY - free[i]) } else { a }
    }

    /// S of each particle.
    pub fn free(&self) -> Vec<DMat3> {
        let mut free = vec![DMat3::IDENTITY; self.b.len()];
        self.held.iter().for_each(|&(i, s)| free[i] = s);
        free
    }
}
