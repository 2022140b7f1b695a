//! A source of frames whose only frame is the static equilibrium.

use super::{Ended, Failure, FrameSource};
use crate::Surface;
use serde_json::{Map, Value, json};
use taffeta::{Body, Drape, DrapeProgress, DrapeReport, FrameReport, Halt, ImpossibleState, Measures, State, World};

/// Finds the equilibrium of a world instead of its motion. It becomes frame 1 of the run.
pub struct Draper<'a> {
    world: &'a World,
    state: State,
    settings: Drape,
    observe: &'a mut (dyn FnMut(&DrapeProgress) + Send),
    found: Option<DrapeReport>,
    halt: Halt,
}

impl<'a> Draper<'a> {
    /// Prepares the search; `observe` is called in every iteration.
    pub fn new(world: &'a World, settings: Drape, observe: &'a mut (dyn FnMut(&DrapeProgress) + Send)) -> Self {
        Self { world, state: world.start(), settings, observe, found: None, halt: Halt::default() }
    }

    /// Also stops the search within an iteration when `halt` says so.
    pub fn stopping(self, halt: Halt) -> Self {
        Self { halt, ..self }
    }
}

impl FrameSource for Draper<'_> {
    fn surface(&self) -> Surface {
        Surface::of(self.world)
    }

    fn fps(&self) -> f64 {
        self.world.fps
    }

    fn pin_names(&self) -> &[String] {
        &self.world.pin_names
    }

    fn body_names(&self) -> Vec<String> {
        self.world.bodies.iter().map(|body| body.name.clone()).collect()
    }

    fn bodies(&self) -> &[Body] {
        &self.world.bodies
    }

    fn can_touch(&self) -> bool {
        self.world.can_touch()
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn go_to(&mut self, state: State) -> Result<(), ImpossibleState> {
        self.state = state;
        Ok(())
    }

    fn frame(&mut self, stop: &mut (dyn FnMut(&State) -> bool + Send)) -> Result<Option<FrameReport>, Failure> {
        // always show the start: an iteration covers no part of the frame's time
        let (start, mut stopped) = (self.world.start(), false);
        let found = taffeta::drape_unless(self.world, &mut self.state, &self.settings, &self.halt, &mut |now| {
            (self.observe)(now);
            stopped = stopped || stop(&start);
            !stopped
        });
        if let Some(failure) = found.failure {
            return Err(failure.into());
        }
        let report = FrameReport {
            newton: found.iterations,
            pins: found.pins.clone(),
            contacts: self.state.contacts.len() as u32,
            bodies: found.bodies.clone(),
            pushes: found.pushes.clone(),
            ..FrameReport::default()
        };
        self.found = Some(found);
        Ok(Some(report))
    }

    fn measure(&self) -> Measures {
        taffeta::measure(self.world, &self.state)
    }

    fn extra(&self) -> Map<String, Value> {
        let Some(found) = &self.found else { return Map::new() };
        // JSON has no infinity
        let finite = |value: f64| value.is_finite().then_some(value);
        let Value::Object(object) = json!({
            "converged": found.converged,
            "residual": finite(found.residual),
            "residual_share": finite(found.share),
            "stable": found.stable,
            "stages": found.stages,
            "stage": found.stage,
        }) else {
            unreachable!("an object was written")
        };
        object
    }

    fn shortcoming(&self) -> Option<Ended> {
        let found = self.found.as_ref().filter(|found| !found.converged || found.stopped)?;
        if found.stopped {
            return Some(Ended::Interrupted);
        }
        let &DrapeReport { iterations, residual, share, .. } = found;
        Some(Ended::Failed(Failure::NoEquilibrium { iterations, residual, share, loose: found.loose.clone() }))
    }
}
