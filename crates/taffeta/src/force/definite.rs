//! Forces and the positive definite derivative of the default elements: stretch and shear combined, and hinges.
//!
//! The result is that of [`element::linearise`](crate::model::element::linearise), in fewer operations. Stretch and
//! shear depend on w_u and w_v only, so a triangle has three 3×3 matrices instead of nine:
//! ```text
//! K_mn = a_m a_n K_uu + a_m b_n K_uv + b_m a_n K_uvᵀ + b_m b_n K_vv
//! K_uu = k_u ŵ_u ŵ_uᵀ + σ_u⁺/|w_u| (1 - ŵ_u ŵ_uᵀ) + k_s w_v w_vᵀ + |σ_s|/2       K_uv = k_s w_v w_uᵀ + σ_s/2
//! ```
//! and K_vv as K_uu with u and v exchanged: formulas of [`crate::model::stretch`] and [`crate::model::shear`]. A hinge
//! has k g_i g_jᵀ.

use super::assemble::{Past, Point};
use crate::Vec3;
use crate::algebra::outer;
use crate::model::elements::Layout;
use crate::model::hinge::{Hinge, angle_and_gradient};
use crate::model::shear::Shear;
use crate::model::stretch::Stretch;
use crate::parallel::Block;
use crate::wide::Kernel;
use crate::world::World;
use glam::DMat3;

/// Adds forces and derivatives to the rows of a block.
pub(super) struct Definite<'a> {
    pub world: &'a World,
    pub layout: &'a Layout,
    pub at: &'a Point<'a>,
    pub block: &'a Block,
    /// Index of the first of `blocks` in the matrix.
    pub offset: u32,
    /// The blocks to which s² K is added.
    pub blocks: &'a mut [DMat3],
    pub force: &'a mut [Vec3],
}

impl Definite<'_> {
    /// Whether this code covers the stretch, shear and hinges of a world.
    pub fn fits(world: &World) -> bool {
        let on = &world.components;
        on.internal && on.structural && on.shear && on.bend && !world.elements.fused.all().is_empty()
    }
}

impl Kernel for Definite<'_> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        let tau = self.world.damping_times(self.block.cloth);
        let past = |m: usize| self.at.past.filter(|_| tau[m] != 0.0).map(|past| (past, tau[m] / self.at.s));
        let (stretch, shear, bend) = (past(0), past(1), past(2));
        let (world, layout, block) = (self.world, self.layout, self.block);
        let (elements, layout) = (&world.elements, layout);
        let places = &layout.stretch[elements.stretch.range(block)];
        let pairs = elements.stretch.of(block).iter().zip(elements.shear.of(block));
        for ((s, h), places) in pairs.zip(places) {
            self.triangle(s, h, stretch, shear, places);
        }
        let places = layout.hinges.get(elements.hinges.range(block)).unwrap_or_default();
        for (hinge, places) in elements.hinges.of(block).iter().zip(places) {
            self.hinge(hinge, bend, places);
        }
    }
}

