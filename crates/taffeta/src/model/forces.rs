//! The sum of all forces on the particles.

use super::blocks::{self, Block};
use super::hinge::Hinge;
use super::spring::{Spring, SpringKind};
use crate::boundary::within;
use crate::{Vec3, World};

/// Writes the force on every particle at time `t`, N.
pub(crate) fn evaluate(world: &World, t: f64, x: &[Vec3], v: &[Vec3], force: &mut [Vec3], work: &mut Scratch) {
    let wind = if world.components.wind { world.air.wind_at(t) } else { Vec3::ZERO };
    let fluid = world.components.air && (world.air.fluid != 0.0 || world.air.fluid_per_particle != 0.0);
    if fluid {
        blocks::each(&world.blocks.list, (force, &mut work.normals[..]), &mut work.none, &|block, (f, n), _| {
            block_forces(world, block, x, v, wind, f);
            fluid_force(world, block, x, v, wind, f, n);
        });
    } else {
        blocks::each(&world.blocks.list, force, &mut work.none, &|block, f, _| {
            block_forces(world, block, x, v, wind, f);
        });
    }
}

/// Adds the loads. They are few, and their vertices lie anywhere.
pub(crate) fn add_loads(world: &World, t: f64, force: &mut [Vec3]) {
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

/// Scratch of the sum of forces.
#[derive(Default)]
pub(crate) struct Scratch {
    normals: Vec<Vec3>,
    none: Vec<()>,
}

impl Scratch {
    pub fn new(world: &World) -> Self {
        let fluid = world.air.fluid != 0.0 || world.air.fluid_per_particle != 0.0;
        Self {
            normals: if fluid { vec![Vec3::ZERO; world.mass.len()] } else { Vec::new() },
            none: vec![(); world.blocks.list.len()],
        }
    }

    /// Results of blocks that have none.
    pub fn none(&mut self) -> &mut [()] {
        &mut self.none
    }
}

fn block_forces(world: &World, block: &Block, x: &[Vec3], v: &[Vec3], wind: Vec3, f: &mut [Vec3]) {
    let on = &world.components;
    let cloth = &world.fabrics[block.cloth];
    let first = block.particles.start;

    // gravity and viscous damping
    let gravity = if on.gravity { world.gravity } else { Vec3::ZERO };
    let air_speed = if cloth.drag_in_wind { wind } else { Vec3::ZERO };
    let mass = &world.mass[block.particles.clone()];
    if on.damping && cloth.has_drag {
        let (drag, v) = (&world.drag[block.particles.clone()], &v[block.particles.clone()]);
        for (((f, m), c), v) in f.iter_mut().zip(mass).zip(drag).zip(v) {
            *f = gravity * *m + (air_speed - *v) * *c;
        }
    } else {
        f.iter_mut().zip(mass).for_each(|(f, m)| *f = gravity * *m);
    }

    // the cloth's own forces
    if on.internal {
        for kind in SpringKind::ALL {
            if !world.is_on(kind) {
                continue;
            }
            let inner = &world.blocks.springs[block.inner[kind as usize].clone()];
            let border = &world.blocks.springs[block.border[kind as usize].clone()];
            let tau = if on.damping { cloth.tau[kind as usize] } else { 0.0 };
            if tau == 0.0 {
                elastic_springs(inner, border, x, first, f);
            } else {
                damped_springs(inner, border, x, v, tau, first, f);
            }
        }
        if on.bend {
            let tau = if on.damping { cloth.tau[2] } else { 0.0 };
            hinges(&world.blocks.hinges[block.hinges.clone()], x, v, tau, block, f);
        }
    }

    if on.air && world.air.drag * world.air.density != 0.0 {
        pressure_drag(world, block, x, v, wind, f);
    }
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

fn hinges(hinges: &[Hinge], x: &[Vec3], v: &[Vec3], tau: f64, block: &Block, f: &mut [Vec3]) {
    let first = block.particles.start;
    for hinge in hinges {
        let at = hinge.v.map(|v| v as usize);
        let speeds = if tau == 0.0 { [Vec3::ZERO; 4] } else { at.map(|i| v[i]) };
        let force = hinge.force(&at.map(|i| x[i]), &speeds, tau);
        for (i, force) in at.into_iter().zip(force) {
            // what lies in another block gets its share there
            if let Some(f) = f.get_mut(i.wrapping_sub(first)) {
                *f += force;
            }
        }
    }
}

/// ½ ρ C A (n·u)|n·u| n on each triangle, a third for each vertex; u = wind - mean velocity.
fn pressure_drag(world: &World, block: &Block, x: &[Vec3], v: &[Vec3], wind: Vec3, f: &mut [Vec3]) {
    let factor = 0.5 * world.air.density * world.air.drag;
    for t in &world.blocks.triangles[block.triangles.clone()] {
        let at = t.map(|v| v as usize);
        let double_area = (x[at[1]] - x[at[0]]).cross(x[at[2]] - x[at[0]]);
        let size = double_area.length();
        if size == 0.0 {
            continue;
        }
        let n = double_area / size;
        let u = n.dot(wind - (v[at[0]] + v[at[1]] + v[at[2]]) / 3.0);
        let force = n * (factor * 0.5 * size * u * u.abs() / 3.0);
        for i in at {
            if let Some(f) = f.get_mut(i.wrapping_sub(block.particles.start)) {
                *f += force;
            }
        }
    }
}

/// Provot's fluid force C (n·(u - v)) n on each vertex, n its normal: the mean of its triangles' weighed by area.
fn fluid_force(world: &World, block: &Block, x: &[Vec3], v: &[Vec3], wind: Vec3, f: &mut [Vec3], normals: &mut [Vec3]) {
    normals.fill(Vec3::ZERO);
    let first = block.particles.start;
    for t in &world.blocks.triangles[block.triangles.clone()] {
        let at = t.map(|v| v as usize);
        let double_area = (x[at[1]] - x[at[0]]).cross(x[at[2]] - x[at[0]]);
        for i in at {
            if let Some(n) = normals.get_mut(i.wrapping_sub(first)) {
                *n += double_area;
            }
        }
    }
    for (i, (f, n)) in f.iter_mut().zip(normals).enumerate() {
        let n = n.normalize_or_zero();
        let constant = world.air.fluid * world.area[first + i] + world.air.fluid_per_particle;
        *f += n * (constant * n.dot(wind - v[first + i]));
    }
}
