//! A simulation whose only frame is the static equilibrium.

use super::{Ended, Failure, Simulation, Simulator};
use crate::Surface;
use serde_json::{Map, Value, json};
use taffeta::{Drape, DrapeProgress, DrapeReport, FrameReport, Halt, Measures, State, StepError, World};

/// Finds the equilibrium of a world in place of its motion: frame 1 of the run.
pub struct Draper<'a> {
    world: &'a World,
    measured: Simulator<'a>,
    settings: Drape,
    observe: &'a mut (dyn FnMut(&DrapeProgress) + Send),
    found: Option<DrapeReport>,
    halt: Halt,
}

impl<'a> Draper<'a> {
    /// Ready to run; `observe` is called in every iteration.
    pub fn new(world: &'a World, settings: Drape, observe: &'a mut (dyn FnMut(&DrapeProgress) + Send)) -> Self {
        Self { world, measured: Simulator::new(world), settings, observe, found: None, halt: Halt::default() }
    }

    /// The search is also given up within an iteration when `halt` says so.
    pub fn stopping(self, halt: Halt) -> Self {
        Self { halt, ..self }
    }
}

impl Simulation for Draper<'_> {
    fn surface(&self) -> Surface {
        self.measured.surface()
    }

    fn fps(&self) -> f64 {
        self.measured.fps()
    }

    fn pin_names(&self) -> &[String] {
        self.measured.pin_names()
    }

    fn body_names(&self) -> Vec<String> {
        self.measured.body_names()
    }

    fn can_touch(&self) -> bool {
        self.measured.can_touch()
    }

    fn start(&self) -> State {
        self.measured.start()
    }

    fn advance_frame(
        &mut self,
        state: &mut State,
        stop: &mut (dyn FnMut(&State) -> bool + Send),
    ) -> Result<Option<FrameReport>, StepError> {
        // what it would show of the frame is nothing: an iteration is no part of its time
        let (start, mut stopped) = (self.world.start(), false);
        let found = taffeta::drape_unless(self.world, state, &self.settings, &self.halt, &mut |now| {
            (self.observe)(now);
            stopped = stopped || stop(&start);
            !stopped
        });
        if let Some(failure) = found.failure {
            return Err(failure);
        }
        let report = FrameReport {
            newton: found.iterations,
            pins: found.pins.clone(),
            contacts: state.contacts.len() as u32,
            bodies: found.bodies.clone(),
            pushes: found.pushes.clone(),
            ..FrameReport::default()
        };
        self.found = Some(found);
        Ok(Some(report))
    }

    fn measure(&mut self, state: &State) -> Measures {
        self.measured.measure(state)
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
