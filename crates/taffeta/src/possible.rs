//! Checks whether a world can reach a state. A state from a file may contain anything.

use crate::Vec3;
use crate::state::{Control, Exempt, State, WAITS};
use crate::world::World;

/// Why a state cannot be one of the world at the end of a frame.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum ImpossibleState {
    /// A list is too long or too short.
    #[error("`{what}` has {found} entries and should have {expected}")]
    Count {
        /// Name of the list.
        what: &'static str,
        /// Number of entries.
        found: usize,
        /// Number of entries that the world needs.
        expected: usize,
    },
    /// A number is infinite, NaN or out of range.
    #[error("`{what}` is {found:?}, which cannot be")]
    Value {
        /// Name of the value.
        what: &'static str,
        /// The value.
        found: f64,
    },
    /// A vector has a component that is infinite or NaN.
    #[error("`{what}` has a value that is not finite")]
    NotFinite {
        /// Name of the list.
        what: &'static str,
    },
    /// A contact is of a vertex or a body that cannot touch.
    #[error("contact {index} is of vertex {vertex} with body {body}, which cannot be")]
    Contact {
        /// Index of the contact in the list.
        index: usize,
        /// Vertex of the contact.
        vertex: u32,
        /// Body of the contact.
        body: u32,
    },
    /// A pair of triangles that are said to cross cannot be one.
    #[error("triangles {} and {} cannot be a pair that crosses: number {index} of the list", pair[0], pair[1])]
    Crossing {
        /// Index of the pair in the list.
        index: usize,
        /// The pair.
        pair: [u32; 2],
    },
    /// A vertex cannot be inside a body.
    #[error("vertex {vertex} cannot be inside body {body}: number {index} of the list")]
    Inside {
        /// Index in the list.
        index: usize,
        /// The vertex.
        vertex: u32,
        /// The body.
        body: u32,
    },
}

impl State {
    /// Checks that the lists have the lengths that the world needs.
    pub(crate) fn check_counts(&self, world: &World) -> Result<(), ImpossibleState> {
        let State { x, v, anchors, holds, past, exempt, .. } = self;
        let n = world.mass.len();
        let before = if world.has_past() { n } else { 0 };
        for (what, found, expected) in [
            ("positions", x.len(), n),
            ("velocities", v.len(), n),
            ("anchors", anchors.len(), world.anchors),
            ("holds", holds.len(), world.pins.len()),
            ("positions before", past.x.len(), before),
            ("velocities before", past.v.len(), before),
        ] {
            if found != expected {
                return Err(ImpossibleState::Count { what, found, expected });
            }
        }
        check_exempt(world, exempt)
    }

    /// Checks that this can be a state of a world at the end of a frame, or its start, also after the run went over to
    /// the method of [`World::with_contact`].
    pub fn check(&self, world: &World) -> Result<(), ImpossibleState> {
        match self.went_over {
            Some(time) if !world.goes_over() || !(0.0..=self.time).contains(&time) => {
                Err(ImpossibleState::Value { what: "when it went over to another method", found: time })
            }
            Some(_) => self.check_in(&world.with_contact()),
            None => self.check_in(world),
        }
    }

