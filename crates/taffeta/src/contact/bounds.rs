//! Contact for the limiter: planes that the cloth stays above, and the contact forces that the limiter finds.

use super::{Contact, Contacts, FREE_ENOUGH, crossing, keep, touch};
use crate::Vec3;
use crate::boundary::Boundary;
use crate::limit::Bound;
use crate::linear::filter::FREE;
use crate::solid::{Moving, Solid};
use crate::state::State;
use crate::world::World;

impl Contacts {
    /// Whether cloth near a body moved farther relative to it in the step, from `x` to `y`, than its triangles are
    /// large. Planes at the end of the step may then be on the wrong side of the path.
    pub fn moved_far(&self, world: &World, x: &[Vec3], y: &[Vec3]) -> bool {
        let far = |(solid, moving): (&Solid, &Moving)| {
            x.iter().zip(y).zip(&self.reach).any(|((&x, &y), reach)| {
                let (p, q) = (moving.start.to_body(x), moving.end.to_body(y));
                let way = p.distance(q);
                way > reach.radius && solid.exact.distance(p).min(solid.exact.distance(q)) < way
            })
        };
        world.solids.iter().zip(&self.moving).any(far)
    }

    /// Finds the bounds of crossings and of all particles that the limiter could move into a body. `x` are positions at
    /// the end of the step, outside of bodies.
    pub fn find_bounds(&mut self, world: &World, state: &State, boundary: &Boundary, h: f64, x: &[Vec3]) {
        self.bounds.clear();
        let mut kept = self.kept.iter().peekable();
        for (i, &at) in x.iter().enumerate() {
            let contact = kept.next_if(|contact| contact.vertex as usize == i);
            let reach = &self.reach[i];
            // the limiter may undo the motion of the step and move the particle by a further triangle
            let far = at.distance(state.x[i]) + 2.0 * reach.radius;
            for (s, (solid, moving)) in world.solids.iter().zip(&self.moving).enumerate() {
                let exact = &solid.exact;
                let p = moving.end.to_body(at);
                let near = exact.nearest(p);
                let gap = near.distance - reach.offset(exact, p);
                let mine = contact.filter(|contact| contact.body == solid.body);
                if gap > far && mine.is_none() {
                    continue;
                }
                let normal = moving.end.turn * near.normal;
                if boundary.slot[i] != FREE {
                    let free = boundary.held[boundary.slot[i] as usize].free;
                    if normal.dot(free * normal) < FREE_ENOUGH {
                        continue;
                    }
                }
                let point = match mine.filter(|contact| contact.sticks) {
                    Some(contact) => contact.point,
                    None => touch::onto(reach, exact, moving.start.to_body(state.x[i])),
                };
                self.bounds.push(Bound {
                    vertices: [i as u32; 3],
                    weights: [1.0, 0.0, 0.0],
                    normal,
                    // the current position must be feasible
                    least: normal.dot(at) - gap.max(0.0),
                    solid: s as u32,
                    friction: world.friction(s, i),
                    stay: moving.end.to_space(point),
                    point,
                    before: mine.map_or(Vec3::ZERO, |contact| contact.force),
                    ..Bound::default()
                });
            }
        }
        for crossing in &self.crossings {
            // a crossing that is slightly inside is moved out, so that the response has nothing to add
            let gap = crossing.gap_at(x).clamp(0.0, crossing::NEAR * crossing.thickness);
            let start = crossing.point(&state.x) + crossing.speed * h;
            self.bounds.push(Bound {
                vertices: crossing.vertices,
                weights: crossing.weights,
                normal: crossing.normal,
                least: crossing.normal.dot(crossing.point(x)) - (crossing.gap_at(x) - gap),
                solid: crossing.solid,
                friction: crossing.friction,
                stay: start,
                point: start,
                // crossings have spring forces, which depend on the step: the limiter adds to them
                before: Vec3::ZERO,
                ..Bound::default()
            });
        }
    }

    /// Stores the contacts that the limiter found: which particles touch, their forces, and which stick.
    pub fn take_bounds(&mut self, world: &World, x: &[Vec3]) {
        self.spare.clear();
        self.moved.fill(Vec3::ZERO);
        for b in 0..self.bounds.len() {
            let bound = self.bounds[b];
            let solid = &world.solids[bound.solid as usize];
            if bound.weights[0] < 1.0 {
                self.pushes.add_between(solid.body, bound.vertices, bound.weights, bound.force - bound.before);
                continue;
            }
            if !bound.touches {
                continue;
            }
            let i = bound.vertices[0] as usize;
            let point = if bound.sticks {
                bound.point
            } else {
                let moving = &self.moving[bound.solid as usize];
                touch::onto(&self.reach[i], &solid.exact, moving.end.to_body(x[i]))
            };
            let contact =
                Contact { vertex: i as u32, body: solid.body, sticks: bound.sticks, point, force: bound.force };
            // as in the step
            keep(contact, &mut self.spare, &mut self.moved);
        }
        std::mem::swap(&mut self.kept, &mut self.spare);
    }
}
