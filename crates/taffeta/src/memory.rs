//! Memory use of a simulation.

use crate::Vec3;
use crate::limit;
use crate::linear::coarse::{Coarse, Part};
use crate::linear::direct::Direct;
use crate::linear::factored::Factored;
use crate::method::filtered_euler;
use crate::world::{ClothRange, World};

impl World {
    /// Approximate size of the world, a state and a workspace together, bytes. It lays out the factors to count them,
    /// which takes as long as making a workspace.
    pub fn memory(&self) -> u64 {
        fn bytes<T>(list: &[T]) -> usize {
            std::mem::size_of_val(list)
        }
        let vectors = bytes(&self.rest) + bytes(&self.start) + bytes(&self.velocity);
        let numbers = bytes(&self.mass) + bytes(&self.area) + bytes(&self.drag);
        let mesh = bytes(&self.triangles) + bytes(&self.uv) + bytes(&self.edges);
        let elements = self.elements.bytes() + self.layout.bytes();
        // these are the stages, the state before the last, and the vectors of implicit methods and their conjugate
        // gradient
        let stages = 2 * usize::from(self.method.has_stages())
            + 2 * usize::from(self.method.has_past())
            + 14 * usize::from(self.method.has_matrix());
        // the state holds x and v; the workspace holds force, x, v, slots and stages
        let moving = self.mass.len() * ((5 + stages) * size_of::<Vec3>() + 4);
        (vectors + numbers + mesh + elements + bytes(&self.limited) + moving + self.memory_of_factors()) as u64
    }

    /// The preconditioner of implicit steps; `None` where it would be too large.
    pub(crate) fn factored(&self) -> Option<Factored> {
        (self.method.holds_contact() && self.barrier.is_none())
            .then(|| Factored::new(&self.layout.pattern, &self.rest))
            .flatten()
    }

    /// The coarse level of the preconditioner with contact by the barrier.
    pub(crate) fn coarse(&self) -> Coarse {
        let part = |cloth: &ClothRange| {
            let mut own = self.edges.iter().filter(|edge| cloth.vertices.contains(&(edge.v[0] as usize)));
            let (sum, count) = own.by_ref().fold((0.0, 0), |(sum, count), edge| (sum + edge.rest, count + 1));
            Part { particles: cloth.vertices.clone(), edge: sum / f64::from(count.max(1)) }
        };
        let parts: Vec<Part> = self.cloths.iter().map(part).collect();
        Coarse::new(&self.layout.pattern, &self.rest, &parts)
    }

    /// The direct solver of implicit steps with contact by constraints; `None` where it would be too large.
    pub(crate) fn direct(&self) -> Option<Direct> {
        let needed = self.method.has_matrix() && !self.solids.is_empty() && self.barrier.is_none();
        needed.then(|| Direct::new(&self.layout.pattern, &self.rest)).flatten()
    }

    /// Size of the limiter, of the factors of implicit steps and of the filter, bytes. It is part of [`World::memory`],
    /// but not allocated while the world is built.
    pub fn memory_of_factors(&self) -> usize {
        let (direct, factored) = (self.direct(), self.factored());
        let bounds = if self.limiter.is_some() { self.mass.len() * self.solids.len() } else { 0 };
        let limiter = limit::LimitBuffers::new(self).bytes() + bounds * size_of::<limit::Bound>();
        let solvers = direct.map_or(0, |direct| direct.bytes()) + factored.map_or(0, |factored| factored.bytes());
        solvers + limiter + filtered_euler::FilterBuffers::new(self).bytes()
    }
}