impl Definite<'_> {
    /// Adds a block and its transpose, where this block of particles has their rows.
    #[inline(always)]
    fn add(&mut self, place: u32, mirrored: Option<u32>, owned: [bool; 2], k: DMat3) {
        if owned[0] {
            self.blocks[(place - self.offset) as usize] += k;
        }
        if let Some(place) = mirrored.filter(|_| owned[1]) {
            self.blocks[(place - self.offset) as usize] += k.transpose();
        }
    }

    #[inline(always)]
    fn owns<const N: usize>(&self, v: &[u32; N]) -> [bool; N] {
        v.map(|i| self.block.particles.contains(&(i as usize)))
    }

    #[inline(always)]
    fn triangle(
        &mut self,
        stretch: &Stretch,
        shear: &Shear,
        stretching: Option<(Past, f64)>,
        shearing: Option<(Past, f64)>,
        places: &[[u32; 3]; 3],
    ) {
        let (v, a, b) = (&stretch.v, &stretch.a, &stretch.b);
        let x = v.map(|i| self.at.x[i as usize]);
        let (d1, d2) = (x[1] - x[0], x[2] - x[0]);
        let w = [d1 * a[1] + d2 * a[2], d1 * b[1] + d2 * b[2]];
        let c = w.map(|w| w.length());
        let mut sigma = [0, 1].map(|m| stretch.k[m] * (c[m] - stretch.rest[m]));
        let mut k = stretch.k;
        if let Some((past, ratio)) = stretching {
            let past = past.conditions(stretch, v, &x);
            for m in 0..2 {
                sigma[m] += ratio * stretch.k[m] * (c[m] - past[m]);
                k[m] += ratio * stretch.k[m];
            }
        }
        let (skew, mut across) = (w[0].dot(w[1]), shear.k);
        let mut tau = shear.k * skew;
        if let Some((past, ratio)) = shearing {
            let [past] = past.conditions(shear, v, &x);
            tau += ratio * shear.k * (skew - past);
            across += ratio * shear.k;
        }
        let squared = self.at.s * self.at.s;
        let own = |m: usize| {
            let mut own = outer(w[1 - m] * (squared * across), w[1 - m]);
            let mut diagonal = 0.5 * squared * tau.abs();
            if c[m] > 0.0 {
                let pulled = squared * sigma[m].max(0.0) / c[m];
                own += outer(w[m] * ((squared * k[m] - pulled) / (c[m] * c[m])), w[m]);
                diagonal += pulled;
            }
            own + DMat3::from_diagonal(Vec3::splat(diagonal))
        };
        let (uu, vv) = (own(0), own(1));
        let uv = outer(w[1] * (squared * across), w[0]) + DMat3::from_diagonal(Vec3::splat(0.5 * squared * tau));
        let vu = uv.transpose();
        let pull = [0, 1].map(|m| if c[m] > 0.0 { w[m] * (sigma[m] / c[m]) } else { Vec3::ZERO });
        let (fu, fv) = (pull[0] + w[1] * tau, pull[1] + w[0] * tau);
        let owned = self.owns(v);
        let first = self.block.particles.start;
        for m in 0..3 {
            if owned[m] {
                self.force[v[m] as usize - first] -= fu * a[m] + fv * b[m];
            }
            let (left, right) = (uu * a[m] + vu * b[m], uv * a[m] + vv * b[m]);
            self.add(places[m][m], None, [owned[m]; 2], left * a[m] + right * b[m]);
            for n in m + 1..3 {
                self.add(places[m][n], Some(places[n][m]), [owned[m], owned[n]], left * a[n] + right * b[n]);
            }
        }
    }

    #[inline(always)]
    fn hinge(&mut self, hinge: &Hinge, bending: Option<(Past, f64)>, places: &[[u32; 4]; 4]) {
        let v = &hinge.v;
        let x = v.map(|i| self.at.x[i as usize]);
        let Some((theta, g)) = angle_and_gradient(&x) else { return };
        let (mut sigma, mut k) = (hinge.k * (theta - hinge.rest), hinge.k);
        if let Some((past, ratio)) = bending {
            let still = past.before.is_none() && v.iter().zip(&x).all(|(i, x)| past.now.0[*i as usize] == *x);
            let past = if still { theta } else { past.conditions(hinge, v, &x)[0] };
            sigma += ratio * hinge.k * (theta - past);
            k += ratio * hinge.k;
        }
        let owned = self.owns(v);
        let (first, stiff) = (self.block.particles.start, self.at.s * self.at.s * k);
        for i in 0..4 {
            if owned[i] {
                self.force[v[i] as usize - first] -= g[i] * sigma;
            }
            let left = g[i] * stiff;
            self.add(places[i][i], None, [owned[i]; 2], outer(left, g[i]));
            for j in i + 1..4 {
                self.add(places[i][j], Some(places[j][i]), [owned[i], owned[j]], outer(left, g[j]));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::force::assemble::{Sums, assemble};
    use crate::linear::Matrix;
    use crate::model::element::{Curvature, Element, linearise};
    use crate::model::elements::{Visited, Visitor, Which};
    use crate::random::signed;
    use crate::setup::{Cloth, Fabric, FabricDamping, Material, Mesh, Setup};
    use crate::world::World;

    /// Sums of the general way, block by block of the matrix.
    struct Plain<'a> {
        at: &'a Point<'a>,
        block: &'a Block,
        matrix: &'a mut [DMat3],
        force: &'a mut [Vec3],
    }

    impl Visitor for Plain<'_> {
        fn visit<const N: usize, const M: usize, E: Element<N, M>>(&mut self, group: Visited<'_, E, N, M>) {
            for (element, places) in group.elements.iter().zip(group.places) {
                let v = element.vertices();
                let x = v.map(|i| self.at.x[i as usize]);
                let damped = self.at.past.map(|past| crate::model::element::Damped {
                    ratio: group.tau.map(|tau| tau / self.at.s),
                    past: past.conditions(element, &v, &x),
                });
                let linear = linearise(element, &x, damped.as_ref(), Curvature::Definite);
                for i in (0..N).filter(|&i| self.block.particles.contains(&(v[i] as usize))) {
                    self.force[v[i] as usize] += linear.force[i];
                    (0..N).for_each(|j| self.matrix[places[i][j] as usize] += linear.stiffness[i][j]);
                }
            }
        }
    }

    #[test]
    fn it_is_what_single_elements_add_up_to() {
        let mesh = Mesh::grid([1.0, 1.0], [40, 40], crate::setup::Pattern::Alternating).unwrap();
        let mut cloth = Cloth::new("sheet", mesh);
        let fabric =
            Fabric { damping: FabricDamping { stretch: 0.01, shear: 0.02, bend: 0.03, air: 0.0 }, ..Fabric::default() };
        cloth.material = Material::Fabric(fabric);
        let world = World::new(Setup::with_cloth(cloth)).unwrap();
        assert!(world.blocks.len() > 1 && Definite::fits(&world));
        let moved = |seed: u64, size: f64| -> Vec<Vec3> {
            let shift = |i: usize| Vec3::from_array([0, 1, 2].map(|a| size * signed(seed, (3 * i + a) as u64)));
            world.rest.iter().enumerate().map(|(i, x)| *x + shift(i)).collect()
        };
        let n = world.mass.len();
        for size in [1e-4, 3e-3, 3e-2] {
            let (mut x, now, before) = (moved(1, size), moved(2, size), moved(3, size));
            x[1] = x[0]; // makes a triangle without area
            let steps = [
                None,
                Some(Past { now: (&x, 1.0), before: None }),
                Some(Past { now: (&now, 1.0), before: None }),
                Some(Past { now: (&now, 1.5), before: Some((&before, -0.5)) }),
            ];
            for past in steps {
                let at =
                    Point { t: 0.0, x: &x, v: &x, s: 0.1, mass: 0.0, past, curvature: Curvature::Definite, air: false };
                let mut matrix = Matrix::new(&world.layout.pattern);
                let zeros = || vec![Vec3::ZERO; n];
                let [mut force, mut outside, mut drift, mut want] = [(); 4].map(|()| zeros());
                let sums = Sums { matrix: &mut matrix, force: &mut force, outside: &mut outside, drift: &mut drift };
                assemble(&world, &world.layout, &at, &zeros(), sums, &mut vec![(); world.blocks.len()]);
                let mut plain = vec![DMat3::ZERO; matrix.blocks.len()];
                for block in &world.blocks {
                    let mut sum = Plain { at: &at, block, matrix: &mut plain, force: &mut want };
                    world.visit(block, &world.layout, Which::All, &mut sum);
                }
                let size = |a: &DMat3| a.to_cols_array().into_iter().fold(0.0, |most: f64, a| most.max(a.abs()));
                let largest = plain.iter().map(size).fold(0.0, f64::max);
                // both are sums of a dozen terms, added in a different order
                for (a, b) in matrix.blocks.iter().zip(&plain) {
                    assert!(size(&(*a * 100.0 - *b)) <= 1e-12 * largest, "{a} {b}");
                }
                let most = want.iter().map(|f| f.length()).fold(0.0, f64::max);
                assert!(force.iter().zip(&want).all(|(a, b)| a.distance(*b) <= 1e-12 * most));
                // the two halves are transposes of each other to the last bit
                for i in 0..n as u32 {
                    for place in world.layout.pattern.row(i as usize) {
                        let mirrored = world.layout.pattern.place(world.layout.pattern.column[place], i) as usize;
                        assert!(mirrored == place || matrix.blocks[place] == matrix.blocks[mirrored].transpose());
                    }
                }
            }
        }
    }
}
