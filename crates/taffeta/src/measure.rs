//! Energies, stretch, momentum and other figures for reports and tests.

use crate::Vec3;
use crate::contact::{TooDeep, deep};
use crate::model::element::Element;
use crate::model::elements::{Visited, Visitor, Which};
use crate::parallel::{self, Block};
use crate::setup::SpringKind;
use crate::solid::Pose;
use crate::state::State;
use crate::world::World;

/// Figures of a state.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measures {
    /// Kinetic energy, J.
    pub kinetic: f64,
    /// Gravitational energy, J; 0 at the start.
    pub gravity: f64,
    /// Energy of structural springs, or of the stretch of triangles, J.
    pub stretch: f64,
    /// Energy of shear springs, or of the shear of triangles, J.
    pub shear: f64,
    /// Energy of flexion springs, beams and hinges, J.
    pub bend: f64,
    /// Height (y) of the centre of mass, m.
    pub com_height: f64,
    /// Largest relative elongation of a mesh edge.
    pub max_stretch: f64,
    /// Mean relative elongation of mesh edges (compression counts negative).
    pub mean_stretch: f64,
    /// Speed of the fastest vertex, m/s.
    pub max_speed: f64,
    /// Smallest distance between the middle surface of cloth and an exact shape, at a vertex that no pin holds, m;
    /// negative inside. Between vertices it may be smaller, which [`deepest`] finds. `None` if no shape can touch.
    pub smallest_gap: Option<f64>,
    /// Deepest point, also between vertices, if the cloth is deeper inside a body than it is thick, and bodies do not
    /// give way.
    pub too_deep: Option<TooDeep>,
    /// Momentum, kg m/s.
    pub momentum: Vec3,
    /// Angular momentum about the origin, kg m²/s.
    pub angular_momentum: Vec3,
}

impl Measures {
    /// Sum of all energies, J.
    pub fn energy(&self) -> f64 {
        self.kinetic + self.gravity + self.stretch + self.shear + self.bend
    }
}

/// Measures a state. Components that are switched off have no energy.
pub fn measure(world: &World, state: &State) -> Measures {
    // each block has sums of its own; adding them in the order of the blocks gives the same bits on any number of
    // threads
    let mut parts = vec![(Measures::default(), 0.0); world.blocks.len()];
    parallel::each(&world.blocks, (), &mut parts, &|block, (), part| *part = measure_block(world, block, state));
    let mut all = Measures { max_stretch: f64::NEG_INFINITY, ..Measures::default() };
    let mut mass = 0.0;
    for (part, part_mass) in parts {
        all.kinetic += part.kinetic;
        all.gravity += part.gravity;
        all.stretch += part.stretch;
        all.shear += part.shear;
        all.bend += part.bend;
        all.com_height += part.com_height;
        all.max_speed = all.max_speed.max(part.max_speed);
        all.momentum += part.momentum;
        all.angular_momentum += part.angular_momentum;
        mass += part_mass;
    }
    all.com_height /= mass;
    let elongations = world.edges.iter().map(|edge| {
        let length = state.x[edge.v[0] as usize].distance(state.x[edge.v[1] as usize]);
        length / edge.rest - 1.0
    });
    for elongation in elongations {
        all.max_stretch = all.max_stretch.max(elongation);
        all.mean_stretch += elongation;
    }
    all.mean_stretch /= world.edges.len() as f64;
    let pinned = pinned(world, state);
    all.smallest_gap = smallest_gap(world, state, &pinned);
    if !world.bodies_yield() {
        all.too_deep = deep::too_deep(world, state, &pinned);
    }
    all
}

