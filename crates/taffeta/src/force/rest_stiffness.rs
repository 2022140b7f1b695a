//! A constant scalar matrix that is as stiff as the cloth near its rest lengths, however it is turned and folded.
//!
//! M. Desbrun, P. Schröder and A. Barr, Interactive Animation of Structured Deformable Objects, Graphics Interface
//! 1999, for springs: every element acts in all directions with the stiffness that it has along its gradient,
//! ```text
//! K_ij = Σ_mn V_mn ∂C_m/∂x_i · ∂C_n/∂x_j        at the rest shape
//! ```
//! so that x, y and z share one matrix. The stiffness of springs and of stretch is no more than that in any state. The
//! shear of a triangle has two directions at once and may have twice as much, so it counts twice; it grows with the
//! square of the stretch.
//!
//! Bending is far softer than stretch and would couple twice as many particles. It is replaced by springs from x0 to
//! the other three of a hinge, which are stiffer for every displacement: with Σ g_i = 0 and c_i = |g_i|
//! ```text
//! (Σ g_i·y_i)² = (Σ g_i·(y_i - y_0))² ≤ (Σ_i c_i) Σ_i c_i |y_i - y_0|²        i = 1, 2, 3
//! ```

use crate::Vec3;
use crate::linear::Pattern;
use crate::model::element::Element;
use crate::model::elements::{Layout, Visited, Visitor, Which};
use crate::parallel::Block;
use crate::setup::SpringKind;
use crate::world::World;

/// K and the matrix of the damping on the pattern of the mesh.
#[derive(Default)]
pub(crate) struct RestStiffness {
    pub pattern: Pattern,
    /// Matrix of the elastic forces, N/m.
    pub elastic: Vec<f64>,
    /// Matrix of the damping, N s/m: damping times multiplied by stiffness.
    pub viscous: Vec<f64>,
}

impl RestStiffness {
    /// Bytes of its lists.
    pub fn bytes(&self) -> usize {
        let Pattern { start, column, diagonal } = &self.pattern;
        2 * size_of_val(&self.elastic[..])
            + size_of_val(&start[..])
            + size_of_val(&column[..])
            + size_of_val(&diagonal[..])
    }

    pub fn new(world: &World) -> Self {
        let x = rest(world);
        let mut entries: Vec<([u32; 2], [f64; 2])> = Vec::new();
        for block in &world.blocks {
            let mut visitor = Collect { block, x: &x, only: None, entries: &mut entries };
            world.visit(block, &Layout::default(), Which::All, &mut visitor);
        }
        let pattern = Pattern::new(world.mass.len(), entries.iter().map(|entry| &entry.0[..]));
        let mut elastic = vec![0.0; pattern.column.len()];
        let mut viscous = elastic.clone();
        for ([i, j], [k, d]) in entries {
            for (a, b, sign) in [(i, i, 1.0), (j, j, 1.0), (i, j, -1.0), (j, i, -1.0)] {
                let place = pattern.place(a, b) as usize;
                elastic[place] += sign * k;
                viscous[place] += sign * d;
            }
        }
        Self { pattern, elastic, viscous }
    }
}

/// Stiffness that the springs which replace bending add to the stretch of each cloth, N/m. Unlike bending itself they
/// resist rotation.
pub(crate) fn of_bending(world: &World) -> Vec<f64> {
    let x = rest(world);
    let mut entries = Vec::new();
    let mut sums = vec![0.0; world.cloths.len()];
    for block in &world.blocks {
        entries.clear();
        let only = Some(SpringKind::Flexion);
        let mut visitor = Collect { block, x: &x, only, entries: &mut entries };
        world.visit(block, &Layout::default(), Which::All, &mut visitor);
        let energy = |([i, j], [k, _]): &([u32; 2], [f64; 2])| k * x[*i as usize].distance_squared(x[*j as usize]);
        sums[block.cloth] += entries.iter().map(energy).sum::<f64>();
    }
    // a turn about an axis in the cloth moves each point by its distance from the axis; each of two axes has half of
    // the sum
    let area = |cloth: usize| world.area[world.cloths[cloth].vertices.clone()].iter().sum::<f64>();
    sums.iter().enumerate().map(|(cloth, sum)| 0.5 * sum / area(cloth)).collect()
}

/// Rest positions scaled to the rest lengths of springs and triangles.
fn rest(world: &World) -> Vec<Vec3> {
    let mut x = world.rest.clone();
    for (cloth, constants) in world.cloths.iter().zip(&world.fabrics) {
        x[cloth.vertices.clone()].iter_mut().for_each(|x| *x *= constants.scale);
    }
    x
}

/// Collects pairs of particles, and the stiffness and damping of the spring that replaces their coupling.
struct Collect<'a> {
    block: &'a Block,
    x: &'a [Vec3],
    /// Elements of this kind alone.
    only: Option<SpringKind>,
    entries: &'a mut Vec<([u32; 2], [f64; 2])>,
}

impl Visitor for Collect<'_> {
    fn visit<const N: usize, const M: usize, E: Element<N, M>>(&mut self, group: Visited<'_, E, N, M>) {
        if self.only.is_some_and(|kind| kind != group.kind) {
            return;
        }
        for element in group.elements {
            let v = element.vertices();
            if !self.block.owns(&v) {
                continue;
            }
            let Some((_, g)) = element.gradients(&v.map(|i| self.x[i as usize])) else { continue };
            let law = element.viscosity();
            let mut add = |i: usize, j: usize, pair: [f64; 2]| self.entries.push(([v[i], v[j]], pair));
            if N == 4 {
                // the stiffest condition counts; the quadratic model has one condition for each axis
                let size = |i: usize, factor: &dyn Fn(usize) -> f64| {
                    (0..M).map(|m| law[m][m] * factor(m) * g[m][i].length_squared()).fold(0.0, f64::max).sqrt()
                };
                let elastic: [f64; N] = std::array::from_fn(|i| size(i, &|_| 1.0));
                let viscous: [f64; N] = std::array::from_fn(|i| size(i, &|m| group.tau[m]));
                let sums = [&elastic, &viscous].map(|c| c[1..].iter().sum::<f64>());
                (1..N).for_each(|i| add(0, i, [elastic[i] * sums[0], viscous[i] * sums[1]]));
                continue;
            }
            let twice = if N == 3 && group.kind == SpringKind::Shear { 2.0 } else { 1.0 };
            for i in 0..N {
                for j in i + 1..N {
                    let mut pair = [0.0; 2];
                    for m in 0..M {
                        for n in 0..M {
                            let k = twice * law[m][n] * g[m][i].dot(g[n][j]);
                            pair[0] -= k;
                            pair[1] -= k * (group.tau[m] * group.tau[n]).sqrt();
                        }
                    }
                    add(i, j, pair);
                }
            }
        }
    }
}
