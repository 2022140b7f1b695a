//! The compiled simulation. Only actions change it, between steps.

mod action;
mod grab;
mod limited;
mod pin;

pub use action::ActionError;
pub(crate) use grab::Grab;
pub(crate) use limited::Limited;
pub(crate) use pin::{HeldSet, within};

use crate::Vec3;
use crate::model::element::Element;
use crate::model::elements::{Elements, Layout, Visited, Visitor, Which};
use crate::model::spring::Spring;
use crate::parallel::Block;
use crate::setup::{
    Adaptive, Air, Body, Components, ContactBy, ContactImpossible, Limiter, Method, SpringKind, Stiffest, TimedAction,
    Warning,
};
use crate::solid::Solid;
use crate::solid::mesh::MeshSolid;
use crate::solid::reach::Reach;
use std::ops::Range;
use std::sync::Arc;

/// The compiled simulation. It is fixed during a run except for actions, and shared by all threads.
#[derive(Clone, Debug)]
pub struct World {
    /// The pieces of cloth, in the order of their particles.
    pub cloths: Vec<ClothRange>,
    /// Rest positions before `place` ((u, v, 0) where uv has no seam, else the mesh's shape), m.
    pub rest: Vec<Vec3>,
    /// Initial positions, m.
    pub start: Vec<Vec3>,
    /// Triangles of all cloths, numbered over all particles.
    pub triangles: Vec<[u32; 3]>,
    /// Material coordinates of the triangles' corners, m.
    pub uv: Vec<[[f64; 2]; 3]>,
    /// Mesh edges with their rest lengths.
    pub edges: Vec<MeshEdge>,
    /// Mass of each particle, kg.
    pub mass: Vec<f64>,
    /// Solid bodies.
    pub bodies: Vec<Body>,
    /// Names of the pins of all cloths, in order, such as `sheet.pin[0]`.
    pub pin_names: Vec<String>,
    /// Number of steps in a frame.
    pub steps_per_frame: u32,
    /// Frames in a second of simulated time.
    pub fps: f64,
    /// Planned simulated time, s.
    pub duration: f64,
    /// Length of a step, s; the longest one if steps adapt, but for calm cloth.
    pub h: f64,
    /// Length that steps of calm cloth do not exceed, s.
    pub longest: f64,
    /// Settings of adaptive steps; `None` if all steps are equal.
    pub adaptive: Option<Adaptive>,
    /// The method of integration.
    pub method: Method,
    /// Actions from outside, in order. [`Simulation`](crate::Simulation) does them.
    pub actions: Arc<[TimedAction]>,
    /// Warnings for the user although nothing is wrong, e.g. that nothing collides with a body.
    pub warnings: Vec<Warning>,

    pub(crate) velocity: Vec<Vec3>, // m/s, at the start
    pub(crate) area: Vec<f64>,      // m², a third of each vertex's triangles
    pub(crate) drag: Vec<f64>,      // N s/m, viscous damping of each particle
    pub(crate) fabrics: Vec<ClothConstants>,
    pub(crate) blocks: Vec<Block>,
    pub(crate) elements: Elements,
    pub(crate) layout: Layout, // empty for explicit methods
    pub(crate) fan: Fan,       // empty without Provot's fluid force
    pub(crate) pins: Vec<HeldSet>,
    pub(crate) anchors: usize,
    pub(crate) loads: Vec<CompiledLoad>,
    pub(crate) grabs: Vec<Grab>, // made by actions
    pub(crate) limiter: Option<Limiter>,
    pub(crate) limited: Vec<Limited>,
    pub(crate) gravity: Vec3,
    pub(crate) air: Air,
    pub(crate) components: Components,
    pub(crate) stiffest: Stiffest,
    pub(crate) solids: Vec<Solid>, // bodies that cloth collides with
    pub(crate) reach: Vec<Reach>,  // m, one per particle; empty without them
    pub(crate) barrier: Option<BarrierConstants>,
}

/// What contact by the barrier needs.
#[derive(Clone, Debug)]
pub(crate) struct BarrierConstants {
    /// Whether cloth collides with cloth.
    pub cloth: bool,
    /// Half of the thickness of each cloth, m.
    pub radius: Vec<f64>,
    /// Friction of each cloth with each, row by row.
    pub friction: Vec<f64>,
    /// Cloths and bodies, the bodies counted after the cloths, that do not collide with each other.
    pub ignored: Vec<[usize; 2]>,
    /// What becomes of bodies that leave no room.
    pub impossible: ContactImpossible,
    /// Bodies that are meshes.
    pub meshes: Vec<MeshSolid>,
    /// Their triangles; their points are numbered after all particles.
    pub triangles: Vec<[u32; 3]>,
    /// Pairs of triangles that cross at the start, as in [`State::exempt`](crate::State::exempt).
    pub crossing: Vec<[u32; 2]>,
}

impl BarrierConstants {
    /// The coefficient of friction between two cloths.
    pub fn friction(&self, [a, b]: [usize; 2]) -> f64 {
        self.friction[a * self.radius.len() + b]
    }

