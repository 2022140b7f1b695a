//! Reports bodies that leave the cloth no room, and cloth that is inside a body.

use crate::report::StepError;
use crate::solid::Pose;
use crate::state::State;
use crate::world::World;

/// The cosine between the normals of two bodies with a cloth between them is at most this.
pub(super) const OPPOSED: f64 = -0.5;

/// Finds a place where two bodies are nearer to each other than the cloth between them is thick, at the last good
/// positions and at time `end`. Away from the triangles next to `near`, where the step failed, the bodies must overlap.
/// `None` means that the step failed everywhere.
pub(crate) fn no_room(world: &World, x: &[crate::Vec3], near: Option<&[u32]>, end: f64) -> Option<StepError> {
    if world.solids.len() < 2 {
        return None;
    }
    let poses: Vec<Pose> = world.solids.iter().map(|s| Pose::of(&world.bodies[s.body as usize], end)).collect();
    let mut least: Option<(f64, usize, [usize; 2])> = None;
    let mut found = Vec::with_capacity(world.solids.len());
    for (triangle, &i) in world.triangles.iter().flat_map(|triangle| triangle.iter().map(move |i| (triangle, i))) {
        let i = i as usize;
        let here = near.is_none_or(|near| triangle.iter().any(|v| near.contains(v)));
        let needed = if here { world.reach[i].thickness } else { 0.0 };
        found.clear();
        for (s, (solid, pose)) in world.solids.iter().zip(&poses).enumerate() {
            let nearest = solid.exact.nearest(pose.to_body(x[i]));
            for &(other, distance, normal) in &found {
                let room: f64 = distance + nearest.distance;
                let between = (pose.turn * nearest.normal).dot(normal) < OPPOSED && room < needed;
                if between && least.is_none_or(|least| room < least.0) {
                    least = Some((room, i, [other, s]));
                }
            }
            found.push((s, nearest.distance, pose.turn * nearest.normal));
        }
    }
    let (room, i, solids) = least?;
    let cloth = &world.cloths[world.cloth_of(i)];
    Some(StepError::NoRoom {
        time: end,
        bodies: Box::new(solids.map(|s| world.bodies[world.solids[s].body as usize].name.clone())),
        room,
        cloth: cloth.name.clone(),
        thickness: world.reach[i].thickness,
        vertex: (i - cloth.vertices.start) as u32,
        at: x[i],
    })
}

/// Finds the free vertex that is deepest inside a body, by more than the cloth is thick, when a step of length `h`
/// fails because a body jumped there or a pin released the vertex there.
pub(crate) fn inside(world: &World, state: &State, h: f64) -> Option<StepError> {
    // adaptive steps fail at their shortest, in which no body moves far; other steps may be long, so their start is
    // used
    let time = if world.adaptive.is_some() { state.time + h } else { state.time };
    let held = world.held_at(state.time);
    let mut deepest: Option<(f64, usize, usize)> = None;
    for solid in &world.solids {
        let body = solid.body as usize;
        let pose = Pose::of(&world.bodies[body], time);
        let collides = |i: usize| !held[i] && solid.collides[world.cloth_of(i)];
        for (i, x) in state.x.iter().enumerate().filter(|(i, _)| collides(*i)) {
            let depth = -solid.exact.distance(pose.to_body(*x));
            if depth > world.reach[i].thickness && deepest.is_none_or(|deepest| depth > deepest.0) {
                deepest = Some((depth, i, body));
            }
        }
    }
    let (depth, i, body) = deepest?;
    let cloth = &world.cloths[world.cloth_of(i)];
    Some(StepError::Inside {
        time: state.time,
        h,
        body: world.bodies[body].name.clone(),
        cloth: cloth.name.clone(),
        thickness: world.reach[i].thickness,
        vertex: (i - cloth.vertices.start) as u32,
        at: state.x[i],
        depth,
    })
}
