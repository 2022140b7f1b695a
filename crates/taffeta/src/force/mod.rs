//! The sum of all forces on the particles.

pub(crate) mod assemble;
mod definite;
pub(crate) mod frequency;
pub(crate) mod rest_stiffness;
mod tangent;

pub use frequency::frequency_at;
pub use tangent::Tangent;

use crate::Vec3;
use crate::model::element::{self, Element};
use crate::model::elements::{Visited, Visitor, Which};
use crate::model::fused::Triangles;
use crate::model::hinges::Hinges;
use crate::model::plate::Bending;
use crate::model::spring::Spring;
use crate::parallel::{self, Block};
use crate::setup::SpringKind;
use crate::wide::widest;
use crate::world::{World, within};

/// Writes the force on every particle at time `t`, N.
pub(crate) fn evaluate(world: &World, t: f64, x: &[Vec3], v: &[Vec3], force: &mut [Vec3], work: &mut ForceBuffers) {
    let wind = if world.components.wind { world.air.wind_at(t) } else { Vec3::ZERO };
    parallel::each(&world.blocks, force, &mut work.none, &|block, f, _| {
        weight(world, block, f);
        inside(world, block, x, v, f);
        air(world, block, x, v, wind, f);
    });
}

/// Adds loads and grabs. They are few, and their vertices lie anywhere.
pub(crate) fn add_outside(world: &World, t: f64, x: &[Vec3], force: &mut [Vec3]) {
    add_loads(world, t, force);
    for grab in &world.grabs {
        let pull = grab.pull(t, x).force;
        grab.point.iter().for_each(|&(i, weight)| force[i as usize] += pull * weight);
    }
}

fn add_loads(world: &World, t: f64, force: &mut [Vec3]) {
    if !world.components.loads {
        return;
    }
    for load in world.loads.iter().filter(|load| within(t, load.from, load.until)) {
        let total = load.at(t);
        for &(vertex, share) in &load.vertices {
            force[vertex as usize] += total * share;
        }
    }
}

/// Buffers of the sum of forces.
#[derive(Default)]
pub(crate) struct ForceBuffers {
    none: Vec<()>,
}

impl ForceBuffers {
    pub fn new(world: &World) -> Self {
        Self { none: vec![(); world.blocks.len()] }
    }

    /// Empty results, for blocks that return nothing.
    pub fn none(&mut self) -> &mut [()] {
        &mut self.none
    }
}

/// Writes the weight.
pub(super) fn weight(world: &World, block: &Block, f: &mut [Vec3]) {
    let gravity = if world.components.gravity { world.gravity } else { Vec3::ZERO };
    f.iter_mut().zip(&world.mass[block.particles.clone()]).for_each(|(f, m)| *f = gravity * *m);
}

/// Adds the cloth's own forces.
fn inside(world: &World, block: &Block, x: &[Vec3], v: &[Vec3], f: &mut [Vec3]) {
    let on = &world.components;
    if !on.internal {
        return;
    }
    let first = block.particles.start;
    let tau = world.damping_times(block.cloth);
    for kind in SpringKind::ALL.into_iter().filter(|kind| world.is_on(*kind)) {
        let inner = world.elements.inner[kind as usize].of(block);
        let border = world.elements.border[kind as usize].of(block);
        match tau[kind as usize] {
            0.0 => elastic_springs(inner, border, x, first, f),
            tau => damped_springs(inner, border, x, v, tau, first, f),
        }
    }
    if on.bend {
        widest(Hinges { list: world.elements.hinges.of(block), x, v, tau: tau[2], first, f });
    }
    let fused = on.structural && on.shear && on.bend && !world.elements.fused.all().is_empty();
    if fused {
        let list = world.elements.fused.of(block);
        widest(Triangles { list, x, v, tau: [tau[0], tau[1]], first, f });
        if !world.elements.quadratic.of(block).is_empty() {
            widest(Bending { plate: &world.elements.plate, x, v, tau: tau[2], first, f });
        }
    }
    let which = if fused { Which::NotFused } else { Which::Others };
    world.visit(block, &world.layout, which, &mut Sum { block, x, v, f });
}

/// Adds forces to the particles from `first` on; particles of another block get their share there.
#[inline]
fn add<const N: usize>(at: [usize; N], force: [Vec3; N], first: usize, f: &mut [Vec3]) {
    for (i, force) in at.into_iter().zip(force) {
        if let Some(f) = f.get_mut(i.wrapping_sub(first)) {
            *f += force;
        }
    }
}