    /// Whether two cloths, or a cloth and a body, counted after the cloths, do not collide.
    pub fn ignores(&self, [a, b]: [usize; 2]) -> bool {
        self.ignored.contains(&[a.min(b), a.max(b)])
    }

    /// Number of points of bodies that are meshes.
    pub fn points(&self) -> usize {
        self.meshes.last().map_or(0, |mesh| mesh.points.end)
    }

    /// The body that has a point, counted after all particles.
    pub fn mesh_of(&self, point: usize) -> &MeshSolid {
        &self.meshes[self.meshes.partition_point(|mesh| mesh.points.end <= point)]
    }
}

/// The particles and triangles of one piece of cloth.
#[derive(Clone, Debug, PartialEq)]
pub struct ClothRange {
    /// Name of the cloth.
    pub name: String,
    /// Particles of the cloth.
    pub vertices: Range<usize>,
    /// Triangles of the cloth.
    pub triangles: Range<usize>,
}

/// An edge of the mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshEdge {
    /// Vertices at its ends.
    pub v: [u32; 2],
    /// Rest length, m.
    pub rest: f64,
}

/// Constants of a piece of cloth.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClothConstants {
    /// Damping times of springs by kind, s; the last is also that of hinges.
    pub tau: [f64; 3],
    pub has_drag: bool,
    /// Whether viscous damping is relative to the wind.
    pub drag_in_wind: bool,
    /// Diagonal of the rest shape, m.
    pub size: f64,
    /// Scale from [`World::rest`] to space.
    pub scale: f64,
    /// Thickness, m.
    pub thickness: f64,
    /// Coefficient of friction with bodies.
    pub friction: f64,
    /// Coefficient of friction with cloth.
    pub friction_cloth: f64,
    /// Stiffness of the mesh as a whole, N/m: that of a crossing.
    pub stiffness: f64,
}

/// The triangles of each vertex.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fan {
    start: Vec<u32>,
    triangles: Vec<u32>,
}

impl Fan {
    pub fn new(vertices: usize, triangles: &[[u32; 3]]) -> Self {
        let mut pairs: Vec<(u32, u32)> =
            triangles.iter().enumerate().flat_map(|(t, v)| v.map(|v| (v, t as u32))).collect();
        pairs.sort_unstable();
        let start = (0..=vertices as u32).map(|v| pairs.partition_point(|pair| pair.0 < v) as u32).collect();
        Self { start, triangles: pairs.into_iter().map(|pair| pair.1).collect() }
    }

    pub fn of(&self, vertex: usize) -> &[u32] {
        &self.triangles[self.start[vertex] as usize..self.start[vertex + 1] as usize]
    }
}

/// A compiled load.
#[derive(Clone, Debug)]
pub(crate) struct CompiledLoad {
    /// Vertices and their shares, which add to 1.
    pub vertices: Vec<(u32, f64)>,
    pub keys: Vec<(f64, Vec3)>,
    pub from: f64,
    pub until: f64,
    /// The number of the push, if an action made the load.
    pub push: Option<u32>,
}

impl CompiledLoad {
    /// Total force at time `t`, N.
    pub fn at(&self, t: f64) -> Vec3 {
        let next = self.keys.partition_point(|key| key.0 <= t);
        match (next.checked_sub(1).map(|i| self.keys[i]), self.keys.get(next)) {
            (None, None) => Vec3::ZERO,
            (None, Some(first)) => first.1,
            (Some(last), None) => last.1,
            (Some(a), Some(b)) => a.1.lerp(b.1, (t - a.0) / (b.0 - a.0)),
        }
    }
}

/// Number of elements of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct ElementCounts {
    pub structural: usize,
    pub shear: usize,
    pub flexion: usize,
    pub hinges: usize,
    pub triangles: usize,
}

/// Gravity on Earth, m/s². It replaces the scene's gravity in tolerances where that is zero.
pub(crate) const STANDARD_GRAVITY: f64 = 9.81;

/// Contacts of the barrier that a state keeps for each particle. Packed cloth has two or three.
const CONTACTS: usize = 6;

/// Pairs of triangles that may cross in a run, for each triangle of the cloth and each pair that crosses at the start.
const CROSSINGS: usize = 4;

impl World {
    /// Gravity of the scene, m/s², or that of Earth if there is none. Net forces are compared with it.
    pub(crate) fn gravity_scale(&self) -> f64 {
        let gravity = if self.components.gravity { self.gravity.length() } else { 0.0 };
        if gravity > 0.0 { gravity } else { STANDARD_GRAVITY }
    }

    /// Whether a run goes over to another method when cloth comes near itself or other cloth: this one has no contact.
    pub fn goes_over(&self) -> bool {
        self.method.info().contact == ContactBy::Nothing && self.barrier.is_some()
    }

    /// Whether contact by the barrier acts after the step, because the method does not know of it or a limiter follows.
    pub(crate) fn settles_after(&self) -> bool {
        let unknown = self.method.info().contact == ContactBy::AfterStep;
        self.barrier.is_some() && (unknown || self.limiter.is_some())
    }

    /// Whether its states have a past.
    pub(crate) fn has_past(&self) -> bool {
        self.method.has_past() || self.goes_over()
    }

