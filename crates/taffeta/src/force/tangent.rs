//! The matrix of a step on its own, for callers that solve or time it.

use super::assemble::{self, Point, Sums};
use crate::Vec3;
use crate::linear::Matrix;
use crate::model::element::Curvature;
use crate::state::State;
use crate::world::World;

/// M + h D + h² K of backward Euler about a state, and the corresponding forces. The damping of the cloth is left out.
pub struct Tangent {
    matrix: Matrix,
    force: Vec<Vec3>,
    outside: Vec<Vec3>,
    drift: Vec<Vec3>,
    lead: Vec<Vec3>,
    none: Vec<()>,
}

impl Tangent {
    /// Allocates the matrix of a world. `None` if its method has none.
    pub fn new(world: &World) -> Option<Self> {
        let zeros = || vec![Vec3::ZERO; world.mass.len()];
        world.method.has_matrix().then(|| Self {
            matrix: Matrix::new(&world.layout.pattern),
            force: zeros(),
            outside: zeros(),
            drift: zeros(),
            lead: zeros(),
            none: vec![(); world.blocks.len()],
        })
    }

    /// Computes forces and derivatives of all elements for a step h, s.
    pub fn fill(&mut self, world: &World, state: &State, h: f64) {
        let Self { matrix, force, outside, drift, lead, none } = self;
        let curvature = Curvature::Definite;
        let at = Point { t: state.time, x: &state.x, v: &state.v, s: h, mass: 1.0, past: None, curvature, air: true };
        assemble::assemble(world, &world.layout, &at, lead, Sums { matrix, force, outside, drift }, none);
    }

    /// out = A x.
    pub fn multiply(&mut self, world: &World, x: &[Vec3], out: &mut [Vec3]) {
        self.matrix.multiply(&world.layout.pattern, &world.blocks, x, out, &mut self.none);
    }

    #[cfg(test)]
    pub(crate) fn into_matrix(self) -> Matrix {
        self.matrix
    }

    /// Number of 3×3 blocks.
    pub fn blocks(&self) -> usize {
        self.matrix.blocks.len()
    }

    /// Bytes of blocks, columns and row starts: what a product reads in addition to its vector.
    pub fn bytes(&self, world: &World) -> usize {
        let pattern = &world.layout.pattern;
        size_of_val(&self.matrix.blocks[..]) + size_of_val(&pattern.column[..]) + size_of_val(&pattern.start[..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::{Cloth, Mesh, Method, Pattern, Setup};
    use crate::workspace::{Workspace, forces};

    fn setup() -> Setup {
        Setup::with_cloth(Cloth::new("sheet", Mesh::grid([0.3, 0.2], [3, 2], Pattern::Alternating).unwrap()))
    }

    #[test]
    fn explicit_methods_have_none() {
        let world = World::new(Setup { method: Some(Method::Rk4), ..setup() });
        assert!(world.is_ok_and(|world| Tangent::new(&world).is_none()));
    }

    /// A flat sheet at rest has no stress, where the definite derivative is the exact one.
    #[test]
    fn product_is_the_central_difference_of_the_forces_at_rest() {
        let world = World::new(setup()).unwrap();
        let (mut tangent, mut work, state) = (Tangent::new(&world).unwrap(), Workspace::new(&world), world.start());
        let h = 1e-2;
        tangent.fill(&world, &state, h);
        let n = state.x.len();
        let along: Vec<Vec3> = (0..n).map(|i| Vec3::new((3 * i % 7) as f64, (5 * i % 11) as f64, 0.0) - 3.0).collect();
        let mut product = vec![Vec3::ZERO; n];
        tangent.multiply(&world, &along, &mut product);
        let eps = 1e-6;
        let mut at = |share: f64| {
            let mut state = state.clone();
            state.x.iter_mut().zip(&along).for_each(|(x, d)| *x += *d * share);
            forces(&world, &state, &mut work).to_vec()
        };
        let (ahead, behind) = (at(eps), at(-eps));
        let largest = product.iter().map(|p| p.length()).fold(0.0, f64::max);
        for i in 0..n {
            let expected = along[i] * world.mass[i] - (ahead[i] - behind[i]) * (h * h / (2.0 * eps));
            // the difference has an error of (ε/l)² of the forces with l = 0.1 m, from their third derivative, and
            // 1e-16/(ε/l) from rounding
            assert!((product[i] - expected).length() < 1e-8 * largest, "{i}: {} {expected}", product[i]);
        }
    }
}