    fn check_in(&self, world: &World) -> Result<(), ImpossibleState> {
        // all fields are named, so that a new field does not compile until it is checked
        let State {
            frame,
            step,
            elapsed,
            time,
            control,
            x,
            v,
            anchors,
            holds: _,
            contacts,
            touching,
            exempt: _, // by check_counts
            past,
            went_over: _, // by check
        } = self;
        self.check_counts(world)?;
        let (n, before) = (world.mass.len(), past.x.len());
        let lists =
            [("positions", x), ("velocities", v), ("anchors", anchors), ("before", &past.x), ("before", &past.v)];
        if let Some((what, _)) = lists.iter().find(|(_, list)| !list.iter().all(|p| p.is_finite())) {
            return Err(ImpossibleState::NotFinite { what });
        }
        let value = |what, found, possible: bool| match possible {
            true => Ok(()),
            false => Err(ImpossibleState::Value { what, found }),
        };
        value("step", f64::from(*step), *step == 0)?;
        value("elapsed", *elapsed, *elapsed == 0.0)?;
        value("time", *time, *time == *frame as f64 / world.fps)?;
        check_control(world, control, *frame)?;
        // the last step of a frame fills what is left of it, which may be short but is more than rounding
        let [least, most] = world.step_lengths();
        let shortest = least * world.adaptive.map_or(1.0, |adaptive| adaptive.least) * 1e-10;
        let lengths = shortest..=most.max(world.longest) * (1.0 + 1e-9);
        value("last step", past.h, past.h == 0.0 || (before > 0 && lengths.contains(&past.h)))?;

        let mut next = 0;
        for (index, contact) in contacts.iter().enumerate() {
            let (vertex, body) = (contact.vertex, contact.body);
            let mesh = || world.barrier.iter().flat_map(|barrier| &barrier.meshes).any(|mesh| mesh.body == body);
            let known = world.solids.iter().any(|solid| solid.body == body) || mesh();
            if vertex < next || vertex as usize >= n || !known {
                return Err(ImpossibleState::Contact { index, vertex, body });
            }
            let finite = |p: Vec3| p.is_finite();
            if !finite(contact.point) || !finite(contact.force) {
                return Err(ImpossibleState::NotFinite { what: "contacts" });
            }
            next = vertex + 1;
        }
        for (what, found, most) in [
            ("contacts kept at most", touching.most, world.most_contacts()),
            ("contacts", touching.list.len(), touching.most),
        ] {
            if found > most {
                return Err(ImpossibleState::Count { what, found, expected: most });
            }
        }
        if !touching.list.iter().all(|anchor| anchor.slip.is_finite() && anchor.normal.is_finite()) {
            return Err(ImpossibleState::NotFinite { what: "contacts" });
        }
        Ok(())
    }
}

/// Checks the pairs of triangles that cross: in rising order, at least one of each of a cloth.
fn check_exempt(world: &World, exempt: &Exempt) -> Result<(), ImpossibleState> {
    for (what, found, expected) in [
        ("crossings at most", exempt.most, world.most_exempt()),
        ("crossings", exempt.list.len(), exempt.list.len().min(exempt.most)),
        ("vertices inside at most", exempt.most_inside, world.most_inside()),
        ("vertices inside", exempt.inside.len(), exempt.inside.len().min(exempt.most_inside)),
    ] {
        if found != expected {
            return Err(ImpossibleState::Count { what, found, expected });
        }
    }
    let of_bodies = world.barrier.as_ref().map_or(0, |barrier| barrier.triangles.len());
    let all = world.triangles.len() + of_bodies;
    for (index, &pair) in exempt.list.iter().enumerate() {
        let [a, b] = pair.map(|t| t as usize);
        let rises = index == 0 || exempt.list[index - 1] < pair;
        if a >= b || a >= world.triangles.len() || b >= all || !rises {
            return Err(ImpossibleState::Crossing { index, pair });
        }
    }
    let meshes = world.barrier.iter().flat_map(|barrier| &barrier.meshes);
    let closed = meshes.filter(|mesh| mesh.outward.is_some()).map(|mesh| mesh.body);
    let closed: Vec<u32> = closed.chain(world.solids.iter().map(|solid| solid.body)).collect();
    for (index, &[vertex, body]) in exempt.inside.iter().enumerate() {
        let rises = index == 0 || exempt.inside[index - 1] < [vertex, body];
        if vertex as usize >= world.mass.len() || !closed.contains(&body) || !rises {
            return Err(ImpossibleState::Inside { index, vertex, body });
        }
    }
    Ok(())
}

fn check_control(world: &World, control: &Control, frame: u64) -> Result<(), ImpossibleState> {
    let Control { halvings, doublings, successes, wait } = *control;
    // halvings and successes are counted only if the step is adaptive
    let (most_halvings, most_successes, waits) = match world.adaptive {
        Some(adaptive) => {
            let least = (1.0 / adaptive.least).max(1.0);
            let steps = f64::from(world.steps_per_frame) * least.ceil() * 2.0;
            ((least * (1.0 + 1e-9)).log2().floor(), frame as f64 * steps, WAITS)
        }
        None => (0.0, 0.0, Control::default().wait..=Control::default().wait),
    };
    for (what, found, possible) in [
        ("halvings", halvings, f64::from(halvings) <= most_halvings),
        ("doublings", doublings, doublings <= world.most_doublings()),
        ("successes", successes, f64::from(successes) <= most_successes),
        ("wait", wait, waits.contains(&wait)),
    ] {
        if !possible {
            return Err(ImpossibleState::Value { what, found: f64::from(found) });
        }
    }
    Ok(())
}