struct Sum<'a> {
    block: &'a Block,
    x: &'a [Vec3],
    v: &'a [Vec3],
    f: &'a mut [Vec3],
}

impl Visitor for Sum<'_> {
    fn visit<const N: usize, const M: usize, E: Element<N, M>>(&mut self, group: Visited<'_, E, N, M>) {
        let first = self.block.particles.start;
        for element in group.elements {
            let at = element.vertices().map(|i| i as usize);
            let force = element::force(element, &at.map(|i| self.x[i]), &at.map(|i| self.v[i]), &group.tau);
            add(at, force, first, self.f);
        }
    }
}

/// Adds the forces of the air: viscous drag, pressure, Provot's fluid force.
pub(super) fn air(world: &World, block: &Block, x: &[Vec3], v: &[Vec3], wind: Vec3, f: &mut [Vec3]) {
    let (on, cloth) = (&world.components, &world.fabrics[block.cloth]);
    if on.damping && cloth.has_drag {
        let air_speed = if cloth.drag_in_wind { wind } else { Vec3::ZERO };
        let (drag, v) = (&world.drag[block.particles.clone()], &v[block.particles.clone()]);
        for ((f, c), v) in f.iter_mut().zip(drag).zip(v) {
            *f += (air_speed - *v) * *c;
        }
    }
    if !on.air {
        return;
    }
    if world.air.drag * world.air.density != 0.0 {
        pressure_drag(world, block, x, v, wind, f);
    }
    each_fluid(world, block, x, |i, n, constant| {
        f[i - block.particles.start] += n * (constant * n.dot(wind - v[i]));
    });
}

fn elastic_springs(inner: &[Spring], border: &[Spring], x: &[Vec3], first: usize, f: &mut [Vec3]) {
    for s in inner {
        let force = s.force(x[s.a as usize], x[s.b as usize]);
        f[s.a as usize - first] += force;
        f[s.b as usize - first] -= force;
    }
    for s in border {
        f[s.a as usize - first] += s.force(x[s.a as usize], x[s.b as usize]);
    }
}

fn damped_springs(inner: &[Spring], border: &[Spring], x: &[Vec3], v: &[Vec3], tau: f64, first: usize, f: &mut [Vec3]) {
    for s in inner {
        let (a, b) = (s.a as usize, s.b as usize);
        let force = s.damped_force(x[a], x[b], v[a], v[b], tau);
        f[a - first] += force;
        f[b - first] -= force;
    }
    for s in border {
        let (a, b) = (s.a as usize, s.b as usize);
        f[a - first] += s.damped_force(x[a], x[b], v[a], v[b], tau);
    }
}

/// Normal and area of a triangle in space; `None` if it has no area.
pub(super) fn normal_and_area(x: [Vec3; 3]) -> Option<(Vec3, f64)> {
    let double = (x[1] - x[0]).cross(x[2] - x[0]);
    let size = double.length();
    (size > 0.0).then(|| (double / size, 0.5 * size))
}

/// ½ ρ C A (n·u)|n·u| n on each triangle, a third for each vertex; u = wind - mean velocity.
fn pressure_drag(world: &World, block: &Block, x: &[Vec3], v: &[Vec3], wind: Vec3, f: &mut [Vec3]) {
    let factor = 0.5 * world.air.density * world.air.drag;
    for t in world.elements.triangles.of(block) {
        let at = t.map(|v| v as usize);
        let Some((n, area)) = normal_and_area(at.map(|i| x[i])) else { continue };
        let u = n.dot(wind - (v[at[0]] + v[at[1]] + v[at[2]]) / 3.0);
        let force = n * (factor * area * u * u.abs() / 3.0);
        for i in at {
            if let Some(f) = f.get_mut(i.wrapping_sub(block.particles.start)) {
                *f += force;
            }
        }
    }
}

/// Provot's fluid force C (n·(u - v)) n on each vertex, n its normal, the mean of its triangles' weighed by area: calls
/// `each(vertex, n, C)`.
pub(super) fn each_fluid(world: &World, block: &Block, x: &[Vec3], mut each: impl FnMut(usize, Vec3, f64)) {
    if !world.air.has_fluid() {
        return;
    }
    for i in block.particles.clone() {
        let triangles = world.fan.of(i).iter().map(|&t| world.triangles[t as usize].map(|v| x[v as usize]));
        let n = triangles.map(|[a, b, c]| (b - a).cross(c - a)).sum::<Vec3>().normalize_or_zero();
        each(i, n, world.air.fluid * world.area[i] + world.air.fluid_per_particle);
    }
}
