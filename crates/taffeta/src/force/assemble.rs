//! Forces at the end of a step and the matrix of the implicit methods.
//!
//! ```text
//! A = μ M + s D + s² K    K = -∂f/∂x      D = -∂f/∂v      s = γ h, h for backward Euler, 2h/3 for BDF2; μ = 1
//! ```
//! The damping of the cloth is part of K: see [`element`](crate::model::element). D is the damping by the air: viscous
//! drag, pressure on the triangles, Provot's fluid force. The matrix leaves out how the air's forces turn with the
//! normals.

use super::definite::Definite;
use crate::Vec3;
use crate::algebra::outer;
use crate::linear::Matrix;
use crate::linear::matrix::Rows;
use crate::model::element::{self, Curvature, Damped, Element};
use crate::model::elements::{Layout, Visited, Visitor, Which};
use crate::parallel::{self, Block};
use crate::wide::widest;
use crate::world::World;
use glam::DMat3;

/// The past positions from which the rates of damping are measured, and their weights, which add to 1.
#[derive(Clone, Copy)]
pub(crate) struct Past<'a> {
    pub now: (&'a [Vec3], f64),
    pub before: Option<(&'a [Vec3], f64)>,
}

impl Past<'_> {
    #[inline]
    pub(super) fn conditions<const N: usize, const M: usize>(
        &self,
        element: &impl Element<N, M>,
        v: &[u32; N],
        x: &[Vec3; N],
    ) -> [f64; M] {
        let at = |x: &[Vec3], to: &[f64; M]| element.near(element.conditions(&v.map(|i| x[i as usize])), to);
        let now = at(self.now.0, &element.conditions(x));
        let mut sum = now.map(|c| self.now.1 * c);
        if let Some((before, weight)) = self.before {
            let before = at(before, &now);
            (0..M).for_each(|m| sum[m] += weight * before[m]);
        }
        sum
    }
}

/// The point of linearisation and its options.
#[derive(Clone, Copy)]
pub(crate) struct Point<'a> {
    /// Time at the end of the step, s.
    pub t: f64,
    pub x: &'a [Vec3],
    pub v: &'a [Vec3],
    /// γ h, s.
    pub s: f64,
    /// Factor on M.
    pub mass: f64,
    /// `None` if there is no damping.
    pub past: Option<Past<'a>>,
    pub curvature: Curvature,
    /// Whether the air acts; it does not in statics.
    pub air: bool,
}

/// The results of [`assemble`].
pub(crate) struct Sums<'a> {
    /// A.
    pub matrix: &'a mut Matrix,
    /// Forces of the elements, N.
    pub force: &'a mut [Vec3],
    /// Weight, air and loads, N.
    pub outside: &'a mut [Vec3],
    /// D δ for the given lead δ.
    pub drift: &'a mut [Vec3],
}

/// Linearises all forces about a point.
pub(crate) fn assemble(world: &World, layout: &Layout, at: &Point, lead: &[Vec3], sums: Sums, none: &mut [()]) {
    let Sums { matrix, force, outside, drift } = sums;
    let wind = if world.components.wind { world.air.wind_at(at.t) } else { Vec3::ZERO };
    let rows = Rows::all(&layout.pattern, matrix);
    let vectors = (&mut force[..], (&mut outside[..], &mut drift[..]));
    parallel::each(&world.blocks, (rows, vectors), none, &|block, (rows, (force, (outside, drift))), _| {
        let (first, offset) = (block.particles.start, rows.pattern.start[rows.first]);
        rows.blocks.fill(DMat3::ZERO);
        force.fill(Vec3::ZERO);
        drift.fill(Vec3::ZERO);
        let mut which = Which::All;
        if at.curvature == Curvature::Definite && Definite::fits(world) {
            widest(Definite { world, layout, at, block, offset, blocks: rows.blocks, force });
            which = Which::NotDefinite;
        }
        world.visit(block, layout, which, &mut Sum { at, offset, block, blocks: rows.blocks, force });
        add_mass(world, layout, block, offset, at.mass, rows.blocks);
        super::weight(world, block, outside);
        if at.air {
            super::air(world, block, at.x, at.v, wind, outside);
            air_matrix(world, layout, block, at.x, at.v, wind, |i, j, place, a| {
                rows.blocks[(place - offset) as usize] += a * at.s;
                drift[i - first] += a * lead[j];
            });
        }
    });
    super::add_loads(world, at.t, outside);
    for grab in &world.grabs {
        let pull = grab.pull(at.t, at.x);
        for &(i, weight) in &grab.point {
            force[i as usize] += pull.force * weight;
            for &(j, other) in grab.point.iter().filter(|(_, other)| weight * other != 0.0) {
                let place = layout.pattern.place(i, j) as usize;
                matrix.blocks[place] += pull.stiffness * (weight * other * at.s * at.s);
            }
        }
    }
}