/// Smallest gap at free vertices.
fn smallest_gap(world: &World, state: &State, pinned: &[bool]) -> Option<f64> {
    let gaps = world.solids.iter().flat_map(|solid| {
        let pose = Pose::of(&world.bodies[solid.body as usize], state.time);
        let free = (0..state.x.len()).filter(|i| !pinned[*i] && solid.collides[world.cloth_of(*i)]);
        free.map(move |i| solid.exact.distance(pose.to_body(state.x[i])))
    });
    // what is inside a body that gave way has no distance from it
    let gaps = gaps.filter(|gap| !world.bodies_yield() || *gap > 0.0);
    gaps.reduce(f64::min)
}

fn pinned(world: &World, state: &State) -> Vec<bool> {
    let mut pinned = vec![false; state.x.len()];
    for (pin, _) in world.pins.iter().zip(&state.holds).filter(|(_, holds)| **holds) {
        pin.vertices.iter().for_each(|v| pinned[*v as usize] = true);
    }
    pinned
}

/// The deepest point of a cloth inside a body, over vertices, edges and triangles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Depth {
    /// Depth below half the cloth's thickness from the surface, m; negative if nothing touches.
    pub depth: f64,
    /// The triangle, counted over all cloths.
    pub triangle: u32,
    /// Index of the body in [`World::bodies`].
    pub body: u32,
}

/// Finds the deepest point of the cloth inside bodies. Triangles with a pinned vertex are left out. It is slow and
/// meant for checks.
pub fn deepest(world: &World, state: &State) -> Option<Depth> {
    let pinned = pinned(world, state);
    let mut worst: Option<Depth> = None;
    for solid in &world.solids {
        let pose = Pose::of(&world.bodies[solid.body as usize], state.time);
        for (t, v) in world.triangles.iter().enumerate() {
            if v.iter().any(|v| pinned[*v as usize]) || !solid.collides[world.cloth_of(v[0] as usize)] {
                continue;
            }
            let distance = solid.exact.least_distance(v.map(|v| pose.to_body(state.x[v as usize])));
            let depth = 0.5 * world.reach[v[0] as usize].thickness - distance;
            if worst.is_none_or(|worst| depth > worst.depth) {
                worst = Some(Depth { depth, triangle: t as u32, body: solid.body });
            }
        }
    }
    worst
}

fn measure_block(world: &World, block: &Block, state: &State) -> (Measures, f64) {
    let (on, x) = (&world.components, &state.x);
    let mut sum = Measures::default();
    let mut mass = 0.0;
    for i in block.particles.clone() {
        let (m, v) = (world.mass[i], state.v[i]);
        mass += m;
        sum.kinetic += 0.5 * m * v.length_squared();
        if on.gravity {
            sum.gravity -= m * world.gravity.dot(x[i] - world.start[i]);
        }
        sum.com_height += m * x[i].y;
        sum.max_speed = sum.max_speed.max(v.length());
        sum.momentum += v * m;
        sum.angular_momentum += x[i].cross(v) * m;
    }
    world.visit(block, &world.layout, Which::All, &mut Energies { block, x, sum: &mut sum });
    (sum, mass)
}

struct Energies<'a> {
    block: &'a Block,
    x: &'a [Vec3],
    sum: &'a mut Measures,
}

impl Visitor for Energies<'_> {
    fn visit<const N: usize, const M: usize, E: Element<N, M>>(&mut self, group: Visited<'_, E, N, M>) {
        for element in group.elements {
            let v = element.vertices();
            if !self.block.owns(&v) {
                continue;
            }
            let mut c = element.conditions(&v.map(|i| self.x[i as usize]));
            let whole = element.law_energy(&c);
            match group.kind {
                SpringKind::Structural if N == 3 && M == 3 => {
                    // a membrane has stretch and shear energy; without its last condition, only the stretch is left
                    c[M - 1] = 0.0;
                    let stretch = element.law_energy(&c);
                    self.sum.stretch += stretch;
                    self.sum.shear += whole - stretch;
                }
                SpringKind::Structural => self.sum.stretch += whole,
                SpringKind::Shear => self.sum.shear += whole,
                SpringKind::Flexion => self.sum.bend += whole,
            }
        }
    }
}
