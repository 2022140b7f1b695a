//! Wall time of the phases of a step. No result depends on it.

/// Wall time by phase, s.
///
/// The phases are the columns of D. Baraff and A. Witkin, Large Steps in Cloth Simulation, SIGGRAPH 1998, Table 1, and
/// those that only Taffeta has. Two runs with equal results take different times, so times are never compared.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    /// Time for forces, and for implicit methods the matrix and the right-hand side of their equations: EVAL.
    pub forces: f64,
    /// Time for solving the equations: CG.
    pub solve: f64,
    /// Time for contact with bodies, except for solving the equations again: C/S.
    pub contact: f64,
    /// Time for limits on stretch.
    pub limit: f64,
    /// Time for everything else: pins, copies, checks.
    pub rest: f64,
}

impl Times {
    /// Time for all phases, s.
    pub fn total(&self) -> f64 {
        self.forces + self.solve + self.contact + self.limit + self.rest
    }
}

/// Phase of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Phase {
    Forces,
    Solve,
    Contact,
    Limit,
    #[default]
    Rest,
}

/// Adds time to the current phase if the caller provided a clock. Not every machine has one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clock {
    /// Seconds since an arbitrary moment.
    pub now: Option<fn() -> f64>,
    times: Times,
    phase: Phase,
    since: Option<f64>,
}

impl Clock {
    /// Ends the current phase and begins another.
    pub fn enter(&mut self, phase: Phase) {
        let Some(now) = self.now else { return };
        let now = now();
        self.count(now);
        (self.phase, self.since) = (phase, Some(now));
    }

    /// Ends the step, and with it the current phase.
    pub fn stop(&mut self) {
        if let Some(now) = self.now {
            self.count(now());
            self.since = None;
        }
    }

    /// The times so far; resets them.
    pub fn take(&mut self) -> Times {
        std::mem::take(&mut self.times)
    }

    fn count(&mut self, now: f64) {
        let Some(since) = self.since else { return };
        let Times { forces, solve, contact, limit, rest } = &mut self.times;
        let sum = match self.phase {
            Phase::Forces => forces,
            Phase::Solve => solve,
            Phase::Contact => contact,
            Phase::Limit => limit,
            Phase::Rest => rest,
        };
        *sum += now - since;
    }
}