fn add_mass(world: &World, layout: &Layout, block: &Block, offset: u32, factor: f64, rows: &mut [DMat3]) {
    for i in block.particles.clone() {
        let place = layout.pattern.diagonal[i] - offset;
        rows[place as usize] += DMat3::from_diagonal(Vec3::splat(factor * world.mass[i]));
    }
}

struct Sum<'a> {
    at: &'a Point<'a>,
    offset: u32,
    block: &'a Block,
    blocks: &'a mut [DMat3],
    force: &'a mut [Vec3],
}

impl Visitor for Sum<'_> {
    fn visit<const N: usize, const M: usize, E: Element<N, M>>(&mut self, group: Visited<'_, E, N, M>) {
        let (first, squared) = (self.block.particles.start, self.at.s * self.at.s);
        let past = self.at.past.filter(|_| group.tau.iter().any(|&tau| tau != 0.0));
        let ratio = group.tau.map(|tau| tau / self.at.s);
        for (element, places) in group.elements.iter().zip(group.places) {
            let v = element.vertices();
            let x = v.map(|i| self.at.x[i as usize]);
            let damped = past.map(|past| Damped { ratio, past: past.conditions(element, &v, &x) });
            let linear = element::linearise(element, &x, damped.as_ref(), self.at.curvature);
            for i in 0..N {
                // particles of another block get their share when that block is assembled
                let Some(force) = self.force.get_mut((v[i] as usize).wrapping_sub(first)) else { continue };
                *force += linear.force[i];
                for (place, k) in places[i].iter().zip(&linear.stiffness[i]) {
                    self.blocks[(place - self.offset) as usize] += *k * squared;
                }
            }
        }
    }
}

/// Calls `add(i, j, place of block (i, j), its value)` for minus the derivatives of the air's forces by velocities.
fn air_matrix(
    world: &World,
    layout: &Layout,
    block: &Block,
    x: &[Vec3],
    v: &[Vec3],
    wind: Vec3,
    mut add: impl FnMut(usize, usize, u32, DMat3),
) {
    if world.components.damping && world.fabrics[block.cloth].has_drag {
        for i in block.particles.clone() {
            add(i, i, layout.pattern.diagonal[i], DMat3::from_diagonal(Vec3::splat(world.drag[i])));
        }
    }
    if !world.components.air {
        return;
    }
    let factor = 0.5 * world.air.density * world.air.drag;
    if factor != 0.0 {
        let triangles = &world.elements.triangles;
        for (t, places) in triangles.of(block).iter().zip(&layout.triangles[triangles.range(block)]) {
            let at = t.map(|i| i as usize);
            let Some((n, area)) = super::normal_and_area(at.map(|i| x[i])) else { continue };
            let u = n.dot(wind - (v[at[0]] + v[at[1]] + v[at[2]]) / 3.0);
            // this is the derivative of c A u |u| n/3 by v, with u = n·(wind - Σv/3)
            let d = outer(n, n) * (factor * area * 2.0 * u.abs() / 9.0);
            for i in (0..3).filter(|&i| block.particles.contains(&at[i])) {
                (0..3).for_each(|j| add(at[i], at[j], places[i][j], d));
            }
        }
    }
    super::each_fluid(world, block, x, |i, n, constant| {
        add(i, i, layout.pattern.diagonal[i], outer(n, n) * constant);
    });
}

