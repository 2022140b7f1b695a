//! Memory use of a simulation.

use crate::Vec3;
use crate::limit;
use crate::linear::Pattern;
use crate::linear::coarse::{Coarse, Part};
use crate::linear::direct::{self, Direct};
use crate::linear::factored::Factored;
use crate::linear::tiled;
use crate::method::filtered_euler;
use crate::world::{ClothRange, World};

/// What contact by the barrier takes for each vertex of cloths and bodies, measured, bytes: trees, paths, pairs, and
/// the coarse level of the solver. With bodies there are more contacts.
const BARRIER: usize = 1700;
const WITH_BODIES: usize = 1500;

impl World {
    /// Approximate size of the world, a state and a workspace together, bytes. It finds the orders of elimination of
    /// the factors to count them, which takes most of the time of making a workspace, but no memory for numbers.
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
        let points = self.barrier.as_ref().map_or(0, |barrier| self.mass.len() + barrier.points());
        let barrier = points * (BARRIER + if self.can_touch() { WITH_BODIES } else { 0 });
        (vectors + numbers + mesh + elements + bytes(&self.limited) + moving + barrier + self.memory_of_factors())
            as u64
    }

    /// The preconditioner of implicit steps; `None` where it would be too large.
    pub(crate) fn factored(&self) -> Option<Factored> {
        self.plan_of_factored().map(|plan| Factored::new(plan, &self.layout.pattern))
    }

    fn plan_of_factored(&self) -> Option<tiled::Plan> {
        let needed = self.method.holds_contact() && (self.barrier.is_none() || self.solids.is_empty());
        needed.then(|| Factored::plan(&self.layout.pattern, &self.rest)).flatten()
    }

    /// The coarse level of the preconditioner with contact by the barrier.
    pub(crate) fn coarse(&self) -> Coarse {
        self.coarse_on(&self.layout.pattern)
    }

    /// The same for a matrix on another pattern.
    pub(crate) fn coarse_on(&self, pattern: &Pattern) -> Coarse {
        let part = |cloth: &ClothRange| {
            let mut own = self.edges.iter().filter(|edge| cloth.vertices.contains(&(edge.v[0] as usize)));
            let (sum, count) = own.by_ref().fold((0.0, 0), |(sum, count), edge| (sum + edge.rest, count + 1));
            Part { particles: cloth.vertices.clone(), edge: sum / f64::from(count.max(1)) }
        };
        let parts: Vec<Part> = self.cloths.iter().map(part).collect();
        Coarse::new(pattern, &self.rest, &parts)
    }

    /// The direct solver of implicit steps with contact by constraints; `None` where it would be too large.
    pub(crate) fn direct(&self) -> Option<Direct> {
        self.plan_of_direct().map(Direct::new)
    }

    fn plan_of_direct(&self) -> Option<direct::Plan> {
        let needed = self.method.has_matrix() && !self.solids.is_empty() && self.barrier.is_none();
        needed.then(|| direct::Plan::new(&self.layout.pattern, &self.rest)).flatten()
    }

    /// Size of the limiter, of the factors of implicit steps and of the filter, bytes. It is part of [`World::memory`],
    /// but not allocated while the world is built.
    pub fn memory_of_factors(&self) -> usize {
        let direct = self.plan_of_direct().map_or(0, |plan| plan.bytes());
        let factored = self.plan_of_factored().map_or(0, |plan| Factored::bytes_of(&plan));
        let bounds = if self.limiter.is_some() { self.mass.len() * self.solids.len() } else { 0 };
        let limiter = limit::LimitBuffers::bytes_for(self) + bounds * size_of::<limit::Bound>();
        direct + factored + limiter + filtered_euler::FilterBuffers::bytes_for(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::{Body, Cloth, ContactLaw, ContactSettings, Limiter, Mesh, Method, Pattern, Place, Setup, Shape};

    /// Sheets of several sizes above a ball, with and without a limit on stretch.
    #[test]
    fn the_size_of_factors_is_what_is_allocated_for_them() {
        for (cells, method, limiter) in [
            (4, Some(Method::FilteredEuler), None),
            (60, Some(Method::FilteredEuler), None),
            (4, None, Some(Limiter::default())),
            (60, None, Some(Limiter::default())),
            (30, None, None),
        ] {
            let cloth = Cloth::new("sheet", Mesh::grid([1.0; 2], [cells; 2], Pattern::Alternating).unwrap());
            let place = Place { at: Vec3::new(0.0, -3.0, 0.0), ..Place::default() };
            let ball = Body { shape: Shape::Sphere { radius: 0.5 }, place, ..Body::default() };
            let contact = ContactSettings { law: ContactLaw::Constraint, ..ContactSettings::default() };
            let bodies = if method.is_none() { vec![ball] } else { Vec::new() };
            let world = World::new(Setup { method, limiter, bodies, contact, ..Setup::with_cloth(cloth) }).unwrap();
            let direct = world.direct().map_or(0, |direct| direct.allocated());
            let factored = world.factored().map_or(0, |factored| factored.allocated());
            let limits = limit::LimitBuffers::new(&world).allocated();
            let filter = filtered_euler::FilterBuffers::new(&world).allocated();
            let bounds = if world.limiter.is_some() { world.mass.len() * size_of::<limit::Bound>() } else { 0 };
            assert_eq!(world.memory_of_factors(), direct + factored + limits + filter + bounds, "{cells}");
            assert!(if world.solids.is_empty() { filter > 0 } else { direct > 0 && factored > 0 });
            assert_eq!(limits > 0, world.limiter.is_some());
        }
    }
}