    /// Largest number of contacts of the barrier that a state keeps.
    pub(crate) fn most_contacts(&self) -> usize {
        if self.barrier.is_some() { CONTACTS * self.mass.len() } else { 0 }
    }

    /// Pairs of triangles that cross at the start and do not collide.
    pub(crate) fn crossing_at_start(&self) -> &[[u32; 2]] {
        self.barrier.as_ref().map_or(&[], |barrier| &barrier.crossing)
    }

    /// Largest number of pairs of triangles that may cross in a run: 0 if none do at the start, and bodies do not give
    /// way.
    pub(crate) fn most_exempt(&self) -> usize {
        match self.crossing_at_start().len() {
            0 if !self.bodies_yield() => 0,
            count => CROSSINGS * (count + self.triangles.len()),
        }
    }

    /// Largest number of vertices inside bodies that gave way.
    pub(crate) fn most_inside(&self) -> usize {
        if self.bodies_yield() { self.mass.len() } else { 0 }
    }

    /// Whether some pairs of cloths and bodies do not collide.
    pub fn ignores_pairs(&self) -> bool {
        self.solids.iter().any(|solid| solid.collides.contains(&false))
            || self.barrier.as_ref().is_some_and(|barrier| !barrier.ignored.is_empty())
    }

    /// Whether bodies that leave cloth no room give way.
    pub fn bodies_yield(&self) -> bool {
        self.barrier.as_ref().is_some_and(|barrier| barrier.impossible == ContactImpossible::Yield)
    }

    /// Whether a body can cut the cloth between its vertices.
    pub(crate) fn has_sharp_bodies(&self) -> bool {
        self.solids.iter().any(|solid| solid.exact.is_sharp())
    }

    /// The vertices that a pin holds, numbered over all cloths; `None` if no pin has the name.
    pub fn pin_vertices(&self, name: &str) -> Option<&[u32]> {
        Some(&self.pins[self.pin_number(name).ok()?].vertices)
    }

    /// How many vertices each pin holds, in the order of their names.
    pub fn pin_sizes(&self) -> impl Iterator<Item = usize> {
        self.pins.iter().map(|pin| pin.vertices.len())
    }

    /// How many vertices each load acts on, in the order of cloths and loads.
    pub fn load_sizes(&self) -> impl Iterator<Item = usize> {
        self.loads.iter().map(|load| load.vertices.len())
    }

    /// The longest stable step by the estimate, s; `None` if the method has none. Infinite if nothing is stiff.
    pub fn stable_step(&self) -> Option<f64> {
        self.stiffest.stable_step(self.method)
    }

    /// Number of springs and hinges.
    pub fn element_counts(&self) -> ElementCounts {
        struct Counter<'a> {
            block: &'a Block,
            sums: &'a mut Vec<(usize, SpringKind, usize)>,
        }
        impl Visitor for Counter<'_> {
            fn visit<const N: usize, const M: usize, E: Element<N, M>>(&mut self, group: Visited<'_, E, N, M>) {
                let own = group.elements.iter().filter(|element| self.block.owns(&element.vertices())).count();
                self.sums.push((N, group.kind, own));
            }
        }
        let mut sums = Vec::new();
        for block in &self.blocks {
            self.visit(block, &self.layout, Which::All, &mut Counter { block, sums: &mut sums });
        }
        let count = |test: &dyn Fn(usize, SpringKind) -> bool| {
            sums.iter().filter(|(n, kind, _)| test(*n, *kind)).map(|sum| sum.2).sum()
        };
        ElementCounts {
            structural: count(&|n, kind| n == 2 && kind == SpringKind::Structural),
            shear: count(&|n, kind| n == 2 && kind == SpringKind::Shear),
            flexion: count(&|n, kind| n == 2 && kind == SpringKind::Flexion),
            hinges: count(&|n, _| n == 4),
            triangles: count(&|n, kind| n == 3 && kind == SpringKind::Structural),
        }
    }

    /// Springs of a kind, in the order of storage.
    pub fn springs(&self, kind: SpringKind) -> impl Iterator<Item = &Spring> {
        self.elements.each_spring(&self.blocks, kind)
    }

    /// Visits the elements of a block that are switched on.
    pub(crate) fn visit(&self, block: &Block, layout: &Layout, which: Which, visitor: &mut impl Visitor) {
        if self.components.internal {
            let tau = self.damping_times(block.cloth);
            self.elements.visit(block, layout, which, |kind| self.is_on(kind), tau, visitor);
        }
    }

    /// Damping times of a cloth's elements by kind, s; zero where damping is switched off.
    pub(crate) fn damping_times(&self, cloth: usize) -> [f64; 3] {
        if self.components.damping { self.fabrics[cloth].tau } else { [0.0; 3] }
    }

    /// Whether springs of a kind act.
    pub(crate) fn is_on(&self, kind: SpringKind) -> bool {
        match kind {
            SpringKind::Structural => self.components.structural,
            SpringKind::Shear => self.components.shear,
            SpringKind::Flexion => self.components.bend,
        }
    }
}