/// Writes M + s D, with D of the cloth's own damping and of the air.
pub(crate) fn assemble_damping(
    world: &World,
    t: f64,
    x: &[Vec3],
    v: &[Vec3],
    s: f64,
    matrix: &mut Matrix,
    none: &mut [()],
) {
    let wind = if world.components.wind { world.air.wind_at(t) } else { Vec3::ZERO };
    let layout = &world.layout;
    let rows = Rows::all(&layout.pattern, matrix);
    parallel::each(&world.blocks, rows, none, &|block, rows, _| {
        rows.blocks.fill(DMat3::ZERO);
        let offset = rows.pattern.start[rows.first];
        let mut sum = DampingSum { x, s, offset, block, blocks: rows.blocks };
        world.visit(block, layout, Which::All, &mut sum);
        add_mass(world, layout, block, offset, 1.0, sum.blocks);
        air_matrix(world, layout, block, x, v, wind, |_, _, place, a| sum.blocks[(place - offset) as usize] += a * s);
    });
}

/// Energy of the elements and grabs at time `t`, plus the potential of their damping, J. It is summed over all blocks
/// in their order.
pub(crate) fn potential(world: &World, t: f64, x: &[Vec3], damping: Option<(Past, f64)>, sums: &mut [f64]) -> f64 {
    parallel::each(&world.blocks, (), sums, &|block, (), sum| {
        let mut visitor = Potential { x, damping, block, sum: 0.0 };
        world.visit(block, &world.layout, Which::All, &mut visitor);
        *sum = visitor.sum;
    });
    sums.iter().sum::<f64>() + world.grabs.iter().map(|grab| grab.pull(t, x).energy).sum::<f64>()
}

struct Potential<'a> {
    x: &'a [Vec3],
    damping: Option<(Past<'a>, f64)>,
    block: &'a Block,
    sum: f64,
}

impl Visitor for Potential<'_> {
    fn visit<const N: usize, const M: usize, E: Element<N, M>>(&mut self, group: Visited<'_, E, N, M>) {
        let damping = self.damping.filter(|_| group.tau.iter().any(|&tau| tau != 0.0));
        for element in group.elements {
            let v = element.vertices();
            if self.block.owns(&v) {
                let x = v.map(|i| self.x[i as usize]);
                let damped = damping.map(|(past, s)| Damped {
                    ratio: group.tau.map(|tau| tau / s),
                    past: past.conditions(element, &v, &x),
                });
                self.sum += element::potential(element, &x, damped.as_ref());
            }
        }
    }
}

struct DampingSum<'a> {
    x: &'a [Vec3],
    s: f64,
    offset: u32,
    block: &'a Block,
    blocks: &'a mut [DMat3],
}

impl Visitor for DampingSum<'_> {
    fn visit<const N: usize, const M: usize, E: Element<N, M>>(&mut self, group: Visited<'_, E, N, M>) {
        if group.tau.iter().all(|&tau| tau == 0.0) {
            return;
        }
        for (element, places) in group.elements.iter().zip(group.places) {
            let v = element.vertices();
            let d = element::damping_matrix(element, &v.map(|i| self.x[i as usize]), &group.tau);
            for i in (0..N).filter(|&i| self.block.particles.contains(&(v[i] as usize))) {
                for (place, d) in places[i].iter().zip(&d[i]) {
                    self.blocks[(place - self.offset) as usize] += *d * self.s;
                }
            }
        }
    }
}
